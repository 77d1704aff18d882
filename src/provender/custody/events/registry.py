"""The one door: what every type of event is, and the pure decision over it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, replace
from datetime import date
from functools import cache
from typing import Any, Final, NamedTuple

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
from provender.custody.model.store_view import Decision, Store, StoreView
from provender.problem import Place, Problem
from provender.rule.law import NotInForceError, rule_version

# A refusal as a problem: which field of the event it is about, what is wrong, what to do, by which paragraph.

UNREADABLE: Final = frozenset(
    {Status.LINE_UNREADABLE, Status.TYPE_UNKNOWN, Status.FIELD_UNKNOWN, Status.FIELD_MISSING, Status.FIELD_UNREADABLE}
)
"""Statuses of an event that could not be read: nothing in the book speaks against it."""


class About(NamedTuple):
    """What a status is about, beside its sentence."""

    fields: str = ""  # of the event, the likeliest first; without any it is about the event as a whole
    remedy: str = ""  # what to do, where the sentence says only what is wrong
    cite: str = ""  # the paragraph


ABOUT: Final[Mapping[Status, About]] = {
    Status.RULE_NOT_IN_FORCE: About("day"),
    Status.DAY_AHEAD: About("day"),
    Status.HARVEST_YEAR_NOT_POSSIBLE: About(
        "harvest_year lines", "Write the year of its harvest, such as 2025.", "2100.031(c)"
    ),
    Status.ENTITY_NOT_FOUND: About("taker counterparty giver custodian"),
    Status.PARTIES_ARE_ONE: About("taker giver"),
    Status.ROLE_NOT_ALLOWED: About("", "", "2100.010"),
    Status.SITE_NOT_FOUND: About("site to_site", "Name one of its sites, or add the site under Partners and sites."),
    Status.RECORD_NOT_FOUND: About(
        "slip pending movement origin number", "Choose one that the book has, or enter it first."
    ),
    Status.PARTIES_DIFFER: About(
        "slip pending movement origin", "Choose one between these two parties and of this crop."
    ),
    Status.NOT_CORRECTABLE: About("movement"),
    Status.ALREADY_ANSWERED: About("slip movement number", "Look at the movements: nothing is left to do here."),
    Status.PAPER_NOT_SHOWN: About(
        "paper movement",
        "Ask the other party for its signed paper over this movement and these serials, and take it in with `receive`.",
        "2100.032(a)",
    ),
    Status.CROP_NOT_COVERED: About("crop", "Other crops move without a claim: enter them as tickets.", "2100.011"),
    Status.FORM_NOT_POSSIBLE: About("output form", "Choose an output that this input can become."),
    Status.FORM_CARRIES_NO_CLAIM: About("output form"),
    Status.AMOUNT_NOT_POSITIVE: About(
        "bushels amount pounds", "Type the amount in the unit of the form, or leave it out where lots are named."
    ),
    Status.AMOUNT_TOO_LARGE: About("bushels amount pounds"),
    Status.SPAN_NOT_POSSIBLE: About(
        "lots spans", "Write the first serial, then the one after the last, each range once."
    ),
    Status.CI_NOT_POSSIBLE: About("ci"),
    Status.DATES_REVERSED: About("end_day"),
    Status.PERIOD_TOO_LONG: About("end_day", "Choose an earlier last day.", "2100.034(b)"),
    Status.PERIOD_NOT_CONTINUOUS: About("start_day", "Begin the period on that day.", "2100.034(b)"),
    Status.PERIOD_DECLARED_LATE: About(
        "start_day", "Declare it with exactly these; the next one that has not begun may differ.", "2100.034(b)"
    ),
    Status.PERIOD_NOT_DECLARED: About("day", "", "2100.034(b)"),
    Status.PERIOD_CLOSED: About("day"),
    Status.CLOSE_OUT_OF_ORDER: About("day"),
    Status.PERIOD_NOT_ENDED: About("closed_on"),
    Status.OPENING_TOO_LATE: About("day", "Take the stock in by its documents instead."),
    Status.SECOND_ORIGIN: About("", "", "2100.031(c)"),
    Status.VERSION_OUT_OF_ORDER: About("", "Enter the missing version first."),
    Status.YIELD_BEYOND_BOUNDS: About(
        "rate pounds lines evidence",
        "Check the unit of product and crop; if it is right, name the SHA-256 of the file that shows it as "
        "`evidence`: the verifier sees both.",
        "2100.033(a)(2)",
    ),
    Status.YIELDS_OVERLAP: About("start_day", "Choose days that no other yield of this plant and output covers."),
    Status.YIELD_NOT_FOUND: About("output", "", "2100.033(a)"),
    Status.YIELD_OUT_OF_DATE: About(
        "day", "Record a yield for these days, or choose a day that one covers.", "2100.033(a)"
    ),
    Status.DOCUMENT_SEEN: About("number", "Ask the sender for a document with a number of its own."),
    Status.TICKET_DIFFERS: About(
        "tickets number", "Compare the ticket with the site's list, and void it there if it was entered wrong."
    ),
    Status.TICKET_USED: About("tickets number", "Name another ticket, or take the other purchase back."),
    Status.TICKETS_BELOW_CLAIM: About("tickets bushels", "Add the tickets that are missing, or buy what they show."),
    Status.TITLE_NOT_AT_DELIVERY: About("delivered", "Choose the day of delivery, or other terms."),
    Status.OUTSIDE_ORIGIN: About("lots spans", "Name serials that the report has."),
    Status.OUTSIDE_MOVEMENT: About("lots", "Name serials that came with that movement."),
    Status.REPORT_WITHDRAWN: About("", "Release them without claim."),
    Status.SERIALS_ASSIGNED: About("spans", "Choose serials that are free."),
    Status.BROKEN_CHAIN: About("", "Ask the sender how the serials came to them; both books must agree."),
    Status.CHAIN_NOT_SHOWN: About(
        "",
        "Take in first what lies between: the sale slip of the farm to somebody else, or the document by "
        "which the house that had them last sold them on.",
    ),
    Status.CI_DIFFERS: About("", "Ask the sender for a document at the carbon intensity of the report."),
    Status.NOT_HELD: About("lots", "Somebody else has them now: open the trace, and choose other lots.", "2100.032(a)"),
    Status.IN_TRANSIT: About("lots"),
    Status.IN_DISPUTE: About(
        "lots",
        "Settle it with the other party's signed paper, take your own entry back, or release them without claim.",
        "2100.032(a)",
    ),
    Status.OTHER_FORM: About("form", "Name the form they have, or choose other lots."),
    Status.OTHER_SITE: About("site", "Name the site where they lie, or move them first."),
    Status.UNVERIFIED: About(
        "",
        "Take in what is missing: the supplier's verification statement, or the paper that `alerts` names.",
        "2100.032(b)",
    ),
    Status.NOT_HELD_YET: About("day", "Choose a day on which the giver had them."),
    Status.OUTSIDE_CI_RANGE: About("ci_max ci_min lots", "Widen the range, or sell less."),
    Status.EXCEEDS_STOCK: About("bushels pounds amount", "Choose a smaller amount.", "2100.034(d)"),
    Status.LOTS_NOT_NAMED: About("lots"),
    Status.PENDING_TOO_LATE: About("day", "This grain stays without a claim."),
    Status.EXCEEDS_PENDING: About("bushels", "Assign what is pending at most."),
    Status.BEYOND_CROP: About("", "Compare the product with the crop used and the yield.", "2100.033(a)"),
    Status.NO_PRODUCT: About("bushels pounds", "Process more at once."),
    Status.BEYOND_CROP_CRUSHED: About("bushels crop_crushed", "Process less, or correct the figures of the campaign."),
    Status.BEYOND_ACTUAL_PRODUCT: About(
        "bushels product_made", "Process less, or correct the figures of the campaign."
    ),
    Status.NOTHING_TO_ADJUST: About(
        "campaign", "Look at the campaign's claims: they stand at the final yield or have left."
    ),
    Status.NO_GRAIN_BOOK: About("site"),
    Status.CLAIMS_EXCEED_GRAIN: About(
        "bushels surplus",
        "Enter the tickets or the measurement that show the grain, or the tickets of the destination with the"
        " sale, or claim less.",
        "2100.034(d)",
    ),
    Status.SITE_IN_USE: About(
        "site movement", "Move, sell or release it and enter the tickets out, or choose a later day.", "2100.032(a)"
    ),
    Status.SITE_CLOSED: About(
        "to_site site number movement",
        "Name another site, or open this one again: take the entry back that closed it.",
        "2100.032(a)",
    ),
}


def problem_of(outcome: Decision, *, file: str = "event", known: Collection[str] = ()) -> Problem:
    """Return a refusal as a problem.

    Args:
        outcome: an outcome that does not stand.
        file: what the place is called, such as the event's id.
        known: the fields that the event has, perhaps with what they say; the place names one of them, or none: that
            whose value the message quotes, or else the likeliest.
    """
    status = outcome.status
    wrong, _, advice = status.sentence.partition(". ")
    about = ABOUT.get(status, About())
    if about.remedy:
        wrong, advice = status.sentence, about.remedy
    detail = outcome.message.removeprefix(status.sentence).strip()
    cause = f"{wrong.removesuffix('.')}. {detail}".strip()
    likely = [name for name in about.fields.split() if name in known]
    said = known if isinstance(known, Mapping) else {}
    column = next((name for name in likely if name in said and repr(said[name]) in detail), likely[0] if likely else "")
    if status in UNREADABLE:
        column = next((name for name in known if f"{name}:" in detail or f" {name}." in f" {detail}"), column)
    return Problem(Place(file, column=column), cause, advice, about.cite, code=str(status))


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


FIRST_HARVEST: Final = 6
"""The month in which the earliest of the three crops is cut, sorghum and corn on the Gulf."""


def check_years(request: Event) -> None:
    """Refuse harvests of years that the rule does not know, or not yet cut; 0 means that the paper does not say."""
    years = [line.harvest_year for line in getattr(request, "lines", ())]
    if (year := getattr(request, "harvest_year", None)) is not None:
        # A request that chooses lots may leave the year out; one that brings crop in may not.
        years.append(year or (0 if isinstance(request, Choosing) else -1))
    for year in years:
        said = f"It says {year}, and the event is of {request.day}."
        last = request.day.year - (request.day.month < FIRST_HARVEST)
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


def post(store: Store, request: Event) -> Decision:
    """Answer a request and, when it is posted, write it whole; a refusal changes nothing."""
    with store.answering(request) as transaction:
        outcome = decide(transaction.facts(), request)
        if outcome.status is Status.POSTED:
            transaction.apply(request, outcome)
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
