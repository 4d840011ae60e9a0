"""Rows of JSON, one a line, from a file that may be anything."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# What the parts of a JSON value raise when they aren't what a row has there.
MALFORMED = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)


class BadRows(ValueError):
    """A file that can't be read, or holds no rows. The message names it, and the line where there is one."""


def json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    r"""The value of each line that isn't blank, with its number from 1; gzipped where the name ends in `.gz`.

    Only "\n" ends a line: JSON may hold U+2028 and its like. Raises `BadRows`; its cause is what was raised below.
    """
    number, none = 0, True
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    none = False
                    yield number, _value(line, f"{path}, line {number}")
    except (OSError, EOFError, zlib.error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise BadRows(f"{path} can't be read: {reason}") from error
    if none:
        raise BadRows(f"{path}: no rows")


def as_list(value: object) -> list[Any]:
    """The value, where it is a list: a text has parts as well. Raises TypeError."""
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def writable(row: Any) -> Any:
    """The row, where all its text can be written: JSON may hold half of a surrogate pair. Raises ValueError."""
    json.dumps(row, ensure_ascii=False).encode()
    return row


def _value(line: bytes, where: str) -> Any:
    try:
        return json.loads(line.decode("utf-8"))
    except RecursionError as error:
        raise BadRows(f"{where}: nested too deeply") from error
    except ValueError as error:
        raise BadRows(f"{where}: not JSON in UTF-8 ({error})") from error
