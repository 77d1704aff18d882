"""Neighbors of wrong answers that were mended: control, days, acres and blanks, each at its border and beside it."""

from typing import Final

import pytest

from provender.standards.standard import Against, Missing
from provender.verdicts.assess import assess
from tests.standards.season import (
    Rows,
    book_of,
    changed,
    clean_season,
    evidence,
    intervals,
    verdict_of,
    with_row,
    without,
)

CLEAN: Final = clean_season()
WENT_ON: Final = "nutrient_application"
MET, NOT_MET, NOT_SHOWN = True, False, None
Told = tuple[str, Rows, str, bool | None]
"""What it is, the rows, a requirement or practice, its answer, and perhaps a code that is among its findings."""
Case = Told | tuple[str, Rows, str, bool | None, str]


def held(*times: dict[str, str], **producers: str) -> Rows:
    """Return the season with times of control; a producer has it on the farm unless ``producers`` says no."""
    rows = CLEAN
    for name in {one.get("producer_id", "P1") for one in times}:
        rows = with_row(rows, "producer", producer_id=name, name=name, operational_control=producers.get(name, "yes"))
    for at, one in enumerate(times):
        rows = with_row(rows, "control", **{"control_id": f"K{at}", "unit_id": "N40", "producer_id": "P1"} | one)
    return rows


def papered(day: str) -> Rows:
    """Return a gap in control from 1 December to 28 February, with a statement of a day on it."""
    later = {"since": "2025-03-01", "evidence": "E70"}
    rows = held({"since": "2019-03-01", "until": "2024-11-30"}, later)
    return with_row(rows, "evidence", **evidence("E70", "between.pdf", "form", day))


def same(*changes: tuple[str, int, dict[str, str]], rows: Rows = CLEAN) -> Rows:
    for kind, at, cells in changes:
        rows = changed(rows, kind, at, **cells)
    return rows


def manure(operation: str = "Manure spreader, solid and semi-solid", **cells: str) -> Rows:
    """Return the season with manure that the budget knows, its pass, and the producer's yes."""
    row = {"application_id": "A9", "unit_id": "N40", "harvest_id": "H25", "intended_for": "cash_crop",
           "day": "2025-04-20", "product": "Dairy manure", "method": "broadcast", "n_lb_per_ac": "5",
           "p2o5_lb_per_ac": "0", "k2o_lb_per_ac": "0", "synthetic_n": "no"}  # fmt: skip
    rows = with_row(said(), WENT_ON, **row | cells)
    return with_row(rows, "operation", operation_id="O9", unit_id="N40", day="2025-04-20", operation=operation)


def said(answer: str = "yes") -> Rows:
    return same(("declaration", 0, {"manure_applied": answer}),
                ("budget_source", 2, {"present": "yes", "n_lb_per_ac": "5"}))  # fmt: skip


def second_cover(mix: str = "", **cells: str) -> Rows:
    """Return the farm with another cover on another unit, its seed bought with the first."""
    rows = with_row(CLEAN, "unit", unit_id="S80", acres="80", county_fips="20177")
    cover = {"cover_id": "C2", "unit_id": "S80", "harvest_id": "S25", "seeded_on": "2024-10-10", "seeded_acres": "20"}
    rows = with_row(rows, "cover_crop", **cover | cells)
    rows = with_row(rows, "harvest", harvest_id="S25", unit_id="S80", crop="corn", ending="not_yet")
    rows = changed(rows, "seed_purchase", pounds="3600")
    row = {"cover_id": "C2", "species": "Cereal Rye, Winter", "rate_lb_per_ac": mix}
    return with_row(rows, "cover_species", **row) if mix else rows


def baled(day: str) -> Rows:
    rows = changed(CLEAN, "declaration", cover_harvested="yes")
    return with_row(rows, "operation", operation="Baler", operation_id="O9", unit_id="N40", day=day)


def budget(**cells: str) -> Rows:
    """Return the season with a second budget, its sources answered as those of the first."""
    rows = with_row(CLEAN, "nutrient_budget", **CLEAN["nutrient_budget"][0] | {"budget_id": "B2"} | cells)
    for row in CLEAN["budget_source"]:
        rows = with_row(rows, "budget_source", **row | {"budget_id": "B2"})
    return rows


