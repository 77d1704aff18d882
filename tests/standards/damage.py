"""Blows to the tables of a farm: cells and rows that nobody can read, headings gone wrong, rows cut or doubled."""

from dataclasses import dataclass, replace
from typing import Final

from provender.records.kind import KINDS
from provender.records.reading import TextTable
from tests.standards.season import Rows

GARBAGE: Final = "\x00\x01"


@dataclass(frozen=True)
class Damage:
    """One blow to one table: ``how`` and where, counted round the table's size."""

    kind: str
    how: str
    row: int
    column: int


def tables(rows: Rows) -> dict[str, TextTable]:
    """Return the rows as tables with only the columns that anybody filled in."""
    made = {}
    for kind, of in rows.items():
        used = [name for name in KINDS[kind].typed_fields if any(one.get(name) for one in of)]
        heading = (*used, *[name for name in KINDS[kind].typed_fields if name not in used])
        cells = tuple((i, tuple(one.get(name, "") for name in heading)) for i, one in enumerate(of, start=2))
        made[kind] = TextTable(f"{kind}.csv", "", heading, cells)
    return made


def hit(table: TextTable, blow: Damage) -> TextTable:
    """Return the table damaged: a cell nobody can read, a column or heading gone wrong, a row cut or doubled."""
    rows = [list(cells) for _, cells in table.rows]
    heading = list(table.heading)
    if not rows:
        return table
    used = [i for i in range(len(heading)) if any(cells[i] for cells in rows)]
    column, row = used[blow.column % len(used)], rows[blow.row % len(rows)]
    match blow.how:
        case "cell":
            row[column] = GARBAGE
        case "column":
            for one in rows:
                one[column] = GARBAGE
        case "heading":
            heading[column] = "Colunm"
        case "row":
            row[:] = [GARBAGE] * len(heading)
        case "ragged":
            row.append("12")
        case "twice":
            other = list(row)
            column = next(i for i in (column, *reversed(used)) if not heading[i].endswith("_id"))
            other[column] = "5" if other[column] != "5" else "6"
            rows.append(other)
    numbered = tuple((i, tuple(cells)) for i, cells in enumerate(rows, start=2))
    return TextTable(table.file, table.sheet, tuple(heading), numbered)


def two_units(first: Rows, second: Rows) -> Rows:
    """Put the rows of a second unit beside the first, on one farm with one store of seed and inhibitor."""
    shared = ("farm", "evidence", "inhibitor_acceptance", "seed_purchase", "inhibitor_purchase")
    both: Rows = {kind: [dict(one) for one in of] for kind, of in first.items()}
    for kind, of in second.items():
        if kind not in shared:
            both.setdefault(kind, []).extend({k: _renamed(k, text) for k, text in one.items()} for one in of)
    return both


def _renamed(column: str, text: str) -> str:
    own = column.endswith("_id") and text
    return f"{text}-2" if own else text


def owned_by(farm: str, table: TextTable) -> TextTable:
    """Return a table with another farm's number in it."""
    rows = (
        (number, tuple(farm if name == "farm_id" else cell for name, cell in zip(table.heading, cells, strict=False)))
        for number, cells in table.rows
    )
    return replace(table, rows=tuple(rows))
