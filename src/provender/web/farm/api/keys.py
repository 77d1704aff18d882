"""The keys of a farm's producers: which are on file, and putting one on file with its holder's own proof."""

from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.database.actor import today
from provender.database.models import ProducerKey, Scope
from provender.services.farm.book import farm_book_of, latest
from provender.services.farm.keys import fingerprints_in_force, keys_of
from provender.services.farm.keys import register_key as do_register_key
from provender.signing.keys import PublicKey
from provender.web.api.auth import Needs, caller_of
from provender.web.api.pages import Page, PageQuery, page_of
from provender.web.api.problems import REFUSALS
from provender.web.farm.api.records import book_of

router = Router(tags=["keys"])
READ, WRITE = Needs(Scope.RECORDS_READ), Needs(Scope.RECORDS_WRITE)


class ProducerKeyOut(Schema):
    """A key on file. Compare ``short`` by telephone; ``in_force`` is the key that the producer's record names.

    ``sealed_here`` tells that its private half lies here sealed under the holder's passphrase; no call gives it out.
    """

    id: int
    producer_id: str
    fingerprint: str
    short: str
    public: dict[str, Any]
    holder: str
    at: datetime
    replaces: str
    sealed_here: bool
    in_force: bool


class ProducerKeyIn(Schema):
    """A key to put on file; the key stays on its holder's machine.

    ``statement`` is what `provender keys register` writes, signed with the key itself, or what `provender keys rotate`
    writes, signed by the key before and by this one. It carries the day on which it is handed in.
    """

    producer_id: Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$")]
    statement: dict[str, Any]


@router.get("/keys", response={200: Page[ProducerKeyOut], **REFUSALS}, auth=READ)
def list_keys(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the producers' keys, the first one first."""
    farm = book_of(request)
    named = fingerprints_in_force(farm)
    return page_of(keys_of(farm), page, lambda one: _key(one, named))


def _key(one: ProducerKey, named: frozenset[str]) -> ProducerKeyOut:
    public = PublicKey.from_jwk(one.public)
    return ProducerKeyOut(
        id=one.pk, producer_id=one.producer_id, fingerprint=one.fingerprint, short=public.short, public=public.jwk,
        holder=str(one.holder), at=one.at, replaces=one.replaces, sealed_here=bool(one.sealed),
        in_force=one.fingerprint in named,
    )  # fmt: skip


@router.post("/keys", response={201: ProducerKeyOut, **REFUSALS}, auth=WRITE)
def register_key(request: HttpRequest, body: ProducerKeyIn) -> Status[ProducerKeyOut]:
    """Put a producer's public key on file and name it in the producer's record.

    Its holder is whoever made the token.
    """
    caller = caller_of(request)
    caller.require_signer()
    farm = farm_book_of(caller.organisation)
    made = do_register_key(
        farm.book, body.producer_id, sealed=None, statement=body.statement, holder=caller.token.created_by,
        today=today(), actor=caller.actor,
    )  # fmt: skip
    return Status(201, _key(made, fingerprints_in_force(latest(farm.book))))
