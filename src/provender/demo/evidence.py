"""Photographs and papers of the example farms, made from their records: the same bytes on every run, all made up."""

import io
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any, Final

from PIL import Image, ImageDraw
from PIL.ExifTags import IFD

from provender.quantity import CI_SCALE, show
from provender.records.evidence_files import HeldFiles
from provender.signing.hashes import sha256_hex

MADE_UP: Final = "MADE UP FOR THE PRAIRIE CHAIN EXAMPLE. No such farm, firm, office or printout exists."
WIDTH, HEIGHT = 160, 120
COVER_SEEN, RESIDUE_SEEN = date(2024, 11, 6), date(2025, 5, 20)
LOG: Final = "E-LOG"
Row = Mapping[str, Any]
OfKind = Callable[[str], Sequence[Row]]
"""The rows of a kind that one farm has."""


def photographs(unit: str, place: tuple[float, float], cover: str) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Yield a unit's photographs with their evidence rows: residue after planting, and the stand of a cover crop."""
    seen = [("residue", RESIDUE_SEEN, 40), *([("cover", COVER_SEEN, 420)] if cover else [])]
    for what, day, plants in seen:
        name = f"{unit.lower()}-{what}-{day}.jpg"
        picture = _photograph(f"{place} {unit} {what}", place, day, plants)
        row = _row(f"E-PHOTO-{unit}-{what.upper()}", name, "photograph", day, picture)
        yield row | {"unit_id": unit}, picture


def _photograph(word: str, place: tuple[float, float], day: date, plants: int) -> bytes:
    """Draw plants on stubble from above, with place and time in EXIF as a telephone writes them."""
    dice = random.Random(word)  # noqa: S311 - a drawing needs a seed, not secrecy
    picture = Image.new("RGB", (WIDTH, HEIGHT), (118, 92, 64))
    draw = ImageDraw.Draw(picture)
    for _ in range(220):
        x, y, shade = dice.randrange(WIDTH), dice.randrange(HEIGHT), dice.randrange(-16, 16)
        draw.line((x, y, x + 6, y + 1), fill=(170 + shade, 148 + shade, 104 + shade))
    for number in range(plants):
        left, top = 5 + 10 * (number % 16) + dice.gauss(0, 1.2), dice.uniform(0, HEIGHT)
        green = (40 + dice.randrange(30), 110 + dice.randrange(60), 40 + dice.randrange(20))
        draw.line((left, top, left + dice.gauss(0, 2), top - dice.uniform(3, 6)), fill=green)
    taken = f"{day:%Y:%m:%d} {dice.randrange(8, 17):02}:{dice.randrange(60):02}:{dice.randrange(60):02}"
    exif = Image.Exif()
    exif[0x010F], exif[0x0110], exif[0x0132] = "Made-up camera", "Prairie chain example", taken
    exif.get_ifd(IFD.Exif).update({0x9003: taken, 0x9011: "-06:00" if day == COVER_SEEN else "-05:00"})
    latitude, longitude = place
    exif.get_ifd(IFD.GPSInfo).update({1: "N", 2: _degrees(latitude), 3: "W", 4: _degrees(longitude)})
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=50, exif=exif)
    return out.getvalue()


def _degrees(value: float) -> tuple[float, float, float]:
    whole, rest = divmod(abs(value) * 3600, 3600)
    minutes, seconds = divmod(rest, 60)
    return whole, minutes, round(seconds, 2)


