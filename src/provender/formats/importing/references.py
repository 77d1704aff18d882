"""What a row means when it names a unit, a harvest or another record: found blind to case and blanks, or told.

``home 80`` is HOME80, and so is ``Home Eighty`` where the book has a unit of that name; ``7`` is 007, as a spreadsheet
writes it. Where two records could be meant, or none, nobody guesses.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from typing import Final, NamedTuple

from provender.formats.importing.validate import Sifted
from provender.formats.parsed import listed
from provender.problem import Place, Problem, Weight
from provender.records import KINDS
from provender.records.book import RecordBook
from provender.records.harvest_years import with_year, year_of

NAMED: Final = {"unit": "name", "producer": "name", "evidence": "file", "related_party": "name"}
"""The column by which people call a record that has an identifier too."""
_NEAR: Final = 0.6


def folded(text: str) -> str:
    """Return a name for comparing: no case, no blanks and signs, no zeros before a number."""
    plain = re.sub(r"[\W_]+", "", text.casefold())
    return re.sub(r"(?<!\d)0+(?=\d)", "", plain)


class Entry(NamedTuple):
    """A crop entry as other rows may mean it."""

    unit: str
    crop: str
    year: int
    over: date | None = None
    part: bool = False
    """It goes on with the harvest of another entry, which is the one that is meant."""


def _entry(row: Mapping[str, object]) -> Entry:
    first, last = (day if isinstance(day := row.get(name), date) else None for name in ("first_day", "last_day"))
    year = row.get("harvest_year") or year_of(first, last) or 0
    of = str(row.get("unit_id") or ""), str(row.get("crop") or "")
    return Entry(*of, int(str(year)), last or first, bool(row.get("part")))


@dataclass(slots=True)
class Known:
    """The records that rows may refer to: name by identifier, by kind and farm.

    Attributes:
        names: what a record is called, empty where it has no name: by kind, farm and identifier.
        told: by kind, what a person said a name in the files means; empty where nothing was said.
        entries: unit, crop and harvest year of each crop entry, by farm and identifier.
        year: of the crop entry that is meant where a row names its unit only; 0 for any.
    """

    names: dict[str, dict[tuple[str, str], str]] = field(default_factory=dict)
    told: dict[str, Callable[[str], str]] = field(default_factory=dict)
    entries: dict[tuple[str, str], Entry] = field(default_factory=dict)
    year: int = 0

    def add(self, kind: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Let rows of a kind be referred to."""
        own = next((name for name in KINDS[kind].key_columns if name != "farm_id"), "")
        called = NAMED.get(kind, "")
        if not own:
            return
        there = self.names.setdefault(kind, {})
        for row in rows:
            if row.get(own):
                there[str(row["farm_id"]), str(row[own])] = str(row.get(called) or "")
                if kind == "harvest":
                    self.entries[str(row["farm_id"]), str(row[own])] = _entry(row)

    def entries_of(self, farm: str, text: str, crop: str) -> tuple[str, ...]:
        """Return the crop entries that a unit's name can mean: those of the crop and year that are told."""
        units = self.meant("unit", farm, text)
        return tuple(
            name
            for (of, name), entry in self.entries.items()
            if of == farm
            and entry.unit in units
            and crop in ("", entry.crop)
            and self.year in (0, entry.year)
            and not entry.part
        )

    def that_follows(self, farm: str, names: tuple[str, ...], ended: object) -> tuple[str, ...]:
        """Return, of several crop entries, the first that was over after a cover had ended (interpretation 15)."""
        days = {name: self.entries[farm, name].over for name in names}
        after = [(day, name) for name, day in days.items() if day and isinstance(ended, date) and day > ended]
        return (min(after)[1],) if after and all(days.values()) else names

    def meant(self, kind: str, farm: str, text: str) -> tuple[str, ...]:
        """Return the identifiers that a text can mean: one where it is clear, several, or none."""
        there = {unit: name for (of, unit), name in self.names.get(kind, {}).items() if of == farm}
        said = self.told[kind](text) if kind in self.told else ""
        text = said or text
        if text in there:
            return (text,)
        wanted = folded(text)
        by_id = [one for one in there if folded(one) == wanted]
        return tuple(by_id or [one for one, name in there.items() if name and folded(name) == wanted])

    def near(self, kind: str, farm: str, text: str) -> list[str]:
        """Return the records most like a name, best first, with what they are called."""
        there = {unit: name for (of, unit), name in self.names.get(kind, {}).items() if of == farm}
        spelled: dict[str, str] = {}
        for one, name in there.items():
            spelled.setdefault(folded(one), one)
            if name:
                spelled.setdefault(folded(name), one)
        close = get_close_matches(folded(text), list(spelled), n=3, cutoff=_NEAR)
        found = list(dict.fromkeys(spelled[each] for each in close)) or (list(there) if len(there) <= 3 else [])  # noqa: PLR2004 - so few are named
        return [f"{one} ({there[one]})" if there[one] and there[one] != one else one for one in found]


