"""A RecordBook: the frames of every kind for one farm or a million, with what could not be read."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath
from typing import Any, Final, Protocol, Self, TypeVar

import polars as pl

from provender.days import says
from provender.problem import Problem
from provender.records import checks
from provender.records.checks import IncompleteRow, check_frame, missing_references
from provender.records.kind import KINDS, Record
from provender.records.reading import TableRead
from provender.signing.canonical import hash_file, sha256_hex

# The files that evidence records name: where they lie now and what their content hashes to (interpretation 59).
#
# A record names a file; only the file is evidence. Verdicts ask here whether it is there and what it holds today, and
# compare that with the hash that was recorded when it came in.
#
# Telephones write ``IMG_0001.jpg`` twice. The first file lies under the name that the records give it; another of the
# same name, or of one that some systems take for the same, lies beside it under a name with its hash (``kept_as``). A
# row that records a hash finds the file of that hash in either place.

HASH_SHOWN: Final = 12
"""So many digits of its hash stand in the name of a file that is kept beside others."""


def kept_as(name: str, sha256: str) -> str:
    """Return the name under which a file lies beside others that may bear its own, such as ``IMG-0a1b2c3d4e5f.jpg``."""
    path = PurePath(name.replace("\\", "/"))
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", path.stem).strip("-.") or "file"
    return f"{stem}-{sha256[:HASH_SHOWN]}{re.sub(r'[^a-z0-9.]', '', path.suffix.lower())}"


def place_of(file: str, recorded: str | None, hash_at: Callable[[str], str]) -> str:
    """Return the name under which the file of a row lies.

    Args:
        file: the name that the row gives it.
        recorded: the SHA-256 that the row gives, in any case; without one the name is all there is.
        hash_at: gives the SHA-256 of what lies under a name; empty where nothing does.
    """
    wanted = (recorded or "").strip().lower()
    if wanted and hash_at(file) != wanted and hash_at(beside := kept_as(file, wanted)) == wanted:
        return beside
    return file


class EvidenceFiles(Protocol):
    """Where the files of a book's evidence lie."""

    def hash_of(self, farm_id: str, file: str, recorded: str | None = None) -> str:
        """Return the SHA-256 of a file as it is now, that of the recorded one if it is there; empty for none."""

    def content_of(self, farm_id: str, file: str, recorded: str | None = None) -> bytes:
        """Return the bytes of a file, of the recorded one if it is there; empty for none."""


def file_inside(folder: Path, name: str) -> Path | None:
    """Return the file of a name inside a folder; None where none is there, or the name is none or leads out of it."""
    try:
        inside = folder.resolve()
        path = (inside / name).resolve()
        return path if path.is_relative_to(inside) and path.is_file() else None
    except (OSError, ValueError):  # a name too long for the disk, or with a NUL
        return None


class FolderFiles:
    """Files in one folder, whichever farm they belong to; each is hashed once.

    Files that a verifier allowed to be left out of a package count with the hash that the package states for them.
    """

    def __init__(self, folder: Path, left_out: Mapping[str, str] | None = None) -> None:
        self._folder, self._left_out = folder, left_out or {}
        self._hashes: dict[str, str] = {}

    def hash_of(self, farm_id: str, file: str, recorded: str | None = None) -> str:  # noqa: ARG002 - of one farm
        """Return the hash of a file inside the folder; a name that leads out of it is not there."""
        return self._hash_at(place_of(file, recorded, self._hash_at))

    def content_of(self, farm_id: str, file: str, recorded: str | None = None) -> bytes:  # noqa: ARG002 - of one farm
        """Return the bytes of a file inside the folder."""
        path = self.path_of(file, recorded)
        return path.read_bytes() if path else b""

    def path_of(self, file: str, recorded: str | None = None) -> Path | None:
        """Return where a file lies, the recorded one if it is there; None where none does."""
        return file_inside(self._folder, place_of(file, recorded, self._hash_at))

    def _hash_at(self, file: str) -> str:
        if file not in self._hashes:
            path = file_inside(self._folder, file)
            self._hashes[file] = hash_file(path) if path else self._left_out.get(file, "")
        return self._hashes[file]


class Memory(Protocol):
    """What was read out of files before, where reading is dear, by what tells file and reading from others."""

    def get(self, key: str) -> str | None:
        """Return what was read, or None where it was not or is forgotten."""

    def put(self, key: str, text: str) -> None:
        """Remember what was read, for a while."""


