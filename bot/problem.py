"""What ends a command early, told in one line: bad input (exit code 2) or a run that failed (exit code 1)."""

from __future__ import annotations


class InputProblem(Exception):
    """Something the caller gave can't be used. The message says what, and what to do."""

    exit_code = 2


class RunFailed(Exception):
    """The run itself couldn't go on. The message says why, and what to do."""

    exit_code = 1


class Busy(RunFailed):
    """A service asks us to come back after `wait_s` seconds."""

    def __init__(self, said: str, wait_s: float) -> None:
        super().__init__(said)
        self.wait_s = wait_s
