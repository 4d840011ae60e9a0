"""The first schema: what is walked, what was read, what was found, and what people decided.

Revision: 0001, after: none
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# As they were when this revision was written; a later change of the sets is a later revision.
PAIR_STATES = ("waiting", "leased", "judged", "not_judged", "failed")
STANCES = ("supports", "refutes", "not_enough_info")
OUTCOMES = (
    "not_found",
    "gone",
    "server_error",
    "rate_limited",
    "unreachable",
    "timed_out",
    "tls",
    "redirect_loop",
    "malformed_answer",
    "blocked",
    "bot_wall",
    "robots",
    "redirected_elsewhere",
    "no_text",
    "wrong_format",
    "unsupported_language",
    "too_large",
    "unsafe_address",
    "no_usable_url",
    "no_label",
)
EDGES = (
    ("waiting", "leased"),
    ("leased", "waiting"),
    ("leased", "judged"),
    ("leased", "not_judged"),
    ("leased", "failed"),
    ("leased", "leased"),  # a lease that ran out, taken over
    ("failed", "leased"),
    ("failed", "waiting"),
    ("judged", "waiting"),
    ("not_judged", "waiting"),
)

PAIR_MOVES = """
CREATE FUNCTION pair_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.state <> NEW.state OR OLD.state = 'leased')
    AND NOT EXISTS (SELECT FROM pair_edge WHERE from_state = OLD.state AND to_state = NEW.state)
  THEN
    RAISE EXCEPTION 'pair %: a pair that is % cannot become %', OLD.id, OLD.state, NEW.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'pair_moves';
  END IF;
  IF OLD.state = 'leased' AND NEW.state = 'leased' AND OLD.leased_until > now() THEN
    RAISE EXCEPTION 'pair %: leased by % until %', OLD.id, OLD.leased_by, OLD.leased_until
      USING ERRCODE = 'check_violation', CONSTRAINT = 'pair_moves';
  END IF;
  RETURN NEW;
