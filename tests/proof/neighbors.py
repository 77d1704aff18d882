"""Neighbors of the cases: what a careless or dishonest producer tries next, and honest farms out of the ordinary."""

from typing import Final

from provender.records.book import COLUMNS
from tests.proof import changes as c
from tests.proof.outcome import COVER, NO, NO_TILL, NUTRIENTS, SPLIT, TOLD, YES, Cases
from tests.standards.season import Rows, evidence

_UNREAD: Final = "could not be read, so nobody knows what it says"
_DISK: Final = {"operation_id": "O7", "unit_id": "N40", "day": "2024-10-05", "equipment": "disk", "depth_in": "6",
                "operation": "Disk, tandem heavy primary op.", "speed_mph": "6", "width_ft": "30"}  # fmt: skip


def _word(about: str, typed: str, means: str) -> c.Change:
    return c.more("word", about=about, typed=typed, means=means)


def _tenant(basis: str) -> c.Change:
    """Let another run the owner's unit beside the owner."""
    return c.both(
        c.of("control", basis="owner"),
        c.more("producer", producer_id="P2", name="Bob", role="cash_tenant", operational_control="yes"),
        c.more("control", control_id="K2", unit_id="N40", producer_id="P2", since="2020-01-01", basis=basis),
    )


def _rented_again(evidence: str = "") -> c.Change:
    """Let control end years ago and begin again within the season."""
    ended = c.more("control", control_id="K0", unit_id="N40", producer_id="P1", since="2019-03-01", until="2020-01-01")
    return c.both(c.of("control", since="2025-03-01", evidence=evidence), ended)


def _history(year: str, tillage: str) -> c.Change:
    """Name the unit's parcel, and say of it what was done in a year."""
    row = c.more("tillage_history", parcel_id="P9", harvest_year=year, tillage=tillage)
    return c.both(c.of("unit", parcel_id="P9"), row)


def _empty(kind: str, column: str) -> c.Change:
    """Write a dash where something must be named."""
    if kind == "in_season_test" and column == "result":
        return c.left_out(result="none")
    if kind == "in_season_test":
        return c.left_out(what="tissue", laboratory=" n/a ")
    if kind == "expert_opinion":
        return c.opinion(**{column: "N.A."})
    if kind == "harvest":
        return c.both(c.replanted(), c.of(kind, 4, termination_record="-"))
    return c.of(kind, 0, **{column: "TBD"})


OF_WORDS: Final[Cases] = {
    "1.1 a seed house called TBD": (_empty("seed_purchase", "supplier"), NO, "Cover-crop seed bought or kept"),
    "1.1 a fertilizer house called TBD": (_empty("inhibitor_purchase", "supplier"), NO, "Inhibitor bought is enough"),
    "1.1 a failed stand shown by a dash": (_empty("harvest", "termination_record"), NO, NO_TILL),
    "1.4 an implement called TBD": (_empty("operation", "equipment"), NO, "missing is Field operations: Equipment"),
    "1.7 a need of the guide TBD": (_empty("nutrient_budget", "need_source"), NO, SPLIT),
    "1.7 scouting that found none": (_empty("in_season_test", "result"), NO, SPLIT),
    "1.7 tissue of the laboratory n/a": (_empty("in_season_test", "laboratory"), NO, SPLIT),
    "1.7 an inhibitor accepted by TBD": (_empty("inhibitor_acceptance", "source"), NO, NUTRIENTS),
    "1.8 a site judged by TBD": (_empty("cover_crop", "suits_site_source"), NO, COVER),
    "1.10 soil of the laboratory TBD": (_empty("soil_test", "laboratory"), NO, "Soil tests: Laboratory, for T1"),
    "1.10 soil by the method TBD": (_empty("soil_test", "method"), NO, "Soil tests: Method, for T1"),
    "1.10 an expert called N.A.": (_empty("expert_opinion", "expert"), NO, NUTRIENTS),
    "1.10 sold to the buyer none": (c.sold(buyer="none"), NO, "Sale S1 as reduced-CI crop names no buyer"),
    "1.2 a default read off nothing": (c.of("national_default", source="n/a"), NO, "default CI has not been entered"),
}  # fmt: skip
assert len(OF_WORDS) == sum(map(len, COLUMNS.values())) + 2