def known_records(
    book: RecordBook | None, sifted: Iterable[Sifted], units: Mapping[str, Callable[[str], str]]
) -> Known:
    """Return what the rows of an import may refer to: records of the book, and of the import, rejected ones too.

    A row that names a rejected record is sound itself; it stands as soon as the other one is mended.
    """
    known = Known(told=dict(units))
    for name in KINDS:
        if book is not None:
            rows = with_year(book[name], book["planting"]) if name == "harvest" else book[name]
            known.add(name, rows.iter_rows(named=True))
    for one in sifted:
        if one.incoming.kind is not None:
            known.add(one.incoming.kind.name, one.read)
    return known


def settle_references(sifted: Sifted, known: Known) -> None:
    """Put the identifiers that are meant in place of what rows name; a row that names nothing known stays out."""
    kind = sifted.incoming.kind
    if kind is None:
        return
    links = {name: found.refers for name, found in kind.fields.items() if found.refers}
    left_out: dict[int, list[str]] = {}
    taken: dict[tuple[str, str, str], list[int]] = {}
    for row in sifted.rows:
        lost = []
        for name, target in links.items():
            text = row[name]
            if not isinstance(text, str):
                continue
            meant = _meant(known, kind.name, target, text, row)
            if len(meant) == 1:
                row[name] = meant[0]
                if meant[0] != text:
                    taken.setdefault((name, text, meant[0]), []).append(int(str(row["source_row"])))
            else:
                lost.append(_lost(sifted, row, name, meant, known))
        sifted.problems += lost
        for one in lost:
            said = f"{one.place.column}: {one.cause.rstrip('.')}"
            left_out.setdefault(int(str(row["source_row"])), []).append(said)
    for number, reasons in left_out.items():
        sifted.reject([number], "; ".join(dict.fromkeys(reasons)))
    table = sifted.incoming.table
    for (name, text, meant_one), rows in taken.items():
        cause = f"{text!r} was taken for {meant_one} in {len(rows)} {'row' if len(rows) == 1 else 'rows'}."
        place = Place(table.file, table.sheet, rows[0], name)
        sifted.problems.append(
            Problem(place, cause, "Nothing, if that is right.", weight=Weight.NOTE, code="taken_for")
        )


def _meant(known: Known, kind: str, target: str, text: str, row: Mapping[str, object]) -> tuple[str, ...]:
    """Return the records that a text of a row can mean; a crop entry may be named by its unit."""
    farm = str(row["farm_id"])
    found = known.meant(target, farm, text)
    if target != "harvest" or found:
        return found
    found = known.entries_of(farm, text, str(row.get("crop") or ""))
    if kind == "cover_crop" and len(found) > 1:
        return known.that_follows(farm, found, row.get("terminated_on"))
    return found


def _lost(sifted: Sifted, row: Mapping[str, object], name: str, meant: tuple[str, ...], known: Known) -> Problem:
    kind, table = sifted.incoming.kind, sifted.incoming.table
    described = kind.fields[name] if kind else None
    target = described.refers if described else ""
    place = Place(table.file, table.sheet, int(str(row["source_row"])), name)
    what = KINDS[target].label.lower()
    if meant:
        cause = f"{row[name]!r} can be {listed(meant)}."
        remedy = "Write which of them it is."
    else:
        near = known.near(target, str(row["farm_id"]), str(row[name]))
        cause = f"{row[name]!r} is not among the {what} of farm {row['farm_id']}."
        remedy = f"Nearest: {listed(near)}. Correct it" if near else "Correct it"
        remedy += f", say --unit '{row[name]}=UNIT', or add it first." if target == "unit" else ", or add it first."
    return Problem(place, cause, remedy, described.cite if described else "", code="unknown_reference")
