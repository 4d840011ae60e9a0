"""Entities through the API of a Wikibase, by pywikibot: its throttle, maxlag and tries are Wikimedia's own manners.

pywikibot is imported only when this is used: it reads its settings from the environment as it is imported.
"""

from __future__ import annotations

import logging
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bot.problem import InputProblem, RunFailed
from bot.progress import Show, unseen
from bot.sources import Report
from bot.sources.entity import Entity, MalformedEntity, check_entity, entity_terms
from bot.sources.formatter import PropertyFacts, property_facts
from models.statement import Term

BATCH = 50  # ids in one request: what Wikidata allows without special rights
TRIES = 5
RETRY_WAIT_S = 5
_ERRNO = re.compile(r"\[Errno -?\d+\] ([^'\"()\[\]]+)")


class WikibaseApi:
    """One Wikibase, asked for entities in batches. Caches and throttle records are kept in `folder`."""

    def __init__(self, url: str, agent: str, folder: Path, report: Report, tries: int = TRIES) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc or not parts.path.endswith("/api.php"):
            raise InputProblem(
                f"source.api must be the address of an api.php, like https://www.wikidata.org/w/api.php: {url!r}"
            )
        self.host = parts.netloc
        self._url = url
        self._pywikibot = _pywikibot(agent, folder, report, tries)

    def entities(self, ids: Iterable[str]) -> Iterator[tuple[str, Entity | None]]:
        """Each id with its entity: None where there is none; where an id redirects, the entity's own id is another.

        Raises `RunFailed` where the API can't be reached or refuses.
        """
        for batch in _batches(ids):
            found = self._ask(batch)
            for identifier in batch:
                # Where an id and one that redirects to it are asked for together, the answer may name only one of them.
                raw = found[identifier] if identifier in found else self._ask([identifier]).get(identifier)
                yield identifier, None if raw is None or "missing" in raw else self._checked(raw)

    def _checked(self, raw: object) -> Entity:
        try:
            return check_entity(raw)
        except MalformedEntity as error:
            raise RunFailed(f"{self.host} gave an entity that can't be read: {error}.") from error

    def _ask(self, ids: Sequence[str]) -> Mapping[str, Any]:
        """The entities of one answer, each also under the id that redirects to it."""
        parameters = {"action": "wbgetentities", "ids": list(ids), "redirects": "yes"}
        try:
            site = _site(self._pywikibot, self._url)
            answer = self._pywikibot.data.api.Request(site=site, parameters=parameters, use_get=True).submit()
        except (OSError, ValueError, self._pywikibot.exceptions.Error) as error:
            raise RunFailed(f"The API of {self.host} didn't answer: {_said(error)}. Try again later.") from error
        found = answer.get("entities") if isinstance(answer, Mapping) else None
        if not isinstance(found, Mapping):
            raise RunFailed(f"{self.host} gave an answer without entities. Try again later.")
        redirects = {
            entity["redirects"]["from"]: entity
            for entity in found.values()
            if "from" in (entity.get("redirects") or {})
        }
        return {**found, **redirects}


def _said(error: Exception) -> str:
    """What went wrong in one line: the system's own words where a library wraps them in its names of things."""
    text = " ".join(str(error).split())
    system = _ERRNO.search(text)
    return system[1].strip() if system else text[:300].rstrip(".") or type(error).__name__


def _batches(ids: Iterable[str]) -> Iterator[list[str]]:
    unique = list(dict.fromkeys(ids))
    for start in range(0, len(unique), BATCH):
        yield unique[start : start + BATCH]


