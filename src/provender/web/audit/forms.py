"""Forms of audits. What they may say is checked by the core; here stand labels and help."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import date, timedelta
from typing import Any, Final, get_args

from django import forms

from provender.audit.findings import DEEDS, Deed
from provender.audit.programme import NotNeeded
from provender.audit.programme import Role as AuditRole
from provender.audit.sampling.sample import Extent
from provender.audit.statement.accreditation import STANDARD, Accreditation, Forum, Membership
from provender.audit.statement.opinion import LISTS, Engagement, Way
from provender.audit.statement.statement import Assurance, Opinion
from provender.catalog.words import Pick
from provender.database.actor import today
from provender.rule.crops import Crop
from provender.schema import Info, Whole, infos, is_day, is_required, is_word, types_of
from provender.services.audits.audits import HARVESTS
from provender.services.audits.findings import ANSWER_TIME
from provender.services.audits.package_requests import MAY_BE_ABSENT
from provender.services.audits.paragraphs import citable
from provender.services.audits.programme import Mark
from provender.services.audits.standing import PartyView
from provender.web.inputs import DayInput, TypedText, choice_said

ANSWERS: Final = "A party that lets you read today is told and answers here; others hear only from the audited party."


def _words(options: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - any StrEnum
    return [(str(one), choice_said(str(one))) for one in options]


def _choose(options: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - any StrEnum
    """Return what may be chosen after a blank: nothing that an opinion rests on is chosen beforehand."""
    return [("", "Choose"), *_words(options)]


def _line(label: str, most: int, help_text: str = "", **options: Any) -> TypedText:  # noqa: ANN401 - Django's
    return TypedText(label=label, max_length=most, help_text=help_text, **options)


def _box(label: str, most: int = 2000, help_text: str = "") -> TypedText:
    return _line(label, most, help_text, widget=forms.Textarea(attrs={"rows": 4}))


def _day(label: str, help_text: str = "", **options: Any) -> forms.DateField:  # noqa: ANN401 - Django's
    return forms.DateField(label=label, help_text=help_text, widget=DayInput, **options)


def offer(form: forms.Form, name: str, choices: Iterable[tuple[str, str]]) -> None:
    """Offer what can be chosen today."""
    field = form.fields[name]
    if isinstance(field, forms.ChoiceField):
        field.choices = list(choices)


class AccreditationForm(forms.Form):
    """What a verifier shows of its accreditation (2100.041)."""

    standard = _line("Standard", 40, initial=f"{STANDARD}:2020")
    scope = _line("Scope", 400, "In the words of the certificate.")
    body = _line("Accreditation body", 120)
    number = _line("Number of the certificate", 60)
    first = _day("Valid from")
    last = _day("Valid until")
    forum = forms.ChoiceField(label="The body is a member of", choices=_words(Forum), initial=str(Forum.SUCCESSOR))
    member_since = _day("Member since")
    source = _line("Where this was looked up", 200, "Such as: the forum's list of members, and the day.")
    suspended_from = _day("Suspended from", required=False)
    suspended_to = _day("Suspended until", required=False)

    def shown(self, name: str, code: str) -> Accreditation:
        """Return what the form says, once it is valid."""
        data = self.cleaned_data
        begins, ends = data["suspended_from"], data["suspended_to"]
        member = Membership(Forum(data["forum"]), data["member_since"], None, data["source"])
        return Accreditation(
            name, data["standard"], data["body"], data["number"], data["first"], data["last"],
            ((begins, ends),) if begins else (), (member,), data["scope"], code,
        )  # fmt: skip


class OpeningForm(forms.Form):
    """Whom to audit, as what, and for which days."""

    audited = forms.ChoiceField(label="Who is audited", help_text="Everybody who lets you read today.")
    role = forms.ChoiceField(label="As what", choices=_words(AuditRole))
    number = _line("Your number for the audit", 40)
    harvest_year = forms.IntegerField(label="Harvest year", min_value=HARVESTS[0], max_value=HARVESTS[1])
    covered_first = _day("First day covered")
    covered_last = _day("Last day covered")
    due_on = _day(
        "Statement agreed for",
        "As agreed with the party; the rule's own yearly day stands beside it.",
        initial=lambda: today() + timedelta(days=90),
    )

    def __init__(self, parties: Sequence[PartyView], data: Any = None, initial: Any = None) -> None:  # noqa: ANN401 - Django's
        super().__init__(data, initial=initial)
        # A party that lets the verifier in twice is offered once.
        named = {party.party: f"{party.name} ({', '.join(map(str, party.roles))})" for party in parties}
        offer(self, "audited", named.items())


class CommitForm(forms.Form):
    """A side's own commitment to its part of the seed."""

    commitment = _line(
        "Your commitment",
        64,
        "As “provender audit seed” shows it. Without one the server makes your part.",
        min_length=64,
    )


