"""A report is kept only with the producer's own signature over what the records say; the key never comes here."""

import json
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from provender.custody.model.origins import Origin, origin_id, origin_name
from provender.database.actor import Actor
from provender.database.models.farm import LogLeaf, ProducerKey, ReportVersion
from provender.database.store.custody import SqlStore
from provender.database.store.record_books import check_chain, rows_of
from provender.report.signing import salt_of, sign_report
from provender.report.typ import TYP
from provender.services.farm.book import Edit, change_book, farm_book_of, head_of
from provender.services.reports.drafts import document_of, draft_of, envelope_of, versions_of
from provender.signing.canonical import document_hash, sha256_hex
from provender.signing.jws import check, rotate, sign
from provender.signing.keys import PublicKey, SigningKey, decode_base64url, encode_base64url
from provender.signing.transparency import mark_of
from tests.web.cast import Cast
from tests.web.farm_season import fill_season
from tests.web.producer_keys import PRODUCER, SEALED, Producer, post, told
from tests.web.replayed import replayed


@pytest.fixture
def producer(cast: Cast, key_from: Callable[[str], SigningKey]) -> Producer:
    fill_season(cast)
    client = cast.client()
    return Producer(client, cast, key_from("the producer's"))


@pytest.fixture
def registered(producer: Producer) -> Producer:
    assert replayed("the producer's key", lambda: producer.register().status_code) == 200
    return producer


@pytest.fixture
def signed(registered: Producer) -> Producer:
    """Return the producer after the corn of 2025 was signed: made once, as its records are judged once then."""
    assert replayed("the corn of 2025 is signed", lambda: registered.sign().status_code) == 200
    return registered


def at(cast: Cast, name: str, *more: object) -> str:
    return reverse(name, args=(cast.farm.handle, *more))


def test_a_registered_key_stands_in_the_producer_s_record_as_a_change_of_the_book(producer: Producer) -> None:
    before = head_of(producer.cast.book)
    assert producer.register().status_code == 200
    row = rows_of(producer.cast.book)["producer"][PRODUCER]
    after = head_of(producer.cast.book)
    assert row["key_fingerprint"] == producer.key.fingerprint
    assert before is not None
    assert after is not None
    assert after.number == before.number + 1
    assert check_chain(producer.cast.book) == []


def test_what_is_not_sealed_well_is_not_kept(producer: Producer) -> None:
    wrong: tuple[dict[str, object], ...] = (
        {"rounds": 599_999},
        {"kdf": "none"},
        {"cipher": "AES-128-GCM"},
        {"sealed": encode_base64url(bytes.fromhex("302e020100300506032b657004220420") + b"x" * 48)},
        {"sealed": encode_base64url(b"x" * 48)},
        {"iv": encode_base64url(b"i" * 8)},
        {"d": "the private key"},
    )
    for changed in wrong:
        answer = producer.register(sealed=SEALED | changed)
        assert answer.status_code == 409, changed
        assert "no key sealed" in told(answer), changed
    assert not ProducerKey.objects.exists()


def test_a_statement_about_something_else_registers_nothing(producer: Producer) -> None:
    yesterday = (timezone.localdate() - timedelta(days=1)).isoformat()
    wrong: tuple[dict[str, object], ...] = (
        {"organisation": "another"},
        {"producer_id": "P2"},
        {"on": "2020-01-01"},
        {"on": yesterday},
        {"new_key": SigningKey.generate().public.jwk},
        {"more": "words"},
    )
    for changed in wrong:
        answer = producer.register(statement=producer.statement(**changed))
        assert answer.status_code == 409, changed
        assert "Nothing shows that you have this key" in told(answer), changed
    answer = producer.register(producer_id="P2", statement=producer.statement(producer_id="P2"))
    assert "operational control" in told(answer)
    assert not ProducerKey.objects.exists()


def test_the_old_key_hands_over_to_the_new_one(registered: Producer) -> None:
    fresh = SigningKey.generate()
    statement = rotate(registered.key, fresh, on=timezone.localdate())
    assert registered.register(statement=statement).status_code == 200
    made = ProducerKey.objects.get(fingerprint=fresh.fingerprint)
    assert made.replaces == registered.key.fingerprint
    assert registered.ask().status_code == 409
    later = Producer(registered.client, registered.cast, fresh)
    assert later.sign().status_code == 200


def test_a_stranger_s_rotation_registers_nothing(registered: Producer) -> None:
    statement = rotate(SigningKey.generate(), SigningKey.generate(), on=timezone.localdate())
    assert registered.register(statement=statement).status_code == 409
    assert ProducerKey.objects.count() == 1


def test_nobody_but_the_farm_s_own_people_registers_or_signs(registered: Producer) -> None:
    for part in ("reader", "consultant", "verifier_in"):
        other = registered.cast.client(part)
        somebody = Producer(other, registered.cast, registered.key)
        assert somebody.register().status_code == 403, part
        assert somebody.ask().status_code == 403, part
        page = other.get(at(registered.cast, "farm_report", "corn", 2025)).content.decode()
        assert "Sign the report" not in page, part


