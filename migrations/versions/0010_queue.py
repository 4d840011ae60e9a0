"""The queue by expected benefit, decisions in bulk, and what the list can be narrowed to by language and class.

A verdict's benefit is counted from its statement's rank, its other references and its property's weight. Going down,
decisions in bulk stay as the single decisions that they are made of.

Revision: 0010, after: 0009
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_BENEFIT = """
WITH due AS (
  SELECT verdict.id, round(CAST(
    CASE verdict.outcome WHEN 'gone' THEN 1 WHEN 'redirected_elsewhere' THEN 0.9 WHEN 'not_found' THEN 0.6 ELSE
    CASE WHEN verdict.outcome IS NOT NULL THEN 1 ELSE (1 - verdict.probability) * CASE
      WHEN verdict.unsure THEN 0.5 WHEN verdict.stance = 'not_enough_info' THEN 0.8 ELSE 1 END END END
    * CASE statement.rank WHEN 'deprecated' THEN 0.25 WHEN 'preferred' THEN 1
      ELSE CASE WHEN EXISTS (
        SELECT FROM statement AS other JOIN pair AS cited ON cited.guid = other.guid
        WHERE other.item_id = statement.item_id AND other.property_id = statement.property_id
          AND other.rank = 'preferred' AND cited.state <> 'retired'
      ) THEN 0.5 ELSE 1 END END
    * CASE WHEN EXISTS (
        SELECT FROM pair AS sibling JOIN verdict AS found ON found.pair_id = sibling.id AND found.current
        WHERE sibling.guid = pair.guid AND sibling.id <> pair.id AND found.stance = 'supports' AND NOT found.unsure
      ) THEN 0.5 ELSE 1 END
    AS numeric), 6) AS benefit
  FROM statement JOIN pair USING (guid) JOIN verdict ON verdict.pair_id = pair.id
)
UPDATE verdict SET benefit = due.benefit FROM due WHERE verdict.id = due.id
"""
_PLACE = (
    "CASE WHEN probability >= 0::double precision AND probability <= 1::double precision "
    "THEN round(probability * 100::double precision)::smallint * 3 "
    "+ CASE WHEN unsure THEN 1 WHEN stance = 'supports'::text THEN 2 ELSE 0 END ELSE NULL::integer END"
)
# The classes of the subjects of most pairs.
_KIND = """
CREATE MATERIALIZED VIEW kind AS
SELECT class, count(*) AS pairs
FROM pair JOIN statement USING (guid) JOIN item ON item.id = statement.item_id, unnest(item.classes) AS class
WHERE pair.state <> 'retired'
GROUP BY class ORDER BY count(*) DESC, class LIMIT 200
"""
_QUEUED = sa.text("current AND stance IS NOT NULL")
_LISTED = sa.text("current AND (stance IS NOT NULL OR outcome IN ('not_found', 'gone', 'redirected_elsewhere'))")
_FOUND_SO = sa.text("current AND outcome IS NOT NULL")


def upgrade() -> None:
    op.add_column("verdict", sa.Column("benefit", sa.Float(), server_default="0", nullable=False))
    op.add_column("verdict", sa.Column("language", sa.Text(), nullable=True))
    op.execute(_BENEFIT)
    op.create_check_constraint(op.f("ck_verdict_benefit"), "verdict", "benefit >= 0 AND benefit < 'infinity'")
    op.drop_index("ix_verdict_queue", table_name="verdict")
    op.drop_column("verdict", "queue_place")
    op.create_index("ix_verdict_queue", "verdict", ["benefit", "id"], postgresql_where=_LISTED)
    op.drop_index("ix_verdict_outcome", table_name="verdict")
    op.create_index("ix_verdict_outcome", "verdict", ["outcome", "benefit", "id"], postgresql_where=_FOUND_SO)
    op.create_index(
        "ix_verdict_language",
        "verdict",
        ["language"],
        postgresql_where=sa.text("current AND language IS NOT NULL"),
    )
    op.create_index("ix_pair_url_key", "pair", ["url_key"])
    op.create_table(
        "property_weight",
        sa.Column("property_id", sa.Text(), nullable=False),
        sa.Column("weight", sa.Float(), nullable=False),
        sa.Column("counted", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.CheckConstraint("property_id ~ '^P[1-9][0-9]*$'", name=op.f("ck_property_weight_property")),
        sa.CheckConstraint("weight >= 0 AND weight <= 100", name=op.f("ck_property_weight_weight")),
        sa.PrimaryKeyConstraint("property_id", name=op.f("pk_property_weight")),
    )
    op.create_table(
        "bulk",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("reviewer", sa.Text(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("undone_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("pairs", sa.Integer(), nullable=False),
        sa.CheckConstraint("kind IN ('domain', 'address')", name=op.f("ck_bulk_kind")),
        sa.CheckConstraint(
            "decision IN ('supports', 'does_not', 'cant_tell', 'gone', 'wrong_statement', 'bad_wording')",
            name=op.f("ck_bulk_decision"),
        ),
        sa.CheckConstraint("target <> '' AND reviewer <> ''", name=op.f("ck_bulk_named")),
        sa.CheckConstraint("pairs > 0", name=op.f("ck_bulk_pairs")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bulk")),
    )
    op.add_column("review", sa.Column("bulk_id", sa.BigInteger(), nullable=True))
    op.create_foreign_key(op.f("fk_review_bulk_id_bulk"), "review", "bulk", ["bulk_id"], ["id"])
    op.create_index("ix_review_bulk_id", "review", ["bulk_id"], postgresql_where=sa.text("bulk_id IS NOT NULL"))
    op.execute(_KIND)
    op.execute("CREATE UNIQUE INDEX uq_kind ON kind (class)")


def downgrade() -> None:
    op.execute("DROP MATERIALIZED VIEW kind")
    op.drop_index("ix_review_bulk_id", table_name="review")
    op.drop_constraint(op.f("fk_review_bulk_id_bulk"), "review", type_="foreignkey")
    op.drop_column("review", "bulk_id")
    op.drop_table("bulk")
    op.drop_table("property_weight")
    op.drop_index("ix_pair_url_key", table_name="pair")
    op.drop_index("ix_verdict_language", table_name="verdict")
    op.drop_index("ix_verdict_outcome", table_name="verdict")
    op.create_index("ix_verdict_outcome", "verdict", ["outcome", "id"], postgresql_where=_FOUND_SO)
    op.drop_index("ix_verdict_queue", table_name="verdict")
    op.add_column("verdict", sa.Column("queue_place", sa.SmallInteger(), sa.Computed(_PLACE, persisted=True)))
    op.create_index("ix_verdict_queue", "verdict", ["queue_place", "probability", "id"], postgresql_where=_QUEUED)
    op.drop_constraint(op.f("ck_verdict_benefit"), "verdict", type_="check")
    op.drop_column("verdict", "language")
    op.drop_column("verdict", "benefit")
