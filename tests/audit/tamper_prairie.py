"""Ways to tamper with the packages of the example chain, each with what a verifier must be told by name."""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any, Final

from PIL import Image

from provender.audit.package.layout import Part, entity_path, farm_path
from provender.custody.documents.build import PERIOD, TRANSFER
from provender.custody.model.origins import origin_id
from provender.demo.parties import demo_key
from provender.report.typ import TYP
from provender.signing.canonical import canonical_json, sha256_hex
from provender.signing.jws import sign
from tests.audit.forge import FORGER, Files, later, moved
from tests.audit.prairie import (
    CRUSHER,
    ELEVATOR,
    AuditFiles,
    FarmFiles,
    HouseFiles,
    Party,
    audit_party,
    farm_party,
    house_party,
    verify,
)

# What a house of the example chain does to its own book, and what must be named.

OR: Final = " or "
"""Of several things, one is enough."""


def sold_less(house: HouseFiles) -> str:
    sale = house.pick("sale", giver=house.house)
    name = "bushels" if "bushels" in sale else "pounds"
    sale[name] = moved(sale[name], f"-{house.rng.randint(5, 900)}")
    return f"transfer document {sale['id']} of {house.house}"


def sold_on_another_day(house: HouseFiles) -> str:
    sale = house.pick("sale", giver=house.house)
    sale["day"] = later(sale["day"], house.rng.choice((-1, 1)))
    return str(sale["id"])


def lot_border(house: HouseFiles) -> str:
    slip = house.rng.choice([one for one in house.of("slip") if len(one["spans"]) == 1])
    (span,) = slip["spans"]
    by = house.rng.randint(1, 400)
    slip["spans"] = [[moved(span[0], str(by)), moved(span[1], str(by))]]
    return f"sale slip {slip['id']} of {slip['giver']}"


def moved_between_farms(house: HouseFiles) -> str:
    giver, taker = house.rng.sample([one for one in house.of("slip") if len(one["spans"]) == 1], 2)
    by = house.rng.randint(10, 400)
    for slip, change in ((giver, f"-{by}"), (taker, str(by))):
        slip["spans"] = [[slip["spans"][0][0], moved(slip["spans"][0][1], change)]]
        for bought in house.of("purchase", slip=slip["id"]):
            last = bought["tickets"][-1]
            last["bushels"] = moved(last["bushels"], change)
    return f"sale slip {giver['id']} of {giver['giver']}"


def first_report(house: HouseFiles) -> dict[str, Any]:
    return house.rng.choice([one for one in house.of("report") if one.get("version", 1) == 1])


def ci_of_farm(house: HouseFiles) -> str:
    report = first_report(house)
    report["ci"] = f"{house.rng.randint(4000, 5000)}.5"
    return f"report of {report['entity']}, {report['crop']}"


def bushels_of_farm(house: HouseFiles) -> str:
    report = first_report(house)
    report["bushels"] = moved(report["bushels"], str(house.rng.randint(1, 900)))
    return f"report of {report['entity']}, {report['crop']}"


