"""The page where a farm producer makes a signing key: sealed in the browser, registered with proof, unreadable here."""

from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseBase
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_http_methods

from provender.database.models import ProducerKey
from provender.records import KINDS
from provender.services.farm.keys import key_named, register_key
from provender.services.farm.records import FarmBook
from provender.services.farm.verdicts import today
from provender.services.reports.drafts import registered_fingerprint
from provender.signing.keys import PublicKey
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.farm.context import farm_book
from provender.web.farm.pages.report_json import answered, asked, text_of
from provender.web.tables import Cell, Column, Table, page_with_tables

COLUMNS: Final = (
    Column("Key"),
    Column("Producer"),
    Column("Registered (UTC)"),
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
    farm = farm_book(access)
    if request.method == "POST":
        if not access.may_sign:
            raise PermissionDenied
        return answered(lambda: _register(request, access, farm))
    producers = _producers(farm)
    own = _own(farm, access)
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


def _producers(farm: FarmBook) -> list[tuple[str, str]]:
    """Return the producers in operational control: only they sign (2100.031(c)(3))."""
    rows = farm.of(KINDS["producer"])
    return [(key, str(row.get("name") or key)) for key, row in rows.items() if row.get("operational_control") == "yes"]


def in_force(farm: FarmBook) -> frozenset[str]:
    """Return the fingerprints that the producers' records name."""
    return frozenset(str(row.get("key_fingerprint") or "") for row in farm.of(KINDS["producer"]).values())


def _own(farm: FarmBook, access: Access) -> ProducerKey | None:
    """Return the sealed key in force that the person holds, if any."""
    keys = [key_named(access.organisation, registered_fingerprint(farm, producer)) for producer, _ in _producers(farm)]
    return next((key for key in keys if key and key.holder_id == access.person.pk and key.sealed), None)


def _keys(farm: FarmBook) -> Table:
    named = in_force(farm)
    rows = [
        [
            Cell(PublicKey.from_jwk(key.public).short, saved=key.fingerprint),
            Cell(key.producer_id),
            Cell(date_format(key.at, "DATETIME_FORMAT")),
            Cell(str(key.holder)),
            Cell("sealed here" if key.sealed else "on the holder's machine"),
            Cell("signs" if key.fingerprint in named else "replaced"),
        ]
        for key in ProducerKey.objects.filter(organisation=farm.book.organisation).select_related("holder")
    ]
    empty = "No key yet. The farm producer makes one below, and signs reports and sale slips with it."
    return Table("keys", COLUMNS, rows, empty=empty, caption="Signing keys: compare letters and digits by telephone")
