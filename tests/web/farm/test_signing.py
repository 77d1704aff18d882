"""A report is kept only with the producer's own signature over what the records say; the key never comes here.

A signed report whose records changed waits for an amendment, told alike on every page; of a harvest after the day up to
which the rule was read, whoever signs names the text.
"""

import json
import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from importlib import import_module, resources
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from django.utils.formats import date_format
from pypdf import PdfReader

from provender.custody.model.lots import Origin, origin_id, origin_name
from provender.database.actor import Actor, today
from provender.database.models.farm import LogLeaf, ProducerKey, ReportVersion, check_chain, rows_of
from provender.database.store.custody import SqlStore
from provender.records.kind import KINDS
from provender.report.signing import salt_of, sign_report
from provender.report.typ import TYP
from provender.rule.law import NOT_CURRENT, Parameters, load_rule, parameters, rule_version
from provender.services.clients import Urgency, farm_steps, progress_of
from provender.services.farm.book import Edit, farm_book_of, head_of
from provender.services.reports.checklist import SigningChecklist, standings_of
from provender.services.reports.drafts import ReportState, document_of, draft_of, envelope_of, versions_of
from provender.signing.canonical import document_hash, sha256_hex
from provender.signing.jws import check, rotate, sign
from provender.signing.keys import PublicKey, SigningKey, decode_base64url, encode_base64url
from provender.signing.transparency import mark_of
from tests.web.api.test_calls import data, get
from tests.web.cast import Cast
from tests.web.farm_season import FEW, at, correct_bushels, fill_season, keep_pages, put
from tests.web.producer_keys import PRODUCER, SEALED, Producer, post, told
from tests.web.replayed import replayed


def handed_in(producer: Producer, content: bytes) -> Any:  # noqa: ANN401 - Django has no name for a test answer
    page = at(producer.cast, "farm_report", "corn", 2025)
    return producer.client.post(page, {"file": SimpleUploadedFile("report.json", content)})


def edition(producer: Producer) -> dict[str, str]:
    """Return what the key alone can say of an edition."""
    name = producer.cast.farm.handle, "corn", 2025
    salt = salt_of(producer.key, origin_name(*name))
    return {"salt": salt, "origin_id": origin_id(*name, salt)}


def test_a_registered_key_is_open_by_its_public_half_alone(producer: Producer) -> None:
    before = head_of(producer.cast.book)
    assert producer.register().status_code == 200
    row = rows_of(producer.cast.book)["producer"][PRODUCER]
    after = head_of(producer.cast.book)
    assert row["key_fingerprint"] == producer.key.fingerprint
    assert before is not None
    assert after is not None
    assert after.number == before.number + 1
    assert check_chain(producer.cast.book) == []
    kept = ProducerKey.objects.get()
    assert PublicKey.from_jwk(kept.public).fingerprint == producer.key.fingerprint
    assert "d" not in kept.public


def test_what_is_not_sealed_well_and_a_statement_about_something_else_register_nothing(producer: Producer) -> None:
    yesterday = (timezone.localdate() - timedelta(days=1)).isoformat()
    unsealed: tuple[dict[str, object], ...] = (
        {"rounds": 599_999}, {"kdf": "none"}, {"cipher": "AES-128-GCM"}, {"iv": encode_base64url(b"i" * 8)},
        {"sealed": encode_base64url(bytes.fromhex("302e020100300506032b657004220420") + b"x" * 48)},
        {"sealed": encode_base64url(b"x" * 48)}, {"d": "the private key"},
    )  # fmt: skip
    unproved: tuple[dict[str, object], ...] = (
        {"organisation": "another"}, {"producer_id": "P2"}, {"on": "2020-01-01"}, {"on": yesterday}, {"more": "words"},
        {"new_key": SigningKey.generate().public.jwk},
    )  # fmt: skip
    bodies: list[tuple[dict[str, object], str]] = [({"sealed": SEALED | one}, "no key sealed") for one in unsealed]
    unknown = "Nothing shows that you have this key"
    bodies += [({"statement": producer.statement(**one)}, unknown) for one in unproved]
    bodies.append(({"producer_id": "P2", "statement": producer.statement(producer_id="P2")}, "operational control"))
    for body, words in bodies:
        answer = producer.register(**body)
        assert (answer.status_code, words in told(answer)) == (409, True), body
    assert not ProducerKey.objects.exists()


