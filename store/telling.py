"""Which real statements of a property show the most of a wording: each with something that the others haven't."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import select, text
from sqlalchemy.orm import Session, contains_eager

from models.statement import MalformedValue, Statement
from store import schema
from store.terms import build_statement, load_terms, statement_ids

LOOKED_AT = 600
_LONG_LABEL = 40


def sample_statements(
    session: Session, property_id: str, n: int, subject_class: str | None = None, first: str | None = None
) -> list[Statement]:
    """Up to `n` statements of a property (with `subject_class`, about its instances) that show how a wording reads.

    Of the first `LOOKED_AT` that are found, those that differ most: in the shape of their value, their qualifiers, the
    words they are about, and how they were judged. Such with labels, and with a page to judge them by, come first; the
    statement with the GUID `first` before all, where it is one of them.
    """
    rows = _pool(session, property_id, subject_class, first)
    judged = _judged(session, [row.guid for row in rows])
    return _built(session, _telling(rows, judged, first), n)


def _pool(session: Session, property_id: str, subject_class: str | None, first: str | None) -> list[schema.Statement]:
    of_class = [schema.Item.classes.contains([subject_class])] if subject_class else []
    wanted = (
        select(schema.Statement)
        .join(schema.Statement.item)
        .options(contains_eager(schema.Statement.item))
        .where(schema.Statement.property_id == property_id, *of_class)
        .execution_options(populate_existing=True)
    )
    rows = {row.guid: row for row in session.scalars(wanted.limit(LOOKED_AT))}  # in no order: there may be a million
    if first is not None and first not in rows:
        rows |= {row.guid: row for row in session.scalars(wanted.where(schema.Statement.guid == first))}
    return [rows[guid] for guid in sorted(rows)]


def _judged(session: Session, guids: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """How the pairs of statements with a kept page were judged."""
    return {row.guid: frozenset(row.found) for row in session.execute(_JUDGED, {"guids": list(guids)})}


_JUDGED = text("""
SELECT pair.guid, array_agg(CASE WHEN verdict.unsure THEN 'unsure' ELSE verdict.stance END) AS found
FROM pair JOIN verdict ON verdict.pair_id = pair.id AND verdict.current
  JOIN document ON document.id = verdict.document_id
WHERE pair.guid = ANY (:guids) AND pair.state <> 'retired' AND document.warc IS NOT NULL
  AND verdict.stance IS NOT NULL
GROUP BY pair.guid
""")


def _telling(
    rows: Sequence[schema.Statement], judged: Mapping[str, frozenset[str]], first: str | None
) -> Iterator[schema.Statement]:
    """The rows, after that with the GUID `first` each time the one that shows most of what none before it has shown."""
    left = [(row, _features(row, judged.get(row.guid, frozenset()))) for row in rows]
    seen: dict[str, int] = {}
    while left:
        row, features = best = max(
            left, key=lambda one: (one[0].guid == first, _worth(one[0], one[1], seen, one[0].guid in judged))
        )
        left.remove(best)
        for feature in features:
            seen[feature] = seen.get(feature, 0) + 1
        yield row


def _worth(row: schema.Statement, features: frozenset[str], seen: Mapping[str, int], judged: bool) -> tuple[float, ...]:
    """What a row would add: a thing that was shown often is worth little. Unnamed items are said by no wording."""
    return float(bool(row.item.label)), float(judged) + sum(0.25 ** seen.get(feature, 0) for feature in features)


def _features(row: schema.Statement, judged: frozenset[str]) -> frozenset[str]:
    features = {f"qualifier {name}" for name in row.qualifiers} or {"no qualifiers"}
    features |= {f"{name} several" for name, snaks in row.qualifiers.items() if len(snaks) > 1}
    features |= {f"judged {stance}" for stance in judged}
    features |= {f"class {name}" for name in row.item.classes[:1]}
    label = row.item.label or ""
    features.add("long label" if len(label) > _LONG_LABEL else "label")
    if not label.isascii():
        features.add("label of other letters")
    if row.rank != "normal":
        features.add(f"rank {row.rank}")
    return frozenset(features | set(_shape(row.snak)))


def _shape(snak: Mapping[str, Any]) -> Iterator[str]:
    datavalue = snak.get("datavalue")
    if not isinstance(datavalue, Mapping):
        return
    kind, value = datavalue.get("type"), datavalue.get("value")
    yield f"value {kind}"
    if not isinstance(value, Mapping):
        return
    if kind == "time":
        yield f"precision {value.get('precision')}"
        yield f"calendar {value.get('calendarmodel')}"
        if str(value.get("time", "")).startswith("-"):
            yield "before the common era"
    elif kind == "quantity":
        yield f"unit {value.get('unit')}"
        yield f"bounds {'upperBound' in value}"
    elif kind == "monolingualtext":
        yield f"language {value.get('language')}"


def _built(session: Session, rows: Iterator[schema.Statement], n: int) -> list[Statement]:
    """The first `n` of the rows as statements. What can't be read can't be said by any wording; its pair says so."""
    statements: list[Statement] = []
    while len(statements) < n:
        some = list(islice(rows, n - len(statements)))
        if not some:
            break
        ids = [statement_ids(row.item_id, row.property_id, row.snak, row.qualifiers) for row in some]
        term = load_terms(session, frozenset().union(*ids))
        for row in some:
            try:
                statements.append(build_statement(row, term))
            except MalformedValue:
                continue
    return statements
