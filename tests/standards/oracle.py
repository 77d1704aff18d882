"""A second reading of subpart F: plain Python over one crop interval at a time, written from the rule and the readings.

It shares the tables of the catalogue with the package, and nothing of how the package decides. ``None`` is *not shown*.
Numbers of the rule are written out here on purpose, so that a wrong parameter shows too.
"""

import datetime as dt
import re
from collections.abc import Callable
from typing import Final

from provender.catalog.fertilizers import find_product
from provender.catalog.names import lookup_name
from provender.records.book import RecordBook
from tests.standards.oracle_cover import (
    cover_ended_by,
    cover_not_fertilized,
    cover_on_whole_unit,
    cover_unused,
    ended_in_spring,
    every_cover,
    followed_by_this_crop,
    legume_adjusted,
    residue_stays,
    seeded_in_fall,
    with_legume,
)
from tests.standards.oracle_evidence import Dated, bought, held, lasted, opinion_paper, photographed, soil_paper
from tests.standards.oracle_interval import BY_MACHINE, FEEDSTOCKS, SOURCES, Interval, both, shown
from tests.standards.oracle_practices import (
    all_inhibited,
    budget_basis,
    budget_first,
    budget_sources,
    first_n_at_planting,
    if_synthetic,
    inhibitor_accepted,
    none_in_fall,
    none_is,
    not_burned,
    opinion_of,
    planned,
    records_agree,
    split_after,
    split_in_two,
    stir_within,
)
from tests.standards.oracle_rows import DRIVES_ONLY, Answer, Row, flag, group, has_results, inhibited, last_day, listed
from tests.standards.oracle_stands import stands_of


def seed_enough(book: dict[str, list[Row]], until: dt.date) -> Answer:
    """Hold seed against area over the whole farm, day by day, up to the end of a crop."""
    covers = {row["cover_id"]: row for row in book["cover_crop"]}
    answers: list[Answer] = []
    for species in {lookup_name(row["species"]) for row in book["cover_species"]}:
        uses: Dated = []
        for row in book["cover_species"]:
            if lookup_name(row["species"]) == species:
                cover = covers.get(row["cover_id"], {"seeded_on": None, "seeded_acres": None})
                known = row["rate_lb_per_ac"] is not None and cover["seeded_acres"] is not None
                uses.append((cover["seeded_on"], row["rate_lb_per_ac"] * cover["seeded_acres"] if known else None))
        came: Dated = [
            (row["received_on"], (row["pounds"] or 0) * 1000)
            for row in book["seed_purchase"]
            if lookup_name(row["species"]) == species and bought(book, row, own=bool(row["bin_run"]))
        ]
        if mine := [use for use in uses if use[0] is None or use[0] <= until]:
            answers.append(shown(holds=lasted(mine, came)))
    return both(*answers) if answers else None


SIZES: Final = {
    "gal": ("oz", 128),
    "qt": ("oz", 32),
    "pt": ("oz", 16),
    "oz": ("oz", 1),
    "lb": ("lb", 1),
    "ton": ("lb", 2000),
}


def inhibitor_enough(book: dict[str, list[Row]], until: dt.date) -> Answer:
    """Hold inhibitor bought against rate and acres treated over the whole farm, up to the end of a crop."""
    acres = {row["unit_id"]: row["acres"] for row in book["unit"]}
    needs: dict[tuple[str, str], Dated] = {}
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
        needs.setdefault((lookup_name(row["inhibitor"]), measure), []).append(
            (row["day"], row["inhibitor_rate"] * area * size if known else None)
        )
    answers = []
    for (product_name, measure), wanted in needs.items():
        had: Dated = [
            (row["received_on"], (row["amount"] or 0) * 1000 * SIZES[row["amount_unit"]][1])
            for row in book["inhibitor_purchase"]
            if lookup_name(row["product"]) == product_name
            and row["amount_unit"] and SIZES[row["amount_unit"]][0] == measure and bought(book, row)
        ]  # fmt: skip
        if mine := [use for use in wanted if use[0] is None or use[0] <= until]:
            answers.append(shown(holds=lasted(mine, had)))
    if not answers:
        return True if inside_only else None
    return both(*answers)


def located(one: Interval) -> Answer:
    """Tell whether the unit has acres, county and boundary."""
    said = (one.unit["boundary"], one.unit["legal_description"])
    numbers = re.findall(r"\d+", one.unit["fsa_field"] or "")
    place = bool(said[0] or len(numbers) > 2 or re.search(r"\d", said[1] or ""))
    return shown(holds=place and one.unit["acres"] is not None and one.unit["county_fips"] is not None)


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
    return bool(one.covers) and all(row[name] not in (None, "other") for row in one.covers for name in columns)


def seeding_known(one: Interval) -> Answer:
    """Tell whether date, method and rates of every seeding are known."""
    mixes = [[s for s in one.book["cover_species"] if s["cover_id"] == row["cover_id"]] for row in one.covers]
    rates = all(mix and all(s["rate_lb_per_ac"] for s in mix) for mix in mixes)
    return shown(holds=covers_have(one, "seeded_on", "method") and rates)


def soil_test_on_file(one: Interval) -> Answer:
    """Tell whether the budget's soil test is documented."""
    test = one.soil_test
    documented = bool(one.soil_test_fits and test and test["laboratory"] and test["method"] and has_results(test))
    return shown(holds=documented and test is not None and soil_paper(one.book, test))


