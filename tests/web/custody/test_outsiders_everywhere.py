"""Every call and page that takes a name answers an outsider about what is another's as about what is nowhere.

The doors are read from the description of the API and from the addresses, so that a new one is asked too.
"""

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from provender.custody.model.store_view import printed
from provender.database.models.custody import CustodyEvent, CustodyLot
from provender.database.models.farm import Upload
from provender.services.accounts.organisations import create_organisation
from provender.web.urls import api
from tests.web.api.test_calls import get
from tests.web.api.test_every_room import token
from tests.web.cast import Cast
from tests.web.custody.test_outsiders import NOBODY, ROLES, _outsider, _plain
from tests.web.custody_season import BY, fill_custody
from tests.web.test_everyone_at_every_address import address
from tests.web.test_odd_questions import ASKED, PAGES

FILLED: Final = {
    "crop": "soybeans", "year": "2025", "harvest_year": "2025", "number": "1", "limit": "3", "kind": "unit",
    "ending": "json", "buyer": "nobody", "bushels": "1", "day": "2026-01-01", "start": "2026-01-01", "form": "soybeans",
    "target": "ticket", "state": "held", "site": "north", "kinds": "sale",
}  # fmt: skip
"""What is no secret, for the parameters beside the one that is asked about."""
PARAMETERS: Final = {
    "custody_trace": ("lot", "find"), "custody_movement": ("id",), "custody_document": ("sale",),
    "custody_statement": ("start",), "custody_period": ("start",), "custody_lots": ("site", "form"),
    "custody_grain": ("site",), "custody_movements": ("partner",), "custody_sales": ("partner",),
}  # fmt: skip
"""What pages of the chain of custody are asked for by name."""
SHORT: Final = 3
"""A number is asked for by many calls, and stands in every answer."""
COUNTED: Final = ("after", "limit", "restated")

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(cast: Cast) -> Cast:
    fill_custody(cast)
    return cast


def secrets_of(cast: Cast) -> list[str]:
    """Return names that exist: of each kind of thing, at each point of the chain."""
    lots = list(CustodyLot.objects.order_by("name").values_list("name", flat=True))
    origin = CustodyLot.objects.values_list("origin__name", flat=True)[0]
    events = CustodyEvent.objects.order_by("id").values_list("name", flat=True)
    kinds = {name.split("-")[0]: name for name in events}
    upload = Upload.objects.values_list("handle", flat=True)[0]
    found = [*lots[:: max(1, len(lots) // 6)], origin, f"{printed(origin)} 0-500", *kinds.values(),
             cast.farm.handle, cast.elevator.handle,
             cast.audit.handle, upload, cast.book.handle]  # fmt: skip
    return [str(name) for name in found if len(str(name)) > SHORT]


def calls() -> Iterator[tuple[str, str]]:
    """Yield each call that reads with one parameter that can name something, the others filled: ``{}`` is its place."""
    for path, methods in api.get_openapi_schema()["paths"].items():
        given = methods.get("get", {}).get("parameters", [])
        named = [one["name"] for one in given if one["name"] not in COUNTED and one["name"] not in FILLED]
        for asked in named:
            where = path
            for one in given:
                if one["in"] == "path":
                    said = "{}" if one["name"] == asked else FILLED.get(one["name"], NOBODY)
                    where = where.replace(f"{{{one['name']}}}", said)
            query = [
                f"{one['name']}={'{}' if one['name'] == asked else FILLED.get(one['name'], NOBODY)}"
                for one in given
                if one["in"] == "query" and (one["name"] == asked or one.get("required"))
            ]
            yield f"{path}?{asked}", where.removeprefix("/api/v1") + ("?" + "&".join(query) if query else "")


def test_no_call_tells_an_outsider_that_something_is_there(world: Cast) -> None:
    names = secrets_of(world)[::2]
    outside = _outsider(world, "plant", ROLES["plant"])
    asked, differing = 0, dict[tuple[str, str], object]()
    for name, where in calls():
        for typed in names:
            twin = _twin(typed)
            theirs, nobodys = (
                _plain(get(where.replace("{}", quote(one, safe="")), outside.secret), *names, one, *map(_twin, names))
                for one in (typed, twin)
            )
            asked += 1
            if theirs != nobodys:
                differing[name, typed] = theirs, nobodys
    assert not differing
    assert asked > 25 * 7, "every call that takes a name, with names of every kind"


def _twin(name: str) -> str:
    """Return a name of the same shape that nothing has."""
    if len(name) == len(NOBODY):
        return NOBODY
    return "".join("0" if each.isdecimal() else "z" if each.isalpha() else each for each in name)


def _without(answer: Any, names: list[str]) -> tuple[int, str]:  # noqa: ANN401 - as the test client types it
    """Return what a page says in its main part without any of the names, whether typed or always there."""
    status, text = _plain(answer, *names, *(name.replace("/", "%2F") for name in names))
    return status, text.split("<main", 1)[-1].split("</main>", 1)[0].split("csrfmiddlewaretoken", 1)[0]


def test_no_page_tells_an_outsider_that_something_is_there(world: Cast) -> None:
    names = [*secrets_of(world)[::3], NOBODY]
    outside = _outsider(world, "plant", ROLES["plant"])
    mine = [name for name in PAGES if name.startswith("custody_") and name not in ("custody_open", "custody_enter")]
    differing: dict[str, Any] = {}
    for page in mine:
        where = reverse(page, args=(outside.organisation.handle,))
        for asked in PARAMETERS.get(page, ("find",)):
            answers = {_without(outside.client.get(where, {asked: name}), names) for name in names}
            if len(answers) > 1:
                differing[f"{page}?{asked}"] = answers
    assert not differing


def test_a_member_of_nothing_finds_no_page_of_another(world: Cast) -> None:
    create_organisation("Bystander", roles=[], manager=world.person("stranger"), actor=BY)
    client = Client()
    client.force_login(world.person("stranger"))
    there = [name for name in PAGES if f"/o/{world.mill.handle}/" in address(name, world)]
    for name in (one for one in PAGES if f"/o/{world.farm.handle}/" in address(one, world) or one in there):
        answer = client.get(address(name, world), dict.fromkeys(ASKED[:6], "sale-mill"))
        assert answer.status_code in (404, 405), name


def test_the_token_of_another_opens_the_same_nothing(world: Cast) -> None:
    theirs = token(world, world.elevator, "stranger")
    for name in ("buy-mill", "move-mill", "process-1", "retire-mill"):
        assert _plain(get(f"/custody/movement?event={name}", theirs), name) == _plain(
            get("/custody/movement?event=unheard", theirs), "unheard"
        )
