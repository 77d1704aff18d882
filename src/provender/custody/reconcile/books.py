"""Books and documents of any number of entities, laid side by side (2100.032(a), interpretations 34, 43, 48).

What is found is sorted by the bushels at stake. A double sale needs both books to show; what a missing book would
explain is called a broken chain, not a double sale.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from provender.custody.documents.build import PERIOD, RESTATEMENT
from provender.custody.documents.consents import NOTICE, again, decided, issuer_of, passed_over
from provender.custody.documents.refiner_figures import FIGURES
from provender.custody.events.reports import NoticeKind
from provender.custody.events.trade import CONSENT
from provender.custody.events.typed import SignedEntry
from provender.custody.model.lots import Span, joined, length, subtract_spans
from provender.custody.model.store_view import StoreView
from provender.custody.queries.claims import ENDED, Claim, Leg, LegPart, back_of
from provender.custody.queries.double_claims import counted_once, double_claims, frame
from provender.custody.reconcile.comparison import circles, compared, share_discrepancies
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.gathered import KEPT, ReconcileInput, Seals
from provender.exact import SCALE, parse, show
from provender.problem import ProblemsError, listed

if TYPE_CHECKING:
    from provender.custody.events.reports import ReportEvent


# A report that got worse, and who sold its bushels on afterwards without having it in its book (interpretation 35).


class Change(NamedTuple):
    """What one file knows of a report: that it was withdrawn, suspended, in force again, or has a worse intensity.

    Of a notice only the serials that it names are changed; where there are none, all of the report. It counts from its
    day on, and is held against nobody up to the day before which no book had it.
    """

    source: int
    day: date
    entered: date
    kind: NoticeKind
    ci: int = 0
    spans: tuple[Span, ...] = ()

    def of(self, part: LegPart) -> int:
        """Return how many of some bushels it changes, in thousandths."""
        whole = [(part.start, part.stop)]
        return length(whole) - (length(subtract_spans(whole, self.spans)) if self.spans else 0)


_SAID = {
    NoticeKind.WITHDRAWN: "withdrawn",
    NoticeKind.SUSPENDED: "suspended",
    NoticeKind.WORSE_CI: "given a worse carbon intensity",
}
_RESTING = frozenset({NoticeKind.SUSPENDED, NoticeKind.REINSTATED})


def sold_on(gathered: ReconcileInput) -> Iterator[Discrepancy]:
    """Yield what was sold or retired after a change of its report that the book does not have and another's has."""
    changes = _changes(gathered)
    reported = {(source, origin) for source, _, origin in gathered.reports}
    sold: dict[tuple[str, str, str, NoticeKind, int, Change, bool], int] = defaultdict(int)
    for giver, did, source, leg in _given(gathered) if changes else ():
        for origin, change, bushels in _unknown(source, leg, changes):
            # Of a worse intensity only who has the report itself is held to its versions: others are told.
            if change.kind is NoticeKind.WORSE_CI and (source, origin) not in reported:
                continue
            sold[origin, giver, did, change.kind, source, change, leg.day <= change.entered] += bushels
    for (origin, giver, did, kind, source, change, before), bushels in sorted(sold.items()):
        done = f"{origin}: {giver} {did.format(bushels=show(bushels))}"
        if before:
            changed = f"its report was {_SAID[kind]} as of {change.day}"
            yield _in_good_faith(gathered, done, changed, change, bushels)
            continue
        said = f"{done} after its report was {_SAID[kind]} on {change.day}: "
        said += f"{gathered.names[source]} does not have that and {gathered.names[change.source]} has."
        yield Discrepancy(DiscrepancyKind.ORIGIN_DIFFERS, bushels, said)
    yield from _sold_of_fewer(gathered)


def _in_good_faith(
    gathered: ReconcileInput, done: str, changed: str, change: "Change | Fewer", bushels: int
) -> Discrepancy:
    """Return what is said of bushels that were given away before anybody had the change (interpretation 35)."""
    has = f"{gathered.names[change.source]} has that behind entries of {change.entered}"
    said = f"{done} before {changed}: {has}, so it was in good faith. Tell those who have them now."
    return Discrepancy(DiscrepancyKind.CHANGED_LATER, bushels, said)


