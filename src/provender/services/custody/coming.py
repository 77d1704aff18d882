"""Whether a closing is for a coming day: that is decided here for every door, since the book itself knows no clock."""

from dataclasses import replace
from datetime import date

from provender.custody.events.site import CloseSiteEvent
from provender.custody.model.event import Event
from provender.custody.model.store_view import StoreView


def by_the_clock(facts: StoreView, asked: Event, today: date) -> Event:
    """Return an act as it is entered on a day: whether a closing is for a coming one follows from its day alone.

    One that stands already keeps what was said then: sent again it changes nothing.
    """
    if not isinstance(asked, CloseSiteEvent):
        return asked
    known = facts.posted(asked.id)
    before = known.request if known else None
    ahead = before.ahead if isinstance(before, CloseSiteEvent) else asked.day > today
    return replace(asked, ahead=ahead)
