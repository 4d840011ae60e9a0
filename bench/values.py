"""`python -m bench values`: does the matcher find the value that a text names, and nothing else?"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from bench.cases import HELD_OUT, SAYS, ValueCase, by_hand
from bench.rows import DATA, MissingRows, load_pages, load_rows, read_rows
from models.read import read
from models.read.page import Page
from models.statement import EntityValue, Term, TimeValue, Value
from models.values.found import NAMED, Found
from models.values.match import find_value, match_page
from models.values.page_words import PageWords
from models.values.words import words_of
from models.verbalise import say_value

KINDS = ("dates", "quantities", "names")
_DRAWN = 400  # cases of each kind from the strategies


@click.command("values")
@click.option(
    "--drawn",
    default=_DRAWN,
    show_default=True,
    type=click.IntRange(min=0),
    help="Cases of each kind made by strategies.",
)
@click.option(
    "--redocred",
    type=click.Path(path_type=Path),
    help="Paragraphs with entities; the default is its dev set, where that is at hand.",
)
@click.option("--misses", is_flag=True, help="Print every miss, one line each, to the standard error.")
def values(drawn: int, redocred: Path | None, misses: bool) -> None:
    """Match values against labelled texts, and print the figures as JSON."""
    # First, since a file that was named may not be there; without the data sets the rest is measured all the same.
    own = DATA / "redocred" / "dev.jsonl.gz"
    paragraphs = on_paragraphs(redocred or own) if redocred or own.exists() else None
    result: dict[str, Any] = {}
    held_out: dict[str, object] = {}
    for kind in KINDS:
        cases = [*by_hand(kind), *_by_strategy(kind, drawn)]
        answers = [(case, *answer(case.value, case.text)) for case in cases]
        result[kind] = figures([(case, said) for case, said, _ in answers])
        result[kind]["verbatim"] = _verbatim(cases)
        held_out[kind] = _held_out(kind)
        if misses:
            _print_misses(kind, answers)
    result["held_out"] = held_out
    result["redocred"] = paragraphs
    result["checks_per_s"] = checks_per_second()
    click.echo(json.dumps(result))


def answer(value: Value, text: str) -> tuple[str, Found | None]:
    """What the matcher says of a text, in the words of a case, and the place that it says so of."""
    found, conflicts = find_value(value, text, words_of(text))
    named = [one for one in found if one.how != "coarser" and one.score >= NAMED]
    if named:
        return "names", max(named, key=lambda one: one.score)
    coarser = [one for one in found if one.how == "coarser"]
    if coarser:
        return "coarser", coarser[0]
    return ("conflict", conflicts[0]) if conflicts else ("nothing", None)


def figures(answers: Sequence[tuple[ValueCase, str]]) -> dict[str, object]:
    """Precision and recall of "the text names the value"; of conflicts beside it; and what was said for what."""
    said = Counter((case.says, answered) for case, answered in answers)
    result: dict[str, object] = {**_of(said, "names"), "n": len(answers), "conflict": _of(said, "conflict")}
    result["answers"] = {says: {other: said[says, other] for other in SAYS if said[says, other]} for says in SAYS}
    return result


def _held_out(kind: str) -> dict[str, object]:
    """Figures on cases that the matcher was never mended with; their misses are never printed."""
    cases = list(by_hand(kind, HELD_OUT))
    return figures([(case, answer(case.value, case.text)[0]) for case in cases]) | {"verbatim": _verbatim(cases)}


def _verbatim(cases: Sequence[ValueCase]) -> dict[str, float | None]:
    """The baseline: the value's label, or the value as we would write it, stands in the text letter for letter."""
    said = Counter(
        (case.says, "names" if say_value(case.value).casefold() in case.text.casefold() else "nothing")
        for case in cases
    )
    return _of(said, "names")


def _of(said: Counter[tuple[str, str]], label: str) -> dict[str, float | None]:
    right = said[label, label]
    claimed = sum(count for (_, answered), count in said.items() if answered == label)
    there = sum(count for (says, _), count in said.items() if says == label)
    return {"precision": _share(right, claimed), "recall": _share(right, there)}


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _by_strategy(kind: str, count: int) -> list[ValueCase]:
    if not count:
        return []
    try:
        from bench.cases.strategies import drawn  # noqa: PLC0415 - hypothesis is there for development only
    except ModuleNotFoundError as error:
        raise MissingRows(f"{error.name} isn't installed: install requirements-dev.txt, or use --drawn 0") from error
    return drawn(kind, count)


