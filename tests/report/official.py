"""A farm whose report can be signed: the clean season with a producer in control and a final run of the calculator.

All values of the calculator are made up; USDA's are not at hand.
"""

from datetime import date
from typing import Any

from provender.exact import CI_SCALE, show
from provender.intensity.quantify import Quantification, quantify
from provender.report.document import Edition, build
from provender.rule.calculators import packaged_calculators
from provender.rule.crops import Crop
from provender.verdicts.assess import Assessment, assess
from tests.standards.season import Rows, book_of, changed, clean_season, evidence, with_row

DAY = date(2026, 1, 15)
PRINTED = "4847.39"
"""The farm CI of the official rows as the calculator prints it."""
TOOL = {"calculator": "USDA FD-CIC", "version": "made up 9.9"}
LIST = b"""
[list]
name = "List of the tests"
supplier = "nobody"
read_up_to = 2026-01-01

[[calculator]]
name = "USDA FD-CIC"

[[calculator.version]]
version = "made up 9.9"
status = "final"
source = "made up"

[[calculator.version]]
version = "made up 9.9 beta"
status = "beta"
source = "made up"
"""
KNOWN = packaged_calculators().with_list(LIST, "calculators.toml")


def official_rows() -> Rows:
    """Return the rows of a farm with one credited unit of 8,000 bushels and one conventional of 1,500."""
    rows = clean_season()
    for at, cells in (
        ("producer", {"producer_id": "P1", "name": "Ada Farmer", "role": "owner", "operational_control": "yes"}),
        ("control", {"control_id": "K1", "unit_id": "N40", "producer_id": "P1", "since": "2019-03-01"}),
        ("land_use", {"unit_id": "N40", "year": "2023", "land_use": "cropland"}),
        ("unit", {"unit_id": "S12", "name": "South", "acres": "12", "county_fips": "20177", "boundary": "s.geojson"}),
        ("harvest", {"harvest_id": "S24", "unit_id": "S12", "crop": "soybeans", "ending": "harvested",
                     "first_day": "2024-09-29", "last_day": "2024-09-29", "bushels": "400"}),
        ("harvest", {"harvest_id": "S25", "unit_id": "S12", "crop": "corn", "use": "grain", "ending": "harvested",
                     "first_day": "2025-10-17", "last_day": "2025-10-17", "bushels": "1500"}),
        ("operation", {"operation_id": "Q1", "unit_id": "S12", "day": "2025-04-11", "operation": "Plow, moldboard",
                       "equipment": "plow", "depth_in": "8", "speed_mph": "4.5", "width_ft": "8"}),
        ("calculator_run", {**TOOL, "run_id": "R1", "unit_id": "N40", "harvest_id": "H25", "status": "final",
                            "run_on": "2025-12-19", "county_fips": "20177", "crop": "corn", "acres": "40",
                            "yield_bu_per_ac": "200", "tillage": "no_till", "cover_crop": "yes",
                            "n_timing": "split_in_season", "inhibitor": "yes", "ci_g_per_bu": "4321.09",
                            "farm_ci_g_per_bu": PRINTED,
                            "evidence": "E2"}),
        ("evidence", evidence("E2", "run.pdf", "printout", "2025-12-19")),
        ("national_default", {**TOOL, "crop": "corn", "ci_g_per_bu": "7654.32", "source": "made up"}),
        ("reported_acres", {"report_id": "A1", "crop": "corn", "harvest_year": "2025", "acres": "52",
                            "source": "FSA-578", "evidence": "E8"}),
        ("bushel_total", {"total_id": "B1", "crop": "corn", "harvest_year": "2025", "what": "scale_tickets",
                          "bushels": "9500", "evidence": "E9"}),
        ("evidence", evidence("E8", "fsa-578.pdf", "usda_record", "2025-07-15")),
        ("evidence", evidence("E9", "tickets.pdf", "ticket", "2025-11-03")),
    ):  # fmt: skip
        rows = with_row(rows, at, **cells)
    return changed(rows, "declaration", 0, producer_id="P1", benefit_sold="no", land_converted="no", in_control="yes")


def printed_anew(rows: Rows, q: Quantification) -> Rows:
    """Let the printouts show the average of changed rows, as the calculator would, where no case says other."""
    if q.average.ci_g_per_bu is None or "calculator_run" not in rows:
        return rows
    ci = show(q.average.ci_g_per_bu, CI_SCALE, places=CI_SCALE)
    runs = [row | ({"farm_ci_g_per_bu": ci} if row.get("farm_ci_g_per_bu") == PRINTED else {})
            for row in rows["calculator_run"]]  # fmt: skip
    return {**rows, "calculator_run": runs}


def judged(rows: Rows) -> Assessment:
    return assess(book_of(rows))


def quantified(assessment: Assessment, calculator: str = "official") -> Quantification:
    return quantify(assessment, "F1", Crop.field_corn, 2025, calculator, known=KNOWN)


def report_of(rows: Rows, calculator: str = "official", edition: Edition | None = None) -> dict[str, Any]:
    assessment = judged(rows)
    if (anew := printed_anew(rows, quantified(assessment))) != rows:
        assessment = judged(anew)
    return build(assessment, quantified(assessment, calculator), as_of=DAY, edition=edition)
