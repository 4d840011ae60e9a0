"""What must hold after a run that had to survive: checks of the servers' logs, of the rows and of the archive.

Each gives its findings in words, one for each breach; an empty list is what is hoped for.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from fastwarc.warc import ArchiveIterator as FastIterator
from warcio.archiveiterator import ArchiveIterator

from bench.trouble.dump import Cited
from bench.trouble.hosts import JUDGED, Host
from bench.trouble.log import Asked, by_host
from models.outcome import Outcome

TOLERANCE_S = 0.05
"""How much a host's clock may be off: it notes a request when it gets to it, not when it came in."""

_READ = 1 << 20

CUT_OFF = frozenset({Outcome.UNREACHABLE, Outcome.TIMED_OUT, Outcome.MALFORMED_ANSWER})
"""What a page may end as while the network is cut, whatever it is."""


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time (epoch, seconds)."""

    begun: float
    ended: float

    def meets(self, other: Window) -> bool:
        """Whether both have some time in common."""
        return self.begun <= other.ended and other.begun <= self.ended


@dataclass(frozen=True, slots=True)
class Ended:
    """How a pair stands at the end: its state, and its verdicts as (stance, outcome), the current ones apart.

    `cut` says whether one of its pages failed to come while the network was cut.
    """

    state: str
    error: str
    current: tuple[tuple[str | None, str | None], ...]
    stances: int
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Settled:
    """A pair was judged (or not) and its lease ended: when, and when it is to be tried again (epoch, seconds)."""

    pair_id: int
    at: float
    state: str
    next_at: float | None


def robots_breaches(log: Sequence[Asked], hosts: Iterable[Host]) -> list[str]:
    """Requests for what a host's robots.txt forbids, and those made before it was known what that forbids."""
    rules = {host.name: host.rules for host in hosts}
    found = []
    for name, asked in by_host(log).items():
        known = [one.ended for one in asked if one.is_robots and one.whole]
        for one in asked:
            if one.is_robots or not one.path:
                continue
            if rules[name].forbids(one.path):
                found.append(f"{name} was asked for {one.path}, which its robots.txt forbids")
            elif not known or min(known) > one.begun + TOLERANCE_S:
                found.append(f"{name} was asked for {one.path} before it had given its robots.txt")
    return found


def pace_breaches(log: Sequence[Asked], hosts: Iterable[Host], delay_s: float) -> list[str]:
    """Requests that a host got too soon: before the last had ended, within its delay, or while it asked for rest.

    `delay_s` is what lies at least between the end of a request and the next. A host's own wish may be longer.
    """
    rules = {host.name: host.rules for host in hosts}
    return [
        said
        for name, asked in by_host(log).items()
        for said in _too_soon(name, asked, max(delay_s, rules[name].delay_s))
    ]


def _too_soon(name: str, asked: Sequence[Asked], delay_s: float) -> Iterator[str]:
    rest = 0.0
    for one, after in pairwise(asked):
        rest = max(rest, one.rest_until)
        pause = after.begun - one.ended
        if pause < delay_s - TOLERANCE_S:
            yield (
                f"{name} was asked for {after.path or 'nothing'} {pause:.3f} s after {one.path or 'nothing'}, "
                f"where {delay_s:g} s belong"
            )
        elif after.begun < rest - TOLERANCE_S:
            yield f"{name} was asked for {after.path} {rest - after.begun:.3f} s before its Retry-After had passed"


def lost(cited: Sequence[Cited], ended: Mapping[tuple[str, str], Ended]) -> list[str]:
    """Pairs that are nowhere, have not come to an end, or whose end has no verdict."""
    found = []
    for one in cited:
        end = ended.get((one.guid, one.ref_hash))
        if end is None:
            found.append(f"{one.guid} with {one.ref_hash}: not there")
        elif end.state not in ("judged", "not_judged"):
            found.append(f"{one.guid} with {one.ref_hash}: {end.state} {end.error}".rstrip())
        elif len(end.current) != 1 or (end.current[0][0] is not None) != (end.state == "judged"):
            found.append(f"{one.guid} with {one.ref_hash}: {end.state}, with the verdicts {end.current}")
    return found


