"""Which practices a farm ticks for a field and crop (2100.012): what is not claimed is neither missing nor wrong."""

from collections.abc import Iterable, Iterator
from typing import Final

import polars as pl

from provender.problem import Place, Problem, Weight
from provender.rule.crops import CLAIMABLE, Crop, Practice

NOTHING: Final = "none"
"""Ticked by whoever claims no practice."""


def _words(text: str) -> list[str]:
    return [word for part in text.split(";") if (word := "_".join(part.casefold().replace("-", " ").split()))]


def ticked(text: str | None) -> frozenset[Practice] | None:
    """Return the practices that a crop entry claims; None where it does not say."""
    words = _words(text or "")
    return frozenset(one for one in Practice if one in words) if words else None


def written(practices: Iterable[Practice]) -> str:
    """Return ticks as a crop entry says them, in the rule's order."""
    chosen = set(practices)
    return "; ".join(one for one in Practice if one in chosen) or NOTHING


def claim_problems(harvests: pl.DataFrame) -> Iterator[Problem]:
    """Tell each tick that names no practice, or one that the crop may not claim.

    Args:
        harvests: the crop entries of a book.
    """
    for row in harvests.filter(pl.col("claims").is_not_null()).iter_rows(named=True):
        crop = Crop(row["crop"]) if row["crop"] in set(Crop) else None
        may = CLAIMABLE[crop] if crop else ()
        for word in _words(row["claims"]):
            if word == NOTHING or word in may:
                continue
            known = word in set(Practice)
            said = f"{row['harvest_id']} claims {word[:40]!r}, which "
            cause = f"{said}{'its crop may not claim' if known else 'is no practice'}."
            place = Place("harvest", row=row["source_row"] or 0, column="claims")
            remedy = f"Claim of {', '.join(may) or 'no practice'}, or write {NOTHING}."
            yield Problem(place, cause, remedy, "2100.012", weight=Weight.CONFIRM, code="no_such_claim")
