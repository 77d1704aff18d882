"""The verifier's story on the example chain: farms frozen, sample drawn and redrawn, the whole audit recomputed."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from provender.audit.outcome import CheckResult
from provender.audit.package.collect import collect_entity
from provender.audit.package.contents import PackageContents
from provender.audit.package.layout import HEADER, pins_document
from provender.audit.package.write import Header, Subject
from provender.audit.programme import Role as AuditRole
from provender.audit.recompute.papers import book_heads
from provender.audit.sampling.population import sample_hash
from provender.audit.sampling.sample import check_sample
from provender.custody.book_file import seal
from provender.custody.documents.read import head_before
from provender.custody.events.registry import post, read_event
from provender.custody.model.event import Status
from provender.database.actor import Actor, today
from provender.database.models.accounts import LogRow, Organisation, Person
from provender.database.models.audits import Audit, EntryKind
from provender.database.models.farm import ReportVersion
from provender.database.store.custody import SqlStore
from provender.database.store.party_book import book_of
from provender.demo.farms import COOP, CRUSHER, DIESEL, ETHANOL, HANDLES, key_of
from provender.demo.loading import VERIFIER
from provender.services.audits.audits import KEYS, Opening, add_entry, population_of, sample_of
from provender.services.audits.audits import open_audit as do_open_audit
from provender.services.audits.package_worker import ENTITY, PINS, Order, run
from provender.services.audits.packages import envelope_of, pins_of, write_entity
from provender.signing.canonical import canonical_json
from provender.signing.jws import sign
from provender.signing.keys import SigningKey
from tests.audit.verifier import ACCREDITATION, statement
from tests.web.cast import open_audit
from tests.web.demo_once import Demo, demo, shuts_its_door

__all__ = ["demo"]

# What the module shares is costly: one worker makes it.
pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("demo")]


@pytest.fixture
def vic(demo: Demo) -> Client:
    client = Client()
    client.force_login(Person.objects.get(email="vic@verifier.example"))
    return client


@pytest.fixture
def audit(demo: Demo, settings: Settings) -> Audit:
    settings.UPLOAD_FOLDER = demo.uploads
    verifier, coop = (Organisation.objects.get(handle=handle) for handle in (VERIFIER, COOP))
    return open_audit(verifier, coop, AuditRole.FIRST_POINT, actor=by_vic())


def by_vic() -> Actor:
    return Actor(Person.objects.get(email="vic@verifier.example"), "test")


def at(audit: Audit, name: str, *more: object) -> str:
    return reverse(name, args=(VERIFIER, audit.handle, *more))


def test_a_farms_amendment_reaches_the_books_of_those_who_bought_further_down(audit: Audit) -> None:
    for party, seller in ((CRUSHER, COOP), (DIESEL, CRUSHER)):
        lines = [json.loads(line)["event"] for line in book_of(party).decode().splitlines()[1:]]
        notices = [event for event in lines if event["type"] == "notice"]
        assert {(one["giver"], one["reason"]) for one in notices} == {(seller, "worse_ci")}, party
        assert not [event for event in lines if event["type"] == "report"], "whose farm it is stays with the elevator"


def test_a_key_that_a_contract_holds_whole_is_found_like_one_it_holds_by_fingerprint(audit: Audit) -> None:
    key = key_of("farm-01").public
    contract = {
        "type": "contract", "id": "anew", "day": "2026-12-30", "entity": COOP, "counterparty": "farm-01",
        "role": "supplier", "number": "anew", "start_day": "2026-12-30", "signing_key": json.dumps(key.jwk),
    }  # fmt: skip
    assert post(SqlStore(Actor(None, "test")), read_event(contract)).status is Status.POSTED
    coop = Organisation.objects.get(handle=COOP)
    papers = [envelope_of(one) for one in ReportVersion.objects.filter(book__organisation__handle="farm-01")]
    assert [(one.party, one.key.fingerprint) for one in pins_of(coop, papers)] == [("farm-01", key.fingerprint)]


@pytest.mark.parametrize(
    "party", [DIESEL, *(pytest.param(one, marks=pytest.mark.slow) for one in (COOP, HANDLES[ETHANOL]))]
)
def test_what_a_package_of_each_party_holds_recomputes(audit: Audit, tmp_path: Path, party: str) -> None:
    *_, pins = write_entity(Organisation.objects.get(handle=party), tmp_path / "entity")
    (tmp_path / PINS).mkdir()
    (tmp_path / PINS / f"{ENTITY}.json").write_bytes(canonical_json(pins_document(pins)))
    role = str(AuditRole.FIRST_POINT if party == COOP else AuditRole.INTERMEDIARY)
    days = (audit.covered_first, audit.covered_last, audit.due_on)
    order = Order(ENTITY, True, "book.zip", VERIFIER, role, *days)
    answer = run(order, tmp_path, lambda *_: None)
    assert "made" in answer, answer["problems"]
    said = answer["found"]
    computed = {one["check"]: one["computed"] for one in said["checks"]}
    for check in ("book", "transfers", "balances", "papers kept", "papers signed"):
        assert computed[check], check
    assert (said["problems"], said["differences"]) == ([], [])
    assert said["clean"]


def test_an_entry_changed_on_the_server_shows_against_papers_signed_before(audit: Audit, tmp_path: Path) -> None:
    write_entity(Organisation.objects.get(handle=COOP), tmp_path)
    content = collect_entity(tmp_path / "book.jsonl", [tmp_path / "documents"], [], (date(2026, 9, 1), audit.due_on))
    files = {
        path: inside if isinstance(inside, bytes) else inside.read_bytes() for path, inside in content.files.items()
    }
    clean = heads_of(files, content.parties, tmp_path)
    assert (clean.differences, [why for why in clean.not_shown if "no head" in why]) == ((), [])
    assert clean.computed > 3
    entries = next(path for path in files if path.endswith("entries.jsonl"))
    first, *lines = files[entries].decode().splitlines()
    events = [json.loads(line)["event"] for line in lines]
    changed_one = next(event for event in events if event["type"] == "receipt")
    changed_one |= {"note": "later"} if "note" in changed_one else {"day": "2026-09-02"}
    head, lines = head_before(COOP), [first]
    for event in events:
        head = seal(head, event)
        lines.append(json.dumps({"event": event, "chain": head}))
    files[entries] = "\n".join(lines).encode()
    changed = heads_of(files, content.parties, tmp_path)
    assert {one.code for one in changed.differences} >= {"book_changed_since", "entered_otherwise"}
    del files[entries]
    assert "book_changed_since" in {one.code for one in heads_of(files, content.parties, tmp_path).differences}


def heads_of(files: dict[str, bytes], parties: dict[str, str], folder: Path) -> CheckResult:
    days = {"first": date(2026, 9, 1), "last": date(2027, 8, 31), "made_on": date(2027, 8, 31)}
    header = Header(Subject.ENTITY_PERIOD, COOP, COOP, days["first"], days["last"], "", "", days["made_on"], parties)
    return book_heads(PackageContents({**files, HEADER: canonical_json(header.document())}, folder))


def test_the_page_of_the_sample_opens_farms_that_let_him_in(audit: Audit, vic: Client) -> None:
    page = at(audit, "audit_sample")
    # No seed before the farms are frozen; frozen farms stay once the seed is known; a seed is committed once.
    for do, status in (("draw", 200), ("freeze", 302), ("draw", 302), ("freeze", 200), ("draw", 200)):
        assert vic.post(page, {"do": do}).status_code == status, do
    document = json.loads(vic.get(at(audit, "audit_sample_file")).content)
    frozen = population_of(audit)
    assert frozen is not None
    assert check_sample(document, frozen.sha256) == []
    assert (len(document["seed"]), document["refused"]) == (64, [])
    shut, *open_to_vic = document["sample"]
    shuts_its_door(shut)
    shown = vic.get(page).content.decode()
    links = {farm for farm in document["sample"] if f'href="{reverse("organisation", args=(farm,))}"' in shown}
    assert links == set(open_to_vic), "a drawn farm is a link to where the verifier may go, and only there"
    logged = LogRow.objects.filter(deed="audit: population frozen").latest("id").about.split()[-1]
    assert document["frozen_hash"].startswith(logged), "the log names the freezing"
    assert all(mark in shown for mark in (document["frozen_hash"], document["population_hash"]))


def drawn(audit: Audit, vic: Client) -> Any:  # noqa: ANN401 - JSON
    """Freeze and draw on the page; return the sample file."""
    for do in ("freeze", "draw"):
        vic.post(at(audit, "audit_sample"), {"do": do})
    return json.loads(vic.get(at(audit, "audit_sample_file")).content)


def test_the_next_year_leans_away_from_this_years_farms(audit: Audit, vic: Client) -> None:
    seen = drawn(audit, vic)["sample"]

    def following(number: str, year: int) -> Audit:
        opening = Opening(
            role=AuditRole.FIRST_POINT, number=number, harvest_year=year, covered_first=audit.covered_first,
            covered_last=audit.covered_last, due_on=audit.due_on,
        )  # fmt: skip
        return do_open_audit(audit.verifier, audit.audited, opening, actor=by_vic())

    unproved = drawn(following("V-9", audit.harvest_year + 1), vic)["audited_before"]
    assert unproved == {}, "no statement yet: nothing proves that they were audited"
    key = SigningKey.generate()
    KEYS.register(audit.verifier, key.public.export(), reason="test", today=today(), actor=by_vic())
    rows = [{"farm": at, "way": "visit" if at > 1 else "exempt"} for at in range(1, len(seen) + 1)]
    about = {"audited": COOP, "sample_hash": sample_hash(sample_of(audit)), "work": {"farms": rows}}
    shown = replace(ACCREDITATION, verifier_id=VERIFIER)
    envelope = sign(statement(**about, verifier=VERIFIER, accreditation=shown).document(), key)
    add_entry(audit, EntryKind.STATEMENT, envelope, actor=by_vic())
    later = following("V-10", audit.harvest_year + 2)
    document = drawn(later, vic)
    assert document["audited_before"] == {farm: [audit.harvest_year] for farm in seen[1:]}
    assert check_sample(document) == []
    assert b"audited lately, by statements shown" in vic.get(at(later, "audit_sample")).content
