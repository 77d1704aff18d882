"""Frozen dataclasses that are made fast are what ``dataclass`` makes: the same values, as closed to whoever has one."""

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from inspect import signature
from typing import Any

import pytest

from provender.schema import filled_fast, frozen


@frozen
class Ticket:
    """A number, an amount, and where."""

    number: str
    amount: int
    site: str = "yard"


@dataclass(frozen=True, slots=True)
class Slow:
    """The same, made as Python does it."""

    number: str
    amount: int
    site: str = "yard"


@frozen
class Weighed(Ticket):
    """A class below, with a field more."""

    pounds: int = 0


class Renamed(Ticket):
    """A class below that adds nothing and is no dataclass."""


@filled_fast
@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Every field is given by its name."""

    number: str
    amount: int = 3


def values_of(one: object) -> list[Any]:
    return [getattr(one, each.name) for each in fields(one)]  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [("T1", 5), ("T1", 5, "mill")])
def test_every_value_is_the_one_that_a_dataclass_would_be_from_the_first_to_the_last(given: tuple[Any, ...]) -> None:
    made = [Ticket(*given) for _ in range(3)]
    slow = Slow(*given)
    assert [values_of(one) for one in made] == [values_of(slow)] * 3
    assert {type(one) for one in made} == {Ticket}
    assert len(set(made)) == 1
    assert repr(made[-1]) == repr(slow).replace("Slow", "Ticket")
    assert Ticket.__qualname__ in repr(made[-1])


def test_nobody_changes_a_value_or_hangs_something_on_it() -> None:
    Ticket("T0", 1)
    one = Ticket("T1", 5)
    with pytest.raises(FrozenInstanceError):
        one.amount = 6  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del one.amount
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        one.more = 6  # type: ignore[attr-defined]
    assert one.amount == 5


def test_names_defaults_and_missing_fields_are_as_they_were() -> None:
    for _ in range(3):
        assert values_of(Ticket(amount=5, number="T1")) == ["T1", 5, "yard"]
        assert values_of(Named(number="T1")) == ["T1", 3]
        with pytest.raises(TypeError):
            Ticket("T1")  # type: ignore[call-arg]
        with pytest.raises(TypeError):
            Ticket("T1", 5, "mill", "more")  # type: ignore[call-arg]
        with pytest.raises(TypeError):
            Named("T1")  # type: ignore[call-arg]
        assert str(signature(Ticket)) == str(signature(Slow))


def test_classes_below_keep_their_own_fields_and_their_own_kind() -> None:
    for _ in range(3):
        assert values_of(Weighed("T1", 5, pounds=56)) == ["T1", 5, "yard", 56]
        assert type(Weighed("T1", 5)) is Weighed
        assert type(Renamed("T1", 5)) is Renamed
        assert values_of(Renamed("T1", 5)) == ["T1", 5, "yard"]


def test_copies_and_what_is_stored_of_a_value_are_equal() -> None:
    Weighed("T0", 1)
    one = Weighed("T1", 5)
    assert replace(one, amount=6) == Weighed("T1", 6)
    assert copy.copy(one) == one
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301 - our own bytes


def test_no_name_of_a_field_stands_in_the_way() -> None:
    @frozen
    class Names:
        made: str
        slow: int
        turn: int
        loose: int
        self_: int = 0

    class Below(Names):
        pass

    for each in (Names, Names, Names, Below):
        one = each("T1", 1, 2, 3)
        assert type(one) is each
        assert values_of(one) == ["T1", 1, 2, 3, 0]
        with pytest.raises(FrozenInstanceError):
            one.made = "T2"  # type: ignore[misc]


def test_a_class_that_does_more_than_fill_its_fields_is_refused() -> None:
    with pytest.raises(TypeError, match="does more"):

        @frozen
        class Filled:
            names: list[str] = field(default_factory=list)

    with pytest.raises(TypeError, match="does more"):

        @frozen
        class Watched:
            amount: int

            def __post_init__(self) -> None:
                assert self.amount >= 0
