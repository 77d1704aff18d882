"""Changed records: what reopens a signed report and what does not, and what whoever changes a row hears of it."""

from datetime import date, timedelta

import pytest

from provender.database.actor import today
from provender.database.models.farm import rows_of
from provender.records.kind import KINDS
from provender.services.clients import progress_of
from provender.services.dashboard import tiles_of
from provender.services.farm.book import Edit, FarmBook, farm_book_of, key_of
from provender.services.farm.intensity import intensities_of
from provender.services.reports import drafts
from provender.services.reports.change_report import moved_between, removal_of
from provender.services.reports.checklist import ReportView, standings_of
from provender.services.reports.drafts import ReportState, draft_of
from tests.web.cast import Cast
from tests.web.farm_season import change, correct_bushels, put
from tests.web.producer_keys import Producer

NEXT = {"harvest_id": "N40-2027", "unit_id": "N40", "crop": "soybeans", "ending": "not_yet"}
RYE = {"cover_id": "RYE", "unit_id": "N40", "harvest_id": "N40-2027", "seeded_on": "2026-10-20", "seeded_acres": "40",
       "method": "drilled"}  # fmt: skip
SPECIES = {"cover_id": "RYE", "species": "Cereal Rye, Winter", "rate_lb_per_ac": "50"}
PASS = {"operation_id": "O1", "unit_id": "N40", "operation": "Sprayer, post emergence"}
PLOW, CORN = "Plow, moldboard", "Field corn 2025"


def corn(farm: FarmBook) -> ReportView:
    (found,) = [one for one in standings_of(farm) if one.crop == "corn"]
    return found


def entry(**more: str) -> Edit:
    return Edit("harvest", "N40-2027", {**NEXT, **more})


def test_what_belongs_to_a_later_crop_and_what_is_only_ticked_reopen_no_report(signed: Producer) -> None:
    harvest = rows_of(signed.cast.book)["harvest"]["N40-2025"]
    sown = key_of(KINDS["cover_species"], SPECIES)
    gone = ("cover_species", sown), ("cover_crop", "RYE"), ("harvest", "N40-2027")
    for edits in (
        [entry(), Edit("cover_crop", "RYE", RYE), Edit("cover_species", sown, SPECIES)],
        [Edit("cover_crop", "RYE", {**RYE, "terminated_on": "2027-04-20"})],
        [entry(ending="harvested", first_day="2027-10-01", last_day="2027-10-02", bushels="2000")],
        [Edit("harvest", "N40-2025", {**harvest, "claims": "no_till; cover_crop"})],
        [Edit(kind, key, None) for kind, key in gone],
    ):
        found = corn(put(signed.cast, *edits))
        assert (found.state, found.reopened_by) == (ReportState.SIGNED, ""), edits


def test_a_pass_or_an_ending_reopens_the_report_of_the_interval_it_may_lie_in(signed: Producer) -> None:
    closed = Edit("harvest", "N40-2027", None)
    for edits, said in (
        ([{"day": "2025-09-27"}], ""),
        ([{"day": "2025-04-20"}], "Added to Field operations: O1."),
        ([Edit("operation", "O1", None)], ""),  # added and removed again: the records are as they were signed
        (
            [entry(ending="terminated", first_day="2025-05-01", last_day="2025-05-01")],
            "Added to Crops and harvests: N40-2027.",
        ),
        ([closed, Edit("operation", "N40-06", None)], "Removed from Field operations: N40-06."),
    ):
        farm = put(signed.cast, *(e if isinstance(e, Edit) else Edit("operation", "O1", PASS | e) for e in edits))
        assert (corn(farm).is_news, corn(farm).reopened_by.endswith(said)) == (bool(said), True), (edits, corn(farm))
        assert draft_of(farm, "corn", 2025).is_news is bool(said), "the whole report says the same"


def test_seed_that_came_later_reopens_no_report(signed: Producer, monkeypatch: pytest.MonkeyPatch) -> None:
    seed = {"purchase_id": "S9", "species": "Cereal Rye, Winter", "pounds": "2000", "supplier": "Co-op"}
    day = date.fromisoformat(draft_of(farm_book_of(signed.cast.farm), "corn", 2025).document["made_on"])
    monkeypatch.setattr(drafts, "today", lambda: day + timedelta(days=300))
    for days, reopens in ((0, True), (1, False), (200, False)):
        received = (day + timedelta(days=days)).isoformat()
        farm = put(signed.cast, Edit("seed_purchase", "S9", {**seed, "received_on": received}))
        assert corn(farm).is_news is reopens, received


def test_a_row_of_no_report_that_moves_a_verdict_of_one_reopens_it(signed: Producer) -> None:
    """Seed is weighed over the whole farm: what is sown on another field on an early day is missing on this one."""
    cover = {**RYE, "unit_id": "K45", "harvest_id": "K45-2025", "seeded_on": "2024-10-01", "seeded_acres": "45"}
    sown = {**SPECIES, "rate_lb_per_ac": "900"}
    edits = Edit("cover_crop", "RYE", cover), Edit("cover_species", key_of(KINDS["cover_species"], sown), sown)
    found = corn(put(signed.cast, *edits))
    assert (found.is_news, found.reopened_by) == (True, "The records say something else by now.")


