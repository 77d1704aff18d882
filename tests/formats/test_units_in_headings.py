"""A heading with its unit in brackets is read in every column that has a unit; one that does not fit is refused."""

from pathlib import Path

import polars as pl
import pytest

from provender.formats.map_suggest import suggest
from provender.formats.mapped import map_book
from provender.formats.targets import target
from provender.formats.units import unit_kind
from provender.formats.units_row import without_unit
from provender.records import KINDS
from provender.records.folder import load_book
from tests.formats.test_column_maps import book as of_rows
from tests.formats.test_column_maps import values
from tests.formats.test_everyday_tables import ACCEPTED, book, brought
from tests.formats.test_intake import codes

assert book  # a fixture

MEASURED = [
    (kind.name, name, found.unit)
    for kind in KINDS.values()
    for name, found in kind.typed_fields.items()
    if found.unit and unit_kind(found.unit)
]


@pytest.mark.parametrize(("kind", "name", "unit"), MEASURED)
def test_every_column_takes_its_own_unit_in_brackets(kind: str, name: str, unit: str) -> None:
    own = [one for one in KINDS[kind].key_columns if one != "farm_id"]
    label = KINDS[kind].typed_fields[name].label
    sheet = of_rows((*own, f"{label} ({unit})"), (*(f"X{at}" for at in range(len(own))), "7")).sheets[0]
    found = suggest(sheet, target(kind), "f.csv")
    assert found is not None
    assert {rule.field: unit_kind(rule.unit) for rule in found.map.columns}.get(name) == unit_kind(unit)


@pytest.mark.parametrize(
    ("heading", "bare"),
    [("Rate (lb/ac)", "Rate"), ("acres [ha]", "acres"), ("Note (old)", "Note (old)"), ("(lb)", "(lb)")],
)
def test_only_a_unit_leaves_a_heading(heading: str, bare: str) -> None:
    assert without_unit(heading) == bare


def test_our_own_name_of_a_column_says_its_own_unit() -> None:
    parsed = map_book(
        of_rows(("application_id", "unit_id", "n_lb_per_ac"), ("A1", "N40", "28")), "nutrient_application"
    )
    assert values(parsed)[0]["n_lb_per_ac"] == "28", "pounds per acre, no acres"


@pytest.mark.parametrize(
    ("headings", "cells", "taken"),
    [
        ("Field,Date,Product,Rate (lb/ac)", "HOME80,2026-05-21,Urea,100", (100_000, "lb/ac")),
        ("Field,Date,Product,Rate (kg/ha)", "HOME80,2026-05-21,Urea,112", (99_924, "lb/ac")),
        ("application_id,unit_id,day,product,rate (gal/ac)", "A1,HOME80,2026-05-21,UAN 28,10", (10_000, "gal/ac")),
        ("Field,Date,Product,Rate (lb/ac),Rate unit", "HOME80,5/21/2026,Urea,9,lb/ac", (9_000, "lb/ac")),
    ],
)  # fmt: skip
def test_a_rate_takes_the_unit_of_its_heading(book: Path, headings: str, cells: str, taken: tuple[int, str]) -> None:
    assert "unit_does_not_fit" not in codes(brought(book, "applied.csv", f"{headings}\n{cells}\n", ACCEPTED))
    rows = load_book(book)["nutrient_application"]
    assert rows.select("rate", pl.col("rate_unit").cast(pl.String)).row(0) == taken


@pytest.mark.parametrize(
    ("headings", "cells", "code"),
    [
        ("Field,Date,Product,Rate (lb/ac),Rate unit", "HOME80,2026-05-21,Urea,100,gal/ac", "unit_conflict"),
        ("Field,Date,Product,Rate (ppm)", "HOME80,2026-05-21,Urea,100", "unit_does_not_fit"),
        ("unit_id,acres (lb)", "R1,40", "unit_does_not_fit"),
    ],
)
def test_a_unit_that_conflicts_is_refused_with_the_row(book: Path, headings: str, cells: str, code: str) -> None:
    plan = brought(book, "applied.csv", f"{headings}\n{cells}\n", ACCEPTED)
    assert code in codes(plan)
    assert load_book(book)["nutrient_application"].is_empty()


def test_acres_in_hectares_are_turned_into_ours(book: Path) -> None:
    brought(book, "unit.csv", "unit_id,acres (ha)\nR1,40\n", ACCEPTED)
    units = load_book(book)["unit"]
    assert units.filter(pl.col("unit_id") == "R1")["acres"].to_list() == [98_842]


def test_a_rate_beside_a_column_of_its_unit_is_not_said_to_have_none(book: Path) -> None:
    text = "Field,Date,Product,Rate,Rate unit\nHOME80,2026-05-21,Urea,100,lb/ac\n"
    assert "no_unit" not in codes(brought(book, "applied.csv", text, ACCEPTED))
