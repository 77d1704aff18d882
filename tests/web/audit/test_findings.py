"""A finding: raised at its form with a paragraph of the rule, seen and answered by the party that must, by no other."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.audit.findings import Deed, Finding
from provender.audit.programme import Role as AuditRole
from provender.audit.programme import programme_data
from provender.database.choices import NewsKind, Role, Scope
from provender.database.models.accounts import LogRow, News, Organisation
from provender.database.models.audits import Audit
from provender.rule.crops import Cite
from provender.rule.paragraphs import paragraphs
from provender.services.accounts.grants import grant_reading
from provender.services.accounts.organisations import create_organisation
from provender.services.accounts.tokens import create_token
from provender.services.audits import programme
from provender.services.audits.audits import finding_events, findings_of
from provender.services.audits.standing import about
from provender.services.news.told import Gatherer
from provender.services.refused import RefusedError
from tests.web.cast import Cast, open_audit

pytestmark = pytest.mark.django_db


def raising_at(cast: Cast) -> str:
    return reverse("audit_findings", args=(cast.verifier.handle, cast.audit.handle))


MISSING = "The log of the drill is missing."
SAID = {
    "severity": "minor", "cite": "2100.051(c)(3)", "subject": "G70", "text": MISSING, "owner": "The farm",
    "due": "2030-01-01",
}  # fmt: skip


def raising(cast: Cast, client: Client, cite: str) -> Any:  # noqa: ANN401 - the client's
    return client.post(raising_at(cast), {**SAID, "cite": cite})


def test_the_paragraphs_of_the_rule_are_offered_with_what_they_say(cast: Cast) -> None:
    page = cast.client("verifier_in").get(raising_at(cast)).content.decode()
    assert '<option value="2100.051(c)(3)" label="' in page
    assert 'list="picks-cite"' in page
    for role in AuditRole:
        assert {Cite.parse(one) for one in programme.citable(role)} <= paragraphs().keys()
        assert all(
            pick.beside == f"{one}: {paragraphs()[Cite.parse(one)].summary}"
            for one, pick in programme.citable(role).items()
        )
    assert programme_data()["words"].keys() <= programme.citable(AuditRole.FARM).keys(), (
        "words of no paragraph find nothing"
    )


def test_paragraphs_of_the_partys_part_stand_first_and_likely_ones_are_told() -> None:
    trade, farm = list(programme.citable(AuditRole.FIRST_POINT)), list(programme.citable(AuditRole.FARM))
    assert trade.index("2100.032(a)(1)") < trade.index("2100.034(d)") < trade.index("2100.051(c)")
    assert farm.index("2100.051(c)") < farm.index("2100.032(a)(1)")
    assert programme.citable(AuditRole.FIRST_POINT)["2100.032(a)(1)"].far == 0
    assert sorted(trade) == sorted(farm)
    at_elevator = ("scale tickets", "records", "bin", "stock", "sales", "documents", "statement")
    for typed, role, meant in (
        *((typed, AuditRole.FIRST_POINT, r"2100\.03[0-5]\(.*\(.+\)") for typed in at_elevator),
        ("scale tickets", AuditRole.FIRST_POINT, r"2100\.032\(a\)\(1\) \(They record"),
        ("scale tickets", AuditRole.FARM, r"2100\.031\(b\)"),
        ("2100.051(c)(3", AuditRole.FARM, r"2100\.051\(c\)\(3\)"),
    ):
        with pytest.raises(RefusedError, match=f"Did you mean {meant}"):
            programme.cited(typed, role)


def test_what_is_typed_is_taken_where_the_rule_has_it_and_refused_at_its_field_where_not(cast: Cast) -> None:
    client = cast.client("verifier_in")
    for typed in ("2100.051(c)(3)", " 7 CFR 2100.051(c)(3) ", '2100.002 "crop interval"'):
        assert raising(cast, client, typed).status_code == 302, typed
        assert findings_of(cast.audit)[-1].cite == programme.cited(typed, AuditRole.FARM)
    before = len(findings_of(cast.audit))
    for typed in ("2100.051(z)(3)", "2100.777", "the one on tillage", "2100.51(c)"):
        answer = raising(cast, client, typed)
        assert answer.status_code == 200
        (said,) = answer.context["form"].errors["cite"]
        assert said.startswith(f"The rule has no paragraph '{typed}'.")
    assert len(findings_of(cast.audit)) == before


def test_a_wrong_paragraph_is_corrected_with_a_reason_and_both_stay_in_the_log(cast: Cast) -> None:
    client = cast.client("verifier_in")
    raising(cast, client, "2100.051(c)(3)")
    one = findings_of(cast.audit)[-1]
    page = reverse("audit_finding", args=(cast.verifier.handle, cast.audit.handle, one.number))
    said = {"severity": "major", "owner": one.owner, "due": str(one.due), "text": "Typed wrongly.", "change": "yes"}
    refused = client.post(page, {**said, "cite": "2100.777"})
    assert "The rule has no paragraph" in refused.context["change"].errors["cite"][0]
    assert client.post(page, {**said, "cite": "7 CFR 2100.051(c)(5)"}).status_code == 302
    assert findings_of(cast.audit)[-1].cite == "2100.051(c)(5)"
    last = finding_events(cast.audit)[-1]
    assert (last["deed"], last["cite"]) == (Deed.CHANGED, "2100.051(c)(5)")
    shown = client.get(page).content.decode()
    assert "7 CFR 2100.051(c)(3) → 7 CFR 2100.051(c)(5)" in shown
    assert "Weight: Minor → Major" in shown, "the others are logged so too"
    ours = reverse("audit_of_us_finding", args=(cast.farm.handle, cast.audit.handle, one.number))
    assert "7 CFR 2100.051(c)(3) → 7 CFR 2100.051(c)(5)" in cast.client().get(ours).content.decode()


@pytest.fixture
def mills(cast: Cast) -> Audit:
    """Return an audit of the mill, by the verifier whom the farm lets read too."""
    return open_audit(cast.verifier, cast.mill, AuditRole.FIRST_POINT, actor=cast.actor("verifier_in"), number="V-mill")


@pytest.fixture
def elevators(cast: Cast) -> Audit:
    """Return an audit of the stranger's elevator: none of its people are of the farm."""
    let_in(cast, cast.elevator)
    by = cast.actor("verifier_in")
    return open_audit(cast.verifier, cast.elevator, AuditRole.FIRST_POINT, actor=by, number="V-elevator")


