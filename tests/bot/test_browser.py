"""Pages drawn by script, with a real Chromium: what is read, what is refused, what it may cost, and that it ends."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from local_web import LocalWeb, local_web, page
from sqlalchemy import Engine, func, select, update
from sqlalchemy.orm import Session
from structlog.testing import capture_logs
from test_run import adams, current, dump, warc

from bot import run
from bot.agent import user_agent
from bot.fetch import browser
from bot.fetch.browser import Bounds, Browser, NoBrowser, Programs, Undrawn, find_programs, is_drawn
from bot.fetch.live import Limits, Live
from bot.fetch.visit import SharedVisits
from bot.find import Finder
from bot.pages import Freshness, Pages
from bot.stop import Stop
from bot.walk import Walk
from bot.work import Worker
from config import Config
from models.document import Document
from models.outcome import Outcome
from models.read import Page, read
from store import schema
from store.archive import Archive
from store.documents import place_of
from store.hosts import KeptRobots, busiest, keep_robots
from store.overrides import save_override
from store.runs import start_run
from web import create_app

if TYPE_CHECKING:
    from bot.run import Bench

pytestmark = [
    pytest.mark.xdist_group("browser"),
    # All of loopback: what keeps pages from it here must be the proxy, and not the tests' own guard of sockets.
    pytest.mark.allow_hosts(["127.0.0.1", "127.0.0.2", "::1", "localhost", "169.254.169.254"]),
]

HERE = (IPv4Network("127.0.0.1/32"),)  # the tests' web; all else of 127/8 is as private as it is to anyone
AGENT = user_agent("tests@example.org")
QUICK = Bounds(seconds=3.0, host_delay_s=0.0)
BORN = "Douglas Adams was an English writer. Douglas Adams was born on 11 March 1952 in Cambridge. "
SHELL = """<!DOCTYPE html><title>Lives</title><div id="app"></div><noscript>You need to enable JavaScript.</noscript>
<script>%s</script>"""
APP = SHELL % (
    "fetch('/adams.json').then(r => r.json()).then(one => {"
    "document.title = one.name; app.innerHTML = `<h1>${one.name}</h1><p>${one.text}</p><img src=/face.png>`})"
)


@pytest.fixture(scope="module")
def programs() -> Programs:
    try:
        return find_programs("auto")
    except NoBrowser as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def chromium(programs: Programs) -> Iterator[Browser]:
    """A browser that may reach the tests' web."""
    with Browser(programs, AGENT, QUICK, pytest.fail, allowed=HERE) as running:
        yield running


