"""A report signed before a word was spelled anew says the same as one made today; what it means is still compared."""

from typing import Any

from provender.audit.recompute.report_diff import compare


def report(why: str, footing: str = "unanswered") -> dict[str, Any]:
    return {"attestation": [{"cite": "2100.031(c)(3)(v)", "footing": footing, "why": why}], "total_bushels": "100"}


def test_a_word_spelled_anew_is_no_difference() -> None:
    before = "The enrolment of N40 in Club does not say whether the program takes the benefit."
    now = "The enrollment of N40 in Club does not say whether it takes the benefit."
    assert compare(report(before), report(now), "r") == []
    assert compare(report(now), report(before), "r") == []


def test_another_unit_or_another_footing_is_one() -> None:
    before = "The enrolment of N40 in Club does not say."
    assert compare(report(before), report("The enrollment of S80 in Club does not say."), "r")
    assert compare(report(before), report(before, "word"), "r")
