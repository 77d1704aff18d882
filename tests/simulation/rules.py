"""What every rule of the auditor needs: who, where and when, which claims there are, and what lies at a site.

Nothing here or beside it shares code with the package.
"""

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn

from tests.simulation.ledger import LIVE, PRODUCTS, Event, Ledger, Seg, Spot, Term, in_proportion
from tests.simulation.ledger import thousandths as th
from tests.simulation.texts import UnseenError, seen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TRADERS = {"first_point", "intermediary", "refiner"}
STORERS = TRADERS | {"service_provider"}
BUYERS = {"first_point", "refiner"}
GROWERS = {"farm", "landowner"}
BACK = {"reject": "taker", "return": "giver", "correct": "entity", "settle": "entity"}
"""Acts by which something comes back, and who enters them."""
RESTED = ("loss", "move")
"""What happens to grain whatever its report says."""
CROPS = ("soybeans", "corn", "sorghum")
Spans = list[tuple[int, int]]
SIGNS = {"in": 1, "out": -1, "measured": 0}


class RefusedError(Exception):
    """Carries the name of a refusal."""


class StandsError(Exception):
    """Ends a trial at the point where an event would stand."""


def refuse(status: str) -> NoReturn:
    raise RefusedError(status)


def need(condition: object, status: str) -> None:
    if not condition:
        raise RefusedError(status)


@dataclass(slots=True)
class Origin:
    farm: str
    crop: str
    year: int
    bushels: int
    ci: int
    day: date
    issued: int
    number: int = 1
    standing: str = "active"
    report: bool = True
    blind: bool = False
    resting: Spans = field(default_factory=list)
    said: list[tuple[date, int, Spans]] = field(default_factory=list)
    """Carbon intensities that came later: the day, and the serials where some were named."""
    heard: list[int] = field(default_factory=list)
    """Every carbon intensity, the first one too: as ``said``, which has one less."""

    def __post_init__(self) -> None:
        self.heard = [self.ci]

    def tell(self, day: date, ci: int, spans: Spans) -> None:
        """Note a carbon intensity that came later."""
        self.said.append((day, ci, spans))
        self.heard.append(ci)

    def grew_worse(self, ci: int, day: date) -> bool:
        """Tell whether a paper of a day may still bear a carbon intensity: the next one came on its day or later."""
        return any(then == ci and day <= later for then, (later, _, _) in zip(self.heard, self.said, strict=False))


@dataclass(slots=True)
class Slip:
    giver: str
    taker: str
    origin: str
    open: Spans
    day: date
    spans: Spans


@dataclass(slots=True)
class Afar:
    """A ticket of a destination; without a sale once that is taken back."""

    crop: str
    day: date
    amount: int
    sale: str


@dataclass(slots=True)
class Waiting:
    """A purchase whose report comes later."""

    giver: str
    taker: str
    site: str
    crop: str
    year: int
    bushels: int
    left: int
    day: date


@dataclass(slots=True)
class Weight:
    """A ticket or a measurement; ``source`` is the own ticket out with which its grain came."""

    day: date
    kind: str
    amount: int
    form: str = ""
    source: "Weight | None" = None
    void: bool = False


@dataclass(slots=True)
class Shut:
    """A site that is closed from a day on; said ahead it runs until then."""

    day: date
    ahead: bool

    def on(self, day: date) -> bool:
        return not self.ahead or self.day <= day


@dataclass(slots=True)
class Contract:
    """What a seller agreed with a buyer: from when on, of which form, within which carbon intensities."""

    taker: str
    start: date
    form: str
    low: int | None
    high: int | None


