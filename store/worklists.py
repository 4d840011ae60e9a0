"""Worklists: items that somebody wants to go through together, from a list of ids, a PagePile or a query.

A person writes the source; a worker resolves it into items and asks for those that Citewell hasn't met. What one of
a killed worker left undone is taken up again by another. A list that is removed stays, and can be restored.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, cast
from urllib.parse import parse_qs, urlsplit

from sqlalchemy import ColumnElement, Select, case, func, insert, or_, select, text, update
from sqlalchemy.orm import Session, aliased

from models.statement import Term
from models.verbalise import Complaint
from store import schema
from store.pasted import read_pasted
from store.requests import ask_all
from store.reviews import holds_for
from store.taken_out import items_taken_out
from store.terms import load_terms

MOST_ITEMS = 10_000
MOST_TRIES = 4
LONGEST_NAME = 200
LONGEST_SOURCE = 500_000  # characters: ten thousand addresses of items
LONGEST_QUERY = 20_000
_DIED = "its worker died over it %(tries)s times"
_OPEN = ("waiting", "resolving")
_PILE = re.compile(r"[1-9][0-9]{0,11}")
_SELECTS = re.compile(r"\bselect\b", re.IGNORECASE)

Kind = Literal["items", "pagepile", "sparql"]
State = Literal["waiting", "resolving", "ready", "failed"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a list is: its items, then their pairs.

    Of the `items`, statements of `known` were walked (`with_pairs`: that have pairs now), and `asked` wait for it. Of
    the `pairs`, `waiting` have no verdict yet. `decided`: a decision stands; `open` are those that nobody decided about
    of what the list of references has: the judged ones, and those whose page isn't where the reference says.
    """

    items: int = 0
    known: int = 0
    asked: int = 0
    with_pairs: int = 0
    pairs: int = 0
    judged: int = 0
    not_judged: int = 0
    waiting: int = 0
    decided: int = 0
    open: int = 0

    @property
    def to_review(self) -> int:
        """What there is to review, reviewed or not."""
        return self.decided + self.open

    @property
    def share(self) -> float:
        """How much of it is reviewed, from 0 to 1; 0 where there is nothing."""
        return self.decided / self.to_review if self.to_review else 0.0


@dataclass(frozen=True, slots=True)
class Worklist:
    """A list as it stands. `source` is what was pasted, a PagePile's number, or a query, by `kind`.

    `resolved_at` None: it has no items yet. `error`: why it failed, or (while it waits) why it is tried again at
    `next_at`. `said` is what the worker says of it.
    """

    id: int
    name: str
    kind: Kind
    source: str
    made_by: str
    made_at: datetime
    state: State
    tries: int
    next_at: datetime
    resolved_at: datetime | None
    error: str | None
    said: str
    removed_at: datetime | None
    removed_by: str | None
    progress: Progress = Progress()

    @property
    def open(self) -> bool:
        """Whether it is still to be resolved."""
        return self.removed_at is None and self.state in _OPEN


@dataclass(frozen=True, slots=True)
class Listed:
    """An item at its place in a list: how many references of it there are to judge, and how many have a verdict.

    `known`: statements of it were walked; `asked`: it waits for that.
    """

    position: int
    item: Term
    known: bool
    asked: bool
    references: int
    looked_at: int


class WorklistRefused(Exception):
    """A list that can't be made: a complaint for each field that is wrong (`name`, `kind` or `source`)."""

    def __init__(self, complaints: Mapping[str, Complaint]) -> None:
        super().__init__("; ".join(complaints.values()))
        self.complaints = complaints


