"""A verifier's audit on pages: opened by the rule, recomputed, answered, stated, signed there or elsewhere."""

import io
import json
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.audit.package.collect import collect_farm
from provender.audit.programme import Role as AuditRole
from provender.audit.statement.statement import Accreditation, LaterEffect, Opinion, VerificationStatement, addendum
from provender.database.actor import Actor
from provender.database.choices import Right
from provender.database.models.accounts import LogRow
from provender.database.models.audits import Audit, EntryKind
from provender.database.models.farm import LogLeaf
from provender.services.accounts.grants import revoke_reading
from provender.services.accounts.organisations import add_member
from provender.services.audits import audits, packages
from provender.services.audits.audits import HARVESTS
from provender.services.audits.packages import farm_of, write_farm
from provender.services.audits.statement import engagement_of
from provender.services.background import ALIVE
from provender.services.farm.book import Edit, change_book
from provender.services.farm.folder import FILE
from provender.services.refused import RefusedError
from provender.signing import jws
from provender.signing.jws import envelope_hash, rotate, sign
from provender.signing.keys import SigningKey
from provender.signing.transparency import mark_of
from tests.web.cast import Cast
from tests.web.farm_season import fill_season
from tests.web.packaging import farm_recomputed, finished, packed_here
from tests.web.producer_keys import SEALED, post

__all__ = ["packed_here", "vic"]

WORDS = {
    "lead_verifier": "Vic", "independent_reviewer": "Rae", "crops": ["corn"], "objectives": "To verify.",
    "criteria": "7 CFR part 2100, 90 FR 5512", "assurance": "limited", "materiality_pct": "5",
    "materiality": "Of bushels.", "opinion": "qualified", "basis": "But for finding 1.",
}  # fmt: skip


@pytest.fixture
def vic(cast: Cast) -> Client:
    return cast.client("verifier_in")


def led(cast: Cast, name: str, *more: object) -> str:
    return reverse(name, args=(cast.verifier.handle, cast.audit.handle, *more))


def opening(number: str = "V-2") -> audits.Opening:
    today = timezone.localdate()
    day = timedelta(days=1)
    return audits.Opening(
        role=AuditRole.FARM, number=number, harvest_year=today.year - 1, covered_first=today - 30 * day,
        covered_last=today - day, due_on=today + 30 * day,
    )  # fmt: skip


def reopen(cast: Cast, number: str = "V-2") -> Audit:
    return audits.open_audit(cast.verifier, cast.farm, opening(number), actor=cast.actor("verifier_in"))


def shown(cast: Cast, **changes: object) -> Accreditation:
    document = audits.accreditation_of(cast.verifier)
    assert document is not None
    return Accreditation.read({**document.document(), **changes})


def refused_code(cast: Cast, asked: audits.Opening | None = None) -> str:
    """Return why an audit is not opened; blank where it is."""
    try:
        audits.open_audit(cast.verifier, cast.farm, asked or opening(), actor=cast.actor("verifier_in"))
    except RefusedError as refused:
        return refused.problems[0].code
    return ""


def test_an_audit_is_opened_once_a_number_on_who_lets_the_verifier_in(cast: Cast) -> None:
    assert refused_code(cast, opening("V-1")) == "number_used"
    other = replace(opening("V-4"), role=AuditRole.REFINER, covered_last=timezone.localdate())
    assert refused_code(cast, other) == "other_role"
    assert refused_code(cast, replace(opening("V-3"), harvest_year=HARVESTS[0] - 1)) == "other_harvest"
    assert reopen(cast).audited == cast.farm
    assert LogRow.objects.filter(organisation=cast.farm, deed="open audit").count() == 2
    revoke_reading(cast.grant, actor=cast.actor("owner"))
    with pytest.raises(RefusedError) as refused:
        reopen(cast, "V-3")
    assert refused.value.problems[0].code == "no_access"


def test_accreditation_holds_on_its_day_and_no_audit_is_opened_without_independence(cast: Cast) -> None:
    today, by = timezone.localdate(), cast.actor("verifier_in")
    for last, code in ((today - timedelta(days=1), "not_accredited_on_day"), (today, "")):
        audits.record_accreditation(cast.verifier, shown(cast, last=last.isoformat()), actor=by)
        assert refused_code(cast, opening("V-10")) == code, last
    audits.record_accreditation(cast.verifier, shown(cast, suspended=[{"first": today.isoformat()}]), actor=by)
    assert refused_code(cast, opening("V-20")) == "suspended_on_day"
    add_member(cast.farm, cast.person("verifier_in"), Right.READ, actor=Actor(None, "test"))
    with pytest.raises(RefusedError) as refused:
        reopen(cast)
    assert refused.value.problems[0].code == "not_independent"
    assert refused.value.problems[0].cite == '2100.002 "third-party verifier"'


