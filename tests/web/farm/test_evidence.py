"""Evidence handed in on the page, graded and named in its record, alone or with its table; fields on the map.

Real files of other systems: each is read, shown with its source and written by the nod.
"""

import io
import json
import re
from pathlib import Path

import pytest
from PIL import Image
from pytest_django import Settings

from provender.database.models.farm import BookImport, Change, rows_of
from provender.services.farm.book import latest
from provender.services.imports.evidence import evidence_of
from tests.web.cast import Cast
from tests.web.farm_season import CROP, FEW, at
from tests.web.importing import file, hand_in, read_here, stored, table, wait, write

__all__ = ["read_here"]

pytestmark = pytest.mark.usefixtures("read_here", "parsed_here")


def photograph() -> bytes:
    out, image = io.BytesIO(), Image.new("RGB", (64, 48), "green")
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0x9003] = "2025:05:04 10:11:12"
    image.save(out, "JPEG", exif=exif)
    return out.getvalue()


def keep_ticket(cast: Cast) -> None:
    said = {"file": file("ticket.pdf", b"%PDF-1.7 a ticket"), "what": "ticket", "unit_id": "G70"}
    where = at(cast, "farm_evidence", by="file", kind="harvest", row=CROP)
    assert cast.client().post(where, said).status_code == 302


def test_a_photograph_shows_what_its_claim_is_worth_before_it_is_kept(season: Cast) -> None:
    known, where = set(rows_of(season.book)["evidence"]), at(season, "farm_evidence")
    assert 'capture="environment"' in season.client().get(where).content.decode(), "a phone is asked for its camera"
    assert "capture=" not in season.client().get(f"{where}?by=file").content.decode()
    said = {"file": file("stand.jpg", photograph()), "what": "photograph", "unit_id": "G70"}
    assert season.client().post(where, said).status_code == 302
    begun = BookImport.objects.latest("id")
    (row,) = [row for row in wait(begun).rows if row.kind == "evidence"]
    assert (row.texts["unit_id"], row.texts["what"]) == ("G70", "photograph")
    assert any(problem.code == "photo_verdict" for problem in wait(begun).problems)
    write(season, begun)
    (new,) = set(rows_of(season.book)["evidence"]) - known
    assert rows_of(season.book)["evidence"][new]["sha256"]
    assert "Download" in season.client().get(where).content.decode()


def test_a_document_is_kept_and_named_in_the_record_it_is_for(season: Cast) -> None:
    before = rows_of(season.book)["harvest"][CROP]
    keep_ticket(season)
    after = rows_of(season.book)["harvest"][CROP]
    name = str(after["evidence"]).split("; ")[-1]
    assert rows_of(season.book)["evidence"][name]["what"] == "ticket"
    assert {**after, "evidence": ""} == {**before, "evidence": ""}
    nothing = at(season, "farm_evidence", kind="harvest", row="nothing")
    assert season.client().get(nothing).status_code == 404


@pytest.mark.slow
def test_the_map_holds_every_unit_with_its_verdict_and_its_legend_names_every_color_on_it_and_no_other(
    season: Cast,
) -> None:
    for practice in ("", "no_till", "cover_crop"):
        asked = {"practice": practice} if practice else {}
        shown = season.client().get(at(season, "farm_map", **asked)).content.decode()
        text = shown.partition('<script id="fields" type="application/json">')[2].partition("</script>")[0]
        found = json.loads(text)
        legend = shown.partition('<p class="legend">')[2].partition("</p>")[0]
        words = {found.strip() for found in re.findall(r">([^<>]+)<", legend)} - {""}
        assert words == {one["words"] for one in found["units"]}, practice
        if not practice:
            assert len(found["units"]) == len(FEW)
            verdicts = {one["verdict"] for one in found["units"]}
            assert verdicts == {"met", "plain"}, "what no run names is claimed by nobody"
            assert found["counties"]["features"]


