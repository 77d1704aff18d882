"""Frames that every job writes alike: what a person must fix, and rows as the portfolio keeps them."""

from collections.abc import Iterable
from typing import Final

import polars as pl

from provender.portfolio.frame_book import INCOMPLETE as INCOMPLETE_SCHEMA
from provender.problem import Place, Problem, Weight

PROBLEM_SCHEMA: Final = {
    "file": pl.String,
    "row_group": pl.Int64,
    "sheet": pl.String,
    "row": pl.Int64,
    "column": pl.String,
    "weight": pl.String,
    "cause": pl.String,
    "remedy": pl.String,
    "cite": pl.String,
    "code": pl.String,
}
"""``row_group`` and ``row`` (in the file) are counted from 1; 0 is the file as a whole."""
_GROUP: Final = "row group "


def problem_frame(problems: Iterable[Problem]) -> pl.DataFrame:
    """Return problems as a frame with the columns of ``PROBLEM_SCHEMA``, each once."""
    rows = [
        (
            one.place.file,
            int(one.place.sheet.removeprefix(_GROUP)) if one.place.sheet.startswith(_GROUP) else 0,
            "" if one.place.sheet.startswith(_GROUP) else one.place.sheet,
            one.place.row,
            one.place.column,
            str(one.weight),
            one.cause,
            one.remedy,
            one.cite,
            one.code,
        )
        for one in dict.fromkeys(problems)
    ]
    return pl.DataFrame(rows, schema=PROBLEM_SCHEMA, orient="row")


def problems_in(frame: pl.DataFrame) -> list[Problem]:
    """Return the problems of a frame."""
    found = []
    for row in frame.iter_rows(named=True):
        sheet = f"{_GROUP}{row['row_group']}" if row["row_group"] else row["sheet"]
        place = Place(row["file"], sheet, row["row"], row["column"])
        found.append(Problem(place, row["cause"], row["remedy"], row["cite"], Weight(row["weight"]), row["code"]))
    return found


def incomplete_frame(rows: pl.DataFrame) -> pl.DataFrame:
    """Return incomplete rows with the farm first."""
    return rows.select("farm_id", *(name for name in INCOMPLETE_SCHEMA if name != "farm_id"))
