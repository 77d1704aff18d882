"""A consultant's season, imported: what it asks, where its rows go, and that nothing is signed without its proof."""

from pathlib import Path

import pytest

from bench.consultant import Season, main, play, told

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def season(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Season:
    return play(tmp_path_factory.mktemp("consultant"), samples / "consultant")


def test_every_row_of_a_consultants_season_is_in_its_place(season: Season) -> None:
    assert (season.misplaced, season.left_out, season.unanswered) == ((), (), ())
    assert {kind: count for kind, count in season.rows.items() if kind != "word"} == {
        "farm": 1, "producer": 1, "unit": 6, "harvest": 12, "planting": 6, "operation": 37, "nutrient_application": 9,
        "cover_crop": 3, "cover_species": 4, "nutrient_budget": 8, "budget_source": 52, "soil_test": 8,
        "declaration": 6, "scale_ticket": 55, "calculator_run": 5, "evidence": 7,
    }  # fmt: skip


def test_a_consultants_season_asks_on_one_screen(season: Season) -> None:
    assert (season.answers, season.screens) == (12, 1)
    assert season.did.values == 1


def test_each_crop_says_what_its_report_lacks(season: Season) -> None:
    assert sorted(season.lacking) == ["corn", "sorghum", "soybeans"]
    assert all(season.lacking.values())  # the printout is of a made-up calculator
    assert "Rows out of place: 0" in told(season)


def test_without_the_samples_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("PROVENDER_SAMPLES", raising=False)
    assert main() == 0
    assert "PROVENDER_SAMPLES" in capsys.readouterr().out
