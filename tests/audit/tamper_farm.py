"""Ways to tamper with a farm's package, each with what a verifier must be told by name."""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from PIL import Image

from provender.audit.package.layout import Part, farm_path
from provender.custody.model.lots import origin_id
from provender.report.typ import TYP
from provender.signing.canonical import canonical_json, sha256_hex
from provender.signing.jws import sign
from tests.audit.forge import FARM, FORGER, REPORT, Files, change, drop, evidence, rows, signed_by_forger, swap

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


def _in_season(files: Files, rng: Random, **wanted: bool) -> dict[str, str]:
    """Pick a pass that surely lies in the interval of the corn, with the cells named ``True`` filled in."""
    return rng.choice(
        [
            row
            for row in rows(files, "operation")
            if row["unit_id"] in UNITS
            and "2025-04-01" <= row["day"] <= "2025-09-01"
            and all(bool(row[name]) is there for name, there in wanted.items())
        ]
    )


def depth(rng: Random, files: Files) -> str:
    row = _in_season(files, rng, depth_in=True)
    change(
        files, "operation", row["operation_id"], depth_in=str(float(row["depth_in"]) / 2 + 0.125 * rng.randint(1, 3))
    )
    return f"passes {row['operation_id']}"


def pass_dropped(rng: Random, files: Files) -> str:
    row = _in_season(files, rng)
    drop(files, "operation", row["operation_id"])
    return f"passes {row['operation_id']}"


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


def run_ci(rng: Random, files: Files) -> str:
    unit = rng.choice(UNITS)
    change(files, "calculator_run", f"RUN-{unit}", ci_g_per_bu=str(rng.randint(3000, 4900)))
    return f"unit {unit}"


def printout_ignored(rng: Random, files: Files) -> str:
    return f"run RUN-{run_ci(rng, files).removeprefix('unit ')}"


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


def _in_report(named: str, edit: Callable[[Random, dict[str, Any]], object]) -> Apply:
    """Edit the report, which the forger signs."""

    def apply(rng: Random, files: Files) -> str:
        signed_by_forger(files, lambda document: edit(rng, document))
        return named

    return apply


def _edited(field: str) -> Apply:
    return _in_report(
        field.replace("_", " "), lambda rng, document: document.update({field: str(rng.randint(1, 4000))})
    )


def report_unit_ci(rng: Random, files: Files) -> str:
    unit = rng.choice(UNITS)

    def edit(document: dict[str, Any]) -> None:
        next(one for one in document["units"] if one["unit_id"] == unit)["ci_g_per_bu"] = "1234.00"

    signed_by_forger(files, edit)
    return f"unit {unit}"


def _verdict(rng: Random, document: dict[str, Any]) -> None:
    unit = rng.choice([one for one in document["units"] if one["unit_id"] in ("T30", "M25", "C60")])
    unit["credited"] = ["no_till", *unit["credited"]]


report_verdict = _in_report("credited", _verdict)
report_producer = _in_report(
    "producer name", lambda rng, document: document["producer"].update(name=f"Nobody {rng.randint(1, 9)}")
)
attestation = _in_report(
    "attestation", lambda rng, document: rng.choice(document["attestation"]).update(text="I promise nothing.")
)


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


def _of_edition(files: Files, name: str, **edition: object) -> None:
    """Put the report into a file of reports with another edition, signed by the forger."""
    document = json.loads(files[REPORT])["document"]
    document["edition"] |= edition
    files[farm_path(FARM, Part.REPORTS, name)] = canonical_json(sign(document, FORGER, typ=TYP))


def second_report(rng: Random, files: Files) -> str:
    salt = sha256_hex(str(rng.random()).encode())[:32]
    _of_edition(files, "corn-2025-again.json", salt=salt, origin_id=origin_id(FARM, "corn", 2025, salt))
    return "report of BLUESTEM, corn 2025, version 1"


def version_of_nothing(rng: Random, files: Files) -> str:
    _of_edition(files, "corn-2025-v2.json", version=2, replaces=sha256_hex(str(rng.random()).encode()))
    return "version 2"


def opening_of_nothing(rng: Random, files: Files) -> str:
    path = farm_path(FARM, Part.REPORTS, f"corn-{rng.randint(2020, 2024)}-v1.leaves.json")
    files[path] = b"{}"
    return path


def report_dropped(rng: Random, files: Files) -> str:
    _of_edition(files, "corn-2025-v1.json", version=rng.randint(2, 4))
    return "replaces an earlier version"


BOTH: Final = ("report_differs:", "copy_differs:")


RECORDS: Final[tuple[Apply, ...]] = (depth, pass_dropped, harvested, moved_between_units, run_ci)
"""Every other cell of every row: ``tests.audit.mutation``."""
TAMPERINGS: Final[tuple[Tampering, ...]] = (
    *(Tampering(one.__name__, one, BOTH) for one in RECORDS),
    *(Tampering(f"{one.__name__}, report remade", one, BOTH, remake=True) for one in RECORDS),
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
    Tampering("report_total", _edited("total_bushels"), BOTH),
    Tampering("report_ci", _edited("farm_ci_g_per_bu"), BOTH),
    Tampering("report_default", _edited("national_default_g_per_bu"), BOTH),
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
    Tampering("opening_of_nothing", opening_of_nothing, ("leaves_unreadable",)),
    Tampering("report_dropped", report_dropped, ("version_missing",)),
)
