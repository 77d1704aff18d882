"""The implementation requirements of subpart F, read plainly from the rule and the readings."""

import datetime as dt
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from provender.catalog.fertilizers import find_product, inhibitors
from provender.catalog.names import lookup_name
from provender.catalog.plants import find_species
from tests.standards.oracle_interval import BY_MACHINE, SOURCES, Interval, both, shown
from tests.standards.oracle_rows import (
    DRIVES_ONLY,
    Answer,
    Row,
    group,
    has_results,
    in_fall,
    inhibited,
    listed,
    pounds_given,
)


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
        gangs = [(kinds[one["tillage_type"]], one["depth_in"], one["surface_pct"]) for one in tools]
        if speed is None or any(not deep or not pct for _, deep, pct in gangs):
            return None
        return round(10_000 * sum(stir(speed, *gang) for gang in gangs))
    if found is None:
        return None
    depth = typed("depth_in") or found.depth_in
    pct = (None if by_list else row["surface_pct"] or None) or found.surface_pct
    if found.type_hundredths is not None and not found.several_tools and speed and depth and pct:
        return round(10_000 * stir(speed, found.type_hundredths, depth, pct))
    whole = found.published_stir
    if found.gang_stir and found.depth_in and depth:
        whole = round(whole - found.gang_stir + Fraction(found.gang_stir * depth, found.depth_in))
    if own and found.speed_mph:
        return round(Fraction(whole * own, found.speed_mph))
    return whole


def logged_by_machine(row: Row, tools: list[Row]) -> bool:
    """Tell whether the machine logged what the value of a pass rests on."""
    found = listed(row)
    listed_pct = found.surface_pct if found else None
    pct = row["surface_pct"]
    as_listed = not pct or (listed_pct is not None and pct >= listed_pct)
    if found is None and tools:
        return bool(row["known_by"] in BY_MACHINE and row["speed_mph"])
    return bool(row["known_by"] in BY_MACHINE and row["speed_mph"] and row["depth_in"] and as_listed and not tools)


def at_most(values: Iterable[int | None], limit: int, *, complete: bool) -> Answer:
    """Compare a sum with a limit (interpretation 3)."""
    found = list(values)
    if sum(one for one in found if one is not None) > limit:
        return False
    return None if None in found or not complete else True


def none_is(flags: Iterable[Answer], *, complete: bool) -> Answer:
    """Tell whether no flag is up (interpretation 2)."""
    found = list(flags)
    if True in found:
        return False
    return None if None in found or not complete else True


def stir_within(one: Interval, limit: int) -> Answer:
    """Judge the interval's STIR by both readings (10); a stand that failed denies it by its own passes alone (81)."""
    complete, passes = one.operations_complete, one.passes
    combine = [1_500] if passes and not any(group(row) == "harvest" for row in passes) else []
    found = _both_readings(one, passes, combine, limit, complete=complete)
    stand = [row for row in one.season_passes if row not in passes]
    kept = not one.failed or _both_readings(one, stand, [], limit, complete=True)
    return None if found and not kept else found


def _both_readings(one: Interval, passes: list[Row], more: list[int], limit: int, *, complete: bool) -> Answer:
    tools = {
        row["operation_id"]: [t for t in one.book["operation_tool"] if t["operation_id"] == row["operation_id"]]
        for row in passes
    }
    by_records = [pass_stir(r, tools[r["operation_id"]], by_list=False) for r in passes]
    by_list = [
        pass_stir(r, [] if listed(r) else tools[r["operation_id"]], by_list=listed(r) is not None) for r in passes
    ]
    recorded = at_most([*by_records, *more], limit, complete=complete)
    published = at_most([*by_list, *more], limit, complete=complete)
    works = [r for r in passes if group(r) not in DRIVES_ONLY]
    machine = bool(passes) and all(logged_by_machine(r, tools[r["operation_id"]]) for r in works)
    return recorded if machine or recorded is published else None


def not_burned(one: Interval) -> Answer:
    """Judge burning."""
    if one.declared("residue_burned") or any(group(row) == "burning" for row in one.passes):
        return False
    if one.declared("residue_burned") is None or any(group(row) == "burning" for row in one.undated_passes):
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
    asked = ("manure", "irrigation_water", "commercial_fertilizer", "starter")
    said = {name: found[name]["present"] if name in found else None for name in asked}
    manure, irrigation = one.declared("manure_applied"), one.declared("irrigation_n")
    none = {name for name, row in found.items() if row["present"] is False}
    organic = {"manure", "compost", "biosolids", "wastewater", "organic_by_product", "other_organic",
               "irrigation_water"}  # fmt: skip
    if "unnamed" in applied_sources(one) and organic <= none:
        return False
    if none & applied_sources(one) or (has_legume(one) and {"legume_crop", "green_manure"} <= none):
        return False
    if manured(one) and (manure is False or "manure" in none):
        return False
    if (manure and said["manure"] is False) or (irrigation and said["irrigation_water"] is False):
        return False
    applied = sum(row["n"] or 0 for row in one.applications if row["counts"])
    if applied > 0 and said["commercial_fertilizer"] is False and said["starter"] is False:
        return False
    full = len(found) == SOURCES and all(
        row["present"] is False or (row["present"] is True and row["n_lb_per_ac"] is not None) for row in found.values()
    )
    return True if full and manure is not None and irrigation is not None and not one.misplaced else None


