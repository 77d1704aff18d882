"""The attempts of ``tests/audit/test_opinion_attempts.py`` by the API and on pages: each is refused with the reason."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from html import unescape
from typing import Any, Final

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from provender.audit.programme import NotNeeded, reasons_for
from provender.audit.programme import Role as AuditRole
from provender.audit.sampling.draw import commitment
from provender.audit.sampling.population import Proof
from provender.audit.sampling.sample import check_sample
from provender.database.actor import Actor
from provender.database.choices import Right, Role
from provender.database.models.accounts import Membership, Organisation, Person
from provender.database.models.audits import Audit, EntryKind
from provender.demo.farms import COOP
from provender.demo.loading import VERIFIER
from provender.services.accounts.grants import grant_reading
from provender.services.accounts.organisations import create_organisation
from provender.services.audits.audits import SeedOpened, add_entry, entries, sample_of
from provender.services.audits.programme import items_of
from provender.services.audits.sample import commit_seed, freeze_farms, notes_of_draw
from provender.signing.keys import SigningKey
from tests.audit.farms import KEY, proof
from tests.audit.verifier import ACCREDITATION as ACCREDITED
from tests.web.api.test_calls import data, post
from tests.web.audit.test_api import (
    ACCREDITATION,
    OPENING,
    TODAY,
    WORDS,
    Program,
    audit,
    coop,
    day,
    demo,
    drawn,
    opened,
    vic,
)
from tests.web.audit.test_story import by_vic
from tests.web.cast import open_audit

__all__ = ["audit", "coop", "demo", "drawn", "vic"]

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("demo")]

FAVORABLE = {**WORDS, "opinion": "favourable"}
SEEN = {"way": "visit", "on": day(0), "by": "Vic", "seen": "Bins and scale."}
FINDING = {
    "severity": "major", "cite": "2100.034(d)", "subject": "stock", "text": "Stock was not measured.",
    "owner": "Somebody", "due": day(9),
}  # fmt: skip
FAULTY: Final = {"materiality_pct": "5.001", "criteria": ["ISO 14064-3"], "objectives": "Verify", "basis": "Fine"}


@pytest.fixture
def client(demo: object) -> Client:
    found = Client()
    found.force_login(Person.objects.get(email="vic@verifier.example"))
    return found


def of(address: str) -> Audit:
    return Audit.objects.get(handle=address.rpartition("/")[2])


def test_a_favorable_draft_is_refused_by_the_api_and_on_its_page(vic: Program, client: Client, audit: str) -> None:
    said = {**FAVORABLE, **FAULTY}
    told = {one["code"] for one in vic.does(f"{audit}/statement/draft", said, 409)["problems"]}
    of_papers = {"no_sample", "no_package", "no_site_seen", "line_unanswered", "no_engaged_on"}
    assert told >= of_papers | {"materiality_too_large", "rule_not_named", "says_nothing"}
    page = client.post(reverse("audit_statement", args=(VERIFIER, of(audit).handle)), said).content.decode()
    assert "error" in page
    assert not entries(of(audit), EntryKind.DRAFT)


def test_3_a_line_is_spared_for_a_reason_of_its_own(vic: Program, client: Client, audit: str) -> None:
    page = reverse("audit_work", args=(VERIFIER, of(audit).handle))
    shown = client.get(page).content.decode()
    for item in items_of(of(audit)):
        form = shown.partition(f'name="line" value="{item.line}"')[0].rpartition("<form")[2]
        offered = re.findall(r'<option value="([^"]+)">', form.partition('name="reason"')[2].partition("</select>")[0])
        assert offered == list(reasons_for(item))
        assert ('value="not needed"' in form) == bool(offered), "what every audit answers is not offered to be spared"
        wrong = next(one for one in NotNeeded if one not in reasons_for(item))
        for reason in (None, wrong):
            said = {"state": "not needed", "note": "It is not needed.", "reason": reason}
            vic.refused(f"{audit}/work/{item.line}/marks", said, "no_reason")
    said = {"line": item.line, "state": "not needed", "note": "It is not needed.", "evidence": "", "reason": ""}
    for typed in ("", "x", str(wrong)):
        client.post(page, {**said, "reason": typed})
    assert not entries(of(audit), EntryKind.TASK)
    sold = next(one for one in items_of(of(audit)) if NotNeeded.NO_SALE in reasons_for(one))
    named = {"state": "not needed", "note": "It sold nothing.", "reason": NotNeeded.NO_SALE}
    assert vic.does(f"{audit}/work/{sold.line}/marks", named)["said"]["reason"] == NotNeeded.NO_SALE


def test_3_a_site_of_no_book_and_a_finding_of_a_word_are_not_entered(
    vic: Program, coop: Program, client: Client, audit: str
) -> None:
    vic.refused(f"{audit}/visits", {**SEEN, "site": "moon"}, "other_site")
    client.post(reverse("audit_engagement", args=(VERIFIER, of(audit).handle)), {**SEEN, "site": "moon"})
    assert not entries(of(audit), EntryKind.VISIT)
    vic.refused(f"{audit}/findings", {**FINDING, "text": "Stock"}, "event_refused")
    where = reverse("audit_findings", args=(VERIFIER, of(audit).handle))
    client.post(where, {**FINDING, "text": "Stock"})
    assert not entries(of(audit), EntryKind.FINDING)
    vic.does(f"{audit}/findings", FINDING)
    finding = f"{audit}/findings/1"
    ended = {"resolution": "corrected", "text": "It is measured now.", "bearing": "no misstatement"}
    lowered = {"severity": "minor", "text": "It is small."}
    for attempt, body in (("resolution", ended), ("changes", lowered)):
        vic.refused(f"{finding}/{attempt}", body, "event_refused")
    coop.refused(f"{finding}/response", {"text": "Done."}, "event_refused")
    coop.does(f"{finding}/response", {"text": "It was measured on Monday."})
    vic.refused(f"{finding}/resolution", {**ended, "text": "Seen"}, "event_refused")
    assert vic.does(f"{finding}/resolution", ended)["stage"] == "resolved"


def result(audit: Audit, **changes: Any) -> None:  # noqa: ANN401 - facts of a package
    """Enter a recomputation whose package shows some of the audit otherwise."""
    from provender.services.audits.audits import population_of

    population = population_of(audit)
    assert population is not None
    rows = [{"farm": one.farm_id, "crop": one.crop, "bushels": str(one.bushels / 1000)} for one in population.rows]
    facts = {
        "audited": audit.audited.handle, "audited_name": audit.audited.name, "subject": "entity period",
        "first": str(audit.covered_first), "last": str(audit.covered_last), "made_on": day(0), "own_keys": True,
        "roles": ["first point of aggregation"], "sites": ["north", "south"], "crops": ["corn", "soybeans"],
        "supplied": rows,
    }  # fmt: skip
    made = {"made": {"mark": "ab" * 32}, "what": "entity", "asked": 1, "checks": [], "differences": []}
    add_entry(audit, EntryKind.RESULT, {**made, "facts": {**facts, **changes}}, actor=by_vic())


def test_what_the_recomputed_package_shows_is_held_against_the_draft(vic: Program, client: Client, drawn: str) -> None:
    of_audit = of(drawn)
    vic.does(f"{drawn}/visits", {**SEEN, "site": "north"})
    codes = {"other_population", "other_role", "other_site", "ahead_of_clock", "package_of_other_days"}

    def told() -> list[dict[str, Any]]:
        return [one for one in vic.reads(f"{drawn}/statement/needs") if one["code"] in codes | {"days_out_of_order"}]

    result(of_audit)
    assert told() == []
    honest, lines = entries(of_audit, EntryKind.RESULT)[-1].said["facts"], len(items_of(of_audit))
    changed = {"supplied": honest["supplied"][:1], "roles": ["biofuel refiner"], "sites": ["moon"],
               "made_on": day(1), "last": "2020-01-01"}  # fmt: skip
    result(of_audit, **changed)
    assert {one["code"] for one in told()} >= codes
    page = client.get(reverse("audit_statement", args=(VERIFIER, of_audit.handle))).content.decode()
    assert all(one["cite"] in page for one in told())
    result(of_audit, made_on="2020-01-01")
    assert "days_out_of_order" in {one["code"] for one in told()}
    result(of_audit, roles=[*honest["roles"], "processor"])
    assert len(items_of(of_audit)) > lines, "the lines of the other role are asked too"


def test_7_a_drawn_farms_package_does_not_stand_in_for_the_partys(vic: Program, drawn: str) -> None:
    result(of(drawn), audited="farm-01")
    assert "no_package" in {one["code"] for one in vic.reads(f"{drawn}/statement/needs")}
    result(of(drawn))
    result(of(drawn), audited="farm-01")
    assert "no_package" not in {one["code"] for one in vic.reads(f"{drawn}/statement/needs")}


def test_1_a_second_audit_of_a_point_and_year_is_told_with_both_lists(vic: Program, drawn: str) -> None:
    first = of(drawn)
    second = of(opened(vic, number="A-2"))
    vic.does(f"/audits/{second.handle}/population", {})
    vic.does(f"/audits/{second.handle}/seed", {})
    sample = vic.reads(f"/audits/{second.handle}/sample")
    mark = vic.reads(f"/audits/{first.handle}/sample")["frozen_hash"]
    (told,) = sample["earlier_lists"]
    assert (told["frozen_hash"], mark[:12] in told["said"]) == (mark, True), "the statement prints it"
    assert set(told["sample"]) <= set(sample["sample"]), "what the first drew stays in"
    assert OPENING["number"] != second.number


# Attempts on the draw: the deeds of both sides in their order, the last of which is refused, by call and by page.


@dataclass
class Draw:
    """An audit whose farms are to be drawn, and what each side does in it by one interface."""

    address: str
    programs: dict[str, Program]
    clients: dict[str, Client]
    by_page: bool

    def does(self, side: str, do: str, **said: Any) -> set[str]:  # noqa: ANN401 - as calls and forms take it
        """Do something; return why it is refused, in codes by the API and as the text of a page; else nothing."""
        if not self.by_page:
            program = self.programs[side]
            program.deeds += 1
            answer = post(f"{self.address}/{CALLS[do]}", program.secret, said, f"{side}-{program.deeds}")
            assert answer.status_code in (201, 409), answer.content
            return {one["code"] for one in data(answer)["problems"]} if answer.status_code != 201 else set()
        page, whose = ("audit_of_us", COOP) if side == "audited" else ("audit_sample", VERIFIER)
        files = {name: SimpleUploadedFile(name, json.dumps(said.pop(name)).encode()) for name in PROOF if name in said}
        where = reverse(page, args=(whose, of(self.address).handle))
        page_of: Any = self.clients[side].post(where, {"do": do, **said, **files})
        return set() if page_of.status_code == 302 else {unescape(page_of.content.decode())}

    def commits(self, side: str, secret: str = "") -> set[str]:
        return self.does(side, "commit", commitment=commitment(secret or SECRETS[side]))

    def freezes(self) -> set[str]:
        return self.does("verifier", "freeze")

    def opens(self, secret: str = "") -> set[str]:
        return self.does("audited", "open", secret=secret or SECRETS["audited"])

    def draws(self, seed: str = "", **more: Any) -> set[str]:  # noqa: ANN401 - as calls and forms take it
        return self.does("verifier", "draw", seed=seed, **more)

    def brings(self, proof: Proof) -> set[str]:
        return self.does("verifier", "proof", statement=dict(proof.statement), sample=dict(proof.sample))

    def again(self) -> "Draw":
        """Open another audit of the same point and year."""
        vic = self.programs["verifier"]
        return replace(self, address=opened(vic, number=f"A-{vic.deeds}", harvest_year=str(TODAY.year)))


SECRETS: Final = {side: f"secret of the {side} side's own" for side in ("verifier", "audited")}
PROOF: Final = ("statement", "sample")
CALLS: Final = {
    "commit": "seed/commitment", "open": "seed/opening", "freeze": "population", "draw": "seed",
    "proof": "sample/proofs", "treatment": "sample/treatments", "failure": "sample/failures",
}  # fmt: skip
BORROWED: Final = {"extent": "exempt", "borrowed_audit": "S-1", "verifier": "Another", "reason": "It is of this year."}


def last_year(key: SigningKey = KEY, year: int = TODAY.year - 1, **said: Any) -> Proof:  # noqa: ANN401 - of a statement
    """Return the proof that two farms of the elevator were audited in a year before the one under audit."""
    shown = replace(ACCREDITED, verifier_id=said.get("verifier", VERIFIER))
    about = {"point": COOP, "verifier": VERIFIER, "accreditation": shown, **said}
    return proof(["farm-01", "farm-02"], year, key=key, **about)


def prepared(draw: Draw, *deeds: str) -> Draw:
    """Do what goes well before the attempt: both commit, the farms are frozen, the party opens, the seed draws."""
    steps: dict[str, Callable[[], set[str]]] = {
        "both commit": lambda: draw.commits("audited") | draw.commits("verifier"), "freeze": draw.freezes,
        "open": draw.opens, "draw": lambda: draw.draws(SECRETS["verifier"]),
    }  # fmt: skip
    for deed in deeds:
        assert steps[deed]() == set(), deed
    return draw


BEGUN, OPEN = ("both commit", "freeze"), ("both commit", "freeze", "open")
DRAWN: Final = (*OPEN, "draw")
STEERING: Final[dict[str, tuple[tuple[str, ...], Callable[[Draw], set[str]], str, str]]] = {
    "13 the verifier draws before the party opens": (
        BEGUN, lambda one: one.draws(SECRETS["verifier"]), "party_not_opened", "has not opened its part"),
    "13 it draws without the party, whose week is not over": (
        BEGUN, lambda one: one.draws(SECRETS["verifier"], without_party=True), "party_not_opened", "Wait for it"),
    "13 it opens another secret": (
        OPEN, lambda one: one.draws("another secret that suits me"), "does_not_open", "does not open its commitment"),
    "13 it commits anew once farms are frozen": (
        BEGUN, lambda one: one.commits("verifier", "another secret of mine, too"), "committed_before", "try seeds"),
    "13 it commits anew once the party opened": (
        OPEN, lambda one: one.commits("verifier", "another secret of mine, too"), "party_opened", "has opened its"),
    "13 it freezes anew once the party opened": (
        OPEN, lambda one: one.freezes(), "party_opened", "has opened its part"),
    "13 it draws twice": (DRAWN, lambda one: one.draws(SECRETS["verifier"]), "problem", "opened once"),
    "13 it freezes what is drawn": (DRAWN, lambda one: one.freezes(), "problem", "these farms stay"),
    "13 it commits to what is drawn": (
        DRAWN, lambda one: one.commits("verifier", "another secret of mine, too"), "problem", "The sample is drawn"),
    "13 the party commits to what is drawn": (
        DRAWN, lambda one: one.commits("audited", "another secret of mine, too"), "problem", "The sample is drawn"),
    "13 the party opens another secret": (
        BEGUN, lambda one: one.opens("another secret that suits us"), "does_not_open", "does not open its commitment"),
    "13 the party opens twice": (OPEN, lambda one: one.opens(), "opened_late", "open already"),
    "13 the party opens what is drawn": (DRAWN, lambda one: one.opens(), "problem", "opened once"),
    "13 a side commits to what is no hash": (
        (), lambda one: one.does("verifier", "commit", commitment="z" * 64), "no_commitment", "This is no commitment"),
    "13 it goes back to the first list once it froze anew": (
        BEGUN, lambda one: one.again().freezes() | one.opens() | one.draws(SECRETS["verifier"]), "list_replaced",
        "frozen anew in another audit"),
    "14 a proof once farms are frozen": (
        BEGUN, lambda one: one.brings(last_year()), "frozen_before", "bound by their hash"),
    "14 this year's": (
        (), lambda one: one.brings(last_year(year=TODAY.year)),
        "proof_not_before", "Only an audit of an earlier year counts"),
    "14 signed by a key that nobody registered": (
        (), lambda one: one.brings(last_year(SigningKey.generate())), "signature_signer_unknown", "key"),
    "14 of a verifier that is not here": (
        (), lambda one: one.brings(last_year(verifier="elsewhere")), "signer_not_here", "Ask it to register its key"),
    "14 not signed": (
        (), lambda one: one.brings(replace(last_year(), statement={"document": last_year().statement["document"]})),
        "no_proof", "is no proof"),
    "14 changed after it was signed": (
        (), lambda one: one.brings(replace(last_year(), statement={**last_year().statement, "document": {
            **last_year().statement["document"], "number": "X"}})), "proof_not_signed", "changed"),
    "15 fewer than the square root": (
        OPEN, lambda one: one.draws(SECRETS["verifier"], size=1), "problem", "A sample of 1 was asked for"),
    "15 a farm out of the sample that was not drawn": (
        DRAWN, lambda one: one.does("verifier", "treatment", farm="nobody", **BORROWED), "not_drawn", "nobody"),
    "15 a failure of a farm that was not drawn": (
        DRAWN, lambda one: one.does("verifier", "failure", farm="nobody", reason="It failed."),
        "not_in_sample", "nobody"),
}  # fmt: skip
"""By the issue's point: what is done before, the attempt, its code by the API, and words of its page."""


