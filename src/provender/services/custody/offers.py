"""Every event that the doors offer to enter, in the order of the list of entries; each declares its title and verb."""

from collections.abc import Iterable, Mapping
from typing import Final

from provender.custody.model.event import Event
from provender.services.custody.event_types import event_types

_ORDER: Final = (
    *("sale", "purchase", "purchase_pending", "assign", "accept", "reject", "storage", "document"),
    *("receipt", "shipment", "measurement"),
    *("yield", "process", "convert", "crush", "true_up", "move", "release", "loss", "retire", "return"),
    *("correct", "settle", "opening", "period", "close", "contract", "statement", "entity", "close_site"),
)
OFFERS: Final[Mapping[str, type[Event]]] = {kind: event_types()[kind] for kind in _ORDER}


def offered(kinds: Iterable[str], *, fuel: bool) -> list[str]:
    """Return the kinds of event that a party is offered: only who makes fuel retires claims into it."""
    return [kind for kind in kinds if kind != "retire" or fuel]
