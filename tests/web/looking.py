"""What Chromium says of a page that it shows: how wide it is, and what sticks out."""

from __future__ import annotations

from typing import Any

from selenium.webdriver import Chrome

_WIDE_THINGS = """
const wide = document.documentElement.clientWidth;
const inside = element => {
  for (let up = element.parentElement; up && up !== document.body; up = up.parentElement)
    if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(up).overflowX)) return true;
  return false;
};
const whole = document.documentElement.scrollWidth;
const things = [...document.body.querySelectorAll('*')].filter(element => {
  const box = element.getBoundingClientRect();
  return box.width && box.height && (box.right > wide + 1 || box.left < -1)
    && !element.closest('.visually-hidden, .skip, thead') && !inside(element);
});
return [whole > wide ? whole : 0, things.map(element => element.outerHTML.slice(0, 160)).slice(0, 3)];
"""


def screen(browser: Chrome, width: int, scheme: str = "light") -> None:
    """Give Chromium a screen of this width, and a system that is light or dark."""
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


def sticking_out(browser: Chrome) -> list[Any]:
    """What is wider than the screen: the page's width where it is, and the beginnings of some elements."""
    wide, things = browser.execute_script(_WIDE_THINGS)
    return [wide, things] if wide or things else []
