"""The words for figures and names. They speak of what the page says, never of a source's worth or of truth."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from models.evidence import Match, Stance
from models.outcome import Outcome
from models.values.found import NAMED


@dataclass(frozen=True, slots=True)
class Sign:
    """A name in words with a sign beside it, so that no colour is needed to tell it."""

    words: str
    sign: str


PAGE_STANCE = {
    Stance.SUPPORTS: Sign("The page supports it", "✓"),
    Stance.REFUTES: Sign("The page says otherwise", "≠"),
    Stance.NOT_ENOUGH_INFO: Sign("The page doesn’t say", "–"),
}

PASSAGE_STANCE = {
    Stance.SUPPORTS: Sign("supports it", "✓"),
    Stance.REFUTES: Sign("says otherwise", "≠"),
    Stance.NOT_ENOUGH_INFO: Sign("doesn’t say", "–"),
}

DECISIONS = {
    "supports": Sign("The page supports it", "✓"),
    "does_not": Sign("The page does not", "✗"),
    "cant_tell": Sign("Can’t tell", "?"),
}

STATES = {"open": "Not reviewed", "reviewed": "Reviewed", "all": "All"}

PAIR_STATES = {
    "waiting": "Waits to be judged",
    "leased": "Being judged now",
    "judged": "Judged",
    "not_judged": "Not judged",
    "failed": "An attempt failed; it will be tried again",
}

RUN_STATES = {
    "running": Sign("Running", "…"),
    "finished": Sign("Finished", "✓"),
    "stopped": Sign("Stopped", "■"),
    "failed": Sign("Failed", "✗"),
}

VIA = {
    "live": "the live page",
    "archive": "an archived copy",
    "identifier": "the page that the identifier leads to",
}

KINDS = {
    "text": "text",
    "table": "table row",
    "structured": "structured data in the page",
    "value": "value in the page",
    "graph": "from the graph",
}

# What references are made of, for where a walk brought no label for it.
REFERENCE_PARTS = {
    "P143": "imported from Wikimedia project",
    "P123": "publisher",
    "P248": "stated in",
    "P304": "page(s)",
    "P407": "language of work or name",
    "P577": "publication date",
    "P813": "retrieved",
    "P854": "reference URL",
    "P958": "section, verse, paragraph, or clause",
    "P1065": "archive URL",
    "P1476": "title",
    "P2093": "author name string",
    "P2960": "archive date",
    "P4656": "Wikimedia import URL",
}

MATCH_PARTS = {"subject": "the subject", "property": "the property", "value": "the value"}

MATCH_HOW = {
    "exact": "exactly",
    "coarser": "less precisely",
    "within_bounds": "within bounds or rounding",
    "alias": "by another name",
    "reordered": "with its words in another order",
    "initials": "by initials",
    "fuzzy": "nearly",
}

CONFLICT = "another value of the same kind"
OPPOSITE = "words of another property"


def match_title(match: Match) -> str:
    """What a marked span is, e.g. "the value, less precisely"; how nearly, where it is not quite the same."""
    if match.how == "conflict":
        return CONFLICT
    if match.how == "opposite":
        return OPPOSITE
    part = MATCH_PARTS.get(match.part, match.part)
    if match.how == "fuzzy" and match.score < NAMED:
        return f"{part}, in part"
    nearly = f" ({percent(match.score)} alike)" if match.how == "fuzzy" else ""
    return f"{part}, {MATCH_HOW.get(match.how, match.how)}{nearly}"


def percent(probability: float) -> str:
    """A share of 1 as whole per cent. Only 0 and 1 themselves are 0 % and 100 %: nothing is surer than it is."""
    if 0 < probability < 0.01:
        return "under 1\u00a0%"
    if 0.99 < probability < 1:
        return "over 99\u00a0%"
    return f"{probability * 100:.0f}\u00a0%"


def likelihood(probability: float, stance: Stance = Stance.SUPPORTS) -> str:
    """Words for a probability of support. "Likely" is kept for pages that were found to support."""
    for bound, words in ((0.1, "very unlikely"), (0.35, "unlikely"), (0.65, "uncertain"), (0.9, "likely")):
        if probability < bound:
            return words if stance is Stance.SUPPORTS or bound <= 0.65 else "uncertain"
    return "very likely" if stance is Stance.SUPPORTS else "uncertain"


_BANDS = {Stance.REFUTES: "low", Stance.NOT_ENOUGH_INFO: "middle", Stance.SUPPORTS: "high"}


def band(stance: Stance) -> str:
    """Which of three looks a verdict has: `low`, `middle` or `high`."""
    return _BANDS[stance]


def signed(number: float) -> str:
    """A number in [−1, 1] with its sign and two digits, e.g. "+0.42"."""
    return f"{number:+.2f}".replace("-", "−")


def moment(at: datetime) -> str:
    """A time to the minute in UTC, e.g. "3 May 2026, 14:05 UTC". Times in the database have a zone."""
    there = at.astimezone(UTC)
    return f"{there.day} {there:%B %Y, %H:%M} UTC"


def count(number: int, one: str, many: str) -> str:
    """A number with its noun, e.g. "1 pair" or "1,204 pairs"."""
    return f"{number:,} {one if number == 1 else many}"


def outcome_label(value: str) -> str:
    """The words of an outcome as the database holds it."""
    return Outcome(value).label
