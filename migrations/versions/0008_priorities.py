"""Why a pair waits, which gives its priority; pairs that retired, what people ask for, and workers that are heard of.

Going down, what had retired waits again: the former schema has no state for it.

Revision: 0008, after: 0007
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

# As they were when this revision was written.
WHY = ("changed", "reworded", "refuted", "asked", "new", "old")
FORMER_STATES = ("waiting", "leased", "judged", "not_judged", "failed")
STATES = (*FORMER_STATES, "retired")
AT_WORK = "state IN ('waiting', 'leased', 'failed')"
PRIORITY = (
    "CASE why WHEN 'changed'::text THEN 6 WHEN 'reworded'::text THEN 5 WHEN 'refuted'::text THEN 4 "
    "WHEN 'asked'::text THEN 3 WHEN 'new'::text THEN 2 ELSE 1 END"
)
HOST = (
    "COALESCE(lower(\"substring\"((urls #>> '{0,url}'::text[]), '^[^:/?#]+://(?:[^/?#]*@)?([^/?#]*)'::text)), ''::text)"
)
RETIRING = (*((state, "retired") for state in FORMER_STATES), ("retired", "waiting"))

_FORMER_WHY = """
UPDATE pair SET why = CASE
  WHEN priority >= 20 THEN 'reworded'
  WHEN priority >= 10 THEN 'changed'
  WHEN EXISTS (SELECT FROM verdict WHERE verdict.pair_id = pair.id) THEN 'old'
  ELSE 'new' END
"""
_FORMER_PRIORITY = "UPDATE pair SET priority = CASE why WHEN 'changed' THEN 10 WHEN 'reworded' THEN 20 ELSE 0 END"


def one_of(column: str, values: tuple[str, ...]) -> str:
    """The text of a CHECK that holds a column to a closed set."""
    return f"{column} IN ({', '.join(repr(value) for value in values)})"


def _states(values: tuple[str, ...]) -> None:
    for table, name, column in (
        ("pair", "state", "state"),
        ("pair_edge", "from_state", "from_state"),
        ("pair_edge", "to_state", "to_state"),
    ):
        op.drop_constraint(op.f(f"ck_{table}_{name}"), table, type_="check")
        op.create_check_constraint(op.f(f"ck_{table}_{name}"), table, one_of(column, values))


def upgrade() -> None:
    _states(STATES)
    edge = sa.table("pair_edge", sa.column("from_state"), sa.column("to_state"))
    op.bulk_insert(edge, [{"from_state": here, "to_state": there} for here, there in RETIRING])
    op.drop_index("ix_pair_work", table_name="pair")
    op.add_column("pair", sa.Column("why", sa.Text(), server_default="new", nullable=False))
    op.execute(_FORMER_WHY)
    op.create_check_constraint(op.f("ck_pair_why"), "pair", one_of("why", WHY))
    op.drop_column("pair", "priority")
    op.add_column("pair", sa.Column("priority", sa.SmallInteger(), sa.Computed(PRIORITY, persisted=True)))
    op.add_column("pair", sa.Column("host", sa.Text(), sa.Computed(HOST, persisted=True)))
    op.create_index(
        "ix_pair_work",
        "pair",
        [sa.literal_column("priority DESC"), "host", "next_at", "url_key", "id"],
        unique=False,
        postgresql_where=sa.text(AT_WORK),
    )
    op.create_index("ix_pair_due", "pair", ["next_at"], unique=False, postgresql_where=sa.text(AT_WORK))
    op.create_index(
        "ix_pair_retry", "pair", ["next_at"], unique=False, postgresql_where=sa.text("state = 'not_judged'")
    )
    op.create_index(
        "ix_pair_leased_by", "pair", ["leased_by"], unique=False, postgresql_where=sa.text("state = 'leased'")
    )
    op.create_index("ix_verdict_judged_at", "verdict", ["judged_at"], unique=False)
    op.create_index(
        "ix_verdict_age",
        "verdict",
        ["judged_at"],
        unique=False,
        postgresql_where=sa.text("current AND stance IS NOT NULL"),
    )
    op.create_index("ix_try_kept_at", "try", ["kept_at"], unique=False)
    op.add_column("statement", sa.Column("words", sa.Text(), nullable=True))
    op.add_column("run", sa.Column("worker", sa.Text(), server_default="", nullable=False))
    op.add_column(
        "run", sa.Column("seen_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False)
    )
    op.add_column("run", sa.Column("own_pages", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.create_table(
        "request",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("asked_by", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("said", sa.Text(), server_default="", nullable=False),
        sa.CheckConstraint("item_id ~ '^[QL][1-9][0-9]*$'", name=op.f("ck_request_item")),
        sa.CheckConstraint("asked_by <> ''", name=op.f("ck_request_asker_named")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_request")),
    )
    op.create_index(
        "uq_request_waiting", "request", ["item_id"], unique=True, postgresql_where=sa.text("taken_at IS NULL")
    )


def downgrade() -> None:
    op.drop_table("request")
    for column in ("own_pages", "seen_at", "worker"):
        op.drop_column("run", column)
    op.drop_column("statement", "words")
    op.drop_index("ix_try_kept_at", table_name="try")
    op.drop_index("ix_verdict_age", table_name="verdict")
    op.drop_index("ix_verdict_judged_at", table_name="verdict")
    op.drop_index("ix_pair_leased_by", table_name="pair")
    op.drop_index("ix_pair_retry", table_name="pair")
    op.drop_index("ix_pair_due", table_name="pair")
    op.execute("UPDATE pair SET state = 'waiting', next_at = now() WHERE state = 'retired'")
    op.drop_index("ix_pair_work", table_name="pair")
    op.drop_column("pair", "host")
    op.drop_column("pair", "priority")
    op.add_column("pair", sa.Column("priority", sa.SmallInteger(), server_default="0", nullable=False))
    op.execute(_FORMER_PRIORITY)
    op.drop_constraint(op.f("ck_pair_why"), "pair", type_="check")
    op.drop_column("pair", "why")
    op.create_index(
        "ix_pair_work",
        "pair",
        [sa.literal_column("priority DESC"), "next_at", "url_key", "id"],
        unique=False,
        postgresql_where=sa.text(one_of("state", FORMER_STATES)),
    )
    op.execute("DELETE FROM pair_edge WHERE from_state = 'retired' OR to_state = 'retired'")
    _states(FORMER_STATES)
