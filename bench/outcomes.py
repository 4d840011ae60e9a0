"""`python -m bench outcomes`: is a page that isn't the one cited found out, and one that is left alone?"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from bench.cases import FOLDER, HELD_OUT
from bench.cases.page_cases import OUTCOME_OF, PageCase, page_cases
from bench.rows import DATA, load_pages, load_rows
from bot.fetch import Failure
from bot.fetch.answer import Answer, fetched
from models.document import Document
from models.judge import Case, unjudged
from models.outcome import NotJudged, Outcome
from models.read import read
from models.statement import Statement
from models.verbalise import verbalise

WTR = DATA / "wtr"
Answered = tuple[PageCase, Outcome | None]


@click.command("outcomes")
@click.option("--misses", is_flag=True, help="Print every miss of the cases, one line each, to the standard error.")
@click.option("--pages", type=click.Path(path_type=Path), help="WARC file of WTR's pages, where it isn't at hand.")
def outcomes(misses: bool, pages: Path | None) -> None:
    """Read labelled pages as the bot would, and print the figures as JSON."""
    wtr = _on_wtr(pages or WTR / "pages.warc.gz") if pages or (WTR / "pages.warc.gz").exists() else None
    answers = [(case, answer(case)) for case in page_cases(FOLDER)]
    if misses:
        _print_misses(answers)
    held_out = [(case, answer(case)) for case in page_cases(HELD_OUT)]
    click.echo(json.dumps({**figures(answers), "held_out": figures(held_out), "wtr": wtr}))


def answer(case: PageCase) -> Outcome | None:
    """What we say of a case: an outcome, or None where the page would be judged."""
    said = why_not(case)
    return said.outcome if said else None


def why_not(case: PageCase) -> NotJudged | None:
    """Why we would not judge a case, all the way from the server's answer; None where we would."""
    headers = (("content-type", case.content_type),)
    brought = fetched((case.url,), Answer(case.final_url, datetime.now(UTC), case.status, "", headers, case.body))
    if isinstance(brought, Failure):
        return brought.not_judged
    return _unjudged(case.statement, brought)


def _unjudged(statement: Statement, document: Document) -> NotJudged | None:
    page = read(document)
    if isinstance(page, NotJudged):
        return page
    claim = verbalise(statement)
    if claim is None:
        return NotJudged(Outcome.NO_LABEL)
    return unjudged(Case(statement, claim, page))


def figures(answers: Sequence[Answered]) -> dict[str, object]:
    """Precision and recall of each outcome over all cases, and of each kind among its own cases and near misses."""
    kinds = {kind: [one for one in answers if one[0].kind == kind] for kind in OUTCOME_OF}
    return {
        "outcomes": {
            outcome.value: _of(outcome, answers)
            | {"title": _of(outcome, [(case, by_title(case)) for case, _ in answers])}
            for outcome in dict.fromkeys(OUTCOME_OF.values())
        },
        "kinds": {kind: _of(OUTCOME_OF[kind], some) for kind, some in kinds.items()},
        "judged": _share(
            sum(said is None for case, said in answers if case.outcome is None),
            sum(case.outcome is None for case, _ in answers),
        ),
        "n": len(answers),
    }


_TITLE = re.compile(rb"<title[^>]*>([^<]*)", re.IGNORECASE)
_BY_TITLE = {
    Outcome.REDIRECTED_ELSEWHERE: rb"404|not found|error|for sale|search|home",
    Outcome.BLOCKED: rb"log ?in|sign in|consent|cookie|subscribe",
    Outcome.BOT_WALL: rb"moment|robot|captcha|denied|attention",
}


def by_title(case: PageCase) -> Outcome | None:
    """The baseline: words in the title, and a redirect to the front page."""
    title = _TITLE.search(case.body)
    for outcome, words in _BY_TITLE.items():
        if title and re.search(words, title[1], re.IGNORECASE):
            return outcome
    to_front = case.final_url != case.url and case.final_url.split("://")[-1].rstrip("/").count("/") == 0
    return Outcome.REDIRECTED_ELSEWHERE if to_front else None


def _of(outcome: Outcome, answers: Iterable[Answered]) -> dict[str, object]:
    pairs = [(case.outcome is outcome, said is outcome) for case, said in answers]
    right = sum(is_so and said for is_so, said in pairs)
    return {
        "precision": _share(right, sum(said for _, said in pairs)),
        "recall": _share(right, sum(is_so for is_so, _ in pairs)),
        "n": sum(is_so for is_so, _ in pairs),
        "others": sum(not is_so for is_so, _ in pairs),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _on_wtr(path: Path) -> dict[str, object]:
    """How many labelled pairs on real pages are not judged: of the supported none should be."""
    documents = load_pages([path])
    rows = load_rows([WTR / "pairs.jsonl", WTR / "more.jsonl"])
    said = [(row, _unjudged(row.statement, documents[row.url])) for row in rows if row.url in documents]
    lost = [f"{row.statement.guid}: {why.detail}" for row, why in said if why and row.supported]
    found = sum(why is not None for row, why in said if not row.supported)
    return {
        "supported": sum(row.supported for row, _ in said),
        "supported_lost": len(lost),
        "lost": lost,
        "not_supported": sum(not row.supported for row, _ in said),
        "not_supported_found": found,
    }


def _print_misses(answers: Iterable[Answered]) -> None:
    for case, said in answers:
        if said is not case.outcome:
            why = why_not(case)
            right = case.outcome.value if case.outcome else "judged"
            print(
                f"{case.id}: {said.value if said else 'judged'}, not {right}; {why.detail if why else ''}",
                file=sys.stderr,
            )
