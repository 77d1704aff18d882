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

    def __init__(self, hashes: Mapping[tuple[str, str], tuple[str, ...]]) -> None:
        self._hashes = hashes

    def hash_of(self, farm_id: str, file: str, recorded: str | None = None) -> str:
        """Return the stated hash, the recorded one if it is stated; empty where none is."""
        stated, wanted = self._hashes.get((farm_id, file), ("",)), (recorded or "").strip().lower()
        return wanted if wanted in stated else stated[0]

    def content_of(self, farm_id: str, file: str, recorded: str | None = None) -> bytes:  # noqa: ARG002 - as asked
        """Return nothing: the files stay with the farm."""
        return b""


def held_files(book: RecordBook) -> pl.DataFrame:
    """Return the files of a book's evidence that are there now; columns of ``SCHEMA``."""
    named = book["evidence"].select("farm_id", "file", "sha256").unique(maintain_order=True)
    rows = [(farm, file, book.files.hash_of(farm, file, sha256)) for farm, file, sha256 in named.iter_rows()]
    return pl.DataFrame(list(dict.fromkeys(row for row in rows if row[2])), schema=SCHEMA, orient="row")


def stated_files(parts: Iterable[pl.DataFrame]) -> StatedFiles:
    """Return the files that some frames of ``SCHEMA`` state."""
    stated: dict[tuple[str, str], tuple[str, ...]] = {}
    for farm, file, sha256 in (row for part in parts for row in part.drop_nulls().iter_rows()):
        stated[farm, file] = (*stated.get((farm, file), ()), sha256)
    return StatedFiles(stated)
