"""What an elevator, crusher or refiner does on the pages of its book, by calls: looking, trying, entering, papers."""

from base64 import b64encode
from typing import Any

import pytest

from provender.custody.documents.receive import sign_document
from provender.custody.events.registry import post as post_to
from provender.custody.events.registry import read_event
from provender.database.choices import Role
from provender.database.models.accounts import Organisation, SupplyContract
from provender.database.models.custody import CustodyEvent
from provender.database.models.farm import Upload
from provender.database.store.custody import SqlStore
from provender.exact import parse
from provender.services.accounts.organisations import create_organisation
from provender.services.accounts.tokens import create_token
from provender.services.custody.entry import register_entity
from provender.signing.keys import SigningKey
from tests.custody.world import ev
from tests.web.api.test_calls import data, get, post
from tests.web.api.test_every_call import all_of, sale, token
from tests.web.cast import Cast
from tests.web.custody.asking import TICKETS
from tests.web.custody.test_files import sold_outside
from tests.web.custody_season import BY, SALT, Season, days_ago
from tests.web.organisation.test_api import day

Traded = tuple[Cast, Season, str]


@pytest.fixture
def traded(cast: Cast, season: Season) -> Traded:
    return cast, season, token(cast, cast.mill, "owner")


def bushels(rows: list[dict[str, Any]], name: str = "bushels") -> int:
    return sum(parse(one[name]) for one in rows)


def test_lots_are_chosen_by_what_a_row_of_the_stock_says_and_add_up_to_it(traded: Traded) -> None:
    *_, mill = traded
    names = ("crop", "form", "site", "state", "harvest_year", "ci_g_per_bu")
    rows = all_of("/custody/stock", mill, 1)
    assert rows
    for row in rows:
        for name in names:
            found = all_of(f"/custody/lots?{name}={row[name]}", mill)
            assert {str(one[name]) for one in found} == {str(row[name])}
        found = all_of("/custody/lots?" + "&".join(f"{name}={row[name]}" for name in names), mill, 1)
        assert (len(found), bushels(found, "amount")) == (row["lots"], parse(row["amount"]))
        assert bushels(found, "stop_bu") - bushels(found, "start_bu") == parse(row["bushels"])
    assert sum(row["lots"] for row in rows) == len(all_of("/custody/lots", mill))
    assert all_of("/custody/lots?crop=barley", mill) == []
    assert get("/custody/lots?state=gone", mill).status_code == 422
    assert get("/custody/lots?ci_g_per_bu=%D9%A3", mill).status_code == 422, "a digit of another script"


def test_lots_and_movements_tell_their_event_and_uses_to_their_parties_only(traded: Traded) -> None:
    cast, season, mill = traded
    lot = data(get("/custody/lots?form=soybeans", mill))["items"][0]
    assert data(get(f"/custody/lot?lot={lot['lot']}", mill))["lot"] == lot
    sold = data(get(f"/custody/movement?event={season.sale}", mill))["lots"][0]
    assert get(f"/custody/lot?lot={sold['lot']}", mill).status_code == 404, "where it lies now is the buyer's business"
    other = token(cast, cast.elevator, "stranger")
    assert get(f"/custody/lot?lot={lot['lot']}", other).status_code == 404
    found = data(get(f"/custody/movement?event={season.sale}", mill))
    assert (found["event"]["type"], found["event"]["bushels"], found["corrected_by"]) == ("sale", "500", "")
    assert sum(float(one["stop_bu"]) - float(one["start_bu"]) for one in found["lots"]) == 500
    assert get("/custody/movement?event=none", mill).status_code == 404
    other = token(cast, cast.elevator, "stranger")
    assert get(f"/custody/movement?event={season.sale}", other).status_code == 200
    assert get("/custody/movement?event=process-1", other).status_code == 404


def test_movements_turn_their_pages_to_the_end(traded: Traded) -> None:
    *_, secret = traded
    whole = data(get("/custody/movements?limit=200", secret))["items"]
    found, older = [], ""
    while older is not None:
        page = data(get(f"/custody/movements?limit=2&older={older}", secret))
        found += page["items"]
        older = page["older"]
    assert found == whole
    assert get("/custody/movements?older=2025-02-30.1", secret).status_code == 422


