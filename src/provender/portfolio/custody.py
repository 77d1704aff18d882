"""Books of custody as data sets: claims, reports, tickets, movements, declared periods and their signed statements.

A claim is a range of serials changing hands, as one source has it (``custody.queries.claims``). A movement is what came
to or left the stock of an entity, as the entity's own book has it; books of others tell of the same grain.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

import polars as pl

from provender.custody.memory_store import MemoryStore
from provender.custody.model.entities import Entity
from provender.custody.model.periods import Period
from provender.custody.queries.claim_rows import SCHEMA as CLAIM_SCHEMA
from provender.custody.queries.columns import legs_of
from provender.custody.queries.long_books import flows
from provender.custody.reconcile.gathered import Gathered
from provender.quantity import CI_SCALE, parse

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


def custody_frames(gathered: Gathered, movements: Movements) -> dict[str, pl.DataFrame]:
    """Return the data sets of the books and documents that were read."""
    names = gathered.names
    rows: dict[str, list[tuple[object, ...]]] = {
        CLAIM: [(names[one.source], *one[1:]) for one in gathered.standing()],
        ORIGIN: list(gathered.roots.items()),
        REPORT: [
            (one.farm, one.crop, one.harvest_year, origin, one.version, one.bushels, one.ci, one.made_on, one.digest,
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


def _statements(gathered: Gathered) -> Iterable[tuple[object, ...]]:
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
