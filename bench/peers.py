"""Other readers of web pages, to measure ours beside: they come with requirements-dev.txt only."""

from __future__ import annotations

import trafilatura
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import detect_encoding


def trafilatura_text(body: bytes) -> str:
    """The main text of a page, as trafilatura finds it; "" where it finds none."""
    return trafilatura.extract(body) or ""


def whole_text(body: bytes) -> str:
    """All text of a page, by resiliparse: nothing is left out as unimportant."""
    text = body.decode(detect_encoding(body) or "utf-8", errors="replace")
    return str(extract_plain_text(text, main_content=False, alt_texts=True, noscript=True))
