"""Ways to tamper with a farm's package, each with what a verifier must be told by name."""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from PIL import Image

from provender.audit.package.layout import Part, farm_path
from provender.custody.model.origins import origin_id
from provender.report.typ import TYP
from provender.signing.canonical import canonical_json, sha256_hex
from provender.signing.jws import sign
from tests.audit.forge import FARM, FORGER, REPORT, Files, change, drop, evidence, later, rows, signed_by_forger, swap

UNITS: Final = ("N40", "E80", "T30", "W35", "C60", "M25")
PHOTOS: Final = {"N40": "E-PHOTO-N40", "W35": "E-PHOTO-W35"}

Apply = Callable[[Random, Files], str]
"""Changes the files and returns what a difference must name."""


@dataclass(frozen=True)
class Tampering:
    """One way to tamper.

    Attributes:
        name: for people.
        apply: the change.
        codes: one of them must be among the differences that name the thing.
        remake: the forger makes the report anew from the changed records and signs it with his own key; only the copy
            in the buyer's hands and the pinned key can still tell.
    """

    name: str
    apply: Apply
    codes: tuple[str, ...]
    remake: bool = False


def _of(files: Files, kind: str, rng: Random, **wanted: bool) -> dict[str, str]:
    """Pick a row of the corn, with the cells named ``True`` filled in."""
    found = [
        row
        for row in rows(files, kind)
        if any(str(row.get(name, "")).startswith(UNITS) for name in ("unit_id", "harvest_id", "report_id"))
        and not str(row.get("harvest_id", "")).endswith("2024")
        and all(bool(row[name]) is there for name, there in wanted.items())
    ]
    return rng.choice(found)


def _in_season(files: Files, rng: Random, **wanted: bool) -> dict[str, str]:
    """Pick a pass that surely lies in the interval of the corn."""
    while True:
        row = _of(files, "operation", rng, **wanted)
        if "2025-04-01" <= row["day"] <= "2025-09-01":
            return row


def depth(rng: Random, files: Files) -> str:
    row = _in_season(files, rng, depth_in=True)
    change(
        files, "operation", row["operation_id"], depth_in=str(float(row["depth_in"]) / 2 + 0.125 * rng.randint(1, 3))
    )
    return f"passes {row['operation_id']}"


def speed(rng: Random, files: Files) -> str:
    row = _in_season(files, rng, speed_mph=True)
    change(files, "operation", row["operation_id"], speed_mph=str(float(row["speed_mph"]) - 1.5))
    return f"passes {row['operation_id']}"


def pass_day(rng: Random, files: Files) -> str:
    row = _in_season(files, rng)
    change(files, "operation", row["operation_id"], day=later(row["day"], rng.choice((-3, -2, 2, 3))))
    return f"passes {row['operation_id']}"


def pass_name(rng: Random, files: Files) -> str:
    row = _in_season(files, rng, depth_in=True)
    change(files, "operation", row["operation_id"], operation="Sprayer, kill crop")
    return f"passes {row['operation_id']}"


def pass_dropped(rng: Random, files: Files) -> str:
    row = _in_season(files, rng)
    drop(files, "operation", row["operation_id"])
    return f"passes {row['operation_id']}"


def equipment(rng: Random, files: Files) -> str:
    row = _in_season(files, rng)
    change(files, "operation", row["operation_id"], equipment="another implement")
    return f"operation records of unit {row['unit_id']}"


def harvested(rng: Random, files: Files) -> str:
    unit = rng.choice(UNITS)
    row = next(one for one in rows(files, "harvest") if one["harvest_id"] == f"{unit}-2025")
    change(files, "harvest", f"{unit}-2025", bushels=str(int(float(row["bushels"])) + rng.randint(10, 400)))
    return f"unit {unit}"


