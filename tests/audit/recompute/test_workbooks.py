"""The workbooks compute by their own formulas, agree with the program, and hold no formula that came from a name."""

from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provender.audit.package.contents import PackageContents
from provender.audit.package.layout import HEADER
from provender.audit.recompute.workbooks import (
    BalanceRow,
    BalanceSheet,
    Limit,
    MeanSheet,
    NitrogenRow,
    SheetOf,
    SplitSheet,
    StirRow,
    StirSheet,
    workbook,
    workbooks,
)
from provender.catalog.tables import stir_of_tool
from provender.signing.canonical import canonical_json
from tests.audit.forge import DAY as PACKAGE_DAY
from tests.audit.forge import clean, header
from tests.audit.spreadsheet import Computed, Sheet
from tests.draws import part_of_draws
from tests.standards.test_stir import Tool, of_pass

DAY = date(2026, 11, 21)
LIMITS = (Limit("No-till", "2100.051(b)(1)", 200_000), Limit("Reduced till", "2100.051(a)(1)", 800_000))


def made(*sheets: SheetOf) -> Computed:
    return Computed(workbook("Farm F1, 2026", sheets, DAY))


def published(pass_id: str, stir: int) -> StirRow:
    return StirRow(pass_id, "2026-04-20", "listed", "", None, published_stir=stir)


def stir(rows: tuple[StirRow, ...], claimed: int | None = None) -> Sheet:
    return made(StirSheet("north", "2025-10-02 to 2026-10-04", rows, LIMITS, claimed)).sheet("STIR north")


@pytest.mark.parametrize(
    ("third", "total", "verdict"), [(37_999, "19.9999", "met"), (38_000, "20", "met"), (38_001, "20.0001", "not met")]
)
def test_three_passes_at_just_under_and_just_over_twenty(third: int, total: str, verdict: str) -> None:
    sheet = stir((published("1", 72_300), published("2", 89_700), published("3", third)))
    assert sheet.beside("STIR of the interval") == Fraction(total)
    assert (sheet.beside("No-till", "C"), sheet.beside("Reduced till", "C")) == (verdict, "met")


def test_tools_of_one_pass_add_up_and_are_rounded_once() -> None:
    tools = (Tool("mixing", 4_000, 100_000), Tool("compression", 2_111, 33_333))
    rows = tuple(
        StirRow("1", "2026-04-20", "chisel", tool.tillage_type, 5_555, tool.depth_in, tool.surface_pct, factor)
        for tool, factor in zip(tools, (70, 15), strict=True)
    )
    ours = of_pass(None, speed_mph=5_555, tools=tools).value
    assert ours is not None
    assert stir(rows).beside("STIR of the interval") == Fraction(ours, 10_000)


FACTORS = (100, 80, 70, 40, 15)
HALVES = ((5_000, 4_000, 1_000), (7_000, 3_001, 10_000), (1_000, 1_000, 40), (3_000, 1_000, 40), (4_500, 2_700, 15_600))


def agrees(speed: int, depth: int, surface: int, factor: int) -> bool:
    sheet = stir((StirRow("1", "", "", "", speed, depth, surface, factor),))
    return sheet.beside("STIR of the interval") == Fraction(stir_of_tool(speed, factor, depth, surface), 10_000)


@settings(max_examples=part_of_draws(3))
@given(st.integers(1, 15_000), st.integers(1, 24_000), st.integers(1, 100_000), st.sampled_from(FACTORS))
def test_the_formula_gives_what_the_program_gives(speed: int, depth: int, surface: int, factor: int) -> None:
    assert agrees(speed, depth, surface, factor)


@pytest.mark.parametrize("half", HALVES)
def test_exact_halves_go_to_the_even_digit_as_in_the_program(half: tuple[int, int, int]) -> None:
    assert all(agrees(*half, factor) for factor in FACTORS)


@pytest.mark.parametrize(("listed", "whole"), [(3, 2), (5, 2), (1, 0), (7, 4), (199_051, 99_526), (199_049, 99_524)])
def test_a_published_value_at_half_its_speed_goes_to_the_even_digit(listed: int, whole: int) -> None:
    row = StirRow("1", "", "", "", 3_000, published_stir=listed, published_speed_mph=6_000)
    assert stir((row,), whole).beside("STIR of the interval") == Fraction(whole, 10_000)
    assert stir((row,), whole).beside("Claimed", "C") == "agrees"


