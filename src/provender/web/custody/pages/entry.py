"""Entering one event: its form, a preview in which nothing is written, and the answer of the book at the form."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from provender.custody.model.event import Event, Status
from provender.custody.model.store_view import Decision
from provender.exact import CI_SCALE, parse, show, show_whole
from provender.problem import Problem, ProblemsError
from provender.services.custody import stock
from provender.services.custody.book_entry import OFFERS
from provender.services.custody.checks import WayOn, way_on
from provender.services.custody.context import CustodyContext, party_names
from provender.services.custody.entry import enter, lots_taken, preview, read_fields
from provender.services.custody.views import is_unreadable
from provender.services.custody.views import refused as refused_answer
from provender.web.access import PersonRequest
from provender.web.custody import forms
from provender.web.custody.pages.context import at, at_desk, form_of
from provender.web.custody.pages.movements import lots_table, shown_amount
from provender.web.inputs import back_to, number_in
from provender.web.tables import said_plainly

AMOUNTS: Final = ("bushels", "pounds")
REFUSED: Final = 409
UNREAD: Final = 422


AFTER: Final[Mapping[str, str]] = {
    "sale": "custody_sales",
    **dict.fromkeys(("purchase", "purchase_pending", "assign", "accept", "reject"), "custody_incoming"),
    **dict.fromkeys(("storage", "document"), "custody_incoming"),
    **dict.fromkeys(("receipt", "shipment", "measurement"), "custody_grain"),
    "opening": "custody_stock",
    **dict.fromkeys(("period", "close"), "custody_periods"),
    **dict.fromkeys(("contract", "statement", "entity", "close_site"), "custody_partners"),
}
"""The page that is shown when an event is entered; for all others the list of movements."""


@require_http_methods(["GET", "POST"])
@at_desk("write")
def custody_enter(request: PersonRequest, desk: CustodyContext, kind: str) -> HttpResponseBase:
    """Show the form of an event; preview it or post it.

    Raises:
        Http404: these pages offer no such event.
    """
    cls = OFFERS.get(kind.replace("-", "_"))
    if cls is None:
        raise Http404
    if request.method == "GET":
        initial = {**stock.as_last_time(desk, cls, request.GET.get(forms.LIKE, "")), **request.GET.dict()}
        return _shown(
            request, desk, forms.EventForm(cls, desk, initial={**initial, **forms.typed_before(request, cls)})
        )
    form = forms.EventForm(cls, desk, data=request.POST)
    if forms.LIKE in request.POST:
        # What is the same as last time comes in; all else stays as it was typed.
        begun = {**forms.typed_in(form, request.POST), **stock.as_last_time(desk, cls, request.POST[forms.LIKE])}
        return _shown(request, desk, forms.EventForm(cls, desk, initial=begun))
    if not form.is_valid():
        return _shown(request, desk, form, status=UNREAD)
    event = read_fields(cls.type, form.plain())
    if isinstance(event, Decision):
        return _refused(request, desk, form, event)
    looks = request.POST.get("do") == "preview"
    try:
        outcome = preview(desk, event) if looks else enter(desk, event)
    except ProblemsError as refused:
        return _told(request, desk, form, refused.problems, REFUSED, event)
    if not outcome.status.well:
        return _refused(request, desk, form, outcome, event)
    if looks:
        return _shown(request, desk, form, preview=_previewed(desk, event, outcome))
    forms.entered(request)
    again = outcome.status is Status.EXISTS
    messages.success(
        request, "This was entered before; nothing was entered twice." if again else said_plainly(outcome.message)
    )
    if event.type in WITH_PAGE:
        return redirect(at(desk, "custody_movement", id=event.id))
    return redirect(back_to(request) or _after(desk, event.type))


def _after(desk: CustodyContext, kind: str) -> str:
    return at(desk, AFTER.get(kind, "custody_movements"))


WITH_PAGE: Final = frozenset({"sale", "process", "retire", "return", "true_up"})
"""Events after which people want to see what they did: its lots and its document."""


def _refused(
    request: PersonRequest, desk: CustodyContext, form: forms.EventForm, outcome: Decision, event: Event | None = None
) -> HttpResponse:
    if outcome.status is Status.ID_HAS_OTHER_CONTENT:
        form.renew()
    problem = refused_answer(outcome, file=form.cls.type, known=tuple(form.fields))
    return _told(request, desk, form, (problem,), UNREAD if is_unreadable(outcome) else REFUSED, event)


def _told(
    request: PersonRequest,
    desk: CustodyContext,
    form: forms.EventForm,
    problems: tuple[Problem, ...],
    status: int,
    event: Event | None = None,
) -> HttpResponse:
    """Show the form as it was sent, with every problem at its field, and what each leads to."""
    ways, onward = [way_on(desk, event, each) if event else WayOn(each) for each in problems], []
    for way in ways:
        problem = way.problem
        column, law = problem.place.column, f" [7 CFR {problem.cite}]" if problem.cite else ""
        at_field = column if column in form.fields else None
        form.add_error(at_field, f"{problem.cause} {problem.remedy}{law}".strip())
        if way.offer and (address := _address(request, desk, form, way)):
            onward.append((way.offer.what, address))
            if at_field:
                form.fields[at_field].onward = onward[-1]  # type: ignore[attr-defined]
    return _shown(request, desk, form, status=status, onward=onward)


def _address(request: PersonRequest, desk: CustodyContext, form: forms.EventForm, way: WayOn) -> str:
    """Return the address of the form that a refusal leads to; it leads back to this one, filled in as it was."""
    address = form_of(desk, way.offer)
    if not way.returns:
        return address
    return f"{address}&{urlencode({'next': forms.leave(request, form)})}"


def _previewed(desk: CustodyContext, event: Event, outcome: Decision) -> dict[str, object]:
    """Return what a preview shows of what would be entered."""
    lots = lots_taken(desk, event, outcome)
    return {
        "taken": _in_one_look(stock.taken_view(lots, stock.defaults_of(desk))),
        "limits": _limits_said(*stock.limits_of(event)),
        "message": said_plainly(outcome.message.removeprefix(Status.POSTED.sentence).strip()),
        "facts": [(FACTS.get(name, forms.words(name)), text) for name, text in outcome.facts],
        "lots": lots_table("lots", lots, caption="Lots it takes"),
    }


def _in_one_look(taken: stock.Taken | None) -> dict[str, object] | None:
    """Write what an event takes in whole bushels and grams: exactness is in the lots below."""
    if taken is None:
        return None
    return {
        "bushels": show_whole(taken.bushels),
        "ci": show_whole(taken.mean_ci, CI_SCALE),
        "origins": taken.origins,
        "shares": [
            (one.band or ("others" if one.ci is None else f"CI {show_whole(one.ci, CI_SCALE)}"),
             show_whole(one.bushels), one.share)
            for one in taken.shares
        ],
    }  # fmt: skip


def _limits_said(least: int | None, most: int | None) -> str:
    """Say by which limits lots were chosen; empty where there are none."""
    low, high = ("" if end is None else f"{show(end, CI_SCALE, group=True)} g CO2e/bu" for end in (least, most))
    if low and high:
        return f"Only of CI {low} to {high}, by the limits of this entry or its contract."
    if not low and not high:
        return ""
    return f"Only of CI at {'most' if high else 'least'} {high or low}, by the limit of this entry or its contract."


def _in_stock(desk: CustodyContext, within: stock.Within) -> str:
    """Return what can be taken today of each crop and product: it stands beside the amount box."""
    sums = stock.available(desk, within)
    each = (
        f"{stock.takeable(amount)} {unit} of {forms.words(form).lower()} {year}"
        for (form, year, unit), amount in sums.items()
    )
    of = "" if within == stock.ALL else " of what is chosen here"
    return f"In stock{of}: {', '.join(each)}." if sums else f"Nothing{of} with a claim is in stock."


def _chosen(form: forms.EventForm) -> stock.Within:
    """Return the part of the stock that a form means by what stands in it; what cannot be read bounds nothing."""
    said = {name: str(form[name].value() or "") for name in stock.Within._fields if name in form.fields}
    ends = {name: _ci(said.get(name, "")) for name in ("ci_min", "ci_max")}
    year = number_in(said.get("harvest_year", "")) or 0
    return stock.Within(said.get("crop", ""), year, said.get("site", ""), **ends)


def _ci(text: str) -> int | None:
    with suppress(ValueError):
        return parse(forms.amount_text(text), CI_SCALE)
    return None


LOTS_SAID: Final = 5


def _lots_said(desk: CustodyContext, text: str) -> str:
    """Return what the lots are that a form names, as people call them; empty where none of its own is named."""
    spans: list[tuple[str, int, int]] = []
    for line in text.splitlines():
        with suppress(ValueError):
            if isinstance(read := forms.read_serials_line(line.strip()), dict):
                spans.append((read["origin"], parse(read["start"]), parse(read["stop"])))
    lots = stock.lots_named(desk, spans[:LOTS_SAID])
    names = party_names(lot.supplier for lot in lots)
    told = [
        f"{forms.words(lot.form)} {lot.harvest_year}, CI {show(lot.ci_g_per_bu, CI_SCALE, group=True)}, "
        f"{shown_amount(lot)} in the lot, from {names.get(lot.supplier, 'yourself')}"
        for lot in lots
    ]
    left = f"; and {len(spans) - LOTS_SAID} lines more" if len(spans) > LOTS_SAID else ""
    return f"Named here: {'; '.join(told)}{left}." if told else ""


FACTS: Final = {"ci": "By carbon intensity", "matched": "How claims are matched", "serials": "Serials (bu)"}


def _shown(
    request: PersonRequest,
    desk: CustodyContext,
    form: forms.EventForm,
    *,
    status: int = 200,
    preview: object = None,
    onward: Sequence[tuple[str, str]] = (),
) -> HttpResponse:
    amount = next((form.fields[name] for name in AMOUNTS if name in form.fields), None)
    if form.cls.type in stock.USES and amount is not None:
        amount.beside = _in_stock(desk, _chosen(form))  # type: ignore[attr-defined]
        if "lots" in form.fields and (told := _lots_said(desk, str(form["lots"].value() or ""))):
            form.fields["lots"].beside = told  # type: ignore[attr-defined]
    context = {
        "form": form,
        "title": form.cls.title,
        "verb": form.cls.verb,
        "said": form.cls.means,
        "preview": preview,
        "onward": onward,
        "loose": [one for one in onward if one not in [getattr(each, "onward", None) for each in form.fields.values()]],
        "before": [] if form.is_bound else stock.events_to_begin_with(desk, form.cls),
        "after": back_to(request) or _after(desk, form.cls.type),
        "no_sites": desk.lacks_site and "site" in form.fields,
        "no_partners": not desk.partners and form.cls.type in ("sale", "purchase", "purchase_pending", "return"),
    }
    return render(request, "custody/enter.html", context, status=status)
