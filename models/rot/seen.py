"""What a page shows of itself and of a statement's subject: what the signs of link rot are read from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote

from models.read.language import SUPPORTED
from models.read.page import Block, Page, Signs
from models.rot.addresses import is_error, is_gate, is_kin, moved, split
from models.rot.phrases import ABSENT, CONSENT, LOGIN
from models.statement import Statement, Term, TimeValue, Value
from models.values.found import NAMED
from models.values.match import PassageMatch
from models.values.whose import is_namesake
from models.values.words import words_of

_DAY = 11  # precision
_HEADS = 8  # the title and the first headings
_LEAD = 30  # blocks of the page's own text in which it says what it is
_WHOSE = 0.6  # from which a passage speaks of the subject: by its name, its heading, or as a record about it
_TOLD = 0.6  # a score of the subject from which a block speaks of it
_SHORT = 240  # characters; what a page says of itself it says shortly
_HINTED = 0.3  # a score of the subject from which some word of its name was found
_RECORD = 600  # characters of own text from which a page has something to say


@dataclass(frozen=True, slots=True)
class Head:
    """A title or heading, casefolded, and how surely it names the subject, in [0, 1]."""

    text: str
    subject: float


@dataclass(frozen=True, slots=True)
class Seen:
    """A page as one statement's citation of it.

    `heads` are its title and first headings; `lead` is how the first blocks of its own text begin, casefolded. `own`
    counts the characters of its own text, `linked` is the share of these in links, in [0, 1]; `entries` counts its own
    blocks that are mostly a link, and `facts` those that are rows of a record. `named` says how surely the subject is
    named anywhere, in [0, 1]; it is a `stranger` where no part of the page has half of the telling words of any of its
    names. `told` counts the characters of own text below the heads that names it. `valued`: the page names the value;
    `states`: it does so where it speaks of the subject, or the page is about the value and names the subject, or the
    value is one that hardly stands there by chance; what a page in another language states nobody has read.
    `gated`: the page stands at another address that leads on to the one that was asked for; `missing`: its address is
    a site's for what isn't there; `kin`: the last telling part of the address that was asked for comes again in it.
    `one_of_many`: the subject stands in one short entry among many. `other_life`: the page gives lives, and none is the
    subject's; `other_kind`: its heads name a lake where the subject is the mount of that name, and the like;
    `numbered`: they name it with a number of their own, as the second of the name or a sequel. `lifetime` are the years
    in the subject's description, `years` those in the page's own text.
    """

    heads: tuple[Head, ...]
    lead: tuple[str, ...]
    own: int
    linked: float
    entries: int
    facts: int
    named: float
    stranger: bool
    valued: bool
    states: bool
    told: int
    gated: bool
    missing: bool
    kin: bool
    one_of_many: bool
    other_life: bool
    other_kind: bool
    numbered: bool
    lifetime: frozenset[int]
    years: frozenset[int]
    asked: SplitResult
    came: SplitResult
    signs: Signs

    @property
    def title(self) -> str:
        """The first of the heads, or ""."""
        return self.heads[0].text if self.heads else ""

    @property
    def headed(self) -> float:
        """How surely the heads name the subject, in [0, 1]."""
        return max((head.subject for head in self.heads), default=0.0)

    def headed_beside(self, words: re.Pattern[str]) -> float:
        """The same by those heads that don't hold any of the words: what a page repeats of a search isn't about it."""
        return max((head.subject for head in self.heads if not words.search(head.text)), default=0.0)

    def said(self, words: re.Pattern[str]) -> list[str]:
        """The different heads and lead texts that hold any of the words, heads first."""
        texts = dict.fromkeys((*(head.text for head in self.heads), *self.lead))
        return [text for text in texts if words.search(text)]

    def in_heads(self, words: re.Pattern[str], most: int = 2) -> bool:
        """Whether one of the first `most` heads holds any of the words."""
        return any(words.search(head.text) for head in self.heads[:most])

    @property
    def moved(self) -> bool:
        """True where another page answered than was asked for: more than the scheme, "www." or a slash changed."""
        return moved(self.asked, self.came)

    @property
    def is_thin(self) -> bool:
        """True where the page has too little of its own to say much about anything."""
        return self.own < _RECORD


def see(page: Page, statement: Statement, matches: Sequence[PassageMatch]) -> Seen:
    """Look at a page with a statement's matches, one for each of its passages in order."""
    own = [block for block in page.blocks if _is_own(block)]
    characters = sum(len(block.text) for block in own)
    linked = sum(len(block.text) * block.linked for block in own)
    stated = [
        match.value_score * (match.whose >= _WHOSE)
        for match, passage in zip(matches, page.passages, strict=True)
        if not passage.boilerplate
    ]
    asked, came = split(page.signs.url), split(page.signs.final_url or page.signs.url)
    heads, told = tuple(_heads(page, matches)), _telling_blocks(page, matches)
    valued = max((match.value_score for match in matches), default=0.0)
    named = max((match.subject_score for match in matches), default=0.0)
    return Seen(
        heads=heads,
        lead=tuple(block.text[:_SHORT].casefold() for block in own[:_LEAD]),
        own=characters,
        linked=linked / characters if characters else 0.0,
        entries=sum(block.linked > 0.5 for block in own),
        facts=sum(_is_fact(block) for block in own),
        named=named,
        stranger=named < _HINTED and _is_stranger(statement.item, page),
        valued=valued >= NAMED,
        states=page.language in SUPPORTED
        and (
            max(stated, default=0.0) >= NAMED
            or (valued >= NAMED and _is_rare(statement.value))
            or (named >= NAMED and _is_headed_by_value(page, matches))
        ),
        told=sum(len(page.blocks[index].text) for index in told),
        gated=is_gate(asked, came),
        missing=is_error(asked, came),
        kin=is_kin(asked, came),
        one_of_many=_is_one_of_many(page, told),
        other_life=is_namesake(statement.item, [block.text[:_SHORT] for block in own[:_LEAD]]),
        other_kind=any(_is_of_other_kind(statement.item, head.text) for head in heads[:2]),
        numbered=any(_is_numbered(statement.item, head.text) for head in heads[:2]),
        lifetime=_years(statement.item.description),
        years=frozenset(year for block in own for year in _years(block.text)),
        asked=asked,
        came=came,
        signs=page.signs,
    )


