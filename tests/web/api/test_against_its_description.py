"""The API keeps to its own description, whatever is sent: no 5xx, no answer that the description does not know."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis import Case, GenerationMode
from schemathesis.config import GenerationConfig
from schemathesis.specs.openapi.checks import ignored_auth, negative_data_rejection, unsupported_method

from provender.services.imports import start as imports_start
from provender.web.api.build import ROUTERS
from provender.web.wsgi import application
from tests.web.api.test_every_room import token
from tests.web.cast import Cast
from tests.web.custody_season import fill_custody

schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)
# Every tenth request would ask by another method, for a check that is left out below.
schema.config.phases.coverage.unexpected_methods = set()
if os.environ.get("PROVENDER_API") != "whole":
    # Everything the description allows is tried here; what it forbids, value by value, in ``make fuzz``.
    schema.config.phases.coverage.generation = GenerationConfig(modes=[GenerationMode.POSITIVE])


@pytest.fixture
def tokens(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Give tokens by the beginning of a path: of the mill with its season, of the verifier, and of the farm."""
    fill_custody(cast)
    # What an import holds once it is read, test_api_of_imports shows; no process is started here.
    monkeypatch.setattr(imports_start, "spawn", lambda _module, _folder: None)
    # A plain WSGI client begins and ends each request for good, and with it the connection in which the cast stands.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield {
        "/custody/": token(cast, cast.mill, "owner"),
        "/audits": token(cast, cast.verifier, "verifier_in"),
        "/verifier/": token(cast, cast.verifier, "verifier_in"),
        "/": cast.token_secret,
    }
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


EXCLUDED = [
    ignored_auth,  # every call is sent with a token; test_api has the calls without one
    unsupported_method,  # a POST without its key is 400 before anything else
    negative_data_rejection,  # an unknown parameter in the address is left unread
]


@schema.parametrize()
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_one_that_the_description_knows(case: Case[Any], tokens: dict[str, str]) -> None:
    path = case.operation.path.removeprefix("/api/v1")
    secret = next(secret for start, secret in tokens.items() if path.startswith(start))
    case.call_and_validate(headers={"Authorization": f"Bearer {secret}"}, excluded_checks=EXCLUDED)


def test_no_two_shapes_of_the_description_share_a_name() -> None:
    """Of two shapes with one name the description would keep one, and call the other by it."""
    shapes: dict[str, set[tuple[str, ...]]] = {}
    for router in ROUTERS:
        operations = [one for view in router.path_operations.values() for one in view.operations]
        for model in (one for each in operations for one in (*each.models, *each.response_models.values()) if one):
            for name, shape in model.model_json_schema().get("$defs", {}).items():
                shapes.setdefault(name, set()).add((*shape.get("properties", ()), *shape.get("enum", ())))
    assert {name: found for name, found in shapes.items() if len(found) > 1} == {}
