"""Taking in a document that came from outside: signature against the pinned key, chain, overlap, then the book."""

from django import forms
from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from provender.custody.documents.read import FarmReport, document_of
from provender.custody.documents.receive import Answered, ReceivedDocument, open_document
from provender.custody.events.refusals import problem_of
from provender.custody.model.entities import Entity
from provender.custody.model.statuses import Status
from provender.problem import Problem, ProblemsError
from provender.services.custody.entry import receive_document
from provender.services.farm.uploads import store_upload
from provender.signing.canonical import read_json
from provender.signing.jws import Status as Signature
from provender.web.access import PersonRequest
from provender.web.custody.pages.context import READER, CustodyContext, at_desk
from provender.web.custody.pages.movements import FollowUp

MOST_BYTES = 4 * 2**20
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
    field.choices = [NO_SITE, *((site, site) for site in desk.entity.sites)]
    if request.method == "GET":
        return _shown(request, form)
    if not form.is_valid():
        return _shown(request, form, status=UNREAD)
    file = form.cleaned_data["file"]
    content = file.read(MOST_BYTES + 1)
    try:
        raw = read_json(content, file=file.name, max_bytes=MOST_BYTES)
        incoming = opened(desk, raw, file.name)
        if incoming.content is None or incoming.problems:
            return _shown(request, form, incoming.problems, _links(desk, cures_of(incoming, raw)), status=REFUSED)
        site, accept = form.cleaned_data["site"], not form.cleaned_data["in_transit"]
        answers = receive_file(desk, incoming, name=file.name, content=content, site=site, accept=accept)
    except ProblemsError as refused:
        return _shown(request, form, refused.problems, status=REFUSED)
    return _answered(request, desk, form, incoming, answers)


def opened(desk: CustodyContext, raw: object, name: str) -> ReceivedDocument:
    """Open a document that came to the organisation; ``name`` is what problems call it."""
    with READER.reading() as facts:
        return open_document(raw, facts, desk.id, name)


def receive_file(
    desk: CustodyContext, incoming: ReceivedDocument, *, name: str, content: bytes, site: str, accept: bool
) -> list[Answered]:
    """Keep the file of an opened document and enter what it says: see ``services.custody.entry``.

    Raises:
        RefusedError: the file cannot be kept, or its sender works on this server.
    """
    organisation, actor = desk.access.organisation, desk.access.actor
    store_upload(organisation, name, content, actor=actor)
    return receive_document(organisation, incoming, day=desk.today, site=site, accept=accept, actor=actor)


def _answered(
    request: PersonRequest,
    desk: CustodyContext,
    form: DocumentForm,
    incoming: ReceivedDocument,
    answers: list[Answered],
) -> HttpResponseBase:
    last = answers[-1]
    if not last.outcome.status.well:
        problems = (problem_of(last.outcome, file=incoming.kind),)
        cures = [_register(_sender_of(incoming))] if last.outcome.status is Status.ENTITY_NOT_FOUND else []
        done = [one.outcome.message for one in answers[:-1] if one.outcome.status.well]
        return _shown(request, form, problems, _links(desk, cures), done, REFUSED)
    for one in answers:
        messages.success(request, one.outcome.message)
    if any(("state", "unverified") in one.outcome.facts for one in answers):
        said = "It is held unverified: enter the seller's verification statement, and it may go on as reduced-CI."
        messages.warning(request, said)
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


def _links(desk: CustodyContext, cures: list[FollowUp]) -> list[tuple[str, str]]:
    return [
        (one.label, f"{reverse('custody_enter', args=(desk.id, one.kind))}?{urlencode(one.fields)}") for one in cures
    ]


def cures_of(incoming: ReceivedDocument, raw: object) -> list[FollowUp]:
    """Return what to enter so that a document signed by an unknown key can be taken in: its key pinned by contract."""
    if incoming.signature is not Signature.SIGNER_UNKNOWN:
        return []
    sender = _sender(raw)
    with READER.reading() as facts:
        known = facts.one(Entity, sender) is not None if sender else True
    given = {"counterparty": sender, "role": "supplier", "signing_key": incoming.fingerprint}
    pin = FollowUp(f"Pin key {incoming.fingerprint[:12]}… by contract", "contract", given)
    return [pin] if known else [_register(sender), pin]


def _register(sender: str) -> FollowUp:
    return FollowUp("Register the sender", "entity", {"entity": sender, "name": sender})


def _sender(raw: object) -> str:
    """Return whom an unread document names as its sender."""
    inner = document_of(raw)
    for part, name in (("seller", "id"), ("farm", "farm_id")):
        found = inner.get(part) if isinstance(inner, dict) else None
        if isinstance(found, dict) and isinstance(found.get(name), str):
            return str(found[name])
    return ""


def _sender_of(incoming: ReceivedDocument) -> str:
    content = incoming.content
    return content.farm if isinstance(content, FarmReport) else content.seller if content else ""
