"""What a crop that is not harvested yet asks for: now, by a day that does not come again, or later in its season.

None of it stands before a signature: no report holds the crop. Asked is what the farm claims of it, and a cover crop
once it is recorded.
"""

from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple

from provender.catalog.counties import find_county
from provender.database.actor import today
from provender.practices.explain import Standing
from provender.records import KINDS
from provender.records.field import ColumnKind
from provender.records.labels import starting_small
from provender.rule.season import MonthDay
from provender.rule.version import rule_version
from provender.services.farm.against import why_against
from provender.services.farm.book import FarmBook
from provender.services.farm.claims import claims_of
from provender.services.farm.gap_rows import gap_row
from provender.services.farm.growing import HARVEST, LATER, growing_crops, growing_of, named

Record = Mapping[str, str]
ENDED: Final = frozenset({"terminated_on", "termination_method"})
PHOTOGRAPH: Final = "established_photo"
COVER: Final = "cover_crop"
BEFORE: Final = "(the crop before"
"""How a gap begins that the crop entry before closes, which can be written at any time."""
NEXT_PASS: Final = frozenset({
    "(no planting or seeding pass)", "(no harvest pass)", "(no pass is recorded at all)", "(none is recorded)",
    "(none with synthetic nitrogen is recorded)",
})  # fmt: skip
"""What is said of work that may still be done; other gaps are of work that other records prove."""
WORK: Final = frozenset({"operation", "nutrient_application"})
UNTIL: Final[Mapping[str, str]] = {
    "nutrient_budget": "before the harvest",
    "soil_test": "before the nutrient budget is made",
    "expert_opinion": "before the nutrient budget is made",
}
"""What is due before a step that has no day yet, by kind of record."""


class When(StrEnum):
    """When something can be done."""

    NOW = "now"
    BY = "by"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class Time:
    """When one thing can be done.

    Attributes:
        when: now, by a day or a step, or later.
        until: before which step it is due, or with which it comes; empty where it is due now.
        day: the last day on which it can be done, where that is known.
    """

    when: When
    until: str = ""
    day: date | None = None


