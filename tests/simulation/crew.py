"""The processes that post at once, and how one of them is killed."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Timer
from typing import Final, Self

from tests.simulation.ledger import Event

PATIENCE: Final = 900
"""Seconds after which a worker that has not answered its burst is hung: other work on the machine makes nobody hung."""


@dataclass(frozen=True, slots=True)
class Kill:
    """How a worker dies: before the statement of that number of its last event, or after so many milliseconds."""

    statement: int = 0
    milliseconds: int = 0


@dataclass(slots=True)
class Burst:
    """What one worker is asked, one after the other, and what it answered before it was killed, if it was."""

    events: list[Event]
    kill: Kill | None = None
    answers: list[tuple[str, str]] = field(default_factory=list)

    @property
    def unanswered(self) -> list[Event]:
        """Return what was asked and not answered: the first may be in the book or not, the others are not."""
        return self.events[len(self.answers) :]


class Worker:
    """One posting process."""

    def __init__(self, name: str, environment: Mapping[str, str]) -> None:
        arguments = [sys.executable, "-m", "tests.simulation.worker", name]
        self.process = subprocess.Popen(  # noqa: S603 - our own module
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(environment)
        )
        self._session: int | None = None

    @property
    def session(self) -> int:
        """Return the number of its session in the database; waits until it is ready."""
        if self._session is None:
            assert self.process.stdout is not None
            self._session = int(self.process.stdout.readline())
        return self._session

    def ask(self, burst: Burst) -> None:
        """Hand a burst over without waiting."""
        assert self.process.stdin is not None
        last = len(burst.events) - 1
        fuse = burst.kill.statement if burst.kill else 0
        lines = [json.dumps([event, fuse * (place == last)]) for place, event in enumerate(burst.events)]
        self.process.stdin.write("\n".join(lines) + "\n" if lines else "")
        self.process.stdin.flush()
        if burst.kill and burst.kill.milliseconds:
            timer = Timer(burst.kill.milliseconds / 1000, self.process.kill)
            timer.daemon = True
            timer.start()

    def hear(self, burst: Burst) -> None:
        """Collect the answers of a burst, as many as come."""
        assert self.process.stdout is not None
        watch = Timer(PATIENCE, self.process.kill)
        watch.daemon = True
        watch.start()
        for _ in burst.events:
            line = self.process.stdout.readline()
            if not line.endswith("\n"):
                break
            status, message = json.loads(line)
            burst.answers.append((status, message))
        watch.cancel()
        if burst.unanswered and not burst.kill:
            said = f"{len(burst.answers)} of {len(burst.events)} answers came within {PATIENCE} s"
            raise TimeoutError(f"process {self.process.pid} is hung, or something else killed it: {said}")
        if burst.kill and burst.kill.milliseconds:
            # It may have answered everything before its time was up: then it dies idle.
            self.process.wait()

    def dismiss(self) -> None:
        """End the process and close its pipes."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


class Crew:
    """So many workers, and one in reserve for each that may be killed."""

    def __init__(self, size: int, environment: Mapping[str, str], gone: Callable[[int], None]) -> None:
        self._environment = environment
        self._gone = gone
        self._hired = 0
        self.deaths = 0
        self._workers = [self._hire() for _ in range(size)]
        self._spare = self._hire()

    def _hire(self) -> Worker:
        self._hired += 1
        return Worker(f"worker{self._hired}", self._environment)

    def run(self, bursts: list[Burst]) -> None:
        """Let every worker post its burst at the same time; replace those that were killed."""
        for worker in self._workers:
            assert worker.session >= 0
        for worker, burst in zip(self._workers, bursts, strict=False):
            worker.ask(burst)
        for worker, burst in zip(self._workers, bursts, strict=False):
            worker.hear(burst)
        for place, burst in enumerate(bursts):
            if burst.kill is not None:
                self._bury(place)

    def _bury(self, place: int) -> None:
        worker = self._workers[place]
        worker.process.wait()
        # The server notices the death of its client a little later; until then the transaction is undecided.
        self._gone(worker.session)
        worker.dismiss()
        self._workers[place], self._spare = self._spare, self._hire()
        self.deaths += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in (*self._workers, self._spare):
            worker.dismiss()
