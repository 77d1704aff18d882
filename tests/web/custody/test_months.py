"""A month that a system sends: the shipped one by file and by calls, and a played one through to its papers."""

import json
import os
import random
import sys
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final

from typer.testing import CliRunner

from provender.cli.custody.app import app
from provender.custody.events.registry import read_event
from provender.custody.store import post as post_to
from provender.database.choices import Role
from provender.database.models.accounts import Organisation
from provender.database.models.custody import CustodyEvent
from provender.database.store.custody import SqlStore
from provender.exact import SCALE, parse, show
from provender.services.accounts.organisations import create_organisation
from provender.services.custody.entry import register_entity
from tests.custody.world import Event, ev
from tests.web.api.test_calls import data, get, post
from tests.web.api.test_every_room import token
from tests.web.cast import Cast
from tests.web.custody_season import BY

MONTH: Final = Path(__file__).parents[3] / "examples" / "accounting-month"

SENT: Final[list[dict[str, Any]]] = [json.loads(line) for line in (MONTH / "events.jsonl").read_text().splitlines()]

SAID: Final[list[dict[str, Any]]] = [json.loads(line) for line in (MONTH / "answers.jsonl").read_text().splitlines()]

BEGAN: Final = date(2025, 12, 30)


def test_the_month_by_file_is_answered_as_the_example_says_and_once(tmp_path: Path) -> None:
    book, answers = str(tmp_path / "coop.jsonl"), tmp_path / "answers.jsonl"
    began = ["--entity", "coop", "--name", "Prairie Coop", "--role", "first_point", "--site", "north"]
    assert CliRunner().invoke(app, ["init", book, *began, "--as-of", f"{BEGAN}"]).exit_code == 0
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
    answer = post("/custody/events/batch", secret, {"events": SENT}, "m1")
    assert answer.status_code == 201, answer.content
    assert data(answer) == [{name: one.get(name, {}) for name in ("id", "status", "message", "facts")} for one in SAID]
    count = CustodyEvent.objects.count()
    again = post("/custody/events/batch", secret, {"events": SENT}, "m2")
    assert again.status_code == 201, again.content
    assert {one["status"] for one in data(again)} == {"exists"}
    assert CustodyEvent.objects.count() == count


TICKETS: Final = int(os.environ.get("PROVENDER_MONTH", "40"))

SALES: Final = TICKETS // 10 if TICKETS <= 100 else TICKETS // 25

FARMS: Final = 10

OUT: Final = os.environ.get("PROVENDER_MONTH_OUT", "")

BATCH: Final = 200

FIRST, LAST = date(2026, 2, 1), date(2026, 2, 28)


def houses(cast: Cast) -> tuple[Organisation, Organisation]:
    made = []
    for name, sites in (("Prairie Coop", ["north", "annex"]), ("Ethanol Mill", ["mill"])):
        one = create_organisation(name, roles=[Role.FIRST_POINT], manager=cast.person("owner"), actor=BY)
        register_entity(one, day=date(2025, 12, 1), actor=BY, sites=sites)
        made.append(one)
    return made[0], made[1]


def of_the_farms(coop: str) -> Iterator[Event]:
    """What others enter: the farms, their reports, and a slip for every second ticket."""
    for number in range(FARMS):
        farm = f"farm-{number}"
        yield ev("entity", farm, "2025-12-01", entity=farm, name=f"Farm {number}", roles=["farm"])
        grown = {"harvest_year": 2025, "bushels": "500000", "ci": str(28_000 + 370 * number)}
        yield ev("report", f"r-{farm}", "2025-12-05", entity=farm, crop="corn", **grown)
    for number in range(0, TICKETS, 2):
        farm = f"farm-{number % FARMS}"
        yield ev("slip", f"slip-{number}", day(number), giver=farm, taker=coop, origin=f"{farm}/corn/2025",
                 bushels=weight(number))  # fmt: skip


def day(number: int) -> str:
    return f"2026-02-{1 + number * 28 // TICKETS:02d}"


def weight(number: int) -> str:
    return show(random.Random(f"weight {number}").randint(600_000, 980_000))


