"""A second reading of subpart F: plain Python over one crop interval at a time, written from the rule and the readings.

It shares the tables of the catalogue with the package, and nothing of how the package decides. ``None`` is *not shown*.
Numbers of the rule are written out here on purpose, so that a wrong parameter shows too.
"""

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from provender.catalog.counties import STATE_BY_FIPS
from provender.catalog.cover_crops import find_species
from provender.catalog.fertilizers import find_product
from provender.catalog.inhibitors import inhibitors
from provender.catalog.names import fold
from provender.catalog.operations import FieldOperation, find_operation
from provender.records.book import RecordBook

Row = dict[str, Any]
Answer = bool | None

FEEDSTOCKS: Final = ("corn", "soybeans", "sorghum")
DRIVES_ONLY: Final = ("spraying", "spreading", "harvest", "mowing", "irrigation", "burning", "growth")
BY_MACHINE: Final = ("machine", "third_party")
WHOLE: Final = 1000
SOURCES: Final = 13


def both(*answers: Answer) -> Answer:
    """Combine answers: a no is a no, else a gap is a gap."""
    if any(one is False for one in answers):
        return False
    return None if any(one is None for one in answers) else True


def shown(*, holds: Answer) -> Answer:
    """Records show a thing or do not yet."""
    return True if holds else None


def years_before(day: dt.date, years: int) -> dt.date:
    """Return the same day of an earlier year; 29 February gives 28 February."""
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)


def in_season(day: dt.date, first: tuple[int, int], last: tuple[int, int]) -> bool:
    """Tell whether a day lies between two days of its year."""
    return first <= (day.month, day.day) <= last


def in_fall(day: dt.date) -> bool:
    """Tell whether it is fall by the default window."""
    return in_season(day, (8, 1), (12, 31))


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
    def start_proven(self) -> bool:
        """Tell whether a termination that starts the interval has its record."""
        return not (self.before and self.before["ending"] == "terminated" and not self.before["termination_record"])

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
        return [one for one in self.book[kind] if one["harvest_id"] == self.crop["harvest_id"]]

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
        """Return the crop an application belongs to: the one it names on its own unit, else by day."""
        for one in self.ended:
            if one["harvest_id"] == row["harvest_id"]:
                end = last_day(one)
                if row["day"] is None or end is None or row["day"] <= end:
                    return one
        return self.of_day(row["day"])

    def names_crop(self, row: Row) -> bool:
        """Tell whether an application names the crop it belongs to."""
        of = self.crop_of(row)
        return of is not None and of["harvest_id"] == row["harvest_id"]

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
            if other is self.crop:
                continue
            rows = [one for one in self.on_unit("nutrient_application") if self.crop_of(one) is other]
            found += [one for one in self.judged(rows) if one["day"] and since <= one["day"] <= until]
        return found

    def judged(self, rows: list[Row]) -> list[Row]:
        """Say of each row of one crop whether it is synthetic N that counts (READINGS 21)."""
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
            one["counts"] = False if one["little"] and traces else one["says"]
        return made

    @property
    def synthetic(self) -> list[Row]:
        """Return the rows that are or may be synthetic N."""
        return [one for one in self.applications if one["counts"] is not False]

    @property
    def declaration(self) -> Row | None:
        """Return the declaration of the interval."""
        return next(iter(self.mine("declaration")), None)

    def declared(self, what: str) -> Answer:
        """Return an answer of the declaration; only an admission counts before the interval has closed."""
        row = self.declaration
        if row is None:
            return None
        in_time = row["made_on"] is not None and row["made_on"] >= self.closes
        value: Answer = row[what]
        if in_time or (value is True and not what.startswith("all_")):
            return value
        return None

    @property
    def operations_complete(self) -> bool:
        """Tell whether the list of passes may be taken for all of them."""
        same = self.before is not None and self.before["crop"] == self.crop["crop"]
        grown = not same or (
            self.first_planting is not None and self.starts is not None and self.first_planting >= self.starts
        )
        before_harvest = self.last_planting is None or self.last_planting < first_day(self.crop)  # type: ignore[operator]
        return bool(
            self.declared("all_operations_listed")
            and self.starts
            and self.start_proven
            and self.dated
            and grown
            and before_harvest
            and not self.undated_passes
            and any(group(one) in ("seeding", "planting", "strip_tillage") for one in self.passes)
            and any(group(one) == "harvest" for one in self.passes)
        )

    @property
    def nutrients_complete(self) -> bool:
        """Tell whether the list of applications may be taken for all of them."""
        return bool(self.declared("all_nutrients_listed") and self.start_proven and not self.lost_applications)

    @property
    def budget(self) -> Row | None:
        """Return the first budget made."""
        rows = self.mine("nutrient_budget")
        return min(
            rows,
            key=lambda one: (one["made_on"] is None, one["made_on"] or dt.date.min, one["budget_id"]),
            default=None,
        )

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


