"""What is made of a farm's book once: several parts of a page ask for the same."""

from collections.abc import Callable
from typing import TypeVar

from provender.services.farm.book import FarmBook

T = TypeVar("T")


def once(farm: FarmBook, name: str, make: Callable[[], T]) -> T:
    """Return what was made of a book under a name, made now where nobody asked before.

    It lies with the book, as its own parts do, and goes with it when the request ends.
    """
    kept: dict[str, T] = farm.__dict__
    if name not in kept:
        kept[name] = make()
    return kept[name]
