"""Acts in another party's name: whether that party agrees (2100.032(a), interpretation 78).

A return, the refusal of a delivery or the correction of an accepted sale takes bushels from one party and gives them to
another. In a book that all parties share each enters what is its own to enter; in a book of one party everything is
entered by that one, so that the other's deed rests on the other's signed paper. The paper stands in the event itself,
and its signature is checked whenever the event is answered.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from enum import StrEnum
from typing import Any, ClassVar, Final, TypeVar, cast

from provender.custody.events import allocation, rules
from provender.custody.events.footing import document_grounds, grounds, state_on
from provender.custody.events.grain import ticket_records
from provender.custody.events.parties import comes_verified, under_contract, verified
from provender.custody.events.reports import check_ci
from provender.custody.model import entities
from provender.custody.model.event import (
    Event,
    Party,
    Range,
    Refusal,
    RestsOn,
    Status,
    Ticket,
    digest_of,
    event,
    ticket_amounts,
)
from provender.custody.model.grain import Direction, GrainEntry, grain_group
from provender.custody.model.lots import (
    STOCK,
    Lot,
    LotState,
    Piece,
    Span,
    joined,
    overlaps,
    part,
    product_of,
    show_amount,
    slip_number,
    subtract_spans,
    unit_of,
    whole,
    with_parents,
)
from provender.custody.model.store_view import Decision, Posted, StoreView, root_of
from provender.exact import CI_SCALE, parse
from provender.problem import Place, Problem, ProblemsError
from provender.schema import Name, Signed, Text, declared, field, read_day
from provender.signing.canonical import read_json
from provender.signing.jws import check

CONSENT: Final = "custody-consent"
"""The document by which a party says that it gives bushels back, refuses them, or agrees to a correction."""
Changed = tuple[Piece, Mapping[str, Any]]
"""A piece, and what becomes of it."""
_TYP: Final = f"{CONSENT}+json"
PAPER_HELP: Final = "The other party's signed paper over it, as JSON, where the other does not enter it itself."


def number_of(event: Event) -> str:
    """Return what both parties of a trade know it by."""
    slip = slip_number(str(getattr(event, "slip", "")), str(getattr(event, "giver", "")))
    return str(getattr(event, "number", "") or slip or event.id)


def consents(
    store: StoreView, event: Event, holder: str, gets: str, enters: str, movement: Event, pieces: Iterable[Piece]
) -> bool:
    """Tell whether the one who holds bushels agrees that they go to another.

    Args:
        store: the book.
        event: the act, perhaps with a paper.
        holder: who has the bushels.
        gets: to whom they go.
        enters: who enters the act, by its own words.
        movement: the trade that the act is about.
        pieces: the bushels.

    Raises:
        Refusal: PAPER_NOT_SHOWN, for a paper that is not the holder's, not about these bushels, or not signed by it.
    """
    paper = str(getattr(event, "paper", ""))
    if paper:
        check_paper(store, paper, ({holder}, gets), event, number_of(movement), pieces)
        return True
    return holder == (store.owner or enters)


def shows(store: StoreView, event: Event, piece: Piece, gets: str, movement: Event) -> bool:
    """Tell whether an act that needs no paper has one all the same, by which the holder of a piece hands it back."""
    paper = str(getattr(event, "paper", ""))
    if not paper or gets == piece.lot.owner:
        return False
    try:
        check_paper(store, paper, ({piece.lot.owner}, gets), event, number_of(movement), [piece])
    except Refusal:
        return False
    return True


def check_paper(
    store: StoreView,
    paper: str,
    parties: tuple[Iterable[str], str],
    event: Event,
    movement: str,
    pieces: Iterable[Piece],
) -> None:
    """Refuse a paper that does not show what it is to show.

    Whose key counts is said by the contract of the party that gets the bushels, never by whom the paper itself names.

    Args:
        store: the book.
        paper: the signed envelope, as JSON.
        parties: who may have signed it, and to whom the bushels go.
        event: the act.
        movement: what both parties know the trade by that the act is about (``number_of``).
        pieces: the bushels.

    Raises:
        Refusal: PAPER_NOT_SHOWN.
    """
    try:
        envelope = read_json(paper.encode(), file="paper")
        document: Any = envelope["document"] if isinstance(envelope, Mapping) else {}
        signer, buyer, day = str(document["seller"]["id"]), str(document["buyer"]["id"]), read_day(document["day"])
        made = read_day(document.get("made_on", document["day"]))
        about, spans, told = str(document["movement"]), _spans(document), _worse(document)
        _pounds(document)
    except (ProblemsError, AttributeError, KeyError, TypeError, ValueError):
        raise Refusal(Status.PAPER_NOT_SHOWN, "It cannot be read as a signed paper.") from None
    signers, gets = parties
    rules.require(signer in set(signers), Status.PAPER_NOT_SHOWN, f"It is {signer}'s.")
    rules.require(buyer == gets, Status.PAPER_NOT_SHOWN, f"It gives the bushels to {buyer}, not to {gets}.")
    found = check(envelope, {}, typ=_TYP)
    keys = entities.pinned_keys(store, store.owner or gets, signer, day, made)
    said = f"Its signature is not by a key that a contract with {signer} pins: {found.status}."
    rules.require(bool(found.kid) and found.kid in keys, Status.PAPER_NOT_SHOWN, said)
    rules.require(day <= event.day, Status.PAPER_NOT_SHOWN, f"It is of {day}, after the event.")
    rules.require(about == movement, Status.PAPER_NOT_SHOWN, f"It is about {about}, not about {movement}.")
    for piece in pieces:
        inside = any(low <= piece.start and piece.stop <= high for low, high in spans.get(piece.lot.origin, ()))
        rules.require(inside, Status.PAPER_NOT_SHOWN, f"It does not name all serials of {piece.lot.origin}.")
    for ci, _, _ in told:
        check_ci(ci)


def _spans(document: Mapping[str, Any]) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = {}
    for row in document["spans"]:
        found.setdefault(str(row["origin"]), []).append((parse(row["start"]), parse(row["stop"])))
    return {name: joined(spans) for name, spans in found.items()}


def _worse(document: Mapping[str, Any]) -> list[tuple[int, str, Span]]:
    told = ((one["ci_g_per_bu"], one) for one in document["spans"] if "ci_g_per_bu" in one)
    rows = [(parse(ci, CI_SCALE), str(one["origin"]), (parse(one["start"]), parse(one["stop"]))) for ci, one in told]
    return sorted(rows, reverse=True)


def _pounds(document: Mapping[str, Any]) -> dict[tuple[str, int, int], int]:
    """Return the pounds of products by origin and serials.

    Raises:
        KeyError, TypeError, ValueError: a row that cannot be read, or pounds below nothing.
    """
    rows = [one for one in document["spans"] if "product_lb" in one]
    told = {(str(one["origin"]), parse(one["start"]), parse(one["stop"])): parse(one["product_lb"]) for one in rows}
    if any(pounds < 0 for pounds in told.values()):
        raise ValueError("pounds below nothing")
    return told


def as_told(event: Event, changed: Iterable[tuple[Piece, Mapping[str, Any]]]) -> list[tuple[Piece, Mapping[str, Any]]]:
    """Return changes of pieces with the carbon intensities that the checked paper of an act says, where worse.

    A report amended while the other had the bushels was told to the other alone: its paper says so of what it hands
    back, as a transfer document would. A better one reaches nothing that was sold (interpretation 35).
    """
    document = _document_of(event)
    told = _worse(document) if document else ()
    found: list[Changed] = []
    for piece, change in changed:
        left = [(piece.start, piece.stop)]
        for ci, origin, (low, high) in told:
            if origin != piece.lot.origin or ci <= piece.lot.ci:
                continue
            met = overlaps(left, [(low, high)])
            left = subtract_spans(left, met)
            found.extend((_cut(piece, span), {**change, "ci": ci}) for span in met)
        found.extend((_cut(piece, span), change) for span in left)
    return found


def with_pounds_told(
    store: StoreView, event: Event, changed: Iterable[Changed], holders: Collection[str]
) -> list[Changed]:
    """Return changes of product that was out of sight with the pounds that the checked paper of its holder says.

    The holder may have cut it elsewhere than this book supposes, so that pounds are rounded away from other serials.
    They stay within what the serials give (interpretation 71) and, as a cut rounds away less than a serial gives,
    within that of what this book supposes: a paper makes no product.

    Pounds on the paper of anybody but the holders of the pieces, such as a verifier, say nothing here.
    """
    told = _document_of(event)
    signer = str(told["seller"]["id"]) if told else ""
    if signer not in holders or not is_elsewhere(store, signer):
        return [*changed]
    pounds, found = _pounds(told), list[Changed]()
    for piece, change in changed:
        said = pounds.get((piece.lot.origin, piece.start, piece.stop), 0) if piece.lot.is_product else 0
        most = product_of(piece.crop_amount, piece.lot.rate), piece.product + product_of(1, piece.lot.rate) + 1
        found.append((piece, {**change, "product": min(said, *most)} if said else change))
    return found


def is_elsewhere(store: StoreView, party: str) -> bool:
    """Tell whether this is the book of one party and another's stock and periods are not in it."""
    return store.owner not in ("", party) and not store.many(entities.Period, party)


