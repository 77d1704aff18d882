"""A record book in memory while files are imported into it: the rows of each kind as text, and rows that stay out.

A table is never made anew from what was understood of it: a row that could not be read stays as its owner wrote it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from provender.catalog.tables import lookup_name
from provender.exact import ticket_key
from provender.problem import Place, ProblemsError
from provender.records import folder as record_folder
from provender.records.book import HASH_SHOWN, FolderFiles, RecordBook, near
from provender.records.kind import KINDS, IncompleteRow, Kind, check_rows
from provender.records.reading import TableRead, TextTable, column_names, read_csv_table, read_table

Key = tuple[object, ...]
Texts = dict[str, str]


def folded_text(value: object) -> object:
    """Return a value for comparing: a text that was typed in capitals the next time says the same."""
    return lookup_name(value) if isinstance(value, str) else value


def _is_same(name: str, one: object, other: object) -> bool:
    """Tell whether two values of a column say the same; a file is called as it is called."""
    return one == other or (name not in ("boundary", "file") and folded_text(one) == folded_text(other))


class RowResult(StrEnum):
    """What becomes of a sound row."""

    ADDED = "added"
    COMPLETED = "completed"
    REPLACED = "replaced"
    SAME = "same"
    DIFFERS = "differs"


@dataclass(frozen=True, slots=True)
class RowChange:
    """One row that an import writes."""

    kind: str  # of the record
    texts: Texts  # the row as it would stand, by column
    was: Texts  # as it stands in the book; empty for a new row
    place: Place  # where it came from


@dataclass(slots=True)
class KindTable:
    """The rows of one kind."""

    kind: Kind  # of its records
    heading: list[str]  # its column names as written
    rows: list[list[str]]  # its rows as written, then those added
    usable: bool = True  # it can be read, or is not there yet; into an unreadable table nothing is put
    _index: dict[Key, int] = field(default_factory=dict)
    _values: dict[Key, dict[str, object]] = field(default_factory=dict)
    _near: dict[object, list[Key]] = field(default_factory=dict)
    _was: dict[Key, tuple[Texts, Place]] = field(default_factory=dict)

    @classmethod
    def read(cls, kind: Kind, table: TextTable, farm_id: str) -> "KindTable":
        found = cls(kind, list(table.heading) or list(kind.typed_fields), [list(cells) for _, cells in table.rows])
        at = {number: index for index, (number, _) in enumerate(table.rows)}
        rows, _, _ = check_rows(kind, read_table(kind, table, farm_id=farm_id).rows)
        for row in rows:
            key = found.key_of(row)
            found._index[key] = at[row["source_row"]]
            found._values[key] = dict(row)
        return found

    @property
    def changed(self) -> bool:
        """Tell whether a row of it is new or says otherwise than in the book."""
        return bool(self._was)

    def key_of(self, row: Mapping[str, object]) -> Key:
        key = tuple(row[name] for name in self.kind.key_columns)
        return (*key[:-1], ticket_key(str(key[-1]))) if self.kind.name == "scale_ticket" else key

    def record(self, key: Key) -> Mapping[str, object] | None:
        return self._values.get(key)

    def records(self) -> Iterator[tuple[Key, Mapping[str, object]]]:
        """Yield key and record, typed, of every row that can be read."""
        yield from self._values.items()

    def near(self, row: Mapping[str, object]) -> list[Mapping[str, object]]:
        """Return the records, typed, that a row could be a second of (``records.another_row``)."""
        if not self._near:
            for key, one in self._values.items():
                self._near.setdefault(near(self.kind, one), []).append(key)
        return [self._values[key] for key in self._near.get(near(self.kind, row), ())]

    def differing(self, row: Mapping[str, object]) -> tuple[str, ...]:
        """Return the columns in which the table says otherwise of a record; none where it is not there."""
        key = self.key_of(row)
        if key not in self._index:
            return ()
        old = self._values[key]
        return tuple(
            name
            for name, value in self._typed_changes(row).items()
            if not _is_same(name, value, old[name]) and self._written(key, name)
        )

    def _typed_changes(self, row: Mapping[str, object]) -> dict[str, object]:
        old = self._values.get(self.key_of(row), {})
        left = {"farm_id", *self.kind.key_columns} if old else {"farm_id"}
        # A file that lies in the book under a name with its hash is the same, whatever it is called now.
        mark = str(row.get("sha256") or "-")[:HASH_SHOWN]
        left |= {"file", "note"} if f"-{mark}." in str(old.get("file")) else set()
        # The same list exported again is another file; what a row rested on before holds.
        papers = str(row.get("evidence") or "")
        left |= {"evidence"} if old.get("evidence") and papers.startswith("file-") and ";" not in papers else set()
        return {name: row[name] for name in self.kind.typed_fields if name not in left and row[name] is not None}

    def put(
        self, row: Mapping[str, object], place: Place, *, replace: bool = False
    ) -> tuple[RowResult, tuple[str, ...]]:
        """Bring one sound record into the table; return its fate, and the columns in which it differs or adds."""
        key = self.key_of(row)
        if key not in self._index:
            self._add(key, row, place)
            return RowResult.ADDED, ()
        told, old = self._typed_changes(row), self._values[key]
        differs = self.differing(row)
        adds = tuple(
            name for name, value in told.items() if not _is_same(name, value, old[name]) and name not in differs
        )
        if differs and not replace:
            return RowResult.DIFFERS, differs
        if differs or adds:
            self._was.setdefault(key, (self.texts(key), place))
        for name in (*differs, *adds):
            self._set(key, name, told[name])
        if differs:
            return RowResult.REPLACED, differs
        return (RowResult.COMPLETED, adds) if adds else (RowResult.SAME, ())

    def texts(self, key: Key) -> Texts:
        known = column_names(self.kind)
        names = [known.get(heading.casefold(), "") for heading in self.heading]
        told = {name: cell for name, cell in zip(names, self.rows[self._index[key]], strict=False) if name}
        return {name: told.get(name, "") for name in self.kind.typed_fields}

    def changes(self) -> Iterator[RowChange]:
        """Yield every row that is new or says otherwise than in the book."""
        for key, (was, place) in self._was.items():
            if (texts := self.texts(key)) != was:
                yield RowChange(self.kind.name, texts, was, place)

    def _column(self, name: str) -> int:
        known = column_names(self.kind)
        found = [index for index, heading in enumerate(self.heading) if known.get(heading.casefold()) == name]
        if not found:
            self.heading.append(name)
            return len(self.heading) - 1
        return found[0]

    def _written(self, key: Key, name: str) -> bool:
        """Tell whether the table has any text in a cell, readable or not."""
        cells, column = self.rows[self._index[key]], self._column(name)
        return column < len(cells) and bool(cells[column].strip())

    def _set(self, key: Key, name: str, value: object) -> None:
        cells, column = self.rows[self._index[key]], self._column(name)
        cells += [""] * (column + 1 - len(cells))
        cells[column] = record_folder.write_cell(value, self.kind.fields[name])
        self._values[key] = {**self._values[key], name: value}

    def _add(self, key: Key, row: Mapping[str, object], place: Place) -> None:
        self.rows.append([])
        self._index[key] = len(self.rows) - 1
        self._values[key] = dict(row)
        self._was[key] = ({}, place)
        if self._near:
            self._near.setdefault(near(self.kind, row), []).append(key)
        for name in self.kind.typed_fields:
            if row[name] is not None:
                self._set(key, name, row[name])

    def as_table(self) -> TextTable:
        """Return the whole table as text, its rows numbered as in a file."""
        width = len(self.heading)
        rows = tuple((at, (*cells, *[""] * (width - len(cells)))) for at, cells in enumerate(self.rows, start=2))
        return TextTable(f"{self.kind.name}.csv", "", tuple(self.heading), rows)

    def text(self) -> str:
        """Return the whole table as CSV text."""
        table = self.as_table()
        return record_folder.write_csv([table.heading, *(cells for _, cells in table.rows)])


@dataclass(slots=True)
class ImportBook:
    """A book in memory."""

    folder: Path  # where its boundaries and its evidence lie
    farm_id: str = ""  # fills blank farm columns; empty for a new book
    tables: dict[str, KindTable] = field(default_factory=dict)  # by kind, those that were asked for
    rejected: list[record_folder.RejectedRow] = field(default_factory=list)  # rows that stay out
    new_farm: tuple[str, str] = ("", "")  # identifier and name of the farm of a book that has none yet
    _texts: dict[str, TextTable | None] = field(default_factory=dict)  # by kind; None where it cannot be read
    _read: RecordBook | None = None

    @classmethod
    def in_folder(cls, folder: Path) -> "ImportBook":
        """Read the book in a folder, which need not exist yet.

        Raises:
            ProblemsError: there is a book, and it cannot be read at all.
        """
        if not (folder / "farm.csv").is_file():
            return cls(folder)
        book = record_folder.load_book(folder)
        found = cls(folder, book.farm_ids[0] if book.farm_ids else "", rejected=record_folder.rejected_in(folder))
        found._read = book
        for name in KINDS:
            path = folder / f"{name}.csv"
            if path.is_file():
                try:
                    found._texts[name] = read_csv_table(path, path.name)
                except ProblemsError:
                    found._texts[name] = None
        return found

    @classmethod
    def of_rows(
        cls,
        folder: Path,
        farm_id: str,
        rows: Mapping[str, Iterable[Texts]],
        rejected: Iterable[record_folder.RejectedRow],
    ) -> "ImportBook":
        """Return a book whose rows are given as texts by column."""
        found = cls(folder, farm_id, rejected=list(rejected))
        for name, given in rows.items():
            heading = tuple(KINDS[name].typed_fields)
            lines = tuple((at, tuple(row[each] for each in heading)) for at, row in enumerate(given, start=2))
            found._texts[name] = TextTable(f"{name}.csv", "", heading, lines)
        return found

    def table(self, kind: str) -> KindTable:
        if kind not in self.tables:
            there = self._texts.get(kind, TextTable(f"{kind}.csv", "", (), ()))
            self.tables[kind] = (
                KindTable(KINDS[kind], [], [], usable=False)
                if there is None
                else KindTable.read(KINDS[kind], there, self.farm_id)
            )
        return self.tables[kind]

    def records(self) -> RecordBook | None:
        """Return the book as it stands by now; None where it has no farm yet."""
        if self._read is None and (self.farm_id or self._texts):
            self._read = self._records()
        return self._read

    def touch(self) -> None:
        """Say that tables were changed, so that ``records`` reads them again."""
        self._read = None

    def _records(self) -> RecordBook:
        readings = []
        for name, kind in KINDS.items():
            table = self.tables[name].as_table() if name in self.tables else self._texts.get(name)
            if name in self._texts and self._texts[name] is None:
                readings.append((name, TableRead([], [], [IncompleteRow(name, self.farm_id)])))
            elif table is not None and table.rows:
                readings.append((name, read_table(kind, table, farm_id=self.farm_id)))
        units = [(row.farm_id, row["unit_id"]) for name, read in readings if name == "unit" for row in read.rows]
        told, marks = record_folder.rejected_marks(self.rejected, self.farm_id, units)
        return RecordBook.from_readings(
            readings, problems=told, incomplete_rows=marks, folder=self.folder,
            files=FolderFiles(self.folder / record_folder.EVIDENCE),
        )  # fmt: skip

    def changes(self) -> list[RowChange]:
        """Return every row that is new or says otherwise than in the book, in the order of the kinds."""
        return [change for name in KINDS if name in self.tables for change in self.tables[name].changes()]