def twice(**cells: str) -> Rows:
    """Return the season whose harvest has two entries, each with a declaration of the same day."""
    rows = with_row(CLEAN, "harvest", harvest_id="H25b", unit_id="N40", crop="corn", ending="harvested",
                    first_day="2025-10-21", bushels="10")  # fmt: skip
    return with_row(rows, "declaration", **CLEAN["declaration"][0] | {"harvest_id": "H25b"} | cells)


def emerged(day: str) -> Rows:
    """Return the season whose last nitrogen went on on a day; emergence was seen on 8 May."""
    return same((WENT_ON, 1, {"day": day}), ("operation", 3, {"day": day}))


def ended_between(crop: str, **cells: str) -> Rows:
    """Return the season without its cover, with another crop that was harvested in April."""
    rows = without(without(CLEAN, "cover_crop"), "cover_species")
    rows = with_row(rows, "harvest", harvest_id="H25w", unit_id="N40", crop=crop, ending="harvested",
                    first_day="2025-04-15", bushels="100", **cells)  # fmt: skip
    return with_row(rows, "evidence", **evidence("E71", "beets.pdf", "ticket", "2025-04-15"))


def spread(day: str, n: str = "30", **cells: str) -> dict[str, str]:
    """Return one more application of synthetic nitrogen for the clean season."""
    return {"application_id": "A3", "unit_id": "N40", "harvest_id": "H25", "intended_for": "cash_crop", "day": day,
            "product": "Urea", "method": "broadcast", "n_lb_per_ac": n, "p2o5_lb_per_ac": "0", "k2o_lb_per_ac": "0",
            "inhibitor": "Instinct", "inhibitor_rate": "24", "inhibitor_rate_unit": "oz/ac", **cells}  # fmt: skip


def alone(n: str = "160", **cells: str) -> Rows:
    """Return the season with its second application only."""
    return changed(without(CLEAN, WENT_ON, 0), WENT_ON, 0, n_lb_per_ac=n, **cells)


def inhibited(name: str, rate: str, unit: str = "oz/ac", *, label: str = "", of: str = "") -> Rows:
    """Return the season with another inhibitor, and the State's row with a label rate."""
    rows = CLEAN
    for at in (0, 1):
        rows = changed(rows, WENT_ON, at, inhibitor=name, inhibitor_rate=rate, inhibitor_rate_unit=unit)
    if not label:
        return rows
    return with_row(rows, "inhibitor_acceptance", state="KS", inhibitor=of or name, accepted="yes", source="list of "
                    "2025", label_rate=label, label_rate_unit=unit)  # fmt: skip


def opinion(**cells: str) -> Rows:
    """Return the season with a budget that rests on an expert's opinion."""
    row = {"opinion_id": "X1", "expert": "A. Agronomist", "employer": "cooperative_extension", "works_on": "corn",
           "given_on": "2025-02-20", "evidence": "E12", **cells}  # fmt: skip
    rows = with_row(changed(CLEAN, "nutrient_budget", basis="expert_opinion", opinion_id="X1"), "expert_opinion", **row)
    return with_row(rows, "evidence", **evidence("E12", "opinion.pdf", "form", "2025-02-20"))


def first(**cells: str) -> Rows:
    return changed(CLEAN, WENT_ON, 0, **cells)


def cover(**cells: str) -> Rows:
    return changed(CLEAN, "cover_crop", 0, **cells)


def sprayed(day: str, **cells: str) -> Rows:
    return changed(cover(terminated_on=day, **cells), "operation", 1, day=day)


def plan(**cells: str) -> Rows:
    return changed(CLEAN, "nutrient_budget", 0, **cells)


def added(day: str, n: str = "30", **cells: str) -> Rows:
    return with_row(CLEAN, WENT_ON, **spread(day, n, **cells))


TWO, INHIBITED, AGREE = "split_in_two_applications", "inhibitor_with_all_synthetic_n", "nutrients_records_agree"
BASIS, FALL, SPRING = "nutrients_budget_basis", "no_fall_none_in_fall", "cover_crop_terminated_in_spring"
WHOLE, SHARE = "cover_crop_on_whole_unit", "split_post_emergence_share"
FERTILIZED, ENDS = "cover_crop_not_fertilized", "cover_crop_termination_method"

