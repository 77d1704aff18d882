"""What is asked and offered of the crop entry of a row: which of several it is, and whether to add one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, NamedTuple

from provender.formats.importing.crop_entries import COVER, DAY_OF, Entries, Entry, Named
from provender.formats.units import identifier
from provender.problem import listed
from provender.records.book import ENDINGS
from provender.records.folder import write_cell
from provender.records.kind import KINDS
from provender.records.reading import read_cell

_SUMMER: Final = 7
"""From this month on a cover crop is sown for the crop of the next year."""


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

        Args:
            order: in which a day may be written, as ``read_cell`` takes it.

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


def new_rows(new: Mapping[str, NewEntry], farm_id: str) -> list[dict[str, object]]:
    """Return the records, typed, of crop entries that a person adds."""
    return [one.row(farm_id, name) for name, one in new.items()]


def entry_name(unit: str, crop: str, year: int) -> str:
    """Return what a new crop entry is called."""
    return identifier("-".join(part for part in (unit, crop, str(year)) if part))


def offer(
    entries: Entries, farm: str, unit: str, said: Named, kind: str, row: Mapping[str, object], year: int
) -> Offered | None:
    """Return the crop entry that a row needs; None where neither row nor person tells its year."""
    crop = said.crop or str(row.get("crop") or "")
    wanted = said.year or year or _year_for(entries, farm, unit, kind, row)
    if not wanted:
        return None
    name, count = entry_name(unit, crop, wanted), 2
    free = name
    while (farm, free) in entries.known:
        free, count = f"{name}-{count}", count + 1
    return Offered(free, unit, crop, wanted)


def _year_for(entries: Entries, farm: str, unit: str, kind: str, row: Mapping[str, object]) -> int:
    """Return the year in which the crop will have been cut that a row's day is before."""
    day, ended = row.get(DAY_OF.get(kind, "")), row.get("terminated_on")
    if not isinstance(day, date):
        return 0
    if kind == COVER:
        return ended.year if isinstance(ended, date) else day.year + (day.month >= _SUMMER)
    of_unit = (one for (of, _), one in entries.known.items() if of == farm and one.unit == unit)
    cut = any(one.closes and one.first and one.first.year == day.year and one.first <= day for one in of_unit)
    return day.year + cut


def said_of(name: str, entry: Entry) -> str:
    """Return a crop entry as a person tells it from another: its name, crop and how it ended."""
    crop = entry.crop.replace("_", " ")
    if entry.ending in ENDINGS:
        ended = f"{entry.ending} {entry.first}" if entry.first else f"{entry.ending}, no day"
    else:
        ended = entry.ending.replace("_", " ")
    return f"{name} ({crop}, {ended})" if ended else f"{name} ({crop})"


def beside(entries: Entries, farm: str, unit: str) -> str:
    """Return the crop entries that a field has, as text; empty where it has none."""
    return listed(said_of(name, one) for (of, name), one in entries.known.items() if of == farm and one.unit == unit)
