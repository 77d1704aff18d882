"""The books of custody of a State: reports, sales to elevators, resales to a refiner, periods and their statements."""

import datetime as dt
from typing import Final

import polars as pl

from bench.nation.farms import mixed
from provender.portfolio.custody import BOOK, CLAIM, MOVEMENT, ORIGIN, PERIOD, REPORT, SCHEMAS, STATEMENT, TICKET

ELEVATORS: Final = 40
START: Final = dt.date(2025, 11, 1)
END: Final = dt.date(2026, 10, 31)
_ENTITIES: Final = ("giver", "taker")

Frames = dict[str, pl.DataFrame]


def custody_frames(state: str, seed: int, runs: pl.DataFrame) -> Frames:
    """Return the data sets of the custody of a State's farms (``farms.averaged`` runs)."""
    reports = _reports(state, runs)
    claims = _claims(state, seed, reports)
    moves = _movements(claims, reports)
    books = pl.concat([claims["giver"], claims["taker"]]).unique().sort()
    books = books.filter(books.str.starts_with(f"{state} "))
    return {
        REPORT: _shaped(REPORT, reports.with_columns(pl.col("farm_id").alias("source"))),
        ORIGIN: _shaped(ORIGIN, reports.select("origin", pl.col("farm_id").alias("root"))),
        CLAIM: _shaped(CLAIM, pl.concat([claims.with_columns(pl.col(name).alias("source")) for name in _ENTITIES])),
        TICKET: _shaped(TICKET, reports.select(
            pl.lit(f"{state} Elevator").alias("place"), ("S-" + pl.col("origin")).alias("ticket"),
            pl.col("origin").alias("behind"), pl.lit(900_000).alias("bushels"),
        )),
        BOOK: pl.DataFrame({"source": books, "owner": books}),
        MOVEMENT: moves,
        PERIOD: pl.DataFrame({"entity": books, "source": books}).select(
            "entity", pl.lit(START).alias("start"), pl.lit(END).alias("end"), "source"
        ),
        STATEMENT: statements(moves),
    }  # fmt: skip


def _shaped(name: str, rows: pl.DataFrame) -> pl.DataFrame:
    return rows.select(pl.col(column).cast(of) for column, of in SCHEMAS[name].items())


def _reports(state: str, runs: pl.DataFrame) -> pl.DataFrame:
    grown = runs.group_by("farm_id", pl.col("crop").cast(pl.String), maintain_order=True).agg(
        pl.col("bushels").sum(), pl.col("farm_ci_g_per_bu").first().alias("ci")
    )  # fmt: skip
    return grown.with_columns(
        pl.int_range(pl.len()).alias("number"), (f"{state}-O" + pl.int_range(pl.len()).cast(pl.String)).alias("origin"),
        pl.lit(2025).alias("crop_year"), pl.lit(1).alias("version"), pl.lit(dt.date(2025, 12, 5)).alias("made_on"),
        pl.lit("digest").alias("digest"),
    )  # fmt: skip


def _claims(state: str, seed: int, reports: pl.DataFrame) -> pl.DataFrame:
    """Sell two shares of every origin to two elevators; the first resells half of its share to the refiner."""
    sold = reports.select(
        "number", "origin", "bushels", pl.col("farm_id").alias("farm"),
        (f"{state} Elevator " + mixed(seed + 21, ELEVATORS, "number").cast(pl.String)).alias("first"),
        (f"{state} Mill " + mixed(seed + 22, ELEVATORS, "number").cast(pl.String)).alias("second"),
        pl.lit(f"{state} Refiner").alias("refiner"), (pl.col("bushels") * 6 // 10).alias("cut"),
    )  # fmt: skip
    day = pl.date(2025, 12, 10) + pl.duration(days=mixed(seed + 23, 60, "number"))
    parts: list[tuple[str, str, str, pl.Expr, pl.Expr, pl.Expr]] = [
        (f"{state}a", "farm", "first", pl.lit(0), pl.col("cut"), day),
        (f"{state}b", "farm", "second", pl.col("cut"), pl.col("bushels"), day),
        (f"{state}c", "first", "refiner", pl.lit(0), pl.col("cut") // 2, day + pl.duration(days=30)),
    ]
    return pl.concat(
        sold.select(
            pl.lit("sale").alias("kind"), (pl.lit(key) + pl.col("number").cast(pl.String)).alias("key"), "origin",
            start.cast(pl.Int64).alias("start"), stop.cast(pl.Int64).alias("stop"), pl.col(giver).alias("giver"),
            pl.col(taker).alias("taker"), on.alias("day"),
        )
        for key, giver, taker, start, stop, on in parts
    )  # fmt: skip


def _movements(claims: pl.DataFrame, reports: pl.DataFrame) -> pl.DataFrame:
    about = reports.select("origin", "crop", "crop_year", "ci", "farm_id")
    rows = claims.with_columns((pl.col("stop") - pl.col("start")).alias("_moved")).join(about, on="origin")
    nothing = pl.lit(0, pl.Int64)
    came = rows.with_columns(pl.col("taker").alias("entity"), pl.col("_moved").alias("came"), nothing.alias("went"))
    went = rows.filter(pl.col("giver") != pl.col("farm_id")).with_columns(
        pl.col("giver").alias("entity"), nothing.alias("came"), pl.col("_moved").alias("went")
    )
    both = pl.concat([came, went]).with_columns(pl.col("entity").alias("source"))
    return _shaped(MOVEMENT, both)


def statements(moves: pl.DataFrame) -> pl.DataFrame:
    """Return the statement of each entity's period, one line for each equation."""
    sums = moves.group_by("entity", "crop", "crop_year", "ci", maintain_order=True).agg(
        pl.col("came").sum().alias("incoming"), pl.col("went").sum().alias("outgoing")
    )
    return _shaped(STATEMENT, sums.with_columns(
        pl.lit(START).alias("start"), pl.lit(END).alias("end"), pl.lit(0).alias("beginning"),
        (pl.col("incoming") - pl.col("outgoing")).alias("ending"), pl.col("entity").alias("source"),
    ))  # fmt: skip
