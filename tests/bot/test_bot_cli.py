"""The command line: bad input is one clear line and an exit code; runs survive being killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bot_entities import PAGES, ROOT, SAMPLE, sample_entities
from local_web import local_web
from sqlalchemy import Engine, select, text
from sqlalchemy.orm import Session
from wikibase_server import api, bindings, results, sparql

from bot.__main__ import entry
from bot.select import Skipped
from bot.select import select as select_pairs
from bot.sources.dump import DumpSource
from bot.sources.heads import EntityHead
from bot.worker_name import dead_workers, worker_name
from store import schema
from store.runs import end_run, save_place, start_run
from store.walk import put_pairs
from store.work import lease

REPLAY = ("run", "--dump", str(SAMPLE), "--pages", str(PAGES))
SHORT = (*REPLAY, "--limit", "24")


@pytest.fixture
def say(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Callable[..., tuple[int, str, str]]:
    """Runs a command line in this process; gives its exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CITEWELL_VAR", str(tmp_path / "var"))

    def run(*arguments: str, **environment: str) -> tuple[int, str, str]:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["bot", *arguments])
        try:
            entry()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


def _files(folder: Path) -> None:
    (folder / "text.json").write_text("hello")
    (folder / "csv.json").write_text('{"a": 1}\n{"a": 2}\n')
    (folder / "empty.json").touch()
    (folder / "bad.rq").write_text("DROP ALL")
    (folder / "good.rq").write_text("SELECT ?item {}")
    (folder / "config.yaml").write_text("fetch:\n  speed: 9\n")


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        (["run"], {}, "one of --dump FILE, --sparql FILE.rq, --items"),
        (["run", "--dump", "a", "--items", "Q1"], {}, "one of --dump"),
        (["run", "--dump", "missing.json", "--pages", str(PAGES)], {}, "missing.json can't be read: No such file"),
        (["run", "--dump", "text.json", "--pages", str(PAGES)], {}, "text.json isn't a Wikidata JSON dump"),
        (["run", "--dump", "empty.json", "--pages", str(PAGES)], {}, "empty.json isn't a Wikidata JSON dump"),
        (["run", "--dump", ".", "--pages", str(PAGES)], {}, "can't be read"),
        (["run", "--dump", str(SAMPLE), "--pages", "missing.warc"], {}, "missing.warc can't be read: No such file"),
        (["run", "--dump", str(SAMPLE), "--pages", "text.json"], {}, "text.json isn't a WARC file"),
        (["run", "--dump", str(SAMPLE), "--pages", str(PAGES), "--limit", "0"], {}, "--limit"),
        (["run", "--dump", str(SAMPLE)], {}, "needs an operator's contact: set `contact` in config.yaml"),
        (["run", "--items", "Q42"], {}, "contact"),
        (["run", "--items", "Douglas"], {"CITEWELL_CONTACT": "me@example.org"}, "--items: 'DOUGLAS' isn't the id"),
        (
            ["run", "--items", "Q42"],
            {"CITEWELL_CONTACT": "me@example.org", "CITEWELL_SOURCE_API": "wikidata"},
            "source.api must be",
        ),
        (["run", "--sparql", "missing.rq"], {"CITEWELL_CONTACT": "me@example.org"}, "missing.rq can't be read"),
        (["run", "--sparql", "bad.rq"], {"CITEWELL_CONTACT": "me@example.org"}, "bad.rq isn't a SPARQL SELECT query"),
        (["run", "--sparql", "good.rq"], {"CITEWELL_CONTACT": "{me}"}, "`contact` can't stand in a User-Agent"),
        (["run", "--what"], {}, "--what"),
        (["walk"], {}, "walk"),
        ([*REPLAY], {"CITEWELL_CONFIG": "config.yaml"}, "speed"),
        ([*REPLAY], {"CITEWELL_CONFIG": "none.yaml"}, "none.yaml"),
        (["status"], {"CITEWELL_CONFIG": "config.yaml"}, "speed"),
        (["status"], {"CITEWELL_DATABASE_URL": "postgresql://nobody:secret@127.0.0.1:9/x"}, "127.0.0.1"),
        (["work"], {"CITEWELL_DATABASE_URL": "mysql://x"}, "mysql"),
        ([*REPLAY], {"CITEWELL_JUDGE_DEVICE": "tpu"}, "judge_device"),
    ],
)
def test_bad_input_is_one_line(
    say: Any, tmp_path: Path, arguments: list[str], environment: dict[str, str], said: str
) -> None:
    _files(tmp_path)
    code, out, err = say(*arguments, **environment)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1, err
    assert said.lower() in err.lower()
    assert "secret" not in err


