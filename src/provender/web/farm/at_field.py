"""Where in the form of a row a gap is closed: at its very field."""

from provender.records import KINDS


def at_field(kind: str, column: str) -> str:
    """Return what leads an address of a row to the very field that a gap names."""
    return f"#id_{column}" if column in KINDS[kind].fields else ""
