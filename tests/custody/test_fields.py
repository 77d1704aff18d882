"""Whatever a book takes in it reads again: one check of every field, wherever it enters."""

import json
from dataclasses import fields, replace
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provender.custody.book_file import Header, open_book, read_header, seal
from provender.custody.events.parties import EntityEvent
from provender.custody.events.registry import DECISIONS, check_fields, read_event, read_posted
from provender.custody.memory_store import MemoryStore
from provender.custody.model.entities import Role
from provender.custody.model.event import Event, Refusal, plain_event
from provender.custody.store import post
from provender.problem import ProblemsError
from provender.schema import types_of
from tests.custody.papers import buyer_book, elevator_book, letter, take

EXAMPLES = (files("provender.custody") / "data" / "example_events.jsonl").read_text(encoding="utf-8").splitlines()
HOSTILE = ("a\nb", "a\tb", "a\0b", "a\u200bb", "a\u202eb", "a\u00a0b", "a\u2028b", "a\ud800", "a\u0301", "\u1100\u115f",
           "\u2800", "a\u034fb", "a\ufe0f", "a\U000e0100b", "a\U00016fe4b", "\U0001d159", "a\ufffcb",
           "*", "x" * 2_001, "", " a", "a ")  # fmt: skip
TEXTS = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=6), st.just("Ada"))
NUMBERS = st.one_of(st.integers(-(10**22), 10**22), st.sampled_from([0, 1, 2025, 9999, 10_000, 99_999]))
DAYS = st.one_of(st.dates(), st.sampled_from([date(2206, 1, 1), date(2026, 1, 1), date(1, 1, 1)]))


def values(kind: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401 - a type
    """Draw values of a field's type as code could hand them over, possible in a book or not."""
    inside = get_args(kind)
    if get_origin(kind) is tuple:
        return (
            st.lists(values(inside[0]), max_size=2).map(tuple)
            if inside[-1] is Ellipsis
            else st.tuples(*map(values, inside))
        )
    if type(None) in inside:
        return st.one_of(st.none(), *(values(each) for each in inside if each is not type(None)))
    base = inside[0] if get_origin(kind) is not None else kind
    if isinstance(base, type) and hasattr(base, "__members__"):
        words: list[Any] = [*base.__members__.values()]
        return st.sampled_from(words)
    simple: dict[Any, st.SearchStrategy[Any]] = {str: TEXTS, int: NUMBERS, bool: st.booleans(), date: DAYS}
    return simple[base] if base in simple else made(base)


def made(cls: type[Any]) -> st.SearchStrategy[Any]:
    hints = types_of(cls)
    return st.builds(cls, **{each.name: values(hints[each.name]) for each in fields(cls)})


@settings(max_examples=400)
@given(st.sampled_from(list(DECISIONS)), st.data())
def test_what_the_check_of_fields_lets_through_is_read_back_equal(kind: type[Event], data: st.DataObject) -> None:
    # One field at a time is drawn at random, so that the others do not hide it.
    hints, sound = types_of(kind), read_event(sample(kind))
    name = data.draw(st.sampled_from([each.name for each in fields(kind)]))
    drawn: dict[str, Any] = {name: data.draw(values(hints[name]))}
    request = replace(sound, **drawn)
    try:
        check_fields(request)
    except Refusal:
        return
    assert read_event(json.loads(json.dumps(plain_event(request)))) == request


def sample(kind: type[Event]) -> dict[str, object]:
    return next(one for one in map(json.loads, EXAMPLES) if one["type"] == kind.type)


@pytest.mark.parametrize("text", [text for text in HOSTILE if text.strip() and text.strip() not in ("a", "a\u0301")])
def test_a_paper_with_a_hostile_number_is_refused_and_the_book_goes_on(text: str) -> None:
    seller, buyer = elevator_book(), buyer_book()
    paper: Any = letter(seller)
    paper["document"]["number"] = text
    before = len(buyer.events())
    incoming, answers = take(buyer, paper)
    assert incoming.problems
    assert not answers
    assert len(buyer.events()) == before


@pytest.mark.parametrize(
    ("changed", "field"),
    [({"title_date": "2206-02-01"}, "title_date"), ({"title_date": "20260201"}, "title_date"),
     ({"title_date": "2026-W05-1"}, "title_date"), ({"number": "n" * 121}, "number")],
)  # fmt: skip
def test_a_paper_with_an_impossible_day_or_name_is_told_by_its_field(changed: dict[str, str], field: str) -> None:
    paper: Any = letter(elevator_book())
    paper["document"] |= changed
    incoming, _ = take(buyer_book(), paper)
    assert field in {one.place.column for one in incoming.problems}


@pytest.mark.parametrize("year", [99_999, 2015, 2030, -1])
def test_a_line_of_a_harvest_that_cannot_be_is_refused(year: int) -> None:
    line = {"crop": "soybeans", "harvest_year": 2025, "ci": "5000", "form": "soybeans", "bushels": "10"}
    paper = {"type": "document", "id": "d", "day": "2026-02-01", "giver": "coop", "taker": "crush", "number": "7"}
    good = read_event({**paper, "lines": [line]})
    lines: dict[str, Any] = {"lines": tuple(replace(one, harvest_year=year) for one in good.lines)}  # type: ignore[attr-defined]
    outcome = post(buyer_book(), replace(good, **lines))
    assert outcome.status in ("field_unreadable", "harvest_year_not_possible")
    assert post(buyer_book(), good).status == "posted"


def registered(name: str) -> EntityEvent:
    return EntityEvent(id=name, day=date(2026, 1, 5), entity=name, name=name, roles=(Role.FARM,))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_name_that_code_hands_over_is_asked_as_one_that_somebody_types(text: str) -> None:
    assert post(MemoryStore(), registered(text)).status == "field_unreadable"


LATER = ("a\U000e0100b", "a\U000e01efb", "a\U00016fe4b", "a\U0001d159b", "a\ufffcb")


@pytest.mark.parametrize("text", LATER)
def test_letters_that_show_nothing_enter_no_book_and_open_none(text: str, tmp_path: Path) -> None:
    path, header = tmp_path / "third.jsonl", Header("coop")
    event = {"type": "entity", "id": text, "day": "2026-01-05", "entity": "coop", "name": text, "roles": ["farm"]}
    line = json.dumps({"event": event, "chain": seal(header.head, event)})
    path.write_text(f"{header.line()}{line}\n", encoding="utf-8")
    with pytest.raises(ProblemsError, match="would not be posted"), open_book(path):
        pass
    with pytest.raises(Refusal):
        read_event(event)


def test_what_stands_is_read_without_being_asked_again() -> None:
    plain = plain_event(registered("a\nb"))
    with pytest.raises(Refusal):
        read_event(plain)
    assert read_posted(plain) == registered("a\nb")


def test_a_first_line_that_says_more_is_no_header() -> None:
    whole = Header("coop", shared=True).as_json()
    assert read_header(whole) == Header("coop", shared=True)
    for wrong in ({"edition": 6}, {"shared": 1}, {"shared": False}, {"format": 2}, {"entity": 7}):
        assert read_header(whole | wrong) is None
