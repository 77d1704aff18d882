"""A lot is asked for as pages print it; a trace shows all that its viewer did with it, nothing of what others did."""

import json
import re
from decimal import Decimal
from itertools import pairwise

import pytest
from django.test import Client
from django.urls import reverse

from provender.custody.model.store_view import printed, read_lot_name, whole_code
from provender.exact import CI_SCALE
from provender.services.custody.context import lots_meant, origin_for
from provender.services.custody.movements import NODES, _folded
from tests.custody.world import ev
from tests.web.api.test_calls import data, get, post
from tests.web.api.test_every_call import token
from tests.web.cast import Cast
from tests.web.custody.asking import entered, where
from tests.web.custody.test_outsiders import NOBODY, ROLES, _outsider, _plain, _statusless
from tests.web.custody_season import Season, days_ago

pytestmark = pytest.mark.django_db


def on_the_page(cast: Cast, page: str = "custody_lots", **asked: str) -> list[tuple[str, str]]:
    """Return code and serials of each lot as a page of the mill prints them."""
    shown = cast.client().get(reverse(page, args=(cast.mill.handle,)), asked)
    return [
        (row[0].note, next(cell.text for cell in row if re.fullmatch(r"[\d,.]+-[\d,.]+", cell.text)))
        for row in shown.context["lots"].cells
    ]


def test_what_the_list_of_lots_prints_is_traced_and_found(cast: Cast, season: Season) -> None:
    shown = on_the_page(cast)
    assert shown
    assert all("…" in code for code, _ in shown), "the codes do not fit"
    client, mill = cast.client(), token(cast, cast.mill, "owner")
    where = reverse("custody_trace", args=(cast.mill.handle,))
    for code, serials in shown:
        for typed in (code, f"{code} {serials}", f"{code.strip('…')}: {serials.replace('-', ' to ')} bu"):
            page = client.get(where, {"find": typed})
            assert "missing" not in page.context, typed
            assert get(f"/custody/trace?find={typed}", mill).status_code == 200, typed
        assert get(f"/custody/lot?lot={code} {serials}", mill).status_code == 200
        facts = dict(client.get(where, {"find": f"{code} {serials}"}).context["facts"])
        assert facts["Serials"].replace(" to ", "-").removesuffix(" bu") == serials
    found = client.get(reverse("organisation_search", args=(cast.mill.handle,)), {"q": shown[0][0]}).content.decode()
    assert "custody/trace" in found


def test_lots_named_in_a_sale_may_be_typed_as_they_are_printed(cast: Cast, season: Season) -> None:
    origin, serials = season.origin, on_the_page(cast)[0][1].replace(",", "")
    start = serials.split("-")[0]
    lot = {"origin": printed(origin), "start": start, "stop": str(int(start) + 10)}
    sale = {"type": "sale", "id": "short", "day": days_ago(1), "giver": cast.mill.handle, "taker": cast.elevator.handle,
            "crop": "soybeans", "site": "north", "lots": [lot]}  # fmt: skip
    mill = token(cast, cast.mill, "owner")
    assert post("/custody/events/preview", mill, {"event": sale}, "k1").status_code == 200
    done = post("/custody/events", mill, {"event": sale}, "k2")
    assert done.status_code == 201, done.content
    assert json.loads(get("/custody/movement?event=short", mill).content)["lots"][0]["origin"] == origin
    typed = {"do": "preview", "day": days_ago(1), "taker": cast.elevator.handle, "crop": "soybeans", "site": "north",
             "lots": f"{printed(origin)} {int(start) + 10}-{int(start) + 20}"}  # fmt: skip
    page = cast.client().post(reverse("custody_enter", args=(cast.mill.handle, "sale")), typed)
    assert page.status_code == 200, page.context["form"].errors
    assert "Named here" in page.content.decode()


def test_a_printed_code_tells_nothing_to_whoever_never_held_the_lot(cast: Cast, season: Season) -> None:
    origin = season.origin
    names = [f"{code}{serials}" for code in (origin, origin[:10], printed(origin), NOBODY, NOBODY[:10], "0123456789…")
             for serials in ("", " 0-500")]  # fmt: skip
    outside = _outsider(cast, "plant", ROLES["plant"])
    for path in ("/custody/lot?lot=", "/custody/trace?find=", "/custody/trace.svg?find="):
        assert len({_plain(get(path + name, outside.secret), name) for name in names}) == 1, path
    page = reverse("custody_trace", args=(outside.organisation.handle,))
    assert len({_statusless(outside.client.get(page, {"find": name}), name) for name in names}) == 1
    found = reverse("organisation_search", args=(outside.organisation.handle,))
    assert not [name for name in names if "custody/trace?" in outside.client.get(found, {"q": name}).content.decode()]
    assert not [name for name in names if lots_meant(outside.organisation.handle, name)]
    assert not lots_meant(cast.elevator.handle, f"{origin} 500-4000"), "of the origin it held others"
    assert lots_meant(cast.elevator.handle, f"{printed(origin)} 4000-6000")


