"""Making an organisation, its overview and its settings."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from provender.database.actor import Actor
from provender.database.models import LogRow, Role
from provender.services.accounts.organisations import change_organisation, create_organisation, describe
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.inputs import OrganisationForm
from provender.web.organisation.next_steps import at_a_glance, next_steps
from provender.web.organisation.pages.log import about_of


@login_required
@require_http_methods(["GET", "POST"])
def new_organisation(request: PersonRequest) -> HttpResponseBase:
    """Make an organisation; its maker manages it."""
    form = OrganisationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        organisation = create_organisation(
            data["name"],
            roles=[Role(role) for role in data["roles"]],
            county=data["county"],
            state=data["state"],
            manager=request.user,
            actor=Actor(request.user, "web"),
        )
        messages.success(request, f"{organisation} is ready. You manage it.")
        return redirect("organisation", organisation.handle)
    return render(request, "pages/organisation_new.html", {"form": form})


@require_GET
@of_organisation("read")
def organisation_page(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show what the organisation is, what to do next and what happened last."""
    organisation = access.organisation
    latest = LogRow.objects.filter(organisation=organisation).select_related("actor").order_by("-id")[:6]
    context = {
        "next_steps": next_steps(access),
        "glance": at_a_glance(access),
        "latest": [(row, about_of(row)) for row in latest],
        "member_count": organisation.memberships.count(),
        "grant_count": organisation.grants_given.filter(revoked_at=None).count(),
    }
    return render(request, "pages/organisation.html", context)


@require_http_methods(["GET", "POST"])
@of_organisation("manage", to_post="manage")
def organisation_settings(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Change name, place and roles."""
    form = OrganisationForm(request.POST or None, initial=describe(access.organisation))
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        change_organisation(
            access.organisation,
            name=data["name"],
            roles=[Role(role) for role in data["roles"]],
            county=data["county"],
            state=data["state"],
            actor=access.actor,
        )
        messages.success(request, "Saved.")
        return redirect("organisation", access.organisation.handle)
    return render(request, "pages/organisation_settings.html", {"form": form})
