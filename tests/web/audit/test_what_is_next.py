"""A verifier sees on every page what comes next: days told apart, steps, open lines, what a statement still needs."""

import re
from datetime import timedelta
from html import unescape
from typing import Final

import pytest
from django.test import Client
from django.urls import reverse

from provender.audit.findings import Deed
from provender.audit.programme import DUTY, TASK
from provender.audit.programme import Role as AuditRole
from provender.audit.sampling.draw import commitment
from provender.audit.sampling.population import FarmCrop, freeze
from provender.database.actor import today
from provender.database.models.audits import Audit
from provender.services.audits import standing, statement
from provender.services.audits.audits import LineMark, Mark, Opening, open_audit
from provender.services.audits.programme import add_finding_event, items_of, mark_line, marks_of, raise_finding
from provender.services.audits.statement import lines_answered
from provender.services.dashboard import endings
from provender.web.audit.forms import PAGES
from tests.web import cast as people
from tests.web.cast import Cast
from tests.web.custody_season import fill_custody

pytestmark = pytest.mark.django_db


def text_of(cast: Cast, where: str, part: str = "verifier_in") -> str:
    page = cast.client(part).get(where).content.decode().partition("<main")[2]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def of_audit(cast: Cast) -> str:
    return reverse("audit", args=(cast.verifier.handle, cast.audit.handle))


def test_the_first_step_not_done_comes_next_what_is_under_way_first_the_statement_last() -> None:
    steps = [
        standing.AuditStep(step="Engagement", stands="said", done=True),
        standing.AuditStep(step="Statement", stands="", done=None),
    ]
    assert standing.next_step(steps) == steps[1]
    assert standing.next_step(steps[:1]) is None
    assert list(standing.NEXT) == list(PAGES), "every step says what is done in it"
    said: dict[str, bool | None] = {"Engagement": None, "Work program": False, "Findings": False, "Statement": False}
    steps = [standing.AuditStep(step=name, stands="", done=done) for name, done in said.items()]
    assert standing.next_step(steps) == steps[1]
    assert standing.next_step([steps[0], *steps[2:]]) == steps[0], "no statement is signed without an engagement"
    unraised = [standing.AuditStep(step="Findings", stands="none", done=None), steps[3]]
    assert standing.next_step(unraised) == steps[3], "what nobody raised waits for nothing"
    assert len(statement.WHERE) == sum(len(codes) for codes in statement._BY_CODE.values()), (
        "no code leads to two pages"
    )


def test_lines_are_counted_as_the_statement_does_and_an_audit_of_a_farm_has_no_yearly_day(cast: Cast) -> None:
    items = items_of(cast.audit)
    task = next(item for item in items if item.kind == TASK)
    mark_line(cast.audit, task, LineMark(state=Mark.DONE, note="Bins measured"), actor=cast.actor("verifier_in"))
    assert f"1 of {len(items)} lines answered" in text_of(cast, of_audit(cast))
    mark_line(cast.audit, task, LineMark(state=Mark.OPEN, note="Again"), actor=cast.actor("verifier_in"))
    assert lines_answered(cast.audit) == []
    (work,) = (step for step in standing.steps_of(cast.audit, today()) if step.step == "Work program")
    assert work.stands == "to begin", "a line that was opened again is not answered"
    assert not standing.late_said(cast.audit, standing.cycle_of(cast.farm, today()))


def test_an_answer_to_a_finding_is_told_where_a_verifier_looks_first(cast: Cast) -> None:
    verifier, party = cast.actor("verifier_in"), cast.actor("owner")
    said = {
        "severity": "minor", "cite": "2100.051(c)(3)", "subject": "G70", "text": "No paper", "owner": str(cast.farm),
        "due": today().isoformat(),
    }  # fmt: skip
    finding = raise_finding(cast.audit, said, actor=verifier)
    words = f"Judge the answer to finding {finding.number}: G70: No paper"
    assert words not in text_of(cast, reverse("home"))
    add_finding_event(cast.audit, Deed.RESPONDED, finding.number, {"text": "Here it is", "evidence": ""}, actor=party)
    (step,) = (one for one in standing.verifier_steps(cast.verifier, today()) if one.words == words)
    assert (
        cast.client("verifier_in").get(reverse(step.page, args=(cast.verifier.handle, *step.about))).status_code == 200
    )
    assert words in text_of(cast, reverse("home"))
    assert words in text_of(cast, reverse("organisation", args=(cast.verifier.handle,)))
    add_finding_event(
        cast.audit,
        Deed.RESOLVED,
        finding.number,
        {"resolution": "corrected", "bearing": "no misstatement", "text": "Seen on paper"},
        actor=verifier,
    )
    assert words not in text_of(cast, reverse("home"))


LATE: Final = 22


@pytest.fixture
def audit(cast: Cast) -> Audit:
    """Open an audit of the mill, which owes a statement every year."""
    fill_custody(cast)
    last, day = standing.cycle_of(cast.mill, today()).due_on, timedelta(days=1)
    assert last is not None
    opening = Opening(
        role=AuditRole.FIRST_POINT, number="V-2", harvest_year=today().year - 1, covered_first=today() - 30 * day,
        covered_last=today() - day, due_on=last + LATE * day,
    )  # fmt: skip
    return open_audit(cast.verifier, cast.mill, opening, actor=cast.actor("verifier_in"))


