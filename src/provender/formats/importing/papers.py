"""Tables on paper: printouts of the calculator, budgets, reports and invoices as PDF, read row by row and confirmed so.

What a PDF says goes in only for the rows that a person held against the paper, and each of them names the paper, which
is kept as evidence.
"""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from provender.formats.columns import matched
from provender.formats.importing.foreign import evidence_table, paper
from provender.formats.importing.from_mapped import from_mapped
from provender.formats.importing.incoming_files import Arrival, Choices, Source
from provender.formats.importing.invoice import take_invoice
from provender.formats.importing.printed import EVIDENCE_OF, RUN
from provender.formats.importing.tables import spreadsheet

if TYPE_CHECKING:
    from provender.formats.detect import Kind as FileKind
    from provender.formats.parsed import WorkbookFile


def paper_arrival(path: Path, source: Source, kind: "FileKind", choices: Choices) -> Arrival:
    """Read a PDF as what a person named, or as the invoice that it is; any other paper is kept as it is."""
    if kind.kind != "pdf":
        return paper(source, kind.label, choices)
    return paper_rows(path, source, choices) if choices.kind else printed_goods(path, source, kind.label, choices)


def paper_rows(path: Path, source: Source, choices: Choices) -> Arrival:
    """Read a PDF into rows of the kind that a person named, and keep it as evidence of them."""
    arrival = spreadsheet(path, source, choices, reader="pdf_text")
    arrival.what, arrival.lost = "paper", False
    if any(table.kind is not None and table.table.rows for table in arrival.tables):
        evidence = evidence_table(source, EVIDENCE_OF.get(choices.kind, "other"))
        arrival.tables.append(from_mapped(evidence, source, (), choices, waits=not choices.accept))
    return arrival


def printed_goods(path: Path, source: Source, label: str, choices: Choices) -> Arrival:
    """Read a PDF that nobody named: an invoice, a blend ticket or a calculator's printout; any other is kept."""
    parsed = choices.parse("pdf_text", path, name=source.name)
    arrival = Arrival(source, label)
    if parsed.result is not None:
        for sheet in cast("WorkbookFile", parsed.result).sheets:
            if take_invoice(arrival, sheet, parsed.problems, choices, paper=True):
                return arrival
            if matched(sheet, RUN):
                return paper_rows(path, source, replace(choices, kind=RUN))
    return paper(source, label, choices)
