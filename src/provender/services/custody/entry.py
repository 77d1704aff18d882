"""Writing the custody book of the server: register an organisation, post one event or a batch of them.

An organisation's id in the book is its handle. Every event says who enters it, and this is the one place that holds
whether that party may: a buyer enters its purchases, a seller its sales, an entity its own periods. Whatever the book
answers comes back as the outcome with its named status; a refusal is no exception and writes nothing.
"""

import contextlib
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from provender.custody.documents.build import SLIP, slip_document
from provender.custody.documents.receive import TYPS
from provender.custody.events import trade
from provender.custody.events.closing import CloseEvent, CloseSiteEvent
from provender.custody.events.corrections import CorrectEvent, ReturnEvent
from provender.custody.events.farm_trade import PurchaseEvent, ShareEvent, SlipEvent
from provender.custody.events.footing import OUTSIDERS, FileOnRecord, paper_of
from provender.custody.events.outside import DocumentEvent, NoticeEvent
from provender.custody.events.parties import ContractEvent, EntityEvent, StatementEvent
from provender.custody.events.registry import decide, post, read_event
from provender.custody.events.rules import closed_sites
from provender.custody.events.typed import FileEvent
from provender.custody.model.entities import ContractKind, Entity
from provender.custody.model.entities import Role as CustodyRole
from provender.custody.model.event import EVERYONE, Event, Refusal, Status, digest_of
from provender.custody.model.event import read_fields as model_fields
from provender.custody.model.grain import append_shortfall_warning
from provender.custody.model.lots import Origin, Slip, origin_name
from provender.custody.model.store_view import CustodyStep, Decision, StoreView
from provender.custody.queries.deliveries import append_contract_warning
from provender.database.actor import Actor, day_at, today, write_log
from provender.database.choices import Role
from provender.database.models.accounts import Organisation
from provender.database.models.farm import Book, SignedSlip, Upload, rows_of
from provender.database.store.custody import SqlStore
from provender.exact import show
from provender.problem import Place, Problem, ProblemsError
from provender.services import transparency
from provender.services.accounts.grants import enter_contract
from provender.services.custody import context as trade_context
from provender.services.custody.book_entry import apply_today, post_dated
from provender.services.custody.views import LotView, lot_view
from provender.services.farm.book import Edit, change_book
from provender.services.refused import LONGEST_SITE, RefusedError, clean_name, refusal
from provender.signing.canonical import canonical_json, sha256_hex
from provender.signing.jws import MEANING, check

# Where goods go that a buyer sends back: to the site that they left, which the buyer need not know.


def _resolve_shorthand(party: str, event: Event) -> Event:
    """Return an event as its party means it: its own ids, lots by whole codes, goods sent back to where they left."""
    if isinstance(event, StatementEvent | DocumentEvent) and event.word_of() != party:
        event = replace(
            event, typed_by=party
        )  # of a party without an account: only its paper shows it (interpretation 87)
    return _with_site(trade_context.with_whole_codes(party, _with_own_ids(party, event)))


def _with_own_ids(party: str, event: Event) -> Event:
    """Return an event under an id of its party: one that another party's entry has here is neither taken nor told of.

    The entry that it names is found by the id that its party gave it, too.
    """
    with trade_context.READER.reading() as store:
        own, digest = event.id, digest_of(event)
        while (held := store.posted(own)) and not _is_of(party, held.event) and store.digest(own) != digest:
            own = f"{party}-{own}"
        changed: dict[str, Any] = {} if own == event.id else {"id": own}
        for name in _NAMES_ENTRY:
            said = getattr(event, name, "")
            mine = store.posted(f"{party}-{said}") if said else None
            if (
                mine is not None
                and _is_of(party, mine.event)
                and not trade_context.is_concerned(store, store.posted(said), party)
            ):
                changed[name] = mine.event.id
    return replace(event, **changed) if changed else event


_NAMES_ENTRY: Final = ("movement", "slip", "pending", "returned")


def _is_of(party: str, event: Event) -> bool:
    """Tell whether an entry is one that a party enters; where no field says who does, of a party it names."""
    enters = event.entered_by()
    return getattr(event, enters) == party if enters else party in event.parties()


