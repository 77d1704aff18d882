"""Members of the organisation, and invitations to join it. What a token may give and take here, its scopes bound."""

from datetime import datetime

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status

from provender.database.choices import Right, Scope
from provender.services.accounts.invitations import invitation_of, invite_person, open_invitations
from provender.services.accounts.invitations import withdraw_invitation as do_withdraw_invitation
from provender.services.accounts.organisations import change_member as do_change_member
from provender.services.accounts.organisations import member_of, members_with_names, organisation_coded
from provender.services.accounts.organisations import remove_member as do_remove_member
from provender.services.accounts.tokens import check_gives
from provender.services.accounts.views import InvitationView, MemberView, invitation_view, member_view
from provender.web.api.auth import Needs, caller_of
from provender.web.api.pages import Page, PageQuery, page_of
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import Code, Id, OneLine

router = Router(tags=["organisation"])
READ, WRITE = Needs(Scope.ORGANISATION_READ), Needs(Scope.MEMBERS_WRITE)


class MemberOut(Schema):
    """A member and what they may do."""

    id: int
    name: str
    email: str
    right: str
    firm: str
    since: datetime


class RightIn(Schema):
    """What a member may do from now on."""

    right: Right


class InvitationIn(Schema):
    """Whom to invite and with what right; ``firm`` is the code of a consultant's own firm."""

    label: OneLine
    right: Right
    firm: Code = ""


class InvitationOut(Schema):
    """An invitation that nobody has accepted yet."""

    id: int
    label: str
    right: str
    expires_at: datetime


class InvitationMade(InvitationOut):
    """An invitation as made; ``path`` is shown this once."""

    path: str


def _member(row: MemberView) -> MemberOut:
    return MemberOut(**row._asdict())


@router.get("/members", response={200: Page[MemberOut], **REFUSALS}, auth=READ)
def list_members(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the members."""
    rows = members_with_names(caller_of(request).organisation)
    return page_of(rows, page, lambda row: _member(member_view(row)))


@router.get("/members/{number}", response={200: MemberOut, **REFUSALS}, auth=READ)
def get_member(request: HttpRequest, number: Id) -> MemberOut:
    """Return one member."""
    return _member(member_view(member_of(caller_of(request).organisation, number)))


@router.post("/members/{number}", response={201: MemberOut, **REFUSALS}, auth=WRITE)
def change_member(request: HttpRequest, number: Id, body: RightIn) -> Status[MemberOut]:
    """Change what a member may do. Neither the old nor the new right may go beyond the token's scopes."""
    caller = caller_of(request)
    one = member_of(caller.organisation, number)
    check_gives(caller.token, one.right)
    check_gives(caller.token, body.right)
    do_change_member(one, body.right, actor=caller.actor)
    return Status(201, _member(member_view(one)))


@router.post("/members/{number}/removal", response={201: MemberOut, **REFUSALS}, auth=WRITE)
def remove_member(request: HttpRequest, number: Id) -> Status[MemberOut]:
    """End a membership whose right does not go beyond the token's scopes; the answer is the member as they were."""
    caller = caller_of(request)
    one = member_of(caller.organisation, number)
    check_gives(caller.token, one.right)
    was = _member(member_view(one))
    do_remove_member(one, actor=caller.actor)
    return Status(201, was)


@router.get("/invitations", response={200: Page[InvitationOut], **REFUSALS}, auth=READ)
def list_invitations(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the invitations that are still open, without their links."""
    return page_of(
        open_invitations(caller_of(request).organisation), page, lambda row: _invitation(invitation_view(row))
    )


def _invitation(one: InvitationView) -> InvitationOut:
    return InvitationOut(**one._asdict())


@router.post("/invitations", response={201: InvitationMade, **REFUSALS}, auth=WRITE)
def invite(request: HttpRequest, body: InvitationIn) -> Status[InvitationMade]:
    """Invite somebody with a right that does not go beyond the token's scopes; hand the path over to them."""
    caller = caller_of(request)
    check_gives(caller.token, body.right)
    firm = organisation_coded(body.firm, column="firm") if body.firm else None
    made, secret = invite_person(caller.organisation, label=body.label, right=body.right, firm=firm, actor=caller.actor)
    return Status(201, InvitationMade(**invitation_view(made)._asdict(), path=f"/join/{secret}/"))


@router.post("/invitations/{number}/withdrawal", response={201: InvitationOut, **REFUSALS}, auth=WRITE)
def withdraw_invitation(request: HttpRequest, number: Id) -> Status[InvitationOut]:
    """Close an invitation that nobody has accepted yet."""
    caller = caller_of(request)
    one = invitation_of(caller.organisation, number)
    do_withdraw_invitation(one, actor=caller.actor)
    return Status(201, _invitation(invitation_view(one)))
