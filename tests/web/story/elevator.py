"""The elevator: buys by the slip of a farm, watches its stock, sells, measures, closes; answers its verifier."""

from typing import Final

from tests.web.story import trade
from tests.web.story.farm import SOLD
from tests.web.story.stage import Desk, Stage, day

SITE: Final = "North elevator"
SHIPPED: Final = "8000"


def tell(stage: Stage) -> None:
    """Play the elevator's chapter."""
    with stage.at_desk_of("elevator") as desk:
        trade.open_book(desk, SITE)
        trade.contract(desk, "farm", "supplier")
        trade.contract(desk, "mill", "recipient")
        trade.first_audit(desk, "corn")
        desk.shot("elevator-partners")
        buy(desk)
        ship(desk)
        measure_and_close(desk)


def buy(desk: Desk) -> None:
    """Buy what the farm's slip assigns, with the scale ticket behind it."""
    desk.go("Incoming")
    desk.reads("7,883.38")
    desk.shot("elevator-incoming")
    desk.press("Buy")
    desk.enter("Enter the purchase", site=SITE, bushels=SOLD, tickets=f"T-1001, {SOLD}, {day()}")
    desk.go("Stock")
    desk.reads("12,000 bu of corn")
    desk.shot("elevator-stock")


def ship(desk: Desk) -> None:
    """Sell to the mill and see the transfer document."""
    said = {"crop": "corn", "bushels": SHIPPED, "site": SITE, "tickets": f"S-2001, {SHIPPED}, {day()}"}
    trade.sell(desk, "mill", **said)
    desk.press("Transfer document")
    desk.sees("heading", "Transfer document")
    desk.shot("elevator-document")


def measure_and_close(desk: Desk) -> None:
    """Measure what lies in the bins, then close: claims may not exceed the grain."""
    desk.go("Stock")
    desk.press("Grain at the sites")
    desk.press("Measured stock")
    desk.enter("Enter the measurement", form="corn", amount="4000", number="M-1", site=SITE)
    desk.shot("elevator-grain")
    trade.close(desk)


def let_the_verifier_in(stage: Stage) -> None:
    """Give the verifier access, for its days only; the farm does so too."""
    for party in ("elevator", "farm"):
        with stage.at_desk_of(party) as desk:
            desk.go("Verifier access")
            said = {"verifier": stage.codes["verifier"], "purpose": "First audit of the chain"}
            desk.enter("Give access", **said)
            desk.reads("Clear Field Verification")


def answer(stage: Stage) -> None:
    """Answer the verifier's finding."""
    with stage.at_desk_of("elevator") as desk:
        desk.go("Audits of us")
        desk.page.locator("main table").get_by_role("link").first.click()
        desk.page.locator("main table").get_by_role("link").first.click()
        desk.enter("Answer", text="The scale was certified in June; the certificate is on file.", evidence="Page 3")
        desk.shot("elevator-finding")


def read_the_statement(stage: Stage) -> None:
    """Find the signed statement among the audits of the elevator."""
    with stage.at_desk_of("elevator") as desk:
        desk.go("Audits of us")
        desk.page.locator("main table").get_by_role("link").first.click()
        desk.reads("Qualified")
        desk.shot("elevator-statement")