def _document_of(event: Event) -> Any:  # noqa: ANN401 - a checked document, or none
    """Return what the checked paper of an act says; nothing where it has none."""
    paper = str(getattr(event, "paper", ""))
    return cast("Any", read_json(paper.encode(), file="paper"))["document"] if paper else {}


def _cut(piece: Piece, span: Span) -> Piece:
    return piece if span == (piece.start, piece.stop) else part(piece.lot, *span)


def _verifiers_of(store: StoreView, party: str, crops: Collection[str]) -> set[str]:
    """Return who issued a verification statement over a party and some crops that stands.

    That a first audit is contracted is the party's own word: it makes nobody its verifier.
    """
    stated = (
        one for one in store.many(entities.Verification, party) if one.opinion.good and not one.opinion.contracted
    )
    return {one.verifier for one in stated if {*crops} <= {*one.crops}}


# Between entities: sale, acceptance, refusal of a delivery, and moves between an entity's own sites.

E = TypeVar("E", bound=Event)


@event("sale", RestsOn.SCALE, title="Sell", verb="Sell", correctable=True)
class SaleEvent(allocation.TakesFromStock):
    """A sale on the day title passes. The claims leave the seller's stock and are in transit until accepted."""

    from_closed: ClassVar[bool] = False
    giver: Name = field("Seller", party=Party.ENTERS)
    taker: Name = field("Buyer", party=Party.READS, choices="buyers")
    contract: Name = field(
        "Contract", help="Which of the seller's contracts it fills; only claims that it asks for go.", default=""
    )
    tickets: tuple[Ticket, ...] = field(
        "Tickets",
        help=("The shipments, if they are known: entries of the site's grain book, which stands beside the claims."),
        folded=True,
        default=(),
    )
    bill_of_lading: Name = field(
        "Bill of lading", help="Its number, for the transfer document.", folded=True, default=""
    )
    chosen: Text = field("How its lots were chosen", asked=False, default="")
    destination: tuple[Ticket, ...] = field(
        "Tickets of the destination",
        help=(
            "The buyer's scale tickets for grain that went there straight from the farm: the grain behind these claims,"
            " which the seller's own sites never saw."
        ),
        folded=True,
        default=(),
    )

    def word_of(self) -> str:
        """Return whose scale its tickets of the destination are of."""
        return self.taker if self.destination else ""


