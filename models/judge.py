"""The judge: a claim and a page in, a verdict out. Everything between is a pure function of them and the weights."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.aggregate import classifier as classifiers
from models.aggregate.classifier import Classifier
from models.aggregate.features import about_subject, as_row, evidence_features, value_features
from models.aggregate.malon import malon
from models.aggregate.weighted_sum import weighted_sum
from models.evidence import Evidence, Stance
from models.outcome import NotJudged, Outcome
from models.rank.encoder import PACKAGED, Encoder
from models.rank.prefilter import prefilter, strength
from models.rank.select import top_without_overlap
from models.read.page import Page
from models.reason import reason
from models.rot import rot
from models.statement import Statement
from models.value_evidence import unread_language
from models.values.found import HINT
from models.values.match import PassageMatch, match_page
from models.values.page_words import PageWords
from models.verbalise import say_value
from models.verdict import Claim, Verdict
from models.verify.rules import stance

RULES = "3"  # raised whenever matching, reading or ranking changes what a verdict would be
_REFUTES = 0.5  # σ of the strongest refuting passage from which an unsupported pair is called refuted
_KEPT_VECTORS = 50_000


@dataclass(frozen=True, slots=True)
class Case:
    """A statement with its claim and the page that it is judged by."""

    statement: Statement
    claim: Claim
    page: Page


@dataclass(frozen=True, slots=True)
class Weighed:
    """A case before aggregation: its evidence (five at most), and the features for the classifier by name.

    `rotten` says why the page can't be the one that was cited; a classifier may learn from its features all the same.
    """

    evidence: tuple[Evidence, ...]
    features: dict[str, float]
    about_subject: float
    rotten: NotJudged | None = None


class Judge:
    """An encoder and a classifier, loaded once. Safe to use for any number of cases, from one thread."""

    def __init__(
        self, encoder: Encoder, classifier: Classifier, encoder_name: str = PACKAGED, verbaliser: str = ""
    ) -> None:
        """`verbaliser` is the name of the model that words the claims, where one does: a part of the version."""
        self._encoder = encoder
        self._classifier = classifier
        self._vectors: OrderedDict[str, np.ndarray] = OrderedDict()
        self.version = "/".join((RULES, encoder_name, classifier.version, *((verbaliser,) if verbaliser else ())))

    @classmethod
    def load(cls, encoder: str = PACKAGED, device: str = "auto", threads: int = 0, verbaliser: str = "") -> Judge:
        """The shipped classifier with an encoder by name. Raises `UnknownEncoder` or `BrokenWeights`."""
        return cls(Encoder(encoder, device, threads), classifiers.load(), encoder, verbaliser)

    def judge(self, statement: Statement, claim: Claim, page: Page) -> Verdict | NotJudged:
        """The verdict on one case; `NotJudged` where the page isn't one that it can be judged by."""
        return self.judge_all([Case(statement, claim, page)])[0]

    def judge_all(self, cases: Sequence[Case]) -> list[Verdict | NotJudged]:
        """The verdicts on many cases, in their order; faster than one by one."""
        weighed = weigh_all(cases, self._similarities)
        weighed = [one.rotten or one if isinstance(one, Weighed) else one for one in weighed]
        rows = [as_row(one.features, self._classifier.names) for one in weighed if isinstance(one, Weighed)]
        scores = iter(self._classifier.probabilities(np.stack(rows)) if rows else ())
        return [
            self._verdict(case, one, float(next(scores))) if isinstance(one, Weighed) else one
            for case, one in zip(cases, weighed, strict=True)
        ]

    def _verdict(self, case: Case, weighed: Weighed, probability: float) -> Verdict:
        z = stance_of(probability, self._classifier.threshold, weighed)
        return Verdict(
            stance=z,
            probability=probability,
            evidence=weighed.evidence,
            weighted_sum=weighted_sum(weighed.evidence)[0],
            malon=malon(weighed.evidence)[0],
            model_version=self.version,
            reason=reason(case.statement, z, weighed.evidence, weighed.about_subject),
        )

    def _similarities(self, claims: Sequence[str], texts: Sequence[Sequence[str]]) -> list[list[float]]:
        return similarities(self._encoder, self._vectors, claims, texts)


