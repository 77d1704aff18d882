"""Why something was not done, in words for the person who asked."""

import unicodedata
from collections.abc import Collection
from datetime import date
from typing import Final

from provender.problem import Place, Problem, ProblemsError


class RefusedError(ProblemsError):
    """What cannot be done as asked; nothing was written."""


class MissingError(LookupError):
    """There is no such thing for whoever asks, whatever there may be for others; pages and API answer 404."""


class UnopenedError(MissingError):
    """A book that is not open yet: its owner's pages offer to open it, for everybody else there is nothing."""


def check_not_past(last_day: date, today: date, *, column: str) -> None:
    """Refuse a last day that has passed: what it ends would never begin. ``column`` names its form field.

    Raises:
        RefusedError: it has.
    """
    if last_day < today:
        raise refusal("expired", "The last day has passed already.", "Choose a later day.", column=column)


def refusal(code: str, cause: str, remedy: str, *, cite: str = "", column: str = "") -> RefusedError:
    """Build the refusal for one reason. ``column`` names the form field it belongs to."""
    return RefusedError([Problem(Place("request", column=column), cause, remedy, cite=cite, code=code)])


# Names and lines that people type: short enough for every paper, and without characters unseen.

LONGEST_NAME: Final = 120
LONGEST_SITE: Final = 80
_STEERING: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Kinds of characters that end lines or steer a screen; no text needs them."""
_UNSEEN: Final = _STEERING | {"Cf", "Co", "Cn"}
"""Kinds that show nothing either: two names may differ by one alone. A note may hold them: newer signs are of them."""
_TURNING: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of what follows: a text then reads otherwise than it is."""


def unseen(text: str, kinds: Collection[str] = _UNSEEN, *, besides: str = "") -> str:
    """Return the first character of a text that steers or hides it, as its number; empty where there is none.

    Args:
        text: as it was typed or sent.
        kinds: of the characters that may not stand in it.
        besides: characters of them that may, such as the ends of lines.
    """
    bad = (one for one in text if (unicodedata.category(one) in kinds or one in _TURNING) and one not in besides)
    return next((f"U+{ord(one):04X}" for one in bad), "")


def clean_line(text: str, *, most: int = LONGEST_NAME, column: str, besides: str = "") -> str:
    """Return a line, such as a label or a purpose, without blanks around it; it may be empty.

    Args:
        text: as it was typed or sent.
        most: how many characters it may have.
        column: the field that a refusal names.
        besides: what may stand in it although no line has it, such as the ends of lines.

    Raises:
        RefusedError: it is too long, or has a character that nobody sees.
    """
    line = text.strip()
    if len(line) > most:
        cause = f"The text has {len(line)} characters; there is room for {most}."
        raise refusal("text_too_long", cause, "Shorten it.", column=column)
    if hidden := unseen(line, _STEERING, besides=besides):
        cause = f"The text has a character that nobody sees ({hidden})."
        raise refusal("text_unseen", cause, "Type it anew; copied text may carry such characters.", column=column)
    return line


def clean_name(text: str, *, most: int = LONGEST_NAME, column: str = "name") -> str:
    """Return a name without blanks around it.

    Args:
        text: as it was typed or sent.
        most: how many characters it may have.
        column: the field that a refusal names.

    Raises:
        RefusedError: it is empty, too long, or has a character that nobody sees.
    """
    name = text.strip()
    if not name:
        raise refusal("name_empty", "The name is empty.", "Type a name.", column=column)
    if len(name) > most:
        cause = f"The name has {len(name)} characters; papers have room for {most}."
        raise refusal("name_too_long", cause, "Shorten it.", column=column)
    if hidden := unseen(name):
        cause = f"The name has a character that nobody sees ({hidden})."
        raise refusal("name_unseen", cause, "Type the name anew; copied text may carry such characters.", column=column)
    return name
