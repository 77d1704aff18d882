"""One organisation's place in the custody book: whose it is, on which day, and who acts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any, Final, TypeVar

from django.core.cache import cache
from django.utils.crypto import salted_hmac

from provender.custody.events.allocation import TakesFromStock
from provender.custody.events.corrections import ReturnEvent
from provender.custody.events.farm_trade import Pending, ShareEvent, SlipEvent, StorageEvent
from provender.custody.events.outside import DocumentEvent
from provender.custody.events.parties import StatementEvent
from provender.custody.events.reports import Notice, ReportEvent
from provender.custody.events.rules import closed_sites
from provender.custody.model import entities, store_view
from provender.custody.model.event import Event, Range, Status
from provender.custody.model.lots import LIVE, Lot, Origin, Slip, origin_name, show_amount
from provender.custody.queries.alerts import event_of
from provender.custody.queries.trace import chain_of
from provender.database.actor import Actor
from provender.database.choices import Role as OrganisationRole
from provender.database.models.accounts import Organisation
from provender.database.store import custody_lists
from provender.database.store.custody import SqlFacts, SqlStore
from provender.services.refused import RefusedError, refusal

TRADING: Final = (
    OrganisationRole.FIRST_POINT, OrganisationRole.INTERMEDIARY, OrganisationRole.PROCESSOR, OrganisationRole.REFINER,
)  # fmt: skip
"""Roles whose organisations have a part in the chain of custody."""
READER: Final = SqlStore(Actor(None, "reading"))


def trades(organisation: Organisation) -> bool:
    return organisation.roles.filter(role__in=TRADING).exists()


@dataclass
class CustodyContext:
    """An organisation in the book, for the length of one request."""

    organisation: Organisation  # whose part of the book it is
    entity: entities.Entity  # what the book says of the organisation
    actor: Actor  # who acts
    today: date  # the day
    may_write: bool = False  # whether the actor may enter anything

    @property
    def id(self) -> str:
        return self.entity.id

    @cached_property
    def contracts(self) -> list[entities.Contract]:
        with READER.reading() as store:
            return list(store.many(entities.Contract, self.id))

    @cached_property
    def closed_sites(self) -> dict[str, entities.SiteClosure]:
        """Return the closings in force of its sites, by site; for a coming day too."""
        with READER.reading() as store:
            return closed_sites(store, self.id)

    @cached_property
    def open_sites(self) -> tuple[str, ...]:
        """Return the sites at which something may lie."""
        closings = self.closed_sites
        return tuple(site for site in self.entity.sites if site not in closings or not closings[site].shuts(self.today))

    @cached_property
    def periods(self) -> list[entities.Period]:
        with READER.reading() as store:
            return list(store.many(entities.Period, self.id))

    @property
    def period(self) -> entities.Period | None:
        return entities.period_of(self.periods, self.today)

    @cached_property
    def partners(self) -> dict[str, str]:
        """Return names by id of all it has a contract with."""
        names = custody_lists.names_of(contract.counterparty for contract in self.contracts)
        return dict(sorted(names.items(), key=lambda pair: pair[1]))

    def named(self, party: str) -> str:
        """Return the name of a party of the organisation's own entries; its code where nobody named it."""
        return self.partners.get(party) or custody_lists.names_of([party]).get(party, party)

    @property
    def buys_from_farms(self) -> bool:
        """Tell whether it may buy from a farm (2100.010)."""
        return self.entity.may(entities.BUYERS_FROM_FARMS)

    @property
    def lacks_site(self) -> bool:
        """Tell whether it may buy from a farm and has no site where that could lie: a farm's slip opened its book."""
        return self.buys_from_farms and not self.entity.sites

    @property
    def makes_fuel(self) -> bool:
        return entities.Role.REFINER in self.entity.roles


def context_of(
    organisation: Organisation, *, actor: Actor, today: date, may_write: bool = False
) -> CustodyContext | None:
    """Return an organisation's place in the book, or None where it has not begun one."""
    with READER.reading() as store:
        entity = store.one(entities.Entity, organisation.handle)
    return CustodyContext(organisation, entity, actor, today, may_write) if entity else None


