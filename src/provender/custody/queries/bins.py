"""What lies in the bins of a site: grain by crop, crop year and carbon intensity, commingled (interpretation 37).

A ticket may name a bin, a claim never does: grain in a bin is mixed, and no bushel of it is that of one farm. What came
in is known by what its ticket stands behind; what goes out takes of everything in proportion. So the contents are an
estimate of what the grain is, and no statement about claims. A measurement is of a whole site and changes no bin.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import NamedTuple

from provender.custody.events.allocation import shares
from provender.custody.events.pending_purchase import AssignEvent, Pending
from provender.custody.model.entities import Entity
from provender.custody.model.grain_book import Direction, GrainEntry, grain_group
from provender.custody.model.periods import Period
from provender.custody.model.store_view import StoreView, taken_back_by


class Kind(NamedTuple):
    """What grain in a bin came in as.

    Attributes:
        harvest_year: of the claims that its ticket stands behind; 0 for grain without one.
        ci: their carbon intensity, hundredths of a gram CO2e per bushel; -1 for grain without one.
    """

    harvest_year: int
    ci: int


UNCLAIMED = Kind(0, -1)
"""Grain whose ticket stands behind no claim, or behind one whose report is still to come."""
Mix = dict[Kind, int]


@dataclass(frozen=True, slots=True)
class BinContents:
    """What lies in a bin by its tickets; amounts in thousandths of the form's unit.

    Attributes:
        site: the site.
        bin: the place inside it.
        form: the crop or product.
        mix: what of which kind, the unclaimed first; it adds up to the amount.
        short: what went out beyond all that the tickets had brought in.
    """

    site: str
    bin: str
    form: str
    mix: tuple[tuple[Kind, int], ...]
    short: int

    @property
    def amount(self) -> int:
        """Return what lies there."""
        return sum(amount for _, amount in self.mix)


def shipments_from(facts: StoreView, place: tuple[str, str, str], period: Period) -> list[GrainEntry] | None:
    """Return the tickets by which grain left a site for others in a period; None where the site has no grain book.

    What came to another place of the same house nobody else got.
    """
    house, site, form = place
    if not facts.many(GrainEntry, grain_group(*place)):
        return None
    entries = list(_entries(facts, house, form))
    moved = {one.source for one in entries}
    out = (one for one in entries if one.direction is Direction.OUT and one.site == site and period.holds(one.day))
    return [one for one in out if one.key not in moved]


def _entries(facts: StoreView, house: str, form: str) -> Iterator[GrainEntry]:
    entity = facts.one(Entity, house)
    for site in entity.sites if entity else ():
        yield from (one for one in facts.many(GrainEntry, grain_group(house, site, form)) if not one.void)


def bin_contents(facts: StoreView, house: str, forms: Sequence[str], day: date) -> list[BinContents]:
    """Return the contents of every bin that a ticket names up to the end of a day, in order of form, site and bin."""
    found: list[BinContents] = []
    brought: dict[str, Mix] | None = None
    for form in forms:
        entries = [one for one in _entries(facts, house, form) if one.day <= day]
        if not any(one.bin for one in entries):
            continue
        brought = _brought(facts, house) if brought is None else brought
        found += sorted(_filled(entries, brought), key=lambda one: (one.site, one.bin))
    return found


def _brought(facts: StoreView, house: str) -> dict[str, Mix]:
    """Return what came in by each movement of an entity, as it was then.

    A ticket stands behind the purchase that waited, not behind what assigned the slips to it: so does what they said.
    """
    found: dict[str, Mix] = defaultdict(lambda: defaultdict(int))
    waited: dict[str, str] = {}
    for step in facts.steps(house):
        if step.came and step.after.owner == house:
            if step.type == AssignEvent.type and step.movement not in waited:
                waited[step.movement] = _waited(facts, step.movement)
            bought = waited.get(step.movement, step.movement)
            found[bought][Kind(step.after.harvest_year, step.after.ci)] += step.after.amount
    for each in set(waited.values()):
        pending = facts.one(Pending, each)
        found[each][UNCLAIMED] += pending.left if pending else 0
    return found


def _waited(facts: StoreView, assigned: str) -> str:
    """Return the purchase to which a slip was assigned; the assignment itself where that was taken back."""
    posted = facts.posted(assigned)
    if posted is None or not isinstance(posted.request, AssignEvent) or taken_back_by(facts, posted):
        return assigned
    return posted.request.pending


def _filled(entries: Sequence[GrainEntry], brought: dict[str, Mix]) -> Iterator[BinContents]:
    """Go through the tickets of one form in the order of days."""
    bins: dict[tuple[str, str], Mix] = defaultdict(dict)
    short: dict[tuple[str, str], int] = defaultdict(int)
    sent: dict[str, Mix] = {}
    for _, of_day in groupby(sorted(entries, key=lambda one: one.day), key=lambda one: one.day):
        for one in _in_turn(list(of_day)):
            place = (one.site, one.bin)
            if one.direction is Direction.OUT:
                sent[one.key] = _taken(bins[place], one.amount) if one.bin else {}
                short[place] += one.amount - sum(sent[one.key].values())
            elif one.bin and one.direction is Direction.IN:
                mix = sent.get(one.source, {}) if one.source else brought.get(one.claim, {})
                for kind, amount in _in_proportion(mix, one.amount).items():
                    bins[place][kind] = bins[place].get(kind, 0) + amount
    for (site, name), mix in bins.items():
        kept = tuple(sorted((kind, amount) for kind, amount in mix.items() if amount))
        yield BinContents(site, name, entries[0].form, kept, short[site, name])


def _in_turn(of_day: list[GrainEntry]) -> Iterator[GrainEntry]:
    """Yield the tickets of a day: those of others in, then what moves on, a bin only after what is moved into it."""
    yield from (one for one in of_day if one.direction is not Direction.OUT and not one.source)
    left = [one for one in of_day if one.direction is Direction.OUT or one.source]
    while left:
        coming = {(one.site, one.bin) for one in left if one.source}
        going = {one.key for one in left if one.direction is Direction.OUT}
        free = [one for one in left if (one.source not in going if one.source else (one.site, one.bin) not in coming)]
        # Grain that went in a circle within a day has no order: what left first is taken as it stands in the book.
        ready = free or [next((one for one in left if one.direction is Direction.OUT), left[0])]
        yield from ready
        done = {one.key for one in ready}
        left = [one for one in left if one.key not in done]


def _taken(here: Mix, amount: int) -> Mix:
    """Take an amount out of a bin in proportion, as far as there is something; return what was taken."""
    held = sum(here.values())
    goes = _in_proportion(here, min(amount, held)) if held else {}
    for kind, part in goes.items():
        here[kind] -= part
    return goes


def _in_proportion(mix: Mix, amount: int) -> Mix:
    """Return an amount as a mix, whole thousandths that add up to it; without one it is unclaimed grain."""
    kinds = sorted(kind for kind, held in mix.items() if held)
    if not kinds:
        return {UNCLAIMED: amount}
    split = shares({place: mix[kind] for place, kind in enumerate(kinds)}, amount)
    return {kinds[place]: part for place, part in split.items() if part}