def same_day_of_leap_year(sampled: dt.date, made: dt.date) -> bool:
    """Tell whether a sample of 29 February is two years old on 28 February."""
    return (sampled.month, sampled.day) == (2, 29) and years_before(made, 2) == sampled


def first_day(crop: Row) -> dt.date | None:
    """Return the first day on which a crop ended."""
    day: dt.date | None = crop["first_day"] or crop["last_day"]
    return day


def last_day(crop: Row) -> dt.date | None:
    """Return the last day on which a crop ended."""
    day: dt.date | None = crop["last_day"] or crop["first_day"]
    return day


def listed(row: Row) -> FieldOperation | None:
    """Return the operations list's row of a pass."""
    return find_operation(row["operation"])


def group(row: Row) -> str:
    """Return the list's group of a pass; empty where it is not listed."""
    found = listed(row)
    return found.op_group if found else ""


def flag(row: Row, name: str) -> Answer:
    """Return a flag of the list, or the farm's own where the operation is not listed."""
    found = listed(row)
    answer: Answer = getattr(found, name) if found else row[name]
    return answer


def rides_along(row: Row) -> bool:
    """Tell whether a product went on with something else."""
    return row["method"] in ("foliar", "with_herbicide")


def pounds_of_n(row: Row) -> int | None:
    """Return thousandths of a pound of N per acre: typed, else from rate and grade."""
    if row["n_lb_per_ac"] is not None:
        return int(row["n_lb_per_ac"])
    product = find_product(row["product"])
    if product is None or row["rate"] is None or row["rate_unit"] is None:
        return None
    rate = Fraction(row["rate"], WHOLE)
    gallon = None if product.density_lb_per_gal is None else Fraction(product.density_lb_per_gal, WHOLE)
    size = {"lb/ac": Fraction(1), "ton/ac": Fraction(2000)} | (
        {} if gallon is None else {"gal/ac": gallon, "qt/ac": gallon / 4, "pt/ac": gallon / 8}
    )
    if row["rate_unit"] not in size:
        return None
    exact = rate * size[row["rate_unit"]] * Fraction(product.n_pct, 100 * WHOLE) * WHOLE
    return int(exact + Fraction(1, 2))


def carries_synthetic_n(row: Row) -> Answer:
    """Tell whether a product carries synthetic N; none where zero pounds contradict the product's grade."""
    product = find_product(row["product"])
    synthetic: Answer = product.product_synthetic_n if product else row["synthetic_n"]
    if pounds_of_n(row) != 0:
        return synthetic
    if product is not None and product.n_pct > 0 and row["rate"] != 0:
        return False if synthetic is False else None
    return False


def inhibited(row: Row) -> Answer:
    """Tell whether a nitrification inhibitor went on with the row (READINGS 22)."""
    product = find_product(row["product"])
    inside = product.product_inhibitor if product else None
    written = None if row["inhibitor"] is None else fold(row["inhibitor"])
    if written in ("none", "no", "without"):
        written = None
        if inside is None:
            return False
    known = inhibitors().get(written or inside or "")
    if known is None:
        return None
    if known.counts and inside is None and row["inhibitor_rate"] == 0:
        return None
    return known.counts


def pass_stir(row: Row, tools: list[Row], *, by_list: bool) -> int | None:
    """Return the STIR of one pass in ten-thousandths, by recorded values or by the list's alone."""
    found = listed(row)
    proven = row["known_by"] in BY_MACHINE or row["evidence"] is not None

    def typed(name: str) -> int | None:
        value: int | None = row[name] or None
        least = getattr(found, f"{name}_min", None) if found else None
        return None if by_list or (value and least and value < least and not proven) else value

    def stir(speed: int, kind: int, depth: int, pct: int) -> Fraction:
        return Fraction(13, 8) * Fraction(speed * kind * depth * pct, 1000 * 100 * 1000 * 100_000)

    own = typed("speed_mph")
    speed = own or (found.speed_mph if found else None)
    if tools and not by_list:
        kinds = {
            "inversion": 100,
            "mixing_some_inversion": 80,
            "mixing": 70,
            "lifting": 40,
            "compression": 15,
            "none": 0,
        }
        if speed is None or any(not one["depth_in"] or not one["surface_pct"] for one in tools):
            return None
        return round(
            10_000 * sum(stir(speed, kinds[one["tillage_type"]], one["depth_in"], one["surface_pct"]) for one in tools)
        )
    if found is None:
        return None
    depth = typed("depth_in") or found.depth_in
    pct = (None if by_list else row["surface_pct"] or None) or found.surface_pct
    if found.type_hundredths is not None and not found.several_tools and speed and depth and pct:
        return round(10_000 * stir(speed, found.type_hundredths, depth, pct))
    if own and found.speed_mph:
        return round(Fraction(found.published_stir * own, found.speed_mph))
    return found.published_stir


