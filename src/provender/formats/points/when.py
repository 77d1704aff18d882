"""The day and moment of each logged point, out of whatever its columns say."""

import datetime as dt
import re
from typing import Final

import polars as pl

from provender.days import MIXED, DayTextError, is_open, order_in, read_day
from provender.formats.parsed import doubt
from provender.formats.points.layer import Logged, X
from provender.formats.work import at_greenwich, day_of, is_greenwich
from provender.problem import Problem

DAY, SECONDS = "day", "seconds"
_CLOCK: Final = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*([AaPp])?")
_UNIVERSAL: Final = re.compile(r"\W*(?:utc|gps)", re.IGNORECASE)
"""Headings of clocks that run by Greenwich's time, within the seconds that satellites are ahead."""
_UNIX: Final = re.compile(r"[1-9]\d{8,9}")
_NOON: Final = 12


def with_days(layer: Logged) -> tuple[pl.DataFrame, list[Problem]]:
    """Add the field's own day and Unix seconds to each point; null where its columns tell none.

    Days such as 5/4/2026 are read month first where no other day of the file tells, and asked about.
    """
    frame = layer.frame
    roles = [each for each in ("iso_time", "date", "time") if each in layer.columns]
    split = roles == ["date", "time"] and not frame["date"].str.contains(r"\d:\d").any()
    if split:
        frame = frame.with_columns(date=pl.concat_str("date", "time", separator=" "))
    middle = frame[X].median()
    longitude = float(middle) if isinstance(middle, int | float) else None
    problems: list[Problem] = []
    found = pl.DataFrame({DAY: [None] * frame.height, SECONDS: [None] * frame.height}, _SCHEMA)
    for role in roles:
        clocks = ("date", "time") if split else (role,)
        universal = any(_UNIVERSAL.match(layer.columns[each].heading) for each in clocks)
        texts = frame[role].fill_null("")
        alone = texts.unique(maintain_order=True).to_list()
        bare = [text.split(" ")[0] for text in alone]
        order = order_in(bare)
        asked = "mdy" if order in ("", MIXED) else order
        read = {text: _moment(text, asked, longitude, universal=universal) for text in alone}
        if not any(read.values()):
            continue
        found = pl.DataFrame([read[text] or (None, None) for text in texts], _SCHEMA, orient="row")
        if order in ("", MIXED) and any(is_open(text) for text in bare):
            cause = f"days such as {next(text for text in bare if is_open(text))} were read with the month first."
            problems.append(doubt(layer.place, cause, "Confirm it, or export days as year-month-day.", "day_order"))
        day = next((each for each, _ in filter(None, read.values())), None)
        unknown = longitude is None or (universal and any(":" not in text for text in alone if read[text]))
        if unknown and day and (universal or any(is_greenwich(text) for text in alone)):
            problems.append(at_greenwich(layer.place, day))
        break
    return frame.with_columns(found[DAY], found[SECONDS]), problems


_SCHEMA: Final = pl.Schema({DAY: pl.Date, SECONDS: pl.Int64})


def _moment(text: str, order: str, longitude: float | None, *, universal: bool) -> tuple[dt.date, int] | None:
    plain = text.strip()
    if _UNIX.fullmatch(plain):
        day = day_of(int(plain), longitude)
        return (day, int(plain)) if day else None
    try:
        moment = dt.datetime.fromisoformat(plain)
    except ValueError:
        found = _written(plain, order)
        if found is None or not universal or not _CLOCK.search(plain):
            return found
        day = day_of(found[1], longitude)
        return (day, found[1]) if day else None
    stated = moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
    day = day_of(f"{plain}Z" if universal and moment.tzinfo is None and ":" in plain else plain, longitude)
    return (day, int(stated.timestamp())) if day else None


def _written(text: str, order: str) -> tuple[dt.date, int] | None:
    """Read a day with a clock after it, such as ``9/19/2016 4:45:46 PM``."""
    try:
        day = read_day(text, order)
    except DayTextError:
        return None
    clock = _CLOCK.search(text)
    hour = int(clock[1]) % 24 if clock else 0
    if clock and clock[4]:
        hour = hour % _NOON + (_NOON if clock[4] in "Pp" else 0)
    seconds = (hour * 60 + int(clock[2])) * 60 + int(clock[3] or 0) if clock else 0
    return day, int(dt.datetime(day.year, day.month, day.day, tzinfo=dt.UTC).timestamp()) + seconds
