"""Evidence handed in on the page, graded and named in its record, alone or with its table; fields on the map."""

import io
import json
import re
from pathlib import Path

import pytest
from django.urls import reverse
from PIL import Image
from pytest_django import Settings

from provender.database.models.farm import BookImport
from provender.database.store.record_books import rows_of
from provender.services.farm.book import latest
from provender.services.imports.evidence import evidence_of
from tests.web.cast import Cast
from tests.web.farm_season import CROP, fill_season
from tests.web.importing import file, hand_in, read_here, stored, table, wait, write

__all__ = ["read_here"]

pytestmark = pytest.mark.usefixtures("read_here")


def photograph() -> bytes:
    """Return a photograph that says when it was taken and not where."""
    out, image = io.BytesIO(), Image.new("RGB", (64, 48), "green")
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0x9003] = "2025:05:04 10:11:12"
    image.save(out, "JPEG", exif=exif)
    return out.getvalue()


def evidence(cast: Cast) -> str:
    return reverse("farm_evidence", args=(cast.farm.handle,))


def test_a_photograph_shows_what_its_claim_is_worth_before_it_is_kept(cast: Cast) -> None:
    fill_season(cast)
    known = set(rows_of(cast.book)["evidence"])
    said = {"file": file("stand.jpg", photograph()), "what": "photograph", "unit_id": "G70"}
    given = cast.client().post(evidence(cast), said)
    assert given.status_code == 302
    begun = BookImport.objects.latest("id")
    (row,) = [row for row in wait(begun).rows if row.kind == "evidence"]
    assert (row.texts["unit_id"], row.texts["what"]) == ("G70", "photograph")
    assert any(problem.code == "photo_verdict" for problem in wait(begun).problems)
    write(cast, begun)
    (new,) = set(rows_of(cast.book)["evidence"]) - known
    assert rows_of(cast.book)["evidence"][new]["sha256"]
    shown = cast.client().get(evidence(cast)).content.decode()
    assert "Download" in shown


def test_a_document_is_kept_and_named_in_the_record_it_is_for(cast: Cast) -> None:
    fill_season(cast)
    before = rows_of(cast.book)["harvest"][CROP]
    said = {"file": file("ticket.pdf", b"%PDF-1.7 a ticket"), "what": "ticket", "unit_id": "G70"}
    given = cast.client().post(f"{evidence(cast)}?by=file&kind=harvest&row={CROP}", said)
    assert given.status_code == 302
    after = rows_of(cast.book)["harvest"][CROP]
    name = str(after["evidence"]).split("; ")[-1]
    assert rows_of(cast.book)["evidence"][name]["what"] == "ticket"
    assert {**after, "evidence": ""} == {**before, "evidence": ""}


def test_evidence_for_a_record_that_is_not_there_is_not_found(cast: Cast) -> None:
    assert cast.client().get(f"{evidence(cast)}?kind=harvest&row=nothing").status_code == 404


def test_a_phone_is_asked_for_its_camera(cast: Cast) -> None:
    assert 'capture="environment"' in cast.client().get(evidence(cast)).content.decode()
    assert "capture=" not in cast.client().get(f"{evidence(cast)}?by=file").content.decode()


def test_the_map_holds_every_unit_that_has_a_boundary_with_its_verdict(cast: Cast) -> None:
    fill_season(cast)
    shown = cast.client().get(reverse("farm_map", args=(cast.farm.handle,))).content.decode()
    text = shown.partition('<script id="fields" type="application/json">')[2].partition("</script>")[0]
    units = {one["unit"]: one["verdict"] for one in json.loads(text)["units"]}
    assert len(units) == 12
    assert set(units.values()) == {"met", "plain"}, "what no run names is claimed by nobody"
    assert json.loads(text)["counties"]["features"]


def test_the_legend_of_the_map_names_every_color_on_it_and_no_other(cast: Cast) -> None:
    fill_season(cast)
    for practice in ("no_till", "cover_crop", "nitrification_inhibitor"):
        asked = f"{reverse('farm_map', args=(cast.farm.handle,))}?practice={practice}"
        shown = cast.client().get(asked).content.decode()
        text = shown.partition('<script id="fields" type="application/json">')[2].partition("</script>")[0]
        legend = shown.partition('<p class="legend">')[2].partition("</p>")[0]
        words = {found.strip() for found in re.findall(r">([^<>]+)<", legend)} - {""}
        assert words == {one["words"] for one in json.loads(text)["units"]}, practice


