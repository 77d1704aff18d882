"""Records of the ADAPT Standard that lie beside the data set as GeoTIFF: means of their cells, sums of totals."""

import io
import json
import struct
import zipfile
import zlib
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import tifffile
from hypothesis import given
from hypothesis import strategies as st

from provender.formats.adapt import read_adapt
from provender.formats.adapt_records import DamagedRecordsError, measured_in
from provender.formats.sniff import advice, sniff
from provender.problem import Weight
from tests.formats.test_other_systems import adapt, operation, passes
from tests.formats.told import codes

DEPTH, SPEED, MASS = "TillageDepthActual", "Speed", "YieldTotalWetMass"
RATE = "AppliedMassPerAreaActual"
_STREAM = io.BytesIO()
pl.DataFrame({"geometry": [b""], DEPTH: [0.1]}).write_parquet(_STREAM)
PARQUET_MARK = _STREAM.getvalue()


def raster(*bands: Any, nothing: str = "", **how: Any) -> bytes:  # noqa: ANN401 - rows of numbers; of tifffile
    cells = np.array(bands, dtype=how.pop("dtype", "float32"))
    if len(bands) == 1:
        cells = cells[0]
    elif how.get("planarconfig") != "separate":
        cells = cells.transpose(1, 2, 0)
    stream = io.BytesIO()
    more = [(42113, "s", 0, nothing, True)] if nothing else []
    how = {"planarconfig": "contig", **how} if len(bands) > 1 else how
    tifffile.imwrite(stream, cells, photometric="minisblack", extratags=more, metadata=None, **how)
    return stream.getvalue()


def variables(*codes: str) -> list[tuple[dict[str, Any], str]]:
    return [({"geoTIFFBandIndex": at, "productId": "P"}, code) for at, code in enumerate(codes, 1)]


def measured(content: bytes, *codes: str) -> dict[str, Fraction]:
    return {code: value for _, code, value in measured_in("a.tiff", content, variables(*codes))}


@pytest.mark.parametrize("how", [
    {}, {"dtype": "float64"}, {"compression": "zlib"}, {"planarconfig": "separate"}, {"bigtiff": True},
    {"rowsperstrip": 1}, {"tile": (16, 16)}, {"byteorder": ">"},
])  # fmt: skip
def test_cells_give_their_mean_and_totals_their_sum_however_they_are_laid(how: dict[str, Any]) -> None:
    content = raster([[0.125, 0.25], [0.0, 0.0]], [[2.0, 4.0], [6.0, 0.0]], [[100.0, 50.5], [0.0, 0.0]], **how)
    told = measured(content, DEPTH, SPEED, MASS)
    assert told == {DEPTH: Fraction(3, 16), SPEED: Fraction(4), MASS: Fraction(301, 2)}


def test_cells_that_hold_nothing_are_left_out() -> None:
    holes = raster([[0.25, -9999.0], [float("nan"), float("inf")]])
    assert measured(holes, DEPTH) == {DEPTH: Fraction(1, 4)}
    said = raster([[7.0, 2.0], [7.0, 4.0]], nothing="7")
    assert measured(said, SPEED) == {SPEED: Fraction(3)}
    assert measured(raster([[0.0, 0.0]]), DEPTH) == {}


def test_whole_numbers_are_read_and_a_band_that_is_not_there_measures_nothing() -> None:
    content = raster([[3, 5]], dtype="int16")
    assert measured(content, SPEED, DEPTH) == {SPEED: Fraction(4)}
    for at in (0, -1, 2, "1", None, True):
        found = list(measured_in("a.tif", content, [({"geoTIFFBandIndex": at}, SPEED)]))
        assert [value for *_, value in found] == ([Fraction(4)] if at is True else [])


def test_the_official_converters_raster_gives_what_its_bytes_say(samples: Path) -> None:
    path = samples / "adapt" / "plugin-expected" / "raster" / "RasterRx-15.tiff"
    content = path.read_bytes()
    strips = zip((16, 128, 240, 352, 470), (112, 112, 112, 118, 114), strict=True)
    cells = b"".join(zlib.decompress(content[start : start + size]) for start, size in strips)
    by_band = [[each for each in struct.unpack("<200d", cells)[band::4] if each > 0] for band in range(4)]
    found = measured_in(path.name, path, variables(RATE, RATE, RATE, RATE))
    assert [value for *_, value in found] == [Fraction(sum(band)) / len(band) for band in by_band]


