"""The converters behind ``schema.read`` and ``schema.write``: by the types of fields, every fault with its path."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import StrEnum
from types import NoneType
from typing import Annotated, Any, Final, Literal, TypeVar, get_args, get_origin

from cattrs import AttributeValidationNote, BaseConverter, ClassValidationError, Converter, IterableValidationError
from cattrs import IterableValidationNote as IndexNote
from cattrs.gen import make_dict_structure_fn, override

from provender import schema

T = TypeVar("T")


class _Shape(Exception):  # noqa: N818 - it never leaves this module
    """An object with the wrong keys."""

    def __init__(self, kind: Literal["unknown", "missing"], names: Iterable[str]) -> None:
        self.kind, self.names = kind, tuple(names)
        super().__init__(*self.names)


def _faults(wrong: BaseException, path: schema.Path) -> Iterator[schema.Fault]:
    if isinstance(wrong, ClassValidationError | IterableValidationError):
        for each in wrong.exceptions:
            yield from _faults(each, (*path, *_step(each)))
    elif isinstance(wrong, _Shape):
        yield from (schema.Fault((*path, name), wrong.kind, name) for name in wrong.names)
    else:
        yield schema.Fault(path, "unreadable", str(wrong))


def _step(wrong: BaseException) -> tuple[str | int, ...]:
    """Return by which field or place an error lies below its object; nothing for the object itself."""
    for note in getattr(wrong, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            return (note.name,)
        if isinstance(note, IndexNote):
            return (note.index,)
    return ()


def _order_in(raw: object) -> Callable[[schema.Fault], list[tuple[int, int, str]]]:
    def key(fault: schema.Fault) -> list[tuple[int, int, str]]:
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
    hints = schema.types_of(cls)
    known = {each.name for each in fields(cls)}
    required = [each.name for each in fields(cls) if schema.is_required(each)]
    needed = frozenset(required)
    # A null stands for the default, but where it is a value of the field.
    nullable = needed | {name for name in known if NoneType in get_args(hints[name])}
    texts = {name: wire for name in required if (wire := schema.wire_of(hints[name])) in schema.TYPED}
    filled = {name: override(struct_hook=_filled(wire)) for name, wire in texts.items() if wire}
    inner = make_dict_structure_fn(cls, _LEAN, **filled)  # type: ignore[arg-type]

    def structure(raw: object, _: object) -> Any:  # noqa: ANN401 - the class's value
        if not isinstance(raw, Mapping):
            raise TypeError(f"{raw!r} is not an object")
        if needed <= raw.keys() <= known and None not in raw.values():
            return inner(raw, cls)
        extra = sorted(str(name) for name in raw if name not in known)
        lacking = [name for name in required if name not in raw]
        given = {name: raw[name] for name in raw if name in known and (raw[name] is not None or name in nullable)}
        if not extra and not lacking:
            return inner(given, cls)
        wrong: list[Exception] = [_Shape("unknown", extra), _Shape("missing", lacking)]
        try:
            inner(given, cls)
        except ClassValidationError as inside:
            wrong.extend(each for each in inside.exceptions if _step(each) not in {(name,) for name in lacking})
        raise ClassValidationError(cls.__name__, wrong, cls)

    return structure


def _filled(wire: schema.Wire) -> Callable[[object, object], str]:
    read = wire.read

    def filled(raw: object, _: object) -> str:
        text: str = read(raw)
        if not text:
            raise ValueError("it is empty")
        return text

    return filled


def _word(raw: object, words: type[StrEnum]) -> StrEnum:
    text = schema.read_text(raw)
    try:
        return words(schema.clean_text(text))
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
    if inside[0] is str:
        # The cells of a table: all of them are looked at together, and one by one where one is no text.
        return lambda raw, _: tuple(
            _items(raw) if (isinstance(raw, list) and {*map(type, raw)} <= {str}) else reader(_items(raw), many)
        )
    return lambda raw, _: tuple(reader(_items(raw), many))


def _items(raw: object) -> list[object]:
    if not isinstance(raw, list):
        raise TypeError(f"{raw!r} is not a list")
    return raw


def _is_wire(kind: object) -> bool:
    return get_origin(kind) is Annotated and schema.wire_of(kind) is not None


def _reads(kind: Any, _: BaseConverter) -> Callable[[object, object], Any]:  # noqa: ANN401 - an annotated type
    reader = schema.wire_of(kind)
    assert reader is not None  # noqa: S101 - the predicate asked
    return _plainly(reader.read)


def _writes(kind: Any, _: BaseConverter) -> Callable[[Any], object]:  # noqa: ANN401 - an annotated type
    writer = schema.wire_of(kind)
    assert writer is not None  # noqa: S101 - the predicate asked
    return writer.write


_STRICT: Final[Mapping[type[Any], Callable[[object], Any]]] = {
    str: schema.read_text,
    int: schema.read_whole,
    bool: schema.read_truth,
    date: schema.read_day,
    float: schema.read_number,
}


def _plainly(reader: Callable[[object], Any]) -> Callable[[object, object], Any]:
    return lambda raw, _: reader(raw)


def _as_it_is(kind: Any) -> Callable[[Any], Any]:  # noqa: ANN401 - any type
    """Leave alone what JSON knows, and refuse everything else."""
    if isinstance(kind, type) and not issubclass(kind, str | int | float | NoneType):
        raise TypeError(f"a {kind.__name__} cannot cross as plain JSON")
    return lambda value: value


def _converter(*, lean: bool) -> Converter:
    made = Converter(
        omit_if_default=lean, unstruct_collection_overrides={tuple: list}, unstructure_fallback_factory=_as_it_is
    )
    made.register_structure_hook_factory(lambda kind: isinstance(kind, type) and is_dataclass(kind), _object)
    made.register_structure_hook_factory(schema.is_tuple, _lists)
    made.register_structure_hook_factory(_is_wire, _reads)
    made.register_unstructure_hook_factory(_is_wire, _writes)
    made.register_unstructure_hook(date, lambda day: day.isoformat())
    made.register_structure_hook(datetime, lambda raw, _: datetime.fromisoformat(schema.read_text(raw)))
    for kind, reader in _STRICT.items():
        made.register_structure_hook(kind, _plainly(reader))
    # A hook of ``str`` holds for its subclasses too, so words have one of their own.
    made.register_structure_hook(StrEnum, _word)
    return made


_WRONG: Final = (ClassValidationError, IterableValidationError, TypeError, ValueError)
_LEAN: Final = _converter(lean=True)
_FULL: Final = _converter(lean=False)


def structured(cls: type[T], raw: object) -> T:
    """Return the value of a type; UnreadableError with every fault."""
    try:
        value: T = _reader(cls)(raw, cls)
    except _WRONG as wrong:
        raise schema.UnreadableError(sorted(_faults(wrong, ()), key=_order_in(raw))) from None
    return value


@schema.once
def _reader(cls: type[Any]) -> Callable[[object, object], Any]:
    return _LEAN.get_structure_hook(cls)


def unstructured(value: object, *, whole: bool) -> Any:  # noqa: ANN401 - JSON
    """Return a value as plain JSON, fields at their default only where the whole is asked for."""
    return (_FULL if whole else _LEAN).unstructure(value)
