"""A sale may take the lowest or the highest carbon intensity first: by page, API and command line, decided once."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.forms import ChoiceField
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.custody.book_file import open_book
from provender.custody.events.registry import read_event
from provender.custody.model.lots import FORMS
from provender.custody.model.origins import Origin, origin_name
from provender.custody.store import post
from provender.database.actor import Actor
from provender.database.store.custody import SqlStore
from provender.database.store.custody_lists import stock_of
from provender.exact import CI_SCALE, SCALE, half_even, show
from provender.services.custody.book_entry import SaleAct
from provender.services.custody.context import CustodyContext, context_of
from provender.services.custody.entry import enter, new_event_id, preview, read_fields
from provender.services.refused import RefusedError
from provender.web.custody.forms import EventForm
from tests.cli.custody.test_app import ask, call, put
from tests.custody.world import Event, ev
from tests.web.api.test_calls import data
from tests.web.api.test_calls import post as post_call
from tests.web.api.test_every_room import token
from tests.web.cast import Cast
from tests.web.custody_season import BY, SALT, Season, days_ago, fill_custody

pytestmark = pytest.mark.django_db
FARMS = (("bea", 2026, "6000", "plant"), ("ada", 2025, "4000.5", "north"))


@pytest.fixture
def season(cast: Cast) -> Season:
    """Return the mill's season with soybeans of two more intensities, bought at two sites."""
    found, store = fill_custody(cast), SqlStore(BY)
    mill = cast.mill.handle
    for farm, year, ci, site in FARMS:
        _posted(store, ev("entity", f"entity-{farm}", days_ago(60), entity=farm, name=farm, roles=["farm"]))
        fields = {"crop": "soybeans", "harvest_year": year, "bushels": "300", "ci": ci, "salt": SALT}
        _posted(store, ev("report", f"report-{farm}", days_ago(55), entity=farm, report=f"{year}" * 16, **fields))
        origin = store.events()[-1].request.origin  # type: ignore[attr-defined]
        slip = f"slip-{farm}"
        _posted(store, ev("slip", slip, days_ago(50), giver=farm, origin=origin, taker=mill, bushels="100"))
        tickets = [{"number": f"T-{farm}", "bushels": "100"}]
        bought = {"giver": farm, "taker": mill, "slip": slip, "bushels": "100", "site": site, "tickets": tickets}
        _posted(store, ev("purchase", f"buy-{farm}", days_ago(5), **bought))
    return found


def _posted(store: SqlStore, event: Event) -> None:
    outcome = post(store, read_event(event))
    assert outcome.status == "posted", outcome.message


@pytest.fixture
def desk(cast: Cast, season: Season) -> CustodyContext:
    found = context_of(cast.mill, actor=Actor(None, "test"), today=timezone.localdate(), may_write=True)
    assert found is not None
    return found


