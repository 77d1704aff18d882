"""The short workbook on its way into a book: marks and answers become the rows that the full workbook would have."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from provender.formats.importing.incoming_files import Choices, IncomingFile, Source
from provender.formats.importing.references import folded
from provender.formats.parsed import Sheet, TextRow, letters
from provender.formats.rates import with_read_cells
from provender.formats.short_layout import ALL, BY_NAME, DECLARATIONS, FARM_SHEET, MARKS, NOT, YEAR, ShortSheet
from provender.formats.units import identifier
from provender.problem import Place, Problem, listed
from provender.records.kind import KINDS
from provender.records.kinds.nutrients import N_SOURCES
from provender.records.reading import TextTable

Values = dict[str, str]
_DAY: Final = {"operation": "day", "nutrient_application": "day", "cover_crop": "seeded_on"}
_KEYS: Final = {"operation": ("operation_id", "P"), "nutrient_application": ("application_id", "A"),
                "cover_crop": ("cover_id", "C")}  # fmt: skip
_ALL_FIELDS: Final = 1_048_577
"""The number of the first row that the row *all* writes, past the last that a sheet has: its place is told apart."""
_FERTILIZER: Final = "commercial_fertilizer"


def is_short(sheets: Iterable[Sheet]) -> bool:
    """Tell whether a workbook is a short one."""
    return any(sheet.name.casefold() in BY_NAME for sheet in sheets)


class _Entry(NamedTuple):
    """A crop entry: whose, which crop, of which year, and its identifier."""

    unit: str
    crop: str
    year: str
    name: str


@dataclass(slots=True)
class _Season:
    """What the sheets say, and the rows that come of it by kind and sheet."""

    source: Source
    farms: list[Values] = field(default_factory=list)  # columns of the farm's sheet
    fields: dict[str, Values] = field(default_factory=dict)  # what stands of each field, by its identifier
    entries: list[_Entry] = field(default_factory=list)  # crop entries
    year: str = ""  # the harvest year that is declared
    # where the rows stand, by table, number and column
    places: dict[tuple[str, str], dict[int, dict[str, Place]]] = field(default_factory=dict)
    tables: dict[tuple[str, str], list[tuple[int, Values]]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def put(
        self, kind: str, sheet: str, number: int, values: Mapping[str, str], places: Mapping[str, Place] | None = None
    ) -> None:
        """Add a row of a kind that stands on a line of a sheet; of a line that has several, say where each stands."""
        told = {name: text.strip() for name, text in values.items() if text.strip()}
        rows = self.tables.setdefault((kind, sheet), [])
        taken = {line for line, _ in rows}
        number = number if number not in taken else max(_ALL_FIELDS, *(line + 1 for line in taken))
        rows.append((number, told))
        if places:
            self.places.setdefault((kind, sheet), {})[number] = dict(places)

    def tell(self, sheet: str, number: int, column: str, cause: str, remedy: str) -> None:
        """Add a problem of a line."""
        place = Place(self.source.name, sheet, number, column)
        self.problems.append(Problem(place, cause, remedy, code="short_workbook"))

    def field_named(self, text: str) -> str:
        """Return the field that a text means, or the text itself."""
        if not text.strip():
            return ""
        return next((unit for unit in self.fields if folded(unit) == folded(text)), identifier(text))

    def entry_of(self, unit: str) -> str:
        """Return the one crop entry of a field in the year that is declared; empty for none or several."""
        found = [one.name for one in self.entries if one.unit == unit and self.year in ("", one.year)]
        return found[0] if len(found) == 1 else ""

    def farm_of(self, unit: str) -> Values:
        """Return the farm of a field: the one that it names, else the only one."""
        named = self.fields.get(unit, {}).get("farm_id", "")
        found = [farm for farm in self.farms if named in ("", farm.get("farm.farm_id", ""))]
        return found[0] if len(found) == 1 else {}


def short_tables(sheets: Iterable[Sheet], source: Source, choices: Choices) -> tuple[list[IncomingFile], list[Problem]]:
    """Return the rows of the full workbook that a short one stands for, table by table, and what is wrong with it.

    Fields and crops that the book has already, from machines perhaps, need not be typed again.
    """
    season = _Season(source)
    season.fields |= {unit: {"acres": acres} for unit, acres in choices.fields.items()}
    season.entries += [_Entry(*entry) for entry in choices.entries]
    there = {sheet.name.casefold(): sheet for sheet in sheets}
    pages = [(layout, there[name]) for name, layout in BY_NAME.items() if name in there]
    for layout, sheet in pages:
        if layout.name == DECLARATIONS:
            season.year = _tall(layout, sheet).get(YEAR, ["", "", ""])[1].strip()
    for layout, sheet in pages:
        _READ[layout.shape](season, layout, sheet)
    return [_incoming(season, *key, rows) for key, rows in season.tables.items()], season.problems


def _incoming(season: _Season, kind: str, sheet: str, rows: list[tuple[int, Values]]) -> IncomingFile:
    names = tuple(KINDS[kind].typed_fields)
    lines = tuple((number, tuple(values.get(name, "") for name in names)) for number, values in rows)
    table = with_read_cells(KINDS[kind], TextTable(season.source.name, sheet, names, lines))
    return IncomingFile(KINDS[kind], table, season.source, places=season.places.get((kind, sheet), {}))


def _cells(layout: ShortSheet, sheet: Sheet, kind: str, column: str, file: str) -> dict[str, Place]:
    """Return where each column of a kind stands in a sheet that has a line for each, by the line's label."""
    lines = {line.cell(0).casefold(): line.number for line in sheet.lines}
    return {
        fills.partition(".")[2]: Place(file, sheet.name, lines[part.key], column)
        for part in layout.parts
        for fills in part.fills
        if part.key in lines and fills.startswith(f"{kind}.")
    }


