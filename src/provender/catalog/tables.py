"""The packaged tables: how they are read, how names in them are compared, and the field operations."""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Final

from provender.exact import SCALE, STIR_SCALE, half_even, parse, show


def text(name: str) -> str:
    """Return ``data/<name>`` as text."""
    return (files("provender.catalog") / "data" / name).read_text(encoding="utf-8")


@cache
def rows(name: str) -> tuple[Mapping[str, str], ...]:
    """Return the rows of ``data/<name>`` as text by column."""
    return tuple(csv.DictReader(text(name).splitlines()))


def number(cell: str, scale: int = SCALE) -> int | None:
    """Read a cell as whole units of ``10**-scale``; a blank cell is None.

    Raises:
        ValueError: the cell is not a number.
    """
    return parse(cell, scale) if cell.strip() else None


def yes(cell: str) -> bool | None:
    """Read a cell that answers yes or no; a blank cell is None.

    Raises:
        KeyError: the cell is neither.
    """
    return {"yes": True, "y": True, "no": False, "n": False, "": None}[cell.strip().lower()]


# How names are compared: no case, single spaces. The same for one name and for a column.

_IN_FULL: Final[Mapping[str, str]] = {
    "airseeder": "air seeder", "anhyd": "anhydrous", "applic": "application", "bskt": "basket", "chop": "chopper",
    "chpr": "chopper", "coil": "coiled", "corr": "corrugated", "coult": "coulter", "covercrop": "cover crop",
    "cult": "cultivator", "dbl": "double", "dble": "double", "dd": "double disk", "disc": "disk",
    "dist": "disturbance", "disturb": "disturbance", "disturbace": "disturbance", "dsk": "disk", "fert": "fertilizer",
    "fld": "field", "har": "harrow", "hvy": "heavy", "in": "inch", "inject": "injection", "liq": "liquid",
    "mgr": "manager", "mlch": "mulch", "op": "operation", "opnr": "opener", "opnrs": "openers", "pct": "percent",
    "placmnt": "placement", "plcmt": "placement", "press": "pressure", "pt": "point", "pts": "points",
    "res": "residue", "resdue": "residue", "reversable": "reversible", "rlng": "rolling", "rollng": "rolling",
    "rotry": "rotary", "rtry": "rotary", "shnk": "shank", "sngl": "single", "spac": "spacing", "spk": "spike",
    "st": "straight", "stlk": "stalk", "surf": "surface", "til": "till", "trdr": "treader", "twst": "twisted",
    "veg": "vegetable", "w": "with",
}  # fmt: skip
"""Words as USDA's list of operations shortens or misspells them, in full; some it also writes in full."""


JOINING: Final = frozenset(
    {"and", "or", "with", "w", "of", "the", "de", "del", "con", "y", "o", "el", "la", "los", "las"}
)
"""Words that may stand between the others or be left out, English and Spanish."""


def in_full(name: str) -> str:
    """Return a name with the words that the lists shorten in full, in lower case."""
    return re.sub(r"[a-z]+", lambda word: _IN_FULL.get(word[0], word[0]), lookup_name(name))


def lookup_name(name: str) -> str:
    """Return a name for look-up: lower case, no outer spaces, single inner spaces."""
    return " ".join(name.split()).lower()


# The list of field operations: speed, depth, surface, tillage type and STIR as published, with our decided flags.
#
# Sources: USDA-NRCS MOSES of 24 February 2023, NRCS CRLMOD of November 2019, USDA-ARS WEPS records; behind them a few
# passes that only drive over the ground, at the value those databases store for such passes. The flags *full width* and
# *primary inversion* are ours, decided operation by operation with a reason (interpretations 8, 12). See
# ``data/PROVENANCE.md``.

# The five tillage types and the modifier of each in the STIR formula.

TYPE_HUNDREDTHS: Final[Mapping[str, int]] = {
    "inversion": 100,
    "mixing_some_inversion": 80,
    "mixing": 70,
    "lifting": 40,
    "compression": 15,
}
"""Modifier in hundredths, by the names that records use. NRCS RUSLE2; the same in WEPS and SoilManageR."""
TYPE_LABELS: Final[Mapping[str, str]] = {
    "inversion": "inversion",
    "mixing_some_inversion": "mixing, some inversion",
    "mixing": "mixing",
    "lifting": "lifting, fracturing",
    "compression": "compression",
}
"""What people read."""
PUBLISHED_TYPES: Final[Mapping[str, str]] = {
    "inversion + some mixing": "inversion",
    "mixing + some inversion": "mixing_some_inversion",
    "mixing only": "mixing",
    "lifting/fracturing": "lifting",
    "compression": "compression",
}
"""From the words of the published list to ours."""