def moved_between_units(rng: Random, files: Files) -> str:
    giver, taker = rng.sample(UNITS, 2)
    amount = rng.randint(50, 500)
    held = {row["harvest_id"]: int(float(row["bushels"] or 0)) for row in rows(files, "harvest")}
    change(files, "harvest", f"{giver}-2025", bushels=str(held[f"{giver}-2025"] - amount))
    change(files, "harvest", f"{taker}-2025", bushels=str(held[f"{taker}-2025"] + amount))
    return f"unit {taker}"


def harvest_day(rng: Random, files: Files) -> str:
    unit = rng.choice(UNITS)
    row = next(one for one in rows(files, "harvest") if one["harvest_id"] == f"{unit}-2025")
    change(files, "harvest", f"{unit}-2025", last_day=later(row["last_day"], rng.randint(1, 5)))
    return f"unit {unit}"


def _set(kind: str, row: str, named: str, units: tuple[str, ...] = UNITS, **fields: Callable[[Random], str]) -> Apply:
    """Change cells of a row to what chance makes of them; "{}" stands for one of the units."""

    def apply(rng: Random, files: Files) -> str:
        unit = rng.choice(units) if "{}" in row else ""
        change(files, kind, row.format(unit), **{name: made(rng) for name, made in fields.items()})
        return named.format(unit)

    return apply


def _smaller(rng: Random) -> str:
    return str(rng.randint(3000, 4900))


COVER: Final = ("cover_crop", "N40-C1", "cover crop records of unit N40")
_CELLS: Final[dict[str, Apply]] = {
    "acres": _set("unit", "{}", "unit {}", acres=lambda rng: str(rng.randint(10, 20))),
    "run_ci": _set("calculator_run", "RUN-{}", "unit {}", ci_g_per_bu=_smaller),
    "run_practice": _set("calculator_run", "RUN-{}", "unit {}", ("E80", "M25"), tillage=lambda _: "no_till"),
    "run_county": _set("calculator_run", "RUN-{}", "unit {}", county_fips=lambda _: "20161"),
    "default_ci": _set(
        "national_default", "corn", "national default g per bu", ci_g_per_bu=lambda rng: str(rng.randint(9100, 9900))
    ),
    "cover_seeded": _set(*COVER, seeded_on=lambda rng: later("2024-10-08", rng.randint(-20, -1))),
    "cover_ended": _set(*COVER, terminated_on=lambda rng: later("2025-04-14", rng.randint(-9, -1))),
    "counted": _set(
        "bushel_total", "BT1", "bushel total records of the farm", bushels=lambda rng: str(46260 + rng.randint(1, 900))
    ),
    "reported": _set(
        "reported_acres", "FSA-corn", "reported acres records of the farm",
        acres=lambda rng: str(270 + rng.randint(1, 40)),
    ),
}  # fmt: skip
printout_ignored = _set("calculator_run", "RUN-{}", "run RUN-{}", ci_g_per_bu=_smaller)


def nitrogen(rng: Random, files: Files) -> str:
    row = _of(files, "nutrient_application", rng, n_lb_per_ac=True)
    amount = float(row["n_lb_per_ac"]) + rng.randint(1, 9)
    change(files, "nutrient_application", row["application_id"], n_lb_per_ac=str(amount))
    return f"unit {row['unit_id']}"


def nitrogen_day(rng: Random, files: Files) -> str:
    row = _of(files, "nutrient_application", rng)
    day = later(row["day"], rng.randint(1, 9))
    change(files, "nutrient_application", row["application_id"], day=day)
    return f"nutrient application records of unit {row['unit_id']}"


def nitrogen_dropped(rng: Random, files: Files) -> str:
    row = _of(files, "nutrient_application", rng)
    drop(files, "nutrient_application", row["application_id"])
    return f"nutrient application records of unit {row['unit_id']}"


def budget_day(rng: Random, files: Files) -> str:
    row = _of(files, "nutrient_budget", rng)
    change(files, "nutrient_budget", row["budget_id"], made_on=later(row["made_on"], -rng.randint(1, 30)))
    return f"unit {row['harvest_id'].partition('-')[0]}"