def _with_site(event: Event) -> Event:
    """Return goods that are sent back to a seller of several sites with the one they left, unless one is named.

    Where they left from none that is open, the book asks for the site.
    """
    if not isinstance(event, trade.RejectEvent | ReturnEvent) or event.site:
        return event
    seller = event.giver if isinstance(event, trade.RejectEvent) else event.taker
    with trade_context.READER.reading() as store:
        entity = store.one(Entity, seller)
        if entity is None or len(entity.sites) == 1:
            return event
        shut = closed_sites(store, seller)
        left = [lot.site for lot in store.parents(event.movement) if (lot.owner, lot.custodian) == (seller, seller)]
    found = next((site for site in left if site in entity.sites and (site not in shut or shut[site].ahead)), "")
    return replace(event, site=found) if found else event


def sites_of(context: trade_context.CustodyContext, party: str) -> list[str]:
    """Return the sites of somebody the organisation deals with; none of anybody else."""
    if not party or party not in trade_context.dealt_with(context):
        return []
    with trade_context.READER.reading() as store:
        entity = store.one(Entity, party)
    return list(entity.sites) if entity else []


_ROLES: Final[Mapping[Role, CustodyRole]] = {
    Role.FARM: CustodyRole.FARM,
    Role.FIRST_POINT: CustodyRole.FIRST_POINT,
    Role.INTERMEDIARY: CustodyRole.INTERMEDIARY,
    Role.PROCESSOR: CustodyRole.INTERMEDIARY,
    Role.REFINER: CustodyRole.REFINER,
}
"""What an organisation is in the book. A processor that takes title is an intermediary entity; a verifier has no part
in the chain."""

_SUPPLY: Final = frozenset({ContractKind.SUPPLIER, ContractKind.RECIPIENT})


def new_event_id(organisation: Organisation, word: str) -> str:
    """Return an id for an event, unique on the server, such as ``skunkriver-sale-3f9a01c2``."""
    return f"{organisation.handle}-{word}-{secrets.token_hex(4)}"


def read_fields(kind: str, fields: Mapping[str, object]) -> Event | Decision:
    """Read an event of a kind from plain fields, or return the outcome that says which field cannot be read.

    A site that is closed with a day that is still to come is open until then; nothing else is of a coming day.
    """
    try:
        found = (
            model_fields(trade.SaleAct, fields) if kind == trade.SaleAct.type else read_event({"type": kind, **fields})
        )
        if not isinstance(found, CloseSiteEvent | CloseEvent) and found.last_day() <= today():
            return found
        with trade_context.READER.reading() as store:
            return apply_today(store, found, today())
    except Refusal as refused:
        return Decision(refused.status, refused.message)


def register_entity(
    organisation: Organisation, *, day: date, actor: Actor, sites: Iterable[str] = (), using: str = "default"
) -> Decision | None:
    """State an organisation's name, roles and sites in the book; None when it says the same already.

    Sites are only ever added: one that held crop keeps its book.

    Raises:
        RefusedError: the organisation has no role in the chain of custody, or a site's name cannot stand on papers.
    """
    roles = _entity_roles(organisation)
    if not roles:
        cause = f"{organisation} has no role in the chain of custody."
        raise refusal("no_role", cause, "Choose its roles in the settings.", cite="2100.010", column="sites")
    store = SqlStore(actor, using)
    named = (clean_name(site, most=LONGEST_SITE, column="sites") for site in sites if site.strip())
    wanted = tuple(dict.fromkeys(named))
    with store.locked((organisation.handle,)) as locked:
        known = locked.view().one(Entity, organisation.handle)
        kept = known.sites if known else ()
        if known == Entity(organisation.handle, organisation.name, roles, tuple(dict.fromkeys((*kept, *wanted)))):
            return None
        name = new_event_id(organisation, "entity")
        return post(
            store,
            EntityEvent(
                id=name, day=day, entity=organisation.handle, name=organisation.name, roles=roles, sites=wanted
            ),
        )


