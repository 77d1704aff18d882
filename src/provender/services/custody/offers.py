"""Every event that the doors offer to enter, in the order of the list of entries."""

from collections.abc import Mapping
from typing import Final, NamedTuple


class Entry(NamedTuple):
    """One event as a door offers it.

    Attributes:
        title: of its page.
        verb: on its button.
    """

    title: str
    verb: str


OFFERS: Final[Mapping[str, Entry]] = {
    "sale": Entry("Sell", "Sell"),
    "purchase": Entry("Buy from a farm", "Enter the purchase"),
    "purchase_pending": Entry("Buy with CI pending", "Enter the purchase"),
    "assign": Entry("Assign a sale slip to a purchase", "Assign"),
    "accept": Entry("Accept a delivery", "Accept"),
    "reject": Entry("Send a delivery back", "Send it back"),
    "storage": Entry("Store for somebody", "Take into storage"),
    "document": Entry("Type in a document from outside", "Enter the document"),
    "receipt": Entry("Scale ticket in", "Enter the ticket"),
    "shipment": Entry("Scale ticket out", "Enter the ticket"),
    "measurement": Entry("Measured stock", "Enter the measurement"),
    "yield": Entry("Yield of a campaign", "Record the yield"),
    "process": Entry("Process", "Process"),
    "crush": Entry("Figures of a campaign", "Record the figures"),
    "true_up": Entry("Adjust a campaign to its final yield", "Adjust"),
    "move": Entry("Move between sites", "Move"),
    "release": Entry("Release without claim", "Release"),
    "loss": Entry("Loss", "Enter the loss"),
    "retire": Entry("Retire into fuel", "Retire"),
    "return": Entry("Return to the seller", "Return"),
    "correct": Entry("Take an entry back", "Take it back"),
    "opening": Entry("Opening stock", "Declare it"),
    "period": Entry("Declare a period", "Declare"),
    "close": Entry("Close a period", "Close the period"),
    "contract": Entry("Contract", "Put it on file"),
    "statement": Entry("Verification statement", "Enter the statement"),
    "entity": Entry("Partner without an account here", "Register"),
}
