"""Verdicts on the screen: the matrix with its legend, what each unit fails by and lacks, and what to do."""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from provender.cli.tables import print_table
from provender.paper.table import Table
from provender.report.verdict_tables import LEGEND, FindingLine, PracticeLines

MOST_THINGS: Final = 10


def print_matrix(out: Console, screens: Iterable[Table]) -> None:
    """Write the matrix crop by crop, and the legend of the marks it uses."""
    used = set()
    for table in screens:
        print_table(out, table)
        out.print()
        used |= {cell.text for row in table.cells for cell in row[1:]}
    for mark, meaning in LEGEND:
        if mark in used:
            _line(out, 2, Text.assemble((f"{mark}: ", "bold"), meaning))


def print_unit(out: Console, title: str, groups: Sequence[PracticeLines]) -> None:
    """Write what one unit fails by, lacks and could do."""
    if not groups:
        return
    out.print()
    out.print(Text(title, style="bold"))
    for group in groups:
        _line(out, 2, Text.assemble(f"{group.names}: ", (group.mark.text, group.mark.style)))
        for found in group.findings:
            _print_finding(out, found)
        for name, cite in group.missing:
            _line(out, 4, Text.assemble(("missing ", "yellow"), f"{name} ", (f"[{cite}]", "dim")))


def _line(out: Console, indent: int, text: Text) -> None:
    out.print(Padding(text, (0, 0, 0, indent), expand=False))


def _print_finding(out: Console, found: FindingLine) -> None:
    text = Text.assemble(
        (f"{found.mark} ", found.style), (f"{found.cite} ", "dim"), found.says,
        (f" {found.numbers}." if found.numbers else "", "bold"),
    )  # fmt: skip
    _line(out, 4, text)
    if found.remedy:
        _line(out, 6, Text(found.remedy, style="italic"))


def print_summary(out: Console, years: Iterable[str]) -> None:
    """Write each harvest year in one line, above everything."""
    for year in years:
        out.print(Text(year, style="bold"))
    out.print()


def print_totals(out: Console, table: Table, explained: str) -> None:
    """Write the totals across the operation, and below them how they are made."""
    print_table(out, table)
    _line(out, 2, Text(explained, style="dim"))
    out.print()


def print_to_do(out: Console, things: Sequence[tuple[str, str, str]]) -> None:
    """Write what to do, the record that most verdicts wait for first."""
    out.print()
    if not things:
        out.print(Text("What to do: no record is missing that would decide a practice.", style="bold"))
        return
    out.print(Text("What to do:", style="bold"))
    for record, waits, cite in things[:MOST_THINGS]:
        _line(out, 2, Text.assemble(f"{record}: ", (waits, "bold"), (f" [{cite}]", "dim")))
    if len(things) > MOST_THINGS:
        _line(out, 2, Text(f"and {len(things) - MOST_THINGS} more records, each told at its unit above"))
