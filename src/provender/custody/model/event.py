"""What all events have in common, and how the fields of an event are read and written.

An event is one JSON object. Each type is a frozen dataclass beside the function that decides it; a field's *name*
says how it is read, by the one table ``FIELDS``, so that ``bushels`` means the same in every type. The page
``docs/reference/custody_events.md`` is made from these declarations.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from datetime import date
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, Final, NamedTuple, TypeVar, cast, get_args, get_type_hints
from unicodedata import normalize

from provender.custody.model.lots import Span
from provender.custody.model.statuses import Refusal, Status
from provender.quantity import CI_SCALE, RATE_SCALE, SCALE, parse, show

T = TypeVar("T")

TEXT_MAX: Final = 2_000
YEARS: Final = range(1900, 2200)
"""Years in which a day may lie: what lies beyond is a slip of the keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event as asked for.

    Attributes:
        id: the event's own name, unique in the book; a repeat of the same event changes nothing.
        day: the day it took place: title date for a purchase or sale, the day of acceptance for a receipt.
        actor: who entered it.
    """

    type: ClassVar[str]
    id: str
    day: date
    actor: str = ""

    def parties(self) -> tuple[str, ...]:
        """Return whose books the request touches, sorted, for the store to lock."""
        names = (getattr(self, name, "") for name in ("entity", "giver", "taker", "owner", "custodian"))
        return tuple(sorted({name for name in names if name}))

    def only_reads(self) -> tuple[str, ...]:
        """Return those of the parties whose facts it asks and whose stock it leaves as it is."""
        return ()


@dataclass(frozen=True, slots=True)
class Ticket:
    """A scale ticket as a purchase or sale names it.

    Attributes:
        number: printed on the ticket, unique for the site.
        bushels: net, in thousandths of a bushel (of a pound for a product).
        day: the day of the scale; None means the day of the event.
    """

    number: str
    bushels: int
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Range:
    """Serials of an origin, named by someone who wants exactly these.

    Attributes:
        origin: whose serials.
        start: first serial, thousandths of a bushel.
        stop: the serial after the last.
        pounds: of a product, how much they carry, where that is less than they would support; 0 for all of it.
    """

    origin: str
    start: int
    stop: int
    pounds: int = 0


@dataclass(frozen=True, slots=True)
class Coproduct:
    """A co-product of a campaign, listed without a claim.

    Attributes:
        form: such as ``soybean_meal``.
        pounds: thousandths of a pound.
    """

    form: str
    pounds: int


@dataclass(frozen=True, slots=True)
class DocumentLine:
    """One line of a transfer document from outside.

    Attributes:
        crop: the crop behind the claim.
        harvest_year: year of harvest; 0 where the document does not say.
        ci: hundredths of a gram CO2e per bushel.
        form: the crop or the product sold.
        bushels: crop, or crop used for the product, thousandths of a bushel.
        pounds: product, thousandths of a pound; 0 for the crop.
        origin: blinded id, empty on a document without serials.
        start: first serial; 0 on a document without serials.
        rate: the supplier's yield in millionths of a pound per bushel; 0 takes pounds over bushels.
    """

    crop: str
    harvest_year: int
    ci: int
    form: str
    bushels: int
    pounds: int = 0
    origin: str = ""
    start: int = 0
    rate: int = 0


def ticket_amounts(tickets: Iterable[Ticket], unit: str) -> list[tuple[int, str]]:
    """Return the amounts of tickets with their unit, to be checked with the others."""
    return [(ticket.bushels, unit) for ticket in tickets]


class Reader(NamedTuple):
    """How a field is read from JSON and written back.

    Attributes:
        read: raises ValueError with the reason.
        write: the plain form, the same for every layout of the same content.
        shape: how it looks, for the reference page.
    """

    read: Callable[[object], Any]
    write: Callable[[Any], object]
    shape: str


def _text(raw: object) -> str:
    if not isinstance(raw, str):
        raise TypeError(f"{raw!r} is not text")
    # One letter may be written as one character or as two: the same name must be the same party.
    text = normalize("NFC", raw.strip())
    # Characters that cannot be printed hide one name in another, and not every store can keep them.
    if not text.isprintable() or len(text) > TEXT_MAX or text == "*":
        raise ValueError(f"{text[:40]!r} cannot be used: write printable characters, at most {TEXT_MAX}")
    return text


def _day(raw: object) -> date:
    text = _text(raw)
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a day of the calendar, such as 2026-10-05") from None
    if day.year not in YEARS:
        raise ValueError(f"{day} is not a day of this age")
    return day


def _whole(raw: object) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise TypeError(f"{raw!r} is not a whole number")
    if abs(raw) not in range(10_000):
        raise ValueError(f"{raw} is no year and no number of a version")
    return raw


def _number(scale: int) -> Callable[[object], int]:
    def read(raw: object) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int | str):
            raise TypeError(f"{raw!r} is not a number")
        return parse(str(raw), scale)

    return read


def _shown(scale: int) -> Callable[[int], str]:
    return lambda value: show(value, scale)


def _truth(raw: object) -> bool:
    if not isinstance(raw, bool):
        raise TypeError(f"{raw!r} is neither true nor false")
    return raw


def _word(words: type[StrEnum]) -> Reader:
    def read(raw: object) -> StrEnum:
        try:
            return words(_text(raw))
        except ValueError:
            raise ValueError(f"{raw!r} is none of {', '.join(words)}") from None

    return Reader(read, str, " or ".join(f"`{word}`" for word in words))


def _words(words: type[StrEnum]) -> Reader:
    one = _word(words)
    return Reader(
        lambda raw: tuple(one.read(item) for item in _items(raw)),
        lambda found: [str(item) for item in found],
        f"list of {one.shape}",
    )


def _items(raw: object) -> list[object]:
    if not isinstance(raw, list):
        raise TypeError(f"{raw!r} is not a list")
    return raw


def _texts(raw: object) -> tuple[str, ...]:
    return tuple(_text(one) for one in _items(raw))


def _spans(raw: object) -> tuple[Span, ...]:
    number = _number(SCALE)
    found = []
    for one in _items(raw):
        start, stop = _items(one)
        found.append((number(start), number(stop)))
    return tuple(found)


def _rows(cls: type[Any]) -> Callable[[object], tuple[Any, ...]]:
    return lambda raw: tuple(read_object(cls, one) for one in _items(raw))


def _plain_rows(rows: tuple[Any, ...]) -> list[dict[str, object]]:
    return [write_object(one) for one in rows]


_TEXT: Final = Reader(_text, str, "text")
_DAY: Final = Reader(_day, lambda day: None if day is None else day.isoformat(), "day, `2026-10-05`")
_AMOUNT: Final = Reader(_number(SCALE), _shown(SCALE), "decimal, at most 3 places")
_CI: Final = Reader(_number(CI_SCALE), _shown(CI_SCALE), "decimal, g CO2e/bu, at most 2 places")
_WHOLE: Final = Reader(_whole, int, "whole number")
_TEXTS: Final = Reader(_texts, list, "list of texts")
_SPANS: Final = Reader(
    _spans,
    lambda spans: [[show(start), show(stop)] for start, stop in spans],
    "list of `[first, after last]` in bushels",
)

FIELDS: Final[Mapping[str, Reader]] = {
    **dict.fromkeys(("bushels", "pounds", "gallons", "amount", "crop_crushed", "product_made"), _AMOUNT),
    **dict.fromkeys(("start", "stop"), _AMOUNT),
    **dict.fromkeys(("ci", "ci_min", "ci_max"), _CI),
    **dict.fromkeys(("harvest_year", "version"), _WHOLE),
    **dict.fromkeys(("sites", "crops"), _TEXTS),
    "rate": Reader(_number(RATE_SCALE), _shown(RATE_SCALE), "decimal, lb per bu or per lb, at most 6 places"),
    **dict.fromkeys(("spans", "sold"), _SPANS),
    "lots": Reader(
        _rows(Range), _plain_rows, "list of `{origin, start, stop, pounds}`; pounds where a product carries less"
    ),
    "tickets": Reader(_rows(Ticket), _plain_rows, "list of `{number, bushels, day}`"),
    "coproducts": Reader(_rows(Coproduct), _plain_rows, "list of `{form, pounds}`"),
    "lines": Reader(_rows(DocumentLine), _plain_rows, "list of lines, see below"),
}


@cache
def readers(cls: Hashable) -> dict[str, Reader]:
    """Return how each field of an event type is read: by its name, else by its words, else as text."""
    hints = get_type_hints(cls)
    return {one.name: FIELDS.get(one.name) or _by_hint(hints[one.name]) for one in fields(cls)}  # type: ignore[arg-type]


def _by_hint(hint: Any) -> Reader:  # noqa: ANN401 - any annotation
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _word(hint)
    if hint is bool:
        return Reader(_truth, bool, "true or false")
    inner = get_args(hint)
    if date in (hint, *inner):
        return _DAY
    if inner and isinstance(inner[0], type) and issubclass(inner[0], StrEnum):
        return _words(inner[0])
    return _TEXT


def required(one: Field[Any]) -> bool:
    """Tell whether a field has no default."""
    return one.default is MISSING and one.default_factory is MISSING


def read_object(cls: type[T], raw: object) -> T:
    """Read a JSON object into a dataclass, field by field.

    Raises:
        Refusal: FIELD_UNKNOWN, FIELD_MISSING or FIELD_UNREADABLE, in this order, naming the field.
    """
    if not isinstance(raw, Mapping):
        raise Refusal(Status.FIELD_UNREADABLE, f"{raw!r} is not an object.")
    known = {one.name: one for one in fields(cls)}  # type: ignore[arg-type]
    if unknown := sorted(str(name) for name in raw if name not in known):
        raise Refusal(Status.FIELD_UNKNOWN, f"Unknown: {', '.join(unknown)}.")
    if missing := [name for name, one in known.items() if required(one) and name not in raw]:
        raise Refusal(Status.FIELD_MISSING, f"Missing: {', '.join(missing)}.")
    values = {}
    for name, value in raw.items():
        if value is None and not required(known[name]):
            continue
        values[name] = _read_field(cast("Hashable", cls), known[name], value)
    return cls(**values)


def _read_field(cls: Hashable, one: Field[Any], raw: object) -> Any:  # noqa: ANN401 - whatever the field holds
    try:
        value = readers(cls)[one.name].read(raw)
    except (TypeError, ValueError) as wrong:
        raise Refusal(Status.FIELD_UNREADABLE, f"{one.name}: {wrong}.") from None
    if value == "" and required(one):
        raise Refusal(Status.FIELD_UNREADABLE, f"{one.name}: it is empty.")
    return value


def write_object(value: Any) -> dict[str, object]:  # noqa: ANN401 - any dataclass instance
    """Write a dataclass as a plain object, leaving out what equals its default."""
    plain = {}
    for one in fields(value):
        found = getattr(value, one.name)
        if required(one) or found != one.default:
            plain[one.name] = readers(cast("Hashable", type(value)))[one.name].write(found)
    return plain
