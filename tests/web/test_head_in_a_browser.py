"""The head of a page takes two rows of a phone at most, whoever looks."""

from typing import Final

import pytest
from django.urls import reverse
from playwright.sync_api import Browser

from tests.web.cast import Cast
from tests.web.watch import watching

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("browser")]
WIDTHS: Final = (390, 360, 320)
HIGHEST: Final = 116
"""Two rows of 44 pixels that a finger hits, with what stands around them."""
FINGER: Final = 40


@pytest.mark.parametrize("part", ["owner", "consultant", "verifier_in", "reviewer"])
def test_the_head_takes_two_rows_at_most(farm_stage: tuple[str, Cast], browser: Browser, part: str) -> None:
    base, cast = farm_stage
    person = cast.person(part)
    person.name = "Bartholomew Featherstonehaugh"
    person.save(update_fields=["name"])
    with watching(browser, base, person) as window:
        for where in (reverse("home"), reverse("farm", args=(cast.farm.handle,))):
            window.open(where)
            for width in WIDTHS:
                window.page.set_viewport_size({"width": width, "height": 844})
                high = window.page.locator("header.top").bounding_box()
                assert high is not None
                assert high["height"] <= HIGHEST, (where, width)
                account = window.page.locator(".top-links a").bounding_box()
                assert account is not None
                assert account["width"] >= FINGER, (where, width)
                assert not window.too_wide(), (where, width)
