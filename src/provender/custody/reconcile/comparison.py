"""What books and papers side by side say of the same trade, act, origin, report, ticket or name (2100.032(a))."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from itertools import combinations
from typing import Final

from provender.custody.model.grain import Load, alike, loads_twice
from provender.custody.model.lots import Span, joined, layers, length, subtract_spans
from provender.custody.queries.claims import TRADES, Claim, back_of, differences, one_sided
from provender.custody.queries.double_claims import UNDOING
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind, look_alikes, skeleton, under_two
from provender.custody.reconcile.gathered import Dated, Hands, ReconcileInput, Weighed
from provender.exact import CI_SCALE, show, ticket_key


def compared(gathered: ReconcileInput) -> Iterator[Discrepancy]:
    """Yield what is said differently of one thing, or alike of two."""
    yield from _legs(gathered)
    yield from _acts(gathered)
    yield from _disputes(gathered)
    beside = frozenset(name for owners in gathered.owners for name in owners)
    for source, said, bushels, scale in gathered.typed:
        if scale in beside:
            continue  # the ticket is held against that book
        yield Discrepancy(DiscrepancyKind.TYPED_ENTRY, bushels, f"{gathered.names[source]}: {said}")
    yield from _origins(gathered)
    yield from _names(gathered)
    yield from _numbers(gathered)
    yield from _tickets(gathered)
    yield from _sent(gathered)
    yield from _weighed(gathered)


def _legs(gathered: ReconcileInput) -> Iterator[Discrepancy]:
    several = ((trade, legs) for trade, legs in gathered.legs.items() if len(legs) > 1)
    for (giver, taker, number), legs in sorted(several):
        for (one, mine), (other, its) in combinations(sorted(legs.items()), 2):
            if said := "; ".join(differences(mine, its)):
                files = f"{gathered.names[one]} and {gathered.names[other]}"
                stake = max(gathered.transfers[giver, taker, number].values(), default=0)
                told = f"{giver} to {taker}, {number}: {files} differ in {said}."
                yield Discrepancy(DiscrepancyKind.LEGS_DIFFER, stake, told)


def _acts(gathered: ReconcileInput) -> Iterator[Discrepancy]:
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


def _disputes(gathered: ReconcileInput) -> Iterator[Discrepancy]:
    for source, act, owner, bushels in gathered.disputes:
        has = f"{owner} has {show(bushels, group=True)} bu by {act}"
        said = f"{gathered.names[source]}: {has}, without the other party's paper."
        yield Discrepancy(DiscrepancyKind.IN_DISPUTE, bushels, said)


def _origins(gathered: ReconcileInput) -> Iterator[Discrepancy]:
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
    named: dict[str, set[str]] = defaultdict(set)
    for _, report, origin in gathered.reports:
        crops[origin].add(report.crop)
        years[origin].add(report.harvest_year)
        name = f"{report.entity}, {report.crop} {report.harvest_year}, version {report.version}"
        named[report.report.lower()].add(name)
    for word, found in (("crop", crops), ("harvest year", years)):
        for origin, words in under_two(found):
            said = f"{origin} stands under more than one {word}: {', '.join(words)}."
            yield Discrepancy(DiscrepancyKind.ORIGIN_DIFFERS, size[origin], said)
    for origin, listed in _grown_better(gathered, seen):
        said = f"{origin} stands under a better carbon intensity than its report or an earlier trade says: {listed}."
        yield Discrepancy(DiscrepancyKind.ORIGIN_DIFFERS, size[origin], said)
    for digest, several in under_two({digest: those for digest, those in named.items() if digest}):
        said = f"One report, {digest[:16]}, stands for more than one: {'; '.join(several)}."
        yield Discrepancy(DiscrepancyKind.SECOND_ORIGIN, 0, said)


def _grown_better(gathered: ReconcileInput, seen: Mapping[str, set[int]]) -> Iterator[tuple[str, str]]:
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


def _traded(gathered: ReconcileInput, origins: Collection[str]) -> dict[str, list[_Told]]:
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


def _names(gathered: ReconcileInput) -> Iterator[Discrepancy]:
    parties = {one.giver for one in gathered.claims} | {one.taker for one in gathered.claims}
    names = {*gathered.entities, *parties, *(report.entity for _, report, _ in gathered.reports)} - {""}
    groups = list(look_alikes(names))
    stake: dict[str, int] = defaultdict(int)
    for one in gathered.claims if groups else ():
        for party in (one.giver, one.taker):
            stake[party] += one.stop - one.start
    for group in groups:
        said = f"These names look alike and are two parties: {', '.join(map(repr, group))}."
        yield Discrepancy(DiscrepancyKind.LOOK_ALIKE, min(stake.get(name, 0) for name in group), said)
    size: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for one in gathered.claims:
        size[one.origin.casefold()][one.origin] += one.stop - one.start
    for spelled in size.values():
        if len(spelled) > 1:
            said = f"These origins differ in letter case and are one: {', '.join(map(repr, sorted(spelled)))}."
            yield Discrepancy(DiscrepancyKind.LOOK_ALIKE, min(spelled.values()), said)
    for party, sites in sorted(gathered.sites.items()):
        for group in look_alikes(sites):
            said = f"These sites of {party} look alike: {', '.join(map(repr, group))}."
            yield Discrepancy(DiscrepancyKind.LOOK_ALIKE, 0, said)


def _numbers(gathered: ReconcileInput) -> Iterator[Discrepancy]:
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


def _tickets(gathered: ReconcileInput) -> Iterator[Discrepancy]:
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
    same: dict[tuple[str, str, int], dict[tuple[str, str], None]] = defaultdict(dict)
    for (site, number), behind in tickets.items():
        for name, bushels in behind.items():
            same[skeleton(number), name, bushels][site, number] = None
    for (_, name, bushels), places in same.items():
        if len({site for site, _ in places}) > 1:
            where = " and ".join(f"{number} of {site}" for site, number in places)
            said = f"Ticket {where} is one ticket at two sites: {show(bushels, group=True)} bu behind {name}."
            yield Discrepancy(DiscrepancyKind.SAME_TICKET, bushels, said)


def _sent(gathered: ReconcileInput) -> Iterator[Discrepancy]:
    """Find one ticket of a buyer behind two sales to it, or behind one and behind a purchase of its own.

    Each scale begins its numbers anew, and trucks weigh alike: a ticket that a sale does not call the buyer's is the
    same one as another only where both are of one day.
    """
    behind: dict[tuple[str, str, int], dict[date | None, set[str]]] = defaultdict(lambda: defaultdict(set))
    for (buyer, number), trades in gathered.sent.items():
        for name, one in trades.items():
            alike = behind[buyer, skeleton(number), one.amount]
            for day in (one.day, None) if one.at_buyer else (one.day,):
                alike[day].add(name)
    for (buyer, number, amount), alike in behind.items():
        several = [names for names in alike.values() if len(names) > 1]
        sales = [names for names in several if any(name.startswith("sale ") for name in names)]
        if names := set[str]().union(*sales):
            said = (
                f"Ticket {number} of {buyer}, {show(amount, group=True)}, stands behind {' and '.join(sorted(names))}."
            )
            yield Discrepancy(DiscrepancyKind.SAME_TICKET, amount, said)


def _weighed(gathered: ReconcileInput) -> Iterator[Discrepancy]:
    """Hold tickets against the books of those whose scales they are of, and one book's loads against another's."""
    for said, amount in gathered.others.items():
        yield Discrepancy(DiscrepancyKind.SAME_TICKET, amount, f"{said}.")
    loads = list(dict.fromkeys(gathered.loads))
    for one, other in loads_twice(loads):
        if not (one.claim and other.claim):  # what stands behind two trades is told of these
            both = f"Ticket {one.number} of {one.place} and {other.number} of {other.place}"
            said = f"{both}, of {one.day}, are one load"
            yield Discrepancy(DiscrepancyKind.SAME_TICKET, one.amount, f"{said}: {show(one.amount, group=True)}.")
    there: dict[tuple[str, str], list[Load]] = defaultdict(list)
    for load in loads:
        there[load.entity, ticket_key(load.number)].append(load)
    own = frozenset(party for owners in gathered.owners for party in owners)
    for (buyer, number), trades in gathered.sent.items():
        for name, weighed in trades.items():
            if buyer in own and weighed.at_buyer and name.startswith("sale "):
                said = f"Ticket {number} of {buyer}, behind {name},"
                yield from _at_destination(there[buyer, number], said, weighed)


def _at_destination(held: Sequence[Load], said: str, one: Weighed) -> Iterator[Discrepancy]:
    """Tell of a ticket of the buyer's scale that a sale names and the buyer's book does not have, or has otherwise."""
    alike_ones = [each for each in held if (each.amount, each.day, each.form) == (one.amount, one.day, one.form)]
    if not held:
        said = f"{said} is not in the buyer's book: {show(one.amount, group=True)}."
        yield Discrepancy(DiscrepancyKind.MISSING_COUNTERPART, one.amount, said)
    elif not alike_ones:
        theirs = f"{show(held[0].amount, group=True)} of {held[0].form} on {held[0].day}"
        ours = f"{show(one.amount, group=True)} of {one.form} on {one.day}"
        said = f"{said} is {ours} there and {theirs} in the buyer's book."
        yield Discrepancy(DiscrepancyKind.LEGS_DIFFER, one.amount, said)
    elif not any(not each.name or alike(each.name, one.giver) for each in alike_ones):
        said = f"{said} is in the name of {alike_ones[0].name} in the buyer's book."
        yield Discrepancy(DiscrepancyKind.SAME_TICKET, one.amount, said)


# Serials that came back to somebody who had sold them, not as a return (2100.032(a)).

_PASSING: Final = frozenset(TRADES) - {"slip"}


def circles(claims: Sequence[Claim], roots: Mapping[str, str]) -> Iterator[Discrepancy]:
    """Find serials that came back to somebody who had sold them, not as a return.

    Who bought and sold on one day bought first: only what it had besides came round.
    """
    # Only who got of an origin what it had given comes round: nearly every giver of one never got of it.
    got = {(one.origin, one.taker) for one in claims if one.kind in _PASSING}
    round_trips = got & {(one.origin, one.giver) for one in claims if one.kind in _PASSING}
    moved: dict[tuple[str, str], list[tuple[int, int, Claim]]] = defaultdict(list)
    for one in claims if round_trips else ():
        for party in {one.giver, one.taker} if one.kind != "slip" else ():
            if (one.origin, party) in round_trips:
                moved[one.origin, party].append((one.start, one.stop, one))
    for (origin, party), rows in moved.items():
        found: dict[tuple[str, str], list[Span]] = defaultdict(list)
        for start, stop, here in layers(rows):
            for out, back in _came_round(here, party, grew=roots.get(origin) == party):
                found[out.key, back.key].append((start, stop))
        for (out_key, back_key), spans in found.items():
            first = show(spans[0][0], group=True)
            said = f"{origin}: {party} sold serials from {first} ({out_key}) and has them again ({back_key})."
            yield Discrepancy(DiscrepancyKind.CIRCULAR_TRADE, length(joined(spans)), said)


def _came_round(here: Sequence[Claim], party: str, *, grew: bool) -> Iterator[tuple[Claim, Claim]]:
    """Yield by which trades one serial left a party and came back to it, of all that the party did with it."""
    trades = [one for one in here if one.kind in _PASSING]
    acts = [one for one in here if one.kind not in TRADES]
    for back in (one for one in trades if one.taker == party):
        undone = back_of(back.key)
        # What it never had, refused or entered in error, did not come back, unless that was taken back in turn.
        gone = any(one.key == undone and one.taker == back.giver and one.kind in UNDOING for one in acts)
        if gone and not any(one.key == back_of(undone) and one.taker == party for one in acts):
            continue
        for out in (one for one in trades if one.giver == party and one.day <= back.day and one.key != back.key):
            returned = (one for one in acts if one.taker == party and one.key == back_of(out.key))
            if any(one.day <= back.day for one in returned):
                continue
            if out.day < back.day or grew or _had_besides(here, party, back):
                yield out, back


def _had_besides(here: Sequence[Claim], party: str, back: Claim) -> bool:
    """Tell whether a party had a serial besides by a trade of a day on which it sold it too.

    More came before that day than went, or by another trade of the day that was not given back. Several books tell of
    one change of hands: it counts once.
    """
    once = {(one.key, one.giver, one.taker): one for one in here if one.day <= back.day}.values()
    before = sum((one.taker == party) - (one.giver == party) for one in once if one.day < back.day)
    returned = {one.key for one in once if one.giver == party}
    others = (one for one in once if one.day == back.day and one.taker == party and one.kind in TRADES)
    return before > 0 or any(one.key != back.key and back_of(one.key) not in returned for one in others)


# What went from a farm to its landowner, and what a third book was shown of shares and slips, serial by serial.
#
# A share has no paper of its own and no number that two books need have in common: a book that is shown a landowner's
# share keeps of it what its own trade needs, under a name of its own. So not entries are compared but all serials of an
# origin that went from one party to another.


def share_discrepancies(gathered: ReconcileInput) -> Iterator[Discrepancy]:
    """Yield shares that the books of farm and landowner tell differently, and serials that a third book alone has."""
    for hands, told in sorted(gathered.shares.items()):
        yield from _missing(gathered, hands, told)
        for (one, mine), (other, its) in combinations(sorted(told.items()), 2):
            yield from _differing(gathered, hands, (one, mine), (other, its))
    yield from _beyond(gathered)


def _hands_text(hands: Hands) -> str:
    giver, taker, origin = hands
    return f"{giver} to {taker}, share of {origin}"


def _missing(gathered: ReconcileInput, hands: Hands, told: Mapping[int, Sequence[Dated]]) -> Iterator[Discrepancy]:
    for party, word in zip(hands, ("farm", "landowner"), strict=False):
        books = [source for source, owners in enumerate(gathered.owners) if party in owners]
        if books and not any(source in told for source in books):
            most = max(length(_spans(spans)) for spans in told.values())
            said = f"{_hands_text(hands)}: the {word}'s book ({gathered.names[books[0]]}) does not have it."
            yield Discrepancy(DiscrepancyKind.MISSING_COUNTERPART, most, said)


def _differing(
    gathered: ReconcileInput, hands: Hands, one: tuple[int, Sequence[Dated]], other: tuple[int, Sequence[Dated]]
) -> Iterator[Discrepancy]:
    mine, its = _spans(one[1]), _spans(other[1])
    apart = length(subtract_spans(mine, its)) + length(subtract_spans(its, mine))
    if mine != its:
        has = " and ".join(f"{show(length(spans), group=True)} bu in {gathered.names[source]}"
                           for source, spans in ((one[0], mine), (other[0], its)))  # fmt: skip
        same = " of other serials" if length(mine) == length(its) else ""
        yield Discrepancy(DiscrepancyKind.MISSING_COUNTERPART, apart, f"{_hands_text(hands)}: {has}{same}.")
    elif days := _other_days(one[1], other[1]):
        files = f"{gathered.names[one[0]]} and {gathered.names[other[0]]}"
        said = f"{_hands_text(hands)}: {files} differ in title date {days[0]} and {days[1]}."
        yield Discrepancy(DiscrepancyKind.LEGS_DIFFER, length(mine), said)


def _spans(told: Sequence[Dated]) -> list[Span]:
    return joined((start, stop) for start, stop, _ in told)


def _other_days(mine: Sequence[Dated], its: Sequence[Dated]) -> tuple[date, date] | None:
    """Return the first two days that the same serials have in two books."""
    pairs = ((day, other) for start, stop, day in mine for low, high, other in its if start < high and low < stop)
    return next(((day, other) for day, other in pairs if day != other), None)


def _beyond(gathered: ReconcileInput) -> Iterator[Discrepancy]:
    """Yield what somebody else's book has of slips and shares beyond what farm, landowner or buyer have themselves."""
    signed = _signed(gathered) if gathered.shown else {}
    for hands, shown in sorted(gathered.shown.items()):
        told = signed.get(hands, {})
        books = [source for source, owners in enumerate(gathered.owners) if owners & {*hands[:2]}]
        for source, spans in sorted(shown.items()):
            over = subtract_spans(joined(spans), [span for book in books for span in told.get(book, ())])
            if books and over:
                giver, taker, origin = hands
                has = f"{gathered.names[source]} was shown {show(length(over), group=True)} bu of {origin}"
                said = f"{giver} to {taker}: {has} that {gathered.names[books[0]]} does not have."
                yield Discrepancy(DiscrepancyKind.LEGS_DIFFER, length(over), said)


def _signed(gathered: ReconcileInput) -> dict[Hands, dict[int, list[Span]]]:
    """Return the serials that left each grower to each buyer by what a file says of them."""
    found: dict[Hands, dict[int, list[Span]]] = defaultdict(lambda: defaultdict(list))
    for (giver, taker, _), legs in gathered.legs.items():
        for source, leg in legs.items():
            for part in leg.parts:
                found[giver, taker, part.origin][source].append((part.start, part.stop))
    for hands, told in gathered.shares.items():
        for source, spans in told.items():
            found[hands][source] += _spans(spans)
    # Of a slip that was taken back its buyer has what it had purchased before, and what came back was shown as a sale.
    for one in gathered.claims:
        if (one.giver, one.taker, one.origin) in gathered.shown:
            found[one.giver, one.taker, one.origin][one.source].append((one.start, one.stop))
    return found
