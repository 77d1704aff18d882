"""The short workbook on its way into a book, and lists of cover crops: one line or mark becomes the rows it stands for.

Each value of such a row knows the cell it was typed in, so that a person reads of sheets, rows and columns that are
there. Nothing typed is passed over in silence.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from typing import Final, NamedTuple

from provender.catalog.words import About, listed_name
from provender.days import DayTextError, read_day
from provender.formats.importing.crop_entries import SUMMER, Crop, written
from provender.formats.importing.incoming_files import IncomingTable, RowCells, Source
from provender.formats.importing.references import folded
from provender.formats.mapped import in_our_words, with_read_rates
from provender.formats.parsed import MappedRow, MappedTable, Sheet, TextRow, note, place_of
from provender.formats.template_layout import ALL, BY_NAME, DECLARATIONS, MARKS, NOT, YEAR, ShortSheet
from provender.formats.units import identifier
from provender.problem import Place, Problem, listed
from provender.records.book import NOT_YET
from provender.records.kind import KINDS
from provender.records.kinds.nutrients import N_SOURCES
from provender.records.reading import TextTable

COVERS: Final = "cover_crop"
SPECIES: Final = "cover_species"
_APART: Final = re.compile(r"\s*(?:[,;+&]|/(?!\s*ac)|\band\b|\bwith\b)\s*", re.IGNORECASE)
_MIX: Final = re.compile(r"\b(?:mix|mixture|blend)\b\.?", re.IGNORECASE)

_RATED: Final = re.compile(
    r"(.*?[A-Za-z)])[\s,@-]+(\d+(?:\.\d+)?)\s*(?:#|lbs?\.?|pounds?)?(?:\s*/\s*ac(?:re)?)?", re.IGNORECASE
)
"""A species with its pounds per acre: ``rye 45``."""


def species_of(table: MappedTable, keys: Mapping[int, str]) -> tuple[list[MappedRow], list[Problem]]:
    """Return the species of a list whose covers are called by ``keys``, by row, and what is told of their rates."""
    sown = [(row, _species_named(row.values.get("species", ""))) for row in table.rows if row.number in keys]
    found = [_species_row(row, name, names, keys) for row, names in sown for name in names]
    mixes = [row for row, names in sown if len(names) > 1 and not all(map(_RATED.fullmatch, names))]
    whole = [row.number for row in mixes if "rate_lb_per_ac" in row.values]
    cause = f"the rate of a mix is that of all its species together: row {listed(whole)}; none of them was given it."
    place = Place(table.file, table.sheet, whole[0] if whole else 0)
    return found, [note(place, cause, "Type the rate of each species.", "rate_of_mix")] if whole else []


def _species_named(text: str) -> list[str]:
    """Return the species that a text names, each by itself; a listed name may have a comma."""
    parts = [part.strip() for part in re.split(r"[;\n]", text) if part.strip()]
    if all(listed_name(About.SPECIES, part) for part in parts):
        return parts
    return [name for part in parts for name in _APART.split(_MIX.sub(" ", part).strip()) if name]


def _species_row(row: MappedRow, name: str, names: Sequence[str], keys: Mapping[int, str]) -> MappedRow:
    rate = row.values.get("rate_lb_per_ac", "") if len(names) == 1 else ""
    if rated := _RATED.fullmatch(name):
        name, rate = rated[1], rate or rated[2]
    return MappedRow(
        row.number,
        {"cover_id": keys[row.number], "species": name, **({"rate_lb_per_ac": rate} if rate else {})},
    )


_DAY: Final = {"operation": "day", "nutrient_application": "day", "cover_crop": "seeded_on"}
_KEYS: Final = {"operation": ("operation_id", "P"), "nutrient_application": ("application_id", "A"),
                "cover_crop": ("cover_id", "C")}  # fmt: skip
_MADE: Final = frozenset({*_KEYS, "nutrient_budget", "soil_test"})
"""Kinds whose records a short workbook gives no identifiers."""
_FERTILIZER: Final = "commercial_fertilizer"
_BETWEEN: Final = re.compile(r"[;\n]")
_BETWEEN_RATES: Final = re.compile(r"[;,&+/\n]")
_BETWEEN_SOURCES: Final = re.compile(r"[;,&+\n]|\band\b")
_AMOUNT: Final = re.compile(r"(.*[^\s=:])[\s=:]+(\d[\d.]*)(?: ?(?:lb|lbs)(?:/ac)?)?")
_POUNDS: Final = re.compile(r"\s*(?:#|lbs?\.?|pounds?)\s*$", re.IGNORECASE)
_WIDE: Final = 40
"""Names of a list that are shown whole."""


class Cell(NamedTuple):
    """What was typed, and where."""

    text: str
    place: Place


Cells = dict[str, Cell]


@dataclass(slots=True)
class _Season:
    """What the sheets say, and the rows that come of it by kind and sheet."""

    source: Source
    fields: dict[str, str]  # acres, as text, of each field by its identifier
    crops: list[Crop]  # of the book, of other files, and of the sheets read so far
    farms: list[Cells] = field(default_factory=list)  # columns of the farm's sheet
    owners: dict[str, str] = field(default_factory=dict)  # the farm that a field of the sheets names
    called: dict[str, str] = field(default_factory=dict)  # fields by what people call them, folded
    year: str = ""  # the harvest year that is declared
    tables: dict[tuple[str, str], list[tuple[Place, Cells]]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def put(self, kind: str, home: Place, values: Mapping[str, Cell | str]) -> None:
        """Add a row of a kind that stands at a place; a text that was typed nowhere else stands there too."""
        cells = {name: one if isinstance(one, Cell) else Cell(one.strip(), home) for name, one in values.items()}
        self.tables.setdefault((kind, home.sheet), []).append(
            (home, {name: one._replace(text=in_our_words(KINDS[kind], name, one.text)) for name, one in cells.items()})
        )

    def tell(self, place: Place, cause: str, remedy: str) -> None:
        self.problems.append(Problem(place, cause, remedy, code="short_workbook"))

    def field_named(self, text: str) -> str:
        wanted = folded(text)
        alike = next((unit for unit in self.fields if folded(unit) == wanted), "")
        return (
            (text if text in self.fields else alike)
            or self.called.get(wanted, "")
            or (identifier(text) if text else "")
        )

    def farm_of(self, unit: str) -> Cells:
        """Return the farm of a field: the one that it names, else the only one."""
        named = folded(self.owners.get(unit, ""))
        found = [
            farm
            for farm in self.farms
            if named in ("", *(folded(_text(farm, f"farm.{column}")) for column in ("farm_id", "name")))
        ]
        return found[0] if len(found) == 1 else self.farms[0] if len(self.farms) == 1 else {}


def short_tables(
    sheets: Iterable[Sheet], source: Source, fields: Mapping[str, str], crops: Iterable[Crop]
) -> tuple[list[IncomingTable], list[Problem]]:
    """Return the rows of the full workbook that a short one stands for, table by table, and what is wrong with it.

    Acres by field and the crop entries of the book and of other files need not be typed again.
    """
    season = _Season(source, dict(fields), list(crops))
    there = {sheet.name.casefold(): sheet for sheet in sheets}
    pages = [_Page(season, layout, there[name]) for name, layout in BY_NAME.items() if name in there]
    for line in (line for page in pages if page.layout.name == DECLARATIONS for line in page.sheet.lines):
        if _key(line.cell(0)) == YEAR:
            season.year = _year(line.cell(1))
    for page in pages:
        _READ[page.layout.shape](page)
    return [_incoming(source, *key, rows) for key, rows in season.tables.items()], season.problems


def _incoming(source: Source, kind: str, sheet: str, rows: list[tuple[Place, Cells]]) -> IncomingTable:
    names = tuple(KINDS[kind].typed_fields)
    lines, where = [], {}
    for number, (home, cells) in enumerate(rows, start=1):
        lines.append((number, tuple(cells[name].text if name in cells else "" for name in names)))
        where[number] = RowCells(home, {name: one.place for name, one in cells.items()})
    made = {number for number, _ in lines} if kind in _MADE else set()
    table = with_read_rates(KINDS[kind], TextTable(source.name, sheet, names, tuple(lines)))
    return IncomingTable(KINDS[kind], table, source, made_keys=made, cells=where)


def _key(text: str) -> str:
    return " ".join(text.split()).casefold()


@dataclass(frozen=True, slots=True)
class _Page:
    """One sheet of a short workbook."""

    season: _Season
    layout: ShortSheet
    sheet: Sheet

    def place(self, row: int, column: int | str = "") -> Place:
        return place_of(self.season.source.name, self.sheet.name, row, column)

    def cell(self, line: TextRow, at: int) -> Cell:
        return Cell(line.cell(at), self.place(line.number, at))

    def lines(self) -> dict[str, TextRow]:
        """Return the lines by their label, and tell of those that are none of the layout's.

        Below the head of a grid stand fields.
        """
        known = {part.key for part in self.layout.parts}
        lines = {_key(line.cell(0)): line for line in self.sheet.lines if _key(line.cell(0)) in known}
        numbers = [line.number for line in lines.values()]
        last = max(numbers, default=0) if self.layout.shape == "grid" else self.sheet.lines[-1].number
        for line in self.sheet.lines:
            is_none = line not in lines.values() and any(line.cells[1:])
            if min(numbers, default=last) < line.number <= last and is_none:
                self.tell_label(self.cell(line, 0))
        self.tell_headless(has_labels=bool(lines))
        return lines

    def tell_headless(self, *, has_labels: bool) -> None:
        if not has_labels and len(self.sheet.lines) > 1:
            rows = len(self.sheet.lines)
            cause = f"nothing here is called as in the short workbook; the {rows} rows were not read."
            self.season.tell(Place(self.season.source.name, self.sheet.name), cause, self._remedy)

    def tell_label(self, label: Cell) -> None:
        cause = f"{label.text!r} is nothing that this sheet asks for; what stands there was not read."
        self.season.tell(label.place, cause, self._remedy)

    @property
    def _remedy(self) -> str:
        return f"Call it one of: {listed((part.label for part in self.layout.parts), _WIDE)}."

    def cells_at(self, lines: Mapping[str, TextRow], at: int) -> Cells:
        """Return what stands in one column of the labeled lines, by what it fills."""
        cells = ((part, self.cell(lines.get(part.key, TextRow(0, ())), at)) for part in self.layout.parts)
        return {fills: cell for part, cell in cells for fills in part.fills}


def _of_kind(found: Mapping[str, Cell], kind: str) -> Cells:
    return {name.partition(".")[2]: cell for name, cell in found.items() if name.startswith(f"{kind}.") and cell.text}


def _text(cells: Mapping[str, Cell], name: str) -> str:
    return cells[name].text if name in cells else ""


def _farm(page: _Page) -> None:
    season, lines = page.season, page.lines()
    width = max((len(line.cells) for line in lines.values()), default=0)
    columns = [page.cells_at(lines, at) for at in range(1, width)]
    filled = [found for found in columns if any(cell.text for cell in found.values())]
    for found in filled:
        home = found["farm.farm_id"].place
        if not found["farm.farm_id"].text and len(filled) > 1:
            cause = "the column names no farm, and others do; nothing of it was read."
            season.tell(home, cause, "Write the farm's identifier at its top.")
            continue
        season.farms.append(found)  # a farm without an identifier is the one of the book
        for kind in ("farm", "producer"):
            if values := _of_kind(found, kind):
                season.put(kind, home, {**values, "farm_id": found["farm.farm_id"]})


def _list(page: _Page) -> None:
    sheet, known = page.sheet, {part.key: part for part in page.layout.parts}
    heading = max(sheet.lines, key=lambda line: sum(_key(cell) in known for cell in line.cells))
    has_labels = any(_key(cell) in known for cell in heading.cells)
    page.tell_headless(has_labels=has_labels)
    below = [line for line in sheet.lines if has_labels and line.number > heading.number]
    for at in range(max(len(line.cells) for line in sheet.lines)):
        if _key(heading.cell(at)) not in known and any(line.cell(at) for line in below):
            page.tell_label(page.cell(heading, at))
    for line in below:
        found: Cells = {}
        for at, label in enumerate(heading.cells):
            part = known.get(_key(label))
            cell = Cell(line.cell(at), page.place(line.number, label.strip()))
            found |= {fills: cell for fills in (part.fills if part else ()) if fills not in found}
        if any(cell.text for cell in found.values()):
            _ROW[page.layout.name](page.season, page.place(line.number), found)


def _field(season: _Season, home: Place, found: Cells) -> None:
    values = _of_kind(found, "unit")
    typed = found["unit.unit_id"] if "unit.unit_id" in found else Cell("", home)
    known = {folded(unit): unit for unit in season.fields if unit not in season.owners}  # before this sheet
    alike = known.get(folded(typed.text)) or (identifier(typed.text) if typed.text else "")
    unit = typed.text if typed.text in season.fields else alike
    if unit != typed.text and unit not in season.fields:  # the identifier of a record holds no such signs
        values.setdefault("name", typed)
    season.fields[unit] = _text(values, "acres") or season.fields.get(unit, "")
    season.owners[unit] = _text(values, "farm_id")
    if name := _text(values, "name"):
        season.called[folded(name)] = unit
    of_farm = _of_kind(season.farm_of(unit), "unit")
    season.put("unit", home, {**of_farm, **values, "unit_id": typed._replace(text=unit)})


def _crop(season: _Season, home: Place, found: Cells) -> None:
    values = _of_kind(found, "harvest")
    unit = season.field_named(_text(values, "unit_id"))
    crop = in_our_words(KINDS["harvest"], "crop", _text(values, "crop"))
    planted = _day(_text(found, "planting.planted_on"))
    year = _harvest_year(values) or (str(planted.year + (planted.month >= SUMMER)) if planted else season.year)
    named = identifier(f"{unit}-{crop}-{year}".lower().replace(unit.lower(), unit, 1))
    same = [one for one in season.crops if (one.unit, one.crop) == (unit, crop) and one.year in (year, "")]
    name = same[0].name if len(same) == 1 else named
    season.crops = [one for one in season.crops if one.name != name] + [Crop(unit, crop, year, name)]
    cut = any(_text(values, name) for name in ("bushels", "first_day", "last_day"))
    ending = {"ending": "harvested"} if cut else {"ending": NOT_YET} if planted else {}
    unit_cell = {"unit_id": values["unit_id"]._replace(text=unit)} if "unit_id" in values else {}
    season.put("harvest", home, {**ending, **values, **unit_cell, "harvest_id": name})
    planting = _of_kind(found, "planting")
    if planting:
        season.put("planting", home, {**planting, "planting_id": f"{name}-planting", "harvest_id": name})


def _harvest_year(values: Cells) -> str:
    """Return the year of a crop's days as they are typed; a harvest over New Year is of the year in which it began."""
    first, last = (_year(_text(values, name)) for name in ("first_day", "last_day"))
    return first if first and last and int(last) == int(first) + 1 else last or first


