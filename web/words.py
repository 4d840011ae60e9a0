"""The words for figures and names. They speak of what the page says, never of a source's worth or of truth."""

from __future__ import annotations

from dataclasses import dataclass

from flask_babel import gettext, lazy_gettext

from models.evidence import Match, Stance
from models.outcome import Outcome
from models.values.found import NAMED
from store.filters import CANT_TELL
from web.formats import percent


@dataclass(frozen=True, slots=True)
class Sign:
    """A name in words with a sign beside it, so that no colour is needed to tell it."""

    words: str
    sign: str


PAGE_STANCE = {
    Stance.SUPPORTS: Sign(lazy_gettext("The page supports it"), "✓"),
    Stance.REFUTES: Sign(lazy_gettext("The page says otherwise"), "≠"),
    Stance.NOT_ENOUGH_INFO: Sign(lazy_gettext("The page doesn’t say"), "–"),
}

PASSAGE_STANCE = {
    Stance.SUPPORTS: Sign(lazy_gettext("supports it"), "✓"),
    Stance.REFUTES: Sign(lazy_gettext("says otherwise"), "≠"),
    Stance.NOT_ENOUGH_INFO: Sign(lazy_gettext("doesn’t say"), "–"),
}

STANCE_KIND = {Stance.SUPPORTS: "success", Stance.REFUTES: "error", Stance.NOT_ENOUGH_INFO: "warning"}
"""Which look of a chip goes with a stance; its words and its sign say the same."""

FEW = 20  # under which a share of pairs says little

UNSURE = Sign(lazy_gettext("Can’t tell"), "?")

OUTCOMES = {
    Outcome.NOT_FOUND: lazy_gettext("Page not found"),
    Outcome.GONE: lazy_gettext("Page gone"),
    Outcome.SERVER_ERROR: lazy_gettext("The source’s server failed"),
    Outcome.RATE_LIMITED: lazy_gettext("The source’s server asked us to wait"),
    Outcome.UNREACHABLE: lazy_gettext("The source’s server can’t be reached"),
    Outcome.TIMED_OUT: lazy_gettext("The source’s server took too long"),
    Outcome.TLS: lazy_gettext("The source’s certificate isn’t valid"),
    Outcome.REDIRECT_LOOP: lazy_gettext("The page redirects without end"),
    Outcome.MALFORMED_ANSWER: lazy_gettext("The source’s answer was malformed"),
    Outcome.BLOCKED: lazy_gettext("The source refuses access"),
    Outcome.BOT_WALL: lazy_gettext("The source asks for a human visitor"),
    Outcome.ROBOTS: lazy_gettext("The source’s robots.txt asks us not to read it"),
    Outcome.REDIRECTED_ELSEWHERE: lazy_gettext("The address leads to another page now"),
    Outcome.NO_TEXT: lazy_gettext("The page has no text to read"),
    Outcome.WRONG_FORMAT: lazy_gettext("Not a format that we read"),
    Outcome.UNSUPPORTED_LANGUAGE: lazy_gettext("Not in a language that we read"),
    Outcome.TOO_LARGE: lazy_gettext("The page is too large"),
    Outcome.UNSAFE_ADDRESS: lazy_gettext("The address isn’t on the public web"),
    Outcome.NO_USABLE_URL: lazy_gettext("The reference has no usable web address"),
    Outcome.NO_LABEL: lazy_gettext("The statement can’t be put into words: a label is missing"),
}

RANKS = {
    "preferred": lazy_gettext("preferred"),
    "normal": lazy_gettext("normal"),
    "deprecated": lazy_gettext("deprecated"),
}

UNSAID = lazy_gettext("not sure enough to say")

DECISIONS = {
    "supports": Sign(lazy_gettext("The page supports it"), "✓"),
    "does_not": Sign(lazy_gettext("The page does not"), "✗"),
    "cant_tell": Sign(lazy_gettext("Can’t tell"), "?"),
    "gone": Sign(lazy_gettext("The page is gone or moved"), "⌀"),
    "wrong_statement": Sign(lazy_gettext("The statement needs mending"), "!"),
    "bad_wording": Sign(lazy_gettext("The wording is bad"), "“”"),
}

