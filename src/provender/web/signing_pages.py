"""What the signing script of a page and the server say to each other: small JSON, problems in words."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, JsonResponse

from provender.database.actor import today
from provender.paper.tables import Cell, Row, Table, heads
from provender.problem import ProblemsError, refuse
from provender.services.accounts.access import Access
from provender.services.organisation_keys import Key, Ring, may_replace
from provender.signing.canonical import read_json
from provender.signing.keys import PublicKey
from provender.web.access import PersonRequest
from provender.web.tables import days_said, moment

_REFUSED = 409


def asked(request: HttpRequest) -> dict[str, Any]:
    """Return the JSON object of a request.

    Raises:
        ProblemsError: there is none.
    """
    found = read_json(request.body, file="request")
    if not isinstance(found, dict):
        raise refuse("request", "The request is no JSON object.", "Load the page again.")
    return found


def answered(deed: Callable[[], dict[str, Any]]) -> JsonResponse:
    """Call a deed and answer with what it returns, or with its problems and status 409."""
    try:
        return JsonResponse(deed())
    except ProblemsError as refused:
        told = [
            {"cause": days_said(one.cause), "remedy": days_said(one.remedy), "cite": one.cite}
            for one in refused.problems
        ]
        return JsonResponse({"problems": told}, status=_REFUSED)


def text_of(found: dict[str, Any], name: str) -> str:
    """Return a text of the request, empty where there is none."""
    value = found.get(name, "")
    return value if isinstance(value, str) else ""


# What the pages of an organisation's signing key share: the key made in the browser, taken in, and listed.


def sealed_key(access: Access, ring: Ring[Key]) -> dict[str, Any]:
    """Return the key in use that lies sealed for whoever looks, for a page that signs; nothing where it does not."""
    own = ring.held_by(access.person, access.organisation) if access.may_sign else None
    return {"own": own, "own_jwk": PublicKey.from_jwk(own.public).jwk if own else None}


def key_context(access: Access, ring: Ring[Key]) -> dict[str, Any]:
    """Return what the form needs in which a key is made or replaced."""
    held = ring.in_use(access.organisation)
    may = access.may_sign and (held is None or may_replace(access.organisation, access.person, held.actor))
    known = {"held": held, "may_replace": may, "today": today().isoformat(), "signer": ring.signer}
    return known | sealed_key(access, ring)


def register_here(
    request: PersonRequest, access: Access, ring: Ring[Key], *, address: str, told: str
) -> dict[str, Any]:
    """Register the key that the page made and sealed, and say so."""
    found = asked(request)
    made = ring.register_sealed(
        access.organisation, sealed=found.get("sealed"), statement=found.get("statement"),
        lost=text_of(found, "lost") == "yes", today=today(), actor=access.actor,
    )  # fmt: skip
    say_registered(request, made.public, told)
    return {"location": address, "fingerprint": made.fingerprint}


def say_registered(request: PersonRequest, public: dict[str, Any], told: str) -> None:
    """Tell whoever looks that a key is registered, and who is to know."""
    messages.success(request, f"The key {PublicKey.from_jwk(public).short} is registered. {told}")


def keys_table(access: Access, ring: Ring[Key], *, empty: str) -> Table:
    """Return the keys of an organisation, newest first."""
    rows: list[Row] = []
    for one in ring.of(access.organisation):
        how = "Rotation signed by the key before" if one.statement else one.reason or "First key"
        short = Cell(PublicKey.from_jwk(one.public).short, saved=one.fingerprint)
        where = f"sealed here for {one.actor}" if one.sealed else "on the holder's machine"
        rows.append([short, moment(one.at), str(one.actor), how, where, "replaced" if rows else "signs"])
    return Table("keys", heads("Key", "Registered", "By", "How", "Private half", "Now"), rows, empty=empty)
