"""Scale tickets from another program's file: read apart from the server, confirmed by a person, then entered."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from provender.custody.events.refusals import problem_of
from provender.custody.model.event import Event
from provender.custody.model.statuses import Status
from provender.custody.model.store_view import Decision
from provender.custody.reconcile.ticket_rows import ScaleTicket, Split, grain_events, read_ticket, splits
from provender.database.models import Upload
from provender.formats.column_map import ColumnMap
from provender.formats.mapped import Mapped, import_table
from provender.problem import Problem, ProblemsError, Weight
from provender.quantity import show
from provender.services.custody.entry import post_events, read_fields
from provender.services.farm.uploads import path_of, store_upload
from provender.web.access import PersonRequest, access_owned
from provender.web.custody.forms import words
from provender.web.custody.pages.columns import MapForm, keep_map, kept_maps, suggested, told
from provender.web.custody.pages.context import READER, CustodyContext, at_desk
from provender.web.tables import Cell, Column, Table

TARGET: Final = "ticket"
MOST: Final = 5_000
SHOWN: Final = 20
UNREAD: Final = 422
REFUSED: Final = 409


class FileForm(forms.Form):
    """The file with the tickets."""

    file = forms.FileField(label="Tickets", help_text="CSV, XLSX, XLS or ODS, as your scale house program exports it.")
    site = forms.ChoiceField(label="Site, where the file names none", required=False)

    def __init__(self, desk: CustodyContext, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as Django declares it
        super().__init__(*args, **kwargs)
        site = self.fields["site"]
        assert isinstance(site, forms.ChoiceField)  # noqa: S101 - declared above
        site.choices = [(one, one) for one in desk.entity.sites] or [("", "You have no site")]


@dataclass(frozen=True, slots=True)
class Read:
    """What a file says, as tickets.

    Attributes:
        tickets: one per row.
        parts: owners' parts by site and number.
        problems: what is doubtful or could not be read.
        map: the column map used, None when no row looks like headings.
    """

    tickets: Sequence[ScaleTicket]
    parts: Mapping[tuple[str, str], list[Split]]
    problems: Sequence[Problem]
    map: ColumnMap | None


def read_tickets(desk: CustodyContext, upload: Upload, site: str, saved: Sequence[ColumnMap]) -> Read:
    """Read a stored file in a limited child, by a saved map or by a suggestion."""
    parsed = import_table(path_of(upload.sha256), TARGET, as_of=desk.today, name=upload.name, saved=saved)
    mapped, problems = parsed.result or Mapped((), ()), list(parsed.problems)
    tickets = []
    for table in mapped.tables:
        for row in table.rows:
            given = {**row.values, "site": row.values.get("site") or site}
            one, doubts = read_ticket(row.number, given, table.file)
            problems += doubts
            tickets += [one] if one else []
    parts, doubts = splits(tickets, upload.name)
    return Read(tickets, parts, [*problems, *doubts], mapped.maps[0] if mapped.maps else None)


@require_http_methods(["GET", "POST"])
@at_desk("write")
def custody_tickets(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Ask for a file, show what its columns seem to mean, and enter the tickets once a person agrees."""
    if request.method == "GET":
        return _asked(request, FileForm(desk))
    if "upload" in request.POST:
        return _confirmed(request, desk)
    form = FileForm(desk, request.POST, request.FILES)
    if not form.is_valid():
        return _asked(request, form, status=UNREAD)
    file = form.cleaned_data["file"]
    try:
        upload = store_upload(desk.access.organisation, file.name, file.read(), actor=desk.access.actor)
    except ProblemsError as refused:
        return _asked(request, form, problems=refused.problems, status=UNREAD)
    site = form.cleaned_data["site"]
    read = read_tickets(desk, upload, site, kept_maps(desk.access.organisation, TARGET))
    if read.map is None:
        return _asked(request, form, problems=read.problems, status=UNREAD)
    begin = {"upload": upload.handle, "site": site, "confirmed": read.map.to_text()}
    return _to_confirm(request, MapForm(read.map, initial=begin), read)


