"""Learn from which likeness two spellings are one name: `python -m models.training.names --learn FILE … --check FILE`.

A FILE is JSON lines, gzipped where its name says so: Re-DocRED (a document a line, with `entities`, each with `names`
and `type`) or FewRel (a sentence a line, with the names and Wikidata ids of its `head` and `tail`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from models.aggregate.features import Array
from models.training.rows import MALFORMED, BadRows, json_lines
from models.values.names.spelling import FEATURES, Pair, Spelling, features, is_near
from models.values.words import words_of

PRECISION = 0.95  # that the threshold must reach on held-out documents
FOLDS = 5
_MOST_OF_A_NAME = 8  # near names kept for each
_MISSPELLED = 0.6  # of the names are misspelled once each
_TWICE = 0.15  # of those once more
_TYPES = ("PER", "ORG", "LOC", "MISC")

_LOOKS = {
    "rn": "m",
    "m": "rn",
    "l": "i",
    "i": "l",
    "e": "c",
    "c": "e",
    "h": "b",
    "u": "n",
    "n": "u",
    "o": "0",
    "cl": "d",
}
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_TRANSCRIBED = (
    ("ks", "x"), ("x", "ks"), ("y", "i"), ("i", "y"), ("ck", "k"), ("k", "c"), ("c", "k"), ("ph", "f"), ("f", "ph"),
    ("v", "w"), ("w", "v"), ("sh", "sch"), ("ch", "tch"), ("ev", "yev"), ("ou", "u"), ("u", "ou"), ("kh", "h"),
    ("z", "s"), ("s", "z"), ("j", "y"), ("ov", "off"), ("th", "t"), ("ie", "y"), ("ei", "ey"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Example:
    """Aligned folded words of two names, whether they name the same, and the document that they are from."""

    pairs: tuple[Pair, ...]
    same: bool
    document: int
    source: str


def documents(path: Path) -> list[dict[str, Any]]:
    """Documents of a file, gzipped where its name says so. Raises `BadRows`."""
    read: list[dict[str, Any]] = []
    for number, row in json_lines(path):
        try:
            read.append(_sentence(row) if "head_id" in (read[0] if read else row) else _document(row))
        except MALFORMED as error:
            raise BadRows(f"{path}, line {number}: not a row of Re-DocRED or FewRel ({error!r})") from error
    return _by_entity(read) if "head_id" in read[0] else read


def _document(row: dict[str, Any]) -> dict[str, Any]:
    entities = [(_list(entity["names"]), entity["type"]) for entity in row["entities"]]
    return {"entities": [{"names": [_text(name) for name in names], "type": _text(of)} for names, of in entities]}


def _sentence(row: dict[str, Any]) -> dict[str, Any]:
    return {key: _text(row[key]) for key in ("head", "tail", "head_id", "tail_id", "property_id")}


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("names aren't a list")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a {type(value).__name__} where a text was expected")
    return value


_BETWEEN_PERSONS = frozenset({"P25", "P26", "P40"})  # mother, spouse, child: FewRel says no types


def _by_entity(sentences: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """FewRel's sentences as documents of one entity each, with all names that its id has."""
    names: dict[str, set[str]] = defaultdict(set)
    persons: set[str] = set()
    for sentence in sentences:
        for role in ("head", "tail"):
            names[sentence[f"{role}_id"]].add(sentence[role])
            persons |= {sentence[f"{role}_id"]} if sentence["property_id"] in _BETWEEN_PERSONS else set()
    return [
        {"entities": [{"names": sorted(names[id_]), "type": "PER" if id_ in persons else "MISC"}]}
        for id_ in sorted(names)
    ]


def misspelled(word: str, random: Random) -> tuple[str, str]:
    """A word with one error, and its kind: a slip of the finger, of the eye (as OCR makes), or of transcription."""
    at = random.randrange(len(word))
    kind = random.choice(("key", "swap", "drop", "double", "look", "sound", "sound"))
    if kind == "key":
        row = next((row for row in _KEYS if word[at] in row), "")
        place = row.find(word[at]) + random.choice((-1, 1))
        return (word[:at] + row[place] + word[at + 1 :], kind) if 0 <= place < len(row) else (word, kind)
    if kind == "swap":
        return word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :], kind
    if kind == "drop":
        return word[:at] + word[at + 1 :], kind
    if kind == "double":
        return word[:at] + word[at] + word[at:], kind
    table = tuple(_LOOKS.items()) if kind == "look" else _TRANSCRIBED
    options = [(old, new) for old, new in table if old in word]
    if not options:
        return word, kind
    old, new = random.choice(options)
    return word.replace(old, new, 1), kind


