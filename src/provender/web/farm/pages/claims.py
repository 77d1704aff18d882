"""Which practices a farm claims, ticked for each field and crop."""

from collections.abc import Sequence
from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from provender.database.choices import Area
from provender.rule.crops import Practice
from provender.services.farm.book import farm_book_of
from provender.services.farm.claims import CropClaims, claims_of, tick_claims
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.inputs import back_to, number_in

NAME: Final = "claim"
NOTHING: Final = "nothing"


@require_http_methods(["GET", "POST"])
@of_organisation("read", areas=(Area.RECORDS,))
def farm_claims(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the ticks of every field and crop; a POST writes them.

    Raises:
        RefusedError: a tick that its crop may not have, or somebody changed the book meanwhile.
    """
    farm = farm_book_of(access.organisation)
    found = claims_of(farm)
    if request.method == "POST":
        sent = set(request.POST.getlist(NAME))
        ticks = {
            one.harvest_id: {each for each in one.may if f"{one.harvest_id}/{each}" in sent}
            for one in found if one.harvest_id in request.POST.getlist("crop")
        }  # fmt: skip
        seen = number_in(request.POST.get("seen", ""))
        nothing = request.POST.getlist(NOTHING)
        changed = tick_claims(farm, ticks, actor=access.actor, after=seen, nothing=nothing) if ticks else None
        messages.success(request, "Your claims are saved." if changed else "Nothing was changed.")
        return redirect(back_to(request) or reverse("farm", args=(access.organisation.handle,)))
    rows = _rows(found, request.GET.getlist("unit"), request.GET.getlist("crop"))
    context = {"practices": list(Practice), "crops": rows, "version": farm.version}
    return render(request, "farm/claims.html", context)


def _rows(found: Sequence[CropClaims], units: Sequence[str], entries: Sequence[str]) -> list[dict[str, Any]]:
    """Return the rows of the page; those of the units or crops asked for are marked, and it opens at the first."""
    named = [one for one in found if one.unit_id in units or one.harvest_id in entries]
    marked = [one.harvest_id for one in ([one for one in named if one.may_say_none] or named)]
    return [{**_row(one), "asked": one.harvest_id in marked, "first": marked[:1] == [one.harvest_id]} for one in found]


def _row(one: CropClaims) -> dict[str, Any]:
    cells = [
        {
            "practice": each,
            "may": each in one.may,
            "named": each in one.named,
            "on": each in one.offered,
            "standing": str(one.may.get(each, "")),
        }
        for each in Practice
    ]
    return {"claims": one, "cells": cells}
