"""What somebody makes in the very moment in which they are removed does not outlive them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Thread
from typing import Any, Final

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connections, transaction
from django.utils import timezone

from provender.database.actor import Actor
from provender.database.choices import Area, NewsKind, ReviewerKind, Right, Role, Scope
from provender.database.models.accounts import Membership, Organisation
from provender.services.accounts.grants import grant_reading, let_reviewer_in
from provender.services.accounts.organisations import (
    add_member,
    change_member,
    create_organisation,
    create_person,
    invite_person,
    remove_member,
)
from provender.services.accounts.tokens import create_token
from provender.services.news.hooks import make_hook
from provender.services.refused import MissingError

BY: Final = Actor(None, "test")
ON: Final = [
    pytest.param("default", marks=pytest.mark.django_db(transaction=True)),
    pytest.param(
        "postgres",
        marks=[pytest.mark.postgres, pytest.mark.django_db(transaction=True, databases=["default", "postgres"])],
    ),
]
Make = Callable[[Organisation, Organisation, Actor], Any]


def _soon() -> Any:  # noqa: ANN401 - a day
    return timezone.localdate() + timedelta(days=9)


MADE: Final[dict[str, Make]] = {
    "token": lambda farm, _, by: create_token(
        farm, name="mine", scopes=[Scope.RECORDS_READ], expires_on=_soon(), actor=by
    )[0],
    "invitation": lambda farm, _, by: invite_person(farm, label="A friend", right=Right.READ, actor=by)[0],
    "reviewer": lambda farm, _, by: let_reviewer_in(
        farm, label="Rita", kind=ReviewerKind.BUYER, areas=[Area.RECORDS], purpose="", last_day=_soon(), actor=by
    )[0],
    "webhook": lambda farm, _, by: make_hook(
        farm, address="https://a.example.com/", kinds=[NewsKind.values[0]], actor=by
    )[0],
    "grant": lambda farm, vic, by: grant_reading(
        farm, vic, first_day=timezone.localdate(), last_day=_soon(), purpose="", actor=by
    ),
}  # fmt: skip


@contextmanager
def only(using: str) -> Iterator[None]:
    """Let this thread keep everything in one of the test databases."""
    before = connections["default"]
    connections["default"] = connections[using]
    try:
        yield
    finally:
        connections["default"] = before


@pytest.fixture(params=ON)
def using(request: pytest.FixtureRequest) -> Iterator[str]:
    with only(request.param):
        yield request.param


@pytest.fixture
def farm(using: str) -> tuple[Organisation, Organisation, Membership]:
    """Make a farm of two managers, a verifier beside it, and return the membership of the one who goes."""
    stays, goes = (create_person(f"{one}@example.org", name=one, password=None, actor=BY) for one in ("ada", "eve"))
    made = create_organisation("Ada's Farm", roles=[Role.FARM], manager=stays, county="Story", state="IA", actor=BY)
    vic = create_organisation("Vic", roles=[Role.VERIFIER], manager=None, actor=BY)
    return made, vic, add_member(made, goes, Right.MANAGE, actor=BY)


@pytest.mark.parametrize("what", MADE)
def test_who_was_removed_or_lowered_meanwhile_makes_nothing(
    farm: tuple[Organisation, Organisation, Membership], what: str
) -> None:
    made, vic, leaving = farm
    by = Actor(leaving.person, "test")
    change_member(leaving, Right.WRITE, actor=BY)
    with pytest.raises(PermissionDenied):
        MADE[what](made, vic, by)
    remove_member(leaving, actor=BY)
    with pytest.raises(MissingError):
        MADE[what](made, vic, by)


@pytest.mark.parametrize("right", [Right.MANAGE, Right.WRITE])
def test_who_was_removed_meanwhile_gets_no_other_right(
    farm: tuple[Organisation, Organisation, Membership], right: Right
) -> None:
    seen = Membership.objects.get(pk=farm[2].pk)
    remove_member(farm[2], actor=BY)
    with pytest.raises(MissingError):
        change_member(seen, right, actor=BY)


def test_who_removes_somebody_awaits_what_they_just_make_and_ends_it(
    farm: tuple[Organisation, Organisation, Membership], using: str
) -> None:
    made, vic, leaving = farm

    def remove() -> None:
        with only(using):
            remove_member(leaving, actor=BY)
            connections["default"].close()

    removing = Thread(target=remove)
    with transaction.atomic():
        just = {what: make(made, vic, Actor(leaving.person, "test")) for what, make in MADE.items()}
        removing.start()
        removing.join(1)
        assert removing.is_alive(), "it looked for what to end before all of it was there"
    removing.join(60)
    for one in just.values():
        one.refresh_from_db()
    ended = {"token": "revoked_at", "invitation": "withdrawn_at", "reviewer": "revoked_at", "webhook": "ended_at"}
    assert [what for what, when in ended.items() if getattr(just[what], when) is None] == []
    assert not Membership.objects.filter(pk=leaving.pk or 0).exists()
