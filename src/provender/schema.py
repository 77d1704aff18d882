"""How single values cross the wire: what a type's annotation reads and writes, and what a fault is.

``Bushels`` and the other amounts stand in ``exact``; here stand texts, days and whole numbers that somebody typed.
"""

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import MISSING, dataclass, fields, is_dataclass
from dataclasses import field as dataclasses_field
from datetime import date
from enum import StrEnum
from functools import cache
from types import GenericAlias, ModuleType, NoneType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    Protocol,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    overload,
    runtime_checkable,
)
from unicodedata import normalize

T = TypeVar("T")
Path = tuple[str | int, ...]

TEXT_MAX: Final = 2_000
YEARS: Final = range(1900, 2200)
"""Years in which a day that somebody typed may lie: what lies beyond is a slip of the keys."""
_MOST_WHOLE: Final = 9_999
NAME_MAX: Final = 120
"""Characters of a name by which something is found: it becomes a key, and part of longer ones."""
_ID_MAX: Final = 300
"""Characters of an event's own name, which may be made of several names."""
_PAPER_MAX: Final = 200_000
_ISO_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\ufffc\U00013441\U00013442\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)
"""Characters that count as printable and show nothing: fillers, joiners and selectors."""
_AS_STORED: Final[ContextVar[bool]] = ContextVar("as_stored", default=False)


@contextmanager
def as_stored() -> Iterator[None]:
    """Read what stands in a book already without asking what its texts, days and numbers hold."""
    before = _AS_STORED.set(True)
    try:
        yield
    finally:
        _AS_STORED.reset(before)


@runtime_checkable
class Wire(Protocol):
    """How an annotated type crosses the wire."""

    def read(self, raw: object) -> Any:  # noqa: ANN401 - of the annotated type
        """Return the value; TypeError or ValueError with the reason."""

    def write(self, value: Any) -> object:  # noqa: ANN401 - of the annotated type
        """Return the plain form."""


def wire_of(kind: object) -> Wire | None:
    """Return how an annotated type is read and written, or None; of an optional one, that of its type."""
    if get_origin(kind) is Annotated:
        return next((each for each in get_args(kind)[1:] if isinstance(each, Wire)), None)
    inside = get_args(kind)
    return next(filter(None, map(wire_of, inside)), None) if NoneType in inside else None


@dataclass(frozen=True, slots=True)
class _Typed:
    """A text or a day that somebody typed, or a whole number."""

    read: Callable[[object], Any]
    write: Callable[[Any], object]


def _cleaner(most: int, says: str) -> Callable[[object], str]:
    """Make the reader of texts of so many characters at most."""

    def clean(raw: object) -> str:
        if not isinstance(raw, str):
            raise TypeError(f"{raw!r} is not text")
        # One letter may be written as one character or as two: the same name must be the same party.
        text = normalize("NFC", raw.strip())
        # Characters that cannot be printed hide one name in another, and not every store can keep them.
        seen = text.isprintable() and (text.isascii() or not _UNSEEN.search(text))
        if not seen or len(text) > most or text == "*":
            if _AS_STORED.get():
                return raw
            raise ValueError(f"{text[:40]!r} cannot be used: write printable characters, at most {most:,}")
        return text

    clean.__doc__ = says
    return clean


def typed_day(raw: object) -> date:
    """Return a day that somebody typed.

    Raises:
        TypeError: it is no text.
        ValueError: it is no day, or none of this age.
    """
    day = read_day(raw if _AS_STORED.get() else clean_text(raw))
    if day.year not in YEARS and not _AS_STORED.get():
        raise ValueError(f"{day} is not a day of this age")
    return day


def read_day(raw: object) -> date:
    """Return a day of the calendar, written as 2026-10-05 and not otherwise.

    Raises:
        TypeError: it is no text.
        ValueError: it is no such day.
    """
    if not isinstance(raw, str):
        raise TypeError(f"{raw!r} is not text")
    try:
        # Python also reads 20261005 and 2026-W41-1: one day has one spelling.
        day = date.fromisoformat(raw)
    except ValueError:
        raise ValueError(f"{raw!r} is not a day of the calendar, such as 2026-10-05") from None
    if not _ISO_DAY.fullmatch(raw):
        raise ValueError(f"{raw!r} is not written as a day is here, such as {day}")
    return day


def small_whole(raw: object) -> int:
    """Return a year or the number of a version.

    Raises:
        TypeError: it is no whole number.
        ValueError: it is too large to be one.
    """
    whole = read_whole(raw)
    if abs(whole) > _MOST_WHOLE and not _AS_STORED.get():
        raise ValueError(f"{raw} is no year and no number of a version")
    return whole


def read_text(raw: object) -> str:
    """Return a text as it stands; TypeError for anything else."""
    if not isinstance(raw, str):
        raise TypeError(f"{raw!r} is not text")
    return raw


def read_whole(raw: object) -> int:
    """Return a whole number; TypeError for anything else, a truth value too."""
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise TypeError(f"{raw!r} is not a whole number")
    return raw


def read_number(raw: object) -> float:
    """Return a coordinate; TypeError for what is no number."""
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise TypeError(f"{raw!r} is not a number")
    return float(raw)


def read_truth(raw: object) -> bool:
    """Return a truth value; TypeError for anything else."""
    if not isinstance(raw, bool):
        raise TypeError(f"{raw!r} is neither true nor false")
    return raw


