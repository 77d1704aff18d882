"""What the records say of one crop on one unit, from the end of the crop before it to its own end."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from provender.rule.crops import Crop
from provender.rule.law import RuleVersion
from provender.standards.standard import CompleteList, Missing


class Row:
    """One record: its columns are its attributes, amounts in whole thousandths, blanks None."""

    id: str  # its key; several key columns beside the farm are joined by a slash

    def __getattr__(self, name: str) -> Any:
        """Return a column."""
        raise AttributeError(name)


class Pass(Row):
    """A field operation as its evidence bears it out; blank or void words are None."""

    known_by: str | None  # no stronger than its evidence (interpretation 62)
    evidenced: bool  # some evidence that it names is there, unchanged and of this unit
    group: str  # of the operations list; empty where the operation is not listed
    full_width: bool | None  # as it counts: what the farm admits, else the list's flag, else the farm's own
    primary_inversion: bool | None  # likewise
    sows: bool  # may have planted or drilled: the list says so, or does not know it
    works_ground: bool  # more than driving over it
    is_harvest: bool


class Cover(Row):
    """A cover crop before a production crop."""

    mix: tuple[Row, ...]  # its rows of cover_species
    species: tuple[Any, ...]  # catalog.plants.find_species of each of them, in the same order; None where not listed


class Application(Row):
    """A nutrient application."""

    listed: Any  # catalog.fertilizers.find_product; None where it is not listed
    n: int | None  # N, thousandths of a pound per acre: typed, else from grade and rate
    synthetic: bool | None  # synthetic N that every requirement speaks of: a trace or no N at all is False
    trace: bool  # a trace (interpretation 21)

    def pounds(self, nutrient: str) -> int | None:
        """Return thousandths of a pound per acre of ``n``, ``p2o5`` or ``k2o``: typed, else ``given``."""
        raise NotImplementedError

    def given(self, nutrient: str) -> int | None:
        """Return what grade and rate give of a nutrient; None where either is unknown."""
        raise NotImplementedError


@dataclass(frozen=True)
class Stand:
    """One crop of a unit: entries of one harvest joined (interpretation 66)."""

    harvest_id: str  # of the first entry
    harvest_ids: tuple[str, ...]  # of all entries of this harvest
    crop: str
    use: str | None
    ending: str  # harvested or terminated
    first_day: date | None
    last_day: date | None
    bushels: int | None
    termination_record: str | None
    harvest_year: int | None
    planted_on: date | None  # the first planting that its first entry has on record


@dataclass(frozen=True)
class Answer:
    """An answer of the declaration that counts (interpretation 2): a no counts only from the end of the interval on."""

    value: bool | None
    row: str  # key of the declaration; empty where there is none


class FarmRows:
    """All rows of a farm by kind: ``rows["evidence"]`` is a tuple of rows."""

    def __getitem__(self, kind: str) -> tuple[Row, ...]:
        """Return all rows of a kind, and note that it was read."""
        raise NotImplementedError

    def of_unit(self, kind: str, unit_id: str) -> tuple[Row, ...]:
        """Return the rows of a kind that name a unit."""
        raise NotImplementedError

    def naming(self, kind: str, column: str, key: str) -> tuple[Row, ...]:
        """Return the rows of a kind whose column holds a key, such as ``("budget_source", "budget_id", ...)``."""
        raise NotImplementedError


class Season:
    """One closed crop interval of one unit, with the records of its farm."""

    rows: FarmRows  # all rows of the farm
    law: RuleVersion  # the version of the rule that governs the crop
    crop: Crop
    harvest: Stand
    closes_on: date  # the last day of the crop

    # Properties in fact: reading one notes which kinds of record it rests on.
    unit: Row
    state: str | None  # two letters
    acres: int | None
    starts_on: date | None  # the first day on which the crop before ended
    crop_before: Stand | None  # the crop whose end starts the interval, a stand that was given up included
    failed_stands: tuple[Stand, ...]  # stands of this season that were given up and replanted, the latest first
    season_before: Stand | None  # the crop before the first stand of this season
    passes: tuple[Pass, ...]  # of the interval
    season_passes: tuple[Pass, ...]  # of the interval and of the failed stands before it
    undated_passes: tuple[Pass, ...]  # of the unit; each may lie in any interval
    all_passes: CompleteList  # ``passes``, with every reason why one may be missing
    plantings: tuple[Row, ...]
    first_planting: date | None  # None unless the days of all plantings are known
    last_planting: date | None  # likewise
    covers: tuple[Cover, ...]
    cover_first: date | None  # the first known seeding
    covers_ended: tuple[date, ...]  # known terminations
    applications: tuple[Application, ...]  # for this crop, by the crop they name, else by day
    synthetic: tuple[Application, ...]  # those that are or may be synthetic N
    all_applications: CompleteList  # ``applications``, with every reason why one may be missing
    on_standing_cover: tuple[Application, ...]  # of earlier intervals, on a cover of this crop (interpretations 15, 23)
    lost_applications: tuple[Row, ...]  # of the unit, without a day and without a crop
    budget: Row | None  # the first one made
    sources: Mapping[str, Row]  # rows of the budget by source
    soil_test: Row | None  # which the budget names, where it is of this unit
    opinion: Row | None  # which the budget names
    plan_in_time: bool  # the budget was made before the first day of harvest
    in_season_tests: tuple[Row, ...]

    def names_crop(self, application: Application) -> bool:
        """Tell whether an application names the crop it belongs to."""
        raise NotImplementedError

    def answer(self, name: str) -> Answer:
        """Return what the declaration answers to a question, as far as it counts."""
        raise NotImplementedError

    def control_missing(self) -> Iterator[Missing]:
        """Yield what lacks for the days before the producer had control (interpretation 68)."""
        raise NotImplementedError

    def rows_of_crop(self, kind: str) -> tuple[Row, ...]:
        """Return the rows of a kind that name this crop or a failed stand of its season."""
        raise NotImplementedError
