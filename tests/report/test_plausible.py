"""What cannot be refuses an official signature in words: each case changes one thing of a report that can be signed.

Blanks, days and names beside each other; a photograph whose file says no day or place, or another; and a record with a
blank cell is judged and reported as well as it can be: no cell of any kind ends in a traceback.
"""

import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Final

import pytest
from PIL import Image
from PIL.ExifTags import IFD

from provender.formats.photos import day_and_place
from provender.intensity.quantify import quantify
from provender.records.book import HeldFiles
from provender.records.kind import KINDS
from provender.report.document import build
from provender.report.print import view
from provender.report.season import seasons
from provender.report.signing import refusals
from provender.rule.crops import Crop
from provender.signing.canonical import sha256_hex
from provender.verdicts.assess import Assessment, assess
from tests.proof import changes as c
from tests.proof.world import reports_of
from tests.report.official import DAY, KNOWN, official_rows
from tests.standards.season import Rows, book_of, changed, evidence
from tests.standards.seasons import ROWS, put_together
from tests.standards.side_by_side import MORE


def sale(**cells: str) -> c.Change:
    return c.sold(**{"day": "2025-12-01", "bushels": "9500"} | cells)


SALES: Final = {
    "an honest one": (sale(), set()),
    "beyond the harvest": (sale(bushels="9500.001"), {"sold_beyond_harvest"}),
    "to nobody": (sale(buyer=""), {"sale_without_buyer"}),
    "on no day": (sale(day=""), {"sale_without_day"}),
    "before the harvest": (sale(day="2025-10-16"), {"sale_before_harvest"}),
    "on its first day": (sale(day="2025-10-17"), set()),
    "fed": (sale(disposition="fed", buyer="", day=""), set()),
    "weighed too before the harvest": (
        c.both(sale(day="2025-10-16"), c.weighed(day="2025-10-16")), {"sale_before_harvest", "ticket_before_harvest"},
    ),
    "before the last day of a harvest whose first nobody stated": (
        c.both(sale(day="2025-10-16"), c.weighed(day="2025-10-16"), c.of("harvest", 3, first_day="")), set(),
    ),
}  # fmt: skip


def later(kind: str, **cells: str) -> c.Change:
    """Add a row whose paper is of a day after the report."""
    paper = c.more("evidence", **evidence("E99", "later.pdf", "ticket", "2026-03-01"))
    return c.both(paper, c.more(kind, crop="corn", bushels="1", evidence="E99", **cells))


def took(since: str, until: str) -> c.Change:
    """Enroll the unit in a program that takes the benefit."""
    return c.enrolled(sells_benefit="yes", since=since, until=until)


RUN, FARM, DEFAULT = "calculator_run", "farm", "national_default"
LIMITS: Final[dict[str, tuple[tuple[c.Change, ...], tuple[c.Change, ...]]]] = {
    "day_ahead": (
        (later("sale", sale_id="L2", harvest_year="2025", disposition="fed", day="2025-12-01"),
         later("bushel_total", total_id="B7", harvest_year="2025", what="fed")),
        (later("sale", sale_id="L2", harvest_year="2025", disposition="fed", day="2026-03-01"),
         later("bushel_total", total_id="B7", harvest_year="2026", what="fed")),
    ),
    # Half a percent to three times the default of 7,654.32; below zero soil may hold more than it gave.
    "ci_far_from_unit": (
        (*(c.of(RUN, ci_g_per_bu=ci) for ci in ("4.32", "38.27", "22962.97")),
         *(c.of(DEFAULT, ci_g_per_bu=ci) for ci in ("7.65", "499.99", "60000.01"))),
        (*(c.of(RUN, ci_g_per_bu=ci) for ci in ("38.28", "22962.96", "-4321")), c.of(DEFAULT, ci_g_per_bu="7654.32")),
    ),
    "yield_impossible": (
        (c.of("harvest", 1, bushels="26000.04"), c.of("nutrient_budget", yield_goal_bu_per_ac="650.001")),
        (c.of("harvest", 1, bushels="26000"), c.of("nutrient_budget", yield_goal_bu_per_ac="650")),
    ),
    "moisture_impossible": (
        tuple(c.of("harvest", 1, moisture_pct=pct) for pct in ("4.999", "40.001")),
        tuple(c.of("harvest", 1, moisture_pct=pct) for pct in ("5", "40", "")),
    ),
    "run_day_impossible": (  # before the harvest or after the report
        tuple(c.of(RUN, run_on=day) for day in ("2025-10-20", "2026-01-16")),
        tuple(c.of(RUN, run_on=day) for day in ("2025-10-21", "2026-01-15")),
    ),
    "county_contradicted": (
        (c.of(FARM, county="Riley"), c.of(FARM, state="IA"), c.of(FARM, county_fips="20999")),
        (c.of(FARM, county="Shawnee County"), c.of(FARM, county="")),
    ),
    "attestation_contradicted": (
        (took("2024-01-01", "2024-10-02"),
         took("2025-01-01", "2025-08-31"),  # over before harvest, and of this crop year
         took("2025-10-21", "")),
        (took("2024-01-01", "2024-10-01"),  # ended before the season began
         took("2025-10-22", "")),
    ),
}  # fmt: skip