def planted(rng: Random, files: Files) -> str:
    row = _of(files, "planting", rng)
    change(files, "planting", row["planting_id"], planted_on=later(row["planted_on"], rng.randint(1, 4)))
    return f"unit {row['harvest_id'].partition('-')[0]}"


def declared(rng: Random, files: Files) -> str:
    unit = rng.choice(UNITS)
    found = next(one for one in rows(files, "declaration") if one["harvest_id"] == f"{unit}-2025")
    change(files, "declaration", f"{unit}-2025", made_on=later(found["made_on"], -rng.randint(30, 60)))
    return f"declaration records of unit {unit}"


def declaration_dropped(rng: Random, files: Files) -> str:
    unit = rng.choice(UNITS)
    drop(files, "declaration", f"{unit}-2025")
    return f"declaration records of unit {unit}"


def unit_hidden(rng: Random, files: Files) -> str:
    unit = rng.choice(("T30", "M25"))
    for kind in ("harvest", "calculator_run", "planting", "declaration", "nutrient_application", "nutrient_budget"):
        for row in rows(files, kind):
            first = next(iter(row))
            if row.get("harvest_id") == f"{unit}-2025" and any(one[first] == row[first] for one in rows(files, kind)):
                drop(files, kind, row[first])
    return f"unit {unit}"


def _picture(files: Files, name: str, edit: Callable[[Image.Exif], None]) -> bytes:
    with Image.open(io.BytesIO(files[evidence(name)])) as image:
        exif = image.getexif()
        edit(exif)
        out = io.BytesIO()
        image.save(out, "JPEG", exif=exif, quality=90)
    return out.getvalue()


def _photo_of(files: Files, unit: str) -> str:
    return next(row["file"] for row in rows(files, "evidence") if row["evidence_id"] == PHOTOS[unit])


def photo_place(rng: Random, files: Files) -> str:
    unit = rng.choice(tuple(PHOTOS))

    def move(exif: Image.Exif) -> None:
        gps = exif.get_ifd(0x8825)
        degrees, minutes, seconds = gps[2]
        gps[2] = (degrees, float(minutes) + rng.choice((3.0, 5.0)), seconds)

    name = _photo_of(files, unit)
    swap(files, name, _picture(files, name, move), PHOTOS[unit])
    return f"photograph {PHOTOS[unit]}"


def photo_day(rng: Random, files: Files) -> str:
    unit = rng.choice(tuple(PHOTOS))
    year = rng.choice(("2021", "2022", "2023"))

    def age(exif: Image.Exif) -> None:
        exif.get_ifd(0x8769)[0x9003] = f"{year}:11:06 10:00:00"
        exif.get_ifd(0x8825).pop(29, None)

    name = _photo_of(files, unit)
    swap(files, name, _picture(files, name, age), PHOTOS[unit])
    return f"photograph {PHOTOS[unit]}"


def photo_of_other_field(rng: Random, files: Files) -> str:
    unit = rng.choice(tuple(PHOTOS))
    other = next(name for name in PHOTOS if name != unit)
    swap(files, _photo_of(files, unit), files[evidence(_photo_of(files, other))], PHOTOS[unit])
    return f"photograph {PHOTOS[unit]}"


def evidence_swapped(rng: Random, files: Files) -> str:
    row = rng.choice([one for one in rows(files, "evidence") if one["file"].endswith(".txt")])
    files[evidence(row["file"])] += b"\nand 500 bushels more\n"
    return f"evidence {row['evidence_id']}"


def evidence_swapped_with_hash(rng: Random, files: Files) -> str:
    row = rng.choice([one for one in rows(files, "evidence") if one["file"].endswith(".txt")])
    swap(files, row["file"], files[evidence(row["file"])] + b"\nand 500 bushels more\n", row["evidence_id"])
    return f"evidence {row['evidence_id']}"


