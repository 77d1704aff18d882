"""A book as rows of texts and files by their paths."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from provender.problem import Problem, ProblemsError
from provender.records.folder import BOUNDARIES, MAPS, REJECTED, write_csv
from provender.records.kind import KINDS, Kind
from provender.records.reading import column_names, read_csv_table
from provender.whole_file import write_whole

FILE: Final = "file"
"""In a stored book, beside the kinds of record: a file that belongs to it, by its path; rows have ``text``."""
SOURCE: Final = "source"
"""In a stored book, beside the kinds of record: which row of which file a record came from."""
FARM: Final = "farm_id"
_SIDE_FOLDERS: Final = (BOUNDARIES, REJECTED, MAPS)

Rows = Mapping[str, Mapping[str, Mapping[str, object]]]
Key = tuple[str, ...]
Texts = dict[str, str]


def rows_as_texts(stored: Rows) -> dict[str, list[Texts]]:
    """Return the rows of a stored book by kind; a row's farm is left blank, since one book holds one farm."""
    return {
        name: [
            {each: "" if each == FARM and name != "farm" else _text(row.get(each)) for each in kind.typed_fields}
            for row in stored[name].values()
        ]
        for name, kind in KINDS.items()
        if stored.get(name)
    }


def side_files(stored: Mapping[str, Mapping[str, object]]) -> dict[str, str]:
    """Return the texts of the files that lie beside the records, by path."""
    return {path: _text(row.get("text")) for path, row in stored.items() if path.partition("/")[0] in _SIDE_FOLDERS}


def write_files(files: Mapping[str, str], folder: Path) -> None:
    for path, text in files.items():
        write_whole(folder / path, text.encode())


def _text(value: object) -> str:
    return "" if value is None else str(value)


def key_texts(kind: Kind, texts: Mapping[str, str]) -> Key:
    """Return what tells a row from the others of its kind: its key columns but for the farm."""
    names = [name for name in kind.key_columns if name != FARM] or [FARM]
    return tuple(texts[name] for name in names)


def raw_rows(kind: Kind, path: Path) -> dict[Key, Texts]:
    """Return the rows of the file of a kind as they are typed; a file that is no table holds none."""
    try:
        table = read_csv_table(path, path.name)
    except ProblemsError:
        return {}
    known = column_names(kind)
    names = [known.get(heading.casefold(), "") for heading in table.heading]
    found = {}
    for _, cells in table.rows:
        told = {name: cell for name, cell in zip(names, cells, strict=False) if name}
        texts = {name: told.get(name, "") for name in kind.typed_fields}
        found[key_texts(kind, texts)] = texts
    return found


def write_rows(kind: Kind, rows: Mapping[Key, Texts], folder: Path) -> None:
    names = [name for name in kind.typed_fields if kind.name == "farm" or name != FARM]
    text = write_csv([names, *([row[name] for name in names] for row in rows.values())])
    write_whole(folder / f"{kind.name}.csv", text.encode())


# Who wants to know that a book was changed: told once the change stands. Nobody does where nothing serves pages.

LISTENERS: Final[list[Callable[[int], None]]] = []


def tell_of(book: int) -> None:
    """Tell whoever listens that the book of this primary key was changed."""
    for listener in LISTENERS:
        listener(book)


# The remedies of problems, where the command line's way out is not the page's.

_REMEDIES: Final[dict[str, str]] = {
    "no_farm": "Write down the farm first: All records, Farm.",
    "waits": "Look at the rows below; nothing is written until you confirm.",
    "word_asked": "Say below which of them it is.",
    "word_unknown": "Choose below what it is, or leave it as it is.",
    "day_order": "Say below whether the month or the day comes first.",
    "unknown_reference": "Say below which field it is, or correct the row.",
    "entry_asked": "Choose it beside the row below.",
    "entry_missing": "Add the crop entry below, or correct the row.",
    "entry_open": "It goes in without a crop entry, and its day decides. Name one beside the row if it is another.",
    "stray_rows": "Say what they are, or that they are not to count, on the page of rejected rows.",
    "unknown_sheet": "Say below what its rows are, or leave the sheet out.",
    "kind_by_headings": "Say below what its rows are, if they are something else.",
    "no_headings": "Say below which column is which, or use the template.",
    "unknown_column": "Say below what the column is, or leave it out.",
    "suggested_map": "Look at the columns below; correct what is wrong.",
    "no_unit": "Change the unit of a column below, where it is another.",
    "weak_match": "Confirm it, or change below what the column is.",
    "fields_added": "Confirm it, or say below which field each is.",
    "buyer_by_title": "Confirm it, or correct that line in your file and upload it again.",
    "buyer_asked": "Add a column *Buyer* with the elevator's name to your file, and upload it again.",
    "no_product": "Add a column *Product* to your file, and upload it again.",
    "no_rate_unit": "Export it with units in the headings, and upload it again.",
    "entered_twice": "Say below whether the list was entered twice, or each row happened.",
    "photo_unit": "Say below which field it shows.",
    "differs_from_book": "Choose below whose values count: the book's or the file's.",
    "other_boundary": "Choose below whose boundary counts: the book's or the file's.",
    "rejected_rows": "Correct them, or say that they are not to count, on the page of rejected rows.",
    "unusable_file": "Correct the rejected rows of the book first.",
    "paper_kept": "Complete its row below: what it is, and which unit it is about. Then type its figures.",
    "unknown_file": "Nothing to do.",
    "nothing_retired": "Enter what went into fuel first: Retire into fuel.",
}
"""By the code of the problem."""


def for_page(problem: Problem) -> Problem:
    """Return a problem as a page tells it: a whole sentence, and the remedy that the page offers."""
    cause = problem.cause[:1].upper() + problem.cause[1:]
    remedy = _REMEDIES.get(problem.code, problem.remedy).replace("in the column map", "among your columns below")
    return replace(problem, cause=cause, remedy=remedy)
