"""One lane a field: places are in proportion to days and STIR, limits are drawn where they belong, marks open rows."""

import re
from datetime import date
from html import unescape
from itertools import pairwise
from typing import Any

import pytest
from django.urls import reverse

from provender.web.farm.lanes import FLOOR, LINE, WIDTH, lanes_of
from provender.web.tables import ISO_DAY
from tests.web.cast import Cast
from tests.web.farm_season import fill_season

FIRST, LAST = "2024-10-01", "2025-10-01"


def event(lane: str, day: str | None, what: str, **more: str | None) -> dict[str, Any]:
    known = {"detail": "", "stir": None, "sum": None, "published_sum": None, "kind": "operation", "key": what}
    return {"lane": lane, "day": day, "what": what, **known, **more}


def season(*events: dict[str, Any], recorded: str = "0", unit: str = "N40") -> dict[str, Any]:
    stir = {"recorded": recorded, "published": "0", "unknown": 0, "no_till_limit": "20", "reduced_till_limit": "80"}
    return {"unit_id": unit, "harvest_id": f"{unit}-2025", "crop": "Corn", "harvest_year": 2025, "starts_on": FIRST,
            "last_day": LAST, "stir": stir, "events": list(events)}  # fmt: skip


def test_days_and_stir_are_drawn_in_proportion() -> None:
    tilled = event("Field operations", "2025-04-02", "Chisel", stir="12.5", sum="12.5", published_sum="20")
    drawn = lanes_of([season(tilled, recorded="12.5")], [])
    (lane,) = drawn.lanes
    at = 183 * WIDTH // 365
    assert [(mark.x, mark.shape, mark.key) for mark in lane.marks] == [(at, "pass", "Chisel")]
    half, limit = FLOOR - (FLOOR - LINE - 6) // 2, FLOOR - (FLOOR - LINE - 6) * 20 // 25
    assert (lane.stir, lane.top) == (f"M0 {FLOOR}H{at}V{half}H{WIDTH}", "25")
    assert (lane.limits, lane.published) == (((limit, "20", "no-till"),), f"M0 {FLOOR}H{at}V{limit}H{WIDTH}")
    assert drawn.months[0] == (0, "Oct 2024")


def test_the_scale_grows_beyond_twenty_and_says_which_limit_is_passed() -> None:
    for recorded, over, top in (("20", "", "25"), ("20.0001", "no-till", "100"), ("80.0001", "reduced till", "100"),
                                ("140", "reduced till", "140")):  # fmt: skip
        one = event("Field operations", "2025-04-02", "Plow", stir=recorded, sum=recorded, published_sum="0")
        (lane,) = lanes_of([season(one, recorded=recorded)], []).lanes
        assert (lane.over, lane.top) == (over, top)
        assert [name for *_, name in lane.limits] == (["no-till"] if top == "25" else ["no-till", "reduced till"])


