"""What a run did, in a few lines for the operator and as numbers for the database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from bot.walk import Walked
from bot.work import Tally

_STANCES = {
    "supports": "supported",
    "refutes": "refuted",
    "not_enough_info": "not enough information",
    "cant_tell": "can’t tell",
}
_NOTES = {
    "malformed_lines": "malformed lines",
    "truncated": "premature end",
    "missing_entities": "entities that don't exist",
    "redirects": "redirects followed",
}


def counts(walked: Walked | None, tally: Tally, other_bodies: int = 0) -> dict[str, Any]:
    """The numbers of a run, as `run.counts` holds them."""
    walk = (
        {}
        if walked is None
        else {
            "entities": walked.entities,
            "statements": walked.statements,
            "pairs": walked.pairs,
            **asdict(walked.counts),
            "other_bodies": other_bodies,
            **walked.notes,
        }
    )
    return {
        **walk,
        "judged": tally.stances.total(),
        "not_judged": tally.outcomes.total(),
        "failed": tally.failed.total(),
        "lost": tally.lost,
        "stances": dict(tally.stances),
        "outcomes": {outcome.value: number for outcome, number in tally.outcomes.items()},
    }


def skipped(walked: Walked | None) -> dict[str, int]:
    """Why pairs were skipped, as `run.skipped` holds it."""
    return {} if walked is None else {reason.value: number for reason, number in walked.skipped.items()}


def lines(walked: Walked | None, tally: Tally, other_bodies: int = 0) -> Iterator[str]:
    """The summary of a run."""
    if walked is not None:
        yield from _walk_lines(walked, other_bodies)
    if not tally.done:
        yield "Nothing was left to do." if walked is None or walked.pairs else "No pair was found to judge."
        return
    stances = {words: tally.stances[stance] for stance, words in _STANCES.items()}
    yield f"Judged: {tally.stances.total()}{_parts(stances)}"
    outcomes = {outcome.label: number for outcome, number in tally.outcomes.items()}
    yield f"Not judged: {tally.outcomes.total()}{_parts(outcomes)}"
    if tally.failed:
        yield f"Failed, to be tried again later: {tally.failed.total()}{_parts(tally.failed)}"
    if tally.lost:
        yield f"Taken over by another worker: {tally.lost}"


def _walk_lines(walked: Walked, other_bodies: int) -> Iterator[str]:
    states = asdict(walked.counts)
    states["another page now"] = other_bodies
    states["unchanged"] = max(states["unchanged"] - other_bodies, 0)
    retired = states.pop("retired")
    words = {name.replace("_", " "): number for name, number in states.items()}
    yield (
        f"Walked: {walked.entities} entities, {walked.statements} statements, "
        f"{walked.pairs} references to judge{_parts(words)}"
    )
    if retired:
        yield f"Retired: {retired} references that aren't there any more, or aren't judged now"
    if walked.skipped:
        yield (
            f"Skipped: {sum(walked.skipped.values())}"
            f"{_parts({reason.label: number for reason, number in walked.skipped.items()})}"
        )
    if walked.notes:
        yield f"Noticed{_parts({_NOTES.get(name, name): number for name, number in walked.notes.items()})}"


def _parts(numbers: Mapping[str, int]) -> str:
    some = [f"{number} {words}" for words, number in sorted(numbers.items(), key=lambda item: -item[1]) if number]
    return f" ({'; '.join(some)})" if some else ""
