"""Two processes sell the same bushels over the pages at once: exactly one wins each, the other is told why."""

import subprocess
import sys
from typing import Final

import pytest

from provender.database.models.custody import CustodyLot
from tests.database.store.test_custody_race import way_to
from tests.web.cast import make_cast
from tests.web.custody_season import fill_custody

pytestmark = pytest.mark.slow

COUNT: Final = 8
OVER: Final = 240


def start(arguments: list[str], environment: dict[str, str]) -> subprocess.Popen[str]:
    process = subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-m", "tests.web.racing_sales", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def race(using: str, handle: str, buyer: str, origin: str) -> None:
    """Let two people of the mill sell the same bushels, and hold what each is told."""
    environment = way_to(using)
    sellers = [
        start([person, handle, buyer, origin, str(COUNT)], environment)
        for person in ("owner@example.org", "writer@example.org")
    ]
    for process in sellers:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    told = [process.communicate(timeout=OVER)[0].splitlines() for process in sellers]
    assert [process.returncode for process in sellers] == [0, 0]
    for one, other in zip(*told, strict=True):
        won, lost = sorted((one, other))
        assert won.startswith("302"), (one, other)
        assert lost.startswith("409"), lost
        assert "Not yours" in lost, lost
        assert "They left you with" in lost, lost
        assert "Somebody else has them now" not in lost


@pytest.mark.django_db(transaction=True)
def test_the_same_bushels_are_sold_once_over_the_pages() -> None:
    cast = make_cast()
    season = fill_custody(cast)
    race("default", cast.mill.handle, cast.elevator.handle, season.origin)
    sold = CustodyLot.objects.filter(ended_by=None, owner=cast.elevator.handle, state="in_transit")
    assert sum(lot.span_stop - lot.span_start for lot in sold) == 500_000 + COUNT * 1_000


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True, databases=["default", "postgres"])
def test_the_same_bushels_are_sold_once_over_the_pages_on_postgresql() -> None:
    environment = way_to("postgres")
    made = subprocess.run(
        [sys.executable, "-m", "tests.web.racing_stage"], env=environment, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    handle, buyer, origin = made.stdout.split()
    race("postgres", handle, buyer, origin)
    sold = CustodyLot.objects.using("postgres").filter(ended_by=None, owner=buyer, state="in_transit")
    assert sum(lot.span_stop - lot.span_start for lot in sold) == 500_000 + COUNT * 1_000
