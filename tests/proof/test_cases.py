"""Nothing is signed as official that the records do not bear out: a case for each sentence, and for its neighbors.

Each is the farm of ``tests.report.official`` with one change. *Refused*: nobody can sign the report; *told*: it signs,
and the words stand among what it tells; *signs*: it signs. Words are what a farmer reads. All are judged in one book.

Printouts as attachments and the paper: ``tests/report/test_pdf.py``. Lists added by users:
``tests/cli/test_rule.py``. Later harvests: ``tests/report/test_signing.py``.
"""

import re
from datetime import date
from typing import Any, Final

import polars as pl
import pytest

from provender.catalog.places import is_placed_in_words
from provender.intensity.quantify import quantify
from provender.portfolio.columns.prepare import place_of_row
from provender.records.book import FarmRows
from provender.records.kinds.nutrients import NutrientApplication
from provender.report.document import FLAGS, Edition, build
from provender.report.print import view
from provender.report.signing import RULE_NOT_CURRENT, refusals
from provender.rule.crops import Crop
from provender.rule.law import NOT_CURRENT
from provender.standards.unit import Application
from provender.verdicts.assess import assess
from tests.proof import changes as c
from tests.proof.core import CORE, NO_NUMBER, NOWHERE, NUMBER, ORGANIC, SOMEWHERE, SYNTHETIC
from tests.proof.neighbors import NEIGHBORS
from tests.proof.outcome import COVER, NO, NO_TILL, NUTRIENTS, SPLIT, TOLD, YES, Cases
from tests.proof.papers import GRAIN, PAPERS, READINGS
from tests.proof.world import reports_of
from tests.report.official import KNOWN, official_rows
from tests.standards.season import Rows, book_of

SEED: Final = "Cover-crop seed bought or kept is enough"

