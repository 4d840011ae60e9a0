"""Statements in words: patterns, the grammar, overrides, qualifiers."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from models.statement import EntityValue, Qualifier, QuantityValue, Statement, Term, TextValue, TimeValue, Value
from models.verbalise import Override, check_pattern, verbalise
from models.verbalise.articles import an, plural, the
from models.verbalise.patterns import pattern_for, pattern_ids


def say(
    subject: str,
    prop: str,
    value: Value | str,
    *qualifiers: Qualifier,
    description: str = "",
    override: Override | None = None,
) -> str:
    """`prop` is "P69 educated at"; a value given as text is an item's label."""
    property_id, label = prop.split(" ", 1)
    statement = Statement(
        guid="Q1$1",
        item=Term("Q1", subject, description=description),
        property=Term(property_id, label),
        datatype="",
        value=item(value) if isinstance(value, str) else value,
        qualifiers=qualifiers,
    )
    claim = verbalise(statement, override)
    assert claim is not None
    return claim.text


def item(label: str) -> EntityValue:
    return EntityValue(Term("Q2", label))


def year(number: int) -> TimeValue:
    return TimeValue(number, None, None, 9)


def day(number: int, month: int, date: int) -> TimeValue:
    return TimeValue(number, month, date, 11)


def qualifier(property_id: str, value: Value) -> Qualifier:
    return Qualifier(Term(property_id, property_id), value)


@pytest.mark.parametrize(
    ("subject", "prop", "value", "text"),
    [
        ("Ada Lovelace", "P569 date of birth", day(1815, 12, 10), "Ada Lovelace was born on 10 December 1815."),
        ("Sappho", "P570 date of death", year(-570), "Sappho died in 570 BC."),
        ("Erik Satie", "P106 occupation", "composer", "Erik Satie is a composer."),
        ("Enrico Caruso", "P106 occupation", "opera singer", "Enrico Caruso is an opera singer."),
        ("Aruna Asaf Ali", "P27 country of citizenship", "India", "Aruna Asaf Ali is a citizen of India."),
        (
            "Anton de Kom",
            "P27 country of citizenship",
            "Netherlands",
            "Anton de Kom is a citizen of the Netherlands.",
        ),
        ("Rijksmuseum", "P17 country", "Netherlands", "The country of Rijksmuseum is the Netherlands."),
        (
            "Anna Kovács",
            "P1412 languages spoken",
            "German",
            "A language spoken, written or signed by Anna Kovács is German.",
        ),
        ("Danube", "P30 continent", "Europe", "Danube is on the continent of Europe."),
        ("Sofia Lund", "P607 conflict", "World War II", "Sofia Lund participated in the conflict World War II."),
        (
            "Oslo",
            "P150 contains administrative territorial entity",
            "Frogner",
            "Frogner is an administrative division of Oslo.",
        ),
        ("Ilves", "P118 league", "Liiga", "Ilves plays in the league Liiga."),
        ("Leeds United", "P118 league", "Premier League", "Leeds United plays in the Premier League."),
        ("Hedy Lamarr", "P21 sex or gender", "female", "Hedy Lamarr is female."),
        ("Lili Elbe", "P21 sex or gender", "trans woman", "Lili Elbe is a trans woman."),
        ("Solaris", "P136 genre", "science fiction film", "Solaris is a science fiction film."),
        ("Kind of Blue", "P136 genre", "modal jazz", "The genre of Kind of Blue is modal jazz."),
        ("Solaris", "P50 author", "Stanisław Lem", "The author of Solaris is Stanisław Lem."),
        # The value is the part, the child, the character: the direction is what is easily got wrong.
        ("Benelux", "P527 has part", "Belgium", "Belgium is part of Benelux."),
        ("Marie Curie", "P40 child", "Irène Joliot-Curie", "Irène Joliot-Curie is a child of Marie Curie."),
        ("Hamlet", "P674 characters", "Ophelia", "Ophelia is a character in Hamlet."),
        ("Nadia Boulanger", "P802 student", "Quincy Jones", "Quincy Jones was a student of Nadia Boulanger."),
        (
            "Mont Blanc",
            "P2044 elevation above sea level",
            QuantityValue(Decimal("4807.81"), unit=Term("Q11573", "metre")),
            "The elevation above sea level of Mont Blanc is 4,807.81 metres.",
        ),
        (
            "Ursula K. Le Guin",
            "P1477 birth name",
            TextValue("Ursula Kroeber", "en"),
            'The birth name of Ursula K. Le Guin is "Ursula Kroeber".',
        ),
        (
            "Lisbon Airport",
            "P2795 directions",
            TextValue("7 km north of Lisbon", "en"),
            "Lisbon Airport is located 7 km north of Lisbon.",
        ),
        ("ethanol", "P274 chemical formula", TextValue("C₂H₆O"), "The chemical formula of ethanol is C₂H₆O."),
    ],
)
def test_common_properties_read_as_a_person_would_write_them(
    subject: str, prop: str, value: Value | str, text: str
) -> None:
    assert say(subject, prop, value) == text


