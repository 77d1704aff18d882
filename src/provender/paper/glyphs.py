"""Text as paper can show it: a character without a glyph is written as its number, a hidden one is left out.

PDF/A refuses a document in which a character has no glyph, and a name may hold any character there is.
"""

import unicodedata
from bisect import bisect_right
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

_MARKS: Final = ((0x0300, 0x036F), (0x05B0, 0x05C7), (0x064B, 0x0655))
_FIRST_SELECTOR: Final = 0xFE00
_LAST_SELECTOR: Final = 0xFE0F
_SAFE_LAST: Final = 0x17F
_SAFE_MORE: Final = frozenset("\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u00b7\u2082\u2264\u2265\u2713\u2717")


@cache
def _ranges() -> tuple[tuple[int, ...], tuple[int, ...]]:
    lines = (files("provender.paper") / "data" / "glyphs.txt").read_text(encoding="ascii").split()
    return tuple(int(one, 16) for one in lines[::2]), tuple(int(one, 16) for one in lines[1::2])


def has_glyph(letter: str) -> bool:
    """Return whether the fonts of ``provender.paper.svg`` can print a character by itself."""
    first, last = _ranges()
    at = bisect_right(first, ord(letter)) - 1
    return at >= 0 and ord(letter) <= last[at]


def printable(text: str, *, strict: bool = False) -> str:
    """Return a text that every font here can print.

    Line ends stay and other blanks become plain ones; characters that only steer (joiners, direction marks, soft
    hyphens) are left out, since they can make a text read as another; what has no glyph becomes ``[U+1F69C]``.

    Args:
        text: any text.
        strict: keep Latin letters and common signs only: for texts whose combinations no font can shape.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(letter, strict=strict) for letter in unicodedata.normalize("NFC", text))


def _shown(letter: str, *, strict: bool) -> str:
    if letter == "\n" or " " <= letter <= "~":
        return letter
    kind = unicodedata.category(letter)
    if letter == "\t" or kind in {"Zs", "Zl", "Zp"}:
        return "\u00a0" if letter == "\u00a0" else " "
    if kind == "Cf" or _FIRST_SELECTOR <= ord(letter) <= _LAST_SELECTOR:
        return ""
    if strict:
        known = ord(letter) <= _SAFE_LAST or letter in _SAFE_MORE
    else:
        known = has_glyph(letter) or any(low <= ord(letter) <= high for low, high in _MARKS)
    return letter if known and kind != "Cc" else f"[U+{ord(letter):04X}]"


def printable_data(data: object, *, strict: bool = False) -> object:
    """Return plain data with every text in it, keys too, made printable."""
    if isinstance(data, str):
        return printable(data, strict=strict)
    if isinstance(data, Mapping):
        return {printable(str(key), strict=strict): printable_data(value, strict=strict) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [printable_data(one, strict=strict) for one in data]
    return data


def without_controls(text: str) -> str:
    """Return a text without characters that files of other programs cannot hold: controls, halves, noncharacters."""
    return "".join(letter for letter in text if letter in "\n\t" or _holdable(letter))


def _holdable(letter: str) -> bool:
    # The two last code points of each plane are no characters, and XML refuses them.
    return unicodedata.category(letter) not in {"Cc", "Cs"} and ord(letter) & 0xFFFE != 0xFFFE  # noqa: PLR2004
