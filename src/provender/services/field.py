"""What was recorded without a network: taken over by the server once, or refused or held back with the reason."""

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, cast

from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from provender.database.actor import Actor
from provender.database.choices import Right, Role
from provender.database.models.accounts import IdempotentAnswer, Membership, Organisation, Person
from provender.database.models.farm import Book, BookKind, Upload
from provender.formats.child import parse_limited
from provender.problem import Place, Problem, ProblemsError
from provender.records.book import HASH_SHOWN
from provender.records.folder import EVIDENCE
from provender.records.kind import KINDS, Kind
from provender.services.farm.book import FARM, Edit, FarmBook, asked_of, called, change_book, key_of, kind_named, latest
from provender.services.farm.boundaries import boundary_text
from provender.services.farm.edits import checked_texts, free_key, numbered
from provender.services.farm.files import path_of, store_upload
from provender.services.farm.folder import FILE
from provender.services.imports.evidence import KIND, EvidenceDetails, check_details
from provender.services.imports.job import LONGEST_REASON, file_name
from provender.services.refused import RefusedError, refusal
from provender.signing.canonical import canonical_json, sha256_hex

if TYPE_CHECKING:
    from provender.formats.parsed import Parsed
    from provender.formats.photos import Photo


# One deed of a phone that had no network: what it says, that it counts once, and what came of it.

_LONGEST_ID: Final = 64
_AHEAD_MOST: Final = timedelta(days=1)
"""A clock may run ahead by its time zone, never by more."""
DONE: Final = 200
_TRIES: Final = 5
"""Others may write between reading the book and writing to it; each time the book is looked at again."""
OVERTAKEN: Final = "overtaken"
_LONGEST_DISTANCE: Final = 8
"""Digits of a distance on earth in meters."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When and where the phone says that something was recorded; empty texts where it does not know."""

    at: str = ""  # its clock with the offset from UTC, ISO 8601
    latitude: str = ""  # decimal degrees, WGS 84
    longitude: str = ""  # decimal degrees, WGS 84
    accuracy_m: str = ""  # how far off the position may be, in meters

    @property
    def time(self) -> datetime | None:
        """Return the phone's clock; None where it says nothing that can be read, or a day that has not come."""
        try:
            found = datetime.fromisoformat(self.at)
            ahead = found.tzinfo is None or found.astimezone(UTC) - datetime.now(UTC) > _AHEAD_MOST
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
        return str(int(whole)) if whole.isascii() and whole.isdecimal() and len(whole) <= _LONGEST_DISTANCE else ""

    def said(self) -> str:
        """Return the phone's claim in words; empty where it makes none."""
        time, position = self.time, self.position
        when = f"{time:%Y-%m-%d %H:%M} {time:%z}" if time else ""
        where = f"{position[1]:.5f}, {position[0]:.5f}" if position else ""
        off = f" within {self.meters} m" if where and self.meters else ""
        return "Recorded in the field" + (f" {when}" if when else "") + (f" at {where}{off}" if where else "")


@dataclass(frozen=True, slots=True)
class Deed:
    """What a phone wrote down for one row."""

    id: str  # the phone's own name for the deed: whatever is sent under it again is the same deed
    kind: str  # of the record
    key: str  # the row it corrects, or empty for a new one
    seen: str  # the mark of the row as the phone had seen it (``mark_of``), or empty for a new one
    row: Mapping[str, str]  # texts by column
    why: str  # of a correction, in the person's words
    moment: Moment  # when and where
    looked: bool = False  # the person was asked about it and says that it is meant; nothing that the row says


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
    if not 0 < len(deed_id) <= _LONGEST_ID or not deed_id.isascii():
        raise refusal("deed_id", "The deed has no name of its own.", "Load the page again.")
    caller = sha256_hex(f"field {person.pk} {book.handle}".encode())
    request_hash = sha256_hex(canonical_json(content))
    for left in reversed(range(_TRIES)):
        try:
            return _do_once(caller, deed_id, request_hash, do)
        except RefusedError as refused:
            if not left or refused.problems[0].code != OVERTAKEN:
                raise
    raise AssertionError("the last try returns or raises")


def _do_once(caller: str, deed_id: str, request_hash: str, do: Callable[[], Taken]) -> Taken:
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


# Whose phone it is: what it calls an account, the key it seals under, and the farms it may write for.


def account_of(person: Person) -> str:
    """Return what a phone calls an account: nothing that tells whose it is."""
    return sha256_hex(f"field account {_about(person)}".encode())[:24]


def seal_of(person: Person) -> str:
    """Return the key under which this person's phones seal, 32 bytes as base64: the same after each sign-in."""
    return b64encode(salted_hmac("provender.field", _about(person), algorithm="sha256").digest()).decode()


def farms_of(person: Person) -> list[Organisation]:
    """Return the farms with an open book for which a person may write."""
    held = Membership.objects.select_related("organisation").filter(
        person=person, organisation__roles__role=Role.FARM, organisation__books__kind=BookKind.FARM
    )
    return [one.organisation for one in held if one.may(Right.WRITE)]