@pytest.mark.parametrize(
    ("description", "text"),
    [
        ("Scottish indie rock band", "Mogwai was founded in 1995."),
        ("oil painting by an unknown artist", "Mogwai was created in 1995."),
        ("painting in the museum of a city", "Mogwai was created in 1995."),
    ],
)
def test_the_kind_of_subject_chooses_the_wording(description: str, text: str) -> None:
    assert say("Mogwai", "P571 inception", year(1995), description=description) == text


@pytest.mark.parametrize(
    ("description", "text"),
    [
        ("museum in Amsterdam", "Mogwai is located in Chile."),
        ("2012 election in Chile", "Mogwai took place in Chile."),
        ("law of the republic", "The country of Mogwai is Chile."),
        ("", "The country of Mogwai is Chile."),
        ("Museum in Amsterdam, Niederlande", "Mogwai is located in Chile."),
        ("чилийский закон 1912 года", "The country of Mogwai is Chile."),
        ("loi chilienne de 1912", "The country of Mogwai is Chile."),
    ],
)
def test_what_is_not_known_to_stand_somewhere_is_only_of_its_country(description: str, text: str) -> None:
    assert say("Mogwai", "P17 country", "Chile", description=description) == text


def test_the_class_tells_what_a_description_in_another_language_does_not() -> None:
    subject = Term("Q1", "Ponyo", description="фильм 2008 года")
    statement = Statement("g", subject, Term("P577", "publication date"), "", year(2008))
    said = [verbalise(replace(statement, classes=classes)) for classes in ((), ("Q11424",))]
    assert [claim and claim.text for claim in said] == ["Ponyo was published in 2008.", "Ponyo was released in 2008."]


def test_films_are_released_and_reports_are_published() -> None:
    released = say("Alien", "P577 publication date", year(1979), description="1979 film by Ridley Scott")
    published = say("Alien", "P577 publication date", year(1979), description="report on species")
    assert (released, published) == ("Alien was released in 1979.", "Alien was published in 1979.")


@pytest.mark.parametrize(
    ("label", "value", "text"),
    [
        ("produced by", "Acme", "X was produced by Acme."),
        ("located in protected area", "Serengeti", "X is located in the protected area Serengeti."),
        ("used by", "farmers", "X is used by farmers."),
        ("has grammatical case", "dative", "X has the grammatical case dative."),
        ("has parts of the class", "wheel", "X has parts of the class wheel."),
        ("vaccine for", "measles", "X is a vaccine for measles."),
        ("indigenous to", "Chile", "X is indigenous to Chile."),
        ("lyrics by", "Ira Gershwin", "The lyrics of X are by Ira Gershwin."),
        ("oath made by", "Jane Doe", "The oath of X was made by Jane Doe."),
        ("depends on software", "zlib", "X depends on the software zlib."),
        ("said to be the same as", "Y", "X is said to be the same as Y."),
        ("designed to carry", "coal", "X was designed to carry coal."),
        ("does not have part", "tail", "X does not have the part tail."),
        ("is a list of", "bridge", "X is a list of bridge."),
        ("medical examinations", "biopsy", "The medical examinations of X include biopsy."),
        ("track gauge", "broad gauge", "The track gauge of X is broad gauge."),
        ("type of orbit", "polar orbit", "X's type of orbit is polar orbit."),
        ("league level above", "First Division", "X's league level above is First Division."),
        ("next higher rank", "major", "The next higher rank of X is major."),
        ("record held", "long jump", "For X, the record held is long jump."),
        ("sports discipline trained in", "judo", "For X, the sports discipline trained in is judo."),
        ("number of people rescued", QuantityValue(Decimal(7)), "For X, the number of people rescued is 7."),
        ("reply to", "Y", "X is a reply to Y."),
        ("where is it?", "Rome", 'For X, the answer to "where is it?" is Rome.'),
        ("number of wheels", QuantityValue(Decimal(18)), "The number of wheels of X is 18."),
        ("dissolved on", day(1999, 1, 2), "X was dissolved on 2 January 1999."),
        ("dissolved on", year(1999), "X was dissolved in 1999."),
        ("ceased to exist", year(1999), "X ceased to exist in 1999."),
        ("in", "Rome", "X is in Rome."),
        ("local motto", TextValue("Semper", "la"), 'The local motto of X is "Semper".'),
    ],
)
def test_the_grammar_follows_the_shape_of_the_label(label: str, value: Value | str, text: str) -> None:
    assert say("X", f"P99999 {label}", value) == text


