"""Lists of a trader: parties by their names, whole in a file and on paper; what came in, with its mean."""

import csv
import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.custody.events.registry import post, read_event
from provender.custody.model.lots import LotState
from provender.database.choices import Role
from provender.database.models.custody import CustodyEvent, CustodyLot, CustodyOrigin, CustodyStep
from provender.database.store.custody import SqlStore
from provender.services.accounts.organisations import create_organisation
from provender.services.custody import movements
from provender.services.custody.context import buyers
from provender.services.custody.entry import register_entity
from provender.web import tables
from provender.web.custody.pages import movements as pages
from tests.custody.world import ev
from tests.web.api.test_calls import data, get
from tests.web.api.test_every_call import token
from tests.web.cast import Cast
from tests.web.custody.asking import desk_of, entered
from tests.web.custody_season import BY, Season, days_ago

pytestmark = pytest.mark.django_db


def page(cast: Cast, name: str, *more: str, part: str = "owner", **asked: str) -> Any:  # noqa: ANN401 - the client's
    return cast.client(part).get(reverse(name, args=(cast.mill.handle, *more)), asked)


def cells(answer: Any, table: str) -> list[list[tuple[str, str]]]:  # noqa: ANN401 - the client's
    return [[(cell.text, cell.note) for cell in row] for row in answer.context[table].rows]


def test_a_list_is_asked_for_one_partner_by_name_or_code(cast: Cast) -> None:
    whole = len(cells(page(cast, "custody_movements"), "movements"))
    for list_of in ("sales", "movements"):
        for said in (cast.elevator.name.upper(), cast.elevator.name[:3], cast.elevator.handle):
            rows = cells(page(cast, f"custody_{list_of}", partner=said), list_of)
            assert 0 < len(rows) < whole, (list_of, said)
            assert all(cast.elevator.name in (row[2][0], row[3][0]) for row in rows), (list_of, said)


def test_nobody_of_that_name_is_said_and_a_strange_code_does_not_tell_its_name(cast: Cast) -> None:
    other = create_organisation("Far Away Fuels", roles=[Role.REFINER], manager=None, actor=BY, handle="far-away")
    for typed in ("far-away", "Far Away Fuels", "nobody"):
        text = page(cast, "custody_sales", partner=typed).content.decode()
        assert f"No row here is with “{typed}”." in text
        assert text.count("Far Away Fuels") == (2 if typed == "Far Away Fuels" else 0), "only what was typed"
    register_entity(other, day=timezone.localdate(), actor=BY)
    for kind, field in (("sale", "taker"), ("purchase", "giver"), ("storage", "owner")):
        assert "Far Away Fuels" not in page(cast, "custody_enter", kind, **{field: "far-away"}).content.decode()
    farm = page(cast, "custody_enter", "purchase", giver=cast.farm.handle).content.decode()
    assert cast.farm.name in farm.replace("&#x27;", "'")


def test_only_those_who_may_take_crop_are_offered_as_buyers(cast: Cast) -> None:
    desk = desk_of(cast)
    assert list(buyers(desk)) == [cast.elevator.handle], "the farm sells and never takes"
    assert cast.farm.handle in desk.partners
    plant = create_organisation("A Plant", roles=[Role.REFINER], manager=None, actor=BY, handle="a-plant")
    register_entity(plant, day=timezone.localdate(), actor=BY)
    deal = {"entity": cast.mill.handle, "counterparty": "a-plant", "role": "recipient", "number": "K-9"}
    done = post(SqlStore(BY), read_event(ev("contract", "contract-9", days_ago(9), start_day=days_ago(9), **deal)))
    assert done.status == "posted"
    assert list(buyers(desk_of(cast))) == [cast.elevator.handle, "a-plant"], "whom it sold to lately stands first"
    form = page(cast, "custody_enter", "sale").context["form"]
    assert [code for code, _ in form.fields["taker"].choices if code] == [cast.elevator.handle, "a-plant"]


LATER = 450
"""Lots written since, more than a page of a call looks at."""

LISTS = ("sales", "movements")


@pytest.fixture
def world(cast: Cast) -> Cast:
    """Return a mill whose sales are all older than one long loss."""
    today, origin = timezone.localdate(), CustodyOrigin.objects.all()[0]
    event = CustodyEvent.objects.create(
        name="long-loss", type="loss", day=today, digest="", text="{}", at=timezone.now()
    )
    made = CustodyLot.objects.bulk_create(
        CustodyLot(
            name=f"later-{number}", origin=origin, crop="soybeans", harvest_year=2025, span_start=number * 1000,
            span_stop=number * 1000 + 1000, owner=cast.mill.handle, custodian=cast.mill.handle, site="north",
            form="soybeans", product=0, rate=0, ci=0, state=LotState.LOST, since=today, acquired=today, titled=today,
            supplier=cast.mill.handle, batch="", by=event.name, opened_by=event,
        )
        for number in range(10**6, 10**6 + LATER)
    )  # fmt: skip
    CustodyStep.objects.bulk_create(CustodyStep(party=cast.mill.handle, day=today, lot=lot) for lot in made)
    return cast