_CASES: Final[Cases] = {
    "1.1 an id that names nothing": (c.of("cover_crop", established_photo="E77"), NO, "E77 is the name of no evidence"),
    "1.1 a file changed since": (c.exchanged(c.COVER), NO, "it was changed or exchanged"),
    "1.1 a file of no hash": (c.of("evidence", c.SOIL, sha256=""), NO, "nobody can tell whether it was changed"),
    "1.1 one picture under two names for two units": (c.same_picture(), NO, "E1 stands for several units"),
    "1.1 an invoice as photograph": (c.of("cover_crop", established_photo="E3"), NO, "E3 is filed as invoice"),
    "1.1 seed of another species": (c.of("seed_purchase", species="Oats, spring"), NO, SEED),
    "1.1 a paper dated after the report": (
        c.of("evidence", c.SOIL, taken_on="2026-12-01"), NO, "Evidence E4 is dated 2026-12-01, and the report 2026-01-",
    ),
    "1.2 the default of another version": (
        c.of("national_default", version="made up 9.9 beta"), NO, "national default CI has not been entered",
    ),
    "1.3 tickets 2 % apart": (c.of("bushel_total", bushels="9310"), NO, "190 bu more than counted (scale tickets"),
    "1.3 settlements beyond the tickets": (
        c.counted("settlements", "12000"), NO, "Settlements are for 2,500 bu more than the scale tickets weigh",
    ),
    "1.3 settlements for what lay in bins": (
        c.both(c.counted("settlements", "9500", "6000"), c.stored("bin_measurement", "3500")), YES, "",
    ),
    "1.3 settlements for what was on hand": (
        c.both(c.counted("settlements", "9500", "6000"), c.stored("on_hand", "3500")), YES, "",
    ),
    "1.3 settlements beyond tickets and bins": (
        c.both(c.counted("settlements", "12000", "6000"), c.stored("bin_measurement", "3500")), NO,
        "Settlements are for 2,500 bu more than the scale tickets weigh and bins held",
    ),
    "1.3 single tickets beyond the harvest": (
        c.weighed(net_bushels="16000"), NO, "The scale tickets weigh 16,000 bu of a harvest of 9,500 bu",
    ),
    "1.3 bins 7 % apart": (c.of("bushel_total", what="bin_measurement", bushels="10200"), NO, "700 bu fewer than"),
    "1.3 bins 3 % apart": (
        c.both(c.of("bushel_total", what="bin_measurement", bushels="9800"), c.dry()), TOLD, "300 bu fewer than",
    ),
    "1.3 FSA-578 reports more": (c.of("reported_acres", acres="60"), NO, "FSA-578 reports 8 ac more than the units"),
    "1.3 fed": (c.counted("fed", "500", "9000"), YES, ""),
    "1.3 kept for seed": (c.counted("kept_for_seed", "500", "9000"), YES, ""),
    "1.3 the landlord's share": (c.counted("landlord_share", "500", "9000"), YES, ""),
    "1.3 silage acres": (c.reported("silage", "8", "60"), YES, ""),
    "1.3 abandoned acres": (c.reported("abandoned", "8", "60"), YES, ""),
    "1.3 abandoned acres, without paper": (c.reported("abandoned", "8", "60", evidence=""), NO, "8 ac more than"),
    "1.4 machine without a log": (c.of("operation", known_by="machine"), TOLD, "counted as typed after harvest"),
    "1.4 third party without a paper": (
        c.of("nutrient_application", known_by="third_party"), TOLD, "counted as typed after harvest",
    ),
    "1.4 a photograph as log": (c.of("operation", known_by="machine", evidence="E1"), TOLD, "machine file"),
    "1.5 a coulter chisel at 14 in": (
        c.a_pass("2025-04-20", "Coulter chisel plow, st. pt.", "14", "5", "20"), NO, COVER,
    ),
    "1.5 an unlisted implement with its tools": (c.unlisted(), YES, ""),
    "1.5 an unlisted implement without a depth": (c.unlisted(depth_in=""), NO, NO_TILL),
    "1.6 an injection without a pass": (c.no_knives(), NO, "A2 says put into the ground on 2025-06-02"),
    "1.6 ammonia that was only banded": (c.no_knives(method="banded"), NO, "A2 says put into the ground"),
    "1.6 ammonia that was sidedressed": (c.no_knives(method="sidedress"), NO, NO_TILL),
    "1.6 liquid that was dribbled": (
        c.both(c.no_knives(method="sidedress"), c.of("nutrient_application", 1, product="UAN 28")), YES, "",
    ),
    "1.6 an incorporation without a pass": (
        c.of("nutrient_application", method="broadcast_incorporated", day="2025-04-20"), NO, "A1 says worked in",
    ),
    "1.6 manure injected without a pass": (
        c.spread("Dairy slurry", "30", method="injected"), NO, "A3 says put into the ground on 2025-04-20",
    ),
    "1.6 a drilled cover without a pass": (c.less("operation", c.DRILL), NO, "C1 says drilled on 2024-10-09"),
    "1.6 a broadcast cover worked in without a pass": (
        c.both(c.less("operation", c.DRILL), c.of("cover_crop", method="broadcast_incorporated")), NO, "worked in on",
    ),
    "1.6 a cover rolled without a pass": (
        c.both(c.less("operation", c.KILL), c.of("cover_crop", termination_method="roller_crimper")), NO, "says rolled",
    ),
    "1.6 a planting day without a pass": (c.of("planting", planted_on="2025-05-02"), NO, "says planted on 2025-05-02"),
    "1.6 a replanting without a pass": (
        c.more("planting", planting_id="P2", harvest_id="H25", planted_on="2025-05-14"), NO, "P2 says planted on",
    ),
    "1.7 manure beside no manure": (c.spread("Dairy manure", "30"), NO, NUTRIENTS),
    "1.7 litter beside no manure": (c.spread("Chicken litter", "30"), NO, NUTRIENTS),
    "1.7 what has no known name, beside no organic source": (c.spread("Hog pit", "30"), NO, NUTRIENTS),
    "1.7 the same where the budget knows it": (
        c.both(c.spread("Hog pit", "30"), c.source("other_organic", present="yes", n_lb_per_ac="30")), YES, "",
    ),
    "1.7 nitrogen of water where the budget knows it": (
        c.both(
            c.spread("Well water nitrate", "30"), c.source("irrigation_water", present="yes", n_lb_per_ac="30"),
            c.of("declaration", irrigation_n="yes"),
        ), YES, "",
    ),
    "1.7 a manure spreader beside no manure": (c.a_pass("2025-04-20", "Manure spreader"), NO, NUTRIENTS),
    "1.7 manure declared and not budgeted": (c.of("declaration", manure_applied="yes"), NO, NUTRIENTS),
    "1.7 a starter band beside no starter": (c.of("nutrient_application", method="starter_band"), NO, NUTRIENTS),
    "1.7 three times the planned N": (
        c.of("nutrient_application", 1, n_lb_per_ac="450"), NO, "480 lb N/ac went on and the budget planned 160",
    ),
    "1.7 half as much again, exactly": (c.of("nutrient_application", 1, n_lb_per_ac="210"), YES, ""),
    "1.7 a sixteenth of it in the sources": (
        c.source("commercial_fertilizer", n_lb_per_ac="10"), NO, "commercial fertilizer and starter bring 10",
    ),
    "1.7 45 gal UAN as 1 lb": (
        c.of("nutrient_application", rate="45", rate_unit="gal/ac", n_lb_per_ac="1"), NO, "the pounds typed differ",
    ),
    "1.7 the same in ounces": (
        c.of("nutrient_application", rate="5760", rate_unit="oz/ac", n_lb_per_ac="1"), NO, "the pounds typed differ",
    ),
    "1.7 no synthetic N in UAN": (c.of("nutrient_application", synthetic_n="no"), NO, "denies what the fertilizer"),
    "1.7 no synthetic N in what is called urea": (
        c.of("nutrient_application", product="Liquid urea blend", synthetic_n="no"), NO, "denies what",
    ),
    "1.7 nothing after emergence": (
        c.both(c.of("nutrient_application", 1, day="2025-04-28"), c.of("operation", c.INJECT, day="2025-04-28")),
        NO, SPLIT,
    ),
    "1.7 a need far below what went on": (c.of("nutrient_budget", synthetic_n_need_lb_per_ac="40"), NO, SPLIT),
    "1.7 a need of no guide": (c.of("nutrient_budget", need_source=""), NO, SPLIT),
    "1.7 a documented reduction": (c.left_out(), YES, ""),
    "1.7 a reduction without result": (c.left_out(result=""), NO, SPLIT),
    "1.7 a reduction seen on the planned day": (c.left_out(tested_on="2025-06-02"), NO, SPLIT),
    "1.7 a reduction of what was planned before emergence": (
        c.left_out(tested_on="2025-04-30", planned_on="2025-05-01"), NO, SPLIT,
    ),
    "1.7 a reduction planned after harvest": (c.left_out(planned_on="2025-12-01"), NO, SPLIT),
    "1.7 more left out than the plan lacks": (c.left_out(n_reduction_lb_per_ac="100"), TOLD, "more nitrogen counted"),
    "1.7 a sample of no laboratory": (c.left_out(what="soil"), NO, SPLIT),
    "1.7 two zones that both hold": (c.zones("130"), YES, ""),
    "1.7 a zone that falls short": (c.zones("100"), NO, SPLIT),
    "1.7 acres that no zone covers": (c.zones("130", "19"), NO, SPLIT),
    "1.7 an inhibitor below its label": (
        c.of("nutrient_application", 1, inhibitor_rate="2"), NO, "below the least rate of its label",
    ),
    "1.8 a plow after termination": (c.plow("2025-04-20"), NO, COVER),
    "1.8 a plow before it": (c.plow("2025-04-10"), NO, COVER),
    "1.8 a plow between two plantings": (c.both(c.replanted(), c.plow("2025-05-13")), NO, COVER),
    "1.8 a cash crop planted after the cover": (c.cut_in_spring("wheat", "2025-04-20", "2024-11-01"), NO, COVER),
    "1.8 the cover cut as a crop of its own": (c.cut_in_spring("rye", "2025-04-16"), NO, COVER),
    "1.8 hay": (c.a_pass("2025-03-10", "Harvest, hay, no regrowth"), NO, COVER),
    "1.8 winter kill seen in July": (
        c.of("cover_crop", termination_method="winter_kill", terminated_on="2025-07-10"), NO, COVER,
    ),
    "1.8 nothing seeded to the acre": (c.of("cover_species", rate_lb_per_ac="0"), NO, "species: Seeding rate, for"),
    "1.8 half the acres": (c.of("cover_crop", seeded_acres="20"), NO, COVER),
    "1.8 a legume whose nitrogen is not in the plan": (c.clover(n_adjustment_lb_per_ac="40"), NO, COVER),
    "1.8 a legume whose nitrogen is": (
        c.both(c.clover(n_adjustment_lb_per_ac="40", planned_n_lb_per_ac="120"),
               c.source("green_manure", present="yes", n_lb_per_ac="40")), YES, "",
    ),
    "1.8 a budget written after harvest": (
        c.clover(n_adjustment_lb_per_ac="40", planned_n_lb_per_ac="120", made_on="2025-10-20"), NO, COVER,
    ),
    "1.9 a program that buys the benefit": (
        c.enrolled(sells_benefit="yes", first_crop_year="2025"), NO, "N40 is enrolled in Carbon bank, which takes",
    ),
    "1.9 a program that bought another year's": (c.enrolled(sells_benefit="yes", first_crop_year="2024"), YES, ""),
    "1.9 a program that does not say": (c.enrolled(), NO, "does not say whether it takes the benefit"),
    "1.9 silence about the benefit": (c.of("declaration", benefit_sold=""), NO, "Nobody answered 'Benefit sold"),
    "1.9 an answer of nobody": (c.of("declaration", producer_id=""), NO, "Nobody answered"),
    "1.9 an answer of tomorrow": (c.of("declaration", made_on="2027-01-01"), NO, "The declaration of H25 is dated"),
    "1.9 land that was pasture since": (
        c.more("land_use", unit_id="N40", year="2025", land_use="pasture"), NO, "N40 was pasture in 2025",
    ),
    "1.9 days before the producer's control": (c.of("control", since="2025-03-01"), NO, NO_TILL),
    "1.9 control that ended in the season": (
        c.of("control", until="2025-09-01"), NO, NO_TILL,
    ),
    "1.9 tilled in 2022": (
        c.both(c.of("unit", parcel_id="P9"),
               c.more("tillage_history", parcel_id="P9", harvest_year="2022", tillage="tilled")), YES, "",
    ),
    "1.10 kilograms for grams": (c.of("calculator_run", ci_g_per_bu="4.32"), NO, "Run R1 gives 4.32 g CO2e/bu"),
    "1.10 a yield of 651 bu/ac": (c.of("harvest", 1, bushels="26040"), NO, "are 651 bu/ac: above 650 bu/ac"),
    "1.10 a goal of 651 bu/ac": (c.of("nutrient_budget", yield_goal_bu_per_ac="651"), NO, "a yield goal of 651"),
    "1.10 moisture of 1 %": (c.of("harvest", 1, moisture_pct="1"), NO, "no dry grain has 1 % moisture"),
    "1.10 bushels of 7.3": (c.of("harvest", 1, bushels="7.3"), NO, "7,992.7 bu fewer than counted"),
    "1.10 a run before harvest": (c.of("calculator_run", run_on="2025-10-20"), NO, "Run R1 is dated 2025-10-20"),
    "1.10 a run of no day": (
        c.both(c.of("calculator_run", run_on=""), c.of("evidence", c.RUN, taken_on="")), NO, "Run R1 has no day",
    ),
    "1.10 a run whose day its printout bears": (c.of("calculator_run", run_on=""), YES, ""),
    "1.10 no location": (c.of("unit", boundary=""), NO, "where it lies and its acres. Not shown"),
    "1.10 a location of one figure": (c.of("unit", boundary="", legal_description="1"), NO, "where it lies and its"),
    "1.10 a boundary of half the acres": (c.of("unit", drawn="20"), NO, "the boundary measures 20.009 acres"),
    "1.10 a boundary moved to another county": (c.of("unit", county_fips="20161"), NO, "the boundary lies in Shawnee"),
    "1.10 a county that is not of its code": (c.of("farm", county="Riley"), NO, "FIPS code 20177 is Shawnee, KS"),
    "1.10 a farm of no county": (
        c.of("farm", county="", county_fips="", state=""), NO, "The farm names no county and State",
    ),
    "1.10 a soil test without results": (c.of("soil_test", p_ppm="", ph="6.4"), NO, NUTRIENTS),
    "1.10 an expert of the field": (c.opinion(), YES, ""),
    "1.10 an expert of nothing that was chosen": (c.opinion(works_on=""), NO, NUTRIENTS),
    "1.10 an expert of corn in free words alone": (c.opinion(works_on="", specialty="Corn"), NO, NUTRIENTS),
    "1.10 an expert of the crop, whatever the words": (c.opinion(specialty=""), YES, ""),
    "1.10 an expert, and a soil test without results": (
        c.both(c.opinion(), c.of("soil_test", p_ppm="")), NO, "Soil tests: P (",
    ),
    "1.10 sold and fed beyond it": (
        c.both(c.sold(), c.sold(sale_id="S2", disposition="fed", buyer="", bushels="596")), NO, "sold, used or lost",
    ),
    "1.10 sold, and the rest in storage": (
        c.both(c.sold(), c.sold(sale_id="S2", disposition="in_storage", buyer="", bushels="9500")), YES, "",
    ),
    "1.10 sold before its first day": (c.sold(day="2025-10-16"), NO, "Sale S1 is dated 2025-10-16, before the first"),
    "1.10 delivered before its first day": (c.weighed(day="2025-09-01"), NO, "Ticket T1 is of 2025-09-01, before"),
    "1.10 old crop delivered before it": (c.weighed(day="2025-09-01", harvest_year="2024"), YES, ""),
    "1.10 sold to nobody": (c.sold(buyer=""), NO, "Sale S1 as reduced-CI crop names no buyer"),
    "1.11 a stand killed and planted again": (c.replanted(), YES, ""),
    "1.11 two hybrids in two rows": (c.in_two_hybrids(), YES, ""),
    "1.11 a run with less than was shown": (
        c.of("calculator_run", tillage="reduced_till", inhibitor="no"), YES, "",
    ),
    "1.11 a machine's log of an unlisted implement": (
        c.both(c.unlisted(), c.of("operation", c.PLANT, known_by="machine", evidence="E7")), YES, "",
    ),
    "a farm that can be signed": (lambda rows: rows, YES, ""),
}  # fmt: skip
CASES: Final = {**_CASES, **GRAIN, **PAPERS, **CORE, **NEIGHBORS, **READINGS}
assert len(CASES) == sum(map(len, (_CASES, GRAIN, PAPERS, CORE, NEIGHBORS, READINGS)))
DAYS: Final = {"1.10 a report before its harvest": date(2025, 10, 20)}

