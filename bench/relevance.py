"""`python -m bench relevance`: is a passage that names the value among the five, and does ρ agree with ProVe's?"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from bench.measures import correlations, shares
from bench.rows import DATA, Row, load_pages, load_rows, read_rows
from models.document import Document
from models.evidence import Evidence, Passage
from models.judge import Case, Weighed, relevance, weigh_all
from models.rank.prefilter import prefilter
from models.rank.select import top_without_overlap
from models.read import read
from models.read.page import Block, Page
from models.statement import Statement
from models.values.found import NAMED
from models.values.match import PassageMatch, match_page
from models.values.page_words import PageWords
from models.values.words import words_of
from models.verbalise import verbalise
from models.verdict import Claim
from models.verify.marked import Marked, marked
from models.verify.torch_runtime import TorchRuntime
from models.verify.verifier import SHIPPED, Opinion, Verifier

WTR = DATA / "wtr"
SUPPORT = ("1.A", "1.B", "1.D")
_FILE = click.Path(path_type=Path)
WAYS = ("recall", "verifier_alone", "prefilter_5", "shared_words_5")


@click.command("relevance")
@click.option("--verifier", type=_FILE, default=SHIPPED, help="A verifier's folder, where not the shipped one.")
@click.option("--pairs", type=_FILE, multiple=True, help="Labelled pairs; may be repeated.")
@click.option("--pages", type=_FILE, multiple=True, help="A WARC file; may be repeated.")
@click.option("--evidence", type=_FILE, default=WTR / "evidence.jsonl.gz", help="ProVe's passages with its scores.")
@click.option(
    "--first", type=click.IntRange(min=1), help="Only the first so many pairs and passages, for a quick look."
)
def relevance_command(
    verifier: Path, pairs: tuple[Path, ...], pages: tuple[Path, ...], evidence: Path, first: int | None
) -> None:
    """Rank the passages of WTR's pages and those that ProVe picked, and print the figures as JSON."""
    opened = Verifier(TorchRuntime(verifier))
    rows = load_rows(pairs or (WTR / "pairs.jsonl", WTR / "more.jsonl"))
    documents = load_pages(pages or (WTR / "pages.warc.gz",))
    theirs = scored_passages(evidence)[:first]
    click.echo(
        json.dumps(recall(rows[:first], documents, opened) | {"prove": agreement(theirs, rows, documents, opened)})
    )


class _Remembering(Verifier):
    """Reads no pair twice, so that what the judge asked can be asked again."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier, self._known = verifier, dict[Marked, Opinion]()
        self.version = verifier.version

    def opinions(self, pairs: Sequence[Marked], batch: int = 32) -> list[Opinion]:
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        self._known |= zip(fresh, self._verifier.opinions(fresh, batch), strict=True)
        return [self._known[pair] for pair in pairs]

    def together(self, opinions: Sequence[Opinion]) -> tuple[float, float, float]:
        return self._verifier.together(opinions)


def recall(rows: Sequence[Row], documents: Mapping[str, Document], verifier: Verifier) -> dict[str, object]:
    """Of the supported pairs whose value some passage names, the share of which one of five passages names it.

    `recall` is of the evidence that the judge rests on. Beside it the five that the verifier alone would rank first of
    the 24, the first five of the prefilter, and those that share most words with the claim. Whether a passage names the
    value is said by the matcher, which the judge and the prefilter rank by as well: the other two don't know it.
    """
    by_page: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.supported and row.url in documents:
            by_page[row.url].append(row)
    hits: dict[str, dict[str, list[bool]]] = {way: defaultdict(list) for way in WAYS}
    for number, (url, some) in enumerate(by_page.items(), 1):
        print(f"\rranked {number} of {len(by_page)} pages", end="", file=sys.stderr, flush=True)
        page = read(documents[url])
        for row, found in _ranked(some, page, verifier) if isinstance(page, Page) else ():
            for way, hit in zip(WAYS, found, strict=True):
                for kind in ("all", row.label):
                    hits[way][kind].append(hit)
    print(file=sys.stderr)
    figures = {way: {kind: shares(hits[way][kind]) for kind in ("all", *SUPPORT)} for way in WAYS}
    return {"recall": figures.pop("recall"), "baselines": figures, "verifier": verifier.version}


def _ranked(rows: Sequence[Row], page: Page, verifier: Verifier) -> Iterable[tuple[Row, tuple[bool, ...]]]:
    """The pairs of a page that names their value, and whether each of `WAYS` brings a passage that does."""
    words, verifier = PageWords(page), _Remembering(verifier)
    for row in rows:
        matches = match_page(row.statement, words)
        named = {id(passage) for passage, match in zip(page.passages, matches, strict=True) if _names(match)}
        claim = verbalise(row.statement)
        if named and claim is not None:
            fives = _fives(row.statement, claim, page, matches, words, verifier)
            yield row, tuple(any(id(one.passage) in named for one in five) for five in fives)


def _names(match: PassageMatch) -> bool:
    return match.value_score >= NAMED


def _fives(
    statement: Statement,
    claim: Claim,
    page: Page,
    matches: Sequence[PassageMatch],
    words: PageWords,
    verifier: Verifier,
) -> Iterable[Sequence[Evidence]]:
    """Five passages by each of `WAYS`; none by the judge where it doesn't judge."""
    weighed = weigh_all([Case(statement, claim, page)], verifier)[0]
    yield weighed.evidence if isinstance(weighed, Weighed) else ()
    chosen = prefilter(claim.text, page.passages, matches)
    pairs = [marked(statement, page.title, page.passages[at], matches[at], words) for at in chosen]
    opinions = verifier.opinions(pairs)
    yield _five((one.relevance, page.passages[at]) for at, one in zip(chosen, opinions, strict=True))
    yield _five((-rank, page.passages[at]) for rank, at in enumerate(chosen))
    yield _five((shared_words(claim, passage.text), passage) for passage in page.passages)


