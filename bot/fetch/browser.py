"""Pages drawn by script: one Chromium for the process, a fresh context for each page, the web through our proxy only.

Its driver runs under `bot.fetch.keeper`, which bounds the memory of it all and sees that none of it outlives us.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from selenium.common.exceptions import WebDriverException
from selenium.webdriver import ChromeOptions, ChromeService, Remote
from selenium.webdriver.chrome.remote_connection import ChromeRemoteConnection
from selenium.webdriver.common.proxy import Proxy as ClientProxy
from selenium.webdriver.common.proxy import ProxyType
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.command import Command

from bot.agent import NAME
from bot.fetch import Failure, NotAsked
from bot.fetch.address import Network
from bot.fetch.answer import Answer, clean_header, fetched, host_of
from bot.fetch.browser_folder import make_folder
from bot.fetch.proxy import Proxy
from bot.fetch.visit import OwnVisits, Visit, Visits
from models.document import Document

DRAWN_BY = "x-citewell-rendered"
AUTO = "auto"

PAGES = 50  # after so many, a new browser
START_S = 20.0
ANSWER_S = 5.0  # for making and leaving a context
GRACE_S = 2.0  # beyond a page's time, for taking what was drawn
LOOK_S = 0.2
STEADY_S = 0.8  # that a page with text must have stood still
EMPTY_STEADY_S = 3.0  # the same for one with next to no text
LITTLE_TEXT = 200  # characters: "next to no text"

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_TOO_MUCH = 3  # the keeper's exit code for it
_KEEPER = Path(__file__).with_name("keeper.py")
_DRAWN = Path(__file__).with_name("drawn.js").read_text(encoding="utf-8")
_STANDING = "({text: document.body ? document.body.innerText.length : 0, done: document.readyState === 'complete'})"
_WORLD = "citewell"
_BREAKS = str.maketrans("\r\n", "  ")
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH")  # and no secret of ours
_UNENDING = frozenset({"EventSource", "WebSocket", "Ping", "Media", "Prefetch", "Other"})

# What a page has no business with here. The proxy and the switches below are what keeps it from the network; this only
# spares the trouble of starting it.
_TAKEN_AWAY = """
  delete Navigator.prototype.serviceWorker;
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport", "Notification", "SharedWorker"])
    delete globalThis[name];
