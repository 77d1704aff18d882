"""Interpretations 1 to 25 and 62 to 68, each with cases on both sides: a change of a clean season and an answer."""

from dataclasses import replace
from datetime import date
from itertools import product
from typing import Final

import pytest

from provender.records.kinds.nutrients import N_SOURCES
from provender.rule.crops import Practice
from provender.standards.standard import REQUIREMENTS, Part, Verdict, of_practice
from provender.verdicts.assess import assess
from tests.standards.season import (
    Rows,
    book_of,
    changed,
    clean_season,
    intervals,
    verdict_of,
    verdicts,
    with_row,
    without,
)

MET, NOT_MET, NOT_SHOWN = True, False, None
Case = tuple[str, Rows, str, bool | None]
CLEAN: Final = clean_season()
CHISEL: Final = {"operation_id": "O7", "unit_id": "N40", "day": "2024-11-11", "equipment": "chisel",
                 "operation": "Chisel, st. pt. 5 in deep"}  # fmt: skip
DRILL: Final = CLEAN["operation"][0]["operation"]
COMBINE: Final = "Harvest, killing crop 50pct standing stubble"
PLANTER: Final = "Planter, double disk opnr with starter fertilizer"
LOG: Final = {"known_by": "machine", "evidence": "E7"}


def added(kind: str, rows: Rows = CLEAN, /, **cells: str) -> Rows:
    return with_row(rows, kind, **cells)


def cell(kind: str, row: int = 0, rows: Rows = CLEAN, /, **cells: str) -> Rows:
    """Return the season with some cells changed."""
    return changed(rows, kind, row, **cells)


def tilled(rows: Rows = CLEAN, /, **cells: str) -> Rows:
    """Return the season with one more pass, of a chisel in November."""
    return with_row(rows, "operation", **CHISEL | cells)


def shallow(**cells: str) -> Rows:
    """Return the season with a chisel pass one inch deep, all other passes known by a log."""
    rows = tilled(**{"depth_in": "1", "speed_mph": "3"} | cells)
    for row in (0, 2, 3):
        rows = changed(rows, "operation", row, **LOG)
    return rows


def dressed(**cells: str) -> Rows:
    """Return the season with one more application of nitrogen, without inhibitor."""
    row = {"application_id": "A9", "unit_id": "N40", "harvest_id": "H25", "intended_for": "cash_crop",
           "product": "Urea", "method": "broadcast", "n_lb_per_ac": "10", "p2o5_lb_per_ac": "0", "k2o_lb_per_ac": "0",
           "inhibitor": "none"}  # fmt: skip
    return added("nutrient_application", **row | cells)


def first(**cells: str) -> Rows:
    """Return the season with its first application changed."""
    return cell("nutrient_application", **cells)


def second(**cells: str) -> Rows:
    """Return the season with its second application changed."""
    return cell("nutrient_application", 1, **cells)


def cover(rows: Rows = CLEAN, **cells: str) -> Rows:
    return changed(rows, "cover_crop", **cells)


def deep() -> Rows:
    """Return the season with the knives forty inches deep by the log."""
    rows = cell("operation", 0, cell("operation", 2, **LOG), **LOG)
    return cell("operation", 3, rows, depth_in="40", **LOG)


def terminated(record: str) -> Rows:
    """Return the season after soybeans that followed wheat and were given up on 8 October, with a pass before."""
    rows = added("harvest", harvest_id="H25t", unit_id="N40", crop="soybeans", ending="terminated",
                 first_day="2024-10-08", termination_record=record)  # fmt: skip
    rows = changed(rows, "harvest", 0, crop="wheat", first_day="2024-07-02", last_day="2024-07-03")
    rows = with_row(rows, "planting", planting_id="P0", harvest_id="H25t", planted_on="2024-07-06")
    return tilled(rows, day="2024-10-05")


def december(ending: str) -> Rows:
    """Return the season with an entry of 1 December that harvested nothing, or a harvest of wheat without cover."""
    rows = added("harvest", harvest_id="H24p", unit_id="N40", crop="corn", ending=ending, first_day="2024-12-01")
    if ending == "harvested":
        rows = changed(without(rows, "cover_crop"), "harvest", 2, crop="wheat")
    return tilled(rows)


def killed(day: str) -> Rows:
    """Return the season whose cover winter killed by 10 March, with a pass on a day."""
    return tilled(cover(termination_method="winter_kill", terminated_on="2025-03-10"), day=day)