SPLIT: Final[tuple[Case, ...]] = (
    ("two applications", CLEAN, TWO, MET),
    ("one application, however late", alone(), TWO, NOT_MET),
    ("the practice with one application", alone(), "split_in_season", NOT_MET),
    ("one with a list that nobody calls whole", changed(alone(), "declaration", all_nutrients_listed=""), TWO,
     NOT_SHOWN),
    ("two on one day", first(day="2025-06-02"), TWO, NOT_MET),
    ("two on two days, one after the other", first(day="2025-06-01"), TWO, MET),
    ("the first without a day", first(day=""), TWO, NOT_SHOWN),
    ("the first on part of the unit", first(treated_acres="20"), TWO, NOT_SHOWN),
    ("the first a trace", first(n_lb_per_ac="1.999", method="foliar"), TWO, NOT_MET),
    ("a zone that got one", same((WENT_ON, 0, {"zone": "east", "treated_acres": "20"}),
                                 (WENT_ON, 1, {"zone": "west", "treated_acres": "20"})), TWO, NOT_MET),
    ("none", without(CLEAN, WENT_ON), TWO, NOT_MET),
)  # fmt: skip
FOLIAR: Final = {"product": "AMS", "method": "foliar"}
TRACE: Final[tuple[Case, ...]] = (
    ("1.9 lb on rye in October", added("2024-10-20", "1.9", **FOLIAR), FALL, NOT_MET),
    ("the same is the first of nothing", added("2024-10-20", "1.9", **FOLIAR), "no_fall_first_n_at_planting", MET),
    ("1.9 lb in June", added("2025-06-10", "1.9", inhibitor="none", **FOLIAR), INHIBITED, MET),
    ("1.9 lb of no day", added("", "1.9", **FOLIAR), FALL, NOT_SHOWN),
)  # fmt: skip
UNSAID: Final = {"inhibitor": "", "inhibitor_rate": "", "inhibitor_rate_unit": ""}
SAID: Final = {"inhibitor": "Instinct", "inhibitor_rate": "24", "inhibitor_rate_unit": "oz/ac"}
INHIBITOR: Final[tuple[Case, ...]] = (
    ("at the label", inhibited("N-Serve", "16"), INHIBITED, MET),
    ("under the label", inhibited("N-Serve", "15.999"), INHIBITED, NOT_SHOWN),
    ("over the label", inhibited("N-Serve", "32"), INHIBITED, MET),
    ("no rate", inhibited("N-Serve", "", ""), INHIBITED, NOT_SHOWN),
    ("the ingredient at almost nothing", inhibited("Nitrapyrin", "0.01"), INHIBITED, NOT_SHOWN),
    ("the ingredient at the least of its products", inhibited("Nitrapyrin", "16"), INHIBITED, MET),
    ("the ingredient under it", inhibited("Nitrapyrin", "15.999"), INHIBITED, NOT_SHOWN),
    ("an ingredient without a label", inhibited("DCD", "10", "lb/ac"), INHIBITED, NOT_SHOWN),
    ("pronitridine without a label", inhibited("Centuro", "100"), INHIBITED, NOT_SHOWN),
    ("the user's label, reached", inhibited("DCD", "10", "lb/ac", label="10"), INHIBITED, MET),
    ("the user's label, missed", inhibited("DCD", "9.999", "lb/ac", label="10"), INHIBITED, NOT_SHOWN),
    ("the user's label of the ingredient", inhibited("Centuro", "70", label="64", of="Pronitridine"), INHIBITED, MET),
    ("a label of nothing", inhibited("Centuro", "70", label="0", of="Pronitridine"), INHIBITED, NOT_SHOWN),
    ("a mass where the label is a volume", inhibited("N-Serve", "1", "lb/ac"), INHIBITED, NOT_SHOWN),
    ("inside the fertilizer", same(*((WENT_ON, at, {"product": "SuperU"} | UNSAID) for at in (0, 1))), INHIBITED, MET),
)  # fmt: skip
BLEND: Final = {"product": "Blend of the co-op", "synthetic_n": "yes"}


def phosphate(pounds: str) -> Rows:
    """Return the season with phosphate of which 40 lb are planned."""
    return changed(plan(planned_p2o5_lb_per_ac="40"), WENT_ON, **BLEND, p2o5_lb_per_ac=pounds)


