"""The attributes of a shapefile as columns of text: cut at once where the table is plain, else row by row."""

import io
import struct
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import numpy as np
import polars as pl
import shapefile

from provender.formats.shapefiles import BROKEN, Parts
from provender.formats.yield_columns import ROW
from provender.problem import Place, Problem

_AGAIN: Final = "Export the shapefile again, and put all its parts in one zip."
_SEPARATOR: Final = 0x1F
_PLAIN: Final = r"^-?\d*(\.\d*)?$"
_ASCII: Final = 0x7F
_BLANK: Final = 0x20
_TYPES: Final = ("N", "F", "C")


def table_cells(
    reader: shapefile.Reader, parts: Parts, wanted: Mapping[str, str]
) -> tuple[pl.DataFrame, list[Problem]]:
    """Return attributes as columns of text, with the number of each row; of a damaged table those before its damage.

    Args:
        reader: the open shapefile.
        parts: its bytes.
        wanted: the table's column in capitals by the name it is to have; one that the table lacks is empty.
    """
    place = Place(parts.name)
    problems: list[Problem] = []
    rows: list[tuple[str | int, ...]] = []
    try:
        plain = _plain_table(reader, parts.dbf or b"", wanted)
        if plain is not None:
            return plain, problems
        for number, record in enumerate(reader.iterRecords(), start=1):
            row = {key.upper(): value for key, value in record.as_dict().items()}
            rows.append((number, *(_cell(row.get(each)) for each in wanted.values())))
        if len(rows) != len(reader):
            cause = f"{len(reader)} rows are announced, {len(rows)} could be read."
            problems.append(Problem(place, cause, _AGAIN, code="bad_shapefile"))
    except BROKEN as wrong:
        cause = f"the table is damaged after row {len(rows)} ({type(wrong).__name__})."
        problems.append(Problem(place, cause, _AGAIN, code="bad_shapefile"))
    schema = {ROW: pl.Int64, **dict.fromkeys(wanted, pl.String)}
    return pl.DataFrame(rows, schema, orient="row"), problems


def _cell(value: object) -> str:
    """Return an attribute as text; a float as its shortest decimal, which is what the table's text said."""
    if value is None:
        return ""
    return format(value, "f") if isinstance(value, float) and "e" in repr(value) else str(value)


def _plain_table(reader: shapefile.Reader, table: bytes, asked: Mapping[str, str]) -> pl.DataFrame | None:
    """Return a table of plain texts and numbers, cut into columns at once; None for any other."""
    entries = [(each.name.upper(), str(each.field_type), each.size) for each in reader.fields if each.size > 0]
    entries = [each for each in entries if each[0] != "DELETIONFLAG"]
    names = [name for name, _, _ in entries]
    edges = np.cumsum([1, *(size for _, _, size in entries)]).tolist()
    count, head, size = struct.unpack_from("<IHH", table, 4)
    wanted = [(names.index(column), each) for each, column in asked.items() if column in names]
    if size != edges[-1] or len(table) < head + count * size or len(set(names)) < len(names) or not count or not wanted:
        return None
    if any(entries[at][1] not in _TYPES for at, _ in wanted):
        return None
    rows = np.frombuffer(table, np.uint8, count * size, head).reshape(count, size)
    spans = list(pairwise(edges))
    cut = np.full((count, 1), _SEPARATOR, np.uint8)
    pieces = [piece for at, _ in wanted for piece in (rows[:, slice(*spans[at])], cut)]
    text = np.concatenate([*pieces[:-1], np.full((count, 1), ord("\n"), np.uint8)], axis=1)
    inner = np.concatenate(pieces[::2], axis=1)
    odd = (inner > _ASCII).any() or ((inner < _BLANK) & (inner != 0)).any() or (rows[:, 0] != _BLANK).any()
    if odd:
        return None
    text[text == 0] = _BLANK
    found = pl.read_csv(
        io.BytesIO(text.tobytes()), has_header=False, infer_schema=False, separator=chr(_SEPARATOR), quote_char=None,
        new_columns=[each for _, each in wanted],
    )  # fmt: skip
    numbers = [each for at, each in wanted if entries[at][1] != "C"]
    texts = found.with_columns(pl.all().fill_null("").str.strip_chars())
    short = [texts[each] if _is_plain(texts[each]) else _shortest(texts[each]) for each in numbers]
    missing = [pl.lit("").alias(each) for each in asked if each not in texts.columns]
    return texts.with_columns(*short, *missing).with_row_index(ROW, 1)


def _is_plain(column: pl.Series) -> bool:
    return bool(column.str.contains(_PLAIN).all())


def _shortest(column: pl.Series) -> pl.Series:
    """Return numbers that stand as powers of ten (``1.25e+001``) as decimals; what is none stays as it is."""

    def short(text: str) -> str:
        try:
            return _cell(float(text.replace("*", "") or "nan"))
        except ValueError:
            return text

    return pl.Series(column.name, ["" if (said := short(each)) == "nan" else said for each in column], pl.String)
