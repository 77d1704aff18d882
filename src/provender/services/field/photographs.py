"""A photograph from the field becomes evidence: what the file says of day and place, beside it what the phone says.

Phones may strip both from the file. What a phone recorded itself is a claim as well, and stands as that in the note.
"""

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Final, cast

from provender.database.actor import Actor
from provender.database.models import Book, Person, Upload
from provender.formats.child import parse_limited
from provender.problem import ProblemsError
from provender.records import KINDS
from provender.records.folder import EVIDENCE
from provender.services.farm.book import FARM, Edit, FarmBook, change_book, key_of, latest
from provender.services.farm.boundaries import boundary_text
from provender.services.farm.folder import FILE
from provender.services.farm.uploads import path_of, store_upload
from provender.services.field.deeds import Moment, Taken, once
from provender.services.imports.evidence import HASH_SHOWN, KIND, EvidenceDetails, check_details
from provender.services.imports.start import file_name
from provender.services.refused import refusal

if TYPE_CHECKING:
    from provender.formats.parsed import Parsed
    from provender.formats.photos import Photo

LONGEST_REASON: Final = 200
COVER: Final = KINDS["cover_crop"]


@dataclass(frozen=True, slots=True)
class PhotoDeed:
    """A photograph as a phone kept it.

    Attributes:
        id: the phone's own name for the deed.
        name: of the file.
        unit_id: the management unit it shows, or empty.
        note: in words.
        moment: when and where the phone says it was taken.
        shows: the cover crop whose establishment it shows, where the person chose one; or empty.
    """

    id: str
    name: str
    unit_id: str
    note: str
    moment: Moment
    shows: str = ""


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
    return once(book, person, deed.id, said, lambda: _write(latest(book), stored, photo, deed, actor))


def _write(farm: FarmBook, stored: Upload, photo: "Photo", deed: PhotoDeed, actor: Actor) -> Taken:
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
    texts = farm.texts(COVER, deed.shows)
    remedy = "Throw this one away and take it in again with another choice; the photograph itself is on your phone."
    if texts is None:
        raise refusal("cover_gone", f"The book has no cover crop {deed.shows}.", remedy)
    if deed.unit_id not in ("", texts["unit_id"]):
        raise refusal("cover_of_another_unit", f"The cover crop {deed.shows} is on {texts['unit_id']}.", remedy)
    if texts["established_photo"] not in ("", name):
        cause = f"The cover crop {deed.shows} names {texts['established_photo']} as its photograph already."
        raise refusal("cover_has_photograph", cause, "Send this one without it, or correct the row of the cover crop.")
    edit = Edit(COVER.name, deed.shows, texts | {"established_photo": name})
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
    from provender.formats.photo_verdict import judge

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
