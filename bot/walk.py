"""A walk over a source: pairs are selected, the words they need are gathered, and both are written as rows."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import BinaryIO, TypeVar

import msgspec
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from bot.chunks import chunks
from bot.patience import Patience
from bot.progress import Show, unseen
from bot.pulse import Pulse
from bot.select import Selection, Skipped, passed_over, select, untyped_properties, with_addresses
from bot.sources import Source
from bot.sources.entity import Entity
from bot.sources.formatter import PropertyFacts
from bot.sources.heads import EntityHead
from models.statement import SourceUrl
from store.walk import SelectedPair, WalkCounts, WalkedItem, put_pairs, put_terms, retire

CHUNK = 500
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Walked:
    """What a walk found. `addresses` holds the addresses of each pair, where they were asked for."""

    entities: int = 0
    statements: int = 0
    pairs: int = 0
    skipped: Mapping[Skipped, int] = field(default_factory=dict)
    notes: Mapping[str, int] = field(default_factory=dict)
    counts: WalkCounts = field(default_factory=WalkCounts)
    addresses: frozenset[tuple[SourceUrl, ...]] = frozenset()


@dataclass(frozen=True, slots=True)
class Walk:
    """How to walk: `limit` pairs at most (None: all), without the properties in `skip`, until `stopped` says so.

    What was judged longer ago than `older_than` (None: however long ago) is judged again.
    """

    skip: Collection[str]
    limit: int | None = None
    stopped: Callable[[], bool] = lambda: False
    keep_addresses: bool = False
    older_than: timedelta | None = None
    show: Show = unseen
    patience: Patience = field(default_factory=lambda: Patience(0.0))
    pulse: Pulse = field(default_factory=Pulse)

    def over(self, source: Source, engine: Engine, run_id: int, model_version: str) -> Walked:
        """Walk the source. Words are written before the pairs that need them, so that no worker meets half of it.

        Pairs wait on the disk meanwhile: a dump is walked twice, once for pairs and once for words. Pairs that the
        source doesn't have any more retire. Raises `bot.patience.DatabaseAway`.
        """
        with _spool() as spool:
            found, needed, identifiers, retired = self._select(source, spool, engine)
            if not self.stopped():
                absent = [WalkedItem(identifier, 0, frozenset()) for identifier in sorted(source.absent)]
                retired += self._written(engine, lambda session: retire(session, absent))
            for terms in chunks(source.terms(needed) if not self.stopped() else (), CHUNK):
                self._written(engine, partial(put_terms, terms=terms))
            counts, addresses = WalkCounts(retired=retired), set[tuple[SourceUrl, ...]]()
            facts = source.properties(identifiers) if not self.stopped() else {}
            with self.show("Queueing", found.pairs) as more:
                for pairs in chunks((with_addresses(pair, facts) for pair in _unspooled(spool)), CHUNK):
                    if self.stopped():
                        break
                    put = partial(
                        put_pairs, run_id=run_id, rows=pairs, model_version=model_version, older_than=self.older_than
                    )
                    counts += self._written(engine, put)
                    addresses |= {pair.urls for pair in pairs} if self.keep_addresses else set()
                    more(len(pairs))
        return Walked(
            found.entities, found.statements, found.pairs, found.skipped, source.notes, counts, frozenset(addresses)
        )

    def _written(self, engine: Engine, write: Callable[[Session], T]) -> T:
        """What `write` gives, in a transaction of its own that is begun anew when the database was away."""

        def once() -> T:
            with Session(engine) as session, session.begin():
                return write(session)

        written = self.patience.keep(once)
        self.pulse.beat()
        return written

    def _select(self, source: Source, spool: BinaryIO, engine: Engine) -> tuple[Walked, set[str], set[str], int]:
        entities = statements = kept = retired = 0
        seen: list[WalkedItem] = []
        skipped: Counter[Skipped] = Counter()
        needed: set[str] = set()
        identifiers: set[str] = set()
        encoder = msgspec.json.Encoder()
        for entity in source.entities():
            if self.stopped() or kept == self.limit:
                break
            if len(seen) >= CHUNK:
                retired += self._written(engine, lambda session: retire(session, seen))
                seen.clear()
            entities += 1
            self.pulse.beat()
            if isinstance(entity, EntityHead):
                passed = passed_over(entity, self.skip)
                statements += passed.statements
                skipped.update(passed.skipped)
                seen.append(WalkedItem(entity.id, entity.lastrevid, frozenset()))
                continue
            try:
                untyped = untyped_properties(entity)
                facts = source.properties(untyped) if untyped else {}  # a dump may have to be looked through for them
                chosen = select(entity, facts, self.skip, source.wanted)
                seen.append(self._seen(entity, chosen, facts, source))
            except (TypeError, AttributeError, KeyError, ValueError, IndexError):
                skipped[Skipped.UNREADABLE] += 1  # nothing like an entity inside; the others are walked
                continue
            pairs = chosen.pairs if self.limit is None else chosen.pairs[: self.limit - kept]
            for pair in pairs:
                spool.write(encoder.encode(pair) + b"\n")
            statements, kept = statements + chosen.statements, kept + len(pairs)
            skipped.update(chosen.skipped)
            needed |= chosen.needed
            identifiers |= chosen.identifiers | untyped
        retired += self._written(engine, lambda session: retire(session, seen))
        return Walked(entities, statements, kept, dict(skipped)), needed, identifiers, retired

    def _seen(
        self, entity: Entity, chosen: Selection, facts: Mapping[str, PropertyFacts], source: Source
    ) -> WalkedItem:
        """All pairs that an entity has now, also those of statements that weren't asked for."""
        if source.wanted is not None:
            chosen = select(entity, facts, self.skip)
        pairs = frozenset((pair.guid, pair.ref_hash) for pair in chosen.pairs)
        return WalkedItem(entity["id"], int(entity.get("lastrevid") or 0), pairs)


@contextmanager
def _spool() -> Iterator[BinaryIO]:
    with tempfile.TemporaryFile() as file:
        yield file


def _unspooled(spool: BinaryIO) -> Iterator[SelectedPair]:
    decoder = msgspec.json.Decoder(SelectedPair)
    spool.seek(0)
    for line in spool:
        yield decoder.decode(line)
