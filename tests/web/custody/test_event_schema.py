"""The API describes every type of event, and the shipped examples fit their descriptions."""

import json
from importlib.resources import files

import pytest
from django.test import Client
from pydantic import ValidationError

from provender.custody.events.registry import TYPES, read_event
from provender.custody.model.event import plain_event
from provender.web.custody.api.entries import event_schema

TEXT = (files("provender.custody") / "data" / "example_events.jsonl").read_text(encoding="utf-8")
EXAMPLES = [json.loads(line) for line in TEXT.splitlines()]


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: event["id"])
def test_a_shipped_example_fits_the_schema_of_its_type(event: dict[str, object]) -> None:
    plain = plain_event(read_event(event))
    schema = event_schema(TYPES[str(event["type"])])
    assert json.loads(schema.model_validate(plain).model_dump_json(exclude_unset=True)) == plain
    with pytest.raises(ValidationError, match="type"):
        schema.model_validate({**plain, "type": "gift"})


def test_the_description_has_every_type_with_its_words_and_an_example(client: Client) -> None:
    described = client.get("/api/v1/openapi.json").json()
    shapes = described["components"]["schemas"]
    (event, several) = (shapes["EventIn"]["properties"]["event"], shapes["EventsIn"]["properties"]["events"]["items"])
    assert set(event["discriminator"]["mapping"]) == set(TYPES)
    assert event["discriminator"] == several["discriminator"]
    sale = shapes["SaleEvent"]
    assert sale["properties"]["giver"]["title"] == "Seller"
    assert sale["properties"]["ci_max"]["x-unit"] == "g CO2e/bu"
    assert set(sale["required"]) == {"type", "id", "day", "crop", "giver", "taker"}
    assert shapes["TicketIn"]["properties"]["bushels"]["example"] == "950.25"
    examples = described["paths"]["/api/v1/custody/events"]["post"]["requestBody"]["content"]["application/json"]
    assert set(examples["examples"]) == set(TYPES)
    assert examples["examples"]["sale"]["value"]["event"]["type"] == "sale"
