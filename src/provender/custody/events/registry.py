"""The one way in: what every type of event is, and the pure decision over it."""

from collections.abc import Callable, Collection, Iterator, Mapping
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
    reports,
    trade,
    typed,
)
from provender.custody.events.allocation import TakesFromStock
from provender.custody.events.footing import footed, footing_of
from provender.custody.events.rules import check_flows, closings_by_custodian, require
from provender.custody.model.entities import SiteClosure
from provender.custody.model.event import Event, Footing, Refusal, RestsOn, Status, digest_of, read_fields
from provender.custody.model.grain import Direction, GrainEntry
from provender.custody.model.lots import LIVE, Lot
from provender.custody.model.store_view import Decision, Store, StoreView
from provender.problem import Place, Problem
from provender.rule.law import NotInForceError, rule_version

# A refusal as a problem: which field of the event it is about, what is wrong, what to do, by which paragraph.

UNREADABLE: Final = frozenset(
    {Status.LINE_UNREADABLE, Status.TYPE_UNKNOWN, Status.FIELD_UNKNOWN, Status.FIELD_MISSING, Status.FIELD_UNREADABLE}
)
"""Statuses of an event that could not be read: nothing in the book speaks against it."""


def problem_of(outcome: Decision, *, file: str = "event", known: Collection[str] = ()) -> Problem:
    """Return a refusal as a problem, at one of the fields ``known`` of the event (perhaps with what they say), or none.

    It is the field whose value the message quotes, or else the likeliest.
    """
    status = outcome.status
    wrong, advice = (status.sentence, status.remedy) if status.remedy else (status.cause, status.advice)
    detail = outcome.message.removeprefix(status.sentence).strip()
    likely = [name for name in status.fields if name in known]
    said = known if isinstance(known, Mapping) else {}
    column = next((name for name in likely if name in said and repr(said[name]) in detail), likely[0] if likely else "")
    if status in UNREADABLE:
        signs = [(name, sign) for sign in ("{}:", " {}.") for name in known]  # what follows may be "is not a number."
        column = next((name for name, sign in signs if sign.format(name) in f" {detail}"), column)
    return Problem(Place(file, column=column), f"{wrong} {detail}".rstrip(), advice, status.cite, code=str(status))


def check_fields(event: Event) -> None:
    """Refuse a request that would not be read back from a book as it is: every later reading would refuse it.

    Requests come from JSON, from documents, from files of tickets and from code.

    Raises:
        Refusal: FIELD_UNREADABLE, naming the field as far as it is written at all.
    """
    try:
        again = read_fields(type(event), schema.write(event))
    except (TypeError, ValueError, AttributeError) as wrong:
        raise Refusal(Status.FIELD_UNREADABLE, f"{wrong}.") from None
    if again != event:
        name = next(each.name for each in fields(event) if getattr(again, each.name) != getattr(event, each.name))
        raise Refusal(Status.FIELD_UNREADABLE, f"{name}: {getattr(event, name)!r} is not read back as it is.")


_FIRST_HARVEST: Final = 6
"""The month in which the earliest of the three crops is cut, sorghum and corn on the Gulf."""


def _check_years(event: Event) -> None:
    """Refuse harvests of years that the rule does not know, or not yet cut; 0 means that the paper does not say."""
    years = [line.harvest_year for line in getattr(event, "lines", ())]
    if (year := getattr(event, "harvest_year", None)) is not None:
        # A request that chooses lots may leave the year out; one that brings crop in may not.
        years.append(year or (0 if isinstance(event, TakesFromStock) else -1))
    for year in years:
        said = f"It says {year}, and the event is of {event.day}."
        last = event.day.year - (event.day.month < _FIRST_HARVEST)
        possible = year == 0 or (_under_the_rule(year) and year <= last)
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
    closing.ProcessEvent: closing.decide_process,
    plant.CrushEvent: plant.decide_crush,
    plant.ConvertEvent: plant.decide_convert,
    closing.TrueUpEvent: closing.decide_true_up,
    closing.ReleaseEvent: closing.decide_release,
    closing.LossEvent: closing.decide_loss,
    closing.RetireEvent: closing.decide_retire,
    corrections.ReturnEvent: corrections.decide_return,
    corrections.CorrectEvent: corrections.decide_correct,
    trade.SettleEvent: trade.decide_settle,
    closing.CloseEvent: closing.decide_close,
    typed.FileEvent: typed.decide_file,
    typed.ShowEvent: typed.decide_show,
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


def decide(store: StoreView, event: Event) -> Decision:
    """Answer a request on the facts of a store. Reads only; the same facts give the same answer."""
    try:
        _check_identity(store, event)
        outcome = DECISIONS[type(event)](store, event)
        check_flows(store, event, outcome)
        _check_sites(store, event, outcome)
        return _with_footing(store, event, outcome)
    except Refusal as refused:
        return Decision(refused.status, refused.message)


def _with_footing(store: StoreView, event: Event, outcome: Decision) -> Decision:
    """Return a decision that also states what the entry rests on, where that is not the word of whoever enters it."""
    if event.rests_on not in (RestsOn.SIGNATURE, RestsOn.SCALE, RestsOn.EVIDENCE):
        return outcome
    footing = footing_of(store, event)
    if footing is Footing.OWN:
        return outcome
    return replace(outcome, records=(*outcome.records, footed(store, event, footing)))


