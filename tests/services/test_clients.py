"""The clients of a consultant stand by what is most urgent, and each says why in a few words."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from provender.database.actor import Actor
from provender.database.choices import Right, Role
from provender.services import clients
from provender.services.accounts.organisations import add_member, create_organisation
from provender.services.clients import Progress, Urgency, client_progress, places_by_need, progress_of
from provender.services.custody.context import context_of
from provender.services.steps import NextStep
from tests.web.cast import Cast
from tests.web.custody_season import fill_custody

BY = Actor(None, "test")
STEP = NextStep("farm", "Something", "")
DAY = date(2025, 12, 1)


def test_clients_stand_by_what_is_most_urgent(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {
        "A nothing": Progress(why="Nothing to do"),
        "B asked": Progress(Urgency.ASKED, "1 field to ask about", (STEP,), 0, 1),
        "C asked more": Progress(Urgency.ASKED, "3 fields to ask about", (STEP,), 0, 3),
        "D amendment": Progress(Urgency.AMENDMENT, "1 amendment to sign", (STEP,), 0, 1, Decimal(100)),
        "E larger amendment": Progress(Urgency.AMENDMENT, "1 amendment to sign", (STEP,), 0, 1, Decimal(900)),
        "F blocked": Progress(Urgency.BLOCKED, "2 things left before 1 signature", (STEP,), 0, 2),
        "G in twelve days": Progress(Urgency.BY_DAY, "Period closes in 12 days", (STEP,), 12, 1),
        "H in two days": Progress(Urgency.BY_DAY, "Answer due in 2 days", (STEP,), 2, 1),
        "I contradicted": Progress(Urgency.BY_DAY, "1 claim against the records", (STEP,), 0, 1),
    }
    for name in known:
        client = create_organisation(name, roles=[Role.FARM], manager=cast.person("owner"), actor=BY)
        add_member(client, cast.person("consultant"), Right.WRITE, on_behalf_of=cast.adviser, actor=BY)
    monkeypatch.setattr(
        "provender.services.clients.client_progress", lambda one, _: known.get(one.name, Progress(why="Nothing to do"))
    )
    names = [place.name for place, _ in places_by_need(cast.person("consultant"), DAY)]
    assert [one for one in names if one in known] == [
        "I contradicted", "H in two days", "G in twelve days", "F blocked", "E larger amendment", "D amendment",
        "C asked more", "B asked", "A nothing",
    ]  # fmt: skip
    assert names[-1] == cast.adviser.name


def test_a_farm_that_owes_an_answer_is_urgent_by_the_day_it_is_due(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    owed = [("audit", type("Finding", (), {"due": DAY + timedelta(days=5)})())]
    monkeypatch.setattr(clients, "to_answer", lambda _: owed)
    monkeypatch.setattr(clients, "answer_step", lambda *_: STEP)
    found = client_progress(cast.farm, DAY)
    assert (found.urgency, found.days, found.parts[0]) == (Urgency.BY_DAY, 5, STEP._replace(words="Something."))
    assert found.why.startswith("Answer due in 5 days")


def test_who_has_nothing_to_do_says_so_and_a_trader_is_urgent_by_the_close_of_its_period(cast: Cast) -> None:
    few, many = (Progress(why="Nothing to do", bushels=Decimal(bushels)) for bushels in (1, 900))
    assert few.order == many.order, "they stand by name: nothing of theirs is at stake"
    assert progress_of(cast.adviser) == Progress(why="Nothing to do")
    fill_custody(cast)
    context = context_of(cast.mill, actor=BY, today=DAY)
    assert context is not None
    end = min(one.end for one in context.periods if one.closed is None)
    for left, said in ((12, "Period closes in 12 days"), (1, "Period closes in 1 day"), (0, "Period closes today"),
                       (-3, "Period ended 3 days ago")):  # fmt: skip
        found = client_progress(cast.mill, end - timedelta(days=left))
        assert (found.urgency, found.days) == (Urgency.BY_DAY, left)
        assert found.why.startswith(f"{said}, ")
        assert found.why.endswith(" left")
        assert found.parts[0].page == "custody_period"
    assert client_progress(cast.mill, end - timedelta(days=60)).urgency is Urgency.ASKED
