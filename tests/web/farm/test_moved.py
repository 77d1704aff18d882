"""Who changes a row hears which verdicts moved, the CI by one source, and what is left as every page says it."""

import re
from html import unescape

import pytest
from django.urls import reverse

from provender.records.kind import KINDS
from provender.services.clients import progress_of
from provender.services.dashboard import tiles_of
from provender.services.farm.book import Edit, FarmBook, change_book, farm_book_of
from provender.services.farm.intensity import intensities_of
from provender.services.reports.checklist import moved_between
from provender.services.reports.drafts import standings_of
from tests.web.cast import Cast
from tests.web.farm.test_signing import correct_bushels, producer, registered, signed
from tests.web.farm_season import fill_season
from tests.web.producer_keys import Producer

__all__ = ["producer", "registered", "signed"]
ROW = "N40-01"
PLOW = "Plow, moldboard"
ENTRY = "W35-2025"
CORN = "Field corn 2025"


@pytest.fixture
def season(cast: Cast) -> Cast:
    fill_season(cast)
    return cast


def write(cast: Cast, kind: str, key: str, **changed: str) -> tuple[FarmBook, FarmBook]:
    """Correct a row; the book before and after."""
    before = farm_book_of(cast.farm)
    texts = before.texts(KINDS[kind], key) or {}
    change_book(cast.book, [Edit(kind, key, {**texts, **changed})], reason="typed", actor=cast.actor("owner"))
    return before, farm_book_of(cast.farm)


def corn(farm: FarmBook, side: str) -> str | None:
    (found,) = [one[side]["ci"] for one in intensities_of(farm) if one["crop"] == "corn"]
    assert found is None or isinstance(found, str)
    return found


def test_a_run_that_no_longer_fits_is_told_and_the_model_is_held_against_itself(season: Cast) -> None:
    before, after = write(season, "operation", ROW, operation=PLOW, depth_in="8")
    assert corn(before, "official")
    assert corn(after, "official") is None
    said = " ".join(moved_between(before, after).rest)
    assert (
        f"The calculator's run behind the CI of {CORN}, {corn(before, 'official')} g CO2e/bu, no longer fits the "
        "records and must be made anew."
    ) in said
    then, now = corn(before, "estimate"), corn(after, "estimate")
    assert then != now
    assert f"CI of {CORN} by open model (an estimate): {then} → {now} g CO2e/bu" in said
    assert f"{corn(before, 'official')} →" not in said, "never one source against another"


def test_a_ci_that_both_sides_have_of_the_runs_is_held_against_itself_and_says_so(season: Cast) -> None:
    bushels = (farm_book_of(season.farm).texts(KINDS["harvest"], ENTRY) or {})["bushels"]
    before, after = write(season, "harvest", ENTRY, bushels=str(int(bushels) + 900))
    then, now = corn(before, "official"), corn(after, "official")
    assert then
    assert now
    assert then != now
    said = " ".join(moved_between(before, after).rest)
    assert f"CI of {CORN} by USDA FD-CIC runs: {then} → {now} g CO2e/bu (the national default is 9,000.00)." in said
    assert "made anew" not in said
    before, after = write(season, "operation", "W35-01", operation=PLOW, depth_in="8")
    then, now = corn(before, "official"), corn(after, "official")
    said = " ".join(moved_between(before, after).rest)
    assert f"{then} g CO2e/bu, no longer fits the records and must be made anew. " in said, "its no-till is gone"
    assert f"CI of {CORN} by USDA FD-CIC runs: {then} → {now} g CO2e/bu" in said


def test_a_practice_judged_otherwise_is_named_with_field_crop_before_and_after(season: Cast) -> None:
    before, after = write(season, "operation", ROW, operation=PLOW, depth_in="8")
    assert "No-till is judged otherwise on N40, field corn 2025: met → not met." in moved_between(before, after).rest
    assert "No-till is judged otherwise on N40, field corn 2025: not met → met." in moved_between(after, before).rest
    assert "→" not in " ".join(moved_between(before, before).rest)


def test_the_overview_and_the_message_name_one_default(season: Cast) -> None:
    """An estimate is held against the model's own default, and both say whose it is."""
    before, after = write(season, "operation", ROW, operation=PLOW, depth_in="8")
    said = " ".join(moved_between(before, after).rest)
    (found,) = [one["estimate"] for one in intensities_of(after) if one["crop"] == "corn"]
    assert f"(the open model's own default is {found['national_default']})" in said
    tile = next(one for one in tiles_of(season.farm, None, season.audit.opened_at.date()) if one.label == CORN)
    assert "the open model's own default" in tile.note
    assert "national default" not in tile.note + tile.bar
    runs = next(one for one in tiles_of(season.farm, None, season.audit.opened_at.date()) if "Sorghum" in one.label)
    assert "the national default" in runs.note


def test_nothing_is_left_is_never_said_beside_an_amendment_that_waits(signed: Producer) -> None:
    cast = signed.cast
    before = farm_book_of(cast.farm)
    correct_bushels(cast)
    said = " ".join(moved_between(before, farm_book_of(cast.farm)).left)
    waits = "An amendment of the report on field corn 2025 waits for its signature."
    assert waits in said
    assert "Nothing is left" not in said
    assert waits in progress_of(cast.farm).words


def test_every_page_says_one_number_of_things_before_a_signature(season: Cast) -> None:
    client, handle = season.client(), season.farm.handle
    todo = client.get(reverse("farm_todo", args=(handle,))).context["lists"]
    listed = {(one["draft"].crop, one["draft"].harvest_year): len(one["things"]) for one in todo if one["blocked"]}
    assert len(listed) > 1
    total = sum(listed.values())
    assert f"{total} things stand before the signatures of " in progress_of(season.farm).words
    for (crop, year), number in listed.items():
        report = client.get(reverse("farm_report", args=(handle, crop, year)))
        assert len(report.context["todo"]["things"]) == number
        assert "What blocks a signature" in report.content.decode()
    reports = client.get(reverse("farm_reports", args=(handle,))).context["reports"]
    notes = {(row[0].text, row[2].note) for row in reports.cells}
    assert notes == {("Field corn", "Make a signing key first.")} | {
        (crop.capitalize(), f"{number} to do") for (crop, _), number in listed.items() if crop != "corn"
    }
    every = tiles_of(season.farm, None, season.audit.opened_at.date())
    tiles = [one for one in every if one.label.startswith("Report")]
    told = [int(found[0]) for one in tiles if (found := re.match(r"\d+(?= to do before)", one.note))]
    assert sorted(told) == sorted(listed.values())
    overview = {one.words: one.why for one in client.get(reverse("organisation", args=(handle,))).context["next_steps"]}
    for standing in standings_of(farm_book_of(season.farm)):
        words = [why for what, why in overview.items() if what.startswith("Do what") and standing.crop in what]
        for why in words:
            assert why.startswith(f"{listed[standing.crop, standing.harvest_year]} thing")


def test_the_page_of_the_carbon_intensity_names_whose_default_it_holds_against(season: Cast) -> None:
    text = season.client().get(reverse("farm_intensity", args=(season.farm.handle,))).content.decode()
    for one in intensities_of(farm_book_of(season.farm)):
        assert f"National default: {one['official']['national_default']} g CO2e/bu" in text
        assert f"The open model's own default: {one['estimate']['national_default']} g CO2e/bu" in text
        if chart := one["estimate"]["chart"]:
            assert "model's own default" in unescape(chart), "its line is no national default"
            assert "national default" not in chart
