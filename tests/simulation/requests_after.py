"""Requests about what was asked before: returns, corrections, the same again, periods and closes that cannot be."""

from datetime import timedelta

from tests.simulation.cast import BOOKS, FIRST_DAY, SELLERS, SITES, UNPROVEN, quarter_after
from tests.simulation.ledger import Event, text_of
from tests.simulation.quarters import Quarters


class AfterRequests(Quarters):
    """What comes back to earlier requests or to the frame of the quarters."""

    def back(self) -> Event | None:
        kinds = ("sale", "sale", "purchase", "assign", "document") if self.chance(0.98) else ("slip",)
        sales = [event for event in self.latest(400) if event["type"] in kinds]
        if not sales:
            return None
        sale = self.random.choice(sales)
        giver, taker = sale["taker"], sale["giver"]
        if self.chance(0.03):
            taker = SELLERS[0]
        deed = self.auditor.books.deeds[sale["id"]]
        size = sum(made.amount for _, made in deed.changed)
        more = {"amount": text_of(self.some(size))} if size and self.chance(0.4) else {}
        made = self.event("return", giver=giver, taker=taker, movement=sale["id"], site=self.at(taker), **more)
        return self.maybe_early(made)

    def correct(self) -> Event | None:
        deeds = [
            event for event in self.latest(60) if event["type"] not in ("entity", "period", "close", "measurement")
        ]
        if self.chance(0.15):
            deeds = self.crushed_before() or deeds
        if not deeds:
            return None
        event = self.random.choice(deeds)
        who = event.get("entity") or event.get("giver") or event.get("owner") or event.get("taker") or SELLERS[0]
        if self.chance(0.03):
            who = self.random.choice(SELLERS)
        return self.maybe_early(self.event("correct", entity=who, movement=event["id"], reason="typed wrongly"))

    def settle(self) -> Event | None:
        """Ask to end a dispute: by who had the bushels, now and then by somebody else."""
        books = self.auditor.books
        doubtful = [seg for seg in books.between.values() if seg.state == "disputed"]
        if not doubtful:
            return None
        seg = self.random.choice(doubtful)
        who = self.auditor.had(seg.by, seg) if self.chance(0.9) else self.random.choice(SELLERS)
        return self.maybe_early(self.event("settle", entity=who, movement=seg.by))

    def crushed_before(self) -> list[Event]:
        """Return what made the oil in stock that campaigns trued up by now have given."""
        books, trued = self.auditor.books, self.auditor.trued
        oil = (seg for who in sorted({who for _, who in trued}) for seg in books.owned[who].values())
        return [books.deeds[name].event for name in sorted({seg.by for seg in oil if (seg.batch, seg.owner) in trued})]

    def again(self) -> Event | None:
        known = [event for event in self.recent[:-1] if event["id"] in self.auditor.seen]
        if not known:
            return None
        event = self.random.choice(known)
        return event if self.chance(0.5) else {**event, "day": "2030-01-01"}

    def wrong_period(self) -> Event:
        name = self.random.choice(BOOKS)
        start = self.random.choice((self.quarter, quarter_after(self.quarter)))
        made = self.declare(name, start)
        made["end_day"] = (start + timedelta(days=self.random.choice((93, 120, 200)))).isoformat()
        return made

    def changed_role(self) -> list[Event]:
        """Return an attempt to slip out of a closed period in another role, and the way back."""
        name = self.random.choice(BOOKS)
        own = {"entity": name, "name": name, "sites": SITES.get(name, [])}
        held = self.holding(name)
        early = self.event("release", entity=name, **self.claims(held))
        early["day"] = (self.quarter - timedelta(days=self.random.choice((1, 40, 500)))).isoformat()
        role = self.auditor.roles[name]
        return [self.event("entity", **own, roles=["farm"]), early, self.event("entity", **own, roles=[role])]

    def wrong_close(self) -> Event:
        ended = quarter_after(self.quarter) - timedelta(days=1)
        days = (self.quarter - timedelta(days=1), ended - timedelta(days=3), ended)
        made = self.close(self.random.choice(BOOKS), self.random.choice(days), "refused")
        return {**made, "closed_on": self.quarter.isoformat()}

    def cure(self) -> Event:
        made = self.statement(self.random.choice(UNPROVEN), FIRST_DAY)
        if self.chance(0.3):
            made["opinion"] = "adverse"
        elif self.chance(0.5):
            made["start_day"] = self.day.isoformat()
            made["opinion"] = self.random.choice(("first_audit_contracted", "next_audit_contracted"))
        if self.chance(0.5):
            made["end_day"] = (self.day + timedelta(days=self.random.randrange(300))).isoformat()
        return made