DISHONEST: Final[Cases] = {
    **OF_WORDS,
    "1.1 one file as photograph and as invoice": (
        c.both(c.more("evidence", **evidence("E1x", "rye.jpg", "invoice", "2024-09-20")),
               c.of("seed_purchase", evidence="E1x")), NO, "another row calls the same file something else",
    ),
    "1.1 one file as photograph and as printout": (
        c.both(c.more("evidence", **evidence("E1x", "rye.jpg", "printout", "2025-12-19")),
               c.of("calculator_run", evidence="E1x")), NO, "another row calls the same file something else",
    ),
    "1.1 a hundredth of the seed": (c.of("seed_purchase", pounds="24"), NO, "Cover-crop seed bought or kept"),
    "1.1 half the inhibitor": (c.of("inhibitor_purchase", amount="10"), NO, "Inhibitor bought is enough"),
    "1.1 an inhibitor bought afterward": (
        c.of("inhibitor_purchase", received_on="2025-07-12"), NO, "Inhibitor bought is enough",
    ),
    "1.2 a version with a letter nobody sees": (
        c.of("calculator_run", version="made up 9.9\u200b"), NO, "The result is UNLISTED",
    ),
    "1.2 two defaults of one version": (c.like("national_default", ci_g_per_bu="9999"), NO, _UNREAD),
    "1.2 two runs of one unit": (c.like("calculator_run", run_id="R2", ci_g_per_bu="3000"), NO, "N40 has no CI"),
    "1.2 a farm CI of its own on the printout": (
        c.of("calculator_run", farm_ci_g_per_bu="1000"), NO, "is not the bushel-weighted average",
    ),
    "1.2 a run in another county": (c.of("calculator_run", county_fips="20161"), NO, "The county entered"),
    "1.3 a field that became another crop": (c.of("harvest", 3, crop="other"), NO, "1,500 bu fewer than counted"),
    "1.3 a count that nobody can read": (
        c.like("bushel_total", total_id="B7", what="settlements", bushels="12000?"), NO, _UNREAD,
    ),
    "1.3 acres that nobody can read": (c.like("reported_acres", report_id="A9", acres="1oo"), NO, _UNREAD),
    "1.3 a load that nobody can read": (c.weighed(net_bushels="16000x"), NO, _UNREAD),
    "1.3 tickets from before the harvest": (
        c.both(c.of("evidence", c.TICKETS, taken_on="2025-10-16"), c.less("reported_acres")), NO,
        "is of 2025-10-16, before the first day of this harvest, 2025-10-17",
    ),
    "1.3 tickets of its first day": (
        c.both(c.of("evidence", c.TICKETS, taken_on="2025-10-17"), c.less("reported_acres")), YES, "",
    ),
    "1.3 what was fed, by a note from before the harvest": (
        c.both(c.counted("fed", "500", "9000", evidence="E10"),
               c.more("evidence", **evidence("E10", "fed.pdf", "other", "2025-10-16"))), NO, "500 bu more than counted",
    ),
    "1.3 the landlord's share by a lease": (
        c.both(c.counted("landlord_share", "500", "9000", evidence="E10"),
               c.more("evidence", **evidence("E10", "lease.pdf", "contract", "2023-03-01"))), YES, "",
    ),
    "1.3 silage by a note from before the grain": (
        c.both(c.counted("silage", "500", "9000", evidence="E10"),
               c.more("evidence", **evidence("E10", "silage.pdf", "form", "2025-09-10"))), YES, "",
    ),
    "1.3 acres reported the year before": (
        c.both(c.of("evidence", c.ACRES, taken_on="2024-12-31"), c.less("bushel_total")), NO, "before the harvest year",
    ),
    "1.3 bushels moved to the credited unit": (
        c.both(c.of("harvest", 1, bushels="9400"), c.of("harvest", 3, bushels="100"),
               c.of("calculator_run", yield_bu_per_ac="235")), TOLD, "far above that of the farm's other units",
    ),
    "1.4 another unit's log": (
        c.both(c.of("evidence", c.LOG, unit_id="S12"), c.of("operation", known_by="machine", evidence="E7")),
        TOLD, "counted as typed after harvest",
    ),
    "1.4 a log older than the pass": (
        c.of("operation", c.CUT, known_by="machine", evidence="E7"), TOLD, "counted as typed after harvest",
    ),
    "1.5 a plow that says it is narrow": (
        c.both(c.plow("2025-04-20"), c.of("operation", 6, full_width="no", primary_inversion="no")), NO, NO_TILL,
    ),
    "1.5 a disk on a twentieth of its width": (c.more("operation", **_DISK, surface_pct="5"), NO, NO_TILL),
    "1.5 a disk on a tenth of an acre": (c.more("operation", **_DISK, treated_acres="0.1"), NO, NO_TILL),
    "1.5 a disk at a tenth of an inch": (c.more("operation", **{**_DISK, "depth_in": "0.1"}), NO, NO_TILL),
    "1.5 the word plow for a sprayer": (
        c.both(c.plow("2025-04-20"), _word("operation", "Plow, moldboard", "Sprayer, kill crop")), NO, NO_TILL,
    ),
    "1.5 an implement that works all of the surface and says it is narrow": (
        c.unlisted(surface_pct="100", depth_in="0.5"), NO, NO_TILL,
    ),
    "1.5 one that presses all of it": (
        c.unlisted(surface_pct="100", depth_in="0.5", tillage_type="compression"), YES, "",
    ),
    "1.5 one that works 99 percent of it": (c.unlisted(surface_pct="99", depth_in="0.5"), YES, ""),
    "1.6 a harvest without a combine": (c.less("operation", c.CUT), NO, "no harvest pass is recorded"),
    "1.6 a burnt field beside no burning": (c.a_pass("2025-03-10", "Burn residue"), NO, NO_TILL),
    "1.6 cattle beside no grazing": (c.a_pass("2025-03-10", "Graze, continuous"), NO, COVER),
    "1.7 up before it was planted": (
        c.of("planting", emerged_on="2025-04-20"), NO, "2025-04-20 is a day on which no crop is up",
    ),
    "1.7 up on the third day": (c.of("planting", emerged_on="2025-05-01"), NO, "is a day on which no crop is up"),
    "1.7 up on the fourth day": (c.of("planting", emerged_on="2025-05-02"), YES, ""),
    "1.7 the word UAN for compost": (
        c.both(c.spread("UAN 32", "30"), _word("product", "UAN 32", "Compost")), NO, NUTRIENTS,
    ),
    "1.7 fall nitrogen under the crop before": (
        c.spread("Anhydrous ammonia", "100", day="2024-11-15", harvest_id="H24", synthetic_n=""), NO, NO_TILL,
    ),
    "1.7 nitrogen meant for something else": (
        c.spread("UAN 28", "30", intended_for="other", synthetic_n=""), NO, NUTRIENTS,
    ),
    "1.7 a zone larger than the unit": (c.zones("10", "400"), NO, SPLIT),
    "1.7 a budget with one source unanswered": (c.less("budget_source", 3), NO, NUTRIENTS),
    "1.8 nitrogen on the cover": (
        c.spread("UAN 28", "30", intended_for="cover_crop", synthetic_n="", day="2024-10-20"), NO, COVER,
    ),
    "1.8 a cover seeded in January": (
        c.both(c.of("cover_crop", seeded_on="2025-01-20"), c.of("operation", c.DRILL, day="2025-01-20")), NO, COVER,
    ),
    "1.9 an enrollment of no unit": (c.enrolled(unit_id="", sells_benefit="yes"), NO, _UNREAD),
    "1.9 a pasture that nobody can read": (
        c.more("land_use", unit_id="N40", year="2025", land_use="pasturre"), NO, _UNREAD,
    ),
    "1.9 an owner who rents the unit out": (_tenant("cash_tenant"), NO, "N40 is run by P2"),
    "1.9 two partners": (_tenant("partner"), YES, ""),
    "1.9 a consultant who signs": (
        c.more("related_party", party_id="Q1", name="ada  Farmer", relation="consultant"), NO, "a consultant signs for",
    ),
    "1.9 a list called whole before the harvest": (c.of("declaration", made_on="2025-09-01"), NO, NO_TILL),
    "1.9 records that are not kept": (c.of("declaration", records_kept="no"), NO, "The declaration of N40 says no"),
    "1.9 called tilled by its own history": (_history("2025", "tilled"), NO, "N40: the tillage history calls parcel"),
    "1.9 called no-till by its own history": (_history("2025", "no_till"), YES, ""),
    "1.9 tilled for another unit of the parcel": (
        c.both(_history("2025", "tilled"), c.of("unit", 1, parcel_id="P9")), YES, "",
    ),
    "1.10 grams far below zero": (c.of("calculator_run", ci_g_per_bu="-23000"), NO, "Run R1 gives -23,000 g CO2e/bu"),
    "1.10 a soil test of noughts": (c.of("soil_test", p_ppm="0", k_ppm="0", nitrate_n_ppm="0"), NO, NUTRIENTS),
    "1.10 a soil test with one nought": (c.of("soil_test", p_ppm="0", k_ppm="150"), YES, ""),
    "1.10 a sale that nobody can read": (c.sold(bushels="9501x"), NO, _UNREAD),
    "1.10 another crop's sale that nobody can read": (c.sold(crop="soybeans", bushels="9501x"), YES, ""),
    "1.10 another year's sale that nobody can read": (c.sold(harvest_year="2024", bushels="9501x"), YES, ""),
    "1.10 a sale written twice": (c.both(c.sold(), c.sold(bushels="400")), NO, _UNREAD),
    "1.10 one outline for two units": (
        c.of("unit", 1, boundary="n40.geojson", acres="40"), NO, "bear one boundary, n40.geojson",
    ),
    "1.10 a harvest that ends before it begins": (c.of("harvest", 1, first_day="2025-10-25"), NO, NO_TILL),
    "1.12 a CI not below the default": (
        c.of("calculator_run", ci_g_per_bu="7654.32"), TOLD, "The farm CI is not below the national default",
    ),
}  # fmt: skip


