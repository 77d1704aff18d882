"""One crop interval and the records of its farm, read plainly: what the oracle judges."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from provender.catalog.places import STATE_BY_FIPS
from tests.standards.oracle_rows import (
    WHOLE,
    Answer,
    Row,
    carries_synthetic_n,
    first_day,
    group,
    is_gas,
    last_day,
    listed,
    pounds_of_n,
    rides_along,
    same_day_of_leap_year,
    sows,
    years_before,
)

FEEDSTOCKS: Final = ("corn", "soybeans", "sorghum")
BY_MACHINE: Final = ("machine", "third_party")
SOURCES: Final = 13


def may(*groups: str, deep: bool = False) -> Callable[[Row], bool]:
    """Return whether a pass is of some groups, or not listed; ``deep``: only if it does more than drive over."""

    def fits(row: Row) -> bool:
        found = listed(row)
        return found is None or (found.op_group in groups and (not deep or found.published_stir > 1_500))

    return fits


Fits = Callable[[Row], bool]
TILLS: Final = (
    "aeration", "bedding", "chisel", "disking", "field_cultivation", "harrowing", "plowing", "rotary_hoe",
    "rotary_tillage", "row_cultivation", "seedbed_finishing", "strip_tillage", "subsoiling", "undercutting",
    "vertical_tillage",
)  # fmt: skip
KNIVES: Final = (
    "seeding", "planting", "injection", "strip_tillage", "row_cultivation", "field_cultivation", "chisel",
    "subsoiling", "undercutting", "plowing", "aeration",
)  # fmt: skip
SPREAD: Final = may("spreading", "spraying")
SOWN: Final = may("seeding", "planting")
DRILLED: Final = may("seeding", "planting", deep=True)
ANY: Final = may(*KNIVES, "spreading", "spraying")
APPLIED: Final[dict[str, tuple[Fits, ...]]] = {
    "injected": (may(*KNIVES),), "starter_band": (DRILLED,), "in_furrow": (DRILLED,), "broadcast": (SPREAD,),
    "topdress": (SPREAD,), "broadcast_incorporated": (SPREAD, may(*TILLS)), "banded": (ANY,), "sidedress": (ANY,),
    "other": (ANY,), "foliar": (may("spraying"),), "with_herbicide": (may("spraying"),), "fertigation": (),
    "aerial": (), "by_hand": (),
}  # fmt: skip
SEEDED: Final[dict[str, tuple[Fits, ...]]] = {
    "drilled": (DRILLED,), "precision": (DRILLED,), "other": (SOWN,),
    "broadcast": (may("seeding", "planting", "spreading", "spraying"),),
    "interseeded": (may("seeding", "planting", "spreading", "spraying", "row_cultivation"),),
    "broadcast_incorporated": (may("seeding", "planting", *TILLS, "rolling", "residue", deep=True),),
}  # fmt: skip
ENDED: Final[dict[str | None, tuple[Fits, ...]]] = {
    "herbicide": (may("spraying"),), "roller_crimper": (may("rolling"),), "mowing": (may("mowing", "residue", "hay"),),
    "tillage": (may(*TILLS, "seeding", "planting", deep=True),),
    "mechanical_harvest": (may("hay", "harvest", "mowing", "residue"),),
    "grazing": (may("grazing"),), "burning": (may("burning"),),
}  # fmt: skip


def both(*answers: Answer) -> Answer:
    """Combine answers: a no is a no, else a gap is a gap."""
    if any(one is False for one in answers):
        return False
    return None if any(one is None for one in answers) else True


def shown(*, holds: Answer) -> Answer:
    """Records show a thing or do not yet."""
    return True if holds else None


@dataclass
class Interval:
    """One closed crop interval of one unit with the records of its farm."""

    book: dict[str, list[Row]]
    unit: Row
    crop: Row
    before: Row | None
    ended: list[Row] = field(repr=False)

    # ---- borders

    @property
    def closes(self) -> dt.date:
        """Return the last day of the crop."""
        return last_day(self.crop)  # type: ignore[return-value]

    @property
    def starts(self) -> dt.date | None:
        """Return the first day of the end of the crop before."""
        return first_day(self.before) if self.before else None

    @property
    def failed(self) -> list[Row]:
        """Return the stands that were given up before this crop was planted again, the latest first."""
        found: list[Row] = []
        at = self.ended.index(self.crop)
        while at and self.ended[at - 1]["leads_to"] is self.crop:
            at -= 1
            found.append(self.ended[at])
        return found

    @property
    def before_season(self) -> Row | None:
        """Return the crop before the first stand of this season."""
        at = self.ended.index(self.failed[-1] if self.failed else self.crop)
        return self.ended[at - 1] if at else None

    @property
    def start_proven(self) -> bool:
        """Tell whether a termination that starts the interval has its record, and the stand had been planted."""
        if not (self.before and self.before["ending"] == "terminated"):
            return True
        return bool(self.before["termination_record"]) and self.stand_planted

    @property
    def stand_planted(self) -> bool:
        """Tell whether something planted the stand that was given up; before the first crop nobody asks."""
        at = self.ended.index(self.crop)
        begun, over = first_day(self.ended[at - 2]) if at > 1 else None, self.starts
        if begun is None or over is None:
            return True
        stand = self.ended[at - 1]["leads_to"]
        whose = {key: one["leads_to"] is stand for one in self.ended for key in one["ids"]}
        own = [one for one in self.book["planting"] if one["harvest_id"] in whose]
        planted = [one["planted_on"] for one in own if whose[one["harvest_id"]]]
        covers = [one["seeded_on"] for one in self.on_unit("cover_crop") if one["harvest_id"] in whose]
        other = [day for day in (*(one["planted_on"] for one in own), *covers) if day]
        sown = [one["day"] for one in self.on_unit("operation") if one["day"] and sows(one)]
        planted += [day for day in sown if all(abs((day - one).days) > 2 for one in other)]
        return any(begun <= day <= over for day in planted if day)

    @property
    def dated(self) -> bool:
        """Tell whether every crop of the unit has days in order."""
        return all(
            first_day(one) is not None and first_day(one) <= last_day(one)  # type: ignore[operator]
            for one in self.ended
        )

    def of_day(self, day: dt.date | None, *, harvest: bool = False) -> Row | None:
        """Return the crop in whose interval a day of the unit lies."""
        if day is None:
            return None
        border = last_day if harvest else first_day
        days = sorted((end, at) for at, one in enumerate(self.ended) if (end := border(one)) is not None)
        for end, at in days:
            if end > day or (harvest and end == day):
                return self.ended[at]
        return None

    # ---- rows

    def mine(self, kind: str) -> list[Row]:
        """Return the rows of a kind that name this crop."""
        ids = [key for crop in (self.crop, *self.failed) for key in crop["ids"]]
        return [one for one in self.book[kind] if one["harvest_id"] in ids]

    def on_unit(self, kind: str) -> list[Row]:
        """Return the rows of a kind on this unit."""
        return [one for one in self.book[kind] if one["unit_id"] == self.unit["unit_id"]]

    @cached_property
    def passes(self) -> list[Row]:
        """Return the operations of the interval."""
        return [
            one
            for one in self.on_unit("operation")
            if self.of_day(one["day"], harvest=group(one) == "harvest") is self.crop
        ]

    @cached_property
    def season_passes(self) -> list[Row]:
        """Return the operations of the interval and of the failed stands before it."""
        crops = (self.crop, *self.failed)
        return [
            one
            for one in self.on_unit("operation")
            if any(self.of_day(one["day"], harvest=group(one) == "harvest") is crop for crop in crops)
        ]

    @property
    def undated_passes(self) -> list[Row]:
        """Return the operations of the unit without a day."""
        return [one for one in self.on_unit("operation") if one["day"] is None]

    @cached_property
    def planted(self) -> list[dt.date | None]:
        """Return the planting days."""
        return [one["planted_on"] for one in self.mine("planting")]

    @property
    def first_planting(self) -> dt.date | None:
        """Return the first planting day, if all are known."""
        return None if not self.planted or None in self.planted else min(self.planted)  # type: ignore[type-var]

    @property
    def last_planting(self) -> dt.date | None:
        """Return the last planting day, if all are known."""
        return None if not self.planted or None in self.planted else max(self.planted)  # type: ignore[type-var]

    @cached_property
    def covers(self) -> list[Row]:
        """Return the cover crops before this crop."""
        return [one for one in self.mine("cover_crop") if one["unit_id"] == self.unit["unit_id"]]

    @property
    def cover_seeded(self) -> dt.date | None:
        """Return the first known seeding of a cover."""
        return min((one["seeded_on"] for one in self.covers if one["seeded_on"]), default=None)

    @property
    def covers_ended(self) -> list[dt.date]:
        """Return the known terminations."""
        return [one["terminated_on"] for one in self.covers if one["terminated_on"]]

    def crop_of(self, row: Row) -> Row | None:
        """Return the crop an application belongs to: by day, or the one it names where it has none."""
        of = self.of_day(row["day"]) if row["day"] else self.named(row)
        return None if of is None else of["leads_to"]

    def named(self, row: Row) -> Row | None:
        """Return the crop of the unit that an application names."""
        return next((one for one in self.ended if row["harvest_id"] in one["ids"]), None)

    @cached_property
    def misplaced(self) -> bool:
        """Tell whether the day or the named crop of some application, and not both, are of this crop (86)."""
        for row in self.book["nutrient_application"]:
            entry = next((one for one in self.book["harvest"] if one["harvest_id"] == row["harvest_id"]), None)
            of_unit = row["unit_id"] == self.unit["unit_id"]
            if entry is None or not (of_unit or entry["unit_id"] == self.unit["unit_id"]):
                continue
            named = self.named(row)
            crops = [None if named is None else named["leads_to"], self.crop_of(row) if of_unit else None]
            differ = entry["unit_id"] != row["unit_id"] or (row["day"] is not None and crops[0] is not crops[1])
            if differ and any(one is self.crop for one in crops):
                return True
        return False

    def names_crop(self, row: Row) -> bool:
        """Tell whether an application names the crop it belongs to."""
        of, named = self.crop_of(row), self.named(row)
        return of is not None and named is not None and named["leads_to"] is of

    @cached_property
    def applications(self) -> list[Row]:
        """Return the nutrient applications of the crop, each with what it counts as."""
        return self.judged([one for one in self.on_unit("nutrient_application") if self.crop_of(one) is self.crop])

    @property
    def lost_applications(self) -> list[Row]:
        """Return applications of the unit that no crop can be found for."""
        return [one for one in self.on_unit("nutrient_application") if one["day"] is None and self.crop_of(one) is None]

    @cached_property
    def on_standing_cover(self) -> list[Row]:
        """Return applications in an earlier interval on a cover that stood before the crop before was harvested."""
        since, until = self.cover_seeded, self.starts
        if since is None or until is None or since >= until:
            return []
        found: list[Row] = []
        for other in [*self.ended, None]:
            if other is self.crop or (other is not None and other["leads_to"] is not other):
                continue
            rows = [one for one in self.on_unit("nutrient_application") if self.crop_of(one) is other]
            found += [one for one in self.judged(rows) if one["day"] and since <= one["day"] <= until]
        return found

    def judged(self, rows: list[Row]) -> list[Row]:
        """Say of each row of one crop whether it is synthetic N that counts (interpretation 21)."""
        made = [dict(one) | {"n": pounds_of_n(one), "says": carries_synthetic_n(one)} for one in rows]
        for one in made:
            same = [
                other
                for other in made
                if other["day"] == one["day"] and rides_along(other) and other["says"] is not False
            ]
            one["little"] = (
                rides_along(one)
                and one["says"] is True
                and all(other["n"] is not None for other in same)
                and sum(other["n"] for other in same) < 2 * WHOLE
            )
        traces = sum(one["n"] for one in made if one["little"]) < 4 * WHOLE
        for one in made:
            one["trace"] = one["little"] and traces
            one["counts"] = False if one["trace"] else one["says"]
        return made

    @property
    def synthetic(self) -> list[Row]:
        """Return the rows that are or may be synthetic N."""
        return [one for one in self.applications if one["counts"] is not False]

    @property
    def declaration(self) -> Row | None:
        """Return the declaration of the interval."""
        rows = self.mine("declaration")
        return max(rows, key=lambda one: one["made_on"] or dt.date.max, default=None)

    def declared(self, what: str) -> Answer:
        """Return an answer of the declaration; only an admission counts before the interval has closed."""
        row = self.declaration
        if row is None:
            return None
        if not what.startswith("all_") and any(one[what] for one in self.mine("declaration")):
            return True
        in_time = row["made_on"] is not None and row["made_on"] >= self.closes
        value: Answer = row[what]
        if in_time or (value is True and not what.startswith("all_")):
            return value
        return None

    @property
    def operations_complete(self) -> bool:
        """Tell whether the list of passes may be taken for all of them."""
        same = self.before is not None and self.before["crop"] == self.crop["crop"]
        planted = self.last_planting if self.failed else self.first_planting
        grown = not same or (planted is not None and self.starts is not None and planted >= self.starts)
        before_harvest = self.last_planting is None or self.last_planting < first_day(self.crop)  # type: ignore[operator]
        return bool(
            self.declared("all_operations_listed")
            and self.starts
            and self.start_proven
            and self.dated
            and grown
            and before_harvest
            and not self.undated_passes
            and (any(group(one) in ("seeding", "planting") for one in self.passes) or self.passes_sow)
            and self.passes
            and not self.contradicted
            and not self.border_contradicted
        )

    def near(self, day: dt.date | None, fits: Callable[[Row], bool]) -> bool:
        """Tell whether a fitting pass of the unit lies within two days; none does where the day is not known."""
        return day is not None and any(
            one["day"] and abs((one["day"] - day).days) <= 2 and fits(one) for one in self.on_unit("operation")
        )

    @property
    def passes_sow(self) -> bool:
        """Tell whether a pass lies by a planting that may have been it."""
        return any(day is not None and self.near(day, sows) for day in self.planted)

    @property
    def contradicted(self) -> bool:
        """Tell whether another record proves a pass that the list does not have."""
        asked: list[tuple[dt.date | None, Callable[[Row], bool]]] = [(day, sows) for day in self.planted if day]
        for row in self.covers:
            asked += [(row["seeded_on"], fit) for fit in SEEDED.get(row["method"] or "other", ())]
            asked += [(row["terminated_on"], fit) for fit in ENDED.get(row["termination_method"], ())]
        for row in self.applications:
            gas = is_gas(row) and row["method"] != "fertigation"
            asked += [(row["day"], fit) for fit in APPLIED["injected" if gas else row["method"] or "other"]]
        first: dt.date = first_day(self.crop)  # type: ignore[assignment]
        stray = any(group(one) == "harvest" and one["day"] < first - dt.timedelta(2) for one in self.passes)
        return stray or any(not self.near(day, fits) for day, fits in asked)

    @property
    def border_contradicted(self) -> bool:
        """Tell whether the days of an end of the interval, or of a stand that failed in it, cannot all be true."""
        at = self.ended.index(self.failed[-1] if self.failed else self.crop)
        return any(map(self.end_contradicted, range(max(at - 1, 0), self.ended.index(self.crop) + 1)))

    def end_contradicted(self, at: int) -> bool:
        """Tell whether the end of a crop of the unit contradicts plantings, covers, tickets, logs or harvest passes."""
        crop, near = self.ended[at], dt.timedelta(2)
        first, last = first_day(crop), last_day(crop)
        if first is None or last is None:
            return False
        later = self.ended[at + 1]["leads_to"] if at + 1 < len(self.ended) else None
        fails = crop["leads_to"] is not crop
        if later is not None:
            names = [key for one in self.ended if one["leads_to"] is later for key in one["ids"]]
        else:
            names = [one["harvest_id"] for one in self.on_unit("harvest") if one["ending"] == "not_yet"]
        planted = [one["planted_on"] for one in self.book["planting"] if one["harvest_id"] in names]
        if fails:
            return bool(planted) and all(day is not None and day < first for day in planted)
        followed = [one for one in self.on_unit("cover_crop") if one["harvest_id"] in names]
        drilled = [one for one in followed if one["method"] not in ("interseeded", "broadcast", "aerial", "by_hand")]
        after = [*planted, *(one["terminated_on"] for one in followed), *(one["seeded_on"] for one in drilled)]
        own = [one["planted_on"] for one in self.book["planting"] if one["harvest_id"] in crop["ids"]]
        if any(day is not None and day < first for day in after) or any(day and day >= first for day in own):
            return True
        return crop["ending"] != "terminated" and self.harvest_elsewhere(at, first - near, last + near)

    def harvest_elsewhere(self, at: int, begun: dt.date, over: dt.date) -> bool:
        """Tell whether a ticket, a log or the combine says that a harvest was on other days."""
        crop = self.ended[at]
        for ticket in self.on_unit("scale_ticket"):
            day, year = ticket["day"], ticket["harvest_year"]
            if ticket["crop"] == crop["crop"] and day is not None and day < begun:
                older = (first_day(one) for one in self.ended if one["crop"] == crop["crop"])
                stored = any(one is not None and one <= day + dt.timedelta(2) for one in older)
                fresh = year in (None, day.year) and (crop["planted"] is None or crop["planted"] <= day)
                if year == crop["year"] or (fresh and not stored and (begun - day).days <= 300):
                    return True
        combine = [one["day"] for one in self.on_unit("operation") if one["day"] and group(one) == "harvest"]
        if any(begun <= day <= over for day in combine):
            return False
        spans = [(first_day(one), last_day(one)) for one in self.ended]
        two = dt.timedelta(2)
        stray = [day for day in combine if not any(a and b and a - two <= day <= b + two for a, b in spans)]
        later = self.ended[at + 1] if at + 1 < len(self.ended) else None
        for day in stray:
            of = self.of_day(day, harvest=True)
            if of is crop or (of is later and (not later or not later["planted"] or day < later["planted"])):
                return True
        return False

    @property
    def nutrients_complete(self) -> bool:
        """Tell whether the list of applications may be taken for all of them."""
        said = self.declared("all_nutrients_listed") and self.start_proven and not self.lost_applications
        return bool(said and not self.border_contradicted)

    @property
    def budget(self) -> Row | None:
        """Return the first budget made."""
        rows = self.mine("nutrient_budget")
        return min(
            rows,
            key=lambda one: (one["made_on"] or dt.date.min, one["budget_id"]),
            default=None,
        )

    @property
    def plan_in_time(self) -> bool:
        """Tell whether the budget was made before the harvest."""
        made, cut = self.budget["made_on"] if self.budget else None, first_day(self.crop)
        return made is not None and cut is not None and made < cut

    @property
    def sources(self) -> dict[str, Row]:
        """Return the answered sources of the budget."""
        mine = self.budget["budget_id"] if self.budget else None
        return {one["source"]: one for one in self.book["budget_source"] if one["budget_id"] == mine}

    @property
    def soil_test(self) -> Row | None:
        """Return the soil test the budget names, if it is of this unit."""
        if self.budget is None:
            return None
        return next(
            (one for one in self.on_unit("soil_test") if one["soil_test_id"] == self.budget["soil_test_id"]), None
        )

    @property
    def soil_test_fits(self) -> Answer:
        """Tell whether the sample is at most two years older than the budget, and not younger."""
        test, made = self.soil_test, self.budget["made_on"] if self.budget else None
        if test is None or test["sampled_on"] is None or made is None:
            return None
        sampled = test["sampled_on"]
        return bool(sampled <= made and (sampled >= years_before(made, 2) or same_day_of_leap_year(sampled, made)))

    @property
    def state(self) -> str | None:
        """Return the State of the unit."""
        if self.unit["county_fips"] is None:
            return next((one["state"] for one in self.book["farm"]), None)
        return STATE_BY_FIPS.get(self.unit["county_fips"][:2])