CHOSEN: Final = tuple(f"{way} carbon intensity first, the oldest among equals" for way in ("lowest", "highest"))
"""How lots that a sale names were chosen, where whoever entered it asked for an order and named none."""


def decide_sale(store: StoreView, event: SaleEvent) -> Decision:
    said, roles = "A farm sells by slip and purchase.", entities.BETWEEN_TRADERS
    giver, taker = rules.parties_of(store, event.giver, event.taker, roles, said)
    site = rules.site_of(store, giver, event.site) if event.site or event.tickets else ""
    agreed = under_contract(
        store, (giver.id, taker.id, event.day), event.contract, event.of_form, entities.ContractKind.RECIPIENT
    )
    allocation.check_choosing(event)
    is_order = event.chosen in ("", *(CHOSEN if event.lots else ()))
    rules.require(is_order, Status.FIELD_UNREADABLE, f"chosen: {event.chosen!r} is no order of lots.")
    period = rules.open_period(store, giver, event.day)
    records = ticket_records(store, event, giver.id, site, event.of_form, Direction.OUT)
    place = (giver.id, site) if site else None
    choice = allocation.choose(store, giver.id, _within(event, agreed), period, place)
    draft = rules.MovementDraft(event)
    away = {"owner": taker.id, "custodian": taker.id, "site": "", "supplier": giver.id}
    draft.move(choice.pieces, state=LotState.IN_TRANSIT, acquired=event.day, titled=event.day, **away)
    draft.state(*records)
    shown = show_amount(choice.amount, unit_of(event.of_form))
    statement = verified(store, giver, event.day, event.crop)
    facts_shown = (*allocation.matched(choice), ("verification", statement.id if statement else "none"))
    return draft.outcome(f"{shown} of {event.of_form} to {taker.name}, {choice.how}.", details=facts_shown)


