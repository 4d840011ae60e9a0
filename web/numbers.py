"""Counts that the pages show beside their lists, and the accounts of a run: tables whose rows add up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask_babel import gettext, lazy_gettext
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from models.evidence import Stance
from models.outcome import Outcome
from store import schema
from store.filters import CANT_TELL
from web.words import outcome_label, page_stance, skipped


def evidence_counts(session: Session, verdict_ids: Iterable[int]) -> Mapping[int, int]:
    """How many passages each verdict rests on; verdicts with none are left out."""
    row = schema.EvidenceRow
    counted = session.execute(
        select(row.verdict_id, func.count()).where(row.verdict_id.in_(list(verdict_ids))).group_by(row.verdict_id)
    )
    return {row[0]: row[1] for row in counted}


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of an account: what was counted, and how many of them. `parts` say what it is made of, and add up to it."""

    words: str
    number: int
    parts: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class RunAccount:
    """What a run counted. The entries of each of the three add up to its total.

    `met`: the references of the statements that it walked over, selected to be judged or left out. `selected`: what
    became of those. `handled`: what its worker dealt with. `queued` of the selected waited to be judged because of it.
    `seen` is what else it counted. `walked`: whether it walked over a source at all.
    """

    walked: bool
    met: tuple[Entry, ...]
    selected: tuple[Entry, ...]
    handled: tuple[Entry, ...]
    queued: int
    seen: tuple[Entry, ...]

    @property
    def all_met(self) -> int:
        """The references that it met."""
        return _sum(self.met)

    @property
    def all_selected(self) -> int:
        """Those that it selected to be judged."""
        return _sum(self.selected)

    @property
    def all_handled(self) -> int:
        """What its worker dealt with, a pair that failed and was tried again each time."""
        return _sum(self.handled)


_SELECTED = {
    "new": lazy_gettext("New"),
    "changed": lazy_gettext("Their statement or address has changed"),
    "reworded": lazy_gettext("Their statement reads otherwise now"),
    "another_model": lazy_gettext("Another model had judged them"),
    "retried": lazy_gettext("Due for a further try"),
    "old": lazy_gettext("Judged long ago"),
    "returned": lazy_gettext("They had been removed, and are back"),
    "other_bodies": lazy_gettext("Their page is another one now"),
}
_SEEN = {
    "entities": lazy_gettext("Items and lexemes"),
    "statements": lazy_gettext("Statements"),
    "retired": lazy_gettext("References that aren’t there any more, or aren’t judged now"),
    "malformed_lines": lazy_gettext("Malformed lines"),
    "truncated": lazy_gettext("Premature ends"),
    "missing_entities": lazy_gettext("Items that don’t exist"),
    "redirects": lazy_gettext("Redirects followed"),
}
_OTHERS = {"pairs", "unchanged", "judged", "not_judged", "failed", "lost", "stances", "outcomes"}


def run_account(counts: Mapping[str, Any], left_out: Mapping[str, Any]) -> RunAccount:
    """The accounts of a run by `run.counts` and `run.skipped`.

    Where what was recorded doesn't add up by itself, as of runs that were killed, an entry of its own says so.
    """
    pairs, walked = _number(counts, "pairs"), "pairs" in counts
    out = sorted(((skipped(reason), _plain(number)) for reason, number in left_out.items()), key=lambda one: -one[1])
    met = (
        Entry(gettext("Selected to be judged"), pairs),
        *(Entry(words, number) for words, number in out if number),
    )
    selected = _selected(counts, pairs)
    return RunAccount(
        walked,
        met if walked or out else (),
        selected if walked else (),
        _handled(counts),
        sum(_number(counts, name) for name in _SELECTED),
        tuple(_seen(counts)),
    )


def _selected(counts: Mapping[str, Any], pairs: int) -> tuple[Entry, ...]:
    entries = [Entry(str(words), _number(counts, name)) for name, words in _SELECTED.items()]
    unchanged = max(_number(counts, "unchanged") - _number(counts, "other_bodies"), 0)
    entries.append(Entry(gettext("As before: nothing to judge anew, or they waited already"), unchanged))
    rest = pairs - _sum(entries)
    entries.append(Entry(gettext("Not recorded: met twice, taken out on request, or the walk ended before"), rest))
    return tuple(entry for entry in entries if entry.number)


def _handled(counts: Mapping[str, Any]) -> tuple[Entry, ...]:
    stances, outcomes = counts.get("stances") or {}, counts.get("outcomes") or {}
    judged = [
        Entry(str(page_stance(stance).words), _number(stances, stance))
        for stance in (*(each.value for each in Stance), CANT_TELL)
    ]
    not_judged = [Entry(str(outcome_label(each.value)), _number(outcomes, each.value)) for each in Outcome]
    entries = (
        _whole(gettext("Judged"), _number(counts, "judged"), judged),
        _whole(gettext("Not judged"), _number(counts, "not_judged"), not_judged),
        Entry(gettext("An attempt failed; they are tried again later"), _number(counts, "failed")),
        Entry(gettext("Taken over by another worker meanwhile"), _number(counts, "lost")),
    )
    return tuple(entry for place, entry in enumerate(entries) if entry.number or place < 2)


def _whole(words: str, number: int, parts: Sequence[Entry]) -> Entry:
    """An entry with its parts; where they are more than the whole that was recorded, the whole is theirs."""
    some = [part for part in parts if part.number]
    number = max(number, _sum(some))
    rest = number - _sum(some)
    if some and rest:
        some.append(Entry(gettext("Without a record of what was found"), rest))
    return Entry(words, number, tuple(some))


def _seen(counts: Mapping[str, Any]) -> Iterator[Entry]:
    for name, words in _SEEN.items():
        if name in counts and (_number(counts, name) or name in ("entities", "statements")):
            yield Entry(str(words), _number(counts, name))
    known = _SEEN.keys() | _SELECTED.keys() | _OTHERS
    for name in sorted(counts.keys() - known):
        if number := _number(counts, name):
            yield Entry(name.replace("_", " ").capitalize(), number)


def seconds_of(started: datetime, ended: datetime | None, seen: datetime) -> float:
    """How long a run took by the clock, up to now as its worker was heard of last where it goes on."""
    return max(((ended or seen) - started).total_seconds(), 0.0)


def machine(worker: str) -> str:
    """A worker's name for a person: the machine's name and the process."""
    host, _, rest = worker.partition("/")
    return f"{host}:{rest.split(':')[1]}" if rest.count(":") >= 2 else worker


def _sum(entries: Iterable[Entry]) -> int:
    return sum(entry.number for entry in entries)


def _number(counts: Mapping[str, Any], name: str) -> int:
    return _plain(counts.get(name))


def _plain(number: Any) -> int:
    return number if isinstance(number, int) else 0
