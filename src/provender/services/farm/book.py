"""A farm's record book: one change per write, bound to the one before by its hash; read as rows or as a RecordBook.

A row is kept as the texts a person typed, in the form that ``write_cell`` gives them; the core reads them as it reads
a file, so a row that cannot be read in full withholds what rests on it here as it does on the command line.
"""

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from typing import ClassVar, Final, TypeVar

import orjson
from django.conf import settings
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.utils import timezone

from provender import __version__
from provender.catalog.words import About, asked_names, listed_name, meaning, with_facts
from provender.database.actor import Actor, today, write_log
from provender.database.choices import Role
from provender.database.models.accounts import Organisation
from provender.database.models.farm import FORMAT, Book, BookKind, Change, Rows, rows_and_taken_out, rows_of
from provender.formats.importing.references import COLUMNS, NO_NAME
from provender.problem import Place, Problem, ProblemsError, Weight, listed
from provender.records.book import NOT_YET, HeldFiles, Memory, RecordBook, another_row, asks, near
from provender.records.folder import BOUNDARIES, REJECTED, RejectedRow, read_rejected, rejected_marks
from provender.records.kind import KINDS, Kind
from provender.records.reading import CellError, TextTable, read_cell, read_table
from provender.rule.law import parameters, rule_version
from provender.services.farm.files import Naming, as_they_lie, readers, stored_paths
from provender.services.farm.folder import FARM, FILE, for_page, side_files, tell_of
from provender.services.refused import MissingError, UnopenedError, refusal
from provender.signing.canonical import canonical_json, sha256_hex
from provender.verdicts.assess import Assessment, assess

__all__ = [
    "FARM",
    "Edit",
    "FarmBook",
    "called",
    "change_book",
    "farm_book_of",
    "head_of",
    "is_farm",
    "key_of",
    "kind_named",
    "latest",
    "open_book",
    "open_farm_book",
    "texts_of",
]


# A version of a book is judged once a process, however many pages, reports and sums ask for it in turn.

KEPT: Final = 4
"""Judged books that a process keeps: a consultant looks at a few farms at a time, and each may be some megabytes."""
MARK: Final = 16
"""Hexadecimal digits of the mark that are kept."""

_judged: OrderedDict[tuple[str, str], Assessment] = OrderedDict()
_turn = Lock()


def judged_under(files_held: Sequence[tuple[str, str, int, int, int]]) -> str:
    """Return what moves with whatever else a book is judged by: rule, program, its files as they lie, calculators."""
    calculators = settings.CALCULATORS
    listed = sha256_hex(calculators.read_bytes()) if calculators else ""
    moving = repr((files_held, parameters().citation, parameters().read_up_to, listed))
    return f"{rule_version(today()).id} {__version__} {sha256_hex(moving.encode())[:MARK]}"


def _judged_once(mark: str, under: str, judge: Callable[[], Assessment]) -> Assessment:
    """Return a judged book, judged now only where it is not kept: what is looked at and then written is judged once.

    Args:
        mark: the farm, the hash of all its rows in their order, and the folder of its files: a judged book reads them.
        under: what else it is judged by.
        judge: judges it.
    """
    key = (mark, under)
    with _turn:
        if key in _judged:
            _judged.move_to_end(key)
            return _judged[key]
    made = judge()
    with _turn:
        _judged[key] = made
        while len(_judged) > KEPT:
            _judged.popitem(last=False)
    return made


# What was read out of farms' files by a limited process, kept for all processes of this server and after a start.

_SECONDS: Final = 60 * 24 * 3600


class _Cached:
    """A memory among what the server keeps for a while; it may lose anything at any time."""

    def get(self, key: str) -> str | None:
        found: object = cache.get(key)
        return found if isinstance(found, str) else None

    def put(self, key: str, text: str) -> None:
        cache.set(key, text, _SECONDS)


READ_BEFORE: Final[Memory] = _Cached()


@dataclass(frozen=True, slots=True)
class Edit:
    """One row put into a book, or taken out of it when ``row`` is None. Putting a key again is a correction.

    ``row`` is plain JSON data; amounts are whole scaled numbers or decimal text, never floats.
    """

    kind: str
    key: str
    row: Mapping[str, object] | None

    def as_json(self) -> dict[str, object]:
        """Return the edit as it stands in the text of a change."""
        return {"kind": self.kind, "key": self.key, "row": None if self.row is None else dict(self.row)}


