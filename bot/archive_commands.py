"""`python -m bot archive …`, `backup` and `restore`: what an operator does with what is kept."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from bot.problem import InputProblem, RunFailed
from bot.progress import progress
from bot.select import usable_url
from bot.sources.items import parse_items
from config import Config, load_config
from store import backup as backups
from store import check as checks
from store import retention
from store.archive_job import ArchiveBusy
from store.database import migrate, open_database
from store.dump import DumpFailed
from store.record import ArchiveError
from store.restore import restore
from store.taken_out import Kind, TakenOut, list_taken_out
from store.taking_out import Out, Request, let_in, take_out

_SHOWN = 20  # of a list


@click.group("archive")
def archive() -> None:
    """Look after the pages that are kept."""


@archive.command("check")
@click.option("--repair", is_flag=True, help="Cut away the half record that a killed writer left at a file's end.")
def check_command(repair: bool) -> None:
    """Read every file of the archive and say what is damaged; exit code 1 where something is."""
    with _open() as (_, engine, folder):
        with progress("Reading", checks.archive_size(folder)) as more:
            found = checks.check(engine, folder, repair=repair, progress=more)
        with Session(engine) as session:
            broken_off = [one for one in list_taken_out(session) if one.done_at is None and one.allowed_at is None]
    click.echo(f"{_some(found.records, 'record')} in {_some(found.files, 'file')} can be read.")
    for line in (*found.mended, *found.damaged, *found.lost):
        click.echo(line)
    for one in broken_off:
        click.echo(f"taking out {one.target} was broken off: do it again")
    if not found.sound or broken_off:
        raise SystemExit(1)


@archive.command("retain")
@click.option("--days", type=click.IntRange(1, 100_000), metavar="N", help="In place of archive.retain_days.")
@click.option("--newest", type=click.IntRange(min=1), metavar="N", help="In place of archive.newest.")
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
def retain_command(days: int | None, newest: int | None, dry_run: bool) -> None:
    """Let go of old bodies that no current verdict, no person's decision and no address's newest body needs."""
    with _open() as (config, engine, folder):
        rule = retention.Rule(days or config.archive.retain_days, newest or config.archive.newest)
        if not rule.days:
            raise InputProblem("Pages are kept for ever: set archive.retain_days in config.yaml, or say --days N.")
        with progress("Looking through", checks.archive_size(folder)) as more:
            done = retention.retain(engine, folder, rule, dry_run=dry_run, progress=more)
    would = "would be " if dry_run else ""
    click.echo(
        f"{_some(done.documents, 'body', 'bodies')} older than {_some(rule.days, 'day')} {would}let go; "
        f"{_some(done.records, 'record')} {would}left out of {_some(done.files, 'file')}, "
        f"{done.freed / 1e6:.1f} MB {would}freed."
    )
    for line in done.damaged:
        click.echo(f"left out because it can't be read: {line}")


@archive.command("take-out")
@click.option("--url", metavar="URL", help="The page to take out, with all that leads to it and all copies of it.")
@click.option("--item", metavar="Q42", help="The item to take out, with the pages that only it cites.")
@click.option("--reason", default="", metavar="TEXT", help="Why: it is kept with who and when.")
@click.option("--by", "person", default="", metavar="NAME", help="Who does it; your login name unless given.")
@click.option("--dry-run", is_flag=True, help="Only say what would be taken out.")
@click.option("--allow", is_flag=True, help="Let it come in again.")
@click.option("--list", "listed", is_flag=True, help="List what was taken out.")
def take_out_command(
    url: str | None, item: str | None, reason: str, person: str, dry_run: bool, allow: bool, listed: bool
) -> None:
    """Take a page, or an item, out of the archive and the database everywhere, and keep it out."""
    if listed:
        with _open() as (_, engine, _), Session(engine) as session:
            for line in list(map(_told, list_taken_out(session))) or ["Nothing was taken out."]:
                click.echo(line)
        return
    kind, target = _target(url, item)
    if not (reason.strip() or allow or dry_run):
        raise InputProblem("Say why with --reason TEXT: it can't be undone, and is kept with who and when.")
    by = person.strip() or _login()
    with _open() as (_, engine, folder):
        if allow:
            if not let_in(engine, kind, target, by):
                raise InputProblem(f"{target} isn't taken out. --list says what is.")
            click.echo(f"{target} may come in again.")
            return
        with progress("Looking through", checks.archive_size(folder)) as more:
            out = take_out(engine, folder, Request(kind, target, by, reason, dry_run), more)
    for line in _said(out, dry_run):
        click.echo(line)


@click.command("backup")
@click.argument("target", metavar="FOLDER_OR_FILE.tar")
def backup_command(target: str) -> None:
    """Back up database and archive together, while others work; into a folder that has a backup, only what is new."""
    with _open() as (_, engine, folder), progress("Copying", backups.backup_size(folder)) as more:
        done = backups.backup(engine, folder, Path(target), more)
    click.echo(
        f"{target} has {_some(done.files, 'file')}, {done.bytes / 1e6:.1f} MB, "
        f"of which {done.copied / 1e6:.1f} MB were copied now."
    )


@click.command("restore")
@click.argument("source", metavar="FOLDER_OR_FILE.tar")
@click.option("--replace", is_flag=True, help="Lose the database that is there, and put the archive's files aside.")
def restore_command(source: str, replace: bool) -> None:
    """Restore a backup to an empty database and an empty archive. Stop everything else of Citewell before."""
    config = load_config()
    folder = config.var / "archive"
    with _told_plainly(), open_database(config.database.url, config.var) as engine:
        done = restore(engine, folder, Path(source), replace=replace)
    click.echo(f"Restored {_some(done.files, 'file')} of the backup of {done.made_at[:19].replace('T', ' ')} (UTC).")
    if done.aside is not None:
        click.echo(f"The former pages are in {done.aside}: delete them when you don't need them.")
    for target in done.taken_out:
        click.echo(f"{target} had been taken out since, and was taken out again.")


def add_to(group: click.Group, told: Callable[[Callable[..., None]], Callable[..., None]]) -> None:
    """Add the commands to a group; `told` is put around each."""
    for command in (check_command, retain_command, take_out_command, backup_command, restore_command):
        plain: Any = command.callback
        command.callback = told(plain)
    for command in (archive, backup_command, restore_command):
        group.add_command(command)


@contextmanager
def _open() -> Iterator[tuple[Config, Engine, Path]]:
    """The settings, the database, and the archive's folder."""
    config = load_config()
    with _told_plainly(), open_database(config.database.url, config.var) as engine:
        migrate(engine)
        yield config, engine, config.var / "archive"


