"""How a text of ours is said on a page, so that who hears it hears it in the right language."""

import re
from typing import Final

from django.utils.html import format_html

from provender.web.said import is_spanish, spanish

_WORDS: Final = re.compile(r"[A-Za-z]{2,}\W+(?:\w+\W+)*?[A-Za-z]{2,}")
_DAY: Final = re.compile(r"\d{1,2} de [a-z]+ de \d{4}(, \d\d:\d\d)?")
"""A day as Spanish pages write it."""


def said_aloud(text: object) -> object:
    """Say a text of ours in the reader's language; one that has no Spanish is marked as English for who hears it."""
    if not text or not is_spanish():
        return text
    words = str(text)
    found = spanish(words)
    if found is not None:
        return found
    is_ours = _WORDS.search(words) is None or _DAY.fullmatch(words) is not None
    return text if is_ours else format_html('<span lang="en">{}</span>', text)
