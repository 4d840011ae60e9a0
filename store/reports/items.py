"""An item: its statements with their references, what was found of each, and how its score has come about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session, aliased

from models.evidence import Stance
from models.outcome import Outcome
from models.score import coverage, score
from models.statement import MalformedValue, Statement, Term
from store import schema
from store.reviews import holds_for
from store.taken_out import items_taken_out
from store.terms import build_statement, load_terms, statement_ids, term_of

POINTS = 60  # of a history


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's decision that holds for what was found of a reference."""

    reviewer: str
    decision: str
    decided_at: datetime


@dataclass(frozen=True, slots=True)
class Cited:
    """A reference of a statement, and what was found of it: a stance with y, an outcome, or (both None) nothing yet.

    `stale`: it was found of what the statement said before. `last_error` is that of an attempt that failed.
    """

    pair_id: int
    verdict_id: int | None
    url: str
    domain: str
    state: str
    why: str
    stance: Stance | None
    unsure: bool
    probability: float | None
    outcome: Outcome | None
    detail: str
    reason: str
    judged_at: datetime | None
    stale: bool
    last_error: str | None
    next_at: datetime | None
    decisions: tuple[Decision, ...]

    @property
    def waits(self) -> bool:
        """Whether it is to be judged, for the first time or again."""
        return self.state in ("waiting", "leased", "failed")


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement of the item with its references. `statement` is None where its value can't be read; `claim` is how
    it was put into words last, "" where it wasn't yet.
    """

    guid: str
    property: Term
    statement: Statement | None
    rank: str
    claim: str
    references: tuple[Cited, ...]


@dataclass(frozen=True, slots=True)
class Wished:
    """That the item be checked: by whom and when, and when a bot took it up (None: not yet) and what it said."""

    asked_by: str
    asked_at: datetime
    taken_at: datetime | None
    said: str


@dataclass(frozen=True, slots=True)
class ItemView:
    """An item: how its references stand, each counted once in `found` (what was found of it, "unchecked": nothing yet)
    and those that a walk doesn't select any more in `retired`.

    `due` of them wait to be judged, for the first time or again. `support` is the sum of the probabilities y.
    `decided` counts the decisions that hold, by decision. `term` is None where nothing is known of such an item.
    """

    id: str
    term: Term | None
    revision: int
    found: Mapping[str, int]
    support: float
    due: int
    failed: int
    retired: int
    last_at: datetime | None
    wish: Wished | None
    taken_out: bool
    decided: Mapping[str, int]

    @property
    def references(self) -> int:
        """All references that are to be judged, or were."""
        return sum(self.found.values())

    @property
    def judged(self) -> int:
        """Those of which there is a stance, or a leaning to one."""
        stances = (*(stance.value for stance in Stance), "cant_tell")
        return sum(self.found.get(stance, 0) for stance in stances)

    @property
    def not_judged(self) -> Mapping[Outcome, int]:
        """Those that weren't judged, by why not, the most frequent first."""
        some = {outcome: self.found[outcome.value] for outcome in Outcome if outcome.value in self.found}
        return dict(sorted(some.items(), key=lambda each: -each[1]))

    @property
    def score(self) -> float | None:
        """See `models.score.score`; None where nothing was judged."""
        return score(self.support, self.judged)

    @property
    def coverage(self) -> float | None:
        """The share that was judged; None where there are no references."""
        return coverage(self.judged, self.references)

    @property
    def is_checked(self) -> bool:
        """Whether anything was found of any of its references."""
        return self.references > self.found.get("unchecked", 0)


@dataclass(frozen=True, slots=True)
class Point:
    """How an item stood at the end of a day, at a revision of its own (0: unknown): of `references` of which something
    had been found, `judged` were; `support` is the sum of their y.
    """

    at: datetime
    revision: int
    references: int
    judged: int
    support: float

    @property
    def score(self) -> float | None:
        """See `models.score.score`."""
        return score(self.support, self.judged)

    @property
    def coverage(self) -> float | None:
        """The share of the references that were judged."""
        return coverage(self.judged, self.references)


