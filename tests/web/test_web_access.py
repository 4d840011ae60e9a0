"""Every page for everyone: by axe (WCAG 2.2 AA), on any screen, in both directions of text, and by keyboard alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from sqlalchemy.orm import Session

from config import Config
from tests.web.looking import screen, sticking_out
from tests.web.tour import addresses, furnish, unlisted

pytestmark = pytest.mark.xdist_group("chromium")

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@dataclass(frozen=True, slots=True)
class Mode:
    """How a page is looked at."""

    width: int
    cookies: dict[str, str]
    scheme: str = "light"


MODES = {
    "wide, light": Mode(1280, {}),
    "320 wide, dark by choice, right to left": Mode(320, {"look": "dark", "language": "ar-XB"}),
    "wide, dark by the system, German": Mode(1280, {"language": "de"}, "dark"),
}

STOPS = """
const kinds = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
const shown = element => element.getClientRects().length && element.checkVisibility({visibilityProperty: true});
return [...document.querySelectorAll(kinds)]
  .filter(element => shown(element) && !element.disabled)
  .map((element, number) => { element.dataset.stop = number; return element.outerHTML.slice(0, 120); });
"""

FOCUSED = """
const element = document.activeElement;
if (!element || element === document.body) return null;
const style = getComputedStyle(element);
const box = element.getBoundingClientRect();
return [element.dataset.stop ?? '', element.outerHTML.slice(0, 160),
  (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none',
  box.bottom > 0 && box.top < innerHeight, element.type === 'radio' ? element.name : ''];
"""


@pytest.fixture
def config(config: Config) -> Config:
    """The settings with the pseudo-language beside the two real ones."""
    web = config.web.model_copy(update={"languages": ("en", "de", "ar-XB")})
    return config.model_copy(update={"web": web})


@pytest.fixture
def numbers(session: Session, config: Config) -> dict[str, int]:
    """A database in which every page has something to show."""
    return furnish(session, config.var)


def test_the_tour_leads_to_every_page(app: Flask) -> None:
    assert unlisted(app) == set()


def enter(browser: Chrome, site: str, mode: Mode) -> None:
    """Make Chromium look at the site so."""
    for name, value in mode.cookies.items():
        browser.execute_cdp_cmd("Network.setCookie", {"url": site, "name": name, "value": value})
    screen(browser, mode.width, mode.scheme)


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    browser: Chrome, served: str, numbers: dict[str, int], mode: Mode
) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core isn't there: bin/looks brings it by npm")
    enter(browser, served, mode)
    browser.execute_cdp_cmd("Page.enable", {})
    # Chromium gives the script to each page by itself, before the page's own.
    added = browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": AXE.read_text(encoding="utf-8")}
    )
    options = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]}
    run = f"axe.run({json.dumps(options)}).then(arguments[arguments.length - 1])"
    found: dict[tuple[str, str], Any] = {}
    try:
        for path in addresses(numbers):
            browser.get(served + path)
            if wide := sticking_out(browser):
                found[path, "wider than the screen"] = wide
            for violation in browser.execute_async_script(run)["violations"]:
                nodes = [f"{node['html'][:200]} {node['failureSummary'][:200]}" for node in violation["nodes"]]
                found[path, violation["id"]] = nodes[:3]
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    assert not found, json.dumps({str(place): what for place, what in found.items()}, indent=1)


def test_every_page_is_walked_by_keyboard(browser: Chrome, served: str, numbers: dict[str, int]) -> None:
    found: dict[str, Any] = {}
    for path in addresses(numbers):
        browser.get(served + path)
        stops = browser.execute_script(STOPS)
        reached, complaints, groups, last = set[str](), [], set[str](), ""
        for _ in range(len(stops) + 20):
            ActionChains(browser).send_keys(Keys.TAB).perform()  # a file's field takes typing for a path
            at = browser.execute_script(FOCUSED)
            if at is None or (at[0] and at[0] in reached and at[0] != last):
                break  # past the last one, to the browser's own controls or around to the first
            stop, html, ringed, seen, group = at  # a field for a day is several stops
            last = stop
            reached.add(stop)
            if group:
                groups.add(group)
            if not ringed:
                complaints.append(f"no focus to be seen: {html}")
            if not seen:
                complaints.append(f"out of sight: {html}")
        order = [int(stop) for stop in reached if stop]
        missed = [
            html
            for number, html in enumerate(stops)
            if number not in order and not any(f'name="{group}"' in html for group in groups)
        ]
        if complaints or missed:
            found[path] = (complaints[:3], "never reached:", missed[:3])
    assert not found, json.dumps({str(place): what for place, what in found.items()}, indent=1)


def test_the_first_key_leads_past_the_menu(browser: Chrome, served: str, pairs: list[int]) -> None:
    browser.get(served)
    browser.switch_to.active_element.send_keys(Keys.TAB)
    skip = browser.switch_to.active_element
    assert skip.text == "Skip to the content"
    assert browser.execute_script("return arguments[0].getBoundingClientRect().top", skip) >= 0
    skip.send_keys(Keys.ENTER)
    assert browser.execute_script("return document.activeElement.id") == "main"


def test_the_menu_opens_by_keyboard_on_a_narrow_screen(browser: Chrome, served: str, pairs: list[int]) -> None:
    enter(browser, served, Mode(320, {}))
    browser.get(served)
    menu = browser.find_element(By.CSS_SELECTOR, ".menu")
    assert not menu.find_element(By.TAG_NAME, "nav").is_displayed()
    menu.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    links = [link.text for link in menu.find_elements(By.TAG_NAME, "a")]
    assert links[0] == "References"
    assert links[-1] == "About"
