"""What entries rest on (interpretation 87): typed verifies nothing, and the paper that comes cures it."""

import json
from datetime import date
from typing import Any, Final

import pytest

from provender.custody.documents.build import period_document, slip_document, transfer_document
from provender.custody.documents.receive import enter_document, open_document, sign_document
from provender.custody.events.footing import Footed, footing_of
from provender.custody.events.registry import DECISIONS, post
from provender.custody.events.typed import WORDS, typed_entries
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event as Request
from provender.custody.model.event import Footing, PaperEvent, RestsOn, weakest
from provender.custody.model.lots import LotState
from provender.custody.model.store_view import Store
from provender.custody.queries.alerts import AlertKind, alerts
from provender.custody.reconcile.books import reconcile
from provender.custody.store import MemoryStore, run_lines
from provender.report.typ import TYP
from provender.schema import infos
from provender.signing.jws import sign
from tests.custody.papers import ADA, SALT, gather_books, key_of, letter, salted, told_of
from tests.custody.world import (
    CAST,
    Event,
    ev,
    favourable,
    on_paper,
    on_record,
    posted,
    read,
    record_of,
    run,
    status,
)
from tests.rows import CaseRows

ROWS: Final = CaseRows(
    __file__,
    ADA=ADA,
    ADAS_KEY=key_of("ada").fingerprint,
    MILLS_KEY=key_of("mill").fingerprint,
    BENS_KEY=key_of("ben").fingerprint,
    SALT=SALT,
)

DAY: Final = date(2026, 1, 9)
SLIP: Final = ROWS.named["SLIP"]
BUY: Final = ROWS.named["BUY"]
SELL: Final = ROWS.named["SELL"]
WORSE: Final = {**salted(), "id": "r2", "version": 2, "day": "2026-01-04", "ci": "3000"}
LINE: Final = ROWS.named["LINE"]
DOCUMENT: Final = ROWS.named["DOCUMENT"]
TAKE: Final = ev("accept", "a1", "2026-01-06", taker="coop", movement="d1", site="north")
OPENING: Final = ROWS.named["OPENING"]
BINS: Final = ROWS.named["BINS"]
MILLS: Final = ROWS.named["MILLS"]


def pin(party: str, *, entity: str = "coop") -> Event:
    return ev("contract", f"pin-{party}", "2025-11-03", entity=entity, counterparty=party, role="supplier",
              number=f"K-{party}", start_day="2025-11-01", signing_key=key_of(party).fingerprint)  # fmt: skip


def signed(event: Event, by: str) -> Event:
    return on_paper(event, key_of(by).fingerprint)


def book(*events: Event, owner: str = "coop") -> MemoryStore:
    """A book of its own, with the keys of a farm and of a party pinned."""
    return posted(MemoryStore(owner), [*CAST, pin("ada"), pin("mill"), *events])


REPORT: Final = ROWS.named["REPORT"]
PROVEN: Final = ROWS.named["PROVEN"]


def test_every_type_of_event_says_what_it_rests_on() -> None:
    for kind in DECISIONS:
        assert isinstance(kind.rests_on, RestsOn), kind
        spoken = kind.rests_on in (RestsOn.SIGNATURE, RestsOn.SCALE)
        assert spoken == bool(kind.speaker or kind.word_of is not Request.word_of), kind
        assert not kind.speaker or kind.speaker in infos(kind), kind
        assert issubclass(kind, PaperEvent) >= (kind.rests_on is RestsOn.SIGNATURE), kind
        assert kind.by_program <= set(infos(kind)), kind
    needing = {kind.type for kind in DECISIONS if kind.rests_on in (RestsOn.SIGNATURE, RestsOn.SCALE, RestsOn.EVIDENCE)}
    assert needing == set(WORDS), "each that can be typed has its words"
    assert all(one.label for one in Footing)
    assert weakest([Footing.CHECKED, Footing.TYPED, Footing.ON_FILE]) is Footing.TYPED
    assert weakest([]) is Footing.OWN


@ROWS
def test_the_footing_of_an_entry_is_read_from_the_book(before: list[Event], entry: Event, footing: str) -> None:
    assert footing_of(book(*before), read(entry)) == footing


SHOW: Final = ev("show", "x", "2026-01-05", entity="coop", movement="S1", signed_by="k")


@pytest.mark.parametrize("entry", [{**SLIP, "signed_by": "k"}, {**DOCUMENT, "weakest": "checked_paper"}, BINS, SHOW])
def test_nobody_types_what_only_a_file_shows(entry: Event) -> None:
    (answer,) = run_lines(book(), [json.dumps(entry)])
    assert answer.status == "paper_not_shown"


