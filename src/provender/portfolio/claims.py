"""``portfolio claims``: what only shows when the books, reports, tickets and fields of many parties lie side by side.

Claims are searched as numbers, part by part (``doubtful_origins``). Only the origins in which that leaves a doubt are
looked at claim by claim, by what ``custody reconcile`` looks with.
"""

from collections.abc import Callable, Iterator
from typing import Final

import polars as pl

from provender.custody.documents.read import FarmReport
from provender.custody.queries.claims import Claim
from provender.custody.reconcile.books import claim_discrepancies, origin_discrepancies
from provender.custody.reconcile.discrepancies import CITES, Discrepancy, DiscrepancyKind
from provender.custody.reconcile.gathered import Gathered
from provender.custody.reconcile.report_behind import beyond
from provender.portfolio.custody import BOOK, CLAIM, ORIGIN, REPORT, SCHEMAS
from provender.portfolio.custody_rows import custody_problems, files, table, tables
from provender.portfolio.doubtful_origins import PART, code, doubtful
from provender.portfolio.jobs import read_records
from provender.portfolio.on_disk import Portfolio
from provender.portfolio.outlines import unread_outlines
from provender.portfolio.polygons import overlaps
from provender.portfolio.spelling import farms_meant, tidy
from provender.portfolio.tickets import tickets
from provender.portfolio.unreadable import among_sound
from provender.problem import Problem
from provender.quantity import show

FINDING: Final = {"kind": pl.String, "bushels": pl.Int64, "message": pl.String, "cite": pl.String}
"""Columns of findings; ``bushels`` are those at stake, in whole thousandths."""


Search = Callable[[Portfolio, int], pl.Series]
"""What finds the codes of doubtful origins among the claims of a portfolio, so many claims at once."""


def here(portfolio: Portfolio, part: int) -> pl.Series:
    """Search on this machine."""
    count = sum(one.rows for one in files(portfolio, CLAIM))
    return doubtful(table(portfolio, CLAIM), table(portfolio, ORIGIN), part=part, count=count)


def claims_and_problems(portfolio: Portfolio, *, search: Search = here) -> tuple[pl.DataFrame, list[Problem]]:
    """Return what ``claims`` finds in the files that can be read, and all that is wrong with files and rows."""
    found, sound, broken = among_sound(portfolio, lambda one: claims(one, search=search))
    return found, [*portfolio.problems, *broken, *custody_problems(sound), *unread_outlines(sound)]


def claims(portfolio: Portfolio, *, part: int = PART, search: Search = here) -> pl.DataFrame:
    """Return everything that does not fit, the most bushels first; see ``FINDING``."""
    doubled = double_claims(portfolio, part=part, search=search)
    found = [*doubled, *beyond_reports(portfolio), *second_origins(portfolio), *tickets(portfolio), *fields(portfolio)]
    rows = [(str(one.kind), one.bushels, one.said, CITES[one.kind]) for one in found]
    return pl.DataFrame(rows, schema=FINDING, orient="row").sort(
        "bushels", "kind", "message", descending=[True, False, False]
    )


def double_claims(portfolio: Portfolio, *, part: int = PART, search: Search = here) -> Iterator[Discrepancy]:
    """Yield serials that are claimed twice, and chains that are broken."""
    codes = search(portfolio, part)
    if not codes.is_empty():
        near = code("origin").is_in(codes.implode())
        found: list[tuple[object, ...]] = []
        for rows in tables(portfolio, CLAIM):
            # As plain rows: a few texts of a frame would keep all texts of the file they were read from in memory.
            found += rows.filter(near).collect(engine="streaming").rows()
        yield from claim_discrepancies(_gathered(portfolio, pl.DataFrame(found, schema=SCHEMAS[CLAIM], orient="row")))


