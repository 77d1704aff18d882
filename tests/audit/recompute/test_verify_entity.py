"""An entity's package verifies clean; whatever is changed in book or papers is found and named, re-sealed or not."""

import json
import os
from datetime import date
from random import Random
from typing import Any, Final

import pytest

from provender.audit.package.custody_section import EntityBook, replayed
from provender.audit.package.layout import KEYS
from provender.custody.documents.build import transfer_document
from provender.custody.documents.receive import sign_document
from provender.custody.events.registry import read_event
from provender.custody.model.event import plain_event
from provender.signing.canonical import canonical_json
from provender.signing.jws import sign
from provender.signing.keys import SigningKey
from tests.audit.chain import (
    GROWN,
    KEYS_OF,
    SALT,
    STATEMENT_ON_COOP,
    book,
    clean,
    coop,
    events_in,
    own_papers,
    paper,
    sealed,
    store_of,
    verify,
)
from tests.audit.forge import Files, Found
from tests.audit.tamper_entity import TAMPERINGS, Edit, Tampering, applied, forged
from tests.custody.papers import ADA, salted
from tests.custody.world import CAST, Event, as_received, bought, ev, favourable
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

SEED = os.environ.get("SEED", "2026")


@pytest.mark.parametrize("me", ["coop", "crush"])
def test_the_clean_package_verifies_clean(me: str) -> None:
    found = verify(clean(me), me)
    assert found.text == ""


@pytest.mark.parametrize("tampering", TAMPERINGS, ids=lambda one: one.name)
def test_a_tampering_is_found_and_named(tampering: Tampering) -> None:
    missed = forged(tampering, f"{SEED} {tampering.name}")
    assert not missed, missed


@pytest.mark.parametrize("me", ["coop", "crush"])
def test_a_paper_that_only_the_verifier_holds_is_not_kept_by_the_party(me: str) -> None:
    papers = [path for path in clean(me) if path.endswith(".json") and path != KEYS]
    assert len(papers) > 3
    for path in papers:
        files = dict(clean(me))
        held = {"own-copy.json": files.pop(path)}
        found = verify(files, me, held=held)
        assert found.text, path
        if path == papers[0]:
            assert verify(clean(me), me, held=held).text == ""


SIGNED = ROWS.table("SIGNED")


@pytest.mark.parametrize("name", SIGNED)
def test_an_entry_that_says_it_is_signed_and_whose_paper_is_not_there_counts_as_typed_in(name: str) -> None:
    me = "coop" if name.endswith("ada.json") else "crush"
    files = {path: content for path, content in clean(me).items() if path != paper(me, name)}
    files = {path: content for path, content in files.items() if name != "V-1" or path != STATEMENT_ON_COOP}
    (one,) = [one for one in verify(files, me).differences if one.code == "signed_paper_missing"]
    what, bushels = SIGNED[name]
    assert (one.place, one.effect_bushels) == (f"book of {me}, {what}", bushels or one.effect_bushels)
    assert "it counts as typed in" in one.recomputed


@pytest.mark.parametrize("kind", ["report", "slip"])
def test_a_book_sealed_anew_with_the_key_of_nobodys_paper_is_told(kind: str) -> None:
    forger = SigningKey.generate().fingerprint
    pin = ev("contract", "k9", "2025-11-02", entity="coop", counterparty="ada", role="supplier", number="K9",
             start_day="2025-10-01", signing_key=forger)  # fmt: skip
    events = [one | ({"signed_by": forger} if one["type"] == kind and "ada" in one["id"] else {}) for one in coop()[0]]
    files = {**clean("coop"), book("coop"): sealed("coop", [*events[:4], pin, *events[4:]])}
    told = [one for one in verify(files, "coop").differences if one.code == "entered_otherwise"]
    assert [forger in one.place + one.claimed for one in told] == [True]
    assert told[0].effect_bushels == 6_000_000


def test_a_member_beside_event_and_seal_is_no_line_of_a_book() -> None:
    lines = clean("coop")[book("coop")].decode().splitlines()
    line = json.dumps({**json.loads(lines[5]), "note": "seen"})
    files = {**clean("coop"), book("coop"): "\n".join([*lines[:5], line, *lines[6:], ""]).encode()}
    assert [(one.code, ", line 6," in one.place) for one in verify(files, "coop").differences] == [("book_seal", True)]


