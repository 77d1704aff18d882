"""The auditor on declarations, farm reports, and what farms sell."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from tests.simulation import rules
from tests.simulation.ledger import LIVE, STOCK, Event, Seg, Spot, Term, rests
from tests.simulation.ledger import thousandths as th


@dataclass(slots=True)
class FarmRules(rules.Rules):
    """From the declarations to the farm gate."""

    # declarations

    def on_entity(self, event: Event, _: date) -> None:
        self.stands()
        who = event["entity"]
        self.roles[who], self.sites[who] = event["roles"][0], event["sites"]
        self.books.terms.setdefault(who, [])
        self.books.owned.setdefault(who, {})
        if event["roles"][0] in rules.TRADERS:
            self.books.keepers.add(who)

    def on_period(self, event: Event, day: date) -> None:
        start, end = date.fromisoformat(event["start_day"]), date.fromisoformat(event["end_day"])
        rules.need(self.role(event["entity"]) in rules.TRADERS, "role_not_allowed")
        terms = self.books.terms[event["entity"]]
        rules.need((end - start).days <= 91, "period_too_long")
        rules.need(not terms or (start - terms[-1].end).days == 1, "period_not_continuous")
        if day >= start:
            # Late: it goes on as the last one did. The first one begins before anything moved.
            went_on = (
                (end, event["policy"]) == (self.next_border(terms[-1], start), terms[-1].policy) if terms else None
            )
            rules.need(went_on is not False, "period_declared_late")
            deeds = () if terms else self.books.deeds.values()
            moved = [made.since for deed in deeds for _, made in deed.changed
                     if event["entity"] in (made.owner, made.custodian)]  # fmt: skip
            rules.need(all(start <= one for one in moved), "period_declared_late")
        self.stands()
        terms.append(Term(start, end, event["policy"]))

    def next_border(self, last: Term, start: date) -> date:
        """Return where a period ends that is as long as the one before: in months if that was some, else in days."""
        after = last.end + timedelta(days=1)
        months = (after.year - last.start.year) * 12 + after.month - last.start.month
        if after.day != last.start.day or not months:
            return start + (last.end - last.start)
        place = start.year * 12 + start.month - 1 + months
        return date(place // 12, place % 12 + 1, start.day) - timedelta(days=1)

    def on_statement(self, event: Event, day: date) -> None:
        """A good statement cures what it covers; a bad one takes back what nothing else lets go on."""
        self.role(event["entity"])
        self.stands()
        who = event["entity"]
        first, last = date.fromisoformat(event["start_day"]), date.fromisoformat(event["end_day"])
        stock = [seg for segs in self.books.owned.values() for seg in segs.values() if seg.supplier == who]
        proven = [seg for seg in stock if seg.state == "held" and self.verified(who, seg.titled, seg.crop)]
        self.statements.setdefault(who, []).append((first, last, event["crops"], event["opinion"]))
        now = [(seg, "unverified") for seg in proven if not self.verified(who, seg.titled, seg.crop)]
        if event["opinion"] != "adverse":
            waiting = [seg for seg in stock if seg.state == "unverified"]
            now += [(seg, "held") for seg in waiting if self.verified(who, seg.titled, seg.crop)]
        self.write(event, [(seg, {"state": to, "since": max(day, seg.since)}) for seg, to in now])

    def on_yield(self, event: Event, _: date) -> None:
        start, end = date.fromisoformat(event["start_day"]), date.fromisoformat(event["end_day"])
        rules.need(self.role(event["entity"]) in rules.STORERS, "role_not_allowed")
        known = self.yields.setdefault(self.step(event), [])
        basis = event.get("basis", "provisional")
        made = (start, end, event["campaign"], th(event["rate"], 6), basis)
        rules.need(not self.above(event["entity"], self.step(event), made), "beyond_actual_product")
        wrong = [one for one in known if one[2] == made[2] and self.above(event["entity"], self.step(event), one)]
        for first, last, campaign, _rate, other in [one for one in known if one not in wrong]:
            same = basis == other and (campaign == event["campaign"] or (first <= end and start <= last))
            rules.need(not same, "yields_overlap")
        self.stands()
        known[:] = [one for one in known if one not in wrong or basis != "final"] + [made]

    def above(self, who: str, step: Spot, one: tuple[date, date, str, int, str]) -> bool:
        """Tell whether a final yield is above what its campaign put in and got out."""
        used, made = self.crushed.get("/".join((who, *step, one[2])), (0, 0))
        return one[4] == "final" and used > 0 and one[3] > -(-made * 10**6 // used)

    def step(self, event: Event) -> Spot:
        return (event["site"], event["made_of"], event["output"])

    def on_crush(self, event: Event, _: date) -> None:
        rules.need(self.role(event["entity"]) in rules.STORERS, "role_not_allowed")
        batch = self.campaign(event)
        rules.need(not self.batches.get(batch), "already_answered")
        known = {campaign for _, _, campaign, _, _ in self.yields.get(self.step(event), [])}
        rules.need(event["campaign"] in known, "yield_not_found")
        self.stands()
        self.crushed[batch] = (th(event["crop_crushed"]), th(event["product_made"]))

    def campaign(self, event: Event) -> str:
        return "/".join((event["entity"], *self.step(event), event["campaign"]))

    def on_convert(self, event: Event, day: date) -> None:
        """A batch of the plant: the campaign is the sum of those that stand."""
        rules.need(self.role(event["entity"]) in rules.STORERS, "role_not_allowed")
        batch, number = self.campaign(event), event["number"]
        known = self.batches.get(batch, {})
        if event.get("void"):
            rules.need(number in known, "record_not_found")
        rules.need(th(event["put_in"]) > 0 and th(event["made"]) > 0, "amount_not_positive")
        start = date.fromisoformat(event.get("start_day") or event["day"])
        rules.need(start <= day, "dates_reversed")
        rules.need((day - start).days <= 91, "period_too_long")
        rules.need(event["campaign"] in {one[2] for one in self.yields.get(self.step(event), [])}, "yield_not_found")
        rules.need(event.get("void") or number not in known, "document_seen")
        self.stands()
        left = {other: pair for other, pair in known.items() if other != number}
        self.batches[batch] = left if event.get("void") else {**left, number: (th(event["put_in"]), th(event["made"]))}
        self.crushed[batch] = tuple(sum(pair[place] for pair in self.batches[batch].values()) for place in (0, 1))  # type: ignore[assignment]

    # reports

    def on_report(self, event: Event, day: date) -> None:
        name = f"{event['entity']}/{event['crop']}/{event['harvest_year']}"
        number, bushels, ci = event.get("version", 1), th(event["bushels"]), th(event["ci"], 2)
        self.role(event["entity"])
        if name in self.origins:
            self.amended(event, day, name, (number, bushels, ci))
            return
        rules.need(number == 1, "version_out_of_order")
        self.stands()
        self.origins[name] = rules.Origin(
            event["entity"], event["crop"], event["harvest_year"], bushels, ci, day, bushels
        )
        self.write(event, [], (self.grown(name, 0, bushels, day, event["id"]),))

    def grown(self, name: str, start: int, stop: int, day: date, by: str) -> Seg:
        one = self.origins[name]
        place = {"owner": one.farm, "custodian": one.farm, "site": "", "form": one.crop, "state": "held"}
        days = {"since": day, "acquired": day, "titled": day}
        return Seg(name, start, stop, one.crop, one.year, ci=one.ci, by=by, **place, **days)  # type: ignore[arg-type]

    def live(self, name: str) -> list[Seg]:
        return [seg for seg in self.books.segs[name] if seg.state in LIVE]

    def reachable(self, name: str, day: date) -> None:
        for seg in self.live(name):
            term = self.term(seg.owner, day)
            rules.need(term is None or not term.closed, "period_closed")

    def amended(self, event: Event, day: date, name: str, version: tuple[int, int, int]) -> None:
        """Take fewer bushels and a worse carbon intensity to everything that can still move."""
        number, bushels, ci = version
        one = self.origins[name]
        self.reachable(name, day)
        rules.need(number != 1, "second_origin")
        rules.need(number == one.number + 1 and day >= one.day, "version_out_of_order")
        rules.need(one.standing != "withdrawn", "report_withdrawn")
        rules.need(all(seg.since <= day for seg in self.live(name)), "not_held_yet")
        self.stands()
        missing = one.bushels - bushels
        cut = self.taken_back(name, one.farm, missing)
        changes: list[tuple[Seg, dict[str, Any]]] = [
            (piece, {"state": "void", "by": event["id"], "since": day}) for piece in cut
        ]
        gone = [(piece.start, piece.stop) for piece in cut]
        self.noted_short(name, missing - sum(piece.size for piece in cut))
        for seg in self.live(name):
            if seg.ci != ci and (seg.owner == one.farm or ci > seg.ci):
                taken = [piece for piece in cut if seg.start <= piece.start < seg.stop]
                changes.extend((left, {"ci": ci}) for left in (rests(seg, taken) if taken else [seg]))
        one.number, one.bushels, one.ci, one.day = number, bushels, ci, day
        one.tell(day, ci, [])
        added: tuple[Seg, ...] = ()
        if missing < 0:
            added = (self.grown(name, one.issued, one.issued - missing, day, event["id"]),)
            one.issued -= missing
        self.write(event, changes, added)
        for slip in self.by_origin.get(name, []):
            slip.open = [left for span in slip.open for left in rules.without(span, gone)]

    def noted_short(self, name: str, missing: int) -> None:
        """Remember what was retired and is missing now, the latest first."""
        retired = [seg for seg in self.books.segs[name] if seg.state == "retired"]
        for seg in sorted(retired, key=lambda seg: (seg.since, seg.start), reverse=True):
            if missing > 0:
                start = max(seg.start, seg.stop - missing)
                self.short.setdefault(name, []).append((start, seg.stop))
                missing -= seg.stop - start

    def taken_back(self, name: str, farm: str, missing: int) -> list[Seg]:
        """Return what missing bushels are taken from: free at the farm, free at a landowner, then what was sold last.

        Free is what no slip signs away; what one does was sold on its day, though nobody may have purchased it here.
        """
        free: list[Seg] = []
        sold: list[tuple[date, int, Seg]] = []
        for seg in self.live(name):
            if self.roles[seg.owner] not in rules.GROWERS:
                sold.append((seg.acquired, seg.start, seg))
                continue
            rest = [(seg.start, seg.stop)]
            for slip in self.by_origin.get(name, []):
                for low, high in slip.open if slip.giver == seg.owner else []:
                    start, stop = max(low, seg.start), min(high, seg.stop)
                    if start < stop:
                        sold.append((slip.day, start, seg.part(start, stop)))
                        rest = [left for span in rest for left in rules.without(span, [(start, stop)])]
            free.extend(seg.part(start, stop) for start, stop in rest)
        free.sort(key=lambda seg: (seg.owner != farm, -seg.start))
        sold.sort(key=lambda one: one[:2], reverse=True)
        cut = []
        for seg in [*free, *(seg for _, _, seg in sold)]:
            if missing <= 0:
                break
            start = max(seg.start, seg.stop - missing)
            kept = seg.pounds * (start - seg.start) // seg.size
            cut.append(Seg(**{**fields(seg), "start": start, "pounds": seg.pounds - kept}))
            missing -= seg.stop - start
        return cut

    def on_suspend(self, event: Event, _: date) -> None:
        self.change_standing(event, "suspended")

    def on_reinstate(self, event: Event, _: date) -> None:
        self.change_standing(event, "active")

    def change_standing(self, event: Event, to: str) -> None:
        rules.need(event["origin"] in self.origins, "record_not_found")
        one = self.origins[event["origin"]]
        rules.need(one.standing != to, "already_answered")
        rules.need(one.standing != "withdrawn", "report_withdrawn")
        self.stands()
        one.standing = to

    def on_withdraw(self, event: Event, day: date) -> None:
        rules.need(event["origin"] in self.origins, "record_not_found")
        one = self.origins[event["origin"]]
        rules.need(one.standing != "withdrawn", "already_answered")
        self.reachable(event["origin"], day)
        live = self.live(event["origin"])
        rules.need(all(seg.since <= day for seg in live), "not_held_yet")
        self.stands()
        one.standing = "withdrawn"
        self.write(event, [(seg, {"state": "void", "by": event["id"], "since": day}) for seg in live])

    # from the farm

    def on_slip(self, event: Event, day: date) -> None:
        giver, taker = event["giver"], event["taker"]
        rules.need(self.role(giver) in rules.GROWERS and self.role(taker) in rules.BUYERS, "role_not_allowed")
        spans = self.assigned(event, day)
        self.stands()
        self.slips[event["id"]] = rules.Slip(
            giver, taker, event["origin"], rules.merged(spans), day, rules.merged(spans)
        )
        self.by_origin.setdefault(event["origin"], []).append(self.slips[event["id"]])

    def assigned(self, event: Event, day: date) -> rules.Spans:
        """Return the free serials that a slip or share hands out: those named, or the lowest."""
        giver = event["giver"]
        rules.need(event["origin"] in self.origins, "record_not_found")
        one = self.origins[event["origin"]]
        rules.need(one.farm == giver or self.roles[giver] == "landowner", "parties_differ")
        taken = [span for slip in self.by_origin.get(event["origin"], []) for span in slip.open]
        if "spans" in event:
            spans = [(th(start), th(stop)) for start, stop in event["spans"]]
            pieces = self.named([(event["origin"], *span) for span in spans])
            self.good([event["origin"]])
            apart = all(stop <= low or high <= start for start, stop in spans for low, high in taken)
            rules.need(apart, "serials_assigned")
            self.givable(pieces, day, giver, ("held",), one.crop)
        else:
            self.good([event["origin"]])
            spans = self.lowest(event["origin"], giver, taken, th(event["bushels"]), day)
        return spans

    def lowest(self, origin: str, giver: str, taken: rules.Spans, wanted: int, day: date) -> rules.Spans:
        """Return the lowest serials that no slip has assigned."""
        found: rules.Spans = []
        for seg in self.books.segs[origin]:
            if seg.owner != giver or seg.state != "held" or seg.since > day or seg.form != seg.crop:
                continue
            for start, stop in rules.without((seg.start, seg.stop), taken):
                found.append((start, min(stop, start + wanted)))
                wanted -= found[-1][1] - start
                if not wanted:
                    return found
        raise rules.RefusedError("exceeds_stock")

    def on_purchase(self, event: Event, day: date) -> None:
        giver, taker = event["giver"], event["taker"]
        rules.need(giver != taker, "parties_are_one")
        rules.need(self.role(giver) in rules.GROWERS and self.role(taker) in rules.BUYERS, "role_not_allowed")
        site = self.site(taker, event["site"])
        rules.need(event["slip"] in self.slips, "record_not_found")
        slip = self.slips[event["slip"]]
        rules.need((slip.giver, slip.taker) == (giver, taker), "parties_differ")
        rules.need(slip.open, "already_answered")
        have = sum(stop - start for start, stop in slip.open)
        wanted = th(event["bushels"]) if "bushels" in event else have
        self.open(taker, day)
        pieces, left = self.of_slip(slip, wanted, day)
        rules.need(wanted <= have, "exceeds_stock")
        new = {"owner": taker, "custodian": taker, "site": site, "supplier": giver, "by": event["id"]}
        self.write(event, [(piece, {**new, "since": day, "acquired": day, "titled": day}) for piece in pieces])
        slip.open = left

    def of_slip(self, slip: rules.Slip, wanted: int, day: date) -> tuple[list[Seg], rules.Spans]:
        """Return the lowest serials of a slip as they stand, and the spans that stay open."""
        taken, left = [], []
        for start, stop in slip.open:
            middle = min(stop, start + wanted)
            wanted -= middle - start
            taken.extend([(slip.origin, start, middle)] if start < middle else [])
            left.extend([(middle, stop)] if middle < stop else [])
        pieces = self.named(taken)
        self.good([slip.origin])
        self.givable(pieces, day, slip.giver, ("held",), self.origins[slip.origin].crop)
        return pieces, left

    def on_purchase_pending(self, event: Event, day: date) -> None:
        giver, taker = event["giver"], event["taker"]
        rules.need(self.role(giver) in rules.GROWERS and self.role(taker) in rules.BUYERS, "role_not_allowed")
        site = self.site(taker, event["site"])
        bushels = th(event["bushels"])
        rules.need(bushels > 0, "amount_not_positive")
        self.open(taker, day)
        tickets = [th(ticket["bushels"]) for ticket in event["tickets"]]
        rules.need(sum(tickets) >= bushels, "tickets_below_claim")
        shut = self.shut.get((taker, site))
        rules.need(shut is None or day < shut.day, "site_closed")
        self.stands()
        self.weighed((taker, site, event["crop"]), rules.Weight(day, "in", sum(tickets)))
        year = event["harvest_year"]
        self.waiting[event["id"]] = rules.Waiting(giver, taker, site, event["crop"], year, bushels, bushels, day)

    def on_assign(self, event: Event, day: date) -> None:
        giver, taker = event["giver"], event["taker"]
        self.role(giver), self.role(taker)
        rules.need(event["pending"] in self.waiting and event["slip"] in self.slips, "record_not_found")
        bought, slip = self.waiting[event["pending"]], self.slips[event["slip"]]
        one = self.origins[slip.origin]
        same = (bought.giver, bought.taker) == (slip.giver, slip.taker) == (giver, taker)
        rules.need(same and (bought.crop, bought.year) == (one.crop, one.year), "parties_differ")
        rules.need(slip.open and bought.left, "already_answered")
        have = sum(stop - start for start, stop in slip.open)
        wanted = th(event["bushels"]) if "bushels" in event else min(have, bought.left)
        self.open(taker, day)
        pieces, left = self.of_slip(slip, wanted, day)
        rules.need(wanted <= have, "exceeds_stock")
        terms = self.books.terms[taker]
        then, now = self.term(taker, bought.day), self.term(taker, day)
        assert then is not None
        assert now is not None
        rules.need(terms.index(now) - terms.index(then) in (0, 1) and day >= bought.day, "pending_too_late")
        rules.need(wanted <= bought.left, "exceeds_pending")
        spot = (taker, bought.site, one.crop)
        rules.need(self.stock(spot, day) is not None, "no_grain_book")
        rules.need(self.claims_at(spot) + wanted <= (self.stock(spot, day) or 0), "claims_exceed_grain")
        new = {"owner": taker, "custodian": taker, "site": bought.site, "supplier": giver, "by": event["id"]}
        self.write(event, [(piece, {**new, "since": day, "acquired": day, "titled": bought.day}) for piece in pieces])
        slip.open, bought.left = left, bought.left - wanted

    def on_storage(self, event: Event, day: date) -> None:
        owner, custodian = event["owner"], event["custodian"]
        rules.need(self.role(owner) and self.role(custodian) in rules.STORERS, "role_not_allowed")
        rules.need(owner != custodian, "parties_are_one")
        site = self.site(custodian, event["site"])
        ranges = rules.ranges_of(event)
        pieces = self.named(ranges)
        self.good([origin for origin, _, _ in ranges], pieces)
        form = event.get("form") or self.origins[ranges[0][0]].crop
        self.givable(pieces, day, owner, STOCK, form)
        new = {"custodian": custodian, "site": site, "by": event["id"], "since": day}
        self.write(event, [(piece, new) for piece in pieces])


def fields(seg: Seg) -> dict[str, Any]:
    return {name: getattr(seg, name) for name in Seg.__slots__}
