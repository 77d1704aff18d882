"""The auditor on trade and processing."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from tests.simulation.ledger import MILLION, PRODUCTS, STOCK, Event, Seg, text_of
from tests.simulation.ledger import thousandths as th
from tests.simulation.rules import STORERS, TRADERS, Afar, Spans, merged, need, refuse
from tests.simulation.rules_farm import FarmRules


@dataclass(slots=True)
class TradeRules(FarmRules):
    """From one trader to the next, and through a plant."""

    # between traders

    def on_sale(self, event: Event, day: date) -> None:
        giver, taker = event["giver"], event["taker"]
        self.role(giver), self.role(taker)
        need(giver != taker, "parties_are_one")
        need(self.roles[giver] in TRADERS and self.roles[taker] in TRADERS, "role_not_allowed")
        place = (giver, self.site(giver, event["site"])) if event.get("site") else None
        agreed = self.contract(event, day)
        self.choosing(event)
        policy = self.open(giver, day)
        there = self.arrived(event, day)
        pieces = self.choose({**event, **agreed}, giver, ("held",), policy, place)
        away = {"owner": taker, "custodian": taker, "site": "", "supplier": giver, "state": "in_transit"}
        days = {"since": day, "acquired": day, "titled": day}
        self.write(event, [(piece, {**away, **days, "by": event["id"]}) for piece in pieces])
        self.afar |= there

    def contract(self, event: Event, day: date) -> Event:
        """Return the carbon intensities that a sale takes: those it asks for and its contract, which it must fit."""
        if not event.get("contract"):
            return {}
        one = self.contracts.get((event["giver"], event["contract"]))
        if one is None or day < one.start:
            refuse("record_not_found")
        need(one.taker == event["taker"] and one.form == (event.get("form") or event["crop"]), "parties_differ")
        lows = [one.low, th(event["ci_min"], 2) if "ci_min" in event else None]
        highs = [one.high, th(event["ci_max"], 2) if "ci_max" in event else None]
        low, high = [ci for ci in lows if ci is not None], [ci for ci in highs if ci is not None]
        within = {"ci_min": text_of(max(low), 2)} if low else {}
        return within | ({"ci_max": text_of(min(high), 2)} if high else {})

    def arrived(self, event: Event, day: date) -> dict[tuple[str, str, str], Afar]:
        """Return the tickets of a destination: each stands behind one sale, and says of itself the same twice."""
        found: dict[tuple[str, str, str], Afar] = {}
        for ticket in event.get("destination", []):
            key = (event["giver"], event["taker"], ticket["number"])
            on = date.fromisoformat(ticket["day"]) if "day" in ticket else day
            one = Afar(event["crop"], on, th(ticket["bushels"]), event["id"])
            held = self.afar.get(key)
            same = held is None or (held.crop, held.day, held.amount) == (one.crop, one.day, one.amount)
            need(same and key not in found, "ticket_differs")
            found[key] = one
        need(all(key not in self.afar or not self.afar[key].sale for key in found), "ticket_used")
        return found

    def in_transit(self, event: Event) -> list[Seg]:
        deed = self.books.deeds.get(event["movement"])
        if deed is None or deed.event["type"] not in ("sale", "document"):
            refuse("record_not_found")
        need(deed.event["taker"] == event["taker"], "parties_differ")
        found = self.underway(deed.event)
        need(found, "already_answered")
        return found

    def underway(self, sale: Event) -> list[Seg]:
        """Return what of a sale or document is still on its way to the buyer."""
        found = []
        for _, made in self.books.deeds[sale["id"]].changed:
            for piece in self.books.at(made.origin, made.start, made.stop):
                now = self.books.whole(piece)[1]
                if now.state == "in_transit" and now.owner == sale["taker"] and self.sender(now) == sale["id"]:
                    found.append(now)
        return found

    def sender(self, seg: Seg) -> str:
        """Return the sale or document a piece in transit is on its way by; who takes an answer back answers again."""
        event = self.books.deeds[seg.by].event
        while event["type"] == "correct":
            event = self.books.deeds[event["movement"]].event
        return str(event["movement"] if event["type"] in ("accept", "reject", "return") else event["id"])

    def on_accept(self, event: Event, day: date) -> None:
        taker = event["taker"]
        house = event.get("custodian") or taker
        self.role(taker)
        need(self.role(house) in STORERS, "role_not_allowed")
        site = self.site(house, event.get("site", ""))
        pieces = self.in_transit(event)
        self.open(taker, day)
        need(all(seg.since <= day for seg in pieces), "not_held_yet")
        new = {"custodian": house, "site": site, "since": day, "acquired": day, "by": event["id"]}
        good = {seg.crop: self.verified(pieces[0].supplier, seg.titled, seg.crop) for seg in pieces}
        states = {True: "held", False: "unverified"}
        self.write(event, [(seg, {**new, "state": states[good[seg.crop]]}) for seg in pieces])

    def elsewhere(self, seller: str, movement: str) -> bool:
        """Tell whether a seller sold by document and keeps its book elsewhere: it has no period here."""
        return self.books.deeds[movement].event["type"] == "document" and not self.books.terms[seller]

    def on_reject(self, event: Event, day: date) -> None:
        giver = event["giver"]
        self.role(giver), self.role(event["taker"])
        site = self.home(giver, event.get("site", ""))
        pieces = self.in_transit(event)
        need(pieces[0].supplier == giver, "parties_differ")
        if not self.elsewhere(giver, event["movement"]):
            self.open(giver, day)
        need(all(seg.since <= day for seg in pieces), "not_held_yet")
        new = {"custodian": giver, "site": site, "since": day, "acquired": day, "titled": day, "by": event["id"]}
        self.write(event, [(seg, {**self.title(event["movement"], seg), **new}) for seg in pieces])

    def title(self, movement: str, seg: Seg) -> dict[str, Any]:
        """Return who had a piece before a movement, from whom and in which state."""
        old = next((before for before, after in self.books.deeds[movement].changed
                    if before is not None and (after.origin == seg.origin) and after.start <= seg.start < after.stop),
                   None)  # fmt: skip
        if old is None or old.owner != seg.supplier:
            return {"owner": seg.supplier, "supplier": "", "state": "held"}
        return {"owner": old.owner, "supplier": old.supplier, "state": old.state}

    def void(self, movement: str) -> bool:
        """Tell whether an event is taken back, and that is not taken back in its turn."""
        later = self.books.deeds[movement].taken_back
        return bool(later) and not self.void(later)

    def on_return(self, event: Event, day: date) -> None:
        giver, taker, movement = event["giver"], event["taker"], event["movement"]
        self.role(giver), self.role(taker)
        need(giver != taker, "parties_are_one")
        site = self.home(taker, event.get("site", ""))
        deed = self.books.deeds.get(movement)
        if deed is None or deed.event["type"] not in ("sale", "purchase", "assign", "document"):
            refuse("record_not_found")
        need((deed.event["giver"], deed.event["taker"]) == (taker, giver), "parties_differ")
        need(not self.void(movement), "already_answered")
        form = deed.changed[0][1].form
        now = [seg for _, made in deed.changed for seg in self.books.at(made.origin, made.start, made.stop)]
        if any(seg.owner == giver and seg.state in STOCK for seg in now):
            self.open(giver, day)
        if not self.elsewhere(taker, movement):
            self.open(taker, day)
        spans: dict[str, Spans] = {}
        for _, made in deed.changed:
            spans.setdefault(made.origin, []).append((made.start, made.stop))
        ranges = [(origin, *span) for origin, listed in sorted(spans.items()) for span in merged(listed)]
        pieces = self.named(ranges)
        self.good(list(spans), pieces)
        mine = [seg for seg in pieces if (seg.owner, seg.supplier, seg.form) == (giver, taker, form)]
        mine = [
            seg for seg in mine if seg.state in STOCK or (seg.state == "in_transit" and self.sender(seg) == movement)
        ]
        mine = [seg for seg in mine if seg.trades[-1:] == (movement,)]
        need(mine, "not_held")
        ready = [seg for seg in mine if seg.since <= day]
        have = sum(seg.amount for seg in mine)
        wanted = th(event["amount"]) if "amount" in event else have
        need(sum(seg.amount for seg in ready) >= min(wanted, have), "not_held_yet")
        need(wanted <= have, "exceeds_stock")
        new = {"custodian": taker, "site": site, "state": "held", "by": event["id"]}
        new |= dict.fromkeys(("since", "acquired", "titled"), day)
        back = self.books.take(ready, wanted)
        self.write(event, [(seg, {**self.title(movement, seg), **new}) for seg in back])

    def on_move(self, event: Event, day: date) -> None:
        who = event["entity"]
        self.role(who)
        site, to = self.site(who, event["site"]), self.site(who, event["to_site"])
        need(site != to, "parties_are_one")
        self.choosing(event)
        policy = self.open(who, day)
        pieces = self.choose(event, who, STOCK, policy, (who, site))
        new = {"custodian": who, "site": to, "by": event["id"], "since": day}
        self.write(event, [(piece, new) for piece in pieces])

    # processing

    def on_process(self, event: Event, day: date) -> None:
        who, plant = event["entity"], event.get("plant") or event["entity"]
        need(self.role(who) in TRADERS and self.role(plant) in STORERS, "role_not_allowed")
        site = self.site(plant, event["site"])
        form, _ = self.choosing(event)
        need(form in PRODUCTS.get(event["output"], ()), "form_not_possible")
        policy = self.open(who, day)
        known = self.yields.get((site, form, event["output"]), [])
        need(known, "yield_not_found")
        now = [one for one in known if one[0] <= day <= one[1]]
        need(now, "yield_out_of_date")
        _, _, campaign, rate, _ = max(now, key=lambda one: one[4] == "final")
        batch = f"{plant}/{site}/{form}/{event['output']}/{campaign}"
        pieces = self.choose(event, who, ("held",), policy, (plant, site))
        changes = []
        for piece in pieces:
            per_bushel, pounds = rate, piece.size * rate // MILLION
            if piece.form in PRODUCTS:
                per_bushel = piece.rate * rate // MILLION
                pounds = min(piece.pounds * rate // MILLION, piece.size * per_bushel // MILLION)
            new = {"form": event["output"], "batch": batch, "maker": who, "by": event["id"], "since": day}
            state = piece.state if pounds else "lost"
            changes.append((piece, {**new, "pounds": pounds, "rate": per_bushel, "state": state}))
        made = sum(int(str(change["pounds"])) for _, change in changes)
        need(made > 0, "no_product")
        used = sum(piece.amount for piece in pieces)
        before = self.claimed.get(batch, {}).get(who, (0, 0))
        after = {**self.claimed.get(batch, {}), who: (before[0] + used, before[1] + made)}
        self.bounded(batch, after)
        self.write(event, changes)
        self.claimed[batch] = after

    def bounded(self, batch: str, claims: dict[str, tuple[int, int]]) -> None:
        """Refuse claims beyond what a campaign put in, or beyond their share of what it made."""
        if batch not in self.crushed:
            return
        put_in, came_out = self.crushed[batch]
        used, made = (sum(pair[place] for pair in claims.values()) for place in (0, 1))
        need(used <= put_in, "beyond_crop_crushed")
        need(made <= came_out * used // put_in, "beyond_actual_product")

    def too_much(self, batch: str, claims: dict[str, tuple[int, int]]) -> int:
        """Return by how much claimed oil exceeds actual oil times the share of crop under claims in all of it."""
        if batch not in self.crushed:
            return 0
        put_in, came_out = self.crushed[batch]
        used, made = (sum(pair[place] for pair in claims.values()) for place in (0, 1))
        return max(0, made - came_out * min(used, put_in) // put_in)

    def on_true_up(self, event: Event, day: date) -> None:
        """Bring what an owner still has of a campaign to its final yield, what it sold too much included."""
        self.role(event["entity"])
        who, plant = event["entity"], event.get("plant") or event["entity"]
        site = self.site(plant, event["site"])
        self.open(who, day)
        known = self.yields.get((site, event["made_of"], event["output"]), [])
        rates = {basis: rate for _, _, campaign, rate, basis in known if campaign == event["campaign"]}
        need(len(rates) == 2, "yield_not_found")
        old, new = rates["provisional"], rates["final"]
        batch = f"{plant}/{site}/{event['made_of']}/{event['output']}/{event['campaign']}"
        # Traders carry the supplier's yield (interpretation 41): what was bought of a campaign is not its buyer's to
        # true up.
        pool = [
            seg
            for seg in self.books.owned[who].values()
            if (seg.batch, seg.form, seg.maker) == (batch, event["output"], who)
        ]
        pool.sort(key=lambda seg: (seg.acquired, seg.origin, seg.start))
        need(all(seg.since <= day for seg in pool), "not_held_yet")
        need(pool and (batch, who) not in self.trued, "nothing_to_adjust")
        used, made = self.claimed.get(batch, {}).get(who, (0, 0))
        held = sum(seg.pounds for seg in pool)
        gone = max(0, made - held)
        over = max(0, gone - gone * new // old)
        changes: list[tuple[Seg, dict[str, Any]]] = []
        for seg in reversed(pool):
            rate = seg.rate * new // old
            pounds = seg.size * rate // MILLION
            if rate != new:
                pounds = min(seg.pounds * new // old, pounds)
            taken = min(over, pounds)
            over -= taken
            ended = {} if pounds > taken else {"state": "lost", "by": event["id"], "since": day}
            changes.append((seg, {"pounds": pounds - taken, "rate": rate, **ended}))
        now = sum(change["pounds"] for _, change in changes)
        before = self.claimed.get(batch, {})
        after = {**before, who: (used, made + now - held)}
        need(self.too_much(batch, after) <= self.too_much(batch, before), "beyond_actual_product")
        self.stands()
        self.claimed[batch] = after
        self.trued.add((batch, who))
        self.write(event, changes)
