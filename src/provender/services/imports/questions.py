"""What an import asks of a person or a program before it is written."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from provender.problem import Weight
from provender.records import KINDS
from provender.records.reading import column_names
from provender.services.farm.book import FarmBook
from provender.services.imports.asked_words import asked_words
from provender.services.imports.request import ImportResult

CHOOSABLE: Final = frozenset({"differs_from_book", "other_boundary"})


@dataclass(frozen=True, slots=True)
class Question:
    """Something that can be chosen.

    Attributes:
        about: ``kinds``, ``columns``, ``units``, ``words``, ``entries``, ``dates``, ``replace``, ``rejected``
            or ``looked``.
        subject: which sheet, name or row, as text; empty where it is about the whole import.
        says: the question.
    """

    about: str
    subject: str
    says: str


def must_look(found: ImportResult) -> bool:
    """Tell whether something is doubtful, so that the person has to say that they looked at it."""
    return any(one.weight is Weight.CONFIRM for one in [*found.problems, *found.remain])


def differs(found: ImportResult) -> bool:
    """Tell whether book and files say different things about the same row."""
    return any(one.code in CHOOSABLE for one in found.problems)


def asks_dates(found: ImportResult) -> bool:
    """Tell whether days were read as the farm's country writes them, since nothing else said how."""
    return any(one.code == "day_order" for one in found.problems)


def unit_choices(farm: FarmBook, found: ImportResult) -> list[str]:
    """Return the management units of the book and those that come with the import."""
    new = [row.texts["unit_id"] for row in found.rows if row.kind == "unit"]
    return list(dict.fromkeys([*farm.of(KINDS["unit"]), *new]))


def unknown_names(farm: FarmBook, found: ImportResult) -> list[str]:
    """Return names that the files have for fields and that are no unit, and photographs that name none."""
    known = set(unit_choices(farm, found))
    names = [row.texts["unit_id"] for row in found.rows if row.kind != "unit" and "unit_id" in row.texts]
    photos = [
        row.file
        for row in found.rows
        if row.texts.get("what") == "photograph" and not row.texts["unit_id"] and row.file
    ]
    lost = list(_units_lost(found))
    return list(dict.fromkeys([*(name for name in [*names, *lost] if name and name not in known), *photos]))


def _units_lost(found: ImportResult) -> Iterator[str]:
    """Yield what rows that stay out name as their unit, where that is why they stay out."""
    for row in found.rejected:
        kind = KINDS.get(row.kind)
        if kind is None or "unit_id" not in row.why:
            continue
        names = column_names(kind)
        yield from (text for heading, text in row.cells if names.get(heading.casefold()) == "unit_id")


def questions(farm: FarmBook, found: ImportResult) -> list[Question]:
    """Return everything that waits for a choice."""
    return list(_questions(farm, found))


def _questions(farm: FarmBook, found: ImportResult) -> Iterator[Question]:
    for number, one in enumerate(found.layouts):
        where = ", ".join(part for part in (one.file, one.sheet) if part)
        if not one.target:
            yield Question("kinds", str(number), f"{where}: what are its rows?")
        elif not one.confirmed:
            yield Question("columns", str(number), f"{where}: is each of its columns what it was taken for?")
    for name in unknown_names(farm, found):
        yield Question("units", name, f"Which management unit is {name}?")
    for word in asked_words(found):
        says = (
            f"What is {word.typed!r} in the list of the {word.about}s: {'; '.join(word.choices) or 'nothing is near'}?"
        )
        yield Question("words", f"{word.about}|{word.typed}", says)
    yield from _entries(found)
    if asks_dates(found):
        yield Question("dates", "", "The days can be read two ways: does the month come first (mdy) or the day (dmy)?")
    if differs(found):
        yield Question("replace", "", "Book and files differ: whose values count?")
    for row in found.rejected:
        yield Question("rejected", f"{row.path}, row {row.row}", f"{row.place} stays out: is it corrected or dropped?")
    if must_look(found):
        yield Question("looked", "", "Did somebody look at the problems that are to be confirmed?")


def _entries(found: ImportResult) -> Iterator[Question]:
    for one in found.offered:
        crop = one.crop.replace("_", " ") or "a crop that is not said"
        says = f"No crop entry fits some rows: add {one.name}, {crop} on {one.unit}, harvest year {one.year}?"
        yield Question("entries", one.name, says)