# What the module shares is costly: one worker makes it.
pytestmark = pytest.mark.xdist_group("proof")


@pytest.fixture(scope="module")
def reports() -> dict[str, dict[str, Any]]:
    """Return the report of every case; the farms are numbered, since a name of theirs would be searched for words."""
    names = [*CASES, *DAYS]
    base = official_rows()
    farms = {f"F{at:03}": CASES[name][0](base) if name in CASES else base for at, name in enumerate(names)}
    days = {f"F{at:03}": DAYS[name] for at, name in enumerate(names) if name in DAYS}
    found = reports_of(farms, days)
    return {name: found[f"F{at:03}"] for at, name in enumerate(names)}


@pytest.mark.parametrize("name", CASES)
def test_what_records_do_not_bear_out_is_refused_or_told(reports: dict[str, dict[str, Any]], name: str) -> None:
    _, outcome, says = CASES[name]
    report = reports[name]
    refused = refusals(report)
    told = [one["cause"] for one in (*report["problems"], *report["findings"])]
    assert bool(refused) is (outcome is NO), refused
    words = " | ".join([*map(str, refused), *told])
    assert [one for one in ((says,) if isinstance(says, str) else says) if one not in words] == []
    assert all(one.remedy and one.cite for one in refused)


def test_a_report_before_its_harvest_is_refused(reports: dict[str, dict[str, Any]]) -> None:
    found = refusals(reports["1.10 a report before its harvest"])
    assert "report_before_harvest" in [one.code for one in found]


