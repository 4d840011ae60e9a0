"""Worklists that people write: resolved into items, which are asked for where Citewell hasn't met them.

A PagePile or a query service may take a minute to answer, so it is asked in a thread of its own: the worker goes on
judging, and looks each time whether the answer has come.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import structlog
from sqlalchemy.orm import Session

from bot.agent import user_agent
from bot.chore import AtHand
from bot.patience import DatabaseAway
from bot.problem import Busy, InputProblem, RunFailed
from bot.sources.pagepile import read_pile
from bot.sources.sparql import TIMEOUT_S, SparqlEndpoint, is_select
from bot.worker_name import dead_workers
from config import Config
from store import worklists
from store.pasted import read_pasted
from store.worklists import MOST_ITEMS, MOST_TRIES, Worklist

T = TypeVar("T")

LEASE_S = 60
LOOK_S = 0.2  # that a worker waits for an answer before it judges on
LONGEST_S = 240.0  # that one is waited for at all
DELAYS_S = (60.0, 600.0, 3600.0)  # before further tries where a service can't be asked
LONGEST_DELAY_S = 6 * 3600.0
MOST_BYTES = 30_000_000  # of a query's answer
NAMED = 3  # of what is no item
NO_CONTACT = (
    "Nothing is fetched without a contact in config.yaml. Ask who runs this Citewell to set one, then resolve it again."
)
NOTHING = "no item is in it"
NOT_WHOLE = f"the query service doesn't give the whole answer: only its first {MOST_ITEMS:,} rows were taken"


@dataclass(frozen=True, slots=True)
class Resolved:
    """The items of a list, and what is worth saying of them."""

    ids: Sequence[str]
    said: str = ""


Answer = Resolved | InputProblem | RunFailed


@dataclass(slots=True)
class _Asked:
    """A list that is being resolved, for a worker; `answer` is there once `done` is set."""

    hand: AtHand
    one: Worklist
    done: threading.Event = field(default_factory=threading.Event)
    answer: Answer | None = None
    since: float = field(default_factory=time.monotonic)


class WorklistChore:
    """Worklists, one at a time, the one that waits longest first. For one worker after the other, in its thread."""

    name = "worklists"

    def __init__(self) -> None:
        self._asked: _Asked | None = None

    def waits(self, session: Session) -> bool:
        """Whether one is at hand, waits, or was left by a worker that died."""
        return self._asked is not None or worklists.any_waiting(session)

    def do(self, hand: AtHand) -> None:
        """Begin with one, or look for its answer; where we are asked to stop, it waits for another worker."""
        if self._asked is None or self._asked.hand is not hand:
            self._asked = _begin(hand)
        asked, self._asked = self._asked, None
        try:
            ended = asked is None or _ended(asked)
        except DatabaseAway:
            self._asked = asked
            raise
        # Where an answer can't be kept, the list is taken up again by time, and ends after so many tries.
        self._asked = None if ended else asked


def resolve(config: Config, one: Worklist, timeout_s: int = TIMEOUT_S) -> Resolved:
    """The items of a list. `timeout_s` is for each request.

    Raises `InputProblem` where the list itself or our settings are wrong, `RunFailed` where a service can't be asked.
    """
    if one.kind == "items":
        pasted = read_pasted(one.source)
        return _resolved(pasted.ids, pasted.strangers)
    if not config.contact.strip():
        raise InputProblem(NO_CONTACT)
    agent = user_agent(config.contact)
    if one.kind == "pagepile":
        pile = read_pile(config.source.pagepile, int(one.source), agent, timeout_s)
        return _resolved(pile.ids, pile.strangers)
    if not is_select(one.source):
        raise InputProblem("Only a SELECT query gives a list of items.")
    endpoint = SparqlEndpoint(config.source.sparql_endpoint, agent, _told, _put_off, timeout_s, MOST_BYTES)
    found = endpoint.entities(one.source, MOST_ITEMS)
    return _resolved(found.ids, said=() if found.whole else (NOT_WHOLE,))


def _resolved(ids: Sequence[str], strangers: Sequence[str] = (), said: Sequence[str] = ()) -> Resolved:
    said = list(said)
    if not ids:
        said.append(NOTHING)
    if len(ids) > MOST_ITEMS:
        said.append(f"cut at {MOST_ITEMS:,} of {len(ids):,} items")
    if strangers:
        named = ", ".join(f"“{_short(each)}”" for each in strangers[:NAMED])
        more = ", …" if len(strangers) > NAMED else ""
        entries = "1 entry is no item" if len(strangers) == 1 else f"{len(strangers):,} entries are no items"
        said.append(f"{entries}: {named}{more}")
    return Resolved(ids[:MOST_ITEMS], "; ".join(said))


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


def _begin(hand: AtHand) -> _Asked | None:
    """Take a list up and begin to resolve it; None where none waits."""

    def take() -> Worklist | None:
        with Session(hand.engine) as session, session.begin():
            dead = dead_workers(worklists.takers(session))
            return worklists.take(session, hand.worker, LEASE_S, dead)

    if (one := hand.patience.keep(take)) is None:
        return None
    asked = _Asked(hand, one)
    # Nobody waits for it to end: what a process that ends leaves is taken up by another.
    threading.Thread(target=_answer, args=(asked,), name="worklist", daemon=True).start()
    return asked


def _answer(asked: _Asked) -> None:
    try:
        asked.answer = resolve(asked.hand.config, asked.one)
    except (InputProblem, RunFailed) as error:
        asked.answer = error
    except Exception as error:  # it would fail whoever takes it up
        said = " ".join(str(error).split())[:300]
        asked.answer = InputProblem(f"It can't be resolved: {type(error).__name__}{': ' + said if said else ''}")
    finally:
        asked.done.set()


def _ended(asked: _Asked) -> bool:
    """Whether a list is off our hands: its answer was saved, or others have it."""
    hand, one = asked.hand, asked.one
    came = asked.done.wait(LOOK_S)
    if hand.stopped() and not came:
        _in_transaction(hand, lambda session: worklists.give_back(session, one.id, hand.worker))
        return True
    if came and asked.answer is not None:
        hand.pulse.beat()
        _save(hand, one, asked.answer)
        return True
    if time.monotonic() - asked.since > LONGEST_S:
        _save(hand, one, RunFailed(f"There was no answer in {LONGEST_S:.0f} s."))
        return True
    return not _in_transaction(hand, lambda session: worklists.hold(session, one.id, hand.worker, LEASE_S))


def _save(hand: AtHand, one: Worklist, answer: Answer) -> None:
    def save(session: Session) -> None:
        if isinstance(answer, Resolved):
            worklists.fill(session, one.id, hand.worker, answer.ids, answer.said)
        elif isinstance(answer, RunFailed) and one.tries < MOST_TRIES:
            worklists.put_off(session, one.id, hand.worker, str(answer), _delay_s(one, answer))
        else:
            worklists.fail(session, one.id, hand.worker, str(answer))

    _in_transaction(hand, save)
    if not isinstance(answer, Resolved):
        structlog.get_logger().warning("a worklist isn't resolved", worklist=one.id, reason=str(answer))


def _delay_s(one: Worklist, answer: RunFailed) -> float:
    asked_for = answer.wait_s if isinstance(answer, Busy) else 0.0
    return min(max(asked_for, DELAYS_S[min(one.tries, len(DELAYS_S)) - 1]), LONGEST_DELAY_S)


def _in_transaction(hand: AtHand, do: Callable[[Session], T]) -> T:
    def once() -> T:
        with Session(hand.engine) as session, session.begin():
            return do(session)

    return hand.patience.keep(once)


def _told(line: str) -> None:
    structlog.get_logger().info("a worklist's query", said=line)


def _put_off(seconds: float) -> None:
    """What a query service asks for isn't waited for here: the list is taken up again later."""
    raise Busy(f"The query service asks us to wait {seconds:.0f} s.", seconds)
