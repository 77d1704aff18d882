"""A book that is not open yet, and the first that is put into it: here the mill has not traded."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.database.models.accounts import Organisation
from provender.services.custody.entry import register_entity
from tests.web.api.test_calls import get, post
from tests.web.cast import Cast
from tests.web.custody.asking import texts, where
from tests.web.custody.test_api import READS
from tests.web.custody_season import BY
from tests.web.fixtures import cast

__all__ = ["cast"]

pytestmark = pytest.mark.django_db


def test_a_book_that_is_not_open_says_how_to_open_it(cast: Cast, owner: Client) -> None:
    assert "Open the book" in texts(owner.get(where(cast, "custody_stock")))
    assert owner.post(where(cast, "custody_open"), {"sites": "north\n"}).status_code == 302
    assert "No mass balance time period is declared" in texts(owner.get(where(cast, "custody_stock")))


def test_a_farm_has_no_such_pages(cast: Cast, owner: Client) -> None:
    assert owner.get(reverse("custody_stock", args=(cast.farm.handle,))).status_code == 404


def test_a_buyer_whose_book_a_slip_opened_is_told_to_name_a_site_first(cast: Cast, owner: Client) -> None:
    mill = Organisation.objects.get(handle=cast.mill.handle)
    register_entity(mill, day=timezone.localdate(), actor=BY)
    for address in (where(cast, "custody_incoming"), where(cast, "custody_enter", "purchase")):
        page = owner.get(address)
        assert "You have no site yet" in texts(page)
        assert f"{where(cast, 'custody_partners')}#sites" in page.content.decode()
    register_entity(mill, day=timezone.localdate(), sites=["north"], actor=BY)
    assert "You have no site yet" not in texts(owner.get(where(cast, "custody_incoming")))


def test_who_has_no_book_is_told_there_is_none(cast: Cast) -> None:
    assert {path: get(path, cast.token_secret).status_code for path in READS} == dict.fromkeys(READS, 404)
    assert post("/custody/events/preview", cast.token_secret, {"event": {"type": "sale"}}, "k").status_code == 404
