"""In which language a page speaks: the one that its reader chose, else the best that the browser asks for."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from flask import Flask, current_app, request
from flask_babel import Babel, Domain, get_locale

from config import Config
from web.pseudo import PseudoTranslations

COOKIE = "language"
CATALOGUES = Path(__file__).with_name("translations")


@dataclass(frozen=True, slots=True)
class Language:
    """A language by its tag of HTML, the locale that writes its numbers and dates, and its name in itself."""

    tag: str
    locale: str
    name: str
    direction: str = "ltr"


LANGUAGES = {
    language.tag: language
    for language in (
        Language("en", "en", "English"),
        Language("de", "de", "Deutsch"),
        # No language: English letter by letter in another script, to see that the layout holds from right to left.
        Language("ar-XB", "ar", "Pseudo (right to left)", "rtl"),
    )
}
PSEUDO = LANGUAGES["ar-XB"]


class Catalogues(Domain):  # type: ignore[misc] # Flask-Babel ships no types
    """The words of each language, from its `.po` file as it is: nothing has to be compiled or can be out of date."""

    def get_translations(self) -> NullTranslations:
        """The catalogue of this request's language; English outside of a request, and where there is none."""
        locale = get_locale()
        if locale is None:
            return NullTranslations()
        return PseudoTranslations() if str(locale) == PSEUDO.locale else _catalogue(str(locale))


class SpeakingBabel(Babel):  # type: ignore[misc]
    """Flask-Babel over `Catalogues`."""

    domain_instance = Catalogues()


def add_to(app: Flask, config: Config) -> None:
    """Give the templates `_()` and the views `flask_babel.gettext`, in the languages of `web.languages`."""
    app.config["CITEWELL_LANGUAGES"] = config.web.languages
    SpeakingBabel(app, default_locale="en", locale_selector=lambda: chosen().locale)


def offered() -> list[Language]:
    """The languages to choose from, the first for those who ask for none of them."""
    return [LANGUAGES[tag] for tag in current_app.config["CITEWELL_LANGUAGES"]]


def chosen() -> Language:
    """The language of this request."""
    tags = [language.tag for language in offered()]
    wanted = request.cookies.get(COOKIE, "")
    if wanted in tags:
        return LANGUAGES[wanted]
    asked = request.accept_languages.best_match([tag for tag in tags if tag != PSEUDO.tag])
    return LANGUAGES[asked or tags[0]]


@cache
def _catalogue(locale: str) -> NullTranslations:
    path = CATALOGUES / locale / "LC_MESSAGES" / "messages.po"
    if not path.is_file():
        return NullTranslations()
    with path.open("rb") as file:
        catalogue = read_po(file, locale)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)
