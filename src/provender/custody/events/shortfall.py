"""Which serials bear the bushels that a report lost (interpretation 35): the order, and what a book cannot know.

Unsold serials come first: the farm's own, then a landowner's share, each from the highest serial down. Then what was
sold, the latest first: claims by the day their holder acquired them, and serials that a sale slip signed away but
nobody has purchased here by the day of the slip. A slip to a house whose book is elsewhere counts like any other.

A book sees only the slips it was given. What it takes for unsold, the farm may have sold to a house elsewhere; then the
shortfall falls on somebody in truth, and this book does not show it. That is said as a doubt (``doubts``).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, Final

from provender.custody.model.amounts import BUSHEL, show_amount
from provender.custody.model.entities import GROWERS, Entity
from provender.custody.model.lots import LIVE, Lot, Piece, Span, part
from provender.custody.model.origins import Origin, OriginKind, Slip
from provender.custody.model.store_view import StoreView
from provender.problem import Place, Problem, Weight

CODE: Final = "unsold_not_shown"
"""The doubt: bushels were taken as unsold, and no slip shows that nobody else bought them."""


@dataclass(frozen=True, slots=True)
class Borne:
    """Who bears missing bushels.

    Attributes:
        unsold: pieces that a grower has and no slip signs away, as far as this book knows.
        sold: pieces that a slip signed away or a trader holds.
    """

    unsold: tuple[Piece, ...] = ()
    sold: tuple[Piece, ...] = ()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Return all of them."""
        return (*self.unsold, *self.sold)

    @property
    def bushels(self) -> int:
        """Return how many bushels they bear, in thousandths."""
        return sum(piece.crop_amount for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class QuestionedBushels:
    """Bushels that a book took for unsold when a report shrank, told to each holder of claims on that report.

    Attributes:
        event: the report's new version.
        holder: whom it concerns.
        origin: whose serials.
        day: the day of the new version.
        bushels: thousandths taken for unsold.
    """

    kind: ClassVar[str] = "doubted"
    event: str
    holder: str
    origin: str
    day: date
    bushels: int

    @property
    def key(self) -> str:
        """Return what the record is found by."""
        return f"{self.event}/unsold/{self.holder}"

    @property
    def group(self) -> str:
        """Doubts are listed per holder."""
        return self.holder


def doubts(facts: StoreView, holder: str) -> list[Problem]:
    """Return what a holder should ask, since its book cannot know whether bushels were unsold (interpretation 35)."""
    found = []
    for one in facts.many(QuestionedBushels, holder):
        amount = show_amount(one.bushels, BUSHEL)
        cause = f"{amount} missing since {one.day} were taken as unsold: this book has no slip of them to anybody."
        remedy = "Ask the farm for its slips to other houses; release without claim what of the shortfall is yours."
        place = Place(one.event, column="bushels")
        found.append(Problem(place, cause, remedy, "2100.032(a)", Weight.CONFIRM, CODE))
    return found


def doubted(origin: Origin, event: str, day: date, borne: Borne, lots: Iterable[Lot]) -> list[QuestionedBushels]:
    """Return the doubt for each holder of claims that a wrong guess would have spared; none where none was made."""
    bushels = sum(piece.crop_amount for piece in borne.unsold)
    growers = {origin.issuer, *(piece.lot.owner for piece in borne.unsold)}
    holders = sorted({lot.owner for lot in lots if lot.state in LIVE} - growers) if bushels else []
    return [QuestionedBushels(event, holder, origin.id, day, bushels) for holder in holders]


def who_bears(facts: StoreView, origin: Origin, lots: Sequence[Lot], bushels: int) -> Borne:
    """Return who bears so many missing bushels, in the order of the reading.

    Args:
        facts: the store.
        origin: whose report.
        lots: the current lots of the origin, lowest first.
        bushels: how many are missing, in thousandths; nothing where none are.
    """
    found = []
    for pieces in _in_order(facts, origin, lots):
        taken: list[Piece] = []
        for piece in pieces:
            if bushels <= 0:
                break
            taken.append(_top(piece, bushels))
            bushels -= taken[-1].crop_amount
        found.append(tuple(taken))
    return Borne(*found)


def named(lots: Sequence[Lot], spans: Iterable[Span]) -> Borne:
    """Return what can still move among serials that a wider book found to bear the shortfall."""
    live = [lot for lot in lots if lot.state in LIVE]
    pieces = (part(lot, *span) for span in spans for lot in live if lot.start < span[1] and span[0] < lot.stop)
    return Borne(sold=tuple(pieces))


def signed_away(facts: StoreView, origin: str) -> Iterator[tuple[Span, Slip]]:
    """Yield the serials of an origin that sale slips assign and nobody has purchased here, with their slip."""
    for slip in facts.many(Slip, origin):
        for span in slip.open_spans:
            yield span, slip


def _in_order(facts: StoreView, origin: Origin, lots: Sequence[Lot]) -> tuple[list[Piece], list[Piece]]:
    live = [lot for lot in lots if lot.state in LIVE]
    growers = {name for name in {lot.owner for lot in live} if _grows(facts, origin, name)}
    signed = sorted((span, slip.day, slip.giver) for span, slip in signed_away(facts, origin.id))
    free: list[Piece] = []
    sold: list[tuple[date, int, Piece]] = []
    for lot in live:
        if lot.owner not in growers:
            sold.append((lot.acquired, lot.start, part(lot, lot.start, lot.stop)))
            continue
        for start, stop, day in _stretches(lot, [one for one in signed if one[2] == lot.owner]):
            piece = part(lot, start, stop)
            if day is None:
                free.append(piece)
            else:
                sold.append((day, start, piece))
    free.sort(key=lambda one: (one.lot.owner != origin.issuer, -one.start))
    sold.sort(key=lambda one: one[:2], reverse=True)
    return free, [piece for _, _, piece in sold]


def _grows(facts: StoreView, origin: Origin, name: str) -> bool:
    """Tell whether somebody's serials are a grower's own, which count as sold only where a slip signs them away."""
    if name == origin.issuer:
        return True
    holder = facts.one(Entity, name)
    return origin.source is OriginKind.REPORT and holder is not None and holder.may(GROWERS)


def _stretches(lot: Lot, signed: Sequence[tuple[Span, date, str]]) -> Iterator[tuple[int, int, date | None]]:
    """Yield a lot's serials cut where slips begin and end, each with the slip's day, None where there is no slip."""
    cursor = lot.start
    for (low, high), day, _ in signed:
        start, stop = max(low, cursor), min(high, lot.stop)
        if start < stop:
            if cursor < start:
                yield cursor, start, None
            yield start, stop, day
            cursor = stop
    if cursor < lot.stop:
        yield cursor, lot.stop, None


def _top(piece: Piece, bushels: int) -> Piece:
    """Return the upper end of a piece, at most so many bushels; the rest keeps its share of a product, rounded down."""
    start = max(piece.start, piece.stop - bushels)
    if start == piece.start:
        return piece
    kept = piece.product * (start - piece.start) // piece.crop_amount
    return Piece(piece.lot, start, piece.stop, piece.product - kept)