clean_text: Final = _cleaner(
    TEXT_MAX,
    """Return a text that somebody typed, in one spelling.

    Raises:
        TypeError: it is no text.
        ValueError: it cannot be printed, is too long, or stands for everybody.
    """,
)
clean_name: Final = _cleaner(
    NAME_MAX, "Return a text by which something is found, as ``clean_text`` does, but a shorter one."
)


def clean_code(raw: object) -> str:
    """Return a text as ``clean_text`` does; one of hexadecimal digits, such as a blinded id, in lower case."""
    text = clean_text(raw)
    return text.lower() if _HEX.fullmatch(text) else text


_HEX: Final = re.compile(r"[0-9A-Fa-f]{16,}")
_CLEAN: Final = _Typed(clean_text, str)
Text = Annotated[str, _CLEAN]
"""A text that somebody typed; where it is required it is not empty."""
NAME: Final = _Typed(clean_name, str)
ID: Final = _Typed(_cleaner(_ID_MAX, "Return an event's own name."), str)
Id = Annotated[str, ID]
"""An event's own name."""
Name = Annotated[str, NAME]
"""A text by which something is found: an id, a party, a site, a number. It is short, for it becomes part of keys."""
_CODE: Final = _Typed(clean_code, str)
Code = Annotated[str, _CODE]
"""The code of an origin: letter case tells no two apart."""
SIGNED: Final = _Typed(_cleaner(_PAPER_MAX, "Return a signed paper."), str)
Signed = Annotated[str, SIGNED]
"""A signed paper as JSON in one line."""
TYPED: Final = (_CLEAN, NAME, ID, _CODE, SIGNED)
DAY: Final = _Typed(typed_day, date.isoformat)
Day = Annotated[date, DAY]
"""A day that somebody typed."""
Whole = Annotated[int, _Typed(small_whole, int)]
"""A year or the number of a version."""


def once(of_class: Callable[[type[Any]], T]) -> Callable[[type[Any]], T]:
    """Remember what a function says of a class."""
    return cast("Callable[[type[Any]], T]", cache(of_class))


@once
def types_of(cls: type[Any]) -> Mapping[str, Any]:
    """Return the types of a dataclass's fields, annotations included."""
    return get_type_hints(cls, include_extras=True)


def is_required(each: "dataclasses.Field[Any]") -> bool:
    return each.default is MISSING and each.default_factory is MISSING


class Fault(NamedTuple):
    """Why something cannot be read."""

    path: Path  # names of fields and places in lists, from the outermost
    # the field is not known there, is missing, or holds what cannot be read
    kind: Literal["unknown", "missing", "unreadable"]
    reason: str  # in words; the field's name where that is all

    @property
    def where(self) -> str:
        """Write the path as ``tickets[2].bushels``."""
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return "".join(steps).removeprefix(".")


class UnreadableError(ValueError):
    """An object that cannot be read as what was asked for; carries every fault, the one to name first at the front."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{fault.where}: {fault.reason} ({fault.kind})" for fault in self.faults))


def is_tuple(kind: object) -> bool:
    """Tell whether a type is a tuple of given types."""
    return isinstance(kind, GenericAlias) and get_origin(kind) is tuple


def is_word(kind: object) -> bool:
    """Tell whether a field holds one of fixed words."""
    return isinstance(kind, type) and issubclass(kind, StrEnum)


def is_day(kind: object) -> bool:
    """Tell whether a type is a day, annotated or optional."""
    inside = get_args(kind)
    return kind is date or (bool(inside) and get_origin(kind) is not tuple and is_day(inside[0]))


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses_field,))
def frozen(cls: type[T]) -> type[T]:
    """Return the class as a frozen dataclass with slots."""
    return dataclass(frozen=True, slots=True)(cls)


# One codec between frozen dataclasses and plain JSON, and the words that an interface says of their fields.
#
# A field's type says how it is read and written: an amount is ``exact.Bushels``, a typed text is ``Text``, a day
# that somebody typed is ``Day``. Its ``Info`` says how a page, a table and the API call it. What is read back equals
# what was written; what cannot be read is answered with every fault and its path.

_INFO: Final = "info"


class When(NamedTuple):
    """What another field of the same form must say for a field to matter; a form leaves it out of the way otherwise."""

    field: str  # the other field
    # what it says, as it is typed or chosen, without regard to case; empty stands for nothing
    words: tuple[str, ...] | Callable[[], tuple[str, ...]]
    hides: bool = False  # whether these words make the field idle rather than needed

    @property
    def said(self) -> tuple[str, ...]:
        """Return the words; those of a long list are read when a form asks."""
        return self.words() if callable(self.words) else self.words


class Info(NamedTuple):
    """What an interface says of a field."""

    label: str  # its heading
    unit: str = ""  # of its amount; that of its type unless it is said here
    help: str = ""  # a sentence below it
    cite: str = ""  # the paragraph that asks for it
    party: str = ""  # what a party named in it does in the event; empty where it names none
    choices: str = ""  # by what name a service offers what may be chosen
    folded: bool = False  # whether a form folds it away
    long: bool = False  # whether a form gives it several lines
    asked: bool = True  # whether a form asks for it at all
    example: object = None  # of what it holds, as plain JSON
    when: When | None = None  # what another field must say for a form to show this one

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
    long: bool
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
    """Make a frozen dataclass of a class that an interface shows: every field has its ``Info``.

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
    return _with_words(dataclass(frozen=True, slots=True, kw_only=True)(cls))


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
    """Return what an interface says of each field of a declared class, in order, with the unit of its type."""
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
