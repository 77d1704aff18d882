"""An audit by the API alone, from the accreditation to a fact found later; what is refused, and to whom."""

import io
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from provender.audit.package.write import open_package
from provender.audit.sampling.draw import commitment
from provender.audit.sampling.sample import check_sample
from provender.audit.statement.papers import PACKAGE_NAME
from provender.audit.statement.statement import LaterEffect, addendum
from provender.database.actor import Actor
from provender.database.choices import Right, Scope
from provender.database.models.accounts import LogRow, Membership, Organisation
from provender.demo.farms import COOP, DIESEL
from provender.demo.loading import VERIFIER
from provender.services.accounts.tokens import create_token
from provender.signing.jws import check, envelope_hash, sign
from provender.signing.keys import SigningKey
from tests.audit.engaged import ENGAGEMENT
from tests.web.api.test_calls import data, description, get, post
from tests.web.demo_once import FARMS, Demo, demo, shuts_its_door
from tests.web.packaging import TOLD, answers_every_line, asked_when_told, closed_periods, packed_here

__all__ = ["demo", "packed_here"]

# What the module shares is costly: one worker makes it.
pytestmark = pytest.mark.xdist_group("demo")

HOW_TO = Path(__file__).parents[3] / "docs" / "how-to" / "api.md"
TODAY = timezone.localdate(timezone=ZoneInfo("America/Chicago"))


def day(days: int) -> str:
    """Return the day so many days from today."""
    return (TODAY + timedelta(days=days)).isoformat()


ACCREDITATION = {
    "standard": "ISO 14065:2020", "body": "An accreditor", "number": "T-1", "first": day(-400), "last": day(400),
    "memberships": [
        {"forum": "Global Accreditation Cooperation Incorporated", "first": "2026-01-01", "source": "made up"}
    ],
}  # fmt: skip
OPENING = {
    "audited": COOP, "role": "first point of aggregation", "number": "A-1", "harvest_year": TODAY.year - 1,
    "covered_first": day(-365), "covered_last": day(-1), "due_on": day(60),
}  # fmt: skip
WORDS = {
    "lead_verifier": "Vic", "independent_reviewer": "Rae", "crops": ["corn", "soybeans"], "objectives": "To verify.",
    "criteria": ["7 CFR part 2100, 90 FR 5512"], "assurance": "limited", "materiality_pct": "5",
    "materiality": "Of bushels.", "opinion": "qualified", "basis": "But for finding 1.",
}  # fmt: skip


class Program:
    """A program with a token of an organisation: each deed under a key of its own."""

    def __init__(self, handle: str, scopes: list[str] | None = None) -> None:
        organisation = Organisation.objects.get(handle=handle)
        manager = Membership.objects.filter(organisation=organisation, right=Right.MANAGE).order_by("pk")[0].person
        name, by = f"of {handle}", Actor(manager, "test")
        wanted = Scope.values if scopes is None else scopes
        _, self.secret = create_token(organisation, name=name, scopes=wanted, expires_on=TODAY, actor=by)
        self.deeds = 0

    def reads(self, path: str, status: int = 200) -> Any:  # noqa: ANN401 - JSON
        answer = get(path, self.secret)
        assert answer.status_code == status, answer.content
        return data(answer)

    def does(self, path: str, body: object, status: int = 201) -> Any:  # noqa: ANN401 - JSON
        """Post once, under a new key; return the answer, which must be of a status."""
        self.deeds += 1
        answer = post(path, self.secret, body, f"deed-{self.deeds}")
        assert answer.status_code == status, answer.content
        return data(answer)

    def refused(self, path: str, body: object, code: str) -> None:
        """Post what is refused for a reason, and see that it is this one."""
        told = self.does(path, body, 409)
        assert [one["code"] for one in told["problems"]][:1] == [code], told


@pytest.fixture
def vic(demo: Demo, settings: Settings, db: None) -> Program:
    settings.UPLOAD_FOLDER = demo.uploads
    return Program(VERIFIER)


