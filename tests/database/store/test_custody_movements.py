"""The list of movements: each on one page, whole, however the lots of movements written at once alternate."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from provender.custody.model.lots import LotState
from provender.database.models.custody import CustodyEvent, CustodyLot, CustodyOrigin, CustodyStep
from provender.database.store import custody_lists
from provender.database.store.custody_lists import Movement, Wanted, movements_page

FIRST = date(2026, 2, 1)
LONG = 10


class Step(NamedTuple):
    """A lot opened by one of five movements, of which even ones are sales; a rest is what a cut left."""

    movement: int
    rest: bool = False

    @property
    def day(self) -> date:
        """Return the movement's day: all but the last share one."""
        return FIRST + timedelta(days=self.movement // 4)

    @property
    def type(self) -> str:
        return "sale" if self.movement % 2 == 0 else "loss"


alternating = st.lists(st.builds(Step, st.integers(0, 4), st.integers(0, 3).map(lambda one: one == 0)), max_size=20)


def write(written: Sequence[Step]) -> None:
    """Write the lots of movements in this order, of one bushel and then one thousandth more each."""
    origin = CustodyOrigin.objects.create(name="ada-soy")
    at = datetime(2026, 3, 1, tzinfo=UTC)
    events: dict[int, CustodyEvent] = {}
    for number, step in enumerate(written):
        if step.movement not in events:
            events[step.movement] = CustodyEvent.objects.create(
                name=f"m{step.movement}", type=step.type, day=step.day, digest="", text="{}", at=at
            )
        event = events[step.movement]
        start = number * 10_000
        lot = CustodyLot.objects.create(
            name=f"lot-{number}", origin=origin, crop="soybeans", harvest_year=2025, span_start=start,
            span_stop=start + 1000 + number, owner="crush", custodian="crush", site="plant", form="soybeans",
            product=0, rate=0, ci=0, state=LotState.HELD, since=step.day, acquired=step.day, titled=step.day,
            supplier="coop", batch="", by="sooner" if step.rest else event.name, opened_by=event,
        )  # fmt: skip
        CustodyStep.objects.create(party="crush", day=step.day, lot=lot)


def turned(size: int, kinds: Sequence[str] = ()) -> list[Movement]:
    """Return what all pages hold, one after the other."""
    found: list[Movement] = []
    place = None
    for _ in range(100):
        page = movements_page("crush", before=place, size=size, wanted=Wanted(kinds))
        assert len(page.movements) <= size
        found += page.movements
        if page.older is None:
            return found
        place = page.older
    raise AssertionError("the pages never end")


def expected(written: Sequence[Step], kinds: Sequence[str] = ()) -> list[tuple[str, int]]:
    """Return the movements and amounts that the list must show, newest first: by day, then by the newest lot."""
    numbered = sorted(enumerate(written), key=lambda one: (one[1].day, one[0]), reverse=True)
    sums: dict[str, int] = {}
    for number, step in numbered:
        if not step.rest and (not kinds or step.type in kinds):
            sums[f"m{step.movement}"] = sums.get(f"m{step.movement}", 0) + 1000 + number
    return list(sums.items())


def shown(found: Sequence[Movement]) -> list[tuple[str, int]]:
    return [(one.event, one.amount) for one in found]


class TestAnyOrder(TestCase):
    """Hypothesis writes the lots of movements in any alternation."""

    @given(written=alternating, size=st.integers(1, 3), kinds=st.sampled_from([(), (), (), ("sale",), ("loss",)]))
    def test_pages_hold_each_movement_once_and_whole(
        self, written: list[Step], size: int, kinds: tuple[str, ...]
    ) -> None:
        write(written)
        assert shown(turned(size, kinds)) == expected(written, kinds)


@pytest.mark.django_db
@pytest.mark.parametrize(("corrections", "corrected"), [(0, False), (1, True), (2, False), (3, True)])
def test_a_movement_is_shown_as_taken_back_while_its_correction_stands(corrections: int, corrected: bool) -> None:
    write([Step(0)])
    last = CustodyEvent.objects.get()
    for number in range(corrections):
        last = CustodyEvent.objects.create(
            name=f"c{number}", type="correct", day=FIRST, digest="", text="{}", at=last.at, corrects=last
        )
    (shown_one,) = movements_page("crush").movements
    assert shown_one.corrected is corrected


@pytest.mark.django_db
@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_movement_over_the_edge_of_what_is_looked_at_is_whole(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(custody_lists, "SCANNED", 4)
    monkeypatch.setattr(custody_lists, "CHUNK", 2)
    written = [Step(number % 2) for number in range(LONG)]
    write(written)
    assert shown(turned(size)) == expected(written)


@pytest.mark.django_db
def test_a_movement_on_both_sides_of_an_edge_stands_on_the_first_page_only() -> None:
    write([Step(0), Step(1), Step(0)])
    first = movements_page("crush", size=1)
    assert shown(first.movements) == [("m0", 1000 + 1002)]
    assert first.older is not None
    second = movements_page("crush", before=first.older, size=1)
    assert shown(second.movements) == [("m1", 1001)]
    assert second.older is None