def _pywikibot(agent: str, folder: Path, report: Report, tries: int) -> Any:
    """pywikibot with our settings, and no user-config.py."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["PYWIKIBOT_NO_USER_CONFIG"] = "2"
    pywikibot: Any = import_module("pywikibot")
    import_module("pywikibot.data.api")
    settings: Any = import_module("pywikibot.config")
    settings.base_dir = str(folder)  # without a user-config.py it would write where we happen to be
    settings.user_agent_format = agent + " {pwb} {http_backend}"
    settings.max_retries, settings.retry_wait = tries, RETRY_WAIT_S
    pywikibot.bot.init_handlers()
    _report_by(report)
    return pywikibot


def _site(pywikibot: Any, url: str) -> Any:
    """A site for any api.php, with no family file; pywikibot remembers it, and asks it who we are the first time."""
    name = "wikibase" + "".join(character if character.isalnum() else "_" for character in urlsplit(url).netloc)
    return pywikibot.Site(name, pywikibot.family.AutoFamily(name, url))


class _Reporter(logging.Handler):
    """Passes on what pywikibot warns of, a line each; its stack traces are for its own authors."""

    def __init__(self, report: Report) -> None:
        super().__init__(logging.WARNING)
        self._report = report

    def emit(self, record: logging.LogRecord) -> None:
        line = record.getMessage().strip().split("\n", 1)[0]
        if "Traceback" not in line:
            self._report(line)


def _report_by(report: Report) -> None:
    logger = logging.getLogger("pywiki")
    logger.propagate = False
    logger.handlers[:] = [_Reporter(report)]


class ApiSource:
    """Walks entities named by id, through the API."""

    def __init__(
        self,
        api: WikibaseApi,
        name: str,
        ids: Iterable[str],
        languages: tuple[str, ...],
        report: Report,
        *,
        wanted: Collection[str] | None = None,
        meter: Show = unseen,
    ) -> None:
        """`meter` shows how many of the `ids` have come."""
        self._api, self._name, self._ids = api, name, tuple(ids)
        self._languages, self._report, self._meter = languages, report, meter
        self._wanted = None if wanted is None else frozenset(guid.lower() for guid in wanted)
        self._notes: Counter[str] = Counter()
        self._absent: set[str] = set()
        self._facts: dict[str, PropertyFacts] = {}
        self._terms: dict[str, Term] = {}

    @property
    def name(self) -> str:
        """What was asked for, in a few words."""
        return self._name

    @property
    def notes(self) -> Mapping[str, int]:
        """Redirects followed and entities that don't exist, counted."""
        return dict(self._notes)

    @property
    def absent(self) -> frozenset[str]:
        """Ids asked for that don't exist any more, or redirect to others."""
        return frozenset(self._absent)

    @property
    def wanted(self) -> frozenset[str] | None:
        """GUIDs of the statements asked for, in lower case; None where every statement of the entities is."""
        return self._wanted

    def entities(self) -> Iterator[Entity]:
        """The entities asked for, each once; redirects are followed and reported."""
        given: set[str] = set()
        for identifier, entity in self._metered(self._ids):
            if entity is None:
                self._notes["missing_entities"] += 1
                self._absent.add(identifier)
                self._report(f"{identifier} doesn't exist on {self._api.host}.")
                continue
            if entity["id"] != identifier:
                self._notes["redirects"] += 1
                self._absent.add(identifier)
                self._report(f"{identifier} redirects to {entity['id']}, which is walked in its place.")
            if entity["id"] not in given:
                given.add(entity["id"])
                self._learn(entity)
                yield entity

    def _metered(self, ids: Sequence[str]) -> Iterator[tuple[str, Entity | None]]:
        with self._meter("Asking for entities", len(ids)) as more:
            for found in self._api.entities(ids):
                yield found
                more(1)

    def properties(self, ids: Collection[str]) -> Mapping[str, PropertyFacts]:
        """Facts of properties, each asked for once."""
        for _, entity in self._api.entities(sorted(set(ids) - self._facts.keys())):
            if entity is not None:
                self._facts[entity["id"]] = property_facts(entity)
                self._learn(entity)
        return {name: self._facts[name] for name in ids if name in self._facts}

    def terms(self, ids: Collection[str]) -> Iterator[Term]:
        """The words of ids, those of an entity that redirects under the id that was asked for."""
        missing = sorted({name.split("-", 1)[0] for name in set(ids) - self._terms.keys()})
        for identifier, entity in self._api.entities(missing):
            if entity is None:
                continue
            self._learn(entity)
            if entity["id"] != identifier and (term := self._terms.get(entity["id"])):
                self._terms[identifier] = replace(term, id=identifier)
        for name in ids:
            if name in self._terms:
                yield self._terms[name]

    def _learn(self, entity: Entity) -> None:
        self._terms |= {term.id: term for term in entity_terms(entity, self._languages)}
