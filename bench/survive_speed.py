"""How many pages a second are fetched from many hosts that are each asked once a second."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import create_engine

from bench import survive_rows as rows
from bench.trouble.hosts import ALLOWED, plain_hosts
from bench.trouble.names import Names
from bench.trouble.running import trouble
from bot.agent import user_agent
from bot.fetch import Ask
from bot.fetch.live import Limits, Live
from models.document import Document

HOSTS = 200
PAGES = 10  # of each host
CONTACT = "https://www.wikidata.org/wiki/Project:Citewell"


@dataclass(frozen=True, slots=True)
class Speed:
    """Pages a second over `hosts` hosts, and what share that is of one page a second of each."""

    hosts: int
    pages: int
    pages_per_s: float
    of_possible: float


def speed(folder: Path, delay_s: float) -> Speed:
    """Fetch pages from hosts without trouble, without judging them; each host gives its robots.txt first."""
    with trouble(folder, 2 * HOSTS + 60) as web, rows.server() as server:
        hosts = plain_hosts(web.hosts)[:HOSTS]
        asks = [Ask(web.url(host, f"/people/{page}")) for page in range(PAGES) for host in hosts]
        engine = create_engine(server.url)
        limits = Limits(host_delay_s=delay_s)
        with Live(user_agent(CONTACT), limits, (ALLOWED,), engine=engine, resolver=Names(web.hosts)) as live:
            begun = time.monotonic()
            brought = live.fetch(asks)
            seconds = time.monotonic() - begun
    pages = sum(isinstance(one, Document) for one in brought.values())
    return Speed(len(hosts), pages, round(pages / seconds, 1), round(pages / seconds / (len(hosts) / delay_s), 3))
