"""What a change would do is the same on the page that asks first, in the API and on the command line."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from provender.cli import app
from provender.records.kind import KINDS
from provender.schema import write
from provender.services.farm.book import farm_book_of
from provender.services.reports.edit_preview import removal_of
from tests.doors.test_farm import printed
from tests.web.api.test_calls import data, get, post
from tests.web.cast import Cast
from tests.web.farm.test_corrections import PLOW, ROW, stands, typed
from tests.web.farm_season import EXAMPLE, fill_season
from tests.web.fixtures import _lift_guards_before_emptying, _own_folder, cast

__all__ = ["_lift_guards_before_emptying", "_own_folder", "cast"]
KIND = KINDS["operation"]


def preview(cast: Cast, edits: list[dict[str, Any]], key: str = "p1") -> Any:  # noqa: ANN401 - JSON
    return post("/records/changes/preview", cast.token_secret, {"edits": edits}, key)


def test_a_program_is_told_what_the_page_asks_about_and_nothing_is_written(cast: Cast) -> None:
    fill_season(cast)
    farm, before = farm_book_of(cast.farm), stands(cast)
    row = (farm.texts(KIND, ROW) or {}) | PLOW
    answer = preview(cast, [{"kind": KIND.name, "row": row}])
    assert answer.status_code == 200, answer.content
    told = data(answer)
    assert told["version"] == farm.version == farm_book_of(cast.farm).version
    assert told["asks_first"]
    assert ("N40, field corn 2025", "No-till", "met", "not met") in {
        (one["where"], one["practice"], one["before"], one["after"]) for one in told["would_change"]["verdicts"]
    }
    assert any(one["before"] != one["after"] for one in told["would_change"]["intensities"])
    where, sent = typed(cast.client(), cast, **PLOW)
    asked = cast.client().post(where, sent).context["removal"]
    assert told["would_change"] == write(asked, whole=True)
    assert stands(cast) == before
    told = data(preview(cast, [{"kind": KIND.name, "row": (farm.texts(KIND, ROW) or {}) | {"note": "more"}}], "p2"))
    assert not told["asks_first"]


def test_edits_are_looked_at_together_and_what_is_gone_is_named(cast: Cast) -> None:
    fill_season(cast)
    farm = farm_book_of(cast.farm)
    alone = removal_of(farm, KINDS["unit"], "N40")
    told = data(preview(cast, [{"kind": "unit", "key": "N40", "row": None}]))
    assert (
        told["would_change"]
        == write(alone, whole=True)
        == data(get("/records/kinds/unit/removal?key=N40", cast.token_secret))
    )
    passes = [key for key, row in farm.of(KIND).items() if row["unit_id"] == "N40"]
    every = [{"kind": "unit", "key": "N40", "row": None}]
    every += [{"kind": KIND.name, "key": key, "row": None} for key in passes]
    together = data(preview(cast, every, "p2"))["would_change"]["orphans"]
    assert KIND.label in {one.kind for one in alone.orphans}
    assert KIND.label not in {one["kind"] for one in together}


def test_what_the_change_would_refuse_is_refused_before(cast: Cast) -> None:
    fill_season(cast)
    row = (farm_book_of(cast.farm).texts(KIND, ROW) or {}) | {"day": "someday"}
    edits = [{"kind": KIND.name, "row": row}]
    refused = preview(cast, edits)
    body = {"edits": edits, "reason": "typed", "after": farm_book_of(cast.farm).version}
    written = post("/records/changes", cast.token_secret, body, "p2")
    assert (refused.status_code, refused.content) == (written.status_code, written.content)
    assert refused.status_code == 409
    assert "someday" in refused.content.decode()


def test_no_farm_is_answered_as_at_its_neighbour(cast: Cast) -> None:
    change = {"edits": [{"kind": "unit", "key": "N40", "row": None}]}
    one = post("/records/changes/preview", cast.other_token_secret, change, "p1")
    other = post("/records/changes", cast.other_token_secret, {**change, "reason": "gone", "after": 1}, "p2")
    assert (one.status_code, one.content) == (other.status_code, other.content)


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_command_says_the_same_of_the_folder_and_writes_nothing(
    cast: Cast, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill_season(cast)
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "book"))
    before = files(folder)
    typed = [f"{name}={text}" for name, text in PLOW.items()]
    told = json.loads(printed(capsys, "preview", folder, KIND.name, ROW, *typed, "--json"))
    row = (farm_book_of(cast.farm).texts(KIND, ROW) or {}) | PLOW
    asked = data(preview(cast, [{"kind": KIND.name, "row": row}]))
    assert told == {"asks_first": True, "would_change": asked["would_change"]}
    screen = printed(capsys, "preview", folder, KIND.name, ROW, *typed)
    assert "No-till" in screen
    gone = json.loads(printed(capsys, "preview", folder, "unit", "N40", "--remove", "--json"))
    assert gone["would_change"] == data(get("/records/kinds/unit/removal?key=N40", cast.token_secret))
    mix = farm_book_of(cast.farm).of(KINDS["cover_species"])
    key = next(iter(mix))
    spoken = printed(capsys, "preview", folder, "cover_species", ", ".join(json.loads(key)), "--remove", "--json")
    assert spoken == printed(capsys, "preview", folder, "cover_species", key, "--remove", "--json")
    assert "No verdict" in printed(capsys, "preview", folder, KIND.name, ROW, "note=more")
    assert files(folder) == before


def test_rows_that_cannot_be_read_stay_so_in_what_a_command_looks_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
def test_what_cannot_be_looked_at_is_said(
    given: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = app.call(("preview", str(EXAMPLE), *given))
    except SystemExit as ended:
        status = int(ended.code or 0)
    assert status == 2
    assert said in capsys.readouterr().err
