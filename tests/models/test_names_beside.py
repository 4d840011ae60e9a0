"""What stands beside a name, or inside it, and makes it another's; and spellings that don't."""

from __future__ import annotations

import pytest

from models.statement import Term
from models.values.found import NAMED
from models.values.names import find_term
from models.values.words import words_of


def is_named(term: Term, text: str) -> bool:
    found = find_term(term, words_of(text))
    return found is not None and found.score >= NAMED


_HOLM = Term("Q1", "John Peter Holm", ("J. P. Holm",), "philosopher (1806–1873)")
_WELLS = Term("Q2", "Adam H. W. Wells", ("Adam Herbert Walker Wells", "Adam Wells Sr."), "politician")


@pytest.mark.parametrize(
    ("term", "text", "named"),
    [
        (_HOLM, "James Holm, Elements, London, 1826", False),
        (_HOLM, "Holm, James. Elements", False),
        (_HOLM, "Jack Holm, Elements, London, 1826", True),
        (_HOLM, "Jno. Holm wrote", True),
        (_HOLM, "John Paul Holm wrote", False),
        (_HOLM, "J. Holm wrote", True),
        (_HOLM, "John P. Holm wrote", True),
        (Term("Q3", "J. P. Holm", (), "philosopher"), "James Peter Holm wrote", True),
        (_WELLS, "Adam W. Wells, 43rd President", False),
        (_WELLS, "Wells, Adam W.", False),
        (_WELLS, "A. W. Wells said", False),
        (_WELLS, "Adam H. Wells said", True),
        (_WELLS, "Adam H. W. Wells said", True),
        (_WELLS, "Adam Herbert Walker Wells said", True),
        (_WELLS, "Adam Wells said", True),
    ],
)
def test_initials_and_first_names_agree_one_by_one(term: Term, text: str, named: bool) -> None:
    assert is_named(term, text) is named


_DAHL = Term("Q1", "Alexandre Dahl", ("Alexandre Dahl père",), "novelist (1802–1870)")
_SON = Term("Q2", "Alexandre Dahl fils", (), "novelist (1824–1895)")
_OTTO = Term("Q3", "Otto Berg the Elder", (), "painter")


@pytest.mark.parametrize(
    ("term", "text", "named"),
    [
        (_DAHL, "Alexandre Dahl fils, La Dame", False),
        (_DAHL, "Alexandre Dahl, fils", False),
        (_DAHL, "Alexandre Dahl le Jeune peignit", False),
        (_DAHL, "Alexandre Dahl père, La Dame", True),
        (_DAHL, "Alexandre Dahl, fils de Jean", True),
        (_DAHL, "Alexandre Dahl wrote", True),
        (_SON, "Alexandre Dahl fils, La Dame", True),
        (_SON, "Alexandre Dahl père, La Dame", False),
        (_OTTO, "ein Bild von Otto Berg d. Ä. in Wien", True),
        (_OTTO, "ein Bild von Otto Berg der Ältere", True),
        (_OTTO, "ein Bild von Otto Berg d. J. in Wien", False),
        (Term("Q4", "Claude Le Jeune", (), "composer"), "Claude Le Jeune, Paris", True),
    ],
)
def test_father_and_son_are_told_apart_in_other_languages(term: Term, text: str, named: bool) -> None:
    assert is_named(term, text) is named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Assignee: Otto Holm GmbH, Stuttgart", False),
        ("sold by Otto Holm & Co., London", False),
        ("sold by Otto Holm & Söhne in Graz", False),
        ("printed by Otto Holm and Sons", False),
        ("Otto Holm, Inc., New York", False),
        ("Otto Holm Verlag, 1931", False),
        ("the Otto Holm Prize of 1990", False),
        ("the Otto Holm Foundation", False),
        ("12 Otto Holm Street", False),
        ("Otto Holm & Ada Berg wrote", True),
        ("Otto Holm and his sons", True),
        ("Otto Holm AB, MA", True),
    ],
)
def test_a_person_is_no_company_prize_or_street(text: str, named: bool) -> None:
    assert is_named(Term("Q1", "Otto Holm", (), "engineer (1861–1942)"), text) is named


def test_a_company_keeps_its_form() -> None:
    assert is_named(Term("Q1", "Otto Holm", ("Otto Holm GmbH",), "company"), "Assignee: Otto Holm GmbH, Stuttgart")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Present: Messrs. George Thomas, Nelson Wright, and Albert Hall.", False),
        ("Messrs. Thomas, Nelson and Wright", False),
        ("Thomas, Nelson Wright", False),
        ("Nelson, Thomas. London, 1840", True),
        ("Thomas Nelson, Nelson Wright", True),
    ],
)
def test_a_comma_in_a_list_is_no_inversion(text: str, named: bool) -> None:
    assert is_named(Term("Q1", "Thomas Nelson", (), "publisher (1780–1861)"), text) is named


