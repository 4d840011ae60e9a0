"""Facts that a page states for machines: JSON-LD and meta tags, as "name: value" lines."""

from __future__ import annotations

import json
import re
from typing import Any

_MOST_FACTS = 200
_DEEPEST = 8
_SKIP = frozenset({"@context", "@id", "@type", "url", "image", "logo", "sameAs", "potentialAction", "mainEntityOfPage"})
_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


def facts(source: str) -> list[str]:
    """The facts of one JSON-LD script, innermost names last: "birth Place address Country: Scotland".

    Never raises: what isn't JSON gives no facts.
    """
    try:
        tree = json.loads(source)
    except (ValueError, RecursionError):
        return []
    lines: list[str] = []
    _collect(tree, "", 0, lines)
    return lines


def _collect(node: Any, name: str, depth: int, lines: list[str]) -> None:
    if depth > _DEEPEST or len(lines) >= _MOST_FACTS:
        return
    if isinstance(node, dict):
        for key, value in node.items():
            if key not in _SKIP:
                _collect(value, f"{name} {_spell(key)}".strip(), depth + 1, lines)
    elif isinstance(node, list):
        for value in node:
            _collect(value, name, depth + 1, lines)
    elif isinstance(node, (str, int, float)) and not isinstance(node, bool) and name:
        text = " ".join(str(node).split())
        if text and not text.startswith(("http://", "https://")):
            lines.append(f"{name}: {text[:500]}")


def _spell(key: str) -> str:
    """`birthDate` as "birth date"."""
    return _WORD.sub(" ", key.lstrip("@")).replace("_", " ").lower()