def of_the_elevator(coop: str, mill: str) -> Iterator[Event]:
    """What the elevator's own systems send, in the order of the days."""
    yield ev("period", "p", "2025-12-01", entity=coop, start_day="2026-01-01", end_day="2026-03-31",
             policy="oldest_first")  # fmt: skip
    terms = {"form": "corn", "amount": "900000"}
    yield ev("contract", "c-7", "2026-01-02", entity=coop, counterparty=mill, role="recipient", number="C-7",
             start_day="2026-01-02", **terms)  # fmt: skip
    for number in range(TICKETS):
        place = {"entity": coop, "site": "north", "form": "corn"}
        ticket = {"number": f"T{number}", "bushels": weight(number)}
        if number % 2:
            yield ev("receipt", f"t{number}", day(number), **place, number=ticket["number"], amount=ticket["bushels"],
                     name=f"Farm {number % FARMS}")  # fmt: skip
        else:
            yield ev("purchase", f"b{number}", day(number), giver=f"farm-{number % FARMS}", taker=coop,
                     slip=f"slip-{number}", site="north", tickets=[ticket])  # fmt: skip
        if number % (TICKETS // SALES) == TICKETS // SALES - 1:
            bushels = show(parse("200") + number % 7 * 10**SCALE)
            out = [{"number": f"O{number}", "bushels": bushels}]
            yield ev("sale", f"s{number}", day(number), giver=coop, taker=mill, crop="corn", bushels=bushels,
                     contract="C-7", site="north", tickets=out)  # fmt: skip
        if number % (TICKETS // 5) == TICKETS // 5 - 1:
            moved = {"entity": coop, "form": "corn", "number": f"M{number}"}
            yield ev("shipment", f"m{number}/out", day(number), **moved, site="north", amount="150")
            yield ev("receipt", f"m{number}/in", day(number), **moved, site="annex", amount="149.8")
            yield ev("move", f"m{number}", day(number), entity=coop, crop="corn", site="north", to_site="annex",
                     bushels="150")  # fmt: skip


class Clock:
    def __init__(self) -> None:
        self.steps: dict[str, float] = {}

    def __call__(self, what: str, began: float) -> None:
        self.steps[what] = time.process_time() - began


def test_a_month_of_tickets_and_sales_is_played_through_the_api(cast: Cast) -> None:
    coop, mill = houses(cast)
    for event in of_the_farms(coop.handle):
        outcome = post_to(SqlStore(BY), read_event(event))
        assert outcome.status == "posted", outcome.message
    secret, clock = token(cast, coop, "owner"), Clock()
    sent = list(of_the_elevator(coop.handle, mill.handle))
    began = time.process_time()
    statuses = [one["status"] for one in _sent(secret, sent, "a")]
    clock(f"{TICKETS:,} tickets, {SALES} sales, {len(sent):,} entries", began)
    assert statuses == ["posted"] * len(sent)
    began = time.process_time()
    again = {one["status"] for one in _sent(secret, sent[-BATCH:], "b")}
    clock("the last 200 once more", began)
    assert again == {"exists"}
    papers = {
        "statement": f"/custody/balance.pdf?since={FIRST}&on={LAST}", "day": f"/custody/day.pdf?on={LAST}",
    }  # fmt: skip
    for name, path in papers.items():
        began = time.process_time()
        paper = get(path, secret)
        clock(f"{name}, PDF", began)
        assert paper.content.startswith(b"%PDF"), paper.content[:200]
        if OUT:
            (Path(OUT) / f"{name}.pdf").write_bytes(paper.content)
    _adds_up(secret, sent)
    sys.stdout.writelines(f"{what}: {seconds:.2f} s CPU\n" for what, seconds in clock.steps.items())


def _sent(secret: str, events: list[Event], key: str) -> Iterator[dict[str, Any]]:
    for start in range(0, len(events), BATCH):
        answer = post("/custody/events/batch", secret, {"events": events[start : start + BATCH]}, f"{key}-{start}")
        assert answer.status_code == 201, answer.content
        yield from data(answer)


def _adds_up(secret: str, sent: list[Event]) -> None:
    """Hold the month's sums against what was sent."""
    sold = sum(parse(str(one["bushels"])) for one in sent if one["type"] == "sale")
    bought = sum(parse(weight(number)) for number in range(0, TICKETS, 2))
    (corn,) = data(get(f"/custody/balance/sums?since={FIRST}&on={LAST}", secret))["items"]
    assert parse(corn["incoming_bu"]) == bought
    assert parse(corn["ending_bu"]) == bought - sold
    (contract,) = data(get(f"/custody/deliveries?on={LAST}", secret))["items"]
    assert parse(contract["delivered_amount"]) == sold
    every = sum(parse(weight(number)) for number in range(TICKETS))
    moves = sum(1 for one in sent if one["type"] == "move")
    held = sum(parse(one["grain"]) for one in data(get("/custody/grain/sites", secret))["items"])
    assert held == every - sold - moves * parse("0.2")
