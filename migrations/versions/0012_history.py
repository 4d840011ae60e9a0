"""What the pages of items, properties, domains and the whole show: which verdict of a pair was current from when on,
and figures about all pairs, which are counted now and then.

A verdict that is confirmed keeps its one row, with a new time: without `history` nobody could say how things stood
before.

Revision: 0012, after: 0011
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_VERDICT_TURNS = """
CREATE FUNCTION verdict_turns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT verdict_id FROM history WHERE pair_id = NEW.pair_id ORDER BY id DESC LIMIT 1) IS DISTINCT FROM NEW.id THEN
    INSERT INTO history (pair_id, at, verdict_id, revision)
    SELECT pair.id, NEW.judged_at, NEW.id, statement.revision
    FROM pair JOIN statement USING (guid) WHERE pair.id = NEW.pair_id;
  END IF;
  RETURN NULL;
END
$$
"""
_VERDICT_TURNS_TRIGGER = """
CREATE TRIGGER verdict_turns AFTER INSERT OR UPDATE OF current ON verdict FOR EACH ROW
WHEN (NEW.current) EXECUTE FUNCTION verdict_turns()
"""
_PAIR_RETIRES = """
CREATE FUNCTION pair_retires() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT verdict_id FROM history WHERE pair_id = NEW.id ORDER BY id DESC LIMIT 1) IS NOT NULL THEN
    INSERT INTO history (pair_id, at, verdict_id, revision)
    SELECT NEW.id, clock_timestamp(), NULL, revision FROM statement WHERE guid = NEW.guid;
  END IF;
  RETURN NULL;
END
$$
"""
_PAIR_RETIRES_TRIGGER = """
CREATE TRIGGER pair_retires AFTER UPDATE OF state ON pair FOR EACH ROW
WHEN (NEW.state = 'retired' AND OLD.state <> 'retired') EXECUTE FUNCTION pair_retires()
"""
# What is known of the time before: each verdict since it was last confirmed.
_FORMER = """
INSERT INTO history (pair_id, at, verdict_id, revision)
SELECT verdict.pair_id, verdict.judged_at, verdict.id, statement.revision
FROM verdict JOIN pair ON pair.id = verdict.pair_id JOIN statement USING (guid)
ORDER BY verdict.current, verdict.judged_at, verdict.id
"""
_RETIRED = """
INSERT INTO history (pair_id, at, verdict_id, revision)
SELECT pair.id, now(), NULL, statement.revision FROM pair JOIN statement USING (guid)
WHERE pair.state = 'retired' AND EXISTS (SELECT FROM verdict WHERE verdict.pair_id = pair.id)
"""

_FINDING = "coalesce(verdict.outcome, CASE WHEN verdict.unsure THEN 'cant_tell' ELSE verdict.stance END)"
_JUDGED = "('supports', 'refutes', 'not_enough_info', 'cant_tell')"

# How all pairs stand, but for those that retired; `unchecked` are those without a verdict or an outcome.
_STANDING = f"""
CREATE MATERIALIZED VIEW standing AS
SELECT statement.property_id, pair.domain, coalesce({_FINDING}, 'unchecked') AS finding, count(*) AS pairs,
  count(*) FILTER (WHERE pair.state IN ('waiting', 'leased', 'failed')) AS due,
  count(*) FILTER (WHERE pair.state = 'failed') AS failed,
  coalesce(sum(verdict.probability), 0) AS support
FROM pair JOIN statement USING (guid) LEFT JOIN verdict ON verdict.pair_id = pair.id AND verdict.current
WHERE pair.state <> 'retired'
GROUP BY 1, 2, 3
"""  # noqa: S608 - all parts are ours

# The same for each property, for each domain and for all; the outcomes by what they mean for a source.
_TALLY = f"""
CREATE MATERIALIZED VIEW tally AS
SELECT CASE WHEN grouping(property_id) = 0 THEN 'property' WHEN grouping(domain) = 0 THEN 'domain' ELSE 'all' END
    AS kind,
  coalesce(property_id, domain, '') AS name,
  sum(pairs)::bigint AS pairs,
  {{each}},
  coalesce(sum(pairs) FILTER (WHERE finding IN {_JUDGED}), 0)::bigint AS judged,
  coalesce(sum(pairs) FILTER (WHERE finding NOT IN {_JUDGED} AND finding <> 'unchecked'), 0)::bigint AS not_judged,
  {{groups}},
  sum(due)::bigint AS due, sum(failed)::bigint AS failed, sum(support) AS support
