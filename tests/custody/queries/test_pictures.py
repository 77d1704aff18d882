"""Pictures show who handed what to whom and what lay in stock, and group what would not fit."""

from collections.abc import Iterable
from datetime import date, timedelta
from operator import itemgetter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.cli.custody.views import write_chain, write_stock
from provender.custody.book_file import Header, open_book
from provender.custody.model.balances import Key
from provender.custody.queries.claims import Claim, claims_of_book
from provender.custody.queries.trace import MOST_SERIES, chain_picture, stock_picture, stock_series
from provender.custody.store import MemoryStore
from provender.problem import ProblemsError
from tests.custody.papers import ADA, DAY, elevator_book
from tests.custody.world import CAST, bought, entity, ev, posted, report


def words(svg: str) -> str:
    return " ".join(text for one in ET.fromstring(svg).iter() if (text := one.text))  # noqa: S314 - our own


def test_a_chain_names_who_takes_part_and_more_than_eight_intensities_are_drawn_together() -> None:
    store = elevator_book()
    drawn = words(chain_picture(store, claims_of_book(0, store, store.events()), title="Chain"))
    assert "Ada" in drawn
    assert "4,000 bu" in drawn
    assert "2,501 bu" in drawn or "2,500 bu" in drawn
    with pytest.raises(ValueError, match="never held"):
        stock_picture((), "coop", title="Stock")
    store = posted(MemoryStore(), CAST)
    for number in range(10):
        farm, one = f"farm{number}", report(f"farm{number}", "soybeans", "100", f"{2015 + number}")
        bin_of = bought(f"p{number}", farm, "coop", f"{farm}/soybeans/2025", "100", day="2026-01-10", site="north")
        posted(store, [entity(farm, "farm"), one, *bin_of])
    drawn = words(stock_picture(store.steps("coop"), "coop", title="Stock"))
    assert "3 further carbon intensities" in drawn


@pytest.mark.parametrize(("farms", "grouped"), [(60, False), (61, True)])
def test_more_than_sixty_farms_are_drawn_as_one_box(farms: int, grouped: bool) -> None:
    store = MemoryStore()
    posted(store, [*CAST, *(ev("entity", f"e{n}", "2025-11-01", entity=f"f{n}", name=f"Farm {n}", roles=["farm"])
                            for n in range(farms))])  # fmt: skip
    claims = [Claim(0, "purchase", f"p{n}", f"o{n}", 0, 1000, f"f{n}", "coop", DAY) for n in range(farms)]
    assert (f"{farms} farms" in words(chain_picture(store, claims, title="Many"))) is grouped


days = st.integers(0, 20).map(lambda day: date(2026, 1, 1) + timedelta(days=day))
amounts = st.lists(st.tuples(days, st.integers(0, 10**9)), max_size=6)
stocks = amounts.map(lambda found: sorted(found, key=itemgetter(0)))


@given(st.lists(stocks, max_size=2 * MOST_SERIES), days)
def test_the_heights_are_the_whole_stock_of_all_carbon(several: list[list[tuple[date, int]]], day: date) -> None:
    drawn = stock_series({Key("corn", 2025, ci): found for ci, found in enumerate(several)})
    assert len(drawn) <= MOST_SERIES
    height = sum(at(one.points, day) for one in drawn)
    assert round(height * 1000) == sum(at(found, day) for found in several)


def at(points: Iterable[tuple[date, float]], day: date) -> float:
    """Return what there is on a day; of several entries of one day the last counts."""
    return [0.0, *(amount for when, amount in points if when <= day)][-1]


def book_of(path: Path) -> Path:
    path.write_text(Header("coop", shared=True).line(), encoding="utf-8")
    store = elevator_book()
    with open_book(path) as book:
        for one in store.events():
            assert book.post(one.event).status == "posted"
    return path


def test_a_book_draws_serials_days_and_stock(tmp_path: Path) -> None:
    with open_book(book_of(tmp_path / "coop.jsonl")) as book:
        write_chain(book, tmp_path / "a.svg", serials=(ADA, 0, 1000), days=(None, None))
        write_chain(book, tmp_path / "b.svg", serials=None, days=(None, DAY))
        write_stock(book, tmp_path / "c.svg")
        with pytest.raises(ProblemsError, match="Nothing changed hands"):
            write_chain(book, tmp_path / "d.svg", serials=(ADA, 9_999_000, 10_000_000), days=(None, None))
    assert all((tmp_path / f"{name}.svg").read_text(encoding="utf-8").startswith("<svg") for name in "abc")
