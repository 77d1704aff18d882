"""The lines of a book: the first, which says whose it is, and those of events; each sealed."""

import json
from typing import Final, Self

from provender.frozen import frozen
from provender.signing.canonical import canonical_json
from provender.signing.hashes import sha256_hex

FORMAT: Final = 1


def seal(before: str, event: object) -> str:
    """Return the hash of a line: over the hash of the line before and the event in canonical JSON."""
    return sha256_hex(before.encode() + b"\n" + canonical_json(event))


def fits_seal(before: str, event: object, chain: object) -> bool:
    """Tell whether a line's seal is that of its event."""
    try:
        return chain == seal(before, event)
    except ValueError:  # what canonical JSON cannot hold was never sealed
        return False


@frozen
class Header:
    """The first line of a book.

    Attributes:
        entity: whose book it is.
        shared: whether it was taken out of a book into which every party entered what is its own.
    """

    entity: str
    shared: bool = False

    def as_json(self) -> dict[str, object]:
        """Return the line as plain data."""
        more: dict[str, object] = {"shared": True} if self.shared else {}
        return {"book": "provender custody", "format": FORMAT, "entity": self.entity, **more}

    @property
    def own(self) -> str:
        """Return who enters what stands in the book; empty where every party entered what is its own."""
        return "" if self.shared else self.entity

    @property
    def head(self) -> str:
        """Return what the seal of the first event goes over: the header itself."""
        return seal("", self.as_json())

    def line(self) -> str:
        """Return the line itself."""
        return json.dumps(self.as_json()) + "\n"


def read_header(raw: object) -> Header | None:
    """Return the header that a line is, or None."""
    if not isinstance(raw, dict) or raw.get("format") != FORMAT or not isinstance(raw.get("entity"), str):
        return None
    header = Header(str(raw["entity"]), raw.get("shared", False) is True)
    return header if raw == header.as_json() else None


@frozen
class BookLine:
    """One sealed line: the kind of its event, its day (ISO), and its hash."""

    kind: str
    day: str
    head: str

    @classmethod
    def of(cls, event: object, head: str) -> Self:
        """Return the line of an event; what is none is of no kind and no day."""
        data = event if isinstance(event, dict) else {}
        return cls(str(data.get("type", "")), str(data.get("day", "")), head)
