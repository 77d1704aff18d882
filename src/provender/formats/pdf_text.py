"""The text of a PDF as rows and columns, for papers that hold a table: printouts, budgets, acreage reports, invoices.

A PDF says where each piece of text stands, not what belongs together: pieces of one height are a line, the line with
most pieces tells the columns, and a line that begins no row of its own continues the cells above it. What comes of it
is shown row by row and goes in only when a person has held it against the paper. Scanned papers hold no text.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pypdfium2
from pypdfium2 import PdfiumError

from provender.formats.parsed import Problems, Sheet, TextRow, WorkbookFile, reader

_MOST_PAGES: Final = 60
_MOST_PIECES: Final = 40_000
_INSET: Final = 0.6
_LETTERS_APART: Final = 0.12
"""Of the height of a piece, the gap up to which two are one word: a blank is about twice as wide."""
_SAME_LINE: Final = 0.5
"""Pieces whose heights overlap by this share stand on one line."""
_CONTINUES: Final = 1.2
"""A line that follows within this many heights may continue the one above."""
_PAPER: Final = "pdf_read"


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of text and where it stands, in points from the lower left corner."""

    left: float
    bottom: float
    right: float
    top: float
    text: str

    @property
    def height(self) -> float:
        return self.top - self.bottom


@reader
def read_pdf_text(path: Path, problems: Problems) -> WorkbookFile | None:
    """Read the text of a PDF as one sheet; lines are numbered through all pages."""
    again = "Ask the sender for the file as CSV or XLSX, or type its figures."
    lines: list[tuple[str, ...]] = []
    try:
        document = pypdfium2.PdfDocument(path)
        for number in range(min(len(document), _MOST_PAGES)):
            lines += _page(_pieces(document[number].get_textpage()))
        cut = len(document) > _MOST_PAGES
    except (PdfiumError, ValueError, OSError) as trouble:
        raise problems.refusal(f"the PDF cannot be read ({trouble}).", again, "bad_pdf") from None
    if not lines:
        raise problems.refusal("the PDF holds no text: it is a picture of a paper.", again, "pdf_without_text")
    problems.doubt("the rows were read off a PDF.", "Hold each against the paper.", _PAPER)
    if cut:
        cause = f"the PDF has more than {_MOST_PAGES} pages; the others were not read."
        problems.doubt(cause, "Split it.", "pdf_too_long")
    rows = tuple(TextRow(number, cells) for number, cells in enumerate(lines, start=1))
    return WorkbookFile(problems.place.file, (Sheet("", rows),))


def _pieces(page: pypdfium2.PdfTextPage) -> list[_Piece]:
    found = []
    for at in range(min(page.count_rects(), _MOST_PIECES)):
        left, bottom, right, top = page.get_rect(at)
        text = page.get_text_bounded(left + _INSET, bottom, right - _INSET, top)
        plain = " ".join(text.replace("\x00", "").split())
        if plain:
            ends = (" " if text[0].isspace() else "", " " if text[-1].isspace() else "")
            found.append(_Piece(left, bottom, right, top, plain.join(ends)))
    return found


def _page(pieces: Iterable[_Piece]) -> list[tuple[str, ...]]:
    """Return the lines of a page as cells under the columns that its widest line tells."""
    lines: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda each: (-each.top, each.left)):
        if lines and _overlap(lines[-1][0], piece) >= _SAME_LINE:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    lines = [_joined(sorted(line, key=lambda each: each.left)) for line in lines]
    heading = max(lines, key=len, default=[])
    if len(heading) < 2:  # noqa: PLR2004 - a table has two columns
        return [(" ".join(piece.text.strip() for piece in line),) for line in lines]
    rows: list[list[str]] = []
    last: list[_Piece] = []
    for line in lines:
        cells = _cells(line, heading)
        if rows and not cells[0] and _follows(last, line) and sum(map(bool, rows[-1])) > 1:
            rows[-1] = [" ".join(filter(None, pair)) for pair in zip(rows[-1], cells, strict=True)]
        else:
            rows.append(cells)
        last = line
    return [tuple(cells) for cells in rows]


def _joined(line: Sequence[_Piece]) -> list[_Piece]:
    """Put pieces together that are parts of one word: a pair of letters drawn closer, as in *Yield*, ends a piece."""
    joined: list[_Piece] = []
    for piece in line:
        if joined and piece.left - joined[-1].right < _LETTERS_APART * piece.height:
            last = joined.pop()
            text = f"{last.text}{piece.text}".replace("  ", " ")
            bottom, top = min(last.bottom, piece.bottom), max(last.top, piece.top)
            joined.append(_Piece(last.left, bottom, piece.right, top, text))
        else:
            joined.append(piece)
    return joined


def _overlap(one: _Piece, other: _Piece) -> float:
    shared = min(one.top, other.top) - max(one.bottom, other.bottom)
    return shared / max(min(one.height, other.height), 0.1)


def _follows(above: Sequence[_Piece], line: Sequence[_Piece]) -> bool:
    gap = min(piece.bottom for piece in above) - max(piece.top for piece in line)
    return gap <= _CONTINUES * max(piece.height for piece in line)


def _cells(line: Sequence[_Piece], heading: Sequence[_Piece]) -> list[str]:
    """Put the pieces of a line under the columns that they overlap most, or stand nearest to."""
    cells = [""] * len(heading)
    for piece in line:
        # The width that two share; below zero, how far they stand apart.
        near = [min(piece.right, column.right) - max(piece.left, column.left) for column in heading]
        at = near.index(max(near))
        cells[at] = f"{cells[at]} {piece.text.strip()}".strip()
    return cells
