"""Names as people write them (case 12), names that are another's, and strings character for character."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.statement import Term
from models.values.found import Found
from models.values.names import all_names, find_name, find_names, find_term
from models.values.names.persons import looks_like_person
from models.values.names.spelling import BrokenSpelling, load, shipped
from models.values.strings import find_string
from models.values.words import words_of

NAMED = 0.8


def found_in(name: str | tuple[str, ...], text: str, person: bool | None) -> Found | None:
    return find_names((name,) if isinstance(name, str) else name, words_of(text), person=person)


@pytest.mark.parametrize(
    ("name", "text", "how"),
    [
        ("East Lothian", "Local Authority: East Lothian", "exact"),
        ("J. R. R. Tolkien", "Tolkien, John Ronald Reuel", "initials"),
        ("John Ronald Reuel Tolkien", "by J. R. R. Tolkien, who", "initials"),
        ("John Ronald Reuel Tolkien", "by JRR Tolkien, who", "initials"),
        ("John Ronald Reuel Tolkien", "by John R. R. Tolkien, who", "initials"),
        ("John Ronald Reuel Tolkien", "by J Tolkien, who", "initials"),
        ("John Tolkien", "Tolkien, John R. R.", "reordered"),
        ("Mary Smith", "SMITH Mary (1900–1980)", "reordered"),
        ("Dong Qichang", "paintings by Qichang Dong in", "reordered"),
        ("Ruggles, Benjamin", "as Benjamin Ruggles said", "exact"),
        ("Wilfried Schneider", 'Wilfried "Willi" Schneider won', "reordered"),
        ('Wilfried "Willi" Schneider', "then Willi Schneider won", "exact"),
        ("Mary Smith", "Mary (Jones) Smith was born", "reordered"),
        ("Mary Smith", "Mary Jones Smith was born", "reordered"),
        ("Mary Smith née Jones", "Mary Smith was born", "exact"),
        ("William Smith", "the late Bill Smith was mayor", "reordered"),
        ("Robert Brown", "Prof. Dr. Robert Brown said", "exact"),
        ("John Smith, 4th Baronet", "Sir John Smith, 4th Baronet, died", "exact"),
        ("Henry Ford II", "then Henry Ford II took over", "exact"),
        ("Marie Curie", "Marie Skłodowska Curie was", "reordered"),
        ("Christopher Herrys", "HERRYS (HARRIS), Christopher (1599-1628), of", "reordered"),
        ("Gabriel García Márquez", "García Márquez, Gabriel", "reordered"),
        ("Ludwig van Beethoven", "L. v. Beethoven wrote", "initials"),
        ("Pieter van den Broek", "von P. v. d. Broek, 1640", "initials"),
        ("Pieter van den Broek", "Pieter van\nden  Broek schreef", "exact"),
        ("Ada Mary Holm", "Holm AM, Dahl K. Wells. 1934.", "initials"),
        ("Ada Mary Holm", "HOLM A. M., 1934", "initials"),
        ("Mary Rose Holm", "Holm MR (chair)", "initials"),
        ("Ada Mary Holm", "© 2016 Holm, A.. All rights reserved.", "initials"),
        ("Ada Mary Holm", "Prof. Holm (A.-M.) read it", "initials"),
        ("Charles de Gaulle", "GAULLE (Charles de)", "reordered"),
        ("Ada Holm", "HOLM (Ada), chimiste", "reordered"),
        ("Johann Sebastian Bach", "Joh. Seb. Bach, Leipzig", "initials"),
        ("Thomas Mann", "Mann, Th., 1924", "initials"),
        ("Ada Holm", "1. HOLM Ada SWE 4:12.07", "reordered"),
        ("Ada Holm", "Ada Holm1931–2004", "exact"),
        ("Ada Sandholm", "AdaSandholm1931", "exact"),
        ("Leonard MacDonald", "Leonard Mac Donald, miner", "exact"),
        ("Augusta Ada King, Countess of Lovelace", "Ada, Countess of Lovelace, wrote", "exact"),
        ("Karl Berg", "von Carl Berg, 1931", "reordered"),
        ("Robert Schumann", "Robert Schu-\nmann wrote", "exact"),
        ("Robert Schumann", "R o b e r t   S c h u m a n n", "exact"),
        ("Egil Lien", "Meng J, Lien E, Golenbock DT.", "initials"),
        ("Egil Lien", "Lien E & Dahl AB. Cod. 2011.", "initials"),
        ("Ada Berg", "Рид К., Берг А. Книга. М., 1902", "initials"),
        ("Friedrich Holm", "Fr. Holm, Leipzig", "initials"),
        ("Robert Holm", "Robt. Holm, miner", "initials"),
        ("Eleanor Holm", "Anna Eleanor Holm was born", "exact"),
        ("Edward Holm-Dahl", "Sir Edward Cole Holm-Dahl, Bt.", "reordered"),
        ("Pyotr Ilyich Tchaikovsky", "Chaikovskii, Petr Il'ich, 1840-1893", "fuzzy"),
        ("Sergei Prokofiev", "Prokof’ev, Sergei", "fuzzy"),
        ("Alexander Pushkin", "von A. S. Puschkin", "fuzzy"),
    ],
)
def test_a_person_is_found_in_the_forms_in_which_people_write_names(name: str, text: str, how: str) -> None:
    found = found_in(name, text, True)
    assert found is not None
    assert (found.how, found.score >= NAMED) == (how, True)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Łódź", "born in Lodz, Poland"),
        ("Hans Müller", "von Hans Mueller"),
        ("Hans Mueller", "von Hans Müller"),
        ("Marks & Spencer", "at Marks &amp; Spencer in"),
        ("Holm & van der Meer", "Holm and van der Meer, 1998"),
        ("Hans Müller", "von Hans M&uuml;ller"),
        ("Zürich", "Zuerich HB"),
        ("Madrid", "Barcelona–Madrid 2 h"),
        ("Norway", "NORWAY 7 pts"),
        ("Nature", "Nature 171, 737 (1953)"),
        ("Bath (Somerset)", "see Bath, Somerset, too"),
        ("Royal Council of Marine Biology", "the R.C.M.B. said"),
        ("WWII", "veterans of W.W. II and"),
        ("South Korea", "in S. Korea he"),
        ("Northern Ireland", "in N. Ireland he"),
        ("Siemens", "Siemens Aktiengesellschaft, München"),
        ("Renault", "Renault Société Anonyme"),
        ("Robert Bosch Gesellschaft mit beschränkter Haftung", "at Robert Bosch in"),
        ("Tagesschau", "die ARD-Tagesschau um 20 Uhr"),
        ("Apis mellifera", "A. mellifera workers"),
        ("Danone", "Danone S.A., Paris"),
        ("lung cancer", "died of cancer of the lung"),
        ("Symphony No. 5", "the Fifth Symphony"),
        ("oak", "it belonged to Oak since"),
        ("Alexander Hamilton", "Alexander Harnilton"),
        ("Harvey Milton Price", "Harvey Mi1ton Price"),
        ("Lake Como", "on Como Lake he"),
        ("Kyiv", "Київ"),
        ("Chernihiv", "Чернігів, 2004"),
        ("Lev Tolstoy", "автор Лев Толстой родился"),
        ("Лев Толстой", "by Lev Tolstoy in"),
        ("Dostoevsky", "by Dostoyevsky in 1866"),
        ("Furious Seven", "watch Furious 7 now"),
        ("World War II", "during World War 2 the"),
        ("British Broadcasting Corporation", "was on the BBC in 1960"),
        ("Acme Widgets Ltd", "worked for Acme Widgets in"),
        ("University of London", "Univ. of London, 1960"),
        ("St. Louis", "in Saint Louis he"),
        ("The Willows Shopping Center", "at Willows Shopping Center in"),
        ("Department of Modern History", "the Modern History Department of"),
        ("Springfield, Illinois", "in Springfield, Illinois, he"),
        ("Springfield (Illinois)", "the town of Springfield grew"),
        ("painter", "He was among painters there"),
        ("film director", "TWO FILM DIRECTORS"),
        ("USA", "in the U.S.A. he"),
        ("Argyll and Bute", "in Argyll & Bute now"),
        ("Jean-Pierre Dupont", "Jean Pierre Dupont est"),
        ("O'Brien", "by OBrien in"),
        ("neo-classical metal", "plays neoclassical metal"),
        ("函館", "函館空港"),
        ("Italy", "Italy's Franca Raimondi"),
        ("Purple Heart", "two Purple Hearts, four others"),
        ("EIBIS 2018 - overview", "see EIBIS 2018 - overview"),
        ("Olomouc Urban Infrastructure project", "the Olomouc Urban Infrastructure loan"),
        ("International Business Machines Corporation", "joined IBM in 1960"),
    ],
)
def test_a_name_is_found_in_other_spellings(name: str, text: str) -> None:
    found = found_in(name, text, None)
    assert found is not None
    assert found.score >= NAMED


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("John Smith", "Anna Jones and Peter Brown"),
        ("J. R. R. Tolkien", "Christopher Tolkien edited it"),
        ("John Smith, 4th Baronet", "Sir John Smith, 5th Baronet, died"),
        ("George V", "under George VI, the"),
        ("Henry Ford", "then Henry Ford II took over"),
        ("Henry Ford", "Ford, Henry II (1917–1987)"),
        ("Henry Ford II", "then Henry Ford took over"),
        ("Lawrence Hogan Sr.", "Lawrence Hogan Jr. was elected"),
        ("John Allen Smith", "and John Barry Smith came"),
        ("John Smith", "Paul Smith, John Brown and others"),
        ("John Smith", "Mr John Jones met Anna Smith"),
        ("John Smith", "went to John Smith University in"),
        ("John Smith", "she, Mary John Smith-Jones, was"),
        ("John Smith", "John went home"),
        ("William Smith", "Bill went home"),
        ("Egil Lien", "see Lien E, 2003"),
        ("Egil Lien", "Meng J, Lien B, Golenbock DT."),
        ("Margaret Morris", "Morris, Peter"),
        ("Maria Rossi", "Mario Rossi was here"),
        ("Carl Jonsson", "Carl Jansson was here"),
        ("Will", "he will go"),
        ("May", "it may be"),
        ("Anna Maria Gomez", "Anna and Maria Gomez, twins"),
        ("Anna Maria Gomez", "Anna und Maria Gomez"),
        ("George W. Bush", "George H. W. Bush was"),
        ("George H. W. Bush", "George W. Bush was"),
        ("John F. Kerry", "John D. Kerry was"),
        ("Hanna Berg", "Berg, Anna"),
        ("Drew Smith", "Dr. Smith came"),
        ("Olof O'Donnell", "the O'Donnell family"),
        ("Charles de Gaulle", "the aircraft carrier Charles de Gaulle left"),
        ("Guy de Maupassant", "collège Guy de Maupassant"),
        ("Otto Hahn", "NS Otto Hahn, a ship"),
        ("Voltaire", "12 boulevard Voltaire, 75011 Paris"),
        ("Elizabeth II", "the liner Queen Elizabeth 2"),
    ],
)
def test_another_person_is_not_taken_for_them(name: str, text: str) -> None:
    found = found_in(name, text, True)
    assert found is None or found.score < NAMED


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Mary Daly", "daily news of the day"),
        ("India", "Indianapolis"),
        ("Iran", "Tirana"),
        ("Iran", "in Iraq he"),
        ("Austria", "in Australia he"),
        ("Slovakia", "in Slovenia he"),
        ("Johansen", "by Johnson in"),
        ("the States", "it states that"),
        ("the States", "It states that"),
        ("writer", "to write a book"),
        ("US", "tell us more"),
        ("SAM", "Sam was here"),
        ("hi", "Hi there, hello"),
        ("painter", "the printer was old"),
        ("Remember Me", "please remember me on this computer"),
        ("Consent B", "category C. Building was"),
        ("New York", "he read the New York Times daily"),
        ("University of London", "published by University of London Press in"),
        ("Paris", "he lived in Paris, Texas, then"),
        ("Paris", "a show with Paris Hilton in it"),
        ("12 High Street", "at 13 High Street in"),
        ("Apollo 11", "the Apollo 12 mission"),
        ("Windows 7", "runs on Windows 8 too"),
        ("Sales Tax Act (No. 2) 1936", "Sales Tax Act (No. 3) 1936"),
        ("World War", "in World War II the"),
        ("North Carolina", "in South Carolina he"),
        ("Korea", "in North Korea he"),
        ("male", "Sex: Female"),
        ("Bank of England", "the bank of the river in England"),
        ("Washington University", "at the University of Washington he"),
        ("Springfield, Illinois", "in Springfield he"),
        ("Lincoln", "Abraham Lincoln was the"),
        ("Georgia", "Georgia O'Keeffe painted it"),
        ("Indian Hills", "at Indian Hills High School, he"),
        ("Toy Story 2", "Toy Story, 2 discs"),
        ("Voyager", "Voyager 2, a probe"),
        ("Cambridge", "the Duke of Cambridge said"),
        ("Cambridge", "Cambridge, Mass. : MIT Press"),
        ("Athens", "Athens, Ga."),
        ("Siemens", "Werner von Siemens was born"),
        ("Paris", "a plaster of Paris cast"),
        ("Paris", "“Paris Hilton”, p. 41"),
        ("Guinea", "guinea pigs"),
        ("Le Monde", "le monde entier"),
        ("Mobile", "Mobile: +49 170 1234567"),
        ("male", "Malé, Maldives"),
        ("Church of England", "the oldest church in England"),
        ("South Sudan", "the land south of Sudan"),
        ("Apis mellifera", "A. cerana workers"),
        ("association football player", "a football player's association"),
        ("Catholics", "a Catholic newspaper"),
        ("World Chess Champion", "the defending World Champion of"),
    ],
)
def test_another_name_is_not_taken_for_it(name: str, text: str) -> None:
    found = found_in(name, text, None)
    assert found is None or found.score < NAMED


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Pyotr Ilyich Tchaikovsky", "Пётр Ильич Чайковский, балет"),
        ("Pyotr Ilyich Tchaikovsky", "Чайковский П. И. Соч. 20"),
        ("Peter Tchaikovsky", "Peter Ilich Tschaikowsky"),
        ("Mikhail Gorbachev", "Michail Gorbatschow besuchte Bonn"),
        ("Nikita Khrushchev", "Nikita Chruschtschow"),
        ("Nikolai Vasiliev", "Васильев, Николай"),
        ("Nikolai Vasiliev", "портрет: Н. Васильев"),
        ("Ivan Turgenev", "Iwan Turgenjew, Väter und Söhne"),
        ("Ivan Turgenev", "И. С. Тургенев"),
        ("Alexander Pushkin", "Александр Сергеевич Пушкин"),
        ("Yuri Gagarin", "Ю. Гагарин"),
        ("Boris Pasternak", "Пастернак Б. Л."),
        ("Fyodor Dostoevsky", "Достоевский Фёдор Михайлович"),
        ("Dmitri Shostakovich", "Dmitrij Schostakowitsch"),
        ("Clementina Ballard", "C1ementina Ballard"),
        ("Eleftherios Venizelos", "Ελευθέριος Βενιζέλος"),
    ],
)
def test_transcriptions_of_one_name_are_one(name: str, text: str) -> None:
    found = found_in(name, text, True)
    assert found is not None
    assert found.score >= NAMED


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("Johann Sebastian Bach", "Johann Sebastian Bachs Kantaten", True),
        ("Alexander von Humboldt", "Alexander von Humboldts Reise", True),
        ("Antonín Dvořák", "hudba Antonína Dvořáka", True),
        ("Nora Helene Brandt", "Nora Brandts Herbarium", True),
        ("Karel Čapek", "dílo Karla Čapka", True),
        ("Božena Němcová", "dílo Boženy Němcové", True),
        ("Lev Tolstoy", "роман Льва Толстого", True),
        ("Ivan Petrov", "Ivana Petrova", False),
        ("Jan Novák", "Jana Nováková", False),
        ("Antonín Dvořák", "Antonína Novotného", False),
        ("Jan Novák", "Karla Nováka", False),
    ],
)
def test_other_cases_of_a_name_are_it_unless_another_bears_them(name: str, text: str, named: bool) -> None:
    found = found_in(name, text, True)
    assert (found is not None and found.score >= NAMED) is named


def test_a_surname_alone_is_a_hint() -> None:
    found = found_in("John Smith", "then Smith went home", True)
    assert found is not None
    assert (found.how, found.score <= 0.5) == ("fuzzy", True)


def test_a_state_in_the_description_tells_towns_of_one_name_apart() -> None:
    text = words_of("in Springfield, Illinois, he")
    assert find_term(Term("Q1", "Springfield", (), "city in Illinois"), text).score >= NAMED  # type: ignore[union-attr]
    assert find_term(Term("Q2", "Springfield", (), "city in Ohio"), text).score < NAMED  # type: ignore[union-attr]


def test_the_label_goes_before_an_alias() -> None:
    found = find_names(("United States", "USA"), words_of("the USA, that is the United States"))
    assert found is not None
    assert found.how == "exact"
    assert find_names(("United States", "USA"), words_of("born in the USA")).how == "alias"  # type: ignore[union-attr]


def test_every_place_is_given_once() -> None:
    text = "Mary Smith met M. Smith's friend. Smith, Mary, left."
    found = all_names(("Mary Smith",), words_of(text), person=True, least=NAMED)
    assert [text[one.start : one.end] for one in found] == ["Mary Smith", "M. Smith's", "Smith, Mary"]


@pytest.mark.parametrize(
    ("label", "description", "person"),
    [
        ("Robert Browning", "English poet (1812–1889)", True),
        ("Henry Thornton", "(by 1484-1533) of Buckland, Som", True),
        ("Campbell R. McConnell", "Amerikaans econoom (1928-2019)", True),
        ("poet", "person who writes poetry", False),
        ("American Psycho", "1991 novel by Bret Easton Ellis", False),
        ("Portland", "city in and county seat of Multnomah County", False),
        ("Zeck", "family name", False),
        ("Union Glacier", "", None),
    ],
)
def test_a_description_tells_whether_it_is_a_person(label: str, description: str, person: bool | None) -> None:
    assert looks_like_person(Term("Q1", label, (), description)) is person


def test_learned_numbers_that_are_not_ours_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "spelling.json"
    for text in ("", "[]", json.dumps({"features": ["x"], "weights": [1], "offset": 0, "threshold": 0.5})):
        path.write_text(text)
        with pytest.raises(BrokenSpelling, match=r"spelling\.json"):
            load(path)
    assert 0.5 < shipped().threshold < 1.0


@pytest.mark.parametrize(
    ("value", "text"),
    [("C₄₂H₇₈N₂O₁₄", "Formula: C42H78N2O14"), ("SI 2014 No. 3049", "S.I. 2014 No. 3049"), ("2.5", "rated 2.5 of 5")],
)
def test_a_string_is_found_after_normalising(value: str, text: str) -> None:
    assert find_string(value, text) is not None


@pytest.mark.parametrize(
    ("value", "text"), [("2.5", "12.5"), ("2.5", "2.55"), ("0.2.1", "0.2.1.4"), ("44532", "445321")]
)
def test_a_string_inside_a_longer_one_is_another(value: str, text: str) -> None:
    assert find_string(value, text) is None


@given(st.text(max_size=60), st.text(max_size=200))
def test_spans_lie_within_the_text(name: str, text: str) -> None:
    for found in (find_name(name, words_of(text)), find_string(name, text)):
        if found:
            assert 0 <= found.start < found.end <= len(text)
            assert 0 < found.score <= 1


@pytest.mark.parametrize(
    ("description", "text", "named"),
    [
        ("singer (born 1941)", "HOLM, Ada, (1928 - 2003)", False),
        ("singer (born 1941)", "Ada Holm (b. 1941)", True),
        ("actress (1932–2011)", "Ada Holm (1912–1975), English novelist", False),
        ("actress (1932–2011)", "Ada Holm, English novelist (1912–1975)", False),
        ("actress (1932–2011)", "Ada Holm (1934–1990)", True),
        ("actress (1932–2011)", "Ada Holm (born 27 February 1932 in Oslo)", True),
        ("actress (1932–2011)", "Ada Holm, Otto Berg (1900–1975)", True),
        ("painter (1868–1928)", "Ada Holm, born 1921 in Chicago", False),
        ("painter (1868–1928)", "Ada Holm (d. 1776)", False),
        ("painter (1868–1928)", "Ada Holm, 1904-", False),
        ("painter (1868–1928)", "Ada Holm (1890–1912)", True),  # a career
        ("painter (1868–1928)", "Ada Holm, 1902, oil on canvas", True),
        ("painter (active 1868–1928)", "Ada Holm (1850–1930)", True),
        ("painter (c. 1545–1588)", "Ada Holm, 1552-1601", True),
    ],
)
def test_the_years_behind_a_name_tell_namesakes_apart(description: str, text: str, named: bool) -> None:
    found = find_term(Term("Q0", "Ada Holm", (), description), words_of(text))
    assert found is not None and found.score >= NAMED if named else found is None


@pytest.mark.parametrize(
    ("name", "about", "text", "named"),
    [
        ("National Gallery", "museum in London", "the National Gallery of Canada", False),
        ("National Gallery", "museum in London", "the National Gallery of London", True),
        ("Ministry of Health", "ministry of Norway", "the Ministry of Health of the Republic", False),
        ("Institute of Physics", "", "the Institute of Physics at Holm", False),
        ("Institute of Physics", "", "the Institute of Physics in May", True),
        ("Royal Society", "", "the Royal Society for Birds", False),
        ("Holm", "town", "Holm of Dahl", True),
        ("FC Holm", "football club", "F.C. Holm won", True),
        ("F.C. Holm", "football club", "FC Holm won", True),
        ("United States Navy", "", "a pilot of the U.S. Navy", True),
    ],
)
def test_a_body_of_another_place_is_another(name: str, about: str, text: str, named: bool) -> None:
    found = find_names((name,), words_of(text), person=False, about=about)
    assert found is not None
    assert found.score >= NAMED if named else found.score < 0.6


@pytest.mark.parametrize(
    ("name", "text", "hinted"),
    [
        ("Member of the 1558 Parliament", "Dates: 1558; Parliament: Member", True),
        ("Member of the 1558 Parliament", "Dates: 1563; Parliament: Member", False),
        ("part of a Scheduled Monument", "SCHEDULED MONUMENT: SM986", True),
        ("part of a Scheduled Monument", "Scheduled for one two three four five six the Monument", False),
        ("Department of Education and Training", "the Department of Education said", True),
        ("Department of Education and Training", "the Department of Defence", False),
    ],
)
def test_most_words_of_a_phrase_near_each_other_are_a_hint(name: str, text: str, hinted: bool) -> None:
    found = find_names((name,), words_of(text))
    assert (found is not None) == hinted
    assert found is None or (found.how == "fuzzy" and 0.3 < found.score < 0.6)


def test_a_person_has_no_hint_of_a_phrase() -> None:
    assert find_names(("Rosamund Holm Dahl",), words_of("Holm and Rosamund"), person=True) is None
