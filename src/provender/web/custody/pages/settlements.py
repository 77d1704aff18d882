"""Settlements from another program's file, held against the tickets of the grain book; nothing is entered."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django import forms
from django.http import HttpResponseBase
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from provender.custody.reconcile.ticket_rows import Held, compare_settlements, net_of_book, read_application
from provender.database.models import SettlementComparison, Upload
from provender.formats.column_map import ColumnMap
from provender.formats.mapped import Mapped, import_table
from provender.problem import Place, Problem, ProblemsError
from provender.quantity import show
from provender.services.custody.settlements import held_in, keep_comparison
from provender.services.farm.uploads import path_of, store_upload
from provender.web.access import PersonRequest, access_owned
from provender.web.custody.pages.columns import MapForm, keep_map, kept_maps, suggested, told
from provender.web.custody.pages.context import READER, CustodyContext, at_desk
from provender.web.tables import Cell, Column, Table, page_with_tables

TARGET: Final = "settlement"
NEEDED: Final = ("ticket", "bushels_applied")
SHOWN: Final = 20
UNREAD: Final = 422


class FileForm(forms.Form):
    """The file with the settlements."""

    file = forms.FileField(
        label="Settlements",
        help_text="CSV, XLSX, XLS or ODS: which ticket's bushels were paid, one line for each ticket and payment.",
    )


@dataclass(frozen=True, slots=True)
class Read:
    """What a file says, against the book.

    Attributes:
        held: one per ticket that a settlement names.
        problems: what is doubtful or could not be read.
        map: the column map used, None when no row looks like headings.
    """

    held: Sequence[Held]
    problems: Sequence[Problem]
    map: ColumnMap | None

    @property
    def known(self) -> bool:
        """Tell whether it is known which columns hold ticket and bushels."""
        filled = {rule.field for rule in self.map.columns} if self.map else set()
        return filled.issuperset(NEEDED)


def read_settlements(desk: CustodyContext, upload: Upload, saved: Sequence[ColumnMap]) -> Read:
    """Read a stored file in a limited child, and hold what it applies against the grain book."""
    parsed = import_table(path_of(upload.sha256), TARGET, as_of=desk.today, name=upload.name, saved=saved)
    mapped, problems = parsed.result or Mapped((), ()), list(parsed.problems)
    applied = []
    for table in mapped.tables:
        for row in table.rows:
            one, doubts = read_application(row.number, row.values, table.file)
            problems += doubts
            applied += [one] if one else []
    with READER.reading() as facts:
        held = compare_settlements(net_of_book(facts, desk.entity), applied)
    return Read(held, problems, mapped.maps[0] if mapped.maps else None)


@require_http_methods(["GET", "POST"])
@at_desk("write")
def custody_settlements(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Ask for a file, show what its columns seem to mean, and hold it against the tickets once a person agrees."""
    if request.method == "GET":
        if seen := request.GET.get("seen"):
            return _shown(request, access_owned(desk.access, SettlementComparison, handle=seen), ())
        return _asked(request, FileForm(), desk)
    if "upload" in request.POST:
        return _confirmed(request, desk)
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _asked(request, form, desk, status=UNREAD)
    file = form.cleaned_data["file"]
    try:
        upload = store_upload(desk.access.organisation, file.name, file.read(), actor=desk.access.actor)
    except ProblemsError as refused:
        return _asked(request, form, desk, problems=refused.problems, status=UNREAD)
    read = read_settlements(desk, upload, kept_maps(desk.access.organisation, TARGET))
    if read.map is None:
        return _asked(request, form, desk, problems=read.problems, status=UNREAD)
    if read.map.confirmed and read.known:
        return _compared(request, desk, read, upload)
    begin = {"upload": upload.handle, "confirmed": read.map.to_text()}
    return _to_confirm(request, MapForm(read.map, initial=begin), read.problems)


def _confirmed(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    upload = access_owned(desk.access, Upload, handle=request.POST["upload"])
    form = MapForm(suggested(request.POST, TARGET), request.POST)
    if not form.is_valid():
        return _to_confirm(request, form, [], status=UNREAD)
    chosen = form.chosen()
    read = read_settlements(desk, upload, [chosen])
    if not read.known:
        return _to_confirm(request, form, [columns_missing(upload), *read.problems], status=UNREAD)
    keep_map(desk.access.organisation, chosen, actor=desk.access.actor)
    return _compared(request, desk, read, upload)


def columns_missing(upload: Upload) -> Problem:
    """Return the problem of a file of which it is not known which columns hold ticket and bushels."""
    cause = "The columns for the ticket's number and the bushels applied are not both chosen."
    remedy = "Choose them below; without them nothing can be compared."
    return Problem(Place(upload.name), cause, remedy, "2100.031(b)", code="columns_unknown")


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
    kept = SettlementComparison.objects.filter(organisation=desk.access.organisation)
    rows = [
        [
            Cell(one.upload.name, f"?{urlencode({'seen': one.handle})}"), Cell(f"{one.at:%Y-%m-%d %H:%M}"),
            Cell(str(one.actor or "")), Cell(str(one.agree)), Cell(str(one.off)),
        ]
        for one in kept.select_related("upload", "actor")
    ]  # fmt: skip
    return Table("earlier", columns, rows, caption="Compared before", empty="No file was compared yet.")


def _to_confirm(
    request: PersonRequest, form: MapForm, problems: Sequence[Problem], *, status: int = 200
) -> HttpResponseBase:
    context = {"form": form, "problems": told(problems[:SHOWN]), "more_problems": max(0, len(problems) - SHOWN)}
    return render(request, "custody/settlements_confirm.html", context, status=status)


def _compared(request: PersonRequest, desk: CustodyContext, read: Read, upload: Upload) -> HttpResponseBase:
    return _shown(request, keep_comparison(upload, read.held, actor=desk.access.actor), read.problems)


def _shown(request: PersonRequest, kept: SettlementComparison, problems: Sequence[Problem]) -> HttpResponseBase:
    """Show a comparison as it was found; what is doubtful in the file is told when it is read."""
    columns = [
        Column("Ticket"), Column("Settlements"), Column("Applied (bu)", number=True),
        Column("In your grain book (bu)", number=True), Column("Result"),
    ]  # fmt: skip
    rows = [
        [
            Cell(one.ticket), Cell(", ".join(one.settlements)), Cell(show(one.applied, group=True)),
            Cell("" if one.net is None else show(one.net, group=True)), _result(one),
        ]
        for one in sorted(held_in(kept), key=lambda one: one.agrees)
    ]  # fmt: skip
    empty = "No line of the file names a ticket."
    table = Table("settlements", columns, rows, caption="Tickets that the settlements name", empty=empty)
    context = {
        "kept": kept, "file": kept.upload.name, "off": kept.off, "agree": kept.agree,
        "seen": request.method == "GET", "unsaved": request.method != "GET",
        "problems": told(problems[:SHOWN]), "more_problems": max(0, len(problems) - SHOWN),
    }  # fmt: skip
    return page_with_tables(request, "custody/settlements_compared.html", {"compared": table}, context)


def _result(one: Held) -> Cell:
    if one.agrees:
        return Cell("Agrees", chip="met")
    if one.net is None:
        return Cell("No such ticket", chip="not-shown")
    words = "more than the ticket" if one.applied > one.net else "less than the ticket"
    return Cell(f"{show(abs(one.applied - one.net), group=True)} bu {words}", chip="not-met")
