"""What an organisation's own suppliers reported: from the signed reports behind the crop it bought from farms.

A farm gives its report to the first point of aggregation that buys from it (2100.031(c)), and to nobody further down:
only reports of a crop and year that the organisation itself took in from the grower are read here.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from provender.audit.sampling.incoming import incoming_by_year
from provender.custody.queries.alerts import Alert
from provender.database.models import ReportVersion
from provender.plain import field, view
from provender.portfolio.of_reports import of_reports
from provender.portfolio.overview import Overview
from provender.quantity import CI_SCALE, Bushels, Ci, parse
from provender.services.custody.checks import alerts
from provender.services.custody.context import READER, CustodyContext

CITE: Final = "2100.032(a)"


@view
class SupplierReportView:
    """A farm's report of one crop and year, and what of it was bought; null where no report is at hand."""

    farm: str = field("Farm")
    name: str = field("Name")
    crop: str = field("Crop")
    harvest_year: int = field("Harvest year")
    county: str = field("County")
    bought_bu: Bushels = field("Bought")
    reported_bu: Bushels | None = field("Reported")
    ci_g_per_bu: Ci | None = field("CI")
    version: int | None = field("Version")
    label: str = field("Result")


@dataclass(frozen=True, slots=True)
class Suppliers:
    """What the suppliers of an organisation reported.

    Attributes:
        reports: one row for each farm, crop and year that it bought.
        overview: counties, practices, gaps, findings, and what of the organisation's own book is worth a look.
    """

    reports: tuple[SupplierReportView, ...]
    overview: Overview

    @property
    def without(self) -> int:
        """Return how many farms, crops and years have no signed report on this server."""
        return sum(one.version is None for one in self.reports)


def suppliers(context: CustodyContext) -> Suppliers:
    """Return what the organisation's suppliers reported, the latest version of each report."""
    with READER.reading() as facts:
        bought = incoming_by_year(facts, context.id)
    latest = _latest({farm for farm, _, _ in bought})
    known = {key: latest[key] for key in bought if key in latest}
    rows = tuple(_row(context, key, bushels, known.get(key)) for key, (bushels, _) in sorted(bought.items()))
    documents = [document for _, document in known.values()]
    return Suppliers(rows, of_reports(documents, [_stake(one) for one in alerts(context)]))


def _latest(farms: set[str]) -> dict[tuple[str, str, int], tuple[int, Mapping[str, Any]]]:
    found = ReportVersion.objects.filter(book__organisation__handle__in=farms).order_by("number")
    rows = found.values_list("book__organisation__handle", "crop", "harvest_year", "number", "document")
    texts = {(farm, crop, year): (number, text) for farm, crop, year, number, text in rows}
    return {key: (number, json.loads(text)) for key, (number, text) in texts.items()}


def _row(
    context: CustodyContext, key: tuple[str, str, int], bushels: int, known: tuple[int, Mapping[str, Any]] | None
) -> SupplierReportView:
    farm, crop, year = key
    number, document = known or (None, {})
    place = document.get("farm", {})
    total, ci = document.get("total_bushels"), document.get("farm_ci_g_per_bu")
    return SupplierReportView(
        farm=farm, name=context.named(farm), crop=crop, harvest_year=year,
        county=", ".join(filter(None, (place.get("county"), place.get("state")))), bought_bu=bushels,
        reported_bu=parse(total) if total else None, ci_g_per_bu=parse(ci, CI_SCALE) if ci else None,
        version=number, label=document.get("label", "no report on this server"),
    )  # fmt: skip


def _stake(one: Alert) -> dict[str, Any]:
    return {"kind": str(one.kind), "bushels": one.bushels, "message": one.said, "cite": CITE}
