"""What a page that isn't judged still names of a statement, for an editor who can read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from models.evidence import Evidence, Match, Passage
from models.outcome import NotJudged, Outcome
from models.rank.prefilter import strength
from models.rank.select import top_without_overlap
from models.read.language import SUPPORTED, language_name, sounds_english
from models.read.page import Page
from models.values.found import HINT, NAMED
from models.values.match import PassageMatch

_PART, _SENTENCE = 0.4, 60  # of a score, and characters


def unread_language(page: Page, matches: Sequence[PassageMatch]) -> NotJudged | None:
    """The outcome of a page in a language that the judge doesn't read, with what was found in it; else None.

    A page in another language is read all the same where a block of it is in ours and speaks of the statement.
    """
    if page.language in SUPPORTED or _is_addressed(page, matches):
        return None
    detail = f"the text is in {language_name(page.language)} ({page.language})"
    return NotJudged(Outcome.UNSUPPORTED_LANGUAGE, detail, value_evidence(page, matches))


def _is_addressed(page: Page, matches: Sequence[PassageMatch]) -> bool:
    return any(
        (page.blocks[passage.block].language in SUPPORTED or sounds_english(passage.text))
        and not passage.boilerplate
        and (max(match.subject_score, match.value_score) >= NAMED or _is_told(passage, match))
        for passage, match in zip(page.passages, matches, strict=True)
    )


def _is_told(passage: Passage, match: PassageMatch) -> bool:
    """Whether a sentence names a part of the subject's name or of the value, or stands under the subject's name."""
    part = max(match.subject_score, match.value_score) >= _PART
    return len(passage.text) >= _SENTENCE and (part or (match.by == "heading" and match.whose >= HINT))


def value_evidence(page: Page, matches: Sequence[PassageMatch]) -> tuple[Evidence, ...]:
    """The five passages of kind `value` that name most of the value and the subject, the site's own text last.

    Their stance is "not enough info" for certain: nobody has read what they say of the statement.
    """
    own = top_without_overlap(_naming(page, matches, boilerplate=False))
    return own or top_without_overlap(_naming(page, matches, boilerplate=True))


def _naming(page: Page, matches: Sequence[PassageMatch], *, boilerplate: bool) -> Iterator[Evidence]:
    seen: set[str] = set()
    for passage, match in zip(page.passages, matches, strict=True):
        marks = tuple(mark for mark in match.spans() if _names(mark))
        if marks and passage.boilerplate == boilerplate and passage.text not in seen:
            seen.add(passage.text)
            relevance = 2.0 * strength(match) - 1.0
            yield Evidence(replace(passage, kind="value"), relevance, 0.0, 0.0, 1.0, marks)


def _names(mark: Match) -> bool:
    """Whether a mark names the value or the subject; that another value stands there would be a judgement."""
    return mark.part in {"value", "subject"} and mark.how not in {"conflict", "opposite"}