def _day(text: str) -> date | None:
    """Return a day in whatever way it is written; its year is the same in either order of day and month."""
    for order in ("mdy", "dmy"):
        with suppress(DayTextError):
            return read_day(text, order)
    return None


def _year(text: str) -> str:
    found = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", text)
    return str(day.year) if (day := _day(text)) else found[0] if found else ""


def _budget(season: _Season, home: Place, found: Cells) -> None:
    cell = found.get("!entry", Cell("", home))
    unit = season.field_named(cell.text)
    if not unit:
        season.tell(cell.place, "the row names no field.", "Write the field that the plan is for.")
        return
    test = _of_kind({name: one for name, one in found.items() if name != "soil_test.unit_id"}, "soil_test")
    budget: dict[str, Cell | str] = dict(_of_kind(found, "nutrient_budget"))
    name = identifier(f"{unit}-budget-{season.year}")
    if test:
        key = identifier(f"{unit}-test-{_year(_text(test, 'sampled_on')) or season.year}")
        season.put("soil_test", home, {**test, "soil_test_id": key, "unit_id": cell._replace(text=unit)})
        budget |= {"basis": "soil_test", "soil_test_id": key} if budget else {}
    if not budget:
        return
    entry = cell._replace(text=_entry_text(season, unit))
    season.put("nutrient_budget", home, {**budget, "budget_id": name, "harvest_id": entry})
    _sources(season, home, unit, name, found)


