"""`python -m bench walk`: how fast a dump is walked, beside unpacking it and beside other ways to read one."""

from __future__ import annotations

import bz2
import gzip
import json
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import click
import msgspec
from qwikidata.json_dump import WikidataJsonDump

from bench.walk_dump import lines, write_dump
from bot.progress import progress
from bot.select import passed_over, select, untyped_properties
from bot.sources.dump import DumpSource
from bot.sources.heads import EntityHead
from bot.sources.packed import unpacked
from config import Config

MB = 1_000_000
ROUNDS = 3


@click.command("walk")
@click.option("--mb", type=click.IntRange(min=1), default=500, show_default=True, help="Plain text of the dump.")
@click.option("--peers-mb", type=click.IntRange(min=1), default=100, show_default=True, help="For the slow ways.")
@click.option("--seed", type=int, default=1, show_default=True)
def walk(mb: int, peers_mb: int, seed: int) -> None:
    """Build a dump, walk it in several ways, and print MB of plain text a second on one core as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        dump, small, packed = (Path(folder) / name for name in ("dump.json.gz", "small.json.gz", "small.json.bz2"))
        with progress("Building the dump", mb * MB) as more:
            entities = write_dump(dump, mb * MB, seed, more)
        write_dump(small, peers_mb * MB, seed)
        _pack_slowly(packed, peers_mb * MB, seed)
        text, small_text = raw(dump), raw(small)
        # In turns, so that what else the machine does meets both alike.
        rounds = [(_rate(raw, dump, text), _rate(walked, dump, text)) for _ in range(ROUNDS)]
        raw_mb_s, walk_mb_s = (median(one) for one in zip(*rounds, strict=True))
        figures = {
            "plain_mb": round(text / MB),
            "packed_mb": round(dump.stat().st_size / MB),
            "entities": entities,
            "pairs": walked(dump),
            "raw_mb_s": round(raw_mb_s),
            "walk_mb_s": round(walk_mb_s),
            "walk_to_raw": round(walk_mb_s / raw_mb_s, 2),
            "plain_mb_s": round(_rate(plain, small, small_text), 1),
            "qwikidata_gz_mb_s": round(_rate(qwikidata, small, small_text), 1),
            "qwikidata_bz2_mb_s": round(bz2_mb_s := _rate(qwikidata, packed, small_text), 1),
            "walk_to_qwikidata_bz2": round(walk_mb_s / bz2_mb_s),
            "peak_mb": round(peak(dump) / MB),
            "peers_mb": round(small_text / MB),
        }
    click.echo(json.dumps(figures))


def raw(path: Path) -> int:
    """Unpack a dump and do nothing with it; how many bytes it has."""
    with path.open("rb") as file:
        return sum(map(len, unpacked(file)))


def walked(path: Path) -> int:
    """Select the pairs of a dump as a run does, and write them where they wait for their words; how many there are."""
    source, skip, encoder = DumpSource(path, ("en",), _fail), Config().select.skip_properties, msgspec.json.Encoder()
    pairs, identifiers = 0, set[str]()
    with tempfile.TemporaryFile() as spool:
        for entity in source.entities():
            if isinstance(entity, EntityHead):
                passed_over(entity, skip)
                continue
            untyped = untyped_properties(entity)
            chosen = select(entity, source.properties(untyped) if untyped else {}, skip)
            pairs += len(chosen.pairs)
            identifiers |= chosen.identifiers
            for pair in chosen.pairs:
                spool.write(encoder.encode(pair) + b"\n")
        source.properties(identifiers)
    return pairs


def plain(path: Path) -> int:
    """What one writes first: `gzip` and `json` in a loop. How many entities there are."""
    entities = 0
    with gzip.open(path) as file:
        for line in file:
            text = line.strip().rstrip(b",")
            entities += text not in (b"[", b"]") and "claims" in json.loads(text)
    return entities


def qwikidata(path: Path) -> int:
    """Read a dump with qwikidata; how many entities there are."""
    return sum(1 for _ in WikidataJsonDump(str(path)))


def peak(path: Path) -> int:
    """The most memory in bytes that a process of its own takes for the walk."""
    with multiprocessing.get_context("spawn").Pool(1) as alone:
        return alone.apply(_peak, (path,))


def _peak(path: Path) -> int:
    walked(path)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _rate(way: Callable[[Path], int], path: Path, text: int) -> float:
    begun = time.process_time()
    way(path)
    return text / MB / (time.process_time() - begun)


def _pack_slowly(path: Path, size: int, seed: int) -> None:

    with bz2.open(path, "wb", compresslevel=9) as file:
        for line in lines(size, seed):
            file.write(line)


def _fail(line: str) -> None:
    raise AssertionError(line)
