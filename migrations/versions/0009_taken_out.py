"""Pages and items that were taken out, and stay out.

Revision: 0009, after: 0008
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "taken_out",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("allowed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("allowed_by", sa.Text(), nullable=True),
        sa.CheckConstraint("kind IN ('url', 'item')", name=op.f("ck_taken_out_kind")),
        sa.CheckConstraint("target <> ''", name=op.f("ck_taken_out_target_named")),
        sa.CheckConstraint("by <> '' AND allowed_by <> ''", name=op.f("ck_taken_out_person_named")),
        sa.CheckConstraint(
            "(allowed_at IS NULL) = (allowed_by IS NULL)", name=op.f("ck_taken_out_allowed_by_a_person")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_taken_out")),
    )
    op.create_index(
        "uq_taken_out_standing",
        "taken_out",
        ["kind", sa.text("md5(target)")],
        unique=True,
        postgresql_where=sa.text("allowed_at IS NULL"),
    )
    op.create_table(
        "taken_out_address",
        sa.Column("taken_out_id", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["taken_out_id"],
            ["taken_out.id"],
            name=op.f("fk_taken_out_address_taken_out_id_taken_out"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("taken_out_id", "key", name=op.f("pk_taken_out_address")),
    )
    op.create_index("ix_taken_out_address_key", "taken_out_address", ["key"])
    for table in ("document", "try"):
        op.create_index(
            f"ix_{table}_warc_warc_offset",
            table,
            ["warc", "warc_offset"],
            postgresql_where=sa.text("warc IS NOT NULL"),
        )


def downgrade() -> None:
    for table in ("document", "try"):
        op.drop_index(f"ix_{table}_warc_warc_offset", table_name=table)
    op.drop_table("taken_out_address")
    op.drop_table("taken_out")
