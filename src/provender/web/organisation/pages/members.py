"""Members of an organisation, invitations to join it, and joining it."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_http_methods, require_POST

from provender.database.actor import Actor
from provender.services.accounts.invitations import (
    accept_invitation,
    invitation_of,
    invite_person,
    open_invitation,
    open_invitations,
    withdraw_invitation,
)
from provender.services.accounts.organisations import change_member, member_of, members_with_names, remove_member
from provender.services.accounts.people import signed_in
from provender.services.accounts.views import member_view
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.inputs import InvitationForm, MemberForm, attempt
from provender.web.organisation.accounts import INVITATION
from provender.web.tables import Cell, Column, Table, page_with_tables


def _members(access: Access) -> Table:
    """List members; a verifier on a visit sees who they are, and not where to write to them."""
    with_email = access.membership is not None
    email = [Column("Email")] if with_email else []
    columns = [Column("Name"), *email, Column("They may"), Column("Works for"), Column("Since")]
    rows = []
    for one in map(member_view, members_with_names(access.organisation)):
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
    for one in open_invitations(access.organisation):
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
        lambda: invite_person(
            access.organisation, label=data["label"], right=data["right"], firm=data["firm"], actor=access.actor
        ),
    )
    return request.build_absolute_uri(reverse("join", args=(made[1],))) if made else ""


@require_http_methods(["GET", "POST"])
@of_organisation("manage", to_post="manage")
def member(request: PersonRequest, access: Access, pk: int) -> HttpResponseBase:
    """Change what a member may do."""
    one = member_of(access.organisation, pk)
    form = MemberForm(request.POST or None, initial={"right": one.right})
    if request.method == "POST" and form.is_valid():
        attempt(form, lambda: change_member(one, form.cleaned_data["right"], actor=access.actor))
        if not form.errors:
            return _after_change(request, access, str(one.person), own=one.person == request.user)
    return render(request, "pages/member.html", {"form": form, "member": one})


@require_POST
@of_organisation("manage", to_post="manage")
def member_remove(request: PersonRequest, access: Access, pk: int) -> HttpResponseBase:
    """End a membership."""
    one = member_of(access.organisation, pk)
    remove_member(one, actor=access.actor)
    return _after_change(request, access, str(one.person), own=one.person == request.user)


def _after_change(request: PersonRequest, access: Access, person: str, *, own: bool) -> HttpResponseBase:
    messages.success(request, f"Saved: {person}.")
    # Somebody who removed or lowered themselves may no longer see the list.
    return redirect("home") if own else redirect("members", access.organisation.handle)


@require_POST
@of_organisation("manage", to_post="manage")
def invitation_withdraw(request: PersonRequest, access: Access, pk: int) -> HttpResponseBase:
    """Close an open invitation."""
    withdraw_invitation(invitation_of(access.organisation, pk), actor=access.actor)
    messages.success(request, "The invitation is withdrawn. Its link no longer works.")
    return redirect("members", access.organisation.handle)


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, secret: str) -> HttpResponseBase:
    """Show an invitation and accept it.

    Raises:
        Http404: the invitation was used, withdrawn or is too old.
    """
    invitation = open_invitation(secret)
    if invitation is None:
        raise Http404
    request.session[INVITATION] = secret
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect("account_login")
        person = signed_in(request.user)
        accept_invitation(invitation, person, actor=Actor(person, "web"))
        del request.session[INVITATION]
        if invitation.review is None:
            messages.success(request, f"You are a member of {invitation.organisation} now.")
        else:
            messages.success(request, f"You may look at pages of {invitation.organisation} now.")
        return redirect("organisation", invitation.organisation.handle)
    return render(request, "pages/join.html", {"invitation": invitation})