@transaction.atomic
def open_book(organisation: Organisation, kind: BookKind, *, actor: Actor) -> Book:
    """Return the organisation's book of a kind; make it when there is none."""
    book = Book.objects.filter(organisation=organisation, kind=kind).first()
    if book is None:
        book = Book.objects.create(organisation=organisation, kind=kind)
        write_log(actor, "open book", organisation=organisation, about=str(book.get_kind_display()))
    return book


@transaction.atomic
def change_book(book: Book, edits: Iterable[Edit], *, reason: str, actor: Actor, after: int | None = None) -> Change:
    """Write one change with all its edits.

    Args:
        book: the book.
        edits: at least one; all of them or none are written.
        reason: why, in the words of the person or program.
        actor: who writes.
        after: the number of the change the writer had seen; the write is refused when another came between.

    Raises:
        RefusedError: nothing to write, or somebody else wrote first.
    """
    rows = [edit.as_json() for edit in edits]
    if not rows:
        raise refusal("nothing_to_write", "There is nothing to write.", "Change something first.")
    head = head_of(book)
    seen = head.number if head else 0
    if after is not None and after != seen:
        raise _overtaken()
    at = timezone.now()
    text = _change_text(book, head, rows, actor=actor, at=at, reason=reason)
    try:
        with transaction.atomic():
            change = Change.objects.create(
                book=book,
                number=seen + 1,
                previous=head.hash if head else "",
                hash=sha256_hex(text),
                text=text.decode(),
                at=at,
                actor=actor.person,
                prepared_by=actor.for_firm,
            )
    except IntegrityError:
        raise _overtaken() from None
    new: dict[str, object] = {"number": change.number, "hash": change.hash, "rows": len(rows)}
    old: dict[str, object] = {"number": seen}
    if len(rows) == 1:  # of one row the log shows the values; of many their history does
        said, says = _values(book, rows[0], seen)
        old, new = {**old, **said}, {**new, **says}
    write_log(actor, "change book", organisation=book.organisation, about=reason, old=old, new=new)
    transaction.on_commit(partial(tell_of, book.pk))
    return change


def _values(book: Book, edit: Mapping[str, object], seen: int) -> tuple[dict[str, str], dict[str, str]]:
    """Return what a row said before an edit and what it says after, as far as the two differ."""
    kind = KINDS.get(str(edit["kind"]))
    if kind is None:
        return {}, {}
    known = rows_of(book, seen).get(kind.name, {}).get(str(edit["key"])) if seen else None
    row = edit["row"]
    before = texts_of(kind, known) if known else {}
    after = texts_of(kind, row) if isinstance(row, Mapping) else {}
    names = [name for name in kind.typed_fields if name != FARM and before.get(name, "") != after.get(name, "")]
    return {name: before[name] for name in names if before.get(name)}, {
        name: after[name] for name in names if after.get(name)
    }


def _change_text(
    book: Book, head: Change | None, rows: list[dict[str, object]], *, actor: Actor, at: datetime, reason: str
) -> bytes:
    """Return what a change hashes: all of it, and the hash of the change before."""
    return canonical_json(
        {
            "format": FORMAT,
            "book": book.handle,
            "number": head.number + 1 if head else 1,
            "previous": head.hash if head else "",
            "actor": actor.person.pk if actor.person else None,
            "via": actor.via,
            "at": at.isoformat(),
            "reason": reason,
            "edits": rows,
        }
    )


def _overtaken() -> Exception:
    return refusal(
        "overtaken", "Somebody else changed this book a moment ago.", "Look at their change, then write yours again."
    )


def head_of(book: Book) -> Change | None:
    """Return the last change of a book, or None for an empty one; its text, which holds every row, when it is asked."""
    return Change.objects.filter(book=book).order_by("-number").defer("text").first()


