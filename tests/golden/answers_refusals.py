"""How the API refuses: events, edits of records, and bodies with nothing in them. Whatever was written is undone."""

import json
import re
from typing import Any, Final

from django.db import transaction

from tests.custody.world import Event
from tests.golden.answers_api import without_keys
from tests.golden.world import World

SALE: Final = {"giver": "mill", "taker": "elevator", "crop": "soybeans", "bushels": "10", "site": "north"}
REFUSED: Final[list[Event]] = [
    {"type": "gift", "id": "x"},
    {"type": "sale"},
    {"type": "sale", "id": "x", "day": "2026-11-20", **SALE, "colour": "red"},
    *(
        {"type": "sale", "id": "x", "day": "2026-11-20", **SALE, **wrong}
        for wrong in (
            {"day": "2026-02-30"}, {"day": "2026-12-11"}, {"day": "2026-09-01"}, {"bushels": "99999"},
            {"taker": "mill"},
            {"bushels": "0"}, {"bushels": "ten"}, {"bushels": "1.2345"}, {"site": "west"}, {"crop": "barley"},
            {"giver": "elevator", "taker": "mill"}, {"taker": "nobody"}, {"id": "sale-mill"},
            {"form": "soybean_meal"},
        )
    ),
    {"type": "correct", "id": "x", "day": "2026-11-20", "entity": "mill", "movement": "sale-taken", "reason": "wrong"},
    {"type": "correct", "id": "x", "day": "2026-11-20", "entity": "mill", "movement": "sale-back", "reason": "wrong"},
    {"type": "correct", "id": "x", "day": "2026-11-20", "entity": "mill", "movement": "nothing", "reason": "wrong"},
    {"type": "close", "id": "x", "day": "2026-12-10", "entity": "mill", "closed_on": "2026-11-20"},
]  # fmt: skip
UNIT: Final = {"unit_id": "Z9", "acres": "12.5", "county_fips": "20149"}
EDITS: Final[list[dict[str, Any]]] = [
    {"kind": "unit", "row": UNIT | {"acres": "twelve"}},
    {"kind": "unit", "row": UNIT | {"acers": "12"}},
    {"kind": "unit", "row": {"acres": "12"}},
    {"kind": "field", "row": UNIT},
    {"kind": "unit", "key": "none", "row": None},
    {"kind": "operation", "row": {"operation_id": "new", "unit_id": "nowhere", "day": "soon"}},
]
NEED_NOTHING: Final = frozenset({"/records", "/custody/entity", "/imports/rejected"})
"""A body with nothing in it is enough for these."""
FILLED: Final = {"number": "999999", "line": "0" * 16, "crop": "corn", "year": "2025", "code": "none", "file": "none"}


def refusals_of_api(world: World) -> dict[str, Any]:
    """Return how events, edits and empty bodies are refused; whatever was written is undone."""
    found = {}
    for event in REFUSED:
        for path in ("/custody/events", "/custody/events/preview"):
            found[f"{path} {json.dumps(event)}"] = _refused(world, "mill", path, {"event": event})
    version = world.asked("farm", "/records")["version"]
    for edit in EDITS:
        body = {"reason": "wrong", "after": version, "edits": [edit]}
        found[f"/records/changes {json.dumps(edit)}"] = _refused(world, "farm", "/records/changes", body)
    stale = {"reason": "late", "after": 0, "edits": [{"kind": "unit", "row": UNIT}]}
    found["/records/changes after another"] = _refused(world, "farm", "/records/changes", stale)
    for path in _paths_to_post(world):
        found[f"{world.masked(path)} empty"] = _refused(world, _party(path), path, {})
    return found


def _party(path: str) -> str:
    """Return who may post there."""
    parties = {"/custody": "mill", "/audits": "verifier", "/verifier": "verifier"}
    return next((party for start, party in parties.items() if path.startswith(start)), "farm")


def _paths_to_post(world: World) -> list[str]:
    description = world.asked("farm", "/openapi.json")["paths"]
    filled = {**FILLED, "audit": world.cast.audit.handle}
    paths = [path.removeprefix("/api/v1") for path, methods in description.items() if "post" in methods]
    return [
        path.format(**filled)
        for path in paths
        if path not in NEED_NOTHING and set(re.findall(r"{(\w+)}", path)) <= filled.keys()
    ]


def _refused(world: World, party: str, path: str, body: object) -> Any:  # noqa: ANN401 - JSON
    with transaction.atomic():
        answer = world.posted(party, path, body, "refused")
        transaction.set_rollback(True)
    return without_keys(json.loads(world.masked(json.dumps(answer, ensure_ascii=False))))
