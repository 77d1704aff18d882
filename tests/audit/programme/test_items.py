"""The work programme by role, what it takes over and leaves to people, and the ground to look at."""

import io
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

from provender.audit import fieldwork
from provender.audit.outcome import CheckResult, Difference, State
from provender.audit.package.contents import PackageContents
from provender.audit.package.layout import HEADER
from provender.audit.programme import DUTY, STANDARD, TASK, Item, Role, programme, programme_data, season_calendar
from provender.audit.recompute.reports import verdicts
from provender.rule.crops import Cite, Practice
from provender.rule.law import MonthDay, Season, rule_version
from provender.rule.paragraphs import Force, paragraphs
from provender.signing.canonical import canonical_json
from tests.audit.forge import clean, header

RULE = rule_version(date(2026, 6, 1))
DAY = date(2026, 6, 1)


def cites(items: list[Item], kind: str) -> set[str]:
    return {item.cite for item in items if item.kind == kind}


def test_every_paragraph_on_audits_that_binds_stands_in_the_programme_of_some_role() -> None:
    parents = {cite.parent for cite in paragraphs()}
    asked = {
        str(cite)
        for cite, found in paragraphs().items()
        if cite.section == "2100.040" and cite not in parents and found.force is Force.must
    }
    covered = cites(programme(Role), DUTY)
    # Hiring a verifier every year is the entity's rhythm, not work of an audit.
    assert asked - covered == {"2100.040(a)(1)", "2100.040(c)(1)", "2100.040(f)(1)"}
    assert {"2100.051(d)", "2100.052(c)", "2100.053(f)"} <= covered


@pytest.mark.parametrize(
    ("role", "duty", "not_duty"),
    [
        (Role.FARM, "2100.040(b)(3)(ii)", "2100.040(a)(2)(i)"),
        (Role.FIRST_POINT, "2100.040(a)(3)(iii)", "2100.040(c)(2)(i)"),
        (Role.INTERMEDIARY, "2100.040(c)(2)(ii)", "2100.040(a)(2)(i)"),
        (Role.PROCESSOR, "2100.040(e)(1)(i)", "2100.040(f)(2)(i)"),
        (Role.REFINER, "2100.040(f)(2)(i)", "2100.040(d)(1)"),
    ],
)
def test_each_role_has_its_own_duties_and_work_for_people(role: Role, duty: str, not_duty: str) -> None:
    items = programme([role])
    assert duty in cites(items, DUTY)
    assert not_duty not in cites(items, DUTY)
    assert any(item.kind == TASK for item in items)


def test_a_first_point_keeps_reports_an_intermediary_statements_and_two_roles_share_lines_once() -> None:
    assert "2100.032(b)(1)" in cites(programme([Role.FIRST_POINT]), DUTY)
    assert "2100.032(b)(2)" not in cites(programme([Role.FIRST_POINT]), DUTY)
    assert "2100.032(b)(2)" in cites(programme([Role.INTERMEDIARY]), DUTY)
    items = programme([Role.INTERMEDIARY, Role.PROCESSOR])
    assert len({(item.kind, item.cite, item.text) for item in items}) == len(items)


def test_only_the_practices_claimed_are_audited() -> None:
    items = programme([Role.FARM], practices=[Practice.no_till])
    assert {"2100.051(b)(1)", "2100.051(c)(3)"} <= cites(items, STANDARD)
    assert not any(cite.startswith(("2100.051(a)", "2100.052", "2100.053")) for cite in cites(items, STANDARD))
    assert {item.cite for item in items if item.kind == TASK} & {"2100.052(c)", "2100.053(f)"} == set()
    none = programme([Role.FARM], practices=[])
    assert "2100.051(d)" not in cites(none, DUTY)
    assert "2100.040(b)(3)(ii)" in cites(none, DUTY)


