"""One move of grain and claims: one form, one call, one command; all of it stands or nothing; and the bins."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from provender.cli.custody.app import app
from provender.custody.model.grain_book import GrainEntry
from provender.database.models import CustodyEvent
from provender.database.store.custody import SqlStore
from tests.web.api.test_calls import data, get, post
from tests.web.api.test_every_room import token
from tests.web.cast import Cast
from tests.web.custody.test_trade_pages import where
from tests.web.custody_season import BY, Season, days_ago, fill_custody


@pytest.fixture
def season(cast: Cast) -> Season:
    return fill_custody(cast)


def act(cast: Cast, name: str, **more: str) -> dict[str, str]:
    return {"type": "move", "id": name, "day": days_ago(0), "entity": cast.mill.handle, "crop": "soybeans",
            "site": "north", "to_site": "plant", **more}  # fmt: skip


GRAIN = {"out_ticket": "M-1", "out_amount": "500"}


def events() -> list[str]:
    return list(CustodyEvent.objects.order_by("id").values_list("name", flat=True))


def test_grain_and_claims_move_by_one_form(cast: Cast, season: Season) -> None:
    client, page = cast.client(), where(cast, "custody_enter", "move")
    asked = client.get(page)
    name = asked.context["form"].initial["event"]
    sent = {"event": name, "day": days_ago(0), "crop": "soybeans", "site": "north", "to_site": "plant",
            "bushels": "100", "out_ticket": "M-1", "out_amount": "500", "in_amount": "499"}  # fmt: skip
    before = events()
    shown = client.post(page, {**sent, "do": "preview"})
    assert events() == before
    assert shown.context["preview"]["taken"]["bushels"] == "100"
    assert ("Weights", "1 bu (0.2 %) less came than left") in shown.context["preview"]["facts"]
    assert client.post(page, {**sent, "do": "post"}).status_code == 302
    assert events() == [*before, f"{name}/out", f"{name}/in", name]
    with SqlStore(BY).reading() as facts:
        came = facts.one(GrainEntry, f"{cast.mill.handle}/plant/M-1")
    assert came
    assert (came.amount, came.source) == (499_000, f"{cast.mill.handle}/north/M-1")
    assert client.post(page, {**sent, "do": "post"}).status_code == 302, "sent again it changes nothing"
    assert len(events()) == len(before) + 3


def test_a_call_moves_grain_alone_claims_alone_or_both_and_repeats_are_known(cast: Cast, season: Season) -> None:
    mill = token(cast, cast.mill, "owner")
    for asked, more in (
        (act(cast, "grain", **GRAIN), ["grain/out", "grain/in"]),
        (act(cast, "claims", bushels="10"), ["claims"]),
        (act(cast, "both", out_ticket="M-2", out_amount="9", bushels="9"), ["both/out", "both/in", "both"]),
    ):
        before = events()
        assert post("/custody/events/preview", mill, {"event": asked}, f"p-{asked['id']}").status_code == 200
        for turn in range(2):
            answer = post("/custody/events", mill, {"event": asked}, f"{asked['id']}-{turn}")
            assert answer.status_code == 201, answer.content
            assert data(answer)["status"] == ("exists" if turn else "posted")
        assert events() == [*before, *more]


def test_a_batch_takes_a_move_as_one_and_none_of_it_stands_where_a_later_event_is_refused(
    cast: Cast, season: Season
) -> None:
    mill, before = token(cast, cast.mill, "owner"), events()
    both = act(cast, "both", **GRAIN, bushels="9")
    wrong = act(cast, "wrong", bushels="999999")
    assert post("/custody/events/batch", mill, {"events": [both, wrong]}, "b1").status_code == 409
    assert events() == before
    answers = data(post("/custody/events/batch", mill, {"events": [both]}, "b2"))
    assert [(one["id"], one["status"]) for one in answers] == [("both", "posted")]


REFUSED: dict[str, tuple[dict[str, str], str]] = {
    "more claims than there are": ({**GRAIN, "bushels": "999999"}, "exceeds_stock"),
    "a ticket without its weight": ({"out_ticket": "M-1"}, "ticket_missing"),
    "a weight without its ticket": ({"out_amount": "5"}, "ticket_missing"),
    "a bin without a ticket": ({"to_bin": "5"}, "ticket_missing"),
    "it came before it left": ({**GRAIN, "in_day": days_ago(1)}, "dates_reversed"),
    "one number twice at a site": ({**GRAIN, "to_site": "north", "from_bin": "1", "to_bin": "2"}, "ticket_differs"),
    "claims within a site": ({**GRAIN, "to_site": "north", "in_ticket": "M-2", "bushels": "1"}, "same_site"),
    "weights beyond two scales": ({**GRAIN, "in_amount": "497.999"}, "weights_differ"),
    "more came than two scales explain": ({**GRAIN, "in_amount": "502.001"}, "weights_differ"),
    "a site that is not its own": ({**GRAIN, "to_site": "mars"}, "site_not_found"),
    "less than nothing": ({**GRAIN, "in_amount": "-5"}, "amount_not_positive"),
    "no such form": ({**GRAIN, "form": "gold"}, "form_not_possible"),
}


def test_a_move_that_is_refused_leaves_nothing(cast: Cast, season: Season) -> None:
    mill, before = token(cast, cast.mill, "owner"), events()
    for place, (what, (more, code)) in enumerate(REFUSED.items()):
        answer = post("/custody/events", mill, {"event": act(cast, "m", **more)}, f"refused-{place}")
        assert answer.status_code in (409, 422), what
        assert code in answer.content.decode(), what
    assert events() == before


def test_weights_that_two_good_scales_give_need_no_reason_and_others_one(cast: Cast, season: Season) -> None:
    mill = token(cast, cast.mill, "owner")
    for place, came in enumerate(("498", "502", "500")):
        asked = act(cast, f"m{place}", out_ticket=f"M-{place}", out_amount="500", in_amount=came)
        assert post("/custody/events", mill, {"event": asked}, came).status_code == 201, came
    said = {"in_amount": "470", "reason": "dried on the way", "out_ticket": "M-9", "out_amount": "500"}
    answer = post("/custody/events", mill, {"event": act(cast, "n", **said)}, "n")
    assert answer.status_code == 201, answer.content
    entered = CustodyEvent.objects.get(name="n/in")
    assert json.loads(entered.text)["reason"] == "dried on the way"


def test_the_bins_are_the_same_on_the_page_and_in_the_call(cast: Cast, season: Season) -> None:
    mill = token(cast, cast.mill, "owner")
    asked = act(cast, "m", **GRAIN, from_bin="N1", to_bin="P1")
    assert post("/custody/events", mill, {"event": asked}, "m").status_code == 201
    found = data(get("/custody/grain/bins", mill))["items"]
    assert [(one["site"], one["bin"], one["amount"], one["short_amount"], one["ci_g_per_bu"]) for one in found] == [
        ("north", "N1", "0", "500", None), ("plant", "P1", "500", "0", None),
    ]  # fmt: skip
    table = cast.client().get(where(cast, "custody_grain")).context["bins"]
    assert [row[1].text for row in table.rows] == ["N1", "P1"]


def test_a_command_moves_all_or_nothing_in_a_book_on_disk(tmp_path: Path) -> None:
    book = tmp_path / "coop.jsonl"

    def run(*words: str) -> tuple[int, str]:
        answer = CliRunner().invoke(app, [words[0], str(book), *words[1:]])
        return answer.exit_code, answer.output

    run("init", "--entity", "coop", "--name", "Coop", "--role", "first_point", "--site", "a", "--site", "b")
    run("add", "receipt", "form=corn", "amount=100", "number=T1", "site=a", "bin=1", "--as-of", "2026-01-05")
    before = book.read_text()
    move = ["move", "--crop", "corn", "--site", "a", "--to-site", "b", "--out-ticket", "M1", "--out-amount", "60",
            "--from-bin", "1", "--to-bin", "9", "--as-of", "2026-01-06"]  # fmt: skip
    status, said = run(*move, "--bushels", "60")
    assert (status, "period_not_declared" in said) == (1, True)
    assert book.read_text() == before, "nothing of it is in the book"
    status, said = run(*move)
    assert status == 0, said
    status, said = run("bins", "--json", "--as-of", "2026-01-06")
    assert [(one["bin"], one["amount"]) for one in json.loads(said)["bins"]] == [("1", "40"), ("9", "60")]