def _gathered(portfolio: Portfolio, found: pl.DataFrame) -> Gathered:
    """Return claims as ``custody reconcile`` would have gathered them."""
    origins = found["origin"].unique()
    books = table(portfolio, BOOK).collect()
    names = sorted({*found["source"], *books["source"]})
    number = {name: place for place, name in enumerate(names)}
    owners: list[set[str]] = [set() for _ in names]
    for source, owner in books.iter_rows():
        owners[number[source]].add(owner)
    claimed = [Claim(number[row["source"]], *list(row.values())[1:]) for row in found.iter_rows(named=True)]
    known = table(portfolio, ORIGIN).filter(pl.col("origin").is_in(origins.implode()) & pl.col("root").is_not_null())
    roots = dict(known.collect(engine="streaming").iter_rows())
    return Gathered(names=names, owners=[frozenset(one) for one in owners], claims=claimed, roots=roots)


def beyond_reports(portfolio: Portfolio) -> Iterator[Discrepancy]:
    """Yield origins of which serials are claimed that no version of their report has: bushels out of nothing."""
    versions = table(portfolio, REPORT).group_by("origin", "version").agg(pl.col("bushels").max()).sort("version")
    # Serials that a version dropped stay void: what a later one adds follows on the last (``report_behind.issued_by``).
    added = pl.col("bushels").first() + pl.col("bushels").diff().clip(lower_bound=0).sum()
    whole = (pl.col("version").min() == 1) & (pl.col("version").max() == pl.len())
    ended = versions.group_by("origin", maintain_order=True).agg(added.alias("issued"), whole.alias("whole"))
    most = ended.filter("whole").drop("whole").collect()
    if most.is_empty():
        return
    over = table(portfolio, CLAIM).join(most.lazy(), on="origin").filter(pl.col("stop") > pl.col("issued"))
    ends = over.group_by("origin").agg(pl.col("issued").first(), pl.col("stop").max()).sort("origin")
    for origin, issued, stop in ends.collect(engine="streaming").iter_rows():
        yield beyond(origin, issued, stop)


def second_origins(portfolio: Portfolio) -> Iterator[Discrepancy]:
    """Yield farms that have two origins of one crop and year, and versions of a report that differ.

    Whose name looks like a farm's is that farm (``spelling.farms_meant``).
    """
    written = (
        table(portfolio, REPORT)
        .with_columns(tidy(pl.col("farm_id")), pl.col("crop").str.strip_chars().str.to_lowercase())
        .collect()
    )
    known = read_records(portfolio, "farm", ("farm_id",)).select(tidy(pl.col("farm_id"))).to_series()
    shown = pl.when(pl.col("also").list.len() > 0).then(
        pl.format("{} (also {})", "farm", pl.col("also").list.join(", "))
    )
    meant = farms_meant(written["farm_id"], known).select("name", shown.otherwise("farm").alias("_shown"))
    rows = written.join(meant, left_on="farm_id", right_on="name", maintain_order="left").with_columns(
        pl.col("_shown").alias("farm_id")
    )
    key = ["farm_id", "crop", "crop_year"]
    several = rows.group_by(key).agg(
        pl.col("origin").n_unique().alias("origins"), pl.struct("version", "bushels", "ci").n_unique().alias("texts"),
        pl.col("version").n_unique().alias("versions"),
    ).filter((pl.col("origins") > 1) | (pl.col("texts") > pl.col("versions")))  # fmt: skip
    kept = rows.join(several.select(key), on=key, how="semi")
    names = kept["source"].unique().sort().to_list()
    reports = [
        (names.index(row["source"]),
         FarmReport(row["farm_id"], row["crop"], row["crop_year"], row["bushels"], row["ci"], row["version"], "",
                    row["made_on"], row["digest"]), row["origin"])
        for row in kept.iter_rows(named=True)
    ]  # fmt: skip
    yield from origin_discrepancies(Gathered(names=names, reports=reports))


def fields(portfolio: Portfolio) -> Iterator[Discrepancy]:
    """Yield pairs of fields of two farms that lie on each other by more than an acre and bore feedstock in one year."""
    for row in overlaps(portfolio).iter_rows(named=True):
        places = " and ".join(f"{row[f'farm_{side}']} unit {row[f'unit_{side}']}" for side in ("a", "b"))
        said = f"{places} share {show(row['acres'])} acres in {row['crop_year']}."
        yield Discrepancy(DiscrepancyKind.SAME_FIELD, row["bushels"], said)
