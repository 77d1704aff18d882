"""The form of a row asks no more than it must and loses nothing that was typed; lists of rows say it in words.

Names are picked, units stand in the box, what is never used is folded, the rest begins as last time; the field's next
crop is offered first and what is missing is added on the way. Kinds of record stand in groups, those in use first.
"""

import datetime as dt
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from provender.database.choices import Role
from provender.database.models.farm import BookKind
from provender.paper.tables import Cell, Column
from provender.problem import ProblemsError
from provender.records.kind import GROUPS, KINDS
from provender.services.accounts.organisations import create_organisation
from provender.services.farm.book import Edit, farm_book_of, open_book
from provender.services.farm.edits import checked_texts, free_key, unused
from provender.web.farm.forms import RowForm
from provender.web.farm.pages.rows import ROOM, fitting
from tests.web.cast import Cast
from tests.web.farm_season import at, change, put, seen

NEXT = {"harvest_id": "N40-2026", "unit_id": "N40", "crop": "soybeans", "ending": "not_yet"}
RYE = {"cover_id": "RYE", "unit_id": "N40", "seeded_on": "2025-10-10", "seeded_acres": "40", "method": "drilled"}


@pytest.mark.slow
def test_a_new_row_is_asked_for_in_picks_and_boxes_with_their_units_and_the_rest_is_folded(season: Cast) -> None:
    client, kind = season.client(), KINDS["operation"]
    with CaptureQueriesContext(connection) as queries:
        page = client.get(at(season, "farm_row", "operation"))
    assert not [one["sql"] for one in queries if "LIKE" in one["sql"].upper() and "change" in one["sql"]]
    shown, form, farm = page.content.decode(), page.context["form"], farm_book_of(season.farm)
    assert 'list="picks-operation"' in shown
    aside = unused(farm, kind)
    assert aside
    assert {each.name for each in form.parts()["folded"]} == {*aside, "operation_id"}
    wrong = RowForm(kind, farm, None, initial={}, data=dict.fromkeys(aside, "no such value"))
    assert {each.name for each in wrong.parts()["folded"]} < {*aside, "operation_id"}, "until it is wrong"
    assert not unused(farm, KINDS["farm"]), "one row does not show what a farm uses"
    shown = client.get(at(season, "farm_row", "harvest")).content.decode()
    assert 'data-when="ending" data-words="|harvested"' in shown


def test_a_day_is_read_as_here_only_photographs_are_offered_and_the_next_crop_first(season: Cast) -> None:
    farm = farm_book_of(season.farm)
    for typed, day in (("5/4/2025", "2025-05-04"), ("05/14/2025", "2025-05-14"), ("2025-05-04", "2025-05-04")):
        form = RowForm(KINDS["operation"], farm, None, initial={}, data={"day": typed})
        form.is_valid()
        assert form.cleaned_data["day"] == day
    grant = {"verifier": season.verifier.handle, "first_day": "5/4/2025", "last_day": "05/14/2025", "purpose": "x"}
    assert "Enter a valid date" not in season.client().post(at(season, "grants"), grant).content.decode()
    some = next(iter(farm_book_of(season.farm).of(KINDS["evidence"])))
    change(season, "evidence", some, evidence_id="PAPER", what="receipt")
    farm = put(season, Edit("evidence", "PICTURE", {"evidence_id": "PICTURE", "what": "photograph", "file": "p.jpg"}))
    form = RowForm(KINDS["cover_crop"], farm, None, initial={})
    offered = {value for value, _ in form.fields["established_photo"].widget.choices}
    every = farm.of(KINDS["evidence"])
    assert offered - {""} == {key for key, one in every.items() if one["what"] == "photograph"}
    other = {**NEXT, "harvest_id": "W35-2026", "unit_id": "W35"}
    put(season, Edit("harvest", "W35-2026", other), Edit("harvest", "N40-2026", NEXT))
    found = crops_offered(season.client(), at(season, "farm_row", "cover_crop", unit_id="N40"))
    assert found == [("N40", ["N40-2026", "N40-2025", "N40-2024"])], "a cover crop belongs to a crop of its own field"
    crops = crops_offered(season.client(), at(season, "farm_row", "cover_crop"))
    assert {label for label, _ in crops[:2]} == {"N40", "W35"}
    assert all("2026" in entries[0] for _, entries in crops[:2])
    assert len(crops) > 2


