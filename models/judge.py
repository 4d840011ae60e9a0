"""The judge: a claim and a page in, a verdict out. Everything between is a pure function of them and the weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from models.aggregate import classifier as classifiers
from models.aggregate.classifier import BrokenWeights, Classifier
from models.aggregate.features import about_subject, as_row, evidence_features, value_features
from models.aggregate.malon import malon
from models.aggregate.model_features import Seen, model_features
from models.aggregate.weighted_sum import weighted_sum
from models.evidence import Evidence, Stance
from models.outcome import NotJudged, Outcome
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
from models.verify.loaded import RuntimeName, load_verifier
from models.verify.marked import Marked, marked
from models.verify.stance import stance
from models.verify.verifier import Opinion, Verifier

RULES = "6"  # raised whenever matching, reading or ranking changes what a verdict would be
OWN_CLASSIFIER = "classifier"  # the folder in a verifier's own in which the classifier stands that learned from it
# Where one's birth was says nothing of where one's death was, and the other way round.
_LIFE = frozenset({"P19", "P20", "P119", "P569", "P570"})
_OPPOSITE = -0.5  # the bond from which a value belongs to an opposite property
REFUTES = 0.5  # σ of the strongest refuting passage from which an unsupported pair is called refuted


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
    `of_another`: the page has the value only for the opposite property, as a birthplace where one died.
    """

    evidence: tuple[Evidence, ...]
    features: dict[str, float]
    about_subject: float
    rotten: NotJudged | None = None
    of_another: bool = False


class Judge:
    """A verifier and a classifier, loaded once. Safe to use for any number of cases, from one thread."""

    def __init__(self, verifier: Verifier, classifier: Classifier, verbaliser: str = "") -> None:
        """`verbaliser` is the name of the model that words the claims, where one does: a part of the version."""
        self._verifier = verifier
        self._classifier = classifier
        self.version = "/".join((RULES, verifier.version, classifier.version, *((verbaliser,) if verbaliser else ())))

    @classmethod
    def load(
        cls,
        verifier: str = "",
        runtime: RuntimeName = "torch",
        device: str = "auto",
        threads: int = 0,
        verbaliser: str = "",
    ) -> Judge:
        """The verifier of a folder with the classifier that stands in it, or, where it is empty, both shipped ones.

        Raises `BrokenVerifier`, or `BrokenWeights`, also where the classifier learned from another verifier.
        """
        opened = load_verifier(verifier, runtime, device, threads)
        folder = classifier_folder(verifier)
        classifier = classifiers.load(folder)
        if not classifier.learned_from(opened.version):
            raise BrokenWeights(
                f"{folder}: fitted on the opinions of verifier {classifier.verifier}, and this is {opened.version}; "
                "make a new one with python -m bench fit"
            )
        return cls(opened, classifier, verbaliser)

    def judge(self, statement: Statement, claim: Claim, page: Page) -> Verdict | NotJudged:
        """The verdict on one case; `NotJudged` where the page isn't one that it can be judged by."""
        return self.judge_all([Case(statement, claim, page)])[0]

    def judge_all(self, cases: Sequence[Case]) -> list[Verdict | NotJudged]:
        """The verdicts on many cases, in their order; faster than one by one."""
        weighed = weigh_all(cases, self._verifier, rotten=False)
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
            unsure=is_unsure(self._classifier, probability, z),
        )


def classifier_folder(verifier: str) -> Path:
    """Where the classifier stands that learned from a verifier's folder; the shipped one, where that is empty."""
    return Path(verifier) / OWN_CLASSIFIER if verifier else classifiers.SHIPPED


def is_unsure(classifier: Classifier, probability: float, z: Stance) -> bool:
    """Whether the judge abstains: where its error would be too high, and where a person would find support by an
    inference that it can't follow.
    """
    inferred = probability >= classifier.threshold and z is not Stance.SUPPORTS
    return inferred or classifier.is_unsure(probability)


def stance_of(probability: float, threshold: float, weighed: Weighed) -> Stance:
    """z of a pair: supported from the threshold on y, but only where the page names the value, and not for another.

    People also find support by inference where it doesn't; that is in y, and left to people in z.
    """
    refuting = max((one.refutes for one in weighed.evidence), default=0.0)
    if probability >= threshold and weighed.features["value_best"] >= HINT and not weighed.of_another:
        return Stance.SUPPORTS
    if probability < threshold and refuting >= REFUTES:
        return Stance.REFUTES
    return Stance.NOT_ENOUGH_INFO


