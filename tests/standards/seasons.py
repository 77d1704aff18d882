"""Seasons made by changing a clean one: what people do, forget and mistype around each threshold."""

from typing import Final

from hypothesis import strategies as st

from tests.standards.season import Rows, changed, clean_season, with_row, without

# Kind, row of the clean season, column, texts to try: around limits, on borders, blank, contradictory.
CELLS: Final[tuple[tuple[str, int, str, tuple[str, ...]], ...]] = (
    ("farm", 0, "state", ("", "IA")),
    ("unit", 0, "acres", ("", "40.001", "41.237", "41.238", "80")),
    ("unit", 0, "county_fips", ("", "19153", "99999")),
    ("unit", 0, "boundary", ("",)),
    ("harvest", 0, "ending", ("terminated", "prevented", "fallow")),
    ("harvest", 0, "termination_record", ("adjuster form 12",)),
    ("harvest", 0, "crop", ("corn", "wheat")),
    ("harvest", 0, "first_day", ("", "2024-10-09", "2024-10-10", "2024-09-30", "2025-04-28", "2025-04-29")),
    ("harvest", 0, "last_day", ("", "2024-10-01", "2024-10-09", "2024-10-12")),
    ("harvest", 1, "first_day", ("", "2025-04-27", "2025-04-28", "2025-04-29", "2025-06-02", "2025-10-22")),
    ("harvest", 1, "last_day", ("", "2025-10-19", "2025-10-20", "2026-01-06", "2026-07-28", "2026-07-29")),
    ("harvest", 1, "bushels", ("",)),
    ("harvest", 1, "crop", ("soybeans", "sorghum", "popcorn", "seed_corn")),
    ("operation", 0, "day", ("", "2024-10-02", "2024-10-03", "2024-10-01")),
    ("operation", 0, "operation", ("Chisel, st. pt. 5 in deep", "Plow, moldboard", "Home-made thing", "Burn residue",
                                     "Aerial seeding", "Weed control, manual hoe")),
    ("operation", 0, "depth_in", ("", "0", "1", "1.499", "1.5", "2.5", "12")),
    ("operation", 0, "speed_mph", ("", "0", "3.499", "3.5", "12", "40")),
    ("operation", 0, "surface_pct", ("", "0", "1", "54.999", "55", "100")),
    ("operation", 0, "known_by", ("machine", "third_party", "typed_in_season")),
    ("operation", 0, "evidence", ("E1", "E3", "E7", "E77")),
    ("operation", 0, "full_width", ("yes", "no")),
    ("operation", 0, "width_ft", ("",)),
    ("operation", 0, "equipment", ("",)),
    ("operation", 1, "day", ("", "2025-04-15")),
    ("operation", 1, "operation", ("Disk, tandem light finishing", "Burn residue", "Home-made thing")),
    ("operation", 2, "operation", ("Plow, moldboard", "Home-made thing", "Rototiller, field, add 2-8 inch depth")),
    ("operation", 2, "known_by", ("machine",)),
    ("operation", 3, "known_by", ("machine", "third_party")),
    ("operation", 3, "evidence", ("E1", "E5", "E7", "E7; E77")),
    ("operation", 3, "depth_in", ("", "0", "2.999", "3", "30", "60")),
    ("operation", 3, "speed_mph", ("", "0", "8", "40")),
    ("operation", 3, "surface_pct", ("100", "10")),
    ("operation", 4, "day", ("", "2025-10-21", "2025-10-22")),
    ("declaration", 0, "made_on", ("", "2025-10-20", "2025-10-21")),
    ("declaration", 0, "all_operations_listed", ("", "no")),
    ("declaration", 0, "all_nutrients_listed", ("", "no")),
    ("declaration", 0, "residue_burned", ("", "yes")),
    ("declaration", 0, "cover_grazed", ("", "yes")),
    ("declaration", 0, "cover_harvested", ("", "yes")),
    ("declaration", 0, "cover_fertilized", ("", "yes")),
    ("declaration", 0, "manure_applied", ("", "yes")),
    ("declaration", 0, "irrigation_n", ("", "yes")),
    ("planting", 0, "planted_on", ("", "2025-05-28", "2025-05-29", "2025-04-21", "2025-04-20", "2025-10-20")),
    ("planting", 0, "emerged_on", ("", "2025-05-01", "2025-05-02", "2025-06-01", "2025-06-02")),
    ("cover_crop", 0, "seeded_on", ("", "2024-07-31", "2024-08-01", "2024-09-20", "2024-12-31", "2025-01-01",
                                    "2024-04-28", "2023-10-09", "2025-04-16", "2025-05-10")),
    ("cover_crop", 0, "method", ("", "broadcast_incorporated", "other")),
    ("cover_crop", 0, "planted_green", ("yes", "no")),
    ("cover_crop", 0, "seeded_acres", ("", "0", "38.799", "38.8", "39.999", "400")),
    ("cover_crop", 0, "suits_site", ("", "no")),
    ("cover_crop", 0, "suits_site_source", ("",)),
    ("cover_crop", 0, "established_photo", ("",)),
    ("cover_crop", 0, "terminated_on", ("", "2025-01-31", "2025-02-01", "2025-06-30", "2025-07-01", "2025-05-05",
                                        "2024-04-16", "2026-04-16", "2024-12-20")),
    ("cover_crop", 0, "termination_method", ("", "winter_kill", "mowing", "tillage", "grazing", "burning", "other")),
    ("cover_species", 0, "species", ("Clover, Crimson", "My own mix")),
    ("cover_species", 0, "rate_lb_per_ac", ("", "0", "60.001")),
    ("seed_purchase", 0, "pounds", ("", "2399.999", "2400.001")),
    ("seed_purchase", 0, "bin_run", ("yes",)),
    ("seed_purchase", 0, "evidence", ("", "E9", "E1", "E9; E3")),
    ("seed_purchase", 0, "received_on", ("", "2024-10-09", "2024-10-10", "2024-03-24", "2024-03-23")),
    ("seed_purchase", 0, "supplier", ("",)),
    ("evidence", 0, "file", ("gone.jpg", "other.jpg")),
    ("evidence", 0, "sha256", ("", "ab" * 32)),
    ("evidence", 0, "what", ("invoice",)),
    ("evidence", 0, "unit_id", ("", "S80")),
    ("evidence", 0, "taken_on", ("", "2024-10-08", "2024-10-09", "2025-04-16", "2025-04-17")),
    ("evidence", 1, "file", ("gone.pdf",)),
    ("evidence", 2, "taken_on", ("2023-11-04", "2023-11-05")),
    ("evidence", 2, "sha256", ("",)),
    ("evidence", 3, "what", ("photograph", "other")),
    ("soil_test", 0, "evidence", ("", "E5")),
    ("inhibitor_purchase", 0, "received_on", ("", "2025-04-28", "2025-04-29")),
    ("inhibitor_purchase", 0, "supplier", ("",)),
    ("inhibitor_purchase", 0, "evidence", ("",)),
    *(
        ("nutrient_application", row, column, texts)
        for row in (0, 1)
        for column, texts in (
            ("day", ("", "2025-03-28", "2025-03-29", "2025-05-05", "2025-05-06", "2024-11-20", "2024-09-25",
                     "2025-02-28", "2025-03-01", "2025-05-01", "2025-05-02", "2025-05-19", "2025-05-20",
                     "2025-05-08", "2025-05-09",
                     "2025-12-01")),
            ("harvest_id", ("", "H24")),
            ("intended_for", ("", "cover_crop", "other")),
            ("product", ("DAP", "MAP", "Tank mix", "KCl", "SuperU", "Hog manure")),
            ("method", ("", "foliar", "with_herbicide", "other")),
            ("rate", ("", "0", "100")),
            ("rate_unit", ("lb/ac", "gal/ac", "oz/ac", "ton/ac", "pt/ac")),
            ("n_lb_per_ac", ("", "0", "1.999", "2", "3.999", "4", "39.999", "40", "40.001", "120", "119.999")),
            ("p2o5_lb_per_ac", ("",)),
            ("synthetic_n", ("yes", "no")),
            ("treated_acres", ("40", "39.999", "10", "60")),
            ("inhibitor", ("", "none", "NBPT", "N-Serve", "Nitrapyrin", "ENTEC", "Agrotain Plus", "Wonder juice")),
            ("inhibitor_rate", ("", "0", "32", "32.001")),
            ("inhibitor_rate_unit", ("", "lb/ac", "pt/ac")),
        )
    ),
    ("nutrient_budget", 0, "made_on", ("", "2025-04-27", "2025-04-28", "2025-04-29", "2023-11-04", "2023-11-05",
                                       "2025-11-05", "2025-11-06")),
    ("nutrient_budget", 0, "yield_goal_bu_per_ac", ("",)),
    ("nutrient_budget", 0, "removal_n_lb_per_ac", ("",)),
    ("nutrient_budget", 0, "planned_p2o5_lb_per_ac", ("60",)),
    ("nutrient_budget", 0, "synthetic_n_need_lb_per_ac", ("", "106.666", "106.667",
     "0", "120", "119.999", "173.333", "173.334", "173.332")),
    ("nutrient_budget", 0, "need_source", ("",)),
    ("nutrient_budget", 0, "basis", ("", "expert_opinion")),
    ("nutrient_budget", 0, "soil_test_id", ("",)),
    ("nutrient_budget", 0, "opinion_id", ("X1",)),
    ("nutrient_budget", 0, "legume_n_lb_per_ac", ("0", "40")),
    ("nutrient_budget", 0, "n_adjustment_lb_per_ac", ("0", "0.001", "40")),
    *(("budget_source", row, "present", ("", "yes", "no")) for row in (0, 1, 2, 12)),
    ("budget_source", 2, "n_lb_per_ac", ("30",)),
    ("soil_test", 0, "sampled_on", ("", "2023-02-28", "2023-03-01", "2025-03-01", "2025-03-02")),
    ("soil_test", 0, "unit_id", ("S80",)),
    ("soil_test", 0, "laboratory", ("",)),
    ("soil_test", 0, "method", ("",)),
    ("soil_test", 0, "p_ppm", ("", "0")),
    ("inhibitor_purchase", 0, "amount", ("", "15", "14.999")),
    ("inhibitor_purchase", 0, "product", ("N-Serve",)),
    ("inhibitor_purchase", 0, "amount_unit", ("", "qt", "lb")),
    ("inhibitor_acceptance", 0, "accepted", ("no",)),
    ("inhibitor_acceptance", 0, "state", (" ks ", "IA")),
    ("inhibitor_acceptance", 0, "inhibitor", ("Instinct", "Dicyandiamide")),
)  # fmt: skip

