"""A cover that was seeded after the crop it names was harvested is told."""

import pytest

from provender.practices.assess import assess
from tests.practices.season import Rows, book_of, clean_season, verdicts, with_row


def told(rows: Rows) -> list[str]:
    return [one.cause for one in assess(book_of(rows)).problems if one.code == "cover_after_crop"]


@pytest.mark.parametrize(
    ("seeded", "last", "says"),
    [
        ("2025-10-20", "2025-10-21", False), ("2025-10-21", "2025-10-21", False), ("2025-10-22", "2025-10-21", True),
        ("", "2025-10-21", False), ("2025-10-22", "", False),
    ],
)  # fmt: skip
def test_a_cover_seeded_after_the_harvest_of_its_crop_is_told(seeded: str, last: str, says: bool) -> None:
    rows = clean_season()
    rows["harvest"][1]["last_day"] = last
    rows["cover_crop"].append({**rows["cover_crop"][0], "cover_id": "C2", "seeded_on": seeded, "terminated_on": ""})
    found = told(rows)
    assert [("C2" in one, "H25" in one) for one in found] == [(True, True)] * says


def test_a_clean_season_is_told_nothing() -> None:
    assert told(clean_season()) == []


def test_the_crop_to_come_can_be_named_and_takes_nothing_from_the_one_before() -> None:
    coming = {"harvest_id": "H26", "unit_id": "N40", "crop": "soybeans", "ending": "not_yet"}
    rows = with_row(clean_season(), "harvest", **coming)
    late = rows["cover_crop"][0] | {
        "cover_id": "C9",
        "harvest_id": "H26",
        "seeded_on": "2025-10-22",
        "terminated_on": "",
    }
    rows = with_row(rows, "cover_crop", **late)
    assert told(rows) == []
    (old,), (new,) = verdicts(clean_season()).to_dicts(), verdicts(rows).to_dicts()
    assert {name: new[name] for name in old if new[name] != old[name]} == {}
