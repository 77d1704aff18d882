"""Two sell the same bushels at once: exactly one wins each, the other is told why, nothing is sold twice.

Two threads, each with a connection of its own; among the slow tests four processes do, and others crush.
"""

import sqlite3
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from threading import Barrier
from typing import Final

import psycopg
import pytest
from django.db import connections

from provender.custody.events.plant import CampaignTotals
from provender.custody.events.registry import post, read_event
from provender.custody.model.store_view import Store
from provender.database.actor import Actor
from provender.database.models.custody import CustodyLot
from provender.database.store.custody import MANY, TOGETHER, WHOLE_STORE, SqlStore, locks_of
from tests.custody.world import ADA_SOY, CAST, REPORTS, bought, ev, posted
from tests.database.racing import sale_of
from tests.processes import plain_environment

COUNT: Final = 12
OVER: Final = 120
HELD: Final = 6
"""Seconds: more than SQLite's Python driver waits when nobody tells it to."""

SHARED: Final = [
    pytest.param("default", marks=pytest.mark.django_db(transaction=True, databases=["default"])),
    pytest.param(
        "postgres",
        marks=[pytest.mark.postgres, pytest.mark.django_db(transaction=True, databases=["default", "postgres"])],
    ),
]


def way_to(using: str) -> dict[str, str]:
    """Return the environment that leads another process to a test database."""
    settings = connections[using].settings_dict
    if connections[using].vendor == "sqlite":
        return plain_environment(PROVENDER_FOLDER=str(Path(str(settings["NAME"])).parent))
    address = f"postgresql://{settings['USER']}@/{settings['NAME']}?host={settings['HOST']}"
    return plain_environment(PROVENDER_DATABASE_URL=address)


def start(name: str, first: int, step: int, environment: dict[str, str], *more: str) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-m", "tests.database.racing", name, str(first), str(step), str(COUNT), *more]
    return subprocess.Popen(  # noqa: S603 - our own module
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )


