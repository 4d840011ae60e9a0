"""requirements.in names what the code imports, requirements.txt pins all of it, and neither says from where."""

from __future__ import annotations

import ast
import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = ("bin", "bot", "config", "migrations", "models", "sample", "store", "web")


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _named(file: str) -> list[tuple[str, str]]:
    """The packages that a .in file names, each with the reason beside it."""
    lines = [line for line in (ROOT / file).read_text().splitlines() if line and not line.startswith(("#", "-r"))]
    parts = [line.partition("#") for line in lines]
    return [(_plain(re.split(r"[\[=]", name)[0].strip()), reason.strip()) for name, _, reason in parts]


def _pinned(file: str) -> dict[str, str]:
    lines = [line for line in (ROOT / file).read_text().splitlines() if not line.lstrip().startswith("#")]
    pins = [line.split("==") for line in lines]
    assert all(len(pin) == 2 for pin in pins), file
    return {_plain(name): version for name, version in pins}


def _imported() -> set[str]:
    """Modules that our packages import, by their first name."""
    files = [path for name in OURS for path in (ROOT / name).rglob("*.py")] + [ROOT / "config.py"]
    found: set[str] = set()
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.split(".")[0])
    return found - sys.stdlib_module_names - set(OURS)


def test_what_is_imported_is_named() -> None:
    named = {name for name, _ in _named("requirements.in")}
    distributions = packages_distributions()
    missing = {
        module for module in _imported() if not {_plain(name) for name in distributions.get(module, [module])} & named
    }
    # Flask brings these two, and speaks of them as its own.
    assert missing <= {"werkzeug", "markupsafe", "jinja2", "pydantic"}


@pytest.mark.parametrize("file", ["requirements", "requirements-dev"])
def test_what_is_named_is_pinned_with_a_reason(file: str) -> None:
    named, pinned = _named(f"{file}.in"), _pinned(f"{file}.txt")
    assert {name for name, _ in named} <= set(pinned)
    assert all(reason for _, reason in named)
    assert all(re.fullmatch(r"\d[\w.]*", version) for version in pinned.values()), "a local or open version"


def test_development_pins_hold_those_of_production() -> None:
    production, development = _pinned("requirements.txt"), _pinned("requirements-dev.txt")
    assert production.items() <= development.items()


def test_the_build_of_torch_is_left_open() -> None:
    production = _pinned("requirements.txt")
    assert production["torch"] == "2.13.0"
    assert not any(name.startswith(("nvidia", "cuda", "triton")) for name in production)


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-dev.txt", "requirements.in", "requirements-dev.in"])
def test_no_place_to_install_from_is_named(file: str) -> None:
    text = (ROOT / file).read_text()
    assert not re.search(
        r"https?://|--(extra-)?index-url|--find-links|--trusted-host|file:|/(opt|tmp|home|root)/", text
    )
