"""Entries that were typed where somebody else's paper or measurement should stand, with what rests on them."""

from collections.abc import Iterator, Mapping
from typing import Final

from provender.custody.events.footing import Footed, grounds, typed_of
from provender.custody.events.shown import unverified_by
from provender.custody.model.entities import Contract, Entity
from provender.custody.model.event import Event
from provender.custody.model.footing import RestsOn
from provender.custody.model.lots import LotState
from provender.custody.model.store_view import StoreView, taken_back_by
from provender.exact import show
from provender.schema import frozen

WORDS: Final[Mapping[str, str]] = {
    "report": "Report of {0.entity} on {0.crop} {0.harvest_year}, version {0.version}",
    "slip": "Sale slip {0.id} of {0.giver}",
    "document": "Document {0.number} of {0.giver}",
    "notice": "Notice {0.number} of {0.giver}",
    "statement": "Verification statement {0.number} of {0.verifier} on {0.entity}",
    "opening": "Opening stock {0.number} of {0.entity}",
    "receipt": "Ticket {0.number} at the scale of {0.entity}",
    "shipment": "Ticket {0.number} at the scale of {0.entity}",
    "measurement": "Measurement {0.number} at {0.entity}",
    "sale": "Tickets of {0.taker} behind sale {0.id}",
}
"""What is typed, by the type of its entry."""


@frozen
class TypedEntry:
    """One entry that no paper shows."""

    event: str  # the entry
    what: str  # in words
    bushels: int  # held unverified for its sake, or said by a ticket at another's scale; thousandths
    scale: str  # at whose scale it is said to have been weighed: that one's book shows it; empty for a paper

    def said(self) -> str:
        """Return it as a sentence."""
        rest = f"{show(self.bushels, group=True)} bu rest on it." if self.bushels else "Nothing rests on it now."
        return f"{self.what} was typed in ({self.event}) and no paper in the book shows it. {rest}"


def typed_entries(facts: StoreView, party: str = "") -> Iterator[TypedEntry]:
    """Yield the typed entries of a book that stand, or those that name a party with what rests on them in its stock."""
    for one in _typed(facts, party):
        posted = facts.posted(one.event)
        if posted is None or taken_back_by(facts, posted):
            continue
        request = posted.request
        bushels = _at_stake(facts, one, request, party or facts.owner)
        if bushels or facts.owner or party in ("", *request.parties()):
            scale = request.word_of() if request.rests_on is RestsOn.SCALE else ""
            yield TypedEntry(one.event, WORDS[request.type].format(request), bushels, scale)


def _typed(facts: StoreView, party: str) -> Iterator[Footed]:
    """Yield what was typed into a book of one party, or by or about the one named and whom it has contracts with."""
    if facts.owner:
        yield from typed_of(facts, facts.owner)
        return
    about_party = [party, *(one.counterparty for one in facts.many(Contract, party))]
    for name in dict.fromkeys(about_party if party else [one.id for one in facts.many(Entity, "")]):
        yield from typed_of(facts, name)


def _at_stake(facts: StoreView, one: Footed, request: Event, party: str) -> int:
    if request.type == "statement":
        mine = facts.lots_from(str(getattr(request, "entity", "")), LotState.UNVERIFIED)
        return sum(lot.crop_amount for lot in mine if party in ("", lot.owner))
    if request.type == "sale":
        return sum(ticket.bushels for ticket in getattr(request, "destination", ()))
    resting = (lot for lot in unverified_by(facts, one) if party in ("", lot.owner))
    return sum(lot.crop_amount for lot in resting if one in set(grounds(facts, lot)))
