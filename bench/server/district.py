"""One district: fifty farms, their elevator, crusher and two refiners, a verifier; a season and about 5,000 movements.

Everything is written through the same deeds and the same store as a person's own writes. All names begin with
``CODE``, which is what copies of the district replace.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, Final

import polars as pl
from django.db import transaction
from django.utils import timezone

from bench.synthetic import synthetic_frames
from provender.audit.programme import Role as AuditRole
from provender.audit.statement.statement import Accreditation, Forum, Membership
from provender.custody.events.registry import post, read_event
from provender.custody.model.event import Status
from provender.database.actor import Actor
from provender.database.choices import Role
from provender.database.models.accounts import Organisation, Person
from provender.database.models.audits import Audit
from provender.database.models.farm import Book, BookKind
from provender.database.store.custody import SqlStore
from provender.records.folder import written_row
from provender.records.kind import KINDS
from provender.services.accounts.grants import enter_contract, grant_reading
from provender.services.accounts.organisations import create_organisation, create_person
from provender.services.audits.audits import record_accreditation
from provender.services.farm.book import Edit, change_book, key_of

SEED: Final = 20261121
CODE: Final = "d0000"
FARMS: Final = 50
UNITS: Final = 40
ELEVATOR, CRUSHER, DIESEL, ETHANOL = f"{CODE}-elev", f"{CODE}-crush", f"{CODE}-oil", f"{CODE}-ethl"
VERIFIER: Final = f"{CODE}-audit"
AUDIT: Final = f"{CODE}a1"
BY: Final = Actor(None, "benchmark")
DECLARED: Final = "2025-12-15"
CROPS: Final = ("corn", "soybeans")
BUSHELS: Final = {"corn": 240_000, "soybeans": 72_000}
"""Bushels of a farm's harvest."""
WEEKS: Final = 24
"""Weeks in which farms deliver, each crop once a week."""
QUARTERS: Final = (
    (date(2026, 1, 1), date(2026, 3, 31)),
    (date(2026, 4, 1), date(2026, 6, 30)),
    (date(2026, 7, 1), date(2026, 9, 30)),
    (date(2026, 10, 1), date(2026, 12, 31)),
)
CLOSED: Final = 2
"""Quarters that are closed."""
TRADERS: Final = {
    ELEVATOR: ("first_point", (Role.FIRST_POINT,), ("north", "south")),
    CRUSHER: ("intermediary", (Role.PROCESSOR, Role.INTERMEDIARY), ("plant",)),
    DIESEL: ("refiner", (Role.REFINER,), ("works",)),
    ETHANOL: ("refiner", (Role.REFINER,), ("works",)),
}


def farm_code(number: int) -> str:
    """Return the code of a farm of the district."""
    return f"{CODE}-f{number:02}"


def make_district() -> None:
    """Write the district into an empty database.

    Raises:
        RuntimeError: a movement was refused: the benchmark is wrong.
    """
    with transaction.atomic():
        people, organisations = _organisations()
        _books(organisations)
        _visits(people, organisations)
        _audit(people, organisations)
    store = SqlStore(BY)
    with transaction.atomic():
        for event in events():
            outcome = post(store, read_event(event))
            if outcome.status is not Status.POSTED:
                raise RuntimeError(f"{event['id']}: {outcome.status}: {outcome.message}")


def _organisations() -> tuple[dict[str, Person], dict[str, Organisation]]:
    roles: dict[str, tuple[Role, ...]] = {farm_code(number): (Role.FARM,) for number in range(FARMS)}
    roles |= {code: held for code, (_, held, _) in TRADERS.items()} | {VERIFIER: (Role.VERIFIER,)}
    people, organisations = {}, {}
    for code, held in roles.items():
        people[code] = create_person(f"{code}@bench.example", name=f"Person of {code}", password=None, actor=BY)
        organisations[code] = create_organisation(
            f"House {code}", roles=held, manager=people[code], county="Shawnee", state="KS", handle=code, actor=BY
        )
    return people, organisations