def _entity_roles(organisation: Organisation) -> tuple[CustodyRole, ...]:
    """Return what an organisation is in the chain of custody; nothing for a verifier or an adviser."""
    held = {row.role for row in organisation.roles.all()}
    return tuple(dict.fromkeys(role for name, role in _ROLES.items() if name.value in held))


def enter(context: trade_context.CustodyContext, event: Event) -> Decision:
    """Post one event that the organisation enters; a contract brings its partner into the book.

    Raises:
        RefusedError: another party enters it.
    """
    if isinstance(event, ContractEvent):
        return state_contract(event, organisation=context.organisation, actor=context.actor)
    return post_event(event, organisation=context.organisation, actor=context.actor)


def preview(context: trade_context.CustodyContext, event: Event) -> Decision:
    """Return the answer that posting an event now would give; nothing is written.

    Raises:
        RefusedError: another party enters it.
    """
    if isinstance(event, ContractEvent):
        # Posting it would put the partner into the book first: it is put there, asked, and taken out again.
        with transaction.atomic():
            _register_partner(event, context.actor)
            try:
                return _previewed(context, event)
            finally:
                transaction.set_rollback(True)
    return _previewed(context, event)


def _previewed(context: trade_context.CustodyContext, event: Event) -> Decision:
    meant = _resolve_shorthand(context.id, event)
    with trade_context.READER.reading() as store:
        _check_enters(store, meant, context.organisation)
        ordered = trade.choose_lots_by_ci(store, meant)
        answer = trade_context.blinded(store, ordered, decide(store, ordered), context.id)
        return trade.warn_if_no_ticket(store, event, trade.append_lot_order_note(event, answer))


def lots_taken(context: trade_context.CustodyContext, event: Event, decision: Decision) -> list[LotView]:
    """Return the lots that an event takes of the organisation or for it, without the rests of those it cuts."""
    return [lot_view(lot) for lot in trade_context.own_lots(decision, event.id, context.id)]


def post_event(event: Event, *, organisation: Organisation, actor: Actor, using: str = "default") -> Decision:
    """Post one event that an organisation enters, in a transaction of its own.

    Raises:
        RefusedError: another party enters events of this kind, or it names what is another's.
    """
    store, event = SqlStore(actor, using), _resolve_shorthand(organisation.handle, event)
    with store.reading() as view:
        _check_enters(view, event, organisation)
    _record_file(store, event, organisation)
    with store.locked(event.locks()) if isinstance(event, trade.SaleAct) else contextlib.nullcontext():
        with store.reading() as view:  # under the lock: nobody takes the lots between choice and sale
            meant = trade.choose_lots_by_ci(view, event)
        outcome = trade.append_lot_order_note(event, post(store, meant))
    with store.reading() as view:
        if isinstance(event, trade.SaleEvent):
            outcome = trade.warn_if_no_ticket(view, event, outcome)
            outcome = append_shortfall_warning(view, event.giver, event.of_form, event.day, outcome)
        if isinstance(event, trade.SaleEvent | PurchaseEvent) and event.contract:
            outcome = append_contract_warning(view, event, outcome)
        return trade_context.blinded(view, meant, outcome, organisation.handle)


def post_events(
    requests: Sequence[Event], *, organisation: Organisation, actor: Actor, using: str = "default", whole: bool = True
) -> list[Decision]:
    """Post events in order, in one transaction; what a contract brings with it, as ``state_contract`` does.

    The first refusal takes back everything and is the last outcome returned. Without ``whole`` each event stands or
    falls by itself, and there are as many outcomes as events.

    Raises:
        RefusedError: another party enters one of them, or it names what is another's; nothing is written.
    """
    store = SqlStore(actor, using)
    events = [_resolve_shorthand(organisation.handle, event) for event in requests]
    with store.reading() as view:
        for each in events:
            _check_party(view, each, organisation)
    for each in events:
        if isinstance(each, ContractEvent):
            _register_partner(each, actor)
    outcomes: list[Decision] = []
    with store.locked(all_parties(events)):
        for each in events:
            outcomes.append(_post_one(store, each, organisation))
            if isinstance(each, ContractEvent):
                _enter_supply(each, outcomes[-1], organisation, actor)
            if whole and not outcomes[-1].status.well:
                transaction.set_rollback(True, using=using)
                break
    return outcomes


