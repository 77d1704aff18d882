"""A farm that changed its key between harvest and report: the package with what its keys said of that."""

import json
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from provender.audit.package.layout import KEY_STATEMENTS
from provender.demo.parties import demo_key
from provender.report.typ import TYP
from provender.report.versions import ENDING
from provender.signing.canonical import canonical_json
from provender.signing.jws import ROTATION, countersign, rotate, sign
from provender.signing.keys import SigningKey
from tests.audit.prairie import Party, farm_party

NEW: Final = demo_key("a second key of a farm")
ROTATED: Final = f"{KEY_STATEMENTS}rotation.json"


def rotated_party(folder: Path, farm: str) -> Party:
    """Return a farm's package whose reports its second key signed, with the rotation."""
    party = farm_party(folder, farm)
    files = {path: _signed(path, raw) for path, raw in party.files.items()}
    held = {path: _signed(path, raw) for path, raw in party.held.items()}
    first = min(_made_on(files))
    files[ROTATED] = canonical_json(rotate(demo_key(farm), NEW, on=first - timedelta(days=1)))
    return Party(party.name, files, party.header, held)


def _signed(path: str, raw: bytes) -> bytes:
    if not _is_report(path, raw):
        return raw
    return canonical_json(sign(json.loads(raw)["document"], NEW, typ=TYP))


def _is_report(path: str, raw: bytes) -> bool:
    return path.endswith(".json") and not path.endswith(ENDING) and b'"biofuel-feedstock-report"' in raw


def _made_on(files: dict[str, bytes]) -> Iterable[date]:
    for path, raw in files.items():
        if "/reports/" in path and _is_report(path, raw):
            yield date.fromisoformat(json.loads(raw)["document"]["made_on"])


def signed_again(document: dict[str, Any], key: SigningKey) -> bytes:
    """Return a changed rotation, signed by one key in the place of the old one, and by the new one."""
    return canonical_json(countersign(sign(document, key, typ=ROTATION), NEW, on=date(2027, 1, 1), role="takes over"))
