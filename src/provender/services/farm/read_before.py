"""What was read out of farms' files by a limited process, kept for all processes of this server and after a start."""

from typing import Final

from django.core.cache import cache

from provender.records.evidence_files import Memory

_SECONDS: Final = 60 * 24 * 3600


class _Cached:
    """A memory among what the server keeps for a while; it may lose anything at any time."""

    def get(self, key: str) -> str | None:
        """Return what was read before."""
        found: object = cache.get(key)
        return found if isinstance(found, str) else None

    def put(self, key: str, text: str) -> None:
        """Keep what was read."""
        cache.set(key, text, _SECONDS)


READ_BEFORE: Final[Memory] = _Cached()