def zipped(folder: Path, document: object, name: str, records: bytes) -> Path:
    path = folder / "set.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("export/adapt.json", json.dumps(document))
        archive.writestr(f"export/{name}", records)
    return path


def tilled(name: str) -> dict[str, Any]:
    made = operation("FIELD_PREPARATION_TILLAGE", name, TillageDepthActual=("", ""))
    (variable,) = made["variables"]
    del variable["geoParquetColumnName"]
    variable["geoTIFFBandIndex"] = 1
    return made


@pytest.mark.parametrize("name", ["-15.tiff", "depth.TIF"])
def test_a_work_record_gets_its_depth_from_the_raster_and_a_damaged_one_is_told(tmp_path: Path, name: str) -> None:
    content = raster([[0.1, 0.2], [0.0, 0.0]], dtype="float64", compression="zlib")
    parsed = read_adapt(zipped(tmp_path, adapt(tilled(name)), name, content), "set.zip")
    assert (codes(parsed), passes(parsed)[0].depth_in) == ([], round(15 / 2.54 * 1000))
    parsed = read_adapt(zipped(tmp_path, adapt(tilled(name)), name, content[:40]), "set.zip")
    assert (codes(parsed), passes(parsed)[0].depth_in) == (["bad_raster"], None)
    parsed = read_adapt(zipped(tmp_path, adapt(tilled(name)), "other.tiff", content), "set.zip")
    assert (codes(parsed), passes(parsed)[0].depth_in) == (["missing_part"], None)


def test_a_raster_beside_its_json_in_a_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "adapt.json").write_text(json.dumps(adapt(tilled("a.tiff"))))
    (tmp_path / "a.tiff").write_bytes(raster([[0.1, 0.2]], dtype="float64"))
    assert passes(read_adapt(tmp_path / "adapt.json", "adapt.json"))[0].depth_in == round(15 / 2.54 * 1000)


@pytest.mark.parametrize("name", ["a.tiff", "-49.parquet"])
def test_records_beside_a_data_set_that_names_them_are_no_files_of_their_own(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(raster([[0.1, 0.2]]) if name == "a.tiff" else PARQUET_MARK)
    alone = sniff(path, name)
    (tmp_path / "adapt.json").write_text(json.dumps(adapt(tilled("other" + name))))
    assert sniff(path, name) == alone, "another file is named"
    (tmp_path / "adapt.json").write_text(json.dumps(adapt(tilled(name))))
    part = sniff(path, name)
    assert (part.reader, alone.reader) == ("", "boundaries" if name == "-49.parquet" else "")
    in_letters = tmp_path / f"Äcker {name}"
    path.rename(in_letters)
    for ascii_only in (True, False):
        document = json.dumps(adapt(tilled(in_letters.name)), ensure_ascii=ascii_only)
        (tmp_path / "adapt.json").write_text(document, encoding="utf-8")
        assert sniff(in_letters, in_letters.name) == part
    told = advice(part, name)
    assert told is not None
    assert (told.code, told.weight) == ("read_with_adapt", Weight.NOTE)


def test_a_raster_that_says_it_is_endless_is_not_unpacked() -> None:
    content = bytearray(raster([[1.0, 2.0]]))
    with tifffile.TiffFile(io.BytesIO(bytes(content))) as file:
        for name in ("ImageWidth", "ImageLength"):
            tag = file.pages.first.tags[name]
            struct.pack_into("<I" if tag.dtype == 4 else "<H", content, tag.valueoffset, 60_000)
    with pytest.raises(DamagedRecordsError, match="cells"):
        measured(bytes(content), SPEED)


@given(st.data())
def test_a_changed_or_cut_off_raster_is_told_or_measures_something(data: st.DataObject) -> None:
    content = bytearray(raster([[0.1, 0.2], [0.3, 0.4]], [[1, 2], [3, 4]], compression="zlib"))
    for _ in range(data.draw(st.integers(0, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(content[: data.draw(st.integers(0, len(content)))])
    try:
        told = measured(cut, DEPTH, SPEED)
    except DamagedRecordsError:
        return
    assert all(value > 0 for value in told.values())
