"""Books and documents of any number of entities, laid side by side (2100.032(a), interpretations 34, 43, 48).

What is found is sorted by the bushels at stake. A double sale needs both books to show; what a missing book would
explain is called a broken chain, not a double sale.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from provender.custody.model.lots import joined, length
from provender.custody.queries.claims import ENDED, Claim, back_of
from provender.custody.queries.double_claims import counted_once, double_claims, frame
from provender.custody.reconcile.comparison import circles, compared, share_discrepancies
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.gathered import Gathered
from provender.custody.reconcile.reports import period_discrepancies, report_discrepancies, rewritten, sold_on
from provender.exact import show

if TYPE_CHECKING:
    from provender.custody.events.reports import ReportEvent


def reconcile(gathered: Gathered) -> list[Discrepancy]:
    """Return everything that does not fit, the most bushels first."""
    found = [
        *claim_discrepancies(gathered),
        *_shortfalls(gathered),
        *origin_discrepancies(gathered),
        *report_discrepancies(gathered),
        *_behind_two(gathered.tickets, DiscrepancyKind.SAME_TICKET, "Ticket"),
        *_behind_two(gathered.fields, DiscrepancyKind.SAME_FIELD, "Field"),
        *_counterparts(gathered),
        *circles(gathered.claims, gathered.roots),
        *period_discrepancies(gathered),
        *share_discrepancies(gathered),
        *compared(gathered),
        *gathered.identities.discrepancies(),
        *rewritten(gathered),
        *gathered.held,
        *sold_on(gathered),
    ]
    return sorted(found, key=lambda one: (-one.bushels, one.kind, one.said))


def claim_discrepancies(gathered: Gathered) -> Iterator[Discrepancy]:
    """Yield serials whose claims do not form one chain."""
    rows = frame(gathered.standing())
    books = frozenset(name for owners in gathered.owners for name in owners)
    for one in double_claims(counted_once(rows), gathered.roots, books):
        kind = DiscrepancyKind(str(one.fault))
        unseen = [party for party in one.holders if party != ENDED and party not in books]
        ask = ""
        if kind is DiscrepancyKind.BROKEN_CHAIN and unseen:
            kind = DiscrepancyKind.LINK_NOT_SHOWN
            ask = f" What lies between is not here: ask for the book, slip or document of {' or '.join(unseen)}."
        where = f"{one.origin}, serials {show(one.start, group=True)} to {show(one.stop, group=True)}"
        if kind in (DiscrepancyKind.DOUBLE_SALE, DiscrepancyKind.OVERLAP):
            gathered.doubled[one.origin].append((one.start, one.stop))
        yield Discrepancy(kind, one.stop - one.start, f"{where}: {'; '.join(one.parties)}.{ask}")


def _shortfalls(gathered: Gathered) -> Iterator[Discrepancy]:
    """Find serials that one book took for unsold when a report shrank, and that another shows as sold by the farm."""
    lost: dict[tuple[int, str, str, str], list[tuple[int, int]]] = defaultdict(list)
    concerned = {one.origin for one in gathered.ended}
    given: dict[str, list[Claim]] = defaultdict(list)
    for one in gathered.claims:
        if one.origin in concerned:
            given[one.origin].append(one)
    for ended in gathered.ended:
        for one in given[ended.origin]:
            start, stop = max(one.start, ended.start), min(one.stop, ended.stop)
            same = one.giver == ended.giver and one.day <= ended.day
            if same and one.source != ended.source and start < stop:
                lost[ended.source, ended.origin, ended.key, one.taker].append((start, stop))
    for (source, origin, event, taker), spans in sorted(lost.items()):
        taken = length(joined(spans))
        took = f"{gathered.names[source]} took {show(taken, group=True)} bu for unsold"
        said = f"{took} at {event} that the farm had sold to {taker}"
        settle = "settle by the order of interpretation 35 who bears them"
        yield Discrepancy(DiscrepancyKind.SHORTFALL_DIFFERS, taken, f"{origin}: {said}; {settle}.")


def origin_discrepancies(gathered: Gathered) -> Iterator[Discrepancy]:
    """Yield farms, crops and years with a second origin, and versions of a report that differ."""
    by_key: dict[tuple[str, str, int], list[tuple[int, ReportEvent, str]]] = defaultdict(list)
    for source, report, origin in gathered.reports:
        by_key[report.entity, report.crop, report.harvest_year].append((source, report, origin))
    for (farm, crop, year), entries in sorted(by_key.items()):
        origins = {origin: report.bushels for _, report, origin in entries}
        named = f"{farm}, {crop} {year}"
        if len(origins) > 1:
            said = f"{named} has {len(origins)} origins: {', '.join(sorted(origins))}."
            yield Discrepancy(DiscrepancyKind.SECOND_ORIGIN, min(origins.values()), said)
        versions: dict[int, set[tuple[int, int]]] = defaultdict(set)
        for _, report, _ in entries:
            versions[report.version].add((report.bushels, report.ci))
        for number, contents in sorted(versions.items()):
            if len(contents) > 1:
                files = sorted({gathered.names[source] for source, report, _ in entries if report.version == number})
                said = f"{named}: version {number} of its report differs between {', '.join(files)}."
                yield Discrepancy(DiscrepancyKind.REPORTS_DIFFER, max(bushels for bushels, _ in contents), said)


def _behind_two(held: Mapping[Any, Mapping[str, int]], kind: DiscrepancyKind, word: str) -> Iterator[Discrepancy]:
    for key, behind in held.items():
        if len(behind) > 1:
            name = " of ".join(reversed(key)) if isinstance(key, tuple) else key
            said = f"{word} {name} stands behind {' and '.join(sorted(behind))}."
            yield Discrepancy(kind, min(behind.values()), said)


def _counterparts(gathered: Gathered) -> Iterator[Discrepancy]:
    """Compare the two legs of each transfer as far as the books of both parties were given."""
    came_back: dict[Back, int] = defaultdict(int)
    for one in gathered.claims if gathered.back else ():
        came_back[one.source, one.key, one.giver, one.taker] += one.stop - one.start
    books_of: dict[str, list[int]] = defaultdict(list)
    for source, owners in enumerate(gathered.owners):
        for owner in owners:
            books_of[owner].append(source)
    for (giver, taker, number), legs in sorted(gathered.transfers.items()):
        amounts = set(legs.values())
        back = gathered.back.get((giver, taker, number), ())
        pair = f"{giver} to {taker}, {number}"
        if len(amounts) > 1:
            shown = " and ".join(
                f"{show(legs[source], group=True)} bu in {gathered.names[source]}" for source in sorted(legs)
            )
            yield Discrepancy(DiscrepancyKind.MISSING_COUNTERPART, max(amounts) - min(amounts), f"{pair}: {shown}.")
        for party, word in ((giver, "seller"), (taker, "buyer")):
            books = books_of.get(party, [])
            if any(source in back for source in books):
                yield from _still_there(gathered, (giver, taker, number), word, came_back)
                if word == "seller" and taker not in books_of and (giver, taker, number) not in gathered.agreed:
                    yield from _signed_away(gathered, (giver, taker, number), came_back)
                continue
            if books and not any(source in legs for source in books):
                said = f"{pair}: the {word}'s book ({gathered.names[books[0]]}) does not have it."
                yield Discrepancy(DiscrepancyKind.MISSING_COUNTERPART, max(amounts), said)


def _signed_away(
    gathered: Gathered, transfer: tuple[str, str, str], came_back: Mapping["Back", int]
) -> Iterator[Discrepancy]:
    """Tell of a paper over what its seller took back alone: only the buyer's paper undoes it."""
    giver, taker, number = transfer
    key, books = (back_of(number), taker, giver), gathered.owners
    returned = max(
        (size for (at, *way), size in came_back.items() if (*way,) == key and giver not in books[at]), default=0
    )
    for source, moved in gathered.transfers[transfer].items():
        if not books[source] and (left := moved - returned) > 0:
            said = (
                f"{giver} to {taker}, {number}: the seller's book took it back as entered in error, and it is signed "
            )
            said += f"in {gathered.names[source]}: ask the buyer for {show(left, group=True)} bu of it."
            yield Discrepancy(DiscrepancyKind.MISSING_COUNTERPART, left, said)


Back = tuple[int, str, str, str]
"""In which file, under which key, from whom to whom."""


def _still_there(
    gathered: Gathered, transfer: tuple[str, str, str], word: str, came_back: Mapping[Back, int]
) -> Iterator[Discrepancy]:
    """Tell of a transfer that one party's book took back as entered in error while the other's has it still."""
    giver, taker, number = transfer
    other, of_other = (taker, "buyer") if word == "seller" else (giver, "seller")
    for source, moved in gathered.transfers[transfer].items():
        if other in gathered.owners[source] and source not in gathered.back[transfer]:
            left = moved - came_back.get((source, back_of(number), taker, giver), 0)
            if left > 0:
                said = f"{giver} to {taker}, {number}: the {word}'s book took it back as entered in error, and "
                said += f"the {of_other}'s ({gathered.names[source]}) has {show(left, group=True)} bu of it still."
                yield Discrepancy(DiscrepancyKind.MISSING_COUNTERPART, left, said)
