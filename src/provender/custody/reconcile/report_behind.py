"""Whether a farm's report stands behind the serials that books and papers name (2100.031(c), 2100.032(b)(1)).

A book can be given any report by hand. One that nobody shows by its paper, and no book of its farm has, is asked for:
file by file where other reports were signed, once for all where none was. It is no fault: it is not shown. Serials
beyond all that a report ever had are bushels of nobody.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.gathered import Gathered
from provender.quantity import show

NAMED = 5
"""How many farms are named of those whose reports are asked for."""


def report_discrepancies(gathered: Gathered) -> Iterator[Discrepancy]:
    """Yield serials beyond what reports have, and files with reports that nothing shows."""
    yield from _beyond(gathered)
    yield from _typed(gathered)


def issued_by(versions: Mapping[int, int]) -> int | None:
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


def _beyond(gathered: Gathered) -> Iterator[Discrepancy]:
    versions: dict[str, dict[int, int]] = defaultdict(dict)
    for _, report, origin in gathered.reports:
        versions[origin][report.version] = max(report.bushels, versions[origin].get(report.version, 0))
    stops: dict[str, int] = {}
    for one in gathered.claims if versions else ():
        if one.origin in versions:
            stops[one.origin] = max(one.stop, stops.get(one.origin, 0))
    for origin, stop in sorted(stops.items()):
        issued = issued_by(versions[origin])
        if issued is not None and stop > issued:
            yield beyond(origin, issued, stop)


def _typed(gathered: Gathered) -> Iterator[Discrepancy]:
    shown = {origin for source, report, origin in gathered.reports
             if report.digest or report.farm in gathered.owners[source]}  # fmt: skip
    farms = {(source, origin): report.farm for source, report, origin in gathered.reports if origin not in shown}
    given: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    farmers = set(farms.values())
    for one in gathered.claims if farms else ():
        if one.giver in farmers and farms.get((one.source, one.origin)) == one.giver:
            given[one.source][one.giver] += one.stop - one.start
    if given and not any(report.digest for _, report, _ in gathered.reports):
        every: dict[str, int] = defaultdict(int)
        for bushels in given.values():
            for farm, sold in bushels.items():
                every[farm] = max(sold, every[farm])  # several files may tell of the same serials
        yield replace(_ask_for("No report here is shown to be signed", every), bushels=0)  # after all that is amiss
        return
    for source, bushels in sorted(given.items()):
        has = f"{gathered.names[source]} has reports that were typed in, and nothing here shows that they were signed"
        yield _ask_for(has, bushels)


def _ask_for(why: str, bushels: Mapping[str, int]) -> Discrepancy:
    """Return that the reports of some farms are asked for, given what each gave away."""
    named = sorted(bushels, key=lambda farm: (-bushels[farm], farm))
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    said = f"{why}: ask for those of {', '.join(named[:NAMED])}{more}."
    return Discrepancy(DiscrepancyKind.LINK_NOT_SHOWN, sum(bushels.values()), said)