def with_member(document: dict[str, Any], *level: str | int) -> dict[str, Any]:
    made = json.loads(json.dumps(document))
    at: Any = made
    for part in level:
        at = at[part]
    at["seen_by"] = "nobody"
    found: dict[str, Any] = made
    return found


@pytest.mark.parametrize(
    "level", [(), ("rule",), ("verification",), ("rests_on",), ("seller",), ("lines", 0), ("cis", 0)]
)
def test_a_member_that_no_paper_has_is_told_at_each_level_also_where_its_signer_signed_it(level: tuple[str]) -> None:
    path = paper("coop", "transfer-s1.json")
    document = json.loads(clean("coop")[path])["document"]
    signed = sign_document(with_member(document, *level), KEYS_OF["coop"])
    assert verify({**clean("coop"), path: canonical_json(signed)}, "coop").differences


@pytest.mark.parametrize("level", [(), ("accreditation",), ("accreditation", "memberships", 0)])
def test_a_member_that_no_statement_has_is_told(level: tuple[str | int]) -> None:
    document = json.loads(clean("crush")[STATEMENT_ON_COOP])["document"]
    signed = sign(with_member(document, *level), KEYS_OF["verity"])
    found = verify({**clean("crush"), STATEMENT_ON_COOP: canonical_json(signed)}, "crush").differences
    assert [one.code for one in found] == ["statement_member_unknown"]


def test_layout_is_no_difference_and_the_signed_paper_of_a_sale_taken_back_alone_asks_for_the_buyers_word() -> None:
    files = clean("coop")
    for path, content in list(files.items()):
        if path.endswith(".json"):
            files[path] = json.dumps(json.loads(content), indent=3).encode()
    files[book("coop")] = files[book("coop")].replace(b"\n", b"\r\n")
    assert verify(files, "coop").text == ""
    back = ev("correct", "x", "2026-04-07", entity="coop", movement="s2", reason="typed twice")
    found = verify(later(SOLD, back), "coop")
    assert "ask the buyer for 100 bu of it" in found.text
    assert [why for why in found.told if "taken back by x" in why]


def later(*events: Event) -> Files:
    """Return the clean package of the elevator with more events in its book, and the papers of before."""
    before = [*coop()[0], *events[:1]]
    papers = {paper("coop", name): canonical_json(one) for name, one in own_papers("coop", before).items()}
    return {**clean("coop"), **papers, book("coop"): sealed("coop", [*before, *events[1:]])}


SOLD = ev("sale", "s2", "2026-04-06", giver="coop", taker="crush", crop="soybeans", bushels="100")


@pytest.mark.parametrize("day", ["2026-01-05", "2026-04-07"], ids=["the day of the slip", "later"])
@pytest.mark.parametrize("ci", ["5900", "4100"], ids=["worse", "better"])
def test_a_slip_stays_right_when_the_report_behind_it_changes_afterwards(day: str, ci: str) -> None:
    about = {"crop": "soybeans", "harvest_year": 2025, "bushels": GROWN["ada"][0], "salt": SALT["ada"], "version": 2}
    events = [*coop()[0]]
    place = next(n for n, one in enumerate(events) if one["type"] == "slip" and one["giver"] == "ada") + 1
    place = place if day == "2026-01-05" else len(events)
    events.insert(place, ev("report", "r2", day, entity="ada", ci=ci, **about))
    files = {**clean("coop"), book("coop"): sealed("coop", events)}
    assert not [one for one in verify(files, "coop").differences if one.code.startswith("slip_differs")]


