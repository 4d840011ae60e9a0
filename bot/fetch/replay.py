"""Pages replayed from a WARC file, with no network at all."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urldefrag

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from bot.fetch import Failure, Fetched
from bot.fetch.answer import Answer, BadRedirect, clean_header, fetched, host_of, redirect_target
from bot.fetch.encoding import BodyTooLarge, Decoder, MalformedEncoding
from bot.problem import InputProblem
from bot.sources import Report
from models.document import Document
from models.outcome import NotJudged, Outcome
from models.read.onward import onward

MAX_REDIRECTS = 10


class Replay:
    """Gives the pages of one WARC file, found by their address; of several answers, the last in the file counts.

    Raises `InputProblem` where the file can't be read or isn't a WARC file.
    """

    def __init__(self, path: Path, max_bytes: int, report: Report) -> None:
        self._path, self._max_bytes = path, max_bytes
        self._offsets = _index(path, report)

    def __len__(self) -> int:
        return len(self._offsets)

    def fetch(self, urls: Collection[str]) -> Mapping[str, Fetched]:
        """What the file holds for each of the URLs; unreachable is what isn't in it."""
        return {url: self._fetch(url) for url in dict.fromkeys(urls)}

    def _fetch(self, url: str) -> Fetched:
        """What the file holds for a URL; where that hands on to another page, what it holds for that one."""
        chain: list[str] = [url]
        held: Document | None = None
        while True:
            brought = self._end(chain)
            if isinstance(brought, Failure):
                return held or brought  # the page at hand, where the next one can't be had
            target = onward(brought)
            if target is None or target in chain or len(chain) > MAX_REDIRECTS:
                return brought
            held = brought
            chain.append(target)

    def _end(self, chain: list[str]) -> Fetched:
        """What stands at the end of the redirects from the last of `chain`, which collects the addresses on the way."""
        url, answer = chain[0], None
        try:
            while (offset := self._offset(chain[-1])) is not None:
                answer = self._answer(chain[-1], offset)
                target = redirect_target(answer)
                if target is None:
                    return fetched(url, answer)
                if target in chain or len(chain) > MAX_REDIRECTS:
                    return _failure(url, answer, NotJudged(Outcome.REDIRECT_LOOP, f"{answer.said} to {target}"))
                chain.append(target)
        except BodyTooLarge as error:
            return _failure(chain[-1], answer, NotJudged(Outcome.TOO_LARGE, f"{error} from {host_of(chain[-1])}"))
        except (MalformedEncoding, BadRedirect) as error:
            said = NotJudged(Outcome.MALFORMED_ANSWER, f"{error} from {host_of(chain[-1])}")
            return _failure(chain[-1], answer, said)
        where = f"{answer.said} to {chain[-1]}, which is not in" if answer else "not in"
        return _failure(url, answer, NotJudged(Outcome.UNREACHABLE, f"{where} {self._path.name}"))

    def _offset(self, url: str) -> int | None:
        return self._offsets.get(url, self._offsets.get(urldefrag(url).url))

    def _answer(self, url: str, offset: int) -> Answer:
        try:
            with self._path.open("rb") as file:
                file.seek(offset)
                record = next(iter(ArchiveIterator(file, parse_http=True, auto_decode="transfer")))
                return _recorded(url, record, self._max_bytes)
        except (OSError, StopIteration) as error:
            raise MalformedEncoding(f"{self._path.name} has no readable record at byte {offset}") from error


def _failure(url: str, answer: Answer | None, not_judged: NotJudged) -> Failure:
    at = answer.at if answer else datetime.now(UTC)
    return Failure(url, answer.url if answer else url, at, answer.status if answer else None, not_judged)


def _recorded(url: str, record: WarcRecord, max_bytes: int) -> Answer:
    http = record.http_headers
    if http is None or http.status_code is None:
        raise MalformedEncoding("no HTTP answer")
    headers = tuple((name.lower(), clean_header(name.lower(), value)) for name, value in http.to_tuples())
    encoding = next((value for name, value in headers if name == "content-encoding"), "")
    decoder, parts = Decoder(encoding, max_bytes), []
    while chunk := record.reader.read(1 << 16):
        parts.append(decoder.decode(chunk))
    decoder.finish()
    at = record.record_date or datetime.now(UTC)
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return Answer(url, at, http.status_code, clean_header("", http.reason_phrase or ""), headers, b"".join(parts))


def _index(path: Path, report: Report) -> dict[str, int]:
    """Where each address's answer stands in the file."""
    offsets: dict[str, int] = {}
    records = 0
    try:
        with path.open("rb") as file:
            for record in ArchiveIterator(file, parse_http=False):
                records += 1
                uri = (record.headers.get("WARC-Target-URI") or "").strip("<> ")
                if record.record_type == WarcRecordType.response and uri:
                    offsets[uri] = record.stream_pos
                length, held = record.content_length, 0
                while chunk := record.reader.read(1 << 20):
                    held += len(chunk)
                if held < length:  # the last record of a file that was cut off
                    offsets.pop(uri, None)
                    report(
                        f"{path} is cut off in its record {records}; what could be read is replayed. Fetch it again."
                    )
    except OSError as error:
        if error.errno is not None:
            raise InputProblem(f"{path} can't be read: {error.strerror}. Check the path given to --pages.") from error
        if records:
            report(f"{path} is damaged after {records} records; what could be read is replayed.")
    if not records:
        raise InputProblem(f"{path} isn't a WARC file. Give --pages a .warc or .warc.gz file.")
    return offsets
