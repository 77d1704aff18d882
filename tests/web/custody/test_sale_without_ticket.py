"""The preview of a sale says that no scale ticket stands behind it, as its day does afterwards."""

import pytest
from django.test import Client

from tests.web.cast import Cast
from tests.web.custody.test_files import where
from tests.web.custody_season import days_ago, fill_custody

pytestmark = pytest.mark.django_db
SAID = "No scale ticket is named"


@pytest.mark.parametrize(
    ("more", "told"), [({"site": "north"}, True), ({}, True), ({"site": "north", "tickets": "S-9, 10"}, False)]
)
def test_a_sale_without_a_ticket_is_told_before_it_is_entered(
    cast: Cast, owner: Client, more: dict[str, str], *, told: bool
) -> None:
    fill_custody(cast)
    address = where(cast, "custody_enter", "sale")
    typed = {"day": days_ago(0), "taker": cast.elevator.handle, "crop": "soybeans", "bushels": "10", **more}
    shown = owner.post(address, {**typed, "do": "preview"})
    assert shown.context["preview"], shown.context["form"].errors
    assert (SAID in shown.content.decode()) is told
    done = owner.post(address, {**typed, "do": "post"}, follow=True)
    assert (SAID in done.content.decode()) is told
