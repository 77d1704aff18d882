"""The order of days between a row and the row that it names: a cover crop stands before the crop that follows it."""

from datetime import date
from typing import Final

from provender.problem import Place, Problem, Weight

COVER: Final = "cover_crop"
CITE: Final = "2100.052(a)(1)"


def seeded_after_harvest(place: Place, cover: str, seeded: date | None, crop: str, last: date | None) -> Problem | None:
    """Return what is wrong where a cover was seeded after the crop that should follow it was harvested.

    Args:
        place: of the row of the cover.
        cover: its identifier.
        seeded: the day it was seeded; None where that is not recorded.
        crop: the identifier of the crop entry that it names.
        last: the last day of that harvest; None where that is not recorded.
    """
    if seeded is None or last is None or seeded <= last:
        return None
    cause = f"Cover crop {cover} was seeded on {seeded}, and {crop}, which should follow it, was harvested by {last}."
    remedy = "Name the crop that follows it; where it is not entered yet, enter it first, with the ending not yet."
    return Problem(place, cause, remedy, CITE, Weight.CONFIRM, "cover_after_crop")
