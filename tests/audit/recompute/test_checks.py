"""An outcome settles a paragraph only when something was computed and everything agreed."""

import pytest

from provender.audit.outcome import CheckResult, Difference, State, effect_g_co2e, state_of
from provender.audit.recompute.checks import CHECKS, Check, recompute
from provender.audit.sampling.sample import PATH, draw_sample, sample_document
from provender.rule.law import Cite
from provender.rule.paragraphs import paragraphs
from provender.signing.canonical import canonical_json
from tests.audit.farms import asked, mixed

DIFFERENCE = Difference("stir_differs", "2100.051(b)(1)", "F1, north, 2026", "19.5", "21.2", 12_000_500, 2_500)
DOCUMENT = sample_document(draw_sample(asked(mixed(51, 1))))


def outcome(computed: int, *differences: Difference, not_shown: tuple[str, ...] = ()) -> CheckResult:
    return CheckResult("stir", ("2100.051(d)", "2100.051(b)(1)"), computed, differences, not_shown)


@pytest.mark.parametrize(
    ("found", "state"),
    [
        (outcome(1), State.SETTLED),
        (outcome(0), State.OPEN),
        (outcome(3, not_shown=("One pass has no speed.",)), State.OPEN),
        (outcome(3, DIFFERENCE), State.DIFFERS),
        (outcome(3, DIFFERENCE, not_shown=("One pass has no speed.",)), State.DIFFERS),
    ],
)
def test_nothing_computed_is_never_all_well(found: CheckResult, state: State) -> None:
    assert found.state is state
    assert found.as_json()["state"] == str(state)


def test_a_paragraph_takes_the_worst_state_of_what_speaks_to_it_or_below() -> None:
    outcomes = [
        outcome(1),
        CheckResult("cover", ("2100.052(a)(3)",), 2, (DIFFERENCE,)),
        CheckResult("x", ("2100.052",), 0),
    ]
    assert state_of(outcomes, "2100.051(b)(1)") is State.SETTLED
    assert state_of(outcomes, "2100.051") is State.SETTLED
    assert state_of(outcomes, "2100.052(a)") is State.DIFFERS
    assert state_of(outcomes, "2100.052(a)(1)") is State.OPEN
    assert state_of([], "2100.020") is State.OPEN


def test_a_difference_reads_as_a_line_and_travels_as_data() -> None:
    assert str(DIFFERENCE) == (
        "F1, north, 2026: claimed 19.5, recomputed 21.2 [7 CFR 2100.051(b)(1)]. Effect: 12,000.5 bu, 2,500 g CO2e"
    )
    assert DIFFERENCE.as_json()["effect_bushels"] == "12000.5"


def test_a_difference_without_a_paragraph_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="not a paragraph"):
        Difference("x", "ISO 9001", "here", "", "")


@pytest.mark.parametrize(
    ("bushels", "claimed", "again", "grams"),
    [
        (1_000, 500_000, 500_100, 1),
        (1_000, 500_100, 500_000, -1),
        (10_000_500, 500_000, 500_050, 5_000),
        (500, 0, 100, 0),
    ],
)
def test_the_effect_in_grams_is_positive_where_the_claim_is_too_good(
    bushels: int, claimed: int, again: int, grams: int
) -> None:
    assert effect_g_co2e(bushels, claimed, again) == grams


def test_the_draw_of_a_package_is_computed_again() -> None:
    (settled,) = [one for one in recompute({PATH: canonical_json(DOCUMENT)}) if one.check == "sample"]
    assert (settled.state, settled.computed) == (State.SETTLED, 1)
    forged = {**DOCUMENT, "sample": DOCUMENT["sample"][:-1]}
    (differs,) = [one for one in recompute({PATH: canonical_json(forged)}) if one.check == "sample"]
    assert differs.differences[0].code == "sample_differs"


@pytest.mark.parametrize("files", [{}, {PATH: b"5"}, {PATH: b"{"}, {PATH: b"{}"}])
def test_without_a_sample_that_can_be_read_nothing_is_settled(files: dict[str, bytes]) -> None:
    (found,) = [one for one in recompute(files) if one.check == "sample"]
    assert found.state is not State.SETTLED


def test_what_cannot_be_read_is_a_difference_so_that_no_package_becomes_clean_by_being_damaged() -> None:
    (found,) = [one for one in recompute({PATH: b"{"}) if one.check == "sample"]
    assert [one.code for one in found.differences] == ["not_recomputed"]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_every_check_can_be_found_and_speaks_to_paragraphs_that_exist(check: Check) -> None:
    assert callable(check.find())
    assert {Cite.parse(cite) for cite in check.cites} <= set(paragraphs())
