"""A season in which several processes post into one database at once and some of them are killed.

In rounds: every worker gets a few requests, made from the auditor's model as it was before the round. Afterwards the
book says which movements were committed and in which order; the auditor answers them in that order. A request that was
refused must have been wrong, for the reason given, at some point of the order at which it can have been judged. A
movement that was acknowledged must be in the book, one that was not may be, whole, and is asked for again.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

from provender.custody.model.store_view import Store
from tests.simulation.auditor import Auditor
from tests.simulation.crew import Burst, Crew, Kill
from tests.simulation.ledger import Event
from tests.simulation.season import Tally, compare, compare_origin
from tests.simulation.workload import WholeWorkload

DEPTH: Final = 4
"""Requests of one worker in a round."""
RIVALS: Final = 0.25
"""Share of requests that another worker contests."""
STATEMENTS: Final = 40
"""More than any posting takes: the last numbers kill between the commit and the answer."""

Committed = Callable[[], list[str]]
"""Returns the names of the events that came into the book since it was last asked, in their order there."""


@dataclass(slots=True)
class Asked:
    """One request of a round: whose, and what came back; no status when the worker died over it."""

    worker: int
    event: Event
    status: str | None
    message: str
    low: int = 0
    high: int = 0
    seen: list[str] = field(default_factory=list)


class Together:
    """One season of many processes."""

    def __init__(self, store: Store, crew: Crew, workers: int, committed: Committed, seed: int) -> None:
        self.store, self.crew, self.workers, self.committed = store, crew, workers, committed
        self.auditor, self.tally = Auditor(), Tally()
        self.workload = WholeWorkload(seed, self.auditor)
        self.random = Random(seed + 1)
        self.again: list[list[Event]] = []
        self.order: list[Event] = []
        self.contested = 0

    def run(self, movements: int, deaths: int) -> Tally:
        """Play rounds until so many movements stand, killing workers at an even pace; audit the whole at the end."""
        self.play([Burst(self.workload.opening()), *(Burst([]) for _ in range(self.workers - 1))])
        opened = self.tally.movements
        while self.tally.movements - opened < movements and not self.tally.differences:
            bursts = self.round()
            if self.crew.deaths * movements < deaths * (self.tally.movements - opened):
                self.doom(bursts)
            self.play(bursts)
            if self.workload.due and not self.tally.differences:
                self.play(self.turn())
        with self.store.reading() as facts:
            self.tally.differences.extend(compare(facts, self.auditor))
        return self.tally

    def round(self) -> list[Burst]:
        """Return a burst for every worker; what a dead one left unanswered comes first."""
        lists: list[list[Event]] = [[] for _ in range(self.workers)]
        for number, events in enumerate(self.again):
            lists[number % self.workers].extend(events)
        self.again = []
        while min(len(one) for one in lists) < DEPTH:
            self.workload.advance()
            if self.workload.due:
                break
            shortest = sorted(lists, key=len)
            for event in self.workload.single():
                # Requests made together are one worker's: a role is changed before it is changed back.
                shortest[0].append(event)
                rival = self.workload.rival(event) if self.random.random() < RIVALS else None
                if rival is not None and self.workers > 1:
                    self.contested += 1
                    shortest[1].append(rival)
        return [Burst(one) for one in lists]

    def turn(self) -> list[Burst]:
        """Return the requests of a quarter's end, those of one entity with one worker."""
        lists: list[list[Event]] = [[] for _ in range(self.workers)]
        places: dict[str, int] = {}
        for event in self.workload.turn():
            lists[places.setdefault(event["entity"], len(places) % self.workers)].append(event)
        return [Burst(one) for one in lists]

    def doom(self, bursts: list[Burst]) -> None:
        """Choose a worker that will not survive the round, and how."""
        burst = self.random.choice([one for one in bursts if one.events] or [Burst([])])
        if self.random.random() < 0.7:
            burst.kill = Kill(statement=self.random.randrange(1, STATEMENTS))
        else:
            burst.kill = Kill(milliseconds=self.random.randrange(1, 60))

    def play(self, bursts: list[Burst]) -> None:
        """Let the crew post, then hold every answer against the auditor's."""
        self.crew.run(bursts)
        order = self.committed()
        asked = [list(self.answers(worker, burst)) for worker, burst in enumerate(bursts)]
        posted = self.matched(order, [one for burst in asked for one in burst])
        self.replay(posted, [one for burst in asked for one in windows(burst, posted)])
        self.again.extend(burst.unanswered for burst in bursts if burst.unanswered)
        for burst in bursts:
            if burst.kill is not None and not self.tally.differences:
                self.look(burst)

    def answers(self, worker: int, burst: Burst) -> Iterator[Asked]:
        """Yield what was answered, and the one request over which the worker died."""
        for event, (status, message) in zip(burst.events, burst.answers, strict=False):
            yield Asked(worker, event, status, message)
        for event in burst.unanswered[:1]:
            yield Asked(worker, event, None, "")

    def matched(self, order: list[str], asked: list[Asked]) -> list[Asked]:
        """Return the requests that stand, in the order of the book; what does not match is a difference."""
        found = []
        acknowledged = {one.event["id"]: one for one in asked if one.status == "posted"}
        doubtful = {one.event["id"]: one for one in reversed(asked) if one.status is None}
        for name in order:
            one = acknowledged.pop(name, None) or doubtful.pop(name, None)
            if one is None:
                self.tally.differences.append(f"{name} is in the book and nobody asked for it in this round")
            else:
                found.append(one)
        lost = (f"{one.event}: acknowledged and not in the book" for one in acknowledged.values())
        self.tally.differences.extend(lost)
        return found

    def replay(self, posted: list[Asked], refused: list[Asked]) -> None:
        """Answer what stands in its order; judge what was refused wherever it can have been judged."""
        for place in range(len(posted) + 1):
            for one in refused:
                if one.low <= place <= one.high and one.status not in one.seen:
                    one.seen.append(self.auditor.would(one.event))
            if place == len(posted):
                break
            event = posted[place].event
            self.order.append(event)
            expected = self.auditor.answer(event)
            if expected == "posted":
                self.workload.noted(event)
            else:
                self.tally.differences.append(f"{event}: it stands in the book, expected {expected}")
        self.tally.count("posted", len(posted))
        for one in refused:
            self.tally.count(str(one.status))
            if one.status not in one.seen:
                said = f"expected one of {one.seen}, got {one.status}: {one.message}"
                self.tally.differences.append(f"{one.event}: {said}")

    def look(self, burst: Burst) -> None:
        """See that nothing is half there: every bushel of the parties of a dead worker's last request."""
        events = burst.unanswered[:1]
        parties = {str(event.get(name, "")) for event in events for name in ("entity", "giver", "taker")}
        origins = {name[0] for party in parties for name in self.auditor.books.owned.get(party, ())}
        with self.store.reading() as facts:
            for origin in sorted(origins):
                self.tally.differences.extend(compare_origin(facts, self.auditor, origin))


def windows(burst: list[Asked], posted: list[Asked]) -> Iterator[Asked]:
    """Yield the refused requests of one worker with the stretch of the order in which each was judged.

    A worker asks one after the other, so a request was judged after what stood before it and before what stood after.
    """
    low = 0
    waiting: list[Asked] = []
    for one in burst:
        if any(one is other for other in posted):
            place = next(number for number, other in enumerate(posted) if one is other)
            for earlier in waiting:
                earlier.high = place
            yield from waiting
            low, waiting = place + 1, []
        elif one.status not in (None, "posted"):
            one.low = low
            waiting.append(one)
    for last in waiting:
        last.high = len(posted)
    yield from waiting
