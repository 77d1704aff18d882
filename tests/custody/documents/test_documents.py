"""What a seller hands over names everything 2100.032(c) and 2100.033(b) ask for; whose signature counts."""

import json
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader
from typer.testing import CliRunner

from provender.cli.custody.app import app
from provender.custody.documents import build
from provender.custody.documents.consents import notice_document
from provender.custody.documents.print import document_pdf
from provender.custody.documents.read import FOREIGN, read_report, read_slip, read_transfer
from provender.custody.documents.receive import (
    Pinned,
    enter_document,
    open_document,
    sign_document,
    signature_of,
    signature_problem,
)
from provender.custody.events.registry import post
from provender.custody.model.lots import LotState, Slip, origin_id
from provender.custody.reconcile.gathered import ReconcileInput
from provender.custody.store import MemoryStore
from provender.problem import ProblemsError
from provender.report.document import FORMAT
from provender.signing.canonical import canonical_json, sha256_hex
from provender.signing.jws import Status, check
from provender.signing.jws import Status as Signature
from tests.custody.events.test_reports import AMENDED
from tests.custody.first_sale import BUY, SELL, base
from tests.custody.papers import (
    ADA,
    DAY,
    SALT,
    buyer_book,
    changed,
    elevator_book,
    key_of,
    letter,
    owned,
    salted,
    take,
    told_of,
    vouched,
)
from tests.custody.world import BEN_SOY, CAST, REPORTS, Event, bought, ev, posted, report, serials, status
from tests.draws import part_of_draws
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)


def oil_book() -> MemoryStore:
    store = elevator_book(vouched())
    steps = [
        ev("accept", "a1", "2026-02-02", taker="crush", movement="s1"),
        ev(
            "yield", "y1", "2026-02-02", entity="crush", made_of="soybeans", output="soybean_oil", campaign="C1",
            rate="11.07", start_day="2026-02-01", end_day="2026-03-31",
        ),
        ev("process", "pr", "2026-02-03", entity="crush", crop="soybeans", bushels="2500", output="soybean_oil"),
        ev(
            "sale", "s2", "2026-02-05", giver="crush", taker="fuel", crop="soybeans", form="soybean_oil",
            pounds="11000",
        ),
    ]  # fmt: skip
    posted(store, steps)
    return store


def test_a_transfer_document_names_parties_date_amount_and_carbon_intensity() -> None:
    made = build.transfer_document(elevator_book(vouched()), "s1", as_of=DAY)
    assert (made["seller"]["id"], made["buyer"]["id"], made["title_date"]) == ("coop", "crush", "2026-02-01")
    assert (made["amount"], made["unit"], made["crop_used_bu"]) == ("2500.5", "bu", "2500.5")
    assert made["cis"] == [{"ci_g_per_bu": "5000", "amount": "2500.5", "crop_used_bu": "2500.5"}]
    assert made["verification"]["statement"]["number"] == "V-coop"
    assert made["matched"].startswith("oldest first")


def test_the_farm_does_not_appear_in_a_transfer_document() -> None:
    made = build.transfer_document(elevator_book(), "s1", as_of=DAY)
    assert made["lines"][0]["origin"] == ADA
    assert "ada" not in json.dumps(made).lower()
    assert made["warnings"] == []


def test_a_document_over_an_unblinded_origin_warns_that_it_names_the_farm() -> None:
    store = MemoryStore()
    unsalted = {name: value for name, value in salted().items() if name != "salt"}
    parties = {"giver": "ada", "taker": "coop"}
    posted(
        store,
        [
            *CAST,
            unsalted,
            ev("slip", "sl", "2026-01-09", origin="ada/soybeans/2025", bushels="10", **parties),
            ev("purchase", "p", "2026-01-10", slip="sl", site="north", **parties),
            ev("sale", "s", "2026-02-01", giver="coop", taker="crush", crop="soybeans", bushels="10"),
        ],
    )
    assert "names the farm" in build.transfer_document(store, "s", as_of=DAY)["warnings"][0]


