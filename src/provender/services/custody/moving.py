"""One move of grain, of claims, or of both: one act for whoever enters it, up to three events in the book.

The book knows a ticket out, a ticket in and a move of claims. They are posted together or not at all, under ids that
begin alike: ``ID/out``, ``ID/in`` and ``ID``. So any reader of the book understands them, and this one sees which
ticket in is grain that a site of the same entity had before (``GrainEntry.source``).
"""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from provender.custody.book_file import BookFile
from provender.custody.events.registry import decide
from provender.custody.events.sale import MoveEvent
from provender.custody.events.ticket import INTO, OUT_OF, ReceiptEvent, ShipmentEvent
from provender.custody.model.amounts import FORMS, show_amount, unit_of
from provender.custody.model.event import Event, event
from provender.custody.model.statuses import Status
from provender.custody.model.store_view import Decision
from provender.plain import field
from provender.quantity import SCALE, Amount, half_even, show
from provender.rule import NotInForceError, rule_version
from provender.services.custody.sale_order import in_order, told_in_order
from provender.services.refused import refusal
from provender.wire import Day, Name, Text


@event("move", title="Move between sites", verb="Move")
class MoveAct(MoveEvent):
    """Moves grain, claims or both from one site of an entity to another, or grain from bin to bin of a site.

    Grain has a ticket where it leaves and one where it comes; claims move by their amount or by the lots named. Both
    stand together or not at all, and title does not change (interpretation 49).
    """

    out_ticket: Name = field("Ticket out", help="Of the first site; empty where only claims move.", default="")
    out_amount: Amount = field("Weight out", unit="bu or lb", help="Net, by the first scale.", default=0)
    in_ticket: Name = field("Ticket in", help="Of the second site; empty where it has the same number.", default="")
    in_amount: Amount = field(
        "Weight in", unit="bu or lb", help="Net, by the second scale; empty where it was not weighed again.", default=0
    )
    in_day: Day | None = field(
        "Day it came", help="Where that is a later one: the claims move on it too.", folded=True, default=None
    )
    from_bin: Name = field("Out of bin", help="Where it is known.", folded=True, default="")
    to_bin: Name = field("Into bin", help="Where it is known.", folded=True, default="")
    reason: Text = field(
        "Why the weights differ", help="Asked where two good scales would differ less.", folded=True, default=""
    )

    @property
    def moves_claims(self) -> bool:
        """Tell whether claims move: so many, or the lots named."""
        return bool(self.bushels or self.pounds or self.lots)

    @property
    def moves_grain(self) -> bool:
        """Tell whether it says anything of tickets or bins."""
        said = (self.out_ticket, self.out_amount, self.in_ticket, self.in_amount, self.from_bin, self.to_bin)
        return any(said) or bool(self.in_day)


def entered_as(asked: Event) -> tuple[Event, ...]:
    """Return the events that an act is entered as; an event that is no such act is its own.

    Raises:
        RefusedError: a ticket is missing, the days are reversed, or the weights differ and nobody says why.
    """
    if not isinstance(asked, MoveAct):
        return (asked,)
    claims = MoveEvent(**{each.name: getattr(asked, each.name) for each in fields(MoveEvent)})
    if not asked.moves_grain:
        return (claims,)
    return (*_tickets(asked), *((replace(claims, day=_came(asked)),) if asked.moves_claims else ()))


def _came(asked: MoveAct) -> Any:  # noqa: ANN401 - a day
    return asked.in_day or asked.day


def _tickets(asked: MoveAct) -> tuple[ShipmentEvent, ReceiptEvent]:
    _check_tickets(asked)
    same: dict[str, Any] = {"entity": asked.entity, "form": asked.of_form, "actor": asked.actor}
    sent = ShipmentEvent(
        id=f"{asked.id}{OUT_OF}", day=asked.day, site=asked.site, number=asked.out_ticket, amount=asked.out_amount,
        bin=asked.from_bin, **same,
    )  # fmt: skip
    came = ReceiptEvent(
        id=f"{asked.id}{INTO}", day=_came(asked), site=asked.to_site, number=asked.in_ticket or asked.out_ticket,
        amount=asked.in_amount or asked.out_amount, bin=asked.to_bin, reason=asked.reason, **same,
    )  # fmt: skip
    return sent, came