def logged_by_machine(row: Row, tools: list[Row]) -> bool:
    """Tell whether the machine logged what the value of a pass rests on."""
    found = listed(row)
    listed_pct = found.surface_pct if found else None
    pct = row["surface_pct"]
    as_listed = not pct or (listed_pct is not None and pct >= listed_pct)
    return bool(row["known_by"] in BY_MACHINE and row["speed_mph"] and row["depth_in"] and as_listed and not tools)


def at_most(values: Iterable[int | None], limit: int, *, complete: bool) -> Answer:
    """Compare a sum with a limit (READINGS 3)."""
    found = list(values)
    if sum(one for one in found if one is not None) > limit:
        return False
    return None if None in found or not complete else True


def none_is(flags: Iterable[Answer], *, complete: bool) -> Answer:
    """Tell whether no flag is up (READINGS 2)."""
    found = list(flags)
    if True in found:
        return False
    return None if None in found or not complete else True


def stir_within(one: Interval, limit: int) -> Answer:
    """Judge the interval's STIR by both readings (READINGS 10)."""
    tools = {
        row["operation_id"]: [t for t in one.book["operation_tool"] if t["operation_id"] == row["operation_id"]]
        for row in one.passes
    }
    complete = one.operations_complete
    recorded = at_most(
        (pass_stir(r, tools[r["operation_id"]], by_list=False) for r in one.passes), limit, complete=complete
    )
    published = at_most((pass_stir(r, [], by_list=True) for r in one.passes), limit, complete=complete)
    works = [r for r in one.passes if group(r) not in DRIVES_ONLY]
    machine = bool(one.passes) and all(logged_by_machine(r, tools[r["operation_id"]]) for r in works)
    return recorded if machine or recorded is published else None


def not_burned(one: Interval) -> Answer:
    """Judge burning."""
    if one.declared("residue_burned") or any(group(row) == "burning" for row in one.passes):
        return False
    if one.declared("residue_burned") is None or any(group(row) == "burning" for row in one.undated_passes):
        return None
    return True


def every_cover(one: Interval, rule: Callable[[Row], Answer]) -> Answer:
    """Ask the same of every cover crop."""
    return both(*(rule(row) for row in one.covers)) if one.covers else None


def seeded_in_fall(one: Interval, row: Row) -> Answer:
    """Judge the seeding day of one cover."""
    day, planted = row["seeded_on"], one.first_planting
    if day is None:
        return None
    before = None if planted is None else years_before(planted, 1) < day < planted
    return both(in_fall(day), before)


def ended_in_spring(one: Interval, row: Row) -> Answer:
    """Judge the day of termination of one cover."""
    if row["termination_method"] == "winter_kill":
        return True
    day = row["terminated_on"]
    if day is None:
        return None
    if not in_season(day, (2, 1), (6, 30)):
        return False
    in_order = row["seeded_on"] is not None and row["seeded_on"] < day <= one.closes
    return True if in_order else None


def with_legume(one: Interval, answer: Answer) -> Answer:
    """Ask only where a legume stands, or may."""
    if not one.covers:
        return None
    ids = [row["cover_id"] for row in one.covers]
    mixes = {key: [s for s in one.book["cover_species"] if s["cover_id"] == key] for key in ids}
    kinds = [find_species(s["species"]) for mix in mixes.values() for s in mix]
    if any(kind is not None and kind.legume for kind in kinds):
        return answer
    if None in kinds or any(not mix for mix in mixes.values()):
        return True if answer else None
    return True


def legume_adjusted(one: Interval) -> Answer:
    """Judge the adjustment of planned N."""
    budget = one.budget
    if budget is None or budget["n_adjustment_lb_per_ac"] is None:
        return with_legume(one, answer=None)
    if budget["n_adjustment_lb_per_ac"] > 0:
        return with_legume(one, answer=True)
    if one.crop["crop"] == "soybeans":
        return with_legume(one, answer=True)
    available = budget["legume_n_lb_per_ac"]
    return with_legume(one, answer=None if available is None else available == 0)


def cover_on_whole_unit(one: Interval) -> Answer:
    """Hold the acres of the covers against the unit's, within three percent."""
    if not one.covers or one.unit["acres"] is None:
        return None
    acres = [row["seeded_acres"] for row in one.covers]
    if sum(a for a in acres if a is not None) * 100 >= one.unit["acres"] * 97:
        return True
    return None if None in acres else False


