"""Ways to spoil one table: each takes rows of text and a random source and gives back what somebody might send.

None of them changes a record into another sound record: that nobody could notice. Each spoils a type, a unit, a
heading, an identifier, an encoding or the file itself.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from random import Random
from typing import Final

from provender.records.field import ColumnKind
from provender.records.kind import KINDS, Kind

Cells = list[list[str]]

NUMBERS: Final = (
    "4x", "1e5", "--3", "+-2", "NaN", "inf", "∞", "٣", "4 in", "4in", "12,5", "1,23", "0x10", "1.23456", "4 1/2", "½",
    "-5",     "1000000000000", "99999999999999999999", "-0.001", "4..5", "1 000", "four", "$4", "4%", "1/3", "5'",
    "#REF!", "#DIV/0!",
)  # fmt: skip
DAYS: Final = (
    "%m/%d/%Y", "%d.%m.%Y", "2025-02-30", "2025-13-01", "%Y%m%d", "%e %B", "%Y-%m", "%Y-%m-%dT25:00", "1979-12-31",
    "yesterday", "0000-00-00", "2101-01-01", "%Y/%m/%d", "%B %e, %Y",
    "\u0662\u0660\u0662\u0665-05-14", "-2025-05-14",
)  # fmt: skip
"""Days that are none, and the row's own day in other spellings: another sound day would be another season."""
ANSWERS: Final = ("yes?", "ja", "maybe", "2", "-1", "yes no", "TRUEE", "n/a", "✓", "0.5", "oui", "wahr", "y es", "#N/A")
WORDS: Final = (
    "harvestd",
    "CORN!",
    "mais",
    "corn,soybeans",
    "0",
    "plow",
    "none of them",
    "грядка",
    "injected?",
    "\u202eniroc",
)
KEYS: Final = (
    "N4\u041e", "N40\u200b", "\u202e04N", "=N40", "../../etc/passwd", "N40;DROP TABLE", "🌽", "@SUM(A1)", "N40\tN41",
    "'",
    '"N40"',
    "N" * 200, "<script>alert(1)</script>", "file:///etc/passwd", "N-40", "n40", "%00", "\\\\server\\share",
)  # fmt: skip
CONTROLS: Final = ("\x00", "\x1b[31m", "\x07", "\x7f", "\x0b", "a\x01b")
LONG: Final = "x" * 2500


@dataclass(frozen=True, slots=True)
class Spoiled:
    """A table somebody sends.

    Attributes:
        kind: of its rows.
        rows: the heading and the records, as text.
        how: what was done, for the message when something does not hold.
        file: how the file itself is spoiled after writing; see ``files``.
    """

    kind: Kind
    rows: Cells
    how: list[str] = field(default_factory=list)
    file: str = ""


def _columns(table: Spoiled, *kinds: ColumnKind) -> list[int]:
    fields = table.kind.fields
    return [i for i, name in enumerate(table.rows[0]) if name in fields and (not kinds or fields[name].kind in kinds)]


def _set(table: Spoiled, row: int, column: int, text: str) -> Spoiled:
    rows = [list(cells) for cells in table.rows]
    rows[row][column] = text
    return replace(table, rows=rows, how=[*table.how, f"row {row} {rows[0][column]} = {text[:40]!r}"])


def _a_row(table: Spoiled, random: Random) -> int:
    return random.randrange(1, len(table.rows))


def _respelled(own: str, spelling: str) -> str:
    try:
        return date.fromisoformat(own).strftime(spelling)
    except ValueError:
        return "yesterday"


def _a_cell(kinds: tuple[ColumnKind, ...], texts: tuple[str, ...]) -> "Spoil":
    def spoil(table: Spoiled, random: Random) -> Spoiled:
        columns = _columns(table, *kinds)
        if not columns:
            return table
        row, column, text = _a_row(table, random), random.choice(columns), random.choice(texts)
        if texts is DAYS and "%" in text:
            text = _respelled(table.rows[row][column], text)
        return _set(table, row, column, text)

    return spoil


