"""Movements of an organisation: the list, one of them as a party to it may see it, and what may be entered about it."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Final, NamedTuple

from provender.custody.events.allocation import shares
from provender.custody.events.reports import Notice
from provender.custody.model.entities import GROWERS, Entity, Role
from provender.custody.model.event import plain_event
from provender.custody.model.lots import Lot, LotState
from provender.custody.model.store_view import Posted, StoreView, taken_back_by
from provender.custody.queries.alerts import event_of
from provender.custody.queries.trace import Chain, chain_of, retired_into
from provender.custody.queries.trace import Link as Station
from provender.database.store import custody_lists
from provender.database.store.custody_lists import Movement, MovementsPage, SoldView
from provender.exact import SCALE, show
from provender.paper.diagrams import Layer, Link, Node, chain_diagram
from provender.services.custody import context as trade_context
from provender.services.custody import views
from provender.services.custody.stock import lot_detail

__all__ = ["Movement", "MovementsPage", "SoldView"]
_OF_ANYBODY: Final = frozenset(
    {"day", "crop", "harvest_year", "bushels", "ci", "version", "origin", "reason", "start_day", "end_day"}
)
"""What an entry says to somebody whose lots it touches and who deals with none of its parties."""
LOOKED_AT: Final = 20_000
"""Steps of the book looked at for a page that somebody waits for; what is older, the next page looks through."""
WHOLE_BOOK: Final = 10_000_000
"""Steps looked at for a file, which leaves nothing out."""
_ANSWERED: Final = ("purchase", "assign", "accept")
SOLD: Final = ("sale", "return", "reject")
RECEIVED: Final = ("purchase", "assign", "accept", "storage", "opening")


class OwnMovement(NamedTuple):
    """An event of the book that concerns the organisation, and the lots it opened."""

    posted: Posted
    lots: list[Lot]


def movements(
    context: trade_context.CustodyContext,
    *,
    before: tuple[date, int] | None = None,
    size: int = 50,
    kinds: Sequence[str] = (),
    partners: Collection[str] = (),
    scanned: int | None = None,
) -> MovementsPage:
    """Return the organisation's movements, newest first, a page at a time; no kinds or partners (codes) take all.

    ``before`` is the day and lot with which the page before ended, and ``scanned`` how far it looks: ``LOOKED_AT`` or
    ``WHOLE_BOOK``; None looks as far as a call may wait.
    """
    start = custody_lists.Cursor(*before) if before else None
    return custody_lists.movements_page(
        context.id, before=start, size=size, wanted=custody_lists.Wanted(kinds, partners), scanned=scanned
    )


def sold(context: trade_context.CustodyContext, partners: Collection[str] = ()) -> list[SoldView]:
    """Return what the organisation sold by crop or product, in all or to some partners, by code."""
    return custody_lists.sold_sums(context.id, partners)


def movement(context: trade_context.CustodyContext, event: str) -> views.MovementView | None:
    """Return one movement that concerns the organisation, without what it may not see; None where there is none."""
    own = own_movement(context, event)
    return movement_view(context, own) if own else None


def movement_view(context: trade_context.CustodyContext, own: OwnMovement) -> views.MovementView:
    posted, lots = own
    plain = plain_event(posted.event)
    if not knows(context, posted, lots):  # of a stranger's report, what anybody may see (interpretation 45)
        plain = {name: value for name, value in plain.items() if name in {*_OF_ANYBODY, "type"}}
    with trade_context.READER.reading() as store:
        taken_back = taken_back_by(store, posted)
        sent = {lot.origin for lot in lots if lot.state is LotState.IN_TRANSIT and lot.by == posted.event.id}
        answers = views.answers_to(store, posted.event.id, sorted(sent))
        answer = answers[0].entry if answers else None
        # Who may not open the entry itself does not learn its id either.
        opens = answer is not None and trade_context.is_concerned(store, answer, context.id)
        seen = trade_context.as_entered(store, posted, lots, context.id)
        notices = [notice for notice in store.many(Notice, context.id) if event_of(notice) == posted.event.id]
    if "origin" in plain and seen != list(lots):  # of a report whose serials it only stores
        plain["origin"] = seen[0].origin
    return views.MovementView(
        event=plain,
        corrected_by=taken_back,
        answered_by=answer.event.id if answer and opens else "",
        answer=answer.event.type if answer else "",
        lots=tuple(map(views.lot_view, seen)),
        lots_answered=tuple(_answer_about(lot, answers) for lot in lots) if answers else (),
        changes=tuple(
            views.ReportChangeView(origin=each.origin, start_bu=each.start, stop_bu=each.stop, said=each.said)
            for each in notices
        ),
        next_events=tuple(next_events(context, posted, lots)),
    )


def _answer_about(lot: Lot, answers: Sequence[views.Answered]) -> str:
    """Return the type of the buyer's answer about a lot that an entry sent on its way; empty where there is none."""
    here = [each for each in answers if each.step.after.origin == lot.origin]
    about = {each.step.type for each in here if each.about(lot.start, lot.stop)}
    return about.pop() if len(about) == 1 else ""


