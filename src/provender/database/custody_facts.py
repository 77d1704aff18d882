"""What a custody decision may ask, answered from the tables. Within one transaction an answer is read once."""

import json
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from provender.custody.decide import read_event
from provender.custody.facts import Posted, R, Step
from provender.custody.lots import STOCK, Lot, LotState
from provender.database.custody_codec import read_record
from provender.database.custody_rows import lot_of, lots_of_rows
from provender.database.models import CustodyEvent, CustodyLot, CustodyOrigin, CustodyRecord, CustodyStep

if TYPE_CHECKING:
    from django.db.models import QuerySet

STOCKED: Final = tuple(sorted(str(state) for state in STOCK))
WITH: Final = ("origin", "parent")
WITH_STEP: Final = (*WITH, "opened_by", "parent__origin", "parent__parent")
OF_LOT: Final = tuple(f"lot__{name}" for name in WITH_STEP)


class SqlFacts:
    """Facts of one database."""

    def __init__(self, using: str) -> None:
        self._using = using
        self._records: dict[tuple[str, str], Any] = {}

    def posted(self, event_id: str) -> Posted | None:
        """Return the event of that id, or None."""
        row = self._events().filter(name=event_id).first()
        return None if row is None else posted_of(row)

    def one(self, kind: type[R], key: str) -> R | None:
        """Return the record of a kind under a key, or None."""
        known = (kind.kind, key)
        if known not in self._records:
            text = self._all_records().filter(kind=kind.kind, key=key).values_list("text", flat=True).first()
            self._records[known] = None if text is None else read_record(kind, json.loads(text))
        found: R | None = self._records[known]
        return found

    def many(self, kind: type[R], group: str) -> Sequence[R]:
        """Return the records of a kind in a group, in the order in which their keys were first stated."""
        rows = self._all_records().filter(kind=kind.kind, group=group).order_by("id")
        return [read_record(kind, json.loads(text)) for text in rows.values_list("text", flat=True)]

    def lots_at(self, origin: str, start: int, stop: int) -> Sequence[Lot]:
        """Return the current lots of an origin that overlap the serials, lowest first."""
        found = CustodyOrigin.objects.using(self._using).filter(name=origin).first()
        if found is None:
            return []
        base = found.base
        rows = self._current().filter(origin=found, span_start__lt=base + stop, span_stop__gt=base + start)
        return lots_of_rows(rows.order_by("span_start"))

    def lots_of(self, owner: str, crop: str) -> Sequence[Lot]:
        """Return the current lots in an owner's stock of a crop and its products."""
        return lots_of_rows(self._stock().filter(owner=owner, crop=crop))

    def lots_in(self, custodian: str, site: str, form: str) -> Sequence[Lot]:
        """Return the current lots in stock at a site in a form."""
        return lots_of_rows(self._stock().filter(custodian=custodian, site=site, form=form))

    def lots_by(self, movement: str) -> Sequence[Lot]:
        """Return all lots a movement opened, in its order."""
        return lots_of_rows(self._lots().filter(opened_by__name=movement).order_by("id"))

    def parents(self, movement: str) -> Sequence[Lot]:
        """Return all lots a movement ended."""
        return lots_of_rows(self._lots().filter(ended_by__name=movement).order_by("id"))

    def unverified_from(self, supplier: str) -> Sequence[Lot]:
        """Return the current lots held unverified from a supplier."""
        return lots_of_rows(self._current().filter(supplier=supplier, state=str(LotState.UNVERIFIED)))

    def steps(self, party: str, start: date | None = None) -> Sequence[Step]:
        """Return the steps of a party by day, within a day in the order of the book; from ``start`` on, if given."""
        rows = CustodyStep.objects.using(self._using).filter(party=party).select_related(*OF_LOT)
        if start is not None:
            rows = rows.filter(day__gte=start)
        return [step_of(row.lot) for row in rows.order_by("day", "lot")]

    def steps_of(self, origin: str) -> Sequence[Step]:
        """Return all steps of an origin, in the order of the book."""
        rows = self._lots().filter(origin__name=origin).select_related(*WITH_STEP).order_by("id")
        return [step_of(row) for row in rows]

    def _events(self) -> "QuerySet[CustodyEvent]":
        return CustodyEvent.objects.using(self._using).select_related("correction")

    def _all_records(self) -> "QuerySet[CustodyRecord]":
        return CustodyRecord.objects.using(self._using)

    def _lots(self) -> "QuerySet[CustodyLot]":
        return CustodyLot.objects.using(self._using).select_related(*WITH)

    def _current(self) -> "QuerySet[CustodyLot]":
        return self._lots().filter(ended_by=None)

    def _stock(self) -> "QuerySet[CustodyLot]":
        return self._current().filter(state__in=STOCKED).order_by("id")


def posted_of(row: CustodyEvent) -> Posted:
    """Return an event as it stands in the book; ``row`` was read with its correction."""
    correction = getattr(row, "correction", None)
    corrected_by = correction.name if correction else ""
    return Posted(read_event(json.loads(row.text)), row.digest, row.pk, corrected_by)


def step_of(row: CustodyLot) -> Step:
    """Return the step in which a lot was opened; the row was read with its event and its parent."""
    event, parent = row.opened_by, row.parent
    return Step(event.name, event.type, event.day, lot_of(parent) if parent else None, lot_of(row))
