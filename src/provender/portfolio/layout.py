"""Where things lie in a portfolio: data sets, partitions, and what columns are called in its files."""

import json
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from importlib.resources import files as resource_files
from os import SEEK_END
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, TypeVar
from urllib.parse import quote, unquote

import polars as pl

from provender import __version__
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.records.kind import KINDS, Kind
from provender.signing.canonical import hash_file, sha256_hex
from provender.whole_file import write_whole

YEAR: Final = "harvest_year"
STATE: Final = "state"
UNKNOWN: Final = "__HIVE_DEFAULT_PARTITION__"
"""How Hive, Spark and DuckDB write the folder of a null."""
INCOMPLETE: Final = "incomplete_row"
"""Data set of the rows that could not be read: without it an unreadable row would become a missing one."""
PROBLEM: Final = "problem"
"""Data set of what a person must fix."""
PREFIX: Final = "provender:"
"""Before our own columns among those of fiboa, in ``unit``."""
_CLASHING: Final[Mapping[str, str]] = {YEAR: f"record_{YEAR}", STATE: f"record_{STATE}"}
"""Columns of records that are called like a partition key, and their names in files: readers of hive folders let the
folder's value stand for both, and a ticket of 2025 in a delivery of 2026 would change its year."""


class Partition(NamedTuple):
    """One part of a portfolio: whole books, by the year of their newest harvest and the State of the farm."""

    harvest_year: int | None = None  # the year, or None where no harvest has a day
    state: str | None = None  # two letters, or None where the records do not say

    @property
    def folder(self) -> str:
        """Return the folder of the partition inside a data set."""
        year = UNKNOWN if self.harvest_year is None else str(self.harvest_year)
        return f"{YEAR}={year}/{STATE}={UNKNOWN if self.state is None else quote(self.state, safe='')}"

    @classmethod
    def of(cls, path: Path) -> Self:
        """Return the partition that the folders of a path name; without any, the one of everything."""
        year, state = written(path)
        number = (year or "").removesuffix(".0")  # as data frames with a null among the years write them
        return cls(int(number) if number.isdecimal() else None, state and state.upper())

    def __str__(self) -> str:
        """Write the partition for people."""
        return f"{self.harvest_year or 'no year'} {self.state or 'no State'}"


def written(path: Path) -> tuple[str | None, str | None]:
    """Return year and State as the folders of a path write them, whatever the case of their keys; None for none."""
    pairs = [part.split("=", 1) for part in path.parts if "=" in part]
    found = {unquote(key).casefold(): value for key, value in pairs}
    year, state = (unquote(found.get(name, UNKNOWN)).strip() for name in (YEAR, STATE))
    return (None if year == UNKNOWN else year), (None if state == UNKNOWN else state)


def is_data(path: Path) -> bool:
    """Tell whether a file's name ends as that of a Parquet file."""
    return path.suffix.casefold() == ".parquet"


