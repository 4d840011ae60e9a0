"""The hosts of the web of trouble: each with an address of its own, one kind of trouble, and rules for robots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Network

from models.outcome import Outcome

DOMAIN = "trouble.test"
ALLOWED = IPv4Network("127.77.0.0/16")
"""Where the hosts are: the one network that tests and benches let a fetcher connect to."""
STRANGER = "127.66.0.1"
"""A private address outside of it: whoever connects to it has been led astray."""
JUDGED = "judged"
"""In place of an outcome: the page was read, and judged."""

_BAD = frozenset({Outcome.MALFORMED_ANSWER})
_AWAY = frozenset({Outcome.UNREACHABLE})
_READ: frozenset[Outcome | str] = frozenset({JUDGED})

KINDS: dict[str, frozenset[Outcome | str]] = {
    "plain": _READ,
    "waiting": _READ,  # begins to answer after a while
    "silent": frozenset({Outcome.TIMED_OUT}),
    "dripping": frozenset({Outcome.TIMED_OUT}),
    "chunks": _BAD,  # chunked, and no size where one belongs
    "short": _BAD,  # less than it said
    "long": _READ | _BAD,  # more than it said
    "not-gzip": _BAD,
    "bomb": frozenset({Outcome.TOO_LARGE}),
    "huge": frozenset({Outcome.TOO_LARGE}),
    "endless": frozenset({Outcome.TOO_LARGE, Outcome.TIMED_OUT}),
    "headers": _BAD | _AWAY,  # a header without end
    "loop": frozenset({Outcome.REDIRECT_LOOP}),
    "onwards": frozenset({Outcome.REDIRECT_LOOP}),  # to ever new addresses
    "moved": _READ,  # to the same page of a plain host
    "inwards": frozenset({Outcome.UNSAFE_ADDRESS}),  # a redirect to a private address
    "resetting": _BAD | _AWAY,
    "hanging-up": _BAD | _AWAY,
    "garbage": _BAD,
    "429": frozenset({Outcome.RATE_LIMITED}),
    "429-storm": _READ | {Outcome.RATE_LIMITED},  # for a while
    "503": frozenset({Outcome.RATE_LIMITED, Outcome.SERVER_ERROR}),
    "500": frozenset({Outcome.SERVER_ERROR}),
    "404": frozenset({Outcome.NOT_FOUND}),
    "410": frozenset({Outcome.NOT_FOUND}),
    "403": frozenset({Outcome.BLOCKED}),
    "empty": frozenset({Outcome.NO_TEXT}),
    "picture": frozenset({Outcome.WRONG_FORMAT}),
    "refusing": _AWAY,  # nobody listens
    "nameless": _AWAY,  # the name isn't known
    "within": frozenset({Outcome.UNSAFE_ADDRESS}),  # the name stands for a private address
    "turning": _READ | {Outcome.UNSAFE_ADDRESS},  # and every second time, this one does
}
"""What a page of each kind of host may end as."""

LISTENING = frozenset(KINDS) - {"refusing", "nameless", "within"}


@dataclass(frozen=True, slots=True)
class Robots:
    """How robots.txt is answered, and what that means for us: the truth that the log is held against.

    `closed` begins the paths that may not be asked for; "/" is all of them. `delay_s` is what the host asks for between
    two requests. Where `ends` is given, no page can be read at all, and that is why.
    """

    status: int = 200
    text: str = ""
    closed: tuple[str, ...] = ()
    delay_s: float = 0.0
    ends: frozenset[Outcome] = frozenset()
    way: str = "plain"

    def forbids(self, path: str) -> bool:
        """Whether a page may not be asked for."""
        return path.startswith(self.closed) if self.closed else False


_ROBOTS = frozenset({Outcome.ROBOTS})
_AGENT = "citewell"
_PATH = "User-agent: *\nDisallow: /closed/\n"

ROBOTS: dict[str, Robots] = {
    "none": Robots(404, "not here"),
    "open": Robots(200, "User-agent: *\nDisallow:\n"),
    "gone": Robots(410, "gone"),
    "refused": Robots(403, "no"),
    "shut": Robots(200, "User-agent: *\nDisallow: /\n", ("/",), ends=_ROBOTS),
    "part": Robots(200, _PATH, ("/closed/",)),
    "named": Robots(200, f"User-agent: *\nDisallow: /\n\nUser-agent: {_AGENT}\nDisallow: /closed/\n", ("/closed/",)),
    "against-us": Robots(200, f"User-agent: *\nAllow: /\n\nUser-agent: {_AGENT}\nDisallow: /\n", ("/",), ends=_ROBOTS),
    "allowed-in": Robots(200, "User-agent: *\nDisallow: /\nAllow: /people/\n", ("/closed/",)),
    "delay": Robots(200, "User-agent: *\nCrawl-delay: 2\n", delay_s=2.0),
    "huge": Robots(200, _PATH + "# nothing\n" * 200_000, ("/closed/",)),
    "odd": Robots(200, "\ufeffuser-AGENT : *\r\nDISALLOW : /closed/ # so\r\n\x00junk\r\n", ("/closed/",)),
    "moved": Robots(200, _PATH, ("/closed/",), way="moved"),
    "waiting": Robots(200, _PATH, ("/closed/",), way="waiting"),
    "500": Robots(500, "broken", ("/",), ends=_ROBOTS | {Outcome.SERVER_ERROR}),
    "503": Robots(503, "busy", ("/",), ends=_ROBOTS | {Outcome.RATE_LIMITED, Outcome.SERVER_ERROR}),
    "429": Robots(429, "busy", ("/",), ends=_ROBOTS | {Outcome.RATE_LIMITED}),
    "silent": Robots(200, "", ("/",), ends=_ROBOTS | {Outcome.TIMED_OUT}, way="silent"),
    "resetting": Robots(200, "", ("/",), ends=_ROBOTS | _AWAY | _BAD, way="resetting"),
}


@dataclass(frozen=True, slots=True)
class Host:
    """One host: its name, the address that the name stands for, the kind of its trouble, and its rules."""

    name: str
    address: str
    kind: str
    robots: str

    @property
    def rules(self) -> Robots:
        """Its rules for robots."""
        return ROBOTS[self.robots]

    def url(self, port: int, path: str) -> str:
        """The address of one of its pages."""
        return f"http://{self.name}:{port}{path}"

    def ends(self, path: str) -> frozenset[Outcome | str]:
        """What a page of it may end as when nothing else goes wrong."""
        if self.rules.ends:
            # A host that can't be reached doesn't give its rules either.
            return frozenset(self.rules.ends) | (KINDS[self.kind] if self.kind not in LISTENING else frozenset())
        return frozenset(_ROBOTS) if self.rules.forbids(path) else KINDS[self.kind]


def web_of(count: int) -> tuple[Host, ...]:
    """`count` hosts: one for every kind of rules and of trouble, and again and again until they are half of the web.

    Raises `ValueError` where that are too few for one of each.
    """
    needed = [("plain", robots) for robots in ROBOTS] + [(kind, "none") for kind in KINDS if kind != "plain"]
    if count < len(needed):
        raise ValueError(f"a web of trouble has at least {len(needed)} hosts, not {count}")
    return tuple(_host(number, kind, robots) for number, (kind, robots) in enumerate(_filled(needed, count)))


def _filled(needed: list[tuple[str, str]], count: int) -> Iterator[tuple[str, str]]:
    troubled = max(len(needed), count // 2)
    yield from (needed[at % len(needed)] for at in range(troubled))
    yield from (("plain", "open" if at % 2 else "none") for at in range(count - troubled))


def _host(number: int, kind: str, robots: str) -> Host:
    return Host(f"h{number}.{kind}.{DOMAIN}", f"127.77.{number // 250}.{number % 250 + 1}", kind, robots)


def plain_hosts(hosts: Iterable[Host]) -> tuple[Host, ...]:
    """Those that have no trouble, and let everything be read."""
    return tuple(host for host in hosts if host.kind == "plain" and host.robots in ("none", "open"))
