"""What an event rests on, and how far that carries a claim (2100.032(a), interpretation 87).

An event may stand for somebody else's signature or measurement. Its footing says whether that is shown: it is decided
from what the book holds, never from a word that somebody types (``events.footing``). The weakest one counts.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Self


class Footing(StrEnum):
    """What stands behind an entry, the strongest first."""

    def __new__(cls, value: str, label: str = "") -> Self:
        """Give the member its words beside its value."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.label = label
        return member

    label: str

    OWN = "own_entry", "entered by the party itself"
    CHECKED = "checked_paper", "signed paper, checked against a key that a contract pins"
    ON_FILE = "paper_on_file", "paper on file, whose signature nobody can check here"
    TYPED = "typed", "typed in, no paper in the book"

    @property
    def verifies(self) -> bool:
        """Tell whether claims may go on that rest on it."""
        return self is not Footing.TYPED


def weakest(found: Iterable[Footing]) -> Footing:
    """Return the weakest of some footings; of none that of one's own entry."""
    order = list(Footing)
    return max(found, key=order.index, default=Footing.OWN)


class RestsOn(StrEnum):
    """Why an event needs a footing, or why it needs none: each type of event says one of these."""

    SIGNATURE = "It stands for another party's signature: that party's paper is its footing."
    SCALE = "It stands for a measurement at the scale of whom it names: that party's own entry is its footing."
    EVIDENCE = "Nobody signs it: evidence in the book is its footing."
    CONSENT = "Without the other party's signed paper the bushels are in dispute, so nothing rests on it."
    OWN_ACT = "It says what the one who enters it did, agreed or declared: nobody else's word stands behind it."
    BATCH = "It rests on the plant's own batch records."
    LATER_PAPER = "Nothing is claimed by it alone: the slip that follows is what counts."
    NEWS = "It takes from claims or ends what did: nobody has more by it than the report gives."
    FILE = "It is itself what shows something: the program makes it from the file."
