"""Members of an organisation, invitations to join it, and joining it."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from provender.database.actor import Actor, today
from provender.database.choices import Area
from provender.paper.tables import Cell, Row, Table, heads
from provender.services.accounts import grants as grant_service
from provender.services.accounts import organisations, views
from provender.services.accounts.access import Access
from provender.services.accounts.tokens import TokenState, create_token, revoke_token, token_of
from provender.web.access import AnyPage, PersonRequest, of_organisation
from provender.web.inputs import GrantForm, InvitationForm, MemberForm, ReviewerForm, TokenForm, attempt
from provender.web.organisation.accounts import INVITATION
from provender.web.tables import page_with_tables


def button_that_ends(find: Callable[..., object], end: Callable[..., None], says: str, back: str) -> AnyPage:
    """Make the page of a button with which a manager ends something at once."""

    @require_POST
    @of_organisation("manage", to_post="manage")
    def page(request: PersonRequest, access: Access, pk: int) -> HttpResponseBase:
        found = find(access.organisation, pk)
        end(found, actor=access.actor)
        messages.success(request, says.format(found))
        return redirect(back, access.organisation.handle)

    return page


def page_that_makes(
    form_of: Callable[..., Any], make: Callable[..., Any], template: str, name: str, table: Callable[[Access], Table]
) -> AnyPage:
    """Make the page where a manager makes what has a secret, which it shows once, above a list of what there is."""

    @require_http_methods(["GET", "POST"])
    @of_organisation("manage", to_post="manage")
    def page(request: PersonRequest, access: Access) -> HttpResponseBase:
        form = form_of(request.POST or None)
        secret = ""
        if request.method == "POST" and form.is_valid():
            made = attempt(form, lambda: make(access.organisation, actor=access.actor, **form.cleaned_data))
            secret = made[1] if made else ""
        context = {"form": form_of() if secret else form, "secret": secret}
        return page_with_tables(request, template, {name: table(access)}, context)

    return page


def _button(access: Access, label: str, page: str, number: int, *, when: bool = True) -> Cell:
    href = reverse(page, args=(access.organisation.handle, number))
    return Cell(label, form=href) if access.may_manage and when else Cell("")


def _members(access: Access) -> Table:
    """List members; a verifier on a visit sees who they are, and not where to write to them."""
    email = ["Email"] if access.membership is not None else []
    rows: list[Row] = []
    for one in map(views.member_view, organisations.members_with_names(access.organisation)):
        page = reverse("member", args=(access.organisation.handle, one.id)) if access.may_manage else ""
        firm = f"{one.firm} (consultant)" if one.firm else str(access.organisation)
        since = date_format(one.since, "DATE_FORMAT")
        rows.append([Cell(one.called, page), *([one.email] if email else []), one.may, firm, since])
    return Table("members", heads("Name", *email, "They may", "Works for", "Since"), rows)


def _invitations(access: Access) -> Table:
    rows: list[Row] = [
        [one.label, one.may, date_format(one.expires_at, "DATE_FORMAT"),
         _button(access, "Withdraw", "invitation_withdraw", one.id)]
        for one in map(views.invitation_view, organisations.open_invitations(access.organisation))
    ]  # fmt: skip
    columns = heads("For", "They may", "Open until", "")
    return Table("invitations", columns, rows, empty="No invitation is open.")


@require_http_methods(["GET", "POST"])
@of_organisation("read", to_post="manage")
def members(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List members; a manager invites one more and gets the link to hand over."""
    form = InvitationForm(request.POST or None)
    link = ""
    if request.method == "POST" and form.is_valid():
        link = _invite(request, access, form)
    tables = {"members": _members(access), "invitations": _invitations(access)}
    fresh = InvitationForm() if link else form
    return page_with_tables(request, "pages/members.html", tables, {"form": fresh, "link": link})


def _invite(request: HttpRequest, access: Access, form: InvitationForm) -> str:
    data = form.cleaned_data
    made = attempt(
        form,
        lambda: organisations.invite_person(
            access.organisation, label=data["label"], right=data["right"], firm=data["firm"], actor=access.actor
        ),
    )
    return request.build_absolute_uri(reverse("join", args=(made[1],))) if made else ""


