"""Every address against the whole cast, by GET and by POST. An address without its two lines in ``answers`` fails.

A line holds: name, method, then what each of the cast gets, in the order of ``PARTS``: a status, or ``login`` for the
way to the sign-in page. POSTs carry no fields: a form that is shown again is 200, a deed that went through is 302.

The fast tier asks those at the edge of each answer, the slow one all others.
"""

from collections.abc import Callable, Iterator
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


def read_answers(file: Path) -> dict[tuple[str, str], dict[str, str]]:
    """Read what everybody gets, by name and method."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for line in file.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, method, *answers = line.split()
        assert (name, method) not in found, f"{name} {method} stands twice"
        found[name, method] = dict(zip(PARTS, answers, strict=True))
    return found


FILES: Final = {file.stem: read_answers(file) for file in sorted((HERE / "answers").glob("*.txt"))}
ANSWERS: Final = {line: list(got.values()) for answers in FILES.values() for line, got in answers.items()}


def word(response: HttpResponseBase) -> str:
    where = response.headers.get("Location", "")
    return "login" if where.startswith(reverse("account_login")) else str(response.status_code)


@dataclass(frozen=True, slots=True)
class Doors:
    """The cast, made once for all addresses, with a browser, everybody's cookies and the folder of its uploads."""

    browser: Client
    addresses: dict[str, str]
    cookies: dict[str, SimpleCookie]
    uploads: Path


@pytest.fixture(scope="module")
def doors(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Doors]:
    """Make the cast in a transaction around all the tests: hundreds of casts would cost minutes."""
    with standing(django_db_blocker, tmp_path_factory.mktemp("doors"), make_cast) as made:
        cast = made.what
        addresses = {name: address(name, cast) for name in sorted(all_names())}
        yield Doors(Client(), addresses, {part: cookies_of(cast, part) for part in PARTS}, made.uploads)


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
        response = doors.browser.generic(method, doors.addresses[name])
        transaction.set_rollback(True)
    b"".join(getattr(response, "streaming_content", ()))
    return word(response)


def at_the_edge(answers: dict[str, str]) -> set[str]:
    """Return who decides a line: of those with the same answer the last who is let in and the first who is not.

    A consultant stands for itself where the answer is not that of a writer, a verifier with access where it is not
    that of a reader, one whose access has ended where it is not that of a stranger: ``access_of`` treats them so
    (``test_access``). What a reviewer sees is written at each page.
    """
    if len(set(answers.values())) == 1:
        return {"owner" if is_refused(answers["owner"]) else "anonymous"}
    owner, writer, reader = (answers[part] for part in ("owner", "writer", "reader"))
    asked = {"reviewer", "stranger", "anonymous", "owner" if is_refused(owner) else "reader"}
    if owner != writer:
        asked |= {"owner", "writer"}
    if writer != reader:
        asked |= {"writer", "reader"}
    like = {"consultant": "writer", "verifier_in": "reader", "verifier_out": "stranger"}
    return asked | {part for part, other in like.items() if answers[part] != answers[other]}


def elsewhere(answers: dict[str, str]) -> set[str]:
    return set(answers) - at_the_edge(answers)


def is_refused(answer: str) -> bool:
    return answer in {"401", "403", "404", "405", "login"}


def test_every_address_has_its_two_lines() -> None:
    lines = [line for answers in FILES.values() for line in answers]
    assert sorted(lines) == sorted((name, method) for name in all_names() for method in METHODS)


@pytest.mark.django_db
@pytest.mark.parametrize("asked", [at_the_edge, pytest.param(elsewhere, marks=pytest.mark.slow)])
@pytest.mark.parametrize("file", FILES)
def test_everyone_gets_the_expected_answer(
    file: str, asked: Callable[[dict[str, str]], set[str]], doors: Doors, settings: Settings
) -> None:
    settings.UPLOAD_FOLDER = doors.uploads
    wrong = {
        (name, method, part): answer
        for (name, method), answers in FILES[file].items()
        for part in sorted(asked(answers))
        if (answer := ask(name, method, part, doors)) != answers[part]
    }
    assert wrong == {}
