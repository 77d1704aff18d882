"""Two farms in one import go to their farms, shares of a ticket add up, a photograph without a unit is asked about."""

from dataclasses import replace
from pathlib import Path

import pytest

from provender.formats.importing.prepare import Plan, prepare, waits_or_fails
from provender.formats.template_layout import kind_named
from provender.problem import Weight
from provender.records.folder import load_book, write_csv
from tests.formats.test_intake import CHOICES, book, brought, table
from tests.formats.workbooks import picture

__all__ = ["book"]

ACCEPTED = replace(CHOICES, accept=True)


def csv(folder: Path, kind: str, *rows: dict[str, str]) -> Path:
    names = list(dict.fromkeys(name for row in rows for name in row))
    path = folder / f"{kind}.csv"
    path.write_text(write_csv([names, *([row.get(name, "") for name in names] for row in rows)]), encoding="utf-8")
    return path


def farms(folder: Path, **rows: list[dict[str, str]]) -> list[Path]:
    first = csv(folder, "farm", {"farm_id": "F1", "name": "Bluestem"}, {"farm_id": "F2", "name": "Switchgrass"})
    units = [{"farm_id": "F1", "unit_id": "N40", "acres": "40"}, {"farm_id": "F2", "unit_id": "S80", "name": "Home 80"}]
    both = [{"farm_id": farm, "unit_id": "E20", "acres": "20"} for farm in ("F1", "F2")]
    unit_file = csv(folder, "unit", *units, *both)
    return [first, unit_file, *(csv(folder, kind, *each) for kind, each in rows.items())]


def test_a_blank_farm_cell_is_filled_by_what_the_row_names_however_far_away(tmp_path: Path) -> None:
    harvests = [
        {"harvest_id": "a", "unit_id": "n 40", "crop": "corn", "ending": "harvested"},
        {"harvest_id": "b", "unit_id": "home 80", "crop": "corn", "ending": "harvested"},
    ]
    paths = farms(tmp_path, declaration=[{"harvest_id": "b", "residue_burned": "no"}], harvest=harvests)
    plan = prepare(paths, tmp_path / "book", CHOICES)
    assert "F1,a,N40" in plan.files["harvest.csv"].decode()
    assert "F2,b,S80" in plan.files["harvest.csv"].decode()
    assert "F2,b" in plan.files["declaration.csv"].decode()


def test_a_row_that_two_farms_can_mean_stays_out_and_says_so(tmp_path: Path) -> None:
    rows = [{"harvest_id": "a", "unit_id": "E20", "crop": "corn", "ending": "harvested"}]
    plan = prepare(farms(tmp_path, harvest=rows), tmp_path / "book", CHOICES)
    assert [count.rejected for count in plan.counts if count.kind == "harvest"] == [1]
    (told,) = [one for one in plan.problems if one.code == "which_farm"]
    assert "E20 is one of F1, F2" in told.cause
    assert told.weight is Weight.ERROR


def test_a_row_that_names_nothing_is_put_on_no_farm(tmp_path: Path) -> None:
    plan = prepare(farms(tmp_path, producer=[{"producer_id": "P1", "name": "Ann"}]), tmp_path / "book", CHOICES)
    assert "which_farm" in {one.code for one in plan.problems}
    assert "producer.csv" not in plan.files


@pytest.mark.parametrize(("farm", "added"), [("Bluestem", 1), (" blue stem ", 1), ("f1", 1), ("Red Oak", 0)])
def test_a_farm_is_found_by_its_name_too(book: Path, farm: str, added: int) -> None:
    plan = brought(book, "unit.csv", f"farm_id,unit_id,acres\n{farm},W10,10\n")
    assert [count.added for count in plan.counts] == [added]


@pytest.mark.parametrize("name", ["Farms", "Farm", "farm", "Scale ticket", "scale_tickets"])
def test_a_sheet_is_known_by_one_or_by_several(name: str) -> None:
    assert kind_named(name) is not None


def test_one_farm_fills_blank_cells_as_before(book: Path) -> None:
    plan = brought(book, "unit.csv", table("unit", {"unit_id": "W10", "acres": "10"}))
    assert [count.added for count in plan.counts] == [1]


