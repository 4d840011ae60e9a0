"""Fills a database as the bot would, through `store`, with pairs whose verdicts are chosen by the test."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from models.document import Document
from models.evidence import Evidence, Match, Stance
from models.outcome import NotJudged, Outcome
from models.read import Page, read
from models.statement import SourceUrl, Term
from models.verbalise import verbalise
from models.verdict import Verdict, claim_digest
from store import schema
from store.archive import Archive
from store.documents import put_document
from store.runs import end_run, save_place, start_run
from store.tries import Tried, put_try
from store.walk import SelectedPair, put_pairs, put_terms
from store.work import Task, lease, save_judgement

READ_AT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
MODEL = "test-1"

ANN = Term("Q7", "Ann Lee", (), "English writer")
ADAMS = Term("Q42", "Douglas Adams", ("Douglas Noel Adams",), "English author and humourist")
MERKEL = Term("Q567", "Angela Merkel", (), "chancellor of Germany from 2005 to 2021")
CAMBRIDGE = Term("Q350", "Cambridge")
LEIPZIG = Term("Q154804", "Leipzig University")
BORN = Term("P569", "date of birth", ("born on", "birth date"), "date on which the subject was born")
BIRTHPLACE = Term("P19", "place of birth", ("birthplace",), "where the subject was born")
EDUCATED = Term("P69", "educated at", ("alma mater",))
REFERENCE_URL = Term("P854", "reference URL")
ALL_TERMS = (ANN, ADAMS, MERKEL, CAMBRIDGE, LEIPZIG, BORN, BIRTHPLACE, EDUCATED, REFERENCE_URL)

ADAMS_PAGE = """<!doctype html><html lang="en"><title>Douglas Adams – Example Library</title><body>
<nav><ul><li><a href="/">Home</a></li>
<li><a href="/authors">Authors</a></li><li><a href="/books">Books</a></li></ul></nav>
<main><h1>Douglas Adams</h1>
<p>Douglas Noel Adams was an English author, humourist and screenwriter, best known for a comedy about the galaxy.
He was born in Cambridge on 14 March 1952 to Janet and Christopher Adams. The family moved to London a few months
later.</p>
<h2>Works</h2>
<table><tr><th>Title</th><th>Year</th></tr><tr><td>The Hitchhiker's Guide to the Galaxy</td><td>1979</td></tr>
<tr><td>Dirk Gently's Holistic Detective Agency</td><td>1987</td></tr></table>
<h2>Death</h2><p>Adams died of a heart attack in Montecito, California, in the spring of 2001, aged 49.</p></main>
<footer><p>Copyright Example Library. We use cookies. Contact us.</p></footer></body></html>"""

MERKEL_PAGE = """<!doctype html><html lang="en"><title>Angela Merkel</title><body><main><h1>Angela Merkel</h1>
<p>Angela Merkel is a German politician who led the government of her country for sixteen years in a row.
She was educated at Leipzig University, where she read physics from 1973 until 1978 with much success.</p>
<p>After that she worked in Berlin as a researcher in quantum chemistry until the end of the nineteen-eighties.</p>
</main></body></html>"""


# Structure of every kind, with a value that stands more than once.
STRUCTURED_PAGE = """<!doctype html><html lang="en"><title>Ann Lee – Example Library</title>
<script type="application/ld+json">{"@type": "Person", "name": "Ann Lee", "birthDate": "1901-05-12"}</script><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/authors">All authors and their books</a></li></ul></nav>
<main><h1>Ann Lee</h1><p>Ann Lee was an English writer of novels, who lived by the sea for the most of her life.
The library lists 1925 as the year in which she began to write for others.</p>
<h2>Early life</h2>
<table><caption>The record of her life</caption><tr><th>Born</th><td>12 May 1901, Leeds</td></tr>
<tr><th>First novel</th><td>1925</td></tr><tr><th>Died</th><td>3 June 1980</td></tr></table>
<h3>Works</h3><table><tr><th>Title</th><th>Year</th><th>Pages</th></tr>
<tr><td>The Lighthouse Keepers</td><td>1925</td><td>312</td></tr><tr><td>A Long Winter</td><td>1931</td><td>280</td>
</tr></table>
<h3>Places</h3><ul><li>Leeds<ul><li>Born there on the day of the great storm</li></ul></li><li>York</li></ul>
<dl><dt>Married</dt><dd>Thomas Hill, a printer, in 1930</dd><dt>Children</dt><dd>none</dd></dl>
<p>Her letters were printed after her death by a friend, who had kept all of them in a box in the attic.</p></main>
</body></html>"""

GERMAN_PAGE = """<!doctype html><html lang="de"><title>Ann Lee</title><body><nav>Home About Contact</nav><main>
<h1>Ann Lee</h1><p>Ann Lee war eine englische Schriftstellerin, die über das Meer und die Menschen schrieb, die an ihm
leben. Sie wurde am 12. Mai 1901 in Leeds geboren und ging dort bis zu ihrem vierzehnten Jahr in die Schule.</p>
<p>Ihr erster Roman erschien 1925, und viele weitere folgten, die heute noch gern gelesen werden.</p></main>
</body></html>"""


@dataclass(frozen=True, slots=True)
class Quote:
    """A passage of the page to be evidence: some of its text, its figures, and (part, how, text) of its matches."""

    text: str
    relevance: float
    supports: float
    refutes: float
    not_enough_info: float
    marks: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One pair and what was found of it. `outcome` in place of a stance means that it wasn't judged."""

    item: Term
    property: Term
    snak: dict[str, Any]
    url: str
    page: str = ""
    stance: Stance = Stance.NOT_ENOUGH_INFO
    probability: float = 0.5
    unsure: bool = False
    quotes: tuple[Quote, ...] = ()
    outcome: NotJudged | None = None
    reason: str = ""
    guid: str = ""
    archived: str | None = None
    qualifiers: dict[str, Any] = field(default_factory=dict)
    classes: tuple[str, ...] = ()