def test_what_is_settled_is_taken_over_but_never_what_needs_eyes() -> None:
    settled = CheckResult("stir", ("2100.051(b)(1)",), 40)
    difference = Difference("mean_differs", "2100.040(b)(3)(ii)", "F1", "1", "2")
    outcomes = [settled, CheckResult("mean", ("2100.040(b)(3)(ii)",), 1, (difference,))]
    lines = {(item.kind, item.cite): item for item in programme([Role.FARM], outcomes)}
    assert lines[STANDARD, "2100.051(b)(1)"].left == "recomputed, agrees"
    assert lines[DUTY, "2100.040(b)(3)(ii)"].left == "recomputed, differs: see the differences"
    assert lines[STANDARD, "2100.051(b)(2)"].left == "verify from documents"
    everything = CheckResult("all", tuple(str(cite) for cite in paragraphs() if not cite.term), 1)
    tasks = [item for item in programme(Role, [everything]) if item.kind == TASK]
    assert {item.state for item in tasks} == {State.OPEN}
    assert {item.left for item in tasks} == {"to do"}


def test_every_task_stands_on_a_paragraph_a_role_and_a_window_that_exist() -> None:
    data = programme_data()
    known = {str(cite) for cite in paragraphs()}
    for task in data["task"]:
        assert task["cite"] in known, task
        assert {Role(role) for role in task["roles"]}, task
        assert task.get("window", "residue") in data["windows"], task
    assert len({task["id"] for task in data["task"]}) == len(data["task"])
    for table in ("standards", "practices"):
        assert {str(Cite.parse(cite)) for cite in data[table]} <= known
    assert {cite for below in data["standards"].values() for cite in below} <= known
    assert {Practice(name) for names in data["practices"].values() for name in names} == set(Practice)


def test_the_calendar_puts_fall_windows_before_the_harvest_year() -> None:
    visits = {visit.window: visit for visit in season_calendar(programme([Role.FARM]), 2026, RULE, DAY)}
    stand = visits["cover_stand"]
    assert (stand.first, stand.last) == (date(2025, 8, 1), date(2025, 12, 31))
    assert (visits["cover_end"].first, stand.tasks) == (date(2026, 2, 1), ("farm-cover-stand",))
    assert visits["residue"].source == "suggestion"


@pytest.mark.parametrize(
    ("state", "window", "first", "last"),
    [
        ("IA", Season(MonthDay(7, 15), MonthDay(11, 30)), date(2025, 7, 15), date(2025, 11, 30)),
        ("CA", Season(MonthDay(10, 1), MonthDay(1, 31)), date(2025, 10, 1), date(2026, 1, 31)),
    ],
)
def test_a_states_own_window_is_used_also_over_new_year(state: str, window: Season, first: date, last: date) -> None:
    rule = replace(RULE, state_windows=((state, "cover_seeding_window", window),))
    visits = {visit.window: visit for visit in season_calendar(programme([Role.FARM]), 2026, rule, DAY, state)}
    assert (visits["cover_stand"].first, visits["cover_stand"].last) == (first, last)


@pytest.mark.parametrize(
    ("day", "when"),
    [
        (date(2025, 7, 31), "ahead"),
        (date(2025, 8, 1), "open now"),
        (date(2025, 12, 31), "open now"),
        (date(2026, 1, 1), "over"),
    ],
)
def test_a_window_is_ahead_open_or_over(day: date, when: str) -> None:
    visits = {visit.window: visit for visit in season_calendar(programme([Role.FARM]), 2026, RULE, day)}
    assert visits["cover_stand"].when == when


HEADING = fieldwork.Heading(
    '=HYPERLINK("x")', "Verity", 2026, date(2026, 11, 21), "later rule in force, text not loaded"
)