def test_a_product_shows_crop_used_and_yield() -> None:
    made = build.transfer_document(oil_book(), "s2", as_of=date(2026, 2, 5))
    line = made["lines"][0]
    assert (made["amount"], made["unit"], line["yield_lb_per_bu"]) == ("11000", "lb", "11.07")
    assert made["crop_used_bu"] == "993.677"  # 11000 / 11.07 = 993.6766..., rounded up


def test_a_contract_for_the_first_audit_is_stated() -> None:
    made = build.transfer_document(elevator_book({**vouched(), "opinion": "first_audit_contracted"}), "s1", as_of=DAY)
    assert made["verification"]["words"].startswith("First year")


@pytest.mark.parametrize("name", ["", "nothing", "p1", "slip-p1"])
def test_only_a_sale_makes_a_transfer_document(name: str) -> None:
    with pytest.raises(ProblemsError, match="no sale"):
        build.transfer_document(elevator_book(), name, as_of=DAY)


def test_a_sale_taken_back_makes_no_document() -> None:
    store = elevator_book()
    posted(store, [ev("correct", "c", "2026-02-02", entity="coop", movement="s1", reason="typed twice")])
    with pytest.raises(ProblemsError, match="taken back"):
        build.transfer_document(store, "s1", as_of=DAY)


def test_a_slip_names_the_serials_that_the_farm_assigns() -> None:
    made = build.slip_document(elevator_book(), "slip-p1", as_of=DAY)
    assert made["spans"] == [{"start": "0", "stop": "4000"}]
    assert read_slip(made, "slip.json")[1] == []


def test_every_document_is_signed_as_its_own_kind() -> None:
    store, key = elevator_book(), key_of("coop")
    slip = sign_document(build.slip_document(store, "slip-p1", as_of=DAY), key)
    pinned = {key.fingerprint: key.public}
    assert check(slip, pinned, typ="custody-sale-slip+json").valid
    assert check(slip, pinned, typ="custody-transfer-document+json").status is Signature.MALFORMED


def test_a_document_prints_signed_and_unsigned_the_same_bytes_each_time() -> None:
    envelope = letter(elevator_book(vouched()))
    made = build.transfer_document(elevator_book(vouched()), "s1", as_of=DAY)
    first = document_pdf(made, envelope=envelope, fingerprint=key_of("coop").fingerprint)
    assert first == document_pdf(made, envelope=envelope, fingerprint=key_of("coop").fingerprint)
    assert "4,000" not in words(first)
    assert "2,500.500" in words(first)
    assert "The signed JSON inside this file is the document" in words(first)
    draft = words(document_pdf(made))
    assert "it is a draft and proves nothing" in draft
    assert "inside this file" not in draft


def test_a_statement_adds_the_carbon_intensities_of_a_crop_and_year_up_and_leaves_a_single_one_alone() -> None:
    store = elevator_book()
    closing = [
        ev("measurement", "m", "2026-03-31", entity="coop", site="north", form="soybeans", amount="2000", number="M"),
        ev("close", "c", "2026-03-31", entity="coop", closed_on="2026-04-01"),
    ]
    posted(store, closing)
    made = build.period_document(store, "coop", date(2026, 1, 1))
    with pytest.raises(ProblemsError, match="no closed period"):
        build.period_document(store, "coop", date(2026, 4, 1))
    assert "All soybeans" not in words(document_pdf(made))
    line = made["balance"]["lines"][0]
    assert (line["incoming_bu"], line["outgoing_bu"], line["ending_bu"]) == ("4000", "2500.5", "1499.5")
    two = {**made["balance"], "lines": [line, {**line, "ci_g_per_bu": "6000", "ending_bu": "1000.25"}]}
    shown = words(document_pdf({**made, "balance": two}))
    assert "All soybeans 2025 2 CIs 0 8,000.000 5,001.000 2,499.750 0" in shown


