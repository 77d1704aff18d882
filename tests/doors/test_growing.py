"""Page, API and command list the same growing crops with what each asks for."""

from datetime import date

import pytest
from django.urls import reverse

from provender.services.farm.growing_asks import growing_needs
from tests.web.api.test_calls import data, get
from tests.web.cast import Cast
from tests.web.farm.test_growing_asks import NEXT, on, sow
from tests.web.farm_season import fill_season
from tests.web.fixtures import _lift_guards_before_emptying, _own_folder, cast

__all__ = ["_lift_guards_before_emptying", "_own_folder", "cast"]
DAY = date(2025, 11, 28)


def test_a_program_reads_what_to_do_lists(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_season(cast)
    on(monkeypatch, DAY)
    assert data(get("/growing", cast.token_secret)) == {"items": [], "next": None}
    farm = sow(cast)
    (one,) = data(get("/growing", cast.token_secret))["items"]
    assert (one["harvest_id"], one["unit_id"], one["harvest_year"]) == (NEXT["harvest_id"], "N40", 2026)
    photograph = next(ask for ask in one["asks"] if ask["column"] == "established_photo")
    assert (photograph["row"], photograph["when"], photograph["day"]) == ("RYE", "by", "2026-06-30")
    assert photograph["until"] == "before the cover crop is terminated"
    assert {(ask["kind"], ask["when"]) for ask in one["later"]} >= {("planting", "later")}
    assert one["unsaid"]
    assert len(one["asks"]) + one["unsaid"] == growing_needs(farm).things
    page = cast.client().get(reverse("farm_todo", args=(cast.farm.handle,))).content.decode()
    section = page[page.index('id="growing"') :]
    for ask in one["asks"]:
        assert ask["words"] in section


def test_a_farm_without_a_book_and_no_farm_are_answered_alike(cast: Cast) -> None:
    answers = [get(path, cast.other_token_secret) for path in ("/growing", "/verdicts")]
    assert {answer.status_code for answer in answers} == {404}
    assert answers[0].content.replace(b"growing", b"verdicts") == answers[1].content