@pytest.fixture
def web() -> Iterator[LocalWeb]:
    routes = {
        "/app": page(APP),
        "/adams.json": page('{"name": "Douglas Adams", "text": "%s"}' % (BORN * 3), Content_Type="application/json"),
    }
    with local_web(routes) as running:
        yield running


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody here needs long for the first word."""
    monkeypatch.setattr(browser, "EMPTY_STEADY_S", 1.0)


def static(url: str) -> Document:
    """A document as the fetcher would have brought it."""
    return Document(url, url, 200, (("content-type", "text/html"),), b"x", "sha256:x", datetime.now(UTC))


def drawn(chromium: Browser, url: str) -> Document:
    brought = chromium.draw(static(url))
    assert isinstance(brought, Document), brought
    return brought


def text(chromium: Browser, url: str) -> str:
    return drawn(chromium, url).body.decode()


# Whose turn it is.


def test_a_page_is_drawn_in_its_hosts_turn_and_only_where_robots_let_us(
    programs: Programs, web: LocalWeb, engine: Engine
) -> None:
    with local_web({"/app": page(APP), "/adams.json": web.routes["/adams.json"]}) as other:
        web.routes["/away"] = page(SHELL % f"location = '{other.url}/app'")
        visits = SharedVisits(engine, Limits(host_delay_s=0.0))
        with Browser(programs, AGENT, QUICK, pytest.fail, allowed=HERE, visits=visits) as one:
            unknown = one.draw(static(f"{web.url}/app"))
            with engine.begin() as connection:
                keep_robots(connection, [KeptRobots(web.url, "User-agent: *\nDisallow: /closed", None, "", 60.0)])
            closed, drawn, away = (one.draw(static(web.url + path)) for path in ("/closed", "/app", "/away"))
    assert isinstance(unknown, Undrawn)
    assert "isn't known" in unknown.reason
    assert isinstance(closed, Undrawn)
    assert "doesn't let Citewell read this page" in closed.reason
    assert isinstance(drawn, Document)
    assert isinstance(away, Undrawn)
    assert f"it leads to {other.url.removeprefix('http://')}" in away.reason
    assert "/closed" not in web.paths()
    with Session(engine) as session:
        assert [(load.host, load.requests) for load in busiest(session, 5)] == [(web.url.removeprefix("http://"), 2)]


# What is read.


def test_what_scripts_draw_is_read(chromium: Browser, web: LocalWeb) -> None:
    document = drawn(chromium, f"{web.url}/app#top")
    found = read(document)
    assert isinstance(found, Page)
    assert found.title == "Douglas Adams"
    assert any("born on 11 March 1952" in passage.text for passage in found.passages)
    assert is_drawn(document)
    assert dict(document.headers)["x-citewell-rendered"].startswith("Chromium 1")
    assert document.url == f"{web.url}/app#top"
    assert "enable JavaScript" not in document.body.decode()
    assert document.body.decode().count("<script") == 0


def test_it_says_who_it_is_and_asks_for_no_more_than_it_needs(chromium: Browser, web: LocalWeb) -> None:
    web.routes["/app"] = page(
        "<style>@font-face{font-family:f;src:url(/font.woff2)} p{font-family:f;background:url(/paper.png)}</style>"
        "<video src=/film.mp4 autoplay preload=auto></video>" + APP
    )
    drawn(chromium, f"{web.url}/app")
    assert sorted(web.paths()) == ["/adams.json", "/app"]
    assert {one.headers["User-Agent"] for one in web.asked} == {AGENT}


def test_shadow_roots_and_frames_stand_in_their_places(chromium: Browser, web: LocalWeb) -> None:
    web.routes["/frame"] = page("<p>in the frame</p>")
    web.routes["/page"] = page(
        '<script type="application/ld+json">{"name": "Ada"}</script><x-card>given</x-card><iframe src=/frame></iframe>'
        "<script>document.querySelector('x-card').attachShadow({mode: 'open'}).innerHTML ="
        " '<p>before</p><slot></slot><p>after</p>'</script>"
    )
    html = text(chromium, f"{web.url}/page")
    places = [html.index(part) for part in ('"name": "Ada"', "before", "given", "after", "in the frame")]
    assert places == sorted(places)


def test_a_page_keeps_nothing_for_the_next(chromium: Browser, web: LocalWeb) -> None:
    web.routes["/keep"] = page(
        SHELL % "app.textContent = `kept: ${document.cookie}${localStorage.me || ''}`;"
        "document.cookie = 'me=cookie; max-age=9999'; localStorage.me = 'stored'"
    )
    for _ in range(2):
        assert "kept: <" in text(chromium, f"{web.url}/keep")


def test_what_comes_late_is_waited_for(chromium: Browser, web: LocalWeb) -> None:
    def slow(request: Any) -> None:
        time.sleep(1.5)
        page(BORN)(request)

    web.routes["/slow"] = slow
    web.routes["/app"] = page(
        "<p id=app>Loading. Please wait.</p><script>fetch('/slow').then(r => r.text()).then(t => app.textContent = t)"
        "</script>"
    )
    assert "11 March 1952" in text(chromium, f"{web.url}/app")


@pytest.mark.parametrize(
    ("status", "outcome"), [(404, Outcome.NOT_FOUND), (403, Outcome.BLOCKED), (500, Outcome.SERVER_ERROR)]
)
def test_a_refusal_is_what_it_is(chromium: Browser, web: LocalWeb, status: int, outcome: Outcome) -> None:
    web.routes["/app"] = page("no", status)
    brought = chromium.draw(static(f"{web.url}/app"))
    assert not isinstance(brought, Document | Undrawn)
    assert brought.not_judged.outcome is outcome


def test_where_scripts_lead_to_is_where_it_ended(chromium: Browser, web: LocalWeb) -> None:
    web.routes |= {"/app": page(SHELL % "location.replace('/other')"), "/other": page(f"<p>{BORN}")}
    document = drawn(chromium, f"{web.url}/app")
    assert (document.url, document.final_url) == (f"{web.url}/app", f"{web.url}/other")


# What is refused.


class Secret:
    """A server on another address of loopback, which nobody should reach: TCP that answers anyone, and UDP."""

    def __init__(self) -> None:
        self.tcp = socket.create_server(("127.0.0.2", 0))
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.2", 0))
        self.tcp.settimeout(0.05)
        self.udp.settimeout(0.05)
        self.host, self.udp_host = (f"127.0.0.2:{one.getsockname()[1]}" for one in (self.tcp, self.udp))

    def heard(self) -> int:
        """How many connections and datagrams have come."""
        return self._count(self._accept) + self._count(lambda: self.udp.recv(2048))

    def _accept(self) -> None:
        self.tcp.accept()[0].close()

    def _count(self, take: Callable[[], object]) -> int:
        for number in range(1000):
            try:
                take()
            except TimeoutError:
                return number
        return 1000


@pytest.fixture
def secret() -> Iterator[Secret]:
    one = Secret()
    yield one
    one.tcp.close()
    one.udp.close()


def prying(secret: Secret) -> str:
    """A page that tries whatever a page can to reach an address, and says how it went."""
    return SHELL % (
        f"const at = '{secret.host}';"
        """
        const say = (what) => app.append(what + '. ');
        const tried = (name, asked) => asked.then(() => say(name + ' got in'), () => say(name + ' failed'));
        tried('fetch', fetch(`http://${at}/secret`, {mode: 'no-cors'}));
        tried('post', fetch(`http://${at}/secret`, {mode: 'no-cors', method: 'POST', body: 'x'}));
        tried('redirect', fetch('/away', {mode: 'no-cors'}));
        tried('metadata', fetch('http://169.254.169.254/latest/meta-data/', {mode: 'no-cors'}));
        tried('spelled', fetch('http://2130706434:' + at.split(':')[1], {mode: 'no-cors'}));
        tried('mapped', fetch('http://[::ffff:127.0.0.2]:' + at.split(':')[1], {mode: 'no-cors'}));
        tried('tls', fetch(`https://${at}/secret`, {mode: 'no-cors'}));
        tried('file', fetch('file:///etc/passwd', {mode: 'no-cors'}));
        const socket = new WebSocket(`ws://${at}/`);
        socket.onerror = () => say('socket failed');
        for (const src of [`http://${at}/frame`, 'file:///etc/passwd', 'chrome://version']) {
          const frame = document.createElement('iframe');
          frame.src = src;
          document.body.append(frame);
        }
        for (const rel of ['preconnect', 'prefetch', 'stylesheet', 'prerender']) {
          const link = document.createElement('link');
          Object.assign(link, {rel, href: `http://${at}/${rel}`});
          document.head.append(link);
        }
        navigator.sendBeacon(`http://${at}/beacon`, 'x');
        """
    )


TRIED = ("fetch", "post", "redirect", "metadata", "spelled", "mapped", "tls", "file", "socket")


def test_nothing_private_is_reached(chromium: Browser, web: LocalWeb, secret: Secret) -> None:
    web.routes |= {"/app": page(prying(secret)), "/away": page("", 302, Location=f"http://{secret.host}/")}
    html = text(chromium, f"{web.url}/app")
    assert [name for name in TRIED if f"{name} failed" not in html] == []
    assert "root:" not in html
    assert secret.heard() == 0
    assert "/away" in web.paths()


def test_what_is_refused_would_be_there_to_reach(programs: Programs, web: LocalWeb, secret: Secret) -> None:
    """The same page where the address is allowed: what holds it back above is the proxy, and not the page."""
    web.routes |= {"/app": page(prying(secret)), "/away": page("", 302, Location=f"http://{secret.host}/")}
    with Browser(programs, AGENT, QUICK, pytest.fail, allowed=(IPv4Network("127.0.0.0/8"),)) as open_to_all:
        open_to_all.draw(static(f"{web.url}/app"))
    assert secret.heard() > 5


@pytest.mark.parametrize("away", ["http://{}/", "https://{}/", "file:///etc/passwd", "http://169.254.169.254/"])
@pytest.mark.parametrize("by", ["server", "script"])
def test_a_page_that_leads_to_a_private_address_is_not_drawn(
    chromium: Browser, web: LocalWeb, secret: Secret, away: str, by: str
) -> None:
    to = away.format(secret.host)
    web.routes["/app"] = page("", 302, Location=to) if by == "server" else page(SHELL % f"location.replace('{to}')")
    brought = chromium.draw(static(f"{web.url}/app"))
    if isinstance(brought, Document):  # the page stayed where it was
        assert brought.final_url == f"{web.url}/app"
        assert b"root:" not in brought.body
    assert secret.heard() == 0


def test_no_way_around_the_proxy_through_another_protocol(chromium: Browser, web: LocalWeb, secret: Secret) -> None:
    """In a frame of another site, where nothing is taken away from the page: the switches have to hold."""
    web.routes["/app"] = page(
        f"<p id=app></p><iframe src={web.url.replace('127.0.0.1', 'localhost')}/frame></iframe>"
        "<script>onmessage = (said) => app.append(said.data + '. ')</script>"
    )
    web.routes["/frame"] = page(
        f"<script>const at = '{secret.host}', udp = '{secret.udp_host}';"
        """
        const say = (what) => parent.postMessage(what, '*');
        const peer = new RTCPeerConnection({iceServers: [{urls: `stun:${udp}`}, {urls: `stun:${at}`},
          {urls: [`turn:${udp}`, `turn:${at}?transport=tcp`], username: 'a', credential: 'b'}]});
        peer.onicecandidate = (event) => say(event.candidate ? event.candidate.candidate : 'ice ended');
        peer.createDataChannel('x');
        peer.createOffer().then((offer) => peer.setLocalDescription(offer));
        new WebTransport(`https://${udp}/`).ready.then(() => say('transport got in'), () => say('transport failed'));
        </script>"""
    )
    html = text(chromium, f"{web.url}/app")
    assert "ice ended" in html
    assert "transport failed" in html
    assert "candidate:" not in html
    assert secret.heard() == 0


# What it may cost.

HOSTILE = {
    "loop": "for (;;) {}",
    "dialogs": "for (;;) alert('again')",
    "leaving": "onbeforeunload = (event) => { event.preventDefault(); event.returnValue = 'stay' }; location = '/away'",
    "windows": "setInterval(() => window.open('/app'), 10)",
    "reloads": "setTimeout(() => location.reload(), 50)",
    "growing": "setInterval(() => app.append('x'.repeat(1e5)), 5)",
    "requests": "setInterval(() => fetch('/adams.json?' + Math.random()), 1)",
    "prints": "print(); history.back()",
    "downloads": "setInterval(() => { const a = document.createElement('a'); a.href = '/file'; a.download = 'f.bin';"
    "a.click() }, 50)",
    "prototypes": "Node.prototype.append = Document.prototype.importNode = JSON.stringify = () => { throw 1 };"
    "Object.defineProperty(document, 'documentElement', {get: () => 'gotcha'})",
}


@pytest.mark.parametrize("script", HOSTILE)
def test_a_hostile_page_ends_in_time_and_the_next_is_drawn(chromium: Browser, web: LocalWeb, script: str) -> None:
    web.routes["/hostile"] = page(SHELL % HOSTILE[script])
    web.routes["/file"] = page(b"x" * 1000, Content_Type="application/octet-stream")
    began = time.monotonic()
    brought = chromium.draw(static(f"{web.url}/hostile"))
    assert time.monotonic() - began < QUICK.seconds + browser.GRACE_S + 6
    assert not isinstance(brought, Undrawn) or "\n" not in brought.reason
    assert "11 March 1952" in text(chromium, f"{web.url}/app")


def test_memory_is_bounded_and_the_next_page_is_drawn(programs: Programs, web: LocalWeb) -> None:
    web.routes["/greedy"] = page(
        SHELL % "const held = []; setInterval(() => app.append(held.push(new Uint8Array(2e7).fill(1))), 20)"
    )
    bounds = Bounds(seconds=20.0, memory_mb=1000, host_delay_s=0.0)
    with Browser(programs, AGENT, bounds, pytest.fail, allowed=HERE) as small:
        assert small.draw(static(f"{web.url}/greedy")) == Undrawn("it used more than 1,000 MB of memory")
        assert "11 March 1952" in text(small, f"{web.url}/app")


def test_a_page_has_so_many_bytes_and_no_more(
    chromium: Browser, web: LocalWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []

    def pour(request: Any) -> None:
        request.send_response(200)
        request.end_headers()
        for _ in range(2000):
            sent.append(request.wfile.write(b"x" * 100_000))

    web.routes |= {"/pour": pour, "/page": page(SHELL % "fetch('/pour').then(r => r.blob())")}
    drawn(chromium, f"{web.url}/page")
    assert 40_000_000 < sum(sent) < 70_000_000


def test_what_was_drawn_may_be_too_long(programs: Programs, web: LocalWeb) -> None:
    web.routes["/long"] = page(SHELL % "app.textContent = 'long '.repeat(1000)")
    with Browser(programs, AGENT, Bounds(4.0, max_bytes=2000), pytest.fail, allowed=HERE) as one:
        assert one.draw(static(f"{web.url}/long")) == Undrawn("it became longer than 2,000 characters")


# That it starts, starts again, and ends.


def below(pid: int) -> list[psutil.Process]:
    return psutil.Process(pid).children(recursive=True)


def gone(processes: Sequence[psutil.Process], within_s: float = 10.0) -> list[str]:
    """Names of those that are still there after a while."""
    until = time.monotonic() + within_s
    while (left := [one for one in processes if _alive(one)]) and time.monotonic() < until:
        time.sleep(0.05)
    return [str(one) for one in left]


def _alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _environment(process: psutil.Process) -> dict[str, str]:
    """Empty where the process has ended meanwhile."""
    try:
        return process.environ()
    except psutil.NoSuchProcess:
        return {}


def browsers(pid: int) -> list[psutil.Process]:
    """The keepers among a process's children."""
    return [one for one in psutil.Process(pid).children() if any("keeper.py" in part for part in _command(one))]


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return []


