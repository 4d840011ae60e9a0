"""Whom a sentence is about by the time it comes to a value: the subject, or somebody else."""

from __future__ import annotations

import time

import pytest

from models.values.found import Found
from models.values.whose import hands_on


def told(text: str, subject: str = "Ann Lee") -> bool:
    """Whether a text hands on between the subject (where it stands there) and the year or place in brackets."""
    at = text.index("[")
    plain = text.replace("[", "").replace("]", "")
    value = Found(at, at + text.index("]") - at - 1, "exact")
    first = plain.find(subject)
    name = Found(first, first + len(subject), "exact") if first >= 0 else None
    if name and plain.startswith("'s", name.end):
        name = Found(name.start, name.end + 2, "exact")
    return hands_on(plain, name, value)


HANDED_ON = [
    "His longtime companion died in [1999].",
    "His longtime companion, the painter John, died in [1999].",
    "Ann Lee lived in York. Her business partner died in [1999].",
    "Ann Lee's collaborator was born in [1901].",
    "Ann Lee, whose manager died in [1999], lived in York.",
    "Ann Lee, whose dog was born in [1999], lived in York.",
    "She retired from the stage, and her agent, born in [1901], took over.",
    "She left the country after her former teacher was killed in [1944].",
    "Ann Lee wrote to Hall's friend, who died in [1944].",
    "Her colleague at the college studied at [Oxford].",
    "Its first director died in [1999].",
    "Her husband's death in [1999] ended it.",
]
KEPT = [
    "Ann Lee was a partner at the law firm until she died in [1999].",
    "Ann Lee became a partner of the firm in [1950].",
    "Ann Lee, a friend of the arts, died in [1999].",
    "Ann Lee moved with her companion to York and died there in [1999].",
    "She and her partner founded the firm in [1950].",
    "He and his colleague were honoured in [1950].",
    "Her companion left her, and she died in [1999].",
    "Her companion lived in York. She died in [1999].",
    "Ann Lee wrote plays. Her agent lived in York. Lee died in [1999].",
    "Her Majesty died in [1999].",
    "At his home in York he died in [1999].",
    "Ann Lee at her home in York died in [1999].",
    "His last book was published in [1999].",
    "Her partner was [John].",
    "Ann Lee was manager of the club in [1999].",
    "Ann Lee's career began in York in [1950].",
]


@pytest.mark.parametrize("text", HANDED_ON)
def test_somebody_of_the_subjects_takes_over_the_sentence(text: str) -> None:
    assert told(text)


@pytest.mark.parametrize("text", KEPT)
def test_the_subject_keeps_its_sentence(text: str) -> None:
    assert not told(text)


@pytest.mark.parametrize(
    "piece",
    [
        "his ",
        "whose a ",
        "Lee's friend, ",
        "her a, b c d e f g h ",
        "and ",
        "a" * 40,
        "Ab. ",
        "a b c d and his friend x ",
    ],
)
def test_hostile_text_takes_time_in_proportion(piece: str) -> None:
    text = piece * (1200 // len(piece))
    start = time.process_time()
    for _ in range(50):
        hands_on(text + "1999", None, Found(len(text), len(text) + 4, "exact"))
    assert time.process_time() - start < 1.0
