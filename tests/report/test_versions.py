"""Versions under one origin: what an amendment replaces, and in which sentences it says what changed."""

import pytest

from provender.problem import ProblemsError
from provender.report.document import Edition
from provender.report.versions import changes, next_edition
from provender.signing.canonical import document_hash
from tests.report.official import official_rows, report_of
from tests.standards.season import changed, without

FIRST = Edition(origin_id="origin", salt="0123456789abcdef")


def test_an_amendment_names_what_it_replaces_and_keeps_the_origin() -> None:
    first = report_of(official_rows(), edition=FIRST)
    later = report_of(changed(official_rows(), "harvest", 3, bushels="1400"))
    edition = next_edition(first, later)
    assert (edition.version, edition.replaces) == (2, document_hash(first))
    assert (edition.origin_id, edition.salt) == ("origin", "0123456789abcdef")
    assert edition.changes == (
        "Farm CI, g CO2e/bu: 4847.39 becomes 4817.53.",
        "Total bushels: 9500 becomes 9400.",
        "Unit S12, bushels: 1500 becomes 1400.",
    )


def test_practices_units_and_status_that_change_are_told_and_the_same_report_changes_nothing() -> None:
    first = report_of(official_rows())
    bare = without(without(without(official_rows(), "harvest", 3), "harvest", 2), "operation", 5)
    later = report_of(changed(bare, "calculator_run", status="beta", tillage="conventional"))
    found = changes(first, later)
    assert "Status: official becomes PRELIMINARY." in found
    assert "Unit S12 is no longer in the report." in found
    assert any(one.startswith("Unit N40, practices in the CI: ") for one in found)
    assert changes(later, first)[-1] == "Unit S12 is new in the report."
    assert changes(report_of(official_rows()), report_of(official_rows())) == []


@pytest.mark.parametrize("day", ["2026-01-14", "2025-05-15"])
def test_a_version_made_before_the_one_it_replaces_is_refused(day: str) -> None:
    first = report_of(official_rows())
    assert next_edition(first, {**first, "made_on": "2026-01-15"}).version == 2
    with pytest.raises(ProblemsError, match="after this one") as refused:
        next_edition(first, {**first, "made_on": day})
    assert refused.value.problems[0].code == "version_before"


def test_a_report_of_another_crop_is_not_amended() -> None:
    first = report_of(official_rows())
    with pytest.raises(ProblemsError, match="another farm, crop or harvest year"):
        next_edition(first, {**first, "harvest_year": 2024})
