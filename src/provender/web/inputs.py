"""Forms that are not made from a record schema, how they are drawn, and what a refusal leaves in them."""

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final, TypeVar

from django import forms
from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

from provender.custody.model.lots import FORMS
from provender.database.actor import today
from provender.database.choices import ADDRESS_LENGTH, Area, NewsKind, ReviewerKind, Right, Role, Scope
from provender.problem import ProblemsError
from provender.records.field import Field
from provender.services.accounts.organisations import organisation_coded
from provender.services.refused import clean_line

_LONGEST: Final = 18
"""Digits of a number in an address that every column and every sum can hold."""


def number_in(text: str) -> int | None:
    """Return the whole number that an address asks for; None where it is none, or beyond what a column holds."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) <= _LONGEST else None


def back_to(request: HttpRequest) -> str:
    """Return the page of this site that asked for a form and wants its reader back; empty where none did."""
    asked = request.GET.get("next", "")
    return asked if url_has_allowed_host_and_scheme(asked, allowed_hosts=None) else ""


class DayInput(forms.DateInput):
    """The browser's own picker of days."""

    input_type = "date"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs, format="%Y-%m-%d")


class TypedText(forms.CharField):
    """What somebody types: every character of it is seen; a line ends only where the box has several."""

    def clean(self, value: Any) -> Any:  # noqa: ANN401 - as Django declares it
        """Read the text.

        Raises:
            ValidationError: it has a character that steers or hides text.
        """
        text = str(super().clean(value))
        several = "\t\r\n" if isinstance(self.widget, forms.Textarea) else ""
        try:
            return clean_line(text, most=len(text), column="", besides=several)
        except ProblemsError as hidden:
            raise forms.ValidationError(f"{hidden.problems[0].cause} {hidden.problems[0].remedy}") from None


class CodeField(TypedText):
    """The code of another organisation on this server; gives the organisation."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - as Django declares it
        super().__init__(
            max_length=12, widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}), **options
        )

    def clean(self, value: Any) -> Any:  # noqa: ANN401 - as Django declares it
        """Find the organisation.

        Raises:
            ValidationError: there is none with this code.
        """
        code = str(super().clean(value)).strip()
        if not code:
            return None
        try:
            return organisation_coded(code, column="")
        except ProblemsError as unknown:
            raise forms.ValidationError(f"{unknown.problems[0].cause} {unknown.problems[0].remedy}") from None


def several(label: str, choices: Any, **options: Any) -> forms.MultipleChoiceField:  # noqa: ANN401 - as Django has it
    """Return a field of boxes of which several may be ticked."""
    return forms.MultipleChoiceField(label=label, choices=choices, widget=forms.CheckboxSelectMultiple, **options)


class OrganisationForm(forms.Form):
    """Name, place and roles."""

    name = TypedText(label="Name", max_length=120, help_text="As it stands on contracts and scale tickets.")
    roles = several(
        "What it is under the rule",
        Role.choices,
        help_text="Choose all that apply. An elevator that buys from farms is a first point of aggregation.",
    )
    county = TypedText(label="County", max_length=80, required=False)
    state = TypedText(label="State", max_length=2, required=False, help_text="Two letters, such as IA.")


class InvitationForm(forms.Form):
    """Whom to invite and with what right."""

    label = TypedText(label="Who is it for?", max_length=120, help_text="A name for your list. They give their own.")
    right = forms.ChoiceField(label="They may", choices=Right.choices, initial=Right.WRITE)
    firm = CodeField(
        label="Consultant's firm (code)",
        required=False,
        help_text="Only for a consultant of another firm: they may keep records and never sign for you.",
    )


class MemberForm(forms.Form):
    """A member's right."""

    right = forms.ChoiceField(label="They may", choices=Right.choices)


class GrantForm(forms.Form):
    """Which verifier may read, for how long and what for."""

    verifier = CodeField(label="Verifier's code", help_text="The verifier finds it on its overview page.")
    purpose = TypedText(label="What for", max_length=200, help_text="Such as: audit of 2026, third quarter.")
    first_day = forms.DateField(label="First day", widget=DayInput, initial=today)
    last_day = forms.DateField(
        label="Last day",
        widget=DayInput,
        initial=lambda: today() + timedelta(days=60),
        help_text="Access ends by itself.",
    )


class ReviewerForm(forms.Form):
    """Whom to let look, at what and until when."""

    label = TypedText(label="Who is it for?", max_length=120, help_text="A name for your list. They give their own.")
    kind = forms.ChoiceField(label="Who looks", choices=ReviewerKind.choices)
    areas = several("May see", ())
    purpose = TypedText(label="What for", max_length=200, help_text="Such as: review of soybeans of 2026.")
    last_day = forms.DateField(
        label="Last day",
        widget=DayInput,
        initial=lambda: today() + timedelta(days=30),
        help_text="Access ends by itself, after a year at most.",
    )

    def __init__(self, areas: Sequence[Area], *args: Any, **options: Any) -> None:  # noqa: ANN401 - as Django has it
        super().__init__(*args, **options)
        self.fields["areas"] = several("May see", [(str(area), str(area.label)) for area in areas])


