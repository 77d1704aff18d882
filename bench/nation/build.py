"""Writing a synthetic nation as a portfolio, State by State."""

from pathlib import Path
from typing import Final

import polars as pl

from bench.nation import faults, strange
from bench.nation.custody import custody_frames
from bench.nation.farms import STATES, averaged, held, state_frames
from bench.nation.faults import Key, Place, World
from provender.portfolio import export, layout
from provender.portfolio.export import HELD, ROW_GROUP, write_part
from provender.portfolio.layout import Partition, write_manifest
from provender.records.kind import KINDS

YEAR: Final = 2025
_KINDS: Final = (
    len(faults.NO_TILL_FAULTS)
    + len(faults.OTHER_FAULTS)
    + 2 * len(faults.PAIR_FAULTS)
    + 1
    + faults.CUSTODY_FAULTS
    + len(strange.NO_TILL_FAULTS)
    + 2 * len(strange.PAIRS)
    + strange.CUSTODY
)


def build(root: Path, seed: int, *, farms: int, each: int, states: tuple[str, ...] = STATES) -> dict[str, set[Key]]:
    """Write a nation of so many farms a State; return what is planted by kind, ``each`` of them a State.

    Raises:
        ValueError: there are too few farms for the faults.
    """
    if farms < _KINDS * each * 3:
        raise ValueError(f"{farms} farms are too few for {_KINDS} kinds of fault, {each} of each")
    planted: dict[str, set[Key]] = {}
    for number, state in enumerate(states):
        world = _state(state, seed + number, farms, each)
        _write(root, state, world)
        for name, rows in world.custody.items():
            path = root / name / f"part-{number}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            rows.write_parquet(path, row_group_size=ROW_GROUP)
        for kind, keys in world.planted.items():
            planted.setdefault(kind, set()).update(keys)
    write_manifest(root)
    return planted


def _state(state: str, seed: int, farms: int, each: int) -> World:
    frames, shapes = state_frames(state, seed, farms)
    world = World(frames, shapes)
    # Two versions, or an average, are of one crop: the field is not the only one of its crop.
    runs = frames["calculator_run"].filter(pl.len().over("farm_id", "crop") > 1)
    unit = runs.group_by("farm_id", maintain_order=True).agg(
        pl.col("unit_id").filter(pl.col("tillage") == "no_till").first().alias("no_till"),
        pl.col("unit_id").filter(pl.col("tillage") == "conventional").first().alias("other"),
    )  # fmt: skip
    rows = unit.drop_nulls().gather_every(max(unit.height // (_KINDS * each + 1) - 1, 1))
    taken = iter(rows.iter_rows(named=True))

    def places(column: str, count: int) -> list[Place]:
        return [(row["farm_id"], row[column]) for row in (next(taken) for _ in range(count))]

    for one in (*faults.NO_TILL_FAULTS, *strange.NO_TILL_FAULTS):
        one(world, places("no_till", each))
    for one in faults.OTHER_FAULTS:
        one(world, places("other", each))
    for one in (*faults.PAIR_FAULTS, *strange.PAIRS):
        one(world, places("other", 2 * each))
    world.frames["calculator_run"] = averaged(_with_bushels(world))
    _count_again(world)
    world.custody = custody_frames(state, seed, world.frames["calculator_run"])
    faults.plant_on_averages(world, [farm for farm, _ in places("other", each)])
    faults.plant_on_custody(world, state, [farm for farm, _ in places("other", faults.CUSTODY_FAULTS * each)], each)
    strange.plant_on_custody(world, [farm for farm, _ in places("other", strange.CUSTODY * each)], each)
    faults.plant_on_statements(world, each)
    return world


def _with_bushels(world: World) -> pl.DataFrame:
    """Put the bushels beside the runs: no column of the record, what the averages weigh by."""
    harvests = world.frames["harvest"].filter(pl.col("use").is_not_null()).select("farm_id", "harvest_id", "bushels")
    return world.frames["calculator_run"].join(harvests, on=["farm_id", "harvest_id"], maintain_order="left")


def _count_again(world: World) -> None:
    """Let the counts follow the harvests, but where they were made to differ."""
    key = ["farm_id", "crop"]
    spared = [farm for _, farm in world.planted["more harvested than weighed"]]
    sums = world.frames["calculator_run"].group_by(key).agg(pl.col("bushels").sum().alias("_sum"))
    rows = world.frames["bushel_total"].join(sums, on=key, maintain_order="left")
    kept = pl.when(pl.col("farm_id").is_in(spared)).then("bushels").otherwise("_sum")
    world.frames["bushel_total"] = rows.with_columns(kept.alias("bushels")).drop("_sum")


def _write(root: Path, state: str, world: World) -> None:
    partition = Partition(YEAR, state)
    for kind, frame in world.frames.items():
        rows = frame.select(list(KINDS[kind].columns))
        if kind == "unit":
            write_part(root, kind, partition, export.as_fields(rows, world.shapes))
            continue
        write_part(
            root, kind, partition, rows.rename({name: layout.written_name(KINDS[kind], name) for name in rows.columns})
        )
    write_part(root, HELD, partition, held(world.frames["farm"]))
