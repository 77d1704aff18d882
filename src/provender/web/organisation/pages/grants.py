"""Who may read or act from outside: verifiers for a time, and programs by their tokens."""

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_http_methods, require_POST

from provender.database.actor import today
from provender.services.accounts.grants import grant_given, grant_reading, grants_given, grants_held, revoke_reading
from provender.services.accounts.tokens import TokenState, create_token, members_of, revoke_token, token_of
from provender.services.accounts.views import GrantView, grant_view, token_view
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.inputs import GrantForm, TokenForm, attempt
from provender.web.tables import Cell, Column, Table, page_with_tables


def _state(grant: GrantView) -> Cell:
    day = today()
    if grant.revoked:
        return Cell("Taken back", chip="plain")
    if day < grant.first_day:
        return Cell("Not yet", chip="plain")
    return Cell("Open", chip="met") if day <= grant.last_day else Cell("Ended", chip="plain")


def _grants(access: Access) -> Table:
    columns = [
        Column("Verifier"),
        Column("What for"),
        Column("First day"),
        Column("Last day"),
        Column("State"),
        Column("", page_only=True),
    ]
    rows = []
    for grant in map(grant_view, grants_given(access.organisation)):
        revoke = reverse("grant_revoke", args=(access.organisation.handle, grant.id))
        ahead = not grant.revoked and grant.last_day >= today()
        button = Cell("Take back", form=revoke) if access.may_manage and ahead else Cell("")
        days = [Cell(date_format(day, "DATE_FORMAT")) for day in (grant.first_day, grant.last_day)]
        rows.append([Cell(grant.verifier), Cell(grant.purpose), *days, _state(grant), button])
    return Table("verifier access", columns, rows, empty="No verifier has had access.")


def _held(access: Access) -> Table:
    columns = [
        Column("Organization"),
        Column("What for"),
        Column("First day"),
        Column("Last day"),
        Column("State"),
    ]
    rows = []
    for grant in map(grant_view, grants_held(access.organisation)):
        state = _state(grant)
        href = reverse("organisation", args=(grant.code,)) if state.text == "Open" else ""
        days = [Cell(date_format(day, "DATE_FORMAT")) for day in (grant.first_day, grant.last_day)]
        rows.append([Cell(grant.audited, href), Cell(grant.purpose), *days, state])
    return Table("access held", columns, rows, empty="Nobody has let you in yet. Give them your code.")


@require_http_methods(["GET", "POST"])
@of_organisation("read", to_post="manage")
def grants(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List grants; a manager lets a verifier in for a time."""
    form = GrantForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        grant = attempt(form, lambda: grant_reading(access.organisation, actor=access.actor, **form.cleaned_data))
        if grant:
            messages.success(request, f"{grant.verifier} may read until {date_format(grant.last_day, 'DATE_FORMAT')}.")
            return redirect("grants", access.organisation.handle)
    verifies = access.organisation.roles.filter(role="verifier").exists()
    tables = {"grants": _grants(access), **({"held": _held(access)} if verifies else {})}
    return page_with_tables(request, "pages/grants.html", tables, {"form": form})


@require_POST
@of_organisation("manage", to_post="manage")
def grant_revoke(request: PersonRequest, access: Access, pk: int) -> HttpResponseBase:
    """Take access back at once."""
    found = grant_given(access.organisation, pk)
    revoke_reading(found, actor=access.actor)
    messages.success(request, f"{found.verifier} may no longer read.")
    return redirect("grants", access.organisation.handle)


def _tokens(access: Access) -> Table:
    columns = [
        Column("What for"),
        Column("It may"),
        Column("Ends in"),
        Column("Last day"),
        Column("State"),
        Column("", page_only=True),
    ]
    rows, members = [], members_of(access.organisation)
    for token in (token_view(row, members) for row in access.organisation.tokens.all()):
        state = Cell(str(token.state).capitalize(), chip="met" if token.state is TokenState.WORKS else "plain")
        revoke = reverse("token_revoke", args=(access.organisation.handle, token.id))
        button = Cell("Revoke", form=revoke) if not token.revoked else Cell("")
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
    revoke_token(token_of(access.organisation, pk), actor=access.actor)
    messages.success(request, "The token no longer works.")
    return redirect("tokens", access.organisation.handle)
