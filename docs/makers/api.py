"""The page of the API: every call with its scope, its fields and its answer, from the API's own description."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

INTRO = """# API

Every call under `/api/v1`, from the description that a running server gives at `/api/v1/openapi.json`. A walk through
it with examples is [How to use the API](../how-to/api.md).

- A token belongs to one organisation and is made on its page *Tokens*; it is sent as `Authorization: Bearer ...`. Each
  call names the **scope** that its token must have.
- Every `POST` carries an `Idempotency-Key` of 1 to 100 visible ASCII characters. The same key again gets the first
  answer again, and nothing is done twice; with another body it is refused.
- A list comes in pages: `limit` items (100, at most 500), and `next`, which goes into `after` for the next page and is
  null on the last.
- A refusal is `application/problem+json` (RFC 9457): 400 what was sent cannot be read, 401 no valid token, 403 the
  token may not, 404 there is no such thing for this organisation, 409 something else was written meanwhile or the key
  was used before, 413 too large, 422 the rule or the book says no, 503 others are writing for too long and nothing
  was written. `problems` in it lists where, cause, remedy and paragraph of each.
- Amounts are decimal text (`"2500.5"`), days are `2026-10-05`.

"""
PAGING = frozenset({"limit", "after"})


def api_page() -> str:
    """Return the page."""
    schema = _description()
    models = schema["components"]["schemas"]
    calls = [
        (call["tags"][0], method, path, call)
        for path, methods in schema["paths"].items()
        for method, call in methods.items()
    ]
    parts = [INTRO]
    for tag, members in groupby(calls, key=lambda one: one[0]):
        parts.append(f"## {tag.capitalize()}\n\n")
        parts += [_call(method, path, call, models) for _, method, path, call in members]
    parts.append("## Shapes\n\nWhat bodies and answers hold. A field marked * is always there.\n\n")
    parts += [_shape(name, model) for name, model in sorted(models.items()) if _is_shape(name)]
    return "".join(parts).rstrip("\n") + "\n"


def _description() -> Mapping[str, Any]:
    """Return the description as a server gives it; none is running, so a folder that goes away is its place."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "provender.web.settings")
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("PROVENDER_FOLDER", folder)
        import django

        django.setup()
        from provender.web.urls import api

        description: Mapping[str, Any] = api.get_openapi_schema(path_prefix="/api/v1/")
    return description


def _call(method: str, path: str, call: Mapping[str, Any], models: Mapping[str, Any]) -> str:
    short = path.removeprefix("/api/v1")
    scopes = " or ".join(f"`{scope}`" for one in call["security"] for held in one.values() for scope in held)
    lines = [f"### {method.upper()} {short}\n", f"{_words(call['description'])}\n", f"Scope: {scopes}.\n"]
    asked = [_parameter(one) for one in call["parameters"] if one["in"] != "header" and one["name"] not in PAGING]
    if asked:
        lines.append("\n".join(["| parameter | where | type | meaning |", "| --- | --- | --- | --- |", *asked]) + "\n")
    if body := call.get("requestBody"):
        lines.append(f"Body: {_body(body['content'])}.\n")
    status, answer = next((code, one) for code, one in call["responses"].items() if int(code) < 400)  # noqa: PLR2004
    lines.append(f"Answer {status}: {_answered(answer.get('content', {}), models)}.\n")
    return "\n".join(lines) + "\n"


def _body(content: Mapping[str, Any]) -> str:
    """Return what a body holds: JSON of some shape, or the fields of a form."""
    if "application/json" in content:
        return _type(content["application/json"]["schema"])
    ((media_type, held),) = content.items()
    return f"a form (`{media_type}`) with " + ", ".join(f"`{name}`" for name in held["schema"]["properties"])


def _parameter(one: Mapping[str, Any]) -> str:
    needed = "" if one["required"] else ", may be left out"
    return f"| `{one['name']}` | {one['in']} | {_type(one['schema'])}{needed} | {_words(one.get('description', ''))} |"


def _answered(content: Mapping[str, Any], models: Mapping[str, Any]) -> str:
    """Return what an answer holds: JSON of some shape, a file of some kind, or nothing."""
    if "application/json" in content:
        return _answer(content["application/json"]["schema"], models)
    return f"a file ({' or '.join(f'`{one}`' for one in content)})" if content else "nothing"


def _answer(schema: Mapping[str, Any], models: Mapping[str, Any]) -> str:
    """Return the type of an answer; of a page, that of its items."""
    name = _name(schema)
    if not name.startswith("Page_"):
        return _type(schema)
    return f"a page of {_type(models[name]['properties']['items']['items'])}"


def _is_shape(name: str) -> bool:
    return not name.startswith("Page")


def _shape(name: str, model: Mapping[str, Any]) -> str:
    head = f"### {name}\n\n" + (f"{_words(model['description'])}\n\n" if "description" in model else "")
    if "enum" in model:
        return head + "One of " + ", ".join(f"`{value}`" for value in model["enum"]) + ".\n\n"
    return head + "\n".join(["| field | type | meaning |", "| --- | --- | --- |", *_fields(model)]) + "\n\n"


def _fields(model: Mapping[str, Any]) -> Iterator[str]:
    required = model.get("required", ())
    for name, field in model["properties"].items():
        star = "*" if name in required else ""
        yield f"| `{name}`{star} | {_type(field)} | {_words(field.get('description', ''))} |"


def _name(schema: Mapping[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _type(schema: Mapping[str, Any]) -> str:
    """Return a type in words: a link to a shape, a list, alternatives, or a plain type with its bounds."""
    if "$ref" in schema:
        return f"[{_name(schema)}](#{_name(schema).casefold()})"
    if "allOf" in schema:
        return _type(schema["allOf"][0])
    if "anyOf" in schema:
        return " or ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema:
        return "one of " + ", ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}" + _bound(schema, "maxItems", "at most {}")
    if schema.get("type") == "object":
        more = schema.get("additionalProperties")
        return f"object of {_type(more)} by name" if isinstance(more, dict) and more else "object"
    kind = str(schema.get("type", "anything"))
    plain = {"string": "text", "integer": "whole number", "boolean": "true or false"}.get(kind, kind)
    return plain + _bound(schema, "maxLength", "at most {} characters") + _bound(schema, "format", "{}")


def _bound(schema: Mapping[str, Any], name: str, words: str) -> str:
    return f" ({words.format(schema[name])})" if name in schema else ""


def _words(text: str) -> str:
    return " ".join(text.replace("``", "`").replace("|", "\\|").split())
