"""Movements of an organisation: the list, one of them as a party to it may see it, and what may be entered about it."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Final, NamedTuple

from provender.custody.events.changed_report import Notice
from provender.custody.events.correction import CORRECTABLE
from provender.custody.model.amounts import unit_of
from provender.custody.model.digest import plain_event
from provender.custody.model.lots import Lot, LotState
from provender.custody.model.store_view import Posted, taken_back_by
from provender.custody.queries.report_changes import event_of
from provender.database.store.custody_movements import Cursor, Wanted, movements_page, sold_sums
from provender.plain import field, view
from provender.quantity import Amount
from provender.services.custody.blinding import as_entered, is_concerned, opened_by
from provender.services.custody.buyer_answers import Answered, answers_to
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.views import (
    EventOffer,
    MovementLine,
    MovementView,
    ReportChangeView,
    lot_view,
    offer,
)

OF_ANYBODY: Final = frozenset(
    {"day", "crop", "harvest_year", "bushels", "ci", "version", "origin", "reason", "start_day", "end_day"}
)
"""What an entry says to somebody whose lots it touches and who deals with none of its parties."""
LOOKED_AT: Final = 20_000
"""Steps of the book looked at for a page that somebody waits for; what is older, the next page looks through."""
WHOLE_BOOK: Final = 10_000_000
"""Steps looked at for a file, which leaves nothing out."""
ANSWERED: Final = ("purchase", "assign", "accept")
SOLD: Final = ("sale", "return", "reject")
RECEIVED: Final = ("purchase", "assign", "accept", "storage", "opening")


class OwnMovement(NamedTuple):
    """An event of the book that concerns the organisation, and the lots it opened."""

    posted: Posted
    lots: list[Lot]


class MovementList(NamedTuple):
    """Movements newest first, and the place from which the next page goes on; None at the end."""

    movements: list[MovementLine]
    older: Cursor | None


def movements(
    context: CustodyContext,
    *,
    before: tuple[date, int] | None = None,
    size: int = 50,
    kinds: Sequence[str] = (),
    partners: Collection[str] = (),
    scanned: int | None = None,
) -> MovementList:
    """Return the organisation's movements, newest first, a page at a time.

    Args:
        context: whose.
        before: day and lot with which the page before ended; None begins with the newest.
        size: how many at most.
        kinds: only events of these types; empty takes all.
        partners: only those with one of these, by code; empty takes all.
        scanned: how far it looks for them: ``LOOKED_AT`` or ``WHOLE_BOOK``; None looks as far as a call may wait.
    """
    start = Cursor(*before) if before else None
    page = movements_page(context.id, before=start, size=size, wanted=Wanted(kinds, partners), scanned=scanned)
    lines = [
        MovementLine(
            event=each.event, type=each.type, day=each.day, giver=each.giver, taker=each.taker, form=each.form,
            amount=each.amount, corrected=each.corrected, house=each.house, site=each.site,
        )
        for each in page.movements
    ]  # fmt: skip
    return MovementList(lines, page.older)


@view
class SoldView:
    """What was sold of a crop or product over the whole book, in ``unit``; what was taken back is not in it."""

    form: str = field("What")
    sales: int = field("Sales")
    sold_amount: Amount = field("Sold")
    back_amount: Amount = field("Sent back", help="Returned or not accepted by the buyer.")
    left_amount: Amount = field("Stays sold")

    @property
    def unit(self) -> str:
        """Return the unit of the amounts."""
        return unit_of(self.form)


def sold(context: CustodyContext, partners: Collection[str] = ()) -> list[SoldView]:
    """Return what the organisation sold by crop or product, in all or to some partners, by code."""
    return [
        SoldView(form=each.form, sales=each.sales, sold_amount=each.sold, back_amount=each.back,
                 left_amount=each.sold - each.back)
        for each in sold_sums(context.id, partners)
    ]  # fmt: skip


def movement(context: CustodyContext, event: str) -> MovementView | None:
    """Return one movement that concerns the organisation, without what it may not see; None where there is none."""
    own = own_movement(context, event)
    return movement_view(context, own) if own else None


def movement_view(context: CustodyContext, own: OwnMovement) -> MovementView:
    """Return a movement as the organisation may see it."""
    posted, lots = own
    plain = plain_event(posted.request)
    if not knows(context, posted, lots):  # of a stranger's report, what anybody may see (interpretation 45)
        plain = {name: value for name, value in plain.items() if name in {*OF_ANYBODY, "type"}}
    with READER.reading() as facts:
        taken_back = taken_back_by(facts, posted)
        answers = answers_to(facts, posted.request.id, _on_their_way(posted, lots))
        answer = answers[0].entry if answers else None
        # Who may not open the entry itself does not learn its id either.
        opens = answer is not None and is_concerned(facts, answer, context.id)
        seen = as_entered(facts, posted, lots, context.id)
        notices = [notice for notice in facts.many(Notice, context.id) if event_of(notice) == posted.request.id]
    if "origin" in plain and seen != list(lots):  # of a report whose serials it only stores
        plain["origin"] = seen[0].origin
    return MovementView(
        event=plain,
        corrected_by=taken_back,
        answered_by=answer.request.id if answer and opens else "",
        answer=answer.request.type if answer else "",
        lots=tuple(map(lot_view, seen)),
        lots_answered=tuple(_answer_about(lot, answers) for lot in lots) if answers else (),
        changes=tuple(
            ReportChangeView(origin=each.origin, start_bu=each.start, stop_bu=each.stop, said=each.said)
            for each in notices
        ),
        next_events=tuple(next_events(context, posted, lots)),
    )


def _on_their_way(posted: Posted, lots: Sequence[Lot]) -> list[str]:
    """Return the origins of which an entry left something in transit."""
    sent = {lot.origin for lot in lots if lot.state is LotState.IN_TRANSIT and lot.by == posted.request.id}
    return sorted(sent)


def _answer_about(lot: Lot, answers: Sequence[Answered]) -> str:
    """Return the type of the buyer's answer about a lot that an entry sent on its way; empty where there is none."""
    here = [each for each in answers if each.step.after.origin == lot.origin]
    about = {each.step.type for each in here if each.about(lot.start, lot.stop)}
    return about.pop() if len(about) == 1 else ""