def test_one_browser_serves_many_pages_and_then_another_does(
    programs: Programs, web: LocalWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser, "PAGES", 2)
    before = {one.pid for one in browsers(os.getpid())}
    seen = []
    with Browser(programs, AGENT, QUICK, pytest.fail, allowed=HERE) as one:
        assert {each.pid for each in browsers(os.getpid())} == before, "not before it is needed"
        for _ in range(3):
            drawn(one, f"{web.url}/app")
            seen.append({each.pid for each in browsers(os.getpid())} - before)
    assert [len(each) for each in seen] == [1, 0, 1]
    assert seen[0] != seen[2]
    assert {each.pid for each in browsers(os.getpid())} == before


def test_a_browser_that_was_killed_is_started_again(programs: Programs, web: LocalWeb) -> None:
    others = {each.pid for each in browsers(os.getpid())}
    with Browser(programs, AGENT, QUICK, pytest.fail, allowed=HERE) as one:
        drawn(one, f"{web.url}/app")
        (keeper,) = (each for each in browsers(os.getpid()) if each.pid not in others)
        tree = keeper.children(recursive=True)
        for process in tree:
            with suppress(psutil.NoSuchProcess):  # one ends by itself when another was killed
                if "chrom" in process.name() and "driver" not in process.name():
                    process.kill()
        lost = one.draw(static(f"{web.url}/app"))
        assert isinstance(lost, Undrawn | Document)
        drawn(one, f"{web.url}/app")
        assert gone(tree) == []


