"""``provender custody deliveries``: contracts, what is still to deliver under them, and the lines to settle."""

from pathlib import Path
from typing import Annotated

import typer

from provender.cli.custody.book import BookPath
from provender.cli.custody.maps import MapFile, saved_maps
from provender.cli.custody.views import Since
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, print_problems, today
from provender.cli.tables import console, print_table, write_file
from provender.custody.book_file import open_book
from provender.paper.table import table_of
from provender.plain import write

Lines = Annotated[bool, typer.Option("--lines", help="The lines to settle instead: by ticket, serials and CI.")]
Accounts = Annotated[
    Path | None,
    typer.Option("--accounts", metavar="FILE.csv", help="Write the lines for accounting, under the headings of --map."),
]


def deliveries(
    book: BookPath,
    *,
    lines: Lines = False,
    accounts: Accounts = None,
    map_file: MapFile = None,
    since: Since = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Show what is still to deliver, or lines to settle.

    A sale or purchase fills a contract that it names (`sell --contract C-7`). Exit status 1 while something is overdue.
    """
    from datetime import date

    from provender.services.custody.deliveries import (
        ContractDeliveryView,
        SettlementLineView,
        lines_csv,
        settlement_lines,
    )
    from provender.services.custody.deliveries import deliveries as all_deliveries

    day = as_of or today()
    with open_book(book) as opened:
        print_problems(opened.problems)
        found = all_deliveries(opened.store, opened.entity, day)
        asked = lines or accounts
        settled = settlement_lines(opened.store, opened.entity, day, since or date.min) if asked else []
    if accounts:
        write_file(accounts, lines_csv(settled, next(iter(saved_maps(map_file)), None)))
    rows: list[SettlementLineView] | list[ContractDeliveryView] = settled if asked else found
    if as_json:
        print_json({"lines" if asked else "deliveries": [write(one, whole=True) for one in rows]})
    else:
        cls = SettlementLineView if asked else ContractDeliveryView
        print_table(console(), table_of(cls, rows, name="deliveries"))
    raise typer.Exit(SOMETHING_TO_LOOK_AT if any(one.overdue for one in found) else ALL_WELL)
