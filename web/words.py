"""The words for figures and names. They speak of what the page says, never of a source's worth or of truth."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from models.evidence import Match, Stance
from models.outcome import Outcome
from models.values.found import NAMED
from store.queue import CANT_TELL


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

FEW = 20  # under which a share of pairs says little

UNSURE = Sign("Can’t tell", "?")

LEANING = {
    Stance.SUPPORTS: "leans to: supports",
    Stance.REFUTES: "leans to: does not",
    Stance.NOT_ENOUGH_INFO: "leans to: does not",
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
    "retired": "The reference isn’t there any more, or isn’t one that is judged now",
}

RUN_STATES = {
    "running": Sign("Running", "…"),
    "finished": Sign("Finished", "✓"),
    "stopped": Sign("Stopped", "■"),
    "failed": Sign("Failed", "✗"),
}

# By the codes that a walk counts them under.
SKIPPED = {
    "deprecated": "The statement is deprecated",
    "no_value": "The statement says that there is no value",
    "unknown_value": "The statement’s value is unknown",
    "ontological_property": "The property orders the graph itself",
    "value_without_words": "The value isn’t one that a page says in words",
    "unreadable_statement": "The statement can’t be read",
    "subject_not_an_item": "The subject is neither an item nor a lexeme",
    "imported_from_wikimedia": "The reference only names a Wikimedia project",
    "reference_without_address": "The reference has no web address",
    "repeated_reference": "The statement has the same reference twice",
    "statement_id_of_another": "The statement’s id is another statement’s",
    "not_asked_for": "The query named another statement of the item",
}

# Details that say no more than the words of their outcome.
NOTHING_MORE = frozenset(
    {
        "the page asks for a human visitor",
        "the page has no text of its own",
        "no passage to judge by",
        "none of the reference's addresses is one of the web's",
    }
)

VIA = {
    "live": "the live page",
    "archive": "an archived copy",
    "identifier": "the page that the identifier leads to",
    "wayback": "a copy in a web archive",
}

ADDRESSES = {
    "live": "The live page at",
    "archive": "The archived copy at",
    "identifier": "The page that the identifier leads to, at",
    "wayback": "A copy in the web archive at",
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
    "reckoned": "reckoned from the day the page appeared",
    "inferred": "implied",
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


_HIGH_BUT = {Stance.REFUTES: "though it says otherwise", Stance.NOT_ENOUGH_INFO: "not said outright"}


def likelihood(probability: float, stance: Stance = Stance.SUPPORTS, unsure: bool = False) -> str:
    """Words for a probability of support. "Likely" is kept for pages that were found to support.

    A high figure beside another stance says why it isn't that; one of which the judge is unsure, what it leans to.
    """
    if unsure:
        return LEANING[stance]
    for bound, words in ((0.1, "very unlikely"), (0.35, "unlikely"), (0.65, "uncertain")):
        if probability < bound:
            return words
    if stance is not Stance.SUPPORTS:
        return _HIGH_BUT[stance]
    return "likely" if probability < 0.9 else "very likely"


_BANDS = {Stance.REFUTES: "low", Stance.NOT_ENOUGH_INFO: "middle", Stance.SUPPORTS: "high"}


def band(stance: Stance, unsure: bool = False) -> str:
    """Which of four looks a verdict has: `low`, `middle`, `high` or `unsure`."""
    return "unsure" if unsure else _BANDS[stance]


def page_stance(value: str) -> Sign:
    """What the page does, by a stance as the database holds it, or what the judge can't tell (`CANT_TELL`)."""
    return UNSURE if value == CANT_TELL else PAGE_STANCE[Stance(value)]


def skipped(reason: str) -> str:
    """Why a walk left pairs out, by the code that it counts them under."""
    return SKIPPED.get(reason) or reason.replace("_", " ").capitalize()


def sentence(detail: str) -> str:
    """An outcome's detail as a sentence; "" where it says no more than the outcome's own words."""
    if not detail or detail in NOTHING_MORE:
        return ""
    first = detail.split(maxsplit=1)[0]
    if not first.isalpha() or not first.islower():  # a host, a status, a name: not for us to write otherwise
        return detail
    return f"{detail[0].upper()}{detail[1:]}{'' if detail[-1] in '.!?…' else '.'}"


def figure(number: float) -> str:
    """A number with one digit after the point, where there is any, e.g. "3.2" or "1,204"."""
    return f"{number:,.1f}".removesuffix(".0")


def signed(number: float) -> str:
    """A number in [−1, 1] with its sign and two digits, e.g. "+0.42"."""
    return f"{number:+.2f}".replace("-", "−")


def moment(at: datetime) -> str:
    """A time to the minute in UTC, e.g. "3 May 2026, 14:05 UTC". Times in the database have a zone."""
    there = at.astimezone(UTC)
    return f"{there.day} {there:%B %Y, %H:%M} UTC"


def day(at: datetime) -> str:
    """A day in UTC, e.g. "3 May 2026"."""
    there = at.astimezone(UTC)
    return f"{there.day} {there:%B %Y}"


def count(number: int, one: str, many: str) -> str:
    """A number with its noun, e.g. "1 pair" or "1,204 pairs"."""
    return f"{number:,} {one if number == 1 else many}"


def outcome_label(value: str) -> str:
    """The words of an outcome as the database holds it."""
    return Outcome(value).label
