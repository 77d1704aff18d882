"""The door of the custody calls: the organisation's part of the book, and a lot as every call shows it."""

from django.http import Http404, HttpRequest
from ninja import Schema

from provender.custody.model.amounts import unit_of
from provender.custody.model.entities import Entity
from provender.custody.model.lots import Lot
from provender.database.models import Scope
from provender.quantity import CI_SCALE, show
from provender.web.api.auth import Needs, caller_of
from provender.web.custody.pages.context import READER, CustodyContext
from provender.web.custody.pages.movements import FollowUp
from provender.web.navigation import TRADING

READ, WRITE = Needs(Scope.CUSTODY_READ), Needs(Scope.CUSTODY_WRITE)


class LotOut(Schema):
    """A lot: serials of one origin, half open. Amounts are decimal text; ``amount`` is in ``unit``, bu or lb."""

    lot: str
    origin: str
    start_bu: str
    stop_bu: str
    crop: str
    harvest_year: int
    ci_g_per_bu: str
    form: str
    amount: str
    unit: str
    custodian: str
    site: str
    supplier: str
    state: str
    titled: str


class EventOffered(Schema):
    """An event that may be entered next: what it does, its type, and the fields that are known."""

    what: str
    event: dict[str, str]


def offered(one: FollowUp) -> EventOffered:
    """Return a follow-up as the API shows it."""
    return EventOffered(what=one.label, event={"type": one.kind, **one.fields})


def lot_out(lot: Lot) -> LotOut:
    """Return a lot as the API shows it."""
    return LotOut(
        lot=lot.id, origin=lot.origin, start_bu=show(lot.start), stop_bu=show(lot.stop), crop=lot.crop,
        harvest_year=lot.harvest_year, ci_g_per_bu=show(lot.ci, CI_SCALE), form=lot.form, amount=show(lot.amount),
        unit=unit_of(lot.form), custodian=lot.custodian, site=lot.site, supplier=lot.supplier, state=str(lot.state),
        titled=lot.titled.isoformat(),
    )  # fmt: skip


def desk_of(request: HttpRequest) -> CustodyContext:
    """Return the caller's part of the book.

    Raises:
        Http404: the organisation trades nothing, or has not begun its book.
    """
    caller = caller_of(request)
    if not caller.organisation.roles.filter(role__in=TRADING).exists():
        raise Http404
    with READER.reading() as facts:
        entity = facts.one(Entity, caller.organisation.handle)
    if entity is None:
        raise Http404
    return CustodyContext(caller.access, entity)
