"""What the columns of an elevator's files mean: asked once per layout, remembered among the organisation's files."""

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.http import Http404

from provender.database.actor import Actor
from provender.database.models import Organisation, Upload
from provender.formats.column_map import ColumnMap, ColumnRule
from provender.formats.targets import target
from provender.problem import Problem
from provender.services.farm.uploads import path_of, store_upload
from provender.services.imports.words import for_page
from provender.web.custody.forms import words

LEFT_OUT: Final = ("", "Leave out")
ORDERS: Final = (
    ("", "No doubt"),
    ("mdy", "Month first, 10/5/2026"),
    ("dmy", "Day first, 5/10/2026"),
    ("ymd", "Year first"),
)


REMEDIES: Final = {
    "no_unit": "If it is another one, write it into the heading, such as Net (kg), and upload the file again.",
    "ignored_columns": "Nothing, unless one of them is needed: choose below what it is.",
}
"""By the code of a problem: what a page without a choice of units offers instead."""


def told(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems of a file as these pages tell them."""
    return [replace(for_page(one), remedy=REMEDIES.get(one.code, for_page(one).remedy)) for one in problems]


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


def suggested(given: Mapping[str, str], wanted: str) -> ColumnMap:
    """Return the map that the page carried along.

    Raises:
        Http404: it is none, or one for other files.
    """
    found = map_in(given.get("confirmed", ""), wanted)
    if found is None:
        raise Http404
    return found


def map_in(text: str, wanted: str) -> ColumnMap | None:
    """Return the map that a text holds, or None where it is none for files of a kind."""
    try:
        found = ColumnMap.from_text(text)
        fits = found.target == wanted and {rule.field for rule in found.columns} <= set(target(wanted).fields)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return found if fits else None


def kept_maps(organisation: Organisation, wanted: str) -> list[ColumnMap]:
    """Return the maps that people of an organisation confirmed for files of a kind, the latest first."""
    maps = []
    for upload in Upload.objects.filter(organisation=organisation, name__startswith=_name(wanted)).order_by("-id"):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            found = map_in(path_of(upload.sha256).read_text("utf-8"), wanted)
            maps += [found] if found and found.confirmed else []
    return maps


def keep_map(organisation: Organisation, confirmed: ColumnMap, *, actor: Actor) -> None:
    """Remember a map under the layout it fits, unless the latest one says the same."""
    fitting = (one for one in kept_maps(organisation, confirmed.target) if one.fingerprint == confirmed.fingerprint)
    latest = next(fitting, None)
    if latest is None or replace(latest, name=confirmed.name) != confirmed:
        name = f"{_name(confirmed.target)}{confirmed.fingerprint}.json"
        # The same bytes under the same name would stay where they are: what was confirmed last has to come last.
        told = replace(confirmed, name=f"{confirmed.target}, confirmed {_times(organisation, name) + 1}")
        store_upload(organisation, name, told.to_text().encode(), actor=actor)


def _times(organisation: Organisation, name: str) -> int:
    return Upload.objects.filter(organisation=organisation, name=name).count()


def _name(wanted: str) -> str:
    return f"columns-of-{wanted}-"