NOW: Final = Time(When.NOW)


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing that a crop asks for.

    Attributes:
        record: what is missing, as a verdict names it.
        says: what it shows.
        cite: the paragraph.
        time: when it can be done.
        row: the row that lacks it; empty for a new one.
        given: what is known of a new one.
    """

    record: Record
    says: str
    cite: str
    time: Time
    row: str
    given: Mapping[str, str]

    @property
    def name(self) -> str:
        """Return what is missing by its name in the form."""
        return name_of(self.record)

    @property
    def words(self) -> str:
        """Say what to do."""
        found = KINDS[self.record["kind"]].fields.get(self.record["column"])
        if found is not None and found.kind is ColumnKind.YES_NO:
            return f"Answer: {found.label}"
        return f"Add {starting_small(self.name)}"

    @property
    def why(self) -> str:
        """Say what of its kind of record is missing, or what has to hold: a requirement alone reads as if it did."""
        return self.record["said"].strip("()") or f"What has to hold: {self.says}"


@dataclass(frozen=True, slots=True)
class Grows:
    """A crop that grows, with what it asks for.

    Attributes:
        entry, unit, name: which.
        asks: what it asks for now and by a day, the soonest first.
        later: what comes with a later step of its season.
        wrong: practice and why of each claim that its records speak against.
    """

    entry: str
    unit: str
    name: str
    asks: tuple[Ask, ...]
    later: tuple[Ask, ...]
    wrong: tuple[tuple[str, str, str], ...]


def growing_asks(farm: FarmBook) -> list[Grows]:
    """Return every crop that is not harvested yet and asks for something, the soonest first."""
    found = [_grows(farm, one) for one in growing_of(farm)]
    return sorted((one for one in found if one.asks or one.later or one.wrong), key=lambda one: (one.name, one.unit))


class GrowingNeeds(NamedTuple):
    """How much growing crops ask for before it is too late.

    Attributes:
        things: how many, with each crop of which nothing is said.
        day: the soonest day by which one is due; None where none has a day.
    """

    things: int = 0
    day: date | None = None


class GrowingAsked(NamedTuple):
    """All that growing crops ask for: a page that lists it hands it on to whatever counts it.

    Attributes:
        crops: those that ask for something, as ``growing_asks`` has them.
        unsaid: those of which nothing is said, as ``unsaid_by_crop`` has them.
    """

    crops: Sequence[Grows] = ()
    unsaid: Mapping[str, Mapping[str, str]] = {}

    @property
    def needs(self) -> GrowingNeeds:
        """Return how much it is, and by when."""
        asks = [ask for one in self.crops for ask in one.asks]
        days = [ask.time.day for ask in asks if ask.time.day]
        wrong = sum(len(one.wrong) for one in self.crops)
        return GrowingNeeds(len(asks) + wrong + len(self.unsaid), min(days, default=None))


def growing_asked(farm: FarmBook) -> GrowingAsked:
    """Return all that the growing crops of a farm ask for."""
    return GrowingAsked(growing_asks(farm), unsaid_by_crop(farm)) if growing_crops(farm) else GrowingAsked()


def growing_needs(farm: FarmBook) -> GrowingNeeds:
    """Return how much the growing crops of a farm ask for now or by a day."""
    return growing_asked(farm).needs


def unsaid_by_crop(farm: FarmBook) -> dict[str, dict[str, str]]:
    """Return of each crop not harvested yet, by crop and year, the fields of which nothing is said, with the entry."""
    found: dict[str, dict[str, str]] = {}
    growing = {one["harvest_id"]: named(one) for one in growing_of(farm)}
    for one in claims_of(farm) if growing else ():
        if one.growing and one.ticks is None and not one.named:
            found.setdefault(growing[one.harvest_id], {})[one.unit_id] = one.harvest_id
    return found


def name_of(record: Record) -> str:
    """Return a record by its name in the form; of what follows a harvest its kind says enough."""
    whole = record["kind"] in LATER and record["kind"] != HARVEST.name
    return record["kind_label"] if whole else record["label"] or record["kind_label"]


def time_of(farm: FarmBook, one: Mapping[str, Any], record: Record, row: str) -> Time:
    """Return when a record can be written that a growing crop lacks.

    Args:
        farm: the book.
        one: the crop, as ``growing_of`` has it.
        record: what is missing.
        row: the row that lacks it; empty where none does.
    """
    kind, column = record["kind"], record["column"]
    if kind in LATER:
        return NOW if record["said"].startswith(BEFORE) else Time(When.LATER, "after the harvest")
    first, last = _spring(farm, one)
    if kind == COVER and column == PHOTOGRAPH:
        return _before_the_end(farm, row, last)
    if kind == COVER and column in ENDED:
        return _within(first, last)
    if kind == "planting" and not row:
        return NOW if today() > last else Time(When.LATER, "once it is planted")
    if kind in WORK and not row and (column or record["said"] in NEXT_PASS):
        return Time(When.LATER, "with the work in the field")
    return Time(When.BY, UNTIL[kind]) if kind in UNTIL else NOW


def _grows(farm: FarmBook, one: Mapping[str, Any]) -> Grows:
    asks = list(_asks(farm, one))
    soon = [ask for ask in asks if ask.time.when is not When.LATER]
    wrong = (each for each in one["practices"] if each["standing"] == Standing.CONTRADICTED)
    return Grows(
        one["harvest_id"], one["unit_id"], named(one),
        tuple(sorted(soon, key=lambda ask: (ask.time.when is When.BY, ask.time.day or date.max))),
        tuple(ask for ask in asks if ask.time.when is When.LATER),
        tuple((each["name"], each["label"], why_against(each)) for each in wrong),
    )  # fmt: skip


def _asks(farm: FarmBook, one: Mapping[str, Any]) -> Iterator[Ask]:
    """Yield each record once that a practice which counts lacks, where it is written and when."""
    seen = set()
    for practice in one["practices"]:
        if practice["standing"] != Standing.NOT_SHOWN:
            continue
        for finding in practice["findings"]:
            for record in without_repeats(finding["missing"]):
                about = record["kind"], record["column"] or record["said"]
                if about not in seen:
                    seen.add(about)
                    row, given = gap_row(farm, one, record)
                    time = time_of(farm, one, record, row)
                    yield Ask(record, finding["says"], finding["cite"], time, row, given)


def without_repeats(missing: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what is missing without a bare name beside the same one with what is asked of it."""
    told = {(one["kind"], one["column"]) for one in missing if one["said"]}
    unique = {tuple(one.items()): one for one in missing}.values()
    return [one for one in unique if one["said"] or (one["kind"], one["column"]) not in told]


def _spring(farm: FarmBook, one: Mapping[str, Any]) -> tuple[date, date]:
    """Return the first and the last day on which the cover before a crop may be ended in its State."""
    fips = farm.of(KINDS["unit"]).get(one["unit_id"], {}).get("county_fips")
    county = find_county(str(fips or ""))
    window = rule_version(today()).window("cover_termination_window", county.state if county else "")
    year = one["harvest_year"] or today().year
    return _on(year, window.first), _on(year, window.last)


def _on(year: int, day: MonthDay) -> date:
    return date(year, day.month, min(day.day, monthrange(year, day.month)[1]))


def _before_the_end(farm: FarmBook, row: str, last: date) -> Time:
    """Return when a cover is photographed: it must still stand."""
    ended = str(farm.of(KINDS[COVER]).get(row, {}).get("terminated_on") or "")
    day = date.fromisoformat(ended) if ended else last
    return Time(When.BY, "before the cover crop is terminated", day) if day >= today() else NOW


def _within(first: date, last: date) -> Time:
    """Return when the end of a cover is recorded: in spring, and once that is over at once."""
    if today() < first:
        return Time(When.LATER, f"in spring, from {first} to {last}")
    return Time(When.BY, "in spring", last) if today() <= last else NOW
