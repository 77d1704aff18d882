"""Fifty-one made-up farms of one to three units, their records, their official-looking runs and their signed reports.

The calculator runs are invented for the example and say so; no number of them is USDA's.
"""

import hashlib
import io
import json
import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, partial
from typing import Any, Final, cast

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from PIL import Image, ImageDraw
from PIL.ExifTags import IFD

from provender.custody.model.lots import origin_id
from provender.exact import CI_SCALE, half_even, show
from provender.intensity.quantify import Quantification, quantify
from provender.records.book import EvidenceFiles, HeldFiles, RecordBook
from provender.records.folder import BOUNDARIES
from provender.records.kind import KINDS, Record
from provender.records.kinds.quantification import CalculatorRun
from provender.report.document import Edition, build
from provender.report.plausibility import read_ahead
from provender.report.signing import sign_report
from provender.report.supporting import BoundRows
from provender.report.versions import leaves_document, next_edition
from provender.rule.crops import Crop
from provender.signing.canonical import sha256_hex
from provender.signing.keys import SigningKey
from provender.verdicts.assess import Assessment, assess

FARMS: Final = 51
"""Farms of the whole chain, each with a key and a salt."""


def demo_key(party: str) -> SigningKey:
    """Return the demonstration key of a party of the example chain, the same in every run."""
    return SigningKey(private_half(party))


def private_half(party: str) -> Ed25519PrivateKey:
    """Return the private half of ``demo_key``."""
    seed = hashlib.sha256(f"provender prairie-chain demonstration key of {party}".encode()).digest()
    return Ed25519PrivateKey.from_private_bytes(seed)


def demo_leaf_secret(farm: str) -> str:
    """Return the demonstration secret behind the salted leaves of a farm's reports."""
    return hashlib.sha256(f"provender prairie-chain demonstration leaves {farm}".encode()).hexdigest()


def _demo_salt(seed: int, farm: str) -> str:
    """Return the demonstration salt that blinds a farm's origins."""
    return hashlib.sha256(f"provender prairie-chain demonstration salt {seed} {farm}".encode()).hexdigest()[:32]


# What the parties of the chain are called on a server: by the code of their organisation, where the id is too long.

COOP, CRUSHER, DIESEL, ETHANOL = "prairie-coop", "plains-crush", "sod-diesel", "bluestem-ethanol"
HANDLES: Final = {ETHANOL: "bluestem"}
"""Codes of parties whose id is longer than a code may be."""
_PARTY_FIELDS: Final = ("entity", "giver", "taker", "counterparty")
_IDS: Final = {code: party for party, code in HANDLES.items()}


def as_posted(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event of the chain with the codes of organisations for its parties."""
    return {
        name: HANDLES.get(value, value) if name in _PARTY_FIELDS and isinstance(value, str) else value
        for name, value in event.items()
    }


def key_of(code: str) -> SigningKey:
    """Return the demonstration key of a party by its code: the one that the chain's contracts name."""
    return demo_key(_IDS.get(code, code))


# Made-up square fields of the example farms.

_METRES_PER_DEGREE: Final = 111_035.0
"""Of latitude, near 39 degrees north."""
_SQUARE_METRES_PER_ACRE: Final = 4046.8564224


def square(latitude: float, longitude: float, acres: int) -> dict[str, Any]:
    """Return a square field as GeoJSON.

    Args:
        latitude: of its middle, degrees.
        longitude: of its middle, degrees.
        acres: its size, thousandths of an acre.
    """
    half = math.sqrt(acres / 1000 * _SQUARE_METRES_PER_ACRE) / 2
    tall = half / _METRES_PER_DEGREE
    wide = half / (111_320 * math.cos(math.radians(latitude)))
    west, east, south, north = longitude - wide, longitude + wide, latitude - tall, latitude + tall
    ring = (
        (west, south), (east, south), (east, north), (west, north), (west, south),
    )  # fmt: skip
    corners = [[round(x, 6), round(y, 6)] for x, y in ring]
    return {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [corners]}}


