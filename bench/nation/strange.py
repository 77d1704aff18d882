"""Faults that a search by equal names and plain outlines passes over, and honest farms that look odd."""

from collections.abc import Sequence
from typing import Final

import polars as pl
import shapely

from bench.nation.custody import END
from bench.nation.faults import Place, Plant, World, plow
from provender.portfolio.custody import CLAIM, REPORT, TICKET

Pair = tuple[Place, Place]
_INSIDE: Final = 0.25
_NEXT_YEAR: Final = "1y"


def _pairs(places: Sequence[Place]) -> list[Pair]:
    return list(zip(places[::2], places[1::2], strict=True))


def _plowed_by_another_name(world: World, places: list[Place]) -> None:
    """Write the farm's identifier in small letters beside a plowed pass: it is the farm's, or might be."""
    plow(world, places, pl.col("farm_id").str.to_lowercase())
    world.plant("a plowed pass under another spelling of the farm", "run_claims_uncredited_practice",
                [farm for farm, _ in places])  # fmt: skip


def _retyped_ticket(world: World, places: list[Place]) -> None:
    """Show the first farm's ticket on the second's field, typed anew."""
    pairs = _pairs(places)
    for (farm, unit), second in pairs:
        world.change("scale_ticket", [second], ticket_id=pl.lit(f"t-{farm}-{unit}".lower()))
        world.change("scale_ticket", [second], buyer=pl.lit("ELEVATOR "))
    world.plant("a ticket of two farms, typed anew", "same_ticket", [f"T-{farm}-{unit}" for (farm, unit), _ in pairs])


def _inside(world: World, places: list[Place]) -> None:
    """Draw the second farm's field in the middle of the first's."""
    for (farm, _), (other, _) in _pairs(places):
        west, south, east, north = shapely.from_wkb(world.shapes[farm, "U0"]).bounds
        wide, high = (east - west) * _INSIDE, (north - south) * _INSIDE
        shape = shapely.box(west + wide, south + high, east - wide, north - high)
        world.shapes[other, "U0"] = bytes(shapely.to_wkb(shape))
        world.plant("one field inside another", "same_field", ["|".join(sorted((farm, other)))])


def _crossed(world: World, places: list[Place]) -> None:
    """Draw the second farm's field over the first's with a border that crosses itself."""
    for (farm, _), (other, _) in _pairs(places):
        west, south, east, north = shapely.from_wkb(world.shapes[farm, "U0"]).bounds
        bow = shapely.Polygon([(west, south), (east, north), (east, south), (west, north)])
        world.shapes[other, "U0"] = bytes(shapely.to_wkb(bow))
        world.plant("one field in two reports, its border crossing itself", "same_field",
                    ["|".join(sorted((farm, other)))])  # fmt: skip


def _around(world: World, places: list[Place]) -> None:
    """Let the second farm's field lie in a hole of the first's: neighbours, and nothing to find."""
    for (farm, _), (other, _) in _pairs(places):
        outer = shapely.from_wkb(world.shapes[farm, "U0"])
        hole = shapely.affinity.scale(outer, 0.5, 0.5)
        world.shapes[farm, "U0"] = bytes(shapely.to_wkb(outer.difference(hole)))
        world.shapes[other, "U0"] = bytes(shapely.to_wkb(hole))


def _number_of_next_year(world: World, places: list[Place]) -> None:
    """Let the scale give the number of a ticket again a year later: another ticket, and nothing to find."""
    for (farm, unit), second in _pairs(places):
        later = pl.col("day").dt.offset_by(_NEXT_YEAR)
        world.change("scale_ticket", [second], ticket_id=pl.lit(f"T-{farm}-{unit}"), day=later)


NO_TILL_FAULTS: Final[tuple[Plant, ...]] = (_plowed_by_another_name,)
PAIRS: Final[tuple[Plant, ...]] = (_retyped_ticket, _inside, _crossed, _around, _number_of_next_year)
"""Faults between two farms, and two that are none."""
CUSTODY: Final = 5
"""Faults between books."""


def plant_on_custody(world: World, farms: Sequence[str], each: int) -> None:
    """Plant an origin by another name, a chain without its middle, one out of order, a sale of nothing, a ticket."""
    groups = [list(farms[number * each : (number + 1) * each]) for number in range(CUSTODY)]
    origins = world.custody[REPORT].unique("farm_id", keep="first", maintain_order=True)
    renamed, cut, borrowed, early, beyond = (origins.filter(pl.col("farm_id").is_in(group)) for group in groups)
    again = renamed.with_columns(
        (" " + pl.col("farm_id").str.to_lowercase()).alias("farm_id"), ("N" + pl.col("origin")).alias("origin")
    )
    world.custody[REPORT] = pl.concat([world.custody[REPORT], again])
    world.plant("a second origin under another spelling", "second_origin", renamed["farm_id"].to_list())
    # The farm's own sale of its first share is in nobody's file, and who resold it shows no book.
    first = pl.col("origin").is_in(cut["origin"].implode()) & (pl.col("start") == 0)
    kept = world.custody[CLAIM].filter(~first)
    farm = pl.col("farm_id")
    nothing, end = pl.lit(0, pl.Int64), ("End of " + farm)
    sold = cut.select(
        pl.lit("sale").alias("kind"), ("G" + pl.col("origin")).alias("key"), "origin", nothing.alias("start"),
        (pl.col("bushels") // 10).alias("stop"), ("Middle of " + farm).alias("giver"), end.alias("taker"),
        pl.lit(END).alias("day"), end.alias("source"),
    )  # fmt: skip
    # Resold before it was bought; and more sold than the farm reported.
    too_early = pl.col("origin").is_in(early["origin"].implode()) & pl.col("key").str.contains("^[A-Z]{2}c")
    too_much = pl.col("origin").is_in(beyond["origin"].implode()) & pl.col("key").str.contains("^[A-Z]{2}b")
    kept = kept.with_columns(
        pl.when(too_early).then(pl.col("day").dt.offset_by("-60d")).otherwise("day").alias("day"),
        pl.when(too_much).then(pl.col("stop") + 2_000).otherwise("stop").alias("stop"),
    )
    world.custody[CLAIM] = pl.concat([kept, sold.select(kept.columns)])
    world.plant("resold before it was bought", "overlap", early["origin"].to_list())
    world.plant("more sold than reported", "broken_chain", beyond["origin"].to_list())
    world.plant("a chain whose middle is missing", "link_not_shown", cut["origin"].to_list())
    other = pl.col("origin").shift(1, fill_value=pl.lit(origins["origin"][0]))
    tickets = borrowed.select(
        pl.lit("Elevator").alias("place"), ("T-" + farm + "-U1").alias("ticket"), other.alias("behind"),
        pl.lit(5_000, pl.Int64).alias("bushels"),
    )  # fmt: skip
    world.custody[TICKET] = pl.concat([world.custody[TICKET], tickets])
    world.plant("a farm's ticket behind another's origin", "same_ticket", tickets["ticket"].to_list())