def test_the_old_key_hands_over_to_the_new_one_and_a_stranger_s_registers_nothing(registered: Producer) -> None:
    fresh, day = SigningKey.generate(), timezone.localdate()
    strange = rotate(SigningKey.generate(), fresh, on=day)
    assert registered.register(statement=strange).status_code == 409
    assert ProducerKey.objects.count() == 1
    assert registered.register(statement=rotate(registered.key, fresh, on=day)).status_code == 200
    assert ProducerKey.objects.get(fingerprint=fresh.fingerprint).replaces == registered.key.fingerprint
    assert registered.ask().status_code == 409
    assert Producer(registered.client, registered.cast, fresh).sign().status_code == 200


def test_nobody_but_the_farms_own_people_registers_or_signs(registered: Producer) -> None:
    sealed, cast = str(SEALED["sealed"]), registered.cast
    for part in ("writer", "reader", "consultant", "verifier_in"):
        other = cast.client(part)
        where = (at(cast, "farm_key"), at(cast, "farm_report", "corn", 2025), at(cast, "farm_sales"))
        pages = [other.get(one).content.decode() for one in where]
        assert not [page for page in pages if sealed in page], part
        if part != "writer":
            somebody = Producer(other, cast, registered.key)
            assert (somebody.register().status_code, somebody.ask().status_code) == (403, 403), part
            assert "Sign the report" not in pages[1], part
    assert sealed in registered.client.get(at(cast, "farm_report", "corn", 2025)).content.decode()


def test_a_signed_report_is_rooted_in_the_head_of_the_book_and_verifies(signed: Producer) -> None:
    head = head_of(signed.cast.book)
    (version,) = versions_of(signed.cast.book, "corn", 2025)
    document = document_of(version)
    assert head is not None
    assert (version.book_head, document["rests_on"]["book_head"]) == (head.hash, head.hash)
    assert version.document_hash == document_hash(document)
    assert check(envelope_of(version), {signed.key.fingerprint: signed.key.public}, typ=TYP).valid
    assert LogLeaf.objects.get(mark=mark_of(json.dumps(envelope_of(version)).encode())).kind == "signed report"
    # The signed bushels become an origin under the name that the report gives.
    with SqlStore(Actor(None, "test")).reading() as facts:
        (origin,) = facts.many(Origin, origin_name(signed.cast.farm.handle, "corn", 2025))
    assert {name: document["edition"][name] for name in ("salt", "origin_id")} == edition(signed)
    assert (origin.id, origin.current.report) == (document["edition"]["origin_id"], version.document_hash)


def test_a_signed_report_is_listed_and_saved_as_pdf_json_and_jws(signed: Producer) -> None:
    table = signed.client.get(at(signed.cast, "farm_reports")).context["reports"]
    states = {row[0].text: row[2].text for row in table.rows}
    assert states == {"Field corn": "Signed", "Sorghum": "Not ready", "Soybeans": "Not ready"}
    (version,) = versions_of(signed.cast.book, "corn", 2025)

    def got(number: int, form: str) -> Any:  # noqa: ANN401 - Django has no name for a test answer
        return signed.client.get(at(signed.cast, "farm_report_file", "corn", 2025, number, form))

    paper = got(1, "pdf")
    assert paper.content.startswith(b"%PDF-1.7")
    assert "attachment" in paper.headers["Content-Disposition"]
    (printout,) = document_of(version)["units"][0]["runs"][0]["evidence"]
    carried = PdfReader(BytesIO(paper.content)).attachments
    assert sha256_hex(carried["calculator-printout-1.txt"][0]) == printout["sha256"]
    assert json.loads(got(1, "json").content) == envelope_of(version)
    payload = decode_base64url(got(1, "jws").content.decode().strip().split(".")[1])
    assert payload.decode() == version.document
    assert [got(*one).status_code for one in ((2, "pdf"), (0, "jws"), (1, "html"))] == [404] * 3


