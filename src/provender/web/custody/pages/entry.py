"""Entering one event: its form, a preview in which nothing is written, and the answer of the book at the form."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from provender.custody.events.refusals import UNREADABLE, problem_of
from provender.custody.events.registration import ContractEvent
from provender.custody.events.registry import TYPES, decide
from provender.custody.model.amounts import unit_of
from provender.custody.model.event import Event
from provender.custody.model.lots import Lot
from provender.custody.model.statuses import Status
from provender.custody.model.store_view import Decision
from provender.database.store.custody_lists import names_of
from provender.problem import Problem, ProblemsError
from provender.quantity import CI_SCALE, show
from provender.services.custody.entry import check_enters, post_event, read_fields, state_contract
from provender.web.access import PersonRequest
from provender.web.custody.forms import EventForm, said_plainly, words
from provender.web.custody.pages.context import READER, CustodyContext, at_desk
from provender.web.tables import Cell, Column, Table

REFUSED: Final = 409
UNREAD: Final = 422


class Offer(NamedTuple):
    """One event as a page offers it.

    Attributes:
        title: of the page.
        verb: on its button.
        after: the view that is shown when it is done.
    """

    title: str
    verb: str
    after: str = "custody_movements"


OFFERS: Final[Mapping[str, Offer]] = {
    "sale": Offer("Sell", "Sell", "custody_sales"),
    "purchase": Offer("Buy from a farm", "Enter the purchase", "custody_incoming"),
    "purchase_pending": Offer("Buy with CI pending", "Enter the purchase", "custody_incoming"),
    "assign": Offer("Assign a sale slip to a purchase", "Assign", "custody_incoming"),
    "accept": Offer("Accept a delivery", "Accept", "custody_incoming"),
    "reject": Offer("Send a delivery back", "Send it back", "custody_incoming"),
    "storage": Offer("Store for somebody", "Take into storage", "custody_incoming"),
    "document": Offer("Type in a document from outside", "Enter the document", "custody_incoming"),
    "receipt": Offer("Scale ticket in", "Enter the ticket", "custody_grain"),
    "shipment": Offer("Scale ticket out", "Enter the ticket", "custody_grain"),
    "measurement": Offer("Measured stock", "Enter the measurement", "custody_grain"),
    "yield": Offer("Yield of a campaign", "Record the yield"),
    "process": Offer("Process", "Process"),
    "crush": Offer("Figures of a campaign", "Record the figures"),
    "true_up": Offer("Adjust a campaign to its final yield", "Adjust"),
    "move": Offer("Move between sites", "Move"),
    "release": Offer("Release without claim", "Release"),
    "loss": Offer("Loss", "Enter the loss"),
    "retire": Offer("Retire into fuel", "Retire"),
    "return": Offer("Return to the seller", "Return"),
    "correct": Offer("Take an entry back", "Take it back"),
    "opening": Offer("Opening stock", "Declare it", "custody_stock"),
    "period": Offer("Declare a period", "Declare", "custody_periods"),
    "close": Offer("Close a period", "Close the period", "custody_periods"),
    "contract": Offer("Contract", "Put it on file", "custody_partners"),
    "statement": Offer("Verification statement", "Enter the statement", "custody_partners"),
    "entity": Offer("Partner without an account here", "Register", "custody_partners"),
}
"""Every event that these pages offer, in the order of the list of entries."""


@require_http_methods(["GET", "POST"])
@at_desk("write")
def custody_enter(request: PersonRequest, desk: CustodyContext, kind: str) -> HttpResponseBase:
    """Show the form of an event; preview it or post it.

    Raises:
        Http404: these pages offer no such event.
    """
    cls = TYPES.get(kind.replace("-", "_"))
    if cls is None or cls.type not in OFFERS:
        raise Http404
    if request.method == "GET":
        return _shown(request, desk, EventForm(cls, desk, initial=request.GET.dict()))
    form = EventForm(cls, desk, data=request.POST)
    if not form.is_valid():
        return _shown(request, desk, form, status=UNREAD)
    event = read_fields(cls.type, form.plain())
    if isinstance(event, Decision):
        return _refused(request, desk, form, event)
    if request.POST.get("do") == "preview":
        return _previewed(request, desk, form, event)
    return _posted(request, desk, form, event)


def _posted(request: PersonRequest, desk: CustodyContext, form: EventForm, event: Event) -> HttpResponseBase:
    try:
        outcome = post_entry(desk, event)
    except ProblemsError as refused:
        return _told(request, desk, form, refused.problems, REFUSED)
    if not outcome.status.well:
        return _refused(request, desk, form, outcome)
    again = outcome.status is Status.EXISTS
    messages.success(
        request, "This was entered before; nothing was entered twice." if again else said_plainly(outcome.message)
    )
    after = reverse(OFFERS[event.type].after, args=(desk.id,))
    if event.type in WITH_PAGE:
        after = f"{reverse('custody_movement', args=(desk.id,))}?{urlencode({'id': event.id})}"
    return redirect(after)


def post_entry(desk: CustodyContext, event: Event) -> Decision:
    """Post one event that the organisation enters.

    Raises:
        RefusedError: another party enters it.
    """
    organisation, actor = desk.access.organisation, desk.access.actor
    if isinstance(event, ContractEvent):
        return state_contract(event, organisation=organisation, actor=actor)
    return post_event(event, organisation=organisation, actor=actor)


WITH_PAGE: Final = frozenset({"sale", "process", "retire", "return", "true_up"})
"""Events after which people want to see what they did: its lots and its document."""


def _refused(request: PersonRequest, desk: CustodyContext, form: EventForm, outcome: Decision) -> HttpResponse:
    if outcome.status is Status.ID_HAS_OTHER_CONTENT:
        form.renew()
    problem = problem_of(outcome, file=form.cls.type, known=tuple(form.fields))
    return _told(request, desk, form, (problem,), UNREAD if outcome.status in UNREADABLE else REFUSED)


def _told(
    request: PersonRequest, desk: CustodyContext, form: EventForm, problems: tuple[Problem, ...], status: int
) -> HttpResponse:
    """Show the form as it was sent, with every problem at its field."""
    for problem in problems:
        column, law = problem.place.column, f" [7 CFR {problem.cite}]" if problem.cite else ""
        form.add_error(column if column in form.fields else None, f"{problem.cause} {problem.remedy}{law}".strip())
    return _shown(request, desk, form, status=status)


def _previewed(request: PersonRequest, desk: CustodyContext, form: EventForm, event: Event) -> HttpResponse:
    """Decide and write nothing."""
    try:
        outcome = preview_entry(desk, event)
    except ProblemsError as refused:
        return _told(request, desk, form, refused.problems, REFUSED)
    if not outcome.status.well:
        return _refused(request, desk, form, outcome)
    preview = {
        "message": said_plainly(outcome.message.removeprefix(Status.POSTED.sentence).strip()),
        "facts": [(FACTS.get(name, words(name)), text) for name, text in outcome.facts],
        "lots": lots_table("lots", lots_taken(event, outcome), caption="Lots it takes"),
    }
    return _shown(request, desk, form, preview=preview)


def preview_entry(desk: CustodyContext, event: Event) -> Decision:
    """Return the answer that posting an event now would give; nothing is written.

    Raises:
        RefusedError: another party enters it.
    """
    with READER.reading() as facts:
        check_enters(facts, event, desk.access.organisation)
        return decide(facts, event)


def lots_taken(event: Event, outcome: Decision) -> list[Lot]:
    """Return the lots that an event takes, without the rests of those it cuts."""
    return [lot for lot in outcome.opened if lot.by == event.id]


FACTS: Final = {"ci": "By carbon intensity", "matched": "How claims are matched", "serials": "Serials (bu)"}


def _shown(
    request: PersonRequest, desk: CustodyContext, form: EventForm, *, status: int = 200, preview: object = None
) -> HttpResponse:
    context = {
        "form": form,
        "offer": OFFERS[form.cls.type],
        "said": form.cls.means,
        "preview": preview,
        "after": reverse(OFFERS[form.cls.type].after, args=(desk.id,)),
        "no_sites": desk.lacks_site and "site" in form.fields,
        "no_partners": not desk.partners and form.cls.type in ("sale", "purchase", "purchase_pending", "return"),
    }
    return render(request, "custody/enter.html", context, status=status)


def shown_amount(lot: Lot) -> str:
    """Write a lot's amount with its unit."""
    return f"{show(lot.amount, group=True)} {unit_of(lot.form)}"


