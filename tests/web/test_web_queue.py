"""The list of references."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient
from sqlalchemy.orm import Session

from config import Config
from models.evidence import Stance
from tests.web.desk import BIRTHDAY, BIRTHTOWN, STUDIES, fill
from tests.web.forms import send, sign_in
from web.views.queue import PAGE_LENGTH
from web.words import PAGE_STANCE, UNSURE

ADAMS_BORN = "Douglas Adams was born on 11 March 1952."


def form_of(text: str) -> str:
    """The form that narrows the list."""
    return text.split('class="card narrow"')[1].split("</form>", maxsplit=1)[0]


def listed(text: str) -> list[int]:
    """The numbers of the pairs in a list, in its order."""
    return [int(number) for number in re.findall(r'class="claim" href="/pair/(\d+)', text)]


def test_worst_first_with_pages_that_are_not_there(client: FlaskClient, pairs: list[int]) -> None:
    birthday, birthtown, studies, lost, _ = pairs
    page = client.get("/")
    assert page.status_code == 200
    assert listed(page.text) == [birthday, lost, studies, birthtown]


def test_a_row_says_all_in_words(client: FlaskClient, pairs: list[int]) -> None:
    row = client.get("/?property=P569").text.split("<tbody>")[1].split("</tr>")[0]
    for words in ("4\u00a0%", "very unlikely", "says otherwise", "date of birth", "library.example.org", "None yet"):
        assert words in row
    assert re.search(r'data-label="Passages" class="number">3<', row)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("property=P569", [0, 3]),
        ("property=P569&outcome=none", [0]),
        ("domain=people.example.com", [2]),
        ("domain=PEOPLE.example.com", [2]),
        ("stance=supports", [1]),
        ("stance=not_enough_info&property=P69&domain=people.example.com", [2]),
        ("stance=supports&property=P569", []),
        ("outcome=not_found", [3]),
        ("outcome=blocked&property=P19", [4]),
        ("outcome=blocked&property=P569", []),
        ("property=&domain=&stance=&outcome=&state=", [0, 3, 2, 1]),
        ("outcome=none", [0, 2, 1]),
        ("state=reviewed", []),
        ("state=all", [0, 3, 2, 1]),
    ],
)
def test_filters_combine(client: FlaskClient, pairs: list[int], query: str, expected: list[int]) -> None:
    assert listed(client.get(f"/?{query}").text) == [pairs[index] for index in expected]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", [0, 3, 2, "unsure", 1]),
        ("stance=cant_tell", ["unsure"]),
        ("stance=cant_tell&property=P69", ["unsure"]),
        ("stance=cant_tell&property=P569", []),
        ("stance=cant_tell&domain=people.example.com&state=all", ["unsure"]),
        ("stance=cant_tell&state=reviewed", []),
        ("stance=supports", [1]),
        ("stance=not_enough_info", [2]),
    ],
)
def test_what_the_judge_cant_tell_is_a_stance_of_its_own(
    client: FlaskClient, pairs: list[int], unsure: int, query: str, expected: list[int | str]
) -> None:
    assert listed(client.get(f"/?{query}").text) == [unsure if at == "unsure" else pairs[int(at)] for at in expected]


def test_an_unsure_row_says_so(client: FlaskClient, unsure: int) -> None:
    text = client.get("/?stance=cant_tell").text
    row = text.split("<tbody>")[1].split("</tr>")[0]
    for words in ("72\u00a0%", "not sure enough to say", "cdx-info-chip--progressive", "Can’t tell", "gauge-unsure"):
        assert words in row
    assert "supports it" not in row
    assert re.findall(r'<option value="([^"]*)" selected>([^<]*)<', form_of(text)) == [
        ("cant_tell", "Can’t tell · 1"),
        ("open", "Not reviewed"),
    ]
    assert f'href="/pair/{unsure}?stance=cant_tell"' in row


def test_the_form_shows_the_filters_in_force(client: FlaskClient, pairs: list[int]) -> None:
    text = client.get("/?property=P569&stance=refutes&state=all").text
    assert re.findall(r'<option value="([^"]*)" selected', form_of(text)) == ["refutes", "P569", "all"]


def test_a_filter_that_matches_nothing_stays_chosen(client: FlaskClient, pairs: list[int]) -> None:
    text = client.get("/?property=P999&outcome=gone").text
    assert re.findall(r'<option value="([^"]*)" selected', form_of(text)) == ["gone", "P999", "open"]


def test_findings_come_without_a_score(client: FlaskClient, pairs: list[int]) -> None:
    rows = client.get("/?outcome=not_found").text.split("<tbody>")[1].split("</tbody>")[0]
    assert "Page not found" in rows
    assert "404 Not Found from gone.example.net" in rows
    assert "%" not in rows
    assert "gauge" not in rows


def test_each_filter_in_force_can_be_taken_away_alone(client: FlaskClient, pairs: list[int]) -> None:
    text = client.get("/?property=P569&class=Q5&since=2026-01-31&state=all").text
    chips = re.findall(r'<li><span class="cdx-info-chip">.*?</li>', text.split('class="chosen"')[1], re.DOTALL)
    said = [" ".join(re.sub(r"<[^>]+>", "", chip.split("<a ")[0]).split()) for chip in chips]
    assert said == ["Property: date of birth", "Kind of subject: Q5", "Judged from: 31 January 2026", "State: All"]
    hrefs = [re.search(r'class="drop" href="([^"]+)"', chip) for chip in chips]
    left = [sorted(parse_qs(urlsplit(href[1].replace("&amp;", "&")).query)) for href in hrefs if href]
    assert left == [
        ["class", "since", "state"],
        ["property", "since", "state"],
        ["class", "property", "state"],
        ["class", "property", "since"],
    ]
    assert '<details class="more" open>' in text, "a filter that is folded away can't be seen"
    assert '<details class="more">' in client.get("/?property=P569").text


def test_the_list_says_how_long_it_is(client: FlaskClient, pairs: list[int]) -> None:
    assert "4 references" in client.get("/").text
    assert "2 references<" in client.get("/?property=P569").text


def test_mine_needs_a_name(client: FlaskClient, pairs: list[int]) -> None:
    text = client.get("/?state=mine").text
    assert "Sign in to see what you reviewed" in text
    assert listed(text) == []
    sign_in(client)
    assert "Nothing matches these filters" in client.get("/?state=mine").text


def test_previous_leads_back(client: FlaskClient, session: Session, config: Config) -> None:
    fill(
        session,
        config.var,
        [
            replace(BIRTHDAY, url=f"https://library.example.org/{n}", probability=n / 100, guid="")
            for n in range(PAGE_LENGTH * 2 + 1)
        ],
    )
    pages = [client.get("/").text]
    for _ in range(2):
        following = re.search(r'rel="next" href="([^"]+)"', pages[-1])
        assert following
        pages.append(client.get(following[1].replace("&amp;", "&")).text)
    assert 'rel="next"' not in pages[2]
    assert 'rel="prev"' not in pages[0]
    back = re.search(r'rel="prev" href="([^"]+)"', pages[2])
    assert back
    second = client.get(back[1]).text
    assert listed(second) == listed(pages[1])
    back = re.search(r'rel="prev" href="([^"]+)"', second)
    assert back
    first = client.get(back[1]).text
    assert listed(first) == listed(pages[0])
    assert 'rel="prev"' not in first


def test_reviewed_pairs_leave_the_open_list(client: FlaskClient, pairs: list[int]) -> None:
    sign_in(client)
    text = client.get(f"/pair/{pairs[0]}").text
    verdict = re.search(r'name="verdict" value="(\d+)"', text)
    assert verdict
    send(client, f"/pair/{pairs[0]}", f"/pair/{pairs[0]}/decision", verdict=verdict[1], decision="does_not")
    assert listed(client.get("/").text) == [pairs[3], pairs[2], pairs[1]]
    reviewed = client.get("/?state=reviewed").text
    assert listed(reviewed) == [pairs[0]]
    assert "The page does not" in reviewed


def test_paging_shows_every_pair_once_and_keeps_the_filters(
    client: FlaskClient, session: Session, config: Config
) -> None:
    many = [
        # Equal figures, so that the place in the list is more than the figure.
        replace(BIRTHDAY, url=f"https://library.example.org/{number}", probability=(number // 20) / 10, guid="")
        for number in range(PAGE_LENGTH * 2 + 3)
    ]
    made = fill(session, config.var, [*many, STUDIES])
    seen: list[int] = []
    address = "/?property=P569"
    pages = 0
    while address:
        text = client.get(address).text
        seen += listed(text)
        pages += 1
        following = re.search(r'rel="next" href="([^"]+)"', text)
        address = following[1].replace("&amp;", "&") if following else ""
        if address:
            assert parse_qs(urlsplit(address).query)["property"] == ["P569"]
    assert pages == 3
    assert sorted(seen) == sorted(made[:-1])
    assert len(set(seen)) == len(seen)


def test_rows_that_come_meanwhile_move_no_other(client: FlaskClient, session: Session, config: Config) -> None:
    fill(
        session,
        config.var,
        [
            replace(BIRTHDAY, url=f"https://library.example.org/{n}", probability=0.1 + n / 100, guid="")
            for n in range(PAGE_LENGTH + 2)
        ],
    )
    first = client.get("/").text
    following = re.search(r'rel="next" href="([^"]+)"', first)
    assert following
    before = listed(client.get(following[1]).text)
    fill(session, config.var, [replace(BIRTHDAY, url="https://library.example.org/new", probability=0.01, guid="")])
    assert listed(client.get(following[1]).text) == before
    assert len(before) == 2


def test_nothing_judged_yet_is_said_so(client: FlaskClient) -> None:
    assert "Nothing has been judged yet" in client.get("/").text


def test_nothing_left_is_said_so(client: FlaskClient, session: Session, config: Config) -> None:
    (pair,) = fill(session, config.var, [BIRTHTOWN])
    sign_in(client)
    verdict = re.search(r'name="verdict" value="(\d+)"', client.get(f"/pair/{pair}").text)
    assert verdict
    send(client, f"/pair/{pair}", f"/pair/{pair}/decision", verdict=verdict[1], decision="supports")
    assert "Nothing is left to review" in client.get("/").text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("stance=supports&outcome=blocked", "either a stance or an outcome"),
        ("stance=cant_tell&outcome=blocked", "either a stance or an outcome"),
        ("domain=nowhere.example", "Nothing matches these filters"),
    ],
)
def test_an_empty_list_says_why(client: FlaskClient, pairs: list[int], query: str, words: str) -> None:
    assert words in client.get(f"/?{query}").text


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("property=Q5", "property"),
        ("property=P0", "property"),
        ("property=P569'--", "property"),
        ("domain=a/b", "domain"),
        ("domain=" + "a" * 300, "domain"),
        ("domain=%00", "domain"),
        ("stance=true", "stance"),
        ("outcome=whatever", "outcome"),
        ("state=yours", "state"),
        ("class=P31", "class"),
        ("class=human", "class"),
        ("language=english", "language"),
        ("language=e%00", "language"),
        ("since=yesterday", "since"),
        ("since=2026-02-30", "since"),
        ("until=9999-12-31", "until"),
        ("until=20260101", "until"),
        ("run=0", "run"),
        ("run=-1", "run"),
        ("run=%C2%B2", "run"),
        ("run=99999999999999999999", "run"),
        ("worklist=one", "worklist"),
        ("after=xyz", "after"),
        ("before=xyz", "before"),
        ("after=0.5~", "after"),
        ("after=nan~3", "after"),
        ("after=0.5~99999999999999999999", "after"),
    ],
)
def test_a_bad_value_is_named(client: FlaskClient, pairs: list[int], query: str, field: str) -> None:
    answer = client.get(f"/?{query}")
    assert answer.status_code == 400
    assert f"“{field}”" in answer.text
    assert "Traceback" not in answer.text


def test_a_cursor_of_another_kind_of_list_does_no_harm(client: FlaskClient, pairs: list[int]) -> None:
    for query in ("outcome=blocked&after=0.5~1", "after=~1", "after=0.5~1&before=0.5~1"):
        assert client.get(f"/?{query}").status_code in (200, 400)


def test_the_wording_judges_no_source_and_no_statement(client: FlaskClient, pairs: list[int]) -> None:
    paths = ("/", "/?outcome=not_found", f"/pair/{pairs[0]}", f"/pair/{pairs[3]}", "/about", "/property/P569")
    for path in (*paths, "/measured"):
        text = client.get(path).text.lower()
        for word in ("unreliable", "reliable", "untrue", "false statement", "is false", "incorrect", "wrong source"):
            assert word not in text, (path, word)


def test_stances_have_signs_and_words() -> None:
    assert set(PAGE_STANCE) == set(Stance)
    assert len({shown.sign for shown in (*PAGE_STANCE.values(), UNSURE)}) == 4
