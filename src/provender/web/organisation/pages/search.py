"""The search of an organisation: what its menu offers, what may be done, and what it has, by a few letters."""

from itertools import groupby
from typing import Final

from django.http import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from provender.services.search import search
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.organisation.doing import doings_found, pages_found
from provender.web.organisation.next_steps import address

LONGEST: Final = 80


@require_GET
@of_organisation("read")
def organisation_search(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show what has the words asked for: pages first, then what may be done, fields, rows, lots and papers."""
    text = " ".join(request.GET.get("q", "")[:LONGEST].split())
    found = search(access.organisation, text)
    groups = [
        (name, [(one, address(access, one)) for one in ones]) for name, ones in groupby(found, lambda one: one.group)
    ]
    context = {
        "sought": text,
        "pages": pages_found(access, text),
        "doings": doings_found(access, text),
        "groups": groups,
    }
    return render(request, "pages/search.html", context)