def _confirmed(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    upload = access_owned(desk.access, Upload, handle=request.POST["upload"])
    begun = suggested(request.POST, TARGET)
    form = MapForm(begun, request.POST)
    if not form.is_valid():
        return _to_confirm(request, form, read_tickets(desk, upload, "", [begun]), status=UNREAD)
    chosen = form.chosen()
    read = read_tickets(desk, upload, form.cleaned_data["site"], [chosen])
    if request.POST.get("do") != "enter":
        return _to_confirm(request, form, read)
    entered = enter_tickets(desk, upload, read, chosen)
    if isinstance(entered, Entered):
        return _told(request, desk, entered)
    return _to_confirm(request, form, replace(read, problems=entered), status=UNREAD)


@dataclass(frozen=True, slots=True)
class Entered:
    """What became of the tickets of a file.

    Attributes:
        new: how many were entered.
        known: how many were there already.
        refused: what the book refused, and why.
        doubts: what could not be read of the file, or may be wrong.
    """

    new: int
    known: int
    refused: Sequence[Problem]
    doubts: Sequence[Problem]


def enter_tickets(desk: CustodyContext, upload: Upload, read: Read, chosen: ColumnMap) -> Entered | list[Problem]:
    """Enter the tickets of a file, each standing or falling by itself, and remember what its columns mean.

    Returns:
        What became of them; or, where nothing was entered, the problems of the file: none of its rows makes a ticket,
        one cannot be read, or there are more than ``MOST``.
    """
    events = list(_events(desk, read))
    unread = [event for event in events if isinstance(event, Decision)]
    if not events or unread or len(events) > MOST:
        return [*read.problems, *(problem_of(one, file=upload.name) for one in unread)]
    organisation, actor = desk.access.organisation, desk.access.actor
    keep_map(organisation, chosen, actor=actor)
    asked = [event for event in events if isinstance(event, Event)]
    answers = list(zip(asked, post_events(asked, organisation=organisation, actor=actor, whole=False), strict=True))
    return Entered(
        new=sum(1 for _, outcome in answers if outcome.status is Status.POSTED),
        known=sum(1 for _, outcome in answers if outcome.status is Status.EXISTS),
        refused=[problem_of(outcome, file=event.id) for event, outcome in answers if not outcome.status.well],
        doubts=[one for one in read.problems if one.weight is Weight.ERROR],
    )


def _events(desk: CustodyContext, read: Read) -> Iterator[Event | Decision]:
    """Yield the events of the tickets, under names of this organisation; a void of what never stood is nothing."""
    with READER.reading() as facts:
        for plain in grain_events(read.parts, desk.id):
            name = f"{desk.id}-{plain['id']}"
            if plain.get("void") and facts.posted(name.replace("-void-", "-ticket-", 1)) is None:
                continue
            yield read_fields(str(plain["type"]), {**{key: plain[key] for key in plain if key != "type"}, "id": name})


def _told(request: PersonRequest, desk: CustodyContext, done: Entered) -> HttpResponseBase:
    said = f"{done.new} tickets entered, {done.known} were there already, {len(done.refused)} were refused."
    if not done.refused and not done.doubts:
        messages.success(request, said)
        return redirect("custody_grain", desk.id)
    context = {"said": said, "problems": [*done.refused, *done.doubts]}
    return render(request, "custody/tickets_done.html", context, status=REFUSED if done.refused else 200)


def _asked(
    request: PersonRequest, form: FileForm, *, problems: Sequence[Problem] = (), status: int = 200
) -> HttpResponseBase:
    return render(request, "custody/tickets.html", {"form": form, "problems": problems}, status=status)


def _to_confirm(request: PersonRequest, form: MapForm, read: Read, *, status: int = 200) -> HttpResponseBase:
    columns = [
        Column("Ticket"),
        Column("Day"),
        Column("Site"),
        Column("Crop"),
        Column("Customer"),
        Column("Way"),
        Column("Printed (bu)", number=True),
        Column("Ours (bu)", number=True),
    ]
    rows = [
        [
            Cell(one.number),
            Cell(str(one.day)),
            Cell(one.site),
            Cell(words(one.crop)),
            Cell(one.customer),
            Cell("Void" if one.void else "Out" if one.outbound else "In"),
            Cell("" if one.printed is None else show(one.printed, group=True)),
            Cell("" if one.ours is None else show(one.ours, group=True)),
        ]
        for one in read.tickets[:SHOWN]
    ]
    caption = f"The first {min(SHOWN, len(read.tickets))} of {len(read.tickets)} tickets, as they would be entered"
    table = Table("tickets", columns, rows, caption=caption, empty="No row makes a ticket as the columns stand.")
    context = {
        "form": form,
        "tickets": table,
        "problems": told(read.problems[:SHOWN]),
        "more_problems": max(0, len(read.problems) - SHOWN),
        "count": len(read.parts),
        "most": MOST,
    }
    return render(request, "custody/tickets_confirm.html", context, status=status)
