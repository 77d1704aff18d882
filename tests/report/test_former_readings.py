"""Reports signed before a reading changed are compared by the reading they were made under, and only those."""

import copy
from decimal import Decimal
from typing import Any

import pytest

from provender.audit.recompute.report_diff import compare
from provender.report.earlier_formats import as_claimed, at_published_depth
from tests.report.official import report_of
from tests.report.test_paper_alone import with_implements

WRITTEN_OUT = ("equipment", "tillage_type", "share_pct", "working")


def signed_before(**head: Any) -> tuple[dict[str, Any], dict[str, Any]]:  # noqa: ANN401 - members of a report
    """Return today's report, and the same as it was made when a coulter chisel had 52.65 at any depth (at 5 mph)."""
    now = report_of(with_implements())
    then = {**copy.deepcopy(now), **head}
    (interval,) = next(unit for unit in then["units"] if unit["unit_id"] == "S12")["intervals"]
    chisel = next(one for one in interval["passes"] if one["operation_id"] == "W1")
    speed = Decimal(chisel["working"].rpartition(" / ")[2].removesuffix(" mph"))
    former = Decimal("52.65") * Decimal(chisel["speed_mph"]) / speed
    less = Decimal(chisel["stir_recorded"]) - former
    assert less > 0
    chisel["stir_recorded"] = str(former.normalize())
    fact = next(one for one in interval["facts"] if one["name"] == "STIR by recorded values")
    fact["value"] = str((Decimal(fact["value"]) - less).normalize())
    for unit in then["units"]:
        for each in unit["intervals"]:
            each["passes"] = [{n: v for n, v in one.items() if n not in WRITTEN_OUT} for one in each["passes"]]
    return now, then


def test_an_earlier_report_is_compared_at_the_published_depth_and_the_pass_is_named() -> None:
    now, then = signed_before(made_on="2026-11-22")
    assert compare(then, now, "report") != []
    assert compare(then, as_claimed(now, then), "report") == []
    assert "W1" in at_published_depth(then)


def test_a_report_made_since_then_is_not() -> None:
    now, then = signed_before(made_on="2026-11-23")
    assert any(one.code.endswith(":stir") for one in compare(then, as_claimed(now, then), "report"))
    assert at_published_depth(then) == ()


def test_another_stir_than_the_former_is_named_in_an_earlier_report_too() -> None:
    now, then = signed_before(made_on="2026-11-22")
    for unit in then["units"]:
        for one in unit["intervals"][0]["passes"]:
            one["stir_recorded"] = "1" if one["operation_id"] == "W1" else one["stir_recorded"]
    assert any(one.code.endswith(":stir") for one in compare(then, as_claimed(now, then), "report"))


@pytest.mark.parametrize("said", [None, "0" * 64])
def test_a_printout_signed_without_its_hash_is_compared_without(said: str | None) -> None:
    now = report_of(with_implements())
    then = copy.deepcopy(now)
    then["units"][0]["runs"][0]["evidence"][0]["sha256"] = said
    assert (compare(then, as_claimed(now, then), "report") == []) is (said is None)
