"""Forms of audits. What they may say is checked by the core; here stand labels and help."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

from django import forms

from provender.audit.findings import Bearing, Resolution, Severity
from provender.audit.programme import Role as AuditRole
from provender.audit.sampling.sample import Extent
from provender.audit.statement.accreditation import STANDARD, Accreditation, Forum, Membership
from provender.audit.statement.opinion import LISTS, Engagement, Way
from provender.audit.statement.statement import Assurance, Opinion
from provender.database.actor import today
from provender.rule.law import Crop
from provender.schema import Whole, infos, is_day, types_of
from provender.services.audits.audits import HARVESTS
from provender.services.audits.findings import ANSWER_TIME
from provender.services.audits.package_requests import MAY_BE_ABSENT
from provender.services.audits.paragraphs import citable
from provender.services.audits.programme import Mark
from provender.services.audits.standing import PartyView
from provender.web.inputs import DayInput, TypedText
from provender.web.tables import choice_said

LINES: Final = {"rows": 4}
ANSWERS: Final = "A party that lets you read today is told and answers here; others hear only from the audited party."


def _words(options: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - any StrEnum
    return [(str(one), choice_said(str(one))) for one in options]


def _choose(options: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - any StrEnum
    """Return what may be chosen after a blank: nothing that an opinion rests on is chosen beforehand."""
    return [("", "Choose"), *_words(options)]


class AccreditationForm(forms.Form):
    """What a verifier shows of its accreditation (2100.041)."""

    standard = TypedText(label="Standard", max_length=40, initial=f"{STANDARD}:2020")
    scope = TypedText(label="Scope", max_length=400, help_text="In the words of the certificate.")
    body = TypedText(label="Accreditation body", max_length=120)
    number = TypedText(label="Number of the certificate", max_length=60)
    first = forms.DateField(label="Valid from", widget=DayInput)
    last = forms.DateField(label="Valid until", widget=DayInput)
    forum = forms.ChoiceField(label="The body is a member of", choices=_words(Forum), initial=str(Forum.SUCCESSOR))
    member_since = forms.DateField(label="Member since", widget=DayInput)
    source = TypedText(
        label="Where this was looked up", max_length=200, help_text="Such as: the forum's list of members, and the day."
    )
    suspended_from = forms.DateField(label="Suspended from", widget=DayInput, required=False)
    suspended_to = forms.DateField(label="Suspended until", widget=DayInput, required=False)

    def shown(self, verifier: str) -> Accreditation:
        """Return what the form says, once it is valid."""
        data = self.cleaned_data
        begins, ends = data["suspended_from"], data["suspended_to"]
        member = Membership(Forum(data["forum"]), data["member_since"], None, data["source"])
        return Accreditation(
            verifier, data["standard"], data["body"], data["number"], data["first"], data["last"],
            ((begins, ends),) if begins else (), (member,), data["scope"],
        )  # fmt: skip


class OpeningForm(forms.Form):
    """Whom to audit, as what, and for which days."""

    audited = forms.ChoiceField(label="Who is audited", help_text="Everybody who lets you read today.")
    role = forms.ChoiceField(label="As what", choices=_words(AuditRole))
    number = TypedText(label="Your number for the audit", max_length=40)
    harvest_year = forms.IntegerField(label="Harvest year", min_value=HARVESTS[0], max_value=HARVESTS[1])
    covered_first = forms.DateField(label="First day covered", widget=DayInput)
    covered_last = forms.DateField(label="Last day covered", widget=DayInput)
    due_on = forms.DateField(
        label="Statement agreed for", widget=DayInput, initial=lambda: today() + timedelta(days=90),
        help_text="As agreed with the party; the rule's own yearly day stands beside it.",
    )  # fmt: skip

    def __init__(self, parties: Sequence[PartyView], data: Any = None, initial: Any = None) -> None:  # noqa: ANN401 - Django's
        super().__init__(data, initial=initial)
        field = self.fields["audited"]
        if isinstance(field, forms.ChoiceField):
            # A party that lets the verifier in twice is offered once.
            named = {party.party: f"{party.name} ({', '.join(map(str, party.roles))})" for party in parties}
            field.choices = list(named.items())


class CommitForm(forms.Form):
    """A side's own commitment to its part of the seed."""

    commitment = TypedText(
        label="Your commitment",
        min_length=64,
        max_length=64,
        help_text="As “provender audit seed” shows it. Without one the server makes your part.",
    )


