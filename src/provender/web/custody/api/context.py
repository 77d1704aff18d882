"""The door of the custody calls: the organisation's part of the book, and what several calls show of it."""

from datetime import date
from typing import Annotated, Any, Final

from django.http import Http404, HttpRequest
from pydantic import Field

from provender.database.actor import today
from provender.database.choices import Scope
from provender.services.custody.context import CustodyContext, context_of, trades
from provender.services.custody.views import EventOffer, LotView
from provender.web.api.auth import Needs, caller_of
from provender.web.api.view_schema import page_of_schema, schema_of
from provender.wire import YEARS

READ, WRITE = Needs(Scope.CUSTODY_READ), Needs(Scope.CUSTODY_WRITE)
LotOut: Final = schema_of(LotView, name="LotOut")
AskedDay = Annotated[
    date,
    Field(
        ge=date(YEARS.start, 1, 1),
        lt=date(YEARS.stop, 1, 1),
        json_schema_extra={"pattern": f"^({'|'.join(sorted({str(year)[:2] for year in YEARS}))})[0-9]{{2}}-"},
    ),
]
"""A day that a call asks about: one that a book can hold. A description has no bounds for days, hence the pattern."""
EventOffered: Final = schema_of(EventOffer, name="EventOffered")


def page_of_views(cls: type[Any], *, name: str = "") -> Any:  # noqa: ANN401 - a schema made at run time
    """Return the schema of a page of a list of views."""
    return page_of_schema(schema_of(cls, name=name))


def desk_of(request: HttpRequest) -> CustodyContext:
    """Return the caller's part of the book.

    Raises:
        Http404: the organization trades nothing, or has not begun its book.
    """
    caller = caller_of(request)
    if not trades(caller.organisation):
        raise Http404
    context = context_of(caller.organisation, actor=caller.actor, today=today(), may_write=True)
    if context is None:
        raise Http404
    return context
