"""One form for every type of event, made from its declaration: fields, words, help and what is needed.

A field's type says which control it gets. What the form gives is the plain event; reading it, and every rule, is the
core's.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import Field, fields
from datetime import date
from enum import StrEnum
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, cast, get_args

from django import forms
from django.forms import MultipleChoiceField
from django.http import Http404, HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode

from provender import schema
from provender.catalog.words import Pick
from provender.custody.model import entities
from provender.custody.model.entities import Policy
from provender.custody.model.event import Coproduct, DocumentLine, Event, Range, Ticket
from provender.custody.model.lots import FORMS
from provender.database.actor import today as today_here
from provender.database.choices import Area
from provender.exact import SCALE, Scaled, Serials, show
from provender.rule.crops import Crop
from provender.services.accounts.access import Access, To
from provender.services.custody.checks import pending_left, slips_left
from provender.services.custody.context import CustodyContext, buyers, context_of, known_as, partners_with, trades
from provender.services.custody.entry import new_event_id, sites_of
from provender.services.custody.stock import PARTIES, products_in_stock, takes_from_stock
from provender.services.custody.views import EventOffer, LotView
from provender.web.access import AnyPage, PersonRequest, of_organisation
from provender.web.inputs import DRAFT, DayInput, back_to, choice_said, forget, keep, kept, sign

# Fields of a form that take several things, one a line: tickets, serials, co-products, sites.

Plain = list[object]
_SERIALS: Final = re.compile(
    r"(?P<origin>\S+)[\s:]+(?P<start>[\d.,]+)\s*(?:-|to|\u2013)\s*(?P<stop>[\d.,]+)(?:\s*=\s*(?P<pounds>[\d.,]+))?"
)
_SPAN: Final = re.compile(r"(?P<start>[\d.,]+)\s*(?:-|to|\u2013)\s*(?P<stop>[\d.,]+)")


def amount_text(text: str) -> str:
    """Return an amount as people type it, without the commas between thousands."""
    plain = text.strip().replace(" ", "")
    return plain.replace(",", "") if re.fullmatch(r"-?\d{1,3}(,\d{3})+(\.\d*)?", plain) else plain


class LinesField(forms.CharField):
    """A box with one thing a line; gives plain data for an event."""

    def __init__(self, read: Callable[[str], object], example: str, **options: Any) -> None:  # noqa: ANN401 - Django's
        super().__init__(widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}), **options)
        self.read = read
        self.example = example
        self.beside = f"One a line, such as: {example}"

    def clean(self, value: Any) -> Any:  # noqa: ANN401 - as Django declares it
        """Read every line. Raises ValidationError: a line cannot be read; names it."""
        text = str(super().clean(value))
        return list(self._lines(text))

    def _lines(self, text: str) -> Iterator[object]:
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip():
                continue
            found = self.read(line.strip())
            if found is None:
                raise forms.ValidationError(f"Line {number}, {line.strip()[:40]!r}: write it like {self.example}")
            yield found


_TICKET: Final = ("number", "bushels", "day")


def _read_ticket_line(line: str) -> object:
    """Read ``T-1001, 950.25, 2026-10-05``; the day may be left out."""
    parts = [part.strip() for part in re.split(r"[;\t]|,\s+", line)]
    if len(parts) not in range(2, len(_TICKET) + 1):
        return None
    said = dict(zip(_TICKET, (parts[0], amount_text(parts[1]), *parts[2:]), strict=False))
    return {name: text for name, text in said.items() if text}


def read_serials_line(line: str) -> object:
    """Read ``ORIGIN 0-500``, of a product also ``ORIGIN 0-500 = 5500``: its pounds."""
    found = _SERIALS.fullmatch(line)
    if found is None:
        return None
    return {name: text if name == "origin" else amount_text(text) for name, text in found.groupdict().items() if text}


def serials_line(of: LotView, pounds: int = 0) -> str:
    """Write serials as ``read_serials_line`` reads them."""
    span = f"{of.origin} {show(of.start_bu, SCALE)}-{show(of.stop_bu, SCALE)}"
    return f"{span} = {show(pounds, SCALE)}" if pounds else span


def _read_span_line(line: str) -> object:
    """Read ``0-500``."""
    found = _SPAN.fullmatch(line)
    return [amount_text(found["start"]), amount_text(found["stop"])] if found else None


def _read_coproduct_line(line: str) -> object:
    """Read ``soybean_meal, 44000``."""
    form, _, pounds = line.partition(",")
    if not pounds.strip():
        return None
    return {"form": form.strip().replace(" ", "_").casefold(), "pounds": amount_text(pounds)}


def _read_document_line(line: str) -> object:
    """Read ``corn, 2025, 29150.37, 1000``: crop, harvest year, CI, bushels; for a product also form and pounds."""
    parts = [part.strip() for part in re.split(r"[;\t]|,\s+", line)]
    if len(parts) not in (4, 6) or not parts[1].isdecimal():
        return None
    crop, year, ci, bushels = parts[:4]
    more = {"form": parts[4], "pounds": amount_text(parts[5])} if len(parts) == 6 else {"form": crop}  # noqa: PLR2004
    return {"crop": crop, "harvest_year": int(year), "ci": amount_text(ci), "bushels": amount_text(bushels), **more}


_LINES: Final[Mapping[object, tuple[Callable[[str], object], str]]] = {
    Ticket: (_read_ticket_line, "T-1001, 950.25, 2026-10-05"),
    Range: (read_serials_line, "3f9ac2d1 0-500"),
    Serials: (_read_span_line, "0-500"),
    Coproduct: (_read_coproduct_line, "soybean_meal, 44000"),
    DocumentLine: (_read_document_line, "corn, 2025, 29150.37, 1000"),
}
"""How people type one of several things on a line, with an example, by its type."""


def _line_of(kind: object, info: schema.Info) -> tuple[Callable[[str], object], str] | None:
    """Return how a field of several things is typed, one a line; None where it is not."""
    if not schema.is_tuple(kind):
        return None
    inside = get_args(kind)[0]
    if inside in (schema.Text, schema.Name) and not info.choices:
        return str, cast("list[str]", info.example)[0]
    return _LINES.get(inside)


_EVENT: Final = "event"
_UNCHOSEN: Final = ("", "—")
_AS_GROWN: Final = ("", "The crop itself")
_ORDERS: Final[Mapping[str, str]] = {
    Policy.OLDEST_FIRST: "The oldest first: the period's policy",
    Policy.PROPORTIONAL: "Of each carbon intensity in proportion: the period's policy",
    Policy.NAMED: "The lots that are named: the period's policy",
}
"""What a sale takes where nothing else is chosen, by the policy of the period."""


words = choice_said
"""Writes a word of the book for people: ``soybean_oil`` becomes ``Soybean oil``."""


class EventForm(forms.Form):
    """The form of one type of event."""

    def __init__(
        self,
        cls: type[Event],
        trader: CustodyContext,
        *,
        data: Any = None,  # noqa: ANN401 - as Django declares it
        initial: Mapping[str, str] | None = None,
    ) -> None:
        fresh = new_event_id(trader.organisation, cls.type.replace("_", "-"))
        super().__init__(data, initial={"day": trader.today.isoformat(), _EVENT: fresh, **(initial or {})})
        self.cls, self.desk, self.fresh = cls, trader, fresh
        self.infos = schema.infos(cls)
        self.fields[_EVENT] = forms.CharField(widget=forms.HiddenInput, required=False, max_length=80)
        for each in asked_of(cls):
            made, info = self._field(each, schema.types_of(cls)[each.name]), self.infos[each.name]
            made.template_name = "forms/cell.html"  # type: ignore[attr-defined]
            made.unit, made.when, made.law = sign(info.unit), info.when, info.cite  # type: ignore[attr-defined]
            self.fields[each.name] = made

    def _field(self, each: Field[Any], kind: Any) -> forms.Field:  # noqa: ANN401 - any annotation
        info, needed = self.infos[each.name], schema.is_required(each)
        common: dict[str, Any] = {"label": info.label, "help_text": info.help, "required": needed}
        line = _line_of(kind, info)
        if line is not None:
            return LinesField(*line, **common)
        if isinstance(schema.wire_of(kind), Scaled):
            return AmountField(**common)
        if schema.is_day(kind):
            return forms.DateField(widget=DayInput, **common)
        if kind is bool:
            return forms.BooleanField(**{**common, "required": False})
        if schema.is_tuple(kind):
            chosen = self._sites(each.name) or choices_of(self.desk, kind, info) or ()
            return forms.MultipleChoiceField(choices=chosen, widget=forms.CheckboxSelectMultiple, **common)
        if not info.choices and not schema.is_word(kind):
            made = forms.CharField(max_length=2000, widget=forms.TextInput(attrs={"autocomplete": "off"}), **common)
            if (self.cls.type, each.name) in _PICKS and not self.is_bound and self.desk.partners:
                made.picks = {one: Pick(told) for one, told in self.desk.partners.items()}  # type: ignore[attr-defined]
                made.beside = _PICKED  # type: ignore[attr-defined]
                made.widget.attrs["list"] = f"picks-{each.name}"
            return made
        if isinstance(each.default, StrEnum):
            self.initial.setdefault(each.name, str(each.default))
        return ChoiceOfToday(choices=lambda: self._choices(each, kind, info, needed=needed), **common)

    def _choices(self, each: Field[Any], kind: Any, info: schema.Info, *, needed: bool) -> list[tuple[str, str]]:  # noqa: ANN401 - any annotation
        """Return what may be chosen, and what stands in the field already where a link may add to it."""
        known = self._sites(each.name) or choices_of(self.desk, kind, info) or []
        choices = self._with_none(each, known, needed=needed)
        now = self._now(each.name)
        if now and now not in dict(choices) and (info.choices in OPEN or choices[0] == _AS_GROWN):
            choices.append((now, known_as(self.desk, now)))
        return choices

    def _now(self, name: str) -> str:
        """Return what stands in a field, sent or to begin with."""
        return str((self.data if self.is_bound else self.initial).get(name, ""))

    def _with_none(self, each: Field[Any], choices: list[tuple[str, str]], *, needed: bool) -> list[tuple[str, str]]:
        """Return choices with the one of nothing, where nothing is something else than each of them.

        What a choice without a word would mean is one of the others: it is said once, by what it does. So is the crop
        itself where a form is taken from stock, of which only those that lie there are offered, and of the crop alone.
        """
        if isinstance(each.default, StrEnum):
            return [(code, _order_said(self.desk, code) or said) for code, said in choices]
        if each.name == "form" and takes_from_stock(self.cls):
            here = products_in_stock(self.desk, self._now("crop"))
            return [_AS_GROWN, *(one for one in choices if one[0] in here)]
        return choices if needed and len(choices) == 1 else [_UNCHOSEN, *choices]

    def _sites(self, name: str) -> list[tuple[str, str]]:
        """Return the sites of another party where the field means those: goods come back to their seller's."""
        whose = _SITES_OF.get(self.cls.type, "") if name == "site" else ""
        party = str((self.data if self.is_bound else self.initial).get(whose, "")) if whose else ""
        return [(site, site) for site in sites_of(self.desk, party)]

    def clean_event(self) -> str:
        """Keep the event's id if it is one of ours; give it a new one otherwise."""
        given = str(self.cleaned_data[_EVENT])
        stem = re.escape(self.fresh.rpartition("-")[0])
        return given if re.fullmatch(rf"{stem}-[0-9a-f]{{8}}", given) else self.fresh

    def plain(self) -> dict[str, object]:
        """Return the event as plain data, once the form is valid; what was left blank is left out."""
        found: dict[str, object] = {"id": self.cleaned_data[_EVENT]}
        if party := self.cls.entered_by():
            found[party] = self.desk.id
        for name in self.fields:
            value = self.cleaned_data.get(name)
            if name == _EVENT or value in ("", None, [], False):
                continue
            if isinstance(value, date):
                found[name] = value.isoformat()
            else:
                whole = schema.types_of(self.cls)[name] is schema.Whole and str(value).isdecimal()
                found[name] = int(value) if whole else value
        return found

    @property
    def main(self) -> list[forms.BoundField]:
        """Return the fields that people nearly always fill."""
        return [field for field in self.visible_fields() if not self.infos[field.name].folded or field.field.required]

    @property
    def further(self) -> list[forms.BoundField]:
        """Return the fields that people seldom fill."""
        main = {field.name for field in self.main}
        return [field for field in self.visible_fields() if field.name not in main]

    @property
    def further_open(self) -> bool:
        """Tell whether one of those is filled or wrong."""
        return any(field.value() or field.errors for field in self.further)

    def renew(self) -> None:
        """Give the form that is shown again an event id of its own."""
        self.data = {**self.data.dict(), _EVENT: self.fresh} if isinstance(self.data, QueryDict) else self.data


