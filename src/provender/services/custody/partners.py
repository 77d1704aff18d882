"""Who an organisation deals with: contracts with their pinned keys, verifications, and what the book says of itself."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from provender.audit.sampling.population import incoming_by_year
from provender.custody.events.parties import verified
from provender.custody.model.entities import GROWERS, Contract, Entity, Verification, fingerprint_of
from provender.custody.model.store_view import StoreView
from provender.database.models.farm import ReportVersion
from provender.exact import CI_SCALE, Bushels, Ci, parse
from provender.portfolio.report import Overview, of_reports
from provender.rule.crops import Crop
from provender.schema import field, view
from provender.services.custody.checks import alerts
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.views import ClosedSiteView, ContractView, EntityView, VerificationView


def entity(context: CustodyContext) -> EntityView:
    """Return what the book says of the organisation."""
    known = context.entity
    closed = tuple(
        ClosedSiteView(site=one.site, closed=one.closed, event=one.by)
        for one in context.closed_sites.values()
        if one.closed
    )
    roles = tuple(map(str, known.roles))
    return EntityView(entity=known.id, name=known.name, roles=roles, sites=known.sites, closed_sites=closed)


def contracts(context: CustodyContext) -> list[ContractView]:
    """Return the contracts on file in the order in which they were first stated, and each partner's verification."""
    with READER.reading() as facts:
        return [_contract(facts, context, contract) for contract in context.contracts]


def _contract(facts: StoreView, context: CustodyContext, contract: Contract) -> ContractView:
    return ContractView(
        number=contract.id, counterparty=contract.counterparty, name=context.named(contract.counterparty),
        role=str(contract.role), start=contract.start, end=contract.end, signing_key=contract.signing_key,
        fingerprint=fingerprint_of(contract.signing_key) if contract.signing_key else "",
        verified_crops=_verified_crops(facts, context, contract),
    )  # fmt: skip


def _verified_crops(facts: StoreView, context: CustodyContext, contract: Contract) -> tuple[str, ...] | None:
    """Return the crops of a partner that a statement covers today; None for a farm, whose report needs none."""
    partner = facts.one(Entity, contract.counterparty)
    if partner is None or partner.may(GROWERS):
        return None
    return tuple(str(crop) for crop in Crop if verified(facts, partner, context.today, crop))


def verifications(context: CustodyContext) -> list[VerificationView]:
    """Return the statements that cover the organisation itself, in the order in which they were entered."""
    with READER.reading() as facts:
        return [
            VerificationView(
                number=each.id, opinion=str(each.opinion), start=each.start, end=each.end,
                crops=tuple(str(crop) for crop in each.crops),
            )
            for each in facts.many(Verification, context.id)
        ]  # fmt: skip


# What an organisation's own suppliers reported: from the signed reports behind the crop it bought from farms.
#
# A farm gives its report to the first point of aggregation that buys from it (2100.031(c)), and to nobody further down:
# only reports of a crop and year that the organisation itself took in from the grower are read here.

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
    """What the suppliers of an organisation reported."""

    reports: tuple[SupplierReportView, ...]  # one row for each farm, crop and year that it bought
    overview: Overview  # counties, practices, gaps, findings, and what of the organisation's own book is worth a look

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
    stakes = [
        {"kind": str(one.kind), "bushels": one.bushels, "message": one.said, "cite": CITE} for one in alerts(context)
    ]
    return Suppliers(rows, of_reports(documents, stakes))


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
