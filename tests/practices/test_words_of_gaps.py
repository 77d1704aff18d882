"""What a person reads beside a verdict: the gaps that are there and no others, amounts as one would say them."""

import pytest

from provender.practices import explain as explain_module
from provender.practices.evaluate import evaluate
from provender.practices.explain import Finding, explain
from provender.practices.prepared_book import load
from provender.practices.verdict import Verdict
from provender.rule.crops import Practice
from tests.practices.season import Rows, book_of, changed, clean_season, without

LOGGED = "logged by the machine"


def finding(rows: Rows, name: str) -> Finding:
    """Return one requirement's finding for the corn of 2025."""
    judged = next(one for one in explain(evaluate(load(book_of(rows)))) if one.harvest_id == "H25")
    return next(one for practice in judged.practices for one in practice.findings if one.requirement == name)


@pytest.mark.parametrize("name", ["no_till_stir_within_limit", "reduced_till_stir_within_limit"])
def test_a_missing_declaration_alone_does_not_ask_for_a_log_of_the_machine(name: str) -> None:
    found = finding(without(clean_season(), "declaration"), name)
    assert found.verdict is Verdict.NOT_SHOWN
    assert found.missing == ("declaration.all_operations_listed",)


def test_two_readings_on_different_sides_of_the_limit_ask_for_a_log_of_the_machine() -> None:
    rows = changed(clean_season(), "operation", 3, speed_mph="15", depth_in="6", surface_pct="60")
    found = finding(rows, "no_till_stir_within_limit")
    assert found.verdict is Verdict.NOT_SHOWN
    assert [name for name in found.missing if LOGGED in name] == list(found.missing)
    assert found.missing


def test_an_operation_that_is_not_listed_asks_for_its_name_and_not_for_a_log() -> None:
    found = finding(changed(clean_season(), "operation", 3, operation="Home-made thing"), "no_till_stir_within_limit")
    assert found.verdict is Verdict.NOT_SHOWN
    assert not [name for name in found.missing if LOGGED in name]


def test_where_no_cover_crop_is_recorded_that_alone_is_the_gap_of_every_requirement() -> None:
    rows = without(without(without(clean_season(), "cover_crop"), "cover_species"), "declaration")
    judged = next(one for one in explain(evaluate(load(book_of(rows)))) if one.harvest_id == "H25")
    asked = {one.requirement: one.missing for one in judged[Practice.cover_crop].findings if "(a)" in one.cite}
    assert asked
    assert set(asked.values()) == {("cover_crop (no cover crop is recorded before this crop)",)}


@pytest.mark.parametrize(
    ("day", "said"),
    [
        ("2025-03-28", "31 days from first synthetic N to planting"),
        ("2025-04-27", "1 day from first synthetic N to planting"),
        ("2025-04-28", "0 days from planting to first synthetic N"),
        ("2025-04-29", "1 day from planting to first synthetic N"),
    ],
)
def test_days_before_planting_are_said_without_a_sign(day: str, said: str) -> None:
    rows = changed(clean_season(), "nutrient_application", 0, day=day)
    assert finding(rows, "no_fall_first_n_at_planting").observed == said


def test_one_pass_is_said_in_the_singular_and_a_shortfall_in_its_unit_alone() -> None:
    rows = changed(clean_season(), "operation", 3, operation="Plow, moldboard")
    assert finding(rows, "reduced_till_no_primary_inversion").observed == "1 inversion pass"
    short = finding(changed(clean_season(), "nutrient_application", 1, n_lb_per_ac="100"), "split_post_emergence_share")
    assert (short.observed, short.gap) == ("100 lb N/ac after emergence, reductions included", "20 lb N/ac short")


def test_nothing_is_not_held_against_nothing() -> None:
    found = finding(without(clean_season(), "nutrient_application"), "inhibitor_with_all_synthetic_n")
    assert (found.observed, found.limit) == ("", "")


@pytest.mark.parametrize("name", ["inhibitor_recognised", "no_fall_none_in_fall", "split_post_emergence_share"])
def test_where_no_synthetic_nitrogen_went_on_that_is_told_as_the_reason(name: str) -> None:
    found = finding(without(clean_season(), "nutrient_application"), name)
    assert found.verdict is Verdict.NOT_MET
    assert "No synthetic nitrogen" in found.remedy


INSTEAD = "Claim reduced till instead"


@pytest.mark.parametrize(
    ("operation", "speed", "depth", "begins"),
    [
        ("Disk, tandem light finishing", "", "", (INSTEAD, INSTEAD)),
        ("Plow, moldboard", "", "", ("Nothing for this crop", "Nothing for this crop")),
        ("Disk, tandem heavy primary op.", "10", "10", ("Check speed and depth", "Check speed and depth")),
    ],
)
def test_reduced_till_is_advised_only_where_it_does_not_fail_as_well(
    operation: str, speed: str, depth: str, begins: tuple[str, str]
) -> None:
    rows = clean_season()
    for at in (2, 3):
        rows = changed(
            rows, "operation", at, operation=operation, speed_mph=speed, depth_in=depth, known_by="telematics"
        )
    names = ("no_till_no_full_width_disturbance", "no_till_stir_within_limit")
    found = [finding(rows, name) for name in names]
    told = [(one.remedy, prefix) for one, prefix in zip(found, begins, strict=True) if one.verdict is Verdict.NOT_MET]
    assert told
    for remedy, prefix in told:
        assert remedy.startswith(prefix)


def test_findings_are_made_when_somebody_looks_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    said = explain_module._said

    def counted(name: str, *rest: object) -> Finding:
        made.append(name)
        return said(name, *rest)

    monkeypatch.setattr(explain_module, "_said", counted)
    (judged,) = explain(evaluate(load(book_of(clean_season()))))
    assert judged.credited
    assert not made
    practice = judged.practices[0]
    seen = list(practice.findings)
    assert len(made) == len(seen) == len(practice.findings)
    assert practice.findings == tuple(seen)
    assert practice.findings[0] == seen[0]
    assert len(made) == len(seen)
