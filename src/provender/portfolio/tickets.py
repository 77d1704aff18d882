"""Scale tickets that stand behind the bushels of two farms, or behind two origins.

Scales begin their numbers anew: a ticket of the same number half a year apart is another one. Places and numbers count
as the same when they look the same, since people type them anew from paper.
"""

from collections.abc import Iterator
from typing import Final

import polars as pl

from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.portfolio.custody import REPORT, TICKET
from provender.portfolio.custody_rows import table
from provender.portfolio.jobs import Portfolio, read_records
from provender.portfolio.spelling import alike

_SEASON: Final = pl.duration(days=180)
_WANTED: Final = ("farm_id", "buyer", "ticket_id", "net_bushels", "crop", "harvest_year", "day")


def tickets(portfolio: Portfolio) -> Iterator[Discrepancy]:
    """Yield tickets behind two farms' records, behind two origins in books, and of one farm here and another there."""
    own, booked = _of_farms(portfolio), _of_books(portfolio)
    told: set[tuple[str, str]] = set()
    both = pl.concat([rows.with_columns(pl.col("farm").alias("behind")).drop_nulls("farm") for rows in (own, booked)])
    for rows in (own, booked, both):
        for place, ticket, behind, bushels, key in _behind_two(rows).iter_rows():
            if rows is both and key in told:
                continue
            told.add(key)
            said = f"Ticket {ticket} of {place} stands behind {' and '.join(behind)}."
            yield Discrepancy(DiscrepancyKind.SAME_TICKET, bushels, said)


def _of_farms(portfolio: Portfolio) -> pl.DataFrame:
    rows = read_records(portfolio, "scale_ticket", _WANTED).drop_nulls(["farm_id", "buyer", "ticket_id"])
    behind = pl.format("{} {} {}", "farm_id", pl.col("crop").fill_null("crop"), pl.col("harvest_year").fill_null(0))
    return rows.select(
        pl.col("buyer").alias("place"), pl.col("ticket_id").alias("ticket"), behind.alias("behind"),
        pl.col("net_bushels").fill_null(0).alias("bushels"), pl.col("farm_id").alias("farm"),
        pl.coalesce("day", pl.date(pl.col("harvest_year"), 10, 1)).alias("day"),
    )  # fmt: skip


def _of_books(portfolio: Portfolio) -> pl.DataFrame:
    """Return the tickets of books; their farm and season are those of the report of their origin, where it is here."""
    reports = table(portfolio, REPORT).select("origin", "farm_id", "crop_year").collect()
    known = reports.drop_nulls().unique("origin", keep="any").select(
        "origin", pl.col("farm_id").alias("farm"), pl.date(pl.col("crop_year"), 10, 1).alias("day")
    )  # fmt: skip
    rows = table(portfolio, TICKET).collect()
    return rows.join(known, left_on="behind", right_on="origin", how="left", maintain_order="left")


def _behind_two(rows: pl.DataFrame) -> pl.DataFrame:
    """Return tickets behind two names: ``place``, ``ticket``, ``behind``, the least bushels, and a key."""
    keys = [alike(pl.col(name)).alias(f"_{name}") for name in ("place", "ticket")]
    tidied = rows.with_columns(keys).filter(pl.len().over("_place", "_ticket") > 1)
    # A ticket without a day may be of any season: it counts with the first.
    since = pl.col("day").fill_null(pl.col("day").min()).over("_place", "_ticket")
    dated = tidied.with_columns(since.alias("day")).sort("_place", "_ticket", "day", maintain_order=True)
    later = (pl.col("day").diff() > _SEASON).fill_null(value=False).cum_sum().over("_place", "_ticket")
    found = (
        dated.with_columns(later.alias("_season"))
        .group_by("_place", "_ticket", "_season", maintain_order=True)
        .agg(pl.col("place", "ticket").min(), pl.col("behind").unique().sort(), pl.col("bushels").min())
        .filter(pl.col("behind").list.len() > 1)
    )
    return found.select("place", "ticket", "behind", "bushels", pl.concat_str("_place", pl.lit("\n"), "_ticket"))
