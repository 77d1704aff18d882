"""What every reader of this room returns: a typed result, or none, beside all problems found.

The result crosses from a child process as JSON, so it is built from frozen dataclasses whose fields are text, whole
numbers, coordinates (floats), truth values, dates, string enumerations, tuples, mappings with text keys, and
dataclasses again. ``encode`` and ``decode`` are each other's inverse over those and refuse anything else.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Generic, Never, TypeVar, Union, get_args, get_origin, get_type_hints

from provender.problem import Place, Problem, Weight

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T_co]):
    """What a reader made of one file.

    Attributes:
        result: what could be read; None where nothing could.
        problems: everything a person must fix or confirm, in the order of the file.
    """

    result: T_co | None
    problems: tuple[Problem, ...] = ()


def refused(place: Place, cause: str, remedy: str, code: str) -> Parsed[Never]:
    """Return a file of which nothing can be used, for one reason."""
    return Parsed(None, (Problem(place, cause, remedy, code=code),))


def doubt(place: Place, cause: str, remedy: str, code: str) -> Problem:
    """Return a problem that a person may settle by confirming."""
    return Problem(place, cause, remedy, weight=Weight.CONFIRM, code=code)


def note(place: Place, cause: str, remedy: str, code: str) -> Problem:
    """Return something worth knowing that asks for nothing."""
    return Problem(place, cause, remedy, weight=Weight.NOTE, code=code)


def listed(names: Iterable[object], most: int = 5) -> str:
    """Write names with commas, the first few in full and the rest as a number, so that a message stays short."""
    texts = [str(name) for name in names]
    rest = len(texts) - most
    return ", ".join(texts[:most]) + (f" and {rest} more" if rest > 0 else "")


def grouped(problems: Iterable[Problem]) -> list[Problem]:
    """Join problems that say the same of several rows into one at the first of them, naming how many rows there are."""
    groups: dict[tuple[object, ...], list[Problem]] = {}
    for each in problems:
        key = (each.place.file, each.place.column, each.cause, each.remedy, each.weight, each.code)
        groups.setdefault(key, []).append(each)
    joined = []
    for same in groups.values():
        rows = [each.place.row for each in same]
        more = f" The same holds for {len(rows) - 1} more: row {listed(rows[1:])}." if len(rows) > 1 else ""
        joined.append(replace(same[0], cause=same[0].cause + more))
    return joined


def encode(value: object) -> object:
    """Return plain JSON data for a value of the kinds above.

    Raises:
        TypeError: a value of another kind; a reader must not return it.
    """
    match value:
        case None | bool() | int() | float():
            return value
        case StrEnum() | str():
            return str(value)
        case datetime() | date():
            return value.isoformat()
        case tuple() | list():
            return [encode(each) for each in value]
        case Mapping():
            return {str(key): encode(each) for key, each in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: encode(getattr(value, each.name)) for each in fields(value)}
    raise TypeError(f"a reader returned a {type(value).__name__}, which cannot cross from its process")


@cache
def _hints(kind: type) -> dict[str, object]:
    return get_type_hints(kind)


def _decode_tuple(arguments: tuple[object, ...], data: object) -> object:
    if not isinstance(data, list):
        raise TypeError("expected a list")
    if len(arguments) == 2 and arguments[1] is Ellipsis:  # noqa: PLR2004 - tuple[X, ...] has two arguments
        return tuple(decode(arguments[0], each) for each in data)
    return tuple(decode(hint, each) for hint, each in zip(arguments, data, strict=True))


def decode(hint: object, data: object) -> object:
    """Build a value of the type ``hint`` from what ``encode`` made of it.

    Raises:
        TypeError, ValueError, KeyError: the data is not of that type; a child that was taken over could send it.
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        if data is None and NoneType in arguments:
            return None
        (inner,) = (each for each in arguments if each is not NoneType)
        return decode(inner, data)
    if origin is tuple:
        return _decode_tuple(arguments, data)
    if origin in (dict, Mapping):
        if not isinstance(data, dict):
            raise TypeError("expected a mapping")
        return {decode(arguments[0], key): decode(arguments[1], each) for key, each in data.items()}
    kind = origin or hint
    if not isinstance(kind, type):
        raise TypeError(f"{hint!r} is not a type that crosses processes")
    if is_dataclass(kind):
        if not isinstance(data, dict):
            raise TypeError(f"expected the fields of {kind.__name__}")
        hints = _hints(kind)
        return kind(**{name: decode(hints[name], each) for name, each in data.items()})
    return _decode_plain(kind, data)


def _decode_plain(kind: type, data: object) -> object:
    if issubclass(kind, date):
        return kind.fromisoformat(str(data))
    if issubclass(kind, StrEnum):
        return kind(str(data))
    if kind is float and isinstance(data, int):
        return float(data)
    if type(data) is not kind:
        raise TypeError(f"expected {kind.__name__}, found {type(data).__name__}")
    return data


def decode_parsed(result: object, data: Mapping[str, object]) -> Parsed[object]:
    """Build a ``Parsed`` whose result is of the type ``result``; errors as ``decode``."""
    raw = data["result"]
    problems = decode(tuple[Problem, ...], data["problems"])
    value = None if raw is None else decode(result, raw)
    return Parsed(value, problems)  # type: ignore[arg-type]  # decode was asked for that very type
