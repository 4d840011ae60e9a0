"""Taking a page, or an item with what is kept of it, out of everything: the database and the archive's files.

First it is recorded, so that nobody brings it in again; then the database lets go of its passages and places; then
its records are overwritten where they stand. Killed at any moment, doing it again goes on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from store.address_key import address_keys
from store.archive import files, is_written
from store.archive_job import archive_job
from store.known_addresses import known_addresses, leading_to, naming
from store.members import Member, members
from store.record import Head, cut_member
from store.taken_out import (
    DETAIL,
    Kind,
    add_addresses,
    allow,
    is_taken_out,
    put_taken_out,
    set_done,
    wait_for_keepers,
)

_ROUNDS = 5  # of looking for addresses that lead to addresses that lead to the page


@dataclass(slots=True)
class Out:
    """What was taken out, or would be: addresses that stay out, documents, records of the archive, passages, pairs that
    are judged without it now. `beside`: addresses that have the same body and were left; `shared`: pages that other
    items cite too and were left; `damaged`: stretches of files that couldn't be looked through, in words.
    """

    addresses: list[str] = field(default_factory=list)
    documents: int = 0
    records: int = 0
    passages: int = 0
    pairs: int = 0
    beside: list[str] = field(default_factory=list)
    shared: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Request:
    """Who wants what taken out, and why. `dry_run`: only say what that would be."""

    kind: Kind
    target: str
    by: str
    reason: str = ""
    dry_run: bool = False


def take_out(engine: Engine, folder: Path, request: Request, progress: Callable[[int], None] = lambda _: None) -> Out:
    """Take out what `request` names, everywhere; `progress` is told how many bytes of files were looked through.

    Raises `store.archive_job.ArchiveBusy`, `store.record.ArchiveError` and `OSError` where a file can't be changed.
    """
    with archive_job(engine):
        return (
            _page(engine, folder, request, progress)
            if request.kind == "url"
            else _item(engine, folder, request, progress)
        )


def let_in(engine: Engine, kind: Kind, target: str, by: str) -> bool:
    """Let something in again; False where it wasn't out. A page's pairs are judged anew, an item's once walked."""
    with Session(engine) as session, session.begin():
        if allow(session, kind, target, by) is None:
            return False
        if kind == "url":  # with it all that led to it
            refused = set(session.scalars(text(_REFUSED), {"detail": DETAIL}))
            _queue(session, refused - is_taken_out(session, refused), [])
    return True


def _page(engine: Engine, folder: Path, request: Request, progress: Callable[[int], None]) -> Out:
    out = Out(addresses=[request.target])
    keys = set(address_keys(request.target))
    with Session(engine) as session:
        taken = put_taken_out(session, "url", request.target, request.by, request.reason)
        _commit(session, request)
        for _ in range(_ROUNDS):
            _wait(session, request)
            more = leading_to(session, frozenset(keys)) - set(out.addresses)
            new = {url for url in more if not address_keys(url) <= keys}
            out.addresses += sorted(more)
            keys |= {key for url in new for key in address_keys(url)}
            add_addresses(session, taken.id, new)
            _commit(session, request)
            if not new:
                break
        urls = {url for url in known_addresses(session, frozenset(keys)) if address_keys(url) & keys}
        documents = _documents_of(session, urls)
        out.beside = _beside(session, documents)
        _forget(session, out, documents, urls)
        out.pairs = _queue(session, urls, documents)
        _commit(session, request)
    _cut(engine, folder, request, out, lambda head: any(address_keys(url) & keys for url in head.addresses), progress)
    _end(engine, request, taken.id)
    return out


def _item(engine: Engine, folder: Path, request: Request, progress: Callable[[int], None]) -> Out:
    out = Out()
    given = {"item": request.target}
    with Session(engine) as session:
        taken = put_taken_out(session, "item", request.target, request.by, request.reason)
        _commit(session, request)
        _wait(session, request)
        cited = frozenset(key for url in session.scalars(text(_CITED), given) for key in address_keys(url))
        others = session.scalars(text(_CITED_BY_OTHERS), given | {"patterns": naming(cited)})
        shared = {url: keys for url in others if (keys := address_keys(url) & cited)}
        out.shared = sorted(shared)
        keys = cited.difference(*shared.values())
        urls = {url for url in known_addresses(session, keys) if address_keys(url) & keys}
        documents = _documents_of(session, urls)
        _forget(session, out, documents, urls)
        out.passages += len(session.execute(text(_ITEM_EVIDENCE), given).all())
        session.execute(text(_ITEM_VERDICTS), given)
        session.execute(text(_ITEM_TRIALS), given)
        out.pairs = len(session.execute(text(_ITEM_PAIRS), given).all())
        _commit(session, request)
    _cut(engine, folder, request, out, lambda head: any(address_keys(url) & keys for url in head.addresses), progress)
    if not request.dry_run:
        with Session(engine) as session, session.begin():  # last: doing it again needs to know what was cited
            for statement in (_ITEM_ADDRESSES, _ITEM_STATEMENTS, _ITEM_WORDS):
                session.execute(text(statement), given)
    _end(engine, request, taken.id)
    return out


