"""A refusal at a desk leads on: to the contract that lacks, to the ticket that is made void, to what is in stock."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from provender.custody.events.registry import read_event
from provender.custody.store import post as post_to
from provender.database.models.custody import CustodyGrainEntry
from provender.database.store.custody import SqlStore
from tests.custody.world import ev
from tests.web.cast import Cast
from tests.web.custody.test_pages import TODAY, enter, sale, texts, where
from tests.web.custody_season import BY, Season, days_ago, fill_custody


@pytest.fixture
def season(cast: Cast) -> Season:
    return fill_custody(cast)


def test_a_contract_that_is_not_on_file_is_put_there_and_the_sale_goes_on_as_it_was(
    cast: Cast, season: Season, owner: Client
) -> None:
    page = enter(owner, cast, "sale", **sale(cast, contract="4711", site="north"))
    assert page.status_code == 409
    assert "No contract 4711 is on file with you." in texts(page)
    assert f"{cast.mill.handle}/4711" not in texts(page), "a key of the book tells a clerk nothing"
    ((label, href),) = page.context["onward"]
    assert label == "Put contract 4711 on file"
    form = owner.get(href).context["form"]
    assert [form[name].value() for name in ("counterparty", "role", "number")] == [
        cast.elevator.handle, "recipient", "4711",
    ]  # fmt: skip
    sent = {"day": TODAY, "counterparty": cast.elevator.handle, "role": "recipient", "number": "4711",
            "start_day": days_ago(3), "do": "post"}  # fmt: skip
    again = owner.post(href, sent)
    assert again.status_code == 302
    back = owner.get(again["Location"]).context["form"]
    assert [back[name].value() for name in ("taker", "bushels", "contract", "site")] == [
        cast.elevator.handle, "100", "4711", "north",
    ]  # fmt: skip
    assert enter(owner, cast, "sale", **sale(cast, contract="4711", site="north")).status_code == 302


def test_lots_and_tickets_that_were_typed_wait_too_and_are_forgotten_once_entered(
    cast: Cast, season: Season, owner: Client
) -> None:
    lines = {"tickets": "S-1, 60\nS-2, 40", "lots": f"{season.origin} 2000-2100"}
    page = enter(owner, cast, "sale", **sale(cast, contract="4712", site="north"), **lines)
    ((_, href),) = page.context["onward"]
    back = parse_qs(urlsplit(href).query)["next"][0]
    form = owner.get(back).context["form"]
    assert {name: form[name].value() for name in lines} == lines
    other = owner.get(back.replace("/sale/", "/move/")).context["form"]
    assert not other["lots"].value(), "another form begins empty"
    done = owner.post(back, {"day": TODAY, **sale(cast, site="north"), "do": "post"})
    assert done.status_code == 302
    assert not owner.get(back).context["form"]["lots"].value()


def test_beginning_as_last_time_keeps_what_was_typed(cast: Cast, season: Season, owner: Client) -> None:
    assert enter(owner, cast, "sale", **sale(cast, site="north")).status_code == 302
    address = where(cast, "custody_enter", "sale")
    page = owner.get(address)
    (before,) = page.context["before"]
    assert f'name="like" value="{before.key}"' in page.content.decode(), "a button of the form"
    begun = owner.post(
        address, {"bushels": "77", "ci_max": "5,100", "taker": "", "day": days_ago(1), "like": before.key}
    )
    assert begun.status_code == 200
    form = begun.context["form"]
    assert not form.is_bound, "nothing is refused yet"
    assert [str(form[name].value()) for name in ("bushels", "ci_max", "day", "taker", "site")] == [
        "77", "5,100", days_ago(1), cast.elevator.handle, "north",
    ]  # fmt: skip


def test_a_contract_form_leads_back_to_no_other_site(cast: Cast, season: Season, owner: Client) -> None:
    sent = {"day": TODAY, "counterparty": cast.elevator.handle, "role": "recipient", "number": "1",
            "start_day": TODAY, "do": "post"}  # fmt: skip
    answer = owner.post(where(cast, "custody_enter", "contract") + "?next=https://elsewhere.example/", sent)
    assert answer["Location"] == where(cast, "custody_partners")


def test_the_other_party_of_a_contract_is_chosen_among_the_partners_or_typed(
    cast: Cast, season: Season, owner: Client
) -> None:
    page = owner.get(where(cast, "custody_enter", "contract")).content.decode()
    assert f'<option value="{cast.elevator.handle}" label="Stan&#x27;s Elevator">' in page
    assert "or type the code of a new one" in page


def _ticket(cast: Cast, number: str = "C-607", **more: str) -> None:
    event = ev("receipt", f"ticket-{number}", days_ago(2), entity=cast.mill.handle, site="north", form="corn",
               amount="1200.5", number=number, **more)  # fmt: skip
    assert post_to(SqlStore(BY), read_event(event)).status.well


def test_a_ticket_in_the_list_is_made_void_by_a_form_filled_in(cast: Cast, season: Season, owner: Client) -> None:
    _ticket(cast)
    asked = {"site": "north", "form": "corn"}
    rows = {row[1].text: row for row in owner.get(where(cast, "custody_grain"), asked).context["tickets"].rows}
    way = rows["C-607"][-1]
    assert way.text == "Void"
    form = owner.get(way.href).context["form"]
    said = {name: form[name].value() for name in ("day", "form", "amount", "number", "site", "void")}
    assert said == {"day": days_ago(2), "form": "corn", "amount": "1200.5", "number": "C-607", "site": "north",
                    "void": "on"}  # fmt: skip
    assert form.further_open, "the tick is seen before it is sent"
    assert owner.post(way.href, {**said, "do": "post"}).status_code == 302
    assert CustodyGrainEntry.objects.get(number="C-607").void
    rows = {row[1].text: row for row in owner.get(where(cast, "custody_grain"), asked).context["tickets"].rows}
    assert rows["C-607"][-1].text == "", "it is void already"


def test_a_ticket_behind_claims_has_no_way_to_be_made_void_and_who_only_reads_has_none(
    cast: Cast, season: Season, owner: Client
) -> None:
    asked = {"site": "north", "form": "soybeans"}
    rows = owner.get(where(cast, "custody_grain"), asked).context["tickets"].rows
    assert [row[-1].text for row in rows] == [""] * len(rows)
    _ticket(cast)
    reader = cast.client("verifier_in").get(where(cast, "custody_grain"), {"site": "north", "form": "corn"})
    assert all(cell.text != "Void" for row in reader.context["tickets"].rows for cell in row)


def test_taking_a_tickets_number_back_leads_to_the_ticket(cast: Cast, season: Season, owner: Client) -> None:
    _ticket(cast)
    page = enter(owner, cast, "correct", movement="C-607", reason="typed twice")
    assert page.status_code == 409
    assert "C-607 is a scale ticket at north, not an entry of claims." in texts(page)
    ((label, href),) = page.context["onward"]
    assert (label, owner.get(href).context["form"]["void"].value()) == ("Make ticket C-607 void", "on")
    behind = enter(owner, cast, "correct", movement="T-buy-mill", reason="typed twice")
    assert "It stands behind buy-mill" in texts(behind)
    assert behind.context["onward"][0][1] == where(cast, "custody_enter", "correct") + "?movement=buy-mill"


def test_a_ticket_of_another_house_is_nobody_elses_to_learn_of(cast: Cast, season: Season, owner: Client) -> None:
    page = enter(owner, cast, "correct", movement="T-buy-elevator", reason="typed twice")
    assert "Not yours: T-buy-elevator." in texts(page)
    assert page.context["onward"] == []


def test_stock_beside_the_amount_is_what_the_book_would_sell(cast: Cast, season: Season, owner: Client) -> None:
    where_sold = reverse("custody_enter", args=(cast.mill.handle, "sale"))
    assert "1,900 bu of soybeans" in owner.get(where_sold).context["form"].fields["bushels"].beside
    assert enter(owner, cast, "sale", **sale(cast, "0.296", site="north")).status_code == 302
    beside = owner.get(where_sold).context["form"].fields["bushels"].beside
    assert "1,899.704 bu of soybeans" in beside, "1,900 would be refused"
    page = enter(owner, cast, "sale", **sale(cast, "1900"))
    assert "You do not hold that much. You hold 1,899.704 bu" in texts(page)
    assert "giver" not in page.context["form"].errors["bushels"][0]
    assert enter(owner, cast, "sale", **sale(cast, "0.3", site="north")).status_code == 302
    assert "1,899 bu of soybeans" in owner.get(where_sold).context["form"].fields["bushels"].beside, "less is no harm"
