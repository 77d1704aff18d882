"""Whoever does not hold a lot is told one thing: that it is not his (interpretation 70).

One season is put into the book. Then outsiders of every role ask every door for what exists and for what does not: the
answers may differ in nothing but what was typed. The doors are read from the description of the API and from the
addresses too, so that a new one is asked.

A lot is asked for as pages print it; a trace shows all that its viewer did with it, nothing of what others did.
"""

import json
import re
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from provender.custody.events.registry import post as post_to
from provender.custody.events.registry import read_event
from provender.custody.model.store_view import printed, read_lot_name, whole_code
from provender.database.choices import Role
from provender.database.models.accounts import Organisation
from provender.database.models.custody import CustodyEvent, CustodyLot
from provender.database.models.farm import Upload
from provender.database.store.custody import SqlStore
from provender.exact import CI_SCALE
from provender.services.accounts.organisations import create_organisation
from provender.services.custody.context import lots_meant, origin_for
from provender.services.custody.entry import register_entity
from provender.services.custody.movements import NODES, _folded
from tests.custody.world import ev
from tests.web.api.test_calls import data, description, get, post
from tests.web.api.test_every_call import token
from tests.web.cast import Cast
from tests.web.custody.asking import entered, where
from tests.web.custody_season import BY, Season, days_ago
from tests.web.test_odd_questions import PAGES

NOBODY: Final = "ab" * 32

TYPED: Final = "TYPED"

ROLES: Final = {
    "plant": (Role.FIRST_POINT, Role.PROCESSOR, Role.REFINER),
    "grower": (Role.FARM,),
}

SPANS: Final = (("0", "3000"), ("0", "100"), ("2900", "3100"), ("3000", "4000"), ("4000", "6000"), ("8000", "9000"))

"""Of the season's origin: bought, crushed and sold; bought by another; assigned to a buyer; still with the farm."""


class Outside(NamedTuple):
    """An organisation that holds nothing of the season, and its two doors."""

    organisation: Organisation
    secret: str
    client: Client


@pytest.fixture
def season(cast: Cast, season: Season) -> Season:
    # Claims that ended, and one that came back: whatever became of them, an outsider hears the same.
    retired = ev("retire", "retire-mill", days_ago(26), entity=cast.mill.handle, crop="soybeans", form="soybean_oil",
                 pounds="500", fuel="biodiesel", batch="B-1", gallons="60")  # fmt: skip
    assert post_to(SqlStore(BY), read_event(retired)).status.well
    return season


def _outsider(cast: Cast, name: str, roles: tuple[Role, ...]) -> Outside:
    """Let somebody open a book of his own, with a period of today and a contract with everybody of the season."""
    person = cast.person("stranger")
    made = create_organisation(f"Outside {name}", roles=list(roles), manager=person, actor=BY, handle=f"out-{name}")
    register_entity(made, day=date.fromisoformat(days_ago(100)), actor=BY, sites=["yard"])
    store = SqlStore(BY)
    if roles != (Role.FARM,):
        period = ev("period", f"period-{name}", days_ago(80), entity=made.handle, start_day=days_ago(70),
                    end_day=days_ago(-15), policy="oldest_first")  # fmt: skip
        assert post_to(store, read_event(period)).status.well
    for number, other in enumerate((cast.farm, cast.elevator, cast.mill)):
        contract = ev("contract", f"contract-{name}-{number}", days_ago(70), entity=made.handle, number=f"C-{number}",
                      counterparty=other.handle, role="supplier", start_day=days_ago(70))  # fmt: skip
        assert post_to(store, read_event(contract)).status.well
    client = Client()
    client.force_login(person)
    return Outside(made, token(cast, made, "stranger"), client)