def test_each_kind_of_thing_has_its_mark_and_undated_things_have_none() -> None:
    events = (
        event("Cover crop", "2024-11-01", "Cover crop seeded", kind="cover_crop", key="C1"),
        event("Cover crop", "2025-04-20", "Cover crop terminated", kind="cover_crop", key="C1"),
        event("Field operations", "2025-04-20", "Unheard of", stir="not known", sum="0", published_sum="0"),
        event("Crop", "2025-05-01", "Planted", kind="planting", key="P1"),
        event("Nutrients", "2025-06-01", "UAN", detail="100 lb N/ac, injected", kind="nutrient_application", key="A1"),
        event("Nutrients", "2025-06-09", "Manure", detail="spread", kind="nutrient_application", key="A2"),
        event("Nutrients", None, "Lost note", kind="nutrient_application", key="A3"),
        event("Crop", LAST, "Harvest", kind="harvest", key="H1"),
    )
    photographs = [("N40", date(2024, 12, 1), "E1"), ("S80", date(2024, 12, 1), "E2"), ("N40", date(2026, 1, 1), "E3")]
    (lane,) = lanes_of([season(*events)], photographs).lanes
    shapes = {mark.key: mark.shape for mark in lane.marks}
    assert shapes == {"C1": "cover", "Unheard of": "unknown", "P1": "planting", "A1": "n", "A2": "n", "H1": "harvest",
                      "E1": "photo"}  # fmt: skip
    assert {mark.key: mark.size for mark in lane.marks if mark.shape == "n"} == {"A1": 5, "A2": 3}
    assert lane.strips == ((31 * WIDTH // 365, 201 * WIDTH // 365 - 31 * WIDTH // 365),)
    beside = [mark.x for mark in lane.marks if mark.y == 11 and mark.key in ("C1", "Unheard of")][1:]
    assert len(set(beside)) == 2, "what falls on one day stands side by side"


@pytest.mark.parametrize("days", [
    ["2025-09-29", "2025-09-30", LAST, LAST], ["2024-10-15", "2024-10-15", "2024-10-16"], [LAST] * 9,
    [f"2025-0{month}-0{day}" for month in range(1, 10) for day in range(1, 10)],
])  # fmt: skip
def test_no_mark_hides_another_and_none_leaves_the_line(days: list[str]) -> None:
    events = [event("Field operations", day, f"Pass {at}", stir="1", sum="1", published_sum="1", key=f"O{at}")
              for at, day in enumerate(days)]  # fmt: skip
    (lane,) = lanes_of([season(*events)], [("N40", date.fromisoformat(days[0]), "E1")]).lanes
    places = [mark.x for mark in lane.marks]
    least = min(11, WIDTH // len(places))
    assert all(after - before >= least for before, after in pairwise(places))
    assert places[0] >= 0
    assert places[-1] <= WIDTH
    assert sorted(mark.key for mark in lane.marks) == sorted([*(f"O{at}" for at in range(len(days))), "E1"])


def test_a_mark_that_hides_nothing_stands_at_its_day() -> None:
    events = [event("Field operations", day, "Disk", stir="1", sum="1", published_sum="1", key=day)
              for day in ("2025-01-01", "2025-04-01")]  # fmt: skip
    (lane,) = lanes_of([season(*events)], []).lanes
    first, last = date(2024, 10, 1), date.fromisoformat(LAST)
    assert {mark.key: mark.x for mark in lane.marks} == {
        day: (date.fromisoformat(day) - first).days * WIDTH // (last - first).days
        for day in ("2025-01-01", "2025-04-01")
    }


def test_what_somebody_typed_draws_nothing_of_its_own() -> None:
    typed = event(
        "Field operations", "2025-04-02", '<b>"Chisel" & more', stir="1", sum="1", published_sum="1", key="A&1"
    )
    (lane,) = lanes_of([season(typed)], []).lanes
    drawn = lane.marks[0].drawn("/rows/", "%2F")
    assert "&lt;b&gt;&quot;Chisel&quot; &amp; more, STIR 1</title>" in drawn
    assert 'href="/rows/?row=A%261&amp;next=%2F"' in drawn
    assert "<b>" not in drawn


def test_a_mark_says_its_day_as_pages_do() -> None:
    on = "2025-04-02"
    events = (
        event("Cover crop", on, "Cover crop seeded", detail="drilled"),
        event("Nutrients", on, "UAN 28", detail="100 lb N/ac, injected"),
        event("Field operations", on, "Planted", detail="Planted", stir="not known", sum="0", published_sum="0"),
        event("Crop", on, "Harvested", detail="17,050 bu", kind="harvest"),
    )
    (lane,) = lanes_of([season(*events)], [("N40", date(2025, 4, 2), "E1")]).lanes
    assert [mark.words for mark in lane.marks] == [
        "Apr 2, 2025: Cover crop seeded: drilled",
        "Apr 2, 2025: UAN 28: 100 lb N/ac, injected",
        "Apr 2, 2025: Planted: Planted, STIR not known",
        "Apr 2, 2025: Harvested: 17,050 bu",
        "Apr 2, 2025: photograph",
    ]
    assert not [mark for mark in lane.marks if ISO_DAY.search(mark.drawn("/rows/", "%2F"))]


def test_no_day_draws_nothing() -> None:
    bare = season() | {"starts_on": None, "last_day": None}
    assert lanes_of([bare], []).lanes == ()


def test_the_page_draws_every_field_of_the_year_and_each_mark_opens_its_row(cast: Cast) -> None:
    fill_season(cast)
    where, client = reverse("farm_season", args=(cast.farm.handle,)), cast.client()
    page = client.get(where)
    drawn = page.context["lanes"]
    assert len(drawn) == 12
    for lane, _, marks in drawn[:3]:
        rows = re.findall('<a href="([^"]+)"', marks)
        assert lane.marks
        assert len(rows) == len(lane.marks)
        for href in rows[:4]:
            assert client.get(unescape(href)).status_code == 200, href
    assert drawn[0][2] in page.content.decode()
    one = client.get(where, {"crop": "Soybeans"})
    assert {lane.season["crop"] for lane, *_ in one.context["lanes"]} == {"Soybeans"}
    assert "style=" not in page.content.decode()
