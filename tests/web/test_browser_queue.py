"""The list and decisions about many in a real browser, with and without JavaScript."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import staleness_of, text_to_be_present_in_element, url_contains
from selenium.webdriver.support.ui import Select, WebDriverWait
from sqlalchemy.orm import Session

from config import Config
from tests.web.desk import ADAMS, ALL_TERMS, ANN, BIRTHDAY, fill
from tests.web.looking import sticking_out
from web.views.queue import PAGE_LENGTH

pytestmark = pytest.mark.xdist_group("chromium")

HOSTILE = '<img src=x onerror="document.title=1">\u202e' + "w" * 200


@pytest.fixture(params=["browser", "scriptless"])
def chrome(request: pytest.FixtureRequest) -> Chrome:
    chosen: Chrome = request.getfixturevalue(request.param)
    return chosen


def press(chrome: Chrome, css: str) -> None:
    """Click, and wait for the page that follows."""
    element = chrome.find_element(By.CSS_SELECTOR, css)
    element.click()
    WebDriverWait(chrome, 10).until(staleness_of(element))


def chips(chrome: Chrome) -> list[str]:
    return [each.text for each in chrome.find_elements(By.CSS_SELECTOR, ".chosen .cdx-info-chip")]


def claims(chrome: Chrome) -> list[str]:
    return [str(each.get_attribute("href")) for each in chrome.find_elements(By.CSS_SELECTOR, ".queue .claim")]


def test_the_list_is_narrowed_and_widened_again(chrome: Chrome, served: str, pairs: list[int]) -> None:
    chrome.get(served)
    assert len(claims(chrome)) == 4
    more = chrome.find_element(By.CSS_SELECTOR, "details.more")
    assert more.get_attribute("open") is None
    Select(chrome.find_element(By.NAME, "property")).select_by_value("P569")
    more.find_element(By.TAG_NAME, "summary").click()
    chrome.find_element(By.NAME, "run").send_keys("1")
    Select(chrome.find_element(By.NAME, "state")).select_by_value("all")
    press(chrome, ".narrow button")
    asked = parse_qs(urlsplit(chrome.current_url).query)
    assert (asked["property"], asked["run"], asked["state"]) == (["P569"], ["1"], ["all"])
    assert [chip.split("\n")[0].split(" ×")[0] for chip in chips(chrome)] == [
        "Property: date of birth",
        "Run: 1",
        "State: All",
    ]
    assert chrome.find_element(By.CSS_SELECTOR, "details.more").get_attribute("open") is not None
    press(chrome, ".chosen li:nth-child(2) .drop")
    assert "run" not in parse_qs(urlsplit(chrome.current_url).query)
    press(chrome, ".queue .claim")
    press(chrome, ".crumbs a")  # back to the list, as it was narrowed
    assert parse_qs(urlsplit(chrome.current_url).query) == {"property": ["P569"], "state": ["all"]}


def test_pages_lead_on_and_back(chrome: Chrome, served: str, session: Session, config: Config) -> None:
    fill(
        session,
        config.var,
        [
            replace(BIRTHDAY, url=f"https://library.example.org/{n}", probability=n / 100, guid="")
            for n in range(PAGE_LENGTH + 3)
        ],
    )
    chrome.get(served)
    first = claims(chrome)
    assert chrome.find_element(By.CSS_SELECTOR, ".list-number").text == f"{PAGE_LENGTH + 3} references"
    press(chrome, "[rel=next]")
    assert len(claims(chrome)) == 3
    press(chrome, "[rel=prev]")
    assert claims(chrome) == first


def test_a_domain_is_decided_about_and_undone(chrome: Chrome, served: str, pairs: list[int]) -> None:
    chrome.get(f"{served}/sign-in")
    chrome.find_element(By.CSS_SELECTOR, "main [name=name]").send_keys("Ada", Keys.ENTER)
    WebDriverWait(chrome, 10).until(lambda page: not page.current_url.endswith("/sign-in"))
    chrome.get(f"{served}/?domain=library.example.org")
    press(chrome, ".list-head > p > a")
    assert "1 reference would be decided" in chrome.find_element(By.TAG_NAME, "main").text
    chrome.find_element(By.CSS_SELECTOR, "label[for=supported]").click()
    press(chrome, "form[method=get].card button")
    assert "2 references would be decided" in chrome.find_element(By.TAG_NAME, "main").text
    press(chrome, "form[method=post].card button")
    WebDriverWait(chrome, 10).until(url_contains("/bulk/"))
    assert "Decided about 2 references." in chrome.find_element(By.TAG_NAME, "main").text
    press(chrome, "section form button")
    WebDriverWait(chrome, 10).until(text_to_be_present_in_element((By.TAG_NAME, "main"), "Taken back on"))
    chrome.get(f"{served}/?domain=library.example.org")
    assert len(claims(chrome)) == 2


@pytest.mark.parametrize("width", [320, 1280])
def test_hostile_words_are_words(browser: Chrome, served: str, session: Session, config: Config, width: int) -> None:
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    item = replace(ANN, label=HOSTILE, description=HOSTILE)
    url = "https://library.example.org/<img/src=x/onerror=alert(1)>" + "w" * 200
    hostile = replace(BIRTHDAY, item=item, url=url, guid="", classes=("Q5",))
    fill(session, config.var, [hostile, replace(BIRTHDAY, item=ADAMS)], [*ALL_TERMS, item])
    for path in ("/?class=Q5&state=all", "/bulk/new?domain=library.example.org"):
        browser.get(served + path)
        assert "onerror" in browser.find_element(By.TAG_NAME, "main").text
        assert not browser.find_elements(By.CSS_SELECTOR, "main img")
        assert sticking_out(browser) == []
