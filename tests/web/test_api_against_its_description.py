"""The API keeps to its own description, whatever is sent: no 5xx, no answer that the description does not know."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import ignored_auth, negative_data_rejection, unsupported_method

from provender.web.wsgi import application
from tests.web.cast import Cast

schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)


@pytest.fixture
def headers(cast: Cast) -> Iterator[dict[str, str]]:
    # A plain WSGI client begins and ends each request for good, and with it the connection in which the cast stands.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield {"Authorization": f"Bearer {cast.token_secret}"}
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


EXCLUDED = [
    ignored_auth,  # every call is sent with a token; test_api has the calls without one
    unsupported_method,  # a POST without its key is 400 before anything else
    negative_data_rejection,  # an unknown parameter in the address is left unread
]


@schema.parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_one_that_the_description_knows(case: Case[Any], headers: dict[str, str]) -> None:
    case.call_and_validate(headers=headers, excluded_checks=EXCLUDED)
