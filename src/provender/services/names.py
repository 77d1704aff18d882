"""Names that people give to organisations and sites: short enough for every paper, and without characters unseen."""

import unicodedata
from typing import Final

from provender.services.refused import refusal

LONGEST_NAME: Final = 120
LONGEST_SITE: Final = 80
UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Kinds of characters that steer or hide text: a line break in a name makes two entries of one on a list."""


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
    hidden = next((each for each in name if unicodedata.category(each) in UNSEEN), "")
    if hidden:
        cause = f"The name has a character that nobody sees (U+{ord(hidden):04X})."
        raise refusal("name_unseen", cause, "Type the name anew; copied text may carry such characters.", column=column)
    return name