def test_workbook_and_paper_hold_every_line_the_party_and_what_needs_eyes() -> None:
    items = programme([Role.FARM])
    book = load_workbook(io.BytesIO(fieldwork.programme_xlsx(HEADING, items, season_calendar(items, 2026, RULE, DAY))))
    rows = list(book["Program"].iter_rows(values_only=True))
    assert len(rows) == 1 + len(items)
    assert rows[0][-4:] == ("Done on", "By", "Evidence", "Result")
    assert book["Calendar"].max_row == 7
    assert not [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]
    paper = PdfReader(io.BytesIO(fieldwork.programme_pdf(HEADING, items, season_calendar(items, 2026, RULE, DAY))))
    words = " ".join(page.extract_text() for page in paper.pages)
    assert '=HYPERLINK("x")' in words
    assert "Later rule in force" in words
    assert "machine shed" in words


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> PackageContents:
    return PackageContents({**clean(), HEADER: canonical_json(header().document())}, tmp_path_factory.mktemp("case"))


def test_units_stand_by_what_hangs_on_them_and_only_practices_that_count_bring_work(case: PackageContents) -> None:
    places = fieldwork.places_of(case)
    stakes = [one.g_co2e or 0 for one in places]
    assert stakes == sorted(stakes, reverse=True)
    assert stakes[-1] > 0
    assert all(one.practices for one in places)
    (close,) = [one for one in places if one.unit == "N40"]
    assert "STIR 19.905 of at most 20, close to it" in close.see
    assert {"130 of 160 lb N/ac after emergence", "160 of 160 lb N/ac with inhibitor"} <= set(close.see)
    assert close.at.endswith(" W")
    counted = {name for one in fieldwork.places_of(case) for name in one.practices}
    assert set(fieldwork.practices_in(fieldwork.places_of(case))) == counted
    assert fieldwork.practices_in(()) == tuple(Practice)
    assert {"2100.051(b)(1)", "2100.051(c)(3)", "2100.052(a)(7)"} <= set(verdicts(case).cites)


@pytest.mark.parametrize(
    ("geojson", "at"),
    [
        (b'{"type": "Polygon", "coordinates": [[[-93, 42], [-92, 42], [-92, 43], [-93, 42]]]}', "42.5000 N 92.5000 W"),
        (b'{"features": [{"geometry": {"coordinates": [[[10, -2], [12, -4]]]}}]}', "3.0000 S 11.0000 E"),
        (b'{"type": "Polygon", "coordinates": []}', ""),
        (b'{"coordinates": [[[1], [2]]]}', ""),
        (b"no JSON", ""),
        (b"5", ""),
    ],
)
def test_the_middle_of_a_boundary_is_where_to_drive(geojson: bytes, at: str) -> None:
    assert fieldwork.middle(geojson) == at


def test_the_workbook_names_the_places_with_columns_to_fill_in(tmp_path: Path) -> None:
    from openpyxl import load_workbook

    place = fieldwork.FieldPriority(
        "F1", "=Farm", "Story, IA", "N40", "", "corn", 2026, ("no_till",), 7_300_000, 12_345_678, ("STIR",)
    )
    (tmp_path / "p.xlsx").write_bytes(
        fieldwork.programme_xlsx(fieldwork.Heading("Party", "", 2026, date(2026, 11, 21)), [], [], [place])
    )  # fmt: skip
    sheet = load_workbook(tmp_path / "p.xlsx")["Places"]
    assert [cell.value for cell in sheet[2]][:8] == [
        "=Farm", "N40", "Story, IA", None, "no till", "7,300", "12.35", "STIR",
    ]  # fmt: skip
    assert sheet["A2"].data_type == "s"


@pytest.mark.parametrize(("bushels", "grams"), [(7_300_000, 12_345_678), (0, 0), (None, None)])
def test_a_place_is_read_back_as_it_was_told(bushels: int | None, grams: int | None) -> None:
    place = fieldwork.FieldPriority(
        "F1", "A farm", "Story, IA", "N40", "", "corn", 2026, ("no_till",), bushels, grams, ("STIR",)
    )
    assert fieldwork.read_place(place.document()) == place
