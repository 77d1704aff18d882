"""What a farm does next, for its overview: gaps to close, reports to sign, bushels to sell."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from django.urls import reverse

from provender.database.models import Book, BookKind, Role
from provender.quantity import show
from provender.services.custody.farm_sales import bushels_left
from provender.services.farm.records import FarmBook
from provender.services.farm.verdicts import kept
from provender.services.reports.drafts import DraftState, crop_label, registered_fingerprint, standings_of
from provender.web.access import Access
from provender.web.farm.context import farm_book
from provender.web.farm.pages.report import report_address
from provender.web.farm.pages.verdicts import verdicts_of

GAPS: Final = "gaps 1"


class NextStep(NamedTuple):
    """One thing to do: where it is done, what it is, and why."""

    href: str
    words: str
    why: str


def next_steps(access: Access) -> list[NextStep]:
    """Return what the farm does next, the first thing first; nothing for an organisation that is no farm."""
    organisation = access.organisation
    if not organisation.roles.filter(role=Role.FARM).exists():
        return []
    where = reverse("farm", args=(organisation.handle,))
    if not Book.objects.filter(organisation=organisation, kind=BookKind.FARM).exists():
        return [NextStep(where, "Open the record book", "It keeps your units, crops, passes and nutrients.")]
    farm = farm_book(access)
    gaps = kept(farm, GAPS, lambda _: _count(farm))
    if not gaps["intervals"]:
        records = reverse("farm_records", args=(organisation.handle,))
        return [NextStep(records, "Enter the farm, its units and their crops", "Everything else rests on them.")]
    return [*_gaps(where, gaps), *_reports(access, farm)]


def _count(farm: FarmBook) -> dict[str, int]:
    """Count the practices that are not shown, and the records that would show them."""
    intervals = verdicts_of(farm)["intervals"]
    missing, open_ = 0, 0
    for one in intervals:
        for practice in one["practices"]:
            records = {str(record) for finding in practice["findings"] for record in finding["missing"]}
            if practice["claimable"] and practice["implementation"] is None:
                open_ += 1
                missing += len(records)
    return {"intervals": len(intervals), "missing": missing, "open": open_}


def _gaps(where: str, gaps: dict[str, int]) -> Iterator[NextStep]:
    open_, missing = gaps["open"], gaps["missing"]
    if open_:
        practices = "practice is" if open_ == 1 else "practices are"
        yield NextStep(
            where, f"Add {missing} missing records", f"{open_} {practices} not shown, and earn nothing until then."
        )


def _reports(access: Access, farm: FarmBook) -> Iterator[NextStep]:
    found = standings_of(farm)
    ready = [one for one in found if not one.refused and one.is_news]
    if ready and not registered_fingerprint(farm, ready[0].producer_id):
        key = reverse("farm_key", args=(access.organisation.handle,))
        yield NextStep(key, "Make a signing key", "The farm producer signs reports and sale slips with it.")
    for one in ready:
        what = "an amendment of " if one.versions else ""
        why = "Its bushels get their serials." if not one.versions else "The records say something else by now."
        yield NextStep(_address(access, one), f"Sign {what}the report on {_name(one)}", why)
    for one in found:
        if one.refused and one.is_news:
            things = "1 thing blocks" if one.refused == 1 else f"{one.refused} things block"
            yield NextStep(_address(access, one), f"Look at the report on {_name(one)}", f"{things} its signature.")
    for one in found:
        left = bushels_left(access.organisation, one.crop, one.harvest_year)
        if left is not None and left.free > 0:
            sales = reverse("farm_sales", args=(access.organisation.handle,))
            yield NextStep(
                sales, f"Sell {_name(one)}", f"{show(left.free, group=True)} bushels have no buyer's slip yet."
            )


def _address(access: Access, one: DraftState) -> str:
    return report_address(access, one.crop, one.harvest_year)


def _name(one: DraftState) -> str:
    return f"{crop_label(one.crop).lower()} {one.harvest_year}"