@dataclass(slots=True)
class Rules:
    """The auditor's memory, and the one way to an answer."""

    books: Ledger = field(default_factory=Ledger)
    roles: dict[str, str] = field(default_factory=dict)
    sites: dict[str, list[str]] = field(default_factory=dict)
    origins: dict[str, Origin] = field(default_factory=dict)
    statements: dict[str, list[tuple[date, date, list[str], str]]] = field(default_factory=dict)
    slips: dict[str, Slip] = field(default_factory=dict)
    by_origin: dict[str, list[Slip]] = field(default_factory=dict)
    waiting: dict[str, Waiting] = field(default_factory=dict)
    grain: dict[Spot, list[Weight]] = field(default_factory=dict)
    numbers: dict[tuple[str, str, str], Weight] = field(default_factory=dict)
    """Tickets and measurements by custodian, site and number."""
    shut: dict[tuple[str, str], Shut] = field(default_factory=dict)
    contracts: dict[tuple[str, str], Contract] = field(default_factory=dict)
    yields: dict[Spot, list[tuple[date, date, str, int, str]]] = field(default_factory=dict)
    afar: dict[tuple[str, str, str], Afar] = field(default_factory=dict)
    """Grain that went straight to the buyer, by seller, buyer and number: what the tickets of its destination say."""
    batches: dict[str, dict[str, tuple[int, int]]] = field(default_factory=dict)
    """Batches of a campaign that stand: what went in and came out."""
    crushed: dict[str, tuple[int, int]] = field(default_factory=dict)
    claimed: dict[str, dict[str, tuple[int, int]]] = field(default_factory=dict)
    trued: set[tuple[str, str]] = field(default_factory=set)
    documents: set[tuple[str, str]] = field(default_factory=set)
    seen: dict[str, Event] = field(default_factory=dict)
    short: dict[str, Spans] = field(default_factory=dict)
    """Serials retired before their report lost them, by origin."""
    trial: bool = False

    # the answer

    def answer(self, event: Event) -> str:
        """Say which answer is right, and remember the event when it is to stand."""
        try:
            event = seen(event)
        except UnseenError:
            return "field_unreadable"
        if event["id"] in self.seen:
            return "exists" if self.seen[event["id"]] == event else "id_has_other_content"
        if event["day"] < "2025-01-17":
            return "rule_not_in_force"
        judge: Callable[[Event, date], None] = getattr(self, "on_" + event["type"])
        day, year = date.fromisoformat(event["day"]), event.get("harvest_year", 0)
        try:
            need(not year or 2024 <= year <= day.year - (day.month < 6), "harvest_year_not_possible")
            judge(event, day)
        except RefusedError as refused:
            return str(refused)
        if self.trial:
            raise StandsError
        self.seen[event["id"]] = event
        if event["id"] not in self.books.deeds:
            self.books.write(event, [])
        return "posted"

    def would(self, event: Event) -> str:
        """Say which answer would be right now, and change nothing."""
        self.trial = True
        try:
            return self.answer(event)
        except StandsError:
            return "posted"
        finally:
            self.trial = False

    def stands(self) -> None:
        """Mark the point before which an event is judged and after which it is written."""
        if self.trial:
            raise StandsError

    def running(self, event: Event, changes: list[tuple[Seg, dict[str, Any]]], entering: tuple[Seg, ...] = ()) -> None:
        """Refuse what a closed site neither gives nor takes; what another gives back lies there all the same."""
        day, kind = date.fromisoformat(event["day"]), event["type"]
        enters = event[BACK[kind]] if kind in BACK else None
        moved = [(seg, replace(seg, **change)) for seg, change in changes if change.get("by") == event["id"]]
        places = [(seg.custodian, seg.site) for seg, _ in moved if kind in ("sale", "retire")]
        there = [seg for _, seg in moved] + list(entering)
        places += [(seg.custodian, seg.site) for seg in there if seg.state in LIVE and enters in (None, seg.custodian)]
        need(not any(self.shut[place].on(day) for place in places if place in self.shut), "site_closed")

    def write(self, event: Event, changes: list[tuple[Seg, dict[str, Any]]], entering: tuple[Seg, ...] = ()) -> None:
        self.running(event, changes, entering)
        self.stands()
        self.books.write(event, changes, entering)

    # who, where and when

    def role(self, who: str) -> str:
        need(who in self.roles, "entity_not_found")
        return self.roles[who]

    def site(self, who: str, named: str) -> str:
        if named in self.sites[who]:
            return named
        running = [site for site in self.sites[who] if (who, site) not in self.shut or self.shut[who, site].ahead]
        if len(self.sites[who]) == 1:
            running = self.sites[who]
        need(not named and len(running) == 1, "site_not_found")
        return running[0]

    def home(self, who: str, named: str) -> str:
        return self.site(who, named) if named or self.sites[who] else ""

    def term(self, who: str, day: date) -> Term | None:
        place = self.books.term(who, day)
        return None if place < 0 else self.books.terms[who][place]

    def open(self, who: str, day: date) -> str:
        """Refuse a day without an open period; return the period's policy."""
        term = self.term(who, day)
        if self.roles[who] not in TRADERS and term is None:
            # Whoever kept a balance keeps what it has closed, whatever it is now.
            need(not any(one.closed and day <= one.end for one in self.books.terms.get(who, [])), "period_closed")
            return "oldest_first"
        if term is None:
            refuse("period_not_declared")
        need(not term.closed, "period_closed")
        return term.policy

    def verified(self, supplier: str, day: date, crop: str) -> bool:
        known = [one for one in self.statements.get(supplier, []) if crop in one[2]]
        covering = [one for one in known if one[0] <= day <= one[1]]
        opinions = [opinion for _, _, _, opinion in covering if not opinion.endswith("contracted")]
        if opinions:
            return opinions[-1] != "adverse"
        for first, _, _, opinion in covering:
            since = min((one[0] for one in known if one[3] == opinion), default=first)
            past = sorted((one for one in known if one[1] < day and not one[3].endswith("contracted")),
                          key=lambda one: one[1])  # fmt: skip
            if opinion == "next_audit_contracted":
                if not past or past[-1][3] == "adverse":
                    continue
                since = past[-1][1] + timedelta(days=1)
            elif past:
                continue
            months = (day.year - since.year) * 12 + day.month - since.month
            if months < 15 or (months == 15 and day.day < since.day):
                return True
        return False

    # choosing claims

    def named(self, ranges: list[tuple[str, int, int]]) -> list[Seg]:
        pieces = []
        for origin, start, stop in ranges:
            need(origin in self.origins, "outside_origin")
            found = self.books.at(origin, start, stop)
            need(sum(seg.size for seg in found) == stop - start, "outside_origin")
            pieces.extend(found)
        return pieces

    def good(self, origins: list[str], pieces: "Sequence[Seg]" = (), *, rested: bool = False) -> None:
        need(all(self.origins[name].standing != "withdrawn" for name in origins), "report_withdrawn")
        if rested:
            return
        need(all(self.origins[name].standing != "suspended" for name in origins), "report_suspended")
        need(not any(self.rests(seg) for seg in pieces), "report_suspended")

    def rests(self, seg: Seg) -> bool:
        """Tell whether a giver's notice suspended any of a stretch."""
        return any(seg.start < high and low < seg.stop for low, high in self.origins[seg.origin].resting)

    def givable(
        self,
        pieces: list[Seg],
        day: date,
        giver: str,
        states: tuple[str, ...],
        form: str,
        place: tuple[str, str] | None = None,
    ) -> None:
        """Walk through what could be wrong with giving these pieces, in the documented order."""
        need(all(seg.owner == giver and seg.state in LIVE for seg in pieces), "not_held")
        need(all(seg.state != "in_transit" or seg.state in states for seg in pieces), "in_transit")
        need(all(seg.state != "disputed" or seg.state in states for seg in pieces), "in_dispute")
        need(all(seg.form == form for seg in pieces), "other_form")
        need(all(place in (None, (seg.custodian, seg.site)) for seg in pieces), "other_site")
        need(all(seg.state != "unverified" or seg.state in states for seg in pieces), "unverified")
        need(all(seg.since <= day for seg in pieces), "not_held_yet")

    def choosing(self, event: Event) -> tuple[str, int]:
        """Refuse what no stock can answer; return form and amount."""
        need(event["crop"] in CROPS, "crop_not_covered")
        form = event.get("form") or event["crop"]
        of_crop = form == event["crop"] or event["crop"] in PRODUCTS.get(form, ())
        need(of_crop, "form_not_possible")
        other = "bushels" if form in PRODUCTS else "pounds"
        need(other not in event, "amount_not_positive")
        wanted = th(event.get("pounds" if form in PRODUCTS else "bushels", "0"))
        need(wanted > 0 or ("lots" in event and not wanted), "amount_not_positive")
        ranges_of(event)
        return form, wanted

    def choose(
        self, event: Event, giver: str, states: tuple[str, ...], policy: str, place: tuple[str, str] | None = None
    ) -> list[Seg]:
        """Return the pieces that an event takes from a stock."""
        form, wanted = self.choosing(event)
        day = date.fromisoformat(event["day"])
        low, high = th(event.get("ci_min", "0"), 2), th(event.get("ci_max", "99999999"), 2)
        if "lots" in event:
            ranges = ranges_of(event)
            pieces = self.named(ranges)
            self.good([origin for origin, _, _ in ranges], pieces, rested=event["type"] in RESTED)
            self.givable(pieces, day, giver, states, form, place)
            need(all(low <= seg.ci <= high for seg in pieces), "outside_ci_range")
            need(sum(seg.amount for seg in pieces) >= wanted, "exceeds_stock")
            return self.books.take(pieces, wanted) if wanted else pieces
        year = event.get("harvest_year", 0)
        pool = [seg for seg in self.books.owned[giver].values() if (seg.crop, seg.form) == (event["crop"], form)]
        pool = [seg for seg in pool if year in (0, seg.year)]
        enough = sum(seg.amount for seg in pool) >= wanted
        tests: tuple[tuple[str, Callable[[Seg], bool]], ...] = (
            (
                "report_suspended",
                lambda seg: (
                    event["type"] in RESTED or (self.origins[seg.origin].standing == "active" and not self.rests(seg))
                ),
            ),
            ("other_site", lambda seg: place in (None, (seg.custodian, seg.site))),
            ("unverified", lambda seg: seg.state in states),
            ("not_held_yet", lambda seg: seg.since <= day),
            ("outside_ci_range", lambda seg: low <= seg.ci <= high),
        )
        for status, test in tests:
            pool = [seg for seg in pool if test(seg)]
            need(not enough or sum(seg.amount for seg in pool) >= wanted, status)
        need(enough, "exceeds_stock")
        need(policy != "named", "lots_not_named")
        if event["type"] in ("sale", "retire"):
            shut = {place for place, one in self.shut.items() if one.on(day)}
            pool = [seg for seg in pool if (seg.custodian, seg.site) not in shut]
            need(sum(seg.amount for seg in pool) >= wanted, "site_closed")
        pool.sort(key=lambda seg: (seg.acquired, seg.origin, seg.start))
        return self.spread(pool, wanted) if policy == "proportional" else self.books.take(pool, wanted)

    def spread(self, pool: list[Seg], wanted: int) -> list[Seg]:
        """Take from every carbon intensity its share, the oldest first within each."""
        taken: list[Seg] = []
        for ci, share in sorted(in_proportion(pool, wanted).items()):
            taken.extend(self.books.take([seg for seg in pool if seg.ci == ci], share))
        return taken

    # grain

    def weighed(self, spot: Spot, weight: Weight) -> None:
        self.grain.setdefault(spot, []).append(weight)

    def stock(self, spot: Spot, day: date, *, before_measuring: bool = False) -> int | None:
        """Return what lies at a place: the last measurement, and what came and left on later days."""
        known = [one for one in self.grain.get(spot, []) if one.day <= day and not one.void]
        if before_measuring:
            known = [one for one in known if one.day < day or one.kind != "measured"]
        if not known:
            return None
        base, since = 0, date.min
        for one in known:
            if one.kind == "measured" and one.day >= since:
                since, base = one.day, one.amount
        return base + sum(one.amount * SIGNS[one.kind] for one in known if one.day > since)

    def claims_at(self, spot: Spot) -> int:
        return sum(piles[spot].total for piles in self.books.lying.values() if spot in piles)

    def claims_on(self, spot: Spot, day: date) -> int:
        """Return everybody's claims at a place at the end of a day."""
        return sum(piles[spot].on(day) for piles in self.books.lying.values() if spot in piles)


def ranges_of(event: Event) -> list[tuple[str, int, int]]:
    """Return the serials an event names, or refuse empty and overlapping ones."""
    ranges = [(one["origin"], th(one["start"]), th(one["stop"])) for one in event.get("lots", [])]
    ordered = sorted(ranges)
    need(all(start < stop for _, start, stop in ranges), "span_not_possible")
    apart = all(one[0] != other[0] or one[2] <= other[1] for one, other in pairwise(ordered))
    need(apart, "span_not_possible")
    return ranges


def merged(spans: Spans) -> Spans:
    """Return spans sorted, with those that touch made one."""
    found: Spans = []
    for start, stop in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(stop, found[-1][1]))
        else:
            found.append((start, stop))
    return found


def without(span: tuple[int, int], taken: Spans) -> Spans:
    """Return what is left of a span when others are taken out."""
    start, stop = span
    left: Spans = []
    for low, high in sorted(taken):
        if start < low and start < stop:
            left.append((start, min(low, stop)))
        start = max(start, high)
    return [*left, (start, stop)] if start < stop else left
