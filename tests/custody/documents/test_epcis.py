"""Closed periods as EPCIS events: they add up to the signed statement, and their names are the oracle's."""

import csv
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from epcis_event_hash_generator import hash_generator, json_to_py

from provender.audit.statement.statement import Opinion
from provender.cli.custody.app import app
from provender.custody.book_file import BookLine, Header, open_book
from provender.custody.documents.build import PERIOD, marked, period_document
from provender.custody.documents.epcis import CONTEXT, GOVERNS, epcis_document, event_id, pre_hash
from provender.custody.documents.receive import TYPS, sign_document
from provender.custody.documents.refiner_figures import CAUTION, FIGURES, LOT_HEADS, NO_STATEMENT, Energy, figures_text
from provender.custody.events.closing import Closing
from provender.custody.events.rules import closed_sites
from provender.custody.model.entities import Entity, Period
from provender.custody.model.lots import FORMS
from provender.custody.store import MemoryStore
from provender.problem import ProblemsError
from provender.services.custody.figures import certificates_of, days_of, energy_of, figures, figures_pdf, lots_csv
from provender.signing.canonical import document_hash
from provender.signing.jws import check, envelope_hash, sign
from provender.signing.keys import SigningKey
from tests.audit.verifier import STATEMENT
from tests.cli.custody.test_documents import runner
from tests.custody.world import ADA_SOY, BEN_SOY, CAST, REPORTS, bought, entity, ev, favourable, posted, record_of
from tests.simulation.cast import BOOKS
from tests.simulation.season import put, season

# What the module shares is costly: one worker makes it.
pytestmark = pytest.mark.xdist_group("epcis")

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


@pytest.fixture(
    scope="module", params=[(3, 300), *(pytest.param((seed, 820), marks=pytest.mark.slow) for seed in (13, 20261))]
)
def views(request: pytest.FixtureRequest) -> Views:
    seed, movements = request.param
    store = MemoryStore()
    season(store, seed, movements)
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
    store = posted(MemoryStore(), [*BOOK, *more])
    posted(store, [ev("close", "q1", "2026-03-31", entity="coop", closed_on="2026-04-05")])
    return views_of(store)


def test_a_correction_repeats_the_event_under_its_name_with_an_error_declaration() -> None:
    taken = ev("correct", "c1", "2026-01-20", entity="coop", movement="s1", reason="twice")
    ((_, view),) = closed(taken)
    sale, back = (one for one in view["epcisBody"]["eventList"] if one["provender:entry"] == "urn:provender:entry:s1")
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


def test_entries_that_differ_in_spelling_alone_never_share_a_name() -> None:
    """The text that is hashed takes numbers by their value: names of entries may look like one."""
    spelled = ("10", "0010", "10.0", "10.", "010")
    gone = [ev("release", name, "2026-02-03", entity="coop", crop="soybeans", bushels="2") for name in spelled]
    ((_, view),) = closed(*gone)
    names = [one["eventID"] for one in view["epcisBody"]["eventList"]]
    assert len(set(names)) == len(names)
    assert len(names) >= len(spelled)


@pytest.mark.parametrize("other", [
    favourable("mill", "soybeans"), favourable("coop", "corn"), favourable("coop", "soybeans", opinion="adverse"),
    favourable("coop", "soybeans", end="2026-01-08"), favourable("coop", "soybeans") | {"typed_by": "coop"},
], ids=["another party's", "of another crop", "adverse", "over", "typed"])  # fmt: skip
def test_no_other_statement_vouches_for_a_sale(other: dict[str, Any]) -> None:
    ((_, view),) = closed(other | {"id": "other", "number": "V-other"}, SOLD | {"id": "s2", "day": "2026-01-09"})
    (sale,) = (one for one in view["epcisBody"]["eventList"] if one["provender:entry"] == "urn:provender:entry:s2")
    assert sale["certificationInfo"] == ["urn:provender:verification:coop:verity:V-coop"]


def test_statements_of_two_verifiers_are_two_though_their_number_is_one() -> None:
    anothers = favourable("coop", "soybeans") | {"id": "other", "verifier": "another"}
    ((_, view),) = closed(anothers, SOLD | {"id": "s2", "day": "2026-01-09"})
    (sale,) = (one for one in view["epcisBody"]["eventList"] if one["provender:entry"] == "urn:provender:entry:s2")
    assert [one.split(":")[-2] for one in sale["certificationInfo"]] == ["another", "verity"]


