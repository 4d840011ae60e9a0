"""Whole runs in this process, with the real judge and a real database: nothing lost, nothing done twice."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from ipaddress import IPv4Network
from pathlib import Path
from typing import Any

import pytest
from bot_entities import PAGES, SAMPLE, adams
from local_web import LocalWeb, local_web, page
from sqlalchemy import Engine, func, select, update
from sqlalchemy.orm import Session
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from bot import run
from bot.agent import user_agent
from bot.fetch.live import Limits, Live
from bot.fetch.replay import Replay
from bot.find import Finder
from bot.pages import Freshness, Pages
from bot.problem import InputProblem
from bot.sources.dump import DumpSource
from bot.stop import Stop
from bot.walk import Walk
from bot.work import Worker
from config import Config
from models.judge import Judge
from models.verbalise.triple import Triple
from store import schema
from store.overrides import OverrideRefused, save_override
from store.requests import ask
from store.runs import end_run, start_run

MakeBench = Callable[..., run.Bench]
BORN = (
    "<title>Douglas Adams</title><h1>Douglas Adams</h1><p>Douglas Adams was an English writer. "
    "Douglas Adams was born on 11 March 1952 in Cambridge.</p>"
)


def dump(path: Path, entities: list[dict[str, Any]]) -> DumpSource:
    path.write_text("[\n" + ",\n".join(json.dumps(entity) for entity in entities) + "\n]\n")
    return DumpSource(path, ("en",), pytest.fail)


def warc(path: Path, pages: dict[str, str]) -> Replay:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url, text in pages.items():
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
            body = text.encode()
            writer.write_record(
                writer.create_warc_record(url, "response", payload=BytesIO(body), length=len(body), http_headers=head)
            )
    return Replay(path, 1_000_000, pytest.fail)


def replayed(bench: run.Bench, source: DumpSource, replay: Replay, stop: Stop | None = None) -> list[str]:
    """The summary of a run over a replay."""
    stop = stop or Stop()
    walk = Walk(bench.config.select.skip_properties, None, lambda: stop.asked, keep_addresses=True)
    return list(run.run(bench, source, replay, walk, stop))


def states(engine: Engine) -> dict[str, int]:
    with Session(engine) as session:
        return dict(session.execute(select(schema.Pair.state, func.count()).group_by(schema.Pair.state)).all())


def current(engine: Engine) -> list[schema.Verdict]:
    with Session(engine, expire_on_commit=False) as session:
        return list(
            session.scalars(select(schema.Verdict).where(schema.Verdict.current).order_by(schema.Verdict.pair_id))
        )


def count(engine: Engine, table: type[schema.Base]) -> int:
    with Session(engine) as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def test_each_pair_has_one_verdict_and_a_second_run_does_nothing(bench: MakeBench, engine: Engine) -> None:
    one, replay = bench(), Replay(PAGES, 10_000_000, pytest.fail)
    first = replayed(one, DumpSource(SAMPLE, ("en",), pytest.fail), replay)
    verdicts = current(engine)
    assert {verdict.pair_id for verdict in verdicts} == set(range(1, count(engine, schema.Pair) + 1))
    assert len(verdicts) == count(engine, schema.Verdict)
    assert set(states(engine)) == {"judged", "not_judged"}
    assert any(line.startswith("Judged: ") for line in first)
    with Session(engine) as session:
        booked = session.scalars(select(schema.Run)).one()
        assert booked.state == "finished"
        assert booked.counts["judged"] + booked.counts["not_judged"] == len(verdicts)
        assert sum(booked.skipped.values()) > 0
        judged = session.scalar(select(func.count()).where(schema.Verdict.stance.is_not(None)))
        resting = select(func.count(schema.EvidenceRow.verdict_id.distinct())).where(schema.EvidenceRow.kind != "value")
        evident = session.scalar(resting)
        assert judged == evident, "each judged pair has its evidence"
    documents = count(engine, schema.Document)

    second = replayed(one, DumpSource(SAMPLE, ("en",), pytest.fail), replay)
    assert second[-1] == "Nothing was left to do."
    after = current(engine)
    assert [(verdict.id, verdict.judged_at) for verdict in after] == [
        (verdict.id, verdict.judged_at) for verdict in verdicts
    ]
    assert count(engine, schema.Verdict) == len(verdicts)
    assert count(engine, schema.Document) == documents


def test_a_page_that_has_changed_is_judged_again(bench: MakeBench, engine: Engine, tmp_path: Path) -> None:
    url, one = "https://lives.example/adams", bench()
    source = lambda: dump(tmp_path / "dump.json", adams(url))  # noqa: E731
    replayed(one, source(), warc(tmp_path / "old.warc.gz", {url: BORN}))
    before = current(engine)
    assert len(before) > 3
    replayed(one, source(), warc(tmp_path / "same.warc.gz", {url: BORN, "https://else.example/": "x"}))
    assert count(engine, schema.Verdict) == len(before)
    lines = replayed(one, source(), warc(tmp_path / "new.warc.gz", {url: BORN.replace("1952", "1953")}))
    after = current(engine)
    assert any(f"{len(before)} another page now" in line for line in lines)
    assert len(after) == len(before)
    assert count(engine, schema.Verdict) == 2 * len(before)
    assert {verdict.document_digest for verdict in after}.isdisjoint(verdict.document_digest for verdict in before)


def test_a_page_that_is_not_in_the_file_is_an_outcome_without_a_document(
    bench: MakeBench, engine: Engine, tmp_path: Path
) -> None:
    source = dump(tmp_path / "dump.json", adams("https://lives.example/adams"))
    replayed(bench(), source, warc(tmp_path / "x.warc.gz", {"https://else.example/": "x"}))
    assert {(verdict.outcome, verdict.detail) for verdict in current(engine)} == {("unreachable", "not in x.warc.gz")}
    assert count(engine, schema.Document) == 0


def test_a_changed_value_is_judged_again_and_the_former_verdict_is_stale(
    bench: MakeBench, engine: Engine, tmp_path: Path
) -> None:
    url, one = "https://lives.example/adams", bench()
    replay = warc(tmp_path / "x.warc.gz", {url: BORN})
    entities = adams(url)
    replayed(one, dump(tmp_path / "dump.json", copy.deepcopy(entities)), replay)
    before = count(engine, schema.Verdict)
    (birth,) = next(entity for entity in entities if entity["id"] == "Q42")["claims"]["P569"]
    birth["mainsnak"]["datavalue"]["value"]["time"] = "+1953-03-11T00:00:00Z"
    replayed(one, dump(tmp_path / "dump.json", entities), replay)
    assert count(engine, schema.Verdict) == before + 1
    with Session(engine) as session:
        (old,) = session.scalars(select(schema.Verdict).where(~schema.Verdict.current))
        assert old.stale
        assert "1952" in old.claim
        (new,) = session.scalars(
            select(schema.Verdict).where(schema.Verdict.pair_id == old.pair_id, schema.Verdict.current)
        )
        assert "1953" in new.claim


def test_a_reference_that_is_no_longer_there_retires_and_comes_back(
    bench: MakeBench, engine: Engine, tmp_path: Path
) -> None:
    url, one = "https://lives.example/adams", bench()
    replay, entities = warc(tmp_path / "x.warc.gz", {url: BORN}), adams(url)
    replayed(one, dump(tmp_path / "dump.json", copy.deepcopy(entities)), replay)
    before = states(engine)
    (birth,) = next(entity for entity in entities if entity["id"] == "Q42")["claims"]["P569"]
    references, birth["references"] = birth["references"], []
    lines = replayed(one, dump(tmp_path / "dump.json", copy.deepcopy(entities)), replay)
    assert "Retired: 1 references that aren't there any more, or aren't judged now" in lines
    assert states(engine) == {"judged": before["judged"] - 1, "retired": 1}
    birth["references"] = references
    replayed(one, dump(tmp_path / "dump.json", entities), replay)
    assert states(engine) == before
    assert count(engine, schema.Verdict) == before["judged"]


def test_a_limit_retires_nothing(bench: MakeBench, engine: Engine, tmp_path: Path) -> None:
    url, one = "https://lives.example/adams", bench()
    replay = warc(tmp_path / "x.warc.gz", {url: BORN})
    replayed(one, dump(tmp_path / "dump.json", adams(url)), replay)
    before = states(engine)
    list(
        run.run(
            one, dump(tmp_path / "dump.json", adams(url)), replay, Walk(one.config.select.skip_properties, 2), Stop()
        )
    )
    assert states(engine) == before


def test_a_label_that_changed_words_the_claims_anew(bench: MakeBench, engine: Engine, tmp_path: Path) -> None:
    url, one = "https://lives.example/adams", bench()
    replay, entities = warc(tmp_path / "x.warc.gz", {url: BORN}), adams(url)
    replayed(one, dump(tmp_path / "dump.json", copy.deepcopy(entities)), replay)
    number = len(current(engine))
    item = next(entity for entity in entities if entity["id"] == "Q42")
    item["labels"]["en"]["value"] = "Douglas Noel Adams"
    lines = replayed(one, dump(tmp_path / "dump.json", entities), replay)
    assert any(f"{number} reworded" in line for line in lines)
    assert all("Douglas Noel Adams" in verdict.claim for verdict in current(engine))
    assert count(engine, schema.Verdict) == 2 * number


def test_a_limit_ends_the_walk(bench: MakeBench, engine: Engine, tmp_path: Path) -> None:
    url = "https://lives.example/adams"
    source = dump(tmp_path / "dump.json", adams(url))
    list(run.run(bench(), source, warc(tmp_path / "x.warc.gz", {url: BORN}), Walk((), 2), Stop()))
    assert states(engine) == {"judged": 2}


def test_a_run_that_fails_says_why_and_is_never_finished(bench: MakeBench, engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "dump.json").write_text("[\nhello\n]\n")
    source = DumpSource(tmp_path / "dump.json", ("en",), pytest.fail)
    with pytest.raises(Exception, match="isn't a Wikidata JSON dump"):
        replayed(bench(), source, Replay(PAGES, 1000, pytest.fail))
    with Session(engine) as session:
        booked = session.scalars(select(schema.Run)).one()
        assert booked.state == "failed"
        assert "isn't a Wikidata JSON dump" in (booked.error or "")


def test_pages_that_cannot_be_kept_fail_their_pairs_and_not_the_run(
    bench: MakeBench, engine: Engine, tmp_path: Path
) -> None:
    """A disk that takes nothing more, or an archive that isn't ours: each pair says so, and is tried again later."""
    url, one = "https://lives.example/adams", bench()
    one.config.var.mkdir(parents=True)
    (one.config.var / "archive").write_text("not a folder")
    source = dump(tmp_path / "dump.json", adams(url))
    lines = replayed(one, source, warc(tmp_path / "x.warc.gz", {url: BORN}))
    assert set(states(engine)) == {"failed"}
    assert any(line.startswith("Failed, to be tried again later: ") for line in lines)
    with Session(engine) as session:
        reasons = set(session.scalars(select(schema.Pair.last_error)))
        assert all(reason and "can't keep https://lives.example/adams" in reason for reason in reasons)
        session.execute(update(schema.Pair).values(next_at=func.now()))
        session.commit()
    (one.config.var / "archive").unlink()
    replayed(one, dump(tmp_path / "dump.json", adams(url)), warc(tmp_path / "x.warc.gz", {url: BORN}))
    assert set(states(engine)) == {"judged"}


