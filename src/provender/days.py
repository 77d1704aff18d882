"""Days as people and programs write them, and text that only looks like an answer (*none*, *n/a*, a dash)."""

import datetime as dt
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

ORDERS: Final = ("mdy", "dmy", "ymd")
MIXED: Final = "mixed"
"""Said of days of which some have the month first and some the day."""
_REMEMBERED: Final = 4_096
"""Texts whose day is known: a farm writes the same days in row after row."""
_MONTH_NAMES: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS: Final = {name: number for number, name in enumerate(_MONTH_NAMES, start=1)}
_FULL_NAMES: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTHS_IN_YEAR: Final = 12
_WEEKDAY: Final = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? ", re.IGNORECASE)
_CLOCK: Final = (
    r"(?:[ T]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[AaPp]\.?[Mm]\.?)?"
    r"(?:\s*(?:Z|UTC|GMT|[AECMP][SD]T|(?:UTC|GMT)?[+-]\d\d(?::?\d\d)?))?)?"
)
_MOMENT: Final = re.compile(
    r"[ T](\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?\s*([AaPp])?(?:\.?[Mm]\.?)?"
    r"\s*(?:Z|(?:UTC|GMT)?([+-]\d\d)(?::?(\d\d))?|UTC|GMT)",
    re.ASCII,
)
UNITED_STATES: Final = ("America/Puerto_Rico", "Pacific/Honolulu")
"""The first and the last zone of the States: between them lie all clocks of whoever does not say where."""
ANYWHERE: Final = ("Pacific/Kiritimati", "Etc/GMT+12")
_ISO: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})" + _CLOCK, re.ASCII)
_COMPACT: Final = re.compile(r"(\d{4})(\d{2})(\d{2})", re.ASCII)
_NUMBERS: Final = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})" + _CLOCK, re.ASCII)
_YEAR: Final = r"(\d{4}|'?\d{2})"
_DAY_MONTH: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?[-/ ]([A-Za-z]{3,9})\.?[-/, ]+" + _YEAR + _CLOCK, re.ASCII)
_MONTH_DAY: Final = re.compile(r"([A-Za-z]{3,9})\.?[- ](\d{1,2})(?:st|nd|rd|th)?[-, ]+" + _YEAR + _CLOCK, re.ASCII)
_SERIAL: Final = re.compile(r"(\d{5})(?:\.\d+)?", re.ASCII)
_SERIAL_ZERO: Final = dt.date(1899, 12, 30)
_SERIALS: Final = (dt.date(2000, 1, 1), dt.date(2099, 12, 31))
_WRITE: Final = "Write year-month-day, such as 2026-05-14."


class DayTextError(ValueError):
    """Text that cannot be read as a day: why (the message), and what to do."""

    def __init__(self, cause: str, remedy: str) -> None:
        super().__init__(cause)
        self.remedy = remedy


def orders_of(text: str) -> frozenset[str]:
    """Return the orders in which a date of three numbers can be read; all three where it is not such a date."""
    found = _NUMBERS.fullmatch(_clean(text))
    if found is None:
        return frozenset(ORDERS)
    first, second = int(found[1]), int(found[2])
    if first == second:
        return frozenset(("mdy", "dmy"))
    return frozenset(order for order, month in (("mdy", first), ("dmy", second)) if 1 <= month <= _MONTHS_IN_YEAR)


@lru_cache(maxsize=_REMEMBERED)
def is_open(text: str) -> bool:
    """Tell whether a text is a date that two days can be meant by."""
    found = _NUMBERS.fullmatch(_clean(text))
    return found is not None and int(found[1]) != int(found[2]) and len(orders_of(text)) > 1


def order_in(texts: Iterable[str]) -> str:
    """Return the order of the days that can be read one way only; ``MIXED`` for two, empty where none tells."""
    told = {order for text in texts if len(orders := orders_of(text)) == 1 for order in orders}
    return MIXED if len(told) > 1 else next(iter(told), "")


def order_of_country(country: str) -> str:
    """Return the order in which a country writes days: the month first in the United States, which blank stands for."""
    return "mdy" if country.strip().upper() in ("", "US", "USA") else "dmy"


@lru_cache(maxsize=_REMEMBERED)
def read_day(text: str, order: str = "", zones: tuple[str, ...] = UNITED_STATES) -> dt.date:
    """Read a date; 03/04/2026 needs the order to be stated.

    Args:
        text: the date; a time of day after it is left out. Five digits are the number under which a spreadsheet keeps a
            day.
        order: ``mdy``, ``dmy`` or empty.
        zones: in which it can have happened: a moment of another clock is of the day that all of them had then.

    Raises:
        DayTextError: no date, no day of the calendar, or two days are possible.
    """
    day, clean = _read_written(text, order), _clean(text)
    found = _MOMENT.search(clean)
    return day if found is None else _day_at(day, found, zones, clean)


def is_midnight(text: str) -> bool:
    """Tell whether a text is midnight in UTC, as programs write days that have no time."""
    found = _MOMENT.search(_clean(text))
    return found is not None and _clock(found) == (0, 0, 0)


