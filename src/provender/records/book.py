"""A RecordBook: the rows of every kind of one farm or several, with what could not be read."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property, partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, Self, TypeVar, cast

from provender.days import says
from provender.problem import Place, Problem, Weight
from provender.records.kind import KINDS, IncompleteRow, Kind, Record, check_rows, missing_references, with_units
from provender.records.kinds.season import Harvest, Planting
from provender.records.reading import TableRead
from provender.rule.law import latest_whole
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


def file_inside(folder: Path, name: str) -> Path | None:
    """Return the file of a name inside a folder; None where none is there, or the name is none or leads out of it."""
    try:
        inside = folder.resolve()
        path = (inside / name).resolve()
        return path if path.is_relative_to(inside) and path.is_file() else None
    except (OSError, ValueError):  # a name too long for the disk, or with a NUL
        return None


class EvidenceFiles:
    """The files of a book's evidence, each hashed once; see ``place_of`` for which of those under a name is meant."""

    def __init__(self) -> None:
        self._hashes: dict[tuple[str, str], str] = {}

    def _read(self, farm_id: str, file: str) -> bytes:
        """Return what lies under a name; empty for nothing."""
        raise NotImplementedError

    def _hash(self, farm_id: str, file: str) -> str:
        content = self._read(farm_id, file)
        return sha256_hex(content) if content else ""

    def _hash_at(self, farm_id: str, file: str) -> str:
        if (farm_id, file) not in self._hashes:
            self._hashes[farm_id, file] = self._hash(farm_id, file)
        return self._hashes[farm_id, file]

    def hash_of(self, farm_id: str, file: str, recorded: str | None = None) -> str:
        """Return the SHA-256 of a file as it is now, that of the recorded one if it is there; empty for none."""
        return self._hash_at(farm_id, place_of(file, recorded, partial(self._hash_at, farm_id)))

    def content_of(self, farm_id: str, file: str, recorded: str | None = None) -> bytes:
        """Return the bytes of a file, of the recorded one if it is there; empty for none."""
        return self._read(farm_id, place_of(file, recorded, partial(self._hash_at, farm_id)))


