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
FOURTH: Final = 4
"""A contract named by a trade is one of that kind that runs on its day, tickets are not older than the harvest, nobody
verifies itself or those it trades with, and no more letters that show nothing."""
NOW: Final = FOURTH
"""What is entered today."""
