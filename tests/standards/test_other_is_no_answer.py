"""Other, unknown and a blank are no answer: no column of choices makes more of a row by them (interpretation 85)."""

from collections.abc import Iterator
from typing import Any, Final

import pytest

from provender.records.kind import KINDS
from provender.report.signing import refusals
from provender.standards.standard import Verdict
from provender.verdicts.assess import Assessment, assess
from tests.proof.changes import opinion
from tests.proof.world import book_of_farms, reports_of
from tests.report.official import official_rows
from tests.standards.season import Rows, changed, evidence, with_row, without

UNNAMED: Final = ("other", "unknown")
COLUMNS: Final = tuple(
    (kind, name, word)
    for kind, of in KINDS.items()
    for name, field in of.fields.items()
    for word in UNNAMED
    if word in field.options
)


def _rows() -> Rows:
    """Return a farm with a row of each of these columns, an expert's opinion among them."""
    rows = opinion()(official_rows())
    rows = changed(rows, "reported_acres", acres="62")
    rows = with_row(rows, "reported_acres", report_id="A2", crop="corn", harvest_year="2025", acres="10",
                    source="FSA-578", what="abandoned", evidence="E8")  # fmt: skip
    rows = with_row(rows, "land_use", unit_id="N40", year="2024", land_use="cropland")
    return with_row(rows, "evidence", **evidence("E90", "more.pdf", "form", "2025-03-01"))


def _changes() -> Iterator[tuple[str, str, int, str]]:
    """Yield each column, row and word that is no answer."""
    for kind, name, word in COLUMNS:
        for at, row in enumerate(_rows()[kind]):
            if row.get(name):
                yield kind, name, at, word


CHANGES: Final = tuple(_changes())


@pytest.fixture(scope="module")
def judged() -> tuple[Assessment, dict[str, dict[str, Any]]]:
    """Judge the farm as it is, with each word, and without an answer.

    That is a blank, or no row where the column may not be blank.
    """
    farms = {"F0": _rows()}
    for at, (kind, name, row, word) in enumerate(CHANGES):
        farms[f"O{at}"] = changed(_rows(), kind, row, **{name: word})
        is_required = KINDS[kind].fields[name].required
        farms[f"B{at}"] = without(_rows(), kind, row) if is_required else changed(_rows(), kind, row, **{name: ""})
    assessment = assess(book_of_farms(farms))
    return assessment, reports_of(farms, {}, assessment)


def met(assessment: Assessment, farm: str) -> set[tuple[str, str]]:
    found = (one for one in assessment.intervals if one.farm_id == farm)
    return {(one.harvest_id, name) for one in found for name, each in one.requirements.items()
            if each.verdict is Verdict.MET}  # fmt: skip


def test_every_column_with_such_a_word_has_a_row_here() -> None:
    assert {(kind, name) for kind, name, _, _ in CHANGES} == {(kind, name) for kind, name, _ in COLUMNS}


@pytest.mark.parametrize("at", [pytest.param(at, id=".".join(map(str, one))) for at, one in enumerate(CHANGES)])
def test_a_word_of_no_answer_shows_nothing(at: int, judged: tuple[Assessment, dict[str, dict[str, Any]]]) -> None:
    assessment, reports = judged
    kind, name, _, _ = CHANGES[at]
    assert met(assessment, f"O{at}") <= met(assessment, "F0")
    if not KINDS[kind].fields[name].required:
        assert met(assessment, f"O{at}") <= met(assessment, f"B{at}")
    assert refusals(reports[f"O{at}"]) or not refusals(reports[f"B{at}"])
