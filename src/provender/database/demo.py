"""A cast for trying things out: one organisation per role of the prairie chain, one account per role."""

import secrets
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final, NamedTuple

from django.db import transaction
from django.utils import timezone

from provender.database.deeds.actor import Actor
from provender.database.deeds.grants import do_enter_contract, do_grant_reading
from provender.database.deeds.organisations import do_add_member, do_create_organisation
from provender.database.deeds.people import do_create_person
from provender.database.models import Organisation, Person, Right, Role


class Part(NamedTuple):
    """One organisation of the chain and the person who runs it."""

    organisation: str
    roles: tuple[Role, ...]
    county: str
    state: str
    person: str
    email: str


CAST: Final[tuple[Part, ...]] = (
    Part("Prairie Rose Farm", (Role.FARM,), "Story", "IA", "Ada Prairie", "ada@farm.example"),
    Part("Skunk River Elevator", (Role.FIRST_POINT,), "Story", "IA", "Eli Bins", "eli@elevator.example"),
    Part("Des Moines Crush", (Role.PROCESSOR,), "Polk", "IA", "Cora Press", "cora@crusher.example"),
    Part("River Bend Renewables", (Role.REFINER,), "Scott", "IA", "Ray Fuel", "ray@refiner.example"),
    Part("Plain Sight Verification", (Role.VERIFIER,), "Hennepin", "MN", "Vic Check", "vic@verifier.example"),
    Part("Tall Grass Agronomy", (), "Boone", "IA", "Connie Walker", "connie@agronomy.example"),
)
FARM, ELEVATOR, CRUSHER, REFINER, VERIFIER, ADVISER = range(len(CAST))
BY_DEMO: Final = Actor(None, "demo")


def load_demo() -> Iterator[str]:
    """Make the cast unless it stands, give each person a new password, and yield the lines that show them."""
    with transaction.atomic():
        people = list(Person.objects.filter(email__in=[part.email for part in CAST]))
        if not people:
            _make_chain()
        lines = []
        for part in CAST:
            person = Person.objects.get(email=part.email)
            password = secrets.token_urlsafe(9)
            person.set_password(password)
            person.save(update_fields=["password"])
            lines.append(f"  {part.email:26} {password:14} {part.organisation}")
    yield "Demo accounts (e-mail, password, organisation):"
    yield from lines


def _make_chain() -> None:
    people = [do_create_person(part.email, name=part.person, password=None, actor=BY_DEMO) for part in CAST]
    organisations = [
        do_create_organisation(
            part.organisation, roles=part.roles, county=part.county, state=part.state, manager=person, actor=BY_DEMO
        )
        for part, person in zip(CAST, people, strict=True)
    ]
    do_add_member(organisations[FARM], people[ADVISER], Right.WRITE, actor=BY_DEMO, on_behalf_of=organisations[ADVISER])
    today = timezone.now().date()
    _contracts(organisations, people, today)
    _grants(organisations, people, today)


def _contracts(organisations: list[Organisation], people: list[Person], today: date) -> None:
    for seller, buyer in ((FARM, ELEVATOR), (ELEVATOR, CRUSHER), (CRUSHER, REFINER)):
        do_enter_contract(
            organisations[seller],
            organisations[buyer],
            number=f"{today.year}-{buyer:03}",
            signed_on=today - timedelta(days=300),
            actor=Actor(people[buyer], "demo"),
        )


def _grants(organisations: list[Organisation], people: list[Person], today: date) -> None:
    for audited in (FARM, ELEVATOR):
        do_grant_reading(
            organisations[audited],
            organisations[VERIFIER],
            first_day=today - timedelta(days=7),
            last_day=today + timedelta(days=90),
            purpose=f"Audit of {today.year}",
            actor=Actor(people[audited], "demo"),
        )