def stance_of(probability: float, threshold: float, weighed: Weighed) -> Stance:
    """z of a pair: supported from the threshold on y, but only where the page names the value at all.

    People also find support by inference where it doesn't; that is in y, and left to people in z.
    """
    refuting = max((one.refutes for one in weighed.evidence), default=0.0)
    if probability >= threshold and weighed.features["value_best"] >= HINT:
        return Stance.SUPPORTS
    if probability < threshold and refuting >= _REFUTES:
        return Stance.REFUTES
    return Stance.NOT_ENOUGH_INFO


def similarities(
    encoder: Encoder,
    kept: OrderedDict[str, np.ndarray],
    claims: Sequence[str],
    texts: Sequence[Sequence[str]],
) -> list[list[float]]:
    """Cosines in [−1, 1] of each claim with its own texts. `kept` holds vectors from call to call, oldest dropped."""
    wanted = list(dict.fromkeys([*claims, *(text for some in texts for text in some)]))
    new = [text for text in wanted if text not in kept]
    for text, vector in zip(new, encoder.encode(new), strict=True):
        kept[text] = vector
    cosines = [
        [float(np.clip(kept[claim] @ kept[text], -1.0, 1.0)) for text in some]
        for claim, some in zip(claims, texts, strict=True)
    ]
    while len(kept) > _KEPT_VECTORS:
        kept.popitem(last=False)
    return cosines


Similarity = Callable[[Sequence[str], Sequence[Sequence[str]]], list[list[float]]]


def weigh_all(cases: Sequence[Case], similarity: Similarity) -> list[Weighed | NotJudged]:
    """Match, prefilter, rank and give stances; `NotJudged` where a page has no passage, or none that can be read."""
    pages = {id(case.page): PageWords(case.page) for case in cases}
    prepared = [_prepare(case, pages[id(case.page)]) for case in cases]
    chosen = [p for p in prepared if isinstance(p, _Prepared)]
    cosines = iter(
        similarity(
            [p.case.claim.text for p in chosen], [[_in_context(p.case.page, i) for i in p.indexes] for p in chosen]
        )
    )
    return [_weigh(p, next(cosines)) if isinstance(p, _Prepared) else p for p in prepared]


@dataclass(frozen=True, slots=True)
class _Prepared:
    case: Case
    matches: tuple[PassageMatch, ...]
    indexes: tuple[int, ...]
    rotten: NotJudged | None


def _prepare(case: Case, words: PageWords) -> _Prepared | NotJudged:
    if not case.page.passages:
        return NotJudged(Outcome.NO_TEXT, "no passage to judge by")
    matches = match_page(_with_wording(case.statement, case.claim), words)
    rotten = rot(case.page, case.statement, matches)
    if unread := unread_language(case.page, matches):
        return rotten or unread
    return _Prepared(case, matches, tuple(prefilter(case.claim.text, case.page.passages, matches)), rotten)


def _with_wording(statement: Statement, claim: Claim) -> Statement:
    """An editor's wording counts among the property's names, so that it is looked for in the page as well."""
    if claim.wording != "override":
        return statement
    words = claim.text
    for known in (statement.item.label or "", say_value(statement.value)):
        words = words.replace(known, " ") if known else words
    prop = statement.property
    return replace(statement, property=replace(prop, aliases=(*prop.aliases, " ".join(words.split()).strip(" ."))))


def _in_context(page: Page, index: int) -> str:
    """A passage as the encoder reads it: a short one with the heading it stands under, which says whose it is."""
    passage = page.passages[index]
    context = passage.heading or page.title
    return f"{context[:100]}. {passage.text}" if context and len(passage.text) < 120 else passage.text


def _weigh(prepared: _Prepared, cosines: Sequence[float]) -> Weighed:
    page, statement = prepared.case.page, prepared.case.statement
    about = about_subject(page, prepared.matches)
    similar: dict[int, float] = {}
    candidates = []
    for index, cosine in zip(prepared.indexes, cosines, strict=True):
        match = prepared.matches[index]
        supports, refutes, neither = stance(match, about)
        one = Evidence(page.passages[index], relevance(cosine, match), supports, refutes, neither, match.spans())
        similar[id(one)] = cosine
        candidates.append(one)
    evidence = top_without_overlap(candidates)
    features = value_features(statement, page, prepared.matches)
    features |= evidence_features(evidence, [similar[id(one)] for one in evidence])
    return Weighed(evidence, features, about, prepared.rotten)


def relevance(cosine: float, match: PassageMatch) -> float:
    """ρ in [−1, 1]: the mean of the claim's cosine with the passage and of what the matcher found there."""
    return 0.5 * cosine + 0.5 * (2.0 * strength(match) - 1.0)
