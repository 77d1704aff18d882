"""The one codec: what is written comes back, every fault is told with its path, declarations carry their words."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import provender
from provender import schema
from provender.exact import Amount, Bushels, Ci, Serials, weighted_mean
from tests.rows import CaseRows


class Colour(StrEnum):
    RED = "red"
    DARK_BLUE = "dark_blue"


@dataclass(frozen=True, slots=True)
class Ticket:
    number: schema.Text
    bushels: Bushels
    day: schema.Day | None = None


@schema.view
class Shown:
    """A view with a field of each type."""

    name: schema.Text = schema.field("Name", help="As on the ticket.")
    ci: Ci = schema.field("Carbon intensity")
    tickets: tuple[Ticket, ...] = schema.field("Tickets", default=())
    spans: tuple[Serials, ...] = schema.field("Serials", default=())
    colour: Colour = schema.field("Colour", default=Colour.RED)
    colours: tuple[Colour, ...] = schema.field("Colours", default=())
    amount: Amount = schema.field("Amount", unit="bu or lb", default=0)
    year: schema.Whole = schema.field("Year", default=0)
    day: schema.Day | None = schema.field("Day", default=None)
    sure: bool = schema.field("Sure", default=False)


@dataclass(frozen=True, slots=True)
class Kept:
    """A record of a store: whole numbers as they are."""

    key: str
    start: int
    spans: tuple[tuple[int, int], ...]
    day: date
    shown: Shown | None = None


CASES = CaseRows(__file__)
NAMES = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=20).map(lambda text: text.strip() or "x")
WHOLE = st.integers(min_value=-(10**12), max_value=10**12)
DAYS = st.dates(min_value=date(1900, 1, 1), max_value=date(2199, 12, 31))
TICKETS = st.builds(Ticket, st.just("T-1"), WHOLE, st.none() | DAYS)
SHOWN = st.builds(
    Shown,
    name=st.just("Ada Farm"),
    ci=WHOLE,
    tickets=st.lists(TICKETS, max_size=3).map(tuple),
    spans=st.lists(st.tuples(WHOLE, WHOLE), max_size=3).map(tuple),
    colour=st.sampled_from(Colour),
    colours=st.lists(st.sampled_from(Colour)).map(tuple),
    amount=WHOLE,
    year=st.integers(0, 9999),
    day=st.none() | DAYS,
    sure=st.booleans(),
)


def faults(raw: object, cls: type = Shown) -> tuple[schema.Fault, ...]:
    with pytest.raises(schema.UnreadableError) as refused:
        schema.read(cls, raw)
    return refused.value.faults


_NAMES_OF = (*schema.infos(Shown), *schema.infos(Ticket), "surprise")


@given(SHOWN)
def test_what_is_written_comes_back_with_and_without_defaults(value: Shown) -> None:
    assert schema.read(Shown, schema.write(value)) == value
    assert schema.read(Shown, schema.write(value, whole=True)) == value


@given(st.builds(Kept, NAMES, WHOLE, st.lists(st.tuples(WHOLE, WHOLE)).map(tuple), DAYS, st.none() | SHOWN))
def test_records_keep_whole_numbers(value: Kept) -> None:
    plain = schema.write(value, whole=True)
    assert plain["start"] == value.start
    assert schema.read(Kept, plain) == value


RAW = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 20_000) | st.sampled_from(["", " a", "T-1", "2", "2026-01-05", "red"]),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.sampled_from(_NAMES_OF), inside, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(_NAMES_OF), RAW, max_size=6) | RAW)
def test_whatever_comes_is_read_or_has_its_faults(raw: object) -> None:
    with suppress(schema.UnreadableError):
        assert isinstance(schema.read(Shown, raw), Shown)


def test_defaults_are_left_out_unless_the_whole_is_asked_for_and_nulls_stand_for_them() -> None:
    value = Shown(name="Ada", ci=2_915_037)
    assert schema.write(value) == {"name": "Ada", "ci": "29150.37"}
    assert schema.write(value, whole=True) == {
        "name": "Ada", "ci": "29150.37", "tickets": [], "spans": [], "colour": "red", "colours": [], "amount": "0",
        "year": 0, "day": None, "sure": False,
    }  # fmt: skip
    assert schema.read(Shown, {"name": " Ada ", "ci": 5, "colour": None, "day": None}) == Shown(name="Ada", ci=500)
    with pytest.raises(TypeError, match="cannot cross"):
        schema.write({"a": object()})


def test_every_fault_comes_with_its_path_in_the_order_of_precedence() -> None:
    raw = {
        "tickets": [{"number": "T-1", "bushels": "1.0005"}, {"bushels": "x", "colour": 1}],
        "day": "2026-13-01", "surprise": 1, "ci": True, "another": 2, "year": 20_000,
    }  # fmt: skip
    assert [(fault.where, fault.kind) for fault in faults(raw)] == [
        ("another", "unknown"),
        ("surprise", "unknown"),
        ("name", "missing"),
        ("tickets[0].bushels", "unreadable"),
        ("tickets[1].colour", "unknown"),
        ("tickets[1].number", "missing"),
        ("tickets[1].bushels", "unreadable"),
        ("day", "unreadable"),
        ("ci", "unreadable"),
        ("year", "unreadable"),
    ]


@CASES
def test_what_cannot_be_read_says_why(name: str, raw: object, reason: str) -> None:
    assert faults({"name": "Ada", "ci": "1", name: raw}) == (schema.Fault((name,), "unreadable", reason),)


def test_places_in_lists_are_told_and_a_null_stands_for_the_default_elsewhere() -> None:
    raw = {"name": "Ada", "ci": "1", "spans": [["0", "5"], ["1"]], "colours": ["red", "green"]}
    assert [fault.where for fault in faults(raw)] == ["spans[1]", "colours[1]"]
    assert schema.read(Limited, schema.write(Limited(most=None), whole=True)) == Limited(most=None)
    assert schema.read(Limited, {"shown": None}) == Limited()


@pytest.mark.parametrize("raw", [None, 5, "text", [], True])
def test_what_is_no_object_is_no_object(raw: object) -> None:
    (fault,) = faults(raw)
    assert (fault.path, fault.kind) == ((), "unreadable")


def test_the_unit_comes_from_the_type_unless_it_is_said_and_a_field_has_words() -> None:
    said = schema.infos(Shown)
    assert said["ci"] == schema.Info("Carbon intensity", unit="g CO2e/bu")
    assert said["amount"].unit == "bu or lb"
    assert said["name"] == schema.Info("Name", help="As on the ticket.")
    with pytest.raises(TypeError, match="Bare: declare number"):

        @schema.view
        class Bare:
            number: int


def test_no_module_that_declares_postpones_its_annotations() -> None:
    """Under postponed annotations cattrs loses ``Annotated`` and reads amounts as plain whole numbers."""
    for path in Path(provender.__file__).parent.rglob("*.py"):
        assert "from __future__ import annotations" not in path.read_text(encoding="utf-8"), path


@dataclass(frozen=True, slots=True)
class Limited:
    most: int | None = 5
    shown: str = "all"


@pytest.mark.parametrize(
    ("parts", "mean"),
    [([], None), ([(7, 0)], None), ([(7, 3)], 7), ([(1, 1), (2, 1)], 2), ([(2, 1), (3, 1)], 2), ([(1, 3), (5, 1)], 2)],
)
def test_a_mean_is_by_weight_and_ties_go_to_even(parts: list[tuple[int, int]], mean: int | None) -> None:
    assert weighted_mean(iter(parts)) == mean
