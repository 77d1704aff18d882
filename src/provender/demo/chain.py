"""A year of trade over the example chain, posted day by day into one store; each event is refused or stands as real."""

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from provender.audit.package.layout import Pin, pins_document
from provender.audit.programme import Role, assertions_of
from provender.audit.sampling.draw import Opened, Side, commitment, freeze_list
from provender.audit.sampling.population import freeze, incoming_farms, listed, sample_hash
from provender.audit.sampling.sample import SampleRequest, draw_notes, draw_sample, sample_document
from provender.audit.statement import statement as statements
from provender.audit.statement.opinion import scope_of
from provender.audit.statement.papers import Papers as WorkPapers
from provender.audit.statement.papers import blank_work
from provender.custody.book_file import BookFile, create_book, open_book
from provender.custody.documents import receive
from provender.custody.documents.build import marked, period_document, slip_document, transfer_document
from provender.custody.events.closing import Closing
from provender.custody.events.registry import post, read_event
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event, Status
from provender.custody.model.grain import grain_on
from provender.custody.model.lots import LotState
from provender.custody.model.store_view import Decision
from provender.custody.reconcile.discrepancies import Discrepancy
from provender.custody.store import MemoryStore, all_balances
from provender.demo.farms import AMENDED_ON, COOP, CRUSHER, DIESEL, ETHANOL, YEAR, Report, demo_key
from provender.exact import CI_SCALE, parse, show
from provender.problem import ProblemsError
from provender.signing.canonical import document_hash

TRADERS: Final = (COOP, CRUSHER, DIESEL, ETHANOL)
LANDOWNER: Final = "landowner-01"
VERIFIER: Final = "Prairie Verification (made up)"
QUARTERS: Final = (
    (date(2026, 1, 1), date(2026, 3, 31)),
    (date(2026, 4, 1), date(2026, 6, 30)),
    (date(2026, 7, 1), date(2026, 9, 30)),
    (date(2026, 10, 1), date(2026, 12, 31)),
)
_NAMES: Final = {
    COOP: ("Prairie Cooperative Elevator", "first_point", ["north", "south"], "proportional"),
    CRUSHER: ("Plains Crushing", "intermediary", ["plant"], "oldest_first"),
    DIESEL: ("Sod Renewable Diesel", "refiner", ["works"], "oldest_first"),
    ETHANOL: ("Bluestem Ethanol", "refiner", ["works"], "oldest_first"),
}
_DECLARED: Final = "2025-12-15"
_RATES: Final = ("11.4", "11.07", "11.2", "11.31")
_DIRECT: Final = ("farm-07", "corn")
"""Sold straight to the ethanol refiner, which is a first point for it; the farm's soybeans go to the elevator."""
_LAST_DELIVERY: Final = 7
"""The last month in which farms deliver."""
_SELLS_ALL: Final = 80
"""Percent of the reports of which nothing stays at the farm."""
_PENDING: Final = "farm-03"
"""Delivers before its report is there."""


@dataclass(slots=True)
class Chain:
    """The chain in the making."""

    seed: int
    store: MemoryStore = field(default_factory=MemoryStore)  # everything posted so far
    events: list[dict[str, Any]] = field(default_factory=list)  # the same as plain events, in order

    def post(self, kind: str, name: str, day: date | str, /, **fields: object) -> Decision:
        """Post an event that must stand.

        Raises:
            RuntimeError: it was refused: the example is wrong.
        """
        event = {"type": kind, "id": name, "day": str(day), **fields}
        outcome = post(self.store, read_event(event))
        if outcome.status is not Status.POSTED:
            raise RuntimeError(f"{name}: {outcome.status}: {outcome.message}")
        self.events.append(event)
        return outcome

    def stock(self, entity: str, site: str, form: str, day: date) -> int:
        """Return the grain or product at a site, thousandths."""
        return grain_on(self.store, (entity, site, form), day) or 0

    def claims(self, entity: str, site: str, form: str) -> int:
        """Return the claims of an entity at a site, thousandths of the form's unit."""
        return sum(lot.amount for lot in self.store.lots_in(entity, site, form) if lot.owner == entity)

    @property
    def number(self) -> int:
        """Return the number of the next event, for ids and tickets."""
        return len(self.events) + 1


