"""The manifest of a portfolio: every file with its rows and hash, so that nobody can lose one unseen."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from provender import __version__
from provender.portfolio import footer, layout
from provender.portfolio.layout import Partition
from provender.portfolio.whole import write_whole
from provender.problem import Place, Problem, ProblemsError, Weight
from provender.signing.hashes import hash_file

NAME: Final = "manifest.json"
SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file of a portfolio.

    Attributes:
        path: within the portfolio, with forward slashes.
        data_set: the kind of its records.
        rows: how many.
        sha256: of its bytes.
    """

    path: str
    data_set: str
    rows: int
    sha256: str

    @property
    def inside(self) -> Path:
        """Return the path within the portfolio."""
        return Path(self.path)

    @property
    def partition(self) -> Partition:
        """Return the partition it belongs to."""
        return Partition.of(Path(self.path))


@dataclass(frozen=True, slots=True)
class Manifest:
    """All files of a portfolio as they were when it was written."""

    files: tuple[DataFile, ...]
    schema_version: int = SCHEMA_VERSION
    software: str = f"provender {__version__}"


def data_file(root: Path, data_set: str, inside: Path) -> DataFile:
    """Return what the manifest says of a file.

    Raises:
        ValueError: it is not Parquet.
    """
    path = root / inside
    return DataFile(inside.as_posix(), data_set, sum(footer.row_groups(path)), hash_file(path))


def write_manifest(root: Path) -> Manifest:
    """Write the manifest of all files that lie in a portfolio now.

    Raises:
        ProblemsError: some of them are not Parquet; then nothing is written, and a manifest that is there stays.
    """
    found: list[DataFile] = []
    problems: list[Problem] = []
    for data_set, inside in layout.files(root):
        try:
            found.append(data_file(root, data_set, inside))
        except ValueError as wrong:
            cause = f"The file cannot be read: {wrong}. A manifest would list rows that nobody can count."
            remedy = "Get it again or take it away, then write the manifest; the one of before stands until then."
            problems.append(Problem(Place(inside.as_posix()), cause, remedy, code="unreadable_file"))
    if problems:
        raise ProblemsError(problems)
    manifest = Manifest(tuple(found))
    write_whole(root / NAME, json.dumps(asdict(manifest), indent=1).encode() + b"\n")
    return manifest


def read_manifest(root: Path) -> tuple[Manifest | None, list[Problem]]:
    """Read the manifest of a portfolio; without one, say what nobody can know."""
    path = root / NAME
    if not path.is_file():
        cause = "The portfolio has no manifest: nobody can tell whether files or rows are missing."
        remedy = "Ask whoever wrote it for the manifest, or write one with `provender portfolio validate --seal`."
        return None, [Problem(Place(NAME), cause, remedy, weight=Weight.CONFIRM, code="no_manifest")]
    try:
        data = json.loads(path.read_bytes())
        rows = tuple(DataFile(**one) for one in data["files"])
        manifest = Manifest(rows, int(data["schema_version"]), str(data["software"]))
    except (ValueError, KeyError, TypeError):
        cause = "The manifest cannot be read."
        return None, [Problem(Place(NAME), cause, "Get the portfolio again, or write a new one.", code="bad_manifest")]
    if manifest.schema_version > SCHEMA_VERSION:
        cause = f"The portfolio is of schema version {manifest.schema_version}; this program reads {SCHEMA_VERSION}."
        return manifest, [Problem(Place(NAME), cause, "Update this program.", code="newer_schema")]
    return manifest, []


def held_against(manifest: Manifest, found: Sequence[DataFile]) -> tuple[list[Problem], set[tuple[str, Partition]]]:
    """Hold the files that are there against the manifest.

    Another program may have written the rows anew into files of its own: then names and hashes differ and the rows are
    as many. Fewer rows are lost ones.

    Returns:
        Problems, and the data sets and partitions of which rows are missing.
    """
    problems: list[Problem] = []
    lacking: set[tuple[str, Partition]] = set()
    listed, there = {one.path: one for one in manifest.files}, {one.path: one for one in found}
    was, now = _rows(manifest.files), _rows(found)
    changed = {
        (one.data_set, one.partition)
        for files, others in ((listed, there), (there, listed))
        for path, one in files.items()
        if others.get(path) != one
    }
    for key in sorted(changed, key=str):
        where = Place(f"{key[0]}/{key[1].folder}")
        if was[key] > now[key]:
            lacking.add(key)
            cause = (
                f"The manifest lists {was[key]:,} rows, {now[key]:,} are there: {was[key] - now[key]:,} are missing."
            )
            problems.append(Problem(where, cause, "Get the missing files again.", code="rows_missing"))
        else:
            cause = "The files are others than the manifest lists"
            cause += (
                f"; they hold {now[key] - was[key]:,} rows more." if now[key] > was[key] else ", with as many rows."
            )
            remedy = "If the rows were written anew on purpose, `provender portfolio validate --seal` lists them."
            problems.append(Problem(where, cause, remedy, weight=Weight.CONFIRM, code="files_changed"))
    return problems, lacking


def _rows(files: Iterable[DataFile]) -> Mapping[tuple[str, Partition], int]:
    counted: Counter[tuple[str, Partition]] = Counter()
    for one in files:
        counted[one.data_set, one.partition] += one.rows
    return counted
