"""Worklists in a real browser: made with and without JavaScript, watched until they are resolved, and reviewed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import (
    presence_of_element_located,
    text_to_be_present_in_element,
    url_contains,
    url_to_be,
)
from selenium.webdriver.support.ui import WebDriverWait
from sqlalchemy.orm import Session

from store import worklists
from tests.web.looking import screen, sticking_out

pytestmark = pytest.mark.xdist_group("chromium")

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"


def sign_in(browser: Chrome, site: str) -> None:
    """Sign in on the way to the worklists, as somebody who wants to make one."""
    browser.get(f"{site}/worklists")
    browser.find_element(By.LINK_TEXT, "Sign in to make a worklist").click()
    browser.find_element(By.CSS_SELECTOR, "main [name=name]").send_keys("Ada", Keys.ENTER)
    WebDriverWait(browser, 10).until(url_to_be(f"{site}/worklists"))
    WebDriverWait(browser, 10).until(presence_of_element_located((By.CSS_SELECTOR, ".new-list")))


def shown(browser: Chrome) -> list[str]:
    """The ids of the fields for the source that can be seen."""
    return [name for name in ("items", "pagepile", "sparql") if browser.find_element(By.ID, name).is_displayed()]


def choose(browser: Chrome, kind: str) -> None:
    browser.find_element(By.CSS_SELECTOR, f"label[for=kind-{kind}]").click()


def resolve(session: Session, worklist_id: int, *ids: str) -> None:
    """What the bot does."""
    taken = worklists.take(session, "w", 60)
    assert taken is not None
    assert taken.id == worklist_id
    assert worklists.fill(session, worklist_id, "w", ids)
    session.commit()


@pytest.mark.parametrize("which", ["browser", "scriptless"])
def test_a_list_is_made_resolved_and_reviewed(
    request: pytest.FixtureRequest, which: str, served: str, session: Session, pairs: list[int]
) -> None:
    chrome: Chrome = request.getfixturevalue(which)
    wait = WebDriverWait(chrome, 10)
    sign_in(chrome, served)
    assert shown(chrome) == ["items"]
    chrome.find_element(By.ID, "name").send_keys("Politicians")
    choose(chrome, "pagepile")
    assert shown(chrome) == ["pagepile"]
    chrome.find_element(By.ID, "pagepile").send_keys("many")
    chrome.find_element(By.CSS_SELECTOR, ".worklist-form button").click()
    wait.until(text_to_be_present_in_element((By.ID, "pagepile-error"), "Give the number of a PagePile"))
    assert shown(chrome) == ["pagepile"]
    assert chrome.find_element(By.ID, "name").get_attribute("value") == "Politicians"
    choose(chrome, "sparql")
    assert shown(chrome) == ["sparql"]
    choose(chrome, "items")
    chrome.find_element(By.ID, "items").send_keys("Q567 Merkel\nQ12345")
    chrome.find_element(By.CSS_SELECTOR, ".worklist-form button").click()
    wait.until(url_contains("/worklist/"))
    assert "It waits for the bot" in chrome.find_element(By.ID, "worklist").text
    resolve(session, 1, "Q567", "Q12345")
    if which == "scriptless":
        chrome.find_element(By.LINK_TEXT, "Look again").click()
    wait.until(text_to_be_present_in_element((By.ID, "worklist"), "0 of 2 reviewed"))
    chrome.find_element(By.LINK_TEXT, "Review them").click()
    wait.until(url_to_be(f"{served}/?worklist=1"))
    assert [each.text for each in chrome.find_elements(By.CSS_SELECTOR, "table.queue tbody th [translate=no]")] == [
        "Q567",
        "Q567",
    ]


def test_the_form_suits_axe_and_any_screen_and_the_keyboard(browser: Chrome, served: str) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core isn't there: bin/looks brings it by npm")
    sign_in(browser, served)
    browser.find_element(By.CSS_SELECTOR, "[name=name]").send_keys("x", Keys.ENTER)
    WebDriverWait(browser, 10).until(presence_of_element_located((By.ID, "items-error")))
    for width in (1280, 320):
        screen(browser, width, "dark" if width == 320 else "light")
        assert sticking_out(browser) == []
        browser.execute_script(AXE.read_text(encoding="utf-8"))
        for kind in ("items", "pagepile", "sparql"):
            choose(browser, kind)
            found = browser.execute_async_script("axe.run(document).then(arguments[arguments.length - 1])")
            assert found["violations"] == [], json.dumps(found["violations"], indent=1)[:2000]
    chosen = browser.find_element(By.ID, "kind-sparql")
    chosen.send_keys(Keys.ARROW_UP)
    assert shown(browser) == ["pagepile"]
    browser.switch_to.active_element.send_keys(Keys.TAB)
    assert browser.switch_to.active_element.get_attribute("id") == "pagepile"