def _check_tickets(asked: MoveAct) -> None:
    for name, said in (("out_ticket", asked.out_ticket), ("out_amount", asked.out_amount)):
        if not said:
            cause = "Grain that moves has a ticket out with its weight."
            raise refusal("ticket_missing", cause, "Say both, or leave out all about tickets and bins.", column=name)
    if _came(asked) < asked.day:
        raise refusal("dates_reversed", "It came before it left.", "Look at the two days.", column="in_day")
    if asked.site in ("", asked.to_site) and asked.in_ticket in ("", asked.out_ticket):
        cause = "Within one site the ticket in needs a number of its own."
        raise refusal("ticket_differs", cause, "Give the ticket in another number.", column="in_ticket")
    if asked.moves_claims and asked.site == asked.to_site:
        cause = "Claims lie at a site and in no bin of it."
        raise refusal("same_site", cause, "Leave out how many claims move.", column="bushels")
    known = asked.of_form in FORMS and min(asked.out_amount, asked.in_amount) >= 0  # else the book refuses it
    if known and not asked.reason and abs(_lost(asked)) * 10**SCALE * 100 > _allowed(asked) * asked.out_amount:
        remedy = "Say why, such as drying, a spill or a scale that was set right."
        raise refusal("weights_differ", f"{_difference(asked)}.", remedy, column="reason")


def _lost(asked: MoveAct) -> int:
    """Return by how much less came than left; 0 where it was not weighed again."""
    return asked.out_amount - asked.in_amount if asked.in_amount else 0


def _allowed(asked: MoveAct) -> int:
    """Return by how much two good scales may differ, thousandths of a percent."""
    try:
        return rule_version(asked.day).moved_weight_difference_pct_max
    except NotInForceError:
        return 0


def _difference(asked: MoveAct) -> str:
    """Say by how much the two tickets differ."""
    lost, unit = _lost(asked), unit_of(asked.of_form)
    share = f"{show(half_even(abs(lost) * 10**SCALE * 100, asked.out_amount))} %"
    said = share if abs(lost) <= asked.out_amount else "more than 100 %"
    return f"{show_amount(abs(lost), unit)} ({said}) {'less' if lost > 0 else 'more'} came than left"


def together(asked: Event, outcomes: Sequence[Decision]) -> Decision:
    """Return the one answer to an act from the answers to its events: the first refusal, or what stands.

    The claims' answer comes last and carries the lots; the difference of the weights stands beside it.
    """
    refused = next((one for one in outcomes if not one.status.well), None)
    if refused or not isinstance(asked, MoveAct) or not asked.moves_grain:
        return refused or outcomes[-1]
    if all(one.status is Status.EXISTS for one in outcomes):
        return outcomes[-1]
    said = " ".join(one.message.removeprefix(Status.POSTED.sentence).strip() for one in outcomes if _is_new(one))
    facts = outcomes[-1].facts if asked.moves_claims else ()
    if _lost(asked):
        facts = (*facts, ("weights", _difference(asked)))
    return replace(outcomes[-1], status=Status.POSTED, message=f"{Status.POSTED.sentence} {said}", facts=facts)


def _is_new(outcome: Decision) -> bool:
    return outcome.status is Status.POSTED


def enter_in_book(book: BookFile, asked: Event) -> Decision:
    """Post the events of an act to a book on disk, all or none.

    They are about different tickets and about claims: no one of them changes the answer to another.

    Raises:
        RefusedError: as ``entered_as``.
    """
    events = [in_order(book.store, one) for one in entered_as(asked)]
    foreseen = [decide(book.store, one) for one in events]
    if not all(one.status.well for one in foreseen):
        return together(asked, foreseen)
    with book.together():
        return told_in_order(asked, together(asked, [book.post(one) for one in events]))