def _about(person: Person) -> str:
    return f"{person.pk} {person.created_at.isoformat()}"


# A record from the field becomes a row of the book: new, or the correction of a row that still says what was seen.


def take_record(book: Book, deed: Deed, *, person: Person, actor: Actor) -> Taken:
    """Write a record that a phone kept, at most once.

    Raises:
        ConflictError: the row says something else than what the phone had seen, or another has its identifier.
        AskedError: it is a second row of its crop or has a name that no list has, and nobody has looked.
        ProblemsError: a cell cannot be read or is out of bounds, or names a record that is not in the book.
        MissingError: there is no such kind.
        RefusedError: the deed's name was used for another.
    """
    kind = kind_named(deed.kind)
    # An answer to a question changes nothing of what is written, so that one deed stays one.
    content = {name: each for name, each in asdict(deed).items() if name != "looked"}
    return once(book, person, deed.id, content, lambda: _write(latest(book), kind, deed, actor))


def _write(farm: FarmBook, kind: Kind, deed: Deed, actor: Actor) -> Taken:
    own = {name: free_key(farm, kind) for name in numbered(kind)} if not deed.key else {}
    texts = checked_texts(kind, {**deed.row, **own}, farm, "row")
    _check_named(farm, kind, texts)
    key = key_of(kind, texts)
    if deed.key and key != deed.key:
        cause = f"The identifier of {called(kind, deed.key)} cannot be changed."
        raise ProblemsError([Problem(Place("row"), cause, "Remove the row on its page and write a new one.")])
    now = farm.texts(kind, key)
    if now is not None and mark_of(now) == mark_of(texts):
        return Taken(kind.name, key, farm.version)  # the book says it already, whoever wrote it
    _check_seen(kind, deed, key, now)
    reason = f"{deed.why}. {deed.moment.said()}" if deed.why else deed.moment.said()
    edit = Edit(kind.name, key, texts)
    if asked := [] if deed.looked else asked_of(farm, [edit]):
        raise AskedError(asked)
    made = change_book(farm.book, [edit], reason=reason[:LONGEST_REASON], actor=actor, after=farm.version)
    return Taken(kind.name, key, made.number)


def _check_seen(kind: Kind, deed: Deed, key: str, now: dict[str, str] | None) -> None:
    """Let nothing be overwritten that the phone had not seen."""
    name = called(kind, key)
    if not deed.key and now is not None:
        cause = f"There is a row {name} already, and it says something else."
        raise ConflictError(cause, "Keep that one, or write yours over it.", key, now)
    if deed.key and now is None:
        cause = f"{name} was removed on the server after this phone had seen it."
        raise ConflictError(cause, "Leave it removed, or put yours back as a new row.", key, None)
    if deed.key and now is not None and mark_of(now) != deed.seen:
        cause = f"{name} was changed on the server after this phone had seen it."
        raise ConflictError(cause, "Compare the two; keep one of them.", key, now)


def _check_named(farm: FarmBook, kind: Kind, texts: dict[str, str]) -> None:
    """Refuse names of records that the book does not hold, such as a field that was removed meanwhile."""
    problems = []
    for name, found in kind.typed_fields.items():
        others = farm.of(KINDS[found.refers]) if found.refers else {}
        if others and texts[name] and texts[name] not in others:
            label = KINDS[found.refers].label.lower()
            cause = f"{found.label}: the book has no {texts[name]!r} among its {label} now."
            problems.append(Problem(Place("row", column=name), cause, "Choose another.", code="unknown_name"))
    if problems:
        raise ProblemsError(problems)


# A photograph from the field becomes evidence: what the file says of day and place, beside it what the phone says.
#
# Phones may strip both from the file. What a phone recorded itself is a claim as well, and stands as that in the note.

_COVER: Final = KINDS["cover_crop"]


@dataclass(frozen=True, slots=True)
class PhotoDeed:
    """A photograph as a phone kept it."""

    id: str  # the phone's own name for the deed
    name: str  # of the file
    unit_id: str  # the management unit it shows, or empty
    note: str  # in words
    moment: Moment  # when and where the phone says it was taken
    shows: str = ""  # the cover crop whose establishment it shows, where the person chose one; or empty


def take_photograph(book: Book, deed: PhotoDeed, content: bytes, *, person: Person, actor: Actor) -> Taken:
    """Keep a photograph as evidence, at most once.

    Raises:
        ProblemsError: the file is no photograph that can be read, or the book has no such unit.
        RefusedError: it is empty or too large, the deed's name was used for another, or the photograph is kept already
            and the deed says more of it.
    """
    stored = store_upload(book.organisation, deed.name, content, actor=actor)
    said = asdict(deed) | {"sha256": stored.sha256}
    photo = _read(stored)
    return once(book, person, deed.id, said, lambda: _photographs_write(latest(book), stored, photo, deed, actor))