def loss_hidden(house: HouseFiles) -> str:
    loss = house.pick("loss")
    name = "bushels" if "bushels" in loss else "pounds"
    loss[name] = str(Decimal(loss[name]) / 2 // 1)
    quarter = f"{loss['day'][:4]}-{(int(loss['day'][5:7]) - 1) // 3 * 3 + 1:02}-01"
    return f"{house.house}/{quarter}"


def period_border(house: HouseFiles) -> str:
    first, after = house.rng.choice(list(zip(house.of("period"), house.of("period")[1:], strict=False)))
    first["end_day"] = later(first["end_day"], -house.rng.randint(1, 9))
    return f"period {after['id']}"


def close_dropped(house: HouseFiles) -> str:
    house.events.remove(house.pick("close"))
    return f"period statement {house.house}/2026-"


def slip_dropped(house: HouseFiles) -> str:
    slip = house.pick("slip")
    house.events.remove(slip)
    return str(slip["id"])


def sale_dropped(house: HouseFiles) -> str:
    sale = house.pick("sale", giver=house.house)
    house.events.remove(sale)
    return str(sale["id"])


def crushing_yield(house: HouseFiles) -> str:
    rate = house.pick("yield")
    rate["rate"] = moved(rate["rate"], f"0.{house.rng.randint(11, 40)}")
    sold = [one for one in house.of("sale", giver=house.house) if rate["start_day"] <= one["day"] <= rate["end_day"]]
    return f"transfer document {sold[0]['id']} of {house.house}"


def crushed_more(house: HouseFiles) -> str:
    run = house.pick("process")
    run["bushels"] = moved(run["bushels"], str(-house.rng.randint(10, 900)))
    quarter = f"{run['day'][:4]}-{(int(run['day'][5:7]) - 1) // 3 * 3 + 1:02}-01"
    after = [one["id"] for one in house.of("sale", giver=house.house) if one["day"] >= run["day"]]
    papers = [f"transfer document {name} of {house.house}" for name in after]
    return OR.join([f"{house.house}/{quarter}", *papers])


def received_lower_ci(house: HouseFiles) -> str:
    letter = house.pick("document", giver=ELEVATOR)
    house.rng.choice(letter["lines"])["ci"] = str(house.rng.randint(3000, 4900))
    return f"transfer document {letter['number']} of {ELEVATOR}"


def received_less(house: HouseFiles) -> str:
    letter = house.pick("document", giver=ELEVATOR)
    line = max(letter["lines"], key=lambda one: Decimal(one["bushels"]))
    line["bushels"] = moved(line["bushels"], f"-{house.rng.randint(1, 50)}")
    return f"transfer document {letter['number']} of {ELEVATOR}"


# What a farm of the example chain changes in its records, each with what a verifier must be told by name.


def _grown(farm: FarmFiles, unit: str) -> dict[str, str]:
    return farm.pick("harvest", harvest_id=f"{unit}-2025")


def depth(farm: FarmFiles) -> str:
    row = farm.rng.choice([one for one in farm.rows("operation") if one["day"] >= "2025-04-01"])
    farm.change("operation", row, depth_in=moved(row["depth_in"], "0.5"))
    return f"passes {row['operation_id']}"


def pass_date(farm: FarmFiles) -> str:
    row = farm.rng.choice([one for one in farm.rows("operation") if "2025-04-01" <= one["day"] <= "2025-09-01"])
    farm.change("operation", row, day=later(row["day"], farm.rng.choice((-3, 2))))
    return f"passes {row['operation_id']}"


def pass_dropped(farm: FarmFiles) -> str:
    row = farm.rng.choice([one for one in farm.rows("operation") if "2025-04-01" <= one["day"] <= "2025-09-01"])
    farm.drop("operation", row)
    return f"passes {row['operation_id']}"


def bushels(farm: FarmFiles) -> str:
    unit = farm.pick("calculator_run")["unit_id"]
    row = _grown(farm, unit)
    farm.change("harvest", row, bushels=moved(row["bushels"], str(farm.rng.randint(10, 300))))
    return f"unit {unit}"


def moved_between_units(farm: FarmFiles) -> str:
    grown = [one for one in farm.rows("harvest") if one["bushels"]]
    if len(grown) == 1:
        return bushels(farm)
    giver, taker = farm.rng.sample(grown, 2)
    amount = farm.rng.randint(50, 300)
    farm.change("harvest", giver, bushels=moved(giver["bushels"], f"-{amount}"))
    farm.change("harvest", taker, bushels=moved(taker["bushels"], str(amount)))
    return f"unit {taker['unit_id']}"


def harvest_date(farm: FarmFiles) -> str:
    unit = farm.pick("calculator_run")["unit_id"]
    row = _grown(farm, unit)
    farm.change("harvest", row, last_day=later(row["last_day"], farm.rng.randint(1, 5)))
    return f"unit {unit}"


def acres(farm: FarmFiles) -> str:
    row = farm.pick("unit")
    farm.change("unit", row, acres=moved(row["acres"], "7"))
    return f"unit {row['unit_id']}"


def run_ci(farm: FarmFiles) -> str:
    row = farm.pick("calculator_run")
    farm.change("calculator_run", row, ci_g_per_bu=str(farm.rng.randint(3000, 4900)))
    return f"unit {row['unit_id']}"


def run_practice(farm: FarmFiles) -> str:
    row = farm.pick("calculator_run")
    farm.change("calculator_run", row, n_timing="split_in_season")
    return f"unit {row['unit_id']}"


def run_county(farm: FarmFiles) -> str:
    row = farm.pick("calculator_run")
    farm.change("calculator_run", row, county_fips="20001")
    return f"unit {row['unit_id']}"


def national_default(farm: FarmFiles) -> str:
    row = farm.pick("national_default")
    farm.change("national_default", row, ci_g_per_bu=str(farm.rng.randint(9100, 9900)))
    return "national default g per bu"


def planted(farm: FarmFiles) -> str:
    row = farm.pick("planting")
    farm.change("planting", row, planted_on=later(row["planted_on"], farm.rng.randint(1, 4)))
    return f"unit {row['harvest_id'].partition('-')[0]}"


def declared(farm: FarmFiles) -> str:
    row = farm.pick("declaration")
    farm.change("declaration", row, made_on=later(row["made_on"], -farm.rng.randint(20, 60)))
    whose = f"of unit {row['harvest_id'].partition('-')[0]}"
    return f"declaration {row['harvest_id']} {whose}{OR}declaration records {whose}"


def counted(farm: FarmFiles) -> str:
    row = farm.pick("bushel_total")
    farm.change("bushel_total", row, bushels=moved(row["bushels"], str(farm.rng.randint(20, 900))))
    return f"bushel total {row['total_id']} of the farm{OR}bushel total records of the farm"


def reported_acres(farm: FarmFiles) -> str:
    row = farm.pick("reported_acres")
    farm.change("reported_acres", row, acres=moved(row["acres"], "11"))
    return f"reported acres {row['report_id']} of the farm{OR}reported acres records of the farm"


# What a house of the example chain, or somebody on the way, does to papers and to the lines of a book.


def forged_paper(kind: str, field: str, value: Callable[[Random, str], str]) -> Callable[[HouseFiles], str]:
    def apply(house: HouseFiles) -> str:
        path, envelope = house.rng.choice(sorted(house.papers(kind).items()))
        document = envelope["document"]
        house.forge(path, **{field: value(house.rng, str(document[field]))})
        return f"{document['number']} of {house.house}"

    apply.__name__ = f"{'transfer' if kind == TRANSFER else 'period'}_{field}_forged"
    return apply


def slip_forged(house: HouseFiles) -> str:
    slip = house.pick("slip")
    path = house.paper_of(slip["id"])
    span = json.loads(house.files[path])["document"]["spans"]
    house.forge(path, spans=[[one[0], moved(one[1], "90")] if isinstance(one, list) else one for one in span])
    return f"sale slip {slip['id']} of {slip['giver']}"


def paper_dropped(house: HouseFiles) -> str:
    kind = house.rng.choice(("slip", "sale")) if house.of("slip") else "document"
    event = house.pick(kind)
    del house.files[house.paper_of(event["number"] if kind == "document" else event["id"])]
    return str(event["number"] if kind == "document" else event["id"])


def report_dropped(house: HouseFiles) -> str:
    report = first_report(house)
    del house.files[house.paper_of(f"{report['entity']}-{report['crop']}-v1")]
    return f"report of {report['entity']}, {report['crop']}"


def farm_report_forged(house: HouseFiles) -> str:
    report = first_report(house)
    path = house.paper_of(f"{report['entity']}-{report['crop']}-v1")
    document = json.loads(house.files[path])["document"] | {"farm_ci_g_per_bu": str(house.rng.randint(3000, 4000))}
    house.files[path] = (
        canonical_json(json.loads(house.files[path]) | {"document": document})
        if house.rng.random() < 0.5
        else _signed(document)
    )
    return f"report of {report['entity']}, {report['crop']} 2025, version 1"


def _signed(document: dict[str, Any]) -> bytes:
    return canonical_json(sign(document, FORGER, typ=TYP))


def line_dropped(house: HouseFiles) -> str:
    path = entity_path(house.house, Part.BOOK)
    lines = house.files[path].decode().splitlines()
    at = house.rng.randrange(1, len(lines) - 1)
    del lines[at]
    house.files[path] = "\n".join([*lines, ""]).encode()
    return f"line {at + 1}"


# What is done to the signed reports of a farm of the example chain, and what must be named.


def _report(farm: FarmFiles) -> tuple[str, dict[str, Any], str]:
    path, envelope = farm.rng.choice(sorted(farm.reports().items()))
    document = envelope["document"]
    return path, document, f"report of {farm.farm}, {document['crop']} 2025, version {document['edition']['version']}"


def edited(field: str) -> Callable[[FarmFiles], str]:
    def apply(farm: FarmFiles) -> str:
        path, document, name = _report(farm)
        farm.sign(path, document | {field: str(farm.rng.randint(1, 4000))})
        return f"{name}: {field.replace('_', ' ')}"

    apply.__name__ = f"report_{field}"
    return apply


def verdict_in_report(farm: FarmFiles) -> str:
    path, document, name = _report(farm)
    unit = farm.rng.choice(document["units"])
    unit["credited"] = ["split_in_season", *unit["credited"]]
    farm.sign(path, document)
    return f"{name}: unit {unit['unit_id']} credited"


def producer_renamed(farm: FarmFiles) -> str:
    path, document, name = _report(farm)
    document["producer"]["name"] = f"Nobody {farm.rng.randint(1, 9)}"
    farm.sign(path, document)
    return f"{name}: producer name"


def attestation_reworded(farm: FarmFiles) -> str:
    path, document, name = _report(farm)
    farm.rng.choice(document["attestation"])["text"] = "I promise nothing."
    farm.sign(path, document)
    return f"{name}: attestation"


def signature_of_forger(farm: FarmFiles) -> str:
    path, document, _ = _report(farm)
    farm.sign(path, document)
    return f"signed with key {FORGER.fingerprint}"


def signature_taken_off(farm: FarmFiles) -> str:
    path, document, name = _report(farm)
    farm.files[path] = canonical_json(document)
    return name


def edited_under_signature(farm: FarmFiles) -> str:
    path, document, name = _report(farm)
    envelope = json.loads(farm.files[path])
    envelope["document"]["total_bushels"] = moved(document["total_bushels"], "100")
    farm.files[path] = canonical_json(envelope)
    return name


def second_report(farm: FarmFiles) -> str:
    _, document, name = _report(farm)
    salt = sha256_hex(str(farm.rng.random()).encode())[:32]
    document["edition"] |= {"salt": salt, "origin_id": origin_id(farm.farm, document["crop"], 2025, salt)}
    farm.sign(farm_path(farm.farm, Part.REPORTS, f"{document['crop']}-again.json"), document, demo_key(farm.farm))
    return name


def version_of_nothing(farm: FarmFiles) -> str:
    _, document, _ = _report(farm)
    version = document["edition"]["version"] + 1
    document["edition"] |= {"version": version, "replaces": sha256_hex(str(farm.rng.random()).encode())}
    farm.sign(farm_path(farm.farm, Part.REPORTS, f"{document['crop']}-v{version}.json"), document, demo_key(farm.farm))
    return f"version {version}"


# What an elevator of the example chain does to the list of its farms and to the draw, and what must be named.


def farm_left_out(audit: AuditFiles) -> str:
    farm = audit.rng.choice([one["farm_id"] for one in audit.sample["population"]])
    audit.draw([row for row in audit.sample["population"] if row["farm_id"] != farm])
    return f"{farm}, "


def amount_listed_lower(audit: AuditFiles) -> str:
    row = audit.rng.choice(audit.sample["population"])
    row["bushels"] = moved(row["bushels"], "-100")
    audit.draw(audit.sample["population"])
    return f"{row['farm_id']}, {row['crop']}"


def other_county(audit: AuditFiles) -> str:
    farm = audit.rng.choice(audit.sample["sample"])
    rows = [row | {"county_fips": "20001"} if row["farm_id"] == farm else row for row in audit.sample["population"]]
    audit.draw(rows)
    return f"{farm}, "


def drawn_farm_exchanged(audit: AuditFiles) -> str:
    out = audit.rng.choice(audit.sample["sample"])
    others = sorted({row["farm_id"] for row in audit.sample["population"]} - set(audit.sample["sample"]))
    audit.sample["sample"] = sorted({*audit.sample["sample"], audit.rng.choice(others)} - {out})
    audit.write()
    return "audit/sample.json, sample"


def drawn_farm_not_packed(audit: AuditFiles) -> str:
    farm = audit.rng.choice(audit.sample["sample"])
    audit.without(farm)
    return f"records of {farm}."


# What a farm of the example chain does to photographs, boundaries, papers and printouts, and what must be named.


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


# Every way to tamper with the packages of the example chain, and whether verification named it.

OfFarm = Callable[[FarmFiles], str]
OfHouse = Callable[[HouseFiles], str]
"""Changes the files and returns what a difference must name; of several things, one (``OR``) is enough."""
SHOWN: Final = 2000
"""Letters of what verification said instead, where a tampering was not named."""
AUDIT: Final = "audit"
"""The whole audit as one package."""


@dataclass(frozen=True)
class Tampering:
    """One way to tamper.

    Attributes:
        apply: the change.
        codes: what the code of the naming difference begins with.
        house: whose package; empty for a farm's.
        remake: what the changed records or book give is made anew and signed: by a farm with the key of its choice, by
            a house with its own; copies in other hands still tell.
        sealed: the book is sealed again after the change.
    """

    apply: Any
    codes: tuple[str, ...]
    house: str = ""
    remake: bool = False
    sealed: bool = True

    @property
    def name(self) -> str:
        """Return what it is called."""
        whose = self.house or "a farm"
        return f"{self.apply.__name__.strip('_')} of {whose}{', papers made again' if self.remake else ''}"


BOTH: Final = ("report_differs:", "copy_differs:")
RECORDS: Final = (*BOTH, "record_changed:")
"""A row is named itself where the farm's leaves open the roots; papers made again are held against what others hold."""
PHOTO: Final = ("photo_outside_field", "photo_outside_season", "photo_day_differs")
BOOK: Final = ("book_", "transfer_differs", "slip_differs", "balance_differs", "copies_differ", "signed_with_other_key")
FARM: Final = (
    "wrong_ci_of_farm", "wrong_bushels_of_farm", "report_", "other_report", "signed_with", "signature_", "copy",
)  # fmt: skip
RECEIVED: Final = ("booked_otherwise", "book_", "document_not_booked")
"""A line of few bushels falls below none, and the book cannot take the document in at all."""
_RECORDS: Final[tuple[OfFarm, ...]] = (
    depth, pass_date, pass_dropped, bushels, moved_between_units, harvest_date, acres, run_ci, run_practice,
    run_county, national_default, planted, declared, counted, reported_acres,
)  # fmt: skip
_BOOKS: Final[tuple[tuple[OfHouse, tuple[str, ...], str], ...]] = (
    (sold_less, BOOK, ELEVATOR), (sold_on_another_day, BOOK, ELEVATOR), (lot_border, BOOK, ELEVATOR),
    (moved_between_farms, BOOK, ELEVATOR), (ci_of_farm, FARM, ELEVATOR), (bushels_of_farm, FARM, ELEVATOR),
    (period_border, ("book_",), ELEVATOR), (close_dropped, BOOK, ELEVATOR), (slip_dropped, BOOK, ELEVATOR),
    (sale_dropped, BOOK, ELEVATOR), (crushing_yield, BOOK, CRUSHER), (crushed_more, BOOK, CRUSHER),
    (received_lower_ci, RECEIVED, CRUSHER), (received_less, RECEIVED, CRUSHER), (sold_less, BOOK, CRUSHER),
)  # fmt: skip

TAMPERINGS: Final[tuple[Tampering, ...]] = (
    *(Tampering(one, RECORDS) for one in _RECORDS),
    *(Tampering(one, BOTH, remake=True) for one in _RECORDS),
    *(Tampering(one, PHOTO) for one in (photo_place, photo_day, boundary_moved)),
    *(Tampering(one, PHOTO, remake=True) for one in (photo_place, photo_day)),
    Tampering(evidence_swapped, ("evidence_swapped",)),
    Tampering(evidence_swapped_with_hash, ("evidence_swapped",)),
    Tampering(evidence_swapped_with_hash, ("evidence_swapped",), remake=True),
    Tampering(evidence_dropped, ("evidence_missing",)),
    Tampering(evidence_dropped_with_record, ("evidence_record_missing",)),
    Tampering(printout_forged, ("evidence_swapped",)),
    Tampering(printout_forged, ("evidence_swapped",), remake=True),
    Tampering(printout_ignored, ("printout_differs",)),
    *(Tampering(edited(name), BOTH) for name in ("total_bushels", "farm_ci_g_per_bu", "total_acres")),
    *(Tampering(one, BOTH) for one in (verdict_in_report, producer_renamed, attestation_reworded)),
    Tampering(signature_of_forger, ("signed_with_other_key",)),
    Tampering(signature_taken_off, ("not_signed",)),
    Tampering(edited_under_signature, ("signature_signature_wrong",)),
    Tampering(second_report, ("second_report",)),
    Tampering(version_of_nothing, ("version_chain_broken",)),
    *(Tampering(one, codes, house) for one, codes, house in _BOOKS),
    *(Tampering(one, codes, house, remake=True) for one, codes, house in _BOOKS),
    Tampering(loss_hidden, BOOK, ELEVATOR),
    Tampering(forged_paper(TRANSFER, "title_date", lambda _, day: later(day, 1)), ("signed_with",), ELEVATOR),
    Tampering(forged_paper(TRANSFER, "crop_used_bu", lambda _, text: moved(text, "9")), BOOK, ELEVATOR),
    Tampering(forged_paper(PERIOD, "end", lambda _, day: later(day, -2)), BOOK, ELEVATOR),
    Tampering(slip_forged, ("slip_differs", "signed_with"), ELEVATOR),
    Tampering(paper_dropped, ("paper_missing",), ELEVATOR),
    Tampering(paper_dropped, ("paper_missing",), CRUSHER),
    Tampering(report_dropped, ("report_not_kept",), ELEVATOR),
    Tampering(farm_report_forged, FARM, ELEVATOR),
    *(Tampering(one, ("population_differs",), AUDIT) for one in (farm_left_out, amount_listed_lower, other_county)),
    Tampering(drawn_farm_exchanged, ("sample_differs",), AUDIT),
    Tampering(drawn_farm_not_packed, ("part_missing",), AUDIT),
    Tampering(line_dropped, ("book_seal",), ELEVATOR, sealed=False),
    Tampering(line_dropped, ("book_seal",), CRUSHER, sealed=False),
)


def forged(folder: Path, tampering: Tampering, farms: tuple[str, ...], seed: str) -> str:
    """Tamper as told, verify, and return what verification failed to say; empty when it named everything."""
    party, named, files = _tampered(folder, tampering, farms, Random(seed))
    found = verify(folder, party, files, held=tampering.remake)
    told = [str(one) for one in found.differences if one.code.startswith(tampering.codes)]
    if any(name in text for name in named.split(OR) for text in told):
        return ""
    what = f"{tampering.name} ({party.name}), seed {seed!r}: {named[:SHOWN]!r} of {tampering.codes}"
    return f"{what} is not in:\n{found.text[:SHOWN]}"


def _tampered(folder: Path, tampering: Tampering, farms: tuple[str, ...], rng: Random) -> tuple[Party, str, Files]:
    if tampering.house == AUDIT:
        party = audit_party(folder, farms)
        audit = AuditFiles(dict(party.files), rng)
        return party, tampering.apply(audit), audit.files
    if not tampering.house:
        party = farm_party(folder, rng.choice(farms))
        farm = FarmFiles(party.name, dict(party.files), rng)
        named = tampering.apply(farm)
        if tampering.remake:
            farm.remake(rng.choice((FORGER, demo_key(party.name))))
        return party, named, farm.files
    party = house_party(folder, tampering.house)
    house = HouseFiles(tampering.house, dict(party.files), rng)
    named = tampering.apply(house)
    if tampering.sealed:
        house.seal()
    if tampering.remake:
        house.remake()
    return party, named, house.files
