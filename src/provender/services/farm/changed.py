"""Who wants to know that a book was changed: told once the change stands. Nobody does where nothing serves pages."""

from collections.abc import Callable
from typing import Final

LISTENERS: Final[list[Callable[[int], None]]] = []


def tell_of(book: int) -> None:
    """Tell whoever listens that the book of this primary key was changed."""
    for listener in LISTENERS:
        listener(book)
