"""Trials of wordings: judged by the real judge over kept pages, and nothing else touched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, select, update
from sqlalchemy.orm import Session
from test_run import BORN, adams, dump, replayed, warc

from bot import run
from bot.stop import Stop
from models.judge import Case, Judge
from models.verbalise import Override
from models.verdict import Verdict
from store import schema, trials
from store.overrides import remove, save_override

MakeBench = Callable[..., run.Bench]
PATTERN = Override("pattern", "{subject} came into the world on {object}")
MOVED = Override("pattern", "{subject} never left the kitchen of {object}")


@pytest.fixture
def adams_run(bench: MakeBench, tmp_path: Path) -> run.Bench:
    """A bench over a database with the pairs of an item, judged by a page that is kept."""
    url, one = "https://lives.example/adams", bench()
    replayed(one, dump(tmp_path / "dump.json", adams(url)), warc(tmp_path / "x.warc.gz", {url: BORN}))
    return one


def properties(engine: Engine) -> list[str]:
    with Session(engine) as session:
        return sorted(session.scalars(select(schema.Statement.property_id).distinct()))


def ask(engine: Engine, property_id: str, override: Override | None, who: str = "Ada", **more: Any) -> trials.Asked:
    with Session(engine) as session, session.begin():
        return trials.ask(session, property_id, None, override, who, **more)


def found(engine: Engine, trial_id: int) -> tuple[trials.Trial, tuple[trials.Tried, ...]]:
    with Session(engine) as session:
        trial = trials.trial(session, trial_id)
        assert trial is not None
        return trial, trials.tried(session, trial_id)


def everything_else(engine: Engine) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all other tables that a run may change."""
    tables = [table for table in schema.Base.metadata.sorted_tables if not table.name.startswith("trial")]
    with engine.connect() as connection:
        return {table.name: sorted(map(tuple, connection.execute(select(table))), key=repr) for table in tables}


def test_a_trial_finds_exactly_what_a_run_finds_with_that_wording(adams_run: run.Bench, engine: Engine) -> None:
    wordings = {name: Override("pattern", "{subject} once had {object}") for name in properties(engine)}
    asked = {name: ask(engine, name, override).id for name, override in wordings.items()}
    before = everything_else(engine)
    assert list(run.trials(adams_run, Stop())) == [f"Tried {len(asked)} wordings."]
    assert everything_else(engine) == before, "a trial touches nothing but itself"
    with Session(engine) as session, session.begin():
        for name, override in wordings.items():
            save_override(session, name, override.wording, override.text, "Ada")
    list(run.work(adams_run, Stop(), watch=False))
    judged = 0
    for trial_id in asked.values():
        trial, rows = found(engine, trial_id)
        assert trial.state == "done"
        assert rows
        for row in rows:
            with Session(engine) as session:
                verdict = session.scalars(
                    select(schema.Verdict).where(schema.Verdict.pair_id == row.pair_id, schema.Verdict.current)
                ).one()
            assert row.then is not None
            assert (row.then.claim or "") == verdict.claim
            assert (row.then.stance, row.then.outcome) == (verdict.stance, verdict.outcome)
            assert row.then.unsure == verdict.unsure
            if row.then.probability is not None:
                judged += 1
                assert row.then.reason == verdict.reason
                assert row.then.probability == pytest.approx(verdict.probability, abs=1e-6)
    assert judged > 3


def test_worded_as_it_is_nothing_changes(adams_run: run.Bench, engine: Engine) -> None:
    asked = ask(engine, "P569", None)
    list(run.trials(adams_run, Stop()))
    _, (row,) = found(engine, asked.id)
    assert (row.found, row.then, row.changes, row.moved) == ("same", None, False, False)


def test_citewells_own_wording_can_be_tried(adams_run: run.Bench, engine: Engine) -> None:
    _, (before,) = found(engine, ask(engine, "P569", None).id)
    with Session(engine) as session, session.begin():
        save_override(session, "P569", MOVED.wording, MOVED.text, "Ada")
    list(run.work(adams_run, Stop(), watch=False))
    asked = ask(engine, "P569", None)
    list(run.trials(adams_run, Stop()))
    _, (row,) = found(engine, asked.id)
    assert row.now.claim == "Douglas Adams never left the kitchen of 11 March 1952."
    assert row.then is not None
    assert row.then.claim == before.now.claim
    assert row.then.probability == pytest.approx(before.now.probability, abs=1e-6)


def test_a_pair_without_a_kept_page_says_so(adams_run: run.Bench, engine: Engine) -> None:
    with Session(engine) as session, session.begin():
        session.execute(update(schema.Document).values(warc=None, warc_offset=None))
    asked = ask(engine, "P569", PATTERN)
    list(run.trials(adams_run, Stop()))
    trial, (row,) = found(engine, asked.id)
    assert (trial.state, row.found, row.then) == ("done", "not_kept", None)


def test_a_verdict_on_another_ground_is_marked(adams_run: run.Bench, engine: Engine) -> None:
    with Session(engine) as session, session.begin():
        session.execute(update(schema.Verdict).values(model_version="older"))
    asked = ask(engine, "P569", PATTERN)
    list(run.trials(adams_run, Stop()))
    _, (row,) = found(engine, asked.id)
    assert row.other_ground


