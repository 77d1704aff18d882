"""Which crop entry a row is about that names its field, its day and perhaps its crop; what is asked and offered of it.

The entry whose interval holds the day is taken where it is the only one (2100.002, interpretation 9); a cover crop is
of the crop that follows it (interpretation 15), a budget of the one it is made for.
Where several fit, or the only one that is there need not be the one that is meant, a person is asked.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Final, NamedTuple

from provender.catalog.materials import farm_crop
from provender.formats.parsed import doubt, note
from provender.formats.units import identifier
from provender.problem import Place, Problem, listed
from provender.records.book import ENDINGS, NAMED_BY_YEAR, NOT_YET, TERMINATED, days_of, year_of
from provender.records.folder import write_cell
from provender.records.kind import KINDS
from provender.records.reading import read_cell

DAY_OF: Final[Mapping[str, str]] = {
    "planting": "planted_on", "nutrient_application": "day", "nutrient_budget": "made_on",
    "in_season_test": "tested_on", "cover_crop": "seeded_on",
}  # fmt: skip
"""The column whose day tells the interval; declarations and runs are written long after the season that they are of."""
_COVER: Final = "cover_crop"
_BUDGET: Final = "nutrient_budget"
SUMMER: Final = 7
"""What is sown, or ends as a cover, from this month on is for the harvest of the next year."""
_LONGEST_DAYS: Final[Mapping[str, int]] = {"planting": 366}
_LONGEST_OTHERWISE: Final = 450
"""Days from what is done for a crop to its harvest, at most: fall fertilizer and plans come a year before it."""
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_BEHIND: Final = re.compile(r"(.+?) *\(([^()]+)\)")
_NO_KEY: Final = re.compile(r"[^\w .:/#-]+")
"""What no name of a record may hold, and brackets."""
_LAST: Final = date.max
_GROWS: Final = timedelta(400)


class Named(NamedTuple):
    """What a text such as ``N40 (corn 2026)`` says of a crop entry."""

    unit: str
    crop: str = ""
    year: int = 0


class Crop(NamedTuple):
    """A crop entry: of which field, which crop, of which harvest year (empty where no day tells it), its name."""

    unit: str
    crop: str
    year: str
    name: str


class Chosen(NamedTuple):
    """The crop entries that a row can be about, and by what they were found: ``field, crop and day``."""

    entries: tuple[str, ...]
    by: str = ""
    sure: bool = True  # the only one is the one that is meant: not just the only one that the book has


@dataclass(frozen=True, slots=True)
class Entry:
    """A crop entry as other rows may mean it."""

    unit: str  # as in its record
    crop: str  # as in its record
    year: int  # of its harvest; 0 where no day tells it
    ending: str = ""  # how it ended
    first: date | None = None  # its first day, or its last where only that is recorded
    over: date | None = None  # its last day, or its first where only that is recorded
    planted: date | None = None  # the first planting recorded

    @property
    def closes(self) -> bool:
        return self.ending in ENDINGS


def entry_of(row: Mapping[str, object]) -> Entry:
    """Return a record of a harvest, with or without ``harvest_year``, as an entry."""
    first, last = days_of(row)
    year = row.get("harvest_year") or year_of(first, last) or 0
    unit, crop, ending = (str(row.get(name) or "") for name in ("unit_id", "crop", "ending"))
    return Entry(unit, crop, int(str(year)), ending, first or last, last or first)


def readings(text: str) -> Iterator[Named]:
    """Yield what a text can say of a crop entry: the whole of it as a name first, then a name with crop and year."""
    yield Named(text.strip())
    behind = _BEHIND.fullmatch(text.strip())
    words = [behind[1], *behind[2].split()] if behind else text.split()
    year = int(words.pop()) if len(words) > 1 and _YEAR.fullmatch(words[-1]) else 0
    if year:
        yield Named(" ".join(words), "", year)
    for at in range(1, len(words)) if behind is None else (1,):
        if crop := _crop(" ".join(words[at:])):
            yield Named(" ".join(words[:at]), crop, year)


def _crop(text: str) -> str:
    """Return the crop of our records that a text is a name of, or empty."""
    plain = text.replace("_", " ").strip().casefold()
    named, ours = farm_crop(plain), plain.replace(" ", "_")
    return named.crop if named else ours if ours in KINDS["harvest"].fields["crop"].options else ""


def written(name: str, crop: str = "", year: str = "") -> str:
    """Return the name of a field or an entry, crop and harvest year as one text, which ``readings`` understands."""
    said = " ".join(_NO_KEY.sub(" ", f"{crop} {year}").split())
    return f"{name} ({said})" if said else name


@dataclass(slots=True)
class Entries:
    """The crop entries of a farm's book and of an import, by farm and identifier."""

    known: dict[tuple[str, str], Entry] = field(default_factory=dict)
    given_up: set[tuple[str, str, str, int]] = field(default_factory=set)  # farm, field, crop and year of such stands

    def is_of_two_stands(self, farm: str, name: str) -> bool:
        """Tell whether of the field, crop and year of an entry one stand was given up and another was not."""
        one = self.known[farm, name]
        return (farm, one.unit, one.crop, one.year) in self.given_up and any(
            of == farm and (each.unit, each.crop, each.year) == (one.unit, one.crop, one.year)
            and each.ending != TERMINATED
            for (of, _), each in self.known.items()
        )  # fmt: skip

    def waits_for(self, farm: str, name: str, cut: tuple[date, date, int], as_of: date) -> bool:
        """Tell whether an entry without a day can be the crop cut from one day to another, of a harvest year.

        Its planting tells; else the year in its name; else that it was cut lately, after all that its unit has had.
        """
        first, last, year = cut
        if (one := self.known.get((farm, name))) is None:
            return False
        if one.planted:
            return one.planted <= first <= one.planted + _GROWS
        if called := NAMED_BY_YEAR.search(name):
            return int(called[1]) == year
        of_unit = (each for (of, _), each in self.known.items() if of == farm and each.unit == one.unit)
        before = (each.first for each in of_unit if each.closes)
        return as_of - timedelta(366) <= last <= as_of and all(day < first for day in before if day)

    def add(self, kind: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Let crop entries be found, and know when they were planted."""
        for row in rows:
            key = str(row["farm_id"]), str(row.get("harvest_id") or "")
            if kind == "harvest" and key[1]:
                old = self.known.get(key)
                one = self.known[key] = replace(entry_of(row), planted=old.planted if old else None)
                if one.ending == TERMINATED:
                    self.given_up.add((key[0], one.unit, one.crop, one.year))
            planted = row.get("planted_on") if kind == "planting" else None
            if isinstance(planted, date) and key in self.known:
                old = self.known[key]
                self.known[key] = replace(old, planted=min(old.planted or planted, planted))

    def choose(
        self, farm: str, units: Iterable[str], said: Named, kind: str, row: Mapping[str, object], year: int = 0
    ) -> Chosen:
        """Return the entries of some fields that a typed row can be about, of a harvest year or, with 0, of any."""
        crop, year = said.crop or str(row.get("crop") or ""), said.year or year
        wanted = set(units)
        of_unit = {name: one for (of, name), one in self.known.items() if of == farm and one.unit in wanted}
        fitting = {name: one for name, one in of_unit.items() if crop in ("", one.crop)}
        if year:
            exact = {name: one for name, one in fitting.items() if one.year == year}
            growing = {name: one for name, one in fitting.items() if one.ending == NOT_YET and not one.year}
            fitting = exact or {
                name: one for name, one in growing.items() if _may_be_of(name, one, year, of_unit.values())
            }
        day = row.get(DAY_OF.get(kind, "")) or (row.get("terminated_on") if kind == _COVER else None)
        if isinstance(day, date):
            fitting = _by_day(fitting, of_unit, kind, day, row.get("terminated_on"))
        dated = isinstance(day, date)
        follows = _cover_year(row) if kind == _COVER else 0
        sure = bool(year) or all(
            _is_meant(one, kind, day, named=bool(crop))
            if kind != _COVER
            else one.year == follows != 0
            or (one.ending == NOT_YET and (not follows or _may_be_of(name, one, follows, of_unit.values())))
            for name, one in fitting.items()
        )
        told = (("field", True), ("crop", crop), ("harvest year", year), ("day", dated))
        *first, last = (name for name, is_told in told if is_told)
        return Chosen(tuple(fitting), " and ".join(filter(None, (", ".join(first), last))), sure)


def _cover_year(row: Mapping[str, object]) -> int:
    """Return the harvest year of the crop that follows a cover; 0 without a day."""
    last = row.get("terminated_on") or row.get("seeded_on")
    return last.year + (last.month >= SUMMER) if isinstance(last, date) else 0


def _is_meant(one: Entry, kind: str, day: object, *, named: bool) -> bool:
    """Tell whether the only entry that fits is the one that a row means, though others may not be entered yet."""
    if not isinstance(day, date):
        return named
    return one.first is None or (one.first - day).days <= _LONGEST_DAYS.get(kind, _LONGEST_OTHERWISE)


def _may_be_of(name: str, growing: Entry, year: int, of_unit: Iterable[Entry]) -> bool:
    """Tell whether a crop that grows can be of a harvest year: by its planting, its name, or what was cut before."""
    if growing.planted:
        return year - growing.planted.year in (0, 1)
    if called := NAMED_BY_YEAR.search(name):
        return int(called[1]) == year
    return all(other.year <= year for other in of_unit if other.closes)


def _by_day(
    fitting: Mapping[str, Entry], of_unit: Mapping[str, Entry], kind: str, day: date, ended: object
) -> dict[str, Entry]:
    """Keep the entries that a day leaves: those after a cover, the one a budget is for, or those that hold the day."""
    if kind == _COVER:
        return _that_follows(fitting, day, ended)
    holding = {name: one for name, one in fitting.items() if _holds(one, of_unit.values(), day)}
    if kind != _BUDGET:
        return holding
    # A plan may be made before the crop that stands is cut: only where that one was not planted yet is it sure.
    sure = any(
        (one.planted and one.planted >= day) or (one.first and one.first.year > day.year) for one in holding.values()
    )
    if sure:
        return holding
    later = [
        (one.first or _LAST, name)
        for name, one in fitting.items()
        if name not in holding and (one.ending == NOT_YET or (one.first is not None and one.first > day))
    ]
    return holding | {name: fitting[name] for _, name in sorted(later)[:1]}


def _holds(one: Entry, of_unit: Iterable[Entry], day: date) -> bool:
    """Tell whether the interval that an entry ends holds a day, or whether nobody can tell.

    It begins on the first day on which the crop before was cut and ends before its own; what ends no crop holds every
    day after the last one that did, up to its own day.
    """
    if one.first is None and one.ending != NOT_YET:
        return True
    ends = one.first or _LAST
    before = [
        other.first for other in of_unit if other.closes and other.first and other is not one and other.first < ends
    ]
    return max(before, default=date.min) <= day < ends


def _that_follows(fitting: Mapping[str, Entry], seeded: date, ended: object) -> dict[str, Entry]:
    """Keep the crops that can follow a cover, not over nor planted before; the next one where their order is known."""
    after = ended if isinstance(ended, date) else seeded
    left = {
        name: one
        for name, one in fitting.items()
        if (one.over is None or one.over > after) and not (one.planted and one.planted < seeded)
    }
    ordered = all(one.over or one.ending == NOT_YET for one in left.values())
    days = sorted((one.over or _LAST, name) for name, one in left.items())
    told = isinstance(ended, date) or all(one.planted or one.ending == NOT_YET for one in left.values())
    if ordered and told and days and [day for day, _ in days].count(days[0][0]) == 1:
        return {days[0][1]: left[days[0][1]]}
    return left


_NOT_ADDED: Final = "entry_not_added"


@dataclass(frozen=True, slots=True)
class EntryAsked:
    """A row that stays out, since nobody can tell its crop entry."""

    place: str  # of the row, as text
    column: str  # by which it names the entry
    entries: tuple[str, ...] = ()  # those that it can be about
    offered: Crop | None = None  # what could be added, where none fits and the field is known


@dataclass(frozen=True, slots=True)
class NewEntry:
    """A crop entry that a person adds for rows of an import."""

    unit: str  # as in its record
    crop: str  # as in its record
    ending: str  # as in its record
    day: str = ""  # on which it ended; empty where it has not
    year: int = 0  # of its harvest, as typed; 0 where it was offered, since none of that year was there

    @property
    def wrong(self) -> str:
        """Return the column that says nothing or no word of ours, or the day that an ending lacks; else empty."""
        fields = KINDS["harvest"].fields
        for column, text in (("crop", self.crop), ("ending", self.ending)):
            if text not in fields[column].options:
                return column
        return "day" if self.ending in ENDINGS and not self.day else ""

    def read(self, order: str = "") -> "NewEntry":
        """Return it with its day as records write it; what has not ended has none.

        Raises:
            CellError: the day is none.
        """
        field = KINDS["harvest"].fields["last_day"]
        day = read_cell(self.day, field, order) if self.ending in ENDINGS else None
        return replace(self, day=write_cell(day, field))

    def row(self, farm_id: str, name: str) -> dict[str, object]:
        day = date.fromisoformat(self.day) if self.day else None
        said = {"farm_id": farm_id, "harvest_id": name, "unit_id": self.unit, "crop": self.crop, "ending": self.ending}
        return dict.fromkeys(KINDS["harvest"].typed_fields) | said | {"first_day": day, "last_day": day}


def rows_to_add(
    new: Mapping[str, NewEntry], farms: Iterable[str], entries: Entries, units: Callable[[str, str], Sequence[str]]
) -> Iterator[dict[str, object] | Problem]:
    """Yield the records, typed, of crop entries that a person adds by name; one that is there is told instead."""
    farms = list(farms)
    for name, one in new.items():
        where = [(farm, unit) for farm in farms for unit in units(farm, one.unit)]
        place = Place(f"{one.unit}, {one.crop}, {one.year or one.day or one.ending}")
        if len(where) != 1:
            several = listed(f"{unit} of {farm}" for farm, unit in where)
            what = f"{one.unit!r} can be {several}" if where else f"no field is called {one.unit!r}"
            yield Problem(place, f"{what}; the crop was not added.", "Write the field's identifier.", code=_NOT_ADDED)
            continue
        farm, unit = where[0]
        own = name if unit == one.unit else entry_name(unit, one.crop, one.year)
        there = {
            known: entry
            for (of, known), entry in entries.known.items()
            if of == farm and (known == own or ((entry.unit, entry.crop) == (unit, one.crop) and _is_same(entry, one)))
        }
        if not there:
            yield replace(one, unit=unit).row(farm, own)
        elif one.year:  # what a page offers may have been added with an earlier file of the same import
            yield _existing_crop_problem(place, one, there)


def _is_same(entry: Entry, one: NewEntry) -> bool:
    """Tell whether an entry of the same field and crop is of the year that a person typed, or grows toward it."""
    if entry.ending != NOT_YET or entry.year:
        return entry.year == one.year != 0
    return one.ending == NOT_YET or (entry.planted is not None and one.year - entry.planted.year in (0, 1))


def _existing_crop_problem(place: Place, one: NewEntry, there: Mapping[str, Entry]) -> Problem:
    """Return what is said of a crop that is there already: that it counts, or what differs."""
    cause = f"{listed(labels(there))} is there already and was taken."
    differs = [
        entry for entry in there.values()
        if entry.ending != one.ending or (one.day and one.day not in map(str, (entry.first, entry.over)))
    ]  # fmt: skip
    if not differs:
        return note(place, cause, "Nothing to do.", _NOT_ADDED)
    typed = f"{one.ending.replace('_', ' ')} {one.day}".strip()
    return doubt(
        place, f"{cause} You wrote {typed}; nothing was changed.", "Correct its row if that is right.", _NOT_ADDED
    )


def entry_name(unit: str, crop: str, year: int) -> str:
    return identifier("-".join(part for part in (unit, crop, str(year)) if part))


def offer(
    entries: Entries, farm: str, unit: str, said: Named, kind: str, row: Mapping[str, object], year: int
) -> Crop | None:
    """Return the crop entry that a row needs; None where neither row nor person tells its year."""
    crop = said.crop or str(row.get("crop") or "")
    wanted = said.year or (_cover_year(row) if kind == _COVER else year or _year_for(entries, farm, unit, kind, row))
    if not wanted:
        return None
    name, count = entry_name(unit, crop, wanted), 2
    free = name
    while (farm, free) in entries.known:
        free, count = f"{name}-{count}", count + 1
    return Crop(unit, crop, str(wanted), free)


def _year_for(entries: Entries, farm: str, unit: str, kind: str, row: Mapping[str, object]) -> int:
    """Return the year in which the crop will have been cut that a row's day is before."""
    day = row.get(DAY_OF.get(kind, ""))
    if not isinstance(day, date):
        return 0
    of_unit = (one for (of, _), one in entries.known.items() if of == farm and one.unit == unit)
    cut = any(one.closes and one.first and one.first.year == day.year and one.first <= day for one in of_unit)
    return day.year + cut


def said_of(entry: Entry) -> str:
    """Return a crop entry as people know it: field, crop, year and how it ended."""
    crop = f"{entry.unit} {entry.crop.replace('_', ' ')} {entry.year or ''}".strip()
    ended = "not harvested yet" if entry.ending == NOT_YET else entry.ending.replace("_", " ")
    if entry.ending in ENDINGS:
        ended += f" {entry.first}" if entry.first else ", no day"
    return f"{crop} ({ended})" if ended else crop


def labels(entries: Mapping[str, Entry]) -> list[str]:
    """Return what crop entries are called; those that would read alike with the identifiers of their records."""
    said = {name: said_of(entry) for name, entry in entries.items()}
    alike = Counter(said.values())
    unclear = {
        name for name, one in entries.items() if alike[said[name]] > 1 or (one.ending in ENDINGS and not one.year)
    }
    return [f"{text}, called {name}" if name in unclear else text for name, text in said.items()]


def beside(entries: Entries, farm: str, unit: str) -> str:
    """Return the crop entries that a field has, as text; empty where it has none."""
    return listed(labels({name: one for (of, name), one in entries.known.items() if of == farm and one.unit == unit}))
