"""A day in a sentence of ours is written on every page as pages write days; what shows how to type one stays."""

import re
from pathlib import Path
from typing import Final

from django import forms
from django.template.loader import render_to_string
from django.urls import reverse

import provender.web
from provender.problem import Place, ProblemsError, refuse
from provender.records.kind import KINDS
from provender.services.farm.book import Edit, change_book, farm_book_of
from provender.web.inputs import attempt
from provender.web.signing_pages import answered
from provender.web.tables import days_said
from tests.web.cast import Cast
from tests.web.farm_season import fill_season

TEMPLATES: Final = Path(provender.web.__file__).parent / "templates"
SENTENCES: Final = re.compile(
    r"\{\{ (?:\w+\.)*(?:cause|remedy|says|error|changes|gap|warning|against|observed|limit)\b[^}]*\}\}"
    r"|\{\{ (?:step|thing|part|one)\.(?:why|words)\b[^}]*\}\}"
)
NUMBERS: Final = frozenset({("farm/imports.html", "limit")})


def test_no_template_shows_a_sentence_without_its_days() -> None:
    bare = [
        (str(path.relative_to(TEMPLATES)), found)
        for path in sorted(TEMPLATES.rglob("*.html"))
        for found in SENTENCES.findall(path.read_text(encoding="utf-8"))
        if "|days" not in found
    ]
    assert {(name, re.sub(r"[{} ]", "", found)) for name, found in bare} <= NUMBERS


def test_a_day_that_shows_how_to_type_one_stays() -> None:
    typed = "Write year-month-day, such as 2026-05-14."
    assert days_said(typed) == typed
    line = "Line 1, 'x': write it like T-1001, 950.25, 2026-10-05"
    assert days_said(line) == line, "as a line that is read by its commas"
    assert days_said("The day 2026-05-14 is later.") == "The day May 14, 2026 is later."


def test_refusals_in_a_form_on_a_page_and_of_a_signature_say_days_as_pages_do() -> None:
    def refused() -> dict[str, object]:
        raise refuse("row", "The harvest of 2025-10-01 is signed.", "Look at 2025-10-02.")

    class OneForm(forms.Form):
        template_name = "forms/form.html"
        day = forms.CharField(required=False)

    form = OneForm({})
    assert form.is_valid()
    attempt(form, refused)
    page = render_to_string("errors/refused.html", {"problems": _problems(refused)})
    for text in (form.render(), page, answered(refused).content.decode()):
        assert "Oct 1, 2025" in text
        assert "Oct 2, 2025" in text
        assert "2025-10-0" not in text


def _problems(deed: object) -> list[object]:
    try:
        deed()  # type: ignore[operator]
    except ProblemsError as refused:
        return list(refused.problems)
    return [Place("none")]


def test_putting_a_day_back_says_both_days_as_pages_do(cast: Cast) -> None:
    fill_season(cast)
    kind, key = KINDS["operation"], "N40-01"
    texts = farm_book_of(cast.farm).texts(kind, key) or {}
    version = farm_book_of(cast.farm).version
    edit = Edit(kind.name, key, {**texts, "day": "2024-10-01"})
    change_book(cast.book, [edit], reason="typed", actor=cast.actor("owner"))
    where = f"{reverse('farm_row_put_back', args=(cast.farm.handle, kind.name))}?row={key}&version={version}"
    page = cast.client().get(where).content.decode()
    assert f"Oct 1, 2024 → {days_said(texts['day'])}" in page
    assert "2024-10-01" not in page