def test_what_is_due_of_periods_closes_and_declares_them(traded: Traded) -> None:
    cast, season, mill = traded
    due = data(get("/custody/periods/due", mill))
    assert due["close"] is None, "the period of today is not over"
    declared = {**due["declare"], "id": f"{cast.mill.handle}-p", "day": days_ago(0)}
    assert post("/custody/events", mill, {"event": declared}, "k1").status_code == 201
    standing = [one["standing"] for one in all_of("/custody/periods", mill)]
    assert standing == [f"Closed on {days_ago(59)}", "Open", "Not begun"]
    elevator = token(cast, cast.elevator, "stranger")
    closing = data(get("/custody/periods/due", elevator))["close"]
    assert (closing["day"], closing["closed_on"]) == (days_ago(61), days_ago(0))
    assert post("/custody/events", elevator, {"event": {**closing, "id": "close-e"}}, "k").status_code == 201
    assert get(f"/custody/periods/{season.closed}/restatement", mill).status_code == 404
    assert get("/custody/periods/2001-01-01/restatement", mill).status_code == 404


def closed_pool(cast: Cast, origin: str) -> tuple[Organisation, str]:
    """Open a first point that bought of the report and closed its period; return it with its owner's token."""
    pool = create_organisation(
        "Pat's Pool", roles=[Role.FIRST_POINT], manager=cast.person("owner"), actor=BY, handle="patspool"
    )
    register_entity(pool, day=day(-200), actor=BY, sites=["bin"])
    farm, slip = cast.farm.handle, {"origin": origin, "bushels": "1000"}
    events = [
        ev("period", "p1", days_ago(110), entity=pool.handle, start_day=days_ago(100), end_day=days_ago(41),
           policy="oldest_first"),
        ev("slip", "s1", days_ago(50), giver=farm, taker=pool.handle, **slip),
        ev("purchase", "b1", days_ago(45), giver=farm, taker=pool.handle, slip="s1", bushels="1000", site="bin",
           tickets=[{"number": "T-1", "bushels": "1000"}]),
        ev("close", "c1", days_ago(41), entity=pool.handle, closed_on=days_ago(39)),
    ]  # fmt: skip
    assert [post_to(SqlStore(BY), read_event(event)).status for event in events] == ["posted"] * 4
    return pool, token(cast, pool, "owner")


def amend_report(cast: Cast) -> None:
    changed = {"crop": "soybeans", "harvest_year": 2025, "bushels": "10000", "salt": SALT, "report": "0e" * 32}
    amended = ev("report", "report-2", days_ago(5), entity=cast.farm.handle, ci="6000.25", version=2, **changed)
    assert post_to(SqlStore(BY), read_event(amended)).status == "posted"


def test_a_closed_period_is_restated_once_a_report_behind_it_changed(traded: Traded) -> None:
    cast, season, _ = traded
    _, secret = closed_pool(cast, season.origin)
    where = f"/custody/periods/{days_ago(100)}"
    assert get(f"{where}/restatement", secret).status_code == 404
    amend_report(cast)
    closed, again = (data(get(f"{where}/{which}", secret)) for which in ("balance", "restatement"))
    assert [(one["ci_g_per_bu"], one["ending_bu"]) for one in closed["lines"]] == [("5000.25", "1000")]
    assert [(one["ci_g_per_bu"], one["ending_bu"]) for one in again["lines"]] == [("6000.25", "1000")]


def test_a_restatement_is_a_paper_to_print_and_to_hand_in_signed(traded: Traded) -> None:
    cast, season, mill = traded
    _, secret = closed_pool(cast, season.origin)
    where = f"/custody/papers/period?start={days_ago(100)}"
    assert get(where + "&restated=true", secret).status_code == 404
    amend_report(cast)
    paper = data(get(where + "&restated=true", secret))
    assert (paper["document"]["type"], paper["signature"]) == ("custody-period-restatement", None)
    edited = {**paper["document"], "restates": {}}
    for number, (document, answer) in enumerate([(edited, 409), (paper["document"], 201)]):
        signed = sign_document(document, SigningKey.generate())
        assert post("/custody/papers", secret, signed, f"k{number}").status_code == answer
    assert data(get(where + "&restated=true", secret))["signature"]
    assert data(get(where, secret))["signature"] is None
    assert get(where.replace("period?", "period.pdf?") + "&restated=true", secret).content.startswith(b"%PDF")
    assert get(f"/custody/papers/period?start={season.closed}&restated=true", mill).status_code == 404


