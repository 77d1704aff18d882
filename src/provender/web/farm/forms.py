"""Forms made from the schema of a kind of record: the same labels, help, units, words and parsers as files have."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.urls import reverse

from provender.catalog.asking import asked_names
from provender.catalog.names import JOINING
from provender.catalog.picks import Pick, picks
from provender.formats.importing.words import COLUMNS
from provender.problem import Weight
from provender.records.cells import CellError, read_cell
from provender.records.checks import check_frame
from provender.records.field import ColumnKind, Field
from provender.records.folder import write_cell
from provender.records.kind import KINDS, Kind
from provender.records.reading import rows_to_frame
from provender.services.farm.asked import NAME, asked_of, in_words_of_lists
from provender.services.farm.book import FARM, Edit, FarmBook, called, key_of
from provender.services.farm.edits import out_of_order
from provender.services.farm.last_time import OWN_WORDS, numbered, rows_that_fit, unused, values_before
from provender.services.farm.next_crops import entries_by_field
from provender.services.reports.would_change import needs_reason
from provender.web.inputs import DayInput, TypedText, sign

REASON: Final = "reason_for_change"
SEEN: Final = "seen_version"
BOTH: Final = "both_are_meant"
AS_TYPED: Final = "kept_as_typed"
CROP_ENTRY: Final = "harvest"
ENTRY: Final = "harvest_id"
UNIT: Final = "unit_id"
"""Records name the crop they belong to, often before anybody wrote that one down."""
LOCKED: Final = "It names the row and cannot be changed. If it is wrong, remove this row and add it anew."
MONTH_FIRST: Final = "mdy"
"""How a day such as 5/4/2026 is read that somebody types: as everybody in the United States writes it."""


def unsaid() -> list[tuple[str, str]]:
    """Return the choice that says nothing."""
    return [("", "Not recorded")]


class CellField(forms.CharField):
    """One column: reads its text as the core reads a cell, and gives the text the core would write.

    Attributes:
        unit: stands in the box.
        picks: names to choose from while typing, with what is said beside each; anything else may be written.
        joining: words that the search among them leaves out.
        folded: whether the form keeps it out of the way until somebody asks for it.
        when: what another field must say for it to be shown.
        law: the paragraphs that ask for it.
        adds: the page that adds a record it may name, for one that is not there yet; it leads back afterwards.
        leaves: whether the form keeps what was typed when it is left for that page; else the script of the page does.
        beside: what is said below the box, such as why it is locked.
    """

    def __init__(self, found: Field, widget: forms.Widget, choices: Mapping[str, Pick] | None = None) -> None:
        super().__init__(
            label=found.label,
            help_text=found.help,
            required=found.required,
            widget=widget,
            error_messages={"required": f"{found.label} is blank. Fill it in."},
        )
        self.template_name = "forms/cell.html"
        self.found, self.picks, self.folded = found, choices or {}, False
        self.joining = " ".join(sorted(JOINING)) if self.picks else ""
        self.unit, self.when, self.law = sign(found.unit), found.when, found.cite
        self.adds = self.beside = ""
        self.leaves = False

    def clean(self, value: Any) -> str:  # noqa: ANN401 - as Django declares it
        """Read the cell.

        Raises:
            ValidationError: it is blank and needed, or cannot be read; says why and what to write.
        """
        try:
            return write_cell(read_cell(str(super().clean(value)), self.found, MONTH_FIRST), self.found)
        except CellError as wrong:
            raise forms.ValidationError(f"{wrong.cause}. {wrong.remedy}") from None


class ReasonField(TypedText):
    """Why something is corrected; says that it is needed, as every other field of the form that is."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - as Django declares it
        super().__init__(**options)
        self.template_name = "forms/cell.html"