def own_movement(context: trade_context.CustodyContext, event: str) -> OwnMovement | None:
    """Return an event of the book and the lots it opened; None where there is none, or it concerns others only."""
    with trade_context.READER.reading() as store:
        posted = store.posted(event)
        if posted is None or not trade_context.is_concerned(store, posted, context.id):
            return None
        return OwnMovement(posted, trade_context.opened_by(store, posted))


def knows(context: trade_context.CustodyContext, posted: Posted, lots: Sequence[Lot]) -> bool:
    """Tell whether the organisation deals with a party of an entry: a farm's name stays a secret (interpretation 45).

    It does where it is one, has a contract with one, or bought the lots from one.
    """
    parties = set(posted.event.parties())
    dealt = {contract.counterparty for contract in context.contracts}
    dealt |= {lot.supplier for lot in lots if lot.owner == context.id}
    return context.id in parties or not parties.isdisjoint(dealt)


def next_events(context: trade_context.CustodyContext, posted: Posted, lots: Sequence[Lot]) -> list[views.EventOffer]:
    """Return what can be done about a movement: accepted, sent back, returned, taken back."""
    event = posted.event
    # Whose correction was taken back stands again, and still takes no second correction: the first is taken back.
    if posted.corrected_by:
        return []
    offers, name = [], event.id
    waiting = any(lot.state is LotState.IN_TRANSIT and lot.by == name for lot in lots)
    if event.type == "sale" and getattr(event, "taker", "") == context.id and waiting:
        offers.append(views.offer("Accept", "accept", movement=name))
        offers.append(views.offer("Send it back", "reject", movement=name, giver=getattr(event, "giver", "")))
    if event.type in _ANSWERED and getattr(event, "taker", "") == context.id:
        sale, seller = getattr(event, "movement", "") or name, lots[0].supplier if lots else ""
        offers.append(views.offer("Return to the seller", "return", movement=sale, taker=seller))
    if event.correctable:
        offers.append(views.offer("Take it back as entered in error", "correct", movement=name))
    return offers


# The chain behind a claim, from its holder back to the farm's report (2100.032(a)), as one organisation may see it.
#
# Whose farm stands behind a claim is a business secret (interpretation 45): names show only of those the organisation
# dealt with itself. Stations before those keep what everybody may see, their kind and the blinded serials; stations
# after the organisation's own are the business of others.

NODES: Final = 12
"""Holders drawn at one station; where there are more, the smallest share the last box, which says how many they are."""
WHOLE: Final = 1_000
"""All of it in tenths of a percent."""
_SECRET: Final = {True: "A farm", False: "An earlier holder"}


@dataclass(frozen=True, slots=True)
class Trace:
    """The chains behind a lot, a movement or a document."""

    stations: list[views.StationView]  # every change of hands or form, by lot, the oldest first
    picture: str  # the same as SVG; empty where nothing changed hands
    lot: views.LotDetailView | None  # the lot, where there is only one chain
    lots: int  # how many lots were asked for; all of them are in the drawing and in the stations
    farms: list[
        views.FarmShareView
    ]  # what of them is of each farm, by origin and carbon intensity, the largest part first
    went_on: bool = False  # whether some are with somebody else now, whose business it is what becomes of them

    @property
    def bushels(self) -> int:
        """Return of how many bushels of crop the drawing and the table by farm are."""
        return sum(one.bushels for one in self.farms)