def test_a_signed_report_is_rooted_in_the_head_of_the_book_and_verifies(registered: Producer) -> None:
    head = head_of(registered.cast.book)
    assert registered.sign().status_code == 200
    (version,) = versions_of(registered.cast.book, "corn", 2025)
    document = document_of(version)
    assert head is not None
    assert (version.book_head, document["rests_on"]["book_head"]) == (head.hash, head.hash)
    assert version.document_hash == document_hash(document)
    pinned = {registered.key.fingerprint: registered.key.public}
    assert check(envelope_of(version), pinned, typ=TYP).valid
    assert LogLeaf.objects.get(mark=mark_of(json.dumps(envelope_of(version)).encode())).kind == "signed report"
    # The signed bushels become an origin under the name that the report gives.
    name = registered.cast.farm.handle, "corn", 2025
    with SqlStore(Actor(None, "test")).reading() as facts:
        (origin,) = facts.many(Origin, origin_name(*name))
    assert origin.id == document["edition"]["origin_id"] == origin_id(*name, document["edition"]["salt"])
    assert document["edition"]["salt"] == salt_of(registered.key, origin_name(*name))
    assert origin.current.report == version.document_hash


def test_another_key_and_a_signature_given_for_something_else_sign_nothing(registered: Producer) -> None:
    other = Producer(registered.client, registered.cast, SigningKey.generate())
    assert other.ask().status_code == 409
    assert "not attested" in told(registered.ask(fields={}))
    asked = json.loads(registered.ask().content)
    document = json.loads(asked["document"])
    for said, key, typ, why in (
        (document, other.key, TYP, "names another signing key"),
        (document, registered.key, "provender-document", ""),
        (document, registered.key, "custody-sale-slip+json", ""),
        (document | {"total_bushels": "1"}, registered.key, TYP, "changed after it was signed"),
    ):
        signature = sign(said, key, typ=typ)["signature"]
        body = {**registered.body("corn", 2025), "sha256": asked["sha256"], "signature": signature}
        refused = post(registered.client, registered.where("corn", 2025), body)
        assert refused.status_code == 409, (typ, why)
        assert why in told(refused)
    assert not ReportVersion.objects.exists()


def test_a_contradicted_report_is_not_signed_and_says_why(registered: Producer) -> None:
    answer = registered.ask("sorghum")
    assert "contradicted" in told(answer)
    page = registered.client.get(at(registered.cast, "farm_report", "sorghum", 2025)).content.decode()
    assert "What blocks a signature" in page
    assert "Sign the report" not in page


def test_records_that_change_while_one_signs_stop_the_signature(registered: Producer) -> None:
    asked = json.loads(registered.ask().content)
    signature = sign(json.loads(asked["document"]), registered.key, typ=TYP)["signature"]
    correct_bushels(registered.cast)
    body = {**registered.body("corn", 2025), "sha256": asked["sha256"], "signature": signature}
    answer = post(registered.client, registered.where("corn", 2025), body)
    assert "changed since you began" in told(answer)


def correct_bushels(cast: Cast) -> None:
    """Put twenty bushels more on one unit, in the harvest, its run and the tickets."""
    rows = rows_of(cast.book)
    runs = {
        key: {**row, "farm_ci_g_per_bu": ""} for key, row in rows["calculator_run"].items() if row["crop"] == "corn"
    }
    runs["RUN-N40"]["yield_bu_per_ac"] = "183"
    edits = [Edit("calculator_run", key, row) for key, row in runs.items()]
    edits.append(Edit("harvest", "N40-2025", {**rows["harvest"]["N40-2025"], "bushels": "7320"}))
    edits.append(Edit("bushel_total", "BT1", {**rows["bushel_total"]["BT1"], "bushels": "46280"}))
    change_book(cast.book, edits, reason="ticket found", actor=cast.actor("owner"))


def test_an_amendment_names_what_it_replaces_and_keeps_the_origin(signed: Producer) -> None:
    page = signed.client.get(at(signed.cast, "farm_report", "corn", 2025))
    assert page.context["state"].text == "Signed"
    correct_bushels(signed.cast)
    page = signed.client.get(at(signed.cast, "farm_report", "corn", 2025))
    assert "What an amendment would change" in page.content.decode()
    assert signed.sign().status_code == 200
    first, second = versions_of(signed.cast.book, "corn", 2025)
    edition = document_of(second)["edition"]
    assert edition["replaces"] == first.document_hash
    assert edition["origin_id"] == document_of(first)["edition"]["origin_id"]
    assert any("bushels" in text for text in edition["changes"])


