"""The types of events, by name: what a door makes its forms, commands and descriptions of."""

from collections.abc import Mapping

from provender.custody.events.registry import TYPES
from provender.custody.model.event import Event


def event_types() -> Mapping[str, type[Event]]:
    """Return every type of event by its name, in the order of the reference page."""
    return TYPES
