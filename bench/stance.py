"""`python -m bench stance`: how well the verifier tells support from refutation on tests that it never learned from."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import click
from sklearn.metrics import f1_score

from bench.measures import shares
from bench.rows import DATA, MissingRows, read_rows
from models.evidence import Stance
from models.rank.select import MOST
from models.statement import EntityValue, QuantityValue, Term, TimeValue, Value
from models.values.dates import find_dates
from models.values.found import NAMED
from models.values.match import find_value
from models.values.quantities import find_quantities
from models.values.words import words_of
from models.verify.marked import OTHER, PART, SUBJECT, VALUE, Marked
from models.verify.torch_runtime import TorchRuntime
from models.verify.verifier import SHIPPED, Opinion, Verifier

_LABELS = {
    "SUPPORTS": Stance.SUPPORTS, "REFUTES": Stance.REFUTES, "ENTAILMENT": Stance.SUPPORTS,
    "CONTRADICTION": Stance.REFUTES, "NEUTRAL": Stance.NOT_ENOUGH_INFO,
    "E": Stance.SUPPORTS, "C": Stance.REFUTES, "N": Stance.NOT_ENOUGH_INFO,
}  # fmt: skip
LEARNED = (
    "No sentence or label of these tests was learned from. The evidence sets that the verifier learns from may be "
    "constructed on InfoTabS' tables, whichever of its files speaks of them."
)
_AT_ONCE = 64  # examples
_Say = Callable[[Sequence[Opinion]], tuple[float, float, float]]


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, what it is held against, and what people say of it."""

    claim: str
    passages: tuple[str, ...]
    label: Stance


@click.command("stance")
@click.option("--verifier", type=click.Path(path_type=Path), default=SHIPPED, help="A verifier's folder.")
@click.option("--data", type=click.Path(path_type=Path), default=DATA, help="The folder with the three sets.")
@click.option("--limit", type=click.IntRange(min=1), help="Only so many examples of each test, drawn by chance.")
def stance(verifier: Path, data: Path, limit: int | None) -> None:
    """Judge the sentences of three tests by their evidence, and print the figures as JSON."""
    opened = Verifier(TorchRuntime(verifier))
    tests = {name: _some(examples, limit) for name, examples in load_tests(data).items()}
    result = {name: figures(examples, opened) for name, examples in tests.items()}
    click.echo(json.dumps({"verifier": opened.version, "learned": LEARNED} | result))


def load_tests(folder: Path) -> dict[str, list[Example]]:
    """The three tests. Raises `MissingRows` or `ValueError`."""
    tables = dict(_read(folder / "infotabs" / "tables.jsonl.gz", lambda row: (row["id"], rows_of(row["table"]))))

    def on_table(row: Mapping[str, Any]) -> Example:
        return Example(row["hypothesis"], tables[row["table_id"]], _LABELS[row["label"]])

    return {
        "fever_symmetric": list(
            _read(
                folder / "fever_symmetric" / "test.jsonl.gz",
                lambda row: Example(row["claim"], (row["evidence"],), _LABELS[row["label"]]),
            )
        ),
        "infotabs": list(_read(folder / "infotabs" / "test_alpha1.jsonl.gz", on_table)),
        "sick": list(
            _read(
                folder / "sick" / "test.jsonl.gz",
                lambda row: Example(row["hypothesis"], (row["premise"],), _LABELS[row["label"]]),
            )
        ),
    }


def _read(path: Path, make: Callable[[Any], Any]) -> Iterator[Any]:
    if not path.exists():
        raise MissingRows(f"{path}: no such file; give the folder that holds it with --data FOLDER")
    return read_rows(path, "--data", make, "a row of this test")


