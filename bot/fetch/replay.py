"""Pages replayed from a WARC file, with no network at all."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urldefrag

from fastwarc.warc import ArchiveIterator, WarcRecord

from bot.fetch import Ask, Failure, Fetched
from bot.fetch.answer import Answer, BadRedirect, clean_header, fetched, host_of, redirect_target
from bot.fetch.encoding import BodyTooLarge, Decoder, MalformedEncoding
from bot.fetch.warc_index import Standing, index
from bot.problem import InputProblem
from bot.sources import Report
from models.document import Document
from models.outcome import NotJudged, Outcome
from models.read.onward import onward

MAX_REDIRECTS = 10
TOLD = 5  # damages

# What our own archive's records say: the address where it ended, those on the way, and headers that were of the wire.
FINAL_URL, CHAIN, AWAY = "Citewell-Final-URI", "Citewell-Chain", "x-archive-orig-"


class Replay:
    """Gives the pages of one WARC file, found by their address; of several answers, the newest counts.

    Raises `InputProblem` where the file can't be read or isn't a WARC file. What of it is damaged or cut off is told to
    `report` when all that could be read was.
    """

    def __init__(self, path: Path, max_bytes: int, report: Report) -> None:
        self._path, self._max_bytes = path, max_bytes
        self._answers = _answers(path, report)

    def __len__(self) -> int:
        return len(self._answers)

    def fetch(self, asks: Collection[Ask]) -> Mapping[str, Fetched]:
        """What the file holds for each of the addresses; unreachable is what isn't in it."""
        return {url: self._fetch(url) for url in dict.fromkeys(ask.url for ask in asks)}

    def _fetch(self, url: str) -> Document | Failure:
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

    def _end(self, chain: list[str]) -> Document | Failure:
        """What stands at the end of the redirects from the last of `chain`, which collects the addresses on the way."""
        answer = None
        try:
            while (standing := self._standing(chain[-1])) is not None:
                if standing.body_at is None:
                    said = f"the page that {self._path.name} refers to at byte {standing.offset:,} is not in it"
                    return _failure(chain, answer, NotJudged(Outcome.UNREACHABLE, said))
                answer, way = self._answer(chain[-1], standing.body_at, standing.at or datetime.now(UTC))
                chain += way
                target = redirect_target(answer)
                if target is None:
                    return fetched(chain, answer)
                if target in chain or len(chain) > MAX_REDIRECTS or way:
                    said = f"{answer.said} to {target}"
                    return _failure(chain, answer, NotJudged(Outcome.REDIRECT_LOOP, said))
                chain.append(target)
        except BodyTooLarge as error:
            said = f"{error} from {host_of(chain[-1])}"
            return _failure(chain, answer, NotJudged(Outcome.TOO_LARGE, said))
        except (MalformedEncoding, BadRedirect) as error:
            said = f"{error} from {host_of(chain[-1])}"
            return _failure(chain, answer, NotJudged(Outcome.MALFORMED_ANSWER, said))
        where = f"{answer.said} to {chain[-1]}, which is not in" if answer else "not in"
        return _failure(chain, answer, NotJudged(Outcome.UNREACHABLE, f"{where} {self._path.name}"))

    def _standing(self, url: str) -> Standing | None:
        return self._answers.get(url, self._answers.get(urldefrag(url).url))

    def _answer(self, url: str, offset: int, at: datetime) -> tuple[Answer, list[str]]:
        """The answer at a place, and by which further addresses it says that it came."""
        try:
            with self._path.open("rb") as file:
                file.seek(offset)
                record = next(iter(ArchiveIterator(file, parse_http=True, auto_decode="transfer")))
                return _recorded(url, record, self._max_bytes, at)
        except (OSError, StopIteration) as error:
            raise MalformedEncoding(f"{self._path.name} has no readable record at byte {offset}") from error


def _failure(chain: list[str], answer: Answer | None, not_judged: NotJudged) -> Failure:
    url, end, way = chain[0], chain[-1], tuple(chain)
    if answer is None:
        return Failure(url, end, datetime.now(UTC), None, not_judged, way)
    return Failure(url, end, answer.at, answer.status, not_judged, way, answer.reason)


def _recorded(url: str, record: WarcRecord, max_bytes: int, at: datetime) -> tuple[Answer, list[str]]:
    """The answer in a record, and by which addresses it came after `url`, where it is one of our own archive's."""
    http = record.http_headers
    if http is None or http.status_code is None:
        raise MalformedEncoding("no HTTP answer")
    end = record.headers.get(FINAL_URL)
    given = ((name.lower(), value) for name, value in http.to_tuples())
    named = [(name.removeprefix(AWAY) if end else name, value) for name, value in given]
    headers = tuple((name, clean_header(name, value)) for name, value in named)
    encoding = next((value for name, value in headers if name == "content-encoding"), "") if not end else ""
    decoder, parts = Decoder(encoding, max_bytes), []
    while chunk := record.reader.read(1 << 16):
        parts.append(decoder.decode(chunk))
    decoder.finish()
    reason = clean_header("", http.reason_phrase or "")
    way = _way(url, str(record.headers.get(CHAIN) or "").split(), end) if end else []
    return Answer(way[-1] if way else url, at, http.status_code, reason, headers, b"".join(parts)), way


def _way(url: str, chain: list[str], end: str) -> list[str]:
    """The addresses after `url` up to where it ended."""
    way = chain[1:] if chain and chain[0] == url else []
    return way if way and way[-1] == end else [*way, *([end] if end != url else [])]


def _answers(path: Path, report: Report) -> Mapping[str, Standing]:
    """Where each address's answer stands in the file."""
    try:
        found = index(path)
    except OSError as error:
        raise InputProblem(f"{path} can't be read: {error.strerror}. Check the path given to --pages.") from error
    if not found.records:
        raise InputProblem(f"{path} isn't a WARC file. Give --pages a .warc or .warc.gz file.")
    for damage in found.damages[:TOLD]:
        what = "is cut off" if damage.kind == "cut" else "is damaged"
        report(f"{path} {what} at byte {damage.offset:,}: {damage.length:,} bytes of it can't be read ({damage.why}).")
    if found.damages:
        more = f" It is damaged at {len(found.damages)} places." if len(found.damages) > TOLD else ""
        held = f"{found.records:,} records with {len(found.answers):,} pages"
        report(f"{path}: what could be read, {held}, is replayed.{more} Fetch the file again, if you can.")
    return found.answers