@pytest.fixture
def coop(vic: Program) -> Program:
    return Program(COOP)


@pytest.fixture
def audit(vic: Program) -> str:
    """Open an audit of the elevator by the API, and return its address."""
    vic.does("/verifier/accreditation", ACCREDITATION)
    return opened(vic)


def opened(vic: Program, **more: str) -> str:
    """Open an audit of the elevator over its closed periods that have passed, and return its address."""
    first, last = closed_periods(COOP, TODAY)
    days = {"covered_first": first.isoformat(), "covered_last": last.isoformat()}
    return f"/audits/{vic.does('/audits', {**OPENING, **days, **more})['audit']}"


@pytest.fixture
def drawn(vic: Program, audit: str) -> str:
    vic.does(f"{audit}/population", {})
    vic.does(f"{audit}/seed", {})
    return audit


@pytest.fixture
def key(vic: Program) -> SigningKey:
    """Return the key that the verifier registered in place of the example's; its private half stays on this machine."""
    made = SigningKey.generate()
    vic.does("/verifier/keys", {"shown": made.public.export(), "reason": "The example's key is known to all."})
    return made


def zipped(path: str, program: Program) -> ZipFile:
    """Download a package."""
    answer: Any = Client().get(f"/api/v1{path}", headers={"Authorization": f"Bearer {program.secret}"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/zip")
    return ZipFile(io.BytesIO(b"".join(answer.streaming_content)))


@pytest.mark.usefixtures("packed_here")
def test_the_whole_audit_by_the_api_alone(
    vic: Program, coop: Program, audit: str, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_when_told(monkeypatch)
    shut = draws_and_decides(vic, audit)
    packs_and_recomputes(vic, audit, shut)
    told = finds_and_settles(vic, coop, audit, shut)
    states(vic, coop, audit, key, told)
    taken = vic.reads(f"{audit}/packages")["items"][-1]
    shuts_its_door(taken["what"])
    vic.reads(f"{audit}/packages/{taken['number']}/file", 403)


def draws_and_decides(vic: Program, audit: str) -> str:
    """Freeze, draw and decide; then a farm shuts its door. Return that farm."""
    vic.refused(f"{audit}/seed", {}, "problem")
    vic.does(f"{audit}/population", {})
    frozen = vic.reads(f"{audit}/population")
    assert frozen["farms"] == FARMS >= len(sample_of(vic, audit)["sample"]) >= frozen["minimum"]
    farm, other = sample_of(vic, audit)["sample"][:2]
    vic.refused(f"{audit}/population", {}, "problem")
    failed = {"farm": farm, "reason": "Finding 1"}
    vic.does(f"{audit}/sample/failures", failed)
    vic.refused(f"{audit}/sample/failures", failed, "not_in_sample")
    borrowed = {"extent": "exempt", "borrowed_audit": "S-7", "verifier": "Others", "reason": "Same year"}
    vic.refused(f"{audit}/sample/treatments", {"farm": "none", **borrowed}, "not_drawn")
    vic.does(f"{audit}/sample/treatments", {"farm": other, **borrowed})
    assert check_sample(sample_of(vic, audit), frozen["sha256"]) == []
    shut = next(one for one in sample_of(vic, audit)["sample"] if one not in (farm, other))
    shuts_its_door(shut)
    farms = {one["farm"]: one for one in vic.reads(f"{audit}/sample/farms")["items"]}
    assert [one for one in farms if not farms[one]["lets_in"]] == [shut]
    assert (farms[shut]["decision"], farms[other]["decision"]["borrowed_audit"]) == (None, "S-7")
    return str(shut)


def sample_of(vic: Program, audit: str) -> Any:  # noqa: ANN401 - JSON
    """Return the sample file; commit the seed where none is committed yet."""
    if get(f"{audit}/sample", vic.secret).status_code != 200:
        vic.does(f"{audit}/seed", {})
    return vic.reads(f"{audit}/sample")


def packs_and_recomputes(vic: Program, audit: str, shut: str) -> None:
    """Take a farm's package away, and have the whole audit recomputed."""
    whats = [one["what"] for one in vic.reads(f"{audit}/packages/choices")["items"]]
    assert shut not in whats
    farm = whats[-1]
    vic.refused(f"{audit}/packages", {"what": shut}, "no_such_package")
    vic.refused(f"{audit}/packages", {"what": farm, "absent": ["evidence"]}, "no_reason")
    taken, whole = (
        vic.reads(f"{audit}/packages/{vic.does(f'{audit}/packages', asked)['number']}")
        for asked in ({"what": farm}, {"what": "audit", "recompute": True})
    )
    assert (taken["state"], taken["downloadable"]) == ("made", True), taken
    names = zipped(f"{audit}/packages/{taken['number']}/file", vic).namelist()
    assert any(name.endswith("/records/harvest.csv") for name in names)
    looked = LogRow.objects.filter(organisation__handle=farm, deed="look as verifier").values_list("about", flat=True)
    assert {"api:ask_package", "api:get_package_file"} <= set(looked)
    assert whole["state"] == "recomputed", whole
    assert whole["made"]["absent"] == [shut]
    assert [one["number"] for one in vic.reads(f"{audit}/packages")["items"]] == [whole["number"], taken["number"]]


def finds_and_settles(vic: Program, coop: Program, audit: str, shut: str) -> Any:  # noqa: ANN401 - JSON
    """Make the difference a finding, have it answered and end it; return it as the party reads it."""
    (line,) = vic.reads(f"{audit}/results")["items"]
    result = f"{audit}/results/{line['number']}"
    assert not line["clean"]
    found = vic.reads(result)
    states = {one["check"]: one["state"] for one in found["checks"]}
    assert found["problems"] == []
    for settled in ("sample", "records", "stir", "verdicts", "weighted average", "book", "lots"):
        assert states[settled] == "settled", settled
    assert "differs" in states.values()
    assert vic.reads(f"{audit}/work/places?limit=500")["items"] == found["places"] != []
    # The farm that shut its door is all that is missing: everybody signed, and every number recomputes.
    (one,) = vic.reads(f"{result}/differences")["items"]
    assert (one["code"], one["place"]) == ("sampled_farm_missing", f"audit/sample.json, {shut}")
    assert not one["is_finding"]
    vic.does(f"{result}/differences/1/finding", {}, 404)
    raised = vic.does(f"{result}/differences/0/finding", {})
    assert (raised["subject"], raised["cite"], raised["severity"]) == (one["place"], one["cite"], "major")
    assert vic.reads(f"{result}/differences")["items"][0]["is_finding"]
    finding = f"{audit}/findings/{raised['number']}"
    vic.does(f"{finding}/response", {"text": "Not mine to answer."}, 404)
    assert coop.does(f"{finding}/response", {"text": "It is open again.", "evidence": "grant"})["stage"] == "responded"
    ended = {"resolution": "stands", "text": "Seen too late."}
    coop.does(f"{finding}/resolution", ended, 404)
    vic.refused(f"{finding}/resolution", ended, "no_bearing")
    ended |= {"bearing": "no misstatement"}
    assert vic.does(f"{finding}/resolution", ended)["stage"] == "resolved"
    vic.refused(f"{finding}/resolution", ended, "event_refused")
    assert vic.does(f"{finding}/reopening", {"text": "More was found.", "due": day(9)})["due"] == day(9)
    minor = {"severity": "minor", "text": "One farm."}
    vic.refused(f"{finding}/changes", minor, "event_refused")
    coop.does(f"{finding}/response", {"text": "It was shut for a day."})
    assert vic.does(f"{finding}/changes", minor)["severity"] == "minor"
    vic.refused(f"{finding}/changes", minor, "event_refused")
    vic.refused(f"{finding}/changes", {"cite": "2100.777", "text": "Typed wrongly."}, "no_paragraph")
    other = vic.does(f"{finding}/changes", {"cite": "2100.051(c)(5)", "text": "Typed wrongly."})
    assert other["cite"] == "2100.051(c)(5)"
    vic.does(f"{finding}/resolution", {**ended, "resolution": "explained"})
    told = coop.reads(finding)
    deeds = ["raised", "responded", "resolved", "reopened", "responded", "changed", "changed", "resolved"]
    assert [event["deed"] for event in told["events"]] == deeds
    return told


def states(vic: Program, coop: Program, audit: str, key: SigningKey, told: Any) -> None:  # noqa: ANN401 - JSON
    """Draft, sign elsewhere, hand in; the party reads it, and what was found later."""
    vic.reads(f"{audit}/statement/draft", 404)
    one_person = vic.does(f"{audit}/statement/draft", {**WORDS, "independent_reviewer": "Vic"})
    assert [one["code"] for one in one_person["against"]] == ["not_reviewed"]
    signed_alone = dict(sign(one_person["document"], key))
    vic.refused(f"{audit}/statement", signed_alone, "not_reviewed")
    draft = vic.does(f"{audit}/statement/draft", WORDS)
    assert draft == vic.reads(f"{audit}/statement/draft")
    numbers = [one["number"] for one in draft["document"]["findings"]]
    assert (draft["against"], draft["document"]["farms"], numbers) == ([], FARMS, [told["number"]])
    assert {"findings.jsonl", "sample.json", "package.zip"} < set(zipped(f"{audit}/statement/papers", vic).namelist())
    vic.refused(f"{audit}/statement", signed_alone, "other_draft")
    vic.refused(f"{audit}/statement", dict(sign(draft["document"], SigningKey.generate())), "other_key")
    for nothing in ("statement", "statement/draft", "statement/pdf", "statement/papers"):
        coop.reads(f"{audit}/{nothing}", 404)
    signed = dict(sign(draft["document"], key))
    assert vic.does(f"{audit}/statement", signed) == signed
    read = coop.reads(f"{audit}/statement")
    assert check(read, {key.fingerprint: key.public}).valid
    assert coop.reads(audit)["verifier_key"] == key.fingerprint
    assert get(f"{audit}/statement/pdf", coop.secret).content.startswith(b"%PDF")
    vic.refused(f"{audit}/statement/draft", WORDS, "audit_closed")
    fact = addendum(envelope_hash(read), TOLD, "The scale was wrong.", LaterEffect.WITHDRAWN)
    vic.refused(f"{audit}/statement/later", dict(sign({**fact, "statement": "0" * 64}, key)), "other_statement")
    later = vic.does(f"{audit}/statement/later", dict(sign(fact, key)))
    assert coop.reads(f"{audit}/statement/later")["items"] == [later]
    assert coop.reads(f"{audit}/statement/later/{later['number']}")["document"]["effect"] == "withdrawn"
    assert vic.reads(f"{audit}/standing")["steps"][-1] == {
        "step": "Statement", "stands": "signed, qualified", "done": True,
    }  # fmt: skip


def test_a_line_of_the_programme_is_marked_once_however_often_the_call_is_sent(vic: Program, audit: str) -> None:
    lines = vic.reads(f"{audit}/work?limit=500")["items"]
    task = next(one for one in lines if one["kind"] == "task")
    assert task["mark"] is None
    mark = {"state": "done", "note": "Bins measured", "evidence": "photo 7"}
    where = f"{audit}/work/{task['line']}/marks"
    first, again = (post(where, vic.secret, mark, "once") for _ in range(2))
    assert (first.status_code, again.content) == (201, first.content)
    assert again.headers["Idempotent-Replay"] == "true"
    entries = vic.reads(f"{audit}/entries")["items"]
    assert [one["said"]["line"] for one in entries if one["kind"] == "task"] == [task["line"]]
    marked = next(one for one in vic.reads(f"{audit}/work?limit=500")["items"] if one["line"] == task["line"])
    assert {name: marked["mark"][name] for name in mark} == mark
    vic.does(f"{audit}/work/{'0' * 16}/marks", mark, 404)
    assert {one["window"] for one in vic.reads(f"{audit}/work/calendar")["items"]} >= {task["window"]} - {""}
    for ending, start in (("pdf", b"%PDF"), ("xlsx", b"PK")):
        assert get(f"{audit}/work/file/{ending}", vic.secret).content.startswith(start)
    vic.reads(f"{audit}/work/file/csv", 422)


def test_who_is_let_in_no_more_takes_nothing(vic: Program, drawn: str) -> None:
    shuts_its_door(COOP)
    told = vic.does(f"{drawn}/packages", {"what": "entity"}, 403)
    assert told["type"] == "urn:provender:problem:not_permitted"
    assert vic.reads(f"{drawn}/packages")["items"] == []
    assert vic.reads(f"{drawn}/standing")["access_until"] is None
    assert len(vic.reads(f"{drawn}/sample")["seed"]) == 64, "his papers stay his"


def test_only_a_manager_states_accreditation_and_key(vic: Program) -> None:
    Membership.objects.filter(organisation__handle=VERIFIER).update(right=Right.WRITE)
    vic.does("/verifier/accreditation", ACCREDITATION, 403)
    vic.does("/verifier/keys", {"shown": SigningKey.generate().public.export()}, 403)
    assert vic.reads("/verifier/accreditation")["shown"] is None


def test_each_side_may_make_its_own_part_of_the_seed(vic: Program, coop: Program, audit: str) -> None:
    secrets = {"verifier": "secret of the verifier's own", "audited": "secret of the elevator's own"}
    made = {side: commitment(secret) for side, secret in secrets.items()}
    coop.does(f"{audit}/seed/commitment", {"commitment": made["audited"]})
    assert "kept" not in str(vic.does(f"{audit}/population", {})), "nobody is shown a secret before the draw"
    vic.does(f"{audit}/seed/commitment", {"commitment": made["verifier"]})
    frozen = vic.does(f"{audit}/population", {})["said"]
    assert frozen["list"]["frozen"]["commitments"] == made
    assert vic.does(f"{audit}/population", {})["said"] == frozen, "nothing changed: no other draw"
    coop.does(f"{audit}/seed/opening", {"secret": secrets["audited"]})
    vic.does(f"{audit}/seed", {"seed": secrets["verifier"]})
    drawn = vic.reads(f"{audit}/sample")
    assert (drawn["opened"]["secrets"], drawn["frozen"]["audited"]) == (secrets, COOP)


IS_WRONG = {"bearing": "misstatement", "effect_bushels": "10000000"}


def gives_the_named_package(vic: Program, audit: str, farm: str, folder: Path) -> None:
    """Recompute a drawn farm's package: the statement goes on naming the audited party's, and its papers hold that."""
    vic.does(f"{audit}/packages", {"what": farm, "recompute": True})
    assert len(vic.reads(f"{audit}/results")["items"]) == 2
    zipped(f"{audit}/statement/papers", vic).extract(PACKAGE_NAME, folder)
    named = vic.reads(f"{audit}/statement/draft")["document"]["package_mark"]
    assert open_package(folder / PACKAGE_NAME).files.mark == named


@pytest.mark.usefixtures("packed_here")
def test_a_favourable_opinion_is_drafted_only_over_a_whole_audit(
    vic: Program, coop: Program, key: SigningKey, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    vic.does("/verifier/accreditation", {**ACCREDITATION, "scope": "Feedstock carbon intensity"})
    audit = opened(vic)
    favourable = {**WORDS, "opinion": "favourable"}

    def needs() -> set[str]:
        told = vic.does(f"{audit}/statement/draft", favourable, 409)["problems"]
        assert {one["code"] for one in told} <= {one["code"] for one in vic.reads(f"{audit}/statement/needs")}
        return {one["code"] for one in told}

    assert {"no_engaged_by", "no_team", "line_unanswered", "no_site_seen", "no_sample"} <= needs()
    vic.does(f"{audit}/population", {})
    farms = sample_of(vic, audit)["sample"]
    assert "farm_not_audited" in needs()
    seen = {"way": "video", "on": day(0), "by": "Vic", "seen": "Fields and records."}
    vic.does(f"{audit}/visits", {**seen, "farm": "farm-none"}, 409)
    for farm in farms[1:]:
        vic.does(f"{audit}/visits", {**seen, "farm": farm})
    for site in ("north", "south"):
        vic.does(f"{audit}/visits", {**seen, "site": site})
    assert "farm_not_audited" in needs(), "one farm is neither audited nor exempted"
    borrowed = {"extent": "exempt", "borrowed_audit": "S-7", "verifier": "Others", "reason": "Same year"}
    vic.does(f"{audit}/sample/treatments", {"farm": farms[0], **borrowed})
    answers_every_line(audit)
    team = [{"name": name, "part": "part", "competence": "years of it"} for name in ("Vic", "Rae")]
    agreed = {**ENGAGEMENT, "team": team, "engaged_on": day(-400), "reviewed_on": day(0)}
    vic.does(f"{audit}/engagement", {**agreed, "team": [{"name": "Vic"}]}, 422)
    vic.does(f"{audit}/engagement", {**agreed, "impartiality": ""})
    assert needs() == {"no_impartiality", "no_package"}
    vic.does(f"{audit}/engagement", agreed)
    asked_when_told(monkeypatch)
    vic.does(f"{audit}/packages", {"what": "entity", "recompute": True})
    vic.does(f"{audit}/engagement", {**agreed, "reviewed_on": TOLD.isoformat()})
    vic.does(f"{audit}/statement/draft", {**WORDS, "opinion": "disclaimed"})
    assert vic.reads(f"{audit}/statement/needs") == []
    finding = {**BODIES["raise_finding"], **IS_WRONG}  # type: ignore[dict-item]
    vic.does(f"{audit}/findings", {**finding, "bearing": None})
    assert needs() == {"no_bearing"}
    vic.does(f"{audit}/findings/1/changes", {"text": "Judged by us.", **IS_WRONG})
    assert needs() == {"material_misstatement"}
    corrected = {"resolution": "corrected", "text": "Claims were corrected."}
    vic.refused(f"{audit}/findings/1/resolution", corrected, "event_refused")
    coop.does(f"{audit}/findings/1/response", {"text": "We withdraw the claims."})
    vic.does(f"{audit}/findings/1/resolution", corrected)
    draft = vic.does(f"{audit}/statement/draft", favourable)
    assert (draft["against"], draft["document"]["opinion"]) == ([], "favourable")
    gives_the_named_package(vic, audit, farms[1], tmp_path)
    vic.does(f"{audit}/findings", finding)
    vic.refused(f"{audit}/statement", dict(sign(draft["document"], key)), "other_draft")
    now = vic.reads(f"{audit}/statement/draft")["document"]
    vic.refused(f"{audit}/statement", dict(sign(now, key)), "material_misstatement")
    coop.does(f"{audit}/findings/2/response", {"text": "The scale was read twice."})
    vic.does(f"{audit}/findings/2/resolution", {"resolution": "explained", "text": "It was not so."})
    now = vic.reads(f"{audit}/statement/draft")["document"]
    assert vic.does(f"{audit}/statement", dict(sign(now, key)))["document"]["opinion"] == "favourable"
    assert get(f"{audit}/statement/pdf", vic.secret).content.startswith(b"%PDF")


SIGNED = {"document": {}, "signature": "x"}
BODIES: dict[str, object] = {
    "open_audit": OPENING,
    "state_accreditation": ACCREDITATION,
    "register_verifier_key": {"shown": {}},
    "freeze": {},
    "draw": {},
    "commit_part": {"commitment": "0" * 64},
    "open_part": {"secret": "x"},
    "borrow_audit": {"farm": "farm-01", "extent": "exempt", "borrowed_audit": "S", "verifier": "O", "reason": "R"},
    "bring_proof": {"statement": {}, "sample": {}},
    "fail_farm": {"farm": "farm-01", "reason": "R"},
    "mark_line": {"state": "done", "note": "N"},
    "ask_package": {"what": "entity"},
    "raise_finding": {
        "severity": "minor", "cite": "2100.034(d)", "subject": "S", "text": "Text of two", "owner": "O", "due": day(9)
    },
    "raise_finding_from": {},
    "respond": {"text": "Text of two"},
    "resolve": {"resolution": "corrected", "text": "Text of two"},
    "reopen_finding": {"text": "Text of two", "due": day(9)},
    "change_finding": {"text": "T", "severity": "major"},
    "say_engagement": {},
    "log_seen": {"site": "S", "way": "visit", "on": day(0), "by": "V", "seen": "S"},
    "save_draft": WORDS,
    "hand_in_statement": SIGNED,
    "hand_in_later": SIGNED,
}  # fmt: skip
OF_BOTH = frozenset({
    "list_audits", "get_audit", "get_rhythm", "list_findings", "get_finding", "get_statement", "get_statement_pdf",
    "list_later", "get_later", "respond", "commit_part", "open_part",
})  # fmt: skip


def calls(audit: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, method and address of every call about audits, with one audit in the address."""
    rest = {"number": "1", "index": "0", "line": "0" * 16, "ending": "pdf"}
    for described, methods in description()["paths"].items():
        path = described.removeprefix("/api/v1")
        for method, call in methods.items():
            if call["operationId"] in OF_BOTH or path.startswith(("/audits", "/verifier/")):
                yield call["operationId"], method, path.format(audit=audit.rpartition("/")[2], **rest)


def statuses(program: Program, audit: str) -> dict[str, int]:
    """Return what a program gets from every call about audits."""
    found = {}
    for name, method, path in calls(audit):
        answer = get(path, program.secret) if method == "get" else post(path, program.secret, BODIES[name], "k" + name)
        found[name] = answer.status_code
    return found


def test_others_find_no_audit_and_the_party_what_is_of_both(vic: Program, coop: Program, drawn: str) -> None:
    strangers = statuses(Program(DIESEL), drawn)
    assert {name for name, status in strangers.items() if status != 404} == {"list_audits", "get_rhythm"}
    assert Program(DIESEL).reads("/audits")["items"] == []
    theirs = statuses(coop, drawn)
    assert {name for name, status in theirs.items() if status != 404} <= OF_BOTH
    assert [theirs[name] for name in ("get_audit", "list_findings", "list_later")] == [200, 200, 200]
    assert [one["kind"] for one in vic.reads(f"{drawn}/entries")["items"]][:2] == ["population", "seed"]
    assert vic.reads(f"{drawn}/entries")["next"] is None
    vic.does(f"{drawn}/seed", {}, 409)


def test_a_token_without_the_scope_gets_nowhere(vic: Program, audit: str) -> None:
    other = statuses(Program(VERIFIER, [Scope.RECORDS_READ, Scope.CUSTODY_WRITE]), audit)
    assert set(other.values()) == {403}
    reader = statuses(Program(VERIFIER, [Scope.AUDIT_READ]), audit)
    assert {name for name, status in reader.items() if status == 403} == set(BODIES)


def test_every_call_that_the_how_to_names_is_in_the_description() -> None:
    paths = {path.removeprefix("/api/v1"): methods for path, methods in description()["paths"].items()}
    named = re.findall(r"`(GET|POST) (/[^` ]+)`", HOW_TO.read_text(encoding="utf-8"))
    assert len(named) > 25
    assert [(method, path) for method, path in named if method.lower() not in paths.get(path, {})] == []
