"""A record with a blank cell is judged and reported as well as it can be: no cell of any kind ends in a traceback."""

from collections.abc import Iterator
from typing import Final

import pytest

from provender.intensity.quantify import quantify
from provender.records.kind import KINDS
from provender.report.document import build
from provender.report.print import view
from provender.report.season import seasons
from provender.report.signing import refusals
from provender.rule.crops import Crop
from provender.verdicts.assess import Assessment, assess
from tests.report.official import DAY, KNOWN, official_rows
from tests.standards.season import Rows, book_of
from tests.standards.seasons import ROWS, put_together
from tests.standards.side_by_side import MORE

WHOLE: Final[Rows] = official_rows()
for _kind, _row in (*ROWS, *MORE):
    WHOLE.setdefault(_kind, [_row])


def _cells() -> Iterator[tuple[str, str]]:
    for kind, of_kind in WHOLE.items():
        said = {name for row in of_kind for name, text in row.items() if text}
        yield from ((kind, name) for name in KINDS[kind].typed_fields if name in said)


CELLS: Final = tuple(_cells())


def blanked(kind: str, column: str) -> Rows:
    return {**WHOLE, kind: [{**row, column: ""} for row in WHOLE[kind]]}


@pytest.fixture(scope="module")
def judged() -> Assessment:
    """Judge a farm for each cell, all of a kind blank in that column."""
    return assess(book_of(put_together([blanked(*cell) for cell in CELLS])))


def test_a_book_is_judged_with_any_cell_blank(judged: Assessment) -> None:
    found = {one.farm_id for one in judged.intervals}
    without = [CELLS[at] for at in range(len(CELLS)) if f"F{at}" not in found]
    assert {kind for kind, _ in without} <= {"unit", "harvest"}
    assert seasons(judged)


@pytest.mark.parametrize(
    "at",
    [
        pytest.param(at, id=f"{kind}.{name}", marks=() if kind in ("farm", "producer", "unit") else pytest.mark.slow)
        for at, (kind, name) in enumerate(CELLS)
    ],
)
def test_a_report_is_made_with_any_cell_blank(at: int, judged: Assessment) -> None:
    farm = f"F{at}"
    if judged.of(farm, Crop.field_corn, 2025):
        result = quantify(judged, farm, Crop.field_corn, 2025, "official", known=KNOWN)
        report = build(judged, result, as_of=DAY)
        assert view(report, signed=False, refused=refusals(report))["state"] != "signed"