def _given(gathered: ReconcileInput) -> Iterator[tuple[str, str, int, Leg]]:
    """Yield what each party's own book says it sold or retired, with that in words."""
    for word, trades in (("sold {bushels} bu on", gathered.legs), ("retired {bushels} bu", gathered.retired)):
        for (giver, *_), legs in trades.items():
            yield from ((giver, word, source, leg) for source, leg in legs.items() if giver in gathered.owners[source])


class Fewer(NamedTuple):
    """A version of a report with fewer bushels than the one before: how many, and which serials bear them by a book."""

    source: int
    version: int
    day: date
    entered: date
    missing: int
    lost: tuple[Span, ...] | None


def _sold_of_fewer(gathered: ReconcileInput) -> Iterator[Discrepancy]:
    """Yield what was sold or retired by books that have a report, but not its later version with fewer bushels.

    Where a book has the later version, it says which serials bear what is missing, and nothing is said of others. By
    the report alone nobody knows who bears it, and it is the fault of none.
    """
    fewer, known = _fewer(gathered), defaultdict[tuple[int, str], int](int)
    for source, report, origin in gathered.reports:
        known[source, origin] = max(known[source, origin], report.version)
    sold: dict[tuple[str, str, str, int, Fewer, bool], int] = defaultdict(int)
    for giver, did, source, leg in _given(gathered) if fewer else ():
        for part in leg.parts:
            if (have := known.get((source, part.origin))) is None:
                continue
            new = [one for one in fewer.get(part.origin, ()) if one.version > have and one.day < leg.day]
            shown = [one for one in new if one.lost is not None]
            for one in shown or new[:1]:
                left = [] if one.lost is None else subtract_spans([(part.start, part.stop)], one.lost)
                if over := part.stop - part.start - length(left):
                    sold[part.origin, giver, did, source, one, leg.day <= one.entered] += over
    for (origin, giver, did, source, one, before), bushels in sorted(sold.items()):
        done = f"{origin}: {giver} {did.format(bushels=show(bushels))}"
        version = f"version {one.version} of its report of {one.day} had {show(one.missing, group=True)} bu fewer"
        if before and one.lost is not None:
            yield _in_good_faith(gathered, done, version, one, bushels)
            continue
        said = f"{done} after {version}: "
        said += f"{gathered.names[source]} does not have that and {gathered.names[one.source]} has"
        if one.lost is None:
            stake, more = min(bushels, one.missing), "; settle by the order of interpretation 35 who bears them."
            yield Discrepancy(DiscrepancyKind.SHORTFALL_DIFFERS, stake, said + more)
        else:
            yield Discrepancy(DiscrepancyKind.ORIGIN_DIFFERS, bushels, said + ".")


def _fewer(gathered: ReconcileInput) -> dict[str, list[Fewer]]:
    found: dict[str, list[Fewer]] = defaultdict(list)
    bushels: dict[str, dict[int, int]] = defaultdict(dict)
    for _, report, origin in gathered.reports:
        bushels[origin].setdefault(report.version, report.bushels)
    for source, report, origin in gathered.reports:
        before = [number for number in bushels[origin] if number < report.version]
        missing = bushels[origin][max(before)] - report.bushels if before else 0
        if missing > 0:
            lost = gathered.lost.get((source, origin, report.version))
            day = report.day
            entered = gathered.entered.get((source, origin, report.version), day)
            found[origin].append(Fewer(source, report.version, day, entered, missing, lost))
    return {
        origin: sorted(those, key=lambda one: (one.day, one.version, one.source)) for origin, those in found.items()
    }


def _changes(gathered: ReconcileInput) -> dict[str, list[Change]]:
    """Return what files know of each report, later versions included, in the order of their days."""
    found: dict[str, list[Change]] = defaultdict(list)
    for source, origin, day, entered, kind, ci, spans in gathered.changes:
        found[origin].append(Change(source, day, entered, kind, ci, spans))
    for source, report, origin in gathered.reports:
        if report.version > 1:
            day = report.day
            entered = gathered.entered.get((source, origin, report.version), day)
            found[origin].append(Change(source, day, entered, NoticeKind.WORSE_CI, report.ci))
    return {
        origin: sorted(changes, key=lambda one: (one.day, one.kind, one.source)) for origin, changes in found.items()
    }