@pytest.mark.parametrize(("second", "whole"), [(700_001, 700_000), (700_003, 700_002), (700_002, 700_001)])
def test_a_mean_on_an_exact_half_goes_to_the_even_digit(second: int, whole: int) -> None:
    rows = (("a", 20_000_000, 700_000), ("b", 20_000_000, second))
    sheet = made(MeanSheet("F1", rows, whole)).sheet("Weighted mean")
    assert (sheet.beside("Farm-level CI ["), sheet.beside("Claimed", "C")) == (Fraction(whole, 100), "agrees")


def test_a_published_value_is_scaled_by_speed_and_without_a_claim_nothing_compared() -> None:
    row = StirRow("1", "", "", "", 5_000, published_stir=526_500, published_speed_mph=6_000)
    assert stir((row,)).beside("STIR of the interval") == Fraction("43.875")
    assert stir((published("1", 72_300),)).beside("Nothing was claimed", "C") is None
    sheet = balance(None)
    assert [sheet.beside("Beginning + incoming"), sheet.beside("Nothing was claimed", "C")] == [4_000, None]


@pytest.mark.parametrize(("claimed", "word"), [(72_300, "agrees"), (72_301, "differs")])
def test_the_claim_stands_beside_the_result(claimed: int, word: str) -> None:
    assert stir((published("1", 72_300),), claimed).beside("Claimed", "C") == word


def split(after: int, before: int, reduced: int = 0, need: int = 200_000) -> tuple[object, ...]:
    sheet = SplitSheet(
        "north",
        "2026",
        (NitrogenRow("2026-04-20", "starter", "before", before), NitrogenRow("2026-06-10", "UAN", "after", after)),
        need,
        reduced,
        Limit("At least after emergence", "2100.053(d)(1)", 75_000),
        Limit("At most before emergence", "2100.053(d)(1)", 25_000),
        150_000,
    )
    page = made(sheet).sheet("Split N north")
    limits = page.beside("At least", "C"), page.beside("At most", "C")
    return page.beside("After emergence with"), *limits, page.beside("Claimed", "C")


@pytest.mark.parametrize(
    ("after", "before", "reduced", "answers"),
    [
        (150_000, 50_000, 0, (Fraction(75), "met", "met", "agrees")),
        (149_999, 50_000, 0, (Fraction("74.9995"), "not met", "met", "differs")),
        (150_000, 50_001, 0, (Fraction(75), "met", "not met", "agrees")),
        (120_000, 50_000, 30_000, (Fraction(75), "met", "met", "agrees")),
    ],
)
def test_the_split_share_at_its_limits(after: int, before: int, reduced: int, answers: tuple[object, ...]) -> None:
    assert split(after, before, reduced) == answers


def test_the_mean_is_weighted_by_all_bushels_and_awkward_names_of_units_stay_apart() -> None:
    # custody_cases D4: right 7000, by acres 6857.14, plain 6000, without conventional bushels 5142.86.
    rows = (("a", 20_000_000, 600_000), ("b", 15_000_000, 400_000), ("conventional", 65_000_000, 800_000))
    sheet = made(MeanSheet("F1, corn, 2026", rows, 700_000)).sheet("Weighted mean")
    assert sheet.beside("Farm-level CI [") == Fraction(7000)
    assert sheet.beside("Claimed", "C") == "agrees"
    names = ["a" * 40, "a" * 41, "north/[1]", "North/[1]"]
    book = made(*(StirSheet(name, "x", (published("1", 1),), (), None) for name in names))
    assert len(book.book.sheetnames) == 5
    assert all(len(name) <= 31 for name in book.book.sheetnames)


def balance(claimed: int | None = 4_000_000, oil: int | None = 0) -> Sheet:
    forms = (
        BalanceRow("soybean, bu", 0, 10_000_000, 7_000_000, 3_000_000),
        BalanceRow("oil, lb", 1_000, 11_070_000, 11_071_000, oil),
    )
    came, left = (("grown", 4_000_000), ("purchased", 6_000_000)), (("sold", 6_500_000),)
    one = BalanceSheet(1, "elevator, soybeans, 2026, 5000, first quarter", 500_000, came, left, claimed, forms)
    return made(one).sheet("Balance 1")


