"""Verdicts of which the judge is unsure, their place in the list, and how well a model was measured to do.

Going down, what the judge couldn't tell waits to be judged again: the former dashboard would show a leaning as a
stance.

Revision: 0005, after: 0004
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_PLACE = (
    "CASE WHEN probability >= 0::double precision AND probability <= 1::double precision "
    "THEN round(probability * 100::double precision)::smallint * 3 "
    "+ CASE WHEN unsure THEN 1 WHEN stance = 'supports'::text THEN 2 ELSE 0 END ELSE NULL::integer END"
)
_QUEUED = sa.text("current AND stance IS NOT NULL")


def upgrade() -> None:
    op.add_column("verdict", sa.Column("unsure", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.create_check_constraint(op.f("ck_verdict_unsure_of_a_stance"), "verdict", "NOT unsure OR stance IS NOT NULL")
    op.add_column(
        "verdict", sa.Column("queue_place", sa.SmallInteger(), sa.Computed(_PLACE, persisted=True), nullable=True)
    )
    op.drop_index("ix_verdict_queue", table_name="verdict")
    op.create_index(
        "ix_verdict_queue", "verdict", ["queue_place", "probability", "id"], unique=False, postgresql_where=_QUEUED
    )
    op.create_table(
        "measured",
        sa.Column("model_version", sa.Text(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("unsupported", sa.Integer(), nullable=False),
        sa.Column("how", sa.Text(), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("model_version <> ''", name=op.f("ck_measured_model_named")),
        sa.CheckConstraint("total > 0 AND unsupported BETWEEN 0 AND total", name=op.f("ck_measured_counts")),
        sa.PrimaryKeyConstraint("model_version", name=op.f("pk_measured")),
    )
    op.create_table(
        "measured_error",
        sa.Column("model_version", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), server_default="", nullable=False),
        sa.Column("pairs", sa.Float(), nullable=False),
        sa.Column("wrong", sa.Float(), nullable=False),
        sa.Column("unsure", sa.Float(), nullable=False),
        sa.CheckConstraint("kind IN ('property', 'domain')", name=op.f("ck_measured_error_kind")),
        sa.CheckConstraint(
            "name <> '' AND (kind <> 'property' OR name ~ '^P[1-9][0-9]*$')", name=op.f("ck_measured_error_name")
        ),
        sa.CheckConstraint("pairs > 0 AND pairs < 'infinity'", name=op.f("ck_measured_error_pairs")),
        sa.CheckConstraint("wrong BETWEEN 0 AND pairs", name=op.f("ck_measured_error_wrong")),
        sa.CheckConstraint("unsure BETWEEN 0 AND pairs", name=op.f("ck_measured_error_unsure")),
        _of_measured("measured_error"),
        sa.PrimaryKeyConstraint("model_version", "kind", "name", name=op.f("pk_measured_error")),
    )
    op.create_table(
        "measured_reliability",
        sa.Column("model_version", sa.Text(), nullable=False),
        sa.Column("low", sa.Float(), nullable=False),
        sa.Column("high", sa.Float(), nullable=False),
        sa.Column("pairs", sa.Float(), nullable=False),
        sa.Column("said", sa.Float(), nullable=False),
        sa.Column("found", sa.Float(), nullable=False),
        sa.CheckConstraint("low >= 0 AND low < high AND high <= 1", name=op.f("ck_measured_reliability_bounds")),
        sa.CheckConstraint("pairs > 0 AND pairs < 'infinity'", name=op.f("ck_measured_reliability_pairs")),
        sa.CheckConstraint(
            "said BETWEEN 0 AND 1 AND found BETWEEN 0 AND 1", name=op.f("ck_measured_reliability_shares")
        ),
        _of_measured("measured_reliability"),
        sa.PrimaryKeyConstraint("model_version", "low", name=op.f("pk_measured_reliability")),
    )
    op.create_table(
        "measured_risk",
        sa.Column("model_version", sa.Text(), nullable=False),
        sa.Column("coverage", sa.Float(), nullable=False),
        sa.Column("risk", sa.Float(), nullable=False),
        sa.CheckConstraint("coverage > 0 AND coverage <= 1", name=op.f("ck_measured_risk_coverage")),
        sa.CheckConstraint("risk BETWEEN 0 AND 1", name=op.f("ck_measured_risk_risk")),
        _of_measured("measured_risk"),
        sa.PrimaryKeyConstraint("model_version", "coverage", name=op.f("pk_measured_risk")),
    )


def _of_measured(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["model_version"],
        ["measured.model_version"],
        name=op.f(f"fk_{table}_model_version_measured"),
        ondelete="CASCADE",
    )


_LEANINGS = """
WITH queued AS (
  UPDATE pair SET state = 'waiting', leased_by = NULL, leased_until = NULL, tries = 0, next_at = now()
  FROM verdict WHERE verdict.pair_id = pair.id AND verdict.current AND verdict.unsure
  RETURNING pair.id
)
UPDATE verdict SET stale = true FROM queued WHERE verdict.pair_id = queued.id AND verdict.current
"""


def downgrade() -> None:
    for table in ("measured_risk", "measured_reliability", "measured_error", "measured"):
        op.drop_table(table)
    op.execute(_LEANINGS)
    op.drop_index("ix_verdict_queue", table_name="verdict")
    op.create_index("ix_verdict_queue", "verdict", ["probability", "id"], unique=False, postgresql_where=_QUEUED)
    op.drop_column("verdict", "queue_place")
    op.drop_constraint(op.f("ck_verdict_unsure_of_a_stance"), "verdict", type_="check")
    op.drop_column("verdict", "unsure")