def _photographs_write(farm: FarmBook, stored: Upload, photo: "Photo", deed: PhotoDeed, actor: Actor) -> Taken:
    name = f"photo-{stored.sha256[:HASH_SHOWN]}"
    shown, unit = _of_cover(farm, name, deed)
    if name in farm.of(KIND):
        _check_adds_nothing(farm, name, deed)
        if not shown:
            return Taken(KIND.name, name, farm.version)
        reason = f"Photograph {name} shows it. {deed.moment.said()}"[:LONGEST_REASON]
        made = change_book(farm.book, shown, reason=reason, actor=actor, after=farm.version)
        return Taken(KIND.name, name, made.number)
    check_details(farm, EvidenceDetails("photograph", unit))
    file = f"{stored.sha256[:HASH_SHOWN]}-{file_name(stored.name)}"
    own = deed.moment.time.date() if deed.moment.time else None
    day = photo.taken.date() if photo.taken else own
    texts = dict.fromkeys(KIND.typed_fields, "") | {
        FARM: farm.farm_id,
        "evidence_id": name,
        "file": file,
        "what": "photograph",
        "unit_id": unit,
        "taken_on": day.isoformat() if day else "",
        "sha256": stored.sha256,
        "known_by": "machine" if photo.taken or photo.longitude is not None else "typed_in_season",
        "note": _note(farm, photo, replace(deed, unit_id=unit)),
    }
    edits = [
        Edit(FILE, f"{EVIDENCE}/{file}", {"sha256": stored.sha256, "upload": stored.handle}),
        Edit(KIND.name, key_of(KIND, texts), texts),
        *shown,
    ]
    reason = f"Photograph: {stored.name}. {deed.moment.said()}"[:LONGEST_REASON]
    made = change_book(farm.book, edits, reason=reason, actor=actor, after=farm.version)
    return Taken(KIND.name, name, made.number)


def _of_cover(farm: FarmBook, name: str, deed: PhotoDeed) -> tuple[list[Edit], str]:
    """Return what names the photograph at the cover crop that it shows, and the unit that it then is of.

    Raises:
        RefusedError: the book has no such cover crop, it is of another unit, or it names another photograph.
    """
    if not deed.shows:
        return [], deed.unit_id
    texts = farm.texts(_COVER, deed.shows)
    remedy = "Throw this one away and take it in again with another choice; the photograph itself is on your phone."
    if texts is None:
        raise refusal("cover_gone", f"The book has no cover crop {deed.shows}.", remedy)
    if deed.unit_id not in ("", texts["unit_id"]):
        raise refusal("cover_of_another_unit", f"The cover crop {deed.shows} is on {texts['unit_id']}.", remedy)
    if texts["established_photo"] not in ("", name):
        cause = f"The cover crop {deed.shows} names {texts['established_photo']} as its photograph already."
        raise refusal("cover_has_photograph", cause, "Send this one without it, or correct the row of the cover crop.")
    edit = Edit(_COVER.name, deed.shows, texts | {"established_photo": name})
    return [] if texts["established_photo"] else [edit], texts["unit_id"]


def _check_adds_nothing(farm: FarmBook, name: str, deed: PhotoDeed) -> None:
    """Refuse what a phone says of a photograph that is kept already: it would be lost, and the phone call it sent."""
    kept = farm.texts(KIND, name) or {}
    note, words = (" ".join(text.split()) for text in (deed.note, kept["note"]))
    if deed.unit_id in ("", kept["unit_id"]) and f"{words} ".startswith(f"{note} " if note else ""):
        return
    unit = kept["unit_id"] or "none"
    cause = f"The book has this photograph already as {name}, of unit {unit}; the unit or the note given now differs."
    remedy = "Correct that row on the page of evidence if yours is right, then throw this one away."
    raise refusal("photograph_kept", cause, remedy)


def _read(stored: Upload) -> "Photo":
    """Return what the file itself claims, read in a process that is limited.

    Raises:
        ProblemsError: it is no photograph that can be read.
    """
    parsed = cast("Parsed[Photo]", parse_limited("photo", path_of(stored.sha256), name=stored.name))
    if parsed.result is None:
        raise ProblemsError(parsed.problems)
    return parsed.result


def _note(farm: FarmBook, photo: "Photo", deed: PhotoDeed) -> str:
    """Say what the file claims and what the phone claims, and how far either is from the field."""
    from provender.formats.photos import judge

    outline = boundary_text(farm, deed.unit_id) if deed.unit_id else ""
    words = [deed.note] if deed.note else []
    words.append(judge(photo, stored_name := deed.name, boundary=outline).sentence)
    time, position = deed.moment.time, deed.moment.position
    if time or position:
        longitude, latitude = position or (None, None)
        off = deed.moment.meters
        own = replace(
            photo, taken=time.replace(tzinfo=None) if time else None, offset="", gps_time=None,
            longitude=longitude, latitude=latitude, accuracy_m=float(off) if off else None,
        )  # fmt: skip
        told = judge(own, stored_name, boundary=outline).sentence
        words.append(told.replace("The file", "The phone", 1).replace("of the file", "of the phone", 1))
    return " ".join(words)
