"""`python -m tests.web.screenshots FOLDER [PART-OF-AN-ADDRESS]`: every page in Chromium, to look at.

Each is taken wide, narrow, dark, and narrow from right to left, over a database of its own.
"""

from __future__ import annotations

import base64
import re
import sys
import tempfile
import threading
from pathlib import Path

from selenium.webdriver import Chrome
from sqlalchemy.orm import Session
from werkzeug.serving import make_server

from config import Config
from store.database import migrate, open_database
from tests.web.conftest import open_chromium
from tests.web.tour import addresses, furnish
from web import create_app

MODES = {
    "wide": (1280, {}),
    "narrow": (375, {}),
    "dark": (1280, {"look": "dark"}),
    "rtl": (1280, {"language": "ar-XB"}),
    "rtl-narrow": (375, {"language": "ar-XB"}),
    "de": (1280, {"language": "de"}),
}


def take(browser: Chrome, site: str, path: str, mode: str, file: Path) -> None:
    """One page in one mode, in its whole height, into a PNG file."""
    width, cookies = MODES[mode]
    browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
    for name, value in cookies.items():
        browser.execute_cdp_cmd("Network.setCookie", {"url": site, "name": name, "value": value})
    screen = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 1000}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.get(site + path)
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})
    file.write_bytes(base64.b64decode(shot["data"]))


def main(folder: Path, part: str = "", modes: str = ",".join(MODES)) -> None:
    """All pages whose address has the part in it."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as var:
        web = {"languages": ["en", "de", "ar-XB"]}
        config = Config.model_validate({"database": {"url": ""}, "var": var, "web": web})
        with open_database("", Path(var)) as engine, Session(engine) as session:
            migrate(engine)
            numbers = furnish(session, Path(var))
            server = make_server("127.0.0.1", 0, create_app(config, engine), threaded=True)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            browser = open_chromium(Path(var) / "chromium")
            try:
                for path in addresses(numbers):
                    if part in path:
                        name = re.sub(r"\W+", "-", path).strip("-") or "list"
                        for mode in modes.split(","):
                            take(
                                browser,
                                f"http://127.0.0.1:{server.server_port}",
                                path,
                                mode,
                                folder / f"{name}.{mode}.png",
                            )
            finally:
                browser.quit()
                server.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
