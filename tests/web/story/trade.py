"""What elevator, processor and refiner do in the chain of custody, from the slip of a farm to a batch of fuel."""

import re
from typing import Final
from urllib.parse import parse_qs, urlsplit

from provender.web.tables import days_said
from tests.web.story.farm import SOLD
from tests.web.story.stage import Desk, Stage, day

BEGAN: Final = day(-30)
"""First day of everybody's first period. It was declared ten days before. The story plays on one day, so the days of
declaring are typed in as past ones: a period is declared before it begins and is closed when it has ended, which is
today."""
DECLARED: Final = day(-40)


def open_book(desk: Desk, sites: str) -> None:
    """Open the book with its sites, declare the period that ends today and the one after it."""
    desk.go("Partners and sites")
    desk.fill(sites=sites)
    # A farm's slip opens its buyer's book; the buyer then only adds its sites.
    desk.page.locator("main form:has([name=sites]) button").click()
    desk.stands()
    desk.go("Periods")
    desk.press("Declare the next period")
    desk.enter("Declare", day=DECLARED, start_day=BEGAN, end_day=day(), policy="oldest_first")
    desk.press("Declare the next period")
    desk.enter("Declare", day=day())


def contract(desk: Desk, partner: str, role: str) -> None:
    desk.go("Partners and sites")
    desk.press("Add a contract")
    code = desk.stage.codes[partner]
    desk.enter("Put it on file", day=BEGAN, counterparty=code, role=role, number=f"K-{partner}", start_day=BEGAN)


def first_audit(desk: Desk, crop: str) -> None:
    """Put the contract for the first audit on file: until its statement, claims rest on it."""
    desk.go("Partners and sites")
    desk.press("Contract for your first audit")
    desk.page.locator(f"main [name=crops][value={crop}]").check()
    said = {"verifier": "Clear Field Verification", "number": "CF-12", "start_day": BEGAN, "end_day": day(300)}
    desk.enter("Enter the statement", day=BEGAN, **said)


def accept(desk: Desk, site: str) -> None:
    desk.go("Incoming")
    desk.shot(f"{desk.party}-incoming")
    desk.press("Accept")
    desk.enter("Accept", site=site)


def sell(desk: Desk, taker: str, **said: str) -> None:
    desk.go("Sales")
    desk.press("Sell")
    desk.fill(taker=desk.stage.codes[taker], **said)
    desk.press("Preview")
    desk.sees("heading", "This is what would happen")
    desk.shot(f"{desk.party}-sale")
    desk.press("Sell")
    desk.stands()


def close(desk: Desk) -> None:
    desk.go("Periods")
    desk.page.locator("main").get_by_role("link", name=days_said(BEGAN)).click()
    desk.reads("Open: this is how it stands now.")
    desk.press("Close the period")
    desk.enter("Close the period")
    desk.page.locator("main").get_by_role("link", name=days_said(BEGAN)).click()
    desk.reads("Closed on")
    desk.shot(f"{desk.party}-period")


ELEVATOR: Final = "North elevator"
SHIPPED: Final = "8000"


def tell_elevator(stage: Stage) -> None:
    with stage.at_desk_of("elevator") as desk:
        open_book(desk, ELEVATOR)
        contract(desk, "farm", "supplier")
        contract(desk, "mill", "recipient")
        first_audit(desk, "corn")
        desk.shot("elevator-partners")
        buy(desk)
        ship(desk)
        measure_and_close(desk)


def buy(desk: Desk) -> None:
    desk.go("Incoming")
    desk.reads("7,883.38")
    desk.shot("elevator-incoming")
    desk.press("Buy")
    desk.enter("Enter the purchase", site=ELEVATOR, bushels=SOLD, tickets=f"T-1001, {SOLD}, {day()}")
    desk.go("Stock")
    desk.reads("12,000 bu of corn")
    desk.shot("elevator-stock")


def ship(desk: Desk) -> None:
    said = {"crop": "corn", "bushels": SHIPPED, "site": ELEVATOR, "tickets": f"S-2001, {SHIPPED}, {day()}"}
    sell(desk, "mill", **said)
    desk.press("Transfer document")
    desk.sees("heading", "Transfer document")
    desk.shot("elevator-document")


def measure_and_close(desk: Desk) -> None:
    """Measure what lies in the bins, then close: claims may not exceed the grain."""
    desk.go("Stock")
    desk.press("Grain at the sites")
    desk.press("Measured stock")
    desk.enter("Enter the measurement", form="corn", amount="4000", number="M-1", site=ELEVATOR)
    desk.shot("elevator-grain")
    close(desk)


def let_the_verifier_in(stage: Stage) -> None:
    """Give the verifier access, for its days only; the farm does so too."""
    for party in ("elevator", "farm"):
        with stage.at_desk_of(party) as desk:
            desk.go("Verifier access")
            said = {"verifier": stage.codes["verifier"], "purpose": "First audit of the chain"}
            desk.enter("Give access", **said)
            desk.reads("Clear Field Verification")


def answer(stage: Stage) -> None:
    with stage.at_desk_of("elevator") as desk:
        desk.go("Audits of us")
        desk.page.locator("main table").get_by_role("link").first.click()
        desk.page.locator("main table").get_by_role("link").first.click()
        desk.enter("Answer", text="The scale was certified in June; the certificate is on file.", evidence="Page 3")
        desk.shot("elevator-finding")


def read_the_statement(stage: Stage) -> None:
    with stage.at_desk_of("elevator") as desk:
        desk.go("Audits of us")
        desk.page.locator("main table").get_by_role("link").first.click()
        desk.reads("Disclaimed")
        desk.shot("elevator-statement")


MILL: Final = "River mill"
GROUND: Final = "6000"
RATE: Final = "54.5"
POUNDS: Final = "327000"
"""6,000 bushels at 54.5 pounds a bushel."""


def tell_mill(stage: Stage) -> None:
    with stage.at_desk_of("mill") as desk:
        open_book(desk, MILL)
        contract(desk, "elevator", "supplier")
        contract(desk, "refiner", "recipient")
        first_audit(desk, "corn")
        accept(desk, MILL)
        grind(desk)
        sell(desk, "refiner", crop="corn", form="ground_corn", pounds=POUNDS, site=MILL)


def grind(desk: Desk) -> None:
    desk.go("Movements")
    desk.press("Yield of a campaign")
    said = {"made_of": "corn", "output": "ground_corn", "campaign": "fall", "rate": RATE}
    desk.enter("Record the yield", **said, start_day=BEGAN, end_day=day(), basis="provisional", site=MILL)
    desk.go("Movements")
    desk.press("Process")
    desk.enter("Process", crop="corn", bushels=GROUND, output="ground_corn", site=MILL)
    desk.reads("327,000")
    desk.shot("mill-process")
    desk.go("Stock")
    left = int(SHIPPED) - int(GROUND)
    desk.reads(f"{left:,}")
    desk.shot("mill-stock")


PLANT: Final = "Fuel plant"


def tell_refiner(stage: Stage) -> None:
    with stage.at_desk_of("refiner") as desk:
        open_book(desk, PLANT)
        contract(desk, "mill", "supplier")
        accept(desk, PLANT)
        movement = retire(desk)
        trace(desk, movement)


def retire(desk: Desk) -> str:
    """End the claims in a batch of fuel; return the movement's number, as the page shows it."""
    desk.go("Movements")
    desk.press("Retire into fuel")
    said = {"crop": "corn", "form": "ground_corn", "pounds": POUNDS, "site": PLANT}
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