ROWS: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("harvest", {"harvest_id": "H25b", "unit_id": "N40", "crop": "corn", "ending": "harvested",
                 "first_day": "2025-11-05", "bushels": "500"}),
    ("declaration", {"harvest_id": "H25b", "made_on": "2025-11-10", "all_operations_listed": "yes",
                     "all_nutrients_listed": "yes", "residue_burned": "no"}),
    ("operation", {"operation_id": "O6", "unit_id": "N40", "day": "2025-11-05", "equipment": "combine",
                   "operation": "Harvest, killing crop 50pct standing stubble"}),
    ("harvest", {"harvest_id": "H25t", "unit_id": "N40", "crop": "corn", "ending": "terminated",
                 "first_day": "2025-04-20"}),
    ("harvest", {"harvest_id": "H25f", "unit_id": "N40", "crop": "corn", "ending": "terminated",
                 "first_day": "2025-05-10", "termination_record": "adjuster form 12"}),
    ("harvest", {"harvest_id": "H25p", "unit_id": "N40", "crop": "corn", "ending": "harvested",
                 "first_day": "2025-10-27", "bushels": "700"}),
    *(("harvest", {"harvest_id": name, "unit_id": "N40", "crop": "corn", "ending": "harvested", "first_day": day,
                   "bushels": "700"})
      for name, day in (("H25d", "2025-12-28"), ("H25j", "2026-01-05"), ("H26", "2026-06-27"), ("H26n", "2026-11-01"))),
    ("declaration", {"harvest_id": "H25f", "made_on": "2025-05-12", "all_operations_listed": "yes"}),
    ("planting", {"planting_id": "P3", "harvest_id": "H25f", "planted_on": "2025-04-26"}),
    ("harvest", {"harvest_id": "H25w", "unit_id": "N40", "crop": "wheat", "ending": "harvested",
                 "last_day": "2025-04-10"}),
    ("harvest", {"harvest_id": "H00", "unit_id": "N40", "crop": "oats", "ending": "harvested"}),
    *(("operation", {"operation_id": "O7", "unit_id": "N40", "day": day, "operation": name, "equipment": "E7",
                     "depth_in": "5", "speed_mph": "5", "width_ft": "30", "known_by": by, "evidence": "E7"})
      for day in ("", "2024-10-02", "2024-11-11", "2025-04-15", "2025-04-16", "2025-04-28", "2025-04-29", "2025-10-20")
      for name in ("Chisel, st. pt. 5 in deep", "Burn residue", "Home-made thing", "Graze, continuous",
                   "Plow, moldboard")
      for by in ("", "machine")),
    *(("operation_tool", {"operation_id": "O4", "tool_no": "1", "tillage_type": kind, "depth_in": depth,
                          "surface_pct": "20"})
      for kind in ("none", "lifting", "inversion") for depth in ("", "0", "4", "60")),
    *(("nutrient_application", {"application_id": "A3", "unit_id": "N40", "harvest_id": harvest, "intended_for": meant,
                                "day": day, "product": product, "method": method, "n_lb_per_ac": n, "inhibitor": "none",
                                "p2o5_lb_per_ac": "0", "k2o_lb_per_ac": "0"})
      for harvest in ("", "H25", "H24") for meant in ("", "cash_crop", "cover_crop")
      for day in ("", "2024-09-25", "2024-11-20", "2025-04-28", "2025-06-02")
      for product, method, n in (("AMS", "with_herbicide", "1.999"), ("AMS", "foliar", "2"),
                                 ("Urea", "broadcast", "30"),
                                 ("KCl", "broadcast", "0"), ("DAP", "banded", "0"))),
    ("planting", {"planting_id": "P2", "harvest_id": "H25", "planted_on": "2025-05-15", "replant": "yes"}),
    ("planting", {"planting_id": "P2", "harvest_id": "H25", "planted_on": "2025-05-15", "emerged_on": "2025-05-22"}),
    ("planting", {"planting_id": "P2", "harvest_id": "H25", "replant": "yes"}),
    ("cover_crop", {"cover_id": "C2", "unit_id": "N40", "harvest_id": "H25", "seeded_on": "2024-08-20",
                    "seeded_acres": "20",
                    "termination_method": "winter_kill", "terminated_on": "2025-03-01"}),
    ("cover_species", {"cover_id": "C1", "species": "Clover, Crimson", "rate_lb_per_ac": "10"}),
    ("cover_species", {"cover_id": "C1", "species": "Mystery", "rate_lb_per_ac": "10"}),
    *(("in_season_test", {"in_season_test_id": "I1", "harvest_id": "H25", "tested_on": day, "what": what,
                          "laboratory": laboratory, "n_reduction_lb_per_ac": n, "result": "3.4 % N",
                          "planned_on": "2025-06-02"})
      for day in ("", "2025-04-27", "2025-06-01", "2025-10-22") for what in ("scouting", "tissue")
      for laboratory in ("", "State lab") for n in ("", "20")),
    *(("expert_opinion", {"opinion_id": "X1", "expert": "A. Agronomist", "employer": employer, "given_on": day,
                          "works_on": work})
      for employer in ("", "other", "cooperative_extension") for day in ("", "2025-03-01", "2025-03-02")
      for work in ("", "corn", "weeds")),
    ("nutrient_budget", {"budget_id": "B0", "harvest_id": "H25", "made_on": "2025-02-01", "basis": "soil_test"}),
    ("nutrient_budget", {"budget_id": "B2", "harvest_id": "H25", "made_on": "2025-06-15", "basis": "soil_test"}),
    ("inhibitor_acceptance", {"state": "KS", "inhibitor": "INSTINCT", "accepted": "no", "source": "letter"}),
    ("inhibitor_acceptance", {"state": "KS", "inhibitor": "nitrapyrin ", "accepted": "no", "source": "letter"}),
    ("unit", {"unit_id": "S80", "acres": "80", "county_fips": "20177"}),
)  # fmt: skip

