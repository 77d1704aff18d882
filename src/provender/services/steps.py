"""One thing that an organisation does next, as a service names it."""

from typing import NamedTuple


class NextStep(NamedTuple):
    """One thing to do.

    Attributes:
        page: the name of the page on which it is done.
        words: what it is.
        why: why.
        about: what the page's address names beside the organisation.
        query: what the address asks for besides.
        anchor: the part of the page at which it opens.
    """

    page: str
    words: str
    why: str
    about: tuple[object, ...] = ()
    query: tuple[tuple[str, str], ...] = ()
    anchor: str = ""


def counted(number: int, one: str, many: str = "") -> str:
    """Write how many of something there are."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"
