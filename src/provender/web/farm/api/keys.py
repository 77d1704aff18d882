"""The keys of a farm's producers: which are on file, and putting one on file with its holder's own proof."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.database.actor import today
from provender.services.farm.book import farm_book_of, latest
from provender.services.farm.keys import fingerprints_in_force, keys_of
from provender.services.farm.keys import register_key as do_register_key
from provender.services.farm.views import KeyView, key_view
from provender.web.api.auth import RECORDS_READ, RECORDS_WRITE, caller_of
from provender.web.api.pages import PageQuery, page_of
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import page_of_schema, schema_of
from provender.web.farm.api.records import book_of

router = Router(tags=["keys"])
KEY = schema_of(KeyView, name="ProducerKeyOut")


class ProducerKeyIn(Schema):
    """A key to put on file; the key stays on its holder's machine.

    ``statement`` is what `provender keys register` writes, signed with the key itself, or what `provender keys rotate`
    writes, signed by the key before and by this one. It carries the day on which it is handed in.
    """

    producer_id: Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$")]
    statement: dict[str, Any]


@router.get("/keys", response={200: page_of_schema(KEY), **REFUSALS}, auth=RECORDS_READ)
def list_keys(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the producers' keys, the first one first."""
    farm = book_of(request)
    named = fingerprints_in_force(farm)
    return page_of(keys_of(farm), page, lambda one: key_view(one, named))


@router.post("/keys", response={201: KEY, **REFUSALS}, auth=RECORDS_WRITE)
def register_key(request: HttpRequest, body: ProducerKeyIn) -> Status[KeyView]:
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
    return Status(201, key_view(made, fingerprints_in_force(latest(farm.book))))