class Tripping(Judge):
    """The judge as it ships, but it trips over one claim."""

    def __init__(self, judge: Judge, over: str) -> None:
        self.__dict__ |= judge.__dict__
        self._over = over

    def judge_all(self, cases: Any) -> Any:
        """Judge, unless the claim is among the cases."""
        if any(self._over in case.claim.text for case in cases):
            raise ZeroDivisionError("tripped\nand fell")
        return super().judge_all(cases)


def test_a_pair_that_fails_fails_alone(bench: MakeBench, engine: Engine, judge: Judge, tmp_path: Path) -> None:
    url = "https://lives.example/adams"
    whole = bench()
    one = run.Bench(whole.config, engine, Tripping(judge, "11 March 1952"), whole.name, quiet=True)
    lines = replayed(one, dump(tmp_path / "dump.json", adams(url)), warc(tmp_path / "x.warc.gz", {url: BORN}))
    assert states(engine)["failed"] == 1
    assert states(engine)["judged"] > 2
    assert any(
        "Failed, to be tried again later: 1 (1 judging failed: ZeroDivisionError: tripped and fell)" in line
        for line in lines
    )


def test_when_asked_to_stop_leases_are_given_back(bench: MakeBench, engine: Engine, tmp_path: Path) -> None:
    url, stop = "https://lives.example/adams", Stop()

    class Stopping(Judge):
        """The judge as it ships, at whose first judgement someone asks to stop."""

        def __init__(self, judge: Judge) -> None:
            self.__dict__ |= judge.__dict__

        def judge_all(self, cases: Any) -> Any:
            """Judge, and ask to stop."""
            stop._event.set()
            return super().judge_all(cases)

    whole = bench()
    one = run.Bench(whole.config, engine, Stopping(whole.judge), whole.name, quiet=True)
    entities = adams(url)
    adams_item = next(entity for entity in entities if entity["id"] == "Q42")
    for group in adams_item["claims"].values():
        group += [{**statement, "id": f"{statement['id']}-{n}"} for statement in group for n in range(6)]
    replayed(one, dump(tmp_path / "dump.json", entities), warc(tmp_path / "x.warc.gz", {url: BORN}), stop)
    assert states(engine)["judged"] == 8, "the present few are finished"
    assert states(engine)["waiting"] > 8
    assert "leased" not in states(engine)
    with Session(engine) as session:
        assert session.scalars(select(schema.Run.state)).one() == "stopped"


