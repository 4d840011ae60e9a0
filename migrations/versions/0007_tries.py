"""Every try of an address with its time, and what an unchanged page is asked by.

Documents are bodies only from here on: the outcomes that stood among them become tries, and so does each body's own.

Revision: 0007, after: 0006
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

# As they were when this revision was written.
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
# Two of one moment can't both have been asked then: the later one to be recorded is a microsecond the later.
_FORMER = """
INSERT INTO try (url, tried_at, kept_at, status, outcome, detail, final_url, document_id, warc, warc_offset)
SELECT url, fetched_at + (row_number() OVER (PARTITION BY url, fetched_at ORDER BY id) - 1) * interval '1 microsecond',
  kept_at, status, outcome, detail, final_url, CASE WHEN digest IS NOT NULL THEN id END, warc, warc_offset
FROM document
"""
_FORGET = """
UPDATE verdict SET document_id = NULL FROM document
WHERE document.id = verdict.document_id AND document.digest IS NULL
"""
_BACK = """
INSERT INTO document (url, final_url, domain, fetched_at, kept_at, status, outcome, detail)
SELECT url, final_url,
  coalesce(regexp_replace(substring(lower(final_url) from '^https?\\://([^/?#\\:]+)'), '^www[.]', ''), ''),
  tried_at, kept_at, status, outcome, detail
FROM try WHERE outcome IS NOT NULL AND document_id IS NULL
"""
# Since when an address has not been found, each time that it answered; a page that came in between begins anew.
_MISSING = """
CREATE VIEW missing AS
SELECT url_key, url, min(tried_at) AS since, max(tried_at) AS until,
  count(DISTINCT (tried_at AT TIME ZONE 'UTC')::date) AS days,
  count(DISTINCT (tried_at AT TIME ZONE 'UTC')::date) >= 3
    AND max(tried_at) - min(tried_at) >= interval '7 days' AS gone
FROM try
WHERE outcome = 'not_found' AND document_id IS NULL AND NOT EXISTS (
  SELECT FROM try AS later
  WHERE later.url_key = try.url_key AND later.url = try.url AND later.tried_at > try.tried_at
    AND (later.outcome IS NULL OR later.document_id IS NOT NULL))
GROUP BY url_key, url
"""


def one_of(column: str, values: tuple[str, ...]) -> str:
    """The text of a CHECK that holds a column to a closed set."""
    return f"{column} IN ({', '.join(repr(value) for value in values)})"


def upgrade() -> None:
    op.create_table(
        "try",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("url_key", sa.Text(), sa.Computed("md5(url)", persisted=True), nullable=True),
        sa.Column("tried_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("again_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("phrase", sa.Text(), server_default="", nullable=False),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), server_default="", nullable=False),
        sa.Column("final_url", sa.Text(), nullable=False),
        sa.Column("chain", sa.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("document_id", sa.BigInteger(), nullable=True),
        sa.Column("warc", sa.Text(), nullable=True),
        sa.Column("warc_offset", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(one_of("outcome", OUTCOMES), name=op.f("ck_try_outcome")),
        sa.CheckConstraint("(warc IS NULL) = (warc_offset IS NULL)", name=op.f("ck_try_record_has_its_place")),
        sa.CheckConstraint("outcome IS NOT NULL OR status IS NOT NULL", name=op.f("ck_try_answer_or_outcome")),
        sa.ForeignKeyConstraint(
            ["document_id"], ["document.id"], name=op.f("fk_try_document_id_document"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_try")),
    )
    op.execute(_FORMER)
    op.create_index("uq_try_url_key_tried_at", "try", ["url_key", "tried_at"], unique=True)
    op.create_index("ix_try_url_key_kept_at", "try", ["url_key", sa.literal_column("kept_at DESC")], unique=False)
    op.create_index("ix_try_document_id", "try", ["document_id"], unique=False)
    op.create_index(
        "ix_try_not_found",
        "try",
        ["url_key", "tried_at"],
        unique=False,
        postgresql_where=sa.text("outcome = 'not_found' AND document_id IS NULL"),
    )
    op.execute(_MISSING)
    op.execute(_FORGET)
    op.execute("DELETE FROM document WHERE digest IS NULL")
    op.drop_constraint(op.f("ck_document_outcome"), "document", type_="check")
    op.drop_constraint(op.f("ck_document_body_or_outcome"), "document", type_="check")
    op.drop_constraint(op.f("ck_document_body_is_archived"), "document", type_="check")
    op.drop_index("ix_document_url_kept_at", table_name="document")
    op.drop_index("uq_document_url_digest", table_name="document")
    op.drop_column("document", "outcome")
    op.drop_column("document", "detail")
    op.alter_column("document", "digest", nullable=False)
    op.add_column("document", sa.Column("url_key", sa.Text(), sa.Computed("md5(url)", persisted=True), nullable=True))
    op.add_column("document", sa.Column("etag", sa.Text(), server_default="", nullable=False))
    op.add_column("document", sa.Column("last_modified", sa.Text(), server_default="", nullable=False))
    op.create_check_constraint(
        op.f("ck_document_body_has_its_place"), "document", "(warc IS NULL) = (warc_offset IS NULL)"
    )
    op.create_index(
        "ix_document_url_key_kept_at", "document", ["url_key", sa.literal_column("kept_at DESC")], unique=False
    )
    op.create_index("uq_document_url_key_digest", "document", ["url_key", "digest"], unique=True)


def downgrade() -> None:
    op.drop_index("uq_document_url_key_digest", table_name="document")
    op.drop_index("ix_document_url_key_kept_at", table_name="document")
    op.drop_constraint(op.f("ck_document_body_has_its_place"), "document", type_="check")
    for column in ("last_modified", "etag", "url_key"):
        op.drop_column("document", column)
    op.alter_column("document", "digest", nullable=True)
    op.add_column("document", sa.Column("outcome", sa.Text(), nullable=True))
    op.add_column("document", sa.Column("detail", sa.Text(), server_default="", nullable=False))
    op.create_index("ix_document_url_kept_at", "document", ["url", sa.literal_column("kept_at DESC")], unique=False)
    op.create_index(
        "uq_document_url_digest",
        "document",
        ["url", "digest"],
        unique=True,
        postgresql_where=sa.text("digest IS NOT NULL"),
    )
    # A body that isn't kept any more has no place in the former schema: an empty one stands for it.
    op.execute("UPDATE document SET warc = '', warc_offset = 0 WHERE warc IS NULL")
    op.execute(_BACK)
    op.create_check_constraint(op.f("ck_document_outcome"), "document", one_of("outcome", OUTCOMES))
    op.create_check_constraint(
        op.f("ck_document_body_or_outcome"), "document", "(digest IS NULL) = (outcome IS NOT NULL)"
    )
    op.create_check_constraint(
        op.f("ck_document_body_is_archived"),
        "document",
        "(digest IS NULL) = (warc IS NULL) AND (warc IS NULL) = (warc_offset IS NULL)",
    )
    op.execute("DROP VIEW missing")
    op.drop_table("try")
