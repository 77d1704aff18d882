"""The form of a new crop entry: who enters what is not harvested yet sees of which year it is, and may say another."""

from typing import Any, Final

from django import forms

from provender.records.field import only
from provender.records.harvest_years import NOT_YET
from provender.services.farm.growing import year_to_come
from provender.services.farm.last_time import free_entry
from provender.web.farm.forms import ENTRY, UNIT, RowForm

YEAR: Final = "harvest_year"
LEAST, MOST = 1980, 2100
_WRONG: Final = f"Write a year between {LEAST} and {MOST}, such as 2027."


class YearField(forms.IntegerField):
    """The year of a harvest to come, beside the fields of a row; no column keeps it, the entry's name does."""

    def __init__(self) -> None:
        super().__init__(
            label="Harvest year",
            help_text="The entry is named by it.",
            required=False,
            min_value=LEAST,
            max_value=MOST,
            widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
            error_messages={"invalid": _WRONG, "min_value": _WRONG, "max_value": _WRONG},
        )
        self.template_name = "forms/cell.html"
        self.when = only("ending", NOT_YET)


class CropForm(RowForm):
    """A new crop entry; without a name it is named by its field and the year of its harvest."""

    def __init__(self, *given: Any, **options: Any) -> None:  # noqa: ANN401 - as ``RowForm`` declares it
        super().__init__(*given, **options)
        named = self.fields[ENTRY]
        named.required = False
        named.help_text = "Such as N40-2026. Left blank, it is named from field and year."
        self.fields[YEAR] = YearField()
        unit = str(self.initial.get(UNIT) or "")
        self.initial[YEAR] = str(self.initial.get(YEAR) or year_to_come(self.farm, unit))
        own = [name for name in self.fields if name != YEAR]
        after = own.index("ending") + 1
        self.order_fields([*own[:after], YEAR, *own[after:]])

    def clean(self) -> dict[str, Any]:
        """Name the entry where nobody did, then hold it against its schema."""
        said = self.cleaned_data
        if not self.errors and not said[ENTRY]:
            said[ENTRY] = free_entry(self.farm, said[UNIT], self._year())
        return super().clean()

    def _year(self) -> str:
        said = self.cleaned_data
        day = str(said["last_day"] or said["first_day"])
        return day[:4] if day else str(said[YEAR] or year_to_come(self.farm, said[UNIT]))