def test_work_judges_from_the_archive_what_an_override_changes(
    bench: MakeBench, engine: Engine, tmp_path: Path
) -> None:
    url, one = "https://lives.example/adams", bench()
    replayed(one, dump(tmp_path / "dump.json", adams(url)), warc(tmp_path / "x.warc.gz", {url: BORN}))
    before = {verdict.pair_id: verdict for verdict in current(engine)}
    with Session(engine) as session, session.begin():
        save_override(session, "P569", "pattern", "{subject} came into the world on {object}", "Editor")
    lines = list(run.work(one, Stop(), watch=False))
    after = current(engine)
    changed = [verdict for verdict in after if before[verdict.pair_id].id != verdict.id]
    assert len(changed) == 1
    assert changed[0].claim.startswith("Douglas Adams came into the world on")
    assert changed[0].document_digest == before[changed[0].pair_id].document_digest
    assert any(line.startswith("Judged: 1 ") for line in lines)
    assert list(run.work(one, Stop(), watch=False)) == ["Nothing was left to do."]


def test_a_wording_for_a_class_is_for_what_the_dump_says_is_of_it(
    bench: MakeBench, engine: Engine, tmp_path: Path
) -> None:
    url, one = "https://lives.example/adams", bench()
    replayed(one, dump(tmp_path / "dump.json", adams(url)), warc(tmp_path / "x.warc.gz", {url: BORN}))
    with Session(engine) as session, session.begin():
        with pytest.raises(OverrideRefused):
            save_override(session, "P569", "pattern", "{subject} was launched on {object}", "Editor", "Q11446")
        save_override(session, "P569", "pattern", "{subject} came into the world on {object}", "Editor", "Q5")
    list(run.work(one, Stop(), watch=False))
    (claim,) = [verdict.claim for verdict in current(engine) if verdict.wording == "override"]
    assert claim.startswith("Douglas Adams came into the world on")