# Photographs and papers of the example farms, made from their records: the same bytes on every run, all made up.

MADE_UP: Final = "MADE UP FOR THE PRAIRIE CHAIN EXAMPLE. No such farm, firm, office or printout exists."
_WIDTH, _HEIGHT = 160, 120
_COVER_SEEN, _RESIDUE_SEEN = date(2024, 11, 6), date(2025, 5, 20)
LOG: Final = "E-LOG"
Row = Mapping[str, Any]
OfKind = Callable[[str], Sequence[Row]]
"""The rows of a kind that one farm has."""


def photographs(unit: str, place: tuple[float, float], cover: str) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Yield a unit's photographs with their evidence rows: residue after planting, and the stand of a cover crop."""
    seen = [("residue", _RESIDUE_SEEN, 40), *([("cover", _COVER_SEEN, 420)] if cover else [])]
    for what, day, plants in seen:
        name = f"{unit.lower()}-{what}-{day}.jpg"
        picture = _photograph(f"{place} {unit} {what}", place, day, plants)
        row = _row(f"E-PHOTO-{unit}-{what.upper()}", name, "photograph", day, picture)
        yield row | {"unit_id": unit}, picture


def _photograph(word: str, place: tuple[float, float], day: date, plants: int) -> bytes:
    """Draw plants on stubble from above, with place and time in EXIF as a telephone writes them."""
    dice = random.Random(word)  # noqa: S311 - a drawing needs a seed, not secrecy
    picture = Image.new("RGB", (_WIDTH, _HEIGHT), (118, 92, 64))
    draw = ImageDraw.Draw(picture)
    for _ in range(220):
        x, y, shade = dice.randrange(_WIDTH), dice.randrange(_HEIGHT), dice.randrange(-16, 16)
        draw.line((x, y, x + 6, y + 1), fill=(170 + shade, 148 + shade, 104 + shade))
    for number in range(plants):
        left, top = 5 + 10 * (number % 16) + dice.gauss(0, 1.2), dice.uniform(0, _HEIGHT)
        green = (40 + dice.randrange(30), 110 + dice.randrange(60), 40 + dice.randrange(20))
        draw.line((left, top, left + dice.gauss(0, 2), top - dice.uniform(3, 6)), fill=green)
    taken = f"{day:%Y:%m:%d} {dice.randrange(8, 17):02}:{dice.randrange(60):02}:{dice.randrange(60):02}"
    exif = Image.Exif()
    exif[0x010F], exif[0x0110], exif[0x0132] = "Made-up camera", "Prairie chain example", taken
    exif.get_ifd(IFD.Exif).update({0x9003: taken, 0x9011: "-06:00" if day == _COVER_SEEN else "-05:00"})
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


