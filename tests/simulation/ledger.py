"""The auditor's books: stretches of serials in plain lists, and what came and went, counted by hand.

It shares no code with the package. A stretch (``Seg``) is a range of one origin with who, where, as what and since
when. Amounts are whole thousandths of a bushel or pound, yields whole millionths.
"""

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

STOCK = ("held", "unverified")
LIVE = (*STOCK, "in_transit", "disputed")
PRODUCTS = {"soybean_oil": ("soybeans",), "refined_soybean_oil": ("soybeans", "soybean_oil"), "ground_corn": ("corn",)}
"""What the simulation makes, and out of what."""
BACK = {"return": "giver", "reject": "taker", "settle": "entity"}
"""By what claims come back to who sold them, and which field says who gives them back."""
GONE = ("sale", "document", "process", "retire")
"""By what claims go on: grain must be behind them."""
TRADED = ("purchase", "assign", "sale", "document")
MILLION = 1_000_000
Event = dict[str, Any]
Key = tuple[str, str, int, int]
"""Owner, crop, harvest year and carbon intensity: whose equation."""
Spot = tuple[str, str, str]
"""Custodian, site and form."""


def thousandths(text: str, places: int = 3) -> int:
    whole, _, rest = text.partition(".")
    return int(whole + (rest + "0" * places)[:places])


def text_of(number: int, places: int = 3) -> str:
    return f"{number // 10**places}.{number % 10**places:0{places}d}"