"""
_MEDIA = ("mp4", "m4v", "webm", "ogv", "mov", "m3u8", "mpd", "ts", "mp3", "m4a", "ogg", "oga", "wav", "flac", "aac")
_NOT_ASKED_FOR = (*(f"*.{kind}" for kind in _MEDIA), "*/favicon.ico")

_SWITCHES = (
    "--headless",
    "--no-first-run",
    "--remote-debugging-pipe",  # no port that others could connect to; and it ends with its driver
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--disable-3d-apis",
    "--mute-audio",
    "--window-size=1280,2000",
    # Drawn for its text only
    "--blink-settings=imagesEnabled=false",
    "--disable-remote-fonts",
    "--autoplay-policy=user-gesture-required",
    "--disable-notifications",
    # The network is the proxy, whatever the kind of request, and the browser asks for nothing by itself
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-breakpad",
    "--disable-features=MediaRouter,DialMediaRouteProvider,OptimizationHints,Translate,AutofillServerCommunication,"
    "Prerender2",
)


# A browser that we have ended is no news to whoever reads our log.
logging.getLogger("websocket").setLevel(logging.CRITICAL)


class NoBrowser(Exception):
    """There is no browser to draw pages with. The message is one line that says what is missing."""


@dataclass(frozen=True, slots=True)
class Programs:
    """The browser and its driver, as paths."""

    browser: str
    driver: str


@dataclass(frozen=True, slots=True)
class Bounds:
    """What drawing one page may cost: seconds, memory of the whole browser, characters drawn. And our pace."""

    seconds: float = 15.0
    memory_mb: int = 1500
    max_bytes: int = 10_000_000
    host_delay_s: float = 1.0


@dataclass(frozen=True, slots=True)
class Undrawn:
    """Nothing was drawn, for a reason that says nothing about the page; `reason` is one line."""

    reason: str


def find_programs(setting: str) -> Programs:
    """The programs that `fetch.browser` means: "auto" looks on the PATH, else it is the path of Chromium.

    The driver stands beside it, or on the PATH. Raises `NoBrowser`.
    """
    browser = next(filter(None, map(shutil.which, _NAMES)), None) if setting == AUTO else shutil.which(setting)
    if browser is None:
        looked = "none of " + ", ".join(_NAMES) + " is on the PATH" if setting == AUTO else f"{setting} can't be run"
        raise NoBrowser(f"fetch.browser: {looked}")
    driver = shutil.which("chromedriver", path=str(Path(browser).parent)) or shutil.which("chromedriver")
    if driver is None:
        raise NoBrowser(f"fetch.browser: chromedriver is neither beside {browser} nor on the PATH")
    return Programs(browser, driver)


def is_drawn(document: Document) -> bool:
    """Whether a document is what a browser has drawn, and not what a server sent."""
    return any(name == DRAWN_BY for name, _ in document.headers)


class Browser:
    """Draws pages, one after the other. A context manager: the browser starts with the first page and ends with it.

    `report` gets one line where it can't be started; nothing is drawn from then on. `stopped` says that nobody wants
    the page any more. `visits` says which hosts may be asked, and when; None: the pace of this browser alone, which
    only tests have reason for, and for `allowed`, which adds networks that may be connected to.
    """

    def __init__(
        self,
        programs: Programs,
        agent: str,
        bounds: Bounds,
        report: Callable[[str], None],
        stopped: Callable[[], bool] = lambda: False,
        allowed: Collection[Network] = (),
        visits: Visits | None = None,
    ) -> None:
        self._programs, self._agent, self._bounds, self._report = programs, agent, bounds, report
        self._stopped = stopped
        self._proxy = Proxy(allowed)
        self._service: _Kept | None = None
        self._driver: Remote | None = None
        self._pages = 0
        self._given_up = ""
        self._visits = visits or OwnVisits(bounds.host_delay_s)
        self._turn = threading.Lock()

    def __enter__(self) -> Self:
        self._proxy.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
        self._proxy.__exit__(kind, error, trace)

    def draw(self, document: Document) -> Document | Failure | Undrawn:
        """What the address of `document` shows when its scripts have run, asked for anew. Threads wait in turn."""
        with self._turn:
            return self._draw(document)

    def _draw(self, document: Document) -> Document | Failure | Undrawn:
        if self._stopped():
            return Undrawn("the run is being stopped")
        driver = self._started()
        if driver is None:
            return Undrawn(self._given_up)
        self._pages += 1
        try:
            with (
                self._visits.visit(document.final_url, self._bounds.seconds + GRACE_S) as visit,
                self._deadline(self._bounds.seconds, GRACE_S),
            ):
                drawn = self._drawn(driver, document, visit)
            return drawn if isinstance(drawn, Undrawn) else self._let(document, drawn)
        except NotAsked as error:
            return Undrawn(str(error))
        except Exception as error:  # whatever the browser, its driver or their connections may raise
            reason = self._why(error)
            self._end()
            return Undrawn(reason)
        except BaseException:
            self._end()
            raise
        finally:
            if self._pages >= PAGES:
                self._end()

    def _started(self) -> Remote | None:
        """The running browser, started where need be; None where it can't be."""
        if self._driver is None and not self._given_up:
            self._pages = 0
            self._service = _Kept(self._programs.driver, self._bounds.memory_mb * 1_000_000)
            try:
                with self._deadline(START_S):
                    self._driver = self._start(self._service)
            except Exception as error:
                self._given_up = f"{self._programs.browser} can't be started: {self._why(error)}"
                self._end()
                self._report(self._given_up)
            except BaseException:
                self._end()
                raise
        return self._driver

    def _start(self, service: _Kept) -> Remote:
        options = ChromeOptions()
        options.binary_location = self._programs.browser
        options.page_load_strategy = "none"  # we wait until the page stands still, not until it says so
        options.unhandled_prompt_behavior = "dismiss"
        options.enable_bidi = True
        options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
        options.add_experimental_option("excludeSwitches", ["disable-popup-blocking", "enable-automation"])
        options.add_experimental_option("prefs", {"download_restrictions": 3, "profile.cookie_controls_mode": 1})
        for switch in (
            *_SWITCHES,
            f"--user-agent={self._agent}",
            f"--proxy-server=http://127.0.0.1:{self._proxy.port}",
            f"--user-data-dir={service.folder}/profile",
            *(["--no-sandbox"] if os.geteuid() == 0 else []),  # as root it doesn't start with one
        ):
            options.add_argument(switch)
        service.start()
        settings = ClientConfig(
            service.service_url,
            proxy=ClientProxy(raw={"proxyType": ProxyType.DIRECT}),  # ours alone, whatever the environment says
            init_args_for_pool_manager={"init_args_for_pool_manager": {"retries": False}},
            websocket_timeout=ANSWER_S,
            websocket_interval=0.02,
        )
        return Remote(ChromeRemoteConnection(service.service_url, client_config=settings), options=options)

    @contextmanager
    def _deadline(self, seconds: float, grace: float = 0.0) -> Iterator[None]:
        """End the browser, with whatever waits for it, where the block takes longer."""
        service = self._service
        assert service is not None
        timer = threading.Timer(seconds + grace, service.end, [seconds])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _end(self) -> None:
        service, driver = self._service, self._driver
        self._service = self._driver = None
        if service is not None:
            service.end()
        if driver is not None:
            with suppress(Exception):
                driver.quit()  # its connections; the programs have ended
        if service is not None:
            service.close()

    def _why(self, error: Exception) -> str:
        service = self._service
        if service is not None and service.overdue:
            return f"it took longer than {service.overdue:g} s"
        if service is not None and service.used_too_much():
            return f"it used more than {self._bounds.memory_mb:,} MB of memory"
        said = (getattr(error, "msg", None) or str(error) or type(error).__name__).strip()
        return " ".join(said.split("\n", 1)[0].split())[:200]

    def _let(self, document: Document, drawn: Document | Failure) -> Document | Failure | Undrawn:
        """What was drawn, where its host lets us have it: a page's scripts may have led to another's."""
        if drawn.final_url == document.final_url or self._visits.allow(drawn.final_url):
            return drawn
        return Undrawn(f"it leads to {host_of(drawn.final_url)}, whose robots.txt doesn't let {NAME} read it")

    def _drawn(self, driver: Remote, document: Document, visit: Visit) -> Document | Failure | Undrawn:
        with self._proxy.page(closed=visit.closed), _tab(driver) as frame:
            driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _TAKEN_AWAY})
            driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": list(_NOT_ASKED_FOR)})
            at = datetime.now(UTC)
            driver.get(document.final_url)
            traffic = _Traffic(frame)
            self._wait(driver, traffic)
            seen = _ask(driver, f"{_DRAWN}({self._bounds.max_bytes})")
        if traffic.answer is None:
            return Undrawn(f"{host_of(document.final_url)} can't be reached from the browser: {traffic.error}")
        if seen is None:
            return Undrawn(f"it became longer than {self._bounds.max_bytes:,} characters")
        kind = "text/html; charset=utf-8"
        name = f"Chromium {driver.capabilities.get('browserVersion', '')}".strip()
        kept = tuple(one for one in traffic.headers() if one[0] not in ("content-type", DRAWN_BY))
        body = str(seen["html"]).encode("utf-8", "replace")
        status, reason = int(traffic.answer["status"]), str(traffic.answer.get("statusText", ""))
        headers = (("content-type", kind), (DRAWN_BY, name), *kept)
        chain = tuple(dict.fromkeys((document.url, *document.chain, str(seen["url"]))))
        return fetched(chain, Answer(str(seen["url"]), at, status, reason, headers, body))

    def _wait(self, driver: Remote, traffic: _Traffic) -> None:
        """Wait until the page stands still with nothing on its way, or its time is over."""
        until = time.monotonic() + self._bounds.seconds
        since, before = time.monotonic(), -1
        while (now := time.monotonic()) < until and not self._stopped():
            traffic.take(_logged(driver))
            standing = _ask(driver, _STANDING)
            if traffic.error or traffic.refused or standing is None:
                return
            if standing["text"] != before or traffic.on_its_way or not standing["done"]:
                since, before = now, standing["text"]
            elif now - since >= (STEADY_S if before >= LITTLE_TEXT else EMPTY_STEADY_S):
                return
            time.sleep(LOOK_S)
        traffic.take(_logged(driver))