def _is_rare(value: Value) -> bool:
    """Whether a value hardly stands on a page by chance: a day."""
    return isinstance(value, TimeValue) and value.precision >= _DAY


_OF_THE_SITE = (ABSENT, LOGIN, CONSENT)  # "Join us to see what Ada posts" tells nothing of her


def _is_headed_by_value(page: Page, matches: Sequence[PassageMatch]) -> bool:
    """Whether a title or heading names the value: then the page is about that, and the subject stands in it."""
    return any(
        match.value_score >= NAMED and page.blocks[passage.block].kind in {"title", "heading"}
        for match, passage in zip(matches, page.passages, strict=True)
    )


def _is_of_the_site(text: str) -> bool:
    return len(text) <= _SHORT and any(words.search(text.casefold()) for words in _OF_THE_SITE)


def _telling_blocks(page: Page, matches: Sequence[PassageMatch]) -> set[int]:
    return {
        passage.block
        for match, passage in zip(matches, page.passages, strict=True)
        if match.subject_score >= _TOLD
        and not passage.boilerplate
        and passage.kind != "structured"
        and page.blocks[passage.block].kind not in {"title", "heading"}
        and not _is_of_the_site(page.blocks[passage.block].text)
    }


_THINGS = frozenset(
    (
        "mount mountain peak hill lake pond river creek stream brook island isle bay cape point valley glacier pass "
        "ridge forest park reserve village town district parish county church chapel abbey castle manor bridge station "
        "school college hospital museum mill lighthouse dam canal road street tower house hall"
    ).split()
)


def _is_of_other_kind(item: Term, head: str) -> bool:
    """Whether a head has the subject's proper name with a word for another kind of thing."""
    own, there = words_of(item.label or "").vocabulary, words_of(head).vocabulary
    proper, kinds = own - _THINGS, own & _THINGS
    return bool(proper and kinds) and proper <= there and bool(there & _THINGS) and not kinds & there


_NUMBER = r"\s+(?:\(\d{1,2}\)|(?:ii|iii|iv|vi{0,3}|[2-9])\b)(?![.,]?\d|\s*(?:results|works|records|of))"