def make(session: Session, name: str, kind: str, source: str, made_by: str) -> int:
    """Write a list for a worker to resolve; its number. Raises `WorklistRefused`."""
    name, made_by = " ".join(_printed(name).split()), made_by.strip()
    read = _READ.get(kind)
    given = read(_printed(source).strip()) if read else Complaint("Choose where the items come from.")
    complaints: dict[str, Complaint] = {}
    if not name:
        complaints["name"] = Complaint("Give the list a name.")
    elif len(name) > LONGEST_NAME:
        complaints["name"] = Complaint("A name has %(most)s characters at most.", most=LONGEST_NAME)
    if isinstance(given, Complaint):
        complaints["source" if read else "kind"] = given
    if not made_by:
        complaints["name"] = Complaint("Say who you are: a list keeps who made it.")
    if complaints:
        raise WorklistRefused(complaints)
    row = schema.Worklist(name=name, kind=kind, source=str(given), made_by=made_by)
    session.add(row)
    session.flush()
    return row.id


def name_of(session: Session, worklist_id: int) -> str | None:
    """What a list is called, also one that was removed; None where there is none such."""
    return session.scalar(select(schema.Worklist.name).where(schema.Worklist.id == worklist_id))


def is_in(worklist_id: int) -> ColumnElement[bool]:
    """In SQL, over `schema.Statement`: its item is in the list."""
    item = schema.WorklistItem
    return schema.Statement.item_id.in_(select(item.item_id).where(item.worklist_id == worklist_id))


def worklists(session: Session, most: int, before: int | None = None, *, removed: bool = False) -> tuple[Worklist, ...]:
    """The newest lists with their progress, up to `most`, those with smaller numbers than `before`."""
    row = schema.Worklist
    chosen = select(row.id).where(row.removed_at.is_not(None) if removed else row.removed_at.is_(None))
    if before is not None:
        chosen = chosen.where(row.id < before)
    return _with_progress(session, chosen.order_by(row.id.desc()).limit(most))


def worklist(session: Session, worklist_id: int) -> Worklist | None:
    """One list with its progress; None where there is none such."""
    found = _with_progress(session, select(schema.Worklist.id).where(schema.Worklist.id == worklist_id))
    return found[0] if found else None


def items_of(session: Session, worklist_id: int, most: int, after: int = 0) -> tuple[Listed, ...]:
    """The items of a list in its order, up to `most`, those after the place `after`."""
    rows = session.execute(text(_ITEMS_OF), {"id": worklist_id, "after": after, "most": most}).all()
    term = load_terms(session, {row.item_id for row in rows})
    return tuple(
        Listed(row.position, term(row.item_id), row.known, row.asked, row.references_, row.looked_at) for row in rows
    )


def is_heard(session: Session) -> bool:
    """Whether a worker that resolves lists was heard of in the last five minutes."""
    return bool(session.scalar(_HEARD))


def remove(session: Session, worklist_id: int, removed_by: str) -> bool:
    """Put a list away; False where it isn't there, or is away already."""
    return _changed(
        session,
        worklist_id,
        schema.Worklist.removed_at.is_(None),
        removed_at=func.clock_timestamp(),
        removed_by=removed_by,
    )


def restore(session: Session, worklist_id: int) -> bool:
    """Bring a list back; False where it wasn't away."""
    away = schema.Worklist.removed_at.is_not(None)
    return _changed(session, worklist_id, away, removed_at=None, removed_by=None)


def again(session: Session, worklist_id: int) -> bool:
    """Have a list resolved anew from its source, now; until that is done it keeps its items.

    False where it isn't there, is away, or is being resolved at this moment.
    """
    still = (schema.Worklist.state != "resolving") & schema.Worklist.removed_at.is_(None)
    return _changed(session, worklist_id, still, state="waiting", tries=0, next_at=func.now(), error=None)


def any_waiting(session: Session) -> bool:
    """Whether a list is to be resolved now, or was left by a worker."""
    return session.scalar(select(schema.Worklist.id).where(_left()).limit(1)) is not None


def takers(session: Session) -> list[str]:
    """The workers that have lists in hand."""
    found = session.scalars(select(schema.Worklist.taken_by).where(schema.Worklist.state == "resolving").distinct())
    return [name for name in found if name]


