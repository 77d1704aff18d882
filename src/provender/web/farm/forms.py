"""Forms made from the schema of a kind of record: the same labels, help, units, words and parsers as files have."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms

from provender.problem import Weight
from provender.records.cells import CellError, read_cell
from provender.records.checks import check_frame
from provender.records.field import ColumnKind, Field
from provender.records.folder import write_cell
from provender.records.kind import KINDS, Kind
from provender.records.reading import rows_to_frame
from provender.services.farm.book import FARM, FarmBook, called, key_of
from provender.web.inputs import DayInput, heading

UNSAID: Final = ("", "Not recorded")
REASON: Final = "reason_for_change"
SEEN: Final = "seen_version"


class CellField(forms.CharField):
    """One column: reads its text as the core reads a cell, and gives the text the core would write."""

    def __init__(self, found: Field, widget: forms.Widget) -> None:
        law = f"7 CFR {found.cite}" if found.cite else ""
        super().__init__(
            label=heading(found),
            help_text=" · ".join(part for part in (found.help, law) if part),
            required=found.required,
            widget=widget,
            error_messages={"required": f"{found.label} is blank. Fill it in."},
        )
        self.found = found

    def clean(self, value: Any) -> str:  # noqa: ANN401 - as Django declares it
        """Read the cell.

        Raises:
            ValidationError: it is blank and needed, or cannot be read; says why and what to write.
        """
        try:
            return write_cell(read_cell(str(super().clean(value)), self.found), self.found)
        except CellError as wrong:
            raise forms.ValidationError(f"{wrong.cause}. {wrong.remedy}") from None


class RowForm(forms.Form):
    """One row of a kind; of a row that stands, the key is fixed and a reason is asked for.

    Args:
        kind: the kind of record.
        farm: the version of the book the writer sees.
        key: the row to correct, or None for a new one.
        initial: texts to begin with.
    """

    def __init__(
        self,
        kind: Kind,
        farm: FarmBook,
        key: str | None,
        *,
        initial: Mapping[str, str],
        data: Any = None,  # noqa: ANN401 - as Django declares it
    ) -> None:
        super().__init__(data, initial={**initial, SEEN: farm.version})
        self.kind, self.farm, self.key = kind, farm, key
        for name, found in kind.typed_fields.items():
            if name == FARM and kind.name != FARM.removesuffix("_id"):
                continue
            self.fields[name] = CellField(found, self._widget(found, str(initial.get(name, ""))))
            self.fields[name].disabled = key is not None and name in kind.key_columns
        if key is not None:
            self.fields[REASON] = forms.CharField(
                label="Why it is corrected",
                max_length=200,
                help_text="Stands in the log beside the old and the new values.",
                error_messages={"required": "Say why. A correction without a reason is worth little to a verifier."},
            )
        self.fields[SEEN] = forms.IntegerField(widget=forms.HiddenInput)

    def _widget(self, found: Field, now: str) -> forms.Widget:
        if found.kind is ColumnKind.DAY:
            return DayInput()
        if found.kind is ColumnKind.YES_NO:
            return forms.Select(choices=[UNSAID, ("yes", "Yes"), ("no", "No")])
        if found.kind is ColumnKind.CHOICE:
            words = [(word, word.replace("_", " ").capitalize()) for word in found.options]
            return forms.Select(choices=[UNSAID, *words])
        others = self.farm.of(KINDS[found.refers]) if found.refers else {}
        if others:
            names = dict.fromkeys([*others, *([now] if now else [])])
            return forms.Select(choices=[UNSAID, *((name, called(KINDS[found.refers], name)) for name in names)])
        mode = {ColumnKind.QUANTITY: "decimal", ColumnKind.WHOLE: "numeric"}
        return forms.TextInput(attrs={"autocomplete": "off", "inputmode": mode.get(found.kind, "text")})

    @property
    def texts(self) -> dict[str, str]:
        """Return the row as texts, once the form is valid."""
        stands = str(self.initial.get(FARM) or self.farm.farm_id)
        return {name: self.cleaned_data.get(name, stands) for name in self.kind.typed_fields}

    def clean(self) -> dict[str, Any]:
        """Hold the whole row against its schema; a new row may not take the key of another."""
        if self.errors:
            return self.cleaned_data
        row = {name: read_cell(text, self.kind.fields[name]) for name, text in self.texts.items()}
        _, problems, _ = check_frame(self.kind, rows_to_frame(self.kind, [row]))
        for problem in problems:
            if problem.weight is not Weight.NOTE:
                column = problem.place.column if problem.place.column in self.fields else None
                self.add_error(column, f"{problem.cause} {problem.remedy}")
        if self.key is None and key_of(self.kind, self.texts) in self.farm.of(self.kind):
            column = self.kind.key_columns[-1]
            cause = "There is a row with this identifier already."
            self.add_error(column, f"{cause} Give another, or correct that row from the list.")
        return self.cleaned_data
