"""One thing that an organisation does next, as a service names it."""

from typing import NamedTuple


class NextStep(NamedTuple):
    """One thing to do."""

    page: str  # the name of the page on which it is done
    words: str  # what it is
    why: str  # why
    about: tuple[object, ...] = ()  # what the page's address names beside the organisation
    query: tuple[tuple[str, str], ...] = ()  # what the address asks for besides
    anchor: str = ""  # the part of the page at which it opens