def test_acres_far_from_the_claimed_ones_are_asked_about_before_a_drawn_boundary_is_kept(cast: Cast) -> None:
    fill_season(cast)
    where = f"{reverse('farm_draw', args=(cast.farm.handle,))}?unit=N40"
    square = "39.2, -96.6\n39.2, -96.59\n39.21, -96.59\n39.21, -96.6"
    given = cast.client().post(where, {"unit": "N40", "corners": square})
    assert given.status_code == 302
    begun = BookImport.objects.latest("id")
    assert any(problem.code == "acres_differ" for problem in wait(begun).problems)
    write(cast, begun)
    drawn = json.loads(str(rows_of(cast.book)["file"]["boundaries/N40.geojson"]["text"]))
    assert drawn["type"] == "MultiPolygon"


def test_corners_that_are_none_are_told_by_their_line(cast: Cast) -> None:
    fill_season(cast)
    where = reverse("farm_draw", args=(cast.farm.handle,))
    wrong = cast.client().post(where, {"unit": "N40", "corners": "39.2, -96.6\nby the oak\n39.21, -96.6"})
    assert "Line 2 is no corner" in wrong.content.decode()
    few = cast.client().post(where, {"unit": "N40", "corners": "39.2, -96.6\n39.21, -96.6"})
    assert "needs 3 to" in few.content.decode()


def test_what_a_verdict_rests_on_beside_the_book_moves_what_is_kept_of_it(
    cast: Cast, settings: Settings, tmp_path: Path
) -> None:
    """A file that goes, comes or is written over, and a list of calculators, are judged anew."""
    fill_season(cast)
    said = {"file": file("ticket.pdf", b"%PDF-1.7 a ticket"), "what": "ticket", "unit_id": "G70"}
    cast.client().post(f"{evidence(cast)}?by=file&kind=harvest&row={CROP}", said)
    farm = latest(cast.book)
    path = next(path for path in farm.evidence_paths.values() if path.exists())
    marks = [farm.judged_under]
    content = path.read_bytes()
    for change in (lambda: path.write_bytes(content + b"x"), path.unlink, lambda: path.write_bytes(content)):
        change()
        marks.append(latest(cast.book).judged_under)
    settings.CALCULATORS = tmp_path / "list.toml"
    for text in ("a = 1", "a = 2"):
        settings.CALCULATORS.write_text(text)
        marks.append(latest(cast.book).judged_under)
    assert len(set(marks)) == len(marks)


def named(**changed: str) -> str:
    row = {"evidence_id": "EV-9", "file": "stand.jpg", "what": "photograph", "unit_id": "G70", "note": "The stand."}
    return table("evidence", row | changed)


def new_rows(cast: Cast, before: set[str]) -> dict[str, dict[str, object]]:
    return {key: row for key, row in stored(cast, "evidence").items() if key not in before}


def test_a_photograph_that_comes_with_its_table_is_linked(cast: Cast) -> None:
    fill_season(cast)
    before = set(stored(cast, "evidence"))
    begun = hand_in(cast, file("stand.jpg", photograph()), file("evidence.csv", named(file="photos\\Stand.JPG")))
    assert not [one for one in wait(begun).problems if one.code == "photo_unit"], "the table says which unit it shows"
    assert write(cast, begun) == 302
    ((key, row),) = new_rows(cast, before).items()
    assert (key, row["unit_id"], row["note"]) == ("EV-9", "G70", "The stand.")
    assert row["taken_on"] == "2025-05-04", "what the table leaves blank the file says"
    handles = {key: handle for key, _, handle in evidence_of(latest(cast.book))}
    assert handles["EV-9"]
    page = cast.client().get(reverse("farm_evidence", args=(cast.farm.handle,))).content.decode()
    assert reverse("stored_file", args=(cast.farm.handle, handles["EV-9"])) in page


def test_what_names_two_files_or_another_one_stays_as_it_is(cast: Cast) -> None:
    fill_season(cast)
    before = set(stored(cast, "evidence"))
    rows = (named(), named(evidence_id="EV-10"), named(evidence_id="EV-11", file="other.jpg"))
    lines = [rows[0].splitlines()[0], *(row.splitlines()[1] for row in rows)]
    text = "\n".join(lines) + "\n"
    write(cast, hand_in(cast, file("stand.jpg", photograph()), file("evidence.csv", text)))
    found = new_rows(cast, before)
    assert {"EV-9", "EV-10", "EV-11"} < set(found)
    assert len(found) == 4
    assert {found[key]["sha256"] for key in ("EV-9", "EV-10", "EV-11")} == {""}
