"""How a page says which property a value belongs to: the property's own words, and those of its opposite numbers.

The right value under the wrong property is the commonest trap, so both are looked for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from models.statement import Term
from models.values.names import content
from models.values.words import Words, words_of

# Words for a property beyond its label and aliases, as pages write them. Folded, without accents.
CUES: dict[str, tuple[str, ...]] = {
    property_id: tuple(words.split(", "))
    for property_id, words in (
        (
            "P569",
            "born, b, birth, birthdate, birthday, baptised, baptized, bapt, ne, nee, geboren, nacido, naissance",
        ),
        (
            "P570",
            "died, d, death, dead, deceased, killed, murdered, executed, buried, passed away, "
            "obituary, mort, gestorben, perished, drowned, assassinated",
        ),
        ("P19", "born, birth, birthplace, native, b"),
        ("P20", "died, death, deceased, killed, murdered, d"),
        (
            "P571",
            "founded, established, created, built, inception, formed, opened, incorporated, "
            "constructed, made, since, date, dated, signed, started, began, enacted",
        ),
        ("P576", "dissolved, abolished, closed, demolished, ended, disbanded, defunct"),
        (
            "P577",
            "published, released, release, publication, issued, premiere, aired, date, posted, first shown, broadcast",
        ),
        ("P580", "start, started, began, since, from, elected, appointed"),
        ("P582", "end, ended, until, resigned, retired, left"),
        ("P585", "date, on, held, dated"),
        ("P2031", "active, from, since, began, started, career"),
        ("P2032", "active, until, retired, ended"),
        (
            "P21",
            "gender, sex, he, she, his, her, him, mr, mrs, miss, sir, dame, king, queen, man, "
            "woman, actor, actress, son, daughter",
        ),
        ("P22", "father, son of, daughter of, s of, dau of"),
        ("P25", "mother, son of, daughter of"),
        ("P26", "spouse, married, wife, husband, m, widow, marriage"),
        ("P40", "child, children, son, daughter, issue"),
        ("P106", "occupation, profession, worked as, career"),
        (
            "P39",
            "position, office, elected, served, appointed, member, representative, senator, "
            "constituency, constituencies",
        ),
        (
            "P69",
            "educated, graduated, studied, attended, education, school, college, university, alumnus",
        ),
        ("P108", "employer, worked, employed, professor, joined"),
        ("P131", "located, in, district, county, region, local authority, parish, municipality, state"),
        ("P17", "country, nation"),
        ("P27", "nationality, citizen, citizenship, country"),
        ("P50", "author, by, written, wrote, writer"),
        ("P57", "director, directed"),
        ("P58", "screenwriter, screenplay, written, writer"),
        ("P86", "composer, composed, music"),
        ("P136", "genre, style"),
        ("P140", "religion, faith, church"),
        ("P166", "award, awarded, won, winner, prize, received, honour, honours, medal"),
        ("P170", "creator, artist, painted, by, made"),
        ("P175", "performer, artist, by, singer"),
        ("P364", "language, languages"),
        ("P407", "language, languages"),
        ("P1435", "listed, category, heritage, designation, scheduled, grade"),
        ("P1448", "name, official, called"),
        ("P1476", "title"),
        ("P186", "material, medium, materials"),
    )
}

OPPOSITES: dict[str, tuple[str, ...]] = {
    "P569": ("P570", "P577"),
    "P570": ("P569", "P577"),
    "P19": ("P20",),
    "P20": ("P19",),
    "P571": ("P576", "P577", "P569", "P570"),
    "P576": ("P571",),
    "P577": ("P569", "P570"),
    "P580": ("P582",),
    "P582": ("P580",),
    "P2031": ("P2032", "P569"),
    "P2032": ("P2031", "P570"),
    "P22": ("P25", "P40", "P26"),
    "P25": ("P22", "P40", "P26"),
    "P40": ("P22", "P25", "P26"),
    "P26": ("P22", "P25", "P40"),
}


@dataclass(frozen=True, slots=True)
class CueMatch:
    """Where words of a property stand: character span, and the share of the words of the name that are there."""

    start: int
    end: int
    score: float


@lru_cache(maxsize=4096)
def _wordings(property_id: str, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    own = [content(words_of(name).words) for name in names[:60]]
    return tuple(
        dict.fromkeys(
            wording
            for wording in [*(c for c in own), *(tuple(c.split()) for c in CUES.get(property_id, ()))]
            if wording
        )
    )


def find_cues(property_: Term, text: Words) -> list[CueMatch]:
    """Every place where a passage has words of the property, in order. A cue of one word may be inflected."""
    return _find(_wordings(property_.id, property_.names), text)


def find_opposites(property_id: str, text: Words) -> list[CueMatch]:
    """Every place with words of a property that is often mistaken for this one."""
    own = set(_wordings(property_id, ()))
    others = [w for other in OPPOSITES.get(property_id, ()) for w in _wordings(other, ()) if w not in own]
    return _find(tuple(dict.fromkeys(others)), text)


def _find(wordings: tuple[tuple[str, ...], ...], text: Words) -> list[CueMatch]:
    index: dict[str, list[int]] = {}
    for at, word in enumerate(text.words):
        index.setdefault(_stem(word), []).append(at)
    found: list[CueMatch] = []
    for wording in wordings:
        first, size = _stem(wording[0]), len(wording)
        for at in index.get(first, ()):
            near = {_stem(word) for word in text.words[at : at + size + 2]}
            if all(_stem(word) in near for word in wording):
                last = min(at + size, len(text.words)) - 1
                found.append(CueMatch(text.spans[at][0], text.spans[last][1], min(1.0, 0.6 + 0.2 * size)))
    return sorted(found, key=lambda cue: cue.start)


_ENDING = re.compile(r"(?:ing|ed|es|s|e)$")


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    return _ENDING.sub("", word) if len(word) > 4 else word
