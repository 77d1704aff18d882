"""The form of a row asks no more than it must and loses nothing that was typed; lists of rows say it in words.

Names are picked, units stand in the box, what is never used is folded, the rest begins as last time; the field's next
crop is offered first and what is missing is added on the way. Kinds of record stand in groups, those in use first.

Whoever corrects a row sees what would change before it is saved, hears what it moved, and comes back.

What rests on a correction is asked about; an earlier state is put back as a new change; what a row rules out is said
wherever the farm looks.
"""

import datetime as dt
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from provender.database.choices import Role
from provender.database.models.farm import BookKind, rows_of
from provender.paper.tables import Cell, Column
from provender.problem import ProblemsError
from provender.records.kind import GROUPS, KINDS
from provender.services.accounts.organisations import create_organisation
from provender.services.clients import farm_steps
from provender.services.farm.book import Edit, farm_book_of, open_book
from provender.services.farm.edits import checked_texts, free_key
from provender.services.farm.sown import gap_row
from provender.services.farm.verdicts import count_gaps, lacks_of, told_against, verdicts_of
from provender.services.reports.change_report import removal_of
from provender.services.reports.checklist import standings_of
from provender.verdicts.words import Standing, requirements_of
from provender.web.farm.forms import RowForm
from provender.web.farm.pages.rows import ROOM, fitting
from tests.web.api.test_calls import data, get
from tests.web.cast import Cast
from tests.web.farm_season import CROP, at, change, keep_pages, put, seen
from tests.web.producer_keys import Producer
from tests.web.replayed import replayed

NEXT = {"harvest_id": "N40-2026", "unit_id": "N40", "crop": "soybeans", "ending": "not_yet"}

RYE = {"cover_id": "RYE", "unit_id": "N40", "seeded_on": "2025-10-10", "seeded_acres": "40", "method": "drilled"}


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


ROW = "N40-01"

PLOW = {"operation": "Plow, moldboard", "depth_in": "8"}


def typed(cast: Cast, key: str = ROW, kind: str = "operation", **changed: str) -> tuple[str, dict[str, str]]:
    """Return where a row is corrected, and what its form sends."""
    said = farm_book_of(cast.farm).texts(KINDS[kind], key) or {}
    sent = {**said, **seen(cast), "reason_for_change": "the log says so", **changed}
    return at(cast, "farm_row", kind, row=key), sent


def stands(cast: Cast, key: str = ROW) -> str:
    return str(rows_of(cast.book)["operation"][key]["operation"])


def text_of(page: HttpResponse) -> str:
    return " ".join(page.content.decode().split())


def test_a_correction_on_which_verdicts_rest_is_asked_about_and_saved_by_its_page(season: Cast) -> None:
    client, before = season.client(), stands(season)
    where, sent = typed(season, **PLOW)
    asked = client.post(where, sent)
    assert asked.status_code == 200
    assert stands(season) == before, "asking writes nothing"
    text = text_of(asked)  # type: ignore[arg-type]
    assert "N40, field corn 2025: No-till, met → <strong>not met</strong>" in text
    assert "would no longer fit the records" in text
    assert "Field corn 2025, open model (an estimate): " in text
    assert f"{before} → {PLOW['operation']}" in text
    again = client.post(where, {**dict(asked.context["kept"]), "looked": "no"})
    assert again.context["form"]["operation"].value() == PLOW["operation"], "what was typed is still there"
    assert stands(season) == before
    assert client.post(where, {**dict(asked.context["kept"]), "looked": "yes"}).status_code == 302
    assert stands(season) == PLOW["operation"]


