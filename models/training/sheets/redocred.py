"""Sheets from Re-DocRED: Wikipedia's paragraphs, the Wikidata properties that hold in them, and where they are said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from models.read.page import Block, Page
from models.read.sentences import passages_of, split
from models.statement import EntityValue, Term, TimeValue, Value
from models.training.rows import MALFORMED, BadRows, as_list, json_lines, writable
from models.training.sheets.sheet import Fact, Said, Sheet
from models.values.dates import find_dates

_SPACES = (
    (re.compile(r"\s+([.,;:!?)\]%]|'s\b|n't\b)"), r"\1"),
    (re.compile(r"([(\[$£])\s+"), r"\1"),
    (re.compile(r"(\w)\s+-\s+(\w)"), r"\1-\2"),
    (re.compile(r"(\w)\s+–\s+(\w)"), r"\1–\2"),
)


def redocred_sheets(path: Path, properties: Mapping[str, str]) -> Iterator[Sheet]:
    """A sheet for each document of a file of Re-DocRED's; `properties` are labels by id. Raises `BadRows`."""
    for number, row in json_lines(path):
        try:
            yield _sheet(writable(row), properties)
        except MALFORMED as error:
            raise BadRows(f"{path}, line {number}: not a document of Re-DocRED's ({error})") from error


def plain(text: str) -> str:
    """Tokens joined by spaces as people write them."""
    for spaced, joined in _SPACES:
        text = spaced.sub(joined, text)
    return text


def _sheet(row: Mapping[str, Any], properties: Mapping[str, str]) -> Sheet:
    title, sentences = str(row["title"]), as_list(row["sentences"])
    blocks = (Block(title, "title"), *(Block(plain(one), "text") for one in _paragraphs(sentences)))
    page = Page(title, "en", blocks, passages_of(blocks))
    entities = row["entities"]
    values = [_value(one) for one in entities]
    said: list[Said] = []
    known: list[Fact] = []
    for fact in row["facts"]:
        head, tail, prop = entities[fact["head"]], entities[fact["tail"]], fact["property_id"]
        value = values[fact["tail"]]
        if value is None or prop not in properties or head["type"] in {"TIME", "NUM"}:
            continue
        made = Fact(_term(head), Term(prop, properties[prop]), value)
        known.append(made)
        said += _said(made, head, tail, fact["evidence"], title, sentences)
    return Sheet(page, tuple(said), tuple(known), "redocred")


_PER_BLOCK = 4  # sentences of a paragraph


def _paragraphs(sentences: list[str]) -> list[str]:
    return [" ".join(sentences[at : at + _PER_BLOCK]) for at in range(0, len(sentences), _PER_BLOCK)]


def _said(
    fact: Fact, head: Mapping[str, Any], tail: Mapping[str, Any], evidence: list[int], title: str, sentences: list[str]
) -> list[Said]:
    """Where the annotators say that it is said: sentences with the value, and the subject named there or in the title.

    Other sentences with the value may say it as well, or not: nobody knows, and none of their passages is labelled.
    """
    is_title = title in head["names"]
    where: list[Said] = []
    for sentence in tail["sentences"]:
        if not 0 <= sentence < len(sentences):
            raise IndexError(f"no sentence {sentence}")
        told = sentence in evidence and (sentence in head["sentences"] or is_title)
        where.append(Said(fact, 1 + sentence // _PER_BLOCK, _ours(sentences, sentence) if told else frozenset()))
    return where


def _ours(sentences: list[str], sentence: int) -> frozenset[int]:
    """The sentences of a paragraph, as our splitter counts them, in which one of theirs stands."""
    first = sentence - sentence % _PER_BLOCK
    before = len(plain(" ".join([*sentences[first:sentence], "x"]))) - 1
    until = len(plain(" ".join(sentences[first : sentence + 1])))
    spans = split(plain(" ".join(sentences[first : first + _PER_BLOCK])))
    return frozenset(at for at, (start, end) in enumerate(spans) if start < until and before < end)


def _term(entity: Mapping[str, Any]) -> Term:
    names = tuple(dict.fromkeys(plain(name) for name in entity["names"]))
    return Term("", names[0], names[1:])


def _value(entity: Mapping[str, Any]) -> Value | None:
    """The entity as a value; None for a number, whose unit stands elsewhere, and for a time that isn't one date."""
    if entity["type"] == "NUM":
        return None
    if entity["type"] != "TIME":
        return EntityValue(_term(entity))
    dates = find_dates(plain(entity["names"][0]))
    if len(dates) != 1 or dates[0].span != 1 or dates[0].other or dates[0].bound:
        return None
    date = dates[0]
    precision = 11 if date.day else 10 if date.month else 9
    return TimeValue(date.year, date.month, date.day, precision)