class FolderFiles(EvidenceFiles):
    """Files in one folder, whichever farm they belong to; a name that leads out of it is not there.

    Files that a verifier allowed to be left out of a package count with the hash that the package states for them.
    """

    def __init__(self, folder: Path, left_out: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self._folder, self._left_out = folder, left_out or {}

    def path_of(self, file: str, recorded: str | None = None) -> Path | None:
        """Return where a file lies, the recorded one if it is there; None where none does."""
        return file_inside(self._folder, place_of(file, recorded, partial(self._hash_at, "")))

    def _read(self, farm_id: str, file: str) -> bytes:  # noqa: ARG002 - of any farm
        path = file_inside(self._folder, file)
        return path.read_bytes() if path else b""

    def _hash(self, farm_id: str, file: str) -> str:  # noqa: ARG002 - of any farm
        path = file_inside(self._folder, file)
        return hash_file(path) if path else self._left_out.get(file, "")


class Memory(Protocol):
    """What was read out of files before, where reading is dear, by what tells file and reading from others."""

    def get(self, key: str) -> str | None:
        """Return what was read, or None where it was not or is forgotten."""

    def put(self, key: str, text: str) -> None:
        """Remember what was read, for a while."""


class HeldFiles(EvidenceFiles):
    """Files of several farms that somebody else keeps: by farm and name, with a way to read each.

    Attributes:
        memory: what was read out of them before, kept by the same somebody; None where nothing is.
    """

    def __init__(self, files: Mapping[tuple[str, str], Callable[[], bytes]], memory: Memory | None = None) -> None:
        super().__init__()
        self._files, self.memory = files, memory

    def _read(self, farm_id: str, file: str) -> bytes:
        read = self._files.get((farm_id, file))
        return b"" if read is None else read()


NO_FILES: Final = HeldFiles({})
"""Of a book that lies nowhere: no file is there."""


K = TypeVar("K")
T = TypeVar("T")
R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class RecordBook:
    """Checked records; the farm is a key column of every row."""

    records: Mapping[str, Sequence[Record]]  # the rows of every kind, by its name
    incomplete_rows: tuple[IncompleteRow, ...]  # what could not be read in full, a row each
    problems: tuple[Problem, ...]  # everything a person must fix, all at once
    folder: Path | None = None  # where the book lies on disk, for boundaries, or None
    files: EvidenceFiles = NO_FILES  # the files that evidence records name
    boundaries: EvidenceFiles = NO_FILES  # the boundary files of a book that lies nowhere on disk
    _by_farm: dict[str, dict[str, tuple[Record, ...]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _places: dict[tuple[str, int], set[str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __getitem__(self, kind: str) -> Sequence[Record]:
        return self.records[kind]

    def rows_of(self, kind: str, farm_id: str) -> tuple[Record, ...]:
        """Return a farm's rows of one kind, in the order of the book.

        Put by farm once: a question for each farm would look through the rows of all farms each time.
        """
        if kind not in self._by_farm:
            self._by_farm[kind] = grouped((row.farm_id, row) for row in self[kind])
        return self._by_farm[kind].get(farm_id, ())

    def every(self, kind: type[R]) -> Sequence[R]:
        """Return the rows of one kind of all farms, as its class has them."""
        return cast("Sequence[R]", self[kind.kind_name])

    def rows(self, kind: type[R], farm_id: str) -> tuple[R, ...]:
        return cast("tuple[R, ...]", self.rows_of(kind.kind_name, farm_id))

    def farms_at(self, file: str, row: int) -> AbstractSet[str]:
        """Return the farms whose records stand at a row of a file; in a file of several kinds one row may hold two."""
        if not self._places:
            for kind, rows in self.records.items():
                for one in rows:
                    for name in filter(None, {one.source_file, kind}):
                        self._places.setdefault((name, one.source_row or 0), set()).add(one.farm_id)
            for lost in self.incomplete_rows:
                if lost.file is not None and lost.row is not None:
                    self._places.setdefault((lost.file, lost.row), set()).add(lost.farm_id)
        return self._places.get((file, row), set())

    @classmethod
    def of(
        cls,
        records: Mapping[str, Sequence[Record]],
        *,
        problems: Iterable[Problem] = (),
        incomplete_rows: Iterable[IncompleteRow] = (),
        folder: Path | None = None,
        files: EvidenceFiles = NO_FILES,
        boundaries: EvidenceFiles = NO_FILES,
    ) -> Self:
        """Check typed rows (bounds, keys, references) and make a book of them; absent kinds are empty.

        Raises:
            KeyError: rows are named after no kind of record.
        """
        if unknown := records.keys() - KINDS.keys():
            raise KeyError(f"no such kind of record: {', '.join(sorted(unknown))}")
        told, spoiled = list(problems), list(incomplete_rows)
        checked: dict[str, Sequence[Record]] = {}
        for name, kind in KINDS.items():
            checked[name], more, also = check_rows(kind, records.get(name, ()))
            told += more
            spoiled += also
        more, also = missing_references(checked)
        marks = with_units([*spoiled, *also], checked["harvest"])
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
        records: dict[str, list[Record]] = {}
        told, spoiled = list(problems), list(incomplete_rows)
        for kind, reading in readings:
            records.setdefault(kind, []).extend(reading.rows)
            told += reading.problems
            spoiled += reading.incomplete_rows
        return cls.of(
            records, problems=told, incomplete_rows=spoiled, folder=folder, files=files, boundaries=boundaries
        )

    @property
    def farms_named(self) -> AbstractSet[str]:
        """Return every farm that has a unit or a row of its own, in the order of the book."""
        return dict.fromkeys(row.farm_id for kind in ("unit", "farm") for row in self[kind]).keys()

    @property
    def farm_ids(self) -> tuple[str, ...]:
        """Return the farms of the book, in order."""
        return tuple(sorted(row.farm_id for row in self["farm"]))


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
    changed = {}
    for kind, names in COLUMNS.items():
        blank: dict[int, dict[str, Any]] = {
            at: dict.fromkeys(silent)
            for at, row in enumerate(book[kind])
            if (silent := [name for name in names if row[name] is not None and not says(row[name])])
        }
        if blank:
            changed[kind] = [
                dataclasses.replace(row, **blank[at]) if at in blank else row for at, row in enumerate(book[kind])
            ]
    return dataclasses.replace(book, records={**book.records, **changed}) if changed else book


# The harvest year of each entry of a crop, and which entries are parts of one harvest (2100.020).
#
# A harvest that runs over New Year, in one entry or in several, is one harvest of the year in which it began
# (interpretations 26, 66).

HARVESTED: Final = "harvested"
TERMINATED: Final = "terminated"
ENDINGS: Final = (HARVESTED, TERMINATED)
NOT_YET: Final = "not_yet"
"""The ending of a crop that is still to come."""
NAMED_BY_YEAR: Final = re.compile(r"(?:^|\D)(20\d\d)$")
"""An entry that is called by its year, as the form proposes: N40-2026."""
_SOLD_DAYS: Final = 366
"""Days within which a load that says no year is of the last harvest."""


def days_of(row: Mapping[str, object]) -> tuple[date | None, date | None]:
    """Return first and last day of a typed record of ``harvest``, None for what is no day."""
    first, last = (day if isinstance(day := row.get(name), date) else None for name in ("first_day", "last_day"))
    return first, last


def over_new_year_days() -> int:
    """Return the days that a harvest over New Year takes at most."""
    return latest_whole("harvest_over_new_year_days")


def harvests_of(harvest: Iterable[Harvest], planting: Iterable[Planting]) -> Iterator[tuple[list[Harvest], int | None]]:
    """Yield the entries of each harvest of some farms with its year; entries that end no crop are none.

    Args:
        harvest: the entries.
        planting: what was planted after the entry before was cut is a crop of its own.
    """
    planted: dict[str, dict[str, date]] = {}
    for row in planting:
        if row.planted_on is not None:
            of_farm = planted.setdefault(row.farm_id, {})
            of_farm[row.harvest_id] = min(of_farm.get(row.harvest_id, row.planted_on), row.planted_on)
    ended = sorted((row for row in harvest if row.ending in ENDINGS), key=_in_order)
    for (farm_id, _), of_unit in grouped(((row.farm_id, row.unit_id), row) for row in ended).items():
        yield from harvests(of_unit, planted.get(farm_id, {}).get)


def years_of(harvest: Sequence[Harvest], planting: Iterable[Planting]) -> dict[tuple[str, str], int | None]:
    """Return the harvest year of each crop entry by farm and entry, None without a day.

    What ends no crop is of the year of its last day.
    """
    years = {(row.farm_id, row.harvest_id): _year_of_last_day(row) for row in harvest}
    for parts, year in harvests_of(harvest, planting):
        years |= {(row.farm_id, row.harvest_id): year for row in parts if year is not None}
    return years


def with_years(book: RecordBook) -> list[dict[str, Any]]:
    """Return the crop entries of a book with their ``harvest_year`` beside their columns."""
    years = years_of(book.every(Harvest), book.every(Planting))
    return [{**row, "harvest_year": years[row.farm_id, row.harvest_id]} for row in book.every(Harvest)]


def _in_order(entry: Harvest) -> tuple[date, date]:
    return tuple(day or date.max for day in both_days(entry))  # type: ignore[return-value]


def _year_of_last_day(entry: Harvest) -> int | None:
    """Return the year of the last day of an entry, or of its first where only that is recorded."""
    day = entry.last_day or entry.first_day
    return day.year if day else None


def year_of(first: date | None, last: date | None) -> int | None:
    """Return the harvest year of one entry by itself, None without a day."""
    first, last = first or last, last or first
    if last is None:
        return None
    return first.year if first is not None and _runs_over_new_year(first, last) else last.year


def _runs_over_new_year(first: date, last: date) -> bool:
    return last.year == first.year + 1 and (last - first).days <= over_new_year_days()


def both_days(entry: Harvest) -> tuple[date | None, date | None]:
    """Return first and last day of an entry; where one of the two is recorded, it is both."""
    return entry.first_day or entry.last_day, entry.last_day or entry.first_day


def harvests(
    entries: Iterable[Harvest], planted_on: Callable[[str], date | None]
) -> Iterator[tuple[list[Harvest], int | None]]:
    """Yield the entries of each harvest of one unit with its year.

    Args:
        entries: those that end a crop, by their days.
        planted_on: returns the first planting of a crop entry.
    """
    parts: list[Harvest] = []
    year: int | None = None
    cut: date | None = None  # what was last cut before New Year
    until: date | None = None
    for entry in entries:
        first, last = both_days(entry)
        own, before = year_of(first, last), both_days(parts[-1])[0] if parts else None
        is_alike = bool(parts) and entry.crop == parts[-1].crop and TERMINATED not in (entry.ending, parts[-1].ending)
        turned = before if before and first and before.year != first.year else cut
        reached = max(filter(None, (until, last)), default=None)
        is_over = last is not None and turned is not None and _runs_over_new_year(turned, reached or last)
        of_harvest = turned.year if turned is not None and is_over else own
        is_part = is_alike and of_harvest is not None and of_harvest == year
        planted = planted_on(entry.harvest_id) if is_part else None
        if not is_alike or (planted is not None and before is not None and planted >= before):
            cut, until = None, last
        else:
            cut, until, own = turned, reached, of_harvest
            if is_part:
                parts.append(entry)
                continue
        if parts:
            yield parts, year
        parts, year = [entry], own
    if parts:
        yield parts, year


def year_of_load(
    load: Mapping[str, Any], rows: Iterable[Mapping[str, Any]], year_of_entry: Callable[[Any], int | None], *,
    guess: bool = False,
) -> int | None:  # fmt: skip
    """Return the harvest year of a load: its own, else that of the last harvest of its crop that had begun by its day.

    Of a load that names its unit it is that unit's harvest; of any other it is a guess, for which somebody asks. A few
    days before the first one that is recorded still count: they contradict it, and belong to no harvest before.

    Args:
        load: a row of ``scale_ticket`` or ``sale``.
        rows: of ``harvest``, of the same farm.
        year_of_entry: gives the harvest year of such a row.
        guess: tell it of a load without a unit too.
    """
    year, day, unit = load["harvest_year"], load["day"], load.get("unit_id")
    if year is not None or day is None or (unit is None and not guess):
        return year  # type: ignore[no-any-return]
    early, late = timedelta(days=latest_whole("implied_pass_days")), timedelta(days=_SOLD_DAYS)
    begun = [
        (first, of_entry)
        for row in rows
        if row["crop"] == load["crop"] and row["ending"] == HARVESTED and unit in (None, row["unit_id"])
        and (first := row["first_day"] or row["last_day"]) is not None and first - early <= day <= first + late
        and (of_entry := year_of_entry(row)) is not None
    ]  # fmt: skip
    return max(begun, default=(None, None))[1]


# A further row of a crop that has one of its kind already: done twice, or entered twice?
#
# A second planting moves the days between which a whole season is judged, and a second entry of one crop and year
# splits it (2100.002). Both may be true, so they are asked about and never refused.

ONCE: Final[Mapping[str, str]] = {"planting": "planted_on", "cover_crop": "seeded_on", "nutrient_budget": "made_on"}
"""Kinds of which a crop entry has one row as a rule, and the column of its day."""
_ANOTHER: Final = "another_row"
CROP: Final = "harvest"
_ENTRY: Final = "harvest_id"
_STOOD: Final = (HARVESTED, NOT_YET)
_GROWN_TWICE: Final = (
    "If the first stand was given up, say so as its ending. If one harvest is entered in parts, or the crop was grown "
    "twice, write this one too. Else leave it out."
)
_PLANTED_TWICE: Final = (
    "If it was planted again, say yes under replant. If it is another part of the field, write it too. Else leave it "
    "out, or correct the one that stands."
)
_DONE_TWICE: Final = "Write this one too if it was done twice; else leave it out, or correct the one that stands."
Row = Mapping[str, object]


def another_row(kind: Kind, row: Row, others: Iterable[Row]) -> Problem | None:
    """Ask of a row whether it is meant beside those of its kind that stand already; None where nothing is odd.

    Args:
        kind: of the row.
        row: typed; days are dates.
        others: rows of the kind, typed; the row itself may be among them.
    """
    if not asks(kind):
        return None
    key = _key(kind, row)
    alike = _same_crop if kind.name == CROP else _same_entry
    found = [one for one in others if _key(kind, one) != key and alike(row, one)]
    return _asked(kind, row, found) if found else None


def asks(kind: Kind) -> bool:
    return kind.name in ONCE or kind.name == CROP


def near(kind: Kind, row: Row) -> object:
    """Return what a row shares with every row that it could be a second of: its field, or its crop entry."""
    return row.get("unit_id" if kind.name == CROP else _ENTRY)


def _key(kind: Kind, row: Row) -> tuple[object, ...]:
    return tuple(row.get(name) for name in kind.key_columns)


def _same_entry(row: Row, one: Row) -> bool:
    """Tell whether two rows are of one crop entry, and neither says that it was planted again."""
    declared = True in (row.get("replant"), one.get("replant"))
    same = row.get("farm_id") == one.get("farm_id") and row.get(_ENTRY) == one.get(_ENTRY)
    return bool(row.get(_ENTRY)) and same and not declared


def _same_crop(row: Row, one: Row) -> bool:
    """Tell whether two entries are of one field, crop and year; a stand that was given up says so itself."""
    if any(row.get(name) != one.get(name) for name in ("farm_id", "unit_id", "crop")):
        return False
    if not {row.get("ending"), one.get("ending")} <= set(_STOOD) or bool(
        row.get("use") and one.get("use") and row["use"] != one["use"]
    ):
        return False
    year = _year(row)
    if year is None and row.get("ending") == one.get("ending") == NOT_YET:
        of = {called[1] for each in (row, one) if (called := NAMED_BY_YEAR.search(str(each[_ENTRY])))}
        return len(of) <= 1  # of a name without a year nobody knows
    return year is not None and year == _year(one)


def _year(row: Row) -> int | None:
    return year_of(*days_of(row))


def _asked(kind: Kind, row: Row, found: list[Row]) -> Problem:
    own = kind.key_columns[-1]
    if kind.name == CROP:
        crop, year = str(row["crop"]).replace("_", " "), _year(row)
        named = ", ".join(str(one[own]) for one in found)
        cause = f"{row['unit_id']} has a crop entry of {crop} {year or 'to come'} already: {named}."
        return Problem(Place(""), cause, _GROWN_TWICE, kind.cite, Weight.CONFIRM, _ANOTHER)
    named = ", ".join(f"{one[own]} of {one[ONCE[kind.name]] or 'no day'}" for one in found)
    cause = f"{row[_ENTRY]} has a row of {kind.label.lower()} already: {named}."
    remedy = _PLANTED_TWICE if kind.name == "planting" else _DONE_TWICE
    return Problem(Place(""), cause, remedy, kind.cite, Weight.CONFIRM, _ANOTHER)


# The rows of one farm by kind, and a note of every kind that an answer rests on.
#
# Whatever reads rows notes their kinds, and what is made of them keeps its note with it: nobody lists what rests on
# what. Where every row of a farm could be read nobody looks at the note, and none is taken.


class Noted(NamedTuple):
    """A kind of record that was read: of a unit, or of every unit of the farm, where an answer adds up all of them."""

    kind: str
    is_of_farm: bool = False


class FarmRows:
    """All rows of a farm by kind: ``rows[Evidence]`` is a tuple of rows, and that kind is noted as read."""

    def __init__(self, book: RecordBook, farm_id: str, *, takes_notes: bool = False) -> None:
        self.farm_id, self.files, self.takes_notes = farm_id, book.files, takes_notes
        self.noted: set[Noted] = set()
        """What was read since somebody last looked."""
        self._book = book
        self._kept: dict[object, Any] = {}

    def __getitem__(self, kind: type[R]) -> tuple[R, ...]:
        """Return all rows of a kind, in the order of the book."""
        if self.takes_notes:
            self.noted.add(Noted(kind.kind_name))
        return self._book.rows(kind, self.farm_id)

    def of_farm(self, kind: type[R]) -> tuple[R, ...]:
        """Return all rows of a kind for an answer about the whole farm: a damaged row of any unit withholds it."""
        if self.takes_notes:
            self.noted.add(Noted(kind.kind_name, is_of_farm=True))
        return self[kind]

    def naming(self, kind: type[R], column: str, key: str | None) -> tuple[R, ...]:
        """Return the rows of a kind whose column holds a key, such as ``(BudgetSource, "budget_id", "B1")``."""
        by_key = self.once((kind, column), lambda: grouped((getattr(row, column), row) for row in self[kind]))
        return by_key.get(key, ())

    def row(self, kind: str, key: str) -> Record | None:
        """Return the row of a kind, by its name, and its key; None where there is none."""
        return next(iter(self.naming(KINDS[kind].row, "id", key)), None)

    def of_unit(self, kind: type[R], unit_id: str) -> tuple[R, ...]:
        return self.naming(kind, "unit_id", unit_id)

    def once(self, name: object, make: Callable[[], T]) -> T:
        """Return what ``make`` gives, made once for the farm; its note is noted each time."""
        if self.takes_notes:
            return self.keep(self._kept, name, make)
        if name not in self._kept:
            self._kept[name] = make()
        made: T = self._kept[name]
        return made

    def keep(self, kept: MutableMapping[Any, Any], name: object, make: Callable[..., T], *of: object) -> T:
        """Return what ``make`` gives of something, kept under a name beside the kinds of record that it read."""
        if (known := kept.get(name)) is None:
            outer, self.noted = self.noted, set()
            try:
                known = kept[name] = make(*of), frozenset(self.noted)
            finally:
                self.noted = outer
        made: T = known[0]
        self.noted.update(known[1])
        return made


if TYPE_CHECKING:
    reads_records = cached_property
else:

    class reads_records:  # noqa: N801 - a decorator
        """A property of something with ``rows``: made once, and it notes what it rests on each time."""

        def __init__(self, make: Callable[[Any], T]) -> None:
            self.make, self.name, self.__doc__ = make, make.__name__, make.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            """Refuse the name of a column: what was typed would stand in its place."""
            if name in getattr(owner, "__dataclass_fields__", ()):
                raise TypeError(f"{name} is a column of {owner.__name__}")

        def __get__(self, one: Any, _of: type) -> T:  # noqa: ANN401 - of any class that has rows
            if one.rows.takes_notes:
                return one.rows.keep(vars(one), f"_{self.name}_read", self.make, one)
            made = vars(one)[self.name] = self.make(one)
            return made


def grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, tuple[T, ...]]:
    """Return what stands under each key, in order."""
    found: dict[K, list[T]] = {}
    for key, one in pairs:
        found.setdefault(key, []).append(one)
    return {key: tuple(of) for key, of in found.items()}