def test_a_surname_that_stands_first_may_have_a_comma() -> None:
    assert is_named(Term("Q1", "Dong Qichang", (), "painter"), "scroll by Dong, Qichang, Ming")


_NEWTOWN = Term("Q1", "Newtown upon Tyne", ("Newtown",), "city in England")
_COUNTRY = Term("Q2", "Georgia", (), "country in the Caucasus")


@pytest.mark.parametrize(
    ("term", "text", "named"),
    [
        (_NEWTOWN, "born at Newtown-under-Lyme in 1801", False),
        (_NEWTOWN, "born at Newtown-upon-Tyne in 1801", True),
        (Term("Q3", "Newtown", (), "city"), "né à Newtown-sur-Orne en 1801", False),
        (Term("Q3", "Newtown", (), "city"), "a Newtown-based firm", True),
        (_COUNTRY, "Born in Macon, Georgia; played guard", False),
        (_COUNTRY, "12 Oak St, Smyrna, Georgia 30080", False),
        (_COUNTRY, "Smyrna, Georgia, USA", False),
        (_COUNTRY, "Alabama, Georgia and Florida", False),
        (_COUNTRY, "he was born in Tbilisi, Georgia, in 1950", True),
        (_COUNTRY, "he lived in Armenia, Georgia and Azerbaijan", True),
        (Term("Q4", "Georgia", (), "state of the United States"), "he was born in Macon, Georgia, in 1950", True),
    ],
)
def test_a_place_of_the_same_name_is_told_by_what_stands_beside_it(term: Term, text: str, named: bool) -> None:
    assert is_named(term, text) is named


_TOYS = Term("Q1", "The Tin Toys", (), "1995 film")
_EMMA = Term("Q2", "Emma", (), "novel by Jane Austen")


@pytest.mark.parametrize(
    ("term", "text", "named"),
    [
        (_TOYS, "The Tin Toys Part II, dir. Holm", False),
        (_TOYS, "The Tin Toys, Part 2", False),
        (_TOYS, "The Tin Toys: Episode V", False),
        (_TOYS, "The Tin Toys 2 (1999)", False),
        (_TOYS, "The Tin Toys 2 was shown", False),
        (_TOYS, "The Tin Toys ፪ (1999)", True),
        (_TOYS, "The Tin Toys II", False),
        (_TOYS, "The Tin Toys, 2 discs", True),
        (_TOYS, "The Tin Toys Part I", True),
        (_TOYS, "The Tin Toys 1995", True),
        (Term("Q3", "The Tin Toys 2", (), "1999 film"), "The Tin Toys 2 (1999)", True),
        (_EMMA, "with Emma Watson", False),
        (_EMMA, "Emma, London, 1815", True),
        (_EMMA, "Emma Jane Austen 1815", True),
    ],
)
def test_a_sequel_and_a_bearer_of_its_name_are_no_work(term: Term, text: str, named: bool) -> None:
    assert is_named(term, text) is named


@pytest.mark.parametrize(
    ("noun", "text", "named"),
    [
        ("bronze", "awarded the Bronze Star in 1944", False),
        ("silver", "a Silver Cross and a cup", False),
        ("bronze", "an axe of the Bronze Age", False),
        ("bronze", "Medium: Bronze", True),
        ("bronze", "Bronze, age unknown", True),
        ("bronze", "a bronze star on the roof", True),
    ],
)
def test_a_common_noun_in_a_proper_name_is_none(noun: str, text: str, named: bool) -> None:
    assert is_named(Term("Q1", noun, (), ""), text) is named


@pytest.mark.parametrize(
    ("name", "description", "text"),
    [
        ("Holm & Holm", "multinational company", "chairman of Holm and Holm, New Brunswick, N.J."),
        ("3001: A Sea Voyage", "1968 film", "1968 — 3001 – a sea voyage (GB/USA)"),
        ("jeweler", "", "Levy, Abraham, jeweller & pawnbroker"),
        ("traveller", "", "a traveler in Asia"),
        ("counsellor", "", "legal counselors"),
        ("fiber", "", "made of carbon fibre"),
        ("labourer", "", "farm laborers"),
        ("organizer", "", "union organiser"),
        ("archaeologist", "", "an archeologist"),
        ("color", "", "two colours"),
        ("aluminium", "", "cast aluminum"),
    ],
)
def test_spellings_of_two_countries_are_one(name: str, description: str, text: str) -> None:
    assert is_named(Term("Q1", name, (), description), text)


def test_doubled_letters_tell_a_tiller_from_a_tiler() -> None:
    assert not is_named(Term("Q1", "tiler", (), ""), "the tiller of the boat")
