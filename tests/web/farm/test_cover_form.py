"""The form of a cover crop: nothing typed is lost, the field's next crop is offered first, species go in."""

import datetime as dt
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from provender.database.choices import Role
from provender.database.models.farm import BookKind
from provender.problem import ProblemsError
from provender.records.kind import KINDS
from provender.services.accounts.organisations import create_organisation
from provender.services.farm.book import Edit, change_book, farm_book_of, open_book
from provender.services.farm.edits import checked_texts
from provender.web.farm.forms import RowForm
from tests.web.cast import Cast
from tests.web.farm_season import fill_season

NEXT = {"harvest_id": "N40-2026", "unit_id": "N40", "crop": "soybeans", "ending": "not_yet"}
RYE = {"cover_id": "RYE", "unit_id": "N40", "seeded_on": "2025-10-10", "seeded_acres": "40", "method": "drilled"}


@pytest.fixture
def owner(cast: Cast) -> Client:
    fill_season(cast)
    return cast.client()


def row(cast: Cast, kind: str) -> str:
    return reverse("farm_row", args=(cast.farm.handle, kind))


def seen(cast: Cast) -> dict[str, str]:
    return {"seen_version": str(farm_book_of(cast.farm).version)}


def write(cast: Cast, *edits: Edit) -> None:
    change_book(cast.book, list(edits), reason="typed", actor=cast.actor("owner"))


def choices(page: str) -> list[tuple[str, list[str]]]:
    """Return the groups of the crop entries offered, each with its values in order."""
    (select,) = re.findall(r'<select name="harvest_id".*?</select>', page, re.DOTALL)
    groups = re.findall(r'<optgroup label="(.*?)">(.*?)</optgroup>', select, re.DOTALL)
    return [(label, re.findall(r'value="(.*?)"', options)) for label, options in groups]


def test_what_was_typed_comes_back_with_the_crop_entry_that_was_added(cast: Cast, owner: Client) -> None:
    form = f"{row(cast, 'cover_crop')}?next=/somewhere/"
    left = owner.post(form, {**RYE, **seen(cast), "leave": "harvest_id", "species": "oats", "depth_in": "a lot"})
    assert left.status_code == 302
    page = owner.get(left["Location"]).content.decode()
    assert re.search(r'<option value="N40" selected>', page), "the field goes along"
    saved = owner.post(left["Location"], {**NEXT, **seen(cast)})
    assert saved.status_code == 302
    page = owner.get(saved["Location"]).content.decode()
    for value in ("2025-10-10", "a lot", "oats"):
        assert f'value="{value}"' in page
    assert '<option value="drilled" selected>' in page
    assert '<option value="N40-2026" selected>' in page
    done = owner.post(saved["Location"], {**RYE, **seen(cast), "harvest_id": "N40-2026"})
    assert done["Location"] == "/somewhere/"
    assert farm_book_of(cast.farm).of(KINDS["cover_crop"])["RYE"]["harvest_id"] == "N40-2026"
    assert 'value="2025-10-10"' not in owner.get(saved["Location"]).content.decode(), "what was saved is no draft"


def test_a_correction_that_leads_away_keeps_what_was_typed_too(cast: Cast, owner: Client) -> None:
    sent = {"planting_id": "N40-P1", "harvest_id": "N40-2025", "planted_on": "2025-04-29", "reason_for_change": "found"}
    left = owner.post(f"{row(cast, 'planting')}?row=N40-P1", {**sent, **seen(cast), "leave": "harvest_id"})
    assert "next=" in left["Location"]
    saved = owner.post(left["Location"], {**NEXT, **seen(cast)})
    page = owner.get(saved["Location"]).content.decode()
    assert 'value="2025-04-29"' in page
    assert 'value="found"' in page
    assert '<option value="N40-2026" selected>' in page
    assert farm_book_of(cast.farm).of(KINDS["planting"])["N40-P1"]["planted_on"] == "2025-04-23", (
        "nothing is written yet"
    )