def test_what_nothing_rests_on_and_what_is_new_is_saved_at_once_and_what_was_overtaken_refused(season: Cast) -> None:
    client, kind = season.client(), KINDS["operation"]
    where, stale = typed(season, **PLOW)
    assert client.post(*typed(season, note="a word more")).status_code == 302, "no verdict changes"
    refused = client.post(where, stale)
    assert refused.context["form"].errors
    assert "kept" not in refused.context
    like = farm_book_of(season.farm).texts(kind, ROW) or {}
    new = {**like, **PLOW, "operation_id": "N40-77", **seen(season)}
    assert client.post(at(season, "farm_row", kind.name), new).status_code == 302
    assert stands(season, "N40-77") == PLOW["operation"]


def test_a_report_that_a_change_would_overtake_is_named(signed: Producer) -> None:
    cast, client = signed.cast, signed.client
    goes = data(get(f"/records/kinds/operation/removal?key={ROW}", cast.token_secret))
    assert goes["reports"] == [
        {"report": "Field corn 2025", "version": 1, "after": "an amendment would wait for its signature"}
    ]
    where, sent = typed(cast, note="a word more")
    asked = client.post(where, sent)
    said = "Field corn 2025, version 1: <strong>an amendment would wait for its signature"
    assert said in text_of(asked)  # type: ignore[arg-type]
    assert client.post(where, {**dict(asked.context["kept"]), "looked": "yes"}).status_code == 302
    assert not removal_of(farm_book_of(cast.farm), KINDS["operation"], ROW).reports, "an amendment waits already"
    (again,) = client.get(at(cast, "farm_row_put_back", "operation", row=ROW, version=2)).context["removal"].reports
    assert again.after == "says again what was signed"


def offers(client: Client, cast: Cast) -> list[str]:
    table = client.get(at(cast, "farm_row", "harvest", row=CROP)).context["history"]
    return [cell.href for row in table.cells for cell in row if cell.text == "Put back …"]


def messages(page: object) -> list[str]:
    return [str(message) for message in page.context["messages"]]  # type: ignore[attr-defined]


def test_an_earlier_state_is_put_back_as_a_new_change_onto_what_was_seen(season: Cast) -> None:
    client, version = season.client(), farm_book_of(season.farm).version
    where, sent = typed(season, CROP, "harvest", bushels="")
    bushels = str(rows_of(season.book)["harvest"][CROP]["bushels"])
    assert "kept" in client.post(where, sent).context, "a carbon intensity goes: it is asked about"
    assert client.post(where, {**sent, "looked": "yes"}).status_code == 302
    (back,) = offers(client, season)
    assert back == at(season, "farm_row_put_back", "harvest", row=CROP, version=version), "each state but today's"
    reader = season.client("reader")
    assert (offers(reader, season), reader.get(back).status_code) == ([], 403)
    asked = client.get(back)
    assert f"nothing → {bushels}" in asked.content.decode()
    assert rows_of(season.book)["harvest"][CROP]["bushels"] == "", "asking writes nothing"
    assert client.post(back, {"seen": version}).status_code == 409
    assert rows_of(season.book)["harvest"][CROP]["bushels"] == ""
    for row, none in ((CROP, 999), (CROP, "x"), (CROP, 0), ("none", version)):
        assert client.get(at(season, "farm_row_put_back", "harvest", row=row, version=none)).status_code == 404
    done = client.post(back, {"seen": asked.context["seen"]}, follow=True)
    assert rows_of(season.book)["harvest"][CROP]["bushels"] == bushels
    assert f"says again what it said in version {version}." in messages(done)[0]
    reasons = [row[2].text for row in done.context["history"].cells]
    assert (reasons[0].endswith(f"put back as of version {version}"), len(reasons)) == (True, 3)