def cover_unused(one: Interval) -> Answer:
    """Judge grazing and harvest of the cover."""
    if not one.covers:
        return None
    uses = [row for row in [*one.passes, *one.undated_passes] if group(row) in ("grazing", "hay")]
    since, planted = one.cover_seeded, one.first_planting
    for row in uses:
        if row["day"] and since and planted and since < row["day"] <= planted:
            return False
    if any(row["termination_method"] in ("grazing", "mechanical_harvest") for row in one.covers):
        return False
    doubtful = [
        row
        for row in uses
        if row["day"] is None or not ((since and row["day"] <= since) or (planted and row["day"] > planted))
    ]
    grazed, harvested = one.declared("cover_grazed"), one.declared("cover_harvested")
    if grazed or harvested:
        return False
    return None if grazed is None or harvested is None or doubtful else True


def residue_stays(one: Interval) -> Answer:
    """Judge the passes between termination and planting."""
    if not one.covers:
        return None
    ended, planted, since = one.covers_ended, one.first_planting, one.cover_seeded
    flags: list[Answer] = []
    killed_by_winter = any(row["termination_method"] == "winter_kill" for row in one.covers)
    for row in one.passes:
        if not ended or planted is None:
            continue
        full = flag(row, "full_width")
        if min(ended) <= row["day"] <= planted:
            flags.append(full)
        elif killed_by_winter and since and since < row["day"] < min(ended) and row["day"] <= planted:
            flags.append(None if full is not False else False)
    known = one.operations_complete and len(ended) == len(one.covers) and planted is not None
    return none_is(flags, complete=known)


def cover_not_fertilized(one: Interval) -> Answer:
    """Judge fertilizer on the cover (READINGS 17)."""
    if not one.covers:
        return None
    rows = [*one.applications, *one.on_standing_cover]
    if any(row["intended_for"] == "cover_crop" for row in rows) or one.declared("cover_fertilized"):
        return False
    ended, since = one.covers_ended, one.cover_seeded

    def may_lie_on_cover(row: Row) -> bool:
        day = row["day"]
        if day is None:
            return True
        return not ((since is not None and day < since) or (ended and day > max(ended)))

    unclear = [
        row
        for row in one.applications
        if row["intended_for"] is None and not one.names_crop(row) and may_lie_on_cover(row)
    ]
    unclear += [row for row in one.on_standing_cover if row["intended_for"] is None and not one.names_crop(row)]
    if unclear or one.lost_applications or one.declared("cover_fertilized") is None:
        return None
    return True


def planned(budget: Row) -> bool:
    """Tell whether a budget holds goal, plan and removals."""
    return all(
        budget[name] is not None
        for name in (
            "yield_goal_bu_per_ac", "planned_n_lb_per_ac", "planned_p2o5_lb_per_ac", "planned_k2o_lb_per_ac",
            "removal_n_lb_per_ac", "removal_p2o5_lb_per_ac", "removal_k2o_lb_per_ac",
        )
    )  # fmt: skip


def budget_first(one: Interval) -> Answer:
    """Judge the order of budget and first application."""
    days = [row["day"] for row in one.applications]
    made = one.budget["made_on"] if one.budget else None
    known = [day for day in days if day]
    if made is None or not known:
        return None
    if made > min(known):
        return False
    return (
        True
        if made < min(known) and None not in days and planned(one.budget or {}) and one.nutrients_complete
        else None
    )


def budget_sources(one: Interval) -> Answer:
    """Judge the sources of the budget."""
    if one.budget is None:
        return None
    found = one.sources
    said = {name: found[name]["present"] if name in found else None for name in ("manure", "irrigation_water")}
    manure, irrigation = one.declared("manure_applied"), one.declared("irrigation_n")
    if (manure and said["manure"] is False) or (irrigation and said["irrigation_water"] is False):
        return False
    full = len(found) == SOURCES and all(
        row["present"] is False or (row["present"] is True and row["n_lb_per_ac"] is not None) for row in found.values()
    )
    return True if full and manure is not None and irrigation is not None else None


def budget_basis(one: Interval) -> Answer:
    """Judge what the budget rests on."""
    budget = one.budget
    if budget is None or budget["basis"] is None:
        return None
    if budget["basis"] == "soil_test":
        return one.soil_test_fits
    found = next((row for row in one.book["expert_opinion"] if row["opinion_id"] == budget["opinion_id"]), None)
    if found is None:
        return None
    of = None if found["employer"] is None else found["employer"] != "other"
    in_time = None if not found["given_on"] or not budget["made_on"] else found["given_on"] <= budget["made_on"]
    return both(of, in_time)


