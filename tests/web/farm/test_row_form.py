"""The form of a row asks little: names to pick, units in the box, what is never used folded, the rest as last time."""

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape

from provender.database.store.record_books import rows_of
from provender.records.kind import KINDS
from provender.services.farm.book import Edit, change_book, latest
from provender.services.farm.edits import free_key, unused
from provender.web.farm.forms import LOCKED, RowForm
from tests.web.cast import Cast
from tests.web.farm_season import fill_season


def form_of(cast: Cast, kind: str = "operation", asked: str = "") -> RowForm:
    page = cast.client().get(f"{reverse('farm_row', args=(cast.farm.handle, kind))}{asked}")
    form = page.context["form"]
    assert isinstance(form, RowForm)
    return form


def test_operations_and_products_are_picked_by_typing(cast: Cast) -> None:
    fill_season(cast)
    shown = cast.client().get(reverse("farm_row", args=(cast.farm.handle, "operation"))).content.decode()
    assert 'list="picks-operation"' in shown
    used = next(str(row["operation"]) for row in rows_of(cast.book)["operation"].values())
    listed = shown.partition('<datalist id="picks-operation"')[2].partition("</datalist>")[0]
    assert f'value="{escape(used)}"' in listed
    assert listed.count("<option") > 100
    assert f'value="{escape("Plow, moldboard")}" label="Plow, moldboard: STIR 65 {"▮" * 13} 8 in, 5 mph"' in listed
    assert form_of(cast, "nutrient_application").fields["product"].picks  # type: ignore[attr-defined]


def test_a_day_is_read_as_the_united_states_write_it(cast: Cast) -> None:
    fill_season(cast)
    farm, client = latest(cast.book), cast.client()
    for typed, day in (("5/4/2025", "2025-05-04"), ("05/14/2025", "2025-05-14"), ("2025-05-04", "2025-05-04")):
        form = RowForm(KINDS["operation"], farm, None, initial={}, data={"day": typed})
        form.is_valid()
        assert form.cleaned_data["day"] == day
        grant = {"verifier": cast.verifier.handle, "first_day": typed, "last_day": typed, "purpose": "x"}
        page = client.post(reverse("grants", args=(cast.farm.handle,)), grant).content.decode()
        assert "Enter a valid date" not in page, typed


def test_what_the_farm_never_fills_is_folded_until_it_is_wrong(cast: Cast) -> None:
    fill_season(cast)
    kind, farm = KINDS["operation"], latest(cast.book)
    aside = unused(farm, kind)
    assert aside
    parts = form_of(cast).parts()
    assert {each.name for each in parts["folded"]} == {*aside, "operation_id"}
    wrong = RowForm(kind, farm, None, initial={}, data=dict.fromkeys(aside, "no such value"))
    assert {each.name for each in wrong.parts()["folded"]} < {*aside, "operation_id"}
    assert not unused(farm, KINDS["farm"]), "one row does not show what a farm uses"


def test_a_correction_says_when_its_reason_is_needed(cast: Cast) -> None:
    fill_season(cast)
    key = next(iter(rows_of(cast.book)["operation"]))
    page = cast.client().get(f"{reverse('farm_row', args=(cast.farm.handle, 'operation'))}?row={key}").content.decode()
    label = page.partition("Why it is corrected")[2].partition("</div>")[0]
    assert "What only fills in a blank needs none." in label


def test_every_locked_key_says_so_and_what_to_do(cast: Cast) -> None:
    fill_season(cast)
    farm, told = latest(cast.book), []
    for kind in KINDS.values():
        keys = set(kind.key_columns) - ({"farm_id"} if kind.name != "farm" else set())
        for key in list(farm.of(kind))[:1]:
            form = RowForm(kind, farm, key, initial=farm.texts(kind, key) or {})
            assert {name for name in form.fields if getattr(form.fields[name], "beside", "") == LOCKED} == keys, (
                kind.name
            )
            told.append(kind.name)
        fresh = RowForm(kind, farm, None, initial={})
        assert not any(getattr(field, "beside", "") for field in fresh.fields.values())
    assert "cover_species" in told
    where = reverse("farm_row", args=(cast.farm.handle, "cover_species"))
    row = next(iter(rows_of(cast.book)["cover_species"]))
    shown = cast.client().get(where, {"row": row}).content.decode()
    assert shown.count(LOCKED) == 2, "beside the cover and beside the species"


