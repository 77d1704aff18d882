"""Make the boundaries, photographs and papers of the Bluestem example: all of them made up, the same on every run.

Run ``.venv/bin/python examples/make_evidence.py``; it writes ``boundaries/`` and ``evidence/`` of the book and fills
the column sha256 of its ``evidence.csv``.
"""

import csv
import hashlib
import io
import json
import math
import random
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw
from PIL.ExifTags import IFD

BOOK = Path(__file__).parent / "bluestem-farm"
SQUARE_METRES_PER_ACRE = 4046.8564224
METRES_PER_DEGREE = 111_035.0  # of latitude, near 39 degrees north
WIDER = 1.6  # how much longer a field is from west to east
PLACES = {  # the south-west corner of each unit: latitude, longitude
    "N40": (39.3702, -96.3610), "E80": (39.3702, -96.3480), "T30": (39.3620, -96.3610), "W35": (39.3620, -96.3480),
    "C60": (39.3530, -96.3610), "M25": (39.3530, -96.3480), "B50": (39.3440, -96.3610), "B30": (39.3440, -96.3480),
    "K45": (39.3350, -96.3610), "G70": (39.2902, -96.7310), "G35": (39.2902, -96.7150), "P20": (39.2830, -96.7310),
}  # fmt: skip
PHOTOS = {  # file: unit, when it was taken (local time), its offset from UTC, how dense the stand is
    "n40-rye-2024-11-06.jpg": ("N40", "2024:11:06 10:12:41", "-06:00", 900),
    "w35-oats-2024-09-12.jpg": ("W35", "2024:09:12 08:55:03", "-05:00", 1300),
    "b50-rye-vetch-2025-04-10.jpg": ("B50", "2025:04:10 16:30:22", "-05:00", 1500),
    "b30-rye-2024-11-07.jpg": ("B30", "2024:11:07 11:02:17", "-06:00", 700),
}
MADE_UP = "MADE UP FOR THE BLUESTEM EXAMPLE. No such firm, office or printout exists."


def rows(kind: str) -> list[dict[str, str]]:
    """Return the rows of one kind of record in the book."""
    with (BOOK / f"{kind}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def corners(unit: str, acres: float) -> tuple[float, float, float, float]:
    """Return south, west, north and east of a field of so many acres."""
    south, west = PLACES[unit]
    tall = math.sqrt(acres * SQUARE_METRES_PER_ACRE / WIDER)
    north = south + tall / METRES_PER_DEGREE
    metres_per_degree_east = 111_320 * math.cos(math.radians((south + north) / 2))
    return south, west, north, west + WIDER * tall / metres_per_degree_east


def boundaries() -> Iterator[tuple[str, bytes]]:
    """Yield a GeoJSON file per unit."""
    for row in rows("unit"):
        south, west, north, east = (round(value, 6) for value in corners(row["unit_id"], float(row["acres"])))
        ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
        feature = {
            "type": "Feature",
            "properties": {"name": row["unit_id"], "acres": float(row["acres"])},
            "geometry": {"type": "Polygon", "coordinates": [ring]},
        }
        yield row["boundary"], (json.dumps(feature) + "\n").encode()


def degrees(value: float) -> tuple[float, float, float]:
    """Return degrees, minutes and seconds as EXIF writes them."""
    whole, rest = divmod(abs(value) * 3600, 3600)
    minutes, seconds = divmod(rest, 60)
    return whole, minutes, round(seconds, 2)


def photograph(unit: str, taken: str, offset: str, plants: int) -> bytes:
    """Draw rows of young plants from above, with place and time in EXIF as a telephone writes them."""
    dice = random.Random(unit)
    picture = Image.new("RGB", (320, 240), (118, 92, 64))
    draw = ImageDraw.Draw(picture)
    for _ in range(2500):
        x, y, shade = dice.randrange(320), dice.randrange(240), dice.randrange(-16, 16)
        draw.line((x, y, x + 5, y + 1), fill=(170 + shade, 148 + shade, 104 + shade))
    for number in range(plants):
        x, y = 10 + 20 * (number % 16) + dice.gauss(0, 2.2), dice.uniform(0, 240)
        green = (40 + dice.randrange(30), 110 + dice.randrange(60), 40 + dice.randrange(20))
        draw.line((x, y, x + dice.gauss(0, 4), y - dice.uniform(4, 11)), fill=green, width=2)
    exif = Image.Exif()
    exif[0x010F], exif[0x0110], exif[0x0132] = "Made-up camera", "Bluestem example", taken
    exif.get_ifd(IFD.Exif).update({0x9003: taken, 0x9011: offset})
    acres = next(float(row["acres"]) for row in rows("unit") if row["unit_id"] == unit)
    south, west, north, east = corners(unit, acres)
    latitude, longitude = (south + north) / 2, (west + east) / 2
    exif.get_ifd(IFD.GPSInfo).update({1: "N", 2: degrees(latitude), 3: "W", 4: degrees(longitude)})
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=60, exif=exif)
    return out.getvalue()


def paper(*lines: str) -> bytes:
    """Return a plain paper that says first of all that it is made up."""
    return "\n".join((MADE_UP, "", *lines, "")).encode()