def _unknown(source: int, leg: Leg, changes: dict[str, list[Change]]) -> Iterator[tuple[str, Change, int]]:
    for part in leg.parts:
        known = [one for one in changes.get(part.origin, ()) if one.of(part)]
        before = [one for one in known if one.day < leg.day]
        again = next((one for one in reversed(before) if one.kind is NoticeKind.REINSTATED), None)
        last = {one.kind: one for one in before if not _has(source, one, known)}
        # Of several that tell of one kind of change, one that was there in time is the one that counts.
        timely = {one.kind: one for one in before if one.kind in last and one.entered < leg.day}
        for kind, latest in last.items():
            for one in (timely.get(kind, latest), latest):
                if _is_bad(one, part, again):
                    yield part.origin, one, one.of(part)
                    break


def _has(source: int, one: Change, known: Sequence[Change]) -> bool:
    """Tell whether a book has a change that another tells of, under whatever day and number.

    It may have one of the kind and not have the next: a worse intensity than those it has, or a report suspended once
    more. A notice has the day on which it came, which is no day of the change: those are counted, as often as reports
    rested in a book.
    """
    mine = [each for each in known if (each.source, each.kind) == (source, one.kind)]
    if not mine:
        return False
    if one.kind is NoticeKind.WORSE_CI:
        return max(each.ci for each in mine) >= one.ci
    if one.kind is not NoticeKind.SUSPENDED:
        return True
    if not one.spans:
        return max(each.day for each in mine) >= one.day
    return _rests(source, known) >= _rests(one.source, known[: known.index(one) + 1])


def _rests(source: int, known: Sequence[Change]) -> int:
    """Return how often a report was suspended in a book while it was in force there."""
    standing = [each.kind for each in known if each.source == source and each.kind in _RESTING]
    suspended = NoticeKind.SUSPENDED
    return sum(now is suspended and before is not suspended for before, now in pairwise([None, *standing]))


def _is_bad(one: Change, part: LegPart, again: Change | None) -> bool:
    """Tell whether a change keeps bushels from being sold as they were, given when their report was in force again."""
    if one.kind is NoticeKind.SUSPENDED:
        return again is None or again.day < one.day
    return one.kind is NoticeKind.WITHDRAWN or (
        one.kind is NoticeKind.WORSE_CI and bool(part.crop) and part.ci < one.ci
    )


# Whether the papers are here that books and other papers rest on (2100.031(c), 2100.032(b)).
#
# A book can be written anew by hand: that an entry is signed is its own word until the paper is here or the book of
# whoever signed. What is not here is asked for, once for all where no signed paper is, else file by file. It is no
# fault: it is not shown. Serials beyond all that a report ever had are bushels of nobody.

NAMED = 5
"""How many papers are named of those that are asked for."""


def _report_discrepancies(gathered: ReconcileInput) -> Iterator[Discrepancy]:
    """Yield serials beyond what reports have, entries that their papers contradict, and papers that are asked for."""
    yield from _beyond(gathered)
    missing: dict[int, dict[str, int]] = defaultdict(dict)
    own = frozenset(party for owners in gathered.owners for party in owners)
    for source, one, why in unlike_papers(gathered):
        if why:
            said = f"{gathered.names[source]}: {one.what}: {why}."
            yield Discrepancy(DiscrepancyKind.ENTERED_OTHERWISE, one.bushels, said)
        elif one.speaker not in own:
            asked = f"{one.paper} of {one.speaker}"
            missing[source][asked] = missing[source].get(asked, 0) + one.bushels
    if missing and not gathered.beside:
        every = {asked: 0 for papers in missing.values() for asked in papers}
        yield _ask_for("Nothing here is shown to be signed", every)  # after all that is amiss
        return
    for source, papers in sorted(missing.items()):
        yield _ask_for(f"{gathered.names[source]} rests on papers that are not here", papers)


def unlike_papers(gathered: ReconcileInput) -> Iterator[tuple[int, SignedEntry, str]]:
    """Yield the entries whose paper is not here, or says otherwise: with their file, and how in words."""
    for source, one in gathered.signed:
        papers = gathered.beside.get(one.about, {})
        said = papers.get(one.signed_by, {})
        if not papers:
            yield source, one, ""
        elif one.signed_by and not said:
            kid, files = next(iter(papers.items()))
            yield source, one, f"signed with key {one.signed_by}, and {next(iter(files))} with {kid}"
        elif not any(not terms or one.term in terms for terms in said.values()) and one.signed_by:
            file, terms = next(iter(said.items()))
            yield source, one, f"it says {one.term}, and {file} says {min(terms)}"


