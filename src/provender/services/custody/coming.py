"""What depends on today's day, for every door: the book itself knows no clock.

Whether a site is closed for a coming day, and that no period is closed before it is over.
"""

from dataclasses import replace
from datetime import date

from provender.custody.events.period import CloseEvent
from provender.custody.events.site import CloseSiteEvent
from provender.custody.model.event import Event
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import StoreView


def by_the_clock(facts: StoreView, asked: Event, today: date) -> Event:
    """Return an act as it is entered on a day: whether a closing is for a coming one follows from its day alone.

    One that stands already keeps what was said then: sent again it changes nothing.

    Raises:
        Refusal: PERIOD_NOT_ENDED: a period would be closed on a day that is still to come.
    """
    if isinstance(asked, CloseEvent) and asked.closed_on > today and facts.posted(asked.id) is None:
        raise Refusal(Status.PERIOD_NOT_ENDED, f"It says {asked.closed_on}; today is {today}.")
    if not isinstance(asked, CloseSiteEvent):
        return asked
    known = facts.posted(asked.id)
    before = known.request if known else None
    ahead = before.ahead if isinstance(before, CloseSiteEvent) else asked.day > today
    return replace(asked, ahead=ahead)