PLAN: Final[tuple[Case, ...]] = (
    ("a need far below the plan", plan(synthetic_n_need_lb_per_ac="40"), SHARE, NOT_SHOWN),
    ("it is no plan for any practice", plan(synthetic_n_need_lb_per_ac="40"), AGREE, NOT_SHOWN),
    ("two thirds of the plan", plan(synthetic_n_need_lb_per_ac="106.667"), AGREE, MET),
    ("just less", plan(synthetic_n_need_lb_per_ac="106.666"), AGREE, NOT_SHOWN),
    ("no need", plan(synthetic_n_need_lb_per_ac=""), AGREE, MET),
    ("phosphate as planned", phosphate("60"), AGREE, MET),
    ("phosphate far over the plan", phosphate("60.001"), AGREE, NOT_SHOWN),
    ("potash that nobody planned", first(**BLEND, k2o_lb_per_ac="4.001"), AGREE, NOT_SHOWN),
    ("potash within what a trace is", first(**BLEND, k2o_lb_per_ac="4"), AGREE, MET),
)  # fmt: skip
EXPERT: Final[tuple[Case, ...]] = (
    ("of the crop", opinion(), BASIS, MET),
    ("of nutrients", opinion(works_on="soil_fertility"), BASIS, MET),
    ("of another crop", opinion(works_on="soybeans"), BASIS, NOT_MET),
    ("of another practice", opinion(works_on="plant_disease"), BASIS, NOT_MET),
    ("in free words alone", opinion(works_on="", specialty="Nitrogen on corn"), BASIS, NOT_SHOWN),
    ("other", opinion(works_on="other"), BASIS, NOT_SHOWN),
    ("employed by other", opinion(employer="other"), BASIS, NOT_SHOWN),
)
OTHER: Final[tuple[Case, ...]] = (
    ("urea on rye for other", added("2025-03-10", intended_for="other"), FERTILIZED, NOT_SHOWN),
    ("urea on rye for the cash crop", added("2025-03-10"), FERTILIZED, MET),
    ("urea on rye for nobody", added("2025-03-10", intended_for="", harvest_id=""), FERTILIZED, NOT_SHOWN),
    ("ended by other", cover(termination_method="other"), ENDS, NOT_SHOWN),
    ("ended by other, on record", cover(termination_method="other"), "records_cover_termination", NOT_SHOWN),
    ("seeded by other", cover(method="other"), "records_cover_seeding", NOT_SHOWN),
    ("spread by other", first(method="other"), "records_nutrients_applications", NOT_SHOWN),
    ("a paper of another kind", changed(CLEAN, "evidence", 2, what="other"), "records_nutrients_soil_test", NOT_SHOWN),
    ("a purchase by another paper", changed(CLEAN, "evidence", 1, what="other"), "records_cover_seed", NOT_SHOWN),
)  # fmt: skip
COVER: Final[tuple[Case, ...]] = (
    ("planted green, ended on the day", sprayed("2025-04-28", planted_green="yes"), SPRING, MET),
    ("not green, ended on the day", cover(planted_green="no", terminated_on="2025-04-28"), SPRING, MET),
    ("planted green, ended before", cover(planted_green="yes", terminated_on="2025-04-27"), SPRING, NOT_SHOWN),
    ("not green, ended after", cover(planted_green="no", terminated_on="2025-04-29"), SPRING, NOT_SHOWN),
    ("planted green, ended after", cover(planted_green="yes", terminated_on="2025-04-29"), SPRING, MET),
    ("planted green into what winter killed",
     cover(planted_green="yes", terminated_on="", termination_method="winter_kill"), SPRING, NOT_SHOWN),
    ("seeded on the unit's acres", cover(seeded_acres="41.2"), WHOLE, MET),
    ("seeded on more", cover(seeded_acres="41.201"), WHOLE, NOT_SHOWN),
    ("seeded on ten times as many", cover(seeded_acres="400"), WHOLE, NOT_SHOWN),
    ("treated on the unit's acres", first(treated_acres="41.2"), AGREE, MET),
    ("treated on more", first(treated_acres="41.201"), AGREE, NOT_SHOWN),
    ("a photograph without a day", changed(CLEAN, "evidence", 0, taken_on=""), "records_cover_photograph", NOT_SHOWN),
    ("without any of its days", cover(seeded_on="", terminated_on=""), "cover_crop_before_this_crop", NOT_SHOWN),
)  # fmt: skip

NEXT: Final = {"harvest_id": "H26", "unit_id": "N40", "crop": "soybeans", "use": "grain", "ending": "not_yet"}


