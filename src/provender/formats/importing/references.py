"""What a row means when it names a unit, a harvest or another record: found blind to case and blanks, or told.

``home 80`` is HOME80, and so is ``Home Eighty`` where the book has a unit of that name; ``7`` is 007, as a spreadsheet
writes it. Where two records could be meant, or none, nobody guesses.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Final

from provender.formats.columns import own_key
from provender.formats.importing.crop_entries import DAY_OF, Chosen, Entries, Named, readings
from provender.formats.importing.entries_asked import EntryAsked, Offered, beside, labels, offer, said_of
from provender.formats.importing.validate import Sifted, number_of
from provender.formats.parsed import note
from provender.formats.units import without_accents
from provender.problem import Place, Problem, Weight, listed
from provender.records.book import RecordBook, with_year
from provender.records.kind import KINDS, Kind

NAMED: Final = {"unit": "name", "producer": "name", "evidence": "file", "related_party": "name"}
"""The column by which people call a record that has an identifier too."""
ENTRY: Final = "harvest"
CHOSEN: Final = "entry_chosen"
ASKED: Final = "entry_asked"
MISSING: Final = "entry_missing"
OPEN: Final = "entry_open"
COLUMN: Final = "harvest_id"
_NEAR: Final = 0.6


def folded(text: str) -> str:
    """Return a name for comparing: no case, accents, blanks and signs, no zeros before a number."""
    plain = re.sub(r"[\W_]+", "", without_accents(text).casefold())
    return re.sub(r"(?<!\d)0+(?=\d)", "", plain)


@dataclass(slots=True)
class Known:
    """The records that rows may refer to: name by identifier, by kind and farm."""

    # what a record is called by its identifier, empty where it has no name: by kind and farm
    names: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    # by kind, what a person said a name in the files means; empty where nothing was said
    told: dict[str, Callable[[str], str]] = field(default_factory=dict)
    entries: Entries = field(default_factory=Entries)  # the crop entries, which rows may name by their field
    year: int = 0  # of the crop entry that is meant where a row names its unit only; 0 for any
    said: Mapping[str, str] = field(default_factory=dict)  # see ``Choices.entries_said``

    def add(self, kind: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Let rows of a kind be referred to."""
        rows = list(rows)
        self.entries.add(kind, rows)
        own, called = own_key(KINDS[kind]), NAMED.get(kind, "")
        for row in rows:
            if own and row.get(own):
                self.names.setdefault((kind, str(row["farm_id"])), {})[str(row[own])] = str(row.get(called) or "")

    def entry_meant(self, farm: str, text: str, kind: str, row: Mapping[str, object]) -> tuple[Chosen, str, Named]:
        """Return the crop entries that a row can mean which names an entry or a field, with a crop or year or without.

        With them come the field, empty where not one alone is meant, and what the text says.
        """
        for said in readings(text):
            exact = [
                name
                for name in self.meant(ENTRY, farm, said.unit)
                if said.crop in ("", self.entries.known[farm, name].crop)
            ]
            if exact:
                return Chosen(tuple(exact), "its name"), "", said
            units = self.meant("unit", farm, said.unit)
            if units:
                unit = units[0] if len(units) == 1 else ""
                return self.entries.choose(farm, units, said, kind, row, self.year), unit, said
        return Chosen(()), "", Named(text)

    def meant(self, kind: str, farm: str, text: str) -> tuple[str, ...]:
        """Return the identifiers that a text can mean: one where it is clear, several, or none."""
        there = self.names.get((kind, farm), {})
        text = (self.told[kind](text) if kind in self.told else "") or text
        if text in there:
            return (text,)
        if len(exact := [one for one, name in there.items() if name == text]) == 1:
            return (exact[0],)
        wanted = folded(text)
        by_id = [one for one in there if folded(one) == wanted]
        return tuple(by_id or [one for one, name in there.items() if name and folded(name) == wanted])

    def near(self, kind: str, farm: str, text: str) -> list[str]:
        """Return the records most like a name, best first, with what they are called."""
        there, spelled = self.names.get((kind, farm), {}), dict[str, str]()
        for one, name in there.items():
            for text_of in filter(None, (one, name)):
                spelled.setdefault(folded(text_of), one)
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
    links = [name for name, found in kind.fields.items() if found.refers]
    taken: dict[tuple[str, str, str], list[int]] = {}
    for row in list(sifted.rows):
        lost = [one for name in links for one in _settle(sifted, row, name, kind, known, taken)]
        sifted.problems += lost
        if lost:
            sifted.reject(number_of(row), *lost)
    for (name, text, meant_one), rows in taken.items():
        cause = f"{text!r} was taken for {meant_one} in {len(rows)} {'row' if len(rows) == 1 else 'rows'}."
        place = sifted.incoming.place(rows[0], name)
        sifted.problems.append(note(place, cause, "Nothing, if that is right.", "taken_for"))


