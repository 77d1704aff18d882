"""Lists of cover crops as people keep them: known by their headings, one line a field, the mix in a column."""

from dataclasses import replace
from pathlib import Path

import pytest

from provender.formats.importing.prepare import Plan, prepare
from tests.formats.test_intake import CHOICES, table

HEADING = "Field,Cover Crop,Seeding Date,Seeding Rate (lb/ac),Seeding Method,Termination Date,Termination Method,Acres"
FIRST = "N40,Cereal rye,10/9/2024,60,Drill,4/16/2025,Sprayed,40"


def harvest(name: str, year: int, unit: str = "N40") -> dict[str, str]:
    days = {"first_day": f"{year}-10-02", "last_day": f"{year}-10-03"}
    return {"harvest_id": name, "unit_id": unit, "crop": "corn", "ending": "harvested", "bushels": "9", **days}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "farm.csv").write_text(table("farm", {"farm_id": "F1", "name": "Bluestem"}))
    units = ({"unit_id": "N40", "acres": "40"}, {"unit_id": "S12", "name": "South", "acres": "12"})
    (folder / "unit.csv").write_text(table("unit", *units))
    (folder / "harvest.csv").write_text(
        table("harvest", harvest("H24", 2024), harvest("H25", 2025), harvest("S25", 2025, "S12"))
    )
    return folder


def planned(book: Path, *lines: str, heading: str = HEADING, accept: bool = True) -> Plan:
    path = book.parent / "covers 2024.csv"
    path.write_text("\n".join([heading, *lines, ""]))
    return prepare([path], book, replace(CHOICES, accept=accept))


def test_a_list_becomes_covers_of_the_crop_that_follows_and_their_species(book: Path) -> None:
    plan = planned(book, FIRST, "South,rye & vetch mix,10/12/2024,45,flown on,4/20/2025,rolled,12")
    covers, species = plan.files["cover_crop.csv"].decode(), plan.files["cover_species.csv"].decode()
    assert "covers-2024-2,N40,H25,2024-10-09,drilled,40,,,,,,2025-04-16,herbicide" in covers
    assert "covers-2024-3,S12,S25,2024-10-12,aerial,12,,,,,,2025-04-20,roller_crimper" in covers
    assert 'covers-2024-2,"Cereal Rye, Winter",Cereal rye,60' in species
    assert species.count("covers-2024-3,") == 2
    assert ",45" not in species
    assert {"rate_of_mix", "kind_by_headings"} & {one.code for one in plan.problems} >= {"rate_of_mix"}


def test_nothing_of_it_goes_in_before_a_nod(book: Path) -> None:
    plan = planned(book, FIRST, accept=False)
    assert not {"cover_crop.csv", "cover_species.csv"} & plan.files.keys()


@pytest.mark.parametrize(
    ("heading", "line", "kind"),
    [
        ("Field,Species,Date Planted,Lbs/Acre,How planted,Kill Date", "N40,rye,10/9/2024,60,drill,4/16/2025",
         "cover_crop"),
        ("Field,Cover crop species,Planted", "S12,Rye,10/9/2024", "cover_crop"),
        ("Field,Date Planted,Acres", "S12,5/9/2025,40", "planting"),
        ("Field,Hybrid,Planted", "S12,P1185,5/9/2025", "planting"),
    ],
)  # fmt: skip
def test_a_list_of_plantings_is_none_of_covers(book: Path, heading: str, line: str, kind: str) -> None:
    plan = planned(book, line, heading=heading)
    assert kind in {one.kind for one in plan.counts}
    assert f"{kind}.csv" in plan.files


def test_where_nobody_says_when_it_ended_a_crop_cut_before_it_was_seeded_is_none_that_follows(book: Path) -> None:
    plan = planned(book, "N40,Rye,10/9/2024", heading="Field,Cover crop,Planted")
    assert ",N40,H25,2024-10-09," in plan.files["cover_crop.csv"].decode()


def test_one_seeded_before_several_crops_were_cut_is_asked_for(book: Path) -> None:
    plan = planned(book, "N40,Rye,9/9/2024", heading="Field,Cover crop,Planted")
    assert "cover_crop.csv" not in plan.files
    (told,) = [one for one in plan.problems if one.code == "entry_asked"]
    assert "'N40' can be H24 (corn, harvested 2024-10-02), H25 (corn, harvested 2025-10-02)." in told.cause