class Stopping(Judge):
    """The judge, which has someone ask to stop, or fails, at the first pair."""

    def __init__(self, judge: Judge, stop: Stop, error: BaseException | None = None) -> None:
        self._judge, self._stop, self._error = judge, stop, error
        self.version = judge.version

    def judge_all(self, cases: Sequence[Case]) -> list[Verdict]:  # type: ignore[override]
        """Ask to stop, then judge."""
        self._stop._event.set()
        if self._error is not None:
            raise self._error
        return self._judge.judge_all(cases)  # type: ignore[return-value]


def many(engine: Engine, run_bench: run.Bench, tmp_path: Path) -> None:
    """Ten more statements of P569, each of its own, judged by the same page."""
    entities = adams("https://lives.example/adams")
    item = next(entity for entity in entities if entity["id"] == "Q42")
    item["claims"]["P569"] += [{**item["claims"]["P569"][0], "id": f"Q42$more-{n}"} for n in range(10)]
    replay = warc(tmp_path / "y.warc.gz", {"https://lives.example/adams": BORN})
    replayed(run_bench, dump(tmp_path / "more.json", entities), replay)


def test_a_worker_that_is_asked_to_stop_leaves_the_rest_to_the_next(
    adams_run: run.Bench, engine: Engine, tmp_path: Path
) -> None:
    many(engine, adams_run, tmp_path)
    asked, stop = ask(engine, "P569", PATTERN), Stop()
    list(run.trials(replace(adams_run, judge=Stopping(adams_run.judge, stop)), stop))
    trial, rows = found(engine, asked.id)
    assert trial.state == "waiting"
    assert [row.found for row in rows] == ["judged"] * 4 + [None] * 7
    list(run.trials(adams_run, Stop()))
    trial, rows = found(engine, asked.id)
    assert trial.state == "done"
    assert {row.found for row in rows} == {"judged"}


def test_a_killed_worker_leaves_the_rest_to_the_next(adams_run: run.Bench, engine: Engine, tmp_path: Path) -> None:
    many(engine, adams_run, tmp_path)
    asked = ask(engine, "P569", PATTERN)
    dead = replace(adams_run, judge=Stopping(adams_run.judge, Stop(), KeyboardInterrupt()), name="elsewhere:1:2")
    with pytest.raises(KeyboardInterrupt):
        list(run.trials(dead, Stop()))
    trial, _ = found(engine, asked.id)
    assert trial.state == "running"
    assert list(run.trials(adams_run, Stop())) == ["No wording waits to be tried."], "it may live yet"
    with Session(engine) as session, session.begin():
        session.execute(update(schema.Trial).values(leased_until=func.now()))
    list(run.trials(adams_run, Stop()))
    trial, rows = found(engine, asked.id)
    assert trial.state == "done"
    assert {row.found for row in rows} == {"judged"}


def test_a_trial_that_workers_die_over_ends(adams_run: run.Bench, engine: Engine) -> None:
    asked = ask(engine, "P569", PATTERN)
    for _ in range(trials.MOST_TRIES):
        with Session(engine) as session, session.begin():
            assert trials.take(session, "elsewhere:1:2", 0, "any")
    assert list(run.trials(adams_run, Stop())) == ["Tried 1 wording."]
    trial, _ = found(engine, asked.id)
    assert (trial.state, trial.error) == ("failed", "its worker died over it 3 times")


def test_work_does_trials_before_and_between_pairs(adams_run: run.Bench, engine: Engine, tmp_path: Path) -> None:
    many(engine, adams_run, tmp_path)
    with Session(engine) as session, session.begin():
        save_override(session, "P569", "label", "born on", "Ada")
        remove(session, "P569", "Ada")  # all of them wait
    asked = ask(engine, "P569", PATTERN)
    first: list[str] = []

    class Watching(Stopping):
        def judge_all(self, cases: Sequence[Case]) -> list[Verdict]:  # type: ignore[override]
            first.extend(case.claim.text for case in cases)
            return self._judge.judge_all(cases)  # type: ignore[return-value]

    list(run.work(replace(adams_run, judge=Watching(adams_run.judge, Stop())), Stop(), watch=False))
    assert found(engine, asked.id)[0].state == "done"
    assert first[0].startswith("Douglas Adams came into the world on")


def test_the_same_wording_is_tried_once_until_something_changes(adams_run: run.Bench, engine: Engine) -> None:
    first = ask(engine, "P569", PATTERN)
    assert ask(engine, "P569", PATTERN, "Eve") == trials.Asked(first.id, True)
    list(run.trials(adams_run, Stop()))
    assert ask(engine, "P569", PATTERN) == trials.Asked(first.id, True)
    assert not ask(engine, "P569", PATTERN, anew=True).reused
    list(run.trials(adams_run, Stop()))
    with Session(engine) as session, session.begin():
        save_override(session, "P569", "label", "born on", "Ada")
    assert not ask(engine, "P569", PATTERN).reused


def test_the_pair_that_somebody_comes_from_is_tried_first(adams_run: run.Bench, engine: Engine, tmp_path: Path) -> None:
    many(engine, adams_run, tmp_path)
    asked = ask(engine, "P569", PATTERN)
    last = found(engine, asked.id)[1][-1].pair_id
    assert ask(engine, "P569", PATTERN, first=last) == trials.Asked(asked.id, True), "it has the pair already"
    again = ask(engine, "P569", PATTERN, anew=True, first=last)
    assert found(engine, again.id)[1][0].pair_id == last
    with Session(engine) as session:
        other = session.scalars(
            select(schema.Pair.id).join(schema.Statement).where(schema.Statement.property_id != "P569")
        ).first()
    assert ask(engine, "P569", PATTERN, first=other).reused, "a pair of another property is no reason for a new one"
