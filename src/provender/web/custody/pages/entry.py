"""Entering one event: its form, a preview in which nothing is written, and the answer of the book at the form."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

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
from provender.web.custody.forms import at, at_desk, form_of
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
        begun = {**stock.as_last_time(desk, cls, request.GET.get(forms.LIKE, "")), **request.GET.dict()}
        begun |= forms.typed_before(request, cls)
        return Entering(request, desk, forms.EventForm(cls, desk, initial=begun)).shown()
    page = Entering(request, desk, forms.EventForm(cls, desk, data=request.POST))
    if forms.LIKE in request.POST:
        # What is the same as last time comes in; all else stays as it was typed.
        begun = {**forms.typed_in(page.form, request.POST), **stock.as_last_time(desk, cls, request.POST[forms.LIKE])}
        return page._replace(form=forms.EventForm(cls, desk, initial=begun)).shown()
    if not page.form.is_valid():
        return page.shown(status=UNREAD)
    event = read_fields(cls.type, page.form.plain())
    if isinstance(event, Decision):
        return page.refused(event)
    looks = request.POST.get("do") == "preview"
    try:
        outcome = preview(desk, event) if looks else enter(desk, event)
    except ProblemsError as refused:
        return page.told(refused.problems, REFUSED, event)
    if not outcome.status.well:
        return page.refused(outcome, event)
    if looks:
        return page.shown(preview=_previewed(desk, event, outcome))
    forms.entered(request)
    again = outcome.status is Status.EXISTS
    messages.success(
        request, "This was entered before; nothing was entered twice." if again else said_plainly(outcome.message)
    )
    if event.type in WITH_PAGE:
        return redirect(at(desk, "custody_movement", id=event.id))
    return redirect(page.after)


WITH_PAGE: Final = frozenset({"sale", "process", "retire", "return", "true_up"})
"""Events after which people want to see what they did: its lots and its document."""


class Entering(NamedTuple):
    """The page of a form on which somebody enters an event."""

    request: PersonRequest
    desk: CustodyContext
    form: forms.EventForm

    @property
    def after(self) -> str:
        """Return the page that is shown when the event is entered."""
        return back_to(self.request) or at(self.desk, AFTER.get(self.form.cls.type, "custody_movements"))

    def refused(self, outcome: Decision, event: Event | None = None) -> HttpResponse:
        """Show the form with the refusal of the book at its field."""
        if outcome.status is Status.ID_HAS_OTHER_CONTENT:
            self.form.renew()
        problem = refused_answer(outcome, file=self.form.cls.type, known=tuple(self.form.fields))
        return self.told((problem,), UNREAD if is_unreadable(outcome) else REFUSED, event)

    def told(self, problems: tuple[Problem, ...], status: int, event: Event | None = None) -> HttpResponse:
        """Show the form as it was sent, with every problem at its field, and what each leads to."""
        form, onward = self.form, []
        for way in [way_on(self.desk, event, each) if event else WayOn(each) for each in problems]:
            problem = way.problem
            column, law = problem.place.column, f" [7 CFR {problem.cite}]" if problem.cite else ""
            at_field = column if column in form.fields else None
            form.add_error(at_field, f"{problem.cause} {problem.remedy}{law}".strip())
            address = form_of(self.desk, way.offer)
            if way.offer and address:
                # It leads back to this form, filled in as it was.
                back = f"&{urlencode({'next': forms.leave(self.request, form)})}" if way.returns else ""
                onward.append((way.offer.what, f"{address}{back}"))
                if at_field:
                    form.fields[at_field].onward = onward[-1]  # type: ignore[attr-defined]
        return self.shown(status=status, onward=onward)

    def shown(
        self, *, status: int = 200, preview: object = None, onward: Sequence[tuple[str, str]] = ()
    ) -> HttpResponse:
        """Show the form, beside its boxes what is in stock and what is named."""
        form, cls, desk = self.form, self.form.cls, self.desk
        amount = next((form.fields[name] for name in AMOUNTS if name in form.fields), None)
        if cls.type in stock.USES and amount is not None:
            amount.beside = _in_stock(desk, _chosen(form))  # type: ignore[attr-defined]
            if "lots" in form.fields and (told := _lots_said(desk, str(form["lots"].value() or ""))):
                form.fields["lots"].beside = told  # type: ignore[attr-defined]
        at_fields = [getattr(each, "onward", None) for each in form.fields.values()]
        context = {
            "form": form,
            "title": cls.title,
            "verb": cls.verb,
            "said": cls.means,
            "preview": preview,
            "onward": onward,
            "loose": [one for one in onward if one not in at_fields],
            "before": [] if form.is_bound else stock.events_to_begin_with(desk, cls),
            "after": self.after,
            "no_sites": desk.lacks_site and "site" in form.fields,
            "no_partners": not desk.partners and cls.type in ("sale", "purchase", "purchase_pending", "return"),
        }
        return render(self.request, "custody/enter.html", context, status=status)


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