ALONE = """
import sys
from datetime import UTC, datetime
from ipaddress import IPv4Network
from bot.fetch.browser import Bounds, Browser, find_programs
from models.document import Document
url = sys.argv[1]
here, bounds = (IPv4Network("127.0.0.1/32"),), Bounds(60.0, host_delay_s=0)
with Browser(find_programs("auto"), "tests", bounds, print, allowed=here) as one:
    for path in sys.argv[2:]:
        document = Document(url + path, url + path, 200, (), b"", "", datetime.now(UTC))
        print(type(one.draw(document)).__name__, flush=True)
"""


@contextmanager
def alone(url: str, *paths: str) -> Iterator[subprocess.Popen[str]]:
    """A process of its own that draws pages."""
    command = [sys.executable, "-c", ALONE, url, *paths]
    with tempfile.TemporaryDirectory(prefix="cw-") as folder:
        process = subprocess.Popen(
            command,
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "TMPDIR": folder},
        )
        try:
            yield process
        finally:
            process.kill()
            process.communicate()
        until = time.monotonic() + 10
        while list(Path(folder).iterdir()) and time.monotonic() < until:
            time.sleep(0.05)
        assert list(Path(folder).iterdir()) == [], "nothing stays on the disk"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("path", ["/app", "/loop"], ids=["between pages", "while drawing"])
