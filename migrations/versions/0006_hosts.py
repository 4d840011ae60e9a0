"""Hosts: their pace, their robots.txt, their budget, held across all workers.

Revision: 0006, after: 0005
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

# As they were when this revision was written.
OUTCOMES = (
    "not_found",
    "gone",
    "server_error",
    "rate_limited",
    "unreachable",
    "timed_out",
    "tls",
    "redirect_loop",
    "malformed_answer",
    "blocked",
    "bot_wall",
    "robots",
    "redirected_elsewhere",
    "no_text",
    "wrong_format",
    "unsupported_language",
    "too_large",
    "unsafe_address",
    "no_usable_url",
    "no_label",
)


def _outcome(column: str) -> str:
    return f"{column} IN ({', '.join(map(repr, OUTCOMES))})"


def upgrade() -> None:
    op.create_table(
        "host",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("delay_s", sa.Float(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("held_by", sa.Text(), nullable=True),
        sa.Column("held_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("wanted_by", sa.Text(), nullable=True),
        sa.Column("wanted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("resting_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("resting_outcome", sa.Text(), nullable=True),
        sa.Column("resting_why", sa.Text(), server_default="", nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("requests", sa.Integer(), server_default="0", nullable=False),
        sa.CheckConstraint("name <> ''", name=op.f("ck_host_named")),
        sa.CheckConstraint("delay_s >= 0", name=op.f("ck_host_delay")),
        sa.CheckConstraint("(held_by IS NULL) = (held_until IS NULL)", name=op.f("ck_host_turn")),
        sa.CheckConstraint("(wanted_by IS NULL) = (wanted_at IS NULL)", name=op.f("ck_host_wanted")),
        sa.CheckConstraint("failures >= 0 AND (failures = 0) = (failing_since IS NULL)", name=op.f("ck_host_failures")),
        sa.CheckConstraint(
            "(resting_until IS NULL) = (resting_outcome IS NULL)", name=op.f("ck_host_rest_has_an_outcome")
        ),
        sa.CheckConstraint(_outcome("resting_outcome"), name=op.f("ck_host_resting_outcome")),
        sa.CheckConstraint("requests >= 0", name=op.f("ck_host_requests")),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_host")),
        postgresql_with={"fillfactor": 50},
    )
    op.create_table(
        "robots",
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("fresh_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), server_default="", nullable=False),
        sa.CheckConstraint(_outcome("outcome"), name=op.f("ck_robots_outcome")),
        sa.CheckConstraint("outcome IS NULL OR text IS NULL", name=op.f("ck_robots_rules_or_outcome")),
        sa.PrimaryKeyConstraint("origin", name=op.f("pk_robots")),
    )
    op.create_index("ix_robots_fresh_until", "robots", ["fresh_until"], unique=False)


def downgrade() -> None:
    op.drop_table("robots")
    op.drop_table("host")