def _tall(layout: ShortSheet, sheet: Sheet) -> dict[str, list[str]]:
    """Return the cells of each line by its label; lines that no part is called like are left out."""
    known = {part.key for part in layout.parts}
    return {
        line.cell(0).casefold(): [line.cell(at) for at in range(max(3, len(line.cells)))]
        for line in sheet.lines
        if line.cell(0).casefold() in known
    }


def _farm(season: _Season, layout: ShortSheet, sheet: Sheet) -> None:
    lines = _tall(layout, sheet)
    numbers = {line.cell(0).casefold(): line.number for line in sheet.lines}
    for at in range(1, max((len(cells) for cells in lines.values()), default=0)):
        found: Values = {}
        for part in layout.parts:
            text = lines.get(part.key, [""] * (at + 1))[at : at + 1]
            found |= dict.fromkeys(part.fills, text[0].strip() if text else "")
        if not found.get("farm.farm_id"):
            continue
        season.farms.append(found)
        number = numbers.get("farm", 1)
        for kind in ("farm", "producer"):
            values = _of_kind(found, kind)
            if values:
                farm = {"farm_id": found["farm.farm_id"]}
                here = _cells(layout, sheet, kind, letters(at), season.source.name)
                here[""] = Place(season.source.name, sheet.name, number, letters(at))
                season.put(kind, f"{sheet.name}, column {letters(at)}", number, values | farm, here)


def _of_kind(found: Mapping[str, str], kind: str) -> Values:
    return {name.partition(".")[2]: text for name, text in found.items() if name.startswith(f"{kind}.") and text}


def _list(season: _Season, layout: ShortSheet, sheet: Sheet) -> None:
    where: dict[str, int] = {}
    for line in sheet.lines:
        labels = {cell.strip().casefold(): at for at, cell in enumerate(line.cells)}
        if not where:
            where = labels if sum(part.key in labels for part in layout.parts) > 1 else {}
            continue
        found = {
            fills: line.cell(where[part.key]) for part in layout.parts if part.key in where for fills in part.fills
        }
        if any(found.values()):
            _ROW[layout.name](season, sheet.name, line.number, found)


def _field(season: _Season, sheet: str, number: int, found: Values) -> None:
    values = _of_kind(found, "unit")
    unit = values.get("unit_id", "")
    season.fields[unit] = values
    values = {"county_fips": season.farm_of(unit).get("unit.county_fips", ""), **values}
    season.put("unit", sheet, number, values)


