"""The one door: what every type of event is, and the pure decision over it."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from datetime import date
from functools import cache
from typing import Any, Final

from provender import schema
from provender.custody.events import (
    closing,
    corrections,
    farm_trade,
    grain,
    outside,
    parties,
    plant,
    processing,
    reports,
    shown,
    trade,
)
from provender.custody.events.allocation import Choosing
from provender.custody.events.closing import check_sites
from provender.custody.events.footing import footed, footing_of
from provender.custody.events.rules import check_flows, require
from provender.custody.model.event import Event, Refusal, Status, digest_of, read_fields
from provender.custody.model.footing import Footing, RestsOn
from provender.custody.model.store_view import Decision, StoreView
from provender.rule.law import NotInForceError, rule_version


def check_fields(request: Event) -> None:
    """Refuse a request that would not be read back from a book as it is: every later reading would refuse it.

    Requests come from JSON, from documents, from files of tickets and from code.

    Raises:
        Refusal: FIELD_UNREADABLE, naming the field as far as it is written at all.
    """
    try:
        again = read_fields(type(request), schema.write(request))
    except (TypeError, ValueError, AttributeError) as wrong:
        raise Refusal(Status.FIELD_UNREADABLE, f"{wrong}.") from None
    if again != request:
        name = next(each.name for each in fields(request) if getattr(again, each.name) != getattr(request, each.name))
        raise Refusal(Status.FIELD_UNREADABLE, f"{name}: {getattr(request, name)!r} is not read back as it is.")


def check_years(request: Event) -> None:
    """Refuse harvests of years that the rule does not know, or that lie ahead; 0 means that the paper does not say.

    Trade calls a crop by the year it is sold in, too: that of the next year is not ahead.
    """
    years = [line.harvest_year for line in getattr(request, "lines", ())]
    if (year := getattr(request, "harvest_year", None)) is not None:
        # A request that chooses lots may leave the year out; one that brings crop in may not.
        years.append(year or (0 if isinstance(request, Choosing) else -1))
    for year in years:
        said = f"It says {year}, and the event is of {request.day}."
        possible = year == 0 or (_under_the_rule(year) and year <= request.day.year + 1)
        require(possible, Status.HARVEST_YEAR_NOT_POSSIBLE, said)


@cache
def _under_the_rule(year: int) -> bool:
    """Tell whether a crop of a year may have been harvested under the rule: some stands into the next year."""
    try:
        rule_version(date(year + 1, 12, 31))
    except (NotInForceError, ValueError):
        return False
    return True


Decide = Callable[[StoreView, Any], Decision]

DECISIONS: Final[Mapping[type[Event], Decide]] = {
    parties.EntityEvent: parties.decide_entity,
    closing.CloseSiteEvent: closing.decide_close_site,
    parties.ContractEvent: parties.decide_contract,
    parties.StatementEvent: parties.decide_statement,
    parties.PeriodEvent: parties.decide_period,
    reports.ReportEvent: reports.decide_report,
    reports.SuspendEvent: reports.decide_standing,
    reports.ReinstateEvent: reports.decide_standing,
    reports.WithdrawEvent: reports.decide_withdraw,
    outside.NoticeEvent: outside.decide_notice,
    farm_trade.ShareEvent: farm_trade.decide_share,
    farm_trade.SlipEvent: farm_trade.decide_slip,
    farm_trade.PurchaseEvent: farm_trade.decide_purchase,
    farm_trade.PendingEvent: farm_trade.decide_pending,
    farm_trade.AssignEvent: farm_trade.decide_assign,
    farm_trade.StorageEvent: farm_trade.decide_storage,
    outside.OpeningEvent: outside.decide_opening,
    outside.DocumentEvent: outside.decide_document,
    grain.ReceiptEvent: grain.decide_grain,
    grain.ShipmentEvent: grain.decide_grain,
    grain.MeasurementEvent: grain.decide_grain,
    trade.SaleEvent: trade.decide_sale,
    trade.AcceptEvent: trade.decide_accept,
    trade.RejectEvent: trade.decide_reject,
    trade.MoveEvent: trade.decide_move,
    plant.YieldEvent: plant.decide_yield,
    processing.ProcessEvent: processing.decide_process,
    plant.CrushEvent: plant.decide_crush,
    plant.ConvertEvent: plant.decide_convert,
    processing.TrueUpEvent: processing.decide_true_up,
    processing.ReleaseEvent: processing.decide_release,
    processing.LossEvent: processing.decide_loss,
    processing.RetireEvent: processing.decide_retire,
    corrections.ReturnEvent: corrections.decide_return,
    corrections.CorrectEvent: corrections.decide_correct,
    trade.SettleEvent: trade.decide_settle,
    closing.CloseEvent: closing.decide_close,
    shown.FileEvent: shown.decide_file,
    shown.ShowEvent: shown.decide_show,
}
"""Every type of event and what decides it, in the order of the reference page."""

TYPES: Final[Mapping[str, type[Event]]] = {event.type: event for event in DECISIONS}
TYPED_TYPES: Final[Mapping[str, type[Event]]] = {
    name: kind for name, kind in TYPES.items() if kind.rests_on is not RestsOn.FILE
}
"""The types that people and other programs enter; the others the program makes from files."""


def read_event(raw: object) -> Event:
    """Read one event that somebody typed from a JSON object.

    Raises:
        Refusal: LINE_UNREADABLE, TYPE_UNKNOWN, FIELD_UNKNOWN, FIELD_MISSING or FIELD_UNREADABLE; PAPER_NOT_SHOWN where
            it says itself what only a file shows.
    """
    found = _read_event(raw)
    if said := sorted(name for name in found.by_program if getattr(found, name) not in ("", Footing.OWN)):
        how = "Leave it out, and take the file in: `provender custody receive` writes it, or the page of papers."
        raise Refusal(Status.PAPER_NOT_SHOWN, f"{', '.join(said)}: the program writes this from a file. {how}")
    return found


def _read_event(raw: object) -> Event:
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
    with schema.as_stored():
        return _read_event(raw)


def decide(facts: StoreView, request: Event) -> Decision:
    """Answer a request on the facts of a store. Reads only; the same facts give the same answer."""
    try:
        _check_identity(facts, request)
        outcome = DECISIONS[type(request)](facts, request)
        check_flows(facts, request, outcome)
        check_sites(facts, request, outcome)
        return _with_footing(facts, request, outcome)
    except Refusal as refused:
        return Decision(refused.status, refused.message)


def _with_footing(facts: StoreView, request: Event, outcome: Decision) -> Decision:
    """Return a decision that also states what the entry rests on, where that is not the word of whoever enters it."""
    if request.rests_on not in (RestsOn.SIGNATURE, RestsOn.SCALE, RestsOn.EVIDENCE):
        return outcome
    footing = footing_of(facts, request)
    if footing is Footing.OWN:
        return outcome
    return replace(outcome, records=(*outcome.records, footed(facts, request, footing)))


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
