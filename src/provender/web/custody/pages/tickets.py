"""Scale tickets from another program's file: read apart from the server, confirmed by a person, then entered."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from provender.custody.reconcile.ticket_rows import LeftOut, mark_of, said_of
from provender.formats.column_map import ColumnMap, ColumnRule
from provender.formats.columns import target
from provender.formats.importing.loads import DELIVERED, NO_LOAD, VOID
from provender.paper.tables import Cell, Table, table_of
from provender.problem import Problem, ProblemsError, counted
from provender.rule.crops import Crop
from provender.services.custody import ticket_files
from provender.services.custody.context import CustodyContext
from provender.services.custody.tickets import LeftOutView, TicketFile, left_out_view, ticket_view
from provender.services.custody.views import TicketView
from provender.services.farm.files import store_upload, upload_of
from provender.web.access import PersonRequest
from provender.web.custody.forms import at, site_choices, trader_view, words

# What the columns of an elevator's files mean: asked once per layout, remembered among the organisation's files.

LEFT_OUT: Final = ("", "Leave out")
ORDERS: Final = (
    ("", "No doubt"),
    ("mdy", "Month first, 10/5/2026"),
    ("dmy", "Day first, 5/10/2026"),
    ("ymd", "Year first"),
)


MEANINGS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "crop": tuple((str(crop), words(str(crop))) for crop in Crop),
    "direction": (("in", "In"), ("out", "Out")),
    "void": (("yes", "Void"), ("no", "Not void")),
    "status": (
        (DELIVERED, "Delivered or shipped"),
        (VOID, "Void: the ticket is taken back"),
        (NO_LOAD, "No load: planned, a test, a copy"),
    ),
}
"""What a word of a column may mean, by the field that the column is."""


class MapForm(forms.Form):
    """What each column means, for a person to confirm."""

    upload = forms.CharField(widget=forms.HiddenInput)
    site = forms.CharField(widget=forms.HiddenInput, required=False)
    confirmed = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, found: ColumnMap, desk: CustodyContext, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as Django declares it
        super().__init__(*args, **kwargs)
        self.map = found
        heading_of = {rule.field: rule.heading for rule in found.columns}
        self.asked = [(name, text) for name, each in found.words.items() if name in heading_of for text in each]
        meanings = [LEFT_OUT, *((name, words(name)) for name in target(found.target).fields)]
        known = {rule.heading: rule.field for rule in found.columns}
        headings = [*known, *(one for one in found.ignored if one not in known)]
        for number, heading in enumerate(headings):
            self.fields[f"column_{number}"] = forms.ChoiceField(
                label=heading or f"Column {number + 1}",
                choices=meanings,
                required=False,
                initial=known.get(heading, ""),
            )
        self.headings = headings
        meant = {**MEANINGS, "site": tuple(site_choices(desk))}
        for number, (name, text) in enumerate(self.asked):
            self.fields[f"word_{number}"] = forms.ChoiceField(
                label=f"\u201c{text}\u201d in {heading_of[name]} means",
                choices=[("", "Nobody has said: leave its loads out"), *meant.get(name, ())],
                required=False,
                initial=found.words[name][text],
            )
        self.fields["date_order"] = forms.ChoiceField(
            label="How days are written", choices=ORDERS, required=False, initial=found.date_order
        )

    def chosen(self) -> ColumnMap:
        units = {rule.heading: rule for rule in self.map.columns}
        rules, ignored = [], []
        for number, heading in enumerate(self.headings):
            field = self.cleaned_data[f"column_{number}"]
            if not field:
                ignored.append(heading)
            elif heading in units:
                rules.append(replace(units[heading], field=field))
            else:
                rules.append(ColumnRule(heading, field))
        order = self.cleaned_data["date_order"]
        said = {name: dict(each) for name, each in self.map.words.items()}
        for number, (name, text) in enumerate(self.asked):
            said[name][text] = self.cleaned_data[f"word_{number}"]
        return replace(
            self.map, columns=tuple(rules), ignored=tuple(ignored), date_order=order, words=said, confirmed=True
        )


def suggested(given: Mapping[str, str]) -> ColumnMap:
    """Return the map that the page carried along. Raises Http404: it is none, or one for other files."""
    found = ticket_files.map_in(given.get("confirmed", ""))
    if found is None:
        raise Http404
    return found


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
        site.choices = site_choices(desk) or [("", "You have no site")]


@require_http_methods(["GET", "POST"])
@trader_view("write")
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
        upload = store_upload(desk.organisation, file.name, file.read(), actor=desk.actor)
    except ProblemsError as refused:
        return _asked(request, form, problems=refused.problems, status=UNREAD)
    site = form.cleaned_data["site"]
    read = ticket_files.tickets_in(desk, upload, site)
    if read.map is None:
        return _asked(request, form, problems=read.problems, status=UNREAD)
    return _to_confirm(request, _form_of(desk, read.map, upload.handle, site), read)


def _form_of(desk: CustodyContext, found: ColumnMap, upload: str, site: str) -> MapForm:
    return MapForm(found, desk, initial={"upload": upload, "site": site, "confirmed": found.to_text()})


def _confirmed(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    upload = upload_of(desk.organisation, request.POST["upload"])
    begun = suggested(request.POST)
    form = MapForm(begun, desk, request.POST)
    if not form.is_valid():
        return _to_confirm(request, form, ticket_files.tickets_in(desk, upload, "", [begun]), status=UNREAD)
    chosen = form.chosen()
    site = form.cleaned_data["site"]
    read = ticket_files.tickets_in(desk, upload, site, [chosen])
    is_asked = read.map is not None and read.map.words != chosen.words
    form = _form_of(desk, read.map or chosen, request.POST["upload"], site)
    if is_asked or request.POST.get("do") != "enter":
        return _to_confirm(request, form, read, status=UNREAD if request.POST.get("do") == "enter" else 200)
    entered = ticket_files.enter_tickets(desk, upload, read, chosen, request.POST.get("leave_out", ""))
    if isinstance(entered, ticket_files.TicketsEntered):
        return _told(request, desk, entered)
    if entered and entered[0].code == ticket_files.LEFT_OUT:
        return _to_confirm(request, form, read, status=UNREAD, unconfirmed=entered[0].remedy)
    return _to_confirm(request, form, replace(read, problems=entered), status=UNREAD)


def _told(request: PersonRequest, desk: CustodyContext, done: ticket_files.TicketsEntered) -> HttpResponseBase:
    said = f"{counted(done.new, 'ticket')} entered, {_were(done.known)} there already"
    said += f", {_were(len(done.refused))} refused"
    said += f", {_were(len(done.left_out))} left out." if done.left_out else "."
    places = {f"{words(form)} at {site}": at(desk, "custody_grain", site=site, form=form) for site, form in done.places}
    if not (done.refused or done.doubts or done.left_out):
        messages.success(request, said)
        return redirect(next(iter(places.values()), at(desk, "custody_grain")))
    context = {
        "said": said,
        "problems": [*done.refused, *done.doubts],
        "left_out": _left_out(done.left_out),
        "places": places,
    }
    return render(request, "custody/tickets_done.html", context, status=REFUSED if done.refused else 200)


def _were(number: int) -> str:
    return f"{number} {'was' if number == 1 else 'were'}"


def _asked(
    request: PersonRequest, form: FileForm, *, problems: Sequence[Problem] = (), status: int = 200
) -> HttpResponseBase:
    return render(request, "custody/tickets.html", {"form": form, "problems": problems}, status=status)


def _left_out(left: Sequence[LeftOut]) -> Table:
    """Return the loads that are not taken, each with its row, ticket and column, why, and what to do."""
    loads = [replace(one, problem=ticket_files.reworded([one.problem])[0]) for one in left]
    return table_of(
        LeftOutView,
        [left_out_view(one) for one in loads],
        name="left-out",
        caption="Why, and what to do",
    )


def _to_confirm(
    request: PersonRequest, form: MapForm, read: TicketFile, *, status: int = 200, unconfirmed: str = ""
) -> HttpResponseBase:
    whole = counted(len(read.tickets), "ticket")
    table = table_of(
        TicketView,
        [ticket_view(ticket) for ticket in read.tickets[:SHOWN]],
        name="tickets",
        caption=f"The first {min(SHOWN, len(read.tickets))} of {whole}, as they would be entered",
        empty="No row makes a ticket as the columns stand.",
        cells={"crop": lambda one: Cell(words(one.crop))},
    )
    beside = ticket_files.told_beside(read)
    context = {
        "form": form,
        "tickets": table,
        "left_out": _left_out(read.left_out),
        "left_said": said_of(read.left_out).removesuffix("."),
        "leave_out": mark_of(read.left_out),
        "unconfirmed": unconfirmed,
        "problems": ticket_files.reworded(beside[:SHOWN]),
        "more_problems": max(0, len(beside) - SHOWN),
        "count": len(read.parts),
        "most": ticket_files.MOST,
    }
    return render(request, "custody/tickets_confirm.html", context, status=status)
