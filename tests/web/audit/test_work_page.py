"""The work program on its page: the work first, windows that are over folded away, a note in a row of its own."""

import re
from datetime import date, timedelta

import pytest
from django.urls import reverse

from provender.audit.programme.calendar import Visit
from provender.audit.programme.items import TASK
from provender.database.actor import today
from provender.services.audits.programme import Mark, items_of, mark_lines
from provender.web.audit.pages import programme
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
    monkeypatch.setattr(programme, "items_of", lambda audit: (items_of(audit)[0], windows))
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