def build_chain(seed: int, reports: Sequence[Report]) -> Chain:
    """Return the chain after its year: four periods closed, everything posted."""
    chain = Chain(seed)
    _declare(chain, reports)
    _enter_reports(chain, reports)
    chance = random.Random(seed)  # noqa: S311 - an example needs a seed, not secrecy
    plans = {one.origin: _plan(one, chance) for one in reports}
    for quarter, (_, end) in enumerate(QUARTERS):
        for month in range(3):
            day = date(2026, 3 * quarter + month + 1, 4)
            if day.month <= _LAST_DELIVERY:
                _buy(chain, reports, plans, day)
            _trade(chain, day + timedelta(days=12), quarter)
            if day < AMENDED_ON < day + timedelta(days=30):
                for one in reports:
                    if one.amended:
                        enter_report(chain, one, one.amended, 2, AMENDED_ON)
        _finish(chain, quarter, end)
    return chain


def _declare(chain: Chain, reports: Sequence[Report]) -> None:
    for name, (full, role, sites, _) in _NAMES.items():
        chain.post("entity", f"entity-{name}", _DECLARED, entity=name, name=full, roles=[role], sites=sites)
    for farm, full in dict.fromkeys((one.farm, one.name) for one in reports):
        chain.post("entity", f"entity-{farm}", _DECLARED, entity=farm, name=full, roles=["farm"])
    chain.post(
        "entity", f"entity-{LANDOWNER}", _DECLARED, entity=LANDOWNER, name="Landowner of Abel Creek (made up)",
        roles=["landowner"],
    )  # fmt: skip
    for entity, other, role in _contracts(reports):
        chain.post(
            "contract", f"contract-{entity}-{other}", _DECLARED, entity=entity, counterparty=other, role=role,
            number=f"{entity}/{other}", start_day=_DECLARED, signing_key=demo_key(other).fingerprint,
        )  # fmt: skip
    for name, (_, _, _, policy) in _NAMES.items():
        for start, end in QUARTERS:
            days = {"start_day": str(start), "end_day": str(end)}
            chain.post("period", f"period-{name}-{start}", _DECLARED, entity=name, policy=policy, **days)
    for name in (COOP, CRUSHER):
        chain.post(
            "statement", f"statement-{name}", _DECLARED, entity=name, verifier=VERIFIER, number=f"PV-{name}",
            start_day="2025-10-01", end_day="2026-12-31", crops=["corn", "soybeans"], opinion="first_audit_contracted",
            scope="Mass balance and documents; made up for the example.",
        )  # fmt: skip


def _contracts(reports: Sequence[Report]) -> Iterator[tuple[str, str, str]]:
    for farm in dict.fromkeys(one.farm for one in reports):
        yield COOP, farm, "supplier"
        if farm == _DIRECT[0]:
            yield ETHANOL, farm, "supplier"
    yield COOP, LANDOWNER, "supplier"
    for seller, buyer in ((COOP, CRUSHER), (COOP, ETHANOL), (CRUSHER, DIESEL)):
        yield seller, buyer, "recipient"
        yield buyer, seller, "supplier"


def _enter_reports(chain: Chain, reports: Sequence[Report]) -> None:
    for one in reports:
        if one.farm == _PENDING:
            continue
        enter_report(chain, one, one.envelope, 1, one.envelope["document"]["made_on"])
    first = reports[0]
    third = first.bushels // 3
    chain.post(
        "share", f"share-{LANDOWNER}", "2025-12-28", giver=first.farm, taker=LANDOWNER, origin=first.origin,
        bushels=show(third),
    )  # fmt: skip


