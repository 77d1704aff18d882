"""The page where a farm producer makes a signing key: sealed in the browser, registered with proof, unreadable here."""

from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from provender.database.actor import today
from provender.services.farm.book import FarmBook, farm_book_of
from provender.services.farm.keys import fingerprints_in_force, key_held_by, keys_of, register_key, signing_producers
from provender.signing.keys import PublicKey
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.signing_json import answered, asked, text_of
from provender.web.tables import Cell, Column, Table, moment, page_with_tables

COLUMNS: Final = (
    Column("Key"),
    Column("Producer"),
    Column("Registered"),
    Column("By"),
    Column("Private half"),
    Column("Now"),
)


@require_http_methods(["GET", "POST"])
@of_organisation("read")
def farm_key(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the keys of the farm; a POST registers one that the page has made.

    Raises:
        PermissionDenied: somebody registers who may not sign for the farm.
    """
    farm = farm_book_of(access.organisation)
    if request.method == "POST":
        if not access.may_sign:
            raise PermissionDenied
        return answered(lambda: _register(request, access, farm))
    producers = signing_producers(farm)
    own = key_held_by(access.person, farm, (producer for producer, _ in producers))
    context = {
        "producers": producers,
        "today": today().isoformat(),
        "own": own,
        "own_jwk": PublicKey.from_jwk(own.public).jwk if own else None,
    }
    return page_with_tables(request, "farm/key.html", {"keys": _keys(farm)}, context)


def _register(request: PersonRequest, access: Access, farm: FarmBook) -> dict[str, Any]:
    found = asked(request)
    made = register_key(
        farm.book,
        text_of(found, "producer_id"),
        sealed=found.get("sealed"),
        statement=found.get("statement"),
        holder=access.person,
        today=today(),
        actor=access.actor,
    )
    short = PublicKey.from_jwk(made.public).short
    messages.success(request, f"The key {short} is registered. Tell your buyers these letters and digits by telephone.")
    return {"location": reverse("farm_key", args=(access.organisation.handle,)), "fingerprint": made.fingerprint}


def _keys(farm: FarmBook) -> Table:
    named = fingerprints_in_force(farm)
    rows = [
        [
            Cell(PublicKey.from_jwk(key.public).short, saved=key.fingerprint),
            Cell(key.producer_id),
            Cell(moment(key.at)),
            Cell(str(key.holder)),
            Cell("sealed here" if key.sealed else "on the holder's machine"),
            Cell("signs" if key.fingerprint in named else "replaced"),
        ]
        for key in keys_of(farm)
    ]
    empty = "No key yet. The farm producer makes one below, and signs reports and sale slips with it."
    return Table("keys", COLUMNS, rows, empty=empty, caption="Signing keys: compare letters and digits by telephone")
