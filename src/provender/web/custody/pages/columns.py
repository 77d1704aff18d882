"""What the columns of an elevator's files mean: asked once per layout, remembered among the organisation's files."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.http import Http404

from provender.formats.column_map import ColumnMap, ColumnRule
from provender.formats.targets import target
from provender.services.custody.ticket_files import map_in
from provender.web.custody.forms import words

LEFT_OUT: Final = ("", "Leave out")
ORDERS: Final = (
    ("", "No doubt"),
    ("mdy", "Month first, 10/5/2026"),
    ("dmy", "Day first, 5/10/2026"),
    ("ymd", "Year first"),
)


class MapForm(forms.Form):
    """What each column means, for a person to confirm."""

    upload = forms.CharField(widget=forms.HiddenInput)
    site = forms.CharField(widget=forms.HiddenInput, required=False)
    confirmed = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, found: ColumnMap, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as Django declares it
        super().__init__(*args, **kwargs)
        self.map = found
        meanings = [LEFT_OUT, *((name, words(name)) for name in target(found.target).fields)]
        known = {rule.heading: rule.field for rule in found.columns}
        headings = [*known, *(one for one in found.ignored if one not in known)]
        for number, heading in enumerate(headings):
            self.fields[f"column_{number}"] = forms.ChoiceField(
                label=heading or f"Column {number + 1}",
                choices=meanings,
                required=False,
                initial=known.get(heading, ""),
            )
        self.headings = headings
        self.fields["date_order"] = forms.ChoiceField(
            label="How days are written", choices=ORDERS, required=False, initial=found.date_order
        )

    def chosen(self) -> ColumnMap:
        """Return the map as the person confirmed it."""
        units = {rule.heading: rule for rule in self.map.columns}
        rules, ignored = [], []
        for number, heading in enumerate(self.headings):
            field = self.cleaned_data[f"column_{number}"]
            if not field:
                ignored.append(heading)
            elif heading in units:
                rules.append(replace(units[heading], field=field))
            else:
                rules.append(ColumnRule(heading, field))
        order = self.cleaned_data["date_order"]
        return replace(self.map, columns=tuple(rules), ignored=tuple(ignored), date_order=order, confirmed=True)


def suggested(given: Mapping[str, str]) -> ColumnMap:
    """Return the map that the page carried along.

    Raises:
        Http404: it is none, or one for other files.
    """
    found = map_in(given.get("confirmed", ""))
    if found is None:
        raise Http404
    return found
