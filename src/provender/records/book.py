"""A RecordBook: the frames of every kind for one farm or a million, with what could not be read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import polars as pl

from provender.problem import Problem
from provender.records import blemish
from provender.records.blemish import Blemish
from provender.records.checks import check_frame
from provender.records.kind import KINDS
from provender.records.reading import Reading
from provender.records.references import dangling


@dataclass(frozen=True, slots=True)
class RecordBook:
    """Checked records; the farm is a key column of every frame.

    Attributes:
        frames: one frame per kind of record, all kinds present, typed by their schemas.
        blemishes: one row per record that could not be read in full (``blemish.SCHEMA``).
        problems: everything a person must fix, all at once.
        folder: where the book lies on disk, for evidence and boundaries, or None.
    """

    frames: Mapping[str, pl.DataFrame]
    blemishes: pl.DataFrame
    problems: tuple[Problem, ...]
    folder: Path | None = None

    def __getitem__(self, kind: str) -> pl.DataFrame:
        """Return the frame of one kind."""
        return self.frames[kind]

    @classmethod
    def from_frames(
        cls,
        frames: Mapping[str, pl.DataFrame],
        *,
        problems: Iterable[Problem] = (),
        blemishes: Iterable[Blemish] = (),
        folder: Path | None = None,
    ) -> Self:
        """Check typed frames (bounds, keys, references) and make a book of them; absent kinds are empty.

        Raises:
            KeyError: a frame is named after no kind of record.
        """
        unknown = frames.keys() - KINDS.keys()
        if unknown:
            raise KeyError(f"no such kind of record: {', '.join(sorted(unknown))}")
        told, spoiled = list(problems), list(blemishes)
        checked: dict[str, pl.DataFrame] = {}
        for name, kind in KINDS.items():
            frame = frames[name] if name in frames else kind.empty()
            checked[name], more, also = check_frame(kind, frame.select(kind.empty().columns))
            told += more
            spoiled += also
        more, also = dangling(checked)
        return cls(checked, blemish.frame(spoiled + also, checked["harvest"]), tuple(told + more), folder)

    @classmethod
    def from_readings(
        cls,
        readings: Iterable[tuple[str, Reading]],
        *,
        problems: Iterable[Problem] = (),
        blemishes: Iterable[Blemish] = (),
        folder: Path | None = None,
    ) -> Self:
        """Make a book of tables that were read; several tables of one kind are put together."""
        parts: dict[str, list[pl.DataFrame]] = {}
        told = list(problems)
        spoiled = list(blemishes)
        for kind, reading in readings:
            parts.setdefault(kind, []).append(reading.frame)
            told += reading.problems
            spoiled += reading.blemishes
        frames = {kind: pl.concat(found) for kind, found in parts.items()}
        return cls.from_frames(frames, problems=told, blemishes=spoiled, folder=folder)

    @property
    def farm_ids(self) -> tuple[str, ...]:
        """Return the farms of the book, in order."""
        return tuple(self["farm"]["farm_id"].sort().to_list())
