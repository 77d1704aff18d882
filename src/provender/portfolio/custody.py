"""Books of custody as data sets: claims, reports, tickets, movements, declared periods and their signed statements.

A claim is a range of serials changing hands, as one source has it (``custody.queries.claims``). A movement is what came
to or left the stock of an entity, as the entity's own book has it; books of others tell of the same grain.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Final

import polars as pl

from provender.custody.model.entities import Entity, Period
from provender.custody.queries.columns import balances_of_days, flows, legs_of
from provender.custody.queries.double_claims import SCHEMA as CLAIM_SCHEMA
from provender.custody.reconcile.gathered import ReconcileInput
from provender.custody.store import MemoryStore
from provender.exact import CI_SCALE, parse
from provender.portfolio.layout import FAILURES, Portfolio, among_sound, unreadable, words
from provender.problem import Place, Problem

CLAIM: Final = "claim"
ORIGIN: Final = "origin"
REPORT: Final = "origin_report"
TICKET: Final = "ticket"
BOOK: Final = "book"
MOVEMENT: Final = "movement"
PERIOD: Final = "period"
STATEMENT: Final = "statement"
EQUATION: Final = ("crop", "crop_year", "ci")
"""What an equation is about; ``crop_year`` is the harvest year, under a name that is no partition key."""

SCHEMAS: Final[Mapping[str, Mapping[str, pl.DataType | type[pl.DataType]]]] = {
    CLAIM: {**CLAIM_SCHEMA, "source": pl.String},
    ORIGIN: {"origin": pl.String, "root": pl.String},
    REPORT: {
        "farm_id": pl.String, "crop": pl.String, "crop_year": pl.Int32, "origin": pl.String, "version": pl.Int32,
        "bushels": pl.Int64, "ci": pl.Int64, "made_on": pl.Date, "digest": pl.String, "source": pl.String,
    },
    TICKET: {"place": pl.String, "ticket": pl.String, "behind": pl.String, "bushels": pl.Int64},
    BOOK: {"source": pl.String, "owner": pl.String},
    MOVEMENT: {
        "entity": pl.String, "crop": pl.String, "crop_year": pl.Int32, "ci": pl.Int64, "day": pl.Date,
        "came": pl.Int64, "went": pl.Int64, "source": pl.String,
    },
    PERIOD: {"entity": pl.String, "start": pl.Date, "end": pl.Date, "source": pl.String},
    STATEMENT: {
        "entity": pl.String, "start": pl.Date, "end": pl.Date, "crop": pl.String, "crop_year": pl.Int32,
        "ci": pl.Int64, "beginning": pl.Int64, "incoming": pl.Int64, "outgoing": pl.Int64, "ending": pl.Int64,
        "source": pl.String,
    },
}  # fmt: skip
"""Bushels in whole thousandths, CI in whole hundredths of a gram CO2e per bushel."""


@dataclass(slots=True)
class Movements:
    """What came and went in the books seen so far, and their declared periods."""

    frames: list[pl.DataFrame] = field(default_factory=list)
    periods: list[tuple[str, date, date, str]] = field(default_factory=list)

    def add(self, name: str, store: MemoryStore, owner: str) -> None:
        """Add a book: of one owner, or of every entity with periods in it."""
        legs = legs_of(store, store.events())
        entities = [one.id for one in store.many(Entity, "") if one.keeps_balance and owner in ("", one.id)]
        mine = [number for number, party in enumerate(legs.parties) if party in entities]
        keys = pl.DataFrame(
            {
                "key": pl.Series(range(len(legs.keys)), dtype=pl.Int32),
                "crop": pl.Series([key.crop for key in legs.keys], dtype=pl.String),
                "crop_year": pl.Series([key.harvest_year for key in legs.keys], dtype=pl.Int32),
                "ci": pl.Series([key.ci for key in legs.keys], dtype=pl.Int64),
            }
        )
        parties = pl.DataFrame(
            {
                "owner": pl.Series(range(len(legs.parties)), dtype=pl.Int32),
                "entity": pl.Series(legs.parties, dtype=pl.String),
            }
        )
        moved = flows(legs.frame).filter(pl.col("owner").is_in(mine)).join(keys, on="key").join(parties, on="owner")
        self.frames.append(moved.with_columns(pl.lit(name).alias("source")).select(list(SCHEMAS[MOVEMENT])))
        self.periods += [
            (one, period.start, period.end, name) for one in entities for period in store.many(Period, one)
        ]

    def take(self, other: "Movements") -> None:
        """Add what was seen of other books apart."""
        self.frames += other.frames
        self.periods += other.periods


def custody_frames(gathered: ReconcileInput, movements: Movements) -> dict[str, pl.DataFrame]:
    """Return the data sets of the books and documents that were read."""
    names = gathered.names
    rows: dict[str, list[tuple[object, ...]]] = {
        CLAIM: [(names[one.source], *one[1:]) for one in gathered.standing()],
        ORIGIN: list(gathered.roots.items()),
        REPORT: [
            (one.entity, one.crop, one.harvest_year, origin, one.version, one.bushels, one.ci, one.day, one.report,
             names[source])
            for source, one, origin in gathered.reports
        ],
        TICKET: [
            (place, ticket, name, bushels)
            for (place, ticket), behind in gathered.tickets.items()
            for name, bushels in behind.items()
        ],
        BOOK: [(names[source], owner) for source, owners in enumerate(gathered.owners) for owner in sorted(owners)],
        PERIOD: list(movements.periods),
        STATEMENT: list(_statements(gathered)),
    }  # fmt: skip
    found = {name: pl.DataFrame(of, schema=dict(SCHEMAS[name]), orient="row") for name, of in rows.items()}
    moved = [*movements.frames, pl.DataFrame(schema=dict(SCHEMAS[MOVEMENT]))]
    return {**found, MOVEMENT: pl.concat(moved)}


def _statements(gathered: ReconcileInput) -> Iterable[tuple[object, ...]]:
    """Yield the lines of period statements; what cannot be read is left to ``custody reconcile``, which tells of it."""
    for source, balance in gathered.periods:
        try:
            start, end = (date.fromisoformat(str(balance[name])) for name in ("start", "end"))
            for line in balance["lines"]:
                amounts = (parse(str(line[f"{name}_bu"])) for name in ("beginning", "incoming", "outgoing", "ending"))
                ci = parse(str(line["ci_g_per_bu"]), CI_SCALE)
                head = (str(balance["entity"]), start, end, str(line["crop"]), int(line["harvest_year"]), ci)
                yield (*head, *amounts, gathered.names[source])
        except (KeyError, TypeError, ValueError, AttributeError):
            continue


# The rows of books of custody as whoever wrote them: typed by their schemas, and what no search can use told.
#
# A claim without serials, or a movement below nothing, says nothing that can be searched or summed; it is left out of
# the searches and told with its file, never dropped in silence.

_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    CLAIM: ("source", "kind", "key", "origin", "start", "stop", "giver", "taker", "day"), ORIGIN: ("origin",),
    REPORT: ("farm_id", "crop", "crop_year", "origin", "version", "bushels"), TICKET: ("place", "ticket", "behind"),
    MOVEMENT: ("entity", "day", "came", "went"), PERIOD: ("entity", "start", "end"),
    STATEMENT: ("entity", "start", "ending"),
}  # fmt: skip
"""Columns without which a row says nothing."""
_RIGHT: Final[Mapping[str, pl.Expr]] = {
    CLAIM: (pl.col("start") >= 0) & (pl.col("start") < pl.col("stop")),
    REPORT: pl.col("bushels") >= 0,
    TICKET: pl.col("bushels").fill_null(0) >= 0,
    MOVEMENT: (pl.col("came") >= 0) & (pl.col("went") >= 0),
    PERIOD: pl.col("start") <= pl.col("end"),
}
_SAYS: Final[Mapping[str, str]] = {
    CLAIM: "serials that begin at nothing or more and end after they begin",
    REPORT: "bushels of nothing or more", TICKET: "bushels of nothing or more",
    MOVEMENT: "bushels of nothing or more, come or gone", PERIOD: "an end that is not before the start",
}  # fmt: skip


def usable(data_set: str) -> pl.Expr:
    known = pl.all_horizontal(pl.col(name).is_not_null() for name in _NEEDED.get(data_set, ("source",)))
    return known & _RIGHT[data_set] if data_set in _RIGHT else known


def table(portfolio: Portfolio, data_set: str) -> pl.LazyFrame:
    """Return the usable rows of a data set of custody with the columns of its schema; none where there is no file."""
    return (
        pl.concat(scans) if (scans := [*tables(portfolio, data_set)]) else pl.LazyFrame(schema=dict(SCHEMAS[data_set]))
    )


def tables(portfolio: Portfolio, data_set: str) -> Iterator[pl.LazyFrame]:
    """Yield the same file by file, for whoever takes little out of much: read at once, many files fill the memory."""
    scans = (usable_rows(portfolio.root / one.path, data_set) for one in portfolio.parquet(data_set))
    return (rows for rows in scans if rows is not None)


def usable_rows(path: Path, data_set: str, offset: int = 0, length: int | None = None) -> pl.LazyFrame | None:
    """Scan the usable rows among some of a file; names count without case. None where it has not the columns.

    A row with a cell that is nothing of its column's type, a text among the bushels, is no usable one.
    """
    # Of many files read side by side fewer row groups are fetched ahead: a gigabyte less, and no slower.
    lazy = pl.scan_parquet(path, hive_partitioning=False, glob=False, low_memory=True).slice(offset, length)
    try:
        written = lazy.collect_schema()
        names = {name.casefold(): name for name in written}
        wanted = {name: (names[name], of) for name, of in SCHEMAS[data_set].items()}
        others = {name: of for name, of in wanted.values() if written[name] != of}
        for name, of in others.items():
            pl.Series([None], dtype=written[name]).cast(of)
    except (KeyError, *FAILURES):
        return None
    sound = [~_lost(pl.col(name), written[name], of) for name, of in others.items()]
    typed = [pl.col(name).cast(of, strict=False).alias(column) for column, (name, of) in wanted.items()]
    return (lazy.filter(*sound) if sound else lazy).select(typed).filter(usable(data_set))


def _lost(cell: pl.Expr, written: pl.DataType, of: pl.DataType | type[pl.DataType]) -> pl.Expr:
    """Return whether a cell says something that its column's type cannot hold; half a thousandth is none either."""
    value = cell.cast(of, strict=False)
    lost = cell.is_not_null() & value.is_null()
    return lost | (value != cell).fill_null(value=False) if written.is_float() or written.is_decimal() else lost


