"""Items named on the command line."""

from __future__ import annotations

import re

from bot.problem import InputProblem

_ID = re.compile(r"[QL][1-9][0-9]{0,11}")


def parse_items(text: str, option: str = "--items") -> tuple[str, ...]:
    """The ids in "Q42,Q1" (commas or blanks between), each once.

    Raises `InputProblem` naming the one that is none, and the option that gave it.
    """
    ids = tuple(dict.fromkeys(part.upper() for part in re.split(r"[,\s]+", text.strip()) if part))
    if not ids:
        raise InputProblem(f"{option} names no item. Give ids separated by commas, like Q42,Q1.")
    for identifier in ids:
        if not _ID.fullmatch(identifier):
            raise InputProblem(f"{option}: {identifier!r} isn't the id of an item or a lexeme. Give ids like Q42,Q1.")
    return ids
