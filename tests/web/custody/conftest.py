"""The mill with its season, made once for the tests of a module: each undoes what it wrote."""

from collections.abc import Iterator
from copy import deepcopy

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from provender.services.custody.documents import KEYS
from provender.signing.jws import register
from provender.signing.keys import SigningKey
from tests.web.cast import Cast, make_cast
from tests.web.custody.asking import where
from tests.web.custody_season import Season, fill_custody
from tests.web.producer_keys import SEALED, post
from tests.web.standing import Standing, standing


def _traded() -> tuple[Cast, Season]:
    cast = make_cast()
    return cast, fill_custody(cast)


@pytest.fixture(scope="module")
def _standing(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Standing[tuple[Cast, Season]]]:
    with standing(django_db_blocker, tmp_path_factory.mktemp("traded"), _traded) as made:
        yield made


@pytest.fixture
def _lent(db: None, _standing: Standing[tuple[Cast, Season]], settings: Settings) -> tuple[Cast, Season]:
    return deepcopy(_standing.lend(settings))


@pytest.fixture
def cast(_lent: tuple[Cast, Season]) -> Cast:
    """Return the cast, whose mill has traded for a season; a module without the season takes the fixture of all."""
    return _lent[0]


@pytest.fixture
def season(_lent: tuple[Cast, Season]) -> Season:
    return _lent[1]


@pytest.fixture
def key(cast: Cast, season: Season, owner: Client) -> SigningKey:
    """Return the key with which the owner signs for the mill, registered on its page."""
    made = SigningKey.generate()
    said = register(cast.mill.handle, KEYS.signer, made, on=timezone.localdate())
    body = {"sealed": SEALED, "statement": said, "lost": ""}
    assert post(owner, where(cast, "custody_key"), body).status_code == 200
    return made