def if_synthetic(one: Interval, answer: Callable[[], Answer]) -> Answer:
    """Ask only where synthetic N went on (READINGS 4)."""
    if one.synthetic:
        return answer()
    return False if one.nutrients_complete else None


def all_inhibited(one: Interval) -> Answer:
    """Judge whether an inhibitor went on with all of it."""
    rows = both(*(None if row["counts"] is None else inhibited(row) for row in one.synthetic))
    return None if rows and not one.nutrients_complete else rows


def inhibitor_accepted(one: Interval) -> Answer:
    """Judge the inhibitors by the State's list."""

    def accepted(row: Row) -> Answer:
        product = find_product(row["product"])
        inside = product.product_inhibitor if product else None
        written = None if row["inhibitor"] is None else fold(row["inhibitor"])
        key = (None if written in ("none", "no", "without") else written) or inside
        known = inhibitors().get(key or "")
        for name in (key, known.ingredient if known else None):
            rows = [
                a["accepted"]
                for a in one.book["inhibitor_acceptance"]
                if name is not None and fold(a["inhibitor"]) == name and a["state"].strip().upper() == one.state
            ]
            if rows:
                return all(rows)
        return None

    return both(*(None if row["counts"] is None else accepted(row) for row in one.synthetic))


def first_n_at_planting(one: Interval) -> Answer:
    """Judge the day of the first synthetic N."""
    planted = one.first_planting
    sure = [row["day"] for row in one.synthetic if row["counts"] and row["day"]]
    if planted is None:
        return None
    if any((planted - day).days > 30 for day in sure):
        return False
    if not sure or len(sure) < len(one.synthetic) or not one.nutrients_complete:
        return None
    return bool((min(sure) - planted).days <= 7)


def none_in_fall(one: Interval) -> Answer:
    """Judge synthetic N on fallow or cover in the fall."""
    planted, ended, since = one.first_planting, one.covers_ended, one.cover_seeded
    flags: list[Answer] = []
    for row in one.synthetic:
        day = row["day"]
        if day is None:
            flags.append(None)
            continue
        on_cover = bool(since and ended and since <= day <= max(ended))
        open_ground = True if on_cover else (None if planted is None else day < planted)
        fall = in_fall(day)
        flags.append(
            None if both(row["counts"], fall, open_ground) is None else bool(both(row["counts"], fall, open_ground))
        )
    flags += [
        None if both(row["counts"], in_fall(row["day"])) is None else bool(both(row["counts"], in_fall(row["day"])))
        for row in one.on_standing_cover
    ]
    return none_is(flags, complete=one.nutrients_complete and one.starts is not None and one.dated)


@dataclass
class Split:
    """Synthetic N before, after and around emergence, thousandths of a pound."""

    before: int = 0
    after: int = 0
    around: int = 0
    unknown: bool = False
    emergence_known: bool = True


def split_of(one: Interval) -> Split:
    """Sort the synthetic N by the days on which the crop may have emerged (READINGS 24)."""
    found = Split()
    plantings = one.mine("planting")
    seen = bool(plantings) and all(
        row["emerged_on"] and row["planted_on"] and (row["emerged_on"] - row["planted_on"]).days >= 4
        for row in plantings
    )
    first, last = one.first_planting, one.last_planting
    if seen:
        start, end = min(row["emerged_on"] for row in plantings), max(row["emerged_on"] for row in plantings)
    elif first and last:
        start, end = first + dt.timedelta(4), last + dt.timedelta(21)
    else:
        start = end = None
    found.emergence_known = start is not None
    for row in one.synthetic:
        n, day = row["n"], row["day"]
        if n is None:
            found.unknown = True
            continue
        acres = one.unit["acres"]
        part = row["treated_acres"] is not None and (acres is None or row["treated_acres"] < acres)
        if row["counts"] and start and day and day < start:
            found.before += n
        elif row["counts"] and end and day and day > end and not part:
            found.after += n
        else:
            found.around += n
    return found


def reductions(one: Interval) -> int:
    """Add up documented reductions."""
    first = one.first_planting
    return sum(
        row["n_reduction_lb_per_ac"] or 0
        for row in one.mine("in_season_test")
        if first
        and row["tested_on"]
        and first <= row["tested_on"] <= one.closes
        and (row["what"] == "scouting" or row["laboratory"])
    )


def split_after(one: Interval) -> Answer:
    """Judge the share after emergence."""
    need = one.budget["synthetic_n_need_lb_per_ac"] if one.budget else None
    split = split_of(one)
    if need is None or not one.budget or not one.budget["need_source"] or split.unknown or not split.emergence_known:
        return None
    known = split.after + reductions(one)
    if known * 100 >= 75 * need:
        return True if need > 0 else None  # more N could only add to the share
    return False if (known + split.around) * 100 < 75 * need and one.nutrients_complete else None


