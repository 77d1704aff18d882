"""What can be chosen about an import: kinds, columns, units, whose values count, blanks, rejected rows, whole rows.

Each choice is put into ``ImportChoices``; then the files are read again with it, so that what is shown is what would
be written.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from provender.catalog.words import About, listed_name, suggested
from provender.database.models.farm import BookImport
from provender.formats.column_map import ColumnMap, ColumnRule
from provender.formats.columns import target
from provender.formats.importing.entries_asked import NewEntry
from provender.formats.units import canonical
from provender.problem import Place, Problem, ProblemsError
from provender.records.folder import write_cell
from provender.records.kind import KINDS
from provender.records.reading import CellError, read_cell
from provender.services.farm.folder import FARM, key_texts
from provender.services.imports.request import ImportChoices, ImportResult, Layout, Rejected, RowChange
from provender.services.imports.steps import file_name, uploads_of

ORDERS: Final = ("", "mdy", "dmy", "ymd")
DECIMALS: Final = (".", ",", "")


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one column of a sheet is."""

    at: int  # the column's number, from 0
    field: str  # the column of our record
    unit: str = ""  # in which its values are written, or empty for the field's own


@dataclass(frozen=True, slots=True)
class SheetChoice:
    """How a sheet is read."""

    columns: tuple[Meaning, ...]  # what each column is; one that is not named is left out
    date_order: str = ""  # one of ``ORDERS``; empty where every day tells its order
    decimal: str = "."  # one of ``DECIMALS``; empty where each number tells its own
    keep: bool = True  # the next file of this layout is read in the same way


def choose_kind(said: ImportChoices, begun: BookImport, found: ImportResult, sheet: int, kind: str) -> None:
    """Say what the rows of a sheet are; without a kind, that it holds no records.

    Raises:
        ProblemsError: there is no such sheet or kind.
    """
    one = _layout(found, sheet)
    if kind in KINDS:
        said.kinds[f"{one.file}|{one.sheet}"] = kind
    elif kind:
        raise _unfit("kind", f"There is no kind of record {kind[:60]!r}.", "Choose what the rows are.")
    elif one.sheet:
        said.skip = sorted({*said.skip, one.sheet})
    else:
        files = [each.handle for each in uploads_of(begun) if file_name(each.name) == one.file]
        said.left_out = sorted({*said.left_out, *files})


def choose_columns(said: ImportChoices, found: ImportResult, sheet: int, reading: SheetChoice) -> None:
    """Say which column of a sheet is which.

    Raises:
        ProblemsError: there is no such sheet, its kind is not known yet, a column or field is not there, or two columns
            are to be the same.
    """
    one = _layout(found, sheet)
    if not one.target:
        raise _unfit("sheet", "Nobody has said what the rows of this sheet are.", "Say that first.")
    rules = list(_rules(one, reading.columns))
    doubled = [rule.field for rule in rules if sum(other.field == rule.field for other in rules) > 1]
    if doubled:
        label = target(one.target).called(doubled[0])
        raise _unfit("columns", f"Two columns cannot both be {label}.", "Choose one.")
    if not rules:
        raise _unfit("columns", "No column is chosen.", "Choose at least one column.")
    used = {rule.heading for rule in rules}
    chosen = replace(
        ColumnMap.from_text(one.map),
        columns=tuple(rules),
        ignored=tuple(text for text in one.headings if text and text not in used),
        date_order=reading.date_order if reading.date_order in ORDERS else "",
        decimal=reading.decimal if reading.decimal in DECIMALS else ".",
        confirmed=True,
    )
    others = [text for text in said.maps if ColumnMap.from_text(text).fingerprint != chosen.fingerprint]
    said.maps = [chosen.to_text(), *others]
    said.keep_maps = reading.keep


def _rules(one: Layout, columns: Iterable[Meaning]) -> Iterable[ColumnRule]:
    fields = target(one.target).fields
    for each in columns:
        if each.at >= len(one.headings) or not one.headings[each.at]:
            raise _unfit("columns", f"The sheet has no heading in column {each.at}.", "See the headings of the sheet.")
        if each.field not in fields:
            known = ", ".join(fields)
            raise _unfit("columns", f"No column can be {each.field[:60]!r}.", f"It can be one of: {known}.")
        yield ColumnRule(one.headings[each.at], each.field, canonical(each.unit))


def choose_unit(said: ImportChoices, name: str, unit: str) -> None:
    """Say which management unit a name in the files means; without a unit, take that back."""
    if unit:
        said.units[name] = unit
    else:
        said.units.pop(name, None)


def choose_word(said: ImportChoices, about: str, typed: str, means: str) -> None:
    """Say what a name in the files means, which the book then remembers; without a meaning, take that back.

    Raises:
        ProblemsError: the list has no such name.
    """
    key = f"{about}|{typed}"
    if not means:
        said.words.pop(key, None)
        return
    name = listed_name(About(about), means) if about in set(About) else ""
    if not name:
        near = "; ".join(suggested(About(about), means)) if about in set(About) else ""
        raise _unfit("words", f"No list has {means[:80]!r}.", f"Nearest: {near}." if near else "Choose from the list.")
    said.words[key] = name


