"""What tests of the benches share: pairs with pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_rows import write_rows


@pytest.fixture(scope="session")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that `write_rows` filled."""
    folder = tmp_path_factory.mktemp("rows")
    write_rows(folder)
    return folder
