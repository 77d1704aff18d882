"""A chart on a page speaks the reader's language, and writes days as the page does; its names stay as typed."""

import re
from typing import Final

import pytest
from django.utils import translation

from provender.database.models import Change
from provender.services.farm.book import FarmBook
from provender.services.farm.intensity import intensities_of
from provender.services.farm.season import pictures_of
from provender.web.templatetags.page import said_in_chart
from tests.web.cast import Cast
from tests.web.farm_season import fill_season

WRITTEN: Final = re.compile(r"<(?:text|title|desc)\b[^>]*>([^<]*)<|aria-label=\"([^\"]*)\"")
ENGLISH: Final = re.compile(
    r"\b(?:the|of|and|at most|by|Season|Field|Farm|default|table|harvest|crop|Crop|pass|pounds|planted|known"
    r"|conventional|No-till|Reduced|Cover|Nutrients|Jan|Apr|Aug|Dec|estimate)\b"
)
"""Words that no Spanish label holds."""
EVENT: Final = re.compile(r"\d+ de [a-z]+ de \d{4}: ")
"""A tool tip of a day, which holds names of USDA's list and of products."""
DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


@pytest.fixture
def charts(cast: Cast) -> list[str]:
    fill_season(cast)
    farm = FarmBook(cast.book, Change.objects.filter(book=cast.book).count())
    drawn = [one for pair in pictures_of(farm).values() for one in pair.values()]
    drawn += [one[name]["chart"] for one in intensities_of(farm) for name in ("official", "estimate") if one[name]]
    return [one for one in drawn if one]


def texts_of(chart: str) -> list[str]:
    return [one or other for one, other in WRITTEN.findall(chart)]


def test_charts_speak_spanish(charts: list[str]) -> None:
    assert len(charts) > 10
    with translation.override("es"):
        texts = {text for chart in charts for text in texts_of(said_in_chart(chart))}
    assert len(texts) > 100
    labels = {text for text in texts if not EVENT.match(text)}
    assert len(labels) > 60
    assert {text for text in labels if ENGLISH.search(text)} == set()
    assert any(text.endswith("Guardian") and "al voleo" in text for text in texts - labels)
    assert not any(DAY.search(text) for text in texts)


def test_an_english_chart_keeps_its_words_and_writes_days_as_pages_do(charts: list[str]) -> None:
    for chart in charts:
        shown = said_in_chart(chart)
        assert DAY.search(" ".join(texts_of(shown))) is None
        assert len(texts_of(shown)) == len(texts_of(chart))
    assert any("national default" in text for chart in charts for text in texts_of(said_in_chart(chart)))
