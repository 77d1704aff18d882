"""Every address against the whole cast, by GET and by POST. An address without its two lines in ``answers`` fails.

A line holds: name, method, then what each of the cast gets, in the order of ``PARTS``: a status, or ``login`` for the
way to the sign-in page. POSTs carry no fields: a form that is shown again is 200, a deed that went through is 302.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Final

import pytest
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoDbBlocker, Settings

from tests.web.addresses import address, all_names
from tests.web.cast import PARTS, Cast, make_cast
from tests.web.standing import standing

HERE: Final = Path(__file__).parent
METHODS: Final = ("GET", "POST")


def read_answers() -> dict[tuple[str, str], list[str]]:
    """Read all lines of ``answers/*.txt``; a line that stands twice is an error."""
    found: dict[tuple[str, str], list[str]] = {}
    for file in sorted((HERE / "answers").glob("*.txt")):
        for line in file.read_text().splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            name, method, *answers = line.split()
            assert (name, method) not in found, f"{name} {method} stands twice"
            assert len(answers) == len(PARTS), f"{file.name}: {line}"
            found[name, method] = answers
    return found


ANSWERS: Final = read_answers()


def word(response: HttpResponseBase) -> str:
    where = response.headers.get("Location", "")
    return "login" if where.startswith(reverse("account_login")) else str(response.status_code)


@dataclass(frozen=True, slots=True)
class Doors:
    """The cast, made once for all addresses, with a browser, everybody's cookies and the folder of its uploads."""

    cast: Cast
    browser: Client
    cookies: dict[str, SimpleCookie]
    uploads: Path


@pytest.fixture(scope="module")
def doors(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Doors]:
    """Make the cast in a transaction around all the tests: hundreds of casts would cost minutes."""
    with standing(django_db_blocker, tmp_path_factory.mktemp("doors"), make_cast) as made:
        cast = made.what
        yield Doors(cast, Client(), {part: cookies_of(cast, part) for part in PARTS}, made.uploads)


def cookies_of(cast: Cast, part: str) -> SimpleCookie:
    client = Client()
    person = cast.people[part]
    if person is not None:
        client.force_login(person)
    return client.cookies


def ask(name: str, method: str, part: str, doors: Doors) -> str:
    """Send one request as one of the cast, and undo what it wrote."""
    doors.browser.cookies = SimpleCookie(doors.cookies[part].output(header=""))
    with transaction.atomic():
        response = doors.browser.generic(method, address(name, doors.cast))
        transaction.set_rollback(True)
    b"".join(getattr(response, "streaming_content", ()))
    return word(response)


def test_every_address_has_its_two_lines() -> None:
    assert set(ANSWERS) == {(name, method) for name in all_names() for method in METHODS}


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "method"), list(ANSWERS))
def test_everyone_gets_the_expected_answer(name: str, method: str, doors: Doors, settings: Settings) -> None:
    expected = dict(zip(PARTS, ANSWERS[name, method], strict=True))
    # Where everybody gets the same, a session decides nothing: who has every right and who has none are enough.
    asked = PARTS if len(set(expected.values())) > 1 else ("owner", "anonymous")
    assert_answers(name, method, {part: expected[part] for part in asked}, doors, settings)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(("name", "method"), [asked for asked, answers in ANSWERS.items() if len(set(answers)) == 1])
def test_where_all_get_the_same_nobody_gets_another_answer(
    name: str, method: str, doors: Doors, settings: Settings
) -> None:
    expected = dict(zip(PARTS, ANSWERS[name, method], strict=True))
    assert_answers(name, method, expected, doors, settings)


def assert_answers(name: str, method: str, expected: dict[str, str], doors: Doors, settings: Settings) -> None:
    settings.UPLOAD_FOLDER = doors.uploads
    assert {part: ask(name, method, part, doors) for part in expected} == expected
