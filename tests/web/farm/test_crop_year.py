"""A crop that is in the ground, with its cover: what its records show so far stands on the pages of practices."""

import pytest
from django.test import Client
from django.urls import reverse

from provender.records.kind import KINDS
from provender.services.farm.book import Edit, FarmBook, change_book, farm_book_of
from provender.services.farm.field_says import still_to_do
from provender.services.farm.growing import growing_of, growing_seasons
from provender.services.farm.verdicts import verdicts_of
from tests.web.cast import Cast
from tests.web.farm_season import fill_season
from tests.web.replayed import replayed

NEXT = {"harvest_id": "N40-next", "unit_id": "N40", "crop": "soybeans", "ending": "not_yet"}
RYE = {
    "cover_id": "RYE", "unit_id": "N40", "harvest_id": "N40-next", "seeded_on": "2025-10-10", "seeded_acres": "40",
    "method": "drilled",
}  # fmt: skip


@pytest.fixture
def owner(cast: Cast) -> Client:
    fill_season(cast)
    edits, actor = [Edit("harvest", "N40-next", NEXT)], cast.actor("owner")
    replayed("soybeans to come", lambda: change_book(cast.book, edits, reason="typed", actor=actor))
    return cast.client()


def write(cast: Cast, *edits: Edit) -> FarmBook:
    change_book(cast.book, list(edits), reason="typed", actor=cast.actor("owner"))
    return farm_book_of(cast.farm)


def where(cast: Cast, name: str, *more: object) -> str:
    return reverse(name, args=(cast.farm.handle, *more))


def text_of(client: Client, address: str, **asked: str) -> str:
    answer = client.get(address, asked)
    assert answer.status_code == 200
    return answer.content.decode()


def cover(farm: FarmBook) -> dict[str, object]:
    (one,) = growing_of(farm)
    found: dict[str, object]
    (found,) = [each for each in one["practices"] if each["name"] == "cover_crop"]
    return found


def test_what_a_growing_crop_lacks_is_told_and_what_speaks_against_it_too(cast: Cast, owner: Client) -> None:
    before = verdicts_of(farm_book_of(cast.farm))
    farm = write(cast, Edit("cover_crop", "RYE", RYE))
    (one,) = growing_of(farm)
    assert (one["unit_id"], one["crop"], one["harvest_year"]) == ("N40", "Soybeans", 2026)
    lacks = {(each["kind"], each["column"]) for each in still_to_do(cover(farm))}
    assert {("cover_crop", "terminated_on"), ("cover_species", "species"), ("planting", "planted_on")} <= lacks
    assert not {kind for kind, _ in lacks} & {"harvest", "declaration"}
    assert ("cover_crop", "seeded_on") not in lacks, "its day is there and only waits for the planting"
    assert cover(farm)["implementation"] is None
    farm = write(
        cast, Edit("cover_crop", "RYE", {**RYE, "terminated_on": "2026-04-14", "termination_method": "tillage"})
    )
    assert cover(farm)["implementation"] is False
    assert verdicts_of(farm)["intervals"] == before["intervals"], "no verdict comes of a crop that is not harvested"


@pytest.mark.parametrize(
    ("edits", "year"),
    [
        ((), 2026),  # the year after the field's last harvest
        ((Edit("cover_crop", "RYE", {**RYE, "seeded_on": "2026-09-10"}),), 2027),
        ((Edit("cover_crop", "RYE", {**RYE, "seeded_on": "2026-03-10"}),), 2026),
        ((Edit("planting", "P9", {"planting_id": "P9", "harvest_id": "N40-next", "planted_on": "2028-04-20"}),
          Edit("cover_crop", "RYE", RYE)), 2028),
        ((Edit("harvest", "N40-2025", None), Edit("harvest", "N40-2024", None)), None),
    ],
)  # fmt: skip
def test_the_year_of_a_crop_to_come_is_that_of_what_was_done_for_it(
    cast: Cast, owner: Client, edits: tuple[Edit, ...], year: int | None
) -> None:
    farm = write(cast, *edits) if edits else farm_book_of(cast.farm)
    (one,) = growing_of(farm)
    assert one["harvest_year"] == year


def test_its_season_ends_with_no_harvest_and_the_pages_of_practices_show_it_so(cast: Cast, owner: Client) -> None:
    farm = write(cast, Edit("cover_crop", "RYE", RYE))
    (one,) = growing_seasons(farm)
    assert one["last_day"] is None
    assert [event["what"] for event in one["events"]] == [
        "End of the crop before (corn)", "Cover crop seeded"
    ]  # fmt: skip
    field = f"{where(cast, 'farm_crop')}?crop=N40-next"
    matrix = text_of(owner, where(cast, "farm"))
    assert field in matrix
    assert "Soybeans 2026" in matrix
    for name in ("farm", "farm_claims", "farm_plan", "farm_intensity", "farm_season", "farm_reports"):
        page = text_of(owner, where(cast, name))
        assert "not harvested yet" in page, name
        assert "N40" in page
    page = text_of(owner, where(cast, "farm_crop"), crop="N40-next")
    assert "Not harvested yet" in page
    assert "Termination date" in page
    assert "(after the harvest)" in page
    season = text_of(owner, where(cast, "farm_season"), year="2026")
    assert "<h1>Season 2026</h1>" in season
    assert f"{where(cast, 'farm_season')}?unit=N40" in season
    of_field = text_of(owner, where(cast, "farm_season"), unit="N40")
    assert "Cover crop seeded" in of_field
    page = text_of(owner, where(cast, "farm_season"), year="2031")
    assert "No records of 2031." in page
    assert "<h1>Season 2025</h1>" not in page
    assert "No records of" not in text_of(owner, where(cast, "farm_season"), year="2025")


def test_a_claim_of_a_crop_to_come_can_be_ticked(cast: Cast, owner: Client) -> None:
    sent = {"crop": "N40-next", "claim": "N40-next/cover_crop", "seen": str(farm_book_of(cast.farm).version)}
    assert owner.post(where(cast, "farm_claims"), sent).status_code == 302
    assert farm_book_of(cast.farm).of(KINDS["harvest"])["N40-next"]["claims"] == "cover_crop"


def test_whoever_saves_a_cover_hears_what_the_field_shows_and_is_led_there(cast: Cast, owner: Client) -> None:
    sent = {**RYE, "seen_version": str(farm_book_of(cast.farm).version)}
    page = owner.post(where(cast, "farm_row", "cover_crop"), sent, follow=True).content.decode()
    assert "Cover crop on N40 before soybeans 2026: not shown yet." in page
    assert f'<a href="{where(cast, "farm_crop")}?crop=N40-next#cover_crop">' in page


def test_a_crop_entry_without_a_verdict_says_why(cast: Cast, owner: Client) -> None:
    for row, why in (
        ({"ending": "fallow"}, "lay fallow"),
        ({"ending": "harvested"}, "no day of harvest"),
        ({"ending": "harvested", "last_day": "2020-10-01", "first_day": "2020-10-01"}, "before the rule"),
        ({"ending": "not_yet", "crop": "wheat"}, "corn, soybeans"),
    ):
        write(cast, Edit("harvest", "N40-other", {**NEXT, "harvest_id": "N40-other", **row}))
        assert why in text_of(owner, where(cast, "farm_crop"), crop="N40-other"), row
    assert owner.get(where(cast, "farm_crop"), {"crop": "never"}).status_code == 404