def _books(organisations: dict[str, Organisation]) -> None:
    """Write each farm's season of forty fields in one change, by nobody: a copy keeps who wrote."""
    frames = synthetic_frames(SEED, farms=FARMS, units_per_farm=UNITS)
    named = pl.DataFrame({"old": [f"F{n}" for n in range(FARMS)], "farm": [farm_code(n) for n in range(FARMS)]})
    edits: dict[str, list[Edit]] = {farm: [] for farm in named["farm"]}
    for name, frame in frames.items():
        kind = KINDS[name]
        mine = frame.with_columns(pl.col("farm_id").replace_strict(named["old"], named["farm"]))
        for row in mine.iter_rows(named=True):
            texts = dict(zip(kind.typed_fields, written_row(row, kind.typed_fields), strict=True))
            edits[row["farm_id"]].append(Edit(name, key_of(kind, texts), texts))
    for number in range(FARMS):
        farm = farm_code(number)
        book = Book.objects.create(organisation=organisations[farm], kind=BookKind.FARM, handle=f"{CODE}b{number:02}")
        change_book(book, edits[farm], reason="Season", actor=BY)


def _visits(people: dict[str, Person], organisations: dict[str, Organisation]) -> None:
    today = timezone.now().date()
    for farm in (*map(farm_code, range(FARMS)), ELEVATOR):
        grant_reading(
            organisations[farm], organisations[VERIFIER], first_day=today, last_day=today + timedelta(days=90),
            purpose="Audit", actor=Actor(people[farm], BY.via),
        )  # fmt: skip
        if farm != ELEVATOR:
            enter_contract(
                organisations[farm], organisations[ELEVATOR], number=f"{farm}/2026", signed_on=date(2025, 12, 1),
                actor=Actor(people[ELEVATOR], BY.via),
            )  # fmt: skip


def _audit(people: dict[str, Person], organisations: dict[str, Organisation]) -> None:
    """Open the verifier's audit of the elevator, under a code that copies can replace."""
    forum = Membership(forum=Forum.SUCCESSOR, first=date(2026, 1, 1), source="made up")
    shown = Accreditation(
        verifier=f"House {VERIFIER}", standard="ISO 14065:2020", body="An accreditor (made up)", number="MADE-UP-1",
        first=date(2024, 3, 1), last=date(2030, 2, 28), memberships=(forum,),
    )  # fmt: skip
    actor = Actor(people[VERIFIER], BY.via)
    record_accreditation(organisations[VERIFIER], shown, actor=actor)
    Audit.objects.create(
        handle=AUDIT, verifier=organisations[VERIFIER], audited=organisations[ELEVATOR],
        role=str(AuditRole.FIRST_POINT), number="1", harvest_year=2025, covered_first=date(2026, 1, 1),
        covered_last=date(2026, 6, 30), due_on=date(2027, 3, 31), opened_at=timezone.now(), opened_by=actor.person,
    )  # fmt: skip


def events() -> Iterator[dict[str, Any]]:
    """Yield the district's custody events in order."""
    yield from _declarations()
    first = date(2026, 1, 5)
    for week in range(WEEKS):
        monday = first + timedelta(days=7 * week)
        if monday - timedelta(days=7) <= QUARTERS[0][1] < monday:
            yield from _closings(0)
        for number in range(FARMS):
            for crop in CROPS:
                yield from _delivery(number, crop, monday + timedelta(days=number % 4), week)
        yield from _trade(monday + timedelta(days=5), week)
    yield from _closings(1)


def _declarations() -> Iterator[dict[str, Any]]:
    for code, (role, _, sites) in TRADERS.items():
        yield _event("entity", f"e-{code}", DECLARED, entity=code, name=f"House {code}", roles=[role], sites=[*sites])
        for start, end in QUARTERS:
            days = {"start_day": str(start), "end_day": str(end), "policy": "oldest_first"}
            yield _event("period", f"p-{code}-{start}", DECLARED, entity=code, **days)
        yield _event(
            "statement", f"v-{code}", DECLARED, entity=code, verifier=VERIFIER, number=code, start_day=DECLARED,
            end_day="2026-12-31", crops=[*CROPS], opinion="favourable", scope="Made up.",
        )  # fmt: skip
    for number in range(FARMS):
        farm = farm_code(number)
        yield _event("entity", f"e-{farm}", DECLARED, entity=farm, name=f"House {farm}", roles=["farm"])
        for crop in CROPS:
            yield _event(
                "report", f"r-{farm}-{crop}", "2025-12-20", entity=farm, crop=crop, harvest_year=2025,
                bushels=str(BUSHELS[crop]), ci=str(6_000 + 10 * (number % 20)), version=1,
            )  # fmt: skip
    for start, end in QUARTERS:
        yield _event(
            "yield", f"y-{CODE}-{start}", "2026-01-02", entity=CRUSHER, campaign=str(start), rate="11.2",
            made_of="soybeans", output="soybean_oil", start_day=str(start), end_day=str(end),
        )  # fmt: skip


