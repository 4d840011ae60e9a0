"""`python -m bench verbalise`: how many of our sentences, and of T5's, say their statement adequately."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from bench.adequacy import SYMMETRIC, Miss, Wordings, judge, normal
from bench.rows import DATA, read_rows
from models.statement import EntityValue, QuantityValue, Statement, Term, TimeValue, parse_value
from models.verbalise import say_value, verbalise

PAIRS = (DATA / "wtr" / "pairs.jsonl", DATA / "wdv" / "crowd.jsonl.gz")
SETS = ("wtr", "wdv")
# The crowd's majority answer: WDV's paper has 0 for adequate, 1 for not, 2 for not sure.
_CROWD_ADEQUATE = "0"
_NO_ALIAS = "no-alias"


@dataclass(frozen=True, slots=True)
class Worded:
    """A statement with the sentences that others made for it; "" where there is none.

    `checked`: a sentence that a person made or corrected. `crowd`: a machine's, found adequate by the crowd.
    `raw`: what T5 wrote, untouched.
    """

    statement: Statement
    source: str
    checked: str
    crowd: str
    raw: str

    @property
    def reference(self) -> str:
        """The sentence to show beside ours."""
        return self.checked or self.crowd or self.raw


def load_worded(paths: Iterable[Path]) -> list[Worded]:
    """Read rows in the shape of WTR's pairs or of WDV's crowd file. Raises `MissingRows`, or `ValueError` by line."""
    return [row for path in paths for row in read_rows(path, "--pairs", _worded, "a statement with its sentence")]


def _worded(row: Mapping[str, Any]) -> Worded:
    crowd = "adequacy_maj" in row
    description, alias = ("desc", "alias") if crowd else ("description", "aliases")

    def term(entity_id: str, part: str) -> Term:
        words = row.get(f"{part}_{description}") or ""
        return Term(entity_id, row[f"{part}_label"], _listed(row.get(f"{part}_{alias}")), _given(words))

    def value_term(entity_id: str) -> Term:
        # A quantity's row has its unit only in the object's label, behind the number.
        if row["datavalue"]["type"] == "quantity":
            return Term(entity_id, row["object_label"].partition(" ")[2] or None)
        return term(entity_id, "object")

    statement = Statement(
        guid=row["claim_id"],
        item=term(row["entity_id"], "entity"),
        property=term(row["property_id"], "property"),
        datatype=row.get("datatype", ""),
        value=parse_value(row["datavalue"], value_term),
    )
    said = row.get("verbalisation") or ""
    if crowd:
        processed = row.get("processed_verbalisation") or said
        return Worded(statement, "wdv", "", processed if row["adequacy_maj"] == _CROWD_ADEQUATE else "", said)
    return Worded(statement, "wtr", said, "", row.get("raw_verbalisation") or "")


def _listed(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _given(words: str) -> str:
    return "" if words == "no-desc" else words


def learn(rows: Iterable[Worded]) -> dict[str, Wordings]:
    """How each property is said, by its id."""
    wordings: dict[str, Wordings] = defaultdict(Wordings)
    for row in rows:
        of_property = wordings[row.statement.property.id]
        of_property.add_names(row.statement.property.names)
        if sentence := row.checked or row.crowd:
            of_property.add_sentence(sentence, row.statement, checked=bool(row.checked))
    return wordings


@click.command("verbalise")
@click.option("--pairs", multiple=True, type=click.Path(path_type=Path), help="Rows with sentences; may be repeated.")
@click.option("--misses", is_flag=True, help="Print each miss on stderr: claim, ours, the reference, why.")
def verbalise_command(pairs: tuple[Path, ...], misses: bool) -> None:
    """Say each statement in our words, with no hand correction, and print how often that is adequate, as JSON."""
    rows = load_worded(pairs or PAIRS)
    # Other rows are judged with what is known of their properties from the rows at hand, where these are there.
    known = [path for path in PAIRS if pairs and path.exists() and path not in pairs]
    wordings = learn([*rows, *load_worded(known)])
    figures: dict[str, Any] = {source: _score(rows, source, wordings, _ours, show=misses) for source in SETS}
    figures["raw_t5"] = {source: _score(rows, source, wordings, _raw, show=False) for source in SETS}
    figures["checks"] = {name: _failed(spoil(rows), wordings, name, show=misses) for name, spoil in _SPOILED.items()}
    figures["crowd"] = _beside_crowd([row for row in rows if row.source == "wdv" and row.raw], wordings)
    click.echo(json.dumps(figures))


def _beside_crowd(rows: Sequence[Worded], wordings: Mapping[str, Wordings]) -> dict[str, float | int | None]:
    """How the measure stands to people: of T5's sentences that most of them found adequate the share that it passes,
    and of the others the share that it fails. The measure is meant to be the stricter.
    """
    passed = {adequate: Counter[bool]() for adequate in (True, False)}
    for row in rows:
        passed[bool(row.crowd)][judge(row.raw, row.statement, wordings[row.statement.property.id]) is None] += 1

    def share(adequate: bool, passes: bool) -> float | None:
        whole = passed[adequate].total()
        return round(passed[adequate][passes] / whole, 4) if whole else None

    return {
        "adequate_passed": share(True, True),
        "inadequate_failed": share(False, False),
        "n": len(rows),
        "inadequate": passed[False].total(),
    }


def _ours(row: Worded) -> str:
    claim = verbalise(row.statement)
    return claim.text if claim else ""


def _raw(row: Worded) -> str:
    return row.raw


def _score(
    rows: Iterable[Worded],
    source: str,
    wordings: Mapping[str, Wordings],
    sentence_of: Callable[[Worded], str],
    *,
    show: bool,
) -> dict[str, float | int | None]:
    n = adequate = 0
    for row in rows:
        sentence = sentence_of(row)
        if row.source != source or (sentence_of is _raw and not sentence):
            continue
        n += 1
        miss = judge(sentence, row.statement, wordings[row.statement.property.id])
        adequate += miss is None
        if miss and show:
            _show(row, sentence, miss)
    return {"adequate": round(adequate / n, 4) if n else None, "n": n}


def _show(row: Worded, sentence: str, miss: Miss) -> None:
    statement = row.statement
    name = f"{statement.guid} {statement.property.id} {statement.property.label}"
    click.echo(f"{name} | ours: {sentence} | reference: {row.reference} | why: {miss.why}", err=True)


Spoiled = Iterator[tuple[Worded, str]]


def _wrong_year(rows: Sequence[Worded]) -> Spoiled:
    for row in rows:
        value = row.statement.value
        if isinstance(value, TimeValue):
            # The next year, decade or century: what the statement's precision can tell apart.
            later = replace(value, year=value.year + 10 ** (9 - min(9, value.precision)))
            yield row, _say(replace(row.statement, value=later))


def _wrong_number(rows: Sequence[Worded]) -> Spoiled:
    for row in rows:
        value = row.statement.value
        if isinstance(value, QuantityValue):
            yield row, _say(replace(row.statement, value=QuantityValue(value.amount + 1, unit=value.unit)))


def _swapped(rows: Sequence[Worded]) -> Spoiled:
    for row in rows:
        statement = row.statement
        said = say_value(statement.value)
        if statement.property.id in SYMMETRIC or normal(said) == normal(statement.item.label or ""):
            continue
        value = statement.value
        as_value = value.term if isinstance(value, EntityValue) else Term("", said)
        yield row, _say(replace(statement, item=as_value, value=EntityValue(statement.item)))


def _other_value(rows: Sequence[Worded]) -> Spoiled:
    by_property = defaultdict(list)
    for row in rows:
        by_property[row.statement.property.id].append(row.statement.value)
    choose = random.Random(1)  # noqa: S311
    for row in rows:
        said = normal(say_value(row.statement.value))
        names = {said, *map(normal, _names(row.statement))}
        others = [v for v in by_property[row.statement.property.id] if normal(say_value(v)) not in names]
        if others:
            yield row, _say(replace(row.statement, value=choose.choice(others)))


def _names(statement: Statement) -> tuple[str, ...]:
    return statement.value.term.names if isinstance(statement.value, EntityValue) else ()


def _other_property(rows: Sequence[Worded]) -> Spoiled:
    by_kind = defaultdict(list)
    for row in rows:
        by_kind[type(row.statement.value)].append(row.statement.property)
    choose = random.Random(1)  # noqa: S311
    for row in rows:
        others = [p for p in by_kind[type(row.statement.value)] if p.id != row.statement.property.id]
        sentence = _say(replace(row.statement, property=choose.choice(others))) if others else ""
        if sentence and sentence != _ours(row):
            yield row, sentence


# The nearest wrong property: what it says is easily taken for the other.
_OPPOSITES = {
    one: other
    for pair in (
        ("P569", "P570"), ("P19", "P20"), ("P22", "P40"), ("P155", "P156"), ("P1365", "P1366"), ("P361", "P527"),
        ("P571", "P576"), ("P580", "P582"), ("P2031", "P2032"), ("P749", "P355"), ("P127", "P1830"), ("P802", "P1066"),
        ("P36", "P1376"), ("P463", "P527"), ("P166", "P1411"), ("P112", "P127"), ("P86", "P676"), ("P2048", "P2049"),
        ("P734", "P735"), ("P1448", "P1813"), ("P2043", "P2048"), ("P551", "P937"),
        ("P1433", "P291"), ("P644", "P645"), ("P150", "P131"), ("P137", "P127"), ("P610", "P1589"), ("P276", "P159"),
    )
    for one, other in (pair, pair[::-1])
}  # fmt: skip


def _opposite(rows: Sequence[Worded]) -> Spoiled:
    for row in rows:
        statement, other = row.statement, _OPPOSITES.get(row.statement.property.id)
        if other and normal(say_value(statement.value)) != normal(statement.item.label or ""):
            sentence = _say(replace(statement, property=Term(other, other)))
            if sentence != _ours(row):
                yield row, sentence


def _say(statement: Statement) -> str:
    claim = verbalise(statement)
    return claim.text if claim else ""


# Our own sentences made wrong: the share of them that the measure fails says how far it can be trusted.
_SPOILED: dict[str, Callable[[Sequence[Worded]], Spoiled]] = {
    "wrong_year": _wrong_year,
    "wrong_number": _wrong_number,
    "other_value": _other_value,
    "swapped": _swapped,
    "other_property": _other_property,
    "opposite": _opposite,
}


def _failed(
    spoiled: Spoiled, wordings: Mapping[str, Wordings], name: str, *, show: bool
) -> dict[str, float | int | None]:
    n = failed = 0
    for row, sentence in spoiled:
        n += 1
        miss = judge(sentence, row.statement, wordings[row.statement.property.id])
        failed += miss is not None
        if miss is None and show:
            _show(row, sentence, Miss(f"passes, though spoiled: {name}"))
    return {"failed": round(failed / n, 4) if n else None, "n": n}