def test_days_after_the_last_one_by_the_rule_are_counted_and_an_agreed_day_is_told_from_it(audit: Audit) -> None:
    assert standing.state_of(audit, audit.due_on + timedelta(days=1)) == "Past the agreed day"
    assert standing.state_of(audit, audit.due_on) == "Agreed day is near"
    cycle = standing.cycle_of(audit.audited, today())
    assert cycle.due_on is not None
    for apart, late in ((-1, ""), (0, ""), (1, "1 day after"), (22, "22 days after")):
        audit.due_on = cycle.due_on + timedelta(days=apart)
        assert standing.late_said(audit, cycle).partition(" the rule")[0] == late
    said = {0: "today", 1: "1 day from now", 12: "12 days from now", -1: "1 day ago", -3: "3 days ago"}
    for apart, words in said.items():
        audit.due_on = today() + timedelta(days=apart)
        assert standing.agreed_said(audit, today()) == f"{standing.day_said(audit.due_on)}, {words}"


def test_the_overview_of_the_audited_names_each_day_and_none_stands_for_another(cast: Cast, audit: Audit) -> None:
    """Within sixty days three days stand beside each other: agreed, by the rule, last one covered."""
    due = standing.cycle_of(cast.mill, today()).due_on
    assert due is not None
    near = due - timedelta(days=10)
    found = {one.what: one.last for one in endings(cast.mill, near)}
    assert found["Your yearly statement: due by the rule"] == due
    assert found[f"Audit by {cast.verifier}: statement agreed for"] == audit.due_on
    assert not [what for what in found if "tatement" in what and ":" not in what]


@pytest.mark.parametrize(("opinion", "told"), [("favourable", "Stated: favorable"), ("adverse", "Stated: adverse")])
def test_a_signed_opinion_is_said_alike(cast: Cast, monkeypatch: pytest.MonkeyPatch, opinion: str, told: str) -> None:
    signed = {"document": {"opinion": opinion}}
    monkeypatch.setattr("provender.services.audits.audits.statement_of", lambda _: signed)
    assert standing.state_of(cast.audit, cast.audit.due_on) == told


@pytest.mark.slow
@pytest.mark.parametrize("kind", [TASK, DUTY])
def test_a_line_that_is_refused_stands_open_with_what_was_typed_and_why_beside_it(cast: Cast, kind: str) -> None:
    item = [one for one in items_of(cast.audit) if one.kind == kind][1]
    where = reverse("audit_work", args=(cast.verifier.handle, cast.audit.handle))
    sent = {"line": item.line, "state": str(Mark.DONE), "note": "", "evidence": "photo 7 of the bins"}
    page = cast.client("verifier_in").post(where, sent).content.decode()
    assert marks_of(cast.audit) == {}
    line = page.partition(f'id="line-{item.line}"')[2].partition("</li>")[0]
    assert f'id="id_{item.line}_note_error"' in line, "the refusal stands beside the field"
    assert "photo 7 of the bins" in line
    assert re.search(r'<option value="done" selected>', line)
    assert "<details open>" in line
    assert page.count("photo 7 of the bins") == 1, "no other line has it"
    folded = page.partition(f'id="line-{item.line}"')[0].rpartition('<details class="fold"')[2]
    assert folded.startswith(" open>"), "the group of the line is open too"
    assert f'href="#line-{item.line}"' in page
    saved = cast.client("verifier_in").post(where, {**sent, "note": "Seven bins"})
    assert saved.status_code == 302
    assert marks_of(cast.audit)[item.line].said["note"] == "Seven bins"


PART = "a text of the mill's own that nobody guesses"


@pytest.fixture
def seeded(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Audit:
    rows = [FarmCrop(f"farm-{at}", "soybeans", "17019", 1_000_000 * at, 500_000, 80_000) for at in range(1, 10)]
    monkeypatch.setattr("provender.services.audits.audits.population_from_lots", lambda _: freeze(rows))
    by = cast.actor("verifier_in")
    return people.open_audit(cast.verifier, cast.mill, AuditRole.FIRST_POINT, actor=by, number="V-seed")


def offered(client: Client, where: str) -> set[str]:
    page = client.get(where).content.decode()
    return {name for name in ("commitment", "secret", "seed") if f'name="{name}"' in page}


def test_a_commitment_is_offered_while_it_counts_and_an_opening_where_there_is_one(cast: Cast, seeded: Audit) -> None:
    vic, mill = cast.client("verifier_in"), cast.client("owner")
    its = reverse("audit_sample", args=(cast.verifier.handle, seeded.handle))
    ours = reverse("audit_of_us", args=(cast.mill.handle, seeded.handle))
    assert (offered(vic, its), offered(mill, ours)) == ({"commitment"}, {"commitment"})
    assert mill.post(ours, {"commitment": commitment(PART)}).status_code == 302
    assert vic.post(its, {"do": "freeze"}).status_code == 302
    assert offered(mill, ours) == {"commitment", "secret"}
    assert mill.post(ours, {"secret": PART}).status_code == 302
    assert offered(mill, ours) == set(), "its part is open: what is drawn from these farms stands"
    assert offered(vic, its) == {"seed"}
    assert vic.post(its, {"do": "draw"}).status_code == 302
    assert (offered(vic, its), offered(mill, ours)) == (set(), set())
    assert "are drawn" in mill.get(ours).content.decode()
