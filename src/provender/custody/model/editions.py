"""Editions of the answers: what a book was answered by when its events were entered.

A later edition may ask more of an event than an earlier one did. Events that stand are answered again, whenever their
book is read, as they were when they were entered: what was posted stays posted, and moves what it moved (decision
0015). Only what asks more than before, or books other lots, looks at the edition.
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
FIFTH: Final = 5
"""Product that others had out of sight has the yield and the pounds that its paper says, also where they are more. A
closed site takes no plant figures of later days, a paper between others does not stand against the book, a farm signs
over only what it has in a book of all, no trade stands on the tickets of a house's own move, and the contract for a
first audit carries once, until there is an opinion."""
SIXTH: Final = 6
"""Product that was bought stays at its supplier's yield, also where a later processing of it was taken back. A
statement entered again makes no first contract and no bad opinion forgotten, and evidence in a dispute is accepted by
a verifier of that crop. Product that is given back has the pounds that the paper of its holder says, but for a
rounding what the book supposed, and within what its serials give. A ticket that was voided and typed anew under
another crop or site is grain of that one alone. Claims whose coming back was taken back need grain again."""
NOW: Final = SIXTH
"""What is entered today."""