def asked(desk: CustodyContext, cast: Cast, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    fields = {"giver": desk.id, "taker": cast.elevator.handle, "crop": "soybeans", "bushels": "40"}
    return {"id": new_event_id(cast.mill, "sale"), "day": timezone.localdate().isoformat(), **fields, **more}


def sold(desk: CustodyContext, fields: dict[str, Any]) -> list[tuple[int, int]]:
    """Return carbon intensity and thousandths of a bushel of each lot that a sale gave away."""
    event = read_fields("sale", fields)
    foreseen = preview(desk, event)  # type: ignore[arg-type]
    done = enter(desk, event)  # type: ignore[arg-type]
    assert done.status == "posted", done.message
    assert done.message == foreseen.message
    with SqlStore(BY).reading() as facts:
        lots = [(lot.ci, lot.crop_amount) for lot in facts.lots_by(fields["id"]) if lot.by == fields["id"]]
    assert foreseen.facts == done.facts
    return lots


def stock(desk: CustodyContext) -> dict[int, int]:
    with SqlStore(BY).reading() as facts:
        held: dict[int, int] = {}
        for lot in facts.stock(desk.id, "soybeans", "soybeans").lots:
            held[lot.ci] = held.get(lot.ci, 0) + lot.amount
        return held


@pytest.mark.parametrize(
    ("order", "bushels", "taken"),
    [
        ("lowest_ci_first", "40", {400_050: 40}),
        ("lowest_ci_first", "130", {400_050: 100, 500_025: 30}),
        ("highest_ci_first", "40", {600_000: 40}),
        ("by_policy", "40", {500_025: 40}),
    ],
)
def test_a_sale_takes_what_its_order_says_and_the_balance_of_each_intensity_is_exact(
    cast: Cast, desk: CustodyContext, order: str, bushels: str, taken: dict[int, int]
) -> None:
    before = stock(desk)
    found: dict[int, int] = {}
    for ci, amount in sold(desk, asked(desk, cast, bushels=bushels, order=order)):
        found[ci] = found.get(ci, 0) + amount
    assert found == {ci: each * 10**SCALE for ci, each in taken.items()}
    after = stock(desk)
    assert {ci: before[ci] - after.get(ci, 0) for ci in before if before[ci] != after.get(ci, 0)} == found


def test_limits_site_and_year_bound_the_order_too(cast: Cast, desk: CustodyContext) -> None:
    def cis(**more: Any) -> set[int]:  # noqa: ANN401 - any field
        return {ci for ci, _ in sold(desk, asked(desk, cast, bushels="10", order="lowest_ci_first", **more))}

    assert cis(ci_min="4500") == {500_025}
    assert cis(site="plant") == {500_025}
    assert cis(harvest_year=2026) == {600_000}
    too_much = read_fields("sale", asked(desk, cast, bushels="101", order="lowest_ci_first", harvest_year=2026))
    assert enter(desk, too_much).status == "exceeds_stock"  # type: ignore[arg-type]


def test_the_same_sale_sent_again_is_recognized_though_other_lots_are_the_lowest_now(
    cast: Cast, desk: CustodyContext
) -> None:
    first = asked(desk, cast, bushels="100", order="lowest_ci_first")
    sold(desk, first)
    again = enter(desk, read_fields("sale", first))  # type: ignore[arg-type]
    assert again.status == "exists"
    other = enter(desk, read_fields("sale", {**first, "bushels": "90"}))  # type: ignore[arg-type]
    assert other.status == "id_has_other_content"


def test_lots_that_are_named_and_an_order_are_refused_together(
    cast: Cast, desk: CustodyContext, season: Season
) -> None:
    lots = [{"origin": season.origin, "start": "2000", "stop": "2005"}]
    event = read_fields("sale", asked(desk, cast, bushels="5", lots=lots, order="lowest_ci_first"))
    with pytest.raises(RefusedError, match="not both") as refused:
        preview(desk, event)  # type: ignore[arg-type]
    assert refused.value.problems[0].place.column == "order"


def test_the_form_offers_the_order_and_its_preview_tells_mean_and_lots(
    cast: Cast, desk: CustodyContext, owner: Client
) -> None:
    sale = reverse("custody_enter", args=(cast.mill.handle, "sale"))
    assert "Lowest CI first" in owner.get(sale).content.decode()
    sent = {**asked(desk, cast), "order": "lowest_ci_first", "do": "preview"}
    shown = owner.post(sale, {name: value for name, value in sent.items() if name not in ("id", "giver")})
    page = shown.content.decode()
    assert shown.context["preview"]["taken"]["ci"] == "4,000"
    assert "the lowest carbon intensity first, the oldest among equals" in page
    assert len(shown.context["preview"]["lots"].rows) == 1


def test_the_form_offers_what_fits_the_crop_and_each_choice_once(
    cast: Cast, desk: CustodyContext, owner: Client
) -> None:
    """No product of another crop, none that does not lie there, and one entry for the policy, by what it does."""

    def offered(name: str, **chosen: str) -> list[tuple[str, str]]:
        form = EventForm(SaleAct, desk, initial=chosen).fields[name]
        assert isinstance(form, ChoiceField)
        return [(str(code), str(said)) for code, said in form.choices]  # type: ignore[union-attr, misc]

    assert [code for code, _ in offered("order")] == ["by_policy", "lowest_ci_first", "highest_ci_first"]
    assert offered("order")[0][1] == "The oldest first: the period's policy"
    assert EventForm(SaleAct, desk)["order"].value() == "by_policy"
    stock = {row.form for row in stock_of(desk.id)}
    for crop in ("", "soybeans", "corn"):
        codes = [code for code, _ in offered("form", crop=crop)]
        assert codes[0] == ""
        assert len(codes) == len(set(codes))
        assert all(code in stock and crop in ("", FORMS[code].crop) and code != FORMS[code].crop for code in codes[1:])
    assert offered("form", crop="corn") == [("", "The crop itself")]


def test_a_call_previews_and_enters_the_same(cast: Cast, desk: CustodyContext) -> None:
    mill = token(cast, cast.mill, "owner")
    sale = {"type": "sale", **asked(desk, cast), "order": "lowest_ci_first"}
    foreseen = data(post_call("/custody/events/preview", mill, {"event": sale}, "look"))
    assert [one["ci_g_per_bu"] for one in foreseen["lots"]] == ["4000.5"]
    assert data(post_call("/custody/events", mill, {"event": sale}, "sell"))["status"] == "posted"


def test_a_command_enters_it_in_a_book_on_disk(tmp_path: Path) -> None:
    path, early = str(tmp_path / "coop.jsonl"), ("--as-of", "2025-11-01")
    call("init", path, "--entity", "coop", "--name", "Coop", "--role", "first_point", "--site", "north", *early)
    days, both = {"start_day": "2026-11-01", "end_day": "2026-12-31"}, {"giver": "ada", "taker": "coop"}
    put(
        path,
        ev("entity", "e-ada", "2025-11-01", entity="ada", name="Ada", roles=["farm"]),
        ev("entity", "e-crush", "2025-11-01", entity="crush", name="Crush", roles=["intermediary"], sites=["plant"]),
        ev("period", "p-1", "2025-11-01", entity="coop", policy="oldest_first", **days),
    )
    for year, ci in ((2025, "5500.25"), (2026, "4000")):
        soy = {"entity": "ada", "crop": "soybeans", "harvest_year": year, "bushels": "500", "salt": "a" * 43}
        put(path, ev("report", f"r-{year}", "2026-11-02", ci=ci, **soy))
        tickets = [{"number": f"T{year}", "bushels": "500"}]
        put(
            path,
            ev("slip", f"slip-{year}", "2026-11-03", origin=origin_of(path, year), bushels="500", **both),
            ev("purchase", f"b-{year}", "2026-11-04", slip=f"slip-{year}", tickets=tickets, **both),
        )
    sale = {"giver": "coop", "taker": "crush", "crop": "soybeans", "bushels": "40", "order": "lowest_ci_first"}
    (answer,) = put(path, ev("sale", "s", "2026-11-05", **sale))
    assert "lowest carbon intensity first" in answer["message"]
    left = {int(one["stop"]) - int(one["start"]) for one in ask("lots", path)["lots"]}
    assert left == {460, 500}


def origin_of(path: str, year: int) -> str:
    with open_book(Path(path)) as opened:
        (found,) = opened.store.many(Origin, origin_name("ada", "soybeans", year))
    return found.id


def test_a_sales_page_says_its_mean_and_no_codes(cast: Cast, desk: CustodyContext, owner: Client) -> None:
    fields = asked(desk, cast, order="lowest_ci_first", bushels="150")
    parts = sold(desk, fields)
    assert len(parts) > 1
    answer = owner.get(reverse("custody_movement", args=(desk.id,)), {"id": fields["id"]})
    said = dict(answer.context["said"])
    assert not [text for text in said.values() if re.search(r"[0-9a-f]{40}", text)]
    labels = [label for label, _ in answer.context["said"]]
    assert labels.index("Mean CI") == labels.index("Bushels (bu)") + 1
    mean = half_even(sum(ci * bushels for ci, bushels in parts), sum(bushels for _, bushels in parts))
    assert said["Mean CI"] == f"{show(mean, CI_SCALE, group=True)} g CO2e/bu"
    assert "Lots named" not in said, "they stand in the table below"


@pytest.mark.parametrize(
    ("kind", "more"), [("loss", {"reason": "spilled"}), ("move", {"to_site": "plant"}), ("release", {"reason": "x"})]
)
def test_what_is_done_with_ones_own_names_no_giver_and_taker_but_the_site(
    cast: Cast, desk: CustodyContext, owner: Client, kind: str, more: dict[str, str]
) -> None:
    fields = {"id": new_event_id(cast.mill, kind), "day": timezone.localdate().isoformat(), "entity": desk.id}
    fields |= {"crop": "soybeans", "bushels": "10", "site": "north", **more}
    done = enter(desk, read_fields(kind, fields))  # type: ignore[arg-type]
    assert done.status == "posted", done.message
    address = reverse("custody_movements", args=(desk.id,))
    (line, *_) = owner.get(address).context["movements"].pairs
    said = {column.label: cell.text for column, cell in line}
    assert (said["From"], said["To"]) == ("", "")
    assert said["At"] == f"{more.get('to_site', 'north')}, {cast.mill.name}"
    (other, *_) = (row for row in owner.get(address).context["movements"].pairs if row[1][1].text == "Purchase")
    assert {column.label: cell.text for column, cell in other}["At"] == "", "what has a giver and a taker says those"
