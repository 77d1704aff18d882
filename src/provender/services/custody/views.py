"""What the interfaces of the custody book show, one declaration for each noun: pages, API, command line and files.

Nothing here asks a store: a view holds what its service found, already without what the reader may not see.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple

from provender.custody.events.registry import UNREADABLE, problem_of
from provender.custody.events.trade import sale_in_transit
from provender.custody.model.lots import Lot, LotState, unit_of
from provender.custody.model.store_view import CustodyStep, Decision, Posted, StoreView, taken_back_by
from provender.exact import Amount, Bushels, Ci
from provender.problem import ProblemsError
from provender.schema import field, view


@view
class LotView:
    """A lot: serials of one origin, half open. Amounts are decimal text; ``amount`` is in ``unit``, bu or lb."""

    lot: str = field("Lot")
    origin: str = field("Origin")
    start_bu: Bushels = field("First serial")
    stop_bu: Bushels = field("Serial after the last")
    crop: str = field("Crop")
    harvest_year: int = field("Harvest year")
    ci_g_per_bu: Ci = field("CI")
    form: str = field("What")
    amount: Amount = field("Amount")
    unit: str = field("Unit")
    custodian: str = field("Stored with")
    site: str = field("Site")
    supplier: str = field("From")
    state: str = field("State")
    titled: date = field("Title since")


def lot_view(lot: Lot) -> LotView:
    return LotView(
        lot=lot.id, origin=lot.origin, start_bu=lot.start, stop_bu=lot.stop, crop=lot.crop,
        harvest_year=lot.harvest_year, ci_g_per_bu=lot.ci, form=lot.form, amount=lot.amount, unit=unit_of(lot.form),
        custodian=lot.custodian, site=lot.site, supplier=lot.supplier, state=str(lot.state), titled=lot.titled,
    )  # fmt: skip


@view
class EventOffer:
    """An event that may be entered next: what it does, its type, and the fields that are known."""

    what: str = field("What it does")
    event: Mapping[str, str] = field("Its beginning")

    @property
    def kind(self) -> str:
        return self.event["type"]

    @property
    def fields(self) -> dict[str, str]:
        return {name: value for name, value in self.event.items() if name != "type"}


def offer(what: str, kind: str, **known: str) -> EventOffer:
    return EventOffer(what=what, event={"type": kind, **known})


@view
class ReportChangeView:
    """Serials whose report was changed, and how."""

    origin: str = field("Origin")
    start_bu: Bushels = field("First serial")
    stop_bu: Bushels = field("Serial after the last")
    said: str = field("What changed")


@view
class MovementView:
    """One movement: the event as it was entered, the lots as it left them, and what may be entered about it next.

    ``changes`` names the organization's serials where the event changed the report behind them.
    """

    event: Mapping[str, Any] = field("What was entered")
    corrected_by: str = field("Taken back by", help="Empty while it stands.")
    answered_by: str = field(
        "Answered by", help="What the buyer of a sale entered about it, for whoever may open it; empty until then."
    )
    answer: str = field("Answer", help="The type of that entry: accept or reject.")
    lots: tuple[LotView, ...] = field("Lots as it left them")
    lots_answered: tuple[str, ...] = field("Their answers", help="By lot; empty where the buyer answered none.")
    changes: tuple[ReportChangeView, ...] = field("What it changes for you")
    next_events: tuple[EventOffer, ...] = field("What you can do")


@view
class StockPointView:
    """Stock from a day on, until the next one says otherwise."""

    day: date = field("Day")
    bushels: Bushels = field("Stock")


@view
class StockHistoryView:
    """Stock of one crop, harvest year and carbon intensity from day to day, the first day first."""

    crop: str = field("Crop")
    harvest_year: int = field("Harvest year")
    ci_g_per_bu: Ci = field("CI")
    days: tuple[StockPointView, ...] = field("Days")


@view
class LotDetailView:
    """A lot, the report behind it, and the kinds of event it may go into; the report is null where none is at hand."""

    lot: LotView = field("Lot")
    report_version: int | None = field("Version of the report")
    report_standing: str | None = field("Standing of the report")
    report_hash: str | None = field("Hash of the report")
    uses: tuple[str, ...] = field("What it may go into")


@view
class GrainEntryView:
    """An entry of a site's grain book: a ticket, a shipment or a measurement."""

    number: str = field("Ticket")
    day: date = field("Day")
    direction: str = field("Way")
    amount: Amount = field("Amount")
    claim: str = field("Stands behind")
    void: bool = field("Void")
    name: str = field("Name on it")
    party: str = field("With", help="By code, who stands on the other side of the entry behind it; empty without one.")


