"""`python -m bench read`: how fast pages are read, in what memory, and whether the values in them stay findable."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from bench.rows import DATA, MissingRows, Row, load_pages, load_rows
from models.document import Document
from models.outcome import NotJudged
from models.rank.prefilter import prefilter
from models.read import read
from models.read.page import Block, Page
from models.read.sentences import passages_of
from models.statement import EntityValue, TimeValue
from models.values.found import NAMED
from models.values.match import match_page
from models.values.page_words import PageWords
from models.verbalise import verbalise

WTR = DATA / "wtr"
_ROUNDS = 2  # the faster one counts: what else the machine does only ever slows


@click.command("read")
@click.option("--pages", type=click.Path(path_type=Path), default=WTR / "pages.warc.gz", help="WARC file of pages.")
@click.option("--pairs", type=click.Path(path_type=Path), multiple=True, help="Labelled pairs on these pages.")
@click.option("--first", type=click.IntRange(min=1), help="Only the first so many pages.")
@click.option("--misses", is_flag=True, help="Print every value that no passage has, to the standard error.")
def read_command(pages: Path, pairs: tuple[Path, ...], first: int | None, misses: bool) -> None:
    """Read every page on one core, beside trafilatura in the same run, and print the figures as JSON."""
    if importlib.util.find_spec("trafilatura") is None or importlib.util.find_spec("resiliparse") is None:
        raise MissingRows("what is measured beside isn't installed: run `make test`, or install requirements-dev.txt")
    documents = dict(list(load_pages([pages]).items())[:first])
    rows = load_rows(pairs or (WTR / "pairs.jsonl", WTR / "more.jsonl"))
    result = _speed(list(documents.values())) | {"peak_mb": _peak_mb(pages, first)}
    click.echo(json.dumps(result | found(rows, documents, misses)))


def _speed(documents: Sequence[Document]) -> dict[str, object]:
    from bench.peers import trafilatura_text  # noqa: PLC0415 - comes with requirements-dev.txt only

    read(documents[0])  # what is loaded at first use isn't reading
    ours = theirs = float("inf")
    passages = 0
    for _ in range(_ROUNDS):  # turn and turn about, so that both have the same machine
        start = time.process_time()
        read_pages = [read(document) for document in documents]
        ours = min(ours, time.process_time() - start)
        passages = sum(len(page.passages) for page in read_pages if isinstance(page, Page))
        start = time.process_time()
        for document in documents:
            trafilatura_text(document.body)
        theirs = min(theirs, time.process_time() - start)
    size = sum(len(document.body) for document in documents)
    return {
        "pages": len(documents),
        "pages_per_s": round(len(documents) / ours, 1),
        "trafilatura_pages_per_s": round(len(documents) / theirs, 1),
        "mb_per_s": round(size / 1e6 / ours, 2),
        "passages": passages,
    }


def _peak_mb(pages: Path, first: int | None) -> dict[str, float]:
    """Most memory that a process of its own held: once it could read, and after it had read every page."""
    code = (
        "import sys, resource\n"
        "from bench.rows import load_pages\n"
        "from models.read import read\n"
        "from pathlib import Path\n"
        "documents = list(load_pages([Path(sys.argv[1])]).values())\n"
        "documents = documents[: int(sys.argv[2]) or None]\n"
        "read(documents[0])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
        "for document in documents: read(document)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    command = [sys.executable, "-c", code, str(pages), str(first or 0)]
    said = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - the command is ours
    ready, after = (int(line) / 1024 for line in said.stdout.split())
    return {"ready": round(ready), "reading": round(after)}


def found(rows: Sequence[Row], documents: Mapping[str, Document], misses: bool = False) -> dict[str, object]:
    """Of the supported pairs whose value stands on the page at all: the shares with it in some passage, and in one of
    the 24 that are handed to the judge, by kind of support and of value.

    Whether it stands there at all is said by the matcher on the text of another library, which keeps all there is.
    """
    pages = {url: read(document) for url, document in documents.items()}
    words = {url: PageWords(page) for url, page in pages.items() if isinstance(page, Page)}
    whole = {url: PageWords(_whole(document)) for url, document in documents.items()}
    counts: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for row in rows:
        page = pages.get(row.url)
        if page is None or not row.supported or not _named(row, whole[row.url]):
            continue
        there = handed = False
        if isinstance(page, Page):
            there, handed = _in_passages(row, page, words[row.url])
        if misses and not (there and handed):
            said = "not handed" if there else page.outcome.value if isinstance(page, NotJudged) else "no passage"
            print(f"{said}: {row.statement.guid} {row.label} {row.url}", file=sys.stderr)
        for kind in (row.label, _kind(row), "all"):
            counts[kind].append((there, handed))
    return {
        "value_in_passages": {kind: _share([there for there, _ in some]) for kind, some in sorted(counts.items())},
        "value_in_24": {kind: _share([handed for _, handed in some]) for kind, some in sorted(counts.items())},
        "n": {kind: len(some) for kind, some in sorted(counts.items())},
    }


def _whole(document: Document) -> Page:
    """All text of a page, by resiliparse: nothing is left out as unimportant."""
    from bench.peers import whole_text  # noqa: PLC0415 - comes with requirements-dev.txt only

    lines = [" ".join(line.split()) for line in whole_text(document.body).split("\n")]
    blocks = tuple(Block(line, "text") for line in lines if line)
    return Page("", "en", blocks, passages_of(blocks))


def _named(row: Row, words: PageWords) -> bool:
    return any(match.value_score >= NAMED for match in match_page(row.statement, words))


def _in_passages(row: Row, page: Page, words: PageWords) -> tuple[bool, bool]:
    matches = match_page(row.statement, words)
    named = [match.value_score >= NAMED for match in matches]
    claim = verbalise(row.statement)
    chosen = prefilter(claim.text, page.passages, matches) if claim else []
    return any(named), any(named[index] for index in chosen)


def _kind(row: Row) -> str:
    value = row.statement.value
    return "dates" if isinstance(value, TimeValue) else "names" if isinstance(value, EntityValue) else "others"


def _share(some: Sequence[bool]) -> float:
    return round(sum(some) / len(some), 4)