def test_a_blank_that_is_filled_in_needs_no_reason_and_what_was_said_does(season: Cast) -> None:
    client, kind = season.client(), KINDS["operation"]
    key = next(iter(farm_book_of(season.farm).of(kind)))
    texts, where = change(season, "operation", key, equipment="").texts(kind, key) or {}, ""
    where = at(season, "farm_row", "operation", row=key)
    label = client.get(where).content.decode().partition("Why it is corrected")[2].partition("</div>")[0]
    assert "What only fills in a blank needs none." in label
    assert client.post(where, {**texts, **seen(season), "equipment": "John Deere"}).status_code == 302
    assert (farm_book_of(season.farm).texts(kind, key) or {})["equipment"] == "John Deere"
    for other in ("Case", ""):  # what is taken away was said, too
        answer = client.post(where, {**texts, **seen(season), "equipment": other})
        assert (answer.status_code, "Say why" in answer.content.decode()) == (200, True), other


@pytest.mark.slow
def test_a_new_crop_is_named_by_its_field_and_year(season: Cast) -> None:
    said = {"unit_id": "N40", "ending": "harvested"}
    for crop, month, name in (("corn", "10", "N40-2031"), ("rye", "06", "N40-2031-2")):
        days = {"first_day": f"2031-{month}-01", "last_day": f"2031-{month}-02"}
        sent = season.client().post(at(season, "farm_row", "harvest"), {**said, **days, "crop": crop, **seen(season)})
        assert sent.status_code == 302, sent.content.decode()
        assert name in farm_book_of(season.farm).of(KINDS["harvest"])


@pytest.mark.slow
def test_a_row_begins_as_last_time_on_its_field_and_keeps_what_was_typed(season: Cast) -> None:
    client, farm, kind = season.client(), farm_book_of(season.farm), KINDS["operation"]
    rows, where = farm.of(kind), at(season, "farm_row", "operation")
    for unit in ("G70", "N40"):
        before = client.get(where, {"unit_id": unit}).context["before"]
        assert {str(rows[one.key]["unit_id"]) for one in before} == {unit}
        assert all(unit in one.called for one in before)
    page = client.post(where, {**seen(season), "note": "typed just now", "like": before[0].key})
    form = page.context["form"]
    assert (page.status_code, form.errors, form.initial["note"]) == (200, {}, "typed just now")
    assert form.initial["operation"] == (farm.texts(kind, before[0].key) or {})["operation"]
    text = page.content.decode()
    assert text.index(">Save</button>") < text.index('name="like"'), "the enter key saves"
    key, row = next((key, row) for key, row in rows.items() if row["depth_in"] and row["day"])
    initial = client.get(where, {"like": key, "unit_id": "G70"}).context["form"].initial
    assert [initial[name] for name in ("operation", "depth_in", "unit_id")] == [
        row["operation"],
        row["depth_in"],
        "G70",
    ]
    assert "day" not in initial
    assert initial["operation_id"] == free_key(farm, kind)
    assert initial["operation_id"] not in rows
    assert "operation" not in client.get(where, {"like": "nothing"}).context["form"].initial


def test_a_new_row_takes_no_name_that_was_taken_out_or_that_another_row_means(cast: Cast) -> None:
    kind, farm = KINDS["soil_test"], {"farm_id": cast.farm.handle}
    note = {"evidence_id": "E-1", **farm, "note": "ST-1", "what": "ST-2; ST-20"}
    assert free_key(put(cast, Edit("evidence", "E-1", note)), kind) == "ST-3"
    rows = [Edit(kind.name, f"ST-{at}", {"soil_test_id": f"ST-{at}", **farm}) for at in (3, 4)]
    put(cast, *rows)
    assert free_key(put(cast, Edit(kind.name, "ST-4", None)), kind) == "ST-5"


