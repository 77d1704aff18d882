"""Requests of farms and those who buy from them, and of those who trade and process."""

from datetime import date, timedelta
from itertools import islice

from tests.simulation import cast
from tests.simulation.cast import CRUSHERS, ELEVATORS, FARMS, REFINERS, SITES
from tests.simulation.ledger import PRODUCTS, Event, text_of
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


class TradeRequests(Maker):
    """What holders of claims ask for."""

    def sale(self) -> Event:
        giver = self.random.choice(cast.SELLERS)
        held = self.holding(giver)
        takers = (
            [*cast.CRUSHERS, *cast.REFINERS, *cast.TRADERS[:1]] if self.chance(0.7) else [*cast.SELLERS, *cast.REFINERS]
        )
        taker, contract = self.random.choice(takers), ""
        agreed = sorted(number for seller, number in self.auditor.contracts if seller == giver)
        if agreed and self.chance(0.1):
            contract = self.random.choice(agreed)
            taker = self.auditor.contracts[giver, contract].taker if self.chance(0.95) else taker
        site = self.at(giver) if self.chance(0.2) else ""
        choice = self.claims(held, site)
        if self.chance(0.02):
            giver, taker = self.random.choice(
                ((giver, giver), ("ghost", taker), (giver, cast.FARMS[0]), (cast.FARMS[1], taker))
            )
        more: Event = ({"site": site} if site else {}) | ({"contract": contract} if contract else {})
        if "bushels" in choice and self.chance(0.1):
            more["destination"] = [{"number": f"W{self.number}", "bushels": choice["bushels"]}]
        return self.maybe_early(self.event("sale", giver=giver, taker=taker, **choice, **more))

    def document(self) -> Event:
        """Return a sale of somebody whose book is elsewhere: the paper is all there is."""
        giver, taker = (
            self.random.choice(cast.ABROAD),
            self.random.choice([*cast.CRUSHERS, *cast.TRADERS, *cast.REFINERS]),
        )
        lines = []
        for _ in range(self.random.randrange(1, 4)):
            bushels = self.random.randrange(1_000, 400_000)
            line = {"crop": "soybeans", "harvest_year": 2025, "ci": str(self.random.randrange(50, 70) * 100)}
            line |= {"form": "soybeans", "bushels": text_of(bushels)}
            if self.chance(0.5):
                pounds = bushels * cast.RATES["soybean_oil"] // 10**6 + (1 if self.chance(0.05) else 0)
                line |= {"form": "soybean_oil", "pounds": text_of(pounds)}
                line |= {"rate": text_of(cast.RATES["soybean_oil"], 6)} if self.chance(0.7) else {}
                line |= {"pounds": text_of(bushels * 14)} if self.chance(0.03) else {}
            lines.append(line)
        number = f"D{self.number}"
        if self.chance(0.05) and self.auditor.documents:
            giver, number = min(self.auditor.documents)
        return self.event("document", giver=giver, taker=taker, number=number, lines=lines)

    def waiting_sale(self) -> Event | None:
        """Return one of the oldest sales that wait for an answer; what was corrected or withdrawn waits no longer."""
        while self.open_sales:
            sale = self.random.choice(self.open_sales[:40])
            if self.auditor.underway(sale):
                return sale
            self.open_sales.remove(sale)
        return None

    def answer(self) -> Event | None:
        sale = self.waiting_sale()
        if self.chance(0.04):
            sales = [event for event in self.latest(150) if event["type"] in ("sale", "document")]
            sale = self.random.choice(sales) if sales else None
        if sale is None:
            return None
        taker = sale["taker"] if self.chance(0.98) else self.random.choice(cast.CRUSHERS)
        if self.chance(0.93):
            custodian = self.random.choice(cast.TANKS) if self.chance(0.03) else taker
            more = {} if custodian == taker else {"custodian": custodian}
            made = self.event("accept", taker=taker, movement=sale["id"], site=self.at(custodian), **more)
        else:
            giver = sale["giver"] if self.chance(0.9) else cast.SELLERS[0]
            made = self.event("reject", taker=taker, giver=giver, movement=sale["id"], site=self.at(giver))
        return self.maybe_early(made)

    def process(self) -> Event | None:
        who = self.random.choice([*cast.CRUSHERS, *cast.CRUSHERS, *cast.REFINERS])
        _, form, segs = held = self.holding(who)
        outputs = [output for output, inputs in PRODUCTS.items() if form in inputs]
        if not outputs:
            return None
        output = self.random.choice(outputs)
        if self.chance(0.9):
            output = {"soybeans": "soybean_oil", "soybean_oil": "refined_soybean_oil"}.get(form, output)
        site = self.random.choice(segs).site if segs and self.chance(0.9) else self.at(who)
        site = site if site in cast.SITES[who] else self.at(who)
        return self.maybe_early(self.event("process", entity=who, output=output, **self.claims(held, site), site=site))

    def ending(self) -> Event:
        who = self.random.choice([*cast.BOOKS, *cast.FARMS[:3]])
        kind = self.random.choice(("release", "loss"))
        return self.maybe_early(self.event(kind, entity=who, **self.claims(self.holding(who))))

    def shrink(self) -> Event | None:
        """Return a loss of a whole site, of which claims bear their share."""
        who = self.random.choice(cast.BOOKS)
        crop, form, segs = self.holding(who)
        if not segs:
            return None
        seg = self.random.choice(segs)
        unit = "pounds" if form in PRODUCTS else "bushels"
        fields = {"crop": crop, "form": form, unit: text_of(self.some(max(seg.amount // 20, 1000)))}
        return self.maybe_early(self.event("loss", entity=who, site=seg.site or self.at(who), shared=True, **fields))

    def retire(self) -> Event:
        who = self.random.choice(cast.REFINERS if self.chance(0.97) else cast.CRUSHERS)
        fuel = {"fuel": "renewable diesel", "batch": f"B{self.number}", "gallons": "10"}
        return self.maybe_early(self.event("retire", entity=who, **fuel, **self.claims(self.holding(who))))

    def move(self) -> Event | None:
        who = self.random.choice([name for name, sites in cast.SITES.items() if len(sites) > 1])
        held = self.holding(who)
        site = cast.SITES[who][self.chance(0.5)]
        return self.maybe_early(
            self.event("move", entity=who, **self.claims(held, site), site=site, to_site=self.at(who))
        )

    def contract(self, giver: str, number: int) -> Event:
        """Return a contract about a range of carbon intensities."""
        taker = self.random.choice([name for name in (*cast.CRUSHERS, *cast.REFINERS) if name != giver])
        low, high = sorted(self.random.sample(range(50, 75), 2))
        within = {"ci_min": f"{low}00"} if self.chance(0.3) else {"ci_max": f"{high}00"}
        about = {"counterparty": taker, "role": "recipient", "number": f"C{number}", "start_day": self.day.isoformat()}
        more = {"form": "soybeans", "amount": "0" if self.chance(0.1) else "90000"} | within
        return self.event("contract", entity=giver, **about, **more)

    def whole_move(self) -> list[Event]:
        """Return one move of grain and claims as a book takes it in: a ticket out, a ticket in, and the claims."""
        who = self.random.choice([name for name, sites in cast.SITES.items() if len(sites) > 1])
        held, site, to = self.holding(who), cast.SITES[who][self.chance(0.5)], self.at(who)
        claims = self.maybe_early(self.event("move", entity=who, **self.claims(held, site), site=site, to_site=to))
        sent, amount = date.fromisoformat(claims["day"]), self.some(300_000)
        left = sent - timedelta(days=self.random.choice((0, 0, 0, 1, 3)))
        same = {"entity": who, "form": held[1], "number": f"W{claims['id']}"}
        out = {**same, "type": "shipment", "id": f"{claims['id']}/out", "day": left.isoformat(), "site": site,
               "amount": text_of(amount)}  # fmt: skip
        weighed = text_of(max(1, amount * self.random.choice((99, 100, 100)) // 100))
        came = {**same, "type": "receipt", "id": f"{claims['id']}/in", "day": claims["day"], "site": to,
                "amount": weighed}  # fmt: skip
        return [out, came, claims] if self.chance(0.9) else [out, came]

    def ticket_again(self) -> Event | None:
        """Return a ticket that is taken back, or whose number comes again."""
        tickets = [*self.sited.get("shipment", ()), *self.sited.get("receipt", ())]
        if not tickets:
            return None
        ticket = self.random.choice(tickets)
        if self.chance(0.3):
            some = self.random.sample(tickets, min(len(tickets), 30))
            ticket = next((one for one in some if self.is_void(one)), ticket)
        again = {**ticket, "id": self.event("receipt")["id"]}
        self.recent.pop()
        if self.chance(0.15):
            again["amount"] = text_of(self.some(300_000))
        if self.chance(0.1 if self.is_void(ticket) else 0.8):
            return {**again, "void": True}
        # A void ticket may come again as one of another crop: it was typed under the wrong one.
        others = [crop for crop in ("soybeans", "corn") if crop != again["form"]]
        return {**again, "form": self.random.choice(others)} if self.chance(0.5) else again

    def is_void(self, ticket: Event) -> bool:
        sites = cast.SITES.get(ticket["entity"], ())
        site = ticket.get("site", "") or (sites[0] if len(sites) == 1 else "")
        weight = self.auditor.numbers.get((ticket["entity"], site, ticket["number"]))
        return weight is not None and weight.void

    def shutting(self) -> list[Event]:
        """Return the closing of a site, at once when it was emptied or for a coming day, or its opening again."""
        closings = self.sited.get("close_site", [])
        closed = [one for one in closings if (one["entity"], one["site"]) in self.auditor.shut]
        if closings and self.chance(0.6):
            one = self.random.choice(closed or closings)
            return [self.event("correct", entity=one["entity"], movement=one["id"], reason="it is open")]
        who = self.random.choice([name for name, sites in cast.SITES.items() if len(sites) > 1])
        site, to = self.random.sample(cast.SITES[who], 2)
        ahead = self.chance(0.4)
        made = [] if ahead else self.emptied(who, site, to)
        shut = self.event("close_site", entity=who, site=site, **({"ahead": True} if ahead else {}))
        if ahead:
            shut["day"] = (self.day + timedelta(days=self.random.randrange(1, 4))).isoformat()
        return [*made, shut]

    def emptied(self, who: str, site: str, to: str) -> list[Event]:
        """Return the way of all that somebody has at a site to its other one, and the measurement of nothing."""
        segs = [seg for seg in self.auditor.books.owned[who].values() if (seg.custodian, seg.site) == (who, site)]
        moves = [
            self.event("move", entity=who, site=site, to_site=to, crop=seg.crop, form=seg.form,
                       lots=[{"origin": seg.origin, "start": text_of(seg.start), "stop": text_of(seg.stop)}])
            for seg in segs[:80]
        ]  # fmt: skip
        forms = sorted({form for custodian, spot, form in self.auditor.grain if (custodian, spot) == (who, site)})
        return moves + [
            self.event("measurement", entity=who, site=site, form=form, amount="0", number=f"N{self.number}")
            for form in forms
        ]

    def store(self) -> Event | None:
        """Return an owner's crop going into somebody's bin; title stays."""
        who, custodian = (
            self.random.choice([*cast.FARMS, *cast.TRADERS, *cast.ELEVATORS]),
            self.random.choice(cast.TANKS),
        )
        crop, form, segs = self.holding(who)
        if not segs:
            return None
        choice = self.named(self.random.choice(segs), "none")
        more = {} if form == crop else {"form": form}
        return self.maybe_early(
            self.event("storage", owner=who, custodian=custodian, site=self.at(custodian), lots=choice["lots"], **more)
        )