def short(origin: str) -> str:
    """Write an origin so that it fits a table; the whole of it is saved."""
    return origin if len(origin) <= ORIGIN_SHOWN else f"{origin[:10]}…"


ORIGIN_SHOWN: Final = 28


def lots_table(name: str, lots: list[Lot], *, caption: str, trace: str = "", empty: str = "No lots.") -> Table:
    """Return lots as a table.

    Args:
        name: of the table.
        lots: in the order to be shown.
        caption: above the table.
        trace: the address of the trace page; without it nothing is linked.
        empty: what to say when there is none.
    """
    suppliers = names_of(lot.supplier for lot in lots)
    columns = [
        Column("Origin"),
        Column("Serials (bu)"),
        Column("What"),
        Column("Amount", number=True),
        Column("CI (g CO2e/bu)", number=True),
        Column("Site"),
        Column("From"),
        Column("State"),
    ]
    rows = [
        [
            Cell(
                short(lot.origin),
                f"{trace}?{urlencode({'lot': lot.id})}" if trace and lot.id else "",
                saved=lot.origin,
            ),
            Cell(f"{show(lot.start, group=True)}-{show(lot.stop, group=True)}"),
            Cell(f"{words(lot.form)} {lot.harvest_year}"),
            Cell(shown_amount(lot)),
            Cell(show(lot.ci, CI_SCALE, group=True)),
            Cell(lot.site),
            Cell(suppliers.get(lot.supplier, "")),
            Cell(words(str(lot.state))),
        ]
        for lot in lots
    ]
    return Table(name, columns, rows, caption=caption, empty=empty)
