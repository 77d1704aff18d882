"""A record book in a folder, as the services of a farm read a book: nothing of it lies in a database, or is kept."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from typing import ClassVar, Final

from provender.database.models import Book, Organisation
from provender.database.store.record_books import Rows
from provender.practices.assess import Assessment, assess
from provender.problem import refuse
from provender.records import KINDS, Kind
from provender.records.book import RecordBook
from provender.records.evidence_files import FolderFiles
from provender.records.folder import EVIDENCE, load_book, written_row
from provender.services.farm.book import Edit, FarmBook, called_in_file, key_of
from provender.services.farm.edits import checked_texts
from provender.services.farm.folder import key_texts, raw_rows, write_rows

SHOWN: Final = 8
"""Rows that a refusal names."""
LEFT_BEHIND: Final = (EVIDENCE, "reports")
"""What is not copied to see a book with other rows: evidence is read where it lies, and no verdict reads reports."""


class FolderBook(FarmBook):
    """A record book in a folder."""

    supposed: ClassVar[bool] = True
    on_disk: ClassVar[bool] = True

    @classmethod
    def at(cls, folder: Path) -> "FolderBook":
        """Return the book in a folder.

        Raises:
            ProblemsError: it cannot be read, or holds several farms.
        """
        loaded = load_book(folder)
        if len(loaded.farm_ids) != 1:
            have = ", ".join(loaded.farm_ids) or "none"
            raise refuse(str(folder), f"One farm is looked at, and the book holds: {have}.", "Name the book of one.")
        return cls._of(folder, loaded, loaded.farm_ids[0])

    @classmethod
    def _of(cls, folder: Path, loaded: RecordBook, farm_id: str) -> "FolderBook":
        made = cls(Book(organisation=Organisation(handle=farm_id)), 0)
        made.__dict__.update(folder=folder, loaded=loaded)
        return made

    @property
    def folder(self) -> Path:
        """Return where it lies."""
        where: Path = self.__dict__["folder"]
        return where

    @property
    def loaded(self) -> RecordBook:
        """Return it as it was read."""
        book: RecordBook = self.__dict__["loaded"]
        return book

    def records(self) -> RecordBook:
        """Return the book as the core reads it."""
        return self.loaded

    @cached_property
    def rows(self) -> Rows:
        """Return the rows that can be read by kind and key, as texts."""
        return {name: _rows(kind, self.loaded) for name, kind in KINDS.items() if self.loaded[name].height}

    @cached_property
    def judged(self) -> Assessment:
        """Return the book judged."""
        return assess(self.loaded)

    def with_rows(self, rows: Rows) -> "FolderBook":
        """Return the book as it would be with other rows, judged: its files are changed as somebody would, in a copy.

        Whatever cannot be read stays in them as it is, and is told as before.
        """
        with TemporaryDirectory() as made:
            folder = Path(made) / "book"
            copytree(self.folder, folder, ignore=ignore_patterns(*LEFT_BEHIND))
            for name, kind in KINDS.items():
                before, after = self.rows.get(name, {}), rows.get(name, {})
                if before != after:
                    _write(kind, folder, before, after)
            other = self._of(folder, load_book(folder, FolderFiles(self.folder / EVIDENCE)), self.farm_id)
            other.__dict__.update(rows=rows, judged=assess(other.loaded))
            return other


def edit_of(farm: FarmBook, kind: Kind, key: str, texts: Mapping[str, str] | None) -> Edit:
    """Return the edit that gives a row other texts in some columns, or takes it out.

    Args:
        farm: the book.
        kind: of the row.
        key: of the row, or what its file calls it: the columns that name it, with commas.
        texts: by column; None takes it out.

    Raises:
        ProblemsError: there is no such row, or a text that cannot be read.
    """
    named = {called_in_file(kind, each): each for each in farm.of(kind)}
    key = named.get(key, key)
    stands = farm.texts(kind, key)
    if stands is None:
        have = "; ".join(list(named)[:SHOWN]) or "none"
        cause = f"No row {key!r} of {kind.name} can be read in this book; there are: {have}."
        raise refuse(kind.name, cause, "Choose one, or mend what `provender check` says of it.")
    if texts is None:
        return Edit(kind.name, key, None)
    row = checked_texts(kind, {**stands, **texts}, farm, f"{kind.name} {key}")
    if key_of(kind, row) != key:
        raise refuse(kind.name, "What names a row would change.", "Take the row out and look at a new one by itself.")
    return Edit(kind.name, key, row)


def kind_called(name: str) -> Kind:
    """Return a kind of record.

    Raises:
        ProblemsError: there is no such kind.
    """
    if name not in KINDS:
        raise refuse(name, "There is no such kind of record.", f"Choose one of: {', '.join(KINDS)}.")
    return KINDS[name]


def _rows(kind: Kind, loaded: RecordBook) -> dict[str, Mapping[str, object]]:
    fields = kind.typed_fields
    found: dict[str, Mapping[str, object]] = {}
    for row in loaded[kind.name].select(list(fields)).iter_rows(named=True):
        texts = dict(zip(fields, written_row(row, fields), strict=True))
        found[key_of(kind, texts)] = texts
    return found


def _write(
    kind: Kind, folder: Path, before: Mapping[str, Mapping[str, object]], after: Mapping[str, Mapping[str, object]]
) -> None:
    """Write into the file of a kind what differs; the other rows and columns stay as somebody typed them."""
    path = folder / f"{kind.name}.csv"
    lying = {key_of(kind, row): row for row in raw_rows(kind, path).values()} if path.is_file() else {}
    for key in before.keys() - after.keys():
        lying.pop(key, None)
    for key, row in after.items():
        known = before.get(key, {})
        changed = {name: str(row.get(name) or "") for name in kind.typed_fields if row.get(name) != known.get(name)}
        if changed:
            lying[key] = {**dict.fromkeys(kind.typed_fields, ""), **lying.get(key, {}), **changed}
    write_rows(kind, {key_texts(kind, row): row for row in lying.values()}, folder)
