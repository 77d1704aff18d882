"""A season on a dated line shows every mark where its day is, says it in words, and lets no text become markup."""

from datetime import date

import pytest
from defusedxml import ElementTree

from provender.paper.charts import Lane, Mark, lane_chart

SVG = "{http://www.w3.org/2000/svg}"
LANES = [
    Lane("Crop", [Mark(date(2025, 5, 1), "Planted"), Mark(date(2025, 9, 25), "Harvested", date(2025, 9, 27))]),
    Lane("Nutrients", [Mark(date(2025, 6, 1), "UAN <28> & more"), Mark(date(2025, 6, 1), "Urea", date(2025, 6, 1))]),
]


def drawn() -> str:
    return lane_chart(LANES, title="Season", description="Four things")


def test_one_day_is_a_dot_and_a_stretch_of_days_is_a_bar() -> None:
    tree = ElementTree.fromstring(drawn())
    dots = [one.findtext(f"{SVG}title") for one in tree.iter(f"{SVG}circle")]
    bars = [title for one in tree.iter(f"{SVG}rect") if (title := one.findtext(f"{SVG}title"))]
    assert dots == ["Planted", "UAN <28> & more", "Urea"]
    assert bars == ["Harvested"]


def test_a_later_day_stands_further_right_and_the_first_at_the_edge() -> None:
    tree = ElementTree.fromstring(drawn())
    places = [float(one.get("cx") or 0) for one in tree.iter(f"{SVG}circle")]
    assert places[0] < places[1] == places[2]


def test_what_people_wrote_is_text_and_no_markup() -> None:
    assert "<28>" not in drawn()
    assert "&lt;28&gt;" in drawn()


def test_a_single_day_can_be_drawn() -> None:
    assert "Planted" in lane_chart([Lane("Crop", [Mark(date(2025, 5, 1), "Planted")])], title="t", description="d")


def test_a_line_without_a_day_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one day"):
        lane_chart([Lane("Crop", [])], title="t", description="d")