def control(table: Spoiled, random: Random) -> Spoiled:
    """Put a control character into any cell."""
    row, column = _a_row(table, random), random.choice(_columns(table))
    return _set(table, row, column, table.rows[row][column] + random.choice(CONTROLS))


def too_long(table: Spoiled, random: Random) -> Spoiled:
    """Put far too long a text into any cell."""
    return _set(table, _a_row(table, random), random.choice(_columns(table)), LONG)


def double_key(table: Spoiled, random: Random) -> Spoiled:
    """Repeat a record with one other cell."""
    row = _a_row(table, random)
    rows = [*table.rows, list(table.rows[row])]
    columns = [i for i in _columns(table, ColumnKind.QUANTITY, ColumnKind.DAY) if rows[row][i]]
    table = replace(table, rows=rows, how=[*table.how, f"row {row} twice"])
    if not columns:
        return table
    column = random.choice(columns)
    other = "1" if rows[row][column] != "1" else "2"
    day = table.kind.fields[rows[0][column]].kind is ColumnKind.DAY
    return _set(table, len(rows) - 1, column, "2025-05-05" if day else other)


def blank_required(table: Spoiled, random: Random) -> Spoiled:
    """Leave a required cell blank."""
    fields = table.kind.fields
    columns = [i for i in _columns(table) if fields[table.rows[0][i]].required and table.rows[0][i] != "farm_id"]
    return _set(table, _a_row(table, random), random.choice(columns), "") if columns else table


def ragged(table: Spoiled, random: Random) -> Spoiled:
    """Add cells past the heading."""
    rows = [list(cells) for cells in table.rows]
    row = _a_row(table, random)
    rows[row] += ["", "stray", "7"][: random.randrange(2, 4)]
    return replace(table, rows=rows, how=[*table.how, f"row {row} has more cells"])


def shifted(table: Spoiled, random: Random) -> Spoiled:
    """Put one cell too many into the middle of a row, as an unquoted comma does."""
    rows = [list(cells) for cells in table.rows]
    row = _a_row(table, random)
    rows[row].insert(random.randrange(1, len(rows[row])), "and more")
    return replace(table, rows=rows, how=[*table.how, f"row {row} shifted"])


def renamed_column(table: Spoiled, random: Random) -> Spoiled:
    """Call a column something else."""
    column = random.randrange(len(table.rows[0]))
    other = random.choice(["", "Depht", "column 7", "=A1", "\u202e", "day of", "?", table.rows[0][column] + "_x", LONG])
    return _set(table, 0, column, other)


def doubled_column(table: Spoiled, random: Random) -> Spoiled:
    """Give two columns one name."""
    first, second = random.sample(range(len(table.rows[0])), 2)
    return _set(table, 0, first, table.rows[0][second])


def dropped_column(table: Spoiled, random: Random) -> Spoiled:
    """Leave a column out that every record of the kind has."""
    common = ("farm_id", "known_by", "evidence", "note")
    columns = [i for i, name in enumerate(table.rows[0]) if name not in common]
    column = random.choice(columns)
    rows = [[cell for i, cell in enumerate(cells) if i != column] for cells in table.rows]
    return replace(table, rows=rows, how=[*table.how, f"without {table.rows[0][column]}"])


def mixed_columns(table: Spoiled, random: Random) -> Spoiled:
    """Exchange the headings of two columns of different kinds."""
    fields = table.kind.fields
    filled = [i for i in _columns(table) if any(cells[i] for cells in table.rows[1:])]
    pairs = [(i, j) for i in filled for j in filled if fields[table.rows[0][i]].kind != fields[table.rows[0][j]].kind]
    pairs = [
        (i, j)
        for i, j in pairs
        if ColumnKind.TEXT not in (fields[table.rows[0][i]].kind, fields[table.rows[0][j]].kind)
    ]
    if not pairs:
        return table
    i, j = random.choice(pairs)
    first, second = table.rows[0][i], table.rows[0][j]
    return _set(_set(table, 0, i, second), 0, j, first)