def _within(event: SaleEvent, agreed: entities.Delivery | None) -> SaleEvent:
    """Return a sale that takes only claims within its own range and its contract's."""
    if agreed is None:
        return event
    lows = [ci for ci in (event.ci_min, agreed.ci_min) if ci is not None]
    highs = [ci for ci in (event.ci_max, agreed.ci_max) if ci is not None]
    return replace(event, ci_min=max(lows, default=None), ci_max=min(highs, default=None))


@declared
class AnswerEvent(Event):
    """Fields of a buyer's answer to a sale or a document."""

    taker: Name = field("Buyer", help="The buyer, who answers.", party=Party.ENTERS)
    movement: Text = field("Movement", help="The id of the sale or document.")


@event("accept", RestsOn.OWN_ACT, title="Accept a delivery", verb="Accept", correctable=True)
class AcceptEvent(AnswerEvent):
    """The buyer takes what is in transit into its stock: its incoming has this day (interpretation 43)."""

    custodian: Name = field(
        "Custodian",
        help="The company that stores it, if that is not the buyer.",
        party=Party.HOSTS,
        choices="partners",
        folded=True,
        default="",
    )
    site: Name = field(
        "Site", help="Which of its sites; may be left out where there is one.", choices="sites", default=""
    )
    tickets: tuple[Ticket, ...] = field("Tickets", help="The scale tickets in.", folded=True, default=())


@event("reject", RestsOn.CONSENT, title="Send a delivery back", verb="Send it back", correctable=True)
class RejectEvent(AnswerEvent):
    """The buyer does not take what is in transit: it goes back into the seller's stock."""

    giver: Name = field("Seller", party=Party.CHANGES, choices="traders")
    site: Name = field("Site", help="Where it comes back to.", choices="sites", default="")
    reason: Text = field("Reason", help="In words.", default="")
    paper: Signed = field("Paper", help=PAPER_HELP, asked=False, default="")


def sale_in_transit(store: StoreView, by: str) -> str:
    """Return the sale or document that has a lot in transit on its way.

    It was put in transit by the sale itself, or by the correction of an answer to it (or of its correction), after
    which the buyer answers anew.
    """
    posted = store.posted(by)
    if posted is None:
        return by
    answer = root_of(store, posted).event
    return getattr(answer, "movement", "") or answer.id


def is_in_transit(store: StoreView, lot: Lot, movement: str) -> bool:
    """Tell whether a sale or document has a lot on its way to the buyer, perhaps again: its resale was refused."""
    if lot.state is not LotState.IN_TRANSIT:
        return False
    return movement in (lot.by, sale_in_transit(store, lot.by)) or rules.trade_of(store, lot) == movement


