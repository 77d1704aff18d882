"""Taking evidence in: a photograph goes the way of an import, any other file is written down and kept at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from provender.database.actor import Actor
from provender.database.models.accounts import Organisation
from provender.database.models.farm import Upload
from provender.problem import Place, Problem, ProblemsError
from provender.records.book import HASH_SHOWN
from provender.records.folder import EVIDENCE
from provender.records.kind import KINDS
from provender.services.farm.book import Edit, FarmBook, change_book, farm_book_of, key_of, kind_named, texts_of
from provender.services.farm.folder import FARM, FILE
from provender.services.imports.job import LONGEST_REASON, begin, file_name
from provender.services.refused import MissingError

KIND: Final = KINDS["evidence"]
_PHOTOGRAPHS: Final = (".jpg", ".jpeg", ".heic", ".heif")


@dataclass(frozen=True, slots=True)
class EvidenceDetails:
    """What is said of a file."""

    what: str  # what it is, one of the words of the record's column
    unit_id: str = ""  # the management unit it is about, or empty
    taken_on: date | None = None  # the day, or None
    note: str = ""  # in words
    kind: str = ""  # of the record it is for; empty for none
    row: str = ""  # the key of that record


class EvidenceTaken(NamedTuple):
    """What came of it: a change or, for a photograph, the import that reads it; and the name of the file."""

    version: int | None
    import_code: str
    name: str


def store_evidence(farm: FarmBook, stored: Upload, told: EvidenceDetails, *, actor: Actor) -> EvidenceTaken:
    """Take a stored file in as evidence.

    A photograph says its own place and time, and is read: the import is begun. Anything else is written at once, with
    its place in the record it is for, as one change.

    Raises:
        ProblemsError: there is no such word or unit, or the record it is for is not in the book.
        AbsentError: the record it is for is of no known kind.
        RefusedError: the book changed meanwhile.
    """
    if stored.name.lower().endswith(_PHOTOGRAPHS):
        units = {file_name(stored.name): told.unit_id}
        return EvidenceTaken(None, begin(farm.book, [stored], actor=actor, units=units).handle, stored.name)
    check_details(farm, told)
    name, stem = f"file-{stored.sha256[:HASH_SHOWN]}", file_name(stored.name)
    path = f"{EVIDENCE}/{stored.sha256[:HASH_SHOWN]}-{stem}"
    texts = dict.fromkeys(KIND.typed_fields, "") | {
        FARM: farm.farm_id,
        "evidence_id": name,
        "file": path.removeprefix(f"{EVIDENCE}/"),
        "what": told.what,
        "unit_id": told.unit_id,
        "taken_on": told.taken_on.isoformat() if told.taken_on else "",
        "sha256": stored.sha256,
        "note": told.note,
    }
    edits = [
        Edit(FILE, path, {"sha256": stored.sha256, "upload": stored.handle}),
        Edit(KIND.name, key_of(KIND, texts), texts),
    ]
    if told.kind:
        kind = KINDS[told.kind]
        row = farm.texts(kind, told.row) or {}
        named = [each for each in row["evidence"].split(";") if each.strip() and each.strip() != name]
        edits.append(Edit(kind.name, told.row, {**row, "evidence": "; ".join([*named, name])}))
    reason = f"Evidence: {stored.name}"[:LONGEST_REASON]
    change = change_book(farm.book, edits, reason=reason, actor=actor, after=farm.version)
    return EvidenceTaken(change.number, "", stored.name)


def evidence_of(farm: FarmBook) -> Iterator[tuple[str, dict[str, str], str]]:
    """Yield each row of evidence: its key, its texts, and the handle of the stored file; empty where none is stored."""
    handles = dict(Upload.objects.filter(organisation=farm.book.organisation).values_list("sha256", "handle"))
    for key, row in farm.of(KIND).items():
        texts = texts_of(KIND, row)
        yield key, texts, handles.get(texts["sha256"], "")


def check_is_evidence(organisation: Organisation, file: str) -> None:
    """Hold a stored file against the farm's evidence: a reviewer of its records sees no other file.

    Raises:
        MissingError: it is none.
    """
    if file not in {handle for _, _, handle in evidence_of(farm_book_of(organisation)) if handle}:
        raise MissingError


def check_details(farm: FarmBook, told: EvidenceDetails) -> None:
    """Hold what is said of a file against the words and rows there are.

    Raises:
        ProblemsError: there is no such word, unit or record.
    """
    problems = []
    if told.what not in KIND.fields["what"].options:
        words = ", ".join(KIND.fields["what"].options)
        problems.append(_unfit("what", f"Evidence is not called {told.what[:60]!r}.", f"It is one of: {words}."))
    if told.unit_id and told.unit_id not in farm.of(KINDS["unit"]):
        problems.append(_unfit("unit_id", "The book has no such management unit.", "Enter the unit first."))
    if told.kind and told.row not in farm.of(kind_named(told.kind)):
        problems.append(_unfit("row", "The book has no such record.", "See the rows of the kind."))
    if problems:
        raise ProblemsError(problems)


def _unfit(column: str, cause: str, remedy: str) -> Problem:
    return Problem(Place("evidence", column=column), cause, remedy, code="misfit")