def test_no_process_outlives_a_worker_that_was_killed(
    programs: Programs, web: LocalWeb, number: signal.Signals, path: str
) -> None:
    web.routes["/loop"] = page(SHELL % "for (;;) {}")
    web.routes["/wait"] = page(SHELL % "fetch('/never')")
    with alone(web.url, "/app", "/loop") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "Document\n"
        while path == "/loop" and "/loop" not in web.paths():
            time.sleep(0.05)
        tree = below(process.pid)
        assert len(tree) > 3
        process.send_signal(number)
        process.wait(20)
        assert gone(tree) == []


def test_no_process_outlives_a_run(programs: Programs, web: LocalWeb) -> None:
    with alone(web.url, "/app", "/app") as process:
        assert process.stdout is not None
        process.stdout.readline()
        tree = below(process.pid)
        assert process.wait(20) == 0
        assert gone(tree, 0.5) == []


def test_the_worker_s_secrets_are_not_the_browser_s(
    programs: Programs, web: LocalWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEWELL_WEB_SECRET", "hidden")
    others = {each.pid for each in browsers(os.getpid())}
    with Browser(programs, AGENT, QUICK, pytest.fail, allowed=HERE) as one:
        drawn(one, f"{web.url}/app")
        (keeper,) = (each for each in browsers(os.getpid()) if each.pid not in others)
        environments = [known for each in (keeper, *keeper.children(recursive=True)) if (known := _environment(each))]
    assert len(environments) > 3
    assert not any("CITEWELL_WEB_SECRET" in each for each in environments)


def test_a_browser_that_cannot_be_started_is_told_once(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "START_S", 3.0)
    told: list[str] = []
    with Browser(Programs(str(shutil.which("false")), programs.driver), AGENT, QUICK, told.append) as one:
        answers = [one.draw(static("https://lives.example/")) for _ in range(2)]
    assert len(told) == 1
    assert "false can't be started" in told[0]
    assert "\n" not in told[0]
    assert answers == [Undrawn(told[0])] * 2


def test_programs_that_are_not_there_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoBrowser, match="/no/such/chromium can't be run"):
        find_programs("/no/such/chromium")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoBrowser, match="none of chromium"):
        find_programs("auto")
    alone_there = tmp_path / "chromium"
    alone_there.touch(mode=0o755)
    with pytest.raises(NoBrowser, match="chromedriver is neither beside"):
        find_programs("auto")
    (tmp_path / "chromedriver").touch(mode=0o755)
    assert find_programs(str(alone_there)) == Programs(str(alone_there), str(tmp_path / "chromedriver"))


