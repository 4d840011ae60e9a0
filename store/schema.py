"""The tables. PostgreSQL only; what must be unique or present is enforced here, not in Python.

Migrations under `migrations/` create these; a test holds that both agree.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, ClassVar

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Computed,
    DateTime,
    Float,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    Text,
    UniqueConstraint,
    func,
)
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from models.evidence import Stance
from models.outcome import Outcome

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

PAIR_STATES = ("waiting", "leased", "judged", "not_judged", "failed", "retired")
# Why a pair waits, the most urgent first. The first two: what is shown is about another claim than the statement's.
# Then what editors have at the top of their list, lest they spend time on what was mended; then what a person waits
# for, after those since one may ask for thousands; then what nobody has looked at; then what was looked at long ago.
WHY = ("changed", "reworded", "refuted", "asked", "new", "old")
RUN_STATES = ("running", "finished", "stopped", "failed")
DECISIONS = ("supports", "does_not", "cant_tell", "gone", "wrong_statement", "bad_wording")
WORDINGS = ("label", "pattern")
TRIAL_STATES = ("waiting", "running", "done", "failed")
# What came of a pair in a trial: judged; a page that is none to judge by, or no words; the wording isn't for it, so its
# verdict stands; no page of it is kept; something of ours went wrong.
TRIAL_FOUND = ("judged", "not_judged", "same", "not_kept", "failed")
WORKLIST_KINDS = ("items", "pagepile", "sparql")
WORKLIST_STATES = ("waiting", "resolving", "ready", "failed")
PASSAGE_KINDS = ("text", "table", "structured", "value", "graph")
MEASURED_KINDS = ("property", "domain")
TAKEN_OUT_KINDS = ("url", "item")
BULK_KINDS = ("domain", "address")
# As PostgreSQL itself writes it, so that the migrations can be compared.
PRIORITY = (
    "CASE why WHEN 'changed'::text THEN 6 WHEN 'reworded'::text THEN 5 WHEN 'refuted'::text THEN 4 "
    "WHEN 'asked'::text THEN 3 WHEN 'new'::text THEN 2 ELSE 1 END"
)
# The host with its port, where the address has one: what `host` rows are named by.
HOST = (
    "COALESCE(lower(\"substring\"((urls #>> '{0,url}'::text[]), '^[^:/?#]+://(?:[^/?#]*@)?([^/?#]*)'::text)), ''::text)"
)


def one_of(column: str, values: tuple[str, ...]) -> str:
    """The text of a CHECK that holds a column to a closed set."""
    return f"{column} IN ({', '.join(repr(value) for value in values)})"


# What the list of references shows: what was judged, and what isn't where the reference says. Literally, so that the
# planner sees that the index is for it.
FINDINGS = tuple(outcome.value for outcome in Outcome if outcome.is_finding)
LISTED = f"stance IS NOT NULL OR {one_of('outcome', FINDINGS)}"

_OUTCOMES = tuple(outcome.value for outcome in Outcome)
_STANCES = tuple(stance.value for stance in Stance)


class Base(DeclarativeBase):
    """Common settings: names of constraints, and how Python types are stored."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map: ClassVar = {
        str: Text,
        datetime: DateTime(timezone=True),
        list[str]: ARRAY(Text),
        dict[str, Any]: JSONB,
        list[dict[str, Any]]: JSONB,
    }


class Item(Base):
    """The words of an item or a lexeme (as subject, value or unit). `label` is null where there is none.

    `foreign` holds its names in languages beyond the fallback's, by language code.
    `classes` are the ids of what a subject is an instance of (P31), those of preferred rank first, as they were at
    the entity's `revision`.
    """

    __tablename__ = "item"
    id: Mapped[str] = mapped_column(primary_key=True)
    label: Mapped[str | None]
    label_language: Mapped[str | None]
    aliases: Mapped[list[str]] = mapped_column(server_default=sql("'{}'"))
    foreign: Mapped[dict[str, Any]] = mapped_column(server_default=sql("'{}'"))
    description: Mapped[str] = mapped_column(server_default="")
    revision: Mapped[int] = mapped_column(BigInteger, server_default="0")
    classes: Mapped[list[str]] = mapped_column(server_default=sql("'{}'"))
    __table_args__ = (
        # Items, lexemes with their forms and senses, entity schemas; never a property.
        CheckConstraint("id ~ '^[A-OQ-Z][1-9][0-9]*(-[FS][1-9][0-9]*)?$'", name="id_form"),
        Index("ix_item_classes", "classes", postgresql_using="gin"),
    )


class Property(Base):
    """The words of a property (`foreign` as for an item), and the kind of its values."""

    __tablename__ = "property"
    id: Mapped[str] = mapped_column(primary_key=True)
    label: Mapped[str | None]
    label_language: Mapped[str | None]
    aliases: Mapped[list[str]] = mapped_column(server_default=sql("'{}'"))
    foreign: Mapped[dict[str, Any]] = mapped_column(server_default=sql("'{}'"))
    description: Mapped[str] = mapped_column(server_default="")
    datatype: Mapped[str] = mapped_column(server_default="")
    __table_args__ = (CheckConstraint("id ~ '^P[1-9][0-9]*$'", name="id_form"),)


