"""Page 1 says by how much of the default the farm is below it, and what the producer does next."""

from typing import Any

import pytest

from provender.report.print_view import view
from provender.report.signing import is_example, refusals
from tests.practices.season import changed
from tests.report.official import official_rows, report_of


def page(report: dict[str, Any], *, signed: bool = False) -> dict[str, Any]:
    return view(report, signed=signed, refused=refusals(report))


@pytest.mark.parametrize(
    ("below", "default", "said"),
    [
        ("1116.62", "9000.00", "12.4 % below"),
        ("-450.00", "9000.00", "5.0 % above"),
        ("0.00", "9000.00", "0.0 % below"),
        ("4.50", "9000.00", "0.0 % below"),
        ("13.50", "9000.00", "0.2 % below"),
        ("9000.01", "9000.00", "100.0 % below"),
        (None, "9000.00", ""),
        ("1.00", None, ""),
        ("1.00", "0.00", ""),
    ],
)
def test_the_difference_is_a_share_of_the_default(below: str | None, default: str | None, said: str) -> None:
    report = report_of(official_rows()) | {"below_national_g_per_bu": below, "national_default_g_per_bu": default}
    assert page(report)["difference"] == said


def test_what_comes_next_leads_the_remarks() -> None:
    signed = page(report_of(official_rows()), signed=True)["remarks"]
    assert signed[0]["whole"].startswith("Next step: give it to each buyer")
    unsigned = page(report_of(official_rows()))["remarks"]
    assert unsigned[0]["whole"].startswith("Not signed electronically")
    broken = report_of(changed(official_rows(), "calculator_run", 0, evidence=""))
    assert page(broken)["remarks"][0]["whole"] == f"Next step: {refusals(broken)[0].remedy}"


def test_an_example_is_given_to_no_buyer() -> None:
    report = report_of(official_rows())
    assert not is_example(report)
    example = {**report, "calculator": {**report["calculator"], "example": True}}
    said = [one["whole"] for one in page(example, signed=True)["remarks"]]
    assert said[0].startswith("EXAMPLE")
    assert not any(one.startswith("Next step") for one in said)
