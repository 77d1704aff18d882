"""Which pages count, and who looks at them: the main pages of issue 5's promise."""

import random
from collections.abc import Callable, Mapping
from typing import Final

from django.urls import reverse

from provender.cli.benchmarks.server.district import CODE, ELEVATOR, FARMS, UNITS, VERIFIER
from provender.cli.benchmarks.server.visits import Visit, sign_in

Look = Callable[[str, random.Random], str]
"""From the code of an organisation to the path of a page."""


def _farm(code: str, _chance: random.Random) -> str:
    return reverse("farm", args=(code,))


def _field(code: str, chance: random.Random) -> str:
    return f"{reverse('farm_crop', args=(code,))}?crop=H-U{chance.randrange(UNITS)}"


def _home(_code: str, _chance: random.Random) -> str:
    return reverse("home")


def _overview(code: str, _chance: random.Random) -> str:
    return reverse("organisation", args=(code,))


def _intensity(code: str, _chance: random.Random) -> str:
    return reverse("farm_intensity", args=(code,))


PAGES: Final[Mapping[str, tuple[str, Look]]] = {
    "home": (ELEVATOR, _home),
    "overview": (ELEVATOR, _overview),
    "fields": ("", _farm),
    "one field": ("", _field),
    "carbon intensity": ("", _intensity),
    "home of the verifier": (VERIFIER, _home),
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
