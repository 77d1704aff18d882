"""What a person chooses about an import: kinds, columns, names of fields, whose values count, and what was blank.

Every choice is kept and the files are read again with it, so that the page always shows what would be written.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from provender.database.deeds.imports import do_choose_for_import
from provender.database.models import BookImport
from provender.formats.column_map import ColumnMap, ColumnRule
from provender.formats.parsed import encode
from provender.formats.targets import target
from provender.formats.units import canonical
from provender.problem import ProblemsError
from provender.records import KINDS
from provender.records.cells import CellError, read_cell
from provender.records.folder import write_cell
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.imports.folder import FARM, key_texts
from provender.web.imports.request import Layout, Outcome, RowChange, Said
from provender.web.imports.start import file_name, outcome, said_of, start, uploads_of
from provender.web.pages.farm_forms import REASON, RowForm
from provender.web.pages.farm_import import the_import
from provender.web.pages.farm_records import key_of

ORDERS: Final = ("", "mdy", "dmy", "ymd")


@dataclass(frozen=True, slots=True)
class Asked:
    """What came from the page: the import as it was shown, and the fields of the form."""

    begun: BookImport
    found: Outcome
    given: QueryDict


class ChoiceError(Exception):
    """What was chosen cannot be used; the message says why and what to do."""


def _kind(said: Said, asked: Asked) -> None:
    """Say what the rows of a sheet are, or that it holds no records."""
    one, name = _layout(asked), asked.given.get("kind", "")
    if name in KINDS:
        said.kinds[f"{one.file}|{one.sheet}"] = name
    elif name != "none":
        raise ChoiceError("Choose what the rows are.")
    elif one.sheet:
        said.skip = sorted({*said.skip, one.sheet})
    else:
        files = [each.handle for each in uploads_of(asked.begun) if file_name(each.name) == one.file]
        said.left_out = sorted({*said.left_out, *files})


def _layout(asked: Asked) -> Layout:
    number = asked.given.get("number", "")
    if not number.isdecimal() or int(number) >= len(asked.found.layouts):
        raise ChoiceError("That sheet is not there any more. Look at the page again.")
    return asked.found.layouts[int(number)]


def _map(said: Said, asked: Asked) -> None:
    """Say which column is which."""
    one, given = _layout(asked), asked.given
    if not one.target:
        raise ChoiceError("Say first what the rows are.")
    old, fields = ColumnMap.from_text(one.map), target(one.target).fields
    rules: list[ColumnRule] = []
    for index, text in enumerate(one.headings):
        name = given.get(f"field-{index}", "")
        if text and name in fields:
            rules.append(ColumnRule(text, name, canonical(given.get(f"unit-{index}", ""))))
    doubled = [rule.field for rule in rules if sum(other.field == rule.field for other in rules) > 1]
    if doubled:
        raise ChoiceError(f"Two columns cannot both be {KINDS[one.target].fields[doubled[0]].label}. Choose one.")
    if not rules:
        raise ChoiceError("Choose at least one column.")
    order, decimal = given.get("date_order", ""), given.get("decimal", ".")
    used = {rule.heading for rule in rules}
    chosen = replace(
        old,
        columns=tuple(rules),
        ignored=tuple(text for text in one.headings if text and text not in used),
        date_order=order if order in ORDERS else "",
        decimal=decimal if decimal in (".", ",") else ".",
        confirmed=True,
    )
    others = [text for text in said.maps if ColumnMap.from_text(text).fingerprint != chosen.fingerprint]
    said.maps = [chosen.to_text(), *others]
    said.keep_maps = given.get("keep") == "yes"


def _units(said: Said, asked: Asked) -> None:
    """Say which unit a name in the files means."""
    for name, unit in zip(asked.given.getlist("name"), asked.given.getlist("unit"), strict=False):
        if unit:
            said.units[name] = unit
        else:
            said.units.pop(name, None)


def _replace(said: Said, asked: Asked) -> None:
    """Say whether the files overrule the book."""
    said.replace = asked.given.get("counts") == "file"


def _fill(said: Said, asked: Asked) -> None:
    """Fill a column wherever it is blank in the rows of this import."""
    given = asked.given
    kind, column, text = KINDS.get(given.get("kind", "")), given.get("column", ""), given.get("text", "").strip()
    if kind is None or column not in kind.typed_fields or column in kind.key_columns or column == FARM:
        raise ChoiceError("Choose the column to fill.")
    if not text:
        said.fills.get(kind.name, {}).pop(column, None)
        return
    described = kind.fields[column]
    words = {word.replace("_", " ").casefold(): word for word in described.options}
    try:
        value = read_cell(words.get(text.casefold(), text), described)
    except CellError as wrong:
        raise ChoiceError(f"{described.label}: {wrong.cause}. {wrong.remedy}") from None
    said.fills.setdefault(kind.name, {})[column] = write_cell(value, described)


def _correct(said: Said, asked: Asked) -> None:
    """Correct rejected rows, or say that they are not to count."""
    given, path = asked.given, asked.given.get("path", "")
    rows = [one for one in asked.found.rejected if one.path == path]
    if rows and given.get("widen"):
        said.widened = sorted({*said.widened, path})
    for one in rows:
        if given.get(f"drop-{one.row}"):
            said.dropped[path] = sorted({*said.dropped.get(path, []), one.row})
            continue
        typed = {
            name: str(given[f"cell-{one.row}-{index}"])
            for index, (name, text) in enumerate(one.cells)
            if given.get(f"cell-{one.row}-{index}", text) != text
        }
        if typed:
            cells = said.corrected.setdefault(path, {}).setdefault(str(one.row), {})
            cells.update(typed)


CHOICES: Final[dict[str, Callable[[Said, Asked], None]]] = {
    "kind": _kind,
    "map": _map,
    "units": _units,
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
    _, begun = the_import(access, pk)
    found, choose = outcome(begun), CHOICES.get(request.POST.get("about", ""))
    if found is None or choose is None:
        raise Http404
    said = said_of(begun)
    try:
        choose(said, Asked(begun, found, request.POST))
    except ChoiceError as wrong:
        messages.error(request, str(wrong))
    else:
        _again(access, begun, said)
    return redirect("farm_import", access.organisation.handle, begun.handle)


def _again(access: Access, begun: BookImport, said: Said) -> None:
    plain = encode(said)
    if not isinstance(plain, dict):
        raise TypeError("a dataclass becomes a mapping")
    start(do_choose_for_import(begun, plain, actor=access.actor))


@require_http_methods(["GET", "POST"])
@of_organisation("write")
def farm_import_row(request: PersonRequest, access: Access, pk: str) -> HttpResponseBase:
    """Show one row of an import as a form, to complete or correct it before it is written.

    Raises:
        Http404: the farm has no such import, or the import no such row.
    """
    farm, begun = the_import(access, pk)
    row = _row_asked(outcome(begun), request.GET.get("kind", ""), request.GET.get("row", ""))
    kind = KINDS[row.kind]
    form = RowForm(kind, farm, key_of(kind, row.texts), initial=row.texts, data=request.POST or None)
    del form.fields[REASON]
    if request.method == "POST" and form.is_valid():
        said = said_of(begun)
        typed = {name: text for name, text in form.texts.items() if name not in kind.key_columns}
        said.rows.setdefault(kind.name, {})[json.dumps(list(key_texts(kind, row.texts)))] = typed
        try:
            _again(access, begun, said)
        except ProblemsError as refused:
            form.add_error(None, str(refused))
        else:
            return redirect("farm_import", access.organisation.handle, begun.handle)
    context = {"begun": begun, "kind": kind, "row": row, "form": form, "name": ", ".join(key_texts(kind, row.texts))}
    return render(request, "farm/import_row.html", context)


def _row_asked(found: Outcome | None, kind: str, key: str) -> RowChange:
    if found is None or kind not in KINDS:
        raise Http404
    for row in found.rows:
        if row.kind == kind and json.dumps(list(key_texts(KINDS[kind], row.texts)), ensure_ascii=False) == key:
            return row
    raise Http404
