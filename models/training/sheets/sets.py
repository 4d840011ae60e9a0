"""Evidence sets: a claim with passages of its page as the verifier reads them, and what each says of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from random import Random

from models.evidence import Stance
from models.rank.prefilter import prefilter
from models.training.sheets.claims import Confusable, false_claims, true_claims
from models.training.sheets.sheet import Fact, Sheet, stance_of
from models.values.found import HINT
from models.values.match import match_page
from models.values.page_words import PageWords
from models.verify.marked import marked, said

MOST = 4  # passages of a set
_LOOKED_AT = 12  # of the prefilter's, from which they are chosen
_EASY = 0.15  # share of the claims kept of which no passage names the value, nor another one
_WITHOUT = 0.5  # share of the sets that also hold a passage without either


@dataclass(frozen=True, slots=True)
class EvidenceSet:
    """What the verifier learns from: a claim, passages with their stances, and what they say together."""

    claim: str
    passages: tuple[str, ...]
    stances: tuple[Stance, ...]
    source: str
    property_id: str

    @property
    def verdict(self) -> Stance:
        """SUPPORTS if any passage does, else REFUTES if any does."""
        for stance in (Stance.SUPPORTS, Stance.REFUTES):
            if stance in self.stances:
                return stance
        return Stance.NOT_ENOUGH_INFO


def sets_of(
    sheet: Sheet, others: Confusable, random: Random, supported: int, not_supported: int
) -> Iterator[EvidenceSet]:
    """Sets for so many claims that a sheet supports and so many that it doesn't, as far as they can be made."""
    words = PageWords(sheet.page)
    facts = [*true_claims(sheet, random, supported), *false_claims(sheet, others, random, not_supported)]
    for fact in facts:
        if (made := _set(fact, sheet, words, random)) is not None:
            yield made


def _set(fact: Fact, sheet: Sheet, words: PageWords, random: Random) -> EvidenceSet | None:
    """Passages of a page that the judge would look at; none where nothing in them tempts to say yes."""
    statement = fact.as_statement()
    claim = said(statement)
    matches = match_page(statement, words)
    passages = sheet.page.passages
    near = prefilter(claim, passages, matches, _LOOKED_AT)
    told = [(at, stance) for at in near if (stance := stance_of(fact, passages[at], sheet)) is not None]
    tempting = {at for at, _ in told if max(matches[at].value_score, 0.9 * (matches[at].against is not None)) >= HINT}
    if not tempting and random.random() > _EASY:
        return None
    chosen = _chosen(told, tempting, random)
    texts = [marked(statement, sheet.page.title, passages[at], matches[at], words).passage for at, _ in chosen]
    stances = tuple(stance for _, stance in chosen)
    return EvidenceSet(claim, tuple(texts), stances, sheet.source, fact.property.id) if chosen else None


def _chosen(told: Sequence[tuple[int, Stance]], tempting: Set[int], random: Random) -> list[tuple[int, Stance]]:
    """The first passage of each stance, then those that name the value or another one, and one that doesn't."""
    firsts = [next((one for one in told if one[1] is stance), None) for stance in Stance]
    chosen = [one for one in firsts if one is not None]
    rest = [one for one in told if one not in chosen]
    random.shuffle(rest)
    rest.sort(key=lambda one: one[0] not in tempting)
    chosen += [one for one in rest if one[0] in tempting][: MOST - len(chosen)]
    if len(chosen) < MOST and random.random() < _WITHOUT:
        chosen += [one for one in rest if one[0] not in tempting][:1]
    random.shuffle(chosen)
    return chosen