class ChoiceOfToday(forms.ChoiceField):
    """A choice that is looked up where it is shown: of what is sent nothing is looked up, the book answers for it."""

    def valid_value(self, value: object) -> bool:
        del value
        return True


class AmountField(forms.CharField):
    """A number as people type it; commas between thousands go."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - as Django declares it
        attributes = {"inputmode": "decimal", "autocomplete": "off"}
        super().__init__(max_length=40, widget=forms.TextInput(attrs=attributes), **options)

    def clean(self, value: Any) -> str:  # noqa: ANN401 - as Django declares it
        """Return the number's text; the core reads it."""
        return amount_text(str(super().clean(value)))


def _order_said(trader: CustodyContext, code: str) -> str:
    """Return which lots go first by the policy of today's period, by what it does; empty for every other choice."""
    if code != "by_policy":
        return ""
    return _ORDERS[trader.period.policy] if trader.period else "As the period's policy says"


def asked_of(cls: type[Event]) -> list[Field[Any]]:
    """Return the fields that people fill, in their order: what is needed first, then what may be added."""
    own = [each for each in fields(cls) if schema.infos(cls)[each.name].asked and each.name != cls.entered_by()]
    return sorted(own, key=lambda each: (not schema.is_required(each), each.name != "day"))


def labelled(info: schema.Info) -> str:
    return f"{info.label} ({info.unit})" if info.unit else info.label