class OpenForm(forms.Form):
    """What opens the audited party's commitment."""

    secret = _line("The secret behind your commitment", 200)


class DrawForm(forms.Form):
    """What opens the seed, and how many farms."""

    seed = _line(
        "The secret behind your commitment", 200, "Blank where you made no commitment of your own.", required=False
    )
    without_party = forms.BooleanField(
        label="The party does not open its part", required=False, help_text="It is recorded as its refusal."
    )
    size = forms.IntegerField(
        label="Farms to draw", required=False, min_value=1, help_text="Blank for the least the rule allows."
    )


class TreatmentForm(forms.Form):
    """A borrowed audit of a drawn farm (2100.040(b)(2))."""

    farm_id = forms.ChoiceField(label="Drawn farm")
    extent = forms.ChoiceField(label="The borrowed audit stands for", choices=_choose(Extent))
    borrowed_audit = _line("Statement of the borrowed audit", 120)
    verifier = _line("Verifier that completed it", 120)
    reason = _line("Why you accept it", 400)
    still_to_do = _line("Still to be audited", 400, required=False)


class FailureForm(forms.Form):
    """A drawn farm that failed (interpretation 56)."""

    failed = forms.ChoiceField(label="Farm that failed")
    reason = _line("What failed", 400, "Name the finding.")
    more = forms.IntegerField(
        label="Farms to add",
        required=False,
        min_value=0,
        help_text="Blank for as many as were drawn in its stratum.",
    )


class MarkForm(forms.Form):
    """One line of the work programme done, or not to be done."""

    line = TypedText(widget=forms.HiddenInput)
    state = forms.ChoiceField(
        label="Result",
        choices=(("", "Choose"), (Mark.DONE, "Done"), (Mark.NOT_NEEDED, "Not needed"), (Mark.OPEN, "Open again")),
    )
    reason = forms.ChoiceField(
        label="Why not needed",
        choices=[("", "It is needed"), *_words(NotNeeded)],
        required=False,
        help_text="The package must show it when the statement is signed.",
    )
    note = _line("What was seen", 400)
    evidence = _line("Evidence", 200, "File, photograph or document number.", required=False)


class PackageForm(forms.Form):
    """What to put into a package, and what may be absent."""

    what = forms.ChoiceField(label="Package of")
    absent = forms.MultipleChoiceField(
        label="May be absent",
        choices=_words(MAY_BE_ABSENT),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="You decide this, never the audited party. It stands in the package with your reason.",
    )
    reason = _line("Your reason", 200, required=False)

    def __init__(self, packages: list[tuple[str, str]], data: Any = None) -> None:  # noqa: ANN401 - Django's
        super().__init__(data)
        offer(self, "what", packages)


ORDER: Final = ("severity", "cite", "subject", "resolution", "owner", "due", "text")
"""In which order a form asks what a deed of a finding says; the rest follows."""
CITED: Final = "A finding names a paragraph of the rule: type its number or a word of it."


class DeedForm(forms.Form):
    """What somebody says of a finding, made of the declaration of the deed."""

    def __init__(
        self,
        deed: Deed,
        data: Any = None,  # noqa: ANN401 - Django's
        *,
        role: str = AuditRole.FARM,
        files: bool = False,
        **options: Any,  # noqa: ANN401 - Django's
    ) -> None:
        super().__init__(data, **options)
        parts, kinds = infos(DEEDS[deed]), types_of(DEEDS[deed])
        needed = {each.name for each in fields(DEEDS[deed]) if is_required(each)}
        for name in sorted(parts, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER)):
            self.fields[name] = _deed_field(parts[name], kinds[name], name, needed=name in needed)
        if "due" in needed:
            self.fields["due"].initial = lambda: today() + ANSWER_TIME
        if "owner" in parts:
            self.fields["owner"].help_text = ANSWERS
        if files:  # nobody is asked for what no page takes
            self.fields["evidence"].help_text = "Records you corrected, files you added."
        if "cite" in parts:
            self.fields["cite"].picks, self.fields["cite"].only = citable(AuditRole(role)), CITED  # type: ignore[attr-defined]


def _deed_field(info: Info, kind: Any, name: str, *, needed: bool) -> forms.Field:  # noqa: ANN401 - any annotation
    if is_day(kind):
        return _day(info.label, required=needed)
    words = next((one for one in (kind, *get_args(kind)) if is_word(one)), None)
    if words is not None:
        blank = "Not judged yet" if name == "bearing" else "Choose"
        choices = [("", blank), *_words(words)]
        return forms.ChoiceField(label=info.label, choices=choices, required=needed, help_text=info.help)
    if name == "text":
        return _box(info.label)
    if name == "cite":
        told = "A number, such as 2100.051(c)(3); or type a word, such as “scale ticket”, and choose from the list."
        typed = forms.TextInput(attrs={"list": "picks-cite", "autocomplete": "off", "spellcheck": "false"})
        return _line(info.label, 40, told, widget=typed, required=needed)
    return _line(info.label, 400, info.help, required=needed)


