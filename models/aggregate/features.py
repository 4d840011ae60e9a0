"""What the classifier knows of a pair: numbers from the matches, the evidence and the page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from models.aggregate.model_features import MODEL_FEATURES
from models.evidence import Evidence
from models.read.page import Page
from models.statement import EntityValue, QuantityValue, Statement, TextValue, TimeValue
from models.values.found import NAMED
from models.values.match import PassageMatch

Array = npt.NDArray[np.float64]

_HEADS = 24  # titles and headings looked at for the subject

# Rules only, no model: the row `values_only` of the bench.
VALUE_FEATURES = (
    "subject_in_heads", "subject_best", "subject_count", "value_best", "value_own", "value_count", "value_share",
    "value_subject", "value_property", "value_subject_property", "property_count", "bond_best", "bond_max", "bond_min",
    "conflict", "value_place", "value_in_table", "value_in_structured", "value_in_text", "value_in_heads", "value_top5",
    "value_if_heads", "value_if_subject", "passages", "is_time", "is_entity", "is_text", "is_quantity", "precision",
    "aliases", "value_length", "value_whose", "value_others", "bond_whose",
)  # fmt: skip
# ProVe's classifier features (equations 13–14): ρ, σ and lengths of the evidence, five at most.
EVIDENCE_FEATURES = (
    "relevance_1", "relevance_mean", "supports_max", "supports_weighted", "refutes_max", "refutes_weighted", "length_1",
    "length_mean",
)  # fmt: skip
FEATURES = VALUE_FEATURES + EVIDENCE_FEATURES + MODEL_FEATURES


def about_subject(page: Page, matches: Sequence[PassageMatch]) -> float:
    """How surely a page is about the subject, in [0, 1]: the best match in its title and its first headings."""
    heads = [
        match.subject_score
        for passage, match in zip(page.passages, matches, strict=True)
        if page.blocks[passage.block].kind in {"title", "heading"}
    ][:_HEADS]
    return max(heads, default=0.0)


def _best(values: Array) -> float:
    return float(values.max(initial=0.0))


def value_features(statement: Statement, page: Page, matches: Sequence[PassageMatch]) -> dict[str, float]:
    """The features that need no model, by name."""
    passages = page.passages
    subject = np.array([match.subject_score for match in matches])
    value = np.array([match.value_score for match in matches])
    cue = np.array([match.property_score for match in matches])
    bond = np.array([match.bond for match in matches])
    conflict = np.array([match.conflict for match in matches])
    kinds = np.array([passage.kind for passage in passages])
    own = np.array([not passage.boilerplate for passage in passages], dtype=bool)
    heads = np.array([page.blocks[passage.block].kind in {"title", "heading"} for passage in passages], dtype=bool)
    full = value >= NAMED
    tied = np.where(value > 0, value * bond, 0.0)
    whose = np.array([match.whose for match in matches])
    others = np.array([match.others for match in matches], dtype=bool)
    best = int(np.argmax(value + 0.5 * bond + 0.2 * subject))
    in_heads = about_subject(page, matches)
    return {
        "subject_in_heads": in_heads,
        "subject_best": _best(subject),
        "subject_count": float(np.log1p((subject >= NAMED).sum())),
        "value_best": _best(value),
        "value_own": _best(value[own]),
        "value_count": float(np.log1p(full.sum())),
        "value_share": float(full.mean()),
        "value_subject": _best(value * subject),
        "value_property": _best(value * cue),
        "value_subject_property": _best(value * subject * cue),
        "property_count": float(np.log1p((cue > 0).sum())),
        "bond_best": float(bond[best]),
        "bond_max": _best(tied),
        "bond_min": float(tied.min(initial=0.0)),
        "conflict": _best(conflict),
        "value_place": 1.0 - float(np.argmax(full)) / len(full) if full.any() else 0.0,
        "value_in_table": _best(value[kinds == "table"]),
        "value_in_structured": _best(value[kinds == "structured"]),
        "value_in_text": _best(value[kinds == "text"]),
        "value_in_heads": _best(value[heads]),
        "value_top5": float(np.sort(value)[-5:].mean()),
        "value_if_heads": _best(value) * in_heads,
        "value_if_subject": _best(value) * _best(subject),
        "value_whose": _best(value * whose),
        "value_others": _best(value[others]),
        "bond_whose": _best(np.where(others, 0.3, 1.0) * tied * whose),
        "passages": float(np.log1p(len(passages))),
        **_value_kind(statement),
    }


def _value_kind(statement: Statement) -> dict[str, float]:
    value = statement.value
    text = (
        value.term.label or "" if isinstance(value, EntityValue) else value.text if isinstance(value, TextValue) else ""
    )
    return {
        "is_time": float(isinstance(value, TimeValue)),
        "is_entity": float(isinstance(value, EntityValue)),
        "is_text": float(isinstance(value, TextValue)),
        "is_quantity": float(isinstance(value, QuantityValue)),
        "precision": float(value.precision) if isinstance(value, TimeValue) else 0.0,
        "aliases": float(np.log1p(len(value.term.aliases))) if isinstance(value, EntityValue) else 0.0,
        "value_length": float(np.log1p(len(text))),
    }


def evidence_features(evidence: Sequence[Evidence]) -> dict[str, float]:
    """The features of the five, by name."""
    relevance = np.array([one.relevance for one in evidence])
    supports = np.array([one.supports for one in evidence])
    refutes = np.array([one.refutes for one in evidence])
    lengths = np.array([len(one.passage.text) for one in evidence], dtype=float)
    weights = np.clip(relevance, 0.0, None)
    total = float(weights.sum()) or 1.0
    return {
        "relevance_1": float(relevance[0]),
        "relevance_mean": float(relevance.mean()),
        "supports_max": _best(supports),
        "supports_weighted": float((weights * supports).sum() / total),
        "refutes_max": _best(refutes),
        "refutes_weighted": float((weights * refutes).sum() / total),
        "length_1": float(lengths[0]),
        "length_mean": float(lengths.mean()),
    }


def as_row(features: dict[str, float], names: Sequence[str] = FEATURES) -> Array:
    """Features in the order of their names, shape (len(names),)."""
    return np.array([features[name] for name in names], dtype=np.float64)