STATES = {
    "open": lazy_gettext("Not reviewed"),
    "reviewed": lazy_gettext("Reviewed"),
    "mine": lazy_gettext("Reviewed by me"),
    "disputed": lazy_gettext("People disagree"),
    "all": lazy_gettext("All"),
}

PAIR_STATES = {
    "waiting": lazy_gettext("Waits to be judged"),
    "leased": lazy_gettext("Being judged now"),
    "judged": lazy_gettext("Judged"),
    "not_judged": lazy_gettext("Not judged"),
    "failed": lazy_gettext("An attempt failed; it will be tried again"),
    "retired": lazy_gettext("The reference isn’t there any more, or isn’t one that is judged now"),
}

RUN_STATES = {
    "running": Sign(lazy_gettext("Running"), "…"),
    "finished": Sign(lazy_gettext("Finished"), "✓"),
    "stopped": Sign(lazy_gettext("Stopped"), "■"),
    "failed": Sign(lazy_gettext("Failed"), "✗"),
}

# By the codes that a walk counts them under.
SKIPPED = {
    "deprecated": lazy_gettext("The statement is deprecated"),
    "no_value": lazy_gettext("The statement says that there is no value"),
    "unknown_value": lazy_gettext("The statement’s value is unknown"),
    "ontological_property": lazy_gettext("The property orders the graph itself"),
    "value_without_words": lazy_gettext("The value isn’t one that a page says in words"),
    "unreadable_statement": lazy_gettext("The statement can’t be read"),
    "subject_not_an_item": lazy_gettext("The subject is neither an item nor a lexeme"),
    "imported_from_wikimedia": lazy_gettext("The reference only names a Wikimedia project"),
    "reference_without_address": lazy_gettext("The reference has no web address"),
    "repeated_reference": lazy_gettext("The statement has the same reference twice"),
    "statement_id_of_another": lazy_gettext("The statement’s id is another statement’s"),
    "not_asked_for": lazy_gettext("The query named another statement of the item"),
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
    "live": lazy_gettext("the live page"),
    "archive": lazy_gettext("an archived copy"),
    "identifier": lazy_gettext("the page that the identifier leads to"),
    "wayback": lazy_gettext("a copy in a web archive"),
}

ADDRESSES = {
    "live": lazy_gettext("The live page at"),
    "archive": lazy_gettext("The archived copy at"),
    "identifier": lazy_gettext("The page that the identifier leads to, at"),
    "wayback": lazy_gettext("A copy in the web archive at"),
}

KINDS = {
    "text": lazy_gettext("text"),
    "table": lazy_gettext("table row"),
    "structured": lazy_gettext("structured data in the page"),
    "value": lazy_gettext("value in the page"),
    "graph": lazy_gettext("from the graph"),
}

# What references are made of, for where a walk brought no label for it.
REFERENCE_PARTS = {
    "P143": lazy_gettext("imported from Wikimedia project"),
    "P123": lazy_gettext("publisher"),
    "P248": lazy_gettext("stated in"),
    "P304": lazy_gettext("page(s)"),
    "P407": lazy_gettext("language of work or name"),
    "P577": lazy_gettext("publication date"),
    "P813": lazy_gettext("retrieved"),
    "P854": lazy_gettext("reference URL"),
    "P958": lazy_gettext("section, verse, paragraph, or clause"),
    "P1065": lazy_gettext("archive URL"),
    "P1476": lazy_gettext("title"),
    "P2093": lazy_gettext("author name string"),
    "P2960": lazy_gettext("archive date"),
    "P4656": lazy_gettext("Wikimedia import URL"),
}

MATCH_PARTS = {
    "subject": lazy_gettext("the subject"),
    "property": lazy_gettext("the property"),
    "value": lazy_gettext("the value"),
}

