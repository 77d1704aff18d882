"""A season drawn as one lane per field: what was done on one line of days, and STIR as it builds up below it.

Plain places in whole points of a picture 760 wide; marks write themselves as links, the template puts the rest there,
so that colors follow day and night. Nothing is decided here: events, sums and limits come from
``services.farm.season``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from html import escape
from typing import Any, Final, NamedTuple
from urllib.parse import quote_plus

from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe

from provender.web.tables import days_said

WIDTH: Final = 720
_TOP, LINE, FLOOR = 4, 18, 68
"""Where the marks hang, the line of days, and the ground of STIR."""
BESIDE: Final = 11
_LOW, _HIGH = Decimal(25), Decimal(100)
_SHAPES: Final = {"Crop": "crop", "Cover crop": "cover", "Field operations": "pass", "Nutrients": "n"}
_TOUCH: Final = '<rect class="lane-touch" x="-7" y="-11" width="14" height="24"/>'
_TURNED: Final = 'transform="rotate(45)"'
_BAR: Final = '<rect x="-2.5" y="-7" width="5" height="14"/>'
DRAWN: Final[Mapping[str, str]] = {
    "pass": _BAR,
    "unknown": _BAR,
    "planting": '<path d="M-5 -5h10L0 6z"/>',
    "harvest": '<path d="M-5 6h10L0 -5z"/>',
    "photo": '<path d="M-5 -4h10v8h-10zM0 2a2 2 0 1 0 0-4 2 2 0 0 0 0 4"/>',
    "cover": '<circle r="4"/>',
}
"""How each shape is drawn around its place; nitrogen is as large as its pounds."""
_LARGEST_N: Final = Decimal(200)
"""Pounds an acre that are drawn at full size."""


class Mark(NamedTuple):
    """One thing that happened: where it hangs, how it is drawn, what it says to its reader, and the row it opens."""

    x: int
    y: int
    shape: str
    words: str
    kind: str
    key: str
    size: int = 5

    def drawn(self, rows: str, back: str) -> SafeString:
        """Return it as a link to its row, under ``rows``; a page has hundreds, and a template is ten times slower.

        ``back`` is the page that the form of the row returns to, as part of an address.
        """
        shape = DRAWN.get(self.shape, DRAWN["cover"])
        if self.shape == "n":
            shape = f'<rect x="-{self.size}" y="-{self.size}" width="{self.size}" height="{self.size}" {_TURNED}/>'
        where, words = escape(f"{rows}?row={quote_plus(self.key)}&next={back}"), escape(self.words)
        return mark_safe(  # noqa: S308 - escaped above; the rest is numbers and shapes
            f'<a href="{where}" aria-label="{words}"><title>{words}</title>'
            f'<g class="lane-mark {self.shape}" transform="translate({self.x} {self.y})">{_TOUCH}{shape}</g></a>'
        )


@dataclass(frozen=True, slots=True)
class Lane:
    """One field's season."""

    season: Mapping[str, Any]  # as the service gives it
    marks: tuple[Mark, ...]  # what is drawn above the line of days
    strips: tuple[tuple[int, int], ...]  # begin and width of each stretch under a cover crop
    # begin, width and words of each year before the crop's own of which no crop is entered
    empty: tuple[tuple[int, int, str], ...]
    stir: str  # step lines as SVG paths, empty without a dated pass
    published: str  # step lines as SVG paths, empty without a dated pass
    limits: tuple[tuple[int, str, str], ...]  # height, value and name of each limit within the scale
    top: str  # the highest value of the scale
    highest: str  # the sum of STIR, in words
    over: str  # which limit it is above: ``""``, ``no-till`` or ``reduced till``


@dataclass(frozen=True, slots=True)
class Lanes:
    """All lanes over one line of days; ``months`` are its ticks: place and name."""

    lanes: tuple[Lane, ...]
    months: tuple[tuple[int, str], ...]


def lanes_of(seasons: list[dict[str, Any]], photographs: list[tuple[str, date, str]]) -> Lanes:
    """Draw seasons over the days they share.

    Args:
        seasons: as ``seasons_of`` gives them; ``empty`` are years, with their words, over which one would run.
        photographs: unit, day and key of each photograph.
    """
    days = [date.fromisoformat(day) for one in seasons for day in _days(one)]
    if not days:
        return Lanes((), ())
    first, last = min(days), max(*days, min(days) + timedelta(days=1))
    span = (last - first).days

    def place(day: date) -> int:
        return (day - first).days * WIDTH // span

    return Lanes(tuple(_lane(one, photographs, place) for one in seasons), tuple(_months(first, last, place)))


def _days(one: Mapping[str, Any]) -> Iterator[str]:
    yield from (day for day in (one["starts_on"], one["last_day"]) if day)
    yield from (event["day"] for event in one["events"] if event["day"])


def _months(first: date, last: date, place: Callable[[date], int]) -> Iterator[tuple[int, str]]:
    step = 1 if (last - first).days < 8 * 31 else 2 if (last - first).days < 20 * 31 else 6
    month = date(first.year, first.month, 1)
    if month < first:
        month = _months_on(month, step)
    begun = month
    while month <= last:
        named = month.month <= step or month == begun
        yield place(month), date_format(month, "M Y" if named else "M")
        month = _months_on(month, step)