def dishonest(cited: Sequence[Cited], ended: Mapping[tuple[str, str], Ended]) -> list[str]:
    """Pairs that ended as their pages can't have made them end, the cuts of the network taken into account."""
    found = []
    for one in cited:
        end = ended.get((one.guid, one.ref_hash))
        if end is None or len(end.current) != 1:
            continue
        stance, outcome = end.current[0]
        had = JUDGED if stance is not None else Outcome(outcome or "")
        may = one.ends
        if end.cut:
            may = may.union(CUT_OFF, *(page.host.ends(page.path) for page in one.pages))
        if had not in may:
            told = " or ".join(sorted(str(getattr(each, "value", each)) for each in one.ends))
            addresses = " ".join(page.host.name + page.path for page in one.pages)
            found.append(f"{addresses}: {getattr(had, 'value', had)}, where {told} was to come")
    return found


def doubled(settled: Sequence[Settled], ended: Mapping[tuple[str, str], Ended]) -> list[str]:
    """Pairs that were judged twice, or tried again before it was time to."""
    ways: dict[int, list[Settled]] = {}
    for one in sorted(settled, key=lambda one: one.at):
        ways.setdefault(one.pair_id, []).append(one)
    found = []
    for pair_id, way in ways.items():
        for one, after in pairwise(way):
            if one.state == "judged" or one.next_at is None or after.at < one.next_at:
                found.append(f"pair {pair_id} was settled as {one.state} and again as {after.state}")
    found += [
        f"{guid} with {hash_} has {end.stances} stances" for (guid, hash_), end in ended.items() if end.stances > 1
    ]
    return found


def unreadable_warcs(folder: Path) -> list[str]:
    """WARC files that a reader can't read to their end, or in which two readers don't find the same."""
    found = []
    for path in sorted(folder.rglob("*.warc.gz")):
        try:
            members, slow, fast = _members(path), _by_warcio(path), _by_fastwarc(path)
        except Exception as error:
            found.append(f"{path.name}: {type(error).__name__}: {ascii(str(error))[:120]}")
            continue
        if slow != fast or len(slow) != members:
            found.append(f"{path.name}: {members} members, {len(slow)} records by warcio, {len(fast)} by fastwarc")
    return found


def _members(path: Path) -> int:
    """How many gzip members a file is made of. Raises where one is damaged, or the last one cut off."""
    members = 0
    with path.open("rb") as file:
        rest = file.read(_READ)
        while rest:
            unpacker = zlib.decompressobj(31)
            while rest and not unpacker.eof:
                unpacker.decompress(rest)
                rest = unpacker.unused_data if unpacker.eof else file.read(_READ)
            if not unpacker.eof:
                raise ValueError(f"member {members + 1} is cut off")
            members += 1
            rest = rest or file.read(_READ)
    return members


def _by_warcio(path: Path) -> list[tuple[str, str]]:
    """Type and id of every record; each is read to its end, and its digests are compared. Raises what goes wrong."""
    records: list[tuple[str, str]] = []
    with path.open("rb") as file:
        for record in ArchiveIterator(file, check_digests="raise"):
            length = int(record.rec_headers.get_header("Content-Length"))
            held = len(record.raw_stream.read())
            head = len(record.http_headers.to_bytes()) if record.http_headers is not None else 0
            if held == 0 and length > head:
                raise ValueError(f"record {len(records) + 1} is cut off")
            records.append((str(record.rec_type), str(record.rec_headers.get_header("WARC-Record-ID"))))
    return records


def _by_fastwarc(path: Path) -> list[tuple[str, str]]:
    """Type and id of every record; each is read to its end. Raises what goes wrong."""
    records: list[tuple[str, str]] = []
    with path.open("rb") as file:
        for record in FastIterator(file, parse_http=False):
            held = len(record.reader.read())
            if held != record.content_length:
                raise ValueError(f"record {len(records) + 1} has {held} bytes of {record.content_length}")
            records.append((str(record.headers.get("WARC-Type")), str(record.headers.get("WARC-Record-ID"))))
    return records
