"""Frozen dataclasses that are made fast: a book makes dozens for each event, and a tenth of its time went into that.

A frozen dataclass fills its fields through ``object.__setattr__``, one call a field. Here a value is, while its fields
are filled, of a twin class with the same slots that lets them be written as those of any class; then it becomes what
it is. Whoever has it has what ``dataclass(frozen=True, slots=True)`` makes.
"""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from functools import wraps
from typing import Any, Final, TypeVar, dataclass_transform

T = TypeVar("T")
_turn: Final[Callable[[object, type[Any]], None]] = object.__dict__["__class__"].__set__


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Return the class as a frozen dataclass with slots.

    Raises:
        TypeError: making a value of it takes more than filling its fields with what is given.
    """
    return filled_fast(dataclass(frozen=True, slots=True)(cls))


def filled_fast(made: type[T]) -> type[T]:
    """Let a frozen dataclass with slots fill its fields fast, from its second value on: most classes have none.

    Raises:
        TypeError: making a value of it takes more than filling its fields with what is given.
    """
    of_it: Any = made
    slow: Any = made.__dict__["__init__"]
    given = all(each.init and each.default_factory is MISSING for each in fields(made))  # type: ignore[arg-type]
    if not given or hasattr(made, "__post_init__"):
        raise TypeError(f"{made.__name__} does more than fill its fields with what is given")

    @wraps(slow)
    def first(self: object, *values: object, **named: object) -> None:
        of_it.__init__ = _fast(made, slow)  # the same, sooner done
        slow(self, *values, **named)

    of_it.__init__ = first
    return made


def _fast(made: type[Any], slow: Any) -> Callable[..., None]:  # noqa: ANN401 - a function with defaults
    code = slow.__code__
    many, all_of_them = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    plain, named = code.co_varnames[:many], code.co_varnames[many:all_of_them]
    head = ", ".join([*plain, *(["*"] if named else []), *named])
    same = ", ".join([*plain, *(f"{name}={name}" for name in named)])
    lines = [
        f"def __init__({head}):",
        # A class below that adds nothing has no twin of its own.
        f" if self.__class__ is not _frozen_made_: return _frozen_slow_({same})",
        " _frozen_turn_(self, _frozen_loose_)",
        *(f" self.{name} = {name}" for name in (*plain[1:], *named)),
        " self.__class__ = _frozen_made_",
    ]
    # Named as no field is, or a field would stand in their place.
    space: dict[str, Any] = {
        "_frozen_made_": made, "_frozen_slow_": slow, "_frozen_turn_": _turn, "_frozen_loose_": _twin(made),
    }  # fmt: skip
    exec("\n".join(lines), space)  # noqa: S102 - the names of its fields, as ``dataclass`` does it
    fast = space["__init__"]
    fast.__defaults__, fast.__kwdefaults__ = slow.__defaults__, slow.__kwdefaults__
    fast.__annotations__, fast.__qualname__ = slow.__annotations__, slow.__qualname__
    found: Callable[..., None] = fast
    return found


def _twin(made: type[Any]) -> type[Any]:
    """Return a class with the same slots whose values can be written."""
    writable = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    meta: Any = type(made)
    twin: type[Any] = meta(made.__name__, made.__bases__, {"__slots__": made.__dict__["__slots__"], **writable})
    return twin