@pytest.mark.parametrize(
    ("qualifiers", "text"),
    [
        (
            (qualifier("P580", day(1831, 12, 13)), qualifier("P582", year(1833))),
            "A B was employed by C from 13 December 1831 to 1833.",
        ),
        ((qualifier("P580", year(1990)),), "A B is employed by C from 1990."),
        ((qualifier("P582", year(1990)),), "A B was employed by C until 1990."),
        ((qualifier("P585", TimeValue(1990, 5, None, 10)),), "A B was employed by C in May 1990."),
        ((qualifier("P2868", item("archivist")),), "A B is employed by C as an archivist."),
        ((qualifier("P642", item("Bremen")),), "A B is employed by C of Bremen."),
        ((qualifier("P1545", TextValue("3")),), "A B is employed by C (number 3)."),
        ((qualifier("P794", item("clerk")),), "A B is employed by C as a clerk."),
        ((qualifier("P3831", item("main employer")),), "A B is employed by C (main employer)."),
        ((qualifier("P1013", item("revenue")),), "A B is employed by C (by the criterion revenue)."),
        ((qualifier("P1352", QuantityValue(Decimal(2))),), "A B is employed by C (ranked 2)."),
        ((qualifier("P1319", year(1990)),), "A B is employed by C (at the earliest in 1990)."),
        ((qualifier("P1326", day(1990, 5, 1)),), "A B is employed by C (at the latest on 1 May 1990)."),
        ((qualifier("P1264", TimeValue(1900, None, None, 7)),), "A B is employed by C in the 19th century."),
        ((qualifier("P1480", item("presumably")),), "A B is employed by C, presumably."),
        (
            (qualifier("P5102", item("allegedly")), qualifier("P580", year(1990))),
            "A B is employed by C from 1990, allegedly.",
        ),
        # What does not change the meaning, or has no label, stays unsaid.
        ((qualifier("P459", item("estimation process")),), "A B is employed by C."),
        ((qualifier("P2868", EntityValue(Term("Q9", None))),), "A B is employed by C."),
    ],
)
def test_qualifiers_that_change_the_meaning_are_said(qualifiers: tuple[Qualifier, ...], text: str) -> None:
    assert say("A B", "P108 employer", "C", *qualifiers) == text


def test_circa_is_said_and_takes_no_preposition() -> None:
    circa = qualifier("P1480", EntityValue(Term("Q5727902", "circa")))
    assert say("Hypatia", "P569 date of birth", year(360), circa) == "Hypatia was born about 360."


def test_what_is_only_nearly_so_is_about_so() -> None:
    nearly = qualifier("P1480", item("approximately"))
    said = say("Cliff", "P2048 height", QuantityValue(Decimal(90), unit=Term("Q11573", "metre")), nearly)
    assert said == "The height of Cliff is about 90 metres."


@pytest.mark.parametrize(
    ("prop", "value", "text"),
    [
        ("P708 diocese", "Ely", "A B belonged to the diocese Ely until 1990."),
        ("P931 place served by transport hub", "Ely", "A B served Ely until 1990."),
        ("P1532 country for sport", "Chile", "A B represented the country Chile in sport until 1990."),
        ("P264 record label", "Ely", "The record label of A B was Ely until 1990."),
        ("P121 item operated", "Ely", "A B operated Ely until 1990."),
    ],
)
def test_what_has_ended_is_told_in_the_past(prop: str, value: str, text: str) -> None:
    assert say("A B", prop, value, qualifier("P582", year(1990))) == text


def test_a_label_override_goes_through_the_grammar_and_a_pattern_is_taken_literally() -> None:
    label = say("Erik Satie", "P69 educated at", "Paris", override=Override("label", "alumnus of"))
    pattern = say("Erik Satie", "P69 educated at", "Paris", override=Override("pattern", "{object} taught {subject}."))
    assert (label, pattern) == ("Erik Satie is an alumnus of Paris.", "Paris taught Erik Satie.")