def saved(cast: Cast, name: str, **asked: str) -> list[list[str]]:
    text = page(cast, f"custody_{name}", save="csv", table=name, **asked).content.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))[1:]


def in_book(cast: Cast, *types: str) -> int:
    steps = CustodyStep.objects.filter(party=cast.mill.handle)
    own = {
        step.lot.opened_by for step in steps.select_related("lot__opened_by") if step.lot.by == step.lot.opened_by.name
    }
    return sum(event.type in types or not types for event in own)


def test_files_and_all_rows_hold_every_row_of_the_list_and_a_partner_with_older_rows_only_is_found(world: Cast) -> None:
    for name, types in zip(LISTS, (movements.SOLD, ()), strict=True):
        whole = in_book(world, *types)
        assert whole > 1
        assert len(saved(world, name)) == whole
        printed = page(world, f"custody_{name}", **{f"page-{name}": "every"})
        assert len(printed.context[name].rows) == whole
        assert not printed.context["more"]
        found = page(world, f"custody_{name}", partner=world.elevator.handle)
        assert found.context[name].rows
        assert len(saved(world, name, partner=world.elevator.handle)) == len(found.context[name].rows)


def test_a_page_or_a_file_that_stops_says_so(world: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(pages, "LOOKED_AT", LATER // 2)
        for name in LISTS:
            answer = page(world, f"custody_{name}", partner=world.elevator.handle)
            text = answer.content.decode()
            assert answer.context["more"]
            assert f"Nothing with “{world.elevator.handle}” back to " in text
            assert "No row here is with" not in text
            assert saved(world, name, partner=world.elevator.handle)
        assert "No movement yet" not in page(world, "custody_sales").content.decode()
    monkeypatch.setattr(tables, "SAVED_AT_MOST", 1)
    monkeypatch.setattr(tables, "PRINTED", 1)
    for name in LISTS:
        rows = saved(world, name)
        assert len(rows) == 2
        assert rows[-1][0].startswith("Not all rows: the list goes on after these 1.")
        text = page(world, f"custody_{name}", **{f"page-{name}": "every"}).content.decode()
        assert "<span>These are not all of them: a file, saved below the table, has every row.</span>" in text


@pytest.fixture
def two_years(cast: Cast, season: Season) -> Season:
    """A second lot of another intensity beside the season's: 3000 bu at 5000.25 bought, 800 bu at 5000.25 accepted."""
    farm, mill = cast.farm.handle, cast.mill.handle
    for event in (
        ev("accept", "accept-1", days_ago(35), movement="sale-elevator", taker=mill, site="north"),
        ev("report", "report-24", days_ago(34), entity=farm, crop="soybeans", harvest_year=2024, bushels="900",
           ci="6100.5", salt="c2FsdCBvZiBhIGZhcm0gdGhhdCBpcyBsb25nIGVub3VnaB", report="1f" * 32),
    ):  # fmt: skip
        entered(event)
    origin = SqlStore(BY).events()[-1].request.origin  # type: ignore[attr-defined]
    entered(ev("slip", "slip-24", days_ago(33), giver=farm, taker=mill, origin=origin, bushels="777.7"))
    bought = {"giver": farm, "taker": mill, "slip": "slip-24", "site": "north"}
    for name, bushels in (("buy-24", "333.3"), ("buy-wrong", "100")):
        tickets = [{"number": f"T-{name}", "bushels": bushels}]
        entered(ev("purchase", name, days_ago(32), bushels=bushels, tickets=tickets, **bought))
    entered(ev("correct", "correct-1", days_ago(31), entity=mill, movement="buy-wrong", reason="typed twice"))
    return season


def test_the_api_answers_what_the_page_shows(cast: Cast, two_years: Season, owner: Client) -> None:
    mill = token(cast, cast.mill, "owner")
    sums = data(get("/custody/came-in/sums", mill))["items"]
    assert [(one["supplier"], one["bushels"], one["mean_ci_g_per_bu"]) for one in sums] == [
        ("", "4133.3", "5088.97"), (cast.farm.handle, "3333.3", "5110.27"), (cast.elevator.handle, "800", "5000.25"),
    ]  # fmt: skip
    rows = data(get(f"/custody/came-in?since={days_ago(33)}", mill))["items"]
    assert [(one["entry"], one["ci_g_per_bu"]) for one in rows] == [("buy-24", "6100.5")]
    assert get(f"/custody/came-in?since={days_ago(1)}&on={days_ago(2)}", mill).status_code == 409
