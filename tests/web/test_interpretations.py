"""Citations on a page lead to the page of the interpretation, which says all that the page of the docs says."""

from html import unescape
from pathlib import Path
from re import findall, sub
from typing import Final

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from provender.rule.paragraphs import interpretation
from provender.web.templatetags.page import cited, prose
from tests.web.cast import Cast
from tests.web.custody_season import opened_mill

PAGES: Final = sorted((Path(__file__).parents[2] / "docs" / "interpretations").glob("0*.md"))


def words(text: str) -> list[str]:
    """Return the letters and numbers of a text, without its marks."""
    return findall(r"\w+", sub(r"[`*]", "", text))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_nothing_of_an_interpretation_is_lost(path: Path) -> None:
    shown = interpretation(int(path.name[:4]))
    assert shown is not None
    texts = [item for section in shown.sections for block in section.blocks for item in (section.heading, *block.items)]
    every = set(words(" ".join((f"{shown.number:04d}", shown.title, *texts))))
    assert every == set(words(path.read_text(encoding="utf-8")))


def test_there_is_no_interpretation_of_another_number() -> None:
    assert interpretation(0) is None
    assert interpretation(len(PAGES) + 1) is None


def test_a_citation_is_a_link_and_everything_else_is_escaped() -> None:
    text = cited("<b> as interpretations 43 and 44 say, 2100.034(b)")
    assert text.startswith("&lt;b&gt; as interpretations <a href=")
    assert text.count("<a ") == 2
    assert cited("(Interpretation 43).") == f"({cited('Interpretation 43')})."
    assert cited("Interpretation 43").startswith("<a ")
    assert unescape(strip_tags(text)) == "<b> as interpretations 43 and 44 say, 2100.034(b)"


def test_marks_are_drawn() -> None:
    assert prose("*so*, **not** `a_b`") == "<em>so</em>, <strong>not</strong> <code>a_b</code>"


def test_a_form_leads_to_what_it_cites(cast: Cast) -> None:
    client = cast.client("owner")
    form = client.get(reverse("custody_enter", args=(opened_mill(cast), "period"))).content.decode()
    address = reverse("interpretation", args=[43])
    assert f'<a href="{address}">43</a>' in form  # of two that are cited together
    page = client.get(address)
    assert "A period is declared before it begins." in unescape(page.content.decode())
    assert client.get(reverse("interpretation", args=[900])).status_code == 404
