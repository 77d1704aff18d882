"""``portfolio claims``: what only shows when the books, reports, tickets and fields of many parties lie side by side.

Claims are searched as numbers, part by part (below). Only the origins in which that leaves a doubt are
looked at claim by claim, by what ``custody reconcile`` looks with.
"""

from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import polars as pl

from provender.custody.events.reports import ReportEvent
from provender.custody.queries.claims import Claim
from provender.custody.queries.double_claims import SEED, day_of_order, party_number, suspects_by_number, too_soon
from provender.custody.reconcile.books import beyond, claim_discrepancies, origin_discrepancies
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.gathered import ReconcileInput
from provender.exact import show
from provender.portfolio import custody
from provender.portfolio.jobs import read_records
from provender.portfolio.layout import Portfolio, among_sound
from provender.portfolio.reading import alike, farms_meant, tidy
from provender.portfolio.validating import overlaps, unread_outlines
from provender.problem import Problem

# Which origins among a hundred million claims need a closer look: names become numbers as the claims are read.

_PART: Final = 2_000_000
"""Claims looked at at once. Half as many make twice as many files, whose writing grows faster than what they hold."""
_GATHERED: Final = 20_000
"""Rows of a part that are gathered before they are written. All parts gather at once, and memory that is given back in
between is asked for again page by page: ten times as many rows took three times as many pages. Codes of names are as
good as drawn at random, so that packing them takes time and saves nothing."""
TRANSFER_ONE: Final = 2**30
"""Of a transfer's number, what is below tells the transfers of one origin apart; what is above is the origin's code."""
_TOLD: Final = ("start", "stop", "giver", "taker")
_TRANSFER: Final = ("origin", "start", "stop", "giver", "taker", "key")


def code(name: str, seed: int = SEED) -> pl.Expr:
    """Return the code of the origin in a column: few of ten million share one with another."""
    return pl.col(name).hash(seed).floordiv(TRANSFER_ONE)


def part_of(name: str, parts: int, seed: int = SEED) -> pl.Expr:
    return (pl.col(name).hash(seed) % max(parts, 1)).cast(pl.UInt32)


@cache
def coding(seed: int = SEED) -> str:
    """Return Polars' version and what the numbers of some claims come to here: equal where names get equal numbers."""
    names = ["", "O1", "Prairie Königreich", "a name of more than sixteen letters", "of many letters " * 20]
    # One claim for each name in each place, beside the others, so that texts of every length are in every number.
    rows = [
        {"origin": name, "start": place, "stop": 2**33 + place, "giver": names[place - 1], "taker": names[place - 2],
         "key": names[place - 3], "source": names[place - 4], "kind": "sale", "day": date(2026, 1, 1)}
        for place, name in enumerate(names)
    ]  # fmt: skip
    numbers = numbered(pl.LazyFrame(rows), 7, seed).collect()
    return f"{pl.__version__} {sha256(repr(numbers.rows()).encode()).hexdigest()[:16]}"


