"""One change each from a farm whose report can be signed, as functions from rows to rows."""

from collections.abc import Callable

from tests.standards.season import Rows, changed, evidence, with_row, without

Change = Callable[[Rows], Rows]

SEED, SOIL = 1, 2
"""Rows of evidence."""


def of(kind: str, row: int = 0, **cells: str) -> Change:
    return lambda rows: changed(rows, kind, row, **cells)


def more(kind: str, **cells: str) -> Change:
    return lambda rows: with_row(rows, kind, **cells)


def like(kind: str, row: int = 0, **cells: str) -> Change:
    """Add a row that is another one but for some cells."""
    return lambda rows: with_row(rows, kind, **rows[kind][row] | cells)


def less(kind: str, row: int | None = None) -> Change:
    return lambda rows: without(rows, kind, row)


def both(*changes: Change) -> Change:
    def made(rows: Rows) -> Rows:
        for change in changes:
            rows = change(rows)
        return rows

    return made


def enrolled(**cells: str) -> Change:
    """Enroll the credited unit in a program."""
    return more("enrolment", **{"enrolment_id": "X1", "unit_id": "N40", "program": "Carbon bank"} | cells)


def sold(**cells: str) -> Change:
    """Sell some of the harvest."""
    row = {"sale_id": "S1", "crop": "corn", "harvest_year": "2025", "disposition": "sold_with_ci", "buyer": "Co-op",
           "day": "2025-12-20", "bushels": "9000"}  # fmt: skip
    return more("sale", **row | cells)


def weighed(**cells: str) -> Change:
    row = {"ticket_id": "T1", "buyer": "Co-op", "day": "2025-10-21", "crop": "corn", "harvest_year": "2025",
           "net_lb": "50000", "net_bushels": "900"}  # fmt: skip
    return more("scale_ticket", **row | cells)


def opinion(**cells: str) -> Change:
    """Rest the budget on an expert instead of the soil test, which stays on file."""
    row = {"opinion_id": "X1", "expert": "A. Fields", "employer": "cooperative_extension", "given_on": "2025-02-01",
           "works_on": "corn", "specialty": "Corn agronomy", "evidence": "E10"}  # fmt: skip
    paper = more("evidence", **evidence("E10", "opinion.pdf", "form", "2025-02-01"))
    basis = of("nutrient_budget", basis="expert_opinion", opinion_id="X1")
    return both(more("expert_opinion", **row | cells), paper, basis)


def counted(what: str, bushels: str, total: str = "9500", **cells: str) -> Change:
    """Count something beside the tickets."""
    row = {"total_id": "B2", "crop": "corn", "harvest_year": "2025", "what": what, "bushels": bushels, "evidence": "E9"}
    return both(of("bushel_total", bushels=total), more("bushel_total", **row | cells))