def _entry_text(season: _Season, unit: str) -> str:
    """Return what names the crop of a field in the declared year: its only entry, else field and year as a text."""
    of_year = [one.name for one in season.crops if one.unit == unit and one.year == season.year != ""]
    return of_year[0] if len(of_year) == 1 else written(unit, "", season.year)


def _sources(season: _Season, home: Place, unit: str, budget: str, found: Cells) -> None:
    """Answer every source of nitrogen for one budget; a word that means none leaves open what is not named."""
    cell, amounts = season.farm_of(unit).get("!sources", Cell("", home)), found.get("!amounts", Cell("", home))
    named = {_source(part): cell._replace(text="") for part in _BETWEEN_SOURCES.split(cell.text) if part.strip()}
    unread = []
    for part in filter(str.strip, _BETWEEN.split(amounts.text.replace(",", ";"))):
        if told := _AMOUNT.fullmatch(part.strip()):
            named[_source(told[1])] = amounts._replace(text=told[2])
        else:
            unread.append(part.strip())
    if unread:
        remedy = "Write each as a source and its pounds: starter 10; legume_crop 40."
        season.tell(amounts.place, f"{listed(map(repr, unread))} is no source with its pounds.", remedy)
    present = [source for source in named if source in N_SOURCES]
    planned = _text(found, "nutrient_budget.planned_n_lb_per_ac")
    if present == [_FERTILIZER] == list(named) and not amounts.text:
        named[_FERTILIZER] = Cell(planned, home)
    whole = not unread and len(present) == len(named) > 0
    absent = [source for source in N_SOURCES if whole and source not in present]
    # A word that is no source stays out by the check of the column, and marks the budget until it is corrected.
    for source in (*sorted(named, key=(*N_SOURCES, *named).index), *absent):
        amount = named.get(source, Cell("", cell.place))
        values: dict[str, Cell | str] = {"budget_id": budget, "source": Cell(source, amount.place)}
        season.put(
            "budget_source", home, {**values, "present": "no" if source in absent else "yes", "n_lb_per_ac": amount}
        )


