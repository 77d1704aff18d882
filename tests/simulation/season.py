"""One simulated season against one store: every answer held against the auditor's, every cell and sum at the end."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from provender.custody.balances import period_balances
from provender.custody.decide import read_event
from provender.custody.facts import Facts, Store
from provender.custody.periods import Period
from provender.custody.posting import post
from provender.quantity import SCALE
from tests.simulation.auditor import Auditor, Event
from tests.simulation.workload import BOOKS, UNIT, Workload

OWN_FIELDS: Final = ("unit", "cells", "range", "count", "number_of_cells")
CELL: Final = UNIT * 10**SCALE


def plain(event: Event) -> Event:
    """Return an event without the fields that only the auditor reads."""
    return {name: value for name, value in event.items() if name not in OWN_FIELDS}


@dataclass(slots=True)
class Tally:
    """What a season came to."""

    movements: int = 0
    refusals: int = 0
    differences: list[str] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)

    def count(self, status: str, times: int = 1) -> None:
        """Note answers of one kind."""
        self.statuses[status] = self.statuses.get(status, 0) + times
        if status == "posted":
            self.movements += times
        else:
            self.refusals += times

    def __add__(self, other: "Tally") -> "Tally":
        both = Tally(differences=[*self.differences, *other.differences])
        for status, number in (*self.statuses.items(), *other.statuses.items()):
            both.count(status, number)
        return both

    def __str__(self) -> str:
        return f"simulation: {self.movements} movements, {self.refusals} refusals, {len(self.differences)} differences"


def season(store: Store, seed: int, movements: int) -> Tally:
    """Run so many posted movements and audit the result."""
    auditor, tally = Auditor(), Tally()
    workload = Workload(seed, auditor)
    for event in workload.opening():
        ask(store, auditor, event, tally)
    while tally.movements < movements and not tally.differences:
        for event in workload.batch():
            if ask(store, auditor, event, tally) == "posted":
                workload.noted(event)
    with store.reading() as facts:
        tally.differences.extend(compare(facts, auditor))
    return tally


def ask(store: Store, auditor: Auditor, event: Event, tally: Tally) -> str:
    """Put one request to the auditor and to the store."""
    expected = auditor.answer(event)
    outcome = post(store, read_event(plain(event)))
    tally.count(str(outcome.status))
    if outcome.status != expected:
        tally.differences.append(f"{event}: expected {expected}, got {outcome.status}: {outcome.message}")
    return expected


def compare(facts: Facts, auditor: Auditor) -> Iterator[str]:
    """Lay every cell and every sum of the auditor beside the store's."""
    for origin in auditor.cells:
        yield from compare_origin(facts, auditor, origin)
    for name in BOOKS:
        yield from compare_sums(facts, auditor, name)


def compare_origin(facts: Facts, auditor: Auditor, origin: str) -> Iterator[str]:
    """Lay every cell of one origin beside the store's lots."""
    cells = auditor.cells[origin]
    lots = facts.lots_at(origin, 0, len(cells) * CELL)
    held = [lot for lot in lots for _ in range(lot.crop_amount // CELL)]
    if sum(lot.crop_amount for lot in lots) != len(cells) * CELL or len(held) != len(cells):
        yield f"{origin}: the lots do not tile it"
        return
    for place, (cell, lot) in enumerate(zip(cells, held, strict=True)):
        ours = (lot.owner, lot.state, lot.form, lot.custodian, lot.site, lot.since, lot.acquired, lot.ci)
        theirs = (cell.owner, cell.state, cell.form, *cell.place, cell.since, cell.acquired, cell.ci)
        if ours != theirs:
            yield f"{origin} {place}: {theirs} is {ours}"


def compare_sums(facts: Facts, auditor: Auditor, name: str) -> Iterator[str]:
    """Lay what came and went in every period beside the balances, and the last ending beside the stock."""
    balances = period_balances(facts.steps(name), name, facts.many(Period, name))
    ending: dict[tuple[str, int, int], int] = {}
    seen: set[tuple[str, str, int, int, int]] = set()
    for number, balance in enumerate(balances):
        for line in balance.lines:
            key = (name, *line.key, number)
            if line.beginning != ending.get(line.key, 0):
                yield f"{key}: beginning is {line.beginning}"
            seen.add(key)
            flows = auditor.came.get(key, 0) * CELL, auditor.went.get(key, 0) * CELL
            if (line.total_incoming, line.total_outgoing) != flows:
                yield f"{key}: {flows} came and went, the balance says {line.incoming} and {line.outgoing}"
            ending[line.key] = line.ending
    left = {key for book in (auditor.came, auditor.went) for key in book if key[0] == name} - seen
    yield from (f"{key}: no line in any balance" for key in sorted(left))
    stock: dict[tuple[str, int, int], int] = {}
    for lot in facts.lots_of(name, "soybeans"):
        held = (lot.crop, lot.harvest_year, lot.ci)
        stock[held] = stock.get(held, 0) + lot.crop_amount
    if stock != {key: amount for key, amount in ending.items() if amount}:
        yield f"{name}: the stock is not what the last period leaves"