def _record_file(store: SqlStore, event: Event, organisation: Organisation) -> None:
    """Put the file on record that an event names as its paper or evidence, where the organization has uploaded it."""
    digest = paper_of(event) if event.type in OUTSIDERS else ""
    kept = Upload.objects.filter(organisation=organisation, sha256=digest).first() if digest else None
    if kept is not None:
        put_on_record(store, organisation, kept, event.day)


def put_on_record(store: SqlStore, organisation: Organisation, kept: Upload, day: date) -> Decision:
    """Put an uploaded file on record in the book; one that is there changes nothing."""
    me = organisation.handle
    event = FileEvent(id=f"{me}-file-{kept.sha256[:16]}", day=day, entity=me, sha256=kept.sha256, name=kept.name)
    with store.reading() as view:
        if view.one(FileOnRecord, FileOnRecord(kept.sha256, kept.name, me).key) is not None:
            return Decision(Status.EXISTS)
    return post(store, _with_own_ids(me, event))


def _post_one(store: SqlStore, event: Event, organisation: Organisation) -> Decision:
    _record_file(store, event, organisation)
    with store.reading() as view:  # what an earlier event of the batch brought is the organisation's by now
        trade_context.check_own(view, event, organisation.handle)
        meant = trade.choose_lots_by_ci(view, event)
        return trade.append_lot_order_note(
            event, trade_context.blinded(view, meant, post(store, meant), organisation.handle)
        )


def all_parties(requests: Iterable[Event]) -> tuple[str, ...]:
    """Return whom to lock before the first of several events: all at once, or two callers wait for each other."""
    parties = {party for event in requests for party in event.locks()}
    return (EVERYONE,) if EVERYONE in parties else tuple(sorted(parties))


def state_contract(event: ContractEvent, *, organisation: Organisation, actor: Actor) -> Decision:
    """Post a contract; a partner with an account here is put into the book first, and into the register of supply.

    Raises:
        RefusedError: another party enters it.
    """
    _register_partner(event, actor)
    outcome = post_event(event, organisation=organisation, actor=actor)
    _enter_supply(event, outcome, organisation, actor)
    return outcome


def _register_partner(event: ContractEvent, actor: Actor) -> None:
    partner = Organisation.objects.filter(handle=event.counterparty).first()
    if partner is not None and _entity_roles(partner):
        register_entity(partner, day=event.day, actor=actor)


def _enter_supply(event: ContractEvent, outcome: Decision, organisation: Organisation, actor: Actor) -> None:
    partner = Organisation.objects.filter(handle=event.counterparty).first()
    if outcome.status is Status.POSTED and partner is not None and event.role in _SUPPLY:
        buys = event.role is ContractKind.SUPPLIER
        seller, buyer = (partner, organisation) if buys else (organisation, partner)
        # A contract stated anew, such as with another key, stands in the register already.
        with contextlib.suppress(RefusedError):
            enter_contract(seller, buyer, number=event.number, signed_on=event.start_day, actor=actor)


def _check_enters(store: StoreView, event: Event, organisation: Organisation) -> None:
    """Refuse an event that is another party's to enter, or that names what is another's.

    Raises:
        RefusedError: it is, or does.
    """
    _check_party(store, event, organisation)
    trade_context.check_own(store, event, organisation.handle)


