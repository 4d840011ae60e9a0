"""Items named on the command line."""

from __future__ import annotations

import re

from bot.problem import InputProblem

_ID = re.compile(r"[QL][1-9][0-9]{0,11}")


def parse_items(text: str) -> tuple[str, ...]:
    """The ids in "Q42,Q1" (commas or blanks between), each once. Raises `InputProblem` naming the one that is none."""
    ids = tuple(dict.fromkeys(part.upper() for part in re.split(r"[,\s]+", text.strip()) if part))
    if not ids:
        raise InputProblem("--items names no item. Give ids separated by commas, like Q42,Q1.")
    for identifier in ids:
        if not _ID.fullmatch(identifier):
            raise InputProblem(f"--items: {identifier!r} isn't the id of an item or a lexeme. Give ids like Q42,Q1.")
    return ids