def test_a_draft_of_another_form_or_of_nobody_fills_nothing(cast: Cast, owner: Client) -> None:
    left = owner.post(row(cast, "cover_crop"), {**RYE, **seen(cast), "leave": "harvest_id"})
    (draft,) = re.findall(r"draft=([\w-]+)", left["Location"])[:1]
    assert "2025-10-10" not in owner.get(row(cast, "planting"), {"draft": draft}).content.decode()
    assert "2025-10-10" not in cast.client("writer").get(row(cast, "cover_crop"), {"draft": draft}).content.decode()
    assert owner.post(row(cast, "cover_crop"), {**seen(cast), "leave": "unit_id"}).status_code == 200, (
        "nothing adds one"
    )


def test_the_field_s_own_next_crop_is_offered_first(cast: Cast, owner: Client) -> None:
    write(
        cast,
        Edit("harvest", "E80-2026", {**NEXT, "harvest_id": "E80-2026", "unit_id": "E80"}),
        Edit("harvest", "N40-2026", NEXT),
    )
    found = choices(owner.get(row(cast, "cover_crop"), {"unit_id": "N40"}).content.decode())
    assert found[0] == ("N40", ["N40-2026", "N40-2025", "N40-2024"])
    assert len(found) == 1, "a cover crop belongs to a crop of its own field"
    every = choices(owner.get(row(cast, "cover_crop")).content.decode())
    assert {label for label, _ in every[:2]} == {"N40", "E80"}
    assert all("2026" in entries[0] for _, entries in every[:2])
    assert len(every) > 2


def test_species_go_in_with_the_cover_under_the_list_s_name(cast: Cast, owner: Client) -> None:
    write(cast, Edit("harvest", "N40-2026", NEXT))
    sent = {**RYE, "harvest_id": "N40-2026", "species": "cereal rye", "rate_lb_per_ac": "60"}
    answer = owner.post(row(cast, "cover_crop"), {**sent, **seen(cast)}, follow=True)
    (mix,) = [one for one in farm_book_of(cast.farm).of(KINDS["cover_species"]).values() if one["cover_id"] == "RYE"]
    assert (mix["species"], mix["as_typed"], mix["rate_lb_per_ac"]) == ("Cereal Rye, Winter", "cereal rye", "60")
    assert "RYE is saved" in answer.content.decode()


def test_a_common_name_of_one_species_is_taken_for_it(cast: Cast, owner: Client) -> None:
    write(cast, Edit("cover_crop", "RYE", {**RYE, "harvest_id": "N40-2025"}))
    for typed in ("winter rye", "crimson clover", "oats"):
        sent = {"cover_id": "RYE", "species": typed, **seen(cast)}
        assert owner.post(row(cast, "cover_species"), sent).status_code == 302, typed
    mixes = farm_book_of(cast.farm).of(KINDS["cover_species"]).values()
    named = {one["species"] for one in mixes if one["cover_id"] == "RYE"}
    assert named == {"Cereal Rye, Winter", "Clover, Crimson", "Oats"}


def test_a_name_of_several_species_is_asked_about_beside_the_cover(cast: Cast, owner: Client) -> None:
    write(cast, Edit("harvest", "N40-2026", NEXT))
    sent = {**RYE, "harvest_id": "N40-2026", "species": "wheat", **seen(cast)}
    page = owner.post(row(cast, "cover_crop"), sent).content.decode()
    assert "Wheat, Winter" in page
    assert "RYE" not in farm_book_of(cast.farm).of(KINDS["cover_crop"])
    assert owner.post(row(cast, "cover_crop"), {**sent, "kept_as_typed": "on"}).status_code == 302


def test_a_common_name_is_no_unknown_one_to_the_script_either(cast: Cast, owner: Client) -> None:
    page = owner.get(row(cast, "cover_crop")).content.decode()
    (also,) = re.findall(r'<option value="Cereal Rye, Winter"[^>]*data-also="([^"]*)"', page)
    assert {"cereal rye", "winter rye"} <= set(also.split("|"))
    assert "wheat" not in "|".join(re.findall(r'data-also="([^"]*)"', page)).split("|"), "it may be two"


