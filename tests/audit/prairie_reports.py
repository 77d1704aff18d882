"""What is done to the signed reports of a farm of the example chain, and what must be named."""

import json
from collections.abc import Callable
from typing import Any

from provender.audit.package.layout import Part, farm_path
from provender.custody.model.origins import origin_id
from provender.demo.parties import demo_key
from provender.signing.canonical import canonical_json, sha256_hex
from tests.audit.forge import FORGER, moved
from tests.audit.prairie import FarmFiles


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
    farm.sign(
        farm_path(farm.farm, Part.REPORTS, f"{document['crop']}-v{version}.json"),
        document,
        demo_key(farm.farm),
    )
    return f"version {version}"
