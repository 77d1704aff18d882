"""Tables of papers that are written as Markdown, for ``documents.manual_print`` to lay out."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

_NUMBER: Final = re.compile(r"(-?[\d,]+)(?:\.(\d+))?( (?:bu|lb))?")
_APART: Final = "---"


def table_lines(head: Sequence[str], rows: Iterable[Sequence[str]], *, amounts: Collection[str] = ()) -> Iterator[str]:
    """Yield a table line by line; one without rows says so.

    Args:
        head: what the columns are called.
        rows: their cells.
        amounts: what the columns of amounts are called: where all of one is numbers it stands to the right, with as
            many decimals in every row. No other column is changed, for a ticket 100.1 is not the ticket 100.10.

    Raises:
        ValueError: no column is called so.
    """
    if unknown := set(amounts) - set(head):
        raise ValueError(f"no column is called {', '.join(sorted(unknown))}")
    cells = [tuple(row) for row in rows]
    if not cells:
        yield "None."
        return
    columns = list(zip(*cells, strict=True))
    named = [(name in amounts, column) for name, column in zip(head, columns, strict=True)]
    numbers = [is_amount and all(map(_NUMBER.fullmatch, column)) for is_amount, column in named]
    padded = [_padded(column) if is_number else column for column, is_number in zip(columns, numbers, strict=True)]
    yield "| " + " | ".join(head) + " |"
    yield "|" + "".join(f"{_APART}:|" if is_number else f"{_APART}|" for is_number in numbers)
    for row in zip(*padded, strict=True):
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def is_right(rule: str) -> bool:
    """Tell of a cell below a table's head whether the column stands to the right."""
    return rule.endswith(":")


def _padded(column: Sequence[str]) -> list[str]:
    """Return numbers with as many decimals each."""
    found = [match.groups("") for match in map(_NUMBER.fullmatch, column) if match]
    most = max(len(part) for _, part, _ in found)
    return [f"{whole}.{part:0<{most}}{unit}" if most else f"{whole}{unit}" for whole, part, unit in found]