def item_view(session: Session, item_id: str) -> ItemView:
    """How an item stands; also of one that nothing is known of."""
    row = session.get(schema.Item, item_id, populate_existing=True)
    found: dict[str, int] = {}
    support, due, failed, retired = 0.0, 0, 0, 0
    last: datetime | None = None
    for finding, pairs, waiting, broken, gone, y, at in session.execute(text(_FOUND), {"item": item_id}):
        retired += gone
        if finding is not None:
            found[finding] = pairs
            support, due, failed = support + y, due + waiting, failed + broken
        last = max((each for each in (last, at) if each is not None), default=None)
    decided = session.execute(
        select(schema.Review.decision, func.count())
        .select_from(schema.Statement)
        .join(schema.Pair, schema.Pair.guid == schema.Statement.guid)
        .join(_NOW, (_NOW.pair_id == schema.Pair.id) & _NOW.current)
        .join(_THEN, _THEN.pair_id == _NOW.pair_id)
        .join(schema.Review, schema.Review.verdict_id == _THEN.id)
        .where(schema.Statement.item_id == item_id, schema.Review.undone_at.is_(None), holds_for(_THEN, _NOW))
        .group_by(schema.Review.decision)
    )
    return ItemView(
        id=item_id,
        term=term_of(row) if row is not None else None,
        revision=session.scalar(select(func.max(schema.Statement.revision)).where(schema.Statement.item_id == item_id))
        or 0,
        found={name: number for name, number in found.items() if number},
        support=support,
        due=due,
        failed=failed,
        retired=retired,
        last_at=last,
        wish=_wish(session, item_id),
        taken_out=bool(items_taken_out(session, [item_id])),
        decided={str(decision): int(number) for decision, number in decided},
    )


def statements(
    session: Session, item_id: str, after: tuple[str, str] | None = None, limit: int = 50
) -> tuple[list[Stated], tuple[str, str] | None]:
    """The statements of an item that have references which are judged, by property, and where the next page begins
    (None on the last).

    `after` is the property and the id of the last statement of the page before.
    """
    given = {"item": item_id, "limit": limit + 1, "number": 0, "property": "", "guid": ""}
    if after is not None:
        given |= {"number": _number(after[0]), "property": after[0], "guid": after[1]}
    guids = session.scalars(text(_PAGE), given).all()
    shown = guids[:limit]
    stated = _stated(session, shown)
    more = len(guids) > limit and stated
    return stated, (stated[-1].property.id, stated[-1].guid) if more else None


def history(session: Session, item_id: str, most: int = POINTS) -> list[Point]:
    """How the item stood at the end of each day (UTC) on which something else was found of it than before, and at each
    of its revisions on that day; the oldest first, `most` of the newest.
    """
    rows = session.execute(text(_HISTORY), {"item": item_id, "most": most}).all()
    return [Point(row.at, row.revision, row.pairs, row.judged, max(row.support, 0.0)) for row in reversed(rows)]


def _wish(session: Session, item_id: str) -> Wished | None:
    """The wish that waits, else the last that was taken up."""
    row = session.scalars(
        select(schema.Request)
        .where(schema.Request.item_id == item_id)
        .order_by(schema.Request.taken_at.is_(None).desc(), schema.Request.id.desc())
        .limit(1)
        .execution_options(populate_existing=True)
    ).first()
    return Wished(row.asked_by, row.asked_at, row.taken_at, row.said) if row is not None else None


def _stated(session: Session, guids: Sequence[str]) -> list[Stated]:
    rows = session.execute(
        select(schema.Statement, schema.Pair, schema.Verdict)
        .join(schema.Pair, schema.Pair.guid == schema.Statement.guid)
        .outerjoin(schema.Verdict, (schema.Verdict.pair_id == schema.Pair.id) & schema.Verdict.current)
        .where(schema.Statement.guid.in_(guids), schema.Pair.state != "retired")
        .order_by(schema.Pair.id)
        .execution_options(populate_existing=True)
    ).all()
    named = frozenset[str]().union(
        *(statement_ids(row.item_id, row.property_id, row.snak, row.qualifiers) for row, _, _ in rows)
    )
    term = load_terms(session, named)
    decisions = _decisions(session, [pair.id for _, pair, _ in rows])
    by_statement: dict[str, list[tuple[schema.Statement, schema.Pair, schema.Verdict | None]]] = defaultdict(list)
    for row, pair, verdict in rows:
        by_statement[row.guid].append((row, pair, verdict))
    found = []
    for guid in guids:
        if some := by_statement.get(guid):
            row = some[0][0]
            try:
                statement = build_statement(row, term)
            except MalformedValue:
                statement = None
            claim = next((verdict.claim for _, _, verdict in some if verdict is not None and verdict.claim), "")
            cited = tuple(_cited(pair, verdict, decisions.get(pair.id, ())) for _, pair, verdict in some)
            found.append(Stated(guid, term(row.property_id), statement, row.rank, claim, cited))
    return found


