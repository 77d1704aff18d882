"""Writing into a book folder that the report was given to a buyer (2100.031(c)): one row of ``report_delivery.csv``."""

from datetime import date
from pathlib import Path
from typing import Final

from provender.practices.deliveries import CITE, Delivery, deliveries
from provender.problem import refuse
from provender.records.folder import load_book, write_csv
from provender.records.kind import KINDS
from provender.records.reading import column_names, read_table
from provender.records.table import parse_csv, read_csv_table

__all__ = ["Delivery", "deliveries_of", "record_delivery"]
KIND: Final = "report_delivery"


def deliveries_of(folder: Path) -> tuple[Delivery, ...]:
    """Return every buyer of a book's reduced-CI crop with the first delivery of the report to them."""
    return deliveries(load_book(folder))


def record_delivery(folder: Path, buyer: str, how: str, day: date, *, evidence: str = "") -> list[Delivery]:
    """Write that a buyer has the report, once for each crop and year it bought without one on file; return these.

    Args:
        folder: the record book.
        buyer: as a sale names it; case and spaces aside.
        how: one of the words of the column.
        day: of the delivery.
        evidence: ids of a receipt, where there is one.

    Raises:
        ProblemsError: the book cannot be read, no sale names the buyer, or all its deliveries are on file.
    """
    book = load_book(folder)
    every = deliveries(book)
    mine = [one for one in every if _plain(one.buyer) == _plain(buyer)]
    if not mine:
        known = ", ".join(sorted({one.buyer for one in every})) or "nobody"
        cause = f"No sale as reduced-CI crop names {buyer}; the buyers are {known}."
        remedy = "Record the sale, or write the buyer's name as the sale does."
        raise refuse("buyer", cause, remedy, cite=CITE, code="no_such_buyer")
    open_ = [one for one in mine if one.given_on is None]
    if not open_:
        given = "; ".join(f"{one.crop} {one.harvest_year} on {one.given_on}" for one in mine)
        cause = f"The deliveries to {mine[0].buyer} are on file: {given}."
        raise refuse("buyer", cause, "There is nothing to record.", cite=CITE, code="already_delivered")
    paper = {"evidence": evidence} if evidence else {}
    rows = [{"farm_id": one.farm, "sale_id": one.sale_id, "day": day.isoformat(), "how": how} | paper for one in open_]
    _append(folder / f"{KIND}.csv", rows, {row["delivery_id"] for row in book[KIND].iter_rows(named=True)})
    return open_


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def _append(path: Path, rows: list[dict[str, str]], used: set[str]) -> None:
    """Write rows under the ones there; a heading that stands there keeps its order, and lines keep what they say."""
    kind, known = KINDS[KIND], column_names(KINDS[KIND])
    columns = [name for name in kind.typed_fields if name in ("farm_id", "delivery_id", *rows[0])]
    table = read_csv_table(path, path.name) if path.is_file() else None
    heading = list(table.heading) if table else columns
    # A person's table may be headed with labels: a column stands under its label as under its name.
    means = [known.get(one.casefold(), "") for one in heading]
    more = [name for name in columns if name not in means]
    heading, means = heading + more, means + more
    lines = [heading] + [[*cells, *[""] * (len(heading) - len(cells))] for _, cells in (table.rows if table else ())]
    number = 0
    for row in rows:
        while f"D{(number := number + 1)}" in used:
            pass
        said = {**row, "delivery_id": f"D{number}"}
        lines.append([said.get(name, "") for name in means])
    text = write_csv(lines)
    assert_read(text, path.name, rows, len(used))
    path.write_text(text, encoding="utf-8", newline="")


def assert_read(text: str, name: str, rows: list[dict[str, str]], before: int) -> None:
    """Refuse what would not be read again row for row, before it replaces the file.

    Raises:
        ProblemsError: a row of before, or one of the new ones, would be lost.
    """
    kind = KINDS[KIND]
    read = read_table(kind, parse_csv(text, name), farm_id=rows[0]["farm_id"]).frame
    given = {(one["sale_id"], str(one["day"]), one["how"]) for one in read.iter_rows(named=True)}
    if read.height < before + len(rows) or any((one["sale_id"], one["day"], one["how"]) not in given for one in rows):
        cause = f"{name} would not be read with the new delivery in it; nothing was written."
        remedy = "Mend what `provender check` says of that table, then record the delivery again."
        raise refuse(name, cause, remedy, cite=CITE, code="delivery_unwritten")