def _source(text: str) -> str:
    said = in_our_words(KINDS["budget_source"], "source", text.strip())
    plain = re.sub(r"[\s-]+", "_", said.casefold())
    return plain if plain in N_SOURCES else said


_ROW: Final = {"Short fields": _field, "Short crops": _crop, "Short budgets": _budget}


def _grid(page: _Page) -> None:
    season, sheet, head = page.season, page.sheet, page.lines()
    last = max((line.number for line in head.values()), default=0)
    body = [line for line in sheet.lines if head and line.number > last]
    for line in (one for one in body if not one.cell(0)):
        cause = "the row marks passes and names no field."
        season.tell(page.place(line.number, 0), cause, "Write the field in its first cell.")
    for at in range(1, max((len(line.cells) for line in sheet.lines), default=0)):
        common = page.cells_at(head, at)
        marks = list(_marked(page, [line for line in body if line.cell(0)], at))
        if not any(cell.text for cell in common.values()):
            if marks:
                cause = "the column marks fields, and nothing above says what was done."
                season.tell(marks[0][2].place, cause, "Write above it what it was and when.")
            continue
        if not marks:
            cause = "the column marks no field, so nothing of it was written."
            season.tell(next(one.place for one in common.values() if one.text), cause, "Write x beside each field.")
        for unit, line, mark in marks:
            _pass(season, unit, line, mark, at, common)


