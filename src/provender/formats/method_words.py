"""How a fertilizer went on, by the words with which a file or a machine names its work; nothing where two ways differ.

Where the words say more of the ground than the method does, as drop hoses of a sidedress do, that is told apart.
"""

import re
from typing import Final, NamedTuple


class Way(NamedTuple):
    """A method of the list, and whether its tool goes into the ground; None where the words leave that open."""

    method: str
    in_ground: bool | None


_SAID: Final = {
    "injected": True, "banded": None, "broadcast": False, "broadcast_incorporated": True, "in_furrow": True,
    "starter_band": True, "sidedress": None, "topdress": False, "foliar": False, "fertigation": False, "aerial": False,
    "with_herbicide": False, "other": None,
}  # fmt: skip
_WORDS: Final = (
    (r"broadcast\w*\W+(?:and\W+)?incorporat\w+", Way("broadcast_incorporated", True)),
    (r"y\W?drops?|drop nozzles?|drop hoses?", Way("sidedress", False)),
    (r"streamers?|stream bars?|dribbl\w+|surface band\w*", Way("banded", False)),
    (r"inject\w*|knif(?:e|ed|ing)|knives|strip\W?till\w*", Way("injected", True)),
    (r"(?:anhydrous|nh3) (?:applicator|bar|toolbar)", Way("injected", True)),
    (r"in\W?furrow|pop\W?up", Way("in_furrow", True)),
    (r"starter band|2\W?x\W?2", Way("starter_band", True)),
    (r"top\W?dress\w*", Way("topdress", False)),
    (r"foliar\w*", Way("foliar", False)),
    (r"fertigat\w+|chemigat\w+", Way("fertigation", False)),
    (r"aerial\w*|airplane|aircraft|helicopter|drone", Way("aerial", False)),
    (r"broadcast\w*|spreaders?|spinner\w*|floaters?", Way("broadcast", False)),
    (r"side\W?dress\w*", Way("sidedress", None)),
)  # fmt: skip
"""Words of fields and shops, those that say more before those that say less."""


def way_of(*texts: str) -> Way | None:
    """Return how a product went on by the texts about it; None where none tells, or two of them differ.

    A method of the list, as a person writes it in a column of methods, is that method.
    """
    for text in texts:
        listed = re.sub(r"\W+", "_", text.strip().casefold())
        if listed in _SAID:
            return Way(listed, _SAID[listed])
    whole = " | ".join(texts).casefold()
    found = []
    for words, way in _WORDS:
        pattern = rf"\b(?:{words})\b"
        if re.search(pattern, whole):
            found.append(way)
            whole = re.sub(pattern, " ", whole)
    settled = [way for way in found if way.method != "sidedress" or way.in_ground is not None] or found
    return settled[0] if len(set(settled)) == 1 else None
