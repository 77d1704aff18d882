"""The attempts of ``tests/audit/test_opinion_attempts.py`` by the API and on pages: each is refused with the reason."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from provender.audit.programme import NotNeeded, reasons_for
from provender.database.models.accounts import Person
from provender.database.models.audits import Audit, EntryKind
from provender.demo.cast import VERIFIER
from provender.services.audits.audits import add_entry
from provender.services.audits.programme import items_of
from provender.services.audits.records import entries
from tests.web.audit.test_api import OPENING, WORDS, Program, audit, coop, day, demo, drawn, opened, vic
from tests.web.audit.test_story import by_vic

__all__ = ["audit", "coop", "demo", "drawn", "vic"]

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("demo")]

FAVORABLE = {**WORDS, "opinion": "favourable"}
SEEN = {"way": "visit", "on": day(0), "by": "Vic", "seen": "Bins and scale."}
FINDING = {
    "severity": "major", "cite": "2100.034(d)", "subject": "stock", "text": "Stock was not measured.",
    "owner": "Somebody", "due": day(9),
}  # fmt: skip
DRAFTS: dict[str, tuple[dict[str, Any], str]] = {
    "1 no sample": ({}, "no_sample"),
    "3 lines left open": ({}, "line_unanswered"),
    "3 no site": ({}, "no_site_seen"),
    "3 materiality 99 %": ({"materiality_pct": "99"}, "materiality_too_large"),
    "3 materiality 5.001 %": ({"materiality_pct": "5.001"}, "materiality_too_large"),
    "3 materiality 0": ({"materiality_pct": "0"}, "no_materiality"),
    "3 criteria without the rule": ({"criteria": ["ISO 14064-3"]}, "rule_not_named"),
    "3 criteria of a word": ({"criteria": ["ours"]}, "says_nothing"),
    "3 objectives of a word": ({"objectives": "Verify"}, "says_nothing"),
    "3 a basis of a word": ({"basis": "Fine"}, "says_nothing"),
    "5 no engagement": ({}, "no_engaged_on"),
    "7 no package": ({}, "no_package"),
}


@pytest.fixture
def client(demo: object) -> Client:
    found = Client()
    found.force_login(Person.objects.get(email="vic@verifier.example"))
    return found


def of(address: str) -> Audit:
    return Audit.objects.get(handle=address.rpartition("/")[2])


@pytest.mark.parametrize("what", DRAFTS)
def test_a_favorable_draft_is_refused_by_the_api_and_on_its_page(
    what: str, vic: Program, client: Client, audit: str
) -> None:
    changes, code = DRAFTS[what]
    told = vic.does(f"{audit}/statement/draft", {**FAVORABLE, **changes}, 409)["problems"]
    (cause, *_) = [one["cause"] for one in told if one["code"] == code] or [""]
    assert cause, {one["code"] for one in told}
    said = {**FAVORABLE, **changes}
    sent = {**said, "criteria": "\n".join(said["criteria"])}
    page = client.post(reverse("audit_statement", args=(VERIFIER, of(audit).handle)), sent).content.decode()
    assert "error" in page
    assert not entries(of(audit), EntryKind.DRAFT)


def test_3_a_line_is_spared_for_a_reason_of_its_own(vic: Program, client: Client, audit: str) -> None:
    page = reverse("audit_work", args=(VERIFIER, of(audit).handle))
    for item in items_of(of(audit)):
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


FACTS: dict[str, tuple[Callable[[dict[str, Any]], dict[str, Any]], str]] = {
    "1 another population": (lambda facts: {"supplied": facts["supplied"][:1]}, "other_population"),
    "2 a refiner": (lambda _: {"roles": ["biofuel refiner"]}, "other_role"),
    "2 a processor besides": (lambda facts: {"roles": [*facts["roles"], "processor"]}, ""),
    "3 another site": (lambda _: {"sites": ["moon"]}, "other_site"),
    "5 ahead of the clock": (lambda _: {"made_on": day(1)}, "ahead_of_clock"),
    "5 made before the freeze": (lambda _: {"made_on": "2020-01-01"}, "days_out_of_order"),
    "7 other days": (lambda _: {"last": "2020-01-01"}, "package_of_other_days"),
}


def result(audit: Audit, **changes: Any) -> None:  # noqa: ANN401 - facts of a package
    """Enter a recomputation whose package shows some of the audit otherwise."""
    from provender.services.audits.records import population_of

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


@pytest.mark.parametrize("what", FACTS)
def test_what_the_recomputed_package_shows_is_held_against_the_draft(
    what: str, vic: Program, client: Client, drawn: str
) -> None:
    of_audit = of(drawn)
    vic.does(f"{drawn}/visits", {**SEEN, "site": "north"})
    changed, code = FACTS[what]
    result(of_audit)
    honest = {one["code"] for one in vic.reads(f"{drawn}/statement/needs")}
    assert code not in honest
    rows = entries(of_audit, EntryKind.RESULT)[-1].said["facts"]
    lines = len(items_of(of_audit))
    result(of_audit, **changed(rows))
    told = vic.reads(f"{drawn}/statement/needs")
    assert code in {one["code"] for one in told} | {""}
    if not code:
        assert len(items_of(of_audit)) > lines, "the lines of the other role are asked too"
    page = client.get(reverse("audit_statement", args=(VERIFIER, of_audit.handle))).content.decode()
    assert all(one["cite"] in page for one in told if one["code"] == code)


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