def test_ticks_of_what_is_claimed_leave_a_signed_report_as_it_is(signed: Producer) -> None:
    book = signed.cast.book
    row = rows_of(book)["harvest"]["N40-2025"]
    edit = Edit("harvest", "N40-2025", {**row, "claims": "no_till; cover_crop"})
    change_book(book, [edit], reason="ticked", actor=signed.cast.actor("owner"))
    assert not draft_of(farm_book_of(signed.cast.farm), "corn", 2025).is_news


def test_a_report_signed_on_one_s_own_machine_is_taken_in(producer: Producer) -> None:
    assert producer.register(sealed=None).status_code == 200
    where = at(producer.cast, "farm_report_file", "corn", 2025, 0, "json")
    document = json.loads(producer.client.get(where).content)
    name = producer.cast.farm.handle, "corn", 2025
    salt = salt_of(producer.key, origin_name(*name))
    document["edition"] |= {"salt": salt, "origin_id": origin_id(*name, salt)}
    signed = json.dumps(sign_report(document, producer.key, fingerprint_on_file=None)).encode()
    page = at(producer.cast, "farm_report", "corn", 2025)
    answer = producer.client.post(page, {"file": SimpleUploadedFile("report.json", signed)})
    assert answer.status_code == 302
    assert ReportVersion.objects.count() == 1


def test_a_file_that_is_no_signed_report_of_these_records_is_told(registered: Producer) -> None:
    page = at(registered.cast, "farm_report", "corn", 2025)
    for content in (b"{}", b"not json", b'{"document": {}, "signature": "x"}', b'{"d": 1.5}'):
        answer = registered.client.post(page, {"file": SimpleUploadedFile("report.json", content)})
        assert answer.status_code == 200, content
        assert answer.context["form"].errors, content
    asked = json.loads(json.loads(registered.ask().content)["document"]) | {"total_bushels": "1"}
    other = json.dumps(sign_report(asked, registered.key, fingerprint_on_file=None)).encode()
    answer = registered.client.post(page, {"file": SimpleUploadedFile("report.json", other)})
    assert "not the one that the records give today" in str(answer.context["form"].errors)


def test_a_signed_report_is_listed_and_saved_as_pdf_json_and_jws(signed: Producer) -> None:
    table = signed.client.get(at(signed.cast, "farm_reports")).context["reports"]
    states = {row[0].text: row[2].text for row in table.rows}
    assert states == {"Field corn": "Signed", "Sorghum": "Not ready", "Soybeans": "Not ready"}
    (version,) = versions_of(signed.cast.book, "corn", 2025)
    got = {
        form: signed.client.get(at(signed.cast, "farm_report_file", "corn", 2025, 1, form))
        for form in ("pdf", "json", "jws")
    }
    assert got["pdf"].content.startswith(b"%PDF-1.7")
    (printout,) = document_of(version)["units"][0]["runs"][0]["evidence"]
    carried = PdfReader(BytesIO(got["pdf"].content)).attachments
    assert sha256_hex(carried["calculator-printout-1.txt"][0]) == printout["sha256"]
    assert json.loads(got["json"].content) == envelope_of(version)
    payload = decode_base64url(got["jws"].content.decode().strip().split(".")[1])
    assert payload.decode() == version.document
    assert "attachment" in got["pdf"].headers["Content-Disposition"]
    for version_no, form in ((2, "pdf"), (0, "jws"), (1, "html")):
        missing = signed.client.get(at(signed.cast, "farm_report_file", "corn", 2025, version_no, form))
        assert missing.status_code == 404


def test_the_public_half_is_all_that_is_kept_in_the_open(registered: Producer) -> None:
    kept = ProducerKey.objects.get()
    assert PublicKey.from_jwk(kept.public).fingerprint == registered.key.fingerprint
    assert "d" not in kept.public


def test_the_overview_says_what_to_do_next(producer: Producer) -> None:
    def words() -> list[str]:
        page = producer.client.get(reverse("organisation", args=(producer.cast.farm.handle,)))
        return [step.words for step in page.context["next_steps"]]

    assert "Make a signing key" in words()
    assert "Sign the report on field corn 2025" in words()
    assert any(text.startswith("Say what ") for text in words())
    producer.register()
    assert "Make a signing key" not in words()
    producer.sign()
    assert "Sign the report on field corn 2025" not in words()
    assert "Sell field corn 2025" in words()


def test_a_sealed_key_is_shown_to_its_holder_alone(registered: Producer) -> None:
    sealed = str(SEALED["sealed"])
    for part in ("writer", "reader", "consultant", "verifier_in"):
        other = registered.cast.client(part)
        for name, more in (("farm_key", ()), ("farm_report", ("corn", 2025)), ("farm_sales", ())):
            where = at(registered.cast, name, *more)
            assert sealed not in other.get(where).content.decode(), (part, name)
    assert sealed in registered.client.get(at(registered.cast, "farm_report", "corn", 2025)).content.decode()
