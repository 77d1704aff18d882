"""Records in which a text that only looks like an answer names nothing (``provender.said``).

The records keep what was typed, and it is what is signed; only whoever asks what they show asks here.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import polars as pl

from provender.records.book import RecordBook
from provender.said import says

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "harvest": ("termination_record",),
    "operation": ("equipment",),
    "cover_crop": ("suits_site_source",),
    "seed_purchase": ("supplier",),
    "nutrient_budget": ("need_source",),
    "soil_test": ("laboratory", "method"),
    "in_season_test": ("laboratory", "result"),
    "expert_opinion": ("expert", "specialty"),
    "inhibitor_purchase": ("supplier",),
    "inhibitor_acceptance": ("source",),
}
"""Where a verdict rests on something being named."""


def with_what_is_said(book: RecordBook) -> RecordBook:
    """Return a book for verdicts, with text that names nothing left blank; the same book where there is none."""
    told = {kind: _told(book[kind], names) for kind, names in COLUMNS.items()}
    changed = {kind: frame for kind, frame in told.items() if frame is not book[kind]}
    return replace(book, frames={**book.frames, **changed}) if changed else book


def _told(frame: pl.DataFrame, names: tuple[str, ...]) -> pl.DataFrame:
    empty = {}
    for name in names if frame.height else ():
        found = [text for text in frame[name].unique() if text is not None and not says(text)]
        if found:
            empty[name] = found
    blank = [pl.when(~pl.col(name).is_in(found)).then(name).alias(name) for name, found in empty.items()]
    return frame.with_columns(blank) if blank else frame