def clover(rows: Rows = CLEAN, /, **budget: str) -> Rows:
    """Return the season with crimson clover for rye, 40 lb of N from it, and a budget."""
    rows = changed(rows, "cover_species", species="Clover, Crimson")
    return changed(rows, "nutrient_budget", 0, **{"legume_n_lb_per_ac": "40"} | budget)


def planned(**budget: str) -> Rows:
    """Return the season with clover for which the plan has 40 lb less."""
    return clover(**{"n_adjustment_lb_per_ac": "40", "planned_n_lb_per_ac": "120"} | budget)


def zero(crop: str, **budget: str) -> Rows:
    """Return the season with clover and nothing taken off for it."""
    return clover(clean_season(crop), **{"n_adjustment_lb_per_ac": "0"} | budget)


def expert(**cells: str) -> Rows:
    """Return the season whose budget rests on an expert."""
    row = {"opinion_id": "X1", "expert": "A", "employer": "cooperative_extension", "given_on": "2025-02-01",
           "works_on": "corn"}  # fmt: skip
    rows = added("expert_opinion", **row | cells)
    return changed(rows, "nutrient_budget", basis="expert_opinion", opinion_id="X1", soil_test_id="")


def reduced(**cells: str) -> Rows:
    """Return the season with 20 lb fewer after emergence, by scouting."""
    row = {"in_season_test_id": "I1", "harvest_id": "H25", "tested_on": "2025-06-01", "what": "scouting",
           "result": "dark green at V6", "planned_on": "2025-06-02", "n_reduction_lb_per_ac": "20"}  # fmt: skip
    return added("in_season_test", second(n_lb_per_ac="100"), **row | cells)


def tissue(tested_on: str, laboratory: str) -> Rows:
    """Return the season with those fewer by a laboratory's test."""
    return reduced(what="tissue", result="3 %", tested_on=tested_on, laboratory=laboratory)


def interseeded(seeded: str, day: str) -> Rows:
    """Return the season whose cover was sown into the crop before, with nitrogen on a day of that fall."""
    return cover(dressed(day=day, harvest_id="H24"), seeded_on=seeded, method="interseeded")


def twice(day: str = "2025-04-28") -> Rows:
    """Return the season planted again on 20 May, with its first nitrogen on a day."""
    rows = added("planting", planting_id="P2", harvest_id="H25", planted_on="2025-05-20", replant="yes")
    return cell("nutrient_application", 0, rows, day=day)


def without_fertilizer(pounds: str, **starter: str) -> Rows:
    """Return the season whose budget has no fertilizer, perhaps a starter, and lime with nitrogen in it."""
    rows = cell("budget_source", N_SOURCES.index("commercial_fertilizer"), present="no")
    rows["nutrient_application"] = rows["nutrient_application"][:1]
    rows = changed(rows, "nutrient_application", 0, n_lb_per_ac=pounds, product="Lime", synthetic_n="yes")
    return changed(rows, "budget_source", N_SOURCES.index("starter"), **starter)


def replanted(**cells: str) -> Rows:
    """Return the season with its stand given up on 12 May and planted again on the 14th."""
    lost = {"harvest_id": "H25f", "unit_id": "N40", "crop": "corn", "ending": "terminated", "first_day": "2025-05-12",
            "termination_record": "adjuster form 12"}  # fmt: skip
    rows = added("planting", added("harvest", **lost | cells), planting_id="P2", harvest_id="H25",
                 planted_on="2025-05-14", replant="yes", emerged_on="2025-05-23")  # fmt: skip
    return tilled(rows, operation_id="O8", day="2025-05-14", operation=PLANTER, depth_in="2.5", speed_mph="5",
                  width_ft="40")  # fmt: skip


def in_two_parts() -> Rows:
    """Return the season with its harvest entered hybrid by hybrid."""
    rows = added("harvest", cell("harvest", 1, bushels="5000", harvested_acres="25"), harvest_id="H25b",
                 unit_id="N40", crop="corn", use="grain", ending="harvested", first_day="2025-10-27",
                 last_day="2025-10-27", bushels="3000", harvested_acres="15")  # fmt: skip
    return changed(tilled(rows, day="2025-10-27", operation=COMBINE), "declaration", made_on="2025-10-30")


def unlisted(by: str, **cells: str) -> Rows:
    """Return the season with its planter as an implement outside the list, its one tool recorded."""
    rows = cell("operation", 2, operation="Home-built planter", full_width="no", primary_inversion="no", known_by=by,
                evidence="E7" if by else "", **cells)  # fmt: skip
    return added("operation_tool", rows, operation_id="O3", tool_no="1", tillage_type="mixing_some_inversion",
                 depth_in="2.5", surface_pct="20")  # fmt: skip


