"""`python -m bin.codex node_modules web/static/vendor`: Codex's style sheets and htmx as static files of the dashboard.

Icons that stand in Codex's sheets as `data:` addresses become files of their own, so that the pages' policy lets
nothing but files of this site in. Its tokens become light, dark, or what the reader's system has, as the page says.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
from pathlib import Path

COMPONENTS = (
    "Button", "TextInput", "TextArea", "Select", "Radio", "Checkbox", "Label", "Field", "Message", "InfoChip",
    "Accordion",
)  # fmt: skip
"""The components of Codex that the templates use."""

_ICON = re.compile(r"""url\((['"])data:image/svg\+xml;utf8,(.*?)\1\)""", re.DOTALL)
_ARROW = re.compile(r"\.cdx-select:enabled\{[^}]*background-image:url\((icon-\w+\.svg)\)")
_DARK = (
    "@media (prefers-color-scheme: dark) {{ :root:not([data-look='light']) {0} }}\n",
    ":root[data-look='dark'] {0}\n",
)
_PALE = "#eaecf0"
_ROOT = re.compile(r":root\s*\{(.*?)\}", re.DOTALL)


def tokens(light: str, dark: str) -> str:
    """A sheet of Codex's tokens from its light and its dark one: dark where the system is, unless the page says."""
    (day,), (night,) = _ROOT.findall(light), _ROOT.findall(dark)
    return f":root {{{day}}}\n" + "".join(rule.format(f"{{{night}}}") for rule in _DARK)


def with_icons(sheet: str, folder: Path) -> str:
    """The sheet with its icons taken out, each into a file of `folder` that is named after what is in it."""

    def kept(found: re.Match[str]) -> str:
        icon = found[2].replace("%23", "#")
        name = f"icon-{hashlib.sha256(icon.encode()).hexdigest()[:12]}.svg"
        (folder / name).write_text(icon, encoding="utf-8")
        return f"url({name})"

    return _ICON.sub(kept, sheet)


def pale_arrow(sheet: str, folder: Path) -> str:
    """Rules for the arrow of a select in the dark: as an image of its own it can't take its colour from a token."""
    arrow = _ARROW.search(sheet)
    if arrow is None:
        return ""
    name = arrow[1].replace(".svg", "-pale.svg")
    (folder / name).write_text((folder / arrow[1]).read_text(encoding="utf-8").replace("#000", _PALE), encoding="utf-8")
    return "".join(rule.format(f".cdx-select:enabled {{ background-image: url({name}); }}") for rule in _DARK)


def build(packages: Path, folder: Path) -> None:
    """Write the sheets, for both directions of text, and htmx into `folder`. Raises OSError for what isn't there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    codex, design = packages / "@wikimedia/codex/dist/modules", packages / "@wikimedia/codex-design-tokens/dist"
    theme = design / "theme-wikimedia-ui"
    light, dark = (Path(f"{theme}-{part}.css").read_text(encoding="utf-8") for part in ("root", "mode-dark"))
    (folder / "tokens.css").write_text(tokens(light, dark), encoding="utf-8")
    for suffix in ("", "-rtl"):
        sheets = [(codex / f"Cdx{name}{suffix}.css").read_text(encoding="utf-8") for name in COMPONENTS]
        sheet = with_icons("\n".join(sheets), folder)
        (folder / f"codex{suffix}.css").write_text(f"{sheet}\n{pale_arrow(sheet, folder)}", encoding="utf-8")
    shutil.copy(packages / "htmx.org/dist/htmx.min.js", folder / "htmx.min.js")


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