def words(pdf: bytes) -> str:
    """Return the text of a PDF with single blanks."""
    text = " ".join(page.extract_text() for page in PdfReader(BytesIO(pdf)).pages)
    return " ".join(text.replace("\u200b", "").split())


def test_a_document_of_a_pinned_seller_is_received_and_held_unverified_without_a_statement() -> None:
    store = buyer_book()
    incoming, answers = take(store, letter(elevator_book()))
    assert incoming.signature is Signature.VALID
    assert [one.outcome.status for one in answers] == ["posted", "posted"]
    (lot,) = store.lots_of("crush", "soybeans")
    assert (lot.state, lot.amount, lot.ci) == (LotState.UNVERIFIED, 2_500_500, 500_000)


def test_a_statement_in_the_buyers_book_lets_it_be_held() -> None:
    store = buyer_book(vouched())
    take(store, letter(elevator_book()))
    assert store.lots_of("crush", "soybeans")[0].state is LotState.HELD


def test_the_sellers_bare_word_that_it_was_verified_does_not_verify_it() -> None:
    store = buyer_book()
    take(store, letter(elevator_book(vouched())))
    assert store.lots_of("crush", "soybeans")[0].state is LotState.UNVERIFIED


def test_a_first_audit_contract_stated_under_signature_counts_in_the_first_year() -> None:
    store = buyer_book()
    _, answers = take(store, letter(elevator_book({**vouched(), "opinion": "first_audit_contracted"})))
    assert [one.event.type for one in answers] == ["statement", "document", "accept"]
    assert store.lots_of("crush", "soybeans")[0].state is LotState.HELD


def test_a_document_received_twice_changes_nothing() -> None:
    store, raw = buyer_book(), letter(elevator_book())
    take(store, raw)
    _, again = take(store, raw)
    assert [one.outcome.status for one in again] == ["exists", "exists"]


def test_two_farms_may_number_their_slips_alike() -> None:
    book, gathered = MemoryStore(), ReconcileInput()
    posted(book, CAST)
    for farm, salt in (("ada", SALT), ("ben", f"{SALT} of Ben")):
        origin = origin_id(farm, "soybeans", 2025, salt)
        sold: dict[str, Any] = {"giver": farm, "taker": "coop", "origin": origin, "bushels": "1000"}
        own = [{**report(farm, "soybeans", "10000", "5000"), "salt": salt}, ev("slip", "slip-1", "2026-01-05", **sold)]
        farms_book = posted(MemoryStore(), [*CAST, *own])
        gathered.add_book(f"{farm}.jsonl", owned(farm, farms_book), farms_book.events(), farm)
        pin = {"counterparty": farm, "number": farm, "signing_key": key_of(farm).fingerprint}
        terms = {"entity": "coop", "role": "supplier", "start_day": "2025-11-01"}
        posted(book, [own[0], ev("contract", f"k-{farm}", "2025-11-03", **terms, **pin)])
        signed = sign_document(build.slip_document(farms_book, "slip-1", as_of=DAY), key_of(farm))
        for _ in range(2):
            incoming = open_document(signed, book, "coop", f"{farm}.json")
            assert not incoming.problems
            (answer,) = enter_document(incoming, book, lambda one: post(book, one), day=DAY)
            assert answer.outcome.status.well, answer
        assert [slip.giver for slip in book.many(Slip, origin)] == [farm]
    gathered.add_book("coop.jsonl", owned("coop", book), book.events(), "coop")
    assert not [one for one in told_of(gathered) if one.bushels], told_of(gathered)


def test_a_key_that_no_contract_pins_is_signer_unknown_and_nothing_is_posted() -> None:
    store = buyer_book(pin="somebody")
    incoming, answers = take(store, letter(elevator_book()))
    assert (incoming.signature, answers) == (Signature.SIGNER_UNKNOWN, [])
    assert not store.lots_of("crush", "soybeans")


