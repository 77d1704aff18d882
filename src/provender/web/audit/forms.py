"""Forms of audits, made of what each deed declares. What they may say is checked by the core."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import Field, fields, is_dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import wraps
from types import MappingProxyType
from typing import Any, Concatenate, Final, ParamSpec, cast, get_args

from django import forms
from django.http import HttpRequest, HttpResponseBase

from provender.audit.findings import DEEDS, Bearing, Deed
from provender.audit.programme import NotNeeded
from provender.audit.programme import Role as AuditRole
from provender.audit.statement.opinion import Way
from provender.catalog.words import Pick
from provender.database.actor import today
from provender.database.choices import Area
from provender.exact import SCALE, Scaled
from provender.schema import TEXT_MAX, Whole, infos, is_day, is_required, is_tuple, is_word, types_of, wire_of
from provender.services.accounts.access import Access
from provender.services.audits import programme
from provender.services.audits.audits import AuditToOpen, LineMark, Mark, Visited
from provender.services.audits.programme import ANSWER_TIME, AuditAccess, citable
from provender.services.audits.standing import PartyView
from provender.web.access import PersonRequest, of_organisation
from provender.web.inputs import DayInput, TypedText, choice_said, several

ANSWERS: Final = "A party that lets you read today is told and answers here; others hear only from the audited party."


Choices = Iterable[tuple[str, str]]


def _words(options: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - any StrEnum
    return [(str(one), choice_said(str(one))) for one in options]


def _line(label: str, most: int, help_text: str = "", **options: Any) -> TypedText:  # noqa: ANN401 - Django's
    return TypedText(label=label, max_length=most, help_text=help_text, **options)


def _box() -> forms.Textarea:
    return forms.Textarea(attrs={"rows": 4})


def _day(label: str, help_text: str = "", **options: Any) -> forms.DateField:  # noqa: ANN401 - Django's
    return forms.DateField(label=label, help_text=help_text, widget=DayInput, **options)


def offer(form: forms.Form, name: str, choices: Iterable[tuple[str, str]]) -> None:
    """Offer what can be chosen today."""
    field = form.fields[name]
    if isinstance(field, forms.ChoiceField):
        field.choices = list(choices)


_SEPARATOR: Final = "|"


class DeclaredForm(forms.Form):
    """What somebody says in a deed, made of its declaration: a field for each part, whatever it holds."""

    def __init__(
        self,
        cls: type[Any],
        data: Any = None,  # noqa: ANN401 - Django's
        *,
        offers: Mapping[str, Choices] = MappingProxyType({}),
        said: Mapping[str, Any] = MappingProxyType({}),
        partly: bool = False,
        single: Collection[str] = (),
        **options: Any,  # noqa: ANN401 - Django's
    ) -> None:
        """Make the form.

        Args:
            cls: the declared class.
            data: as it was sent; None for a form to fill in.
            offers: what can be chosen today, by the name of the field.
            said: what stands in the fields, as plain JSON.
            partly: whether every part may be left out.
            single: fields of several lines of which this form asks for one, each part by itself.
            options: of Django's form.
        """
        self.cls, self.single = cls, {name: get_args(types_of(cls)[name])[0] for name in single}
        shown = {name: self._typed(name, value) for name, value in said.items() if name in infos(cls)}
        super().__init__(data, initial={**shown, **options.pop("initial", {})}, **options)
        for each in fields(cls):
            needed = is_required(each) and not partly
            for inner in fields(self.single[each.name]) if each.name in self.single else ():
                asked = needed and is_required(inner)
                name = f"{each.name}_{inner.name}"
                self.fields[name] = self._field(self.single[each.name], inner, None, needed=asked)
            if each.name not in self.single:
                self.fields[each.name] = self._field(cls, each, offers.get(each.name), needed=needed)

    def _field(self, cls: type[Any], each: Field[Any], offered: Choices | None, *, needed: bool) -> forms.Field:
        info, kind = infos(cls)[each.name], types_of(cls)[each.name]
        common: dict[str, Any] = {"label": info.label, "help_text": info.help, "required": needed}
        word = next((one for one in (kind, *get_args(kind)) if is_word(one)), None)
        if is_tuple(kind) and word is not None:
            return several(common.pop("label"), _words(word) if offered is None else offered, **common)
        if offered is not None or word is not None:
            # Nothing that an opinion rests on is chosen beforehand.
            choices = [("", "Choose"), *_words(word)] if offered is None else list(offered)
            return forms.ChoiceField(choices=choices, **common)
        if is_day(kind):
            return forms.DateField(widget=DayInput, **common)
        if kind is bool:
            return forms.BooleanField(**common)
        if isinstance(wire_of(kind), Scaled):
            return forms.DecimalField(min_value=0, decimal_places=SCALE, **common)
        if kind is Whole or int in (kind, *get_args(kind)):
            return forms.IntegerField(min_value=0, **common)
        if is_tuple(kind):
            line = self._parts(each.name)
            if line:
                common["help_text"] = f"{info.help} One a line: {f' {_SEPARATOR} '.join(line.values())}."
            return TypedText(max_length=8000, widget=_box(), **common)
        if info.long:
            return TypedText(max_length=TEXT_MAX, widget=_box(), **common)
        return TypedText(max_length=400, **common)

    def _parts(self, name: str) -> dict[str, str]:
        """Return the parts of a line of a field that holds several, by name with what to write; none of plain texts."""
        inside = cast("type[Any]", get_args(types_of(self.cls)[name])[0])
        return {part: info.label.lower() for part, info in infos(inside).items()} if is_dataclass(inside) else {}

    def _typed(self, name: str, value: Any) -> Any:  # noqa: ANN401 - plain JSON
        """Return what stands in a field of several lines as it was typed; anything else as it is."""
        if not isinstance(value, list) or is_word(get_args(types_of(self.cls)[name])[0]):
            return value
        parts = self._parts(name)
        rows = (f" {_SEPARATOR} ".join(str(row.get(part, "")) for part in parts) if parts else row for row in value)
        return "\n".join(rows)

    @property
    def said(self) -> dict[str, Any]:
        """What a valid form says, as plain JSON; what was left blank is not in it."""
        given = {name: value for name, value in self.cleaned_data.items() if value not in ("", None)}
        told = {name: self._said(name, value) for name, value in given.items() if name in infos(self.cls)}
        for name, cls in self.single.items():
            inner = {part: given[f"{name}_{part}"] for part in infos(cls) if f"{name}_{part}" in given}
            told[name] = [{part: str(value) for part, value in inner.items()}] if inner else []
        return told

    def _said(self, name: str, value: Any) -> Any:  # noqa: ANN401 - plain JSON
        if isinstance(value, date | Decimal):
            return str(value)
        if not isinstance(value, str) or not is_tuple(types_of(self.cls)[name]):
            return value
        parts, lines = self._parts(name), [line.strip() for line in value.splitlines() if line.strip()]
        cells = ([cell.strip() for cell in line.split(_SEPARATOR, len(parts) - 1)] for line in lines)
        return [dict(zip(parts, row, strict=False)) for row in cells] if parts else lines


def opening_form(parties: Iterable[PartyView], data: Any, initial: Mapping[str, Any]) -> DeclaredForm:  # noqa: ANN401 - Django's
    """Return the form that opens an audit; a party that lets the verifier in twice is offered once."""
    named = {party.party: f"{party.name} ({', '.join(map(str, party.roles))})" for party in parties}
    begun = {"due_on": today() + timedelta(days=90), **initial}
    form = DeclaredForm(AuditToOpen, data, offers={"audited": named.items()}, initial=begun)
    form.order_fields(["audited"])
    return form


def line_form(line: str, reasons: Iterable[NotNeeded], data: Any = None) -> DeclaredForm:  # noqa: ANN401 - Django's
    """Return the form that marks a line of the work program, with the reasons for which it may be not needed."""
    may = _words(reasons)
    states = [("", "Choose"), (str(Mark.DONE), "Done"), (str(Mark.OPEN), "Open again")]
    states[2:2] = [(str(Mark.NOT_NEEDED), "Not needed")] if may else []
    offers = {"state": states, "reason": [("", "It is needed"), *may]}
    form = DeclaredForm(LineMark, data, offers=offers, initial={"line": line}, auto_id=f"id_{line}_%s")
    if not may:
        del form.fields["reason"]
    form.fields["line"] = TypedText(widget=forms.HiddenInput)
    return form


def visit_form(farms: Mapping[str, str], sites: Iterable[str], data: Any = None) -> DeclaredForm:  # noqa: ANN401 - Django's
    """Return the form that logs a site or a drawn farm; an exempted farm is decided under the sample."""
    ways = [("", "Choose"), *_words(way for way in Way if way is not Way.EXEMPT)]
    form = DeclaredForm(Visited, data, offers={"farm": [("", "No farm"), *farms.items()], "way": ways})
    form.fields["site"].widget.attrs["list"] = "picks-site"
    form.fields["site"].picks = {site: Pick(site) for site in sites}  # type: ignore[attr-defined]
    return form


ORDER: Final = ("severity", "cite", "subject", "resolution", "owner", "due", "text")
"""In which order a form asks what a deed of a finding says; the rest follows."""
TOLD: Final = "A number, such as 2100.051(c)(3); or type a word, such as “scale ticket”, and choose from the list."
_CITED: Final = "A finding names a paragraph of the rule: type its number or a word of it."


class DeedForm(DeclaredForm):
    """What somebody says of a finding."""

    def __init__(
        self,
        deed: Deed,
        data: Any = None,  # noqa: ANN401 - Django's
        *,
        role: str = AuditRole.FARM,
        files: bool = False,
        **options: Any,  # noqa: ANN401 - Django's
    ) -> None:
        super().__init__(DEEDS[deed], data, **options)
        self.order_fields(ORDER)
        asked = self.fields
        if "bearing" in asked:
            offer(self, "bearing", [("", "Not judged yet"), *_words(Bearing)])
        if "due" in asked and asked["due"].required:
            asked["due"].initial = lambda: today() + ANSWER_TIME
        if "owner" in asked:
            asked["owner"].help_text = ANSWERS
        if files:  # nobody is asked for what no page takes
            asked["evidence"].help_text = "Records you corrected, files you added."
        if "cite" in asked:
            asked["cite"].widget.attrs |= {"list": "picks-cite", "autocomplete": "off", "spellcheck": "false"}
            asked["cite"].help_text = TOLD
            asked["cite"].picks, asked["cite"].only = citable(AuditRole(role)), _CITED  # type: ignore[attr-defined]


class ProofForm(forms.Form):
    """Last year's statement about the point, and the sample that it names."""

    statement = forms.FileField(label="Signed statement of an earlier year (.json)")
    sample = forms.FileField(label="Sample file that it names (.json)")