def rows_of(table: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The rows of an infobox as passages: "title | header: cells"."""
    title = str(table["title"][0])
    return tuple(
        f"{title} | {header}: {', '.join(map(str, cells))}" for header, cells in table.items() if header != "title"
    )


def _some(examples: Sequence[Example], limit: int | None) -> Sequence[Example]:
    if limit is None or limit >= len(examples):
        return examples
    return Random(0).sample(examples, limit)  # noqa: S311 - a choice of examples, not a secret


def figures(examples: Sequence[Example], verifier: Verifier) -> dict[str, object]:
    """Accuracy and macro F1 of the verifier, by σ where there is one passage, else by the verdict over the five most
    relevant (`together`) and by the surest of them (`max`); the commonest label and a rule on values beside it.
    """
    labels = [one.label for one in examples]
    among = tuple(stance for stance in Stance if stance in set(labels))
    ways: dict[str, _Say] = {"stance": lambda some: some[0].stances}
    if any(len(one.passages) > 1 for one in examples):
        ways = {"together": verifier.together, "max": surest}
    said: dict[str, list[Stance]] = {way: [] for way in ways}
    for five in _opinions(examples, verifier):
        for way, say in ways.items():
            said[way].append(likeliest(say(five), among))
    by_values = [said_by_values(one.claim, " . ".join(one.passages), among) for one in examples]
    commonest = Counter(labels).most_common(1)[0][0]
    return {
        "n": len(examples),
        "labels": [stance.value for stance in among],
        **{way: right(labels, calls) for way, calls in said.items()},
        "baselines": {"majority": right(labels, [commonest] * len(labels)), "values_only": right(labels, by_values)},
    }


def _opinions(examples: Sequence[Example], verifier: Verifier) -> Iterator[Sequence[Opinion]]:
    """Of each example the opinions on its most relevant passages, most relevant first."""
    for first in range(0, len(examples), _AT_ONCE):
        print(f"\rread {first} of {len(examples)} examples", end="", file=sys.stderr, flush=True)
        some = examples[first : first + _AT_ONCE]
        pairs = [Marked(unmarked(one.claim), unmarked(text)) for one in some for text in one.passages]
        opinions = iter(verifier.opinions(pairs))
        for one in some:
            own = [next(opinions) for _ in one.passages]
            yield sorted(own, key=lambda opinion: -opinion.relevance)[:MOST]
    print(file=sys.stderr)


_MARKS = str.maketrans(dict.fromkeys(SUBJECT + VALUE + PART + OTHER, " "))


def unmarked(text: str) -> str:
    """A text without what would be a mark: these tests have no statement whose parts could be marked."""
    return " ".join(text.translate(_MARKS).split())


def surest(opinions: Sequence[Opinion]) -> tuple[float, float, float]:
    """What any one passage says most surely: support and refutation at their highest, neither as far as none does."""
    supports = max(one.supports for one in opinions)
    refutes = max(one.refutes for one in opinions)
    return supports, refutes, 1.0 - max(supports, refutes)


def likeliest(stances: tuple[float, float, float], among: Sequence[Stance]) -> Stance:
    """The likeliest of the stances that a test has."""
    return max(among, key=lambda stance: stances[list(Stance).index(stance)])


def right(labels: Sequence[Stance], calls: Sequence[Stance]) -> dict[str, object]:
    """Accuracy with its interval, and macro F1 over the labels that there are."""
    hits = shares([label is call for label, call in zip(labels, calls, strict=True)])
    among = sorted({label.value for label in labels})
    truth, said = [label.value for label in labels], [call.value for call in calls]
    macro = f1_score(truth, said, labels=among, average="macro", zero_division=0.0)
    return {"accuracy": hits["share"], "ci95": hits["ci95"], "macro_f1": round(float(macro), 4)}


def said_by_values(claim: str, evidence: str, among: Sequence[Stance] = tuple(Stance)) -> Stance:
    """A rule: what a claim names (dates, amounts, names) stands in the evidence: it supports. Another date or amount
    of the kind stands there instead: it refutes. Else, or where a claim names nothing, neither; where a test knows no
    neither, a claim of which something is missing is refuted.
    """
    words, missing, nothing = words_of(evidence), False, True
    for value in named_values(claim):
        nothing = False
        found, others = find_value(value, evidence, words)
        if not any(one.score >= NAMED for one in found):
            missing = True
            if others and not found:
                return Stance.REFUTES
    if Stance.NOT_ENOUGH_INFO in among:
        return Stance.NOT_ENOUGH_INFO if missing or nothing else Stance.SUPPORTS
    return Stance.REFUTES if missing else Stance.SUPPORTS


_YEAR = 9  # precision; with a month and a day it is finer
_NAME = re.compile(r"[^\W\d_a-z][\w'’.-]*(?: (?:(?:of|the|de|la|van|von|and) ){0,2}[^\W\d_a-z][\w'’.-]*)*")
_FIRST_WORDS = frozenset(
    "a an the there this that these those some all no one two three four five six several both every in on at for "
    "from by with he she it they his her its their most many few not".split()
)


def named_values(claim: str) -> Iterator[Value]:
    """The dates, amounts and names of a sentence, as values to look for."""
    taken: list[tuple[int, int]] = []
    for date in find_dates(claim):
        taken.append((date.start, date.end))
        if date.span == 1 and not (date.other or date.bound or date.role or date.last):
            precision = _YEAR + (date.month is not None) + (date.day is not None)
            yield TimeValue(date.year, date.month, date.day, precision)
    for amount in find_quantities(claim):
        if amount.firm and _free((amount.start, amount.end), taken):
            taken.append((amount.start, amount.end))
            yield QuantityValue(amount.amount, unit=Term("", amount.unit) if amount.unit else None)
    for match in _NAME.finditer(claim):
        name = _without_first_word(match[0]) if match.start() == 0 else match[0]
        if name and _free(match.span(), taken):
            yield EntityValue(Term("", name.rstrip(".")))


def _without_first_word(name: str) -> str:
    """The beginning of a sentence has a capital, name or not."""
    first, _, rest = name.partition(" ")
    return rest if first.lower() in _FIRST_WORDS else name


def _free(span: tuple[int, int], taken: Iterable[tuple[int, int]]) -> bool:
    return all(span[1] <= start or end <= span[0] for start, end in taken)
