"""Rows through the reader, our wording, the matcher and the verifier: the features that a bench judges by."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.rows import Row
from models.aggregate.features import FEATURES, Array, as_row
from models.document import Document
from models.judge import Case, Weighed, weigh_all
from models.outcome import NotJudged, Outcome
from models.read import read
from models.training.contrast import contrasts
from models.verbalise import verbalise
from models.verify.loaded import load_verifier
from models.verify.verifier import SHIPPED, Verifier

Indexes = npt.NDArray[np.int64]

ROOT = Path(__file__).resolve().parents[1]
_BATCH = 32
_AFTERWARDS = frozenset({"benefit.py", "classifier.py", "reason.py"})  # what these do comes after the features


@dataclass(frozen=True, slots=True)
class WeighedRows:
    """Features of the rows, shape (n, len(FEATURES)), NaN rows where a page has none; `outcomes` say why a row wasn't
    judged, else None. A page that isn't the one cited has features to learn from all the same.

    `contrast` holds the features of pairs constructed from supported rows (`models.training.contrast`), for training
    only; `claim_of` and `page_of` are the indexes of the rows that each is made of. `verifier` is the version of the
    one whose opinions are among the features.
    """

    features: Array
    outcomes: tuple[Outcome | None, ...]
    contrast: Array
    claim_of: Indexes
    page_of: Indexes
    verifier: str = ""

    @property
    def judged(self) -> np.ndarray:
        """True for the rows that were judged."""
        return np.array([outcome is None for outcome in self.outcomes])

    @property
    def weighed(self) -> np.ndarray:
        """True for the rows that have features."""
        return np.asarray(~np.isnan(self.features[:, 0]))


def weigh_rows(
    rows: Sequence[Row], documents: Mapping[str, Document], contrast: bool = True, verifier: Path = SHIPPED
) -> WeighedRows:
    """Judge by rules and verifier what can be judged, with constructed pairs if asked for.

    Kept under `var/bench` for as long as rows, pages and the code under `models/` are the same: it takes minutes.
    """
    kept = ROOT / "var" / "bench" / f"{_key(rows, documents, verifier)}{'' if contrast else '-plain'}.npz"
    if kept.exists():
        with np.load(kept) as stored:
            names = [str(name) for name in stored["outcomes"]]
            outcomes = tuple(Outcome(name) if name else None for name in names)
            contrast_rows, claim_of, page_of = (stored[name] for name in ("contrast", "claim_of", "page_of"))
            by = str(stored["verifier"])
            return WeighedRows(stored["features"], outcomes, contrast_rows, claim_of, page_of, by)
    weighed = _weigh(rows, documents, contrast, load_verifier(str(verifier)))
    kept.parent.mkdir(parents=True, exist_ok=True)
    names = [outcome.value if outcome else "" for outcome in weighed.outcomes]
    np.savez_compressed(
        kept,
        features=weighed.features,
        outcomes=np.array(names),
        contrast=weighed.contrast,
        claim_of=weighed.claim_of,
        page_of=weighed.page_of,
        verifier=np.array(weighed.verifier),
    )
    return weighed


def _key(rows: Sequence[Row], documents: Mapping[str, Document], verifier: Path) -> str:
    digest = hashlib.sha256()
    words = sorted((ROOT / "models" / "rot" / "words").glob("*.txt"))
    weights = sorted(verifier.glob("*.safetensors"))
    for source in [
        *sorted((ROOT / "models").rglob("*.py")),
        *words,
        *weights,
        ROOT / "bench" / "rows.py",
        Path(__file__),
    ]:
        if source.name not in _AFTERWARDS and "training" not in source.parts[:-2]:
            digest.update(source.read_bytes())
    for row in rows:
        page = documents.get(row.url)
        digest.update(repr((row.statement, row.url, page.digest if page else "")).encode())
    return digest.hexdigest()[:24]


def _weigh(rows: Sequence[Row], documents: Mapping[str, Document], contrast: bool, verifier: Verifier) -> WeighedRows:
    pages = {url: read(documents[url]) if url in documents else None for url in {row.url for row in rows}}
    features = np.full((len(rows), len(FEATURES)), np.nan)
    outcomes: list[Outcome | None] = [None] * len(rows)
    cases: list[tuple[int, Case]] = []
    for index, row in enumerate(rows):
        claim, page = verbalise(row.statement), pages[row.url]
        if claim is None:
            outcomes[index] = Outcome.NO_LABEL
        elif page is None or isinstance(page, NotJudged):
            outcomes[index] = page.outcome if page else Outcome.UNREACHABLE
        else:
            cases.append((index, Case(row.statement, claim, page)))
    where = [index for index, _ in cases]
    supported = [rows[i].supported and contrast for i in where]
    made = contrasts([case for _, case in cases], supported, [rows[i].domain for i in where])
    todo = [case for _, case in cases] + [one.case for one in made]
    weighed: list[Weighed | NotJudged] = []
    for first in range(0, len(todo), _BATCH):
        weighed += weigh_all(todo[first : first + _BATCH], verifier)
        print(f"\rweighed {len(weighed)} of {len(todo)} pairs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for index, one in zip(where, weighed, strict=False):
        if isinstance(one, NotJudged):
            outcomes[index] = one.outcome
        else:
            features[index] = as_row(one.features)
            outcomes[index] = one.rotten.outcome if one.rotten else None
    extra = [
        (one, as_row(w.features)) for one, w in zip(made, weighed[len(cases) :], strict=True) if isinstance(w, Weighed)
    ]
    return WeighedRows(
        features,
        tuple(outcomes),
        np.array([row for _, row in extra]).reshape(-1, len(FEATURES)),
        np.array([where[one.claim_of] for one, _ in extra], dtype=np.int64),
        np.array([where[one.page_of] for one, _ in extra], dtype=np.int64),
        verifier.version,
    )
