"""What the API answers: every list and thing that the parties of the world may read."""

import json
from typing import Any, Final

from tests.golden.world import World

ALL: Final = "limit=200"
EVERYBODY: Final = (
    "/organisation", f"/organisation/next?{ALL}", f"/log?{ALL}", f"/members?{ALL}", f"/invitations?{ALL}",
    f"/grants?{ALL}", f"/grants/held?{ALL}", f"/tokens?{ALL}", f"/files?{ALL}",
)  # fmt: skip
FARM: Final = (
    "/records", f"/records/kinds?{ALL}", f"/records/changes?{ALL}", f"/imports?{ALL}", f"/boundaries?{ALL}",
    f"/evidence?{ALL}", f"/verdicts?{ALL}", f"/practice-totals?{ALL}", f"/problems?{ALL}", f"/season?{ALL}",
    f"/growing?{ALL}", f"/intensity?{ALL}", f"/plan?{ALL}",
    f"/reports?{ALL}", "/reports/corn/2025", "/reports/soybeans/2025", "/reports/corn/2025/standing",
    "/reports/corn/1999", f"/reports/corn/2025/versions?{ALL}", f"/keys?{ALL}", f"/bushels-left?{ALL}", f"/slips?{ALL}",
    "/slips/draft?crop=soybeans&harvest_year=2025&buyer=elevator&bushels=100&day=2026-11-20", "/custody/entity",
    "/records/kinds/harvest/history?key=h1", f"/custody/movements?{ALL}", "/slips/none",
)  # fmt: skip
TRADER: Final = (
    "/custody/entity", f"/custody/movements?{ALL}", f"/custody/movements?{ALL}&kinds=sale", f"/custody/alerts?{ALL}",
    f"/custody/retention?{ALL}", f"/custody/stock?{ALL}", f"/custody/stock/history?{ALL}", f"/custody/lots?{ALL}",
    f"/custody/grain/sites?{ALL}", f"/custody/periods?{ALL}", "/custody/periods/due", f"/custody/contracts?{ALL}",
    f"/custody/statements?{ALL}", "/custody/waiting", f"/custody/events/kinds?{ALL}",
    f"/custody/maps?{ALL}", "/custody/papers/transfer?sale=sale-mill",
    "/custody/papers/transfer?sale=none",
    "/custody/trace?find=nothing", "/custody/movement?event=nothing", "/custody/lot?lot=nothing",
    "/custody/grain?site=north&form=soybeans", "/custody/grain?site=west&form=soybeans", "/records",
)  # fmt: skip
VERIFIER: Final = (
    "/verifier/accreditation",
    f"/verifier/keys?{ALL}",
    f"/verifier/parties?{ALL}",
    f"/audits?{ALL}",
    "/rhythm",
)
OF_AUDIT: Final = (
    "", "/standing", f"/entries?{ALL}", "/population", "/sample", f"/sample/farms?{ALL}", f"/work?{ALL}",
    f"/work/calendar?{ALL}", f"/work/places?{ALL}", f"/packages/choices?{ALL}", f"/packages?{ALL}", f"/results?{ALL}",
    f"/findings?{ALL}", "/findings/1", "/findings/2", "/statement/draft", "/statement", f"/statement/later?{ALL}",
)  # fmt: skip


def answers_of_api(world: World) -> dict[str, Any]:
    """Return what each party is answered, by party and path."""
    paths = [(party, path) for party in world.tokens for path in EVERYBODY]
    paths += [("farm", path) for path in (*FARM, *_of_kinds(world))]
    for trader in ("mill", "elevator"):
        paths += [(trader, path) for path in (*TRADER, *_of_movements(world, trader), *_of_stock(world, trader))]
    paths += [("mill", path) for path in _of_events(world)]
    paths += [("verifier", path) for path in VERIFIER]
    audit = f"/audits/{world.cast.audit.handle}"
    paths += [("verifier", audit + path) for path in OF_AUDIT]
    return {f"{party} {world.masked(path)}": _answer(world, party, path) for party, path in paths}


def _answer(world: World, party: str, path: str) -> Any:  # noqa: ANN401 - JSON
    plain = json.loads(world.masked(json.dumps(world.asked(party, path), ensure_ascii=False)))
    return without_keys(plain)


def without_keys(plain: Any) -> Any:  # noqa: ANN401 - JSON
    """Hide what counts rows of this database or is drawn at random."""
    if isinstance(plain, list):
        return [without_keys(one) for one in plain]
    if not isinstance(plain, dict):
        return plain
    return {name: "#" if _is_key(name, value) else without_keys(value) for name, value in plain.items()}


def _is_key(name: str, value: object) -> bool:
    return name in ("older", "hint") or (name in ("id", "next") and isinstance(value, int))


def _of_kinds(world: World) -> list[str]:
    kinds = [one["name"] for one in world.asked("farm", f"/records/kinds?{ALL}")["items"]]
    return [f"/records/kinds/{kind}{more}" for kind in kinds for more in ("", f"/rows?{ALL}")]


def _of_movements(world: World, party: str) -> list[str]:
    names = [one["event"] for one in world.asked(party, f"/custody/movements?{ALL}")["items"]]
    return [f"/custody/movement?event={name}" for name in [*names, "slip-mill", "buy-mill", "buy-elevator"]]


def _of_stock(world: World, party: str) -> list[str]:
    lots = [one["lot"] for one in world.asked(party, f"/custody/lots?{ALL}")["items"]]
    starts = [one["start"] for one in world.asked(party, f"/custody/periods?{ALL}")["items"]]
    balances = [f"/custody/periods/{start}/{what}" for start in starts for what in ("balance", "restatement")]
    papers = [f"/custody/papers/period?start={start}" for start in starts]
    traces = [f"/custody/trace?{ALL}&find={name}" for name in ("sale-mill", "process-1", "buy-mill", "sale-again")]
    return [*(f"/custody/lot?lot={lot}" for lot in lots), *balances, *papers, *traces]


def _of_events(world: World) -> list[str]:
    kinds = [one["kind"] for one in world.asked("mill", f"/custody/events/kinds?{ALL}")["items"]]
    return [f"/custody/events/kinds/{kind}" for kind in kinds]
