"""Page, API and command show the same of a farm: totals, what a growing crop asks for, what a change would do."""

import csv
import io
import json
import shutil
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from provender.cli import app
from provender.exact import parse, show
from provender.records.kind import KINDS
from provender.schema import write
from provender.services.farm.book import farm_book_of, latest
from provender.services.farm.check import CAPTION, EXPLAINED
from provender.services.farm.growing import growing_views, needs_of
from provender.services.farm.verdicts import totals_of
from provender.services.reports.change_report import removal_of
from tests.web.api.test_calls import data, get, post
from tests.web.cast import Cast
from tests.web.farm.test_growing_asks import MIX, NEXT, RYE, on, sow
from tests.web.farm.test_row_form import PLOW, ROW, stands, typed
from tests.web.farm_season import EXAMPLE, fill_season
from tests.web.fixtures import _lift_guards_before_emptying, _own_folder, cast, season

__all__ = ["_lift_guards_before_emptying", "_own_folder", "cast", "season"]

BOOKS = (
    pytest.param({}, id="as it ships", marks=pytest.mark.slow),
    pytest.param({"7300": ""}, id="without the bushels of N40"),
)
"""What stands in the cells of the example farm instead of other texts."""
GROWN = date(2025, 11, 28)
KIND = KINDS["operation"]


def folder_of(called: Mapping[str, str], folder: Path) -> Path:
    """Return the example farm on disk with other texts in its harvests."""
    shutil.copytree(EXAMPLE, folder)
    harvests = folder / "harvest.csv"
    text = harvests.read_text(encoding="utf-8")
    for before, after in called.items():
        assert text.count(f",{before},") == 1
        text = text.replace(f",{before},", f",{after},")
    harvests.write_text(text, encoding="utf-8")
    return folder


