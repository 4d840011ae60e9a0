"""`python -m bot wordings …`: all wordings of properties as a YAML file, out and in, e.g. for a page of a wiki."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from bot.problem import InputProblem, RunFailed
from config import load_config
from models.verbalise import Override
from models.verbalise.labels import one_line
from store import schema
from store.database import migrate, open_database
from store.overrides import MOST_WHY, OverrideRefused
from store.wording_file import MOST_BYTES, NotAWordingFile, WordingFile, read
from store.wording_import import Change, Done, Plan, carry_out, export, plan

_SIGNS = {"added": "+", "changed": "~", "removed": "-"}
_BY_HAND = "Nothing is saved yet. The same command with --yes saves it."


@click.group("wordings")
def wordings() -> None:
    """Take out and bring in how editors word properties, as a YAML file."""


@wordings.command("export")
@click.argument("target", metavar="FILE")
@click.option("--property", "property_id", metavar="P569", help="Only those of this property.")
def export_command(target: str, property_id: str | None) -> None:
    """Write every wording in force into a file, or to standard output (-)."""
    with _open() as engine, Session(engine) as session:
        if property_id is not None and session.get(schema.Property, property_id) is None:
            raise InputProblem(f"--property: {property_id!r} isn't a property that any statement here uses.")
        text = export(session, property_id)
    if target == "-":
        click.echo(text, nl=False)
        return
    try:
        Path(target).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputProblem(f"{target} can't be written: {error.strerror}.") from error
    click.echo(f"Wrote {target}.", err=True)


@wordings.command("import")
@click.argument("source", metavar="FILE")
@click.option("--yes", is_flag=True, help="Save what it would change, without asking.")
@click.option("--by", "person", default="", metavar="NAME", help="Who does it; your login name unless given.")
@click.option("--why", default="", metavar="TEXT", help="Why: the history of each property shows it.")
@click.option(
    "--all-properties", is_flag=True, help="The file stands for all: properties that it doesn't name lose theirs."
)
def import_command(source: str, yes: bool, person: str, why: str, all_properties: bool) -> None:
    """Say what a file (-: standard input) would change; with --yes, or on a terminal when you say so, save it.

    Exit code 1 where some of it can't be used.
    """
    file = _read(source)
    asks = not yes and source != "-" and sys.stdin.isatty()
    if why or yes:
        why = _reason(why)
    author = person.strip() or (_login() if yes or asks else "")
    with _open() as engine:
        with Session(engine) as session:
            seen = plan(session, file, all_properties=all_properties)
        for line in _told(seen):
            click.echo(line)
        if seen.changes and (yes or (asks and click.confirm("Save these changes?", err=True))):
            reason = why or _reason(click.prompt("Why", err=True))
            done = _carry_out(engine, file, seen, author, reason, all_properties=all_properties)
            click.echo(f"Changed {_some(len(done.changes), 'wording')}; {_some(done.queued, 'pair')} to judge again.")
        elif seen.changes:
            click.echo(_BY_HAND)
    if seen.refused:
        raise RunFailed(f"{_some(len(seen.refused), 'place')} of the file can't be used: see above.")


def add_to(group: click.Group, told: Callable[[Callable[..., None]], Callable[..., None]]) -> None:
    """Add the commands to a group; `told` is put around each."""
    for command in (export_command, import_command):
        plain: Any = command.callback
        command.callback = told(plain)
    group.add_command(wordings)


@contextmanager
def _open() -> Iterator[Engine]:
    config = load_config()
    with open_database(config.database.url, config.var) as engine:
        migrate(engine)
        yield engine


def _read(source: str) -> WordingFile:
    """What the file says. Raises `InputProblem`."""
    try:
        if source == "-":
            body = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(source).open("rb") as file:
                body = file.read(MOST_BYTES + 1)
        return read(body.decode())
    except OSError as error:
        raise InputProblem(f"{source} can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InputProblem(f"{source} isn't text in UTF-8.") from error
    except NotAWordingFile as error:
        raise InputProblem(f"{source} isn't a file of wordings. {error.complaint}") from error


def _reason(why: str) -> str:
    reason = one_line(why)
    if not reason:
        raise InputProblem("Say why with --why TEXT: the history of each property shows it.")
    if len(reason) > MOST_WHY:
        raise InputProblem(f"--why has at most {MOST_WHY} characters.")
    return reason


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        raise InputProblem("This user has no name here: say who you are with --by NAME.") from None


def _carry_out(engine: Engine, file: WordingFile, seen: Plan, author: str, why: str, *, all_properties: bool) -> Done:
    """Save what was seen, all or nothing. Raises `RunFailed` where something else has changed since it was shown."""
    with Session(engine) as session, session.begin():
        now = plan(session, file, all_properties=all_properties)
        if now.digest != seen.digest:
            raise RunFailed("Something has changed since this was shown. Nothing is saved: look again.")
        try:
            return carry_out(session, now, author, why)
        except OverrideRefused as error:
            raise RunFailed(f"Nothing is saved: {error.complaint}.") from error


def _told(seen: Plan) -> Iterator[str]:
    """The plan, a line for each change, then what stays and what is refused."""
    yield from map(_line, seen.changes)
    if not seen.changes:
        yield "Nothing to change."
    if seen.same:
        yield f"{_some(seen.same, 'wording')} as before."
    for mistake in seen.refused:
        whose = f"{mistake.property_id}: " if mistake.property_id else ""
        yield f"can't be used, line {mistake.line}: {whose}{mistake.complaint}"


def _line(change: Change) -> str:
    whom = f" of {change.subject_class}" if change.subject_class else ""
    words = [_words(override) for override in (change.before, change.after) if override]
    return f"{_SIGNS[change.kind]} {change.property_id}{whom}: {' -> '.join(words)}"


def _words(override: Override) -> str:
    return f"{override.wording} “{one_line(override.text)}”"


def _some(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
