"""Wordings tried on real statements before they are saved, patterns with qualifiers, and why a wording was saved.

Revision: 0013, after: 0012
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_GAPS = (
    "wording IS DISTINCT FROM 'pattern' "
    r"OR regexp_replace(text, '\{(subject|object|P[1-9][0-9]*)\}', '', 'g') !~ '[{}]'"
)
_STANCES = "'supports', 'refutes', 'not_enough_info'"
_OUTCOMES = (
    "'not_found', 'gone', 'server_error', 'rate_limited', 'unreachable', 'timed_out', 'tls', 'redirect_loop', "
    "'malformed_answer', 'blocked', 'bot_wall', 'robots', 'redirected_elsewhere', 'no_text', 'wrong_format', "
    "'unsupported_language', 'too_large', 'unsafe_address', 'no_usable_url', 'no_label'"
)
# The code before reads no qualifiers: what was worded by such a pattern is judged anew, without it.
_WITH_QUALIFIERS = r"current AND wording = 'pattern' AND text ~ '\{P[1-9][0-9]*\}'"
_QUEUE = f"""
WITH worded AS (
  SELECT statement.guid FROM statement JOIN item ON item.id = statement.item_id
    JOIN override ON override.property_id = statement.property_id
  WHERE {_WITH_QUALIFIERS} AND (override.subject_class IS NULL OR override.subject_class = ANY (item.classes))
), queued AS (
  UPDATE pair SET state = 'waiting', leased_by = NULL, leased_until = NULL, tries = 0, next_at = now(),
    why = CASE WHEN pair.state IN ('waiting', 'leased', 'failed') AND pair.why = 'changed' THEN 'changed'
      ELSE 'reworded' END
  WHERE pair.state <> 'retired' AND pair.guid IN (SELECT guid FROM worded)
  RETURNING id
)
UPDATE verdict SET stale = true FROM queued WHERE verdict.pair_id = queued.id AND verdict.current
"""  # noqa: S608 - all parts are ours


def upgrade() -> None:
    op.add_column("override", sa.Column("why", sa.Text(), server_default="", nullable=False))
    op.create_check_constraint(op.f("ck_override_why_is_short"), "override", "char_length(why) <= 500")
    op.create_check_constraint(op.f("ck_override_pattern_gaps"), "override", _GAPS)
    op.create_table(
        "trial",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("property_id", sa.Text(), nullable=False),
        sa.Column("subject_class", sa.Text(), nullable=True),
        sa.Column("wording", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("asked_by", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("state", sa.Text(), server_default="waiting", nullable=False),
        sa.Column("taken_by", sa.Text(), nullable=True),
        sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("tries", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("model_version", sa.Text(), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.CheckConstraint("state IN ('waiting', 'running', 'done', 'failed')", name=op.f("ck_trial_state")),
        sa.CheckConstraint("wording IN ('label', 'pattern')", name=op.f("ck_trial_wording")),
        sa.CheckConstraint(
            "(wording IS NULL) = (text IS NULL) AND text <> ''", name=op.f("ck_trial_wording_with_text")
        ),
        sa.CheckConstraint("asked_by <> ''", name=op.f("ck_trial_asker_named")),
        sa.CheckConstraint(
            "(state = 'running') = (taken_by IS NOT NULL) AND (taken_by IS NULL) = (leased_until IS NULL)",
            name=op.f("ck_trial_lease"),
        ),
        sa.CheckConstraint(
            "(state IN ('done', 'failed')) = (finished_at IS NOT NULL)", name=op.f("ck_trial_finished_when_ended")
        ),
        sa.CheckConstraint("(state = 'failed') = (error IS NOT NULL)", name=op.f("ck_trial_error_when_failed")),
        sa.ForeignKeyConstraint(["property_id"], ["property.id"], name=op.f("fk_trial_property_id_property")),
        sa.ForeignKeyConstraint(["subject_class"], ["item.id"], name=op.f("fk_trial_subject_class_item")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trial")),
    )
    still_open = sa.text("state IN ('waiting', 'running')")
    op.create_index("uq_trial_open", "trial", ["property_id", "asked_by"], unique=True, postgresql_where=still_open)
    op.create_index("ix_trial_open", "trial", ["id"], postgresql_where=still_open)
    op.create_index("ix_trial_property_id_id", "trial", ["property_id", "id"])
    op.create_index("ix_trial_asked_at", "trial", ["asked_at"])
    op.create_table(
        "trial_pair",
        sa.Column("trial_id", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("pair_id", sa.BigInteger(), nullable=False),
        sa.Column("verdict_id", sa.BigInteger(), nullable=True),
        sa.Column("found", sa.Text(), nullable=True),
        sa.Column("claim", sa.Text(), nullable=True),
        sa.Column("document_digest", sa.Text(), nullable=True),
        sa.Column("stance", sa.Text(), nullable=True),
        sa.Column("probability", sa.Float(), nullable=True),
        sa.Column("unsure", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), server_default="", nullable=False),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.CheckConstraint(
            "found IN ('judged', 'not_judged', 'same', 'not_kept', 'failed')", name=op.f("ck_trial_pair_found")
        ),
        sa.CheckConstraint(f"stance IN ({_STANCES})", name=op.f("ck_trial_pair_stance")),
        sa.CheckConstraint(f"outcome IN ({_OUTCOMES})", name=op.f("ck_trial_pair_outcome")),
        sa.CheckConstraint("probability BETWEEN 0 AND 1", name=op.f("ck_trial_pair_probability")),
        sa.CheckConstraint(
            "(found IS NOT DISTINCT FROM 'judged') = (stance IS NOT NULL) "
            "AND (stance IS NULL) = (probability IS NULL) AND (NOT unsure OR stance IS NOT NULL)",
            name=op.f("ck_trial_pair_judged"),
        ),
        sa.CheckConstraint(
            "(found IS NOT DISTINCT FROM 'not_judged') = (outcome IS NOT NULL)", name=op.f("ck_trial_pair_not_judged")
        ),
        sa.ForeignKeyConstraint(
            ["trial_id"], ["trial.id"], name=op.f("fk_trial_pair_trial_id_trial"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["pair_id"], ["pair.id"], name=op.f("fk_trial_pair_pair_id_pair"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["verdict_id"], ["verdict.id"], name=op.f("fk_trial_pair_verdict_id_verdict"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("trial_id", "position", name=op.f("pk_trial_pair")),
    )
    op.create_index(op.f("ix_trial_pair_pair_id"), "trial_pair", ["pair_id"])
    op.create_index(op.f("ix_trial_pair_verdict_id"), "trial_pair", ["verdict_id"])


def downgrade() -> None:
    op.drop_table("trial_pair")
    op.drop_table("trial")
    op.execute(_QUEUE)
    op.execute(f"UPDATE override SET current = false WHERE {_WITH_QUALIFIERS}")  # noqa: S608 - as above
    op.drop_constraint(op.f("ck_override_pattern_gaps"), "override")
    op.drop_constraint(op.f("ck_override_why_is_short"), "override")
    op.drop_column("override", "why")
