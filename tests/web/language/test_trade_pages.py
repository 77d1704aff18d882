"""Pages of traders and verifiers are in English: to a Spanish reader they say so, and no word inside is Spanish."""

import re

import pytest
from django.urls import reverse

from tests.web.cast import Cast
from tests.web.custody_season import fill_custody

CHANGES = re.compile(r'value="[A-Za-z0-9]{64}"|data-nonce="[^"]*"')
CONTENT = re.compile(r"<h1.*</main>", re.DOTALL)
PAGES = (
    "custody_stock", "custody_grain", "custody_incoming", "custody_sales", "custody_movements", "custody_periods",
    "custody_checks", "custody_partners", "custody_suppliers", "custody_deliveries", "custody_key",
    "custody_trace",
)  # fmt: skip


def content(cast: Cast, view: str, language: str) -> str:
    """Return what a page says from its heading on, without what differs from one request to the next."""
    client = cast.client("owner")
    client.post(reverse("language"), {"language": language, "next": "/"})
    page = client.get(reverse(view, args=(cast.mill.handle,))).content.decode()
    found = CONTENT.search(page)
    assert found is not None, page
    return CHANGES.sub("", found[0])


@pytest.mark.parametrize("view", PAGES)
def test_a_trade_page_is_wholly_english_and_says_so(cast: Cast, view: str) -> None:
    fill_custody(cast)
    english, spanish = content(cast, view, "en"), content(cast, view, "es")
    assert "Cantidad" not in english
    assert re.sub(r"</div>\s*</main>$", "", spanish).rstrip() == re.sub(r"</main>$", "", english).rstrip()
    page = cast.client("owner").get(reverse(view, args=(cast.mill.handle,)), headers={"accept-language": "es"})
    assert '<div lang="en">' in page.content.decode()
    assert "El texto de esta página está en inglés." in page.content.decode()