BEYOND: Final = {
    f"{code} {at}, {'beyond' if wrong else 'on'} it": (one, code, wrong)
    for code, sides in LIMITS.items()
    for wrong, changes in zip((True, False), sides, strict=True)
    for at, one in enumerate(changes)
}
EARLY: Final = "made on the day before its harvest"
MADE: Final = "made after it"


@pytest.fixture(scope="module")
def told() -> dict[str, set[str]]:
    """Return by case the codes of the reasons against a signature: each is a farm of one book that is judged once."""
    changes = {name: one[0] for name, one in SALES.items()} | {name: one[0] for name, one in BEYOND.items()}
    base = official_rows()
    names = [*changes, EARLY, MADE]
    farms = {f"F{at}": changes[name](base) if name in changes else base for at, name in enumerate(names)}
    found = reports_of(farms, {f"F{names.index(EARLY)}": date(2025, 10, 20)})
    return {name: {one.code for one in refusals(found[f"F{at}"])} for at, name in enumerate(names)}


@pytest.mark.parametrize("name", SALES)
def test_sales_that_cannot_be(name: str, told: dict[str, set[str]]) -> None:
    assert told[name] == SALES[name][1]


@pytest.mark.parametrize("name", BEYOND)
def test_what_lies_beyond_its_limit_is_refused_and_what_lies_on_it_is_not(name: str, told: dict[str, set[str]]) -> None:
    _, code, wrong = BEYOND[name]
    assert (code in told[name]) is wrong


def test_a_report_is_made_after_its_harvest(told: dict[str, set[str]]) -> None:
    assert ["report_before_harvest" in told[name] for name in (EARLY, MADE)] == [True, False]


LATER: Final = c.more("harvest", harvest_id="H25b", unit_id="N40", crop="corn", use="grain", ending="harvested",
                      first_day="2025-10-21", last_day="2025-10-21", bushels="0")  # fmt: skip
"""A second entry of the harvest, which may have a declaration of its own."""


def load(**cells: str) -> c.Change:
    return c.weighed(unit_id="N40", **cells)


def stated(first: dict[str, str], **second: str) -> c.Change:
    return c.both(LATER, c.like("declaration", 0, harvest_id="H25b", **second), c.of("declaration", 0, **first))


def beside(basis: str, own: str = "owner") -> c.Change:
    """Give another producer control of the unit on a basis, beside the signer's own."""
    return c.both(
        c.of("control", basis=own),
        c.more("producer", producer_id="P2", name="Bob", role="owner", operational_control="yes"),
        c.more("control", control_id="K2", unit_id="N40", producer_id="P2", since="2020-01-01", basis=basis),
    )