def post(store: Store, event: Event) -> Decision:
    """Answer a request and, when it is posted, write it whole; a refusal changes nothing."""
    with store.answering(event) as transaction:
        outcome = decide(transaction.view(), event)
        if outcome.status is Status.POSTED:
            transaction.apply(event, outcome)
        return outcome


def _check_identity(store: StoreView, event: Event) -> None:
    """Refuse what no book could hold, a repeat, an id that is taken, and days before the rule."""
    check_fields(event)
    known = store.posted(event.id)
    if known is not None:
        same = known.digest == digest_of(event)
        raise Refusal(Status.EXISTS if same else Status.ID_HAS_OTHER_CONTENT, f"Event {event.id}.")
    try:
        rule_version(event.day)
    except NotInForceError as early:
        raise Refusal(Status.RULE_NOT_IN_FORCE, str(early)) from None
    _check_years(event)


# Closed sites: nothing comes to lie there, is sold from there or entered in their books on a later day.

_BACK: Final = frozenset({"reject", "return", "correct", "settle"})
"""Acts by which another party gives something back: it lies at the closed site all the same, and an alert says so."""


def _check_sites(store: StoreView, event: Event, outcome: Decision) -> None:
    """Refuse what would come to lie at a closed site, be sold from there, or be entered in its books on a later day.

    Raises:
        Refusal: SITE_CLOSED.
    """
    for wrong in _at_closed_sites(store, event, outcome):
        raise Refusal(Status.SITE_CLOSED, wrong)


def _at_closed_sites(store: StoreView, event: Event, outcome: Decision) -> Iterator[str]:
    closings = closings_by_custodian(store)
    for lot in _lots_in_question(store, event, outcome):
        found = closings(lot.custodian).get(lot.site)
        if found and found.shuts(event.day):
            yield f"{lot.site} is closed since {found.closed}."
    for record in outcome.records:
        if isinstance(record, GrainEntry) and not record.void and record.amount:
            found = closings(record.entity).get(record.site)
            if found and found.ahead and record.direction is Direction.OUT:
                continue  # it was not empty when it was closed: what lies there may still go
            if found and _since(found, record.day) and not _was_entered_before(store, record):
                yield f"{record.site} is closed since {found.closed}, and {record.number} is of {record.day}."
        if isinstance(record, plant.Conversion | plant.Crush | plant.Yield):
            entity = record.batch.partition("/")[0]
            for site, found in closings(entity).items():
                ends = _worked_until(store, event, record)
                if ends and _since(found, ends) and record.batch.startswith(f"{entity}/{site}/"):
                    yield f"{site} is closed since {found.closed}, and this is of {ends}."


def _worked_until(store: StoreView, event: Event, record: plant.Conversion | plant.Crush | plant.Yield) -> date | None:
    """Return the last day on which a plant ran, as a record of it says; None where it says of none.

    The figures of a campaign are of its days up to the day they are entered for. The final yield of one that is known
    says of no more days than it was declared for: a closing may have cut it short, after its last batch.
    """
    if isinstance(record, plant.Conversion):
        return None if record.void else record.end
    if isinstance(record, plant.Yield):
        known = {one.basis: one for one in store.many(plant.Yield, record.group) if one.batch == record.batch}
        if all(one.end < record.end for one in known.values()):
            return record.end
        return max([record.start, *(one.end for one in store.many(plant.Conversion, record.batch) if not one.void)])
    if not isinstance(event, plant.CrushEvent):
        return None  # the sum of its batches, each of which says its own days
    group = record.batch.removesuffix(f"/{event.campaign}")
    known = {one.basis: one for one in store.many(plant.Yield, group) if one.batch == record.batch}
    if plant.Basis.FINAL in known:  # it has ended: these are its sums, whenever they are entered
        return min(known[plant.Basis.FINAL].start, event.day)
    return min(known[plant.Basis.PROVISIONAL].end, event.day) if known else None


def _lots_in_question(store: StoreView, event: Event, outcome: Decision) -> list[Lot]:
    """Return what a movement takes that only a running site gives, and what it puts somewhere by its own choice."""
    moved = [lot for lot in outcome.opened if lot.by == event.id]
    if not moved:
        return moved
    came = [lot for lot in moved if lot.site and lot.state in LIVE]
    if event.type in _BACK:
        enters = getattr(event, event.entered_by(), "")
        came = [lot for lot in came if lot.custodian == enters]
    if not getattr(event, "from_closed", True):
        return [*store.lots_named([lot.parent for lot in moved if lot.parent]).values(), *came]
    return came


def _since(closing: SiteClosure, day: date) -> bool:
    return closing.closed is not None and closing.closed <= day


def _was_entered_before(store: StoreView, entry: GrainEntry) -> bool:
    """Tell whether an entry was in the book before: what is stated anew of it, such as its claim, moves no grain."""
    held = store.one(GrainEntry, entry.key)
    return held is not None and not held.void