def _marked(page: _Page, body: Iterable[TextRow], at: int) -> Iterator[tuple[str, TextRow, Cell]]:
    """Yield each marked field with its line and its mark; a field's own row counts before the row *all*."""
    season, own = page.season, dict[str, tuple[TextRow, Cell]]()
    for line in sorted(body, key=lambda each: _key(each.cell(0)) != ALL):
        mark = page.cell(line, at)
        if not mark.text:
            continue
        every = _key(line.cell(0)) == ALL
        if every and not season.fields:
            season.tell(mark.place, "the row all marks no field.", "List the fields in the sheet Short fields.")
        for unit in season.fields if every else [season.field_named(line.cell(0))]:
            own[unit] = line, mark
    for unit, (line, mark) in own.items():
        if mark.text.casefold() not in NOT:
            yield unit, line, mark


def _pass(season: _Season, unit: str, line: TextRow, mark: Cell, at: int, common: Cells) -> None:
    """Write one pass over one field.

    A cover crop is of the crop that follows it by the calendar; an application is of the season that holds its day.
    """
    kind = next(name.partition(".")[0] for name in common if not name.startswith("!"))
    values: dict[str, Cell | str] = dict(_of_kind(common, kind))
    if mark.text.casefold() not in MARKS:
        values[_DAY[kind]] = mark
    day = values.get(_DAY[kind])
    key, letter = _KEYS[kind]
    name = identifier(f"{unit}-{letter}{at}-{_year(day.text if isinstance(day, Cell) else '') or season.year}")
    first = place_of(mark.place.file, mark.place.sheet, line.number, 0)
    values |= {key: name, "unit_id": Cell(unit, first)}
    if kind == "cover_crop" or (kind == "nutrient_application" and day is None):
        values["harvest_id"] = unit if day else written(unit, "", season.year)
    if kind == "cover_crop":
        values["seeded_acres"] = season.fields.get(unit, "")
        _species(season, mark.place, name, common)
    season.put(kind, mark.place, values)


