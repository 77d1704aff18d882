"""The evidence of a record book folder, file by file: what stands, what does not, and the recording of hashes."""

from pathlib import Path
from typing import Any

import polars as pl

from provender.practices.evidence_links import evidence_states
from provender.practices.evidence_problems import evidence_problems
from provender.practices.prepared_book import load
from provender.problem import Problem
from provender.records.folder import frame_to_csv, load_book
from provender.records.kind import KINDS


def evidence_index(folder: Path) -> tuple[list[dict[str, Any]], list[Problem]]:
    """Return every evidence record with its ``standing`` (null where sound), and the rows whose evidence is not."""
    loaded = load(load_book(folder))
    names = ("farm_id", "evidence_id", "file", "what", "standing")
    rows = list(evidence_states(loaded.book).select(names).iter_rows(named=True))
    return rows, evidence_problems(loaded)


def record_hashes(folder: Path) -> int:
    """Write the hashes of files that have none on record into ``evidence.csv``; return how many.

    A hash on record is never written over: a file that was changed stays told.
    """
    book = load_book(folder)
    frame = book["evidence"]
    found = [
        row["sha256"] or book.files.hash_of(row["farm_id"], row["file"]) or None for row in frame.iter_rows(named=True)
    ]
    new = sum(had is None and now is not None for had, now in zip(frame["sha256"], found, strict=True))
    if new:
        text = frame_to_csv(KINDS["evidence"], frame.with_columns(pl.Series("sha256", found, pl.String)))
        (folder / "evidence.csv").write_text(text, encoding="utf-8", newline="")
    return new