def _naming_serials(cast: Cast, me: str, kind: str) -> Callable[[str, tuple[str, str]], dict[str, Any]]:
    mine: dict[str, dict[str, Any]] = {
        "sale": {"giver": me, "taker": cast.mill.handle, "crop": "soybeans"},
        "move": {"entity": me, "to_site": "yard", "crop": "soybeans"},
        "process": {"entity": me, "crop": "soybeans", "output": "soybean_oil"},
        "release": {"entity": me, "crop": "soybeans"},
        "loss": {"entity": me, "crop": "soybeans"},
        "retire": {"entity": me, "crop": "soybeans", "fuel": "f", "batch": "b", "gallons": "1"},
        "storage": {"owner": cast.farm.handle, "custodian": me, "site": "yard"},
        "slip": {"giver": me, "taker": cast.mill.handle},
        "share": {"giver": me, "taker": cast.mill.handle},
        "document": {"giver": "elsewhere", "taker": me, "number": "D-1"},
    }

    def event(origin: str, span: tuple[str, str]) -> dict[str, Any]:
        fields = mine[kind]
        if kind in ("slip", "share"):
            return {**fields, "origin": origin, "spans": [span]}
        if kind == "document":
            line = {"crop": "soybeans", "harvest_year": 2025, "ci": "5000.25", "form": "soybeans", "origin": origin}
            return {**fields, "lines": [{**line, "start": span[0], "bushels": "100"}]}
        return {**fields, "lots": [{"origin": origin, "start": span[0], "stop": span[1]}]}

    return event


def _naming_entries(cast: Cast, me: str) -> dict[str, Callable[[str], dict[str, Any]]]:
    farm = cast.farm.handle
    return {
        "accept": lambda name: {"taker": me, "movement": name},
        "reject": lambda name: {"taker": me, "giver": cast.elevator.handle, "movement": name},
        "return": lambda name: {"giver": me, "taker": cast.elevator.handle, "movement": name},
        "correct": lambda name: {"entity": me, "movement": name, "reason": "x"},
        "purchase": lambda name: {"giver": farm, "taker": me, "slip": name},
        "assign": lambda name: {"giver": farm, "taker": me, "pending": name, "slip": name},
        "suspend": lambda name: {"origin": name, "reason": "x"},
        "reinstate": lambda name: {"origin": name, "reason": "x"},
        "withdraw": lambda name: {"origin": name, "reason": "x"},
    }


def _plain(answer: Any, *typed: str) -> tuple[int, str]:  # noqa: ANN401 - as the test client types it
    told = {name: value for name, value in answer.headers.items() if name not in ("X-Request-ID", "Content-Length")}
    text = f"{answer.content.decode()}\n{json.dumps(told, sort_keys=True)}"
    for each in sorted(typed, key=len, reverse=True):
        text = text.replace(each, TYPED)
    return answer.status_code, text


def _asked(outside: Outside, cast: Cast, origin: str) -> Iterator[tuple[str, dict[str, Any], tuple[str, ...]]]:
    """Yield events that name the season's things and made-up ones, by kind, and what of them was typed."""
    me = outside.organisation.handle
    for kind in ("sale", "move", "process", "release", "loss", "retire", "storage", "slip", "share", "document"):
        make = _naming_serials(cast, me, kind)
        for name in (origin, NOBODY):
            for span in SPANS if kind == "sale" else SPANS[::3]:
                yield f"{kind} {span}", make(name, span) | {"type": kind}, (name,)
    for kind, of in _naming_entries(cast, me).items():
        origins = kind in ("suspend", "reinstate", "withdraw")
        names = (origin, NOBODY) if origins else ("slip-mill", "pending-mill", "sale-elevator", "buy-mill", "process-1",
                                                  "move-mill", "retire-mill", "unheard", "unheard-9")  # fmt: skip
        for name in names:
            yield kind, of(name) | {"type": kind}, (name,)


@pytest.mark.parametrize("way", ["/custody/events/preview", "/custody/events", "/custody/events/batch"])
def test_an_event_that_names_what_is_not_ones_own_is_none(cast: Cast, season: Season, way: str) -> None:
    # What a plant may enter, a first point and an intermediary may too; what is previewed is decided as it is entered.
    for role in ROLES if way.endswith("preview") else ("plant",):
        outside = _outsider(cast, role, ROLES[role])
        answers: dict[str, set[tuple[int, str]]] = {}
        for number, (kind, event, typed) in enumerate(_asked(outside, cast, season.origin)):
            body = {**event, "id": f"{role}-try", "day": days_ago(1)}
            sent = {"events": [body]} if way.endswith("batch") else {"event": body}
            answer = post(way, outside.secret, sent, f"{role}{number}")
            answers.setdefault(kind, set()).add(_plain(answer, *typed))
        told = {kind: seen for kind, seen in answers.items() if len(seen) != 1}
        assert not told, (role, told)
        entered = {kind for kind, seen in answers.items() for status, _ in seen if status < 400}
        assert not entered, (role, entered)


