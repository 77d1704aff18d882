"""Keeping documents that an organisation signed on its own machine: the server checks them and never holds the key."""

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from provender.custody.documents.sign import TYPS
from provender.database.actor import Actor, write_log
from provender.database.models import Organisation, SignedDocument
from provender.services.refused import refusal
from provender.signing.canonical import canonical_json
from provender.signing.jws import MEANING, Status, check

CITE = "2100.032(c)"


@transaction.atomic
def keep_signed(
    organisation: Organisation, raw: object, expected: Mapping[str, object], *, actor: Actor
) -> SignedDocument:
    """Keep a signed document, if it is whole and says exactly what the book says.

    Args:
        organisation: who signed.
        raw: the envelope as read.
        expected: the document as the book makes it for the same day.
        actor: who brought it.

    Raises:
        RefusedError: it is no whole signed document, or another one.
    """
    kind = str(expected["type"])
    found = check(raw, {}, typ=TYPS[kind])
    if found.status not in (Status.VALID, Status.SIGNER_UNKNOWN):
        cause, remedy = MEANING[found.status]
        raise refusal(str(found.status), cause, remedy, cite=CITE, column="file")
    if found.document is None or canonical_json(found.document) != canonical_json(expected):
        cause = "The signed document says something else than the book."
        remedy = "Download the document again, sign that file, and bring it back unchanged."
        raise refusal("other_document", cause, remedy, cite=CITE, column="file")
    number = str(expected["number"])
    same = {"organisation": organisation, "kind": kind, "number": number, "fingerprint": found.kid}
    known = SignedDocument.objects.filter(**same).first()
    if known is not None:
        return known
    made = SignedDocument.objects.create(
        **same, text=canonical_json(raw).decode(), at=timezone.now(), actor=actor.person
    )
    write_log(
        actor, "keep signed document", organisation=organisation, about=number, new={"kind": kind, "key": found.kid}
    )
    return made
