"""A farm of forty fields whose report a producer signs: a field of the example chain, forty times, with its papers."""

import csv
import hashlib
import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

FARM: Final = "farm-01"
CROP: Final = "soybeans"
_FIELD: Final = "S1"
_STEP: Final = 0.01
"""Degrees from one field to the next: fields of 125 acres do not touch."""
_ACROSS: Final = 8
_TIMES: Final = {"bushel_total": "bushels", "reported_acres": "acres"}
_ONCE: Final = ("farm", "producer", "national_default")
Row = dict[str, str]


def forty_fields(chain: Path, folder: Path, fields: int, fingerprint: str) -> None:
    """Write the soybean field of a chain's first farm ``fields`` times, each with boundary and photograph.

    ``fingerprint`` is that of the key with which the producer signs.
    """
    source = chain / "farms" / FARM
    for name in ("evidence", "boundaries"):
        (folder / name).mkdir(parents=True)
    for path in source.glob("evidence/*"):
        if CROP in path.name or not path.name.startswith(("c", "fdcic", "s1")):
            (folder / "evidence" / path.name).write_bytes(path.read_bytes())
    printout = folder / "evidence" / f"fdcic-example-{CROP}-2025-12-01.txt"
    _many_lines(printout, fields)
    for number in range(fields):
        name = _name(number).lower()
        _outline(source / "boundaries" / "s1.geojson", folder / "boundaries" / f"{name}.geojson", number)
        picture = (source / "evidence" / "s1-residue-2025-05-20.jpg").read_bytes() + bytes([number])
        (folder / "evidence" / f"{name}-residue-2025-05-20.jpg").write_bytes(picture)
    for path in source.glob("*.csv"):
        rows = [row for row in _read(path) if _of_field(row)]
        if path.stem == "producer":
            rows = [row | {"key_fingerprint": fingerprint} for row in rows]
        _write(folder / path.name, _times(path.stem, rows, fields, folder))


def _name(number: int) -> str:
    return f"S{number + 1:02}"


def _of_field(row: Row) -> bool:
    """Leave out the farm's corn and its two fields."""
    said = " ".join(cell for column, cell in row.items() if column != "farm_id")
    return not re.search(r"\bC[12]\b|\bcorn\b|-CORN\b", said) or f"{_FIELD}-" in said


def _times(kind: str, rows: list[Row], fields: int, folder: Path) -> list[Row]:
    if kind in _ONCE:
        return rows
    if kind in _TIMES:
        column = _TIMES[kind]
        return [row | {column: str(Decimal(row[column]) * fields)} for row in rows]
    found = []
    for row in rows:
        of_field = any(re.search(rf"\b{_FIELD}\b|\bs1\b", cell) for cell in row.values())
        found += [_renamed(row, _name(number)) for number in range(fields)] if of_field else [row]
    return [_hashed(row, folder) for row in found] if kind == "evidence" else found


def _renamed(row: Row, name: str) -> Row:
    lower = {column: re.sub(r"\bs1\b", name.lower(), cell) for column, cell in row.items()}
    return {column: re.sub(r"\bS1\b", name, cell) for column, cell in lower.items()}


def _hashed(row: Row, folder: Path) -> Row:
    return row | {"sha256": hashlib.sha256((folder / "evidence" / row["file"]).read_bytes()).hexdigest()}


def _many_lines(path: Path, fields: int) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [[_renamed({"": line}, _name(at))[""] for at in range(fields)] if line.startswith(_FIELD) else [line]
             for line in lines]  # fmt: skip
    path.write_text("\n".join(line for of in found for line in of) + "\n", encoding="utf-8")


def _outline(source: Path, target: Path, number: int) -> None:
    down, across = divmod(number, _ACROSS)

    def moved(value: Any) -> Any:  # noqa: ANN401 - coordinates, nested as deep as GeoJSON has them
        if isinstance(value[0], (int, float)):
            return [value[0] + across * _STEP, value[1] + down * _STEP]
        return [moved(one) for one in value]

    data = json.loads(source.read_text(encoding="utf-8"))
    for shape in [one.get("geometry", one) for one in data.get("features", [data])]:
        shape["coordinates"] = moved(shape["coordinates"])
    target.write_text(json.dumps(data), encoding="utf-8")


def _read(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _write(path: Path, rows: list[Row]) -> None:
    if rows:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
