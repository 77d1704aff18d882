"""What is asked and offered of the crop entry of a row: which of several it is, and whether to add one."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, NamedTuple

from provender.formats.importing.crop_entries import COVER, DAY_OF, Entries, Entry, Named, cover_year
from provender.formats.parsed import doubt, note
from provender.formats.units import identifier
from provender.problem import Place, Problem, listed
from provender.records.book import ENDINGS, NOT_YET
from provender.records.folder import write_cell
from provender.records.kind import KINDS
from provender.records.reading import read_cell

NOT_ADDED: Final = "entry_not_added"


class Offered(NamedTuple):
    """A crop entry that rows need and that is not there: what a person is asked to confirm."""

    name: str
    unit: str
    crop: str
    year: int


@dataclass(frozen=True, slots=True)
class EntryAsked:
    """A row that stays out, since nobody can tell its crop entry."""

    place: str  # of the row, as text
    column: str  # by which it names the entry
    entries: tuple[str, ...] = ()  # those that it can be about
    offered: Offered | None = None  # what could be added, where none fits and the field is known


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
        """Return its record, typed."""
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
            yield Problem(place, f"{what}; the crop was not added.", "Write the field's identifier.", code=NOT_ADDED)
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
            yield _standing(place, one, there)


def _is_same(entry: Entry, one: NewEntry) -> bool:
    """Tell whether an entry of the same field and crop is of the year that a person typed, or grows toward it."""
    if entry.ending != NOT_YET or entry.year:
        return entry.year == one.year != 0
    return one.ending == NOT_YET or (entry.planted is not None and one.year - entry.planted.year in (0, 1))


def _standing(place: Place, one: NewEntry, there: Mapping[str, Entry]) -> Problem:
    """Return what is said of a crop that is there already: that it counts, or what differs."""
    cause = f"{listed(labels(there))} is there already and was taken."
    differs = [
        entry for entry in there.values()
        if entry.ending != one.ending or (one.day and one.day not in map(str, (entry.first, entry.over)))
    ]  # fmt: skip
    if not differs:
        return note(place, cause, "Nothing to do.", NOT_ADDED)
    typed = f"{one.ending.replace('_', ' ')} {one.day}".strip()
    return doubt(
        place, f"{cause} You wrote {typed}; nothing was changed.", "Correct its row if that is right.", NOT_ADDED
    )


def entry_name(unit: str, crop: str, year: int) -> str:
    """Return what a new crop entry is called."""
    return identifier("-".join(part for part in (unit, crop, str(year)) if part))


def offer(
    entries: Entries, farm: str, unit: str, said: Named, kind: str, row: Mapping[str, object], year: int
) -> Offered | None:
    """Return the crop entry that a row needs; None where neither row nor person tells its year."""
    crop = said.crop or str(row.get("crop") or "")
    wanted = said.year or (cover_year(row) if kind == COVER else year or _year_for(entries, farm, unit, kind, row))
    if not wanted:
        return None
    name, count = entry_name(unit, crop, wanted), 2
    free = name
    while (farm, free) in entries.known:
        free, count = f"{name}-{count}", count + 1
    return Offered(free, unit, crop, wanted)


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