def in_transit(store: StoreView, event: AnswerEvent) -> tuple[Event, list[Piece]]:
    """Return a sale, and what it left in transit to the buyer who answers."""
    sale = store.posted(event.movement)
    if sale is None or sale.event.type not in ("sale", "document"):
        raise Refusal(Status.RECORD_NOT_FOUND, f"There is no sale {event.movement!r}.")
    same = getattr(sale.event, "taker", "") == event.taker
    rules.require(same, Status.PARTIES_DIFFER, f"{event.movement} is another's.")
    sent = [lot for lot in store.lots_by(event.movement) if lot.by == event.movement]
    now = [lot for one in sent for lot in store.lots_at(one.origin, one.start, one.stop)]
    waiting = [lot for lot in now if lot.owner == event.taker and is_in_transit(store, lot, event.movement)]
    rules.require(bool(waiting), Status.ALREADY_ANSWERED, f"Nothing of {event.movement} is in transit.")
    return sale.event, [whole(lot) for lot in waiting]


def decide_accept(store: StoreView, event: AcceptEvent) -> Decision:
    """Take a sale into stock: unverified while the seller's verification is missing (interpretation 46)."""
    taker = rules.entity_of(store, event.taker)
    custodian = rules.entity_of(store, event.custodian or event.taker)
    rules.require(custodian.may(entities.STORERS), Status.ROLE_NOT_ALLOWED, f"{custodian.name} stores nothing.")
    site = rules.site_of(store, custodian, event.site)
    sale, pieces = in_transit(store, event)
    lot = pieces[0].lot
    rules.check_amounts(*ticket_amounts(event.tickets, unit_of(lot.form)))
    rules.open_period(store, taker, event.day)
    records = ticket_records(store, event, custodian.id, site, lot.form, Direction.IN)
    for piece in pieces:
        early = f"Title passed on {piece.lot.since}."
        rules.require(piece.lot.since <= event.day, Status.NOT_HELD_YET, early)
    draft = rules.MovementDraft(event)
    seller = rules.entity_of(store, lot.supplier)
    sure = {one.lot.crop: verified(store, seller, one.lot.titled, one.lot.crop) for one in pieces}
    shown = state_on(document_grounds(store, sale)) if sale.type == "document" else LotState.HELD
    states = {crop: shown if found else LotState.UNVERIFIED for crop, found in sure.items()}
    marks = {"custodian": custodian.id, "site": site, "acquired": event.day, "by": event.id, "since": event.day}
    draft.alter_each([(piece, {**marks, "state": states[piece.lot.crop]}) for piece in pieces])
    draft.state(*records)
    amount = show_amount(sum(piece.amount for piece in pieces), unit_of(lot.form))
    held = ", ".join(sorted({str(state) for state in states.values()}))
    return draft.outcome(f"{taker.name} has {amount} {held}.", details=(("state", held),))


def decide_reject(store: StoreView, event: RejectEvent) -> Decision:
    giver = rules.entity_of(store, event.giver)
    rules.entity_of(store, event.taker)
    if not event.paper:
        rules.home_of(store, giver, event.site)
    sale, pieces = in_transit(store, event)
    rules.require(
        pieces[0].lot.supplier == giver.id, Status.PARTIES_DIFFER, f"{event.movement} is from another seller."
    )
    rules.check_former(store, giver, event.day, sale)
    for piece in pieces:
        rules.require(piece.lot.since <= event.day, Status.NOT_HELD_YET, f"Title passed on {piece.lot.since}.")
    draft = rules.MovementDraft(event)
    today = dict.fromkeys(("acquired", "titled", "since"), event.day)
    marks = {"custodian": giver.id, "by": event.id, **today}
    holder = event.taker
    agreed = consents(store, event, holder, giver.id, holder, sale, pieces)
    if not agreed:
        marks["state"] = LotState.DISPUTED
    back = titles_before(store, event.movement, pieces)
    homes = homes_of(store, giver, event.site, event.movement if event.paper else "", pieces)
    changed = [(piece, {**title, **marks, "site": site}) for (piece, title), site in zip(back, homes, strict=True)]
    draft.alter_each(as_told(event, changed))
    said = "has it back" if agreed else f"has it back in dispute, until {event.taker} has signed that it refuses it"
    return draft.outcome(f"{giver.name} {said}.")