def test_a_code_alone_means_what_is_left_and_what_was_sold_and_the_call_asks_which(cast: Cast, season: Season) -> None:
    lots = lots_meant(cast.mill.handle, season.origin)
    assert {lot.owner for lot in lots} == {cast.mill.handle, cast.elevator.handle}
    ranges = sorted((lot.start, lot.stop) for lot in lots)
    assert all(before[1] <= after[0] for before, after in pairwise(ranges)), "no serial is told twice"
    code = on_the_page(cast)[0][0]
    said = get(f"/custody/lot?lot={code}", token(cast, cast.mill, "owner"))
    assert said.status_code in (409, 422)
    assert "serials" in said.content.decode()


def test_a_house_that_only_stores_a_lot_sees_no_farm_behind_it(cast: Cast, season: Season) -> None:
    start = int(on_the_page(cast)[0][1].replace(",", "").split("-")[0])
    store = {"type": "storage", "id": "stored", "day": days_ago(2), "owner": cast.mill.handle, "site": "scale",
             "custodian": cast.elevator.handle,
             "lots": [{"origin": season.origin, "start": str(start), "stop": str(start + 10)}]}  # fmt: skip
    elevator, mill = token(cast, cast.elevator, "stranger"), token(cast, cast.mill, "owner")
    assert post("/custody/events", elevator, {"event": store}, "k").status_code == 201
    own = origin_for(season.origin, cast.elevator.handle)
    seen = json.loads(get("/custody/lot?lot=stored/1", elevator).content)
    assert (seen["lot"]["origin"], seen["lot"]["supplier"], seen["report_hash"]) == (own, "", None)
    known = json.loads(get("/custody/lot?lot=stored/1", mill).content)
    assert (known["lot"]["origin"], known["lot"]["supplier"]) == (season.origin, cast.farm.handle)
    assert known["report_hash"], "its owner sees what stands behind it"
    sold = {"type": "release", "id": "given-9", "day": days_ago(0), "entity": cast.mill.handle, "crop": "soybeans",
            "lots": [{"origin": season.origin, "start": str(start), "stop": str(start + 5)}]}  # fmt: skip
    assert post("/custody/events", mill, {"event": sold}, "k2").status_code == 201
    told = get("/custody/movement?event=given-9", elevator)
    assert told.status_code == 200, "it lay in the house"
    assert season.origin not in told.content.decode()
    assert own in told.content.decode()


def test_a_name_is_read_as_printed_and_many_holders_folded_into_one_box_of_their_sum() -> None:
    long = "3f9ac2d1aa" + "0" * 54
    assert read_lot_name(f"{printed(long)} 1,000-3,000").span == (1_000_000, 3_000_000)
    assert read_lot_name(f"{long}:0-0.5").span == (0, 500)
    assert read_lot_name("m12/1").code == "m12/1"
    assert re.fullmatch(r"3f9ac2d1aa…", printed(long))
    assert whole_code(printed(long), [long]) == long
    assert whole_code(printed(long), [long, long[:-1] + "1"]) == printed(long), "which of two, nobody guesses"
    assert whole_code("ada/corn/2", ["ada/corn/2025"]) == "ada/corn/2", "a short one is printed whole"
    assert read_lot_name("a 1..2-3").span is None
    layer = {f"0:Farm {number}": 1_000 * (number + 1) for number in range(30)}
    boxes = _folded(0, layer)
    assert set(boxes) == set(layer)
    shown = {box: sum(layer[key] for key in layer if boxes[key] == box) for box in boxes.values()}
    assert len(shown) == NODES
    assert sum(shown.values()) == sum(layer.values())
    assert shown["0:19 more"] == sum(1_000 * number for number in range(1, 20))


@pytest.fixture
def vouched(cast: Cast, season: Season) -> Season:
    said = {"crops": ["soybeans"], "opinion": "favourable", "verifier": "vic", "number": "V-2"}
    days = {"start_day": days_ago(100), "end_day": days_ago(-100)}
    entered(ev("statement", "statement-2", days_ago(99), entity=cast.elevator.handle, **said, **days))
    return season