@require_http_methods(["GET", "POST"])
@of_organisation("manage", to_post="manage")
def member(request: PersonRequest, access: Access, pk: int) -> HttpResponseBase:
    """Change what a member may do."""
    one = organisations.member_of(access.organisation, pk)
    form = MemberForm(request.POST or None, initial={"right": one.right})
    if request.method == "POST" and form.is_valid():
        attempt(form, lambda: organisations.change_member(one, form.cleaned_data["right"], actor=access.actor))
        if not form.errors:
            return _after_change(request, access, str(one.person), own=one.person == request.user)
    return render(request, "pages/member.html", {"form": form, "member": one})


@require_POST
@of_organisation("manage", to_post="manage")
def member_remove(request: PersonRequest, access: Access, pk: int) -> HttpResponseBase:
    """End a membership."""
    one = organisations.member_of(access.organisation, pk)
    organisations.remove_member(one, actor=access.actor)
    return _after_change(request, access, str(one.person), own=one.person == request.user)


def _after_change(request: PersonRequest, access: Access, person: str, *, own: bool) -> HttpResponseBase:
    messages.success(request, f"Saved: {person}.")
    # Somebody who removed or lowered themselves may no longer see the list.
    return redirect("home") if own else redirect("members", access.organisation.handle)


invitation_withdraw = button_that_ends(
    organisations.invitation_of,
    organisations.withdraw_invitation,
    "The invitation is withdrawn. Its link no longer works.",
    "members",
)


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, secret: str) -> HttpResponseBase:
    """Show an invitation and accept it.

    Raises:
        Http404: the invitation was used, withdrawn or is too old.
    """
    invitation = organisations.open_invitation(secret)
    if invitation is None:
        raise Http404
    request.session[INVITATION] = secret
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect("account_login")
        person = organisations.signed_in(request.user)
        organisations.accept_invitation(invitation, person, actor=Actor(person, "web"))
        del request.session[INVITATION]
        if invitation.review is None:
            messages.success(request, f"You are a member of {invitation.organisation} now.")
        else:
            messages.success(request, f"You may look at pages of {invitation.organisation} now.")
        return redirect("organisation", invitation.organisation.handle)
    return render(request, "pages/join.html", {"invitation": invitation})


# Who may read or act from outside: verifiers for a time, and programs by their tokens.


def _state(grant: views.GrantView) -> Cell:
    day = today()
    if grant.revoked:
        return Cell("Taken back", chip="plain")
    if day < grant.first_day:
        return Cell("Not yet", chip="plain")
    return Cell("Open", chip="met") if day <= grant.last_day else Cell("Ended", chip="plain")


def _days(grant: views.GrantView) -> tuple[str, str]:
    return date_format(grant.first_day, "DATE_FORMAT"), date_format(grant.last_day, "DATE_FORMAT")


def _grants(access: Access) -> Table:
    rows: list[Row] = []
    for one in map(views.grant_view, grant_service.grants_given(access.organisation)):
        ahead = not one.revoked and one.last_day >= today()
        button = _button(access, "Take back", "grant_revoke", one.id, when=ahead)
        rows.append([one.verifier, one.purpose, *_days(one), _state(one), button])
    columns = heads("Verifier", "What for", "First day", "Last day", "State", "")
    return Table("verifier access", columns, rows, empty="No verifier has had access.")


def _grants_held_table(access: Access) -> Table:
    rows: list[Row] = []
    for one in map(views.grant_view, grant_service.grants_held(access.organisation)):
        state = _state(one)
        href = reverse("organisation", args=(one.code,)) if state.text == "Open" else ""
        rows.append([Cell(one.audited, href), one.purpose, *_days(one), state])
    columns = heads("Organization", "What for", "First day", "Last day", "State")
    return Table("access held", columns, rows, empty="Nobody has let you in yet. Give them your code.")


