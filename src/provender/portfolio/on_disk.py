"""A portfolio as it lies on disk."""

from dataclasses import dataclass
from pathlib import Path

from provender.portfolio.layout import Partition
from provender.portfolio.manifest import DataFile
from provender.problem import Problem


@dataclass(frozen=True, slots=True)
class Portfolio:
    """A portfolio as it lies on disk.

    Attributes:
        root: its folder.
        files: every file of it.
        problems: of its manifest and its folders.
        lacking: data sets and partitions of which rows are missing.
    """

    root: Path
    files: tuple[DataFile, ...]
    problems: tuple[Problem, ...]
    lacking: frozenset[tuple[str, Partition]]

    @property
    def partitions(self) -> dict[Partition, tuple[DataFile, ...]]:
        """Return the files of each partition, in the order of years and States."""
        found: dict[Partition, list[DataFile]] = {}
        for one in self.files:
            found.setdefault(one.partition, []).append(one)
        return {part: tuple(found[part]) for part in sorted(found, key=str)}
