"""How names are compared: no case, single spaces. The same for one name and for a column."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final, cast

import polars as pl

NEAR: Final = 0.5
"""How alike two names must be to be suggested, from 0 to 1."""

IN_FULL: Final[Mapping[str, str]] = {
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
    return re.sub(r"[a-z]+", lambda word: IN_FULL.get(word[0], word[0]), lookup_name(name))


def lookup_name(name: str) -> str:
    """Return a name for look-up: lower case, no outer spaces, single inner spaces."""
    return " ".join(name.split()).lower()


def folded(column: str | pl.Expr) -> pl.Expr:
    """Return a column of names for joins, spelled as ``lookup_name`` spells one; null stays null."""
    text = pl.col(column) if isinstance(column, str) else column
    return text.str.replace_all(r"\s+", " ").str.strip_chars().str.to_lowercase()


def nearest(name: str, known: Iterable[str], count: int = 3, cutoff: float = NEAR) -> tuple[str, ...]:
    """Return the folded names most like a name, best first; empty where nothing is near."""
    return tuple(get_close_matches(lookup_name(name), list(known), n=count, cutoff=cutoff))


def spellings(names: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return the distinct names of a column and for each of its rows the number of its own; null for null."""
    distinct = names.drop_nulls().unique()
    return distinct, names.cast(pl.Enum(distinct)).to_physical()


def with_folded(rows: pl.DataFrame, column: str, name: str) -> pl.DataFrame:
    """Add a column of names, folded, under another name; each spelling is folded once, however many rows bear it."""
    distinct, which = spellings(rows[column])
    plain = distinct.to_frame(name).select(folded(name)).to_series()
    return rows.with_columns(plain.gather(which))


# What a frame gives without a query, and queries over few rows: planning one costs more than a farm's rows do.
#
# A farm is judged by hundreds of small steps over some dozens of rows, a nation by the same steps over millions.

FEW: Final = 10_000
"""Rows below which planning a query takes longer than the plan saves."""
_UNPLANNED: Final = getattr(pl.QueryOptFlags, "_eager", pl.QueryOptFlags.none)()
"""What the engine takes for a frame's own methods, or no plan at all where it no longer says so."""


def rows_at(table: pl.DataFrame, numbers: pl.Series) -> pl.DataFrame:
    """Return the rows of a table that have these numbers, counted from nought; nulls for null."""
    return table[numbers]


def without(frame: pl.DataFrame, *names: str) -> pl.DataFrame:
    """Return a frame without these columns, all of which it has."""
    found = frame.clone()  # the columns themselves are shared, not copied
    for name in names:
        found.drop_in_place(name)
    return found


def collected(query: pl.LazyFrame, rows: int) -> pl.DataFrame:
    """Return what a query over about so many rows finds."""
    return query.collect(optimizations=_UNPLANNED) if rows < FEW else query.collect()


def at_once(steps: pl.LazyFrame) -> pl.DataFrame:
    """Return what steps give that are taken one after the other, as a frame's own methods take them.

    Each of those methods is a query of its own; a chain of them as one query takes a third of the time over few rows.
    """
    return steps.collect(optimizations=_UNPLANNED)


def rows_of(table: pl.DataFrame, key: str, numbers: pl.Series) -> pl.DataFrame:
    """Return for each of these numbers the row of a table whose key it is, without the key; nulls where there is none.

    Keys are numbers of rows and stand once each, so that a place is looked up for them and nothing is joined.
    """
    known = table.filter(pl.col(key).is_not_null()) if table[key].null_count() else table
    size = 1 + max(cast("int", of.max() or 0) for of in (known[key], numbers))
    nowhere = pl.Series([None], dtype=pl.UInt32).new_from_index(0, size)
    places = nowhere.scatter(known[key], pl.int_range(known.height, dtype=pl.UInt32, eager=True))
    return rows_at(without(known, key), places.gather(numbers))


def beside(rows: pl.DataFrame, table: pl.DataFrame, key: str) -> pl.DataFrame:
    """Put beside rows what a table has of their key, as ``rows_of`` finds it; a left join by number."""
    return rows.hstack(rows_of(table, key, rows[key]))
