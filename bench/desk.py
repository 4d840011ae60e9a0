"""`python -m bench desk`: 30 decisions by keyboard in Chromium, from the key to the next pair painted."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import click
from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from sqlalchemy import select
from sqlalchemy.orm import Session

from bench.desk_pairs import more_pairs
from sample.build import DUMP, PAGES
from store import schema
from store.database import open_database

DECISIONS = 30
COPIES = 3
KEYS = ("s", "d", "c")
WINDOW = (1280, 720)
GOAL_MS = 300
PATIENCE_S = 20.0
LOOK_S = 0.02

# Takes the time from a key to the first frame that shows another pair, on one page or over two. A timer that is set
# when a frame is made fires when it is painted.
_CLOCK = """
(() => {
  const shown = () => document.getElementById("desk")?.dataset.pair;
  addEventListener("keydown", (event) => {
    if ("sdc".includes(event.key)) {
      sessionStorage.setItem("bench.key", JSON.stringify([performance.timeOrigin + event.timeStamp, shown()]));
    }
  }, true);
  const look = () => {
    const key = JSON.parse(sessionStorage.getItem("bench.key"));
    if (key && shown() && shown() !== key[1]) {
      sessionStorage.removeItem("bench.key");
      setTimeout(() => {
        const times = JSON.parse(sessionStorage.getItem("bench.times") ?? "[]");
        times.push(performance.timeOrigin + performance.now() - key[0]);
        sessionStorage.setItem("bench.times", JSON.stringify(times));
      });
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
"""
# The baseline: the same keys press the same buttons, and the browser sends the form and loads the next page.
_PRESS = """
addEventListener("keydown", (event) => {
  const decision = {s: "supports", d: "does_not", c: "cant_tell"}[event.key];
  if (decision) document.querySelector(`.decisions button[value=${decision}]`)?.click();
});
"""
_TIMES = "return JSON.parse(sessionStorage.getItem('bench.times') ?? '[]')"


@click.command("desk")
@click.option("--pause-ms", type=click.IntRange(min=160), default=700, show_default=True, help="Before each key.")
def desk(pause_ms: int) -> None:
    """Walk the sample, serve it, and decide 30 times by keyboard: with the next pair loaded ahead, and without."""
    with tempfile.TemporaryDirectory(prefix="citewell-desk-") as folder:
        var = Path(folder) / "var"
        # What a person has set in the environment is for their own dashboard.
        environment = {name: value for name, value in os.environ.items() if not name.upper().startswith("CITEWELL_")}
        environment["CITEWELL_VAR"] = str(var)
        _run(environment, "bot", "run", "--dump", str(DUMP), "--pages", str(PAGES))
        with open_database("", var) as engine, Session(engine) as session:
            more_pairs(session, COPIES)
            verdict = schema.Verdict
            pairs = list(session.scalars(select(verdict.pair_id).where(verdict.current, verdict.stance.is_not(None))))
        with _served(environment) as address:
            walks = {
                "without": _walk(address, Path(folder), "Ada", pause_ms, ahead=False),
                "ahead": _walk(address, Path(folder), "Eve", pause_ms, ahead=True),
                "ahead_hurried": _walk(address, Path(folder), "Mary", 160, ahead=True),
            }
            server = [_asked_ms(f"{address}/pair/{pair}") for pair in pairs]
    figures = {
        "open_pairs": len(pairs),
        "decisions": DECISIONS,
        "pause_ms": pause_ms,
        **{name: _figures(times) for name, times in walks.items()},
        "server": _figures(server),
        "goal_ms": GOAL_MS,
        "reached": _figures(walks["ahead"])["p95_ms"] < GOAL_MS,
    }
    click.echo(json.dumps(figures))


def _walk(address: str, folder: Path, name: str, pause_ms: int, *, ahead: bool) -> list[float]:
    """Decide as a person of this name, in a browser of its own; the milliseconds from each key to the next pair."""
    with _chromium(folder / name) as browser:
        browser.execute_cdp_cmd("Page.enable", {})
        if not ahead:
            browser.execute_cdp_cmd("Network.enable", {})
            browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/static/*desk*.js*"]})
        script = _CLOCK if ahead else _CLOCK + _PRESS
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        browser.get(f"{address}/sign-in")
        browser.find_element(By.ID, "name").send_keys(f"{name}\n")
        WebDriverWait(browser, PATIENCE_S).until(lambda one: "/sign-in" not in one.current_url)
        # Each walk has all pairs before it, whatever the others decided.
        browser.get(f"{address}/?state=all")
        first = browser.find_element(By.CSS_SELECTOR, "main a[href*='/pair/']").get_attribute("href")
        browser.get(str(first))
        for number in range(DECISIONS):
            time.sleep(pause_ms / 1000)
            _press(browser, KEYS[number % len(KEYS)])
            _wait_for(browser, number + 1)
        times: list[float] = browser.execute_script(_TIMES)
        return times


def _wait_for(browser: Chrome, times: int) -> None:
    WebDriverWait(browser, PATIENCE_S, LOOK_S).until(lambda one: len(one.execute_script(_TIMES)) >= times)


def _press(browser: Chrome, key: str) -> None:
    about = {"key": key, "code": f"Key{key.upper()}", "text": key, "windowsVirtualKeyCode": ord(key.upper())}
    browser.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyDown", **about})
    browser.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", **about})


def _asked_ms(url: str) -> float:
    begun = time.perf_counter()
    with urlopen(url) as answer:  # noqa: S310 - our own server
        answer.read()
    return (time.perf_counter() - begun) * 1000


def _figures(times: Sequence[float]) -> dict[str, float]:
    ordered = sorted(times)

    def at(share: float) -> float:
        return round(ordered[min(int(share * len(ordered)), len(ordered) - 1)], 1)

    return {"n": len(ordered), "p50_ms": at(0.5), "p95_ms": at(0.95), "max_ms": at(1)}


def _run(environment: Mapping[str, str], *arguments: str) -> None:
    done = subprocess.run(  # noqa: S603 - our own commands
        [sys.executable, "-m", *arguments], env=environment, check=False, capture_output=True, text=True
    )
    if done.returncode:
        raise ValueError(f"the sample couldn't be walked: {done.stderr.strip().splitlines()[-1:]}")


@contextmanager
def _served(environment: Mapping[str, str]) -> Iterator[str]:
    """The dashboard as it is served in earnest; its address."""
    command = [sys.executable, "-m", "web", "--port", "0"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
        try:
            assert server.stdout is not None
            said = server.stdout.readline()
            if "http://" not in said:
                raise ValueError("the dashboard didn't start")
            yield said.split()[-1]
        finally:
            server.terminate()


@contextmanager
def _chromium(profile: Path) -> Iterator[Chrome]:
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        raise ValueError("chromium and chromium-driver aren't installed")
    options = ChromeOptions()
    options.binary_location = chromium
    for argument in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-dev-shm-usage",
        f"--user-data-dir={profile}",
        "--window-size={},{}".format(*WINDOW),
    ):
        options.add_argument(argument)
    browser = Chrome(options=options, service=ChromeService(driver))
    try:
        yield browser
    finally:
        browser.quit()
