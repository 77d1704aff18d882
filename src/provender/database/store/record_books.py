"""Reading record books: the rows of any version, and whether the chain holds."""

import json
from collections.abc import Mapping
from typing import Final

import orjson

from provender.database.models.farm import Book, Change
from provender.problem import Place, Problem
from provender.signing.canonical import sha256_hex

FORMAT: Final = "provender change 1"
Rows = dict[str, dict[str, Mapping[str, object]]]
"""Kind of record, key, row."""


def rows_of(book: Book, version: int | None = None) -> Rows:
    """Return the rows of a book as they stood after change ``version`` (the last one without it), by kind and key."""
    return rows_and_taken_out(book, version)[0]


def rows_and_taken_out(book: Book, version: int | None = None) -> tuple[Rows, set[str]]:
    """Return the same rows, and the keys of all rows of any kind that were ever taken out."""
    changes = Change.objects.filter(book=book).order_by("number")
    if version is not None:
        changes = changes.filter(number__lte=version)
    rows: Rows = {}
    out: set[str] = set()
    for text in changes.values_list("text", flat=True):
        for edit in orjson.loads(text)["edits"]:
            kind = rows.setdefault(edit["kind"], {})
            if edit["row"] is None:
                kind.pop(edit["key"], None)
                out.add(edit["key"])
            else:
                kind[edit["key"]] = edit["row"]
    return rows, out


def check_chain(book: Book) -> list[Problem]:
    """Recompute every hash of a book; return one problem per change that does not fit."""
    problems = []
    previous = ""
    for expected, change in enumerate(Change.objects.filter(book=book).order_by("number"), start=1):
        cause = _misfit(book, change, expected, previous)
        if cause:
            place = Place(f"book {book.handle}", row=change.number)
            remedy = "Restore the book from a backup made before this change was touched."
            problems.append(Problem(place, cause, remedy, cite="2100.030(d)", code="broken_chain"))
        previous = change.hash
    return problems


def _misfit(book: Book, change: Change, expected: int, previous: str) -> str:
    if change.number != expected:
        return f"Change {expected} is missing."
    if sha256_hex(change.text.encode()) != change.hash:
        return "The text of this change is not what was hashed."
    said = json.loads(change.text)
    if said["format"] != FORMAT or said["book"] != book.handle or said["number"] != change.number:
        return "The text of this change belongs to another place."
    if said["previous"] != previous or change.previous != previous:
        return "This change does not follow the one before it."
    if said["actor"] != change.actor_id or said["at"] != change.at.isoformat():
        return "Actor or time of this change differ from its text."
    return ""
