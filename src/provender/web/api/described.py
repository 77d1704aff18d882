"""The description of the API (OpenAPI), completed with each call's scope and with what all calls have in common."""

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

from django.http import HttpRequest
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from ninja.parser import Parser

from provender.web.api.problems import HEADER, LONGEST, MEDIA_TYPE, Needs

_REFUSAL: Final = 400
KEY: Final = {
    "in": "header",
    "name": HEADER,
    "required": True,
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST, "pattern": "^[!-~]+$"},
    "description": "A new value for each deed; a repeat with the same value gets the first answer again.",
}


@cache
def examples() -> dict[str, Any]:
    """Return a body for each call that takes JSON, by the name of the call; those of one event have their own."""
    found: dict[str, Any] = json.loads((files("provender.web.api") / "data" / "examples.json").read_text("utf-8"))
    return found


class _ExactNumbers(Parser):
    """Reads numbers with a fraction as their text, as files of events are read: no digit of an amount is lost."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(request.body, parse_float=str)
        return found


class DescribedApi(NinjaAPI):
    """An API whose description knows that refusals are problems and that every POST carries a key.

    ``posted`` is what the server itself posts to webhooks, in the form of OpenAPI.
    """

    def __init__(self, *, posted: dict[str, Any], **options: Any) -> None:  # noqa: ANN401 - as ninja declares it
        super().__init__(parser=_ExactNumbers(), **options)
        self._posted = posted
        self._described: dict[str, OpenAPISchema] = {}

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Return the name of the call, which is unique in this API and says nothing of where its code stands."""
        return operation.view_func.__name__

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:  # noqa: ANN401 - as ninja declares it
        """Return the description, made once for each root: it takes seconds and never changes while a server runs."""
        known = repr(sorted(options.items()))
        if known not in self._described:
            self._described[known] = self._describe(options)
        return self._described[known]

    def _describe(self, options: dict[str, Any]) -> OpenAPISchema:
        schema = super().get_openapi_schema(**options)
        scopes = self._scopes()
        for path in schema["paths"].values():
            for method, call in path.items():
                _complete(method, call)
                call["security"] = [
                    {name: [scope] for name in one} for one in call["security"] for scope in scopes[call["operationId"]]
                ]
        schema["webhooks"] = self._posted
        return schema

    def _scopes(self) -> dict[str, list[str]]:
        """Return the scopes that a token needs, by the name of the call."""
        return {
            self.get_openapi_operation_id(one): [
                str(scope) for each in one.auth_callbacks if isinstance(each, Needs) for scope in each.scopes
            ]
            for _, router in self._routers
            for view in router.path_operations.values()
            for one in view.operations
        }


def _complete(method: str, call: dict[str, Any]) -> None:
    refused = {status: answer for status, answer in call["responses"].items() if int(status) >= _REFUSAL}
    for answer in refused.values():
        # All refusals look alike, and a model for each of them would keep a server from starting for seconds.
        content = answer.get("content") or refused[_REFUSAL]["content"]
        answer["content"] = {MEDIA_TYPE: next(iter(content.values()))}
    example = examples().get(call["operationId"])
    if example is not None:
        call["requestBody"]["content"]["application/json"]["example"] = example
    if method == "post":
        call["parameters"] = [*call.get("parameters", []), KEY]