def test_a_key_may_be_pinned_as_a_whole_jwk() -> None:
    whole = ev(
        "contract", "jwk", "2026-01-02", entity="crush", counterparty="coop", role="supplier", number="K1",
        start_day="2025-11-01", signing_key=json.dumps(key_of("coop").public.export()),
    )  # fmt: skip
    assert take(buyer_book(whole), letter(elevator_book()))[0].signature is Signature.VALID


def test_a_document_without_signature_is_refused_unless_it_is_from_outside() -> None:
    bare = {"document": build.transfer_document(elevator_book(), "s1", as_of=DAY)}
    assert take(buyer_book(), bare)[0].signature is Signature.NOT_SIGNED


def test_a_document_for_another_buyer_is_not_ours() -> None:
    store = elevator_book()
    incoming = open_document(letter(store), store, "fuel", "letter.json")
    assert [one.code for one in incoming.problems if one.code == "not_for_us"] == ["not_for_us"]


def test_the_same_serials_on_a_second_document_are_a_broken_chain() -> None:
    store = buyer_book()
    take(store, letter(elevator_book()))
    sold_again = {**build.transfer_document(elevator_book(), "s1", as_of=DAY), "number": "s1-again"}
    _, answers = take(store, sign_document(sold_again, key_of("coop")))
    assert [str(one.outcome.status) for one in answers] == ["broken_chain"]


def foreign(**more: object) -> dict[str, Any]:
    line = {"crop": "soybeans", "ci_g_per_bu": "4800", "crop_used_bu": "1000"}
    parties = {"seller": {"id": "coop"}, "buyer": {"id": "crush"}}
    return {"type": FOREIGN, "number": "INV 77", "title_date": "2026-02-01", **parties, "lines": [line], **more}


def test_a_document_from_outside_becomes_a_foreign_origin_held_unverified() -> None:
    store = buyer_book()
    incoming, answers = take(store, foreign())
    assert incoming.signature is None
    assert [one.outcome.status for one in answers] == ["posted", "posted"]
    (lot,) = store.lots_of("crush", "soybeans")
    assert (lot.origin, lot.state) == ("coop:INV 77/1", LotState.UNVERIFIED)


def test_the_number_of_a_foreign_document_counts_once() -> None:
    store = buyer_book()
    take(store, foreign())
    line = {"crop": "soybeans", "ci_g_per_bu": "4800", "crop_used_bu": "900"}
    _, answers = take(store, foreign(lines=[line]))
    assert [str(one.outcome.status) for one in answers] == ["id_has_other_content"]


@ROWS
def test_a_field_that_cannot_be_right_is_named(fields: dict[str, object], name: str) -> None:
    made = {**build.transfer_document(elevator_book(), "s1", as_of=DAY), **fields}
    found, problems = read_transfer(made, "letter.json")
    assert found is None
    assert any(one.place.column.startswith(name) for one in problems)


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from(sorted(build.transfer_document(elevator_book(), "s1", as_of=DAY)))


@settings(max_examples=part_of_draws(2))
@given(st.dictionaries(FIELDS, ANY_JSON, max_size=4))
def test_no_document_whatever_raises(fields: dict[str, object]) -> None:
    made = {**build.transfer_document(elevator_book(), "s1", as_of=DAY), **fields}
    for reader in (read_transfer, read_slip, read_report):
        found, problems = reader(made, "letter.json")
        assert found is not None or problems
    take(buyer_book(), {"document": made, "signature": "x..y"})


@given(ANY_JSON)
def test_nothing_that_json_can_hold_raises(data: object) -> None:
    incoming = open_document(data, MemoryStore(), "crush", "letter.json")
    assert incoming.content is None
    assert incoming.problems