REMOVABLE: Final = (
    ("harvest", 0), ("operation", 0), ("operation", 2), ("operation", 4), ("declaration", 0), ("planting", 0),
    ("cover_crop", 0), ("cover_species", 0), ("seed_purchase", 0), ("nutrient_application", 0),
    ("nutrient_application", 1), ("nutrient_budget", 0), ("budget_source", 5), ("soil_test", 0),
    ("inhibitor_purchase", 0), ("inhibitor_acceptance", 0),
)  # fmt: skip

Change = tuple[str, str, int, dict[str, str]]

_CELL = st.sampled_from(CELLS).flatmap(
    lambda one: st.sampled_from(one[3]).map(lambda text: ("cell", one[0], one[1], {one[2]: text}))
)
_MORE = st.sampled_from(ROWS).map(lambda one: ("row", one[0], 0, one[1]))
_NOTHING: Final[dict[str, str]] = {}
_LESS = st.sampled_from(REMOVABLE).map(lambda one: ("less", one[0], one[1], _NOTHING))
CHANGE: Final = st.one_of(_CELL, _CELL, _MORE, _LESS)


def apply(rows: Rows, change: Change) -> Rows:
    """Make one change; a row added under a name that is taken is left out."""
    how, kind, at, cells = change
    if how == "cell":
        return changed(rows, kind, at, **cells)
    if how == "less":
        return without(rows, kind, at)
    key = next(iter(cells))
    simple = kind not in ("cover_species", "inhibitor_acceptance", "operation_tool")
    if simple and key != "state" and any(one.get(key) == cells[key] for one in rows.get(kind, [])):
        return rows
    return with_row(rows, kind, **cells) if not any(_same(one, cells, kind) for one in rows.get(kind, [])) else rows


def _same(one: dict[str, str], other: dict[str, str], kind: str) -> bool:
    keys = {"cover_species": ("cover_id", "species"), "inhibitor_acceptance": ("state", "inhibitor")}
    return all(one.get(name) == other.get(name) for name in keys.get(kind, tuple(other)[:2]))


@st.composite
def seasons(draw: st.DrawFn, most: int = 5) -> Rows:
    """Draw a season of one unit, changed in at most so many ways."""
    rows = clean_season(draw(st.sampled_from(("corn", "corn", "soybeans", "sorghum"))))
    rows["unit"].append({"unit_id": "S80", "acres": "80", "county_fips": "20177"})
    for change in draw(st.lists(CHANGE, max_size=most)):
        rows = apply(rows, change)
    return rows


def put_together(many: list[Rows]) -> Rows:
    """Put several seasons into one set of rows, each as a farm of its own: F0, F1 ..."""
    merged: Rows = {}
    for number, rows in enumerate(many):
        for kind, of in rows.items():
            merged.setdefault(kind, []).extend({**one, "farm_id": f"F{number}"} for one in of)
    return merged