END
$$
"""

PAIR_MOVES_TRIGGER = """
CREATE TRIGGER pair_moves BEFORE UPDATE ON pair FOR EACH ROW
WHEN ((OLD.state, OLD.leased_by) IS DISTINCT FROM (NEW.state, NEW.leased_by))
EXECUTE FUNCTION pair_moves()
"""


def one_of(column: str, values: tuple[str, ...]) -> str:
    """The text of a CHECK that holds a column to a closed set."""
    return f"{column} IN ({', '.join(repr(value) for value in values)})"


def upgrade() -> None:
    op.create_table(
        "document",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("final_url", sa.Text(), nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("fetched_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("content_type", sa.Text(), server_default="", nullable=False),
        sa.Column("digest", sa.Text(), nullable=True),
        sa.Column("warc", sa.Text(), nullable=True),
        sa.Column("warc_offset", sa.BigInteger(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), server_default="", nullable=False),
        sa.CheckConstraint(one_of("outcome", OUTCOMES), name=op.f("ck_document_outcome")),
        sa.CheckConstraint("(digest IS NULL) = (outcome IS NOT NULL)", name=op.f("ck_document_body_or_outcome")),
        sa.CheckConstraint(
            "(digest IS NULL) = (warc IS NULL) AND (warc IS NULL) = (warc_offset IS NULL)",
            name=op.f("ck_document_body_is_archived"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document")),
    )
    op.create_index("ix_document_digest", "document", ["digest"], unique=False)
    op.create_index("ix_document_url_kept_at", "document", ["url", sa.literal_column("kept_at DESC")], unique=False)
    op.create_index(
        "uq_document_url_digest",
        "document",
        ["url", "digest"],
        unique=True,
        postgresql_where=sa.text("digest IS NOT NULL"),
    )
    op.create_table(
        "item",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=True),
        sa.Column("label_language", sa.Text(), nullable=True),
        sa.Column("aliases", sa.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("revision", sa.BigInteger(), server_default="0", nullable=False),
        sa.CheckConstraint("id ~ '^[A-OQ-Z][1-9][0-9]*(-[FS][1-9][0-9]*)?$'", name=op.f("ck_item_id_form")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_item")),
    )
    op.create_table(
        "pair_edge",
        sa.Column("from_state", sa.Text(), nullable=False),
        sa.Column("to_state", sa.Text(), nullable=False),
        sa.CheckConstraint(one_of("from_state", PAIR_STATES), name=op.f("ck_pair_edge_from_state")),
        sa.CheckConstraint(one_of("to_state", PAIR_STATES), name=op.f("ck_pair_edge_to_state")),
        sa.PrimaryKeyConstraint("from_state", "to_state", name=op.f("pk_pair_edge")),
    )
    op.create_table(
        "property",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=True),
        sa.Column("label_language", sa.Text(), nullable=True),
        sa.Column("aliases", sa.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("datatype", sa.Text(), server_default="", nullable=False),
        sa.CheckConstraint("id ~ '^P[1-9][0-9]*$'", name=op.f("ck_property_id_form")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_property")),
    )
    op.create_table(
        "reference",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("snaks", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_reference")),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="running", nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("model_version", sa.Text(), nullable=False),
        sa.Column("counts", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("skipped", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("place", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.CheckConstraint("(state = 'failed') = (error IS NOT NULL)", name=op.f("ck_run_error_when_failed")),
        sa.CheckConstraint("(state = 'running') = (finished_at IS NULL)", name=op.f("ck_run_finished_when_ended")),
        sa.CheckConstraint("state IN ('running', 'finished', 'stopped', 'failed')", name=op.f("ck_run_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
    )
    op.create_table(
        "override",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("property_id", sa.Text(), nullable=False),
        sa.Column("wording", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("restored_from", sa.BigInteger(), nullable=True),
        sa.Column("current", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.CheckConstraint(
            "(wording IS NULL) = (text IS NULL) AND text <> ''", name=op.f("ck_override_wording_with_text")
        ),
        sa.CheckConstraint("author <> ''", name=op.f("ck_override_author_named")),
        sa.CheckConstraint("wording IN ('label', 'pattern')", name=op.f("ck_override_wording")),
        sa.CheckConstraint(
            "wording IS DISTINCT FROM 'pattern' "
            "OR (position('{subject}' IN text) > 0 AND position('{object}' IN text) > 0)",
            name=op.f("ck_override_pattern_names_both"),
        ),
        sa.ForeignKeyConstraint(["property_id"], ["property.id"], name=op.f("fk_override_property_id_property")),
        sa.ForeignKeyConstraint(["restored_from"], ["override.id"], name=op.f("fk_override_restored_from_override")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_override")),
    )
    op.create_index(
        "uq_override_current", "override", ["property_id"], unique=True, postgresql_where=sa.text("current")
    )
    op.create_table(
        "statement",
        sa.Column("guid", sa.Text(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("property_id", sa.Text(), nullable=False),
        sa.Column("snak", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column(
            "qualifiers", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'{}'"), nullable=False
        ),
        sa.Column("rank", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("rank IN ('preferred', 'normal', 'deprecated')", name=op.f("ck_statement_rank")),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name=op.f("fk_statement_item_id_item")),
        sa.ForeignKeyConstraint(["property_id"], ["property.id"], name=op.f("fk_statement_property_id_property")),
        sa.PrimaryKeyConstraint("guid", name=op.f("pk_statement")),
    )
    op.create_index(op.f("ix_statement_item_id"), "statement", ["item_id"], unique=False)
    op.create_index(op.f("ix_statement_property_id"), "statement", ["property_id"], unique=False)
    op.create_table(
        "pair",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("guid", sa.Text(), nullable=False),
        sa.Column("ref_hash", sa.Text(), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("urls", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("url_key", sa.Text(), sa.Computed("md5(urls #>> '{0,url}')", persisted=True), nullable=True),
        sa.Column("state", sa.Text(), server_default="waiting", nullable=False),
        sa.Column("priority", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("next_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=True),
        sa.Column("leased_by", sa.Text(), nullable=True),
        sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "(state = 'leased') = (leased_by IS NOT NULL) AND (leased_by IS NULL) = (leased_until IS NULL)",
            name=op.f("ck_pair_lease"),
        ),
        sa.CheckConstraint("jsonb_typeof(urls) = 'array'", name=op.f("ck_pair_urls_are_a_list")),
        sa.CheckConstraint("state <> 'failed' OR last_error IS NOT NULL", name=op.f("ck_pair_failed_says_why")),
        sa.CheckConstraint("state = 'not_judged' OR next_at IS NOT NULL", name=op.f("ck_pair_next_at")),
        sa.CheckConstraint(one_of("state", PAIR_STATES), name=op.f("ck_pair_state")),
        sa.ForeignKeyConstraint(["guid"], ["statement.guid"], name=op.f("fk_pair_guid_statement")),
        sa.ForeignKeyConstraint(["ref_hash"], ["reference.hash"], name=op.f("fk_pair_ref_hash_reference")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_pair_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pair")),
        sa.UniqueConstraint("guid", "ref_hash", name=op.f("uq_pair_guid_ref_hash")),
    )
    op.create_index(op.f("ix_pair_domain"), "pair", ["domain"], unique=False)
    op.create_index(op.f("ix_pair_ref_hash"), "pair", ["ref_hash"], unique=False)
    op.create_index(op.f("ix_pair_run_id"), "pair", ["run_id"], unique=False)
    op.create_index(
        "ix_pair_work",
        "pair",
        [sa.literal_column("priority DESC"), "next_at", "url_key", "id"],
        unique=False,
        postgresql_where=sa.text(one_of("state", PAIR_STATES)),
    )
    op.create_table(
        "verdict",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("pair_id", sa.BigInteger(), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("claim", sa.Text(), nullable=False),
        sa.Column("wording", sa.Text(), nullable=False),
        sa.Column("claim_digest", sa.Text(), nullable=False),
        sa.Column("document_id", sa.BigInteger(), nullable=True),
        sa.Column("document_digest", sa.Text(), nullable=True),
        sa.Column("via", sa.Text(), nullable=True),
        sa.Column("model_version", sa.Text(), nullable=False),
        sa.Column("stance", sa.Text(), nullable=True),
        sa.Column("probability", sa.Float(), nullable=True),
        sa.Column("weighted_sum", sa.Text(), nullable=True),
        sa.Column("malon", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), server_default="", nullable=False),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.Column("judged_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("current", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("stale", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.CheckConstraint(one_of("malon", STANCES), name=op.f("ck_verdict_malon")),
        sa.CheckConstraint(one_of("outcome", OUTCOMES), name=op.f("ck_verdict_outcome")),
        sa.CheckConstraint(one_of("stance", STANCES), name=op.f("ck_verdict_stance")),
        sa.CheckConstraint(one_of("weighted_sum", STANCES), name=op.f("ck_verdict_weighted_sum")),
        sa.CheckConstraint(
            "(stance IS NULL) = (outcome IS NOT NULL) AND (stance IS NULL) = (probability IS NULL) "
            "AND (stance IS NULL) = (weighted_sum IS NULL) AND (stance IS NULL) = (malon IS NULL) "
            "AND (stance IS NULL OR document_digest IS NOT NULL)",
            name=op.f("ck_verdict_judged_or_outcome"),
        ),
        sa.CheckConstraint(
            "document_digest IS NULL OR document_id IS NOT NULL", name=op.f("ck_verdict_digest_of_a_document")
        ),
        sa.CheckConstraint("probability BETWEEN 0 AND 1", name=op.f("ck_verdict_probability")),
        sa.ForeignKeyConstraint(["document_id"], ["document.id"], name=op.f("fk_verdict_document_id_document")),
        sa.ForeignKeyConstraint(["pair_id"], ["pair.id"], name=op.f("fk_verdict_pair_id_pair")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_verdict_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verdict")),
        sa.UniqueConstraint(
            "pair_id",
            "claim_digest",
            "document_digest",
            "model_version",
            "outcome",
            name="uq_verdict_identity",
            postgresql_nulls_not_distinct=True,
        ),
    )
    op.create_index(op.f("ix_verdict_document_id"), "verdict", ["document_id"], unique=False)
    op.create_index(
        "ix_verdict_outcome",
        "verdict",
        ["outcome", "id"],
        unique=False,
        postgresql_where=sa.text("current AND outcome IS NOT NULL"),
    )
    op.create_index(
        "ix_verdict_queue",
        "verdict",
        ["probability", "id"],
        unique=False,
        postgresql_where=sa.text("current AND stance IS NOT NULL"),
    )
    op.create_index(op.f("ix_verdict_run_id"), "verdict", ["run_id"], unique=False)
    op.create_index("uq_verdict_current", "verdict", ["pair_id"], unique=True, postgresql_where=sa.text("current"))
    op.create_table(
        "evidence",
        sa.Column("verdict_id", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("passage", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("heading", sa.Text(), server_default="", nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("first_sentence", sa.Integer(), nullable=False),
        sa.Column("last_sentence", sa.Integer(), nullable=False),
        sa.Column("boilerplate", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("relevance", sa.Float(), nullable=False),
        sa.Column("supports", sa.Float(), nullable=False),
        sa.Column("refutes", sa.Float(), nullable=False),
        sa.Column("not_enough_info", sa.Float(), nullable=False),
        sa.Column("matches", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'[]'"), nullable=False),
        sa.CheckConstraint(
            "abs(supports + refutes + not_enough_info - 1) < 1e-3", name=op.f("ck_evidence_stances_sum_to_one")
        ),
        sa.CheckConstraint("position BETWEEN 1 AND 5", name=op.f("ck_evidence_position")),
        sa.CheckConstraint("relevance BETWEEN -1 AND 1", name=op.f("ck_evidence_relevance")),
        sa.ForeignKeyConstraint(
            ["verdict_id"], ["verdict.id"], name=op.f("fk_evidence_verdict_id_verdict"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("verdict_id", "position", name=op.f("pk_evidence")),
    )
    op.create_table(
        "review",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("verdict_id", sa.BigInteger(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("reviewer", sa.Text(), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("undone_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("decision IN ('supports', 'does_not', 'cant_tell')", name=op.f("ck_review_decision")),
        sa.CheckConstraint("reviewer <> ''", name=op.f("ck_review_reviewer_named")),
        sa.ForeignKeyConstraint(["verdict_id"], ["verdict.id"], name=op.f("fk_review_verdict_id_verdict")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review")),
    )
    op.create_index(
        "uq_review_standing",
        "review",
        ["verdict_id", "reviewer"],
        unique=True,
        postgresql_where=sa.text("undone_at IS NULL"),
    )
    pair_edge = sa.table("pair_edge", sa.column("from_state"), sa.column("to_state"))
    op.bulk_insert(pair_edge, [{"from_state": here, "to_state": there} for here, there in EDGES])
    op.execute(PAIR_MOVES)
    op.execute(PAIR_MOVES_TRIGGER)


def downgrade() -> None:
    for table in (
        "review",
        "evidence",
        "verdict",
        "pair",
        "statement",
        "override",
        "run",
        "reference",
        "property",
        "pair_edge",
        "item",
        "document",
    ):
        op.drop_table(table)
    op.execute("DROP FUNCTION pair_moves()")
