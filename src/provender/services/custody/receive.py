"""Taking in a document that came from outside: opened, what cures an unknown signature, and entered."""

from django.conf import settings

from provender.custody.documents.read import FarmReport, document_of
from provender.custody.documents.receive import (
    Answered,
    ReceivedDocument,
    document_events,
    open_document,
    post_each,
)
from provender.custody.model.entities import Entity
from provender.custody.store import post
from provender.database.actor import write_log
from provender.database.store.custody import SqlStore
from provender.problem import Problem
from provender.services.custody.blinding import blinded
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.entry import all_parties, stands_outside
from provender.services.custody.proof import proven_by
from provender.services.custody.views import EventOffer, offer
from provender.services.farm.uploads import store_upload
from provender.services.refused import refusal
from provender.signing.jws import Status as Signature


def open_file(raw: object, context: CustodyContext, name: str) -> ReceivedDocument:
    """Open a document that came to the organisation; ``name`` is what problems call it."""
    with READER.reading() as facts:
        return open_document(raw, facts, context.id, name, demonstration=settings.DEMONSTRATION)


def receive_file(
    context: CustodyContext,
    incoming: ReceivedDocument,
    *,
    name: str,
    content: bytes,
    site: str = "",
    accept: bool = True,
) -> tuple[list[Answered], list[Problem]]:
    """Keep the file of a document, and enter what it says, of a party without an account here.

    Its checked signature stands for that party.

    A transfer that enters and cannot be accepted stays in transit, to be accepted later. The seller's verification is
    entered with it when a contract pins the key of the verifier who signed it.

    Args:
        context: who received it, and when.
        incoming: the document as ``open_file`` opened it, with content.
        name: of the file, which is kept.
        content: of the file.
        site: where the crop lies; may be left out by an entity with one site.
        accept: take a transfer into stock at once.

    Returns:
        The answers, and what is doubtful about the seller's verification.

    Raises:
        RefusedError: the file cannot be kept, or its sender has an account here, and enters what it sells itself.
        ValueError: the document has no content.
    """
    store_upload(context.organisation, name, content, actor=context.actor)
    sender = sender_of(incoming)
    if not stands_outside(sender):
        cause = "The sender of this document works on this server."
        remedy = "There is nothing to take in: what it sells you shows under Incoming by itself."
        raise refusal("sender_is_here", cause, remedy, cite="2100.032(a)", column="file")
    store = SqlStore(context.actor)
    with store.reading() as facts:
        proven, doubts = proven_by(incoming, facts, context.id, day=context.today, file=incoming.kind)
        events = document_events(incoming, facts, day=context.today, site=site, accept=accept, proven=proven)
    with store.locked(all_parties(events)), store.reading() as facts:
        answers = post_each(
            events, facts, lambda event: blinded(facts, event, post(store, event), context.id, signed=True)
        )
    write_log(
        context.actor, "receive document", organisation=context.organisation, about=sender, new={"kind": incoming.kind}
    )
    return answers, doubts


def cures_of(incoming: ReceivedDocument, raw: object) -> list[EventOffer]:
    """Return what to enter so that a document signed by an unknown key can be taken in: its key pinned by contract."""
    if incoming.signature is not Signature.SIGNER_UNKNOWN:
        return []
    sender = _named_sender(raw)
    with READER.reading() as facts:
        known = facts.one(Entity, sender) is not None if sender else True
    label = f"Pin key {incoming.fingerprint[:12]}… by contract"
    pin = offer(label, "contract", counterparty=sender, role="supplier", signing_key=incoming.fingerprint)
    return [pin] if known else [register_sender(sender), pin]


def register_sender(sender: str) -> EventOffer:
    """Return the entry that registers the sender of a document."""
    return offer("Register the sender", "entity", entity=sender, name=sender)


def sender_of(incoming: ReceivedDocument) -> str:
    """Return who sent a document that could be read; empty otherwise."""
    content = incoming.content
    return content.farm if isinstance(content, FarmReport) else content.seller if content else ""


def _named_sender(raw: object) -> str:
    """Return whom an unread document names as its sender."""
    inner = document_of(raw)
    for part, name in (("seller", "id"), ("farm", "farm_id")):
        named = inner.get(part) if isinstance(inner, dict) else None
        if isinstance(named, dict) and isinstance(named.get(name), str):
            return str(named[name])
    return ""