def applications_known(one: Interval) -> Answer:
    """Tell whether every application has day, method and pounds, and all are listed."""
    rows = one.applications
    return shown(
        holds=bool(rows)
        and one.nutrients_complete
        and all(row["day"] and row["method"] not in (None, "other") and pounds_known(row) for row in rows)
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
        one, answer=True if one.budget and one.plan_in_time and one.budget["legume_n_lb_per_ac"] is not None else None
    ),
    "cover_crop_legume_n_adjusted": legume_adjusted,
    "cover_crop_seeded_in_fall": lambda one: every_cover(one, lambda row: seeded_in_fall(one, row)),
    "cover_crop_before_this_crop": lambda one: every_cover(one, lambda row: followed_by_this_crop(one, row)),
    "cover_crop_termination_method": cover_ended_by,
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
    "nutrients_records_agree": records_agree,
    "nutrients_budget_basis": budget_basis,
    "inhibitor_with_all_synthetic_n": lambda one: if_synthetic(one, lambda: all_inhibited(one)),
    "inhibitor_recognised": lambda one: if_synthetic(one, lambda: inhibitor_accepted(one)),
    "no_fall_first_n_at_planting": lambda one: if_synthetic(one, lambda: first_n_at_planting(one)),
    "no_fall_none_in_fall": lambda one: if_synthetic(one, lambda: none_in_fall(one)),
    "split_in_two_applications": lambda one: if_synthetic(one, lambda: split_in_two(one)),
    "split_post_emergence_share": lambda one: if_synthetic(one, lambda: split_after(one)),
    "records_tillage_unit": located,
    "records_tillage_all_operations": lambda one: shown(
        holds=one.operations_complete and any(group(row) == "harvest" for row in one.passes)
    ),
    "records_tillage_depth_width_speed": measured,
    "records_tillage_equipment": lambda one: shown(
        holds=bool(one.passes) and all(row["equipment"] is not None for row in one.passes)
    ),
    "records_tillage_dates": lambda one: shown(holds=bool(one.passes) and not one.undated_passes),
    "records_tillage_bushels": has_bushels,
    "records_cover_seed": lambda one: shown(holds=bool(one.covers) and seed_enough(one.book, one.closes)),
    "records_cover_unit": located,
    "records_cover_seeding": seeding_known,
    "records_cover_acres": lambda one: shown(holds=covers_have(one, "seeded_acres")),
    "records_cover_photograph": lambda one: shown(
        holds=bool(one.covers) and all(photographed(one.book, row) for row in one.covers)
    ),
    "records_cover_termination": lambda one: shown(holds=covers_have(one, "terminated_on", "termination_method")),
    "records_cover_bushels": has_bushels,
    "records_nutrients_budget": lambda one: shown(
        holds=one.budget is not None
        and planned(one.budget)
        and len([1 for row in one.sources.values() if row["present"] is not None]) == SOURCES
        and (one.budget["basis"] != "expert_opinion" or opinion_paper(one.book, opinion_of(one)))
    ),
    "records_nutrients_soil_test": soil_test_on_file,
    "records_nutrients_applications": applications_known,
    "records_nutrients_content": lambda one: shown(
        holds=bool(one.applications)
        and not one.misplaced
        and all(pounds_known(row) and row["counts"] is not None for row in one.applications)
    ),
    "records_nutrients_unit": located,
    "records_nutrients_planting": lambda one: shown(holds=one.first_planting is not None),
    "records_nutrients_acres": lambda one: shown(holds=one.unit["acres"] is not None),
    "records_nutrients_bushels": has_bushels,
    "records_inhibitor_bought": lambda one: shown(
        holds=bool(one.synthetic) and bool(inhibitor_enough(one.book, one.closes)) and rates_known(one)
    ),
}

BUDGET: Final = (
    "nutrients_budget_before_application", "nutrients_budget_all_sources", "nutrients_records_agree",
    "nutrients_budget_basis",
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
    "split_in_season": (("corn", "sorghum"), (*BUDGET, "split_in_two_applications", "split_post_emergence_share")),
}


def by_farm(book: RecordBook) -> dict[str, dict[str, list[Row]]]:
    """Return the rows of every kind, farm by farm."""
    farms: dict[str, dict[str, list[Row]]] = {}
    for kind, frame in book.frames.items():
        for row in frame.iter_rows(named=True):
            farms.setdefault(row["farm_id"], {name: [] for name in book.frames})[kind].append(row)
    for rows in farms.values():
        rows["operation"] = [held(rows, row) for row in rows["operation"]]
    return farms


def read(rows: dict[str, list[Row]]) -> dict[str, dict[str, Answer]]:
    """Judge every closed interval of a feedstock crop of one farm, by crop entry."""
    found: dict[str, dict[str, Answer]] = {}
    for unit in rows["unit"]:
        ended = stands_of(rows, unit["unit_id"])
        for at, crop in enumerate(ended):
            end = last_day(crop)
            given_up = crop["ending"] == "terminated"
            if given_up or crop["crop"] not in FEEDSTOCKS or end is None or end < dt.date(2025, 1, 17):
                continue
            one = Interval(rows, unit, crop, ended[at - 1] if at else None, ended)
            answers = {name: decide(one) for name, decide in ORACLE.items()}
            for practice, (crops, names) in PRACTICES.items():
                answers[practice] = both(*(answers[name] for name in names)) if crop["crop"] in crops else False
            found[crop["harvest_id"]] = answers
    return found
