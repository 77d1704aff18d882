"""``provender plan``: its tables and its JSON."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from provender.exact import CI_SCALE, show
from provender.intensity.plan import Option, Piece, UnitPlan
from provender.paper.tables import Cell, Column, Table, amount, year_cell
from provender.rule.crops import Practice
from provender.services.farm.due import ASSUMED, FarmLine, Price, sums_of
from provender.verdicts import words

ESTIMATE: Final = "ESTIMATE"
_TODAY: Final = " (today)"
COLUMNS: Final = (
    Column("unit"),
    Column("crop"),
    Column("harvest year", number=True),
    Column("practices"),
    Column("CI, g CO2e/bu (estimate)", "g CO2e/bu", number=True),
    Column("against national default, g CO2e/bu", "to national", number=True),
    Column("against today's practices, g CO2e/bu", "to today", number=True),
)
_MONEY: Final = Column(f"against today's practices, $ ({ASSUMED})", "$ (assumed)", number=True)
MISSING: Final = Column("missing today", "missing")


def unit_table(planned: UnitPlan, price: Price | None, *, every: bool) -> Table:
    """Return a unit's distinct results, the cheapest missing piece first, or every option by its CI."""
    one, unit = planned.crop, planned.unit
    rows: list[list[Cell | str]] = []
    for name, option, pieces, today in (
        _options(planned) if every else [(str(line), line.option, line.pieces, line.is_today) for line in planned.lines]
    ):
        texts = (option.result.ci_g_per_bu, option.against_national, option.against_today)
        rows.append([
            unit.unit_id, one.crop.label, year_cell(one.harvest_year),
            Cell(name + _TODAY * today, style="bold" if today else ""),
            *(amount(value, CI_SCALE, places=CI_SCALE, missing="no answer") for value in texts),
            *([] if price is None else [dollars(price.gain(option, planned.today, unit.bushels))]),
            "; ".join(str(piece) for piece in pieces) or "nothing",
        ])  # fmt: skip
    title = f"{unit.unit_id}, {one.crop.label} {one.harvest_year}: {ESTIMATE}, not USDA FD-CIC"
    columns = (*COLUMNS, *([] if price is None else [_MONEY]), MISSING)
    return Table(f"{unit.unit_id} {one.crop} {one.harvest_year}", columns, rows, caption=title)


_Row = tuple[str, Option, Sequence[Piece], bool]


def folded(planned: UnitPlan) -> str:
    """Say how many combinations stand behind the lines without a name; nothing where none does."""
    more = sum(line.dearer for line in planned.lines)
    return f"{more} more combinations end in a CI above and ask for more: --all lists them." if more else ""


def _options(planned: UnitPlan) -> list[_Row]:
    lacking = planned.lacking
    return [
        (str(one.combination), one, [lacking[each] for each in Practice
                                     if each in one.combination.practices and each in lacking], one.is_today)
        for one in planned.options
    ]  # fmt: skip


def dollars(value: Decimal | None) -> Cell:
    return Cell("not known", saved="") if value is None else Cell(f"{value:,.2f}", saved=value)


def practices_table(plans: Sequence[UnitPlan], price: Price) -> Table:
    """Return what each practice alone would add on all fields, then the best of each field."""
    rows: list[list[Cell | str]] = []
    for practice in Practice:
        found = [(one, option) for one in plans if (option := one.adding(practice)) is not None]
        if found:
            rows.append([practice.label, *_sums(found, price)])
    best = [(one, one.options[0]) for one in plans]
    rows.append(["the lowest CI of each field", *_sums(best, price)])
    columns = (
        Column("one practice more"), Column("fields", number=True), Column("against today, kg CO2e", number=True),
        Column(f"against today, $ ({ASSUMED})", "$ (assumed)", number=True),
    )  # fmt: skip
    return Table("worth", columns, rows, caption=f"All fields: {ESTIMATE}, not USDA FD-CIC", totals=1)


def _sums(found: Sequence[tuple[UnitPlan, Option]], price: Price) -> list[Cell]:
    kilograms, paid = sums_of(found, price)
    return [Cell(str(len(found)), saved=len(found)), amount(kilograms, 0, missing="not known"), dollars(paid)]


def plan_data(plans: Sequence[UnitPlan], price: Price | None, as_of: str | None) -> dict[str, Any]:
    """Return every option and the distinct results as JSON data."""
    paid = {} if price is None else {"price": {"said": str(price), "is": ASSUMED}}
    return {"as_of": as_of, "label": ESTIMATE, **paid, "units": [_unit(one, price) for one in plans]}


def _unit(planned: UnitPlan, price: Price | None) -> dict[str, Any]:
    one = planned.crop
    return {
        "farm_id": one.farm_id, "unit_id": planned.unit.unit_id, "crop": str(one.crop),
        "harvest_year": one.harvest_year,
        "options": [_option(option, planned, price) for option in planned.options],
        "results": [
            {
                "what": str(line), **_option(line.option, planned, price), "today": line.is_today,
                "combinations": [_practices(option) for option in line.options],
                "missing": [_piece(piece) for piece in line.pieces],
                "dearer": line.dearer,
            }
            for line in planned.lines
        ],
    }  # fmt: skip


def _piece(piece: Piece) -> dict[str, Any]:
    records = [{"kind": one.kind, "column": one.column, "reason": one.reason, "says": words.in_words(one)}
               for one in piece.records]  # fmt: skip
    return {"practice": str(piece.practice), "says": str(piece), "records": records}


def _practices(option: Option) -> list[str]:
    return [str(practice) for practice in sorted(option.combination.practices)]


def _option(option: Option, planned: UnitPlan, price: Price | None) -> dict[str, Any]:
    gain = None if price is None else price.gain(option, planned.today, planned.unit.bushels)
    return {
        "practices": _practices(option),
        "ci_g_per_bu": _text(option.result.ci_g_per_bu),
        "against_national_g_per_bu": _text(option.against_national),
        "against_today_g_per_bu": _text(option.against_today),
        "today": option.is_today,
        "notes": list(option.result.notes),
        **({} if price is None else {"against_today_dollars": None if gain is None else str(gain)}),
    }


def _text(value: int | None) -> str | None:
    return None if value is None else show(value, CI_SCALE, places=CI_SCALE)


# ``provender check BOOKS...``: one line a farm, sorted by what to do next.

_AT_STAKE: Final = f"premium at stake ({ASSUMED}), $"


def farms_table(lines: list[FarmLine], price: Price | None) -> Table:
    columns = [Column("book"), Column("farm"), Column("ready", number=True), Column("gaps", number=True)]
    columns += [Column("days left", number=True), Column("open bushels", number=True)]
    columns += [Column(_AT_STAKE, "at stake, $ (assumed)", number=True)] if price is not None else []
    rows: list[list[Cell | str]] = []
    for one in lines:
        days = "" if one.days is None else str(one.days)
        cells: list[Cell | str] = [one.book, one.farm, f"{one.ready} of {one.units}", str(one.gaps), days]
        money = [] if price is None else [dollars(one.stake)]
        rows.append([*cells, amount(one.open_bushels), *money, one.next])
    return Table("farms", [*columns, Column("next")], rows)


def as_data(one: FarmLine, price: Price | None) -> dict[str, Any]:
    stake = None if one.stake is None else str(one.stake)
    return {
        "book": one.book, "farm_id": one.farm, "ready": one.ready, "units": one.units, "gaps": one.gaps,
        "days_left": one.days, "next": one.next, "open_bushels": show(one.open_bushels),
        **({"premium_at_stake": stake, "premium_is": ASSUMED} if price is not None else {}),
    }  # fmt: skip
