"""One CSV file of a book while an import works on it: rows of text that stay as they are, and records that are added.

The file is never written anew from what was understood of it: a row that could not be read stays as its owner wrote it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from provender.problem import ProblemsError
from provender.records.book import near
from provender.records.folder import write_cell, write_csv
from provender.records.kind import Kind, check_frame
from provender.records.reading import column_names, read_csv_table, read_table

Key = tuple[object, ...]


class RowResult(StrEnum):
    """What becomes of a sound row."""

    ADDED = "added"
    COMPLETED = "completed"
    REPLACED = "replaced"
    SAME = "same"
    DIFFERS = "differs"


@dataclass(slots=True)
class KindFile:
    """The file of one kind."""

    kind: Kind  # of its records
    heading: list[str]  # its column names as written
    rows: list[list[str]]  # its rows as written, then those added
    usable: bool = True  # it can be read, or is not there yet; into an unreadable file nothing is put
    changed: bool = False  # it must be written
    _index: dict[Key, int] = field(default_factory=dict)
    _values: dict[Key, dict[str, object]] = field(default_factory=dict)
    _near: dict[object, list[Key]] = field(default_factory=dict)

    @classmethod
    def load(cls, kind: Kind, folder: Path, farm_id: str) -> "KindFile":
        """Read the file of a kind, which need not exist."""
        path = folder / f"{kind.name}.csv"
        if not path.is_file():
            return cls(kind, list(kind.typed_fields), [])
        try:
            table = read_csv_table(path, path.name)
        except ProblemsError:
            return cls(kind, [], [], usable=False)
        found = cls(kind, list(table.heading) or list(kind.typed_fields), [list(cells) for _, cells in table.rows])
        at = {number: index for index, (number, _) in enumerate(table.rows)}
        frame, _, _ = check_frame(kind, read_table(kind, table, farm_id=farm_id).frame)
        for row in frame.iter_rows(named=True):
            key = found.key_of(row)
            found._index[key] = at[row["source_row"]]
            found._values[key] = row
        return found

    def key_of(self, row: Mapping[str, object]) -> Key:
        """Return the key of a record, typed."""
        return tuple(row[name] for name in self.kind.key_columns)

    def record(self, key: Key) -> Mapping[str, object] | None:
        """Return the record of a key, typed, or None."""
        return self._values.get(key)

    def near(self, row: Mapping[str, object]) -> list[Mapping[str, object]]:
        """Return the records, typed, that a row could be a second of (``records.another_row``)."""
        if not self._near:
            for key, one in self._values.items():
                self._near.setdefault(near(self.kind, one), []).append(key)
        return [self._values[key] for key in self._near.get(near(self.kind, row), ())]

    def differing(self, row: Mapping[str, object]) -> tuple[str, ...]:
        """Return the columns in which the file says otherwise of a record; none where it is not there."""
        key = self.key_of(row)
        if key not in self._index:
            return ()
        old = self._values[key]
        return tuple(name for name, value in self._told(row).items() if value != old[name] and self._written(key, name))

    def _told(self, row: Mapping[str, object]) -> dict[str, object]:
        return {name: row[name] for name in self.kind.typed_fields if name != "farm_id" and row[name] is not None}

    def put(self, row: Mapping[str, object], *, replace: bool = False) -> tuple[RowResult, tuple[str, ...]]:
        """Bring one sound record into the file; return its fate, and the columns in which it differs or adds."""
        key = self.key_of(row)
        if key not in self._index:
            self._add(key, row)
            return RowResult.ADDED, ()
        told, old = self._told(row), self._values[key]
        differs = self.differing(row)
        adds = tuple(name for name, value in told.items() if value != old[name] and name not in differs)
        if differs and not replace:
            return RowResult.DIFFERS, differs
        for name in (*differs, *adds):
            self._set(key, name, told[name])
        if differs:
            return RowResult.REPLACED, differs
        return (RowResult.COMPLETED, adds) if adds else (RowResult.SAME, ())

    def _column(self, name: str) -> int:
        known = column_names(self.kind)
        found = [index for index, heading in enumerate(self.heading) if known.get(heading.casefold()) == name]
        if not found:
            self.heading.append(name)
            return len(self.heading) - 1
        return found[0]

    def _written(self, key: Key, name: str) -> bool:
        """Tell whether the file has any text in a cell, readable or not."""
        cells, column = self.rows[self._index[key]], self._column(name)
        return column < len(cells) and bool(cells[column].strip())

    def _set(self, key: Key, name: str, value: object) -> None:
        cells, column = self.rows[self._index[key]], self._column(name)
        cells += [""] * (column + 1 - len(cells))
        cells[column] = write_cell(value, self.kind.fields[name])
        self._values[key] = {**self._values[key], name: value}
        self.changed = True

    def _add(self, key: Key, row: Mapping[str, object]) -> None:
        cells: list[str] = []
        self.rows.append(cells)
        self._index[key] = len(self.rows) - 1
        self._values[key] = dict(row)
        if self._near:
            self._near.setdefault(near(self.kind, row), []).append(key)
        for name in self.kind.typed_fields:
            if row[name] is not None:
                self._set(key, name, row[name])

    def text(self) -> str:
        """Return the whole file as CSV text."""
        width = len(self.heading)
        return write_csv([self.heading, *([*cells, *[""] * (width - len(cells))] for cells in self.rows)])