@pytest.mark.slow
def test_what_was_typed_comes_back_with_the_crop_entry_that_was_added(season: Cast) -> None:
    client, form = season.client(), at(season, "farm_row", "cover_crop", next="/somewhere/")
    leave = '<button class="link" type="submit" name="leave" value="harvest_id"'
    assert leave in client.get(form).content.decode()
    sent = {**RYE, **seen(season), "leave": "harvest_id", "species": "oats", "depth_in": "a lot"}
    left = client.post(form, sent)
    assert left.status_code == 302
    page = client.get(left["Location"]).content.decode()
    assert re.search(r'<option value="N40" selected>', page), "the field goes along"
    saved = client.post(left["Location"], {**NEXT, **seen(season)})
    assert saved.status_code == 302
    page = client.get(saved["Location"]).content.decode()
    for value in ("2025-10-10", "a lot", "oats"):
        assert f'value="{value}"' in page
    assert '<option value="drilled" selected>' in page
    assert '<option value="N40-2026" selected>' in page
    done = client.post(saved["Location"], {**RYE, **seen(season), "harvest_id": "N40-2026"})
    assert done["Location"] == "/somewhere/"
    assert farm_book_of(season.farm).of(KINDS["cover_crop"])["RYE"]["harvest_id"] == "N40-2026"
    assert 'value="2025-10-10"' not in client.get(saved["Location"]).content.decode(), "what was saved is no draft"


@pytest.mark.slow
def test_a_form_that_was_left_waits_for_its_own_form_person_and_farm_alone(season: Cast) -> None:
    """Who keeps the records of two farms in one session finds nothing of one in the forms of the other."""
    client, actor, cover = season.client(), season.actor("owner"), at(season, "farm_row", "cover_crop")
    other = create_organisation("Second Farm", roles=[Role.FARM], manager=season.person("owner"), actor=actor)
    open_book(other, BookKind.FARM, actor=actor)
    left = client.post(cover, {**RYE, **seen(season), "leave": "harvest_id"})["Location"]
    (draft,) = parse_qs(urlsplit(left).query)["draft"]

    def there(kind: str) -> str:
        return f"{reverse('farm_row', args=(other.handle, kind))}?draft={draft}"

    for who, where in (
        (client, at(season, "farm_row", "planting", draft=draft)),
        (season.client("writer"), f"{cover}?draft={draft}"),
        (client, there("cover_crop")),
    ):
        assert "2025-10-10" not in who.get(where).content.decode()
    added = client.post(cover, {**seen(season), "leave": "unit_id"})
    assert added.status_code == 200, "nothing adds one"
    theirs = {"cover_id": "X", "unit_id": "N40", "harvest_id": "THEIRS", "seeded_on": "2025-10-11"}
    for number, (kind, row) in enumerate((
        ("unit", {"unit_id": "N40", "acres": "12"}), ("harvest", {**NEXT, "harvest_id": "THEIRS"}),
        ("cover_crop", theirs),
    )):  # fmt: skip
        assert client.post(there(kind), {**row, "seen_version": str(number)}).status_code == 302
    page = client.get(f"{cover}?draft={draft}").content.decode()
    assert 'value="2025-10-10"' in page, "it waits where it was left"
    assert 'value="THEIRS"' not in page


def crops_offered(client: Client, where: str) -> list[tuple[str, list[str]]]:
    """Return the groups of the crop entries offered, each with its values in order."""
    (select,) = re.findall(r'<select name="harvest_id".*?</select>', client.get(where).content.decode(), re.DOTALL)
    groups = re.findall(r'<optgroup label="(.*?)">(.*?)</optgroup>', select, re.DOTALL)
    return [(label, re.findall(r'value="(.*?)"', options)) for label, options in groups]


