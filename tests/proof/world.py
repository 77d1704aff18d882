"""Many farms in one book, each the farm of ``tests.report.official`` with one change, judged and reported together.

Judging a book costs the same for one farm as for a hundred, so a table of cases costs little more than one of them; and
what one farm gets wrong is seen to stay with it.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

from provender.intensity.quantify import quantify
from provender.records.book import HeldFiles, RecordBook
from provender.records.kind import KINDS
from provender.records.reading import TextTable, read_table
from provender.report.document import build
from provender.rule.crops import Crop
from provender.verdicts.assess import Assessment, assess
from tests.report.official import DAY, KNOWN, printed_anew
from tests.standards.season import Rows, square


def reports_of(
    farms: Mapping[str, Rows], days: Mapping[str, date], judged: Assessment | None = None
) -> dict[str, dict[str, Any]]:
    """Return the report on the corn of 2025 of each farm, on its day or that of the tests."""
    assessment = judged or assess(book_of_farms(farms))
    found, anew = {}, {}
    for name, rows in farms.items():
        q = quantify(assessment, name, Crop.field_corn, 2025, known=KNOWN)
        if (printed := printed_anew(rows, q)) != rows:
            anew[name] = printed
        else:
            found[name] = build(assessment, q, as_of=days.get(name, DAY))
    found |= reports_of(anew, days) if anew else {}
    return {name: found[name] for name in farms}


def book_of_farms(farms: Mapping[str, Rows]) -> RecordBook:
    """Read every farm's rows; a file of evidence holds its name, and none that is called ``gone...`` is there."""
    readings = []
    files, drawn = {}, {}
    for farm, rows in farms.items():
        for kind, of_kind in rows.items():
            heading = tuple(KINDS[kind].typed_fields)
            cells = tuple((i, tuple(({**row, "farm_id": farm}).get(name, "") for name in heading))
                          for i, row in enumerate(of_kind, start=2))  # fmt: skip
            table = TextTable(f"{farm}/{kind}.csv", "", heading, cells)
            readings.append((kind, read_table(KINDS[kind], table, farm_id=farm)))
        for one in rows.get("evidence", ()):
            if not one["file"].startswith("gone"):
                files[farm, one["file"]] = one["file"].encode
        for one in rows["unit"]:
            if one.get("boundary") and not one["boundary"].startswith("gone"):
                drawn[farm, one["boundary"]] = square(float(one.get("drawn") or one.get("acres") or 1)).encode
    return RecordBook.from_readings(readings, files=HeldFiles(files), boundaries=HeldFiles(drawn))