def own_movement(context: CustodyContext, event: str) -> OwnMovement | None:
    """Return an event of the book and the lots it opened; None where there is none, or it concerns others only."""
    with READER.reading() as facts:
        posted = facts.posted(event)
        if posted is None or not is_concerned(facts, posted, context.id):
            return None
        return OwnMovement(posted, opened_by(facts, posted))


def knows(context: CustodyContext, posted: Posted, lots: Sequence[Lot]) -> bool:
    """Tell whether the organisation deals with a party of an entry: a farm's name stays a secret (interpretation 45).

    It does where it is one, has a contract with one, or bought the lots from one.
    """
    parties = set(posted.request.parties())
    dealt = {contract.counterparty for contract in context.contracts}
    dealt |= {lot.supplier for lot in lots if lot.owner == context.id}
    return context.id in parties or not parties.isdisjoint(dealt)


def next_events(context: CustodyContext, posted: Posted, lots: Sequence[Lot]) -> list[EventOffer]:
    """Return what can be done about a movement: accepted, sent back, returned, taken back."""
    event = posted.request
    # Whose correction was taken back stands again, and still takes no second correction: the first is taken back.
    if posted.corrected_by:
        return []
    offers, name = [], event.id
    waiting = any(lot.state is LotState.IN_TRANSIT and lot.by == name for lot in lots)
    if event.type == "sale" and getattr(event, "taker", "") == context.id and waiting:
        offers.append(offer("Accept", "accept", movement=name))
        offers.append(offer("Send it back", "reject", movement=name, giver=getattr(event, "giver", "")))
    if event.type in ANSWERED and getattr(event, "taker", "") == context.id:
        sale, seller = getattr(event, "movement", "") or name, lots[0].supplier if lots else ""
        offers.append(offer("Return to the seller", "return", movement=sale, taker=seller))
    if event.type in CORRECTABLE:
        offers.append(offer("Take it back as entered in error", "correct", movement=name))
    return offers
