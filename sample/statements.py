"""The sample as it is written down in statements.yaml: entities, statements, references and pages, as values."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
import yaml

from models.evidence import Stance
from models.outcome import Outcome

FOLDER = Path(__file__).parent
RESULTS = frozenset(result.value for result in (*Stance, *Outcome)) | {"skipped"}


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the parts of statements.yaml share: they can't change, and an unknown key is an error."""


class Formatter(_Record, frozen=True):
    """A formatter URL of an external identifier; `pattern` says for which identifiers, in the qualifier `told_by`."""

    url: str
    pattern: str
    told_by: Literal["P1793", "P8460"] = "P1793"
    rank: Literal["preferred", "normal"] = "normal"


class Entity(_Record, frozen=True):
    """An item or property in words. `label` is None where the sample means it to have none."""

    label: str | None
    language: str = "en"
    aliases: tuple[str, ...] = ()
    instance_of: str = ""
    description: str = ""
    datatype: str = ""
    formatters: tuple[Formatter, ...] = ()


class _Value(_Record, frozen=True, tag_field="type"):
    """The value of a snak; `type` says which of the kinds below."""


class Time(_Value, frozen=True, tag="time"):
    """`at` is "1952-03-11", "1564-04", "1934" or, before our era, "-0044-03-15": its length gives the precision."""

    at: str
    calendar: Literal["gregorian", "julian"] = "gregorian"


class Thing(_Value, frozen=True, tag="item"):
    """Another item."""

    id: str


class Quantity(_Value, frozen=True, tag="quantity"):
    """An amount in a unit (an item's id, or "1"), with bounds where the statement has them."""

    amount: str
    unit: str = "1"
    lower: str | None = None
    upper: str | None = None


class Text(_Value, frozen=True, tag="text"):
    """A monolingual text."""

    text: str
    language: str


class Unknown(_Value, frozen=True, tag="somevalue"):
    """There is a value, and nobody knows it."""


class Nothing(_Value, frozen=True, tag="novalue"):
    """There is none."""


Value = Time | Thing | Quantity | Text | Unknown | Nothing


class Cited(_Record, frozen=True):
    """A reference. `unknown_url` gives it a reference URL of "some value"; `identifier` is property → identifier."""

    urls: tuple[str, ...] = ()
    archive: str | None = None
    unknown_url: bool = False
    identifier: dict[str, str] = {}
    imported_from: str | None = None
    retrieved: str | None = None


class Citation(_Record, frozen=True):
    """That a statement cites a reference (by its name in the file), and what a careful reader finds there.

    `expect` is a stance, an outcome or "skipped"; `because` says why, in a sentence for a person.
    """

    reference: str
    expect: str
    because: str

    def __post_init__(self) -> None:
        if self.expect not in RESULTS:
            raise ValueError(f"expect: {self.expect!r} is none of {', '.join(sorted(RESULTS))}")


class Made(_Record, frozen=True):
    """A statement with its references."""

    item: str
    property: str
    value: Value
    cites: tuple[Citation, ...]
    rank: Literal["preferred", "normal", "deprecated"] = "normal"
    qualifiers: dict[str, Value] = {}


class Page(_Record, frozen=True):
    """What a server answers for an address: a file under pages/ as the body, or an address to go to."""

    url: str
    file: str | None = None
    status: int = 200
    location: str | None = None


class Sample(_Record, frozen=True):
    """The whole of statements.yaml."""

    entities: dict[str, Entity]
    references: dict[str, Cited]
    statements: tuple[Made, ...]
    pages: tuple[Page, ...]


class BadSample(ValueError):
    """statements.yaml isn't what it should be. The message names the file and the place in it."""


def load_sample(path: Path = FOLDER / "statements.yaml") -> Sample:
    """Read the sample. Raises `BadSample` with one line for a bad file."""
    try:
        return msgspec.convert(yaml.safe_load(path.read_text(encoding="utf-8")), Sample)
    except (OSError, yaml.YAMLError, msgspec.ValidationError) as error:
        raise BadSample(f"{path}: {' '.join(str(error).split())}") from error