YEAR: Final = 2025
_FARMS_MADE_UP: Final = "EXAMPLE, made-up values"
_SOURCE: Final = "Made up for this example; not a USDA number."
_SIGNED_ON: Final = date(2025, 12, 20)
AMENDED_ON: Final = date(2026, 5, 28)
_RUN_AGAIN_ON: Final = date(2026, 5, 20)
_FAMILIES: Final = (
    "Abel", "Berg", "Cole", "Dahl", "Engel", "Ford", "Gunn", "Hale", "Ives", "Jung", "Kern", "Lund", "Moe", "Nash",
    "Olson", "Pratt", "Quist",
)  # fmt: skip
_LAND: Final = ("Creek", "Ridge", "Section")
_COUNTIES: Final = (
    ("20149", "Pottawatomie"), ("20161", "Riley"), ("20177", "Shawnee"), ("20085", "Jackson"), ("20197", "Wabaunsee"),
    ("20061", "Geary"), ("20041", "Dickinson"),
)  # fmt: skip
_MIDDLES: Final = {
    "20149": (39.38, -96.34), "20161": (39.30, -96.73), "20177": (39.04, -95.76), "20085": (39.42, -95.79),
    "20197": (38.95, -96.20), "20061": (38.97, -96.75), "20041": (38.87, -97.15),
}  # fmt: skip
"""Roughly the middle of each county: latitude, longitude."""
_CI: Final = {"corn": (7200, 8600, 9000), "soybeans": (5200, 7400, 8000)}
"""Lowest and highest CI of a no-till unit and the default, g CO2e/bu, all made up."""
_COVER_LESS: Final = 600
"""By how much a cover crop before it lowers the CI of a no-till unit, g CO2e/bu, made up."""
_COVER_EVERY: Final = 4
"""The first unit of every fourth farm has a cover crop before the cash crop."""
_RYE: Final = "Cereal Rye, Winter"
_AGAIN: Final = "E-RUN-AGAIN"
_YIELD: Final = {"corn": (150, 190), "soybeans": (44, 58)}


@dataclass(frozen=True, slots=True)
class Report:
    """One farm's signed report of one crop."""

    farm: str  # the farm's id
    name: str  # the farm's name
    crop: str  # ``corn`` or ``soybeans``
    origin: str  # the blinded id of its serials
    bushels: int  # thousandths
    envelope: dict[str, Any]  # the signed document
    amended: dict[str, Any] | None = None  # the second version, for the one farm that amends; None otherwise
    openings: tuple[dict[str, Any], ...] = ()  # what opens the roots of each version (``report.leaves_file``)


def crops_of(number: int) -> tuple[str, ...]:
    """Return what a farm grows: every sixth grows both, of the others two of three grow soybeans."""
    if number % 6 == 0:
        return ("corn", "soybeans")
    return ("soybeans",) if number % 3 else ("corn",)


def farm_name(number: int) -> str:
    """Return a farm's made-up name."""
    return f"{_FAMILIES[number % len(_FAMILIES)]} {_LAND[number // len(_FAMILIES)]} Farm"


class Rows:
    """Rows of all kinds of all farms in the making."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - an example needs a seed, not secrecy
        self.kinds: dict[str, list[dict[str, Any]]] = {}
        self.files: dict[str, dict[str, bytes]] = {}

    def add(self, kind: str, **row: object) -> None:
        self.kinds.setdefault(kind, []).append(row)

    def of(self, farm: str, kind: str) -> list[dict[str, Any]]:
        return [row for row in self.kinds.get(kind, ()) if row["farm_id"] == farm]

    def prove(self, farm: str, row: Mapping[str, Any], content: bytes) -> None:
        """Add a file of evidence with its record."""
        self.files.setdefault(farm, {})[row["file"]] = content
        self.add("evidence", farm_id=farm, **row)


@cache
def farm_records(seed: int, count: int = FARMS) -> Mapping[str, Sequence[Record]]:
    kinds = _rows(seed, count).kinds
    return {kind: [KINDS[kind].row_of(row) for row in rows] for kind, rows in kinds.items()}


def farm_evidence(seed: int, count: int = FARMS) -> Mapping[str, Mapping[str, bytes]]:
    """Return the files of evidence by farm and name: photographs and papers, as ``evidence`` of the frames lists them.

    The printout behind the amendment is not among them: see ``second_printout``.
    """
    return _rows(seed, count).files


@cache
def _rows(seed: int, count: int) -> Rows:
    rows = Rows(seed)
    for number in range(count):
        _farm(rows, number)
    return rows


def farm_id(number: int) -> str:
    """Return a farm's id, ``farm-07``."""
    return f"farm-{number + 1:02}"


