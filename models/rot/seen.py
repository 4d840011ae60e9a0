"""What a page shows of itself and of a statement's subject: what the signs of link rot are read from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote

from models.read.language import SUPPORTED
from models.read.page import Block, Page, Signs
from models.rot.addresses import is_error, is_gate, is_kin, moved, split
from models.rot.phrases import ABSENT, CONSENT, LOGIN, PARKED
from models.statement import Statement, Term, TimeValue, Value
from models.values.found import NAMED, Found
from models.values.match import PassageMatch
from models.values.whose import hands_on, is_namesake, lifespans
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
    named anywhere, in [0, 1]; `half_headed`: the first heads have half of the telling words of one of its names; it is
    a `stranger` where no part of the page has. `told` counts the characters of own text below the heads that names it.
    `valued`: the page names the value; `states`: it does so where it speaks of the subject, or the page is about the
    value and names the subject, or the value is one that hardly stands there by chance; what a page in another language
    states nobody has read. `gated`: the page stands at another address that leads on to the one that was asked for;
    `missing`: its address is a site's for what isn't there; `kin`: the last telling part of the address that was asked
    for comes again in it; `at_home`: the site bears the subject's name in its own. `one_of_many`: the subject stands in
    one short entry among many. `other_life`: where the page speaks of whom it bears the name of, it gives a birth or a
    life, and it isn't the subject's; `other_kind`: its heads name a lake where the subject is the mount of that name,
    and the like; `counterpart`: they name the new where the subject is the old; `numbered`: they name it with a number
    of their own, as the second of the name or a sequel; `other_year`: they give a year with it that is far from the
    subject's, as those of a remake; `by_another`: it is a work by somebody else than the subject is described by.
    `of_its_year`: a year of the subject's description stands in the page's own text.
    """

    heads: tuple[Head, ...]
    lead: tuple[str, ...]
    own: int
    linked: float
    entries: int
    facts: int
    named: float
    half_headed: bool
    stranger: bool
    valued: bool
    states: bool
    told: int
    gated: bool
    missing: bool
    kin: bool
    at_home: bool
    one_of_many: bool
    other_life: bool
    other_kind: bool
    counterpart: bool
    numbered: bool
    other_year: bool
    by_another: bool
    of_its_year: bool
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
    years = frozenset(year for block in own for year in _years(block.text))
    lead = tuple(block.text[:_SHORT].casefold() for block in own[:_LEAD])
    heads, told = tuple(_heads(page, matches)), _telling_blocks(page, matches)
    valued = max((match.value_score for match in matches), default=0.0)
    named = max((match.subject_score for match in matches), default=0.0)
    return Seen(
        heads=heads,
        lead=lead,
        own=characters,
        linked=linked / characters if characters else 0.0,
        entries=sum(block.linked > 0.5 for block in own),
        facts=sum(_is_fact(block) for block in own),
        named=named,
        half_headed=any(_shares(telling, head.text) for head in heads[:2] for telling in _tellings(statement.item)),
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
        at_home=asked.hostname == came.hostname and _is_in_host(statement.item, came.hostname or ""),
        one_of_many=_is_one_of_many(page, told),
        other_life=_is_other_life(statement.item, page, matches),
        other_kind=any(_is_of_other_kind(statement.item, head.text) for head in heads[:2]),
        counterpart=any(_is_counterpart(statement.item, head.text) for head in heads[:2]),
        numbered=any(_is_numbered(statement.item, head.text) for head in heads[:2]),
        other_year=_is_of_other_year(statement.item, heads[:2], years),
        by_another=_is_by_another(statement.item, page, heads, lead),
        of_its_year=bool(_years(statement.item.description) & years),
        asked=asked,
        came=came,
        signs=page.signs,
    )


def _is_rare(value: Value) -> bool:
    """Whether a value hardly stands on a page by chance: a day."""
    return isinstance(value, TimeValue) and value.precision >= _DAY