def _issued_by(versions: Mapping[int, int]) -> int | None:
    """Return the serial after the last that a report's versions, by number, ever gave; None where one is not known.

    Serials that a version dropped stay void, and bushels that a later one adds get new ones.
    """
    numbers = sorted(versions)
    if numbers != list(range(1, len(numbers) + 1)):
        return None
    return versions[1] + sum(max(0, versions[later] - versions[number]) for number, later in pairwise(numbers))


def beyond(origin: str, issued: int, stop: int) -> Discrepancy:
    """Return what is said of serials beyond an origin's reports."""
    has = f"the versions of its report that are here have none from {show(issued, group=True)} on"
    said = f"{origin}, serials {show(issued, group=True)} to {show(stop, group=True)}: they are claimed, and {has}."
    return Discrepancy(DiscrepancyKind.BROKEN_CHAIN, stop - issued, said)


def _beyond(gathered: ReconcileInput) -> Iterator[Discrepancy]:
    versions: dict[str, dict[int, int]] = defaultdict(dict)
    for _, report, origin in gathered.reports:
        versions[origin][report.version] = max(report.bushels, versions[origin].get(report.version, 0))
    stops: dict[str, int] = {}
    for one in gathered.claims if versions else ():
        if one.origin in versions:
            stops[one.origin] = max(one.stop, stops.get(one.origin, 0))
    for origin, stop in sorted(stops.items()):
        issued = _issued_by(versions[origin])
        if issued is not None and stop > issued:
            yield beyond(origin, issued, stop)


def _ask_for(why: str, bushels: Mapping[str, int]) -> Discrepancy:
    """Return that papers are asked for, given how many bushels rest on each."""
    named = sorted(bushels, key=lambda paper: (-bushels[paper], paper))
    said = f"{why}: ask for the {listed(named, NAMED)}."
    return Discrepancy(DiscrepancyKind.LINK_NOT_SHOWN, sum(bushels.values()), said)


# Balance statements of periods: each balances, and begins with what the one before it ended with (2100.034(d)).


def _period_discrepancies(gathered: ReconcileInput) -> Iterator[Discrepancy]:
    """Yield statements that do not balance, that differ, or that do not follow on one another."""
    by_entity: dict[str, dict[str, Mapping[str, Any]]] = defaultdict(dict)
    for source, balance in gathered.periods:
        name = gathered.names[source]
        try:
            entity, start = str(balance["entity"]), str(balance["start"])
            wrong = list(_unbalanced(balance, name))
            _ = date.fromisoformat(start), date.fromisoformat(balance["end"])  # which the next one is held against
        except (KeyError, TypeError, ValueError, AttributeError):
            said = f"{name}: the statement of a period cannot be read."
            yield Discrepancy(DiscrepancyKind.UNBALANCED_PERIOD, 0, said)
            continue
        yield from wrong
        other = by_entity[entity].setdefault(start, balance)
        if other != balance:
            yield Discrepancy(
                DiscrepancyKind.UNBALANCED_PERIOD, 0, f"{entity}: two statements of the period from {start} differ."
            )
    for (party, day, said), amount in sorted(gathered.late.items()):
        for name, entity, first_day, last_day in gathered.stated:
            if entity == party and first_day <= day <= last_day:
                told = f"{said} of {party} is of {day} and was entered after the period to {last_day} was closed"
                yield Discrepancy(DiscrepancyKind.LATE_TICKET, amount, f"{told}: {name} does not know it.")
    for entity, periods in sorted(by_entity.items()):
        for (_, earlier), (_, later) in pairwise(sorted(periods.items())):
            yield from _continued(entity, earlier, later)


def _unbalanced(balance: Mapping[str, Any], name: str) -> Iterator[Discrepancy]:
    for line in balance["lines"]:
        parts = ("beginning_bu", "incoming_bu", "outgoing_bu", "ending_bu")
        beginning, incoming, outgoing, ending = (parse(line[part]) for part in parts)
        off = beginning + incoming - outgoing - ending
        if off or min(beginning, incoming, outgoing, ending) < 0:
            where = f"{name}: {balance['entity']}, {balance['start']}, {line['crop']} at CI {line['ci_g_per_bu']}"
            yield Discrepancy(
                DiscrepancyKind.UNBALANCED_PERIOD,
                abs(off) or abs(ending),
                f"{where} is off by {show(off, group=True)} bu.",
            )


