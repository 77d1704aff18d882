"""How the template workbook is laid out, for the writer that makes it and the reader that takes it back.

A sheet of records has three rows of heading: what the sheet is for, a label with unit for every column, and the names
of the columns, by which it is read. Sheets of help hold no records and begin with a text of their own.
"""

from dataclasses import dataclass
from typing import Final

from provender.formats.parsed import Sheet, TextRow
from provender.problem import Place, Problem, listed
from provender.records.kind import KINDS, Kind
from provender.records.reading import NO, YES, TextTable

GUIDE: Final = "Start here"
LISTS: Final = "Lists"
FIRST_CELL: Final = {GUIDE: "Field records for 7 CFR part 2100", LISTS: "Names that are known"}
_MOST_NAME: Final = 31
_HEADING_SEARCHED: Final = 10


def sheet_name(kind: Kind) -> str:
    """Return the name of a kind's sheet: its label where a tab can hold that, otherwise its name."""
    return kind.label if len(kind.label) <= _MOST_NAME else kind.name


def kind_named(name: str) -> Kind | None:
    """Return the kind of record that a sheet or a file is named after (name or label, case aside), or None.

    One and several are alike: ``Farms`` is the sheet ``Farm``, ``Scale ticket`` is ``Scale tickets``.
    """
    wanted = " ".join(name.split()).casefold()
    known = {text: kind for kind in KINDS.values() for text in (kind.name, kind.label.casefold())}
    return known.get(wanted) or known.get(f"{wanted}s") or known.get(wanted.removesuffix("s"))


def is_help(sheet: Sheet) -> bool:
    """Tell whether a sheet is one of the template's own sheets of help."""
    return bool(sheet.lines) and FIRST_CELL.get(sheet.name) == sheet.lines[0].cell(0)


def title_of(kind: Kind) -> str:
    """Return the first cell of a kind's sheet."""
    return f"{kind.label}. {kind.help}"


def column_of(cell: str) -> str:
    """Return the part of a heading cell that names a column: its first line."""
    return cell.strip().partition("\n")[0].strip()


def table_of(sheet: Sheet, kind: Kind, file: str) -> tuple[TextTable | None, list[Problem]]:
    """Return one sheet as a table of a kind; None where no row names a column of it."""
    heading = _heading_of(sheet, kind)
    if heading is None:
        cause = f"no row names a column of {kind.label.lower()}; the {len(sheet.lines)} rows were not read."
        remedy = f"Put the column names above the rows: {', '.join(kind.typed_fields)}."
        return None, [Problem(Place(file, sheet.name), cause, remedy, code="no_headings")]
    problems = []
    above = _rows_above(sheet, kind, heading)
    if above:
        cause = f"rows stand above the headings and were not read: row {listed(above)}."
        remedy = "Move them below the row with the column names, or remove them."
        problems.append(Problem(Place(file, sheet.name), cause, remedy, code="rows_above"))
    lines = tuple((line.number, line.cells) for line in sheet.lines if line.number > heading.number)
    return TextTable(file, sheet.name, tuple(column_of(cell) for cell in heading.cells), lines), problems


def _heading_of(sheet: Sheet, kind: Kind) -> TextRow | None:
    """Return the row that names most columns of a kind, the lower one of equals; None where no row names any."""
    known = {*kind.typed_fields, *(field.label.casefold() for field in kind.typed_fields.values())}

    def count(line: TextRow) -> int:
        return sum(column_of(cell).casefold() in known for cell in line.cells if cell.strip())

    best = max(reversed(sheet.lines[:_HEADING_SEARCHED]), key=count, default=None)
    return best if best is not None and count(best) else None


def _rows_above(sheet: Sheet, kind: Kind, heading: TextRow) -> list[int]:
    """Return the numbers of rows above the heading that are not the template's own: they may be records."""

    def own(line: TextRow) -> bool:
        return line.cell(0) == title_of(kind) or all("\n" in cell.strip() for cell in line.cells if cell.strip())

    return [line.number for line in sheet.lines if line.number < heading.number and not own(line)]


# The short workbook: eight sheets for a season, from which the rows of the full one are written.