SILENT, CONTRADICTED = "attestation_unanswered", "attestation_contradicted"
UNCLEAR, OTHER_CROP, NEXT_YEAR = "ticket_unclear", "ticket_of_other_crop", "ticket_before_its_year"
FIRST_BLANK: Final = c.of("harvest", 1, first_day="")
CASES: Final[dict[str, tuple[c.Change, str]]] = {
    "a load": (load(), ""),
    "a load of no day": (load(day=""), UNCLEAR),
    "a load of no crop": (load(crop=""), UNCLEAR),
    "a load of no year of a unit that was harvested then": (load(harvest_year=""), ""),
    "a load of no year": (c.weighed(harvest_year=""), UNCLEAR),
    "a load of no bushels": (load(net_bushels=""), UNCLEAR),
    "a load of no bushels at another crop": (c.weighed(crop="soybeans", net_bushels=""), ""),
    "a load of no year from before this harvest": (c.weighed(harvest_year="", day="2025-03-01"), ""),
    "a load of no year on its first day": (c.weighed(harvest_year="", day="2025-10-17"), UNCLEAR),
    "a load of no year after the report": (c.weighed(harvest_year="", day="2026-01-16"), ""),
    "a load of no year on the day of the report": (c.weighed(harvest_year="", day="2026-01-15"), UNCLEAR),
    "a load of no crop from a unit that is in no report": (
        c.both(c.more("unit", unit_id="W10", acres="10", county_fips="20177"), c.weighed(crop="", unit_id="W10")), "",
    ),
    "a load of a crop that the unit did not grow": (load(crop="soybeans"), OTHER_CROP),
    "a load of a year in which it did not": (load(harvest_year="2024"), OTHER_CROP),
    "a load of a year before the records": (load(harvest_year="2023", day="2025-03-01"), ""),
    "a load of next year's harvest": (c.weighed(harvest_year="2026"), NEXT_YEAR),
    "a load weighed in that year": (c.weighed(harvest_year="2026", day="2026-01-02"), ""),
    "a load of winter": (load(day="2026-01-10"), ""),
    "sold before it was planted, the first day blank": (c.both(c.sold(day="2025-04-27"), FIRST_BLANK),
                                                        "sale_before_harvest"),
    "sold on the day of planting, the first day blank": (c.both(c.sold(day="2025-04-28"), FIRST_BLANK), ""),
    "a run of another unit's harvest": (c.of("calculator_run", harvest_id="S25"), CONTRADICTED),
    "benefit: answered after harvest": (stated({}), ""),
    "benefit: answered before harvest alone": (stated({"benefit_sold": ""}, made_on="2025-10-20"), SILENT),
    "benefit: answered on its last day": (stated({"benefit_sold": ""}, made_on="2025-10-21"), ""),
    "benefit: admitted before harvest": (stated({}, made_on="2025-05-01", benefit_sold="yes"), CONTRADICTED),
    "benefit: admitted first": (stated({"benefit_sold": "yes"}, made_on="2025-11-02"), CONTRADICTED),
    "control of a partner": (beside("partner"), ""),
    "control of a tenant": (beside("cash_tenant"), CONTRADICTED),
    "control of somebody, nobody says how": (beside(""), SILENT),
    "control of somebody beside a tenant": (beside("", own="cash_tenant"), ""),
    "control that ended years ago": (c.of("control", until="2024-09-01"), CONTRADICTED),
}  # fmt: skip


@pytest.fixture(scope="module")
def told_blanks() -> dict[str, set[str]]:
    """Return by case the codes of the reasons against a signature; each is a farm of one book."""
    base = official_rows()
    farms = {f"F{at}": change(base) for at, (change, _) in enumerate(CASES.values())}
    found = reports_of(farms, {})
    return {name: {one.code for one in refusals(found[f"F{at}"])} for at, name in enumerate(CASES)}


@pytest.mark.parametrize("name", CASES)
def test_a_blank_or_a_name_switches_no_check_off(name: str, told_blanks: dict[str, set[str]]) -> None:
    assert told_blanks[name] == ({CASES[name][1]} - {""})


WHOLE: Final[Rows] = official_rows()
for _kind, _row in (*ROWS, *MORE):
    WHOLE.setdefault(_kind, [_row])


