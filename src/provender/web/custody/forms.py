"""One form for every type of event, made from its declaration: fields, words, help and what is needed.

A field's name says which control it gets, as it says in ``custody.model.event`` how it is read. What the form gives is
the plain event; reading it, and every rule, is the core's.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import Field, fields
from datetime import date
from enum import StrEnum
from typing import Any, Final, get_args, get_type_hints

from django import forms
from django.http import QueryDict

from provender.custody.model.amounts import FORMS
from provender.custody.model.described import meanings
from provender.custody.model.event import Event, required
from provender.custody.model.lots import length
from provender.database.store.custody_lists import open_pending, open_slips
from provender.quantity import show
from provender.rule import Crop
from provender.services.custody.entry import ENTERED_BY, new_event_id
from provender.web.custody.lines import (
    LinesField,
    amount_text,
    read_coproduct_line,
    read_document_line,
    read_serials_line,
    read_span_line,
    read_ticket_line,
)
from provender.web.custody.pages.context import CustodyContext
from provender.web.inputs import DayInput

EVENT: Final = "event"
UNCHOSEN: Final = ("", "—")
NOT_ASKED: Final = frozenset({"id", "actor", "report", "salt"})
LABELS: Final[Mapping[str, str]] = {
    "day": "Day",
    "giver": "Seller",
    "taker": "Buyer",
    "bushels": "Bushels (bu)",
    "pounds": "Pounds of product (lb)",
    "gallons": "Gallons",
    "amount": "Amount (bu or lb)",
    "rate": "Yield (lb per bu, or per lb)",
    "ci": "Carbon intensity (g CO2e/bu)",
    "ci_min": "Carbon intensity at least (g CO2e/bu)",
    "ci_max": "Carbon intensity at most (g CO2e/bu)",
    "crop_crushed": "All crop put in (bu, or lb of a product)",
    "product_made": "All product made (lb)",
    "to_site": "To site",
    "made_of": "Made of",
    "lots": "Lots named",
    "slip": "Sale slip",
    "pending": "Purchase that waits",
    "movement": "Movement",
    "number": "Number",
    "signing_key": "Their public key",
    "batch": "Batch of fuel",
}
LABELS_OF: Final = {
    ("return", "taker"): "Seller, who gets it back",
    ("storage", "owner"): "Whose it stays",
    ("entity", "entity"): "Code or id in their documents",
    ("statement", "entity"): "Who was verified",
    ("close", "day"): "Last day of the period",
    ("contract", "counterparty"): "The other party's code",
    ("correct", "movement"): "Entry to take back",
}
EXAMPLES: Final[Mapping[str, tuple[Callable[[str], object], str]]] = {
    "tickets": (read_ticket_line, "T-1001, 950.25, 2026-10-05"),
    "lots": (read_serials_line, "3f9ac2d1 0-500"),
    "spans": (read_span_line, "0-500"),
    "coproducts": (read_coproduct_line, "soybean_meal, 44000"),
    "lines": (read_document_line, "corn, 2025, 29150.37, 1000"),
    "sites": (str, "North elevator"),
}
AMOUNTS: Final = frozenset(
    {"bushels", "pounds", "gallons", "amount", "rate", "ci", "ci_min", "ci_max", "crop_crushed", "product_made"}
)
SAID_BY_LABEL: Final = frozenset({"the buyer.", "the seller.", "of which year.", "which crop."})
"""Meanings that a label says as well."""
PARTIES: Final = frozenset({"giver", "taker", "owner", "custodian", "plant", "counterparty"})


def words(name: str) -> str:
    """Write a word of the book for people: ``soybean_oil`` becomes ``Soybean oil``."""
    plain = name.replace("_", " ")
    return plain[:1].upper() + plain[1:]


_NAMES: Final = re.compile(rf"\b({'|'.join(name for name in FORMS if '_' in name)})\b")


def said_plainly(text: str) -> str:
    """Write a sentence of the book for people: names of forms in it lose their underscores."""
    return _NAMES.sub(lambda found: found[0].replace("_", " "), text)


def fixed_party(kind: str) -> str:
    """Return the field that is the organisation itself, or nothing."""
    return ENTERED_BY.get(kind, "")


class EventForm(forms.Form):
    """The form of one type of event.

    Args:
        cls: the type.
        desk: whose form it is.
        data: what was sent, or None for an empty form.
        initial: texts to begin with.
    """

    def __init__(
        self,
        cls: type[Event],
        desk: CustodyContext,
        *,
        data: Any = None,  # noqa: ANN401 - as Django declares it
        initial: Mapping[str, str] | None = None,
    ) -> None:
        fresh = new_event_id(desk.access.organisation, cls.type.replace("_", "-"))
        super().__init__(data, initial={"day": desk.today.isoformat(), EVENT: fresh, **(initial or {})})
        self.cls, self.desk, self.fresh = cls, desk, fresh
        said, hints = meanings(cls), get_type_hints(cls)
        self.fields[EVENT] = forms.CharField(widget=forms.HiddenInput, required=False, max_length=80)
        for one in _in_order(cls):
            if one.name not in NOT_ASKED and one.name != fixed_party(cls.type):
                help_text = said.get(one.name, "")
                self.fields[one.name] = self._field(one, hints[one.name], help_text[:1].upper() + help_text[1:])

    def _field(self, one: Field[Any], hint: Any, help_text: str) -> forms.Field:  # noqa: ANN401 - any annotation
        name = one.name
        if help_text.casefold() in SAID_BY_LABEL:
            help_text = ""
        common: dict[str, Any] = {
            "label": LABELS_OF.get((self.cls.type, name)) or LABELS.get(name, words(name)),
            "help_text": help_text,
            "required": required(one),
        }
        if name in EXAMPLES and (name != "sites" or self.cls.type == "entity"):
            read, example = EXAMPLES[name]
            return LinesField(read, example, **common)
        if name in AMOUNTS:
            return AmountField(**common)
        if date in (hint, *get_args(hint)):
            return forms.DateField(widget=DayInput, **common)
        if hint is bool:
            return forms.BooleanField(**{**common, "required": False})
        many = next((each for each in get_args(hint) if isinstance(each, type) and issubclass(each, StrEnum)), None)
        if many is not None or name == "crops":
            offered = [(str(each), words(str(each))) for each in many or Crop]
            return forms.MultipleChoiceField(choices=offered, widget=forms.CheckboxSelectMultiple, **common)
        choices = self._choices(name, hint)
        if choices is None:
            return forms.CharField(max_length=2000, widget=forms.TextInput(attrs={"autocomplete": "off"}), **common)
        if not required(one) or len(choices) > 1:
            choices = [UNCHOSEN, *choices]
        now = str(self.data.get(name, "") if self.is_bound else self.initial.get(name, ""))
        if now and now not in dict(choices) and name in OPEN:
            choices.append((now, self.desk.named(now)))
        return forms.ChoiceField(choices=choices, **common)

    def _choices(self, name: str, hint: Any) -> list[tuple[str, str]] | None:  # noqa: ANN401 - any annotation
        """Return what may be chosen, or None where people type."""
        if isinstance(hint, type) and issubclass(hint, StrEnum):
            return [(str(one), words(str(one))) for one in hint]
        maker = CHOICES.get(name)
        if maker is not None:
            return maker(self.desk)
        if name in PARTIES and not (self.cls.type == "contract" and name == "counterparty"):
            return list(self.desk.partners.items())
        return None

    def clean_event(self) -> str:
        """Keep the event's id if it is one of ours; give it a new one otherwise."""
        given = str(self.cleaned_data[EVENT])
        stem = re.escape(self.fresh.rpartition("-")[0])
        return given if re.fullmatch(rf"{stem}-[0-9a-f]{{8}}", given) else self.fresh

    def plain(self) -> dict[str, object]:
        """Return the event as plain data, once the form is valid; what was left blank is left out."""
        found: dict[str, object] = {"id": self.cleaned_data[EVENT]}
        if party := fixed_party(self.cls.type):
            found[party] = self.desk.id
        for name in self.fields:
            value = self.cleaned_data.get(name)
            if name == EVENT or value in ("", None, [], False):
                continue
            if isinstance(value, date):
                found[name] = value.isoformat()
            else:
                found[name] = int(value) if name in WHOLE and str(value).isdecimal() else value
        return found

    @property
    def main(self) -> list[forms.BoundField]:
        """Return the fields that people nearly always fill."""
        return [field for field in self.visible_fields() if field.name not in FURTHER or field.field.required]

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
        self.data = {**self.data.dict(), EVENT: self.fresh} if isinstance(self.data, QueryDict) else self.data