class Statement(Base):
    """A statement as it was last seen. `snak` is the main snak, `qualifiers` as in Wikibase JSON.

    `words` is a digest of the labels that it was put into words by, as a walk last saw them; null where none has.
    """

    __tablename__ = "statement"
    guid: Mapped[str] = mapped_column(primary_key=True)
    item_id: Mapped[str] = mapped_column(ForeignKey("item.id"), index=True)
    property_id: Mapped[str] = mapped_column(ForeignKey("property.id"), index=True)
    snak: Mapped[dict[str, Any]]
    qualifiers: Mapped[dict[str, Any]] = mapped_column(server_default=sql("'{}'"))
    rank: Mapped[str]
    revision: Mapped[int] = mapped_column(BigInteger, server_default="0")
    seen_at: Mapped[datetime] = mapped_column(server_default=func.now())
    words: Mapped[str | None]
    item: Mapped[Item] = relationship()
    property: Mapped[Property] = relationship()
    __table_args__ = (CheckConstraint(one_of("rank", ("preferred", "normal", "deprecated")), name="rank"),)


class Reference(Base):
    """A reference, shared by every statement that cites it alike. `snaks` as in Wikibase JSON."""

    __tablename__ = "reference"
    hash: Mapped[str] = mapped_column(primary_key=True)
    snaks: Mapped[dict[str, Any]]


class Run(Base):
    """One run of the bot: what it was asked to walk, how it ended, and what it counted.

    `counts` holds {"statements", "pairs", "judged", …}; `skipped` reason → number; `place` where to resume.
    `worker` is who runs it, and was last heard of at `seen_at`. With `own_pages` (a replay's) nobody else may judge
    what it queued while it goes on.
    """

    __tablename__ = "run"
    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    source: Mapped[str]
    state: Mapped[str] = mapped_column(server_default="running")
    started_at: Mapped[datetime] = mapped_column(server_default=func.now())
    finished_at: Mapped[datetime | None]
    model_version: Mapped[str]
    counts: Mapped[dict[str, Any]] = mapped_column(server_default=sql("'{}'"))
    skipped: Mapped[dict[str, Any]] = mapped_column(server_default=sql("'{}'"))
    place: Mapped[dict[str, Any] | None]
    error: Mapped[str | None]
    worker: Mapped[str] = mapped_column(server_default="")
    seen_at: Mapped[datetime] = mapped_column(server_default=func.now())
    own_pages: Mapped[bool] = mapped_column(Boolean, server_default=sql("false"))
    __table_args__ = (
        CheckConstraint(one_of("state", RUN_STATES), name="state"),
        CheckConstraint("(state = 'running') = (finished_at IS NULL)", name="finished_when_ended"),
        CheckConstraint("(state = 'failed') = (error IS NOT NULL)", name="error_when_failed"),
    )


class Document(Base):
    """A body that an address brought, kept in the archive: one row for each address and digest.

    `digest` identifies the body; `warc` and `warc_offset` say where its record stands under the archive folder, null
    where it isn't kept any more. `fetched_at` is when the page was first on the web so; `kept_at` is when we recorded
    it or last met it again. `etag` and `last_modified` are what its server gave for asking whether it has changed.
    """

    __tablename__ = "document"
    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    url: Mapped[str]
    url_key: Mapped[str | None] = mapped_column(Computed("md5(url)", persisted=True))
    final_url: Mapped[str]
    domain: Mapped[str]
    fetched_at: Mapped[datetime]
    kept_at: Mapped[datetime] = mapped_column(server_default=func.now())
    status: Mapped[int | None]
    content_type: Mapped[str] = mapped_column(server_default="")
    etag: Mapped[str] = mapped_column(server_default="")
    last_modified: Mapped[str] = mapped_column(server_default="")
    digest: Mapped[str]
    warc: Mapped[str | None]
    warc_offset: Mapped[int | None] = mapped_column(BigInteger)
    __table_args__ = (
        CheckConstraint("(warc IS NULL) = (warc_offset IS NULL)", name="body_has_its_place"),
        # An address may be longer than what an index holds.
        Index("ix_document_url_key_kept_at", "url_key", sql("kept_at DESC")),
        Index("uq_document_url_key_digest", "url_key", "digest", unique=True),
        Index("ix_document_digest", "digest"),
        Index("ix_document_warc_warc_offset", "warc", "warc_offset", postgresql_where=sql("warc IS NOT NULL")),
    )