def report_document(**more: object) -> dict[str, Any]:
    return {
        "type": "biofuel-feedstock-report", "format": FORMAT, "label": "official", "made_on": "2026-01-02",
        "rule": {"state": ""}, "crop": "soybeans",
        "harvest_year": 2025, "total_bushels": "10000", "farm_ci_g_per_bu": "5000.00", "farm": {"farm_id": "ada"},
        "edition": {"version": 1, "salt": "a salt of sixteen bytes and more", "origin_id": ADA},
        "attestation": [], "units": [], **more,
    }  # fmt: skip


def test_a_report_becomes_an_origin_under_its_blinded_name() -> None:
    found, problems = read_report(report_document(), "r.json")
    assert problems == []
    assert found is not None
    assert (found.bushels, found.ci, found.version) == (10_000_000, 500_000, 1)


@pytest.mark.parametrize("rule", [None, [], "", {}, {"id": "interim-2025"}])
def test_a_report_that_hides_under_which_text_it_stands_makes_no_origin(rule: object) -> None:
    found, problems = read_report(report_document(rule=rule), "r.json")
    assert found is None
    assert [one.code for one in problems] == ["no_rule_state"]


@pytest.mark.parametrize("label", ["ESTIMATE", "PRELIMINARY", "", None])
def test_a_report_that_is_not_official_makes_no_origin(label: object) -> None:
    found, problems = read_report(report_document(label=label), "r.json")
    assert found is None
    assert "not_official" in {one.code for one in problems}


def test_a_report_whose_blinded_name_is_another_farms_is_refused() -> None:
    found, problems = read_report(report_document(farm={"farm_id": "ben"}), "r.json")
    assert found is None
    assert problems[0].place.column == "edition.origin_id"


def test_posting_stops_at_the_first_refusal() -> None:
    store = buyer_book()
    early = {**build.transfer_document(elevator_book(), "s1", as_of=DAY), "title_date": "2026-06-30"}
    incoming = open_document(sign_document(early, key_of("coop")), store, "crush", "letter.json")
    assert incoming.content is not None
    _, answers = take(store, sign_document({**early, "title_date": "2027-06-30"}, key_of("coop")))
    assert [str(one.outcome.status) for one in answers] == ["posted", "period_not_declared"]
    assert post(store, answers[0].event).status == "exists"


def test_a_wrong_total_is_told_as_that_and_not_as_a_key_that_is_not_pinned() -> None:
    paper: Any = letter(elevator_book())
    signed = sign_document({**paper["document"], "amount": "9999"}, key_of("coop"))
    incoming, answers = take(buyer_book(), signed)
    assert {one.code for one in incoming.problems} == {"document_field"}
    assert "add up to" in incoming.problems[0].cause
    assert not answers


def test_a_transfer_document_says_its_mean_its_order_and_its_bill_of_lading() -> None:
    store = elevator_book(REPORTS[1], *bought("p2", "ben", "coop", BEN_SOY, "1000", day="2026-01-12", site="north"))
    lots = [serials(BEN_SOY, 0, 1000), serials(ADA, 3000, 4000)]
    sale = ev(
        "sale", "s7", "2026-02-03", giver="coop", taker="crush", crop="soybeans", lots=lots, bill_of_lading="BOL-4471"
    )
    order = "highest carbon intensity first, the oldest among equals"
    assert status(store, {**sale, "chosen": "as it came"}) == "field_unreadable"
    assert status(store, {**sale, "chosen": order, "lots": [], "bushels": "5"}) == "field_unreadable"
    posted(store, [{**sale, "chosen": order}])
    document = build.transfer_document(store, "s7", as_of=DAY)
    assert (document["matched"], document["bill_of_lading"]) == (order, "BOL-4471")
    assert "5,500" in words(document_pdf(document))
    assert "BOL-4471" in words(document_pdf(document))
    signed = {"envelope": sign_document(document, key_of("coop")), "fingerprint": "f"}
    assert document_pdf(document, **signed) != document_pdf(document, **signed, address="https://grain.example/s7")  # type: ignore[arg-type]


