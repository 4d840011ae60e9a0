"""The bot's command line with a judge that needs no model, and the web of the tests: for tests that kill processes.

`python tests/bot/quick_worker.py work --watch`. $QUICK_S is how many seconds it takes to judge a pair.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from functools import partial
from ipaddress import IPv4Network
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bot import run
from bot.__main__ import entry
from models.evidence import Evidence, Passage, Stance
from models.judge import Case, Judge
from models.read.page import Page
from models.statement import Statement
from models.verdict import Claim, Judgement, Verdict

SECONDS = float(os.environ.get("QUICK_S", "0"))


class QuickJudge(Judge):
    """Finds every page to support its claim."""

    def __init__(self) -> None:
        self.version = "quick"

    def judge_all(self, cases: Sequence[Case]) -> list[Judgement]:
        """A verdict for each."""
        return [self.judge(case.statement, case.claim, case.page) for case in cases]

    def judge(self, statement: Statement, claim: Claim, page: Page) -> Judgement:
        """The verdict."""
        time.sleep(SECONDS)
        evidence = Evidence(Passage(page.blocks[0].text[:50], "text", 0, 0, 0), 0.5, 0.8, 0.1, 0.1)
        return Verdict(Stance.SUPPORTS, 0.8, (evidence,), Stance.SUPPORTS, Stance.SUPPORTS, self.version)


if __name__ == "__main__":
    run._load_judge = lambda *_: QuickJudge()
    run._keep_figures = lambda *_: None
    entry(partial(run.live, allowed=(IPv4Network("127.0.0.0/8"),)))
