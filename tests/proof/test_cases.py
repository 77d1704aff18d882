"""Nothing is signed as official that the records do not bear out: a case for each sentence, and for its neighbors.

Each is the farm of ``tests.report.official`` with the edits of a line of ``cases.jsonl``. *Refused*: nobody can sign
the report; *told*: it signs, and the words stand among what it tells; *signs*: it signs. Words are what a farmer reads.
All are judged in one book.

Printouts as attachments and the paper: ``tests/report/test_pdf.py``. Lists added by users:
``tests/cli/test_rule.py``. Later harvests: ``tests/report/test_signing.py``.
"""

import re
from datetime import date
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

from provender.catalog.places import is_placed_in_words
from provender.intensity.quantify import quantify
from provender.portfolio.columns.prepare import place_of_row
from provender.records.book import COLUMNS, FarmRows
from provender.records.kinds.nutrients import NutrientApplication
from provender.report.document import FLAGS, Edition, build
from provender.report.print import view
from provender.report.signing import RULE_NOT_CURRENT, refusals
from provender.rule.crops import Crop
from provender.rule.law import NOT_CURRENT
from provender.standards.unit import Application
from provender.verdicts.assess import assess
from tests.proof import changes as c
from tests.proof.world import reports_of
from tests.report.official import KNOWN, official_rows
from tests.standards.season import Rows, book_of, cases_in, edited

CASES: Final = {one["case"]: one for one in cases_in("cases.jsonl", Path(__file__).parent)}
"""What is changed of the farm, what becomes of its report, and which words all stand among what is told."""
DAYS: Final = {"1.10 a report before its harvest": date(2025, 10, 20)}

# What the module shares is costly: one worker makes it.
pytestmark = pytest.mark.xdist_group("proof")


@pytest.fixture(scope="module")
def reports() -> dict[str, dict[str, Any]]:
    """Return the report of every case; the farms are numbered, since a name of theirs would be searched for words."""
    names = [*CASES, *DAYS]
    base = official_rows()
    farms = {
        f"F{at:03}": edited(base, CASES[name]["edits"]) if name in CASES else base for at, name in enumerate(names)
    }
    days = {f"F{at:03}": DAYS[name] for at, name in enumerate(names) if name in DAYS}
    found = reports_of(farms, days)
    return {name: found[f"F{at:03}"] for at, name in enumerate(names)}


@pytest.mark.parametrize("name", CASES)
def test_what_records_do_not_bear_out_is_refused_or_told(reports: dict[str, dict[str, Any]], name: str) -> None:
    case, report = CASES[name], reports[name]
    refused = refusals(report)
    told = [one["cause"] for one in (*report["problems"], *report["findings"])]
    assert bool(refused) is (case["becomes"] == "refused"), refused
    words = " | ".join([*map(str, refused), *told])
    assert [one for one in case.get("says", ()) if one not in words] == []
    assert all(one.remedy and one.cite for one in refused)


def test_each_column_that_must_name_somebody_has_a_case_of_a_word_that_says_nothing() -> None:
    edits = [one for case in CASES.values() for one in case["edits"] if "cells" in one]
    cells = {(one.get("set") or one["add"], *cell) for one in edits for cell in one["cells"].items()}
    nothing = {(kind, column) for kind, column, text in cells if text.strip() in ("TBD", "none", "n/a", "N.A.", "-")}
    assert nothing >= {(kind, column) for kind, columns in COLUMNS.items() for column in columns}


def test_a_report_before_its_harvest_is_refused(reports: dict[str, dict[str, Any]]) -> None:
    found = refusals(reports["1.10 a report before its harvest"])
    assert "report_before_harvest" in [one.code for one in found]


def test_a_farm_reads_nothing_of_the_others_in_its_book(reports: dict[str, dict[str, Any]]) -> None:
    # A file of these tests holds its name alone: no day and no place of a photograph.
    assert {one["code"] for one in reports["a farm that can be signed"]["problems"]} == {"photograph_stated"}


SYNTHETIC: Final = (
    "Super U", "SUPER-U", "28%", "Thio-Sul", "CAN 17", "Fish UAN 28", "Urea46", "NH4NO3", "AMS 21", "15-15-15",
    "U.A.N. 32", "UN-32", "Fish 28-0-0", "32% N", "N-Sol 32", "28% at 30% moisture",
    "Sustane urea 8-2-4", "Nature Safe 28-0-0", "Chilean nitrate and UAN",
)  # fmt: skip
ORGANIC: Final = (
    "Fish emulsion 5-1-1", "Feather meal 13-0-0", "Poultry litter 3-2-2", "Poultry litter, 30% moisture",
    "Dairy manure 28% solids", "Compost 32 % moisture", "Beef manure 46% dry matter", "Sustane 8-2-4",
    "Nature Safe 13-0-0", "Perdue AgriRecycle 4-3-2", "Turkey pellets 4-2-3", "Pelletized chicken 5-4-3",
    "Soy meal 7-1-2", "Alfalfa meal 3-1-2", "Blood 12-0-0", "Chilean nitrate 15-0-2",
)  # fmt: skip
"""Products whose nitrogen is said not to be synthetic; of each kind a case below is a whole farm."""
NOWHERE: Final = (
    "North 40", "back 40", "Field 1", "Quarter horse pasture", "Route 12, box 4", "East 80 and West 40",
    "behind the barn", "785-555-0123", "2026-04-01", "Parcel 4",
)  # fmt: skip
SOMEWHERE: Final = (
    "NE1/4 of section 12, T11S R15E", "NW4 12-11-16", "SW1/4 12-110N-35W", "N½ 12-11S-15E", "NW4 12-11S-15E",
    "12-11S-15E", "Southeast Quarter of Section Twelve", "Parcel 12-34-400-005", "Sec. 12, Twp 11 S, Rge 15 E",
    "Lot 4, Block 2 of Hill", "Abstract 123, J. Smith Survey", "S 12 T11S R15E",
)  # fmt: skip
"""A unit placed by words alone."""
NO_NUMBER: Final = (
    "2026-04-01", "4/1/2026", "785-555-0123", "1-785-555-0123", "(785) 555-0123", "1 785 555 0123", "0-0-0",
    "4711-1203", "Tract 1203 Field 2", "10/12/24",
)  # fmt: skip
NUMBER: Final = (
    "4711-1203-2", "farm 4711, tract 1203, field 2A", "20-177-4711-1203-2", "4711-1203-2, 3",
    "4711-1203-2, 4711-1203-3", "Tract 1203 Field 2 Farm 4711", "KS 20177 4711 1203 2", "20177-4711-1203-2",
    "Farm 4711 Tract 1203 CLU 2 (2025)", "10-12-24", "4711 1203 0002", "4711-1203-2 and 4711-1203-3", "Farm 26 T4 F1",
)  # fmt: skip
"""A unit placed by farm, tract and field alone."""


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
