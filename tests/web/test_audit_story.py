"""The verifier's story on the example chain: farms frozen, sample drawn and redrawn, the whole audit recomputed."""

import json
from datetime import date
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from provender.audit.sample_file import check_sample
from provender.audit.statement import Role as AuditRole
from provender.cli.prairie.chain import COOP, CRUSHER, DIESEL
from provender.cli.prairie.server import VERIFIER, load_demo
from provender.custody.book import open_book
from provender.custody.facts import Facts
from provender.database.audit_book import book_of
from provender.database.audits import data_of, entries, population_of
from provender.database.custody_store import SqlStore
from provender.database.deeds.actor import Actor
from provender.database.deeds.audits import Opening, do_open_audit
from provender.database.deeds.grants import do_revoke_reading
from provender.database.models import Audit, EntryKind, Organisation, Person, ReadGrant
from tests.web.cast import open_audit
from tests.web.packaging import finished

FARMS = 6


@pytest.fixture
def vic() -> Client:
    client = Client()
    client.force_login(Person.objects.get(email="vic@verifier.example"))
    return client


@pytest.fixture
def audit(db: None) -> Audit:
    list(load_demo(FARMS))
    verifier, coop = (Organisation.objects.get(handle=handle) for handle in (VERIFIER, COOP))
    return open_audit(verifier, coop, AuditRole.FIRST_POINT, actor=by_vic())


def by_vic() -> Actor:
    return Actor(Person.objects.get(email="vic@verifier.example"), "test")


def at(audit: Audit, name: str, *more: object) -> str:
    return reverse(name, args=(VERIFIER, audit.handle, *more))


def test_each_party_gets_its_own_book_out_of_the_shared_one(audit: Audit, tmp_path: Path) -> None:
    until = date(2026, 12, 31)
    for party in (COOP, CRUSHER, DIESEL):
        path = tmp_path / f"{party}.jsonl"
        path.write_bytes(book_of(party))
        with open_book(path) as book, SqlStore(Actor(None, "test")).reading() as facts:
            own, shared = held(book.store, party, until), held(facts, party, until)
            # A farm's amendment reaches a crusher by its seller's next paper; the shared book knows it at once.
            moved = {(one.after.crop, one.after.ci) for one in facts.steps(party) if one.came and one.type == "report"}
        differing = {key for key in {*own, *shared} if own.get(key) != shared.get(key)}
        assert differing <= (set() if party == COOP else moved), party


def held(facts: Facts, party: str, day: date) -> dict[tuple[str, int], int]:
    """Return bushels that came to a party up to a day, by crop and CI."""
    sums: dict[tuple[str, int], int] = {}
    for step in facts.steps(party):
        if step.came and step.after.owner == party and step.day <= day:
            key = (step.after.crop, step.after.ci)
            sums[key] = sums.get(key, 0) + step.after.crop_amount
    return sums


def test_the_whole_audit(audit: Audit, vic: Client) -> None:
    page = at(audit, "audit_sample")
    assert vic.post(page, {"do": "draw", "seed": "7"}).status_code == 200, "no seed before the farms are frozen"
    assert vic.post(page, {"do": "freeze"}).status_code == 302
    frozen = population_of(audit)
    assert frozen is not None
    assert vic.post(page, {"do": "draw", "seed": "7"}).status_code == 302
    assert vic.post(page, {"do": "freeze"}).status_code == 200, "frozen farms stay once the seed is known"
    assert vic.post(page, {"do": "draw", "seed": "8"}).status_code == 200, "a seed is committed once"
    document = json.loads(vic.get(at(audit, "audit_sample_file")).content)
    assert check_sample(document, frozen.sha256) == []
    assert document["seed"] == "7"
    farm = document["sample"][0]
    assert vic.post(page, {"do": "failure", "failed": farm, "reason": "Finding 1"}).status_code == 302
    again = json.loads(vic.get(at(audit, "audit_sample_file")).content)
    assert check_sample(again, frozen.sha256) == []
    assert again["extensions"][0]["decision"]["farm_id"] == farm
    shut = next(one for one in again["sample"] if one != farm)
    grant = ReadGrant.objects.get(audited__handle=shut, verifier__handle=VERIFIER)
    do_revoke_reading(grant, actor=Actor(grant.granted_by, "test"))
    asked = {"what": "audit", "absent": ["statements", "documents", "evidence", "reports"], "reason": "First audit"}
    finished(vic, vic.post(at(audit, "audit_package"), {**asked, "recompute": "yes"}))
    said = data_of(entries(audit, EntryKind.RESULT)[0])
    assert said["problems"] == []
    assert said["made"]["absent"] == [shut]
    states = {one["check"]: one["state"] for one in said["checks"]}
    for settled in ("sample", "records", "stir", "verdicts", "weighted average", "book", "lots"):
        assert states[settled] == "settled", settled
    assert [one["place"] for one in said["differences"] if one["code"] == "sampled_farm_missing"] == [
        f"audit/sample.json, {shut}"
    ]
    assert vic.get(at(audit, "audit")).status_code == 200
    assert "recomputed, agrees" in vic.get(at(audit, "audit_work")).content.decode().lower()


def test_the_next_year_leans_away_from_this_years_farms(audit: Audit, vic: Client) -> None:
    vic.post(at(audit, "audit_sample"), {"do": "freeze"})
    vic.post(at(audit, "audit_sample"), {"do": "draw", "seed": "7"})
    seen = json.loads(vic.get(at(audit, "audit_sample_file")).content)["sample"]
    year = audit.harvest_year + 1
    opening = Opening(AuditRole.FIRST_POINT, "V-9", year, audit.covered_first, audit.covered_last, audit.due_on)
    following = do_open_audit(audit.verifier, audit.audited, opening, actor=by_vic())
    vic.post(at(following, "audit_sample"), {"do": "freeze"})
    vic.post(at(following, "audit_sample"), {"do": "draw", "seed": "7"})
    document = json.loads(vic.get(at(following, "audit_sample_file")).content)
    assert document["audited_before"] == {farm: [audit.harvest_year] for farm in seen}
    assert check_sample(document) == []