def examples(sources: Sequence[dict[str, Any]], seed: int = 0) -> list[Example]:
    """Names that are spelled alike. Same: names of one entity, and names misspelled by `misspelled`.

    Other: near names of different entities of one type, from the same document or another; and two namesakes made of
    one first name and two real last names that are near. Names of one entity that differ in their ending only
    ("America", "American") are left out: they aren't spellings of one name.
    """
    random = Random(seed)  # noqa: S311 - a choice of examples, not a secret
    known, types, together = _names(sources)
    made: list[Example] = []
    for one, other in _near(known):
        same = frozenset((one, other)) in together
        if types[one] & types[other] and not (same and _ending_only(one, other)):
            made.append(_example(one, other, same, min(known[one]), "cluster" if same else "other"))
    persons = sorted(name for name in known if "PER" in types[name] and len(name) == 2)
    lasts: dict[_Folded, set[int]] = {(name[1],): known[name] for name in persons}
    for one, other in _near(lasts):
        first = random.choice(persons)[0]
        made.append(_example((first, *one), (first, *other), False, min(lasts[one]), "namesake"))
    for name in sorted(known):
        long = [i for i, word in enumerate(name) if len(word) >= 5 and word.isalpha()]
        if long and random.random() < _MISSPELLED:
            at = random.choice(long)
            wrong, kind = misspelled(name[at], random)
            if random.random() < _TWICE:
                wrong = misspelled(wrong, random)[0]
            changed = (*name[:at], wrong, *name[at + 1 :])
            if wrong != name[at] and changed not in known and is_near(name[at], wrong):
                made.append(_example(name, changed, True, min(known[name]), kind))
    return made


_Folded = tuple[str, ...]


def _names(
    sources: Sequence[dict[str, Any]],
) -> tuple[dict[_Folded, set[int]], dict[_Folded, set[str]], set[frozenset[_Folded]]]:
    """Folded names with the documents that have them, their types, and the pairs that name one entity."""
    known: dict[_Folded, set[int]] = defaultdict(set)
    types: dict[_Folded, set[str]] = defaultdict(set)
    together: set[frozenset[_Folded]] = set()
    for number, document in enumerate(sources):
        for entity in document["entities"]:
            names = {words_of(name).words for name in entity["names"]} - {()}
            if entity["type"] in _TYPES:
                for name in names:
                    known[name].add(number)
                    types[name].add(entity["type"])
                    together |= {frozenset((name, other)) for other in names if other != name}
    return known, types, together


def _ending_only(one: _Folded, other: _Folded) -> bool:
    return all(a.startswith(b) or b.startswith(a) for a, b in zip(one, other, strict=True))


def _example(one: _Folded, other: _Folded, same: bool, document: int, source: str) -> Example:
    return Example(tuple(zip(one, other, strict=True)), same, document, source)