def test_a_changed_amount_gives_another_name() -> None:
    ((_, view),) = closed()
    event = view["epcisBody"]["eventList"][-1]
    event["quantityList"][0]["quantity"] += 0.001
    assert event_id(event) != event["eventID"]


@pytest.mark.parametrize(
    "change", [{"balance_sha256": "0" * 64}, {"end": "2026-04-30"}, {"type": "slip"}, {"start": 1}]
)
def test_a_statement_that_is_not_the_book_s_gives_no_view(change: dict[str, Any]) -> None:
    store = posted(MemoryStore(), [*BOOK, ev("close", "q1", "2026-03-31", entity="coop", closed_on="2026-04-05")])
    statement = {**period_document(store, "coop", date(2026, 1, 1)), **change}
    assert statement != {"type": PERIOD}
    with pytest.raises(ProblemsError):
        epcis_document(store, store.events(), statement, "", as_of=DAY)


# A refiner's figures: sums that anybody can do again, what stands behind each lot, signed, printed, as CSV.

LINES = [BookLine("retire", "2026-02-01", "ab" * 32), BookLine("correct", "2026-04-04", "cd" * 32)]
YEAR = (date(2026, 1, 1), date(2026, 12, 31))


@pytest.fixture(scope="module")
def signed_report() -> dict[str, Any]:
    return {"document": {"calculator": {"name": "FD-CIC", "version": "2025.1"}}, "signature": "s"}


@pytest.fixture
def store(signed_report: dict[str, Any]) -> MemoryStore:
    """A book in which this report stands behind one of the farms."""
    return filled(signed_report)


def filled(signed_report: dict[str, Any]) -> MemoryStore:
    """Soybeans of 5000 and 6000, some retired in each of two periods, one retirement taken back."""
    made = MemoryStore()
    ada, *others = REPORTS
    posted(made, [*CAST, {**ada, "report": envelope_hash(signed_report)}, *others, favourable("coop", "soybeans")])
    posted(made, bought("b1", "ada", "coop", ADA_SOY, "300", day="2026-01-05", site="north"))
    posted(made, bought("b2", "ben", "coop", BEN_SOY, "700", day="2026-01-06", site="north"))
    sale = {"giver": "coop", "taker": "fuel", "crop": "soybeans", "bushels": "1000"}
    posted(
        made, [ev("sale", "s1", "2026-01-10", **sale), ev("accept", "a1", "2026-01-11", taker="fuel", movement="s1")]
    )
    for name, day, bushels, gallons in (
        ("r1", "2026-02-01", "400.5", "60"), ("r2", "2026-04-02", "99.999", ""), ("r3", "2026-04-03", "1", "2")
    ):  # fmt: skip
        batch = {"entity": "fuel", "fuel": "biodiesel", "batch": "B-1", "crop": "soybeans", "bushels": bushels}
        posted(made, [ev("retire", name, day, **batch, **({"gallons": gallons} if gallons else {}))])
    posted(made, [ev("correct", "c3", "2026-04-04", entity="fuel", movement="r3", reason="typed twice")])
    return made


