"""A small chain of books: the example farm and a neighbour sell to an elevator, the elevator to a crusher.

Each party keeps its own book and signs its own papers; the elevator's and the crusher's packages are made from them.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from provender import __version__
from provender.audit.package.layout import KEYS, Part, Pin, entity_path, folder_name, pins_document
from provender.audit.package.write import Header, Subject, make_package
from provender.custody.book_file import Header as BookHeader
from provender.custody.book_file import seal
from provender.custody.documents.build import period_document, slip_document, transfer_document
from provender.custody.documents.receive import document_events, open_document, sign_document
from provender.custody.events.registry import post
from provender.custody.model.event import plain_event
from provender.custody.model.lots import origin_id
from provender.custody.store import MemoryStore
from provender.report.typ import TYP
from provender.signing.canonical import canonical_json
from provender.signing.jws import sign
from provender.signing.keys import SigningKey
from tests.audit.forge import Files, Found, found_in
from tests.audit.verifier import statement
from tests.custody.world import Event, ev, on_paper, read

PARTIES: Final = ("ada", "ben", "coop", "crush", "fuel", "verity")
KEYS_OF: Final = {name: SigningKey.generate() for name in PARTIES}
SALT: Final = {"ada": "5f0d0f3d2f3b4c1b9a7e6d5c4b3a2910", "ben": "0123456789abcdef0123456789abcdef"}
GROWN: Final = {"ada": ("9000", "5100.25"), "ben": ("7000", "6200.5")}
PERIODS: Final = (("2026-01-01", "2026-03-31"), ("2026-04-01", "2026-06-30"))

STATEMENT_ON_COOP: Final = entity_path("crush", Part.STATEMENTS, "V-1.json")


def _entity(name: str, role: str, *sites: str) -> Event:
    day = "2025-11-01"
    return ev("entity", f"e-{name}", day, entity=name, name=name.title(), roles=[role], sites=list(sites))


def _contract(mine: str, other: str, role: str) -> Event:
    return ev(
        "contract", f"k-{mine}-{other}", "2025-11-02", entity=mine, counterparty=other, role=role, number=f"K-{other}",
        start_day="2025-11-01", signing_key=KEYS_OF[other].fingerprint,
    )  # fmt: skip


def _periods(name: str) -> list[Event]:
    return [
        ev(
            "period", f"p-{name}-{start}", "2025-11-03", entity=name, start_day=start, end_day=end,
            policy="oldest_first",
        )
        for start, end in PERIODS
    ]  # fmt: skip


def store_of(events: Iterable[Event], owner: str = "") -> MemoryStore:
    """Post events that must stand, perhaps into somebody's own book."""
    store = MemoryStore(owner)
    for event in events:
        outcome = post(store, read(event))
        assert outcome.status == "posted", (event["id"], outcome.message)
    return store


def origin_of(farm: str) -> str:
    """Return the blinded origin of a farm's soybeans."""
    return origin_id(farm, "soybeans", 2025, SALT[farm])


def report_of(farm: str) -> dict[str, object]:
    """Return a farm's signed report, as short as the buyer's book reads it."""
    bushels, ci = GROWN[farm]
    edition = {"version": 1, "replaces": "", "changes": [], "origin_id": origin_of(farm), "salt": SALT[farm]}
    document = {
        "type": "biofuel-feedstock-report", "format": 1, "label": "official", "made_on": "2026-01-02",
        "rule": {"state": ""},
        "edition": edition, "farm": {"farm_id": farm, "name": farm.title()}, "crop": "soybeans", "harvest_year": 2025,
        "total_bushels": bushels, "farm_ci_g_per_bu": ci,
        "attestation": [], "units": [], "findings": [], "problems": [],
    }  # fmt: skip
    return sign(document, KEYS_OF[farm], typ=TYP)


