"""One codec between frozen dataclasses and plain JSON, and the words that a door says of their fields.

A field's type says how it is read and written: an amount is ``quantity.Bushels``, a typed text is ``Text``, a day that
somebody typed is ``Day``. Its ``Info`` says how a page, a table and the API call it. What is read back equals what was
written; what cannot be read is answered with every fault and its path.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from types import ModuleType
from typing import (
    Any,
    Final,
    NamedTuple,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
    dataclass_transform,
    get_args,
    overload,
)

from provender.frozen import filled_fast, frozen
from provender.wire import is_tuple, once, types_of, wire_of

T = TypeVar("T")

_INFO: Final = "info"


class When(NamedTuple):
    """What another field of the same form must say for a field to matter; a form leaves it out of the way otherwise.

    Attributes:
        field: the other field.
        words: what it says, as it is typed or chosen, without regard to case; empty stands for nothing.
        hides: whether these words make the field idle rather than needed.
    """

    field: str
    words: tuple[str, ...] | Callable[[], tuple[str, ...]]
    hides: bool = False

    @property
    def said(self) -> tuple[str, ...]:
        """Return the words; those of a long list are read when a form asks."""
        return self.words() if callable(self.words) else self.words


class Info(NamedTuple):
    """What a door says of a field.

    Attributes:
        label: its heading.
        unit: of its amount; that of its type unless it is said here.
        help: a sentence below it.
        cite: the paragraph that asks for it.
        party: what a party named in it does in the event; empty where it names none.
        choices: by what name a service offers what may be chosen.
        folded: whether a form folds it away.
        asked: whether a form asks for it at all.
        example: of what it holds, as plain JSON.
        when: what another field must say for a form to show this one.
    """

    label: str
    unit: str = ""
    help: str = ""
    cite: str = ""
    party: str = ""
    choices: str = ""
    folded: bool = False
    asked: bool = True
    example: object = None
    when: When | None = None

    @property
    def means(self) -> str:
        """Return what it means in a sentence, its label where that says all."""
        return self.help or f"{self.label}."


class InfoOptions(TypedDict, total=False):
    """What ``field`` takes beside the label: as in ``Info``."""

    unit: str
    help: str
    cite: str
    party: str
    choices: str
    folded: bool
    asked: bool
    example: object
    when: When


@overload
def field(label: str, *, default: T, **options: Unpack[InfoOptions]) -> T: ...
@overload
def field(label: str, **options: Unpack[InfoOptions]) -> Any: ...  # noqa: ANN401 - the type stands at the field
def field(label: str, *, default: Any = MISSING, **options: Unpack[InfoOptions]) -> Any:
    """Declare a field of a view or an event; without a default it is required."""
    return dataclasses.field(default=default, metadata={_INFO: Info(label, **options)})


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def view(cls: type[T]) -> type[T]:
    """Make a frozen dataclass of a class that a door shows: every field has its ``Info``.

    Raises:
        TypeError: a field has none.
    """
    made = declared(cls)
    _VIEWS.append(made)
    return made


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def declared(cls: type[T]) -> type[T]:
    """Return the class as a frozen dataclass with keyword arguments.

    Raises:
        TypeError: a field has no ``Info``.
    """
    return _with_words(filled_fast(dataclass(frozen=True, slots=True, kw_only=True)(cls)))


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def part(cls: type[T]) -> type[T]:
    """Return the class as a frozen dataclass of which others hold several: a ticket, a line.

    Raises:
        TypeError: a field has no ``Info``.
    """
    return _with_words(frozen(cls))


def _with_words(made: type[T]) -> type[T]:
    if bare := [each.name for each in fields(made) if _INFO not in each.metadata]:  # type: ignore[arg-type]
        raise TypeError(f"{made.__name__}: declare {', '.join(bare)} with field(...)")
    return made


_VIEWS: list[type[Any]] = []


def all_views() -> tuple[type[Any], ...]:
    """Return every view of the modules imported so far."""
    return tuple(_VIEWS)


@once
def infos(cls: type[Any]) -> Mapping[str, Info]:
    """Return what a door says of each field of a declared class, in order, with the unit of its type."""
    hints = types_of(cls)
    found: dict[str, Info] = {}
    for each in fields(cls):
        info: Info = each.metadata.get(_INFO, Info(each.name))
        unit = info.unit or str(getattr(wire_of(hints[each.name]), "unit", ""))
        found[each.name] = info._replace(unit=unit)
    return found


def example_of(kind: object, info: Info) -> object:
    """Return an example of a field as plain JSON: its own, or one made of those of its parts."""
    if info.example is not None or not is_tuple(kind):
        return info.example
    inside = get_args(kind)[0]
    if not is_dataclass(inside):
        return None
    examples = {name: each.example for name, each in infos(cast("type[Any]", inside)).items()}
    return [{name: example for name, example in examples.items() if example is not None}]


def read(cls: type[T], raw: object) -> T:
    """Return the value of a type that was written as ``raw``; a null stands for the default.

    Raises:
        UnreadableError: some of it cannot be read. Of one object the unknown fields come first, then the missing ones,
            then those that cannot be read, in the order of the object.
    """
    found: T = _codec().structured(cls, raw)
    return found


def write(value: object, *, whole: bool = False) -> Any:  # noqa: ANN401 - JSON
    """Return a value as plain JSON; ``whole`` also writes fields that stand at their default."""
    return _codec().unstructured(value, whole=whole)


@cache
def _codec() -> ModuleType:
    """Import the converters when somebody reads or writes, not when somebody declares: commands start faster."""
    from provender import codec

    return codec