def weigh_all(cases: Sequence[Case], verifier: Verifier, *, rotten: bool = True) -> list[Weighed | NotJudged]:
    """Match, prefilter, verify and rank; `NotJudged` where a page has no passage, or none that can be read, and, unless
    `rotten` ones are asked for, where it can't be the page that was cited.
    """
    pages = {id(case.page): PageWords(case.page) for case in cases}
    prepared = [_prepare(case, pages[id(case.page)]) for case in cases]
    if not rotten:
        prepared = [(one.rotten or one) if isinstance(one, _Prepared) else one for one in prepared]
    chosen = [p for p in prepared if isinstance(p, _Prepared)]
    opinions = iter(verifier.opinions([pair for p in chosen for pair in p.pairs]))
    return [_weigh(p, [next(opinions) for _ in p.pairs], verifier) if isinstance(p, _Prepared) else p for p in prepared]


def unjudged(case: Case) -> NotJudged | None:
    """Why a page isn't one to judge a case by; None where it is. The verifier isn't asked."""
    prepared = _prepare(case, PageWords(case.page))
    return prepared if isinstance(prepared, NotJudged) else prepared.rotten


@dataclass(frozen=True, slots=True)
class _Prepared:
    case: Case
    matches: tuple[PassageMatch, ...]
    indexes: tuple[int, ...]
    pairs: tuple[Marked, ...]
    rotten: NotJudged | None


def _prepare(case: Case, words: PageWords) -> _Prepared | NotJudged:
    if not case.page.passages:
        return NotJudged(Outcome.NO_TEXT, "no passage to judge by")
    wording = _wording(case.statement, case.claim)
    matches = match_page(_also_named(case.statement, wording), words)
    rotten = rot(case.page, case.statement, matches)
    if unread := unread_language(case.page, matches):
        return rotten or unread
    passages = case.page.passages
    indexes = tuple(prefilter(case.claim.text, passages, matches))
    asked = _named(case.statement, wording)
    pairs = (marked(asked, case.page.title, passages[at], matches[at], words) for at in indexes)
    return _Prepared(case, matches, indexes, tuple(pairs), rotten)


def _wording(statement: Statement, claim: Claim) -> str:
    """What an editor's wording says of the property: the claim without subject and value. Empty where there is none."""
    if claim.wording != "override":
        return ""
    words = claim.text
    for known in (statement.item.label or "", say_value(statement.value)):
        words = words.replace(known, " ") if known else words
    return " ".join(words.split()).strip(" .")


def _also_named(statement: Statement, wording: str) -> Statement:
    """An editor's wording counts among the property's names, so that it is looked for in the page as well."""
    prop = statement.property
    return replace(statement, property=replace(prop, aliases=(*prop.aliases, wording))) if wording else statement


def _named(statement: Statement, wording: str) -> Statement:
    """The verifier reads an editor's wording in place of the property's label: that is what editors word it for."""
    return replace(statement, property=replace(statement.property, label=wording)) if wording else statement


def _weigh(prepared: _Prepared, opinions: Sequence[Opinion], verifier: Verifier) -> Weighed:
    page, statement = prepared.case.page, prepared.case.statement
    about = about_subject(page, prepared.matches)
    by_evidence: dict[int, Seen] = {}
    candidates = []
    for index, opinion in zip(prepared.indexes, opinions, strict=True):
        match = prepared.matches[index]
        supports, refutes, neither = stance(match, about, opinion)
        one = Evidence(page.passages[index], relevance(opinion, match), supports, refutes, neither, match.spans())
        by_evidence[id(one)] = Seen(match, opinion)
        candidates.append(one)
    evidence = top_without_overlap(candidates)
    together = verifier.together([by_evidence[id(one)].opinion for one in evidence])
    features = value_features(statement, page, prepared.matches)
    features |= evidence_features(evidence)
    features |= model_features(list(by_evidence.values()), together)
    of_another = statement.property.id in _LIFE and features["bond_min"] <= _OPPOSITE and features["bond_max"] <= 0
    return Weighed(evidence, features, about, prepared.rotten, of_another)


def relevance(opinion: Opinion, match: PassageMatch) -> float:
    """ρ in [−1, 1]: the mean of the verifier's and of what the matcher found there."""
    return 0.5 * opinion.relevance + 0.5 * (2.0 * strength(match) - 1.0)
