"""Records of the custody book as plain JSON and back, by the types of their fields.

Texts, whole numbers and truth values stand as they are, days as ``2026-12-31``, words as their value, tuples as lists
and dataclasses as objects. What comes back equals what went in.
"""

from collections.abc import Callable, Hashable
from dataclasses import MISSING, fields, is_dataclass
from datetime import date
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

R = TypeVar("R")
Reader = Callable[[Any], Any]


def write_record(record: object) -> object:
    """Return a record, or any part of one, as plain data for canonical JSON."""
    if is_dataclass(record) and not isinstance(record, type):
        return {one.name: write_record(getattr(record, one.name)) for one in fields(record)}
    if isinstance(record, tuple):
        return [write_record(one) for one in record]
    if isinstance(record, StrEnum):
        return record.value
    return record.isoformat() if isinstance(record, date) else record


def read_record(kind: type[R], plain: object) -> R:
    """Return the record of a kind that was written as ``plain``.

    Raises:
        TypeError: a field has a type that records do not use, or the data is of another kind.
        KeyError: a field without a default is missing.
    """
    return cast("R", _reader(cast("Hashable", kind))(plain))


@cache
def _reader(hint: Any) -> Reader:  # noqa: ANN401 - any annotation
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        (one,) = (kind for kind in inside if kind is not NoneType)
        read = _reader(one)
        return lambda plain: None if plain is None else read(plain)
    if origin is tuple:
        return _tuple_reader(inside)
    if hint in (str, int, bool):
        return lambda plain: plain
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint
    if hint is date:
        return date.fromisoformat
    if isinstance(hint, type) and is_dataclass(hint):
        return _object_reader(hint)
    raise TypeError(f"records have no fields of type {hint}")


def _tuple_reader(inside: tuple[Any, ...]) -> Reader:
    if inside[-1] is Ellipsis:
        each = _reader(inside[0])
        return lambda plain: tuple(each(one) for one in plain)
    readers = [_reader(one) for one in inside]
    return lambda plain: tuple(read(one) for read, one in zip(readers, plain, strict=True))


def _object_reader(kind: type[Any]) -> Reader:
    hints = get_type_hints(kind)
    readers = {one.name: _reader(hints[one.name]) for one in fields(kind)}
    # Books outlive versions of this program: what an older one did not write yet stands at the field's default.
    may_lack = {one.name for one in fields(kind) if one.default is not MISSING or one.default_factory is not MISSING}

    def read(plain: Any) -> Any:  # noqa: ANN401 - JSON in, the dataclass out
        there = {name: reader for name, reader in readers.items() if name in plain or name not in may_lack}
        return kind(**{name: reader(plain[name]) for name, reader in there.items()})

    return read