_OF_THE_SITE = (ABSENT, LOGIN, CONSENT, PARKED)  # "Join us to see what Ada posts" tells nothing of her


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


_COUNTERPARTS = (
    ("old", "new"),
    ("north", "south"),
    ("northern", "southern"),
    ("east", "west"),
    ("eastern", "western"),
    ("upper", "lower"),
    ("great", "little"),
    ("greater", "lesser"),
    ("inner", "outer"),
)


def _is_counterpart(item: Term, head: str) -> bool:
    """Whether a head has a name of the subject with the opposite of a word in it: the New Church for the Old."""
    there = words_of(head).vocabulary
    return any(
        one in name and other in there and one not in there and other not in name and name - {one} <= there
        for name in (words_of(name).vocabulary for name in item.names)
        for pair in _COUNTERPARTS
        for one, other in (pair, pair[::-1])
    )


_FROM = 5  # years by which the year behind a title is that of another work


def _is_of_other_year(item: Term, heads: Sequence[Head], years: frozenset[int]) -> bool:
    """Whether a head has a name of the subject with a year in brackets behind it, far from any year of the subject's.

    `years` are the page's own.
    """
    own = _years(item.description)
    if not own or own & years:
        return False
    names = [re.escape(name.casefold()) for name in item.names if len(name) > _SHORTEST]
    told = [
        said
        for head in heads
        for name in names
        for said in re.findall(rf"(?<!\w){name} \((1\d{{3}}|20\d\d)\)", head.text)
    ]
    return bool(told) and all(abs(int(year) - mine) > _FROM for year in told for mine in own)


_WORK = re.compile(
    r"\b(?:album|film|novel|song|book|single|ep|play|poem|series|game|story|opera|essay)\b[^()]*? by ([^(),]+)$",
    re.IGNORECASE,
)
_RECORDED = re.compile(r"\b(?:album|song|single|ep)\b", re.IGNORECASE)
_BY = re.compile(r"(?:^|(?<=[\w’'\")]) |, )by ([^\W\d_][^|,;()]{2,60})")


def _is_by_another(item: Term, page: Page, heads: Sequence[Head], lead: Sequence[str]) -> bool:
    """Whether nothing on the page is like the name of the work's maker, and a title or a line of its own names another.

    A page about a record always says who plays, so there the maker's absence is enough.
    """
    maker = _WORK.search(item.description)
    if not maker:
        return False
    telling = _telling(maker[1])
    said = (
        bool(_RECORDED.search(maker[0]))
        or any(_BY.search(head.text) for head in heads[:2])
        or any(re.match(r"by [^\W\d_]", text) for text in lead[:_HEADS])
    )
    return said and not any(_stands(word, words_of(text).vocabulary) for text in _texts(page) for word in telling)


_NUMBER = r"\s+(?:\(\d{1,2}\)|(?:ii|iii|iv|vi{0,3}|[2-9])\b)(?![.,]?\d|\s*(?:results|works|records|of))"


def _is_numbered(item: Term, head: str) -> bool:
    """Whether a head has one of the subject's names with a number behind it that isn't the name's own."""
    names = (name.casefold() for name in item.names if len(name) > _SHORTEST)
    return any(re.search(rf"(?<!\w){re.escape(name)}{_NUMBER}", head) for name in names)


_SHORTEST = 3  # characters of a name that a number behind it is told from
_YEAR = re.compile(r"(?<!\w)(?<!\d[,.])(?:1\d|20)\d\d(?!\w|[.,]\d)")


def _years(text: str) -> frozenset[int]:
    return frozenset(int(year) for year in _YEAR.findall(text))