FROM standing
GROUP BY GROUPING SETS ((property_id), (domain), ())
HAVING count(*) > 0
"""  # noqa: S608 - all parts are ours
_EACH = ("unchecked", "supports", "refutes", "not_enough_info", "cant_tell")
_GROUPS = {
    "missing": ("not_found", "gone"),
    "elsewhere": ("redirected_elsewhere",),
    "barred": ("blocked", "bot_wall", "robots", "rate_limited"),
    "unread": ("no_text", "wrong_format", "unsupported_language", "too_large"),
    "troubled": ("server_error", "unreachable", "timed_out", "tls", "redirect_loop", "malformed_answer"),
    "unasked": ("unsafe_address", "no_usable_url", "no_label"),
}

# By month (UTC), how many pairs more or less than the month before were found so; summed up, how they stood then.
_COURSE = f"""
CREATE MATERIALIZED VIEW course AS
WITH turn AS (
  SELECT statement.property_id, pair.domain, date_trunc('month', history.at AT TIME ZONE 'UTC')::date AS month,
    {_FINDING} AS finding, lag({_FINDING}) OVER (PARTITION BY history.pair_id ORDER BY history.id) AS former
  FROM history JOIN pair ON pair.id = history.pair_id JOIN statement USING (guid)
    LEFT JOIN verdict ON verdict.id = history.verdict_id
), moved AS (
  SELECT property_id, domain, month, finding, 1 AS change FROM turn WHERE finding IS DISTINCT FROM former
  UNION ALL
  SELECT property_id, domain, month, former, -1 FROM turn WHERE finding IS DISTINCT FROM former
)
SELECT CASE WHEN grouping(property_id) = 0 THEN 'property' WHEN grouping(domain) = 0 THEN 'domain' ELSE 'all' END
    AS kind,
  coalesce(property_id, domain, '') AS name, month, finding, sum(change)::bigint AS change