def test_a_correction_left_to_add_evidence_keeps_what_was_typed(cast: Cast, owner: Client) -> None:
    sent = {"planting_id": "N40-P1", "harvest_id": "N40-2025", "planted_on": "2025-04-29", "evidence": "OLD"}
    left = owner.post(f"{row(cast, 'planting')}?row=N40-P1", {**sent, **seen(cast), "leave": "evidence"})
    assert left["Location"].startswith(f"{reverse('farm_evidence', args=(cast.farm.handle,))}?by=file&kind=planting")
    (back,) = parse_qs(urlsplit(left["Location"]).query)["next"]
    page = owner.get(back).content.decode()
    assert 'value="2025-04-29"' in page
    assert 'value="OLD"' not in page, "the page of evidence writes that column itself"
    assert 'value="2025-04-29"' not in owner.get(back.replace("N40-P1", "E80-P1")).content.decode()
    assert owner.post(row(cast, "planting"), {**seen(cast), "leave": "evidence"}).status_code == 200, (
        "no row stands yet"
    )


def test_a_form_that_was_left_waits_for_its_own_farm_alone(cast: Cast, owner: Client) -> None:
    """Who keeps the records of two farms in one session finds nothing of one in the forms of the other."""
    actor = cast.actor("owner")
    other = create_organisation("Second Farm", roles=[Role.FARM], manager=cast.person("owner"), actor=actor)
    open_book(other, BookKind.FARM, actor=actor)
    left = owner.post(row(cast, "cover_crop"), {**RYE, **seen(cast), "leave": "harvest_id"})["Location"]
    draft = parse_qs(urlsplit(left).query)["draft"][0]

    def there(kind: str) -> str:
        return f"{reverse('farm_row', args=(other.handle, kind))}?draft={draft}"

    assert "2025-10-10" not in owner.get(there("cover_crop")).content.decode()
    unit = {"unit_id": "N40", "acres": "12", "seen_version": "0"}
    assert owner.post(there("unit"), unit).status_code == 302
    theirs = {**NEXT, "harvest_id": "THEIRS", "seen_version": "1"}
    assert owner.post(there("harvest"), theirs).status_code == 302
    back = {**seen(cast), "harvest_id": "THEIRS", "cover_id": "X", "unit_id": "N40", "seeded_on": "2025-10-11"}
    assert owner.post(there("cover_crop"), {**back, "seen_version": "2"}).status_code == 302
    page = owner.get(f"{row(cast, 'cover_crop')}?draft={draft}").content.decode()
    assert 'value="2025-10-10"' in page, "it waits where it was left"
    assert 'value="THEIRS"' not in page


@pytest.mark.parametrize(("days", "refused"), [(-1, False), (0, False), (1, True)])
def test_it_is_refused_where_it_is_typed_or_sent(cast: Cast, days: int, refused: bool) -> None:
    fill_season(cast)
    farm = farm_book_of(cast.farm)
    kind = KINDS["cover_crop"]
    crop, row = next((key, one) for key, one in farm.of(KINDS["harvest"]).items() if one["last_day"])
    seeded = dt.date.fromisoformat(str(row["last_day"])) + dt.timedelta(days=days)
    texts = {"cover_id": "CX", "unit_id": str(row["unit_id"]), "harvest_id": crop, "seeded_on": seeded.isoformat()}
    form = RowForm(kind, farm, None, initial={}, data={**texts, "seen_version": str(farm.version)})
    assert ("which should follow it, was harvested" in str(form.errors)) is refused
    if refused:
        with pytest.raises(ProblemsError, match="which should follow it, was harvested"):
            checked_texts(kind, texts, farm, "row")
    else:
        assert checked_texts(kind, texts, farm, "row")["harvest_id"] == crop
