"""STIR against the published list, as its parts are recorded; rotations and products: ``tests.conformance``."""

from collections.abc import Mapping
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import pytest

from provender.catalog import tables
from provender.exact import half_even
from provender.services.farm.stir_rows import AMOUNTS
from provender.standards import stir
from provender.standards.stir import (
    NO_DISTURBANCE,
    PassStir,
    of_listed,
)
from provender.verdicts.words import stir_working
from tests.standards.season import changed, clean_season, intervals

SINGLE_TOOL: Final = [
    row for row in tables.rows("stir_operations.csv") if row["tillage_type"] and row["several_tools"] == "no"
]


def named(name: str) -> tables.FieldOperation:
    found = tables.find_operation(name)
    assert found is not None, name
    return found


class Tool(NamedTuple):
    """A tool as its record says it."""

    tillage_type: str
    depth_in: int | None
    surface_pct: int | None


def of_pass(
    listed: tables.FieldOperation | None,
    *,
    speed_mph: int | None = None,
    depth_in: int | None = None,
    surface_pct: int | None = None,
    tools: tuple[Tool, ...] = (),
) -> PassStir:
    """Return the STIR of a pass whose record is borne out by evidence."""
    row = SimpleNamespace(speed_mph=speed_mph, depth_in=depth_in, surface_pct=surface_pct)
    one: Any = SimpleNamespace(row=row, listed=listed, tools=tools, graded=SimpleNamespace(is_evidenced=True))
    return stir.of_pass(one)


def exact(row: Mapping[str, str]) -> Fraction:
    kind = tables.TYPE_HUNDREDTHS[tables.PUBLISHED_TYPES[row["tillage_type"]]]
    speed, depth, surface = (Fraction(row[name]) for name in ("speed_mph", "depth_in", "surface_pct"))
    return Fraction(1, 2) * speed * Fraction(13, 4) * Fraction(kind, 100) * depth * surface / 100


def test_every_tool_row_of_the_list_is_a_product_rounded_once_or_of_several_tools() -> None:
    assert len(SINGLE_TOOL) == 316
    for row in SINGLE_TOOL:
        assert abs(exact(row) - Fraction(row["stir"])) <= Fraction(5, 10_000), row["operation"]
    checked = 0
    for row in SINGLE_TOOL:
        listed = named(row["operation"])
        if listed.source == row["source"]:
            product = exact(row) * 10_000
            assert of_listed(listed).value == half_even(product.numerator, product.denominator)
            checked += 1
    assert checked == 315
    for row in tables.rows("stir_operations.csv"):
        listed = named(row["operation"])
        if row["several_tools"] != "yes" or listed.source != row["source"]:
            continue
        last_digit = Fraction(5, 1000) if "WEPS" in row["source"] else Fraction(5, 10_000)
        agrees = abs(exact(row) - Fraction(row["stir"])) <= last_digit
        assert listed.several_tools is not agrees, row["operation"]


def test_the_working_can_be_computed_and_the_build_up_ends_at_the_sum() -> None:
    sweeps, plow = named("Cultivator, field 6-12 in sweeps"), named("Chisel plow, coulter, st. pts.")
    assert stir_working(sweeps, of_pass(sweeps, speed_mph=7000)).startswith("1.625 x 7 mph x ")
    deep = of_pass(plow, depth_in=14_000, speed_mph=6000)
    assert stir_working(plow, deep) == "published (52.65 + 45.5 x (14 in - 7 in) / 7 in) x 6 mph / 5 mph"
    tools = of_pass(None, speed_mph=5000, tools=(Tool("mixing", 2000, 100_000), Tool("none", 1000, 50_000)))
    assert stir_working(None, tools) == "1.625 x 5 mph x (0.70 x 2 in x 100 % + 0.00 x 1 in x 50 %)"
    assert stir_working(None, of_pass(None)) == ""
    (corn,) = intervals(changed(clean_season(), "operation", 3, operation="Home-made thing"))
    points = corn.season.stir.points
    assert [point.one.id for point in points] == ["O1", "O2", "O3", "O4", "O5"]
    assert [one.id for one in corn.season.stir.unknown] == ["O4"]
    assert points[3].recorded_sum == points[2].recorded_sum
    assert points[-1].recorded_sum == corn.season.stir.recorded == sum(point.recorded.value or 0 for point in points)