def evidence_dropped(rng: Random, files: Files) -> str:
    row = rng.choice(rows(files, "evidence"))
    del files[evidence(row["file"])]
    return f"evidence {row['evidence_id']}"


def evidence_dropped_with_record(rng: Random, files: Files) -> str:
    row = rng.choice([one for one in rows(files, "evidence") if one["file"].startswith("fsa")])
    del files[evidence(row["file"])]
    drop(files, "evidence", row["evidence_id"])
    return f"evidence {row['evidence_id']}"


def printout_forged(rng: Random, files: Files) -> str:
    unit = rng.choice(UNITS)
    old = next(row for row in rows(files, "calculator_run") if row["run_id"] == f"RUN-{unit}")["ci_g_per_bu"]
    new = str(rng.randint(3000, 4900))
    text = files[evidence("fdcic-example-corn.txt")].decode()
    lines = [line.replace(old, new) if line.startswith(unit) else line for line in text.splitlines()]
    swap(files, "fdcic-example-corn.txt", "\n".join(lines).encode(), "E-RUN-CORN")
    change(files, "calculator_run", f"RUN-{unit}", ci_g_per_bu=new)
    return "evidence E-RUN-CORN"


def _edited(field: str, named: str) -> Callable[[Random, Files], str]:
    def apply(rng: Random, files: Files) -> str:
        def edit(document: dict[str, Any]) -> None:
            document[field] = str(rng.randint(1, 4000))

        signed_by_forger(files, edit)
        return named

    return apply


def report_unit_ci(rng: Random, files: Files) -> str:
    unit = rng.choice(UNITS)

    def edit(document: dict[str, Any]) -> None:
        next(one for one in document["units"] if one["unit_id"] == unit)["ci_g_per_bu"] = "1234.00"

    signed_by_forger(files, edit)
    return f"unit {unit}"


def report_verdict(rng: Random, files: Files) -> str:
    def edit(document: dict[str, Any]) -> None:
        unit = rng.choice([one for one in document["units"] if one["unit_id"] in ("T30", "M25", "C60")])
        unit["credited"] = ["no_till", *unit["credited"]]

    signed_by_forger(files, edit)
    return "credited"


def report_producer(rng: Random, files: Files) -> str:
    signed_by_forger(files, lambda document: document["producer"].update(name=f"Nobody {rng.randint(1, 9)}"))
    return "producer name"


def attestation(rng: Random, files: Files) -> str:
    def edit(document: dict[str, Any]) -> None:
        rng.choice(document["attestation"])["text"] = "I promise nothing."

    signed_by_forger(files, edit)
    return "attestation"


def unsigned(rng: Random, files: Files) -> str:
    del rng
    files[REPORT] = canonical_json(json.loads(files[REPORT])["document"])
    return "report of BLUESTEM"


def signature_of_forger(rng: Random, files: Files) -> str:
    del rng
    signed_by_forger(files, lambda _: None)
    return f"signed with key {FORGER.fingerprint}"


def document_edited_under_signature(rng: Random, files: Files) -> str:
    envelope = json.loads(files[REPORT])
    envelope["document"]["total_bushels"] = str(rng.randint(50000, 60000))
    files[REPORT] = canonical_json(envelope)
    return "report of BLUESTEM"


def signature_damaged(rng: Random, files: Files) -> str:
    envelope = json.loads(files[REPORT])
    head, _, tail = envelope["signature"].partition("..")
    at = rng.randrange(10, 60)
    envelope["signature"] = f"{head}..{tail[:at]}{'A' if tail[at] != 'A' else 'B'}{tail[at + 1 :]}"
    files[REPORT] = canonical_json(envelope)
    return "report of BLUESTEM"


def second_report(rng: Random, files: Files) -> str:
    document = json.loads(files[REPORT])["document"]
    salt = sha256_hex(str(rng.random()).encode())[:32]
    document["edition"] |= {"salt": salt, "origin_id": origin_id(FARM, "corn", 2025, salt)}
    path = farm_path(FARM, Part.REPORTS, "corn-2025-again.json")
    files[path] = canonical_json(sign(document, FORGER, typ=TYP))
    return "report of BLUESTEM, corn 2025, version 1"


