"""What becomes of a signature in a case."""

from enum import StrEnum
from typing import Final

from tests.proof.changes import Change


class Outcome(StrEnum):
    """What becomes of the signature."""

    refused = "refused"
    told = "told"
    signs = "signs"


NO, TOLD, YES = Outcome.refused, Outcome.told, Outcome.signs
Cases = dict[str, tuple[Change, Outcome, str | tuple[str, ...]]]
"""What is changed, what becomes of the signature, and which words all stand among what is told."""
SPLIT: Final = "The run claims Split in-season application"
NO_TILL: Final = "The run claims No-till, which is not met or not shown"
COVER: Final = "The run claims Cover crop, which is not met or not shown"
NUTRIENTS: Final = "The run claims Nitrification inhibitor, which is not met or not shown"
