"""``provender custody tickets``: scale tickets of another program into the physical book of a site."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

import typer
from rich.console import Console
from rich.table import Table

from provender.cli import output
from provender.cli.custody.book import BookPath
from provender.cli.output import read_bytes
from provender.custody.book_file import BookFile, open_book
from provender.custody.model.entities import Entity
from provender.custody.model.event import Status
from provender.custody.model.store_view import Decision
from provender.custody.store import BatchAnswer
from provender.exact import show
from provender.formats.parsed import ColumnMap
from provender.problem import Problem, ProblemsError, Weight, refuse
from provender.schema import write
from provender.services.custody.book_entry import enter
from provender.whole_file import write_whole

if TYPE_CHECKING:
    from provender.custody.reconcile.ticket_rows import ContractRow
    from provender.services.custody.tickets import Parts, TicketFile


# What the commands that read other programs' tables share: column maps, and that a person has looked at one.

TableFile = Annotated[Path, typer.Argument(metavar="FILE", help="A table as CSV, XLSX, XLS or ODS.")]
MapFile = Annotated[Path | None, typer.Option("--map", metavar="MAP", help="A saved column map.")]
SaveMap = Annotated[
    Path | None, typer.Option("--save-map", metavar="MAP", help="Save the column map that was used, to look at.")
]


def _saved_maps(path: Path | None) -> list[ColumnMap]:
    """Return the saved column map, when one was named. Raises ProblemsError: the file is none."""
    if path is None:
        return []
    try:
        return [ColumnMap.from_text(read_bytes(path).decode("utf-8"))]
    except (ValueError, TypeError, KeyError):
        raise refuse(path.name, "This is no saved column map.", "Make one with --save-map.") from None


def _write_map(used: ColumnMap | None, path: Path | None) -> None:
    if path and used:
        write_whole(path, used.to_text().encode())


def needs(missing: Sequence[str], problems: list[Problem], path: Path) -> None:
    """Refuse a table in which no column was found for a field that everything rests on.

    Raises:
        ProblemsError: what was found when reading, and which columns are missing with what to do.
    """
    if missing:
        named = ", ".join(name.replace("_", " ") for name in missing)
        cause = f"No column of the file is known to be: {named}."
        remedy = "Say which column it is in a column map and name the map with --map."
        refusal = refuse(path.name, cause, remedy, code="columns_unknown")
        raise ProblemsError([*problems, *refusal.problems])


def confirmed(path: Path, map_file: Path | None) -> None:
    """Refuse to enter anything by a guess of what columns mean. Raises ProblemsError: no saved map was named."""
    if map_file is None:
        raise refuse(
            path.name, "Nothing was entered: nobody has confirmed what the columns mean.",
            "Save the column map with --save-map, look at it, and name it with --map.", code="map_unconfirmed",
        )  # fmt: skip


def leave(answers: Sequence[BatchAnswer], problems: Sequence[Problem], *, as_json: bool) -> NoReturn:
    """Print the problems beside what was printed, and leave with 0 when nothing asks for a look, else with 1."""
    if not as_json:
        output.print_problems(problems)
    doubtful = any(one.weight is not Weight.NOTE for one in problems)
    well = not doubtful and all(one.status.well for one in answers)
    raise typer.Exit(output.ALL_WELL if well else output.SOMETHING_TO_LOOK_AT)


_SHOWN: Final = 100
"""How many tickets are printed as a table; a table of a whole year is looked at by nobody."""


def tickets(
    file: TableFile,
    into: Annotated[Path | None, typer.Option("--into", metavar="BOOK", help="Enter them; only shown without.")] = None,
    map_file: MapFile = None,
    save_map: SaveMap = None,
    site: Annotated[str, typer.Option(help="The site, where the file names none.")] = "",
    county: Annotated[str, typer.Option(help="The site's county, which tells the day of a time in UTC.")] = "",
    state: Annotated[str, typer.Option(help="The site's State, two letters.")] = "",
    leave_out: Annotated[
        bool, typer.Option("--leave-out", help="Enter the others, although loads of the file are not taken.")
    ] = False,
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """Read scale tickets by a column map; show printed bushels beside ours; enter them into a book.

    Tickets are entered only by a saved map that you looked at, a day's incoming first. One that is in the book already
    changes nothing, so that an export may be read again when contracts were applied.
    Where loads of the file are not taken, nothing is entered without --leave-out. Exit status 1: have a look.
    """
    from provender.catalog.places import zones_of
    from provender.services.custody.tickets import ask_parts, read_tickets

    day, zones = as_of or output.today(), zones_of(county, state)
    options: dict[str, Any] = {"name": file.name, "day": day, "site": site, "zones": zones}
    saved, answers = _saved_maps(map_file), list[BatchAnswer]()
    if into is None:
        read = read_tickets(file, saved=saved, **options)
        problems = list(read.problems)
    else:
        confirmed(file, map_file)
        with open_book(into) as book:
            own = book.store.one(Entity, book.entity)
            read = read_tickets(file, saved=saved, sites=own.sites if own else (), **options)
            problems = [*read.problems, *book.problems]
            parts, beside = ask_parts(read.parts, book.store, book.entity, file.name)
            problems += beside
            answers = _enter(book, parts) if leave_out or not read.left_out else []
    _write_map(read.map, save_map)
    waits = bool(into and read.left_out and not leave_out)
    _tell(read, answers, problems, waits=waits, as_json=as_json)
    leave(answers, problems, as_json=as_json)


def _enter(book: BookFile, parts: "Parts") -> list[BatchAnswer]:
    """Enter tickets; one that is in the book with other content is told field by field."""
    from provender.services.custody.tickets import explained, ticket_events

    answers, day = [], output.today()
    with book.together():
        for event in ticket_events(parts, book.store, book.entity):
            answer = enter(book, event, day)
            if not answer.status.well:
                message = explained(Decision(answer.status, answer.message), event, book.store).message
                answer = replace(answer, message=message)
            answers.append(answer)
    return answers


def _show(rows: list[dict[str, Any]]) -> None:
    """Print tickets; the bushels of a split ticket are those of the whole ticket."""
    split = any(row["split_pct"] != "100" for row in rows)
    table = Table("ticket", "day", "crop", "customer", "")
    for name in (("split %",) if split else ()) + ("printed bu", "ours bu"):
        table.add_column(name, justify="right")
    table.add_column("contract")
    for row in rows:
        state = "void" if row["void"] else row["direction"]
        amounts = (row["printed_bu"] or "", row["ours_bu"] or "")
        shares = (row["split_pct"],) if split else ()
        table.add_row(
            row["ticket"], row["day"] or "", row["crop"], row["customer"], state, *shares, *amounts, row["contract"]
        )
    output.print_whole(table)


def _tell(
    read: "TicketFile",
    answers: list[BatchAnswer],
    problems: list[Problem],
    *,
    waits: bool,
    as_json: bool,
) -> None:
    from provender.custody.reconcile.ticket_rows import said_of
    from provender.services.custody.tickets import left_out_view, without_contract

    rows: list[dict[str, Any]] = [
        {
            "ticket": one.number, "site": one.site, "day": one.day and one.day.isoformat(), "crop": one.crop,
            "customer": one.customer, "farm": one.farm, "direction": "out" if one.outbound else "in",
            "printed_bu": None if one.printed is None else show(one.printed),
            "ours_bu": None if one.ours is None else show(one.ours), "split_pct": show(one.split),
            "contract": one.contract, "void": one.void,
        }
        for one in (read.tickets if as_json else read.tickets[:_SHOWN])
    ]  # fmt: skip
    open_bushels = without_contract(read.parts)
    if as_json:
        statuses = [one.as_json() for one in answers]
        found = [one.as_json() for one in problems]
        left_out = [write(left_out_view(one), whole=True) for one in read.left_out]
        output.print_json({
            "tickets": rows, "without_contract_bu": show(open_bushels), "left_out": left_out,
            "statuses": statuses, "problems": found,
        })  # fmt: skip
        return
    if read.left_out:
        then = " Nothing was entered: correct them in the file, or say --leave-out." if waits else ""
        typer.echo(f"{said_of(read.left_out)}{then}")
    if rows:
        _show(rows)
        if (more := len(read.tickets) - _SHOWN) > 0:
            typer.echo(f"{more:,} more ticket{'' if more == 1 else 's'}; --json lists all.")
        typer.echo(f"Without a contract so far: {show(open_bushels, group=True)} bu.")
    if answers:
        new, known = (sum(one.status is status for one in answers) for status in (Status.POSTED, Status.EXISTS))
        typer.echo(f"Entered: {new}; in the book already: {known}; refused: {len(answers) - new - known}.")
    for one in answers:
        if not one.status.well:
            typer.echo(f"{one.id}: {one.status}. {one.message}")


# ``provender custody contracts``: contracts of another program onto the files of a book.

Enter = Annotated[bool, typer.Option("--enter", help="Enter them into the book; only shown without.")]


def contracts(
    book: BookPath,
    file: TableFile,
    *,
    enter_them: Enter = False,
    map_file: MapFile = None,
    save_map: SaveMap = None,
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """Read contracts by a column map, and put them on file.

    Their parties are found among the book's entities. They are entered only by a saved map that you looked at. A
    contract that is on file already changes nothing, and a key that is pinned stays. Exit status 1: have a look.
    """
    from provender.custody.reconcile.ticket_rows import contract_events, names_of, read_contract
    from provender.formats.mapped import Mapped, import_table
    from provender.services.custody.tickets import missing_in, rows_with_ways

    day = as_of or output.today()
    parsed = import_table(file, "contract", as_of=day, saved=_saved_maps(map_file))
    mapped, problems = parsed.result or Mapped((), ()), list(parsed.problems)
    _write_map(mapped.maps[0] if mapped.maps else None, save_map)
    needs(missing_in(mapped, ("number", "crop")), problems, file)
    if enter_them:
        confirmed(file, map_file)
    read: list[ContractRow] = []
    answers: list[BatchAnswer] = []
    with open_book(book) as opened:
        known = names_of(opened.store)
        for name, row, ways in rows_with_ways(mapped):
            one, doubts = read_contract(row.number, row.values, opened.entity, known, name, ways=ways)
            problems += doubts
            read += [one] if one else []
        if enter_them:
            events = list(contract_events(read, opened.store, opened.entity, day))
            answers = [enter(opened, event, output.today()) for event in events]
    rows: list[dict[str, str | None]] = [
        {
            "contract": one.number, "counterparty": one.counterparty, "role": str(one.role),
            "start_day": one.start.isoformat(), "crop": one.crop, "bushels": one.bushels or None,
        }
        for one in read
    ]  # fmt: skip
    if as_json:
        told = {"statuses": [one.as_json() for one in answers], "problems": [one.as_json() for one in problems]}
        output.print_json({"contracts": rows, **told})
    else:
        table = Table("contract", "counterparty", "role", "since", "crop", "bushels")
        for each in rows:
            table.add_row(*(str(value or "") for value in each.values()))
        Console().print(table)
        for answer in answers:
            typer.echo(f"{answer.id}: {answer.status}. {answer.message}")
    leave(answers, problems, as_json=as_json)
