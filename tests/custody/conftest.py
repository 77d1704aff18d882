"""Rules of custody are shown in a store in memory; that a store in SQL answers alike, ``tests/database/store`` shows."""

import pytest

from provender.custody.memory_store import MemoryStore


@pytest.fixture
def store() -> MemoryStore:
    """Return an empty store."""
    return MemoryStore()
