"""Which records are named where a requirement is not shown, and which rows where it is not met.

Verdicts fail closed: where a finding is left out, most of them stay *not shown*. What people are asked for does not.
What other records prove takes a pass that can have done it; one of another kind on the same day does not do.
"""

from typing import Final

import pytest

from provender.standards.standard import Against, Missing, Shown, Verdict
from tests.standards.season import Rows, changed, clean_season, evidence, intervals, with_row, without

Cells = dict[str, str]
Edit = tuple[str, int | None, Cells]
"""Kind, row and cells to change; without a row: one more row of these cells, or none of the kind."""
Named = set[tuple[str, ...]]

COVER, BUDGET, WENT_ON = "cover_crop", "nutrient_budget", "nutrient_application"


def season(*edits: Edit) -> Rows:
    rows = clean_season()
    for kind, row, cells in edits:
        if row is not None:
            rows = changed(rows, kind, row, **cells)
        else:
            rows = with_row(rows, kind, **cells) if cells else without(rows, kind)
    return rows


def none(*kinds: str) -> list[Edit]:
    return [(kind, None, {}) for kind in kinds]


def legume(**budget: str) -> list[Edit]:
    planned = {"legume_n_lb_per_ac": "30", "n_adjustment_lb_per_ac": "30", "planned_n_lb_per_ac": "130"}
    return [("cover_species", 0, {"species": "Clover, Crimson"}), (BUDGET, 0, planned | budget)]


def expert(**opinion: str) -> list[Edit]:
    known = {"opinion_id": "X1", "expert": "A. Agronomist", "employer": "cooperative_extension",
             "given_on": "2025-02-01", "works_on": "corn", "evidence": "E8"}  # fmt: skip
    return [
        (BUDGET, 0, {"basis": "expert_opinion", "opinion_id": "X1"}),
        ("expert_opinion", None, known | opinion),
        ("evidence", None, evidence("E8", "opinion.pdf", "form", "2025-02-01")),
    ]


GIVEN_UP: Final[list[Edit]] = [
    ("harvest", None, {"harvest_id": "H25f", "unit_id": "N40", "crop": "corn", "ending": "terminated",
                       "first_day": "2025-05-10", "termination_record": "adjuster form 12"}),
    ("planting", None, {"planting_id": "P3", "harvest_id": "H25f", "planted_on": "2025-04-28"}),
    ("planting", 0, {"planted_on": "2025-05-14", "emerged_on": ""}),
    ("operation", None, {"operation_id": "O7", "unit_id": "N40", "day": "2025-04-20",
                         "operation": "Chisel, st. pt. 5 in deep"}),
    ("operation", None, {"operation_id": "O8", "unit_id": "N40", "day": "2025-05-14",
                         "operation": "Planter, double disk opnr with starter fertilizer"}),
]  # fmt: skip
"""A stand with a chisel pass before it, given up with its record and planted again."""
NO_MEASURES = {"depth_in": "0", "width_ft": "", "speed_mph": ""}
UNLISTED = {"operation": "Home-made thing"}
GRAZED = {"operation_id": "O9", "unit_id": "N40", "operation": "Graze, continuous", "day": "2025-03-01"}
TICKET = {"ticket_id": "T1", "unit_id": "N40", "crop": "corn", "day": "2025-09-20", "harvest_year": "2025",
          "buyer": "Co-op", "net_bushels": "10"}  # fmt: skip

