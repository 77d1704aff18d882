"""Page and API show the values of one view of the custody book, and each view of the services has a case."""

import csv
import io
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from provender.exact import CI_SCALE, parse, show
from provender.schema import write
from provender.services.custody import checks, movements, partners, periods, stock
from provender.services.custody.checks import alerts, retention
from provender.services.custody.context import CustodyContext, context_of
from provender.services.custody.views import alert_view
from provender.web.custody.pages.movements import DONE
from tests.golden.world import NOW, World, made
from tests.web.custody_season import BY

pytestmark = pytest.mark.django_db
TRADERS: Final = ("mill", "elevator")


class Case(NamedTuple):
    """One list of views: what the service says, the call that answers it, and the table of a page.

    ``cells`` gives, for one view, texts that its row of the saved table holds.
    """

    call: str
    view: Callable[[CustodyContext], list[Any]]
    page: str
    table: str
    cells: Callable[[dict[str, Any]], list[str]]


def grouped(text: str) -> str:
    return show(parse(text), group=True)


CASES: Final = {
    "stock": Case(
        "/custody/stock", stock.stock, "custody_stock", "stock",
        lambda one: [show(parse(one["ci_g_per_bu"], CI_SCALE), CI_SCALE), str(one["lots"])],
    ),
    "lots": Case(
        "/custody/lots", lambda desk: stock.lots(desk, size=200, where={}).items, "custody_lots", "lots",
        lambda one: [one["origin"], f"{grouped(one['start_bu'])}-{grouped(one['stop_bu'])}", one["site"],
                     show(parse(one["amount"])), one["unit"]],
    ),
    "grain": Case(
        "/custody/grain/sites", stock.grain_sites, "custody_grain", "grain",
        lambda one: [one["site"], show(parse(one["claims"])), one["unit"], str(one["entries"])],
    ),
    "movements": Case(
        "/custody/movements", lambda desk: movements.movements(desk, size=200).movements, "custody_movements",
        "movements", lambda one: [one["day"], DONE.get(one["type"]) or one["type"].replace("_", " ").capitalize()],
    ),
    "periods": Case(
        "/custody/periods", periods.periods, "custody_periods", "periods",
        lambda one: [one["start"], one["end"], one["standing"]],
    ),
    "contracts": Case(
        "/custody/contracts", partners.contracts, "custody_partners", "contracts",
        lambda one: [one["name"], one["number"], one["start"], one["end"] or "runs on"],
    ),
    "verifications": Case(
        "/custody/statements", partners.verifications, "custody_partners", "verification",
        lambda one: [one["number"], one["start"], one["end"], ", ".join(one["crops"])],
    ),
    "retention": Case(
        "/custody/retention", retention, "custody_retention", "retention",
        lambda one: [one["day"], one["until"] or "In stock: the years have not begun",
                     "Yes" if one["may_go"] else "No"],
    ),
    "alerts": Case(
        "/custody/alerts", lambda desk: [alert_view(each) for each in alerts(desk)], "custody_checks", "alerts",
        lambda one: [one["said"]],
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def world(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    """Make the world once for all tests of the module."""
    with django_db_blocker.unblock(), made(tmp_path_factory.mktemp("doors")) as world:
        yield world


def desk_of(world: World, party: str) -> CustodyContext:
    organisation = {"mill": world.cast.mill, "elevator": world.cast.elevator}[party]
    context = context_of(organisation, actor=BY, today=NOW.date(), may_write=True)
    assert context is not None
    return context


def saved(world: World, address: str, table: str, **asked: str) -> list[list[str]]:
    query = urlencode({**asked, "save": "csv", "table": table})
    text = world.browser("owner").get(f"{address}?{query}").content.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))[1:]


@pytest.mark.parametrize("party", TRADERS)
@pytest.mark.parametrize("name", CASES)
def test_the_api_answers_the_view(world: World, name: str, party: str) -> None:
    case = CASES[name]
    expected = write(case.view(desk_of(world, party)), whole=True)
    answered = world.asked(party, f"{case.call}?limit=200")["items"]
    assert answered == expected


@pytest.mark.parametrize("name", CASES)
def test_the_page_shows_the_values_of_the_view(world: World, name: str) -> None:
    case = CASES[name]
    expected = write(case.view(desk_of(world, "mill")), whole=True)
    rows = saved(world, reverse(case.page, args=("mill",)), case.table)
    assert expected or name in ("alerts", "grain")
    assert all(any(set(case.cells(one)) <= set(row) for row in rows) for one in expected), rows


@pytest.mark.parametrize("find", ["sale-mill", "process-1"])
def test_every_station_is_the_same_on_page_and_api(world: World, find: str) -> None:
    found = movements.trace(desk_of(world, "mill"), find)
    assert found is not None
    expected = write(found.stations, whole=True)
    assert world.asked("mill", f"/custody/trace?find={find}&limit=200")["items"] == expected
    rows = saved(world, reverse("custody_trace", args=("mill",)), "chain", find=find)
    assert [(row[0], row[3], row[4]) for row in rows] == [(one["day"], one["taker"], one["origin"]) for one in expected]


def test_what_waits_is_the_same_everywhere(world: World) -> None:
    view = write(checks.waiting(desk_of(world, "mill")), whole=True)
    assert world.asked("mill", "/custody/waiting") == view
    page = world.browser("owner").get(reverse("custody_incoming", args=("mill",))).content.decode()
    names = [one["sale"] for one in view["deliveries"]] + [one["slip"] for one in view["slips"]]
    assert names
    assert all(name in page for name in names)


@pytest.mark.parametrize(
    ("event", "taken_back"),
    [
        ("sale-back", "back-1"),
        ("sale-again", ""),
        ("again-1", "again-2"),
        ("sale-thrice", "thrice-1"),
        ("thrice-1", ""),
    ],
)
def test_who_took_an_entry_back_is_said_alike_after_corrections_of_corrections(
    world: World, event: str, taken_back: str
) -> None:
    view = movements.movement(desk_of(world, "mill"), event)
    assert view is not None
    assert view.corrected_by == taken_back
    assert world.asked("mill", f"/custody/movement?event={event}") == write(view, whole=True)
    response = world.browser("owner").get(reverse("custody_movement", args=("mill",)), {"id": event})
    assert response.context["corrected_by"] == taken_back