def choices_of(trader: CustodyContext, kind: Any, info: schema.Info) -> list[tuple[str, str]] | None:  # noqa: ANN401 - any annotation
    """Return what may be chosen in a field today, with how people call it; None where people type."""
    inside = get_args(kind)[0] if schema.is_tuple(kind) else kind
    if schema.is_word(inside):
        return [(str(word), words(str(word))) for word in inside]
    return _CHOICES[info.choices](trader) if info.choices else None


def site_choices(trader: CustodyContext) -> list[tuple[str, str]]:
    """Return the sites, the closed ones last and marked: their book can still be put right for the days before."""
    shut = [(site, f"{site} (closed)") for site in trader.entity.sites if site not in trader.open_sites]
    return [*((site, site) for site in trader.open_sites), *shut]


def _waits(trader: CustodyContext, day: date, farm: str, bushels: int) -> str:
    return f"{day}, {trader.partners.get(farm, farm)}: {show(bushels, group=True)} bu"


_CHOICES: Final[Mapping[str, Callable[[CustodyContext], list[tuple[str, str]]]]] = {
    "crops": lambda _: [(str(crop), words(str(crop))) for crop in Crop],
    "forms": lambda _: [(form.name, words(form.name)) for form in FORMS.values() if form.claims],
    "sites": site_choices,
    "slips": lambda desk: [(one.slip, _waits(desk, one.day, one.farm, one.bushels_left)) for one in slips_left(desk)],
    "pending": lambda desk: [
        (one.purchase, f"{_waits(desk, one.day, one.farm, one.bushels_left)} of {one.crop}")
        for one in pending_left(desk)
    ],
    "partners": lambda desk: list(desk.partners.items()),
    "growers": lambda desk: list(partners_with(desk, entities.GROWERS).items()),
    "traders": lambda desk: list(partners_with(desk, entities.TRADERS).items()),
    "first_buyers": lambda desk: list(partners_with(desk, entities.BUYERS_FROM_FARMS).items()),
    "buyers": lambda desk: list(buyers(desk).items()),
}
"""What may be chosen today, by the name that a field of an event gives it."""
_SITES_OF: Final[Mapping[str, str]] = {"reject": "giver", "return": "taker", "accept": "custodian"}
"""Types of event whose site may be another's, by the field that names that party."""
_PICKS: Final = frozenset({("contract", "counterparty")})
"""Fields of a type that offer the partners while somebody types: a contract is with a new one, too."""
_PICKED: Final = "Choose a partner that is on file, or type the code of a new one."
OPEN: Final = PARTIES | {"slips", "pending"}
"""Choices to which a link may add one: the book answers for it."""


