"""The fewest lots that give an amount at a mean carbon intensity within bounds: whole numbers throughout.

Bushels count by their carbon intensity. Of a product every pound counts by the crop behind it, which is another amount
where yields differ: then a lot has two values, one for each bound (``weighed``). With lots of one value the largest
always come first, so a choice is a number of lots of each. Numbers are tried from the fewest that hold enough upward,
cut off where even all cheaper bushels would be too many grams. To fill an amount by few lots is hard in general; after
so many steps the search gives up and says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import lcm
from typing import Final

STEPS: Final = 200_000
"""After which it is not shown any more that there is no choice with fewer lots."""
SUMS: Final = 1_000_000
"""Sums of sizes that are kept, for memory; where more are needed it is not shown either."""
Lots = Sequence[tuple[int, int]]
"""Carbon intensity and size of each."""


@dataclass(frozen=True, slots=True)
class MeanChoice:
    """How much to take of which.

    Attributes:
        amounts: by the place of the lot, all above zero.
        fewest: whether it is shown that no fewer lots do.
    """

    amounts: Mapping[int, int]
    fewest: bool


@dataclass(slots=True)
class _Search:
    """A search for a choice of a given number of lots.

    Attributes:
        groups: by carbon intensity, the lowest first: it, its value for the lower bound, and the sizes, largest first.
        wanted: how much.
        least: how much times carbon intensity must come together.
        most: and how much may.
        left: steps that may still be taken.
    """

    groups: Sequence[tuple[int, int, Sequence[int]]]
    wanted: int
    least: int
    most: int
    left: int = STEPS
    _known: int = 0
    _sums: list[list[int]] = field(default_factory=list)

    def counts(self, lots: int) -> list[int] | None:
        """Return how many lots of each group fill what is wanted, so many in all; None for none.

        Each step is a group, how many of the one before it were taken, and with it: lots still to choose, grams of what
        was chosen, filled from the lowest up, and how much of what is wanted it fills.
        """
        if not self._know(lots):
            self.left = -1
            return None
        taken: list[int] = []
        open_steps = [(0, 0, lots, 0, 0)]
        while open_steps:
            place, number, lots, grams, filled = open_steps.pop()
            taken[max(place - 1, 0) :] = [number] if place else []
            self.left -= 1
            missing = self.wanted - filled
            if not lots or place == len(self.groups):
                if not missing and self._reaches(taken):
                    return taken
                continue
            if self.left < 0:
                return None
            ci, _, sizes = self.groups[place]
            if self._holds(place, lots) < missing or grams + ci * missing > self.most:
                continue
            for number, held in enumerate(accumulate(sizes[:lots], initial=0)):
                part = min(held, missing)
                open_steps.append((place + 1, number, lots - number, grams + ci * part, filled + part))
        return None

    def _know(self, lots: int) -> bool:
        """Sum up, for each group and those behind it, what up to so many lots hold at most; not beyond ``SUMS``."""
        if lots * len(self.groups) > SUMS:
            return False
        if lots > self._known:
            self._known = min(2 * lots, SUMS // len(self.groups))
            held: list[int] = []
            self._sums = [[0]]
            for *_, sizes in reversed(self.groups):
                held = sorted([*held, *sizes], reverse=True)[: self._known]
                self._sums.append([0, *accumulate(held)])
            self._sums.reverse()
        return True

    def _holds(self, place: int, lots: int) -> int:
        """Return what so many lots of a group and those behind it hold at most."""
        sums = self._sums[place]
        return sums[min(lots, len(sums) - 1)]

    def _reaches(self, taken: Sequence[int]) -> bool:
        """Tell whether the lots chosen, filled from the highest down, come to as many grams as there must be."""
        self.left -= len(taken) // 8
        missing, grams = self.wanted, 0
        chosen = zip(taken, self.groups, strict=False)
        for number, (_, value, sizes) in sorted(chosen, key=lambda one: one[1][1], reverse=True):
            part = min(sum(sizes[:number]), missing)
            missing, grams = missing - part, grams + value * part
        return grams >= self.least


def weighed(lots: Sequence[tuple[int, int, int]], most: int, least: int) -> tuple[Lots, list[int]]:
    """Return lots of a product as ``fewest`` compares them to bounds of zero, and their values for the lower bound.

    Args:
        lots: carbon intensity, pounds, and the yield: pounds of a bushel.
        most: the highest that the mean of the crop behind them may be.
        least: the lowest.
    """
    every = lcm(*(rate for *_, rate in lots))
    return (
        [(every // rate * (ci - most), size) for ci, size, rate in lots],
        [every // rate * (ci - least) for ci, _, rate in lots],
    )


def fewest(
    lots: Lots, wanted: int, most: int, least: int = 0, values: Sequence[int] | None = None
) -> MeanChoice | None:
    """Return the fewest lots that together give an amount at a mean within bounds, as near to the upper as they allow.

    It is exact where the bounds times the amount lie as far apart as the carbon intensities: else amounts in whole
    thousandths may miss them by less than one of these.

    Args:
        lots: carbon intensity and size of each.
        wanted: how much, above zero.
        most: the highest that the mean may be.
        least: the lowest.
        values: what each lot counts by for the lower bound, where that is another value than for the upper one.

    Returns:
        How much of which; None where the lots cannot give it.
    """
    under = values or [ci for ci, _ in lots]
    order = sorted(range(len(lots)), key=lambda place: (lots[place][0], under[place], -lots[place][1], place))
    if not within(lots, wanted, most):
        return None
    by_ci: dict[tuple[int, int], list[int]] = {}
    for place in order:
        by_ci.setdefault((lots[place][0], under[place]), []).append(place)
    groups = [(*value, [lots[place][1] for place in places]) for value, places in by_ci.items()]
    search = _Search(groups, wanted, least * wanted, most * wanted)
    chosen = order
    held = accumulate(sorted((size for _, size in lots), reverse=True))
    for number in range(next(k for k, size in enumerate(held, 1) if size >= wanted), len(lots) + 1):
        counts = search.counts(number)
        if counts is not None:
            pairs = zip(by_ci.values(), counts, strict=False)
            chosen = [place for places, count in pairs for place in places[:count]]
            break
        if search.left < 0:
            break
    taken = _raised(lots, _filled(lots, chosen, wanted), most * wanted, chosen)
    if sum(under[place] * amount for place, amount in taken.items()) < least * wanted:
        return None
    return MeanChoice({place: amount for place, amount in sorted(taken.items()) if amount}, search.left >= 0)


def within(lots: Lots, wanted: int, most: int) -> bool:
    """Tell whether lots can give an amount at a mean of at most so much, however many it takes."""
    order = sorted(range(len(lots)), key=lambda place: lots[place][0])
    lowest = _filled(lots, order, wanted)
    return sum(lowest.values()) == wanted and _grams(lots, lowest) <= most * wanted


def _grams(lots: Lots, taken: Mapping[int, int]) -> int:
    return sum(lots[place][0] * amount for place, amount in taken.items())


def _filled(lots: Lots, order: Sequence[int], wanted: int) -> dict[int, int]:
    """Return an amount taken of lots in an order."""
    taken: dict[int, int] = {}
    for place in order:
        amount = min(lots[place][1], wanted)
        if amount:
            taken[place] = amount
            wanted -= amount
    return taken


def _raised(lots: Lots, taken: dict[int, int], most: int, rising: Sequence[int]) -> dict[int, int]:
    """Return the same amount with more of the higher lots, as far as the grams allow.

    Nobody gives away a low carbon intensity that was not asked for.
    """
    slack = most - _grams(lots, taken)
    free = {place: lots[place][1] - taken.get(place, 0) for place in rising}
    open_ones = [place for place in rising if free[place]]
    for low in rising:
        for high in reversed(open_ones):
            step = lots[high][0] - lots[low][0]
            if step <= 0 or not taken.get(low):
                break
            moved = min(taken[low], free[high], slack // step)
            taken[low] -= moved
            taken[high] = taken.get(high, 0) + moved
            free[high] -= moved
            slack -= moved * step
        while open_ones and not free[open_ones[-1]]:
            open_ones.pop()
    return taken
