"""What people call a lot: its id, or the code of its origin as a page prints it, with or without the serials beside.

A code that fits no line is printed cut short. What is printed is also read: a lot is asked for as it stands on paper.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final

from provender.custody.model.lots import Lot, Span
from provender.custody.model.origins import Origin
from provender.custody.model.store_view import StoreView
from provender.frozen import frozen
from provender.quantity import parse

WHOLE: Final = 28
"""Up to so many signs a code is printed whole."""
PRINTED: Final = 10
"""Signs of a longer code that are printed; whoever types fewer has not read them from a page."""
_ASKED: Final = re.compile(
    r"(?P<code>\S+?)(?:…|\.\.\.)?(?:[\s:,]+(?P<start>[\d.,]+)\s*(?:-|to|\u2013)\s*(?P<stop>[\d.,]+)(?:\s*bu)?)?"
)


def printed(code: str) -> str:
    """Write a code so that it fits a line."""
    return code if len(code) <= WHOLE else f"{code[:PRINTED]}…"


@frozen
class LotName:
    """What somebody typed to name lots.

    Attributes:
        code: of an origin, whole or as it is printed.
        span: its serials; None for all of them.
    """

    code: str
    span: Span | None

    def means(self, origin: str) -> bool:
        """Tell whether an origin is called so."""
        cut = len(origin) > WHOLE and len(self.code) >= PRINTED and origin.startswith(self.code)
        return cut or origin == self.code

    def touches(self, lot: Lot) -> bool:
        """Tell whether a lot has some of the serials."""
        return self.span is None or (lot.start < self.span[1] and self.span[0] < lot.stop)


def read_lot_name(text: str) -> LotName:
    """Read what somebody typed; what stands as no page prints it is a code as a whole."""
    found = _ASKED.fullmatch(text.strip())
    if found is None:
        return LotName(text.strip(), None)
    try:
        span = tuple(parse(found[end].replace(",", "")) for end in ("start", "stop")) if found["start"] else ()
    except ValueError:
        return LotName(text.strip(), None)
    return LotName(found["code"], (span[0], span[1]) if span else None)


def whole_code(code: str, origins: Iterable[str]) -> str:
    """Return the one among some origins that a printed code means; the code as it is where that is none or several."""
    asked = read_lot_name(code)
    meant = {origin for origin in origins if asked.means(origin)}
    return code if code in meant or len(meant) != 1 else meant.pop()


def book_code(facts: StoreView, owner: str, code: str) -> str:
    """Return the whole code that a printed one means in a book of one's own; what means none or several as it is."""
    if len(code) > WHOLE or facts.one(Origin, code) is not None:
        return code
    return whole_code(code, (step.after.origin for step in facts.steps(owner)))


def lots_called(facts: StoreView, origin: str, asked: LotName, is_one: Callable[[Lot], bool]) -> list[Lot]:
    """Return the lots of an origin that are meant: those a party has as they are now, others as it gave them away.

    Args:
        facts: the book.
        origin: whose serials.
        asked: how they are called.
        is_one: tells which lots are the party's.
    """
    known = facts.one(Origin, origin)
    start, stop = asked.span or (known.span if known else (0, 0))
    now = [lot for lot in facts.lots_at(origin, start, stop) if is_one(lot)]
    gone: list[Lot] = []
    for step in facts.steps_of(origin):
        mine = is_one(step.after)
        if mine or (step.before is not None and is_one(step.before)):
            # What came back is no longer given away, and of what was given away again the last time counts.
            gone = [lot for lot in gone if not (step.after.start <= lot.start and lot.stop <= step.after.stop)]
            gone += [] if mine or not asked.touches(step.after) else [step.after]
    return sorted([*now, *gone], key=lambda lot: (lot.origin, lot.start))
