"""The pages about items, properties, domains, runs and the whole, in a real browser."""

from __future__ import annotations

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import (
    presence_of_element_located,
    text_to_be_present_in_element,
    url_to_be,
)
from selenium.webdriver.support.ui import WebDriverWait
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from store import schema
from store.reviews import decide

pytestmark = pytest.mark.xdist_group("chromium")

PAGES = ("/overview", "/properties", "/domains", "/runs", "/run/1", "/item/Q42", "/property/P569")


def test_an_item_is_asked_for_without_scripts(scriptless: Chrome, served: str, session: Session) -> None:
    scriptless.get(f"{served}/item/Q999")
    assert "Never checked" in scriptless.find_element(By.TAG_NAME, "main").text
    scriptless.find_element(By.LINK_TEXT, "Sign in to have it checked").click()
    scriptless.find_element(By.CSS_SELECTOR, "main [name=name]").send_keys("Ada", Keys.ENTER)
    wait = WebDriverWait(scriptless, 10)
    wait.until(url_to_be(f"{served}/item/Q999"))
    wait.until(presence_of_element_located((By.CSS_SELECTOR, "form[action$='/check'] button"))).click()
    wait.until(text_to_be_present_in_element((By.TAG_NAME, "main"), "Noted"))
    main = scriptless.find_element(By.TAG_NAME, "main").text
    assert "Noted: Q999 waits to be checked." in main
    assert "Ada asked for it" in main
    assert not scriptless.find_elements(By.CSS_SELECTOR, "form[action$='/check']")
    assert [wish.item_id for wish in session.scalars(select(schema.Request))] == ["Q999"]


def test_the_pages_hold_on_a_narrow_screen_and_their_charts_are_drawn(
    browser: Chrome, served: str, session: Session, pairs: list[int]
) -> None:
    session.execute(text("UPDATE history SET at = at - (pair_id % 3) * interval '33 days'"))
    for pair_id in pairs[:3]:
        verdict = session.scalars(select(schema.Verdict.id).where(schema.Verdict.pair_id == pair_id)).one()
        decide(session, verdict, "Ada", "does_not")
    session.commit()
    for width in (320, 375):
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False},
        )
        for path in (*PAGES, "/domain/library.example.org"):
            browser.get(served + path)
            wide = browser.execute_script("return document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{path} is {wide} px wider than {width} px"
    browser.get(f"{served}/overview")
    boxes = browser.execute_script(
        "return [...document.querySelectorAll('main svg[role=img]')].map(svg => [svg.getBoundingClientRect().width,"
        " svg.querySelectorAll('.seg, .mark').length, [...svg.querySelectorAll('.seg, .mark')]"
        ".every(one => one.getBoundingClientRect().width > 0 && getComputedStyle(one).fill !== 'none')])"
    )
    assert len(boxes) >= 5
    assert all(width > 200 and drawn and filled for width, drawn, filled in boxes), boxes
    section = browser.find_element(By.CSS_SELECTOR, "section[aria-labelledby=h-days]")
    assert not section.find_element(By.TAG_NAME, "table").is_displayed()
    section.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    assert section.find_element(By.TAG_NAME, "table").is_displayed()
    assert len(section.find_elements(By.CSS_SELECTOR, "tbody tr")) == 14