def _cited(pair: schema.Pair, verdict: schema.Verdict | None, decisions: Sequence[Decision]) -> Cited:
    return Cited(
        pair_id=pair.id,
        verdict_id=verdict.id if verdict else None,
        url=pair.urls[0]["url"] if pair.urls else "",
        domain=pair.domain,
        state=pair.state,
        why=pair.why,
        stance=Stance(verdict.stance) if verdict and verdict.stance else None,
        unsure=bool(verdict and verdict.unsure),
        probability=verdict.probability if verdict else None,
        outcome=Outcome(verdict.outcome) if verdict and verdict.outcome else None,
        detail=verdict.detail if verdict else "",
        reason=verdict.reason if verdict else "",
        judged_at=verdict.judged_at if verdict else None,
        stale=bool(verdict and verdict.stale),
        last_error=pair.last_error,
        next_at=pair.next_at,
        decisions=tuple(decisions),
    )


_THEN, _NOW = aliased(schema.Verdict, name="decided"), aliased(schema.Verdict, name="now")


def _decisions(session: Session, pair_ids: Sequence[int]) -> Mapping[int, list[Decision]]:
    """The decisions that hold, by pair, the newest first."""
    review = schema.Review
    rows = session.execute(
        select(_NOW.pair_id, review.reviewer, review.decision, review.decided_at)
        .join(_THEN, _THEN.id == review.verdict_id)
        .join(_NOW, (_NOW.pair_id == _THEN.pair_id) & _NOW.current)
        .where(_NOW.pair_id.in_(pair_ids), review.undone_at.is_(None), holds_for(_THEN, _NOW))
        .order_by(review.decided_at.desc(), review.id.desc())
    )
    found: dict[int, list[Decision]] = defaultdict(list)
    for pair_id, reviewer, decision, at in rows:
        found[pair_id].append(Decision(reviewer, decision, at))
    return found


def _number(property_id: str) -> int:
    return int(property_id[1:])


_FINDING = "coalesce(verdict.outcome, CASE WHEN verdict.unsure THEN 'cant_tell' ELSE verdict.stance END, 'unchecked')"
_FOUND = f"""
SELECT CASE WHEN pair.state <> 'retired' THEN {_FINDING} END AS finding, count(*) AS pairs,
  count(*) FILTER (WHERE pair.state IN ('waiting', 'leased', 'failed')) AS due,
  count(*) FILTER (WHERE pair.state = 'failed') AS failed,
  count(*) FILTER (WHERE pair.state = 'retired') AS retired,
  coalesce(sum(verdict.probability), 0) AS support, max(verdict.judged_at) AS last_at
FROM statement JOIN pair USING (guid) LEFT JOIN verdict ON verdict.pair_id = pair.id AND verdict.current
WHERE statement.item_id = :item
GROUP BY 1
"""  # noqa: S608 - all parts are ours
_PAGE = """
SELECT guid FROM statement
WHERE item_id = :item
  AND (CAST(substr(property_id, 2) AS bigint), property_id, guid) > (:number, :property, :guid)
  AND EXISTS (SELECT FROM pair WHERE pair.guid = statement.guid AND pair.state <> 'retired')
ORDER BY CAST(substr(property_id, 2) AS bigint), property_id, guid
LIMIT :limit
"""
# Each turn changes the sums by what it has more than the pair's turn before it.
_HISTORY = """
WITH turn AS (
  SELECT history.id, history.at, history.revision,
    CAST(verdict.id IS NOT NULL AS int) AS pairs,
    CAST(verdict.stance IS NOT NULL AS int) AS judged,
    coalesce(verdict.probability, 0) AS support,
    history.pair_id
  FROM statement JOIN pair USING (guid) JOIN history ON history.pair_id = pair.id
    LEFT JOIN verdict ON verdict.id = history.verdict_id
  WHERE statement.item_id = :item
), change AS (
  SELECT id, at, revision,
    pairs - lag(pairs, 1, 0) OVER before AS pairs,
    judged - lag(judged, 1, 0) OVER before AS judged,
    support - lag(support, 1, 0) OVER before AS support
  FROM turn WINDOW before AS (PARTITION BY pair_id ORDER BY id)
), stood AS (
  SELECT id, at, revision, sum(pairs) OVER so_far AS pairs, sum(judged) OVER so_far AS judged,
    sum(support) OVER so_far AS support
  FROM change WINDOW so_far AS (ORDER BY at, id)
)
SELECT at, revision, pairs, judged, support FROM (
  SELECT DISTINCT ON (CAST(at AT TIME ZONE 'UTC' AS date), revision) * FROM stood
  ORDER BY CAST(at AT TIME ZONE 'UTC' AS date), revision, at DESC, id DESC
) AS ends
ORDER BY at DESC, id DESC
LIMIT :most
"""
