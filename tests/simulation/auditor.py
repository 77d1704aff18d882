"""An auditor with a model of its own: every rule a plain ``if`` over a ledger of plain lists.

It shares no code with the package. Asked what the right answer to a request is, it says a refusal by name or writes
the request into its ledger. In the end its ledger and its counts of what came and went are laid beside the store's."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from tests.simulation import rules
from tests.simulation.ledger import LIVE, STOCK, Event, Seg, Spot, Term
from tests.simulation.ledger import thousandths as th
from tests.simulation.rules_trade import OutsideRules

CORRECTABLE = {
    "share", "slip", "purchase", "purchase_pending", "assign", "storage", "sale", "document", "accept", "reject",
    "move", "process", "release", "loss", "retire", "return", "close_site", "correct",
}  # fmt: skip


@dataclass(slots=True)
class Auditor(OutsideRules):
    """The whole model: here how claims end, what corrections take back, and the close of a period."""

    # ends

    def ended(self, event: Event, day: date, state: str, states: tuple[str, ...]) -> None:
        who = event["entity"]
        place = (who, self.site(who, event["site"])) if event.get("site") else None
        self.choosing(event)
        pieces = self.choose(event, who, states, self.open(who, day), place)
        self.write(event, [(piece, {"state": state, "since": day, "by": event["id"]}) for piece in pieces])

    def on_release(self, event: Event, day: date) -> None:
        rules.need(self.role(event["entity"]) in rules.GROWERS | rules.TRADERS, "role_not_allowed")
        self.ended(event, day, "released", STOCK)

    def on_loss(self, event: Event, day: date) -> None:
        rules.need(self.role(event["entity"]) in rules.GROWERS | rules.TRADERS, "role_not_allowed")
        if not event.get("shared"):
            self.ended(event, day, "lost", STOCK)
            return
        who = event["entity"]
        site = self.site(who, event["site"])
        form, wanted = self.choosing(event)
        self.open(who, day)
        pool = [seg for seg in self.books.owned[who].values() if seg.spot == (who, site, form) and seg.since <= day]
        claims = sum(seg.amount for seg in pool)
        rules.need(claims > 0, "exceeds_stock")
        stock = self.stock((who, site, form), day, before_measuring=True)
        if stock is None:
            rules.refuse("no_grain_book")
        part = min(claims, -(-wanted * claims // max(stock, claims)))
        pool.sort(key=lambda seg: (seg.acquired, seg.origin, seg.start))
        taken = self.spread(pool, part)
        self.write(event, [(piece, {"state": "lost", "since": day, "by": event["id"]}) for piece in taken])

    def on_retire(self, event: Event, day: date) -> None:
        rules.need(self.role(event["entity"]) == "refiner", "role_not_allowed")
        self.ended(event, day, "retired", ("held",))

    # corrections

    def depth(self, movement: str) -> tuple[int, Event]:
        """Return how many corrections deep an event is, and the movement at the bottom."""
        event = self.books.deeds[movement].event
        if event["type"] != "correct":
            return 0, event
        depth, root = self.depth(event["movement"])
        return depth + 1, root

    def on_correct(self, event: Event, day: date) -> None:
        self.role(event["entity"])
        rules.need(event["movement"] in self.books.deeds, "record_not_found")
        deed = self.books.deeds[event["movement"]]
        depth, root = self.depth(event["movement"])
        undone = depth % 2 == 0
        sides = {root.get(name) for name in ("entity", "giver", "taker", "owner")}
        sides |= {root["custodian"]} if root["type"] == "storage" else set()  # who enters it takes it back too
        rules.need(event["entity"] in sides, "parties_differ")
        rules.need(deed.event["type"] in CORRECTABLE, "not_correctable")
        rules.need(not deed.taken_back, "already_answered")
        moved = [(before, made) for before, made in deed.changed if before is not None or root["type"] == "document"]
        pairs = [(before, seg) for before, made in moved for seg in self.books.at(made.origin, made.start, made.stop)]
        beside = self.beside(root, [seg for _, seg in pairs], day, undone=undone)
        self.revivable(root, day, [*(seg for _, seg in pairs), *(before for before, _ in moved if before is not None)])
        self.still_in_report([seg for _, seg in pairs if seg.state not in LIVE])
        rules.need(all(self.untouched(seg, event["movement"]) for _, seg in pairs), "not_held")
        rules.need(all(seg.since <= day for _, seg in pairs), "not_held_yet")
        changes = []
        for old, seg in pairs:
            if old is None:
                again = {"owner": seg.supplier, "custodian": seg.supplier, "site": "", "supplier": "", "state": "held"}
                days = {"since": day, "acquired": day, "titled": day}
                changes.append((seg, {**again, **days, "by": event["id"]}))
                continue
            names = ("owner", "custodian", "site", "supplier", "state", "acquired", "titled")
            change = {name: getattr(old, name) for name in names} | {"by": event["id"], "since": day}
            if old.form != seg.form:
                change |= {"form": old.form, "rate": old.rate, "batch": old.batch, "maker": old.maker}
                change["pounds"] = old.part(seg.start, seg.stop).pounds
            if seg.state not in LIVE and old.state in LIVE:
                change["ci"] = self.worst(old, seg)
            changes.append((seg, change))
        for seg, change in changes:
            # What lies with one party goes to another only when it says so itself.
            taken = seg.state in STOCK and change["state"] in STOCK and change["owner"] != seg.owner
            if taken and event["entity"] != seg.owner:
                change["state"] = "disputed"
        counted: Callable[[], object] = list
        if root["type"] == "process" and changes:
            counted = self.recount(root, [(old, seg) for old, seg in pairs if old is not None], undone=undone)
        self.running(event, changes)
        self.stands()
        counted()
        deed.taken_back = event["id"]
        beside()
        self.write(event, changes)

    def on_settle(self, event: Event, day: date) -> None:
        self.role(event["entity"])
        deed = self.books.deeds.get(event["movement"])
        rules.need(deed is not None, "record_not_found")
        assert deed is not None
        now = [seg for _, made in deed.changed for seg in self.books.at(made.origin, made.start, made.stop)]
        whole = {id(one): one for seg in now for one in [self.books.whole(seg)[1]]}
        doubtful = [seg for seg in whole.values() if seg.by == event["movement"] and seg.state == "disputed"]
        rules.need(doubtful, "already_answered")
        had = {self.had(event["movement"], seg) for seg in doubtful}
        rules.need(had == {event["entity"]}, "paper_not_shown")
        for who in sorted({seg.owner for seg in doubtful}):
            if self.books.terms[who]:
                self.open(who, day)
        rules.need(all(seg.since <= day for seg in doubtful), "not_held_yet")
        new = {"by": event["id"], "since": day, "acquired": day}
        self.write(event, [(seg, {**new, "state": self.proven(seg)}) for seg in doubtful])

    def had(self, act: str, seg: Seg) -> str:
        """Return who had a piece before somebody else took it back."""
        pairs = self.books.deeds[act].changed
        return next(
            before.owner
            for before, after in pairs
            if before is not None and after.origin == seg.origin and after.start < seg.stop and seg.start < after.stop
        )

    def proven(self, seg: Seg) -> str:
        sure = not seg.supplier or self.roles[seg.supplier] not in rules.TRADERS
        return "held" if sure or self.verified(seg.supplier, seg.titled, seg.crop) else "unverified"

    def worst(self, old: Seg, seg: Seg) -> int:
        """Return the carbon intensity of what lives again: no better than anything said since its owner had it."""
        one = self.origins[seg.origin]
        if one.report and old.owner == one.farm:
            return max(old.ci, one.ci)
        said = [
            ci
            for day, ci, spans in one.said
            if day >= old.since and (not spans or any(seg.start < high and low < seg.stop for low, high in spans))
        ]
        return max(old.ci, *said, 0)

    def still_in_report(self, ended: list[Seg]) -> None:
        """Refuse to revive what ended before its report lost it."""
        for name in {seg.origin for seg in ended}:
            one, mine = self.origins[name], [seg for seg in ended if seg.origin == name]
            rules.need(one.standing != "withdrawn", "report_withdrawn")
            short = self.short.get(name, [])
            hit = any(seg.start < high and low < seg.stop for seg in mine for low, high in short)
            rules.need(not hit, "report_withdrawn")
            if one.report:
                standing = sum(seg.size for seg in self.books.segs[name] if seg.state in (*LIVE, "retired"))
                more = sum(seg.size for seg in mine if seg.state != "retired")
                rules.need(standing + more <= one.bushels, "report_withdrawn")

    def untouched(self, seg: Seg, movement: str) -> bool:
        later = self.books.deeds[seg.by].event
        accepted = later["type"] == "accept" and later["movement"] == movement
        return seg.by == movement or accepted or (seg.state == "in_transit" and self.sender(seg) == movement)

    def revivable(self, root: Event, day: date, segs: list[Seg]) -> None:
        """Refuse a day that a holder has closed, and what ended in a closed period."""
        for who in sorted({seg.owner for seg in segs if seg.state in STOCK}):
            if self.books.terms[who]:
                self.open(who, day)
        if root["type"] in ("release", "loss", "retire"):
            term = self.term(root["entity"], date.fromisoformat(root["day"]))
            rules.need(term is None or not term.closed, "period_closed")

    def beside(self, root: Event, now: list[Seg], day: date, *, undone: bool) -> Callable[[], object]:
        """Return what else a correction changes: slips, waiting purchases, totals of a campaign."""
        if root["type"] == "slip":
            slip = self.slips[root["id"]]
            rules.need(slip.open and undone, "already_answered")
            return lambda: setattr(slip, "open", [])
        if root["type"] == "close_site":
            return self.site_again(root, day, undone=undone)
        if root["type"] == "document":
            return lambda: self.slips_again(root, undone=undone)
        if root["type"] in ("purchase", "assign"):
            return self.slip_beside(root, now, undone=undone)
        if root["type"] == "sale":
            return lambda: self.tickets_again(root, undone=undone)
        if root["type"] == "purchase_pending":
            bought = self.waiting[root["id"]]
            rules.need(bought.left == (bought.bushels if undone else 0), "already_answered")
            return lambda: setattr(bought, "left", 0 if undone else bought.bushels)
        if root["type"] == "process" and now and not undone:
            # The final yield is in the books: what was claimed at the provisional one may not come back beside it.
            batch = self.books.deeds[root["id"]].changed[0][1].batch
            rules.need((batch, root["entity"]) not in self.trued, "already_answered")
        return lambda: None

    def tickets_again(self, root: Event, *, undone: bool) -> None:
        """Free the tickets of the destination of a sale, or tie them to it again where nobody has them by then."""
        for ticket in root.get("destination", []):
            one = self.afar[root["giver"], root["taker"], ticket["number"]]
            if one.sale in ("", root["id"]):
                one.sale = "" if undone else root["id"]

    def slips_again(self, root: Event, *, undone: bool) -> None:
        """Open again, or use up again, what farms had signed away of the serials of a document."""
        for before, made in self.books.deeds[root["id"]].changed:
            if before is None or before.owner == root["giver"]:
                continue
            for slip in self.elsewhere_slips(made.origin):
                mine = [(max(low, made.start), min(high, made.stop)) for low, high in slip.spans]
                mine = [(start, stop) for start, stop in mine if start < stop]
                left = [part for one in slip.open for part in rules.without(one, mine)]
                slip.open = rules.merged([*left, *mine]) if undone else left

    def site_again(self, root: Event, day: date, *, undone: bool) -> Callable[[], object]:
        """Open a closed site again, or close it once more: from its own day on, which may have come since."""
        place = (root["entity"], self.site(root["entity"], root["site"]))
        first = date.fromisoformat(root["day"])
        ahead = root.get("ahead", False) and day < first
        if undone:
            return lambda: self.shut.pop(place)
        rules.need(place not in self.shut, "already_answered")
        self.empty(place, first, ahead=ahead)
        return lambda: self.shut.update({place: rules.Shut(first, ahead)})

    def recount(self, root: Event, pairs: list[tuple[Seg, Seg]], *, undone: bool) -> Callable[[], object]:
        """Take out of a campaign, or put back, the crop of its claims and the oil that they stand for at this moment.

        2100.033(a), interpretation 41: whatever is entered, claimed oil may not move further above actual oil times the
        share of crop under claims in all crop crushed.
        """
        made = self.books.deeds[root["id"]].changed
        batch, who = made[0][1].batch, root["entity"]
        used = sum(self.input_of(before, after) for before, after in made if before is not None)
        oil = sum(seg.pounds if undone else old.part(seg.start, seg.stop).pounds for old, seg in pairs)
        known = self.claimed[batch]
        sign = -1 if undone else 1
        after = {**known, who: (known[who][0] + sign * used, known[who][1] + sign * oil)}
        if undone:
            rules.need(self.too_much(batch, after) <= self.too_much(batch, known), "beyond_actual_product")
        else:
            self.bounded(batch, after)
        return lambda: self.claimed.update({batch: after})

    def input_of(self, before: Seg, after: Seg) -> int:
        return before.part(after.start, after.stop).amount

    def slip_beside(self, root: Event, now: list[Seg], *, undone: bool) -> Callable[[], object]:
        slip, spans = self.slips[root["slip"]], [(seg.start, seg.stop) for seg in now]
        if undone:
            left = rules.merged([*slip.open, *spans])
        else:
            left = list(slip.open)
            for start, stop in spans:
                rules.need(any(low <= start and stop <= high for low, high in left), "already_answered")
                left = [part for one in left for part in rules.without(one, [(start, stop)])]
        bought = self.waiting.get(root.get("pending", ""))
        change = sum(seg.size for seg in now) * (1 if undone else -1)

        def apply() -> None:
            slip.open = left
            if bought is not None:
                bought.left += change

        return apply

    # closes

    def on_measurement(self, event: Event, day: date) -> None:
        self.scale(event, day, "measured")

    def on_receipt(self, event: Event, day: date) -> None:
        self.scale(event, day, "in")

    def on_shipment(self, event: Event, day: date) -> None:
        self.scale(event, day, "out")

    def scale(self, event: Event, day: date, kind: str) -> None:
        """Note what a scale said, or that it did not: a number stands once at a site."""
        who = event["entity"]
        rules.need(self.role(who) in rules.STORERS, "role_not_allowed")
        site = self.site(who, event.get("site", ""))
        spot, key, amount = (who, site, event["form"]), (who, site, event["number"]), th(event["amount"])
        known = self.numbers.get(key)
        if event.get("void"):
            rules.need(known is not None, "record_not_found")
            assert known is not None
            rules.need(not known.void, "already_answered")
            rules.need((known.day, known.kind, known.amount, known.form) == (day, kind, amount, event["form"]),
                 "ticket_differs")  # fmt: skip
            self.stands()
            known.void = True
            return
        rules.need(amount > 0 or kind == "measured", "amount_not_positive")
        rules.need(known is None or known.void, "ticket_differs")
        one = self.shut.get((who, site))
        rules.need(not one or not amount or (one.ahead and kind == "out") or day < one.day, "site_closed")
        self.stands()
        weight = rules.Weight(day, kind, amount, event["form"], self.sent(event, day, key) if kind == "in" else None)
        self.numbers[key] = weight
        self.weighed(spot, weight)

    def sent(self, event: Event, day: date, came: tuple[str, str, str]) -> rules.Weight | None:
        """Return the own ticket out with which grain came: both are of one move."""
        name = event["id"].removesuffix("/in")
        out = self.seen.get(f"{name}/out") if name != event["id"] else None
        if out is None or out["type"] != "shipment" or (out["entity"], out["form"]) != (came[0], event["form"]):
            return None
        key = (came[0], self.site(came[0], out.get("site", "")), out["number"])
        left = self.numbers[key]
        return None if left.void or key == came or left.day > day else left

    def on_close_site(self, event: Event, day: date) -> None:
        self.role(event["entity"])
        place = (event["entity"], self.site(event["entity"], event["site"]))
        rules.need(place not in self.shut, "already_answered")
        self.empty(place, day, ahead=event.get("ahead", False))
        self.stands()
        self.shut[place] = rules.Shut(day, event.get("ahead", False))

    def empty(self, place: tuple[str, str], day: date, *, ahead: bool) -> None:
        """Refuse to close a site at which anything lies, or that anything came to or left on a later day."""
        weights = [(spot, one) for spot, each in self.grain.items() if spot[:2] == place for one in each]
        lies = any(spot[:2] == place for piles in self.books.lying.values() for spot, one in piles.items() if one.total)
        stock = (one for segs in self.books.owned.values() for one in segs.values())
        here = any((one.custodian, one.site) == place for one in (*stock, *self.books.between.values()))
        grain = any((self.stock(spot, day) or 0) > 0 for spot in {spot for spot, _ in weights})
        rules.need(ahead or not (lies or grain or here), "site_in_use")
        rules.need(not any(one.day > day and one.amount and not one.void for _, one in weights), "site_in_use")
        for deed in (deed for then, deeds in self.books.on_days.items() if then > day for deed in deeds):
            segs = [seg for pair in deed.changed for seg in pair if seg is not None]
            there = any((seg.custodian, seg.site) == place and seg.state in LIVE for seg in segs)
            rules.need(not there, "site_in_use")

    def on_contract(self, event: Event, _: date) -> None:
        """A later contract with a number replaces the one before, of the same party."""
        who, key = event["entity"], (event["entity"], event["number"])
        self.role(who), self.role(event["counterparty"])
        rules.need(who != event["counterparty"], "parties_are_one")
        rules.need(key not in self.contracts or self.contracts[key].taker == event["counterparty"], "parties_differ")
        low, high = (th(event[name], 2) if name in event else None for name in ("ci_min", "ci_max"))
        rules.need(th(event["amount"]) > 0, "amount_not_positive")
        rules.need(low is None or high is None or low <= high, "ci_not_possible")
        self.stands()
        start = date.fromisoformat(event["start_day"])
        self.contracts[key] = rules.Contract(event["counterparty"], start, event["form"], low, high)

    def on_close(self, event: Event, day: date) -> None:
        who = event["entity"]
        self.role(who)
        terms = self.books.terms[who]
        term = next((one for one in terms if one.end == day), None)
        if term is None:
            rules.refuse("period_not_declared")
        rules.need(not term.closed, "period_closed")
        rules.need(next(one for one in terms if not one.closed) is term, "close_out_of_order")
        rules.need(date.fromisoformat(event["closed_on"]) >= term.end, "period_not_ended")
        places = self.books.lay(who, day)
        rules.need(all(self.stock(spot, day) is not None for spot in places), "no_grain_book")
        rules.need(not any(self.without_grain(who, crop, term) for crop in rules.CROPS), "claims_exceed_grain")
        for step, known in self.yields.items():
            mine = [one for one in known if step[0] in self.sites[who] and one[0] <= term.end and term.start <= one[1]]
            rules.need(not any(self.above(who, step, one) for one in mine), "beyond_actual_product")
        changes: list[tuple[Seg, dict[str, Any]]] = []
        for spot, own in sorted(places.items()):
            gone = self.surplus(event, day, spot, own)
            changes.extend((piece, {"state": "released", "since": day, "by": event["id"]}) for piece in gone)
        self.stands()
        self.write(event, changes)
        term.closed = True

    def without_grain(self, who: str, crop: str, term: Term) -> dict[str, int]:
        """Return by how much claims sold exceed the grain that was there in a period: of all own sites, and of each."""
        places = [(who, crop, site) for site in self.sites[who]]
        gone = {one: [size for day, size in self.books.gone.get(one, {}).items() if term.start <= day <= term.end]
                for one in places}  # fmt: skip
        if not any(gone.values()):
            return {}
        afar = [one for (seller, *_), one in self.afar.items() if seller == who and one.crop == crop]
        there = [one for one in afar if term.start <= one.day <= term.end]
        have = sum(self.grain_at(place, term, moved=False) for place in places) + sum(one.amount for one in there)
        found = {"": sum(map(sum, gone.values())) - have}
        for place in places if len(places) > 1 else ():
            sent = sum(one.amount for one in there if place[2] in self.sold_from(one.sale, who))
            found[place[2]] = sum(gone[place]) - self.grain_at(place, term, moved=True) - sent
        return {site: lacks for site, lacks in found.items() if lacks > 0}

    def sold_from(self, sale: str, who: str) -> set[str]:
        """Return the own sites from which a sale took."""
        changed = self.books.deeds[sale].changed if sale else []
        return {was.site for was, _ in changed if was is not None and was.custodian == who}

    def grain_at(self, place: tuple[str, str, str], term: Term, *, moved: bool) -> int:
        """Return the grain that a site had in a period; with or without what came from own sites."""
        who, crop, site = place
        entries = [one for one in self.grain.get((who, site, crop), []) if term.start <= one.day <= term.end]
        entries = [one for one in entries if not one.void]
        have = lies = max(self.stock((who, site, crop), term.start - timedelta(days=1)) or 0, 0)
        for day in sorted({one.day for one in entries}):
            of_day = [one for one in entries if one.day == day]
            lies += sum(one.amount * rules.SIGNS[one.kind] for one in of_day)
            # Grain of an own move that left in these days was counted where it left.
            have += sum(one.amount for one in of_day if one.kind == "in" and (moved or not self.own(one, term)))
            weighed = [one.amount for one in of_day if one.kind == "measured"]
            have += max(0, weighed[-1] - lies) if weighed else 0
            lies = weighed[-1] if weighed else lies
        return have

    def own(self, one: rules.Weight, term: Term) -> bool:
        return one.source is not None and not one.source.void and one.source.day >= term.start

    def surplus(self, event: Event, day: date, spot: Spot, own: int) -> list[Seg]:
        """Return the entity's share of the claims at a place beyond its grain."""
        claims = self.claims_on(spot, day)
        stock = self.stock(spot, day) or 0
        if claims <= stock:
            return []
        rules.need(event["surplus"] == "released", "claims_exceed_grain")
        part = min(own, -(-(claims - max(stock, 0)) * own // claims))
        owned = self.books.owned[event["entity"]].values()
        free = [seg for seg in owned if seg.spot == spot and seg.since <= day]
        rules.need(sum(seg.amount for seg in free) >= part, "claims_exceed_grain")
        free.sort(key=lambda seg: (seg.acquired, seg.origin, seg.start))
        return self.spread(free, part)
