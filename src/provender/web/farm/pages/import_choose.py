"""What a person chooses about an import: kinds, columns, names of fields, whose values count, and what was blank.

Every choice is kept and the files are read again with it, so that the page always shows what would be written.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from provender.formats.importing.entries_asked import NewEntry
from provender.problem import ProblemsError, refuse
from provender.records.kind import KINDS
from provender.services.accounts.access import Access
from provender.services.farm.book import farm_book_of, key_of
from provender.services.farm.folder import key_texts
from provender.services.imports import choices
from provender.services.imports.request import ImportChoices, ImportResult, RowChange
from provender.services.imports.steps import Reading, outcome, read_again, reading_of, said_of
from provender.services.imports.views import import_of
from provender.web.access import PersonRequest, of_organisation
from provender.web.farm.forms import REASON, RowForm


@dataclass(frozen=True, slots=True)
class Asked:
    """What came from the page: the import as it was shown, and the fields of the form."""

    reading: Reading
    given: QueryDict

    @property
    def found(self) -> ImportResult:
        """Return what was read."""
        return self.reading.result

    @property
    def sheet(self) -> int:
        """Return the number of the sheet that is asked about; -1 where there is none."""
        number = self.given.get("number", "")
        return int(number) if number.isdecimal() else -1


def _kind(said: ImportChoices, asked: Asked) -> None:
    """Say what the rows of a sheet are, or that it holds no records."""
    name = asked.given.get("kind", "")
    if not name:
        raise refuse("kind", "Nothing is chosen.", "Choose what the rows are.")
    choices.choose_kind(said, asked.reading.begun, asked.found, asked.sheet, "" if name == "none" else name)


def _map(said: ImportChoices, asked: Asked) -> None:
    """Say which column is which."""
    given = asked.given
    layouts = asked.found.layouts
    headings = layouts[asked.sheet].headings if 0 <= asked.sheet < len(layouts) else ()
    columns = [
        choices.Meaning(index, name, given.get(f"unit-{index}", ""))
        for index, text in enumerate(headings)
        if text and (name := given.get(f"field-{index}", ""))
    ]
    order, decimal = given.get("date_order", ""), given.get("decimal", ".")
    reading = choices.SheetChoice(tuple(columns), order, decimal, keep=given.get("keep") == "yes")
    choices.choose_columns(said, asked.found, asked.sheet, reading)


def _units(said: ImportChoices, asked: Asked) -> None:
    """Say which unit a name in the files means."""
    for name, unit in zip(asked.given.getlist("name"), asked.given.getlist("unit"), strict=False):
        choices.choose_unit(said, name, unit)


def _words(said: ImportChoices, asked: Asked) -> None:
    """Say what names of implements and products mean."""
    lists = (asked.given.getlist(name) for name in ("about_word", "typed", "means"))
    for about, typed, means in zip(*lists, strict=False):
        choices.choose_word(said, about, typed, means.strip())


def _dates(said: ImportChoices, asked: Asked) -> None:
    """Say which of two numbers of a day is the month."""
    choices.choose_dates(said, asked.given.get("order", ""))


def _entry(said: ImportChoices, asked: Asked) -> None:
    """Add a crop entry that rows need, or take back that it is added."""
    given = asked.given
    crop, ending, day = (given.get(name, "").strip() for name in ("crop", "ending", "day"))
    choices.choose_entry(said, asked.found, given.get("name", ""), NewEntry("", crop, ending, day))


def _replace(said: ImportChoices, asked: Asked) -> None:
    """Say whether the files overrule the book."""
    said.replace = asked.given.get("counts") == "file"


def _fill(said: ImportChoices, asked: Asked) -> None:
    """Fill a column wherever it is blank in the rows of this import."""
    given = asked.given
    choices.choose_fill(said, given.get("kind", ""), given.get("column", ""), given.get("text", "").strip())


def _correct(said: ImportChoices, asked: Asked) -> None:
    """Correct rejected rows, or say that they are not to count."""
    given, path = asked.given, asked.given.get("path", "")
    rows = [one for one in asked.found.rejected if one.path == path]
    if rows and given.get("widen"):
        choices.widen(said, asked.found, path)
    for one in rows:
        if given.get(f"drop-{one.row}"):
            choices.drop_row(said, asked.found, path, one.row)
            continue
        cells = {name: given.get(f"cell-{one.row}-{index}", text) for index, (name, text) in enumerate(one.cells)}
        choices.correct_row(said, asked.found, path, one.row, cells)


CHOICES: Final[dict[str, Callable[[ImportChoices, Asked], None]]] = {
    "kind": _kind,
    "map": _map,
    "units": _units,
    "words": _words,
    "entry": _entry,
    "dates": _dates,
    "replace": _replace,
    "fill": _fill,
    "correct": _correct,
}


@require_POST
@of_organisation("write")
def farm_import_choose(request: PersonRequest, access: Access, pk: str) -> HttpResponseBase:
    """Keep a choice and read the files again with it.

    Raises:
        Http404: the farm has no such import, or it is not read yet.
        RefusedError: it has ended.
    """
    begun = import_of(farm_book_of(access.organisation), pk)
    reading, choose = reading_of(begun), CHOICES.get(request.POST.get("about", ""))
    if reading is None or choose is None:
        raise Http404
    try:
        choose(reading.said, Asked(reading, request.POST))
    except ProblemsError as wrong:
        for problem in wrong.problems:
            messages.error(request, f"{problem.cause} {problem.remedy}")
    else:
        read_again(begun, actor=access.actor, said=reading.said)
    return redirect("farm_import", access.organisation.handle, begun.handle)


@require_http_methods(["GET", "POST"])
@of_organisation("write")
def farm_import_row(request: PersonRequest, access: Access, pk: str) -> HttpResponseBase:
    """Show one row of an import as a form, to complete or correct it before it is written.

    Raises:
        Http404: the farm has no such import, or the import no such row.
    """
    farm = farm_book_of(access.organisation)
    begun = import_of(farm, pk)
    row = _row_asked(outcome(begun), request.GET.get("kind", ""), request.GET.get("row", ""))
    kind = KINDS[row.kind]
    form = RowForm(kind, farm, key_of(kind, row.texts), initial=row.texts, data=request.POST or None)
    del form.fields[REASON]
    if request.method == "POST" and form.is_valid():
        said = said_of(begun)
        choices.complete_row(said, row, form.texts)
        try:
            read_again(begun, actor=access.actor, said=said)
        except ProblemsError as refused:
            form.add_error(None, str(refused))
        else:
            return redirect("farm_import", access.organisation.handle, begun.handle)
    context = {"begun": begun, "kind": kind, "row": row, "form": form, "name": ", ".join(key_texts(kind, row.texts))}
    return render(request, "farm/import_row.html", context)


def _row_asked(found: ImportResult | None, kind: str, key: str) -> RowChange:
    if found is None or kind not in KINDS:
        raise Http404
    for row in found.rows:
        if row.kind == kind and json.dumps(list(key_texts(KINDS[kind], row.texts)), ensure_ascii=False) == key:
            return row
    raise Http404
