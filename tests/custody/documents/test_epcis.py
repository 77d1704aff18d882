"""Closed periods as EPCIS events: they add up to the signed statement, and their names are the oracle's."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from epcis_event_hash_generator import hash_generator, json_to_py

from provender.custody.documents.build import PERIOD, period_document
from provender.custody.documents.epcis import CONTEXT, GOVERNS, epcis_document, event_id, pre_hash
from provender.custody.events.closing import Closing
from provender.custody.events.rules import closed_sites
from provender.custody.memory_store import MemoryStore
from provender.custody.model.entities import Entity, Period
from provender.custody.model.lots import FORMS
from provender.problem import ProblemsError
from provender.signing.canonical import document_hash
from tests.custody.world import ADA_SOY, CAST, REPORTS, bought, ev, favourable, posted
from tests.simulation.cast import BOOKS
from tests.simulation.season import put, season

DAY = date(2027, 1, 4)
EVENT_TYPES = {"ObjectEvent", "TransactionEvent", "TransformationEvent"}
Views = list[tuple[dict[str, Any], dict[str, Any]]]


def views_of(store: MemoryStore) -> Views:
    """Return every closed period of a book: its statement and its view."""
    found = []
    for party in store.many(Entity, ""):
        for closing in store.many(Closing, party.id):
            statement = period_document(store, party.id, closing.start)
            view = epcis_document(store, store.events(), statement, document_hash(statement), as_of=DAY)
            found.append((statement, json.loads(json.dumps(view))))
    return found


def close_all(store: MemoryStore) -> None:
    """Measure plenty of grain wherever claims may lie, and close the first period of everybody who has one.

    A site is measured while it is open: what the season left at a site that it closed lies there all the same.
    """
    parties = store.many(Entity, "")
    ends = {party.id: store.many(Period, party.id)[0].end for party in parties if party.id in BOOKS}
    for party in parties:
        shut = {one.site: one.closed for one in closed_sites(store, party.id).values()}
        for site, form in product(party.sites, FORMS):
            day = min(*ends.values(), (shut.get(site) or date.max) - timedelta(days=1)).isoformat()
            what = {"entity": party.id, "site": site, "form": form, "amount": "9000000", "number": f"m-{form}"}
            assert put(store, ev("measurement", f"m-{site}-{form}", day, **what))[0] == "posted"
    for name, end in ends.items():
        closing = ev("close", f"close-{name}", end.isoformat(), entity=name, closed_on="2026-06-30")
        assert put(store, closing)[0] == "posted"


@pytest.fixture(scope="module", params=[3, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (13, 20261))])
def views(request: pytest.FixtureRequest) -> Views:
    store = MemoryStore()
    season(store, request.param, 820)
    close_all(store)
    return views_of(store)


def claimed(view: dict[str, Any]) -> dict[tuple[str, str, str], Counter[str]]:
    """Add up the claims of a view, by equation; what an error declaration takes back goes the other way."""
    sums: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for event in view["epcisBody"]["eventList"]:
        for one in event["provender:claims"]:
            key = tuple(one[f"provender:{name}"] for name in ("crop", "harvestYear", "ciGramsPerBushel"))
            way = one["provender:direction"]
            if "errorDeclaration" in event:
                way = {"incoming": "outgoing", "outgoing": "incoming"}[way]
            sums[key][way] += Decimal(one["provender:bushels"])  # type: ignore[assignment]
    return sums


def moved(view: dict[str, Any], entity: str) -> Counter[tuple[str, str]]:
    """Add up the quantities of a view alone, by class and way, from nothing but what EPCIS defines."""
    sums: Counter[tuple[str, str]] = Counter()
    for event in view["epcisBody"]["eventList"]:
        for way, quantities in ways(event, f"urn:provender:party:{entity}"):
            back = {"in": "out", "out": "in"}[way] if "errorDeclaration" in event else way
            for one in quantities:
                sums[one["epcClass"], back] += Decimal(str(one["quantity"]))  # type: ignore[assignment]
    return sums


def ways(event: dict[str, Any], party: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    match event["type"]:
        case "TransformationEvent":
            yield "out", event.get("inputQuantityList", [])
            yield "in", event.get("outputQuantityList", [])
        case "ObjectEvent":
            yield ("in" if event["action"] == "ADD" else "out"), event["quantityList"]
        case _:
            mine = any(one["destination"] == party for one in event.get("destinationList", ()))
            yield ("in" if mine else "out"), event["quantityList"]


def test_claims_of_the_events_add_up_to_the_period_statement(views: Views) -> None:
    assert len(views) == len(BOOKS)
    assert any(event for _, view in views for event in view["epcisBody"]["eventList"])
    for statement, view in views:
        lines = statement["balance"]["lines"]
        told = {(line["crop"], str(line["harvest_year"]), line["ci_g_per_bu"]): line for line in lines}
        sums = claimed(view)
        assert sums.keys() <= told.keys()
        for key, line in told.items():
            assert sums[key]["incoming"] == Decimal(line["incoming_bu"]), key
            assert sums[key]["outgoing"] == Decimal(line["outgoing_bu"]), key


def test_quantities_of_each_form_add_up_to_its_sheet(views: Views) -> None:
    for statement, view in views:
        sums = moved(view, statement["entity"]["id"])
        for line in statement["balance"]["lines"]:
            for sheet in line["forms"]:
                name = f"{sheet['form']}:{line['crop']}:{line['harvest_year']}:{line['ci_g_per_bu']}"
                named = f"urn:provender:class:{name}"
                assert sums[named, "in"] == Decimal(sheet["incoming"]), named
                assert sums[named, "out"] == Decimal(sheet["outgoing"]), named


@pytest.mark.filterwarnings("ignore:open_text is deprecated:DeprecationWarning")
def test_each_name_is_that_of_the_reference_implementation(views: Views) -> None:
    for _, view in views:
        told = json_to_py.event_list_from_epcis_document_json(json.loads(json.dumps(view)))
        ours = [event["eventID"] for event in view["epcisBody"]["eventList"]]
        assert hash_generator.derive_prehashes_from_events(told) == [
            pre_hash(event) for event in view["epcisBody"]["eventList"]
        ]
        assert hash_generator.epcis_hashes_from_events(told) == ours


def test_every_event_has_the_parts_that_the_standard_asks_of_its_type(views: Views) -> None:
    seen = set()
    for statement, view in views:
        assert view["@context"][0] == CONTEXT
        assert (view["type"], view["schemaVersion"]) == ("EPCISDocument", "2.0")
        assert view["provender:original"]["provender:sha256"] == document_hash(statement)
        assert view["provender:governs"] == GOVERNS
        for event in view["epcisBody"]["eventList"]:
            seen.add(event["type"])
            assert event["type"] in EVENT_TYPES
            assert event["eventTime"].endswith("T00:00:00.000Z")
            assert event["eventTimeZoneOffset"] == "+00:00"
            lists = [event[name] for name in event if name.lower().endswith("quantitylist")]
            assert lists
            for one in (one for quantities in lists for one in quantities):
                assert one.keys() == {"epcClass", "quantity", "uom"}
                assert one["uom"] in {"BUA", "LBR", "GLL"}
                assert one["quantity"] > 0
            assert ("action" in event) == (event["type"] != "TransformationEvent")
            assert ("bizTransactionList" in event) == (event["type"] == "TransactionEvent")
    assert seen == EVENT_TYPES


BEANS = {"crop": "soybeans", "bushels": "100"}
SOLD = ev("sale", "s1", "2026-01-08", giver="coop", taker="crush", **BEANS)
BOOK = [*CAST, favourable("coop", "soybeans"), *REPORTS,
        *bought("b1", "ada", "coop", ADA_SOY, "2000.001", day="2026-01-05", site="north"), SOLD]  # fmt: skip


def closed(*more: dict[str, Any]) -> Views:
    """Return coop's first quarter with more entries, closed, as the only view."""
    store = MemoryStore()
    posted(store, [*BOOK, *more])
    posted(store, [ev("close", "q1", "2026-03-31", entity="coop", closed_on="2026-04-05")])
    return views_of(store)