def _continued(entity: str, earlier: Mapping[str, Any], later: Mapping[str, Any]) -> Iterator[Discrepancy]:
    """Hold the beginning of a period against the ending of the one before."""
    end, start = date.fromisoformat(earlier["end"]), date.fromisoformat(later["start"])
    if start != end + timedelta(days=1):
        said = f"{entity}: between {end} and {start} the periods are not continuous."
        yield Discrepancy(DiscrepancyKind.UNBALANCED_PERIOD, 0, said)
        return
    ends = {_key(line): parse(line["ending_bu"]) for line in earlier["lines"]}
    begins = {_key(line): parse(line["beginning_bu"]) for line in later["lines"]}
    for key in sorted(ends.keys() | begins.keys()):
        off = begins.get(key, 0) - ends.get(key, 0)
        if off:
            said = f"{entity}: {' '.join(key)} begins on {start} {show(off, group=True)} bu away from where it ended."
            yield Discrepancy(DiscrepancyKind.UNBALANCED_PERIOD, abs(off), said)


def _key(line: Mapping[str, Any]) -> tuple[str, str, str]:
    return str(line["crop"]), str(line["harvest_year"]), str(line["ci_g_per_bu"])


# Books that were written anew: two of one party that part, and papers made from a book that is not there any more.
#
# Each line of a book is sealed over the lines before it, and a paper carries the seal of its book's last line
# (interpretation 72). So two copies of one book are the same up to where the shorter one ends, and what a paper was
# made from stands in the book for good.
#
# Somebody who hands in an older copy of a book did nothing wrong. Beside a newer one it says nothing of its own; alone
# it cannot be told from a book whose last lines were taken off, and the book as it is now is asked for.
#
# A party's book that is taken out of one that many share is sealed anew each time: of those nothing is told here.


def rewritten(gathered: ReconcileInput) -> Iterator[Discrepancy]:
    """Yield books of one party that part from one another, and papers whose book was changed since."""
    books: dict[str, list[tuple[int, Seals]]] = defaultdict(list)
    for source, seals in sorted(gathered.seals.items()):
        if not seals.shared:
            books[seals.party].append((source, seals))
    for party, copies in books.items():
        for (one, mine), (other, its) in combinations(copies, 2):
            both = min(mine.lines, its.lines)
            if mine.at(both) == its.at(both):
                continue
            first = next(number for number in range(1, both + 1) if mine.at(number) != its.at(number))
            files = f"{gathered.names[one]} and {gathered.names[other]}"
            said = f"{party} has two books: {files} are the same up to line {first} and differ from there on."
            yield Discrepancy(DiscrepancyKind.BOOK_REWRITTEN, 0, said)
    for source, mark in gathered.marks:
        copies = books.get(mark.party, [])
        stands = any(seals.at(mark.lines) == mark.head[:KEPT] for _, seals in copies)
        for book, seals in copies:
            made = f"{gathered.names[source]} was made from {mark.lines} lines of the book of {mark.party}"
            if seals.lines >= mark.lines and seals.at(mark.lines) != mark.head[:KEPT]:
                said = f"{made}: {gathered.names[book]} differs up to there."
                yield Discrepancy(DiscrepancyKind.BOOK_REWRITTEN, 0, said)
            elif seals.lines < mark.lines and not stands:
                ask = "an older copy, or its last lines were taken off: ask for the book as it is now"
                said = f"{made}: {gathered.names[book]} has {seals.lines} lines. It is {ask}."
                yield Discrepancy(DiscrepancyKind.LINK_NOT_SHOWN, 0, said)


def reconcile(gathered: ReconcileInput) -> list[Discrepancy]:
    """Return everything that does not fit, the most bushels first."""
    found = [
        *claim_discrepancies(gathered),
        *_shortfalls(gathered),
        *origin_discrepancies(gathered),
        *_report_discrepancies(gathered),
        *_behind_two(gathered.tickets, DiscrepancyKind.SAME_TICKET, "Ticket"),
        *_behind_two(gathered.fields, DiscrepancyKind.SAME_FIELD, "Field"),
        *_counterparts(gathered),
        *circles(gathered.claims, gathered.roots),
        *_period_discrepancies(gathered),
        *share_discrepancies(gathered),
        *compared(gathered),
        *gathered.identities.discrepancies(),
        *rewritten(gathered),
        *gathered.held,
        *sold_on(gathered),
    ]
    return sorted(found, key=lambda one: (-one.bushels, one.kind, one.said))


