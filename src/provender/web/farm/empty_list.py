"""Years of a field without a crop as pages show them: each with the form that adds a crop of that year."""

from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from provender.services.farm.empty_years import EmptyYear
from provender.web.access import Access
from provender.web.farm.crop_form import YEAR
from provender.web.farm.forms import CROP_ENTRY, UNIT


class EmptyLink(NamedTuple):
    """One such year: its field, what is said of it, and where its crop is added."""

    unit: str
    year: int
    words: str
    href: str


def empty_links(access: Access, years: Iterable[EmptyYear], back: str) -> list[EmptyLink]:
    """Return the years with the form that adds a crop, which comes back to a page."""
    found = list(years)
    form = reverse("farm_row", args=(access.organisation.handle, CROP_ENTRY)) if found else ""
    return [
        EmptyLink(one.unit_id, one.year, one.words,
                  f"{form}?{urlencode({UNIT: one.unit_id, YEAR: one.year, 'next': back})}")
        for one in found
    ]  # fmt: skip