def custody_problems(portfolio: Portfolio) -> Iterator[Problem]:
    """Tell of files of custody that cannot be read, and of rows that no search can use."""
    for one in portfolio.parquet(*SCHEMAS):
        rows = usable_rows(portfolio.root / one.path, one.data_set)
        place = Place(one.path)
        try:
            bad = 0 if rows is None else one.rows - rows.select(pl.len()).collect(engine="streaming").item()
        except FAILURES as failed:
            yield unreadable(one.path, words(failed))
            continue
        if rows is None:
            columns = ", ".join(SCHEMAS[one.data_set])
            cause = f"The file has not the columns of {one.data_set}, or something else in them."
            yield Problem(place, cause, f"Write {columns}, of their types.", code="unreadable_file")
        elif bad:
            cause = f"{bad:,} of {one.rows:,} rows cannot be used and are left out."
            remedy = f"Every row needs {', '.join(_NEEDED.get(one.data_set, ('source',)))} of their types"
            remedy += f", and {_SAYS[one.data_set]}." if one.data_set in _SAYS else "."
            yield Problem(place, cause, remedy, code="unusable_rows")


# ``portfolio book``: balances of every entity, crop, year, CI and period, against the signed period statements.
#
# Movements are grouped by day as they are scanned, in bounded memory; what is left is small, and the equation of
# 2100.034(d) runs over it as over one book (``custody.queries.columns``).