class HeldFiles:
    """Files of several farms that somebody else keeps: by farm and name, with a way to read each.

    Attributes:
        memory: what was read out of them before, kept by the same somebody; None where nothing is.
    """

    def __init__(self, files: Mapping[tuple[str, str], Callable[[], bytes]], memory: Memory | None = None) -> None:
        self._files, self.memory = files, memory
        self._hashes: dict[tuple[str, str], str] = {}

    def hash_of(self, farm_id: str, file: str, recorded: str | None = None) -> str:
        """Return the hash of what is kept."""
        return self._hash_at(farm_id, self._place(farm_id, file, recorded))

    def content_of(self, farm_id: str, file: str, recorded: str | None = None) -> bytes:
        """Return what is kept."""
        return self._read(farm_id, self._place(farm_id, file, recorded))

    def _place(self, farm_id: str, file: str, recorded: str | None) -> str:
        return place_of(file, recorded, partial(self._hash_at, farm_id))

    def _hash_at(self, farm_id: str, file: str) -> str:
        key = farm_id, file
        if key not in self._hashes:
            content = self._read(farm_id, file)
            self._hashes[key] = sha256_hex(content) if content else ""
        return self._hashes[key]

    def _read(self, farm_id: str, file: str) -> bytes:
        read = self._files.get((farm_id, file))
        return b"" if read is None else read()


NO_FILES: Final = HeldFiles({})
"""Of a book that lies nowhere: no file is there."""


_R = TypeVar("_R", bound=Record)


@dataclass(frozen=True, slots=True)
class RecordBook:
    """Checked records; the farm is a key column of every frame."""

    frames: Mapping[str, pl.DataFrame]  # one frame per kind of record, all kinds present, of its types
    incomplete_rows: pl.DataFrame  # one row per record that could not be read in full (``incomplete_row.REACH``)
    problems: tuple[Problem, ...]  # everything a person must fix, all at once
    folder: Path | None = None  # where the book lies on disk, for boundaries, or None
    files: EvidenceFiles = NO_FILES  # the files that evidence records name
    boundaries: EvidenceFiles = NO_FILES  # the boundary files of a book that lies nowhere on disk
    _rows: dict[str, dict[str, list[dict[str, Any]]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _typed: dict[str, dict[str, Any]] = field(default_factory=dict, init=False, repr=False, compare=False)
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

    def rows(self, kind: type[_R], farm_id: str) -> tuple[_R, ...]:
        """Return a farm's rows of one kind, in the order of the frame; made once."""
        name = kind.kind_name
        if name not in self._typed:
            by_farm: dict[str, list[Record]] = {}
            for row in self[name].iter_rows(named=True):
                by_farm.setdefault(row["farm_id"], []).append(kind(**row))
            self._typed[name] = {farm: tuple(rows) for farm, rows in by_farm.items()}
        typed: tuple[_R, ...] = self._typed[name].get(farm_id, ())
        return typed

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
            frame = frames.get(name, kind.empty())
            if frame.columns != (columns := list(kind.columns)):  # a query each, for nothing where they are in order
                frame = frame.select(columns)
            checked[name], more, also = check_frame(kind, frame)
            told += more
            spoiled += also
        more, also = missing_references(checked)
        marks = checks.frame(spoiled + also, checked["harvest"])
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


# Records in which a text that only looks like an answer names nothing (``provender.days``).
#
# The records keep what was typed, and it is what is signed; only whoever asks what they show asks here.

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "harvest": ("termination_record",),
    "operation": ("equipment",),
    "cover_crop": ("suits_site_source",),
    "seed_purchase": ("supplier",),
    "nutrient_budget": ("need_source",),
    "soil_test": ("laboratory", "method"),
    "in_season_test": ("laboratory", "result"),
    "expert_opinion": ("expert",),
    "inhibitor_purchase": ("supplier",),
    "inhibitor_acceptance": ("source",),
}
"""Where a verdict rests on something being named."""


def with_what_is_said(book: RecordBook) -> RecordBook:
    """Return a book for verdicts, with text that names nothing left blank; the same book where there is none."""
    told = {kind: _told(book[kind], names) for kind, names in COLUMNS.items()}
    changed = {kind: frame for kind, frame in told.items() if frame is not book[kind]}
    return replace(book, frames={**book.frames, **changed}) if changed else book


def _told(frame: pl.DataFrame, names: tuple[str, ...]) -> pl.DataFrame:
    empty = {}
    for name in names if frame.height else ():
        found = [text for text in frame[name].unique() if text is not None and not says(text)]
        if found:
            empty[name] = found
    blank = [pl.when(~pl.col(name).is_in(found)).then(name).alias(name) for name, found in empty.items()]
    return frame.with_columns(blank) if blank else frame