def test_another_key_and_a_signature_given_for_something_else_sign_nothing(registered: Producer) -> None:
    other = Producer(registered.client, registered.cast, SigningKey.generate())
    assert other.ask().status_code == 409
    assert "not attested" in told(registered.ask(fields={}))
    asked = json.loads(registered.ask().content)
    document = json.loads(asked["document"])

    def sent(said: Any, key: SigningKey, typ: str) -> Any:  # noqa: ANN401 - JSON, and an answer
        body = {**registered.body("corn", 2025), "sha256": asked["sha256"]}
        signature = sign(said, key, typ=typ)["signature"]
        return post(registered.client, registered.where("corn", 2025), body | {"signature": signature})

    for said, key, typ, why in (
        (document, other.key, TYP, "names another signing key"),
        (document, registered.key, "provender-document", ""),
        (document, registered.key, "custody-sale-slip+json", ""),
        (document | {"total_bushels": "1"}, registered.key, TYP, "changed after it was signed"),
    ):
        refused = sent(said, key, typ)
        assert refused.status_code == 409, (typ, why)
        assert why in told(refused)
    correct_bushels(registered.cast)
    assert "changed since you began" in told(sent(document, registered.key, TYP)), "the records move while one signs"
    assert not ReportVersion.objects.exists()


def test_a_report_signed_on_one_s_own_machine_is_taken_in_and_no_other_file(producer: Producer) -> None:
    assert producer.register(sealed=None).status_code == 200
    where = at(producer.cast, "farm_report_file", "corn", 2025, 0, "json")
    document = json.loads(producer.client.get(where).content)
    document["edition"] |= edition(producer)

    def signed(said: dict[str, Any]) -> bytes:
        return json.dumps(sign_report(said, producer.key, fingerprint_on_file=None)).encode()

    for content in (b"{}", b"not json", b'{"document": {}, "signature": "x"}', b'{"d": 1.5}'):
        answer = handed_in(producer, content)
        assert (answer.status_code, bool(answer.context["form"].errors)) == (200, True), content
    other = handed_in(producer, signed(document | {"total_bushels": "1"}))
    assert "not the one that the records give today" in str(other.context["form"].errors)
    assert not ReportVersion.objects.exists()
    assert handed_in(producer, signed(document)).status_code == 302
    assert ReportVersion.objects.count() == 1


@pytest.fixture
def amended(signed: Producer) -> Producer:
    """Return the producer after the corn of 2025 was signed and its bushels were corrected."""

    def correct() -> None:
        correct_bushels(signed.cast)
        keep_pages(signed.cast)

    replayed("the corn of 2025 is amended", correct)
    (corn,) = [one for one in standings_of(farm_book_of(signed.cast.farm)) if one.crop == "corn"]
    assert corn.state is ReportState.AMENDED
    return signed


def test_an_amendment_names_what_it_replaces_and_keeps_the_origin(amended: Producer) -> None:
    page = amended.client.get(at(amended.cast, "farm_report", "corn", 2025))
    assert "What an amendment would change" in page.content.decode()
    assert amended.sign().status_code == 200
    first, second = versions_of(amended.cast.book, "corn", 2025)
    made = document_of(second)["edition"]
    assert (made["replaces"], made["origin_id"]) == (first.document_hash, document_of(first)["edition"]["origin_id"])
    assert any("bushels" in text for text in made["changes"])


