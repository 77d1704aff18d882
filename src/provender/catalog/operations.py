"""The list of field operations: speed, depth, surface, tillage type and STIR as published, with our decided flags.

Sources: USDA-NRCS MOSES of 24 February 2023, NRCS CRLMOD of November 2019, USDA-ARS WEPS records; the flags *full
width* and
*primary inversion* are ours, each with its reason (READINGS 8, 12). See ``data/PROVENANCE.md``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache
from typing import Final

import polars as pl

from provender.catalog.names import fold
from provender.catalog.tables import rows
from provender.quantity import STIR_SCALE, parse

# Modifier of each tillage type, in hundredths (NRCS; the same in RUSLE2, WEPS and the fact sheet).
TYPE_HUNDREDTHS: Final[Mapping[str, int]] = {
    "inversion": 100,
    "mixing_some_inversion": 80,
    "mixing": 70,
    "lifting": 40,
    "compression": 15,
}
_TYPES: Final = {
    "inversion + some mixing": "inversion",
    "mixing + some inversion": "mixing_some_inversion",
    "mixing only": "mixing",
    "lifting/fracturing": "lifting",
    "compression": "compression",
}
TRAFFIC_SOURCE: Final = "provender, traffic only"


@dataclass(frozen=True, slots=True)
class FieldOperation:
    """One row of the list.

    Attributes:
        operation_key: the name folded for look-up.
        name: as published.
        source: which database it is from.
        tillage_type: a key of ``TYPE_HUNDREDTHS``, or None where the pass only drives over the ground.
        type_hundredths: its modifier, or None.
        speed_mph, speed_mph_min, speed_mph_max: thousandths, or None.
        depth_in, depth_in_min, depth_in_max: thousandths, or None.
        surface_pct: thousandths of a percent, or None.
        published_stir: whole ten-thousandths as printed, or None.
        several_tools: the published value is a sum over tools that the row does not list.
        op_group: our grouping: seeding, planting, harvest, spraying, burning ...
        full_width: whether the pass disturbs the whole width.
        primary_inversion: whether it is a primary inversion tool, by type or by name.
        reason: why, for both flags.
    """

    operation_key: str
    name: str
    source: str
    tillage_type: str | None
    type_hundredths: int | None
    speed_mph: int | None
    speed_mph_min: int | None
    speed_mph_max: int | None
    depth_in: int | None
    depth_in_min: int | None
    depth_in_max: int | None
    surface_pct: int | None
    published_stir: int | None
    several_tools: bool
    op_group: str
    full_width: bool
    primary_inversion: bool
    reason: str


def find_operation(name: str) -> FieldOperation | None:
    """Return the operation of that name without regard to case or spacing; the first row of a name wins."""
    return _by_key().get(fold(name))


def near_names(name: str, count: int = 3) -> tuple[str, ...]:
    """Return the listed names most like a name that is not listed."""
    near = get_close_matches(fold(name), list(_by_key()), n=count, cutoff=0.5)
    return tuple(_by_key()[key].name for key in near)


@cache
def operations() -> tuple[FieldOperation, ...]:
    """Return the whole list, in its order."""
    return tuple(_rows())


@cache
def _by_key() -> Mapping[str, FieldOperation]:
    found: dict[str, FieldOperation] = {}
    for one in operations():
        found.setdefault(one.operation_key, one)
    return found


@cache
def operations_frame() -> pl.DataFrame:
    """Return one row per name (the first of each), with the columns of ``FieldOperation``; amounts are Int64."""
    listed = list(_by_key().values())
    whole = [
        name for name in (one.name for one in fields(FieldOperation)) if name.endswith(("_mph", "_in", "_min", "_max"))
    ]
    integers = (*whole, "surface_pct", "published_stir", "type_hundredths")
    schema = dict.fromkeys(integers, pl.Int64)
    return pl.DataFrame(
        [{one.name: getattr(row, one.name) for one in fields(FieldOperation)} for row in listed],
        schema_overrides=schema,
        infer_schema_length=None,
    )


def _rows() -> Iterator[FieldOperation]:
    flags = rows("field_operation_flags.csv")
    for row in rows("stir_operations.csv"):
        yield _operation(row, flags)
    for row in rows("traffic_operations.csv"):
        flag = {"group": row["group"], "full_width": "no", "primary_inversion": "no", "reason": row["reason"]}
        yield _build(row["operation"], TRAFFIC_SOURCE, {"stir": row["stir"]}, flag)


def _operation(row: Mapping[str, str], flags: tuple[Mapping[str, str], ...]) -> FieldOperation:
    key = fold(row["operation"])
    flag = next((one for one in flags if fnmatchcase(key, one["pattern"])), None)
    if flag is None:
        raise LookupError(f"no flag decides {row['operation']!r}; add a pattern to field_operation_flags.csv")
    return _build(row["operation"], row["source"], row, flag)


def _build(name: str, source: str, row: Mapping[str, str], flag: Mapping[str, str]) -> FieldOperation:
    tillage_type = _TYPES.get(row.get("tillage_type", ""))
    inverts = flag["primary_inversion"] == "yes" or (tillage_type == "inversion" and flag["group"] == "plowing")

    def number(column: str, scale: int = 3) -> int | None:
        text = row.get(column, "")
        return parse(text, scale) if text else None

    return FieldOperation(
        operation_key=fold(name),
        name=" ".join(name.split()),
        source=source,
        tillage_type=tillage_type,
        type_hundredths=TYPE_HUNDREDTHS.get(tillage_type) if tillage_type else None,
        speed_mph=number("speed_mph"),
        speed_mph_min=number("speed_mph_min"),
        speed_mph_max=number("speed_mph_max"),
        depth_in=number("depth_in"),
        depth_in_min=number("depth_in_min"),
        depth_in_max=number("depth_in_max"),
        surface_pct=number("surface_pct"),
        published_stir=number("stir", STIR_SCALE),
        several_tools=row.get("several_tools", "") == "yes",
        op_group=flag["group"],
        full_width=flag["full_width"] == "yes",
        primary_inversion=inverts,
        reason=flag["reason"],
    )
