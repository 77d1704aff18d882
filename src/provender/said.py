"""Text that only looks like an answer: *none*, *n/a*, a dash. Where something must be named, it names nothing."""

from typing import Final

NOTHING: Final = frozenset(
    {"none", "no", "na", "n/a", "n.a", "n.a.", "nil", "nothing", "unknown", "not known", "not available",
     "not applicable", "tbd", "to be determined", "to do", "todo", "pending"}
)  # fmt: skip


def says(text: str | None) -> bool:
    """Tell whether text names something."""
    plain = (text or "").strip().lower()
    return any(map(str.isalnum, plain)) and plain not in NOTHING