class SignedForm(forms.Form):
    """A statement, or a fact found later, that was signed on the verifier's own machine."""

    file = forms.FileField(label="Signed file (.json)")


class KeyForm(forms.Form):
    """A verifier's public key, or the statement of its key in use that another takes over."""

    file = forms.FileField(label="Public key or rotation statement (.json)")
    reason = _line(
        "Why the key in use is replaced", 400, "Not needed for the first key or a rotation statement.", required=False
    )


# Access to audits for people: the verifier's side and the audited party's side.

PAGES: Final = {
    "Engagement": "audit_engagement",
    "Farm sample": "audit_sample",
    "Work program": "audit_work",
    "Packages and recomputation": "audit_package",
    "Findings": "audit_findings",
    "Statement": "audit_statement",
}
"""By the step of an audit, and what is missing of one: its page."""
Rest = ParamSpec("Rest")
Page = Callable[Concatenate[PersonRequest, AuditAccess, Rest], HttpResponseBase]


def _of_audit(
    find: Callable[[Any, str], Any], areas: Collection[Area] = ()
) -> Callable[[Page[Rest]], Callable[..., HttpResponseBase]]:
    """Make a view of one audit: it is called with the access instead of the codes in the address."""

    def decorate(page: Page[Rest]) -> Callable[..., HttpResponseBase]:
        @of_organisation("read", areas=areas)
        @wraps(page)
        def view(
            request: PersonRequest, access: Access, /, audit: str, *args: Rest.args, **kwargs: Rest.kwargs
        ) -> HttpResponseBase:
            return page(request, programme.at_audit(access, find(access.organisation, audit)), *args, **kwargs)

        return view

    return decorate


at_audit_led = _of_audit(programme.audit_led)
at_audit_sampled = _of_audit(programme.audit_sampled)
at_audit_to_answer = _of_audit(programme.audit_to_answer, (Area.AUDITS,))
at_audit_of_us = _of_audit(programme.audit_of_us, (Area.AUDITS,))


def view_of(request: HttpRequest) -> str:
    """Return the name of the view that is asked, as it stands in the logs of those who are looked at."""
    match = request.resolver_match
    return match.view_name if match else ""
