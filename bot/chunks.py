"""Values in lists of a given length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def chunks(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """The values in lists of `size`, the last one shorter."""
    rest = iter(values)
    while some := list(islice(rest, size)):
        yield some