def trace(context: trade_context.CustodyContext, asked: str) -> Trace | None:
    lots = _lots(context, asked)
    with trade_context.READER.reading() as store:
        lots = _as_they_went_on(store, context.id, lots or retired_into(store, context.id, asked))
        parts = (_own_part(context, chain_of(store, lot)) for lot in lots)
        chains = [_with_answer(store, context.id, cut) for cut in parts if cut is not None]
        if not chains:
            return None
        names = _Names(context, store, chains)
        stations = [
            _station(names, chain, link)
            for chain in sorted(chains, key=lambda chain: (chain.lot.origin, chain.lot.start, chain.lot.id))
            for link in sorted(chain.links, key=lambda link: link.day)
        ]
        alone = len(chains) == 1 and chains[0].was_held_by(names.viewer)
        lot = lot_detail(context, chains[0].lot, chains[0].origin) if alone else None
        went_on = any(chain.links and _is_gone(chain.links[-1], context.id) for chain in chains)
        return Trace(stations, _picture(names, chains), lot, len(lots), _farms(names, chains), went_on)


def _lots(context: trade_context.CustodyContext, asked: str) -> list[Lot]:
    """Return the lots that are called so, or those of a movement or document that concerns the organisation."""
    if meant := trade_context.lots_meant(context.id, asked):
        return meant
    for name in (asked, *(f"document-{contract.counterparty}-{asked}" for contract in context.contracts)):
        own = own_movement(context, name)
        if own is not None:
            return own.lots
    return []


def _as_they_went_on(store: StoreView, viewer: str, lots: Iterable[Lot]) -> list[Lot]:
    """Return lots as they are after all that the viewer did with them: processed, moved, sold.

    What was somebody else's stays as it is: how others cut it and what became of it is theirs to know.
    """
    became: dict[str, dict[str, list[Lot]]] = {}
    found, waiting = [], list(reversed(list(lots)))
    while waiting:
        lot = waiting.pop()
        if lot.owner == viewer and lot.origin not in became:
            after: dict[str, list[Lot]] = {}
            for step in store.steps_of(lot.origin):
                if step.before is not None:
                    after.setdefault(step.before.id, []).append(step.after)
            became[lot.origin] = after
        since = became[lot.origin].get(lot.id, []) if lot.owner == viewer else []
        waiting += reversed(since)
        found += [] if since else [lot]
    return found


def _own_part(context: trade_context.CustodyContext, chain: Chain) -> Chain | None:
    """Return a chain up to where the serials left the organisation; None where they never came to it."""
    touching = [at for at, link in enumerate(chain.links) if context.id in (link.giver, link.taker)]
    if not touching and chain.lot.custodian != context.id:
        return None
    last = touching[-1] + 1 if touching else len(chain.links)
    return Chain(chain.lot, chain.origin, chain.links[:last])


def _is_gone(link: Station, viewer: str) -> bool:
    """Tell whether serials left the viewer for good by a station: what its buyer does with them is not said."""
    return link.giver == viewer != link.taker and link.state != LotState.IN_TRANSIT


def _with_answer(store: StoreView, viewer: str, chain: Chain) -> Chain:
    """Return the chain of what the viewer sold with the buyer's answer, which is the viewer's business too.

    What a buyer accepted long ago is not on its way any more.
    """
    last = chain.links[-1] if chain.links else None
    if last is None or last.state != LotState.IN_TRANSIT or last.giver != viewer:
        return chain
    for answer in views.answers_to(store, last.movement, (chain.lot.origin,)):
        step = answer.step
        if step.type != "accept" or not answer.about(last.start, last.stop):
            continue
        after = step.after
        taken = Station(
            step.movement, step.type, step.day, viewer, after.owner, last.start, last.stop, after.form, after.state
        )
        return Chain(chain.lot, chain.origin, (*chain.links, taken))
    return chain


class _Names:
    """Parties of chains as one organisation may call them."""

    def __init__(self, context: trade_context.CustodyContext, store: StoreView, chains: Sequence[Chain]) -> None:
        links = [link for chain in chains for link in chain.links]
        parties = {party for link in links for party in (link.giver, link.taker)}
        met = {context.id, *context.partners}
        for link in links:
            if context.id in (link.giver, link.taker):
                met |= {link.giver, link.taker}
        self.viewer = context.id
        self.names = custody_lists.names_of(party for party in parties if party in met)
        self.entities = {party: store.one(Entity, party) for party in parties - {""}}

    def of(self, party: str) -> str:
        """Return a party's name, or what it is where the name is a secret."""
        if party in self.names:
            return self.names[party]
        entity = self.entities.get(party)
        if entity is None:
            return _SECRET[False]
        if entity.may(GROWERS):
            return _SECRET[True]
        return "A first point of aggregation" if Role.FIRST_POINT in entity.roles else _SECRET[False]

    def origin_of(self, chain: Chain) -> str:
        """Return the blinded id of a chain's origin.

        It is the common one for whoever holds or held the serials: overlap stays visible. A party that only stores them
        gets an id of its own, which it cannot lay beside anybody else's list.
        """
        return (
            chain.lot.origin
            if chain.was_held_by(self.viewer)
            else trade_context.origin_for(chain.lot.origin, self.viewer)
        )