SEPARATOR: Final = "|"


def _engagement_field(name: str) -> forms.Field:
    info, kind = infos(Engagement)[name], types_of(Engagement)[name]
    if is_day(kind):
        return forms.DateField(label=info.label, widget=DayInput, required=False)
    if kind is Whole:
        return forms.IntegerField(label=info.label, min_value=1, max_value=99, required=False, help_text=info.help)
    words = info.help
    if name in LISTS:
        parts = f" {SEPARATOR} ".join(each.label.lower() for each in infos(LISTS[name]).values())
        words = f"{info.help} One a line: {parts}."
    wide = forms.Textarea(attrs={"rows": 4 if name in LISTS else 2})
    return TypedText(label=info.label, max_length=8000, required=False, help_text=words, widget=wide)


class EngagementForm(forms.Form):
    """What verifier and client agreed on; what is not said yet stands against a favourable opinion."""

    def __init__(self, data: Any = None, said: Mapping[str, Any] | None = None) -> None:  # noqa: ANN401 - Django's
        shown = {name: self._shown(name, value) for name, value in (said or {}).items()}
        super().__init__(data, initial=shown)
        self.fields.update({name: _engagement_field(name) for name in infos(Engagement)})

    @staticmethod
    def _shown(name: str, value: Any) -> Any:  # noqa: ANN401 - plain JSON
        if name not in LISTS:
            return value
        return "\n".join(f" {SEPARATOR} ".join(str(row.get(part, "")) for part in infos(LISTS[name])) for row in value)

    @property
    def said(self) -> dict[str, Any]:
        """What a valid form says, as plain JSON; texts on one line."""
        found: dict[str, Any] = {}
        for name, value in self.cleaned_data.items():
            if name in LISTS:
                found[name] = [_row(LISTS[name], line) for line in value.splitlines() if line.strip()]
            elif isinstance(value, str):
                found[name] = " ".join(value.split())
            else:
                found[name] = value.isoformat() if isinstance(value, date) else value
        return found


def _row(part: type[Any], line: str) -> dict[str, str]:
    names = list(infos(part))
    cells = [cell.strip() for cell in line.split(SEPARATOR, len(names) - 1)]
    return dict(zip(names, cells, strict=False))


class VisitForm(forms.Form):
    """A site or a drawn farm that was audited."""

    farm = forms.ChoiceField(label="Drawn farm", required=False, help_text="Or leave it and name a site.")
    site = _line("Site", 120, required=False, widget=forms.TextInput(attrs={"list": "picks-site"}))
    way = forms.ChoiceField(label="How", choices=[one for one in _choose(Way) if one[0] != Way.EXEMPT])
    on = _day("Day")
    by = _line("By", 120)
    seen = _box("What was seen", 1000)

    def __init__(self, farms: Mapping[str, str], sites: Iterable[str], data: Any = None) -> None:  # noqa: ANN401 - Django's
        super().__init__(data)
        offer(self, "farm", [("", "No farm"), *farms.items()])
        self.fields["site"].picks = {site: Pick(site) for site in sites}  # type: ignore[attr-defined]

    @property
    def said(self) -> dict[str, str]:
        """What a valid form says of the place, as plain JSON."""
        data = self.cleaned_data
        return {
            "site": data["site"], "way": data["way"], "on": data["on"].isoformat(), "by": data["by"],
            "seen": " ".join(data["seen"].split()),
        }  # fmt: skip


class StatementForm(forms.Form):
    """The words of a verification statement; sample, findings and days come from the audit."""

    lead_verifier = _line("Lead verifier", 120)
    independent_reviewer = _line("Independent reviewer", 120, "Somebody who took no part in the audit.")
    crops = forms.MultipleChoiceField(label="Crops", choices=_words(Crop), widget=forms.CheckboxSelectMultiple)
    objectives = _box("Objectives")
    criteria = _box("Criteria", 2000, "One per line. Keep the line that names the rule.")
    assurance = forms.ChoiceField(label="Assurance", choices=_choose(Assurance))
    materiality_pct = forms.DecimalField(label="Materiality (%)", min_value=0, max_value=100, decimal_places=3)
    materiality = _line("How it was applied", 400)
    opinion = forms.ChoiceField(label="Opinion", choices=_choose(Opinion))
    basis = _box("Basis of the opinion", 4000, "For a qualified opinion, what is excepted.")


class SignedForm(forms.Form):
    """A statement that was signed on the verifier's own machine."""

    file = forms.FileField(label="Signed statement (.json)")


class KeyForm(forms.Form):
    """A verifier's public key, or the statement of its key in use that another takes over."""

    file = forms.FileField(label="Public key or rotation statement (.json)")
    reason = _line(
        "Why the key in use is replaced", 400, "Not needed for the first key or a rotation statement.", required=False
    )
