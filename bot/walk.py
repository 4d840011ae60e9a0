"""A walk over a source: pairs are selected, the words they need are gathered, and both are written as rows."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import BinaryIO

import msgspec
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from bot.chunks import chunks
from bot.select import Skipped, reference_properties, select
from bot.sources import Source
from models.statement import SourceUrl
from store.walk import SelectedPair, WalkCounts, put_pairs, put_terms

CHUNK = 500


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
    """How to walk: `limit` pairs at most (None: all), without the properties in `skip`, until `stopped` says so."""

    skip: Collection[str]
    limit: int | None = None
    stopped: Callable[[], bool] = lambda: False
    keep_addresses: bool = False

    def over(self, source: Source, engine: Engine, run_id: int, model_version: str) -> Walked:
        """Walk the source. Words are written before the pairs that need them, so that no worker meets half of it.

        Pairs wait on the disk meanwhile: a dump is walked twice, once for pairs and once for words.
        """
        with _spool() as spool:
            found, needed = self._select(source, spool)
            for terms in chunks(source.terms(needed) if not self.stopped() else (), CHUNK):
                with Session(engine) as session, session.begin():
                    put_terms(session, terms)
            counts, addresses = WalkCounts(), set[tuple[SourceUrl, ...]]()
            for pairs in chunks(_unspooled(spool), CHUNK):
                if self.stopped():
                    break
                with Session(engine) as session, session.begin():
                    counts += put_pairs(session, run_id, pairs, model_version)
                addresses |= {pair.urls for pair in pairs} if self.keep_addresses else set()
        return Walked(
            found.entities, found.statements, found.pairs, found.skipped, source.notes, counts, frozenset(addresses)
        )

    def _select(self, source: Source, spool: BinaryIO) -> tuple[Walked, set[str]]:
        entities = statements = kept = 0
        skipped: Counter[Skipped] = Counter()
        needed: set[str] = set()
        encoder = msgspec.json.Encoder()
        for entity in source.entities():
            if self.stopped() or kept == self.limit:
                break
            entities += 1
            try:
                facts = source.properties(reference_properties(entity))
                chosen = select(entity, facts, self.skip, source.wanted)
            except (TypeError, AttributeError, KeyError, ValueError, IndexError):
                skipped[Skipped.UNREADABLE] += 1  # nothing like an entity inside; the others are walked
                continue
            pairs = chosen.pairs if self.limit is None else chosen.pairs[: self.limit - kept]
            for pair in pairs:
                spool.write(encoder.encode(pair) + b"\n")
            statements, kept = statements + chosen.statements, kept + len(pairs)
            skipped.update(chosen.skipped)
            needed |= chosen.needed
        return Walked(entities, statements, kept, dict(skipped)), needed


@contextmanager
def _spool() -> Iterator[BinaryIO]:
    with tempfile.TemporaryFile() as file:
        yield file


def _unspooled(spool: BinaryIO) -> Iterator[SelectedPair]:
    decoder = msgspec.json.Decoder(SelectedPair)
    spool.seek(0)
    for line in spool:
        yield decoder.decode(line)