_KEPT_SECONDS: Final = 3600
T = TypeVar("T")


def kept(context: CustodyContext, what: str, compute: Callable[[SqlFacts], T], *, mark: int | str | None = None) -> T:
    """Return what was computed from the whole of a party's book, again only when something moved.

    ``what`` names all that it depends on besides; without a ``mark`` every movement of the party counts.
    """
    moved = custody_lists.steps_watermark(context.id) if mark is None else mark
    name = f"custody-{what}-{context.id}-{moved}"
    stored: T = cache.get(name, _UNKEPT)
    if stored is _UNKEPT:
        with READER.reading() as store:
            stored = compute(store)
        cache.set(name, stored, _KEPT_SECONDS)
    return stored


_UNKEPT: Final[Any] = object()

# What an organisation is told of lots and entries: of those that are not its own, only that (interpretation 70).
#
# The server keeps the books of many. A decision over it knows who holds what since when; whoever holds nothing of it
# may not learn that by asking. Before a decision, an event that names what is not the asker's gets one answer, whatever
# is true of it. After one, a refusal that rests on lots of others gets the same.

_REST_ON_LOTS: Final = frozenset(
    status for status in Status if Status.OUTSIDE_ORIGIN.rank <= status.rank <= Status.NOT_HELD_YET.rank
)
"""Refusals that say something of the lots named: who holds them, in which form, where, since when."""
OF_AN_ORIGIN: Final = frozenset({"suspend", "reinstate", "withdraw"})
"""Events about a report: its farm enters them."""
_OF_A_PERIOD: Final = frozenset({Status.PERIOD_CLOSED, Status.PERIOD_NOT_DECLARED})
_REACHES_HOLDERS: Final = OF_AN_ORIGIN | {"report", "correct"}
"""Events that may rest on the periods of whoever holds the serials now."""
_DISPUTE: Final = "Some of its serials are in dispute."


def not_yours(what: str, *, column: str = "", gone: str = "") -> RefusedError:
    """Return the one answer about what is not the asker's: it holds whatever is true of it.

    ``gone`` is what the asker's own book says of how it left.
    """
    remedy = gone or "Name what is in your stock, or what came to you and waits."
    return refusal("not_yours", f"Not yours: {what}.", remedy, cite="2100.032(c)", column=column)


def _movement_out(store: store_view.StoreView, asked: Iterable[Range], me: str) -> str:
    """Return by which entry serials last left a party, which its own book says; empty where it never had them.

    What became of them afterwards, or who has them now, changes nothing of it.
    """
    for each in asked:
        left = [
            step
            for step in store.steps_of(each.origin)
            if step.before is not None
            and step.before.owner == me
            and step.after.owner != me
            and step.after.start < each.stop
            and each.start < step.after.stop
        ]
        if left:
            by = f"They left you with {left[-1].movement} on {left[-1].day}, in whole or in part"
            return f"{by}: name what is in your stock now, or what came to you and waits."
    return ""


def check_own(store: store_view.StoreView, event: Event, me: str) -> None:
    """Refuse an event that names serials, an entry, a slip or a purchase of others.

    Raises:
        RefusedError: it does; the answer repeats what was typed and nothing else.
    """
    if event.type in OF_AN_ORIGIN:
        origin = store.one(Origin, getattr(event, "origin", ""))
        if origin is None or origin.issuer != me:
            raise not_yours(getattr(event, "origin", ""), column="origin")
    if isinstance(event, DocumentEvent) and any(line.origin for line in event.lines):
        cause = "A document that is typed in names no serials of its own."
        remedy = (
            "Take in the seller's signed file, or leave the origin out: the document itself stands behind its lines."
        )
        raise refusal("serials_need_signature", cause, remedy, cite="2100.032(c)", column="lines")
    movement = getattr(event, "movement", "")
    if movement and not is_concerned(store, store.posted(movement), me):
        raise not_yours(movement, column="movement")
    _check_papers(store, event, me)
    for asked in _serials(event):
        if asked.start < asked.stop and not _holds(store, asked, me, event):
            column = "lots" if hasattr(event, "lots") else "spans"
            raise not_yours(_shown(asked), column=column, gone=_movement_out(store, [asked], me))


