"""Reviewers of buyers, authorities and accreditors: who may look at what until when; letting one in, taking it back."""

from datetime import date
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.database.choices import Area, ReviewerKind, Right, Scope
from provender.services.accounts.reviews import end_review, let_reviewer_in, review_given, reviews_given
from provender.services.accounts.tokens import check_gives
from provender.services.accounts.views import ReviewView, review_view
from provender.web.api.auth import Needs, caller_of
from provender.web.api.pages import Page, PageQuery, page_of
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import Id, OneLine

router = Router(tags=["organisation"])
READ, WRITE = Needs(Scope.ORGANISATION_READ), Needs(Scope.ACCESS_WRITE)


class ReviewerOut(Schema):
    """A reviewer's access to some areas until a last day, or until it was taken back; ``who`` opened its link."""

    id: int
    label: str
    kind: ReviewerKind
    who: str
    areas: list[Area]
    purpose: str
    last_day: date
    revoked: bool


class ReviewerIn(Schema):
    """Whom to let look, at which areas, what for and until when."""

    label: OneLine
    kind: ReviewerKind
    areas: Annotated[list[Area], Field(min_length=1, max_length=len(Area))]
    purpose: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
    last_day: date


class ReviewerMade(ReviewerOut):
    """A reviewer's access as made; ``path`` is the link to hand over, shown this once."""

    path: str


def _reviewer(row: ReviewView) -> ReviewerOut:
    return ReviewerOut.model_validate(row)


@router.get("/reviewers", response={200: Page[ReviewerOut], **REFUSALS}, auth=READ)
def list_reviewers(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the reviewers that the organization ever let in, without their links."""
    rows = reviews_given(caller_of(request).organisation)
    return page_of(rows, page, lambda row: _reviewer(review_view(row)))


@router.post("/reviewers", response={201: ReviewerMade, **REFUSALS}, auth=WRITE)
def let_reviewer(request: HttpRequest, body: ReviewerIn) -> Status[ReviewerMade]:
    """Let a person from outside read some areas for a time; the token itself must be one that may read everything."""
    caller = caller_of(request)
    check_gives(caller.token, Right.READ)
    made, secret = let_reviewer_in(caller.organisation, actor=caller.actor, **dict(body))
    return Status(201, ReviewerMade(**dict(_reviewer(review_view(made))), path=f"/join/{secret}/"))


@router.post("/reviewers/{number}/revocation", response={201: ReviewerOut, **REFUSALS}, auth=WRITE)
def end_reviewer(request: HttpRequest, number: Id) -> Status[ReviewerOut]:
    """Take a reviewer's access back at once, and close the link if nobody opened it."""
    caller = caller_of(request)
    one = review_given(caller.organisation, number)
    end_review(one, actor=caller.actor)
    return Status(201, _reviewer(review_view(one)))
