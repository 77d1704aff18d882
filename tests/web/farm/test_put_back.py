"""An earlier state of a row is put back as a new change, and whoever changes a row hears what that moved."""

import pytest
from django.test import Client
from django.urls import reverse

from provender.database.store.record_books import rows_of
from provender.records.kind import KINDS
from provender.services.farm.book import Edit, FarmBook, change_book, farm_book_of
from provender.services.reports.checklist import moved_between, waiting_of
from tests.web.cast import Cast
from tests.web.farm_season import CROP, fill_season


def said(page: object) -> list[str]:
    return [str(message) for message in page.context["messages"]]  # type: ignore[attr-defined]


def write(cast: Cast, kind: str, key: str, **changed: str) -> FarmBook:
    texts = farm_book_of(cast.farm).texts(KINDS[kind], key) or {}
    change_book(cast.book, [Edit(kind, key, {**texts, **changed})], reason="typed", actor=cast.actor("owner"))
    return farm_book_of(cast.farm)


@pytest.fixture
def corrected(cast: Cast) -> tuple[Cast, int, str]:
    """Return the cast after the bushels of a crop were blanked, the version before, and what it said."""
    fill_season(cast)
    farm = farm_book_of(cast.farm)
    bushels = (farm.texts(KINDS["harvest"], CROP) or {})["bushels"]
    write(cast, "harvest", CROP, bushels="")
    return cast, farm.version, bushels


def address(cast: Cast, name: str, **asked: object) -> str:
    query = "&".join(f"{one}={value}" for one, value in asked.items())
    return f"{reverse(name, args=(cast.farm.handle, 'harvest'))}?{query}"


def offers(client: Client, cast: Cast) -> list[str]:
    table = client.get(address(cast, "farm_row", row=CROP)).context["history"]
    return [cell.href for row in table.cells for cell in row if cell.text == "Put back …"]


def test_the_history_offers_each_state_but_that_of_today_to_who_may_write(corrected: tuple[Cast, int, str]) -> None:
    cast, version, _ = corrected
    assert offers(cast.client(), cast) == [address(cast, "farm_row_put_back", row=CROP, version=version)]
    assert offers(cast.client("reader"), cast) == []


def test_a_state_is_asked_about_and_then_put_back_as_a_new_change(corrected: tuple[Cast, int, str]) -> None:
    cast, version, bushels = corrected
    client, (where,) = cast.client(), offers(cast.client(), cast)
    asked = client.get(where)
    assert f"nothing → {bushels}" in asked.content.decode()
    assert rows_of(cast.book)["harvest"][CROP]["bushels"] == "", "asking writes nothing"
    done = client.post(where, {"seen": asked.context["seen"]}, follow=True)
    assert rows_of(cast.book)["harvest"][CROP]["bushels"] == bushels
    assert f"says again what it said in version {version}." in said(done)[0]
    reasons = [row[2].text for row in done.context["history"].cells]
    assert reasons[0].endswith(f"put back as of version {version}")
    assert len(reasons) == 3


def test_a_state_is_put_back_only_onto_what_was_seen_and_where_there_is_one(corrected: tuple[Cast, int, str]) -> None:
    cast, version, _ = corrected
    (where,) = offers(cast.client(), cast)
    write(cast, "harvest", CROP, reason_for_change="again", bushels="1")
    client = cast.client()
    assert client.post(where, {"seen": version + 1}).status_code == 409
    assert rows_of(cast.book)["harvest"][CROP]["bushels"] == "1"
    for none in (999, "", "x", 0):
        assert client.get(address(cast, "farm_row_put_back", row=CROP, version=none)).status_code == 404
    assert client.get(address(cast, "farm_row_put_back", row="none", version=version)).status_code == 404
    assert cast.client("reader").get(where).status_code == 403


def test_who_saves_a_row_hears_how_many_things_are_left_and_how_the_carbon_intensity_moved(
    corrected: tuple[Cast, int, str],
) -> None:
    cast, _, bushels = corrected
    before = farm_book_of(cast.farm)
    form = cast.client().get(address(cast, "farm_row", row=CROP)).context["form"]
    data = {name: form[name].value() or "" for name in form.fields}
    data |= {"bushels": bushels, "reason_for_change": "found the ticket"}
    done, intensity = said(cast.client().post(address(cast, "farm_row", row=CROP), data, follow=True))
    left, earlier = (sum(of.things for of in waiting_of(one).values()) for one in (farm_book_of(cast.farm), before))
    assert left < earlier
    assert f"is saved. Left to do before the signatures: {left} (until now: {earlier})." in done
    assert intensity.startswith("CI of Sorghum 2025 by USDA FD-CIC runs: not shown → ")


def test_a_claim_that_a_change_contradicts_is_told_with_its_reason(cast: Cast) -> None:
    fill_season(cast)
    before = farm_book_of(cast.farm)
    key = next(key for key, row in before.of(KINDS["cover_crop"]).items() if row["unit_id"] == "N40")
    (told,) = moved_between(before, write(cast, "cover_crop", key, termination_method="tillage")).against
    assert told.startswith("Cover crop is claimed on N40, and your records say otherwise: The cover crop was ended by")
    assert moved_between(before, before).against == ()
