"""A closed period as events of EPCIS 2.0 (JSON-LD), for others' systems: a view, made from the book, never read back.

One event for each movement that the period's equations count: claims enter (an object event), pass to another owner
(a transaction event), change their form, their carbon intensity or end in fuel (a transformation event), or end (an
object event). A correction repeats the event that it takes back, under the same name, with an error declaration; where
it did not bring back exactly that, it is an event of its own. The book knows days, no hours: every time is midnight.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final
from urllib.parse import quote

from provender.custody.documents.build import PERIOD, period_document
from provender.custody.documents.receive import TYPS
from provender.custody.events.closing import CloseEvent, RetireEvent
from provender.custody.events.corrections import CorrectEvent
from provender.custody.events.footing import footing_of
from provender.custody.events.parties import StatementEvent
from provender.custody.events.reports import ReportEvent
from provender.custody.model.balances import BalanceLine, Key, by_movement, lines_moved
from provender.custody.model.event import Event
from provender.custody.model.lots import BUSHEL, unit_of
from provender.custody.model.store_view import CustodyStep, Posted, StoreView
from provender.exact import CI_SCALE, show, to_decimal
from provender.problem import refuse
from provender.signing.canonical import sha256_hex
from provender.signing.jws import MEANING, check

# The name of an EPCIS event: the hash of what it says, by the Core Business Vocabulary 2.0 (section 8.9).
#
# The same event so has the same name wherever it is made; an error declaration beside it changes nothing in its name.
# Only what our events hold is spelled here: no sensors, no Digital Links. The reference implementation is the oracle of
# the tests.

_CBV: Final = "https://ref.gs1.org/cbv/"
_ORDER: Final = (
    "eventTime", "eventTimeZoneOffset", "certificationInfo", "quantityList", "inputQuantityList", "outputQuantityList",
    "action", "transformationID", "bizStep",
)  # fmt: skip
_LISTS: Final = {"bizTransactionList": "bizTransaction", "destinationList": "destination", "sourceList": "source"}
_UNNAMED: Final = frozenset({"type", "eventID", "errorDeclaration"})


def event_id(event: Mapping[str, Any]) -> str:
    """Return the name of an event as ``ni:///sha-256;...?ver=CBV2.0``.

    Raises:
        KeyError: it holds a part that is none of ours.
    """
    return f"ni:///sha-256;{sha256_hex(pre_hash(event).encode())}?ver=CBV2.0"


def pre_hash(event: Mapping[str, Any]) -> str:
    """Return the text that is hashed: parts in their order, then trade and our own words, sorted."""
    said = event.keys() - _UNNAMED
    if unknown := {name for name in said if name not in (*_ORDER, *_LISTS) and not name.startswith(_PREFIX)}:
        raise KeyError(min(unknown))
    head = "".join(_part(name, event[name]) for name in _ORDER if name in said)
    trade = [_trade(name, event[name]) for name in _LISTS if name in said]
    own = [text for name in said if name.startswith(_PREFIX) for text in _own(name, event[name])]
    return f"eventType={event['type']}{head}{''.join(sorted([*trade, *own]))}"


def _part(name: str, value: Any) -> str:  # noqa: ANN401 - as JSON has it
    if name.endswith("List"):
        return name + "".join(sorted(map(_quantity, value)))
    if name == "bizStep":
        return f"{name}={_CBV}BizStep-{value}"
    values = value if isinstance(value, list) else [value]
    return "".join(sorted(f"{name}={_plain(one)}" for one in values))


def _quantity(one: Mapping[str, Any]) -> str:
    return f"quantityElementepcClass={one['epcClass']}quantity={_plain(one['quantity'])}uom={one['uom']}"


def _trade(name: str, of: Sequence[Mapping[str, str]]) -> str:
    inner = _LISTS[name]
    kinds = [one["type"] if ":" in one["type"] else f"{_CBV}SDT-{one['type']}" for one in of]
    return name + "".join(f"type={kind}{inner}={one[inner]}" for kind, one in zip(kinds, of, strict=True))


def _own(name: str, value: Any) -> Iterator[str]:  # noqa: ANN401 - as JSON has it
    full = f"{{{_NAMESPACE}}}{name.removeprefix(_PREFIX)}"
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, Mapping):
            yield full + "".join(sorted(text for key, each in one.items() for text in _own(key, each)))
        else:
            yield f"{full}={_plain(one)}"


def _plain(value: object) -> str:
    """Return a value as it is hashed: a number without needless zeros, anything else as it stands."""
    text = str(value)
    if not text.removeprefix("-").replace(".", "", 1).isdecimal():
        return text
    number = Decimal(text).normalize()
    return f"{number:f}"


CONTEXT: Final = "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld"
GOVERNS: Final = (
    "A view for other systems. The signed period statement whose hash stands here is the original and governs; where "
    "the two differ, this view is wrong."
)
_TRADE: Final = frozenset({"share", "purchase", "assign", "sale", "accept", "reject", "return"})
UOM: Final = {BUSHEL: "BUA", "lb": "LBR"}
"""Codes of UN/ECE Recommendation 20: the US bushel, the pound; a US gallon is GLL."""


def epcis_document(
    store: StoreView, events: Sequence[Posted], statement: Mapping[str, Any], mark: str, *, as_of: date, terms: str = ""
) -> dict[str, Any]:
    """Return the events of a closed period, which add up to its signed statement.

    Args:
        store: the party's book.
        events: everything posted in it, in its order.
        statement: the statement of the period, as it was signed.
        mark: its hash with its signature.
        as_of: the day the view is made.
        terms: the address of the context of our own words; empty to write it out.

    Raises:
        ProblemsError: it is no statement of a period, or not the one with which this book closed that period.
    """
    entity, first = _period_of(statement)
    made = period_document(store, entity, first)
    if any(made[name] != statement.get(name) for name in ("number", "end", "balance", "balance_sha256")):
        cause = "The statement is not the one with which this book closed the period."
        raise refuse(str(made["number"]), cause, "Give the book and the statement of one party and one period.")
    view = _View(store, entity, events)
    last = date.fromisoformat(made["end"])
    listed = [event for event in view.between(first, last) if event]
    return {
        "@context": [CONTEXT, context(terms)],
        "type": "EPCISDocument",
        "schemaVersion": "2.0",
        "creationDate": _midnight(as_of),
        f"{_PREFIX}original": {f"{_PREFIX}kind": PERIOD, f"{_PREFIX}number": made["number"], f"{_PREFIX}sha256": mark},
        f"{_PREFIX}governs": GOVERNS,
        "epcisBody": {"eventList": listed},
    }


def view_of_signed(
    store: StoreView, events: Sequence[Posted], envelope: Mapping[str, Any], *, as_of: date, terms: str = ""
) -> dict[str, Any]:
    """Return the view of a signed statement of a period; its signature must fit, whoever's it is.

    Raises:
        ProblemsError: it is not signed, was changed since, or as ``epcis_document``.
    """
    checked = check(envelope, {}, typ=TYPS[PERIOD])
    if checked.document is None:
        raise refuse("statement", *MEANING[checked.status], code=str(checked.status))
    return epcis_document(store, events, checked.document, checked.hash, as_of=as_of, terms=terms)


def _period_of(statement: Mapping[str, Any]) -> tuple[str, date]:
    try:
        if statement["type"] == PERIOD:
            return str(statement["entity"]["id"]), date.fromisoformat(statement["start"])
    except (KeyError, TypeError, ValueError):
        pass
    raise refuse("statement", "This is no statement of a closed period.", "Give one: `provender custody document`.")


class _View:
    """The events of one party, out of its steps."""

    def __init__(self, store: StoreView, entity: str, events: Sequence[Posted]) -> None:
        self.store, self.entity = store, entity
        self.posted = {one.event.id: one for one in events}
        self.steps: dict[str, list[CustodyStep]] = {of[0].movement: of for of in by_movement(store.steps(entity))}
        self.statements = [one for one in events if isinstance(one.event, StatementEvent)]

    def between(self, first: date, last: date) -> Iterator[dict[str, Any]]:
        """Yield the events of a period as it was closed, in the order of the book."""
        closed = next(
            one.number
            for one in self.posted.values()
            if isinstance(one.event, CloseEvent) and one.event.entity == self.entity and one.event.day == last
        )
        known = (self.posted[name] for name in self.steps)
        for posted in sorted(known, key=lambda one: one.number):
            if first <= posted.event.day <= last and posted.number <= closed:
                yield self.declared(posted)

    def declared(self, posted: Posted) -> dict[str, Any]:
        """Return a movement's event, or for a correction the event it takes back with its error declaration."""
        taken = self._taken_back(posted)
        if taken is None:
            return self.event(posted)
        declaration = {"declarationTime": _midnight(posted.event.day), "reason": "did_not_occur"}
        return {**self.event(taken), "errorDeclaration": declaration}

    def _taken_back(self, posted: Posted) -> Posted | None:
        """Return what a correction takes back, where that restored exactly what had been moved."""
        if not isinstance(posted.event, CorrectEvent):
            return None
        earlier = self.posted[posted.event.movement]
        if self._taken_back(earlier) is not None:
            return None  # the entry stands again: nothing can take an error declaration back, so it is told anew
        before, now = (_amounts(self.lines(one)) for one in (earlier, posted))
        return earlier if now and now == {name: -amount for name, amount in before.items()} else None

    def lines(self, posted: Posted) -> list[BalanceLine]:
        return lines_moved(self.steps.get(posted.event.id, ()), self.entity)

    def event(self, posted: Posted) -> dict[str, Any]:
        """Return a movement as an event under its name; nothing where no equation counts it."""
        request, lines = posted.event, self.lines(posted)
        if not lines:
            return {}
        shape = self._shape(request, *_quantities(lines))
        made = {
            "type": shape.pop("type"),
            "eventTime": _midnight(request.day),
            "eventTimeZoneOffset": "+00:00",
            **self._certified(posted, {line.key.crop for line in lines}),
            **shape,
            f"{_PREFIX}entry": _entry(request),  # no bare number: what is hashed takes 10, 0010 and 10.0 for one
            f"{_PREFIX}claims": [one for line in lines for one in _claims(line)],
        }
        return {"eventID": event_id(made), **made}

    def _shape(self, event: Event, came: list[dict[str, Any]], left: list[dict[str, Any]]) -> dict[str, Any]:
        if isinstance(event, RetireEvent) and left:
            came = [*came, *_fuel(event)]
        if (came and left) or isinstance(event, RetireEvent):
            both = {"inputQuantityList": left, "outputQuantityList": came}
            shown = {name: of for name, of in both.items() if of}
            name = _entry(event)
            return {"type": "TransformationEvent", **shown, "transformationID": name, "bizStep": "commissioning"}
        if event.type in _TRADE:
            return self._trade(event, came, left)
        action, step = ("ADD", "commissioning") if came else ("DELETE", "decommissioning")
        return {"type": "ObjectEvent", "quantityList": came or left, "action": action, "bizStep": step}

    def _trade(self, event: Event, came: list[dict[str, Any]], left: list[dict[str, Any]]) -> dict[str, Any]:
        steps = self.steps[event.id]
        if came:
            others = {step.before.owner for step in steps if step.before} | {step.after.supplier for step in steps}
        else:
            others = {step.after.owner for step in steps}
        own, other = [self.entity], sorted(others - {self.entity, ""})
        source, destination = (other, own) if came else (own, other)
        parties = {"sourceList": ("source", source), "destinationList": ("destination", destination)}
        return {
            "type": "TransactionEvent",
            "quantityList": came or left,
            "action": "ADD",
            "bizStep": "receiving" if came else "shipping",
            "bizTransactionList": [{"type": "urn:provender:entry", "bizTransaction": _entry(event)}],
            **{
                name: [{"type": "owning_party", word: f"urn:provender:party:{quote(one)}"} for one in named]
                for name, (word, named) in parties.items()
                if named
            },
        }

    def _certified(self, posted: Posted, crops: set[str]) -> dict[str, Any]:
        """Return what vouches for a movement: the farm's signed report, or the verification statements of its givers.

        Of statements those count that stood in the book before the movement, so that its name never changes.
        """
        event = posted.event
        if isinstance(event, ReportEvent):
            return {"certificationInfo": f"urn:provender:sha256:{event.report}"} if event.report else {}
        steps = self.steps[event.id]
        givers = {
            self.entity,
            *(step.before.owner for step in steps if step.before),
            *(s.after.supplier for s in steps),
        }
        named = {
            "urn:provender:verification:" + ":".join(map(quote, (one.entity, one.verifier, one.number)))
            for each in self.statements
            if each.number < posted.number and isinstance(one := each.event, StatementEvent)
            if one.entity in givers and one.opinion.good and not crops.isdisjoint(one.crops)
            if footing_of(self.store, one).verifies
            if one.start_day <= event.day <= one.end_day
        }
        return {"certificationInfo": sorted(named)} if named else {}