def printed(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    with pytest.raises(SystemExit):
        app.call(tuple(map(str, arguments)))
    return capsys.readouterr().out


def without_farm(totals: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out the name of the farm, which is another one on the server."""
    return [{name: value for name, value in one.items() if name != "farm_id"} for one in totals]


def in_file(amount: int | None) -> str:
    return "" if amount is None else show(amount)


@pytest.mark.parametrize("called", BOOKS)
def test_the_totals_across_the_operation(
    cast: Cast, called: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill_season(cast, called)
    shown = totals_of(latest(cast.book))
    assert any(one.bushels is None for one in shown) is bool(called)
    expected = write(shown, whole=True)
    assert data(get("/practice-totals?limit=500", cast.token_secret))["items"] == expected
    book, saved = folder_of(called, tmp_path / "book"), tmp_path / "saved.csv"
    told = json.loads(printed(capsys, "check", book, "--json", "--csv", saved))
    assert without_farm(told["practice_totals"]) == without_farm(expected)
    address = reverse("farm", args=(cast.farm.handle,))
    content = cast.client().get(address, {"save": "csv", "table": "practice totals"}).content
    assert content == (tmp_path / "saved-practice-totals.csv").read_bytes()
    rows = csv.DictReader(io.StringIO(content.decode("utf-8-sig")))
    assert [(row["Practice"], row["Acres"], row["Bushels"]) for row in rows] == [
        (one.label, in_file(one.acres), in_file(one.bushels)) for one in shown
    ]
    if called:
        page, screen = cast.client().get(address).content.decode(), " ".join(printed(capsys, "check", book).split())
        for text in (CAPTION, EXPLAINED, "not known: 1 of 3 not recorded"):
            assert text in page
            assert text in screen


def test_a_year_and_a_unit_that_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """Totals of one unit would not be across the operation: there are none."""
    unit = json.loads(printed(capsys, "check", EXAMPLE, "--unit", "N40", "--json"))
    year = json.loads(printed(capsys, "check", EXAMPLE, "--year", "2025", "--json"))
    assert unit["practice_totals"] == []
    assert {one["harvest_year"] for one in year["practice_totals"]} == {2025}
    assert parse(year["practice_totals"][0]["acres"]) == 175_000


def sown(folder: Path) -> Path:
    shutil.copytree(EXAMPLE, folder)
    for kind, row in (("harvest", NEXT), ("cover_crop", RYE), ("cover_species", MIX)):
        with (folder / f"{kind}.csv").open("r+", newline="", encoding="utf-8") as file:
            names = next(csv.reader(file))
            file.seek(0, io.SEEK_END)
            csv.DictWriter(file, names, lineterminator="\n", extrasaction="ignore").writerow(row)
    return folder


def without_rows(one: dict[str, Any]) -> dict[str, Any]:
    """Leave out by which keys the rows are called, which the season on the server wrote in another way."""
    return {**one, **{name: [ask | {"row": bool(ask["row"])} for ask in one[name]] for name in ("asks", "later")}}


@pytest.mark.slow
def test_what_a_growing_crop_asks_for(
    season: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on(monkeypatch, GROWN)
    assert data(get("/growing", season.token_secret)) == {"items": [], "next": None}
    farm = sow(season)
    items = data(get("/growing", season.token_secret))["items"]
    (one,) = items
    assert (one["harvest_id"], one["unit_id"], one["harvest_year"]) == (NEXT["harvest_id"], "N40", 2026)
    photograph = next(ask for ask in one["asks"] if ask["column"] == "established_photo")
    assert (photograph["row"], photograph["when"], photograph["day"]) == ("RYE", "by", "2026-06-30")
    assert photograph["until"] == "before the cover crop is terminated"
    assert {(ask["kind"], ask["when"]) for ask in one["later"]} >= {("planting", "later")}
    assert len(one["asks"]) + one["unsaid"] == needs_of(growing_views(farm)).things
    page = season.client().get(reverse("farm_todo", args=(season.farm.handle,))).content.decode()
    assert [ask["words"] for ask in one["asks"] if ask["words"] not in page[page.index('id="growing"') :]] == []
    folder = sown(tmp_path / "book")
    before = files(folder)
    told = json.loads(printed(capsys, "growing", folder, "--as-of", str(GROWN), "--json"))
    assert [without_rows(one) for one in told["growing"]] == [without_rows(one) for one in items]
    monkeypatch.undo()
    (late,) = json.loads(printed(capsys, "growing", folder, "--as-of", "2026-07-01", "--json"))["growing"]
    asks = [*late["asks"], *late["later"]]
    assert next(ask["when"] for ask in asks if ask["column"] == "terminated_on") == "now", "asked for the day it names"
    assert files(folder) == before


def preview(cast: Cast, edits: list[dict[str, Any]], key: str = "p1") -> Any:  # noqa: ANN401 - JSON
    return post("/records/changes/preview", cast.token_secret, {"edits": edits}, key)


def test_a_change_is_looked_at_as_the_page_asks_about_it_and_nothing_is_written(season: Cast) -> None:
    farm, before = farm_book_of(season.farm), stands(season)
    row = (farm.texts(KIND, ROW) or {}) | PLOW
    answer = preview(season, [{"kind": KIND.name, "row": row}])
    assert answer.status_code == 200, answer.content
    told = data(answer)
    assert told["version"] == farm.version == farm_book_of(season.farm).version
    assert told["asks_first"]
    assert ("N40, field corn 2025", "No-till", "met", "not met") in {
        (one["where"], one["practice"], one["before"], one["after"]) for one in told["would_change"]["verdicts"]
    }
    assert any(one["before"] != one["after"] for one in told["would_change"]["intensities"])
    where, sent = typed(season, **PLOW)
    asked = season.client().post(where, sent).context["removal"]
    assert told["would_change"] == write(asked, whole=True)
    assert stands(season) == before


def test_edits_are_looked_at_together_and_what_is_gone_is_named(season: Cast) -> None:
    farm = farm_book_of(season.farm)
    alone = removal_of(farm, KINDS["unit"], "N40")
    assert write(alone, whole=True) == data(get("/records/kinds/unit/removal?key=N40", season.token_secret))
    passes = [key for key, row in farm.of(KIND).items() if row["unit_id"] == "N40"]
    every = [{"kind": "unit", "key": "N40", "row": None}]
    every += [{"kind": KIND.name, "key": key, "row": None} for key in passes]
    together = data(preview(season, every))["would_change"]["orphans"]
    assert KIND.label in {one.kind for one in alone.orphans}
    assert KIND.label not in {one["kind"] for one in together}


def test_what_the_change_would_refuse_is_refused_before(season: Cast) -> None:
    row = (farm_book_of(season.farm).texts(KIND, ROW) or {}) | {"day": "someday"}
    edits = [{"kind": KIND.name, "row": row}]
    refused = preview(season, edits)
    body = {"edits": edits, "reason": "typed", "after": farm_book_of(season.farm).version}
    written = post("/records/changes", season.token_secret, body, "p2")
    assert (refused.status_code, refused.content) == (written.status_code, written.content)
    assert refused.status_code == 409
    assert "someday" in refused.content.decode()


def test_no_farm_and_a_farm_without_a_book_are_answered_alike(cast: Cast) -> None:
    change = {"edits": [{"kind": "unit", "key": "N40", "row": None}]}
    one = post("/records/changes/preview", cast.other_token_secret, change, "p1")
    other = post("/records/changes", cast.other_token_secret, {**change, "reason": "gone", "after": 1}, "p2")
    assert (one.status_code, one.content) == (other.status_code, other.content)
    answers = [get(path, cast.other_token_secret) for path in ("/growing", "/verdicts")]
    assert {answer.status_code for answer in answers} == {404}
    assert answers[0].content.replace(b"growing", b"verdicts") == answers[1].content


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_command_says_the_same_of_the_folder_and_writes_nothing(
    season: Cast, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "book"))
    before = files(folder)
    typed = [f"{name}={text}" for name, text in PLOW.items()]
    told = json.loads(printed(capsys, "preview", folder, KIND.name, ROW, *typed, "--json"))
    row = (farm_book_of(season.farm).texts(KIND, ROW) or {}) | PLOW
    asked = data(preview(season, [{"kind": KIND.name, "row": row}]))
    assert told == {"asks_first": True, "would_change": asked["would_change"]}
    gone = json.loads(printed(capsys, "preview", folder, "unit", "N40", "--remove", "--json"))
    assert gone["would_change"] == data(get("/records/kinds/unit/removal?key=N40", season.token_secret))
    key = next(iter(farm_book_of(season.farm).of(KINDS["cover_species"])))
    assert printed(capsys, "preview", folder, "cover_species", ", ".join(json.loads(key)), "--remove")
    assert files(folder) == before


def test_rows_that_cannot_be_read_stay_so_in_a_preview(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "book"))
    passes = folder / "operation.csv"
    text = passes.read_text(encoding="utf-8")
    (second,) = [line for line in text.splitlines() if line.startswith("N40-02,")]
    passes.write_text(text.replace(second, second.replace("2025-04-07", "someday")), encoding="utf-8")
    told = json.loads(printed(capsys, "preview", folder, KIND.name, ROW, "note=more", "--json"))
    assert told["would_change"]["verdicts"] == [], "the row that cannot be read withholds as much as before"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((KIND.name, "none", "note=x"), "No row 'none'"),
        (("nonsense", ROW, "note=x"), "no such kind"),
        ((KIND.name, ROW, "day=someday"), "someday"),
        ((KIND.name, ROW, "operation_id=other"), "names a row"),
        ((KIND.name, ROW), "--remove"),
        ((KIND.name, ROW, "note=x", "--remove"), "--remove"),
        ((KIND.name, ROW, "note"), "COLUMN=TEXT"),
    ],
)
def test_what_is_no_change_is_told(given: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = app.call(("preview", str(EXAMPLE), *given))
    except SystemExit as ended:
        status = int(ended.code or 0)
    assert status == 2
    assert said in capsys.readouterr().err