STIR_NUMERATOR: Final = 13
STIR_DENOMINATOR: Final = 8_000_000_000
"""0.5 x 3.25 = 13/8. Scales: mph and inches in thousandths, percent in thousandths of 1/100, type in hundredths; the
result in ten-thousandths."""


def stir_of_tool(speed_mph: int, type_hundredths: int, depth_in: int, surface_pct: int) -> int:
    """Return the STIR of one tool in whole ten-thousandths, half even; all amounts in thousandths."""
    return half_even(STIR_NUMERATOR * speed_mph * type_hundredths * depth_in * surface_pct, STIR_DENOMINATOR)


_TRAFFIC: Final = ("spraying", "spreading", "harvest", "mowing", "irrigation", "burning", "growth")
"""Groups that only drive over the ground."""
DRIVEN_OVER: Final = 1_500
"""STIR of a pass that only drives over the ground, ten-thousandths: it drills, tills and mixes nothing."""
_A_BLOCK: Final = 5 * 10**STIR_SCALE
TRAFFIC_SOURCE: Final = "provender, traffic only (assumed from stored values of like passes)"


@dataclass(frozen=True, slots=True)
class FieldOperation:
    """One row of the list."""

    operation_key: str  # the name folded for look-up
    name: str  # as published
    source: str  # which database it is from
    tillage_type: str | None  # a key of ``TYPE_HUNDREDTHS``, or None where the source gives only a STIR
    type_hundredths: int | None  # its modifier, or None
    speed_mph: int | None  # thousandths, or None
    speed_mph_min: int | None  # thousandths, or None
    speed_mph_max: int | None  # thousandths, or None
    depth_in: int | None  # thousandths, or None
    depth_in_min: int | None  # thousandths, or None
    depth_in_max: int | None  # thousandths, or None
    surface_pct: int | None  # thousandths of a percent, or None
    published_stir: int  # whole ten-thousandths as printed (the list prints three decimals)
    # the published value is a sum over tools that the row does not list, so that no formula gives it. Its depths are
    # then those of the deepest gang.
    several_tools: bool
    # the part of the published value that the deepest gang of several tools has, whole ten-thousandths; None for one
    # tool
    gang_stir: int | None
    op_group: str  # our grouping: seeding, planting, harvest, spraying, burning ..
    full_width: bool  # whether the pass disturbs the full width of the ground at any depth
    primary_inversion: bool  # whether it is a primary inversion tool, by type or by name
    reason: str  # why ``full_width`` is so
    # it only drives, flies or waters, so that it has no depth, width or speed of disturbance
    is_traffic: bool
    # people or animals do it: no implement has a width or a speed. The list gives one speed, and no range of any
    by_hand: bool

    @property
    def is_still(self) -> bool:
        """Tell whether it disturbs no soil at all, as from the air or by water: its published STIR is zero."""
        return not self.published_stir

    def published_at(self, depth_in: int | None) -> int:
        """Return the published STIR, of several tools with the deepest gang at a depth.

        A coulter chisel is published as 52.65 with the chisel, whose part is 45.5, at 7 in: at 14 in it has 98.15.
        """
        if not depth_in or not self.gang_stir or not self.depth_in:
            return self.published_stir
        moved = self.published_stir * self.depth_in + self.gang_stir * (depth_in - self.depth_in)
        return half_even(moved, self.depth_in)


SEEDING: Final = ("seeding", "planting")
"""Groups of the operations list that plant or drill."""
SPREADING: Final = ("spreading", "spraying")
TILLING: Final = (
    "aeration", "bedding", "chisel", "disking", "field_cultivation", "harrowing", "plowing", "rotary_hoe",
    "rotary_tillage", "row_cultivation", "seedbed_finishing", "strip_tillage", "subsoiling", "undercutting",
    "vertical_tillage",
)  # fmt: skip
"""Groups that work soil through, and so bury or mix in what lies on it."""
INJECTING: Final = (
    *SEEDING, "injection", "strip_tillage", "row_cultivation", "field_cultivation", "chisel", "subsoiling",
    "undercutting", "plowing", "aeration",
)  # fmt: skip
"""Groups whose openers, knives or shanks can carry a fertilizer into the ground."""
INTENSIVE: Final = ("plowing", "disking", "chisel")
"""Groups of intensive tillage, where they work the full width (2100.002)."""
PLAIN_PLANTER: Final = "Planter, double disk opnr"
PLAIN_DRILL: Final = "Drill or airseeder, double disk"
"""The planter and the drill of the list without anything else about them."""
INTEGERS: Final = tuple(
    one.name for one in fields(FieldOperation) if one.type in ("int", "int | None", int, int | None)
)
"""Columns of ``operations_frame`` that are Int64."""