def test_an_endpoint_that_is_not_there_is_one_line(say: Any, tmp_path: Path, free_port: int) -> None:
    _files(tmp_path)
    where = f"http://127.0.0.1:{free_port}/sparql"
    code, _, err = say(
        "run", "--sparql", "good.rq", CITEWELL_CONTACT="me@example.org", CITEWELL_SOURCE_SPARQL_ENDPOINT=where
    )
    assert (code, err.count("\n")) == (1, 1)
    assert f"127.0.0.1:{free_port} can't be reached" in err


def test_help_names_every_command(say: Any) -> None:
    code, out, _ = say("--help")
    assert code == 0
    assert all(command in out for command in ("run", "work", "status"))


def test_every_reason_to_skip_has_words() -> None:
    assert len({reason.label for reason in Skipped}) == len(Skipped)


def test_a_dead_worker_is_told_from_a_living_one() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    name = worker_name(child.pid)
    assert dead_workers([name, worker_name()]) == ()
    child.kill()
    child.wait()
    ours = worker_name()
    reborn = ours.rsplit(":", 1)[0] + ":1.00"  # the same number, given to a later process
    assert dead_workers([name, ours, reborn, "elsewhere/1:1:1.00", "", "x"]) == (name, reborn)
    assert child.stdin
    child.stdin.close()


# Runs as processes of their own.