NO_IMPLEMENT: Final[list[tuple[str, list[Edit], Named]]] = [
    ("records_tillage_depth_width_speed", [("operation", 0, NO_MEASURES | {"operation": name, "speed_mph": at})], set())
    for name, at in (
        ("Aerial seeding", ""), ("Aerial seeding", "120"), ("broadcast seeding, not incorporated", ""),
        ("Irrigation (2 inch, Pivot, Linear, Wheelline)", ""), ("Bale straw or residue", ""),
    )
]  # fmt: skip
LACKS: Final[list[tuple[str, list[Edit], Named]]] = [
    ("no_till_stir_within_limit", [("operation", 3, {"depth_in": "30"})],
     {("operation", column, row, "not_logged") for column in ("speed_mph", "depth_in") for row in ("O1", "O3", "O4")}),
    ("no_till_stir_within_limit", GIVEN_UP, {("harvest", "termination_record", "H25f", "stand_changes_stir")}),
    ("records_tillage_depth_width_speed", none("operation"), {("operation", "", "", "no_pass")}),
    ("records_tillage_depth_width_speed",
     [("operation", 0, {"depth_in": "0", "width_ft": "0", "speed_mph": "0"}), ("operation", 3, {"speed_mph": "0.001"})],
     {("operation", column, "O1", "") for column in ("depth_in", "width_ft", "speed_mph")}
     | {("operation", "speed_mph", "O4", "below_published_least")}),
    *NO_IMPLEMENT,
    ("records_tillage_depth_width_speed",
     [("operation", 0, NO_MEASURES | {"operation": "Weed control, manual hoe"}),
      ("operation", 3, NO_MEASURES | {"operation": "Planting, hand 5 percent dist.", "depth_in": "2"})],
     {("operation", "depth_in", "O1", "")}),
    ("records_tillage_equipment", none("operation"), {("operation", "equipment", "", "no_pass")}),
    ("records_tillage_dates", none("operation"), {("operation", "day", "", "no_pass")}),
    ("records_tillage_all_operations", [("declaration", 0, {"all_operations_listed": ""})],
     {("declaration", "all_operations_listed", "H25", "not_declared")}),
    ("records_tillage_all_operations", none("operation", "cover_crop", "cover_species", WENT_ON),
     {("operation", "", "", "no_pass"), ("operation", "", "", "no_seeding_pass"),
      ("operation", "", "P1", "planting_without_pass")}),
    ("records_tillage_all_operations", [("planting", 0, {"planted_on": "2025-10-20"})],
     {("harvest", "first_day", "H25", "end_contradicted"), ("planting", "planted_on", "P1", "planted_after_end"),
      ("planting", "planted_on", "H25", "not_planted_in_interval"), ("operation", "", "P1", "planting_without_pass")}),
    ("records_tillage_all_operations", [("scale_ticket", None, TICKET)],
     {("harvest", "first_day", "H25", "end_contradicted"), ("scale_ticket", "day", "T1", "ticket_before_harvest")}),
    # A pass that no list knows may have been the planter's, on the day of planting.
    ("records_tillage_all_operations", [("operation", 2, UNLISTED), ("operation", 0, UNLISTED)], set()),
    ("cover_crop_suits_site", none(COVER), {(COVER, "", "", "")}),
    ("cover_crop_suits_site", [(COVER, 0, {"suits_site_source": ""})], {(COVER, "suits_site_source", "C1", "")}),
    ("cover_crop_on_whole_unit", [("unit", 0, {"acres": ""}), (COVER, 0, {"seeded_acres": ""})],
     {("unit", "acres", "N40", ""), (COVER, "seeded_acres", "C1", "")}),
    ("cover_crop_legume_budget", none("cover_species", BUDGET),
     {("cover_species", "", "", "no_species_recorded"), (BUDGET, "", "", "")}),
    ("cover_crop_legume_budget", [*legume(), *none(BUDGET)], {(BUDGET, "", "", "")}),
    ("cover_crop_legume_budget", legume(made_on="2025-10-20"),
     {(BUDGET, "made_on", "B1", "budget_after_harvest")}),
    ("cover_crop_legume_n_adjusted", [*legume(), *none(BUDGET)], {(BUDGET, "", "", "")}),
    ("cover_crop_legume_n_adjusted", legume(made_on="2025-10-20"),
     {(BUDGET, "made_on", "B1", "budget_after_harvest")}),
    ("cover_crop_legume_budget", legume(legume_n_lb_per_ac=""), {(BUDGET, "legume_n_lb_per_ac", "B1", "")}),
    ("cover_crop_legume_n_adjusted", legume(n_adjustment_lb_per_ac=""),
     {(BUDGET, "n_adjustment_lb_per_ac", "B1", "zero_is_an_answer")}),
    ("cover_crop_legume_n_adjusted", legume(planned_n_lb_per_ac="", synthetic_n_need_lb_per_ac=""),
     {(BUDGET, column, "B1", "shows_adjustment") for column in ("planned_n_lb_per_ac", "synthetic_n_need_lb_per_ac")}),
    ("cover_crop_legume_n_adjusted", legume(n_adjustment_lb_per_ac="0", legume_n_lb_per_ac=""),
     {(BUDGET, "legume_n_lb_per_ac", "B1", "")}),
    ("cover_crop_not_harvested_or_grazed", [("operation", None, GRAZED | {"day": ""})],
     {("operation", "day", "O9", "use_may_be_of_cover"), ("operation", "day", "O9", "pass_without_day")}),
    ("cover_crop_not_harvested_or_grazed", [("operation", None, GRAZED), (COVER, 0, {"seeded_on": ""})],
     {(COVER, "seeded_on", "", "use_may_be_of_cover"), ("operation", "", "C1", "cover_without_pass")}),
    ("cover_crop_seeded_in_fall", [(COVER, 0, {"seeded_on": ""})], {(COVER, "seeded_on", "C1", "")}),
    ("cover_crop_before_this_crop", [(COVER, 0, {"seeded_on": "", "terminated_on": ""})],
     {(COVER, "seeded_on", "C1", "")}),
    ("cover_crop_before_this_crop", [(COVER, 0, {"seeded_on": "2024-08-20", "terminated_on": "2024-09-25"})],
     {("planting", "planted_on", "", "may_be_of_crop_before")}),
    ("cover_crop_termination_method", [(COVER, 0, {"termination_method": ""})],
     {(COVER, "termination_method", "C1", "")}),
    ("cover_crop_terminated_in_spring", [(COVER, 0, {"terminated_on": ""})], {(COVER, "terminated_on", "C1", "")}),
    ("cover_crop_terminated_in_spring", [(COVER, 0, {"seeded_on": ""})],
     {(COVER, "terminated_on", "C1", "days_contradict")}),
    ("cover_crop_terminated_in_spring",
     [(COVER, 0, {"termination_method": "winter_kill", "terminated_on": "2025-08-15"})],
     {(COVER, "terminated_on", "C1", "days_contradict")}),
    ("cover_crop_residue_stays", [(COVER, 0, {"terminated_on": ""})],
     {(COVER, "terminated_on", "C1", ""), ("operation", "", "C1", "cover_without_pass")}),
    ("records_cover_seed", none("cover_species"), {("seed_purchase", "", "", "use_not_known")}),
    ("records_cover_seed", [("seed_purchase", 0, {"pounds": "2399.999"})],
     {("seed_purchase", "", "", "too_little_by_then")}),
    ("nutrients_records_agree", none(WENT_ON), {(WENT_ON, "", "", "")}),
    ("nutrients_budget_basis", none(BUDGET), {(BUDGET, "", "", "")}),
    ("nutrients_budget_basis", [(BUDGET, 0, {"basis": ""})], {(BUDGET, "basis", "B1", "")}),
    ("nutrients_budget_basis", [(BUDGET, 0, {"soil_test_id": ""})], {("soil_test", "", "", "")}),
    ("nutrients_budget_basis", [("soil_test", 0, {"sampled_on": ""})], {("soil_test", "sampled_on", "T1", "")}),
    ("nutrients_budget_basis", [(BUDGET, 0, {"made_on": ""})], {(BUDGET, "made_on", "B1", "")}),
    ("nutrients_budget_basis", [(BUDGET, 0, {"basis": "expert_opinion"})], {("expert_opinion", "", "", "")}),
    ("nutrients_budget_basis", expert(works_on=""), {("expert_opinion", "works_on", "X1", "work_not_of_field")}),
    ("inhibitor_recognised", [*none(WENT_ON), ("declaration", 0, {"all_nutrients_listed": "no"})],
     {(WENT_ON, "", "", "")}),
    ("split_post_emergence_share", none(BUDGET), {(BUDGET, "", "", "")}),
    ("split_post_emergence_share", none("planting"), {("planting", "planted_on", "", "")}),
    ("split_post_emergence_share", [(WENT_ON, 1, {"day": ""})], {(WENT_ON, "day", "A2", "")}),
    ("split_post_emergence_share", [(WENT_ON, 1, {"treated_acres": "39.999"})],
     {(WENT_ON, "zone", "A2", "part_without_zone")}),
    ("nutrients_budget_basis", [*expert(), (BUDGET, 0, {"made_on": "", "basis": "expert_opinion", "opinion_id": "X1"})],
     {(BUDGET, "made_on", "B1", "")}),
    ("split_post_emergence_share", [(BUDGET, 0, {"synthetic_n_need_lb_per_ac": ""})],
     {(BUDGET, "synthetic_n_need_lb_per_ac", "B1", "")}),
    ("split_post_emergence_share",
     [("budget_source", 0, {"n_lb_per_ac": "400"}), (BUDGET, 0, {"planned_n_lb_per_ac": "400"})],
     {(BUDGET, "synthetic_n_need_lb_per_ac", "B1", "need_below_plan")}),
    ("split_post_emergence_share", [("planting", 0, {"emerged_on": ""}), (WENT_ON, 1, {"day": "2025-05-10"})],
     {("planting", "emerged_on", "", "emergence_not_known")}),
    ("split_post_emergence_share",
     [(WENT_ON, 1, {"product": "Tank mix"})],
     {(WENT_ON, "synthetic_n", "A2", "synthetic_not_decided")}),
    ("split_post_emergence_share",
     [("declaration", 0, {"all_nutrients_listed": "no"}), (WENT_ON, 1, {"n_lb_per_ac": "60"})],
     {("declaration", "all_nutrients_listed", "H25", "not_declared")}),
    ("records_nutrients_soil_test", [("soil_test", 0, {"sampled_on": "2023-02-28"})],
     {("soil_test", "sampled_on", "", "soil_test_too_old")}),
    ("records_nutrients_applications", [("declaration", 0, {"all_nutrients_listed": ""})],
     {("declaration", "all_nutrients_listed", "H25", "not_declared")}),
    ("records_nutrients_content", none(WENT_ON), {(WENT_ON, "product", "", "")}),
    ("records_nutrients_planting", none("planting"), {("planting", "planted_on", "", "")}),
    ("records_nutrients_acres", [("unit", 0, {"acres": ""})], {("unit", "acres", "N40", "")}),
    ("records_nutrients_bushels", [("harvest", 1, {"bushels": ""})], {("harvest", "bushels", "H25", "")}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "edits", "missing"), LACKS, ids=[f"{at} {one[0]}" for at, one in enumerate(LACKS)])
