"""The API keeps to its own description, whatever is sent: no 5xx, no answer that the description does not know."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any, Final

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import load_all_checks
from schemathesis.config import GenerationConfig
from schemathesis.core.result import Ok
from schemathesis.filters import HasAPIOperation
from schemathesis.pytest.lazy import get_all_tests
from schemathesis.schemas import APIOperation, BaseSchema
from schemathesis.specs.openapi.checks import ignored_auth, negative_data_rejection, unsupported_method

from provender.services.imports import job as imports_start
from provender.web.urls import ROUTERS
from provender.web.wsgi import application
from tests.web.api.test_calls import description
from tests.web.api.test_every_call import token
from tests.web.cast import Cast
from tests.web.custody_season import Season, fill_custody
from tools import openapi

TAGS = sorted({tag for router in ROUTERS for tag in router.tags or ()})
"""What calls are grouped by: each group is a test of its own."""

WHOLE = os.environ.get("PROVENDER_API") == "whole"
RANDOM = {"examples": 1, "values": 2, "whole": 30}
"""Random calls a way: making one out of the description takes longer than answering it.

``examples`` asks each call that reads for what there is, and posts the examples alone: making a call out of the
description takes a second. ``values`` makes calls by every value that the description allows, and random ones only
where there are too many values.
"""
WAYS: Final[list[Any]] = ["whole"] if WHOLE else ["examples", pytest.param("values", marks=pytest.mark.slow)]
DESCRIBED: Final = "/api/v1/openapi.json"
MANY_FIELDS = r"/custody/events(/batch|/preview)?$"
"""What takes the fields of all events, which make thousands of cases value by value: here they get random bodies alone,
and the examples of their description one by one in ``test_description``; by ``make fuzz`` everything."""


@contextmanager
def kept_connection() -> Iterator[None]:
    """Keep what a plain WSGI client closes with each request: the connection in which the cast stands."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(scope="module", params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def descriptions(way: str) -> tuple[BaseSchema, BaseSchema]:
    """Read the API's description of itself: the calls that are tried value by value, and those with many fields."""
    with kept_connection():
        schema = many = schemathesis.openapi.from_wsgi(DESCRIBED, whole_answers)
        if way != "examples":  # which tries nothing value by value
            many = schemathesis.openapi.from_wsgi(DESCRIBED, whole_answers)
    # Every tenth request would ask by another method, for a check that is left out below.
    schema.config.phases.coverage.unexpected_methods = many.config.phases.coverage.unexpected_methods = set()
    if way == "examples":
        schema.config.phases.coverage.enabled = False
    elif not WHOLE:
        # What the description forbids is tried value by value in ``make fuzz``.
        schema.config.phases.coverage.generation = GenerationConfig(modes=[GenerationMode.POSITIVE])
        many.config.phases.coverage.enabled = many.config.phases.examples.enabled = False
    return schema.exclude(path_regex=MANY_FIELDS), many.include(path_regex=MANY_FIELDS)


def whole_answers(environ: dict[str, Any], start_response: Any) -> list[bytes]:  # noqa: ANN401 - as WSGI has it
    """Answer as the server does, which closes what it has read: the client of the tests leaves files open.

    The description is the one that is kept, which ``test_description`` holds against what the application says.
    """
    if environ["PATH_INFO"] == DESCRIBED:
        start_response("200 OK", [("Content-Type", "application/json")])
        return [openapi.FILE.read_bytes()]
    answer = application(environ, start_response)
    whole = b"".join(answer)
    answer.close()
    return [whole]


@pytest.fixture
def season(cast: Cast) -> Season:
    return fill_custody(cast)


@pytest.fixture
def known(cast: Cast, season: Season) -> dict[str, object]:
    """Return for each parameter that a call needs the name of something that there is."""
    return {
        "number": 1, "mark": "0" * 64, "file": cast.upload.handle, "kind": "harvest", "key": "h1", "code": "none",
        "crop": "soybeans", "year": 2025, "harvest_year": 2025, "buyer": cast.elevator.handle, "bushels": "1",
        "day": "2026-01-01", "find": season.sale, "lot": season.origin, "site": "north", "form": "soybeans",
        "start": season.closed.isoformat(), "event": season.sale, "sale": season.sale, "act": season.sale,
        "audit": cast.audit.handle, "ending": "pdf",
    }  # fmt: skip


