"""One's own account: name, address, password, one-time codes."""

from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from provender.database.actor import Actor
from provender.services.accounts.people import rename_person
from provender.web.access import PersonRequest
from provender.web.inputs import PersonForm


@login_required
@require_http_methods(["GET", "POST"])
def account(request: PersonRequest) -> HttpResponseBase:
    """Show the account and change the name."""
    form = PersonForm(request.POST or None, initial={"name": request.user.name})
    if request.method == "POST" and form.is_valid():
        rename_person(request.user, form.cleaned_data["name"], actor=Actor(request.user, "web"))
        messages.success(request, "Saved.")
        return redirect("account")
    return render(request, "pages/account.html", {"form": form, "codes": is_mfa_enabled(request.user)})
