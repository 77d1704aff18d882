"""The chain behind a claim, drawn and in words: from its holder back to the farm's report (2100.032(a)).

Whose farm stands behind a claim is a business secret (interpretation 45): names show only of those the organisation
dealt with itself. Stations before those keep what everybody may see, their kind and the blinded serials; stations after
the organisation's own are the business of others.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from django.http import Http404, HttpResponseBase
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from provender.custody.model.entities import GROWERS, Entity
from provender.custody.model.entities import Role as CustodyRole
from provender.custody.model.lots import STOCK, Lot
from provender.custody.model.origins import Origin
from provender.custody.model.store_view import StoreView
from provender.custody.queries.trace import Chain, chain_of
from provender.custody.queries.trace import Link as Station
from provender.database.store.custody_lists import lot_named, names_of
from provender.paper.charts import Layer, Link, Node, chain_diagram
from provender.quantity import CI_SCALE, SCALE, show
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import READER, CustodyContext, at_desk
from provender.web.custody.pages.entry import OFFERS, short, shown_amount
from provender.web.custody.pages.movements import own_movement
from provender.web.tables import Cell, Column, Table, page_with_tables

MOST: Final = 24
"""Lots drawn at once: a movement of more shows its first."""
SECRET: Final = {True: "A farm", False: "An earlier holder"}
USES: Final = ("sale", "process", "move", "release", "loss", "retire")


@require_GET
@at_desk()
def custody_trace(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show the chain of a lot, or of the lots of a movement or document; without either ask for one."""
    asked = (request.GET.get("lot") or request.GET.get("find") or "").strip()
    context: dict[str, object] = {"asked": asked}
    if not asked:
        return page_with_tables(request, "custody/trace.html", {}, context)
    lots = _lots(desk, asked)
    with READER.reading() as facts:
        chains = _chains(desk, facts, lots[:MOST])
        if not chains:
            return page_with_tables(request, "custody/trace.html", {}, {**context, "missing": True})
        told = _Told(desk, facts, chains)
        tables = {"links": told.table()}
        context |= {"picture": told.picture(), "facts": told.facts(), "left_out": max(0, len(lots) - MOST)}
    if len(lots) == 1 and desk.access.may_write:
        context["uses"] = _uses(desk, lots[0])
    return page_with_tables(request, "custody/trace.html", tables, context)


def stations(desk: CustodyContext, asked: str) -> list[dict[str, object]]:
    """Return the stations behind a lot, a movement or a document as plain data: what the page's table says.

    Empty where the organisation never held the serials.
    """
    with READER.reading() as facts:
        chains = _chains(desk, facts, _lots(desk, asked))
        if not chains:
            return []
        told = _Told(desk, facts, chains)
        return [
            {
                "lot": chain.lot.id,
                "origin": chain.lot.origin,
                "day": link.day.isoformat(),
                "type": link.type,
                "giver": told.name(link.giver) if link.giver else "",
                "taker": told.name(link.taker),
                "form": link.form,
                "state": str(link.state),
                "start_bu": show(link.start),
                "stop_bu": show(link.stop),
            }
            for chain in chains
            for link in chain.links
        ]


def picture_of(desk: CustodyContext, asked: str) -> str:
    """Return the chain behind a lot, a movement or a document as SVG; empty where there is nothing to draw."""
    with READER.reading() as facts:
        chains = _chains(desk, facts, _lots(desk, asked)[:MOST])
        return _Told(desk, facts, chains).picture() if chains else ""


def own_lot(desk: CustodyContext, name: str) -> tuple[Lot, Origin | None]:
    """Return a lot of the organisation, in stock or not any more, and the origin of its serials.

    Raises:
        Http404: there is none, or it lies with others: where, is their business.
    """
    lot = lot_named(name)
    if lot is None or desk.id not in (lot.owner, lot.custodian):
        raise Http404
    with READER.reading() as facts:
        return lot, facts.one(Origin, lot.origin)


def uses_of(desk: CustodyContext, lot: Lot) -> list[str]:
    """Return the kinds of event into which a lot of the organisation's stock may go; none once it is not in stock."""
    if lot.owner != desk.id or lot.state not in STOCK:
        return []
    return [kind for kind in USES if kind != "retire" or desk.makes_fuel]


def _lots(desk: CustodyContext, asked: str) -> list[Lot]:
    """Return the lot of an id, or the lots of a movement or document that concerns the organisation."""
    lot = lot_named(asked)
    if lot is not None:
        return [lot]
    for name in (asked, *(f"document-{one.counterparty}-{asked}" for one in desk.contracts)):
        try:
            return own_movement(desk, name)[1]
        except Http404:
            continue
    return []


def _chains(desk: CustodyContext, facts: StoreView, lots: Iterable[Lot]) -> list[Chain]:
    return [cut for lot in lots if (cut := _mine(desk, chain_of(facts, lot))) is not None]