def test_a_farm_reads_nothing_of_the_others_in_its_book(reports: dict[str, dict[str, Any]]) -> None:
    # A file of these tests holds its name alone: no day and no place of a photograph.
    assert {one["code"] for one in reports["a farm that can be signed"]["problems"]} == {"photograph_stated"}


def test_words_and_numbers_place_a_unit_or_not_by_row_and_by_column() -> None:
    placed = {text for text in (*NOWHERE, *SOMEWHERE) if is_placed_in_words(None, text)}
    numbered = {text for text in (*NO_NUMBER, *NUMBER) if is_placed_in_words(text, None)}
    assert (placed, numbered) == (set(SOMEWHERE), set(NUMBER))
    texts = (*NOWHERE, *SOMEWHERE, *NO_NUMBER, *NUMBER)
    units = [{"fsa_field": text, "legal_description": None, "boundary": None} for text in texts]
    units += [{"fsa_field": None, "legal_description": text, "boundary": None} for text in texts]
    columns = pl.DataFrame(units, schema=dict.fromkeys(units[0], pl.String))
    by_column = columns.select(place_of_row().is_not_null()).to_series().to_list()
    assert by_column == [is_placed_in_words(unit["fsa_field"], unit["legal_description"]) for unit in units]


def test_a_product_that_is_said_not_to_be_synthetic_denies_its_name_or_not() -> None:
    row = official_rows()["nutrient_application"][0] | {"synthetic_n": "no", "n_lb_per_ac": "30"}
    names = (*SYNTHETIC, *ORGANIC)
    spread = [row | {"application_id": f"A{at}", "product": name} for at, name in enumerate(names)]
    rows = FarmRows(book_of({**official_rows(), "nutrient_application": spread}), "F1")
    found = [Application(rows, one).is_denied_synthetic for one in rows[NutrientApplication]]
    assert found == [name in SYNTHETIC for name in names]