@contextmanager
def _tab(driver: Remote) -> Iterator[str]:
    """A tab in a context of its own: no cookie, cache or worker of another page is there, and none of its own stays."""
    first = driver.current_window_handle
    context = driver.browser.create_user_context()
    tab = driver.browsing_context.create(type="tab", user_context=context)
    driver.switch_to.window(tab)
    _logged(driver)  # of pages before
    yield tab
    driver.switch_to.window(first)  # after an error the browser is ended, and asking it for anything could hang
    driver.browser.remove_user_context(context)


def _ask(driver: Remote, expression: str) -> Any:
    """The value of an expression in the page's tab, in a world that the page's own scripts can't reach."""
    frame = driver.execute_cdp_cmd("Page.getFrameTree", {})["frameTree"]["frame"]["id"]
    world = driver.execute_cdp_cmd("Page.createIsolatedWorld", {"frameId": frame, "worldName": _WORLD})
    said = driver.execute_cdp_cmd(
        "Runtime.evaluate",
        {"expression": expression, "contextId": world["executionContextId"], "returnByValue": True},
    )
    if "exceptionDetails" in said:
        raise WebDriverException(str(said["exceptionDetails"].get("text", "the page can't be looked at")))
    return said["result"].get("value")


def _logged(driver: Remote) -> list[dict[str, Any]]:
    """What the browser has logged of its traffic since it was asked last."""
    return list(driver.execute(Command.GET_LOG, {"type": "performance"})["value"])


