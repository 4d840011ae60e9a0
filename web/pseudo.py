"""A language that is none: English in letters that run from right to left, and longer than English is.

With it a test sees that the layout holds in such a language, and which words were never marked to be translated.
"""

from __future__ import annotations

import re

from babel.support import NullTranslations

# Fields, elements, entities and braces stay as they are.
_KEPT = re.compile(r"%\(\w+\)[sd]|%%|<[^>]*>|&#?\w+;|\{\w*\}")
_LETTERS = str.maketrans(
    dict(zip("abcdefghijklmnopqrstuvwxyz", "ابپتثجحخدذرزسشصضطظعغفقکلمن", strict=True)) | {"e": "ثث", "o": "صص"}
)


def mirrored(text: str) -> str:
    """The text in the pseudo-language, longer by a fifth or more. Fields like `%(name)s` and elements are kept."""
    written, place = [], 0
    for kept in _KEPT.finditer(text):
        written += [text[place : kept.start()].lower().translate(_LETTERS), kept[0]]
        place = kept.end()
    return "".join((*written, text[place:].lower().translate(_LETTERS)))


class PseudoTranslations(NullTranslations):
    """A catalogue that has every text, made as it is asked for."""

    def gettext(self, message: str) -> str:
        """The text mirrored."""
        return mirrored(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The English form for the number, mirrored."""
        return mirrored(msgid1 if n == 1 else msgid2)

    ugettext = gettext
    ungettext = ngettext