def split_before(one: Interval) -> Answer:
    """Judge the share before emergence."""
    need = one.budget["synthetic_n_need_lb_per_ac"] if one.budget else None
    split = split_of(one)
    if need is None:
        return None
    if split.before * 100 > 25 * need:
        return False
    sure = one.budget and one.budget["need_source"] and not split.unknown and split.emergence_known
    within = (split.before + split.around) * 100 <= 25 * need
    return True if within and sure and one.nutrients_complete and need > 0 else None


def seed_enough(book: dict[str, list[Row]]) -> Answer:
    """Hold seed against area over the whole farm."""
    acres = {row["cover_id"]: row["seeded_acres"] for row in book["cover_crop"]}
    answers: list[Answer] = []
    for species in {fold(row["species"]) for row in book["cover_species"]}:
        needs = [
            None if row["rate_lb_per_ac"] is None or acres.get(row["cover_id"]) is None
            else row["rate_lb_per_ac"] * acres[row["cover_id"]]
            for row in book["cover_species"] if fold(row["species"]) == species
        ]  # fmt: skip
        has = [
            None if row["bin_run"] and not row["evidence"] else row["pounds"]
            for row in book["seed_purchase"] if fold(row["species"]) == species
        ]  # fmt: skip
        answers.append(balance(needs, [None if one is None else one * 1000 for one in has]))
    return both(*answers) if answers else None


def balance(needs: list[int | None], has: list[int | None]) -> Answer:
    """Tell whether what there is covers what is needed."""
    enough = sum(one or 0 for one in has) >= sum(one or 0 for one in needs)
    if enough:
        return None if None in needs else True
    return None if None in has else False


SIZES: Final = {
    "gal": ("oz", 128),
    "qt": ("oz", 32),
    "pt": ("oz", 16),
    "oz": ("oz", 1),
    "lb": ("lb", 1),
    "ton": ("lb", 2000),
}


def inhibitor_enough(book: dict[str, list[Row]]) -> Answer:
    """Hold inhibitor bought against rate and acres treated over the whole farm."""
    acres = {row["unit_id"]: row["acres"] for row in book["unit"]}
    needs: dict[tuple[str, str], list[int | None]] = {}
    inside_only = False
    for row in book["nutrient_application"]:
        product = find_product(row["product"])
        if product and product.product_inhibitor and inhibited(row):
            inside_only = True
            continue
        if inhibited(row) is not True:
            continue
        measure, size = SIZES[row["inhibitor_rate_unit"].split("/")[0]] if row["inhibitor_rate_unit"] else ("", None)
        area = row["treated_acres"] if row["treated_acres"] is not None else acres[row["unit_id"]]
        known = row["inhibitor_rate"] and area is not None and size
        needs.setdefault((fold(row["inhibitor"]), measure), []).append(
            row["inhibitor_rate"] * area * size if known else None
        )
    answers = []
    for (product_name, measure), wanted in needs.items():
        had = [
            None if row["amount"] is None or row["amount_unit"] is None
            else row["amount"] * 1000 * SIZES[row["amount_unit"]][1]
            for row in book["inhibitor_purchase"]
            if fold(row["product"]) == product_name
            and (SIZES[row["amount_unit"]][0] if row["amount_unit"] else "") == measure
        ]  # fmt: skip
        answers.append(balance(wanted, had))
    if not answers:
        return True if inside_only else None
    return both(*answers)


def located(one: Interval) -> Answer:
    """Tell whether the unit has acres, county and boundary."""
    return shown(holds=all(one.unit[name] is not None for name in ("acres", "county_fips", "boundary")))


def has_bushels(one: Interval) -> Answer:
    """Tell whether the harvest has bushels."""
    return shown(holds=one.crop["bushels"] is not None)


def measured(one: Interval) -> Answer:
    """Tell whether each disturbing pass has depth, width and speed."""
    tools = {row["operation_id"] for row in one.book["operation_tool"]}

    def full(row: Row) -> bool:
        found = listed(row)
        proven = row["known_by"] in BY_MACHINE or row["evidence"] is not None

        def usable(name: str) -> bool:
            least = getattr(found, f"{name}_min", None) if found else None
            value = row[name]
            return value is not None and (proven or least is None or value >= least)

        depth = (bool(row["depth_in"]) and usable("depth_in")) or row["operation_id"] in tools
        return depth and row["width_ft"] is not None and usable("speed_mph")

    works = [row for row in one.passes if group(row) not in DRIVES_ONLY]
    return shown(holds=bool(one.passes) and all(full(row) for row in works))