def find_operation(name: str) -> FieldOperation | None:
    """Return the operation of that name without regard to case or spacing; the first row of a name wins."""
    return _by_key().get(lookup_name(name))


def operations() -> tuple[FieldOperation, ...]:
    """Return the list in its order, one row per name."""
    return tuple(_by_key().values())


def stir_pictured(operation: FieldOperation) -> str:
    """Return the listed STIR with a bar of a block for each five, and the depth and speed it is listed at."""
    bar = "\u25ae" * (operation.published_stir // _A_BLOCK)
    at = [
        f"{show(amount)} {unit}"
        for amount, unit in ((operation.depth_in, "in"), (operation.speed_mph, "mph"))
        if amount is not None
    ]
    return " ".join(part for part in (f"STIR {show(operation.published_stir, STIR_SCALE)}", bar, ", ".join(at)) if part)


@cache
def still_names() -> tuple[str, ...]:
    """Return the names of operations that disturb no soil: their published STIR is zero."""
    return tuple(one.name for one in operations() if one.is_still)


@cache
def _by_key() -> Mapping[str, FieldOperation]:
    found: dict[str, FieldOperation] = {}
    for one in _field_operations():
        found.setdefault(one.operation_key, one)
    return found


def _field_operations() -> Iterator[FieldOperation]:
    decided = {lookup_name(row["operation"]): row for row in rows("operation_decisions.csv")}
    listed = {lookup_name(row["operation"]): row for row in reversed(list(rows("stir_operations.csv")))}
    deepest = {lookup_name(row["operation"]): listed[lookup_name(row["gang"])] for row in rows("deepest_gangs.csv")}
    for row in rows("stir_operations.csv"):
        name = lookup_name(row["operation"])
        yield _operation(row, row["source"], decided[name], deepest.get(name))
    for row in rows("traffic_operations.csv"):
        yield _operation(row, TRAFFIC_SOURCE, decided[lookup_name(row["operation"])])


def _operation(
    row: Mapping[str, str], source: str, decision: Mapping[str, str], deepest: Mapping[str, str] | None = None
) -> FieldOperation:
    kind = PUBLISHED_TYPES[row["tillage_type"]] if row.get("tillage_type") else None
    several = yes(row.get("several_tools", "")) is True and yes(decision["one_tool_after_all"]) is not True

    gang = deepest if several and deepest else row
    published = number(row["stir"], STIR_SCALE) or 0
    only_drives = published <= DRIVEN_OVER and not gang.get("depth_in")

    def amount(column: str) -> int | None:
        return number(row.get(column, ""))

    return FieldOperation(
        operation_key=lookup_name(row["operation"]),
        name=row["operation"],
        source=source,
        tillage_type=kind,
        type_hundredths=None if kind is None else TYPE_HUNDREDTHS[kind],
        speed_mph=amount("speed_mph"),
        speed_mph_min=amount("speed_mph_min"),
        speed_mph_max=amount("speed_mph_max"),
        depth_in=number(gang.get("depth_in", "")),
        depth_in_min=number(gang.get("depth_in_min", "")),
        depth_in_max=number(gang.get("depth_in_max", "")),
        surface_pct=amount("surface_pct"),
        published_stir=published,
        several_tools=several,
        gang_stir=_gang_stir(gang, amount("speed_mph"), published) if several else None,
        op_group=decision["op_group"],
        full_width=yes(decision["full_width"]) is True,
        primary_inversion=kind == "inversion" or yes(decision["primary_inversion"]) is True,
        reason=decision["full_width_reason"],
        is_traffic=decision["op_group"] in _TRAFFIC or only_drives,
        by_hand=amount("speed_mph") is not None and amount("speed_mph_min") == amount("speed_mph_max"),
    )


def _gang_stir(gang: Mapping[str, str], speed: int | None, published: int) -> int | None:
    """Return the STIR of the deepest gang at the implement's speed, at most what is published for the whole."""
    depth, surface = number(gang.get("depth_in", "")), number(gang.get("surface_pct", ""))
    if not gang.get("tillage_type") or not speed or not depth or not surface:
        return None
    kind = TYPE_HUNDREDTHS[PUBLISHED_TYPES[gang["tillage_type"]]]
    return min(published, stir_of_tool(speed, kind, depth, surface))
