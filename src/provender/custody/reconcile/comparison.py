"""What books and papers side by side say of the same trade, act, origin, report, ticket or name (2100.032(a))."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from itertools import combinations

from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.gathered import Gathered
from provender.custody.reconcile.legs import differences, one_sided
from provender.custody.reconcile.look_alikes import at_a_glance, look_alikes, skeleton, under_two
from provender.quantity import CI_SCALE, show


def compared(gathered: Gathered) -> Iterator[Discrepancy]:
    """Yield what is said differently of one thing, or alike of two."""
    yield from _legs(gathered)
    yield from _acts(gathered)
    yield from _disputes(gathered)
    yield from _origins(gathered)
    yield from _names(gathered)
    yield from _numbers(gathered)
    yield from _tickets(gathered)
    yield from _sent(gathered)


def _legs(gathered: Gathered) -> Iterator[Discrepancy]:
    several = ((trade, legs) for trade, legs in gathered.legs.items() if len(legs) > 1)
    for (giver, taker, number), legs in sorted(several):
        for (one, mine), (other, its) in combinations(sorted(legs.items()), 2):
            if said := "; ".join(differences(mine, its)):
                files = f"{gathered.names[one]} and {gathered.names[other]}"
                stake = max(gathered.transfers[giver, taker, number].values(), default=0)
                told = f"{giver} to {taker}, {number}: {files} differ in {said}."
                yield Discrepancy(DiscrepancyKind.LEGS_DIFFER, stake, told)


def _acts(gathered: Gathered) -> Iterator[Discrepancy]:
    books = dict(enumerate(gathered.owners))
    for one in one_sided(gathered.claims, books, gathered.doubled):
        if any(source in gathered.back[one.trade] for source in (one.back, one.still)):
            continue  # a sale taken back as entered in error is told of by its own
        giver, taker, number = one.trade
        has = f"{gathered.names[one.back]} has {show(one.bushels, group=True)} bu back with {giver}"
        still = f"{gathered.names[one.still]} does not show that they went back"
        yield Discrepancy(
            DiscrepancyKind.MISSING_COUNTERPART, one.bushels, f"{giver} to {taker}, {number}: {has}, and {still}."
        )


def _disputes(gathered: Gathered) -> Iterator[Discrepancy]:
    for source, act, owner, bushels in gathered.disputes:
        has = f"{owner} has {show(bushels, group=True)} bu by {act}"
        said = f"{gathered.names[source]}: {has}, without the other party's paper."
        yield Discrepancy(DiscrepancyKind.IN_DISPUTE, bushels, said)


def _origins(gathered: Gathered) -> Iterator[Discrepancy]:
    stated: set[tuple[str, str, int, int]] = set()
    size: dict[str, int] = defaultdict(int)
    for leg in (leg for legs in gathered.legs.values() for leg in legs.values()):
        for origin, start, stop, crop, year, ci, _, _ in leg.parts:
            if origin and crop:
                stated.add((origin, crop, year, ci))
                size[origin] = max(size[origin], stop - start)
    crops: dict[str, set[str]] = defaultdict(set)
    years: dict[str, set[int]] = defaultdict(set)
    seen: dict[str, set[int]] = defaultdict(set)
    for origin, crop, year, ci in stated:
        crops[origin].add(crop)
        years[origin] |= {year} - {0}  # a paper from outside need not say it
        seen[origin].add(ci)
    farms: dict[str, set[str]] = defaultdict(set)
    for _, report, origin in gathered.reports:
        crops[origin].add(report.crop)
        years[origin].add(report.harvest_year)
        farms[report.digest.lower()].add(report.farm)
    for word, found in (("crop", crops), ("harvest year", years)):
        for origin, words in under_two(found):
            said = f"{origin} stands under more than one {word}: {', '.join(words)}."
            yield Discrepancy(DiscrepancyKind.ORIGIN_DIFFERS, size[origin], said)
    for origin, listed in _grown_better(gathered, seen):
        said = f"{origin} stands under a better carbon intensity than its report or an earlier trade says: {listed}."
        yield Discrepancy(DiscrepancyKind.ORIGIN_DIFFERS, size[origin], said)
    for digest, named in under_two({digest: those for digest, those in farms.items() if digest}):
        said = f"One report, {digest[:16]}, stands under more than one farm: {', '.join(named)}."
        yield Discrepancy(DiscrepancyKind.SECOND_ORIGIN, 0, said)


def _grown_better(gathered: Gathered, seen: Mapping[str, set[int]]) -> Iterator[tuple[str, str]]:
    """Yield origins with a better carbon intensity than was stated, and all that they stand under, in words."""
    reported: dict[str, set[int]] = defaultdict(set)
    noticed: dict[str, list[_Told]] = defaultdict(list)
    for _, report, origin in gathered.reports:
        reported[origin].add(report.ci)
    # A notice tells how serials stand from its day on; what was traded before it was right on its own.
    for origin, ci, day, spans in gathered.noticed:
        noticed[origin] += [(start, stop, day, ci) for start, stop in spans]
    told = {origin: {ci for *_, ci in noticed[origin]} for origin in seen}
    held = _traded(gathered, {origin for origin in seen if len(seen[origin] | told[origin]) > 1})
    for origin, traded in seen.items():
        least = min(reported[origin] | told[origin]) if reported[origin] else min(traded)
        if min(traded) < least or (origin in held and _grew_better([*held[origin], *noticed[origin]])):
            yield origin, ", ".join(show(ci, CI_SCALE) for ci in sorted(traded | told[origin] | reported[origin]))


_Told = tuple[int, int, date, int]
"""First serial, the serial after the last, the day, and the carbon intensity."""


def _traded(gathered: Gathered, origins: Collection[str]) -> dict[str, list[_Told]]:
    """Return what was traded of origins that stand under more than one carbon intensity: hardly ever any."""
    found: dict[str, list[_Told]] = defaultdict(list)
    for leg in (leg for legs in gathered.legs.values() for leg in legs.values()) if origins else ():
        for part in leg.parts:
            if part.crop and part.origin in origins:
                found[part.origin].append((part.start, part.stop, leg.day, part.ci))
    return found


def _grew_better(held: Sequence[_Told]) -> bool:
    """Tell whether some serials have a better carbon intensity on a later day: only a worse one reaches them."""
    under: list[_Told] = []
    for start, stop, day, ci in sorted(held):
        under = [one for one in under if one[1] > start]
        if any((day - before).days * (ci - was) < 0 for _, _, before, was in under):
            return True
        under.append((start, stop, day, ci))
    return False


def _names(gathered: Gathered) -> Iterator[Discrepancy]:
    parties = {one.giver for one in gathered.claims} | {one.taker for one in gathered.claims}
    names = {*gathered.entities, *parties, *(report.farm for _, report, _ in gathered.reports)} - {""}
    groups = list(look_alikes(names))
    stake: dict[str, int] = defaultdict(int)
    for one in gathered.claims if groups else ():
        for party in (one.giver, one.taker):
            stake[party] += one.stop - one.start
    for group in groups:
        said = f"These names look alike and are two parties: {', '.join(map(repr, group))}."
        yield Discrepancy(DiscrepancyKind.LOOK_ALIKE, min(stake.get(name, 0) for name in group), said)
    for party, sites in sorted(gathered.sites.items()):
        for group in look_alikes(sites):
            said = f"These sites of {party} look alike: {', '.join(map(repr, group))}."
            yield Discrepancy(DiscrepancyKind.LOOK_ALIKE, 0, said)


def _numbers(gathered: Gathered) -> Iterator[Discrepancy]:
    """Find documents between the same parties whose numbers look alike: one paper booked twice."""
    between: dict[tuple[str, str], dict[str, Mapping[int, int]]] = defaultdict(dict)
    of_pair: dict[tuple[str, str], dict[str, Mapping[int, int]]] = {}
    for (giver, taker, number), legs in gathered.transfers.items():
        if (pair := (giver, taker)) not in of_pair:
            of_pair[pair] = between[skeleton(giver), skeleton(taker)]
        of_pair[pair][number] = legs
    for numbers in between.values():
        for group in look_alikes(numbers):
            said = f"These numbers of documents look alike: {', '.join(map(repr, group))}."
            stake = min(max(numbers[one].values(), default=0) for one in group)
            yield Discrepancy(DiscrepancyKind.LOOK_ALIKE, stake, said)


def _tickets(gathered: Gathered) -> Iterator[Discrepancy]:
    """Find tickets of one site whose numbers look alike, and one ticket behind the same crop at two sites."""
    sites: dict[str, dict[str, Mapping[str, int]]] = defaultdict(dict)
    for (site, number), behind in gathered.tickets.items():
        sites[site][number] = behind
    for site, numbers in sites.items():
        for group in look_alikes(numbers):
            said = f"These tickets of {site} look alike: {', '.join(map(repr, group))}."
            stake = min(min(numbers[one].values(), default=0) for one in group)
            yield Discrepancy(DiscrepancyKind.LOOK_ALIKE, stake, said)
    yield from _at_two_sites(gathered.tickets)


def _at_two_sites(tickets: Mapping[tuple[str, str], Mapping[str, int]]) -> Iterator[Discrepancy]:
    first: dict[tuple[str, int], str] = {}
    several = {each for (site, _), behind in tickets.items() for each in behind.items()
               if first.setdefault(each, site) != site}  # fmt: skip
    same: dict[tuple[str, str, int], dict[tuple[str, str], None]] = defaultdict(dict)
    for (site, number), behind in tickets.items() if several else ():
        for name, bushels in behind.items():
            if (name, bushels) in several:
                same[skeleton(number), name, bushels][site, number] = None
    for (_, name, bushels), places in same.items():
        if len({site for site, _ in places}) > 1:
            where = " and ".join(f"{number} of {site}" for site, number in places)
            said = f"Ticket {where} is one ticket at two sites: {show(bushels, group=True)} bu behind {name}."
            yield Discrepancy(DiscrepancyKind.SAME_TICKET, bushels, said)


def _sent(gathered: Gathered) -> Iterator[Discrepancy]:
    """Find one ticket of a buyer behind two sales to it, or behind one and behind a purchase of its own.

    Each scale begins its numbers anew, and trucks weigh alike: a ticket that a sale does not call the buyer's is the
    same one as another only where both are of one day.
    """
    behind: dict[tuple[str, str, int], dict[date | None, set[str]]] = defaultdict(lambda: defaultdict(set))
    doubtful = _weighed_alike(gathered)
    for (buyer, number), trades in gathered.sent.items() if doubtful else ():
        for name, one in trades.items():
            if (buyer, at_a_glance(number), one.amount) not in doubtful:
                continue
            alike = behind[buyer, skeleton(number), one.amount]
            for day in (one.day, None) if one.at_buyer else (one.day,):
                alike[day].add(name)
    for (buyer, number, amount), alike in behind.items():
        several = (names for names in alike.values() if len(names) > 1 and any(map(_is_sale, names)))
        if names := set[str]().union(*several):
            said = (
                f"Ticket {number} of {buyer}, {show(amount, group=True)}, stands behind {' and '.join(sorted(names))}."
            )
            yield Discrepancy(DiscrepancyKind.SAME_TICKET, amount, said)


def _weighed_alike(gathered: Gathered) -> set[tuple[str, bytes, int]]:
    """Return buyers, numbers at a glance and amounts that more than one trade has: hardly ever any."""
    once: set[tuple[str, bytes, int]] = set()
    several: set[tuple[str, bytes, int]] = set()
    for (buyer, number), trades in gathered.sent.items():
        seen = at_a_glance(number)
        for one in trades.values():
            key = buyer, seen, one.amount
            (several if key in once else once).add(key)
    return several


def _is_sale(name: str) -> bool:
    return name.startswith("sale ")
