"""What one chose in the stock goes along into the sale, and a lot says what it is."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from provender.exact import CI_SCALE, parse
from provender.services.custody import stock
from tests.web.cast import Cast
from tests.web.custody_season import fill_custody

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(cast: Cast, owner: Client) -> Client:
    fill_custody(cast)
    return owner


def at(cast: Cast, name: str, *more: str) -> str:
    return reverse(name, args=(cast.mill.handle, *more))


def carried(answer: Any) -> dict[str, str]:  # noqa: ANN401 - the client's
    assert answer.context["sell"] in answer.content.decode().replace("&amp;", "&")
    return {name: text[0] for name, text in parse_qs(urlsplit(answer.context["sell"]).query).items()}


def begun(client: Client, address: str) -> dict[str, str]:
    form = client.get(address).context["form"]
    return {name: str(form[name].value() or "") for name in form.fields}


def test_a_band_of_the_stock_is_the_band_of_the_sale(
    cast: Cast, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stock, "_named", lambda _: [("soybeans", 2025, parse("9000", CI_SCALE))])
    shown = client.get(at(cast, "custody_stock"))
    assert carried(shown) == {}, "nothing is chosen"
    band = next(row[1] for row in shown.context["bands"].rows if "band=" in row[1].href)
    chosen = client.get(at(cast, "custody_stock") + band.href)
    assert carried(chosen) == {
        "crop": "soybeans", "harvest_year": "2025", "ci_min": "5000.25", "ci_max": "5000.25",
    }  # fmt: skip
    form = begun(client, chosen.context["sell"])
    assert (form["crop"], form["harvest_year"], form["ci_min"]) == ("soybeans", "2025", "5000.25")


def test_the_sale_says_what_there_is_of_what_was_chosen(cast: Cast, client: Client) -> None:
    sale = at(cast, "custody_enter", "sale")
    whole, none = (client.get(sale, asked).content.decode() for asked in ({}, {"ci_min": "9,000"}))
    assert "In stock: " in whole
    assert "Nothing of what is chosen here with a claim is in stock." in none
    assert (
        "In stock of what is chosen here: "
        in client.get(sale, {"crop": "soybeans", "ci_max": "5000.25"}).content.decode()
    )
    assert "In stock: " in client.get(sale, {"ci_min": "much"}).content.decode(), "what nobody can read bounds nothing"


def test_a_list_of_lots_and_each_lot_lead_to_their_sale(cast: Cast, client: Client) -> None:
    asked = {
        "crop": "soybeans",
        "year": "2025",
        "form": "soybeans",
        "site": "north",
    }
    ci = {"ci": str(parse("5000.25", CI_SCALE))}
    lots = client.get(at(cast, "custody_lots"), asked | ci)
    assert carried(lots) == {
        "crop": "soybeans", "harvest_year": "2025", "site": "north", "ci_min": "5000.25", "ci_max": "5000.25",
    }  # fmt: skip
    row = lots.context["lots"].rows[0]
    assert row[0].text == "Soybeans 2025"
    assert row[0].note, "the code, quietly"
    assert (row[1].text, row[1].note) == (cast.farm.name, cast.farm.handle)
    sale = client.get(row[-1].href)
    assert sale.context["form"]["lots"].value()
    said = sale.content.decode().replace("&#x27;", "'")
    assert "Named here: Soybeans 2025, CI 5,000.25, " in said
    assert f"in the lot, from {cast.farm.name}." in said


def test_anothers_lots_are_not_told(cast: Cast, client: Client) -> None:
    theirs = client.get(at(cast, "custody_enter", "sale"), {"lots": "nowhere 0-500"}).content.decode()
    assert "Named here" not in theirs


def test_who_may_not_write_is_offered_no_sale(cast: Cast, client: Client) -> None:
    lots = cast.client("reader").get(at(cast, "custody_lots"))
    assert "/enter/sale/" not in lots.content.decode()
