"""A verifier sees on every level what comes next, in the same count and with days that are told apart."""

import re
from html import unescape

from django.urls import reverse
from django.utils.formats import date_format

from provender.audit.findings import Deed
from provender.audit.programme import TASK
from provender.database.actor import today
from provender.database.models import EntryKind
from provender.services.audits.findings import add_finding_event, raise_finding
from provender.services.audits.programme import Mark, items_of, mark_lines
from provender.services.audits.standing import NEXT, SENTENCES, AuditStep, next_step, steps_of, verifier_steps
from provender.services.audits.statement import lines_answered
from provender.web.audit.pages.audits import PAGES
from tests.web.cast import Cast


def text_of(cast: Cast, where: str, part: str = "verifier_in") -> str:
    page = cast.client(part).get(where).content.decode().partition("<main")[2]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def of_audit(cast: Cast) -> str:
    return reverse("audit", args=(cast.verifier.handle, cast.audit.handle))


def test_the_first_step_that_is_not_done_comes_next() -> None:
    steps = [AuditStep(step="Engagement", stands="said", done=True), AuditStep(step="Statement", stands="", done=None)]
    assert next_step(steps) == steps[1]
    assert next_step(steps[:1]) is None
    assert list(NEXT) == list(PAGES), "every step says what is done in it"


def test_what_is_under_way_comes_before_what_is_to_begin_and_the_statement_last() -> None:
    said: dict[str, bool | None] = {"Engagement": None, "Work program": False, "Findings": False, "Statement": False}
    steps = [AuditStep(step=name, stands="", done=done) for name, done in said.items()]
    assert next_step(steps) == steps[1]
    assert next_step([steps[0], *steps[2:]]) == steps[0], "no statement is signed without an engagement"
    unraised = [AuditStep(step="Findings", stands="none", done=None), steps[3]]
    assert next_step(unraised) == steps[3], "what nobody raised waits for nothing"


def test_the_latest_of_an_audit_are_sentences(cast: Cast) -> None:
    task = next(item for item in items_of(cast.audit)[0] if item.kind == TASK)
    mark_lines(cast.audit, task, Mark.DONE, "Bins measured", actor=cast.actor("verifier_in"))
    said = {"resolution": "corrected", "bearing": "no misstatement", "text": "It came in."}
    add_finding_event(cast.audit, Deed.RESOLVED, "1", said, actor=cast.actor("verifier_in"))
    page = text_of(cast, of_audit(cast))
    assert "A line of the work program was marked done: Bins measured" in page
    assert "Finding 1 was resolved: It came in." in page
    assert "Finding 1 was raised: " in page
    assert SENTENCES.keys() == set(EntryKind), "nothing that happens is without words"


def test_lines_are_counted_of_how_many_as_the_statement_counts_them(cast: Cast) -> None:
    items = items_of(cast.audit)[0]
    task = next(item for item in items if item.kind == TASK)
    mark_lines(cast.audit, task, Mark.DONE, "Bins measured", actor=cast.actor("verifier_in"))
    assert f"1 of {len(items)} lines answered" in text_of(cast, of_audit(cast))
    mark_lines(cast.audit, task, Mark.OPEN, "Again", actor=cast.actor("verifier_in"))
    assert lines_answered(cast.audit) == []
    (work,) = (step for step in steps_of(cast.audit, today()) if step.step == "Work program")
    assert work.stands == "to begin", "a line that was opened again is not answered"


def test_a_verifiers_home_begins_with_open_audits(cast: Cast) -> None:
    home = text_of(cast, reverse("home"))
    agreed = date_format(cast.audit.due_on, "DATE_FORMAT")
    said = f"Audit {cast.audit.audited} The statement is agreed for {agreed}. {NEXT['Engagement']}"
    assert said in home
    assert home.index(said) < home.index("Open to you as verifier")
    assert "Your open audits" not in text_of(cast, reverse("home"), "owner")
    assert [step.why for step in verifier_steps(cast.verifier, today())][-1] in said


def test_the_work_program_counts_its_open_lines_by_section_and_leads_to_the_first(cast: Cast) -> None:
    where = reverse("audit_work", args=(cast.verifier.handle, cast.audit.handle))
    items = items_of(cast.audit)[0]
    tasks = [item for item in items if item.kind == TASK]
    assert f"{len(items)} of {len(items)} lines open" in text_of(cast, where)
    mark_lines(cast.audit, tasks[0], Mark.DONE, "Bins measured", actor=cast.actor("verifier_in"))
    assert f"{len(items) - 1} of {len(items)} lines open" in text_of(cast, where)
    assert f"For people, {len(tasks) - 1} of {len(tasks)}" in text_of(cast, where)
    page = cast.client("verifier_in").get(where).content.decode()
    assert f'href="#line-{tasks[1].line}"' in page
    assert f'id="line-{tasks[1].line}"' in page
    assert f'href="#line-{tasks[0].line}"' not in page, "it is answered"


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
    (step,) = (one for one in verifier_steps(cast.verifier, today()) if one.words == words)
    assert (
        cast.client("verifier_in").get(reverse(step.page, args=(cast.verifier.handle, *step.about))).status_code == 200
    )
    assert words in text_of(cast, reverse("home"))
    assert words in text_of(cast, reverse("organisation", args=(cast.verifier.handle,)))
    add_finding_event(
        cast.audit,
        Deed.RESOLVED,
        finding.number,
        {"resolution": "corrected", "bearing": "no misstatement", "text": "Seen"},
        actor=verifier,
    )
    assert words not in text_of(cast, reverse("home"))