@pytest.mark.parametrize("path", ["/custody/events", "/custody/events/batch"])
def test_a_contract_brings_its_partner_into_the_book_and_the_register_of_supply(traded: Traded, path: str) -> None:
    cast, _, mill = traded
    create_organisation("Pat's Pool", roles=[Role.FIRST_POINT], manager=None, actor=BY, handle="patspool")
    contract = {
        "type": "contract", "id": f"{cast.mill.handle}-c9", "day": days_ago(1), "entity": cast.mill.handle,
        "counterparty": "patspool", "role": "supplier", "number": "K-9", "start_day": days_ago(1),
    }  # fmt: skip
    before = CustodyEvent.objects.count()
    assert post("/custody/events/preview", mill, {"event": contract}, "k0").status_code == 200
    assert CustodyEvent.objects.count() == before, "a preview puts nobody into the book"
    answer = post(path, mill, {"events": [contract]} if path.endswith("batch") else {"event": contract}, "k1")
    assert answer.status_code == 201, answer.content
    assert next(one["name"] for one in all_of("/custody/contracts", mill) if one["number"] == "K-9") == "Pat's Pool"
    assert SupplyContract.objects.filter(number="K-9", seller__handle="patspool", buyer=cast.mill).count() == 1


def test_a_preview_answers_as_the_entry_would_and_writes_nothing(traded: Traded) -> None:
    cast, _, mill = traded
    before, body = CustodyEvent.objects.count(), sale(cast, "try-1", "5")
    tried = post("/custody/events/preview", mill, body, "k1")
    assert tried.status_code == 200, tried.content
    assert bushels(data(tried)["lots"], "amount") == 5_000
    assert CustodyEvent.objects.count() == before
    entered = post("/custody/events", mill, body, "k2")
    assert (entered.status_code, data(entered)["status"]) == (201, "posted")
    assert data(post("/custody/events", mill, body, "k3"))["status"] == "exists"
    assert post("/custody/events", mill, sale(cast, "try-1", "6"), "k4").status_code == 409
    after, too_much = data(get("/custody/stock", mill)), sale(cast, "try-2", "999999")
    both = {"events": [sale(cast, "try-4", "10")["event"], too_much["event"]]}
    whole = post("/custody/events/batch", mill, both, "k5")
    first, second = (post(f"/custody/events{end}", mill, too_much, f"k{end}") for end in ("/preview", ""))
    assert [one.status_code for one in (first, second, whole)] == [409] * 3
    assert data(first)["problems"] == data(second)["problems"]
    assert data(first)["problems"][0]["code"] == "exceeds_stock"
    assert data(get("/custody/stock", mill)) == after, "of a batch all stand or none"
    for end in ("/preview", ""):
        other = post(f"/custody/events{end}", cast.other_token_secret, sale(cast, "try-3", "1"), f"o{end}")
        assert (other.status_code, data(other)["problems"][0]["code"]) == (409, "not_yours_to_enter")


def test_a_document_from_outside_is_opened_its_signer_pinned_and_then_taken_in_once(traded: Traded) -> None:
    cast, _, mill = traded
    document = sign_document(sold_outside(cast), SigningKey.generate())
    body: dict[str, object] = {"document": document, "site": "north"}
    opened = data(post("/custody/documents/check", mill, {"document": document}, "k1"))
    assert (opened["usable"], [one["code"] for one in opened["problems"]]) == (False, ["signer_unknown"])
    refused = post("/custody/documents", mill, body, "k2")
    assert (refused.status_code, data(refused)["problems"][0]["code"]) == (409, "signer_unknown")
    register, pin = (one["event"] for one in opened["cures"])
    more = {"id": "e-1", "day": days_ago(30), "name": "Silo Elevator", "roles": ["first_point"]}
    assert post("/custody/events", mill, {"event": {**register, **more}}, "k3").status_code == 201
    more = {"id": "c-1", "day": days_ago(30), "entity": cast.mill.handle, "number": "K-7", "start_day": days_ago(30)}
    pinned = post("/custody/events", mill, {"event": {**pin, **more}}, "k4")
    assert pinned.status_code == 201, pinned.content
    assert data(post("/custody/documents/check", mill, {"document": document}, "k5"))["usable"]
    files = Upload.objects.filter(organisation=cast.mill).count()
    first, again = (post("/custody/documents", mill, body, key) for key in ("k6", "k6"))
    assert (first.status_code, again.content) == (201, first.content)
    assert Upload.objects.filter(organisation=cast.mill).count() == files + 1
    assert bushels(all_of("/custody/lots?state=unverified", mill), "amount") == 1_500_000
    assert all_of("/custody/lots?state=held&crop=corn", mill) == []


