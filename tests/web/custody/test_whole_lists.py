"""Sales and movements are whole: in a file, on paper and for one partner, however much was written since."""

import csv
import io
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from provender.custody.model.lots import LotState
from provender.database.models.custody import CustodyEvent, CustodyLot, CustodyOrigin, CustodyStep
from provender.services.custody import movements
from provender.web import tables
from provender.web.custody.pages import movements as pages
from tests.web.cast import Cast
from tests.web.custody_season import fill_custody

pytestmark = pytest.mark.django_db
LATER = 900
"""Lots written since, more than a page of a call looks at."""
LISTS = ("sales", "movements")


@pytest.fixture
def world(cast: Cast) -> Cast:
    """Return a mill whose sales are all older than one long loss."""
    fill_custody(cast)
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


def page(cast: Cast, name: str, **asked: str) -> Any:  # noqa: ANN401 - the client's
    return cast.client().get(reverse(f"custody_{name}", args=(cast.mill.handle,)), asked)


def saved(cast: Cast, name: str, **asked: str) -> list[list[str]]:
    text = page(cast, name, save="csv", table=name, **asked).content.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))[1:]


def in_book(cast: Cast, *types: str) -> int:
    steps = CustodyStep.objects.filter(party=cast.mill.handle)
    own = {
        step.lot.opened_by for step in steps.select_related("lot__opened_by") if step.lot.by == step.lot.opened_by.name
    }
    return sum(event.type in types or not types for event in own)


def test_files_and_all_rows_hold_every_row_of_the_list(world: Cast) -> None:
    for name, types in zip(LISTS, (movements.SOLD, ()), strict=True):
        whole = in_book(world, *types)
        assert whole > 1
        assert len(saved(world, name)) == whole
        printed = page(world, name, **{f"page-{name}": "every"})
        assert len(printed.context[name].rows) == whole
        assert not printed.context["more"]


@pytest.mark.parametrize("name", LISTS)
def test_a_partner_with_older_rows_only_is_found(world: Cast, name: str) -> None:
    found = page(world, name, partner=world.elevator.handle)
    assert found.context[name].rows
    assert len(saved(world, name, partner=world.elevator.handle)) == len(found.context[name].rows)


@pytest.mark.parametrize("name", LISTS)
def test_a_page_that_stopped_looking_says_how_far_it_looked(
    world: Cast, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "LOOKED_AT", LATER // 2)
    answer = page(world, name, partner=world.elevator.handle)
    text = answer.content.decode()
    assert answer.context["more"]
    assert f"Nothing with “{world.elevator.handle}” back to " in text
    assert "No row here is with" not in text
    assert "No movement yet" not in page(world, "sales").content.decode()
    assert saved(world, name, partner=world.elevator.handle)


@pytest.mark.parametrize("name", LISTS)
def test_what_does_not_fit_a_file_or_a_print_is_said(world: Cast, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "SAVED_AT_MOST", 1)
    monkeypatch.setattr(tables, "PRINTED", 1)
    rows = saved(world, name)
    assert len(rows) == 2
    assert rows[-1][0].startswith("Not all rows: the list goes on after these 1.")
    text = page(world, name, **{f"page-{name}": "every"}).content.decode()
    assert "<span>These are not all of them: a file, saved below the table, has every row.</span>" in text
