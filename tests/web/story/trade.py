"""What everybody in the chain of custody does: open a book, declare a period, put a contract on file, close."""

from typing import Final

from provender.web.tables import days_said
from tests.web.story.stage import Desk, day

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
    """Put a contract on file."""
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
    """Accept what is on its way."""
    desk.go("Incoming")
    desk.shot(f"{desk.party}-incoming")
    desk.press("Accept")
    desk.enter("Accept", site=site)


def sell(desk: Desk, taker: str, **said: str) -> None:
    """Sell: look first, then do it."""
    desk.go("Sales")
    desk.press("Sell")
    desk.fill(taker=desk.stage.codes[taker], **said)
    desk.press("Preview")
    desk.sees("heading", "This is what would happen")
    desk.shot(f"{desk.party}-sale")
    desk.press("Sell")
    desk.stands()


def close(desk: Desk) -> None:
    """Close the period that ends today, and see its statement."""
    desk.go("Periods")
    desk.page.locator("main").get_by_role("link", name=days_said(BEGAN)).click()
    desk.reads("Open: this is how it stands now.")
    desk.press("Close the period")
    desk.enter("Close the period")
    desk.page.locator("main").get_by_role("link", name=days_said(BEGAN)).click()
    desk.reads("Closed on")
    desk.shot(f"{desk.party}-period")
