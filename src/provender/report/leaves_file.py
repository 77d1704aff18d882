"""The file that opens a report's roots: its secret, and the leaf of every row by name (2100.030(d), .031(a)).

The report's buyers hold the roots; the farm keeps this file beside the report and hands it to the verifier with the
records. Whoever has it can tell which row was changed, dropped or added since; whoever has it not learns nothing of the
rows, and can still be shown one of them with its salt.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from provender.report.record_rows import Leaves
from provender.report.versions import origin_key
from provender.signing.salted_leaves import roots_over

TYPE: Final = "report-record-leaves"
FORMAT: Final = 1
ENDING: Final = ".leaves.json"


@dataclass(frozen=True, slots=True)
class Opening:
    """What opens the roots of one report.

    Attributes:
        key: farm, crop and harvest year; version: of the report.
        secret: from which the salts follow.
        leaves: of every row; empty where only the secret is handed over.
    """

    key: tuple[str, str, int]
    version: int
    secret: str
    leaves: Leaves

    def fits(self, records: Mapping[str, Mapping[str, str]]) -> bool:
        """Tell whether the leaves are those of a report's roots."""
        return {unit: roots_over(kinds) for unit, kinds in self.leaves.items()} == records


MEMBERS: Final = frozenset({"type", "format", "farm_id", "crop", "harvest_year", "version", "secret", "leaves"})
"""All that an opening may hold."""


def leaves_document(report: Mapping[str, Any], secret: str, leaves: Leaves) -> dict[str, Any]:
    """Return the opening of a report as plain data."""
    farm, crop, year = origin_key(report)
    return {
        "type": TYPE, "format": FORMAT, "farm_id": farm, "crop": crop, "harvest_year": year,
        "version": report["edition"]["version"], "secret": secret, "leaves": leaves,
    }  # fmt: skip


def read_leaves(data: object) -> Opening | None:
    """Read an opening; None where the data is none, or holds what no opening has: nobody signs this file."""
    if not isinstance(data, Mapping) or data.get("type") != TYPE or not set(data) <= MEMBERS:
        return None
    farm, crop, year, version = (data.get(name) for name in ("farm_id", "crop", "harvest_year", "version"))
    secret, leaves = data.get("secret"), data.get("leaves")
    if not (isinstance(farm, str) and isinstance(crop, str) and type(year) is int and type(version) is int):
        return None
    if not isinstance(secret, str) or not _are_leaves(leaves):
        return None
    return Opening((farm, crop, year), version, secret, leaves)  # type: ignore[arg-type]  # asked just before


def _are_leaves(value: object) -> bool:
    """Tell whether a value maps unit to kind to label to a hash in hexadecimal."""
    if not isinstance(value, Mapping):
        return False
    groups = [
        group for kinds in value.values() for group in (kinds.values() if isinstance(kinds, Mapping) else (None,))
    ]
    return all(isinstance(group, Mapping) and all(map(_is_hash, group.values())) for group in groups)


def _is_hash(value: object) -> bool:
    return isinstance(value, str) and len(value) == 64 and not set(value) - set("0123456789abcdef")  # noqa: PLR2004 - SHA-256