@contextmanager
def _told_plainly() -> Iterator[None]:
    try:
        yield
    except backups.BackupError as error:
        raise InputProblem(f"{error}.") from error
    except (ArchiveBusy, ArchiveError, DumpFailed) as error:
        raise RunFailed(f"{error}.") from error
    except OSError as error:
        raise RunFailed(f"{error.filename or 'the archive'}: {error.strerror}.") from error


def _target(url: str | None, item: str | None) -> tuple[Kind, str]:
    if (url is None) == (item is None):
        raise InputProblem("Say what to take out: one of --url URL, --item Q42; or --list what is out.")
    if url is not None:
        usable = usable_url(url)
        if usable is None:
            raise InputProblem(f"{url!r} isn't an address of the web. Write it as in the reference, with https://.")
        return "url", usable
    ids = parse_items(item or "", "--item")
    if len(ids) != 1:
        raise InputProblem("--item takes one item. Say it again for each.")
    return "item", ids[0]


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        raise InputProblem("This user has no name here: say who you are with --by NAME.") from None


def _said(out: Out, dry_run: bool) -> Iterator[str]:
    would = "would be" if dry_run else "were"
    yield (
        f"{_some(out.records, 'record')} of the archive, {_some(out.documents, 'document')} and "
        f"{_some(out.passages, 'passage')} {would} taken out, which concerns {_some(out.pairs, 'pair')}."
    )
    groups = (
        ("stays out", out.addresses),
        ("has the same text and was left: take it out too if it should go", out.beside),
        ("is cited by other items too and was left", out.shared),
        ("couldn't be looked through", out.damaged),
    )
    for words, members in groups:
        yield from (f"{member}: {words}" for member in members[:_SHOWN])
        if len(members) > _SHOWN:
            yield f"and {len(members) - _SHOWN} more: {words}"
    if not dry_run:
        yield "Backups that were made before still have it: make a new one, and delete those."


def _told(one: TakenOut) -> str:
    line = f"{one.at:%Y-%m-%d} {one.by}: {one.target}{f' ({one.reason})' if one.reason else ''}"
    if one.done_at is None:
        line += "; broken off, do it again"
    return line + (f"; allowed again {one.allowed_at:%Y-%m-%d} by {one.allowed_by}" if one.allowed_at else "")


def _some(number: int, what: str, many: str = "") -> str:
    return f"{number} {what if number == 1 else many or what + 's'}"