def test_a_reader_of_the_verifier_reads_and_writes_nothing(cast: Cast) -> None:
    add_member(cast.verifier, cast.person("stranger"), Right.READ, actor=Actor(None, "test"))
    reader = cast.client("stranger")
    for name in ("audit", "audit_work", "audit_package", "audit_findings", "audit_statement"):
        assert reader.get(led(cast, name)).status_code == 200
        answer = reader.post(led(cast, name))
        assert answer.status_code == (405 if name == "audit" else 403)


def test_a_visitor_sees_names_and_no_addresses(cast: Cast, vic: Client) -> None:
    cast.person("reader").name = ""
    cast.person("reader").save(update_fields=["name"])
    for name in ("members", "log", "organisation"):
        where = reverse(name, args=(cast.farm.handle,))
        assert b"@example.org" not in vic.get(where).content
        assert b"@example.org" not in vic.get(f"{where}?save=csv").content
    assert b"Owner" in vic.get(reverse("members", args=(cast.farm.handle,))).content
    owner = cast.client()
    assert b"reader@example.org" in owner.get(reverse("members", args=(cast.farm.handle,))).content


def asked(cast: Cast, **more: object) -> dict[str, object]:
    """Return what the form for a package says."""
    absent = ["evidence", "reports", "keys"]
    return {"what": cast.farm.handle, "absent": absent, "reason": "Test", "recompute": "yes"} | more


def test_a_package_is_recomputed_beside_the_server_and_entered_once(cast: Cast, vic: Client) -> None:
    fill_season(cast)
    answer = finished(vic, vic.post(led(cast, "audit_package"), asked(cast)))
    vic.get(led(cast, "audit_package"))
    (entry,) = audits.entries(cast.audit, EntryKind.RESULT)
    assert entry.actor == cast.person("verifier_in")
    row = LogRow.objects.filter(deed="audit: package recomputed").latest("pk")
    assert (row.via, row.about.endswith(f"asked for on {timezone.localdate()}")) == ("server, as asked for", True)
    assert "by the server, asked for by Verifier In" in vic.get(led(cast, "audit")).content.decode()
    assert answer["Location"] == led(cast, "audit_result", entry.number)
    said = entry.said
    assert {one["check"] for one in said["checks"]} >= {"records", "stir", "verdicts"}
    assert said["made"]["allowed"][0]["reason"] == "Test"
    assert LogRow.objects.filter(organisation=cast.farm, deed="look as verifier", about="audit_package").exists()
    assert vic.get(answer["Location"]).status_code == 200
    assert said["differences"], "the cast's season has something to find"
    first = said["differences"][0]
    assert vic.post(led(cast, "audit_finding_from", entry.number, 0)).status_code == 302
    made = audits.findings_of(cast.audit)[-1]
    assert (made.cite, made.subject) == (first["cite"], first["place"])
    assert b"Is a finding" in vic.get(answer["Location"]).content


@pytest.mark.usefixtures("packed_here")
def test_what_the_request_does_not_spare_must_be_there(cast: Cast, vic: Client) -> None:
    fill_season(cast)
    page = finished(vic, vic.post(led(cast, "audit_package"), asked(cast, absent=[], reason="")))
    assert b"The package holds no" in page.content
    listed = vic.get(led(cast, "audit_package"))
    assert b"Not possible" in listed.content
    assert [one.label for one in listed.context["works"].columns] == ["Asked for", "Package", "For", "State"]
    assert not audits.entries(cast.audit, EntryKind.PACKAGE) + audits.entries(cast.audit, EntryKind.RESULT)


def test_a_farm_without_records_is_told_at_once(cast: Cast, vic: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "farm_of", lambda _: None)
    answer = vic.post(led(cast, "audit_package"), asked(cast))
    assert b"keeps no records here" in answer.content
    assert not audits.entries(cast.audit, EntryKind.ASKED)


