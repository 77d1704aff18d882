"""Page, API and command list the same growing crops with what each asks for."""

import csv
import json
import shutil
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from provender.services.farm.growing import growing_needs
from tests.doors.test_farm import printed
from tests.web.api.test_calls import data, get
from tests.web.cast import Cast
from tests.web.farm.test_growing_asks import MIX, NEXT, RYE, on, sow
from tests.web.farm_season import EXAMPLE, fill_season
from tests.web.fixtures import _lift_guards_before_emptying, _own_folder, cast

__all__ = ["_lift_guards_before_emptying", "_own_folder", "cast"]
DAY = date(2025, 11, 28)


def test_a_program_reads_what_to_do_lists(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_season(cast)
    on(monkeypatch, DAY)
    assert data(get("/growing", cast.token_secret)) == {"items": [], "next": None}
    farm = sow(cast)
    (one,) = data(get("/growing", cast.token_secret))["items"]
    assert (one["harvest_id"], one["unit_id"], one["harvest_year"]) == (NEXT["harvest_id"], "N40", 2026)
    photograph = next(ask for ask in one["asks"] if ask["column"] == "established_photo")
    assert (photograph["row"], photograph["when"], photograph["day"]) == ("RYE", "by", "2026-06-30")
    assert photograph["until"] == "before the cover crop is terminated"
    assert {(ask["kind"], ask["when"]) for ask in one["later"]} >= {("planting", "later")}
    assert one["unsaid"]
    assert len(one["asks"]) + one["unsaid"] == growing_needs(farm).things
    page = cast.client().get(reverse("farm_todo", args=(cast.farm.handle,))).content.decode()
    section = page[page.index('id="growing"') :]
    for ask in one["asks"]:
        assert ask["words"] in section


def sown(folder: Path) -> Path:
    """Return the example farm on disk with the cover and the crop to come that ``sow`` writes on a server."""
    shutil.copytree(EXAMPLE, folder)
    for kind, row in (("harvest", NEXT), ("cover_crop", RYE), ("cover_species", MIX)):
        add(folder / f"{kind}.csv", row)
    return folder


def add(file: Path, row: Mapping[str, str]) -> None:
    with file.open(newline="", encoding="utf-8") as read:
        names = next(csv.reader(read))
    with file.open("a", newline="", encoding="utf-8") as written:
        csv.DictWriter(written, names, lineterminator="\n", extrasaction="ignore").writerow(row)


def without_rows(one: dict[str, Any]) -> dict[str, Any]:
    """Leave out by which keys the rows are called, which the season on the server wrote in another way."""
    return {**one, **{name: [ask | {"row": bool(ask["row"])} for ask in one[name]] for name in ("asks", "later")}}


def test_a_command_says_the_same_of_the_folder(
    cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill_season(cast)
    on(monkeypatch, DAY)
    sow(cast)
    folder = sown(tmp_path / "book")
    told = json.loads(printed(capsys, "growing", folder, "--as-of", str(DAY), "--json"))
    items = data(get("/growing", cast.token_secret))["items"]
    assert [without_rows(one) for one in told["growing"]] == [without_rows(one) for one in items]
    screen = printed(capsys, "growing", folder, "--as-of", str(DAY))
    assert "Cover crop: not shown" in " ".join(screen.split())
    assert "nothing is said of what it claims" in " ".join(screen.split())
    assert json.loads(printed(capsys, "growing", folder, "--unit", "N60", "--json"))["growing"] == []


def test_a_command_asks_for_the_day_that_it_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = sown(tmp_path / "book")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    when = {}
    for day in ("2025-11-28", "2026-03-01", "2026-07-01"):
        (one,) = json.loads(printed(capsys, "growing", folder, "--as-of", day, "--json"))["growing"]
        asks = [*one["asks"], *one["later"]]
        when[day] = next((ask["when"], ask["day"]) for ask in asks if ask["column"] == "terminated_on")
    assert when == {
        "2025-11-28": ("later", None), "2026-03-01": ("by", "2026-06-30"), "2026-07-01": ("now", None),
    }  # fmt: skip
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_farm_without_a_book_and_no_farm_are_answered_alike(cast: Cast) -> None:
    answers = [get(path, cast.other_token_secret) for path in ("/growing", "/verdicts")]
    assert {answer.status_code for answer in answers} == {404}
    assert answers[0].content.replace(b"growing", b"verdicts") == answers[1].content
