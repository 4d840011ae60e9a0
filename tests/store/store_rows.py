"""Values and rows that the tests of the store begin with."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, update
from sqlalchemy.orm import Session

from models.document import Document
from models.evidence import Evidence, Match, Passage, Stance
from models.outcome import NotJudged, Outcome
from models.statement import SourceUrl
from models.verdict import Claim, Verdict, claim_digest
from store import schema
from store.archive import Place
from store.documents import put_document
from store.runs import end_run, start_run
from store.walk import SelectedPair, put_pairs
from store.work import Task, lease, save_judgement

MODEL = "judge-1"
FETCHED = datetime(2026, 11, 1, 12, tzinfo=UTC)


def year(number: int) -> dict[str, Any]:
    """The main snak of "born in the year `number`"."""
    time = {"time": f"+{number:04}-00-00T00:00:00Z", "precision": 9, "calendarmodel": "http://x/entity/Q1985727"}
    return {
        "snaktype": "value",
        "property": "P569",
        "datatype": "time",
        "datavalue": {"type": "time", "value": time},
    }


def selected(number: int = 1, **changes: Any) -> SelectedPair:
    """The selected pair number `number`: a statement of its own, citing a page of its own."""
    pair = SelectedPair(
        guid=f"Q{number}$A",
        item_id=f"Q{number}",
        property_id="P569",
        snak=year(1900),
        qualifiers={},
        rank="normal",
        revision=7,
        ref_hash=f"hash{number}",
        ref_snaks={"P854": []},
        urls=(SourceUrl(f"https://www.example.org/{number}", "live"),),
    )
    return replace(pair, **changes)


def walked(session: Session, *pairs: SelectedPair, model: str = MODEL) -> int:
    """A run that walked over `pairs` and ended before it judged any; its id."""
    run = start_run(session, "a test", model)
    put_pairs(session, run.id, pairs, model)
    end_run(session, run.id, "stopped")
    return run.id


def document(url: str = "https://www.example.org/1", body: bytes = b"<p>born 1900</p>") -> Document:
    """What a fetch of `url` brought."""
    digest = "sha256:" + hashlib.sha256(body).hexdigest()
    return Document(url, url, 200, (("content-type", "text/html"),), body, digest, FETCHED)


def kept(
    session: Session, url: str = "https://www.example.org/1", body: bytes = b"<p>born 1900</p>"
) -> schema.Document:
    """The row of a document that the archive is said to keep."""
    return put_document(session, document(url, body), Place("a.warc.gz", 0))


def verdict(
    probability: float = 0.1, stance: Stance = Stance.REFUTES, model: str = MODEL, *, unsure: bool = False
) -> Verdict:
    """A verdict with one piece of evidence."""
    evidence = Evidence(
        Passage("Born in 1901.", "table", 3, 1, 2, "Life", True),
        0.5,
        0.1,
        0.7,
        0.2,
        (Match("value", "conflict", 8, 12, 0.9),),
    )
    return Verdict(stance, probability, (evidence,), stance, Stance.NOT_ENOUGH_INFO, model, "It says 1901.", unsure)


def unread(*texts: str) -> NotJudged:
    """A page in a language that isn't read, with passages that name the value ("1900" unless given)."""
    evidence = (
        Evidence(Passage(words, "value", 3, 0, 0), 0.2, 0.0, 0.0, 1.0, (Match("value", "exact", 0, len(words)),))
        for words in texts or ("1900",)
    )
    return NotJudged(Outcome.UNSUPPORTED_LANGUAGE, "the text is in Hungarian (hu)", tuple(evidence))


def judge(
    session: Session,
    task: Task,
    judgement: Verdict | NotJudged,
    row: schema.Document | None = None,
    *,
    text: str = "Born in 1900.",
    model: str = MODEL,
    worker: str = "w",
    language: str = "",
    via: str = "live",
) -> bool:
    """Save a judgement of a leased pair."""
    claim = Claim(text, "pattern")
    digest = claim_digest(claim, task.snak, task.qualifiers)
    run_id = session.get_one(schema.Pair, task.pair_id).run_id
    return save_judgement(session, task, worker, run_id, claim, digest, row, via, judgement, model, language)


def judged(
    session: Session,
    probability: float = 0.1,
    number: int = 1,
    *,
    finding: Verdict | None = None,
    language: str = "",
    **changes: Any,
) -> int:
    """Walk over pair `number`, judge it (as `finding` says, or as refuted) and commit; the pair's id."""
    pair = selected(number, **changes)
    walked(session, pair)
    (task,) = lease(session, "w", 1, 60)
    assert judge(session, task, finding or verdict(probability), kept(session, pair.urls[0].url), language=language)
    session.commit()
    return task.pair_id


def again(session: Session, pair_id: int) -> Task:
    """Let a pair that was judged wait and lease it again."""
    session.execute(
        update(schema.Pair).where(schema.Pair.id == pair_id).values(state="waiting", why="changed", next_at=func.now())
    )
    task, *_ = lease(session, "w", 1, 60)
    assert task.pair_id == pair_id
    return task


def pair_row(session: Session, pair_id: int) -> schema.Pair:
    """The pair as it is in the database now."""
    return session.get_one(schema.Pair, pair_id, populate_existing=True)