# 1.12 and 1.13: which text governs, what *official* says apart, totals of each practice, what a report bears.
#
# Farms' retention days: ``tests/cli/test_farms_and_due.py``; exemptions: ``tests/audit/sampling/test_draw.py``.

AUTUMN: tuple[int, date] = 2026, date(2027, 1, 15)


def a_year_later(rows: Rows) -> Rows:
    """Move every day of a farm by a year: its harvest then lies after the day up to which the text was read."""
    later = re.compile(r"\b(20[12]\d)(?=-\d\d-\d\d|$)")
    return {
        kind: [{name: later.sub(lambda year: str(int(year[1]) + 1), cell) for name, cell in row.items()} for row in of]
        for kind, of in rows.items()
    }


def report_of(rows: Rows, year: int = 2025, day: date = date(2026, 1, 15), under: str = "") -> dict[str, Any]:
    assessment = assess(book_of(rows))
    q = quantify(assessment, "F1", Crop.field_corn, year, known=KNOWN)
    return build(assessment, q, as_of=day, edition=Edition(under=under))


@pytest.fixture(scope="module")
def signable() -> dict[str, Any]:
    return report_of(official_rows())


@pytest.mark.parametrize("under", ["", "final-2026"])
def test_a_harvest_after_the_text_was_read_signs_only_under_the_text_that_its_signer_names(under: str) -> None:
    rows = a_year_later(official_rows())
    (problem,) = refusals(report_of(rows, *AUTUMN, under=under))
    assert (problem.code, "--under interim-2025" in problem.remedy) == (RULE_NOT_CURRENT, True)
    named = report_of(rows, *AUTUMN, under="interim-2025")
    assert refusals(named) == []
    assert named["official"] == {"calculator_final": True, "records_complete": True, "rule_current": False}
    shown = view(named, signed=True, refused=[])
    assert "not shown to be the rule in force" in shown["remarks"][0]["whole"]
    assert shown["remarks"][1]["whole"].startswith("Next step")
    assert shown["watermark"] == "UNDER THE INTERIM TEXT"