# Forms of entries that are left for another one, such as the contract that a sale names: what was typed waits.

LIKE: Final = "like"
_KEPT: Final = "entries left"
_LONGEST: Final = 20_000
"""Signs of a box that are kept: lots that are named take many lines."""


def typed_in(form: EventForm, sent: QueryDict) -> dict[str, Any]:
    """Return what was sent of a form as a form begins with it; lists of choices whole."""
    found: dict[str, Any] = {}
    for name in form.fields:
        texts = [text[:_LONGEST] for text in sent.getlist(name)]
        if name != _EVENT and any(texts):
            found[name] = texts if isinstance(form.fields[name], MultipleChoiceField) else texts[-1]
    return found


def leave(request: HttpRequest, form: EventForm) -> str:
    """Keep what was typed, and return the address at which the form goes on with it."""
    draft = keep(request, _KEPT, {"kind": form.cls.type, "texts": typed_in(form, request.POST)})
    asked = {"next": back_to(request)} if back_to(request) else {}
    return f"{request.path}?{urlencode({**asked, DRAFT: draft})}"


def typed_before(request: HttpRequest, cls: type[Event]) -> Mapping[str, Any]:
    """Return what was typed into a form of this type before it was left; nothing where the address names no draft."""
    left = kept(request, _KEPT)
    texts: Mapping[str, Any] = left["texts"] if left and left["kind"] == cls.type else {}
    return texts


