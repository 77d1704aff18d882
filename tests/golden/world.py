"""The world whose doors are asked: the standing cast on one fixed day, with a farm's season and a trader's season.

The day stands still and organisations have fixed codes, so that the recorded answers need few masks.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import transaction
from django.test import Client, override_settings
from django.utils import timezone

from provender.database.actor import Actor
from provender.database.choices import Scope
from provender.database.models.accounts import Organisation
from provender.database.models.farm import Upload
from provender.services.accounts.tokens import create_token
from tests.custody.world import Event, ev
from tests.web.api.test_calls import data, get, post
from tests.web.cast import Cast, make_cast
from tests.web.custody_season import Season, days_ago, fill_custody
from tests.web.farm_season import fill_season

NOW: Final = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
CODES: Final = {
    "Ada's Farm": "ada-farm",
    "Stan's Elevator": "elevator",
    "Vic Verifies": "vic",
    "Past Verifiers": "past",
    "Good Advice": "advice",
    "Mia's Mill": "mill",
}
HASHERS: Final = ["django.contrib.auth.hashers.MD5PasswordHasher"]
HASH: Final = re.compile(
    r"\b[0-9a-f]{12,}\b|\b[A-Za-z0-9_-]{43,}\b|(?<=[a-z_]-)[0-9a-f]{8}\b|(?<=…)[A-Za-z0-9_-]{4}(?=,\")"
)
"""Hashes, secrets, ids that end in a random word, and the last letters of a secret."""
KEY_IN_ADDRESS: Final = re.compile(r"/(members|access|tokens|invitations)/\d+")


@dataclass(frozen=True, slots=True)
class World:
    """The cast with its seasons, and a token of everybody who keeps something.

    Attributes:
        cast: the people and organisations.
        season: ids of the trader's season.
        tokens: the secret of a token with every scope, by organisation.
        names: what stands for what is random.
        uploads: where its files lie.
    """

    cast: Cast
    season: Season
    tokens: dict[str, str]
    names: dict[str, str]
    uploads: Path

    def masked(self, text: str) -> str:
        for random, name in self.names.items():
            text = text.replace(random, name)
        return HASH.sub("#", KEY_IN_ADDRESS.sub(r"/\1/#", text))

    def asked(self, party: str, path: str) -> Any:  # noqa: ANN401 - JSON
        """Return what the API answers to a GET."""
        answer = get(path, self.tokens[party])
        kind = answer.headers.get("Content-Type", "")
        if "json" not in kind:
            return {"http": answer.status_code, "type": kind}
        plain = data(answer)
        return plain if answer.status_code == 200 else {"http": answer.status_code, **plain}

    def posted(self, party: str, path: str, body: object, key: str) -> Any:  # noqa: ANN401 - JSON
        """Return what the API answers to a POST, with its status."""
        answer = post(path, self.tokens[party], body, key)
        return {"http": answer.status_code, **data(answer)}

    def entered(self, party: str, event: Event) -> Any:  # noqa: ANN401 - JSON
        return self.posted(party, "/custody/events", {"event": event}, f"key-{event['id']}")

    def browser(self, part: str) -> Client:
        return self.cast.client(part)


@contextmanager
def made(uploads: Path) -> Iterator[World]:
    """Make the world in a transaction that is rolled back at the end."""
    with pytest.MonkeyPatch.context() as patch, transaction.atomic():
        patch.setattr(timezone, "now", lambda: NOW)
        with override_settings(UPLOAD_FOLDER=uploads, PASSWORD_HASHERS=HASHERS):
            yield _filled(make_cast(), uploads)
        transaction.set_rollback(True)


def _filled(cast: Cast, uploads: Path) -> World:
    accredited = cast.verifier.handle  # its certificate names it as it was called when that was shown
    for organisation in (cast.farm, cast.elevator, cast.verifier, cast.adviser):
        organisation.handle = CODES[organisation.name]
    for name, code in CODES.items():
        Organisation.objects.filter(name=name).update(handle=code)
    names = {cast.upload.handle: "theticket", cast.audit.handle: "theaudit", cast.book.handle: "thebook"}
    names[accredited] = "vicbefore"
    fill_season(cast)
    stored = Upload.objects.filter(organisation=cast.farm).exclude(handle=cast.upload.handle).order_by("id")
    names |= {handle: f"upload{number}" for number, handle in enumerate(stored.values_list("handle", flat=True))}
    season = fill_custody(cast)
    parts = {"farm": (cast.farm, "owner"), "mill": (cast.mill, "owner"), "elevator": (cast.elevator, "stranger")}
    parts["verifier"] = cast.verifier, "verifier_in"
    tokens = {
        party: create_token(
            organisation,
            name="golden",
            scopes=Scope.values,
            expires_on=NOW.date(),
            actor=Actor(cast.person(part), "test"),
        )[1]
        for party, (organisation, part) in parts.items()
    }
    world = World(cast, season, tokens, names, uploads)
    for party, event in _entered_since():
        answer = world.entered(party, event)
        assert answer["http"] == 201, answer
    return world


def _entered_since() -> list[tuple[str, Event]]:
    """Return what the parties enter on top of the season: answers, and corrections of corrections."""
    sale = {"giver": "mill", "taker": "elevator", "crop": "soybeans", "site": "north"}
    return [
        ("mill", ev("sale", "sale-back", days_ago(10), bushels="10", **sale)),
        ("mill", _back("back-1", "sale-back", "mill")),
        ("mill", ev("sale", "sale-again", days_ago(10), bushels="20", **sale)),
        ("mill", _back("again-1", "sale-again", "mill")),
        ("mill", _back("again-2", "again-1", "mill")),
        ("mill", ev("sale", "sale-thrice", days_ago(10), bushels="30", **sale)),
        ("mill", _back("thrice-1", "sale-thrice", "mill")),
        ("mill", _back("thrice-2", "thrice-1", "mill")),
        ("mill", _back("thrice-3", "thrice-2", "mill")),
        ("mill", ev("sale", "sale-taken", days_ago(10), bushels="40", **sale)),
        ("elevator", ev("accept", "taken", days_ago(9), taker="elevator", movement="sale-taken", site="scale")),
        ("mill", ev("release", "given-up", days_ago(8), entity="mill", crop="soybeans", bushels="5", site="north")),
    ]


def _back(name: str, movement: str, party: str) -> Event:
    return ev("correct", name, days_ago(5), entity=party, movement=movement, reason="typed twice")
