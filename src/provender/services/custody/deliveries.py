"""Contracts about deliveries, and settlement lines for whoever keeps the accounts: one service for every door."""

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Annotated, Final

from provender.custody.model.amounts import unit_of
from provender.custody.model.entities import Delivery
from provender.custody.model.store_view import StoreView
from provender.custody.queries.deliveries import ContractStanding, Part, by_ticket, parts, standings
from provender.formats.column_map import ColumnMap, ColumnRule
from provender.formats.targets import target
from provender.formats.units import UnitError, convert
from provender.formats.values import number_out
from provender.paper.table import safe
from provender.plain import field, view
from provender.quantity import CI_SCALE, DOLLAR_SCALE, SCALE, Amount, Bushels, Ci, Dollars, Scaled, half_even, show
from provender.services.refused import MissingError, refusal

CENTS: Final = 2
Money = Annotated[int, Scaled(CENTS, "$")]
PREMIUM_SCALE: Final = 9
"""A premium that slides has this many decimals where a point is a power of ten grams."""
Premium = Annotated[int, Scaled(PREMIUM_SCALE, "$/bu")]
TARGET: Final = "settlement"


@view
class ContractDeliveryView:
    """A contract about deliveries, as it stands. Amounts are decimal text in ``unit``."""

    contract: str = field("Contract")
    partner: str = field("Partner's code")
    role: str = field("What it is")
    form: str = field("What")
    unit: str = field("Unit")
    agreed_amount: Amount = field("Contracted")
    delivered_amount: Amount = field("Delivered", help="Less what came back.")
    left_amount: Amount = field("Still to deliver")
    beyond_amount: Amount = field("Beyond the contract")
    first: date | None = field("Delivery from")
    last: date | None = field("Delivery to")
    early_amount: Amount = field("Before it")
    late_amount: Amount = field("After it")
    ci_min_g_per_bu: Ci | None = field("CI at least")
    ci_max_g_per_bu: Ci | None = field("CI at most")
    outside_amount: Amount = field("Outside the range")
    premium_per_bu: Dollars = field("Premium")
    premium_per_point: Dollars = field("Premium per CI point")
    point_g_per_bu: Ci = field("One point is")
    premium_base_ci_g_per_bu: Ci = field("Points below")
    premium_floor: Dollars | None = field("Points bring at least")
    premium_cap: Dollars | None = field("Points bring at most")
    overdue: bool = field("Overdue")


@view
class SettlementLineView:
    """A line to settle: serials of one carbon intensity on one ticket. What came back has amounts below zero."""

    number: str = field("Entry")
    day: date = field("Day")
    partner: str = field("Partner's code")
    contract: str = field("Contract")
    ticket: str = field("Ticket")
    form: str = field("What")
    ci_g_per_bu: Ci = field("CI")
    origin: str = field("Origin")
    start_bu: Bushels = field("First serial")
    stop_bu: Bushels = field("Serial after the last")
    bushels: Bushels = field("Bushels", help="Of crop; for a product those behind it.")
    premium_per_bu: Premium = field(
        "Premium",
        help="With the points of this CI, to the nearest billionth; 0 for a CI that the contract does not ask for.",
    )
    premium_amount: Money = field("Premium in all", unit="$")


def deliveries_and_lines(
    facts: StoreView, entity: str, day: date
) -> tuple[list[ContractDeliveryView], list[SettlementLineView]]:
    """Return both of a day from one look at what was delivered."""
    delivered = parts(facts, entity, day)
    standing = [_delivery_view(one, day) for one in standings(facts, entity, day, delivered)]
    return standing, _lines(facts, entity, delivered)


def deliveries(facts: StoreView, entity: str, day: date) -> list[ContractDeliveryView]:
    """Return the contracts about deliveries as they stand at the end of a day."""
    return [_delivery_view(one, day) for one in standings(facts, entity, day)]


def _delivery_view(one: ContractStanding, day: date) -> ContractDeliveryView:
    agreed = one.agreed
    return ContractDeliveryView(
        contract=agreed.contract, partner=one.contract.counterparty, role=str(one.contract.role), form=agreed.form,
        unit=unit_of(agreed.form), agreed_amount=agreed.amount, delivered_amount=one.delivered, left_amount=one.left,
        beyond_amount=one.beyond, first=agreed.first or one.contract.start, last=agreed.last,
        early_amount=one.early, late_amount=one.late,
        ci_min_g_per_bu=agreed.ci_min, ci_max_g_per_bu=agreed.ci_max, outside_amount=one.outside,
        premium_per_bu=agreed.premium, premium_per_point=agreed.per_point, point_g_per_bu=agreed.point,
        premium_base_ci_g_per_bu=agreed.base, premium_floor=agreed.floor, premium_cap=agreed.cap,
        overdue=one.overdue(day),
    )  # fmt: skip


def settlement_lines(facts: StoreView, entity: str, day: date, since: date = date.min) -> list[SettlementLineView]:
    """Return what is to be settled of the days from one to another, in the order of the book.

    The premium of a line is reckoned exactly and rounded once, to the cent, half to even: the sum of a contract is that
    of its lines.
    """
    return _lines(facts, entity, parts(facts, entity, day), since)


