"""A Wikidata JSON dump: one entity a line, plain or compressed, walked without being held in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from bot.problem import InputProblem
from bot.progress import Show, unseen
from bot.sources import Report
from bot.sources.entity import ENTITY_ID, Entity, MalformedEntity, check_entity, entity_terms
from bot.sources.formatter import PropertyFacts, property_facts
from bot.sources.heads import EntityHead, head_of
from bot.sources.lines import Line, TruncatedDump, read_lines
from models.statement import Term

REPORTED_LINES = 20


class _Name(msgspec.Struct):
    """Whose line it is."""

    id: str


class _Body(msgspec.Struct):
    """What of an entity pairs are selected from: no words, which are most of it."""

    id: Any = None
    lastrevid: Any = None
    datatype: Any = None
    claims: Any = msgspec.UNSET
    statements: Any = msgspec.UNSET


class DumpSource:
    """Walks a dump; malformed lines are reported by number and skipped, a truncated dump is said to be so at the end.

    `meter` shows how far a pass has come: called with a label and the bytes of the file, it gives a context manager
    that gives a function to be called with the bytes read since the last call.
    """

    def __init__(self, path: Path, languages: tuple[str, ...], report: Report, meter: Show = unseen) -> None:
        self._path, self._languages, self._report, self._meter = path, languages, report, meter
        self._facts: dict[str, PropertyFacts] = {}
        self._all_facts_known = False
        self._notes: Counter[str] = Counter()

    def check(self) -> None:
        """Look at the beginning of the file. Raises `InputProblem` where it can't be read or is no dump at all."""
        try:
            next(read_lines(self._path), None)
        except TruncatedDump as error:
            raise InputProblem(f"{self._path} breaks off before its first entity. Fetch the dump again.") from error

    @property
    def name(self) -> str:
        """What was asked for, in a few words."""
        return f"dump {self._path}"

    @property
    def notes(self) -> Mapping[str, int]:
        """Malformed lines and truncation, counted."""
        return dict(self._notes)

    @property
    def absent(self) -> frozenset[str]:
        """None: a dump may well be of a part only."""
        return frozenset()

    @property
    def wanted(self) -> None:
        """Every statement of a dump is asked for."""
        return None

    def entities(self) -> Iterator[Entity | EntityHead]:
        """Every readable entity. Raises `InputProblem` where the file can't be read or isn't a dump."""
        found, early = 0, list[str]()  # what is said of lines before the first entity waits: it may be no dump at all
        try:
            for line in self._lines("Reading the dump"):
                try:
                    entity = _walked(line.text)
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, MalformedEntity) as error:
                    self._malformed(line.number, error, self._report if found else early.append)
                    continue
                for told in early:
                    self._report(told)
                early.clear()
                found += 1
                if not isinstance(entity, EntityHead) and entity["id"].startswith("P"):
                    self._facts[entity["id"]] = property_facts(entity)
                yield entity
            self._all_facts_known = True
        except TruncatedDump as error:
            if not found and not early:
                raise InputProblem(f"{self._path} breaks off before its first entity. Fetch the dump again.") from error
            self._notes["truncated"] = 1
            if found:
                self._report(f"{self._path} is truncated: {error}. What could be read was walked; fetch it again.")
        malformed = self._notes["malformed_lines"]
        if malformed and not found:
            raise InputProblem(
                f"{self._path} isn't a Wikidata JSON dump: none of its lines holds an entity. "
                "A dump is a .json or .json.gz file with one entity a line."
            )
        if malformed > REPORTED_LINES:
            self._report(f"{self._path}: {malformed} malformed lines skipped in all.")

    def properties(self, ids: Collection[str]) -> Mapping[str, PropertyFacts]:
        """Facts of properties; where one hasn't been met yet, the whole dump is looked through for them once."""
        if not self._all_facts_known and any(name not in self._facts for name in ids):
            for entity in self._matching(lambda name: name.startswith("P")):
                self._facts[entity["id"]] = property_facts(entity)
            self._all_facts_known = True
        return {name: self._facts[name] for name in ids if name in self._facts}

    def terms(self, ids: Collection[str]) -> Iterator[Term]:
        """The words of ids, in one pass over the dump."""
        left = set(ids)
        lexemes = {name.split("-", 1)[0] for name in left if name.startswith("L")}
        if not left:
            return
        for entity in self._matching(lambda name: name in left or name in lexemes):
            for term in entity_terms(entity, self._languages):
                if term.id in left:
                    left.discard(term.id)
                    yield term
            if not left:
                return

    def _matching(self, wanted: Callable[[str], bool]) -> Iterator[Entity]:
        """The readable entities whose id is wanted; faults were or will be reported by `entities`."""
        decoder = msgspec.json.Decoder(_Name)
        try:
            for line in self._lines("Reading words"):
                try:
                    if wanted(decoder.decode(line.text).id):
                        yield check_entity(_decoded(line.text))
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, MalformedEntity):
                    continue
        except TruncatedDump:
            return

    def _lines(self, label: str) -> Iterator[Line]:
        with self._meter(label, self._path.stat().st_size if self._path.is_file() else 0) as progress:
            yield from read_lines(self._path, progress)

    def _malformed(self, number: int, error: Exception, report: Report) -> None:
        self._notes["malformed_lines"] += 1
        if self._notes["malformed_lines"] <= REPORTED_LINES:
            report(f"{self._path}: line {number} is malformed and was skipped: {error}")


_BODY = msgspec.json.Decoder(_Body)


def _walked(text: bytes) -> Entity | EntityHead:
    """What a walk needs of a line. Most lines cite no address, and are read no further than to know that."""
    head = head_of(text)
    if head is not None and ENTITY_ID.fullmatch(head.id) and not head.id.startswith("P") and not head.may_cite:
        return head
    body = _BODY.decode(text.replace(b"\\u0000", b""))
    return check_entity({name: value for name in _BODY_FIELDS if (value := getattr(body, name)) is not msgspec.UNSET})


_BODY_FIELDS = tuple(field.name for field in msgspec.structs.fields(_Body))


def _decoded(text: bytes) -> Any:
    """A line as JSON, without NUL characters, which nothing downstream can keep."""
    return msgspec.json.decode(text.replace(b"\\u0000", b""))
