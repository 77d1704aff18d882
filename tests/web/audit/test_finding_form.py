"""The form of a finding offers the rule's paragraphs and takes no other; what is needed bears a mark, in every form."""

import re
from typing import Any

import pytest
from django import forms
from django.test import Client
from django.urls import reverse

from provender.audit.findings import Deed
from provender.audit.programme import Role as AuditRole
from provender.database.store.audits import finding_events, findings_of
from provender.rule.law import Cite
from provender.rule.paragraphs import paragraphs
from provender.services.audits.paragraphs import WORDS, citable, cited
from provender.services.refused import RefusedError
from provender.web.audit import forms as audit_forms
from provender.web.inputs import Renderer
from tests.web.cast import Cast
from tests.web.custody_season import fill_custody

pytestmark = pytest.mark.django_db


def where(cast: Cast) -> str:
    return reverse("audit_findings", args=(cast.verifier.handle, cast.audit.handle))


def raising(cast: Cast, client: Client, cite: str) -> Any:  # noqa: ANN401 - the client's
    said = {
        "severity": "minor", "cite": cite, "subject": "G70", "text": "The log is missing.", "owner": "The farm",
        "due": "2030-01-01",
    }  # fmt: skip
    return client.post(where(cast), said)


def test_the_paragraphs_of_the_rule_are_offered_with_what_they_say(cast: Cast) -> None:
    page = cast.client("verifier_in").get(where(cast)).content.decode()
    assert '<option value="2100.051(c)(3)" label="' in page
    assert 'list="picks-cite"' in page
    for role in AuditRole:
        assert {Cite.parse(one) for one in citable(role)} <= paragraphs().keys()
        assert all(
            pick.beside == f"{one}: {paragraphs()[Cite.parse(one)].summary}" for one, pick in citable(role).items()
        )
    assert WORDS.keys() <= citable(AuditRole.FARM).keys(), "words of no paragraph find nothing"


def test_those_of_the_partys_part_of_the_rule_stand_first() -> None:
    trade, farm = list(citable(AuditRole.FIRST_POINT)), list(citable(AuditRole.FARM))
    assert trade.index("2100.032(a)(1)") < trade.index("2100.034(d)") < trade.index("2100.051(c)")
    assert farm.index("2100.051(c)") < farm.index("2100.032(a)(1)")
    assert citable(AuditRole.FIRST_POINT)["2100.032(a)(1)"].far == 0
    assert sorted(trade) == sorted(farm)


@pytest.mark.parametrize("typed", ["scale tickets", "records", "bin", "stock", "sales", "documents", "statement"])
def test_words_of_the_trade_name_paragraphs_of_the_trade(typed: str) -> None:
    with pytest.raises(RefusedError, match=r"Did you mean 2100\.03[0-5]\(.*\(.+\)"):
        cited(typed, AuditRole.FIRST_POINT)


def test_scale_tickets_are_what_comes_in_and_goes_out_at_an_elevator_and_a_sale_at_a_farm() -> None:
    with pytest.raises(RefusedError, match=r"Did you mean 2100\.032\(a\)\(1\) \(They record"):
        cited("scale tickets", AuditRole.FIRST_POINT)
    with pytest.raises(RefusedError, match=r"Did you mean 2100\.031\(b\)"):
        cited("scale tickets", AuditRole.FARM)


def test_what_is_typed_is_taken_where_the_rule_has_it_and_refused_at_its_field_where_not(cast: Cast) -> None:
    client = cast.client("verifier_in")
    for typed in ("2100.051(c)(3)", " 7 CFR 2100.051(c)(3) ", '2100.002 "crop interval"'):
        assert raising(cast, client, typed).status_code == 302, typed
        assert findings_of(cast.audit)[-1].cite == cited(typed, AuditRole.FARM)
    before = len(findings_of(cast.audit))
    for typed in ("2100.051(z)(3)", "2100.777", "the one on tillage", "2100.51(c)"):
        answer = raising(cast, client, typed)
        assert answer.status_code == 200
        (said,) = answer.context["form"].errors["cite"]
        assert said.startswith(f"The rule has no paragraph '{typed}'.")
    assert len(findings_of(cast.audit)) == before


def test_a_mistyped_one_is_told_what_looks_like_it() -> None:
    with pytest.raises(RefusedError, match=r"Did you mean 2100\.051\(c\)\(3\)"):
        cited("2100.051(c)(3", AuditRole.FARM)


def test_a_wrong_paragraph_is_corrected_with_a_reason_and_both_stay_in_the_log(cast: Cast) -> None:
    client = cast.client("verifier_in")
    raising(cast, client, "2100.051(c)(3)")
    one = findings_of(cast.audit)[-1]
    page = reverse("audit_finding", args=(cast.verifier.handle, cast.audit.handle, one.number))
    said = {
        "severity": "major",
        "owner": one.owner,
        "due": one.due.isoformat(),
        "text": "Typed wrongly.",
        "change": "yes",
    }
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


FORMS = [one for one in vars(audit_forms).values() if isinstance(one, type) and issubclass(one, forms.Form)]


@pytest.mark.parametrize("kind", FORMS, ids=lambda kind: kind.__name__)
def test_what_is_needed_bears_a_mark_and_nothing_else_does(kind: type[forms.Form]) -> None:
    made = {"OpeningForm": lambda: kind([]), "PackageForm": lambda: kind([]), "VisitForm": lambda: kind({})}  # type: ignore[arg-type]
    form = made.get(kind.__name__, kind)()
    form.renderer = Renderer()
    for field in form.visible_fields():
        marked = 'class="needed"' in field.as_field_group()
        assert marked == (field.field.required and field.widget_type != "checkbox"), field.name


def test_forms_written_by_hand_bear_it_too(cast: Cast) -> None:
    fill_custody(cast)
    owner = cast.client()
    text = owner.get(reverse("custody_key", args=(cast.mill.handle,))).content.decode()
    for name in ("new", "again"):
        assert re.search(rf'<label for="{name}">[^<]*</label> <span class="needed">', text), name