_BALANCE: Final = {
    "entity": pl.String, "crop": pl.String, "crop_year": pl.Int32, "ci": pl.Int64, "start": pl.Date, "end": pl.Date,
    "beginning": pl.Int64, "incoming": pl.Int64, "outgoing": pl.Int64, "ending": pl.Int64, "stated": pl.Int64,
    "differs": pl.Boolean,
}  # fmt: skip
"""``stated``: ending of the period's statement, null where none is at hand; ``differs``: it says other than ours."""
_AMOUNTS: Final = ("beginning", "incoming", "outgoing", "ending")
_KEY: Final = ("entity", "start", *EQUATION)


Sums = Callable[[Portfolio, pl.DataFrame], pl.DataFrame]
"""What sums up the movements of entities with periods (``entity``, ``start``, ``end``): ``came`` and ``went`` by
``entity``, equation and ``day``, a day of each stretch in which no period begins or ends."""


def here(portfolio: Portfolio, declared: pl.DataFrame) -> pl.DataFrame:
    """Sum up on this machine."""
    moved = table(portfolio, MOVEMENT)
    placed = moved.join(_stretches(moved, declared), on="day").drop("day").rename({"stretch": "day"})
    mine = placed.filter(pl.col("entity").is_in(declared["entity"].unique().implode()))
    return mine.group_by("entity", *EQUATION, "day").agg(pl.col("came", "went").sum()).collect(engine="streaming")


