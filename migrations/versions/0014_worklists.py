"""Worklists: items that people want to go through together, from a list of ids, a PagePile or a query.

Revision: 0014, after: 0013
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "worklist",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("state", sa.Text(), server_default="waiting", nullable=False),
        sa.Column("taken_by", sa.Text(), nullable=True),
        sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("tries", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("resolved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("said", sa.Text(), server_default="", nullable=False),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("removed_by", sa.Text(), nullable=True),
        sa.CheckConstraint("kind IN ('items', 'pagepile', 'sparql')", name=op.f("ck_worklist_kind")),
        sa.CheckConstraint("state IN ('waiting', 'resolving', 'ready', 'failed')", name=op.f("ck_worklist_state")),
        sa.CheckConstraint("btrim(name) <> '' AND char_length(name) <= 200", name=op.f("ck_worklist_name")),
        sa.CheckConstraint("btrim(source) <> ''", name=op.f("ck_worklist_source")),
        sa.CheckConstraint(
            "kind <> 'pagepile' OR source ~ '^[1-9][0-9]{0,11}$'", name=op.f("ck_worklist_number_of_a_pile")
        ),
        sa.CheckConstraint("made_by <> '' AND removed_by <> ''", name=op.f("ck_worklist_person_named")),
        sa.CheckConstraint(
            "(state = 'resolving') = (taken_by IS NOT NULL) AND (taken_by IS NULL) = (leased_until IS NULL)",
            name=op.f("ck_worklist_lease"),
        ),
        sa.CheckConstraint("tries >= 0", name=op.f("ck_worklist_tries")),
        sa.CheckConstraint("state <> 'ready' OR resolved_at IS NOT NULL", name=op.f("ck_worklist_resolved_when_ready")),
        sa.CheckConstraint("state <> 'failed' OR error IS NOT NULL", name=op.f("ck_worklist_error_when_failed")),
        sa.CheckConstraint("state <> 'ready' OR error IS NULL", name=op.f("ck_worklist_no_error_when_ready")),
        sa.CheckConstraint("error <> ''", name=op.f("ck_worklist_error_said")),
        sa.CheckConstraint("(removed_at IS NULL) = (removed_by IS NULL)", name=op.f("ck_worklist_removed_by_a_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worklist")),
    )
    op.create_index(
        "ix_worklist_open",
        "worklist",
        ["next_at", "id"],
        postgresql_where=sa.text("state IN ('waiting', 'resolving') AND removed_at IS NULL"),
    )
    op.create_table(
        "worklist_item",
        sa.Column("worklist_id", sa.BigInteger(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.CheckConstraint("item_id ~ '^[QL][1-9][0-9]*$'", name=op.f("ck_worklist_item_item")),
        sa.CheckConstraint("position > 0", name=op.f("ck_worklist_item_position")),
        sa.ForeignKeyConstraint(
            ["worklist_id"], ["worklist.id"], name=op.f("fk_worklist_item_worklist_id_worklist"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("worklist_id", "item_id", name=op.f("pk_worklist_item")),
    )
    op.create_index("ix_worklist_item_item_id", "worklist_item", ["item_id"])


def downgrade() -> None:
    op.drop_table("worklist_item")
    op.drop_table("worklist")