def take(session: Session, worker: str, seconds: int, dead: Collection[str] = ()) -> Worklist | None:
    """The list that waits longest, for `seconds`; also one whose worker is `dead` or let its time run out. None: none.

    One that workers died over too often ends as failed.
    """
    while True:
        row = session.scalars(
            select(schema.Worklist)
            .where(or_(_left(), _is_open() & schema.Worklist.taken_by.in_(list(dead))))
            .order_by(schema.Worklist.next_at, schema.Worklist.id)
            .limit(1)
            .with_for_update(skip_locked=True)
            .execution_options(populate_existing=True)
        ).first()
        if row is None:
            return None
        if row.state == "waiting" or row.tries < MOST_TRIES:
            break
        row.state, row.taken_by, row.leased_until = "failed", None, None
        row.error = str(Complaint(_DIED, tries=row.tries))
        session.flush()
    row.leased_until = session.scalar(select(func.clock_timestamp() + timedelta(seconds=seconds)))
    row.state, row.taken_by = "resolving", worker
    row.tries += 1
    session.flush()
    return _worklist(row)


def hold(session: Session, worklist_id: int, worker: str, seconds: int) -> bool:
    """Keep a list for `seconds` more; False where it isn't ours any more."""
    until = func.clock_timestamp() + timedelta(seconds=seconds)
    return _changed(session, worklist_id, _ours(worker), leased_until=until)


def fill(session: Session, worklist_id: int, worker: str, item_ids: Sequence[str], said: str = "") -> bool:
    """Put a list's items in the place of those that it had, and ask for those of them that were never walked.

    They are asked for by the list's maker; what was taken out on request isn't. Items beyond `MOST_ITEMS` are left
    out. False where the list isn't ours any more.
    """
    ready = {"state": "ready", "resolved_at": func.clock_timestamp(), "said": _printed(said), "error": None}
    if not _changed(session, worklist_id, _ours(worker), **ready, **_UNTAKEN):
        return False
    ids = list(dict.fromkeys(item_ids))[:MOST_ITEMS]
    session.execute(text(_CLEAR), {"id": worklist_id})
    if ids:
        session.execute(
            insert(schema.WorklistItem),
            [{"worklist_id": worklist_id, "item_id": name, "position": at} for at, name in enumerate(ids, start=1)],
        )
    unknown = list(session.scalars(text(_UNKNOWN), {"id": worklist_id}))
    out = items_taken_out(session, unknown)
    made_by = session.scalars(select(schema.Worklist.made_by).where(schema.Worklist.id == worklist_id)).one()
    ask_all(session, [name for name in unknown if name not in out], made_by)
    return True


def fail(session: Session, worklist_id: int, worker: str, error: str) -> bool:
    """It can't be resolved, and why; the items that it had stay. False where it isn't ours any more."""
    values = {"state": "failed", "error": _printed(error) or "no reason given"}
    return _changed(session, worklist_id, _ours(worker), **values, **_UNTAKEN)


def put_off(session: Session, worklist_id: int, worker: str, error: str, seconds: float) -> bool:
    """Let it wait for another try in so many seconds, and say why. False where it isn't ours any more."""
    values = {
        "state": "waiting",
        "error": _printed(error),
        "next_at": func.clock_timestamp() + timedelta(seconds=seconds),
    }
    return _changed(session, worklist_id, _ours(worker), **values, **_UNTAKEN)


def give_back(session: Session, worklist_id: int, worker: str) -> None:
    """Let it wait for another worker, as if it hadn't been taken up."""
    _changed(session, worklist_id, _ours(worker), state="waiting", tries=schema.Worklist.tries - 1, **_UNTAKEN)


_UNTAKEN: dict[str, Any] = {"taken_by": None, "leased_until": None}

_HEARD = text("""
SELECT EXISTS (SELECT FROM run WHERE state = 'running' AND source = 'what waits' AND seen_at > now() - interval '5 min')
""")

_CLEAR = "DELETE FROM worklist_item WHERE worklist_id = :id"