# Each row: what is typed, what stands before and after it, and where the lots come from.
TYPED: Final[dict[str, tuple[list[Event], str, int]]] = {
    "a report": ([salted(), signed(SLIP, "ada"), BUY], salted()["id"], 4_000_000),
    "a report's version": ([REPORT, WORSE, signed(SLIP, "ada"), BUY], "r2", 4_000_000),
    "a slip": ([REPORT, SLIP, BUY], "S1", 4_000_000),
    "a supplier's document": ([PROVEN, DOCUMENT, TAKE], "d1", 900_000),
    "a supplier's statement": ([MILLS, signed(DOCUMENT, "mill"), TAKE], MILLS["id"], 900_000),
    "opening stock": ([{**OPENING, "evidence": "x"}], "o1", 10_000_000),
    "opening stock a second time": (
        [BINS, {**OPENING, "bushels": "1"}, {**OPENING, "id": "o2", "number": "2"},
         ev("release", "rest", "2026-01-05", entity="coop", crop="soybeans", bushels="1", site="north")],
        "o2", 10_000_000),
}  # fmt: skip
USES: Final = {
    "sold": ev("sale", "u", "2026-01-10", giver="coop", taker="crush", crop="soybeans", bushels="500"),
    "crushed": ev("process", "u", "2026-01-10", entity="coop", site="north", crop="soybeans", bushels="500",
                  output="soybean_oil"),
    "moved": ev("move", "u", "2026-01-10", entity="coop", site="north", to_site="south", crop="soybeans",
                bushels="500"),
    "released": ev("release", "u", "2026-01-10", entity="coop", crop="soybeans", bushels="500"),
    "lost": ev("loss", "u", "2026-01-10", entity="coop", crop="soybeans", bushels="500"),
}  # fmt: skip
RATE: Final = ev("yield", "y", "2026-01-01", entity="coop", site="north", made_of="soybeans", output="soybean_oil",
                 campaign="C", rate="11", start_day="2026-01-01", end_day="2026-03-31")  # fmt: skip


@pytest.mark.parametrize("name", TYPED)
def test_what_rests_on_something_typed_is_unverified_and_told(name: str) -> None:
    events, entry, bushels = TYPED[name]
    store = book(*events)
    coop = record_of(store, Entity, "coop")
    told = {one.event: one.bushels for one in alerts(store, coop, DAY) if one.kind is AlertKind.TYPED_ENTRY}
    assert told == {entry: bushels}
    assert [one.bushels for one in reconcile(gather_books(("coop", store))) if one.kind == "typed_entry"] == [bushels]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", TYPED)
def test_what_is_unverified_may_be_moved_released_or_lost_and_nothing_else(name: str, use: str) -> None:
    store = book(RATE, *TYPED[name][0])
    may = use in ("moved", "released", "lost")
    assert status(store, USES[use]) == ("posted" if may else "unverified")


def test_nothing_typed_is_retired() -> None:
    store = book({**OPENING, "entity": "fuel", "site": "works", "evidence": "x"}, owner="fuel")
    burn = ev("retire", "b", "2026-01-10", entity="fuel", crop="soybeans", bushels="500", fuel="rd", batch="B")
    assert status(store, burn) == "unverified"


def test_typed_statements_make_nothing_held_through_any_number_of_hands(store: Store) -> None:
    """Where all share a book the server marks what is typed for a party without an account."""
    invented = {**DOCUMENT, "giver": "coop", "taker": "mill", "typed_by": "coop"}
    theirs = {**MILLS, "entity": "coop", "typed_by": "coop"}
    posted(store, [*CAST, theirs, favourable("mill", "soybeans", number="V2", id="s2"), invented,
                   {**TAKE, "taker": "mill", "site": "mill"}])  # fmt: skip
    sale = ev("sale", "on", "2026-01-10", giver="mill", taker="fuel", crop="soybeans", bushels="900")
    assert status(store, sale) == "unverified"
    with store.reading() as facts:
        assert {(one.event, one.bushels) for one in typed_entries(facts, "mill")} == {("d1", 900_000)}
        assert {one.event for one in typed_entries(facts)} == {"d1", theirs["id"]}
    posted(store, [ev("show", "x", "2026-01-09", entity="mill", movement="d1", signed_by="k")])
    assert status(store, {**sale, "id": "still"}) == "unverified"
    posted(store, [on_paper({**theirs, "id": "on-paper"})])
    assert status(store, {**sale, "id": "now"}) == "posted"


