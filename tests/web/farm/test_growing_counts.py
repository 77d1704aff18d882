"""What growing crops ask for is counted where people look: on To do, on the overview, and at a consultant's home."""

import re
from datetime import date

import pytest
from django.test import Client

from provender.services.clients import Urgency, client_progress, farm_steps, progress_of
from provender.services.farm import growing
from provender.services.farm.book import FarmBook, farm_book_of
from provender.services.farm.growing import Grows, growing_needs
from tests.web.cast import Cast
from tests.web.farm.test_growing_asks import on, page_of, sow
from tests.web.farm_season import fill_season


@pytest.fixture
def owner(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Client:
    fill_season(cast)
    on(monkeypatch, date(2025, 11, 28))
    return cast.client()


def test_a_client_whose_crops_grow_has_something_to_do(
    cast: Cast,
    owner: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = progress_of(cast.farm)
    farm = sow(cast)
    needs = growing_needs(farm)
    assert needs.things > 1
    assert needs.day == date(2026, 6, 30)
    after = progress_of(cast.farm)
    assert after.things == before.things + needs.things
    assert "Do what the growing crops ask for." in after.words
    far, near = date(2026, 5, 1), date(2026, 6, 18)
    assert client_progress(cast.farm, far).urgency == after.urgency != Urgency.NOTHING
    on(monkeypatch, near)
    found = client_progress(cast.farm, near)
    assert (found.urgency, found.days) == (Urgency.BY_DAY, 12)
    assert found.why.startswith("Growing crops: due in 12 days, ")
    assert found.words.count("Do what the growing crops ask for.") == 1


def test_to_do_counts_them_and_each_of_its_links_leads_back_to_its_head(cast: Cast, owner: Client) -> None:
    needs = growing_needs(sow(cast))
    page = page_of(owner, cast, "farm_todo")
    assert f"What grows now: {needs.things} things" in page
    step = next(one for one in farm_steps(cast.farm) if "growing crops" in one.words)
    assert f"these {needs.things} things" in step.why
    assert "The first is due by 2026-06-30." in step.why
    for back in re.findall(r"next=([^&\"]*)", page):
        assert "%23" not in back, "what was saved is told at the head of the page"


def test_the_question_of_a_growing_crop_opens_at_it_and_comes_back(cast: Cast, owner: Client) -> None:
    sow(cast)
    (href,) = re.findall(r'href="([^"]*claims/[^"]*)"', page_of(owner, cast, "farm_todo").partition("What else")[0])
    assert href.endswith("#asked")
    path = href.replace("&amp;", "&").partition("#")[0]
    page = owner.get(path).content.decode()
    (asked,) = re.findall(r'<tr id="asked".*?</tr>', page, re.DOTALL)
    assert "N40-next" in asked
    sent = {"crop": "N40-next", "nothing": "N40-next", "seen": farm_book_of(cast.farm).version}
    assert owner.post(path, sent)["Location"].endswith("/farm/todo/")


def test_to_do_asks_the_growing_crops_once(cast: Cast, owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    sow(cast)
    asked, real = [], growing.growing_asks

    def counted(farm: FarmBook) -> list[Grows]:
        asked.append(farm)
        return real(farm)

    monkeypatch.setattr(growing, "growing_asks", counted)
    page = page_of(owner, cast, "farm_todo")
    assert "What grows now" in page
    assert len(asked) == 1