def slip_of(farm: str, bushels: str) -> dict[str, object]:
    """Return a farm's signed slip over its lowest serials."""
    grown, ci = GROWN[farm]
    store = store_of(
        [
            _entity(farm, "farm"),
            _entity("coop", "first_point", "north"),
            ev(
                "report", "r", "2026-01-02", entity=farm, crop="soybeans", harvest_year=2025, bushels=grown, ci=ci,
                salt=SALT[farm], report="",
            ),
            ev("slip", f"slip-{farm}", "2026-01-05", giver=farm, taker="coop", origin=origin_of(farm), bushels=bushels),
        ]
    )  # fmt: skip
    document = slip_document(store, f"slip-{farm}", as_of=date(2026, 1, 5)) | {"report": _digest(report_of(farm))}
    return sign_document(document, KEYS_OF[farm])


def _digest(envelope: Mapping[str, Any]) -> str:
    from provender.signing.canonical import document_hash

    return document_hash(envelope["document"])


def _received(events: list[Event], envelope: Mapping[str, object], me: str) -> list[Event]:
    """Return events with those that a document makes."""
    store = store_of(events, me)
    opened = open_document(json.loads(canonical_json(envelope)), store, me, "letter")
    assert opened.content is not None, opened.problems
    return [*events, *(plain_event(one) for one in document_events(opened, store, day=date(2026, 2, 3)))]


@cache
def coop() -> tuple[list[Event], dict[str, dict[str, object]]]:
    """Return the elevator's events and the papers it received."""
    papers = {
        "report-ada.json": report_of("ada"), "report-ben.json": report_of("ben"),
        "slip-ada.json": slip_of("ada", "6000"), "slip-ben.json": slip_of("ben", "4000"),
    }  # fmt: skip
    events = [
        _entity("coop", "first_point", "north"),
        _entity("ada", "farm"),
        _entity("ben", "farm"),
        _entity("crush", "intermediary", "plant"),
        _contract("coop", "ada", "supplier"),
        _contract("coop", "ben", "supplier"),
        _contract("coop", "crush", "recipient"),
        *_periods("coop"),
    ]
    for envelope in papers.values():
        events = _received(events, envelope, "coop")
    for farm, bushels, day in (("ada", "6000", "2026-01-08"), ("ben", "4000", "2026-01-12")):
        tickets = [{"number": f"T-{farm}", "bushels": bushels}]
        events.append(
            ev("purchase", f"buy-{farm}", day, giver=farm, taker="coop", slip=f"slip-{farm}", tickets=tickets)
        )
    sold = [{"number": "OUT-1", "bushels": "7000"}]
    events += [
        ev("receipt", "g1", "2026-01-15", entity="coop", form="soybeans", amount="5000", number="C-1"),
        ev("sale", "s1", "2026-02-01", giver="coop", taker="crush", crop="soybeans", bushels="7000", tickets=sold),
        ev("loss", "l1", "2026-02-10", entity="coop", crop="soybeans", bushels="25.5", reason="shrink"),
        ev("measurement", "m1", "2026-03-31", entity="coop", form="soybeans", amount="7900", number="M-1"),
        ev("close", "c1", "2026-03-31", entity="coop", closed_on="2026-04-05"),
    ]
    return events, papers


@cache
def crush() -> tuple[list[Event], dict[str, dict[str, object]]]:
    """Return the crusher's events and the papers it received."""
    letter = own_papers("coop", coop()[0])["transfer-s1.json"]
    favourable = ev(
        "statement", "v-coop", "2026-02-02", entity="coop", verifier="verity", number="V-1", start_day="2025-10-01",
        end_day="2026-02-01", crops=["soybeans"], opinion="favourable",
    )  # fmt: skip
    events = [
        _entity("crush", "intermediary", "plant"),
        _entity("coop", "first_point", "north"),
        _entity("fuel", "refiner", "works"),
        _contract("crush", "coop", "supplier"),
        on_paper(favourable, KEYS_OF["verity"].fingerprint),
        *_periods("crush"),
    ]
    events = _received(events, letter, "crush")
    events += [
        ev("receipt", "g1", "2026-02-03", entity="crush", form="soybeans", amount="7000", number="IN-1"),
        ev(
            "yield", "y1", "2026-02-05", entity="crush", made_of="soybeans", output="soybean_oil", campaign="winter",
            rate="11.5", start_day="2026-02-01", end_day="2026-03-31", basis="final",
        ),
        ev("process", "x1", "2026-02-15", entity="crush", crop="soybeans", output="soybean_oil", bushels="5000"),
        ev(
            "sale", "o1", "2026-03-01", giver="crush", taker="fuel", crop="soybeans", form="soybean_oil",
            pounds="40000",
        ),
        ev("receipt", "g2", "2026-02-15", entity="crush", form="soybean_oil", amount="57500", number="OIL-1"),
        ev("close", "c1", "2026-03-31", entity="crush", closed_on="2026-04-05"),
    ]  # fmt: skip
    return events, {"transfer-s1.json": letter}