def next_year(rows: Rows = CLEAN, /, **cells: str) -> Rows:
    """Return the season with fall nitrogen that names the crop of the next year."""
    return with_row(with_row(rows, "harvest", **NEXT), WENT_ON,
                    **spread("2024-11-05", harvest_id="H26", inhibitor="none", inhibitor_rate="",
                             inhibitor_rate_unit="") | cells)  # fmt: skip


PLACED: Final[tuple[Case, ...]] = (
    ("fall nitrogen named for the next year", next_year(), FALL, NOT_MET),
    ("it went on without an inhibitor", next_year(), INHIBITED, NOT_MET),
    ("of a day that fits nothing else", next_year(day="2025-06-10", **SAID), INHIBITED, NOT_SHOWN),
    ("on the last day before the name fits", next_year(day="2025-10-19", **SAID), AGREE, NOT_SHOWN),
    ("on the first day on which it does", next_year(day="2025-10-20"), AGREE, MET),
    ("without a day", next_year(day=""), "nutrients_budget_before_application", NOT_SHOWN),
    ("named for the crop before", changed(CLEAN, WENT_ON, 1, harvest_id="H24"), SHARE, NOT_SHOWN),
    ("named for no crop", changed(CLEAN, WENT_ON, 1, harvest_id=""), SHARE, MET),
    ("its shown counts in no other season", added("2024-09-01", harvest_id="H25"), TWO, NOT_SHOWN),
    ("on the cover", with_row(with_row(CLEAN, "harvest", **NEXT), WENT_ON,
                              **spread("2025-03-10", harvest_id="H26")), FERTILIZED, NOT_SHOWN),
)  # fmt: skip