def _green(rows: Rows) -> Rows:
    """Plant into a living cover, and kill it afterward."""
    cover = c.of("cover_crop", planted_green="yes", terminated_on="2025-05-03")
    return c.both(cover, c.of("operation", c.KILL, day="2025-05-03"))(rows)


def _end_rows_for_silage(rows: Rows) -> Rows:
    """Cut a quarter of the unit as silage in September."""
    cut = c.more("harvest", harvest_id="H25s", unit_id="N40", crop="corn", use="silage", ending="harvested",
                 first_day="2025-09-10", last_day="2025-09-10", harvested_acres="10")  # fmt: skip
    grain = c.of("harvest", 1, bushels="6000", harvested_acres="30"), c.of("calculator_run", acres="30")
    counted = c.of("bushel_total", bushels="7500"), c.reported("silage", "10", "52")
    return c.both(cut, *grain, *counted, c.a_pass("2025-09-10", "Harvest, silage"))(rows)


def _organic(rows: Rows) -> Rows:
    """Grow without synthetic nitrogen or herbicide, and claim tillage and cover only."""
    bare = [c.less(kind) for kind in ("nutrient_application", "inhibitor_purchase", "nutrient_budget", "budget_source",
                                      "soil_test")]  # fmt: skip
    rolled = c.of("operation", c.KILL, operation="Roller, crimp, covercrop", depth_in="3", speed_mph="4", width_ft="15")
    cover = c.of("cover_crop", termination_method="roller_crimper")
    run = c.of("calculator_run", n_timing="as_usual", inhibitor="no")
    return c.both(*bare, rolled, c.less("operation", c.INJECT), cover, run)(rows)