def oats(planted: str, ended: str) -> Rows:
    """Return the season with oats cut on 24 April, planted on a day or nobody knows when."""
    rows = added("harvest", cover(terminated_on=ended), harvest_id="H25o", unit_id="N40", crop="oats",
                 ending="harvested", first_day="2025-04-24", last_day="2025-04-24")  # fmt: skip
    return added("planting", rows, planting_id="P0", harvest_id="H25o", planted_on=planted) if planted else rows


def zones(west: str, acres: str) -> Rows:
    """Return 130 lb on the 20 acres of the east and the west's; of 40 acres one that neither covers had none."""
    rows = second(zone="east", treated_acres="20")
    row = rows["nutrient_application"][1] | {"application_id": "A3", "zone": "west", "n_lb_per_ac": west}
    return added("nutrient_application", rows, **row | {"treated_acres": acres})


def low(rate: str, *, labelled: bool = False) -> Rows:
    """Return the season with an inhibitor's rate, also with a label that asks for one ounce."""
    label = {"state": "KS", "inhibitor": "Instinct", "accepted": "yes", "source": "label", "label_rate": "1",
             "label_rate_unit": "oz/ac"}  # fmt: skip
    return (
        added("inhibitor_acceptance", first(inhibitor_rate=rate), **label) if labelled else first(inhibitor_rate=rate)
    )


