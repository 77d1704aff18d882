"""The types of events, by name: what a door makes its forms, commands and descriptions of."""

from collections.abc import Mapping

from provender.custody.events.registry import TYPES
from provender.custody.model.event import Event
from provender.services.custody.sale_order import SaleAct


def event_types() -> Mapping[str, type[Event]]:
    """Return every type of event by its name, in the order of the reference page; a sale may ask for an order."""
    return {**TYPES, SaleAct.type: SaleAct}


def posted_types() -> Mapping[str, type[Event]]:
    """Return the types of events as they stand in the book."""
    return TYPES
