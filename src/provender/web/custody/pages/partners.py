"""Partners: contracts with their pinned keys, the verification of each seller, and the organisation's own sites."""

from dataclasses import replace
from typing import Final

from django.http import HttpResponseBase
from django.views.decorators.http import require_GET

from provender.paper.table import table_of
from provender.plain import infos
from provender.services.custody import partners
from provender.services.custody.context import CustodyContext
from provender.services.custody.views import ContractView, EventOffer, VerificationView, offer
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import at, at_desk, form_of
from provender.web.tables import Cell, page_with_tables

PINNED: Final = infos(ContractView)["fingerprint"].label
NO_CONTRACT: Final = (
    "No contract is on file. Add your suppliers, recipients and service providers: 2100.032(a) asks for them."
)


@require_GET
@at_desk()
def custody_partners(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show contracts, sites and the organisation's own verification."""
    contracts = table_of(
        ContractView,
        partners.contracts(desk),
        name="contracts",
        only=("name", "role", "number", "start", "end", "fingerprint", "verified_crops"),
        caption="Contracts",
        empty=NO_CONTRACT,
        cells={
            "name": lambda one: Cell(one.name, note=one.counterparty),
            "role": lambda one: Cell(words(one.role)),
            "number": lambda one: Cell(one.number, _change(desk, one)),
            "end": lambda one: Cell(str(one.end) if one.end else "runs on"),
            "fingerprint": _key,
            "verified_crops": _verification,
        },
    )
    columns = [replace(one, file_only=one.short == PINNED) for one in contracts.columns]
    contracts = replace(contracts, columns=columns)
    statements = table_of(
        VerificationView,
        partners.verifications(desk),
        name="verification",
        caption="Your verification",
        empty="No statement covers you yet. In your first year, enter the contract for the first audit.",
        cells={
            "opinion": lambda one: Cell(words(one.opinion)),
            "crops": lambda one: Cell(", ".join(one.crops)),
        },
    )
    context = {
        "sites": [(site, desk.closed_sites.get(site), form_of(desk, _deed(desk, site))) for site in desk.entity.sites],
        "roles": [words(role) for role in partners.entity(desk).roles],
        "first_audit": at(desk, "custody_enter", "statement", entity=desk.id, opinion="first_audit_contracted"),
    }
    return page_with_tables(
        request, "custody/partners.html", {"contracts": contracts, "statements": statements}, context
    )


def _deed(desk: CustodyContext, site: str) -> EventOffer:
    """Return what can be done about a site: it is closed, or its closing is taken back."""
    closing = desk.closed_sites.get(site)
    return offer("Open again", "correct", movement=closing.by) if closing else offer("Close", "close_site", site=site)


def _key(one: ContractView) -> Cell:
    return Cell(f"{one.fingerprint[:16]}…" if one.fingerprint else "none", saved=one.fingerprint or None)


def _change(desk: CustodyContext, one: ContractView) -> str:
    """Return the address of the form that states a contract anew, such as with another key."""
    end = one.end.isoformat() if one.end else ""
    again = offer(
        "Change", "contract", counterparty=one.counterparty, role=one.role, number=one.number,
        start_day=one.start.isoformat(), end_day=end, signing_key=one.signing_key,
    )  # fmt: skip
    return form_of(desk, again)


def _verification(one: ContractView) -> Cell:
    if one.verified_crops is None:
        return Cell("not needed")
    crops = ", ".join(one.verified_crops)
    return Cell(crops, chip="met") if crops else Cell("none today", chip="not-shown")
