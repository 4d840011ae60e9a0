"""In which language a page speaks: the one that its reader chose, else the best that the browser asks for."""

from __future__ import annotations

from flask import Flask, request
from flask_babel import Babel

LANGUAGES = ("en", "de")


def add_to(app: Flask) -> None:
    """Give the templates `_()` and the views `flask_babel.gettext`."""
    Babel(app, default_locale="en", default_translation_directories="translations", locale_selector=chosen)


def chosen() -> str:
    """The code of the language of this request."""
    return request.accept_languages.best_match(LANGUAGES) or "en"
