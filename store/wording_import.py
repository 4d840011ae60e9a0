"""Bringing in a file of wordings: first what it would change, then all of it in one transaction.

The file stands for the properties that it names: what they have here and not there is removed. Other properties are
left alone, unless the file is to stand for all. Where something of a property can't be used, nothing of it is removed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from models.verbalise import Complaint, Override
from store import schema
from store.overrides import check_override, current_overrides, remove, save_override
from store.terms import load_terms
from store.wording_file import Mistake, WordingFile, Wordings, write

Kind = Literal["added", "changed", "removed"]


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of the wording of a property for the subjects of a class (None: for all); `line` 0 for a removal."""

    kind: Kind
    property_id: str
    subject_class: str | None
    before: Override | None
    after: Override | None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """What a file would change, how many wordings stay as they are, and what of it is refused."""

    changes: tuple[Change, ...]
    same: int
    refused: tuple[Mistake, ...]

    @property
    def digest(self) -> str:
        """Stands for the changes: what is saved is what was shown."""
        return hashlib.sha256(repr(self.changes).encode("utf-8", "surrogatepass")).hexdigest()[:32]

    def of(self, kind: Kind) -> tuple[Change, ...]:
        """The changes of a kind."""
        return tuple(change for change in self.changes if change.kind == kind)


@dataclass(slots=True)
class Done:
    """What an import did: its changes, and how many pairs wait to be judged again."""

    changes: tuple[Change, ...] = ()
    queued: int = field(default=0)


def export(session: Session, property_id: str | None = None) -> str:
    """The wordings in force as a file: of all properties that have any, or of one, also where that has none."""
    worded = {property_id} if property_id else set(_worded(session))
    wordings: Wordings = current_overrides(session, worded)
    ids = {*wordings, *(name for overrides in wordings.values() for name in overrides if name)}
    term = load_terms(session, ids)
    return write(wordings, {name: term(name).label for name in ids})


def plan(session: Session, file: WordingFile, *, all_properties: bool = False) -> Plan:
    """What the file would change now; with `all_properties` it also takes out wordings of those it doesn't name."""
    mistakes = list(file.mistakes)
    worded = set(_worded(session))
    named = set(file.properties)
    known = set(session.scalars(select(schema.Property.id).where(schema.Property.id.in_(named))))
    for name in sorted(named - known):
        unknown = Complaint("%(property)s isn't a property that any statement here uses", property=name)
        mistakes.append(Mistake(file.properties[name], name, unknown))
    now = current_overrides(session, known | worded)
    changes, same, wanted = [], 0, set()
    for entry in file.entries:
        if entry.property_id not in known:
            continue
        before, override = now[entry.property_id].get(entry.subject_class), _trimmed(entry.override)
        wanted.add((entry.property_id, entry.subject_class))
        if before == override:
            same += 1
        elif complaint := _complaint(session, entry.property_id, override, entry.subject_class):
            mistakes.append(Mistake(entry.line, entry.property_id, complaint))
        else:
            kind: Kind = "changed" if before else "added"
            changes.append(Change(kind, entry.property_id, entry.subject_class, before, override, entry.line))
    spoiled = {mistake.property_id for mistake in mistakes}
    whole = worded if all_properties and "" not in spoiled else set()
    changes += [
        Change("removed", name, subject_class, before, None)
        for name in _sorted((known | whole) - spoiled)
        for subject_class, before in now[name].items()
        if (name, subject_class) not in wanted
    ]
    return Plan(tuple(changes), same, tuple(sorted(mistakes, key=lambda mistake: mistake.line)))


def carry_out(session: Session, plan: Plan, author: str, why: str) -> Done:
    """Make all changes of a plan, by one author with one reason. Raises `store.overrides.OverrideRefused`."""
    done = Done(plan.changes)
    # In the order of the properties, so that two imports at once don't wait for each other.
    for change in sorted(plan.changes, key=lambda change: (_number(change.property_id), change.subject_class or "")):
        name, whom, after = change.property_id, change.subject_class, change.after
        if after is None:
            saved = remove(session, name, author, whom, why)
        else:
            saved = save_override(session, name, after.wording, after.text, author, whom, why)
        done.queued += saved.queued
    return done


def _worded(session: Session) -> Collection[str]:
    """The properties that have a wording in force."""
    return session.scalars(
        select(schema.Override.property_id).where(schema.Override.current, schema.Override.text.is_not(None)).distinct()
    ).all()


def _complaint(session: Session, property_id: str, override: Override, subject_class: str | None) -> Complaint | None:
    complaint = check_override(session, property_id, override.wording, override.text, subject_class)
    if complaint is None and override.wording == "label":
        names = load_terms(session, [property_id])(property_id).names
        if override.text not in names:
            return Complaint("“%(text)s” is no name that Wikidata has for it.", text=override.text[:100])
    return complaint


def _trimmed(override: Override) -> Override:
    return Override(override.wording, override.text.strip())


def _number(property_id: str) -> tuple[int, str]:
    return len(property_id), property_id


def _sorted(names: Collection[str]) -> list[str]:
    return sorted(names, key=_number)