def test_what_lacks_is_named_each_record_of_it(name: str, edits: list[Edit], missing: Named) -> None:
    found = next(one for one in intervals(season(*edits)) if one.harvest_id == "H25").requirements[name].findings
    assert {(one.kind, one.column, one.row, one.reason) for one in found if isinstance(one, Missing)} == missing
    assert not any(isinstance(one, Against) for one in found)


MANURE: Final[list[Edit]] = [
    (WENT_ON, 0, {"product": "Hog manure", "synthetic_n": "no", "inhibitor": ""}),
    ("budget_source", 2, {"present": "yes", "n_lb_per_ac": "20"}),
]
AGAINST: Final[list[tuple[str, list[Edit], Named]]] = [
    ("nutrients_budget_before_application", [(BUDGET, 0, {"made_on": "2025-05-01"})],
     {(BUDGET, "B1", "made_after_application"), (WENT_ON, "A1", "before_budget")}),
    ("nutrients_budget_all_sources", MANURE, {("declaration", "H25", "manure_not_declared")}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "edits", "against"), AGAINST, ids=[one[0] for one in AGAINST])
def test_what_speaks_against_it_is_named_row_by_row(name: str, edits: list[Edit], against: Named) -> None:
    found = next(one for one in intervals(season(*edits)) if one.harvest_id == "H25").requirements[name].against
    assert {(one.kind, one.row, one.reason) for one in found} == against


