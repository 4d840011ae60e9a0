"""Rows of the WTR files as statements with their pages."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, TypeVar
from urllib.parse import urlsplit

from fastwarc.warc import ArchiveIterator, WarcRecordType

from models.document import Document
from models.statement import Statement, Term, parse_value
from models.training.rows import MALFORMED, BadRows, json_lines

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


class MissingRows(FileNotFoundError):
    """A file that a bench reads isn't there. The message names it."""


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled pair. `label` without the trailing full stop ("1.A"); `kind` as in the contrast set, else ""."""

    statement: Statement
    url: str
    label: str
    kind: str
    original: str

    @property
    def supported(self) -> bool:
        """Binary task: 1.* against 2.*."""
        return self.label.startswith("1")

    @property
    def domain(self) -> str:
        """The web domain of the page."""
        return urlsplit(self.url).hostname or ""


T = TypeVar("T")


def read_rows(path: Path, option: str, make: Callable[[Any], T], what: str) -> Iterator[T]:
    """What `make` makes of the JSON value of each line of a .jsonl or .jsonl.gz file.

    Raises `MissingRows` naming the `option` that gives such a file, or `ValueError` naming file and line: not `what`.
    """
    try:
        for number, source in json_lines(path):
            try:
                made = make(source)
            except MALFORMED as error:
                raise ValueError(f"{path}, line {number}: not {what} ({error})") from error
            yield made
    except BadRows as error:
        if isinstance(error.__cause__, FileNotFoundError):
            raise MissingRows(f"{path}: no such file; give it with {option} FILE") from error
        raise


def load_rows(paths: Iterable[Path]) -> list[Row]:
    """Read labelled pairs, in order. Raises `MissingRows`, or `ValueError` naming file and line."""
    return [row for path in paths for row in read_rows(path, "--pairs", _row, "a labelled pair")]


def _row(source: Mapping[str, Any]) -> Row:
    item = Term(
        source["entity_id"],
        source["entity_label"],
        _aliases(source["entity_aliases"]),
        source.get("entity_description") or "",
    )
    prop = Term(source["property_id"], source["property_label"], _aliases(source["property_aliases"]))
    description = source.get("object_description")
    target = Term(
        "",
        source["object_label"],
        _aliases(source["object_aliases"]),
        description if description not in {None, "no-desc"} else "",
    )

    def term(entity_id: str) -> Term:
        # A quantity's row has its unit only in the object's label, behind the number.
        unit = source["object_label"].split(" ", 1)[1:] if source["datatype"] == "quantity" else None
        label = target.label if unit is None else " ".join(unit) or None
        return Term(entity_id, label, () if unit is not None else target.aliases, target.description)

    statement = Statement(
        guid=source["claim_id"],
        item=item,
        property=prop,
        datatype=source["datatype"],
        value=parse_value(source["datavalue"], term),
        rank=source["rank"],
    )
    original = source["claim_id"].rstrip("w").rstrip("~") if source.get("kind") else source["claim_id"]
    return Row(statement, source["url"], source["label"].rstrip("."), source.get("kind") or "", original)


def _aliases(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def load_pages(paths: Iterable[Path]) -> dict[str, Document]:
    """The response records of WARC files by their address. Raises `MissingRows`, or `ValueError` naming the file."""
    pages: dict[str, Document] = {}
    for path in paths:
        try:
            stream = path.open("rb")
        except OSError as error:
            raise MissingRows(f"{path}: {error.strerror}; give it with --pages FILE") from error
        with stream:
            try:
                responses = {page.url: page for page in _responses(stream)}
            except (OSError, *MALFORMED) as error:
                raise ValueError(f"{path}: not a WARC file of pages ({error})") from error
        if not responses:
            raise ValueError(f"{path}: no page in it")
        pages |= responses
    return pages


def _responses(stream: IO[bytes]) -> Iterator[Document]:
    for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True):
        url = str(record.headers["WARC-Target-URI"])
        body = record.reader.read()
        headers = tuple((name.lower(), value) for name, value in record.http_headers.items())
        yield Document(
            url, url, int(record.http_headers.status_code or 0), headers, body,
            "sha256:" + hashlib.sha256(body).hexdigest(), datetime.now(UTC),
        )  # fmt: skip
