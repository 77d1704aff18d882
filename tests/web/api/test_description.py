"""The description of the API: sound, kept, with examples of bodies, a type of every view, a call of every page."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, get_type_hints

import pytest
from django.utils import timezone
from ninja.operation import Operation
from openapi_spec_validator import OpenAPIV31SpecValidator
from pydantic import TypeAdapter, ValidationError

from provender.custody.events.registry import TYPED_TYPES, TYPES, read_event
from provender.custody.model.event import plain_event
from provender.database.choices import NewsKind
from provender.database.models.accounts import News, Organisation
from provender.exact import Bushels, Ci
from provender.schema import Day, field, view, write
from provender.services.news.hooks import body_of
from provender.web.api.described import examples
from provender.web.api.schema import schema_of
from provender.web.custody.api.entries import event_schema
from provender.web.organisation.api.organisation import NewsEvent
from provender.web.urls import ROUTERS, api
from tests.web.addresses import all_names
from tests.web.api.test_calls import description
from tests.web.test_everyone_at_every_address import ANSWERS
from tools import client, openapi


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return openapi.described()


def test_the_file_is_what_the_application_says_and_every_json_body_has_an_example(described: dict[str, Any]) -> None:
    assert openapi.FILE.read_text("utf-8") == openapi.written(described), "run `make openapi`"
    bodies = {
        call["operationId"]: call["requestBody"]["content"]["application/json"]
        for path in described["paths"].values()
        for call in path.values()
        if "application/json" in call.get("requestBody", {}).get("content", {})
    }
    assert len(bodies) > 40
    assert {name for name, body in bodies.items() if not body.get("example") and not body.get("examples")} == set()
    assert set(examples()) <= set(bodies)


@pytest.mark.slow
def test_the_description_is_sound_by_anothers_validator(described: dict[str, Any]) -> None:
    assert [str(wrong) for wrong in OpenAPIV31SpecValidator(described).iter_errors()] == []


@pytest.mark.slow
def test_the_generator_makes_a_module_for_each_call(tmp_path: Path) -> None:
    client.generate(tmp_path / "client")
    modules = {path.stem for path in (tmp_path / "client" / "provender_client" / "api").rglob("[a-z]*.py")}
    described: dict[str, Any] = json.loads(openapi.FILE.read_text("utf-8"))["paths"]
    assert modules == {call["operationId"] for path in described.values() for call in path.values()}


def calls() -> dict[str, Operation]:
    found = [one for router in ROUTERS for view in router.path_operations.values() for one in view.operations]
    return {api.get_openapi_operation_id(one): one for one in found}


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


class State(StrEnum):
    HELD = "held"
    IN_TRANSIT = "in_transit"


@view
class ShownLot:
    """A lot that only this test shows."""

    id: str = field("Lot", help="Its first serial.", cite="2100.034(d)")
    bushels: Bushels = field("Bushels", example="12.5")


@view
class ShownStock:
    """Some lots."""

    lots: tuple[ShownLot, ...] = field("Lots")
    ci: Ci | None = field("Carbon intensity")
    day: Day = field("Day")
    state: State = field("State", default=State.HELD)
    year: int = field("Harvest year", default=0)
    facts: dict[str, str] = field("Facts")


STOCK = ShownStock(lots=(ShownLot(id="a", bushels=1500),), ci=None, day=date(2026, 1, 2), facts={"a": "b"})


def test_what_the_codec_writes_fits_the_schema_and_a_caller_leaves_out_only_what_has_a_default() -> None:
    plain = write(STOCK, whole=True)
    assert schema_of(ShownStock).model_validate(plain).model_dump() == plain
    body = schema_of(ShownStock, name="StockAsked", open_ended=True)
    plain = write(STOCK)
    assert "state" not in plain
    assert body.model_validate(plain).model_dump(exclude_unset=True) == plain
    with pytest.raises(ValidationError):
        body.model_validate({"ci": "1"})


TABLE: Final = Path(__file__).parent / "parity" / "pages.txt"
ANY: Final = "ANY"
NOT_THERE: Final = "405"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: which pages, and the calls that do the same, or why there is none."""

    name: str
    method: str
    calls: tuple[str, ...]
    reason: str

    def is_of(self, page: tuple[str, str]) -> bool:
        """Tell whether the line is about a page asked by a method."""
        name, method = page
        return fnmatchcase(name, self.name) and self.method in (ANY, method)


def lines() -> Iterator[Line]:
    for text in TABLE.read_text(encoding="utf-8").splitlines():
        if not text.strip() or text.startswith("#"):
            continue
        name, method, mark, rest = text.split(maxsplit=3)
        assert mark in ("->", "-"), text
        assert (method == ANY) == ("*" in name), f"{text}: a `*` goes with {ANY}"
        calls = tuple(one.strip() for one in rest.split(",")) if mark == "->" else ()
        yield Line(name, method, calls, "" if calls else rest)


def pages() -> set[tuple[str, str]]:
    """Return every page with the methods it answers to; the API's own addresses are no pages."""
    named = {name for name in all_names() if not name.startswith("api:")}
    return {page for page, answers in ANSWERS.items() if page[0] in named and NOT_THERE not in answers}


def test_every_page_has_one_line_for_each_method_whose_calls_there_are_or_a_reason_that_is_no_promise() -> None:
    table, there = list(lines()), pages()
    found = {page: sum(line.is_of(page) for line in table) for page in there}
    assert {page: times for page, times in found.items() if times != 1} == {}
    assert [line for line in table if not any(line.is_of(page) for page in there)] == []
    named = {call["operationId"] for path in description()["paths"].values() for call in path.values()}
    assert {call for line in table for call in line.calls} - named == set()
    assert [line for line in table if not line.calls and len(line.reason) < len("a reason")] == []
    promises = ("being built", "later", "not yet", "soon", "to do", "planned")
    assert [line for line in table if any(one in line.reason.casefold() for one in promises)] == []


TEXT = (files("provender.custody") / "data" / "example_events.jsonl").read_text(encoding="utf-8")
EXAMPLES = [json.loads(line) for line in TEXT.splitlines()]


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: event["id"])
def test_a_shipped_example_fits_the_schema_of_its_type(event: dict[str, object]) -> None:
    plain = plain_event(read_event(event))
    schema = event_schema(TYPES[str(event["type"])])
    assert json.loads(schema.model_validate(plain).model_dump_json(exclude_unset=True)) == plain
    with pytest.raises(ValidationError, match="type"):
        schema.model_validate({**plain, "type": "gift"})


def test_the_description_has_every_type_and_an_example(described: dict[str, Any]) -> None:
    shapes = described["components"]["schemas"]
    (event, several) = (shapes["EventIn"]["properties"]["event"], shapes["EventsIn"]["properties"]["events"]["items"])
    assert set(event["discriminator"]["mapping"]) == set(TYPED_TYPES)
    assert event["discriminator"] == several["discriminator"]
    examples = described["paths"]["/api/v1/custody/events"]["post"]["requestBody"]["content"]["application/json"]
    assert set(examples["examples"]) == set(TYPED_TYPES)
    assert examples["examples"]["sale"]["value"]["event"]["type"] == "sale"
