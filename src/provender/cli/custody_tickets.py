"""``provender custody tickets``: scale tickets of another program into the physical book of a site."""

from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from provender.cli.audit_files import read_bytes
from provender.cli.custody_book import enter
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, print_problems, today
from provender.custody.book import Book, open_book
from provender.custody.running import Answer
from provender.custody.scale_rows import (
    Application,
    ScaleTicket,
    Split,
    check_applications,
    grain_events,
    read_ticket,
    splits,
)
from provender.formats.column_map import ColumnMap
from provender.formats.mapped import Mapped, import_table
from provender.problem import Problem, Weight, refuse
from provender.quantity import parse, show

Parts = dict[tuple[str, str], list[Split]]


def tickets(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Tickets as CSV, XLSX, XLS or ODS.")],
    into: Annotated[Path | None, typer.Option("--into", metavar="BOOK", help="Enter them; only shown without.")] = None,
    map_file: Annotated[Path | None, typer.Option("--map", metavar="MAP", help="A saved column map.")] = None,
    save_map: Annotated[
        Path | None, typer.Option("--save-map", metavar="MAP", help="Save the column map that was used, to look at.")
    ] = None,
    settlements: Annotated[
        Path | None, typer.Option("--settlements", metavar="FILE", help="Hold what was applied against the tickets.")
    ] = None,
    site: Annotated[str, typer.Option(help="The site, where the file names none.")] = "",
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Read scale tickets by a column map; show printed bushels beside ours; enter them into a book.

    Tickets are entered only by a saved map that you looked at, a day's incoming first. One that is in the book already
    changes nothing, so that an export may be read again when contracts were applied. Exit status 1: have a look.
    """
    day = as_of or today()
    saved = [_map(map_file)] if map_file else []
    mapped, problems = _table(file, "ticket", day, saved)
    if save_map and mapped.maps:
        save_map.write_text(mapped.maps[0].to_text(), encoding="utf-8")
    read = []
    for table in mapped.tables:
        for row in table.rows:
            given = {**row.values, "site": row.values.get("site") or site}
            one, doubts = read_ticket(row.number, given, table.file)
            problems += doubts
            read += [one] if one else []
    parts, doubts = splits(read, file.name)
    problems += doubts
    if settlements:
        problems += _settled(settlements, parts, day)
    answers: list[Answer] = []
    if into and not saved:
        raise refuse(
            file.name, "Nothing was entered: nobody has confirmed what the columns mean.",
            "Save the column map with --save-map, look at it, and name it with --map.", code="map_unconfirmed",
        )  # fmt: skip
    if into:
        with open_book(into) as book:
            answers = _enter(book, parts)
    _tell(read, parts, answers, problems, as_json=as_json)
    doubtful = any(one.weight is not Weight.NOTE for one in problems)
    well = not doubtful and all(one.status.well for one in answers)
    raise typer.Exit(ALL_WELL if well else SOMETHING_TO_LOOK_AT)


def _map(path: Path) -> ColumnMap:
    try:
        return ColumnMap.from_text(read_bytes(path).decode("utf-8"))
    except (ValueError, TypeError, KeyError):
        raise refuse(path.name, "This is no saved column map.", "Make one with --save-map.") from None


def _table(path: Path, target: str, day: date, saved: list[ColumnMap]) -> tuple[Mapped, list[Problem]]:
    parsed = import_table(path, target, as_of=day, saved=saved)
    return parsed.result or Mapped((), ()), list(parsed.problems)


def _settled(path: Path, parts: Parts, day: date) -> list[Problem]:
    mapped, problems = _table(path, "settlement", day, [])
    applied = [
        Application(
            row.values["ticket"], parse(row.values["bushels_applied"]), row.values["number"],
            row.values.get("contract", ""),
        )
        for table in mapped.tables
        for row in table.rows
        if row.values.get("ticket") and row.values.get("bushels_applied")
    ]  # fmt: skip
    return problems + check_applications(parts, applied, path.name)


def _enter(book: Book, parts: Parts) -> list[Answer]:
    """Enter tickets; a ticket that was void before this book ever had it is nothing to enter."""
    answers = []
    for event in grain_events(parts, book.entity):
        if event.get("void") and book.store.posted(str(event["id"]).replace("void-", "ticket-", 1)) is None:
            continue
        answers.append(enter(book, event))
    return answers


def _tell(
    read: list[ScaleTicket], parts: Parts, answers: list[Answer], problems: list[Problem], *, as_json: bool
) -> None:
    rows: list[dict[str, Any]] = [
        {
            "ticket": one.number, "site": one.site, "day": one.day.isoformat(), "crop": one.crop,
            "customer": one.customer, "direction": "out" if one.outbound else "in",
            "printed_bu": None if one.printed is None else show(one.printed),
            "ours_bu": None if one.ours is None else show(one.ours),
            "contract": one.contract, "void": one.void,
        }
        for one in read
    ]  # fmt: skip
    open_bushels = sum(
        part.bushels
        for of in parts.values()
        for part in of
        if not (part.ticket.contract or part.ticket.void or part.ticket.outbound)
    )
    if as_json:
        statuses = [one.as_json() for one in answers]
        found = [one.as_json() for one in problems]
        print_json(
            {"tickets": rows, "without_contract_bu": show(open_bushels), "statuses": statuses, "problems": found}
        )
        return
    table = Table("ticket", "day", "crop", "customer", "", "printed bu", "ours bu", "contract")
    for row in rows:
        state = "void" if row["void"] else row["direction"]
        amounts = (row["printed_bu"] or "", row["ours_bu"] or "")
        table.add_row(row["ticket"], row["day"], row["crop"], row["customer"], state, *amounts, row["contract"])
    console = Console()
    console.print(table)
    console.print(f"Without a contract so far: {show(open_bushels, group=True)} bu.", highlight=False)
    for one in answers:
        if not one.status.well:
            console.print(f"{one.id}: {one.status}. {one.message}", markup=False, highlight=False, soft_wrap=True)
    print_problems(problems)
