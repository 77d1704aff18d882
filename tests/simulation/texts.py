"""What people type around names, days and amounts, and what an enemy types into them: made here, and judged here.

It shares no code with the package. A text is trimmed and spelled in one way; one with a sign that nobody sees is
refused; a letter of another script makes another name.
"""

import re
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, Final
from unicodedata import category, name, normalize

from tests.simulation.ledger import Event

if TYPE_CHECKING:
    from collections.abc import Callable

AMOUNTS: Final = frozenset(
    {"bushels", "pounds", "amount", "ci", "ci_min", "ci_max", "rate", "gallons", "start", "stop"}
)
DAYS: Final = frozenset({"day", "start_day", "end_day", "closed_on"})
_AMOUNT: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_BLANK: Final = ("FILLER", "VARIATION SELECTOR", "VOWEL INHERENT", "GRAPHEME JOINER", "PATTERN BLANK")
UNSEEN: Final = (
    "\n\r\t\0\x1b\x85\xa0\xad\u034f\u061c\u115f\u180e\u2009\u200b\u200d\u2028\u202e\u2066\u2800\u3164\ufe0f\ufeff"
)
"""Line ends, tab, NUL, escape, blanks that are no space, signs of no width, marks that turn the line round, fillers."""
TWINS: Final = str.maketrans("aceopxyT01", "\u0430\u0441\u0435\u043e\u0440\u0445\u0443\u0422\u041e\u0406")
"""Letters of another script that look the same."""
WIDE: Final = {ord("0") + digit: 0xFF10 + digit for digit in range(10)}
"""Digits twice as wide."""
NAMES: Final = frozenset({"giver", "taker", "entity", "owner", "movement", "slip", "pending", "number", "evidence"})
"""Fields in which a letter of another script makes another name; elsewhere it would make a word that is none."""
KEPT: Final = frozenset({"type", "id"})
"""What the season itself finds an event by."""


class UnseenError(ValueError):
    """A text holds what cannot be read."""


def seen(event: Event) -> Event:
    """Return an event as a careful reader writes it down; UnseenError where one of its texts cannot be read."""
    return {key: _value(key, value) for key, value in event.items()}


def _value(key: str, value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return seen(value)
    if isinstance(value, list):
        return [_value(key, each) for each in value]
    if not isinstance(value, str):
        return value
    text = normalize("NFC", value.strip())
    form = _AMOUNT if key in AMOUNTS else _DAY if key in DAYS else None
    if text == "*" or any(map(_hides, text)) or (form and not form.fullmatch(text)):
        raise UnseenError(value)
    return text


@cache
def _hides(sign: str) -> bool:
    return sign != " " and (category(sign)[0] in "CZ" or any(word in name(sign, "") for word in _BLANK))


def tainted(event: Event, random: Random) -> Event:
    """Return an event with one of its texts typed carelessly or by an enemy."""
    if event["type"] == "entity":
        return event  # who is who in the season
    texts = [key for key, value in event.items() if isinstance(value, str) and value and key not in KEPT]
    if not texts:
        return event
    key = random.choice(texts)
    text = event[key]
    place = random.randrange(len(text) + 1)
    hidden = random.choice(UNSEEN)
    ways: tuple[Callable[[], str], ...] = (
        lambda: text[:place] + hidden + text[place:],
        lambda: f"{hidden}{text}{hidden}",
        lambda: f" {text}\n",
        lambda: f"\xa0{text}\u2003",
        lambda: "*",
        lambda: text.translate(WIDE) if key in AMOUNTS | DAYS else f"{text[:1]}\n{text}",
    )
    if key in NAMES:
        ways += (
            lambda: text.translate(TWINS),
            lambda: text.translate(WIDE),
            lambda: normalize(random.choice(("NFC", "NFD")), f"{text}\xe9"),
        )
    return {**event, key: random.choice(ways)()}
