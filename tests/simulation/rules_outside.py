"""The auditor on what comes from outside the book: opening stock, documents with serials, notices; and on shares."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tests.simulation.ledger import LIVE, MILLION, PRODUCTS, Event, Seg
from tests.simulation.ledger import thousandths as th
from tests.simulation.rules import TRADERS, Origin, Slip, Spans, merged, need, without
from tests.simulation.rules_trade import TradeRules


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
        name = f"{who}:opening/{event['number']}"
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
        """Tell whether a farm's slips to houses without a book here cover a stretch."""
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
