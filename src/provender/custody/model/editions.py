"""Editions of the answers: what a book was answered by when its events were entered.

A later edition may ask more of an event than an earlier one did. Events that stand are answered again, whenever their
book is read, as they were when they were entered: what was posted stays posted (decision 0015). Only what asks more
than before looks at the edition.
"""

from typing import Final

FIRST: Final = 1
"""Books and rows that say no edition."""
SECOND: Final = 2
"""Every field is checked wherever it comes from, acts in another's name need its paper."""
THIRD: Final = 3
"""Nothing moves what a closed period left, claims that were sold need grain, product is bound to the crop behind it."""
NOW: Final = THIRD
"""What is entered today."""
