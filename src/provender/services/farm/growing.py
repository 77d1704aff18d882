"""Crops that are not harvested yet: what the records show of them so far, for pages that look ahead.

Such a crop has no verdict and stands in no report: no interval is closed by it. To show what its records say so far, it
is judged as if it were harvested at the end of its year. Whatever can only follow then, bushels and the declaration,
stays open; nothing of this enters a sum of acres, a quantity or a signature.
"""

from calendar import monthrange
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from typing import Any, Final, NamedTuple

from provender.catalog.places import find_county
from provender.database.actor import Actor, today
from provender.database.models.farm import Change
from provender.days import iso_day
from provender.records.book import ENDINGS, NAMED_BY_YEAR, NOT_YET
from provender.records.field import ColumnKind, starting_small
from provender.records.kind import KINDS
from provender.report.season import CROP, pictures, seasons
from provender.report.season import ENDED as COVER_ENDED
from provender.rule.crops import Crop, Practice
from provender.rule.law import MonthDay, rule_version
from provender.schema import field, view
from provender.services.farm.book import Edit, FarmBook, change_book, once, texts_of
from provender.services.farm.check import interval_json, why_against
from provender.services.farm.sown import Lack, gap_row
from provender.services.farm.verdicts import cached_result, crop_shown, lacks_of, verdicts_of
from provender.services.refused import refusal
from provender.standards.standard import Verdict
from provender.verdicts.assess import Assessment, ticked, written
from provender.verdicts.words import Standing, requirements_of

_WHAT: Final = "growing 4"
_PICTURES: Final = "growing pictures 2"
HARVEST: Final = KINDS["harvest"]
LATER: Final = frozenset({"harvest", "declaration"})
"""Kinds of record that can only be written once a crop is harvested."""
NOT_HARVESTED: Final = "not harvested yet"
_TURN: Final = 7
"""The month from which a cover is seeded for the crop of the next year."""
_HARVESTED: Final = 11
"""The month from which a crop that is not harvested yet is of the next year, unless more is known."""
_LAST: Final = (12, 31)
Row = Mapping[str, object]


class Growing(NamedTuple):
    """A crop in the ground, or planned."""

    entry: str  # its crop entry
    unit: str  # the management unit
    crop: str  # as its entry says it
    year: int | None  # of its harvest; None where nothing recorded says it


def growing_crops(farm: FarmBook) -> list[Growing]:
    """Return the crops of the rule that are still to be harvested, in the order they were written."""
    return once(farm, _WHAT, lambda: list(_growing(farm)))


def _growing(farm: FarmBook) -> Iterator[Growing]:
    known = {str(crop) for crop in Crop}
    for entry, row in farm.of(HARVEST).items():
        if row.get("ending") == NOT_YET and row.get("crop") in known and row.get("unit_id"):
            yield Growing(entry, str(row["unit_id"]), str(row["crop"]), _year(farm, entry, str(row["unit_id"])))


def _year(farm: FarmBook, entry: str, unit: str) -> int | None:
    """Return the year of a harvest to come: of its planting, its cover or its name, else the next of its field."""
    planted = [day for day in _days(farm, "planting", "planted_on", entry) if day]
    if planted:
        return max(planted).year
    ended = [day.year for day in _days(farm, "cover_crop", "terminated_on", entry)]
    seeded = [day.year + (day.month >= _TURN) for day in _days(farm, "cover_crop", "seeded_on", entry)]
    if ended or seeded:
        return max([*ended, *seeded])
    if called := NAMED_BY_YEAR.search(entry):
        return int(called[1])
    return _after_the_last(farm, unit)


def year_to_come(farm: FarmBook, unit: str, *, seeded_on: date | None = None) -> int:
    """Return of which year a crop is that somebody enters before it is harvested.

    Args:
        farm: the book.
        unit: its field; empty where that is not known.
        seeded_on: of the cover crop that it follows, where the entry is made for one.
    """
    if seeded_on is not None:
        return seeded_on.year + (seeded_on.month >= _TURN)
    now = today()
    return max(now.year + (now.month >= _HARVESTED), _after_the_last(farm, unit) or 0)


def _after_the_last(farm: FarmBook, unit: str) -> int | None:
    """Return the year after the last harvest of a field."""
    mine = (row for row in farm.of(HARVEST).values() if row.get("unit_id") == unit and row.get("ending") in ENDINGS)
    last = [day.year for row in mine if (day := iso_day(row.get("last_day") or row.get("first_day")))]
    return max(last) + 1 if last else None