def let_in(cast: Cast, party: Organisation) -> None:
    today = timezone.localdate()
    last, by = today + timedelta(days=30), cast.actor("stranger")
    grant_reading(party, cast.verifier, first_day=today, last_day=last, purpose="Audit", actor=by)


def other_farm(cast: Cast, name: str) -> Organisation:
    """Return another farm, of the stranger, that lets the verifier read."""
    made = create_organisation(name, roles=[Role.FARM], manager=cast.person("stranger"), actor=cast.actor("stranger"))
    let_in(cast, made)
    return made


def found(cast: Cast, audit: Audit, owner: str, text: str = MISSING) -> Finding:
    said = {**SAID, "text": text, "owner": owner, "due": str(timezone.localdate() + timedelta(days=20))}
    return programme.raise_finding(audit, said, actor=cast.actor("verifier_in"))


def ours(party: Organisation) -> str:
    return reverse("audits_of_us", args=(party.handle,))


def page_of(party: Organisation, audit: Audit, number: str) -> str:
    return reverse("audit_of_us_finding", args=(party.handle, audit.handle, number))


def seen(cast: Cast, part: str, where: str) -> str:
    return cast.client(part).get(where).content.decode()


def news_of(party: Organisation) -> list[tuple[str, str, str]]:
    return [(one.kind, one.says, one.page) for one in News.objects.filter(organisation=party).order_by("id")]


