"""Every try of an address with its time, and what an unchanged page is asked by.

Revision: 0007, after: 0006
"""

from __future__ import annotations

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
