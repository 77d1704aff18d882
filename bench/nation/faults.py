"""The faults that are planted, each on farms of its own, and where each must be found."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import polars as pl
import shapely

from bench.nation.custody import Frames
from bench.nation.farms import VERSION
from provender.portfolio.custody import CLAIM, MOVEMENT, REPORT, STATEMENT, TICKET

Key = tuple[str, str]
"""What a job calls it, and where: a farm, two farms, an origin, a ticket or an equation."""
Place = tuple[str, str]


@dataclass(slots=True)
class World:
    """A State while faults are planted on it."""

    frames: dict[str, pl.DataFrame]  # records of its farms
    shapes: dict[tuple[str, str], bytes]  # outlines of their fields
    custody: Frames = field(default_factory=dict)  # data sets of its books, once they are made
    planted: dict[str, set[Key]] = field(default_factory=dict)  # by kind of fault, what must be found

    def plant(self, kind: str, code: str, where: Sequence[str]) -> None:
        """Note what must be found."""
        self.planted.setdefault(kind, set()).update((code, one) for one in where)

    def change(self, frame: str, places: Sequence[Place], **columns: pl.Expr) -> None:
        """Change cells of some fields' rows."""
        keys = pl.DataFrame(places, schema=["farm_id", "unit_id"], orient="row").with_columns(_hit=True)
        rows = self.frames[frame]
        hit = rows.select("farm_id", "unit_id").join(keys, on=["farm_id", "unit_id"], how="left", maintain_order="left")
        changed = (
            pl.when("_hit").then(made.cast(rows.schema[name])).otherwise(name).alias(name)
            for name, made in columns.items()
        )
        marked = rows.with_columns(hit["_hit"].fill_null(value=False))
        self.frames[frame] = marked.with_columns(changed).drop("_hit")

    def of_farms(self, frame: str, farms: Sequence[str], **columns: pl.Expr) -> None:
        """Change cells of the first row that each of some farms has."""
        rows = self.frames[frame]
        hit = pl.col("farm_id").is_in(list(farms)) & pl.col("farm_id").is_first_distinct()
        self.frames[frame] = rows.with_columns(
            pl.when(hit).then(made.cast(rows.schema[name])).otherwise(name).alias(name)
            for name, made in columns.items()
        )


_EAST: Final = np.array([0.0005, 0.0])
Plant = Callable[[World, list[Place]], None]


def _farms(places: Sequence[Place]) -> list[str]:
    return [farm for farm, _ in places]


def plow(world: World, places: list[Place], farm: pl.Expr) -> None:
    """Add a plowed pass to each place, under the farm's name as the expression spells it."""
    rows = world.frames["operation"]
    keys = pl.DataFrame(places, schema=["farm_id", "unit_id"], orient="row")
    extra = (
        rows.filter(pl.col("operation_id").str.starts_with("O3-"))
        .join(keys, on=["farm_id", "unit_id"], how="semi")
        .with_columns(
            pl.lit("Plow, moldboard").alias("operation"), farm, ("X" + pl.col("operation_id")).alias("operation_id")
        )
    )
    world.frames["operation"] = pl.concat([rows, extra])


def _plowed(world: World, places: list[Place]) -> None:
    plow(world, places, pl.col("farm_id"))
    world.plant("claimed no-till, plowed", "run_claims_uncredited_practice", _farms(places))


def _acres(world: World, places: list[Place]) -> None:
    world.change("calculator_run", places, acres=pl.col("acres") + 7_000)
    world.plant("other acres in the calculator", "run_acres_differs", _farms(places))


def _yield(world: World, places: list[Place]) -> None:
    world.change("calculator_run", places, yield_bu_per_ac=pl.col("yield_bu_per_ac") + 9_000)
    world.plant("other yield in the calculator", "acres_times_yield", _farms(places))


def _county(world: World, places: list[Place]) -> None:
    world.change("calculator_run", places, county_fips=pl.lit("06001"))
    world.plant("other county in the calculator", "run_county_differs", _farms(places))


def _versions(world: World, places: list[Place]) -> None:
    world.change("calculator_run", places, version=pl.lit(f"{VERSION} (beta)"), status=pl.lit("beta"))
    world.plant("two versions on one farm", "versions_mixed", _farms(places))