def files(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield data set and path, within the portfolio, of every Parquet file, in the order of their names.

    A data set is a folder, or one file beside the folders. Names that begin with ``_`` or a dot are not data: so other
    programs mark what they are still writing.
    """
    for path in sorted(filter(is_data, root.rglob("*"))):
        inside = path.relative_to(root)
        if path.is_file() and not any(part.startswith(("_", ".")) for part in inside.parts):
            yield (inside.parts[0] if len(inside.parts) > 1 else inside.stem).casefold(), inside


def partitioned(path: Path) -> bool:
    return written(path) != (None, None) or any(UNKNOWN in part for part in path.parts)


def written_name(kind: Kind, column: str) -> str:
    """Return what a column of a kind is called in the files of a portfolio."""
    if kind.name == "unit" and column != "farm_id":
        return PREFIX + column
    return _CLASHING.get(column, column)


def column_names(kind: Kind) -> dict[str, str]:
    """Return the column that each name in a file means, case aside; a name of ours before one that only looks like it.

    Programs that keep no case write names in small letters.
    """
    own = {name.casefold(): name for name in kind.fields}
    return own | {written_name(kind, name).casefold(): name for name in kind.fields}


def is_kind(data_set: str) -> bool:
    return data_set in KINDS


# Files and folders that are either there whole or not at all: written aside, then renamed.

ASIDE: Final = "_making-"
"""Begins the name of what is still being written; readers of Parquet folders pass such names over."""
_OLD: Final = "_old-"


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Yield an empty folder to write into, which becomes ``folder`` when the block ends without an error.

    What was there before is replaced. A killed process leaves a folder under another name, which the next one clears.
    """
    aside, old = folder.with_name(ASIDE + folder.name), folder.with_name(_OLD + folder.name)
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    yield aside
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    aside.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def unfinished(path: Path, out: Path) -> bool:
    """Tell whether a path inside a folder is of what is still being written, or was when its process died."""
    return any(part.startswith("_") for part in path.relative_to(out).parts)


# The footer of a Parquet file: how many rows the file has, and what readers go by.

ARROW: Final = b"ARROW:schema"
_TAIL: Final = 8
"""Bytes at the end of a file: the length of its footer, and ``PAR1``."""


def hide_arrow_schema(path: Path) -> None:
    """Give the Arrow schema in a footer another name, so that readers go by Parquet's own.

    Where it is there, pyarrow takes the metadata of a file from it alone, and the validator of Vecorel finds none.
    """
    with path.open("r+b") as stream:
        start = stream.seek(-_TAIL, SEEK_END)
        start -= int.from_bytes(stream.read(4), "little")
        stream.seek(start)
        found = stream.read()
        stream.seek(start)
        stream.write(found.replace(ARROW, ARROW.swapcase()))


def row_count(path: Path) -> int:
    """Return the rows of a file by its footer; ValueError where it is not Parquet, or cut off."""
    try:
        return int(pl.scan_parquet(path, hive_partitioning=False, glob=False).select(pl.len()).collect().item())
    except FAILURES as failed:
        raise ValueError(words(failed)) from None


# The manifest of a portfolio: every file with its rows and hash, so that nobody can lose one unseen.

NAME: Final = "manifest.json"
_SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file of a portfolio."""

    path: str  # within the portfolio, with forward slashes
    data_set: str  # the kind of its records
    rows: int  # how many
    sha256: str  # of its bytes

    @property
    def inside(self) -> Path:
        return Path(self.path)

    @property
    def partition(self) -> Partition:
        return Partition.of(Path(self.path))


@dataclass(frozen=True, slots=True)
class Manifest:
    """All files of a portfolio as they were when it was written."""

    files: tuple[DataFile, ...]
    schema_version: int = _SCHEMA_VERSION
    software: str = f"provender {__version__}"


def data_file(root: Path, data_set: str, inside: Path) -> DataFile:
    """Return what the manifest says of a file.

    Raises:
        ValueError: it is not Parquet.
    """
    path = root / inside
    return DataFile(inside.as_posix(), data_set, row_count(path), hash_file(path))


def write_manifest(root: Path) -> Manifest:
    """Write the manifest of all files that lie in a portfolio now.

    Raises:
        ProblemsError: some of them are not Parquet; then nothing is written, and a manifest that is there stays.
    """
    found: list[DataFile] = []
    problems: list[Problem] = []
    for data_set, inside in files(root):
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
    if manifest.schema_version > _SCHEMA_VERSION:
        cause = f"The portfolio is of schema version {manifest.schema_version}; this program reads {_SCHEMA_VERSION}."
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


# A portfolio as it lies on disk.


@dataclass(frozen=True, slots=True)
class Portfolio:
    """A portfolio as it lies on disk."""

    root: Path  # its folder
    files: tuple[DataFile, ...]  # every file of it
    problems: tuple[Problem, ...]  # of its manifest and its folders
    lacking: frozenset[tuple[str, Partition]]  # data sets and partitions of which rows are missing

    @property
    def partitions(self) -> dict[Partition, tuple[DataFile, ...]]:
        """Return the files of each partition, in the order of years and States."""
        found: dict[Partition, list[DataFile]] = {}
        for one in self.files:
            found.setdefault(one.partition, []).append(one)
        return {part: tuple(found[part]) for part in sorted(found, key=str)}

    def parquet(self, *data_sets: str) -> list[DataFile]:
        return [one for one in self.files if one.data_set in data_sets and one.sha256]


# What a partition of a result was made from: hashes of its input, the rule, the software, the job and its options.

LINEAGE_NAME: Final = "lineage.json"


@cache
def _rule_hash() -> str:
    """Return the SHA-256 of the rule's parameters as the software brings them."""
    return sha256_hex((resource_files("provender.rule") / "data" / "parameters.toml").read_bytes())


@dataclass(frozen=True, slots=True)
class Lineage:
    """Where a partition of a result comes from."""

    job: str  # its name
    options: Mapping[str, str]  # as given, by name
    inputs: tuple[tuple[str, str], ...]  # (path, SHA-256) of every file read
    rule: str = field(default_factory=_rule_hash)  # SHA-256 of the rule's parameters, all its versions
    software: str = f"provender {__version__}"  # name and version

    def as_json(self) -> str:
        return json.dumps(asdict(self), indent=1, sort_keys=True) + "\n"


def lineage(job: str, files: Sequence[DataFile], options: Mapping[str, str] | None = None) -> Lineage:
    return Lineage(job, dict(options or {}), tuple(sorted((one.path, one.sha256) for one in files)))


def write_result(frame: pl.DataFrame, path: Path, job: str, files: Sequence[DataFile]) -> None:
    """Write the one file of a job that looks at the whole portfolio, whole or not at all, with its lineage inside."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(ASIDE + path.name)
    frame.write_parquet(aside, metadata={"lineage": lineage(job, files).as_json()})
    aside.replace(path)


def stands(folder: Path, wanted: Lineage) -> bool:
    """Tell whether a partition of a result is there, made of the same input by the same job and software."""
    path = folder / LINEAGE_NAME
    return path.is_file() and path.read_text(encoding="utf-8") == wanted.as_json()


# Whose result lies in a folder: of one job over one portfolio, so that no other writes over it or clears it away.

MARK: Final = "result.json"
"""File of a result that says which job made it, and where the portfolio lies."""
_REMEDY: Final = "Name another folder with --out, or remove what lies there first."


def take_folder(job: str, portfolio: Portfolio, out: Path) -> None:
    """Mark a folder as that of a job's result over a portfolio, before anything is written into it.

    Raises:
        ProblemsError: another job's result or another portfolio's lies there, or data that no job wrote; or the folder
            lies in the portfolio itself.
        OSError: the folder cannot be made, or not be written into.
    """
    root = str(portfolio.root.resolve())
    if out.resolve().is_relative_to(root):
        raise _not_here(out, f"The folder lies in the portfolio {root}, and would become part of it.")
    for partition in portfolio.partitions:
        folder = out / partition.folder
        if folder.exists() and not (folder / LINEAGE_NAME).is_file():
            raise _not_here(out, f"What lies in its {partition.folder} was written by no job.")
    if not (out / MARK).exists():
        if partitions_in(out):
            raise _not_here(out, "The folder holds a result that says of no job and no portfolio that it is theirs.")
        _mark(job, root, out)
    made = _json(out / MARK)
    if (made.get("job"), made.get("portfolio")) != (job, root):
        whose = f"`portfolio {made.get('job', '?')}` over {made.get('portfolio', 'a portfolio that it does not name')}"
        raise _not_here(out, f"The folder holds the result of {whose}; this is `portfolio {job}` over {root}.")


def partitions_in(out: Path) -> list[Path]:
    return [path.parent for path in sorted(out.glob(f"*/*/{LINEAGE_NAME}")) if not unfinished(path, out)]


def _not_here(out: Path, cause: str) -> ProblemsError:
    return refuse(str(out), cause, _REMEDY, code="other_result")


def _mark(job: str, root: str, out: Path) -> None:
    """Write the mark; where another process was first, its mark stands."""
    out.mkdir(parents=True, exist_ok=True)
    try:
        with (out / MARK).open("x", encoding="utf-8") as stream:
            stream.write(json.dumps({"job": job, "portfolio": root}, indent=1) + "\n")
    except FileExistsError:
        return


def _json(path: Path) -> dict[str, Any]:
    """Return what a file says; nothing where nobody can read it."""
    try:
        found = json.loads(path.read_bytes())
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


# Files whose footer is sound and whose pages are not: only reading them tells, so whatever reads must expect it.
#
# What judges farms counts the kind of such a file as incomplete (``reading``). What searches a whole portfolio does it
# again without the file, and the file is told: a finding among the others is worth more than none.

FAILURES: Final = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)
"""What reading a broken file ends in. Where Polars panics it raises what is no ``Exception``."""
CODE: Final = "unreadable_file"
_SEARCHED: Final = "Get it again; until then what it holds is compared with nothing."
_LONGEST: Final = 200
_AT_ONCE: Final = 131_072
_PANICKED: Final = "one of its pages is damaged"

Found = TypeVar("Found")


def words(failed: BaseException) -> str:
    """Return what a failure says, short enough for a message."""
    if isinstance(failed, pl.exceptions.PanicException):
        return _PANICKED  # its own words are of the reader's threads
    return (str(failed).splitlines() or [type(failed).__name__])[0][:_LONGEST]


def unreadable(inside: Path | str, why: str, remedy: str = _SEARCHED) -> Problem:
    """Return the problem of a file that cannot be read."""
    return Problem(Place(Path(inside).as_posix()), f"The file cannot be read: {why.rstrip('.')}.", remedy, code=CODE)


def _why_not(path: Path) -> str:
    """Return why a file cannot be read whole; "" where it can. Some of its rows are in memory at a time."""
    try:
        lazy = pl.scan_parquet(path, hive_partitioning=False, glob=False)
        for begin in range(0, row_count(path), _AT_ONCE):
            lazy.slice(begin, _AT_ONCE).collect()
    except (*FAILURES, ValueError) as failed:
        return words(failed)
    return ""


def without_broken(portfolio: Portfolio, data_sets: Collection[str] = ()) -> tuple[Portfolio, list[Problem]]:
    """Return a portfolio in which files that cannot be read count as no Parquet, and what is wrong with these.

    Args:
        portfolio: what to read, whole.
        data_sets: those to read; all without any.
    """
    asked = [one for one in portfolio.files if one.sha256 and (not data_sets or one.data_set in data_sets)]
    broken = {one.path: why for one in asked if (why := _why_not(portfolio.root / one.path))}
    sound = tuple(replace(one, sha256="") if one.path in broken else one for one in portfolio.files)
    return replace(portfolio, files=sound), [unreadable(path, why) for path, why in broken.items()]


def among_sound(portfolio: Portfolio, search: Callable[[Portfolio], Found]) -> tuple[Found, Portfolio, list[Problem]]:
    """Search a portfolio; if that fails, again without the files that cannot be read.

    Returns:
        What was found, the portfolio that was searched, and the problems of the files that were not.
    """
    try:
        return search(portfolio), portfolio, []
    except ProblemsError:
        raise
    except (Exception, pl.exceptions.PanicException):
        # Whatever failed, here or in a task on another machine: if a file is broken, it was the file.
        sound, problems = without_broken(portfolio)
        if not problems:
            raise
    return search(sound), sound, problems
