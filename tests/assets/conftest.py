"""Where the evaluation data lies that is never copied into the project."""

import os
from pathlib import Path

import pytest


@pytest.fixture
def shared_data() -> Path:
    """The folder beside the project's root, or the one that DEPCODEX_SHARED names; skips where there is none."""
    named = os.environ.get("DEPCODEX_SHARED")
    folder = Path(named) if named else Path(__file__).parents[2].parent / "shared"
    if not folder.is_dir():
        pytest.skip(f"no evaluation data at {folder}")
    return folder
