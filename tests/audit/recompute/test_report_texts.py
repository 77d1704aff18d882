"""What two reports say in words is compared; remarks of today are told, and are no difference."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from provender.audit.recompute.reports import compare
from provender.audit.recompute.reports import report as report_check

if TYPE_CHECKING:
    from provender.audit.package.contents import PackageContents


def report(why: str, footing: str = "unanswered") -> dict[str, Any]:
    return {"attestation": [{"cite": "2100.031(c)(3)(v)", "footing": footing, "why": why}], "total_bushels": "100"}


def test_what_cannot_be_is_a_remark_of_today_and_no_difference() -> None:
    assert compare(report("x"), report("x") | {"contradictions": [{"code": "day_ahead", "cause": "Late."}]}, "r") == []


def test_the_verifier_is_told_what_cannot_be_once_and_of_any_report() -> None:
    late = {"contradictions": [{"code": "day_ahead", "cause": "Late."}]}

    def told(claimed: dict[str, Any]) -> tuple[str, ...]:
        one = SimpleNamespace(path="r.json", name="r", key="r", version=1, document=report("x") | claimed)
        farm = SimpleNamespace(reports=(one,), latest=(one,), recomputed={"r": report("x") | late})
        case = SimpleNamespace(farms=(farm,))
        case.once = lambda made: made(case)
        return report_check(cast("PackageContents", case)).not_shown

    assert told({}) == told({"contradictions": 7}) == ("r: Late.",)
    assert told(late) == ()


def test_another_unit_or_another_footing_is_one() -> None:
    before = "The enrollment of N40 in Club does not say."
    assert compare(report(before), report("The enrollment of S80 in Club does not say."), "r")
    assert compare(report(before), report(before, "word"), "r")


def test_what_a_report_rests_on_besides_its_records_is_of_no_unit() -> None:
    one, two = ({**report("x"), "rests_on": {"records_sha256": text}} for text in ("a", "b"))
    (found,) = compare(one, two, "r")
    assert ("records" in found.place, found.effect_bushels) == (True, 100_000)


@pytest.mark.parametrize(("claimed", "recomputed"), [(["a, b"], ["a", "b"]), (["a", "b, c"], ["a, b", "c"])])
def test_members_of_a_list_are_told_apart_whatever_stands_in_them(claimed: list[str], recomputed: list[str]) -> None:
    assert compare(report("x") | {"names": claimed}, report("x") | {"names": recomputed}, "r")
    assert compare(report("x") | {"names": claimed}, report("x") | {"names": claimed[::-1]}, "r") == []