def _station(names: _Names, chain: Chain, link: Station) -> views.StationView:
    return views.StationView(
        lot=chain.lot.id, origin=names.origin_of(chain), day=link.day, type=link.type,
        giver=names.of(link.giver) if link.giver else "", taker=names.of(link.taker), form=link.form,
        state="" if _is_gone(link, names.viewer) else str(link.state), start_bu=link.start, stop_bu=link.stop,
        bushels=link.stop - link.start,
    )  # fmt: skip


def _farms(names: _Names, chains: Sequence[Chain]) -> list[views.FarmShareView]:
    """Return what each farm has of the bushels that are drawn, named and blinded as they are in the drawing."""
    sums: dict[tuple[str, str, int, int | None], int] = {}
    for chain in chains:
        first = next(_holders(chain.links), "")
        ci = chain.lot.ci if chain.was_held_by(names.viewer) else None
        kind = (names.of(first) if first else _SECRET[True], names.origin_of(chain), chain.lot.harvest_year, ci)
        sums[kind] = sums.get(kind, 0) + chain.lot.crop_amount
    rows = sorted(sums.items(), key=lambda one: (-one[1], one[0][:3], one[0][3] or 0))
    tenths = shares({place: amount for place, (_, amount) in enumerate(rows)}, WHOLE)
    parts = [show(tenths.get(place, 0), 1, places=1) for place in range(len(rows))]
    return [
        views.FarmShareView(farm=farm, origin=origin, harvest_year=year, bushels=amount, share_pct=part, ci_g_per_bu=ci)
        for ((farm, origin, year, ci), amount), part in zip(rows, parts, strict=True)
    ]


def _picture(names: _Names, chains: Sequence[Chain]) -> str:
    """Draw the holders from left to right, bands as wide as their bushels."""
    layers: defaultdict[int, Counter[str]] = defaultdict(Counter)
    bands: Counter[tuple[str, str]] = Counter()
    for chain in chains:
        amount = chain.lot.crop_amount
        keys = [f"{place}:{names.of(party)}" for place, party in enumerate(_holders(chain.links))]
        for place, key in enumerate(keys):
            layers[place][key] += amount
        for pair in pairwise(keys):
            bands[pair] += amount
    if not bands:
        return ""
    folded = {key: into for place, layer in layers.items() for key, into in _folded(place, layer).items()}
    boxes: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for place, layer in layers.items():
        for key, amount in layer.items():
            boxes[place][folded[key]] += amount
    joined: Counter[tuple[str, str]] = Counter()
    for (giver, taker), amount in bands.items():
        joined[folded[giver], folded[taker]] += amount
    drawn = [
        Layer(
            "From the report" if place == 0 else f"Holder {place + 1}",
            [Node(key, key.partition(":")[2], _bu(amount)) for key, amount in boxes[place].items()],
        )
        for place in sorted(boxes)
    ]
    links = [Link(giver, taker, amount / 10**SCALE, _bu(amount)) for (giver, taker), amount in joined.items()]
    about = "Who held these serials one after the other; the table below says the same."
    return chain_diagram(drawn, links, title="The chain behind the claim", description=about)


def _folded(place: int, layer: Mapping[str, int]) -> dict[str, str]:
    """Return the box into which each holder of a station is drawn: its own, or that of the smallest together."""
    largest = sorted(layer, key=lambda key: (-layer[key], key))
    kept = largest if len(largest) <= NODES else largest[: NODES - 1]
    rest = f"{place}:{len(largest) - len(kept)} more"
    return {key: key if key in kept else rest for key in largest}


def _holders(links: Iterable[Station]) -> Iterator[str]:
    last, hands = "", ("", "")
    for link in links:
        # A buyer's acceptance names seller and buyer once more: no bushel went back between.
        if (link.giver, link.taker) == hands:
            continue
        hands = link.giver, link.taker
        for party in (link.giver, link.taker):
            if party and party != last:
                last = party
                yield party


def _bu(amount: int) -> str:
    return f"{show(amount, group=True)} bu"