def _settle(
    sifted: Sifted, row: dict[str, object], name: str, kind: Kind, known: Known,
    taken: dict[tuple[str, str, str], list[int]],
) -> list[Problem]:  # fmt: skip
    """Settle what a row names in one column; return why it stays out."""
    text, target = row[name], kind.fields[name].refers
    if not isinstance(text, str):
        return []
    meant = known.meant(target, str(row["farm_id"]), text)
    if target == ENTRY and not meant:
        return _settle_entry(sifted, row, name, kind, known)
    if len(meant) != 1:
        return [_lost(sifted, row, name, kind, meant, known)]
    row[name] = meant[0]
    if meant[0] != text:
        taken.setdefault((name, text, meant[0]), []).append(number_of(row))
    return []


def _settle_entry(
    sifted: Sifted, row: dict[str, object], name: str, kind: Kind, known: Known
) -> list[Problem]:  # fmt: skip
    """Put the one crop entry into a row that it can be about; else ask which it is, or offer to add it.

    A row that need not name one goes in without, and is counted by its day.
    """
    farm, text, place = str(row["farm_id"]), str(row[name]), sifted.incoming.place(number_of(row), name)
    found, unit, said = known.entry_meant(farm, text, kind.name, row)
    if (answer := known.said.get(f"{text}|{' '.join(found.entries)}")) in found.entries:
        found = Chosen((answer,), "what was answered")
    if len(found.entries) == 1 and found.sure:
        _take_entry(sifted, row, name, found, known)
        return []
    if not unit and not found.entries:
        return [_lost(sifted, row, name, kind, (), known)]
    offered = None
    if len(found.entries) < 2:  # noqa: PLR2004 - the only one need not be the one that is meant
        offered = offer(known.entries, farm, unit, said, kind.name, row, known.year)
    told = replace(_open_entry(found, unit, text, offered, row, kind, known), place=place)
    if not kind.fields[name].required:
        row[name] = None
        remedy = f"It goes in without a crop entry, and its day decides. {told.remedy}"
        sifted.problems.append(replace(told, remedy=remedy, weight=Weight.CONFIRM, code=OPEN))
        return []
    sifted.asked.append(EntryAsked(str(sifted.incoming.place(place.row)), name, found.entries, offered))
    return [told]


def _take_entry(sifted: Sifted, row: dict[str, object], name: str, found: Chosen, known: Known) -> None:
    """Put the crop entry into a row that alone fits, say so, and keep by what it was chosen.

    A short workbook names no crop entries: its sheets say that each row is of the crop that the calendar tells.
    """
    text, (one,) = row[name], found.entries
    row[name] = one
    if number_of(row) in sifted.incoming.cells:
        return
    entry = said_of(known.entries.known[str(row["farm_id"]), one])
    cause = f"{text!r} was taken for the crop entry {entry}: the only one that fits by {found.by}."
    place = sifted.incoming.place(number_of(row), name)
    sifted.problems.append(note(place, cause, "Nothing, if that is right.", CHOSEN))
    sifted.chosen[number_of(row)] = f"Crop entry chosen by {found.by}, from {text!r}."


def _open_entry(
    found: Chosen, unit: str, text: str, offered: Offered | None, row: Mapping[str, object], kind: Kind, known: Known
) -> Problem:
    """Return what is said of a row that several crop entries fit, or none."""
    farm, cite = str(row["farm_id"]), kind.fields[COLUMN].cite
    option = f"--add-entry '{unit}, {offered.crop or 'CROP'}, {offered.year}'" if offered else ""
    if found.entries:
        choices = listed(labels({one: known.entries.known[farm, one] for one in found.entries}), most=20)
        if len(found.entries) > 1:
            return Problem(Place(""), f"{text!r} can be {choices}.", "Write which of them it is.", cite, code=ASKED)
        cause = f"{text!r}: only {choices} is known there, and nothing shows that it is the one that is meant."
        remedy = "Write it as that if it is."
        remedy += f" If not, add the one that is missing: {option}." if option else ""
        return Problem(Place(""), cause, remedy, cite, code=ASKED)
    there = beside(known.entries, farm, unit)
    day = row.get(DAY_OF.get(kind.name, ""))
    has = f"It has {there}." if there else "It has none."
    cause = f"no crop entry of {unit} fits {text!r} on {day}." if day else f"no crop entry of {unit} fits {text!r}."
    remedy = "Add the one that is missing first, or name another."
    if option:
        remedy = f"Add the one that is missing: {option}. Or name another."
    return Problem(Place(""), f"{cause} {has}", remedy, cite, code=MISSING)


def _lost(
    sifted: Sifted, row: Mapping[str, object], name: str, kind: Kind, meant: tuple[str, ...], known: Known
) -> Problem:
    target, place = kind.fields[name].refers, sifted.incoming.place(number_of(row), name)
    if meant:
        cause = f"{row[name]!r} can be {listed(meant)}."
        remedy = "Write which of them it is."
    else:
        near = known.near(target, str(row["farm_id"]), str(row[name]))
        cause = f"{row[name]!r} is not among the {KINDS[target].label.lower()} of farm {row['farm_id']}."
        remedy = f"Nearest: {listed(near)}. Correct it" if near else "Correct it"
        remedy += f", say --unit '{row[name]}=UNIT', or add it first." if target == "unit" else ", or add it first."
    return Problem(place, cause, remedy, kind.fields[name].cite, code="unknown_reference")
