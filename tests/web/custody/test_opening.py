"""A book that is not open yet, what is put into it first, and the shipped month of a system, by file and by calls."""

import json
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from typer.testing import CliRunner

from provender.cli.custody.app import app
from provender.database.choices import Role
from provender.database.models.accounts import Organisation
from provender.database.models.custody import CustodyEvent
from provender.services.accounts.organisations import create_organisation
from provender.services.custody.entry import register_entity
from provender.services.farm.files import store_upload
from tests.web.api.test_calls import data, get, post
from tests.web.api.test_every_call import token
from tests.web.cast import Cast
from tests.web.custody.asking import texts, where
from tests.web.custody_season import BY
from tests.web.fixtures import cast

__all__ = ["cast"]

pytestmark = pytest.mark.django_db


READS: Final = (
    "/custody/stock/history", "/custody/stock/chart.svg", "/custody/lot?lot=x", "/custody/grain/sites",
    "/custody/periods/due", "/custody/statements", "/custody/retention", "/custody/manual", "/custody/trace.svg?find=x",
    "/custody/events/kinds", "/custody/events/kinds/sale", "/custody/maps",
    "/custody/papers/transfer.pdf?sale=x",
)  # fmt: skip


def test_a_buyer_whose_book_a_slip_opened_is_told_to_name_a_site_first(cast: Cast, owner: Client) -> None:
    mill = Organisation.objects.get(handle=cast.mill.handle)
    register_entity(mill, day=timezone.localdate(), actor=BY)
    for address in (where(cast, "custody_incoming"), where(cast, "custody_enter", "purchase")):
        page = owner.get(address)
        assert "You have no site yet" in texts(page)
        assert f"{where(cast, 'custody_partners')}#sites" in page.content.decode()
    register_entity(mill, day=timezone.localdate(), sites=["north"], actor=BY)
    assert "You have no site yet" not in texts(owner.get(where(cast, "custody_incoming")))


def test_a_book_that_is_not_open_says_how_to_open_it_and_a_farm_has_none(cast: Cast, owner: Client) -> None:
    assert {path: get(path, cast.token_secret).status_code for path in READS} == dict.fromkeys(READS, 404)
    assert post("/custody/events/preview", cast.token_secret, {"event": {"type": "sale"}}, "k").status_code == 404
    assert owner.get(reverse("custody_stock", args=(cast.farm.handle,))).status_code == 404
    assert "Open the book" in texts(owner.get(where(cast, "custody_stock")))
    assert owner.post(where(cast, "custody_open"), {"sites": "north\n"}).status_code == 302
    assert "No mass balance time period is declared" in texts(owner.get(where(cast, "custody_stock")))


MONTH: Final = Path(__file__).parents[3] / "examples" / "accounting-month"

SENT: Final[list[dict[str, Any]]] = [json.loads(line) for line in (MONTH / "events.jsonl").read_text().splitlines()]

SAID: Final[list[dict[str, Any]]] = [json.loads(line) for line in (MONTH / "answers.jsonl").read_text().splitlines()]

BEGAN: Final = date(2025, 12, 30)


def test_the_month_by_file_is_answered_as_the_example_says_and_once(tmp_path: Path) -> None:
    book, answers = str(tmp_path / "coop.jsonl"), tmp_path / "answers.jsonl"
    began = ["--entity", "coop", "--name", "Prairie Coop", "--role", "first_point", "--site", "north"]
    assert CliRunner().invoke(app, ["init", book, *began, "--as-of", f"{BEGAN}"]).exit_code == 0
    on_file = ["file", book, str(MONTH / "bins.txt"), "--as-of", f"{BEGAN}"]
    assert CliRunner().invoke(app, on_file).exit_code == 0
    send = ["add", book, str(MONTH / "events.jsonl"), "--answers", str(answers)]
    assert CliRunner().invoke(app, send).exit_code == 0
    assert answers.read_text() == (MONTH / "answers.jsonl").read_text()
    written = Path(book).read_bytes()
    assert CliRunner().invoke(app, send).exit_code == 0
    assert {json.loads(line)["status"] for line in answers.read_text().splitlines()} == {"exists"}
    assert Path(book).read_bytes() == written


def test_the_month_by_calls_is_answered_as_by_file_and_once(cast: Cast) -> None:
    coop = create_organisation(
        "Prairie Coop", roles=[Role.FIRST_POINT], manager=cast.person("owner"), actor=BY, handle="coop"
    )
    register_entity(coop, day=BEGAN, actor=BY, sites=["north"])
    secret = token(cast, coop, "owner")
    store_upload(coop, "bins.txt", (MONTH / "bins.txt").read_bytes(), actor=BY)
    answer = post("/custody/events/batch", secret, {"events": SENT}, "m1")
    assert answer.status_code == 201, answer.content
    assert data(answer) == [{name: one.get(name, {}) for name in ("id", "status", "message", "facts")} for one in SAID]
    count = CustodyEvent.objects.count()
    again = post("/custody/events/batch", secret, {"events": SENT}, "m2")
    assert again.status_code == 201, again.content
    assert {one["status"] for one in data(again)} == {"exists"}
    assert CustodyEvent.objects.count() == count