class RowForm(forms.Form):
    """One row of a kind; what this farm never fills lies in a fold.

    Of a row that stands, the key is fixed and a reason is asked for.

    Args:
        kind: the kind of record.
        farm: the version of the book the writer sees.
        key: the row to correct, or None for a new one.
        initial: texts to begin with.
        data: what was sent.
        leaves: whether the page keeps what was typed when the form is left to add what it names.
    """

    template_name = "forms/row.html"

    def __init__(
        self,
        kind: Kind,
        farm: FarmBook,
        key: str | None,
        *,
        initial: Mapping[str, str],
        data: Any = None,  # noqa: ANN401 - as Django declares it
        leaves: bool = False,
    ) -> None:
        super().__init__(data, initial={**initial, SEEN: farm.version})
        self.kind, self.farm, self.key = kind, farm, key
        aside = unused(farm, kind) - {name for name, text in initial.items() if text}
        for name, found in kind.typed_fields.items():
            if name == FARM and kind.name != FARM.removesuffix("_id"):
                continue
            made = CellField(found, self._widget(found, str(initial.get(name, ""))), self._picks(kind, name, found))
            if made.picks:
                made.widget.attrs["list"] = f"picks-{name}"
            made.disabled = key is not None and name in kind.key_columns
            made.beside = LOCKED if made.disabled else ""
            made.folded = name in aside or (key is None and name in numbered(kind))
            made.adds = self._adds(found) if found.refers == CROP_ENTRY and name not in kind.key_columns else ""
            made.leaves = leaves and bool(made.adds)
            self.fields[name] = made
        if key is not None:
            self.fields[REASON] = ReasonField(
                label="Why it is corrected",
                max_length=200,
                required=False,
                help_text="Kept in the log. What only fills in a blank needs none.",
            )
        self.fields[SEEN] = forms.IntegerField(widget=forms.HiddenInput)

    def _picks(self, kind: Kind, name: str, found: Field) -> Mapping[str, Pick]:
        """Return names to choose from: of the list that a column's texts are of, after what the farm wrote before."""
        if found.kind is not ColumnKind.TEXT or name in OWN_WORDS:
            return {}
        about = COLUMNS.get(kind.name, {}).get(name)
        listed = picks(about) if about else {}
        before = values_before(self.farm, kind, name)
        own = [one for one in before if about is None or not asked_names(about, one)]
        return {one: listed.get(one, Pick(own=about is not None)) for one in (*own, *listed)}

    def _adds(self, found: Field) -> str:
        """Return the page that adds what a column may name, and comes back to this form."""
        own, other = (reverse("farm_row", args=(self.farm.farm_id, name)) for name in (self.kind.name, found.refers))
        back = f"{own}?{urlencode({'row': self.key})}" if self.key is not None else own
        return f"{other}?{urlencode({'next': back})}"

    def parts(self) -> dict[str, list[forms.BoundField]]:
        """Return the fields in view, and those that are folded and say nothing wrong."""
        found: dict[str, list[forms.BoundField]] = {"shown": [], "folded": []}
        for each in self.visible_fields():
            folded = getattr(each.field, "folded", False) and not each.errors
            found["folded" if folded else "shown"].append(each)
        return found

    def _widget(self, found: Field, now: str) -> forms.Widget:
        if found.kind is ColumnKind.DAY:
            return DayInput()
        if found.kind is ColumnKind.YES_NO:
            return forms.Select(choices=[*unsaid(), ("yes", "Yes"), ("no", "No")])
        if found.kind is ColumnKind.CHOICE:
            words = [(word, word.replace("_", " ").capitalize()) for word in found.options]
            return forms.Select(choices=[*unsaid(), *words])
        if found.refers == CROP_ENTRY and self.farm.of(KINDS[CROP_ENTRY]):
            unit = str(self.data.get(UNIT) or self.initial.get(UNIT) or "")
            fields = entries_by_field(self.farm, self.kind.name, unit, now)
            groups = [(field, [(one, self._entry(one)) for one in entries]) for field, entries in fields]
            return forms.Select(choices=[*unsaid(), *groups])
        others = rows_that_fit(self.farm, found, now) if found.refers else {}
        if others:
            names = dict.fromkeys([*others, *([now] if now else [])])
            return forms.Select(choices=[*unsaid(), *((name, called(KINDS[found.refers], name)) for name in names)])
        mode = {ColumnKind.QUANTITY: "decimal", ColumnKind.WHOLE: "numeric"}
        return forms.TextInput(attrs={"autocomplete": "off", "inputmode": mode.get(found.kind, "text")})

    def _entry(self, key: str) -> str:
        """Return what a crop entry is called, with its crop: a code alone says little."""
        crop = str(self.farm.of(KINDS[CROP_ENTRY]).get(key, {}).get("crop") or "").replace("_", " ")
        return f"{called(KINDS[CROP_ENTRY], key)}, {crop}" if crop else called(KINDS[CROP_ENTRY], key)

    @property
    def may_leave(self) -> bool:
        """Whether a button among the fields leads away to add what one of them names."""
        return any(getattr(one, "leaves", False) for one in self.fields.values())

    @property
    def texts(self) -> dict[str, str]:
        """Return the row as texts, once the form is valid."""
        stands = str(self.initial.get(FARM) or self.farm.farm_id)
        return in_words_of_lists(
            self.kind, {name: self.cleaned_data.get(name, stands) for name in self.kind.typed_fields}
        )

    @property
    def edits(self) -> list[Edit]:
        """Return what is written once the form is valid."""
        return [Edit(self.kind.name, self.key or key_of(self.kind, self.texts), self.texts)]

    def clean(self) -> dict[str, Any]:
        """Hold the whole row against its schema; a new row may not take the key of another."""
        if self.errors:
            return self.cleaned_data
        row = {name: read_cell(text, self.kind.fields[name]) for name, text in self.texts.items()}
        _, problems, _ = check_frame(self.kind, rows_to_frame(self.kind, [row]))
        for problem in (*problems, *out_of_order(self.kind, row, self.farm, "row")):
            if problem.weight is not Weight.NOTE:
                column = problem.place.column if problem.place.column in self.fields else None
                self.add_error(column, f"{problem.cause} {problem.remedy}")
        if self.key is None and key_of(self.kind, self.texts) in self.farm.of(self.kind):
            column = self.kind.key_columns[-1]
            cause = "There is a row with this identifier already."
            self.add_error(column, f"{cause} Give another, or correct that row from the list.")
        else:
            self._ask()
        # A row of a file that is being read has no reason to give: nothing of it was said before.
        unsaid_why = REASON in self.fields and not self.errors and not self.cleaned_data[REASON]
        if unsaid_why and needs_reason(self.farm, self.kind, self.key or "", self.texts):
            self.add_error(REASON, "Say why. A correction without a reason is worth little to a verifier.")
        return self.cleaned_data

    def _ask(self) -> None:
        """Ask whether a new row is meant beside one of its crop, and what a name that no list has means."""
        boxes = {NAME: (AS_TYPED, "Keep the name as it is typed")}
        beside = BOTH, "It is right beside the one that stands"
        for asked in asked_of(self.farm, self.edits):
            name, label = boxes.get(asked.code, beside)
            self.fields[name] = forms.BooleanField(label=label, required=False)
            if not self.data.get(name):
                self.add_error(name, f"{asked.cause} {asked.remedy}")