@dataclass(slots=True)
class _Traffic:
    """What is on its way in a tab, and the last answer for the page itself; `error` where there was none."""

    frame: str
    on_its_way: set[str] = field(default_factory=set)
    answer: dict[str, Any] | None = None
    error: str = ""
    _page: str = ""

    @property
    def refused(self) -> bool:
        """Whether the server gave an answer, but no page."""
        return self.answer is not None and not 200 <= int(self.answer["status"]) < 300

    def take(self, entries: Collection[dict[str, Any]]) -> None:
        """Take in what the browser has logged since."""
        for entry in entries:
            event = json.loads(entry["message"])["message"]
            self._event(event["method"], event["params"])

    def headers(self) -> tuple[tuple[str, str], ...]:
        """The headers of the answer, with lower-case names."""
        given = (self.answer or {}).get("headers", {})
        return tuple((name.lower(), clean_header("", str(value).translate(_BREAKS))) for name, value in given.items())

    def _event(self, method: str, params: dict[str, Any]) -> None:
        request = str(params.get("requestId", ""))
        of_page = params.get("type") == "Document" and params.get("frameId") == self.frame
        if method == "Network.requestWillBeSent":
            if params.get("type", "Other") not in _UNENDING:
                self.on_its_way.add(request)
            if of_page:
                self._page, self.error = request, ""
        elif method == "Network.responseReceived" and of_page:
            self.answer = params["response"]
        elif method in ("Network.loadingFinished", "Network.loadingFailed"):
            self.on_its_way.discard(request)
            if method == "Network.loadingFailed" and request == self._page and not params.get("canceled"):
                self.answer, self.error = None, str(params.get("errorText") or "it failed")


class _Kept(ChromeService):
    """The driver, run by the keeper in a session of its own: Ctrl-C is for us alone."""

    def __init__(self, driver: str, memory: int) -> None:
        self._own = make_folder()
        self.folder = self._own.path
        self.overdue = 0.0
        self._command = ["-I", str(_KEEPER), self.folder, str(memory), driver]
        super().__init__(
            sys.executable,
            env={name: os.environ[name] for name in _PASSED_ON if name in os.environ}
            | {"HOME": self.folder, "TMPDIR": self.folder, "TZ": "UTC"},
            driver_path_env_key="CITEWELL-DRIVER",  # no variable has that name: the path is ours to choose
            popen_kw={"start_new_session": True, "pass_fds": (self._own.lock,)},
        )

    def command_line_args(self) -> list[str]:
        """The keeper's arguments: the driver's command is the last of them."""
        return self._command + super().command_line_args()

    def end(self, overdue: float = 0.0) -> None:
        """End the driver and the browser; `overdue` says that it is for taking longer than so many seconds."""
        process = self._process()
        if process is None or process.poll() is not None:
            return
        self.overdue = self.overdue or overdue
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)

    def used_too_much(self) -> bool:
        """Whether it was ended for its memory."""
        process = self._process()
        if process is None:
            return False
        with suppress(subprocess.TimeoutExpired):
            return process.wait(2) == _TOO_MUCH
        return False

    def close(self) -> None:
        """Leave nothing behind, though the keeper itself was killed."""
        if self._process() is not None:
            with suppress(OSError):
                self.stop()
        self._own.remove()

    def _process(self) -> subprocess.Popen[bytes] | None:
        return getattr(self, "process", None)  # there is none before it was started


__all__ = ["DRAWN_BY", "Bounds", "Browser", "NoBrowser", "Programs", "Undrawn", "find_programs", "is_drawn"]