def entered(request: HttpRequest) -> None:
    forget(request, _KEPT)


# The way to an organisation's custody pages, and the words and addresses that they share.

Rest = ParamSpec("Rest")
CustodyPage = Callable[Concatenate[PersonRequest, CustodyContext, Rest], HttpResponseBase]


def trader_view(
    to: To = "read", *, to_post: To = "write", areas: Collection[Area] = ()
) -> Callable[[CustodyPage[Rest]], AnyPage]:
    """Make a view of an organisation's part of the custody book; one that has not begun is shown how to begin.

    The view raises Http404 for organisations that trade nothing.
    """

    def decorate(page: CustodyPage[Rest]) -> AnyPage:
        def view(
            request: PersonRequest, access: Access, /, *args: Rest.args, **kwargs: Rest.kwargs
        ) -> HttpResponseBase:
            require_trader(access)
            here, today = access.organisation, today_here()
            trader = context_of(here, actor=access.actor, today=today, may_write=access.may_write)
            if trader is None:
                return render(request, "custody/unopened.html", status=200 if request.method == "GET" else 409)
            return page(request, trader, *args, **kwargs)

        return wraps(page)(of_organisation(to, to_post=to_post, areas=areas)(view))

    return decorate


def require_trader(access: Access) -> None:
    """Let only organisations in that trade. Raises Http404: this one does not."""
    if not trades(access.organisation):
        raise Http404


def at(trader: CustodyContext, page: str, *more: str, **asked: str | int | date) -> str:
    """Return the address of one of the organisation's pages, with what it is asked."""
    address = reverse(page, args=(trader.id, *more))
    return f"{address}?{urlencode({name: str(value) for name, value in asked.items()})}" if asked else address


def form_of(trader: CustodyContext, offer: EventOffer | None) -> str:
    """Return the address of the form of an event that is offered; empty for who may not enter any."""
    if offer is None or not trader.may_write:
        return ""
    known = {name: value for name, value in offer.fields.items() if name != "entity" or offer.kind == "entity"}
    return at(trader, "custody_enter", offer.kind, **known)
