"""What the tests of runs share: a judge loaded once, and a bench around the test's own database."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import Engine

from config import Config

if TYPE_CHECKING:
    from bot.run import Bench
    from models.judge import Judge


@pytest.fixture(scope="session")
def judge() -> Judge:
    """The judge as it ships."""
    from models.judge import Judge

    return Judge.load(device="cpu", threads=1)


@pytest.fixture
def bench(config: Config, engine: Engine, judge: Judge) -> Callable[..., Bench]:
    """Makes a bench; settings given by name replace those of the test's configuration."""
    from bot.run import Bench
    from bot.worker_name import worker_name

    def make(**changes: object) -> Bench:
        return Bench(config.model_copy(update=changes), engine, judge, worker_name(), quiet=True)

    return make