def doubtful(claims: pl.LazyFrame, origins: pl.LazyFrame, *, part: int = _PART, count: int | None = None) -> pl.Series:
    """Return the codes of origins whose claims do not obviously form one chain, each once.

    A transfer told alike by several sources counts once. One that a source tells twice is a doubt by itself, and one
    that two sources cut differently leaves a sum: both are looked at closer.

    Args:
        claims: rows of ``custody.CLAIM``.
        origins: rows of ``custody.ORIGIN``.
        part: claims looked at at once.
        count: how many claims there are at most; counted where nobody knows.
    """
    count = claims.select(pl.len()).collect().item() if count is None else count
    parts = -(-count // part)
    known = origins.filter(pl.col("root").is_not_null())
    which = part_of("origin", parts).alias("part")
    roots = known.select(which, code("origin").alias("code"), party_number("root")).collect(engine="streaming")
    # Divided once: looking through all of them for each part would take the square of what there is.
    of_parts, none = roots.partition_by("part", as_dict=True, include_key=False), roots.clear().drop("part")
    del roots
    with TemporaryDirectory(prefix="provender-claims-") as folder:
        found = [
            of_part(rows, of_parts.get((number,), none).unique("code", keep="any"))
            for number, rows in _parts(numbered(claims, parts), parts, Path(folder))
        ]
    return pl.concat(found).unique() if found else pl.Series("code", [], pl.UInt64)


def numbered(claims: pl.LazyFrame, parts: int, seed: int = SEED) -> pl.LazyFrame:
    """Return claims as numbers: ``part``, ``transfer``, and from ``start`` to ``day`` as ``custody.CLAIM`` has them."""
    transfer = code("origin", seed) * TRANSFER_ONE + pl.struct(_TRANSFER).hash(seed) % TRANSFER_ONE
    return claims.select(
        part_of("origin", parts, seed).alias("part"), transfer.alias("transfer"), "start", "stop",
        party_number("giver", seed), party_number("taker", seed), pl.col("source").hash(seed).alias("source"),
        day_of_order(),
    )  # fmt: skip


def _parts(rows: pl.LazyFrame, count: int, folder: Path) -> Iterator[tuple[int, pl.DataFrame]]:
    """Yield number and claims of each part of whole origins; several lie on disk meanwhile."""
    if count <= 1:
        yield 0, rows.drop("part").collect(engine="streaming")
        return
    rows.sink_ipc(
        pl.PartitionBy(folder, key="part", include_key=False), mkdir=True, compression="uncompressed",
        record_batch_size=_GATHERED,
    )  # fmt: skip
    for inside in sorted(folder.iterdir()):
        found = pl.scan_ipc(sorted(one for one in inside.rglob("*") if one.is_file()), hive_partitioning=False)
        yield int(inside.name.rpartition("=")[2]), found.collect()


def of_part(rows: pl.DataFrame, roots: pl.DataFrame) -> pl.Series:
    """Return the codes of the doubtful origins of a part; ``roots``: ``code`` and ``root`` of the origins that have."""
    if rows.is_empty():
        return pl.Series("code", [], pl.UInt64)
    ordered = rows.sort("transfer")
    again = (pl.col("transfer") == pl.col("transfer").shift(1)).fill_null(value=False)
    unlike = again & pl.any_horizontal(pl.col(name) != pl.col(name).shift(1) for name in _TOLD)
    origin = (pl.col("transfer") // TRANSFER_ONE).alias("code")
    once = _earliest(ordered, again).select(origin, "start", "stop", "giver", "taker", "day")
    begins = (pl.col("code") != pl.col("code").shift(1)).fill_null(value=False)
    once = once.with_columns(begins.cum_sum().cast(pl.Int64).alias("origin"))
    codes = once.select("origin", "code").unique("origin", keep="first", maintain_order=True)
    known = codes.join(roots, on="code").select("origin", "root")
    wrong = pl.concat([suspects_by_number(once, known)["origin"], too_soon(once)["origin"]]).unique()
    not_alike = ordered.filter(unlike).select(origin)["code"]
    return pl.concat([codes["code"].gather(wrong), not_alike, _told_twice(ordered, origin)])


def _earliest(ordered: pl.DataFrame, again: pl.Expr) -> pl.DataFrame:
    """Return each transfer once, with the earliest day that a source has, as ``double_claims.counted_once`` counts it.

    One that undoes another somewhere has no day. Days differ for few of many million, so only those are looked at.
    """
    apart = again & pl.col("day").ne_missing(pl.col("day").shift(1))
    late = ordered.filter(apart)["transfer"].unique()
    once = ordered.filter(~again)
    if late.is_empty():
        return once
    dated = pl.when(pl.col("day").is_not_null().all()).then(pl.col("day").min()).alias("earliest")
    rows = ordered.filter(pl.col("transfer").is_in(late.implode())).group_by("transfer").agg(dated)
    day = pl.when(pl.col("transfer").is_in(late.implode())).then(pl.col("earliest")).otherwise(pl.col("day"))
    return once.join(rows, on="transfer", how="left", maintain_order="left").with_columns(day.alias("day"))


def _told_twice(ordered: pl.DataFrame, origin: pl.Expr) -> pl.Series:
    """Return the codes of origins of which one source tells a transfer twice."""
    same = [(pl.col("transfer") == pl.col("transfer").shift(by)).fill_null(value=False) for by in (1, 2)]
    pair = same[0] & (pl.col("source") == pl.col("source").shift(1))
    # Two that tell a transfer lie beside each other; among three or more the source may lie further away.
    several = ordered.filter(same[1])["transfer"].unique()
    rows = ordered.filter(pl.col("transfer").is_in(several.implode())) if several.len() else ordered.clear()
    apart = rows.group_by("transfer", "source").len().filter(pl.col("len") > 1)
    return pl.concat([ordered.filter(pair).select(origin)["code"], apart.select(origin)["code"]])


# Scale tickets that stand behind the bushels of two farms, or behind two origins.
#
# Scales begin their numbers anew: a ticket of the same number half a year apart is another one. Places and numbers
# count as the same when they look the same, since people type them anew from paper.

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
    reports = custody.table(portfolio, custody.REPORT).select("origin", "farm_id", "crop_year").collect()
    known = reports.drop_nulls().unique("origin", keep="any").select(
        "origin", tidy(pl.col("farm_id")).alias("farm"), pl.date(pl.col("crop_year"), 10, 1).alias("day")
    )  # fmt: skip
    rows = custody.table(portfolio, custody.TICKET).collect()
    return rows.join(known, left_on="behind", right_on="origin", how="left", maintain_order="left")


def _behind_two(rows: pl.DataFrame) -> pl.DataFrame:
    """Return tickets behind two names: ``place``, ``ticket``, ``behind``, the least bushels, a key, days and farms."""
    number = alike(pl.col("ticket")).str.replace(r"^0+([0-9]+)$", "${1}")  # zeros before it are lost in spreadsheets
    keys = [alike(pl.col("place")).alias("_place"), number.alias("_ticket")]
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


FINDING: Final = {"kind": pl.String, "bushels": pl.Int64, "message": pl.String, "cite": pl.String}
"""Columns of findings; ``bushels`` are those at stake, in whole thousandths."""


Search = Callable[[Portfolio, int], pl.Series]
"""What finds the codes of doubtful origins among the claims of a portfolio, so many claims at once."""


def here(portfolio: Portfolio, part: int) -> pl.Series:
    count = sum(one.rows for one in portfolio.parquet(custody.CLAIM))
    return doubtful(
        custody.table(portfolio, custody.CLAIM), custody.table(portfolio, custody.ORIGIN), part=part, count=count
    )


def claims_and_problems(portfolio: Portfolio, *, search: Search = here) -> tuple[pl.DataFrame, list[Problem]]:
    """Return what ``claims`` finds in the files that can be read, and all that is wrong with files and rows."""
    found, sound, broken = among_sound(portfolio, lambda one: claims(one, search=search))
    return found, [*portfolio.problems, *broken, *custody.custody_problems(sound), *unread_outlines(sound)]


def claims(portfolio: Portfolio, *, part: int = _PART, search: Search = here) -> pl.DataFrame:
    """Return everything that does not fit, the most bushels first; see ``FINDING``."""
    doubled = _double_claims(portfolio, part=part, search=search)
    found = [
        *doubled,
        *_beyond_reports(portfolio),
        *_second_origins(portfolio),
        *tickets(portfolio),
        *fields(portfolio),
    ]
    rows = [(str(one.kind), one.bushels, one.said, one.kind.cite) for one in found]
    return pl.DataFrame(rows, schema=FINDING, orient="row").sort(
        "bushels", "kind", "message", descending=[True, False, False]
    )


def _double_claims(portfolio: Portfolio, *, part: int = _PART, search: Search = here) -> Iterator[Discrepancy]:
    """Yield serials that are claimed twice, and chains that are broken."""
    codes = search(portfolio, part)
    if not codes.is_empty():
        near = code("origin").is_in(codes.implode())
        found: list[tuple[object, ...]] = []
        for rows in custody.tables(portfolio, custody.CLAIM):
            # As plain rows: a few texts of a frame would keep all texts of the file they were read from in memory.
            found += rows.filter(near).collect(engine="streaming").rows()
        yield from claim_discrepancies(
            _gathered(portfolio, pl.DataFrame(found, schema=custody.SCHEMAS[custody.CLAIM], orient="row"))
        )


def _gathered(portfolio: Portfolio, found: pl.DataFrame) -> ReconcileInput:
    """Return claims as ``custody reconcile`` would have gathered them."""
    origins = found["origin"].unique()
    books = custody.table(portfolio, custody.BOOK).collect()
    names = sorted({*found["source"], *books["source"]})
    number = {name: place for place, name in enumerate(names)}
    owners: list[set[str]] = [set() for _ in names]
    for source, owner in books.iter_rows():
        owners[number[source]].add(owner)
    claimed = [Claim(number[row["source"]], *list(row.values())[1:]) for row in found.iter_rows(named=True)]
    known = custody.table(portfolio, custody.ORIGIN).filter(
        pl.col("origin").is_in(origins.implode()) & pl.col("root").is_not_null()
    )
    roots = dict(known.collect(engine="streaming").iter_rows())
    return ReconcileInput(names=names, owners=[frozenset(one) for one in owners], claims=claimed, roots=roots)


def _beyond_reports(portfolio: Portfolio) -> Iterator[Discrepancy]:
    """Yield origins of which serials are claimed that no version of their report has: bushels out of nothing."""
    versions = (
        custody.table(portfolio, custody.REPORT)
        .group_by("origin", "version")
        .agg(pl.col("bushels").max())
        .sort("version")
    )
    # Serials that a version dropped stay void: what a later one adds follows on the last (``reports.issued_by``).
    added = pl.col("bushels").first() + pl.col("bushels").diff().clip(lower_bound=0).sum()
    whole = (pl.col("version").min() == 1) & (pl.col("version").max() == pl.len())
    ended = versions.group_by("origin", maintain_order=True).agg(added.alias("issued"), whole.alias("whole"))
    most = ended.filter("whole").drop("whole").collect()
    if most.is_empty():
        return
    over = (
        custody.table(portfolio, custody.CLAIM).join(most.lazy(), on="origin").filter(pl.col("stop") > pl.col("issued"))
    )
    ends = over.group_by("origin").agg(pl.col("issued").first(), pl.col("stop").max()).sort("origin")
    for origin, issued, stop in ends.collect(engine="streaming").iter_rows():
        yield beyond(origin, issued, stop)


def _second_origins(portfolio: Portfolio) -> Iterator[Discrepancy]:
    """Yield farms that have two origins of one crop and year, and versions of a report that differ.

    Whose name looks like a farm's is that farm (``reading.farms_meant``).
    """
    written = (
        custody.table(portfolio, custody.REPORT)
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
         ReportEvent(id="", day=row["made_on"], entity=row["farm_id"], crop=row["crop"], harvest_year=row["crop_year"],
                     bushels=row["bushels"], ci=row["ci"], version=row["version"], report=row["digest"]), row["origin"])
        for row in kept.iter_rows(named=True)
    ]  # fmt: skip
    yield from origin_discrepancies(ReconcileInput(names=names, reports=reports))


def fields(portfolio: Portfolio) -> Iterator[Discrepancy]:
    """Yield pairs of fields of two farms that lie on each other by more than an acre and bore feedstock in one year."""
    for row in overlaps(portfolio).iter_rows(named=True):
        places = " and ".join(f"{row[f'farm_{side}']} unit {row[f'unit_{side}']}" for side in ("a", "b"))
        said = f"{places} share {show(row['acres'])} acres in {row['crop_year']}."
        yield Discrepancy(DiscrepancyKind.SAME_FIELD, row["bushels"], said)
