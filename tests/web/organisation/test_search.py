"""The search finds what an organisation has, and nothing of others; texts are typed to be seen, and logged in words."""

import tomllib
from importlib.resources import files
from urllib.parse import urlencode

import pytest
from django import forms
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from provender.custody.documents.build import PERIOD, RESTATEMENT, TRANSFER
from provender.database.actor import write_log
from provender.database.models.custody import CustodyLot
from provender.database.models.farm import SignedDocument
from provender.records.kind import KINDS
from provender.services.custody.book_entry import OFFERS
from provender.services.search import MOST, search
from provender.web import inputs
from provender.web.audit import forms as of_audits
from provender.web.navigation import LINKS
from tests.web.cast import Cast
from tests.web.custody_season import fill_custody
from tests.web.farm_season import fill_season

WORDS = files("provender.web.organisation").joinpath("data/other_words.toml")


def test_fields_rows_papers_and_pages_are_found_and_every_link_opens(cast: Cast) -> None:
    fill_season(cast)
    client = cast.client()
    where = reverse("organisation_search", args=(cast.farm.handle,))
    page = client.get(f"{where}?{urlencode({'q': 'g70'})}")
    groups = dict(page.context["groups"])
    assert [(one.words, one.note) for one, _ in groups["Fields"]] == [("G70", "Grove · 70 acres")]
    assert len(groups["Records"]) <= MOST
    for _, href in [*groups["Fields"], *groups["Records"]]:
        assert client.get(href).status_code == 200
    assert [entry.label for entry in client.get(f"{where}?q=INTENS").context["pages"]] == ["Carbon intensity"]
    assert client.get(f"{where}?q=g").context["groups"] == [], "one letter asks for everything"
    assert b"Nothing here has" in client.get(f"{where}?q=zzzz").content


def test_lots_are_their_owners_only_and_whoever_may_only_read_is_offered_no_deed(cast: Cast) -> None:
    fill_custody(cast)
    mine = set(CustodyLot.objects.filter(owner=cast.mill.handle, ended_by=None).values_list("name", flat=True)[:3])
    assert mine
    for word in mine:
        assert word in {one.words for one in search(cast.mill, word) if one.group == "Lots"}
        assert not search(cast.elevator, word)
        assert not search(cast.verifier, word)
    fill_season(cast)
    where = reverse("organisation_search", args=(cast.farm.handle,))
    page = cast.client("reader").get(f"{where}?q=photo")
    assert page.context["doings"] == []
    assert "farm_evidence" in {entry.view for entry in page.context["pages"]}


def test_a_paper_is_found_under_the_address_of_its_page(cast: Cast) -> None:
    mill = cast.mill
    papers: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
        (TRANSFER, "sale-1", (("sale", "sale-1"),)),
        (PERIOD, "mill/2026-01-01", (("start", "2026-01-01"),)),
        (RESTATEMENT, "mill/2026-01-01/9f", (("start", "2026-01-01"), ("restated", "yes"))),
    )
    for kind, number, query in papers:
        SignedDocument.objects.create(
            organisation=mill, kind=kind, number=number, text="{}", fingerprint="x", at=timezone.now(), actor=None
        )
        (found,) = [one for one in search(mill, number) if one.group == "Papers"]
        assert found.query == query, kind


def test_papers_and_names_are_found_without_underscores_and_signs_that_show_nothing(cast: Cast) -> None:
    fill_season(cast)
    assert search(cast.farm, "g\x0070") == search(cast.farm, "g 70")
    with CaptureQueriesContext(connection) as asked:
        search(cast.farm, "report on corn")
    papers = [one["sql"] for one in asked if "reportversion" in one["sql"] or "signedslip" in one["sql"]]
    assert len(papers) == 2
    assert not [sql for sql in papers if '"document"' in sql or '"text"' in sql or '"signature"' in sql]
    new = {"type": "purchase_pending", "roles": ["first_point"], "name": "north_bin"}
    write_log(cast.actor("owner"), "post movement", organisation=cast.mill, about="p1", new=new)
    log, client = reverse("log", args=(cast.mill.handle,)), cast.client()
    assert "type: purchase pending; roles: first point; name: north_bin" in client.get(log).content.decode()
    saved = client.get(log, {"save": "csv", "table": "log"}).content.decode()
    assert "type: purchase_pending; roles: first_point; name: north_bin" in saved


DOINGS = (
    ("mill", "truck", "Scale ticket in"), ("mill", "close the period", "Close a period"),
    ("mill", "camión", "Scale ticket in"), ("mill", "scale ticket", "Scale ticket out"),
    ("farm", "anhydrous", "Nutrient applications"), ("farm", "Add a field", "Management units"),
    ("farm", "siembra", "Planting and emergence"),
)  # fmt: skip


@pytest.mark.slow
def test_what_may_be_done_is_found_by_the_words_that_people_use(season: Cast) -> None:
    fill_custody(season)
    client = season.client()
    for part, text, doing in DOINGS:
        where = reverse("organisation_search", args=(getattr(season, part).handle,))
        found = {one.label: one.href for one in client.get(where, {"q": text}).context["doings"]}
        assert doing in found, sorted(found)
        assert client.get(found[doing]).status_code == 200, doing


def test_other_words_name_entries_records_or_pages_and_every_box_for_text_reads_it_so() -> None:
    words = tomllib.loads(WORDS.read_text())
    pages = {link.view for link in LINKS}
    known = {"enter": OFFERS.keys(), "add": KINDS.keys(), "page": pages}
    assert {part: set(names) - set(known[part]) for part, names in words.items() if part in known} == {
        "enter": set(), "add": set(), "page": set(),
    }  # fmt: skip
    classes = [one for room in (inputs, of_audits) for one in vars(room).values() if isinstance(one, type)]
    for form in (one for one in classes if issubclass(one, forms.Form)):
        plain = [name for name, field in form.base_fields.items() if type(field) is forms.CharField]
        assert plain == [], form.__name__
    box = inputs.TypedText(widget=forms.Textarea)
    assert box.clean("two\r\nlines\tand a tab") == "two\r\nlines\tand a tab"
    with pytest.raises(forms.ValidationError):
        box.clean("a\x1bb")
