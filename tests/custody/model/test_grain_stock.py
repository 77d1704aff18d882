"""The grain of a site added up by day says what reading the whole book says, whatever was voided or stated anew."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from provender.custody.memory_store import MemoryRecords
from provender.custody.model.grain import Direction, GrainEntry, GrainStock, grain_group
from tests.custody.plain_stock import book_stock_before, stock_on

FIRST: Final = date(2026, 1, 1)
DAYS: Final = st.integers(0, 6).map(lambda number: FIRST + timedelta(days=number))
ENTRIES: Final = st.builds(
    GrainEntry, st.just("coop"), st.just("north"), st.just("corn"), st.sampled_from(["T1", "T2", "T3", "M1", "M2"]),
    DAYS, st.sampled_from(Direction), st.integers(0, 5_000), void=st.booleans(),
    source=st.sampled_from(["", "", "coop/south/S1", "coop/south/S2"]),
)  # fmt: skip


@given(st.lists(ENTRIES, max_size=14), DAYS)
def test_it_says_what_the_whole_book_says(stated: list[GrainEntry], day: date) -> None:
    book: dict[str, GrainEntry] = {}
    stock = GrainStock()
    for entry in stated:
        book[entry.number] = entry
        stock.put(entry)
    assert stock.on(day) == stock_on(book.values(), day)
    earlier = [one for one in book.values() if one.day < day or one.direction is not Direction.MEASURED]
    assert stock.on(day, before_measuring=True) == stock_on(earlier, day)
    for number in ("T1", "M1", "unknown"):
        found = GrainEntry("coop", "north", "corn", number, day, Direction.MEASURED, 0)
        assert stock.on(day, without=number) == book_stock_before(book.values(), found)
    assert stock.on(day) == stock_on(book.values(), day), "leaving one out changes nothing"
    for source in ("coop/south/S1", "coop/south/S2"):
        came = [one for one in book.values() if one.source == source and not one.void]
        assert list(stock.came_of(source)) == came


def test_a_day_without_entries_before_it_knows_no_stock() -> None:
    entry = GrainEntry("coop", "north", "corn", "M1", FIRST, Direction.MEASURED, 700)
    stock = GrainStock([entry])
    assert stock.on(FIRST - timedelta(days=1)) is None
    assert (stock.on(FIRST), stock.on(FIRST, before_measuring=True)) == (700, None)
    stock.put(replace(entry, void=True))
    assert stock.on(FIRST) is None


class Records(MemoryRecords):
    """The records of a store without the store, which alone puts any there."""

    def state(self, entry: GrainEntry) -> None:
        self._put(entry)


@given(st.lists(st.tuples(ENTRIES, st.sampled_from(["corn", "soybeans"]), st.booleans()), max_size=14), DAYS)
def test_a_store_keeps_it_up_through_tickets_of_another_crop(
    stated: list[tuple[GrainEntry, str, bool]], day: date
) -> None:
    records = Records()
    for entry, form, looked in stated:
        records.state(replace(entry, form=form))
        for of in ("corn", "soybeans") if looked else ():
            group = grain_group("coop", "north", of)
            assert records.grain(group).on(day) == stock_on(records.many(GrainEntry, group), day)
