"""Members of the organisation, and invitations to join it. What a token may give and take here, its scopes bound."""

from dataclasses import asdict, dataclass
from datetime import date
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.database.choices import Area, ReviewerKind, Right, Scope
from provender.services.accounts import grants, organisations, tokens, views
from provender.web.api.problems import REFUSALS, Code, Id, Needs, OneLine, caller_of
from provender.web.api.schema import Page, PageQuery, page_of

router = Router(tags=["organisation"])
READ, WRITE = Needs(Scope.ORGANISATION_READ), Needs(Scope.MEMBERS_WRITE)
_ACCESS, _TOKENS = Needs(Scope.ACCESS_WRITE), Needs(Scope.TOKENS_WRITE)


class RightIn(Schema):
    """What a member may do from now on."""

    right: Right


class InvitationIn(Schema):
    """Whom to invite and with what right; ``firm`` is the code of a consultant's own firm."""

    label: OneLine
    right: Right
    firm: Code = ""


@dataclass(frozen=True, slots=True)
class InvitationMade(views.InvitationView):
    """An invitation as made; ``path`` is shown this once."""

    path: str


@router.get("/members", response={200: Page[views.MemberView], **REFUSALS}, auth=READ)
def list_members(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the members."""
    return page_of(organisations.members_with_names(caller_of(request).organisation), page, views.member_view)


@router.get("/members/{number}", response={200: views.MemberView, **REFUSALS}, auth=READ)
def get_member(request: HttpRequest, number: Id) -> views.MemberView:
    """Return one member."""
    return views.member_view(organisations.member_of(caller_of(request).organisation, number))


@router.post("/members/{number}", response={201: views.MemberView, **REFUSALS}, auth=WRITE)
def change_member(request: HttpRequest, number: Id, body: RightIn) -> Status[views.MemberView]:
    """Change what a member may do. Neither the old nor the new right may go beyond the token's scopes."""
    caller = caller_of(request)
    one = organisations.member_of(caller.organisation, number)
    tokens.check_gives(caller.token, one.right)
    tokens.check_gives(caller.token, body.right)
    organisations.change_member(one, body.right, actor=caller.actor)
    return Status(201, views.member_view(one))


@router.post("/members/{number}/removal", response={201: views.MemberView, **REFUSALS}, auth=WRITE)
def remove_member(request: HttpRequest, number: Id) -> Status[views.MemberView]:
    """End a membership whose right does not go beyond the token's scopes; the answer is the member as they were."""
    caller = caller_of(request)
    one = organisations.member_of(caller.organisation, number)
    tokens.check_gives(caller.token, one.right)
    was = views.member_view(one)
    organisations.remove_member(one, actor=caller.actor)
    return Status(201, was)


@router.get("/invitations", response={200: Page[views.InvitationView], **REFUSALS}, auth=READ)
def list_invitations(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the invitations that are still open, without their links."""
    return page_of(organisations.open_invitations(caller_of(request).organisation), page, views.invitation_view)


@router.post("/invitations", response={201: InvitationMade, **REFUSALS}, auth=WRITE)
def invite(request: HttpRequest, body: InvitationIn) -> Status[InvitationMade]:
    """Invite somebody with a right that does not go beyond the token's scopes; hand the path over to them."""
    caller = caller_of(request)
    tokens.check_gives(caller.token, body.right)
    firm = organisations.organisation_coded(body.firm, column="firm") if body.firm else None
    made, secret = organisations.invite_person(
        caller.organisation, label=body.label, right=body.right, firm=firm, actor=caller.actor
    )
    return Status(201, InvitationMade(**asdict(views.invitation_view(made)), path=f"/join/{secret}/"))


@router.post("/invitations/{number}/withdrawal", response={201: views.InvitationView, **REFUSALS}, auth=WRITE)
def withdraw_invitation(request: HttpRequest, number: Id) -> Status[views.InvitationView]:
    """Close an invitation that nobody has accepted yet."""
    caller = caller_of(request)
    one = organisations.invitation_of(caller.organisation, number)
    organisations.withdraw_invitation(one, actor=caller.actor)
    return Status(201, views.invitation_view(one))


# Which verifiers may read, and when; the tokens of programs: what there is, making a narrower one, revoking one.


class GrantIn(Schema):
    """Which verifier may read, for how long and what for."""

    verifier: Code
    purpose: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
    first_day: date
    last_day: date


@router.get("/grants", response={200: Page[views.GrantView], **REFUSALS}, auth=READ)
def list_grants(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the verifiers that the organization ever let in."""
    return page_of(grants.grants_given(caller_of(request).organisation), page, views.grant_view)


@router.get("/grants/held", response={200: Page[views.GrantView], **REFUSALS}, auth=READ)
def list_grants_held(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the organizations that ever let this verifier in."""
    return page_of(grants.grants_held(caller_of(request).organisation), page, views.grant_view)


@router.post("/grants", response={201: views.GrantView, **REFUSALS}, auth=_ACCESS)
def give_access(request: HttpRequest, body: GrantIn) -> Status[views.GrantView]:
    """Let a verifier read everything for a time; the token itself must be one that may read everything."""
    caller = caller_of(request)
    tokens.check_gives(caller.token, Right.READ)
    made = grants.grant_reading(
        caller.organisation,
        organisations.organisation_coded(body.verifier, column="verifier"),
        first_day=body.first_day,
        last_day=body.last_day,
        purpose=body.purpose,
        actor=caller.actor,
    )
    return Status(201, views.grant_view(made))


@router.post("/grants/{number}/revocation", response={201: views.GrantView, **REFUSALS}, auth=_ACCESS)
def take_access_back(request: HttpRequest, number: Id) -> Status[views.GrantView]:
    """Take a verifier's access back at once."""
    caller = caller_of(request)
    one = grants.grant_given(caller.organisation, number)
    grants.revoke_reading(one, actor=caller.actor)
    return Status(201, views.grant_view(one))


class TokenIn(Schema):
    """What a token is for, what it may do, and its last day."""

    name: Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$")]
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=len(Scope))]
    expires_on: date


@dataclass(frozen=True, slots=True)
class TokenMade(views.TokenView):
    """A token as made; ``secret`` is shown this once and not kept."""

    secret: str


@router.get("/tokens", response={200: Page[views.TokenView], **REFUSALS}, auth=READ)
def list_tokens(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the tokens of the organization, without their secrets."""
    made = caller_of(request).organisation.tokens.select_related("created_by")
    return page_of(made, page, views.token_view)


@router.post("/tokens", response={201: TokenMade, **REFUSALS}, auth=_TOKENS)
def create_token(request: HttpRequest, body: TokenIn) -> Status[TokenMade]:
    """Make a token: with scopes of this one but ``tokens:write``, and no longer than it. It ends when this one does."""
    caller = caller_of(request)
    made, secret = tokens.create_token(
        caller.organisation,
        name=body.name,
        scopes=body.scopes,
        expires_on=body.expires_on,
        actor=caller.actor,
        made_with=caller.token,
    )
    return Status(201, TokenMade(**asdict(views.token_view(made)), secret=secret))


@router.post("/tokens/{number}/revocation", response={201: views.TokenView, **REFUSALS}, auth=_TOKENS)
def revoke_token(request: HttpRequest, number: Id) -> Status[views.TokenView]:
    """End a token at once, and those made with it; any token of the organization, this one too."""
    caller = caller_of(request)
    one = tokens.token_of(caller.organisation, number)
    tokens.revoke_token(one, actor=caller.actor)
    one.refresh_from_db()
    return Status(201, views.token_view(one))


# Reviewers of buyers, authorities and accreditors: who may look at what until when; letting one in, taking it back.


class ReviewerIn(Schema):
    """Whom to let look, at which areas, what for and until when."""

    label: OneLine
    kind: ReviewerKind
    areas: Annotated[list[Area], Field(min_length=1, max_length=len(Area))]
    purpose: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
    last_day: date


@dataclass(frozen=True, slots=True)
class ReviewerMade(views.ReviewView):
    """A reviewer's access as made; ``path`` is the link to hand over, shown this once."""

    path: str


@router.get("/reviewers", response={200: Page[views.ReviewView], **REFUSALS}, auth=READ)
def list_reviewers(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the reviewers that the organization ever let in, without their links."""
    return page_of(grants.reviews_given(caller_of(request).organisation), page, views.review_view)


@router.post("/reviewers", response={201: ReviewerMade, **REFUSALS}, auth=_ACCESS)
def let_reviewer(request: HttpRequest, body: ReviewerIn) -> Status[ReviewerMade]:
    """Let a person from outside read some areas for a time; the token itself must be one that may read everything."""
    caller = caller_of(request)
    tokens.check_gives(caller.token, Right.READ)
    made, secret = grants.let_reviewer_in(caller.organisation, actor=caller.actor, **dict(body))
    return Status(201, ReviewerMade(**asdict(views.review_view(made)), path=f"/join/{secret}/"))


@router.post("/reviewers/{number}/revocation", response={201: views.ReviewView, **REFUSALS}, auth=_ACCESS)
def end_reviewer(request: HttpRequest, number: Id) -> Status[views.ReviewView]:
    """Take a reviewer's access back at once, and close the link if nobody opened it."""
    caller = caller_of(request)
    one = grants.review_given(caller.organisation, number)
    grants.end_review(one, actor=caller.actor)
    return Status(201, views.review_view(one))
