"""Marks, places, addresses and words: the pure parts behind the pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.select import Skipped
from models.evidence import Match, Stance
from models.statement import Term
from store.measured import Reliability, Risk
from web.curves import reliability_plot, risk_plot
from web.formats import figure, percent, signed
from web.links import Quote, at_sheet, at_text, entity_url, is_web, safe_next, statement_url
from web.marking import named, pieces
from web.shown import show_snak, show_snaks
from web.words import NOTHING_MORE, SKIPPED, likelihood, sentence, skipped

SPANS = st.lists(
    st.builds(
        Match,
        part=st.sampled_from(["subject", "property", "value"]),
        how=st.sampled_from(["exact", "conflict", "unheard of"]),
        start=st.integers(-3, 40),
        end=st.integers(-3, 40),
    ),
    max_size=8,
)


@given(st.text(max_size=30), SPANS)
def test_pieces_joined_are_the_text_whatever_the_matches(text: str, matches: list[Match]) -> None:
    assert "".join(piece.text for piece in pieces(text, matches)) == text


def test_a_value_shows_through_a_subject_that_holds_it() -> None:
    made = pieces("Adams of 1952", [Match("subject", "alias", 0, 13), Match("value", "coarser", 9, 13)])
    assert [(piece.text, piece.kind, piece.title) for piece in made] == [
        ("Adams of ", "subject", "the subject, by another name"),
        ("1952", "value", "the value, less precisely; the subject, by another name"),
    ]


@pytest.mark.parametrize(
    ("entity", "address"),
    [
        ("Q42", "https://www.wikidata.org/wiki/Q42"),
        ("P569", "https://www.wikidata.org/wiki/Property:P569"),
        ("L7", "https://www.wikidata.org/wiki/Lexeme:L7"),
        ("L7-F2", "https://www.wikidata.org/wiki/Lexeme:L7#F2"),
    ],
)
def test_addresses_of_entities(entity: str, address: str) -> None:
    assert entity_url(entity) == address


def test_the_anchor_of_a_statement_is_its_guid() -> None:
    guid = "P6$d5b6f5d3-4d2b-3f2c-8a0e-000000000000"
    assert statement_url("P6", guid) == f"https://www.wikidata.org/wiki/Property:P6#{guid}"
    assert statement_url("Q1", 'Q1$"><b>') == "https://www.wikidata.org/wiki/Q1#Q1$%22%3E%3Cb%3E"


@pytest.mark.parametrize(
    ("url", "web"),
    [
        ("https://example.org/a?b#c", True),
        ("http://example.org", True),
        ("HTTPS://example.org", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("ftp://example.org/", False),
        ("//example.org", False),
        ("https:///path", False),
        ("java\nscript:alert(1)", False),
        ("https://exa mple.org", False),
        ("http://[bad", False),
        ("", False),
    ],
)
def test_only_addresses_of_the_web_become_links(url: str, web: bool) -> None:
    assert is_web(url) is web


def test_text_fragments() -> None:
    assert at_text("https://e.org/a", Quote("Born on 1-2, a & b")) == (
        "https://e.org/a#:~:text=Born%20on%201%2D2%2C%20a%20%26%20b"
    )
    assert at_text("https://e.org/a#top", Quote("Here", "there", "right-")) == (
        "https://e.org/a#top:~:text=right%2D-,Here,there"
    )
    assert at_text("https://e.org/a", Quote("One"), Quote("Two")) == "https://e.org/a#:~:text=One&text=Two"
    assert at_text("https://e.org/a") == "https://e.org/a"
    assert at_sheet("https://e.org/a.pdf#top", 3) == "https://e.org/a.pdf#page=3"


@given(st.text(max_size=40))
def test_after_signing_in_one_stays_on_the_site(target: str) -> None:
    safe = safe_next(target)
    assert safe.startswith("/")
    assert not safe.startswith(("//", "/\\"))


@pytest.mark.parametrize("target", ["/", "/pair/3?stance=refutes&state=all", "/property/P569"])
def test_paths_of_the_site_are_kept(target: str) -> None:
    assert safe_next(target) == target


@pytest.mark.parametrize(
    ("probability", "shown", "words"),
    [
        (0.0, "0\u00a0%", "very unlikely"),
        (0.0004, "under 1\u00a0%", "very unlikely"),
        (0.1, "10\u00a0%", "unlikely"),
        (0.5, "50\u00a0%", "uncertain"),
        (0.65, "65\u00a0%", "likely"),
        (0.999, "over 99\u00a0%", "very likely"),
        (1.0, "100\u00a0%", "very likely"),
    ],
)
def test_probabilities_in_words(probability: float, shown: str, words: str) -> None:
    assert percent(probability) == shown
    assert likelihood(probability) == words


def test_a_number_with_its_sign() -> None:
    assert (signed(0.416), signed(-0.4), signed(0)) == ("+0.42", "−0.40", "+0.00")


def test_snaks_without_a_value_in_wikidatas_words() -> None:
    def term(entity: str) -> Term:
        return Term(entity, None)

    assert show_snak({"snaktype": "somevalue"}, term).text == "unknown value"
    assert show_snak({"snaktype": "novalue"}, term).text == "no value"
    assert (
        show_snak({"snaktype": "value", "datavalue": {"type": "odd"}}, term).text == "a value that Citewell can’t read"
    )


def test_a_quantity_whose_unit_has_no_label_keeps_its_amount() -> None:
    quantity = {"type": "quantity", "value": {"amount": "+12.5", "unit": "http://www.wikidata.org/entity/Q4917"}}
    shown = show_snak({"snaktype": "value", "datavalue": quantity}, lambda entity: Term(entity, None))
    assert (shown.text, shown.entity_id) == ("12.5", "Q4917")


def test_values_link_to_entities_and_to_the_web() -> None:
    snaks = {
        "P1": [
            {"snaktype": "value", "datavalue": {"type": "wikibase-entityid", "value": {"id": "Q5"}}},
            {"snaktype": "value", "datavalue": {"type": "string", "value": "https://example.org/"}},
            {"snaktype": "value", "datavalue": {"type": "string", "value": "javascript:alert(1)"}},
            {
                "snaktype": "value",
                "datavalue": {"type": "monolingualtext", "value": {"text": "Haus", "language": "de"}},
            },
        ]
    }
    (shown,) = show_snaks(snaks, {"Q5": Term("Q5", "human")})
    assert [(value.text, value.entity_id, value.url, value.language) for value in shown.values] == [
        ("human", "Q5", None, None),
        ("https://example.org/", None, "https://example.org/", None),
        ("javascript:alert(1)", None, None, None),
        ("Haus", None, None, "de"),
    ]


def test_likely_is_kept_for_pages_that_were_found_to_support() -> None:
    assert likelihood(0.75, Stance.REFUTES) == "though it says otherwise"
    assert likelihood(0.75, Stance.NOT_ENOUGH_INFO) == "not said outright"
    assert likelihood(0.98, Stance.NOT_ENOUGH_INFO) == "not said outright"
    assert likelihood(0.5, Stance.NOT_ENOUGH_INFO) == "uncertain"
    assert likelihood(0.2, Stance.REFUTES) == "unlikely"


@pytest.mark.parametrize("probability", [0.05, 0.5, 0.98])
def test_of_what_the_judge_is_unsure_only_the_leaning_is_said(probability: float) -> None:
    assert {likelihood(probability, stance, True) for stance in Stance} == {"not sure enough to say"}


@pytest.mark.parametrize(
    ("detail", "shown"),
    [
        ("", ""),
        ("the text is in German (de)", "The text is in German (de)."),
        ("the site is no longer the source’s", "The site is no longer the source’s."),
        ("404 Not Found from example.org", "404 Not Found from example.org"),
        ("example.org took longer than 30 s", "example.org took longer than 30 s"),
        ("no passage to judge by", ""),
    ],
)
def test_an_outcomes_detail_is_a_sentence_that_adds_something(detail: str, shown: str) -> None:
    assert sentence(detail) == shown


def test_details_that_say_nothing_more_are_still_written() -> None:
    root = Path(__file__).resolve().parents[2]
    code = "".join((root / name).read_text() for name in ("models/rot/__init__.py", "models/judge.py", "bot/find.py"))
    assert [detail for detail in NOTHING_MORE if f'"{detail}"' not in code] == []


def test_every_reason_of_a_walk_has_its_words() -> None:
    assert set(SKIPPED) == {reason.value for reason in Skipped}
    assert skipped("some_later_reason") == "Some later reason"


def test_figures_have_a_digit_where_they_need_one() -> None:
    assert [figure(number) for number in (62.0, 3.2, 0.0, 1204.04)] == ["62", "3.2", "0", "1,204"]


def test_curves_are_drawn_within_their_frame() -> None:
    bins = [Reliability(0.0, 0.1, 20.2, 0.0, 1.0), Reliability(0.9, 1.0, 400.0, 1.0, 0.0)]
    plot = reliability_plot(bins)
    assert plot is not None
    assert [(point.x, point.y) for point in plot.points] == [(plot.left, plot.top), (plot.right, plot.bottom)]
    assert plot.points[0].radius < plot.points[1].radius
    assert plot.points[1].words == "said 100\u00a0%, found 0\u00a0%"
    risk = risk_plot([Risk(0.5, 0.0), Risk(1.0, 0.07)])
    assert risk is not None
    assert [tick.words for tick in risk.y_ticks] == ["0%", "2%", "4%", "6%", "8%", "10%"]
    assert plot.top < risk.points[1].y < plot.bottom
    assert (reliability_plot([]), risk_plot([])) == (None, None)


def test_marks_are_told_in_words_most_needed_first_and_each_once() -> None:
    text = "Adams died in 1952, or 1952"
    matches = [
        Match("subject", "fuzzy", 0, 5, 0.9),
        Match("property", "opposite", 6, 10),
        Match("value", "conflict", 14, 18),
        Match("value", "conflict", 23, 27),
        Match("value", "exact", 90, 99),
    ]
    assert [(piece.text, piece.title) for piece in named(text, matches)] == [
        ("1952", "another value of the same kind"),
        ("died", "words of another property"),
        ("Adams", "the subject, nearly (90\u00a0% alike)"),
    ]
