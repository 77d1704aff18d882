"""The passes of one farm, interval by interval, as a person adds up STIR (2100.002, interpretations 3, 10)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

import polars as pl

from provender.catalog.operations import find_operation
from provender.practices.assess import Assessment
from provender.practices.facts_tillage import judged_passes
from provender.practices.load_operations import operations
from provender.practices.stir import Tool, of_pass
from provender.practices.stir_interval import IntervalPass, build_up
from provender.practices.stir_working import tillage_type, working
from provender.quantity import STIR_SCALE, show

_RECORDED: Final = ("depth_in", "speed_mph", "width_ft", "surface_pct")
_KEPT: Final = ("operation_id", "day", "operation", "equipment", *_RECORDED, "known_by")
_JUDGED: Final = (
    "interval_key", "stir_recorded", "stir_published", "is_full_width", "is_inversion", "below_minimum", "part_field",
    "depth_in", "speed_mph",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pass(IntervalPass):
    """One pass with the record it comes from and what was judged of it.

    Attributes:
        record: what is told of the row of ``operation`` records; amounts in thousandths.
        judged: full width, inversion, below the list's least, part of the unit; each true, false or null (unknown);
            and the depth and speed that count.
        tools: of the implement, where they are recorded.
    """

    record: Mapping[str, Any]
    judged: Mapping[str, Any]
    tools: tuple[Tool, ...] = ()


def farm_passes(assessment: Assessment, farm_id: str) -> Mapping[int, tuple[Pass, ...]]:
    """Return the passes of a farm by ``interval_key``, in the order of the records; made once for a judged book."""
    return assessment.once("passes", farm_id, lambda: _passes(assessment, farm_id))


def _passes(assessment: Assessment, farm_id: str) -> Mapping[int, tuple[Pass, ...]]:
    loaded = assessment.loaded
    units = _only(loaded.units, farm_id)
    records = _only(loaded.graded["operation"], farm_id)
    tools = _only(assessment.book["operation_tool"], farm_id)
    placed = loaded.operations
    if "operation_id" not in placed.columns:
        known = records.join(units.select("unit_id", "unit_key"), on="unit_id", how="inner", maintain_order="left")
        placed = operations(known, tools, loaded.units, loaded.intervals, named=True)
    elif units is not loaded.units:
        placed = placed.filter(pl.col("unit_key").is_in(units["unit_key"].implode()))
    judged = judged_passes(replace(loaded, operations=placed), "operation_id", *_JUDGED)
    of = {row["operation_id"]: row for row in judged.iter_rows(named=True)}
    gangs: dict[str, list[Tool]] = {}
    for tool in tools.sort("tool_no").iter_rows(named=True) if tools.height else ():
        made = Tool(str(tool["tillage_type"]), tool["depth_in"], tool["surface_pct"])
        gangs.setdefault(tool["operation_id"], []).append(made)
    found: dict[int, list[Pass]] = {}
    for record in records.select(_KEPT).iter_rows(named=True):
        row = of.get(record["operation_id"])  # a pass of no known unit is placed nowhere
        if row is not None and row["interval_key"] is not None:
            of_implement = tuple(gangs.get(record["operation_id"], ()))
            one = Pass(
                record["day"], record["operation"], row["stir_recorded"], row["stir_published"], record, row,
                of_implement,
            )  # fmt: skip
            found.setdefault(row["interval_key"], []).append(one)
    return {key: tuple(passes) for key, passes in found.items()}


def _only(frame: pl.DataFrame, farm_id: str) -> pl.DataFrame:
    """Return the rows of one farm: the frame itself where all are, as most books hold one."""
    mine = frame["farm_id"] == farm_id
    return frame if mine.all() else frame.filter(mine)


def passes_json(passes: tuple[Pass, ...]) -> list[dict[str, Any]]:
    """Return an interval's passes by day with the sum after each; amounts as decimal text, null where unknown."""
    return [_as_json(point.after, point.recorded, point.published) for point in build_up(passes)]


def _as_json(one: IntervalPass, recorded: int, published: int) -> dict[str, Any]:
    if not isinstance(one, Pass):
        raise TypeError(one)
    listed = find_operation(one.operation)
    used = of_pass(
        listed, speed_mph=one.judged["speed_mph"], depth_in=one.judged["depth_in"],
        surface_pct=one.record["surface_pct"], tools=one.tools,
    )  # fmt: skip
    return {
        "operation_id": one.record["operation_id"],
        "day": _day(one.day),
        "operation": one.operation,
        "equipment": one.record["equipment"],
        **{name: _amount(one.record[name]) for name in _RECORDED},
        "tillage_type": tillage_type(listed, one.tools),
        "share_pct": _amount(used.surface_pct),
        "working": working(listed, used, one.tools),
        "full_width": one.judged["is_full_width"],
        "primary_inversion": one.judged["is_inversion"],
        "below_published_least": one.judged["below_minimum"],
        "part_of_unit": one.judged["part_field"],
        "known_by": one.record["known_by"],
        "stir_recorded": _stir(one.recorded),
        "stir_published": _stir(one.published),
        "sum_recorded": show(recorded, STIR_SCALE),
        "sum_published": show(published, STIR_SCALE),
    }


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _amount(value: int | None) -> str | None:
    return None if value is None else show(value)


def _stir(value: int | None) -> str | None:
    return None if value is None else show(value, STIR_SCALE)
