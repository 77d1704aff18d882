"""The records beside a data set of the ADAPT Standard: what was measured from place to place, as GeoParquet or GeoTIFF.

Of each variable the mean is taken, or the sum where it is a total. Cells of a raster are alike in size, so that their
mean is that of the area; a cell that holds nothing, zero or less was not worked.
"""

import io
import json
import logging
import struct
import warnings
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import polars as pl

NAME: Final = "adapt.json"
PARQUET: Final = ".parquet"
TIFF: Final = (".tif", ".tiff")
ENDINGS: Final = (PARQUET, *TIFF)
MEANT: Final = {
    "TillageDepthActual": "m", "SeedingDepthActual": "m", "ApplicationDepthActual": "m", "Width": "m", "Speed": "m/s",
    "AppliedVolumePerAreaActual": "l/ha", "AppliedMassPerAreaActual": "kg/ha", "CommodityMoisture": "pct",
}  # fmt: skip
"""Data types of which a mean is taken, with the unit of the standard."""
SUMMED: Final = ("YieldTotalWetMass", "YieldTotalDryMass")
_DECIMALS: Final = 9
"""Of the measured numbers: more is noise of the binary numbers in which the files hold them."""
_MOST_ROWS: Final = 5_000_000
_MOST_CELLS: Final = 20_000_000
"""Of all bands together: a field of 200 acres has three million of a foot and a half."""

Item = Mapping[str, Any]


def is_part(path: Path) -> bool:
    """Tell whether a file is records that the ``adapt.json`` beside it names, in letters or escaped."""
    if path.suffix.lower() not in ENDINGS:
        return False
    try:
        document = (path.parent / NAME).read_bytes()
    except OSError:
        return False
    names = {json.dumps(path.name, ensure_ascii=ascii_only).encode() for ascii_only in (True, False)}
    return b'"spatialRecordsFile"' in document and any(name in document for name in names)


class DamagedRecordsError(Exception):
    """A file of records cannot be read; its text says why."""


def measured_in(
    file: str, held: Path | bytes, variables: Sequence[tuple[Item, str]]
) -> list[tuple[Item, str, Fraction]]:
    """Return of each variable that a file holds its data type and what was measured, in the unit of the standard.

    Args:
        file: its name, whose ending says what it is.
        held: where it lies, or its content.
        variables: what the operation measured, each with its data type.

    Raises:
        DamagedRecordsError: the file cannot be read.
    """
    wanted = [(each, code) for each, code in variables if code in MEANT or code in SUMMED]
    of = _in_bands if file.lower().endswith(TIFF) else _in_columns
    found = []
    for each, code, series in of(held, wanted):
        values = series.drop_nulls()
        values = values.filter(values.is_finite() & (values > 0))
        if values.len():
            found.append((each, code, _whole(values) / (1 if code in SUMMED else values.len())))
    return found


def _whole(values: "pl.Series") -> Fraction:
    import polars as pl

    try:
        exact = values.cast(pl.Decimal(38, _DECIMALS)).to_physical().cast(pl.Int128).sum()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as trouble:
        raise DamagedRecordsError(str(trouble)) from None
    return Fraction(int(exact), 10**_DECIMALS)


def _in_columns(held: Path | bytes, variables: Iterable[tuple[Item, str]]) -> Iterator[tuple[Item, str, "pl.Series"]]:
    import polars as pl

    try:
        frame = pl.read_parquet(io.BytesIO(held) if isinstance(held, bytes) else held, n_rows=_MOST_ROWS)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, ArithmeticError) as trouble:
        raise DamagedRecordsError(str(trouble)) from None
    for each, code in variables:
        column = str(each.get("geoParquetColumnName"))
        if column in frame.columns and frame[column].dtype.is_numeric():
            yield each, code, frame[column]


def _in_bands(held: Path | bytes, variables: Iterable[tuple[Item, str]]) -> Iterator[tuple[Item, str, "pl.Series"]]:
    bands = _bands(held)
    for each, code in variables:
        at = each.get("geoTIFFBandIndex")
        if isinstance(at, int) and 1 <= at <= len(bands):
            yield each, code, bands[at - 1]


def _bands(held: Path | bytes) -> "list[pl.Series]":
    """Return the bands of the first image of a GeoTIFF, cell by cell; cells that are said to hold nothing are null.

    Raises:
        DamagedRecordsError: it is damaged, packed in a way that cannot be read here, or too large.
    """
    import polars as pl
    import tifffile

    logging.getLogger("tifffile").disabled = True  # it would write on the terminal what is told in our own words
    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        try:
            file = stack.enter_context(tifffile.TiffFile(io.BytesIO(held) if isinstance(held, bytes) else held))
            page = file.pages.first
            if not 0 < page.size <= _MOST_CELLS:
                raise DamagedRecordsError(f"it has {page.size:,} cells, and {_MOST_CELLS:,} can be read")
            cells = page.asarray(maxworkers=1)
            axes, nothing = str(page.axes), page.nodata
        except tifffile.TiffFileError as trouble:
            raise DamagedRecordsError(str(trouble)) from None
        except _TROUBLE:
            raise DamagedRecordsError("it is cut off, changed, or packed in a way that is not read here") from None
    if cells.dtype.kind not in "iuf" or cells.ndim != len(axes) or axes not in ("YX", "YXS", "SYX"):
        raise DamagedRecordsError("its cells are no numbers in bands")
    layers = cells.transpose(2, 0, 1) if axes == "YXS" else cells if axes == "SYX" else cells[None]
    found = (pl.Series(layer.reshape(-1).astype("float64")) for layer in layers)
    return [series.set(series == float(nothing), None) for series in found]


_TROUBLE: Final = (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, ArithmeticError, RuntimeError,
                   MemoryError, EOFError, AssertionError, struct.error, zlib.error)  # fmt: skip
"""What the reader of TIFF raises on files that are no TIFF, cut off or changed; its own error is a ``ValueError``."""