def _check_party(store: StoreView, event: Event, organisation: Organisation) -> None:
    """Refuse an event that is another party's to enter. Raises RefusedError: it is."""
    handle = organisation.handle
    if getattr(event, "paper", ""):
        # Typed beside an act, a paper would rest on keys that whoever enters it pinned itself (``receive_file``).
        cause = f"A signed paper is not typed into an event of type {event.type}."
        remedy = (
            "A party with an account here agrees by its own entry: leave the paper out, and the other party settles it."
            " Take the signed file of a party without an account in under Documents."
        )
        raise refusal("paper_is_a_file", cause, remedy, cite="2100.032(a)", column="paper")
    if isinstance(event, EntityEvent):
        # Sent again word for word it changes nothing, and is answered like any other repeat.
        repeat = store.digest(event.id) == digest_of(event)
        # Who has no account here and stands in no book yet may be registered by somebody else.
        outside = has_no_account(event.entity) and store.one(Entity, event.entity) is None
        allowed = event.entity == handle or repeat or outside
    elif isinstance(event, StatementEvent):
        first = event.entity == handle and event.opinion.contracted
        allowed = first or has_no_account(event.entity)
    elif isinstance(event, DocumentEvent):
        # A seller with an account here sells in this very book; its documents prove nothing more.
        allowed = event.taker == handle and has_no_account(event.giver)
    elif isinstance(event, NoticeEvent):
        allowed = False  # it ends others' claims too: only its sender's signature counts (``receive_document``)
    elif event.type in trade_context.OF_AN_ORIGIN:
        allowed = True  # whose report it is, ``check_own`` asks: one answer, whether there is such a report or not
    else:
        allowed = getattr(event, event.entered_by()) == handle
    if not allowed:
        cause = f"An event of type {event.type} is entered by another party than this organization."
        remedy = "Ask the other party to enter it, or work in the organization whose event it is."
        raise refusal("not_yours_to_enter", cause, remedy, cite="2100.032(a)")


def has_no_account(name: str) -> bool:
    return not Organisation.objects.filter(handle=name).exists()


# Sale slips signed on a page: the serials are assigned in the custody book in the moment the signature is verified.

_CITE = "2100.031(b)"


@dataclass(frozen=True, slots=True)
class Offer:
    """What a farm sells by a slip."""

    crop: str  # of which report
    harvest_year: int  # of which report
    buyer: Organisation  # a first point of aggregation, or a refiner that buys from farms
    bushels: int  # thousandths
    day: date  # the day of the sale
    contract: str = ""  # its number, or empty


@dataclass(frozen=True, slots=True)
class OriginRemaining:
    """The serials of one origin that are still with the farm, thousandths of a bushel."""

    issued: int  # how many there are
    held: int  # how many the farm still holds
    assigned: int  # of those, how many an open slip has assigned to a buyer
    # what went to each landowner as a share, by code: the landowner sells it by slips of its own
    shares: Mapping[str, int] = field(default_factory=dict)

    @property
    def free(self) -> int:
        return self.held - self.assigned

    @property
    def shared(self) -> int:
        """Return how many went to landowners."""
        return sum(self.shares.values())

    @property
    def sold(self) -> int:
        """Return how many are bought or stand on an open slip of the farm."""
        return max(0, self.issued - self.free - self.shared)


def bushels_left(farm: Organisation, crop: str, harvest_year: int) -> OriginRemaining | None:
    """Return what is left of an origin, or None while no report is signed."""
    with SqlStore(Actor(None, "page")).reading() as store:
        origins = store.many(Origin, origin_name(farm.handle, crop, harvest_year))
        if not origins:
            return None
        origin = origins[0]
        held = sum(lot.crop_amount for lot in store.lots_of(farm.handle, crop) if lot.origin == origin.id)
        slips = [slip for slip in store.many(Slip, origin.id) if slip.giver == farm.handle]  # a landowner signs its own
        assigned = sum(stop - start for slip in slips for start, stop in slip.open_spans)
        shares = _shares(store.steps_of(origin.id), farm.handle) if held < origin.current.bushels else {}
        return OriginRemaining(origin.current.bushels, held, assigned, shares)


def _shares(steps: Iterable[CustodyStep], farm: str) -> dict[str, int]:
    """Return what went from a farm to landowners as their share, by landowner; one that was taken back is not there."""
    found: Counter[str] = Counter()
    for step in steps:
        bushels, before = step.after.crop_amount, step.before
        if before is None or before.owner == step.after.owner:
            continue
        if step.type == ShareEvent.type and before.owner == farm:
            found[step.after.owner] += bushels
        elif step.type == CorrectEvent.type and step.after.owner == farm and before.owner in found:
            found[before.owner] -= bushels
    return {owner: bushels for owner, bushels in found.items() if bushels > 0}