def _farm(rows: Rows, number: int) -> None:
    farm, (fips, county) = farm_id(number), _COUNTIES[number % len(_COUNTIES)]
    rows.add("farm", farm_id=farm, name=farm_name(number), county_fips=fips, county=county, state="KS")
    rows.add(
        "producer", farm_id=farm, producer_id="P1", name=f"{_FAMILIES[number % len(_FAMILIES)]} (made up)",
        role="owner", operational_control=True, key_fingerprint=demo_key(farm).fingerprint,
    )  # fmt: skip
    for crop in crops_of(number):
        low, high, default = (ci * 100 for ci in _CI[crop])
        # One version of a calculator gives one CI per county, crop and practices, so it depends on nothing else.
        spread = _COUNTIES.index((fips, county)) * (high - low) // len(_COUNTIES)
        units = [_unit(rows, (farm, fips), crop, place) for place in range(rows.chance.randint(1, 3))]
        covered = [place == 0 and number % _COVER_EVERY == 1 for place in range(len(units))]
        for (unit, acres, _, _), cover in zip(units, covered, strict=True):
            if cover:
                _cover(rows, farm, unit, acres)
        cis = [
            low + spread - cover * _COVER_LESS * 100 if tilled == "no_till" else default
            for (_, _, _, tilled), cover in zip(units, covered, strict=True)
        ]
        bushels = [amount for _, _, amount, _ in units]
        printed = half_even(sum(ci * b for ci, b in zip(cis, bushels, strict=True)), sum(bushels))
        for (unit, _, _, tilled), ci, cover in zip(units, cis, covered, strict=True):
            if tilled == "no_till":
                _run(rows, (farm, fips, unit), crop, (ci, printed), cover=cover)
        source = {"calculator": "USDA FD-CIC", "version": _FARMS_MADE_UP, "source": _SOURCE}
        papers = {"evidence": f"E-RUN-{crop.upper()}"}
        rows.add("national_default", farm_id=farm, crop=crop, ci_g_per_bu=default, **source, **papers)
        of_crop = {"farm_id": farm, "crop": crop, "harvest_year": YEAR}
        rows.add("bushel_total", total_id=f"T-{crop}", what="scale_tickets", bushels=sum(bushels), evidence="E-SETTLE",
                 **of_crop)  # fmt: skip
        rows.add("reported_acres", report_id=f"FSA-{crop}", acres=sum(acres for _, acres, _, _ in units),
                 source="FSA-578", evidence="E-FSA578", **of_crop)  # fmt: skip
    _prove(rows, number)


def _prove(rows: Rows, number: int) -> None:
    """Add a farm's photographs, taken in the middle of each field, and its papers."""
    farm = farm_id(number)
    covered = {row["unit_id"] for row in rows.of(farm, "cover_crop")}
    for place, unit in enumerate(rows.of(farm, "unit")):
        name = unit["unit_id"]
        cover = "cover" if name in covered else ""
        for row, content in photographs(name, _middle(number, place), cover):
            rows.prove(farm, row, content)
    for row, content in papers(lambda kind: rows.of(farm, kind)):
        rows.prove(farm, row, content)


def _cover(rows: Rows, farm: str, unit: str, acres: int) -> None:
    """Add a stand of rye before the cash crop, with the pass that drilled it and the invoice for the seed."""
    key = {"farm_id": farm, "unit_id": unit}
    seeded = date(2024, 10, 8)
    rows.add(
        "cover_crop", **key, cover_id=f"{unit}-rye", harvest_id=f"{unit}-{YEAR}", seeded_on=seeded, method="drilled",
        seeded_acres=acres, depth_in=1_000, suits_site=True, suits_site_source="State cover crop guide (made up)",
        established_photo=f"E-PHOTO-{unit}-COVER", establishment_verified_by="photograph",
        terminated_on=date(2025, 4, 10), termination_method="herbicide", planted_green=False,
        known_by="typed_in_season",
    )  # fmt: skip
    rows.add("cover_species", farm_id=farm, cover_id=f"{unit}-rye", species=_RYE, rate_lb_per_ac=60_000)
    rows.add("seed_purchase", farm_id=farm, purchase_id=f"SEED-{unit}", species=_RYE, pounds=60 * acres,
             received_on=date(2024, 9, 20), supplier="Prairie Seed (made up)", bin_run=False,
             evidence="E-SEED")  # fmt: skip
    rows.add("operation", **key, operation_id=f"{unit}-rye", day=seeded, operation="Drill or airseeder, double disk",
             equipment="own", depth_in=1_000, speed_mph=5_000, width_ft=15_000, known_by="machine",
             evidence=LOG)  # fmt: skip