def opinion_of(one: Interval) -> Row | None:
    """Return the opinion that the budget names."""
    name = one.budget["opinion_id"] if one.budget else None
    return next((row for row in one.book["expert_opinion"] if row["opinion_id"] == name), None)


def applied_sources(one: Interval) -> set[str]:
    """Return the sources beside commercial fertilizer that the applications name."""
    found = set()
    for row in one.applications:
        if row["method"] in ("starter_band", "in_furrow"):
            if row["counts"] and (row["n"] or 0) > 0:
                found.add("starter")
        elif find_product(row["product"]) is None and "manure" in row["product"].lower():
            found.add("manure")
        elif find_product(row["product"]) is None and row["synthetic_n"] is False and (row["n"] or 0) > 0:
            found.add("unnamed")
    return found


def manured(one: Interval) -> bool:
    """Tell whether an application or a pass says that manure went on."""
    return "manure" in applied_sources(one) or any(
        listed(row) is not None and "manure" in row["operation"].lower() for row in one.passes
    )


def has_legume(one: Interval) -> bool:
    """Tell whether a cover crop holds a legume."""
    ids = [row["cover_id"] for row in one.covers]
    kinds = [find_species(s["species"]) for s in one.book["cover_species"] if s["cover_id"] in ids]
    return any(kind is not None and kind.legume for kind in kinds)