def test_the_pages_answer_an_outsider_as_the_calls_do(cast: Cast, season: Season) -> None:
    outside = _outsider(cast, "plant", ROLES["plant"])
    for do in ("preview", "post"):
        answers = set()
        for number, (origin, (start, stop)) in enumerate((o, s) for o in (season.origin, NOBODY) for s in SPANS):
            lots = f"{origin} {start}-{stop}"
            data = {"id": f"p-{number}", "day": days_ago(1), "taker": cast.mill.handle, "crop": "soybeans",
                    "lots": lots, "do": do}  # fmt: skip
            page = outside.client.post(reverse("custody_enter", args=(outside.organisation.handle, "sale")), data)
            answers.add((page.status_code, json.dumps(page.context["form"].errors).replace(lots, TYPED)
                         .replace(origin, TYPED).replace(f"{start} to {stop}", TYPED)))  # fmt: skip
        said = {text.replace(",", "") for _, text in answers}
        assert len({status for status, _ in answers}) == 1
        assert not [text for text in said if "held" in text or cast.mill.name in text or "outside" in text], said


def test_whoever_sold_a_lot_learns_nothing_of_its_later_holders(cast: Cast, season: Season) -> None:
    farm = token(cast, cast.farm, "owner")
    later = CustodyLot.objects.filter(owner=cast.mill.handle).exclude(owner=cast.farm.handle)
    names = [lot for lot in later.values_list("name", flat=True) if not lot.startswith("buy-")]
    assert names
    answers = {_plain(get(f"/custody/trace?find={name}", farm), name) for name in [*names, "unheard/1"]}
    assert len(answers) == 1, answers
    slip = {"type": "slip", "id": "again", "day": days_ago(1), "giver": cast.farm.handle, "taker": cast.mill.handle}
    said = {
        _plain(post("/custody/events/preview", farm, {"event": {**slip, "origin": season.origin, "spans": [span]}},
                    "k"), span[0], span[1])
        for span in (("0", "100"), ("3500", "3600"), ("4000", "4100"))
    }  # fmt: skip
    assert not [text for _, text in said if cast.mill.handle in text or cast.elevator.handle in text], said


def test_a_buyer_that_gives_a_sale_back_hears_of_serials_of_others_what_it_hears_of_none(
    cast: Cast, season: Season
) -> None:
    mill = token(cast, cast.mill, "owner")
    back = {"type": "return", "id": "back", "day": days_ago(1), "giver": cast.mill.handle, "site": "scale",
            "taker": cast.elevator.handle, "movement": season.delivery}  # fmt: skip
    answers = {
        _plain(post("/custody/events/preview", mill, {"event": {**back, "lots": [lot]}}, lot["origin"]), lot["origin"])
        for lot in ({"origin": name, "start": "3000", "stop": "3100"} for name in (season.origin, NOBODY))
    }
    assert len(answers) == 1, answers


FILLED: Final = {
    "crop": "soybeans", "year": "2025", "harvest_year": "2025", "number": "1", "limit": "3", "kind": "unit",
    "ending": "json", "buyer": "nobody", "bushels": "1", "day": "2026-01-01", "start": "2026-01-01", "form": "soybeans",
    "target": "ticket", "state": "held", "site": "north", "kinds": "sale",
}  # fmt: skip

"""What is no secret, for the parameters beside the one that is asked about."""

PARAMETERS: Final = {
    "custody_trace": ("lot", "find", "csv=chain&find"), "custody_movement": ("id",),
    "custody_document": ("sale", "as=json&sale", "as=pdf&sale"),
    "custody_statement": ("start",), "custody_period": ("start",), "custody_lots": ("site", "form"),
    "custody_grain": ("site",), "custody_movements": ("partner",), "custody_sales": ("partner",),
}  # fmt: skip

"""What pages of the chain of custody are asked for by name."""

BESIDE: Final = 5

"""Names at the end that are none of the chain: two parties, an audit, a file, a book."""

SHORT: Final = 3

"""A number is asked for by many calls, and stands in every answer."""

COUNTED: Final = frozenset({
    "after", "limit", "restated", "since", "on", "month", "gallons_per_bu", "btu_per_gallon", "energy_source",
})  # fmt: skip

"""What counts or measures and names nothing; whatever is new is asked for."""


