"""Content encodings undone: whole, however they come in pieces, and never more than is allowed."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.fetch.encoding import BodyTooLarge, Decoder, MalformedEncoding

MOST = 1_000_000


def decoded(body: bytes, encoding: str = "gzip", step: int = 7, most: int = MOST) -> bytes:
    decoder = Decoder(encoding, most)
    found = b"".join(decoder.decode(body[at : at + step]) for at in range(0, len(body), step))
    decoder.finish()
    return found


@given(st.lists(st.binary(max_size=200), min_size=1, max_size=6), st.integers(1, 400))
def test_all_members_of_gzip_are_read_however_they_are_cut(parts: list[bytes], step: int) -> None:
    assert decoded(b"".join(map(gzip.compress, parts)), step=step) == b"".join(parts)


@given(st.binary(max_size=300), st.binary(min_size=1, max_size=20), st.integers(1, 400))
def test_what_follows_the_end_is_ignored(body: bytes, rest: bytes, step: int) -> None:
    if not rest.startswith(b"\x1f"):
        assert decoded(gzip.compress(body) + rest, step=step) == body
        assert decoded(zlib.compress(body) + rest, "deflate", step) == body


@given(st.binary(min_size=1, max_size=300), st.integers(1, 400))
def test_deflate_comes_with_and_without_its_header(body: bytes, step: int) -> None:
    packer = zlib.compressobj(wbits=-15)
    bare = packer.compress(body) + packer.flush()
    assert decoded(zlib.compress(body), "deflate", step) == body
    assert decoded(bare, "deflate", len(bare)) == body


def test_a_member_that_breaks_off_is_no_whole_body() -> None:
    body = gzip.compress(b"one" * 50) + gzip.compress(b"two" * 50)
    for end in (len(body) - 1, len(gzip.compress(b"one" * 50)) + 3):
        with pytest.raises(MalformedEncoding, match="breaks off"):
            decoded(body[:end])


def test_members_without_end_and_bombs_end() -> None:
    with pytest.raises(MalformedEncoding):
        decoded(gzip.compress(b"") * 5000, step=60_000)
    with pytest.raises(BodyTooLarge):
        decoded(gzip.compress(b"x" * 100) * 500, step=60_000, most=10_000)
    with pytest.raises(BodyTooLarge):
        decoded(gzip.compress(bytes(8_000_000)), step=60_000, most=100_000_000)


@pytest.mark.parametrize("name", ["", "identity", "none", "UTF-8"])
def test_what_names_no_encoding_changes_nothing(name: str) -> None:
    assert decoded(b"plain", name) == b"plain"


def test_encodings_upon_encodings_are_not_undone_by_half() -> None:
    with pytest.raises(MalformedEncoding, match="gzip, gzip"):
        Decoder("gzip, gzip", MOST)