@dataclass(frozen=True)
class FarmBook:
    """One version of a farm's book."""

    book: Book  # the book
    version: int  # the number of its last change; 0 when nothing was written
    supposed: ClassVar[bool] = False  # whether its rows are others than that version's
    on_disk: ClassVar[bool] = False  # whether it lies in a folder, where nobody keeps which reports were signed

    @cached_property
    def rows(self) -> Rows:
        return self.read[0]

    @cached_property
    def read(self) -> tuple[Rows, set[str]]:
        """Return the rows by kind and key, and the keys of all rows that were ever taken out, of any kind."""
        return rows_and_taken_out(self.book, self.version)

    @property
    def farm_id(self) -> str:
        """Return what reports, slips and the custody book of this server call the farm: the organisation's code.

        One book holds one farm, whatever identifier its rows came with from another program.
        """
        return self.book.organisation.handle

    @cached_property
    def judged(self) -> Assessment:
        mark = f"{self.farm_id} {sha256_hex(orjson.dumps(self.rows))} {settings.UPLOAD_FOLDER}"
        return _judged_once(mark, self.judged_under, lambda: assess(self.records()))

    @cached_property
    def judged_under(self) -> str:
        """Return what moves with whatever the book is judged by beside its rows."""
        return judged_under(self.files_held)

    def with_rows(self, rows: Rows) -> "FarmBook":
        """Return the book as it would be with other rows; nothing of it is written or kept in the database."""
        other = _SupposedBook(self.book, self.version)
        other.__dict__["rows"] = rows
        return other

    def of(self, kind: Kind) -> dict[str, Mapping[str, object]]:
        """Return the rows of a kind by key, in the order they were first written."""
        return self.rows.get(kind.name, {})

    def texts(self, kind: Kind, key: str) -> dict[str, str] | None:
        """Return one row as texts, or None where there is none."""
        row = self.of(kind).get(key)
        return None if row is None else texts_of(kind, row)

    def records(self) -> RecordBook:
        """Return the book as the core reads it, with its problems; rejected rows withhold what rests on them."""
        readings = [
            (name, read_table(kind, self._table(kind), farm_id=self.farm_id))
            for name, kind in KINDS.items()
            if self.of(kind)  # most farms keep a third of the kinds
        ]
        units = [(self.farm_id, unit) for unit in self.of(KINDS["unit"])]
        told, marks = rejected_marks(self.rejected, self.farm_id, units)
        problems = [for_page(problem) for problem in told]
        return RecordBook.from_readings(
            readings, problems=problems, incomplete_rows=marks, files=HeldFiles(readers(self.evidence_paths)),
            boundaries=self._boundaries(),
        )  # fmt: skip

    @cached_property
    def evidence_paths(self) -> dict[tuple[str, str], Path]:
        """Return where the files of evidence lie, by farm and name."""
        return self._named("evidence", "file")

    @cached_property
    def boundary_paths(self) -> dict[tuple[str, str], Path]:
        """Return where boundary files lie that were uploaded as they are, by farm and name."""
        return self._named("unit", "boundary")

    def _named(self, kind: str, column: str) -> dict[tuple[str, str], Path]:
        naming = Naming(self.book, self.version, kind, column)
        return stored_paths(self.farm_id, self.of(KINDS[kind]), naming)

    @property
    def files_held(self) -> list[tuple[str, str, int, int, int]]:
        """Return the files of evidence as they lie on the disk now: with it moves what they are worth."""
        return as_they_lie(self.evidence_paths) + as_they_lie(self.boundary_paths)

    @property
    def files(self) -> Mapping[str, Mapping[str, object]]:
        """Return the files that belong to the book (boundaries, rejected rows, column maps, evidence) by path."""
        return self.rows.get(FILE, {})

    def _boundaries(self) -> HeldFiles:
        """Return the boundary files that units name: those that lie in the book, else uploads."""
        beside = {
            (self.farm_id, path.removeprefix(f"{BOUNDARIES}/")): text.encode
            for path, text in side_files(self.files).items()
            if path.startswith(f"{BOUNDARIES}/")
        }
        return HeldFiles({**readers(self.boundary_paths), **beside}, READ_BEFORE)

    @property
    def rejected_files(self) -> dict[str, str]:
        """Return the texts of the files of rows that no import could take, by path."""
        return side_files({path: row for path, row in self.files.items() if path.startswith(f"{REJECTED}/")})

    @property
    def rejected(self) -> list[RejectedRow]:
        """Return the rows that no import could take."""
        return read_rejected(self.rejected_files)

    def _table(self, kind: Kind) -> TextTable:
        """Return the rows of a kind as text, without columns that say nothing: most are blank in every row."""
        rows = self.of(kind).values()
        texts = {
            name: ["" if (value := row.get(name)) is None else str(value) for row in rows] for name in kind.typed_fields
        }
        texts[FARM] = [self.farm_id] * len(rows)
        said = {name: of for name, of in texts.items() if name in kind.required or any(of)}
        return TextTable(kind.label, "", tuple(said), tuple(enumerate(zip(*said.values(), strict=True), start=1)))


class _SupposedBook(FarmBook):
    """A book as it would be with other rows: what is kept of its version is not what it holds."""

    supposed = True


def texts_of(kind: Kind, row: Mapping[str, object]) -> dict[str, str]:
    """Return a stored row as one text per column a person types; a column it lacks is blank."""
    return {name: "" if (value := row.get(name)) is None else str(value) for name in kind.typed_fields}