# In a run.


def judged(bench: Bench, path: Path, url: str, chromium: Browser | None, days: int = 30) -> Worker:
    """Walk the statements of Douglas Adams, citing `url`, and judge them with pages from the tests' web."""
    with Session(bench.engine) as session, session.begin():
        run_id = start_run(session, "a walk", bench.judge.version).id
    source = dump(path / "dump.json", adams(url))
    Walk(bench.config.select.skip_properties).over(source, bench.engine, run_id, bench.judge.version)
    with Live(AGENT, Limits(timeout_s=3.0, max_bytes=100_000, host_delay_s=0.0), HERE) as live:
        pages = Pages(bench.engine, bench.archive, live, Freshness(timedelta(days=days)), chromium)
        finder = Finder(pages)
        worker = Worker(bench.engine, lambda: nullcontext(finder), bench.judge, bench.name, run_id)
        worker.work(True, lambda: False, lambda _: None)
    return worker


def documents(engine: Engine) -> list[schema.Document]:
    with Session(engine, expire_on_commit=False) as session:
        return list(session.scalars(select(schema.Document).order_by(schema.Document.id)))


def test_a_run_judges_by_what_was_drawn(
    bench: Callable[..., Bench], engine: Engine, chromium: Browser, web: LocalWeb, tmp_path: Path
) -> None:
    one = bench()
    judged(one, tmp_path, f"{web.url}/app", chromium)
    verdicts = current(engine)
    assert len(verdicts) > 3
    birth = next(verdict for verdict in verdicts if "11 March 1952" in verdict.claim)
    assert birth.stance == "supports"
    sent, shown = documents(engine)
    assert {verdict.document_id for verdict in verdicts} == {shown.id}
    assert web.paths().count("/app") == 2, "drawn once for all pairs"
    place = place_of(shown)
    assert place is not None
    kept = Archive(one.config.var / "archive").read(place)
    assert is_drawn(kept)
    assert b"11 March 1952" in kept.body
    assert sent.url == shown.url
    said = create_app(one.config, engine).test_client().get(f"/pair/{birth.pair_id}").get_data(as_text=True)
    assert "Douglas Adams was born on" in said


