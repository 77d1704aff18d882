"""Partners: contracts with their pinned keys, the verification of each seller, and the organisation's own sites."""

from django.http import HttpResponseBase
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from provender.custody.documents.receive import fingerprint_of
from provender.custody.events.registration import verified
from provender.custody.model.entities import GROWERS, Contract, Entity, Verification
from provender.custody.model.store_view import StoreView
from provender.rule import Crop
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import READER, CustodyContext, at_desk
from provender.web.tables import Cell, Column, Table, page_with_tables


@require_GET
@at_desk()
def custody_partners(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show contracts, sites and the organisation's own verification."""
    with READER.reading() as facts:
        contracts = _contracts(desk, facts)
        own = [
            [
                Cell(one.id),
                Cell(words(str(one.opinion))),
                Cell(str(one.start)),
                Cell(str(one.end)),
                Cell(", ".join(one.crops)),
            ]
            for one in facts.many(Verification, desk.id)
        ]
    columns = [Column("Number"), Column("Opinion"), Column("From"), Column("To"), Column("Crops")]
    empty = "No statement covers you yet. In your first year, enter the contract for the first audit."
    tables = {
        "contracts": contracts,
        "statements": Table("verification", columns, own, caption="Your verification", empty=empty),
    }
    first = {"entity": desk.id, "opinion": "first_audit_contracted"}
    context = {
        "sites": desk.entity.sites,
        "roles": [words(str(role)) for role in desk.entity.roles],
        "first_audit": f"{reverse('custody_enter', args=(desk.id, 'statement'))}?{urlencode(first)}",
    }
    return page_with_tables(request, "custody/partners.html", tables, context)


def _contracts(desk: CustodyContext, facts: StoreView) -> Table:
    columns = [
        Column("Partner"),
        Column("What it is"),
        Column("Contract"),
        Column("From"),
        Column("To"),
        Column("Pinned key"),
        Column("Its verification"),
    ]
    rows = []
    for one in desk.contracts:
        key = fingerprint_of(one.signing_key) if one.signing_key else ""
        rows.append(
            [
                Cell(desk.partners.get(one.counterparty, one.counterparty), note=one.counterparty),
                Cell(words(str(one.role))),
                Cell(one.id, _change(desk, one)),
                Cell(str(one.start)),
                Cell(str(one.end) if one.end else "runs on"),
                Cell(f"{key[:16]}…" if key else "none", saved=key or None),
                _verification(facts, desk, one),
            ]
        )
    empty = "No contract is on file. Add your suppliers, recipients and service providers: 2100.032(a) asks for them."
    return Table("contracts", columns, rows, caption="Contracts", empty=empty)


def _change(desk: CustodyContext, one: Contract) -> str:
    """Return the address of the form that states a contract anew, such as with another key."""
    given = {
        "counterparty": one.counterparty,
        "role": str(one.role),
        "number": one.id,
        "start_day": one.start.isoformat(),
        "end_day": one.end.isoformat() if one.end else "",
        "signing_key": one.signing_key,
    }
    return f"{reverse('custody_enter', args=(desk.id, 'contract'))}?{urlencode(given)}" if desk.access.may_write else ""


def verified_crops(facts: StoreView, desk: CustodyContext, one: Contract) -> list[str] | None:
    """Return the crops of a partner that a statement covers today; None for a farm, whose report needs none."""
    entity = facts.one(Entity, one.counterparty)
    if entity is None or entity.may(GROWERS):
        return None
    return [str(crop) for crop in Crop if verified(facts, entity, desk.today, crop)]


def _verification(facts: StoreView, desk: CustodyContext, one: Contract) -> Cell:
    crops = verified_crops(facts, desk, one)
    if crops is None:
        return Cell("not needed")
    return Cell(", ".join(crops), chip="met") if crops else Cell("none today", chip="not-shown")