def test_braces_in_labels_and_overrides_stay_literal() -> None:
    hostile = "{object} {0.__class__} {subject}"
    by_pattern = say(hostile, "P69 x", "{subject}", override=Override("pattern", "{subject} knows {object}"))
    by_label = say("A", "P69 x", "B", override=Override("label", "{subject.__class__} of {object}"))
    assert by_pattern == f"{hostile} knows {{subject}}."
    assert by_label == "A's {subject.__class__} of {object} is B."


def test_each_way_of_wording_is_named() -> None:
    statement = Statement("g", Term("Q1", "A"), Term("P50", "author"), "", item("B"))
    claims = [verbalise(statement), verbalise(statement, Override("label", "writer"))]
    assert [claim and claim.wording for claim in claims] == ["pattern", "override"]


@pytest.mark.parametrize(
    "statement",
    [
        Statement("g", Term("Q1", None), Term("P50", "author"), "", item("B")),
        Statement("g", Term("Q1", "A"), Term("P50", None), "", item("B")),
        Statement("g", Term("Q1", "A"), Term("P50", "author"), "", EntityValue(Term("Q2", None))),
        Statement("g", Term("Q1", "\u202e\n"), Term("P50", "author"), "", item("B")),
        Statement("g", Term("Q1", "A"), Term("P2067", "mass"), "", QuantityValue(Decimal(1), unit=Term("Q3", None))),
    ],
)
def test_without_a_label_there_is_no_claim(statement: Statement) -> None:
    assert verbalise(statement) is None


@pytest.mark.parametrize(
    ("pattern", "complaint"),
    [
        ("{subject} met {object}.", None),
        ("{object} by {subject}, {object}", None),
        ("", "Write a sentence"),
        ("{subject} met someone", "lacks {object}"),
        ("met {object}", "lacks {subject}"),
        ("{subject} {object} {name}", "“{name}” can't be filled in"),
        ("{subject.__class__} {subject} {object}", "“{subject.__class__}” can't be filled in"),
        ("{{subject}} {object}", "A brace is opened and not closed"),
        ("{subject}\n{object}", "one line"),
        ("{subject} met \u202e{object}", "can't be seen"),
        ("{subject}{object}", "Write words between"),
        ("{subject} – {object}.", "Write words between"),
        ("{subject} {object}" + "x" * 300, "within 300"),
    ],
)
def test_a_bad_pattern_gets_one_clear_complaint(pattern: str, complaint: str | None) -> None:
    found = check_pattern(pattern)
    assert (found is None) if complaint is None else (found is not None and complaint in found)


def test_every_pattern_can_be_read_and_names_both_sides() -> None:
    assert len(pattern_ids()) >= 300
    for property_id in pattern_ids():
        statement = Statement("g", Term("Q1", "Subj"), Term(property_id, "label"), "", item("obj"))
        sentence = pattern_for(statement)
        claim = verbalise(statement)
        assert sentence is not None
        assert claim is not None
        assert "Subj" in claim.text, property_id
        assert "obj" in claim.text.lower(), property_id


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("hour", "an hour"),
        ("university", "a university"),
        ("unincorporated area", "an unincorporated area"),
        ("MP", "an MP"),
        ("NASA astronaut", "a NASA astronaut"),
        ("8-bit game", "an 8-bit game"),
        ("1800s novel", "a 1800s novel"),
        ("X-ray", "an X-ray"),
        ("one-act play", "a one-act play"),
        ("European", "a European"),
        ("Russians", "Russians"),
        ("military personnel", "military personnel"),
        ("part of a listed site", "part of a listed site"),
    ],
)
def test_indefinite_articles_go_by_sound(label: str, text: str) -> None:
    assert an(label) == text


@pytest.mark.parametrize(
    "name", ["Netherlands", "Royal Society", "University of Derby", "Vietnam War", "House of Lords"]
)
def test_names_that_take_the(name: str) -> None:
    assert the(name) == f"the {name}"


@pytest.mark.parametrize(
    "name", ["France", "Princeton University", "King's College London", "Lake Geneva", "The Hague"]
)
def test_names_that_take_no_article(name: str) -> None:
    assert the(name) == name


@pytest.mark.parametrize(
    ("singular", "expected"),
    [
        ("metre", "metres"),
        ("foot", "feet"),
        ("inch", "inches"),
        ("century", "centuries"),
        ("day", "days"),
        ("km", "km"),
    ],
)
def test_plurals(singular: str, expected: str) -> None:
    assert plural(singular) == expected
