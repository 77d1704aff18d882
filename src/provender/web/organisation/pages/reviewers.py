"""Reviewers of a buyer, authority or accreditor: letting one in, taking it back, and the page that guides them."""

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from provender.database.actor import today
from provender.database.choices import Area
from provender.services.accounts.reviews import areas_of, end_review, let_reviewer_in, review_given, reviews_given
from provender.services.accounts.views import ReviewView, review_view
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.inputs import ReviewerForm, attempt
from provender.web.tables import Cell, Column, Table, page_with_tables

FIRST: dict[Area, str] = {
    Area.REPORTS: "farm_reports",
    Area.RECORDS: "farm",
    Area.BOOKS: "custody_periods",
    Area.AUDITS: "audits_of_us",
    Area.ACCREDITATION: "audit_accreditation",
}
"""The page at which each area begins."""


def _state(review: ReviewView) -> Cell:
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
                     Cell(one.purpose), Cell(last), _state(one), button])  # fmt: skip
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
