"""The processor: accepts, states its yield, grinds, sells the product on."""

from typing import Final

from tests.web.story import trade
from tests.web.story.elevator import SHIPPED
from tests.web.story.stage import Desk, Stage, day

SITE: Final = "River mill"
GROUND: Final = "6000"
RATE: Final = "54.5"
POUNDS: Final = "327000"
"""6,000 bushels at 54.5 pounds a bushel."""


def tell(stage: Stage) -> None:
    """Play the mill's chapter."""
    with stage.at_desk_of("mill") as desk:
        trade.open_book(desk, SITE)
        trade.contract(desk, "elevator", "supplier")
        trade.contract(desk, "refiner", "recipient")
        trade.first_audit(desk, "corn")
        trade.accept(desk, SITE)
        grind(desk)
        trade.sell(desk, "refiner", crop="corn", form="ground_corn", pounds=POUNDS, site=SITE)


def grind(desk: Desk) -> None:
    """State the yield of the campaign, then turn crop into product."""
    desk.go("Movements")
    desk.press("Yield of a campaign")
    said = {"made_of": "corn", "output": "ground_corn", "campaign": "fall", "rate": RATE}
    desk.enter("Record the yield", **said, start_day=trade.BEGAN, end_day=day(), basis="provisional", site=SITE)
    desk.go("Movements")
    desk.press("Process")
    desk.enter("Process", crop="corn", bushels=GROUND, output="ground_corn", site=SITE)
    desk.reads("327,000")
    desk.shot("mill-process")
    desk.go("Stock")
    left = int(SHIPPED) - int(GROUND)
    desk.reads(f"{left:,}")
    desk.shot("mill-stock")
