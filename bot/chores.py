"""Chores: what a worker does between batches besides judging pairs, because a person waits for it.

`bot work` looks every `EVERY_S` seconds, also in the middle of a long queue, and does those that wait, one after the
other, in the worker's own thread (so a chore may use the judge). To add one, write it in a file of its own as a
`bot.chore.Chore` (as `bot.trials.TrialChore`), and name it in `CHORES`:

- `waits(session)` is asked often: one look-up by an index.
- `do(hand)` does a part that takes seconds, not minutes, and comes back; as long as it waits it is called again. It
  calls `hand.pulse.beat()` where it makes progress, ends soon where `hand.stopped()` says so, does its transactions by
  `hand.patience.keep`, and leaves whatever a kill interrupts to be taken up again.
- A chore that fails ends no run: that is logged, and it rests for `REST_S` seconds.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from bot.chore import AtHand, Chore
from bot.patience import DatabaseAway, is_away
from bot.trials import TrialChore
from bot.worklists import WorklistChore

CHORES: tuple[Chore, ...] = (TrialChore(), WorklistChore())
EVERY_S = 1.0
REST_S = 60.0


class Chores:
    """The chores of one worker. For one thread."""

    def __init__(self, hand: AtHand, chores: Sequence[Chore] | None = None) -> None:
        self._hand = hand
        self._chores = CHORES if chores is None else chores
        self._looked_at = -EVERY_S
        self._rests_until: dict[str, float] = {}

    def look(self) -> None:
        """Do what waits, unless that was looked at just now. Raises `DatabaseAway`."""
        now = time.monotonic()
        if now - self._looked_at < EVERY_S:
            return
        for chore in self._chores:
            if self._due(chore):
                self._do(chore)
        self._looked_at = time.monotonic()

    def finish(self) -> None:
        """Do what waits until nothing does, but for what rests. Raises `DatabaseAway`."""
        for chore in self._chores:
            while self._due(chore):
                self._do(chore)

    def _due(self, chore: Chore) -> bool:
        rests = self._rests_until.get(chore.name, 0.0) > time.monotonic()
        return not rests and not self._hand.stopped() and self._waits(chore)

    def _waits(self, chore: Chore) -> bool:
        def ask() -> bool:
            with Session(self._hand.engine) as session:
                return chore.waits(session)

        return self._hand.patience.keep(ask)

    def _do(self, chore: Chore) -> None:
        try:
            chore.do(self._hand)
        except DatabaseAway:
            raise
        except Exception as error:
            if not (isinstance(error, SQLAlchemyError) and is_away(error)):
                said = " ".join(str(error).split())[:300]
                structlog.get_logger().error("a chore failed", chore=chore.name, error=type(error).__name__, said=said)
            self._rests_until[chore.name] = time.monotonic() + REST_S


def any_waiting(session: Session) -> bool:
    """Whether any chore waits."""
    return any(chore.waits(session) for chore in CHORES)
