"""Checking one edit that a program sends: the same parsers, bounds and messages as a file's."""

from collections.abc import Mapping
from datetime import date

from provender.problem import Place, Problem, ProblemsError, Weight
from provender.records import KINDS, Kind
from provender.records.cells import CellError, read_cell
from provender.records.checks import check_frame
from provender.records.folder import write_cell
from provender.records.order import COVER, seeded_after_harvest
from provender.records.reading import rows_to_frame
from provender.services.farm.asked import in_words_of_lists
from provender.services.farm.book import FARM, Edit, FarmBook, key_of

OUR_OWN = "farm"
"""The kind of which the farm's identifier is the key."""


def checked_edit(farm: FarmBook, kind: str, key: str, row: Mapping[str, str] | None, at: int) -> Edit:
    """Return an edit of which every cell can be read and is within its bounds.

    Args:
        farm: the version of the book.
        kind: name of the kind of record.
        key: of the row to take out.
        row: texts by column; None takes the row out.
        at: number of the edit, from 0.

    Raises:
        ProblemsError: no such kind or column, a cell that cannot be read, a value out of bounds, or no row to take out.
    """
    place = f"edits.{at}"
    found = KINDS.get(kind)
    if found is None:
        raise _refusal(place, "kind", f"There is no kind of record {kind[:60]!r}.", "See /api/v1/records/kinds.")
    if row is None:
        if key not in farm.of(found):
            raise _refusal(place, "key", f"The book holds no {found.label} {key!r}.", "See the rows of the kind.")
        return Edit(found.name, key, None)
    texts = checked_texts(found, row, farm, place)
    return Edit(found.name, key_of(found, texts), texts)


def checked_texts(kind: Kind, row: Mapping[str, str], farm: FarmBook, place: str) -> dict[str, str]:
    """Return every column of a row as the text that the core would write.

    Raises:
        ProblemsError: no such column, a cell that cannot be read or is missing, or a value out of bounds; each names
            ``place`` and its column.
    """
    unknown = [name for name in row if name not in kind.typed_fields]
    if unknown:
        known = ", ".join(kind.typed_fields)
        raise _refusal(place, unknown[0], f"{kind.label} has no column {unknown[0]!r}.", f"Its columns: {known}.")
    given = {name: row.get(name, "") for name in kind.typed_fields} | {FARM: farm.farm_id}
    if kind.name == OUR_OWN:
        given[FARM] = row.get(FARM, "") or farm.farm_id
    problems, values = [], {}
    for name, field in kind.typed_fields.items():
        try:
            values[name] = read_cell(given[name], field)
        except CellError as wrong:
            problems.append(
                Problem(Place(place, column=name), f"{wrong.cause}.", wrong.remedy, field.cite, code="cell")
            )
            continue
        if values[name] is None and field.required:
            remedy = "Fill it in; blank means not recorded, and this column must be."
            problems.append(
                Problem(Place(place, column=name), f"{field.label} is blank.", remedy, field.cite, code="blank")
            )
    if not problems:
        _, held, _ = check_frame(kind, rows_to_frame(kind, [values]))
        problems = [
            Problem(Place(place, column=one.place.column), one.cause, one.remedy, one.cite, one.weight, one.code)
            for one in held
            if one.weight is not Weight.NOTE
        ]
        problems += out_of_order(kind, values, farm, place)
    if problems:
        raise ProblemsError(problems)
    return in_words_of_lists(kind, {name: write_cell(values[name], field) for name, field in kind.typed_fields.items()})


def out_of_order(kind: Kind, row: Mapping[str, object], farm: FarmBook, place: str) -> list[Problem]:
    """Return how a row, typed, contradicts the order of days of the row that it names."""
    crop, seeded = str(row.get("harvest_id") or ""), row.get("seeded_on")
    named = farm.texts(KINDS["harvest"], crop) if kind.name == COVER and crop else None
    if not named or not named["last_day"] or not isinstance(seeded, date):
        return []
    last = date.fromisoformat(named["last_day"])
    where = Place(place, column="harvest_id")
    found = seeded_after_harvest(where, str(row.get("cover_id") or ""), seeded, crop, last)
    return [found] if found else []


def _refusal(place: str, column: str, cause: str, remedy: str) -> ProblemsError:
    return ProblemsError([Problem(Place(place, column=column), cause, remedy, code="misfit")])
