"""Where goods go that a buyer sends back: to the site that they left, which the buyer need not know."""

from dataclasses import replace

from provender.custody.events.goods_return import ReturnEvent
from provender.custody.events.rules import closed_sites
from provender.custody.events.sale import RejectEvent
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.lot_names import with_whole_codes
from provender.services.custody.parties import dealt_with


def as_meant(party: str, event: Event) -> Event:
    """Return an event as its party means it: lots by their whole codes, and goods sent back to where they left."""
    return _with_site(with_whole_codes(party, event))


def _with_site(event: Event) -> Event:
    """Return goods that are sent back to a seller of several sites with the one they left, unless one is named.

    Where they left from none that is open, the book asks for the site.
    """
    if not isinstance(event, RejectEvent | ReturnEvent) or event.site:
        return event
    seller = event.giver if isinstance(event, RejectEvent) else event.taker
    with READER.reading() as facts:
        entity = facts.one(Entity, seller)
        if entity is None or len(entity.sites) == 1:
            return event
        shut = closed_sites(facts, seller)
        left = [lot.site for lot in facts.parents(event.movement) if (lot.owner, lot.custodian) == (seller, seller)]
    found = next((site for site in left if site in entity.sites and (site not in shut or shut[site].ahead)), "")
    return replace(event, site=found) if found else event


def sites_of(context: CustodyContext, party: str) -> list[str]:
    """Return the sites of somebody the organisation deals with; none of anybody else."""
    if not party or party not in dealt_with(context):
        return []
    with READER.reading() as facts:
        entity = facts.one(Entity, party)
    return list(entity.sites) if entity else []
