"""``provender check BOOKS...``: one line a farm, sorted by what to do next."""

from decimal import Decimal
from typing import Any, Final

from provender.paper.table import Cell, Column, Table, amount
from provender.quantity import show
from provender.services.farm.many import FarmLine

ASSUMED: Final = "premium at stake (your own assumption), $"


def farms_table(lines: list[FarmLine], premium: Decimal | None) -> Table:
    """Return the lines as a table."""
    columns = [Column("book"), Column("farm"), Column("ready", number=True), Column("gaps", number=True)]
    columns += [Column("days left", number=True), Column("open bushels", number=True)]
    columns += [Column(ASSUMED, "at stake, $ (assumed)", number=True)] if premium is not None else []
    rows: list[list[Cell | str]] = []
    for one in lines:
        stake = one.stake(premium)
        days = "" if one.days is None else str(one.days)
        cells: list[Cell | str] = [one.book, one.farm, f"{one.ready} of {one.units}", str(one.gaps), days]
        money = [] if stake is None else [f"{stake:,}"]
        rows.append([*cells, amount(one.open_bushels), *money, one.next])
    return Table("farms", [*columns, Column("next")], rows)


def as_data(one: FarmLine, premium: Decimal | None) -> dict[str, Any]:
    """Return a line as JSON data."""
    stake = one.stake(premium)
    return {
        "book": one.book, "farm_id": one.farm, "ready": one.ready, "units": one.units, "gaps": one.gaps,
        "days_left": one.days, "next": one.next, "open_bushels": show(one.open_bushels),
        **({"premium_at_stake": str(stake), "premium_is": "your own assumption"} if stake is not None else {}),
    }  # fmt: skip