def own_papers(me: str, events: list[Event], key: SigningKey | None = None) -> dict[str, dict[str, object]]:
    """Return the papers a party makes from its book, signed."""
    store, signer = store_of(events, me), key or KEYS_OF[me]
    found = {}
    for event in events:
        if event["type"] == "sale":
            document = transfer_document(store, event["id"], as_of=date(2026, 4, 5))
            found[f"transfer-{event['id']}.json"] = sign_document(document, signer)
        if event["type"] == "close":
            start = next(first for first, last in PERIODS if last == event["day"])
            document = period_document(store, me, date.fromisoformat(start))
            found[f"period-{start}.json"] = sign_document(document, signer)
    return found


def sealed(me: str, events: list[Event], *, shared: bool = False) -> bytes:
    """Write events as a book, sealed line by line, whether they would stand or not."""
    header = BookHeader(me, shared=shared)
    head, lines = header.head, [header.line().rstrip()]
    for event in events:
        head = seal(head, event)
        lines.append(json.dumps({"event": event, "chain": head}))
    return "\n".join([*lines, ""]).encode()


def paper(me: str, name: str) -> str:
    """Return where a paper lies in a party's package."""
    return entity_path(me, Part.DOCUMENTS, name)


def book(me: str) -> str:
    return entity_path(me, Part.BOOK)


def pins() -> bytes:
    """Return the verifier's own list of keys."""
    return canonical_json(pins_document(Pin(name, key.public, "contract") for name, key in KEYS_OF.items()))


def clean(me: str) -> Files:
    """Return the files of a party's clean package."""
    events, received = {"coop": coop, "crush": crush}[me]()
    papers = {**received, **own_papers(me, events)}
    files = {paper(me, name): canonical_json(envelope) for name, envelope in papers.items()}
    known = {STATEMENT_ON_COOP: canonical_json(statement_on_coop(KEYS_OF["verity"]))} if me == "crush" else {}
    return {**files, **known, book(me): sealed(me, events), KEYS: pins()}


def statement_on_coop(key: SigningKey, **changes: object) -> dict[str, Any]:
    """Return the verification statement that the crusher received about the elevator, signed."""
    days = {"covered_last": date(2026, 2, 1), "issued_on": date(2026, 2, 2)}
    one = statement(**{"number": "V-1", "audited": "coop", "crops": ("soybeans",), **days, **changes})
    return sign(one.document(), key)


def events_in(files: Mapping[str, bytes], me: str) -> list[Event]:
    return [json.loads(line)["event"] for line in files[book(me)].decode().splitlines()[1:]]


def verify(files: Mapping[str, bytes], me: str, *, held: Mapping[str, bytes] | None = None) -> Found:
    """Bag the files, open the bag as a verifier does, recompute."""
    made = Header(
        Subject.ENTITY_PERIOD, me, me.title(), date(2026, 1, 1), date(2026, 6, 30), "interim-2025",
        f"provender {__version__}", date(2026, 11, 21), {f"entities/{folder_name(me)}": me},
    )  # fmt: skip
    with TemporaryDirectory() as folder:
        target = Path(folder) / "package.zip"
        make_package(target, made, files)
        return found_in(target, pins(), held)