def tickets(book: Path, *rows: tuple[str, str], accept: bool = False, **same: str) -> Plan:
    common = {"ticket_id": "T1", "buyer": "Co-op", "day": "2026-09-18", "crop": "corn", **same}
    made = [{**common, "net_lb": pounds, "net_bushels": bushels} for pounds, bushels in rows]
    return brought(book, "scale_ticket.csv", table("scale_ticket", *made), ACCEPTED if accept else CHOICES)


def total(plan: Plan) -> str:
    text = plan.files.get("scale_ticket.csv", b"").decode().splitlines()
    return text[-1] if text else ""


def test_shares_of_a_load_that_its_pounds_prove_are_added_up_and_told(book: Path) -> None:
    plan = tickets(book, ("56000", "600"), ("56000", "400"))
    assert "T1,Co-op,2026-09-18,corn,,56000,,1000" in total(plan)
    assert "shares_added" in {one.code for one in plan.problems}


def test_shares_that_nothing_proves_are_asked_about_and_added_up_once_a_person_says_so(book: Path) -> None:
    asked = tickets(book, ("", "600"), ("", "400"))
    assert [(count.added, count.rejected) for count in asked.counts] == [(0, 2)]
    assert "600 and 400" in next(one.cause for one in asked.problems if one.code == "shares_asked")
    assert waits_or_fails(asked)
    assert ",,1000," in total(tickets(book, ("", "600"), ("", "400"), accept=True)) + ","


@pytest.mark.parametrize(
    "rows",
    [
        (("51240", "915"), ("51420", "915")),
        (("56000", "600"), ("56000", "600"), ("56000", "400")),
        (("50400", "900"), ("50400", "910")),
    ],
)
def test_doubles_that_are_no_proven_shares_stay_out(book: Path, rows: tuple[tuple[str, str], ...]) -> None:
    for accept in (False, True):
        plan = tickets(book, *rows, accept=accept)
        assert [count.added for count in plan.counts] == [0]
        assert waits_or_fails(plan)


def test_a_load_of_two_fields_is_one_ticket_that_names_neither(book: Path) -> None:
    units = table("unit", {"unit_id": "W10", "acres": "10"}, {"unit_id": "E20", "acres": "20"})
    (book / "unit.csv").write_text(units)
    one = {"ticket_id": "T1", "buyer": "Co-op", "day": "2026-09-18", "crop": "corn"}
    shares = ({"net_lb": "33600", "net_bushels": "600", "unit_id": "W10"},
              {"net_lb": "22400", "net_bushels": "400", "unit_id": "E20"})  # fmt: skip
    plan = brought(book, "scale_ticket.csv", table("scale_ticket", *({**one, **share} for share in shares)), CHOICES)
    assert "T1,Co-op,2026-09-18,corn,,56000,,1000,,,," in total(plan)
    told = next(one.cause for one in plan.problems if one.code == "shares_added")
    assert "600 and 400 of W10, E20, so it names no field" in told


def test_a_ticket_of_two_buyers_is_never_added_up(book: Path) -> None:
    one = {"ticket_id": "T1", "buyer": "Co-op", "net_bushels": "600"}
    rows = table("scale_ticket", one, {**one, "buyer": "Mill", "net_bushels": "400"})
    plan = brought(book, "scale_ticket.csv", rows, ACCEPTED)
    assert [count.rejected for count in plan.counts] == [2]


def test_rows_that_say_the_same_count_once(book: Path) -> None:
    plan = tickets(book, ("56000", "1000"), ("56000", "1000"))
    assert [(count.added, count.same) for count in plan.counts] == [(1, 1)]


def test_a_photograph_without_a_place_is_asked_about_and_takes_the_unit_that_is_said(book: Path) -> None:
    asked = brought(book, "IMG_1.jpg", picture())
    (told,) = [one for one in asked.problems if one.code == "photo_unit"]
    assert "--unit 'IMG_1.jpg=UNIT'" in told.remedy
    assert told.weight is Weight.CONFIRM
    said = brought(book, "IMG_1.jpg", picture(), replace(CHOICES, units={"IMG_1.jpg": "n40"}))
    assert "photo_unit" not in {one.code for one in said.problems}
    assert ",N40," in said.files["evidence.csv"].decode().splitlines()[-1]
    assert load_book(book)["evidence"].height