def _uncounted(world: World, places: list[Place]) -> None:
    world.of_farms("bushel_total", _farms(places), bushels=pl.col("bushels") * 8 // 10)
    world.plant("more harvested than weighed", "bushels_unexplained", _farms(places))


def _unreported(world: World, places: list[Place]) -> None:
    world.of_farms("reported_acres", _farms(places), acres=pl.col("acres") * 14 // 10)
    world.plant("a field left out", "acres_unexplained", _farms(places))


def _no_printout(world: World, places: list[Place]) -> None:
    world.change("calculator_run", places, evidence=pl.lit(None, pl.String))
    world.plant("a run without a printout", "run_printout_missing", _farms(places))


def _changed_printout(world: World, places: list[Place]) -> None:
    world.of_farms("evidence", _farms(places), sha256=pl.lit("f" * 64))
    world.plant("a printout exchanged afterwards", "run_printout_unsound", _farms(places))


def _forged(world: World, places: list[Place]) -> None:
    world.change("calculator_run", places, ci_g_per_bu=pl.col("ci_g_per_bu") - 5_000)
    world.plant("a forged CI", "same_inputs_different_ci", _farms(places))


def _bushels(world: World, places: list[Place]) -> None:
    world.change("calculator_run", places, yield_bu_per_ac=pl.col("yield_bu_per_ac") * 3)
    this = pl.when(pl.col("use").is_not_null()).then(pl.col("bushels") * 3).otherwise("bushels")
    world.change("harvest", places, bushels=this)
    world.plant("three times the yield", "yield_outlier", _farms(places))


def _nitrogen(world: World, places: list[Place]) -> None:
    world.change("nutrient_application", places, n_lb_per_ac=pl.lit(400_000))
    world.plant("far too much nitrogen", "nitrogen_outlier", _farms(places))


def _moisture(world: World, places: list[Place]) -> None:
    world.change(
        "harvest", places, moisture_pct=pl.when(pl.col("use").is_not_null()).then(45_000).otherwise("moisture_pct")
    )
    world.plant("moisture of a wet year", "moisture_outlier", _farms(places))


def _ticket(world: World, places: list[Place]) -> None:
    """Show the first farm's ticket on the second's field."""
    pairs = list(zip(places[::2], places[1::2], strict=True))
    for first, second in pairs:
        world.change("scale_ticket", [second], ticket_id=pl.lit(f"T-{first[0]}-{first[1]}"))
    world.plant("a scale ticket of two farms", "same_ticket", [f"T-{farm}-{unit}" for (farm, unit), _ in pairs])


def _ground(world: World, places: list[Place]) -> None:
    """Draw the second farm's field over the first's."""
    for (farm, _), (other, _) in zip(places[::2], places[1::2], strict=True):
        moved = shapely.transform(shapely.from_wkb(world.shapes[farm, "U0"]), lambda points: points + _EAST)
        world.shapes[other, "U0"] = bytes(shapely.to_wkb(moved))
        world.plant("one field in two reports", "same_field", ["|".join(sorted((farm, other)))])


NO_TILL_FAULTS: Final[tuple[Plant, ...]] = (_plowed, _versions, _no_printout, _changed_printout, _forged)
"""Faults of fields that claim no-till."""
OTHER_FAULTS: Final[tuple[Plant, ...]] = (
    _acres, _yield, _county, _uncounted, _unreported, _bushels, _nitrogen, _moisture,
)  # fmt: skip
PAIR_FAULTS: Final[tuple[Plant, ...]] = (_ticket, _ground)
"""Faults between two farms."""


def plant_on_averages(world: World, farms: Sequence[str]) -> None:
    """Print another average than the runs give."""
    world.of_farms("calculator_run", farms, farm_ci_g_per_bu=pl.col("farm_ci_g_per_bu") - 700)
    world.plant("another average on the printout", "farm_ci_differs", farms)


CUSTODY_FAULTS: Final = 6
"""Faults between books, besides those of statements."""


def plant_on_custody(world: World, state: str, farms: Sequence[str], each: int) -> None:
    """Plant the faults between books: on the first origin of each farm, a group of farms for each kind."""
    origins = world.custody[REPORT].unique("farm_id", keep="first", maintain_order=True)
    groups = [list(farms[number * each : (number + 1) * each]) for number in range(CUSTODY_FAULTS)]
    named = [origins.filter(pl.col("farm_id").is_in(group)) for group in groups]
    sales = world.custody[CLAIM]
    own = pl.col("source") == pl.col("giver")

    def of(group: pl.DataFrame, key: str) -> pl.DataFrame:
        mine = pl.col("origin").is_in(group["origin"].implode())
        return sales.filter(mine & own & pl.col("key").str.starts_with(state + key))

    late = pl.date(2026, 3, 1)
    twice = of(named[0], "a").with_columns(
        ("X" + pl.col("key")).alias("key"), pl.lit("Elsewhere").alias("taker"), late.alias("day")
    )
    lost = of(named[2], "a").with_columns(
        ("Y" + pl.col("key")).alias("key"),
        pl.lit("Nobody").alias("giver"),
        pl.lit("Elsewhere").alias("taker"),
        pl.lit("Nobody").alias("source"),
        late.alias("day"),
    )
    world.custody[CLAIM] = pl.concat([sales, twice, of(named[1], "b"), lost])
    reports = world.custody[REPORT]
    second = named[3].with_columns(("Z" + pl.col("origin")).alias("origin"))
    other = named[4].with_columns((pl.col("bushels") + 1_000).alias("bushels"), pl.lit("copy").alias("source"))
    world.custody[REPORT] = pl.concat([reports, second, other])
    tickets = world.custody[TICKET]
    again = tickets.join(named[5].select("origin"), left_on="behind", right_on="origin", how="semi")
    world.custody[TICKET] = pl.concat([tickets, again.with_columns(("W" + pl.col("behind")).alias("behind"))])
    world.plant("serials sold twice", "double_sale", named[0]["origin"].to_list())
    world.plant("one transfer told twice", "double_sale", named[1]["origin"].to_list())
    world.plant("sold by somebody who had nothing", "broken_chain", named[2]["origin"].to_list())
    world.plant("a second origin", "second_origin", groups[3])
    world.plant("versions of a report that differ", "reports_differ", groups[4])
    world.plant("a ticket behind two origins", "same_ticket", again["ticket"].to_list())


def plant_on_statements(world: World, each: int) -> None:
    """Change endings of signed statements, and let more go out than came."""
    lines = world.custody[STATEMENT].with_row_index("row")
    step = max(lines.height // (3 * each + 1), 1)
    chosen = lines.filter((pl.col("row") % step == 0) & (pl.col("row") < 3 * each * step))
    wrong, below, both = chosen[:each], chosen[each : 2 * each], chosen[2 * each :]
    out = pl.col("incoming") - pl.col("outgoing") + 3_000
    move = below.select(
        "entity", "crop", "crop_year", "ci", pl.col("end").alias("day"), pl.lit(0, pl.Int64).alias("came"),
        out.alias("went"), "source",
    )  # fmt: skip
    world.custody[MOVEMENT] = pl.concat([world.custody[MOVEMENT], move])
    at_fault, drawn_down, padded = (pl.col("row").is_in(rows["row"].implode()) for rows in (wrong, below, both))
    ending = (
        pl.when(at_fault).then(pl.col("ending") + 1_000)
        .when(drawn_down).then(pl.lit(-3_000, pl.Int64)).otherwise("ending")
    )  # fmt: skip
    more = pl.when(padded).then(5_000).otherwise(0)
    outgoing = pl.when(drawn_down).then(pl.col("incoming") + 3_000).otherwise("outgoing") + more
    world.custody[STATEMENT] = lines.with_columns(
        ending.alias("ending"), outgoing.alias("outgoing"), (pl.col("incoming") + more).alias("incoming")
    ).drop("row")
    world.plant("a statement right in its ending alone", "statement_differs", equations(both))
    world.plant("a statement that differs", "statement_differs", equations(wrong))
    world.plant("more went out than came", "below_zero", equations(below))


def equations(rows: pl.DataFrame) -> list[str]:
    """Name equations by entity, crop and CI."""
    return [f"{entity}|{crop}|{ci}" for entity, crop, ci in rows.select("entity", "crop", "ci").iter_rows()]