def _cells() -> Iterator[tuple[str, str]]:
    for kind, of_kind in WHOLE.items():
        said = {name for row in of_kind for name, text in row.items() if text}
        yield from ((kind, name) for name in KINDS[kind].typed_fields if name in said)


CELLS: Final = tuple(_cells())


@pytest.fixture(scope="module")
def judged() -> Assessment:
    """Judge a farm for each cell, all of a kind blank in that column."""
    blanked = [{**WHOLE, kind: [{**row, column: ""} for row in WHOLE[kind]]} for kind, column in CELLS]
    return assess(book_of(put_together(blanked)))


def test_a_book_is_judged_with_any_cell_blank(judged: Assessment) -> None:
    found = {one.farm_id for one in judged.intervals}
    without = [CELLS[at] for at in range(len(CELLS)) if f"F{at}" not in found]
    assert {kind for kind, _ in without} <= {"unit", "harvest"}
    assert seasons(judged)


@pytest.mark.parametrize(
    "at",
    [
        pytest.param(at, id=f"{kind}.{name}", marks=() if kind in ("farm", "producer", "unit") else pytest.mark.slow)
        for at, (kind, name) in enumerate(CELLS)
    ],
)
def test_a_report_is_made_with_any_cell_blank(at: int, judged: Assessment) -> None:
    farm = f"F{at}"
    if judged.of(farm, Crop.field_corn, 2025):
        result = quantify(judged, farm, Crop.field_corn, 2025, "official", known=KNOWN)
        report = build(judged, result, as_of=DAY)
        assert view(report, signed=False, refused=refusals(report))["state"] != "signed"


TAKEN: Final = "2024:11:04 10:12:00"


def picture(taken: str = TAKEN, *, placed: bool = True) -> bytes:
    exif, out = Image.Exif(), io.BytesIO()
    exif[0x010F] = "Made-up camera"
    if taken:
        exif.get_ifd(IFD.Exif).update({0x9003: taken})
    if placed:
        exif.get_ifd(IFD.GPSInfo).update({1: "N", 2: (39.0, 3.0, 4.0), 3: "W", 4: (95.0, 42.0, 1.0)})
    Image.new("RGB", (8, 8)).save(out, "JPEG", exif=exif)
    return out.getvalue()


CASES_PHOTOGRAPHS: Final = {
    "day and place": (picture(), "", ""),
    "no place": (picture(placed=False), "gives no place", ""),
    "no day": (picture(""), "gives no day", ""),
    "neither": (picture("", placed=False), "gives no day and no place", ""),
    "a day that is none": (picture("2024:13:04 10:12:00"), "gives no day", ""),
    "another day": (picture("2023:11:04 10:12:00"), "", "photograph_day_differs"),
    "the day before": (picture("2024:11:03 23:59:59"), "", "photograph_day_differs"),
}


@pytest.mark.parametrize("name", CASES_PHOTOGRAPHS)
def test_what_the_file_says_of_a_photograph_is_told(name: str) -> None:
    content, note, code = CASES_PHOTOGRAPHS[name]
    rows = changed(official_rows(), "evidence", 0, sha256=sha256_hex(content))
    held = {row["file"]: row["file"].encode() for row in rows["evidence"]} | {"rye.jpg": content}
    files = {("F1", name): partial(bytes, of) for name, of in held.items()}
    assessment = assess(replace(book_of(rows), files=HeldFiles(files)))
    report = build(assessment, quantify(assessment, "F1", Crop.field_corn, 2025, known=KNOWN), as_of=DAY)
    notes = [one["cause"] for one in report["problems"] if one["code"] == "photograph_stated"]
    assert [note in one for one in notes] == ([True] if note else [])
    assert {one.code for one in refusals(report)} == ({code} - {""})


@pytest.mark.parametrize(
    "content", [b"", b"Exif\0\0", b"Exif\0\0II*\0\xff\xff\xff\xff", b"Exif\0\0MM\0*" + b"\xff" * 90]
)
def test_a_file_that_is_no_picture_says_nothing(content: bytes) -> None:
    assert day_and_place(content) == (None, False)
