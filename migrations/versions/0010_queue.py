"""The queue by expected benefit, worklists, and decisions in bulk.

Revision: 0010, after: 0009
"""

from __future__ import annotations

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
