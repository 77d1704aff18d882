"""The farms' record books, evidence and signed reports as a server keeps them; all is that of the example's folders."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, time
from typing import Any, Final
from zoneinfo import ZoneInfo

import polars as pl

from provender.database.actor import Actor
from provender.database.models import Book, BookKind, Change, Organisation, Person, ReportVersion
from provender.demo.farms import (
    YEAR,
    Report,
    amended_frames,
    boundary,
    farm_evidence,
    farm_frames,
    farm_id,
    second_printout,
)
from provender.demo.keys import demo_leaf_secret
from provender.quantity import parse
from provender.records.folder import BOUNDARIES, EVIDENCE, written_row
from provender.records.kind import KINDS
from provender.services.farm.book import Edit, change_book, key_of, open_book
from provender.services.farm.bound_files import LEAF_SECRET
from provender.services.farm.folder import FILE
from provender.services.farm.uploads import store_upload
from provender.signing.canonical import canonical_json
from provender.signing.hashes import document_hash

UTC: Final = ZoneInfo("UTC")


def write_farms(
    seed: int,
    farms: int,
    organisations: Mapping[str, Organisation],
    managers: Mapping[str, Person],
    reports: Sequence[Report],
) -> None:
    """Write every farm's records in one change, keep its signed reports; the farm that amends writes both twice."""
    frames, evidence = farm_frames(seed, farms), farm_evidence(seed, farms)
    amended_later = amended_frames(frames)
    first, later = _by_farm(frames), _by_farm(amended_later)
    again = second_printout(amended_later)
    for number in range(farms):
        farm = farm_id(number)
        actor = Actor(managers[farm], "demo")
        book = open_book(organisations[farm], BookKind.FARM, actor=actor)
        mine = [one for one in reports if one.farm == farm]
        secret = Edit(FILE, LEAF_SECRET, {"text": demo_leaf_secret(farm)})
        files = [secret, *_boundaries(number, first[farm]), *_stored(organisations[farm], evidence[farm], actor)]
        change = change_book(book, [*first[farm], *files], reason="Season of the example", actor=actor)
        for one in mine:
            _keep(book, change, one, one.envelope, managers[farm])
        amended = [one for one in mine if one.amended]
        if amended:
            changed = [edit for edit in later[farm] if edit not in first[farm]]
            changed += _stored(organisations[farm], {again[0]["file"]: again[1]}, actor)
            change = change_book(book, changed, reason="Calculator run corrected", actor=actor)
            for one in amended:
                _keep(book, change, one, one.amended or {}, managers[farm])


def _boundaries(number: int, edits: Sequence[Edit]) -> Iterator[Edit]:
    """Yield the outline of each of a farm's units, under the name that its row says."""
    units = [edit.row for edit in edits if edit.kind == "unit" and edit.row is not None]
    for place, row in enumerate(units):
        text = json.dumps(boundary(number, place, parse(str(row["acres"])))) + "\n"
        yield Edit(FILE, f"{BOUNDARIES}/{row['boundary']}", {"text": text})


def _stored(organisation: Organisation, files: Mapping[str, bytes], actor: Actor) -> Iterator[Edit]:
    """Store files of evidence, and yield what the book says of each."""
    for name, content in files.items():
        stored = store_upload(organisation, name, content, actor=actor)
        yield Edit(FILE, f"{EVIDENCE}/{name}", {"sha256": stored.sha256, "upload": stored.handle})


def _by_farm(frames: Mapping[str, pl.DataFrame]) -> dict[str, list[Edit]]:
    """Return the rows of each farm as edits, texts as a person would type them."""
    edits: dict[str, list[Edit]] = {}
    for farm, edit in _edits(frames):
        edits.setdefault(farm, []).append(edit)
    return edits


def _edits(frames: Mapping[str, pl.DataFrame]) -> Iterator[tuple[str, Edit]]:
    for name, frame in frames.items():
        kind = KINDS[name]
        for row in frame.iter_rows(named=True):
            texts = dict(zip(kind.typed_fields, written_row(row, kind.typed_fields), strict=True))
            yield row["farm_id"], Edit(name, key_of(kind, texts), texts)


def _keep(book: Book, change: Change, one: Report, envelope: Mapping[str, Any], person: Person) -> None:
    document = envelope["document"]
    number = ReportVersion.objects.filter(book=book, crop=one.crop, harvest_year=YEAR).count() + 1
    ReportVersion.objects.create(
        book=book,
        crop=one.crop,
        harvest_year=YEAR,
        number=number,
        book_head=change.hash,
        document=canonical_json(document).decode(),
        document_hash=document_hash(document),
        signature=envelope["signature"],
        at=datetime.combine(datetime.fromisoformat(document["made_on"]), time(12), UTC),
        actor=person,
    )