def test_a_verbaliser_words_the_claims_and_is_not_believed_everything(
    bench: MakeBench, engine: Engine, tmp_path: Path
) -> None:
    def verbaliser(triples: Sequence[Triple]) -> list[str]:
        return [f"It is said of {each.subject} that it has {each.value}." for each in triples[:-1]] + ["In 1999."]

    one, url = replace(bench(), verbaliser=verbaliser), "https://lives.example/adams"
    replayed(one, dump(tmp_path / "dump.json", adams(url)), warc(tmp_path / "x.warc.gz", {url: BORN}))
    wordings = Counter(verdict.wording for verdict in current(engine))
    assert wordings["model"] > 0
    assert wordings["pattern"] + wordings["grammar"] > 0
    assert all("1999" not in verdict.claim for verdict in current(engine))


def test_a_verbaliser_that_breaks_fails_the_pairs_and_says_so(bench: MakeBench, engine: Engine, tmp_path: Path) -> None:
    def verbaliser(triples: Sequence[Triple]) -> list[str]:
        raise RuntimeError("out of memory")

    one, url = replace(bench(), verbaliser=verbaliser), "https://lives.example/adams"
    replayed(one, dump(tmp_path / "dump.json", adams(url)), warc(tmp_path / "x.warc.gz", {url: BORN}))
    assert set(states(engine)) == {"failed"}
    with Session(engine) as session:
        reasons = set(session.scalars(select(schema.Pair.last_error)))
    assert reasons == {"the statement can't be put into words: RuntimeError: out of memory"}


