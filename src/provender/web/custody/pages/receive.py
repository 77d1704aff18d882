"""Taking in a document that came from outside: signature against the pinned key, chain, overlap, then the book."""

from django import forms
from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from provender.custody.documents.receive import Answered, ReceivedDocument
from provender.custody.model.statuses import Status
from provender.problem import Problem, ProblemsError
from provender.services.custody.answers import refused as refused_answer
from provender.services.custody.context import CustodyContext
from provender.services.custody.documents import MOST_BYTES
from provender.services.custody.receive import cures_of, open_file, receive_file, register_sender, sender_of
from provender.services.custody.views import EventOffer
from provender.signing.canonical import read_json
from provender.web.access import PersonRequest
from provender.web.custody.forms import site_choices
from provender.web.custody.pages.context import at_desk, form_of

REFUSED = 409
UNREAD = 422
NO_SITE = ("", "The only one")


class DocumentForm(forms.Form):
    """The file, and where the crop lies."""

    file = forms.FileField(
        label="Document (JSON)",
        help_text="A transfer document, a sale slip or a farm's report: the signed JSON file, not the PDF.",
    )
    site = forms.ChoiceField(label="At which of your sites it lies", required=False)
    in_transit = forms.BooleanField(label="Only note it; I accept it later", required=False)


@require_http_methods(["GET", "POST"])
@at_desk("write")
def custody_receive(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Take in a document, or say what speaks against it and what to do."""
    form = DocumentForm(request.POST or None, request.FILES or None)
    field = form.fields["site"]
    assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared above
    field.choices = [NO_SITE, *site_choices(desk)]
    if request.method == "GET":
        return _shown(request, form)
    if not form.is_valid():
        return _shown(request, form, status=UNREAD)
    file = form.cleaned_data["file"]
    content = file.read(MOST_BYTES + 1)
    try:
        raw = read_json(content, file=file.name, max_bytes=MOST_BYTES)
        incoming = open_file(raw, desk, file.name)
        if incoming.content is None or incoming.problems:
            return _shown(request, form, incoming.problems, _links(desk, cures_of(incoming, raw)), status=REFUSED)
        site, accept = form.cleaned_data["site"], not form.cleaned_data["in_transit"]
        answers, doubts = receive_file(desk, incoming, name=file.name, content=content, site=site, accept=accept)
    except ProblemsError as refused:
        return _shown(request, form, refused.problems, status=REFUSED)
    return _answered(request, desk, form, incoming, answers, doubts)


def _answered(
    request: PersonRequest,
    desk: CustodyContext,
    form: DocumentForm,
    incoming: ReceivedDocument,
    answers: list[Answered],
    doubts: list[Problem],
) -> HttpResponseBase:
    last = answers[-1]
    if not last.outcome.status.well:
        problems = (refused_answer(last.outcome, file=incoming.kind),)
        cures = [register_sender(sender_of(incoming))] if last.outcome.status is Status.ENTITY_NOT_FOUND else []
        done = [one.outcome.message for one in answers[:-1] if one.outcome.status.well]
        return _shown(request, form, problems, _links(desk, cures), done, REFUSED)
    for one in answers:
        messages.success(request, one.outcome.message)
    if any(("state", "unverified") in one.outcome.facts for one in answers):
        said = "It is held unverified: enter the seller's verification statement, and it may go on as reduced-CI."
        messages.warning(request, said)
    for doubt in doubts:
        messages.warning(request, f"{doubt.cause} {doubt.remedy}")
    return redirect("custody_incoming", desk.id)


def _shown(
    request: PersonRequest,
    form: DocumentForm,
    problems: tuple[Problem, ...] = (),
    ways: list[tuple[str, str]] | None = None,
    done: list[str] | None = None,
    status: int = 200,
) -> HttpResponseBase:
    context = {"form": form, "problems": problems, "ways": ways or [], "done": done or []}
    return render(request, "custody/receive.html", context, status=status)


def _links(desk: CustodyContext, cures: list[EventOffer]) -> list[tuple[str, str]]:
    return [(one.what, form_of(desk, one)) for one in cures]
