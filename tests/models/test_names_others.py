"""Names that other people, places and works bear with a word more, and names in other cases, orders and spellings."""

from __future__ import annotations

import pytest

from models.statement import Term
from models.values.found import NAMED
from models.values.names import find_term
from models.values.words import words_of


def is_named(term: Term, text: str) -> bool:
    found = find_term(term, words_of(text))
    return found is not None and found.score >= NAMED


@pytest.mark.parametrize(
    ("noun", "text", "named"),
    [
        ("baker", "Josefine and Anna Baker sang", False),
        ("cook", "Captain James Cook, R.N.", False),
        ("cook", "then Mr Cook came", False),
        ("cook", "a chart by Jas. Cook of 1770", False),
        ("cook", "a chart by J. Cook of 1770", False),
        ("cook", "Cook, James. Three voyages", False),
        ("lead", "he met Anna Lead at school", False),
        ("baker", "Occupation: Baker", True),
        ("baker", "Baker and miller in Odense", True),
        ("baker", "Ada Holm | Baker | 1904", True),
        ("baker", "ADA HOLM, BAKER", True),
        ("baker", "Anna Baker was a baker", True),
        ("architect", "Architect, James Holm", True),
        ("director", "Art Director of the film", True),
        ("hospital", "St. John Hospital", True),
    ],
)
def test_a_surname_is_no_occupation(noun: str, text: str, named: bool) -> None:
    assert is_named(Term("Q1", noun, (), ""), text) is named


@pytest.mark.parametrize(
    ("term", "text", "named"),
    [
        (Term("Q1", "Edgar Holm", (), "critic (1845–1926)"), "a novel by Mrs. Edgar Holm", False),
        (Term("Q1", "Edgar Holm", (), "critic (1845–1926)"), "Frau Edgar Holm kam", False),
        (Term("Q2", "Ada Holm", ("Mrs. Edgar Holm",), "novelist"), "a novel by Mrs. Edgar Holm", True),
        (Term("Q2", "Ada Holm", (), "novelist"), "a novel by Mrs Ada Holm", True),
        (Term("Q2", "Robin Holm", (), "actress"), "a part for Mrs Robin Holm", True),
    ],
)
def test_a_mans_name_behind_mrs_is_his_wifes(term: Term, text: str, named: bool) -> None:
    assert is_named(term, text) is named


@pytest.mark.parametrize(
    ("name", "alias", "text", "named"),
    [
        ("Ada Dahl Holm", "A. D. Holm", "music by Ada Holm-Dahl", False),
        ("Ada Dahl Holm", "A. D. Holm", "Holm-Dahl, Ada", False),
        ("Ada Holm-Dahl", "Ada Dahl", "by Ada Holm Dahl", True),
        ("Otto Berg", "Otto Julius Berg", "Berg, Otto I., professor", False),
        ("Otto Berg", "Otto Julius Berg", "by Otto I. Berg", False),
        ("Otto Berg", "Otto Julius Berg", "by Otto Peter Berg", False),
        ("Otto Berg", "Otto Julius Berg", "Berg, Otto J.", True),
        ("Otto Berg", "Otto Berg", "Berg, Otto I.", True),
    ],
)
def test_a_second_surname_and_a_middle_name_tell_people_apart(name: str, alias: str, text: str, named: bool) -> None:
    assert is_named(Term("Q1", name, (alias,), "scientist"), text) is named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Otto Berg (composer, b. Worcester, Mass., 1947)", False),
        ("Otto Berg (composer; born 15 Feb. 1947)", False),
        ("Otto Berg (statesman, b. Quincy, 1735)", True),
        ("Otto Berg (father of the painter born in Ohio 1947)", True),
        ("Otto Berg, 39, weaver", True),
    ],
)
def test_a_birth_told_in_brackets_is_read(text: str, named: bool) -> None:
    assert is_named(Term("Q1", "Otto Berg", (), "president (1735–1826)"), text) is named


_FRANKFURT = Term("Q1", "Frankfurt am Main", ("Frankfurt",), "city in Hesse, Germany")
_COLOGNE = Term("Q2", "Cologne", ("Köln",), "city in Germany")


@pytest.mark.parametrize(
    ("term", "text", "named"),
    [
        (_FRANKFURT, "geboren in Frankfurt (Oder) als", False),
        (_FRANKFURT, "geboren in Frankfurt/Oder als", False),
        (_FRANKFURT, "geboren in Frankfurt an der Oder als", False),
        (_FRANKFURT, "geboren in Frankfurt (Main) als", True),
        (_FRANKFURT, "geboren in Frankfurt (Deutschland) als", True),
        (_COLOGNE, "gest. in Köln-Lindenthal", True),
        (_COLOGNE, "a flask of eau de Cologne, glass", False),
        (Term("Q3", "Baden", (), "city in Aargau"), "er lebte in Baden-Württemberg dann", False),
        (Term("Q4", "Lincoln", (), "city in England"), "born in Lincoln (Nebraska) in", False),
        (Term("Q5", "Macbeth", (), "play"), "Lady Macbeth of the Mtsensk District", False),
        (Term("Q5", "Macbeth", (), "play"), "a staging of Macbeth of 1904", True),
    ],
)
def test_what_goes_on_behind_a_name_makes_another_or_a_part(term: Term, text: str, named: bool) -> None:
    assert is_named(term, text) is named


@pytest.mark.parametrize(
    ("name", "description", "text", "named"),
    [
        ("Москва", "city", "окончил гимназию в Москве с медалью", True),
        ("Санкт-Петербург", "city", "умер в Санкт-Петербурге 3 марта", True),
        ("Киев", "city", "приехал из Киева в", True),
        ("Казань", "city", "жил в Казани до", True),
        ("Нижний Новгород", "city", "жил в Нижнем Новгороде до", True),
        ("Москва", "city", "московский театр", False),
        ("Антон Чехов", "writer", "рассказы Антона Чехова вышли", True),
        ("Александр Петров", "writer", "Александра Петрова пришла", False),
    ],
)
def test_a_cyrillic_name_stands_in_other_cases(name: str, description: str, text: str, named: bool) -> None:
    assert is_named(Term("Q1", "Xyz", (name,), description), text) is named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Old man and the sea, The. New York : Scribner", True),
        ("Old man and the sea, the", True),
        ("Hemingway, E. The old man and the sea. 1952", True),
        ("He saw an old man and the sea behind him", False),
    ],
)
def test_a_title_may_have_one_capital_as_in_catalogues(text: str, named: bool) -> None:
    assert is_named(Term("Q1", "The Old Man and the Sea", (), "novella"), text) is named


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Elizabeth Gaskell", "Gaskell [née Stevenson], Elizabeth Cleghorn"),
        ("Elizabeth Gaskell", "Gaskell (formerly Stevenson), Elizabeth"),
        ("Elizabeth Gaskell", "Gaskell, née Stevenson, Elizabeth"),
        ("Taha Hussein", "Taha Husayn and Ahmad Amin"),
        ("Taha Hussein", "Husain, Taha"),
        ("Mohammed Salah", "Muhammad Salah"),
    ],
)
def test_maiden_names_and_arabic_spellings_part_nobody(name: str, text: str) -> None:
    assert is_named(Term("Q1", name, (), "writer"), text)
