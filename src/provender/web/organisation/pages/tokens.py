"""API tokens of an organisation."""

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_http_methods, require_POST

from provender.database.models import ApiToken
from provender.services.accounts.tokens import TokenState, create_token, members_of, revoke_token, state_of
from provender.web.access import Access, PersonRequest, access_owned, of_organisation
from provender.web.deed import attempt
from provender.web.inputs import TokenForm
from provender.web.tables import Cell, Column, Table, page_with_tables


def _tokens(access: Access) -> Table:
    columns = [
        Column("What for"),
        Column("May"),
        Column("Ends in"),
        Column("Last day"),
        Column("State"),
        Column("", page_only=True),
    ]
    rows, members = [], members_of(access.organisation)
    for token in access.organisation.tokens.all():
        stands = state_of(token, members)
        state = Cell(str(stands).capitalize(), chip="met" if stands is TokenState.WORKS else "plain")
        revoke = reverse("token_revoke", args=(access.organisation.handle, token.pk))
        button = Cell("Revoke", form=revoke) if token.revoked_at is None else Cell("")
        day = date_format(token.expires_on, "DATE_FORMAT")
        rows.append([Cell(token.name), Cell(", ".join(token.scopes)), Cell(f"…{token.hint}"), Cell(day), state, button])
    return Table("api tokens", columns, rows, empty="No token yet. Programs need one; people do not.")


@require_http_methods(["GET", "POST"])
@of_organisation("manage", to_post="manage")
def tokens(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List tokens; make one and show its secret once."""
    form = TokenForm(request.POST or None)
    secret = ""
    if request.method == "POST" and form.is_valid():
        made = attempt(form, lambda: create_token(access.organisation, actor=access.actor, **form.cleaned_data))
        secret = made[1] if made else ""
    fresh = TokenForm() if secret else form
    context = {"form": fresh, "secret": secret}
    return page_with_tables(request, "pages/tokens.html", {"tokens": _tokens(access)}, context)


@require_POST
@of_organisation("manage", to_post="manage")
def token_revoke(request: PersonRequest, access: Access, pk: int) -> HttpResponseBase:
    """End a token at once."""
    revoke_token(access_owned(access, ApiToken, pk=pk), actor=access.actor)
    messages.success(request, "The token no longer works.")
    return redirect("tokens", access.organisation.handle)