def no_heading(table: Spoiled, random: Random) -> Spoiled:  # noqa: ARG001 - the shape of every spoiler
    """Leave the heading out."""
    return replace(table, rows=table.rows[1:], how=[*table.how, "no heading"])


def heading_below(table: Spoiled, random: Random) -> Spoiled:
    """Put the heading below the first record."""
    rows = [table.rows[1], table.rows[0], *table.rows[2:]]
    return replace(table, rows=rows, how=[*table.how, "heading below the first record"] if random else [])


def other_farm(table: Spoiled, random: Random) -> Spoiled:
    """Name another farm."""
    rows = [["farm_id", *table.rows[0]], *(["", *cells] for cells in table.rows[1:])]
    if "farm_id" in table.rows[0]:
        return table
    return _set(replace(table, rows=rows), _a_row(table, random), 0, random.choice(["F2", "f1", "*", LONG]))


def formula(table: Spoiled, random: Random) -> Spoiled:
    """Write a formula where a value belongs; in a workbook it becomes a live one."""
    kinds = (ColumnKind.QUANTITY, ColumnKind.DAY, ColumnKind.YES_NO, ColumnKind.KEY, ColumnKind.CHOICE)
    texts = ("=1+1", "=A1", "=cmd|' /C calc'!A0", '=HYPERLINK("http://x.invalid")', "+1+1", "@SUM(A1)", "=NOW()")
    return _a_cell(kinds, texts)(table, random)


def file_level(how: str) -> "Spoil":
    """Return a spoiler of the file; ``files`` does it when the table is written."""

    def spoil(table: Spoiled, random: Random) -> Spoiled:  # noqa: ARG001 - the shape of every spoiler
        return replace(table, how=[*table.how, f"file: {how}"], file=how)

    return spoil


Spoil = Callable[[Spoiled, Random], Spoiled]

TEXT_FILES: Final = (
    "utf16", "cp1252", "bom", "semicolons", "tabs", "pipes", "truncated", "nul", "cr", "open_quote", "empty", "junk",
    "blank_rows", "sep_line", "bad_utf8", "one_line", "html", "zip_named_csv",
    "html_table", "html_table", "excel_xml",
)  # fmt: skip
BOOK_FILES: Final = (
    "zip_cut", "zip_bomb", "entities", "path_trick", "sheet_renamed", "sheet_empty", "hidden", "merged", "junk",
    "formula_without_result", "error_cell", "far_cell", "csv_named_xlsx", "two_sheets", "no_sheet_part",
)  # fmt: skip
CELL_SPOILERS: Final[tuple[Spoil, ...]] = (
    _a_cell((ColumnKind.QUANTITY, ColumnKind.WHOLE), NUMBERS),
    _a_cell((ColumnKind.QUANTITY, ColumnKind.WHOLE), NUMBERS),
    _a_cell((ColumnKind.DAY,), DAYS),
    _a_cell((ColumnKind.YES_NO,), ANSWERS),
    _a_cell((ColumnKind.CHOICE,), WORDS),
    _a_cell((ColumnKind.KEY,), KEYS),
    control, too_long, double_key, blank_required, formula, ragged, shifted,
)  # fmt: skip
TABLE_SPOILERS: Final[tuple[Spoil, ...]] = (
    renamed_column, doubled_column, dropped_column, mixed_columns, no_heading, heading_below, other_farm,
)  # fmt: skip


def spoiled(kind: str, rows: Cells, random: Random, *, workbook: bool) -> Spoiled:
    """Spoil a table in one to three ways."""
    table = Spoiled(KINDS[kind], [list(cells) for cells in rows])
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        table = random.choice(CELL_SPOILERS)(table, random)
    if random.random() < 0.35:
        table = random.choice(TABLE_SPOILERS)(table, random)
    if random.random() < 0.25:
        table = file_level(random.choice(BOOK_FILES if workbook else TEXT_FILES))(table, random)
    return table