@dataclass(frozen=True, slots=True)
class Seg:
    """A stretch of serials as it stands."""

    origin: str
    start: int
    stop: int
    crop: str
    year: int
    owner: str
    state: str
    form: str
    custodian: str
    site: str
    since: date
    acquired: date
    titled: date
    ci: int
    pounds: int = 0
    rate: int = 0
    supplier: str = ""
    batch: str = ""
    by: str = ""
    maker: str = ""
    """Whose it was when it became this product."""
    trades: tuple[str, ...] = ()
    """The trades by which it came to its owner, the last one last."""

    @property
    def size(self) -> int:
        return self.stop - self.start

    @property
    def amount(self) -> int:
        return self.pounds if self.form in PRODUCTS else self.size

    @property
    def key(self) -> Key | None:
        return (self.owner, self.crop, self.year, self.ci) if self.state in STOCK else None

    @property
    def spot(self) -> Spot:
        return (self.custodian, self.site, self.form)

    def part(self, start: int, stop: int) -> "Seg":
        """Return the stretch between two serials, pounds rounded down."""
        start, stop = max(start, self.start), min(stop, self.stop)
        if (start, stop) == (self.start, self.stop):
            return self
        supported = (stop - start) * self.rate // MILLION
        return replace(self, start=start, stop=stop, pounds=min(self.pounds, supported) if self.pounds else 0)

    def front(self, amount: int, whole: int) -> "Seg":
        """Return the first part that holds an amount; pounds use up their bushels rounded up."""
        if self.form not in PRODUCTS:
            return replace(self, stop=self.start + amount)
        used = -(-amount * MILLION // self.rate)
        return replace(self, stop=min(self.stop, self.start + min(used, whole)), pounds=amount)


@dataclass(slots=True)
class Deed:
    """An event as posted: what each stretch it made was cut from (None where it entered), and the stretch."""

    event: Event
    changed: list[tuple[Seg | None, Seg]]
    taken_back: str = ""


@dataclass(slots=True)
class Term:
    start: date
    end: date
    policy: str
    closed: bool = False


@dataclass(slots=True)
class Pile:
    """What one owner's claims at one place came to, day by day."""

    total: int = 0
    days: list[date] = field(default_factory=list)
    changes: dict[date, int] = field(default_factory=dict)

    def add(self, day: date, amount: int) -> None:
        if day not in self.changes:
            insort(self.days, day)
        self.changes[day] = self.changes.get(day, 0) + amount
        self.total += amount

    def on(self, day: date) -> int:
        """Return what it came to at the end of a day: what there is, less what came later."""
        return self.total - sum(self.changes[later] for later in self.days[bisect_right(self.days, day) :])


@dataclass(slots=True)
class Ledger:
    """Who has what, and what came and went."""

    segs: dict[str, list[Seg]] = field(default_factory=dict)
    terms: dict[str, list[Term]] = field(default_factory=dict)
    keepers: set[str] = field(default_factory=set)
    deeds: dict[str, Deed] = field(default_factory=dict)
    owned: dict[str, dict[tuple[str, int], Seg]] = field(default_factory=dict)
    came: dict[tuple[Key, int], int] = field(default_factory=dict)
    went: dict[tuple[Key, int], int] = field(default_factory=dict)
    between: dict[tuple[str, int], Seg] = field(default_factory=dict)
    """What is on its way or in dispute."""
    on_days: dict[date, list[Deed]] = field(default_factory=dict)
    lying: dict[str, dict[Spot, Pile]] = field(default_factory=dict)
    gone: dict[tuple[str, str, str], dict[date, int]] = field(default_factory=dict)
    """Claims on a crop that left an owner's own sites for good, less what came back of them, by day."""
    came_by: dict[str, dict[tuple[str, str], list[tuple[int, int]]]] = field(default_factory=dict)
    """By which giver which taker ever had serials, of the origins entered here: those that notices are about."""

    def at(self, origin: str, start: int, stop: int) -> list[Seg]:
        """Return the stretches that overlap some serials, cut to them."""
        segs = self.segs.get(origin, [])
        place = max(0, bisect_right(segs, start, key=lambda seg: seg.start) - 1)
        found = []
        while place < len(segs) and segs[place].start < stop:
            if segs[place].stop > start:
                found.append(segs[place].part(start, stop))
            place += 1
        return found

    def whole(self, piece: Seg) -> tuple[int, Seg]:
        """Return the stretch a piece is part of, and its place."""
        segs = self.segs[piece.origin]
        place = bisect_right(segs, piece.start, key=lambda seg: seg.start) - 1
        return place, segs[place]

    def take(self, pieces: Iterable[Seg], wanted: int) -> list[Seg]:
        """Return pieces from the front that hold an amount; the last one is cut."""
        taken = []
        for piece in pieces:
            if wanted <= 0:
                break
            taken.append(piece if piece.amount <= wanted else piece.front(wanted, self.whole(piece)[1].size))
            wanted -= taken[-1].amount
        return taken

    def write(self, event: Event, changes: Sequence[tuple[Seg, dict[str, Any]]], entering: Sequence[Seg] = ()) -> None:
        """Change pieces of stretches, leave the rests, count everything, and remember what was before."""
        day = date.fromisoformat(event["day"])
        if event["id"] not in self.deeds:
            self.deeds[event["id"]] = Deed(event, [])
            self.on_days.setdefault(day, []).append(self.deeds[event["id"]])
        deed = self.deeds[event["id"]]
        by_whole: dict[tuple[str, int], list[tuple[Seg, dict[str, Any]]]] = {}
        for piece, change in changes:
            _, whole = self.whole(piece)
            by_whole.setdefault((whole.origin, whole.start), []).append((piece, change))
        for (origin, start), pieces in by_whole.items():
            place, whole = self.whole(self.at(origin, start, start + 1)[0])
            made = [replace(piece, **{"trades": self.trades(event, piece), **change}) for piece, change in pieces]
            left = rests(whole, [piece for piece, _ in pieces])
            left = [replace(one, state="lost", since=day) if one.form in PRODUCTS and not one.pounds else one
                    for one in left]  # fmt: skip
            for (piece, _), after in zip(pieces, made, strict=True):
                self.passed_on(event, piece, after, day)
            now = sorted([*made, *left], key=lambda seg: seg.start)
            self.segs[origin][place : place + 1] = now
            self.forget(whole, day)
            for seg in now:
                self.remember(seg, whole, day)
            deed.changed.extend((whole, seg) for seg in made)
        for one in entering:
            seg = replace(one, trades=(event["id"],)) if event["type"] in TRADED else one
            insort(self.segs.setdefault(seg.origin, []), seg, key=lambda one: one.start)
            self.remember(seg, None, day)
            deed.changed.append((None, seg))

    def passed_on(self, event: Event, before: Seg, after: Seg, day: date) -> None:
        """Count a claim that went on from an own site without coming to another, or came back."""
        kind, root = event["type"], event
        while root["type"] == "correct":
            root = self.deeds[root["movement"]].event
        for seg, sign in ((before, 1), (after, -1)):
            other = after if sign > 0 else before
            own = seg.form == seg.crop and seg.state in STOCK and seg.owner == seg.custodian
            same = (other.form, other.owner, other.custodian) == (seg.form, seg.owner, seg.owner)
            if not own or (same and other.state in STOCK):
                continue
            mine = kind != "correct" or seg.owner in (root.get("giver"), root.get("entity"))
            back = kind == "correct" and root["type"] in BACK and seg.owner != root[BACK[root["type"]]]
            if (root["type"] in GONE and mine) or back or (sign < 0 and kind in BACK):
                days = self.gone.setdefault((seg.owner, seg.crop, seg.site), {})
                days[day] = days.get(day, 0) + sign * seg.size

    def trades(self, event: Event, piece: Seg) -> tuple[str, ...]:
        """Return by which trades a piece is its owner's after an event."""
        if event["type"] in TRADED:
            return (*piece.trades, event["id"])
        if event["type"] in ("slip", "share"):
            return ()
        if event["type"] not in ("return", "reject", "correct"):
            return piece.trades
        changed = self.deeds[event["movement"]].changed
        old = [was for was, now in changed if now.origin == piece.origin and now.start <= piece.start < now.stop]
        return old[0].trades if old and old[0] else ()

    def forget(self, seg: Seg, day: date) -> None:
        if seg.state in STOCK:
            self.owned[seg.owner].pop((seg.origin, seg.start))
            self.pile(seg).add(day, -seg.amount)
        self.between.pop((seg.origin, seg.start), None)

    def remember(self, seg: Seg, before: Seg | None, day: date) -> None:
        if seg.supplier and (before is None or seg.supplier != before.supplier or seg.owner != before.owner):
            ways = self.came_by.get(seg.origin)
            if ways is not None:
                ways.setdefault((seg.supplier, seg.owner), []).append((seg.start, seg.stop))
        if seg.state in STOCK:
            self.owned.setdefault(seg.owner, {})[seg.origin, seg.start] = seg
            self.pile(seg).add(day, seg.amount)
        elif seg.state in LIVE:
            self.between[seg.origin, seg.start] = seg
        was = before.key if before else None
        if was != seg.key:
            self.count(self.went, was, seg.size, day)
            self.count(self.came, seg.key, seg.size, day)

    def pile(self, seg: Seg) -> Pile:
        return self.lying.setdefault(seg.owner, {}).setdefault(seg.spot, Pile())

    def term(self, who: str, day: date) -> int:
        """Return the number of the period that holds a day; -1 for none. Periods follow one another."""
        terms = self.terms.get(who, [])
        place = bisect_right(terms, day, key=lambda term: term.start) - 1
        return place if place >= 0 and day <= terms[place].end else -1

    def count(self, book: dict[tuple[Key, int], int], key: Key | None, size: int, day: date) -> None:
        if key is not None and key[0] in self.keepers:
            place = self.term(key[0], day)
            book[key, place] = book.get((key, place), 0) + size

    def lay(self, owner: str, day: date) -> dict[Spot, int]:
        """Return what an owner's claims came to at the end of a day, by place and form."""
        found = {spot: pile.on(day) for spot, pile in self.lying.get(owner, {}).items()}
        return {spot: amount for spot, amount in found.items() if amount}


def rests(whole: Seg, pieces: Sequence[Seg]) -> list[Seg]:
    """Return what pieces leave of a stretch; pounds that rounding loses are lost."""
    spare = whole.pounds - sum(piece.pounds for piece in pieces)
    ordered = sorted(pieces, key=lambda piece: piece.start)
    starts = [whole.start, *(piece.stop for piece in ordered)]
    stops = [*(piece.start for piece in ordered), whole.stop]
    left = []
    for start, stop in zip(starts, stops, strict=True):
        if start < stop:
            pounds = min(spare, (stop - start) * whole.rate // MILLION) if whole.form in PRODUCTS else 0
            spare -= pounds
            left.append(replace(whole, start=start, stop=stop, pounds=pounds))
    return left


def in_proportion(segs: Sequence[Seg], wanted: int) -> dict[int, int]:
    """Split an amount over carbon intensities as the stock is split: largest remainder, ties to the lower one."""
    held: dict[int, int] = {}
    for seg in segs:
        held[seg.ci] = held.get(seg.ci, 0) + seg.amount
    total = sum(held.values())
    split = {ci: amount * wanted // total for ci, amount in held.items()}
    by_rest = sorted(held, key=lambda ci: (-(held[ci] * wanted % total), ci))
    for ci in by_rest[: wanted - sum(split.values())]:
        split[ci] += 1
    return split
