"""`python -m bench verifier`: how well a verifier reads constructed sets, by source and by property held out."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from sklearn.metrics import roc_auc_score

from models.evidence import Stance
from models.training.record import TrainingProblem
from models.training.sheets.sets import EvidenceSet
from models.training.verifier import read_sets
from models.verify.marked import VALUE, Marked
from models.verify.torch_runtime import TorchRuntime
from models.verify.verifier import SHIPPED, Opinion, Verifier

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_AT_ONCE = 64  # sets


@dataclass(frozen=True, slots=True)
class Told:
    """A set with the verifier's opinion on each passage, and on all of them together (supports, refutes, neither)."""

    set: EvidenceSet
    opinions: tuple[Opinion, ...]
    together: tuple[float, float, float]


@click.command("verifier")
@click.option("--data", multiple=True, required=True, type=_FILE, help="Sets that it wasn't trained on.")
@click.option("--verifier", type=click.Path(path_type=Path), default=SHIPPED, help="A verifier's folder.")
@click.option("--apart", multiple=True, metavar="P", help="Properties to count by themselves; may be repeated.")
def verifier_command(data: tuple[Path, ...], verifier: Path, apart: tuple[str, ...]) -> None:
    """Read evidence sets, and print by source how well support is told from what only looks like it, as JSON."""
    try:
        sets = read_sets(data)
    except TrainingProblem as error:
        raise ValueError(str(error)) from error
    opened = Verifier(TorchRuntime(verifier))
    told = tell(sets, opened)
    sources = sorted({one.source for one in sets})
    by_source = {name: [one for one in told if one.set.source == name] for name in sources}
    result: dict[str, object] = {"verifier": opened.version, "learned_without": learned_without(verifier)}
    for name, some in by_source.items():
        result[name] = {"all": figures(some)}
        if apart:
            within = [one for one in some if one.set.property_id in apart]
            rest = [one for one in some if one.set.property_id not in apart]
            result[name] = {"all": figures(some), "apart": figures(within), "others": figures(rest)}
    click.echo(json.dumps(result | {"apart": list(apart)}))


def learned_without(folder: Path) -> list[str]:
    """The sources and properties that a verifier's training left out, as its record says."""
    record = folder / "training.json"
    return list(json.loads(record.read_text("utf-8")).get("without", [])) if record.exists() else []


def tell(sets: Sequence[EvidenceSet], verifier: Verifier) -> list[Told]:
    """The verifier's opinions on sets, a few at once."""
    told: list[Told] = []
    for first in range(0, len(sets), _AT_ONCE):
        print(f"\rread {first} of {len(sets)} sets", end="", file=sys.stderr, flush=True)
        some = sets[first : first + _AT_ONCE]
        opinions = iter(verifier.opinions([Marked(one.claim, text) for one in some for text in one.passages]))
        for one in some:
            own = tuple(next(opinions) for _ in one.passages)
            told.append(Told(one, own, verifier.together(own)))
    print(file=sys.stderr)
    return told


def figures(told: Sequence[Told]) -> dict[str, object]:
    """AUC of support, of single passages and of whole sets, each beside what the marks alone say of it.

    `marked` is of those passages in which the claim's value stands, whole: there the marks say nothing, and all is in
    the bond between value, property and subject. `surest` is the highest support of any one passage of a set.
    """
    passages = [
        (stance is Stance.SUPPORTS, opinion.supports, float(_names_value(text)))
        for one in told
        for stance, opinion, text in zip(one.set.stances, one.opinions, one.set.passages, strict=True)
    ]
    with_value = [one for one in passages if one[2]]
    sets = [
        (
            one.set.verdict is Stance.SUPPORTS,
            one.together[0],
            max(opinion.supports for opinion in one.opinions),
            float(any(map(_names_value, one.set.passages))),
        )
        for one in told
    ]
    supporting = [one[0] for one in passages]
    return {
        "sets": len(sets),
        "passages": _of(supporting, {"auc": [one[1] for one in passages], "marks": [one[2] for one in passages]}),
        "marked": _of([one[0] for one in with_value], {"auc": [one[1] for one in with_value]}),
        "verdict": _of(
            [one[0] for one in sets],
            {"auc": [s[1] for s in sets], "surest": [s[2] for s in sets], "marks": [s[3] for s in sets]},
        ),
    }  # fmt: skip


def _names_value(text: str) -> bool:
    return f" {VALUE} " in f" {text} "


def _of(truth: Sequence[bool], scores: Mapping[str, Sequence[float]]) -> dict[str, object]:
    """AUC of each way of scoring; nothing but the number where all are alike."""
    labels = np.array(truth, dtype=bool)
    if labels.all() or not labels.any():
        return {"n": len(labels)}
    return {"n": len(labels)} | {
        name: round(float(roc_auc_score(labels, np.array(score))), 4) for name, score in scores.items()
    }
