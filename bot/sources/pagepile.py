"""Lists of pages that people keep at PagePile, by its API.

https://pagepile.toolforge.org/howto.html; an answer is {"wiki": "wikidatawiki", "pages": ["Q42", "Lexeme:L1", …], …}.
"""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException
from typing import Any
from urllib.parse import urlencode, urlsplit

from bot.fetch.retry_after import retry_after
from bot.problem import Busy, InputProblem, RunFailed

WIKI = "wikidatawiki"
TIMEOUT_S = 60
MOST_BYTES = 20_000_000
_PAGE = re.compile(r"(?:Lexeme:)?([QL][1-9][0-9]{0,11})")
_BUSY = (
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)


@dataclass(frozen=True, slots=True)
class Pile:
    """The items and lexemes of a pile, each once, and the titles that are neither."""

    ids: tuple[str, ...]
    strangers: tuple[str, ...]


def read_pile(api: str, number: int, agent: str, timeout_s: float = TIMEOUT_S) -> Pile:
    """The pile with a number.

    Raises `InputProblem` where there is none such or it is another wiki's, `Busy` and `RunFailed` where PagePile can't
    be asked now.
    """
    asked = urlencode({"id": number, "action": "get_data", "format": "json", "doit": ""})
    url = f"{api}{'&' if '?' in api else '?'}{asked}"
    return _pile(_ask(url, agent, timeout_s), number, urlsplit(api).netloc)


def _ask(url: str, agent: str, timeout_s: float) -> bytes:
    host = urlsplit(url).netloc
    request = urllib.request.Request(url, headers={"User-Agent": agent})  # noqa: S310 - the operator's http(s) address
    try:
        with urllib.request.urlopen(request, timeout=timeout_s) as response:  # noqa: S310 - as above
            answer: bytes = response.read(MOST_BYTES + 1)
    except urllib.error.HTTPError as error:
        with error:
            if error.code in _BUSY:
                wait_s = retry_after(error.headers.get("Retry-After"), default=0.0)
                raise Busy(f"{host} asks us to wait ({error.code} {error.reason}).", wait_s) from error
            raise RunFailed(f"{error.code} {error.reason} from {host}. Check source.pagepile.") from error
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", None) or str(error) or type(error).__name__
        raise RunFailed(f"{host} can't be reached: {reason}.") from error
    if len(answer) > MOST_BYTES:
        raise InputProblem(f"That pile is too long: its answer has more than {MOST_BYTES:,} bytes.")
    return answer


def _pile(answer: bytes, number: int, host: str) -> Pile:
    try:
        pile: Any = json.loads(answer)
    except (ValueError, RecursionError) as error:  # PagePile writes its own errors into the answer as they are
        raise InputProblem(f"{host} has no pile {number} that can be read.") from error
    if not isinstance(pile, Mapping):
        raise InputProblem(f"{host} has no pile {number} that can be read.")
    if pile.get("error"):
        raise InputProblem(f"{host} says of pile {number}: {' '.join(str(pile['error']).split())[:300]}")
    wiki, pages = pile.get("wiki"), pile.get("pages")
    if wiki != WIKI:
        raise InputProblem(f"Pile {number} is of {str(wiki)[:40]!r}; a worklist takes a pile of {WIKI!r}.")
    if not isinstance(pages, list | dict):
        raise InputProblem(f"{host} has no pile {number} that can be read.")
    titles = [str(title).strip().replace("_", " ") for title in pages]
    found = {title: match[1] for title in titles if (match := _PAGE.fullmatch(title))}
    return Pile(tuple(dict.fromkeys(found.values())), tuple(title for title in titles if title not in found))