def _event(kind: str, name: str, day: object, /, **fields: object) -> dict[str, Any]:
    return {"type": kind, "id": name, "day": str(day), **fields}


def _delivery(number: int, crop: str, day: date, week: int) -> Iterator[dict[str, Any]]:
    farm, name = farm_code(number), f"{farm_code(number)}-{crop}-{week}"
    origin, bushels = f"{farm}/{crop}/2025", str(BUSHELS[crop] // (WEEKS + 1))
    parties = {"giver": farm, "taker": ELEVATOR}
    yield _event("slip", f"slip-{name}", day, origin=origin, bushels=bushels, **parties)
    ticket = {"number": f"T-{name}", "bushels": bushels}
    site = ("north", "south")[number % 2]
    yield _event("purchase", f"buy-{name}", day, slip=f"slip-{name}", site=site, tickets=[ticket], **parties)


def _trade(day: date, week: int) -> Iterator[dict[str, Any]]:
    """Sell most of the week's grain on, crush it, and make fuel of it."""
    for site in ("north", "south"):
        for crop, taker, place in (("soybeans", CRUSHER, "plant"), ("corn", ETHANOL, "works")):
            amount = BUSHELS[crop] // (WEEKS + 1) * FARMS // 2 * 4 // 5
            way = (ELEVATOR, site), (taker, place)
            yield from _sale(f"sale-{CODE}-{site}-{crop}-{week}", day, way, crop, "bushels", amount)
    later = day + timedelta(days=1)
    beans = BUSHELS["soybeans"] // (WEEKS + 1) * FARMS * 3 // 4
    crush = {"entity": CRUSHER, "crop": "soybeans", "output": "soybean_oil", "bushels": str(beans)}
    yield _event("process", f"crush-{CODE}-{week}", later, **crush)
    yield from _grain(f"crushed-{CODE}-{week}", later, "shipment", (CRUSHER, "plant", "soybeans"), beans)
    yield from _grain(f"pressed-{CODE}-{week}", later, "receipt", (CRUSHER, "plant", "soybean_oil"), beans * 12)
    way = (CRUSHER, "plant"), (DIESEL, "works")
    yield from _sale(f"sale-{CODE}-oil-{week}", later, way, "soybeans", "pounds", beans * 10)
    yield from _fuel(DIESEL, "soybeans", later, week, {"form": "soybean_oil", "pounds": str(beans * 9)})
    yield from _grain(f"burnt-{DIESEL}-{week}", later, "shipment", (DIESEL, "works", "soybean_oil"), beans * 9)
    corn = BUSHELS["corn"] // (WEEKS + 1) * FARMS * 3 // 4
    yield from _fuel(ETHANOL, "corn", later, week, {"bushels": str(corn)})
    yield from _grain(f"burnt-{ETHANOL}-{week}", later, "shipment", (ETHANOL, "works", "corn"), corn)


def _sale(
    name: str, day: date, way: tuple[tuple[str, str], tuple[str, str]], crop: str, unit: str, amount: int
) -> Iterator[dict[str, Any]]:
    (giver, out), (taker, place) = way
    form = {"form": "soybean_oil"} if unit == "pounds" else {}
    said = {unit: str(amount), "tickets": [{"number": f"S-{name}", "bushels": str(amount)}], **form}
    yield _event("sale", name, day, giver=giver, taker=taker, crop=crop, site=out, **said)
    tickets = [{"number": f"R-{name}", "bushels": str(amount)}]
    yield _event("accept", f"in-{name}", day, taker=taker, movement=name, site=place, tickets=tickets)


def _grain(name: str, day: date, kind: str, place: tuple[str, str, str], amount: int) -> Iterator[dict[str, Any]]:
    entity, site, form = place
    yield _event(kind, name, day, entity=entity, site=site, form=form, amount=str(amount), number=f"G-{name}")


def _fuel(entity: str, crop: str, day: date, week: int, amount: dict[str, str]) -> Iterator[dict[str, Any]]:
    yield _event(
        "retire", f"fuel-{entity}-{week}", day, entity=entity, crop=crop, site="works", batch=f"{entity}-{week}",
        fuel="ethanol" if crop == "corn" else "renewable diesel", gallons="100000", **amount,
    )  # fmt: skip


def _closings(quarter: int) -> Iterator[dict[str, Any]]:
    end = QUARTERS[quarter][1]
    for code in TRADERS:
        yield _event("close", f"close-{code}-{end}", end, entity=code, closed_on=str(end + timedelta(days=5)))
