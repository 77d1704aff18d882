"""Requests about a farm's bushels: reports and their changes, slips, and purchases on them."""

from itertools import islice

from tests.simulation.cast import CRUSHERS, ELEVATORS, FARMS, REFINERS, SITES
from tests.simulation.ledger import Event, text_of
from tests.simulation.making import Maker


class FarmRequests(Maker):
    """What farms and those who buy from them ask for."""

    def report(self) -> Event:
        farm, crop = self.random.choice(FARMS), self.random.choice(("soybeans", "soybeans", "corn"))
        known = self.auditor.origins
        while f"{farm}/{crop}/{self.year}" in known and self.chance(0.9):
            farm = self.random.choice(FARMS)
            if all(f"{name}/{crop}/{self.year}" in known for name in FARMS):
                self.year += 1
        bushels, ci = text_of(self.random.randrange(6_000_000, 30_000_000)), str(self.random.randrange(50, 70) * 100)
        return self.event("report", entity=farm, crop=crop, harvest_year=self.year, bushels=bushels, ci=ci)

    def amend(self) -> Event:
        origin = self.random.choice(self.origins)
        one = self.auditor.origins[origin]
        bushels = one.bushels * self.random.choice((100, 100, 97, 70, 104)) // 100
        farm, crop, year = origin.split("/")
        fields = {"bushels": text_of(bushels), "ci": str(self.random.randrange(50, 75) * 100)}
        number = one.number + (1 if self.chance(0.9) else 2)
        return self.event("report", entity=farm, crop=crop, harvest_year=int(year), version=number, **fields)

    def withdraw(self) -> Event:
        return self.event("withdraw", origin=self.random.choice(self.origins), reason="signed in error")

    def standing(self) -> Event:
        if self.suspended and self.chance(0.8):
            return self.event("reinstate", origin=self.suspended[0])
        kind = self.random.choice(("suspend", "reinstate"))
        return self.event(kind, origin=self.random.choice(self.origins) if self.chance(0.95) else "no/such/9")

    def slip(self) -> Event | None:
        origin = self.random.choice(self.origins)
        one = self.auditor.origins[origin]
        free = [seg for seg in self.auditor.books.segs[origin] if seg.owner == one.farm and seg.state == "held"]
        taker = self.random.choice([*ELEVATORS, *REFINERS] if self.chance(0.95) else CRUSHERS)
        giver = one.farm if self.chance(0.98) else self.random.choice(FARMS)
        fields = {"giver": giver, "taker": taker, "origin": origin}
        if self.chance(0.4):
            left = sum(seg.size for seg in free)
            return self.event("slip", bushels=text_of(self.some(max(left // 2, 2000))), **fields)
        if not free:
            return None
        seg = self.random.choice(free)
        taken = [stop for slip in self.auditor.by_origin.get(origin, []) for _, stop in slip.open]
        start = max([seg.start, *(stop for stop in taken if stop < seg.stop)])
        if self.chance(0.1):
            start = self.random.randrange(one.issued)
        stop = start + self.some(max(seg.size // 2, 50_000))
        stop = stop if self.chance(0.1) else max(start + 1, min(stop, seg.stop))
        return self.event("slip", spans=[[text_of(start), text_of(stop)]], **fields)

    def a_slip(self) -> str | None:
        slips = self.open_slips[-60:]
        if self.chance(0.03):
            slips = list(islice(reversed(self.auditor.slips), 60))
        return self.random.choice(slips) if slips else None

    def purchase(self) -> Event | None:
        name = self.a_slip()
        if name is None:
            return None
        slip = self.auditor.slips[name]
        taker = slip.taker if self.chance(0.97) else self.random.choice(ELEVATORS)
        more = {}
        if self.chance(0.2):
            more["bushels"] = text_of(self.some(sum(stop - start for start, stop in slip.open) * 11 // 10))
        fields = {"giver": slip.giver, "taker": taker, "slip": name, "site": self.at(taker)}
        return self.maybe_early(self.event("purchase", **fields, **more))

    def pending(self) -> Event:
        """Return a purchase whose report is said to come later; a ticket is all there is."""
        taker, origin = self.random.choice(ELEVATORS), self.auditor.origins[self.random.choice(self.origins)]
        bushels = self.random.randrange(20_000, 900_000)
        weighed = bushels + self.random.randrange(900) if self.chance(0.95) else bushels - 1
        ticket = {"number": f"T{self.number}", "bushels": text_of(weighed)}
        crop = {"crop": origin.crop, "harvest_year": origin.year, "bushels": text_of(bushels), "tickets": [ticket]}
        made = self.event("purchase_pending", giver=origin.farm, taker=taker, site=self.at(taker), **crop)
        return self.maybe_early(made)

    def assign(self) -> Event | None:
        """Return an assignment of a slip to a purchase that waits, mostly one that fits."""
        if not self.open_pending:
            return None
        name = self.random.choice(self.open_pending[-30:])
        bought = self.auditor.waiting[name]
        slips = [slip for slip in self.open_slips[-80:] if self.auditor.slips[slip].giver == bought.giver]
        fits = [slip for slip in slips if self.auditor.slips[slip].taker == bought.taker]
        if not fits:
            origin = f"{bought.giver}/{bought.crop}/{bought.year}"
            fields = {"giver": bought.giver, "taker": bought.taker, "origin": origin}
            return self.event("slip", bushels=text_of(bought.bushels), **fields)
        slip = self.random.choice(fits if self.chance(0.95) else slips)
        more = {"bushels": text_of(self.some(bought.bushels))} if self.chance(0.3) else {}
        made = self.event("assign", giver=bought.giver, taker=bought.taker, pending=name, slip=slip, **more)
        return self.maybe_early(made)

    def receipt(self) -> Event:
        """Return conventional grain coming in: it makes room for claims and makes none."""
        name = self.random.choice(ELEVATORS)
        amount, number = text_of(self.random.randrange(1, 10**7)), f"R{self.number}"
        crop = self.random.choice(("soybeans", "corn"))
        return self.event("receipt", entity=name, site=SITES[name][0], form=crop, amount=amount, number=number)
