"""Opening an invitation: sign in or make an account, then accept."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from provender.database.actor import Actor
from provender.database.models import Person
from provender.services.accounts.invitations import accept_invitation, open_invitation
from provender.web.organisation.accounts import INVITATION


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, secret: str) -> HttpResponseBase:
    """Show an invitation and accept it.

    Raises:
        Http404: the invitation was used, withdrawn or is too old.
    """
    invitation = open_invitation(secret)
    if invitation is None:
        raise Http404
    request.session[INVITATION] = secret
    if request.method == "POST":
        if not isinstance(request.user, Person):
            return redirect("account_login")
        accept_invitation(invitation, request.user, actor=Actor(request.user, "web"))
        del request.session[INVITATION]
        messages.success(request, f"You are a member of {invitation.organisation} now.")
        return redirect("organisation", invitation.organisation.handle)
    return render(request, "pages/join.html", {"invitation": invitation})