CLEAN: Final = clean_season()
SPREADER: Final = "Fertilizer spreader, dry broadcast"
SPRAYER: Final = "Sprayer, kill crop"
DISK: Final = "Disk, tandem light finishing"
BASE: Final = without(CLEAN, "nutrient_application", 0)


def put_on(method: str, operation: str, days: int = 10, product: str = "Urea") -> Rows:
    """Return a season with an application of 10 April and one pass of so late a day."""
    rows = with_row(BASE, "nutrient_application", application_id="A9", unit_id="N40", harvest_id="H25", product=product,
                    day="2025-04-10", method=method, n_lb_per_ac="20")  # fmt: skip
    return with_row(rows, "operation", operation_id="O9", unit_id="N40", day=f"2025-04-{days}", operation=operation)


def seeded(method: str, operation: str) -> Rows:
    return changed(changed(CLEAN, "cover_crop", 0, method=method), "operation", 0, operation=operation)


def ended(how: str, operation: str) -> Rows:
    return changed(changed(CLEAN, "cover_crop", 0, termination_method=how), "operation", 1, operation=operation)


DRILL, AIR, SEEDER = "Drill or airseeder, double disk", "Aerial seeding", "Broadcast seeding, not incorporated"
CASES: Final[dict[str, tuple[Rows, str]]] = {
    "broadcast by a spreader": (put_on("broadcast", SPREADER), ""),
    "broadcast by a sprayer": (put_on("broadcast", "Fertilizer, liquid broadcast"), ""),
    "broadcast two days from the spreader": (put_on("broadcast", SPREADER, 12), ""),
    "broadcast three days from the spreader": (put_on("broadcast", SPREADER, 13), "A9"),
    "broadcast beside a disk": (put_on("broadcast", DISK), "A9"),
    "broadcast by an implement that nobody lists": (put_on("broadcast", "Home-made thing"), ""),
    "topdressed beside a planter": (put_on("topdress", "Planter, double disk opnr"), "A9"),
    "worked in, and no disk": (put_on("broadcast_incorporated", SPREADER), "A9"),
    "worked in, and no spreader": (put_on("broadcast_incorporated", DISK), "A9"),
    "injected beside a roller": (put_on("injected", "Roller, smooth"), "A9"),
    "injected by knives": (put_on("injected", "Fert. applic. anhyd knife 30 in"), ""),
    "a gas said to be broadcast": (put_on("broadcast", SPREADER, product="Anhydrous ammonia"), "A9"),
    "in the furrow beside a broadcast seeder": (put_on("in_furrow", SEEDER), "A9"),
    "in the furrow by a planter": (put_on("in_furrow", "Planter, double disk opnr"), ""),
    "foliar beside a spreader": (put_on("foliar", SPREADER), "A9"),
    "foliar by a sprayer": (put_on("foliar", SPRAYER), ""),
    "sidedressed by a spreader": (put_on("sidedress", SPREADER), ""),
    "banded beside the baler": (put_on("banded", "Baler"), "A9"),
    "nobody says how, beside the baler": (put_on("", "Baler"), "A9"),
    "some other way, beside the baler": (put_on("other", "Baler"), "A9"),
    "from the air": (put_on("aerial", "Baler"), ""),
    "by hand": (put_on("by_hand", "Baler"), ""),
    "in irrigation water": (put_on("fertigation", "Baler"), ""),
    "a cover drilled": (seeded("drilled", DRILL), ""),
    "a cover drilled from the air": (seeded("drilled", AIR), "C1"),
    "a cover drilled by a broadcast seeder": (seeded("drilled", SEEDER), "C1"),
    "a cover broadcast by a seeder": (seeded("broadcast", SEEDER), ""),
    "a cover broadcast by a spreader": (seeded("broadcast", SPREADER), ""),
    "a cover broadcast beside a sweep of the roller": (seeded("broadcast", "Roller, smooth"), "C1"),
    "a cover broadcast by hand": (seeded("by_hand", SPRAYER), ""),
    "a cover seeded from the air": (seeded("aerial", SPRAYER), ""),
    "a cover seeded some other way": (seeded("other", SPRAYER), "C1"),
    "a cover sprayed": (ended("herbicide", SPRAYER), ""),
    "a cover sprayed by the disk": (ended("herbicide", DISK), "C1"),
    "a cover rolled": (ended("roller_crimper", "Roller, crimp, covercrop"), ""),
    "a cover rolled by the sprayer": (ended("roller_crimper", SPRAYER), "C1"),
    "a cover mowed": (ended("mowing", "Mower, swather, windrower"), ""),
    "a cover mowed by the roller": (ended("mowing", "Roller, smooth"), "C1"),
    "a cover cut and baled": (ended("mechanical_harvest", "Baler"), ""),
    "a cover cut by the sprayer": (ended("mechanical_harvest", SPRAYER), "C1"),
    "a cover tilled under": (ended("tillage", DISK), ""),
    "a cover tilled under by the roller": (ended("tillage", "Roller, smooth"), "C1"),
    "a cover that winter killed": (ended("winter_kill", "Roller, smooth"), ""),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_list_of_passes_has_those_that_other_records_prove(name: str) -> None:
    rows, asked = CASES[name]
    (one,) = intervals(rows)
    lacking = {each.row for each in one.season.all_passes.missing if each.reason.endswith("_without_pass")}
    assert lacking == ({asked} if asked else set())


def test_a_crop_entry_proves_the_combine_at_the_value_of_the_list() -> None:
    (whole,), (one,) = intervals(CLEAN), intervals(without(CLEAN, "operation", 4))
    implied = one.season.stir.points[-1]
    assert (implied.one.known_by, implied.one.day, implied.recorded.value) == ("implied", one.last_day, 1_500)
    assert one.season.stir.recorded == whole.season.stir.recorded
    within = one.requirements["no_till_stir_within_limit"]
    assert within.verdict is Verdict.MET
    assert Shown("harvest", "H25", 1_500, 200_000, "STIR", "implied_harvest_pass") in within.shown
    listed = one.requirements["records_tillage_all_operations"]
    assert listed.missing == (Missing("operation", reason="no_harvest_pass"),)


@pytest.mark.parametrize(("depth", "expected"), [("6.8", Verdict.MET), ("7", Verdict.NOT_SHOWN)])
def test_the_combine_that_an_entry_proves_counts_against_the_limit(depth: str, expected: Verdict) -> None:
    """Beside 13.15 a planter at 5 mph adds 0.975 an inch: 19.78 and 19.975 without the 0.15 of the combine."""
    rows = with_row(without(CLEAN, "operation", 4), "operation", operation_id="O9", unit_id="N40", day="2025-05-01",
                    operation="Planter, double disk opnr", depth_in=depth, speed_mph="5")  # fmt: skip
    (one,) = intervals(rows)
    assert one.requirements["no_till_stir_within_limit"].verdict is expected