def _crop(season: _Season, sheet: str, number: int, found: Values) -> None:
    values = _of_kind(found, "harvest")
    unit = season.field_named(values.get("unit_id", ""))
    year = _harvest_year(values) or _year(found.get("planting.planted_on", "")) or season.year
    name = identifier(f"{unit}-{values.get('crop', '')}-{year}".lower().replace(unit.lower(), unit, 1))
    season.entries = [one for one in season.entries if one.name != name]
    season.entries.append(_Entry(unit, values.get("crop", ""), year, name))
    ending = {"ending": "harvested"} if values.get("bushels") else {}
    season.put("harvest", sheet, number, {**ending, **values, "unit_id": unit, "harvest_id": name})
    planting = _of_kind(found, "planting")
    if planting:
        season.put("planting", sheet, number, {**planting, "planting_id": f"{name}-planting", "harvest_id": name})


def _harvest_year(values: Values) -> str:
    """Return the year of a crop's days as they are typed; a harvest over New Year is of the year in which it began."""
    first, last = (_year(values.get(name, "")) for name in ("first_day", "last_day"))
    return first if first and last and int(last) == int(first) + 1 else last or first


def _year(day: str) -> str:
    found = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", day)
    return found[0] if found else ""


def _budget(season: _Season, sheet: str, number: int, found: Values) -> None:
    unit = season.field_named(found.get("!entry", ""))
    if not unit:
        season.tell(sheet, number, "Field", "the row names no field.", "Write the field that the plan is for.")
        return
    test = _of_kind({**found, "soil_test.unit_id": ""}, "soil_test")
    budget = _of_kind(found, "nutrient_budget")
    name = identifier(f"{unit}-budget-{season.year}")
    if test:
        key = identifier(f"{unit}-test-{_year(test.get('sampled_on', '')) or season.year}")
        season.put("soil_test", sheet, number, {**test, "soil_test_id": key, "unit_id": unit})
        budget |= {"basis": "soil_test", "soil_test_id": key} if budget else {}
    if not budget:
        return
    entry = season.entry_of(unit) or unit
    season.put("nutrient_budget", sheet, number, {**budget, "budget_id": name, "harvest_id": entry})
    present = {text.strip() for text in season.farm_of(unit).get("!sources", "").split(";") if text.strip()}
    for source in N_SOURCES if present else ():
        whole = budget.get("planned_n_lb_per_ac", "") if present == {_FERTILIZER} == {source} else ""
        values = {"budget_id": name, "source": source, "present": "yes" if source in present else "no"}
        season.put("budget_source", f"{sheet}, {source}", number, {**values, "n_lb_per_ac": whole})
    for source in sorted(present - set(N_SOURCES)):
        remedy = f"Write sources as: {', '.join(N_SOURCES)}; set apart by semicolons."
        season.tell(FARM_SHEET, number, "Sources of N", f"{source!r} is no source of nitrogen.", remedy)


_ROW: Final = {"Short fields": _field, "Short crops": _crop, "Short budgets": _budget}


def _grid(season: _Season, layout: ShortSheet, sheet: Sheet) -> None:
    head = {
        line.cell(0).casefold(): line
        for line in sheet.lines
        if line.cell(0).casefold() in {part.key for part in layout.parts}
    }
    last = max((line.number for line in head.values()), default=0)
    body = [line for line in sheet.lines if line.number > last and line.cell(0)]
    width = max((len(line.cells) for line in sheet.lines), default=0)
    for at in range(1, width):
        common = {fills: head[part.key].cell(at) for part in layout.parts if part.key in head for fills in part.fills}
        marks = list(_marked(season, body, at))
        if not any(common.values()):
            if marks:
                cause = f"column {letters(at)} marks fields, and nothing above says what was done."
                season.tell(sheet.name, marks[0][1], "", cause, "Write above it what it was and when.")
            continue
        kind = next(name.partition(".")[0] for name in common if not name.startswith("!"))
        here = _cells(layout, sheet, kind, letters(at), season.source.name)
        for unit, number, own in marks:
            place = Place(season.source.name, sheet.name, number, f"{letters(at)} ({unit})")
            _pass(season, (kind, unit, own), at, common, {**here, "": place})