def test_tickets_are_read_confirmed_and_entered_by_a_token_for_custody_alone(traded: Traded) -> None:
    cast, _, _ = traded
    scopes = ["custody:read", "custody:write"]
    _, mill = create_token(cast.mill, name="scale", scopes=scopes, expires_on=day(1), actor=cast.actor("owner"))
    content = b64encode(TICKETS.format(day=days_ago(3)).encode()).decode()
    tickets = data(post("/files", mill, {"name": "tickets.csv", "content": content}, "k0"))["file"]
    before = CustodyEvent.objects.count()
    refused = post("/custody/tickets", mill, {"file": tickets}, "k1")
    assert (refused.status_code, data(refused)["problems"][0]["code"]) == (409, "columns_unconfirmed")
    read = data(get(f"/custody/tickets/reading?file={tickets}&limit=2", mill))
    assert (read["confirmed"], len(read["tickets"]), read["next"]) == (False, 2, 2)
    assert read["tickets"][0] == {
        "number": "1001", "day": days_ago(3), "site": "north", "crop": "soybeans", "customer": "Ada", "farm": "",
        "way": "in", "printed_bu": "1000", "ours_bu": "1000",
    }  # fmt: skip
    assert post("/custody/maps", mill, {"map": read["map"]}, "k2").status_code == 201
    assert [one["confirmed"] for one in all_of("/custody/maps", mill)] == [True]
    for key, entered, known in (("k3", 3, 0), ("k3", 3, 0), ("k4", 0, 3)):
        done = data(post("/custody/tickets", mill, {"file": tickets}, key))
        assert (done["entered"], done["known"], done["refused"]) == (entered, known, [])
    assert CustodyEvent.objects.count() == before + 3
    other = token(cast, cast.elevator, "stranger")
    assert get(f"/custody/tickets/reading?file={tickets}", other).status_code == 404
    assert post("/custody/tickets", other, {"file": tickets}, "k").status_code == 404
    assert all_of("/custody/maps", other) == []


def test_what_is_no_column_map_is_not_kept(traded: Traded) -> None:
    *_, mill = traded
    ticket = {"name": "x", "target": "ticket", "fingerprint": "f"}
    wrong: list[dict[str, object]] = [
        {}, {"name": 3}, {**ticket, "target": "contract", "columns": []},
        {**ticket, "columns": [{"heading": "No", "field": "password"}]},
        {**ticket, "columns": [{"heading": "No", "field": "number", "x": 1}]},
    ]  # fmt: skip
    for number, one in enumerate(wrong):
        answer = post("/custody/maps", mill, {"map": one}, f"k{number}")
        assert (answer.status_code, data(answer)["problems"][0]["code"]) == (409, "map_unreadable"), one
    assert all_of("/custody/maps", mill) == []


def test_a_statement_downloaded_before_another_entry_is_kept_and_one_of_an_older_head_is_not(traded: Traded) -> None:
    cast, season, _ = traded
    pool, secret = closed_pool(cast, season.origin)
    document = data(get(f"/custody/papers/period?start={days_ago(100)}", secret))["document"]
    assert document["book"]["lines"] == 3, "its period, its purchase and its close; the farm's slip is the farm's"
    later = ev("period", "p2", days_ago(60), entity=pool.handle, start_day=days_ago(40), end_day=days_ago(0),
               policy="oldest_first")  # fmt: skip
    assert post_to(SqlStore(BY), read_event(later)).status == "posted"
    older = {**document, "book": {**document["book"], "lines": 1}}
    for number, (paper, answer) in enumerate([(older, 409), (document, 201)]):
        signed = sign_document(paper, SigningKey.generate())
        assert post("/custody/papers", secret, signed, f"k{number}").status_code == answer


def test_a_paper_is_never_typed_beside_an_act(traded: Traded) -> None:
    """Whoever enters it would have pinned the keys itself: the other party enters that it agrees, or sends a file."""
    cast, season, mill = traded
    beside = {"return": {"taker": "x"}, "reject": {"giver": "x"}, "correct": {"reason": "x"}, "settle": {}}
    ours = {"return": "giver", "reject": "taker", "correct": "entity", "settle": "entity"}
    for kind, more in beside.items():
        fields = {ours[kind]: cast.mill.handle, "movement": season.delivery, "paper": "{}", **more}
        event = ev(kind, f"{kind}-1", days_ago(1), **fields)
        for path, body in (
            ("/custody/events", {"event": event}),
            ("/custody/events/preview", {"event": event}),
            ("/custody/events/batch", {"events": [event]}),
        ):
            answer = post(path, mill, body, f"key-{kind}-{path[16:]}")
            assert answer.status_code == 409, answer.content
            assert data(answer)["problems"][0]["code"] == "paper_is_a_file"