def key_of(kind: Kind, texts: Mapping[str, str]) -> str:
    """Return the key of a row in its kind: its own column, or a JSON list where several columns make it."""
    names = [name for name in kind.key_columns if name != FARM] or [FARM]
    return texts[names[0]] if len(names) == 1 else json.dumps([texts[name] for name in names], ensure_ascii=False)


def called(kind: Kind, key: str) -> str:
    """Return what people call a row; a choice among what names it stands there in words."""
    parts = _named_by(kind, key)
    return ", ".join(text.replace("_", " ") if kind.fields[name].options else text for name, text in parts)


def called_in_file(kind: Kind, key: str) -> str:
    """Return what a file calls a row: as its columns are typed."""
    return ", ".join(text for _, text in _named_by(kind, key))


def _named_by(kind: Kind, key: str) -> list[tuple[str, str]]:
    """Return the columns that name a row, each with its text; the farm names none where another does."""
    names = [name for name in kind.key_columns if name != FARM] or [FARM]
    texts = json.loads(key) if len(names) > 1 and key.startswith("[") else [key]
    return list(zip(names, texts, strict=False))


def latest(book: Book) -> FarmBook:
    """Return a book as it stands after its last change."""
    head = head_of(book)
    return FarmBook(book, head.number if head else 0)


def is_farm(organisation: Organisation) -> bool:
    return organisation.roles.filter(role=Role.FARM).exists()


def opened_book_of(organisation: Organisation) -> FarmBook | None:
    """Return the record book of a farm as it stands, or None where it is not open yet.

    Raises:
        MissingError: the organisation is no farm.
    """
    if not is_farm(organisation):
        raise MissingError
    book = Book.objects.filter(organisation=organisation, kind=BookKind.FARM).first()
    if book is None:
        return None
    book.organisation = organisation  # which is at hand: the book would ask for it once more
    return latest(book)


def farm_book_of(organisation: Organisation) -> FarmBook:
    """Return the record book of a farm as it stands.

    Raises:
        MissingError: the organisation is no farm.
        UnopenedError: it has not opened its book.
    """
    farm = opened_book_of(organisation)
    if farm is None:
        raise UnopenedError
    return farm


def open_farm_book(organisation: Organisation, *, actor: Actor) -> FarmBook:
    """Return the record book of a farm; open it when there is none.

    Raises:
        MissingError: the organisation is no farm.
    """
    if not is_farm(organisation):
        raise MissingError
    return latest(open_book(organisation, BookKind.FARM, actor=actor))


def kind_named(name: str) -> Kind:
    """Return a kind of record.

    Raises:
        MissingError: there is no such kind.
    """
    if name not in KINDS:
        raise MissingError
    return KINDS[name]


# What is made of a farm's book once: several parts of a page ask for the same.

T = TypeVar("T")


def once(farm: FarmBook, name: str, make: Callable[[], T]) -> T:
    """Return what was made of a book under a name, made now where nobody asked before.

    It lies with the book, as its own parts do, and goes with it when the request ends.
    """
    kept: dict[str, T] = farm.__dict__
    if name not in kept:
        kept[name] = make()
    return kept[name]


# Which crop entries a row may name, as a person looks for them: by field, the next crop of the field first.

HARVEST: Final = KINDS["harvest"]
_OWN_FIELD: Final = frozenset({"cover_crop"})
"""Kinds whose rows earn nothing under the entry of another field than their own."""


def entries_by_field(farm: FarmBook, kind: str, unit: str, named: str) -> list[tuple[str, list[str]]]:
    """Return the crop entries of each field, those not harvested yet first, then the latest.

    Args:
        farm: the book.
        kind: whose row names one.
        unit: the field of that row, whose entries stand first; empty where it is not known.
        named: the entry that is named already, offered whatever its field.
    """
    found: dict[str, list[tuple[bool, str, str]]] = {}
    for entry, row in farm.of(HARVEST).items():
        field = str(row.get("unit_id") or "")
        alone = kind in _OWN_FIELD and unit in farm.of(KINDS["unit"])
        if not alone or field == unit or entry == named:
            last = str(row.get("last_day") or row.get("first_day") or "")
            found.setdefault(field, []).append((row.get("ending") == NOT_YET, last, entry))
    order = sorted(found, key=lambda field: (field != unit, not any(coming for coming, *_ in found[field])))
    return [(field, [entry for *_, entry in sorted(found[field], reverse=True)]) for field in order]


# Rows that somebody types or a program sends beside one of their crop: asked about before they are written.
#
# The question is that of an import (``records.another_row``); who writes the row says that both are meant.


