"""What goes wrong while the workers work, and when: a plan that a seed gives."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import cycle

KINDS = ("kill", "network", "database", "archive", "kill", "network", "kill", "kill")
"""In turn; what is killed most often is a worker. The second comes as soon as the first pages are fetched."""
KILLS = ("one", "one and its machine", "all")
CUTS = ("refuse", "reset", "silence")
_SECONDS = {"kill": (0.0, 0.0), "database": (0.5, 3.0), "network": (1.0, 4.0), "archive": (2.0, 4.0)}
_LAST = 0.7  # of the pairs: what comes later may find all pages fetched


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: it comes when this `share` of the pairs is settled, and lasts some seconds.

    `way` says how: how many workers are killed, how the network is cut, and whether a worker is killed in the midst.
    """

    kind: str
    way: str
    share: float
    seconds: float


def plan(count: int, seed: int) -> tuple[Fault, ...]:
    """So many faults, spread over the work; every kind in its turn."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    kinds = [kind for kind, _ in zip(cycle(KINDS), range(count), strict=False)]
    cuts = cycle(chance.sample(CUTS, len(CUTS)))
    faults = []
    for place, kind in enumerate(kinds):
        share = _LAST * (place + chance.random()) / count if place > 1 else 0.0
        ways = {"kill": chance.choice(KILLS), "network": next(cuts) if kind == "network" else ""}
        way = ways.get(kind) or chance.choice(("alone", "and a worker"))
        faults.append(Fault(kind, way, share, round(chance.uniform(*_SECONDS[kind]), 2)))
    return tuple(faults)