SINCE: Final = {"since": "2019-03-01"}
OLD: Final = {"since": "2015-01-01", "producer_id": "P2"}
TILL, SEED, SOURCES = "no_till_stir_within_limit", "records_cover_seed", "nutrients_budget_all_sources"
EARLIER, MORE, UNCUT = "nutrients_budget_before_application", "more_acres_than_unit", "cut_without_pass"
TOO_LITTLE, UNNAMED = "too_little_after_emergence", "crop_before_not_named"
ENDED, GAP = "control_ended", "control_not_shown"
NUTRIENTS: Final[dict[str, tuple[Case, ...]]] = {
    "two applications": SPLIT, "trace": TRACE, "inhibitor": INHIBITOR, "plan": PLAN, "expert": EXPERT, "other": OTHER,
    "days of a cover": COVER, "day and name": PLACED,
}  # fmt: skip
THEMES: Final[dict[str, tuple[Case, ...]]] = {
    "control": (
        ("all the time", held(SINCE), TILL, MET),
        ("to the first day of harvest", held(SINCE | {"until": "2025-10-20"}), TILL, MET),
        ("to the day before", held(SINCE | {"until": "2025-10-19"}), TILL, NOT_SHOWN, ENDED),
        ("over before the season", held(SINCE | {"until": "2024-09-01"}), TILL, NOT_SHOWN, ENDED),
        ("ended before it began", held(SINCE | {"until": "2018-01-01"}), TILL, NOT_SHOWN, "control_out_of_order"),
        ("ended on the day on which it began", held({"since": "2025-10-20", "until": "2025-10-20"}),
         TILL, NOT_SHOWN, GAP),
        ("one after the other", held(SINCE | {"until": "2024-11-30"}, {"since": "2024-12-01"}), TILL, MET),
        ("a day between them", held(SINCE | {"until": "2024-11-30"}, {"since": "2024-12-02"}), TILL, NOT_SHOWN, GAP),
        ("two that overlap", held(SINCE | {"until": "2025-03-01"}, {"since": "2025-02-01"}), TILL, MET),
        ("a gap with a statement of a month before", papered("2025-01-29"), TILL, MET),
        ("a gap with a statement of a day earlier", papered("2025-01-28"), TILL, NOT_SHOWN, GAP),
        ("a gap with a statement of before it", papered("2024-11-30"), TILL, NOT_SHOWN, GAP),
        ("somebody else on the first day", held(SINCE, OLD | {"until": "2024-10-02"}, P2="no"),
         TILL, NOT_SHOWN, "control_held_twice"),
        ("somebody else to the day before", held(SINCE, OLD | {"until": "2024-10-01"}, P2="no"), TILL, MET),
        ("the owner of rented land", held(SINCE, OLD | {"basis": "owner"}, P2="no"), TILL, MET),
        ("nitrogen rests on it too", held(SINCE | {"until": "2025-10-19"}), INHIBITED, NOT_SHOWN, ENDED),
    ),
    "declarations": (
        ("two of one day that agree", twice(), TILL, MET),
        ("two of one day that differ", twice(all_operations_listed="no"), TILL, NOT_SHOWN, "not_declared"),
        ("one of them blank", twice(all_operations_listed=""), TILL, MET),
        ("a later one", twice(all_operations_listed="no", made_on="2025-11-02"), TILL, NOT_SHOWN, "not_declared"),
        ("an earlier one", twice(all_operations_listed="no", made_on="2025-10-29"), TILL, MET),
    ),
    "budgets": (
        ("the same again", budget(), EARLIER, MET),
        ("another of that day", budget(planned_n_lb_per_ac="120"), EARLIER, NOT_SHOWN, "budgets_of_one_day"),
        ("another of the next day", budget(planned_n_lb_per_ac="120", made_on="2025-03-02"), EARLIER, MET),
    ),
    "manure": (
        ("said and listed", manure(), FALL, MET),
        ("said, and listed under the farm's own name", manure(product="Hog pit"), FALL, MET),
        ("said and not listed", said(), FALL, NOT_SHOWN, "manure_not_listed"),
        ("said, and no pass that can have spread it", said(), TILL, NOT_SHOWN, "manure_not_listed"),
        ("said, and a pass that did", without(manure(), WENT_ON, 2), TILL, MET),
        ("denied and listed", changed(manure(), "declaration", manure_applied="no"),
         SOURCES, NOT_MET, "manure_not_declared"),
        ("of unknown nitrogen", manure(n_lb_per_ac=""), AGREE, NOT_SHOWN),
        ("of unknown phosphate", manure(p2o5_lb_per_ac=""), AGREE, NOT_SHOWN),
        ("of known", manure(), AGREE, MET),
    ),
    "declared passes": (
        ("a cover that was harvested, and nothing cut it", changed(CLEAN, "declaration", cover_harvested="yes"),
         TILL, NOT_SHOWN, UNCUT),
        ("and the baler", baled("2025-04-27"), TILL, MET),
        ("and the baler at planting", baled("2025-04-28"), TILL, NOT_SHOWN, UNCUT),
    ),
    "acres": (
        ("a pass on the unit's", changed(CLEAN, "operation", 2, treated_acres="41.2"), TILL, MET),
        ("a pass on more", changed(CLEAN, "operation", 2, treated_acres="41.201"), TILL, NOT_SHOWN, MORE),
        ("a pass on fewer", changed(CLEAN, "operation", 2, treated_acres="1"), TILL, MET),
        ("planted on the unit's", changed(CLEAN, "planting", acres="41.2"), TILL, MET),
        ("planted on more", changed(CLEAN, "planting", acres="41.201"), TILL, NOT_SHOWN, MORE),
        ("treated none", changed(CLEAN, WENT_ON, treated_acres="0"), AGREE, NOT_SHOWN, "no_acres_treated"),
        ("treated some", changed(CLEAN, WENT_ON, treated_acres="0.001"), AGREE, MET),
    ),
    "seed": (
        ("of another unit's cover", second_cover("60"), SEED, MET),
        ("of a cover of no species", second_cover(), SEED, NOT_SHOWN, "use_not_known"),
        ("at no rate", second_cover("0"), SEED, NOT_SHOWN, "use_not_known"),
        ("on no acres", second_cover("60", seeded_acres="0"), SEED, NOT_SHOWN, "use_not_known"),
        ("of a later season", second_cover("0", seeded_on="2025-10-22"), SEED, MET),
        ("too little", changed(second_cover("60"), "seed_purchase", pounds="3599.999"),
         SEED, NOT_SHOWN, "too_little_by_then"),
    ),
    "a list of passes that nobody calls whole": tuple(
        ("", changed(CLEAN, "declaration", all_operations_listed=""), name, NOT_SHOWN, "not_declared")
        for name in ("cover_crop_termination_method", "cover_crop_not_harvested_or_grazed", "cover_crop_residue_stays")
    ),
    "cover and crop": (
        ("named for the crop before", cover(harvest_id="H24"), TILL, NOT_SHOWN, "cover_after_end"),
        ("ended on the last day of its crop", sprayed("2025-10-21"), TILL, MET),
        ("ended a day later", sprayed("2025-10-22"), TILL, NOT_SHOWN, "cover_after_end"),
        ("nitrogen for a cover that is not on record", changed(
            changed(without(CLEAN, "cover_crop"), WENT_ON, 1, intended_for="cover_crop"),
            "nutrient_budget", planned_n_lb_per_ac="100", synthetic_n_need_lb_per_ac="160"),
             AGREE, NOT_SHOWN, "far_over_plan"),
        ("planted by what sows from above", changed(CLEAN, "operation", 2, operation="Aerial seeding"),
         TILL, NOT_SHOWN, "planting_without_pass"),
    ),
    "the crop before": (
        ("a crop of the list", ended_between("sunflowers"), TILL, MET),
        ("other", ended_between("other"), TILL, NOT_SHOWN, UNNAMED),
        ("other, with a paper on it", ended_between("other", evidence="E71"), TILL, MET),
        ("other, with a name that names nothing", ended_between("other", evidence="E72"), TILL, NOT_SHOWN, UNNAMED),
    ),
    "split": (
        ("the last on the day of emergence", emerged("2025-05-08"), SHARE, NOT_SHOWN, "emergence_not_known"),
        ("the day after", emerged("2025-05-09"), SHARE, MET),
        ("the day before", emerged("2025-05-07"), SHARE, NOT_MET, TOO_LITTLE),
        ("two before planting only", changed(first(day="2025-04-10"), WENT_ON, 1, day="2025-04-20"), SHARE, NOT_MET,
         TOO_LITTLE),
    ),
    **NUTRIENTS,
}  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "name", "expected", "code"),
    [
        pytest.param(*case[1:4], *(case[4:] or [""]), id=f"{theme}: {case[0]}: {case[2]}")
        for theme, of in THEMES.items()
        for case in of
    ],
)
def test_each_case_has_its_answer(rows: Rows, name: str, expected: bool | None, code: str) -> None:
    assert verdict_of(rows, name) is expected
    if code:
        (one,) = (each for each in intervals(rows) if each.harvest_id == "H25")
        findings = one.requirements[name].findings
        assert code in {each.reason for each in findings if isinstance(each, Missing | Against)}