class Try(Base):
    """One time that an address was asked for, at `tried_at`: the document that came, or the outcome that says why not.

    A document of which nothing can be read has an outcome beside it. `phrase` is the server's own status phrase;
    `chain` has the addresses on the way where there was a redirect, the first being `url` and the last `final_url`.
    `again_at` is when to ask again, null where a document came or only another address helps. `warc` and `warc_offset`
    say where the record of this try stands; `kept_at` is when we recorded it: later than `tried_at` in a replay.
    """

    __tablename__ = "try"
    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    url: Mapped[str]
    url_key: Mapped[str | None] = mapped_column(Computed("md5(url)", persisted=True))
    tried_at: Mapped[datetime]
    kept_at: Mapped[datetime] = mapped_column(server_default=func.now())
    again_at: Mapped[datetime | None]
    status: Mapped[int | None]
    phrase: Mapped[str] = mapped_column(server_default="")
    outcome: Mapped[str | None]
    detail: Mapped[str] = mapped_column(server_default="")
    final_url: Mapped[str]
    chain: Mapped[list[str]] = mapped_column(server_default=sql("'{}'"))
    document_id: Mapped[int | None] = mapped_column(ForeignKey("document.id", ondelete="SET NULL"))
    warc: Mapped[str | None]
    warc_offset: Mapped[int | None] = mapped_column(BigInteger)
    document: Mapped[Document | None] = relationship()
    __table_args__ = (
        CheckConstraint(one_of("outcome", _OUTCOMES), name="outcome"),
        CheckConstraint("(warc IS NULL) = (warc_offset IS NULL)", name="record_has_its_place"),
        CheckConstraint("outcome IS NOT NULL OR status IS NOT NULL", name="answer_or_outcome"),
        Index("uq_try_url_key_tried_at", "url_key", "tried_at", unique=True),
        Index("ix_try_url_key_kept_at", "url_key", sql("kept_at DESC")),
        Index("ix_try_document_id", "document_id"),
        Index("ix_try_kept_at", "kept_at"),
        Index("ix_try_warc_warc_offset", "warc", "warc_offset", postgresql_where=sql("warc IS NOT NULL")),
        Index(
            "ix_try_not_found",
            "url_key",
            "tried_at",
            postgresql_where=sql("outcome = 'not_found' AND document_id IS NULL"),
        ),
    )


class Host(Base):
    """A host of the web (with its port, where that isn't the scheme's own), its pace, and how it has been doing.

    Whoever asks it for something has its turn: `held_by` until `held_until` at the latest, and nobody before `next_at`.
    `wanted_by` waits for a turn since somebody else had it. `failures` are those in a row, since `failing_since`;
    `resting_until` says how long it is left alone, `resting_outcome` and `resting_why` for what. `requests` were made
    on `day` (UTC).
    """

    __tablename__ = "host"
    name: Mapped[str] = mapped_column(primary_key=True)
    delay_s: Mapped[float] = mapped_column(Float)
    next_at: Mapped[datetime] = mapped_column(server_default=func.now())
    held_by: Mapped[str | None]
    held_until: Mapped[datetime | None]
    wanted_by: Mapped[str | None]
    wanted_at: Mapped[datetime | None]
    failures: Mapped[int] = mapped_column(Integer, server_default="0")
    failing_since: Mapped[datetime | None]
    resting_until: Mapped[datetime | None]
    resting_outcome: Mapped[str | None]
    resting_why: Mapped[str] = mapped_column(server_default="")
    day: Mapped[date]
    requests: Mapped[int] = mapped_column(Integer, server_default="0")
    __table_args__ = (
        CheckConstraint("name <> ''", name="named"),
        CheckConstraint("delay_s >= 0", name="delay"),
        CheckConstraint("(held_by IS NULL) = (held_until IS NULL)", name="turn"),
        CheckConstraint("(wanted_by IS NULL) = (wanted_at IS NULL)", name="wanted"),
        CheckConstraint("failures >= 0 AND (failures = 0) = (failing_since IS NULL)", name="failures"),
        CheckConstraint("(resting_until IS NULL) = (resting_outcome IS NULL)", name="rest_has_an_outcome"),
        CheckConstraint(one_of("resting_outcome", _OUTCOMES), name="resting_outcome"),
        CheckConstraint("requests >= 0", name="requests"),
        {"postgresql_with": {"fillfactor": 50}},  # its rows change all the time
    )


class Robots(Base):
    """The robots.txt of an origin ("https://example.org"), as it was at `asked_at`; it stands until `fresh_until`.

    `text` is null where there are no rules; `outcome` says why nothing may be read: it couldn't be.
    """

    __tablename__ = "robots"
    origin: Mapped[str] = mapped_column(primary_key=True)
    asked_at: Mapped[datetime] = mapped_column(server_default=func.now())
    fresh_until: Mapped[datetime]
    text: Mapped[str | None]
    outcome: Mapped[str | None]
    detail: Mapped[str] = mapped_column(server_default="")
    __table_args__ = (
        CheckConstraint(one_of("outcome", _OUTCOMES), name="outcome"),
        CheckConstraint("outcome IS NULL OR text IS NULL", name="rules_or_outcome"),
        Index("ix_robots_fresh_until", "fresh_until"),
    )


