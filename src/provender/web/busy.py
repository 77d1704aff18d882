"""The database was held by other writers for longer than anybody waits: 503, nothing written, try again."""

from typing import Final

from django.db import OperationalError

BUSY: Final = 503
AGAIN_SECONDS: Final = 10
"""After how long a program may try again."""
_WORDS: Final = ("database is locked", "database table is locked", "lock timeout", "deadlock detected")


def is_busy(error: BaseException | None) -> bool:
    """Tell whether a database gave up waiting for another writer."""
    return isinstance(error, OperationalError) and any(words in str(error) for words in _WORDS)
