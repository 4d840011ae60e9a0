"""Passages that name a value where nothing was judged: they carry no stance.

Going down, those of pairs that weren't judged are lost: the former dashboard would show them as what a verdict rests
on.

Revision: 0004, after: 0003
"""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_check_constraint(
        op.f("ck_evidence_kind"), "evidence", "kind IN ('text', 'table', 'structured', 'value', 'graph')"
    )
    op.create_check_constraint(
        op.f("ck_evidence_value_has_no_stance"), "evidence", "kind <> 'value' OR (supports = 0 AND refutes = 0)"
    )


def downgrade() -> None:
    op.execute(
        "DELETE FROM evidence USING verdict WHERE verdict.id = evidence.verdict_id AND verdict.outcome IS NOT NULL"
    )
    op.drop_constraint(op.f("ck_evidence_value_has_no_stance"), "evidence", type_="check")
    op.drop_constraint(op.f("ck_evidence_kind"), "evidence", type_="check")