def _days(farm: FarmBook, kind: str, column: str, entry: str) -> list[date]:
    rows = (row for row in farm.of(KINDS[kind]).values() if row.get("harvest_id") == entry)
    return [day for row in rows if (day := iso_day(row.get(column)))]


def growing_of(farm: FarmBook) -> list[dict[str, Any]]:
    """Return what the records show of every crop that is not harvested yet, as ``verdicts_of`` has intervals.

    Each has ``growing`` beside it, and a ``harvest_year`` of None where nothing recorded says it.
    """
    return _found(farm)["intervals"]


def growing_seasons(farm: FarmBook) -> list[dict[str, Any]]:
    """Return the season so far of every crop that is not harvested yet, as ``seasons_of`` has them."""
    return _found(farm)["seasons"]


def growing_pictures(farm: FarmBook) -> dict[str, str]:
    """Return the pictures of the same seasons, as ``pictures_of`` has them."""
    if not growing_crops(farm):
        return {}
    return cached_result(farm, _PICTURES, lambda _: pictures(_supposed(farm)))


def _found(farm: FarmBook) -> dict[str, list[dict[str, Any]]]:
    if not growing_crops(farm):
        return {"intervals": [], "seasons": []}
    return cached_result(farm, _WHAT, lambda _: _judged(farm))


def _judged(farm: FarmBook) -> dict[str, list[dict[str, Any]]]:
    supposed, years = _supposed(farm), {one.entry: one.year for one in growing_crops(farm)}
    return {
        "intervals": [_not_begun(farm, _growing_practice(interval_json(one), years)) for one in supposed.intervals],
        "seasons": [_so_far(_growing_practice(one, years)) for one in seasons(supposed)],
    }


def _growing_practice(one: dict[str, Any], years: Mapping[str, int | None]) -> dict[str, Any]:
    return {**one, "harvest_year": years[one["harvest_id"]], "growing": True}


def _not_begun(farm: FarmBook, one: dict[str, Any]) -> dict[str, Any]:
    """Return a crop of which what nobody claims and nothing was done for yet is not claimed: it lacks nothing of it."""
    entry = one["harvest_id"]
    covered = any(row.get("harvest_id") == entry for row in farm.of(KINDS["cover_crop"]).values())
    practices = [
        {**each, "standing": _growing_standing(each, begun=covered and each["practice"] == Practice.cover_crop)}
        for each in one["practices"]
    ]
    return {**one, "practices": practices}


def _growing_standing(practice: Mapping[str, Any], *, begun: bool) -> Standing:
    standing = Standing(practice["standing"])
    open_to_all = standing is Standing.NOT_SHOWN and practice["claimed"] is None
    return Standing.NOT_CLAIMED if open_to_all and not begun else standing


def _so_far(one: dict[str, Any]) -> dict[str, Any]:
    """Return a season without the end that was supposed of it; a cover without a last day still stands."""
    harvested = (CROP, one["last_day"], HARVEST.name)
    ended = (event for event in one["events"] if event["day"] or event.get("step") != COVER_ENDED)
    kept = [event for event in ended if (event["lane"], event["day"], event["kind"]) != harvested]
    return {**one, "events": kept, "last_day": None}


def _supposed(farm: FarmBook) -> Assessment:
    """Return such crops judged as if each were harvested at the end of its year, one after the other."""
    rows = dict(farm.of(HARVEST))
    seen: dict[tuple[str, int], int] = {}
    for one in reversed(growing_crops(farm)):
        year = one.year or today().year
        later = seen[one.unit, year] = seen.get((one.unit, year), -1) + 1
        day = (date(year, *_LAST) - timedelta(days=later)).isoformat()
        rows[one.entry] = {**rows[one.entry], "ending": "harvested", "first_day": day, "last_day": day}
    judged, mine = farm.with_rows({**farm.rows, HARVEST.name: rows}).judged, {one.entry for one in growing_crops(farm)}
    return replace(judged, intervals=tuple(one for one in judged.intervals if one.harvest_id in mine))


def _every_crop(farm: FarmBook) -> list[dict[str, Any]]:
    """Return the crops that pages of practices show: those that were judged, then those not harvested yet."""
    return [*verdicts_of(farm)["intervals"], *growing_of(farm)]


def crop_of(farm: FarmBook, entry: str) -> dict[str, Any] | None:
    """Return the crop that an entry is of, judged or not harvested yet; None where pages of practices show none."""
    growing = (one for one in growing_of(farm) if entry in one["harvest_ids"])
    return crop_shown(farm, entry) or next(growing, None)