PASSES, TILL, REDUCED = (
    "no_till_no_full_width_disturbance",
    "no_till_stir_within_limit",
    "reduced_till_stir_within_limit",
)
INVERSION, BURNED, SOURCES = (
    "reduced_till_no_primary_inversion",
    "no_till_residue_not_burned",
    "nutrients_budget_all_sources",
)
STAYS, ENDS, SPRING = "cover_crop_residue_stays", "cover_crop_termination_method", "cover_crop_terminated_in_spring"
LEGUME, BUDGETED, BEFORE = "cover_crop_legume_n_adjusted", "cover_crop_legume_budget", "cover_crop_before_this_crop"
INHIBITED, FALL, AT_PLANTING = "inhibitor_with_all_synthetic_n", "no_fall_none_in_fall", "no_fall_first_n_at_planting"
SHARE, AGREE, BASIS = "split_post_emergence_share", "nutrients_records_agree", "nutrients_budget_basis"
BARE: Final = without(CLEAN, "nutrient_application")
UNKNOWN: Final = tilled(operation="Home-made thing")
CASES: Final[tuple[Case, ...]] = (
    *((f"02 a negative needs its answer, {column}", cell("declaration", **{column: ""}), name, NOT_SHOWN)
      for column, names in {
          "all_operations_listed": (PASSES, INVERSION), "residue_burned": (BURNED, "cover_crop_residue_not_burned"),
          "cover_grazed": ("cover_crop_not_harvested_or_grazed",), "manure_applied": (SOURCES,),
          "cover_harvested": ("cover_crop_not_harvested_or_grazed",), "irrigation_n": (SOURCES,),
          "cover_fertilized": ("cover_crop_not_fertilized",), "all_nutrients_listed": (FALL,),
      }.items() for name in names),
    ("02 a declaration speaks for what lies before it", cell("declaration", made_on="2025-10-21"), PASSES, MET),
    ("02 and not for a day later", cell("declaration", made_on="2025-10-20"), PASSES, NOT_SHOWN),
    ("02 a cell that cannot be read", cell("operation", 1, speed_mph="fast"), TILL, NOT_SHOWN),
    ("02 a pass that cannot be placed", cell("operation", 1, day=""), TILL, NOT_SHOWN),
    ("02 nitrogen that cannot be placed", dressed(harvest_id="", day=""), FALL, NOT_SHOWN),
    ("02 a fire that cannot be placed", tilled(operation="Burn residue", day=""), BURNED, NOT_SHOWN),
    ("03 below the limit an unknown pass hides the sum", UNKNOWN, TILL, NOT_SHOWN),
    ("03 known passes above it fail", tilled(UNKNOWN, operation_id="O8"), TILL, NOT_MET),
    *((f"04 no nitrogen, no credit, {shown}", rows, name, answer)
      for shown, rows, answer in (("listed", BARE, NOT_MET),
                                  ("not listed", changed(BARE, "declaration", all_nutrients_listed=""), NOT_SHOWN))
      for name in (Practice.nitrification_inhibitor, Practice.no_fall_application)),
    ("06 records are judged apart, the practice", cell("harvest", 1, bushels=""), "no_till", MET),
    ("06 and its records", cell("harvest", 1, bushels=""), "no_till_records", NOT_SHOWN),
    ("07 controlled release is no inhibitor", cell("nutrient_application", 1, second(product="ESN"), inhibitor="ESN"),
     INHIBITED, NOT_MET),
    ("08 no-till is two tests, deep knives, the passes", deep(), PASSES, MET),
    ("08 and their STIR", deep(), TILL, NOT_MET),
    ("08 a shallow chisel, its STIR", shallow(**LOG), TILL, MET),
    ("08 and the pass", shallow(**LOG), PASSES, NOT_MET),
    ("08 inversion by name", tilled(operation="Plow, moldboard, conservation"), INVERSION, NOT_MET),
    ("08 a chisel inverts nothing", tilled(operation="Chisel, st. pt."), INVERSION, MET),
    *((f"09 a pass of {day} beside the harvests", tilled(day=day), PASSES, answer)
      for day, answer in (("2024-10-01", MET), ("2024-10-02", NOT_MET), ("2024-10-03", NOT_MET),
                          ("2025-10-19", NOT_MET), ("2025-10-20", MET))),
    ("09 a termination has its record", terminated("adjuster form 12"), PASSES, MET),
    ("09 and needs it", terminated(""), PASSES, NOT_SHOWN),
    ("09 prevented planting ends no interval", december("prevented"), PASSES, NOT_MET),
    ("09 fallow neither", december("fallow"), PASSES, NOT_MET),
    ("09 a harvest does", december("harvested"), PASSES, MET),
    ("10 two values on two sides, with a log", shallow(**LOG), TILL, MET),
    ("10 without it", shallow(known_by="machine"), TILL, NOT_MET),
    ("10 typed below the published least the list's value stands", shallow(), TILL, NOT_MET),
    ("10 typed beside evidence both lie above the limit", shallow(evidence="E1"), TILL, NOT_SHOWN),
    ("10 zero depth of a machine means not recorded", tilled(depth_in="0", speed_mph="5", **LOG), TILL, NOT_MET),
    *((f"12 full width is decided by operation {name}, {flag}", tilled(operation=name, full_width=flag), PASSES, answer)
      for name, flag, answer in (("Home-made thing", "no", MET), ("Home-made thing", "yes", NOT_MET),
                                 ("Home-made thing", "", NOT_SHOWN), ("Chisel, st. pt.", "no", NOT_MET))),
    ("15 a cover is sown in the fall", cover(seeded_on="2024-09-20"), "cover_crop_seeded_in_fall", MET),
    ("15 before its crop, not a year earlier", cover(seeded_on="2023-09-20"), "cover_crop_seeded_in_fall", NOT_MET),
    ("15 it belongs to the crop that follows", cover(harvest_id="H24"), "cover_crop", NOT_SHOWN),
    ("16 it ends in spring", cover(terminated_on="2025-05-05"), SPRING, MET),
    ("16 of its year", cover(terminated_on="2024-05-05"), SPRING, NOT_SHOWN),
    ("16 and not in summer", cover(terminated_on="2025-07-05"), SPRING, NOT_MET),
    ("16 on all acres", cover(seeded_acres="20"), "cover_crop", NOT_MET),
    *((f"17 starter feeds no cover, {meant}", dressed(day="2025-04-10", intended_for=meant, harvest_id=""),
       "cover_crop_not_fertilized", answer)
      for meant, answer in (("cash_crop", MET), ("cover_crop", NOT_MET), ("", NOT_SHOWN))),
    *((f"18 a full-width pass on {day} buries the cover between its end and planting", tilled(day=day), STAYS, answer)
      for day, answer in (("2025-04-15", MET), ("2025-04-16", NOT_MET), ("2025-04-28", NOT_MET), ("2025-04-29", MET))),
    ("18 after winter kill", cover(termination_method="winter_kill", terminated_on="2025-03-10"), STAYS, MET),
    ("18 a pass then", killed("2025-03-20"), STAYS, NOT_MET),
    ("18 nobody saw the day on which it died", killed("2025-02-01"), ENDS, NOT_MET),
    ("19 own seed with other evidence", cell("seed_purchase", bin_run="yes", evidence="E3"), "records_cover_seed", MET),
    ("19 and without", cell("seed_purchase", bin_run="yes", evidence=""), "records_cover_seed", NOT_SHOWN),
    ("19 a stated zero is an adjustment before soybeans", zero("soybeans"), LEGUME, MET),
    ("19 and before corn none", zero("corn"), LEGUME, NOT_MET),
    ("19 a blank before soybeans", zero("soybeans", n_adjustment_lb_per_ac=""), LEGUME, NOT_SHOWN),
    ("19 and before corn", zero("corn", n_adjustment_lb_per_ac=""), LEGUME, NOT_SHOWN),
    ("19 nobody knows what it gives, before soybeans", zero("soybeans", legume_n_lb_per_ac=""), LEGUME, MET),
    ("19 nor before corn", zero("corn", legume_n_lb_per_ac=""), LEGUME, NOT_SHOWN),
    ("20 a photograph is a record", cover(established_photo=""), "records_cover_photograph", NOT_SHOWN),
    ("20 and not the practice", cover(established_photo=""), "cover_crop", MET),
    *((f"22 nitrogen with phosphorus needs the inhibitor, {n} of {name}",
       dressed(day="2025-04-28", product=name, n_lb_per_ac=n), INHIBITED, answer)
      for name, n, answer in (("DAP", "18", NOT_MET), ("DAP", "0", NOT_SHOWN), ("DAP", "", NOT_MET),
                              ("Potash", "0", MET))),
    *((f"22 a urease inhibitor is none and the state's list decides, {name}", first(inhibitor=name),
       Practice.nitrification_inhibitor, answer)
      for name, answer in (("NBPT", NOT_MET), ("Agrotain Plus", NOT_SHOWN), ("ENTEC", NOT_SHOWN), ("Instinct", MET))),
    ("22 a rate of zero", first(inhibitor_rate="0"), INHIBITED, NOT_SHOWN),
    ("23 an unknown product", dressed(day="2024-11-20", product="Tank mix", n_lb_per_ac=""), FALL, NOT_SHOWN),
    ("23 the first planting counts on replants", twice(), AT_PLANTING, MET),
    ("23 and not the second", twice("2025-05-20"), AT_PLANTING, NOT_MET),
    ("23 nitrogen on a cover before the harvest", interseeded("2024-09-10", "2024-09-25"), FALL, NOT_MET),
    ("23 no cover stood yet", interseeded("2024-10-09", "2024-09-25"), FALL, MET),
    ("23 nor on that day", interseeded("2024-09-10", "2024-09-05"), FALL, MET),
    *((f"24 emergence seen {seen}", cell("planting", 0, second(day="2025-05-15"), emerged_on=seen), SHARE, answer)
      for seen, answer in (("2025-05-08", MET), ("", NOT_SHOWN), ("2025-05-01", NOT_SHOWN), ("2025-05-02", MET))),
    ("24 a documented reduction counts as if applied", tissue("2025-06-01", "State lab"), SHARE, MET),
    ("24 by a laboratory", tissue("2025-06-01", ""), SHARE, NOT_MET),
    ("24 on a day", tissue("", "State lab"), SHARE, NOT_MET),
    ("24 after emergence", tissue("2025-04-01", "Lab"), SHARE, NOT_MET),
    *((f"25 every source is answered, {name}", cell("budget_source", at, present=""), SOURCES, NOT_SHOWN)
      for at, name in enumerate(N_SOURCES)),
    ("25 an expert may replace the soil test", expert(), BASIS, MET),
    ("25 whose results are asked for all the same", expert(), "records_nutrients_soil_test", NOT_SHOWN),
    ("25 not anybody's", expert(employer="other"), BASIS, NOT_SHOWN),
    ("25 another unit's soil", added("unit", cell("soil_test", unit_id="S80"), unit_id="S80", acres="80"), BASIS,
     NOT_SHOWN),
    ("25 no fertilizer and no nitrogen", without_fertilizer("0"), SOURCES, MET),
    ("25 no fertilizer and a trace", without_fertilizer("0.001"), SOURCES, NOT_MET),
    ("25 no fertilizer and thirty pounds", without_fertilizer("30"), SOURCES, NOT_MET),
    *((f"25 {pounds} lb of a starter that the budget has", without_fertilizer(pounds, present="yes", n_lb_per_ac="30"),
       SOURCES, MET)
      for pounds in ("0", "0.001", "30")),
    ("a termination of the replanted stand without record", replanted(termination_record=""), "no_till", NOT_SHOWN),
    ("no cover", without(CLEAN, "cover_crop"), BEFORE, NOT_SHOWN),
    ("a pass before the failed stand, without it", tilled(replanted(), day="2025-04-20"), TILL, NOT_SHOWN),
    ("a pass after it", tilled(replanted(), day="2025-05-13"), TILL, NOT_MET),
    ("reduced tillage bears the first", tilled(replanted(), day="2025-04-20"), REDUCED, MET),
    ("and the second", tilled(replanted(), day="2025-05-13"), REDUCED, MET),
    ("residue stays until the last planting", tilled(replanted(), day="2025-05-13"), STAYS, NOT_MET),
    ("and not after it", tilled(replanted(), day="2025-05-15"), STAYS, MET),
    *((f"no-till by an implement outside the list, by {by}: {what}", rows, TILL, answer)
      for by in ("", "machine") for what, rows, answer in (
          ("its tools recorded", unlisted(by), MET),
          ("no depth", cell("operation_tool", 0, unlisted(by), depth_in=""), NOT_SHOWN),
          ("no speed", cell("operation", 2, unlisted(by), speed_mph=""), NOT_SHOWN))),
    *((f"a pass of {day} through a standing cover, {method}", cover(tilled(day=day), method=method), ENDS, answer)
      for day, method, answer in (
          ("2025-04-15", "drilled", NOT_MET), ("2025-03-01", "drilled", NOT_MET), ("2024-10-10", "drilled", NOT_MET),
          ("2024-10-09", "drilled", MET), ("2024-10-10", "broadcast_incorporated", MET),
          ("2024-10-16", "broadcast_incorporated", MET), ("2024-10-17", "broadcast_incorporated", NOT_MET))),
    ("a crop between cover and feedstock takes it", oats("2024-11-01", "2025-04-16"), BEFORE, NOT_MET),
    ("planted nobody knows when", oats("", "2025-04-16"), BEFORE, NOT_SHOWN),
    ("the cover was sown into it", oats("2024-10-01", "2025-04-16"), BEFORE, MET),
    ("the cover ended with it", oats("2024-11-01", "2025-04-24"), BEFORE, NOT_MET),
    ("it may be the cover itself", oats("", "2025-04-24"), BEFORE, NOT_SHOWN),
    *((f"a legume's nitrogen shows in a plan of {pounds}", planned(planned_n_lb_per_ac=pounds), LEGUME, answer)
      for pounds, answer in (("120", MET), ("120.001", NOT_MET), ("119.999", MET), ("160", NOT_MET), ("", NOT_SHOWN),
                             ("0", MET))),
    *((f"a budget made {made} after harvest shows nothing of a legume", planned(made_on=made), name, answer)
      for made, answer in (("2025-10-19", MET), ("2025-10-20", NOT_SHOWN), ("", NOT_SHOWN))
      for name in (BUDGETED, LEGUME)),
    ("the drill of that day seeded", cover(method=""), "no_till", MET),
    ("seed from the air needs no pass", cover(seeded_on="", method="aerial"), "no_till", MET),
    ("starter went on with the planter", first(method=""), "no_till", MET),
    *((f"knives within two days are those meant, {day}", second(day=day), "no_till", answer)
      for day, answer in (("2025-06-04", MET), ("2025-06-05", NOT_SHOWN), ("2025-05-31", MET))),
    ("a harvest pass of no entry", tilled(day="2025-07-20", operation=COMBINE), "no_till", NOT_SHOWN),
    ("a harvest pass just before its entry", tilled(day="2025-10-18", operation=COMBINE), "no_till", MET),
    ("an unlisted planter plants", without(without(unlisted("machine"), "cover_crop"), "operation", 0), "no_till", MET),
    ("starter that the budget calls none", first(method="starter_band"), SOURCES, NOT_MET),
    ("pop-up too", first(method="in_furrow"), SOURCES, NOT_MET),
    ("manure too", dressed(application_id="A3", day="2025-04-20", product="Hog manure", n_lb_per_ac="30", inhibitor="",
                           synthetic_n="no"), SOURCES, NOT_MET),
    ("a legume too", cell("cover_species", species="Clover, Crimson"), SOURCES, NOT_MET),
    *((f"an inhibitor at {rate} below its label rate shows nothing", low(rate), INHIBITED, answer)
      for rate, answer in (("18", MET), ("17.999", NOT_SHOWN), ("1", NOT_SHOWN))),
    *((f"an inhibitor at {rate} above the state's own label", low(rate, labelled=True), INHIBITED, MET)
      for rate in ("18", "17.999", "1")),
    ("a reduction by scouting", reduced(), SHARE, MET),
    ("a reduction needs its result", reduced(result=""), SHARE, NOT_MET),
    ("and its planned day", reduced(planned_on=""), SHARE, NOT_MET),
    ("after the test", reduced(planned_on="2025-06-01"), SHARE, NOT_MET),
    ("and the test before it", reduced(tested_on="2025-06-02"), SHARE, NOT_MET),
    ("a reduction of all", without(reduced(n_reduction_lb_per_ac="160"), "nutrient_application", 1), SHARE, NOT_MET),
    ("zones are judged each by itself", zones("130", "20"), SHARE, MET),
    ("one zone below the share", zones("119.999", "20"), SHARE, NOT_MET),
    ("an acre of no zone", zones("130", "19"), SHARE, NOT_MET),
)  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "name", "answer"), [pytest.param(*one[1:], id=f"{one[0]}: {one[2]}") for one in CASES]
)
def test_each_case_has_its_answer(rows: Rows, name: str, answer: bool | None) -> None:
    assert verdict_of(rows, name) is answer


