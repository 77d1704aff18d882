"""Columns of names, joins by number, and the catalog's lists as frames."""

from dataclasses import fields
from functools import cache
from typing import Final, cast

import polars as pl

from provender.catalog.materials import PRODUCT_FACTS, grades, inhibitors, species
from provender.catalog.tables import INTEGERS, FieldOperation, operations


def folded(column: str | pl.Expr) -> pl.Expr:
    """Return a column of names for joins, spelled as ``lookup_name`` spells one; null stays null."""
    text = pl.col(column) if isinstance(column, str) else column
    return text.str.replace_all(r"\s+", " ").str.strip_chars().str.to_lowercase()


def spellings(names: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return the distinct names of a column and for each of its rows the number of its own; null for null."""
    distinct = names.drop_nulls().unique()
    return distinct, names.cast(pl.Enum(distinct)).to_physical()


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


@cache
def operations_frame() -> pl.DataFrame:
    """Return the list with a column per attribute of ``FieldOperation``; join on ``operation_key``."""
    names = [one.name for one in fields(FieldOperation)]
    data = [{name: getattr(one, name) for name in names} for one in operations()]
    return pl.DataFrame(data, schema_overrides=dict.fromkeys(INTEGERS, pl.Int64), infer_schema_length=None)


@cache
def products_frame() -> pl.DataFrame:
    """Return one row per name: ``product_key`` and what the list says of it (``PRODUCT_FACTS``)."""
    found = grades()
    columns = {name: [getattr(one, name) for one in found.values()] for name in PRODUCT_FACTS}
    types = {**dict.fromkeys(PRODUCT_FACTS[:4], pl.Int64), "product_inhibitor": pl.String}
    return pl.DataFrame({"product_key": list(found), **columns}, schema_overrides=types)


@cache
def inhibitors_frame() -> pl.DataFrame:
    """Return one row per name: ``inhibitor_key``, ``ingredient``; ``counts``, ``least_oz_per_ac``: null if unknown."""
    types = {"inhibitor_key": pl.String, "ingredient": pl.String, "counts": pl.Boolean, "least_oz_per_ac": pl.Int64}
    rows = [tuple(getattr(one, name) for name in types) for one in inhibitors().values()]
    return pl.DataFrame(rows, schema=types, orient="row")


@cache
def species_frame() -> pl.DataFrame:
    """Return one row per name: ``species_key``, ``legume``."""
    found = species()
    return pl.DataFrame({"species_key": list(found), "legume": [one.legume for one in found.values()]})
