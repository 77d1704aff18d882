"""The auditor on trade and processing, and on what comes from outside the book: opening stock, documents, notices."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tests.simulation.ledger import LIVE, MILLION, PRODUCTS, STOCK, Event, Seg, text_of
from tests.simulation.ledger import thousandths as th
from tests.simulation.rules import STORERS, TRADERS, Afar, Origin, Slip, Spans, merged, need, refuse, without
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
        custodian = event.get("custodian") or taker
        self.role(taker)
        need(self.role(custodian) in STORERS, "role_not_allowed")
        site = self.site(custodian, event.get("site", ""))
        pieces = self.in_transit(event)
        self.open(taker, day)
        need(all(seg.since <= day for seg in pieces), "not_held_yet")
        new = {"custodian": custodian, "site": site, "since": day, "acquired": day, "by": event["id"]}
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
        pieces = self.choose(event, who, STOCK, self.open(who, day), (who, site))
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


@dataclass(slots=True)
class Known:
    """A line of a document, and what the book has of its serials: givers' own, farms', and nothing."""

    line: Event
    name: str
    start: int
    stop: int
    pieces: list[Seg]
    gaps: Spans
    handed_on: list[Seg] = field(default_factory=list)

    @property
    def rate(self) -> int:
        named = th(self.line.get("rate", "0"), 6)
        return named or -(-th(self.line.get("pounds", "0")) * MILLION // (self.stop - self.start))

    def pounds(self, start: int, stop: int) -> int:
        whole = th(self.line.get("pounds", "0"))
        return whole if (start, stop) == (self.start, self.stop) else min(whole, (stop - start) * self.rate // MILLION)


@dataclass(slots=True)
class OutsideRules(TradeRules):
    """What stands behind claims that no report of this book made."""

    files: set[str] = field(default_factory=set)

    def on_file(self, event: Event, _: date) -> None:
        need(self.role(event["entity"]), "entity_not_found")
        self.stands()
        self.files.add(event["sha256"])

    def on_opening(self, event: Event, day: date) -> None:
        who = event["entity"]
        need(self.role(who) in TRADERS, "role_not_allowed")
        site = self.site(who, event["site"])
        bushels, pounds = th(event["bushels"]), th(event.get("pounds", "0"))
        terms = self.books.terms[who]
        need(not terms or day < terms[0].start, "opening_too_late")
        rate = th(event.get("rate", "0"), 6)
        need(pounds * 1000 <= bushels * 13_500 and rate <= 13_500_000, "yield_beyond_bounds")
        name = f"{who}#{event['number']}"
        need(name not in self.origins, "document_seen")
        self.stands()
        ci, crop, year = th(event["ci"], 2), event["crop"], event["harvest_year"]
        self.origins[name] = Origin(who, crop, year, bushels, ci, day, bushels, report=False)
        form, rate = event.get("form") or crop, th(event.get("rate", "0"), 6) or -(-pounds * MILLION // bushels)
        held = "held" if event["evidence"] in self.files else "unverified"
        place = {"owner": who, "custodian": who, "site": site, "form": form, "state": held, "by": event["id"]}
        days = {"since": day, "acquired": day, "titled": day}
        made: dict[str, Any] = {**place, **days, "ci": ci, "pounds": pounds, "rate": rate}
        self.write(event, [], (Seg(name, 0, bushels, crop, year, **made),))

    def on_share(self, event: Event, day: date) -> None:
        giver, taker = event["giver"], event["taker"]
        need(self.role(giver) and self.role(taker), "entity_not_found")
        need(giver != taker, "parties_are_one")
        need((self.roles[giver], self.roles[taker]) == ("farm", "landowner"), "role_not_allowed")
        pieces = [seg for span in self.assigned(event, day) for seg in self.books.at(event["origin"], *span)]
        place = {"owner": taker, "custodian": taker, "site": "", "supplier": giver, "by": event["id"]}
        days = {"since": day, "acquired": day, "titled": day}
        self.write(event, [(seg, {**place, **days}) for seg in pieces])

    # documents

    def on_document(self, event: Event, day: date) -> None:
        giver, taker = event["giver"], event["taker"]
        need(giver != taker, "parties_are_one")
        need(self.role(giver) in TRADERS and self.role(taker) in TRADERS, "role_not_allowed")
        for line in event["lines"]:
            need(th(line["bushels"]) > 0 and th(line.get("pounds", "1")) > 0, "amount_not_positive")
        for line in event["lines"]:
            oil = line["form"] != line["crop"] and not event.get("evidence")
            much = th(line.get("pounds", "0")) * 1000 > th(line["bushels"]) * 13_500
            need(not (oil and (much or th(line.get("rate", "0"), 6) > 13_500_000)), "yield_beyond_bounds")
        need((giver, event["number"]) not in self.documents, "document_seen")
        lines = [self.known(event, line, number) for number, line in enumerate(event["lines"], 1)]
        self.believable(lines, giver, day)
        self.stands()
        self.documents.add((giver, event["number"]))
        changes, entering = [], []
        away = {"owner": taker, "custodian": taker, "site": "", "supplier": giver, "state": "in_transit"}
        new = {**away, "since": day, "acquired": day, "titled": day, "by": event["id"]}
        for one in lines:
            self.noted_origin(giver, one, day)
            fresh: dict[str, Any] = {"form": one.line["form"], "ci": th(one.line["ci"], 2), "rate": one.rate}
            for seg in one.pieces:
                other = (seg.form, seg.ci) != (one.line["form"], fresh["ci"])
                worst = {**fresh, "ci": max(seg.ci, fresh["ci"]), "pounds": one.pounds(seg.start, seg.stop)}
                more = worst if seg in one.handed_on or other else {}
                if seg.form in PRODUCTS:
                    more |= {"pounds": min(seg.pounds, one.pounds(seg.start, seg.stop))}
                changes.append((seg, {**new, **more}))
            for span in one.gaps:
                made: dict[str, Any] = {**new, **fresh, "pounds": one.pounds(*span)}
                entering.append(Seg(one.name, *span, one.line["crop"], one.line["harvest_year"], **made))
            self.use_up(one)
        self.write(event, changes, tuple(entering))

    def known(self, event: Event, line: Event, number: int) -> Known:
        name, start = line.get("origin") or f"{event['giver']}:{event['number']}/{number}", th(line.get("start", "0"))
        stop = start + th(line["bushels"])
        pieces = self.books.at(name, start, stop)
        one = Known(line, name, start, stop, pieces, without((start, stop), [(seg.start, seg.stop) for seg in pieces]))
        one.handed_on = [seg for seg in pieces if seg.owner != event["giver"] and self.is_handed_on(seg)]
        return one

    def elsewhere_slips(self, name: str) -> list[Slip]:
        return [slip for slip in self.by_origin.get(name, []) if not self.books.terms[slip.taker]]

    def is_handed_on(self, seg: Seg) -> bool:
        """Tell whether a farm's slips to parties without a book here cover a stretch."""
        slips = self.elsewhere_slips(seg.origin)
        spans = merged([span for slip in slips if slip.giver == seg.owner for span in slip.open])
        there = seg.state == "held" and seg.form == seg.crop
        return there and any(low <= seg.start and seg.stop <= high for low, high in spans)

    def out_of_sight(self, seg: Seg) -> bool:
        """Tell whether a stretch was last seen with somebody who may have sold it on unseen."""
        if seg.state not in LIVE or seg.owner not in self.roles:
            return False
        if self.roles[seg.owner] in TRADERS:
            return not self.books.terms[seg.owner]
        slips = [slip for slip in self.by_origin.get(seg.origin, []) if self.books.terms[slip.taker]]
        spans = [span for slip in slips if slip.giver == seg.owner for span in slip.open]
        return all(high <= seg.start or seg.stop <= low for low, high in spans)

    def believable(self, lines: list[Known], giver: str, day: date) -> None:
        """Walk through what could be wrong with the serials of a document, in the documented order."""
        there = [(one, self.origins[one.name]) for one in lines if one.name in self.origins]
        need(all(origin.blind or not one.gaps for one, origin in there), "outside_origin")
        kept = [one for one, origin in there if origin.standing != "withdrawn"]
        need(all(seg.state != "void" for one in kept for seg in one.pieces), "outside_origin")
        for standing in ("withdrawn", "suspended"):
            need(all(origin.standing != standing for _, origin in there), f"report_{standing}")
        every = [(one, seg, seg in one.handed_on) for one in lines for seg in one.pieces]
        strange = [seg for _, seg, away in every if not away and not (seg.owner == giver and seg.state in LIVE)]
        need(all(self.out_of_sight(seg) for seg in strange), "broken_chain")
        need(not strange, "chain_not_shown")
        elsewhere = not self.books.terms[giver]
        for one, seg, away in every:
            ci = th(one.line["ci"], 2)
            unseen = (away or elsewhere) and seg.ci < ci
            worse = seg.ci > ci and self.origins[one.name].grew_worse(ci, day)
            need(seg.ci == ci or unseen or worse, "ci_differs")
        for one, seg, away in every:
            form = one.line["form"]
            made = seg.form in PRODUCTS.get(form, ()) and (away or elsewhere)
            most = seg.part(max(seg.start, one.start), min(seg.stop, one.stop)).pounds
            made = made and (seg.form not in PRODUCTS or one.pounds(seg.start, seg.stop) <= most)
            need(seg.form == form or made, "other_form")
        need(all(seg.since <= day for _, seg, _ in every), "not_held_yet")
        for one in lines:
            rate = th(one.line.get("rate", "0"), 6)
            most = (one.stop - one.start) * rate // MILLION
            need(not rate or th(one.line.get("pounds", "0")) <= most, "beyond_crop")

    def noted_origin(self, giver: str, one: Known, day: date) -> None:
        known = self.origins.get(one.name)
        if known is None:
            size, ci, blind = one.stop - one.start, th(one.line["ci"], 2), "origin" in one.line
            about = (giver, one.line["crop"], one.line["harvest_year"], size, ci, day, one.stop)
            self.origins[one.name] = Origin(*about, report=False, blind=blind)
            if blind:
                self.books.came_by[one.name] = {}
        else:
            known.issued = max(known.issued, one.stop)

    def use_up(self, one: Known) -> None:
        taken = [(seg.start, seg.stop) for seg in one.handed_on]
        for slip in self.elsewhere_slips(one.name) if taken else ():
            slip.open = [left for span in slip.open for left in without(span, taken)]

    # notices

    def on_notice(self, event: Event, day: date) -> None:
        giver, taker, kind = event["giver"], event["taker"], event["reason"]
        need(self.role(giver) and self.role(taker), "entity_not_found")
        need(giver != taker, "parties_are_one")
        need({self.roles[giver], self.roles[taker]} <= TRADERS, "role_not_allowed")
        need(event["origin"] in self.origins, "record_not_found")
        one = self.origins[event["origin"]]
        came = merged(self.books.came_by.get(event["origin"], {}).get((giver, taker), []))
        need(one.blind and came, "parties_differ")
        spans = [(th(start), th(stop)) for start, stop in event["spans"]]
        need(self.is_news(one, event["origin"], kind, spans, came), "already_answered")
        self.reachable(event["origin"], day)
        need(all(any(low <= start and stop <= high for low, high in came) for start, stop in spans), "outside_origin")
        need(all(seg.since <= day for seg in self.live(event["origin"])), "not_held_yet")
        self.stands()
        if kind == "suspended":
            one.resting = merged([*one.resting, *spans])
        elif kind == "reinstated":
            one.resting = [left for span in one.resting for left in without(span, spans)]
        there = [seg for span in sorted(spans) for seg in self.books.at(event["origin"], *span)]
        if kind in ("withdrawn", "fewer_bushels"):
            gone = [(seg.start, seg.stop) for seg in there if seg.state == "retired"]
            self.short.setdefault(event["origin"], []).extend(gone)
        if kind == "worse_ci":
            one.tell(day, th(event["ci"], 2), merged(spans))
        pieces = [seg for seg in there if seg.state in LIVE]
        changes: list[tuple[Seg, dict[str, Any]]] = []
        for seg in pieces:
            if kind == "worse_ci" and seg.ci < th(event["ci"], 2):
                changes.append((seg, {"ci": th(event["ci"], 2)}))
            elif kind in ("withdrawn", "fewer_bushels"):
                changes.append((seg, {"state": "void", "by": event["id"], "since": day}))
        self.write(event, changes)

    def is_news(self, one: Origin, name: str, kind: str, spans: Spans, came: Spans) -> bool:
        if all(seg.state == "void" for span in came for seg in self.books.at(name, *span)):
            return False
        if kind == "suspended":
            return not all(any(low <= start and stop <= high for low, high in one.resting) for start, stop in spans)
        touched = any(start < high and low < stop for start, stop in spans for low, high in one.resting)
        return kind != "reinstated" or touched