def agrees_with_product(row: Row) -> bool:
    """Hold an application against its product."""
    product = find_product(row["product"])
    if product is None:
        return not ("urea" in row["product"].lower() and row["synthetic_n"] is False and (row["n"] or 0) > 0)
    carries = product.n_pct > 0 or (row["n_lb_per_ac"] or 0) > 0
    if carries and row["synthetic_n"] is not None and row["synthetic_n"] is not product.product_synthetic_n:
        return False
    for name in ("n", "p2o5", "k2o"):
        typed, share = row[f"{name}_lb_per_ac"], getattr(product, f"{name}_pct")
        given = 0 if share == 0 else pounds_given(row, name)
        off = None if typed is None or given is None else abs(typed - given)
        if off is not None and off > 1000 and (given == 0 or off * 100_000 // given > 10_000):
            return False
    return True


def records_agree(one: Interval) -> Answer:
    """Hold applications against their products, and their sum against the plan; where one is missing nothing agrees."""
    if one.budget is None or not one.applications or one.misplaced or need_too_small(one):
        return None
    acres = one.unit["acres"]
    if acres and any((row["treated_acres"] or 0) * 100 > acres * 103 for row in one.applications):
        return None
    if not all(map(agrees_with_product, one.applications)):
        return None
    for name in ("n", "p2o5", "k2o"):
        of_crop = (row for row in one.applications if row["intended_for"] != "cover_crop")
        if far_over(sum(over_unit(one, row, name) for row in of_crop), one.budget[f"planned_{name}_lb_per_ac"]):
            return None
    return None if far_over(synthetic_over_unit(one), bought_for(one)) else True


def bought_for(one: Interval) -> int | None:
    """Return the N that the budget has from fertilizer and starter."""
    bags = [one.sources[name] for name in ("commercial_fertilizer", "starter") if name in one.sources]
    bought = [row["n_lb_per_ac"] for row in bags if row["present"]]
    told = all(row["n_lb_per_ac"] is not None for row in one.sources.values() if row["present"])
    return sum(bought) if bought and told else None


def need_too_small(one: Interval) -> bool:
    """Tell whether far more synthetic N is planned than the stated need."""
    if one.budget is None:
        return False
    bags = bought_for(one)
    planned_n = one.budget["planned_n_lb_per_ac"] if bags is None else bags
    return planned_n is not None and far_over(planned_n, one.budget["synthetic_n_need_lb_per_ac"])


def over_unit(one: Interval, row: Row, nutrient: str = "n") -> int:
    """Return the pounds of an application for each acre of the whole unit."""
    acres, treated = one.unit["acres"], row["treated_acres"]
    typed = row[f"{nutrient}_lb_per_ac"]
    pounds: int = (pounds_given(row, nutrient) if typed is None else typed) or 0
    if not acres or treated is None or treated >= acres:
        return pounds
    return math.floor(Fraction(pounds * treated, acres) + Fraction(1, 2))


def synthetic_over_unit(one: Interval) -> int:
    """Add up the synthetic N of a unit that counts."""
    return sum(over_unit(one, row) for row in one.applications if row["counts"])


def far_over(applied: int, planned_n: int | None) -> bool:
    """Tell whether half as much again went on, and more than traces."""
    return planned_n is not None and applied * 100 > planned_n * 150 and applied > planned_n + 4000


def budget_basis(one: Interval) -> Answer:
    """Judge what the budget rests on."""
    budget = one.budget
    if budget is None or budget["basis"] is None:
        return None
    if budget["basis"] == "soil_test":
        return both(one.soil_test_fits, shown(holds=one.soil_test is not None and has_results(one.soil_test)))
    found = opinion_of(one)
    if found is None:
        return None
    of = shown(holds=found["employer"] not in (None, "other"))
    in_time = None if not found["given_on"] or not budget["made_on"] else found["given_on"] <= budget["made_on"]
    work = found["works_on"]
    near = work in (one.crop["crop"], "field_crops", "soil_fertility", "nutrient_management")
    return both(of, in_time, None if work in (None, "other") else near)


def if_synthetic(one: Interval, answer: Callable[[], Answer]) -> Answer:
    """Ask only where synthetic N went on (interpretation 4)."""
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
        written = None if row["inhibitor"] is None else lookup_name(row["inhibitor"])
        key = (None if written in ("none", "no", "without") else written) or inside
        known = inhibitors().get(key or "")
        for name in (key, known.ingredient if known else None):
            rows = [
                a["accepted"]
                for a in one.book["inhibitor_acceptance"]
                if name is not None and lookup_name(a["inhibitor"]) == name and a["state"].strip().upper() == one.state
            ]
            if rows:
                return all(rows)
        return None

    rows = both(*(None if row["counts"] is None else accepted(row) for row in one.synthetic))
    return None if rows and one.misplaced else rows


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
    for row in (row for row in one.applications if row["says"] is not False):
        day = row["day"]
        if day is None:
            flags.append(None)
            continue
        on_cover = bool(since and ended and since <= day <= max(ended))
        open_ground = True if on_cover else (None if planted is None else day < planted)
        fall = in_fall(day)
        flags.append(both(row["says"], fall, open_ground))
    flags += [both(row["says"], in_fall(row["day"])) for row in one.on_standing_cover]
    return none_is(flags, complete=one.nutrients_complete and one.starts is not None and one.dated)


def split_in_two(one: Interval) -> Answer:
    """Judge whether synthetic N went on on two days at least; nobody names zones here."""
    acres = one.unit["acres"]

    def sure(row: Row) -> bool:
        part = row["treated_acres"] is not None and (acres is None or row["treated_acres"] < acres)
        return bool(row["counts"] and row["day"] and not part)

    days = {row["day"] for row in one.synthetic if sure(row)}
    if len(days) > 1:
        return None if one.misplaced else True
    most = len(days) + sum(not sure(row) for row in one.synthetic)
    return False if most < 2 and one.nutrients_complete else None


@dataclass
class Split:
    """Synthetic N before, after and around emergence, thousandths of a pound."""

    before: int = 0
    after: int = 0
    around: int = 0
    unknown: bool = False
    emergence_known: bool = True


def split_of(one: Interval) -> Split:
    """Sort the synthetic N by the days on which the crop may have emerged (interpretation 24)."""
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
        and row["result"]
        and row["planned_on"]
        and row["tested_on"] < row["planned_on"]
        and first + dt.timedelta(4) <= row["planned_on"] <= one.closes
    )


def split_after(one: Interval) -> Answer:
    """Judge the share after emergence."""
    need = one.budget["synthetic_n_need_lb_per_ac"] if one.budget else None
    split = split_of(one)
    if need is None or not one.budget or not one.budget["need_source"] or split.unknown or not split.emergence_known:
        return None
    if far_over(synthetic_over_unit(one), need) or need_too_small(one) or one.misplaced:
        return None
    plan, left_out = one.budget["planned_n_lb_per_ac"], reductions(one)
    if plan is not None:
        fed = (row for row in one.applications if row["intended_for"] != "cover_crop" and not row["trace"])
        on = sum(over_unit(one, row) for row in fed)
        left_out = min(left_out, max(plan - on, 0))
    known = split.after + left_out
    if split.after == 0 and split.around == 0:
        return False if one.nutrients_complete else None
    if known * 100 >= 75 * need:
        return True if need > 0 and split.after > 0 else None  # more N could only add to the share
    return False if (known + split.around) * 100 < 75 * need and one.nutrients_complete else None
