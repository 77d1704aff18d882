"""The ground to look at: every unit with practices, the most at stake first, with what is to be seen there."""

from datetime import date
from pathlib import Path

import pytest

from provender.audit.fieldwork import FieldPriority, middle, places_of, practices_in, read_place
from provender.audit.package.contents import PackageContents
from provender.audit.package.layout import HEADER
from provender.audit.programme_print import Heading, programme_xlsx
from provender.audit.recompute.reports import verdicts
from provender.rule.crops import Practice
from provender.signing.canonical import canonical_json
from tests.audit.forge import clean, header


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> PackageContents:
    return PackageContents({**clean(), HEADER: canonical_json(header().document())}, tmp_path_factory.mktemp("case"))


def test_units_stand_by_what_hangs_on_them_and_only_practices_that_count_bring_work(case: PackageContents) -> None:
    places = places_of(case)
    stakes = [one.g_co2e or 0 for one in places]
    assert stakes == sorted(stakes, reverse=True)
    assert stakes[-1] > 0
    assert all(one.practices for one in places)
    (close,) = [one for one in places if one.unit == "N40"]
    assert "STIR 19.905 of at most 20, close to it" in close.see
    assert {"130 of 160 lb N/ac after emergence", "160 of 160 lb N/ac with inhibitor"} <= set(close.see)
    assert close.at.endswith(" W")
    counted = {name for one in places_of(case) for name in one.practices}
    assert set(practices_in(places_of(case))) == counted
    assert practices_in(()) == tuple(Practice)
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
    assert middle(geojson) == at


def test_the_workbook_names_the_places_with_columns_to_fill_in(tmp_path: Path) -> None:
    from openpyxl import load_workbook

    place = FieldPriority(
        "F1", "=Farm", "Story, IA", "N40", "", "corn", 2026, ("no_till",), 7_300_000, 12_345_678, ("STIR",)
    )
    (tmp_path / "p.xlsx").write_bytes(
        programme_xlsx(Heading("Party", "", 2026, date(2026, 11, 21)), [], [], [place])
    )  # fmt: skip
    sheet = load_workbook(tmp_path / "p.xlsx")["Places"]
    assert [cell.value for cell in sheet[2]][:8] == [
        "=Farm", "N40", "Story, IA", None, "no till", "7,300", "12.35", "STIR",
    ]  # fmt: skip
    assert sheet["A2"].data_type == "s"


@pytest.mark.parametrize(("bushels", "grams"), [(7_300_000, 12_345_678), (0, 0), (None, None)])
def test_a_place_is_read_back_as_it_was_told(bushels: int | None, grams: int | None) -> None:
    place = FieldPriority("F1", "A farm", "Story, IA", "N40", "", "corn", 2026, ("no_till",), bushels, grams, ("STIR",))
    assert read_place(place.document()) == place
