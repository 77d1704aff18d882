"""Settlements from another program's file, held against the tickets of the grain book; nothing is entered."""

from collections.abc import Sequence
from typing import Final

from django import forms
from django.http import HttpResponseBase
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from provender.custody.reconcile.ticket_rows import Held
from provender.paper.table import table_of
from provender.problem import Problem, ProblemsError
from provender.quantity import show
from provender.services.custody.context import CustodyContext
from provender.services.custody.settlements import Comparison, comparison_of, comparisons, keep_comparison
from provender.services.custody.ticket_files import columns_missing, keep_map, reworded, settlements_in
from provender.services.custody.tickets import SETTLEMENT, SettlementFile, held_view
from provender.services.custody.views import TicketHeldView
from provender.services.farm.uploads import StoredFile, store_upload, upload_of
from provender.web.access import PersonRequest
from provender.web.custody.pages.columns import MapForm, suggested
from provender.web.custody.pages.context import at_desk
from provender.web.tables import Cell, Column, Table, page_with_tables

SHOWN: Final = 20
UNREAD: Final = 422


class FileForm(forms.Form):
    """The file with the settlements."""

    file = forms.FileField(
        label="Settlements",
        help_text="CSV, XLSX, XLS or ODS: which ticket's bushels were paid, one line for each ticket and payment.",
    )


@require_http_methods(["GET", "POST"])
@at_desk("write")
def custody_settlements(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Ask for a file, show what its columns seem to mean, and hold it against the tickets once a person agrees."""
    if request.method == "GET":
        if seen := request.GET.get("seen"):
            return _shown(request, comparison_of(desk.organisation, seen), ())
        return _asked(request, FileForm(), desk)
    if "upload" in request.POST:
        return _confirmed(request, desk)
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _asked(request, form, desk, status=UNREAD)
    file = form.cleaned_data["file"]
    try:
        upload = store_upload(desk.organisation, file.name, file.read(), actor=desk.actor)
    except ProblemsError as refused:
        return _asked(request, form, desk, problems=refused.problems, status=UNREAD)
    read, held = settlements_in(desk, upload)
    if read.map is None:
        return _asked(request, form, desk, problems=read.problems, status=UNREAD)
    if read.map.confirmed and not read.missing:
        return _compared(request, desk, upload, read, held)
    begin = {"upload": upload.handle, "confirmed": read.map.to_text()}
    return _to_confirm(request, MapForm(read.map, initial=begin), read.problems)


def _confirmed(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    upload = upload_of(desk.organisation, request.POST["upload"])
    form = MapForm(suggested(request.POST, SETTLEMENT), request.POST)
    if not form.is_valid():
        return _to_confirm(request, form, [], status=UNREAD)
    chosen = form.chosen()
    read, held = settlements_in(desk, upload, [chosen])
    if read.missing:
        return _to_confirm(request, form, [columns_missing(upload), *read.problems], status=UNREAD)
    keep_map(desk, chosen)
    return _compared(request, desk, upload, read, held)


def _asked(
    request: PersonRequest, form: FileForm, desk: CustodyContext, *, problems: Sequence[Problem] = (), status: int = 200
) -> HttpResponseBase:
    context = {"form": form, "problems": problems}
    return page_with_tables(request, "custody/settlements.html", {"earlier": _earlier(desk)}, context, status=status)


def _earlier(desk: CustodyContext) -> Table:
    """Return what was compared before, newest first."""
    columns = [
        Column("File"), Column("Compared"), Column("By"), Column("Agree", number=True),
        Column("To look at", number=True),
    ]  # fmt: skip
    rows = [
        [
            Cell(one.file, f"?{urlencode({'seen': one.handle})}"), Cell(f"{one.at:%Y-%m-%d %H:%M}"), Cell(one.actor),
            Cell(str(one.agree)), Cell(str(one.off)),
        ]
        for one in comparisons(desk.organisation)
    ]  # fmt: skip
    return Table("earlier", columns, rows, caption="Compared before", empty="No file was compared yet.")


def _to_confirm(
    request: PersonRequest, form: MapForm, problems: Sequence[Problem], *, status: int = 200
) -> HttpResponseBase:
    context = {"form": form, "problems": reworded(problems[:SHOWN]), "more_problems": max(0, len(problems) - SHOWN)}
    return render(request, "custody/settlements_confirm.html", context, status=status)


def _compared(
    request: PersonRequest, desk: CustodyContext, upload: StoredFile, read: SettlementFile, held: Sequence[Held]
) -> HttpResponseBase:
    return _shown(request, keep_comparison(desk.organisation, upload, held, actor=desk.actor), read.problems)


def _shown(request: PersonRequest, kept: Comparison, problems: Sequence[Problem]) -> HttpResponseBase:
    """Show a comparison as it was found; what is doubtful in the file is told when it is read."""
    table = table_of(
        TicketHeldView,
        [held_view(one) for one in sorted(kept.held, key=lambda one: one.agrees)],
        name="settlements",
        caption="Tickets that the settlements name",
        empty="No line of the file names a ticket.",
        cells={
            "settlements": lambda one: Cell(", ".join(one.settlements)),
            "applied_bu": lambda one: Cell(show(one.applied_bu, group=True)),
            "net_bu": lambda one: Cell("" if one.net_bu is None else show(one.net_bu, group=True)),
            "agrees": _result,
        },
    )
    context = {
        "kept": kept, "file": kept.file, "off": kept.off, "agree": kept.agree,
        "seen": request.method == "GET", "unsaved": request.method != "GET",
        "problems": reworded(problems[:SHOWN]), "more_problems": max(0, len(problems) - SHOWN),
    }  # fmt: skip
    return page_with_tables(request, "custody/settlements_compared.html", {"compared": table}, context)


def _result(one: TicketHeldView) -> Cell:
    if one.agrees:
        return Cell("Agrees", chip="met")
    if one.net_bu is None:
        return Cell("No such ticket", chip="not-shown")
    than = "more than the ticket" if one.applied_bu > one.net_bu else "less than the ticket"
    return Cell(f"{show(abs(one.applied_bu - one.net_bu), group=True)} bu {than}", chip="not-met")