@pytest.mark.parametrize(("claimed", "word"), [(3_999_999, "differs"), (4_000_000, "agrees"), (4_000_001, "differs")])
def test_the_ending_of_a_line_is_computed_and_held_against_the_statement(claimed: int, word: str) -> None:
    sheet = balance(claimed)
    assert [sheet.beside(way) for way in ("All incoming", "All outgoing")] == [10_000, 6_500]
    assert [sheet.beside("Beginning + incoming"), sheet.beside("Claimed", "C")] == [4_000, word]


@pytest.mark.parametrize(("claimed", "word"), [(-1, "differs"), (0, "agrees"), (1, "differs"), (None, None)])
def test_each_form_has_an_ending_of_its_own_in_its_own_unit(claimed: int | None, word: str | None) -> None:
    sheet = balance(oil=claimed)
    assert [sheet.beside("soybean, bu", column) for column in "EG"] == [3_000, "agrees"]
    assert [sheet.beside("oil, lb", column) for column in "EG"] == [0, word]


@pytest.mark.parametrize("name", ["=1+1", "@SUM(A1)", "+49", "-1", '=HYPERLINK("http://x","y")', "http://example.org"])
def test_a_name_never_becomes_a_formula_or_a_link(name: str) -> None:
    book = made(StirSheet(name, name, (StirRow(name, name, name, name, 5_000, 4_000, 100_000, 70),), LIMITS, None))
    sheet = book.book.worksheets[1]
    texts = [cell for row in sheet.iter_rows() for cell in row if cell.value == name]
    assert len(texts) >= 5
    assert {cell.data_type for cell in texts} == {"s"}
    assert not any(cell.hyperlink for cell in texts)


def test_no_result_is_stored_and_the_same_input_gives_the_same_file() -> None:
    sheet = stir((published("1", 72_300),))
    assert sheet.formulas()
    assert b"<v>7.23</v>" in _xml(1)
    assert b"<f>SUM" in _xml(1)
    assert b"</f><v>7.23" not in _xml(1)
    assert workbook("x", [], DAY) == workbook("x", [], DAY)


def _xml(number: int) -> bytes:
    import io
    import zipfile

    content = workbook("x", [StirSheet("n", "x", (published("1", 72_300),), LIMITS, None)], DAY)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.read(f"xl/worksheets/sheet{number + 1}.xml")


# The workbooks of a package give our numbers by formulas that are not our code.


def test_stir_split_and_mean_of_every_corn_unit_come_out_as_we_have_them(tmp_path: Path) -> None:
    case = PackageContents({**clean(), HEADER: canonical_json(header().document())}, tmp_path)
    (farm,) = case.farms
    made = dict(workbooks(case, PACKAGE_DAY))
    corn = [one for one in farm.assessment.intervals if (one.crop, one.harvest_year) == ("corn", 2025)]
    shares = 0
    for one in corn:
        book = Computed(made[f"BLUESTEM-corn-2025-{one.unit_id}.xlsx"])
        stir = book.sheet(f"STIR {one.unit_id}").beside("STIR of the interval")
        assert stir == Fraction(one.season.stir.recorded, 10**4), one.unit_id
        nitrogen, need = one.nitrogen, one.nitrogen.need
        before_it, after_it, possible = nitrogen.timing
        if need and possible == after_it:
            sheet = book.sheet(f"Split N {one.unit_id}")
            after = round(Fraction(100 * (after_it + nitrogen.left_out), need), 9)
            before = round(Fraction(100 * before_it, need), 9)
            assert sheet.beside("After emergence with reductions") == after, one.unit_id
            assert sheet.beside("Before emergence, %") == before, one.unit_id
            assert sheet.beside("Claimed", "C") == "agrees", one.unit_id
            shares += 1
    assert shares >= 4
    mean = Computed(made["BLUESTEM-corn-2025.xlsx"]).sheet("Weighted mean")
    assert mean.beside("Farm-level CI [7") == Fraction("7883.38")
