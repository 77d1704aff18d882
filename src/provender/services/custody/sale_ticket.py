"""A sale behind which no scale ticket stands is told so before it is entered, not only by day and checks after."""

from dataclasses import replace

from provender.custody.events.sale import SaleEvent
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event
from provender.custody.model.grain_book import GrainEntry, grain_group
from provender.custody.model.statuses import Status
from provender.custody.model.store_view import Decision, StoreView

SAID = (
    "No scale ticket is named: unless the ticket out is named here or entered later, its day and the checks list this"
    " sale as one without a ticket."
)


def told_without_ticket(facts: StoreView, asked: Event, outcome: Decision) -> Decision:
    """Return the answer to a sale with what it lacks, where tickets are kept of what is sold."""
    if not isinstance(asked, SaleEvent) or outcome.status is not Status.POSTED or asked.tickets or asked.destination:
        return outcome
    seller = facts.one(Entity, asked.giver)
    sites = (asked.site,) if asked.site else seller.sites if seller else ()
    if not any(facts.many(GrainEntry, grain_group(asked.giver, site, asked.of_form)) for site in sites):
        return outcome
    return replace(outcome, message=f"{outcome.message} {SAID}")