class Pair(Base):
    """A statement with one of its references: the unit of work, leased in batches.

    States move only along the edges in `pair_edge` (a trigger holds it). `why` says why it was queued last, and gives
    its `priority`: higher goes first. `retired` is what a walk over its item no longer selects: the reference was
    removed, or isn't judged any more; none of its verdicts is current.
    `urls` is a list of {"url", "via"} in the order to try; `domain` is that of the first as editors name it, `host` the
    host that is asked for it, and `url_key` stands for the address, so that the pairs of one page can be leased
    together. `tries` counts those since a verdict with a
    stance; `next_at` is when to try next, null where only a change of the statement or its reference helps.
    `leased_by` and `leased_until` are set while leased; a lease that has run out may be taken by anyone.
    """

    __tablename__ = "pair"
    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    guid: Mapped[str] = mapped_column(ForeignKey("statement.guid"))
    ref_hash: Mapped[str] = mapped_column(ForeignKey("reference.hash"), index=True)
    run_id: Mapped[int] = mapped_column(ForeignKey("run.id"), index=True)
    urls: Mapped[list[dict[str, Any]]]
    domain: Mapped[str] = mapped_column(index=True)
    url_key: Mapped[str | None] = mapped_column(Computed("md5(urls #>> '{0,url}')", persisted=True))
    state: Mapped[str] = mapped_column(server_default="waiting")
    host: Mapped[str | None] = mapped_column(Computed(HOST, persisted=True))
    why: Mapped[str] = mapped_column(server_default="new")
    priority: Mapped[int | None] = mapped_column(SmallInteger, Computed(PRIORITY, persisted=True))
    tries: Mapped[int] = mapped_column(Integer, server_default="0")
    last_error: Mapped[str | None]
    next_at: Mapped[datetime | None] = mapped_column(server_default=func.now())
    leased_by: Mapped[str | None]
    leased_until: Mapped[datetime | None]
    statement: Mapped[Statement] = relationship()
    reference: Mapped[Reference] = relationship()
    __table_args__ = (
        UniqueConstraint("guid", "ref_hash"),
        CheckConstraint(one_of("state", PAIR_STATES), name="state"),
        CheckConstraint(one_of("why", WHY), name="why"),
        CheckConstraint(
            "(state = 'leased') = (leased_by IS NOT NULL) AND (leased_by IS NULL) = (leased_until IS NULL)",
            name="lease",
        ),
        CheckConstraint("state <> 'failed' OR last_error IS NOT NULL", name="failed_says_why"),
        CheckConstraint("state = 'not_judged' OR next_at IS NOT NULL", name="next_at"),
        CheckConstraint("jsonb_typeof(urls) = 'array'", name="urls_are_a_list"),
        Index(
            "ix_pair_work",
            sql("priority DESC"),
            "host",
            "next_at",
            "url_key",
            "id",
            postgresql_where=sql("state IN ('waiting', 'leased', 'failed')"),
        ),
        Index("ix_pair_due", "next_at", postgresql_where=sql("state IN ('waiting', 'leased', 'failed')")),
        Index("ix_pair_retry", "next_at", postgresql_where=sql("state = 'not_judged'")),
        Index("ix_pair_leased_by", "leased_by", postgresql_where=sql("state = 'leased'")),
        Index("ix_pair_url_key", "url_key"),
    )


class PairEdge(Base):
    """A way that a pair's state may go. The migrations fill it, and the trigger `pair_moves` holds pairs to it."""

    __tablename__ = "pair_edge"
    from_state: Mapped[str] = mapped_column(primary_key=True)
    to_state: Mapped[str] = mapped_column(primary_key=True)
    __table_args__ = (
        CheckConstraint(one_of("from_state", PAIR_STATES), name="from_state"),
        CheckConstraint(one_of("to_state", PAIR_STATES), name="to_state"),
    )


class Verdict(Base):
    """What was found for a pair with this claim, document and model: a stance with y, or an outcome.

    `stance` is z and `probability` is y, null where `outcome` says why not; `unsure` where the judge abstains, and
    `stance` is only what it leans to. `benefit` is what the list is ordered by (`store.benefit` keeps it up to date
    while the verdict is current). `language` is the page's, an ISO 639-1 code, null where no page was read or it isn't
    known. One verdict of a pair is current; `stale` is set when the statement has changed since and the pair waits to
    be judged again.
    """

    __tablename__ = "verdict"
    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    pair_id: Mapped[int] = mapped_column(ForeignKey("pair.id"))
    run_id: Mapped[int] = mapped_column(ForeignKey("run.id"), index=True)
    claim: Mapped[str]
    wording: Mapped[str]
    claim_digest: Mapped[str]
    document_id: Mapped[int | None] = mapped_column(ForeignKey("document.id"), index=True)
    document_digest: Mapped[str | None]
    via: Mapped[str | None]
    model_version: Mapped[str]
    stance: Mapped[str | None]
    probability: Mapped[float | None] = mapped_column(Float)
    weighted_sum: Mapped[str | None]
    malon: Mapped[str | None]
    unsure: Mapped[bool] = mapped_column(Boolean, server_default=sql("false"))
    benefit: Mapped[float] = mapped_column(Float, server_default="0")
    language: Mapped[str | None]
    outcome: Mapped[str | None]
    detail: Mapped[str] = mapped_column(server_default="")
    reason: Mapped[str] = mapped_column(server_default="")
    judged_at: Mapped[datetime] = mapped_column(server_default=func.now())
    current: Mapped[bool] = mapped_column(Boolean, server_default=sql("true"))
    stale: Mapped[bool] = mapped_column(Boolean, server_default=sql("false"))
    pair: Mapped[Pair] = relationship()
    document: Mapped[Document | None] = relationship()
    evidence: Mapped[list[EvidenceRow]] = relationship(order_by="EvidenceRow.position")
    __table_args__ = (
        UniqueConstraint(
            "pair_id",
            "claim_digest",
            "document_digest",
            "model_version",
            "outcome",
            name="uq_verdict_identity",
            postgresql_nulls_not_distinct=True,
        ),
        CheckConstraint(one_of("stance", _STANCES), name="stance"),
        CheckConstraint(one_of("outcome", _OUTCOMES), name="outcome"),
        CheckConstraint(
            "(stance IS NULL) = (outcome IS NOT NULL) AND (stance IS NULL) = (probability IS NULL) "
            "AND (stance IS NULL) = (weighted_sum IS NULL) AND (stance IS NULL) = (malon IS NULL) "
            "AND (stance IS NULL OR document_digest IS NOT NULL)",
            name="judged_or_outcome",
        ),
        CheckConstraint("NOT unsure OR stance IS NOT NULL", name="unsure_of_a_stance"),
        CheckConstraint("document_digest IS NULL OR document_id IS NOT NULL", name="digest_of_a_document"),
        CheckConstraint("probability BETWEEN 0 AND 1", name="probability"),
        CheckConstraint(one_of("weighted_sum", _STANCES), name="weighted_sum"),
        CheckConstraint(one_of("malon", _STANCES), name="malon"),
        Index("uq_verdict_current", "pair_id", unique=True, postgresql_where=sql("current")),
        CheckConstraint("benefit >= 0 AND benefit < 'infinity'", name="benefit"),
        Index("ix_verdict_queue", "benefit", "id", postgresql_where=sql(f"current AND ({LISTED})")),
        Index("ix_verdict_language", "language", postgresql_where=sql("current AND language IS NOT NULL")),
        Index("ix_verdict_judged_at", "judged_at"),
        Index("ix_verdict_age", "judged_at", postgresql_where=sql("current AND stance IS NOT NULL")),
        Index(
            "ix_verdict_outcome", "outcome", "benefit", "id", postgresql_where=sql("current AND outcome IS NOT NULL")
        ),
    )


