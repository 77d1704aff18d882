"""One codec between frozen dataclasses and plain JSON, and the words that a door says of their fields.

A field's type says how it is read and written: an amount is ``quantity.Bushels``, a typed text is ``Text``, a day that
somebody typed is ``Day``. Its ``Info`` says how a page, a table and the API call it. What is read back equals what was
written; what cannot be read is answered with every fault and its path.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import date
from enum import StrEnum
from functools import cache
from types import GenericAlias
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from cattrs import AttributeValidationNote, BaseConverter, ClassValidationError, Converter, IterableValidationError
from cattrs import IterableValidationNote as IndexNote
from cattrs.gen import make_dict_structure_fn, override

from provender.wire import CLEAN, clean_text, read_day, read_text, read_truth, read_whole, wire_of

T = TypeVar("T")
Path = tuple[str | int, ...]

_INFO: Final = "info"


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
        example: of what it holds, as plain JSON.
    """

    label: str
    unit: str = ""
    help: str = ""
    cite: str = ""
    party: str = ""
    choices: str = ""
    folded: bool = False
    example: object = None


class InfoOptions(TypedDict, total=False):
    """What ``field`` takes beside the label: as in ``Info``."""

    unit: str
    help: str
    cite: str
    party: str
    choices: str
    folded: bool
    example: object


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


def declared(cls: type[T]) -> type[T]:
    """Return the class as a frozen dataclass with keyword arguments.

    Raises:
        TypeError: a field has no ``Info``.
    """
    made: type[T] = dataclass(frozen=True, slots=True, kw_only=True)(cls)
    if bare := [each.name for each in fields(made) if _INFO not in each.metadata]:  # type: ignore[arg-type]
        raise TypeError(f"{cls.__name__}: declare {', '.join(bare)} with field(...)")
    return made


_VIEWS: list[type[Any]] = []


def all_views() -> tuple[type[Any], ...]:
    """Return every view of the modules imported so far."""
    return tuple(_VIEWS)


def _once(of_class: Callable[[type[Any]], T]) -> Callable[[type[Any]], T]:
    """Remember what a function says of a class."""
    return cast("Callable[[type[Any]], T]", cache(of_class))


@_once
def infos(cls: type[Any]) -> Mapping[str, Info]:
    """Return what a door says of each field of a declared class, in order, with the unit of its type."""
    hints = types_of(cls)
    found: dict[str, Info] = {}
    for each in fields(cls):
        info: Info = each.metadata.get(_INFO, Info(each.name))
        unit = info.unit or str(getattr(wire_of(hints[each.name]), "unit", ""))
        found[each.name] = info._replace(unit=unit)
    return found


@_once
def types_of(cls: type[Any]) -> Mapping[str, Any]:
    """Return the types of a dataclass's fields, annotations included."""
    return get_type_hints(cls, include_extras=True)


class Fault(NamedTuple):
    """Why something cannot be read.

    Attributes:
        path: names of fields and places in lists, from the outermost.
        kind: the field is not known there, is missing, or holds what cannot be read.
        reason: in words; the field's name where that is all.
    """

    path: Path
    kind: Literal["unknown", "missing", "unreadable"]
    reason: str

    @property
    def where(self) -> str:
        """Write the path as ``tickets[2].bushels``."""
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return "".join(steps).removeprefix(".")