def version_of_nothing(rng: Random, files: Files) -> str:
    document = json.loads(files[REPORT])["document"]
    document["edition"] |= {"version": 2, "replaces": sha256_hex(str(rng.random()).encode())}
    path = farm_path(FARM, Part.REPORTS, "corn-2025-v2.json")
    files[path] = canonical_json(sign(document, FORGER, typ=TYP))
    return "version 2"


def report_dropped(rng: Random, files: Files) -> str:
    document = json.loads(files[REPORT])["document"]
    document["edition"] |= {"version": rng.randint(2, 4)}
    files[REPORT] = canonical_json(sign(document, FORGER, typ=TYP))
    return "replaces an earlier version"


BOTH: Final = ("report_differs:", "copy_differs:")
_PASSES: Final[tuple[Apply, ...]] = (
    depth, speed, pass_day, pass_name, pass_dropped, equipment, harvested, moved_between_units, harvest_day, nitrogen,
    nitrogen_day, nitrogen_dropped, budget_day, planted, declared, declaration_dropped,
)  # fmt: skip
_RECORDS: Final = {**{one.__name__: one for one in _PASSES}, **_CELLS}

TAMPERINGS: Final[tuple[Tampering, ...]] = (
    *(Tampering(name, one, BOTH) for name, one in _RECORDS.items()),
    *(Tampering(f"{name}, report remade", one, BOTH, remake=True) for name, one in _RECORDS.items()),
    Tampering("unit_hidden", unit_hidden, (*BOTH, "bushels_differ")),
    Tampering("photo_place", photo_place, ("photo_outside_field",)),
    Tampering("photo_day", photo_day, ("photo_outside_season", "photo_day_differs")),
    Tampering("photo_of_other_field", photo_of_other_field, ("photo_outside_field",)),
    Tampering("photo_place, report remade", photo_place, ("photo_outside_field",), remake=True),
    Tampering("evidence_swapped", evidence_swapped, ("evidence_swapped",)),
    Tampering("evidence_swapped_with_hash", evidence_swapped_with_hash, ("evidence_swapped",)),
    Tampering("evidence_swapped, report remade", evidence_swapped_with_hash, ("evidence_swapped",), remake=True),
    Tampering("evidence_dropped", evidence_dropped, ("evidence_missing",)),
    Tampering("evidence_dropped_with_record", evidence_dropped_with_record, ("evidence_record_missing",)),
    Tampering("printout_forged", printout_forged, ("evidence_swapped",)),
    Tampering("printout_forged, report remade", printout_forged, ("evidence_swapped",), remake=True),
    Tampering("printout_ignored", printout_ignored, ("printout_differs",)),
    Tampering("report_total", _edited("total_bushels", "total bushels"), BOTH),
    Tampering("report_ci", _edited("farm_ci_g_per_bu", "farm ci g per bu"), BOTH),
    Tampering("report_default", _edited("national_default_g_per_bu", "national default g per bu"), BOTH),
    Tampering("report_unit_ci", report_unit_ci, BOTH),
    Tampering("report_verdict", report_verdict, BOTH),
    Tampering("report_producer", report_producer, BOTH),
    Tampering("attestation", attestation, BOTH),
    Tampering("unsigned", unsigned, ("not_signed",)),
    Tampering("signature_of_forger", signature_of_forger, ("signed_with_other_key",)),
    Tampering("document_edited_under_signature", document_edited_under_signature, ("signature_signature_wrong",)),
    Tampering("signature_damaged", signature_damaged, ("signature_signature_wrong",)),
    Tampering("second_report", second_report, ("second_report",)),
    Tampering("version_of_nothing", version_of_nothing, ("version_chain_broken",)),
    Tampering("report_dropped", report_dropped, ("version_missing",)),
)
