"""What a cover crop lacks opens the very row and field that lacks it; what was typed of it is told and shown."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from provender.practices.to_do import missing_record
from provender.records.kind import KINDS
from provender.services.farm.book import Edit, FarmBook, change_book, farm_book_of
from provender.services.farm.sown import gap_row
from tests.web.cast import Cast
from tests.web.farm_season import fill_season
from tests.web.replayed import replayed

OF = {"unit_id": "N40", "harvest_id": "N40-next"}
NEXT = {"harvest_id": "N40-next", "unit_id": "N40", "crop": "corn", "ending": "not_yet"}
RYE = {
    "cover_id": "RYE", "unit_id": "N40", "harvest_id": "N40-next", "seeded_on": "2025-10-10", "seeded_acres": "40",
    "method": "drilled",
}  # fmt: skip
MIX = {"cover_id": "RYE", "species": "Cereal Rye, Winter", "as_typed": "cereal rye"}
UNLISTED = "cover_species.species (not in the cover-crop list, or none)"


@pytest.fixture
def owner(cast: Cast) -> Client:
    fill_season(cast)
    edits, actor = [Edit("harvest", "N40-next", NEXT), Edit("cover_crop", "RYE", RYE)], cast.actor("owner")
    replayed("a cover without its species", lambda: change_book(cast.book, edits, reason="typed", actor=actor))
    return cast.client()


def write(cast: Cast, *edits: Edit) -> FarmBook:
    change_book(cast.book, list(edits), reason="typed", actor=cast.actor("owner"))
    return farm_book_of(cast.farm)


def mix_of(farm: FarmBook) -> str:
    return next(key for key, row in farm.of(KINDS["cover_species"]).items() if row["cover_id"] == "RYE")


def add_mix(cast: Cast) -> FarmBook:
    return write(cast, Edit("cover_species", "RYE/Cereal Rye, Winter", MIX))


def test_a_gap_of_a_species_opens_its_row_and_a_new_one_names_its_cover(cast: Cast, owner: Client) -> None:
    rate = missing_record("cover_species.rate_lb_per_ac")
    assert gap_row(farm_book_of(cast.farm), OF, rate) == ("", {"cover_id": "RYE"})
    farm = add_mix(cast)
    assert gap_row(farm, OF, rate) == (mix_of(farm), {})
    page = owner.get(reverse("farm_crop", args=(cast.farm.handle,)), {"crop": "N40-next"}).content.decode()
    hrefs = [one.replace("&amp;", "&") for one in re.findall(r'href="([^"]*cover_species/row/[^"]*)"', page)]
    (href,) = {one for one in hrefs if one.endswith("#id_rate_lb_per_ac")}
    assert parse_qs(urlsplit(href).query)["row"] == [mix_of(farm)]
    assert 'id="id_rate_lb_per_ac"' in owner.get(href).content.decode()


def test_a_species_that_no_list_has_is_mended_where_it_stands(cast: Cast, owner: Client) -> None:
    farm = write(cast, Edit("cover_species", "RYE/something", {"cover_id": "RYE", "species": "something green"}))
    assert gap_row(farm, OF, missing_record(UNLISTED)) == (mix_of(farm), {})


def test_a_day_that_does_not_do_is_mended_in_the_row_that_says_it(cast: Cast, owner: Client) -> None:
    farm = write(cast, Edit("cover_crop", "RYE", {**RYE, "terminated_on": "2025-09-01"}))
    out_of_order = missing_record("cover_crop.terminated_on (after seeding, before harvest)")
    assert gap_row(farm, OF, out_of_order) == ("RYE", {})
    before = missing_record("planting.planted_on (of the crop before: a cover ended before its harvest)")
    assert gap_row(farm, {"unit_id": "N40", "harvest_id": "N40-2025"}, before)[0] == ""


def test_what_was_understood_of_a_common_name_is_said_once(cast: Cast, owner: Client) -> None:
    where = reverse("farm_row", args=(cast.farm.handle, "cover_species"))
    seen = {"seen_version": str(farm_book_of(cast.farm).version)}
    page = owner.post(where, {"cover_id": "RYE", "species": "cereal rye", **seen}, follow=True).content.decode()
    told = "Cereal Rye, Winter is recorded for what you typed, cereal rye"
    assert told in page
    key = mix_of(farm_book_of(cast.farm))
    seen = {"seen_version": str(farm_book_of(cast.farm).version), "reason_for_change": "rate"}
    sent = {**MIX, "rate_lb_per_ac": "60", **seen}
    page = owner.post(f"{where}?row={key}", sent, follow=True).content.decode()
    assert farm_book_of(cast.farm).of(KINDS["cover_species"])[key]["rate_lb_per_ac"] == "60"
    assert told not in page


def test_a_cover_shows_its_species_on_its_page_and_in_its_list(cast: Cast, owner: Client) -> None:
    write(cast, Edit("cover_species", "RYE/Cereal Rye, Winter", {**MIX, "rate_lb_per_ac": "60"}))
    listed = owner.get(reverse("farm_kind", args=(cast.farm.handle, "cover_crop"))).content.decode()
    assert "Cereal Rye, Winter (60 lb/ac)" in listed
    page = owner.get(reverse("farm_row", args=(cast.farm.handle, "cover_crop")), {"row": "RYE"}).content.decode()
    assert "Cereal Rye, Winter</a>" in page
    assert "60" in page
    assert "cover_id=RYE&amp;next=" in page, "another species of the mix"
    saved = owner.get(reverse("farm_kind", args=(cast.farm.handle, "cover_crop")), {"format": "csv"}).content.decode()
    assert "Cereal Rye, Winter" not in saved or "Species" not in saved.splitlines()[0]
