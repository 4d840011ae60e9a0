"""Decisions beyond what a page says: it is gone, the statement needs correcting, the claim is badly worded.

Going down, such a decision becomes "can't tell", which is the one of the former three that says nothing; what it was
is kept in the table `review_decision_of_0011`, where there is one, and going up again puts it back.

Revision: 0011, after: 0010
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_FORMER = "decision IN ('supports', 'does_not', 'cant_tell')"
_NOW = "decision IN ('supports', 'does_not', 'cant_tell', 'gone', 'wrong_statement', 'bad_wording')"

_BACK = """
DO $$
BEGIN
  IF to_regclass('review_decision_of_0011') IS NOT NULL THEN
    UPDATE review SET decision = kept.decision FROM review_decision_of_0011 AS kept WHERE kept.id = review.id;
    DROP TABLE review_decision_of_0011;
  END IF;
END
$$
"""
_AWAY = f"""
DO $$
BEGIN
  IF EXISTS (SELECT FROM review WHERE NOT ({_FORMER})) THEN
    CREATE TABLE review_decision_of_0011 AS SELECT id, decision FROM review WHERE NOT ({_FORMER});
    UPDATE review SET decision = 'cant_tell' WHERE NOT ({_FORMER});
  END IF;
END
$$
"""  # noqa: S608 - all parts are ours


def upgrade() -> None:
    op.drop_constraint(op.f("ck_review_decision"), "review")
    op.create_check_constraint(op.f("ck_review_decision"), "review", _NOW)
    op.execute(_BACK)
    op.create_index(
        "ix_review_reviewer_id", "review", ["reviewer", "id"], postgresql_where=sa.text("undone_at IS NULL")
    )


def downgrade() -> None:
    op.drop_index("ix_review_reviewer_id", table_name="review")
    op.execute(_AWAY)
    op.drop_constraint(op.f("ck_review_decision"), "review")
    op.create_check_constraint(op.f("ck_review_decision"), "review", _FORMER)