def test_a_correction_repeats_the_event_under_its_name_with_an_error_declaration() -> None:
    taken = ev("correct", "c1", "2026-01-20", entity="coop", movement="s1", reason="twice")
    ((_, view),) = closed(taken)
    sale, back = (one for one in view["epcisBody"]["eventList"] if one["provender:entry"] == "s1")
    assert back == {
        **sale, "errorDeclaration": {"declarationTime": "2026-01-20T00:00:00.000Z", "reason": "did_not_occur"},
    }  # fmt: skip
    again = ev("correct", "c2", "2026-01-21", entity="coop", movement="c1", reason="it was one")
    ((statement, view),) = closed(taken, again)
    assert "errorDeclaration" not in view["epcisBody"]["eventList"][-1]
    assert claimed(view)["soybeans", "2025", statement["balance"]["lines"][0]["ci_g_per_bu"]]["outgoing"] == 200


def test_what_vouches_for_a_sale_is_the_seller_s_verification_statement() -> None:
    ((_, view),) = closed()
    sale = view["epcisBody"]["eventList"][-1]
    assert sale["certificationInfo"][0].startswith("urn:provender:verification:coop:")
    assert [one["source"] for one in sale["sourceList"]] == ["urn:provender:party:coop"]
    assert [one["destination"] for one in sale["destinationList"]] == ["urn:provender:party:crush"]


def test_a_changed_amount_gives_another_name() -> None:
    ((_, view),) = closed()
    event = view["epcisBody"]["eventList"][-1]
    event["quantityList"][0]["quantity"] += 0.001
    assert event_id(event) != event["eventID"]


@pytest.mark.parametrize(
    "change", [{"balance_sha256": "0" * 64}, {"end": "2026-04-30"}, {"type": "slip"}, {"start": 1}]
)
def test_a_statement_that_is_not_the_book_s_gives_no_view(change: dict[str, Any]) -> None:
    store = MemoryStore()
    posted(store, [*BOOK, ev("close", "q1", "2026-03-31", entity="coop", closed_on="2026-04-05")])
    statement = {**period_document(store, "coop", date(2026, 1, 1)), **change}
    assert statement != {"type": PERIOD}
    with pytest.raises(ProblemsError):
        epcis_document(store, store.events(), statement, "", as_of=DAY)