class UnreadableError(Exception):
    """An object that cannot be read as what was asked for; carries every fault, the one to name first at the front."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{fault.where}: {fault.reason} ({fault.kind})" for fault in self.faults))


class _Shape(Exception):  # noqa: N818 - it never leaves this module
    """An object with the wrong keys."""

    def __init__(self, kind: Literal["unknown", "missing"], names: Iterable[str]) -> None:
        self.kind, self.names = kind, tuple(names)
        super().__init__(*self.names)


def read(cls: type[T], raw: object) -> T:
    """Return the value of a type that was written as ``raw``; a null stands for the default.

    Raises:
        UnreadableError: some of it cannot be read. Of one object the unknown fields come first, then the missing ones,
            then those that cannot be read, in the order of the object.
    """
    try:
        return _LEAN.structure(raw, cls)
    except (ClassValidationError, IterableValidationError, TypeError, ValueError) as wrong:
        raise UnreadableError(sorted(_faults(wrong, ()), key=_order_in(raw))) from None


def write(value: object, *, whole: bool = False) -> Any:  # noqa: ANN401 - JSON
    """Return a value as plain JSON; ``whole`` also writes fields that stand at their default."""
    return (_FULL if whole else _LEAN).unstructure(value)


def _faults(wrong: BaseException, path: Path) -> Iterator[Fault]:
    if isinstance(wrong, ClassValidationError | IterableValidationError):
        for each in wrong.exceptions:
            yield from _faults(each, (*path, *_step(each)))
    elif isinstance(wrong, _Shape):
        yield from (Fault((*path, name), wrong.kind, name) for name in wrong.names)
    else:
        yield Fault(path, "unreadable", str(wrong))


def _step(wrong: BaseException) -> tuple[str | int, ...]:
    """Return by which field or place an error lies below its object; nothing for the object itself."""
    for note in getattr(wrong, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            return (note.name,)
        if isinstance(note, IndexNote):
            return (note.index,)
    return ()


def _order_in(raw: object) -> Callable[[Fault], list[tuple[int, int, str]]]:
    def key(fault: Fault) -> list[tuple[int, int, str]]:
        order, inside = [], raw
        for depth, step in enumerate(fault.path, 1):
            last = depth == len(fault.path)
            if last and fault.kind != "unreadable":
                order.append((0, 0, str(step)) if fault.kind == "unknown" else (1, 0, ""))
            elif isinstance(inside, Mapping):
                order.append((2, list(inside).index(step), ""))
                inside = inside[step]
            else:
                order.append((2, int(step), ""))
                inside = inside[int(step)] if isinstance(inside, list) else None
        return order

    return key


def _object(cls: type[Any], _: BaseConverter) -> Callable[[object, object], Any]:
    """Make the reader of a dataclass."""
    hints = types_of(cls)
    known = {each.name for each in fields(cls)}
    required = [each.name for each in fields(cls) if is_required(each)]
    filled = {name: override(struct_hook=_filled) for name in required if wire_of(hints[name]) is CLEAN}
    inner = make_dict_structure_fn(cls, _LEAN, **filled)  # type: ignore[arg-type]

    def structure(raw: object, _: object) -> Any:  # noqa: ANN401 - the class's value
        if not isinstance(raw, Mapping):
            raise TypeError(f"{raw!r} is not an object")
        extra = sorted(str(name) for name in raw if name not in known)
        lacking = [name for name in required if name not in raw]
        given = {name: raw[name] for name in raw if name in known and (raw[name] is not None or name in required)}
        if not extra and not lacking:
            return inner(given, cls)
        wrong: list[Exception] = [_Shape("unknown", extra), _Shape("missing", lacking)]
        try:
            inner(given, cls)
        except ClassValidationError as inside:
            wrong.extend(each for each in inside.exceptions if _step(each) not in {(name,) for name in lacking})
        raise ClassValidationError(cls.__name__, wrong, cls)

    return structure


def is_required(each: "dataclasses.Field[Any]") -> bool:
    """Tell whether a field has no default."""
    return each.default is MISSING and each.default_factory is MISSING


def _filled(raw: object, _: object) -> str:
    text = clean_text(raw)
    if not text:
        raise ValueError("it is empty")
    return text


def _word(raw: object, words: type[StrEnum]) -> StrEnum:
    text = read_text(raw)
    try:
        return words(clean_text(text))
    except ValueError:
        raise ValueError(f"{raw!r} is none of {', '.join(words)}") from None


def _lists(kind: Any, converter: BaseConverter) -> Callable[[object, object], Any]:  # noqa: ANN401 - a tuple
    """Make the reader of a tuple: only a list is one, else the letters of a text would pass."""
    inside = get_args(kind)
    if inside[-1] is not Ellipsis:
        readers = [converter.get_structure_hook(each) for each in inside]
        pairs = list(zip(readers, inside, strict=True))

        def each_by_its_type(raw: object, _: object) -> tuple[Any, ...]:
            items = _items(raw)
            if len(items) != len(pairs):
                raise ValueError(f"{raw!r} has not {len(pairs)} members")
            return tuple(reader(item, each) for item, (reader, each) in zip(items, pairs, strict=True))

        return each_by_its_type
    many = list[inside[0]]  # type: ignore[valid-type]
    reader = converter.get_structure_hook(many)
    return lambda raw, _: tuple(reader(_items(raw), many))


def is_tuple(kind: object) -> bool:
    """Tell whether a type is a tuple of given types."""
    return isinstance(kind, GenericAlias) and get_origin(kind) is tuple


def _items(raw: object) -> list[object]:
    if not isinstance(raw, list):
        raise TypeError(f"{raw!r} is not a list")
    return raw


def _is_wire(kind: object) -> bool:
    return get_origin(kind) is Annotated and wire_of(kind) is not None


def _reads(kind: Any, _: BaseConverter) -> Callable[[object, object], Any]:  # noqa: ANN401 - an annotated type
    reader = wire_of(kind)
    assert reader is not None  # noqa: S101 - the predicate asked
    return _plainly(reader.read)


def _writes(kind: Any, _: BaseConverter) -> Callable[[Any], object]:  # noqa: ANN401 - an annotated type
    writer = wire_of(kind)
    assert writer is not None  # noqa: S101 - the predicate asked
    return writer.write


_STRICT: Final[Mapping[type[Any], Callable[[object], Any]]] = {
    str: read_text,
    int: read_whole,
    bool: read_truth,
    date: read_day,
}


def _plainly(reader: Callable[[object], Any]) -> Callable[[object, object], Any]:
    return lambda raw, _: reader(raw)


def _converter(*, lean: bool) -> Converter:
    made = Converter(omit_if_default=lean, unstruct_collection_overrides={tuple: list})
    made.register_structure_hook_factory(lambda kind: isinstance(kind, type) and is_dataclass(kind), _object)
    made.register_structure_hook_factory(is_tuple, _lists)
    made.register_structure_hook_factory(_is_wire, _reads)
    made.register_unstructure_hook_factory(_is_wire, _writes)
    made.register_unstructure_hook(date, date.isoformat)
    for kind, reader in _STRICT.items():
        made.register_structure_hook(kind, _plainly(reader))
    # A hook of ``str`` holds for its subclasses too, so words have one of their own.
    made.register_structure_hook(StrEnum, _word)
    return made


_LEAN: Final = _converter(lean=True)
_FULL: Final = _converter(lean=False)
