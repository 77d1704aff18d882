"""A ticket typed under the wrong crop, voided and typed again, is grain of the right crop and of no other."""

from collections.abc import Sequence

import pytest

from provender.custody.events.registry import read_event
from provender.custody.memory_store import MemoryStore
from provender.custody.model.grain import GrainEntry, grain_group
from provender.custody.model.store_view import R, Store
from provender.custody.store import post
from tests.custody.world import ADA_SOY, CAST, Event, bought, ev, posted, report


def ticket(name: str, form: str, bushels: str, **more: object) -> Event:
    place = {"entity": "coop", "site": "north", "number": "T1"}
    return ev("receipt", name, "2026-01-10", form=form, amount=bushels, **place, **more)


CORRECTED = [
    ticket("typed", "soybeans", "100"), ticket("void", "soybeans", "100", void=True), ticket("again", "corn", "500"),
]  # fmt: skip


def measured(form: str) -> Event:
    return ev("measurement", f"m-{form}", "2026-01-12", entity="coop", site="north", form=form, amount="7",
              number=f"M-{form}")  # fmt: skip


def said(store: Store, form: str) -> str:
    return post(store, read_event(measured(form))).message


def test_it_is_grain_of_the_crop_that_it_says_now(store: Store) -> None:
    posted(store, [*CAST, *CORRECTED])
    assert "the book had no entry" in said(store, "soybeans")
    assert "the book said 500 bu" in said(store, "corn")
    with store.reading() as facts:
        listed = {form: [one.number for one in facts.many(GrainEntry, grain_group("coop", "north", form))]
                  for form in ("soybeans", "corn")}  # fmt: skip
    assert listed == {"soybeans": ["M-soybeans"], "corn": ["T1", "M-corn"]}


@pytest.mark.parametrize("back", [False, True])
def test_it_may_come_back_to_the_crop_that_it_said_first(store: Store, *, back: bool) -> None:
    posted(store, [*CAST, *CORRECTED, ticket("void again", "corn", "500", void=True)])
    if back:
        posted(store, [ticket("after all", "soybeans", "90")])
    assert ("the book said 90 bu" if back else "the book had no entry") in said(store, "soybeans")
    assert "the book had no entry" in said(store, "corn")


class Unread(MemoryStore):
    """A store that is never asked for the whole grain book of a site."""

    def many(self, kind: type[R], group: str) -> Sequence[R]:
        assert kind is not GrainEntry, f"all of {group} was read"
        return super().many(kind, group)


def test_no_event_of_every_day_reads_the_whole_grain_book_of_a_site() -> None:
    """A book of ten years has a million tickets: what reads them all for each entry takes the square of that."""
    store = Unread()
    posted(store, [*CAST, *CORRECTED, report("ada", "soybeans", "10000", "5000"),
                   *bought("p1", "ada", "coop", ADA_SOY, "4000", day="2026-01-10", site="north")])  # fmt: skip
    out = [{"number": "OUT-1", "bushels": "1000"}]
    sale = ev(
        "sale",
        "s1",
        "2026-01-20",
        giver="coop",
        taker="crush",
        crop="soybeans",
        bushels="1000",
        site="north",
        tickets=out,
    )
    loss = ev("loss", "l1", "2026-01-21", entity="coop", site="north", crop="soybeans", bushels="1")
    moved = ev("shipment", "g1", "2026-01-22", entity="coop", site="north", form="soybeans", amount="5", number="S1")
    posted(store, [sale, loss, moved, measured("soybeans"), {**measured("corn"), "day": "2026-01-23"}])
