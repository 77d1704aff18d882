"""Days as an iCalendar file (RFC 5545) of all-day events."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final, NamedTuple

_OCTETS: Final = 75


class Event(NamedTuple):
    """A day with what it is for."""

    day: date
    title: str
    text: str


def calendar(events: Iterable[Event], *, as_of: date) -> bytes:
    """Return the file; the same events on the same day give the same bytes.

    What an event is for names it: one whose day moves keeps its name, so that calendars move it too. Of several for
    the same each has its number, in the order of their days.
    """
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//provender//due records//EN"]
    seen: Counter[tuple[str, str]] = Counter()
    for each in sorted(events, key=lambda one: one.day):
        seen[each.title, each.text] += 1
        lines += [
            "BEGIN:VEVENT",
            f"UID:{_name(each, seen[each.title, each.text])}@provender",
            f"DTSTAMP:{as_of:%Y%m%d}T000000Z",
            f"DTSTART;VALUE=DATE:{each.day:%Y%m%d}",
            f"DTEND;VALUE=DATE:{each.day + timedelta(days=1):%Y%m%d}",
            f"SUMMARY:{_text(each.title)}",
            f"DESCRIPTION:{_text(each.text)}",
            "END:VEVENT",
        ]
    return "".join(f"{_folded(line)}\r\n" for line in [*lines, "END:VCALENDAR"]).encode()


def _name(each: Event, number: int) -> str:
    return hashlib.sha256(f"{number} {each.title} {each.text}".encode()).hexdigest()[:32]


def _text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return " ".join(escaped.splitlines())


def _folded(line: str) -> str:
    """Break a line after at most 75 octets, and go on after a blank."""
    parts, part = [], ""
    for sign in line:
        if len((part + sign).encode()) > _OCTETS - 1:
            parts.append(part)
            part = ""
        part += sign
    return "\r\n ".join([*parts, part])