def _near(known: Iterable[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Pairs of names with as many words, of which one at most isn't equal, and is near."""
    slots: dict[tuple[str, ...], list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
    for name in sorted(known):
        for at, word in enumerate(name):
            if len(word) >= 5 and word.isalpha():
                slots[(str(at), word[0] if len(name) == 1 else "", *name[:at], "", *name[at + 1 :])].append((at, name))
    for group in slots.values():
        for index, (at, one) in enumerate(group):
            close = [other for _, other in group[index + 1 :] if is_near(one[at], other[at])]
            yield from ((one, other) for other in close[:_MOST_OF_A_NAME])


def learn(made: Sequence[Example]) -> Spelling:
    """Fit on examples of both kinds from `FOLDS` documents at least, and take the lowest threshold that reaches
    `PRECISION` on documents held out in as many folds.
    """
    rows, labels = as_arrays(made)
    groups = np.array([one.document for one in made])
    model = make_pipeline(StandardScaler(), LogisticRegression(C=1.0, max_iter=2000, class_weight="balanced"))
    held_out = cross_val_predict(model, rows, labels, groups=groups, cv=GroupKFold(FOLDS), method="predict_proba")[:, 1]
    model.fit(rows, labels)
    scaler, logistic = model[0], model[1]
    weights = logistic.coef_[0] / scaler.scale_
    offset = float(logistic.intercept_[0] - (weights * scaler.mean_).sum())
    return Spelling(tuple(float(w) for w in weights), offset, threshold(labels, held_out))


def threshold(labels: Array, probabilities: Array) -> float:
    """The lowest threshold from which on precision is at least `PRECISION`; 0.99 where none is.

    Both classes weigh the same, however many examples each has: how many there are of either was our choice.
    """
    for candidate in np.linspace(0.3, 0.99, 70):
        taken = probabilities >= candidate
        if taken.any() and balanced_precision(labels, taken) >= PRECISION:
            return round(float(candidate), 2)
    return 0.99


def balanced_precision(labels: Array, taken: npt.NDArray[np.bool_]) -> float:
    """Precision if there were as many different names as same ones: recall / (recall + false positive rate)."""
    recall, wrong = float(taken[labels == 1].mean()), float(taken[labels == 0].mean())
    return recall / (recall + wrong) if recall else 0.0


def as_arrays(made: Sequence[Example]) -> tuple[Array, Array]:
    """Features, shape (n, len(FEATURES)), and labels, shape (n,): 1 for the same name."""
    rows = np.array([features(one.pairs) for one in made], dtype=float).reshape(-1, len(FEATURES))
    return rows, np.array([float(one.same) for one in made])


def measured(spelling: Spelling, made: Sequence[Example]) -> dict[str, Any]:
    """Precision and recall on examples, and the share called the same by where they are from."""
    rows, labels = as_arrays(made)
    called = np.array([spelling.probability(one.pairs) >= spelling.threshold for one in made])
    by_source = {
        source: {
            "called_same": round(float(called[[one.source == source for one in made]].mean()), 4),
            "n": sum(one.source == source for one in made),
        }
        for source in sorted({one.source for one in made})
    }
    return {
        "balanced_precision": round(balanced_precision(labels, called), 4),
        "recall": round(float(called[labels == 1].mean()), 4),
        "called_same_of_other": round(float(called[labels == 0].mean()), 4),
        "n": len(rows),
        "same": int(labels.sum()),
        "by_source": by_source,
    }


def save(spelling: Spelling, path: Path) -> None:
    """Write what `models.values.names.spelling.load` reads."""
    stored = {
        "features": list(FEATURES),
        "weights": [round(w, 5) for w in spelling.weights],
        "offset": round(spelling.offset, 5),
        "threshold": spelling.threshold,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def _enough(paths: Sequence[Path], made: Sequence[Example], folds: int = 1) -> list[Example]:
    """The examples, where there are some of both kinds in each of the folds' trainings. Raises `BadRows`."""
    for same in (True, False):
        if len({one.document for one in made if one.same is same}) < folds:
            kind = "spellings of one name" if same else "near names of different ones"
            raise BadRows(f"{', '.join(map(str, paths))}: too few rows: {kind} in fewer than {folds} documents")
    return list(made)


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn, say what it comes to, and write the numbers; bad input is one line and exit code 2."""
    options = argparse.ArgumentParser(prog="python -m models.training.names", description=__doc__)
    options.add_argument("--learn", type=Path, required=True, nargs="+", help="documents to learn from")
    options.add_argument("--check", type=Path, required=True, help="documents to measure on")
    options.add_argument("--out", type=Path, required=True, help="where the numbers are written")
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args(arguments)
    try:
        if given.out.is_dir():
            raise BadRows(f"{given.out} is a folder: --out takes a file")
        sources = [document for path in given.learn for document in documents(path)]
        to_check = documents(given.check)
        made = _enough(given.learn, examples(sources, given.seed), FOLDS)
        held_out = _enough([given.check], examples(to_check, given.seed + 1))
        spelling = learn(made)
        save(spelling, given.out)
    except (BadRows, OSError) as error:
        sys.stderr.write(f"names: {error}\n")
        sys.exit(2)
    json.dump({"threshold": spelling.threshold, **measured(spelling, held_out)}, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