def choose_dates(said: ImportChoices, order: str) -> None:
    """Say which of two numbers of a day is the month; without an order, take that back.

    Raises:
        ProblemsError: it is no such order.
    """
    if order not in ("", "mdy", "dmy"):
        raise _unfit("dates", f"{order[:20]!r} is no order of day and month.", "Say mdy or dmy.")
    said.dates = order


def choose_entry(said: ImportChoices, found: ImportResult, name: str, entry: NewEntry) -> None:
    """Add a crop entry that rows of the import need; without an ending, take that back.

    Raises:
        ProblemsError: no row needs it, its crop or ending is none of ours, or it has ended and no day says when.
    """
    if not entry.ending:
        said.entries.pop(name, None)
        return
    offered = next((one for one in found.offered if one.name == name), None)
    if offered is None and name not in said.entries:
        raise _unfit("entries", f"No row needs a crop entry {name[:60]!r}.", "See the questions of the import.")
    unit = offered.unit if offered else said.entries[name].unit
    fields, column = KINDS["harvest"].fields, entry.wrong
    if column == "day":
        raise _unfit(column, f"Nobody says when {name} ended.", "Write the day: it is where the next season begins.")
    if column:
        raise _unfit(column, f"{fields[column].label} of {name} is not said.", "Choose it from the list.")
    try:
        said.entries[name] = replace(entry.read("mdy"), unit=unit)
    except CellError as wrong:
        raise _unfit("day", f"{fields['last_day'].label}: {wrong.cause}.", wrong.remedy) from None


def choose_fill(said: ImportChoices, kind: str, column: str, text: str) -> None:
    """Fill a column wherever it is blank in the rows of this import; without a text, take that back.

    Raises:
        ProblemsError: no such column can be filled, or the text cannot stand in it.
    """
    found = KINDS.get(kind)
    if found is None or column not in found.typed_fields or column in found.key_columns or column == FARM:
        raise _unfit("column", "No such column can be filled.", "Choose the column to fill.")
    if not text:
        said.fills.get(found.name, {}).pop(column, None)
        return
    described = found.fields[column]
    words = {word.replace("_", " ").casefold(): word for word in described.options}
    try:
        value = read_cell(words.get(text.casefold(), text), described)
    except CellError as wrong:
        raise _unfit(column, f"{described.label}: {wrong.cause}.", wrong.remedy) from None
    said.fills.setdefault(found.name, {})[column] = write_cell(value, described)


def correct_row(said: ImportChoices, found: ImportResult, path: str, number: int, cells: Mapping[str, str]) -> None:
    """Correct cells of a rejected row, by their headings.

    Raises:
        ProblemsError: there is no such row or heading.
    """
    one = _rejected(found, path, number)
    now = dict(one.cells)
    unknown = [name for name in cells if name not in now]
    if unknown:
        raise _unfit(unknown[0], f"The row has no column {unknown[0][:60]!r}.", f"Its columns: {', '.join(now)}.")
    typed = {name: text for name, text in cells.items() if text != now[name]}
    if typed:
        said.corrected.setdefault(path, {}).setdefault(str(number), {}).update(typed)


def drop_row(said: ImportChoices, found: ImportResult, path: str, number: int) -> None:
    """Say that a rejected row is not to count.

    Raises:
        ProblemsError: there is no such row.
    """
    _rejected(found, path, number)
    said.dropped[path] = sorted({*said.dropped.get(path, []), number})


def widen(said: ImportChoices, found: ImportResult, path: str) -> None:
    """Say that the columns that a table of rejected rows lacks are blank.

    Raises:
        ProblemsError: there is no such table.
    """
    if all(one.path != path for one in found.rejected):
        raise _unfit("path", "No rejected rows lie there.", "See the rejected rows of the import.")
    said.widened = sorted({*said.widened, path})


def complete_row(said: ImportChoices, row: RowChange, typed: Mapping[str, str]) -> None:
    """Put texts, which the caller has checked, into a row of the import; its key stays as it is."""
    kind = KINDS[row.kind]
    kept = {name: text for name, text in typed.items() if name not in kind.key_columns}
    said.rows.setdefault(kind.name, {})[json.dumps(list(key_texts(kind, row.texts)))] = kept


def _layout(found: ImportResult, sheet: int) -> Layout:
    if not 0 <= sheet < len(found.layouts):
        raise _unfit("sheet", "That sheet is not there any more.", "Look at the sheets again.")
    return found.layouts[sheet]


def _rejected(found: ImportResult, path: str, number: int) -> Rejected:
    row = next((one for one in found.rejected if (one.path, one.row) == (path, number)), None)
    if row is None:
        raise _unfit("row", "No such row is rejected.", "See the rejected rows of the import.")
    return row


def _unfit(column: str, cause: str, remedy: str) -> ProblemsError:
    return ProblemsError([Problem(Place("choice", column=column), cause, remedy, code="unfit_choice")])
