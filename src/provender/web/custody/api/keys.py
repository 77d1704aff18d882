"""The public keys under which a party of custody signs its documents; a private key stays where it was made."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Status

from provender.services.custody.sealed_signing import KEYS
from provender.web.api.auth import caller_of
from provender.web.api.organisation_keys import KEY, KeyIn
from provender.web.api.pages import PageQuery, page_of
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import page_of_schema, shown
from provender.web.custody.api.context import READ, WRITE, desk_of

router = Router(tags=["custody"])


@router.get("/custody/keys", response={200: page_of_schema(KEY), **REFUSALS}, auth=READ)
def list_party_keys(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the public keys that the organization registered, the first one first; the last one signs."""
    owner = desk_of(request).organisation
    return page_of(KEYS.of(owner), page, lambda key: shown(KEYS.view(owner, key)))


@router.post("/custody/keys", response={201: KEY, **REFUSALS}, auth=WRITE)
def register_party_key(request: HttpRequest, body: KeyIn) -> Status[Any]:
    """Register a public key, or the next one by rotation. A private key is refused; the token's maker must sign."""
    caller_of(request).require_signer()
    desk = desk_of(request)
    made = KEYS.register(desk.organisation, body.shown, reason=body.reason, today=desk.today, actor=desk.actor)
    return Status(201, shown(KEYS.view(desk.organisation, made)))
