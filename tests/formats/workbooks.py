"""Workbooks, zips, shapefiles and pictures written for the tests, sound and hostile; and what was told of them."""

import io
import sqlite3
import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import shapefile
import shapely
import xlsxwriter
from PIL import Image

from provender.formats.parsed import Parsed

Write = Callable[[str, bytes | str], Path]

CONTENT_TYPES = """<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>"""  # noqa: E501 - one line as programs write it
RELS = """<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}" Target="{target}"/></Relationships>"""  # noqa: E501 - likewise
WORKBOOK = """<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>"""  # noqa: E501 - likewise
SHEET = """<?xml version="1.0"?>{doctype}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>"""


def codes(parsed: Parsed[Any]) -> list[str]:
    """Return the codes of all problems, in their order."""
    return [problem.code for problem in parsed.problems]


def zipped(members: Mapping[str, bytes | str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def raw_xlsx(rows: str, doctype: str = "") -> bytes:
    """Return a minimal XLSX whose sheet holds this XML."""
    return zipped(
        {
            "[Content_Types].xml": CONTENT_TYPES,
            "_rels/.rels": RELS.format(kind="officeDocument", target="xl/workbook.xml"),
            "xl/workbook.xml": WORKBOOK,
            "xl/_rels/workbook.xml.rels": RELS.format(kind="worksheet", target="worksheets/sheet1.xml"),
            "xl/worksheets/sheet1.xml": SHEET.format(doctype=doctype, rows=rows),
        }
    )


def xlsx(rows: list[list[object]], *, name: str = "Sheet1") -> bytes:
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True, "nan_inf_to_errors": True})
    sheet = book.add_worksheet(name)
    for number, row in enumerate(rows):
        sheet.write_row(number, 0, row)
    book.close()
    return buffer.getvalue()


def xlsx_of(sheets: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    for name, rows in sheets.items():
        page = book.add_worksheet(name)
        for down, row in enumerate(rows):
            page.write_row(down, 0, row)
    book.close()
    return buffer.getvalue()


def shapes(
    columns: Sequence[tuple[object, ...]], rows: Sequence[tuple[tuple[object, ...], Sequence[object]]], name: str = "y"
) -> dict[str, bytes]:
    """Return the parts of a shapefile of points: where each lies, and its cells."""
    parts = {key: io.BytesIO() for key in ("shp", "shx", "dbf")}
    with shapefile.Writer(**parts, shapeType=shapefile.POINT) as writer:
        for column in columns:
            writer.field(*column)
        for spot, cells in rows:
            writer.point(*spot)
            writer.record(*cells)
    return {f"{name}.{key}": part.getvalue() for key, part in parts.items()}


def geopackage(
    path: Path, columns: Sequence[str], rows: Sequence[tuple[shapely.Geometry, Sequence[object]]], *, srs: int = 4326,
    envelope: bytes = b"",
) -> Path:  # fmt: skip
    """Write a GeoPackage of one table, as far as a reader asks; an envelope may stand before each shape."""
    head = b"GP\x00" + (b"\x03" if envelope else b"\x01") + struct.pack("<i", srs) + envelope
    with closing(sqlite3.connect(path)) as package:
        package.execute(
            "CREATE TABLE gpkg_spatial_ref_sys (srs_id, organization, organization_coordsys_id, definition)"
        )
        package.execute("CREATE TABLE gpkg_geometry_columns (table_name, column_name, srs_id)")
        package.execute("INSERT INTO gpkg_spatial_ref_sys VALUES (?, 'EPSG', ?, '')", (srs, srs))
        package.execute("INSERT INTO gpkg_geometry_columns VALUES ('my fields', 'geom', ?)", (srs,))
        package.execute(f'CREATE TABLE "my fields" (geom, {", ".join(columns)})')
        places = ",".join("?" * (len(columns) + 1))
        for shape, row in rows:
            package.execute(f'INSERT INTO "my fields" VALUES ({places})', (head + shapely.to_wkb(shape), *row))  # noqa: S608 - our own
        package.commit()
    return path


def picture(color: str = "green", size: tuple[int, int] = (64, 48)) -> bytes:
    """Return a photograph that says nothing of itself."""
    out = io.BytesIO()
    Image.new("RGB", size, color).save(out, "JPEG")
    return out.getvalue()
