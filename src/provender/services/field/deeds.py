"""One deed of a phone that had no network: what it says, that it counts once, and what came of it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction

from provender.database.models import Book, IdempotentAnswer, Person
from provender.problem import Place, Problem
from provender.services.farm.book import FARM
from provender.services.refused import RefusedError, refusal
from provender.signing.canonical import canonical_json
from provender.signing.hashes import sha256_hex

LONGEST_ID: Final = 64
AHEAD_MOST: Final = timedelta(days=1)
"""A clock may run ahead by its time zone, never by more."""
DONE: Final = 200
TRIES: Final = 5
"""Others may write between reading the book and writing to it; each time the book is looked at again."""
OVERTAKEN: Final = "overtaken"
LONGEST_DISTANCE: Final = 8
"""Digits of a distance on earth in meters."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When and where the phone says that something was recorded; empty texts where it does not know.

    Attributes:
        at: its clock with the offset from UTC, ISO 8601.
        latitude, longitude: decimal degrees, WGS 84.
        accuracy_m: how far off the position may be, in meters.
    """

    at: str = ""
    latitude: str = ""
    longitude: str = ""
    accuracy_m: str = ""

    @property
    def time(self) -> datetime | None:
        """Return the phone's clock; None where it says nothing that can be read, or a day that has not come."""
        try:
            found = datetime.fromisoformat(self.at)
            ahead = found.tzinfo is None or found.astimezone(UTC) - datetime.now(UTC) > AHEAD_MOST
        except (ValueError, OverflowError):
            return None
        return None if ahead else found

    @property
    def position(self) -> tuple[float, float] | None:
        """Return longitude and latitude in degrees, or None."""
        try:
            longitude, latitude = float(self.longitude), float(self.latitude)
        except ValueError:
            return None
        on_earth = -180 <= longitude <= 180 and -90 <= latitude <= 90  # noqa: PLR2004 - degrees
        return (longitude, latitude) if on_earth else None

    @property
    def meters(self) -> str:
        """Return the accuracy in whole meters, or empty."""
        whole = self.accuracy_m.partition(".")[0]
        return str(int(whole)) if whole.isascii() and whole.isdecimal() and len(whole) <= LONGEST_DISTANCE else ""

    def said(self) -> str:
        """Return the phone's claim in words; empty where it makes none."""
        time, position = self.time, self.position
        when = f"{time:%Y-%m-%d %H:%M} {time:%z}" if time else ""
        where = f"{position[1]:.5f}, {position[0]:.5f}" if position else ""
        off = f" within {self.meters} m" if where and self.meters else ""
        return "Recorded in the field" + (f" {when}" if when else "") + (f" at {where}{off}" if where else "")


@dataclass(frozen=True, slots=True)
class Deed:
    """What a phone wrote down for one row.

    Attributes:
        id: the phone's own name for the deed: whatever is sent under it again is the same deed.
        kind: of the record.
        key: the row it corrects, or empty for a new one.
        seen: the mark of the row as the phone had seen it (``mark_of``), or empty for a new one.
        row: texts by column.
        why: of a correction, in the person's words.
        moment: when and where.
        looked: the person was asked about it and says that it is meant; nothing that the row says.
    """

    id: str
    kind: str
    key: str
    seen: str
    row: Mapping[str, str]
    why: str
    moment: Moment
    looked: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """What stands in the book now: which row, and since which change."""

    kind: str
    key: str
    version: int


class ConflictError(RefusedError):
    """The row changed on the server since the phone saw it; nothing was written.

    Attributes:
        key: which row.
        now: as it stands, or None where it was taken out.
    """

    def __init__(self, cause: str, remedy: str, key: str, now: Mapping[str, str] | None) -> None:
        super().__init__([Problem(Place("row"), cause, remedy, code="field_conflict")])
        self.key, self.now = key, now


class AskedError(RefusedError):
    """A person must say whether the row is meant; nothing was written."""


def mark_of(texts: Mapping[str, str]) -> str:
    """Return what a row says as a short mark: two rows of a farm that say the same have one mark.

    What the farm is called does not count: rows of a file keep the name that another program gave it.
    """
    return sha256_hex(canonical_json({name: text for name, text in texts.items() if name != FARM}))[:20]


def once(book: Book, person: Person, deed_id: str, content: object, do: Callable[[], Taken]) -> Taken:
    """Do a deed, unless it was done: then return what came of it. The deed and its answer are written together.

    Args:
        book: in which.
        person: whose phone sends it.
        deed_id: the phone's name for it.
        content: all it says, as plain JSON data.
        do: what reads the book and writes to it; called again where others wrote in between. Nothing slow belongs
            in it: all others wait until it ends.

    Raises:
        RefusedError: the name was used for another deed, or what ``do`` raises.
    """
    if not 0 < len(deed_id) <= LONGEST_ID or not deed_id.isascii():
        raise refusal("deed_id", "The deed has no name of its own.", "Load the page again.")
    caller = sha256_hex(f"field {person.pk} {book.handle}".encode())
    request_hash = sha256_hex(canonical_json(content))
    for left in reversed(range(TRIES)):
        try:
            return _once(caller, deed_id, request_hash, do)
        except RefusedError as refused:
            if not left or refused.problems[0].code != OVERTAKEN:
                raise
    raise AssertionError("the last try returns or raises")


def _once(caller: str, deed_id: str, request_hash: str, do: Callable[[], Taken]) -> Taken:
    try:
        with transaction.atomic():
            kept = IdempotentAnswer.objects.create(caller=caller, key=deed_id, request_hash=request_hash)
            taken = do()
            kept.status, kept.body = DONE, canonical_json(asdict(taken))
            kept.save()
            return taken
    except IntegrityError:
        before = IdempotentAnswer.objects.filter(caller=caller, key=deed_id).first()
        if before is None:
            raise
    if before.request_hash != request_hash:
        raise refusal("deed_reused", "This was sent before and said something else.", "Save it again, as a new one.")
    return Taken(**json.loads(bytes(before.body)))