def _lines(
    facts: StoreView, entity: str, delivered: Sequence[Part], since: date = date.min
) -> list[SettlementLineView]:
    agreed = {one.contract: one for one in facts.many(Delivery, entity)}
    cut = by_ticket(delivered)
    return [_line(part, ticket, agreed.get(part.contract)) for part, ticket in cut if part.day >= since]


def _line(one: Part, ticket: str, agreed: Delivery | None) -> SettlementLineView:
    rate = agreed.premium_at(one.ci) if agreed else Fraction(0)
    cents = one.bushels * rate / 10 ** (SCALE + DOLLAR_SCALE - CENTS)
    shown = rate * 10 ** (PREMIUM_SCALE - DOLLAR_SCALE)
    return SettlementLineView(
        number=one.movement, day=one.day, partner=one.partner, contract=one.contract, ticket=ticket, form=one.form,
        ci_g_per_bu=one.ci, origin=one.origin, start_bu=one.start, stop_bu=one.stop, bushels=one.bushels,
        premium_per_bu=half_even(shown.numerator, shown.denominator),
        premium_amount=half_even(cents.numerator, cents.denominator),
    )  # fmt: skip


def _for_accounts(line: SettlementLineView) -> dict[str, str]:
    """Return a line by the fields of the target ``settlement``, as its column maps know them."""
    return {
        "number": line.number, "day": line.day.isoformat(), "payee": line.partner, "ticket": line.ticket,
        "contract": line.contract, "crop": line.form, "bushels_applied": show(line.bushels),
        "premium_per_bu": show(line.premium_per_bu, PREMIUM_SCALE),
        "net_amount": show(line.premium_amount, CENTS, places=2),
        "ci_g_per_bu": show(line.ci_g_per_bu, CI_SCALE), "origin": line.origin,
        "first_serial": show(line.start_bu), "last_serial": show(line.stop_bu),
    }  # fmt: skip


HEADINGS: Final = {
    "number": "Settlement", "day": "Settlement date", "payee": "Payee", "ticket": "Ticket", "contract": "Contract",
    "crop": "Commodity", "bushels_applied": "Bushels applied", "premium_per_bu": "Premium", "net_amount": "Net amount",
}  # fmt: skip
BESIDE: Final = {
    "ci_g_per_bu": "CI, g CO2e/bu", "origin": "Origin", "first_serial": "First serial", "last_serial": "Last serial"
}  # fmt: skip
"""Columns that no map of settlements knows: a reader leaves them out."""
NUMBERS: Final = frozenset(
    {"bushels_applied", "premium_per_bu", "net_amount", "ci_g_per_bu", "first_serial", "last_serial"}
)
UNIT_DECIMALS: Final = 9
"""Units of one kind that a line may be in differ by powers of ten: none of its decimals is lost."""


def own_map() -> ColumnMap:
    """Return the column map of the lines as they are written without another."""
    rules = tuple(ColumnRule(heading, name) for name, heading in HEADINGS.items())
    return ColumnMap("provender settlement lines", TARGET, columns=rules, date_order="ymd", confirmed=True)


def map_at(maps: Sequence[ColumnMap], place: int | None) -> ColumnMap | None:
    """Return the confirmed map at a place of their list; None where none is named.

    Raises:
        MissingError: there is none at that place.
    """
    if place is not None and place >= len(maps):
        raise MissingError(f"map {place}")
    return None if place is None else maps[place]


def lines_csv(lines: Sequence[SettlementLineView], used: ColumnMap | None = None) -> bytes:
    """Return settlement lines as CSV under the headings of a column map, which reads them back.

    Args:
        lines: as ``settlement_lines`` gives them.
        used: a map of settlements; ``own_map`` without one.

    Returns:
        UTF-8; days as year-month-day, in the words of the map where it has its own. Numbers are in the units of the
        map, else in the field's own, and have its decimal sign.

    Raises:
        RefusedError: the map has a unit that its field cannot be in.
    """
    chosen = used or own_map()
    columns = [(rule.heading, rule.field) for rule in chosen.columns] + [(text, name) for name, text in BESIDE.items()]
    back = {name: {ours: theirs for theirs, ours in words.items()} for name, words in chosen.words.items()}
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([safe(heading) for heading, _ in columns])
    factors = {rule.field: _factor(rule) for rule in chosen.columns if rule.unit and rule.field in NUMBERS}
    for line in lines:
        cells = {name: _number(name, text, factors, chosen.decimal) for name, text in _for_accounts(line).items()}
        row = [back.get(name, {}).get(cells.get(name, ""), cells.get(name, "")) for _, name in columns]
        writer.writerow([safe(cell, number=True) for cell in row])
    return out.getvalue().encode()


def _factor(rule: ColumnRule) -> Fraction:
    """Return how many of a map's unit are one of its field's own.

    Raises:
        RefusedError: they measure different things, or the unit is not known.
    """
    try:
        return convert(Fraction(1), target(TARGET).fields[rule.field].unit, rule.unit)
    except UnitError as wrong:
        remedy = "State another unit in the column map."
        raise refusal("unit_does_not_fit", f"{rule.heading}: {wrong}.", remedy) from None


def _number(name: str, text: str, factors: Mapping[str, Fraction], decimal: str) -> str:
    """Return a number of a line as the map writes it; any other cell as it is."""
    if name not in NUMBERS:
        return text
    own = number_out(Fraction(text) * factors[name], UNIT_DECIMALS)[0] if factors.get(name, 1) != 1 else text
    return own.replace(".", decimal)