def _commit(session: Session, request: Request) -> None:
    """End a step; where it is only to be said what would be done, all steps are one transaction that is undone."""
    if not request.dry_run:
        session.commit()


def _wait(session: Session, request: Request) -> None:
    if not request.dry_run:
        wait_for_keepers(session)
        session.commit()


def _end(engine: Engine, request: Request, taken_out_id: int) -> None:
    if request.dry_run:
        return
    with Session(engine) as session, session.begin():
        set_done(session, taken_out_id)
    # What was deleted stands in the tables' files until they are vacuumed.
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM trial_pair, evidence, verdict, try, pair, statement, item"))


def _documents_of(session: Session, urls: Collection[str]) -> list[int]:
    return list(session.scalars(text(_DOCUMENTS), {"urls": list(urls)}))


def _beside(session: Session, documents: list[int]) -> list[str]:
    return sorted(session.scalars(text(_BESIDE), {"documents": documents}))


def _forget(session: Session, out: Out, documents: list[int], urls: Collection[str]) -> None:
    """Take passages, what was said about them, and places out of the database."""
    given = {"documents": documents, "urls": list(urls)}
    out.documents = len(documents)
    out.passages += len(session.execute(text(_EVIDENCE), given).all())
    for statement in (_TRIALS, _VERDICTS, _PLACES, _TRIES):
        session.execute(text(statement), given)


def _queue(session: Session, urls: Collection[str], documents: list[int]) -> int:
    """Let the pairs that cite the page wait to be judged without it, also from the hands of whoever has them."""
    given = {"urls": list(urls), "documents": documents}
    return len(session.execute(text(_QUEUE), given).all())


def _cut(
    engine: Engine,
    folder: Path,
    request: Request,
    out: Out,
    is_out: Callable[[Head], bool],
    progress: Callable[[int], None],
) -> None:
    """Overwrite the records that are to be out, in all files, and let no document have its place there."""
    for file in files(folder):
        found = [member for member in _sound(file, out) if not member.head.taken_out and is_out(member.head)]
        out.records += len(found)
        if found and not request.dry_run:
            with file.open("r+b") as stream:
                for member in found:
                    stream.seek(member.offset)
                    stream.write(cut_member(member.length, datetime.now(UTC)))
                stream.flush()
                os.fsync(stream.fileno())
            with Session(engine) as session, session.begin():
                given = {"warc": file.name, "offsets": [member.offset for member in found]}
                for table in ("document", "try"):
                    session.execute(text(_NO_PLACE.format(table=table)), given)
        progress(file.stat().st_size)


def _sound(file: Path, out: Out) -> Iterator[Member]:
    for found in members(file):
        if isinstance(found, Member):
            yield found
        elif not (found.kind == "cut" and is_written(file)):
            out.damaged.append(f"{file.name}: {found.length} bytes at {found.offset}: {found.why}")


_REFUSED = """
SELECT DISTINCT address.value ->> 'url'
FROM verdict JOIN pair ON pair.id = verdict.pair_id, jsonb_array_elements(pair.urls) AS address
WHERE verdict.current AND verdict.outcome = 'blocked' AND verdict.detail = :detail
"""

_CITED = """
SELECT address.value ->> 'url' FROM statement JOIN pair USING (guid), jsonb_array_elements(pair.urls) AS address
WHERE statement.item_id = :item
UNION
SELECT document.url FROM statement JOIN pair USING (guid) JOIN verdict ON verdict.pair_id = pair.id
  JOIN document ON document.id = verdict.document_id
WHERE statement.item_id = :item
"""

_CITED_BY_OTHERS = """
SELECT DISTINCT address.value ->> 'url' AS url
FROM statement JOIN pair USING (guid), jsonb_array_elements(pair.urls) AS address
WHERE statement.item_id <> :item AND address.value ->> 'url' ILIKE ANY (:patterns)
"""