def _check_papers(store: store_view.StoreView, event: Event, me: str) -> None:
    """Refuse a slip to somebody else, another's purchase that waits, and another farm's origin."""
    kinds: tuple[tuple[str, type[Slip | Pending]], ...] = (("slip", Slip), ("pending", Pending))
    for column, kind in kinds:
        if name := getattr(event, column, ""):
            paper = store.one(kind, name)
            if paper is None or paper.taker != me:
                raise not_yours(name, column=column)
    if isinstance(event, ShareEvent | SlipEvent):
        origin = store.one(Origin, event.origin)
        if origin is None or not (
            origin.issuer == me or any(lot.owner == me for lot in store.lots_at(origin.id, *origin.span))
        ):
            raise not_yours(event.origin, column="origin")


def _serials(event: Event) -> Iterator[Range]:
    """Yield the serials that an event names as its lots; a farm's own slip is looked at once it is refused."""
    if isinstance(event, TakesFromStock | StorageEvent) or event.type == "return":
        yield from getattr(event, "lots", ())


def _holds(store: store_view.StoreView, asked: Range, me: str, event: Event) -> bool:
    lots = store.lots_at(asked.origin, asked.start, asked.stop)
    covered = sum(min(lot.stop, asked.stop) - max(lot.start, asked.start) for lot in lots)
    theirs = {me}
    # An owner that has a contract of its own with the custodian: what that one says of itself opens nothing.
    if isinstance(event, StorageEvent) and any(
        contract.counterparty == me for contract in store.many(entities.Contract, event.owner)
    ):
        theirs.add(event.owner)
    return covered == asked.stop - asked.start and all(lot.owner in theirs or lot.custodian == me for lot in lots)


def _shown(asked: Range) -> str:
    start, stop = (show_amount(each, "").strip() for each in (asked.start, asked.stop))
    return f"{asked.origin}, {start} to {stop}"


def is_concerned(store: store_view.StoreView, posted: store_view.Posted | None, me: str) -> bool:
    """Tell whether an entry of the book is a party's: it is named in it, had or got lots by it, or was told of it."""
    if posted is None or me in posted.event.parties():
        return posted is not None
    event = posted.event.id
    lots: Iterable[Lot] = (*opened_by(store, posted), *store.parents(event))
    told = (event_of(notice) == event for notice in store.many(Notice, me))
    return any(me in (lot.owner, lot.custodian) for lot in lots) or any(told)


def opened_by(store: store_view.StoreView, posted: store_view.Posted) -> list[Lot]:
    """Return the lots that an entry opened, without the rests of those it cut."""
    event = posted.event
    return [lot for lot in store.lots_by(event.id) if lot.by == event.id or event.type == "true_up"]


def blinded(
    store: store_view.StoreView, event: Event, outcome: store_view.Decision, me: str, *, signed: bool = False
) -> store_view.Decision:
    """Return the book's answer as the asker may hear it.

    Behind what is ``signed`` stands a checked signature: its bearer learns that serials are in dispute.

    Raises:
        RefusedError: the book refuses, and its reason rests on lots of others.
    """
    if outcome.status.well:
        cures = isinstance(event, StatementEvent) and outcome.status is Status.POSTED
        return replace(outcome, message=Status.POSTED.sentence) if cures else outcome
    if outcome.status in _OF_A_PERIOD and event.type in _REACHES_HOLDERS:
        return replace(outcome, message=outcome.status.sentence)
    if outcome.status not in _REST_ON_LOTS or all(_is_mine(lot, me) for lot in _lots_behind(store, event)):
        return outcome
    if event.type in OF_AN_ORIGIN or isinstance(event, ReportEvent):
        return replace(outcome, message=outcome.status.sentence)
    if signed or isinstance(event, DocumentEvent):
        return replace(outcome, status=Status.CHAIN_NOT_SHOWN, message=f"{Status.CHAIN_NOT_SHOWN.sentence} {_DISPUTE}")
    raise not_yours(_named_by(event), gone=_movement_out(store, _serials(event), me))


