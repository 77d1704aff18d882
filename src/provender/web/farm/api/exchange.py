"""A farm's book for another system: the data set of the ADAPT Standard, and what of the book stays behind."""

from django.http import HttpRequest, HttpResponse
from ninja import Router

from provender.formats.adapt_out import packed
from provender.services.farm.exchange import exchange_of, left_first
from provender.web.api.auth import RECORDS_READ
from provender.web.api.problems import REFUSALS, OneProblem, one_problem
from provender.web.api.view_schema import file_of
from provender.web.download import ZIP, download
from provender.web.farm.api.records import book_of

router = Router(tags=["records"])


@router.get("/exchange/left", response={200: list[OneProblem], **REFUSALS}, auth=RECORDS_READ)
def list_left_out(request: HttpRequest) -> list[OneProblem]:
    """List what of the book does not go into the data set, row by row with its reason."""
    return [one_problem(each) for each in left_first(exchange_of(book_of(request)))]


@router.get(
    "/exchange/adapt", response={200: None, **REFUSALS}, auth=RECORDS_READ, openapi_extra=file_of(ZIP)
)  # fmt: skip
def get_data_set(request: HttpRequest) -> HttpResponse:
    """Return the book as a data set of the ADAPT Standard 2.0.2 in a zip."""
    return download(packed(exchange_of(book_of(request)).files), ZIP, "adapt.zip")