def titles_before(store: StoreView, movement: str, pieces: Sequence[Piece]) -> list[tuple[Piece, dict[str, object]]]:
    """Return, for pieces that a movement gave, the title they had before it: owner, supplier, state.

    Where they lie is for the caller to say: they come back to a site of whoever gets them, not to the one that stored
    them before. What the report says of them now (carbon intensity) stays as it is. Serials that came in on a document
    go back to who wrote it, whoever had them before as far as this book knew.
    """
    found: list[tuple[Piece, dict[str, object]]] = []
    for piece, parent in with_parents(pieces, store.parents(movement)):
        seller = piece.lot.supplier
        outside = {"owner": seller, "supplier": "", "state": LotState.HELD}
        names = ("owner", "supplier", "state")
        known = parent if parent and parent.owner == seller else None
        found.append((piece, {name: getattr(known, name) for name in names} if known else dict(outside)))
    return found


def homes_of(
    store: StoreView, entity: entities.Entity, named: str, movement: str, pieces: Sequence[Piece]
) -> list[str]:
    """Return to which of its sites each piece comes back: the one named, or else the one that a trade took it from.

    Raises:
        Refusal: SITE_NOT_FOUND: neither says one, and it has several.
    """
    if named or not movement or len(entity.sites) < 2:  # noqa: PLR2004 - a choice of sites
        return [rules.home_of(store, entity, named)] * len(pieces)
    parents = (parent for _, parent in with_parents(pieces, store.parents(movement)))
    own = (parent.site if parent and parent.custodian == entity.id else "" for parent in parents)
    return [site or rules.home_of(store, entity, "") for site in own]


@event("move", RestsOn.OWN_ACT, title="Move between sites", verb="Move", correctable=True)
class MoveEvent(allocation.TakesFromStock):
    """A move between two sites of one entity: a linked pair, no change of title (interpretation 49)."""

    giving: ClassVar[frozenset[LotState]] = STOCK
    while_suspended: ClassVar[bool] = True
    entity: Name = field("Entity", help="Whose sites.", party=Party.ENTERS)
    to_site: Name = field("To site", help="Where it goes.", choices="sites")


def decide_move(store: StoreView, event: MoveEvent) -> Decision:
    entity = rules.entity_of(store, event.entity)
    site, to = rules.site_of(store, entity, event.site), rules.site_of(store, entity, event.to_site)
    rules.require(site != to, Status.PARTIES_ARE_ONE, "Both sites are the same.")
    choice = allocation.taken(store, entity, event, site)
    draft = rules.MovementDraft(event)
    draft.move(choice.pieces, custodian=entity.id, site=to)
    shown = show_amount(choice.amount, unit_of(event.of_form))
    return draft.outcome(f"{shown} of {event.of_form} from {site} to {to}.", details=allocation.matched(choice))


# Disputes: bushels that one party took back in another's name, until the other agrees (interpretation 78).


@event("settle", RestsOn.CONSENT, title="Settle a dispute", verb="Agree", everyone=True)
class SettleEvent(Event):
    """Ends a dispute: the other party agrees that the bushels went back.

    In a book of its own a party names the other's signed paper, or one of its verifier, who looked at the evidence.
    Without either they are released without claim, or the act itself is taken back.
    """

    entity: Name = field("Entity", help="Who agrees: the party that had the bushels.", party=Party.ENTERS)
    movement: Text = field("Act in dispute", help="The return, refusal or correction.")
    paper: Signed = field("Paper", help=PAPER_HELP, asked=False, default="")


def disputed(store: StoreView, act: str) -> list[Lot]:
    spans = [(lot.origin, lot.start, lot.stop) for lot in store.lots_by(act) if lot.by == act]
    now = (lot for span in spans for lot in store.lots_at(*span))
    return list({lot.id: lot for lot in now if lot.by == act and lot.state is LotState.DISPUTED}.values())


