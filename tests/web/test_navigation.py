"""The menu says where one is, links open, whoever only reads is offered no deed, citations lead on; American words."""

import ast
import json
import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path
from re import findall, sub
from typing import Final
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from django.conf import settings
from django.test import Client
from django.urls import resolve, reverse
from django.utils.html import strip_tags

import provender
from provender.rule.paragraphs import interpretation
from provender.web.navigation import ICONS, LINKS, SLOTS
from provender.web.templatetags.page import cited, prose
from provender.web.urls import api
from tests.rows import CaseRows
from tests.web.cast import Cast
from tests.web.custody_season import fill_custody, opened_mill
from tests.web.farm_season import fill_season
from tests.web.test_everyone_at_every_address import ANSWERS

ROWS: Final = CaseRows(__file__)

FILES = {
    "audit_of_us_later", "audit_of_us_statement", "audit_package_file", "audit_package_progress", "audit_sample_file",
    "audit_statement_file", "audit_work_file", "custody_manual", "farm_exchange_file", "farm_field_book",
    "farm_import_progress", "farm_report_file", "farm_slip_file", "farm_template",
}  # fmt: skip
"""Addresses whose GET is no page of its own."""


def test_every_page_stands_under_an_entry_and_every_entry_has_a_drawing() -> None:
    rooms = ("farm", "custody", "audit")
    pages = {
        name for (name, method), given in ANSWERS.items()
        if method == "GET" and name.startswith(rooms) and "405" not in given
    }  # fmt: skip
    under = {view for link in LINKS for view in (link.view, *link.also)}
    assert pages - FILES - under == set()
    assert not under & FILES
    assert {link.icon for link in LINKS} <= set(ICONS)
    assert set(SLOTS) <= {link.view for link in LINKS}


def test_the_entry_of_a_page_is_marked_and_a_form_leads_to_what_it_cites(cast: Cast) -> None:
    verifier = cast.client("verifier_in")
    for name in ("audit_engagement", "audit_statement", "audit_key"):
        more = () if name == "audit_key" else (cast.audit.handle,)
        page = verifier.get(reverse(name, args=(cast.verifier.handle, *more)))
        assert [one.label for group in page.context["menu"] for one in group.entries if one.current] == ["Audits"], name
    page = cast.client().get(reverse("farm_todo", args=(cast.farm.handle,)))
    for entries in (page.context["bar"], [one for group in page.context["menu"] for one in group.entries]):
        assert [one.label for one in entries if one.current] == ["To do"]
    client = cast.client("owner")
    form = client.get(reverse("custody_enter", args=(opened_mill(cast), "period"))).content.decode()
    address = reverse("interpretation", args=[43])
    assert f'<a href="{address}">43</a>' in form  # of two that are cited together
    page = client.get(address)
    assert "A period is declared before it begins." in unescape(page.content.decode())
    assert client.get(reverse("interpretation", args=[900])).status_code == 404


def test_the_frame_of_a_page_takes_no_name_that_a_page_gives() -> None:
    """What it keeps under a name would stand in the place of the page's own."""
    frame = (Path(settings.TEMPLATES[0]["DIRS"][0]) / "base.html").read_text(encoding="utf-8")
    assert re.findall(r" as (\w+) %\}", frame) == ["printed_on"]


OWN = frozenset({"account_logout", "account", "account_sessions"})
"""What is the reader's own: these forms are for everybody."""
SEVERAL = 1
"""Pages of one kind that are opened."""


