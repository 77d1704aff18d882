"""An auditor with a model of its own: every bushel a cell in a plain list, every rule a plain ``if``.

It shares no code with the package. Before a request is posted it says which answer is right; when that is "posted" it
changes its cells. In the end its cells and its counts of what came and went are laid beside the store's.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import islice
from typing import Any

STOCK = ("held", "unverified")
Event = dict[str, Any]
Test = Callable[[tuple[str, int]], bool]


@dataclass(slots=True)
class Cell:
    """The smallest amount of the simulation: where it is and in which form."""

    owner: str
    state: str
    form: str
    place: tuple[str, str]
    since: date
    acquired: date
    titled: date
    ci: int
    year: int
    crop: str
    supplier: str = ""
    by: str = ""

    def copy(self) -> "Cell":
        return replace(self)


@dataclass(slots=True)
class Deed:
    """A movement as posted: what each cell was before."""

    event: Event
    before: dict[tuple[str, int], Cell]
    taken_back: bool = False


@dataclass(slots=True)
class Term:
    start: date
    end: date
    closed: bool = False


class _StandsError(Exception):
    """Ends a trial at the point where an event would stand."""


@dataclass(slots=True)
class Auditor:
    """The whole model."""

    roles: dict[str, str] = field(default_factory=dict)
    sites: dict[str, list[str]] = field(default_factory=dict)
    terms: dict[str, list[Term]] = field(default_factory=dict)
    cells: dict[str, list[Cell]] = field(default_factory=dict)
    standing: dict[str, str] = field(default_factory=dict)
    farm_of: dict[str, str] = field(default_factory=dict)
    verified: dict[str, list[tuple[date, date]]] = field(default_factory=dict)
    slips: dict[str, tuple[str, str, str, set[int]]] = field(default_factory=dict)
    by_origin: dict[str, list[tuple[str, str, str, set[int]]]] = field(default_factory=dict)
    deeds: dict[str, Deed] = field(default_factory=dict)
    seen: dict[str, Event] = field(default_factory=dict)
    owned: dict[str, dict[tuple[str, int], None]] = field(default_factory=dict)
    measured: dict[tuple[str, str, str], tuple[date, int]] = field(default_factory=dict)
    came: dict[tuple[str, str, int, int, int], int] = field(default_factory=dict)
    went: dict[tuple[str, str, int, int, int], int] = field(default_factory=dict)
    trial: bool = False

    # the answer

    def would(self, event: Event) -> str:
        """Say which answer would be right now, and change nothing."""
        self.trial = True
        try:
            return self.answer(event)
        except _StandsError:
            return "posted"
        finally:
            self.trial = False

    def stands(self) -> None:
        """Mark the point before which an event is judged and after which it is written."""
        if self.trial:
            raise _StandsError

    def answer(self, event: Event) -> str:
        """Say which answer is right, and remember the event when it is to stand."""
        if event["id"] in self.seen:
            return "exists" if self.seen[event["id"]] == event else "id_has_other_content"
        if event["day"] < "2025-01-17":
            return "rule_not_in_force"
        status: str = getattr(self, "on_" + event["type"])(event)
        if status == "posted":
            self.seen[event["id"]] = event
        return status

    def term(self, who: str, day: date) -> str:
        """Say whether a day is good for an entity's book."""
        if self.roles[who] in ("farm", "service_provider"):
            return ""
        for term in self.terms[who]:
            if term.start <= day <= term.end:
                return "period_closed" if term.closed else ""
        return "period_not_declared"

    def number(self, who: str, day: date) -> int:
        for place, term in enumerate(self.terms[who]):
            if term.start <= day <= term.end:
                return place
        return -1

    def write(self, event: Event, changes: dict[tuple[str, int], Cell]) -> None:
        """Change cells, count what came and went for whom, and remember what was before."""
        self.stands()
        day = date.fromisoformat(event["day"])
        before = {}
        for (origin, place), new in changes.items():
            old = self.cells[origin][place]
            before[origin, place] = old
            self.cells[origin][place] = new
            was = (old.owner, old.crop, old.year, old.ci) if old.state in STOCK else None
            now = (new.owner, new.crop, new.year, new.ci) if new.state in STOCK else None
            if was != now:
                if was is not None:
                    self.owned[was[0]].pop((origin, place), None)
                    self.count(self.went, was, day)
                if now is not None:
                    self.owned[now[0]][origin, place] = None
                    self.count(self.came, now, day)
        self.deeds[event["id"]] = Deed(event, before)

    def latest(self, number: int) -> list[Deed]:
        return list(islice(reversed(self.deeds.values()), number))[::-1]

    def count(self, book: dict[tuple[str, str, int, int, int], int], key: tuple[str, str, int, int], day: date) -> None:
        if self.roles[key[0]] == "farm":
            return
        full = (*key, self.number(key[0], day))
        book[full] = book.get(full, 0) + 1

    # one method per type of event

    def on_yield(self, event: Event) -> str:
        del event
        self.stands()
        return "posted"

    def on_entity(self, event: Event) -> str:
        self.stands()
        who = event["entity"]
        self.roles[who], self.sites[who] = event["roles"][0], event["sites"]
        self.terms.setdefault(who, [])
        self.owned.setdefault(who, {})
        return "posted"

    def on_period(self, event: Event) -> str:
        start, end = date.fromisoformat(event["start_day"]), date.fromisoformat(event["end_day"])
        terms = self.terms[event["entity"]]
        if (end - start).days > 91:
            return "period_too_long"
        if terms and (start - terms[-1].end).days != 1:
            return "period_not_continuous"
        if date.fromisoformat(event["day"]) >= start:
            return "period_declared_late"
        self.stands()
        terms.append(Term(start, end))
        return "posted"

    def on_statement(self, event: Event) -> str:
        self.stands()
        first, last = date.fromisoformat(event["start_day"]), date.fromisoformat(event["end_day"])
        self.verified.setdefault(event["entity"], []).append((first, last))
        day = date.fromisoformat(event["day"])
        changes = {}
        for origin, cells in self.cells.items():
            for place, cell in enumerate(cells):
                waits = cell.state == "unverified" and cell.supplier == event["entity"]
                if waits and first <= cell.titled <= last:
                    new = cell.copy()
                    new.state, new.since = "held", max(day, cell.since)
                    changes[origin, place] = new
        self.write(event, changes)
        return "posted"

    def on_report(self, event: Event) -> str:
        origin = f"{event['entity']}/{event['crop']}/{event['harvest_year']}"
        if event.get("version", 1) > 1:
            return self.amended(event, origin)
        if origin in self.cells:
            return "second_origin"
        self.stands()
        day = date.fromisoformat(event["day"])
        number = event["bushels"] // event["unit"]
        make = (event["entity"], "held", event["crop"], (event["entity"], ""), day, day, day)
        crop = (int(event["ci"]) * 100, event["harvest_year"], event["crop"])
        self.cells[origin] = [Cell(*make, *crop, by=event["id"]) for _ in range(number)]
        self.owned[event["entity"]] |= {(origin, place): None for place in range(number)}
        self.standing[origin], self.farm_of[origin] = "active", event["entity"]
        return "posted"

    def amended(self, event: Event, origin: str) -> str:
        """Take a worse carbon intensity to everything that can still move."""
        day, ci = date.fromisoformat(event["day"]), int(event["ci"]) * 100
        cells = self.cells[origin]
        live = [(place, cell) for place, cell in enumerate(cells) if cell.state in (*STOCK, "in_transit")]
        if any(self.term(cell.owner, day) == "period_closed" for _, cell in live):
            return "period_closed"
        if any(cell.since > day for _, cell in live):
            return "not_held_yet"
        farm = self.farm_of[origin]
        changes = {}
        for place, cell in live:
            if cell.ci != ci and (cell.owner == farm or ci > cell.ci):
                new = cell.copy()
                new.ci = ci
                changes[origin, place] = new
        self.write(event, changes)
        return "posted"

    def on_suspend(self, event: Event) -> str:
        if self.standing[event["origin"]] == "suspended":
            return "already_answered"
        self.stands()
        self.standing[event["origin"]] = "suspended"
        return "posted"

    def on_reinstate(self, event: Event) -> str:
        if self.standing[event["origin"]] == "active":
            return "already_answered"
        self.stands()
        self.standing[event["origin"]] = "active"
        return "posted"

    def on_slip(self, event: Event) -> str:
        if self.roles[event["taker"]] not in ("first_point", "refiner"):
            return "role_not_allowed"
        origin = event["origin"]
        if self.farm_of[origin] != event["giver"]:
            return "parties_differ"
        places = self.spread(event)
        if places is None:
            return "outside_origin"
        if self.standing[origin] == "suspended":
            return "report_suspended"
        taken = {place for slip in self.by_origin.get(origin, []) for place in slip[3]}
        if taken & set(places):
            return "serials_assigned"
        status = self.can_give([(origin, place) for place in places], event, event["giver"], ("held",))
        if status:
            return status
        self.stands()
        self.slips[event["id"]] = (event["giver"], event["taker"], origin, set(places))
        self.by_origin.setdefault(origin, []).append(self.slips[event["id"]])
        return "posted"

    def spread(self, event: Event) -> list[int] | None:
        """Return the cells of an event's range, or None when the origin has no such serials."""
        first, last = event["cells"]
        return list(range(first, last)) if last <= len(self.cells[event["origin"]]) else None

    def can_give(
        self, names: list[tuple[str, int]], event: Event, giver: str, states: tuple[str, ...], form: str = ""
    ) -> str:
        """Walk through what could be wrong with giving these cells, in the documented order."""
        day = date.fromisoformat(event["day"])
        cells = [self.cells[origin][place] for origin, place in names]
        if any(cell.owner != giver or cell.state not in (*STOCK, "in_transit") for cell in cells):
            return "not_held"
        if any(cell.state == "in_transit" for cell in cells):
            return "in_transit"
        if form and any(cell.form != form for cell in cells):
            return "other_form"
        if any(cell.state not in states for cell in cells):
            return "unverified"
        if any(cell.since > day for cell in cells):
            return "not_held_yet"
        return ""

    def on_purchase(self, event: Event) -> str:
        slip = self.slips.get(event["slip"])
        if slip is None:
            return "record_not_found"
        if (slip[0], slip[1]) != (event["giver"], event["taker"]):
            return "parties_differ"
        if not slip[3]:
            return "already_answered"
        day = date.fromisoformat(event["day"])
        if bad := self.term(event["taker"], day):
            return bad
        if self.standing[slip[2]] == "suspended":
            return "report_suspended"
        names = [(slip[2], place) for place in sorted(slip[3])]
        if bad := self.can_give(names, event, event["giver"], ("held",)):
            return bad
        site = (event["taker"], event["site"])
        changes = {}
        for name in names:
            new = self.cells[name[0]][name[1]].copy()
            new.owner, new.place, new.since, new.acquired, new.titled = event["taker"], site, day, day, day
            new.supplier, new.by = event["giver"], event["id"]
            changes[name] = new
        self.write(event, changes)
        slip[3].clear()
        return "posted"

    def chosen(self, event: Event, giver: str, states: tuple[str, ...]) -> tuple[str, list[tuple[str, int]]]:
        """Return what is wrong with a choice of claims, or the cells chosen."""
        form: str = event["form"] if "form" in event else event["crop"]
        if "range" in event:
            origin, first, last = event["range"]
            if origin not in self.cells or last > len(self.cells[origin]):
                return "outside_origin", []
            if self.standing[origin] == "suspended":
                return "report_suspended", []
            names = [(origin, place) for place in range(first, last)]
            return self.can_give(names, event, giver, states, form), names
        day, number = date.fromisoformat(event["day"]), event["count"]
        pool = [
            name for name in self.owned[giver] if self.at(name).crop == event["crop"] and self.at(name).form == form
        ]
        enough = len(pool) >= number
        tests: tuple[tuple[str, Test], ...] = (
            ("report_suspended", lambda name: self.standing[name[0]] == "active"),
            ("unverified", lambda name: self.at(name).state in states),
            ("not_held_yet", lambda name: self.at(name).since <= day),
        )
        for status, test in tests:
            pool = [name for name in pool if test(name)]
            if enough and len(pool) < number:
                return status, []
        if not enough:
            return "exceeds_stock", []
        pool.sort(key=lambda name: (self.at(name).acquired, name))
        return "", pool[:number]

    def at(self, name: tuple[str, int]) -> Cell:
        return self.cells[name[0]][name[1]]

    def on_sale(self, event: Event) -> str:
        giver, taker = event["giver"], event["taker"]
        if giver not in self.roles or taker not in self.roles:
            return "entity_not_found"
        if giver == taker:
            return "parties_are_one"
        if self.roles[giver] == "farm" or self.roles[taker] == "farm":
            return "role_not_allowed"
        day = date.fromisoformat(event["day"])
        if bad := self.term(giver, day):
            return bad
        bad, names = self.chosen(event, giver, ("held",))
        if bad:
            return bad
        changes = {}
        for name in names:
            new = self.at(name).copy()
            new.owner, new.place, new.state = taker, (taker, ""), "in_transit"
            new.since = new.acquired = new.titled = day
            new.supplier, new.by = giver, event["id"]
            changes[name] = new
        self.write(event, changes)
        return "posted"

    def waiting(self, event: Event) -> tuple[str, list[tuple[str, int]]]:
        deed = self.deeds.get(event["movement"])
        if deed is None or deed.event["type"] != "sale":
            return "record_not_found", []
        if deed.event["taker"] != event["taker"]:
            return "parties_differ", []
        names = [name for name in deed.before if self.at(name).state == "in_transit"]
        names = [name for name in names if self.at(name).by == event["movement"]]
        return ("", names) if names else ("already_answered", [])

    def on_accept(self, event: Event) -> str:
        bad, names = self.waiting(event)
        if bad:
            return bad
        day = date.fromisoformat(event["day"])
        if bad := self.term(event["taker"], day):
            return bad
        if any(self.at(name).since > day for name in names):
            return "not_held_yet"
        changes = {}
        for name in names:
            new = self.at(name).copy()
            good = any(first <= new.titled <= last for first, last in self.verified.get(new.supplier, []))
            new.state = "held" if good else "unverified"
            new.place, new.since, new.acquired, new.by = (event["taker"], event["site"]), day, day, event["id"]
            changes[name] = new
        self.write(event, changes)
        return "posted"

    def on_reject(self, event: Event) -> str:
        bad, names = self.waiting(event)
        if bad:
            return bad
        deed = self.deeds[event["movement"]]
        if deed.event["giver"] != event["giver"]:
            return "parties_differ"
        day = date.fromisoformat(event["day"])
        if bad := self.term(event["giver"], day):
            return bad
        if any(self.at(name).since > day for name in names):
            return "not_held_yet"
        self.write(event, {name: self.back(event, name, deed, event["site"]) for name in names})
        return "posted"

    def back(self, event: Event, name: tuple[str, int], deed: Deed, site: str) -> Cell:
        old, new = deed.before[name], self.at(name).copy()
        new.owner, new.supplier, new.state, new.place = old.owner, old.supplier, "held", (old.place[0], site)
        new.since = new.acquired = new.titled = date.fromisoformat(event["day"])
        new.by = event["id"]
        return new

    def on_return(self, event: Event) -> str:
        deed = self.deeds.get(event["movement"])
        if deed is None or deed.event["type"] != "sale":
            return "record_not_found"
        if (deed.event["giver"], deed.event["taker"]) != (event["taker"], event["giver"]):
            return "parties_differ"
        day = date.fromisoformat(event["day"])
        stocked = any(self.at(name).owner == event["giver"] and self.at(name).state in STOCK for name in deed.before)
        for who in (event["giver"], event["taker"]) if stocked else (event["taker"],):
            if bad := self.term(who, day):
                return bad
        form = next(iter(deed.before.values())).form
        if any(self.standing[origin] == "suspended" for origin, _ in deed.before):
            return "report_suspended"
        names = [name for name in sorted(deed.before) if self.at(name).owner == event["giver"]]
        names = [name for name in names if self.at(name).form == form and self.may_return(name, event["movement"])]
        if not names:
            return "not_held"
        if any(self.at(name).since > day for name in names):
            return "not_held_yet"
        self.write(event, {name: self.back(event, name, deed, event["site"]) for name in names})
        return "posted"

    def may_return(self, name: tuple[str, int], sale: str) -> bool:
        cell = self.at(name)
        return cell.state in STOCK or (cell.state == "in_transit" and cell.by == sale)

    def on_process(self, event: Event) -> str:
        day = date.fromisoformat(event["day"])
        if bad := self.term(event["entity"], day):
            return bad
        bad, names = self.chosen(event, event["entity"], ("held",))
        if bad:
            return bad
        changes = {}
        for name in names:
            new = self.at(name).copy()
            new.form, new.since, new.by = event["output"], day, event["id"]
            changes[name] = new
        self.write(event, changes)
        return "posted"

    def ended(self, event: Event, state: str, states: tuple[str, ...]) -> str:
        day = date.fromisoformat(event["day"])
        if bad := self.term(event["entity"], day):
            return bad
        bad, names = self.chosen(event, event["entity"], states)
        if bad:
            return bad
        changes = {}
        for name in names:
            new = self.at(name).copy()
            new.state, new.since, new.by = state, day, event["id"]
            changes[name] = new
        self.write(event, changes)
        return "posted"

    def on_release(self, event: Event) -> str:
        return self.ended(event, "released", STOCK)

    def on_loss(self, event: Event) -> str:
        return self.ended(event, "lost", STOCK)

    def on_retire(self, event: Event) -> str:
        if self.roles[event["entity"]] != "refiner":
            return "role_not_allowed"
        return self.ended(event, "retired", ("held",))

    def root_of(self, deed: Deed) -> Deed:
        while deed.event["type"] == "correct":
            deed = self.deeds[deed.event["movement"]]
        return deed

    def on_correct(self, event: Event) -> str:
        deed = self.deeds.get(event["movement"])
        if deed is None:
            return "record_not_found"
        root = self.root_of(deed)
        if event["entity"] not in {root.event.get(name) for name in ("entity", "giver", "taker")}:
            return "parties_differ"
        if deed.taken_back:
            return "already_answered"
        redo = self.depth(event["movement"]) % 2 == 1
        slip = self.slips.get(root.event.get("slip", ""))
        places = {place for _, place in deed.before}
        if slip is not None and redo and not places <= slip[3]:
            return "already_answered"
        day = date.fromisoformat(event["day"])
        bad = self.correction_term(deed, root, day)
        if not bad and any(not self.still_there(name, event["movement"]) for name in deed.before):
            bad = "not_held"
        if not bad and any(self.at(name).since > day for name in deed.before):
            bad = "not_held_yet"
        if bad:
            return bad
        self.restore(event, deed, day)
        if slip is not None and redo:
            slip[3].difference_update(places)
        elif slip is not None:
            slip[3].update(places)
        return "posted"

    def restore(self, event: Event, deed: Deed, day: date) -> None:
        changes = {}
        for name, old in deed.before.items():
            now, new = self.at(name), old.copy()
            new.ci, new.since, new.by = now.ci, day, event["id"]
            changes[name] = new
        self.write(event, changes)
        deed.taken_back = True

    def correction_term(self, deed: Deed, root: Deed, day: date) -> str:
        """Say whether every holder's period is open, and whether what ended may come back."""
        cells = [*(self.at(name) for name in deed.before), *deed.before.values()]
        held = {cell.owner for cell in cells if cell.state in STOCK}
        for who in sorted(held):
            if bad := self.term(who, day):
                return bad
        if root.event["type"] in ("release", "loss", "retire"):
            then = date.fromisoformat(root.event["day"])
            return "period_closed" if self.term(root.event["entity"], then) == "period_closed" else ""
        return ""

    def still_there(self, name: tuple[str, int], movement: str) -> bool:
        by = self.at(name).by
        later = self.deeds[by].event if by in self.deeds else {}
        return by == movement or (later.get("type") == "accept" and later.get("movement") == movement)

    def depth(self, movement: str) -> int:
        event = self.deeds[movement].event
        return 1 + self.depth(event["movement"]) if event["type"] == "correct" else 0

    def on_measurement(self, event: Event) -> str:
        self.stands()
        key = (event["entity"], event["site"], event["form"])
        self.measured[key] = (date.fromisoformat(event["day"]), event["number_of_cells"])
        return "posted"

    def claims(self, who: str) -> dict[tuple[str, str, str], int]:
        """Count what an entity claims, by place and form."""
        found: dict[tuple[str, str, str], int] = {}
        for name in self.owned[who]:
            cell = self.at(name)
            key = (*cell.place, cell.form)
            found[key] = found.get(key, 0) + 1
        return found

    def on_close(self, event: Event) -> str:
        terms = self.terms[event["entity"]]
        term = next((one for one in terms if one.end == date.fromisoformat(event["day"])), None)
        if term is None:
            return "period_not_declared"
        if term.closed:
            return "period_closed"
        if next(one for one in terms if not one.closed) is not term:
            return "close_out_of_order"
        if date.fromisoformat(event["closed_on"]) < term.end:
            return "period_not_ended"
        claims = self.claims(event["entity"])
        if any(key not in self.measured for key in claims):
            return "no_grain_book"
        if any(number > self.measured[key][1] for key, number in claims.items()):
            return "claims_exceed_grain"
        self.stands()
        term.closed = True
        return "posted"