def _months_on(month: date, step: int) -> date:
    number = month.year * 12 + month.month - 1 + step
    return date(number // 12, number % 12 + 1, 1)


def _lane(one: Mapping[str, Any], photographs: list[tuple[str, date, str]], place: Callable[[date], int]) -> Lane:
    dated = [event for event in one["events"] if event["day"]]
    sums = [(place(date.fromisoformat(event["day"])), event) for event in dated if event["sum"] is not None]
    highest = max([Decimal(0), *(Decimal(event[name]) for _, event in sums for name in ("sum", "published_sum"))])
    no_till, reduced = Decimal(one["stir"]["no_till_limit"]), Decimal(one["stir"]["reduced_till_limit"])
    top = _LOW if highest <= no_till else max(_HIGH, highest)
    recorded = Decimal(one["stir"]["recorded"])
    over = "reduced till" if recorded > reduced else "no-till" if recorded > no_till else ""
    limits = ((no_till, "no-till"), (reduced, "reduced till"))
    return Lane(
        one,
        tuple(_spread_marks((*_marks(dated, place), *_photographs(one, photographs, place)))),
        tuple(_strips(dated, place)),
        tuple(_empty(one, place)),
        _steps([(x, Decimal(event["sum"])) for x, event in sums], top),
        _steps([(x, Decimal(event["published_sum"])) for x, event in sums], top),
        tuple((_height(value, top), f"{value.normalize():f}", name) for value, name in limits if value <= top),
        f"{top.normalize():f}", f"{recorded.normalize():f}", over,
    )  # fmt: skip


def _height(value: Decimal, top: Decimal) -> int:
    room = FLOOR - LINE - 6
    return FLOOR - int(value * room / top)


def _steps(points: list[tuple[int, Decimal]], top: Decimal) -> str:
    if not points:
        return ""
    parts = [f"M0 {FLOOR}"]
    for x, value in points:
        parts.append(f"H{x}V{_height(value, top)}")
    return "".join([*parts, f"H{WIDTH}"])


def _spread_marks(marks: Iterable[Mark]) -> Iterator[Mark]:
    """Yield marks in the order of their days, none upon another: each can be seen, and touched to open its row.

    One that its neighbor would hide is moved just so far, inwards at the end of the line.
    """
    ordered = sorted(marks, key=lambda one: one.x)
    gap = min(BESIDE, WIDTH // max(len(ordered), 1))
    places: list[int] = []
    for one in ordered:
        places.append(max(one.x, places[-1] + gap) if places else one.x)
    most = WIDTH
    for at in reversed(range(len(places))):
        places[at] = min(places[at], most)
        most = places[at] - gap
    return (one if one.x == x else one._replace(x=x) for one, x in zip(ordered, places, strict=True))


def _marks(dated: list[dict[str, Any]], place: Callable[[date], int]) -> Iterator[Mark]:
    for event in dated:
        shape, size = _SHAPES[event["lane"]], 5
        if shape == "crop":
            shape = "harvest" if event["kind"] == "harvest" else "planting"
        if shape == "pass" and event["stir"] == "not known":
            shape = "unknown"
        if shape == "n":
            size = 3 + int(4 * min(Decimal(event["n_lb_per_ac"] or 0), _LARGEST_N) / _LARGEST_N)
        x = place(date.fromisoformat(event["day"]))
        yield Mark(x, _TOP + 7, shape, _event_text(event), event["kind"], event["key"], size)


def _event_text(event: Mapping[str, Any]) -> str:
    parts = [event[part] for part in ("what", "detail") if event[part]]
    stir = f", STIR {event['stir']}" if event["stir"] else ""
    return f"{days_said(event['day'])}: {': '.join(parts)}{stir}"


def _strips(dated: list[dict[str, Any]], place: Callable[[date], int]) -> Iterator[tuple[int, int]]:
    """Yield each stretch from the seeding of a cover crop to its termination."""
    begun: dict[str, int] = {}
    for event in dated:
        x = place(date.fromisoformat(event["day"]))
        if event.get("step") == "seeded":
            begun[event["key"]] = x
        elif event.get("step") == "ended" and event["key"] in begun:
            start = begun.pop(event["key"])
            yield start, max(x - start, 2)


def _empty(one: Mapping[str, Any], place: Callable[[date], int]) -> Iterator[tuple[int, int, str]]:
    """Yield the part of each empty year that is drawn."""
    for year, words in one.get("empty", ()):
        start, end = (min(max(place(day), 0), WIDTH) for day in (date(year, 1, 1), date(year + 1, 1, 1)))
        if end > start:
            yield start, end - start, words


def _photographs(
    one: Mapping[str, Any], photographs: list[tuple[str, date, str]], place: Callable[[date], int]
) -> Iterator[Mark]:
    first, last = (one[name] or "" for name in ("starts_on", "last_day"))
    for unit, day, key in photographs:
        if unit == one["unit_id"] and (not first or first <= day.isoformat()) and (not last or day.isoformat() <= last):
            words = f"{days_said(day.isoformat())}: photograph"
            yield Mark(place(day), _TOP + 7, "photo", words, "evidence", key)
