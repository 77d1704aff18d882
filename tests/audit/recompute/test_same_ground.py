"""One field behind two farms, of which one says that it cut the crop on the other side of New Year."""

import csv
import io
from datetime import date
from pathlib import Path

import pytest

from provender.audit.package.contents import PackageContents
from provender.audit.package.layout import HEADER
from provender.audit.package.write import Header, Subject
from provender.audit.recompute.cross_party import one_origin
from provender.records.kind import KINDS
from provender.signing.canonical import canonical_json
from tests.practices.season import Rows, changed, clean_season, square


def files_of(farm: str, rows: Rows) -> dict[str, bytes]:
    """Return what a package holds of a farm's units and harvests."""
    files = {f"farms/{farm}/records/boundaries/{unit['boundary']}": square(40).encode() for unit in rows["unit"]}
    for kind in ("farm", "unit", "harvest"):
        text = io.StringIO()
        table = csv.DictWriter(text, tuple(KINDS[kind].typed_fields))
        table.writeheader()
        table.writerows(row | {"farm_id": farm} for row in rows[kind])
        files[f"farms/{farm}/records/{kind}.csv"] = text.getvalue().encode()
    return files


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [
        ("2025-10-20", "2025-10-21", True),
        ("2025-12-28", "2026-01-01", True),
        ("2026-10-20", "2026-10-21", False),
    ],
)
def test_a_field_of_two_farms_is_seen_though_one_cut_it_over_new_year(
    tmp_path: Path, first: str, last: str, *, told: bool
) -> None:
    one = clean_season()
    files = files_of("F1", one) | files_of("F2", changed(one, "harvest", 1, first_day=first, last_day=last))
    days = date(2025, 1, 1), date(2026, 12, 31)
    parties = {f"farms/{farm}": farm for farm in ("F1", "F2")}
    header = Header(Subject.ENTITY_PERIOD, "E1", "Elevator", *days, "interim-2025", "provender", days[1], parties)
    found = one_origin(PackageContents({HEADER: canonical_json(header.document()), **files}, tmp_path))
    # The soybeans of 2024 grew on both; what differs is whether the corn of 2025 is among what is told.
    (both,) = [one for one in found.differences if one.code == "same_ground_twice"]
    assert (both.effect_bushels == 2 * 8_000_000) is told