def _entry(event: Event) -> str:
    return f"urn:provender:entry:{quote(event.id)}"


def _midnight(day: date) -> str:
    return f"{day}T00:00:00.000Z"


def _amounts(lines: Sequence[BalanceLine]) -> dict[tuple[Key, str], int]:
    """Return what lines change, by equation and form; under no form the bushels of the equation itself."""
    found: dict[tuple[Key, str], int] = defaultdict(int)
    for line in lines:
        found[line.key, ""] += line.total_incoming - line.total_outgoing
        for form, sheet in line.sheets.items():
            found[line.key, form] += sheet.incoming - sheet.outgoing
    return {name: amount for name, amount in found.items() if amount}


def _quantities(lines: Sequence[BalanceLine]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    amounts = [(line.key, form, sheet) for line in lines for form, sheet in sorted(line.sheets.items())]
    came = [_epcis_quantity(key, form, sheet.incoming) for key, form, sheet in amounts if sheet.incoming]
    return came, [_epcis_quantity(key, form, sheet.outgoing) for key, form, sheet in amounts if sheet.outgoing]


def _epcis_quantity(key: Key, form: str, amount: int) -> dict[str, Any]:
    named = f"urn:provender:class:{form}:{key.crop}:{key.harvest_year}:{show(key.ci, CI_SCALE)}"
    return {"epcClass": named, "quantity": _number(amount), "uom": UOM[unit_of(form)]}


def _number(amount: int) -> float | int:
    """Return thousandths as the JSON number that EPCIS asks for; fifteen digits come back as they were."""
    exact = to_decimal(amount)
    return int(exact) if exact == int(exact) else float(exact)


def _fuel(event: RetireEvent) -> list[dict[str, Any]]:
    named = ":".join(quote(one) for one in (event.entity, event.fuel, event.batch))
    fuel = {"epcClass": f"urn:provender:fuel:{named}", "quantity": _number(event.gallons), "uom": "GLL"}
    return [fuel] if event.gallons else []


def _claims(line: BalanceLine) -> Iterator[dict[str, str]]:
    """Yield a line's claims in bushels of crop, as the period statement counts them, in exact text."""
    for direction, kinds in (("incoming", line.incoming), ("outgoing", line.outgoing)):
        for kind, amount in sorted(kinds.items()):
            yield {
                f"{_PREFIX}direction": direction,
                f"{_PREFIX}means": kind,
                f"{_PREFIX}crop": line.key.crop,
                f"{_PREFIX}harvestYear": str(line.key.harvest_year),
                f"{_PREFIX}ciGramsPerBushel": show(line.key.ci, CI_SCALE),
                f"{_PREFIX}bushels": show(amount),
            }


# The context of our own words in the JSON-LD of others: by the address of whoever serves it, else written out.
#
# The project has no address of its own. What an address must answer is ``docs/reference/terms.jsonld``.

_PREFIX: Final = "provender:"
_NAMESPACE: Final = "urn:provender:terms:"
"""What the prefix stands for, in every document and in the text that is hashed."""


def terms() -> dict[str, str]:
    """Return the context as it is written out."""
    return {_PREFIX.rstrip(":"): _NAMESPACE}


def context(address: str = "") -> str | dict[str, str]:
    """Return the context by its address, or written out where there is none.

    Raises:
        ProblemsError: it is no address that others can open.
    """
    if not address:
        return terms()
    if not address.startswith("https://") or any(letter.isspace() for letter in address):
        raise refuse("--terms", f"{address!r} is no address.", "Give one that begins with https://.", code="no_address")
    return address
