"""The chain behind a claim, from its holder back to the farm's report (2100.032(a))."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Protocol

from provender.custody.model.balances import Key, slips_to_others
from provender.custody.model.entities import GROWERS, Entity, Role
from provender.custody.model.lots import STOCK, Lot, Origin, subtract_spans
from provender.custody.model.store_view import CustodyStep, StoreView, standing_event
from provender.custody.queries.claims import ENDED, Claim
from provender.exact import CI_SCALE, SCALE, half_even, show
from provender.paper.charts import Series, stacked_chart
from provender.paper.diagrams import Layer, Node, chain_diagram
from provender.paper.diagrams import Link as DiagramsLink


@dataclass(frozen=True, slots=True)
class Link:
    """One station of a claim."""

    movement: str  # the event
    type: str  # what it was
    day: date  # when
    giver: str  # who had it; empty where the serials enter the book
    taker: str  # who has it then
    start: int  # first serial that this chain is about
    stop: int  # the serial after the last
    form: str  # crop or product
    state: str  # held, in transit, retired, ..


@dataclass(frozen=True, slots=True)
class Chain:
    """A lot, its origin, and every station between, the oldest first."""

    lot: Lot
    origin: Origin | None
    links: tuple[Link, ...]

    def was_held_by(self, party: str) -> bool:
        return self.lot.owner == party or any(party in (link.giver, link.taker) for link in self.links)


def chain_of(store: StoreView, lot: Lot) -> Chain:
    """Return the stations of a lot, each giver being the taker before, as far as this book saw them.

    Stations at which nothing changed hands, form or state (a split of what stayed) are left out. Where a document
    brought back what a farm had signed away to a party elsewhere, the farm's slip stands before it.
    """
    made = {step.after.id: step for step in store.steps_of(lot.origin)}
    links: list[Link] = []
    name = lot.id
    while name in made:
        step = made[name]
        if step.before is None or step.after.by == step.movement:
            links.append(_link(step, lot))
            links.extend(_signed_away(store, step, lot))
        name = step.after.parent
    return Chain(lot, store.one(Origin, lot.origin), tuple(reversed(links)))


def _link(step: CustodyStep, lot: Lot) -> Link:
    taker = step.after
    giver = step.before.owner if step.before else ""
    if step.type == "document" and giver:
        giver = taker.supplier  # as far as this book knew, its serials may have been a farm's before
    return Link(step.movement, step.type, step.day, giver, taker.owner, lot.start, lot.stop, taker.form, taker.state)


def _signed_away(store: StoreView, step: CustodyStep, lot: Lot) -> list[Link]:
    """Return the farm's slip by which serials left it before a trader's document brought them."""
    before, after = step.before, step.after
    if step.type != "document" or before is None or before.owner in (after.supplier, after.owner):
        return []
    slips = [slip for slip in slips_to_others(store, lot.origin) if slip.giver == before.owner and slip.day <= step.day]
    covering = [slip for slip in slips if not subtract_spans([(lot.start, lot.stop)], slip.spans)][-1:]
    place = (lot.start, lot.stop, before.form, "signed away")
    return [Link(slip.id, "slip", slip.day, slip.giver, slip.taker, *place) for slip in covering]


def chains_at(store: StoreView, origin: str, start: int, stop: int) -> Sequence[Chain]:
    return [chain_of(store, lot) for lot in store.lots_at(origin, start, stop)]


def retired_into(store: StoreView, refiner: str, batch: str) -> list[Lot]:
    """Return the lots that a refiner retired into a batch of fuel, but those that were taken back."""
    steps = [step for step in store.steps(refiner) if step.type == "retire" and step.after.by == step.movement]
    acts = {step.movement: standing_event(store, step.movement) for step in steps}
    return [step.after for step in steps if getattr(acts[step.movement], "batch", "") == batch.strip()]


# Pictures of a custody book: the chain from farms to refiner, and stock by carbon intensity over time (SVG).

WIDTH: Final = 960.0
MANY: Final = 60
"""Beyond so many growers they are drawn as one box for each first buyer."""
MOST_SERIES: Final = 8
_WIDTH_SAYS: Final = "The width of a band is its bushels."
_COLUMNS: Final = ("Farms and landowners", "First points", "Intermediaries", "Refiners", "Ended in")
_ENDS: Final = {
    "retire": "Fuel",
    "release": "Released without claim",
    "loss": "Lost",
    "close": "Released without claim",
}
_TRADED: Final = frozenset({"purchase", "assign", "sale", "document", "retire", "release", "loss", "close"})


class Known(Protocol):
    """What a picture asks of a book, or of several: who somebody is."""

    def one(self, kind: type[Entity], key: str) -> Entity | None:
        """Return the entity of that id, or None."""


def chain_picture(store: Known, claims: Iterable[Claim], *, title: str) -> str:
    """Draw who handed how many bushels to whom, and how claims ended.

    The changes of hands may be those of a period, or those that touch some serials.

    Returns:
        SVG text; a picture that says so when nothing changed hands.
    """
    sums: dict[tuple[str, str], int] = defaultdict(int)
    for one in claims:
        if one.kind in _TRADED and one.giver != ENDED:
            taker = one.taker if one.taker != ENDED else f"end:{_ENDS.get(one.kind, 'Voided')}"
            sums[one.giver, taker] += one.stop - one.start
    sums = _grouped(store, sums)
    columns = {name: _column(store, name) for pair in sums for name in pair}
    forward = {pair: amount for pair, amount in sums.items() if columns[pair[0]] < columns[pair[1]]}
    layers = [
        Layer(heading, [_node(store, name, forward) for name in _ordered(columns, place, forward)])
        for place, heading in enumerate(_COLUMNS)
    ]
    links = [DiagramsLink(giver, taker, float(amount), _bu(amount)) for (giver, taker), amount in forward.items()]
    total = sum(amount for (giver, _), amount in forward.items() if columns[giver] == 0)
    said = f"{_bu(total)} from the farms; the width of a band is its bushels." if total else _WIDTH_SAYS
    return chain_diagram([layer for layer in layers if layer.nodes], links, title=title, description=said, width=WIDTH)


def _grouped(store: Known, sums: Mapping[tuple[str, str], int]) -> dict[tuple[str, str], int]:
    """Put growers of the same buyer into one box when there are too many to draw."""
    growers = {giver for giver, _ in sums if _column(store, giver) == 0}
    if len(growers) <= MANY:
        return dict(sums)
    found: dict[tuple[str, str], int] = defaultdict(int)
    counts: dict[str, set[str]] = defaultdict(set)
    for (giver, taker), amount in sums.items():
        if giver in growers:
            counts[taker].add(giver)
            found[f"group:{taker}", taker] += amount
        else:
            found[giver, taker] += amount
    return {
        (f"group:{taker}:{len(counts[taker])}" if giver.startswith("group:") else giver, taker): amount
        for (giver, taker), amount in found.items()
    }


def _column(store: Known, name: str) -> int:
    if name.startswith("end:"):
        return 4
    entity = None if name.startswith("group:") else store.one(Entity, name)
    if name.startswith("group:") or (entity and entity.may(GROWERS)):
        return 0
    if entity and Role.REFINER in entity.roles:
        return 3
    return 1 if entity and Role.FIRST_POINT in entity.roles else 2


def _ordered(columns: Mapping[str, int], place: int, sums: Mapping[tuple[str, str], int]) -> list[str]:
    names = [name for name, column in columns.items() if column == place and any(name in pair for pair in sums)]
    return sorted(names, key=lambda name: (_first_taker(name, sums), -_passed(name, sums), name))


def _first_taker(name: str, sums: Mapping[tuple[str, str], int]) -> str:
    return max((taker for giver, taker in sums if giver == name), default="", key=lambda taker: sums[name, taker])


def _passed(name: str, sums: Mapping[tuple[str, str], int]) -> int:
    into = sum(amount for (_, taker), amount in sums.items() if taker == name)
    return into or sum(amount for (giver, _), amount in sums.items() if giver == name)


def _node(store: Known, name: str, sums: Mapping[tuple[str, str], int]) -> Node:
    if name.startswith("group:"):
        words = f"{name.rsplit(':', 1)[-1]} farms"
    elif name.startswith("end:"):
        words = name.removeprefix("end:")
    else:
        entity = store.one(Entity, name)
        words = entity.name if entity else name
    return Node(name, words, _bu(_passed(name, sums)))


def _bu(amount: int) -> str:
    return f"{show(half_even(amount, 1000) * 1000, group=True)} bu"


def stock_picture(steps: Sequence[CustodyStep], entity: str, *, title: str, until: date | None = None) -> str:
    """Draw an entity's stock in bushels of crop by carbon intensity, from day to day.

    The carbon intensities with the least stock are drawn together beyond ``MOST_SERIES``.

    Raises:
        ValueError: the entity never held anything.
    """
    changes: dict[Key, dict[date, int]] = defaultdict(lambda: defaultdict(int))
    for step in steps:
        for lot, sign in ((step.before, -1), (step.after, 1)):
            if lot is not None and lot.owner == entity and lot.state in STOCK:
                changes[Key(lot.crop, lot.harvest_year, lot.ci)][step.day] += sign * step.after.crop_amount
    series = stock_series({key: _points(days) for key, days in changes.items()})
    if not series:
        raise ValueError(f"{entity} never held a claim")
    said = "Stock with claims, in bushels of crop, by crop and carbon intensity (CI in g CO2e per bushel)."
    return stacked_chart(series, title=title, description=said, unit="bu", until=until)


def stock_series(
    points: Mapping[Key, Sequence[tuple[date, int]]], band: Callable[[Key], str] = lambda _: ""
) -> list[Series]:
    """Return stock as series to be stacked: one per crop, year and band, and beyond ``MOST_SERIES`` the least together.

    The points are day and stock from that day on, thousandths of a bushel; the series bushels, whose heights together
    are the whole stock. A key without a band in words is named by its carbon intensity.
    """
    together: dict[str, list[Sequence[tuple[date, int]]]] = defaultdict(list)
    for key in sorted(key for key in points if any(amount > 0 for _, amount in points[key])):
        said = band(key) or f"CI {show(key.ci, CI_SCALE)}"
        together[f"{key.crop} {key.harvest_year}, {said}"].append(points[key])
    sums = {name: several[0] if len(several) == 1 else _together(several) for name, several in together.items()}
    ranked = sorted(sums, key=lambda name: -max(amount for _, amount in sums[name]))
    rest = ranked[MOST_SERIES - 1 :] if len(ranked) > MOST_SERIES else []
    series = [_series(name, found) for name, found in sums.items() if name not in rest]
    if rest:
        series.append(_series(f"{len(rest)} further carbon intensities", _together([sums[name] for name in rest])))
    return series


def _series(name: str, points: Sequence[tuple[date, int]]) -> Series:
    return Series(name, [(day, amount / 10**SCALE) for day, amount in points])


def _together(several: Sequence[Sequence[tuple[date, int]]]) -> list[tuple[date, int]]:
    changes: dict[date, int] = defaultdict(int)
    for points in several:
        before = 0
        for day, amount in points:
            changes[day] += amount - before
            before = amount
    return _points(changes)


def _points(changes: Mapping[date, int]) -> list[tuple[date, int]]:
    total, found = 0, []
    for day in sorted(changes):
        total += changes[day]
        found.append((day, max(total, 0)))
    return found
