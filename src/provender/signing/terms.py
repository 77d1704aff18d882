"""The context of our own words in the JSON-LD of others: by the address of whoever serves it, else written out.

The project has no address of its own. What an address must answer is ``docs/reference/terms.jsonld``.
"""

from typing import Final

from provender.problem import refuse

PREFIX: Final = "provender:"
NAMESPACE: Final = "urn:provender:terms:"
"""What the prefix stands for, in every document and in the text that is hashed."""


def terms() -> dict[str, str]:
    """Return the context as it is written out."""
    return {PREFIX.rstrip(":"): NAMESPACE}


def context(address: str = "") -> str | dict[str, str]:
    """Return the context by its address, or written out where there is none.

    Raises:
        ProblemsError: it is no address that others can open.
    """
    if not address:
        return terms()
    if not address.startswith("https://") or any(letter.isspace() for letter in address):
        raise refuse("--terms", f"{address!r} is no address.", "Give one that begins with https://.", code="no_address")
    return address
