"""`python -m bot`: walk statements and judge their references, judge what waits, or say how things stand.

Exit codes: 0 done, 1 the run failed, 2 what was given can't be used, 128 + n a walk stopped by signal n.
"""

from __future__ import annotations

import math
import os
import sys
import traceback
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click
from sqlalchemy.exc import SQLAlchemyError

from bot import archive_commands, log, status, wording_commands
from bot.agent import VERSION, user_agent
from bot.fetch.replay import Replay
from bot.healthy import unhealthy
from bot.patience import DatabaseAway, Patience
from bot.problem import InputProblem, RunFailed
from bot.progress import progress
from bot.sources import Source
from bot.sources.dump import DumpSource
from bot.sources.items import parse_items
from bot.sources.sparql import SparqlEndpoint, read_query
from bot.stop import Stop
from bot.walk import Walk
from config import Config, ConfigError, load_config
from store.benefit import set_weights
from store.database import DatabaseUnavailable, migrate, open_database
from store.reports.refresh import refresh

if TYPE_CHECKING:
    from bot.run import OpenLive
    from bot.sources.api import WikibaseApi


def _live() -> OpenLive | None:
    """What opens the web, where whoever started the command line gave another than the configuration's."""
    live: OpenLive | None = click.get_current_context().obj
    return live


def _report(line: str) -> None:
    click.echo(line, err=True)


def _end(message: str, code: int) -> NoReturn:
    _report(f"citewell: {' '.join(message.split())}")
    raise SystemExit(code)


def told_in_a_line(command: Callable[..., None]) -> Callable[..., None]:
    """End a command that can't go on with one line on stderr that says why, and never with a stack trace."""

    @wraps(command)
    def told(**given: Any) -> None:
        try:
            command(**given)
        except (InputProblem, RunFailed) as error:
            _end(str(error), error.exit_code)
        except (ConfigError, DatabaseUnavailable) as error:
            _end(str(error), 2)
        except SQLAlchemyError as error:
            cause = str(getattr(error, "orig", None) or error).strip().split("\n", 1)[0]
            _end(f"The database failed: {cause}. Nothing that was saved is lost; run again.", 1)
        except (KeyboardInterrupt, click.Abort):
            _end("Stopped at once.", 130)
        except BrokenPipeError:  # whoever read has had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise SystemExit(0) from None
        except Exception as error:
            if os.environ.get("PYTHONDEVMODE"):
                traceback.print_exc()
            _end(f"Unexpected: {type(error).__name__}: {error}. PYTHONDEVMODE=1 shows where; please report it.", 1)

    return told


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="citewell")
def main() -> None:
    """Does the cited page support the statement? Walks references of Wikidata and judges them."""