def test_a_file_that_comes_shows_opening_stock(store: Store) -> None:
    posted(store, [*CAST, OPENING])
    sale = ev("sale", "s", "2026-01-10", giver="coop", taker="crush", crop="soybeans", bushels="900")
    assert status(store, sale) == "unverified"
    posted(store, [on_record("theirs", "2026-01-08", "crush")])
    assert status(store, {**sale, "id": "still"}) == "unverified", "another party's file is no evidence of this one"
    posted(store, [on_record("later", "2026-01-08", "coop"), sale])


@pytest.mark.parametrize("entry", [
    OPENING,
    {**DOCUMENT, "report": "a" * 64, "typed_by": "coop"},
    {**MILLS, "evidence": "a" * 64, "typed_by": "coop"},
], ids=lambda entry: str(entry["type"]))  # fmt: skip
@pytest.mark.parametrize(("had_by", "footing"), [("crush", "typed"), ("coop", "paper_on_file")])
def test_where_many_share_a_book_a_file_is_evidence_for_whoever_has_it_and_nobody_else(
    entry: Event, had_by: str, footing: str
) -> None:
    store = posted(MemoryStore(), [*CAST, on_record("f", "2025-12-30", had_by)])
    assert footing_of(store, read(entry)) == footing


def test_opening_stock_of_a_house_with_one_site_is_of_one_kind_with_and_without_its_name() -> None:
    mine = {**OPENING, "entity": "mill", "site": ""}
    had = on_record("bins", "2025-12-30", "mill")
    store = posted(MemoryStore("mill"), [*CAST, had, mine, {**mine, "id": "o2", "number": "2", "site": "mill"}])
    assert [one.event for one in typed_entries(store)] == ["o2"]


# The paper comes.


def farm_report(**changes: Any) -> dict[str, object]:  # noqa: ANN401 - of a document
    edition = {"version": 1, "replaces": "", "changes": [], "origin_id": ADA, "salt": SALT}
    document = {
        "type": "biofuel-feedstock-report", "format": 1, "label": "official", "made_on": "2026-01-02",
        "rule": {"state": ""}, "edition": edition, "farm": {"farm_id": "ada", "name": "Ada"}, "crop": "soybeans",
        "harvest_year": 2025, "total_bushels": "10000", "farm_ci_g_per_bu": "5000", "attestation": [], "units": [],
        "findings": [], "problems": [],
    }  # fmt: skip
    return sign({**document, **changes}, key_of("ada"), typ=TYP)


def farm_slip(**changes: Any) -> dict[str, object]:  # noqa: ANN401 - of a document
    store = posted(MemoryStore(), [*CAST, salted(), SLIP])
    return sign_document({**slip_document(store, "S1", as_of=DAY), **changes}, key_of("ada"))


def mills_letter() -> dict[str, object]:
    store = posted(MemoryStore(), [*CAST, {**salted(), "salt": "another salt of sixteen bytes"}])
    origin = store.events()[-1].event.origin  # type: ignore[attr-defined] # a report
    slip = {**SLIP, "id": "SM", "taker": "mill", "origin": origin, "spans": [["0", "900"]]}
    posted(store, [slip, {**BUY, "id": "pm", "taker": "mill", "slip": "SM", "site": "mill"},
                   {**SELL, "id": "M1", "giver": "mill", "taker": "coop", "bushels": "900"}])  # fmt: skip
    return letter(store, "M1", "mill")


def take_in(store: MemoryStore, paper: object) -> list[str]:
    incoming = open_document(paper, store, "coop", "paper.json")
    assert incoming.content is not None, incoming.problems
    answers = enter_document(incoming, store, lambda one: post(store, one), day=DAY, site="north")
    return [str(one.outcome.status) for one in answers]


def held(store: MemoryStore) -> set[LotState]:
    return {lot.state for lot in store.lots_of("coop", "soybeans")}


def test_a_report_that_comes_cures_what_was_bought_on_it() -> None:
    store = book(salted(), signed(SLIP, "ada"), BUY)
    assert held(store) == {LotState.UNVERIFIED}
    assert take_in(store, farm_report()) == ["posted"]
    assert held(store) == {LotState.HELD}
    assert take_in(store, farm_report()) == ["exists"]
    assert [*typed_entries(store)] == []
    assert status(store, SELL) == "posted"


def test_a_report_typed_without_its_salt_is_shown_by_its_paper() -> None:
    store = book({name: value for name, value in salted().items() if name != "salt"})
    assert take_in(store, farm_report()) == ["posted"]
    assert [*typed_entries(store)] == []


