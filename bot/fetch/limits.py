"""What one page may cost us, and how often a host may be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from config import Fetch
from store.hosts import Rests

AWAY_S = 60.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What one page may cost: seconds of transfer over all redirects, bytes of body, redirects; and our pace.

    `host_delay_s` is the least pause between two requests to a host, `hosts` the same for some by their name, and
    `crawl_delay_max_s` how much of a Crawl-delay is heeded. A host is asked `host_budget` times a day at most (0: as
    often as its pace allows), `at_once` of them at the same time, and one that fails is left alone as `rests` says.
    `away_s` is how long a page waits for the database, or our own network, to come back.
    """

    timeout_s: float = 30.0
    max_bytes: int = 10_000_000
    max_redirects: int = 10
    host_delay_s: float = 1.0
    hosts: Mapping[str, float] = field(default_factory=dict)
    crawl_delay_max_s: float = 30.0
    host_budget: int = 10_000
    at_once: int = 200
    rests: Rests = field(default_factory=Rests)
    away_s: float = AWAY_S

    def delay_s(self, host: str, crawl_delay_s: float) -> float:
        """The least pause for a host that asks for `crawl_delay_s`."""
        return max(self.hosts.get(host, self.host_delay_s), min(crawl_delay_s, self.crawl_delay_max_s))


def limits_of(fetch: Fetch) -> Limits:
    """The limits as the configuration has them."""
    return Limits(
        fetch.timeout_s,
        fetch.max_bytes,
        fetch.max_redirects,
        fetch.host_delay_s,
        fetch.hosts,
        fetch.crawl_delay_max_s,
        fetch.host_budget,
        fetch.hosts_at_once,
        Rests(fetch.rest_after, fetch.rest_s),
    )
