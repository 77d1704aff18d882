"""Which records a report rests on: every kind of record of its units up to the harvest, and what the farm has beside.

A row belongs to a report when nothing says that it does not: rows of other units, of other crops and years, and of days
after the harvest (of the unit's season) or after the report (of everything else) belong elsewhere. So a season that is
entered later changes no report of an earlier one, and a row that names neither unit nor day is bound by each.

A crop entry that ends no crop, such as one still to come, enters no verdict and belongs to no report; rows that name it
belong by the day that verdicts place them by.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from provender.intensity.quantify import Quantification
from provender.practices.assess import Assessment
from provender.records.folder import BOUNDARIES, signed_row
from provender.records.harvest_years import ENDINGS
from provender.records.kind import KINDS
from provender.records.rejected import REJECTED
from provender.signing.hashes import sha256_hex
from provender.signing.salted_leaves import leaf_under

Row = Mapping[str, Any]
Leaves = dict[str, dict[str, dict[str, str]]]
"""Unit or ``farm`` -> kind -> label of the row -> leaf."""

WHOLE_FARM: Final = "farm"
PARENTS: Final = {
    "operation_tool": ("operation", "operation_id"),
    "cover_species": ("cover_crop", "cover_id"),
    "budget_source": ("nutrient_budget", "budget_id"),
}
"""Kinds whose rows belong to a row of another kind: the other, and the column that names it."""
OF_SEASON: Final = {"operation": "day", "nutrient_application": "day"}
"""Kinds of a unit's season, by the column that says when: they belong up to the unit's harvest."""
SOWN: Final = {"cover_crop": "seeded_on"}
"""Kinds that enter a balance of the whole farm on their day, whichever crop they name."""
BY_DAY: Final = {
    "scale_ticket": "day", "sale": "day", "soil_test": "sampled_on", "seed_purchase": "received_on",
    "inhibitor_purchase": "received_on", "expert_opinion": "given_on", "evidence": "taken_on", "control": "since",
    "enrolment": "since", "calculator_run": "run_on", "report_delivery": "day",
}  # fmt: skip
"""Kinds that belong up to the day of the report, by the column that says when."""
OF_CROP: Final = frozenset({"reported_acres", "bushel_total", "scale_ticket", "sale", "national_default"})
GOES_ON: Final = frozenset({"scale_ticket", "sale", "report_delivery", "evidence"})
"""Kinds that grow on after the report without saying anything new of its harvest."""
FILES: Final = (BOUNDARIES, REJECTED)
"""Folders whose files are read with the records."""


@dataclass(frozen=True)
class BoundRows:
    """The rows that a report rests on.

    Attributes:
        assessment: the book, judged.
        q: farm, crop, harvest year and units.
        made_on: the day of the report.
        files: texts of boundaries and rejected rows by path; those of the book's folder where none are given.
    """

    assessment: Assessment
    q: Quantification
    made_on: date
    files: Mapping[str, bytes] | None = None

    def leaves(self, secret: str) -> Leaves:
        """Return the salted leaf of every row and file."""
        found: Leaves = {}
        for kind, frame in self._frames.items():
            fields = {name: one for name, one in KINDS[kind].typed_fields.items() if name != "farm_id"}
            rows = sorted((self._unit(kind, row), self._label(kind, row), signed_row(row, fields)) for row in frame
                          if self._belongs(kind, row))  # fmt: skip
            for unit, label, texts in _numbered(rows):
                leaf = leaf_under(secret, (kind, label), texts)
                found.setdefault(unit if unit in self._ends else WHOLE_FARM, {}).setdefault(kind, {})[label] = leaf
        for unit, folder, name, digest in self._bound_files():
            found.setdefault(unit, {}).setdefault(folder, {})[name] = leaf_under(secret, (folder, name), digest)
        return found

    @cached_property
    def _frames(self) -> dict[str, Sequence[Row]]:
        return {kind: self.assessment.book.rows_of(kind, self.q.farm_id) for kind in KINDS}

    @cached_property
    def _ends(self) -> dict[str, date | None]:
        """The last day of the crop's harvest, by unit of the report."""
        ends: dict[str, date | None] = {unit.unit_id: None for unit in self.q.units}
        for one in self.assessment.of(self.q.farm_id, self.q.crop, self.q.harvest_year):
            last = one.facts.get("last_day")
            if one.unit_id in ends and last is not None:
                ends[one.unit_id] = max(last, ends[one.unit_id] or last)
        return ends

    @cached_property
    def _units(self) -> frozenset[str]:
        return frozenset(row["unit_id"] for row in self._frames["unit"])

    @cached_property
    def _harvests(self) -> dict[str, Row]:
        return {row["harvest_id"]: row for row in self._frames["harvest"]}

    @cached_property
    def _parents(self) -> dict[str, dict[str, Row]]:
        return {kind: {row[column]: row for row in self._frames[parent]} for kind, (parent, column) in PARENTS.items()}

    def _label(self, kind: str, row: Row) -> str:
        names = [name for name in KINDS[kind].key_columns if name != "farm_id"]
        return " ".join("" if row[name] is None else str(row[name]) for name in names)

    def _unit(self, kind: str, row: Row) -> str:
        if row.get("unit_id"):
            return str(row["unit_id"])
        if parent := self._parent(kind, row):
            return self._unit(PARENTS[kind][0], parent)
        harvest = self._harvests.get(row.get("harvest_id") or "")
        return str(harvest["unit_id"] or "") if harvest else ""

    def _parent(self, kind: str, row: Row) -> Row | None:
        return self._parents[kind].get(row[PARENTS[kind][1]]) if kind in PARENTS else None

    def _belongs(self, kind: str, row: Row) -> bool:
        if parent := self._parent(kind, row):
            return self._belongs(PARENTS[kind][0], parent)
        unit = self._unit(kind, row)
        if unit in self._units and unit not in self._ends:
            return False
        if kind == "report_delivery" and row["day"] == self.made_on:
            return False  # what was signed that day can only have been given after it
        if kind in OF_CROP and not self._of_crop(row):
            return False
        if kind == "tillage_history" and (row["harvest_year"] or 0) > self.q.harvest_year:
            return False
        return self._in_time(kind, row, unit)

    def _in_time(self, kind: str, row: Row, unit: str) -> bool:
        """Tell whether nothing says that a row is of a later season than its unit's in this report."""
        end = self._ends.get(unit)
        harvest = row if kind == "harvest" else self._harvests.get(row.get("harvest_id") or "")
        if kind in OF_SEASON and (harvest is None or not self._counts(harvest, unit)):
            return _until(row[OF_SEASON[kind]], end)
        if harvest is not None:
            if not _ends_a_crop(harvest):
                return kind in SOWN and _until(row[SOWN[kind]], end)
            if not _until(harvest["last_day"], end):
                return False
        return kind not in BY_DAY or _until(row[BY_DAY[kind]], self.made_on)

    def _counts(self, harvest: Row, unit: str) -> bool:
        """Tell whether what is spread belongs to the entry it names: one of its own unit that ends a crop."""
        return bool(harvest["unit_id"] == unit and _ends_a_crop(harvest))

    def _of_crop(self, row: Row) -> bool:
        year = row.get("harvest_year")
        return row["crop"] in (None, str(self.q.crop)) and year in (None, self.q.harvest_year)

    def _bound_files(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield unit or farm, folder, name and hash of every file that is read with the records."""
        units = {row["boundary"]: row["unit_id"] for row in self._frames["unit"] if row["boundary"]}
        given = self.files if self.files is not None else _in_folder(self.assessment.book.folder)
        for path, content in sorted(given.items()):
            folder, _, name = path.partition("/")
            unit = units.get(name, "")
            if folder == REJECTED or unit in self._ends:
                yield unit if folder == BOUNDARIES else WHOLE_FARM, folder, name, _hash_of_text(name, content)


def _ends_a_crop(harvest: Row) -> bool:
    """Tell whether an entry is of a crop that ended: harvested, given up, or on a day whatever it says."""
    return harvest["ending"] in ENDINGS or harvest["last_day"] is not None


def _until(day: date | None, last: date | None) -> bool:
    return day is None or last is None or day <= last


def _numbered(rows: Iterable[tuple[str, str, list[str]]]) -> Iterator[tuple[str, str, list[str]]]:
    """Tell rows of one label apart."""
    seen: Counter[str] = Counter()
    for unit, label, texts in rows:
        seen[label] += 1
        yield unit, label if seen[label] == 1 else f"{label} ({seen[label]})", texts


def _in_folder(folder: Path | None) -> dict[str, bytes]:
    if folder is None:
        return {}
    paths = [path for name in FILES for path in sorted((folder / name).rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _hash_of_text(name: str, content: bytes) -> str:
    """Return the hash of a file's lines, whatever ends them; the rows of a table may stand in any order."""
    lines = [line for line in content.removeprefix(b"\xef\xbb\xbf").splitlines() if line]
    return sha256_hex(b"\n".join(sorted(lines) if name.endswith(".csv") else lines))