def _mine(desk: CustodyContext, chain: Chain) -> Chain | None:
    """Return a chain up to where the serials left the organisation; None where they never came to it."""
    touching = [at for at, link in enumerate(chain.links) if desk.id in (link.giver, link.taker)]
    held = chain.lot.custodian == desk.id
    if not touching and not held:
        return None
    last = touching[-1] + 1 if touching else len(chain.links)
    return Chain(chain.lot, chain.origin, chain.links[:last])


def _uses(desk: CustodyContext, lot: Lot) -> list[tuple[str, str]]:
    """Return what can be done with a lot, as links to forms that name it."""
    given = {
        "crop": lot.crop,
        "form": lot.form if lot.is_product else "",
        "site": lot.site,
        "lots": f"{lot.origin} {show(lot.start)}-{show(lot.stop)}",
    }
    return [
        (OFFERS[kind].title, f"{reverse('custody_enter', args=(desk.id, kind))}?{urlencode(given)}")
        for kind in uses_of(desk, lot)
    ]


class _Told:
    """Chains as one organisation may see them."""

    def __init__(self, desk: CustodyContext, facts: StoreView, chains: Sequence[Chain]) -> None:
        self.desk, self.chains = desk, chains
        parties = {party for chain in chains for link in chain.links for party in (link.giver, link.taker)}
        met = {desk.id, *desk.partners}
        for chain in chains:
            for link in chain.links:
                if desk.id in (link.giver, link.taker):
                    met |= {link.giver, link.taker}
        self.names = names_of(party for party in parties if party in met)
        self.kinds = {party: facts.one(Entity, party) for party in parties - {""}}

    def name(self, party: str) -> str:
        """Return a party's name, or what it is where the name is a secret."""
        if party in self.names:
            return self.names[party]
        entity = self.kinds.get(party)
        if entity is None:
            return SECRET[False]
        if entity.may(GROWERS):
            return SECRET[True]
        first = CustodyRole.FIRST_POINT in entity.roles
        return "A first point of aggregation" if first else SECRET[False]

    def facts(self) -> list[tuple[str, str]]:
        """Return what stands behind the first lot: origin, report, carbon intensity, amount."""
        chain = self.chains[0]
        lot, origin = chain.lot, chain.origin
        found = [
            ("Origin", lot.origin),
            ("Serials", f"{show(lot.start, group=True)} to {show(lot.stop, group=True)} bu"),
            ("What", f"{words(lot.form)} {lot.harvest_year}, {shown_amount(lot)}"),
            ("Carbon intensity", f"{show(lot.ci, CI_SCALE, group=True)} g CO2e/bu"),
        ]
        if origin is not None:
            report = origin.current.report or "not at hand"
            found.append(("Farm's report", f"version {origin.current.number}, {origin.standing}; hash {report}"))
        return found if len(self.chains) == 1 else []

    def table(self) -> Table:
        """Return every station in words: the same as the picture."""
        columns = [
            Column("Day"),
            Column("What"),
            Column("From"),
            Column("To"),
            Column("Origin"),
            Column("Serials (bu)"),
            Column("As"),
        ]
        rows = [
            [
                Cell(str(link.day)),
                Cell(words(link.type)),
                Cell(self.name(link.giver) if link.giver else "The farm's report"),
                Cell(self.name(link.taker)),
                Cell(short(chain.lot.origin), saved=chain.lot.origin),
                Cell(f"{show(link.start, group=True)}-{show(link.stop, group=True)}"),
                Cell(words(link.form), note=words(link.state)),
            ]
            for chain in self.chains
            for link in chain.links
        ]
        return Table("chain", columns, rows, caption="Every station, the oldest first")

    def picture(self) -> str:
        """Draw the holders from left to right, bands as wide as their bushels."""
        layers: dict[int, dict[str, int]] = {}
        bands: dict[tuple[str, str], int] = {}
        for chain in self.chains:
            amount = chain.lot.crop_amount
            holders = list(_holders(chain.links))
            keys = [f"{place}:{self.name(party)}" for place, party in enumerate(holders)]
            for place, key in enumerate(keys):
                layer = layers.setdefault(place, {})
                layer[key] = layer.get(key, 0) + amount
            for giver, taker in pairwise(keys):
                bands[giver, taker] = bands.get((giver, taker), 0) + amount
        if not bands:
            return ""
        drawn = [Layer(_heading(place), _nodes(layers[place])) for place in sorted(layers)]
        links = [Link(giver, taker, amount / 10**SCALE, _bu(amount)) for (giver, taker), amount in bands.items()]
        said = "Who held these serials one after the other; the table below says the same."
        return chain_diagram(drawn, links, title="The chain behind the claim", description=said)


def _holders(links: Iterable[Station]) -> Iterable[str]:
    last = ""
    for link in links:
        for party in (link.giver, link.taker):
            if party and party != last:
                last = party
                yield party


def _heading(place: int) -> str:
    return "From the report" if place == 0 else f"Holder {place + 1}"


def _nodes(layer: Mapping[str, int]) -> list[Node]:
    return [Node(key, key.partition(":")[2], _bu(amount)) for key, amount in layer.items()]


def _bu(amount: int) -> str:
    return f"{show(amount, group=True)} bu"