@pytest.fixture(params=["API", "page"])
def draw(request: pytest.FixtureRequest, vic: Program, coop: Program) -> Draw:
    """Open an audit of this year's harvest, so that one of the year before can be proved."""
    vic.does("/verifier/accreditation", ACCREDITATION)
    audit = opened(vic, harvest_year=str(TODAY.year))
    clients = {"verifier": Client(), "audited": Client()}
    for side, party in (("verifier", VERIFIER), ("audited", COOP)):
        clients[side].force_login(manager_of(party))
    vic.does("/verifier/keys", {"shown": KEY.public.export(), "reason": "For the proofs."})
    return Draw(audit, {"verifier": vic, "audited": coop}, clients, request.param == "page")


def manager_of(party: str) -> Person:
    return Membership.objects.filter(organisation__handle=party, right=Right.MANAGE).order_by("pk")[0].person


@pytest.mark.parametrize("what", STEERING)
def test_an_attempt_on_the_draw_is_refused(what: str, draw: Draw) -> None:
    before, attempt, code, words = STEERING[what]
    told = attempt(prepared(draw, *before))
    assert any(words in each for each in told) if draw.by_page else code in told, told


def notes(draw: Draw) -> list[str]:
    """Return what the party's page of an audit tells of its draw; its verifier's page tells the same."""
    handle, found = of(draw.address).handle, []
    for side, page, whose in (("audited", "audit_of_us", COOP), ("verifier", "audit_sample", VERIFIER)):
        text = unescape(draw.clients[side].get(reverse(page, args=(whose, handle))).content.decode())
        found.append(re.findall(r'<p class="message warning">(.*?)</p>', text))
    assert found[0] == found[1]
    return found[0]