@require_http_methods(["GET", "POST"])
@of_organisation("read", to_post="manage")
def grants(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List grants; a manager lets a verifier in for a time."""
    form = GrantForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        grant = attempt(
            form, lambda: grant_service.grant_reading(access.organisation, actor=access.actor, **form.cleaned_data)
        )
        if grant:
            messages.success(request, f"{grant.verifier} may read until {date_format(grant.last_day, 'DATE_FORMAT')}.")
            return redirect("grants", access.organisation.handle)
    verifies = access.organisation.roles.filter(role="verifier").exists()
    tables = {"grants": _grants(access), **({"held": _grants_held_table(access)} if verifies else {})}
    return page_with_tables(request, "pages/grants.html", tables, {"form": form})


grant_revoke = button_that_ends(
    grant_service.grant_given, grant_service.revoke_reading, "{0.verifier} may no longer read.", "grants"
)


def _tokens(access: Access) -> Table:
    rows: list[Row] = []
    for one in map(views.token_view, access.organisation.tokens.select_related("created_by")):
        state = Cell(str(one.state).capitalize(), chip="met" if one.state is TokenState.WORKS else "plain")
        button = _button(access, "Revoke", "token_revoke", one.id, when=not one.revoked)
        day = date_format(one.expires_on, "DATE_FORMAT")
        rows.append([one.name, ", ".join(one.scopes), f"…{one.hint}", day, state, button])
    columns = heads("What for", "It may", "Ends in", "Last day", "State", "")
    return Table("api tokens", columns, rows, empty="No token yet. Programs need one; people do not.")


tokens = page_that_makes(TokenForm, create_token, "pages/tokens.html", "tokens", _tokens)
token_revoke = button_that_ends(token_of, revoke_token, "The token no longer works.", "tokens")


# Reviewers of a buyer, authority or accreditor: letting one in, taking it back, and the page that guides them.

_FIRST: dict[Area, str] = {
    Area.REPORTS: "farm_reports",
    Area.RECORDS: "farm",
    Area.BOOKS: "custody_periods",
    Area.AUDITS: "audits_of_us",
    Area.ACCREDITATION: "audit_accreditation",
}
"""The page at which each area begins."""


def _reviewers_state(review: views.ReviewView) -> Cell:
    if review.revoked:
        return Cell("Taken back", chip="plain")
    if not review.is_open(today()):
        return Cell("Ended", chip="plain")
    return Cell("Open", chip="met") if review.who else Cell("Link not opened yet", chip="plain")


def _reviewers(access: Access) -> Table:
    rows: list[Row] = []
    for one in map(views.review_view, grant_service.reviews_given(access.organisation)):
        button = _button(access, "Take back", "reviewer_end", one.id, when=one.is_open(today()))
        last, seen = date_format(one.last_day, "DATE_FORMAT"), "; ".join(str(area.label) for area in one.areas)
        kind = str(one.kind.label)
        rows.append([one.label, kind, one.who, seen, one.purpose, last, _reviewers_state(one), button])
    columns = heads("For", "Who looks", "Signed in as", "May see", "What for", "Last day", "State", "")
    return Table("reviewers", columns, rows, empty="No reviewer has had access.")


@require_http_methods(["GET", "POST"])
@of_organisation("read", to_post="manage")
def reviewers(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List reviewers; a manager lets one in for a time and gets the link to hand over."""
    areas = grant_service.areas_of(access.organisation)
    form = ReviewerForm(areas, request.POST or None)
    link = ""
    if request.method == "POST" and form.is_valid():
        made = attempt(
            form, lambda: grant_service.let_reviewer_in(access.organisation, actor=access.actor, **form.cleaned_data)
        )
        link = request.build_absolute_uri(reverse("join", args=(made[1],))) if made else ""
    fresh = ReviewerForm(areas) if link else form
    tables = {"reviewers": _reviewers(access)}
    return page_with_tables(request, "pages/reviewers.html", tables, {"form": fresh, "link": link})


reviewer_end = button_that_ends(
    grant_service.review_given, grant_service.end_review, "{0.label} may no longer look.", "reviewers"
)


@require_GET
@of_organisation("read", areas=tuple(Area))
def review(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show a reviewer, on one page to print, what they may look at and how to check it without this server."""
    seen = [area for area in grant_service.areas_of(access.organisation) if access.sees((area,))]
    begins = [(str(area.label), reverse(_FIRST[area], args=(access.organisation.handle,)), area) for area in seen]
    held = views.review_view(access.review) if access.review else None
    return render(request, "pages/review.html", {"begins": begins, "areas": {str(area) for area in seen}, "held": held})