def stations(client: Client, address: str, find: str) -> list[tuple[str, str, str, str]]:
    """Return what, bushels, form and state of each row of a trace."""
    table = client.get(address, {"find": find}).context["links"]
    return [(row[1].text, row[6].text, row[7].text, row[7].note) for row in table.cells]


def processed(cast: Cast) -> None:
    """Let the mill take the elevator's delivery in and turn part of it into oil."""
    mill = cast.mill.handle
    entered(ev("accept", "accept-1", days_ago(26), taker=mill, movement="sale-elevator", site="plant"))
    entered(
        ev(
            "process", "process-2", days_ago(25), entity=mill, crop="soybeans", bushels="700", output="soybean_oil",
            site="plant",
        )
    )  # fmt: skip


def test_a_purchase_is_traced_to_its_oil_and_an_answer_has_no_id(cast: Cast, vouched: Season, owner: Client) -> None:
    trace = where(cast, "custody_trace")
    assert stations(owner, trace, "sale-elevator")[-1] == ("Sale", "800 bu", "Soybeans", "In transit")
    processed(cast)
    rows = stations(owner, trace, "sale-elevator")
    assert ("Process", "Soybean oil", "Held") in [(what, form, state) for what, _, form, state in rows]
    assert [state for what, _, _, state in rows if what in ("Sale", "Purchase")] == [""] * sum(
        what in ("Sale", "Purchase") for what, *_ in rows
    ), "what went on lies there no more"
    chains = [row for row in rows if row[0] == "Report"]
    assert sum(int(bushels.removesuffix(" bu")) for _, bushels, _, _ in chains) == 800
    entered(ev("accept", "accept-8", days_ago(12), taker=cast.elevator.handle, movement="sale-mill", site="scale"))
    told = data(get("/custody/movement?event=sale-mill", token(cast, cast.mill, "owner")))
    assert (told["answer"], told["answered_by"]) == ("accept", ""), "only the buyer may open it"
    assert set(told["lots_answered"]) == {"accept"}
    assert "accept-8" not in str(told)
    assert "accept-8" not in owner.get(where(cast, "custody_movement"), {"id": "sale-mill"}).content.decode()
    buyer = data(get("/custody/movement?event=sale-mill", token(cast, cast.elevator, "stranger")))
    assert buyer["answered_by"] == "accept-8"


def test_a_table_by_farm_says_the_numbers_of_the_drawing(cast: Cast, vouched: Season, owner: Client) -> None:
    """Each origin with its bushels, share and intensity: they add up to what is drawn, and nobody's name is opened."""
    processed(cast)
    shown = owner.get(where(cast, "custody_trace"), {"find": "sale-elevator"})
    found = shown.context["found"]
    drawn = sum(one.bushels for one in found.stations if one.type == "report")
    assert sum(one.bushels for one in found.farms) == drawn == 800_000
    assert sum(Decimal(one.share_pct) for one in found.farms) == 100
    assert {(one.origin, one.farm) for one in found.farms} <= {
        (one.origin, one.taker) for one in found.stations if one.type == "report"
    }
    assert all(one.ci_g_per_bu for one in found.farms)
    table = shown.context["farms"]
    assert table.foot[0][3][1].text == "800 bu"
    weighed = sum(Decimal(one.ci_g_per_bu or 0) * one.bushels for one in found.farms) / 800_000
    mean = Decimal(table.foot[0][5][1].text.replace(",", ""))
    assert abs(mean.scaleb(CI_SCALE) - weighed) <= Decimal("0.5"), "the sum says the mean of the whole"
    assert "By farm of origin" in shown.content.decode()


def test_the_seller_sees_no_station_and_no_cut_of_what_the_buyer_did(cast: Cast, vouched: Season) -> None:
    seller = cast.client("stranger")
    address = reverse("custody_trace", args=(cast.elevator.handle,))
    entered(ev("accept", "accept-1", days_ago(26), taker=cast.mill.handle, movement="sale-elevator", site="plant"))
    before = stations(seller, address, "sale-elevator")
    call = token(cast, cast.elevator, "stranger")
    by_call = data(get("/custody/trace?find=sale-elevator", call))["items"]
    entered(
        ev(
            "process", "process-2", days_ago(25), entity=cast.mill.handle, crop="soybeans", bushels="700",
            output="soybean_oil", site="plant",
        )
    )  # fmt: skip
    assert stations(seller, address, "sale-elevator") == before
    assert data(get("/custody/trace?find=sale-elevator", call))["items"] == by_call
    assert "oil" not in str(by_call)
