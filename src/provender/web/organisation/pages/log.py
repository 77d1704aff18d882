"""The log of an organisation: who did what, when, what stood before and after."""

import re
from typing import Final

from django.core.paginator import Paginator
from django.http import HttpResponseBase
from django.utils.formats import date_format
from django.views.decorators.http import require_GET

from provender.database.models import LogRow
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.navigation import title_of
from provender.web.tables import Cell, Column, Table, page_with_tables, rows_wanted

LOOK: Final = "look as verifier"
HASH: Final = re.compile(r"\b[0-9a-f]{64}\b")
COLUMNS: Final = (
    Column("When (UTC)"),
    Column("Who"),
    Column("Did"),
    Column("About"),
    Column("Before"),
    Column("After"),
)


def _cell(value: object) -> Cell:
    """Show long hashes by their first digits; the saved file has them whole."""
    full = _plain(value)
    return Cell(HASH.sub(lambda found: f"{found[0][:12]}…", full), saved=full)


def _plain(value: object) -> str:
    if not isinstance(value, dict):
        return ""
    return "; ".join(
        f"{name.replace('_', ' ')}: {', '.join(map(str, one)) if isinstance(one, list) else one}"
        for name, one in value.items()
        if one not in ("", None)
    )


def about_of(row: LogRow) -> str:
    """Return what a deed was about, as people know it: of a verifier's look the page, not the name of its view."""
    return title_of(row.about) if row.deed == LOOK else row.about


def _row(row: LogRow) -> list[Cell]:
    return [
        Cell(date_format(row.at, "DATETIME_FORMAT")),
        Cell(str(row.actor) if row.actor else "provender", note=row.via),
        Cell(row.deed),
        Cell(about_of(row), saved=row.about or None),
        _cell(row.old),
        _cell(row.new),
    ]


@require_GET
@of_organisation("read")
def log(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the log, newest first, a page at a time; saving takes all of it."""
    rows = LogRow.objects.filter(organisation=access.organisation).select_related("actor").order_by("-id")
    page = Paginator(rows, rows_wanted(request)).get_page(request.GET.get("page"))
    table = Table("log", COLUMNS, [_row(row) for row in page.object_list], empty="Nothing has happened yet.")
    return page_with_tables(request, "pages/log.html", {"log": table}, {"page": page})
