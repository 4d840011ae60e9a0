"""What a run kept of the live web is enough to judge again without it: the archive's own files, replayed."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from bot_entities import PAGES, sample_entities
from local_web import Route, local_web, page
from sqlalchemy import Engine, create_engine, select
from sqlalchemy.orm import Session
from test_run import BORN, MakeBench, adams, current, dump, judge_live, replayed, walked_live
from warcio.archiveiterator import ArchiveIterator

from bot.fetch.replay import Replay
from bot.pages import Freshness
from store import schema
from store.archive import files
from store.taking_out import Request, let_in, take_out


def _answers() -> dict[str, Route]:
    """The sample's pages by their addresses, as a server would give them."""
    routes: dict[str, Route] = {}
    with PAGES.open("rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response":
                status, kind = record.http_headers.get_statuscode(), record.http_headers.get_header("Content-Type")
                body = record.content_stream().read()
                routes[record.rec_headers["WARC-Target-URI"]] = page(body, int(status), Content_Type=kind or "")
    return routes


def _some() -> list[dict[str, Any]]:
    """The sample's entities, with statements of a few of them alone."""
    entities = sample_entities()
    for name, entity in entities.items():
        if name not in ("Q42", "Q7186"):
            entity["claims"] = {}
    return list(entities.values())


def _found(engine: Engine) -> dict[tuple[str, str], tuple[str, float]]:
    """The stance and y of each pair that was judged."""
    with Session(engine) as session:
        rows = session.execute(
            select(schema.Pair.guid, schema.Pair.ref_hash, schema.Verdict.stance, schema.Verdict.probability)
            .join(schema.Pair, schema.Pair.id == schema.Verdict.pair_id)
            .where(schema.Verdict.current, schema.Verdict.stance.is_not(None))
        )
        return {(guid, ref_hash): (stance, y) for guid, ref_hash, stance, y in rows}


def test_a_replay_of_the_archives_own_files_gives_the_same_stances(
    bench: MakeBench, new_database: Callable[[str], AbstractContextManager[str]], tmp_path: Path
) -> None:
    answers = _answers()
    entities = json.dumps(_some())
    with local_web({}) as web:
        for number, (url, route) in enumerate(answers.items()):
            if json.dumps(url) in entities:
                path = f"/{number}/page"
                web.routes[f"/{number}"] = page("", 301, Location=path)
                web.routes[path] = route
                entities = entities.replace(json.dumps(url), json.dumps(f"{web.url}/{number}"))
        one = bench()
        source = dump(tmp_path / "dump.json", json.loads(entities))
        with walked_live(one, source, Freshness(timedelta(days=30))) as worker:
            worker.work(True, lambda: False, lambda _: None)
    live = _found(one.engine)
    assert len(live) > 4
    kept = tmp_path / "kept.warc.gz"  # a WARC file after another is a WARC file
    kept.write_bytes(b"".join(file.read_bytes() for file in files(one.config.var / "archive")))
    with new_database("replay") as url:
        engine = create_engine(url)
        again = replace(one, engine=engine, config=one.config.model_copy(update={"var": tmp_path / "other"}))
        replayed(again, dump(tmp_path / "dump.json", json.loads(entities)), Replay(kept, 10_000_000, pytest.fail))
        found = _found(engine)
        engine.dispose()
    assert found.keys() == live.keys()
    assert {pair: stance for pair, (stance, _) in found.items()} == {pair: stance for pair, (stance, _) in live.items()}
    assert max(abs(y - live[pair][1]) for pair, (_, y) in found.items()) < 1e-3


def test_a_page_that_was_taken_out_isnt_asked_for_again_until_it_is_allowed(
    bench: MakeBench, engine: Engine, tmp_path: Path
) -> None:
    one = bench()
    folder = one.config.var / "archive"
    with local_web({"/adams": page(BORN), "/short": page("", 301, Location="/adams")}) as web:
        source = lambda: dump(tmp_path / "dump.json", adams(f"{web.url}/short"))  # noqa: E731
        judge_live(one, source())
        assert {verdict.stance is None for verdict in current(engine)} == {False}
        take_out(engine, folder, Request("url", f"{web.url}/adams", "ann"))
        asked = len(web.paths())
        judge_live(one, source())
        judged = current(engine)
        assert {(verdict.outcome, verdict.detail) for verdict in judged} == {("blocked", "taken out on request")}
        assert len(web.paths()) == asked
        assert not any(verdict.document_id for verdict in judged)
        let_in(engine, "url", f"{web.url}/adams", "ann")
        judge_live(one, source())
        assert {verdict.outcome for verdict in current(engine)} == {None}


def test_an_item_that_was_taken_out_isnt_walked_until_it_is_allowed(
    bench: MakeBench, engine: Engine, tmp_path: Path
) -> None:
    one = bench()
    with local_web({"/adams": page(BORN)}) as web:
        source = lambda: dump(tmp_path / "dump.json", adams(f"{web.url}/adams"))  # noqa: E731
        judge_live(one, source())
        pairs = len(current(engine))
        take_out(engine, one.config.var / "archive", Request("item", "Q42", "ann"))
        judge_live(one, source())
        assert current(engine) == []
        assert len(web.paths()) == 2  # robots.txt and the page, the first time
        with Session(engine) as session:
            assert session.get_one(schema.Item, "Q42").label is None
        let_in(engine, "item", "Q42", "ann")
        judge_live(one, source())
        assert len(current(engine)) == pairs
