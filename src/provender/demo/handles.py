"""What the parties of the chain are called on a server: by the code of their organisation, where the id is too long."""

from typing import Any, Final

from provender.demo.keys import demo_key
from provender.signing.keys import SigningKey

COOP, CRUSHER, DIESEL, ETHANOL = "prairie-coop", "plains-crush", "sod-diesel", "bluestem-ethanol"
HANDLES: Final = {ETHANOL: "bluestem"}
"""Codes of parties whose id is longer than a code may be."""
PARTY_FIELDS: Final = ("entity", "giver", "taker", "counterparty")
_IDS: Final = {code: party for party, code in HANDLES.items()}


def as_posted(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event of the chain with the codes of organisations for its parties."""
    return {
        name: HANDLES.get(value, value) if name in PARTY_FIELDS and isinstance(value, str) else value
        for name, value in event.items()
    }


def key_of(code: str) -> SigningKey:
    """Return the demonstration key of a party by its code: the one that the chain's contracts name."""
    return demo_key(_IDS.get(code, code))
