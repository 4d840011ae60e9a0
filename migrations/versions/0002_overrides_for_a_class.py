"""What an item is an instance of, and overrides for the subjects of one class.

Going down, overrides for a class are lost: the former schema would take them for overrides for all subjects. What
they worded waits to be judged again.

Revision: 0002, after: 0001
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("item", sa.Column("classes", sa.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False))
    op.create_index("ix_item_classes", "item", ["classes"], postgresql_using="gin")
    op.add_column("override", sa.Column("subject_class", sa.Text(), nullable=True))
    op.create_foreign_key(op.f("fk_override_subject_class_item"), "override", "item", ["subject_class"], ["id"])
    op.drop_index("uq_override_current", table_name="override")
    op.create_index(
        "uq_override_current",
        "override",
        ["property_id", "subject_class"],
        unique=True,
        postgresql_where=sa.text("current"),
        postgresql_nulls_not_distinct=True,
    )


_WORDED_BY_A_CLASS = """
WITH queued AS (
  UPDATE pair SET state = 'waiting', leased_by = NULL, leased_until = NULL, tries = 0, next_at = now()
  FROM statement JOIN item ON item.id = statement.item_id
  WHERE pair.guid = statement.guid AND EXISTS (
    SELECT FROM override WHERE override.property_id = statement.property_id AND override.current
      AND override.wording IS NOT NULL AND override.subject_class = ANY (item.classes)
  )
  RETURNING pair.id
)
UPDATE verdict SET stale = true FROM queued WHERE verdict.pair_id = queued.id AND verdict.current
"""


def downgrade() -> None:
    op.execute(_WORDED_BY_A_CLASS)
    op.execute("UPDATE override SET restored_from = NULL WHERE subject_class IS NOT NULL")
    op.execute("DELETE FROM override WHERE subject_class IS NOT NULL")
    op.drop_index("uq_override_current", table_name="override")
    op.create_index(
        "uq_override_current", "override", ["property_id"], unique=True, postgresql_where=sa.text("current")
    )
    op.drop_column("override", "subject_class")
    op.drop_index("ix_item_classes", table_name="item")
    op.drop_column("item", "classes")