def test_the_list_of_things_tells_of_the_amendment_as_the_overview(amended: Producer) -> None:
    cast = amended.cast
    overview = amended.client.get(at(cast, "organisation")).context["next_steps"]
    page = amended.client.get(at(cast, "farm_todo"))
    text = page.content.decode()
    assert "Sign an amendment of the report on field corn 2025" in {one.words for one in overview}
    assert "Sign an amendment of the report on field corn 2025" in text
    assert "an amendment replaces it" in text
    (corn,) = [one for one in page.context["lists"] if one["draft"].crop == "corn"]
    assert not corn["things"]
    assert f"{corn['done']} of {corn['whole']} records are there; the signature is missing" in text
    day, back = date_format(today(), "DATE_FORMAT"), quote_plus(at(cast, "farm_todo"))
    link = f'<a href="{at(cast, "farm_row", "harvest")}?row=N40-2025&amp;next={back}">'
    for each in (amended.client.get(at(cast, "farm_report", "corn", 2025)).content.decode(), text):
        assert f"What changed since version 1 was signed on {day}:" in each
        assert re.search(rf"{re.escape(link)}[^<]*N40-2025</a> \({day}\)", each)

    steps = farm_steps(cast.farm)
    first = next(number for number, one in enumerate(steps) if one.words.startswith("Sign an amendment"))
    later = [one.words for one in steps[:first] if not one.words.startswith(("Correct the record", "Make a signing"))]
    assert later == [], "an amendment comes before what keeps no report back"
    assert f"Changed in {KINDS['harvest'].label}: N40-2025" in " ".join(step.why for step in steps)


def test_a_claim_that_the_records_contradict_is_told_alike_everywhere(season: Cast) -> None:
    harvest, cover, farm = KINDS["harvest"], KINDS["cover_crop"], farm_book_of(season.farm)
    like = farm.texts(cover, next(iter(farm.of(cover)))) or {}
    tilled = {**like, "cover_id": "X1", "unit_id": "G35", "harvest_id": "G35-2025", "termination_method": "tillage"}
    claimed = {**(farm.texts(harvest, "G35-2025") or {}), "claims": "cover_crop"}
    put(season, Edit(cover.name, "X1", tilled), Edit(harvest.name, "G35-2025", claimed))
    words = "Correct the record, or stop claiming cover crop on G35"
    assert farm_steps(season.farm)[0].words == words
    progress = progress_of(season.farm)
    assert (progress.parts[0].words, progress.urgency) == (f"{words}.", Urgency.BY_DAY)
    assert progress.why == "Claims against the records: 1"
    assert "Every practice" not in progress.words
    page = season.client().get(at(season, "farm_todo"))
    assert words in [step.words for step in page.context["more"]]
    for one in page.context["lists"]:
        assert words not in [thing.words for thing, *_ in one["things"]], "no carbon intensity rests on a tick"
        assert one["blocked"] == bool(one["draft"].in_the_way) or "Make a signing key" in str(one["things"])


TEXT = "interim-2025"


def read_up_to(day: date, folder: Path, monkeypatch: pytest.MonkeyPatch, text: str = TEXT) -> None:
    """Load the packaged numbers with another last day up to which they were read, as PROVENDER_RULE does."""
    packaged = resources.files("provender.rule").joinpath("data", "parameters.toml").read_text(encoding="utf-8")
    path = folder / "rule.toml"
    changed = packaged.replace("read_up_to = 2026-07-28", f"read_up_to = {day}").replace(TEXT, text)
    path.write_text(changed, encoding="utf-8")
    loaded: list[Parameters] = []
    monkeypatch.setattr(import_module("provender.rule.law"), "_LOADED", loaded)
    load_rule(path)
    rule_version.cache_clear()


@pytest.fixture
def later(
    cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key_from: Callable[[str], SigningKey]
) -> Iterator[Producer]:
    """Let a producer with a key have harvested after the last day of the text that was read."""
    read_up_to(date(2025, 8, 31), tmp_path, monkeypatch)
    try:
        fill_season(cast, fields=FEW)
        found = Producer(cast.client(), cast, key_from("the producer's"))
        assert replayed("the producer's key under another text", lambda: found.register().status_code) == 200
        yield found
    finally:
        monkeypatch.undo()
        parameters.cache_clear()
        rule_version.cache_clear()