@view
class GrainSiteView:
    """Grain and claims at one site, in ``unit``.

    ``grain`` is null without an entry up to today, and ``covered`` where claims lie without a grain book.
    """

    site: str = field("Site")
    form: str = field("What")
    unit: str = field("Unit")
    grain: Amount | None = field("Grain by the tickets")
    claims: Amount = field("Your claims")
    covered: bool | None = field("Covered")
    entries: int = field("Entries")


@view
class PeriodView:
    """A mass balance time period; ``standing`` says in words where it stands today."""

    start: date = field("First day")
    end: date = field("Last day")
    policy: str = field("Sales take")
    closed: date | None = field("Closed on")
    standing: str = field("State")


@view
class DeliveryView:
    """A lot on its way to the organization; ``sale`` is what an acceptance names."""

    sale: str = field("Sale")
    seller: str = field("Seller")
    day: date = field("Sold on")
    lot: LotView = field("Lot")


@view
class DeliverySumView:
    """A sale on its way to the organization: all its lots together. Amounts are decimal text in ``unit``."""

    sale: str = field("Sale")
    seller: str = field("Seller")
    day: date = field("Sold on")
    form: str = field("What")
    harvest_year: int = field("Harvest year", help="Of its first lot.")
    amount: Amount = field("Amount")
    unit: str = field("Unit")
    lowest_ci_g_per_bu: Ci = field("CI", help="The lowest of its lots.")
    highest_ci_g_per_bu: Ci = field("Highest CI")


@view
class SlipView:
    """A farm's sale slip whose serials are not all bought yet; crop, year and CI are null without its report."""

    slip: str = field("Slip")
    farm: str = field("Farm")
    day: date = field("Day")
    origin: str = field("Origin")
    crop: str | None = field("Crop")
    harvest_year: int | None = field("Harvest year")
    ci_g_per_bu: Ci | None = field("CI")
    bushels_left: Bushels = field("Bushels left")


@view
class PendingView:
    """A purchase that waits for the farm's report."""

    purchase: str = field("Purchase")
    farm: str = field("Farm")
    day: date = field("Bought on")
    crop: str = field("Crop")
    harvest_year: int = field("Harvest year")
    site: str = field("Site")
    bushels_left: Bushels = field("Bushels pending")


@view
class WaitingView:
    """What waits for the organization, at most 200 of each kind, the oldest first."""

    deliveries: tuple[DeliveryView, ...] = field("On the way to you")
    slips: tuple[SlipView, ...] = field("Sale slips of farms, with their report")
    pending: tuple[PendingView, ...] = field("Bought with CI pending")


@view
class ContractView:
    """A contract as the book has it; ``end`` is null while it runs on.

    ``verified_crops`` are those that a statement covers today, null for a partner that needs none.
    """

    number: str = field("Contract")
    counterparty: str = field("Partner's code")
    name: str = field("Partner")
    role: str = field("What it is")
    start: date = field("From")
    end: date | None = field("To")
    signing_key: str = field("Key")
    fingerprint: str = field("Pinned key")
    verified_crops: tuple[str, ...] | None = field("Its verification")


@view
class VerificationView:
    """A verification statement that covers the organization, or its contract for the first audit."""

    number: str = field("Number")
    opinion: str = field("Opinion")
    start: date = field("From")
    end: date = field("To")
    crops: tuple[str, ...] = field("Crops")