def test_the_clean_season_meets_whatever_a_case_is_about() -> None:
    (clean,) = verdicts(CLEAN).values()
    assert {name for *_, name, _ in CASES if clean[name] is not True} == set()


def codes(rows: Rows) -> set[str]:
    return {one.code for one in assess(book_of(rows)).problems}


PART_FIELD, OFF = {"part_field_passes"}, {"off_analysis", "synthetic_differs"}
TOLD: Final[tuple[tuple[str, Rows, str, bool | None, set[str], bool], ...]] = (
    *((f"09 a first pass on {day} of a harvest of several days", cell("operation", 0, day=day), PASSES, NOT_SHOWN,
       {"passes_during_harvest"}, told)
      for day, told in (("2024-10-01", False), ("2024-10-02", True), ("2024-10-03", True), ("2024-10-04", False))),
    *((f"09 on {day} of a harvest of that day", cell("harvest", 0, cell("operation", 0, day=day), first_day=day,
                                                    last_day=day), PASSES, NOT_SHOWN,
       {"passes_during_harvest"}, False)
      for day in ("2024-10-01", "2024-10-02", "2024-10-03", "2024-10-04")),
    ("11 one chisel pass", tilled(), REDUCED, MET, {"intensive_passes"}, False),
    ("11 a second goes to the verifier and the STIR decides", tilled(tilled(), operation_id="O8"), REDUCED, MET,
     {"intensive_passes"}, True),
    *((f"13 a pass over {acres} acres counts in full", tilled(treated_acres=acres), PASSES, NOT_MET, PART_FIELD, told)
      for acres, told in (("39.999", True), ("40", False), ("", False))),
    *((f"21 a trace of {n} {method} breaks nothing and is listed",
       dressed(day="2025-02-20", product="AMS", n_lb_per_ac=n, method=method), name, answer, {"n_trace"}, answer)
      for n, method, answer in (("1.9", "with_herbicide", MET), ("2", "with_herbicide", NOT_MET),
                                ("1.9", "banded", NOT_MET))
      for name in (INHIBITED, AT_PLANTING)),
    ("a pass after planting again", tilled(replanted(), day="2025-05-15"), STAYS, MET, {"passes_after_planting"}, True),
    *((f"half as much again as 160 planned, 30 and {pounds}", second(n_lb_per_ac=pounds), AGREE, answer, {"over_plan"},
       answer is None)
      for pounds, answer in (("210", MET), ("210.001", NOT_SHOWN), ("480", NOT_SHOWN))),
    *((f"pounds against the analysis, {cells}", first(**cells), AGREE, answer, OFF, answer is None)
      for cells, answer in (
          ({"rate": "45", "rate_unit": "gal/ac", "n_lb_per_ac": "1"}, NOT_SHOWN),
          ({"rate": "10", "rate_unit": "gal/ac", "n_lb_per_ac": "30"}, MET),  # 29.876 by analysis
          ({"rate": "10", "rate_unit": "gal/ac", "n_lb_per_ac": "32.863"}, MET),  # exactly ten percent more
          ({"rate": "10", "rate_unit": "gal/ac", "n_lb_per_ac": "32.9"}, NOT_SHOWN),
          ({"product": "Potash", "n_lb_per_ac": "30"}, NOT_SHOWN),
          ({"synthetic_n": "no"}, NOT_SHOWN), ({"synthetic_n": "yes"}, MET))),
)  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "name", "answer", "which", "told"), [pytest.param(*one[1:], id=one[0]) for one in TOLD]
)
def test_each_answer_is_told_or_not(rows: Rows, name: str, answer: bool | None, which: set[str], told: bool) -> None:
    assert verdict_of(rows, name) is answer
    assert bool(codes(rows) & which) is told