def _print_misses(kind: str, answers: Iterable[tuple[ValueCase, str, Found | None]]) -> None:
    for case, said, found in answers:
        if said != case.says:
            place = f" ({case.text[found.start : found.end]!r}, {found.how})" if found else ""
            print(f"{kind}: {case.says} ≠ {said}{place}: {case.value} | {case.text}", file=sys.stderr)


# Paragraphs of Wikipedia, in which people marked every entity.


def on_paragraphs(path: Path) -> dict[str, object]:
    """For every entity that is a fact's object, and every sentence of its paragraph: is it named there?

    The labels are the places that the annotators marked. What they left unmarked counts against precision.
    Raises `MissingRows`, or `ValueError` naming file and line.
    """
    right = claimed = there = 0
    for sentences, objects in read_rows(path, "--redocred", _objects, "a paragraph with its entities"):
        for value, marked in objects:
            for index, sentence in enumerate(sentences):
                named = answer(value, sentence)[0] == "names"
                right += named and index in marked
                claimed += named
                there += index in marked
    return {"precision": _share(right, claimed), "recall": _share(right, there), "n": there}


def _objects(paragraph: Mapping[str, Any]) -> tuple[list[str], list[tuple[Value, set[int]]]]:
    """The sentences, and each fact's object with the numbers of the sentences that name it."""
    entities = [paragraph["entities"][index] for index in sorted({fact["tail"] for fact in paragraph["facts"]})]
    marked = [(_marked_value(entity), set(entity["sentences"])) for entity in entities]
    return (
        [_untokenised(sentence) for sentence in paragraph["sentences"]],
        [(value, where) for value, where in marked if value is not None],
    )


def _untokenised(sentence: str) -> str:
    """A sentence as it was before its marks were set apart."""
    text = re.sub(r"\s+([,.;:!?)\]’%]|'s\b|n't\b)", r"\1", sentence)
    return re.sub(r"([(\[])\s+", r"\1", re.sub(r"\s([-–])\s(?=\w)", r"\1", text))


_MONTHS = "January February March April May June July August September October November December".split()
_PLAIN = re.compile(rf"(?:(?:(?P<d>\d{{1,2}}) )?(?P<m>{'|'.join(_MONTHS)}) (?:(?P<e>\d{{1,2}}), )?)?(?P<y>[12]\d{{3}})")


def _marked_value(entity: dict[str, object]) -> Value | None:
    """The entity as a value; None for times and amounts that aren't a plain date."""
    names = [_untokenised(str(name)) for name in entity["names"]]  # type: ignore[attr-defined]
    if entity["type"] == "TIME":
        plain = _PLAIN.fullmatch(names[0])
        if plain is None:
            return None
        day, month = plain["d"] or plain["e"], plain["m"]
        precision = 11 if day else 10 if month else 9
        return TimeValue(
            int(plain["y"]), _MONTHS.index(month) + 1 if month else None, int(day) if day else None, precision
        )
    if entity["type"] == "NUM":
        return None
    return EntityValue(Term("Q0", names[0], tuple(dict.fromkeys(names[1:]))))


def checks_per_second(seconds: float = 5.0) -> int | None:
    """Passages matched a second against statements that cite their page, on one core; None without the pages.

    A check is one statement against one passage: subject, property, value and conflicts. Taking a page apart counts.
    """
    pairs = DATA / "wtr" / "pairs.jsonl"
    if not pairs.exists():
        return None
    rows = load_rows((pairs, DATA / "wtr" / "more.jsonl"))
    documents = load_pages((DATA / "wtr" / "pages.warc.gz",))
    by_page: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        by_page.setdefault(row.url, []).append(index)
    pages = [(page, by_page[url]) for url in by_page if isinstance(page := read(documents[url]), Page)]
    match_page(rows[0].statement, PageWords(pages[0][0]))  # what is loaded once isn't counted
    started, checks = time.process_time(), 0
    for page, where in pages:
        words = PageWords(page)
        for index in where:
            checks += len(match_page(rows[index].statement, words))
        if time.process_time() - started > seconds:
            break
    return round(checks / (time.process_time() - started))
