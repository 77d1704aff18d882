"""Rows that say otherwise than the book: they stay out, with the whole line on which they stand."""

from collections.abc import Mapping, Sequence

from provender.formats.importing.kind_file import KindFile
from provender.formats.importing.validate import Sifted
from provender.problem import Place, Problem
from provender.records.field import Field
from provender.records.folder import write_cell


def leave_out_differing(sifted: Sifted, file: KindFile, *, replace: bool) -> None:
    """Reject every line of which a row cannot go into the book's file, before any row of it has gone there.

    Args:
        sifted: the table.
        file: the book's file of that kind.
        replace: whether rows may put other values into the book.
    """
    above: dict[tuple[object, ...], list[Mapping[str, object]]] = {}
    for row in list(sifted.rows):
        same = above.setdefault(file.key_of(row), [])
        if not file.usable:
            _tell_unusable(sifted, file, row)
        elif not (replace or _number(row) in sifted.incoming.overrules) and (columns := file.differing(row)):
            _tell_differing(sifted, file, row, columns)
        elif any(_contradict(file, one, row) for one in same):
            _tell_doubled(sifted, file, [*same, row])
        same.append(row)


def _contradict(file: KindFile, one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    fields = file.kind.typed_fields
    return any(None not in (one[name], other[name]) and one[name] != other[name] for name in fields)


def _tell_doubled(sifted: Sifted, file: KindFile, rows: Sequence[Mapping[str, object]]) -> None:
    """Reject the lines of rows that turned out to be of one record, such as of a unit by its name and by its key."""
    told = {one.number for one in sifted.rejected}
    for row in (one for one in rows if _number(one) not in told):
        cause = f"{called(file.kind.key_columns, row)} stands there more than once, with different records."
        remedy = "Give each record an identifier of its own, or leave the wrong one out."
        sifted.problems.append(Problem(place_of(sifted, row), cause, remedy, file.kind.cite, code="doubled"))
    sifted.reject([_number(row) for row in rows], "its identifier stands there more than once, with different records")


def _tell_unusable(sifted: Sifted, file: KindFile, row: Mapping[str, object]) -> None:
    """Reject the line of a row, for the book's file cannot be read."""
    cause = f"{file.kind.name}.csv of the book cannot be read, so nothing can be added to it."
    remedy = "Save it as CSV UTF-8, then import again."
    sifted.problems.append(Problem(place_of(sifted, row), cause, remedy, code="unusable_file"))
    sifted.reject([_number(row)], cause.rstrip("."))


def _tell_differing(sifted: Sifted, file: KindFile, row: Mapping[str, object], columns: Sequence[str]) -> None:
    """Reject the line of a row that says otherwise than the book in some columns."""
    kind = file.kind
    old = file.record(file.key_of(row)) or {}
    said = "; ".join(_difference(name, old.get(name), row[name], kind.fields[name]) for name in columns)
    cause = f"{called(kind.key_columns, row)} stands in the book with other values ({said})."
    remedy = "Correct the wrong one, or import with --replace to put these values into the book."
    sifted.problems.append(Problem(place_of(sifted, row), cause, remedy, kind.cite, code="differs_from_book"))
    sifted.reject([_number(row)], cause.rstrip("."))


def called(key_columns: Sequence[str], row: Mapping[str, object]) -> str:
    """Return what a record is called: its key without the farm, or the farm where that is all."""
    return " ".join(str(row[name]) for name in key_columns if name != "farm_id") or str(row["farm_id"])


def place_of(sifted: Sifted, row: Mapping[str, object]) -> Place:
    """Return where a row stands in its file."""
    return sifted.incoming.place(_number(row))


def _number(row: Mapping[str, object]) -> int:
    return int(str(row["source_row"]))


def _difference(name: str, old: object, new: object, described: Field) -> str:
    here = write_cell(old, described) or "something unreadable"
    return f"{name}: {here} in the book, {write_cell(new, described)} here"
