"""Which lots a sale by mean carbon intensity takes, with what the declared policy would take beside it."""

from collections.abc import Sequence
from datetime import date
from math import lcm
from typing import Any, Final

from provender.custody.events.allocation import Place, choose, matched_mean, may_go
from provender.custody.events.rules import entity_of
from provender.custody.events.sale import SaleEvent
from provender.custody.model.amounts import FORMS, POUND, RATE_ONE, show_amount, unit_of
from provender.custody.model.lots import Lot, Piece, cut
from provender.custody.model.periods import Period, period_of
from provender.custody.model.statuses import Refusal
from provender.custody.model.store_view import StoreView
from provender.custody.queries.mean_choice import MeanChoice, fewest, weighed, within
from provender.plain import field, view
from provender.quantity import CI_SCALE, Bushels, Ci, Pounds, ceil_div, half_even, show
from provender.services.refused import RefusedError, refusal


@view
class ChosenLotView:
    """Serials to name in a sale."""

    origin: str = field("Origin")
    start_bu: Bushels = field("First serial")
    stop_bu: Bushels = field("Serial after the last")
    pounds: Pounds = field("Pounds of product", help="0 for the crop itself.")
    ci_g_per_bu: Ci = field("CI")
    site: str = field("Site")


@view
class MeanChoiceView:
    """The fewest lots that give an amount at a mean of at most so much, and what the policy would take."""

    form: str = field("What")
    pounds: Pounds = field("Pounds of product", help="0 for the crop itself.")
    bushels: Bushels = field("Bushels", help="Of crop; for a product those behind it.")
    ci_from_g_per_bu: Ci = field("Mean CI at least")
    ci_to_g_per_bu: Ci = field("Mean CI at most")
    mean_ci_g_per_bu: Ci = field("Mean CI", help="To the nearest hundredth; the test is exact.")
    fewest: bool = field("Fewest", help="Whether it is shown that no fewer lots do.")
    lots: tuple[ChosenLotView, ...] = field("Lots")
    policy: str = field("By the policy", help="How the period's policy would choose; or why it would not.")
    policy_mean_ci_g_per_bu: Ci | None = field("Mean CI by the policy")
    policy_lots: int = field("Lots by the policy")


def by_mean(facts: StoreView, asked: SaleEvent, mean: int, least: int = 0) -> MeanChoiceView:
    """Return the fewest lots that fill a sale at a mean carbon intensity; nothing is entered.

    The mean is that of the crop, for a product of the bushels behind it. Fuel carries no claim: none is sold with it.

    Args:
        facts: the book.
        asked: the sale: seller, crop or product, amount, day, and where they matter site, harvest year and range.
        mean: the highest that the mean may be, hundredths of a gram CO2e per bushel.
        least: the lowest; a seller gives away no lower one than was asked for.

    Raises:
        RefusedError: no such crop or product, no amount, or the stock cannot give it.
    """
    form = FORMS.get(asked.of_form)
    if form is None or form.crop != asked.crop or not form.claims or asked.wanted <= 0:
        cause = "A mean is of bushels of a crop, or of pounds of a product that carries claims."
        raise refusal("no_bushels", cause, "Say which, and how many.")
    free = may_go(facts, asked.giver, asked, _place(asked))
    found = _of_product(free, asked.wanted, mean, least) if form.unit == POUND else _of_crop(free, asked, mean, least)
    if found is None:
        raise _not_given(free, asked, mean, least)
    pieces, is_fewest = found
    crop = sum(one.crop_amount for one in pieces)
    how, policy_mean, policy_lots = _policy(facts, asked)
    return MeanChoiceView(
        form=form.name, pounds=asked.pounds, bushels=crop, ci_from_g_per_bu=least, ci_to_g_per_bu=mean,
        mean_ci_g_per_bu=half_even(_grams(pieces, 0), crop), fewest=is_fewest,
        lots=tuple(
            ChosenLotView(
                origin=one.lot.origin, start_bu=one.start, stop_bu=one.stop, pounds=one.product, ci_g_per_bu=one.lot.ci,
                site=one.lot.site,
            )
            for one in pieces
        ),
        policy=how, policy_mean_ci_g_per_bu=policy_mean, policy_lots=policy_lots,
    )  # fmt: skip


Chosen = tuple[list[Piece], bool]
"""What is taken, and whether it is shown that no fewer lots do."""


