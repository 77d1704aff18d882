"""Members of an organisation, invitations to join it, and joining it."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from provender.database.actor import Actor, today
from provender.database.choices import Area
from provender.paper.tables import Cell, Column, Table
from provender.services.accounts import organisations
from provender.services.accounts.access import Access
from provender.services.accounts.grants import (
    areas_of,
    end_review,
    grant_given,
    grant_reading,
    grants_given,
    grants_held,
    let_reviewer_in,
    review_given,
    reviews_given,
    revoke_reading,
)
from provender.services.accounts.tokens import TokenState, create_token, members_of, revoke_token, token_of
from provender.services.accounts.views import GrantView, ReviewView, grant_view, member_view, review_view, token_view
from provender.web.access import PersonRequest, of_organisation
from provender.web.inputs import GrantForm, InvitationForm, MemberForm, ReviewerForm, TokenForm, attempt
from provender.web.organisation.accounts import INVITATION
from provender.web.tables import page_with_tables


def _members(access: Access) -> Table:
    """List members; a verifier on a visit sees who they are, and not where to write to them."""
    with_email = access.membership is not None
    email = [Column("Email")] if with_email else []
    columns = [Column("Name"), *email, Column("They may"), Column("Works for"), Column("Since")]
    rows = []
    for one in map(member_view, organisations.members_with_names(access.organisation)):
        page = reverse("member", args=(access.organisation.handle, one.id)) if access.may_manage else ""
        firm = f"{one.firm} (consultant)" if one.firm else str(access.organisation)
        since = date_format(one.since, "DATE_FORMAT")
        rows.append(
            [
                Cell(one.called, page),
                *([Cell(one.email)] if with_email else []),
                Cell(one.may),
                Cell(firm),
                Cell(since),
            ]
        )
    return Table("members", columns, rows)


def _invitations(access: Access) -> Table:
    columns = [Column("For"), Column("They may"), Column("Open until"), Column("", page_only=True)]
    rows = []
    for one in organisations.open_invitations(access.organisation):
        withdraw = reverse("invitation_withdraw", args=(access.organisation.handle, one.pk))
        button = Cell("Withdraw", form=withdraw) if access.may_manage else Cell("")
        until = date_format(one.expires_at, "DATE_FORMAT")
        rows.append([Cell(one.label), Cell(one.get_right_display()), Cell(until), button])
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


@require_POST
@of_organisation("manage", to_post="manage")
def invitation_withdraw(request: PersonRequest, access: Access, pk: int) -> HttpResponseBase:
    """Close an open invitation."""
    organisations.withdraw_invitation(organisations.invitation_of(access.organisation, pk), actor=access.actor)
    messages.success(request, "The invitation is withdrawn. Its link no longer works.")
    return redirect("members", access.organisation.handle)


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


# Reviewers of a buyer, authority or accreditor: letting one in, taking it back, and the page that guides them.

FIRST: dict[Area, str] = {
    Area.REPORTS: "farm_reports",
    Area.RECORDS: "farm",
    Area.BOOKS: "custody_periods",
    Area.AUDITS: "audits_of_us",
    Area.ACCREDITATION: "audit_accreditation",
}
"""The page at which each area begins."""


def _reviewers_state(review: ReviewView) -> Cell:
    if review.revoked:
        return Cell("Taken back", chip="plain")
    if not review.is_open(today()):
        return Cell("Ended", chip="plain")
    return Cell("Open", chip="met") if review.who else Cell("Link not opened yet", chip="plain")


def _reviewers(access: Access) -> Table:
    columns = [
        Column("For"), Column("Who looks"), Column("Signed in as"), Column("May see"),
        Column("What for"), Column("Last day"), Column("State"), Column("", page_only=True),
    ]  # fmt: skip
    rows = []
    for one in map(review_view, reviews_given(access.organisation)):
        end = reverse("reviewer_end", args=(access.organisation.handle, one.id))
        button = Cell("Take back", form=end) if access.may_manage and one.is_open(today()) else Cell("")
        last = date_format(one.last_day, "DATE_FORMAT")
        rows.append([Cell(one.label), Cell(one.for_whom), Cell(one.who), Cell("; ".join(one.may_see)),
                     Cell(one.purpose), Cell(last), _reviewers_state(one), button])  # fmt: skip
    return Table("reviewers", columns, rows, empty="No reviewer has had access.")


@require_http_methods(["GET", "POST"])
@of_organisation("read", to_post="manage")
def reviewers(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List reviewers; a manager lets one in for a time and gets the link to hand over."""
    areas = areas_of(access.organisation)
    form = ReviewerForm(areas, request.POST or None)
    link = ""
    if request.method == "POST" and form.is_valid():
        made = attempt(form, lambda: let_reviewer_in(access.organisation, actor=access.actor, **form.cleaned_data))
        link = request.build_absolute_uri(reverse("join", args=(made[1],))) if made else ""
    fresh = ReviewerForm(areas) if link else form
    tables = {"reviewers": _reviewers(access)}
    return page_with_tables(request, "pages/reviewers.html", tables, {"form": fresh, "link": link})


@require_POST
@of_organisation("manage", to_post="manage")
def reviewer_end(request: PersonRequest, access: Access, pk: int) -> HttpResponseBase:
    """Take a reviewer's access back at once."""
    found = review_given(access.organisation, pk)
    end_review(found, actor=access.actor)
    messages.success(request, f"{found.label} may no longer look.")
    return redirect("reviewers", access.organisation.handle)


@require_GET
@of_organisation("read", areas=tuple(Area))
def review(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show a reviewer, on one page to print, what they may look at and how to check it without this server."""
    seen = [area for area in areas_of(access.organisation) if access.sees((area,))]
    begins = [(str(area.label), reverse(FIRST[area], args=(access.organisation.handle,)), area) for area in seen]
    held = review_view(access.review) if access.review else None
    return render(request, "pages/review.html", {"begins": begins, "areas": {str(area) for area in seen}, "held": held})