FROM moved WHERE finding IS NOT NULL
GROUP BY GROUPING SETS ((property_id, month, finding), (domain, month, finding), (month, finding))
"""  # noqa: S608 - all parts are ours

# The folder of an address, two levels deep at most, with "…" for digits: pages made by one template have the same.
_LAYOUT = r"""
CREATE MATERIALIZED VIEW layout AS
WITH read AS (
  SELECT pair.id, pair.domain,
    left(regexp_replace(
      substring(coalesce(substring(pair.urls #>> '{0,url}' FROM '^[^:/?#]+://[^/?#]*(/[^?#]*)'), '/')
        FROM '^/(?:[^/]+/){0,2}'),
      '[0-9]+', '…', 'g'), 200) AS layout,
    pair.state = 'failed' AS failed, verdict.stance, verdict.unsure, verdict.outcome
  FROM pair LEFT JOIN verdict ON verdict.pair_id = pair.id AND verdict.current
  WHERE pair.state <> 'retired' AND (pair.state = 'failed' OR verdict.stance IS NOT NULL
    OR verdict.outcome IN ('no_text', 'wrong_format', 'unsupported_language', 'too_large'))
), counted AS (
  SELECT domain, layout, count(*) AS pairs,
    count(*) FILTER (WHERE NOT failed AND unsure) AS unsure,
    count(*) FILTER (WHERE NOT failed AND stance IS NULL) AS unread,
    count(*) FILTER (WHERE failed) AS failed,
    (array_agg(id ORDER BY id) FILTER (WHERE failed OR unsure OR stance IS NULL))[1:3] AS examples
  FROM read GROUP BY domain, layout
), ranked AS (
  SELECT *, row_number() OVER (
    PARTITION BY domain
    ORDER BY (unsure + unread + failed) * 1.0 / (pairs + 5) DESC, pairs DESC, layout) AS place
  FROM counted
)
SELECT * FROM ranked WHERE place <= 20
"""

# The pairs of each domain that were found last not to be judged.
_TROUBLE = """
CREATE MATERIALIZED VIEW trouble AS
SELECT domain, place, pair_id FROM (
  SELECT pair.domain, pair.id AS pair_id,
    row_number() OVER (PARTITION BY pair.domain ORDER BY verdict.judged_at DESC, pair.id DESC) AS place
  FROM verdict JOIN pair ON pair.id = verdict.pair_id
  WHERE verdict.current AND verdict.outcome IS NOT NULL
) AS newest
WHERE place <= 10
"""

# The latest decision about each pair, and the verdict that it was made about, of those that the list has.
_DECIDED = """
CREATE MATERIALIZED VIEW decided AS
SELECT DISTINCT ON (verdict.pair_id) verdict.pair_id, verdict.id AS verdict_id, statement.property_id, pair.domain,
  CASE WHEN verdict.unsure THEN 'cant_tell' ELSE verdict.stance END AS stance, verdict.probability,
  review.decision, review.decided_at
FROM review JOIN verdict ON verdict.id = review.verdict_id
  JOIN pair ON pair.id = verdict.pair_id JOIN statement USING (guid)
WHERE review.undone_at IS NULL
  AND (verdict.stance IS NOT NULL OR verdict.outcome IN ('not_found', 'gone', 'redirected_elsewhere'))
ORDER BY verdict.pair_id, review.decided_at DESC, review.id DESC
"""

# What was done in each hour of the last weeks. A pair that is judged again counts where it was judged last.
_PACE = """
CREATE MATERIALIZED VIEW pace AS
SELECT hour, sum(judged)::bigint AS judged, sum(not_judged)::bigint AS not_judged, sum(pages)::bigint AS pages
FROM (
  SELECT date_trunc('hour', judged_at) AS hour, count(*) FILTER (WHERE stance IS NOT NULL) AS judged,
    count(*) FILTER (WHERE stance IS NULL) AS not_judged, 0 AS pages
  FROM verdict WHERE judged_at >= date_trunc('day', now(), 'UTC') - interval '29 days' GROUP BY 1
  UNION ALL
  SELECT date_trunc('hour', kept_at), 0, 0, count(*)
  FROM try WHERE kept_at >= date_trunc('day', now(), 'UTC') - interval '29 days' GROUP BY 1
) AS done
GROUP BY hour
"""


def _tally() -> str:
    total = "coalesce(sum(pairs) FILTER (WHERE finding IN ({})), 0)::bigint AS {}"
    each = [total.format(f"'{name}'", name) for name in _EACH]
    groups = [total.format(", ".join(f"'{one}'" for one in some), name) for name, some in _GROUPS.items()]
    return _TALLY.format(each=",\n  ".join(each), groups=",\n  ".join(groups))


def upgrade() -> None:
    op.create_table(
        "history",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("pair_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("verdict_id", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["pair_id"], ["pair.id"], name=op.f("fk_history_pair_id_pair")),
        sa.ForeignKeyConstraint(["verdict_id"], ["verdict.id"], name=op.f("fk_history_verdict_id_verdict")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_history")),
    )
    op.create_index("ix_history_pair_id_id", "history", ["pair_id", "id"], unique=False)
    op.create_table(
        "refreshed",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.CheckConstraint("seconds >= 0", name=op.f("ck_refreshed_seconds")),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_refreshed")),
    )
    op.execute(_FORMER)
    op.execute(_RETIRED)
    for statement in (
        _VERDICT_TURNS,
        _VERDICT_TURNS_TRIGGER,
        _PAIR_RETIRES,
        _PAIR_RETIRES_TRIGGER,
        _STANDING,
        "CREATE UNIQUE INDEX uq_standing ON standing (property_id, domain, finding)",
        "CREATE INDEX ix_standing_domain ON standing (domain)",
        _tally(),
        "CREATE UNIQUE INDEX uq_tally ON tally (kind, name)",
        "CREATE INDEX ix_tally_pairs ON tally (kind, pairs DESC, name)",
        _COURSE,
        "CREATE UNIQUE INDEX uq_course ON course (kind, name, month, finding)",
        _LAYOUT,
        "CREATE UNIQUE INDEX uq_layout ON layout (domain, layout)",
        _TROUBLE,
        "CREATE UNIQUE INDEX uq_trouble ON trouble (domain, place)",
        _DECIDED,
        "CREATE UNIQUE INDEX uq_decided ON decided (pair_id)",
        "CREATE INDEX ix_decided_property_id ON decided (property_id)",
        "CREATE INDEX ix_decided_domain ON decided (domain)",
        _PACE,
        "CREATE UNIQUE INDEX uq_pace ON pace (hour)",
    ):
        # The colons of casts and patterns aren't parameters.
        op.execute(sa.text(statement.replace(":", "\\:")))


def downgrade() -> None:
    for view in ("pace", "decided", "trouble", "layout", "course", "tally", "standing"):
        op.execute(f"DROP MATERIALIZED VIEW {view}")
    op.execute("DROP TRIGGER pair_retires ON pair")
    op.execute("DROP FUNCTION pair_retires()")
    op.execute("DROP TRIGGER verdict_turns ON verdict")
    op.execute("DROP FUNCTION verdict_turns()")
    op.drop_table("refreshed")
    op.drop_table("history")
