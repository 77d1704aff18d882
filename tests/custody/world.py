"""A small chain in which every refusal can be provoked: two farms, a landowner, two elevators, a crusher, a refiner."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from typing import Any, Final, TypeVar

from provender.custody.events.registry import post, read_event, read_posted
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event as Request
from provender.custody.model.event import PaperEvent, Record
from provender.custody.model.store_view import Decision, Store, StoreView
from provender.custody.queries.alerts import AlertKind, alerts

Event = dict[str, Any]
R = TypeVar("R", bound=Record)
S = TypeVar("S", bound=Store)


def ev(kind: str, name: str, day: str, /, **fields: object) -> Event:
    return {"type": kind, "id": name, "day": day, **fields}


def read(event: Event) -> Request:
    """Read an event; one that only the program makes, from a file, is read as it stands in a book."""
    by_program = {"signed_by", "typed_by"} & event.keys() or event["type"] in ("file", "show")
    return read_posted(event) if by_program else read_event(event)


def on_paper(event: Event, key: str = "a key that nobody pinned") -> Event:
    """Return an event as the program makes it of a signed paper."""
    return {**event, "signed_by": key}


def on_record(name: str, day: str, entity: str, digit: str = "a") -> Event:
    """Put a file on record, whose hash is so many times one digit."""
    return ev("file", name, day, entity=entity, sha256=digit * 64, name="bins.pdf")


def as_received(owner: str, requests: Iterable[Request]) -> Iterator[Request]:
    """Yield events as the own book of a party has them: the keys of others pinned, and their papers checked."""
    known: set[str] = set()
    for one in requests:
        speaker = one.word_of()
        if not isinstance(one, PaperEvent) or speaker in ("", owner):
            yield one
            continue
        if speaker not in known and one.type != "statement":
            known.add(speaker)
            pinned = {"number": f"keys of {speaker}", "role": "supplier", "signing_key": "a key"}
            yield read(ev("contract", f"pin-{speaker}", "2025-11-01", entity=owner, counterparty=speaker,
                          start_day="2025-11-01", **pinned))  # fmt: skip
        yield replace(one, signed_by="a key")


def serials(origin: str, start: int, stop: int) -> dict[str, Any]:
    return {"origin": origin, "start": str(start), "stop": str(stop)}


def entity(name: str, roles: str, *sites: str) -> Event:
    return ev(
        "entity", f"entity-{name}", "2025-11-01", entity=name, name=name.title(), roles=[roles], sites=list(sites)
    )


def period(name: str, start: str, end: str, policy: str = "oldest_first") -> Event:
    days = {"start_day": start, "end_day": end}
    return ev("period", f"period-{name}-{start}", "2025-11-01", entity=name, policy=policy, **days)


def periods(name: str, policy: str = "oldest_first") -> list[Event]:
    first = period(name, "2026-01-01", "2026-03-31", policy)
    return [first, period(name, "2026-04-01", "2026-06-30", policy)]


def report(farm: str, crop: str, bushels: str, ci: str, *, day: str = "2026-01-02", year: int = 2025) -> Event:
    name = f"report-{farm}-{crop}-{year}"
    return ev("report", name, day, entity=farm, crop=crop, harvest_year=year, bushels=bushels, ci=ci)


def bought(
    name: str, farm: str, taker: str, origin: str, bushels: str, *, day: str, site: str, **more: object
) -> list[Event]:
    """A slip over the lowest free serials and the purchase of it, with a ticket over the grain."""
    slip = ev("slip", f"slip-{name}", day, giver=farm, taker=taker, origin=origin, bushels=bushels)
    ticket = {"number": f"T-{name}", "bushels": bushels}
    buy = ev("purchase", name, day, giver=farm, taker=taker, slip=f"slip-{name}", site=site, tickets=[ticket], **more)
    return [slip, buy]


def oil_yield(name: str, day: str, /, **more: object) -> Event:
    """The yield of a campaign, if no other is named of C, that makes oil of soybeans in the first quarter."""
    days = {"start_day": "2026-01-01", "end_day": "2026-03-31"}
    made = {"made_of": "soybeans", "output": "soybean_oil", "campaign": "C"}
    return ev("yield", name, day, **{**made, **days, **more})


def favourable(name: str, *crops: str, start: str = "2025-10-01", end: str = "2026-09-30", **more: object) -> Event:
    fields = {
        "entity": name, "verifier": "verity", "number": f"V-{name}", "crops": list(crops), "opinion": "favourable",
    }  # fmt: skip
    return ev("statement", f"statement-{name}", "2025-11-02", start_day=start, end_day=end, **{**fields, **more})


CAST: Final[list[Event]] = [
    entity("ada", "farm"),
    entity("ben", "farm"),
    entity("lena", "landowner"),
    entity("coop", "first_point", "north", "south"),
    entity("mill", "first_point", "mill"),
    entity("crush", "intermediary", "plant"),
    entity("fuel", "refiner", "works"),
    entity("tank", "service_provider", "tank"),
    *periods("coop"),
    *periods("mill"),
    *periods("crush", "proportional"),
    *periods("fuel"),
]

REPORTS: Final[list[Event]] = [
    report("ada", "soybeans", "10000", "5000"),
    report("ben", "soybeans", "8000", "6000"),
    report("ada", "corn", "9000", "7000"),
    report("ben", "corn", "4000", "7000"),
]

ADA_SOY, BEN_SOY, ADA_CORN = "ada/soybeans/2025", "ben/soybeans/2025", "ada/corn/2025"


def run(store: Store, events: Iterable[Event]) -> list[Decision]:
    return [post(store, read(event)) for event in events]


def status(store: Store, event: Event) -> str:
    return str(run(store, [event])[0].status)


def posted(store: S, events: Iterable[Event]) -> S:
    for event in events:
        outcome = post(store, read(event))
        assert outcome.status == "posted", (event["id"], outcome.status, outcome.message)
    return store


def alerted(facts: StoreView, day: date, name: str = "coop") -> set[AlertKind]:
    return {one.kind for one in alerts(facts, record_of(facts, Entity, name), day)}


def record_of(facts: StoreView, kind: type[R], key: str) -> R:
    found = facts.one(kind, key)
    assert found is not None
    return found
