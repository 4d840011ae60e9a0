"""Whether two spellings are one name: a small logistic model, learned by `python -m models.training.names`."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rapidfuzz.distance import OSA, JaroWinkler

from models.values.names.organisations import are_opposites
from models.values.transliterate import skeleton, sounds_alike

_SHORTEST_KEY = 5  # letters of a skeleton by which two Latin spellings are one name
_SHORTEST_READ = 6  # letters of a word that a scanner may have misread

SHIPPED = Path(__file__).resolve().parents[2] / "weights" / "names" / "spelling.json"

FEATURES = (
    "similarity", "winkler", "edits", "length", "first_letter", "last_letter", "same_sound", "same_consonants",
    "longer_by_ending", "exact_share", "others_exact", "several_differ", "last_word_differs",
)  # fmt: skip

Pair = tuple[str, str]


class BrokenSpelling(ValueError):
    """The learned numbers are missing, or aren't what this code can use. The message names the file."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """Weights of the features, an offset, and the probability from which two spellings count as one name."""

    weights: tuple[float, ...]
    offset: float
    threshold: float

    def probability(self, pairs: Sequence[Pair]) -> float:
        """How likely a name's words and the text's words that stand for them, in order, are one name; in [0, 1]."""
        sum_ = self.offset + sum(w * x for w, x in zip(self.weights, features(pairs), strict=True))
        return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, sum_))))

    def score(self, pairs: Sequence[Pair]) -> float:
        """The score of a match with these spellings: from 0.8 to 0.95 where it counts as the name, else below 0.75."""
        if any(are_opposites(own, found) for own, found in pairs):
            return 0.0
        p = self.probability(pairs)
        likely = 0.75 * p / self.threshold
        if p >= self.threshold:
            likely = 0.8 + 0.15 * (p - self.threshold) / (1.0 - self.threshold)
        differing = [pair for pair in pairs if pair[0] != pair[1]]
        same = _are_transcribed(differing) or all(is_misread(*pair) for pair in differing)
        return max(likely, _SAME) if same else likely


_SAME = 0.9  # what spellings score that are one by rule


def is_transcribed(own: str, found: str) -> bool:
    """True for two folded words that sound alike, and are long enough for that not to be chance; not for endings."""
    if own[: len(found)] == found[: len(own)] and not set(own[len(found) :] + found[len(own) :]) <= set("ijy"):
        return False
    return len(skeleton(own)) >= _SHORTEST_KEY and sounds_alike(own, found)


def _are_transcribed(pairs: Sequence[Pair]) -> bool:
    """True where all words sound alike, and one is long enough for that not to be chance."""
    return any(is_transcribed(*pair) for pair in pairs) and all(sounds_alike(*pair) for pair in pairs)


_LOOKS = (("0", "o"), ("1", "l"), ("i", "l"), ("5", "s"), ("rn", "m"), ("vv", "w"), ("cl", "d"))


def is_misread(own: str, found: str) -> bool:
    """True for two folded words that a scanner takes for one another: "hamilton" and "harnilton"."""
    return len(own) >= _SHORTEST_READ and _looks(own) == _looks(found)


def _looks(word: str) -> str:
    for group, letter in _LOOKS:
        word = word.replace(group, letter)
    return word


@lru_cache(maxsize=65_536)
def is_near(own: str, found: str) -> bool:
    """True where two different folded words are near enough in spelling or sound to be worth the model."""
    longest = max(len(own), len(found))
    if longest < 4 or not own.isalpha():
        return False
    if not found.isalpha():
        return is_misread(own, found)
    most = 1 if longest < 6 else 2 if longest < 10 else 3
    near = OSA.distance(own, found, score_cutoff=most) <= most
    return near or skeleton(own) == skeleton(found) or is_misread(own, found)


_VOWELS = str.maketrans("", "", "aeiouy")


def features(pairs: Sequence[Pair]) -> tuple[float, ...]:
    """The numbers that the model weighs, in the order of `FEATURES`. `pairs` are folded words, not all equal."""
    differing = [i for i, (own, found) in enumerate(pairs) if own != found]
    worst = max(differing, key=lambda i: OSA.normalized_distance(*pairs[i]))
    own, found = pairs[worst]
    length = sum(len(word) for word, _ in pairs)
    exact = sum(len(word) for word, other in pairs if word == other)
    edits = OSA.distance(own, found)
    sounds, other_sounds = skeleton(own), skeleton(found)
    return (
        1.0 - edits / max(len(own), len(found)),
        JaroWinkler.similarity(own, found),
        float(edits),
        math.log(min(len(own), len(found))),
        float(own[0] == found[0]),
        float(own[-1] == found[-1]),
        float(sounds == other_sounds),
        float(sounds.translate(_VOWELS) == other_sounds.translate(_VOWELS)),
        float(own.startswith(found) or found.startswith(own)),
        exact / length,
        float(min(3, len(pairs) - len(differing))),
        float(len(differing) - 1),
        float(len(pairs) > 1 and worst == len(pairs) - 1),
    )


def load(path: Path = SHIPPED) -> Spelling:
    """Read the learned numbers. Raises `BrokenSpelling`."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        names, numbers = tuple(stored["features"]), tuple(float(w) for w in stored["weights"])
        offset, threshold = float(stored["offset"]), float(stored["threshold"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BrokenSpelling(f"{path}: not usable ({error}); learn it with python -m models.training.names") from error
    if names != FEATURES or len(numbers) != len(names):
        raise BrokenSpelling(f"{path}: learned on other features; learn it with python -m models.training.names")
    if not all(map(math.isfinite, (*numbers, offset))) or not 0.0 < threshold < 1.0:
        raise BrokenSpelling(f"{path}: numbers out of range")
    return Spelling(numbers, offset, threshold)


@lru_cache(maxsize=1)
def shipped() -> Spelling:
    """The model that ships, read once."""
    return load()
