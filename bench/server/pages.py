"""Which pages count, and who looks at them: the pages whose speed is promised."""

import random
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse

from bench.server.district import AUDIT, CODE, ELEVATOR, FARMS, UNITS, VERIFIER
from bench.server.visits import Visit, sign_in
from provender.database.models.custody import CustodyLot

MOST_LOTS: Final = 200
"""Lots among which one is chosen."""

Look = Callable[[str, random.Random], str]
"""From the code of an organisation to the path of a page."""


def _plain(view: str, *more: str | int) -> Look:
    """Return the way to a page that needs no more than whose it is and some fixed words."""
    return lambda code, _chance: reverse(view, args=(code, *more))


def _home(_code: str, _chance: random.Random) -> str:
    return reverse("home")


def _field(code: str, chance: random.Random) -> str:
    return f"{reverse('farm_crop', args=(code,))}?crop=H-U{chance.randrange(UNITS)}"


def _lot(code: str, chance: random.Random) -> str:
    """Choose a lot of the elevator's stock: every district has the same under other names."""
    lots = CustodyLot.objects.filter(owner=ELEVATOR, ended_by=None, state="held").order_by("id")
    name = chance.choice(lots.values_list("name", flat=True)[:MOST_LOTS])
    named = name.replace(CODE, code[: len(CODE)])
    return f"{reverse('custody_trace', args=(code,))}?{urlencode({'lot': named})}"


def _audit(view: str) -> Look:
    """Return the way to a page of the verifier's audit."""
    return lambda code, _chance: reverse(view, args=(code, AUDIT.replace(CODE, code[: len(CODE)])))


PAGES: Final[Mapping[str, tuple[str, Look]]] = {
    "home": (ELEVATOR, _home),
    "overview": (ELEVATOR, _plain("organisation")),
    "log": (ELEVATOR, _plain("log")),
    "fields": ("", _plain("farm")),
    "one field": ("", _field),
    "season": ("", _plain("farm_season")),
    "carbon intensity": ("", _plain("farm_intensity")),
    "report": ("", _plain("farm_report", "corn", 2025)),
    "stock": (ELEVATOR, _plain("custody_stock")),
    "lot": (ELEVATOR, _lot),
    "movements": (ELEVATOR, _plain("custody_movements")),
    "alerts": (ELEVATOR, _plain("custody_checks")),
    "audits": (VERIFIER, _plain("audits")),
    "audit": (VERIFIER, _audit("audit")),
    "work programme": (VERIFIER, _audit("audit_work")),
}
"""Kind of page: whose (empty: a farm's) and where."""


def visits_of(districts: int, drawn: int, chance: random.Random) -> dict[str, list[Visit]]:
    """Return for each kind of page visits by the managers of different organisations, drawn from all districts."""
    cookies: dict[str, str] = {}
    found: dict[str, list[Visit]] = {}
    for what, (who, look) in PAGES.items():
        found[what] = []
        for _ in range(drawn):
            district = f"{CODE[0]}{chance.randrange(districts):04}"
            code = (who or f"{CODE}-f{chance.randrange(FARMS):02}").replace(CODE, district)
            if code not in cookies:
                cookies[code] = sign_in(code)
            found[what].append(Visit(cookies[code], look(code, chance)))
    return found
