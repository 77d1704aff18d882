"""The log of an organisation: who did what, when, what stood before and after."""

import json
from typing import Final

from django.core.paginator import Paginator
from django.http import HttpResponseBase
from django.utils.formats import date_format
from django.views.decorators.http import require_GET

from provender.database.models import LogRow
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.tables import Cell, Column, Table, page_with_tables

PER_PAGE: Final = 50
SAVED_AT_MOST: Final = 100_000
COLUMNS: Final = (
    Column("When (UTC)"),
    Column("Who"),
    Column("Did"),
    Column("About"),
    Column("Before"),
    Column("After"),
)


def _plain(value: object) -> str:
    if not isinstance(value, dict):
        return ""
    texts = {
        name: one if isinstance(one, str) else json.dumps(one) for name, one in value.items() if one not in ("", None)
    }
    return "; ".join(f"{name.replace('_', ' ')}: {text}" for name, text in texts.items())


def _row(row: LogRow) -> list[Cell]:
    return [
        Cell(date_format(row.at, "DATETIME_FORMAT")),
        Cell(str(row.actor) if row.actor else "provender", note=row.via),
        Cell(row.deed),
        Cell(row.about),
        Cell(_plain(row.old)),
        Cell(_plain(row.new)),
    ]


@require_GET
@of_organisation("read")
def log(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the log, newest first, fifty rows a page; saving takes all of it."""
    rows = LogRow.objects.filter(organisation=access.organisation).select_related("actor").order_by("-id")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    shown = rows[:SAVED_AT_MOST] if "save" in request.GET else page.object_list
    table = Table("log", COLUMNS, [_row(row) for row in shown], empty="Nothing has happened yet.")
    return page_with_tables(request, "pages/log.html", {"log": table}, {"page": page})
