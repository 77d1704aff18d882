"""``provender check BOOKS...``: one line a farm, sorted by what to do next."""

from typing import Any, Final

from provender.cli.plan_tables import dollars
from provender.paper.table import Cell, Column, Table, amount
from provender.quantity import show
from provender.services.farm.many import FarmLine
from provender.services.farm.money import ASSUMED, Price

AT_STAKE: Final = f"premium at stake ({ASSUMED}), $"


def farms_table(lines: list[FarmLine], price: Price | None) -> Table:
    """Return the lines as a table."""
    columns = [Column("book"), Column("farm"), Column("ready", number=True), Column("gaps", number=True)]
    columns += [Column("days left", number=True), Column("open bushels", number=True)]
    columns += [Column(AT_STAKE, "at stake, $ (assumed)", number=True)] if price is not None else []
    rows: list[list[Cell | str]] = []
    for one in lines:
        days = "" if one.days is None else str(one.days)
        cells: list[Cell | str] = [one.book, one.farm, f"{one.ready} of {one.units}", str(one.gaps), days]
        money = [] if price is None else [dollars(one.stake)]
        rows.append([*cells, amount(one.open_bushels), *money, one.next])
    return Table("farms", [*columns, Column("next")], rows)


def as_data(one: FarmLine, price: Price | None) -> dict[str, Any]:
    """Return a line as JSON data."""
    stake = None if one.stake is None else str(one.stake)
    return {
        "book": one.book, "farm_id": one.farm, "ready": one.ready, "units": one.units, "gaps": one.gaps,
        "days_left": one.days, "next": one.next, "open_bushels": show(one.open_bushels),
        **({"premium_at_stake": stake, "premium_is": ASSUMED} if price is not None else {}),
    }  # fmt: skip
