"""What one fetch brought."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Document:
    """An answer with a body. What has no body to read is a `NotJudged` instead.

    `digest` is "sha256:" and the hex digest of `body` (after content decoding); `url` is what was asked for,
    `final_url` where it ended; `headers` have lower-case names; `via` is the `SourceUrl.via` that was read;
    `chain` holds the addresses on the way, the first being `url` and the last `final_url`, where they are known.
    """

    url: str
    final_url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = field(repr=False)
    digest: str
    fetched_at: datetime
    via: str = "live"
    chain: tuple[str, ...] = ()

    @property
    def content_type(self) -> str:
        """The Content-Type header as sent, or ""."""
        return next((value for name, value in self.headers if name == "content-type"), "")
