"""What a house of the example chain, or somebody on the way, does to papers and to the lines of a book."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

from provender.audit.package.layout import Part, entity_path
from provender.custody.documents.build import TRANSFER
from provender.report.typ import TYP
from provender.signing.canonical import canonical_json
from provender.signing.jws import sign
from tests.audit.forge import FORGER, moved
from tests.audit.prairie import HouseFiles
from tests.audit.prairie_books import first_report


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