def _species(season: _Season, home: Place, cover: str, common: Cells) -> None:
    names = _species_named(common["!species"].text)
    rates = [_POUNDS.sub("", part).strip() for part in _BETWEEN_RATES.split(common["!rates"].text) if part.strip()]
    if rates and len(rates) != len(names):
        cause = f"{len(names)} species have {len(rates)} rates; none of them was given one."
        season.tell(common["!rates"].place, cause, "Write the pounds of each species, in the order of their names.")
        rates = []
    for species, rate in zip(names, rates or [""] * len(names), strict=True):
        row = {
            "species": common["!species"]._replace(text=species),
            "rate_lb_per_ac": common["!rates"]._replace(text=rate),
        }
        season.put("cover_species", home, {**row, "cover_id": cover})


def _answers(page: _Page) -> None:
    """Write the declarations of every crop of the year: what holds for all, and its exceptions."""
    season, lines = page.season, page.lines()
    common, excepted = page.cells_at(lines, 1), page.cells_at(lines, 2)
    answered = {
        name: cell for name, cell in common.items()
        if cell.text and name not in ("!year", "declaration.made_on", "declaration.producer_id")
    }  # fmt: skip
    if not answered and not any(cell.text for cell in excepted.values()):
        return
    of_year = [one for one in season.crops if one.year == season.year != ""]
    if not season.year or not of_year:
        cause = f"no crop of {season.year} is known" if season.year else "no harvest year is declared"
        remedy = "Write it, such as 2026." if not season.year else "Add its crops, then import this workbook again."
        season.tell(common["!year"].place, f"{cause}, so none of these answers was written.", remedy)
        return
    left = [unit for unit in season.fields if unit not in {one.unit for one in of_year}]
    if left:
        cause = f"no crop of {season.year} is known on {listed(left, _WIDE)}, so nothing was declared there."
        season.problems.append(
            note(common["!year"].place, cause, "Add the crop, if one grew there.", "no_crop_of_year")
        )
    said = {name: _exceptions(season, cell) for name, cell in excepted.items()}
    for unit, _, _, name in of_year:
        farm = folded(_text(season.farm_of(unit), "farm.farm_id"))
        values: dict[str, Cell | str] = {}
        for fills, cell in common.items():
            own, whole = said[fills]
            answer = own.get(folded(unit)) or own.get(farm) or (cell if whole else None)
            if answer and answer.text and fills != "!year":
                values[fills.partition(".")[2]] = answer
        if values.keys() - {"producer_id", "made_on"}:
            season.put("declaration", common["!year"].place, {**values, "harvest_id": name})


def _exceptions(season: _Season, cell: Cell) -> tuple[dict[str, Cell], bool]:
    """Return the answers of fields and farms that are excepted, and whether all of them could be read.

    Where one names nothing that is known, nobody can tell of which field the common answer is not true.
    """
    known = {folded(text): text for text in season.fields} | season.called
    known |= {folded(_text(farm, "farm.farm_id")): "" for farm in season.farms}
    found, unread = {}, []
    for each in filter(str.strip, _BETWEEN.split(cell.text.replace(",", ";"))):
        of, is_one, answer = each.partition("=")
        name = folded(of)
        if is_one and name and name in known:
            found[folded(season.called.get(name, "")) or name] = cell._replace(text=answer.strip())
        else:
            unread.append(each.strip())
    if unread:
        cause = f"the exception {listed(map(repr, unread))} names no field or farm that is known; the answer for all"
        remedy = f"Write it as FIELD = answer; fields are {listed(season.fields, _WIDE)}."
        season.tell(cell.place, f"{cause} fields was therefore not taken.", remedy)
    return found, not unread


_READ: Final = {"tall": _farm, "list": _list, "grid": _grid, "answers": _answers}