def test_a_campaign_that_only_the_supplier_named_is_its_suppliers_to_name() -> None:
    oil = {"crop": "soybeans", "harvest_year": 2025, "ci": "5000", "form": "soybean_oil", "bushels": "100",
           "pounds": "1100", "rate": "11"}  # fmt: skip
    events = [
        *CAST, favourable("crush", "soybeans"),
        ev("document", "d", "2026-01-05", giver="crush", taker="coop", number="D-1", lines=[oil]),
        ev("accept", "a", "2026-01-06", taker="coop", movement="d", site="north"),
        ev("sale", "s", "2026-01-07", giver="coop", taker="fuel", crop="soybeans", form="soybean_oil", pounds="550"),
    ]  # fmt: skip
    events = [plain_event(one) for one in as_received("coop", map(read_event, events))]
    made = transfer_document(store_of(events, "coop"), "s", as_of=date(2026, 1, 7))
    (line,) = made["lines"]

    def codes(**changes: str) -> list[str]:
        signed = sign_document({**made, "lines": [{**line, **changes}]}, KEYS_OF["coop"])
        files = {**clean("coop"), paper("coop", "s.json"): canonical_json(signed), book("coop"): sealed("coop", events)}
        found = verify(files, "coop").differences
        return [one.code for one in found if "document s of" in one.place and one.code.startswith("transfer_differs")]

    assert codes(campaign="winter") == []
    assert codes(yield_lb_per_bu="12") == ["transfer_differs:yield_lb_per_bu"]


@pytest.mark.parametrize("shared", [True, False])
def test_an_act_in_anothers_name_that_rests_on_the_books_own_word_is_told(*, shared: bool) -> None:
    """Whoever writes a book says itself whether others entered into it."""
    from tests.custody.events.test_dispute import BACK, IN_ITS_NAME, UNDONE

    sale = ev("sale", "s1", "2026-02-01", giver="coop", taker="crush", crop="soybeans", bushels="2500.5")
    sold = [*CAST, salted(), *bought("p1", "ada", "coop", ADA, "4000", day="2026-01-10", site="north"), sale]
    if not shared:
        sold = [plain_event(one) for one in as_received("coop", map(read_event, sold))]
    for acts in ([BACK], [IN_ITS_NAME, {**UNDONE, "entity": "crush"}]):
        found = replayed(EntityBook("coop", ""), sealed("coop", [*sold, *acts], shared=shared))
        assert found.faults == []
        alone = [words.partition(": ")[0].split(", ")[-1] for words in found.alone]
        assert alone == ([] if not shared else [f"{acts[-1]['type']} r1"])


# Claims sold before their grain, and acts in another's name, told out of a package made anew by who holds its key.


def _told(edit: Edit, *, shared: bool = False) -> Found:
    files = clean("coop")
    applied(Tampering("remade", "coop", edit, (), remake=True), Random(1), files)
    return verify({**files, book("coop"): sealed("coop", events_in(files, "coop"), shared=shared)}, "coop")


def _without_tickets(*purchases: str) -> Edit:
    def edit(rng: Random, events: list[Event]) -> str:
        del rng
        for event in events:
            if event["id"] in purchases:
                event["tickets"] = []
        return ""

    return edit


def _untouched(rng: Random, events: list[Event]) -> str:
    del rng, events
    return ""


def _returned_in_the_buyers_name(rng: Random, events: list[Event]) -> str:
    del rng
    at = next(place for place, event in enumerate(events) if event["id"] == "s1")
    back = {"type": "return", "id": "back", "giver": "crush", "taker": "coop", "movement": "s1", "site": ""}
    events.insert(at + 1, {**back, "day": events[at]["day"]})
    return ""


def test_claims_beyond_the_grain_of_a_day_and_a_return_in_the_buyers_name_are_told() -> None:
    assert not any("than grain received" in one for one in _told(_untouched).told)
    told = [one for one in _told(_without_tickets("buy-ada", "buy-ben")).told if "than grain received" in one]
    assert [one for one in told if "From 2026-02-01 on, claims on 2,000 bu more soybeans" in one] == told
    assert len(told) == 1
    # One load less leaves 9,000 bu behind claims on 7,000: nothing to tell.
    assert not any("than grain received" in one for one in _told(_without_tickets("buy-ben")).told)
    told = [one for one in _told(_returned_in_the_buyers_name, shared=True).told if "return back" in one]
    assert len(told) == 1
    assert "the other party's signed paper is not there" in told[0]
    assert not any("signed paper is not there" in one for one in _told(_untouched, shared=True).told)