@pytest.mark.slow
def test_species_go_in_with_the_cover_under_the_list_s_name_and_one_of_several_meanings_is_asked_about(
    season: Cast,
) -> None:
    client, cover = season.client(), at(season, "farm_row", "cover_crop")
    change(season, "harvest", "N40-2026", **NEXT)
    page = client.get(cover).content.decode()
    (also,) = re.findall(r'<option value="Cereal Rye, Winter"[^>]*data-also="([^"]*)"', page)
    assert {"cereal rye", "winter rye"} <= set(also.split("|")), "no unknown name to the script either"
    assert "wheat" not in "|".join(re.findall(r'data-also="([^"]*)"', page)).split("|"), "it may be two"
    sent = {**RYE, "harvest_id": "N40-2026", "species": "wheat", **seen(season)}
    assert "Wheat, Winter" in client.post(cover, sent).content.decode()
    assert "RYE" not in farm_book_of(season.farm).of(KINDS["cover_crop"])
    sent |= {"species": "cereal rye", "rate_lb_per_ac": "60"}
    assert "RYE is saved" in client.post(cover, {**sent, **seen(season)}, follow=True).content.decode()
    (mix,) = [one for one in farm_book_of(season.farm).of(KINDS["cover_species"]).values() if one["cover_id"] == "RYE"]
    assert (mix["species"], mix["as_typed"], mix["rate_lb_per_ac"]) == ("Cereal Rye, Winter", "cereal rye", "60")
    wheat = {**sent, "cover_id": "WHEAT", "species": "wheat", **seen(season), "kept_as_typed": "on"}
    assert client.post(cover, {**wheat, "both_are_meant": "on"}).status_code == 302
    for typed in ("crimson clover", "oats"):
        row = {"cover_id": "RYE", "species": typed, **seen(season)}
        assert client.post(at(season, "farm_row", "cover_species"), row).status_code == 302, typed
    mixes = farm_book_of(season.farm).of(KINDS["cover_species"]).values()
    named = {one["species"] for one in mixes if one["cover_id"] == "RYE"}
    assert named == {"Cereal Rye, Winter", "Clover, Crimson", "Oats"}


def test_a_cover_seeded_after_its_crop_was_cut_is_refused(season: Cast) -> None:
    farm, kind = farm_book_of(season.farm), KINDS["cover_crop"]
    crop, row = next((key, one) for key, one in farm.of(KINDS["harvest"]).items() if one["last_day"])
    told = "which should follow it, was harvested"
    for days, refused in ((-1, False), (0, False), (1, True)):
        seeded = dt.date.fromisoformat(str(row["last_day"])) + dt.timedelta(days=days)
        texts = {"cover_id": "CX", "unit_id": str(row["unit_id"]), "harvest_id": crop, "seeded_on": seeded.isoformat()}
        form = RowForm(kind, farm, None, initial={}, data={**texts, **seen(season)})
        assert (told in str(form.errors)) is refused
        if refused:
            with pytest.raises(ProblemsError, match=told):
                checked_texts(kind, texts, farm, "row")
        else:
            assert checked_texts(kind, texts, farm, "row")["harvest_id"] == crop


def test_kinds_stand_in_groups_the_first_column_has_room_and_idle_ones_are_not_needed() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(KINDS)
    for kind in KINDS.values():
        for name, found in kind.typed_fields.items():
            if found.when:
                choice = kind.typed_fields[found.when.field]
                words = {word for word in found.when.said if word}
                assert words <= {*choice.options, "yes", "no"} or choice.kind == "text", (kind.name, name)
                assert not found.required, (kind.name, name)
    columns = [Column("Row"), Column("Text"), Column("Day"), Column("Last")]
    rows = [[Cell("x" * ROOM), Cell("y"), Cell("2025-10-01"), Cell("z")]]
    assert [one.file_only for one in fitting(columns, rows)] == [False, True, True, True]
    assert not any(one.file_only for one in fitting(columns, [[Cell("a")] * 4]))
    rows = [[Cell(key), Cell("x" * (ROOM // 12)), Cell(key * (ROOM // 20))] for key in "ab"]
    assert [one.file_only for one in fitting(columns[:3], rows)] == [False, True, False]
