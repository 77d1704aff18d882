"""Tables on paper: printouts of the calculator, budgets, reports and invoices as PDF, read row by row and confirmed so.

What a PDF says goes in only for the rows that a person held against the paper, and each of them names the paper, which
is kept as evidence.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from provender.formats.importing.foreign import evidence_table
from provender.formats.importing.incoming_files import Arrival, Choices, Source
from provender.formats.importing.printed import RUN
from provender.formats.importing.tables import from_mapped, spreadsheet

EVIDENCE_OF: Final[Mapping[str, str]] = {
    RUN: "printout",
    "soil_test": "laboratory_report",
    "reported_acres": "usda_record",
    "planting": "usda_record",
    "inhibitor_purchase": "invoice",
    "seed_purchase": "invoice",
    "scale_ticket": "ticket",
}
"""What a paper is, by the kind of record that it shows; any other is kept as other."""


def paper_rows(path: Path, source: Source, choices: Choices) -> Arrival:
    """Read a PDF into rows of the kind that a person named, and keep it as evidence of them."""
    arrival = spreadsheet(path, source, choices, reader="pdf_text")
    arrival.what, arrival.lost = "paper", False
    if any(table.kind is not None and table.table.rows for table in arrival.tables):
        evidence = evidence_table(source, EVIDENCE_OF.get(choices.kind, "other"))
        arrival.tables.append(from_mapped(evidence, source, (), choices, waits=not choices.accept))
    return arrival