def named(crop: str, harvest_year: int | None) -> str:
    return f"{crop} {harvest_year}" if harvest_year else crop


def name_of_crop(one: Mapping[str, Any]) -> str:
    """Return crop and year of an interval as pages say them."""
    return named(one["crop_label"], one["harvest_year"])


def growing_by_crop(farm: FarmBook) -> list[tuple[str, list[Growing]]]:
    """Return crop and year of what is not harvested yet as pages say them, each with its fields."""
    found: dict[str, list[Growing]] = {}
    for one in growing_crops(farm):
        found.setdefault(named(Crop(one.crop).label, one.year), []).append(one)
    return sorted(found.items())


# What a farm claims: its ticks for each field and crop, beside what its calculator runs name.

_CLAIMS_HARVEST = KINDS["harvest"]


@dataclass(frozen=True, slots=True)
class CropClaims:
    """The claims of one crop on one field."""

    harvest_id: str  # which
    unit_id: str  # which
    crop: str  # which
    harvest_year: int | None  # which
    may: Mapping[Practice, Standing]  # the practices that its crop may claim, each with how it stands
    ticks: frozenset[Practice] | None  # those ticked; None while nobody ticked
    named: frozenset[Practice]  # those that a calculator run names: they stay claimed until the run is corrected
    # further entries of the same crop, such as the second part of its harvest; they may hold ticks, too
    others: tuple[str, ...] = ()
    growing: bool = False  # whether it is not harvested yet; ``harvest_year`` is None where nothing recorded says it

    @property
    def offered(self) -> frozenset[Practice]:
        """Return what is ticked; before anybody has, what the runs name and the records show."""
        shown = frozenset(one for one, standing in self.may.items() if standing is Standing.MET)
        return self.named | (shown if self.ticks is None else self.ticks)

    @property
    def may_say_none(self) -> bool:
        """Return whether nothing is offered and nobody said yet that nothing is claimed."""
        return self.ticks is None and not self.offered


def claims_of(farm: FarmBook) -> list[CropClaims]:
    """Return the claims of every crop that has verdicts, and of those that are not harvested yet."""
    rows = farm.of(_CLAIMS_HARVEST)
    found = []
    for one in _every_crop(farm):
        entries = one["harvest_ids"]
        said = [of for entry in entries if (of := ticked(str(rows.get(entry, {}).get("claims") or ""))) is not None]
        ticks = frozenset[Practice]().union(*said) if said else None
        claimable = [each for each in one["practices"] if each["claimable"]]
        may = {Practice(each["practice"]): _as_offered(each) for each in claimable}
        named = frozenset(Practice(each["practice"]) for each in claimable if each["named"])
        mine, others = one["harvest_id"], tuple(entry for entry in entries if entry != one["harvest_id"])
        crop, year = one["crop_label"], one["harvest_year"]
        found.append(CropClaims(mine, one["unit_id"], crop, year, may, ticks, named, others, "growing" in one))
    return found


def _as_offered(practice: Mapping[str, Any]) -> Standing:
    """Return how a practice stands to whoever is about to tick it: what cannot be met says so, whatever is claimed."""
    standing = Standing(practice["standing"])
    cannot = standing is Standing.NOT_CLAIMED and practice["implementation"] == Verdict.NOT_MET
    return Standing.RULED_OUT if cannot else standing


def tick_claims(
    farm: FarmBook,
    ticks: Mapping[str, Collection[Practice]],
    *,
    actor: Actor,
    after: int | None,
    nothing: Collection[str] = (),
) -> Change | None:
    """Write what a farm claims of each crop named, as one change; crops ticked as they were offered are left alone.

    Args:
        farm: the version of the book.
        ticks: practices by crop entry.
        actor: who ticks.
        after: the version that was seen.
        nothing: crop entries of which the farm says that they claim nothing, where nothing was offered to untick.

    Raises:
        RefusedError: no such crop, a practice that it may not claim, or somebody changed the book meanwhile.
    """
    known = {one.harvest_id: one for one in claims_of(farm)}
    edits = []
    for entry, chosen in ticks.items():
        one = known.get(entry)
        if one is None or not set(chosen) <= one.may.keys():
            cause = f"{entry[:80]} is no crop of this book that may claim this."
            raise refusal("no_such_claim", cause, "Load the page again.", cite="2100.012")
        wanted = one.named.union(chosen)
        if wanted == one.offered and not (one.may_say_none and entry in nothing):
            continue
        # What the crop claims stands once, so that a tick taken away is not kept by another part of its harvest.
        for mine, said in ((entry, written(wanted)), *((other, "") for other in one.others)):
            row = texts_of(_CLAIMS_HARVEST, farm.of(_CLAIMS_HARVEST)[mine])
            if row["claims"] != said:
                edits.append(Edit(_CLAIMS_HARVEST.name, mine, {**row, "claims": said}))
    if not edits:
        return None
    return change_book(farm.book, edits, reason="Practices claimed", actor=actor, after=after)