def told_at(cast: Cast, part: str, party: Organisation) -> str:
    """Return where the latest notice of a party leads."""
    shown = cast.client(part).get(reverse("notices", args=(party.handle,)))
    return str(shown.context["notices"].cells[0][1].href)


def test_the_farm_that_must_answer_is_told_sees_the_finding_and_answers(cast: Cast, elevators: Audit) -> None:
    reading = Gatherer()
    reading.round()
    raising = reverse("audit_findings", args=(cast.verifier.handle, elevators.handle))
    told = cast.client("verifier_in").post(raising, {**SAID, "owner": "ada's farm "}, follow=True).content.decode()
    assert "Stan&#x27;s Elevator and ada&#x27;s farm see it, and each can answer it." in told
    reading.round()
    notice = (NewsKind.ASKED, "Vic Verifies raised a finding", "audits_of_us")
    assert news_of(cast.farm)[-1] == news_of(cast.elevator)[-1] == notice
    page = seen(cast, "owner", ours(cast.farm))
    where = page_of(cast.farm, elevators, "1")
    assert told_at(cast, "owner", cast.farm) == where, "a notice leads to the finding, not to a list"
    assert told_at(cast, "stranger", cast.elevator) == page_of(cast.elevator, elevators, "1")
    assert MISSING in page
    assert where in page
    assert MISSING in seen(cast, "owner", where)
    answer = cast.client().post(where, {"text": "It lies in the shed."}, follow=True).content.decode()
    assert "Vic Verifies and the party it audits see it." in answer
    assert "It lies in the shed." in answer, "one lands on the finding, where the answer stands"
    assert findings_of(elevators)[0].response == "It lies in the shed."
    reading.round()
    words = (NewsKind.ARRIVED, "Ada's Farm answered a finding")
    assert news_of(cast.verifier)[-1] == (*words, "audits")
    its = reverse("audit_finding", args=(cast.verifier.handle, elevators.handle, "1"))
    assert told_at(cast, "verifier_in", cast.verifier) == its
    assert news_of(cast.elevator)[-1] == (*words, "audits_of_us")
    assert news_of(cast.farm)[-1] == notice, "nobody is told of its own deeds"


def test_it_sees_nothing_else_of_the_audit(cast: Cast, elevators: Audit) -> None:
    found(cast, elevators, "Stan's Elevator", "The scale is off.")
    moved = found(cast, elevators, "Stan's Elevator", "The tickets differ.")
    programme.answer_finding(elevators, moved, {"text": "Ask the farm."}, cast.elevator, actor=cast.actor("stranger"))
    after = next(one for one in findings_of(elevators) if one.number == moved.number)
    by = cast.actor("verifier_in")
    after = programme.change_finding(elevators, after, {"owner": "Ada's Farm", "text": "It is theirs."}, actor=by)
    programme.answer_finding(elevators, after, {"text": "We asked twice."}, cast.elevator, actor=cast.actor("stranger"))
    pages = [seen(cast, "owner", where) for where in (ours(cast.farm), page_of(cast.farm, elevators, "2"))]
    assert "It is theirs." in pages[1]
    log = "".join(LogRow.objects.filter(organisation=cast.farm).values_list("about", flat=True))
    for text in (*pages, log):
        for secret in ("The scale is off.", "Ask the farm.", "We asked twice.", "V-elevator", "Stan"):
            assert secret not in text, secret
    owner = cast.client()
    for name, part in (("audit_of_us", ()), ("audit_of_us_statement", ("json",))):
        assert owner.get(reverse(name, args=(cast.farm.handle, elevators.handle, *part))).status_code == 404
    assert owner.get(page_of(cast.farm, elevators, "1")).status_code == 404


