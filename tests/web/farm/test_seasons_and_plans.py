"""Season, carbon intensity and plan on pages say what the commands say, and are computed once per version."""

import io
import json
import re
from contextlib import redirect_stdout, suppress

import pytest
from django.test import Client
from django.urls import reverse

from provender.cli.app import run
from provender.database.models.farm import Change, VerdictCache
from provender.practices.assess import assess
from provender.records.folder import load_book
from provender.report.season import seasons
from provender.services.farm.book import FarmBook
from provender.services.farm.intensity import intensities_of, plans_of
from provender.services.farm.verdicts import pictures_of, seasons_of
from provender.web.tables import ISO_DAY
from provender.web.templatetags.page import chart_days
from tests.web.cast import Cast
from tests.web.farm_season import CROP, EXAMPLE, fill_season


@pytest.fixture
def farm(cast: Cast) -> FarmBook:
    fill_season(cast)
    return FarmBook(cast.book, Change.objects.filter(book=cast.book).count())


@pytest.fixture
def owner(cast: Cast, farm: FarmBook) -> Client:
    return cast.client()


def where(cast: Cast, name: str) -> str:
    return reverse(name, args=(cast.farm.handle,))


def answer_of(*arguments: str) -> dict[str, object]:
    """Return what a command says about the example farm."""
    with redirect_stdout(io.StringIO()) as out, suppress(SystemExit):
        run([*arguments, "--json"])
    answer: dict[str, object] = json.loads(out.getvalue())
    return answer


def test_the_season_in_the_database_is_the_season_of_the_folder(farm: FarmBook) -> None:
    assert seasons_of(farm) == seasons(assess(load_book(EXAMPLE)))


def test_every_pass_and_application_of_an_interval_stands_on_its_day(farm: FarmBook) -> None:
    one = next(found for found in seasons_of(farm) if found["harvest_id"] == CROP)
    book = farm.records()
    dated = [row["day"] for row in one["events"] if row["day"]]
    assert dated == sorted(dated)
    passes = [row["key"] for row in one["events"] if row["kind"] == "operation"]
    expected = book["operation"].filter(unit_id="G70")["operation_id"].to_list()
    assert set(passes) <= set(expected)
    assert passes
    sums = [row["sum"] for row in one["events"] if row["sum"]]
    assert sums[-1] == one["stir"]["recorded"]


def test_the_page_of_a_unit_holds_both_pictures_and_the_table_of_them(cast: Cast, owner: Client) -> None:
    page = owner.get(where(cast, "farm_season"), {"unit": "G70"}).content.decode()
    assert page.count('role="img"') >= 2
    assert "Sum of STIR" in page
    assert owner.get(where(cast, "farm_season"), {"unit": "none"}).status_code == 404


def test_each_page_computes_once_per_version_of_the_book(cast: Cast, owner: Client) -> None:
    for name in ("farm_season", "farm_intensity", "farm_plan"):
        owner.get(where(cast, name))
        owner.get(where(cast, name))
    assert sorted(VerdictCache.objects.values_list("what", flat=True)) == ["intensity 5", "plan 2", "season 4"]


def test_the_average_on_the_page_is_that_of_the_command(farm: FarmBook) -> None:
    results = answer_of("intensity", str(EXAMPLE))["results"]
    assert isinstance(results, list)
    for one, expected in zip(intensities_of(farm), results, strict=True):
        shown, average = one["official"], expected["average"]["ci_g_per_bu"]
        assert (one["crop"], one["harvest_year"]) == (expected["crop"], expected["harvest_year"])
        assert (shown["ci"] or "").replace(",", "") == (average or "")
        assert shown["missing"] == expected["average"]["missing"]


def test_a_default_that_is_not_at_hand_is_said(cast: Cast, owner: Client) -> None:
    page = owner.get(where(cast, "farm_intensity")).content.decode()
    assert "National default:" in page
    shown = [one["official"]["national_default"] for one in owner.get(where(cast, "farm_intensity")).context["crops"]]
    assert page.count("The national default is not at hand") == shown.count(None)


def test_the_options_of_a_unit_are_those_of_the_command(farm: FarmBook) -> None:
    units = answer_of("plan", str(EXAMPLE))["units"]
    assert isinstance(units, list)
    for one, expected in zip(plans_of(farm), units, strict=True):
        assert one["unit_id"] == expected["unit_id"]
        found = [(option["ci"] or "").replace(",", "") for option in one["options"]]
        assert found == [option["ci_g_per_bu"] or "" for option in expected["options"]]
        assert [option["today"] for option in one["options"]] == [option["today"] for option in expected["options"]]


def test_an_option_says_what_is_missing_and_what_is_done_today_lacks_nothing(farm: FarmBook) -> None:
    for one in plans_of(farm):
        for option in one["options"]:
            assert not (option["today"] and option["missing"])
    told = [text for one in plans_of(farm) for option in one["options"] for text in option["missing"]]
    assert any("not met" in text for text in told)
    assert any("missing" in text for text in told)


def test_the_page_of_a_unit_lists_each_result_once_as_the_command_does(cast: Cast, owner: Client) -> None:
    units = answer_of("plan", str(EXAMPLE), "--unit", "G70")["units"]
    assert isinstance(units, list)
    shown = owner.get(where(cast, "farm_plan"), {"crop": CROP}).context["one"]["results"]
    assert [one["practices"] for one in shown] == [one["what"] for one in units[0]["results"]]
    assert len(shown) < len(units[0]["options"])


def test_kilograms_are_the_difference_times_the_bushels(farm: FarmBook) -> None:
    one = next(found for found in plans_of(farm) if found["bushels"])
    bushels = float(one["bushels"].replace(",", ""))
    for option in one["options"]:
        if option["to_today"]:
            grams = float(option["to_today"].replace(",", "")) * bushels
            assert abs(float(option["kilograms"].replace(",", "")) - grams / 1000) <= 1


def test_a_plan_of_an_unknown_crop_entry_is_not_found(cast: Cast, owner: Client) -> None:
    assert owner.get(where(cast, "farm_plan"), {"crop": "none"}).status_code == 404


def test_charts_write_days_as_pages_do_and_nothing_else_of_them_changes(farm: FarmBook) -> None:
    drawn = [one for pair in pictures_of(farm).values() for one in pair.values()]
    drawn += [one[name]["chart"] for one in intensities_of(farm) for name in ("official", "estimate") if one[name]]
    charts = [one for one in drawn if one]
    assert len(charts) > 10
    dated = [one for one in charts if ISO_DAY.search(one)]
    assert dated
    for chart in dated:
        shown = chart_days(chart)
        assert ISO_DAY.search(shown) is None
        assert re.sub(r"<title>[A-Z][a-z]{2} \d{1,2}, \d{4}: ", "<title>: ", shown) == re.sub(
            r"<title>\d{4}-\d\d-\d\d: ", "<title>: ", chart
        )
