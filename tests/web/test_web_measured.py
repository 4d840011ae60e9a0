"""How often the judge is wrong: the page, with figures and without."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser, LexborNode
from sqlalchemy import select
from sqlalchemy.orm import Session

from store import schema
from store.measured import keep
from store.reviews import decide
from tests.web.figures import FIGURES


def page(client: FlaskClient, path: str = "/measured") -> LexborNode:
    """The page's main part."""
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    main = LexborHTMLParser(answer.text).css_first("main")
    assert main is not None
    return main


def words(node: LexborNode) -> str:
    """The text of a node with single spaces."""
    return " ".join(node.text().split())


def table(main: LexborNode, section: str) -> list[list[str]]:
    """The rows of the table under a heading."""
    (found,) = main.css(f"section[aria-labelledby={section}]")
    return [[words(cell) for cell in row.css("th, td")] for row in found.css("tbody tr")]


@pytest.fixture
def figures(session: Session) -> dict[str, Any]:
    """Figures as a fit writes them, kept."""
    keep(session, "judge-1", FIGURES)
    session.commit()
    return FIGURES


def test_nothing_stored_is_said_so(client: FlaskClient) -> None:
    main = page(client)
    assert "No measured figures are stored yet." in words(main)
    assert "Nobody has decided about a verdict yet." in words(main)
    assert not main.css("svg")


def test_error_by_property_and_by_domain_with_their_numbers(client: FlaskClient, figures: dict[str, Any]) -> None:
    main = page(client)
    assert "508 labelled pairs, 44 of them not supported, so split that no pair is judged" in words(main)
    assert "How they were split: five folds by page, five seeds." in words(main)
    assert "judge-1" in words(main)
    assert table(main, "h-property") == [
        ["date of birth (P569)", "62", "4", "2.9", "5 %"],
        ["place of birth (P19)", "9", "1", "0.4", "5 % (few)"],
        ["educated at (P69)", "2", "2", "0", "none judged"],
    ]
    assert table(main, "h-domain") == [
        ["example.org", "40", "2", "1.9", "5 %"],
        ["a-very-long-name.of-a-host.example.com", "3", "0", "1", "33 % (few)"],
    ]


def test_curves_have_names_and_their_numbers_in_tables(client: FlaskClient, figures: dict[str, Any]) -> None:
    main = page(client)
    reliability, risk = main.css(".plot svg")
    for svg, name in ((reliability, "reliability"), (risk, "risk")):
        assert svg.attributes["role"] == "img"
        assert svg.attributes["aria-labelledby"] == f"{name}-title {name}-text"
        assert all(words(main.css(f"#{name}-{part}")[0]) for part in ("title", "text"))
    assert len(reliability.css("circle")) == len(table(main, "h-reliability")) == 10
    assert len(risk.css("circle")) == len(table(main, "h-risk")) == 9
    assert table(main, "h-reliability")[0] == ["0 % to 10 %", "5 (few)", "4 %", "6 %"]
    assert table(main, "h-risk")[-1] == ["100 %", "7.2 %"]


def test_the_strict_policy_holds(client: FlaskClient, figures: dict[str, Any]) -> None:
    text = client.get("/measured").text
    assert "style=" not in text
    assert text.count("<script") == text.count('<script src="/static/')
    assert "<style" not in text


def test_decisions_of_reviewers_are_counted(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    for pair, decision in ((pairs[0], "does_not"), (pairs[1], "does_not"), (pairs[2], "cant_tell")):
        found = session.scalars(select(schema.Verdict.id).where(schema.Verdict.pair_id == pair)).one()
        decide(session, found, "Ada", decision)
    session.commit()
    main = page(client)
    assert table(main, "h-decided-property") == [
        ["place of birth (P19)", "0", "1", "0 % (few)", "0", "0"],
        ["date of birth (P569)", "1", "0", "100 % (few)", "0", "0"],
        ["educated at (P69)", "0", "0", "none", "0", "1"],
    ]
    assert table(main, "h-decided-domain")[0][0] == "library.example.org"


def test_about_and_a_propertys_page_lead_there(client: FlaskClient, pairs: list[int], figures: dict[str, Any]) -> None:
    for path in ("/about", "/property/P569"):
        assert '/measured"' in client.get(path).text
    told = words(page(client, "/property/P569"))
    assert (
        "Of 62 labelled pairs of this property Citewell couldn’t tell 4, and was wrong about 2.9 of the others." in told
    )


def test_a_property_shows_what_the_judge_cant_tell(client: FlaskClient, pairs: list[int], unsure: int) -> None:
    row = next(row for row in page(client, "/properties").css("tbody tr") if "educated at" in words(row))
    cells = {cell.attributes["data-label"]: words(cell) for cell in row.css("td[data-label]")}
    assert (cells["References"], cells["Doesn’t say"], cells["Can’t tell"], cells["Supported"]) == ("2", "1", "1", "0")
