"""``provender custody contracts``: contracts of another program onto the files of a book."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from provender.cli.custody.book import BookPath
from provender.cli.custody.maps import MapFile, SaveMap, TableFile, confirmed, needs, read_table
from provender.cli.custody.maps import save_map as keep_map
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, print_problems, today
from provender.custody.batch import BatchAnswer
from provender.custody.book_file import open_book
from provender.problem import Problem, Weight
from provender.services.custody.book_entry import enter

if TYPE_CHECKING:
    from provender.custody.reconcile.contract_rows import ContractRow

Enter = Annotated[bool, typer.Option("--enter", help="Enter them into the book; only shown without.")]


def contracts(
    book: BookPath,
    file: TableFile,
    *,
    enter_them: Enter = False,
    map_file: MapFile = None,
    save_map: SaveMap = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Read contracts by a column map, and put them on file.

    Their parties are found among the book's entities. They are entered only by a saved map that you looked at. A
    contract that is on file already changes nothing, and a key that is pinned stays. Exit status 1: have a look.
    """
    from provender.custody.reconcile.contract_rows import contract_events, names_of, read_contract
    from provender.services.custody.tickets import missing_in, rows_with_ways

    day = as_of or today()
    mapped, problems = read_table(file, "contract", day, map_file)
    keep_map(mapped.maps[0] if mapped.maps else None, save_map)
    needs(missing_in(mapped, ("number", "crop")), problems, file, "--map")
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
            answers = [enter(opened, event, today()) for event in events]
    _tell(read, answers, problems, as_json=as_json)
    doubtful = any(one.weight is not Weight.NOTE for one in problems)
    well = not doubtful and all(one.status.well for one in answers)
    raise typer.Exit(ALL_WELL if well else SOMETHING_TO_LOOK_AT)


def _tell(read: "list[ContractRow]", answers: list[BatchAnswer], problems: list[Problem], *, as_json: bool) -> None:
    rows: list[dict[str, str | None]] = [
        {
            "contract": one.number,
            "counterparty": one.counterparty,
            "role": str(one.role),
            "start_day": one.start.isoformat(),
            "crop": one.crop,
            "bushels": one.bushels or None,
        }
        for one in read
    ]
    if as_json:
        found = [one.as_json() for one in problems]
        print_json({"contracts": rows, "statuses": [one.as_json() for one in answers], "problems": found})
        return
    table = Table("contract", "counterparty", "role", "since", "crop", "bushels")
    for row in rows:
        table.add_row(*(str(value or "") for value in row.values()))
    console = Console()
    console.print(table)
    for answer in answers:
        console.print(f"{answer.id}: {answer.status}. {answer.message}", markup=False, highlight=False, soft_wrap=True)
    print_problems(problems)