def balances_and_problems(portfolio: Portfolio, *, sums: Sums = here) -> tuple[pl.DataFrame, list[Problem]]:
    """Return the equations over the files that can be read, and all that is wrong with files and rows."""
    lines, sound, broken = among_sound(portfolio, lambda one: balances(one, sums=sums))
    return lines, [*portfolio.problems, *broken, *custody_problems(sound)]


def balances(portfolio: Portfolio, *, sums: Sums = here) -> pl.DataFrame:
    """Return the equations of every entity that declared periods; see ``_BALANCE``."""
    # A period that lacks one of the three bounds nothing; what its entity states then has no equation beside it.
    declared = table(portfolio, PERIOD).select("entity", "start", "end").drop_nulls().unique().collect()
    days = sums(portfolio, declared)
    owners = _numbered(pl.concat([days.select("entity"), declared.select("entity")]), "owner")
    keys = _numbered(days.select(EQUATION), "key")
    found = balances_of_days(
        days.join(owners, on="entity")
        .join(keys, on=EQUATION, nulls_equal=True)
        .select("owner", "key", "day", "came", "went"),
        declared.join(owners, on="entity").select("owner", "start", "end").sort("owner", "start"),
    )
    named = found.join(owners, on="owner").join(keys, on="key").drop("owner", "key")
    return _against_statements(portfolio, named)


def _stretches(moved: pl.LazyFrame, declared: pl.DataFrame) -> pl.LazyFrame:
    """Return for each day of a movement the first such day since which no period of anybody began or ended.

    What moved in such a stretch lies in the same period, whoever's it is, so it is summed up before anything is sorted.
    """
    borders = pl.concat([declared["start"], declared["end"].dt.offset_by("1d")]).unique().sort()
    days = moved.select("day").unique().drop_nulls().collect(engine="streaming").sort("day")
    stretch = pl.Series(borders.search_sorted(days["day"], side="right"))
    return days.with_columns(pl.col("day").min().over(stretch).alias("stretch")).lazy()


def _numbered(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    found = rows.unique().sort(rows.columns)
    return found.with_columns(pl.Series(name, range(found.height), dtype=pl.Int32))


def _against_statements(portfolio: Portfolio, ours: pl.DataFrame) -> pl.DataFrame:
    """Put the stated ending beside ours; an equation that only one of the two has counts as zero in the other.

    It differs where any of the four amounts does, in any of the statements where there are several.
    """
    stated = table(portfolio, STATEMENT).collect()
    bounds = {f"{name} {bound}": name for name in _AMOUNTS for bound in ("least", "most")}
    ends = stated.group_by(_KEY).agg(
        pl.col("end").first().alias("stated_end"), pl.col("ending").first().alias("stated"),
        *(pl.col(name).min().alias(f"{name} least") for name in _AMOUNTS),
        *(pl.col(name).max().alias(f"{name} most") for name in _AMOUNTS),
    )  # fmt: skip
    closed = stated.select("entity", "start").unique().with_columns(pl.lit(value=True).alias("closed"))
    both = ours.join(ends, on=_KEY, how="full", coalesce=True, nulls_equal=True).join(
        closed, on=["entity", "start"], how="left"
    )
    filled = both.with_columns(
        pl.col(_AMOUNTS).fill_null(0),
        pl.coalesce("end", "stated_end").alias("end"),
        pl.when("closed").then(pl.col("stated").fill_null(0)).alias("stated"),
        # Of what it leaves out only the ending is nothing: it need not tell what came and went whole.
        pl.when(pl.col("closed") & pl.col("stated").is_null()).then(0)
        .otherwise(pl.col("ending least", "ending most")).name.keep(),
    )  # fmt: skip
    differs = pl.any_horizontal((pl.col(said) != pl.col(name)).fill_null(value=False) for said, name in bounds.items())
    return filled.with_columns(differs.alias("differs")).select(list(_BALANCE)).sort(_KEY)
