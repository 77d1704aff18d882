"""The lines of a book: the first, which says whose it is, those of events, and those that hold none; each sealed."""

import json
from typing import Final, Self

from provender.custody import checkpoints
from provender.custody.model.editions import FIRST, NOW
from provender.frozen import frozen
from provender.signing.canonical import canonical_json
from provender.signing.hashes import sha256_hex

FORMAT: Final = 1


def seal(before: str, event: object) -> str:
    """Return the hash of a line: over the hash of the line before and the event in canonical JSON."""
    return _seal_over(before, canonical_json(event))


def sealed_content(before: str, event: object, chain: object) -> bytes | None:
    """Return what a line seals in canonical JSON; None where its seal does not fit."""
    try:
        content = canonical_json(event)
    except ValueError:  # what canonical JSON cannot hold was never sealed
        return None
    return content if chain == _seal_over(before, content) else None


def _seal_over(before: str, content: bytes) -> str:
    return sha256_hex(before.encode() + b"\n" + content)


@frozen
class Header:
    """The first line of a book.

    Attributes:
        entity: whose book it is.
        edition: by which its events are answered, up to a line that names a later one.
        shared: whether it was taken out of a book into which every party entered what is its own.
    """

    entity: str
    edition: int = NOW
    shared: bool = False

    def as_json(self) -> dict[str, object]:
        """Return the line as plain data; a book of the first edition says none."""
        more: dict[str, object] = {"shared": True} if self.shared else {}
        more |= {"edition": self.edition} if self.edition > FIRST else {}
        return {"book": "provender custody", "format": FORMAT, "entity": self.entity, **more}

    @property
    def own(self) -> str:
        """Return who enters what stands in the book; empty where every party entered what is its own."""
        return "" if self.shared else self.entity

    @property
    def head(self) -> str:
        """Return what the seal of the first event goes over; the header itself where it says how events count."""
        return seal("", self.as_json()) if self.edition > FIRST or self.shared else ""

    def line(self) -> str:
        """Return the line itself."""
        return json.dumps(self.as_json()) + "\n"


def read_header(raw: object) -> Header | None:
    """Return the header that a line is, or None."""
    if not isinstance(raw, dict) or raw.get("format") != FORMAT or not isinstance(raw.get("entity"), str):
        return None
    edition, shared = raw.get("edition", FIRST), raw.get("shared", False)
    known = isinstance(edition, int) and not isinstance(edition, bool) and FIRST <= edition <= NOW
    return Header(str(raw["entity"]), edition, shared) if known and isinstance(shared, bool) else None


def edition_line(before: str, edition: int = NOW) -> dict[str, object]:
    """Return the line under which a book goes on by a later edition."""
    return {"edition": edition, "chain": seal(before, {"edition": edition})}


def later_edition(line: object, edition: int) -> int | None:
    """Return the edition that a line names, if it is such a line and the edition is a later one that is known."""
    named = line.get("edition") if isinstance(line, dict) and "event" not in line else None
    return named if isinstance(named, int) and edition < named <= NOW else None


def bare_line(line: object, edition: int) -> dict[str, object] | None:
    """Return what a line seals that holds no event: a later edition, or a state of the book; None for any other."""
    if isinstance(line, dict) and "event" in line:
        return None
    if later := later_edition(line, edition):
        return {"edition": later}
    state = checkpoints.sealed_state(line)
    return None if state is None else {"checkpoint": state}


@frozen
class BookLine:
    """One sealed line: the kind of its event, its day (ISO), and its hash."""

    kind: str
    day: str
    head: str

    @classmethod
    def of(cls, event: object, head: str) -> Self:
        """Return the line of an event; one that names an edition is of no kind and no day."""
        data = event if isinstance(event, dict) else {}
        return cls(str(data.get("type", "")), str(data.get("day", "")), head)
