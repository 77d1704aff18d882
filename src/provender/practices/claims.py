"""Which practices a farm ticks for a field and crop (2100.012): what is not claimed is neither missing nor wrong."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

import polars as pl

from provender.practices.explain import IntervalVerdict
from provender.problem import Place, Problem, Weight
from provender.records.book import RecordBook
from provender.rule.crops import CLAIMABLE, Crop, Practice

NOTHING: Final = "none"
"""Ticked by whoever claims no practice."""

ENTERED: Final = {"cover_crop": Practice.cover_crop, "inhibitor": Practice.nitrification_inhibitor}
"""Yes-or-no answers of a calculator run, and the practice that each claims."""

Entry = tuple[str, str]
"""Farm and crop entry."""


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


def named_by_runs(book: RecordBook) -> dict[Entry, set[Practice]]:
    """Return what calculator runs name: a practice is claimed by entering it (2100.020(a))."""
    found: dict[Entry, set[Practice]] = {}
    for run in book["calculator_run"].iter_rows(named=True):
        named = found.setdefault((run["farm_id"], run["harvest_id"]), set())
        named |= {Practice(run[name]) for name in ("tillage", "n_timing") if run[name] in set(Practice)}
        named |= {practice for name, practice in ENTERED.items() if run[name]}
    return found


def ticks_of(book: RecordBook) -> dict[Entry, set[Practice]]:
    """Return what is ticked; entries without a tick are left out."""
    rows = book["harvest"].select("farm_id", "harvest_id", "claims").iter_rows()
    return {(farm, entry): set(ticks) for farm, entry, said in rows if (ticks := ticked(said)) is not None}


def of_interval(one: IntervalVerdict, said: Mapping[Entry, set[Practice]]) -> set[Practice] | None:
    """Return what is said of a crop by any of its entries, or None where nothing is."""
    found = [said[one.farm_id, entry] for entry in one.harvest_ids if (one.farm_id, entry) in said]
    return set().union(*found) if found else None


def with_claims(intervals: Iterable[IntervalVerdict], book: RecordBook) -> Iterator[IntervalVerdict]:
    """Yield intervals whose practices say whether they are claimed."""
    named, ticks = named_by_runs(book), ticks_of(book)
    for one in intervals:
        by_run, by_tick = of_interval(one, named), of_interval(one, ticks)
        if by_run is None and by_tick is None:
            yield one
            continue
        runs, ticked_too = by_run or set(), by_tick or set()
        practices = tuple(
            replace(
                each,
                claimed=each.practice in runs | ticked_too,
                ticked=by_tick is not None,
                named=each.practice in runs,
            )
            for each in one.practices
        )
        yield replace(one, practices=practices)
