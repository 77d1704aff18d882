"""Whom a party tells that a report behind what it sold changed: a notice for each partner that has bushels of it."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from provender.custody.documents.notice import NOTICE, WORDS, ci_told, notice_document, number_of
from provender.custody.events.changed_report import Notice
from provender.custody.model.origins import Origin
from provender.custody.model.store_view import StoreView
from provender.custody.queries.report_changes import event_of
from provender.database.models import SignedDocument
from provender.plain import field, view
from provender.problem import refuse
from provender.quantity import Amount, Ci
from provender.services.custody.context import READER, CustodyContext


@view
class BuyerNotice:
    """A partner to be told that a report behind bushels it bought changed."""

    number: str = field("Number", help="Of the notice, as a document.")
    day: date = field("Day of the change")
    buyer: str = field("Who is told")
    name: str = field("Name")
    crop: str = field("Crop")
    harvest_year: int = field("Harvest year")
    said: str = field("What changed")
    ci_g_per_bu: Ci | None = field("Carbon intensity now", help="Null where that did not change.")
    bushels: Amount = field("Bushels that it has", unit="bu")
    signed: bool = field("Signed")


def buyer_notices(context: CustodyContext) -> list[BuyerNotice]:
    """Return whom the organisation tells of changed reports, the newest change first.

    Partners are told of what they have from it. Whoever keeps its book on this server sees the change there; a notice
    is for the book that a partner keeps elsewhere.
    """
    kept = SignedDocument.objects.filter(organisation=context.organisation, kind=NOTICE)
    signed = set(kept.values_list("number", flat=True))
    with READER.reading() as facts:
        found = [one for buyer in context.partners for one in _of(facts, context, buyer, signed)]
    return sorted(found, key=lambda one: one.day, reverse=True)


def _of(facts: StoreView, context: CustodyContext, buyer: str, signed: set[str]) -> Iterator[BuyerNotice]:
    told: dict[str, list[tuple[Notice, int]]] = {}
    for one in facts.many(Notice, buyer):
        if bushels := _from(facts, context.id, one):
            told.setdefault(event_of(one), []).append((one, bushels))
    for event, notices in told.items():
        posted, origin = facts.posted(event), facts.one(Origin, notices[0][0].origin)
        if posted is None or origin is None:
            continue
        number = number_of(posted, buyer)
        yield BuyerNotice(
            number=number, day=notices[0][0].day, buyer=buyer, name=context.named(buyer), crop=origin.crop,
            harvest_year=origin.harvest_year, said=" ".join(dict.fromkeys(WORDS[one.change] for one, _ in notices)),
            ci_g_per_bu=ci_told(posted, [one for one, _ in notices]),
            bushels=sum(bushels for _, bushels in notices), signed=number in signed,
        )  # fmt: skip


def _from(facts: StoreView, seller: str, one: Notice) -> int:
    """Return how much of what a notice is about its holder has from a seller, thousandths of a bushel."""
    lots = facts.lots_at(one.origin, one.start, one.stop)
    mine = [lot for lot in lots if (lot.owner, lot.supplier) == (one.holder, seller)]
    return sum(min(lot.stop, one.stop) - max(lot.start, one.start) for lot in mine)


def buyer_notice(facts: StoreView, context: CustodyContext, number: str, day: date) -> dict[str, Any]:
    """Return a notice by its number, as the command makes it.

    The event that changed a report may name the farm, which neither side may learn of the other: the number stands for
    it.

    Raises:
        ProblemsError: there is no such notice for a partner of the organisation.
    """
    buyer = number.partition("/")[2]
    for event in dict.fromkeys(event_of(one) for one in facts.many(Notice, buyer) if buyer in context.partners):
        posted = facts.posted(event)
        if posted is not None and number_of(posted, buyer) == number:
            return notice_document(facts, context.id, event, buyer, as_of=day)
    raise refuse(number, "The organization has no such notice.", "Look at its changed reports.", cite="2100.032(a)")