def secrets_of(cast: Cast) -> list[str]:
    """Return names that exist: of each kind of thing, at each point of the chain."""
    lots = list(CustodyLot.objects.order_by("name").values_list("name", flat=True))
    origin = CustodyLot.objects.values_list("origin__name", flat=True)[0]
    events = CustodyEvent.objects.order_by("id").values_list("name", flat=True)
    kinds = {name.split("-")[0]: name for name in events}
    upload = Upload.objects.values_list("handle", flat=True)[0]
    found = [*lots[:: max(1, len(lots) // 6)], origin, origin[:10], f"{printed(origin)} 0-500", *kinds.values(),
             cast.farm.handle, cast.elevator.handle,
             cast.audit.handle, upload, cast.book.handle]  # fmt: skip
    return [str(name) for name in found if len(str(name)) > SHORT]


def calls() -> Iterator[tuple[str, str]]:
    """Yield each call that reads with one parameter that can name something, the others filled: ``{}`` is its place."""
    for path, methods in description()["paths"].items():
        given = methods.get("get", {}).get("parameters", [])
        named = [one["name"] for one in given if one["name"] not in COUNTED and one["name"] not in FILLED]
        for asked in named:
            address = path
            for one in given:
                if one["in"] == "path":
                    said = "{}" if one["name"] == asked else FILLED.get(one["name"], NOBODY)
                    address = address.replace(f"{{{one['name']}}}", said)
            query = [
                f"{one['name']}={'{}' if one['name'] == asked else FILLED.get(one['name'], NOBODY)}"
                for one in given
                if one["in"] == "query" and (one["name"] == asked or one.get("required"))
            ]
            yield f"{path}?{asked}", address.removeprefix("/api/v1") + ("?" + "&".join(query) if query else "")


def test_no_call_tells_an_outsider_that_something_is_there(cast: Cast) -> None:
    names = secrets_of(cast)
    outside = _outsider(cast, "plant", ROLES["plant"])

    def answer(call: str, one: str) -> tuple[int, str]:
        answered = get(call.replace("{}", quote(one, safe="")), outside.secret)
        return _plain(answered, *names, one, *map(_twin, names))

    asked, differing = 0, dict[tuple[str, str], object]()
    for name, call in calls():
        of_its_kind = names[:-BESIDE:3] if "/custody/" in name else names[-BESIDE:]
        nobodys: dict[str, tuple[int, str]] = {}
        for typed in of_its_kind:
            twin, theirs = _twin(typed), answer(call, typed)
            nobodys[twin] = nobodys.get(twin) or answer(call, twin)
            asked += 1
            if theirs != nobodys[twin]:
                differing[name, typed] = theirs, nobodys[twin]
    assert not differing
    assert asked > 25 * BESIDE, "every call that takes a name, with names of every kind"


def _twin(name: str) -> str:
    """Return a name of the same shape that nothing has."""
    if len(name) == len(NOBODY):
        return NOBODY
    return "".join("0" if each.isdecimal() else "z" if each.isalpha() else each for each in name)


def _without(answer: Any, names: list[str]) -> tuple[int, str]:  # noqa: ANN401 - as the test client types it
    """Return what a page says in its main part without any of the names, whether typed or always there."""
    status, text = _plain(answer, *names, *(name.replace("/", "%2F") for name in names))
    return status, text.split("<main", 1)[-1].split("</main>", 1)[0].split("csrfmiddlewaretoken", 1)[0]


@pytest.mark.parametrize("role", ROLES)
def test_no_page_tells_an_outsider_that_something_is_there(cast: Cast, role: str) -> None:
    names = [*secrets_of(cast)[::3], NOBODY]
    outside = _outsider(cast, role, ROLES[role])
    mine = [name for name in PAGES if name.startswith("custody_") and name not in ("custody_open", "custody_enter")]
    differing: dict[str, Any] = {}
    for page in mine:
        address = reverse(page, args=(outside.organisation.handle,))
        for asked in PARAMETERS.get(page, ("find",)):
            # A page that takes no name is asked by one that is there and by one that is not.
            given = names if page in PARAMETERS else [names[0], NOBODY]
            answers = {_without(outside.client.get(f"{address}?{asked}={quote(name)}"), names) for name in given}
            if len(answers) > 1:
                differing[f"{page}?{asked}"] = answers
    assert not differing


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
    assert told.status_code == 200, "it was stored there"
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
    table = client.get(address, {"find": find}).context["links"]
    return [(row[1].text, row[6].text, row[7].text, row[7].note) for row in table.cells]


def processed(cast: Cast) -> None:
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
