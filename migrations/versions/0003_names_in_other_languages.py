"""Names of entities in the languages of pages, beyond those of the fallback.

Revision: 0003, after: 0002
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_TABLES = ("item", "property")


def upgrade() -> None:
    for table in _TABLES:
        op.add_column(table, sa.Column("foreign", JSONB(), server_default=sa.text("'{}'"), nullable=False))


def downgrade() -> None:
    for table in _TABLES:
        op.drop_column(table, "foreign")
