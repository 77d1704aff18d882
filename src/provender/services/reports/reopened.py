"""Which rows made a signed report out of date: each that was added, changed or removed since and that it rests on."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.utils.timezone import localdate

from provender.database.models import Change, ReportVersion
from provender.records import KINDS
from provender.report.record_rows import PARENTS, WHOLE_FARM
from provender.services.farm.book import FarmBook, called
from provender.services.reports.held import moved_records

MOST: Final = 12
"""Rows that a page names; the history of the book has the others."""

ADDED: Final = "Added to {label}: {key}"
CHANGED: Final = "Changed in {label}: {key}"
REMOVED: Final = "Removed from {label}: {key}"


@dataclass(frozen=True, slots=True)
class Reopening:
    """A row that says something else than when a report was signed.

    Attributes:
        kind: of record.
        key: of the row.
        words: which row, and what became of it.
        day: on which it was touched last.
    """

    kind: str
    key: str
    words: str
    day: date


def reopened_by(
    farm: FarmBook, last: ReportVersion, signed: Mapping[str, Any], now: Mapping[str, Any]
) -> list[Reopening]:
    """Return the rows that made a signed report out of date, crop entries before what was done to them.

    Args:
        farm: the version of the book.
        last: the version in force.
        signed: its document.
        now: the report as it would be signed today.
    """
    moved = moved_records(farm, last, signed, now)
    units = {unit["unit_id"] for report in (signed, now) for unit in report["units"]}
    found = [
        Reopening(kind, key, became.format(label=KINDS[kind].label, key=called(KINDS[kind], key)), localdate(at))
        for (kind, key), (unit, became, at) in _since(farm, last).items()
        if (unit if unit in units else WHOLE_FARM, kind) in moved
    ]
    order = list(KINDS)
    return sorted(found, key=lambda one: order.index(one.kind))


def in_a_sentence(found: Sequence[Reopening]) -> str:
    """Say that the records have overtaken a report: by which row, and how many more there are."""
    if not found:
        return "The records say something else by now."
    first, more = found[0].words, len(found) - 1
    if more:
        return f"The records say something else by now: {first} (and {more} more)."
    return f"The records say something else by now: {first}."


def _since(farm: FarmBook, last: ReportVersion) -> dict[tuple[str, str], tuple[str, str, datetime]]:
    """Return by kind and key the unit of each row touched since a signature, what became of it, and when last."""
    head = Change.objects.filter(book=farm.book, hash=last.book_head).first()
    later = Change.objects.filter(book=farm.book, number__gt=head.number if head else 0, number__lte=farm.version)
    then = FarmBook(farm.book, head.number if head else 0)
    found: dict[tuple[str, str], tuple[str, str, datetime]] = {}
    for (kind, key), at in _touched(later).items():
        before, after = then.of(KINDS[kind]).get(key), farm.of(KINDS[kind]).get(key)
        if before == after:
            continue
        became = ADDED if before is None else REMOVED if after is None else CHANGED
        found[kind, key] = _unit(farm if after else then, kind, after or before or {}), became, at
    return found


def _touched(changes: Any) -> dict[tuple[str, str], datetime]:  # noqa: ANN401 - a query
    seen: dict[tuple[str, str], datetime] = {}
    for text, at in changes.order_by("number").values_list("text", "at"):
        for edit in json.loads(text)["edits"]:
            if edit["kind"] in KINDS:
                seen[edit["kind"], edit["key"]] = at
    return seen


def _unit(farm: FarmBook, kind: str, row: Mapping[str, object]) -> str:
    """Return the unit that a row is of: its own, or that of the row or crop entry it names."""
    if row.get("unit_id"):
        return str(row["unit_id"])
    if kind in PARENTS:
        parent, column = PARENTS[kind]
        return _unit(farm, parent, farm.of(KINDS[parent]).get(str(row.get(column) or ""), {}))
    entry = farm.of(KINDS["harvest"]).get(str(row.get("harvest_id") or ""), {})
    return str(entry.get("unit_id") or "")