def trade_behind(store: StoreView, act: Posted) -> Posted:
    """Return the trade that a return, a refusal or a correction is about."""
    posted = root_of(store, act)
    while (name := getattr(posted.event, "movement", "")) and (below := store.posted(name)):
        posted = below
    return posted


def decide_settle(store: StoreView, event: SettleEvent) -> Decision:
    """Put what was in dispute into the stock of the one who has it, dated today."""
    rules.entity_of(store, event.entity)
    act = store.posted(event.movement)
    if act is None:
        raise Refusal(Status.RECORD_NOT_FOUND, f"There is no event {event.movement!r}.")
    lots = disputed(store, act.event.id)
    rules.require(bool(lots), Status.ALREADY_ANSWERED, f"Nothing of {act.event.id} is in dispute.")
    pieces = with_parents([part(lot, lot.start, lot.stop) for lot in lots], store.parents(act.event.id))
    _check_agreed(store, event, act, pieces)
    for name in sorted({lot.owner for lot in lots}):
        holder = store.one(entities.Entity, name)
        if holder is not None and store.many(entities.Period, name):
            rules.open_period(store, holder, event.day)
    for lot in lots:
        rules.require(lot.since <= event.day, Status.NOT_HELD_YET, f"It is in dispute since {lot.since}.")
    draft = rules.MovementDraft(event)
    marks = {"by": event.id, "since": event.day, "acquired": event.day}
    changed = [(part(lot, lot.start, lot.stop), {**marks, "state": _dispute_state(store, lot)}) for lot in lots]
    holders = {_holder(*each) for each in pieces}
    made = draft.alter_each(with_pounds_told(store, event, as_told(event, changed), holders))
    shown = show_amount(sum(lot.amount for lot in made), unit_of(lots[0].form))
    return draft.outcome(f"{shown} of {lots[0].form} are no longer in dispute.")


def _check_agreed(store: StoreView, event: SettleEvent, act: Posted, pieces: list[tuple[Piece, Lot | None]]) -> None:
    trade = trade_behind(store, act).event
    for holder in sorted({_holder(*each) for each in pieces}):
        mine = [piece for piece, parent in pieces if _holder(piece, parent) == holder]
        if event.paper:
            gets = mine[0].lot.owner
            signers = {holder, *_verifiers_of(store, gets, {piece.lot.crop for piece in mine})}
            check_paper(store, event.paper, (signers, gets), event, number_of(trade), mine)
        else:
            said = f"{holder} has not agreed that {number_of(trade)} went back."
            rules.require(holder == (store.owner or event.entity), Status.PAPER_NOT_SHOWN, said)


def _holder(piece: Piece, parent: Lot | None) -> str:
    """Return who had a piece before it came into dispute."""
    return parent.owner if parent else piece.lot.supplier


def _dispute_state(store: StoreView, lot: Lot) -> LotState:
    return state_on(grounds(store, lot)) if comes_verified(store, lot) else LotState.UNVERIFIED


# A sale that takes the lowest or the highest carbon intensity first: one choice for whoever sells, lots in the book.
#
# The book knows a sale by the period's policy and a sale that names its lots. One that asks for an order is entered as
# the second, so any reader of the book understands it, and what leaves of each carbon intensity is what it names.


LOTS_AND_ORDER: Final = "lots_and_order"


class LotOrder(StrEnum):
    """Which lots of a stock go first."""

    BY_POLICY = "by_policy"
    LOWEST = "lowest_ci_first"
    HIGHEST = "highest_ci_first"


_CHOSEN: Final = dict(zip((LotOrder.LOWEST, LotOrder.HIGHEST), CHOSEN, strict=True))
SAID: Final = {order: f"Lots are chosen by the {words}." for order, words in _CHOSEN.items()}


@event("sale", RestsOn.SCALE, title="Sell", verb="Sell")
class SaleAct(SaleEvent):
    """A sale on the day title passes. The claims leave the seller's stock and are in transit until accepted."""

    order: LotOrder = field(
        "Which lots go first",
        help=(
            "By the period's policy unless chosen. With the lowest or the highest carbon intensity first the sale names"
            " its lots in that order."
        ),
        default=LotOrder.BY_POLICY,
    )