# Documents laid beside books are told to be signed by whom they name, by a stranger, or changed since.

runner = CliRunner()


def known(*more: dict[str, Any]) -> Pinned:
    pinned = Pinned()
    pinned.add_book(buyer_book(*more))
    return pinned


def status_of(raw: object, pinned: Pinned) -> Status | None:
    found = signature_of(raw, pinned)
    return found.status if found else None


def test_a_document_of_a_party_whose_key_a_book_pins_is_signed_by_it() -> None:
    assert status_of(letter(elevator_book()), known()) is Status.VALID
    assert signature_problem(Status.VALID, "d.json") is None


def test_a_key_that_no_book_pins_is_signer_unknown_until_it_is_named() -> None:
    paper, pinned = letter(elevator_book(), signer="mill"), known()
    assert status_of(paper, pinned) is Status.SIGNER_UNKNOWN
    pinned.named.add(key_of("mill").fingerprint)
    assert status_of(paper, pinned) is Status.VALID


@pytest.mark.parametrize(
    ("end", "status"),
    [("2026-01-31", Status.SIGNER_UNKNOWN), ("2026-02-01", Status.SIGNER_UNKNOWN), ("2026-02-02", Status.VALID)],
)
def test_a_contract_pins_a_key_up_to_its_last_day_on_which_the_paper_was_made(end: str, status: Status) -> None:
    """Title passed on 1 February, the paper is of the 2nd: whoever signs after the contract may date title back."""
    pin = ev(
        "contract", "k", "2025-11-04", entity="crush", counterparty="coop", role="supplier", number="K1",
        start_day="2025-11-01", end_day=end, signing_key=key_of("coop").fingerprint,
    )  # fmt: skip
    assert status_of(letter(elevator_book()), known(pin)) is status
    buyer = posted(MemoryStore(), [*CAST, pin])
    incoming = open_document(letter(elevator_book()), buyer, "crush", "letter.json")
    assert incoming.signature is status
    assert (incoming.content is not None) is (status is Status.VALID)


def test_a_changed_document_and_a_bare_one_are_told_apart() -> None:
    assert status_of(changed(letter(elevator_book()), title_date="2026-02-02"), known()) is Status.SIGNATURE_WRONG
    assert status_of(letter(elevator_book())["document"], known()) is Status.NOT_SIGNED
    assert status_of(foreign(), known()) is None


def test_a_notice_is_checked_like_any_document() -> None:
    elevator = elevator_book()
    posted(elevator, [{**AMENDED, "ci": "5100"}])
    paper = sign_document(notice_document(elevator, "coop", "v2", "crush", as_of=DAY), key_of("coop"))
    assert status_of(paper, known()) is Status.VALID


@pytest.mark.parametrize(
    ("kept", "code", "exit_code"),
    [("", None, 0), ("signer", "signer_unknown", 1), ("bare", "not_signed", 1), ("forged", "signature_wrong", 1)],
)
def test_reconcile_says_whose_signature_is_open(tmp_path: Path, kept: str, code: str | None, exit_code: int) -> None:
    paper = letter(elevator_book(), signer="mill" if kept == "signer" else "coop")
    paper = dict(paper["document"]) if kept == "bare" else paper  # type: ignore[call-overload]
    paper = changed(paper, title_date="2026-02-02") if kept == "forged" else paper
    file, key = tmp_path / "d.json", tmp_path / "coop.json"
    file.write_text(json.dumps(paper), encoding="utf-8")
    key.write_text(json.dumps(key_of("coop").public.export()), encoding="utf-8")
    result = runner.invoke(app, ["reconcile", str(file), "--key", str(key), "--json"])
    found = json.loads(result.stdout)
    assert [one["code"] for one in found["problems"]] == ([code] if code else [])
    assert found["files"] == ([] if kept == "forged" else ["d.json"])
    assert result.exit_code == exit_code


