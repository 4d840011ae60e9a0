"""The least of an entity that tells whether a pair can be selected from it: no words, no values, typed."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

_ADDRESSES = ("url", "external-id", None)


class SnakHead(msgspec.Struct, gc=False):
    """A snak without its value. `datatype` is None in old dumps."""

    property: str = ""
    snaktype: str = "value"
    datatype: str | None = None


class ReferenceHead(msgspec.Struct, gc=False):
    """A reference's snaks by property, without their values."""

    snaks: dict[str, list[SnakHead]] | tuple[()] = ()

    def every_snak(self) -> Iterator[SnakHead]:
        """All of them."""
        if isinstance(self.snaks, dict):
            for group in self.snaks.values():
                yield from group


class StatementHead(msgspec.Struct, gc=False):
    """A statement without its value and qualifiers."""

    mainsnak: SnakHead
    id: str
    rank: str = "normal"
    references: list[ReferenceHead] = []


class EntityHead(msgspec.Struct, gc=False):
    """An entity with its statements so; PHP writes an empty map as an empty list."""

    id: str
    lastrevid: int = 0
    claims: dict[str, list[StatementHead]] | tuple[()] | None = None

    def statements(self) -> Iterator[StatementHead]:
        """All of them."""
        if isinstance(self.claims, dict):
            for group in self.claims.values():
                yield from group

    @property
    def may_cite(self) -> bool:
        """Whether some reference may have an address: a snak of it is one, or doesn't say what it is."""
        return any(
            snak.datatype in _ADDRESSES
            for statement in self.statements()
            for reference in statement.references
            for snak in reference.every_snak()
        )


_DECODER = msgspec.json.Decoder(EntityHead)


def head_of(text: bytes) -> EntityHead | None:
    """The head of an entity in Wikibase JSON; None for what isn't quite so, and must be looked at with more patience.

    Raises `msgspec.DecodeError` for what is no JSON.
    """
    try:
        return _DECODER.decode(text)
    except msgspec.ValidationError:
        return None