def _unit(rows: Rows, where: tuple[str, str], crop: str, place: int) -> tuple[str, int, int, str]:
    """Add a unit with its season; return its id, acres and bushels and how it was tilled."""
    farm, fips = where
    unit = f"{crop[0].upper()}{place + 1}"
    acres, per_acre = rows.chance.randrange(40, 160, 5), rows.chance.randint(*_YIELD[crop])
    tilled = "conventional" if place == 2 else "no_till"  # noqa: PLR2004 - a third unit is plowed, and conventional
    key, bushels, season = {"farm_id": farm, "unit_id": unit}, acres * per_acre * 1000, f"{unit}-{YEAR}"
    rows.add("unit", **key, acres=acres * 1000, county_fips=fips, boundary=f"{unit.lower()}.geojson", parcel_id=unit)
    rows.add("control", farm_id=farm, control_id=f"K-{unit}", unit_id=unit, producer_id="P1", basis="owner",
             since=date(2015, 3, 1))  # fmt: skip
    rows.add("land_use", **key, year=2007, land_use="cropland", evidence="E-FSA156")
    before = "soybeans" if crop == "corn" else "corn"
    ended = {"use": "grain", "ending": "harvested"}
    rows.add("harvest", **key, harvest_id=f"{unit}-{YEAR - 1}", crop=before, first_day=date(2024, 10, 3),
             last_day=date(2024, 10, 4), **ended)  # fmt: skip
    rows.add("harvest", **key, harvest_id=season, crop=crop, first_day=date(2025, 10, 1), last_day=date(2025, 10, 2),
             bushels=bushels, harvested_acres=acres * 1000, moisture_pct=15_000 if crop == "corn" else 13_000,
             known_by="third_party", evidence="E-SETTLE", **ended)  # fmt: skip
    passes = [
        ("Sprayer, kill crop", date(2025, 4, 10), 1_000, 10_000),
        ("Planter, double disk opnr", date(2025, 5, 2), 2_000, 5_000),
        ("Sprayer, post emergence", date(2025, 6, 8), 1_000, 10_000),
        ("Harvest, killing crop 50pct standing stubble", date(2025, 10, 2), 1_000, 4_000),
    ]
    if tilled == "conventional":
        passes.insert(0, ("Plow, moldboard", date(2025, 3, 28), 8_000, 5_000))
    for turn, (operation, day, depth, speed) in enumerate(passes):
        rows.add("operation", **key, operation_id=f"{unit}-{turn}", day=day, operation=operation, equipment="own",
                 depth_in=depth, speed_mph=speed, width_ft=40_000, known_by="machine",
                 evidence=LOG)  # fmt: skip
    rows.add("planting", farm_id=farm, harvest_id=season, planting_id=f"{unit}-p", planted_on=date(2025, 5, 2))
    no = dict.fromkeys(
        ("residue_burned", "cover_grazed", "cover_harvested", "cover_fertilized", "manure_applied", "irrigation_n"),
        False,
    )
    rows.add("declaration", farm_id=farm, harvest_id=season, made_on=date(2025, 11, 10), producer_id="P1",
             all_operations_listed=True, all_nutrients_listed=True, in_control=True, records_kept=True,
             benefit_sold=False, no_till_kept=True, land_converted=False, **no)  # fmt: skip
    return unit, acres * 1000, bushels, tilled


