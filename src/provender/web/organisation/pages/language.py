"""The choice of language that stands at the head of every page: a form, so that it works without a script."""

from django.conf import settings
from django.http import HttpResponse
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from provender.services.accounts.people import speak
from provender.services.names import unseen
from provender.web.access import PersonRequest


@require_POST
def choose(request: PersonRequest) -> HttpResponse:
    """Keep a language in this browser, and for whoever is signed in; then go back to the page it was chosen on."""
    wanted = request.POST.get("language", "")
    if request.user.is_authenticated and wanted in dict(settings.LANGUAGES):
        speak(request.user, wanted)
    answer = set_language(request)
    back = request.POST.get("next", "")
    if back and (not back.startswith("/") or unseen(back)):
        answer.headers["location"] = "/"
    return answer