@view
class ClosedSiteView:
    """A site at which nothing may lie from a day on."""

    site: str = field("Site")
    closed: date = field("Closed from")
    event: str = field("Entry that closed it")


@view
class EntityView:
    """What the book says of the organization."""

    entity: str = field("Code")
    name: str = field("Name")
    roles: tuple[str, ...] = field("Roles")
    sites: tuple[str, ...] = field("Sites")
    closed_sites: tuple[ClosedSiteView, ...] = field("Closed sites", default=())


class Way(StrEnum):
    """Which way a ticket's grain went."""

    IN = "in"
    OUT = "out"
    VOID = "void"


@view
class TicketView:
    """A ticket as a file would enter it; ``printed_bu`` is the file's figure, ``ours_bu`` what follows by weight."""

    number: str = field("Ticket")
    day: date | None = field("Day")
    site: str = field("Site")
    crop: str = field("Crop")
    customer: str = field("Customer")
    farm: str = field("Field")
    way: Way = field("Way")
    printed_bu: Bushels | None = field("Printed")
    ours_bu: Bushels | None = field("Ours")


# Answers of the book as interfaces tell them: a refusal is a problem at its field, with what to do about it.


refused = problem_of
"""Returns a refusal as a problem; ``known`` are the fields of the form that it may stand at."""


def is_unreadable(answer: Decision) -> bool:
    """Tell whether the event could not be read: then nothing in the book speaks against it."""
    return answer.status in UNREADABLE


def raise_if_refused(answer: Decision, *, file: str = "event") -> Decision:
    """Return an answer that stands. Raises ProblemsError: it is a refusal."""
    if not answer.status.well:
        raise ProblemsError([refused(answer, file=file)])
    return answer


# A station of a chain as one organisation may see it.


@view
class StationView:
    """One change of hands of serials, or of their form, as the reader may see it (interpretation 45)."""

    lot: str = field("Lot")
    origin: str = field("Origin")
    day: date = field("Day")
    type: str = field("What")
    giver: str = field("From")
    taker: str = field("To")
    form: str = field("As")
    state: str = field("State")
    start_bu: Bushels = field("Serials")
    stop_bu: Bushels = field("Serial after the last")
    bushels: Bushels = field("Bushels", help="Of crop: as many as serials.")


@view
class FarmShareView:
    """What of the bushels of a trace is of one origin; ``ci_g_per_bu`` is None where it is not the viewer's to know."""

    farm: str = field("Farm", help="By name where the viewer dealt with it itself.")
    origin: str = field("Origin")
    harvest_year: int = field("Harvest year")
    bushels: Bushels = field("Bushels", help="Of crop: as many as serials.")
    share_pct: str = field("Share", unit="%", help="With one decimal; all shares add up to 100.")
    ci_g_per_bu: Ci | None = field("CI", unit="g CO2e/bu")


# What the buyer of a sale entered about it, as it stands: the seller's business too, though not the entry itself.

ANSWERS: Final = ("accept", "reject")


class Answered(NamedTuple):
    """Serials of a sale with the entry that answers it."""

    step: CustodyStep
    entry: Posted

    def about(self, start: int, stop: int) -> bool:
        """Tell whether it is about some of these serials."""
        return self.step.after.start < stop and start < self.step.after.stop


def answers_to(store: StoreView, movement: str, origins: Iterable[str]) -> list[Answered]:
    """Return the answers to what a sale or document left in transit, of some origins, that nobody took back."""
    found: list[Answered] = []
    for step in (each for origin in origins for each in store.steps_of(origin)):
        before = step.before
        if step.type not in ANSWERS or before is None or before.state is not LotState.IN_TRANSIT:
            continue
        if movement not in (before.by, sale_in_transit(store, before.by)):
            continue
        entry = store.posted(step.movement)
        if entry is not None and not taken_back_by(store, entry):
            found.append(Answered(step, entry))
    return found