class Bot:
    """Starts the bot on a test's database."""

    def __init__(self, url: str, var: Path, **environment: str) -> None:
        self._environment = {**os.environ, "CITEWELL_DATABASE_URL": url, "CITEWELL_VAR": str(var), **environment}

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "bot", *arguments],
            cwd=ROOT,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Exit code, stdout and stderr of a whole run."""
        with self.start(*arguments) as process:
            out, err = process.communicate(timeout=240)
        return process.returncode, out, err


@pytest.fixture
def bot(database_url: str, tmp_path: Path) -> Bot:
    return Bot(database_url, tmp_path / "var")


def wait_until(process: subprocess.Popen[str], reached: Callable[[], bool]) -> None:
    """Wait until the process has come so far."""
    while not reached():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def number(engine: Engine, where: str) -> int:
    with engine.connect() as connection:
        return int(connection.execute(text(f"SELECT count(*) FROM {where}")).scalar_one())


def verdicts(engine: Engine) -> dict[int, tuple[int, object]]:
    """The current verdict of each pair, and when it was made."""
    with Session(engine) as session:
        rows = session.execute(
            select(schema.Verdict.pair_id, schema.Verdict.id, schema.Verdict.judged_at).where(schema.Verdict.current)
        )
        return {pair: (verdict, at) for pair, verdict, at in rows}


def check_all_judged_once(engine: Engine, before: dict[int, tuple[int, object]]) -> None:
    """Each pair has one current verdict and no other; what was judged before was not judged again."""
    after = verdicts(engine)
    assert len(after) == number(engine, "pair") == number(engine, "verdict") > len(before)
    assert number(engine, "pair WHERE state IN ('judged', 'not_judged')") == len(after)
    assert {pair: after[pair] for pair in before} == before
    assert number(engine, "pair WHERE leased_by IS NOT NULL") == 0
    documents = "(SELECT url, count(*) FROM document GROUP BY url HAVING count(*) > 1) AS twice"
    assert number(engine, documents) == 0


@pytest.mark.parametrize("moment", ["pair WHERE state = 'leased'", "verdict"])
def test_a_run_that_is_killed_goes_on_where_it_was(bot: Bot, engine: Engine, moment: str) -> None:
    process = bot.start(*SHORT)
    wait_until(process, lambda: number(engine, moment) > 0)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = verdicts(engine)
    assert number(engine, "pair WHERE state = 'leased'") > 0
    assert len(before) < number(engine, "pair")

    code, out, err = bot.run(*SHORT)
    assert code == 0, err
    assert "Judged: " in out
    check_all_judged_once(engine, before)
    with Session(engine) as session:
        first, second = session.scalars(select(schema.Run).order_by(schema.Run.id))
        assert (first.state, second.state) == ("failed", "finished")
        assert "killed" in (first.error or "")


def test_a_run_that_is_asked_to_stop_gives_back_and_goes_on_later(bot: Bot, engine: Engine) -> None:
    process = bot.start(*SHORT)
    wait_until(process, lambda: number(engine, "verdict") > 0)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM, err
    assert "Stopped as asked." in out
    assert number(engine, "pair WHERE state = 'leased'") == 0
    assert number(engine, "pair WHERE state = 'waiting'") > 0
    assert number(engine, "run WHERE state = 'stopped'") == 1
    before = verdicts(engine)
    code, _, err = bot.run("work")
    assert code == 0, err
    check_all_judged_once(engine, before)


def test_status_says_how_things_stand(say: Any, database_url: str, engine: Engine) -> None:
    code, out, _ = say("status", CITEWELL_DATABASE_URL=database_url)
    assert (code, out.splitlines()[-1]) == (0, "No run yet.")
    with Session(engine) as session, session.begin():
        run_id = start_run(session, "dump x.json", "m1").id
        source = DumpSource(SAMPLE, ("en",), pytest.fail)
        referenced = [entity for entity in source.entities() if not isinstance(entity, EntityHead)]
        pairs = [pair for entity in referenced for pair in select_pairs(entity, {}).pairs][:3]
        put_pairs(session, run_id, pairs, "m1")
        lease(session, "x", 1, 60, run_id)
        save_place(session, run_id, None, {"pairs": 3, "judged": 0}, {})
        end_run(session, run_id, "failed", "the disk is full")
    code, out, _ = say("status", CITEWELL_DATABASE_URL=database_url)
    assert "2 waiting, 1 leased, 0 judged" in out
    assert "Run 1, dump x.json: failed (the disk is full)" in out
    assert "3 pairs" in out


def test_items_and_queries_are_walked_through_the_api(database_url: str, engine: Engine, tmp_path: Path) -> None:
    """Both sources, from a server that speaks Wikidata's protocol; pages are replayed."""
    entities = sample_entities()
    adams, curie = "Q42", "Q7186"
    birth = entities[curie]["claims"]["P569"][0]["id"]
    uri = f"http://www.wikidata.org/entity/statement/{birth.replace('$', '-')}"
    (tmp_path / "births.rq").write_text("SELECT ?item ?statement WHERE { ?item p:P569 ?statement }")
    with local_web({}) as web:
        web.routes["/w/api.php"] = api(web, entities, {"Q999000": adams}, [])
        web.routes["/sparql"] = sparql(web, lambda _: results(bindings(["item", "statement"], {"statement": uri})))
        bot = Bot(
            database_url,
            tmp_path / "var",
            CITEWELL_CONTACT="tests@example.org",
            CITEWELL_SOURCE_API=f"{web.url}/w/api.php",
            CITEWELL_SOURCE_SPARQL_ENDPOINT=f"{web.url}/sparql",
        )
        code, _, err = bot.run("run", "--items", "Q999000", "--pages", str(PAGES))
        assert code == 0, err
        assert f"Q999000 redirects to {adams}" in err
        assert number(engine, "verdict WHERE stance IS NOT NULL") > 3
        assert number(engine, f"statement WHERE item_id <> '{adams}'") == 0
        code, out, err = bot.run("run", "--sparql", str(tmp_path / "births.rq"), "--pages", str(PAGES))
        assert code == 0, err
        assert number(engine, f"statement WHERE item_id = '{curie}' AND property_id = 'P569'") == 1
        assert number(engine, f"statement WHERE item_id = '{curie}'") == 1
        assert "the query named another statement of the item" in out
    written = {path.name for folder in (ROOT, tmp_path) for path in folder.iterdir()}
    assert not written & {"throttle.ctrl", "apicache", "logs", "user-config.py"}
    assert (tmp_path / "var" / "pywikibot" / "throttle.ctrl").exists()