def page_of(producer: Producer, view: str, *more: object, **asked: object) -> str:
    answer = producer.client.get(at(producer.cast, view, *more, **asked))
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_rule_not_current_is_said_first_and_official_three_flags(later: Producer) -> None:
    pages = {view: page_of(later, view, *more) for view, more in (
        ("farm_reports", ()), ("farm_report", ("corn", 2025)), ("farm_intensity", ()))}  # fmt: skip
    for view, shown in pages.items():
        assert NOT_CURRENT in shown, view
        ci = shown.find("g CO2e/bu</strong>") if view == "farm_intensity" else shown.find("What it says today")
        assert ci < 0 or shown.index(NOT_CURRENT) < ci, view
    assert NOT_CURRENT in page_of(later, "farm_crop", crop="N40-2025")
    assert "calculator final: no, records complete: yes, rule current: no" in pages["farm_report"]
    secret, flags = (
        later.cast.token_secret,
        {"calculator_final": False, "records_complete": True, "rule_current": False},
    )
    verdicts = data(get("/verdicts", secret))["items"]
    assert {one["rule_state"] for one in verdicts if one["harvest_year"] == 2025} == {NOT_CURRENT}
    standing = data(get("/reports/corn/2025/standing", secret))
    assert (standing["official"], standing["rule_state"], standing["text_to_name"]) == (flags, NOT_CURRENT, TEXT)
    assert (standing["state"], standing["blocked_by"]) == (ReportState.READY_UNDER, [])
    (listed,) = [one for one in data(get("/reports", secret))["items"] if one["crop"] == "corn"]
    assert (listed["official"], listed["rule_state"], listed["blocked_by"]) == (flags, NOT_CURRENT, 0)
    left = SigningChecklist(draft_of(farm_book_of(later.cast.farm), "corn", 2025)).left()
    assert left == [], "naming the text is part of signing and not of the list before it"
    assert not [one for one in ReportState if "interim" in one], "no label names a text"


def test_another_text_is_an_amendment(later: Producer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for named in ("", "yes", "interim", "Interim-2025", "final-2026"):
        answer = later.ask(fields={"attested": "yes", "under": named})
        assert NOT_CURRENT in told(answer), named
        assert f"{TEXT}." in json.loads(answer.content)["problems"][0]["remedy"], named
    assert not ReportVersion.objects.exists()
    fields = {"attested": "yes", "under": TEXT}
    assert 'name="under"' in page_of(later, "farm_report", "corn", 2025)
    asked = json.loads(later.ask(fields=fields).content)
    assert json.loads(asked["document"])["rule"]["signed_under"] == TEXT
    assert later.sign(fields=fields).status_code == 200
    (version,) = data(get("/reports/corn/2025/versions", later.cast.token_secret))["items"]
    assert (version["signed_under"], version["rule_state"]) == (TEXT, NOT_CURRENT)
    assert f"under {TEXT}" in page_of(later, "farm_report", "corn", 2025)
    assert ReportState.SIGNED_UNDER in page_of(later, "farm_reports")

    read_up_to(date(2026, 7, 28), tmp_path, monkeypatch)
    assert draft_of(farm_book_of(later.cast.farm), "corn", 2025).standing == ReportState.SIGNED_UNDER
    assert ReportState.SIGNED_UNDER in page_of(later, "farm_reports")
    read_up_to(date(2026, 7, 28), tmp_path, monkeypatch, "final-2026")
    assert draft_of(farm_book_of(later.cast.farm), "corn", 2025).standing == ReportState.AMENDED


def test_a_document_signed_elsewhere_names_the_text_too(later: Producer) -> None:
    where = at(later.cast, "farm_report_file", "corn", 2025, 0, "json")
    for named, taken in (("", False), (TEXT, True)):
        document = data(get(f"/reports/corn/2025?under={named}", later.cast.token_secret))
        assert json.loads(later.client.get(f"{where}?under={named}").content) == document
        document["edition"] |= edition(later)
        # Whoever takes in what was signed asks for the same, whatever signed it.
        forced = document | {"rule": document["rule"] | {"signed_under": TEXT}}
        signature = sign_report(forced, later.key, fingerprint_on_file=None)["signature"]
        answer = handed_in(later, json.dumps({"document": document, "signature": signature}).encode())
        assert (answer.status_code, ReportVersion.objects.count()) == ((302, 1) if taken else (200, 0))
    assert document_of(ReportVersion.objects.get())["rule"]["signed_under"] == TEXT