def made(store: MemoryStore, days: tuple[date, date] = YEAR, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    fuel = record_of(store, Entity, "fuel")
    return figures(store, fuel, days, as_of=date(2027, 1, 5), **{"mark": partial(marked, lines=LINES), **more})


def test_the_mean_is_its_sum_over_its_divisor_and_both_follow_from_the_lots(store: MemoryStore) -> None:
    document = made(store)
    (crop,) = document["crops"]
    grams = sum(Decimal(one["bushels"]) * Decimal(one["ci_g_per_bu"]) for one in document["lots"])
    bushels = sum(Decimal(one["bushels"]) for one in document["lots"])
    assert (Decimal(crop["sum_g"]), Decimal(crop["divisor_bu"])) == (grams, bushels)
    assert bushels == Decimal("500.499"), "what was taken back is not retired"
    assert grams == 300 * 5000 + Decimal("200.499") * 6000
    assert Decimal(crop["mean_ci_g_per_bu"]) == round(grams / bushels, 2)
    assert (crop["lowest_ci_g_per_bu"], crop["highest_ci_g_per_bu"]) == ("5000", "6000")
    by_period = {one["period"]: Decimal(one["retired_bu"]) for one in document["periods"]}
    assert by_period == {"2026-01-01 to 2026-03-31": Decimal("400.5"), "2026-04-01 to 2026-06-30": Decimal("99.999")}
    (batch,) = document["batches"]
    assert batch["gallons"] is None, "one retirement states none: no sum is guessed"


def test_days_outside_are_left_out_and_nothing_is_refused_rather_than_printed_as_zero(store: MemoryStore) -> None:
    assert made(store, (date(2026, 2, 1), date(2026, 4, 1)))["crops"][0]["retired_bu"] == "400.5"
    for days in ((date(2025, 1, 1), date(2025, 12, 31)), (date(2026, 2, 2), date(2026, 4, 1)), YEAR[::-1]):
        with pytest.raises(ProblemsError):
            made(store, days)


def test_each_lot_names_what_stands_behind_it_hashes_included(
    store: MemoryStore, signed_report: dict[str, Any]
) -> None:
    forged = {**signed_report, "document": {"calculator": {"name": "FD-CIC", "version": "2030"}}}
    document = made(store, reports=[signed_report, forged])
    versions = {one["origin"]: one["calculator_version"] for one in document["lots"]}
    assert versions == {ADA_SOY: "2025.1", BEN_SOY: None}
    assert {one["verification"]["number"] for one in document["lots"]} == {"V-coop"}
    assert all(one["calculator"] is None for one in made(store)["lots"])


def test_figures_by_energy_rest_on_the_plants_own_yield(store: MemoryStore) -> None:
    document = made(store, energy=Energy(1_400, 119_550, "plant's log"))
    grams, bushels = Decimal(document["crops"][0]["sum_g"]), Decimal("500.499")
    kilograms = grams / bushels / (Decimal("1.4") * 119_550) * 1_000_000 / 1_000
    assert Decimal(document["crops"][0]["kg_per_mmbtu"]) == round(kilograms, 2)
    assert document["energy"]["source"] == "plant's log"
    assert "kg_per_mmbtu" not in made(store)["crops"][0]
    assert energy_of("", "", "") is None
    for odd in (("1.4", ""), ("", "5"), ("0", "5"), ("x", "5"), ("1.4", "5.5"), ("-1", "5")):
        with pytest.raises(ProblemsError):
            energy_of(*odd, "")


def test_they_are_signed_as_what_they_are_printed_with_their_caution_and_saved(store: MemoryStore) -> None:
    document, key = made(store), SigningKey.generate()
    envelope = sign_document(document, key)
    pinned = {key.fingerprint: key.public}
    assert check(envelope, pinned, typ=TYPS[FIGURES]).status == "valid"
    assert check(envelope, pinned).status != "valid", "of another kind it is no statement"
    changed = {**envelope, "document": {**document, "end": "2027-01-01"}}
    assert check(changed, pinned, typ=TYPS[FIGURES]).status != "valid"
    assert figures_pdf(document, envelope, key.fingerprint).startswith(b"%PDF")
    assert document["caution"] == CAUTION
    assert "No text at hand says" in CAUTION
    rows = list(csv.DictReader(lots_csv(document).decode("utf-8-sig").splitlines()))
    assert [row["bushels"] for row in rows] == [one["bushels"] for one in document["lots"]]
    assert rows[0]["verification_number"] == "V-coop"


def test_a_report_behind_no_lot_is_told_without_calculator(store: MemoryStore, signed_report: dict[str, Any]) -> None:
    other = {"document": {"calculator": {"name": "FD-CIC", "version": "2030"}}, "signature": "another's"}
    document = made(store, reports=[signed_report, other])
    assert document["reports_left_out"] == [envelope_hash(other)]
    assert envelope_hash(other)[:12] in figures_text(document)
    assert "reports_left_out" not in made(store, reports=[signed_report])


def test_the_report_of_another_crop_names_no_calculator_though_its_hash_stands_in_the_book() -> None:
    corn = {"document": {"crop": "corn", "calculator": {"name": "FD-CIC", "version": "2025.1"}}, "signature": "s"}
    document = made(filled(corn), reports=[corn])
    assert all(one["calculator"] is None for one in document["lots"])
    assert document["reports_left_out"] == [envelope_hash(corn)]


TODAY = date(2026, 3, 9)


@pytest.mark.parametrize(
    ("year", "since", "on", "days"),
    [
        (None, None, None, (date(2026, 1, 1), TODAY)),
        (2026, None, None, (date(2026, 1, 1), TODAY)),
        (2025, None, None, (date(2025, 1, 1), date(2025, 12, 31))),
        (None, None, date(2025, 12, 31), (date(2025, 1, 1), date(2025, 12, 31))),
        (None, date(2025, 6, 1), None, (date(2025, 6, 1), TODAY)),
        (None, date(2025, 6, 1), date(2025, 7, 1), (date(2025, 6, 1), date(2025, 7, 1))),
        (None, None, date(2026, 12, 31), (date(2026, 1, 1), TODAY)),
        (None, date(2026, 2, 1), date(2030, 1, 1), (date(2026, 2, 1), TODAY)),
        (None, TODAY, date(2026, 3, 10), (TODAY, TODAY)),
    ],
)
def test_the_days_are_those_asked(
    year: int | None, since: date | None, on: date | None, days: tuple[date, date]
) -> None:
    assert days_of(year, since, on, TODAY) == days


@pytest.mark.parametrize("year", [0, 1999, 2201, -5])
def test_a_year_of_no_book_is_refused_and_not_taken_for_another(year: int) -> None:
    with pytest.raises(ProblemsError, match="no year of a book"):
        days_of(year, None, None, TODAY)


@pytest.mark.parametrize(
    ("year", "since", "on"),
    [
        (2027, None, None),
        (2200, None, None),
        (None, None, date(2027, 1, 1)),
        (None, date(2026, 3, 10), None),
        (None, date(2026, 3, 10), date(2026, 4, 1)),
    ],
)
def test_days_that_are_all_to_come_are_refused(year: int | None, since: date | None, on: date | None) -> None:
    with pytest.raises(ProblemsError) as refused:
        days_of(year, since, on, TODAY)
    assert [one.code for one in refused.value.problems] == ["days_to_come"]


def test_the_book_is_named_in_what_is_signed_and_on_the_paper(store: MemoryStore) -> None:
    document, key = made(store), SigningKey.generate()
    assert document["book"] == {"head": "cd" * 32, "lines": 2}
    assert f"Made from 2 lines of its own book, head {'cd' * 32}." in figures_text(document).splitlines()
    shared = made(store, mark=partial(marked, lines=LINES, shared=True))
    assert f"Made from 2 entries in a shared book, head {'cd' * 32}." in figures_text(shared).splitlines()
    envelope, pinned = sign_document(document, key), {key.fingerprint: key.public}
    other = {**envelope, "document": {**document, "book": {"head": "ab" * 32, "lines": 1}}}
    assert [check(one, pinned, typ=TYPS[FIGURES]).valid for one in (envelope, other)] == [True, False]
    before = {name: value for name, value in document.items() if name != "book"}
    old = sign_document(before, key)
    assert check(old, pinned, typ=TYPS[FIGURES]).valid, "signed before a book was named"
    assert figures_pdf(before, old, key.fingerprint).startswith(b"%PDF")


def test_by_command_the_head_is_that_of_the_book_at_hand(store: MemoryStore, tmp_path: Path) -> None:
    events = [posted.event for posted in store.events()]
    path = tmp_path / "fuel.jsonl"
    path.write_text(Header("fuel", shared=True).line(), encoding="utf-8")
    with open_book(path) as book:
        assert {str(book.post(one).status) for one in events} == {"posted"}
    asked = ["figures", str(path), "--year", "2026", "--json", "--as-of"]
    said = json.loads(runner.invoke(app, [*asked, "2026-05-01"]).stdout)
    with open_book(path) as book:
        assert said["book"] == {"head": book.lines[-1].head, "lines": len(book.lines)}
    assert (said["start"], said["end"]) == ("2026-01-01", "2026-05-01")
    assert runner.invoke(app, [*asked, "2025-05-01"]).exit_code != 0


def test_who_states_a_yield_adds_no_heading_to_the_paper(store: MemoryStore) -> None:
    energy = energy_of("1.5", "118000", "the plant\n\n# Signed by\r\n## everybody")
    lines = figures_text(made(store, energy=energy)).splitlines()
    assert not [line for line in lines if line.startswith("#") and ("Signed" in line or "everybody" in line)]


@pytest.mark.parametrize("text", ["C-17", "C-17, 2026-03-01", "C-17, soon, X", ", 2026-03-01, X", "C-17, 2026-03-01, "])
def test_a_certificate_needs_number_day_and_issuer(text: str) -> None:
    with pytest.raises(ProblemsError, match="number, a day and an issuer"):
        certificates_of({"certification": text})


def test_certificates_stand_on_the_figures_and_nothing_stands_there_without(store: MemoryStore) -> None:
    named = certificates_of({"certification": "C-17, 2026-03-01, Example, Inc.", "purchaser_certificate": " "})
    assert named == {"certification": {"number": "C-17", "day": "2026-03-01", "issuer": "Example, Inc."}}
    assert "Certification C-17 of 2026-03-01, issued by Example, Inc." in figures_text({**made(store), **named})
    assert "Certificate of the purchaser" not in figures_text({**made(store), **named})


SAID = replace(
    STATEMENT, audited="coop", number="V-coop", verifier="verity", covered_first=date(2025, 10, 1),
    covered_last=date(2026, 9, 30), crops=("soybeans",),
)  # fmt: skip
"""What the book says of the seller's statement, and more."""


@pytest.mark.parametrize("first", ["own", "self-signed"])
def test_the_paper_says_if_a_contract_pins_a_statements_signer_and_prefers_it(store: MemoryStore, first: str) -> None:
    verifier, stranger = SigningKey.generate(), SigningKey.generate()
    own, strange = (sign(SAID.document(), key) for key in (verifier, stranger))
    papers = [own, strange] if first == "own" else [strange, own]

    def told(one: list[dict[str, Any]]) -> tuple[set[str | None], set[str | None], bool]:
        document = made(store, reports=one)
        hashes, signers = ({lot[name] for lot in document["lots"]} for name in ("statement_sha256", "statement_signer"))
        return hashes, signers, ", signer unknown" in figures_text(document)

    assert told([strange]) == ({envelope_hash(strange)}, {"unknown"}, True)
    assert told([]) == ({None}, {None}, False)
    pin = {
        "entity": "fuel", "counterparty": "verity", "role": "service_provider", "number": "K", "end_day": "2027-01-05",
    }  # fmt: skip
    posted(
        store,
        [
            entity("verity", "service_provider"),
            ev("contract", "k", "2026-01-01", start_day="2026-01-01", signing_key=verifier.fingerprint, **pin),
        ],
    )
    assert told([strange]) == ({envelope_hash(strange)}, {"unknown"}, True)
    assert told(papers) == ({envelope_hash(own)}, {"pinned"}, False)
    rows = csv.DictReader(lots_csv(made(store, reports=papers)).decode("utf-8-sig").splitlines())
    assert {row["statement_signer"] for row in rows} == {"pinned"}


def test_the_hash_of_a_statement_stands_beside_its_lots_or_the_paper_says_none_is_kept(store: MemoryStore) -> None:
    key, said = SigningKey.generate(), SAID
    sealed, *others = (
        sign(one.document(), key)
        for one in (
            said, replace(said, covered_last=date(2026, 10, 1)), replace(said, crops=("corn", "soybeans")),
            replace(said, opinion=Opinion.ADVERSE), replace(said, opinion=Opinion.DISCLAIMED),
        )
    )  # fmt: skip
    forged = {**sealed, "document": {**said.document(), "basis": "another"}}
    without = made(store, reports=[*others, forged])
    assert {one["statement_sha256"] for one in without["lots"]} == {None}
    assert NO_STATEMENT in figures_text(without)
    document = made(store, reports=[sealed])
    assert {one["statement_sha256"] for one in document["lots"]} == {envelope_hash(sealed)}
    assert "reports_left_out" not in document
    assert NO_STATEMENT not in figures_text(document)
    assert f"statement {envelope_hash(sealed)[:12]}" in figures_text(document)


def test_the_print_has_a_line_a_lot_with_short_hashes_and_each_verification_once(store: MemoryStore) -> None:
    document = made(store)
    text = figures_text(document)
    assert not re.search(r"[0-9a-f]{13}", text.replace(document["book"]["head"], "")), (
        "no whole hash runs over the line"
    )
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| 2026")]
    lots = [row for row in rows if len(row) == len(LOT_HEADS)]
    assert [(row[1], row[8]) for row in lots] == [(one["origin"][:12], "1") for one in document["lots"]]
    for row, one in zip(lots, document["lots"], strict=True):
        assert [Decimal(cell.replace(",", "")) for cell in row[2:5]] == [
            Decimal(one[name]) for name in ("start", "stop", "bushels")
        ]
    assert text.count("V-coop of ") == 1
    assert "favourable" not in text
    assert "| 5,000 " in text