class OpenForm(forms.Form):
    """What opens the audited party's commitment."""

    secret = TypedText(label="The secret behind your commitment", max_length=200)


class DrawForm(forms.Form):
    """What opens the seed, and how many farms."""

    seed = TypedText(
        label="The secret behind your commitment",
        max_length=200,
        required=False,
        help_text="Blank where you made no commitment of your own.",
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
    borrowed_audit = TypedText(label="Statement of the borrowed audit", max_length=120)
    verifier = TypedText(label="Verifier that completed it", max_length=120)
    reason = TypedText(label="Why you accept it", max_length=400)
    still_to_do = TypedText(label="Still to be audited", max_length=400, required=False)


class FailureForm(forms.Form):
    """A drawn farm that failed (interpretation 56)."""

    failed = forms.ChoiceField(label="Farm that failed")
    reason = TypedText(label="What failed", max_length=400, help_text="Name the finding.")
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
    note = TypedText(label="What was seen", max_length=400)
    evidence = TypedText(
        label="Evidence", max_length=200, required=False, help_text="File, photograph or document number."
    )


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
    reason = TypedText(label="Your reason", max_length=200, required=False)

    def __init__(self, packages: list[tuple[str, str]], data: Any = None) -> None:  # noqa: ANN401 - Django's
        super().__init__(data)
        field = self.fields["what"]
        if isinstance(field, forms.ChoiceField):
            field.choices = packages


class _Effects(forms.Form):
    """What a finding has to do with misstatement."""

    effect_bushels = TypedText(
        label="Bushels whose claim depends on it", max_length=30, required=False, help_text="If known."
    )
    effect_g_co2e = TypedText(
        label="Grams CO2e by which claims are wrong", max_length=30, required=False, help_text="If known."
    )
    bearing = forms.ChoiceField(
        label="Bearing on misstatement",
        choices=[("", "Not judged yet"), *_words(Bearing)],
        required=False,
        help_text="Uncorrected misstatements are summed against the materiality of the engagement.",
    )
    field_order = ("severity", "cite", "subject", "resolution", "owner", "due", "text")


class _Cites(_Effects):
    """The paragraph of a finding, those of the audited party's part of the rule offered first."""

    cite = TypedText(
        label="Paragraph", max_length=40,
        help_text="A number, such as 2100.051(c)(3); or type a word, such as “scale ticket”, and choose from the list.",
        widget=forms.TextInput(attrs={"list": "picks-cite", "autocomplete": "off", "spellcheck": "false"}),
    )  # fmt: skip

    def __init__(self, *args: Any, role: str = AuditRole.FARM, **options: Any) -> None:  # noqa: ANN401 - Django's
        super().__init__(*args, **options)
        self.fields["cite"].picks = citable(AuditRole(role))  # type: ignore[attr-defined]
        self.fields["cite"].only = "A finding names a paragraph of the rule: type its number or a word of it."  # type: ignore[attr-defined]


class FindingForm(_Cites):
    """A new finding."""

    severity = forms.ChoiceField(label="Weight", choices=_choose(Severity))
    subject = TypedText(label="What it is about", max_length=200, help_text="Farm, unit, lot or document.")
    text = TypedText(label="What was found", max_length=2000, widget=forms.Textarea(attrs=LINES))
    owner = TypedText(label="Who must answer", max_length=120, help_text=ANSWERS)
    due = forms.DateField(label="Due", widget=DayInput, initial=lambda: today() + ANSWER_TIME)


class ResolveForm(_Effects):
    """How a finding ends, or goes on."""

    resolution = forms.ChoiceField(label="How it ended", choices=_choose(Resolution))
    text = TypedText(label="In words", max_length=2000, widget=forms.Textarea(attrs=LINES))


class ChangeForm(_Cites):
    """Another weight, paragraph, owner, due date or bearing of a finding, with a reason."""

    severity = forms.ChoiceField(label="Weight", choices=_words(Severity))
    owner = TypedText(label="Who must answer", max_length=120, help_text=ANSWERS)
    due = forms.DateField(label="Due", widget=DayInput)
    text = TypedText(label="Why", max_length=2000, widget=forms.Textarea(attrs=LINES))


class ReopenForm(forms.Form):
    """A finding that goes on."""

    text = TypedText(label="Why", max_length=2000, widget=forms.Textarea(attrs=LINES))
    due = forms.DateField(label="Due", widget=DayInput, initial=lambda: today() + ANSWER_TIME)


class ResponseForm(forms.Form):
    """What the audited party answers."""

    text = TypedText(label="Your answer", max_length=2000, widget=forms.Textarea(attrs=LINES))
    evidence = TypedText(
        label="Where it shows",
        max_length=400,
        required=False,
        help_text="Records or entries you corrected, papers.",
    )

    def __init__(self, *args: Any, files: bool = False, **options: Any) -> None:  # noqa: ANN401 - Django's
        super().__init__(*args, **options)
        if files:  # nobody is asked for what no page takes
            self.fields["evidence"].help_text = "Records you corrected, files you added."


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
    wide = forms.Textarea(attrs=LINES) if name in LISTS else forms.Textarea(attrs={"rows": 2})
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
    site = TypedText(label="Site", max_length=120, required=False)
    way = forms.ChoiceField(label="How", choices=[one for one in _choose(Way) if one[0] != Way.EXEMPT])
    on = forms.DateField(label="Day", widget=DayInput)
    by = TypedText(label="By", max_length=120)
    seen = TypedText(label="What was seen", max_length=1000, widget=forms.Textarea(attrs=LINES))

    def __init__(self, farms: Mapping[str, str], data: Any = None) -> None:  # noqa: ANN401 - Django's
        super().__init__(data)
        field = self.fields["farm"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [("", "No farm"), *farms.items()]

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

    lead_verifier = TypedText(label="Lead verifier", max_length=120)
    independent_reviewer = TypedText(
        label="Independent reviewer", max_length=120, help_text="Somebody who took no part in the audit."
    )
    crops = forms.MultipleChoiceField(label="Crops", choices=_words(Crop), widget=forms.CheckboxSelectMultiple)
    objectives = TypedText(label="Objectives", max_length=2000, widget=forms.Textarea(attrs=LINES))
    scope = TypedText(label="Scope", max_length=2000, widget=forms.Textarea(attrs=LINES))
    criteria = TypedText(label="Criteria", max_length=2000, widget=forms.Textarea(attrs=LINES), help_text="One a line.")
    assurance = forms.ChoiceField(label="Assurance", choices=_choose(Assurance))
    materiality_pct = forms.DecimalField(label="Materiality (%)", min_value=0, max_value=100, decimal_places=3)
    materiality = TypedText(label="How it was applied", max_length=400)
    opinion = forms.ChoiceField(label="Opinion", choices=_choose(Opinion))
    basis = TypedText(
        label="Basis of the opinion",
        max_length=4000,
        widget=forms.Textarea(attrs=LINES),
        help_text="For a qualified opinion, what is excepted.",
    )


class SignedForm(forms.Form):
    """A statement that was signed on the verifier's own machine."""

    file = forms.FileField(label="Signed statement (.json)")


class KeyForm(forms.Form):
    """A verifier's public key, or the statement of its key in use that another takes over."""

    file = forms.FileField(label="Public key or rotation statement (.json)")
    reason = TypedText(
        label="Why the key in use is replaced",
        max_length=400,
        required=False,
        help_text="Not needed for the first key or a rotation statement.",
    )
