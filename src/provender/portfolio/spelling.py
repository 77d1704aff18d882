"""Names that a reader takes for one and the same, whatever their case, width, blanks and look-alike letters."""

from collections.abc import Mapping
from typing import Final

import polars as pl

from provender.problem import Place, Problem
from provender.records.incomplete_row import IncompleteRow, incomplete_row_of

_LIKE: Final = dict(zip("аеорсухіѕкмтнвαορνκτoil|", "ae0pcyx1skmthba0pvkt0111", strict=True))  # noqa: RUF001 - on purpose
"""Small letters of other alphabets that are drawn like Latin ones; o and zero, i and l and one."""


def alike(name: pl.Expr) -> pl.Expr:
    """Return a text that is the same for names which look the same; null for null."""
    plain = name.str.normalize("NFKC").str.to_lowercase().str.replace_all(r"[\s\p{Cf}]", "")
    return plain.str.replace_all(r"\p{Pd}", "-").str.replace_many(_LIKE)


def of_names(names: pl.Series) -> pl.Series:
    """Return ``alike`` of some names, in their order."""
    return names.to_frame("name").select(alike(pl.col("name"))).to_series()


def tidy(name: pl.Expr) -> pl.Expr:
    """Return a name as the records keep it: trimmed and composed."""
    return name.str.normalize("NFC").str.strip_chars()


def farms_meant(written: pl.Series, recorded: pl.Series) -> pl.DataFrame:
    """Return which farm each name means: ``name``, ``farm`` and ``also``, the other names written for that farm.

    Whoever writes a name anew has no second farm, so names that look alike mean one farm: the one that has a record. A
    farm with a record is one of its own, whatever it looks like; a name that looks like several means none of them.

    Args:
        written: tidy names, as often as they occur.
        recorded: tidy names of the farms that have records.
    """
    both = pl.concat([written.cast(pl.String), recorded.cast(pl.String)]).drop_nulls().unique().alias("name").to_frame()
    of = both.with_columns(
        pl.col("name").is_in(recorded.implode()).alias("own"), pl.col("name").is_in(written.implode()).alias("there"),
        alike(pl.col("name")).alias("like"),
    ).sort(~pl.col("own"), "name")  # fmt: skip
    itself = pl.col("own") | (pl.col("own").sum().over("like") > 1)
    named = of.with_columns(pl.when(itself).then("name").otherwise(pl.col("name").first().over("like")).alias("farm"))
    others = pl.col("name").filter(pl.col("there") & (pl.col("name") != pl.col("farm"))).alias("also")
    also = named.group_by("farm", maintain_order=True).agg(others)
    return named.filter("there").join(also, on="farm", maintain_order="left").select("name", "farm", "also")


def distinct(names: pl.Series) -> pl.Series:
    """Return the distinct names of a column in which equal ones mostly lie beside each other; none for null."""
    return names.filter((names != names.shift(1)).fill_null(value=True)).drop_nulls().unique(maintain_order=True)


def spelled_otherwise(frames: Mapping[str, pl.DataFrame]) -> tuple[list[Problem], list[IncompleteRow]]:
    """Tell of rows under a name that no farm has and that looks like a farm's: they may be its own, and so spoil it."""
    farms = frames["farm"]["farm_id"].unique() if "farm" in frames else pl.Series([], dtype=pl.String)
    strangers = {
        kind: [name for name in distinct(frame["farm_id"]) if name not in farms_of]
        for farms_of in (set(farms),)
        for kind, frame in frames.items()
    }
    if not any(strangers.values()):
        return [], []
    meant = dict(zip(of_names(farms), farms, strict=True))
    problems, spoiled = [], []
    for kind, names in strangers.items():
        for name, like in zip(names, of_names(pl.Series(names, dtype=pl.String)), strict=True):
            if (farm := meant.get(like)) is None:
                continue
            rows = frames[kind].filter(pl.col("farm_id") == name)
            spoiled += [incomplete_row_of(kind, row | {"farm_id": farm}) for row in rows.iter_rows(named=True)]
            cause = f"{rows.height} rows are of the farm {name!r}, which has no farm record and looks like {farm!r}."
            remedy = f"Write {farm} in these rows, or add the farm record of the other farm."
            place = Place(str(rows["source_file"][0] or kind), row=int(rows["source_row"][0] or 0), column="farm_id")
            problems.append(Problem(place, cause, remedy, "2100.031(c)(1)", code="farm_spelled_otherwise"))
    return problems, spoiled