def pounds_known(row: Row) -> bool:
    """Tell whether N, P2O5 and K2O of an application are known."""
    product = find_product(row["product"])
    computable = product is not None and row["rate"] is not None and (
        row["rate_unit"] in ("lb/ac", "ton/ac")
        or (row["rate_unit"] in ("gal/ac", "qt/ac", "pt/ac") and product.density_lb_per_gal is not None)
    )  # fmt: skip
    return computable or all(row[name] is not None for name in ("n_lb_per_ac", "p2o5_lb_per_ac", "k2o_lb_per_ac"))


def covers_have(one: Interval, *columns: str) -> bool:
    """Tell whether there are covers and each has these columns."""
    return bool(one.covers) and all(row[name] is not None for row in one.covers for name in columns)


def seeding_known(one: Interval) -> Answer:
    """Tell whether date, method and rates of every seeding are known."""
    mixes = [[s for s in one.book["cover_species"] if s["cover_id"] == row["cover_id"]] for row in one.covers]
    rates = all(mix and all(s["rate_lb_per_ac"] is not None for s in mix) for mix in mixes)
    return shown(holds=covers_have(one, "seeded_on", "method") and rates)


def soil_test_on_file(one: Interval) -> Answer:
    """Tell whether the budget's soil test is documented."""
    test = one.soil_test
    return shown(holds=bool(one.soil_test_fits and test and test["laboratory"] and test["method"]))


def applications_known(one: Interval) -> Answer:
    """Tell whether every application has day, method and pounds, and all are listed."""
    rows = one.applications
    return shown(
        holds=bool(rows)
        and one.nutrients_complete
        and all(row["day"] and row["method"] and pounds_known(row) for row in rows)
    )


def rates_known(one: Interval) -> bool:
    """Tell whether every inhibitor beside a fertilizer has a rate."""
    for row in one.synthetic:
        product = find_product(row["product"])
        if not (product and product.product_inhibitor and inhibited(row)) and not row["inhibitor_rate"]:
            return False
    return True


ORACLE: Final[dict[str, Callable[[Interval], Answer]]] = {
    "no_till_no_full_width_disturbance": lambda one: none_is(
        (flag(row, "full_width") for row in one.passes), complete=one.operations_complete
    ),
    "no_till_stir_within_limit": lambda one: stir_within(one, 200_000),
    "reduced_till_stir_within_limit": lambda one: stir_within(one, 800_000),
    "reduced_till_no_primary_inversion": lambda one: none_is(
        (flag(row, "primary_inversion") for row in one.passes), complete=one.operations_complete
    ),
    "no_till_residue_not_burned": not_burned,
    "reduced_till_residue_not_burned": not_burned,
    "cover_crop_suits_site": lambda one: every_cover(
        one, lambda row: row["suits_site"] if row["suits_site_source"] or row["suits_site"] is False else None
    ),
    "cover_crop_on_whole_unit": cover_on_whole_unit,
    "cover_crop_legume_budget": lambda one: with_legume(
        one, answer=True if one.budget and one.budget["legume_n_lb_per_ac"] is not None else None
    ),
    "cover_crop_legume_n_adjusted": legume_adjusted,
    "cover_crop_seeded_in_fall": lambda one: every_cover(one, lambda row: seeded_in_fall(one, row)),
    "cover_crop_termination_method": lambda one: every_cover(
        one,
        lambda row: (
            None
            if row["termination_method"] is None
            else row["termination_method"] in ("winter_kill", "herbicide", "roller_crimper", "mowing")
        ),
    ),
    "cover_crop_terminated_in_spring": lambda one: every_cover(one, lambda row: ended_in_spring(one, row)),
    "cover_crop_not_harvested_or_grazed": cover_unused,
    "cover_crop_residue_stays": residue_stays,
    "cover_crop_residue_not_burned": lambda one: (
        None
        if not one.covers
        else False
        if any(row["termination_method"] == "burning" for row in one.covers)
        else not_burned(one)
    ),
    "cover_crop_not_fertilized": cover_not_fertilized,
    "nutrients_budget_before_application": budget_first,
    "nutrients_budget_all_sources": budget_sources,
    "nutrients_budget_basis": budget_basis,
    "inhibitor_with_all_synthetic_n": lambda one: if_synthetic(one, lambda: all_inhibited(one)),
    "inhibitor_recognised": lambda one: if_synthetic(one, lambda: inhibitor_accepted(one)),
    "no_fall_first_n_at_planting": lambda one: if_synthetic(one, lambda: first_n_at_planting(one)),
    "no_fall_none_in_fall": lambda one: if_synthetic(one, lambda: none_in_fall(one)),
    "split_post_emergence_share": lambda one: if_synthetic(one, lambda: split_after(one)),
    "split_pre_emergence_share": lambda one: if_synthetic(one, lambda: split_before(one)),
    "records_tillage_unit": located,
    "records_tillage_all_operations": lambda one: shown(holds=one.operations_complete),
    "records_tillage_depth_width_speed": measured,
    "records_tillage_equipment": lambda one: shown(
        holds=bool(one.passes) and all(row["equipment"] is not None for row in one.passes)
    ),
    "records_tillage_dates": lambda one: shown(holds=bool(one.passes) and not one.undated_passes),
    "records_tillage_bushels": has_bushels,
    "records_cover_seed": lambda one: shown(holds=bool(one.covers) and seed_enough(one.book)),
    "records_cover_unit": located,
    "records_cover_seeding": seeding_known,
    "records_cover_acres": lambda one: shown(holds=covers_have(one, "seeded_acres")),
    "records_cover_photograph": lambda one: shown(holds=covers_have(one, "established_photo")),
    "records_cover_termination": lambda one: shown(holds=covers_have(one, "terminated_on", "termination_method")),
    "records_cover_bushels": has_bushels,
    "records_nutrients_budget": lambda one: shown(
        holds=one.budget is not None
        and planned(one.budget)
        and len([1 for row in one.sources.values() if row["present"] is not None]) == SOURCES
    ),
    "records_nutrients_soil_test": soil_test_on_file,
    "records_nutrients_applications": applications_known,
    "records_nutrients_content": lambda one: shown(
        holds=bool(one.applications)
        and all(pounds_known(row) and row["counts"] is not None for row in one.applications)
    ),
    "records_nutrients_unit": located,
    "records_nutrients_planting": lambda one: shown(holds=one.first_planting is not None),
    "records_nutrients_acres": lambda one: shown(holds=one.unit["acres"] is not None),
    "records_nutrients_bushels": has_bushels,
    "records_inhibitor_bought": lambda one: shown(
        holds=bool(one.synthetic) and bool(inhibitor_enough(one.book)) and rates_known(one)
    ),
}