@pytest.mark.parametrize(
    ("kind", "row", "cells"),
    [
        ("nutrient_application", 1, {"day": "2025-06-05"}),  # injected three days after the knives
        ("nutrient_application", 0, {"method": "broadcast", "day": "2025-04-20"}),
        ("nutrient_application", 0, {"method": "starter_band", "day": "2025-04-25"}),
        ("cover_crop", 0, {"seeded_on": "2024-10-12"}),  # drilled three days after the drill
        ("cover_crop", 0, {"termination_method": "roller_crimper", "terminated_on": "2025-04-13"}),
        ("planting", 0, {"planted_on": "2025-05-01"}),
        # rows that leave out which pass it was
        ("cover_crop", 0, {"seeded_on": ""}),
        ("cover_crop", 0, {"seeded_on": "", "method": ""}),
        ("cover_crop", 0, {"seeded_on": "", "method": "broadcast_incorporated"}),
        ("cover_crop", 0, {"seeded_on": "2025-01-09", "method": ""}),
        ("cover_crop", 0, {"termination_method": "mowing", "terminated_on": ""}),
        ("cover_crop", 0, {"terminated_on": ""}),
        ("nutrient_application", 1, {"day": ""}),
        ("nutrient_application", 0, {"method": "broadcast", "day": ""}),
        ("nutrient_application", 1, {"day": "2025-06-05", "method": ""}),  # ammonia, three days after the knives
    ],
)
def test_another_record_proves_a_pass_that_the_list_does_not_have(kind: str, row: int, cells: dict[str, str]) -> None:
    rows = cell(kind, row, **cells)
    (found,) = verdicts(rows).values()
    assert (found["no_till"], found["reduced_till"]) == (None, None)
    assert found["records_tillage_all_operations"] is None
    (told,) = [one for one in assess(book_of(rows)).problems if one.code == "pass_missing"]
    assert told.place.file.startswith(kind)
    assert "None" not in told.cause


