"""The text of a PDF, read in a process of its own: bytes come on stdin, lines of JSON go to stdout.

Run as a file, so that nothing is imported but the PDF library. First comes a line {"pages": n, "title": …}, or
{"error": …}; then {"page": number, "text": …} for each page as soon as it is read, so that the pages before a broken
one aren't lost. The exit status is 0, 1 (it can't be opened), 2 (no memory is left) or that of a crash.
"""

from __future__ import annotations

import json
import resource
import sys
import time

MOST_MEMORY = 400 << 20  # bytes of address space, of which the interpreter and the library take 100 MB
MOST_SECONDS = 3.0  # after which no further page is begun
MOST_PAGES = 300
MOST_TEXT = 600_000  # characters
_NO_SUCH_LUCK = {3: "it is broken", 4: "it is locked with a password", 5: "it is locked in a way that we don't know"}


def main() -> None:
    """Read within the limits, and write."""
    begun = time.monotonic()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    import pypdfium2 as pdfium  # noqa: PLC0415 - within the limits

    body = sys.stdin.buffer.read()
    try:
        document = pdfium.PdfDocument(body)
    except pdfium.PdfiumError as error:
        code = getattr(error, "err_code", None)
        _say(error=_NO_SUCH_LUCK.get(code or 0, "it has no pages" if code == 0 else "it is broken"))
        sys.exit(1)
    _say(pages=len(document), title=_title(document))
    room = MOST_TEXT
    for number in range(min(len(document), MOST_PAGES)):
        try:
            page = document[number]
            text = page.get_textpage().get_text_bounded()[:room]
            page.close()
        except pdfium.PdfiumError:
            continue  # a broken page; the others may be whole
        _say(page=number + 1, text=text)
        room -= len(text)
        if room <= 0 or time.monotonic() - begun > MOST_SECONDS:
            break


def _title(document: object) -> str:
    try:
        return str(document.get_metadata_dict().get("Title") or "")[:1000]  # type: ignore[attr-defined]
    except Exception:  # a title that can't be had is no reason to read nothing
        return ""


def _say(**what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        main()
    except MemoryError:
        sys.exit(2)