def test_a_row_begins_as_last_time_without_its_day_and_name(cast: Cast) -> None:
    fill_season(cast)
    rows = rows_of(cast.book)["operation"]
    key, row = next((key, row) for key, row in rows.items() if row["depth_in"] and row["day"])
    initial = form_of(cast, asked=f"?like={key}&unit_id=G70").initial
    assert (initial["operation"], initial["depth_in"]) == (row["operation"], row["depth_in"])
    assert initial["unit_id"] == "G70"
    assert "day" not in initial
    assert initial["operation_id"] == free_key(latest(cast.book), KINDS["operation"])
    assert initial["operation_id"] not in rows
    assert "operation" not in form_of(cast, asked="?like=nothing").initial


def test_a_new_row_never_takes_the_name_of_one_that_was_taken_out(cast: Cast) -> None:
    kind = KINDS["soil_test"]
    for number in (1, 2, 3):
        row = {"soil_test_id": f"ST-{number}", "farm_id": cast.farm.handle}
        change_book(cast.book, [Edit(kind.name, f"ST-{number}", row)], reason="sampled", actor=cast.actor("owner"))
    change_book(cast.book, [Edit(kind.name, "ST-3", None)], reason="removed", actor=cast.actor("owner"))
    assert free_key(latest(cast.book), kind) == "ST-4"


def test_a_new_row_takes_no_name_that_another_row_already_means(cast: Cast) -> None:
    kind = KINDS["soil_test"]
    row = {"evidence_id": "E-1", "farm_id": cast.farm.handle, "note": "ST-1", "what": "ST-2; ST-20"}
    change_book(cast.book, [Edit("evidence", "E-1", row)], reason="kept", actor=cast.actor("owner"))
    assert free_key(latest(cast.book), kind) == "ST-3"


def test_the_page_of_a_new_row_searches_no_texts_of_changes(cast: Cast) -> None:
    fill_season(cast)
    with CaptureQueriesContext(connection) as asked:
        form_of(cast)
    assert not [one["sql"] for one in asked if "LIKE" in one["sql"].upper() and "change" in one["sql"]]


def test_units_stand_in_the_box_and_paragraphs_behind_an_i(cast: Cast) -> None:
    shown = cast.client().get(reverse("farm_row", args=(cast.farm.handle, "operation"))).content.decode()
    form = shown.partition("panel wide")[2].partition("</form>")[0]
    assert '<span class="quiet">(in)</span>' in form
    outside = form.replace("<span>7 CFR", "").count("7 CFR")
    assert outside == 0, "a paragraph stands behind its i only"
    assert form.count("needed</span>") == sum(
        field.required for name, field in KINDS["operation"].typed_fields.items() if name != "farm_id"
    )


def test_what_the_choice_makes_idle_is_said_once_with_the_column(cast: Cast) -> None:
    shown = cast.client().get(reverse("farm_row", args=(cast.farm.handle, "harvest"))).content.decode()
    assert 'data-when="ending" data-words="|harvested"' in shown
    still = form_of(cast).fields["depth_in"].when  # type: ignore[attr-defined]
    assert still.hides
    assert "Aerial application" in still.said
    for kind in KINDS.values():
        for name, found in kind.typed_fields.items():
            if found.when:
                asked = kind.typed_fields[found.when.field]
                words = {word for word in found.when.said if word}
                assert words <= {*asked.options, "yes", "no"} or asked.kind == "text", (kind.name, name)
                assert not found.required, (kind.name, name)


def test_the_crop_entry_that_is_not_there_yet_is_added_on_the_way_and_leads_back(cast: Cast) -> None:
    fill_season(cast)
    where = reverse("farm_row", args=(cast.farm.handle, "cover_crop"))
    adds = str(form_of(cast, "cover_crop").fields["harvest_id"].adds)  # type: ignore[attr-defined]
    assert (
        '<button class="link" type="submit" name="leave" value="harvest_id"'
        in cast.client().get(where).content.decode()
    )
    crop = {"harvest_id": "G70-2027", "unit_id": "G70", "crop": "corn", "ending": "not_yet"}
    answer = cast.client().post(adds, {**crop, "seen_version": latest(cast.book).version})
    assert (answer.status_code, answer.headers["Location"]) == (302, where)
    correcting = form_of(cast, "planting", f"?row={next(iter(rows_of(cast.book)['planting']))}")
    assert "row%3D" in correcting.fields["harvest_id"].adds  # type: ignore[attr-defined]
