"""Whatever stands in a line, the answer is a status: never a crash, never a change by a refused event."""

import json
from dataclasses import fields

from hypothesis import given
from hypothesis import strategies as st

from provender.custody.events.registry import TYPES
from provender.custody.memory_store import MemoryStore
from provender.custody.model.event import Status
from provender.custody.store import all_balances, run_lines
from tests.custody.ladders_stock import STOCKED
from tests.custody.world import ADA_SOY, posted

WORDS = st.sampled_from(
    [
        "coop",
        "ada",
        "crush",
        "north",
        "plant",
        ADA_SOY,
        "soybeans",
        "corn",
        "soybean_oil",
        "b-north",
        "v-gone",
        "C1",
        "",
    ]
)
NUMBERS = st.sampled_from(["1", "0", "-1", "0.001", "99999999999999", "1e5", "12.3456", 7, 2.5, -3, 10**20, True, None])
DAYS = st.sampled_from(
    ["2026-02-01", "2026-13-01", "9999-12-31", "0001-01-01", "2025-01-16", "2026-04-05", "2026-02-30"]
)
SPANS = st.sampled_from(
    [[["0", "10"]], [["10", "0"]], [["0"]], [["a", "b"]], [{"origin": ADA_SOY, "start": "0", "stop": "5"}], [{}]]
)
ANY = st.one_of(WORDS, NUMBERS, DAYS, SPANS, st.text(max_size=4), st.recursive(st.none(), st.lists, max_leaves=3))


@st.composite
def lines(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from([*TYPES, "gift"]))
    names = [one.name for one in fields(TYPES[kind])] if kind in TYPES else ["id"]
    event = {name: draw(st.one_of(_likely(name), ANY)) for name in names if draw(st.integers(0, 9))}
    if not draw(st.integers(0, 9)):
        event["more"] = draw(ANY)
    text = json.dumps({"type": kind, **event})
    return text if draw(st.integers(0, 19)) else text[: draw(st.integers(0, len(text)))]


def _likely(name: str) -> st.SearchStrategy[object]:
    if name == "id":
        return st.sampled_from(["n1", "n2", "v-mill", "b-north"])
    if name in ("day", "start_day", "end_day", "closed_on", "delivered"):
        return DAYS
    if name in ("bushels", "pounds", "amount", "ci", "rate", "gallons"):
        return st.sampled_from(["1", "10", "11.5"])
    return WORDS


@given(st.lists(lines(), max_size=6))
def test_every_line_is_answered_and_the_book_stays_whole(drawn: list[str]) -> None:
    store = MemoryStore()
    posted(store, STOCKED)
    before = len(store.events())
    answers = list(run_lines(store, drawn))
    assert len(answers) == sum(1 for line in drawn if line.strip())
    assert len(store.events()) - before == sum(answer.status is Status.POSTED for answer in answers)
    assert all(answer.message for answer in answers)
    all_balances(store)


@given(st.lists(st.one_of(st.text(), st.binary().map(lambda raw: raw.decode("latin-1"))), max_size=5))
def test_noise_is_answered_too(noise: list[str]) -> None:
    assert all(not answer.status.well for answer in run_lines(MemoryStore(), noise))


def test_nesting_without_end_and_numbers_without_end_are_unreadable_lines() -> None:
    deep = '{"a":' * 100_000
    statuses = [answer.status for answer in run_lines(MemoryStore(), [deep, '{"id": ' + "9" * 5000 + "}", '"\\ud800"'])]
    assert statuses == [Status.LINE_UNREADABLE] * 3