FURTHER: Final = frozenset(
    {"harvest_year", "lots", "ci_min", "ci_max", "tickets", "custodian", "plant", "coproducts", "delivered", "scope"}
    | {"surplus", "spans", "void"}
)
"""Fields that are folded away unless they are needed, filled or wrong."""
WHOLE: Final = frozenset({"harvest_year", "version"})


class AmountField(forms.CharField):
    """A number as people type it; commas between thousands go."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - as Django declares it
        attributes = {"inputmode": "decimal", "autocomplete": "off"}
        super().__init__(max_length=40, widget=forms.TextInput(attrs=attributes), **options)

    def clean(self, value: Any) -> str:  # noqa: ANN401 - as Django declares it
        """Return the number's text; the core reads it."""
        return amount_text(str(super().clean(value)))


def _in_order(cls: type[Event]) -> list[Field[Any]]:
    """Return the fields as people fill them: the event's own first what is needed, then what may be added."""
    own = [one for one in fields(cls) if one.name not in ("id", "actor")]
    return sorted(own, key=lambda one: (not required(one), one.name != "day"))


def _forms(_: CustodyContext) -> list[tuple[str, str]]:
    return [(form.name, words(form.name)) for form in FORMS.values() if form.claims]


def _crops(_: CustodyContext) -> list[tuple[str, str]]:
    return [(str(crop), words(str(crop))) for crop in Crop]


def _sites(desk: CustodyContext) -> list[tuple[str, str]]:
    return [(site, site) for site in desk.entity.sites]


def _slips(desk: CustodyContext) -> list[tuple[str, str]]:
    slips = open_slips(desk.id)
    return [
        (one.id, f"{one.day}, {desk.partners.get(one.giver, one.giver)}: {show(length(one.open_spans), group=True)} bu")
        for one in slips
    ]


def _pending(desk: CustodyContext) -> list[tuple[str, str]]:
    return [
        (one.id, f"{one.day}, {desk.partners.get(one.giver, one.giver)}: {show(one.left, group=True)} bu of {one.crop}")
        for one in open_pending(desk.id)
    ]


CHOICES: Final[Mapping[str, Callable[[CustodyContext], list[tuple[str, str]]]]] = {
    "crop": _crops,
    "form": _forms,
    "made_of": _forms,
    "output": _forms,
    "site": _sites,
    "to_site": _sites,
    "slip": _slips,
    "pending": _pending,
}
OPEN: Final = PARTIES | {"slip", "pending"}
"""Choices to which a link may add one: the book answers for it."""