def time_snak(property_id: str, time: str, precision: int = 11) -> dict[str, Any]:
    """A point in time as a snak of Wikibase JSON."""
    value = {"time": time, "precision": precision, "calendarmodel": "http://www.wikidata.org/entity/Q1985727"}
    return _snak(property_id, "time", {"type": "time", "value": value})


def item_snak(property_id: str, item_id: str) -> dict[str, Any]:
    """An item as a snak of Wikibase JSON."""
    value = {"entity-type": "item", "id": item_id, "numeric-id": int(item_id[1:])}
    return _snak(property_id, "wikibase-item", {"type": "wikibase-entityid", "value": value})


def url_snak(url: str) -> dict[str, Any]:
    """A reference URL as a snak of Wikibase JSON."""
    return _snak("P854", "url", {"type": "string", "value": url})


def text_snak(property_id: str, text: str) -> dict[str, Any]:
    """A string as a snak of Wikibase JSON."""
    return _snak(property_id, "string", {"type": "string", "value": text})


def _snak(property_id: str, datatype: str, datavalue: dict[str, Any]) -> dict[str, Any]:
    return {"snaktype": "value", "property": property_id, "datatype": datatype, "datavalue": datavalue}


BIRTHDAY = Case(
    ADAMS,
    BORN,
    time_snak("P569", "+1952-03-11T00:00:00Z"),
    "https://library.example.org/adams",
    ADAMS_PAGE,
    Stance.REFUTES,
    0.04,
    quotes=(
        Quote("born in Cambridge on", 0.84, 0.03, 0.92, 0.05, (("value", "conflict", "14 March 1952"),)),
        Quote("was an English author", 0.51, 0.1, 0.2, 0.7, (("subject", "alias", "Douglas Noel Adams"),)),
        Quote("Dirk Gently", -0.4, 0.01, 0.1, 0.89),
    ),
    reason="The page gives 14 March 1952 where the statement says 11 March 1952.",
    guid="Q42$D8404CDA-25E4-4334-AF13-A3290BCD9C0F",
    archived="https://archive.example.net/2020/https://library.example.org/adams",
    qualifiers={"P19": [item_snak("P19", "Q350")]},
)
BIRTHTOWN = Case(
    ADAMS,
    BIRTHPLACE,
    item_snak("P19", "Q350"),
    "https://library.example.org/adams",
    ADAMS_PAGE,
    Stance.SUPPORTS,
    0.93,
    quotes=(Quote("born in Cambridge on", 0.8, 0.9, 0.05, 0.05, (("value", "exact", "Cambridge"),)),),
    guid="Q42$3D284234-52BC-4DA3-83A3-7C39F84BA518",
)
STUDIES = Case(
    MERKEL,
    EDUCATED,
    item_snak("P69", "Q154804"),
    "http://people.example.com/merkel",
    MERKEL_PAGE,
    Stance.NOT_ENOUGH_INFO,
    0.31,
    quotes=(Quote("worked in Berlin", 0.2, 0.1, 0.1, 0.8),),
    guid="Q567$1E0A2C3B-0000-4000-8000-000000000001",
)
LOST = Case(
    MERKEL,
    BORN,
    time_snak("P569", "+1954-07-17T00:00:00Z"),
    "https://gone.example.net/merkel",
    outcome=NotJudged(Outcome.NOT_FOUND, "404 Not Found from gone.example.net"),
    guid="Q567$1E0A2C3B-0000-4000-8000-000000000002",
)
REFUSED = Case(
    ADAMS,
    BIRTHPLACE,
    item_snak("P19", "Q350"),
    "https://shut.example.net/adams",
    outcome=NotJudged(Outcome.BLOCKED, "403 Forbidden from shut.example.net"),
    guid="Q42$3D284234-52BC-4DA3-83A3-7C39F84BA518",
)
ROWS = Case(
    ANN,
    BORN,
    time_snak("P569", "+1901-05-12T00:00:00Z"),
    "https://library.example.org/lee",
    STRUCTURED_PAGE,
    Stance.SUPPORTS,
    0.97,
    quotes=(
        Quote("Born: 12 May 1901", 0.9, 0.9, 0.05, 0.05, (("value", "exact", "12 May 1901"),)),
        Quote("The Lighthouse Keepers", 0.4, 0.1, 0.1, 0.8, (("value", "coarser", "1925"),)),
        Quote("great storm", 0.3, 0.1, 0.1, 0.8),
        Quote("Thomas Hill", 0.2, 0.1, 0.1, 0.8),
        Quote("birth date", 0.1, 0.9, 0.05, 0.05),
    ),
    guid="Q7$1E0A2C3B-0000-4000-8000-000000000007",
)
UNREAD = Case(
    ANN,
    BORN,
    time_snak("P569", "+1901-05-12T00:00:00Z"),
    "https://bibliothek.example.org/lee",
    GERMAN_PAGE,
    quotes=(
        Quote("am 12. Mai 1901", 0.5, 0.0, 0.0, 1.0, (("value", "exact", "12. Mai 1901"),)),
        Quote("eine englische", 0.1, 0.0, 0.0, 1.0, (("subject", "exact", "Ann Lee"),)),
    ),
    outcome=NotJudged(Outcome.UNSUPPORTED_LANGUAGE, "the text is in German (de)"),
    guid="Q7$1E0A2C3B-0000-4000-8000-000000000007",
)
UNSURE = Case(
    MERKEL,
    EDUCATED,
    item_snak("P69", "Q154804"),
    "https://people.example.com/angela",
    MERKEL_PAGE,
    Stance.SUPPORTS,
    0.72,
    True,
    (Quote("was educated at", 0.2, 0.5, 0.1, 0.4),),
    guid="Q567$1E0A2C3B-0000-4000-8000-000000000003",
)
USUAL = (BIRTHDAY, BIRTHTOWN, STUDIES, LOST, REFUSED)


