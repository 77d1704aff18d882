"""Fixtures of the database and web tests: guards, folders, the cast. The ``conftest`` of each room imports them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer
from whitenoise.middleware import WhiteNoiseMiddleware

from provender.database import guards
from provender.services.farm import files
from provender.signing.keys import SigningKey
from tests.web.cast import Cast, make_cast
from tests.web.custody_season import Season, fill_custody
from tests.web.farm_season import FEW, fill_season, keep_pages
from tests.web.producer_keys import Producer
from tests.web.replayed import count_from_one, replayed

_found: dict[str, object] = {}
_find = WhiteNoiseMiddleware.add_files_from_finders


def _find_once(self: WhiteNoiseMiddleware) -> None:
    """Add the static files of the application, which are the same for every test."""
    if not _found:
        _find(self)
        _found.update(self.files)
    self.files.update(_found)


# Every test client builds its middleware anew: looking for the static files each time was a third of a call's time.
WhiteNoiseMiddleware.add_files_from_finders = _find_once


def _without_copying(path: Path) -> tuple[int, int, int]:
    try:
        now = path.stat()
    except OSError:
        return 0, 0, 0
    return now.st_size, now.st_mtime_ns, 0


# Each test has its own copies of the same files, which differ in the moment of the copying alone: without it the book
# that so many tests begin with is judged once a process, as it is on a server.
files._stamp = _without_copying


@pytest.fixture(autouse=True)
def _lift_guards_before_emptying(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let a transactional test empty its tables at the end; Django puts the guards back right after."""
    if not _is_transactional(request):
        yield
        return
    request.getfixturevalue("transactional_db")
    count_from_one()
    yield
    for using in _databases(request):
        guards.lift(using)


def _is_transactional(request: pytest.FixtureRequest) -> bool:
    mark = request.node.get_closest_marker("django_db")
    asked = {"live_server", "transactional_db"} & set(request.fixturenames)
    return bool(asked or (mark and mark.kwargs.get("transaction")))


def _databases(request: pytest.FixtureRequest) -> tuple[str, ...]:
    mark = request.node.get_closest_marker("django_db")
    return tuple(mark.kwargs.get("databases") or ("default",)) if mark else ("default",)


@pytest.fixture(autouse=True)
def _own_folder(settings: Settings, tmp_path: Path) -> None:
    """Give every test its own folder for uploads, and hash passwords fast."""
    settings.UPLOAD_FOLDER = tmp_path / "uploads"
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": tmp_path / "cache"}}
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.ACCOUNT_RATE_LIMITS = False


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


@pytest.fixture
def season(cast: Cast) -> Cast:
    """Return the cast, whose farm has a season of records."""
    fill_season(cast)
    return cast


@pytest.fixture(name="season")
def few_fields(cast: Cast) -> Cast:
    """Return the same of half of the fields: where it does not matter how many they are, it takes half the time."""
    fill_season(cast, fields=FEW)
    return cast


@pytest.fixture
def whole_season(cast: Cast) -> Cast:
    """Return it of all fields, where most tests have few."""
    fill_season(cast)
    return cast


@pytest.fixture
def producer(season: Cast, key_from: Callable[[str], SigningKey]) -> Producer:
    """Return the farm's producer, whose key nobody knows yet."""
    return Producer(season.client(), season, key_from("the producer's"))


@pytest.fixture
def registered(producer: Producer) -> Producer:
    """Return the producer after the key was put on file."""
    assert replayed("the producer's key", lambda: producer.register().status_code) == 200
    return producer


@pytest.fixture
def signed(registered: Producer) -> Producer:
    """Return the producer after the corn of 2025 was signed: made once, as its records are judged once then."""
    assert replayed("the corn of 2025 is signed", lambda: _sign(registered)) == 200
    return registered


def _sign(producer: Producer) -> int:
    status = producer.sign().status_code
    keep_pages(producer.cast)
    return status


@pytest.fixture
def owner(cast: Cast) -> Client:
    """Return a browser in which the owner of the farm and of the mill has signed in."""
    return cast.client()


@pytest.fixture
def farm_stage(live_server: LiveServer) -> tuple[str, Cast]:
    """Return a running server and the cast, whose farm has a season of records."""
    cast = make_cast()
    fill_season(cast)
    return live_server.url, cast


@pytest.fixture
def trade_stage(live_server: LiveServer) -> tuple[str, Cast, Season]:
    """Return a running server and the cast, whose mill has traded for a season."""
    cast = make_cast()
    return live_server.url, cast, fill_custody(cast)
