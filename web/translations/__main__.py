"""`make translations`: bring the catalogues up to date with the code. What is new in them waits to be translated."""

from __future__ import annotations

import sys

from babel.messages.pofile import read_po, write_po

from web.language import CATALOGUES
from web.translations.extraction import extract

WIDTH = 118


def main() -> None:
    """Add to each catalogue what the code has newly, take out what it has no longer, and say what is left to do."""
    template = extract()
    for path in sorted(CATALOGUES.glob("*/LC_MESSAGES/messages.po")):
        language = path.parts[-3]
        with path.open("rb") as file:
            catalogue = read_po(file, language)
        # A translation of a similar text isn't one of this.
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        with path.open("wb") as file:
            write_po(file, catalogue, width=WIDTH, sort_by_file=True, omit_header=False)
        left = sum(bool(message.id) and not _done(message.string) for message in catalogue)
        sys.stdout.write(f"{language}: {left} texts wait to be translated in {path.relative_to(CATALOGUES.parent)}\n")


def _done(string: str | tuple[str, ...] | list[str] | None) -> bool:
    return bool(string) if isinstance(string, str) else bool(string) and all(string or ())


if __name__ == "__main__":
    main()