def fill(session: Session, var: Path, cases: Sequence[Case] = USUAL, terms: Sequence[Term] = ALL_TERMS) -> list[int]:
    """Walk and judge the cases in a run of their own, commit, and give the pairs' numbers in the cases' order."""
    archive = Archive(var / "archive")
    put_terms(session, terms)
    run = start_run(session, "a test's dump", MODEL)
    put_pairs(session, run.id, [_pair(case) for case in cases], MODEL)
    session.commit()
    tasks = {(task.guid, task.ref_hash): task for task in lease(session, "desk", len(cases), 600, run.id)}
    made = []
    for case in cases:
        task = tasks[_guid(case), _hash(case)]
        _judge(session, archive, run.id, task, case)
        made.append(task.pair_id)
    counts = {"stances": {"supports": 1}, "outcomes": {"blocked": 2}, "pairs": len(cases), "new": 0, "not_judged": 0}
    save_place(session, run.id, None, counts, {"reference_without_address": 7})
    end_run(session, run.id, "finished")
    session.commit()
    return made


def _guid(case: Case) -> str:
    return case.guid or f"{case.item.id}${hashlib.sha256(repr(case).encode()).hexdigest()[:32]}"


def _hash(case: Case) -> str:
    return hashlib.sha1(case.url.encode()).hexdigest()


