"""Rules of custody are shown in a store in memory; ``tests/database/store`` shows that one in SQL answers alike."""

import pytest

from provender.custody.store import MemoryStore


@pytest.fixture
def store() -> MemoryStore:
    """Return an empty store."""
    return MemoryStore()
