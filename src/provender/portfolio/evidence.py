"""Which files of evidence the exporter of a book held, by hash: a portfolio brings the hashes, not the files.

A name is not evidence (interpretation 59). What counts in the portfolio is what counted in the book: the file was there
when the book was exported, with the hash written here. So the result rests on the exporter's word for that one thing.
"""

from collections.abc import Iterable, Mapping
from typing import Final

import polars as pl

from provender.records.book import RecordBook

HELD: Final = "evidence_file"
"""Data set of the files that were there at the export."""
SCHEMA: Final = {"farm_id": pl.String, "file": pl.String, "sha256": pl.String}


class StatedFiles:
    """Files known by the hash that an exporter states."""

    def __init__(self, hashes: Mapping[tuple[str, str], str]) -> None:
        self._hashes = hashes

    def hash_of(self, farm_id: str, file: str) -> str:
        """Return the stated hash; empty where none is."""
        return self._hashes.get((farm_id, file), "")

    def content_of(self, farm_id: str, file: str) -> bytes:  # noqa: ARG002 - nobody has the content here
        """Return nothing: the files stay with the farm."""
        return b""


def held_files(book: RecordBook) -> pl.DataFrame:
    """Return the files of a book's evidence that are there now; columns of ``SCHEMA``."""
    named = book["evidence"].select("farm_id", "file").unique(maintain_order=True)
    rows = [(farm, file, book.files.hash_of(farm, file)) for farm, file in named.iter_rows()]
    return pl.DataFrame([row for row in rows if row[2]], schema=SCHEMA, orient="row")


def stated_files(parts: Iterable[pl.DataFrame]) -> StatedFiles:
    """Return the files that some frames of ``SCHEMA`` state."""
    return StatedFiles({(farm, file): sha256 for part in parts for farm, file, sha256 in part.drop_nulls().iter_rows()})
