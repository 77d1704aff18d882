"""Every type of event in the description of the API: its fields with their words and units, and an example."""

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal, Union

from ninja import Schema
from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter, create_model
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from provender.custody.model.event import Event
from provender.services.custody.event_types import event_types
from provender.web.api.view_schema import schema_of


class AnyEvent(dict[str, Any]):
    """One event as JSON. It is described type by type; reading it, and what it answers, is the custody book's."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Take any object."""
        return core_schema.dict_schema(core_schema.str_schema(), core_schema.any_schema())

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Describe all types of events, told apart by ``type``."""
        return handler(_types().core_schema)


@cache
def _types() -> TypeAdapter[Any]:
    shapes = tuple(event_schema(cls) for cls in event_types().values())
    told_apart: Any = Annotated[Union[shapes], Field(discriminator="type")]  # noqa: UP007 - made at run time
    return TypeAdapter(told_apart)


def event_schema(cls: type[Event]) -> type[Schema]:
    """Return the schema of one type of event, as a caller writes it."""
    fields = schema_of(cls, name=f"{_name(cls)}Fields", open_ended=True)
    word: Any = Literal[cls.type]
    return create_model(_name(cls), __base__=fields, __doc__=cls.__doc__, type=(word, ...))


def _name(cls: type[Event]) -> str:
    return f"{cls.type.title().replace('_', '')}Event"


def examples_of() -> dict[str, Any]:
    """Return what completes the description of a call that takes an event: an example of each type."""
    examples = {
        name: {"summary": event_types()[name].title or name, "value": {"event": event}} for name, event in _examples()
    }
    return {"requestBody": {"content": {"application/json": {"examples": examples}}}}


def _examples() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the first shipped event of each type."""
    seen = set()
    for line in (files("provender.custody") / "data" / "example_events.jsonl").read_text("utf-8").splitlines():
        event = json.loads(line)
        if event["type"] not in seen:
            seen.add(event["type"])
            yield event["type"], event