_ITEMS_OF = """
SELECT position, item_id, references_, looked_at,
  EXISTS (SELECT FROM statement WHERE statement.item_id = listed.item_id) AS known,
  EXISTS (SELECT FROM request WHERE request.item_id = listed.item_id AND taken_at IS NULL) AS asked
FROM worklist_item AS listed, LATERAL (
  SELECT count(*) AS references_, count(verdict.id) AS looked_at
  FROM statement JOIN pair ON pair.guid = statement.guid AND pair.state <> 'retired'
    LEFT JOIN verdict ON verdict.pair_id = pair.id AND verdict.current
  WHERE statement.item_id = listed.item_id) AS counted
WHERE worklist_id = :id AND position > :after ORDER BY position LIMIT :most
"""

_UNKNOWN = """
SELECT item_id FROM worklist_item
WHERE worklist_id = :id AND NOT EXISTS (SELECT FROM statement WHERE statement.item_id = worklist_item.item_id)
ORDER BY position
"""


def _printed(given: str) -> str:
    """A text without control characters and halves of others, which PostgreSQL or a page couldn't take; lines stay."""
    given = given.encode("utf-8", "replace").decode()
    return "".join(
        character for character in given if character in "\n\t" or not (ord(character) < 0x20 or character == "\x7f")
    )


def _ids(source: str) -> str | Complaint:
    if not source:
        return Complaint("Paste the ids of the items.")
    if len(source) > LONGEST_SOURCE:
        return Complaint("That is too much text: %(most)s characters at most.", most=LONGEST_SOURCE)
    if not read_pasted(source).ids:
        return Complaint(
            "No id of an item is in there. They look like Q42, or like an address of Wikidata that has it."
        )
    return source


def _pile(source: str) -> str | Complaint:
    """The number of a PagePile, or an address of its that has it."""
    number = source
    if source.startswith(("http://", "https://")):
        try:
            number = parse_qs(urlsplit(source).query).get("id", [""])[-1]
        except ValueError:
            number = ""
    if not _PILE.fullmatch(number):
        return Complaint("Give the number of a PagePile, like 12345.")
    return number


def _query(source: str) -> str | Complaint:
    if not source:
        return Complaint("Write a SPARQL query that selects items.")
    if len(source) > LONGEST_QUERY:
        return Complaint("That is too much text: %(most)s characters at most.", most=LONGEST_QUERY)
    if not _SELECTS.search(source):
        return Complaint("Only a SELECT query gives a list of items.")
    return source


_READ = {"items": _ids, "pagepile": _pile, "sparql": _query}


def _is_open() -> ColumnElement[bool]:
    # As the index `ix_worklist_open` has it.
    return schema.Worklist.state.in_(_OPEN) & schema.Worklist.removed_at.is_(None)


def _left() -> ColumnElement[bool]:
    """What a worker may take up: what waits and is due, and what another has let its time run out of."""
    row = schema.Worklist
    due = (row.state == "waiting") & (row.next_at <= func.now())
    return _is_open() & or_(due, (row.state == "resolving") & (row.leased_until <= func.now()))


def _ours(worker: str) -> ColumnElement[bool]:
    return (schema.Worklist.state == "resolving") & (schema.Worklist.taken_by == worker)


def _changed(session: Session, worklist_id: int, where: ColumnElement[bool], **values: Any) -> bool:
    row = schema.Worklist
    changed = update(row).where(row.id == worklist_id, where).values(**values).returning(row.id)
    return session.scalar(changed.execution_options(synchronize_session=False)) is not None


