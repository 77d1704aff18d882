"""The one door: what every type of event is, and the pure decision over it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from provender.custody import (
    closing,
    corrections,
    declare,
    endings,
    farmgate,
    incoming,
    notices,
    pending,
    processing,
    reports,
    restatement,
    returns,
    tickets,
    trade,
    yields,
)
from provender.custody.digest import digest_of
from provender.custody.facts import Facts, Outcome
from provender.custody.requests import Request, read_object
from provender.custody.statuses import Refusal, Status
from provender.rule import NotInForceError, rule_version

Decision = Callable[[Facts, Any], Outcome]

DECISIONS: Final[Mapping[type[Request], Decision]] = {
    declare.EntityEvent: declare.decide_entity,
    declare.ContractEvent: declare.decide_contract,
    declare.StatementEvent: declare.decide_statement,
    declare.PeriodEvent: declare.decide_period,
    reports.ReportEvent: reports.decide_report,
    reports.SuspendEvent: reports.decide_standing,
    reports.ReinstateEvent: reports.decide_standing,
    restatement.WithdrawEvent: restatement.decide_withdraw,
    notices.NoticeEvent: notices.decide_notice,
    farmgate.ShareEvent: farmgate.decide_share,
    farmgate.SlipEvent: farmgate.decide_slip,
    farmgate.PurchaseEvent: farmgate.decide_purchase,
    pending.PendingEvent: pending.decide_pending,
    pending.AssignEvent: pending.decide_assign,
    farmgate.StorageEvent: farmgate.decide_storage,
    incoming.OpeningEvent: incoming.decide_opening,
    incoming.DocumentEvent: incoming.decide_document,
    tickets.ReceiptEvent: tickets.decide_grain,
    tickets.ShipmentEvent: tickets.decide_grain,
    tickets.MeasurementEvent: tickets.decide_grain,
    trade.SaleEvent: trade.decide_sale,
    trade.AcceptEvent: trade.decide_accept,
    trade.RejectEvent: trade.decide_reject,
    trade.MoveEvent: trade.decide_move,
    yields.YieldEvent: yields.decide_yield,
    processing.ProcessEvent: processing.decide_process,
    yields.CrushEvent: yields.decide_crush,
    processing.TrueUpEvent: processing.decide_true_up,
    endings.ReleaseEvent: endings.decide_release,
    endings.LossEvent: endings.decide_loss,
    endings.RetireEvent: endings.decide_retire,
    returns.ReturnEvent: returns.decide_return,
    corrections.CorrectEvent: corrections.decide_correct,
    closing.CloseEvent: closing.decide_close,
}
"""Every type of event and what decides it, in the order of the reference page."""

TYPES: Final[Mapping[str, type[Request]]] = {event.type: event for event in DECISIONS}


def read_event(raw: object) -> Request:
    """Read one event from a JSON object.

    Raises:
        Refusal: LINE_UNREADABLE, TYPE_UNKNOWN, FIELD_UNKNOWN, FIELD_MISSING or FIELD_UNREADABLE.
    """
    if not isinstance(raw, Mapping):
        raise Refusal(Status.LINE_UNREADABLE, "It is JSON, but no object in braces.")
    if "type" not in raw:
        raise Refusal(Status.FIELD_MISSING, "Missing: type.")
    cls = TYPES.get(str(raw["type"]))
    if cls is None:
        raise Refusal(Status.TYPE_UNKNOWN, f"It says {raw['type']!r}.")
    return read_object(cls, {name: value for name, value in raw.items() if name != "type"})


def decide(facts: Facts, request: Request) -> Outcome:
    """Answer a request on the facts of a store. Reads only; the same facts give the same answer."""
    try:
        _check_identity(facts, request)
        return DECISIONS[type(request)](facts, request)
    except Refusal as refused:
        return Outcome(refused.status, refused.message)


def _check_identity(facts: Facts, request: Request) -> None:
    """Refuse a repeat, an id that is taken, and a day before the rule."""
    known = facts.posted(request.id)
    if known is not None:
        same = known.digest == digest_of(request)
        raise Refusal(Status.EXISTS if same else Status.ID_HAS_OTHER_CONTENT, f"Event {request.id}.")
    try:
        rule_version(request.day)
    except NotInForceError as early:
        raise Refusal(Status.RULE_NOT_IN_FORCE, str(early)) from None