def draft_slip(book: Book, offer: Offer, *, actor: Actor) -> dict[str, Any]:
    """Return the slip that the custody book would give, and assign nothing.

    Raises:
        RefusedError: the custody book refuses it, and why.
    """
    with transaction.atomic():
        document = _posted(book, offer, actor)
        transaction.set_rollback(True)
    return document


@transaction.atomic
def sign_slip(
    book: Book, offer: Offer, signature: str, *, document_hash: str, fingerprint_on_file: str, actor: Actor
) -> SignedSlip:
    """Assign the serials, verify the producer's signature over the slip, keep it, and note the sale in the book.

    Raises:
        ProblemsError: the custody book refuses the slip, other serials are free by now, or the signature does not fit.
            Nothing is written.
    """
    document = _posted(book, offer, actor)
    text = canonical_json(document)
    if sha256_hex(text) != document_hash:
        raise refusal("overtaken", "Other serials are free than when you began.", "Look again, then sign.", cite=_CITE)
    found = check({"document": document, "signature": signature}, {}, typ=TYPS[SLIP])
    if found.key is None:
        cause, remedy = MEANING[found.status]
        raise ProblemsError([Problem(Place("signature"), cause, remedy, _CITE, code=str(found.status))])
    if found.kid != fingerprint_on_file:
        cause, remedy = "The producer's record names another signing key.", "Sign with that key."
        raise refusal("other_key", cause, remedy, cite="2100.031(c)(3)")
    made = SignedSlip.objects.create(
        organisation=book.organisation,
        number=document["number"],
        document=text.decode(),
        document_hash=document_hash,
        signature=signature,
        at=timezone.now(),
        actor=actor.person,
    )
    change_book(book, [_sale(book, offer, made.number)], reason=f"Sale slip {made.number} signed", actor=actor)
    new = {"document": document_hash, "bushels": document["bushels"], "buyer": offer.buyer.name}
    write_log(actor, "sign sale slip", organisation=book.organisation, about=made.number, new=new)
    transparency.append(book.organisation, "sale slip", made.number, {"document": document, "signature": signature})
    return made


def _posted(book: Book, offer: Offer, actor: Actor) -> dict[str, Any]:
    """Post the slip and return its document; the caller's transaction decides whether it stands."""
    farm, store = book.organisation, SqlStore(actor)
    register_entity(offer.buyer, day=offer.day, actor=actor)
    with store.reading() as view:
        origins = view.many(Origin, origin_name(farm.handle, offer.crop, offer.harvest_year))
    if not origins:
        cause = "The report of this crop and harvest year is not signed."
        raise refusal("no_report", cause, "Sign the report first: it gives the bushels their serials.", cite=_CITE)
    event = SlipEvent(
        id=f"{farm.handle}-slip-{SignedSlip.objects.filter(organisation=farm).count() + 1:04}",
        day=offer.day,
        giver=farm.handle,
        taker=offer.buyer.handle,
        origin=origins[0].id,
        bushels=offer.bushels,
    )
    with store.reading() as view:
        outcome = post_dated(view, partial(post, store), event, day_at(farm))
    if not outcome.status.well:
        raise refusal(str(outcome.status), outcome.message, "Change the bushels, the day or the buyer.", cite=_CITE)
    with store.reading() as view:
        return slip_document(view, event.id, as_of=offer.day)


def _sale(book: Book, offer: Offer, number: str) -> Edit:
    farm_ids = [row.get("farm_id") for row in rows_of(book).get("farm", {}).values()]
    row = {
        "farm_id": next((str(one) for one in farm_ids if one), book.organisation.handle),
        "sale_id": number,
        "crop": offer.crop,
        "harvest_year": str(offer.harvest_year),
        "disposition": "sold_with_ci",
        "buyer": offer.buyer.name,
        "day": offer.day.isoformat(),
        "bushels": show(offer.bushels),
        "contract": offer.contract,
    }
    return Edit("sale", number, row)