# What a crop that is not harvested yet asks for: now, by a day that does not come again, or later in its season.
#
# None of it stands before a signature: no report holds the crop. Asked is what the farm claims of it, and a cover crop
# once it is recorded.

ENDED: Final = frozenset({"terminated_on", "termination_method"})
PHOTOGRAPH: Final = "established_photo"
_COVER: Final = "cover_crop"
OF_CROPS_BEFORE: Final = frozenset({
    "another_crop_harvested", "crop_before_unknown", "days_out_of_order", "stand_not_planted",
    "termination_not_recorded",
})  # fmt: skip
"""Reasons for what can be written at any time: it is of a crop or stand that was there before."""
NEXT_PASS: Final = frozenset({"", "no_pass", "no_seeding_pass", "no_harvest_pass"})
"""Why a row lacks of work that may still be done; other reasons are of work that other records prove."""
WORK: Final = frozenset({"operation", "nutrient_application"})
_UNTIL: Final[Mapping[str, str]] = {
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
    """When one thing can be done."""

    when: When  # now, by a day or a step, or later
    until: str = ""  # before which step it is due, or with which it comes; empty where it is due now
    day: date | None = None  # the last day on which it can be done, where that is known


NOW: Final = Time(When.NOW)


@view
class GrowingAsk:
    """One record that a growing crop asks for: the row that lacks it, or what is known of a new one."""

    kind: str = field("Kind of record")
    column: str = field("Column", help="Empty for a whole row.")
    row: str = field("Row", help="The key of the row that lacks it; empty for a new one.")
    given: Mapping[str, str] = field("Known of a new row", help="Texts by column.")
    name: str = field("What is missing", help="By its name in the form.")
    words: str = field("What to do")
    why: str = field("Why")
    of: str = field("Kind of record in words", help="Empty where the reason is what has to hold.")
    says: str = field("What it shows")
    cite: str = field("Paragraph")
    when: When = field("When", help="Now, by a day or a step, or later.")
    until: str = field("Step", help="Before which step it is due, or with which it comes; empty where it is due now.")
    day: date | None = field("Last day", help="Null where it is not known.")


@view
class GrowingPractice:
    """How a practice of a growing crop stands, as far as its records go; no verdict before it is harvested."""

    practice: str = field("Practice")
    label: str = field("Practice in words")
    standing: Standing = field("How it stands so far")
    against: str = field("What the records say against a claim", help="Empty where they do not.")


@view
class GrowingCrop:
    """A crop in the ground, or planned, with what it asks for; no report waits for any of it."""

    harvest_id: str = field("Crop entry")
    unit_id: str = field("Field")
    crop: str = field("Crop")
    harvest_year: int | None = field("Year of its harvest", help="Null where nothing recorded says it.")
    practices: tuple[GrowingPractice, ...] = field("Practices that it may claim")
    asks: tuple[GrowingAsk, ...] = field("Asked for now or by a day", help="The soonest first.")
    later: tuple[GrowingAsk, ...] = field("What comes later")
    unsaid: bool = field("Nothing is said of what it claims")

    @property
    def name(self) -> str:
        """Return crop and year as pages say them."""
        return named(self.crop, self.harvest_year)

    @property
    def wrong(self) -> list[GrowingPractice]:
        """Return the claims that its records speak against."""
        return [one for one in self.practices if one.against]


class GrowingNeeds(NamedTuple):
    """How much growing crops ask for before it is too late."""

    things: int = 0  # how many, with each crop and year of which nothing is said
    day: date | None = None  # the soonest day by which one is due; None where none has a day


def growing_views(farm: FarmBook) -> list[GrowingCrop]:
    """Return every crop that is not harvested yet with what it asks for, in the order of the book."""
    unsaid = {one.harvest_id for one in claims_of(farm) if one.growing and one.ticks is None and not one.named}
    return [_grows(farm, one, unsaid) for one in growing_of(farm)] if growing_crops(farm) else []


def needs_of(crops: Iterable[GrowingCrop]) -> GrowingNeeds:
    """Return how much growing crops ask for now or by a day."""
    every = list(crops)
    asks = [ask for one in every for ask in one.asks]
    unsaid = {one.name for one in every if one.unsaid}
    things = len(asks) + sum(len(one.wrong) for one in every) + len(unsaid)
    return GrowingNeeds(things, min((ask.day for ask in asks if ask.day), default=None))


def name_of(lack: Lack) -> str:
    """Return what lacks by its name in the form; of what follows a harvest its kind says enough."""
    whole = lack["kind"] in LATER and lack["kind"] != HARVEST.name
    name: str = lack["label"] if whole else lack["column_label"] or lack["label"]
    return name


def time_of(farm: FarmBook, one: Mapping[str, Any], lack: Lack, row: str) -> Time:
    """Return when a record can be written that a growing crop lacks.

    Args:
        farm: the book.
        one: the crop, as ``growing_of`` has it.
        lack: what is missing.
        row: the row that lacks it; empty where none does.
    """
    kind, column = lack["kind"], lack["column"]
    if lack["reason"] in OF_CROPS_BEFORE:
        return NOW
    if kind in LATER:
        return Time(When.LATER, "after the harvest")
    first, last = _spring(farm, one)
    if kind == _COVER and column == PHOTOGRAPH:
        return _before_the_end(farm, row, last)
    if kind == _COVER and column in ENDED:
        return _within(first, last)
    if kind == "planting" and not row:
        return NOW if today() > last else Time(When.LATER, "once it is planted")
    if kind in WORK and not row and (column or lack["reason"] in NEXT_PASS):
        return Time(When.LATER, "with the work in the field")
    return Time(When.BY, _UNTIL[kind]) if kind in _UNTIL else NOW


def _grows(farm: FarmBook, one: Mapping[str, Any], unsaid: Collection[str]) -> GrowingCrop:
    asks = list(_asks(farm, one))
    soon = [ask for ask in asks if ask.when is not When.LATER]
    practices = (each for each in one["practices"] if each["claimable"])
    return GrowingCrop(
        harvest_id=one["harvest_id"], unit_id=one["unit_id"], crop=one["crop_label"], harvest_year=one["harvest_year"],
        practices=tuple(
            GrowingPractice(
                practice=each["practice"], label=each["label"], standing=Standing(each["standing"]),
                against=why_against(one, each) if each["standing"] == Standing.CONTRADICTED else "",
            )
            for each in practices
        ),
        asks=tuple(sorted(soon, key=lambda ask: (ask.when is When.BY, ask.day or date.max))),
        later=tuple(ask for ask in asks if ask.when is When.LATER), unsaid=one["harvest_id"] in unsaid,
    )  # fmt: skip


def _asks(farm: FarmBook, one: Mapping[str, Any]) -> Iterator[GrowingAsk]:
    """Yield each record once that a practice which counts lacks, where it is written and when."""
    open_ = (each for each in one["practices"] if each["standing"] == Standing.NOT_SHOWN)
    for lack in lacks_of(rule for each in open_ for rule in requirements_of(one, each)):
        row, given = gap_row(farm, one, lack)
        time, column = time_of(farm, one, lack, row), KINDS[lack["kind"]].fields.get(lack["column"])
        asks_yes_no = column is not None and column.kind is ColumnKind.YES_NO
        yield GrowingAsk(
            kind=lack["kind"], column=lack["column"], row=row, given=given, name=name_of(lack),
            words=f"Answer: {column.label}" if column and asks_yes_no else f"Add {starting_small(name_of(lack))}",
            # A requirement alone reads as if it held.
            why=lack["says"] or f"What has to hold: {lack['asked']}", of=lack["label"] if lack["says"] else "",
            says=lack["asked"], cite=lack["cite"], when=time.when, until=time.until, day=time.day,
        )  # fmt: skip


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
    ended = str(farm.of(KINDS[_COVER]).get(row, {}).get("terminated_on") or "")
    day = date.fromisoformat(ended) if ended else last
    return Time(When.BY, "before the cover crop is terminated", day) if day >= today() else NOW


def _within(first: date, last: date) -> Time:
    """Return when the end of a cover is recorded: in spring, and once that is over at once."""
    if today() < first:
        return Time(When.LATER, f"in spring, from {first} to {last}")
    return Time(When.BY, "in spring", last) if today() <= last else NOW
