"""How long a Retry-After header asks us to wait."""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime


def retry_after(header: str | None, default: float) -> float:
    """The seconds asked for, given as a number or as a date; `default` where it is neither."""
    text = (header or "").strip()
    if text.isascii() and text.isdecimal():
        return float(text[:9])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return default
