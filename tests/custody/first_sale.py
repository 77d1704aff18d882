"""The story most cases begin with: soybeans bought by the elevator, sold to the crusher, crushed; and books read."""

from provender.custody.model.balances import Balance, BalanceLine, period_balances
from provender.custody.model.store_view import Store, StoreView
from tests.custody.world import ADA_SOY, CAST, REPORTS, Event, bought, ev, favourable, oil_yield, posted

BUY = bought("b", "ada", "coop", ADA_SOY, "1000", day="2026-01-05", site="north")
SELL = ev("sale", "v", "2026-01-10", giver="coop", taker="crush", crop="soybeans", bushels="600")
TAKE = ev("accept", "a", "2026-01-12", taker="crush", movement="v", site="plant")


def base(*more: Event) -> list[Event]:
    proven = [favourable(name, "soybeans", "corn") for name in ("coop", "mill", "crush", "fuel")]
    return [*CAST, *proven, *REPORTS, *more]


def crushed(store: Store) -> None:
    rate = oil_yield("y", "2026-01-01", entity="crush", rate="11")
    process = ev("process", "p", "2026-01-13", entity="crush", crop="soybeans", output="soybean_oil", bushels="600")
    sale = ev(
        "sale", "oil", "2026-01-20", giver="crush", taker="fuel", crop="soybeans", form="soybean_oil", pounds="3300"
    )
    posted(store, [*base(), *BUY, SELL, TAKE, rate, process, sale])


def books(facts: StoreView, name: str) -> list[Balance]:
    return period_balances(facts, name)


def line(facts: StoreView, name: str, ci: int, period: int = 0) -> BalanceLine:
    return next(one for one in books(facts, name)[period].lines if one.key.ci == ci * 100)
