"""The work program on its page: the work first, windows that are over folded away, a note in a row of its own."""

import re
from datetime import date, timedelta

import pytest
from django.urls import reverse

from provender.audit.programme import DUTY, TASK, Visit
from provender.database.actor import today
from provender.services.audits.programme import Mark, items_of, mark_lines, marks_of
from tests.web.cast import Cast


def visit(name: str, first: date, last: date) -> Visit:
    return Visit(name, name, first, last, "suggestion", ())


def page_of(cast: Cast) -> str:
    where = reverse("audit_work", args=(cast.verifier.handle, cast.audit.handle))
    return cast.client("verifier_in").get(where).content.decode()


def test_windows_that_are_over_are_folded_away(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    day, week = today(), timedelta(days=7)
    windows = [
        visit("Past", day - 2 * week, day - week),
        visit("Open", day - week, day),
        visit("Ahead", day, day + week),
    ]
    monkeypatch.setattr("provender.services.audits.programme.items_of", lambda audit: (items_of(audit)[0], windows))
    section = page_of(cast).partition('id="seasons"')[2].partition("</section>")[0]
    shown, folded = section.split('<details class="fold">')
    assert [name for name in ("Past", "Open", "Ahead") if name in shown] == ["Open", "Ahead"]
    assert "1 window, over" in folded
    assert "Past" in folded


def test_a_note_has_a_row_of_its_own(cast: Cast) -> None:
    task = next(item for item in items_of(cast.audit)[0] if item.kind == TASK)
    mark_lines(cast.audit, task, Mark.DONE, "Bins measured " * 20, "photo 7", actor=cast.actor("verifier_in"))
    page = page_of(cast)
    state = re.search(r'<p class="line-state">(?:(?!</p>).)*Done.*?</p>', page, re.DOTALL)
    assert state is not None
    assert "Bins measured" not in state[0]
    assert re.search(r'<p class="line-note">(Bins measured ?){20} \(photo 7\)', page)


@pytest.mark.parametrize("kind", [TASK, DUTY])
def test_a_line_that_is_refused_stands_open_with_what_was_typed_and_why_beside_it(cast: Cast, kind: str) -> None:
    item = [one for one in items_of(cast.audit)[0] if one.kind == kind][1]
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
