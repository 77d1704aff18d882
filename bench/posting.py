"""Posting sales with every check, each in a transaction of its own: memory, SQLite and PostgreSQL.

Several sellers post at once on PostgreSQL only. SQLite has one writer at a time: it is for one server process.

PostgreSQL is the one that ``PROVENDER_DATABASE_URL`` names (a database made for this: the events stay in it), else
the one that a development wheel brings, started for the run and thrown away. Every commit waits for the disk, as both
do unless somebody sets them otherwise.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from bench.measure import CLOCK, Measure, is_so, peer, timed
from bench.selling import BUYERS, INTENSITIES, OPENING, SELLERS, opening_events, sales
from bench.servers import wheel_postgres
from provender.custody.events.registry import post, read_event, read_posted
from provender.custody.model.lots import Lot
from provender.custody.model.store_view import Store
from provender.custody.store import MemoryStore

EACH: Final = 750
ALONE: Final = 1_000
ADDRESS: Final = "PROVENDER_DATABASE_URL"


def run() -> list[Measure]:
    """Measure, with a proof behind each time that nothing was sold twice and nothing is missing."""
    made = [_thousand("memory store", lambda: _alone(MemoryStore()))]
    with tempfile.TemporaryDirectory() as name:
        made += _in_database("SQLite", {"PROVENDER_FOLDER": name}, sellers=1)
    with postgres() as address:
        if not address:
            return [*made, peer("posting sales, PostgreSQL: not installed", 0.0, "")]
        with tempfile.TemporaryDirectory() as name:
            return made + _in_database("PostgreSQL", {"PROVENDER_FOLDER": name, ADDRESS: address})


def _thousand(what: str, work: Callable[[], float]) -> Measure:
    return timed(f"posting a thousand sales, {what}", work, "s", None, CLOCK)


def _alone(store: Store, count: int = ALONE) -> float:
    """Return the seconds of so many sales."""
    for event in opening_events():
        post(store, read_posted(event))
    requests = [read_event(event) for event in sales(SELLERS[0], 0, count)]
    start = time.perf_counter()
    for request in requests:
        post(store, request)
    return time.perf_counter() - start


def _in_database(what: str, environment: dict[str, str], sellers: int = len(SELLERS)) -> list[Measure]:
    """Measure one seller and, where there are more, all at once, in processes of their own; then look into the book."""
    around = {name: value for name, value in os.environ.items() if not name.startswith(("PROVENDER", "DJANGO"))}
    around |= environment
    _selling("prepare", environment=around).communicate()
    posted = 0

    def race(sellers: tuple[str, ...], count: int) -> float:
        nonlocal posted
        seconds = _race([(seller, posted, count) for seller in sellers], around)
        posted += count * len(sellers)
        return seconds

    made = [_thousand(f"{what}, one seller", lambda: race(SELLERS[:1], ALONE))]
    if sellers > 1:
        made.append(_thousand(f"{what}, {len(SELLERS)} sellers at once", lambda: race(SELLERS, EACH)))
    found = _selling("look", environment=around).communicate()[0].split()
    well = found == ["sound", str(posted)]
    return [*made, is_so(f"{what}: every sale stands once, no bushel is lost or doubled", answer=well)]


def _race(runs: list[tuple[str, int, int]], environment: dict[str, str]) -> float:
    """Let sellers go at the same moment; return the seconds of a thousand sales until the last is done."""
    processes = [_selling(*map(str, run), environment=environment) for run in runs]
    for process in processes:
        if process.stdout is None or process.stdout.readline() != "ready\n":
            raise RuntimeError("a seller did not begin")
    start = time.perf_counter()
    for process in processes:
        assert process.stdin is not None  # noqa: S101 - ``_selling`` opens it
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        process.communicate()
    return (time.perf_counter() - start) * 1_000 / sum(count for _, _, count in runs)


def _selling(*arguments: str, environment: dict[str, str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bench.selling", *arguments]
    return subprocess.Popen(  # noqa: S603 - our own module
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )


@contextmanager
def postgres() -> Iterator[str]:
    """Give the address of a PostgreSQL: the one named, or one started from a wheel, or nothing."""
    if named := os.environ.get(ADDRESS):
        yield named
        return
    with wheel_postgres() as address:
        yield address


def sound(lots: list[Lot]) -> bool:
    """Tell whether the current lots of every opening tile its bushels, and each is its house's or on the way."""
    by_origin: dict[str, list[Lot]] = {}
    for lot in sorted(lots, key=lambda one: one.start):
        by_origin.setdefault(lot.origin, []).append(lot)
    places = [0] * len(by_origin)
    for place, parts in enumerate(by_origin.values()):
        for lot in parts:
            if lot.start != places[place] or lot.owner not in (*SELLERS, *BUYERS):
                return False
            places[place] = lot.stop
    return len(by_origin) == len(SELLERS) * INTENSITIES and set(places) == {OPENING * 1000}
