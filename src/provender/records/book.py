"""A RecordBook: the frames of every kind for one farm or a million, with what could not be read."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import polars as pl

from provender.problem import Problem
from provender.records import incomplete_row
from provender.records.checks import check_frame
from provender.records.evidence_files import NO_FILES, EvidenceFiles
from provender.records.incomplete_row import IncompleteRow
from provender.records.kind import KINDS
from provender.records.reading import TableRead
from provender.records.references import missing_references


@dataclass(frozen=True, slots=True)
class RecordBook:
    """Checked records; the farm is a key column of every frame.

    Attributes:
        frames: one frame per kind of record, all kinds present, typed by their schemas.
        incomplete_rows: one row per record that could not be read in full (``incomplete_row.REACH``).
        problems: everything a person must fix, all at once.
        folder: where the book lies on disk, for boundaries, or None.
        files: the files that evidence records name.
        boundaries: the boundary files of a book that lies nowhere on disk.
    """

    frames: Mapping[str, pl.DataFrame]
    incomplete_rows: pl.DataFrame
    problems: tuple[Problem, ...]
    folder: Path | None = None
    files: EvidenceFiles = NO_FILES
    boundaries: EvidenceFiles = NO_FILES
    _rows: dict[str, dict[str, list[dict[str, Any]]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _places: dict[tuple[str, int], set[str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __getitem__(self, kind: str) -> pl.DataFrame:
        """Return the frame of one kind."""
        return self.frames[kind]

    def rows_of(self, kind: str, farm_id: str) -> Sequence[Mapping[str, Any]]:
        """Return a farm's rows of one kind as values by column, in the order of the frame.

        Put into rows once: a question for each farm, asked of the frame, would look through all farms each time.
        """
        if kind not in self._rows:
            by_farm: dict[str, list[dict[str, Any]]] = {}
            for row in self[kind].iter_rows(named=True):
                by_farm.setdefault(row["farm_id"], []).append(row)
            self._rows[kind] = by_farm
        return self._rows[kind].get(farm_id, ())

    def farms_at(self, file: str, row: int) -> AbstractSet[str]:
        """Return the farms whose records stand at a row of a file; in a file of several kinds one row may hold two."""
        if not self._places:
            for kind, frame in self.frames.items():
                for farm, source, at in frame.select("farm_id", "source_file", "source_row").iter_rows():
                    for name in {source, kind} - {None}:
                        self._places.setdefault((name, at or 0), set()).add(farm)
            lost = self.incomplete_rows.select("farm_id", "file", "row").drop_nulls()
            for farm, name, at in lost.iter_rows():
                self._places.setdefault((name, at), set()).add(farm)
        return self._places.get((file, row), set())

    @classmethod
    def from_frames(
        cls,
        frames: Mapping[str, pl.DataFrame],
        *,
        problems: Iterable[Problem] = (),
        incomplete_rows: Iterable[IncompleteRow] = (),
        folder: Path | None = None,
        files: EvidenceFiles = NO_FILES,
        boundaries: EvidenceFiles = NO_FILES,
    ) -> Self:
        """Check typed frames (bounds, keys, references) and make a book of them; absent kinds are empty.

        Raises:
            KeyError: a frame is named after no kind of record.
        """
        unknown = frames.keys() - KINDS.keys()
        if unknown:
            raise KeyError(f"no such kind of record: {', '.join(sorted(unknown))}")
        told, spoiled = list(problems), list(incomplete_rows)
        checked: dict[str, pl.DataFrame] = {}
        for name, kind in KINDS.items():
            empty = kind.empty()
            frame = frames.get(name, empty)
            if frame.columns != empty.columns:  # a query each, for nothing where they are in order
                frame = frame.select(empty.columns)
            checked[name], more, also = check_frame(kind, frame)
            told += more
            spoiled += also
        more, also = missing_references(checked)
        marks = incomplete_row.frame(spoiled + also, checked["harvest"])
        return cls(checked, marks, tuple(told + more), folder, files, boundaries)

    @classmethod
    def from_readings(
        cls,
        readings: Iterable[tuple[str, TableRead]],
        *,
        problems: Iterable[Problem] = (),
        incomplete_rows: Iterable[IncompleteRow] = (),
        folder: Path | None = None,
        files: EvidenceFiles = NO_FILES,
        boundaries: EvidenceFiles = NO_FILES,
    ) -> Self:
        """Make a book of tables that were read; several tables of one kind are put together."""
        parts: dict[str, list[pl.DataFrame]] = {}
        told = list(problems)
        spoiled = list(incomplete_rows)
        for kind, reading in readings:
            parts.setdefault(kind, []).append(reading.frame)
            told += reading.problems
            spoiled += reading.incomplete_rows
        frames = {kind: pl.concat(found) for kind, found in parts.items()}
        return cls.from_frames(
            frames, problems=told, incomplete_rows=spoiled, folder=folder, files=files, boundaries=boundaries
        )

    @property
    def farm_ids(self) -> tuple[str, ...]:
        """Return the farms of the book, in order."""
        return tuple(self["farm"]["farm_id"].sort().to_list())
