"""A chore: what a worker does between batches because a person waits for it (`bot.chores`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from bot.patience import Patience
from bot.pulse import Pulse
from config import Config
from models.judge import Judge
from models.verbalise import Model
from store.archive import Archive


@dataclass(frozen=True, slots=True)
class AtHand:
    """What a chore works with. `worker` is the name of this worker (`bot.worker_name`).

    `run_id` is the run that it books on; None: there is none.
    """

    config: Config
    engine: Engine
    archive: Archive
    judge: Judge
    verbaliser: Model | None
    worker: str
    run_id: int | None
    patience: Patience
    pulse: Pulse
    stopped: Callable[[], bool] = lambda: False


class Chore(Protocol):
    """Something that people wait for."""

    @property
    def name(self) -> str:
        """What it is, in a word or two, for the log."""
        ...

    def waits(self, session: Session) -> bool:
        """Whether there is something of it to do now."""
        ...

    def do(self, hand: AtHand) -> None:
        """Do a part of it."""
        ...