ALL: Final = "all"
MARKS: Final = YES
NOT: Final = NO | {"-"}
FARM_SHEET: Final = "Short farm"
DECLARATIONS: Final = "Short declarations"
_SOURCES: Final = "sources of n"
YEAR: Final = "harvest year"
FOR_ALL: Final = "Same for all fields"
EXCEPT: Final = "Except (N40 = yes; S80 = no)"


_OFFERS: Final = {
    "!sources": "budget_source.source", "!species": "cover_species.species", "!entry": "soil_test.unit_id",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """One line of a sheet: how a person calls it, the kinds and columns it fills, and an example.

    A word after ``!`` means that the reader itself knows what to do with it.
    """

    label: str
    fills: tuple[str, ...]
    example: str = ""

    @property
    def key(self) -> str:
        return self.label.casefold()

    @property
    def column(self) -> tuple[str, str]:
        """Return the kind and column whose words are offered: the first that it fills."""
        kind, _, column = _OFFERS.get(self.fills[0], self.fills[0]).partition(".")
        return kind, column


@dataclass(frozen=True, slots=True)
class ShortSheet:
    """One sheet."""

    name: str  # of its tab
    says: str  # what it is for, in its first cell
    parts: tuple[Part, ...]  # its columns, or the rows above the fields of a grid, or all its rows
    shape: str  # ``list`` (a row a record), ``grid`` (fields by passes), ``tall`` (a column a farm) or ``answers``


def _parts(*rows: tuple[str, str] | tuple[str, str, str]) -> tuple[Part, ...]:
    return tuple(Part(row[0], tuple(row[1].split()), row[2] if len(row) > 2 else "") for row in rows)  # noqa: PLR2004


SHEETS: Final = (
    ShortSheet(FARM_SHEET, "The farm, who runs it, and what holds every year. A farm a column.", _parts(
        ("Farm", "farm.farm_id", "F1"), ("Farm name", "farm.name", "Bluestem Farm"),
        ("County FIPS code", "farm.county_fips unit.county_fips", "20177"), ("County", "farm.county", "Shawnee"),
        ("State", "farm.state", "KS"), ("Producer", "producer.producer_id", "P1"),
        ("Producer's name", "producer.name", "Ann Miller"), ("Role", "producer.role", "owner"),
        ("Operational control", "producer.operational_control", "yes"),
        ("Sources of N", "!sources", "commercial_fertilizer"),
    ), "tall"),
    ShortSheet("Short fields", "Each field once.", _parts(
        ("Farm", "unit.farm_id"), ("Field", "unit.unit_id", "N40"), ("Name", "unit.name"),
        ("Acres", "unit.acres", "40"), ("Boundary", "unit.boundary"), ("County FIPS code", "unit.county_fips"),
        ("Parcel", "unit.parcel_id"),
    ), "list"),
    ShortSheet("Short crops", "Each crop on each field and how it ended, last year's too.", _parts(
        ("Field", "harvest.unit_id", "N40"), ("Crop", "harvest.crop", "corn"),
        ("Planted", "planting.planted_on", "2026-04-28"), ("First day of harvest", "harvest.first_day", "2026-10-20"),
        ("Last day of harvest", "harvest.last_day", "2026-10-21"), ("Bushels", "harvest.bushels", "8000"),
        ("Moisture", "harvest.moisture_pct", "15.5"), ("How it ended", "harvest.ending", "harvested"),
        ("Use", "harvest.use", "grain"), ("Emerged", "planting.emerged_on"),
    ), "list"),
    ShortSheet("Short passes", "Every pass over the ground: a column a pass, x below it where it was made.", _parts(
        ("Operation", "operation.operation", "Sprayer, kill crop"), ("Date", "operation.day", "2026-04-16"),
        ("Equipment", "operation.equipment"), ("Depth, in", "operation.depth_in"),
        ("Speed, mph", "operation.speed_mph"), ("Width, ft", "operation.width_ft"),
        ("Full width", "operation.full_width"), ("Primary inversion", "operation.primary_inversion"),
    ), "grid"),
    ShortSheet("Short nutrients", "Every application with N, P or K: a column each, x where it went.", _parts(
        ("Product", "nutrient_application.product", "UAN 28"), ("Date", "nutrient_application.day", "2026-04-28"),
        ("Method", "nutrient_application.method", "banded"), ("Rate", "nutrient_application.rate"),
        ("Rate unit", "nutrient_application.rate_unit"), ("N, lb/ac", "nutrient_application.n_lb_per_ac", "30"),
        ("P2O5, lb/ac", "nutrient_application.p2o5_lb_per_ac"), ("K2O, lb/ac", "nutrient_application.k2o_lb_per_ac"),
        ("Inhibitor", "nutrient_application.inhibitor"), ("Inhibitor rate", "nutrient_application.inhibitor_rate"),
        ("Inhibitor rate unit", "nutrient_application.inhibitor_rate_unit"),
        ("Meant for", "nutrient_application.intended_for", "cash_crop"),
    ), "grid"),
    ShortSheet("Short cover crops", "Each seeding: a column a mix, x where it was sown.", _parts(
        ("Species (a name; another)", "!species", "Cereal Rye, Winter"), ("Pounds per acre (each)", "!rates", "60"),
        ("Seeded on", "cover_crop.seeded_on", "2025-10-09"), ("Method", "cover_crop.method", "drilled"),
        ("Depth, in", "cover_crop.depth_in"), ("Suits the site", "cover_crop.suits_site"),
        ("Says who", "cover_crop.suits_site_source"), ("Terminated on", "cover_crop.terminated_on", "2026-04-16"),
        ("How", "cover_crop.termination_method", "herbicide"),
    ), "grid"),
    ShortSheet("Short budgets", "Each field's plan and the test behind it.", _parts(
        ("Field", "!entry soil_test.unit_id", "N40"), ("Made on", "nutrient_budget.made_on"),
        ("Yield goal, bu/ac", "nutrient_budget.yield_goal_bu_per_ac"),
        ("Planned N, lb/ac", "nutrient_budget.planned_n_lb_per_ac"),
        ("N of each source, lb/ac", "!amounts", "commercial_fertilizer 140; starter 10"),
        ("Planned P2O5, lb/ac", "nutrient_budget.planned_p2o5_lb_per_ac"),
        ("Planned K2O, lb/ac", "nutrient_budget.planned_k2o_lb_per_ac"),
        ("N need, lb/ac", "nutrient_budget.synthetic_n_need_lb_per_ac"), ("Says who", "nutrient_budget.need_source"),
        ("N removed, lb/ac", "nutrient_budget.removal_n_lb_per_ac"),
        ("P2O5 removed, lb/ac", "nutrient_budget.removal_p2o5_lb_per_ac"),
        ("K2O removed, lb/ac", "nutrient_budget.removal_k2o_lb_per_ac"),
        ("N from the cover crop, lb/ac", "nutrient_budget.legume_n_lb_per_ac"),
        ("N taken off for it, lb/ac", "nutrient_budget.n_adjustment_lb_per_ac"),
        ("Soil sampled on", "soil_test.sampled_on"), ("Laboratory", "soil_test.laboratory"),
        ("Test method", "soil_test.method"), ("Soil nitrate N, ppm", "soil_test.nitrate_n_ppm"),
        ("Soil P, ppm", "soil_test.p_ppm"), ("Soil K, ppm", "soil_test.k_ppm"),
    ), "list"),
    ShortSheet(DECLARATIONS, "Answered once for all fields, exceptions beside it; asked every year.", _parts(
        ("Harvest year", "!year", "2026"), ("Declared on", "declaration.made_on"),
        ("Declared by", "declaration.producer_id", "P1"),
        ("All operations are listed", "declaration.all_operations_listed"),
        ("All nutrient applications are listed", "declaration.all_nutrients_listed"),
        ("Residue was burned", "declaration.residue_burned"), ("Cover crop was grazed", "declaration.cover_grazed"),
        ("Cover crop was harvested", "declaration.cover_harvested"),
        ("Cover crop was fertilized", "declaration.cover_fertilized"),
        ("Manure was applied", "declaration.manure_applied"),
        ("Irrigation water carried N", "declaration.irrigation_n"), ("In control", "declaration.in_control"),
        ("Keeps the records", "declaration.records_kept"), ("Benefit sold elsewhere", "declaration.benefit_sold"),
        ("Goes on with no-till", "declaration.no_till_kept"), ("Land was converted", "declaration.land_converted"),
    ), "answers"),
)  # fmt: skip
BY_NAME: Final = {sheet.name.casefold(): sheet for sheet in SHEETS}
