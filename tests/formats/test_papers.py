"""Papers: printouts, budgets and invoices read row by row, and what of the book is named by the row that needs it."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
import typst

from provender.cli.app import call
from provender.formats.importing.import_book import ImportBook
from provender.formats.importing.match import READ, links_found, links_told
from provender.formats.importing.papers import complete_runs
from provender.formats.importing.plan import ImportPlan, plan_import, write_plan
from provender.formats.parsed import MappedRow, MappedTable
from provender.formats.pdf_text import read_pdf_text
from provender.intensity.plan import HEADINGS, inputs_of
from provender.intensity.quantify import quantify
from provender.problem import Weight
from provender.records.folder import load_book
from provender.records.kinds.cover import SeedPurchase
from provender.records.kinds.nutrients import InhibitorPurchase
from provender.rule.crops import Crop
from provender.verdicts.assess import assess
from tests.formats.test_intake import CHOICES, book, table, table_text
from tests.formats.workbooks import xlsx_of
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

__all__ = ["book"]


RUN = replace(CHOICES, kind="calculator_run", harvest_year=2025)
ACCEPTED = replace(RUN, accept=True)
HEADING = ("Field", "County", "Crop", "Yield (bu/ac)", "Acres", "Tillage", "Cover crop", "N timing", "NI",
           "CI (g CO2e/bu)")  # fmt: skip
ROW = ("N40", "Shawnee, KS", "Corn", "180.5", "40", "No till", "Yes", "As usual", "No", "24,210.33")


def pdf(path: Path, *rows: tuple[str, ...], head: str = "USDA FD-CIC, version beta") -> Path:
    cells = ", ".join(f'"{cell}"' for row in rows for cell in row)
    page = "#set page(width: 40cm, height: auto)\n#set text(size: 8pt)"
    source = f"{page}\n{head}\n\n#table(columns: {len(rows[0])}, {cells})"
    path.with_suffix(".typ").write_text(source)
    typst.compile(str(path.with_suffix(".typ")), output=str(path))
    return path


def printed(
    book: Path, choices: object = ACCEPTED, *rows: tuple[str, ...], head: str = "USDA FD-CIC, beta"
) -> ImportPlan:
    path = pdf(book.parent / "printout.pdf", HEADING, *(rows or (ROW,)), head=head)
    return plan_import([path], ImportBook.in_folder(book), choices)  # type: ignore[arg-type]


def test_a_pdfs_table_is_read_in_rows_and_columns_with_wrapped_cells_joined(tmp_path: Path) -> None:
    path = pdf(tmp_path / "a.pdf", ("Field", "Planned N (lb/ac)"), ("N40", "180"), ("Home 80", "0"))
    parsed = read_pdf_text(path, "a.pdf")
    assert parsed.result is not None
    assert [line.cells for line in parsed.result.sheets[0].lines][1:] == [
        ("Field", "Planned N (lb/ac)"), ("N40", "180"), ("Home 80", "0"),
    ]  # fmt: skip


def test_of_a_printout_only_the_rows_go_in_at_which_a_person_has_looked(book: Path) -> None:
    plan = printed(book, RUN)
    assert not plan.changes
    ((place, said),) = plan.to_confirm
    assert place.row
    assert "unit_id N40" in said
    assert "ci_g_per_bu 24210.33" in said
    assert {"pdf_read", "waits"} <= {one.code for one in plan.problems}
    second = (*ROW[:9], "99.99")
    rows = [place.row for place, _ in printed(book, RUN, ROW, second).to_confirm]
    plan = printed(book, replace(ACCEPTED, rows=frozenset(rows[:1])), ROW, second)
    text = table_text(plan, "calculator_run")
    assert "24210.33" in text
    assert "99.99" not in text


def test_a_printout_becomes_runs_with_what_it_shows_and_is_kept_as_their_evidence(book: Path) -> None:
    write_plan(printed(book))
    (run,) = [row for row in load_book(book)["calculator_run"] if row["ci_g_per_bu"] == 2421033]
    shown = {"unit_id": "N40", "calculator": "USDA FD-CIC", "version": "beta", "status": "beta", "acres": 40_000,
             "county_fips": "20177", "crop": "corn", "yield_bu_per_ac": 180_500, "tillage": "no_till",
             "cover_crop": True, "n_timing": "as_usual", "inhibitor": False}  # fmt: skip
    assert {name: run[name] for name in shown} == shown
    kept = next(row for row in load_book(book)["evidence"] if row["evidence_id"] == run["evidence"])
    assert kept["what"] == "printout"
    assert (book / "evidence" / kept["file"]).read_bytes() == (book.parent / "printout.pdf").read_bytes()


def test_what_a_printout_does_not_show_stays_blank_and_a_pasted_table_is_read_too(book: Path) -> None:
    plan = printed(book, ACCEPTED, head="Some other calculator")
    assert not table_text(plan, "calculator_run")
    assert {"blank_required"} <= {one.code for one in plan.problems if one.weight is Weight.ERROR}
    said = replace(ACCEPTED, constants={"calculator": "USDA FD-CIC", "version": "beta", "status": "beta"})
    assert "24210.33" in table_text(printed(book, said, head="x"), "calculator_run")
    (book.parent / "pasted.txt").write_text("\t".join(HEADING) + "\n" + "\t".join(ROW) + "\n")
    said = replace(ACCEPTED, constants={"calculator": "USDA FD-CIC", "version": "beta", "status": "beta"})
    plan = plan_import([book.parent / "pasted.txt"], ImportBook.in_folder(book), said)
    assert "24210.33" in table_text(plan, "calculator_run")


def test_a_paper_of_another_unit_or_of_nothing_is_told(book: Path, tmp_path: Path) -> None:
    assert "unknown_reference" in {one.code for one in printed(book, ACCEPTED, ("S99", *ROW[1:])).problems}
    scan = tmp_path / "scan.pdf"
    typst_source = tmp_path / "scan.typ"
    typst_source.write_text("#rect()")
    typst.compile(str(typst_source), output=str(scan))
    assert "pdf_without_text" in {
        one.code for one in plan_import([scan], ImportBook.in_folder(book), ACCEPTED).problems
    }
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    assert "bad_pdf" in {
        one.code for one in plan_import([tmp_path / "broken.pdf"], ImportBook.in_folder(book), ACCEPTED).problems
    }


def test_an_agronomists_budget_is_read_from_csv_and_pdf_alike_and_finds_its_crop_entry(book: Path) -> None:
    heading = ("Field", "Yield Goal", "N lb/ac", "P2O5", "K2O", "Plan date")
    row = ("n-40", "200", "180", "60", "40", "2/3/2025")
    choices = replace(ACCEPTED, kind="nutrient_budget")
    (book.parent / "plan.csv").write_text("\n".join(",".join(each) for each in (heading, row)))
    paths = [book.parent / "plan.csv", pdf(book.parent / "plan.pdf", heading, row, head="Nutrient plan")]
    lines = [
        table_text(plan_import([path], ImportBook.in_folder(book), choices), "nutrient_budget").splitlines()[-1]
        for path in paths
    ]
    assert all(",2025-02-03,200,180,60,40" in line for line in lines)


def test_what_the_calculator_asks_for_stands_in_the_rules_order(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    units = inputs_of(quantify(assess(load_book(book)), "F1", Crop("corn"), 2025))
    found = dict(zip(HEADINGS, units[0].texts, strict=True))
    assert (found["unit"], found["county"], found["state"]) == ("N40", "Shawnee", "KS")
    assert found["tillage"] in {"No-till", "Reduced till", "Conventional tillage"}
    with pytest.raises(SystemExit):
        call(["intensity", str(book), "--inputs"])
    printed_lines = capsys.readouterr().out.splitlines()
    assert printed_lines[0].split("\t") == list(HEADINGS)
    assert printed_lines[1].split("\t") == list(units[0].texts)


def test_a_unit_without_acres_or_county_says_what_is_missing(tmp_path: Path, book: Path) -> None:
    (book / "unit.csv").write_text(table("unit", {"unit_id": "N40"}))
    units = inputs_of(quantify(assess(load_book(book)), "F1", Crop("corn"), 2025))
    assert any("acres" in " ".join(one.missing) for one in units)


INVOICE: Final = (
    ("Item", "Description", "Qty", "UOM", "Price", "Extension"), ("1", "N-Serve 24", "30", "GAL", "98.00", "2,940.00"),
    ("2", "Annual ryegrass seed 50 lb", "44", "BAG", "14.50", "638.00"),
    ("3", "UAN 32", "12.5", "TON", "310.00", "3,875.00"), ("4", "Oats seed", "40", "UNIT", "60.00", "2,400.00"),
    ("5", "Freight", "1", "EA", "90.00", "90.00"), ("6", "Instinct NXTGEN", "-10", "GAL", "50.00", "-500.00"),
    ("7", "Crimson clover", "3", "SACK", "80.00", "240.00"),
)  # fmt: skip
HEAD: Final = "Prairie Ag Supply   Invoice No: 48213   Invoice date: 2026-03-14"


def bought(book: Path) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    kept = load_book(book)
    inhibitors = kept.every(InhibitorPurchase)
    return (
        [(row.product, row.amount, row.amount_unit, row.received_on) for row in inhibitors],
        [(row.species, row.pounds, row.received_on) for row in kept.every(SeedPurchase)],
    )


def test_a_printed_invoice_is_evidence_of_inhibitor_and_seed_once_its_lines_are_confirmed(book: Path) -> None:
    before = bought(book)
    path = pdf(book.parent / "invoice.pdf", *INVOICE, head=HEAD)
    waiting = plan_import([path], ImportBook.in_folder(book), CHOICES)
    assert not waiting.files
    rows = {said: place.row for place, said in waiting.to_confirm}
    assert [text.partition(";")[0] for text in rows if "N-Serve" in text]
    write_plan(plan_import([path], ImportBook.in_folder(book), replace(CHOICES, accept=True)))
    day = date(2026, 3, 14)
    inhibitors, seeds = ([row for row in now if row not in old] for now, old in zip(bought(book), before, strict=True))
    assert inhibitors == [("N-Serve", 30_000, "gal", day)]
    assert seeds == [("Annual ryegrass", 2_200_000, day), ("Crimson clover", None, day)]
    (kept,) = [row for row in load_book(book)["evidence"] if row["file"].startswith("invoice")]
    assert kept["what"] == "invoice"
    (row,) = [row for row in load_book(book)["inhibitor_purchase"] if row["amount"] == 30_000]
    assert (row["evidence"], row["purchase_id"].startswith("48213-")) == (kept["evidence_id"], True)


def test_every_other_line_of_an_invoice_and_a_blend_are_told_and_stay_on_the_paper(book: Path) -> None:
    text = "\n".join(",".join(cell.replace(",", "") for cell in row) for row in INVOICE)
    path = book.parent / "spring.csv"
    path.write_text(text)
    plan = plan_import([path], ImportBook.in_folder(book), replace(CHOICES, accept=True))
    told = {(one.code, one.place.row) for one in plan.problems if one.code.startswith("line_")}
    assert told == {("line_left", 4), ("line_of_cash_crop", 5), ("line_left", 6), ("line_amount", 7), ("line_unit", 8)}
    path = book.parent / "blend.csv"
    path.write_text("Product,Analysis,Amount,Unit,Acres,Date\nUrea with N-Serve,46-0-0,9000,lb,60,2026-04-02\n")
    plan = plan_import([path], ImportBook.in_folder(book), replace(CHOICES, accept=True))
    assert [one.code for one in plan.problems if one.code.startswith("line_")] == ["line_of_two"]
    assert not table_text(plan, "inhibitor_purchase")


BAGS: Final[dict[tuple[str, str], int | str]] = {
    ("Cereal rye (60 lb/ac) 50# bag", "BAG"): 2_000_000,
    ("Cereal rye 50-lb bag, 60 lbs. PLS per acre", "BAG"): 2_000_000,
    ("Cereal rye 56 lb/bu, 2,000 lb tote", "EA"): 80_000_000, ("Cereal rye 50 lb/bag, 50#", "BAG"): 2_000_000,
    ("Cereal rye 60 lb/ac", "BAG"): "no weight", ("Cereal rye 60 pounds per acre", "BAG"): "no weight",
    ("Cereal rye 50 lb bag (48 lb net)", "BAG"): "more than one weight",
}  # fmt: skip


def test_bags_weigh_what_the_line_prints_of_a_bag_and_not_what_goes_on_an_acre(book: Path) -> None:
    path = book.parent / "seed.csv"
    lines = "".join(f'"{product}",40,{unit},10,2026-04-01\n' for product, unit in BAGS)
    path.write_text(f"Product,Qty,Unit,Price,Date\n{lines}")
    plan = plan_import([path], ImportBook.in_folder(book), replace(CHOICES, accept=True))
    write_plan(plan)
    bought = [row for row in load_book(book).every(SeedPurchase) if row.received_on == date(2026, 4, 1)]
    told = {one.place.row: one.cause for one in plan.problems if one.code == "line_unit"}
    for row, (seed, weight) in enumerate(zip(bought, BAGS.values(), strict=True), start=2):
        if isinstance(weight, int):
            assert (seed.species, seed.pounds, row in told) == ("Cereal Rye, Winter", weight, False)
        else:
            assert (seed.pounds, weight in told[row]) == (None, True)


LINES: Final = "Invoice,Supplier,Product,Qty,Unit,Price,Date\n"


def inhibitor_bought(book: Path) -> int:
    return sum(row.amount or 0 for row in load_book(book).every(InhibitorPurchase))


@pytest.mark.parametrize("printed", ["1001,Ag Co", "1001,", ","])
def test_an_invoice_with_a_line_more_and_in_another_order_brings_no_purchase_twice(book: Path, printed: str) -> None:
    before, lines = (
        inhibitor_bought(book),
        [f"{printed},N-Serve,30,GAL,50,2026-03-14", f"{printed},Instinct,5,GAL,50,2026-03-14"],
    )
    more = f"{printed},Centuro,1,GAL,50,2026-03-14"
    for name, sent, bought_now in (("a", lines, 35_000), ("b", lines[::-1], 35_000), ("c", [more, *lines], 36_000)):
        (book.parent / f"{name}.csv").write_text(LINES + "\n".join([*sent, ""]))
        plan = plan_import([book.parent / f"{name}.csv"], ImportBook.in_folder(book), replace(CHOICES, accept=True))
        write_plan(plan)
        assert inhibitor_bought(book) == before + bought_now, name


@ROWS
def test_each_purchase_keeps_a_name_of_its_own(book: Path, files: dict[str, str | dict[str, list[list[str]]]]) -> None:
    before = inhibitor_bought(book)
    for name, content in files.items():
        (book.parent / name).write_bytes(content.encode() if isinstance(content, str) else xlsx_of(content))
    for _ in range(2):
        for name in files:
            plan = plan_import([book.parent / name], ImportBook.in_folder(book), replace(CHOICES, accept=True))
            assert [one.code for one in plan.problems if one.weight is Weight.ERROR] == []
            write_plan(plan)
        assert inhibitor_bought(book) == before + 35_000


def test_a_list_or_an_invoice_that_was_saved_or_written_again_brings_no_purchase_twice(book: Path) -> None:
    path = book.parent / "a.csv"
    for end in ("\n", "\r\n"):
        path.write_bytes(f"{LINES}1001,,N-Serve,30,GAL,50,2026-03-14\n".replace("\n", end).encode())
        plan = plan_import([path], ImportBook.in_folder(book), replace(CHOICES, accept=True))
        write_plan(plan)
    assert [row["amount"] for row in load_book(book)["inhibitor_purchase"]].count(30_000) == 1
    for amount in ("30", "30.0", "29"):
        path.write_text(f"{LINES}1001,Ag Co,N-Serve,{amount},GAL,50,2026-03-14\n")
        plan = plan_import([path], ImportBook.in_folder(book), replace(CHOICES, accept=True))
        write_plan(plan)
    assert [row["supplier"] for row in load_book(book)["inhibitor_purchase"]].count("Ag Co") == 1


@ROWS
def test_day_and_county_beside_a_run_are_its_own(texts: list[str], day: str | None, county: str | None) -> None:
    run = MappedTable("runs.pdf", "", "calculator_run", (MappedRow(4, {"unit_id": "N40", "ci_g_per_bu": "6010"}),))
    complete_runs(run.rows, texts)
    (row,) = run.rows
    assert row.values.get("run_on") == day
    assert row.values.get("county_fips") == ("19169" if county else None)


COVER = {"farm_id": "F1", "cover_id": "C1", "unit_id": "N40", "seeded_on": date(2025, 10, 3),
         "terminated_on": date(2026, 4, 22), "established_photo": None}  # fmt: skip
PHOTO = {"farm_id": "F1", "evidence_id": "P1", "what": "photograph", "unit_id": "N40", "taken_on": date(2026, 4, 15)}
VALUES = {"ph": None, "organic_matter_pct": None, "nitrate_n_ppm": 6_200, "p_ppm": 24_000, "k_ppm": 168_000}
TYPED = {"farm_id": "F1", "soil_test_id": "N40-test", "unit_id": "N40", "sampled_on": date(2025, 10, 22),
         "evidence": None, **VALUES}  # fmt: skip
LAB = {**TYPED, "soil_test_id": "81001", "sampled_on": date(2025, 10, 24), "ph": 6_600, "evidence": "file-1"}
BUDGET = {"farm_id": "F1", "budget_id": "B1", "harvest_id": "H26", "made_on": date(2026, 2, 10), "basis": None,
          "soil_test_id": None}  # fmt: skip
HARVEST = {"farm_id": "F1", "harvest_id": "H26", "unit_id": "N40", "crop": "corn", "ending": "harvested",
           "first_day": date(2026, 10, 9), "last_day": date(2026, 10, 12)}  # fmt: skip
LAST = HARVEST | {"harvest_id": "H25", "unit_id": "S80", "first_day": date(2025, 10, 9), "last_day": None}
LOAD = {"farm_id": "F1", "ticket_id": "T1", "day": date(2026, 10, 10), "crop": "corn", "harvest_year": None,
        "unit_id": None}  # fmt: skip
Rows = list[dict[str, Any]]


def found(**rows: Rows) -> list[tuple[str, dict[str, object], bool]]:
    links = links_found({kind: rows.get(kind, []) for kind in READ})
    return [(one.kind, dict(one.values), one.is_judgement) for one in links]


@pytest.mark.parametrize(
    ("cover", "photo", "name"),
    [
        ({}, {}, "P1"), ({"terminated_on": None}, {}, "P1"),
        ({}, {"taken_on": date(2026, 4, 22)}, "P1"), ({}, {"taken_on": date(2026, 4, 23)}, None),
        ({}, {"taken_on": date(2025, 10, 3)}, None), ({}, {"taken_on": None}, None),
        ({}, {"unit_id": "S80"}, None), ({}, {"unit_id": None}, None), ({}, {"what": "map"}, None),
        ({}, {"farm_id": "F2"}, None), ({"established_photo": "P9"}, {}, None), ({"seeded_on": None}, {}, None),
        ({"unit_id": None}, {"unit_id": None}, None),
    ],
)  # fmt: skip
def test_a_photograph_of_the_cover_is_its_own(cover: dict[str, Any], photo: dict[str, Any], name: str | None) -> None:
    links = found(cover_crop=[COVER | cover], evidence=[PHOTO | photo])
    asked = "terminated_on" in cover  # a picture of the crop that followed may be taken for one of the cover
    assert links == ([("cover_crop", {"established_photo": name}, asked)] if name else [])


@pytest.mark.parametrize(
    ("lab", "is_same"),
    [
        ({}, True), ({"sampled_on": date(2025, 11, 12)}, True), ({"sampled_on": date(2025, 11, 13)}, False),
        ({"sampled_on": date(2025, 10, 20)}, False), ({"p_ppm": 24_001}, False), ({"unit_id": "S80"}, False),
        ({"p_ppm": None, "k_ppm": None}, False), ({"evidence": None}, False), ({"sampled_on": None}, False),
    ],
)  # fmt: skip
def test_a_typed_test_takes_the_laboratorys_paper_of_its_sample(lab: dict[str, Any], *, is_same: bool) -> None:
    assert found(soil_test=[TYPED, LAB | lab]) == ([("soil_test", {"evidence": "file-1"}, True)] if is_same else [])


def test_of_two_papers_that_fit_none_is_taken() -> None:
    assert found(soil_test=[TYPED, LAB, LAB | {"soil_test_id": "81009", "evidence": "file-2"}]) == []


@pytest.mark.parametrize(
    ("budget", "lab", "is_its"),
    [
        ({}, {}, True), ({"basis": "soil_test"}, {}, True), ({"basis": "expert_opinion"}, {}, False),
        ({"soil_test_id": "X"}, {}, False), ({"made_on": None}, {}, False),
        ({"made_on": date(2025, 10, 23)}, {}, False), ({"made_on": date(2027, 10, 24)}, {}, True),
        ({"made_on": date(2027, 10, 25)}, {}, False),
        ({}, {"unit_id": "S80"}, False), ({"harvest_id": "H24"}, {}, False),
    ],
)  # fmt: skip
def test_a_budget_without_basis_asks_for_the_test(budget: dict[str, Any], lab: dict[str, Any], *, is_its: bool) -> None:
    links = found(nutrient_budget=[BUDGET | budget], soil_test=[LAB | lab], harvest=[HARVEST])
    its = ("nutrient_budget", {"soil_test_id": "81001", "basis": "soil_test"}, True)
    assert links == ([its] if is_its else [])


@pytest.mark.parametrize(
    ("load", "year", "is_judgement"),
    [
        ({}, 2026, True), ({"unit_id": "N40"}, 2026, False), ({"unit_id": "S80"}, 2025, False),
        ({"day": date(2026, 9, 20)}, 2025, True), ({"day": date(2027, 8, 1)}, 2026, True),
        ({"day": date(2025, 8, 1)}, None, True), ({"day": None}, None, True), ({"crop": "soybeans"}, None, True),
        ({"harvest_year": 2024}, None, True), ({"farm_id": "F2"}, None, True),
    ],
)  # fmt: skip
def test_a_ticket_is_of_the_last_harvest_before(load: dict[str, Any], year: int | None, *, is_judgement: bool) -> None:
    links = found(scale_ticket=[LOAD | load], harvest=[HARVEST, LAST])
    assert links == ([("scale_ticket", {"harvest_year": year}, is_judgement)] if year else [])


@pytest.mark.parametrize("accept", [True, False])
def test_what_is_found_is_told_once_a_kind_and_a_judgement_is_asked(*, accept: bool) -> None:
    rows: dict[str, Rows] = {
            "cover_crop": [COVER], "evidence": [PHOTO], "soil_test": [TYPED, LAB], "nutrient_budget": [BUDGET] * 2,
            "harvest": [HARVEST], "scale_ticket": [],
    }  # fmt: skip
    told = list(links_told(links_found(rows), accept=accept))
    assert [(one.place.file, one.weight) for one in told] == [
        ("cover_crop.csv", Weight.NOTE), ("soil_test.csv", Weight.CONFIRM), ("nutrient_budget.csv", Weight.CONFIRM),
    ]  # fmt: skip
    assert ("--accept" in told[1].remedy) is not accept
    assert told[0].cause.endswith("established: P1 of 2026-04-15 for N40, seeded on 2025-10-03.")