def test_another_farm_sees_nothing_and_who_answers_no_more_sees_nothing_either(cast: Cast, mills: Audit) -> None:
    other = other_farm(cast, "Abel Creek Farm")
    one = found(cast, mills, "Ada's Farm")
    assert MISSING not in seen(cast, "stranger", ours(other))
    assert cast.client("stranger").get(page_of(other, mills, "1")).status_code == 404
    by = cast.actor("verifier_in")
    programme.change_finding(mills, one, {"owner": other.handle, "text": "It was the neighbor."}, actor=by)
    assert MISSING in seen(cast, "stranger", ours(other))
    assert programme.findings_naming(cast.farm) == []
    assert cast.client().get(page_of(cast.farm, mills, "1")).status_code == 404
    assert cast.client("stranger").post(page_of(cast.farm, mills, "1"), {"text": "x"}).status_code == 404


def test_a_program_of_the_party_reads_and_answers_what_names_it(cast: Cast, elevators: Audit) -> None:
    found(cast, elevators, "Stan's Elevator", "The scale is off.")
    found(cast, elevators, "Ada's Farm")
    last, by = timezone.localdate() + timedelta(days=9), cast.actor("owner")
    _, secret = create_token(cast.farm, name="program", scopes=Scope.values, expires_on=last, actor=by)
    sent: dict[str, Any] = {"headers": {"Authorization": f"Bearer {secret}"}, "content_type": "application/json"}
    keys = ({**sent, "headers": {**sent["headers"], "Idempotency-Key": key}} for key in ("key-of-one", "key-of-two"))
    root = f"/api/v1/audits/{elevators.handle}/findings"
    listed = Client().get(root, **sent).json()
    assert [one["number"] for one in listed["items"]] == ["2"]
    assert Client().get(f"{root}/1", **sent).status_code == 404
    assert Client().get(f"{root}/2", **sent).json()["text"] == MISSING
    assert Client().post(f"{root}/1/response", {"text": "x"}, **next(keys)).status_code == 404
    assert Client().post(f"{root}/2/response", {"text": "Found it."}, **next(keys)).status_code == 201
    assert finding_events(elevators)[-1]["deed"] == Deed.RESPONDED
    assert Client().get(f"/api/v1/audits/{elevators.handle}", **sent).status_code == 404


def test_a_name_that_nobody_here_or_several_bear_is_said(cast: Cast, mills: Audit) -> None:
    where = reverse("audit_findings", args=(cast.verifier.handle, mills.handle))
    told = cast.client("verifier_in").post(where, {**SAID, "owner": "Farm of old"}, follow=True).content.decode()
    assert "sees it and answers: Farm of old has no account that lets you read." in told
    other_farm(cast, "Ada's Farm")
    with pytest.raises(RefusedError, match="Several parties"):
        found(cast, mills, "Ada's Farm")
    assert programme.party_named(mills, cast.farm.handle) == cast.farm.handle
    assert programme.party_named(mills, cast.mill.name) == ""


def test_a_finding_is_the_first_thing_to_do_until_answered(cast: Cast, mills: Audit, elevators: Audit) -> None:
    own = found(cast, mills, str(cast.mill))
    named = found(cast, mills, str(cast.farm), text="The farm's soil test is missing.")
    overview = reverse("organisation", args=(cast.mill.handle,))
    assert [(one.words, one.href) for one in steps(cast, overview)][:1] == [
        (f"Answer finding {own.number}: {about(mills, own)}", page_of(cast.mill, mills, own.number))
    ]
    assert not [one for one in steps(cast, overview) if named.number in one.words], "that is another's to answer"
    programme.answer_finding(mills, own, {"text": "It is here."}, cast.mill, actor=cast.actor("owner"))
    assert not [one for one in steps(cast, overview) if "finding" in one.words]


def steps(cast: Cast, address: str) -> list[Any]:
    found: list[Any] = cast.client().get(address).context["next_steps"]
    return found