def _marked(season: _Season, body: Iterable[TextRow], at: int) -> Iterator[tuple[str, int, str]]:
    """Yield each marked field with its line and its own day; a field's own row counts before the row *all*."""
    own: dict[str, tuple[int, str]] = {}
    for line in sorted(body, key=lambda each: each.cell(0).casefold() != ALL):
        mark = line.cell(at)
        if not mark:
            continue
        every = line.cell(0).casefold() == ALL
        if every and not season.fields:
            season.tell("Short fields", line.number, "", "the row all marks no field.", "List the fields there.")
        for unit in season.fields if every else [season.field_named(line.cell(0))]:
            own[unit] = line.number, mark
    for unit, (number, mark) in own.items():
        if mark.casefold() not in NOT:
            yield unit, number, "" if mark.casefold() in MARKS else mark


def _pass(season: _Season, mark: tuple[str, str, str], at: int, common: Values, here: Mapping[str, Place]) -> None:
    """Write what was done on a marked field: its kind, the field and its own day."""
    kind, unit, own = mark
    row = here[""]
    place = f"{row.sheet}, column {letters(at)}"
    values = _of_kind(common, kind)
    values |= {_DAY[kind]: own} if own else {}
    key, letter = _KEYS[kind]
    year = _year(values.get(_DAY[kind], "")) or season.year
    values |= {key: identifier(f"{unit}-{letter}{at}-{year}"), "unit_id": unit}
    if own:
        here = {**here, _DAY[kind]: row}
    if kind != "operation":
        values |= {"harvest_id": season.entry_of(unit)}
    if kind == "cover_crop":
        values |= {"seeded_acres": season.fields.get(unit, {}).get("acres", "")}
        names = [name.strip() for name in common.get("!species", "").split(";") if name.strip()]
        rates = [rate.strip() for rate in common.get("!rates", "").split(";")]
        for species, rate in zip(names, [*rates, *[""] * len(names)], strict=False):
            mix = {"cover_id": values[key], "species": species, "rate_lb_per_ac": rate}
            season.put("cover_species", f"{place}, {species}", row.row, mix, {"": row})
    season.put(kind, place, row.row, values, here)


def _answers(season: _Season, layout: ShortSheet, sheet: Sheet) -> None:
    """Write the declarations of every crop entry of the year: what holds for all, and its exceptions."""
    lines = _tall(layout, sheet)
    numbers = {line.cell(0).casefold(): line.number for line in sheet.lines}
    here = _cells(layout, sheet, "declaration", "B", season.source.name)
    first = min((place.row for place in here.values()), default=1)
    for unit, _, _, name in (one for one in season.entries if one.year == season.year):
        values: Values = {"harvest_id": name}
        farm = season.farm_of(unit).get("farm.farm_id", "")
        for part in layout.parts:
            for fills in part.fills:
                cells = lines.get(part.key, ["", "", ""])
                excepted = [each.partition("=") for each in cells[2].split(";") if each.strip()]
                said = {folded(of): answer.strip() for of, _, answer in excepted}
                values[fills.partition(".")[2] or fills] = said.get(folded(unit), said.get(folded(farm), cells[1]))
        values.pop("!year", None)
        if any(text for column, text in values.items() if column not in ("harvest_id", "producer_id", "made_on")):
            row = Place(season.source.name, sheet.name, first, f"B ({name})")
            season.put("declaration", sheet.name, first, values, {**here, "": row})
    known = {folded(text) for text in [*season.fields, *(farm.get("farm.farm_id", "") for farm in season.farms)]}
    for key, cells in lines.items():
        for each in filter(str.strip, cells[2].split(";")):
            if folded(each.partition("=")[0]) not in known or "=" not in each:
                cause = f"the exception {each.strip()!r} names no field or farm of this workbook."
                remedy = f"Write it as FIELD = answer; fields are {listed(season.fields)}."
                season.tell(sheet.name, numbers[key], "Except", cause, remedy)


_READ: Final = {"tall": _farm, "list": _list, "grid": _grid, "answers": _answers}
