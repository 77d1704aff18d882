"""Which lots a sale by mean carbon intensity takes, with what the declared policy would take beside it."""

from datetime import date

from provender.custody.events.allocation import Place, choose, matched_mean, may_go
from provender.custody.events.rules import entity_of
from provender.custody.events.sale import SaleEvent
from provender.custody.model.lots import cut
from provender.custody.model.periods import Period, period_of
from provender.custody.model.statuses import Refusal
from provender.custody.model.store_view import StoreView
from provender.custody.queries.mean_choice import Lots, fewest, within
from provender.plain import field, view
from provender.quantity import CI_SCALE, Bushels, Ci, half_even, show
from provender.rule import Crop
from provender.services.refused import RefusedError, refusal


@view
class ChosenLotView:
    """Serials to name in a sale."""

    origin: str = field("Origin")
    start_bu: Bushels = field("First serial")
    stop_bu: Bushels = field("Serial after the last")
    ci_g_per_bu: Ci = field("CI")
    site: str = field("Site")


@view
class MeanChoiceView:
    """The fewest lots that give so many bushels at a mean of at most so much, and what the policy would take."""

    bushels: Bushels = field("Bushels")
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

    Args:
        facts: the book.
        asked: the sale: seller, crop, bushels, day, and where they matter site, harvest year and range.
        mean: the highest that the mean may be, hundredths of a gram CO2e per bushel.
        least: the lowest; a seller gives away no lower one than was asked for.

    Raises:
        RefusedError: a product was asked for, no amount, or the stock cannot give it.
    """
    if asked.crop not in set(Crop) or asked.of_form != asked.crop or asked.bushels <= 0:
        raise refusal("no_bushels", "A mean is of bushels of a crop.", "Say the crop and how many bushels.")
    free = may_go(facts, asked.giver, asked, _place(asked))
    lots = [(lot.ci, lot.amount) for lot in free]
    found = fewest(lots, asked.bushels, mean, least)
    if found is None:
        raise _not_given(lots, asked.bushels, mean, least)
    pieces = [cut(free[place], amount) for place, amount in found.amounts.items()]
    grams = sum(one.crop_amount * one.lot.ci for one in pieces)
    how, policy_mean, policy_lots = _policy(facts, asked)
    return MeanChoiceView(
        bushels=asked.bushels, ci_from_g_per_bu=least, ci_to_g_per_bu=mean,
        mean_ci_g_per_bu=half_even(grams, asked.bushels), fewest=found.fewest,
        lots=tuple(
            ChosenLotView(
                origin=one.lot.origin, start_bu=one.start, stop_bu=one.stop, ci_g_per_bu=one.lot.ci, site=one.lot.site
            )
            for one in pieces
        ),
        policy=how, policy_mean_ci_g_per_bu=policy_mean, policy_lots=policy_lots,
    )  # fmt: skip


def _not_given(lots: Lots, bushels: int, mean: int, least: int) -> RefusedError:
    """Return the refusal that names the bound which the stock cannot keep."""
    every = [ci for ci, _ in lots] or [0]
    bound, edge = f"at most {show(mean, CI_SCALE)}", f"lowest carbon intensity is {show(min(every), CI_SCALE)}"
    if within(lots, bushels, mean):
        bound, edge = f"at least {show(least, CI_SCALE)}", f"highest carbon intensity is {show(max(every), CI_SCALE)}"
        bound += f" and at most {show(mean, CI_SCALE)}"
    cause = f"The stock cannot give {show(bushels, group=True)} bu at a mean of {bound}."
    remedy = f"{show(sum(size for _, size in lots), group=True)} bu can go; the {edge}."
    return refusal("mean_not_possible", cause, remedy)


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


def sale_of(giver: str, crop: str, bushels: int, day: date, **more: object) -> SaleEvent:
    """Return the sale that a door asks about; its buyer does not matter."""
    return SaleEvent(id="asked", day=day, giver=giver, taker="", crop=crop, bushels=bushels, **more)  # type: ignore[arg-type]