def _is_numbered(item: Term, head: str) -> bool:
    """Whether a head has one of the subject's names with a number behind it that isn't the name's own."""
    names = (name.casefold() for name in item.names if len(name) > _SHORTEST)
    return any(re.search(rf"(?<!\w){re.escape(name)}{_NUMBER}", head) for name in names)


_SHORTEST = 3  # characters of a name that a number behind it is told from
_YEAR = re.compile(r"(?<!\w)(?<!\d[,.])(?:1\d|20)\d\d(?!\w|[.,]\d)")


def _years(text: str) -> frozenset[int]:
    return frozenset(int(year) for year in _YEAR.findall(text))


_UNFILLED = re.compile(r"\{\{[^{}]{0,200}\}\}")  # the place of a value in a page that a script was to fill


def _is_own(block: Block) -> bool:
    return not block.boilerplate and block.kind not in {"title", "structured"} and not _UNFILLED.search(block.text)


_FACT = re.compile(r"[^\W\d_][^:\n]{1,40}: ?\S")
_MASKED = re.compile(r"[•█]{2}|\*{4}|x{5}")


def _is_fact(block: Block) -> bool:
    if _MASKED.search(block.text):
        return False
    return block.kind in {"table", "definition"} or bool(_FACT.match(block.text))


_ENTRY = 80  # characters of an entry in a list
_MANY = 7


def _is_one_of_many(page: Page, told: set[int]) -> bool:
    """Whether the subject stands in one short entry only, and many such stand in a row. `told`: where it does."""
    if len(told) != 1:
        return False
    at = next(iter(told))
    around = [_is_entry(block) for block in page.blocks[max(0, at - _MANY) : at + _MANY + 1]]
    lines = page.blocks[at].text.count("\n") + 1
    return lines >= _MANY or (_is_entry(page.blocks[at]) and sum(around) >= _MANY)


def _is_entry(block: Block) -> bool:
    return not block.boilerplate and len(block.text) <= _ENTRY and block.kind in {"list", "table", "text"}


def _heads(page: Page, matches: Sequence[PassageMatch]) -> Iterator[Head]:
    subject: dict[int, float] = {}
    for match, passage in zip(matches, page.passages, strict=True):
        subject[passage.block] = max(subject.get(passage.block, 0.0), match.subject_score)
    own = (index for index, block in enumerate(page.blocks) if block.kind == "title" or _is_heading(block))
    for index, _ in zip(own, range(_HEADS), strict=False):
        yield Head(page.blocks[index].text[:_SHORT].casefold(), subject.get(index, 0.0))


def _is_heading(block: Block) -> bool:
    return block.kind == "heading" and not block.boilerplate


_NAMESPACE = re.compile(r"^\w+:(?=\S)")
_ASIDE = re.compile(r"\s*\([^()]*\)")  # what tells namesakes apart: "(film 1940)"


def _is_stranger(item: Term, page: Page) -> bool:
    """Whether no block of the page has half of the telling words of any of the subject's names."""
    names = [telling for name in item.names if (telling := _telling(name))]
    return bool(names) and not any(_shares(telling, text) for text in _texts(page) for telling in names)


def _texts(page: Page) -> Iterator[str]:
    yield page.title
    if page.signs.final_url != page.signs.url:  # the address that was asked for says nothing of what came
        yield _SEPARATOR.sub(" ", unquote(page.signs.final_url))
    for block in page.blocks:
        if not block.boilerplate:
            yield block.text


_SEPARATOR = re.compile(r"[-_/+.=&?]")


def _telling(name: str) -> frozenset[str]:
    """The words of a name that tell it from others: the longer ones and those with digits, where it has any."""
    words = words_of(_ASIDE.sub("", _NAMESPACE.sub("", name))).words
    return frozenset(word for word in words if len(word) > 3 or any(map(str.isdigit, word))) or frozenset(words)


def _shares(telling: frozenset[str], text: str) -> bool:
    there = words_of(text).vocabulary
    return sum(_stands(word, there) for word in telling) >= len(telling) / 2


def _stands(word: str, there: frozenset[str]) -> bool:
    """Whether a word, or one that begins like it (a plural, a case), is there."""
    if word in there:
        return True
    stem = word[: max(4, len(word) - 2)]
    return len(word) > 4 and any(other.startswith(stem) and len(other) <= len(word) + 2 for other in there)
