"""What other records prove takes a pass that can have done it; one of another kind on the same day does not do."""

from typing import Final

import pytest

from provender.standards.standard import Missing, Shown, Verdict
from tests.standards.season import Rows, changed, clean_season, intervals, with_row, without

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
