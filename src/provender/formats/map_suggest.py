"""A first guess at what the columns of a table mean, for a person to confirm.

The heading row is the one among the first rows that knows most headings. Units are taken from brackets in a heading or
from a row of units under it. The order of day and month, and a decimal comma, are taken from values that can be read
only one way.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provender.catalog.crops import crop_use
from provender.formats.column_map import ColumnMap, ColumnRule, fingerprint, plain_heading
from provender.formats.parsed import doubt, listed, note
from provender.formats.sheet import Sheet, TextRow
from provender.formats.targets import Target, TargetField
from provender.formats.units import canonical, unit_kind
from provender.formats.units_row import unit_in, units_row
from provender.formats.values import ValueTextError, orders_of, read_day
from provender.problem import Place, Problem

SEARCHED: Final = 30
_BRACKET: Final = re.compile(r"[\[(]([^\])]{1,20})[\])]")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
"""Between the words of ``NetWeight`` and ``QTYBushels``."""
_ENOUGH: Final = 3
_MARKS: Final = ("units", "unit", "comment", "total", "grand total", "subtotal", "sub total")
_COMMA_NUMBER: Final = re.compile(r"-?\d+,(?:\d{1,2}|\d{4,})|-?\d{1,3}(?:\.\d{3})+,\d+")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A suggested map with what to ask the person about it."""

    map: ColumnMap
    heading: TextRow
    problems: tuple[Problem, ...]


def _bare(heading: str) -> str:
    """Return a heading without brackets and without a unit at its end."""
    plain = plain_heading(_unsaid(heading))
    words = plain.split()
    if len(words) > 1 and canonical(words[-1]):
        return " ".join(words[:-1])
    return plain


def _unsaid(heading: str) -> str:
    return _BRACKET.sub(" ", heading)


def _matches(heading: str, field: TargetField) -> int | None:
    """Return how well a heading fits a field, lower is better; None where it does not."""
    apart = _CAMEL.sub(" ", heading)
    names = {
        each for text in (heading, apart) for each in (plain_heading(text), plain_heading(_unsaid(text)), _bare(text))
    }
    ranks = [rank for rank, synonym in enumerate((*field.synonyms, *field.weak)) if synonym and synonym in names]
    return min(ranks, default=None)


def _known(line: TextRow, target: Target) -> int:
    return sum(
        any(_matches(cell, field) is not None for field in target.fields.values()) for cell in line.cells if cell
    )


def best_heading(line: TextRow, field: TargetField) -> str:
    """Return the heading that fits a field best, as written; empty where none does."""
    fits = [(rank, at) for at, cell in enumerate(line.cells) if (rank := _matches(cell, field)) is not None]
    return line.cell(min(fits)[1]) if fits else ""


def find_heading(sheet: Sheet, target: Target) -> TextRow | None:
    """Return the row that knows most headings of the target, at least two; None where there is no such row."""
    candidates = sheet.lines[:SEARCHED]
    best = max(candidates, key=lambda line: _known(line, target), default=None)
    return best if best is not None and _known(best, target) > 1 else None


def _misfits(heading: str, field: TargetField) -> bool:
    """Tell whether a heading names a unit that a quantity is not measured in: pounds per acre are no ppm."""
    said, wanted = unit_kind(_unit_of(heading, field)), unit_kind(field.unit)
    return field.kind == "quantity" and bool(said and wanted) and said != wanted


def _choose(heading: TextRow, target: Target, filled: Sequence[int]) -> dict[str, int]:
    """Give each field the best heading: filled columns first, then the better synonym, then the left one."""
    offers = [
        (filled[index] == 0, _misfits(cell, field), rank, index, field.name)
        for field in target.fields.values()
        for index, cell in enumerate(heading.cells)
        if (rank := _matches(cell, field)) is not None
    ]
    chosen: dict[str, int] = {}
    for *_, index, name in sorted(offers):
        if name not in chosen and index not in chosen.values():
            chosen[name] = index
    for *_, index, name in sorted(offers):  # what no row may lack takes the column of what may be blank
        holder = next((other for other, at in chosen.items() if at == index), "")
        if target.fields[name].required and name not in chosen and not target.fields[holder].required:
            del chosen[holder]
            chosen[name] = index
    return chosen


def _by_content(heading: TextRow, data: Sequence[TextRow], target: Target, chosen: dict[str, int]) -> dict[str, int]:
    """Return fields that no heading names, by what one column alone can be: crops, days, ways in or out."""
    found = {}
    for name, is_one in _CONTENT.items():
        if name in chosen or name not in target.fields:
            continue
        free = [index for index, cell in enumerate(heading.cells) if cell.strip() and index not in chosen.values()]
        fits = []
        for index in free:
            texts = [line.cell(index) for line in data if line.cell(index)]
            if len(texts) >= _ENOUGH and all(map(is_one, texts)):
                fits.append(index)
        if len(fits) == 1:
            found[name] = fits[0]
    return found


def _is_crop(text: str) -> bool:
    return crop_use(text) is not None


def _is_day(text: str) -> bool:
    try:
        read_day(text, "mdy" if "mdy" in orders_of(text) else "dmy")
    except ValueTextError:
        return False
    return not text.isdigit()


def _is_way(text: str) -> bool:
    return text.strip().casefold() in {"i", "o", "in", "out", "inbound", "outbound"}


