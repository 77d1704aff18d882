"""A farm's book for another system: what goes out, what stays behind and why, and the file."""

from django.http import HttpResponseBase
from django.views.decorators.http import require_GET

from provender.formats.adapt_out import packed
from provender.services.farm.book import farm_book_of
from provender.services.farm.exchange import exchange_of, left_first
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.download import ZIP, download
from provender.web.tables import Cell, Column, Table, page_with_tables
from provender.web.words import cause_said, place_said


@require_GET
@of_organisation("read")
def farm_exchange(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show what of the book stays behind, row by row, and offer the data set."""
    made = exchange_of(farm_book_of(access.organisation))
    columns = [Column("Where"), Column("What stays behind"), Column("What to do")]
    rows = [
        [
            Cell(place_said(one.place), saved=str(one.place)),
            Cell(cause_said(one), saved=one.cause),
            Cell(one.remedy),
        ]
        for one in left_first(made)
    ]
    table = Table("left", columns, rows, empty="Everything goes out.", caption="Stays in the book", sorts=True)
    return page_with_tables(request, "farm/exchange.html", {"left": table}, {})


@require_GET
@of_organisation("read")
def farm_exchange_file(_request: PersonRequest, access: Access) -> HttpResponseBase:
    """Return the book as a data set of the ADAPT Standard in a zip."""
    made = exchange_of(farm_book_of(access.organisation))
    return download(packed(made.files), ZIP, "adapt.zip")
