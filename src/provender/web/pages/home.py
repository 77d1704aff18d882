"""Home: the organisations a person works for, and those a verifier may look into today."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from provender.database.models import Membership, ReadGrant
from provender.web.access import PersonRequest


@login_required
@require_GET
def home(request: PersonRequest) -> HttpResponseBase:
    """Show where the person can go."""
    today = timezone.now().date()
    memberships = (
        Membership.objects.filter(person=request.user)
        .select_related("organisation", "on_behalf_of")
        .prefetch_related("organisation__roles")
        .order_by("organisation__name")
    )
    visits = ReadGrant.objects.filter(
        verifier__memberships__person=request.user, revoked_at=None, first_day__lte=today, last_day__gte=today
    ).select_related("audited", "verifier")
    return render(request, "pages/home.html", {"memberships": memberships, "visits": visits})
