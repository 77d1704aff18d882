"""Claims by papers that a book was shown between two others: they count where the parties themselves do not tell.

A book that buys serials on a trader's document is shown the farm's slip to whoever had them before. It keeps of that no
more than it needs, in parts, under names of its own, and so does the next book down the chain. Nobody's serials left
the farm twice for that: these claims share one key, and fall away where farm or buyer tell of the same change of hands.
A part of a trader's document counts as the document.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from provender.custody.model.lots import Span, joined, subtract_spans
from provender.custody.queries.claims import Claim, back_of

SHOWN: Final = "a slip shown"
"""Key of all such slips between the same two parties."""
_PART: Final = re.compile(r"(.+) at [0-9]+\Z")
"""A part of a trader's document, as a server names it in the book that it makes for somebody further down the chain."""
_FROM_FARMS: Final = frozenset({"slip", "purchase", "assign"})
_Hands = tuple[str, str, str, bool]


def without_shown_twice(claims: Iterable[Claim], owners: Sequence[frozenset[str]]) -> Iterator[Claim]:
    """Yield claims, those by slips between others under one key and without what the parties tell themselves.

    Args:
        claims: of all files.
        owners: per file, the entities whose whole book it is.
    """
    told: dict[_Hands, list[Span]] = defaultdict(list)
    shown: list[Claim] = []
    parts: list[Claim] = []
    rest: list[Claim] = []
    slips: set[tuple[int, str]] = set()
    for one in claims:
        theirs = owners[one.source]
        between_others = bool(theirs) and one.giver not in theirs and one.taker not in theirs
        if one.kind in ("slip", "return") and (between_others or one.key in (SHOWN, back_of(SHOWN))):
            shown.append(one)
            slips |= {(one.source, back_of(one.key))} if one.kind == "slip" else set()
            continue
        of_part = between_others and one.kind == "document" and part_of(one.key)
        (parts if of_part else rest).append(one)
    yield from rest
    yield from _of_parts(parts, rest)
    for one in chain(rest, parts) if shown else ():
        if one.kind in _FROM_FARMS or one.key.startswith(back_of("")):
            told[_hands(one)].append((one.start, one.stop))
    own = {hands: joined(spans) for hands, spans in told.items()}
    for one in shown:
        if one.kind == "return" and (one.source, one.key) not in slips:
            yield one  # what goes back by a document goes by its number, which all books have in common
            continue
        key = SHOWN if one.kind == "slip" else back_of(SHOWN)
        for start, stop in _left(one, own.get(_hands(one), ())):
            yield one._replace(start=start, stop=stop, key=key)


def _of_parts(parts: Sequence[Claim], claims: Iterable[Claim]) -> Iterator[Claim]:
    """Yield of parts of documents what no claim of the parties tells, whether they call it a sale or a return."""
    hands = {(one.origin, one.giver, one.taker) for one in parts}
    told: dict[tuple[str, str, str], list[Span]] = defaultdict(list)
    for one in claims if hands else ():
        if (one.origin, one.giver, one.taker) in hands:
            told[one.origin, one.giver, one.taker].append((one.start, one.stop))
    own = {hand: joined(spans) for hand, spans in told.items()}
    for one in parts:
        for start, stop in _left(one, own.get((one.origin, one.giver, one.taker), ())):
            yield one._replace(start=start, stop=stop, key=part_of(one.key))


def part_of(number: str) -> str:
    """Return the number of the document that a book was shown a part of; empty where it is no part."""
    found = _PART.match(number)
    return found[1] if found else ""


def _hands(one: Claim) -> _Hands:
    """Return from whom to whom, of which origin, and whether forth or back."""
    return one.origin, one.giver, one.taker, one.key.startswith(back_of(""))


def _left(one: Claim, told: Sequence[Span]) -> list[Span]:
    """Return what of a claim's serials lies in none of some spans, which are sorted and apart."""
    near = told[max(bisect_right(told, (one.start, one.start)) - 1, 0) : bisect_left(told, (one.stop, one.stop))]
    return subtract_spans([(one.start, one.stop)], near)
