"""Layouts of a domain that read badly: pages with like addresses of which the judge can make little."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from models.outcome import Outcome
from store import schema

SHOWN = 10
EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Example:
    """A pair whose page reads badly: what it claims, its address, and why not (`failed`: the error of an attempt)."""

    pair_id: int
    claim: str
    url: str
    unsure: bool
    outcome: Outcome | None
    failed: str | None


@dataclass(frozen=True, slots=True)
class Layout:
    """Pages whose addresses begin alike (`prefix`, with "…" for digits): of `pairs` that were read or could not be,
    so many the judge can't tell (`unsure`), of so many nothing can be read, and at so many it `failed`.
    """

    prefix: str
    pairs: int
    unsure: int
    unread: int
    failed: int
    examples: tuple[Example, ...] = ()

    @property
    def bad(self) -> int:
        """Those that read badly."""
        return self.unsure + self.unread + self.failed

    @property
    def share(self) -> float:
        """The share of its pairs that read badly."""
        return self.bad / self.pairs


def bad_layouts(session: Session, domain: str, most: int = SHOWN) -> list[Layout]:
    """The layouts of a domain that read worst, as they were counted last, with examples as they are now.

    Those of few pairs come behind those of many with a like share. Layouts that read well are left out.
    """
    rows = session.execute(text(_LAYOUTS), {"domain": domain, "most": most}).all()
    examples = _examples(session, [pair_id for row in rows for pair_id in row.examples or ()])
    return [
        Layout(
            row.layout,
            row.pairs,
            row.unsure,
            row.unread,
            row.failed,
            tuple(examples[pair_id] for pair_id in row.examples or () if pair_id in examples),
        )
        for row in rows
    ]


def _examples(session: Session, pair_ids: list[int]) -> Mapping[int, Example]:
    pair, verdict = schema.Pair, schema.Verdict
    rows = session.execute(
        select(pair.id, verdict.claim, pair.urls, verdict.unsure, verdict.outcome, pair.state, pair.last_error)
        .outerjoin(verdict, (verdict.pair_id == pair.id) & verdict.current)
        .where(pair.id.in_(pair_ids), pair.state != "retired")
    )
    found: dict[int, Example] = defaultdict()
    for pair_id, claim, urls, unsure, outcome, state, error in rows:
        failed = error if state == "failed" else None
        if failed is not None or unsure or outcome is not None:  # it may have been judged since
            url = urls[0]["url"] if urls else ""
            found[pair_id] = Example(
                pair_id, claim or "", url, bool(unsure), Outcome(outcome) if outcome else None, failed
            )
    return found


_LAYOUTS = """
SELECT layout, pairs, unsure, unread, failed, examples FROM layout
WHERE domain = :domain AND unsure + unread + failed > 0
ORDER BY place LIMIT :most
"""