@pytest.mark.parametrize("kind", ["cover_crop", "nutrient_budget", "nutrient_application", "planting"])
def test_a_stand_killed_and_planted_again_keeps_its_credit_whichever_entry_its_records_name(kind: str) -> None:
    rows = replanted()
    for at in range(len(rows[kind])):
        if (kind, at) != ("planting", 1):
            rows = changed(rows, kind, at, harvest_id="H25f")
    (found,) = verdicts(rows).values()
    assert [practice for practice in Practice if found[practice] is not True] == []


def test_intervals_follow_rule_harvest_and_entries() -> None:
    (late,) = intervals(cell("harvest", 1, first_day="2026-07-29", last_day="2026-07-29"))
    assert (late.rule.later_rule_in_force, late.last_day) == (True, date(2026, 7, 29))
    (clean,) = intervals(CLEAN)
    assert clean.rule.later_rule_in_force is False
    (open_,) = intervals(cell("declaration", residue_burned=""))
    assert (Practice.no_till in clean.credited, Practice.no_till in open_.credited) == (True, False)
    assert all(of_practice(*one) for one in product(Practice, (Part.IMPLEMENTATION, Part.RECORDS)))
    assert not any("controlled" in name for name in REQUIREMENTS)
    for crop, asked in (("soybeans", []), ("corn", ["legume_n_lb_per_ac"])):
        (judged,) = intervals(zero(crop, legume_n_lb_per_ac=""))
        assert [one.column for one in judged.requirements[LEGUME].missing] == asked
    book = assess(book_of(CLEAN))
    assert [len(of) for of in book.harvests.values()] == [1]
    assert replace(book, intervals=()).harvests == {}


def test_two_harvest_rows_are_one_interval_unless_one_was_planted_after_the_other_was_cut() -> None:
    (found,) = intervals(in_two_parts())
    assert (found.harvest_ids, found.harvest_id) == (("H25", "H25b"), "H25")
    assert (found.season.harvest.bushels, found[Practice.no_till].implementation) == (8_000_000, Verdict.MET)
    rows = added("planting", in_two_parts(), planting_id="P9", harvest_id="H25b", planted_on="2025-10-21")
    assert list(verdicts(rows)) == ["H25", "H25b"]
    rows = added("harvest", harvest_id="H25b", unit_id="N40", crop="corn", ending="harvested", first_day="2025-11-05")
    rows = added("declaration", rows, **CLEAN["declaration"][0] | {"harvest_id": "H25b", "made_on": "2025-12-01"})
    rows = tilled(rows, day="2025-11-05", operation=COMBINE)
    assert set(verdicts(tilled(rows, operation_id="O8", day="2025-10-25", operation=DRILL))) == {"H25"}
