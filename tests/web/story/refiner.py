"""The refiner: accepts, retires claims into a batch of fuel, and traces the batch back to the farm's report."""

import re
from typing import Final
from urllib.parse import parse_qs, urlsplit

from tests.web.story import trade
from tests.web.story.mill import POUNDS
from tests.web.story.stage import Desk, Stage

SITE: Final = "Fuel plant"


def tell(stage: Stage) -> None:
    """Play the refiner's chapter."""
    with stage.at_desk_of("refiner") as desk:
        trade.open_book(desk, SITE)
        trade.contract(desk, "mill", "supplier")
        trade.accept(desk, SITE)
        movement = retire(desk)
        trace(desk, movement)


def retire(desk: Desk) -> str:
    """End the claims in a batch of fuel; return the movement's number, as the page shows it."""
    desk.go("Movements")
    desk.press("Retire into fuel")
    said = {"crop": "corn", "form": "ground_corn", "pounds": POUNDS, "site": SITE}
    desk.enter("Retire", **said, fuel="Ethanol", batch="E-2026-47", gallons="16500")
    desk.reads("E-2026-47")
    desk.shot("refiner-batch")
    (movement,) = parse_qs(urlsplit(desk.page.url).query)["id"]
    return movement


def trace(desk: Desk, movement: str) -> None:
    """See the chain behind the batch: mill, elevator, farm."""
    desk.go("Trace")
    desk.enter("Trace", find=movement)
    desk.reads("7,883.38")
    desk.reads("Two Rivers Milling")
    desk.page.locator("main svg").first.wait_for()
    assert re.search("report", desk.page.locator("main").inner_text(), re.IGNORECASE)
    desk.shot("refiner-trace")