def test_without_a_browser_it_has_no_text(
    bench: Callable[..., Bench], engine: Engine, web: LocalWeb, tmp_path: Path
) -> None:
    web.routes["/app"] = page(APP.replace("You need to enable JavaScript.", ""))
    judged(bench(), tmp_path, f"{web.url}/app", None)
    assert {verdict.outcome for verdict in current(engine)} == {"no_text"}


def test_what_was_drawn_is_fresh_as_long_as_any_page(
    bench: Callable[..., Bench], engine: Engine, chromium: Browser, web: LocalWeb, tmp_path: Path
) -> None:
    judged(bench(), tmp_path, f"{web.url}/app", chromium)
    first = {verdict.document_id for verdict in current(engine)}
    with Session(engine) as session, session.begin():
        save_override(session, "P569", "pattern", "{subject} was born {object}", "Editor")
    judged(bench(), tmp_path, f"{web.url}/app", None)
    assert web.paths().count("/app") == 2, "from the archive"
    assert {verdict.document_id for verdict in current(engine)} == first
    assert all(verdict.stance for verdict in current(engine))


def test_a_page_with_text_of_its_own_is_not_drawn(
    bench: Callable[..., Bench], engine: Engine, chromium: Browser, web: LocalWeb, tmp_path: Path
) -> None:
    web.routes["/page"] = page(f"<p>{BORN * 3}<script>document.body.textContent = 'gone'</script>")
    judged(bench(), tmp_path, f"{web.url}/page", chromium)
    assert web.paths().count("/page") == 1
    assert all(verdict.stance for verdict in current(engine))