# A closed period whose reports changed gets a signed restatement beside its statement, which stays as it was.

START, LATER = date(2026, 1, 1), date(2026, 4, 5)
CLOSE = ev("close", "c", "2026-03-31", entity="coop", closed_on="2026-04-01")
WORSE: Event = {**report("ada", "soybeans", "900", "5200", day="2026-04-02"), "id": "w", "version": 2}
STATED = ("0", "1000", "600", "400")
RESTATED = ("0", "900", "500", "400")


def equation(document: dict[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    names = ("beginning_bu", "incoming_bu", "outgoing_bu", "ending_bu")
    return [(line["ci_g_per_bu"], tuple(line[name] for name in names)) for line in document["balance"]["lines"]]


def both(store: MemoryStore) -> tuple[dict[str, Any], dict[str, Any]]:
    return build.period_document(store, "coop", START), build.restatement_document(store, "coop", START, as_of=LATER)


def test_35_the_statement_stays_and_the_restatement_names_it_by_its_hash(store: MemoryStore) -> None:
    posted(store, base(*BUY, SELL, CLOSE))
    before = build.period_document(store, "coop", START)
    posted(store, [WORSE])
    stated, restated = both(store)
    assert stated == before
    assert (equation(stated), equation(restated)) == ([("5000", STATED)], [("5200", RESTATED)])
    assert restated["restates"] == stated["balance_sha256"] == sha256_hex(canonical_json(stated["balance"]))
    assert restated["balance_sha256"] == sha256_hex(canonical_json(restated["balance"]))
    assert (restated["number"], restated["made_on"]) == (
        f"coop/2026-01-01/{restated['balance_sha256'][:8]}",
        "2026-04-05",
    )


def test_35_a_restatement_is_signed_as_its_own_kind_and_never_counts_as_the_statement() -> None:
    store, key = posted(MemoryStore(), base(*BUY, SELL, CLOSE, WORSE)), key_of("coop")
    envelope = sign_document(both(store)[1], key)
    pinned = {key.fingerprint: key.public}
    assert check(envelope, pinned, typ=f"{build.RESTATEMENT}+json").valid
    assert check(envelope, pinned, typ=f"{build.PERIOD}+json").status is Status.MALFORMED
    printed = PdfReader(BytesIO(document_pdf(both(store)[1], envelope=envelope, fingerprint=key.fingerprint)))
    words = " ".join(" ".join(page.extract_text() for page in printed.pages).replace("\u200b", "").split())
    assert "Restatement of a closed period" in words
    assert "restated on 2026-04-05" in words
    assert "stands as it was signed" in words
    plain = PdfReader(BytesIO(document_pdf(both(store)[0])))
    assert "estate" not in " ".join(page.extract_text() for page in plain.pages)


@ROWS
def test_35_where_nothing_changed_for_the_worse_there_is_nothing_to_restate(events: list[Event], words: str) -> None:
    store = posted(MemoryStore(), base(*BUY, SELL, *events))
    with pytest.raises(ProblemsError, match=words):
        build.restatement_document(store, "coop", START, as_of=LATER)


def test_35_reconcile_takes_both_and_finds_nothing_wrong_with_them(tmp_path: Path) -> None:
    store, key = posted(MemoryStore(), base(*BUY, SELL, CLOSE, WORSE)), key_of("coop")
    files = [tmp_path / "stated.json", tmp_path / "restated.json"]
    for file, document in zip(files, both(store), strict=True):
        file.write_text(json.dumps(sign_document(document, key)), encoding="utf-8")
    public = tmp_path / "coop.json"
    public.write_text(json.dumps(key.public.export()), encoding="utf-8")
    result = CliRunner().invoke(app, ["reconcile", *map(str, files), "--key", str(public), "--json"])
    found = json.loads(result.stdout)
    assert (found["findings"], found["problems"], found["files"]) == ([], [], ["stated.json", "restated.json"])
