"""Scale tickets that stand behind the bushels of two farms, or behind two origins.

Scales begin their numbers anew: a ticket of the same number half a year apart is another one. Places and numbers count
as the same when they look the same, since people type them anew from paper.
"""

from collections.abc import Iterator
from datetime import date
from typing import Final

import polars as pl

from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.portfolio.custody import REPORT, TICKET
from provender.portfolio.custody_rows import table
from provender.portfolio.jobs import read_records
from provender.portfolio.on_disk import Portfolio
from provender.portfolio.spelling import alike, farms_meant, tidy

_SEASON: Final = pl.duration(days=180)
_EVER: Final = (date.min, date.max)
"""Of a ticket without any day."""
_WANTED: Final = ("farm_id", "buyer", "ticket_id", "net_bushels", "crop", "harvest_year", "day")


def tickets(portfolio: Portfolio) -> Iterator[Discrepancy]:
    """Yield tickets behind two farms' records, behind two origins in books, and of one farm here and another there."""
    own, booked = _named(portfolio, _of_farms(portfolio), _of_books(portfolio))
    told: dict[str, list[tuple[date, date, set[str]]]] = {}
    both = pl.concat([rows.with_columns(pl.col("farm").alias("behind")).drop_nulls("farm") for rows in (own, booked)])
    for rows in (own, booked, both):
        for place, ticket, behind, bushels, key, first, last, farms in _behind_two(rows).iter_rows():
            before = told.setdefault(key, [])
            # Told already is what names these farms in this season: other farms, or another year's, are news.
            if rows is both and any(a <= last and first <= b and of.issuperset(farms) for a, b, of in before):
                continue
            before.append((first, last, set(farms)))
            said = f"Ticket {ticket} of {place} stands behind {' and '.join(behind)}."
            yield Discrepancy(DiscrepancyKind.SAME_TICKET, bushels, said)


def _named(portfolio: Portfolio, own: pl.DataFrame, booked: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the rows under the farms that their names mean: two spellings of one farm are no two farms."""
    recorded = read_records(portfolio, "farm", ("farm_id",))["farm_id"]
    names = farms_meant(pl.concat([own["farm"], booked["farm"]]), recorded).select(
        "name", pl.col("farm").alias("_farm")
    )
    own, booked = (
        rows.join(names, left_on="farm", right_on="name", how="left", maintain_order="left").with_columns(farm="_farm")
        for rows in (own, booked)
    )
    return own.with_columns(pl.format("{} {}", "farm", "behind").alias("behind")), booked


def _of_farms(portfolio: Portfolio) -> pl.DataFrame:
    rows = read_records(portfolio, "scale_ticket", _WANTED).drop_nulls(["farm_id", "buyer", "ticket_id"])
    behind = pl.format("{} {}", pl.col("crop").fill_null("crop"), pl.col("harvest_year").fill_null(0))
    return rows.select(
        pl.col("buyer").alias("place"), pl.col("ticket_id").alias("ticket"), behind.alias("behind"),
        pl.col("net_bushels").fill_null(0).alias("bushels"), pl.col("farm_id").alias("farm"),
        pl.coalesce("day", pl.date(pl.col("harvest_year"), 10, 1)).alias("day"),
    )  # fmt: skip


def _of_books(portfolio: Portfolio) -> pl.DataFrame:
    """Return the tickets of books; their farm and season are those of the report of their origin, where it is here."""
    reports = table(portfolio, REPORT).select("origin", "farm_id", "crop_year").collect()
    known = reports.drop_nulls().unique("origin", keep="any").select(
        "origin", tidy(pl.col("farm_id")).alias("farm"), pl.date(pl.col("crop_year"), 10, 1).alias("day")
    )  # fmt: skip
    rows = table(portfolio, TICKET).collect()
    return rows.join(known, left_on="behind", right_on="origin", how="left", maintain_order="left")


def _behind_two(rows: pl.DataFrame) -> pl.DataFrame:
    """Return tickets behind two names: ``place``, ``ticket``, ``behind``, the least bushels, a key, days and farms."""
    keys = [alike(pl.col(name)).alias(f"_{name}") for name in ("place", "ticket")]
    tidied = rows.with_columns(keys).filter(pl.len().over("_place", "_ticket") > 1)
    # A ticket without a day may be of any season: it counts with the first.
    since = pl.col("day").fill_null(pl.col("day").min()).over("_place", "_ticket")
    dated = tidied.with_columns(since.alias("day")).sort("_place", "_ticket", "day", maintain_order=True)
    later = (pl.col("day").diff() > _SEASON).fill_null(value=False).cum_sum().over("_place", "_ticket")
    found = (
        dated.with_columns(later.alias("_season"))
        .group_by("_place", "_ticket", "_season", maintain_order=True)
        .agg(
            pl.col("place", "ticket").min(),
            pl.col("behind").unique().sort(),
            pl.col("bushels").min(),
            pl.col("day").min().fill_null(_EVER[0]).alias("first"),
            pl.col("day").max().fill_null(_EVER[1]).alias("last"),
            pl.col("farm").drop_nulls().unique(),
        )
        .filter(pl.col("behind").list.len() > 1)
    )
    key = pl.concat_str("_place", pl.lit("\n"), "_ticket").alias("key")
    return found.select("place", "ticket", "behind", "bushels", key, "first", "last", "farm")
