"""The boundaries of a farm's management units as the book keeps them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from shapely import GEOSException, from_geojson, to_geojson

from provender.catalog.places import county_of_point
from provender.database.models.farm import Change
from provender.exact import show
from provender.formats.adapt_out import DataSet, data_set
from provender.formats.geometry import acres_of
from provender.problem import Problem, Weight
from provender.records.folder import BOUNDARIES, EVIDENCE
from provender.records.kind import KINDS
from provender.report.supporting import FILES
from provender.services.farm.book import FarmBook
from provender.services.farm.folder import FILE, side_files
from provender.signing.canonical import sha256_hex

UNIT: Final = KINDS["unit"]


@dataclass(frozen=True, slots=True)
class UnitPlace:
    """Where a management unit lies."""

    unit: str  # its name in the book
    name: str  # what people call it, or empty
    acres: str  # as the book says, decimal text or empty
    measured: str  # acres within the boundary, decimal text, or empty without one
    county: str  # FIPS code of the county in which the boundary's middle lies, else as the book says, or empty
    geometry: dict[str, Any] | None  # the boundary as a GeoJSON geometry; None without one


def boundary_text(farm: FarmBook, unit_id: str) -> str:
    """Return the GeoJSON of a unit's boundary as the book keeps it; empty where it has none that can be read."""
    texts = farm.texts(UNIT, unit_id) or {}
    row = farm.files.get(f"{BOUNDARIES}/{Path(texts.get('boundary', '')).name}", {})
    text = str(row.get("text") or "")
    try:
        return text if text and not from_geojson(text).is_empty else ""
    except GEOSException:
        return ""


def place_of(farm: FarmBook, unit_id: str) -> UnitPlace:
    texts = farm.texts(UNIT, unit_id) or {}
    text = boundary_text(farm, unit_id)
    shape = from_geojson(text) if text else None
    middle = shape.representative_point() if shape is not None else None
    county = county_of_point(middle.x, middle.y).fips if middle is not None else texts.get("county_fips")
    return UnitPlace(
        unit=unit_id,
        name=texts.get("name", ""),
        acres=texts.get("acres", ""),
        measured=show(acres_of(shape), places=1) if shape is not None else "",
        county=county or "",
        geometry=json.loads(to_geojson(shape)) if shape is not None else None,
    )


# The files that belong to a farm's book, and what salts the leaves of its reports.

LEAF_SECRET = "leaf-secret"  # noqa: S105 - the name of an entry
"""The name under which a book that came from elsewhere keeps the secret of its reports."""


def kept_files(farm: FarmBook) -> Iterator[tuple[str, Path]]:
    """Yield where the files belong that the records name, and where they lie: evidence, boundaries not in the book."""
    beside = side_files(farm.files)
    for folder, paths in ((EVIDENCE, farm.evidence_paths), (BOUNDARIES, farm.boundary_paths)):
        for (_, name), path in paths.items():
            place = f"{folder}/{name}"
            if ".." not in Path(name).parts and place not in beside and path.is_file():
                yield place, path


def bound_files(farm: FarmBook) -> dict[str, bytes]:
    """Return the boundaries and rejected rows of a book by path, as its package will hold them."""
    texts = {path: text.encode() for path, text in side_files(farm.files).items()}
    stored = {path: held.read_bytes() for path, held in kept_files(farm) if path.startswith(f"{BOUNDARIES}/")}
    return {path: content for path, content in {**texts, **stored}.items() if path.partition("/")[0] in FILES}


def leaf_secret_of_book(farm: FarmBook) -> str:
    """Return the secret behind the salted leaves of a book's reports; it stays the same as the book grows.

    It follows from the whole text of the first change, of which nothing but its hash is ever shown to others.
    """
    brought = farm.rows.get(FILE, {}).get(LEAF_SECRET)
    if brought is not None:
        return str(brought["text"])
    first = Change.objects.filter(book=farm.book, number=1).values_list("text", flat=True).first()
    return sha256_hex(f"leaves of {first}".encode())


# A farm's book as another system reads it: a data set of the ADAPT Standard, and what of the book stays behind.


def exchange_of(farm: FarmBook) -> DataSet:
    """Return the book as a data set, with the rows, amounts and kinds that do not go out."""
    outlines = {unit: text for unit in farm.of(UNIT) if (text := boundary_text(farm, unit))}
    return data_set(farm.records(), outlines)


def left_first(made: DataSet) -> list[Problem]:
    """Return what stays behind: what somebody should look at first, what the standard has no place for last."""
    order = list(Weight)
    return sorted(made.left, key=lambda one: order.index(one.weight))
