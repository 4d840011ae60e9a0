"""Static files by addresses that change with what is in them, and those of others that the set-up puts beside ours.

`bin/looks` builds Codex's style sheets and htmx into `static/vendor`. Where it couldn't, our own sheet stands in for
Codex, and the pages work without htmx.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from flask import Flask, current_app, url_for

_OURS = ("citewell.css", "queue.css", "desk.css", "pages.css", "wording.css", "worklists.css")


def add_to(app: Flask) -> None:
    """Give the templates `stylesheets`, `scripts` and `asset`."""
    app.jinja_env.globals.update(
        stylesheets=stylesheets, scripts=scripts, asset=asset, is_view=app.view_functions.__contains__
    )


def stylesheets(direction: str) -> list[str]:
    """The addresses of the style sheets, in order: Codex for this direction or what stands in for it, then ours."""
    codex = "vendor/codex.css" if direction == "ltr" else "vendor/codex-rtl.css"
    components = ("vendor/tokens.css", codex) if _there(codex) else ("fallback.css",)
    return [asset(name) for name in (*components, *_OURS) if _there(name)]


def scripts() -> list[str]:
    """The addresses of the scripts that add speed, in order."""
    return [asset(name) for name in ("vendor/htmx.min.js", "desk.js") if _there(name)]


def asset(name: str) -> str:
    """The address of a static file, with part of its digest: no browser mixes an old one with a new page."""
    return url_for("static", filename=name, v=_digest(_path(name)))


def _path(name: str) -> Path:
    return Path(current_app.static_folder or "") / name


def _there(name: str) -> bool:
    return _path(name).is_file()


@cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]