MATCH_HOW = {
    "exact": lazy_gettext("exactly"),
    "coarser": lazy_gettext("less precisely"),
    "within_bounds": lazy_gettext("within bounds or rounding"),
    "reckoned": lazy_gettext("reckoned from the day the page appeared"),
    "inferred": lazy_gettext("implied"),
    "alias": lazy_gettext("by another name"),
    "reordered": lazy_gettext("with its words in another order"),
    "initials": lazy_gettext("by initials"),
    "fuzzy": lazy_gettext("nearly"),
}

CONFLICT = lazy_gettext("another value of the same kind")
OPPOSITE = lazy_gettext("words of another property")


def match_title(match: Match) -> str:
    """What a marked span is, e.g. "the value, less precisely"; how nearly, where it is not quite the same."""
    if match.how == "conflict":
        return str(CONFLICT)
    if match.how == "opposite":
        return str(OPPOSITE)
    part = MATCH_PARTS.get(match.part, match.part)
    if match.how == "fuzzy" and match.score < NAMED:
        return str(gettext("%(part)s, in part", part=part))
    how = MATCH_HOW.get(match.how, match.how)
    if match.how == "fuzzy":
        return str(gettext("%(part)s, %(how)s (%(share)s alike)", part=part, how=how, share=percent(match.score)))
    return str(gettext("%(part)s, %(how)s", part=part, how=how))


_HIGH_BUT = {
    Stance.REFUTES: lazy_gettext("though it says otherwise"),
    Stance.NOT_ENOUGH_INFO: lazy_gettext("not said outright"),
}
_LIKELY = (
    (0.1, lazy_gettext("very unlikely")),
    (0.35, lazy_gettext("unlikely")),
    (0.65, lazy_gettext("uncertain")),
)


def likelihood(probability: float, stance: Stance = Stance.SUPPORTS, unsure: bool = False) -> str:
    """Words for a probability of support. "Likely" is kept for pages that were found to support.

    A high figure beside another stance says why it isn't that; one of which the judge is unsure, only that.
    """
    if unsure:
        return str(UNSAID)
    for bound, words in _LIKELY:
        if probability < bound:
            return str(words)
    if stance is not Stance.SUPPORTS:
        return str(_HIGH_BUT[stance])
    return str(gettext("likely") if probability < 0.9 else gettext("very likely"))


_BANDS = {Stance.REFUTES: "low", Stance.NOT_ENOUGH_INFO: "middle", Stance.SUPPORTS: "high"}


def band(stance: Stance, unsure: bool = False) -> str:
    """Which of four looks a verdict has: `low`, `middle`, `high` or `unsure`."""
    return "unsure" if unsure else _BANDS[stance]


def page_stance(value: str) -> Sign:
    """What the page does, by a stance as the database holds it, or what the judge can't tell (`CANT_TELL`)."""
    return UNSURE if value == CANT_TELL else PAGE_STANCE[Stance(value)]


def skipped(reason: str) -> str:
    """Why a walk left pairs out, by the code that it counts them under."""
    known = SKIPPED.get(reason)
    return str(known) if known else reason.replace("_", " ").capitalize()


def sentence(detail: str) -> str:
    """An outcome's detail as a sentence; "" where it says no more than the outcome's own words."""
    if not detail or detail in NOTHING_MORE:
        return ""
    first = detail.split(maxsplit=1)[0]
    if not first.isalpha() or not first.islower():  # a host, a status, a name: not for us to write otherwise
        return detail
    return f"{detail[0].upper()}{detail[1:]}{'' if detail[-1] in '.!?…' else '.'}"


def count(number: int, one: str, many: str) -> str:
    """A number with its noun, e.g. "1 pair" or "1,204 pairs"."""
    return f"{number:,} {one if number == 1 else many}"


def outcome_label(value: str) -> str:
    """The words of an outcome as the database holds it."""
    return str(OUTCOMES[Outcome(value)])