def test_a_lost_process_is_told_with_what_to_do(cast: Cast, vic: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_season(cast)
    monkeypatch.setattr(packages, "spawn", lambda _, folder: (folder / ALIVE).touch())
    page = vic.post(led(cast, "audit_package"), asked(cast))["Location"]
    assert b"asked for" in vic.get(led(cast, "audit")).content
    assert vic.get(f"{page}progress/").headers["HX-Refresh"] == "true"
    assert b"Ask for the package once more" in vic.get(page).content
    assert b"Stopped" in vic.get(led(cast, "audit_package")).content
    assert not audits.entries(cast.audit, EntryKind.RESULT)


def drafted(cast: Cast, vic: Client, **changes: object) -> dict[str, object]:
    if audits.party_result(cast.audit) is None:
        farm_recomputed(cast.audit)
    assert vic.post(led(cast, "audit_statement"), {**WORDS, **changes}).status_code == 302
    document: dict[str, object] = json.loads(vic.get(led(cast, "audit_statement_file", "json")).content)
    return document


def as_file(data: object) -> io.BytesIO:
    file = io.BytesIO(json.dumps(data).encode())
    file.name = "signed.json"
    return file


def bring(cast: Cast, vic: Client, envelope: object) -> None:
    vic.post(led(cast, "audit_statement_sign"), {"file": as_file(envelope)})


def register(cast: Cast, vic: Client, shown: object, reason: str = "") -> bool:
    where = reverse("audit_key", args=(cast.verifier.handle,))
    return bool(vic.post(where, {"file": as_file(shown), "reason": reason}).status_code == 302)


@pytest.fixture
def key(cast: Cast, vic: Client) -> SigningKey:
    made = SigningKey.generate()
    assert register(cast, vic, made.public.export())
    return made


def test_a_statement_is_signed_elsewhere_and_kept_by_the_party(cast: Cast, vic: Client, key: SigningKey) -> None:
    bring(cast, vic, sign(drafted(cast, vic), key))
    signed = audits.statement_of(cast.audit)
    assert signed is not None
    assert VerificationStatement.read(signed["document"]).opinion is Opinion.QUALIFIED
    assert LogLeaf.objects.get(mark=mark_of(json.dumps(signed).encode())).organisation == cast.audit.verifier
    owner = cast.client()
    page = owner.get(reverse("audit_of_us", args=(cast.farm.handle, cast.audit.handle))).content.decode()
    assert key.fingerprint in page
    where = reverse("audit_of_us_statement", args=(cast.farm.handle, cast.audit.handle, "json"))
    assert json.loads(owner.get(where).content) == signed
    assert owner.get(where.replace(".json", ".pdf")).content.startswith(b"%PDF")
    assert "monitor" not in json.dumps(signed["document"]["findings"])
    vic.post(led(cast, "audit_statement"), WORDS)
    assert len(audits.entries(cast.audit, EntryKind.DRAFT)) == 1, "a signed audit is closed"


def test_engagement_and_visits_are_written_on_their_page(cast: Cast, vic: Client) -> None:
    where = led(cast, "audit_engagement")
    team = "Vic | lead verifier | ten audits\nRae | reviewer | twenty"
    assert vic.post(where, {"addressee": "Its\nbuyers", "team": team, "retention_years": "10"}).status_code == 302
    said = engagement_of(cast.audit)
    assert (said["addressee"], said["retention_years"], len(said["team"])) == ("Its buyers", 10, 2)
    assert "Rae | reviewer | twenty" in vic.get(where).content.decode()
    assert "line 1, competence: nothing is said" in vic.post(where, {"team": "Vic | lead"}).content.decode()
    visit = {"site": "Bin 4", "way": "visit", "on": "2026-11-02", "by": "Vic", "seen": "Full."}
    assert vic.post(where, {**visit, "way": ""}).status_code == 200
    assert vic.post(where, visit).status_code == 302
    assert [entry.said["site"] for entry in audits.entries(cast.audit, EntryKind.VISIT)] == ["Bin 4"]
    assert LogRow.objects.filter(deed__startswith="audit: ", about__endswith=", Bin 4").exists()


def test_a_key_is_replaced_by_its_own_word_or_with_a_reason(cast: Cast, vic: Client, key: SigningKey) -> None:
    today = timezone.localdate()
    second, third, thief = (SigningKey.generate() for _ in range(3))
    assert not register(cast, vic, third.public.export()), "a reason is needed"
    assert not register(cast, vic, rotate(thief, third, on=today)), "only the key in use says who follows"
    assert not register(cast, vic, rotate(key, second, on=today + timedelta(days=1))), "not before its day"
    assert register(cast, vic, rotate(key, second, on=today))
    assert register(cast, vic, third.public.export(), "The laptop was stolen.")
    assert not register(cast, vic, key.public.export(), "Back again."), "a key given up does not come back"
    told = [(row.old, row.new) for row in LogRow.objects.filter(deed="register verifier key").order_by("id")]
    assert [new["fingerprint"] for _, new in told if new] == [
        key.fingerprint, second.fingerprint, third.fingerprint,
    ]  # fmt: skip
    assert told[2][1] == {
        "fingerprint": third.fingerprint, "by rotation": False, "reason": "The laptop was stolen."
    }  # fmt: skip


def test_what_nobody_signed_is_not_taken_in(cast: Cast, vic: Client, key: SigningKey) -> None:
    """Other signers and other documents: ``test_api.py``; private keys: ``tests/web/custody/test_keys.py``."""
    document = drafted(cast, vic)
    for envelope in ({**sign(document, key), "signature": ""}, document):
        bring(cast, vic, envelope)
        assert audits.statement_of(cast.audit) is None


def later(cast: Cast, signed: dict[str, Any], **changes: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of a document
    words = "The scale was wrong."
    return {**addendum(envelope_hash(signed), timezone.localdate(), words, LaterEffect.WITHDRAWN), **changes}


def test_a_fact_found_later_stands_beside_the_statement(cast: Cast, vic: Client, key: SigningKey) -> None:
    bring(cast, vic, sign(drafted(cast, vic), key))
    signed = audits.statement_of(cast.audit)
    assert signed is not None
    where = led(cast, "audit_statement_later")
    yesterday = (timezone.localdate() - timedelta(days=1)).isoformat()
    for wrong in (
        sign(later(cast, signed), SigningKey.generate()),
        sign(later(cast, signed, statement="0" * 64), key),
        sign(later(cast, signed, text=" "), key),
        sign(later(cast, signed, on=yesterday), key),
        signed,
    ):
        vic.post(where, {"file": as_file(wrong)})
    assert not audits.entries(cast.audit, EntryKind.ADDENDUM)
    right = sign(later(cast, signed), key)
    vic.post(where, {"file": as_file(right)})
    (entry,) = audits.entries(cast.audit, EntryKind.ADDENDUM)
    owner = cast.client()
    assert (
        b"The statement is withdrawn"
        in owner.get(reverse("audit_of_us", args=(cast.farm.handle, cast.audit.handle))).content
    )
    file = owner.get(reverse("audit_of_us_later", args=(cast.farm.handle, cast.audit.handle, entry.number)))
    assert json.loads(file.content) == right
    assert b"The scale was wrong." in vic.get(led(cast, "audit_statement")).content


def test_a_farms_folder_holds_its_rejected_rows_and_maps(cast: Cast, tmp_path: Path) -> None:
    fill_season(cast)
    kept = {"rejected/operation.csv": "day\nyesterday\n", "maps/operation-abc.json": "{}"}
    edits = [Edit(FILE, path, {"text": text}) for path, text in kept.items()]
    change_book(cast.book, edits, reason="import", actor=cast.actor("owner"))
    farm = farm_of(cast.farm)
    assert farm is not None
    write_farm(farm, tmp_path)
    for path, text in kept.items():
        assert (tmp_path / path).read_text() == text
    files = collect_farm(tmp_path, []).files
    assert {path for path in kept if any(name.endswith(path) for name in files)} == set(kept)


def hand_in(cast: Cast, vic: Client, statement: object, **changed: object) -> HttpResponse:
    where = reverse("audit_key", args=(cast.verifier.handle,))
    return post(vic, where, {"sealed": SEALED, "statement": statement, "lost": "", **changed})


def said_by(cast: Cast, key: SigningKey) -> dict[str, object]:
    return jws.register(cast.verifier.handle, audits.KEYS.signer, key, on=timezone.localdate())


@pytest.fixture
def sealed_key(cast: Cast, vic: Client) -> SigningKey:
    made = SigningKey.generate()
    assert hand_in(cast, vic, said_by(cast, made)).status_code == 200
    return made


def test_a_statement_is_signed_on_its_page_as_it_was_read(cast: Cast, vic: Client, sealed_key: SigningKey) -> None:
    def read() -> str:
        page = vic.get(led(cast, "audit_statement")).content.decode()
        assert "Sign the statement" in page
        (mark,) = re.findall(r'name="shown" value="(\w+)"', page)
        return str(mark)

    def send(mark: str, **more: object) -> HttpResponse:
        return post(vic, led(cast, "audit_statement_sign"), {"fields": {"shown": mark}, **more})

    drafted(cast, vic)
    before = read()
    draft = drafted(cast, vic, basis="Another basis.")
    signature = sign(draft, sealed_key)["signature"]
    assert send(before, signature=signature).status_code == 409, "the draft was changed after it was read"
    mark = read()
    asked = json.loads(send(mark).content)
    assert json.loads(asked["document"]) == draft
    assert asked["sha256"] == mark, "the page holds the text against the hash it came with"
    assert audits.statement_of(cast.audit) is None
    assert send(mark, sha256=mark, signature=signature).status_code == 200
    assert audits.statement_of(cast.audit) == sign(draft, sealed_key)


def test_another_member_sees_no_sealed_key(cast: Cast, vic: Client, sealed_key: SigningKey) -> None:
    drafted(cast, vic)
    colleague = cast.person("stranger")
    add_member(cast.verifier, colleague, Right.WRITE, actor=cast.actor("verifier_in"))
    client = Client()
    client.force_login(colleague)
    for where in (led(cast, "audit_statement"), reverse("audit_key", args=(cast.verifier.handle,))):
        page = client.get(where).content.decode()
        assert str(SEALED["sealed"]) not in page
        assert "Sign the statement" not in page
