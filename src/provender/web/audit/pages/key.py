"""The verifier's signing key: its public half, registered here so that statements are taken in under it alone."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.utils.formats import date_format
from django.views.decorators.http import require_http_methods

from provender.database.models import VerifierKey
from provender.problem import refuse
from provender.services.audits.audits import today
from provender.services.audits.lookup import check_verifies
from provender.services.audits.verifier import register_verifier_key, verifier_key
from provender.signing.canonical import read_json
from provender.signing.keys import PublicKey
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.audit.forms import KeyForm
from provender.web.deed import attempt
from provender.web.tables import Cell, Column, Table, page_with_tables

MAX_KEY = 2**16


@require_http_methods(["GET", "POST"])
@of_organisation("read", to_post="manage")
def audit_key(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the verifier's keys; a manager registers one."""
    check_verifies(access.organisation)
    form = KeyForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        made = attempt(form, lambda: _register(access, form.cleaned_data))
        if made is not None:
            short = PublicKey.from_jwk(made.public).short
            messages.success(request, f"The key {short} is registered. Those you audit see its fingerprint.")
            return redirect("audit_key", access.organisation.handle)
    context = {"form": form, "held": verifier_key(access.organisation)}
    return page_with_tables(request, "audit/key.html", {"keys": _keys(access)}, context)


def _register(access: Access, data: dict[str, Any]) -> VerifierKey:
    shown = read_json(data["file"].read(MAX_KEY), file="key")
    if not isinstance(shown, dict):
        raise refuse("key", "This is no key.", "Bring the file NAME.public.json of `provender keys new`.")
    return register_verifier_key(access.organisation, shown, reason=data["reason"], today=today(), actor=access.actor)


def _keys(access: Access) -> Table:
    columns = [Column("Key"), Column("Registered (UTC)"), Column("By"), Column("How"), Column("Now")]
    rows: list[list[Cell]] = []
    for one in VerifierKey.objects.filter(organisation=access.organisation).select_related("actor"):
        how = "Rotation signed by the key before" if one.statement else one.reason or "First key"
        day = Cell(date_format(one.at, "DATETIME_FORMAT"))
        short = Cell(PublicKey.from_jwk(one.public).short, saved=one.fingerprint)
        rows.append([short, day, Cell(str(one.actor)), Cell(how), Cell("replaced" if rows else "signs")])
    return Table("keys", columns, rows, empty="No key yet. Statements are taken in once one is registered.")