def _run(rows: Rows, where: tuple[str, str, str], crop: str, cis: tuple[int, int], *, cover: bool) -> None:
    (farm, fips, unit), (ci, printed) = where, cis
    key = (farm, f"{unit}-{YEAR}")
    (grown,) = [row for row in rows.kinds["harvest"] if (row["farm_id"], row["harvest_id"]) == key]
    acres = grown["harvested_acres"]
    rows.add(
        "calculator_run", farm_id=farm, run_id=f"RUN-{unit}", unit_id=unit, harvest_id=grown["harvest_id"],
        calculator="USDA FD-CIC", version=_FARMS_MADE_UP, status="final", run_on=date(2025, 12, 1), county_fips=fips,
        crop=crop, acres=acres, yield_bu_per_ac=grown["bushels"] * 1000 // acres, tillage="no_till", cover_crop=cover,
        n_timing="as_usual", inhibitor=False, ci_g_per_bu=ci, farm_ci_g_per_bu=printed, note=_SOURCE,
        known_by="third_party", evidence=f"E-RUN-{crop.upper()}",
    )  # fmt: skip


def signed_reports(seed: int, count: int = FARMS) -> Iterator[Report]:
    """Return the signed reports of all farms, in order of farms; the second farm's soybeans have a late amendment."""
    row, again = second_printout(amended_records(farm_records(seed, count))) if count > 1 else ({"file": ""}, b"")
    files = held(farm_evidence(seed, count), {(farm_id(1), row["file"]): again})
    judged = assess(_book(farm_records(seed, count), files))
    read_ahead(judged.book)
    worse = assess(_book(amended_records(farm_records(seed, count)), files))
    for number in range(count):
        for crop in crops_of(number):
            one = _signed(judged, number, crop, seed)
            late = number == 1 and crop == "soybeans"
            yield _amended(one, worse) if late else one


def amended_records(records: Mapping[str, Sequence[Record]]) -> dict[str, Sequence[Record]]:
    """Return the records with the runs of the second farm corrected to a higher CI, as its amendment has it."""
    farm, runs = farm_id(1), cast("Sequence[CalculatorRun]", records["calculator_run"])
    higher = [
        replace(run, ci_g_per_bu=(run.ci_g_per_bu or 0) + 40_000, run_on=_RUN_AGAIN_ON, evidence=f"{_AGAIN}-SOYBEANS")
        for run in runs
        if run.farm_id == farm
    ]
    printed = _averages(records, higher, farm)
    changed = {run.run_id: replace(run, farm_ci_g_per_bu=printed[str(run.crop)]) for run in higher}
    of_all = [changed[run.run_id] if run.farm_id == farm else run for run in runs]
    later = {**records, "calculator_run": of_all}
    row, _ = second_printout(later)
    added = KINDS["evidence"].row_of({"farm_id": farm, **row})
    return {**later, "evidence": [*records["evidence"], added]}


def _averages(records: Mapping[str, Sequence[Record]], runs: Iterable[CalculatorRun], farm: str) -> dict[str, int]:
    """Return the weighted average of each crop of a farm, as the calculator prints it for some of its runs."""
    default = {row["crop"]: row["ci_g_per_bu"] for row in records["national_default"] if row.farm_id == farm}
    ci = {run.harvest_id: run.ci_g_per_bu for run in runs}
    totals: dict[str, tuple[int, int]] = {}
    for row in records["harvest"]:
        if row.farm_id == farm and row["harvest_id"].endswith(f"-{YEAR}"):
            product, whole = totals.get(row["crop"], (0, 0))
            per_bushel = ci.get(row["harvest_id"], default[row["crop"]])
            totals[row["crop"]] = product + row["bushels"] * per_bushel, whole + row["bushels"]
    return {crop: half_even(*of) for crop, of in totals.items()}


