"""The one door: what every type of event is, and the pure decision over it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from provender.custody.events import (
    campaign,
    changed_report,
    conversion,
    correction,
    dispute,
    document,
    goods_return,
    notice,
    opening,
    pending_purchase,
    period,
    processing,
    purchase,
    registration,
    report,
    retirement,
    sale,
    site,
    statement,
    ticket,
)
from provender.custody.events.fields import check_fields, check_years
from provender.custody.events.flows import check_flows
from provender.custody.events.site import check_sites
from provender.custody.model.digest import digest_of
from provender.custody.model.event import Event, read_fields
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import Decision, StoreView
from provender.rule import NotInForceError, rule_version
from provender.wire import as_stored

Decide = Callable[[StoreView, Any], Decision]

DECISIONS: Final[Mapping[type[Event], Decide]] = {
    registration.EntityEvent: registration.decide_entity,
    site.CloseSiteEvent: site.decide_close_site,
    registration.ContractEvent: registration.decide_contract,
    statement.StatementEvent: statement.decide_statement,
    registration.PeriodEvent: registration.decide_period,
    report.ReportEvent: report.decide_report,
    report.SuspendEvent: report.decide_standing,
    report.ReinstateEvent: report.decide_standing,
    changed_report.WithdrawEvent: changed_report.decide_withdraw,
    notice.NoticeEvent: notice.decide_notice,
    purchase.ShareEvent: purchase.decide_share,
    purchase.SlipEvent: purchase.decide_slip,
    purchase.PurchaseEvent: purchase.decide_purchase,
    pending_purchase.PendingEvent: pending_purchase.decide_pending,
    pending_purchase.AssignEvent: pending_purchase.decide_assign,
    purchase.StorageEvent: purchase.decide_storage,
    opening.OpeningEvent: opening.decide_opening,
    document.DocumentEvent: document.decide_document,
    ticket.ReceiptEvent: ticket.decide_grain,
    ticket.ShipmentEvent: ticket.decide_grain,
    ticket.MeasurementEvent: ticket.decide_grain,
    sale.SaleEvent: sale.decide_sale,
    sale.AcceptEvent: sale.decide_accept,
    sale.RejectEvent: sale.decide_reject,
    sale.MoveEvent: sale.decide_move,
    campaign.YieldEvent: campaign.decide_yield,
    processing.ProcessEvent: processing.decide_process,
    campaign.CrushEvent: campaign.decide_crush,
    conversion.ConvertEvent: conversion.decide_convert,
    processing.TrueUpEvent: processing.decide_true_up,
    retirement.ReleaseEvent: retirement.decide_release,
    retirement.LossEvent: retirement.decide_loss,
    retirement.RetireEvent: retirement.decide_retire,
    goods_return.ReturnEvent: goods_return.decide_return,
    correction.CorrectEvent: correction.decide_correct,
    dispute.SettleEvent: dispute.decide_settle,
    period.CloseEvent: period.decide_close,
}
"""Every type of event and what decides it, in the order of the reference page."""

TYPES: Final[Mapping[str, type[Event]]] = {event.type: event for event in DECISIONS}


def read_event(raw: object) -> Event:
    """Read one event from a JSON object.

    Raises:
        Refusal: LINE_UNREADABLE, TYPE_UNKNOWN, FIELD_UNKNOWN, FIELD_MISSING or FIELD_UNREADABLE.
    """
    # A look at whether something is a mapping goes through all that may be one; nearly every event is a dict.
    if type(raw) is not dict and not isinstance(raw, Mapping):
        raise Refusal(Status.LINE_UNREADABLE, "It is JSON, but no object in braces.")
    plain = dict(raw)
    if "type" not in plain:
        raise Refusal(Status.FIELD_MISSING, "Missing: type.")
    said = plain.pop("type")
    cls = TYPES.get(str(said))
    if cls is None:
        raise Refusal(Status.TYPE_UNKNOWN, f"It says {said!r}.")
    return read_fields(cls, plain)


def read_posted(raw: object) -> Event:
    """Read an event that stands in a book; what its fields hold was asked when it was entered.

    Raises:
        Refusal: as ``read_event``, but not for what a text, a day or a number holds.
    """
    with as_stored():
        return read_event(raw)


def decide(facts: StoreView, request: Event) -> Decision:
    """Answer a request on the facts of a store. Reads only; the same facts give the same answer."""
    try:
        _check_identity(facts, request)
        outcome = DECISIONS[type(request)](facts, request)
        check_flows(facts, request, outcome)
        check_sites(facts, request, outcome)
    except Refusal as refused:
        return Decision(refused.status, refused.message)
    return outcome


def _check_identity(facts: StoreView, request: Event) -> None:
    """Refuse what no book could hold, a repeat, an id that is taken, and days before the rule."""
    check_fields(request)
    known = facts.posted(request.id)
    if known is not None:
        same = known.digest == digest_of(request)
        raise Refusal(Status.EXISTS if same else Status.ID_HAS_OTHER_CONTENT, f"Event {request.id}.")
    try:
        rule_version(request.day)
    except NotInForceError as early:
        raise Refusal(Status.RULE_NOT_IN_FORCE, str(early)) from None
    check_years(request)