def test_an_amendment_names_what_was_added_changed_and_removed(signed: Producer) -> None:
    cast = signed.cast
    row = {"soil_test_id": "T1", "unit_id": "N40", "sampled_on": "2024-03-20"}
    edits = [Edit("soil_test", "T1", row), Edit("soil_test", "T2", {**row, "soil_test_id": "T2", "unit_id": "G35"})]
    before = farm_book_of(cast.farm)
    found = corn(put(cast, *edits))
    assert (found.is_news, found.reopened_by) == (
        True, f"The records say something else by now: Added to {KINDS['soil_test'].label}: T1."
    ), "and not the test of a unit that the report does not rest on"  # fmt: skip
    correct_bushels(cast)
    farm = farm_book_of(cast.farm)
    assert f"Changed in {KINDS['harvest'].label}: N40-2025" in corn(farm).reopened_by
    assert {one.day for one in draft_of(farm, "corn", 2025).reopened_by} == {today()}
    waits = "An amendment of the report on field corn 2025 waits for its signature."
    left = " ".join(moved_between(before, farm).left)
    assert (waits in left, "Nothing is left" in left, waits in progress_of(cast.farm).words) == (True, False, True)
    farm = change(cast, "bushel_total", "BT1")
    words = [one.words for one in draft_of(farm, "corn", 2025).reopened_by]
    assert f"Removed from {KINDS['bushel_total'].label}: BT1" in words
    assert corn(farm).reopened_by.endswith(f" (and {len(words) - 1} more).")


def test_a_signed_report_that_no_harvest_would_stand_behind_is_named(signed: Producer) -> None:
    farm, kind = farm_book_of(signed.cast.farm), KINDS["harvest"]
    keys = [key for key, row in farm.of(kind).items() if (row["crop"], str(row["last_day"])[:4]) == ("corn", "2025")]
    for key in keys[1:]:
        farm = change(signed.cast, kind.name, key)
    (report,) = removal_of(farm, kind, keys[0]).reports
    assert report.after == "no harvest would stand behind it"


def ci(farm: FarmBook, side: str) -> str | None:
    (found,) = [one[side]["ci"] for one in intensities_of(farm) if one["crop"] == "corn"]
    assert found is None or isinstance(found, str)
    return found


def test_a_practice_and_a_run_are_told_against_themselves(season: Cast) -> None:
    before = farm_book_of(season.farm)
    after = change(season, "operation", "N40-01", operation=PLOW, depth_in="8")
    assert ci(before, "official")
    assert ci(after, "official") is None
    moved = moved_between(before, after).rest
    assert "No-till is judged otherwise on N40, field corn 2025: met → not met." in moved
    assert "No-till is judged otherwise on N40, field corn 2025: not met → met." in moved_between(after, before).rest
    assert "→" not in " ".join(moved_between(before, before).rest)
    said, then, now = " ".join(moved), ci(before, "estimate"), ci(after, "estimate")
    assert (
        f"The calculator's run behind the CI of {CORN}, {ci(before, 'official')} g CO2e/bu, no longer fits the "
        "records and must be made anew."
    ) in said
    assert then != now
    assert f"CI of {CORN} by open model (an estimate): {then} → {now} g CO2e/bu" in said
    assert f"{ci(before, 'official')} →" not in said, "never one source against another"
    # An estimate is held against the model's own default, and the overview says whose it is as the message does.
    (found,) = [one["estimate"] for one in intensities_of(after) if one["crop"] == "corn"]
    assert f"(the open model's own default is {found['national_default']})" in said
    tiles = tiles_of(season.farm, None, season.audit.opened_at.date())
    tile = next(one for one in tiles if one.label == CORN)
    assert "the open model's own default" in tile.note
    assert "national default" not in tile.note + tile.bar
    assert "the national default" in next(one for one in tiles if "Sorghum" in one.label).note


def test_a_ci_that_both_sides_have_of_the_runs_is_held_against_itself_and_says_so(season: Cast) -> None:
    before = farm_book_of(season.farm)
    bushels = (before.texts(KINDS["harvest"], "W35-2025") or {})["bushels"]
    after = change(season, "harvest", "W35-2025", bushels=str(int(bushels) + 900))
    then, now = ci(before, "official"), ci(after, "official")
    assert then
    assert now
    assert then != now
    said = " ".join(moved_between(before, after).rest)
    assert f"CI of {CORN} by USDA FD-CIC runs: {then} → {now} g CO2e/bu (the national default is 9,000.00)." in said
    assert "made anew" not in said
    before, after = after, change(season, "operation", "W35-01", operation=PLOW, depth_in="8")
    then, now = ci(before, "official"), ci(after, "official")
    said = " ".join(moved_between(before, after).rest)
    assert f"{then} g CO2e/bu, no longer fits the records and must be made anew. " in said, "its no-till is gone"
    assert f"CI of {CORN} by USDA FD-CIC runs: {then} → {now} g CO2e/bu" in said


def test_a_claim_that_a_change_contradicts_is_told_with_its_reason(season: Cast) -> None:
    before = farm_book_of(season.farm)
    key = next(key for key, row in before.of(KINDS["cover_crop"]).items() if row["unit_id"] == "N40")
    (told,) = moved_between(before, change(season, "cover_crop", key, termination_method="tillage")).against
    assert told.startswith("Cover crop is claimed on N40, and your records say otherwise: The cover crop was ended by")
    assert moved_between(before, before).against == ()
