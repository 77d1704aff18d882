"""Seed sown after a harvest is no seed of the cover before it: short or without a rate, it moves no verdict there."""

from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from provender.practices.assess import assess
from provender.practices.verdict import Verdict
from provender.records.book import RecordBook
from provender.records.folder import load_book
from provender.records.kind import KINDS
from provender.rule.crops import Practice

EXAMPLE = Path(__file__).parents[2] / "examples" / "bluestem-farm"


def records_of(seeded: date | None, rate: int | None) -> Verdict:
    """Return how the records of N40's cover stand once rye was sown on another field; N40 was cut on September 26."""
    book = load_book(EXAMPLE)
    rows: dict[str, dict[str, Any]] = {
        "cover_crop": {"cover_id": "RYE", "unit_id": "B50", "harvest_id": "B50-2025", "seeded_on": seeded,
                       "seeded_acres": 50_000},
        "cover_species": {"cover_id": "RYE", "species": "Cereal Rye, Winter", "rate_lb_per_ac": rate},
    }  # fmt: skip
    frames = dict(book.frames)
    for name, row in rows.items():
        frame = pl.DataFrame([{"farm_id": "BLUESTEM", **row}])
        frames[name] = pl.concat([frames[name], frame], how="diagonal_relaxed").cast(KINDS[name].empty().schema)
    judged = assess(RecordBook.from_frames(frames, folder=book.folder, files=book.files))
    return next(one for one in judged.intervals if one.harvest_id == "N40-2025")[Practice.cover_crop].records


@pytest.mark.parametrize("rate", [900_000, None])
@pytest.mark.parametrize(
    ("seeded", "found"),
    [
        (date(2024, 10, 1), Verdict.NOT_SHOWN),
        (date(2025, 9, 26), Verdict.NOT_SHOWN),
        (date(2025, 9, 27), Verdict.MET),
        (date(2026, 10, 20), Verdict.MET),
        (None, Verdict.NOT_SHOWN),
    ],
)
def test_what_is_sown_after_the_harvest_is_not_missing_before_it(
    seeded: date | None, rate: int | None, found: Verdict
) -> None:
    assert records_of(seeded, rate) is found
