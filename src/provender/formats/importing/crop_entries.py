"""Which crop entry a row is about that names its field, its day and perhaps its crop, but no entry of the farm's own.

The entry whose interval holds the day is taken where it is the only one (2100.002, interpretation 9); a cover crop is
of the crop that follows it (interpretation 15), a budget of the one it is made for.
Where several fit, or the only one that is there need not be the one that is meant, a person is asked.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final, NamedTuple

from provender.catalog.materials import farm_crop
from provender.records.book import ENDINGS, NAMED_BY_YEAR, NOT_YET, days_of, year_of
from provender.records.kind import KINDS

DAY_OF: Final[Mapping[str, str]] = {
    "planting": "planted_on", "nutrient_application": "day", "nutrient_budget": "made_on",
    "in_season_test": "tested_on", "cover_crop": "seeded_on",
}  # fmt: skip
"""The column whose day tells the interval; declarations and runs are written long after the season that they are of."""
COVER: Final = "cover_crop"
BUDGET: Final = "nutrient_budget"
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
    part: bool = False  # it goes on with the harvest of another entry, which is the one that is meant
    planted: date | None = None  # the first planting recorded

    @property
    def closes(self) -> bool:
        """Tell whether it ends an interval."""
        return self.ending in ENDINGS and not self.part


def entry_of(row: Mapping[str, object]) -> Entry:
    """Return a record of a harvest, with or without ``harvest_year`` and ``part``, as an entry."""
    first, last = days_of(row)
    year = row.get("harvest_year") or year_of(first, last) or 0
    unit, crop, ending = (str(row.get(name) or "") for name in ("unit_id", "crop", "ending"))
    return Entry(unit, crop, int(str(year)), ending, first or last, last or first, bool(row.get("part")))


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

    def add(self, kind: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Let crop entries be found, and know when they were planted."""
        for row in rows:
            key = str(row["farm_id"]), str(row.get("harvest_id") or "")
            if kind == "harvest" and key[1]:
                old = self.known.get(key)
                self.known[key] = replace(entry_of(row), planted=old.planted if old else None)
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
        fitting = {name: one for name, one in of_unit.items() if crop in ("", one.crop) and not one.part}
        if year:
            exact = {name: one for name, one in fitting.items() if one.year == year}
            growing = {name: one for name, one in fitting.items() if one.ending == NOT_YET and not one.year}
            fitting = exact or {
                name: one for name, one in growing.items() if _may_be_of(name, one, year, of_unit.values())
            }
        day = row.get(DAY_OF.get(kind, "")) or (row.get("terminated_on") if kind == COVER else None)
        if isinstance(day, date):
            fitting = _by_day(fitting, of_unit, kind, day, row.get("terminated_on"))
        dated = isinstance(day, date)
        sure = bool(year) or all(_is_meant(one, kind, row, day, named=bool(crop)) for one in fitting.values())
        told = (("field", True), ("crop", crop), ("harvest year", year), ("day", dated))
        *first, last = (name for name, is_told in told if is_told)
        return Chosen(tuple(fitting), " and ".join(filter(None, (", ".join(first), last))), sure)


def cover_year(row: Mapping[str, object]) -> int:
    """Return the harvest year of the crop that follows a cover; 0 without a day."""
    last = row.get("terminated_on") or row.get("seeded_on")
    return last.year + (last.month >= SUMMER) if isinstance(last, date) else 0


def _is_meant(one: Entry, kind: str, row: Mapping[str, object], day: object, *, named: bool) -> bool:
    """Tell whether the only entry that fits is the one that a row means, though others may not be entered yet."""
    if kind == COVER:
        return one.ending == NOT_YET or one.year == cover_year(row) != 0
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
    if kind == COVER:
        return _that_follows(fitting, day, ended)
    holding = {name: one for name, one in fitting.items() if _holds(one, of_unit.values(), day)}
    if kind != BUDGET:
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
