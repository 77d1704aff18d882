"""The file of what a party entered into a book that many share: a header, and a sealed line for each entry."""

from collections.abc import Mapping
from typing import Final

from provender.custody.book_lines import seal
from provender.custody.events.registry import TYPES

OWN_TYPES: Final[Mapping[str, str]] = {
    name: field for name, event in TYPES.items() if (field := event.entered_by()) != ""
}
"""Types of events that one party enters, with the field that names it."""
FORMAT: Final = 1


def header_of(party: str) -> dict[str, object]:
    """Return the first line of a party's file."""
    return {"entries": "provender custody", "format": FORMAT, "entity": party}


def head_before(party: str) -> str:
    """Return what the seal of the first entry goes over."""
    return seal("", header_of(party))
