"""What the pages of a trader's papers share where one is signed: in the browser, or as a file that is brought back."""

import json
from collections.abc import Callable
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, JsonResponse

from provender.custody.documents.sign import TYPS
from provender.services.custody import sealed_signing
from provender.services.custody.context import CustodyContext
from provender.services.custody.documents import MOST_BYTES, Paper
from provender.services.custody.sealed_signing import KEYS, Shown
from provender.signing.canonical import canonical_json, read_json
from provender.web.access import PersonRequest
from provender.web.download import JSON, PDF, download
from provender.web.inputs import number_in
from provender.web.key_page import sealed_key
from provender.web.signing_json import answered, asked, text_of

UNREAD: Final = 422
SIGNED: Final = "The document is signed and kept. Its signature stands in the PDF and in the JSON."
BROUGHT: Final = "The signed document is kept. It is printed into the PDF."


class SignedForm(forms.Form):
    """The signed file, as it comes from the signer's machine."""

    file = forms.FileField(label="Signed document (JSON)", help_text="The file that the signing program wrote.")

    def envelope(self) -> object:
        """Return what the file holds.

        Raises:
            ProblemsError: it is no JSON, or too large.
        """
        file = self.cleaned_data["file"]
        return read_json(file.read(MOST_BYTES + 1), file=file.name, max_bytes=MOST_BYTES)


def is_signing(request: PersonRequest) -> bool:
    """Tell whether the signing script of a page asks."""
    return request.method == "POST" and request.content_type == "application/json"


def signed_here(
    request: PersonRequest,
    back: str,
    to_sign: Callable[[Shown], dict[str, Any]],
    sign: Callable[[Shown, str], object],
) -> JsonResponse:
    """Answer the signing script: the text to sign with its hash; where it sends a signature, the document is kept.

    Args:
        request: what the script sent.
        back: the address of the page.
        to_sign: returns the document that was read.
        sign: keeps it under a signature.

    Raises:
        PermissionDenied: somebody would sign who may not sign for the organisation.
    """
    if not request.access.may_sign:
        raise PermissionDenied

    def deed() -> dict[str, Any]:
        found = asked(request)
        told = found.get("fields")
        given = told if isinstance(told, dict) else {}
        shown = Shown(text_of(given, "shown"), text_of(given, "made_on"), number_in(text_of(given, "lines")))
        signature = text_of(found, "signature")
        if not signature:
            return {"document": canonical_json(to_sign(shown)).decode(), "sha256": shown.sha256}
        sign(shown, signature)
        messages.success(request, SIGNED)
        return {"location": back}

    return answered(deed)


def signing_context(
    request: PersonRequest, desk: CustodyContext, paper: Paper, form: SignedForm, back: str
) -> dict[str, Any]:
    """Return what the part of a page needs in which its paper is signed."""
    known: dict[str, Any] = {"document": paper.document, "signed": paper.signed, "form": form, "back": back}
    known |= {"typ": TYPS[paper.document["type"]], "shown": sealed_signing.shown_of(paper.document)}
    return {**known, "held": KEYS.in_use(desk.organisation), **sealed_key(request.access, KEYS)}


def paper_file(paper: Paper, wanted: str) -> HttpResponse:
    """Return a paper as the file that is asked for, ``pdf`` or ``json``; signed where it is."""
    if wanted == "json":
        text = json.dumps(paper.envelope or paper.document, indent=1, ensure_ascii=False) + "\n"
        return download(text, JSON, paper.file_name(wanted))
    return download(paper.pdf(), PDF, paper.file_name(wanted))