def test_an_explained_difference_signs_and_one_late_unit_is_enough_for_the_later_text() -> None:
    rows = a_year_later(official_rows())
    at = next(n for n, row in enumerate(rows["harvest"]) if row["unit_id"] == "N40" and row["last_day"] > "2026")
    rows = c.of("harvest", at, first_day="2026-07-20", last_day="2026-07-20")(rows)
    assert assess(book_of(rows)).of("F1", Crop.field_corn, 2026)[0].rule.state == ""
    report = report_of(rows, *AUTUMN)
    assert (report["rule"]["state"], report["official"]["rule_current"]) == (NOT_CURRENT, False)
    report = report_of(c.counted("fed", "500", "9000")(official_rows()))
    assert report["completeness"] == {"whole_harvest_shown": True, "explained": ["500 bu fed"]}
    remarks = view(report, signed=False, refused=refusals(report))["remarks"]
    assert "Explained, with evidence: 500 bu fed." in [one["whole"] for one in remarks]


@pytest.mark.parametrize(("kind", "shown"), [("reported_acres", True), ("bushel_total", False)])
def test_only_a_count_shows_the_whole_harvest(kind: str, *, shown: bool) -> None:
    assert report_of(c.less(kind)(official_rows()))["completeness"]["whole_harvest_shown"] is shown


