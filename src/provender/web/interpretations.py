"""The page of an interpretation, to which every citation on a page leads."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from provender.rule.interpretations import interpretation


@login_required
@require_GET
def interpretation_page(request: HttpRequest, number: int) -> HttpResponseBase:
    """Show how we read the rule in one matter."""
    shown = interpretation(number)
    if shown is None:
        raise Http404
    return render(request, "pages/interpretation.html", {"shown": shown})