@pytest.mark.parametrize(("bushels", "ci"), [("10000", "5500"), ("9000", "5000"), ("10000", "4500")])
def test_a_report_that_says_otherwise_than_what_was_typed_amends_it(bushels: str, ci: str) -> None:
    store = book(salted(), signed(SLIP, "ada"), BUY)
    assert take_in(store, farm_report(total_bushels=bushels, farm_ci_g_per_bu=ci)) == ["posted", "posted"]
    (lot,) = store.lots_of("coop", "soybeans")
    assert (lot.state, lot.ci) == (LotState.HELD, max(500_000, int(ci) * 100))
    assert [*typed_entries(store)] == []


def test_a_slip_that_comes_cures_what_was_bought_by_it_if_the_report_is_there() -> None:
    for report, after in ((REPORT, LotState.HELD), (salted(), LotState.UNVERIFIED)):
        store = book(report, SLIP, BUY)
        assert take_in(store, farm_slip()) == ["posted"]
        assert held(store) == {after}


def test_a_paper_that_contradicts_what_was_typed_is_refused_with_the_field() -> None:
    from provender.problem import ProblemsError

    store = book(REPORT, SLIP)
    with pytest.raises(ProblemsError, match="S1 was typed in and says otherwise than the signed paper: spans"):
        take_in(store, farm_slip(spans=[{"start": "0", "stop": "3000"}], bushels="3000"))


def test_a_document_that_comes_cures_what_was_typed_of_it() -> None:
    paper: Any = mills_letter()
    (line,) = paper["document"]["lines"]
    typed = {**DOCUMENT, "day": "2026-01-10", "lines": [{**LINE, "origin": line["origin"], "start": "0"}]}
    store = book(PROVEN, typed, {**TAKE, "day": "2026-01-10"})
    assert held(store) == {LotState.UNVERIFIED}
    assert take_in(store, paper)[0] == "posted"
    assert held(store) == {LotState.HELD}


def test_a_statement_that_comes_cures_and_a_typed_one_takes_nothing_away() -> None:
    store = book(MILLS, signed(DOCUMENT, "mill"), TAKE)
    assert held(store) == {LotState.UNVERIFIED}
    posted(store, [{**PROVEN, "id": "on-paper"}])
    assert held(store) == {LotState.HELD}
    assert status(store, {**MILLS, "id": "typed-again", "end_day": "2030-01-01"}) == "paper_not_shown"


def test_one_signed_report_is_one_report() -> None:
    named = {"report": "c" * 64}
    last = signed({**salted(), "id": "old", "harvest_year": 2024, "salt": ""}, "ada")
    assert status(book({**REPORT, **named}), {**last, **named}) == "document_seen"
    store = book({**salted(), **named}, {**salted(), "id": "old", "harvest_year": 2024, "salt": "", **named})
    (said,) = [one.said for one in told_of(gather_books(("coop", store))) if one.kind == "second_origin"]
    assert said.endswith("stands for more than one: ada, soybeans 2024, version 1; ada, soybeans 2025, version 1.")


def test_where_many_share_a_book_the_hash_of_anothers_report_tells_nothing_of_it() -> None:
    store = posted(MemoryStore(), [*CAST, {**REPORT, "report": "c" * 64}])
    last = {"crop": "corn", "report": "c" * 64, "salt": ""}
    for farm, tells in (("ben", False), ("ada", True)):
        (answer,) = run(store, [{**REPORT, **last, "id": f"r-{farm}", "entity": farm}])
        assert (answer.status, "ada/soybeans/2025, version 1" in answer.message) == ("document_seen", tells)


# Where a claim goes, its weakest link goes along.


@pytest.mark.parametrize(
    ("events", "weak"),
    [([REPORT, signed(SLIP, "ada"), BUY], "checked_paper"), ([BINS, OPENING], "paper_on_file")],
)
def test_the_transfer_document_says_the_weakest_that_its_claims_rest_on(events: list[Event], weak: str) -> None:
    document = transfer_document(book(*events, SELL), "v1", as_of=DAY)
    assert document["rests_on"] == {"weakest": weak, "words": Footing(weak).label}
    buyer = posted(MemoryStore("crush"), [*CAST, pin("coop", entity="crush")])
    incoming = open_document(sign_document(document, key_of("coop")), buyer, "crush", "v1.json")
    for one in enter_document(incoming, buyer, lambda one: post(buyer, one), day=DAY):
        assert one.outcome.status == "posted"
    assert record_of(buyer, Footed, "document/coop/v1").footing == weak


def test_the_statement_of_a_period_lists_what_was_typed() -> None:
    store = book(REPORT, SLIP, BUY, ev("close", "q", "2026-03-31", entity="coop", closed_on="2026-04-01"))
    (said,) = period_document(store, "coop", date(2026, 1, 1))["typed"]
    assert said.startswith("Sale slip S1 of ada was typed in (S1) and no paper in the book shows it. 4,000 bu rest")