def test_who_fills_in_a_blank_is_not_asked_and_a_step_says_of_which_harvest_it_is(season: Cast) -> None:
    bushels = str(rows_of(season.book)["harvest"][CROP]["bushels"])
    before = change(season, "harvest", CROP, bushels="")
    where, sent = typed(season, CROP, "harvest", bushels=bushels)
    done, intensity = messages(season.client().post(where, sent, follow=True))
    left, earlier = (sum(of.things for of in standings_of(one)) for one in (farm_book_of(season.farm), before))
    assert left < earlier
    assert f"is saved. Left to do before the signatures: {left} (until now: {earlier})." in done
    assert intensity.startswith("CI of Sorghum 2025 by USDA FD-CIC runs: not shown → ")

    def told() -> list[str]:
        return [one.why for one in farm_steps(season.farm) if one.page in ("farm_claims", "farm_crop", "farm")]

    assert told()
    assert not [why for why in told() if "about the harvest of" in why]
    change(season, "harvest", "N40-2026", harvest_id="N40-2026", unit_id="N40", crop="corn", ending="harvested",
           first_day="2026-10-01", last_day="2026-10-02", bushels="7000", claims="none")  # fmt: skip
    assert [why for why in told() if why.startswith("This is about the harvest of 2025. ")]


UNIT, ENTRY, WHY = "G35", "G35-2025", "The cover crop was ended by tillage."


def standing(cast: Cast) -> str:
    intervals = verdicts_of(farm_book_of(cast.farm))["intervals"]
    found = next(one for one in intervals if one["harvest_id"] == ENTRY)
    return str(next(one["standing"] for one in found["practices"] if one["practice"] == "cover_crop"))


@pytest.fixture
def tilled(season: Cast) -> Cast:
    """Return the cast after the cover of a field of which nothing is said was tilled under."""
    assert farm_steps(season.farm)[0].words == f"Say what {UNIT} claims"
    assert standing(season) == Standing.NOT_SHOWN
    farm, kind = farm_book_of(season.farm), KINDS["cover_crop"]
    like = farm.texts(kind, next(iter(farm.of(kind)))) or {}
    row = {**like, "cover_id": "X1", "unit_id": UNIT, "harvest_id": ENTRY, "termination_method": "tillage"}

    def till() -> None:
        put(season, Edit(kind.name, "X1", row))
        keep_pages(season)

    replayed("a cover tilled under", till)
    assert standing(season) == Standing.RULED_OUT
    return season


def test_what_the_records_rule_out_is_grey_with_its_reason_beside_it_and_asked_on(tilled: Cast) -> None:
    farm = farm_book_of(tilled.farm)
    assert (UNIT, "Cover crop") in {one[:2] for one in told_against(verdicts_of(farm)["intervals"], Standing.RULED_OUT)}
    matrix = tilled.client().get(at(tilled, "farm")).context["matrix"]
    noted = {(cell.text, cell.note) for row in matrix.cells if row[0].text == UNIT for cell in row}
    said = next(note for text, note in noted if text == "Cannot be met" and note.startswith(WHY))
    assert said.startswith(f"{WHY} It rests on X1 (")
    assert "buried" not in said, "the matrix has space for one reason"
    step = farm_steps(tilled.farm)[0]
    assert step.words == f"Say what {UNIT} claims"
    assert "Cover crop" in step.why.partition(f"What cannot be met on {UNIT}: ")[2]
    assert not count_gaps(change(tilled, "harvest", ENTRY, claims="none"))["unsaid"]
    assert standing(tilled) == Standing.NOT_CLAIMED


def test_a_finding_about_a_shallow_pass_leads_to_the_pass(season: Cast) -> None:
    said = {"depth_in": "0.1", "known_by": "typed_in_season", "evidence": ""}
    passes = farm_book_of(season.farm).of(KINDS["operation"]).items()
    farm = put(season, *(Edit("operation", key, {**row, **said}) for key, row in passes if row["operation"]))
    found = [
        (crop, lack)
        for crop in verdicts_of(farm)["intervals"] for practice in crop["practices"]
        for lack in lacks_of(requirements_of(crop, practice)) if lack["reason"] == "below_published_least"
    ]  # fmt: skip
    assert found
    for crop, lack in found:
        key, given = gap_row(farm, crop, lack)
        assert (farm.of(KINDS["operation"])[key]["unit_id"], given) == (crop["unit_id"], {})
