"""What the code and the templates have to be translated, as a catalogue without translations."""

from __future__ import annotations

from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_mapping_cfg

ROOT = Path(__file__).parents[2]
_FOLDERS = {".", "web", "web/templates", "web/views", "models", "models/verbalise", "store"}
_KEYWORDS = {**DEFAULT_KEYWORDS, "lazy_gettext": None, "lazy_ngettext": (1, 2), "Complaint": None}


def extract() -> Catalog:
    """The catalogue of every text that is marked, with the files where it stands, in the order of those."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file, filename="babel.cfg")  # type: ignore[no-untyped-call]
    catalogue = Catalog(project="Citewell", charset="utf-8")
    found = extract_from_dir(ROOT, methods, options, _KEYWORDS, directory_filter=_ours)
    for name, _, message, comments, context in found:
        # Lines would change with every edit.
        catalogue.add(message, None, [(name, None)], auto_comments=comments, context=context)  # type: ignore[list-item]
    return catalogue


def _ours(folder: str) -> bool:
    return Path(folder).relative_to(ROOT).as_posix() in _FOLDERS