def wait_until_ready(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"


def race(*processes: subprocess.Popen[str]) -> list[list[str]]:
    """Let processes go at the same moment, once all are ready; return their statuses."""
    for process in processes:
        wait_until_ready(process)
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [process.communicate(timeout=OVER)[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes)
    return answers


def stocked(using: str) -> Store:
    buy = bought("b", "ada", "coop", ADA_SOY, "2000", day="2026-01-05", site="north")
    return posted(SqlStore(Actor(None, "test"), using), [*CAST, *REPORTS, *buy])


def sell(name: str, using: str, together: Barrier) -> list[str]:
    """Sell every bushel that the other thread sells too; return the statuses."""
    store = SqlStore(Actor(None, name), using)
    together.wait(OVER)
    try:
        return [str(post(store, read_event(sale_of(name, number, number))).status) for number in range(COUNT)]
    finally:
        connections[using].close()


@pytest.mark.parametrize("using", SHARED)
def test_the_same_bushels_are_sold_once(using: str) -> None:
    store, together = stocked(using), Barrier(2)
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(sell, ("left", "right"), (using, using), (together, together)))
    for one, other in zip(*answers, strict=True):
        assert sorted((one, other)) == ["not_held", "posted"]
    assert_tiled(using, store)


@pytest.mark.slow
@pytest.mark.parametrize("using", SHARED)
def test_four_sellers_at_once_wait_for_each_other_and_all_are_answered(using: str) -> None:
    store = stocked(using)
    environment = way_to(using)
    answers = race(*(start(f"seller{number}", number, 4, environment) for number in range(4)))
    assert Counter(status for one in answers for status in one) == {"posted": 4 * COUNT}
    assert_tiled(using, store)


@pytest.mark.slow
@pytest.mark.parametrize("using", SHARED)
def test_owners_at_one_toll_plant_never_claim_more_than_it_crushed(using: str) -> None:
    run_of = {"entity": "crush", "site": "plant", "made_of": "soybeans", "output": "soybean_oil", "campaign": "C"}
    days = {"start_day": "2026-01-01", "end_day": "2026-03-31"}
    stored = [
        ev("storage", f"st-{owner}", "2026-01-08", owner=owner, custodian="crush", site="plant", lots=[span])
        for owner, span in (("coop", serials(0, COUNT)), ("mill", serials(2000, 2000 + COUNT)))
    ]
    buy = bought("m", "ada", "mill", ADA_SOY, "500", day="2026-01-06", site="mill")
    made = {"crop_crushed": str(COUNT), "product_made": str(COUNT * 11)}
    store = posted(stocked(using), [
        *buy, *stored, ev("yield", "y", "2026-01-01", **run_of, **days, rate="11"),
        ev("crush", "c", "2026-01-31", **run_of, **made),
    ])  # fmt: skip
    environment = way_to(using)
    answers = race(start("coop", 0, 1, environment, "toll"), start("mill", 0, 1, environment, "toll"))
    assert Counter(answers[0] + answers[1]) == {"posted": COUNT, "beyond_crop_crushed": COUNT}
    with store.reading() as facts:
        claimed = facts.many(CampaignTotals, "crush/plant/soybeans/soybean_oil/C")
        assert sum(one.used for one in claimed) == COUNT * 1000
    assert_tiled(using, store)


def serials(start: int, stop: int) -> dict[str, str]:
    return {"origin": ADA_SOY, "start": str(start), "stop": str(stop)}


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True, databases=["default", "postgres"])
def test_who_sells_to_a_buyer_waits_for_its_own_book_and_not_for_others_that_sell_to_it() -> None:
    store = stocked("postgres")
    with psycopg.connect(way_to("postgres")["PROVENDER_DATABASE_URL"], autocommit=True) as other:

        def free(name: str, *, reads: bool) -> bool:
            lock = locks_of([name], [name] if reads else [])[-1]
            found = other.execute(lock.sql.replace("advisory_xact", "try_advisory_xact"), lock.parameters).fetchone()
            return found == (True,)

        with store.locked(("coop", "crush"), reads=("crush",)):
            assert [free("coop", reads=True), free("coop", reads=False)] == [False, False]
            assert [free("crush", reads=True), free("crush", reads=False)] == [True, False]
            assert free("mill", reads=False)
        assert free("coop", reads=False)
        # A batch over so many that their locks would fill the server's table waits for all others instead.
        with store.locked(tuple(f"farm-{number}" for number in range(MANY + 1))):
            whole = other.execute("SELECT pg_try_advisory_xact_lock_shared(%s)", [WHOLE_STORE])
            assert whole.fetchone() == (False,)
            assert free("farm-1", reads=False)


def test_parties_are_locked_in_one_order_whoever_asks() -> None:
    one, other = locks_of(["coop", "crush", "mill"], ["mill"]), locks_of(["mill", "crush", "coop"], ["crush", "coop"])
    assert [lock.parameters for lock in one] == [lock.parameters for lock in other]
    assert [lock.sql == TOGETHER for lock in one] != [lock.sql == TOGETHER for lock in other]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True, databases=["default"])
def test_a_writer_waits_out_another_that_holds_the_file_for_seconds() -> None:
    stocked("default")
    if connections["default"].vendor != "sqlite":
        pytest.skip("The default database of this run is not SQLite.")
    seller = start("patient", 0, 1, way_to("default"))
    wait_until_ready(seller)
    with closing(sqlite3.connect(str(connections["default"].settings_dict["NAME"]), isolation_level=None)) as rival:
        rival.execute("BEGIN IMMEDIATE")
        assert seller.stdin is not None
        seller.stdin.write("go\n")
        seller.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            seller.wait(HELD)
        rival.rollback()
    assert Counter(seller.communicate(timeout=OVER)[0].split()) == {"posted": COUNT}


def assert_tiled(using: str, store: Store) -> None:
    """The current lots of the farm's report cover its serials once and without a gap."""
    lots = CustodyLot.objects.using(using).filter(ended_by=None, origin__name=ADA_SOY).order_by("span_start")
    ends = [(lot.span_start, lot.span_stop) for lot in lots]
    assert all(stop == following for (_, stop), (following, _) in pairwise(ends))
    assert ends[-1][1] - ends[0][0] == 10_000_000
    assert len(store.events()) == len({event.event.id for event in store.events()})
