"""Balance statements of periods: each balances, and begins with what the one before it ended with (2100.034(d))."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.gathered import Gathered
from provender.quantity import parse, show


def period_discrepancies(gathered: Gathered) -> Iterator[Discrepancy]:
    """Yield statements that do not balance, that differ, or that do not follow on one another."""
    by_entity: dict[str, dict[str, Mapping[str, Any]]] = defaultdict(dict)
    for source, balance in gathered.periods:
        name = gathered.names[source]
        try:
            entity, start = str(balance["entity"]), str(balance["start"])
            wrong = list(_unbalanced(balance, name))
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