def claim_discrepancies(gathered: ReconcileInput) -> Iterator[Discrepancy]:
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


def _shortfalls(gathered: ReconcileInput) -> Iterator[Discrepancy]:
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


def origin_discrepancies(gathered: ReconcileInput) -> Iterator[Discrepancy]:
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


def _counterparts(gathered: ReconcileInput) -> Iterator[Discrepancy]:
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
    gathered: ReconcileInput, transfer: tuple[str, str, str], came_back: Mapping["Back", int]
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
    gathered: ReconcileInput, transfer: tuple[str, str, str], word: str, came_back: Mapping[Back, int]
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


# Signed papers laid beside the book of whoever signed them: what it says otherwise, or not at all (2100.032(a)).

HELD_AGAINST_BOOKS: Final = (PERIOD, RESTATEMENT, NOTICE, CONSENT, FIGURES)
"""Kinds that are made again from the signer's book; transfer documents and slips are compared leg by leg."""
_OF_MAKING: Final = frozenset({"made_on", "book", "number", "format", "rule", "warnings"})
SPOILED: Final = (KeyError, TypeError, ValueError, AttributeError, LookupError)
"""What a paper makes of whoever reads it as what it claims to be."""


def paper_discrepancies(name: str, document: Mapping[str, Any], book: str, store: StoreView) -> Iterator[Discrepancy]:
    """Yield what a paper and a book of its signer, or of whom it tells, say differently.

    Args:
        name: of the paper's file.
        document: the paper, of a kind of ``HELD_AGAINST_BOOKS``.
        book: the name of the book's file.
        store: the book, of one of the two parties.
    """
    try:
        yield from _compared(name, document, book, store)
    except SPOILED as wrong:
        said = f"{name} is not of the form it claims ({type(wrong).__name__}: {wrong})."
        yield Discrepancy(DiscrepancyKind.LEGS_DIFFER, 0, said)


def _compared(name: str, document: Mapping[str, Any], book: str, store: StoreView) -> Iterator[Discrepancy]:
    kind, issuer, stake = str(document["type"]), issuer_of(document), _stake(document)
    what = f"{name}, {_kind_label(kind)} signed by {issuer}"
    if store.owner not in ("", issuer):
        if kind == NOTICE and (left := passed_over(store, document)):
            said = f"{what}: {book} has bushels of it as if it had not come."
            yield Discrepancy(DiscrepancyKind.MISSING_COUNTERPART, left, said)
        return
    try:
        made = [decided(one) for one in again(store, document)]
    except ProblemsError as refused:
        why = " ".join(problem.cause for problem in refused.problems)
        yield Discrepancy(DiscrepancyKind.MISSING_COUNTERPART, stake, f"{what}: {book} does not have it. {why}")
        return
    mine = decided(document)
    differing = min(
        ([part for part in mine if part not in _OF_MAKING and mine[part] != one.get(part)] for one in made), key=len
    )
    if differing and kind != PERIOD:  # two statements of one period are compared with each other
        parts = listed([part.replace("_", " ") for part in differing])
        yield Discrepancy(DiscrepancyKind.LEGS_DIFFER, stake, f"{what}: {book} says otherwise of its {parts}.")


def _kind_label(kind: str) -> str:
    return kind.removeprefix("custody-").replace("-", " ")


def _stake(document: Mapping[str, Any]) -> int:
    """Return how many bushels a paper is about, in thousandths."""
    kind = document["type"]
    if kind == FIGURES:
        return sum(parse(one["retired_bu"], SCALE) for one in document["crops"])
    if kind == NOTICE:
        return sum(parse(one["bushels"], SCALE) for one in document["changes"])
    if kind == CONSENT:
        return sum(parse(one["stop"], SCALE) - parse(one["start"], SCALE) for one in document["spans"])
    lines = document["balance"]["lines"]
    return sum(parse(one["beginning_bu"], SCALE) + parse(one["incoming_bu"], SCALE) for one in lines)