def _is_mine(lot: Lot, me: str) -> bool:
    return lot.owner == me or (lot.custodian == me and lot.state in LIVE)


def _lots_behind(store: store_view.StoreView, event: Event) -> Iterator[Lot]:
    """Yield the lots as they stand now of everything that an event names."""
    spans = [(each.origin, each.start, each.stop) for each in _serials(event)]
    if isinstance(event, DocumentEvent):
        spans += [(line.origin, line.start, line.start + line.bushels) for line in event.lines if line.origin]
    if isinstance(event, ShareEvent | SlipEvent):
        spans += [(event.origin, start, stop) for start, stop in event.spans]
    if event.type in OF_AN_ORIGIN or isinstance(event, ReportEvent):
        spans += [(origin.id, *origin.span) for origin in _reported(store, event)]
    slip = store.one(Slip, getattr(event, "slip", "") or getattr(event, "returned", ""))
    if slip is not None:
        spans += [(slip.origin, start, stop) for start, stop in slip.spans]
    movement = store.posted(getattr(event, "movement", ""))
    if movement is not None:
        spans += [(lot.origin, lot.start, lot.stop) for lot in opened_by(store, movement)]
    for origin, start, stop in spans:
        if start < stop:
            yield from store.lots_at(origin, start, stop)


def _reported(store: store_view.StoreView, event: Event) -> Sequence[Origin]:
    """Return the origin of the report that an event is about, as far as there is one."""
    if isinstance(event, ReportEvent):
        return store.many(Origin, origin_name(event.entity, event.crop, event.harvest_year))
    origin = store.one(Origin, getattr(event, "origin", ""))
    return [origin] if origin else []


def _named_by(event: Event) -> str:
    """Return what of an event the refusal is about, as it was typed."""
    for name in ("slip", "returned", "movement", "origin"):
        if named := getattr(event, name, ""):
            return str(named)
    return "; ".join(map(_shown, _serials(event)))


def own_lots(outcome: store_view.Decision, event: str, me: str) -> list[Lot]:
    """Return the lots that an event opened and that its asker has or gave away by it."""
    return [lot for lot in outcome.opened if lot.by == event and (_is_mine(lot, me) or lot.supplier == me)]


def origin_for(origin: str, viewer: str) -> str:
    """Return the id by which one viewer, who never held serials of an origin, sees it: the server's secret makes it."""
    return salted_hmac("provender.origin", f"{viewer} {origin}", algorithm="sha256").hexdigest()


def as_seen(store: store_view.StoreView, lot: Lot, viewer: str) -> Lot:
    """Return a lot as a party may see it: who only stores it knows its origin by an id of its own, and no supplier.

    Whoever has or had title to it, or supplied it, sees it as it is.
    """
    if viewer in (lot.owner, lot.supplier) or chain_of(store, lot).was_held_by(viewer):
        return lot
    return replace(lot, origin=origin_for(lot.origin, viewer), supplier="")


def as_entered(store: store_view.StoreView, posted: store_view.Posted, lots: Sequence[Lot], viewer: str) -> list[Lot]:
    """Return the lots of an entry as a party may see them: who stands in it read there what it names."""
    if viewer in posted.event.parties():
        return list(lots)
    return [as_seen(store, lot, viewer) for lot in lots]


# Which lots of a party somebody means: by id, or by what pages and papers print of them.
#
# Only what the party has or had itself can be meant. To everything else there is one answer, none (interpretation 70):
# a code read from another's paper opens nothing.


