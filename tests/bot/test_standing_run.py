"""What becomes of verdicts when their pages are asked for again: they stand, end in a finding, or are made anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from local_web import LocalWeb, local_web, page
from sqlalchemy import Engine, func, update
from sqlalchemy.orm import Session
from test_run import BORN, adams, count, current, dump, judge_live, states

from bot.run import Bench
from models.judge import Judge
from store import schema

MakeBench = Callable[..., Bench]


@pytest.fixture
def web() -> Iterator[LocalWeb]:
    with local_web({"/adams": page(BORN, ETag='"one"')}) as running:
        yield running


def look_again(one: Bench, path: Path, url: str, days: float) -> None:
    """Let time pass, and have all pairs looked at as those that were judged long ago."""
    time = timedelta(days=days)
    tried, read = schema.Try, schema.Document
    with Session(one.engine) as session, session.begin():
        session.execute(
            update(tried).values(
                tried_at=tried.tried_at - time, kept_at=tried.kept_at - time, again_at=tried.again_at - time
            )
        )
        session.execute(update(read).values(kept_at=read.kept_at - time))
        session.execute(update(schema.Pair).values(state="waiting", why="old", next_at=func.now()))
    judge_live(one, dump(path / "dump.json", adams(url)))


def test_a_verdict_stands_while_its_page_is_unchanged_or_its_host_in_trouble(
    bench: MakeBench, engine: Engine, web: LocalWeb, tmp_path: Path
) -> None:
    one, url = bench(), f"{web.url}/adams"
    judge_live(one, dump(tmp_path / "dump.json", adams(url)))
    before = {verdict.id: (verdict.stance, verdict.probability, verdict.document_id) for verdict in current(engine)}
    evidence = count(engine, schema.EvidenceRow)
    for route in (page("", 304), page("", 503, "Backend Fetch Failed"), page(BORN)):
        web.routes["/adams"] = route
        look_again(one, tmp_path, url, 31)
        after = {verdict.id: (verdict.stance, verdict.probability, verdict.document_id) for verdict in current(engine)}
        assert after == before
        assert set(states(engine)) == {"judged"}
    assert web.paths().count("/adams") == 4
    assert (count(engine, schema.Verdict), count(engine, schema.EvidenceRow)) == (len(before), evidence)
    assert (count(engine, schema.Document), count(engine, schema.Try)) == (1, 4)


def test_what_was_judged_is_not_judged_anew(
    bench: MakeBench, engine: Engine, judge: Judge, web: LocalWeb, tmp_path: Path
) -> None:
    class Counting(Judge):
        """The judge as it ships, which counts what it is asked."""

        asked = 0

        def __init__(self) -> None:
            self.__dict__ |= judge.__dict__

        def judge_all(self, cases: Any) -> Any:
            """Count, and judge."""
            Counting.asked += len(cases)
            return super().judge_all(cases)

    one, url = replace(bench(), judge=Counting()), f"{web.url}/adams"
    judge_live(one, dump(tmp_path / "dump.json", adams(url)))
    pairs = len(current(engine))
    web.routes["/adams"] = page("", 304)
    look_again(one, tmp_path, url, 31)
    assert Counting.asked == pairs
    web.routes["/adams"] = page(BORN.replace("1952", "1953"))
    look_again(one, tmp_path, url, 31)
    assert Counting.asked == 2 * pairs


def test_a_page_that_is_gone_becomes_a_finding(bench: MakeBench, engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    one, url = bench(), f"{web.url}/adams"
    judge_live(one, dump(tmp_path / "dump.json", adams(url)))
    web.routes["/adams"] = page("", 404)
    seen = []
    for days in (31, 3.1, 6.1):
        look_again(one, tmp_path, url, days)
        seen.append({verdict.outcome for verdict in current(engine)})
    assert seen == [{"not_found"}, {"not_found"}, {"gone"}]
    assert {verdict.document_id for verdict in current(engine)} == {None}
    web.routes["/adams"] = page(BORN)
    look_again(one, tmp_path, url, 91)
    assert all(verdict.stance for verdict in current(engine)), "it came back"