_CONTENT: Final = {"crop": _is_crop, "day": _is_day, "direction": _is_way}


def _content_questions(heading: TextRow, target: Target, guessed: dict[str, int], place: Place) -> Iterable[Problem]:
    for name, index in guessed.items():
        text = heading.cell(index)
        cause = f"the column {text!r} was taken for {target.called(name)} by what its cells hold."
        yield doubt(replace(place, column=text), cause, "Confirm it.", "matched_by_content")


def _first(values: Iterable[frozenset[str]]) -> str:
    orders = frozenset(("mdy", "dmy"))
    for each in values:
        orders &= each
    return next(iter(orders)) if len(orders) == 1 else ""


def _units(heading: TextRow, data: Sequence[TextRow], chosen: dict[str, int], target: Target) -> dict[str, str]:
    row = units_row(data, (index for name, index in chosen.items() if target.fields[name].kind == "quantity"))
    units = {}
    for name, index in chosen.items():
        if target.fields[name].kind != "quantity":
            continue
        measured = unit_kind(target.fields[name].unit)
        offers = [_unit_of(heading.cell(index), target.fields[name]), unit_in(row.cell(index)) if row else ""]
        units[name] = next((unit for unit in offers if unit and (not measured or unit_kind(unit))), "")
    return units


def _unit_of(heading: str, field: TargetField) -> str:
    """Return the unit that a heading names; our own name of a column says its own, ``n_lb_per_ac`` no acres."""
    said = unit_in(heading)
    return field.unit if said and plain_heading(heading) == plain_heading(field.name) else said


def suggest(sheet: Sheet, target: Target, file: str, name: str = "") -> Suggestion | None:
    """Suggest a map for a sheet; None where no row looks like headings of the target."""
    heading = find_heading(sheet, target)
    if heading is None:
        return None
    place = Place(file, sheet.name, heading.number)
    data = [line for line in sheet.lines if line.number > heading.number]
    width = len(heading.cells)
    filled = [sum(bool(line.cell(index)) for line in data) for index in range(width)]
    chosen = _choose(heading, target, filled)
    guessed = _by_content(heading, data, target, chosen)
    chosen |= guessed
    units = _units(heading, data, chosen, target)
    days = [index for name, index in chosen.items() if target.fields[name].kind == "day"]
    numbers = [index for name, index in chosen.items() if target.fields[name].kind == "quantity"]
    order = _first(orders_of(line.cell(index)) for index in days for line in data if line.cell(index))
    comma = any(_COMMA_NUMBER.fullmatch(line.cell(index)) for index in numbers for line in data)
    used = set(chosen.values())
    ignored = tuple(cell.strip() for index, cell in enumerate(heading.cells) if cell.strip() and index not in used)
    columns = tuple(
        ColumnRule(heading.cell(index), name, units.get(name, ""))
        for name, index in sorted(chosen.items(), key=lambda pair: pair[1])
    )
    found = ColumnMap(
        name or f"{target.name} from {file}",
        target.name,
        fingerprint(heading.cells),
        columns,
        ignored,
        _MARKS,
        date_order=order,
        decimal="," if comma else ".",
        constants={name: each.assumed for name, each in target.fields.items() if each.assumed and name not in chosen},
    )
    asked = [
        *_questions(found, heading, target, chosen, filled, place),
        *_content_questions(heading, target, guessed, place),
    ]
    return Suggestion(found, heading, tuple(asked))


def _rivals(other: str, chosen: str, field: TargetField) -> bool:
    """Tell whether another heading could mean a field too: one that may mean it does not rival one that does."""
    rank, taken = _matches(other, field), _matches(chosen, field)
    if rank is None or (_misfits(other, field) and not _misfits(chosen, field)):
        return False
    strong = len(field.synonyms)
    return rank < strong or taken is None or taken >= strong


def _questions(
    found: ColumnMap, heading: TextRow, target: Target, chosen: dict[str, int], filled: Sequence[int], place: Place
) -> Iterable[Problem]:
    pairs = listed((f"{each.heading} = {target.called(each.field)}" for each in found.columns), most=40)
    cause = f"the columns were matched by their headings: {pairs}."
    yield doubt(place, cause, "Confirm or correct the map.", "suggested_map")
    for name, text in found.constants.items():
        cause = f"no column says {target.called(name)}; it was taken to be {text} in every row."
        yield doubt(place, cause, "Confirm or correct the map.", "suggested_constant")
    if found.ignored:
        cause = f"these columns are not imported: {listed(found.ignored, most=60)}."
        yield note(place, cause, "Nothing, unless one of them is needed.", "ignored_columns")
    for name, index in chosen.items():
        field, text, called = target.fields[name], heading.cell(index), target.called(name)
        here = replace(place, column=text)
        if plain_heading(text) in field.weak or _bare(text) in field.weak:
            cause = f"the column {text!r} may not be {called}."
            yield doubt(here, cause, f"Confirm it, or supply {called} from the report.", "weak_match")
        others = [
            heading.cell(other)
            for other in range(len(heading.cells))
            if other != index
            and other not in chosen.values()
            and filled[other]
            and _rivals(heading.cell(other), text, field)
        ]
        if others:
            cause = f"{text!r} was taken for {called}, though {listed(others)} could be it too."
            yield doubt(here, cause, "Confirm which of them it is.", "several_columns")