def _clock(found: re.Match[str]) -> tuple[int, int, int]:
    """Return hour, minute and the minutes by which the clock is ahead of UTC."""
    hour = int(found[1]) % 12 + (12 if found[3] in "Pp" else 0) if found[3] else int(found[1])
    ahead = int(found[4] or 0) * 60
    return hour, int(found[2]), ahead + int(found[5] or 0) * (-1 if (found[4] or "").startswith("-") else 1)


def _day_at(day: dt.date, found: re.Match[str], zones: tuple[str, ...], text: str) -> dt.date:
    """Return the day that a moment had in all of some zones."""
    hour, minute, ahead = _clock(found)
    if (hour, minute, ahead) == (0, 0, 0):
        return day
    try:
        moment = dt.datetime(
            day.year, day.month, day.day, hour, minute, tzinfo=dt.timezone(dt.timedelta(minutes=ahead))
        )
        days = {moment.astimezone(ZoneInfo(zone)).date() for zone in zones}
    except (ValueError, OverflowError):
        raise DayTextError(f"{text[:40]!r} is no time of day", _WRITE) from None
    if len(days) == 1:
        return next(iter(days))
    if ahead:
        return day  # a clock that is not of UTC is the one on the wall
    earlier, later = min(days), max(days)
    cause = f"{text!r} is a time in UTC: where it was still {earlier} or already {later}, nobody can tell"
    raise DayTextError(cause, "Say in which State and county it was, or write the day that it was there.")


def _read_written(text: str, order: str) -> dt.date:
    """Read the day that a text writes, whatever clock it is of."""
    clean = _clean(text)
    if found := (_ISO.fullmatch(clean) or _COMPACT.fullmatch(clean)):
        return _date(int(found[1]), int(found[2]), int(found[3]), clean)
    named = _WEEKDAY.sub("", clean, count=1)
    if found := _DAY_MONTH.fullmatch(named):
        return _date(_year(found[3]), _month(found[2], clean), int(found[1]), clean)
    if found := _MONTH_DAY.fullmatch(named):
        return _date(_year(found[3]), _month(found[1], clean), int(found[2]), clean)
    if found := _NUMBERS.fullmatch(named):
        return _numbers(int(found[1]), int(found[2]), _year(found[3]), order, clean)
    if found := _SERIAL.fullmatch(clean):
        day = _SERIAL_ZERO + dt.timedelta(days=int(found[1]))
        if _SERIALS[0] <= day <= _SERIALS[1]:
            return day
    raise DayTextError(f"{clean[:40]!r} is not a date", _WRITE)


def _clean(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\u00a0", " ")).strip()


def _numbers(first: int, second: int, year: int, order: str, text: str) -> dt.date:
    possible = orders_of(text)
    chosen = order or (next(iter(possible)) if len(possible) == 1 else "mdy" if first == second else "")
    if not chosen and possible:
        raise DayTextError(f"{text!r} can be two days", f"{_WRITE} Or say which comes first, day or month.")
    month, day = (second, first) if chosen == "dmy" else (first, second)
    return _date(year, month, day, text)


def _year(text: str) -> int:
    digits = text.removeprefix("'")
    return int(digits) + (2000 if len(digits) == 2 else 0)  # noqa: PLR2004 - a year of two digits


def _date(year: int, month: int, day: int, text: str) -> dt.date:
    try:
        return dt.date(year, month, day)
    except ValueError:
        raise DayTextError(f"{text!r} is no day of the calendar", "Check day and month.") from None


def _month(name: str, text: str) -> int:
    plain = name.lower()
    number = _MONTHS.get(plain[:3])
    if number is None or not (_FULL_NAMES[number - 1].startswith(plain) or plain == "sept"):
        raise DayTextError(f"{text[:40]!r} is not a date", _WRITE)
    return number


def hours_by_sun(longitude: float) -> int:
    """Return by how many whole hours a clock at a longitude is ahead of Greenwich's, by the sun."""
    return round(longitude / 15)


def iso_day(text: object) -> dt.date | None:
    """Return the day that a text writes as 2026-05-01; None for anything else."""
    try:
        return dt.date.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None


def years_after(day: dt.date, years: int) -> dt.date:
    """Return the same day of another year; 29 February gives 28 February where there is none."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, day=28)


# Text that only looks like an answer: *none*, *n/a*, a dash. Where something must be named, it names nothing.

NOTHING: Final = frozenset(
    {"none", "no", "na", "n/a", "n.a", "n.a.", "nil", "nothing", "unknown", "not known", "not available",
     "not applicable", "tbd", "to be determined", "to do", "todo", "pending"}
)  # fmt: skip


def says(text: str | None) -> bool:
    plain = (text or "").strip().lower()
    return any(map(str.isalnum, plain)) and plain not in NOTHING


_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_LEAST_WORDS: Final = 2


def says_something(text: str | None) -> bool:
    """Tell whether text says something as a sentence does: two different words at least, not *to be determined*."""
    return says(text) and len({word.casefold() for word in _WORD.findall(text or "")}) >= _LEAST_WORDS
