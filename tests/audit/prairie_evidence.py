"""What a farm of the example chain does to photographs, boundaries, papers and printouts, and what must be named."""

import io
import json
from collections.abc import Callable

from PIL import Image

from tests.audit.prairie import FarmFiles


def _photo(farm: FarmFiles) -> dict[str, str]:
    return farm.pick("evidence", what="photograph")


def _picture(farm: FarmFiles, row: dict[str, str], edit: Callable[[Image.Exif], None]) -> bytes:
    with Image.open(io.BytesIO(farm.files[farm.evidence(row["file"])])) as image:
        exif = image.getexif()
        edit(exif)
        out = io.BytesIO()
        image.save(out, "JPEG", exif=exif, quality=80)
    return out.getvalue()


def photo_place(farm: FarmFiles) -> str:
    row = _photo(farm)

    def move(exif: Image.Exif) -> None:
        gps = exif.get_ifd(0x8825)
        degrees, minutes, seconds = gps[2]
        gps[2] = (degrees, (float(minutes) + farm.rng.choice((3, 57))) % 60, seconds)

    farm.swap(row, _picture(farm, row, move))
    return f"photograph {row['evidence_id']}"


def photo_day(farm: FarmFiles) -> str:
    row = _photo(farm)

    def age(exif: Image.Exif) -> None:
        exif.get_ifd(0x8769)[0x9003] = f"{farm.rng.randint(2019, 2023)}:11:06 10:00:00"

    farm.swap(row, _picture(farm, row, age))
    return f"photograph {row['evidence_id']}"


def boundary_moved(farm: FarmFiles) -> str:
    row = _photo(farm)
    unit = farm.pick("unit", unit_id=row["unit_id"])
    path = farm.path("unit").replace("unit.csv", f"boundaries/{unit['boundary']}")
    shape = json.loads(farm.files[path])
    (ring,) = shape["geometry"]["coordinates"]
    shape["geometry"]["coordinates"] = [[[x + 0.03, y] for x, y in ring]]
    farm.files[path] = json.dumps(shape).encode()
    return f"photograph {row['evidence_id']}"


def _text_evidence(farm: FarmFiles) -> dict[str, str]:
    return farm.rng.choice([one for one in farm.rows("evidence") if one["file"].endswith(".txt")])


def evidence_swapped(farm: FarmFiles) -> str:
    row = _text_evidence(farm)
    farm.files[farm.evidence(row["file"])] += b"\nand 500 bushels more\n"
    return f"evidence {row['evidence_id']}"


def evidence_swapped_with_hash(farm: FarmFiles) -> str:
    row = _text_evidence(farm)
    farm.swap(row, farm.files[farm.evidence(row["file"])] + b"\nand 500 bushels more\n")
    return f"evidence {row['evidence_id']}"


def evidence_dropped(farm: FarmFiles) -> str:
    row = farm.pick("evidence")
    del farm.files[farm.evidence(row["file"])]
    return f"evidence {row['evidence_id']}"


def evidence_dropped_with_record(farm: FarmFiles) -> str:
    row = farm.rng.choice([one for one in farm.rows("evidence") if one["file"].startswith("fsa")])
    del farm.files[farm.evidence(row["file"])]
    farm.drop("evidence", row)
    return f"evidence {row['evidence_id']}"


def printout_forged(farm: FarmFiles) -> str:
    run = farm.pick("calculator_run")
    row = farm.pick("evidence", evidence_id=run["evidence"])
    new, text = str(farm.rng.randint(3000, 4900)), farm.files[farm.evidence(row["file"])].decode()
    lines = [
        line.replace(run["ci_g_per_bu"], new) if line.startswith(f"{run['unit_id']} ") else line
        for line in text.splitlines()
    ]
    farm.swap(row, "\n".join(lines).encode())
    farm.change("calculator_run", run, ci_g_per_bu=new)
    return f"evidence {row['evidence_id']}"


def printout_ignored(farm: FarmFiles) -> str:
    run = farm.pick("calculator_run")
    farm.change("calculator_run", run, ci_g_per_bu=str(farm.rng.randint(3000, 4900)))
    return f"run {run['run_id']}"
