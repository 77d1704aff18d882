"""Pages of a farm's records speak in words: no column and no choice by the name that the program has for it."""

import re
from html import unescape
from typing import Final

import pytest
from django.test import Client
from django.urls import reverse

from provender.records.kind import KINDS
from provender.services.farm.book import latest
from tests.web.cast import Cast
from tests.web.farm_season import fill_season

NAME: Final = re.compile(r"\b[a-z]+_[a-z_]+\b")
ASIDE: Final = re.compile(r"<(script|style|select|textarea)\b.*?</\1>|<[^>]*>", re.DOTALL)
HINTS: Final = {"no_till", "cover_crop"}
"""Words that a box of several answers takes as its hint writes them."""


def names_on(client: Client, where: str, **asked: str) -> set[str]:
    """Return names of the program in the running text of a page."""
    answer = client.get(where, asked)
    assert answer.status_code == 200, where
    page = answer.content.decode().partition("<main")[2].partition("</main>")[0]
    return set(NAME.findall(unescape(ASIDE.sub(" ", page))))


@pytest.mark.slow
def test_rows_their_history_and_their_removal_say_choices_in_words(cast: Cast) -> None:
    fill_season(cast)
    book, found = latest(cast.book), dict[str, set[str]]()
    for kind in KINDS.values():
        where = reverse("farm_row", args=(cast.farm.handle, kind.name))
        found[f"{kind.name} all"] = names_on(cast.client(), reverse("farm_kind", args=(cast.farm.handle, kind.name)))
        for at, key in enumerate(list(book.of(kind))[:3]):
            found[f"{kind.name} to read"] = names_on(cast.client("reader"), where, row=key)
            found[f"{kind.name} to write"] = names_on(cast.client(), where, row=key) - HINTS
            if not at:  # each of these judges the book anew
                remove = reverse("farm_row_remove", args=(cast.farm.handle, kind.name))
                found[f"{kind.name} to remove"] = names_on(cast.client(), remove, row=key)
    assert len(found) > 60
    assert {page: names for page, names in found.items() if names} == {}


def test_what_another_system_has_no_place_for_is_named_by_its_heading(cast: Cast) -> None:
    fill_season(cast)
    where = reverse("farm_exchange", args=(cast.farm.handle,))
    assert names_on(cast.client(), where, **{"page-left": "every"}) == set()
    page = cast.client().get(where, {"find-left": "known"}).content.decode()
    assert "column How known" in page
    assert "How known &#x27;typed after harvest&#x27;: the standard has no place for it." in page
    saved = cast.client().get(where, {"save": "csv", "table": "left"}).content.decode()
    assert "column known_by" in saved
    assert "'typed_after_harvest'" in saved


def test_problems_of_the_records_name_a_column_by_its_heading(cast: Cast) -> None:
    fill_season(cast, {"typed_after_harvest": "machine"})
    where = reverse("farm", args=(cast.farm.handle,))
    assert "column How known" in cast.client().get(where).content.decode()
    assert names_on(cast.client(), where) == set()