class Request(Base):
    """A person's wish to have an item checked now. `taken_at` is when a bot took it up, `said` what it said of it.

    One wish for an item waits at a time.
    """

    __tablename__ = "request"
    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    item_id: Mapped[str]
    asked_by: Mapped[str]
    asked_at: Mapped[datetime] = mapped_column(server_default=func.now())
    taken_at: Mapped[datetime | None]
    said: Mapped[str] = mapped_column(server_default="")
    __table_args__ = (
        CheckConstraint("item_id ~ '^[QL][1-9][0-9]*$'", name="item"),
        CheckConstraint("asked_by <> ''", name="asker_named"),
        Index("uq_request_waiting", "item_id", unique=True, postgresql_where=sql("taken_at IS NULL")),
    )


class EvidenceRow(Base):
    """One of a verdict's passages, most relevant first. `matches` is a list of `models.evidence.Match` as objects.

    Those of kind `value` say where the page names the value of a statement that wasn't judged: they have no stance.
    """

    __tablename__ = "evidence"
    verdict_id: Mapped[int] = mapped_column(ForeignKey("verdict.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    passage: Mapped[str]
    kind: Mapped[str]
    heading: Mapped[str] = mapped_column(server_default="")
    block: Mapped[int]
    first_sentence: Mapped[int]
    last_sentence: Mapped[int]
    boilerplate: Mapped[bool] = mapped_column(Boolean, server_default=sql("false"))
    relevance: Mapped[float] = mapped_column(Float)
    supports: Mapped[float] = mapped_column(Float)
    refutes: Mapped[float] = mapped_column(Float)
    not_enough_info: Mapped[float] = mapped_column(Float)
    matches: Mapped[list[dict[str, Any]]] = mapped_column(server_default=sql("'[]'"))
    __table_args__ = (
        CheckConstraint("position BETWEEN 1 AND 5", name="position"),
        CheckConstraint("relevance BETWEEN -1 AND 1", name="relevance"),
        CheckConstraint("abs(supports + refutes + not_enough_info - 1) < 1e-3", name="stances_sum_to_one"),
        CheckConstraint(one_of("kind", PASSAGE_KINDS), name="kind"),
        CheckConstraint("kind <> 'value' OR (supports = 0 AND refutes = 0)", name="value_has_no_stance"),
    )


class Bulk(Base):
    """A person's one decision about all open references of a `domain` that died, or to an `address` that became
    something else: `target`. Its rows in `review` have its id. `undone_at` is set when it was taken back as a whole.
    """

    __tablename__ = "bulk"
    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    kind: Mapped[str]
    target: Mapped[str]
    decision: Mapped[str]
    reviewer: Mapped[str]
    made_at: Mapped[datetime] = mapped_column(server_default=func.now())
    undone_at: Mapped[datetime | None]
    pairs: Mapped[int]
    __table_args__ = (
        CheckConstraint(one_of("kind", BULK_KINDS), name="kind"),
        CheckConstraint(one_of("decision", DECISIONS), name="decision"),
        CheckConstraint("target <> '' AND reviewer <> ''", name="named"),
        CheckConstraint("pairs > 0", name="pairs"),
    )


class Review(Base):
    """A person's decision about a verdict. `undone_at` is set when it was taken back; rows are never deleted.

    `bulk_id` names the decision about many at once that it is part of.
    """

    __tablename__ = "review"
    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    verdict_id: Mapped[int] = mapped_column(ForeignKey("verdict.id"))
    decision: Mapped[str]
    reviewer: Mapped[str]
    decided_at: Mapped[datetime] = mapped_column(server_default=func.now())
    undone_at: Mapped[datetime | None]
    bulk_id: Mapped[int | None] = mapped_column(ForeignKey("bulk.id"))
    verdict: Mapped[Verdict] = relationship()
    __table_args__ = (
        CheckConstraint(one_of("decision", DECISIONS), name="decision"),
        CheckConstraint("reviewer <> ''", name="reviewer_named"),
        Index("ix_review_bulk_id", "bulk_id", postgresql_where=sql("bulk_id IS NOT NULL")),
        Index("uq_review_standing", "verdict_id", "reviewer", unique=True, postgresql_where=sql("undone_at IS NULL")),
        Index("ix_review_reviewer_id", "reviewer", "id", postgresql_where=sql("undone_at IS NULL")),
    )


class Override(Base):
    """How editors word a property: a label in place of its own, or a sentence pattern.

    `subject_class` says for which subjects: those that are instances of it, or all (null). Rows are only added; the
    newest of a property and class is current. `text` null means "no override from here on" (a removal, kept as
    history). `restored_from` names the version that was brought back; `why` is what its author says of it.
    """

    __tablename__ = "override"
    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    property_id: Mapped[str] = mapped_column(ForeignKey("property.id"))
    subject_class: Mapped[str | None] = mapped_column(ForeignKey("item.id"))
    wording: Mapped[str | None]
    text: Mapped[str | None]
    author: Mapped[str]
    saved_at: Mapped[datetime] = mapped_column(server_default=func.now())
    restored_from: Mapped[int | None] = mapped_column(ForeignKey("override.id"))
    current: Mapped[bool] = mapped_column(Boolean, server_default=sql("true"))
    why: Mapped[str] = mapped_column(server_default="")
    __table_args__ = (
        CheckConstraint("char_length(why) <= 500", name="why_is_short"),
        CheckConstraint(
            "wording IS DISTINCT FROM 'pattern' "
            r"OR regexp_replace(text, '\{(subject|object|P[1-9][0-9]*)\}', '', 'g') !~ '[{}]'",
            name="pattern_gaps",
        ),
        CheckConstraint(one_of("wording", WORDINGS), name="wording"),
        CheckConstraint("(wording IS NULL) = (text IS NULL) AND text <> ''", name="wording_with_text"),
        CheckConstraint(
            "wording IS DISTINCT FROM 'pattern' "
            "OR (position('{subject}' IN text) > 0 AND position('{object}' IN text) > 0)",
            name="pattern_names_both",
        ),
        CheckConstraint("author <> ''", name="author_named"),
        Index(
            "uq_override_current",
            "property_id",
            "subject_class",
            unique=True,
            postgresql_where=sql("current"),
            postgresql_nulls_not_distinct=True,
        ),
    )


class Trial(Base):
    """A wording that is tried on real pairs before it is saved: asked for by a person, judged by a worker.

    `subject_class`, `wording` and `text` as in `override`; without a text Citewell's own wording is tried. While
    `running` it is leased by `taken_by` until `leased_until`; `tries` counts how often it was taken up. It touches no
    verdict and no pair.
    """

    __tablename__ = "trial"
    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    property_id: Mapped[str] = mapped_column(ForeignKey("property.id"))
    subject_class: Mapped[str | None] = mapped_column(ForeignKey("item.id"))
    wording: Mapped[str | None]
    text: Mapped[str | None]
    asked_by: Mapped[str]
    asked_at: Mapped[datetime] = mapped_column(server_default=func.now())
    state: Mapped[str] = mapped_column(server_default="waiting")
    taken_by: Mapped[str | None]
    leased_until: Mapped[datetime | None]
    tries: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    model_version: Mapped[str | None]
    finished_at: Mapped[datetime | None]
    error: Mapped[str | None]
    __table_args__ = (
        CheckConstraint(one_of("state", TRIAL_STATES), name="state"),
        CheckConstraint(one_of("wording", WORDINGS), name="wording"),
        CheckConstraint("(wording IS NULL) = (text IS NULL) AND text <> ''", name="wording_with_text"),
        CheckConstraint("asked_by <> ''", name="asker_named"),
        CheckConstraint(
            "(state = 'running') = (taken_by IS NOT NULL) AND (taken_by IS NULL) = (leased_until IS NULL)", name="lease"
        ),
        CheckConstraint("(state IN ('done', 'failed')) = (finished_at IS NOT NULL)", name="finished_when_ended"),
        CheckConstraint("(state = 'failed') = (error IS NOT NULL)", name="error_when_failed"),
        Index(
            "uq_trial_open",
            "property_id",
            "asked_by",
            unique=True,
            postgresql_where=sql("state IN ('waiting', 'running')"),
        ),
        Index("ix_trial_open", "id", postgresql_where=sql("state IN ('waiting', 'running')")),
        Index("ix_trial_property_id_id", "property_id", "id"),
        Index("ix_trial_asked_at", "asked_at"),
    )


class TrialPair(Base):
    """One pair of a trial. `verdict_id` is the verdict that stood when it was tried; `found` says what came of it.

    `claim` is the statement in the words that are tried, null where it has none or they aren't for it.
    """

    __tablename__ = "trial_pair"
    trial_id: Mapped[int] = mapped_column(ForeignKey("trial.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    pair_id: Mapped[int] = mapped_column(ForeignKey("pair.id", ondelete="CASCADE"), index=True)
    verdict_id: Mapped[int | None] = mapped_column(ForeignKey("verdict.id", ondelete="SET NULL"), index=True)
    found: Mapped[str | None]
    claim: Mapped[str | None]
    document_digest: Mapped[str | None]
    stance: Mapped[str | None]
    probability: Mapped[float | None] = mapped_column(Float)
    unsure: Mapped[bool] = mapped_column(Boolean, server_default=sql("false"))
    outcome: Mapped[str | None]
    detail: Mapped[str] = mapped_column(server_default="")
    reason: Mapped[str] = mapped_column(server_default="")
    __table_args__ = (
        CheckConstraint(one_of("found", TRIAL_FOUND), name="found"),
        CheckConstraint(one_of("stance", _STANCES), name="stance"),
        CheckConstraint(one_of("outcome", _OUTCOMES), name="outcome"),
        CheckConstraint("probability BETWEEN 0 AND 1", name="probability"),
        CheckConstraint(
            "(found IS NOT DISTINCT FROM 'judged') = (stance IS NOT NULL) "
            "AND (stance IS NULL) = (probability IS NULL) AND (NOT unsure OR stance IS NOT NULL)",
            name="judged",
        ),
        CheckConstraint("(found IS NOT DISTINCT FROM 'not_judged') = (outcome IS NOT NULL)", name="not_judged"),
    )


class PropertyWeight(Base):
    """How much the statements of a property weigh in the list, as config.yaml says (`queue.weights`); 1 without a row.

    The property may not have been met yet. `counted`: its verdicts' benefit has been recounted since.
    """

    __tablename__ = "property_weight"
    property_id: Mapped[str] = mapped_column(primary_key=True)
    weight: Mapped[float] = mapped_column(Float)
    counted: Mapped[bool] = mapped_column(Boolean, server_default=sql("false"))
    __table_args__ = (
        CheckConstraint("property_id ~ '^P[1-9][0-9]*$'", name="property"),
        CheckConstraint("weight >= 0 AND weight <= 100", name="weight"),
    )


class Measured(Base):
    """How well a model does on labelled pairs that it wasn't fitted on: the head of its figures, by its version.

    `total` pairs, `unsupported` of them not supported; `how` says in words on which folds. `kept_at` is when the model
    was last put to work with these figures.
    """

    __tablename__ = "measured"
    model_version: Mapped[str] = mapped_column(primary_key=True)
    total: Mapped[int]
    unsupported: Mapped[int]
    how: Mapped[str]
    kept_at: Mapped[datetime] = mapped_column(server_default=func.now())
    __table_args__ = (
        CheckConstraint("model_version <> ''", name="model_named"),
        CheckConstraint("total > 0 AND unsupported BETWEEN 0 AND total", name="counts"),
    )


class MeasuredError(Base):
    """The error for one property (`name` is its id) or domain: of `pairs`, so many judged `wrong`, so many `unsure`.

    They are means over several measurements, so no whole numbers.
    """

    __tablename__ = "measured_error"
    model_version: Mapped[str] = mapped_column(
        ForeignKey("measured.model_version", ondelete="CASCADE"), primary_key=True
    )
    kind: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    label: Mapped[str] = mapped_column(server_default="")
    pairs: Mapped[float] = mapped_column(Float)
    wrong: Mapped[float] = mapped_column(Float)
    unsure: Mapped[float] = mapped_column(Float)
    __table_args__ = (
        CheckConstraint(one_of("kind", MEASURED_KINDS), name="kind"),
        CheckConstraint("name <> '' AND (kind <> 'property' OR name ~ '^P[1-9][0-9]*$')", name="name"),
        CheckConstraint("pairs > 0 AND pairs < 'infinity'", name="pairs"),
        CheckConstraint("wrong BETWEEN 0 AND pairs", name="wrong"),
        CheckConstraint("unsure BETWEEN 0 AND pairs", name="unsure"),
    )


class MeasuredReliability(Base):
    """Of the `pairs` whose y lies from `low` to `high`: the mean y that was `said`, the share `found` supported."""

    __tablename__ = "measured_reliability"
    model_version: Mapped[str] = mapped_column(
        ForeignKey("measured.model_version", ondelete="CASCADE"), primary_key=True
    )
    low: Mapped[float] = mapped_column(Float, primary_key=True)
    high: Mapped[float] = mapped_column(Float)
    pairs: Mapped[float] = mapped_column(Float)
    said: Mapped[float] = mapped_column(Float)
    found: Mapped[float] = mapped_column(Float)
    __table_args__ = (
        CheckConstraint("low >= 0 AND low < high AND high <= 1", name="bounds"),
        CheckConstraint("pairs > 0 AND pairs < 'infinity'", name="pairs"),
        CheckConstraint("said BETWEEN 0 AND 1 AND found BETWEEN 0 AND 1", name="shares"),
    )


class MeasuredRisk(Base):
    """The share judged wrong (`risk`) among the surest pairs, when that share of all (`coverage`) is judged."""

    __tablename__ = "measured_risk"
    model_version: Mapped[str] = mapped_column(
        ForeignKey("measured.model_version", ondelete="CASCADE"), primary_key=True
    )
    coverage: Mapped[float] = mapped_column(Float, primary_key=True)
    risk: Mapped[float] = mapped_column(Float)
    __table_args__ = (
        CheckConstraint("coverage > 0 AND coverage <= 1", name="coverage"),
        CheckConstraint("risk BETWEEN 0 AND 1", name="risk"),
    )


class History(Base):
    """From `at` on, until the pair's next row, that verdict was the pair's current one; null: none was, it retired.

    Triggers write it, when another verdict than before becomes current. `revision` is the statement's at that moment.
    """

    __tablename__ = "history"
    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    pair_id: Mapped[int] = mapped_column(ForeignKey("pair.id"))
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    verdict_id: Mapped[int | None] = mapped_column(ForeignKey("verdict.id"))
    revision: Mapped[int] = mapped_column(BigInteger, server_default="0")
    __table_args__ = (Index("ix_history_pair_id_id", "pair_id", "id"),)


class Refreshed(Base):
    """When figures that are counted now and then were last counted, and how long that took."""

    __tablename__ = "refreshed"
    name: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    seconds: Mapped[float] = mapped_column(Float)
    __table_args__ = (CheckConstraint("seconds >= 0", name="seconds"),)


class TakenOut(Base):
    """A page or an item that was taken out on request: what, by whom, when and why, and nothing of what it held.

    `target` is the address or the item's id. `done_at` is set when all of it was out; from `allowed_at` on it may come
    in again. Rows are only added.
    """

    __tablename__ = "taken_out"
    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    kind: Mapped[str]
    target: Mapped[str]
    by: Mapped[str]
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    reason: Mapped[str] = mapped_column(server_default="")
    done_at: Mapped[datetime | None]
    allowed_at: Mapped[datetime | None]
    allowed_by: Mapped[str | None]
    __table_args__ = (
        CheckConstraint(one_of("kind", TAKEN_OUT_KINDS), name="kind"),
        CheckConstraint("target <> ''", name="target_named"),
        CheckConstraint("by <> '' AND allowed_by <> ''", name="person_named"),
        CheckConstraint("(allowed_at IS NULL) = (allowed_by IS NULL)", name="allowed_by_a_person"),
        Index(
            "uq_taken_out_standing", "kind", sql("md5(target)"), unique=True, postgresql_where=sql("allowed_at IS NULL")
        ),
    )


class TakenOutAddress(Base):
    """An address that is kept out with a page, by the SHA-256 of its key (`store.address_key`)."""

    __tablename__ = "taken_out_address"
    taken_out_id: Mapped[int] = mapped_column(ForeignKey("taken_out.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    __table_args__ = (Index("ix_taken_out_address_key", "key"),)


class Worklist(Base):
    """Items that a person wants to go through together: `source` is what was pasted, a PagePile's number, or a query.

    A worker resolves it into rows of `worklist_item`: while `resolving` it is leased by `taken_by` until
    `leased_until`; `tries` counts how often it was taken up, and it isn't before `next_at`. `error` says why it failed,
    or why it is tried again; `said` what is worth knowing of what came out. `resolved_at` is when its items were last
    put. A list that is removed stays, with who removed it.
    """

    __tablename__ = "worklist"
    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    name: Mapped[str]
    kind: Mapped[str]
    source: Mapped[str]
    made_by: Mapped[str]
    made_at: Mapped[datetime] = mapped_column(server_default=func.now())
    state: Mapped[str] = mapped_column(server_default="waiting")
    taken_by: Mapped[str | None]
    leased_until: Mapped[datetime | None]
    tries: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    next_at: Mapped[datetime] = mapped_column(server_default=func.now())
    resolved_at: Mapped[datetime | None]
    error: Mapped[str | None]
    said: Mapped[str] = mapped_column(server_default="")
    removed_at: Mapped[datetime | None]
    removed_by: Mapped[str | None]
    __table_args__ = (
        CheckConstraint(one_of("kind", WORKLIST_KINDS), name="kind"),
        CheckConstraint(one_of("state", WORKLIST_STATES), name="state"),
        CheckConstraint("btrim(name) <> '' AND char_length(name) <= 200", name="name"),
        CheckConstraint("btrim(source) <> ''", name="source"),
        CheckConstraint("kind <> 'pagepile' OR source ~ '^[1-9][0-9]{0,11}$'", name="number_of_a_pile"),
        CheckConstraint("made_by <> '' AND removed_by <> ''", name="person_named"),
        CheckConstraint(
            "(state = 'resolving') = (taken_by IS NOT NULL) AND (taken_by IS NULL) = (leased_until IS NULL)",
            name="lease",
        ),
        CheckConstraint("tries >= 0", name="tries"),
        CheckConstraint("state <> 'ready' OR resolved_at IS NOT NULL", name="resolved_when_ready"),
        CheckConstraint("state <> 'failed' OR error IS NOT NULL", name="error_when_failed"),
        CheckConstraint("state <> 'ready' OR error IS NULL", name="no_error_when_ready"),
        CheckConstraint("error <> ''", name="error_said"),
        CheckConstraint("(removed_at IS NULL) = (removed_by IS NULL)", name="removed_by_a_person"),
        Index(
            "ix_worklist_open",
            "next_at",
            "id",
            postgresql_where=sql("state IN ('waiting', 'resolving') AND removed_at IS NULL"),
        ),
    )


class WorklistItem(Base):
    """An item of a worklist, in the list's own order. Citewell may not have met it yet."""

    __tablename__ = "worklist_item"
    worklist_id: Mapped[int] = mapped_column(ForeignKey("worklist.id", ondelete="CASCADE"), primary_key=True)
    item_id: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int]
    __table_args__ = (
        CheckConstraint("item_id ~ '^[QL][1-9][0-9]*$'", name="item"),
        CheckConstraint("position > 0", name="position"),
        Index("ix_worklist_item_item_id", "item_id"),
    )