def test_acres_far_from_the_claimed_ones_are_asked_about_before_a_drawn_boundary_is_kept(season: Cast) -> None:
    where, client = at(season, "farm_draw"), season.client()
    for corners, told in (("39.2, -96.6\nby the oak\n39.21, -96.6", "Line 2 is no corner"),
                          ("39.2, -96.6\n39.21, -96.6", "needs 3 to")):  # fmt: skip
        assert told in client.post(where, {"unit": "N40", "corners": corners}).content.decode()
    square = "39.2, -96.6\n39.2, -96.59\n39.21, -96.59\n39.21, -96.6"
    assert client.post(f"{where}?unit=N40", {"unit": "N40", "corners": square}).status_code == 302
    begun = BookImport.objects.latest("id")
    assert any(problem.code == "acres_differ" for problem in wait(begun).problems)
    assert "I have looked" in client.get(at(season, "farm_import", begun.handle)).content.decode()
    head = Change.objects.filter(book=season.book).count()
    assert write(season, begun, looked="") == 302
    assert Change.objects.filter(book=season.book).count() == head, "only somebody who looked writes it"
    assert write(season, begun) == 302
    assert Change.objects.filter(book=season.book).count() == head + 1
    drawn = json.loads(str(rows_of(season.book)["file"]["boundaries/N40.geojson"]["text"]))
    assert drawn["type"] == "MultiPolygon"


def test_what_a_verdict_rests_on_moves_what_is_kept(season: Cast, settings: Settings, tmp_path: Path) -> None:
    """A file that goes, comes or is written over, and a list of calculators, are judged anew."""
    keep_ticket(season)
    farm = latest(season.book)
    path = next(path for path in farm.evidence_paths.values() if path.exists())
    marks, content = [farm.judged_under], path.read_bytes()
    for change in (lambda: path.write_bytes(content + b"x"), path.unlink, lambda: path.write_bytes(content)):
        change()
        marks.append(latest(season.book).judged_under)
    settings.CALCULATORS = tmp_path / "list.toml"
    for text in ("a = 1", "a = 2"):
        settings.CALCULATORS.write_text(text)
        marks.append(latest(season.book).judged_under)
    assert len(set(marks)) == len(marks)


def named(**changed: str) -> str:
    row = {"evidence_id": "EV-9", "file": "stand.jpg", "what": "photograph", "unit_id": "G70", "note": "The stand."}
    return table("evidence", row | changed)


def new_rows(cast: Cast, before: set[str]) -> dict[str, dict[str, object]]:
    return {key: row for key, row in stored(cast, "evidence").items() if key not in before}


def test_a_photograph_that_comes_with_its_table_is_linked(season: Cast) -> None:
    before = set(stored(season, "evidence"))
    begun = hand_in(season, file("stand.jpg", photograph()), file("evidence.csv", named(file="photos\\Stand.JPG")))
    assert not [one for one in wait(begun).problems if one.code == "photo_unit"], "the table says which unit it shows"
    assert write(season, begun) == 302
    ((key, row),) = new_rows(season, before).items()
    assert (key, row["unit_id"], row["note"]) == ("EV-9", "G70", "The stand.")
    assert row["taken_on"] == "2025-05-04", "what the table leaves blank the file says"
    handles = {key: handle for key, _, handle in evidence_of(latest(season.book))}
    page = season.client().get(at(season, "farm_evidence")).content.decode()
    assert at(season, "stored_file", handles["EV-9"]) in page


def test_what_names_two_files_or_another_one_stays_as_it_is(season: Cast) -> None:
    before = set(stored(season, "evidence"))
    rows = (named(), named(evidence_id="EV-10"), named(evidence_id="EV-11", file="other.jpg"))
    lines = [rows[0].splitlines()[0], *(row.splitlines()[1] for row in rows)]
    text = "\n".join(lines) + "\n"
    write(season, hand_in(season, file("stand.jpg", photograph()), file("evidence.csv", text)))
    found = new_rows(season, before)
    assert {"EV-9", "EV-10", "EV-11"} < set(found)
    assert len(found) == 4
    assert {found[key]["sha256"] for key in ("EV-9", "EV-10", "EV-11")} == {""}