def _pair(case: Case) -> SelectedPair:
    urls = [SourceUrl(case.url, "live")] + ([SourceUrl(case.archived, "archive")] if case.archived else [])
    return SelectedPair(
        guid=_guid(case),
        item_id=case.item.id,
        property_id=case.property.id,
        snak=case.snak,
        qualifiers=case.qualifiers,
        rank="normal",
        revision=1234,
        ref_hash=_hash(case),
        ref_snaks={"P854": [url_snak(case.url)]},
        urls=tuple(urls),
        classes=case.classes,
    )


def _judge(session: Session, archive: Archive, run_id: int, task: Task, case: Case) -> None:
    claim = verbalise(task.statement, task.override)
    assert claim is not None
    document, judgement = _found(session, archive, case)
    digest = claim_digest(claim, task.snak, task.qualifiers)
    saved = save_judgement(session, task, "desk", run_id, claim, digest, document, "live", judgement, MODEL)
    assert saved


def _found(session: Session, archive: Archive, case: Case) -> tuple[schema.Document | None, Verdict | NotJudged]:
    if case.outcome is not None and not case.page:
        put_try(session, Tried(case.url, case.url, READ_AT, 404, "Not Found", (case.url,), case.outcome))
        return None, case.outcome
    body = case.page.encode()
    document = Document(
        url=case.url,
        final_url=case.url,
        status=200,
        headers=(("content-type", "text/html; charset=utf-8"),),
        body=body,
        digest="sha256:" + hashlib.sha256(body).hexdigest(),
        fetched_at=READ_AT,
    )
    page = read(document)
    assert isinstance(page, Page), page
    place = archive.keep(document)
    row = put_document(session, document, place)
    put_try(session, Tried(case.url, case.url, READ_AT, 200, chain=(case.url,)), row, place)
    evidence = tuple(_evidence(page, quote) for quote in case.quotes)
    if case.outcome is not None:
        unread = (replace(one, passage=replace(one.passage, kind="value")) for one in evidence)
        return row, replace(case.outcome, evidence=tuple(unread))
    verdict = Verdict(
        case.stance,
        case.probability,
        evidence,
        case.stance,
        Stance.NOT_ENOUGH_INFO,
        MODEL,
        case.reason,
        case.unsure,
    )
    return row, verdict


def _evidence(page: Page, quote: Quote) -> Evidence:
    passage = next(passage for passage in page.passages if quote.text in passage.text)
    matches = tuple(
        Match(part, how, passage.text.index(text), passage.text.index(text) + len(text))
        for part, how, text in quote.marks
    )
    return Evidence(passage, quote.relevance, quote.supports, quote.refutes, quote.not_enough_info, matches)