def lots_meant(party: str, text: str) -> list[Lot]:
    """Return the lots that a party has or had and that a text means, such as ``m12/1`` or ``3f9ac2d1aa… 0-500``."""
    lot = custody_lists.lot_named(text)
    if lot is not None:
        # A lot of whoever bought from the party is not its own: what it sold, it asks for by its sale.
        return [lot] if party in (lot.owner, lot.custodian) else []
    asked = store_view.read_lot_name(text)
    owned = [origin for origin in custody_lists.origins_owned(party, asked.code) if asked.means(origin)]
    with READER.reading() as store:
        found = [
            lot for name in owned for lot in store_view.lots_called(store, name, asked, lambda one: one.owner == party)
        ]
        # Whoever only stores serials knows their origin by a code of its own, or from the entry that brought them.
        for origin in () if found or len(asked.code) < store_view.PRINTED else custody_lists.origins_stored(party):
            own = asked.means(origin_for(origin, party))
            if own or asked.means(origin):
                lots = store_view.lots_called(store, origin, asked, lambda one: party == one.custodian != one.owner)
                made = ((lot, store.posted(lot.by)) for lot in lots)
                found += [lot for lot, by in made if own or (by is not None and party in by.event.parties())]
    return found


def with_whole_codes(party: str, event: Event) -> Event:
    """Return an event that names lots as pages print them as one that names them by their whole codes.

    A code that means none or several of the party's origins stays as it was typed: the book answers for it.
    """
    if not isinstance(event, TakesFromStock | ReturnEvent) or all(
        len(each.origin) > store_view.WHOLE for each in event.lots
    ):
        return event
    return replace(event, lots=tuple(replace(each, origin=own_code(party, each.origin)) for each in event.lots))


def own_code(party: str, code: str) -> str:
    """Return the whole code of the party's origin that a printed one means; what means none or several as it is."""
    if len(code) > store_view.WHOLE:
        return code
    return store_view.whole_code(code, custody_lists.origins_owned(party, store_view.read_lot_name(code).code))


# How an organisation calls those it deals with, whom a typed text means, and to whom it may sell.
#
# People say names; the book knows codes. A name shows only beside a code that stands in the organisation's own entries:
# whoever types a code that it does not deal with learns nothing.

_SOLD_TO: Final = ("sale",)


party_names = custody_lists.names_of
"""Returns how parties of the organisation's own entries are called; one that nobody named goes by its code."""


def dealt_with(context: CustodyContext) -> dict[str, str]:
    """Return the names by code of all it deals with: by contract, by what it owns now, or by what waits for it."""
    more = custody_lists.met_today(context.id)
    if context.buys_from_farms:
        more |= {one.giver for one in custody_lists.open_slips(context.id)} | {
            one.giver for one in custody_lists.open_pending(context.id)
        }
    more -= context.partners.keys()
    return {**context.partners, **custody_lists.names_of(more)}


def known_as(context: CustodyContext, party: str) -> str:
    """Return the name of somebody it deals with; of a code that came from elsewhere nothing but the code."""
    return context.partners.get(party) or dealt_with(context).get(party, party)


def parties_meant(context: CustodyContext, text: str) -> frozenset[str]:
    """Return the codes of whom it deals with whose name or code has every word of a text; a whole code means itself."""
    wanted = text.casefold().split()
    said = ((code, f"{name} {code}".casefold()) for code, name in dealt_with(context).items())
    return frozenset(code for code, words in said if all(word in words for word in wanted)) | {text.strip()}


def partners_with(context: CustodyContext, roles: frozenset[entities.Role]) -> dict[str, str]:
    """Return the partners that have one of some roles, and those whose own book is not open here."""
    with READER.reading() as store:
        known = {party: store.one(entities.Entity, party) for party in context.partners}
    return {name: said for name, said in context.partners.items() if (one := known[name]) is None or one.may(roles)}


def buyers(context: CustodyContext) -> dict[str, str]:
    """Return the partners that may take crop from a trader: those it sold to lately first, then its recipients.

    A farm sells and never takes: it is left out. Whose own book is not open here may be one that takes.
    """
    takes = partners_with(context, entities.TRADERS)
    lately = [
        one.taker
        for one in custody_lists.movements_page(context.id, wanted=custody_lists.Wanted(_SOLD_TO)).movements
        if one.giver == context.id
    ]
    recipients = {one.counterparty for one in context.contracts if one.role is entities.ContractKind.RECIPIENT}
    order = list(dict.fromkeys(lately))

    place = {party: at for at, party in enumerate(order)}
    return dict(sorted(takes.items(), key=lambda pair: (place.get(pair[0], len(order)), pair[0] not in recipients)))