def _five(scored: Iterable[tuple[float, Passage]]) -> Sequence[Evidence]:
    return top_without_overlap(Evidence(passage, score, 0.0, 0.0, 1.0) for score, passage in scored)


def shared_words(claim: Claim, text: str) -> float:
    """The share of a claim's words that a text has."""
    wanted = set(words_of(claim.text).words)
    return len(wanted.intersection(words_of(text).words)) / (len(wanted) or 1)


@dataclass(frozen=True, slots=True)
class Scored:
    """A passage that ProVe picked for a pair, with its relevance score in [−1, 1]."""

    guid: str
    text: str
    score: float


def scored_passages(path: Path) -> list[Scored]:
    """Read ProVe's passages. Raises `MissingRows` or `ValueError`."""

    def make(source: Mapping[str, Any]) -> Scored:
        return Scored(source["claim_id"], " ".join(source["evidence"].split()), float(source["score"]))

    return list(read_rows(path, "--evidence", make, "a passage with ProVe's score"))


def agreement(
    scored: Sequence[Scored], rows: Sequence[Row], documents: Mapping[str, Document], verifier: Verifier
) -> dict[str, object]:
    """How the verifier's ρ, and the judge's, go with ProVe's over the passages that ProVe picked; beside it how the
    share of the claim's words does. A passage is read under its page's title, and matched by itself.
    """
    by_guid = {row.statement.guid: row for row in rows}
    pages = {url: read(documents[url]) for one in scored if (url := _url(one, by_guid)) in documents}
    titles = {url: page.title for url, page in pages.items() if isinstance(page, Page)}
    pairs: list[Marked] = []
    matches: list[PassageMatch] = []
    words: list[float] = []
    theirs: list[float] = []
    for one in scored:
        row = by_guid.get(one.guid)
        claim = verbalise(row.statement) if row else None
        if row is None or claim is None or not one.text:
            continue
        pair, match = as_read(row.statement, titles.get(row.url, ""), one.text)
        pairs.append(pair)
        matches.append(match)
        words.append(shared_words(claim, one.text))
        theirs.append(one.score)
    opinions = verifier.opinions(pairs)
    judged = [relevance(opinion, match) for opinion, match in zip(opinions, matches, strict=True)]
    return {
        "n": len(pairs),
        "verifier": correlations(np.array([one.relevance for one in opinions]), np.array(theirs)),
        "judge": correlations(np.array(judged), np.array(theirs)),
        "baselines": {"shared_words": correlations(np.array(words), np.array(theirs))},
    }


def _url(one: Scored, by_guid: Mapping[str, Row]) -> str:
    row = by_guid.get(one.guid)
    return row.url if row else ""


def as_read(statement: Statement, title: str, text: str) -> tuple[Marked, PassageMatch]:
    """A passage without its page, as the verifier reads it, and what the matcher finds in it."""
    passage = Passage(text, "text", 0, 0, 0)
    words = PageWords(Page(title, "en", (Block(text, "text"),), (passage,)))
    match = match_page(statement, words)[0]
    return marked(statement, title, passage, match, words), match