def second_printout(amended: Mapping[str, Sequence[Record]]) -> tuple[dict[str, Any], bytes]:
    """Return the printout behind the second farm's amendment, with its evidence row."""

    def of(kind: str) -> list[dict[str, Any]]:
        return [dict(row) for row in amended[kind] if row.farm_id == farm_id(1)]

    return printout(of, "soybeans", _RUN_AGAIN_ON, f"{_AGAIN}-SOYBEANS")


@dataclass(frozen=True, slots=True)
class _Made:
    """A report in the making: its document, what it rests on, and what opens its roots."""

    document: dict[str, Any]
    found: Quantification
    opening: dict[str, Any]


def _made(judged: Assessment, farm: str, crop: str, day: date, edition: Edition) -> _Made:
    found = quantify(judged, farm, Crop(crop), YEAR)
    secret = demo_leaf_secret(farm)
    files = {f"{BOUNDARIES}/{name}": text for name, text in _outlines(judged.book["unit"], farm).items()}
    leaves = BoundRows(judged, found, day, files).leaves(secret)
    document = build(judged, found, as_of=day, edition=edition, leaves=leaves)
    return _Made(document, found, leaves_document(document, secret, leaves))


def _outlines(units: Iterable[Record], farm: str) -> dict[str, bytes]:
    """Return the outlines of a farm's units as they lie in its book, by name."""
    number = int(farm.rpartition("-")[2]) - 1
    return {
        str(row["boundary"]): (json.dumps(boundary(number, place, row["acres"])) + "\n").encode()
        for place, row in enumerate(row for row in units if row.farm_id == farm)
    }


def _book(records: Mapping[str, Sequence[Record]], files: EvidenceFiles) -> RecordBook:
    units = records["unit"]
    drawn = {(farm, name): partial(bytes, text) for farm in {row.farm_id for row in units}
             for name, text in _outlines(units, farm).items()}  # fmt: skip
    return RecordBook.of(records, files=files, boundaries=HeldFiles(drawn))


def _signed(judged: Assessment, number: int, crop: str, seed: int) -> Report:
    farm = farm_id(number)
    salt = _demo_salt(seed, farm)
    origin = origin_id(farm, crop, YEAR, salt)
    made = _made(judged, farm, crop, _SIGNED_ON, Edition(origin_id=origin, salt=salt))
    key = demo_key(farm)
    envelope = sign_report(made.document, key, fingerprint_on_file=key.fingerprint)
    bushels = sum(unit.bushels or 0 for unit in made.found.units)
    return Report(farm, farm_name(number), crop, origin, bushels, envelope, openings=(made.opening,))


def _amended(one: Report, worse: Assessment) -> Report:
    first = one.envelope["document"]
    later = _made(worse, one.farm, one.crop, AMENDED_ON, Edition()).document
    made = _made(worse, one.farm, one.crop, AMENDED_ON, next_edition(first, later))
    key = demo_key(one.farm)
    second = sign_report(made.document, key, fingerprint_on_file=key.fingerprint)
    return replace(one, amended=second, openings=(*one.openings, made.opening))


def _middle(number: int, place: int) -> tuple[float, float]:
    """Return latitude and longitude of the middle of a farm's field: fields and farms lie apart, inside the county."""
    latitude, longitude = _MIDDLES[_COUNTIES[number % len(_COUNTIES)][0]]
    turn = number // len(_COUNTIES)
    return latitude + 0.05 * (turn // 2) - 0.1 + 0.008 * place, longitude + 0.012 * (turn % 2)


def boundary(number: int, place: int, acres: int = 150_000) -> dict[str, Any]:
    """Return a made-up square field as GeoJSON, no two the same.

    Args:
        number: the farm, from 0.
        place: which of its units, from 0, in the order of its ``unit`` rows.
        acres: its size, thousandths of an acre.
    """
    return square(*_middle(number, place), acres)
