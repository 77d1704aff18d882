"""Which file names may stand in a bag: those that mean the same file on every system and stay inside the bag."""

import re
import unicodedata
from typing import Final

MAX_NAME_BYTES: Final = 240
MAX_SEGMENTS: Final = 16

_RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?", re.IGNORECASE)
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_FORBIDDEN: Final = frozenset('\\:*?"<>|')


def name_fault(path: str) -> str:
    """Say what is wrong with a path inside a bag, or return an empty text.

    The path uses ``/``. Refused: absolute paths, ``..`` and ``.``, empty steps, backslashes, drives and streams
    (``:``), characters that some systems forbid or nobody can see, names that Windows reserves, trailing dots and
    spaces, and excessive length.
    """
    if path.startswith("/"):
        return "it is an absolute path"
    for letter in path:
        if letter in _FORBIDDEN:
            return f"it contains {letter!r}"
        if unicodedata.category(letter) in _INVISIBLE:
            return f"it contains the invisible character U+{ord(letter):04X}"
    segments = path.split("/")
    if len(segments) > MAX_SEGMENTS:
        return f"it lies more than {MAX_SEGMENTS} folders deep"
    return next((fault for fault in map(_segment_fault, segments) if fault), "")


def _segment_fault(segment: str) -> str:
    if segment in ("", ".", ".."):
        return f"it has the step {segment!r}, which leads elsewhere"
    if segment[-1] in ". ":
        return "a step ends with a dot or a space"
    if _RESERVED.fullmatch(segment):
        return f"{segment!r} is a device name on Windows"
    if len(segment.encode("utf-8")) > MAX_NAME_BYTES:
        return f"a step is longer than {MAX_NAME_BYTES} bytes"
    return ""


def normal(path: str) -> str:
    """Return the path in Unicode form NFC, which is how bags here spell names; some systems decompose them on disk."""
    return unicodedata.normalize("NFC", path)


def collision_key(path: str) -> str:
    """Return what two paths share when a system somewhere takes them for the same file."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())
