"""What a request is made of: a seeded hand, a look at the auditor's ledger and what was asked before."""

from datetime import timedelta
from itertools import islice
from random import Random
from typing import Any

from tests.simulation.auditor import Auditor
from tests.simulation.cast import FIRST_DAY, SITES
from tests.simulation.ledger import PRODUCTS, Event, Seg, text_of
from tests.simulation.texts import seen


class Maker:
    """Makes parts of requests, looking at the auditor's ledger to make most of them possible."""

    def __init__(self, seed: int, auditor: Auditor) -> None:
        self.random = Random(seed)
        self.auditor = auditor
        self.day = FIRST_DAY
        self.quarter = FIRST_DAY
        self.number = 0
        self.year = 2025
        self.origins: list[str] = []
        self.recent: list[Event] = []
        self.open_sales: list[Event] = []
        self.open_slips: list[str] = []
        self.open_pending: list[str] = []
        self.suspended: list[str] = []
        self.sited: dict[str, list[Event]] = {}

    def event(self, kind: str, **fields: Any) -> Event:  # noqa: ANN401 - fields of any event
        self.number += 1
        made = {"type": kind, "id": f"m{self.number}", "day": self.day.isoformat(), **fields}
        self.recent = [*self.recent[-40:], made]
        return made

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def some(self, most: int) -> int:
        """Return an amount up to the most there is: often whole bushels, often odd thousandths."""
        amount = self.random.randrange(1, max(2, most + 1))
        return amount // 1000 * 1000 if amount > 1000 and self.chance(0.5) else amount

    def noted(self, event: Event) -> None:
        """Remember what was posted and waits for an answer."""
        event = seen(event)
        match event["type"]:
            case "sale" | "document":
                self.open_sales.append(event)
            case "accept" | "reject":
                self._answered(event["movement"])
            case "slip":
                self.open_slips.append(event["id"])
            case "purchase_pending":
                self.open_pending.append(event["id"])
            case "purchase" | "assign" | "correct":
                slips = self.auditor.slips
                self.open_slips = [slip for slip in self.open_slips[-80:] if slips[slip].open]
            case "report":
                name = f"{event['entity']}/{event['crop']}/{event['harvest_year']}"
                self.origins = [*(origin for origin in self.origins[-30:] if origin != name), name]
            case "shipment" | "receipt" | "close_site" as kind:
                self.sited[kind] = [*self.sited.get(kind, ())[-30:], event]
            case "suspend":
                self.suspended.append(event["origin"])
            case "reinstate" | "withdraw":
                self.suspended = [origin for origin in self.suspended if origin != event["origin"]]

    def at(self, who: str) -> str:
        """Return a site of an entity, rarely one that it does not have."""
        if self.chance(0.01):
            return "nowhere"
        return self.random.choice(SITES[who]) if who in SITES else ""

    def maybe_early(self, event: Event) -> Event:
        """Sometimes date an event back, as far as into a closed period."""
        if self.chance(0.05):
            event["day"] = (self.day - timedelta(days=self.random.choice((1, 2, 9, 120, 400)))).isoformat()
        return event

    def latest(self, number: int) -> list[Event]:
        return [deed.event for deed in islice(reversed(self.auditor.books.deeds.values()), number)][::-1]

    def _answered(self, movement: str) -> None:
        """Forget a sale: nearly always one of the oldest."""
        for at, sale in enumerate(self.open_sales):
            if sale["id"] == movement:
                del self.open_sales[at]
                return

    # of what an entity has

    def holding(self, who: str) -> tuple[str, str, list[Seg]]:
        """Return a crop, a form and what an entity has of it: something it has, if it has anything."""
        segs = list(self.auditor.books.owned.get(who, {}).values())
        if not segs or self.chance(0.02):
            return "soybeans", "soybeans", []
        one = self.random.choice(segs)
        return one.crop, one.form, [seg for seg in segs if (seg.crop, seg.form) == (one.crop, one.form)]

    def claims(self, held: tuple[str, str, list[Seg]], site: str = "") -> Event:
        """Return which claims an event takes: some of what there is, or what there is not."""
        crop, form, segs = held
        mine = [seg for seg in segs if site in ("", seg.site)] or segs
        more: Event = {"crop": crop} if form == crop else {"crop": crop, "form": form}
        unit = "pounds" if form in PRODUCTS else "bushels"
        if mine and self.chance(0.55):
            return {**more, **self.named(self.random.choice(mine), unit)}
        total = sum(seg.amount for seg in mine)
        most = total // 2 if self.chance(0.9) else total * 12 // 10
        more[unit] = text_of(self.some(max(most, 1000)))
        if mine and self.chance(0.1):
            more["ci_min"] = text_of(self.random.choice(mine).ci, 2)
        if mine and self.chance(0.1):
            more["ci_max"] = text_of(self.random.choice(mine).ci, 2)
        if self.chance(0.05):
            more["harvest_year"] = self.year
        return more

    def named(self, seg: Seg, unit: str) -> Event:
        start, stop, more = seg.start, seg.stop, {}
        if self.chance(0.3):
            stop = start + self.some(seg.size)
        if self.chance(0.1):
            start = self.random.randrange(start, stop)
        if self.chance(0.03):
            start, stop = max(0, start - 1), stop + 1
        if self.chance(0.1):
            more[unit] = text_of(self.some(seg.part(start, stop).amount * 11 // 10))
        if self.chance(0.01):
            stop = start
        return {"lots": [{"origin": seg.origin, "start": text_of(start), "stop": text_of(stop)}], **more}