def enter_report(chain: Chain, one: Report, envelope: dict[str, Any], version: int, day: object) -> None:
    """Post a farm's report or a later version of it."""
    document = envelope["document"]
    chain.post(
        "report", f"report-{one.farm}-{one.crop}-{YEAR}-v{version}", str(day), entity=one.farm, crop=one.crop,
        harvest_year=YEAR, bushels=document["total_bushels"], version=version,
        ci=show(parse(document["farm_ci_g_per_bu"], CI_SCALE), CI_SCALE), salt=document["edition"]["salt"],
        report=document_hash(document),
    )  # fmt: skip


def _plan(one: Report, chance: random.Random) -> dict[int, int]:
    """Return how a farm's crop is sold: amounts by month, what is left staying at the farm."""
    whole = one.bushels - (one.bushels // 3 if (one.farm, one.crop) == ("farm-01", "corn") else 0)
    first, second = chance.randint(1, 3), chance.randint(4, 7)
    sold = whole * chance.randint(40, 60) // 100 // 1000 * 1000
    rest = whole - sold if chance.randrange(100) < _SELLS_ALL else (whole - sold) // 2
    return {first: sold, second: rest // 1000 * 1000}


def _buy(chain: Chain, reports: Sequence[Report], plans: dict[str, dict[int, int]], day: date) -> None:
    if day.month == 1:
        _deliver_early(chain, next(one for one in reports if one.farm == _PENDING))
        # The landowner sells the share.
        first = reports[0]
        _purchase(chain, LANDOWNER, COOP, "south", first.origin, first.bushels // 3, date(2026, 1, 8))
    for place, one in enumerate(reports):
        bushels = plans[one.origin].get(day.month, 0)
        if one.farm == _PENDING or bushels <= 0:
            continue
        direct = (one.farm, one.crop) == _DIRECT
        buyer, site = (ETHANOL, "works") if direct else (COOP, "north" if place % 2 else "south")
        _purchase(chain, one.farm, buyer, site, one.origin, bushels, day + timedelta(days=place % 5))
    # Conventional grain comes over the same scale and makes no claim.
    for site in ("north", "south"):
        for crop in ("corn", "soybeans"):
            chain.post(
                "receipt", f"conventional-{chain.number}", day, entity=COOP, site=site, form=crop, amount="12000",
                number=f"C-{chain.number}",
            )  # fmt: skip


def _purchase(chain: Chain, giver: str, buyer: str, site: str, origin: str, bushels: int, day: date) -> None:
    number = chain.number
    chain.post("slip", f"slip-{number}", day, giver=giver, taker=buyer, origin=origin, bushels=show(bushels))
    loads = _loads(bushels)
    tickets = [{"number": f"T-{number}-{turn}", "bushels": show(load)} for turn, load in enumerate(loads, 1)]
    chain.post(
        "purchase", f"purchase-{number}", day, giver=giver, taker=buyer, slip=f"slip-{number}", site=site,
        tickets=tickets,
    )  # fmt: skip


def _loads(bushels: int) -> list[int]:
    count = -(-bushels // 4_000_000)
    base = bushels // count
    return [base] * (count - 1) + [bushels - base * (count - 1)]


def _deliver_early(chain: Chain, one: Report) -> None:
    """Bring in a farm's grain before its report, and assign its claim when the report comes."""
    bushels = one.bushels // 2 // 1000 * 1000
    tickets = [{"number": f"T-early-{turn}", "bushels": show(load)} for turn, load in enumerate(_loads(bushels), 1)]
    parties = {"giver": one.farm, "taker": COOP}
    chain.post(
        "purchase_pending", "early", "2026-01-03", crop=one.crop, harvest_year=YEAR, bushels=show(bushels),
        site="north", tickets=tickets, **parties,
    )  # fmt: skip
    enter_report(chain, one, one.envelope, 1, "2026-01-04")
    chain.post("slip", "slip-early", "2026-01-05", origin=one.origin, bushels=show(bushels), **parties)
    chain.post("assign", "assign-early", "2026-01-06", pending="early", slip="slip-early", **parties)


def _trade(chain: Chain, day: date, quarter: int) -> None:
    for site in ("north", "south"):
        _send(chain, (COOP, site), (CRUSHER, "plant"), ("soybeans", "soybeans"), day, 70)
        _send(chain, (COOP, site), (ETHANOL, "works"), ("corn", "corn"), day, 65)
    _crush(chain, day + timedelta(days=4), quarter)
    _send(chain, (CRUSHER, "plant"), (DIESEL, "works"), ("soybeans", "soybean_oil"), day + timedelta(days=6), 80)
    _burn(chain, (DIESEL, "soybean_oil", "soybeans", "renewable diesel"), day + timedelta(days=9), 75)
    _burn(chain, (ETHANOL, "corn", "corn", "ethanol"), day + timedelta(days=9), 85)


def _send(
    chain: Chain, giver: tuple[str, str], taker: tuple[str, str], what: tuple[str, str], day: date, percent: int
) -> None:
    """Sell a share of the claims at a site, ship as much grain, and have the buyer take it in."""
    crop, form = what
    amount = chain.claims(*giver, form) * percent // 100 // 1000 * 1000
    if amount <= 0:
        return
    number, unit = chain.number, "pounds" if form != crop else "bushels"
    tickets = [{"number": f"S-{number}", "bushels": show(amount)}]
    sale = f"sale-{number}"
    named = {} if form == crop else {"form": form}
    chain.post(
        "sale", sale, day, giver=giver[0], taker=taker[0], crop=crop, site=giver[1], tickets=tickets,
        **{unit: show(amount)}, **named,
    )  # fmt: skip
    chain.post(
        "accept", f"accept-{sale}", day + timedelta(days=1), taker=taker[0], movement=sale, site=taker[1],
        tickets=[{"number": f"R-{number}", "bushels": show(amount)}],
    )  # fmt: skip


def _crush(chain: Chain, day: date, quarter: int) -> None:
    """Crush most of the soybeans under claims together with conventional ones."""
    start, end = QUARTERS[quarter]
    campaign, step = f"2026-Q{quarter + 1}", {"made_of": "soybeans", "output": "soybean_oil"}
    if day.month % 3 == 1:
        days = {"start_day": str(start), "end_day": str(end)}
        chain.post(
            "yield", f"yield-{campaign}", day, entity=CRUSHER, campaign=campaign, rate=_RATES[quarter], **step, **days
        )
    bushels = chain.claims(CRUSHER, "plant", "soybeans") * 90 // 100 // 1000 * 1000
    if bushels <= 0:
        return
    number = chain.number
    made = chain.post(
        "process",
        f"process-{number}",
        day,
        entity=CRUSHER,
        crop="soybeans",
        output="soybean_oil",
        bushels=show(bushels),
    )
    oil = dict(made.details)["product"]
    plant = {"entity": CRUSHER, "site": "plant"}
    chain.post(
        "shipment", f"crushed-{number}", day, form="soybeans", amount=show(bushels), number=f"X-{number}", **plant
    )
    chain.post("receipt", f"oil-{number}", day, form="soybean_oil", amount=oil, number=f"O-{number}", **plant)


def _burn(chain: Chain, what: tuple[str, str, str, str], day: date, percent: int) -> None:
    """Retire a refiner's claims into a batch of fuel."""
    refiner, form, crop, fuel = what
    amount = chain.claims(refiner, "works", form) * percent // 100 // 1000 * 1000
    if amount <= 0:
        return
    number, oil = chain.number, form != crop
    gallons = amount // 8 if oil else amount * 28 // 10
    named = {"pounds": show(amount), "form": form} if oil else {"bushels": show(amount)}
    chain.post(
        "retire", f"retire-{number}", day, entity=refiner, crop=crop, fuel=fuel, batch=f"{refiner}-{day:%Y%m}",
        gallons=show(gallons), site="works", **named,
    )  # fmt: skip
    chain.post(
        "shipment", f"burned-{number}", day, entity=refiner, site="works", form=form, amount=show(amount),
        number=f"B-{number}",
    )  # fmt: skip


def _finish(chain: Chain, quarter: int, end: date) -> None:
    """Measure every site, share the shrink, and close the period of everyone."""
    _state_crush(chain, quarter, end)
    for name, (_, _, sites, _) in _NAMES.items():
        for site in sites:
            for form in ("corn", "soybeans", "soybean_oil"):
                _measure(chain, (name, site, form), end)
    for name in TRADERS:
        closed = str(end + timedelta(days=5))
        chain.post("close", f"close-{name}-{end}", end, entity=name, closed_on=closed)


def _state_crush(chain: Chain, quarter: int, end: date) -> None:
    campaign = f"2026-Q{quarter + 1}"
    runs = [
        one
        for one in chain.events
        if one["type"] == "process" and QUARTERS[quarter][0] <= date.fromisoformat(one["day"])
    ]
    used = sum(parse(one["bushels"]) for one in runs)
    if not used:
        return
    crushed = used * 3
    chain.post(
        "crush", f"crush-{campaign}", end, entity=CRUSHER, made_of="soybeans", output="soybean_oil", campaign=campaign,
        crop_crushed=show(crushed), product_made=show(crushed * 1145 // 100),
        coproducts=[{"form": "soybean_meal", "pounds": show(crushed * 44)}],
    )  # fmt: skip


def _measure(chain: Chain, place: tuple[str, str, str], end: date) -> None:
    """Measure a site a little below its book; the claims bear their share of the shrink."""
    entity, site, form = place
    booked = chain.stock(*place, end)
    if booked <= 0:
        return
    shrink = booked // 2000
    named = {"form": form} if form == "soybean_oil" else {}
    unit = "pounds" if named else "bushels"
    if shrink and chain.claims(*place):
        chain.post(
            "loss", f"shrink-{entity}-{site}-{form}-{end}", end, entity=entity, site=site, shared=True,
            crop="soybeans" if named else form, reason="shrink found at the measurement",
            **{unit: show(shrink)}, **named,
        )  # fmt: skip
    chain.post(
        "measurement", f"measured-{entity}-{site}-{form}-{end}", end, entity=entity, site=site, form=form,
        amount=show(booked - shrink), number=f"M-{site}-{form}-{end}",
    )  # fmt: skip


# The same chain as four houses keep it: a book each, joined by nothing but signed documents.

_OWN: Final = frozenset(
    {"period", "yield", "crush", "receipt", "shipment", "measurement", "loss", "retire", "process", "close", "contract"}
)
_FARMGATE: Final = frozenset({"purchase", "purchase_pending", "assign"})


@dataclass(slots=True)
class Papers:
    """The signed documents that went between the houses."""

    slips: dict[str, dict[str, Any]] = field(default_factory=dict)  # sale slips of farms, by number
    transfers: dict[str, dict[str, Any]] = field(default_factory=dict)  # transfer documents of traders, by number
    # by trader, what its office keeps: documents given and received, by file name without ending
    held: dict[str, dict[str, Any]] = field(default_factory=dict)

    def hold(self, trader: str, name: str, envelope: dict[str, Any]) -> None:
        self.held.setdefault(trader, {})[name] = envelope


@contextmanager
def kept_books(chain: Chain, reports: list[Report], folder: Path) -> Iterator[tuple[dict[str, BookFile], Papers]]:
    """Write the four books, every event and document taken in as its receiver's program would."""
    papers = Papers()
    folder.mkdir(parents=True)
    with ExitStack() as stack:
        books = {}
        for name in TRADERS:
            path = folder / f"{name}.jsonl"
            create_book(path, name)
            books[name] = stack.enter_context(open_book(path))
        _Keeper(chain, reports, books, papers).keep()
        yield books, papers


class _Keeper:
    """Walks through the chain's events and enters each where it belongs."""

    def __init__(self, chain: Chain, reports: list[Report], books: dict[str, BookFile], papers: Papers) -> None:
        self.chain, self.books, self.papers = chain, books, papers
        self.reports = {(one.farm, one.crop): one for one in reports}
        self.buyers = {str(one["origin"]): str(one["taker"]) for one in chain.events if one["type"] == "slip"}

    def keep(self) -> None:
        """Enter everything, in order."""
        for event in self.chain.events:
            kind = event["type"]
            if kind in _OWN:
                self._post(event["entity"], event)
            elif kind in _FARMGATE:
                self._post(event["taker"], event)
            else:
                getattr(self, f"_{kind}")(event)

    def _post(self, owner: str, event: dict[str, Any]) -> None:
        self._request(owner, read_event(event))

    def _request(self, owner: str, event: Event) -> None:
        outcome = self.books[owner].post(event)
        if not outcome.status.well:
            raise RuntimeError(f"{owner}, {event.id}: {outcome.status}: {outcome.message}")

    def _entity(self, event: dict[str, Any]) -> None:
        for owner in self.books:
            grower = event["entity"] not in TRADERS
            if not grower or owner in (COOP, ETHANOL):
                self._post(owner, event)

    def _statement(self, event: dict[str, Any]) -> None:
        self._post(event["entity"], event)

    def _report(self, event: dict[str, Any]) -> None:
        one = self.reports[event["entity"], event["crop"]]
        version = event.get("version", 1)
        envelope = one.envelope if version == 1 else one.amended or {}
        owner = self.buyers.get(one.origin, COOP)
        self._receive(owner, envelope, event["day"])
        self.papers.hold(owner, f"{one.farm}-{one.crop}-v{version}", envelope)

    def _share(self, event: dict[str, Any]) -> None:
        self._post(COOP, event)

    def _slip(self, event: dict[str, Any]) -> None:
        made = slip_document(self.chain.store, event["id"], as_of=date.fromisoformat(event["day"]))
        self.papers.slips[event["id"]] = receive.sign_document(made, demo_key(event["giver"]))
        self._receive(event["taker"], self.papers.slips[event["id"]], event["day"])
        self.papers.hold(event["taker"], event["id"], self.papers.slips[event["id"]])

    def _sale(self, event: dict[str, Any]) -> None:
        giver = event["giver"]
        self._post(giver, event)
        book = self.books[giver]
        made = transfer_document(book.store, event["id"], as_of=date.fromisoformat(event["day"]))
        made = marked(made, book.lines)
        self.papers.transfers[event["id"]] = receive.sign_document(made, demo_key(giver))
        self.papers.hold(giver, event["id"], self.papers.transfers[event["id"]])

    def _accept(self, event: dict[str, Any]) -> None:
        taker, letter = event["taker"], self.papers.transfers[event["movement"]]
        incoming = self._opened(taker, letter)
        self.papers.hold(taker, event["movement"], letter)
        if incoming.content is None:
            raise RuntimeError(f"{event['movement']}: {incoming.problems[0]}")
        day = date.fromisoformat(event["day"])
        seller = letter["document"]["seller"]["id"]
        for request in receive.document_events(incoming, self.books[taker].store, day=day, accept=False):
            self._request(taker, request)
        self._post(taker, {**event, "movement": f"document-{seller}-{event['movement']}"})

    def _opened(self, owner: str, envelope: object) -> receive.ReceivedDocument:
        return receive.open_document(envelope, self.books[owner].store, owner, "document", demonstration=True)

    def _receive(self, owner: str, envelope: object, day: str) -> None:
        book, incoming = self.books[owner], self._opened(owner, envelope)
        if incoming.content is None:
            raise RuntimeError(f"{owner}: {incoming.problems[0]}")
        for one in receive.enter_document(incoming, book.store, book.post, day=date.fromisoformat(day)):
            if one.outcome.status is not Status.POSTED:
                raise RuntimeError(f"{owner}, {one.event.id}: {one.outcome.status}: {one.outcome.message}")


# What the example chain comes to: how many farms, events and papers, and where every bushel is.


def figures_of(made: Chain, reports: list[Report], papers: Papers, findings: list[Discrepancy]) -> dict[str, Any]:
    """Return what the example chain comes to: how much of what, and whether every serial is accounted for."""
    balances = all_balances(made.store)
    lots = [lot for one in reports for lot in made.store.lots_at(one.origin, 0, one.bushels)]
    states = {str(state): show(sum(lot.crop_amount for lot in lots if lot.state is state)) for state in LotState}
    grown = sum(one.bushels for one in reports)
    rows: list[dict[str, Any]] = [dict(one) for one in balances]
    return {
        "seed": made.seed,
        "farms": len({one.farm for one in reports}),
        "reports": len(reports) + sum(1 for one in reports if one.amended),
        "events": len(made.events),
        "slips": len(papers.slips),
        "transfer_documents": len(papers.transfers),
        "periods_closed": len(TRADERS) * len(QUARTERS),
        "bushels_grown": show(grown),
        "bushels_by_state": states,
        "every_serial_accounted_for": sum(lot.crop_amount for lot in lots) == grown,
        "equations": sum(len(one["lines"]) for one in rows),
        "findings": len(findings),
        "entities": [_entity(made, name, rows) for name in TRADERS],
        "as_of": str(date(2027, 1, 5)),
    }


def _entity(made: Chain, name: str, balances: list[dict[str, Any]]) -> dict[str, Any]:
    mine = [line for one in balances if one["entity"] == name for line in one["lines"]]
    entity = made.store.one(Entity, name)
    steps = [one for one in made.store.steps(name) if one.day <= QUARTERS[-1][1]]
    return {
        "entity": name,
        "name": entity.name if entity else name,
        "incoming_bu": show(sum(s.after.crop_amount for s in steps if s.came and s.after.owner == name)),
        "outgoing_bu": show(sum(s.after.crop_amount for s in steps if s.left and s.before and s.before.owner == name)),
        "carbon_intensities": len({line["ci_g_per_bu"] for line in mine}),
    }


# What the made-up verifier of the example does after the year: freeze, draw, state. Nobody was audited.

SECRETS: Final = {
    Side.AUDITED: "made-up secret of the elevator, 2026",
    Side.VERIFIER: "made-up secret of the verifier, 2026",
}
"""What each side committed to before the elevator's list was frozen, and opened after it."""
_AUDITED_YEAR: Final = 2026
_FROZEN_ON: Final = date(2027, 1, 8)
_ISSUED_ON: Final = date(2027, 1, 20)
_REVIEWED_ON: Final = "2027-01-18"
_SEEN_ON: Final = "2027-01-12"
_LEAD: Final = "L. Example"
_REVIEWER: Final = "R. Example"
_MADE_UP: Final = "Made up for the example."
_PINNED_BY: Final = "made-up contract of the example"


def sample_of(store: MemoryStore, reports: Iterable[Report]) -> dict[str, Any]:
    """Draw the farm sample from the elevator's book and the reports it holds, as ``provender audit sample`` does.

    Raises:
        ProblemsError: a supplying farm's report is not among them.
    """
    documents = [one["document"] for report in reports for one in (report.envelope, report.amended) if one]
    rows, problems = listed(incoming_farms(store, COOP), documents, COOP)
    if problems:
        raise ProblemsError(problems)
    population = freeze(rows)
    made = {side: commitment(secret) for side, secret in SECRETS.items()}
    frozen = freeze_list(
        population,
        _AUDITED_YEAR,
        {},
        made,
        between=(COOP, VERIFIER),
        day=_FROZEN_ON,
        salt="made-up salt of the example",
    )
    return sample_document(draw_sample(SampleRequest(population, frozen, Opened(SECRETS, on=_FROZEN_ON))))


def seed_parts() -> dict[str, dict[str, Any]]:
    """Return the secret of each side as ``provender audit seed`` writes it."""
    return {
        f"seed-{side}": {"kind": "provender/seed-part", "secret": secret, "commitment": commitment(secret)}
        for side, secret in SECRETS.items()
    }


def _engagement() -> dict[str, Any]:
    """Return a made-up engagement with every part."""
    people = ((_LEAD, "lead verifier"), (_REVIEWER, "independent reviewer"))
    cites = assertions_of(Role.FIRST_POINT)
    texts = (
        "engaged_by", "addressee", "party_responsibility", "verifier_responsibility", "impartiality", "sampling_plan",
        "later_facts",
    )  # fmt: skip
    return {
        **dict.fromkeys(texts, _MADE_UP),
        "engaged_on": "2026-01-05",
        "team": [{"name": name, "part": part, "competence": _MADE_UP} for name, part in people],
        "risks": [{"risk": _MADE_UP, "cite": cites[0], "level": "middle", "response": _MADE_UP}],
        "procedures": [
            {"cite": cite, "procedure": _MADE_UP, "evidence": _MADE_UP, "result": _MADE_UP} for cite in cites
        ],
        "reviewed_on": _REVIEWED_ON,
        "retention_years": 10,
    }


def _work(sample: dict[str, Any], book: BookFile) -> dict[str, Any]:
    """Return the work as if every line had been answered and every drawn farm seen, with the closed periods."""
    store = book.store
    # The statements that the elevator signed: each carries the head of its book.
    periods = [marked(period_document(store, COOP, one.start), book.lines) for one in store.many(Closing, COOP)]
    blank = blank_work([Role.FIRST_POINT], WorkPapers(sample, records=periods))
    done = {"answer": "done", "by": _LEAD, "on": _SEEN_ON}
    seen = {"way": "visit", "by": _LEAD, "on": _SEEN_ON}
    return {
        **blank,
        "lines": [{**row, **done} for row in blank["lines"]],
        "sites": [{"site": site, "seen": _MADE_UP, **seen} for site in ("north", "south")],
        "farms": [{**row, **seen} for row in blank["farms"]],
    }


def accredited(name: str, code: str, scope: str, first: date, last: date) -> statements.Accreditation:
    """Return the made-up accreditation of the example's verifier."""
    since = date(2026, 1, 1)
    forum = statements.Membership(forum=statements.Forum.SUCCESSOR, first=since, source="made up for the example")
    return statements.Accreditation(
        verifier=name, verifier_id=code, standard="ISO 14065:2020", scope=scope, body="An accreditor (made up)",
        number="EXAMPLE-1", first=first, last=last, memberships=(forum,),
    )  # fmt: skip


def verification(sample: dict[str, Any], book: BookFile) -> statements.VerificationStatement:
    """Return the made-up statement about the elevator's year, with the sample that was drawn from its book."""
    accreditation = accredited(VERIFIER, VERIFIER, _MADE_UP, date(2024, 3, 1), date(2027, 2, 28))
    one = statements.VerificationStatement(
        number=f"PV-{COOP}-2026",
        audited=COOP,
        audited_name="Prairie Cooperative Elevator",
        role=Role.FIRST_POINT,
        verifier=VERIFIER,
        verifier_name=VERIFIER,
        lead_verifier=_LEAD,
        independent_reviewer=_REVIEWER,
        accreditation=accreditation,
        objectives="Show what a statement looks like; nobody was audited.",
        scope="",
        criteria=("7 CFR part 2100, 90 FR 5512",),
        crops=("corn", "soybeans"),
        covered_first=date(2026, 1, 1),
        covered_last=date(2026, 12, 31),
        issued_on=_ISSUED_ON,
        assurance=statements.Assurance.REASONABLE,
        materiality_pct=5_000,
        materiality="Applied to claimed bushels of each CI.",
        farms=int(sample["farms"]),
        sampled=len(sample["sample"]),
        sample_hash=sample_hash(sample),
        draw=tuple(draw_notes(sample)),
        engagement=_engagement(),
        work=_work(sample, book),
        opinion=statements.Opinion.FAVOURABLE,
        basis=_MADE_UP,
    )
    return replace(one, scope=scope_of(one))


def pinned_keys(farms: Iterable[str]) -> dict[str, Any]:
    """Return the verifier's list of keys: every farm, the landowner, every trader."""
    parties = (*farms, LANDOWNER, *TRADERS, VERIFIER)
    return pins_document(Pin(party, demo_key(party).public, _PINNED_BY) for party in parties)