def _another_field(crop: str, **cells: str) -> c.Change:
    """Grow another crop on a third unit."""
    row = {"harvest_id": "Z25", "unit_id": "Z9", "crop": crop, "ending": "harvested", "first_day": "2025-09-20",
           "last_day": "2025-09-21", "bushels": "900"}  # fmt: skip
    unit = c.more("unit", unit_id="Z9", acres="20", county_fips="20177", boundary="z9.geojson")
    return c.both(unit, c.more("harvest", **row | cells))


def _over_new_year(*parts: c.Change) -> c.Change:
    """Cut the corn of N40 from 28 December to 6 January."""
    cut = c.of("operation", c.CUT, day="2025-12-28"), c.of("harvest", 1, first_day="2025-12-28", last_day="2026-01-06")
    papers = [c.of("evidence", row, taken_on="2026-01-10") for row in (c.RUN, c.TICKETS)]
    said = c.of("declaration", made_on="2026-01-08"), c.of("calculator_run", run_on="2026-01-10")
    return c.both(*cut, *papers, *said, *parts)


_IN_DECEMBER: Final = c.of("harvest", 1, last_day="2025-12-30", bushels="5000", harvested_acres="25")
_IN_JANUARY: Final = c.more("harvest", harvest_id="H25b", unit_id="N40", crop="corn", use="grain", ending="harvested",
                            first_day="2026-01-05", last_day="2026-01-06", bushels="3000",
                            harvested_acres="15")  # fmt: skip