def _with_progress(session: Session, chosen: Select[Any]) -> tuple[Worklist, ...]:
    """Lists with how far they are, the newest first, by one query."""
    lists = chosen.cte("lists")
    items, pairs = _of_items(lists), _of_pairs(lists)
    counted = [*(column for column in items.c if column.name != "id"), *(each for each in pairs.c if each.name != "id")]
    rows = session.execute(
        select(schema.Worklist, *(func.coalesce(column, 0).label(column.name) for column in counted))
        .join(lists, lists.c.id == schema.Worklist.id)
        .outerjoin(items, items.c.id == schema.Worklist.id)
        .outerjoin(pairs, pairs.c.id == schema.Worklist.id)
        .order_by(schema.Worklist.id.desc())
        .execution_options(populate_existing=True)
    ).all()
    return tuple(
        _worklist(row[0], Progress(**{column.name: int(row._mapping[column.name]) for column in counted}))
        for row in rows
    )


def _of_items(lists: Any) -> Any:
    """The items of each list: all, those whose statements were walked, and those that wait for that."""
    listed, wish = schema.WorklistItem, schema.Request
    known = select(schema.Statement.guid).where(schema.Statement.item_id == listed.item_id).correlate(listed).exists()
    asked = select(wish.id).where(wish.item_id == listed.item_id, wish.taken_at.is_(None)).correlate(listed).exists()
    return (
        select(
            listed.worklist_id.label("id"),
            func.count().label("items"),
            func.count(case((known, 1))).label("known"),
            func.count(case((~known & asked, 1))).label("asked"),
        )
        .join(lists, lists.c.id == listed.worklist_id)
        .group_by(listed.worklist_id)
        .subquery("of_items")
    )


def _of_pairs(lists: Any) -> Any:
    """The pairs of each list's items: what was found of them, and whether somebody's decision holds for that."""
    listed, pair, now, about = schema.WorklistItem, schema.Pair, aliased(schema.Verdict), aliased(schema.Verdict)
    found = (
        select(
            listed.worklist_id,
            listed.item_id,
            pair.id.label("pair_id"),
            now.id.label("verdict_id"),
            now.stance,
            now.outcome,
        )
        .join(lists, lists.c.id == listed.worklist_id)
        .join(schema.Statement, schema.Statement.item_id == listed.item_id)
        .join(pair, (pair.guid == schema.Statement.guid) & (pair.state != "retired"))
        .outerjoin(now, (now.pair_id == pair.id) & now.current)
        .cte("found")
    )
    decided = (
        select(now.pair_id)
        .join(about, about.pair_id == now.pair_id)
        .join(schema.Review, schema.Review.verdict_id == about.id)
        .where(
            now.current,
            now.pair_id.in_(select(found.c.pair_id)),
            schema.Review.undone_at.is_(None),
            holds_for(about, now),
        )
        .distinct()
        .cte("decided")
    )
    is_decided, is_judged = decided.c.pair_id.is_not(None), found.c.stance.is_not(None)
    is_listed = is_judged | found.c.outcome.in_(schema.FINDINGS)
    has_verdict = found.c.verdict_id.is_not(None)
    return (
        select(
            found.c.worklist_id.label("id"),
            func.count(found.c.item_id.distinct()).label("with_pairs"),
            func.count().label("pairs"),
            func.count(case((is_judged, 1))).label("judged"),
            func.count(case((has_verdict & ~is_judged, 1))).label("not_judged"),
            func.count(case((~has_verdict, 1))).label("waiting"),
            func.count(case((is_decided, 1))).label("decided"),
            func.count(case((is_listed & ~is_decided, 1))).label("open"),
        )
        .outerjoin(decided, decided.c.pair_id == found.c.pair_id)
        .group_by(found.c.worklist_id)
        .subquery("of_pairs")
    )


def _worklist(row: schema.Worklist, progress: Progress = Progress()) -> Worklist:
    return Worklist(
        id=row.id,
        name=row.name,
        kind=cast(Kind, row.kind),
        source=row.source,
        made_by=row.made_by,
        made_at=row.made_at,
        state=cast(State, row.state),
        tries=row.tries,
        next_at=row.next_at,
        resolved_at=row.resolved_at,
        error=row.error,
        said=row.said,
        removed_at=row.removed_at,
        removed_by=row.removed_by,
        progress=progress,
    )
