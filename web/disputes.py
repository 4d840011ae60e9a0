"""How many pairs others decided otherwise than the reader: counted now and then, and kept in the reader's session."""

from __future__ import annotations

import time

from flask import session as cookie

from store.reviews import disputed_pairs
from web.database import session
from web.reviewer import reviewer

FRESH_S = 300  # somebody with many thousands of decisions isn't counted through for each page


def disputed_count() -> int:
    """The number of such pairs, 0 for who isn't signed in; no more than `store.reviews.MOST_DISPUTED`."""
    name = reviewer()
    if name is None:
        return 0
    kept = cookie.get("disputed")
    now = int(time.time())
    if isinstance(kept, list) and len(kept) == 3 and kept[0] == name and 0 <= now - kept[2] < FRESH_S:
        return int(kept[1])
    number = len(disputed_pairs(session(), name))
    cookie["disputed"] = [name, number, now]
    return number


def count_anew() -> None:
    """Forget the number: the reader has just decided."""
    cookie.pop("disputed", None)