def printout(crop: str) -> bytes:
    """Return a made-up printout of the calculator for one crop; its numbers are not USDA's."""
    runs = [row for row in rows("calculator_run") if row["crop"] == crop]
    default = next(row for row in rows("national_default") if row["crop"] == crop)
    lines = [
        "EXAMPLE VALUES, NOT FROM USDA. This stands where a printout of USDA FD-CIC would be.",
        f"Version: {runs[0]['version']}; run on {runs[0]['run_on']}",
        f"Crop: {crop}; national default {default['ci_g_per_bu']} g CO2e/bu",
        "",
        "unit  county  acres  bu/ac   tillage       cover  N timing             inhibitor  g CO2e/bu",
    ]
    lines += [
        f"{r['unit_id']:<5} {r['county_fips']:<7} {r['acres']:>5}  {r['yield_bu_per_ac']:>5}   {r['tillage']:<13} "
        f"{r['cover_crop']:<6} {r['n_timing']:<20} {r['inhibitor']:<9} {r['ci_g_per_bu']:>9}"
        for r in runs
    ]
    return paper(*lines, "", f"Farm average, conventional bushels included: {runs[0]['farm_ci_g_per_bu']} g CO2e/bu")


def papers() -> Iterator[tuple[str, bytes]]:
    """Yield every paper by file name."""
    seed = [f"{r['species']}: {r['pounds']} lb, {r['received_on']}" for r in rows("seed_purchase") if r["supplier"]]
    yield "seed-invoice-2024.txt", paper("Flint Hills Seed Co-op, invoices of 2024 to Bluestem Farm", "", *seed)
    own = next(r for r in rows("seed_purchase") if r["bin_run"] == "yes")
    bin_note = f"{own['pounds']} lb {own['species']} cleaned from bin 4 on {own['received_on']}; crop of 2023."
    yield "own-oats-bin-note.txt", paper(bin_note, "Signed: A. Lindqvist")
    bought = [
        f"{r['product']}: {r['amount']} {r['amount_unit']}, {r['received_on']}" for r in rows("inhibitor_purchase")
    ]
    yield "inhibitor-invoice-2025.txt", paper("Kaw Valley Fertilizer, invoice to Bluestem Farm", "", *bought)
    soil = [
        f"{r['unit_id']}: sampled {r['sampled_on']}, pH {r['ph']}, organic matter {r['organic_matter_pct']} %, "
        f"nitrate N {r['nitrate_n_ppm']} ppm, P {r['p_ppm']} ppm, K {r['k_ppm']} ppm ({r['method']})"
        for r in rows("soil_test")
    ]
    tissue = [
        f"{r['harvest_id']}: tissue {r['tested_on']}, {r['result']} ({r['method']})" for r in rows("in_season_test")
    ]
    yield "soil-and-tissue-results.txt", paper("Flint Hills Soil Laboratory", "", *soil, *tissue)
    for crop in ("corn", "soybeans", "sorghum"):
        yield f"fdcic-example-{crop}.txt", printout(crop)
    totals = [
        f"{r['crop']} {r['harvest_year']}: {r['what'].replace('_', ' ')} {r['bushels']} bu"
        for r in rows("bushel_total")
    ]
    yield "settlement-2025.txt", paper("Settlements and own measurements, harvest 2025", "", *totals)
    reported = [f"{r['crop']} {r['harvest_year']}: {r['acres']} acres" for r in rows("reported_acres")]
    yield "fsa-578-2025.txt", paper("Acres as they would stand on an FSA-578", "", *reported)
    used = [f"{r['unit_id']} {r['year']}: {r['land_use']}" for r in rows("land_use")]
    yield "fsa-156-land-use.txt", paper("Land use as it would stand on an FSA-156EZ", "", *used)


def log() -> bytes:
    """Return what a terminal's log of the passes would hold, as a table: the rows that say *machine*."""
    columns = ("unit_id", "day", "depth_in", "speed_mph", "width_ft", "n_lb_per_ac")
    logged = [r for kind in ("operation", "nutrient_application") for r in rows(kind) if r["known_by"] == "machine"]
    lines = [",".join(("note", *columns))]
    lines += [",".join(("made up for the example", *(row.get(name, "") for name in columns))) for row in logged]
    return ("\n".join(lines) + "\n").encode()


def stamp_hashes() -> None:
    """Write the SHA-256 of every file into evidence.csv, so that a later change is visible."""
    listed = rows("evidence")
    for row in listed:
        row["sha256"] = hashlib.sha256((BOOK / "evidence" / row["file"]).read_bytes()).hexdigest()
    with (BOOK / "evidence.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, listed[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(listed)


def main() -> None:
    """Write everything."""
    made = [("boundaries", *one) for one in boundaries()]
    made += [("evidence", name, photograph(*about)) for name, about in PHOTOS.items()]
    made += [("evidence", *one) for one in papers()]
    made.append(("evidence", "machine-log-2025.txt", log()))
    for folder, name, data in made:
        (BOOK / folder).mkdir(exist_ok=True)
        (BOOK / folder / name).write_bytes(data)
    stamp_hashes()
    print(f"{len(made)} files written under {BOOK}")


if __name__ == "__main__":
    main()
