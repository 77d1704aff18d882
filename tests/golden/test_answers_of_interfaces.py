"""What the doors answer has not changed: API, page tables, forms, refusals and the command line.

The committed files are in ``answers``. Where an answer changes on purpose, ``python -m tests.golden.make answers``
writes them anew, and the difference is read line by line.
"""

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker, Settings

from tests.golden.answers_api import answers_of_api
from tests.golden.answers_pages import READERS, forms, refused_forms, shown
from tests.golden.answers_refusals import refusals_of_api
from tests.golden.recorded import assert_as_recorded
from tests.golden.world import World, made

# What the module shares is costly: one worker makes it.
pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.xdist_group("answers of doors")]


@pytest.fixture(scope="module")
def world(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    """Make the world once for all tests of the module."""
    with django_db_blocker.unblock(), made(tmp_path_factory.mktemp("golden")) as world:
        yield world


@pytest.fixture(autouse=True)
def files_of_the_world(world: World, settings: Settings) -> None:
    """Let every test read the files that the world stored."""
    settings.UPLOAD_FOLDER = world.uploads


def test_the_api_answers_as_recorded(world: World) -> None:
    assert_as_recorded("api", answers_of_api(world))


def test_the_api_refuses_as_recorded(world: World) -> None:
    assert_as_recorded("refusals", refusals_of_api(world))


def test_the_forms_of_events_refuse_as_recorded(world: World) -> None:
    assert_as_recorded("refused_forms", refused_forms(world))


def test_the_forms_of_events_and_records_are_as_recorded(world: World) -> None:
    assert_as_recorded("forms", forms(world))


@pytest.mark.parametrize("part", READERS)
def test_pages_and_their_tables_are_as_recorded(world: World, part: str) -> None:
    found = shown(world, part)
    assert_as_recorded(f"pages_{part}", found.pages)
    assert_as_recorded(f"tables_{part}", dict(found.tables))