class TokenForm(forms.Form):
    """What a token is for and what it may touch."""

    name = TypedText(label="What for", max_length=80, help_text="Such as: scale house software.")
    scopes = several("It may", Scope.choices)
    expires_on = forms.DateField(
        label="Last day",
        widget=DayInput,
        initial=lambda: today() + timedelta(days=365),
        help_text="It stops by itself.",
    )


class NoticesForm(forms.Form):
    """What a member wants shown and sent."""

    shown = several("Show me here", NewsKind.choices, required=False)
    sent = several("Send me by mail", NewsKind.choices, required=False)


class HookForm(forms.Form):
    """Where a program listens, and to what."""

    address = TypedText(
        label="Address",
        max_length=ADDRESS_LENGTH,
        help_text="Such as https://scale.example.com/told.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "inputmode": "url"}),
    )
    kinds = several("It gets", NewsKind.choices)


class PersonForm(forms.Form):
    """One's own name."""

    name = TypedText(label="Your name", max_length=120, help_text="Stands beside everything you write.")


class SignedFileForm(forms.Form):
    """A report that was signed on the producer's own machine."""

    file = forms.FileField(
        label="Signed report", help_text="The JSON file that the command “provender keys sign” wrote.", max_length=200
    )


class Renderer(DjangoTemplates):
    """Django's renderer with our templates for a form and a field."""

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"


Result = TypeVar("Result")


def attempt(form: forms.Form, deed: Callable[[], Result]) -> Result | None:
    """Call a deed; on refusal write its problems into the form and return None."""
    try:
        return deed()
    except ProblemsError as refused:
        for problem in refused.problems:
            column = problem.place.column
            law = f" [7 CFR {problem.cite}]" if problem.cite else ""
            form.add_error(column if column in form.fields else None, f"{problem.cause} {problem.remedy}{law}")
        return None


SIGNS: Final[dict[str, str]] = {"pct": "%", "g CO2e/bu": "g CO₂e/bu", "amount": "", "rate": "", "ph": ""}
"""Where the sign is another than the unit's name; the last three are no units, the label says it all."""


def sign(unit: str) -> str:
    """Return a unit as people write it: ``pct`` is %."""
    return SIGNS.get(unit, unit)


def heading(found: Field) -> str:
    """Return the label of a column with its unit."""
    unit = sign(found.unit)
    return f"{found.label} ({unit})" if unit and unit != found.label.lower() else found.label


# What was typed into a form that is left for another one: it waits in the session until the form is entered.
#
# A person may work in several organizations in one session: a form waits for the one in whose pages it was left.

DRAFT: Final = "draft"
"""What an address calls the form that it goes back to."""
_OF: Final = "of"
_MOST: Final = 8
"""Forms of a kind that a session keeps; who leaves more has forgotten the first."""


def keep(request: HttpRequest, shelf: str, form: Mapping[str, Any]) -> str:
    """Keep a form among those of its kind, and return what an address calls it."""
    draft = secrets.token_urlsafe(8)
    kept = {**request.session.get(shelf, {}), draft: {**form, _OF: _organisation(request)}}
    request.session[shelf] = dict(list(kept.items())[-_MOST:])
    return draft


def kept(request: HttpRequest, shelf: str) -> dict[str, Any] | None:
    """Return the form that the address names; None where it names none that waits."""
    found: dict[str, Any] | None = request.session.get(shelf, {}).get(request.GET.get(DRAFT, ""))
    return found if found is not None and found.get(_OF) == _organisation(request) else None


def forget(request: HttpRequest, shelf: str) -> None:
    """Forget the form that the address names, once it is entered."""
    if kept(request, shelf) is not None:
        del request.session[shelf][request.GET[DRAFT]]
        request.session.modified = True


def _organisation(request: HttpRequest) -> str:
    """Return the handle of the organization in whose pages somebody is; empty outside of all."""
    return str(request.resolver_match.kwargs.get("handle", "")) if request.resolver_match else ""


# Words of the book as people read them.

_SPELLED: Final = {
    "favourable": "favorable",
    "lowest_ci_first": "lowest CI first",
    "highest_ci_first": "highest CI first",
}
_NAMES: Final = re.compile(rf"\b({'|'.join(name for name in FORMS if '_' in name)})\b")


def choice_said(name: str) -> str:
    """Write a choice as stored for people: ``soybean_oil`` becomes ``Soybean oil``.

    One was stored in British spelling before anybody looked; what is signed keeps it, and people read American.
    """
    plain = _SPELLED.get(name, name).replace("_", " ")
    return plain[:1].upper() + plain[1:]


def said_plainly(text: str) -> str:
    """Write a sentence of the book for people: names of forms in it lose their underscores."""
    return _NAMES.sub(lambda found: found[0].replace("_", " "), text) if "_" in text else text