def _second_rows(farm: FarmBook, edits: Iterable[Edit]) -> list[Problem]:
    """Return what is asked of new rows beside those of the book, and beside one another, each at its edit's number."""
    found = []
    stand: dict[str, dict[str, Mapping[str, object]]] = {}
    for at, edit in enumerate(edits):
        kind = KINDS.get(edit.kind)
        if kind is None or not asks(kind):
            continue
        rows = stand.setdefault(kind.name, dict(farm.of(kind)))
        if edit.row is None:
            rows.pop(edit.key, None)
            continue
        texts = {**{name: str(text or "") for name, text in edit.row.items()}, FARM: farm.farm_id}
        alike = [row for row in rows.values() if near(kind, row) == near(kind, texts)]
        asked = another_row(
            kind, _typed(kind, texts), (_typed(kind, {**texts_of(kind, row), FARM: farm.farm_id}) for row in alike)
        )
        if asked and edit.key not in rows:
            found.append(replace(asked, place=Place(f"edits.{at}", column=kind.key_columns[-1])))
        rows[edit.key] = texts
    return found


def _typed(kind: Kind, texts: Mapping[str, str]) -> dict[str, object]:
    """Return a row as values; what cannot be read says nothing."""
    found: dict[str, object] = {}
    for name, field in kind.typed_fields.items():
        try:
            found[name] = read_cell(texts.get(name, ""), field)
        except CellError:
            found[name] = None
    return found


# What a person is asked about rows that they type or send, before anything is written: is it meant?
#
# A second row of a crop, and a name that its list does not have while all its words stand for listed ones: the list's
# words in another order, or ``UAN``, which is sold at three grades. Nothing is exchanged: whoever writes the row
# chooses.

NAME: Final = "name_asked"
_SHOWN: Final = 8
_AS_TYPED: Final = "as_typed"


def asked_of(farm: FarmBook, edits: Iterable[Edit]) -> list[Problem]:
    """Return what is asked of rows to be written, each at its edit's number."""
    given = list(edits)
    return [*_second_rows(farm, given), *_names(farm, given)]


def in_words_of_lists(kind: Kind, texts: Mapping[str, str]) -> dict[str, str]:
    """Return a row with a common name of one species, such as cereal rye, as its list has it, and what was typed.

    Names of implements and products stay: sizes and makers tell there, and whoever wrote them is asked.
    """
    found = dict(texts)
    for column, about in COLUMNS.get(kind.name, {}).items():
        text = found.get(column, "")
        if about is not About.SPECIES or not text:
            continue
        name = listed_name(about, text) or meaning(about, text).one
        if name and name != text:
            found[column] = name
            found[_AS_TYPED] = found.get(_AS_TYPED) or text
    return found


def understood(farm: FarmBook, edits: Iterable[Edit]) -> Iterator[str]:
    """Say of each name that was just typed and is recorded as a list has it, what it was taken for."""
    for edit in edits:
        row, stands = edit.row or {}, farm.of(KINDS[edit.kind]).get(edit.key, {})
        typed = row.get(_AS_TYPED) or ""
        for column, about in COLUMNS.get(edit.kind, {}).items():
            name = row.get(column) or ""
            if about is About.SPECIES and typed and name not in (typed, stands.get(column)):
                yield f"{name} is recorded for what you typed, {typed}: the list calls it so."


def check_asked(farm: FarmBook, edits: Iterable[Edit], *, looked: bool) -> None:
    """Let nobody write what is asked about without saying that it is meant.

    Raises:
        ProblemsError: something is asked, and nobody has looked.
    """
    asked = [] if looked else asked_of(farm, edits)
    if asked:
        raise ProblemsError(asked)


def _names(farm: FarmBook, edits: Iterable[Edit]) -> Iterator[Problem]:
    for at, edit in enumerate(edits):
        columns = COLUMNS.get(edit.kind, {}) if edit.row is not None else {}
        stands = farm.of(KINDS[edit.kind]).get(edit.key, {}) if columns else {}
        for column, about in columns.items():
            text = str((edit.row or {}).get(column) or "").strip()
            if not text or text == stands.get(column) or text.casefold() in NO_NAME:
                continue
            if meant := asked_names(about, text):
                names = listed([repr(with_facts(about, one)) for one in meant], _SHOWN)
                cause = f"The list of names has no {text!r}."
                remedy = f"Did you mean {names}? Write that one, or keep what is typed: no list knows more of it."
                yield Problem(Place(f"edits.{at}", column=column), cause, remedy, weight=Weight.CONFIRM, code=NAME)
