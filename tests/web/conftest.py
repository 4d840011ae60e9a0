"""The dashboard under test: as an app to call, served over HTTP, and looked at with a real Chromium."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from sqlalchemy import Engine
from sqlalchemy.orm import Session
from werkzeug.serving import make_server

from config import Config
from tests.web.desk import UNSURE, fill
from web import create_app


@pytest.fixture
def app(config: Config, engine: Engine) -> Flask:
    """The dashboard over this test's database, with CSRF protection on as in earnest."""
    return create_app(config, engine)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser without a page: keeps cookies, follows nothing by itself."""
    return app.test_client()


@pytest.fixture
def pairs(session: Session, config: Config) -> list[int]:
    """The usual pairs, in the order of `desk.USUAL`."""
    return fill(session, config.var)


@pytest.fixture
def unsure(session: Session, config: Config) -> int:
    """A pair of which the judge can't tell, leaning to "supports"."""
    return fill(session, config.var, [UNSURE])[0]


@pytest.fixture
def served(app: Flask) -> Iterator[str]:
    """The dashboard over real HTTP; the address without a slash at its end."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def open_chromium(profile: Path, *, width: int = 1280, scripts: bool = True) -> Chrome:
    """A Chromium of its own that asks nobody but the page it is sent to. Skips the test where there is none."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("chromium and chromium-driver aren't installed")
    options = ChromeOptions()
    options.binary_location = chromium
    for argument in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-dev-shm-usage",
        f"--user-data-dir={profile}",
        f"--window-size={width},900",
    ):
        options.add_argument(argument)
    if not scripts:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    return Chrome(options=options, service=ChromeService(driver))


@pytest.fixture(scope="session")
def _chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    chrome = open_chromium(tmp_path_factory.mktemp("chromium"))
    yield chrome
    chrome.quit()


@pytest.fixture(scope="session")
def _scriptless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    chrome = open_chromium(tmp_path_factory.mktemp("chromium-scriptless"), scripts=False)
    yield chrome
    chrome.quit()


@pytest.fixture
def browser(_chromium: Chrome) -> Chrome:
    """Chromium, 1280 wide, signed in nowhere."""
    return _fresh(_chromium)


@pytest.fixture
def scriptless(_scriptless: Chrome) -> Chrome:
    """Chromium with JavaScript switched off, signed in nowhere."""
    return _fresh(_scriptless)


def _fresh(chrome: Chrome) -> Chrome:
    chrome.execute_cdp_cmd("Network.clearBrowserCookies", {})
    chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    return chrome