def choose_lots_by_ci(store: StoreView, asked: Event) -> Event:
    """Return a sale as the book is to have it: by the policy, or with the lots named that its order takes.

    Sent again it is the sale that stands, though the stock has other lots by now. Where the stock cannot give the
    amount it goes without lots, and the book says what is in the way.

    Raises:
        ProblemsError: it names lots and asks for an order as well.
    """
    if not isinstance(asked, SaleAct):
        return asked
    same: dict[str, Any] = {each.name: getattr(asked, each.name) for each in fields(SaleEvent)}
    sale = SaleEvent(**same)
    if asked.order is LotOrder.BY_POLICY:
        return sale
    if sale.lots:
        cause, remedy = "A sale names its lots or says which go first, not both.", "Leave one of them out."
        raise ProblemsError([Problem(Place("request", column="order"), cause, remedy, code=LOTS_AND_ORDER)])
    known = store.posted(sale.id)
    if known is not None and isinstance(known.event, SaleEvent) and known.event.lots:
        again = replace(sale, lots=known.event.lots, chosen=known.event.chosen)
        if digest_of(again) == digest_of(known.event):
            return again
    lots = _first(store, sale, highest=asked.order is LotOrder.HIGHEST)
    return replace(sale, lots=lots, chosen=_CHOSEN[asked.order] if lots else "")


def _first(store: StoreView, sale: SaleEvent, *, highest: bool) -> tuple[Range, ...]:
    """Return the lots that go first by carbon intensity; none where they do not hold what is sold."""
    least, most = ci_limits(store, sale)
    place = (sale.giver, sale.site) if sale.site else None
    free = allocation.available_lots(store, sale.giver, replace(sale, ci_min=least, ci_max=most), place)
    if not 0 < sale.wanted <= sum(lot.amount for lot in free):
        return ()
    free.sort(key=lambda lot: -lot.ci if highest else lot.ci)
    pieces = allocation.take(map(whole, free), sale.wanted)
    return tuple(Range(one.lot.origin, one.start, one.stop, one.product) for one in pieces)


def append_lot_order_note(asked: Event, outcome: Decision) -> Decision:
    said = SAID.get(asked.order) if isinstance(asked, SaleAct) else None
    if said is None or outcome.status is not Status.POSTED:
        return outcome
    return replace(outcome, message=f"{outcome.message} {said}")


def ci_limits(store: StoreView, event: Event) -> tuple[int | None, int | None]:
    """Return the carbon intensities between which an event takes lots: its own limits, and those of its contract."""
    if not isinstance(event, allocation.TakesFromStock):
        return None, None
    limits: list[tuple[int | None, int | None]] = [(event.ci_min, event.ci_max)]
    if isinstance(event, SaleEvent) and event.contract:
        agreed = store.one(entities.Delivery, f"{event.giver}/{event.contract}")
        limits += [(agreed.ci_min, agreed.ci_max)] if agreed else []
    lows, highs = ([end for end in ends if end is not None] for ends in zip(*limits, strict=True))
    return max(lows, default=None), min(highs, default=None)


# A sale behind which no scale ticket stands is told so before it is entered, not only by day and checks after.

_NO_TICKET: Final = (
    "No scale ticket is named: unless the ticket out is named here or entered later, its day and the checks list this"
    " sale as one without a ticket."
)


def warn_if_no_ticket(store: StoreView, asked: Event, outcome: Decision) -> Decision:
    """Return the answer to a sale with what it lacks, where tickets are kept of what is sold."""
    if not isinstance(asked, SaleEvent) or outcome.status is not Status.POSTED or asked.tickets or asked.destination:
        return outcome
    seller = store.one(entities.Entity, asked.giver)
    sites = (asked.site,) if asked.site else seller.sites if seller else ()
    if not any(store.many(GrainEntry, grain_group(asked.giver, site, asked.of_form)) for site in sites):
        return outcome
    return replace(outcome, message=f"{outcome.message} {_NO_TICKET}")