@pytest.mark.parametrize(
    ("change", "code", "place"),
    [
        (c.of("evidence", c.SEED, file="gone.pdf"), "evidence_missing", ("seed_purchase.csv", 2, "evidence")),
        (c.of("reported_acres", evidence="E77"), "evidence_nothing", ("reported_acres.csv", 2, "evidence")),
    ],
    ids=["of a row that needs it", "of one that needs none"],
)
def test_a_broken_link_names_its_row(change: c.Change, code: str, place: tuple[str, int, str]) -> None:
    (problem,) = [one for one in report_of(change(official_rows()))["problems"] if one["code"] == code]
    assert tuple(problem["place"][name] for name in ("file", "row", "column")) == place
    assert problem["cite"] == ("2100.052(b)(1)" if code == "evidence_missing" else problem["cite"])


@pytest.mark.parametrize(
    ("change", "flag"),
    [
        (c.of("calculator_run", calculator="GREET", version="2024"), "calculator_final"),
        (c.of("evidence", c.SOIL, sha256=""), "records_complete"),
    ],
    ids=["a calculator that no list names", "a record without its file"],
)
def test_official_is_three_flags_each_by_itself(change: c.Change, flag: str, signable: dict[str, Any]) -> None:
    assert signable["official"] == dict.fromkeys(FLAGS, True)
    assert report_of(change(official_rows()))["official"] == {**dict.fromkeys(FLAGS, True), flag: False}


def test_the_totals_of_each_practice_are_of_its_units_alone(signable: dict[str, Any]) -> None:
    """2100.052(b)(4), .053(e)(7) and (8): the plowed unit S12 stands in none of them."""
    totals = {one["practice"]: (one["units"], one["acres"], one["bushels"]) for one in signable["practices"]}
    used = {"no_till", "cover_crop", "nitrification_inhibitor", "split_in_season"}
    assert {name for name, (units, _, _) in totals.items() if units} == used
    assert {totals[name] == (["N40"], "40", "8000") for name in used} == {True}
    lesser = report_of(c.of("calculator_run", tillage="reduced_till", inhibitor="no")(official_rows()))
    of_lesser = {one["practice"]: one["bushels"] for one in lesser["practices"]}
    assert (of_lesser["reduced_till"], of_lesser["no_till"], of_lesser["nitrification_inhibitor"]) == ("8000", "0", "0")


def test_the_report_bears_its_number_author_day_and_calculators(signable: dict[str, Any]) -> None:
    """What stands on page 1; that paper alone recomputes it is shown in ``tests/report/test_pdf.py``."""
    assert (signable["edition"]["version"], signable["producer"]["name"]) == (1, "Ada Farmer")
    assert (signable["made_on"], signable["label"]) == ("2026-01-15", "official")
    assert "soybeans" not in str(signable["units"])
    calculator = signable["calculator"]
    assert (calculator["listed_by"]["supplier"], len(calculator["listed_by"]["sha256"])) == ("nobody", 64)
    assert (calculator["status"], calculator["example"]) == ("final", False)