def test_a_verbaliser_that_cant_be_loaded_is_named_before_anything_is_done(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, judge: Judge
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(run.Judge, "load", lambda *names: asked.append(names[-1]) or judge)
    name = str(tmp_path / "no-model")
    given = config.model_copy(update={"judge": config.judge.model_copy(update={"verbaliser": name})})
    with pytest.raises(InputProblem, match=r"judge\.verbaliser: .*no-model"), run.workbench(given, quiet=True):
        pass
    assert asked == [name], "the judge's version names it"


def test_work_without_a_contact_fetches_nothing(bench: MakeBench, engine: Engine, tmp_path: Path) -> None:
    one, source = bench(), dump(tmp_path / "dump.json", adams("https://lives.example/adams"))
    with Session(engine) as session, session.begin():
        run_id = start_run(session, "a walk", one.judge.version, own_pages=True).id
    Walk(()).over(source, engine, run_id, one.judge.version)
    assert list(run.work(one, Stop(), watch=False)) == ["Nothing was left to do."], (
        "they are that run's while it goes on"
    )
    with Session(engine) as session, session.begin():
        end_run(session, run_id, "stopped")
    list(run.work(one, Stop(), watch=False))
    assert current(engine) == [], "what we didn't ask for is no outcome of the page"
    with Session(engine) as session:
        pairs = session.scalars(select(schema.Pair)).all()
    assert {pair.state for pair in pairs} == {"failed"}
    assert all("nothing is fetched without a contact" in (pair.last_error or "") for pair in pairs)


# Pages from the web.


@contextmanager
def walked_live(bench: run.Bench, source: DumpSource, freshness: Freshness) -> Iterator[Worker]:
    """A worker with the web of the tests, for what a walk over the source queues."""
    with Session(bench.engine) as session, session.begin():
        run_id = start_run(session, source.name, bench.judge.version).id
    Walk(bench.config.select.skip_properties).over(source, bench.engine, run_id, bench.judge.version)
    limits = Limits(timeout_s=3.0, max_bytes=100_000, host_delay_s=0.0)
    with Live(user_agent("tests@example.org"), limits, (IPv4Network("127.0.0.0/8"),)) as live:
        finder = Finder(Pages(bench.engine, bench.archive, live, freshness))
        yield Worker(bench.engine, lambda: nullcontext(finder), bench.judge, bench.name, run_id)


def judge_live(bench: run.Bench, source: DumpSource, days: int = 30) -> Worker:
    with walked_live(bench, source, Freshness(timedelta(days=days))) as worker:
        worker.work(True, lambda: False, lambda _: None)
    return worker


@pytest.fixture
def web() -> Iterator[LocalWeb]:
    with local_web({}) as running:
        yield running


def test_a_shared_reference_is_fetched_once_and_judged_for_each(
    bench: MakeBench, engine: Engine, web: LocalWeb, tmp_path: Path
) -> None:
    web.routes["/adams"] = page(BORN)
    worker = judge_live(bench(), dump(tmp_path / "dump.json", adams(f"{web.url}/adams")))
    verdicts = current(engine)
    assert len(verdicts) > 3
    assert worker.tally.stances.total() == len(verdicts)
    assert web.paths().count("/adams") == 1
    assert Counter(verdict.via for verdict in verdicts) == {"live": len(verdicts)}
    assert len({verdict.document_id for verdict in verdicts}) == 1
    birth = next(verdict for verdict in verdicts if "11 March 1952" in verdict.claim)
    assert birth.stance == "supports"


def test_what_is_fresh_is_not_fetched_again(bench: MakeBench, engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    web.routes["/adams"] = page(BORN)
    source = lambda: dump(tmp_path / "dump.json", adams(f"{web.url}/adams"))  # noqa: E731
    judge_live(bench(), source())
    with Session(engine) as session, session.begin():
        save_override(session, "P569", "pattern", "{subject} was born {object}", "Editor")
    judge_live(bench(), source())
    assert web.paths().count("/adams") == 1
    with Session(engine) as session, session.begin():
        session.execute(update(schema.Document).values(kept_at=func.now() - timedelta(days=31)))
        session.execute(update(schema.Pair).values(state="waiting", why="asked", next_at=func.now()))
    judge_live(bench(), source())
    assert web.paths().count("/adams") == 2


def test_the_archived_copy_is_read_where_the_live_one_is_gone(
    bench: MakeBench, engine: Engine, web: LocalWeb, tmp_path: Path
) -> None:
    web.routes["/archived"] = page(BORN)
    judge_live(bench(), dump(tmp_path / "dump.json", adams(f"{web.url}/adams", f"{web.url}/archived")))
    assert {verdict.via for verdict in current(engine)} == {"archive"}
    assert all(verdict.stance for verdict in current(engine))
    assert [path for path in web.paths() if path != "/robots.txt"] == ["/adams", "/archived"]


def test_where_no_copy_can_be_read_the_live_one_says_why(
    bench: MakeBench, engine: Engine, web: LocalWeb, tmp_path: Path
) -> None:
    web.routes["/archived"] = page("no", 503)
    judge_live(bench(), dump(tmp_path / "dump.json", adams(f"{web.url}/adams", f"{web.url}/archived")))
    host = web.url.removeprefix("http://")
    assert {(verdict.outcome, verdict.detail, verdict.via) for verdict in current(engine)} == {
        ("not_found", f"404 Not Found from {host}", "live")
    }


def test_a_failed_fetch_is_not_repeated_before_its_time(
    bench: MakeBench, engine: Engine, web: LocalWeb, tmp_path: Path
) -> None:
    source = lambda: dump(tmp_path / "dump.json", adams(f"{web.url}/adams"))  # noqa: E731
    judge_live(bench(), source())
    judge_live(bench(), source())
    assert web.paths().count("/adams") == 1
    with Session(engine) as session, session.begin():
        session.execute(update(schema.Pair).values(next_at=func.now()))
        session.execute(update(schema.Try).values(again_at=func.now()))
    web.routes["/adams"] = page(BORN)
    judge_live(bench(), source())
    assert web.paths().count("/adams") == 2
    assert all(verdict.stance for verdict in current(engine))


def test_verdicts_know_their_model(bench: MakeBench, engine: Engine, judge: Judge, tmp_path: Path) -> None:
    url = "https://lives.example/adams"
    replayed(bench(), dump(tmp_path / "dump.json", adams(url)), warc(tmp_path / "x.warc.gz", {url: BORN}))
    assert {verdict.model_version for verdict in current(engine)} == {judge.version}


def test_what_a_person_asks_for_is_judged_by_what_is_known_where_the_wiki_is_away(
    bench: MakeBench, engine: Engine, tmp_path: Path
) -> None:
    url, one = "https://lives.example/adams", bench()
    replayed(one, dump(tmp_path / "dump.json", adams(url)), warc(tmp_path / "x.warc.gz", {url: BORN}))
    with Session(engine) as session, session.begin():
        ask(session, "Q42", "Ada")
    lines = list(run.work(one, Stop(), watch=False))
    assert any(line.startswith("Judged: ") for line in lines)
    assert set(states(engine)) == {"judged"}
    with Session(engine) as session:
        (wish,) = session.scalars(select(schema.Request))
    assert "without a contact" in wish.said