@pytest.fixture
def tokens(cast: Cast, season: Season, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Give tokens by the beginning of a path: of the mill with its season, of the verifier, and of the farm."""
    # What an import holds once it is read, test_api_of_imports shows; no process is started here.
    monkeypatch.setattr(imports_start, "spawn", lambda *_, **__: None)
    with kept_connection():
        yield {
            "/custody/": token(cast, cast.mill, "owner"),
            "/audits": token(cast, cast.verifier, "verifier_in"),
            "/verifier/": token(cast, cast.verifier, "verifier_in"),
            "/": cast.token_secret,
        }


EXCLUDED = [
    ignored_auth,  # every call is sent with a token; test_api has the calls without one
    unsupported_method,  # a POST without its key is 400 before anything else
    negative_data_rejection,  # an unknown parameter in the address is left unread
]


def ask(case: Case[Any], tokens: dict[str, str]) -> None:
    path = case.operation.path.removeprefix("/api/v1")
    secret = next(secret for start, secret in tokens.items() if path.startswith(start))
    # Each case finds the cast as it was: a token that an earlier one took back would open nothing any more.
    with transaction.atomic():
        case.call_and_validate(
            headers={"Authorization": f"Bearer {secret}", "Accept-Encoding": "identity"}, excluded_checks=EXCLUDED
        )
        transaction.set_rollback(True)


def of_known(operation: APIOperation[Any, Any, Any, Any], known: dict[str, object]) -> Case[Any]:
    needed = [one for one in operation.definition.raw.get("parameters", ()) if one.get("required")]
    path, query = ({one["name"]: known[one["name"]] for one in needed if one["in"] == at} for at in ("path", "query"))
    return operation.Case(path_parameters=path, query=query)


def has_example(about: HasAPIOperation) -> bool:
    """Tell whether the description shows what is posted; a file of a form it does not."""
    content = about.operation.definition.raw.get("requestBody", {}).get("content", {})
    return not {"example", "examples"}.isdisjoint(content.get("application/json", {}))


@pytest.mark.parametrize("tag", TAGS)
def test_every_answer_is_one_that_the_description_knows(
    tag: str,
    way: str,
    descriptions: tuple[BaseSchema, BaseSchema],
    tokens: dict[str, str],
    known: dict[str, object],
    subtests: pytest.Subtests,
) -> None:
    """The cases are made here: made while tests are collected, they would take each worker half a minute."""
    load_all_checks()
    allowed = settings(max_examples=RANDOM[way], deadline=None, suppress_health_check=list(HealthCheck))
    listed = settings(allowed, phases=[Phase.explicit])
    calls, many = descriptions
    if way == "examples":
        asked = [
            (calls.include(tag=tag).exclude(has_example).exclude(method="GET"), allowed),
            (calls.include(has_example, tag=tag), listed),
        ]
        reading = [calls.include(tag=tag, method="GET"), *([many] if tag == "custody" else [])]
        for each in chain.from_iterable(one.get_all_operations() for one in reading):
            assert isinstance(each, Ok), each
            if each.ok().method == "get":
                with subtests.test(each.ok().label):
                    ask(of_known(each.ok(), known), tokens)
    else:
        asked = [(calls.include(tag=tag), allowed if WHOLE else listed)]
        if tag == "custody":  # a further filter would let all of them pass with every tag
            asked.append((many, allowed))
    for chosen, how in asked:
        for result in get_all_tests(schema=chosen, test_func=ask, settings=how, given_kwargs={}):
            assert isinstance(result, Ok), result
            operation, test = result.ok()
            with subtests.test(operation.label):
                test(tokens=tokens)


def test_every_call_has_a_tag_that_is_asked(descriptions: tuple[BaseSchema, BaseSchema]) -> None:
    calls = [result for each in descriptions for result in each.get_all_operations()]
    operations = [result.ok() for result in calls if isinstance(result, Ok)]
    assert sum(map(len, description()["paths"].values())) == len(operations)
    assert {tag for each in operations for tag in (each.tags or ["none"])} == set(TAGS)


@pytest.mark.slow
def test_no_two_shapes_of_the_description_share_a_name() -> None:
    """Of two shapes with one name the description would keep one, and call the other by it."""
    shapes: dict[str, set[tuple[str, ...]]] = {}
    for router in ROUTERS:
        operations = [one for view in router.path_operations.values() for one in view.operations]
        for model in (one for each in operations for one in (*each.models, *each.response_models.values()) if one):
            for name, shape in model.model_json_schema().get("$defs", {}).items():
                shapes.setdefault(name, set()).add((*shape.get("properties", ()), *shape.get("enum", ())))
    assert {name: found for name, found in shapes.items() if len(found) > 1} == {}