def papers(of: OfKind) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Yield a farm's papers with their evidence rows: printouts, settlement, USDA records, invoices."""
    for crop in sorted({row["crop"] for row in of("national_default")}):
        yield printout(of, crop, date(2025, 12, 1), f"E-RUN-{crop.upper()}")
    totals = [
        f"{row['crop']} {row['harvest_year']}: {row['what'].replace('_', ' ')} {show(row['bushels'])} bu"
        for row in of("bushel_total")
    ]
    tickets = [
        f"{row['unit_id']}: combine monitor {show(row['bushels'])} bu, {show(row['moisture_pct'])} % moisture, "
        f"{row['first_day']} to {row['last_day']}"
        for row in of("harvest")
        if row.get("bushels") is not None
    ]
    yield _paper(
        "E-SETTLE", "settlement-2025.txt", "ticket", date(2025, 11, 20), "Bushels of harvest 2025", totals, tickets
    )
    acres = [f"{row['crop']} {row['harvest_year']}: {show(row['acres'])} acres" for row in of("reported_acres")]
    yield _paper("E-FSA578", "fsa-578-2025.txt", "usda_record", date(2025, 7, 15), "Acres as on an FSA-578", acres)
    used = [f"{row['unit_id']} {row['year']}: {row['land_use']}" for row in of("land_use")]
    yield _paper("E-FSA156", "fsa-156-land-use.txt", "usda_record", date(2025, 3, 1), "Land as on an FSA-156EZ", used)
    yield _log(of("operation"))
    seed = [
        f"{row['received_on']}: {show(row['pounds'])} lb {row['species']}, {row['supplier']}"
        for row in of("seed_purchase")
    ]
    if seed:
        yield _paper("E-SEED", "seed-invoice-2024.txt", "invoice", date(2024, 9, 20), "Seed invoice", seed)


def _log(passes: Sequence[Row]) -> tuple[dict[str, Any], bytes]:
    """Return what a terminal's log of the passes would hold, as a table."""
    lines = ["note,unit,day,depth in,speed mph,width ft"]
    lines += [
        f"made up for the example,{row['unit_id']},{row['day']},"
        f"{show(row['depth_in'])},{show(row['speed_mph'])},{show(row['width_ft'])}"
        for row in passes
    ]
    content = "\n".join([*lines, ""]).encode()
    return _row(LOG, "machine-log-2025.txt", "machine_file", date(2025, 10, 20), content), content


def printout(of: OfKind, crop: str, day: date, name: str) -> tuple[dict[str, Any], bytes]:
    """Return what stands in the place of a printout of the calculator; its numbers are not USDA's."""
    runs = [row for row in of("calculator_run") if row["crop"] == crop]
    default = next(row for row in of("national_default") if row["crop"] == crop)
    table = [
        f"{run['unit_id']:<4} {run['county_fips']:<6} {show(run['acres']):>6} {show(run['yield_bu_per_ac']):>8}  "
        f"{run['tillage']:<12} {'yes' if run['cover_crop'] else 'no':<5} {show(run['ci_g_per_bu'], CI_SCALE):>9}"
        for run in runs
    ]
    whole = next((run["farm_ci_g_per_bu"] for run in runs if run["farm_ci_g_per_bu"] is not None), None)
    lines = [
        f"Version: {default['version']}; run on {day}",
        f"Crop: {crop}; national default {show(default['ci_g_per_bu'], CI_SCALE)} g CO2e/bu",
        "unit county  acres    bu/ac  tillage      cover  g CO2e/bu",
        *table,
        *([] if whole is None else [f"Farm average, conventional bushels included: {show(whole, CI_SCALE)} g CO2e/bu"]),
    ]
    title = "EXAMPLE VALUES, NOT FROM USDA. This stands where a printout of USDA FD-CIC would be."
    return _paper(name, f"fdcic-example-{crop}-{day}.txt", "printout", day, title, lines)


def _paper(
    name: str, file: str, what: str, day: date, title: str, *parts: Sequence[str]
) -> tuple[dict[str, Any], bytes]:
    lines = [MADE_UP, "", title, *(line for part in parts for line in ("", *part)), ""]
    content = "\n".join(lines).encode()
    return _row(name, file, what, day, content), content


def _row(name: str, file: str, what: str, day: date, content: bytes) -> dict[str, Any]:
    return {"evidence_id": name, "file": file, "what": what, "taken_on": day, "sha256": sha256_hex(content)}


def held(files: Mapping[str, Mapping[str, bytes]], more: Mapping[tuple[str, str], bytes]) -> HeldFiles:
    """Return files of evidence by farm and name, with some more, as verdicts ask for them."""
    kept = {(farm, name): content for farm, mine in files.items() for name, content in mine.items()} | dict(more)
    return HeldFiles({key: partial(bytes, content) for key, content in kept.items()})
