"""The farm's record book as it stands in the database: rows by key, and the same as a RecordBook of the core.

A row is kept as the texts a person typed, in the form that ``write_cell`` gives them; the core reads them as it reads
a file, so a row that cannot be read in full withholds what rests on it here as it does on the command line.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from provender.database.models import Book
from provender.database.store.record_books import Rows, rows_of
from provender.practices.assess import Assessment, assess
from provender.problem import Problem
from provender.records import KINDS, Kind
from provender.records.blemish import Blemish
from provender.records.book import RecordBook
from provender.records.reading import read_table
from provender.records.rejected import REJECTED, rejected_marks
from provender.records.table import TextTable
from provender.services.farm.book import head_of
from provender.services.imports.folder import FARM, FILE, write_folder
from provender.services.imports.words import for_page

__all__ = ["FARM", "FarmBook", "called", "key_of", "latest", "texts_of"]


@dataclass(frozen=True)
class FarmBook:
    """One version of a farm's book.

    Attributes:
        book: the book.
        version: the number of its last change; 0 when nothing was written.
    """

    book: Book
    version: int

    @cached_property
    def rows(self) -> Rows:
        """Return the rows by kind and key."""
        return rows_of(self.book, self.version)

    @property
    def farm_id(self) -> str:
        """Return what reports, slips and the custody book of this server call the farm: the organisation's code.

        One book holds one farm, whatever identifier its rows came with from another program.
        """
        return self.book.organisation.handle

    @cached_property
    def judged(self) -> Assessment:
        """Return the book judged."""
        return assess(self.records())

    def of(self, kind: Kind) -> dict[str, Mapping[str, object]]:
        """Return the rows of a kind by key, in the order they were first written."""
        return self.rows.get(kind.name, {})

    def texts(self, kind: Kind, key: str) -> dict[str, str] | None:
        """Return one row as texts, or None where there is none."""
        row = self.of(kind).get(key)
        return None if row is None else texts_of(kind, row)

    def records(self) -> RecordBook:
        """Return the book as the core reads it, with its problems; rejected rows withhold what rests on them."""
        readings = [(name, read_table(kind, self._table(kind), farm_id=self.farm_id)) for name, kind in KINDS.items()]
        problems, marks = self._rejected()
        return RecordBook.from_readings(readings, problems=problems, blemishes=marks)

    @property
    def files(self) -> Mapping[str, Mapping[str, object]]:
        """Return the files that belong to the book (boundaries, rejected rows, column maps, evidence) by path."""
        return self.rows.get(FILE, {})

    def _rejected(self) -> tuple[list[Problem], list[Blemish]]:
        lying = {path: row for path, row in self.files.items() if path.startswith(f"{REJECTED}/")}
        if not lying:
            return [], []
        units = [(self.farm_id, unit) for unit in self.of(KINDS["unit"])]
        with TemporaryDirectory() as folder:
            write_folder({FILE: lying}, Path(folder))
            problems, marks = rejected_marks(Path(folder), self.farm_id, units)
        return [for_page(problem) for problem in problems], marks

    def _table(self, kind: Kind) -> TextTable:
        names = tuple(kind.typed_fields)
        rows = [texts_of(kind, row) | {FARM: self.farm_id} for row in self.of(kind).values()]
        cells = [(number, tuple(row[name] for name in names)) for number, row in enumerate(rows, start=1)]
        return TextTable(kind.label, "", names, tuple(cells))


def texts_of(kind: Kind, row: Mapping[str, object]) -> dict[str, str]:
    """Return a stored row as one text per column a person types; a column it lacks is blank."""
    return {name: "" if row.get(name) is None else str(row[name]) for name in kind.typed_fields}


def key_of(kind: Kind, texts: Mapping[str, str]) -> str:
    """Return the key of a row in its kind: its own column, or a JSON list where several columns make it."""
    names = [name for name in kind.key_columns if name != FARM] or [FARM]
    return texts[names[0]] if len(names) == 1 else json.dumps([texts[name] for name in names], ensure_ascii=False)


def called(kind: Kind, key: str) -> str:
    """Return what people call a row."""
    several = len(kind.key_columns) > 2  # noqa: PLR2004 - the farm and one column of its own
    return ", ".join(json.loads(key)) if several and key.startswith("[") else key


def latest(book: Book) -> FarmBook:
    """Return a book as it stands after its last change."""
    head = head_of(book)
    return FarmBook(book, head.number if head else 0)