def test_the_share_that_is_asked_is_rounded_up() -> None:
    """Three quarters of 160.001 lb are 120.00075: at 120.000 it would look reached and is not."""
    rows = same(("nutrient_budget", 0, {"synthetic_n_need_lb_per_ac": "160.001"}),
                (WENT_ON, 1, {"n_lb_per_ac": "120"}))  # fmt: skip
    (one,) = intervals(rows)
    (against, *_) = one.requirements[SHARE].against
    assert (against.observed, against.limit) == (120_000, 120_001)


def test_both_seasons_and_both_units_name_a_row_until_day_and_name_fit() -> None:
    rows = with_row(CLEAN, "harvest", harvest_id="H26", unit_id="N40", crop="corn", ending="harvested",
                    first_day="2026-06-27", bushels="700")  # fmt: skip
    lacks = Missing(WENT_ON, "harvest_id", "A2", "day_and_crop_differ")
    for of, is_named in ((rows, False), (changed(rows, WENT_ON, 1, harvest_id="H26"), True)):
        judged = {one.harvest_id: one.requirements["nutrients_budget_all_sources"] for one in intervals(of)}
        assert [lacks in judged[season].findings for season in ("H25", "H26")] == [is_named, is_named]
    rows = with_row(CLEAN, "unit", unit_id="S80", acres="80", county_fips="20177")
    rows = with_row(rows, "harvest", harvest_id="S25", unit_id="S80", crop="corn", ending="harvested",
                    first_day="2025-10-25", bushels="9000")  # fmt: skip
    rows = changed(rows, WENT_ON, 1, harvest_id="S25")
    assert verdict_of(rows, AGREE) is NOT_SHOWN
    assert verdict_of(rows, INHIBITED, "S25") is NOT_SHOWN


@pytest.mark.parametrize(("day", "told"), [("2025-05-05", False), ("2025-05-06", True), ("", True)])
def test_a_first_application_after_planting_is_told(day: str, *, told: bool) -> None:
    rows = first(day=day)
    assert ("n_not_at_planting" in {one.code for one in assess(book_of(rows)).problems}) is told