@main.command("run")
@click.option("--dump", metavar="FILE", help="Walk a Wikidata JSON dump (.json, .json.gz or .json.bz2).")
@click.option("--sparql", metavar="FILE.rq", help="Walk what a query names as ?item or ?statement.")
@click.option("--items", metavar="Q42,Q1", help="Walk these items, through the API.")
@click.option("--pages", metavar="WARC", help="Replay pages from this WARC file: nothing is fetched.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="End the walk after N pairs.")
@told_in_a_line
def run_command(dump: str | None, sparql: str | None, items: str | None, pages: str | None, limit: int | None) -> None:
    """Walk statements and judge what is new or has changed."""
    if sum(given is not None for given in (dump, sparql, items)) != 1:
        raise InputProblem("Say what to walk: one of --dump FILE, --sparql FILE.rq, --items Q42,Q1.")
    config = load_config()
    replay = Replay(Path(pages), config.fetch.max_bytes, _report) if pages is not None else None
    source = _source(config, dump, sparql, items)
    if pages is None:
        user_agent(config.contact)
    from bot import run  # noqa: PLC0415 - loads the models, which takes seconds: not before the input is known to be good

    walk_stop = Stop()
    with walk_stop as stop, run.workbench(config, sys.stderr.isatty(), _live() or run.live) as bench:
        walk = Walk(config.select.skip_properties, limit, lambda: stop.asked, keep_addresses=replay is not None)
        for line in run.run(bench, source, replay, walk, stop):
            click.echo(line)
    if walk_stop.signal is not None:
        click.echo("Stopped as asked. Running again goes on from here.")
        raise SystemExit(128 + walk_stop.signal)


def _source(config: Config, dump: str | None, sparql: str | None, items: str | None) -> Source:
    languages = config.source.languages
    if dump is not None:
        source = DumpSource(Path(dump), languages, _report, progress)
        source.check()
        return source
    from bot.sources.api import ApiSource  # noqa: PLC0415 - pywikibot is imported only where it is used

    if items is not None:
        ids = parse_items(items)
        name = f"items {', '.join(ids[:5])}{'…' if len(ids) > 5 else ''}"
        return ApiSource(_api(config), name, ids, languages, _report, meter=progress)
    path = Path(sparql or "")
    query, agent = read_query(path), user_agent(config.contact)
    named = SparqlEndpoint(config.source.sparql_endpoint, agent, _report).named(query)
    return ApiSource(_api(config), f"query {path}", named.ids, languages, _report, wanted=named.guids, meter=progress)


def _api(config: Config) -> WikibaseApi:
    from bot.sources.api import WikibaseApi  # noqa: PLC0415 - pywikibot is imported only where it is used

    return WikibaseApi(config.source.api, user_agent(config.contact), config.var / "pywikibot", _report)


@main.command("work")
@click.option("--watch", is_flag=True, help="Go on until stopped, judging whatever comes to wait.")
@told_in_a_line
def work_command(watch: bool) -> None:
    """Judge what waits: what editors changed in the dashboard, and what is due for another try."""
    config = load_config()
    from bot import run  # noqa: PLC0415 - loads the models, which takes seconds

    with Stop() as stop, run.workbench(config, sys.stderr.isatty(), _live() or run.live) as bench:
        for line in run.work(bench, stop, watch):
            click.echo(line)


@main.command("trials")
@told_in_a_line
def trials_command() -> None:
    """Try the wordings that people wait for, by the pages that are kept, and nothing else."""
    config = load_config()
    from bot import run  # noqa: PLC0415 - loads the models, which takes seconds

    with Stop() as stop, run.workbench(config, sys.stderr.isatty(), _live() or run.live) as bench:
        for line in run.trials(bench, stop):
            click.echo(line)


@main.command("status")
@click.option("--watch", is_flag=True, help="Go on until stopped: redrawn on a terminal, else a line each time.")
@click.option(
    "--every", type=click.FloatRange(min=0.1), default=2.0, metavar="S", help="Seconds between, with --watch."
)
@click.option("--json", "machine", is_flag=True, help="One JSON object a line.")
@told_in_a_line
def status_command(watch: bool, every: float, machine: bool) -> None:
    """Say how things stand: the queue, rates, failures, hosts, workers and runs."""
    config = load_config()
    if not math.isfinite(every):
        raise InputProblem(f"--every {every}: say a number of seconds.")
    log.configure(None, quiet=False)

    def show(now: status.Status) -> None:
        if machine or (watch and not sys.stdout.isatty()):
            click.echo(status.as_json(now) if machine else status.short(now))
            return
        if watch:
            click.clear()
        for line in status.lines(now):
            click.echo(line)

    with Stop() as stop, open_database(config.database.url, config.var) as engine:
        migrate(engine)
        if not watch:
            show(status.status(engine))
        else:
            patience = Patience(config.run.database_patience_s, stop.wait, lambda: stop.asked)
            try:
                status.follow(lambda: patience.keep(lambda: status.status(engine)), show, stop, every)
            except DatabaseAway:
                if not stop.asked:
                    raise


@main.command("refresh")
@told_in_a_line
def refresh_command() -> None:
    """Count the figures of the dashboard's pages anew. Workers do so by themselves, every few minutes.

    What weighs otherwise now (queue.weights in config.yaml) is put in its place in the list.
    """
    config = load_config()
    with open_database(config.database.url, config.var) as engine:
        migrate(engine)
        set_weights(engine, config.queue.weights)
        counted = refresh(engine)
    click.echo(f"Counted in {counted.seconds:.1f} s.")


@main.command("healthy")
@told_in_a_line
def healthy_command() -> None:
    """Whether the worker makes progress, by its health file: exit code 0, or 1 and a line that says why not."""
    if reason := unhealthy(load_config()):
        raise RunFailed(reason)
    click.echo("Healthy.")


archive_commands.add_to(main, told_in_a_line)
wording_commands.add_to(main, told_in_a_line)


def entry(live: OpenLive | None = None) -> None:
    """Run the command line; what click itself refuses is told in one line too. `live` opens another web (a test's)."""
    try:
        main(prog_name="python -m bot", standalone_mode=False, obj=live)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        raise SystemExit(2) from None
    except click.ClickException as error:
        _end(f"{error.format_message()} See python -m bot --help.", 2)
    except click.Abort:
        _end("Stopped at once.", 130)


if __name__ == "__main__":
    entry()
