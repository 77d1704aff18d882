"""The devices on which somebody is signed in, and signing them out."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from provender.database.actor import Actor
from provender.services.accounts.people import signed_in
from provender.services.accounts.sessions import end_other_sessions, end_session, sessions_of
from provender.services.refused import MissingError
from provender.web.access import PersonRequest
from provender.web.inputs import number_in

OTHERS = "others"


@login_required
@require_http_methods(["GET", "POST"])
def account_sessions(request: PersonRequest) -> HttpResponseBase:
    """List where the person is signed in; POST signs one device out, or all others.

    Raises:
        Http404: the person has no such session.
    """
    person, key = signed_in(request.user), request.session.session_key
    if request.method == "GET":
        return render(request, "pages/sessions.html", {"sessions": sessions_of(person, key)})
    actor, asked = Actor(person, "web"), request.POST.get("end", "")
    if asked == OTHERS:
        count = end_other_sessions(person, key, actor=actor)
        messages.success(request, f"{count} other device{'' if count == 1 else 's'} signed out.")
    else:
        number = number_in(asked)
        try:
            device = end_session(person, -1 if number is None else number, actor=actor)
        except MissingError as gone:
            raise Http404 from gone
        messages.success(request, f"{device} is signed out.")
    return redirect("account_sessions")