def test_a_page_that_scripts_add_nothing_to_stays_as_it_was_sent(
    bench: Callable[..., Bench], engine: Engine, chromium: Browser, web: LocalWeb, tmp_path: Path
) -> None:
    web.routes["/page"] = page(f"<p>{BORN}<script>let nothing</script>")
    judged(bench(), tmp_path, f"{web.url}/page", chromium)
    assert web.paths().count("/page") == 2
    (sent,) = documents(engine)
    assert {verdict.document_id for verdict in current(engine)} == {sent.id}
    assert all(verdict.stance for verdict in current(engine))


def test_an_empty_page_has_no_text_when_drawn_either(
    bench: Callable[..., Bench], engine: Engine, chromium: Browser, web: LocalWeb, tmp_path: Path
) -> None:
    web.routes["/page"] = page(SHELL % "")
    judged(bench(), tmp_path, f"{web.url}/page", chromium)
    assert {verdict.outcome for verdict in current(engine)} == {"no_text"}
    with Session(engine) as session, session.begin():
        session.execute(update(schema.Pair).values(next_at=func.now()))
    judged(bench(), tmp_path, f"{web.url}/page", chromium)
    assert web.paths().count("/page") == 2, "and isn't drawn again while that is fresh"


def test_a_replay_draws_nothing(
    bench: Callable[..., Bench], engine: Engine, web: LocalWeb, tmp_path: Path, programs: Programs
) -> None:
    one = bench()
    config = one.config.model_copy(update={"fetch": one.config.fetch.model_copy(update={"browser": "auto"})})
    url = f"{web.url}/app"
    replay = warc(tmp_path / "x.warc.gz", {url: APP.replace("You need to enable JavaScript.", "")})
    walk = Walk(config.select.skip_properties, None, lambda: False, keep_addresses=True)
    list(run.run(bench(fetch=config.fetch), dump(tmp_path / "dump.json", adams(url)), replay, walk, Stop()))
    assert {verdict.outcome for verdict in current(engine)} == {"no_text"}
    assert web.asked == []


def test_a_run_has_the_browser_that_its_settings_name(config: Config, programs: Programs) -> None:
    def settings(browser_setting: str) -> Config:
        fetch = config.fetch.model_copy(update={"browser": browser_setting})
        return config.model_copy(update={"fetch": fetch, "contact": "tests@example.org"})

    with run.browser(settings("auto"), Stop()) as one:
        assert isinstance(one, Browser)
    with run.browser(settings(""), Stop()) as none:
        assert none is None
    with capture_logs() as logs, run.browser(settings("/no/such/chromium"), Stop()) as none:
        assert none is None
    assert [(one["log_level"], one["reason"]) for one in logs] == [
        ("warning", "fetch.browser: /no/such/chromium can't be run")
    ]


def test_one_that_is_being_stopped_draws_nothing_more(programs: Programs, web: LocalWeb) -> None:
    with Browser(programs, AGENT, QUICK, pytest.fail, stopped=lambda: True, allowed=HERE) as one:
        assert isinstance(one.draw(static(f"{web.url}/app")), Undrawn)
    assert web.asked == []