def test_an_operation_of_several_tools_counts_its_published_value_and_goes_by_its_record() -> None:
    ripper = named("Subsoil disk ripper, coulter smooth, rlng bskt")
    assert of_listed(ripper).value == 668_080
    assert of_pass(ripper, surface_pct=50_000).value == 668_080
    assert of_pass(ripper, speed_mph=11_000).value == 2 * 668_080
    assert of_pass(ripper, speed_mph=2_750).how == "published, scaled by speed"
    several = [one for one in tables.operations() if one.several_tools]
    assert len(several) == 80
    for one in several:
        assert one.depth_in is not None
        deeper, shallower = (of_pass(one, depth_in=one.depth_in * 3 // n).value for n in (2, 6))
        assert (shallower or 0) < one.published_stir < (deeper or 0), one.name


@pytest.mark.parametrize(
    ("name", "depth_in", "speed_mph", "stir"),
    [
        # The coulters' 7.15 stays, the chisel's 45.5 goes from 7 in to 14 in: on other sides of 80.
        ("Chisel plow, coulter, st. pts.", 7000, None, 526_500),
        ("Chisel plow, coulter, st. pts.", 14_000, None, 981_500),
        ("Chisel plow, coulter, st. pts.", 14_000, 6000, 1_177_800),
        ("Chisel plow, coulter, st. pts.", 5000, None, 396_500),
        ("Chisel plow, coulter, st. pts.", 0, None, 526_500),
        # A nested implement, and one whose first listed tool is its deepest.
        ("Chisel plow, coulter, st. pts., cover disks, rlng basket", 14_000, None, 704_930 + 546_000),
        ("Chisel, st. pt., coil tine har", 14_000, None, 479_380 + 455_000),
        ("Do all", 6000, None, 536_250 + 104_000),
        ("Subsoil disk ripper", 16_000, None, 581_750 + 19_500),
        ("Planter, strip till, shallow subsoiler", 16_000, None, 171_030 + 104_000),
    ],
)
def test_the_deepest_gang_goes_as_deep_as_recorded(name: str, depth_in: int, speed_mph: int | None, stir: int) -> None:
    assert of_pass(named(name), depth_in=depth_in, speed_mph=speed_mph).value == stir


def test_a_pass_of_one_tool_goes_by_its_record_and_what_only_drives_is_fifteen_hundredths() -> None:
    sweeps = named("Cultivator, field 6-12 in sweeps")
    assert of_listed(sweeps).value == 260_000
    assert of_pass(sweeps, speed_mph=7000).value == 364_000
    assert of_pass(sweeps, depth_in=2000).value == 130_000
    assert of_pass(sweeps, surface_pct=50_000).value == 130_000
    for name in ("Cultivator, field 6-12 in sweeps", "Do all"):
        listed = named(name)
        assert of_pass(listed, speed_mph=0, depth_in=0, surface_pct=0).value == of_listed(listed).value
    for name in ("Sprayer, kill crop", "Harvest, killing crop 50pct standing stubble", "Combine harvest"):
        assert of_pass(named(name), speed_mph=12_000).value == 1500
    assert of_pass(None, speed_mph=5000, depth_in=4000, surface_pct=100_000).value is None


def test_tools_of_one_implement_add_up_at_its_speed_and_are_rounded_once_to_even() -> None:
    chisel = Tool("mixing_some_inversion", 7000, 100_000)
    coulters = Tool("mixing_some_inversion", 2000, 55_000)
    assert of_pass(None, speed_mph=5000, tools=(coulters, chisel)).value == 526_500
    third = Tool("compression", 333, 33_333)
    assert of_pass(None, speed_mph=1000, tools=(third,)).value == 271
    assert of_pass(None, speed_mph=1000, tools=(third, third, third)).value == 812
    assert of_pass(None, speed_mph=5000, tools=(chisel,)).value == 455_000
    assert tables.stir_of_tool(500, 80, 1000, 1000) == half_even(13 * 500 * 80 * 1000 * 1000, 8_000_000_000) == 65
    assert (
        tables.stir_of_tool(2000, 15, 1000, 30_000) == 1462
    )  # 0.14625 of the list's light harrow on heavy residue, times ten


@pytest.mark.parametrize(
    "tool", [Tool("mixing", None, 100_000), Tool("mixing", 2000, None), Tool("mixing", 0, 100_000)]
)
def test_a_tool_without_depth_or_surface_leaves_the_pass_unknown(tool: Tool) -> None:
    assert of_pass(named("Do all"), tools=(tool,)).value is None


@pytest.mark.parametrize("kind", sorted(NO_DISTURBANCE))
def test_the_largest_pass_of_twenty_tools_fits_sixty_four_bits(kind: str) -> None:
    """Portfolios hold it in columns of that width, its product before the one division too."""
    worst = Tool(kind, AMOUNTS["depth_in"], AMOUNTS["surface_pct"])
    one = of_pass(None, speed_mph=AMOUNTS["speed_mph"], tools=(worst,) * 20)
    assert one.value is not None
    assert one.value * 8_000_000_000 < 2**63
