"""Every body has an example in the description that the call itself would read, and what is posted is typed."""

from typing import Any, get_type_hints

import pytest
from django.utils import timezone
from ninja.operation import Operation
from pydantic import TypeAdapter

from provender.database.choices import NewsKind
from provender.database.models.accounts import News, Organisation
from provender.services.news.hooks import body_of
from provender.web.api.described import examples
from provender.web.organisation.api.organisation import NewsEvent
from provender.web.urls import ROUTERS, api


def calls() -> dict[str, Operation]:
    found = [one for router in ROUTERS for view in router.path_operations.values() for one in view.operations]
    return {api.get_openapi_operation_id(one): one for one in found}


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return api.get_openapi_schema(path_prefix="/api/v1/")


def test_every_json_body_has_an_example(described: dict[str, Any]) -> None:
    bodies = {
        call["operationId"]: call["requestBody"]["content"]["application/json"]
        for path in described["paths"].values()
        for call in path.values()
        if "application/json" in call.get("requestBody", {}).get("content", {})
    }
    assert len(bodies) > 40
    assert {name for name, body in bodies.items() if not body.get("example") and not body.get("examples")} == set()
    assert set(examples()) <= set(bodies)


@pytest.mark.parametrize("name", sorted(examples()))
def test_the_call_reads_its_example(name: str) -> None:
    body = get_type_hints(calls()[name].view_func, include_extras=True)["body"]
    TypeAdapter(body).validate_python(examples()[name])


def test_what_is_posted_is_the_event_that_is_described(described: dict[str, Any]) -> None:
    organisation = Organisation(handle="prairie-coop", name="Prairie Cooperative Elevator")
    news = News(organisation=organisation, kind=NewsKind.ARRIVED, says="A delivery", about="sale-1", at=timezone.now())
    read = NewsEvent.model_validate_json(body_of(news))
    assert (read.type, read.about) == (NewsKind.ARRIVED, "sale-1")
    posted = described["webhooks"]["notice"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert posted == {"$ref": "#/components/schemas/NewsEvent"}
    assert described["components"]["schemas"]["NewsKind"]["enum"] == NewsKind.values
