"""What Spark tasks do to read books of custody: what reads them on this machine, over pieces of the files.

So both leave out the same rows, whatever another program wrote. Found by name on the executors, as ``worker`` is.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl
import pyarrow as pa

from provender.portfolio import footer
from provender.portfolio.custody import SCHEMAS
from provender.portfolio.custody_rows import files, usable_rows
from provender.portfolio.on_disk import Portfolio

PIECE: Final = "item long, data_set string, path string, start long, length long"
MOST: Final = 1_000_000
"""Rows that are read at once, at most; no more than a row group."""
_TYPES: Final[Mapping[object, tuple[str, pa.DataType]]] = {
    pl.String: ("string", pa.string()), pl.Int64: ("bigint", pa.int64()), pl.Int32: ("int", pa.int32()),
    pl.Date: ("date", pa.date32()),
}  # fmt: skip


def pieces(portfolio: Portfolio, data_set: str) -> list[dict[str, Any]]:
    """Return the pieces of the files of a data set that can be read, as rows of ``PIECE``."""
    found: list[dict[str, Any]] = []
    for one in files(portfolio, data_set):
        path, begins = (portfolio.root / one.path).resolve(), 0
        if usable_rows(path, data_set) is None:
            continue
        for rows in footer.row_groups(path):
            found += [
                {"item": len(found) + number, "data_set": data_set, "path": str(path), "start": begins + start,
                 "length": min(MOST, rows - start)}
                for number, start in enumerate(range(0, rows, MOST))
            ]  # fmt: skip
            begins += rows
    return found


def columns(data_set: str) -> str:
    """Return the columns of a data set as Spark names their types."""
    return ", ".join(f"{name} {_TYPES[of][0]}" for name, of in SCHEMAS[data_set].items())


def read_pieces(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Read pieces, rows of ``PIECE`` of one data set; yield their usable rows."""
    for batch in batches:
        for row in batch.to_pylist():
            rows = usable_rows(Path(row["path"]), row["data_set"], row["start"], row["length"])
            if rows is None:
                raise RuntimeError(f"{row['path']} is another file here than where the command runs")
            schema = pa.schema([(name, _TYPES[of][1]) for name, of in SCHEMAS[row["data_set"]].items()])
            # Polars' texts have offsets of 64 bits; Spark is told of short ones.
            yield from rows.collect().to_arrow().cast(schema).to_batches()