HONEST: Final[Cases] = {
    "honest: cut over New Year": (_over_new_year(), YES, ""),
    "honest: cut before New Year and after it, in two rows": (_over_new_year(_IN_DECEMBER, _IN_JANUARY), YES, ""),
    "honest: a grazed cover that is not claimed": (
        c.both(c.of("declaration", cover_grazed="yes"), c.of("calculator_run", cover_crop="no")), YES, "",
    ),
    "honest: prevented planting the year before": (
        c.both(c.of("harvest", ending="prevented", first_day="2024-06-10", last_day="", bushels=""),
               c.more("harvest", harvest_id="H23", unit_id="N40", crop="corn", ending="harvested",
                      first_day="2023-10-02", last_day="2023-10-03", bushels="7000")), YES, "",
    ),
    "honest: wheat before, cut in July": (
        c.of("harvest", crop="wheat", first_day="2024-07-02", last_day="2024-07-03"), YES, "",
    ),
    "honest: end rows cut as silage": (_end_rows_for_silage, YES, ""),
    "honest: another field cut as silage": (
        c.both(_another_field("corn", use="silage", bushels=""), c.reported("silage", "20", "72")), YES, "",
    ),
    "honest: high-moisture corn": (c.of("harvest", 1, use="high_moisture", moisture_pct="15.5"), YES, ""),
    "honest: planted green": (_green, YES, ""),
    "honest: seeded from the air into soybeans": (
        c.both(c.of("cover_crop", seeded_on="2024-09-20", method="aerial", depth_in=""), c.less("operation", c.DRILL)),
        YES, "",
    ),
    "honest: oats that the winter killed": (
        c.both(c.of("cover_crop", terminated_on="2025-02-10", termination_method="winter_kill"),
               c.of("cover_species", species="Oats, spring"), c.of("seed_purchase", species="Oats, spring")), YES, "",
    ),
    "honest: own seed": (c.of("seed_purchase", bin_run="yes", supplier=""), YES, ""),
    "honest: sulfate in the spray tank": (
        c.spread("Ammonium sulfate", "1.5", synthetic_n="", day="2025-05-20", method="with_herbicide"), YES, "",
    ),
    "honest: potash in the budget": (
        c.both(c.spread("Potash", "0", synthetic_n="", k2o_lb_per_ac="60"), c.source("commercial_fertilizer",
               k2o_lb_per_ac="60"), c.of("nutrient_budget", planned_k2o_lb_per_ac="60")), YES, "",
    ),
    "honest: a spot planted again": (
        c.both(c.more("planting", planting_id="P2", harvest_id="H25", planted_on="2025-05-20", replant="yes", acres="5",
                      emerged_on="2025-05-28"),
               c.a_pass("2025-05-20", "Planter, double disk opnr with starter fertilizer", "2.5", "5", "40")), YES, "",
    ),
    "honest: the custom applicator's invoice": (
        c.both(c.more("evidence", **evidence("E20", "coop.pdf", "invoice", "2025-06-10")),
               c.of("nutrient_application", 1, known_by="third_party", evidence="E20"),
               c.of("operation", c.INJECT, known_by="third_party", evidence="E20")), YES, "",
    ),
    "honest: no synthetic nitrogen at all": (_organic, YES, ""),
    "honest: a field of seed corn": (_another_field("seed_corn"), YES, ""),
    "honest: soybeans beside it, sold too": (
        c.both(_another_field("soybeans"), c.sold(crop="soybeans", bushels="900")), YES, "",
    ),
    "1.9 rented for the second time, and nothing of the days between": (_rented_again(), NO, NO_TILL),
    "honest: rented for the second time": (
        c.both(_rented_again(evidence="E70"), c.more("evidence", **evidence("E70", "before.pdf", "form",
                                                                            "2025-02-20"))), YES, "",
    ),
    "honest: a share tenant and the landlord": (
        c.both(c.of("control", basis="share_tenant"), c.more("related_party", party_id="L1", name="Land Lady",
               relation="landlord", share_pct="33")), YES, "",
    ),
    "honest: a hired manager": (c.of("producer", role="hired_manager"), YES, ""),
    "honest: settlements only": (c.of("bushel_total", what="settlements"), YES, ""),
    "honest: a pivot corner drawn 2 % larger": (c.of("unit", drawn="40.9"), YES, ""),
    "honest: cut in two weeks": (
        c.both(c.of("harvest", 1, first_day="2025-10-14", last_day="2025-10-28"), c.a_pass("2025-10-14", c.COMBINE)),
        YES, "",
    ),
}  # fmt: skip
NEIGHBORS: Final[Cases] = {**DISHONEST, **HONEST}
