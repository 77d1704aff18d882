"""What the parties of the example signed, as a server keeps it: slips, transfer documents, statements of periods.

They are made from the book that all share, after its year, as each party's own page would make them, and signed with
the demonstration keys that the contracts name.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time
from typing import Any, Final

from provender.custody.documents.build import SLIP, period_document, slip_document, transfer_document
from provender.custody.documents.sign import sign_document
from provender.custody.events.period import Closing
from provender.custody.model.store_view import StoreView
from provender.database.actor import Actor
from provender.database.models import Organisation, Person, SignedSlip
from provender.database.store.custody import SqlStore
from provender.demo.handles import key_of
from provender.services.custody.documents import keep_signed, mark_on_server
from provender.services.farm.uploads import store_upload
from provender.signing.canonical import canonical_json
from provender.signing.hashes import document_hash

VIA: Final = "demo"
NOON: Final = time(12, tzinfo=UTC)


def sign_papers(
    events: Iterable[Mapping[str, Any]], organisations: Mapping[str, Organisation], managers: Mapping[str, Person]
) -> None:
    """Sign the paper of every slip, sale and closed period, and keep each where its signer would.

    Args:
        events: the chain's, as posted on this server.
        organisations: by code.
        managers: who manages each.
    """
    with SqlStore(Actor(None, VIA)).reading() as facts:
        papers = [*_trading(facts, events), *_closed(facts, organisations)]
    for signer, document in papers:
        envelope = sign_document(document, key_of(signer))
        if signer not in organisations:  # a landowner without an account hands the slip to the buyer
            buyer = document["buyer"]["id"]
            content, by = canonical_json(envelope), Actor(managers[buyer], VIA)
            store_upload(organisations[buyer], f"{document['number']}.json", content, actor=by)
        elif document["type"] == SLIP:
            _keep_slip(organisations[signer], envelope, managers[signer])
        else:
            keep_signed(organisations[signer], envelope, document, actor=Actor(managers[signer], VIA))


def _trading(facts: StoreView, events: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the document of every slip and sale with its signer, made on the day of the event."""
    for event in events:
        if event["type"] == "slip":
            yield event["giver"], slip_document(facts, event["id"], as_of=date.fromisoformat(event["day"]))
        elif event["type"] == "sale":
            made = transfer_document(facts, event["id"], as_of=date.fromisoformat(event["day"]))
            yield event["giver"], mark_on_server(made, event["giver"], event["id"], lines=0)


def _closed(facts: StoreView, parties: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the statement of every closed period with its signer."""
    for party in parties:
        for closing in facts.many(Closing, party):
            yield party, mark_on_server(period_document(facts, party, closing.start), party, lines=0)


def _keep_slip(farm: Organisation, envelope: Mapping[str, Any], person: Person) -> None:
    document = envelope["document"]
    SignedSlip.objects.create(
        organisation=farm,
        number=document["number"],
        document=canonical_json(document).decode(),
        document_hash=document_hash(document),
        signature=envelope["signature"],
        at=datetime.combine(date.fromisoformat(document["day"]), NOON),
        actor=person,
    )