def _of_crop(free: Sequence[Lot], asked: SaleEvent, mean: int, least: int) -> Chosen | None:
    found = fewest([(lot.ci, lot.amount) for lot in free], asked.wanted, mean, least)
    return (_cut(free, found), found.fewest) if found else None


TRIES: Final = 8


def _of_product(free: Sequence[Lot], pounds: int, mean: int, least: int) -> Chosen | None:
    """Choose pounds by the crop behind them, which is rounded up for each lot that is cut.

    The bounds are held against the serials that really go. Where rounding breaks one, it is asked again with that much
    room: then fewer lots are shown to be too few only where there are as many as without it.
    """
    if not free:
        return None
    lots, values = weighed([(lot.ci, lot.amount, lot.rate) for lot in free], mean, least)
    first, room, rise = None, 0, 0
    for _ in range(TRIES):
        found = fewest(lots, pounds, -room, rise, values)
        if found is None:
            return None
        first = first or found
        pieces = _cut(free, found)
        if _grams(pieces, mean) <= 0 <= _grams(pieces, least):
            return pieces, first.fewest and len(found.amounts) == len(first.amounts)
        every = lcm(*(lot.rate for lot in free))
        room += ceil_div(max(_grams(pieces, mean), 0) * every, pounds * RATE_ONE)
        rise += ceil_div(max(-_grams(pieces, least), 0) * every, pounds * RATE_ONE)
    return None


def _cut(free: Sequence[Lot], found: MeanChoice) -> list[Piece]:
    return [cut(free[place], amount) for place, amount in found.amounts.items()]


def _grams(pieces: Sequence[Piece], bound: int) -> int:
    """Return by how much pieces lie above a carbon intensity, bushels times hundredths of a gram."""
    return sum(one.crop_amount * (one.lot.ci - bound) for one in pieces)


def _not_given(free: Sequence[Lot], asked: SaleEvent, mean: int, least: int) -> RefusedError:
    """Return the refusal that names the bound which the stock cannot keep."""
    every = [lot.ci for lot in free] or [0]
    bound, edge = f"at most {_ci(mean)}", f"lowest carbon intensity is {_ci(min(every))}"
    lots = weighed([(lot.ci, lot.amount, lot.rate or 1) for lot in free], mean, least)[0]
    if within(lots, asked.wanted, 0):
        bound, edge = f"at least {_ci(least)}", f"highest carbon intensity is {_ci(max(every))}"
        bound += f" and at most {_ci(mean)}"
    unit = unit_of(asked.of_form)
    cause = f"The stock cannot give {show_amount(asked.wanted, unit)} at a mean of {bound}."
    remedy = f"{show_amount(sum(lot.amount for lot in free), unit)} can go; the {edge}."
    return refusal("mean_not_possible", cause, remedy)


def _ci(value: int) -> str:
    return f"{show(value, CI_SCALE, group=True)} g CO2e/bu"


def _place(asked: SaleEvent) -> Place | None:
    return (asked.giver, asked.site) if asked.site else None


def _policy(facts: StoreView, asked: SaleEvent) -> tuple[str, int | None, int]:
    """Return how the policy of the day chooses, at which mean, of how many lots."""
    try:
        giver = entity_of(facts, asked.giver)
        period = period_of(facts.many(Period, giver.id), asked.day)
        choice = choose(facts, giver.id, asked, period, _place(asked))
    except Refusal as refused:
        return str(refused), None, 0
    return choice.how, matched_mean(choice), len(choice.pieces)


def sale_of(giver: str, form: str, amount: int, day: date, **more: object) -> SaleEvent:
    """Return the sale of a crop or product that a door asks about; its buyer does not matter."""
    return sale_asked(giver, form, (0, amount) if _in_pounds(form) else (amount, 0), day, **more)


def sale_asked(giver: str, form: str, amounts: tuple[int, int], day: date, **more: object) -> SaleEvent:
    """Return the same where bushels and pounds were asked for apart.

    Raises:
        RefusedError: the amount is in the other unit.
    """
    known = FORMS.get(form)
    bushels, pounds = amounts
    if known and (bushels if _in_pounds(form) else pounds):
        raise refusal("other_unit", f"{form} is counted in {known.unit}.", f"Say how many {known.unit}.")
    what: dict[str, Any] = {"crop": known.crop if known else form, "form": form, **more}
    return SaleEvent(id="asked", day=day, giver=giver, taker="", bushels=bushels, pounds=pounds, **what)


def _in_pounds(form: str) -> bool:
    return form in FORMS and FORMS[form].unit == POUND