BUDGET: Final = (
    "nutrients_budget_before_application", "nutrients_budget_all_sources", "nutrients_budget_basis",
)  # fmt: skip
COVER: Final = tuple(name for name in ORACLE if name.startswith("cover_crop"))
PRACTICES: Final = {
    "no_till": (
        FEEDSTOCKS,
        ("no_till_no_full_width_disturbance", "no_till_stir_within_limit", "no_till_residue_not_burned"),
    ),
    "reduced_till": (
        FEEDSTOCKS,
        ("reduced_till_stir_within_limit", "reduced_till_no_primary_inversion", "reduced_till_residue_not_burned"),
    ),
    "cover_crop": (FEEDSTOCKS, COVER),
    "nitrification_inhibitor": (FEEDSTOCKS, (*BUDGET, "inhibitor_with_all_synthetic_n", "inhibitor_recognised")),
    "no_fall_application": (("corn",), (*BUDGET, "no_fall_first_n_at_planting", "no_fall_none_in_fall")),
    "split_in_season": (("corn", "sorghum"), (*BUDGET, "split_post_emergence_share", "split_pre_emergence_share")),
}


def by_farm(book: RecordBook) -> dict[str, dict[str, list[Row]]]:
    """Return the rows of every kind, farm by farm."""
    farms: dict[str, dict[str, list[Row]]] = {}
    for kind, frame in book.frames.items():
        for row in frame.iter_rows(named=True):
            farms.setdefault(row["farm_id"], {name: [] for name in book.frames})[kind].append(row)
    return farms


def read(rows: dict[str, list[Row]]) -> dict[str, dict[str, Answer]]:
    """Judge every closed interval of a feedstock crop of one farm, by crop entry."""
    found: dict[str, dict[str, Answer]] = {}
    for unit in rows["unit"]:
        ended = sorted(
            (
                row
                for row in rows["harvest"]
                if row["unit_id"] == unit["unit_id"] and row["ending"] in ("harvested", "terminated")
            ),
            key=lambda row: (first_day(row) is None, first_day(row) or dt.date.min, last_day(row) or dt.date.min),
        )
        for at, crop in enumerate(ended):
            end = last_day(crop)
            if crop["crop"] not in FEEDSTOCKS or end is None or end < dt.date(2025, 1, 17):
                continue
            one = Interval(rows, unit, crop, ended[at - 1] if at else None, ended)
            answers = {name: decide(one) for name, decide in ORACLE.items()}
            for practice, (crops, names) in PRACTICES.items():
                answers[practice] = both(*(answers[name] for name in names)) if crop["crop"] in crops else False
            found[crop["harvest_id"]] = answers
    return found
