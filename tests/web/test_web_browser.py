"""The desk in a real Chromium: the flows of an editor, with scripts and without, wide and narrow, and for everyone."""

from __future__ import annotations

import pytest
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from sqlalchemy.orm import Session

from config import Config
from store.measured import keep
from tests.web.desk import ROWS, UNREAD, fill
from tests.web.figures import FIGURES

pytestmark = pytest.mark.xdist_group("chromium")

PATHS = [
    "/",
    "/?outcome=not_found",
    "/?property=P999",
    "/pair/{judged}",
    "/pair/{lost}",
    "/pair/{rows}",
    "/pair/{unread}",
    "/property/P569",
    "/property/P569/preview?wording=pattern&text={{subject}} was born on {{object}}, they say.",
    "/property/P569/preview?wording=pattern&text=nothing",
    "/properties",
    "/runs",
    "/about",
    "/measured",
    "/?stance=cant_tell",
    "/sign-in",
    "/nowhere",
]


@pytest.fixture
def many(session: Session, pairs: list[int], unsure: int, structured: list[int]) -> list[int]:
    """The usual pairs, then a page with tables and lists, then one in a language that isn't read.

    There is one of which the judge can't tell too, and there are figures of how well it does.
    """
    keep(session, "judge-1", FIGURES)
    session.commit()
    return [*pairs, *structured]


def address(served: str, path: str, pairs: list[int]) -> str:
    """The full address of one of the paths above."""
    return served + path.format(judged=pairs[0], lost=pairs[3], rows=pairs[-2], unread=pairs[-1])


def press(browser: Chrome, text: str, within: str = "main") -> None:
    """Press the first button or follow the first link that has this text, and wait for the next page."""
    found = [
        element
        for element in browser.find_elements(By.CSS_SELECTOR, f"{within} button, {within} a")
        if text in element.text
    ]
    assert found, f"no button or link has {text!r} in {browser.find_element(By.TAG_NAME, within).text}"
    found[0].click()
    WebDriverWait(browser, 10).until(lambda _: gone(found[0]))


def gone(element: WebElement) -> bool:
    """True once the page of the element was left."""
    try:
        element.is_enabled()
    except WebDriverException:
        return True
    return False


def widest(browser: Chrome) -> int:
    """How many pixels the page needs from side to side."""
    width: int = browser.execute_script("return document.documentElement.scrollWidth")
    return width


def shown(browser: Chrome) -> str:
    """The text of the page's main part as a reader sees it."""
    return browser.find_element(By.TAG_NAME, "main").text


def test_filters_by_the_form(browser: Chrome, served: str, pairs: list[int]) -> None:
    browser.get(served)
    for field, value in (("f-stance", "supports"), ("f-state", "all")):
        browser.find_element(By.CSS_SELECTOR, f"#{field} option[value={value}]").click()
    press(browser, "Show")
    assert [claim.text for claim in browser.find_elements(By.CSS_SELECTOR, ".queue .claim")] == [
        "Douglas Adams was born in Cambridge."
    ]
    press(browser, "Clear")
    assert len(browser.find_elements(By.CSS_SELECTOR, ".queue .claim")) == 4


@pytest.fixture
def structured(session: Session, config: Config) -> list[int]:
    """A page with tables and lists, and one in a language that isn't read."""
    return [*fill(session, config.var, [ROWS]), *fill(session, config.var, [UNREAD])]


def test_the_first_key_leads_past_the_menu(browser: Chrome, served: str, pairs: list[int]) -> None:
    browser.get(served)
    browser.switch_to.active_element.send_keys(Keys.TAB)
    skip = browser.switch_to.active_element
    assert skip.text == "Skip to the content"
    assert browser.execute_script("return arguments[0].getBoundingClientRect().top", skip) >= 0
    skip.send_keys(Keys.ENTER)
    assert browser.execute_script("return document.activeElement.id") == "main"


def test_nothing_is_asked_of_other_hosts(browser: Chrome, served: str, many: list[int]) -> None:
    for path in PATHS:
        browser.get(address(served, path, many))
        loaded = browser.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
        assert all(name.startswith((f"{served}/static/", f"{served}/pair/")) for name in loaded), loaded


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_page_is_wider_than_its_screen(browser: Chrome, served: str, many: list[int], width: int) -> None:
    screen = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 1000}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    for path in PATHS:
        browser.get(address(served, path, many))
        # A phone's viewport settles a moment after the page has loaded.
        WebDriverWait(browser, 10).until(lambda browser: widest(browser) <= width, f"{path} is too wide")