def test_13_a_draw_begun_anew_and_a_refusal_are_told_to_both_sides(draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    first = prepared(draw, *DRAWN)
    sample = draw.programs["verifier"].reads(f"{draw.address}/sample")["sample"]
    second = first.again()
    second.commits("audited", "another secret of the elevator")
    assert second.freezes() == set()
    (ahead,) = notes(second)
    assert "what that list drew stays in the sample" in ahead, "told before the party opens its part"
    monkeypatch.setattr("provender.audit.sampling.draw.TIME_TO_OPEN", timedelta(0))
    late = second.opens("another secret of the elevator")
    assert "opened_late" in late or any("its time ended" in each for each in late)
    assert second.draws(without_party=True) == set()
    refused, before = notes(second)
    assert "did not open its part of the seed" in refused
    assert before == ahead
    assert {*sample} <= {*draw.programs["verifier"].reads(f"{second.address}/sample")["sample"]}


def test_13_a_change_of_verifier_is_told_to_the_party_and_stops_nobody(draw: Draw) -> None:
    prepared(draw, *BEGUN)
    person = manager_of(VERIFIER)
    by, coop = Actor(person, "test"), Organisation.objects.get(handle=COOP)
    other = create_organisation("Second Verifier", roles=[Role.VERIFIER], manager=person, actor=by)
    lets_in = Actor(manager_of(COOP), "test")
    grant_reading(coop, other, first_day=TODAY, last_day=TODAY + timedelta(9), purpose="Audit", actor=lets_in)
    second = open_audit(other, coop, AuditRole.FIRST_POINT, actor=by, number="S-1", of=TODAY.year)
    freeze_farms(second, actor=by)
    (note,) = notes_of_draw(second)
    assert note.startswith(f"The farms were frozen before by another verifier, {VERIFIER}, on ")
    assert "every farm is in the sample" in note, "the former one can have known what it draws"
    assert draw.opens() | draw.draws(SECRETS["verifier"]) == set(), "what a later verifier freezes stops nobody"
    commit_seed(second, SeedOpened(), actor=by)
    document = sample_of(second)
    assert check_sample(document) == []
    assert {*sample_of(of(draw.address))["sample"]} <= {*document["staying"]}
    page = draw.clients["audited"].get(reverse("audit_of_us", args=(COOP, second.handle))).content.decode()
    assert f"by another verifier, {VERIFIER}" in page


def test_14_a_proof_brought_here_counts_and_is_told(draw: Draw) -> None:
    assert draw.brings(last_year()) == set()
    prepared(draw, *DRAWN)
    document = draw.programs["verifier"].reads(f"{draw.address}/sample")
    assert document["audited_before"] == {farm: [TODAY.year - 1] for farm in ("farm-01", "farm-02")}
    assert check_sample(document) == []
    assert any("audited lately, by statements shown" in note for note in notes(draw))