_DOCUMENTS = """
SELECT id FROM document WHERE url_key IN (SELECT md5(unnest(CAST(:urls AS text[])))) OR final_url = ANY (:urls)
UNION
SELECT document_id FROM try WHERE document_id IS NOT NULL AND chain && CAST(:urls AS text[])
"""

_BESIDE = """
SELECT DISTINCT url FROM document
WHERE digest IN (SELECT digest FROM document WHERE id = ANY (:documents)) AND id <> ALL (:documents)
"""

_THEIR_PAIRS = """EXISTS (
  SELECT FROM jsonb_array_elements(pair.urls) AS address WHERE address.value ->> 'url' = ANY (:urls))
"""

# The verdict of a page that couldn't be read names no document, and may have passages all the same.
_THEIRS = f"""
  SELECT verdict.id FROM verdict JOIN pair ON pair.id = verdict.pair_id
  WHERE verdict.document_id = ANY (:documents) OR verdict.document_id IS NULL AND {_THEIR_PAIRS}
"""  # noqa: S608 - all parts are ours

_EVIDENCE = f"DELETE FROM evidence WHERE verdict_id IN ({_THEIRS}) RETURNING verdict_id"  # noqa: S608 - as above

_VERDICTS = f"UPDATE verdict SET reason = '', detail = '' WHERE id IN ({_THEIRS})"  # noqa: S608 - as above

# What was tried on a page says what it has, and is kept for a month anyway.
_TRIALS = f"""
DELETE FROM trial_pair USING pair WHERE pair.id = trial_pair.pair_id
  AND (trial_pair.verdict_id IN ({_THEIRS}) OR {_THEIR_PAIRS})
"""  # noqa: S608 - all parts are ours

_PLACES = """
UPDATE document SET warc = NULL, warc_offset = NULL, etag = '', last_modified = '' WHERE id = ANY (:documents)
"""

_TRIES = """
UPDATE try SET warc = NULL, warc_offset = NULL, detail = ''
WHERE document_id = ANY (:documents) OR url = ANY (:urls) OR chain && CAST(:urls AS text[])
"""

_NO_PLACE = """
UPDATE {table} SET warc = NULL, warc_offset = NULL WHERE warc = :warc AND warc_offset = ANY (:offsets)
"""

_QUEUE = f"""
WITH queued AS (
  UPDATE pair SET state = 'waiting', leased_by = NULL, leased_until = NULL, next_at = now(), tries = 0, why = 'asked'
  WHERE state <> 'retired' AND ({_THEIR_PAIRS} OR EXISTS (
    SELECT FROM verdict WHERE verdict.pair_id = pair.id AND current AND document_id = ANY (:documents)))
  RETURNING id
), stale AS (
  UPDATE verdict SET stale = true FROM queued WHERE verdict.pair_id = queued.id AND verdict.current
)
SELECT id FROM queued
"""  # noqa: S608 - all parts are ours

_ITS_PAIRS = "SELECT pair.id FROM pair JOIN statement USING (guid) WHERE statement.item_id = :item"

_ITEM_EVIDENCE = f"""
DELETE FROM evidence USING verdict
WHERE verdict.id = evidence.verdict_id AND verdict.pair_id IN ({_ITS_PAIRS}) RETURNING evidence.verdict_id
"""  # noqa: S608 - all parts are ours

_ITEM_VERDICTS = f"""
UPDATE verdict SET current = false, stale = false, claim = '', reason = '', detail = ''
WHERE pair_id IN ({_ITS_PAIRS})
"""  # noqa: S608 - all parts are ours

_ITEM_TRIALS = f"DELETE FROM trial_pair WHERE pair_id IN ({_ITS_PAIRS})"  # noqa: S608 - all parts are ours

_ITEM_PAIRS = f"""
UPDATE pair SET state = 'retired', leased_by = NULL, leased_until = NULL, next_at = coalesce(next_at, now()),
  last_error = NULL
WHERE id IN ({_ITS_PAIRS}) RETURNING id
"""  # noqa: S608 - all parts are ours

_ITEM_ADDRESSES = f"""
UPDATE pair SET urls = '[]', domain = '' WHERE id IN ({_ITS_PAIRS})
"""  # noqa: S608 - all parts are ours

# Of no revision, so that a later walk, where it is allowed, brings all of it back.
_ITEM_STATEMENTS = """
UPDATE statement SET snak = '{"snaktype": "somevalue"}', qualifiers = '{}', revision = 0 WHERE item_id = :item
"""

_ITEM_WORDS = """
UPDATE item SET label = NULL, label_language = NULL, aliases = '{}', "foreign" = '{}', description = '', classes = '{}',
  revision = 0
WHERE id = :item
"""