_YEAR_OF = r"[^\n]{0,60}?(?<!\d)(1\d{3}|20\d\d)(?!\d)"
_BORN = re.compile(rf"\W*(?:born|birth|b\.|\*|date of birth|year of birth|d\.?o\.?b)(?!\w){_YEAR_OF}", re.IGNORECASE)
_WAS_BORN = re.compile(rf"[^\n]{{0,20}}?\bborn\b{_YEAR_OF}", re.IGNORECASE)
_LAUNCHED = re.compile(rf"(?:^|[;,.]\s)(?:launched|laid down)\b{_YEAR_OF}", re.IGNORECASE)
_SOMEBODY = re.compile(r"\b(?:he|she|they|who|this (?:web)?site)\b", re.IGNORECASE)
_BORN_IN = re.compile(r"\b(?:born|b\.|launched|laid down) (?:c\. |in )?(1\d{3}|20\d\d)\b")
_APART = 15  # years that hardly a source errs by


def _is_other_life(item: Term, page: Page, matches: Sequence[PassageMatch]) -> bool:
    """Whether the page tells of a life that isn't the subject's, where it speaks of whom it bears the name of.

    That is behind the name, and in rows that begin with a birth: a donor's or a sitter's life may stand on any page.
    Where an end of the subject's own life stands beside it, nothing is sure.
    """
    own = [(p, match) for match, p in zip(matches, page.passages, strict=True) if not p.boilerplate]
    lives, births = lifespans([item.description]), _begun(item.description)
    years = {year for p, _ in own for year in _years(p.text)}
    if years & {*births, *(year for life in lives for year in life)}:
        return False
    if lives and any(_is_of_other_years(item, p.text[:_SHORT]) for p, _ in own):
        return True
    told = {year for p, match in own for year in _births(p.text, match.subject or _name_in(item, p.text))}
    return bool(told) and bool(births) and all(abs(year - birth) > _APART for year in told for birth in births)


def _begun(description: str) -> frozenset[int]:
    """The years of birth or launch that a description gives."""
    return frozenset(first for first, _ in lifespans([description])) or frozenset(
        map(int, _BORN_IN.findall(description))
    )


_LIFESPAN = re.compile(r"(?:1\d{3}|20\d\d)\s*[-–—]\s*(?:1\d{3}|20\d\d)")
_AROUND = 12  # characters of titles and commas about a name


def _is_of_other_years(item: Term, text: str) -> bool:
    """Whether a text gives one of the subject's names with the life of somebody else behind it."""
    for span in _LIFESPAN.finditer(text):
        for name in item.names:
            before = words_of(text[max(0, span.start() - len(name) - _AROUND) : span.start()]).vocabulary
            if (telling := _telling(name)) and telling <= before and is_namesake(item, [span.group()]):
                return True
    return False


def _name_in(item: Term, text: str) -> Found | None:
    """Where one of the subject's names stands as it is: what is said to be another's life bears it too."""
    for name in item.names:
        if len(name) > _SHORTEST and (at := text.find(name)) >= 0:
            return Found(at, at + len(name), "exact")
    return None


def _births(text: str, subject: Found | None) -> Iterator[int]:
    """The years of birth or launch that a text gives of what the page is about."""
    for said in (_BORN.match(text), _LAUNCHED.search(text)):
        if said and not _SOMEBODY.search(text):
            yield int(said[1])
    said = _WAS_BORN.match(text, subject.end) if subject else None
    if subject and said and not hands_on(text, subject, Found(*said.span(1), "exact")):
        yield int(said[1])


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
    names = _tellings(item)
    return bool(names) and not any(_shares(telling, text) for text in _texts(page) for telling in names)


def _tellings(item: Term) -> list[frozenset[str]]:
    return [telling for name in item.names if (telling := _telling(name))]


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


def _is_in_host(item: Term, host: str) -> bool:
    """Whether a host has the first telling word of one of the subject's names in its own."""
    return any(
        word in host
        for name in item.names
        for word in sorted(_telling(name), key=name.casefold().find)[:1]
        if len(word) > 4
    )


def _stands(word: str, there: frozenset[str]) -> bool:
    """Whether a word, or one that begins like it (a plural, a case), is there."""
    if word in there:
        return True
    stem = word[: max(4, len(word) - 2)]
    return len(word) > 4 and any(other.startswith(stem) and len(other) <= len(word) + 2 for other in there)