class Offered(HTMLParser):
    """The links and the forms of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.deeds: list[str] = []
        self.form = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag == "a" and said.get("href"):
            self.links.append(str(said["href"]))
        if tag == "form":
            self.form = (said.get("action") or "?") if (said.get("method") or "").lower() == "post" else ""
        if self.form and tag == "button" and said.get("type", "submit") == "submit":
            self.deeds.append(self.form)


def walk(client: Client, start: str) -> Iterator[tuple[str, str, int]]:
    """Yield for every page in reach, some of a kind, what it offers: where it stands, what it is, the answer."""
    waiting, seen, opened = [("", start)], {start}, dict[str, int]()
    while waiting:
        before, where = waiting.pop(0)
        name = resolve(urlsplit(where).path).view_name
        if opened.get(name, 0) >= SEVERAL or name in {"account_logout", "field"}:
            continue
        opened[name] = opened.get(name, 0) + 1
        answer = client.get(where)
        yield before, where, answer.status_code
        if answer.streaming:
            b"".join(answer.streaming_content)  # type: ignore[attr-defined]  # whose end closes the file
        elif answer.status_code == 200 and "text/html" in answer.headers["Content-Type"]:
            yield from offered_by(answer.content.decode(), where, client, seen, waiting)


def offered_by(
    page: str, where: str, client: Client, seen: set[str], waiting: list[tuple[str, str]]
) -> Iterator[tuple[str, str, int]]:
    """Put the links of a page among what waits, and yield the answer to each deed that it offers."""
    offered = Offered(page)
    for deed in offered.deeds:
        to = where if deed == "?" else urljoin(where, deed)
        if resolve(urlsplit(to).path).view_name not in OWN:
            yield where, f"POST {to}", client.post(to).status_code
    for link in offered.links:
        to = urldefrag(urljoin(where, link))[0]
        if to.startswith("/") and to not in seen:
            seen.add(to)
            waiting.append((where, to))


@pytest.mark.slow
def test_whoever_only_reads_is_shown_nothing_that_is_refused(cast: Cast) -> None:
    fill_season(cast)
    fill_custody(cast)
    for part in ("reader", "verifier_in"):
        found = list(walk(cast.client(part), reverse("organisation", args=(cast.farm.handle,))))
        assert len(found) > 20, "the walk reaches the pages"
        assert [one for one in found if one[2] >= 400] == [], part


PAGES: Final = sorted((Path(__file__).parents[2] / "docs" / "interpretations").glob("0*.md"))


def letters(text: str) -> list[str]:
    """Return the letters and numbers of a text, without its marks."""
    return findall(r"\w+", sub(r"[`*]", "", text))


@pytest.mark.slow
def test_nothing_of_an_interpretation_is_lost() -> None:
    for path in PAGES:
        shown = interpretation(int(path.name[:4]))
        assert shown is not None
        blocks = [(section.heading, *block.items) for section in shown.sections for block in section.blocks]
        every = letters(" ".join((path.name[:4], shown.title, *chain.from_iterable(blocks))))
        assert set(every) == set(letters(path.read_text(encoding="utf-8"))), path.name


def test_a_citation_is_a_link_and_everything_else_is_escaped_or_drawn() -> None:
    text = cited("<b> as interpretations 43 and 44 say, 2100.034(b)")
    assert text.startswith("&lt;b&gt; as interpretations <a href=")
    assert text.count("<a ") == 2
    assert cited("(Interpretation 43).") == f"({cited('Interpretation 43')})."
    assert cited("Interpretation 43").startswith("<a ")
    assert unescape(strip_tags(text)) == "<b> as interpretations 43 and 44 say, 2100.034(b)"
    assert prose("*so*, **not** `a_b`") == "<em>so</em>, <strong>not</strong> <code>a_b</code>"
    assert interpretation(0) is None
    assert interpretation(len(PAGES) + 1) is None


BRITISH: Final = re.compile(
    r"\b(?:organisation|programme|favourabl|colour|labour|recognis|authoris|neighbour|behaviour|catalogue|licence|honour"
    r"|judgement|enrolment|fulfil\b|fulfils\b|cancell(?:ed|ing)|travell|labell|modell|centre|litre|analys(?:e|ed|ing)\b"
    r"|organis|realis|summaris|standardis|normalis|minimis|maximis|prioritis|specialis|plough|sulph|fibre|grey\b|whilst"
    r"|amongst|learnt|spelt\b|practis|defence|offence|ageing|cheque|artefact|acknowledgement|metres?\b|kilometre)\w*",
    re.IGNORECASE,
)
KNOWN: Final = ROWS.table("KNOWN")
"""What is spelled otherwise, and why."""


def spoken() -> Iterator[tuple[str, str]]:
    """Yield place and text of every sentence that the program says or signs.

    No docstrings but those of commands, which are their help, and no names of its own.
    """
    root = Path(provender.__file__).parent
    for path in sorted(file for file in root.rglob("*.py") if "migrations" not in file.parts):
        tree = ast.parse(path.read_text("utf-8"))
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        if "cli" in path.relative_to(root).parts:
            decorated = (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) and one.decorator_list)
            told -= {id(one.body[0].value) for one in decorated if isinstance(one.body[0], ast.Expr)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in told:
                continue
            if (" " in node.value.strip() or node.value[:1].isupper()) and not node.value.startswith("INSERT "):
                yield f"{path.relative_to(root)}:{node.lineno}", node.value


@pytest.mark.slow
def test_sentences_of_every_room_are_american() -> None:
    sentences = [(where, text) for where, text in spoken() if text not in KNOWN]
    assert len(sentences) > 4_000
    assert [(where, text) for where, text in sentences if BRITISH.search(text)] == []


def described(node: object) -> Iterator[str]:
    """Yield the prose of the description: summaries, descriptions, titles."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name in {"summary", "description"} and isinstance(value, str):
                yield value
            else:
                yield from described(value)
    elif isinstance(node, list):
        for one in node:
            yield from described(one)


@pytest.mark.slow
def test_the_description_of_the_api_is_american() -> None:
    prose = list(described(json.loads(json.dumps(api.get_openapi_schema(), default=str))))
    assert len(prose) > 300
    code = re.compile(r"``[^`]*``")
    wrong = {found[0] for text in prose if (found := BRITISH.search(code.sub("", text)))}
    assert wrong == set()
